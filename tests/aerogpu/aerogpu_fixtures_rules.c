// Fixtures: rules that meet each other: state before its objects, objects that die
// while bound, ranges that leave their buffers, frames without the usual order.
#include "tests/aerogpu/aerogpu_scene.h"

#include <math.h>
#include <string.h>

static const float white[4] = { 1, 1, 1, 1 };
static const float green[4] = { 0, 1, 0, 1 };

// ---- viewport and scissor ----

// A scissor rectangle beside the target: the draw is skipped.
static void make_scissor_outside(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
    AERO_CMD(&f->s, SET_SCISSOR, 100, 100, 10, 10);
    aero_fill(f, 0, 1, 1, 1, 1);
    AERO_CMD(&f->s, SET_SCISSOR, (uint32_t)-20, 0, 10, 64);
    aero_fill(f, 0, 1, 0, 0, 1);
    aero_expect_all(f, 0, 0, 0, 0);
    AERO_CMD(&f->s, SET_SCISSOR, 0, 0, 0x7FFFFFFF, 0x7FFFFFFF);
    aero_quad(f, -0.5f, -0.5f, 0.5f, 0.5f, 0, green);
    f->probe_count = 0;
    aero_expect(f, 32, 32, 0, 255, 0, 255);
    aero_expect(f, 4, 4, 0, 0, 0, 0);
    aero_scene_done(f);
}

