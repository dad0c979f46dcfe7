// Fixtures: ranges and layouts of memory: what leaves its buffer, what is not aligned,
// levels smaller than a block.
#include "tests/aerogpu/aerogpu_scene.h"

#include <string.h>

// ---- vertices and indices ----

// Indices beyond the index buffer read 0: the second triangle has no area.
static void make_index_past(struct aero_scene *f, uint32_t first)
{
    static const uint16_t indices[4] = { 0, 1, 2, 2 };
    aero_scene_begin(f);
    const struct aero_vertex v[3] = { { -1, -1, 0, 0, 1, 0, 1 },
                                      { -1, 3, 0, 0, 1, 0, 1 },
                                      { 3, -1, 0, 0, 1, 0, 1 } };
    aero_vertices(f, v, 3);
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_INDEX, indices, sizeof indices);
    AERO_CMD(&f->s, SET_INDEX_BUFFER, buffer, 0, 0, 0);
    AERO_CMD(&f->s, DRAW_INDEXED, 9, 1, first, 0, 0);
    if (first)
        aero_expect_all(f, 0, 0, 0, 0);
    else
        aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// Draws that pass the end by more and more, and one that does not.
static void make_index_past_again(struct aero_scene *f, uint32_t variant)
{
    static const uint16_t indices[4] = { 0, 1, 2, 0 };
    static const float x[4] = { -1, -0.5f, 0, 0.5f };
    (void)variant;
    aero_scene_begin(f);
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_INDEX, indices, sizeof indices);
    AERO_CMD(&f->s, SET_INDEX_BUFFER, buffer, 0, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        const struct aero_vertex v[3] = { { x[i], -1, 0, 0, 1, 0, 1 },
                                          { x[i], 3, 0, 0, 1, 0, 1 },
                                          { x[i] + 0.5f, -1, 0, 0, 1, 0, 1 } };
        aero_vertices(f, v, 3);
        AERO_CMD(&f->s, DRAW_INDEXED, i == 3 ? 3 : 6 + 3 * i, 1, 0, 0, 0);
        aero_expect(f, 1 + 16 * i, 60, 0, 255, 0, 255);
    }
    aero_scene_done(f);
}

// Lists do not restart: 0xFFFF is an index like others, base_vertex is signed.
static void make_list_no_restart(struct aero_scene *f, uint32_t variant)
{
    static const uint16_t indices[4] = { 0xFFFD, 0xFFFE, 0xFFFF, 0 };
    (void)variant;
    aero_scene_begin(f);
    const struct aero_vertex v[3] = { { -1, -1, 0, 0, 1, 0, 1 },
                                      { -1, 3, 0, 0, 1, 0, 1 },
                                      { 3, -1, 0, 0, 1, 0, 1 } };
    aero_vertices(f, v, 3);
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_INDEX, indices, sizeof indices);
    AERO_CMD(&f->s, SET_INDEX_BUFFER, buffer, 0, 0, 0);
    AERO_CMD(&f->s, DRAW_INDEXED, 3, 1, 0, (uint32_t)-0xFFFD, 0);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// Vertices behind the buffer's end read zeros: triangles of them have no area.
