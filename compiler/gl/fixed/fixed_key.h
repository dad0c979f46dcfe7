// All state that the text of a generated stage depends on, as compact keys that are
// compared as bytes. Values (colours, matrices, distances) are uniforms.
#ifndef GV_FIXED_KEY_H
#define GV_FIXED_KEY_H

#include "compiler/gl/fixed/fixed_inputs.h"

// What a vertex stage hands on, by location.
enum gv_fixed_varying {
    GV_FIXED_FRONT_COLOR,
    GV_FIXED_FRONT_SECONDARY,
    GV_FIXED_BACK_COLOR,
    GV_FIXED_BACK_SECONDARY,
    GV_FIXED_FOG,
    GV_FIXED_COORD, // one per unit
    GV_FIXED_VARYINGS = GV_FIXED_COORD + GV_GL_UNITS,
};

// Properties of a material that the colour may track: bit `property + 4 * side`.
enum gv_fixed_property {
    GV_FIXED_AMBIENT,
    GV_FIXED_DIFFUSE,
    GV_FIXED_SPECULAR,
    GV_FIXED_EMISSION,
};

enum gv_fixed_texgen {
    GV_FIXED_GIVEN,
    GV_FIXED_OBJECT_LINEAR,
    GV_FIXED_EYE_LINEAR,
    GV_FIXED_SPHERE,
    GV_FIXED_REFLECTION,
    GV_FIXED_NORMAL,
};

enum gv_fixed_fog_source {
    GV_FIXED_FOG_EYE_ABSOLUTE,
    GV_FIXED_FOG_EYE,
    GV_FIXED_FOG_RADIAL,
    GV_FIXED_FOG_GIVEN,
};

struct gv_fixed_vertex_key {
    const struct gv_arb_program *assembly; // NULL: the fixed function
    uint8_t beside;   // varyings are where stages of GLSL have them
    uint32_t slots;   // bit per slot that comes per vertex, of those the text reads
    uint16_t outputs; // bit per enum gv_fixed_varying
    uint8_t lighting, local_viewer, two_side, separate;
    uint8_t no_shininess; // both exponents are 0
    uint8_t eye_space;    // lighting is in eye coordinates, else in object coordinates
    uint8_t normalize, rescale;
    uint8_t tracked;                             // see enum gv_fixed_property
    uint8_t lights, positional, spots, weakened; // bit per light
    uint8_t clamp, flat;                         // of colours
    uint8_t fog;                                 // enum gv_fixed_fog_source
    uint8_t points, attenuated;
    uint8_t own_size;          // of points: the program of assembly tells it
    uint8_t snapped;           // points are squares of whole pixels
    uint8_t edges;             // enum gv_lower_edges
    uint8_t multisampled;      // of these: see gv_lower_edges_write
    uint8_t clip_planes;       // bit per plane
    uint8_t line_ends;         // see struct gv_gl_fixed_inputs
    uint8_t matrices;          // bit per unit: its matrix is not the identity
    uint8_t depth_zero_to_one; // see struct gv_gl_fixed_inputs
    uint8_t texgen[GV_GL_UNITS][4];
};

// Whether attributes take one location after the other instead of their slots' numbers.
// Lines that devices lack take twice as many, of 16 that every device has.
static inline bool gv_fixed_is_packed(const struct gv_fixed_vertex_key *k)
{
    return k->assembly || k->line_ends;
}

enum gv_fixed_combine {
    GV_FIXED_REPLACE,
    GV_FIXED_MODULATE,
    GV_FIXED_ADD,
    GV_FIXED_ADD_SIGNED,
    GV_FIXED_INTERPOLATE,
    GV_FIXED_SUBTRACT,
    GV_FIXED_DOT3_RGB,
    GV_FIXED_DOT3_RGBA,
    GV_FIXED_DOT3_RGB_EXT, // unscaled
    GV_FIXED_DOT3_RGBA_EXT,
    GV_FIXED_MODULATE_ADD,
    GV_FIXED_MODULATE_SIGNED_ADD,
    GV_FIXED_MODULATE_SUBTRACT,
    GV_FIXED_ADD_PRODUCTS,
    GV_FIXED_ADD_PRODUCTS_SIGNED,
};

enum gv_fixed_argument {
    GV_FIXED_TEXTURE0, // and the other units'
    GV_FIXED_PREVIOUS = GV_GL_UNITS,
    GV_FIXED_CONSTANT,
    GV_FIXED_PRIMARY,
    GV_FIXED_ZERO,
    GV_FIXED_ONE,
};

enum gv_fixed_operand {
    GV_FIXED_OF_COLOR,
    GV_FIXED_OF_ONE_MINUS_COLOR,
    GV_FIXED_OF_ALPHA,
    GV_FIXED_OF_ONE_MINUS_ALPHA,
};