// variant: which value makes the packet unset its rectangle.
static void make_unset(struct aero_scene *f, uint32_t variant)
{
    static const float sizes[][2] = { { 0, 64 }, { 64, -1 }, { NAN, 64 }, { 1, 1 } };
    aero_scene_begin(f);
    if (variant < 3) {
        aero_set_viewport(&f->s, 0, 0, 4, 4);
        aero_set_viewport(&f->s, 9, 9, sizes[variant][0], sizes[variant][1]);
    } else {
        AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
        AERO_CMD(&f->s, SET_SCISSOR, 8, 8, 4, 4);
        AERO_CMD(&f->s, SET_SCISSOR, 8, 8, variant == 3 ? 0 : 4,
                 variant == 3 ? 4 : (uint32_t)-4);
    }
    aero_fill(f, 0, 0, 1, 0, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// Negative origins keep the transform: the picture's left upper quarter is cut off.
static void make_viewport_negative(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    aero_set_viewport(&f->s, -32, -16, 64, 32);
    aero_quad(f, 0, -0.5f, 0.5f, 0, 0, white); // x 0 to 16, y 0 to 8
    aero_expect(f, 0, 0, 255, 255, 255, 255);
    aero_expect(f, 15, 7, 255, 255, 255, 255);
    aero_expect(f, 16, 7, 0, 0, 0, 0);
    aero_expect(f, 15, 8, 0, 0, 0, 0);
    aero_scene_done(f);
}

// Wider than Vulkan guarantees: a requirement says so.
static void make_viewport_wide(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    aero_set_viewport(&f->s, -5000, -16, 10000, 32);
    aero_quad(f, 0, -0.5f, 0.0032f, 0, 0, white); // x 0 to 16, y 0 to 8
    aero_expect(f, 0, 0, 255, 255, 255, 255);
    aero_expect(f, 15, 7, 255, 255, 255, 255);
    aero_expect(f, 17, 7, 0, 0, 0, 0);
    aero_expect(f, 15, 8, 0, 0, 0, 0);
    aero_scene_done(f);
}

// State set before there is any target.
static void make_state_first(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    struct aero_scene *s = f;
    aero_scene_begin(s);
    aero_set_target(&f->s, 0, 0);
    aero_set_viewport(&f->s, 0, 0, 16, 8);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
    AERO_CMD(&f->s, SET_SCISSOR, 0, 0, 16, 4);
    AERO_CMD(&f->s, SET_BLEND_STATE, 1, 1, 1, 0, 15, 1, 1, 0, 0, 0, 0, 0, ~0u);
    uint32_t target = f->next++;
    aero_create_texture(&f->s, target, AERO_RENDER_TARGET, AERO_R8G8B8A8, 16, 8, 1, 1);
    aero_set_target(&f->s, target, 0);
    aero_clear(&f->s, 1, 1, 0, 0, 0, 1, 0);
    aero_fill(f, 0, 0, 1, 0, 1);
    f->width[0] = 16;
    f->height[0] = 8;
    aero_expect(f, 8, 3, 255, 255, 0, 255);
    aero_expect(f, 8, 4, 255, 0, 0, 0);
    aero_scene_done(f);
}

// ---- targets and textures ----

// Binding a texture for output drops it from the textures, and the reverse.
static void make_feedback(struct aero_scene *f, uint32_t target_last)
{
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_RENDER_TARGET | AERO_TEXTURE,
                        AERO_R8G8B8A8, 16, 16, 1, 1);
    aero_set_target(&f->s, texture, 0);
    aero_clear(&f->s, 1, 0, 0, 1, 1, 1, 0);
    aero_set_target(&f->s, AERO_TARGET, 0);
    aero_use_texture(f, texture);
    if (target_last) { // t0 is empty now: (0, 0, 0, 1)
        aero_set_target(&f->s, texture, 0);
        f->width[0] = f->height[0] = 16;
        aero_fill_texture(f, 1, 1);
        aero_expect_all(f, 0, 0, 0, 255);
    } else {
        AERO_CMD(&f->s, SET_TEXTURE, 1, 0, AERO_TARGET, 0); // no target is left
        aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
        aero_fill(f, 0, 0, 1, 0, 1); // into the default framebuffer
        aero_expect_all(f, 0, 255, 0, 255);
    }
    aero_scene_done(f);
}

// Reading one level while another is the target is no conflict.
static void make_mip_chain(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    uint32_t texture = f->next++, top = f->next++, next = f->next++;
    aero_create_texture(&f->s, texture, AERO_RENDER_TARGET | AERO_TEXTURE,
                        AERO_R8G8B8A8, 32, 32, 2, 1);
    AERO_CMD(&f->s, CREATE_TEXTURE_VIEW, top, texture, 3, 0, 1, 0, 1, 0, 0);
    AERO_CMD(&f->s, CREATE_TEXTURE_VIEW, next, texture, 3, 1, 1, 0, 1, 0, 0);
    aero_set_target(&f->s, top, 0);
    aero_fill(f, 0, 1, 1, 0, 1);
    aero_set_target(&f->s, next, 0);
    aero_use_texture(f, top);
    aero_fill_texture(f, 1, 1);
    f->width[0] = f->height[0] = 16;
    aero_expect_all(f, 255, 255, 0, 255);
    aero_scene_done(f);
}

// Part of one level of one layer is uploaded again, between two draws that read it.
static void make_array_update(struct aero_scene *f, uint32_t variant)
{
    uint8_t data[2 * (16 + 4) * 4], part[4] = { 0, 255, 0, 255 };
    (void)variant;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = i % 4 == 0 || i % 4 == 3 ? 255 : 0;
    aero_scene_begin(f);
    uint32_t texture = f->next++, view = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 4, 4, 2, 2);
    aero_upload(&f->s, texture, 0, data, sizeof data);
    AERO_CMD(&f->s, CREATE_TEXTURE_VIEW, view, texture, 3, 1, 1, 1, 1, 0, 0);
    aero_use_texture(f, view);
    aero_set_viewport(&f->s, 0, 0, 32, 64);
    aero_fill_texture(f, 1, 1);
    aero_upload(&f->s, texture, 80 + 64 + 8, part, 4); // layer 1, mip 1, texel (0, 1)
    aero_set_viewport(&f->s, 32, 0, 32, 64);
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 8, 48, 255, 0, 0, 255);
    aero_expect(f, 40, 48, 0, 255, 0, 255);
    aero_expect(f, 56, 48, 255, 0, 0, 255);
    aero_expect(f, 40, 16, 255, 0, 0, 255);
    aero_scene_done(f);
}

