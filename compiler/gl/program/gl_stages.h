// What a draw runs, whoever made it: stages, the attributes that they read, the blocks
// of uniforms and the textures that are bound for them.
#ifndef GV_GL_STAGES_H
#define GV_GL_STAGES_H

#include "compiler/gl/base/gl_state.h"
#include "compiler/lower/lower_bindings.h"
#include "compiler/lower/lower_pipeline.h"
#include "compiler/shader/glsl/glsl_program.h"
#include "vm/descs.h"

#define GV_GL_BLOCKS 32u               // of uniforms, of all stages of a draw
#define GV_GL_UNIFORM_BYTES (1u << 20) // of all of them
#define GV_GL_SAMPLED 32u              // textures of a draw
#define GV_GL_SAMPLED_BUFFERS 8u       // buffer textures among them
#define GV_GL_STORAGE 64u              // storage blocks and counters of a draw
#define GV_GL_IMAGES 64u               // images of a draw

// An attribute, or one column of a matrix.
struct gv_gl_stage_input {
    uint8_t location; // Vulkan's
    uint8_t slot;     // enum gv_gl_slot that feeds it
    uint8_t scalar;   // enum gv_glsl_scalar that the stage declares
    bool behind;      // the third and fourth of four doubles
};

struct gv_gl_stage_block {
    struct gv_lower_place place;
    uint32_t bytes, offset; // of its content, among all blocks' of the draw
    uint64_t id;            // gv_builder_block
    uint32_t block;         // which of the program's; GV_GLSL_NONE: of the fixed
                            // function's stage
};

// A texture that a program samples.
struct gv_gl_stage_texture {
    struct gv_lower_place place;
    uint32_t unit;
    uint8_t target; // enum gv_gl_target
    uint8_t scalar; // enum gv_glsl_scalar of its texels
    bool shadow;    // compares
    uint8_t fetch;  // enum gv_glsl_fetch: of the target
    bool four;      // depth that the stages filter
};

// A buffer that stages read on the device or write: a storage block, the atomic
// counters of one binding, a block of uniforms that the device wrote or that is of an
// array.
struct gv_gl_stage_storage {
    struct gv_lower_place place;
    uint32_t target, point; // GL_SHADER_STORAGE_BUFFER, _ATOMIC_COUNTER_, _UNIFORM_
    bool written;
};

// An image that a program loads from or stores to.
struct gv_gl_stage_image {
    struct gv_lower_place place;
    uint32_t unit;
    uint32_t format; // SpvImageFormat
    uint8_t target;  // enum gv_gl_target
    uint8_t scalar;  // enum gv_glsl_scalar of its texels
    bool written;
};

struct gv_gl_stages {
    uint64_t serials[GV_LOWER_STAGES]; // 0: no such stage
    const struct gv_shader_stage *codes[GV_LOWER_STAGES];
    struct gv_shader modules[GV_LOWER_STAGES];
    uint32_t input_count, block_count, texture_count;
    struct gv_gl_stage_input inputs[GV_MAX_VERTEX_ATTRIBUTES];
    struct gv_gl_stage_block blocks[GV_GL_BLOCKS];
    struct gv_gl_stage_texture textures[GV_GL_SAMPLED];
    uint32_t storage_count, image_count;
    struct gv_gl_stage_storage storage[GV_GL_STORAGE];
    struct gv_gl_stage_image images[GV_GL_IMAGES];
    uint32_t bytes; // of all blocks
    bool draws;     // knows gl_BaseVertex or gl_DrawID
    struct gv_glsl_capture_buffer captured[GV_MAX_GLSL_CAPTURE_BUFFERS];
    bool fetches;    // sees what the target holds
    bool primitives; // knows a primitive's number: is merged with no other
    bool viewports;  // chooses one
    bool based;      // knows gl_BaseInstance
    bool modern;     // of GLSL 1.30 or later
    bool alone; // knows a vertex's or an instance's number: is merged with no other
};

// GV_LOWER_TEXELS_FLOAT, _UINT or _SINT, of an enum gv_glsl_scalar.
uint32_t gv_gl_scalar_texels(uint32_t scalar);

#endif
