// Fixtures: input assembly, draws, constants, several targets, presenting.
#include "tests/aerogpu/aerogpu_scene.h"

#include <string.h>

static const float white[4] = { 1, 1, 1, 1 };

// ---- topologies ----

static void mark(struct aero_scene *f, uint32_t x, uint32_t y, bool drawn)
{
    int v = drawn ? 255 : 0;
    aero_expect(f, x, y, v, v, v, v);
}

// Vertices of a square, in the order of a strip: two clockwise triangles.
static void make_topology(struct aero_scene *f, uint32_t topology)
{
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 0, 0, 0);
    const struct aero_vertex square[4] = { { -0.5f, -0.5f, 0, 1, 1, 1, 1 },
                                           { -0.5f, 0.5f, 0, 1, 1, 1, 1 },
                                           { 0.5f, -0.5f, 0, 1, 1, 1, 1 },
                                           { 0.5f, 0.5f, 0, 1, 1, 1, 1 } };
    aero_vertices(f, square, 4);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, topology, 0);
    aero_draw(&f->s, 4);
    // Lines and points: near their pixels nothing is asked, only where none may be.
    bool triangles = topology >= 4;
    mark(f, 24, 36, triangles);     // lower left half, both orders
    mark(f, 40, 24, topology == 5); // upper right half: strips alone
    mark(f, 4, 4, false);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A fan around the first vertex: all four quarters.
static void make_fan(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    const struct aero_vertex fan[6] = {
        { 0, 0, 0, 1, 1, 1, 1 }, { -1, -1, 0, 1, 1, 1, 1 }, { -1, 1, 0, 1, 1, 1, 1 },
        { 1, 1, 0, 1, 1, 1, 1 }, { 1, -1, 0, 1, 1, 1, 1 },  { -1, -1, 0, 1, 1, 1, 1 },
    };
    aero_vertices(f, fan, 6);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 6, 0);
    aero_draw(&f->s, 6);
    aero_expect_all(f, 255, 255, 255, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A horizontal line through the middle of row 32, as list or strip.
static void make_line(struct aero_scene *f, uint32_t topology)
{
    float y = -1.0f / 64; // centre of row 32
    aero_scene_begin(f);
    const struct aero_vertex v[3] = { { -1, y, 0, 1, 1, 1, 1 },
                                      { 0, y, 0, 1, 1, 1, 1 },
                                      { 1, y, 0, 1, 1, 1, 1 } };
    aero_vertices(f, v, 3);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, topology, 0);
    aero_draw(&f->s, 3);
    mark(f, 10, 32, true);
    mark(f, 50, 32, topology == 3);
    mark(f, 10, 30, false);
    aero_scene_frame(f);
    aero_scene_end(f);
}

static void make_points(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    const struct aero_vertex v[2] = {
        { -1 + 21.0f / 64, 1 - 41.0f / 64, 0, 1, 1, 1, 1 },
        { 1 - 1.0f / 64, -1 + 1.0f / 64, 0, 1, 1, 1, 1 }
    };
    aero_vertices(f, v, 2);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 1, 0);
    aero_draw(&f->s, 2);
    mark(f, 10, 20, true);
    mark(f, 63, 63, true);
    mark(f, 12, 20, false);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// Strips restart at the largest index; a list would read vertex 65535.
static void make_restart(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    static const uint16_t indices[] = { 0, 1, 2, 0xFFFF, 3, 4, 5, 0 };
    aero_scene_begin(f);
    AERO_CMD(&f->s, SET_RASTERIZER_STATE, 0, 0, 0, 0, 0, 0);
    const struct aero_vertex v[6] = {
        { -1, -1, 0, 1, 1, 1, 1 },    { -1, 0, 0, 1, 1, 1, 1 },
        { -0.5f, -1, 0, 1, 1, 1, 1 }, { 0.5f, -1, 0, 1, 1, 1, 1 },
        { 1, 0, 0, 1, 1, 1, 1 },      { 1, -1, 0, 1, 1, 1, 1 },
    };
    aero_vertices(f, v, 6);
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_INDEX, indices, sizeof indices);
    AERO_CMD(&f->s, SET_INDEX_BUFFER, buffer, 0, 0, 0);
    AERO_CMD(&f->s, SET_PRIMITIVE_TOPOLOGY, 5, 0);
    AERO_CMD(&f->s, DRAW_INDEXED, 7, 1, 0, 0, 0);
    mark(f, 2, 60, true);
    mark(f, 61, 60, true);
    mark(f, 32, 62, false); // between the two
    aero_scene_frame(f);
    aero_scene_end(f);
}

