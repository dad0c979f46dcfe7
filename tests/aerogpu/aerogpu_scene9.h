// What scenes of Direct3D 9 share: states by number, shaders, how one begins and ends.
#ifndef GV_TESTS_AEROGPU_SCENE9_H
#define GV_TESTS_AEROGPU_SCENE9_H

#include "tests/aerogpu/aerogpu_scene.h"

// D3DRS_* by number, as the packets carry them.
enum {
    RS_Z_ENABLE = 7,
    RS_Z_WRITE = 14,
    RS_ALPHA_TEST = 15,
    RS_FRONT_CCW = 18,
    RS_SRC_BLEND = 19,
    RS_DST_BLEND = 20,
    RS_CULL = 22,
    RS_Z_FUNC = 23,
    RS_ALPHA_REF = 24,
    RS_ALPHA_FUNC = 25,
    RS_ALPHA_BLEND = 27,
    RS_STENCIL = 52,
    RS_STENCIL_FAIL = 53,
    RS_STENCIL_Z_FAIL = 54,
    RS_STENCIL_PASS = 55,
    RS_STENCIL_FUNC = 56,
    RS_STENCIL_REF = 57,
    RS_STENCIL_READ = 58,
    RS_STENCIL_WRITE = 59,
    RS_COLOR_MASK = 168,
    RS_BLEND_OP = 171,
    RS_SCISSOR = 174,
    RS_TWO_SIDED = 185,
    RS_CCW_FAIL = 186,
    RS_CCW_Z_FAIL = 187,
    RS_CCW_PASS = 188,
    RS_CCW_FUNC = 189,
    RS_COLOR_MASK1 = 190,
    RS_BLEND_FACTOR = 193,
    RS_SRGB_WRITE = 194,
    RS_SEPARATE_ALPHA = 206,
    RS_SRC_ALPHA = 207,
    RS_DST_ALPHA = 208,
    RS_ALPHA_OP = 209,
};
// D3DSAMP_*.
enum {
    SAMP_U = 1,
    SAMP_V = 2,
    SAMP_W = 3,
    SAMP_BORDER = 4,
    SAMP_MAG = 5,
    SAMP_MIN = 6,
    SAMP_MIP = 7,
    SAMP_MAX_MIP = 9,
    SAMP_ANISOTROPY = 10,
};

// D3DSIO_END, the last token of a shader.
#define END9 0x0000FFFFu

// vs_2_0: dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1; mov oT0, v1
extern const uint32_t aero_vs9[17];
// ps_2_0: dcl t0.xy; dcl_2d s0; texld r0, t0, s0; mov oC0, r0
extern const uint32_t aero_ps9_tex[15];

struct aero_shader9 {
    uint32_t handle, stage; // 0 = vertex, 1 = pixel
    const uint32_t *words;
    size_t size; // bytes
};

struct aero_begin9 {
    const struct aero_shader9 *shaders; // the first two are bound
    size_t shader_count;
    uint32_t layout; // its handle
    uint32_t format; // of the target
};

// Begins a file and its first frame: shaders, layout, a target of 64 x 64 bound,
// cleared to black with alpha 0.
void aero_begin9(struct aero_scene *f, const struct aero_begin9 *how);

// Creates and sets a layout: FLOAT3 position, a colour of the D3DDECLTYPE `type`.
void aero_layout9(struct aero_scene *f, uint32_t handle, uint8_t type);
void aero_state9(struct aero_scene *f, uint32_t number, uint32_t value);
// Of sampler 0 of the pixel stage.
void aero_sampler9(struct aero_scene *f, uint32_t number, uint32_t value);

#endif