static void make_vertex_past(struct aero_scene *f, uint32_t variant)
{
    aero_scene_begin(f);
    const struct aero_vertex v[3] = { { -1, -1, 0, 0, 1, 0, 1 },
                                      { -1, 3, 0, 0, 1, 0, 1 },
                                      { 3, -1, 0, 0, 1, 0, 1 } };
    aero_vertices(f, v, 3);
    if (variant)
        aero_set_vertex_buffer(&f->s, 0, f->next - 1, sizeof v[0], 4000);
    aero_draw(&f->s, 300);
    if (variant)
        aero_expect_all(f, 0, 0, 0, 0);
    else
        aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// Vertices far apart: `stride` bytes.
static void make_stride(struct aero_scene *f, uint32_t stride)
{
    static uint8_t bytes[3 * 2048];
    const struct aero_vertex v[3] = { { -1, -1, 0, 0, 1, 0, 1 },
                                      { -1, 3, 0, 0, 1, 0, 1 },
                                      { 3, -1, 0, 0, 1, 0, 1 } };
    aero_scene_begin(f);
    memset(bytes, 0, sizeof bytes);
    for (uint32_t i = 0; i < 3; i++)
        memcpy(bytes + (size_t)i * stride, &v[i], sizeof v[i]);
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_VERTEX, bytes, 3 * (size_t)stride);
    aero_set_vertex_buffer(&f->s, 0, buffer, stride, 0);
    aero_draw(&f->s, 3);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// One colour for all vertices: stride 0, or instance data that never steps.
static void make_constant_color(struct aero_scene *f, uint32_t instance)
{
    const struct aero_element elements[] = {
        { "POSITION", 0, AERO_DXGI_RGB32F, 0, 0, 0, 0 },
        { "COLOR", 0, AERO_DXGI_RGBA32F, 1, 16, instance, 0 },
    };
    static const float colors[3][4] = { { 1, 0, 0, 1 },
                                        { 0, 1, 0, 1 },
                                        { 1, 0, 0, 1 } };
    aero_scene_begin(f);
    uint32_t layout = f->next++, buffer = f->next++;
    aero_create_layout(&f->s, layout, elements, 2);
    AERO_CMD(&f->s, SET_INPUT_LAYOUT, layout, 0);
    aero_make_buffer(&f->s, buffer, AERO_VERTEX, colors, sizeof colors);
    aero_set_vertex_buffer(&f->s, 1, buffer, instance ? 32 : 0, 0);
    const struct aero_vertex v[3] = { { -1, -1, 0, 0, 0, 0, 0 },
                                      { -1, 3, 0, 0, 0, 0, 0 },
                                      { 3, -1, 0, 0, 0, 0, 0 } };
    aero_vertices(f, v, 3);
    AERO_CMD(&f->s, DRAW, 3, instance ? 2 : 1, 0, 0);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// ---- memory layouts ----

// Rows of 10 bytes, at byte 3 of the allocation.
static void make_odd_pitch(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t memory[3 + 10 + 8] = {
        9, 9, 9, 255, 0, 0, 255, 0, 255, 0, 255, 9, 9, 0, 0, 255, 255, 255, 255, 0, 255,
    };
    const struct aero_memory m = { 5, 0, 0x1001, memory, sizeof memory };
    uint8_t padded[20] = { 0 };
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    if (variant) {
        memcpy(padded, memory + 3, 18);
        AERO_CMD(&f->s, CREATE_TEXTURE2D, texture, AERO_TEXTURE, AERO_R8G8B8A8, 2, 2, 1,
                 1, 10, 0, 0, 0, 0);
        aero_upload(&f->s, texture, 0, padded, 20);
    } else {
        AERO_CMD(&f->s, CREATE_TEXTURE2D, texture, AERO_TEXTURE, AERO_R8G8B8A8, 2, 1, 1,
                 1, 10, 5, 3, 0, 0);
    }
    aero_use_texture(f, texture);
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 16, 16, 255, 0, 0, 255);
    aero_expect(f, 48, 16, 0, 255, 0, 255);
    if (variant) {
        aero_expect(f, 16, 48, 0, 0, 255, 255);
        aero_expect(f, 48, 48, 255, 255, 0, 255);
    }
    aero_present(&f->s);
    aero_submit(&f->file, 0, &f->s, &m, 1);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

// The levels of a BC1 texture below 4x4 are whole blocks; each in a colour of its own.
static void make_block_mips(struct aero_scene *f, uint32_t level)
{
    static const uint16_t colors[4] = { 0xF800, 0x07E0, 0x001F, 0xFFFF };
    uint8_t data[(4 + 1 + 1 + 1) * 8] = { 0 };
    aero_scene_begin(f);
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t mip = i < 4 ? 0 : i - 3;
        data[8 * i] = (uint8_t)colors[mip];
        data[8 * i + 1] = (uint8_t)(colors[mip] >> 8);
    }
    uint32_t texture = f->next++, view = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, 64, 8, 8, 4, 1);
    aero_upload(&f->s, texture, 0, data, sizeof data);
    AERO_CMD(&f->s, CREATE_TEXTURE_VIEW, view, texture, 64, level, 1, 0, 1, 0, 0);
    aero_use_texture(f, view);
    aero_fill_texture(f, 1, 1);
    aero_expect_all(f, colors[level] & 0xF800 ? 255 : 0,
                    colors[level] & 0x7E0 ? 255 : 0, colors[level] & 0x1F ? 255 : 0,
                    255);
    aero_scene_done(f);
}