// A rectangle is copied over itself: what it held before counts.
static void make_copy_overlap(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t row[4][4] = {
        { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }, { 255, 255, 0, 255 }
    };
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 4, 1, 1, 1);
    aero_upload(&f->s, texture, 0, row, sizeof row);
    uint32_t to = variant ? 0 : 1, from = variant ? 1 : 0;
    AERO_CMD(&f->s, COPY_TEXTURE2D, texture, texture, 0, 0, 0, 0, to, 0, from, 0, 3, 1,
             0, 0);
    aero_use_texture(f, texture);
    aero_fill_texture(f, 1, 1);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t k = i >= to && i < to + 3 ? i - to + from : i;
        aero_expect(f, 8 + 16 * i, 32, row[k][0], row[k][1], row[k][2], row[k][3]);
    }
    aero_scene_done(f);
}

// The same handle names a larger target later; the picture has its size.
static void make_resized(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    aero_fill(f, 0, 1, 0, 0, 1);
    aero_expect_all(f, 255, 0, 0, 255);
    aero_scene_frame(f);
    AERO_CMD(&f->s, DESTROY_RESOURCE, AERO_TARGET, 0);
    aero_create_texture(&f->s, AERO_TARGET, AERO_RENDER_TARGET, AERO_B8G8R8A8, 96, 80,
                        1, 1);
    aero_set_target(&f->s, AERO_TARGET, 0);
    f->width[1] = 96;
    f->height[1] = 80;
    aero_expect_all(f, 0, 0, 0, 0); // new content is zero
    aero_scene_frame(f);
    aero_fill(f, 0, 0, 1, 0, 1);
    f->width[2] = 96;
    f->height[2] = 80;
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// Destroying the bound target leaves none: the default framebuffer is drawn to.
static void make_target_destroyed(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    aero_fill(f, 0, 1, 0, 0, 1);
    AERO_CMD(&f->s, DESTROY_RESOURCE, AERO_TARGET, 0);
    aero_quad(f, 0, -1, 1, 1, 0, green);
    aero_expect(f, 16, 32, 0, 0, 0, 0);
    aero_expect(f, 48, 32, 0, 255, 0, 255);
    aero_scene_done(f);
}

// A view keeps what it shows when the texture's handle is destroyed and used again.
static void make_view_outlives(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t texel[4] = { 0, 255, 0, 255 }, other[4] = { 255, 0, 0, 255 };
    (void)variant;
    aero_scene_begin(f);
    uint32_t texture = f->next++, view = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 1);
    aero_upload(&f->s, texture, 0, texel, 4);
    AERO_CMD(&f->s, CREATE_TEXTURE_VIEW, view, texture, 3, 0, 0, 0, 0, 0, 0);
    AERO_CMD(&f->s, DESTROY_RESOURCE, texture, 0);
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 1);
    aero_upload(&f->s, texture, 0, other, 4);
    aero_use_texture(f, view);
    aero_fill_texture(f, 1, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// An X8 texture holds alpha 1 whatever was uploaded, also through a view with alpha.
static void make_x8_view(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t texel[4] = { 0, 255, 0, 7 };
    (void)variant;
    aero_scene_begin(f);
    uint32_t texture = f->next++, view = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, 4, 1, 1, 1, 1);
    aero_upload(&f->s, texture, 0, texel, 4);
    AERO_CMD(&f->s, CREATE_TEXTURE_VIEW, view, texture, 3, 0, 1, 0, 1, 0, 0);
    aero_use_texture(f, view);
    aero_fill_texture(f, 1, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// ---- shaders and constants ----

static void constant_shader(struct aero_scene *f, uint32_t handle, uint32_t index)
{
    struct aero_asm a;
    struct gv_bytes blob = { 0 };
    aero_asm_begin(&a, AERO_PROGRAM_PS, 4);
    aero_asm_input(&a, "SV_Position", 0, 0);
    aero_asm_output(&a, "SV_Target", 0, 0);
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_cb(0, index));
    aero_asm_end(&a, &blob);
    aero_create_shader(&f->s, handle, 1, blob.data, blob.size);
    gv_bytes_finish(&blob);
}

// Constants stay over shader changes; a buffer in slot 0 hides them until it is
// unbound.
static void make_constants_stay(struct aero_scene *f, uint32_t variant)
{
    static const float blue[4] = { 0, 0, 1, 1 };
    (void)variant;
    aero_scene_begin(f);
    uint32_t a = f->next++, b = f->next++, buffer = f->next++;
    constant_shader(f, a, 3);
    constant_shader(f, b, 4);
    aero_make_buffer(&f->s, buffer, AERO_CONSTANT, blue, sizeof blue);
    AERO_CMD(&f->s, SET_SHADER_CONSTANTS_F, 1, 3, 2, 0, 0x3F800000, 0, 0, 0x3F800000, 0,
             0x3F800000, 0, 0x3F800000);
    aero_bind_shaders(&f->s, AERO_VS, a);
    aero_quad(f, -1, -1, -0.5f, 1, 0, white);
    aero_bind_shaders(&f->s, AERO_VS, b);
    aero_quad(f, -0.5f, -1, 0, 1, 0, white);
    AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 0, 1, 0, buffer, 0, 0, 0);
    aero_quad(f, 0, -1, 0.5f, 1, 0, white); // 16 bytes hold no c4: zeros
    AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 0, 1, 0, 0, 0, 0, 0);
    aero_quad(f, 0.5f, -1, 1, 1, 0, white);
    aero_expect(f, 8, 32, 255, 0, 0, 255);
    aero_expect(f, 24, 32, 0, 255, 0, 255);
    aero_expect(f, 40, 32, 0, 0, 0, 0);
    aero_expect(f, 56, 32, 0, 255, 0, 255);
    aero_scene_done(f);
}

