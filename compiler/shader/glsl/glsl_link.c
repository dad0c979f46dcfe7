// A program from its texts to linked stages (glsl_program.h), and what the files that
// link share.
#include "compiler/shader/glsl/glsl_blame.h"
#include "compiler/shader/glsl/glsl_linker.h"
#include "compiler/shader/glsl/glsl_reflect_internal.h"
#include "compiler/shader/spirv/spirv_constant_inputs.h"
#include "compiler/shader/spirv/spirv_emitted.h"
#include "compiler/shader/spirv/spirv_parse.h"
#include "compiler/shader/spirv/spirv_types.h"
#include "compiler/shader/spirv/spirv_wrap.h"
#include "compiler/shader/spirv/spirv_written.h"

#include <string.h>

static bool upgrade_all(struct glsl_linker *l)
{
    const struct gv_glsl_program_params *p = l->params;
    l->upgraded = gv_arena_alloc(l->arena, sizeof *l->upgraded);
    struct gv_upgrade_options *options =
        gv_arena_copy(l->arena, &p->upgrade, sizeof p->upgrade);
    if (!l->upgraded || !options)
        return gv_out_of_memory(l->err);
    options->outputs = p->outputs;
    options->output_count = p->output_count;
    if (!glsl_upgrade_program(p->texts, p->count, options, l->arena, l->upgraded,
                              l->err))
        return false;
    l->out->count = l->upgraded->count;
    for (size_t i = 0; i < l->out->count; i++)
        l->out->texts[i] = l->upgraded->texts[i];
    return true;
}

static bool compile_all(struct glsl_linker *l)
{
    struct gv_glsl_text texts[GV_MAX_GLSL_STAGES];
    for (size_t i = 0; i < l->out->count; i++)
        texts[i] =
            (struct gv_glsl_text){ l->upgraded->stages[i].stage, l->out->texts[i] };
    const unsigned flags = GV_GLSL_RELAXED | (l->params->gl_rules ? GV_GLSL_STEPS : 0);
    return gv_glsl_compile(texts, l->out->count, flags, l->arena, l->out->stages,
                           l->err) ||
           glsl_blame(l->params->texts, l->params->count, l->err);
}

// ---- what the linking files share ----

struct glsl_linked_stage *glsl_linked_stage(struct glsl_linker *l, uint32_t bit)
{
    for (size_t i = 0; i < l->out->count; i++)
        if (l->stages[i].bit == bit)
            return &l->stages[i];
    return NULL;
}

const char *glsl_link_name(const struct gv_spirv_variable *v)
{
    const size_t prefix = sizeof GLSL_INPUT - 1;
    if (*v->block_name)
        return glsl_repeated(v->block_name);
    return strncmp(v->name, GLSL_INPUT, prefix) != 0 ? v->name : v->name + prefix;
}

void glsl_set_location(struct glsl_linked_stage *s, struct gv_spirv_variable *v,
                       uint32_t location)
{
    v->location = location;
    if (v->location_at)
        s->words[v->location_at] = location;
}

bool glsl_on_interface(const struct gv_spirv_variable *v, SpvStorageClass storage)
{
    return v->storage == storage && !v->builtin && v->location_at;
}

int glsl_text_location(const struct glsl_linked_stage *s,
                       const struct gv_spirv_variable *v)
{
    const struct glsl_note *note =
        glsl_find_note(s->text, glsl_own_name(glsl_link_name(v)));
    return note ? note->location : -1;
}

bool glsl_out_of_locations(struct glsl_linker *l, const struct gv_spirv_variable *v)
{
    return gv_fail(l->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                   "glsl: '%.60s' passes the %d varying locations", v->name,
                   GV_MAX_INTERFACE_LOCATIONS);
}

// ---- the whole ----

#define READ_CLASSES                                             \
    (1u << SpvStorageClassInput | 1u << SpvStorageClassUniform | \
     1u << SpvStorageClassUniformConstant | 1u << SpvStorageClassStorageBuffer)

static bool widen_inputs(struct glsl_linker *l, struct glsl_linked_stage *s,
                         const uint32_t **words)
{
    struct gv_spirv_widened w;
    if (s->bit != GV_STAGE_VERTEX)
        return true;
    if (!gv_spirv_widen(*words, s->count, l->arena, &w, l->err))
        return false;
    *words = w.words;
    s->count = w.count;
    s->wide = w.inputs;
    s->wide_count = w.input_count;
    return true;
}