// Bytes 5 to 9 of the second row are uploaded again: green to alpha of the second
// texel, the first two of the third.
static void make_upload_split(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t part[5] = { 255, 0, 255, 0, 255 };
    uint8_t rows[2 * 16];
    (void)variant;
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = i % 4 == 0 || i % 4 == 3 ? 255 : 0;
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 4, 2, 1, 1);
    aero_upload(&f->s, texture, 0, rows, sizeof rows);
    aero_upload(&f->s, texture, 16 + 5, part, sizeof part);
    aero_use_texture(f, texture);
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 8, 48, 255, 0, 0, 255);
    aero_expect(f, 24, 48, 255, 255, 0, 255);
    aero_expect(f, 40, 48, 0, 255, 0, 255);
    aero_expect(f, 56, 48, 255, 0, 0, 255);
    aero_expect(f, 24, 16, 255, 0, 0, 255);
    aero_scene_done(f);
}

// The second colour of the last block of a 6x6 texture is uploaded alone.
static void make_upload_split_block(struct aero_scene *f, uint32_t variant)
{
    static const uint8_t green[2] = { 0xE0, 0x07 };
    uint8_t blocks[4 * 8];
    (void)variant;
    for (uint32_t i = 0; i < 4; i++) // index 1 everywhere: the second colour, red
        memcpy(blocks + (size_t)i * 8,
               (const uint8_t[]){ 0xFF, 0xFF, 0x00, 0xF8, 0x55, 0x55, 0x55, 0x55 }, 8);
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE, 64, 6, 6, 1, 1);
    aero_upload(&f->s, texture, 0, blocks, sizeof blocks);
    aero_upload(&f->s, texture, 3 * 8 + 2, green, sizeof green);
    aero_use_texture(f, texture);
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 60, 60, 0, 255, 0, 255);
    aero_expect(f, 60, 10, 255, 0, 0, 255);
    aero_expect(f, 10, 60, 255, 0, 0, 255);
    aero_scene_done(f);
}

// A depth texture's texels are uploaded: bits 0 to 23 depth, 24 to 31 stencil.
static void make_depth_upload(struct aero_scene *f, uint32_t format)
{
    static const uint32_t d24[2] = { 0xAA000000, 0x55FFFFFF };
    const float d32[2] = { 0, 1 };
    aero_scene_begin(f);
    uint32_t texture = f->next++;
    aero_create_texture(&f->s, texture, AERO_TEXTURE | AERO_DEPTH_STENCIL, format, 2, 1,
                        1, 1);
    aero_upload(&f->s, texture, 0, format == AERO_D32 ? (const void *)d32 : d24, 8);
    aero_use_texture(f, texture);
    aero_fill_texture(f, 1, 1);
    aero_expect(f, 16, 32, 0, 0, 0, 255);
    aero_expect(f, 48, 32, 255, 0, 0, 255);
    aero_scene_done(f);
}

// A buffer of 87 bytes: its last upload ends with it.
static void make_odd_buffer(struct aero_scene *f, uint32_t variant)
{
    struct {
        struct aero_vertex v[3];
        uint8_t rest[3];
    } data = { { { -1, -1, 0, 0, 1, 0, 1 },
                 { -1, 3, 0, 0, 1, 0, 1 },
                 { 3, -1, 0, 0, 1, 0, 1 } },
               { 0 } };
    (void)variant;
    aero_scene_begin(f);
    uint32_t buffer = f->next++, copy = f->next++;
    aero_create_buffer(&f->s, buffer, AERO_VERTEX, 87);
    aero_create_buffer(&f->s, copy, AERO_VERTEX, 87);
    aero_upload(&f->s, buffer, 0, &data, 60);
    aero_upload(&f->s, buffer, 60, (const uint8_t *)&data + 60, 27);
    AERO_CMD(&f->s, COPY_BUFFER, copy, buffer, 4, 0, 4, 0, 83, 0, 0, 0);
    AERO_CMD(&f->s, COPY_BUFFER, copy, buffer, 0, 0, 0, 0, 4, 0, 0, 0);
    aero_set_vertex_buffer(&f->s, 0, copy, sizeof data.v[0], 0);
    aero_draw(&f->s, 3);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_done(f);
}

