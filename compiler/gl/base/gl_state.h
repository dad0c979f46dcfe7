// State of a context that glPushAttrib can save, by its groups (OpenGL 1.5
// specification, section 6.2 "State Tables"; names follow it). Plain values: copying
// one copies the state. Enumerants are GL's own numbers.
#ifndef GV_GL_STATE_H
#define GV_GL_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/gl/base/gl_enums.h"

#define GV_GL_LIGHTS 8u
#define GV_GL_CLIP_PLANES 8u
#define GV_GL_UNITS 8u         // with coordinates and an environment
#define GV_GL_IMAGE_UNITS 192u // that images are bound to, of all stages
#define GV_GL_DRAW_BUFFERS 8u
#define GV_GL_MAX_POINT_SIZE 255.0f // llvmpipe's, as its points' upper bound

// What a vertex carries. Generic attributes of programs come last.
enum gv_gl_slot {
    GV_GL_POSITION,
    GV_GL_NORMAL,
    GV_GL_COLOR,
    GV_GL_SECONDARY,
    GV_GL_FOG_COORD,  // x
    GV_GL_INDEX,      // x: colour index
    GV_GL_POINT_SIZE, // x: per vertex (OES_point_size_array)
    GV_GL_WEIGHT,
    GV_GL_TEXCOORD,                               // one per unit
    GV_GL_GENERIC = GV_GL_TEXCOORD + GV_GL_UNITS, // 16
    GV_GL_GENERICS = 16,
    GV_GL_SLOTS = GV_GL_GENERIC + GV_GL_GENERICS,
};

// What the four words of a slot are: an integer's bits stand where a float's would.
enum gv_gl_kind {
    GV_GL_FLOATS, // doubles are narrowed to them
    GV_GL_INTS,   // signed
    GV_GL_UINTS,
    GV_GL_DOUBLES, // two; two more stand elsewhere
};

struct gv_gl_current {
    float slots[GV_GL_SLOTS][4];
    uint8_t kinds[GV_GL_SLOTS]; // enum gv_gl_kind
    // The third and fourth of generic attributes that are doubles.
    double behind[GV_GL_GENERICS][2];
    bool edge;
    struct {
        float position[4]; // window coordinates (GL's: y up), clip w in [3]
        float distance;
        float color[4], secondary[4], texcoord[GV_GL_UNITS][4];
        bool valid;
    } raster;
};

struct gv_gl_light {
    bool enabled;
    float ambient[4], diffuse[4], specular[4];
    float position[4];       // eye coordinates
    float spot_direction[3]; // eye coordinates, as given (not normalised)
    float spot_exponent, spot_cutoff;
    float attenuation[3]; // constant, linear, quadratic
};

struct gv_gl_material {
    float ambient[4], diffuse[4], specular[4], emission[4], shininess;
    float indexes[3];
};

struct gv_gl_lighting {
    bool enabled;
    struct gv_gl_light lights[GV_GL_LIGHTS];
    float model_ambient[4];
    bool local_viewer, two_side, by_program; // GL_VERTEX_PROGRAM_TWO_SIDE
    uint32_t color_control;            // GL_SINGLE_COLOR, GL_SEPARATE_SPECULAR_COLOR
    struct gv_gl_material material[2]; // front, back
    bool color_material;               // gl_material.h
    uint32_t color_material_face, color_material_mode;
    uint32_t shade_model;
    uint32_t provoking; // GL_FIRST_VERTEX_CONVENTION, GL_LAST_VERTEX_CONVENTION
    bool clamp_vertex_color;
};

struct gv_gl_fog {
    bool enabled, color_sum;
    uint32_t mode, coordinate; // GL_FOG_COORDINATE_SOURCE
    uint32_t distance;         // GL_FOG_DISTANCE_MODE_NV
    float color[4], density, start, end;
};

struct gv_gl_transform {
    uint32_t matrix_mode;
    bool normalize, rescale_normal, depth_clamp;
    // glClipControl: y of clip space goes down in windows; its z is in 0..1.
    bool clip_upper_left, clip_zero_to_one;
    uint32_t clip_enabled;                   // bit per plane
    float clip_planes[GV_GL_CLIP_PLANES][4]; // eye coordinates
};

struct gv_gl_viewport {
    float x, y, width, height;
    double near, far; // 0 to 1
};

#define GV_GL_VIEWPORTS 16u // llvmpipe's

struct gv_gl_scissor {
    bool enabled;
    int32_t x, y, width, height;
};

struct gv_gl_depth {
    bool test, write;
    uint32_t func;
    double clear;
};

struct gv_gl_stencil_face {
    uint32_t func, fail, depth_fail, pass;
    int32_t reference;
    uint32_t value_mask, write_mask;
};

struct gv_gl_stencil {
    bool test, two_side; // EXT_stencil_two_side
    uint32_t active;     // its face, 0 or 1
    int32_t clear;
    struct gv_gl_stencil_face face[2]; // front and back as they are drawn with
    struct gv_gl_stencil_face back[2]; // OpenGL 2's, EXT_stencil_two_side's
};

struct gv_gl_blend {
    bool enabled;
    uint32_t src, dst, src_alpha, dst_alpha, equation, equation_alpha;
};

struct gv_gl_color {
    bool mask[GV_GL_DRAW_BUFFERS][4];
    float clear[4];
    struct gv_gl_blend blend[GV_GL_DRAW_BUFFERS];
    float blend_color[4];
    bool logic_op, alpha_test, dither, srgb;
    uint32_t logic, alpha_func;
    float alpha_reference;
};

