// Programs of GLSL that have vertices or fragments alone: the other half is the fixed
// function, or a program of assembly.
#include "compiler/gl/program/program_object.h"
#include "compiler/shader/glsl/glsl.h"

static const uint8_t places[2] = { GV_LOWER_VERTEX, GV_LOWER_FRAGMENT };

// ---- a stage ----

static void add_block(const struct gv_gl_fixed_program *p, uint32_t stage,
                      struct gv_gl_stages *out)
{
    const uint32_t bytes = p->uniform_bytes[stage];
    if (!bytes)
        return;
    out->blocks[out->block_count++] =
        (struct gv_gl_stage_block){ .place = { stage, 0, 0 },
                                    .bytes = bytes,
                                    .offset = out->bytes,
                                    .id = 2 * p->serial[stage] + stage,
                                    .block = GV_GLSL_NONE };
    out->bytes += bytes;
}

static void add_inputs(const struct gv_gl_fixed_program *p, struct gv_gl_stages *out)
{
    for (uint32_t slot = 0; slot < GV_GL_SLOTS; slot++) {
        if (!(p->inputs >> slot & 1) || out->input_count == GV_MAX_VERTEX_ATTRIBUTES)
            continue;
        const uint32_t location = p->packed ? out->input_count : slot;
        out->inputs[out->input_count++] =
            (struct gv_gl_stage_input){ (uint8_t)location, (uint8_t)slot, GV_GLSL_FLOAT,
                                        false };
    }
}

void gv_gl_add_fixed_stage(const struct gv_gl_fixed_program *p, uint32_t stage,
                           struct gv_gl_stages *out)
{
    out->serials[places[stage]] = p->serial[stage];
    out->codes[places[stage]] = &p->stages[stage];
    out->modules[places[stage]] = p->modules[stage];
    add_block(p, stage, out);
    if (stage == 0)
        add_inputs(p, out);
}

// ---- the other half ----

// The stage of GLSL that fragments follow.
static const struct gv_shader_stage *last_stage(const struct gv_gl_stages *s)
{
    static const uint8_t order[] = { GV_LOWER_GEOMETRY, GV_LOWER_EVALUATION };
    for (size_t i = 0; i < sizeof order; i++)
        if (s->codes[order[i]])
            return s->codes[order[i]];
    return s->codes[GV_LOWER_VERTEX];
}

const struct gv_gl_fixed_program *
gv_gl_add_other_half(struct gv_gl *gl, struct gv_gl_fixed_inputs *in,
                     struct gv_gl_stages *stages, const struct gv_gl_lack **missing,
                     struct gv_error *err)
{
    const uint32_t stage = stages->codes[GV_LOWER_VERTEX] ? 1 : 0;
    const struct gv_shader_stage *own =
        stage ? last_stage(stages) : stages->codes[GV_LOWER_FRAGMENT];
    const uint64_t builtin = UINT64_MAX << GV_GLSL_COORD_LOCATION;
    *missing = NULL;
    if (!own)
        *missing = GV_GL_LACK(NO_STAGES);
    else if (stages->block_count == GV_GL_BLOCKS)
        *missing = GV_GL_LACK(UNIFORMS);
    else if (stage && stages->texture_count)
        *missing = GV_GL_LACK(BOTH_TEXTURES);
    else if (!stage && own->input_locations & ~builtin)
        *missing = GV_GL_LACK(OTHER_VARYINGS);
    if (*missing)
        return NULL;
    in->beside = true;
    in->assembly[stage ? GV_GL_VERTEX_HALF : GV_GL_FRAGMENT_HALF] = NULL;
    in->written = (uint16_t)gv_fixed_varyings_at(stage ? own->output_locations : 0);
    const struct gv_gl_fixed_program *p = gv_gl_fixed_half(
        gl, in, stage, gv_fixed_varyings_at(own->input_locations), err);
    if (!p)
        return NULL;
    if (stage && p->stages[1].input_locations & ~own->output_locations) {
        *missing = GV_GL_LACK(ASSEMBLY_INPUTS);
        return NULL;
    }
    if (p->uniform_bytes[stage] > GV_GL_UNIFORM_BYTES - stages->bytes) {
        *missing = GV_GL_LACK(UNIFORMS);
        return NULL;
    }
    gv_gl_add_fixed_stage(p, stage, stages);
    return p;
}