// variant 0: SET_TEXTURE binds a buffer, which the pixel shader reads as raw words;
// 1: the vertex stage has textures of its own.
static void make_stage_resource(struct aero_scene *f, uint32_t vertex)
{
    static const uint8_t texel[4] = { 0, 255, 0, 255 };
    struct aero_asm a;
    struct gv_bytes blob = { 0 };
    aero_scene_begin(f);
    uint32_t shader = f->next++, resource = f->next++;
    aero_asm_begin(&a, vertex ? AERO_PROGRAM_VS : AERO_PROGRAM_PS, 5);
    if (vertex) {
        aero_asm_input(&a, "POSITION", 0, 0);
        aero_asm_output(&a, "SV_Position", 0, 0);
        aero_asm_output(&a, "COLOR", 0, 1);
        AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_v(0));
        AERO_OP(&a, AERO_OP_LD, aero_mask(aero_o(1), 15), aero_imm(0, 0, 0, 0),
                aero_t(0));
        aero_create_texture(&f->s, resource, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 1);
        aero_upload(&f->s, resource, 0, texel, 4);
    } else {
        aero_asm_input(&a, "SV_Position", 0, 0);
        aero_asm_output(&a, "SV_Target", 0, 0);
        AERO_OP(&a, AERO_OP_LD_RAW, aero_mask(aero_o(0), 15), aero_imm_int(0),
                aero_t(0));
        aero_make_buffer(&f->s, resource, AERO_STORAGE, green, sizeof green);
    }
    aero_asm_end(&a, &blob);
    aero_create_shader(&f->s, shader, vertex ? 0 : 1, blob.data, blob.size);
    gv_bytes_finish(&blob);
    AERO_CMD(&f->s, SET_TEXTURE, vertex ? 0 : 1, 0, resource, 0);
    aero_bind_shaders(&f->s, vertex ? shader : AERO_VS, vertex ? AERO_PS : shader);
    aero_fill(f, 0, 1, 0, 0, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// No pixel shader and a depth target alone: depth is written, then limits a draw. With
// a colour target beside it, that keeps its content.
static void make_depth_only(struct aero_scene *f, uint32_t color)
{
    aero_scene_begin(f);
    uint32_t depth = f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL, AERO_D24S8, 64, 64, 1, 1);
    aero_set_target(&f->s, color ? AERO_TARGET : 0, depth);
    aero_clear(&f->s, 2 | 4, 0, 0, 0, 0, 1, 0);
    aero_bind_shaders(&f->s, AERO_VS, 0);
    aero_quad(f, -1, -1, 0, 1, 0.25f, white);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
    aero_fill(f, 0.5f, 0, 1, 0, 1);
    aero_expect(f, 16, 32, 0, 0, 0, 0);
    aero_expect(f, 48, 32, 0, 255, 0, 255);
    aero_scene_done(f);
}

