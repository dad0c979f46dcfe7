// Fixtures: texture formats, mips, layers, views, samplers.
#include "tests/aerogpu/aerogpu_scene.h"

#include <string.h>

// ---- formats ----

struct texel_format {
    uint32_t format, size; // bytes of a texel or block
    uint8_t bytes[16];
    uint8_t rgba[4];
};
static const struct texel_format texel_formats[] = {
    { 1, 4, { 153, 102, 51, 204 }, { 51, 102, 153, 204 } },
    { 2, 4, { 153, 102, 51, 7 }, { 51, 102, 153, 255 } },
    { 3, 4, { 51, 102, 153, 204 }, { 51, 102, 153, 204 } },
    { 4, 4, { 51, 102, 153, 7 }, { 51, 102, 153, 255 } },
    { 5, 2, { 0x10, 0x84 }, { 132, 130, 132, 255 } },
    { 6, 2, { 0x1F, 0x80 }, { 0, 0, 255, 255 } },
    { 6, 2, { 0xE0, 0x03 }, { 0, 255, 0, 0 } },
    // 188 in sRGB is 0.503 linear.
    { 7, 4, { 188, 188, 188, 128 }, { 128, 128, 128, 128 } },
    { 9, 4, { 188, 255, 0, 128 }, { 128, 255, 0, 128 } },
    { 10, 4, { 188, 255, 0, 0 }, { 128, 255, 0, 255 } },
    // BC1: two colours, index 0 everywhere: pure red.
    { 64, 8, { 0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0 }, { 255, 0, 0, 255 } },
    // First colour below the second: index 3 is transparent black.
    { 64, 8, { 0x1F, 0x00, 0x00, 0xF8, 0xFF, 0xFF, 0xFF, 0xFF }, { 0, 0, 0, 0 } },
    { 65, 8, { 0xE0, 0x07, 0, 0, 0, 0, 0, 0 }, { 0, 255, 0, 255 } },
    // BC2: explicit alpha 8 of 15, then BC1 colours.
    { 66,
      16,
      { 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x1F, 0, 0, 0 },
      { 0, 0, 255, 136 } },
    { 67,
      16,
      { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0xF8, 0, 0 },
      { 255, 0, 0, 255 } },
    // BC3: alpha 0 is 100, index 0 everywhere.
    { 68, 16, { 100, 0, 0, 0, 0, 0, 0, 0, 0xE0, 0x07, 0, 0 }, { 0, 255, 0, 100 } },
    { 69, 16, { 255, 0, 0, 0, 0, 0, 0, 0, 0x1F, 0, 0, 0 }, { 0, 0, 255, 255 } },
    // BC7 mode 6: end points of 7 bits and a shared bit each; red 255 and alpha 255.
    { 70, 16, { 0xC0, 0xFF, 0x1F, 0, 0, 0, 0xFE, 0xFF, 1 }, { 255, 1, 1, 255 } },
    // The same with red 189, which is 0.509 linear.
    { 71, 16, { 0x40, 0xAF, 0x17, 0, 0, 0, 0xFE, 0xFF, 1 }, { 130, 0, 0, 255 } },
    { 8, 4, { 0, 255, 188, 9 }, { 128, 255, 0, 255 } },
};

static uint32_t make_texture(struct aero_scene *f, uint32_t format, uint32_t w,
                             uint32_t h, uint32_t mips, uint32_t layers,
                             const void *data, size_t size)
{
    uint32_t handle = f->next++;
    aero_create_texture(&f->s, handle, AERO_TEXTURE, format, w, h, mips, layers);
    aero_upload(&f->s, handle, 0, data, size);
    return handle;
}

