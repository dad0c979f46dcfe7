#include "tests/aerogpu/aerogpu_scene.h"

#include <string.h>

const struct aero_fixture *const aero_fixture_tables[] = {
    aero_fixtures_state,        aero_fixtures_draw,        aero_fixtures_texture,
    aero_fixtures_resource,     aero_fixtures_d3d9,        aero_fixtures_stages,
    aero_fixtures_d3d9_shaders, aero_fixtures_rules,       aero_fixtures_ranges,
    aero_fixtures_frames,       aero_fixtures_d3d9_rules,  aero_fixtures_compute,
    aero_fixtures_wgsl,         aero_fixtures_d3d9_states, aero_fixtures_shaders,
};
const size_t aero_fixture_table_count =
    sizeof aero_fixture_tables / sizeof aero_fixture_tables[0];

static void make_shader(struct aero_scene *f, uint32_t handle, struct aero_asm *a)
{
    struct gv_bytes blob = { 0 };
    aero_asm_end(a, &blob);
    aero_create_shader(&f->s, handle, a->program == AERO_PROGRAM_VS ? 0 : 1, blob.data,
                       blob.size);
    gv_bytes_finish(&blob);
}

static void make_shaders(struct aero_scene *f)
{
    struct aero_asm a;
    aero_asm_begin(&a, AERO_PROGRAM_VS, 4);
    aero_asm_input(&a, "POSITION", 0, 0);
    aero_asm_input(&a, "COLOR", 0, 1);
    aero_asm_output(&a, "SV_Position", 0, 0);
    aero_asm_output(&a, "COLOR", 0, 1);
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_v(0));
    AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(1), 15), aero_v(1));
    make_shader(f, AERO_VS, &a);
    for (uint32_t i = 0; i < 3; i++) {
        aero_asm_begin(&a, AERO_PROGRAM_PS, 4);
        aero_asm_input(&a, "SV_Position", 0, 0);
        aero_asm_input(&a, "COLOR", 0, 1);
        aero_asm_output(&a, "SV_Target", 0, 0);
        if (i == 0)
            AERO_OP(&a, AERO_OP_MOV, aero_mask(aero_o(0), 15), aero_v(1));
        else if (i == 1)
            AERO_OP(&a, AERO_OP_SAMPLE, aero_mask(aero_o(0), 15), aero_v(1), aero_t(0),
                    aero_s(0));
        else
            AERO_OP(&a, AERO_OP_LD, aero_mask(aero_o(0), 15), aero_imm(0, 0, 0, 0),
                    aero_t(0));
        make_shader(f, AERO_PS + i, &a);
    }
}

void aero_scene_bare(struct aero_scene *f)
{
    memset(f, 0, sizeof *f);
    f->next = AERO_FREE;
    f->width[0] = f->height[0] = AERO_SIDE;
    aero_file_begin(&f->file, 2, AERO_ABI);
    aero_begin_frame(&f->file);
    aero_stream_begin(&f->s, AERO_ABI);
}

void aero_scene_begin(struct aero_scene *f)
{
    static const struct aero_element elements[] = {
        { "POSITION", 0, AERO_DXGI_RGB32F, 0, 0, 0, 0 },
        { "COLOR", 0, AERO_DXGI_RGBA32F, 0, 12, 0, 0 },
    };
    aero_scene_bare(f);
    make_shaders(f);
    aero_create_layout(&f->s, AERO_LAYOUT, elements, 2);
    aero_create_texture(&f->s, AERO_TARGET, AERO_RENDER_TARGET, AERO_R8G8B8A8,
                        AERO_SIDE, AERO_SIDE, 1, 1);
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS);
    AERO_CMD(&f->s, SET_INPUT_LAYOUT, AERO_LAYOUT, 0);
    aero_set_target(&f->s, AERO_TARGET, 0);
    aero_clear(&f->s, 1, 0, 0, 0, 0, 1, 0);
}

void aero_scene_frame(struct aero_scene *f)
{
    aero_present(&f->s);
    aero_submit(&f->file, 0, &f->s, NULL, 0);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    f->frame++;
    if (f->frame < AERO_MAX_SCENE_FRAMES)
        f->width[f->frame] = f->height[f->frame] = AERO_SIDE;
    aero_begin_frame(&f->file);
    aero_stream_begin(&f->s, AERO_ABI);
}

void aero_scene_end(struct aero_scene *f)
{
    // The begun but empty frame is not in the table: cut its record off.
    f->file.bytes.size = f->file.frame_start;
    aero_file_end(&f->file);
}

void aero_scene_done(struct aero_scene *f)
{
    aero_scene_frame(f);
    aero_scene_end(f);
}

void aero_scene_finish(struct aero_scene *f)
{
    aero_stream_finish(&f->s);
    aero_file_finish(&f->file);
}

void aero_vertices(struct aero_scene *f, const struct aero_vertex *v, uint32_t count)
{
    uint32_t handle = f->next++;
    aero_make_buffer(&f->s, handle, AERO_VERTEX, v, count * sizeof *v);
    aero_set_vertex_buffer(&f->s, 0, handle, sizeof *v, 0);
}

void aero_quad(struct aero_scene *f, float x0, float y0, float x1, float y1, float z,
               const float rgba[4])
{
    const float r = rgba[0], g = rgba[1], b = rgba[2], a = rgba[3];
    const struct aero_vertex v[] = {
        { x0, y0, z, r, g, b, a }, { x0, y1, z, r, g, b, a }, { x1, y1, z, r, g, b, a },
        { x0, y0, z, r, g, b, a }, { x1, y1, z, r, g, b, a }, { x1, y0, z, r, g, b, a },
    };
    aero_vertices(f, v, 6);
    aero_draw(&f->s, 6);
}

void aero_fill(struct aero_scene *f, float z, float r, float g, float b, float a)
{
    aero_quad(f, -1, -1, 1, 1, z, (const float[]){ r, g, b, a });
}

void aero_fill_texture(struct aero_scene *f, float u, float v)
{
    const struct aero_vertex q[] = {
        { -1, -1, 0, 0, v, 0, 0 }, { -1, 1, 0, 0, 0, 0, 0 }, { 1, 1, 0, u, 0, 0, 0 },
        { -1, -1, 0, 0, v, 0, 0 }, { 1, 1, 0, u, 0, 0, 0 },  { 1, -1, 0, u, v, 0, 0 },
    };
    aero_vertices(f, q, 6);
    aero_draw(&f->s, 6);
}

void aero_use_texture(struct aero_scene *f, uint32_t texture)
{
    AERO_CMD(&f->s, SET_TEXTURE, 1, 0, texture, 0);
    aero_bind_shaders(&f->s, AERO_VS, AERO_PS_TEX);
}

void aero_expect(struct aero_scene *f, uint32_t x, uint32_t y, int r, int g, int b,
                 int a)
{
    if (f->probe_count < AERO_MAX_PROBES)
        f->probes[f->probe_count++] = (struct aero_probe){
            f->frame, x, y, { (uint8_t)r, (uint8_t)g, (uint8_t)b, (uint8_t)a }
        };
}

void aero_expect_all(struct aero_scene *f, int r, int g, int b, int a)
{
    uint32_t w = f->width[f->frame], h = f->height[f->frame];
    const uint32_t at[][2] = {
        { 0, 0 }, { w - 1, 0 }, { w / 2, h / 2 }, { 0, h - 1 }, { w - 1, h - 1 }
    };
    for (size_t i = 0; i < 5; i++)
        aero_expect(f, at[i][0], at[i][1], r, g, b, a);
}