// The stencil test of the packet passes always and keeps the content.
static void make_stencil_packet(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    uint32_t depth = f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL, AERO_D24S8, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 2 | 4, 0, 0, 0, 0, 1, 0x155);
    AERO_CMD(&f->s, SET_DEPTH_STENCIL_STATE, 0, 1, 0, 1, 0xFFFF);
    aero_fill(f, 0.5f, 0, 1, 0, 1);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// ---- targets of several sizes and masks ----

// A smaller second target: a clear covers both wholly, draws what both have.
static void make_sizes(struct aero_scene *f, uint32_t second)
{
    aero_scene_begin(f);
    uint32_t small = f->next++;
    aero_create_texture(&f->s, small, AERO_RENDER_TARGET, AERO_R8G8B8A8, 16, 8, 1, 1);
    AERO_CMD(&f->s, SET_RENDER_TARGETS, 2, 0, AERO_TARGET, small, 0, 0, 0, 0, 0, 0);
    aero_clear(&f->s, 1, 0, 0, 1, 1, 1, 0);
    if (second) {
        aero_set_target(&f->s, small, 0);
        f->width[0] = 16;
        f->height[0] = 8;
    }
    aero_expect_all(f, 0, 0, 255, 255);
    aero_scene_done(f);
}

// A read-only part: the blend factor of each target is the same, the content differs.
static void make_blend_two(struct aero_scene *f, uint32_t second)
{
    struct aero_asm a;
    struct gv_bytes blob = { 0 };
    aero_scene_begin(f);
    uint32_t other = f->next++, shader = f->next++;
    aero_create_texture(&f->s, other, AERO_RENDER_TARGET, AERO_B8G8R8A8, 64, 64, 1, 1);
    aero_set_target(&f->s, other, 0);
    aero_clear(&f->s, 1, 1, 0, 0, 1, 1, 0);
    aero_asm_begin(&a, AERO_PROGRAM_PS, 4);
    aero_asm_input(&a, "SV_Position", 0, 0);
    aero_asm_input(&a, "COLOR", 0, 1);
    aero_asm_output(&a, "SV_Target", 0, 0);
    aero_asm_output(&a, "SV_Target", 1, 1);
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_v(1));
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(1), 15), aero_v(1));
    aero_asm_end(&a, &blob);
    aero_create_shader(&f->s, shader, 1, blob.data, blob.size);
    gv_bytes_finish(&blob);
    aero_bind_shaders(&f->s, AERO_VS, shader);
    AERO_CMD(&f->s, SET_RENDER_TARGETS, 2, 0, AERO_TARGET, other, 0, 0, 0, 0, 0, 0);
    AERO_CMD(&f->s, SET_BLEND_STATE, 1, 1, 1, 0, 7, 1, 1, 0, 0, 0, 0, 0, ~0u);
    aero_fill(f, 0, 0, 1, 0, 1);
    if (second) {
        aero_set_target(&f->s, other, 0);
        aero_expect_all(f, 255, 255, 0, 255);
    } else {
        aero_expect_all(f, 0, 255, 0, 0);
    }
    aero_scene_done(f);
}

// ---- the interpretation without shaders ----

// Depth, blending, scissor and topology stay what they are.
static void make_fixed_state(struct aero_scene *f, uint32_t variant)
{
    static const float v[4][7] = { { -1, -1, 0.5f, 0, 1, 0, 1 },
                                   { 1, -1, 0.5f, 0, 1, 0, 1 },
                                   { -1, 1, 0.5f, 0, 1, 0, 1 },
                                   { 1, 1, 0.5f, 0, 1, 0, 1 } };
    static const uint32_t indices[4] = { 0, 1, 2, 3 };
    (void)variant;
    aero_scene_begin(f);
    uint32_t buffer = f->next++, index = f->next++, depth = f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL, AERO_D32, 64, 64, 1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 3, 1, 0, 0, 1, 0.75f, 0);
    aero_bind_shaders(&f->s, 0, 0);
    AERO_CMD(&f->s, SET_INPUT_LAYOUT, 0, 0);
    AERO_CMD(&f->s, SET_BLEND_STATE, 1, 1, 1, 0, 15);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 5, 0);
    aero_make_buffer(&f->s, buffer, AERO_VERTEX, v, sizeof v);
    aero_make_buffer(&f->s, index, AERO_INDEX, indices, sizeof indices);
    aero_set_vertex_buffer(&f->s, 0, buffer, 28, 0);
    AERO_CMD(&f->s, SET_INDEX_BUFFER, index, 1, 0, 0);
    AERO_CMD(&f->s, DRAW_INDEXED, 4, 1, 0, 0, 0);
    aero_expect_all(f, 255, 255, 0, 255);
    AERO_CMD(&f->s, DRAW_INDEXED, 4, 1, 0, 0, 0); // LESS: nothing
    aero_scene_done(f);
}