// ---- indices and instances ----

// variant: bit 0 = 32-bit indices, bit 1 = an index buffer offset that is not aligned.
static void make_indexed(struct aero_scene *f, uint32_t variant)
{
    uint8_t bytes[32] = { 0 };
    uint32_t step = variant & 1 ? 4 : 2, skip = variant & 2 ? 3 : step * 2;
    for (uint32_t i = 0; i < 3; i++)
        bytes[skip + step * (i + 1)] = (uint8_t)(i + 2); // first_index 1, base -1
    aero_scene_begin(f);
    const struct aero_vertex v[5] = { { 9, 9, 9, 0, 0, 0, 0 },
                                      { -1, -1, 0, 0, 1, 0, 1 },
                                      { -1, 3, 0, 0, 1, 0, 1 },
                                      { 3, -1, 0, 0, 1, 0, 1 },
                                      { 9, 9, 9, 0, 0, 0, 0 } };
    aero_vertices(f, v, 5);
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_INDEX, bytes, sizeof bytes);
    AERO_CMD(&f->s, SET_INDEX_BUFFER, buffer, variant & 1, skip, 0);
    AERO_CMD(&f->s, DRAW_INDEXED, 3, 1, 1, (uint32_t)-1, 0);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// Colours from a stream of instances: `variant` is its step rate.
