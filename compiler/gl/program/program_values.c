// The bytes of blocks of uniforms, as std140 (or whatever the program's own is) lays
// them out.
#include <string.h>

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/program/program_object.h"

// Writes one element, packed as glUniform takes it, where a block has it.
static void put(const struct gv_glsl_uniform *u, uint32_t element, const void *words,
                const struct gv_gl_stage_block *b, uint8_t *out)
{
    const uint32_t bytes = gv_glsl_scalar_words(u->type.scalar) * 4;
    const uint32_t rows = u->type.rows, columns = u->type.columns;
    const uint64_t base = u->offset + (uint64_t)element * u->array_stride;
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t r = 0; r < rows; r++) {
            const uint64_t across = u->row_major ? r : c, along = u->row_major ? c : r;
            const uint64_t at = base + across * u->matrix_stride + along * bytes;
            if (at + bytes <= b->bytes)
                memcpy(out + at,
                       (const uint8_t *)words + (size_t)(c * rows + r) * bytes, bytes);
        }
}

static void put_state(const struct gv_gl_program_inputs *in,
                      const struct gv_glsl_uniform *u,
                      const struct gv_gl_stage_block *b, uint8_t *out)
{
    const uint32_t count = u->array_size ? u->array_size : 1;
    for (uint32_t e = 0; e < count; e++) {
        float value[16] = { 0 };
        gv_gl_state_value(in, u->name, e, value);
        put(u, e, value, b, out);
    }
}

// Uniforms outside blocks.
static void fill_loose(const struct gv_gl_variant *v,
                       const struct gv_gl_program_inputs *in,
                       const struct gv_gl_stage_block *b, uint8_t *out)
{
    const struct gv_glsl_reflection *r = &v->compiled->program.reflection;
    const struct gv_glsl_block *block = &r->blocks[b->block];
    for (uint32_t i = 0; i < block->count; i++) {
        const struct gv_glsl_uniform *u = &r->uniforms[block->first + i];
        const struct gv_gl_uniform *own = v->uniforms[block->first + i];
        if (u->state)
            put_state(in, u, b, out);
        const uint32_t words =
            u->type.columns * u->type.rows * gv_glsl_scalar_words(u->type.scalar);
        if (!own || own->words < words) // another stage has a sampler of that name
            continue;
        const uint32_t count = u->array_size ? u->array_size : 1;
        for (uint32_t e = 0; e < count && e < own->elements; e++)
            put(u, e, own->values + (size_t)e * own->words, b, out);
    }
}

static void fill_block(struct gv_gl *gl, const struct gv_gl_context *c,
                       const struct gv_glsl_block *block,
                       const struct gv_gl_stage_block *b, uint8_t *out)
{
    const uint32_t said = block->binding > 0 ? (uint32_t)block->binding : 0;
    const uint32_t point = gv_gl_block_point(c->program, block->name, said);
    struct gv_gl_buffer_part part;
    if (!gv_gl_buffer_point(gl->context, &gl->objects, GL_UNIFORM_BUFFER, point, &part))
        return;
    const uint64_t size = part.size < b->bytes ? part.size : b->bytes;
    if (!part.buffer->unknown)
        memcpy(out, part.buffer->bytes + part.offset, (size_t)size);
    else
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(DEVICE_UNIFORMS));
}

void gv_gl_program_uniforms(struct gv_gl *gl, const struct gv_gl_variant *v,
                            const struct gv_gl_program_inputs *in,
                            const struct gv_gl_stages *stages, uint8_t *out)
{
    uint32_t done = 0; // bytes: blocks that several stages read are filled once
    memset(out, 0, stages->bytes);
    for (uint32_t i = 0; i < stages->block_count; i++) {
        const struct gv_gl_stage_block *b = &stages->blocks[i];
        if (b->offset < done || b->block == GV_GLSL_NONE)
            continue;
        const struct gv_glsl_block *block =
            &v->compiled->program.reflection.blocks[b->block];
        done = b->offset + b->bytes;
        if (*block->name)
            fill_block(gl, in->context, block, b, out + b->offset);
        else
            fill_loose(v, in, b, out + b->offset);
    }
}