// A dirty range of a buffer may begin and end at any byte; address 0 is an address.
static void make_dirty_bytes(struct aero_scene *f, uint32_t variant)
{
    struct aero_vertex v[3] = { { -1, -1, 0, 1, 0, 0, 1 },
                                { -1, 3, 0, 1, 0, 0, 1 },
                                { 3, -1, 0, 1, 0, 0, 1 } };
    struct aero_memory m = { 0x80000001, 0, 0, v, sizeof v };
    uint32_t buffer = AERO_FREE;
    (void)variant;
    aero_scene_begin(f);
    AERO_CMD(&f->s, CREATE_BUFFER, buffer, AERO_VERTEX, sizeof v, 0, m.alloc_id, 0, 0,
             0);
    aero_set_vertex_buffer(&f->s, 0, buffer, sizeof v[0], 0);
    aero_draw(&f->s, 3);
    aero_submit(&f->file, 0, &f->s, &m, 1);
    aero_stream_begin(&f->s, AERO_ABI);
    for (size_t i = 0; i < 3; i++) {
        v[i].r = 0; // bytes 14 and 15 of each vertex are 0x80, 0x3F in 1.0
        v[i].b = 1;
        AERO_CMD(&f->s, RESOURCE_DIRTY_RANGE, buffer, 0,
                 (uint32_t)(i * sizeof v[0]) + 14, 0, 2, 0);
    }
    aero_draw(&f->s, 3);
    aero_present(&f->s);
    aero_submit(&f->file, 0, &f->s, &m, 1);
    aero_expect_all(f, 0, 0, 0, 255); // red is gone, blue was not fetched
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

const struct aero_fixture aero_fixtures_ranges[] = {
    { "index_past_part", "indices beyond read 0", make_index_past, 0 },
    { "index_past_all", "indices beyond read 0", make_index_past, 0xFFFFFFF0 },
    { "index_past_again", "indices beyond read 0", make_index_past_again, 0 },
    { "list_no_restart", "0xFFFF in a list", make_list_no_restart, 0 },
    { "vertex_past_part", "vertices beyond read zeros", make_vertex_past, 0 },
    { "vertex_past_all", "vertices beyond read zeros", make_vertex_past, 1 },
    { "stride_0", "stride 0", make_constant_color, 0 },
    { "instances_rate_0", "step rate 0", make_constant_color, 1 },
    { "stride_2048", "stride 2048", make_stride, 2048 },
    { "dirty_bytes", "any byte range", make_dirty_bytes, 0 },
    { "backed_odd", "any offset and pitch", make_odd_pitch, 0 },
    { "pitch_odd", "rows of 10 bytes", make_odd_pitch, 1 },
    { "mips_bc1_0", "8x8", make_block_mips, 0 },
    { "mips_bc1_1", "4x4", make_block_mips, 1 },
    { "mips_bc1_2", "2x2 is a block", make_block_mips, 2 },
    { "mips_bc1_3", "1x1 is a block", make_block_mips, 3 },
    { "upload_split", "parts of texels", make_upload_split, 0 },
    { "upload_split_block", "part of a block", make_upload_split_block, 0 },
    { "upload_d24s8", "format 32 is uploaded", make_depth_upload, AERO_D24S8 },
    { "upload_d32", "format 33 is uploaded", make_depth_upload, AERO_D32 },
    { "buffer_odd", "87 bytes", make_odd_buffer, 0 },
    { NULL, NULL, NULL, 0 },
};
