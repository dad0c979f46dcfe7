#include "compiler/shader/glsl/glsl_program.h"

#include "compiler/shader/glsl/glsl_blame.h"
#include "compiler/shader/glsl/upgrade_program.h"
#include "compiler/shader/spirv/spirv_parse.h"
#include "compiler/shader/spirv/spirv_scan.h"

#include <stdlib.h>
#include <string.h>

// One stage while its interface is being rewritten.
struct stage {
    uint32_t bit;
    uint32_t *words; // a copy to patch
    size_t count;
    struct gv_spirv_variables module;
};

struct linker {
    const struct gv_glsl_program_params *params;
    struct glsl_upgraded *upgraded;
    struct gv_glsl_program *out;
    struct stage stages[GV_MAX_GLSL_STAGES];
    size_t resource_capacity;
    uint32_t next_binding[GV_MAX_SETS];
    struct gv_arena *arena;
    struct gv_error *err;
};

// Variables of blocks are matched by the block's name, all others by their own.
static const char *link_name(const struct gv_spirv_variable *v)
{
    return *v->block_name ? v->block_name : v->name;
}

// ---- varyings ----

// Stages in pipeline order; each reads what the nearest one before it writes.
static const uint32_t pipeline_order[] = { GV_STAGE_VERTEX,
                                           GV_STAGE_TESSELLATION_CONTROL,
                                           GV_STAGE_TESSELLATION_EVALUATION,
                                           GV_STAGE_GEOMETRY, GV_STAGE_FRAGMENT };

static struct stage *find_stage(struct linker *l, uint32_t bit)
{
    for (size_t i = 0; i < l->out->count; i++)
        if (l->stages[i].bit == bit)
            return &l->stages[i];
    return NULL;
}

static void set_location(struct stage *s, struct gv_spirv_variable *v,
                         uint32_t location)
{
    v->location = location;
    if (v->location_at)
        s->words[v->location_at] = location;
}

static bool interface_variable(const struct gv_spirv_variable *v,
                               SpvStorageClass storage)
{
    return v->storage == storage && !v->builtin && v->location_at;
}

static bool out_of_locations(struct linker *l, const struct gv_spirv_variable *v)
{
    return gv_fail(l->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                   "glsl: '%.60s' passes the %d varying locations", v->name,
                   GV_MAX_INTERFACE_LOCATIONS);
}

// Gives the outputs of `from` locations one behind the other, then its readers' inputs
// the same ones; inputs that nobody writes go behind the last.
static bool link_pair(struct linker *l, struct stage *from, struct stage *to)
{
    uint32_t next = 0;
    for (size_t i = 0; i < from->module.variable_count; i++) {
        struct gv_spirv_variable *v = &from->module.variables[i];
        if (!interface_variable(v, SpvStorageClassOutput))
            continue;
        if (v->location_count > GV_MAX_INTERFACE_LOCATIONS - next)
            return out_of_locations(l, v);
        set_location(from, v, next);
        next += v->location_count;
    }
    for (size_t i = 0; i < to->module.variable_count; i++) {
        struct gv_spirv_variable *in = &to->module.variables[i];
        bool found = false;
        if (!interface_variable(in, SpvStorageClassInput))
            continue;
        for (size_t k = 0; k < from->module.variable_count && !found; k++) {
            struct gv_spirv_variable *v = &from->module.variables[k];
            found = interface_variable(v, SpvStorageClassOutput) &&
                    !strcmp(link_name(v), link_name(in));
            if (found)
                set_location(to, in, v->location);
        }
        if (found)
            continue;
        if (in->location_count > GV_MAX_INTERFACE_LOCATIONS - next)
            return out_of_locations(l, in);
        set_location(to, in, next);
        next += in->location_count;
    }
    return true;
}

static bool link_varyings(struct linker *l)
{
    struct stage *before = NULL;
    for (size_t i = 0; i < sizeof pipeline_order / sizeof *pipeline_order; i++) {
        struct stage *here = find_stage(l, pipeline_order[i]);
        if (here && before && !link_pair(l, before, here))
            return false;
        before = here ? here : before;
    }
    return true;
}

// ---- attributes ----

static int by_location(const void *a, const void *b)
{
    const struct gv_glsl_attribute *x = a, *y = b;
    return (x->location > y->location) - (x->location < y->location);
}

static bool link_attributes(struct linker *l)
{
    struct stage *s = find_stage(l, GV_STAGE_VERTEX);
    struct gv_glsl_program *out = l->out;
    if (!s)
        return true;
    out->attributes =
        gv_arena_array(l->arena, s->module.variable_count, sizeof *out->attributes);
    if (!out->attributes)
        return gv_out_of_memory(l->err);
    for (size_t i = 0; i < s->module.variable_count; i++) {
        struct gv_spirv_variable *v = &s->module.variables[i];
        if (!interface_variable(v, SpvStorageClassInput))
            continue;
        for (size_t k = 0; k < l->params->attribute_count; k++)
            if (!strcmp(l->params->attributes[k].name, v->name))
                set_location(s, v, l->params->attributes[k].location);
        if (v->location >= GV_MAX_VERTEX_ATTRIBUTES)
            return out_of_locations(l, v);
        out->attributes[out->attribute_count++] =
            (struct gv_glsl_attribute){ v->name, v->location };
    }
    if (out->attribute_count)
        qsort(out->attributes, out->attribute_count, sizeof *out->attributes,
              by_location);
    return true;
}

// ---- resources ----