// One of the two combiners of a unit.
struct gv_fixed_combiner {
    uint8_t function; // enum gv_fixed_combine
    uint8_t source[4], operand[4];
    uint8_t shift; // log2 of the scale
};

struct gv_fixed_unit_key {
    uint8_t there, target, shadow;
    uint8_t depth_mode; // of `shadow`: enum gv_fixed_depth_mode
    uint8_t replaced;   // coordinates of point sprites
    uint8_t four;       // GV_GL_FOUR_*: depth that the program filters
    uint8_t clamp;      // bit per coordinate, of those that are sampled
    uint8_t plane;      // GV_GL_PLANE_*: it is no colour
    uint8_t fetch;      // enum gv_gl_texel_fetch
    char integers;      // see struct gv_gl_unit_image
    struct gv_fixed_combiner rgb, alpha;
};

enum gv_fixed_depth_mode {
    GV_FIXED_DEPTH_LUMINANCE,
    GV_FIXED_DEPTH_INTENSITY,
    GV_FIXED_DEPTH_ALPHA,
    GV_FIXED_DEPTH_RED,
};

enum gv_fixed_fog_mode {
    GV_FIXED_FOG_NONE,
    GV_FIXED_FOG_LINEAR,
    GV_FIXED_FOG_EXP,
    GV_FIXED_FOG_EXP2,
};

// Which colours a fragment takes.
enum gv_fixed_side {
    GV_FIXED_FRONT_SIDE,
    GV_FIXED_BOTH_SIDES, // as the polygon faces
    GV_FIXED_BACK_SIDE,
};

struct gv_fixed_fragment_key {
    const struct gv_arb_program *assembly; // NULL: the fixed function
    uint8_t beside;                        // as in the vertex stage's key
    uint16_t inputs;                       // bit per enum gv_fixed_varying
    uint8_t two_side;                      // enum gv_fixed_side
    uint8_t flat, sum, fog;
    uint8_t alpha;     // 0: no test; else GL_NEVER .. GL_ALWAYS less GL_NEVER, plus 1
    uint8_t coarse;    // the target has 8 bits of alpha: the test compares those
    uint8_t stipple;   // 1: rows as GL's, 2: flipped
    uint8_t sprite_up; // 1: gl_PointCoord runs the other way
    uint8_t round_points;
    uint8_t line_ends; // the alpha test sees the coverage of smooth lines
    uint8_t outputs;   // bit per draw buffer behind the first that gets the colour too
    uint8_t beyond;    // the first one has no image, one of those has
    struct gv_fixed_unit_key units[GV_GL_UNITS];
    // Of programs of assembly: rows are counted the other way; per image what is
    // clamped (as in a unit's key), and if it is compared an enum gv_fixed_depth_mode.
    uint8_t turned, compared[GV_ARB_IMAGE_UNITS], clamped[GV_ARB_IMAGE_UNITS];
};

// Both keys of what is drawn; the vertex stage's follows from what the other one reads.
void gv_fixed_fragment_key(const struct gv_gl_fixed_inputs *in,
                           struct gv_fixed_fragment_key *out);
void gv_fixed_vertex_key(const struct gv_gl_fixed_inputs *in, uint32_t varyings,
                         struct gv_fixed_vertex_key *out);

// The combiners of a unit's environment for a texture of this base format.
void gv_fixed_environment(const struct gv_gl_unit *unit, uint32_t number,
                          uint32_t base_format, struct gv_fixed_unit_key *out);

// How many arguments a function takes.
uint32_t gv_fixed_arguments(enum gv_fixed_combine function);

// How a comparison becomes a colour: of GL_DEPTH_TEXTURE_MODE.
enum gv_fixed_depth_mode gv_fixed_depth_mode(uint32_t mode);

// Whether a unit's coordinates are those of point sprites.
bool gv_fixed_sprite(const struct gv_gl_fixed_inputs *in, uint32_t unit);

// What programs of assembly make of the keys; `varyings` as for gv_fixed_vertex_key.
// What fragments of the fixed function read of a program's results is in
// gv_fixed_results, as bits of enum gv_fixed_varying.
void gv_fixed_assembly_vertex_key(const struct gv_gl_fixed_inputs *in,
                                  struct gv_fixed_vertex_key *out);
void gv_fixed_assembly_fragment_key(const struct gv_gl_fixed_inputs *in,
                                    struct gv_fixed_fragment_key *out);
uint32_t gv_fixed_results(const struct gv_gl_fixed_inputs *in);

// Whether fragments see what a program wrote, of assembly or of GLSL.
static inline bool gv_fixed_is_programmed(const struct gv_gl_fixed_inputs *in)
{
    return in->assembly[GV_GL_VERTEX_HALF] || in->beside;
}

// Whether lighting and what else needs normals is done in eye coordinates.
bool gv_fixed_eye_space(const struct gv_gl_fixed_inputs *in);

#endif