struct gv_gl_polygon {
    uint32_t front_face, cull_face, mode[2]; // front, back
    bool cull, smooth, stipple;
    bool offset_fill, offset_line, offset_point;
    float offset_factor, offset_units, offset_clamp;
    uint32_t pattern[32]; // of the stipple: row 0 lowest, bit 31 leftmost
};

struct gv_gl_line {
    float width;
    bool smooth, stipple;
    uint32_t factor;
    uint16_t pattern;
};

struct gv_gl_point {
    float size, min, max, fade, attenuation[3];
    bool smooth, sprite, by_program; // GL_PROGRAM_POINT_SIZE
    uint32_t origin;                 // GL_POINT_SPRITE_COORD_ORIGIN
};

struct gv_gl_multisample {
    bool enabled, alpha_to_coverage, alpha_to_one, coverage, invert;
    bool masked, shading; // GL_SAMPLE_MASK, GL_SAMPLE_SHADING
    float value, min_shading;
    uint32_t mask_off; // bits of glSampleMaski's mask that are 0
};

// Kinds of textures, strongest last: of those enabled the highest one is used.
enum gv_gl_target {
    GV_GL_TARGET_1D,
    GV_GL_TARGET_2D,
    GV_GL_TARGET_RECTANGLE,
    GV_GL_TARGET_3D,
    GV_GL_TARGET_CUBE,
    GV_GL_TARGET_1D_ARRAY,
    GV_GL_TARGET_2D_ARRAY,
    GV_GL_TARGET_EXTERNAL,
    GV_GL_TARGET_2D_SAMPLES,
    GV_GL_TARGET_BUFFER,
    GV_GL_TARGET_CUBE_ARRAY,
    GV_GL_TARGET_2D_SAMPLES_ARRAY,
    GV_GL_TARGETS,
};

struct gv_gl_combine {
    uint32_t function[2];  // RGB, alpha
    uint32_t source[2][4]; // GL_TEXTURE, GL_PREVIOUS, GL_TEXTUREn ...
    uint32_t operand[2][4];
    float scale[2]; // 1, 2, 4
};

struct gv_gl_texgen {
    bool enabled;
    uint32_t mode;
    float object_plane[4], eye_plane[4]; // eye coordinates
};

// The fixed function's part of a unit.
struct gv_gl_unit {
    uint32_t enabled; // bit per enum gv_gl_target
    uint32_t env_mode;
    float env_color[4], lod_bias;
    struct gv_gl_combine combine;
    struct gv_gl_texgen texgen[4]; // s, t, r, q
    bool coord_replace;
};

struct gv_gl_texture_state {
    uint32_t active; // unit
    struct gv_gl_unit units[GV_GL_UNITS];
    // What is bound, as names in the context's share group: see gl_texture.h.
    uint32_t bound[GV_GL_IMAGE_UNITS][GV_GL_TARGETS];
    bool seamless;
};

#define GV_GL_MAX_PIXEL_MAP 256u
enum gv_gl_pixel_map { // GL_PIXEL_MAP_I_TO_I and those behind it, in GL's order
    GV_GL_PIXEL_MAPS = 10,
};

struct gv_gl_pixel {
    float scale[4], bias[4], depth_scale, depth_bias;
    int32_t index_shift, index_offset;
    bool map_color, map_stencil;
    float zoom[2];
    struct {
        uint32_t size;
        float values[GV_GL_MAX_PIXEL_MAP];
    } maps[GV_GL_PIXEL_MAPS];
};

struct gv_gl_accumulation {
    float clear[4];
};

// Evaluators: what is enabled, and the grid. Control points are no attributes.
struct gv_gl_evaluation {
    uint32_t map1, map2; // bit per GL_MAPn_COLOR_4 and those behind it, in GL's order
    bool auto_normal;
    int32_t segments1, segments2[2]; // of the grid
    float domain1[2], domain2[2][2]; // from, to; of u, of v
};

struct gv_gl_state {
    struct gv_gl_current current;
    struct gv_gl_lighting lighting;
    struct gv_gl_fog fog;
    struct gv_gl_transform transform;
    // The first ones, and those behind them: number i + 1 of each.
    struct gv_gl_viewport viewport, viewports[GV_GL_VIEWPORTS - 1];
    struct gv_gl_scissor scissor, scissors[GV_GL_VIEWPORTS - 1];
    struct gv_gl_depth depth;
    struct gv_gl_stencil stencil;
    struct gv_gl_color color;
    struct gv_gl_accumulation accumulation;
    struct gv_gl_polygon polygon;
    struct gv_gl_line line;
    struct gv_gl_point point;
    struct gv_gl_multisample multisample;
    struct gv_gl_texture_state texture;
    struct gv_gl_pixel pixel;
    struct gv_gl_evaluation evaluation;
    uint32_t list_base;
    bool assembly[2]; // GL_VERTEX_PROGRAM_ARB, GL_FRAGMENT_PROGRAM_ARB
};

// The number of an equation of KHR_blend_equation_advanced among them, in the order of
// their values from 1 on; 0: it is another one.
uint32_t gv_gl_advanced_equation(uint32_t equation);

// GL's initial values (but for what depends on the drawable: viewport and scissor).
void gv_gl_state_init(struct gv_gl_state *s);

// Half the size of a viewport, by its number, and its centre.
void gv_gl_point_grid(const struct gv_gl_state *s, uint32_t viewport, float out[4]);

#endif
