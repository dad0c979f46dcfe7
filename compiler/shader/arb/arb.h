// ARB assembly programs (GL_ARB_vertex_program, GL_ARB_fragment_program) -> statements
// of GLSL. Who compiles them writes the stage around: what the statements read and
// write has agreed names, declared by who knows where it comes from.
//
//   in_N             vec4; N: enum gv_arb_attribute or enum gv_arb_varying
//   out_N            vec4, to be a variable that was set; N: enum gv_arb_result or
//                    enum gv_arb_target (of the depth, z counts)
//   p[N]             vec4 array of `parameter_count`: struct gv_arb_parameter
//   texN(vec4 at)    functions: texture image unit N as an instruction samples it, with
//   txpN(vec4 at)    its coordinates as they are, to be divided by w, with a bias in w
//   txbN(vec4 at)
//
// What is behind the statements (fog, position invariance) is left to the caller too.
#ifndef GV_ARB_H
#define GV_ARB_H

#include "compiler/shader/shader.h"
#include "resources/base/arena.h"

#define GV_ARB_MAX_BYTES (2u << 20)    // of a text
#define GV_ARB_MAX_INSTRUCTIONS 16384u // and what else Mesa has as limits:
#define GV_ARB_MAX_TEMPORARIES 256u    //
#define GV_ARB_MAX_PARAMETERS 4096u    // rows of the block
#define GV_ARB_MAX_ENVIRONMENT 256u    // program.env
#define GV_ARB_MAX_LOCALS 4096u        // program.local
#define GV_ARB_MAX_DECLARED 16384u     // names; bindings of all names
#define GV_ARB_MAX_OFFSET 4096         // behind an address register
#define GV_ARB_UNITS 8u                // of coordinates
#define GV_ARB_IMAGE_UNITS 16u         // of textures
#define GV_ARB_GENERIC_ATTRIBUTES 16u
#define GV_ARB_TARGETS 8u
#define GV_ARB_LIGHTS 8u
#define GV_ARB_CLIP_PLANES 8u
#define GV_ARB_PROGRAM_MATRICES 8u

enum gv_arb_attribute { // what a vertex program reads
    GV_ARB_POSITION,
    GV_ARB_NORMAL,
    GV_ARB_COLOR,
    GV_ARB_SECONDARY,
    GV_ARB_FOG_COORD,                                // (f, 0, 0, 1)
    GV_ARB_TEXCOORD = 8,                             // per unit
    GV_ARB_GENERIC = GV_ARB_TEXCOORD + GV_ARB_UNITS, // 16
};

enum gv_arb_varying { // what a fragment program reads
    GV_ARB_IN_COLOR,
    GV_ARB_IN_SECONDARY,
    GV_ARB_IN_FOG,      // (f, 0, 0, 1)
    GV_ARB_IN_POSITION, // of the window, 1 / w
    GV_ARB_IN_TEXCOORD = 8,
};

enum gv_arb_result { // what a vertex program writes
    GV_ARB_OUT_POSITION,
    GV_ARB_OUT_FRONT,
    GV_ARB_OUT_FRONT_SECONDARY,
    GV_ARB_OUT_BACK,
    GV_ARB_OUT_BACK_SECONDARY,
    GV_ARB_OUT_FOG,   // x
    GV_ARB_OUT_POINT, // x
    GV_ARB_OUT_TEXCOORD = 8,
};

enum gv_arb_target {  // what a fragment program writes
    GV_ARB_OUT_COLOR, // per draw buffer
    GV_ARB_OUT_DEPTH = GV_ARB_TARGETS,
};