// Adjacency topologies without a geometry shader: the neighbours do not count. variant:
// the topology.
static void make_adjacency(struct aero_scene *f, uint32_t topology)
{
    const struct aero_vertex far = { 0, 0, 0, 1, 0, 0, 1 };
    const struct aero_vertex corners[3] = { { -1, -1, 0, 0, 1, 0, 1 },
                                            { -1, 3, 0, 0, 1, 0, 1 },
                                            { 3, -1, 0, 0, 1, 0, 1 } };
    const struct aero_vertex ends[2] = { { -1, 1.0f / 64, 0, 0, 1, 0, 1 },
                                         { 1.1f, 1.0f / 64, 0, 0, 1, 0, 1 } };
    const struct aero_vertex lines[4] = { far, ends[0], ends[1], far };
    const struct aero_vertex triangles[6] = { corners[0], far,        corners[1],
                                              far,        corners[2], far };
    bool triangle = topology >= 12;
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, topology, 0);
    aero_vertices(f, triangle ? triangles : lines, triangle ? 6 : 4);
    aero_draw(&f->s, triangle ? 6 : 4);
    aero_expect(f, 1, 31, 0, 255, 0, 255);
    aero_expect(f, 62, 31, 0, 255, 0, 255);
    aero_expect(f, 30, 60, 0, triangle ? 255 : 0, 0, triangle ? 255 : 0);
    aero_scene_done(f);
}

// Shaders, layouts and samplers die; their numbers name other things.
static void make_objects_destroyed(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    uint32_t shader = f->next++, layout = f->next++, sampler = f->next++;
    static const struct aero_element element = { "POSITION", 0, AERO_DXGI_RGB32F, 0, 0,
                                                 0,          0 };
    for (uint32_t i = 0; i < 2; i++) {
        constant_shader(f, shader, 0);
        aero_create_layout(&f->s, layout, &element, 1);
        AERO_CMD(&f->s, CREATE_SAMPLER, sampler, 0, 0, 0, 0);
        AERO_CMD(&f->s, SET_SAMPLERS, 1, 0, 1, 0, sampler);
        AERO_CMD(&f->s, SET_INPUT_LAYOUT, layout, 0);
        aero_bind_shaders(&f->s, AERO_VS, shader);
        AERO_CMD(&f->s, SET_SHADER_CONSTANTS_F, 1, 0, 1, 0, 0, 0x3F800000, 0,
                 0x3F800000);
        aero_quad(f, i ? 0 : -1, -1, i ? 1 : 0, 1, 0, white);
        AERO_CMD(&f->s, SET_INPUT_LAYOUT, AERO_LAYOUT, 0);
        aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
        for (uint32_t k = 0; k < 2; k++) { // a second time is none
            AERO_CMD(&f->s, DESTROY_SHADER, shader, 0);
            AERO_CMD(&f->s, DESTROY_INPUT_LAYOUT, layout, 0);
            AERO_CMD(&f->s, DESTROY_SAMPLER, sampler, 0);
        }
        AERO_CMD(&f->s, DESTROY_RESOURCE, AERO_VS, 0); // is no resource
        uint32_t turned = shader; // each takes the next one's number
        shader = layout;
        layout = sampler;
        sampler = turned;
    }
    aero_expect(f, 16, 32, 0, 255, 0, 255);
    aero_expect(f, 48, 32, 0, 255, 0, 255);
    aero_scene_done(f);
}

