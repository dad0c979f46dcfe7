#include "tests/aerogpu/aerogpu_stress.h"

#include <string.h>

#define TEXTURE_SIDE 256u

// xorshift64*: the same on every machine.
static uint64_t next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

// Takes the scene's file and stream over, with the usual objects made.
static void begin(struct aero_scene *scene)
{
    aero_scene_begin(scene);
}

static void end_frame(struct aero_scene *scene)
{
    aero_present(&scene->s);
    aero_submit(&scene->file, 0, &scene->s, NULL, 0);
    aero_present_record(&scene->file);
    aero_end_frame(&scene->file);
    aero_begin_frame(&scene->file);
    aero_stream_begin(&scene->s, AERO_ABI);
}

static void hand_over(struct aero_scene *scene, struct aero_file *f)
{
    aero_scene_end(scene);
    aero_stream_finish(&scene->s);
    *f = scene->file;
}

// Tiles of slowly changing colour, one word in seven of them noise.
static void texels(uint8_t *p, size_t size, uint64_t *state, uint32_t frame)
{
    for (size_t i = 0; i < size; i += 8) {
        size_t x = i / 4 % TEXTURE_SIDE / 8, y = i / 4 / TEXTURE_SIDE / 8;
        uint64_t v = 0xFF000000FF000000u + 0x0007050300070503u * (x ^ y) + frame;
        if (i / 8 % 7 == 0)
            v = next(state);
        for (int k = 0; k < 8; k++)
            p[i + (size_t)k] = (uint8_t)(v >> (8 * k));
    }
}

void aero_stress_uploads(struct aero_file *f, uint32_t megabytes)
{
    static struct aero_scene scene;
    static uint8_t data[TEXTURE_SIDE * TEXTURE_SIDE * 4];
    uint64_t state = 0x9E3779B97F4A7C15u, wanted = (uint64_t)megabytes << 20;
    begin(&scene);
    uint32_t texture = scene.next++, vertices = scene.next++;
    aero_create_texture(&scene.s, texture, AERO_TEXTURE, AERO_R8G8B8A8, TEXTURE_SIDE,
                        TEXTURE_SIDE, 1, 1);
    aero_create_buffer(&scene.s, vertices, AERO_VERTEX, 65536);
    aero_use_texture(&scene, texture);
    aero_set_vertex_buffer(&scene.s, 0, vertices, 28, 0);
    for (uint32_t frame = 0; scene.file.bytes.size < wanted; frame++) {
        for (uint32_t i = 0; i < 4; i++) {
            texels(data, sizeof data, &state, frame);
            aero_upload(&scene.s, texture, 0, data, sizeof data);
            texels(data, 65536, &state, frame + i);
            aero_upload(&scene.s, vertices, 0, data, 65536);
            aero_draw(&scene.s, 2340);
        }
        end_frame(&scene);
    }
    hand_over(&scene, f);
}

void aero_stress_noise(struct aero_file *f, uint32_t megabytes)
{
    static struct aero_scene scene;
    static uint64_t data[TEXTURE_SIDE * TEXTURE_SIDE / 2];
    uint64_t state = 0x9E3779B97F4A7C15u, wanted = (uint64_t)megabytes << 20;
    begin(&scene);
    uint32_t texture = scene.next++;
    aero_create_texture(&scene.s, texture, AERO_TEXTURE, AERO_R8G8B8A8, TEXTURE_SIDE,
                        TEXTURE_SIDE, 1, 1);
    aero_use_texture(&scene, texture);
    while (scene.file.bytes.size < wanted) {
        for (size_t i = 0; i < sizeof data / sizeof *data; i++)
            data[i] = next(&state);
        aero_upload(&scene.s, texture, 0, data, sizeof data);
        aero_draw(&scene.s, 3);
        aero_submit(&scene.file, 0, &scene.s, NULL, 0);
        aero_stream_begin(&scene.s, AERO_ABI);
    }
    end_frame(&scene);
    hand_over(&scene, f);
}

