#include "tests/aerogpu/aerogpu_scene9.h"

const uint32_t aero_vs9[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A,
    0x900F0001, 0x02000001, 0xC00F0000, 0x90E40000, 0x02000001, 0xD00F0000,
    0x90E40001, 0x02000001, 0xE00F0000, 0x90E40001, END9,
};
const uint32_t aero_ps9_tex[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB0030000, 0x0200001F,
    0x90000000, 0xA00F0800, 0x03000042, 0x800F0000, 0xB0E40000,
    0xA0E40800, 0x02000001, 0x800F0800, 0x80E40000, END9,
};

void aero_layout9(struct aero_scene *f, uint32_t handle, uint8_t type)
{
    // {stream, offset, type, method, usage, index}
    const uint8_t elements[] = { 0,    0, 0,  0, 2,    0, 0, 0, 0,  0, 12, 0,
                                 type, 0, 10, 0, 0xFF, 0, 0, 0, 17, 0, 0,  0 };
    AERO_CMD(&f->s, CREATE_INPUT_LAYOUT, handle, sizeof elements, 0);
    aero_cmd_data(&f->s, elements, sizeof elements);
    AERO_CMD(&f->s, SET_INPUT_LAYOUT, handle, 0);
}

void aero_begin9(struct aero_scene *f, const struct aero_begin9 *how)
{
    enum { FLOAT4 = 3 };
    aero_scene_bare(f);
    for (size_t i = 0; i < how->shader_count; i++) {
        const struct aero_shader9 *shader = &how->shaders[i];
        aero_create_shader(&f->s, shader->handle, shader->stage, shader->words,
                           shader->size);
    }
    aero_layout9(f, how->layout, FLOAT4);
    aero_create_texture(&f->s, AERO_TARGET, AERO_RENDER_TARGET, how->format, 64, 64, 1,
                        1);
    aero_bind_shaders(&f->s, how->shaders[0].handle, how->shaders[1].handle);
    aero_set_target(&f->s, AERO_TARGET, 0);
    aero_clear(&f->s, 1, 0, 0, 0, 0, 1, 0);
}

void aero_state9(struct aero_scene *f, uint32_t number, uint32_t value)
{
    AERO_CMD(&f->s, SET_RENDER_STATE, number, value);
}

void aero_sampler9(struct aero_scene *f, uint32_t number, uint32_t value)
{
    AERO_CMD(&f->s, SET_SAMPLER_STATE, 1, 0, number, value);
}