static bool scan_stage(struct glsl_linker *l, size_t i)
{
    const struct gv_shader_stage *from = &l->out->stages[i];
    struct glsl_linked_stage *s = &l->stages[i];
    const uint32_t *words = from->words;
    *s = (struct glsl_linked_stage){ .bit = from->stage,
                                     .count = from->word_count,
                                     .text = &l->upgraded->stages[i] };
    if (!gv_spirv_flatten(words, s->count, l->arena, &words, &s->count, &s->flats,
                          l->err))
        return false;
    if (l->params->gl_rules &&
        !gv_spirv_drop_unused(words, s->count, READ_CLASSES, l->arena, &words,
                              &s->count, l->err))
        return false;
    if (l->params->gl_rules &&
        !gv_spirv_say_read_only(words, s->count, l->arena, &words, &s->count, l->err))
        return false;
    if (l->params->gl_rules &&
        !gv_spirv_keep_emitted(words, s->count, l->arena, &words, &s->count, l->err))
        return false;
    if (!widen_inputs(l, s, &words))
        return false;
    s->words = gv_arena_copy(l->arena, words, s->count * 4);
    if (!s->words)
        return gv_out_of_memory(l->err);
    return gv_spirv_scan(s->words, s->count, s->bit, l->arena, &s->module, l->err);
}

static bool scan_all(struct glsl_linker *l)
{
    for (size_t i = 0; i < l->out->count; i++)
        if (!scan_stage(l, i))
            return false;
    return true;
}

// Says which components of a location a variable has.
static bool say_components(struct glsl_linker *l, struct glsl_linked_stage *s)
{
    const size_t most = s->count + 4 * s->module.variable_count;
    size_t at = GV_SPIRV_HEADER_WORDS, n;
    if (!s->components && !s->read_components)
        return true;
    uint32_t *out = gv_arena_array(l->arena, most, sizeof *out);
    if (!out)
        return gv_out_of_memory(l->err);
    while (at < s->count && gv_spirv_op(s->words + at) != SpvOpDecorate)
        at += gv_spirv_length(s->words + at);
    memcpy(out, s->words, at * sizeof *out);
    n = at;
    for (size_t i = 0; i < s->module.variable_count; i++) {
        const struct gv_spirv_variable *v = &s->module.variables[i];
        const uint8_t *of =
            v->storage == SpvStorageClassInput ? s->read_components : s->components;
        if (!of || !of[i])
            continue;
        out[n++] = 4u << 16 | SpvOpDecorate;
        out[n++] = v->id;
        out[n++] = SpvDecorationComponent;
        out[n++] = of[i];
    }
    memcpy(out + n, s->words + at, (s->count - at) * sizeof *out);
    s->count += n - at;
    s->words = out;
    return true;
}

// As Mesa's linker: not behind geometry, whose vertices are many.
static bool pass_constants(struct glsl_linker *l)
{
    struct glsl_linked_stage *to = glsl_linked_stage(l, GV_STAGE_FRAGMENT);
    const struct glsl_linked_stage *from =
        glsl_linked_stage(l, GV_STAGE_TESSELLATION_EVALUATION);
    if (!from)
        from = glsl_linked_stage(l, GV_STAGE_VERTEX);
    return !l->params->gl_rules || !to || !from ||
           glsl_linked_stage(l, GV_STAGE_GEOMETRY) ||
           gv_spirv_constant_inputs(from->words, from->count, l->arena, &to->words,
                                    &to->count, l->err);
}

static bool finish(struct glsl_linker *l)
{
    if (!pass_constants(l))
        return false;
    for (size_t i = 0; i < l->out->count; i++) {
        if (!say_components(l, &l->stages[i]))
            return false;
        l->out->stages[i] =
            (struct gv_shader_stage){ .stage = l->stages[i].bit,
                                      .words = l->stages[i].words,
                                      .word_count = l->stages[i].count };
        if (!gv_spirv_validate(l->stages[i].words, l->stages[i].count, l->err) ||
            !gv_spirv_reflect(&l->out->stages[i], l->arena, l->err))
            return false;
    }
    return true;
}

static void reflect_attributes(struct gv_glsl_program *p, const struct glsl_module *m)
{
    for (size_t i = 0; i < p->attribute_count; i++) {
        struct gv_glsl_attribute *a = &p->attributes[i];
        uint32_t type = glsl_pointee(&m->types, a->id);
        const uint32_t *w = gv_spirv_type(&m->types, type);
        bool array = gv_spirv_op(w) == SpvOpTypeArray;
        a->array_size = array ? gv_spirv_value(&m->types, w[3]) : 0;
        glsl_basic_type(&m->types, array ? w[2] : type, &a->type);
    }
}

static bool reflect_subroutines(struct glsl_linker *l)
{
    struct gv_glsl_program *p = l->out;
    size_t count = 0;
    for (size_t i = 0; i < l->upgraded->count; i++)
        count += l->upgraded->stages[i].subroutine_count;
    if (!count)
        return true;
    p->subroutines = gv_arena_array(l->arena, count, sizeof *p->subroutines);
    if (!p->subroutines)
        return gv_out_of_memory(l->err);
    for (size_t i = 0; i < l->upgraded->count; i++)
        for (size_t k = 0; k < l->upgraded->stages[i].subroutine_count; k++) {
            const struct glsl_stage *s = &l->upgraded->stages[i];
            const struct glsl_subroutine *from = &s->subroutines[k];
            p->subroutines[p->subroutine_count++] = (struct gv_glsl_subroutine){
                .name = from->name,
                .stage = s->stage,
                .number = (uint32_t)k,
                .uniform = from->uniform,
                .placed = from->number,
                .elements = from->elements,
            };
        }
    return true;
}