static uint32_t resource_set(uint32_t type, uint32_t stage)
{
    switch (type) {
    case GV_BINDING_UNIFORM_BUFFER:
    case GV_BINDING_UNIFORM_BUFFER_DYNAMIC:
        return stage == GV_STAGE_FRAGMENT ? 1 : 0;
    case GV_BINDING_STORAGE_BUFFER:
    case GV_BINDING_STORAGE_IMAGE:
        return 3;
    default:
        return 2;
    }
}

static struct gv_glsl_resource *find_resource(struct linker *l, const char *name,
                                              uint32_t type)
{
    for (size_t i = 0; i < l->out->resource_count; i++)
        if (l->out->resources[i].type == type &&
            !strcmp(l->out->resources[i].name, name))
            return &l->out->resources[i];
    return NULL;
}

static struct gv_glsl_resource *add_resource(struct linker *l,
                                             const struct gv_spirv_variable *v)
{
    // Uniform data of both sides is numbered together: one number in sets 0 and 1.
    uint32_t set = resource_set(v->type, GV_STAGE_VERTEX);
    uint32_t binding = l->next_binding[set]++;
    if (binding >= GV_MAX_BINDING_NUMBER) {
        gv_fail(l->err, GV_ERR_LIMIT, GV_NO_OFFSET, "glsl: too many resources");
        return NULL;
    }
    struct gv_glsl_resource *r = &l->out->resources[l->out->resource_count++];
    *r = (struct gv_glsl_resource){ link_name(v), GV_SPIRV_UNSET, GV_SPIRV_UNSET,
                                    binding,      v->type,        v->count };
    return r;
}

static bool link_resource(struct linker *l, struct stage *s,
                          struct gv_spirv_variable *v)
{
    struct gv_glsl_resource *r = find_resource(l, link_name(v), v->type);
    uint32_t set = resource_set(v->type, s->bit);
    if (!r && !(r = add_resource(l, v)))
        return false;
    if (!v->set_at || !v->binding_at)
        return gv_fail(l->err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "glsl: '%.60s' has no binding", v->name);
    if (v->count > r->count)
        r->count = v->count;
    *(s->bit == GV_STAGE_FRAGMENT ? &r->set_fragment : &r->set_vertex) = set;
    s->words[v->set_at] = set;
    s->words[v->binding_at] = r->binding;
    return true;
}

static bool link_resources(struct linker *l)
{
    size_t most = 0;
    for (size_t i = 0; i < l->out->count; i++)
        most += l->stages[i].module.variable_count;
    l->out->resources = gv_arena_array(l->arena, most, sizeof *l->out->resources);
    if (!l->out->resources)
        return gv_out_of_memory(l->err);
    for (size_t i = 0; i < l->out->count; i++) {
        struct stage *s = &l->stages[i];
        for (size_t k = 0; k < s->module.variable_count; k++) {
            struct gv_spirv_variable *v = &s->module.variables[k];
            bool descriptor = v->storage != SpvStorageClassInput &&
                              v->storage != SpvStorageClassOutput;
            if (descriptor && !link_resource(l, s, v))
                return false;
        }
    }
    return true;
}

// ---- the whole ----

static bool upgrade_all(struct linker *l)
{
    const struct gv_glsl_program_params *p = l->params;
    l->upgraded = gv_arena_alloc(l->arena, sizeof *l->upgraded);
    if (!l->upgraded)
        return gv_out_of_memory(l->err);
    if (!glsl_upgrade_program(p->texts, p->count, &p->upgrade, l->arena, l->upgraded,
                              l->err))
        return false;
    l->out->count = l->upgraded->count;
    for (size_t i = 0; i < l->out->count; i++)
        l->out->texts[i] = l->upgraded->texts[i];
    return true;
}

static bool compile_all(struct linker *l)
{
    struct gv_glsl_text texts[GV_MAX_GLSL_STAGES];
    for (size_t i = 0; i < l->out->count; i++)
        texts[i] =
            (struct gv_glsl_text){ l->upgraded->stages[i].stage, l->out->texts[i] };
    return gv_glsl_compile(texts, l->out->count, GV_GLSL_RELAXED, l->arena,
                           l->out->stages, l->err) ||
           glsl_blame(l->params->texts, l->params->count, l->err);
}

static bool scan_all(struct linker *l)
{
    for (size_t i = 0; i < l->out->count; i++) {
        const struct gv_shader_stage *from = &l->out->stages[i];
        struct stage *s = &l->stages[i];
        s->bit = from->stage;
        s->count = from->word_count;
        s->words = gv_arena_copy(l->arena, from->words, from->word_count * 4);
        if (!s->words)
            return gv_out_of_memory(l->err);
        if (!gv_spirv_scan(s->words, s->count, s->bit, l->arena, &s->module, l->err))
            return false;
    }
    return true;
}

static bool finish(struct linker *l)
{
    for (size_t i = 0; i < l->out->count; i++) {
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

bool gv_glsl_program(const struct gv_glsl_program_params *params,
                     struct gv_arena *arena, struct gv_glsl_program *out,
                     struct gv_error *err)
{
    struct linker l = { .params = params, .out = out, .arena = arena, .err = err };
    struct gv_error own = GV_ERROR_INIT;
    *out = (struct gv_glsl_program){ .count = 0 };
    l.err = err ? err : &own;
    return upgrade_all(&l) && compile_all(&l) && scan_all(&l) && link_varyings(&l) &&
           link_attributes(&l) && link_resources(&l) && finish(&l);
}
