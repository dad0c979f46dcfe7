// What decides of an upgraded text besides the program's own.
#ifndef GV_UPGRADE_OPTIONS_H
#define GV_UPGRADE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/shader/glsl/lower_edges.h"

// What a program's name becomes when it has become a keyword or a built-in, and
// instead of gl_ what stands for a built-in variable.
#define GV_UPGRADE_PREFIX "gv_"

// Which row of the target is row 0 of its image: decides gl_FragCoord, gl_PointCoord,
// gl_SamplePosition and derivatives in y.
enum gv_glsl_target {
    GV_GLSL_TARGET_AS_IS,     // nobody asks: Vulkan's own
    GV_GLSL_TARGET_BOTTOM_UP, // GL's lowest
    GV_GLSL_TARGET_TOP_DOWN,  // GL's highest
};

// When a fragment passes: its alpha compared with gl_AlphaReference.
enum gv_glsl_alpha {
    GV_GLSL_ALPHA_OFF,
    GV_GLSL_ALPHA_NEVER,
    GV_GLSL_ALPHA_LESS,
    GV_GLSL_ALPHA_EQUAL,
    GV_GLSL_ALPHA_LEQUAL,
    GV_GLSL_ALPHA_GREATER,
    GV_GLSL_ALPHA_NOTEQUAL,
    GV_GLSL_ALPHA_GEQUAL,
    GV_GLSL_ALPHA_ALWAYS,
};

// How a fragment meets its target in the shader: KHR_blend_equation_advanced.
enum gv_glsl_blend {
    GV_GLSL_BLEND_OFF,
#define GLSL_BLEND(id, name, result) GV_GLSL_BLEND_##id,
#include "compiler/shader/glsl/glsl_blends.def"
#undef GLSL_BLEND
};

// What functions that compare depths and return vectors make of the result d
// (GL_DEPTH_TEXTURE_MODE).
enum gv_glsl_depth {
    GV_GLSL_DEPTH_LUMINANCE, // d, d, d, 1
    GV_GLSL_DEPTH_INTENSITY, // d, d, d, d
    GV_GLSL_DEPTH_ALPHA,     // 0, 0, 0, d
    GV_GLSL_DEPTH_RED,       // d, 0, 0, 1
};

// What a sampler of an upgraded text stands for: a texture, or what the target of the
// draw holds (EXT_shader_framebuffer_fetch).
enum gv_glsl_fetch {
    GV_GLSL_FETCH_NONE,
    GV_GLSL_FETCH_COLOR, // of colour buffer 0, and of the others behind it
    GV_GLSL_FETCH_DEPTH = GV_GLSL_FETCH_COLOR + 8,
    GV_GLSL_FETCH_STENCIL,
};

// Of a stage, with the uniforms that choose among them; the names of those uniforms.
#define GV_MAX_GLSL_SUBROUTINES 512u
#define GLSL_SUBROUTINE "gv_subroutine_"

#define GV_MAX_GLSL_CAPTURE_BUFFERS 4u
#define GV_MAX_GLSL_CLAMPED 32u

// What transform feedback captures where the text has no layouts for it, as
// glTransformFeedbackVaryings names it: gl_NextBuffer, gl_SkipComponents1 among them.
struct gv_glsl_captures {
    const char *const *names; // borrowed
    size_t count;
    bool separate; // each has a buffer of its own
};

struct gv_glsl_attribute; // glsl_program.h

// What GL's state makes of a program's text. Each set of options is a variant, compiled
// on its own; all zero is the text as it is.
struct gv_upgrade_options {
    bool es; // the context is OpenGL ES: text without #version is ES 1.00, not 1.10
    enum gv_glsl_target target;
    bool depth_zero_to_one; // clip space -w..w in z becomes 0..w
    bool two_sided;         // back faces take gl_BackColor
    bool flat_colors;       // glShadeModel(GL_FLAT)
    bool unclamped_colors;  // vertex colours are not clamped to 0..1
    bool point_lower_left;  // GL_POINT_SPRITE_COORD_ORIGIN
    bool state_size;        // gl_PointSize is the uniform gl_StateSize, not the text's
    bool snapped_points;    // points are squares of whole pixels (point_snap.h), by the
                            // uniform gl_PointGrid
    enum gv_lower_edges lower_edges; // by the same uniform
    bool multisampled;      // four samples a pixel have rows of their own there
    bool one_layer;         // of the target: gl_Layer is 0, whatever the text says
    bool vertex_base;       // gl_VertexID counts from the uniform gl_FirstVertex
    bool polygon_stipple;   // a fragment passes by gl_StipplePattern
    uint32_t clip_planes;   // bit i: GL_CLIP_PLANEi (GL_CLIP_DISTANCEi) is on
    uint32_t coord_replace; // bit i: GL_COORD_REPLACE of unit i, drawing points
    uint32_t color_outputs; // colour buffers that gl_FragColor goes to; 0: one
    enum gv_glsl_alpha alpha_test;
    enum gv_glsl_depth depth_mode;
    enum gv_glsl_blend blend; // of colour buffer 0
    // What becomes of texture coordinates (GV_SPIRV_WRAP_*), by the number that the
    // sampler has in reflection.
    uint16_t clamps[GV_MAX_GLSL_CLAMPED];
    uint32_t patch_vertices; // of patches that no stage controls; 0: none
    // Which program of a pipeline each text is of, from 0 on: uniforms of one name in
    // several are several, those of program 2 called "gv2_NAME". NULL: one for all.
    const uint32_t *parts;
    // Of a whole program: its params' outputs.
    const struct gv_glsl_attribute *outputs;
    size_t output_count;
    const struct gv_glsl_captures *captures; // NULL: nothing is captured, whatever
                                             // layouts say
};

#endif
