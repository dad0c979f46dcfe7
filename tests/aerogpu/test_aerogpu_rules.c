// Rules of single packets: what breaks one is refused at its byte, what only looks odd
// is not. Compiles alone; no device.
#include "compiler/compiler.h"
#include "tests/aerogpu/aerogpu_scene.h"
#include "tests/helpers.h"
#include "tests/shader/dxbc_assembler.h"
#include "tests/test.h"
#include "vm/payload/payload.h"

#define BUFFER 500  // 64 bytes
#define TEXTURE 501 // 8x8 R8G8B8A8, 2 mips, 2 layers
#define BLOCKS 502  // 8x8 BC1
#define SAMPLER 503
#define DEPTH 504    // 64x64 D32
#define OTHER 505    // buffer, 64 bytes
#define RESERVED 506 // a shared texture that was destroyed
#define ALIAS 507    // its alias
#define NEW 600

#define PACKET(name, ...)           \
    GV_CMD_##name, { __VA_ARGS__ }, \
        sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)

static const struct {
    const char *name;
    uint32_t opcode;
    uint32_t dwords[32];
    size_t count;
    const char *error; // part of the message; NULL = fine
} rows[] = {
    { "buffer", PACKET(CREATE_BUFFER, NEW, 1, 6, 0, 0, 0, 0, 0), NULL },
    { "buffer_0", PACKET(CREATE_BUFFER, NEW, 1, 0, 0, 0, 0, 0, 0), "size 0" },
    { "buffer_huge", PACKET(CREATE_BUFFER, NEW, 1, 0, 1, 0, 0, 0, 0), "limit" },
    { "handle_0", PACKET(CREATE_BUFFER, 0, 1, 4, 0, 0, 0, 0, 0), "handle 0" },
    { "handle_live", PACKET(CREATE_BUFFER, TEXTURE, 1, 4, 0, 0, 0, 0, 0), "in use" },
    { "backing", PACKET(CREATE_BUFFER, NEW, 1, 4, 0, 9, 0, 0, 0), "allocation 9" },
    { "texture_height_0",
      PACKET(CREATE_TEXTURE2D, NEW, 8, 3, 4, 0, 1, 1, 0, 0, 0, 0, 0), "4x0" },
    { "texture_mips_0", PACKET(CREATE_TEXTURE2D, NEW, 8, 3, 4, 4, 0, 1, 0, 0, 0, 0, 0),
      "0 mips" },
    { "texture_layers_0",
      PACKET(CREATE_TEXTURE2D, NEW, 8, 3, 4, 4, 1, 0, 0, 0, 0, 0, 0), "0 layers" },
    { "texture_mips_3", PACKET(CREATE_TEXTURE2D, NEW, 8, 3, 4, 4, 3, 1, 0, 0, 0, 0, 0),
      NULL },
    { "texture_mips_4", PACKET(CREATE_TEXTURE2D, NEW, 8, 3, 4, 4, 4, 1, 0, 0, 0, 0, 0),
      "4 mips" },
    { "texture_format", PACKET(CREATE_TEXTURE2D, NEW, 8, 11, 4, 4, 1, 1, 0, 0, 0, 0, 0),
      "unknown format 11" },
    { "texture_pitch", PACKET(CREATE_TEXTURE2D, NEW, 8, 3, 4, 4, 1, 1, 15, 0, 0, 0, 0),
      "row pitch 15" },
    { "texture_no_pitch",
      PACKET(CREATE_TEXTURE2D, NEW, 8, 3, 4, 4, 1, 1, 0, 9, 0, 0, 0), "row pitch 0" },
    { "texture_large",
      PACKET(CREATE_TEXTURE2D, NEW, 8, 3, 16384, 16384, 1, 64, 0, 0, 0, 0, 0),
      "large" },
    { "upload_unaligned", PACKET(UPLOAD_RESOURCE, BUFFER, 0, 2, 0, 4, 0, 0),
      "aligned" },
    { "upload_size", PACKET(UPLOAD_RESOURCE, BUFFER, 0, 0, 0, 3, 0, 0), "aligned" },
    { "upload_end", PACKET(UPLOAD_RESOURCE, BUFFER, 0, 64, 0, 0, 0), NULL },
    { "upload_past", PACKET(UPLOAD_RESOURCE, BUFFER, 0, 64, 0, 4, 0, 0),
      "pass a buffer" },
    { "upload_wraps",
      PACKET(UPLOAD_RESOURCE, BUFFER, 0, 0xFFFFFFFC, 0xFFFFFFFF, 4, 0, 0),
      "pass a buffer" },
    { "upload_packet", PACKET(UPLOAD_RESOURCE, BUFFER, 0, 0, 0, 8, 0, 0),
      "PayloadTooSmall" },
    { "upload_nobody", PACKET(UPLOAD_RESOURCE, NEW, 0, 0, 0, 4, 0, 0), NULL },
    { "upload_part", PACKET(UPLOAD_RESOURCE, TEXTURE, 0, 0, 0, 4, 0, 0),
      "never uploaded" },
    { "dirty_past", PACKET(RESOURCE_DIRTY_RANGE, BUFFER, 0, 60, 0, 8, 0), "pass" },
    { "dirty_unbacked", PACKET(RESOURCE_DIRTY_RANGE, BUFFER, 0, 0, 0, 8, 0), NULL },
    { "copy_self", PACKET(COPY_BUFFER, BUFFER, BUFFER, 0, 0, 8, 0, 8, 0, 0, 0),
      "destination" },
    { "copy_flags", PACKET(COPY_BUFFER, OTHER, BUFFER, 0, 0, 0, 0, 8, 0, 2, 0),
      "unknown flags" },
    { "copy_offset", PACKET(COPY_BUFFER, OTHER, BUFFER, 2, 0, 0, 0, 8, 0, 0, 0),
      "aligned" },
    { "copy_size", PACKET(COPY_BUFFER, OTHER, BUFFER, 0, 0, 0, 0, 6, 0, 0, 0),
      "aligned" },
    { "copy_past", PACKET(COPY_BUFFER, OTHER, BUFFER, 0, 0, 60, 0, 8, 0, 0, 0),
      "passes a buffer" },
    { "copy_texture", PACKET(COPY_BUFFER, OTHER, TEXTURE, 0, 0, 0, 0, 8, 0, 0, 0),
      "no buffer" },
    { "copy_writeback", PACKET(COPY_BUFFER, OTHER, BUFFER, 0, 0, 0, 0, 8, 0, 1, 0),
      "without backing" },
    { "copy_formats",
      PACKET(COPY_TEXTURE2D, TEXTURE, BLOCKS, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0),
      "differ" },
    { "copy_mip",
      PACKET(COPY_TEXTURE2D, TEXTURE, TEXTURE, 2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0),
      "mip 2" },
    { "copy_layer",
      PACKET(COPY_TEXTURE2D, TEXTURE, TEXTURE, 0, 2, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0),
      "layer 2" },
    { "copy_rectangle",
      PACKET(COPY_TEXTURE2D, TEXTURE, TEXTURE, 1, 0, 0, 0, 1, 0, 0, 0, 4, 1, 0, 0),
      "passes a mip" },
    { "copy_rectangle_wraps",
      PACKET(COPY_TEXTURE2D, TEXTURE, TEXTURE, 1, 0, 0, 0, 0xFFFFFFFF, 0, 0, 0, 2, 1, 0,
             0),
      "passes a mip" },
    { "copy_overlap",
      PACKET(COPY_TEXTURE2D, TEXTURE, TEXTURE, 0, 0, 0, 0, 1, 1, 0, 0, 2, 2, 0, 0),
      NULL },
    { "copy_nothing",
      PACKET(COPY_TEXTURE2D, TEXTURE, TEXTURE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0),
      NULL },
    { "copy_block",
      PACKET(COPY_TEXTURE2D, BLOCKS, BLOCKS, 0, 0, 0, 0, 4, 4, 0, 0, 2, 4, 0, 0),
      "splits a block" },
    { "view_mips", PACKET(CREATE_TEXTURE_VIEW, NEW, TEXTURE, 3, 1, 2, 0, 1, 0, 0),
      "mips" },
    { "view_layers", PACKET(CREATE_TEXTURE_VIEW, NEW, TEXTURE, 3, 0, 1, 2, 0, 0, 0),
      "layers" },
    { "view_rest", PACKET(CREATE_TEXTURE_VIEW, NEW, TEXTURE, 3, 1, 0, 1, 0, 0, 0),
      NULL },
    { "view_format", PACKET(CREATE_TEXTURE_VIEW, NEW, TEXTURE, 5, 0, 1, 0, 1, 0, 0),
      "does not fit" },
    { "view_buffer", PACKET(CREATE_TEXTURE_VIEW, NEW, BUFFER, 3, 0, 1, 0, 1, 0, 0),
      "no texture" },
    { "destroy_nobody", PACKET(DESTROY_RESOURCE, NEW, 0), NULL },
    { "shader_stage_4", PACKET(CREATE_SHADER_DXBC, NEW, 4, 0, 0), "unknown stage 4" },
    { "shader_stage_ex_1", PACKET(CREATE_SHADER_DXBC, NEW, 2, 0, 1), "stage_ex 1" },
    { "shader_empty", PACKET(CREATE_SHADER_DXBC, NEW, 0, 0, 0), "" },
    { "bind_nobody", PACKET(BIND_SHADERS, NEW, 0, 0, 0), "no shader" },
    { "bind_stage", PACKET(BIND_SHADERS, AERO_PS, 0, 0, 0), "another stage" },
    { "constants_past", PACKET(SET_SHADER_CONSTANTS_F, 0, 4096, 1, 0, 0, 0, 0, 0),
      "pass 4096" },
    { "constants_end", PACKET(SET_SHADER_CONSTANTS_F, 0, 4095, 1, 0, 0, 0, 0, 0),
      NULL },
    { "constants_wrap", PACKET(SET_SHADER_CONSTANTS_F, 0, 0xFFFFFFFF, 1, 0, 0, 0, 0, 0),
      "pass 4096" },
    { "integers_past", PACKET(SET_SHADER_CONSTANTS_I, 0, 256, 1, 0, 0, 0, 0, 0),
      "pass 256" },
    { "layout_empty", PACKET(CREATE_INPUT_LAYOUT, NEW, 0, 0), "0 bytes" },
    { "layout_version", PACKET(CREATE_INPUT_LAYOUT, NEW, 16, 0, 0x59414C49, 2, 0, 0),
      "ILAY 1" },
    { "layout_count", PACKET(CREATE_INPUT_LAYOUT, NEW, 16, 0, 0x59414C49, 1, 1, 0),
      "1 elements" },
    { "layout_slot",
      PACKET(CREATE_INPUT_LAYOUT, NEW, 44, 0, 0x59414C49, 1, 1, 0, 0, 0, 2, 32, 0, 0,
             0),
      "slot 32" },
    { "layout_format",
      PACKET(CREATE_INPUT_LAYOUT, NEW, 44, 0, 0x59414C49, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0),
      "unsupported: vertex format 1" },
    { "declaration_end", PACKET(CREATE_INPUT_LAYOUT, NEW, 8, 0, 0, 0),
      "without an end" },
    { "declaration_type", PACKET(CREATE_INPUT_LAYOUT, NEW, 16, 0, 0, 18, 0xFF, 17),
      "type 18" },
    { "blend_factor", PACKET(SET_BLEND_STATE, 1, 8, 0, 0, 15), "blend factor 8" },
    { "blend_op", PACKET(SET_BLEND_STATE, 1, 1, 0, 5, 15), "blend operation 5" },
    { "blend_short", PACKET(SET_BLEND_STATE, 1, 1, 0, 0, 15), NULL },
    { "depth_func", PACKET(SET_DEPTH_STENCIL_STATE, 1, 1, 8, 0, 0), "comparison 8" },
    { "fill", PACKET(SET_RASTERIZER_STATE, 2, 0, 0, 0, 0, 0), "fill mode 2" },
    { "cull", PACKET(SET_RASTERIZER_STATE, 0, 3, 0, 0, 0, 0), "cull mode 3" },
    { "targets_9", PACKET(SET_RENDER_TARGETS, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      "9 colour" },
    { "target_depth", PACKET(SET_RENDER_TARGETS, 1, 0, DEPTH, 0, 0, 0, 0, 0, 0, 0),
      "as colour" },
    { "depth_color", PACKET(SET_RENDER_TARGETS, 0, TEXTURE, 0, 0, 0, 0, 0, 0, 0, 0),
      "as depth" },
    { "target_blocks", PACKET(SET_RENDER_TARGETS, 1, 0, BLOCKS, 0, 0, 0, 0, 0, 0, 0),
      "as colour" },
    { "target_unused", PACKET(SET_RENDER_TARGETS, 0, 0, NEW, 0, 0, 0, 0, 0, 0, 0),
      NULL },
    { "slots", PACKET(SET_VERTEX_BUFFERS, 31, 2, BUFFER, 4, 0, 0, BUFFER, 4, 0, 0),
      "pass 32" },
    { "slot_texture", PACKET(SET_VERTEX_BUFFERS, 0, 1, TEXTURE, 4, 0, 0), "no buffer" },
    { "index_format", PACKET(SET_INDEX_BUFFER, BUFFER, 2, 0, 0), "index format 2" },
    { "topology_0", PACKET(SET_PRIMITIVE_TOPOLOGY, 0, 0), "topology 0" },
    { "topology_7", PACKET(SET_PRIMITIVE_TOPOLOGY, 7, 0), "topology 7" },
    { "topology_64", PACKET(SET_PRIMITIVE_TOPOLOGY, 64, 0), NULL },
    { "topology_65", PACKET(SET_PRIMITIVE_TOPOLOGY, 65, 0), "topology 65" },
    { "texture_slot", PACKET(SET_TEXTURE, 1, 128, TEXTURE, 0), "slot 128" },
    { "texture_sampler", PACKET(SET_TEXTURE, 1, 0, SAMPLER, 0), "no texture" },
    { "texture_buffer", PACKET(SET_TEXTURE, 1, 0, BUFFER, 0), NULL },
    { "texture_geometry", PACKET(SET_TEXTURE, 2, 0, TEXTURE, 2), NULL },
    { "stage_ex_0", PACKET(SET_TEXTURE, 2, 0, TEXTURE, 0), NULL },
    { "stage_ex_2", PACKET(SET_TEXTURE, 2, 0, TEXTURE, 2), NULL },
    { "stage_ex_3", PACKET(SET_TEXTURE, 2, 0, TEXTURE, 3), NULL },
    { "stage_ex_4", PACKET(SET_TEXTURE, 2, 0, TEXTURE, 4), NULL },
    { "stage_ex_5", PACKET(SET_TEXTURE, 2, 0, TEXTURE, 5), NULL },
    { "texture_stage_ex", PACKET(SET_TEXTURE, 2, 0, TEXTURE, 6), "stage_ex 6" },
    { "sampler_filter", PACKET(CREATE_SAMPLER, NEW, 2, 0, 0, 0), "filter 2" },
    { "sampler_address", PACKET(CREATE_SAMPLER, NEW, 0, 0, 3, 0), "address mode 3" },
    { "samplers", PACKET(SET_SAMPLERS, 1, 15, 2, 0, SAMPLER, 0), "pass 16" },
    { "sampler_texture", PACKET(SET_SAMPLERS, 1, 0, 1, 0, TEXTURE), "no sampler" },
    { "cbuffers", PACKET(SET_CONSTANT_BUFFERS, 0, 13, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      "pass 14" },
    { "cbuffer_range", PACKET(SET_CONSTANT_BUFFERS, 0, 0, 1, 0, BUFFER, 60, 8, 0),
      "pass" },
    { "resources", PACKET(SET_SHADER_RESOURCE_BUFFERS, 0, 128, 1, 0, 0, 0, 0, 0),
      "pass 128" },
    { "uavs", PACKET(SET_UNORDERED_ACCESS_BUFFERS, 2, 8, 1, 0, 0, 0, 0, 0), "pass 8" },
    { "clear_nothing", PACKET(CLEAR, 0, 0, 0, 0, 0, 0, 0), NULL },
    { "clear_no_depth", PACKET(CLEAR, 6, 0, 0, 0, 0, 0, 0), NULL },
    { "draw_0", PACKET(DRAW, 0, 1, 0, 0), NULL },
    { "draw_huge", PACKET(DRAW, 0x10000, 0x10000, 0, 0), "limit" },
    { "draw_no_index", PACKET(DRAW_INDEXED, 3, 1, 0, 0, 0), "no index buffer" },
    { "dispatch_0", PACKET(DISPATCH, 0, 1, 1, 0), NULL },
    { "dispatch_none", PACKET(DISPATCH, 1, 1, 1, 0), "no compute shader" },
    { "dispatch_huge", PACKET(DISPATCH, 65536, 1, 1, 0), "65536 groups" },
    { "export_0", PACKET(EXPORT_SHARED_SURFACE, TEXTURE, 0, 0, 0), "token 0" },
    { "export_nobody", PACKET(EXPORT_SHARED_SURFACE, NEW, 0, 1, 0), "no resource" },
    { "export_again", PACKET(EXPORT_SHARED_SURFACE, TEXTURE, 0, 77, 0), NULL },
    { "export_taken", PACKET(EXPORT_SHARED_SURFACE, BUFFER, 0, 77, 0),
      "another resource" },
    { "export_retired", PACKET(EXPORT_SHARED_SURFACE, TEXTURE, 0, 78, 0), "retired" },
    { "import_unknown", PACKET(IMPORT_SHARED_SURFACE, NEW, 0, 5, 0), "not exported" },
    { "import_taken", PACKET(IMPORT_SHARED_SURFACE, BUFFER, 0, 77, 0), "in use" },
    { "import", PACKET(IMPORT_SHARED_SURFACE, NEW, 0, 77, 0), NULL },
    { "upload_reserved", PACKET(UPLOAD_RESOURCE, RESERVED, 0, 0, 0, 4, 0, 0),
      "its aliases live" },
    { "dirty_reserved", PACKET(RESOURCE_DIRTY_RANGE, RESERVED, 0, 0, 0, 4, 0),
      "its aliases live" },
    { "bind_reserved", PACKET(SET_TEXTURE, 1, 0, RESERVED, 0), "no texture" },
    { "create_reserved", PACKET(CREATE_BUFFER, RESERVED, 1, 4, 0, 0, 0, 0, 0),
      "in use" },
    { "destroy_reserved", PACKET(DESTROY_RESOURCE, RESERVED, 0), NULL },
    { "release_unknown", PACKET(RELEASE_SHARED_SURFACE, 5, 0, 0, 0), NULL },
    { "sampler_state_slot", PACKET(SET_SAMPLER_STATE, 1, 16, 1, 1), "sampler 16" },
    { "render_state_far", PACKET(SET_RENDER_STATE, 5000, 1), NULL },
};

static bool ignore(void *context, const void *data, size_t size, struct gv_error *err)
{
    (void)context, (void)data, (void)size, (void)err;
    return true;
}

static void set_up(struct aero_scene *f)
{
    aero_scene_begin(f);
    f->next = 1000;
    aero_fill(f, 0, 0, 0, 0, 0);
    aero_create_buffer(&f->s, BUFFER, 1, 64);
    aero_create_buffer(&f->s, OTHER, 1, 64);
    aero_create_texture(&f->s, TEXTURE, 8, AERO_R8G8B8A8, 8, 8, 2, 2);
    aero_create_texture(&f->s, BLOCKS, 8, 64, 8, 8, 1, 1);
    aero_create_texture(&f->s, DEPTH, 0x20, AERO_D32, 64, 64, 1, 1);
    AERO_CMD(&f->s, CREATE_SAMPLER, SAMPLER, 0, 0, 0, 0);
    AERO_CMD(&f->s, EXPORT_SHARED_SURFACE, TEXTURE, 0, 77, 0);
    AERO_CMD(&f->s, EXPORT_SHARED_SURFACE, TEXTURE, 0, 78, 0);
    AERO_CMD(&f->s, RELEASE_SHARED_SURFACE, 78, 0, 0, 0);
    aero_create_texture(&f->s, RESERVED, 8, AERO_R8G8B8A8, 8, 8, 1, 1);
    AERO_CMD(&f->s, EXPORT_SHARED_SURFACE, RESERVED, 0, 79, 0);
    AERO_CMD(&f->s, IMPORT_SHARED_SURFACE, ALIAS, 0, 79, 0);
    AERO_CMD(&f->s, DESTROY_RESOURCE, RESERVED, 0);
}

static void check_row(size_t i)
{
    static struct aero_scene f;
    const struct gv_compile_params params = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    set_up(&f);
    // The stream's blob starts behind the frame's record and its own two headers.
    size_t at = f.file.bytes.size + 24 + f.s.bytes.size;
    aero_cmd(&f.s, rows[i].opcode, rows[i].dwords, rows[i].count);
    aero_scene_frame(&f);
    aero_scene_end(&f);
    bool ok = gv_compile(f.file.bytes.data, f.file.bytes.size, &params, ignore, NULL,
                         NULL, &err);
    CHECK_ROW(rows[i].name, ok == !rows[i].error);
    if (!ok && !rows[i].error)
        fprintf(stderr, "[%s] %s\n", rows[i].name, err.message);
    if (!ok && rows[i].error) {
        CHECK_ROW(rows[i].name, strstr(err.message, rows[i].error));
        CHECK_ROW(rows[i].name, err.offset >= at && err.offset < at + 128);
        if (!strstr(err.message, rows[i].error))
            fprintf(stderr, "[%s] %s\n", rows[i].name, err.message);
    }
    aero_scene_finish(&f);
}

// Vertices further apart than Direct3D 11 has them: refused by the draw that reads
// them.
static void test_stride(void)
{
    static struct aero_scene f;
    for (uint32_t stride = 2048; stride <= 2052; stride += 4) {
        const struct gv_compile_params params = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        set_up(&f);
        aero_set_vertex_buffer(&f.s, 0, BUFFER, stride, 0);
        aero_draw(&f.s, 3);
        aero_scene_frame(&f);
        aero_scene_end(&f);
        bool ok = gv_compile(f.file.bytes.data, f.file.bytes.size, &params, ignore,
                             NULL, NULL, &err);
        CHECK(ok == (stride == 2048));
        CHECK(ok || (err.status == GV_ERR_LIMIT && strstr(err.message, "stride 2052")));
        aero_scene_finish(&f);
    }
}

// A copy is written back to guest memory unless the allocation table forbids it.
static void test_read_only(void)
{
    static struct aero_scene f;
    static const uint8_t bytes[64];
    for (uint32_t flags = 0; flags < 4; flags++) {
        const struct aero_memory m = { 9, flags, 0x1000, bytes, sizeof bytes };
        const struct gv_compile_params params = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        set_up(&f);
        AERO_CMD(&f.s, CREATE_BUFFER, NEW, 1, 32, 0, 9, 32, 0, 0);
        AERO_CMD(&f.s, COPY_BUFFER, NEW, BUFFER, 0, 0, 0, 0, 32, 0, 1, 0);
        aero_submit(&f.file, 0, &f.s, &m, 1);
        aero_end_frame(&f.file);
        aero_begin_frame(&f.file);
        aero_scene_end(&f);
        bool ok = gv_compile(f.file.bytes.data, f.file.bytes.size, &params, ignore,
                             NULL, NULL, &err);
        CHECK(ok == !(flags & 1));
        CHECK(ok || strstr(err.message, "read-only allocation 9"));
        aero_scene_finish(&f);
    }
}

// An unknown opcode: a diagnostic, or with `strict` an error.
static void test_strict(void)
{
    static struct aero_scene f;
    for (int strict = 0; strict < 2; strict++) {
        const struct gv_compile_params params = { .strict = strict };
        struct gv_error err = GV_ERROR_INIT;
        set_up(&f);
        aero_cmd(&f.s, 0x7ff, NULL, 0);
        aero_scene_frame(&f);
        aero_scene_end(&f);
        bool ok = gv_compile(f.file.bytes.data, f.file.bytes.size, &params, ignore,
                             NULL, NULL, &err);
        CHECK(ok == !strict);
        CHECK(ok || err.status == GV_ERR_UNSUPPORTED);
        aero_scene_finish(&f);
    }
}

// ---- shaders that are not taken ----

// How often a compile said that a shader is refused.
static uint64_t refusals(const struct gv_bytes *payload)
{
    struct gv_payload p;
    struct gv_error err = GV_ERROR_INIT;
    uint64_t count = 0;
    if (!gv_payload_open_memory(&p, payload->data, payload->size, 0, &err))
        return UINT64_MAX;
    for (size_t i = 0; i < p.diagnostic_count; i++)
        if (!strcmp(p.diagnostics[i].code, "shader-refused"))
            count += p.diagnostics[i].count;
    gv_payload_finish(&p);
    return count;
}

enum refused_use { CREATED, BOUND, DISPATCHED, STRICT };

static const struct {
    const char *name, *text; // a compute shader, at handle NEW
    enum refused_use use;
    uint64_t refusals;
    enum gv_status status;
    const char *error;
} refused[] = {
#define FEEDBACK "cs_5_0\ndcl_thread_group 1, 1, 1\nword 0x010000ea\nret\n"
#define DEEP "cs_5_0\ndcl_thread_group 1, 1, 65\nret\n"
#define PIXEL "ps_5_0\nout SV_Target 0 o0\nmov o0, l(1.0)\nret\n"
    { "unsupported_created", FEEDBACK, CREATED, 1, GV_OK, NULL },
    { "unsupported_bound", FEEDBACK, BOUND, 1, GV_OK, NULL },
    { "unsupported_used", FEEDBACK, DISPATCHED, 1, GV_ERR_UNSUPPORTED,
      "unsupported: sm4 check_access_fully_mapped" },
    { "unsupported_strict", FEEDBACK, STRICT, 0, GV_ERR_UNSUPPORTED,
      "unsupported: sm4 check_access_fully_mapped" },
    { "malformed", DEEP, CREATED, 0, GV_ERR_FORMAT,
      "thread group size is out of range" },
    { "stage", PIXEL, CREATED, 0, GV_ERR_FORMAT,
      "the blob holds a shader of another stage" },
};

static void check_refused(size_t i)
{
    static struct aero_scene f;
    const struct gv_compile_params params = { .strict = refused[i].use == STRICT };
    struct gv_bytes blob = { 0 }, payload = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    set_up(&f);
    CHECK(dxbc_assemble(refused[i].text, DXBC_ENCODING_OFFICIAL, &blob, NULL));
    size_t at = f.file.bytes.size + 24 + f.s.bytes.size;
    AERO_CMD(&f.s, CREATE_SHADER_DXBC, NEW, 2, (uint32_t)blob.size, 0);
    aero_cmd_data(&f.s, blob.data, blob.size);
    if (refused[i].use >= BOUND)
        AERO_CMD(&f.s, BIND_SHADERS, AERO_VS, AERO_PS, NEW, 0);
    if (refused[i].use >= DISPATCHED)
        AERO_CMD(&f.s, DISPATCH, 1, 1, 1, 0);
    aero_scene_frame(&f);
    aero_scene_end(&f);
    bool ok = gv_compile(f.file.bytes.data, f.file.bytes.size, &params, gv_test_append,
                         &payload, NULL, &err);
    CHECK_ROW(refused[i].name, err.status == refused[i].status);
    if (ok)
        CHECK_ROW(refused[i].name, refusals(&payload) == refused[i].refusals);
    else
        CHECK_ROW(refused[i].name,
                  refused[i].error && strstr(err.message, refused[i].error) &&
                      err.offset >= at && err.offset < at + 24 + blob.size);
    gv_bytes_finish(&blob);
    gv_bytes_finish(&payload);
    aero_scene_finish(&f);
}

// Typed elements of a format that nobody tells: fine where nothing is bound.
static void test_open_view(void)
{
    static const char text[] = "cs_5_0\ndcl_thread_group 1, 1, 1\n"
                               "dcl_uav_typed@1 u0, 0x5555\n"
                               "store_uav_typed u0.xyzw, l(0), l(1.0)\nret\n";
    static struct aero_scene f;
    for (uint32_t buffer = 0; buffer <= BUFFER; buffer += BUFFER) {
        const struct gv_compile_params params = { 0 };
        struct gv_bytes blob = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        set_up(&f);
        CHECK(dxbc_assemble(text, DXBC_ENCODING_OFFICIAL, &blob, NULL));
        AERO_CMD(&f.s, CREATE_SHADER_DXBC, NEW, 2, (uint32_t)blob.size, 0);
        aero_cmd_data(&f.s, blob.data, blob.size);
        AERO_CMD(&f.s, SET_UNORDERED_ACCESS_BUFFERS, 2, 0, 1, 0, buffer, 0, 0, 0);
        AERO_CMD(&f.s, BIND_SHADERS, AERO_VS, AERO_PS, NEW, 0);
        AERO_CMD(&f.s, DISPATCH, 1, 1, 1, 0);
        aero_scene_frame(&f);
        aero_scene_end(&f);
        bool ok = gv_compile(f.file.bytes.data, f.file.bytes.size, &params, ignore,
                             NULL, NULL, &err);
        CHECK(ok == !buffer);
        CHECK(ok || (err.status == GV_ERR_UNSUPPORTED &&
                     strstr(err.message, "typed buffer u0 that is not read")));
        gv_bytes_finish(&blob);
        aero_scene_finish(&f);
    }
}

static uint64_t fact(const struct gv_describe *d, const char *key)
{
    for (size_t i = 0; i < d->count; i++)
        if (!strcmp(d->facts[i].key, key))
            return d->facts[i].number;
    return UINT64_MAX;
}

// What `info` tells of minimal packets: two clears, two draws.
static void test_minimal_info(void)
{
    static const uint32_t clear[] = { 8, 6, 0, 0, 0, 0 }, draw[] = { 9, 4, 3, 0 };
    const struct gv_compile_params params = { 0 };
    struct aero_file f = { 0 };
    struct gv_describe d = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    aero_file_begin(&f, 1, GV_TRACE_ABI_APPENDIX_A);
    aero_begin_frame(&f);
    for (int i = 0; i < 2; i++) {
        aero_record(&f, GV_TRACE_PACKET, clear, sizeof clear);
        aero_record(&f, GV_TRACE_PACKET, draw, sizeof draw);
    }
    aero_end_frame(&f);
    aero_file_end(&f);
    CHECK(gv_capture_info(f.bytes.data, f.bytes.size, &params, &d, &err));
    CHECK(fact(&d, "packets") == 4);
    CHECK(fact(&d, "commands") == 4);
    CHECK(fact(&d, "draws") == 2);
    gv_describe_finish(&d);
    aero_file_finish(&f);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_row(i);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        check_refused(i);
    test_open_view();
    test_stride();
    test_read_only();
    test_strict();
    test_minimal_info();
    return TEST_RESULT();
}
