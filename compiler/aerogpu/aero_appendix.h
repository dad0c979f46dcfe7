// What the minimal packets of appendix A have made. Buffers, shaders and pipelines have
// ids of their own, apart from the handles of command streams.
#ifndef GV_AERO_APPENDIX_H
#define GV_AERO_APPENDIX_H

#include "compiler/aerogpu/aero.h"
#include "compiler/shader/wgsl/wgsl.h"

#define GV_AERO_APPENDIX_OBJECTS 4096u // of each kind

struct gv_aero_minimal_buffer {
    uint32_t id;
    struct gv_buffer gpu;
    uint32_t size;
};

struct gv_aero_minimal_shader {
    uint32_t id;
    bool fragment;
    const char *glsl; // NUL-terminated GLSL ES 3.00, or NULL
    uint64_t glsl_offset;
    struct gv_dxbc_shader *dxbc;       // or this
    struct gv_aero_minimal_wgsl *wgsl; // or this
};

struct gv_aero_minimal_wgsl {
    struct gv_wgsl_shader shader;
    struct gv_shader_stage spirv;
};

struct gv_aero_minimal_pipeline {
    uint32_t id;
    struct gv_shader_stage stages[2]; // vertex, fragment
    struct gv_shader modules[2];
    bool gl_clip; // clip z is -1..1
};

struct gv_aero_appendix {
    struct gv_aero_minimal_buffer *buffers;
    struct gv_aero_minimal_shader *shaders;
    struct gv_aero_minimal_pipeline *pipelines;
    uint32_t buffer_count, shader_count, pipeline_count;
    uint32_t buffer_capacity, shader_capacity, pipeline_capacity;
    // State.
    const struct gv_aero_minimal_pipeline *pipeline;
    const struct gv_aero_minimal_buffer *vertices;
    uint32_t stride, position_offset, color_offset;
    uint32_t width, height;           // 0 = the framebuffer's
    struct gv_aero_context *context;  // of the draws, or NULL
    struct gv_graphics_desc graphics; // being described
};

#endif