// What mixed draws choose from.
struct mixed {
    uint32_t constants, tinted; // constant buffer of slot 1, and a shader that reads it
    uint32_t textures[4];
};

// One draw with a little of everything that changes between draws.
static void mixed_draw(struct aero_scene *scene, uint64_t *state,
                       const struct mixed *objects)
{
    struct aero_stream *s = &scene->s;
    const uint32_t shaders[] = { AERO_PS, AERO_PS_TEX, objects->tinted,
                                 objects->tinted };
    uint64_t r = next(state);
    float c[4] = { (float)(r & 255) / 255, (float)(r >> 8 & 255) / 255,
                   (float)(r >> 16 & 255) / 255, 1 };
    aero_upload(s, objects->constants, 0, c, sizeof c);
    if (r >> 55 & 1)
        AERO_CMD(s, BIND_SHADERS, AERO_VS, shaders[r >> 56 & 3], 0, 0);
    if (r >> 58 & 1)
        AERO_CMD(s, SET_TEXTURE, 1, 0, objects->textures[r >> 59 & 3], 0);
    if (r >> 24 & 1)
        AERO_CMD(s, SET_SCISSOR, r >> 25 & 31, r >> 30 & 31, 32, 32);
    if (r >> 36 & 1)
        AERO_CMD(s, SET_BLEND_STATE, r >> 37 & 1, 2, 3, 0, 15, 1, 0, 0, 0, 0, 0, 0,
                 UINT32_MAX);
    if (r >> 40 & 1)
        AERO_CMD(s, SET_RASTERIZER_STATE, 0, r >> 41 & 1 ? 2 : 0, 0, r >> 42 & 1, 0, 0);
    if (r >> 44 & 1)
        AERO_CMD(s, SET_PRIMITIVE_TOPOLOGY, r >> 45 & 1 ? 4 : 5, 0);
    if (r >> 48 & 1)
        AERO_CMD(s, SET_SHADER_CONSTANTS_F, 0, (uint32_t)(r >> 50 & 15), 1, 0,
                 (uint32_t)r, 0, 0, 0);
    AERO_CMD(s, DRAW, 3, 1, (uint32_t)(r >> 54 & 1) * 3, 0);
}

// o0 = v1 * cb1[row]
static void tinted_shader(struct aero_scene *scene, uint32_t handle, uint32_t row)
{
    struct aero_asm a;
    struct gv_bytes blob = { 0 };
    aero_asm_begin(&a, AERO_PROGRAM_PS, 4);
    aero_asm_input(&a, "SV_Position", 0, 0);
    aero_asm_input(&a, "COLOR", 0, 1);
    aero_asm_output(&a, "SV_Target", 0, 0);
    AERO_OP(&a, AERO_OP_MUL, aero_mask(aero_o(0), 15), aero_v(1), aero_cb(1, row));
    aero_asm_end(&a, &blob);
    aero_create_shader(&scene->s, handle, 1, blob.data, blob.size);
    gv_bytes_finish(&blob);
}

static struct mixed mixed_objects(struct aero_scene *scene)
{
    static uint8_t data[TEXTURE_SIDE * TEXTURE_SIDE * 4];
    const struct aero_vertex v[6] = {
        { -0.1f, -0.1f, 0, 1, 0, 0, 1 }, { -0.1f, 0.1f, 0, 0, 1, 0, 1 },
        { 0.1f, 0, 0, 0, 0, 1, 1 },      { 0.3f, 0.3f, 0, 1, 1, 0, 1 },
        { 0.3f, 0.5f, 0, 0, 1, 1, 1 },   { 0.5f, 0.4f, 0, 1, 0, 1, 1 },
    };
    struct mixed objects = { .constants = scene->next++, .tinted = scene->next++ };
    uint64_t state = 0xBF58476D1CE4E5B9u;
    aero_vertices(scene, v, 6);
    aero_create_buffer(&scene->s, objects.constants, AERO_CONSTANT, 256);
    AERO_CMD(&scene->s, SET_CONSTANT_BUFFERS, 1, 1, 1, 0, objects.constants, 0, 0, 0);
    tinted_shader(scene, objects.tinted, 0);
    for (uint32_t i = 0; i < 4; i++) {
        objects.textures[i] = scene->next++;
        aero_create_texture(&scene->s, objects.textures[i], AERO_TEXTURE, AERO_R8G8B8A8,
                            TEXTURE_SIDE, TEXTURE_SIDE, 1, 1);
        texels(data, sizeof data, &state, i);
        aero_upload(&scene->s, objects.textures[i], 0, data, sizeof data);
    }
    return objects;
}

