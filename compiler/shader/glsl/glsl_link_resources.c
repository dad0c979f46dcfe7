// Resources of a linked program: one binding for each name in all stages.
#include "compiler/shader/glsl/glsl_linker.h"

#include <string.h>

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

static struct gv_glsl_resource *find_resource(struct glsl_linker *l, const char *name,
                                              uint32_t type)
{
    for (size_t i = 0; i < l->out->resource_count; i++)
        if (l->out->resources[i].type == type &&
            !strcmp(l->out->resources[i].name, name))
            return &l->out->resources[i];
    return NULL;
}

static struct gv_glsl_resource *add_resource(struct glsl_linker *l,
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
    *r = (struct gv_glsl_resource){ glsl_link_name(v), GV_SPIRV_UNSET, GV_SPIRV_UNSET,
                                    binding,           v->type,        v->count };
    return r;
}

static bool link_resource(struct glsl_linker *l, struct glsl_linked_stage *s,
                          struct gv_spirv_variable *v)
{
    struct gv_glsl_resource *r = find_resource(l, glsl_link_name(v), v->type);
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

bool glsl_link_resources(struct glsl_linker *l)
{
    size_t most = 0;
    for (size_t i = 0; i < l->out->count; i++)
        most += l->stages[i].module.variable_count;
    l->out->resources = gv_arena_array(l->arena, most, sizeof *l->out->resources);
    if (!l->out->resources)
        return gv_out_of_memory(l->err);
    for (size_t i = 0; i < l->out->count; i++) {
        struct glsl_linked_stage *s = &l->stages[i];
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
