// Fixtures: streams, contexts and frames out of the usual order; work in strict order.
#include "tests/aerogpu/aerogpu_scene.h"

// Longer packets and an unknown minor version: what is known counts.
static void make_longer_packets(struct aero_scene *f, uint32_t abi)
{
    aero_scene_begin(f);
    f->s.bytes.data[4] = (uint8_t)abi;
    f->s.bytes.data[5] = (uint8_t)(abi >> 8);
    AERO_CMD(&f->s, SET_RENDER_TARGETS, 1, 0, AERO_TARGET, 0, 0, 0, 0, 0, 0, 0, 9, 9,
             9);
    AERO_CMD(&f->s, BIND_SHADERS, AERO_VS, AERO_PS, 0, 77, 0, 0, 0, 88); // 36 and more
    AERO_CMD(&f->s, SET_BLEND_STATE, 0, 1, 0, 0, 15, 1, 0, 0, 0, 0, 0, 0, ~0u, 5, 5);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 0, 0, 0, 1, 2, 3);
    aero_cmd(&f->s, 0x7FE, (const uint32_t[]){ 1, 2, 3 }, 3);
    AERO_CMD(&f->s, DEBUG_MARKER, 0x64656C);
    AERO_CMD(&f->s, FLUSH, 0, 0);
    aero_fill(f, 0, 0, 1, 0, 1);
    AERO_CMD(&f->s, DRAW, 0, 1, 0, 0, 3, 3);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// Two contexts draw in turns to one target in one frame, each with its own state.
static void make_interleaved(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_BLEND_STATE, 1, 1, 1, 0, 15, 1, 1, 0, 0, 0, 0, 0, ~0u);
    aero_quad(f, -1, -1, 0, 1, 0, (const float[]){ 1, 0, 0, 0.5f });
    aero_submit(&f->file, 1, &f->s, NULL, 0);
    aero_stream_begin(&f->s, AERO_ABI);
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
    AERO_CMD(&f->s, SET_INPUT_LAYOUT, AERO_LAYOUT, 0);
    aero_set_target(&f->s, AERO_TARGET, 0);
    aero_quad(f, 0, -1, 1, 1, 0, (const float[]){ 0, 0, 1, 1 });
    aero_submit(&f->file, 2, &f->s, NULL, 0);
    aero_stream_begin(&f->s, AERO_ABI);
    aero_fill(f, 0, 0, 1, 0, 0); // adds
    aero_submit(&f->file, 1, &f->s, NULL, 0);
    aero_stream_begin(&f->s, AERO_ABI);
    aero_quad(f, 0, -1, 1, 0, 0, (const float[]){ 1, 0, 0, 0 }); // replaces
    aero_present(&f->s);
    aero_submit(&f->file, 2, &f->s, NULL, 0);
    aero_expect(f, 16, 32, 255, 255, 0, 128);
    aero_expect(f, 48, 16, 0, 255, 255, 255);
    aero_expect(f, 48, 48, 255, 0, 0, 0);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

// Stages 4 and 5 are hull and domain before ABI 1.3, and stage_ex is not looked at.
static void make_old_stages(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    f->s.bytes.data[4] = 2;
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 1);
    AERO_CMD(&f->s, SET_TEXTURE, 2, 0, texture, 1);
    AERO_CMD(&f->s, SET_TEXTURE, 4, 0, texture, 99);
    AERO_CMD(&f->s, SET_TEXTURE, 5, 0, texture, 99);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// What was shown is what PRESENT saw: later work, targets and frames do not count.
static void make_present_last(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    uint32_t other = f->next++;
    aero_create_texture(&f->s, other, AERO_RENDER_TARGET, AERO_R8G8B8A8, 8, 4, 1, 1);
    aero_set_target(&f->s, other, 0);
    aero_clear(&f->s, 1, 1, 0, 0, 1, 1, 0);
    aero_present(&f->s); // the last one of a frame wins
    aero_set_target(&f->s, AERO_TARGET, 0);
    aero_fill(f, 0, 0, 1, 0, 1);
    AERO_CMD(&f->s, PRESENT_EX, 3, 0xFFFFFFFF, 0x1234, 0);
    aero_clear(&f->s, 1, 0, 0, 1, 1, 1, 0);
    aero_set_target(&f->s, other, 0);
    aero_submit(&f->file, 0, &f->s, NULL, 0);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

// A Present record takes the picture of the last PRESENT packet since the one before,
// which may stand in an earlier frame.
static void make_present_late(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_present(&f->s);
    aero_submit(&f->file, 0, &f->s, NULL, 0);
    aero_end_frame(&f->file);
    f->width[0] = f->height[0] = 0;
    f->frame = 1;
    f->width[1] = f->height[1] = AERO_SIDE;
    aero_begin_frame(&f->file);
    aero_stream_begin(&f->s, AERO_ABI);
    aero_clear(&f->s, 1, 1, 0, 0, 1, 1, 0);
    aero_submit(&f->file, 0, &f->s, NULL, 0);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_expect_all(f, 0, 255, 0, 255);
    f->frame = 2;
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

// A later blob with the same number replaces the earlier one.
static void make_blob_replaced(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t none[4] = { 0 };
    (void)variant;
    aero_scene_begin(f);
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_blob(&f->file, GV_BLOB_TEXTURE, none, sizeof none);
    f->file.next_blob--;
    aero_scene_done(f);
}

// ---- program order ----

// An upload between two draws affects only the second: of a texture that is read
// (variant 0), of the target itself (1), by a copy from the target (2).
static void make_order(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t red[4] = { 255, 0, 0, 255 }, blue[4] = { 0, 0, 255, 255 };
    uint8_t texels[64 * 64 * 4];
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 1);
    aero_upload(&f->s, texture, 0, red, 4);
    aero_use_texture(f, texture);
    aero_set_viewport(&f->s, 0, 0, 32, 64);
    aero_fill_texture(f, 1, 1);
    if (variant == 0) {
        aero_upload(&f->s, texture, 0, blue, 4);
    } else if (variant == 1) {
        for (size_t i = 0; i < sizeof texels; i++)
            texels[i] = i % 4 == 1 || i % 4 == 3 ? 255 : 0;
        aero_upload(&f->s, AERO_TARGET, 0, texels, sizeof texels);
    } else {
        aero_set_viewport(&f->s, 0, 0, 0, 0);
        aero_clear(&f->s, 1, 0, 0, 1, 1, 1, 0);
        AERO_CMD(&f->s, COPY_TEXTURE2D, texture, AERO_TARGET, 0, 0, 0, 0, 0, 0, 9, 9, 1,
                 1, 0, 0);
        aero_clear(&f->s, 1, 1, 0, 0, 1, 1, 0);
    }
    aero_set_viewport(&f->s, 32, 0, 32, 64);
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 16, 32, variant == 1 ? 0 : 255, variant == 1 ? 255 : 0, 0, 255);
    aero_expect(f, 48, 32, variant == 1 ? 255 : 0, 0, variant == 1 ? 0 : 255, 255);
    aero_scene_done(f);
}