static bool reflect(struct glsl_linker *l)
{
    glsl_read_modes(l->out);
    l->out->fixed_place = glsl_places_as_fixed(l->upgraded);
    for (size_t i = 0; i < l->upgraded->count; i++)
        l->out->blend_support |= l->upgraded->stages[i].blend_support;
    if (!reflect_subroutines(l))
        return false;
    struct glsl_reflecting r = {
        .upgraded = l->upgraded, .program = l->out, .arena = l->arena, .err = l->err
    };
    for (size_t i = 0; i < l->out->count; i++) {
        struct glsl_module *m = &r.modules[i];
        const struct glsl_linked_stage *s = &l->stages[i];
        if (!gv_spirv_types_read(s->words, s->count, l->arena, &m->types, l->err))
            return false;
        bool *used = gv_arena_array(l->arena, m->types.bound, sizeof *used);
        if (!used)
            return gv_out_of_memory(l->err);
        gv_spirv_mark_used(&m->types, used);
        m->stage = s->bit;
        m->variables = &s->module;
        m->flats = &s->flats;
        m->used = used;
        if (s->bit == GV_STAGE_VERTEX)
            reflect_attributes(l->out, m);
    }
    return glsl_reflect(&r);
}

// ---- what samplers cannot do ----

struct wrapped {
    const uint32_t *words; // NULL: as it is
    size_t count;
};

static size_t list_clamps(const struct glsl_linker *l, uint16_t mask,
                          struct gv_spirv_wrap list[GV_MAX_GLSL_CLAMPED])
{
    const struct gv_glsl_reflection *r = &l->out->reflection;
    size_t count = 0;
    for (size_t i = 0; i < r->sampler_count && i < GV_MAX_GLSL_CLAMPED; i++) {
        const uint16_t bits = l->params->upgrade.clamps[i] & mask;
        if (bits && !r->samplers[i].image)
            list[count++] = (struct gv_spirv_wrap){
                .set = 2,
                .binding = l->out->resources[r->samplers[i].resource].binding,
                .bits = bits,
            };
    }
    return count;
}

// The stages with bits of `mask`.
static bool wrap_stages(const struct glsl_linker *l, uint16_t mask, struct wrapped *out,
                        struct gv_error *err)
{
    struct gv_spirv_wrap list[GV_MAX_GLSL_CLAMPED];
    const struct gv_spirv_wraps clamps = { list, list_clamps(l, mask, list) };
    for (size_t i = 0; clamps.count && i < l->out->count; i++) {
        const struct gv_shader_stage *s = &l->out->stages[i];
        if (!gv_spirv_wrap(s->words, s->word_count, &clamps, l->arena, &out[i].words,
                           &out[i].count, err))
            return false;
        if (out[i].words != s->words &&
            !gv_spirv_validate(out[i].words, out[i].count, err))
            return false;
    }
    return true;
}

// Where a function takes depths that are filtered here and other textures, the device
// filters all.
static bool clamp_coordinates(struct glsl_linker *l)
{
    struct wrapped codes[GV_MAX_GLSL_STAGES] = { 0 };
    struct gv_error mixed = GV_ERROR_INIT;
    l->out->filters_depth = wrap_stages(l, UINT16_MAX, codes, &mixed);
    if (!l->out->filters_depth &&
        !wrap_stages(l, (uint16_t)~GV_SPIRV_WRAP_FOUR, codes, l->err))
        return false;
    for (size_t i = 0; i < l->out->count; i++)
        if (codes[i].words) {
            l->out->stages[i].words = codes[i].words;
            l->out->stages[i].word_count = codes[i].count;
        }
    return true;
}

bool gv_glsl_program(const struct gv_glsl_program_params *params,
                     struct gv_arena *arena, struct gv_glsl_program *out,
                     struct gv_error *err)
{
    struct glsl_linker l = { .params = params, .out = out, .arena = arena, .err = err };
    struct gv_error own = GV_ERROR_INIT;
    *out = (struct gv_glsl_program){ .count = 0 };
    l.err = err ? err : &own;
    return upgrade_all(&l) && compile_all(&l) && scan_all(&l) &&
           glsl_link_varyings(&l) && glsl_link_attributes(&l) &&
           glsl_link_outputs(&l) && glsl_link_resources(&l) && glsl_link_captures(&l) &&
           finish(&l) && reflect(&l) && clamp_coordinates(&l);
}
