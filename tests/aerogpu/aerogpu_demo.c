// The demo capture: a chequered floor of colour, and shapes turning over it.
#include "tests/aerogpu/aerogpu_stress.h"

#include <math.h>
#include <string.h>

#define SIDE 256u
#define FRAMES 24u
#define PATTERN 32u // texels of a side of the pattern
#define TURN 6.28318530717958647692f

enum { DEMO_TARGET = 200, DEMO_DEPTH, DEMO_PATTERN, DEMO_SAMPLER };

static void pattern(struct aero_stream *s)
{
    uint8_t texels[PATTERN][PATTERN][4];
    for (uint32_t y = 0; y < PATTERN; y++)
        for (uint32_t x = 0; x < PATTERN; x++) {
            bool light = (x / 4 + y / 4) % 2;
            float d = hypotf((float)x - 15.5f, (float)y - 15.5f) / 22;
            texels[y][x][0] = (uint8_t)(light ? 250 - 90 * d : 40 + 50 * d);
            texels[y][x][1] = (uint8_t)(light ? 235 - 140 * d : 44);
            texels[y][x][2] = (uint8_t)(light ? 190 : 92 + 60 * d);
            texels[y][x][3] = 255;
        }
    aero_create_texture(s, DEMO_PATTERN, AERO_TEXTURE, AERO_R8G8B8A8, PATTERN, PATTERN,
                        1, 1);
    aero_upload(s, DEMO_PATTERN, 0, texels, sizeof texels);
    AERO_CMD(s, CREATE_SAMPLER, DEMO_SAMPLER, 1, 1, 1, 1);
    AERO_CMD(s, SET_SAMPLERS, 1, 0, 1, 0, DEMO_SAMPLER);
}

// A textured square, turned by `angle`.
static void turned_square(struct aero_scene *f, float angle, float side, float z)
{
    static const float corner[6][2] = { { -1, -1 }, { -1, 1 }, { 1, 1 },
                                        { -1, -1 }, { 1, 1 },  { 1, -1 } };
    struct aero_vertex v[6];
    memset(v, 0, sizeof v);
    for (uint32_t i = 0; i < 6; i++) {
        float x = corner[i][0], y = corner[i][1];
        v[i].x = side * (x * cosf(angle) - y * sinf(angle));
        v[i].y = side * (x * sinf(angle) + y * cosf(angle));
        v[i].z = z;
        v[i].r = 0.5f + 0.5f * x; // texture coordinates
        v[i].g = 0.5f - 0.5f * y;
    }
    AERO_CMD(&f->s, SET_TEXTURE, 1, 0, DEMO_PATTERN, 0);
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS_TEX);
    aero_vertices(f, v, 6);
    aero_draw(&f->s, 6);
    AERO_CMD(&f->s, DESTROY_RESOURCE, f->next - 1, 0);
}

// A fan of coloured light around a point.
static void flower(struct aero_scene *f, float cx, float cy, float size, float angle,
                   float alpha)
{
    enum { PETALS = 48 };
    struct aero_vertex v[PETALS + 2];
    v[0] = (struct aero_vertex){ cx, cy, 0.2f, 1, 1, 1, alpha };
    for (uint32_t i = 0; i <= PETALS; i++) {
        float t = -TURN * (float)i / PETALS;
        float r = size * (0.7f + 0.3f * cosf(5 * (t - angle)));
        v[i + 1] = (struct aero_vertex){ cx + r * cosf(t),
                                         cy + r * sinf(t),
                                         0.2f,
                                         0.5f + 0.5f * cosf(t + angle),
                                         0.5f + 0.5f * cosf(t + angle + TURN / 3),
                                         0.5f + 0.5f * cosf(t + angle - TURN / 3),
                                         alpha * 0.6f };
    }
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 6, 0);
    aero_vertices(f, v, PETALS + 2);
    aero_draw(&f->s, PETALS + 2);
    AERO_CMD(&f->s, DESTROY_RESOURCE, f->next - 1, 0);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 4, 0);
}

static void picture(struct aero_scene *f, float time)
{
    struct aero_stream *s = &f->s;
    aero_set_target(s, DEMO_TARGET, DEMO_DEPTH);
    aero_clear(s, 3, 0.05f, 0.06f, 0.12f, 1, 1, 0);
    AERO_CMD(s, SET_BLEND_STATE, 0, 1, 0, 0, 15, 1, 0, 0, 0, 0, 0, 0, UINT32_MAX);
    turned_square(f, -time / 4, 0.9f, 0.9f);
    turned_square(f, time / 2, 0.45f, 0.5f);
    AERO_CMD(s, SET_BLEND_STATE, 1, 2, 3, 0, 15, 1, 3, 0, 0, 0, 0, 0, UINT32_MAX);
    flower(f, 0, 0, 0.4f, time, 0.9f);
    for (uint32_t i = 0; i < 6; i++) {
        float t = time / 3 + TURN * (float)i / 6;
        flower(f, 0.66f * cosf(t), 0.66f * sinf(t), 0.22f, -time, 0.7f);
    }
}

void aero_demo(struct aero_file *out)
{
    static struct aero_scene f;
    aero_scene_begin(&f);
    f.next = DEMO_SAMPLER + 1;
    aero_create_texture(&f.s, DEMO_TARGET, AERO_RENDER_TARGET, AERO_R8G8B8A8, SIDE,
                        SIDE, 1, 1);
    aero_create_texture(&f.s, DEMO_DEPTH, AERO_DEPTH_STENCIL, AERO_D24S8, SIDE, SIDE, 1,
                        1);
    pattern(&f.s);
    AERO_CMD(&f.s, DEBUG_MARKER, 0);
    for (uint32_t i = 0; i < FRAMES; i++) {
        picture(&f, TURN * (float)i / FRAMES);
        aero_scene_frame(&f);
    }
    aero_scene_end(&f);
    aero_stream_finish(&f.s);
    *out = f.file;
}
