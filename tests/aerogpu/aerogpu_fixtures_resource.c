// Fixtures: uploads, copies, guest memory, sharing, contexts, compute.
#include "tests/aerogpu/aerogpu_scene.h"

#include <string.h>

static void texels(uint8_t *p, uint32_t count, uint8_t r, uint8_t g, uint8_t b)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t t[4] = { r, g, b, 255 };
        memcpy(p + 4 * i, t, 4);
    }
}

// Part of a texture is uploaded again: from texel 6 of 4x4, across two rows.
static void make_partial_upload(struct aero_scene *f, uint32_t variant)
{
    uint8_t data[64];
    (void)variant;
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    texels(data, 16, 255, 0, 0);
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 4, 4, 1, 1);
    aero_upload(&f->s, texture, 0, data, 64);
    texels(data, 16, 0, 255, 0);
    aero_upload(&f->s, texture, 6 * 4, data, 7 * 4); // texels 6 to 12
    aero_use_texture(f, texture);
    aero_fill_texture(f, 1, 1);
    static const uint8_t green[16] = { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1 };
    for (uint32_t i = 0; i < 16; i++)
        aero_expect(f, 8 + i % 4 * 16, 8 + i / 4 * 16, green[i] ? 0 : 255,
                    green[i] ? 255 : 0, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// The pitch of mip 0 skips bytes; mip 1 is tight.
static void make_row_pitch(struct aero_scene *f, uint32_t variant)
{
    uint8_t data[2 * 12 + 4];
    memset(data, 77, sizeof data);
    texels(data, 2, 255, 0, 0);
    texels(data + 12, 2, 0, 255, 0);
    texels(data + 24, 1, 0, 0, 255);
    (void)variant;
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    AERO_CMD(&f->s, CREATE_TEXTURE2D, texture, AERO_TEXTURE, AERO_R8G8B8A8, 2, 2, 2, 1,
             12, 0, 0, 0, 0);
    aero_upload(&f->s, texture, 0, data, sizeof data);
    aero_use_texture(f, texture);
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 32, 10, 255, 0, 0, 255);
    aero_expect(f, 32, 50, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

static void make_copy_rect(struct aero_scene *f, uint32_t same)
{
    uint8_t data[64];
    aero_scene_begin(f);
    uint32_t a = f->next++, b = f->next++;
    texels(data, 16, 255, 0, 0);
    texels(data + 4 * 5, 2, 0, 255, 0); // (1, 1) and (2, 1)
    aero_create_texture(&f->s, a, AERO_TEXTURE, AERO_R8G8B8A8, 4, 4, 1, 1);
    aero_upload(&f->s, a, 0, data, 64);
    texels(data, 16, 0, 0, 255);
    aero_create_texture(&f->s, b, AERO_TEXTURE, AERO_R8G8B8A8, 4, 4, 1, 1);
    aero_upload(&f->s, b, 0, data, 64);
    uint32_t dst = same ? a : b;
    AERO_CMD(&f->s, COPY_TEXTURE2D, dst, a, 0, 0, 0, 0, 2, 3, 1, 1, 2, 1, 0, 0);
    aero_use_texture(f, dst);
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 40, 56, 0, 255, 0, 255);
    aero_expect(f, 56, 56, 0, 255, 0, 255);
    aero_expect(f, 24, 56, same ? 255 : 0, 0, same ? 0 : 255, 255);
    aero_expect(f, 40, 40, same ? 255 : 0, 0, same ? 0 : 255, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// ---- guest memory ----

static void submit_backed(struct aero_scene *f, uint32_t context, const void *data,
                          size_t size)
{
    const struct aero_memory m = { 7, 0, 0x10000, data, size };
    aero_submit(&f->file, context, &f->s, &m, 1);
}

// A texture in guest memory; a dirty range refreshes it from a later submission.
static void make_backed_texture(struct aero_scene *f, uint32_t dirty)
{
    uint8_t data[256 + 64];
    memset(data, 0, sizeof data);
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    AERO_CMD(&f->s, CREATE_TEXTURE2D, texture, AERO_TEXTURE, AERO_R8G8B8A8, 2, 2, 1, 1,
             16, 7, 32, 0, 0);
    texels(data + 32, 2, 255, 0, 0);
    texels(data + 48, 2, 255, 0, 0);
    submit_backed(f, 0, data, sizeof data);
    texels(data + 32, 2, 0, 255, 0);
    texels(data + 48, 2, 0, 255, 0);
    aero_stream_begin(&f->s, AERO_ABI);
    if (dirty)
        AERO_CMD(&f->s, RESOURCE_DIRTY_RANGE, texture, 0, 16, 0, 4, 0);
    aero_use_texture(f, texture);
    aero_fill_texture(f, 1, 1);
    aero_present(&f->s);
    submit_backed(f, 0, data, sizeof data);
    aero_expect_all(f, dirty ? 0 : 255, dirty ? 255 : 0, 0, 255);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

// A constant buffer in guest memory, changed between two submissions.
static void make_backed_constants(struct aero_scene *f, uint32_t variant)
{
    struct aero_asm a;
    struct gv_bytes blob = { 0 };
    float color[4] = { 1, 0, 0, 1 };
    (void)variant;
    aero_scene_begin(f);
    aero_asm_begin(&a, AERO_PROGRAM_PS, 4);
    aero_asm_input(&a, "SV_Position", 0, 0);
    aero_asm_output(&a, "SV_Target", 0, 0);
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_cb(1, 0));
    aero_asm_end(&a, &blob);
    uint32_t shader = f->next++, buffer = f->next++;
    aero_create_shader(&f->s, shader, 1, blob.data, blob.size);
    gv_bytes_finish(&blob);
    aero_bind_shaders(&f->s, AERO_VS, shader);
    AERO_CMD(&f->s, CREATE_BUFFER, buffer, AERO_CONSTANT, 16, 0, 7, 0, 0, 0);
    AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 1, 1, 0, buffer, 0, 0, 0);
    aero_quad(f, -1, -1, 0, 1, 0, color);
    submit_backed(f, 0, color, sizeof color);
    color[0] = 0;
    color[2] = 1;
    aero_stream_begin(&f->s, AERO_ABI);
    AERO_CMD(&f->s, RESOURCE_DIRTY_RANGE, buffer, 0, 0, 0, 16, 0);
    aero_quad(f, 0, -1, 1, 1, 0, color);
    aero_present(&f->s);
    submit_backed(f, 0, color, sizeof color);
    aero_expect(f, 16, 32, 255, 0, 0, 255);
    aero_expect(f, 48, 32, 0, 0, 255, 255);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

// A copy changes guest memory too, which a resource made later reads.
static void make_writeback_buffer(struct aero_scene *f, uint32_t variant)
{
    struct aero_asm a;
    struct gv_bytes blob = { 0 };
    static const float red[4] = { 1, 0, 0, 1 }, green[4] = { 0, 1, 0, 1 };
    (void)variant;
    aero_scene_begin(f);
    aero_asm_begin(&a, AERO_PROGRAM_PS, 4);
    aero_asm_input(&a, "SV_Position", 0, 0);
    aero_asm_output(&a, "SV_Target", 0, 0);
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_cb(1, 0));
    aero_asm_end(&a, &blob);
    uint32_t shader = f->next++, mirror = f->next++, source = f->next++,
             later = f->next++;
    aero_create_shader(&f->s, shader, 1, blob.data, blob.size);
    gv_bytes_finish(&blob);
    aero_bind_shaders(&f->s, AERO_VS, shader);
    AERO_CMD(&f->s, CREATE_BUFFER, mirror, AERO_CONSTANT, 16, 0, 7, 0, 0, 0);
    aero_make_buffer(&f->s, source, AERO_VERTEX, green, sizeof green);
    AERO_CMD(&f->s, COPY_BUFFER, mirror, source, 0, 0, 0, 0, 16, 0, 1, 0);
    AERO_CMD(&f->s, CREATE_BUFFER, later, AERO_CONSTANT, 16, 0, 7, 0, 0, 0);
    AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 1, 1, 0, later, 0, 0, 0);
    aero_fill(f, 0, 0, 0, 0, 0);
    aero_present(&f->s);
    submit_backed(f, 0, red, sizeof red);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

static void make_writeback_texture(struct aero_scene *f, uint32_t variant)
{
    uint8_t memory[4 * 16], green[4 * 4];
    (void)variant;
    texels(memory, 16, 255, 0, 0);
    texels(green, 4, 0, 255, 0);
    aero_scene_begin(f);
    uint32_t mirror = f->next++, source = f->next++, later = f->next++;
    AERO_CMD(&f->s, CREATE_TEXTURE2D, mirror, AERO_TEXTURE, AERO_R8G8B8A8, 2, 2, 1, 1,
             16, 7, 0, 0, 0);
    aero_create_texture(&f->s, source, AERO_TEXTURE, AERO_R8G8B8A8, 2, 2, 1, 1);
    aero_upload(&f->s, source, 0, green, sizeof green);
    AERO_CMD(&f->s, COPY_TEXTURE2D, mirror, source, 0, 0, 0, 0, 1, 0, 1, 0, 1, 2, 1, 0);
    AERO_CMD(&f->s, CREATE_TEXTURE2D, later, AERO_TEXTURE, AERO_R8G8B8A8, 2, 2, 1, 1,
             16, 7, 0, 0, 0);
    aero_use_texture(f, later);
    aero_fill_texture(f, 1, 1);
    aero_present(&f->s);
    submit_backed(f, 0, memory, sizeof memory);
    aero_expect(f, 16, 32, 255, 0, 0, 255);
    aero_expect(f, 48, 32, 0, 255, 0, 255);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

// ---- sharing and contexts ----

// An alias outlives the original's handle.
static void make_shared(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t texel[4] = { 0, 255, 0, 255 };
    (void)variant;
    aero_scene_begin(f);
    uint32_t texture = f->next++, alias = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 1);
    aero_upload(&f->s, texture, 0, texel, 4);
    AERO_CMD(&f->s, EXPORT_SHARED_SURFACE, texture, 0, 5, 6);
    AERO_CMD(&f->s, IMPORT_SHARED_SURFACE, alias, 0, 5, 6);
    AERO_CMD(&f->s, DESTROY_RESOURCE, texture, 0);
    AERO_CMD(&f->s, RELEASE_SHARED_SURFACE, 5, 6, 0, 0);
    aero_use_texture(f, alias);
    aero_fill_texture(f, 1, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// Two contexts keep their own targets, shaders and viewports.
static void make_contexts(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    uint32_t other = f->next++;
    aero_create_texture(&f->s, other, AERO_RENDER_TARGET, AERO_R8G8B8A8, 64, 64, 1, 1);
    aero_submit(&f->file, 1, &f->s, NULL, 0);
    aero_stream_begin(&f->s, AERO_ABI);
    aero_set_target(&f->s, other, 0);
    aero_set_viewport(&f->s, 0, 0, 8, 8);
    aero_clear(&f->s, 1, 0, 0, 1, 1, 1, 0);
    aero_submit(&f->file, 2, &f->s, NULL, 0);
    aero_stream_begin(&f->s, AERO_ABI);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_present(&f->s);
    aero_submit(&f->file, 1, &f->s, NULL, 0);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    f->frame++;
    f->width[1] = f->height[1] = 64;
    aero_begin_frame(&f->file);
    aero_stream_begin(&f->s, AERO_ABI);
    aero_present(&f->s);
    aero_submit(&f->file, 2, &f->s, NULL, 0);
    aero_expect_all(f, 0, 0, 255, 255);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

// Objects die and their numbers are used again, while state persists over frames.
static void make_recycled(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    for (uint32_t i = 0; i < 3; i++) {
        const uint8_t texel[4] = { (uint8_t)(i == 0 ? 255 : 0),
                                   (uint8_t)(i == 1 ? 255 : 0),
                                   (uint8_t)(i == 2 ? 255 : 0), 255 };
        aero_create_texture(&f->s, 90, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 1);
        aero_upload(&f->s, 90, 0, texel, 4);
        aero_use_texture(f, 90);
        aero_fill_texture(f, 1, 1);
        AERO_CMD(&f->s, DESTROY_RESOURCE, 90, 0);
        AERO_CMD(&f->s, DESTROY_RESOURCE, 90, 0);
        aero_expect_all(f, texel[0], texel[1], texel[2], 255);
        aero_scene_frame(f);
    }
    aero_scene_end(f);
}

// ---- compute ----

// A compute shader copies words of a resource buffer into a vertex buffer. variant:
// byte offset of the source | of the target << 16.
static void make_compute(struct aero_scene *f, uint32_t variant)
{
    const uint32_t offset = variant & 0xFFFF, shift = variant >> 16;
    static const uint32_t group[3] = { 1, 1, 1 };
    struct aero_vertex v[3] = { { -1, -1, 0, 0, 1, 0, 1 },
                                { -1, 3, 0, 0, 1, 0, 1 },
                                { 3, -1, 0, 0, 1, 0, 1 } };
    struct aero_asm a;
    struct gv_bytes blob = { 0 };
    uint8_t padded[sizeof v + 256];
    aero_scene_begin(f);
    aero_asm_begin(&a, AERO_PROGRAM_CS, 5);
    aero_decl(&a, 0x11f, group, 3);
    // r0.x = thread id * 4; u0[r0.x] = t0[r0.x]
    AERO_OP(&a, AERO_OP_ISHL, aero_mask(aero_r(0), 1), aero_thread_id(),
            aero_imm_int(2));
    AERO_OP(&a, AERO_OP_LD_RAW, aero_mask(aero_r(1), 1), aero_sw(aero_r(0), "xxxx"),
            aero_t(0));
    AERO_OP(&a, AERO_OP_STORE_RAW, aero_mask(aero_u(0), 1), aero_sw(aero_r(0), "xxxx"),
            aero_sw(aero_r(1), "xxxx"));
    aero_asm_end(&a, &blob);
    uint32_t shader = f->next++, source = f->next++, target = f->next++;
    AERO_CMD(&f->s, CREATE_SHADER_DXBC, shader, 2, (uint32_t)blob.size, 0);
    aero_cmd_data(&f->s, blob.data, blob.size);
    gv_bytes_finish(&blob);
    memset(padded, 0, sizeof padded);
    memcpy(padded + offset, v, sizeof v);
    aero_make_buffer(&f->s, source, AERO_STORAGE, padded, sizeof padded);
    aero_create_buffer(&f->s, target, AERO_STORAGE | AERO_VERTEX, sizeof v + shift);
    AERO_CMD(&f->s, SET_SHADER_RESOURCE_BUFFERS, 2, 0, 1, 0, source, offset, 0, 0);
    AERO_CMD(&f->s, SET_UNORDERED_ACCESS_BUFFERS, 2, 0, 1, 0, target, shift, 0, 0);
    AERO_CMD(&f->s, BIND_SHADERS, AERO_VS, AERO_PS, shader, 0);
    AERO_CMD(&f->s, DISPATCH, sizeof v / 4, 1, 1, 0);
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
    aero_set_vertex_buffer(&f->s, 0, target, sizeof v[0], shift);
    aero_draw(&f->s, 3);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

const struct aero_fixture aero_fixtures_resource[] = {
    { "upload_partial", "byte range of an uploaded texture", make_partial_upload, 0 },
    { "upload_row_pitch", "pitch of mip 0", make_row_pitch, 0 },
    { "copy_rectangle", "COPY_TEXTURE2D of a part", make_copy_rect, 0 },
    { "copy_rectangle_within", "the same inside one texture", make_copy_rect, 1 },
    { "backed_texture", "guest memory at creation", make_backed_texture, 0 },
    { "backed_texture_dirty", "a dirty range refreshes", make_backed_texture, 1 },
    { "backed_constants_dirty", "the same for constants", make_backed_constants, 0 },
    { "writeback_buffer", "COPY_BUFFER into guest memory", make_writeback_buffer, 0 },
    { "writeback_texture", "the same for textures", make_writeback_texture, 0 },
    { "shared_alias", "an alias outlives the original", make_shared, 0 },
    { "two_contexts", "state of each context", make_contexts, 0 },
    { "handles_recycled", "numbers are used again", make_recycled, 0 },
    { "compute_copy", "raw buffers in a dispatch", make_compute, 0 },
    { "compute_copy_target", "unaligned access buffer", make_compute, 64 << 16 },
    { "compute_copy_offset", "unaligned resource buffer", make_compute, 32 },
    { NULL, NULL, NULL, 0 },
};
