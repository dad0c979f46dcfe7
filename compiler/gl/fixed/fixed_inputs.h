// What a draw says of itself to the fixed function: besides the context's state all
// that a generated program and its uniforms follow from.
#ifndef GV_FIXED_INPUTS_H
#define GV_FIXED_INPUTS_H

#include "compiler/gl/assembly/gl_assembly.h"
#include "compiler/gl/base/gl_context.h"
#include "compiler/shader/glsl/lower_edges.h"
#include "compiler/shader/spirv/spirv_wrap.h"

enum gv_gl_primitive_class {
    GV_GL_CLASS_POINTS,
    GV_GL_CLASS_LINES,
    GV_GL_CLASS_TRIANGLES,
};

// What a unit samples, as the texture room decided.
struct gv_gl_unit_image {
    bool there;     // false: the unit is off or its texture incomplete
    uint8_t target; // enum gv_gl_target
    uint8_t shadow; // compares (GL_COMPARE_R_TO_TEXTURE)
    uint16_t
        depth_mode; // of depth textures: GL_LUMINANCE, GL_INTENSITY, GL_ALPHA, GL_RED
    uint16_t base_format; // GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_INTENSITY,
                          // GL_RGB, GL_RGBA, GL_DEPTH_COMPONENT ...
    float scale[2];       // of rectangle textures: 1 / size; else 1
    // Bit per coordinate s, t, r: clamped to 0..1 (after scaling and dividing by q)
    // before it is sampled: GL_CLAMP with linear filters. GV_GL_CLAMP_SHORT: to less
    // than 1, where what is nearest to it must not be the border. Bits from
    // GV_GL_CLAMP_MIRROR on, for each coordinate again: mirrored at 0 first.
    uint8_t clamp;
#define GV_GL_CLAMP_SHORT GV_SPIRV_WRAP_SHORT
#define GV_GL_CLAMP_MIRROR GV_SPIRV_WRAP_MIRROR
#define GV_GL_CLAMP_SLOPES GV_SPIRV_WRAP_SLOPES // of programs of GLSL alone
    // Depth that is to be filtered linearly, of a target of two dimensions: the program
    // does it, where it is magnified or minified, of several levels, between them.
    uint8_t four;
#define GV_GL_FOUR_MAG 1u
#define GV_GL_FOUR_MIN 2u
#define GV_GL_FOUR_ALWAYS (GV_GL_FOUR_MAG | GV_GL_FOUR_MIN)
#define GV_GL_FOUR_LEVELS 4u
#define GV_GL_FOUR_BETWEEN 8u
    // What is sampled is no colour: GV_GL_PLANE_DEPTH makes it the fragment's depth;
    // GV_GL_PLANE_STENCIL + n keeps fragments alone where bit n of it is set.
    uint8_t plane;
#define GV_GL_PLANE_DEPTH 1u
#define GV_GL_PLANE_STENCIL 2u
    // Coordinates count texels, one of which is taken as it is: of an image of two
    // dimensions or, each for itself, of the samples of one with several. NEAREST: they
    // are fractions of the size, as for samplers, and beyond the image is its edge.
    enum gv_gl_texel_fetch {
        GV_GL_FETCH_NONE,
        GV_GL_FETCH_TEXEL,
        GV_GL_FETCH_SAMPLES,
        GV_GL_FETCH_NEAREST,
    } fetch;
    // Such a texel is of integers, and so are the targets: 'u', 'i' or 0.
    char integers;
};

// All that a program and its uniforms follow from.
struct gv_gl_fixed_inputs {
    const struct gv_gl_context *context;
    // Programs of assembly that the halves run instead; NULL: the fixed function.
    const struct gv_gl_assembly_text *assembly[GV_GL_HALVES];
    const struct gv_gl_assembly_object *objects[GV_GL_HALVES]; // that are bound
    // The other half is stages of GLSL, and where these come first, bits of enum
    // gv_fixed_varying that they write.
    bool beside;
    uint16_t written;
    uint16_t depth_modes[GV_ARB_IMAGE_UNITS]; // of what such a program compares
    uint8_t clamps[GV_ARB_IMAGE_UNITS]; // of what it samples: see gv_gl_unit_image
    uint32_t varying; // bit per slot that comes per vertex; others are current values
    enum gv_gl_primitive_class drawn; // as what the primitives end up (polygon mode)
    struct gv_gl_unit_image units[GV_GL_UNITS];
    // The target's rows: true for windows, whose row 0 is at the top (a viewport of
    // negative height); false for framebuffer objects, whose row 0 is GL's.
    bool flipped;
    float target_height;
    // Stipples and coverage that the pipeline does not do itself.
    bool polygon_stipple, point_smooth;
    // Lines whose coverage the alpha test sees: vertices carry both ends' positions.
    bool line_ends;
#define GV_FIXED_FIRST_END GV_GL_INDEX // in slots that no generated text reads
#define GV_FIXED_LAST_END GV_GL_WEIGHT
    // Polygons, also outlined by the device, have two sides; what else was one may be
    // the back of it.
    bool polygons, back;
    // Colours have 8 bits of alpha: the alpha test compares what will be stored.
    bool alpha_bits8;
    uint8_t outputs;        // bit per draw buffer: all get the colour
    bool multisampled;      // several samples a pixel, GL_MULTISAMPLE
    float depth_offset;     // z / w of vertices moves by that much
    bool depth_zero_to_one; // the device has no -1..1: z becomes (z + w) / 2
};

// Whose lower edges the stages of a draw see to. Polygons and lines of the fixed
// function are moved as a whole instead (draw/gl_edge_rule.h), as are all lines.
enum gv_lower_edges gv_gl_lower_edges(const struct gv_gl_context *c,
                                      enum gv_gl_primitive_class drawn, bool flipped,
                                      bool multisampled);

#endif
