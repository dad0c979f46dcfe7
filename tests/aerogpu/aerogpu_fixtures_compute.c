// Fixtures: dispatches of official compute shaders, whose results are drawn as
// vertices.
#include "tests/aerogpu/aerogpu_scene.h"
#include "tests/shader/dxbc_assembler.h"

#include <stdio.h>
#include <stdlib.h>

#define VERTEX ((uint32_t)sizeof(struct aero_vertex))
#define KEEP 0xFFFFFFFFu // initial_count: the counter stays

static const struct aero_vertex whole[3] = { { -1, -1, 0, 0, 1, 0, 1 },
                                             { -1, 3, 0, 0, 1, 0, 1 },
                                             { 3, -1, 0, 0, 1, 0, 1 } };

static uint32_t make_shader(struct aero_scene *f, const char *text)
{
    struct gv_bytes blob = { 0 };
    uint32_t handle = f->next++;
    if (!dxbc_assemble(text, DXBC_ENCODING_OFFICIAL, &blob, NULL))
        abort(); // the text is wrong
    AERO_CMD(&f->s, CREATE_SHADER_DXBC, handle, 2, (uint32_t)blob.size, 0);
    aero_cmd_data(&f->s, blob.data, blob.size);
    gv_bytes_finish(&blob);
    return handle;
}

static void dispatch(struct aero_scene *f, uint32_t shader, uint32_t groups)
{
    AERO_CMD(&f->s, BIND_SHADERS, AERO_VS, AERO_PS, shader, 0);
    AERO_CMD(&f->s, DISPATCH, groups, 1, 1, 0);
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
}