static void make_format(struct aero_scene *f, uint32_t row)
{
    const struct texel_format *t = &texel_formats[row];
    uint8_t bytes[16 * 4];
    bool blocks = t->format >= 64;
    uint32_t count = blocks ? 1 : 16;
    for (uint32_t i = 0; i < count; i++)
        memcpy(bytes + i * t->size, t->bytes, t->size);
    aero_scene_begin(f);
    f->tolerance = 1;
    aero_use_texture(f, make_texture(f, t->format, 4, 4, 1, 1, bytes, count * t->size));
    aero_fill_texture(f, 1, 1);
    aero_expect_all(f, t->rgba[0], t->rgba[1], t->rgba[2], t->rgba[3]);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A block texture whose sides are no multiples of 4: 5x5 has 2x2 blocks.
static void make_partial_blocks(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t blocks[4][8] = {
        { 0x00, 0xF8 }, { 0xE0, 0x07 }, { 0x1F, 0x00 }, { 0xFF, 0xFF }
    };
    (void)variant;
    aero_scene_begin(f);
    aero_use_texture(f, make_texture(f, 64, 5, 5, 1, 1, blocks, sizeof blocks));
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 10, 10, 255, 0, 0, 255);
    aero_expect(f, 60, 10, 0, 255, 0, 255);
    aero_expect(f, 10, 60, 0, 0, 255, 255);
    aero_expect(f, 60, 60, 255, 255, 255, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// One block of a texture written anew, then copied into another texture and within it.
static void make_block_updates(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t red[4][8] = {
        { 0x00, 0xF8 }, { 0x00, 0xF8 }, { 0x00, 0xF8 }, { 0x00, 0xF8 }
    };
    static const uint8_t blue[8] = { 0x1F, 0x00 };
    (void)variant;
    aero_scene_begin(f);
    uint32_t from = make_texture(f, 64, 8, 8, 1, 1, red, sizeof red);
    uint32_t to = make_texture(f, 64, 8, 8, 1, 1, red, sizeof red);
    aero_upload(&f->s, from, 8, blue, sizeof blue); // the block at 4,0
    AERO_CMD(&f->s, COPY_TEXTURE2D, to, from, 0, 0, 0, 0, 0, 4, 4, 0, 4, 4, 0, 0);
    AERO_CMD(&f->s, COPY_TEXTURE2D, to, to, 0, 0, 0, 0, 4, 0, 0, 4, 4, 4, 0, 0);
    aero_use_texture(f, to);
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 10, 10, 255, 0, 0, 255);
    aero_expect(f, 60, 10, 0, 0, 255, 255);
    aero_expect(f, 10, 60, 0, 0, 255, 255);
    aero_expect(f, 60, 60, 255, 0, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// ---- mips, layers, views ----

static void fill_texels(uint8_t *p, uint32_t count, uint8_t r, uint8_t g, uint8_t b)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t t[4] = { r, g, b, 255 };
        memcpy(p + 4 * i, t, 4);
    }
}

// Levels of an 8x8 texture in different colours; drawn so small that level 1 is it.
static void make_mips(struct aero_scene *f, uint32_t variant)
{
    uint8_t data[(64 + 16 + 4 + 1) * 4];
    (void)variant;
    fill_texels(data, 64, 255, 0, 0);
    fill_texels(data + 64 * 4, 16, 0, 255, 0);
    fill_texels(data + 80 * 4, 4, 0, 0, 255);
    fill_texels(data + 84 * 4, 1, 255, 255, 255);
    aero_scene_begin(f);
    uint32_t sampler = f->next++;
    AERO_CMD(&f->s, CREATE_SAMPLER, sampler, 0, 1, 1, 1);
    AERO_CMD(&f->s, SET_SAMPLERS, 1, 0, 1, 0, sampler);
    aero_use_texture(f, make_texture(f, 3, 8, 8, 4, 1, data, sizeof data));
    aero_fill_texture(f, 16, 16); // 128 texels over 64 pixels: two to a pixel
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// variant: 0 mip 1 through a view, 1 layer 1, 2 the sRGB form of a plain texture.
static void make_view(struct aero_scene *f, uint32_t variant)
{
    uint8_t data[2 * 5 * 4];
    fill_texels(data, 4, 255, 0, 0);
    fill_texels(data + 16, 1, 0, 255, 0);
    fill_texels(data + 20, 4, 0, 0, 188);
    fill_texels(data + 36, 1, 255, 255, 255);
    aero_scene_begin(f);
    f->tolerance = 1;
    uint32_t texture = make_texture(f, 3, 2, 2, 2, 2, data, sizeof data);
    uint32_t view = f->next++;
    AERO_CMD(&f->s, CREATE_TEXTURE_VIEW, view, texture, variant == 2 ? 9 : 3,
             variant == 0, variant == 0 ? 1 : 0, variant != 0, 1, 0, 0);
    aero_use_texture(f, view);
    aero_fill_texture(f, 1, 1);
    if (variant == 0)
        aero_expect_all(f, 0, 255, 0, 255);
    else
        aero_expect_all(f, 0, 0, variant == 1 ? 188 : 128, 255);
    AERO_CMD(&f->s, DESTROY_TEXTURE_VIEW, view, 0);
    AERO_CMD(&f->s, DESTROY_TEXTURE_VIEW, view, 0);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A view as target: mip 1, layer 1 of a texture, then that presented.
static void make_target_view(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    uint32_t texture = f->next++, view = f->next++;
    aero_create_texture(&f->s, texture, AERO_RENDER_TARGET, AERO_R8G8B8A8, 32, 32, 2,
                        2);
    AERO_CMD(&f->s, CREATE_TEXTURE_VIEW, view, texture, 3, 1, 1, 1, 1, 0, 0);
    aero_set_target(&f->s, view, 0);
    aero_fill(f, 0, 0, 1, 0, 1);
    f->width[0] = f->height[0] = 16;
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// ---- samplers ----

// variant: filter | address << 4. Four texels: red, green / blue, white.
static void make_sampler(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t texels[2][2][4] = { { { 255, 0, 0, 255 }, { 0, 255, 0, 255 } },
                                             { { 0, 0, 255, 255 },
                                               { 255, 255, 255, 255 } } };
    uint32_t linear = variant & 15, address = variant >> 4;
    aero_scene_begin(f);
    f->tolerance = linear ? 6 : 0;
    uint32_t sampler = f->next++;
    AERO_CMD(&f->s, CREATE_SAMPLER, sampler, linear, address, address, address);
    AERO_CMD(&f->s, SET_SAMPLERS, 1, 0, 1, 0, sampler);
    aero_use_texture(f, make_texture(f, 3, 2, 2, 1, 1, texels, sizeof texels));
    aero_fill_texture(f, 2, 2); // texels are 16 pixels wide; beyond 1 from pixel 32
    if (linear) {
        // Half way between the four: their mean.
        aero_expect(f, 16, 16, 130, 130, 130, 255);
    } else {
        aero_expect(f, 8, 8, 255, 0, 0, 255);
        aero_expect(f, 24, 8, 0, 255, 0, 255);
        aero_expect(f, 8, 24, 0, 0, 255, 255);
        const bool repeats = address == 1, mirrors = address == 2;
        aero_expect(f, 40, 8, repeats ? 255 : 0, repeats ? 0 : 255, 0, 255);
        aero_expect(f, 56, 8, mirrors ? 255 : 0, mirrors ? 0 : 255, 0, 255);
    }
    aero_scene_frame(f);
    aero_scene_end(f);
}

// variant 0: no texture reads (0, 0, 0, 1); 1: no sampler is nearest and clamp.
static void make_unbound(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t texels[2][4] = { { 255, 0, 0, 255 }, { 0, 255, 0, 255 } };
    aero_scene_begin(f);
    if (variant) {
        aero_use_texture(f, make_texture(f, 3, 2, 1, 1, 1, texels, sizeof texels));
        aero_fill_texture(f, 2, 1);
        aero_expect(f, 15, 5, 255, 0, 0, 255);
        aero_expect(f, 16, 5, 0, 255, 0, 255);
        aero_expect(f, 60, 5, 0, 255, 0, 255);
    } else {
        aero_use_texture(f, 0);
        aero_fill_texture(f, 1, 1);
        aero_expect_all(f, 0, 0, 0, 255);
    }
    aero_scene_frame(f);
    aero_scene_end(f);
}

// Sampling a depth texture that was rendered to.
static void make_depth_texture(struct aero_scene *f, uint32_t format)
{
    aero_scene_begin(f);
    f->tolerance = 1;
    uint32_t depth = f->next++;
    aero_create_texture(&f->s, depth, AERO_DEPTH_STENCIL | AERO_TEXTURE, format, 64, 64,
                        1, 1);
    aero_set_target(&f->s, AERO_TARGET, depth);
    aero_clear(&f->s, 3, 0, 0, 0, 0, 1, 0);
    aero_fill(f, 0.5f, 1, 1, 1, 1);
    aero_use_texture(f, depth); // which takes it out of the targets
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 32, 32, 128, 0, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// Rendering to a texture, then reading it while another is the target.
static void make_render_to_texture(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_RENDER_TARGET | AERO_TEXTURE,
                        AERO_B8G8R8A8, 32, 32, 1, 1);
    for (uint32_t i = 0; i < 2; i++) {
        aero_set_target(&f->s, texture, 0);
        aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
        aero_fill(f, 0, i ? 0 : 1, i ? 1 : 0, 0, 1);
        aero_set_target(&f->s, AERO_TARGET, 0);
        aero_use_texture(f, texture);
        aero_set_viewport(&f->s, (float)i * 32, 0, 32, 64);
        aero_fill_texture(f, 1, 1);
        AERO_CMD(&f->s, SET_VIEWPORT, 0, 0, 0, 0, 0, 0); // unset
    }
    aero_expect(f, 16, 32, 255, 0, 0, 255);
    aero_expect(f, 48, 32, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

const struct aero_fixture aero_fixtures_texture[] = {
    { "texture_b8g8r8a8", "format 1", make_format, 0 },
    { "texture_b8g8r8x8", "format 2 reads alpha 1", make_format, 1 },
    { "texture_r8g8b8a8", "format 3", make_format, 2 },
    { "texture_r8g8b8x8", "format 4 reads alpha 1", make_format, 3 },
    { "texture_b5g6r5", "format 5", make_format, 4 },
    { "texture_b5g5r5a1_opaque", "format 6", make_format, 5 },
    { "texture_b5g5r5a1_clear", "format 6, alpha 0", make_format, 6 },
    { "texture_b8g8r8a8_srgb", "format 7 decodes", make_format, 7 },
    { "texture_r8g8b8a8_srgb", "format 9 decodes", make_format, 8 },
    { "texture_r8g8b8x8_srgb", "format 10 decodes", make_format, 9 },
    { "texture_bc1", "format 64", make_format, 10 },
    { "texture_bc1_transparent", "format 64, three colours", make_format, 11 },
    { "texture_bc1_srgb", "format 65", make_format, 12 },
    { "texture_bc2", "format 66", make_format, 13 },
    { "texture_bc2_srgb", "format 67", make_format, 14 },
    { "texture_bc3", "format 68", make_format, 15 },
    { "texture_bc3_srgb", "format 69", make_format, 16 },
    { "texture_bc7", "format 70", make_format, 17 },
    { "texture_bc7_srgb", "format 71", make_format, 18 },
    { "texture_b8g8r8x8_srgb", "format 8 decodes", make_format, 19 },
    { "texture_bc1_5x5", "partial blocks", make_partial_blocks, 0 },
    { "texture_bc1_updates", "blocks written and copied", make_block_updates, 0 },
    { "texture_mips", "levels by distance", make_mips, 0 },
    { "view_mip", "a view's base mip", make_view, 0 },
    { "view_layer", "a view's base layer", make_view, 1 },
    { "view_srgb", "a view's format", make_view, 2 },
    { "view_target", "a view as target", make_target_view, 0 },
    { "sampler_nearest_clamp", "address 0", make_sampler, 0x00 },
    { "sampler_nearest_repeat", "address 1", make_sampler, 0x10 },
    { "sampler_nearest_mirror", "address 2", make_sampler, 0x20 },
    { "sampler_linear", "filter 1", make_sampler, 0x11 },
    { "texture_unbound", "no texture", make_unbound, 0 },
    { "sampler_unbound", "no sampler", make_unbound, 1 },
    { "depth_texture_d32", "format 33 is read", make_depth_texture, AERO_D32 },
    { "depth_texture_d24s8", "format 32 is read", make_depth_texture, AERO_D24S8 },
    { "render_to_texture", "targets become textures", make_render_to_texture, 0 },
    { NULL, NULL, NULL, 0 },
};