static void make_instances(struct aero_scene *f, uint32_t rate)
{
    static const struct aero_element elements[] = {
        { "POSITION", 0, AERO_DXGI_RGB32F, 0, 0, 0, 0 },
        { "COLOR", 0, AERO_DXGI_RGBA32F, 1, 0, 1, 1 },
    };
    static const float colors[4][4] = {
        { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 0, 1 }
    };
    struct aero_element e[2];
    memcpy(e, elements, sizeof e);
    e[1].step = rate;
    aero_scene_begin(f);
    uint32_t layout = f->next++, buffer = f->next++;
    aero_create_layout(&f->s, layout, e, 2);
    AERO_CMD(&f->s, SET_INPUT_LAYOUT, layout, 0);
    aero_make_buffer(&f->s, buffer, AERO_VERTEX, colors, sizeof colors);
    aero_set_vertex_buffer(&f->s, 1, buffer, 16, 0);
    const struct aero_vertex v[3] = { { -1, -1, 0, 0, 0, 0, 0 },
                                      { -1, 3, 0, 0, 0, 0, 0 },
                                      { 3, -1, 0, 0, 0, 0, 0 } };
    aero_vertices(f, v, 3);
    AERO_CMD(&f->s, DRAW, 3, 2, 0, 1); // two instances from the second: the last wins
    const float *c = colors[rate == 1 ? 2 : 1]; // first_instance + instance / rate
    aero_expect_all(f, c[0] > 0 ? 255 : 0, c[1] > 0 ? 255 : 0, c[2] > 0 ? 255 : 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A shader input that no element feeds reads zeros; so does an empty slot.
static void make_missing_input(struct aero_scene *f, uint32_t variant)
{
    static const struct aero_element elements[] = {
        { "POSITION", 0, AERO_DXGI_RGB32F, 0, 0, 0, 0 },
        { "COLOR", 0, AERO_DXGI_RGBA32F, 7, 0, 0, 0 },
    };
    aero_scene_begin(f);
    uint32_t layout = f->next++;
    aero_create_layout(&f->s, layout, elements, variant ? 2 : 1);
    AERO_CMD(&f->s, SET_INPUT_LAYOUT, layout, 0);
    aero_clear(&f->s, 1, 1, 1, 1, 1, 1, 0);
    aero_fill(f, 0, 0.5f, 0.5f, 0.5f, 0.5f);
    aero_expect_all(f, 0, 0, 0, 0);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// ---- vertex formats ----

struct vertex_format {
    uint32_t dxgi, size;
    uint8_t bytes[16];
    uint8_t rgba[4];
};
static const struct vertex_format vertex_formats[] = {
    { 28, 4, { 51, 102, 153, 204 }, { 51, 102, 153, 204 } }, // RGBA8
    { 87, 4, { 153, 102, 51, 204 }, { 51, 102, 153, 204 } }, // BGRA8
    { 11,
      8,
      { 0x33, 0x33, 0x66, 0x66, 0x99, 0x99, 0xCC, 0xCC },
      { 51, 102, 153, 204 } },
    { 10, 8, { 0, 0x38, 0, 0x34, 0, 0x3C, 0, 0x3C }, { 128, 64, 255, 255 } }, // half
    { 13, 8, { 0xFF, 0x7F, 0, 0, 0xFF, 0x7F, 0xFF, 0x7F }, { 255, 0, 255, 255 } },
    { 16, 8, { 0, 0, 0x80, 0x3F, 0, 0, 0, 0 }, { 255, 0, 0, 255 } }, // RG32F: b 0, a 1
    { 41, 4, { 0, 0, 0x80, 0x3F }, { 255, 0, 0, 255 } },             // R32F
    { 24, 4, { 0xFF, 0x03, 0xF0, 0xFF }, { 255, 0, 255, 255 } },     // R10G10B10A2
    { 49, 2, { 255, 51 }, { 255, 51, 0, 255 } },                     // RG8
    { 35, 4, { 0xFF, 0xFF, 0x33, 0x33 }, { 255, 51, 0, 255 } },      // RG16
    { 31, 4, { 127, 0, 0x81, 127 }, { 255, 0, 0, 255 } },            // RGBA8 SNORM
    { 54, 2, { 0, 0x3C }, { 255, 0, 0, 255 } },                      // R16F
    { 29, 4, { 51, 102, 153, 204 }, { 51, 102, 153, 204 } },         // sRGB: as UNORM
};

static void make_vertex_format(struct aero_scene *f, uint32_t row)
{
    const struct vertex_format *t = &vertex_formats[row];
    const struct aero_element elements[] = {
        { "POSITION", 0, AERO_DXGI_RGB32F, 0, 0, 0, 0 },
        { "COLOR", 0, t->dxgi, 1, 0, 0, 0 },
    };
    aero_scene_begin(f);
    f->tolerance = 1;
    uint32_t layout = f->next++, buffer = f->next++;
    aero_create_layout(&f->s, layout, elements, 2);
    AERO_CMD(&f->s, SET_INPUT_LAYOUT, layout, 0);
    aero_make_buffer(&f->s, buffer, AERO_VERTEX, t->bytes, 16);
    aero_set_vertex_buffer(&f->s, 1, buffer, 0, 0); // stride 0: one for all vertices
    aero_fill(f, 0, 0, 0, 0, 0);
    aero_expect_all(f, t->rgba[0], t->rgba[1], t->rgba[2], t->rgba[3]);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// ---- constants ----

// A pixel shader that returns cb[slot][index].
static void constant_shader(struct aero_scene *f, uint32_t slot, uint32_t index)
{
    struct aero_asm a;
    struct gv_bytes blob = { 0 };
    aero_asm_begin(&a, AERO_PROGRAM_PS, 4);
    aero_asm_input(&a, "SV_Position", 0, 0);
    aero_asm_output(&a, "SV_Target", 0, 0);
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_cb(slot, index));
    aero_asm_end(&a, &blob);
    uint32_t handle = f->next++;
    aero_create_shader(&f->s, handle, 1, blob.data, blob.size);
    aero_bind_shaders(&f->s, AERO_VS, handle);
    gv_bytes_finish(&blob);
}

// variant: byte offset of the binding; the shader reads the second vector there.
static void make_constant_offset(struct aero_scene *f, uint32_t offset)
{
    float data[128];
    for (uint32_t i = 0; i < 128; i++)
        data[i] = i * 4 == offset + 16 || i * 4 == offset + 28 ? 1.0f : 0;
    aero_scene_begin(f);
    constant_shader(f, 2, 1);
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_CONSTANT, data, sizeof data);
    AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 2, 1, 0, buffer, offset, 0, 0);
    aero_fill(f, 0, 0, 0, 0, 0);
    aero_expect_all(f, 255, 0, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// What lies behind a bound range reads zero. variant 1: a buffer whose content only the
// GPU knows.
static void make_constant_short(struct aero_scene *f, uint32_t variant)
{
    float data[8];
    for (uint32_t i = 0; i < 8; i++)
        data[i] = 1;
    aero_scene_begin(f);
    constant_shader(f, 0, 1);
    uint32_t source = f->next++, buffer = f->next++;
    aero_make_buffer(&f->s, source, variant ? AERO_VERTEX : AERO_CONSTANT, data,
                     sizeof data);
    aero_create_buffer(&f->s, buffer, AERO_CONSTANT, sizeof data);
    AERO_CMD(&f->s, COPY_BUFFER, buffer, source, 0, 0, 0, 0, sizeof data, 0, 0, 0);
    AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 0, 1, 0, buffer, 0, 24, 0);
    aero_fill(f, 0, 0, 0, 0, 0);
    aero_expect_all(f, 255, 255, 0, 0);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// An upload between two draws changes only the second.
static void make_constant_order(struct aero_scene *f, uint32_t usage)
{
    static const float red[4] = { 1, 0, 0, 1 }, green[4] = { 0, 1, 0, 1 };
    aero_scene_begin(f);
    constant_shader(f, 0, 0);
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, usage, red, sizeof red);
    AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 0, 1, 0, buffer, 0, 0, 0);
    aero_quad(f, -1, -1, 0, 1, 0, white);
    aero_upload(&f->s, buffer, 0, green, sizeof green);
    aero_quad(f, 0, -1, 1, 1, 0, white);
    aero_expect(f, 16, 32, 255, 0, 0, 255);
    aero_expect(f, 48, 32, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// Slot 0 falls back to the legacy constants, each stage its own.
static void make_constant_legacy(struct aero_scene *f, uint32_t variant)
{
    static const float red[4] = { 1, 0, 0, 1 };
    (void)variant;
    aero_scene_begin(f);
    constant_shader(f, 0, 5);
    uint32_t buffer = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_CONSTANT, red, sizeof red);
    AERO_CMD(&f->s, SET_SHADER_CONSTANTS_F, 1, 5, 1, 0, 0, aero_f32(1), 0, aero_f32(1));
    AERO_CMD(&f->s, SET_SHADER_CONSTANTS_F, 0, 5, 1, 0, aero_f32(1), 0, 0, 0);
    AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 0, 1, 0, buffer, 0, 0, 0);
    AERO_CMD(&f->s, SET_CONSTANT_BUFFERS, 1, 0, 1, 0, 0, 0, 0, 0);
    aero_fill(f, 0, 0, 0, 0, 0);
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// ---- targets ----

// Two targets with a gap between; the shader writes targets 0 and 2.
static void make_targets(struct aero_scene *f, uint32_t second)
{
    struct aero_asm a;
    struct gv_bytes blob = { 0 };
    aero_scene_begin(f);
    aero_asm_begin(&a, AERO_PROGRAM_PS, 4);
    aero_asm_input(&a, "SV_Position", 0, 0);
    aero_asm_input(&a, "COLOR", 0, 1);
    aero_asm_output(&a, "SV_Target", 0, 0);
    aero_asm_output(&a, "SV_Target", 2, 2);
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_v(1));
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(2), 15), aero_sw(aero_v(1), "yzxw"));
    aero_asm_end(&a, &blob);
    uint32_t shader = f->next++, other = f->next++;
    aero_create_shader(&f->s, shader, 1, blob.data, blob.size);
    gv_bytes_finish(&blob);
    aero_bind_shaders(&f->s, AERO_VS, shader);
    aero_create_texture(&f->s, other, AERO_RENDER_TARGET, AERO_R8G8B8A8, 64, 64, 1, 1);
    AERO_CMD(&f->s, SET_RENDER_TARGETS, 3, 0, AERO_TARGET, 0, other, 0, 0, 0, 0, 0);
    aero_fill(f, 0, 1, 0, 0, 1);
    if (second) {
        aero_set_target(&f->s, other, 0);
        aero_expect_all(f, 0, 0, 255, 255);
    } else {
        aero_expect_all(f, 255, 0, 0, 255);
    }
    aero_scene_frame(f);
    aero_scene_end(f);
}