static void draw_vertices(struct aero_scene *f, uint32_t buffer, uint32_t first)
{
    aero_set_vertex_buffer(&f->s, 0, buffer, VERTEX, first * VERTEX);
    aero_draw(&f->s, 3);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A vertex of `from` at element r0.y becomes the one of `to` at element r0.x.
#define COPY(from, to)                                                             \
    "ld_structured r1, r0.y, l(0), " from "\nld_structured r2, r0.y, l(16), " from \
    "\nstore_structured " to ".xyzw, r0.x, l(0), r1\n"                             \
    "store_structured " to ".xyz, r0.x, l(16), r2\nret\n"

// Three threads append the vertices behind `start` others, in whatever order: what the
// counter says decides which vertex each brings.
static void make_append(struct aero_scene *f, uint32_t start)
{
    char text[1024];
    aero_scene_begin(f);
    snprintf(text, sizeof text,
             "cs_5_0\ndcl_flags@1\ndcl_resource_structured t0, 28\n"
             "dcl_uav_structured@0x1000 u0, 28\ndcl_temps 4\ndcl_thread_group 1, 1, 1\n"
             "imm_atomic_alloc r0.x, u0\niadd r0.y, r0.x, l(-%u)\n" COPY("t0", "u0"),
             start);
    uint32_t shader = make_shader(f, text), source = f->next++, target = f->next++;
    aero_make_buffer(&f->s, source, AERO_STORAGE, whole, sizeof whole);
    aero_create_buffer(&f->s, target, AERO_STORAGE | AERO_VERTEX, VERTEX * (start + 3));
    AERO_CMD(&f->s, SET_SHADER_RESOURCE_BUFFERS, 2, 0, 1, 0, source, 0, 0, 0);
    AERO_CMD(&f->s, SET_UNORDERED_ACCESS_BUFFERS, 2, 0, 1, 0, target, 0, 0, start);
    dispatch(f, shader, 1);
    AERO_CMD(&f->s, SET_UNORDERED_ACCESS_BUFFERS, 2, 0, 1, 0, target, 0, 0, KEEP);
    dispatch(f, shader, 2);
    draw_vertices(f, target, start);
}

// The vertices are consumed from the last one on, each by the thread that gets it.
static void make_consume(struct aero_scene *f, uint32_t variant)
{
    static const char text[] =
        "cs_5_0\ndcl_flags@1\ndcl_uav_structured@0x1000 u0, 28\ndcl_uav_structured u1, "
        "28\n"
        "dcl_temps 4\ndcl_thread_group 1, 1, 1\n"
        "imm_atomic_consume r0.x, u0\nmov r0.y, r0.x\n" COPY("u0", "u1");
    (void)variant;
    aero_scene_begin(f);
    uint32_t shader = make_shader(f, text), source = f->next++, target = f->next++;
    aero_make_buffer(&f->s, source, AERO_STORAGE, whole, sizeof whole);
    aero_create_buffer(&f->s, target, AERO_STORAGE | AERO_VERTEX, sizeof whole);
    AERO_CMD(&f->s, SET_UNORDERED_ACCESS_BUFFERS, 2, 0, 2, 0, source, 0, 0, 3, target,
             0, 0, 0);
    dispatch(f, shader, 3);
    draw_vertices(f, target, 0);
}

// A typed view that is read has 32-bit elements: its words are copied one by one.
static void make_typed(struct aero_scene *f, uint32_t variant)
{
    static const char text[] =
        "cs_5_0\ndcl_flags@1\ndcl_uav_typed@1 u0, 0x5555\ndcl_uav_raw u1\n"
        "dcl_input vThreadGroupID.x\ndcl_temps 4\ndcl_thread_group 1, 1, 1\n"
        "ld_uav_typed r0, vThreadGroupID.x, u0\nishl r1.x, vThreadGroupID.x, l(2)\n"
        "store_raw u1.x, r1.x, r0.x\nret\n";
    (void)variant;
    aero_scene_begin(f);
    uint32_t shader = make_shader(f, text), source = f->next++, target = f->next++;
    aero_make_buffer(&f->s, source, AERO_STORAGE, whole, sizeof whole);
    aero_create_buffer(&f->s, target, AERO_STORAGE | AERO_VERTEX, sizeof whole);
    AERO_CMD(&f->s, SET_UNORDERED_ACCESS_BUFFERS, 2, 0, 2, 0, source, 0, 0, 0, target,
             0, 0, 0);
    dispatch(f, shader, sizeof whole / 4);
    draw_vertices(f, target, 0);
}

// 64 threads sum through shared memory; the sum of 1 to 64 picks the vertices.
static void make_shared_memory(struct aero_scene *f, uint32_t variant)
{
    static const char text[] =
        "cs_5_0\ndcl_flags@1\ndcl_resource_structured t0, 28\ndcl_uav_structured u0, "
        "28\n"
        "dcl_tgsm_raw g0, 256\ndcl_input vThreadIDInGroupFlattened\ndcl_input "
        "vThreadGroupID.x\n"
        "dcl_temps 5\ndcl_thread_group 64, 1, 1\n"
        "iadd r3.x, vThreadIDInGroupFlattened, l(1)\n"
        "ishl r3.y, vThreadIDInGroupFlattened, l(2)\nstore_raw g0.x, r3.y, "
        "r3.x\nsync@3\n"
        "mov r3.z, l(128)\nloop\nult r3.w, r3.y, r3.z\nif_nz r3.w\niadd r4.x, r3.y, "
        "r3.z\n"
        "ld_raw r4.y, r4.x, g0.xxxx\nld_raw r4.z, r3.y, g0.xxxx\niadd r4.y, r4.y, "
        "r4.z\n"
        "store_raw g0.x, r3.y, r4.y\nendif\nsync@3\nushr r3.z, r3.z, l(1)\nult r3.w, "
        "r3.z, l(4)\n"
        "breakc_nz r3.w\nendloop\nld_raw r4.x, l(0), g0.xxxx\n"
        "ieq r4.y, vThreadIDInGroupFlattened, l(0)\nif_nz r4.y\n"
        "iadd r0.y, vThreadGroupID.x, l(-2080)\niadd r0.y, r0.y, r4.x\nmov r0.x, "
        "vThreadGroupID.x\n"
        "ld_structured r1, r0.y, l(0), t0\nld_structured r2, r0.y, l(16), t0\n"
        "store_structured u0.xyzw, r0.x, l(0), r1\nstore_structured u0.xyz, r0.x, "
        "l(16), r2\n"
        "endif\nret\n";
    (void)variant;
    aero_scene_begin(f);
    uint32_t shader = make_shader(f, text), source = f->next++, target = f->next++;
    aero_make_buffer(&f->s, source, AERO_STORAGE, whole, sizeof whole);
    aero_create_buffer(&f->s, target, AERO_STORAGE | AERO_VERTEX, sizeof whole);
    AERO_CMD(&f->s, SET_SHADER_RESOURCE_BUFFERS, 2, 0, 1, 0, source, 0, 0, 0);
    AERO_CMD(&f->s, SET_UNORDERED_ACCESS_BUFFERS, 2, 0, 1, 0, target, 0, 0, 0);
    dispatch(f, shader, 3);
    draw_vertices(f, target, 0);
}

const struct aero_fixture aero_fixtures_compute[] = {
    { "append", "a counter that starts at 0", make_append, 0 },
    { "append_behind", "initial_count, and keeping it", make_append, 2 },
    { "consume", "a counter that falls", make_consume, 0 },
    { "typed_view", "words of a typed unordered access view", make_typed, 0 },
    { "shared_memory", "barriers of a group", make_shared_memory, 0 },
    { NULL, NULL, NULL, 0 },
};