// A clear through an sRGB view encodes; variant 1: beside a target of another size.
static void make_view_srgb_target(struct aero_scene *f, uint32_t sizes)
{
    aero_scene_begin(f);
    f->tolerance = 1;
    uint32_t texture = f->next++, view = f->next++;
    aero_create_texture(&f->s, texture, AERO_RENDER_TARGET, AERO_R8G8B8A8, 16, 16, 1,
                        1);
    AERO_CMD(&f->s, CREATE_TEXTURE_VIEW, view, texture, 9, 0, 1, 0, 1, 0, 0);
    AERO_CMD(&f->s, SET_RENDER_TARGETS, sizes ? 2 : 1, 0, view, AERO_TARGET, 0, 0, 0, 0,
             0, 0);
    aero_clear(&f->s, 1, 0.5f, 0, 1, 0.5f, 1, 0);
    f->width[0] = f->height[0] = 16;
    aero_expect_all(f, 188, 0, 255, 128);
    aero_scene_frame(f);
    aero_set_target(&f->s, AERO_TARGET, 0);
    aero_expect_all(f, sizes ? 128 : 0, 0, sizes ? 255 : 0, sizes ? 128 : 0);
    aero_scene_done(f);
}

const struct aero_fixture aero_fixtures_rules[] = {
    { "scissor_outside", "an empty scissor skips draws", make_scissor_outside, 0 },
    { "viewport_width_0", "width 0 unsets", make_unset, 0 },
    { "viewport_height_negative", "height below 0 unsets", make_unset, 1 },
    { "viewport_nan", "values without end unset", make_unset, 2 },
    { "scissor_width_0", "width 0 unsets", make_unset, 3 },
    { "scissor_height_negative", "height below 0 unsets", make_unset, 4 },
    { "viewport_negative", "negative origin", make_viewport_negative, 0 },
    { "viewport_wide", "10000 pixels wide", make_viewport_wide, 0 },
    { "state_first", "state before targets", make_state_first, 0 },
    { "feedback_target", "SET_TEXTURE takes a target", make_feedback, 0 },
    { "feedback_texture", "a target takes a texture", make_feedback, 1 },
    { "mip_chain", "one level from another", make_mip_chain, 0 },
    { "array_update", "part of a level of a layer", make_array_update, 0 },
    { "copy_overlap_right", "rectangles overlap", make_copy_overlap, 0 },
    { "copy_overlap_left", "rectangles overlap", make_copy_overlap, 1 },
    { "target_resized", "a handle used again", make_resized, 0 },
    { "target_destroyed", "bound slots drop it", make_target_destroyed, 0 },
    { "view_outlives", "a view of a destroyed texture", make_view_outlives, 0 },
    { "x8_view", "uploads make alpha 1", make_x8_view, 0 },
    { "constants_stay", "constants over shader changes", make_constants_stay, 0 },
    { "texture_buffer", "SET_TEXTURE of a buffer", make_stage_resource, 0 },
    { "texture_vertex", "textures of the vertex stage", make_stage_resource, 1 },
    { "depth_only", "no pixel shader, depth only", make_depth_only, 0 },
    { "depth_only_color", "no pixel shader, colour is kept", make_depth_only, 1 },
    { "stencil_packet", "KEEP and ALWAYS", make_stencil_packet, 0 },
    { "clear_sizes_large", "targets of two sizes", make_sizes, 0 },
    { "clear_sizes_small", "targets of two sizes", make_sizes, 1 },
    { "blend_two_first", "blending two targets", make_blend_two, 0 },
    { "blend_two_second", "blending two targets", make_blend_two, 1 },
    { "fixed_state", "state without shaders", make_fixed_state, 0 },
    { "topology_adjacency_10", "topology 10", make_adjacency, 10 },
    { "topology_adjacency_11", "topology 11", make_adjacency, 11 },
    { "topology_adjacency_12", "topology 12", make_adjacency, 12 },
    { "topology_adjacency_13", "topology 13", make_adjacency, 13 },
    { "objects_destroyed", "numbers of all kinds", make_objects_destroyed, 0 },
    { "view_srgb_target", "a view encodes", make_view_srgb_target, 0 },
    { "view_srgb_sizes", "a view encodes", make_view_srgb_target, 1 },
    { NULL, NULL, NULL, 0 },
};