// A bound target that the shader does not write keeps its content.
static void make_unwritten(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    uint32_t other = f->next++;
    aero_create_texture(&f->s, other, AERO_RENDER_TARGET, AERO_R8G8B8A8, 64, 64, 1, 1);
    aero_set_target(&f->s, other, 0);
    aero_clear(&f->s, 1, 0, 0, 1, 1, 1, 0);
    AERO_CMD(&f->s, SET_RENDER_TARGETS, 2, 0, AERO_TARGET, other, 0, 0, 0, 0, 0, 0);
    aero_fill(f, 0, 1, 0, 0, 1);
    aero_set_target(&f->s, other, 0);
    aero_expect_all(f, 0, 0, 255, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

static void make_present_ex(struct aero_scene *f, uint32_t variant)
{
    (void)variant;
    aero_scene_begin(f);
    aero_clear(&f->s, 1, 0, 1, 1, 1, 1, 0);
    AERO_CMD(&f->s, PRESENT_EX, 0, 1, 0x77, 0);
    aero_expect_all(f, 0, 255, 255, 255);
    aero_submit(&f->file, 0, &f->s, NULL, 0);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_begin_frame(&f->file);
    aero_scene_end(f);
}

// Nothing bound: the default framebuffer, which starts as zeros.
static void make_default_framebuffer(struct aero_scene *f, uint32_t variant)
{
    aero_scene_begin(f);
    aero_set_target(&f->s, 0, 0);
    if (variant)
        aero_fill(f, 0, 1, 0, 1, 1);
    int v = variant ? 255 : 0;
    aero_expect_all(f, v, 0, v, v);
    aero_scene_frame(f);
    aero_scene_end(f);
}

// Without shaders slot 0 means something by its stride.
static void make_fixed(struct aero_scene *f, uint32_t stride)
{
    static const float uv[3][5] = { { 3, -1, 0, 0, 0 },
                                    { -1, 3, 0, 0, 0 },
                                    { -1, -1, 0, 0, 0 } };
    static const float flat[3][6] = { { 3, -1, 0, 1, 0, 1 },
                                      { -1, 3, 0, 1, 0, 1 },
                                      { -1, -1, 0, 1, 0, 1 } };
    static const float deep[3][7] = { { 3, -1, 0, 0, 1, 0, 1 },
                                      { -1, 3, 0, 0, 1, 0, 1 },
                                      { -1, -1, 0, 0, 1, 0, 1 } };
    static const uint8_t texel[4] = { 0, 255, 0, 255 };
    aero_scene_begin(f);
    aero_bind_shaders(&f->s, 0, 0);
    uint32_t buffer = f->next++, texture = f->next++;
    aero_make_buffer(&f->s, buffer, AERO_VERTEX,
                     stride == 20   ? (const void *)uv
                     : stride == 24 ? flat
                                    : (const void *)deep,
                     3 * stride);
    aero_create_texture(&f->s, texture, AERO_TEXTURE, AERO_R8G8B8A8, 1, 1, 1, 1);
    aero_upload(&f->s, texture, 0, texel, 4);
    AERO_CMD(&f->s, SET_TEXTURE, 1, 0, texture, 0);
    aero_set_vertex_buffer(&f->s, 0, buffer, stride, 0);
    aero_draw(&f->s, 3); // counter-clockwise: this mode does not cull
    aero_expect_all(f, 0, 255, 0, 255);
    aero_scene_frame(f);
    aero_scene_end(f);
}

const struct aero_fixture aero_fixtures_draw[] = {
    { "topology_triangle_list", "topology 4", make_topology, 4 },
    { "topology_triangle_strip", "topology 5", make_topology, 5 },
    { "topology_triangle_fan", "topology 6", make_fan, 6 },
    { "topology_line_list", "topology 2", make_line, 2 },
    { "topology_line_strip", "topology 3", make_line, 3 },
    { "topology_points", "topology 1", make_points, 1 },
    { "strip_restart", "strips restart at 0xFFFF", make_restart, 0 },
    { "indexed_u16", "first_index, base_vertex, offset", make_indexed, 0 },
    { "indexed_u32", "32-bit indices", make_indexed, 1 },
    { "indexed_u16_unaligned", "odd index offset", make_indexed, 2 },
    { "indexed_u32_unaligned", "odd index offset", make_indexed, 3 },
    { "instances_rate_1", "instance data, step rate 1", make_instances, 1 },
    { "instances_rate_2", "instance data, step rate 2", make_instances, 2 },
    { "input_without_element", "missing input reads zeros", make_missing_input, 0 },
    { "input_without_buffer", "empty slot reads zeros", make_missing_input, 1 },
    { "vertex_rgba8", "DXGI 28", make_vertex_format, 0 },
    { "vertex_bgra8", "DXGI 87", make_vertex_format, 1 },
    { "vertex_rgba16", "DXGI 11", make_vertex_format, 2 },
    { "vertex_rgba16f", "DXGI 10", make_vertex_format, 3 },
    { "vertex_rgba16_snorm", "DXGI 13", make_vertex_format, 4 },
    { "vertex_rg32f", "DXGI 16: b 0, a 1", make_vertex_format, 5 },
    { "vertex_r32f", "DXGI 41", make_vertex_format, 6 },
    { "vertex_rgb10a2", "DXGI 24", make_vertex_format, 7 },
    { "vertex_rg8", "DXGI 49", make_vertex_format, 8 },
    { "vertex_rg16", "DXGI 35", make_vertex_format, 9 },
    { "vertex_rgba8_snorm", "DXGI 31", make_vertex_format, 10 },
    { "vertex_r16f", "DXGI 54", make_vertex_format, 11 },
    { "vertex_rgba8_srgb", "DXGI 29 is read as UNORM", make_vertex_format, 12 },
    { "constants_at_0", "constant buffer slot 2", make_constant_offset, 0 },
    { "constants_at_16", "unaligned binding", make_constant_offset, 16 },
    { "constants_at_256", "aligned binding", make_constant_offset, 256 },
    { "constants_short", "behind the range reads zero", make_constant_short, 0 },
    { "constants_short_gpu", "the same, content unknown", make_constant_short, 1 },
    { "constants_order", "upload between draws", make_constant_order, AERO_CONSTANT },
    { "constants_order_untracked", "the same", make_constant_order, AERO_VERTEX },
    { "constants_legacy", "slot 0 without a buffer", make_constant_legacy, 0 },
    { "targets_first", "gap in the colour targets", make_targets, 0 },
    { "targets_second", "output 2", make_targets, 1 },
    { "target_unwritten", "no output keeps content", make_unwritten, 0 },
    { "present_ex", "PRESENT_EX presents", make_present_ex, 0 },
    { "no_target_present", "default framebuffer is zero", make_default_framebuffer, 0 },
    { "no_target_draw", "draws go to it", make_default_framebuffer, 1 },
    { "fixed_20", "stride 20: position and uv", make_fixed, 20 },
    { "fixed_24", "stride 24: flat position", make_fixed, 24 },
    { "fixed_28", "stride 28", make_fixed, 28 },
    { NULL, NULL, NULL, 0 },
};