// A dispatch between two draws of one state changes the vertices of the second.
static void make_dispatch_between(struct aero_scene *f, uint32_t variant)
{
    static const uint32_t group[3] = { 1, 1, 1 };
    const struct aero_vertex left[3] = { { -1, -1, 0, 0, 1, 0, 1 },
                                         { -1, 3, 0, 0, 1, 0, 1 },
                                         { 0, -1, 0, 0, 1, 0, 1 } };
    const struct aero_vertex right[3] = { { 1, 3, 0, 0, 0, 1, 1 },
                                          { 1, -1, 0, 0, 0, 1, 1 },
                                          { 0, -1, 0, 0, 0, 1, 1 } };
    struct aero_asm a;
    struct gv_bytes blob = { 0 };
    aero_scene_begin(f);
    uint32_t shader = f->next++, source = f->next++, target = f->next++;
    aero_asm_begin(&a, AERO_PROGRAM_CS, 5);
    aero_decl(&a, 0x11f, group, 3);
    AERO_OP(&a, AERO_OP_ISHL, aero_mask(aero_r(0), 1), aero_thread_id(),
            aero_imm_int(2));
    AERO_OP(&a, AERO_OP_LD_RAW, aero_mask(aero_r(1), 1), aero_sw(aero_r(0), "xxxx"),
            aero_t(0));
    AERO_OP(&a, AERO_OP_STORE_RAW, aero_mask(aero_u(0), 1), aero_sw(aero_r(0), "xxxx"),
            aero_sw(aero_r(1), "xxxx"));
    aero_asm_end(&a, &blob);
    AERO_CMD(&f->s, CREATE_SHADER_DXBC, shader, 2, (uint32_t)blob.size, 0);
    aero_cmd_data(&f->s, blob.data, blob.size);
    gv_bytes_finish(&blob);
    aero_make_buffer(&f->s, source, AERO_STORAGE, right, sizeof right);
    // Tracked while compiling, if it is a constant buffer too.
    aero_make_buffer(&f->s, target,
                     AERO_STORAGE | AERO_VERTEX | (variant ? AERO_CONSTANT : 0), left,
                     sizeof left);
    AERO_CMD(&f->s, SET_SHADER_RESOURCE_BUFFERS, 2, 0, 1, 0, source, 0, 0, 0);
    AERO_CMD(&f->s, SET_UNORDERED_ACCESS_BUFFERS, 2, 0, 1, 0, target, 0, 0, 0);
    aero_set_vertex_buffer(&f->s, 0, target, sizeof left[0], 0);
    aero_draw(&f->s, 3);
    AERO_CMD(&f->s, BIND_SHADERS, AERO_VS, AERO_PS, shader, 0);
    AERO_CMD(&f->s, DISPATCH, sizeof left / 4, 1, 1, 0);
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
    aero_draw(&f->s, 3);
    aero_expect(f, 2, 60, 0, 255, 0, 255);
    aero_expect(f, 61, 60, 0, 0, 255, 255);
    aero_scene_done(f);
}

const struct aero_fixture aero_fixtures_frames[] = {
    { "packets_longer", "tails are ignored", make_longer_packets, 4 },
    { "packets_minor_99", "any minor version", make_longer_packets, 99 },
    { "stages_old", "stages before ABI 1.3", make_old_stages, 0 },
    { "contexts_interleaved", "two contexts in turns", make_interleaved, 0 },
    { "present_last", "the last PRESENT wins", make_present_last, 0 },
    { "present_late", "PRESENT in an earlier frame", make_present_late, 0 },
    { "order_texture", "upload between draws", make_order, 0 },
    { "order_target", "upload of a target", make_order, 1 },
    { "order_copy", "copy of a target", make_order, 2 },
    { "order_dispatch", "dispatch between draws", make_dispatch_between, 0 },
    { "order_dispatch_tracked", "the same", make_dispatch_between, 1 },
    { "blob_replaced", "a later blob of the same id", make_blob_replaced, 0 },
    { NULL, NULL, NULL, 0 },
};