// What one row (16 bytes) of the parameters is.
enum gv_arb_source {
    GV_ARB_CONSTANT,
    GV_ARB_ENVIRONMENT,      // index
    GV_ARB_LOCAL,            // index
    GV_ARB_MATERIAL_AMBIENT, // side: front, back
    GV_ARB_MATERIAL_DIFFUSE,
    GV_ARB_MATERIAL_SPECULAR,
    GV_ARB_MATERIAL_EMISSION,
    GV_ARB_MATERIAL_SHININESS, // (s, 0, 0, 1)
    GV_ARB_LIGHT_AMBIENT,      // index: the light
    GV_ARB_LIGHT_DIFFUSE,
    GV_ARB_LIGHT_SPECULAR,
    GV_ARB_LIGHT_POSITION,    // in eye coordinates
    GV_ARB_LIGHT_ATTENUATION, // (constant, linear, quadratic, spot exponent)
    GV_ARB_LIGHT_SPOT,        // (direction, cosine of the cutoff)
    GV_ARB_LIGHT_HALF,        // (half angle of an infinite viewer, 1)
    GV_ARB_MODEL_AMBIENT,
    GV_ARB_MODEL_SCENE,     // side
    GV_ARB_PRODUCT_AMBIENT, // index: the light; side
    GV_ARB_PRODUCT_DIFFUSE,
    GV_ARB_PRODUCT_SPECULAR,
    GV_ARB_TEXGEN_EYE, // index: the unit; part: s, t, r, q
    GV_ARB_TEXGEN_OBJECT,
    GV_ARB_TEXENV_COLOR, // index: the unit
    GV_ARB_FOG_COLOR,
    GV_ARB_FOG_PARAMS,        // (density, start, end, 1 / (end - start))
    GV_ARB_CLIP_PLANE,        // index; in eye coordinates
    GV_ARB_POINT_SIZE,        // (size, min, max, fade threshold)
    GV_ARB_POINT_ATTENUATION, // (constant, linear, quadratic, 1)
    GV_ARB_DEPTH_RANGE,       // (near, far, far - near, 1)
    // A row of a matrix: index is the unit's or the program matrix's number, part the
    // row, side an enum gv_arb_form.
    GV_ARB_MODELVIEW,
    GV_ARB_PROJECTION,
    GV_ARB_MVP,
    GV_ARB_TEXTURE_MATRIX,
    GV_ARB_PROGRAM_MATRIX,
};

enum gv_arb_form { GV_ARB_PLAIN, GV_ARB_INVERSE, GV_ARB_TRANSPOSE, GV_ARB_INVTRANS };

struct gv_arb_parameter {
    uint16_t source; // enum gv_arb_source
    uint16_t index;
    uint16_t side, part;
    float value[4]; // of constants
};

enum gv_arb_texture { // as an instruction names it
    GV_ARB_NO_TEXTURE,
    GV_ARB_1D,
    GV_ARB_2D,
    GV_ARB_3D,
    GV_ARB_CUBE,
    GV_ARB_RECT,
    GV_ARB_ARRAY_1D,
    GV_ARB_ARRAY_2D,
};

enum { GV_ARB_TEX = 1, GV_ARB_TXP = 2, GV_ARB_TXB = 4 };

struct gv_arb_image {
    uint8_t texture; // enum gv_arb_texture
    uint8_t shadow;  // it compares
    uint8_t calls;   // GV_ARB_TEX ...: which functions are called
};

enum gv_arb_fog { GV_ARB_NO_FOG, GV_ARB_FOG_EXP, GV_ARB_FOG_EXP2, GV_ARB_FOG_LINEAR };

struct gv_arb_program {
    uint32_t stage;        // GV_STAGE_VERTEX or GV_STAGE_FRAGMENT
    const char *functions; // that the statements call, to stand outside of main
    const char *body;      // the statements of main
    const struct gv_arb_parameter *parameters;
    uint32_t parameter_count;
    uint32_t inputs, outputs; // bit per number above
    struct gv_arb_image images[GV_ARB_IMAGE_UNITS];
    // OPTIONs.
    bool position_invariant;
    bool broadcast;         // no ARB_draw_buffers: all buffers get the first colour
    bool upper_left, whole; // in_3: the origin, pixels' centres at whole numbers
    enum gv_arb_fog fog;
    uint32_t instructions;
};

// Translates a program; its first line says of which stage it is. `text` need not end
// with NUL. `out` lives in `arena`. GV_ERR_FORMAT and GV_ERR_UNSUPPORTED (extensions,
// by name) with the line and what it says, GV_ERR_LIMIT, GV_ERR_MEMORY. Any thread.
bool gv_arb_translate(const char *text, size_t size, struct gv_arena *arena,
                      struct gv_arb_program *out, struct gv_error *err);

#endif
