// Captures with expected pixels: what the fixtures of tests/aerogpu_fixtures_*.c share.
#ifndef GV_AEROGPU_SCENE_H
#define GV_AEROGPU_SCENE_H

#include "tests/aerogpu/aerogpu_asm.h"
#include "tests/aerogpu/aerogpu_encoder.h"

#define AERO_SIDE 64u // of the usual render target
#define AERO_MAX_PROBES 64u
#define AERO_MAX_SCENE_FRAMES 4u

// Handles every scene has.
enum {
    AERO_TARGET = 1,  // 64x64 R8G8B8A8
    AERO_VS = 10,     // o0 = v0 (POSITION), o1 = v1 (COLOR)
    AERO_PS = 11,     // o0 = v1
    AERO_PS_TEX = 12, // o0 = sample(t0, s0, v1.xy)
    AERO_PS_LD = 13,  // o0 = t0.Load(0, 0, 0)
    AERO_LAYOUT = 20, // float3 POSITION, float4 COLOR; stride 28
    AERO_FREE = 100,  // handles from here are the fixture's
};

// Formats and usages of the ABI, by the names they have there.
enum {
    AERO_B8G8R8A8 = 1,
    AERO_R8G8B8A8 = 3,
    AERO_D24S8 = 32,
    AERO_D32 = 33,
    AERO_VERTEX = 1,
    AERO_INDEX = 2,
    AERO_CONSTANT = 4,
    AERO_TEXTURE = 8,
    AERO_RENDER_TARGET = 0x10,
    AERO_DEPTH_STENCIL = 0x20,
    AERO_STORAGE = 0x80,
    AERO_DXGI_RGBA32F = 2,
    AERO_DXGI_RGB32F = 6,
};

struct aero_probe {
    uint32_t frame, x, y;
    uint8_t rgba[4];
};

struct aero_scene {
    struct aero_file file;
    struct aero_stream s; // of the current frame
    uint32_t frame;
    uint32_t next; // free handle
    uint32_t tolerance;
    const char *const *options; // of the front-end, as in gv_compile_params; or NULL
    uint32_t width[AERO_MAX_SCENE_FRAMES], height[AERO_MAX_SCENE_FRAMES];
    struct aero_probe probes[AERO_MAX_PROBES];
    uint32_t probe_count;
};

struct aero_vertex {
    float x, y, z, r, g, b, a;
};

// Begins a file and its first frame: shaders, layout, target bound, cleared to black
// with alpha 0.
void aero_scene_begin(struct aero_scene *f);
// Only the file and the first frame's empty stream.
void aero_scene_bare(struct aero_scene *f);
// Presents, submits, ends the frame and begins another stream.
void aero_scene_frame(struct aero_scene *f);
// Ends the file. The last frame must have been ended.
void aero_scene_end(struct aero_scene *f);
void aero_scene_done(struct aero_scene *f); // a frame, and the end
void aero_scene_finish(struct aero_scene *f);

void aero_vertices(struct aero_scene *f, const struct aero_vertex *v, uint32_t count);
// Two clockwise triangles over a rectangle of clip space.
void aero_quad(struct aero_scene *f, float x0, float y0, float x1, float y1, float z,
               const float rgba[4]);
// The same over the whole target.
void aero_fill(struct aero_scene *f, float z, float r, float g, float b, float a);
// A textured quad over the whole target: u, v from 0 to `u`, `v`.
void aero_fill_texture(struct aero_scene *f, float u, float v);
// Binds texture t0 of the pixel stage and the sampling shader.
void aero_use_texture(struct aero_scene *f, uint32_t texture);

// The pixel (x, y) of the frame being made must be this.
void aero_expect(struct aero_scene *f, uint32_t x, uint32_t y, int r, int g, int b,
                 int a);
void aero_expect_all(struct aero_scene *f, int r, int g, int b, int a); // five places

// A capture the tests make: its name, the rule it checks, and how it is made.
struct aero_fixture {
    const char *name, *rule;
    void (*make)(struct aero_scene *f, uint32_t variant);
    uint32_t variant;
};

// Tables end with a NULL name.
extern const struct aero_fixture aero_fixtures_state[], aero_fixtures_draw[],
    aero_fixtures_texture[], aero_fixtures_resource[], aero_fixtures_d3d9[],
    aero_fixtures_stages[], aero_fixtures_d3d9_shaders[], aero_fixtures_rules[],
    aero_fixtures_ranges[], aero_fixtures_frames[], aero_fixtures_d3d9_rules[],
    aero_fixtures_compute[], aero_fixtures_wgsl[], aero_fixtures_d3d9_states[],
    aero_fixtures_shaders[];
extern const struct aero_fixture *const aero_fixture_tables[];
extern const size_t aero_fixture_table_count;

#endif