void aero_stress_commands(struct aero_file *f, uint32_t megabytes)
{
    static struct aero_scene scene;
    uint64_t state = 0xD1B54A32D192ED03u, wanted = (uint64_t)megabytes << 20;
    begin(&scene);
    struct mixed objects = mixed_objects(&scene);
    while (scene.file.bytes.size < wanted) {
        for (uint32_t i = 0; i < 2000; i++)
            mixed_draw(&scene, &state, &objects);
        end_frame(&scene);
    }
    hand_over(&scene, f);
}

void aero_stress_frames(struct aero_file *f, uint32_t frames, uint32_t draws)
{
    static struct aero_scene scene;
    uint64_t state = 0x2545F4914F6CDD1Du;
    begin(&scene);
    struct mixed objects = mixed_objects(&scene);
    for (uint32_t i = 0; i < frames; i++) {
        for (uint32_t k = 0; k < draws; k++)
            mixed_draw(&scene, &state, &objects);
        end_frame(&scene);
    }
    hand_over(&scene, f);
}

#define CHANGED_BYTES 64u
#define CONSTANT_DRAWS 2000u // in a frame

void aero_stress_constants(struct aero_file *f, uint32_t frames, uint32_t bytes)
{
    static struct aero_scene scene;
    static uint8_t data[65536];
    const struct aero_vertex v[3] = { { -0.1f, -0.1f, 0, 1, 0, 0, 1 },
                                      { -0.1f, 0.1f, 0, 0, 1, 0, 1 },
                                      { 0.1f, 0, 0, 0, 0, 1, 1 } };
    uint64_t state = 0x94D049BB133111EBu;
    uint32_t pieces = bytes > sizeof data ? (uint32_t)sizeof data / CHANGED_BYTES
                                          : bytes / CHANGED_BYTES;
    pieces = pieces ? pieces : 1;
    uint32_t size = pieces * CHANGED_BYTES;
    begin(&scene);
    uint32_t constants = scene.next++, tinted = scene.next++;
    aero_vertices(&scene, v, 3);
    aero_create_buffer(&scene.s, constants, AERO_CONSTANT, size);
    AERO_CMD(&scene.s, SET_CONSTANT_BUFFERS, 1, 1, 1, 0, constants, 0, 0, 0);
    tinted_shader(&scene, tinted, size / 16 - 1);
    AERO_CMD(&scene.s, BIND_SHADERS, AERO_VS, tinted, 0, 0);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)(next(&state) >> 32);
    aero_upload(&scene.s, constants, 0, data, size);
    for (uint32_t i = 0; i < frames; i++) {
        for (uint32_t k = 0; k < CONSTANT_DRAWS; k++) {
            uint32_t at = (uint32_t)(next(&state) >> 32) % pieces;
            for (uint32_t n = 0; n < CHANGED_BYTES; n++)
                data[n] = (uint8_t)(next(&state) >> 32);
            aero_upload(&scene.s, constants, (uint64_t)at * CHANGED_BYTES, data,
                        CHANGED_BYTES);
            aero_draw(&scene.s, 3);
        }
        end_frame(&scene);
    }
    hand_over(&scene, f);
}
