// Shaders of pipelines: recorded modules in the numbers of the payload.
//
// A binding's number follows from the pipeline's layout alone, not from what stages
// use: pipelines whose layouts begin alike then agree on where those bindings are, and
// what is bound stays bound.
#include "compiler/vulkan/walk_pipeline.h"

#include "compiler/lower/lower_pipeline.h"
#include "compiler/shader/recorded/recorded.h"

#include <stdlib.h>
#include <string.h>

// The set of a payload for a binding (vm/descs.h); GV_MAX_SETS: none has it.
static uint32_t set_for(const struct gv_cap_binding *b)
{
    switch ((int)b->type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
        return b->stages == VK_SHADER_STAGE_FRAGMENT_BIT ? 1 : 0;
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return 2;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return 3;
    default:
        return GV_MAX_SETS;
    }
}

static uint32_t first_number(uint32_t to)
{
    return to == GV_WALK_PUSH_SET ? GV_WALK_PUSH_BINDING + 1 : 0;
}

// What a binding of the layout becomes; NULL: the layout has no such binding.
static const struct gv_cap_binding *number(const struct gv_cap_pipeline_layout *l,
                                           uint32_t set, uint32_t binding,
                                           struct gv_recorded_place *out)
{
    const struct gv_cap_binding *found =
        set < l->set_count ? gv_cap_layout_find(l->sets[set], binding) : NULL;
    if (!found)
        return NULL;
    const uint32_t to = set_for(found);
    uint32_t n = first_number(to);
    for (uint32_t i = 0; i <= set; i++)
        for (uint32_t j = 0; l->sets[i] && j < l->sets[i]->count; j++) {
            const struct gv_cap_binding *b = &l->sets[i]->bindings[j];
            if (i == set && b == found) // sets may share a layout
                break;
            n += set_for(b) == to;
        }
    *out = (struct gv_recorded_place){ set, binding, to, n };
    return found;
}

static enum gv_lower_stage stage_of(uint32_t stage)
{
    switch (stage) {
    case GV_STAGE_TESSELLATION_CONTROL:
        return GV_LOWER_CONTROL;
    case GV_STAGE_TESSELLATION_EVALUATION:
        return GV_LOWER_EVALUATION;
    case GV_STAGE_GEOMETRY:
        return GV_LOWER_GEOMETRY;
    case GV_STAGE_FRAGMENT:
        return GV_LOWER_FRAGMENT;
    case GV_STAGE_COMPUTE:
        return GV_LOWER_COMPUTE;
    default:
        return GV_LOWER_VERTEX;
    }
}

// The stages of one pipeline while they are made.
struct making {
    struct gv_walk *w;
    struct gv_walk_pipeline *p;
    struct gv_lower_part parts[GV_LOWER_STAGES];
    struct gv_spec_constant specs[GV_MAX_SPEC_CONSTANTS];
    uint32_t spec_count;
};

static bool leave_out(struct making *m, const char *why)
{
    gv_walk_unsupported(m->w, "%s", why);
    return false;
}

// ---- specialisation ----

static int by_id(const void *a, const void *b)
{
    const struct gv_spec_constant *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static bool read_specs(struct making *m, const VkPipelineShaderStageCreateInfo *s)
{
    const VkSpecializationInfo *info = s->pSpecializationInfo;
    const uint32_t first = m->spec_count;
    for (uint32_t i = 0; info && i < info->mapEntryCount; i++) {
        const VkSpecializationMapEntry *e = &info->pMapEntries[i];
        if (e->size != sizeof(uint32_t))
            return leave_out(m, "specialisation constants that have not 32 bits");
        if (m->spec_count == GV_MAX_SPEC_CONSTANTS)
            return leave_out(m, "more than 64 specialisation constants");
        if (e->offset > info->dataSize || e->size > info->dataSize - e->offset)
            return leave_out(m, "specialisation constants without their data");
        struct gv_spec_constant *to = &m->specs[m->spec_count++];
        *to = (struct gv_spec_constant){ .stage = (uint32_t)s->stage,
                                         .id = e->constantID };
        memcpy(&to->value, (const uint8_t *)info->pData + e->offset, sizeof to->value);
    }
    qsort(m->specs + first, m->spec_count - first, sizeof m->specs[0], by_id);
    return true;
}

// The constant that is the view index; its value is a form's of the pipeline.
static bool add_view(struct making *m, const struct gv_recorded *r)
{
    if (r->view_spec == GV_RECORDED_NO_VIEW)
        return true;
    if (m->spec_count == GV_MAX_SPEC_CONSTANTS)
        return leave_out(m, "more than 64 specialisation constants");
    m->p->view_specs |= UINT64_C(1) << m->spec_count;
    m->specs[m->spec_count++] =
        (struct gv_spec_constant){ .stage = r->stage, .id = r->view_spec };
    return true;
}

// ---- a stage ----

// Whether a mistake of the shader is one to leave it out for; else it ends the compile.
static bool told(struct making *m, const struct gv_error *inner, struct gv_error *err)
{
    static const char prefix[] = "unsupported: ";
    const char *text = inner->message;
    if (inner->status == GV_ERR_UNSUPPORTED) {
        if (!strncmp(text, prefix, sizeof prefix - 1))
            text += sizeof prefix - 1;
        leave_out(m, text);
        return true;
    }
    if (inner->status == GV_ERR_FORMAT)
        return gv_cap_fail(m->w->cap, err, "a shader: %s", text);
    *err = *inner;
    return false;
}

static bool map_stage(struct making *m, const struct gv_recorded *r,
                      struct gv_recorded_map *map, struct gv_error *err)
{
    struct gv_recorded_place *places =
        gv_arena_array(m->w->arena, r->binding_count, sizeof *places);
    if (!places)
        return gv_cap_no_memory(m->w->cap, err);
    for (uint32_t i = 0; i < r->binding_count; i++) {
        const struct gv_recorded_binding *b = &r->bindings[i];
        const struct gv_cap_binding *in =
            number(m->p->layout, b->set, b->binding, &places[i]);
        if (!in)
            return gv_cap_fail(
                m->w->cap, err,
                "its layout lacks binding %u of set %u, which a shader uses",
                b->binding, b->set);
        if (b->count > in->count)
            return gv_cap_fail(m->w->cap, err,
                               "a shader has %u elements of binding %u of set %u, its "
                               "layout %u",
                               b->count, b->binding, b->set, in->count);
    }
    *map = (struct gv_recorded_map){ .places = places,
                                     .count = r->binding_count,
                                     .push_set = GV_WALK_PUSH_SET,
                                     .push_binding = GV_WALK_PUSH_BINDING };
    return true;
}

static bool fits(struct making *m, const struct gv_recorded_map *map)
{
    for (uint32_t i = 0; i < map->count; i++)
        if (map->places[i].to_set >= GV_MAX_SETS ||
            map->places[i].to_binding >= GV_MAX_BINDING_NUMBER)
            return leave_out(m, map->places[i].to_set < GV_MAX_SETS
                                    ? "more than 1024 bindings"
                                    : "descriptors of this type");
    return true;
}

static void require(struct making *m, const char *feature)
{
    if (feature)
        gv_builder_require(m->w->b,
                           &(struct gv_requirement){ .kind = GV_REQUIRE_FEATURE,
                                                     .strength = GV_NEEDED,
                                                     .name = feature });
}

// False: an error, or (`*ok` false) left out.
static bool make_stage(struct making *m, const VkPipelineShaderStageCreateInfo *s,
                       bool *ok, struct gv_error *err)
{
    const struct gv_walk_module *module = (const void *)(uintptr_t)s->module;
    const uint32_t first = m->spec_count;
    struct gv_error inner = { 0 };
    struct gv_recorded_map map;
    struct gv_recorded_stage *made = gv_arena_alloc(m->w->arena, sizeof *made);
    struct gv_recorded r;
    *ok = false;
    if (!made)
        return gv_cap_no_memory(m->w->cap, err);
    if (!read_specs(m, s))
        return true;
    const struct gv_recorded_source source = {
        .words = module->words,
        .count = module->count,
        .entry = s->pName,
        .stage = (uint32_t)s->stage,
        .specs = m->specs + first,
        .spec_count = m->spec_count - first,
    };
    if (!gv_recorded_read(&source, m->w->arena, &r, &inner))
        return told(m, &inner, err);
    if (!map_stage(m, &r, &map, err))
        return false;
    if (!fits(m, &map) || !add_view(m, &r))
        return true;
    if (!gv_recorded_write(&r, &map, m->w->arena, made, &inner))
        return told(m, &inner, err);
    require(m, made->feature);
    if (r.push_bytes > m->p->push_bytes)
        m->p->push_bytes = r.push_bytes;
    m->parts[stage_of(source.stage)] = (struct gv_lower_part){
        .code = &made->stage,
        .module = gv_builder_shader(m->w->b, made->stage.words, made->stage.word_count),
    };
    *ok = true;
    return true;
}

// ---- the interface ----

// The binding that became one of the payload: the other way round.
static const struct gv_cap_binding *find(const struct gv_cap_pipeline_layout *l,
                                         const struct gv_binding_desc *desc,
                                         uint32_t *set)
{
    uint32_t n = first_number(desc->set);
    for (*set = 0; *set < l->set_count; ++*set)
        for (uint32_t j = 0; l->sets[*set] && j < l->sets[*set]->count; j++) {
            const struct gv_cap_binding *b = &l->sets[*set]->bindings[j];
            if (set_for(b) != desc->set)
                continue;
            if (n == desc->binding)
                return b;
            n++;
        }
    return NULL;
}

static bool make_interface(struct making *m, struct gv_error *err)
{
    struct gv_walk_pipeline *p = m->p;
    struct gv_interface_desc *in = gv_arena_alloc(m->w->arena, sizeof *in);
    struct gv_error inner = { 0 };
    if (!in)
        return gv_cap_no_memory(m->w->cap, err);
    if (!gv_lower_interface(m->parts, in, &inner))
        return told(m, &inner, err);
    p->used = gv_arena_array(m->w->arena, in->binding_count, sizeof *p->used);
    if (!p->used)
        return gv_cap_no_memory(m->w->cap, err);
    for (uint32_t i = 0; i < in->binding_count; i++) {
        struct gv_walk_used *used = &p->used[p->used_count];
        const struct gv_binding_desc *desc = &in->bindings[i];
        used->desc = *desc;
        used->binding = find(p->layout, desc, &used->set);
        p->used_count += used->binding != NULL; // push constants have none
    }
    in->spec_constant_count = m->spec_count;
    memcpy(in->spec_constants, m->specs, m->spec_count * sizeof m->specs[0]);
    p->interface = in;
    return true;
}

static int by_stage(const void *a, const void *b)
{
    const VkPipelineShaderStageCreateInfo *x = a, *y = b;
    return (x->stage > y->stage) - (x->stage < y->stage);
}

bool gv_walk_shaders(struct gv_walk *w, struct gv_walk_pipeline *p,
                     const VkPipelineShaderStageCreateInfo *stages, uint32_t count,
                     struct gv_error *err)
{
    VkPipelineShaderStageCreateInfo sorted[6];
    struct making *m = gv_arena_alloc(&w->submission, sizeof *m);
    if (!m)
        return gv_cap_no_memory(w->cap, err);
    *m = (struct making){ .w = w, .p = p };
    if (count > 6 || !count) {
        gv_walk_unsupported(w, "a pipeline of %u stages", count);
        return true;
    }
    memcpy(sorted, stages, count * sizeof *stages);
    qsort(sorted, count, sizeof *sorted, by_stage);
    for (uint32_t i = 0; i < count; i++) {
        bool ok;
        if ((uint32_t)sorted[i].stage > GV_STAGE_COMPUTE) {
            gv_walk_unsupported(w, "shader stage 0x%x", (unsigned)sorted[i].stage);
            return true;
        }
        if (!make_stage(m, &sorted[i], &ok, err))
            return false;
        if (!ok)
            return true;
    }
    if (!make_interface(m, err))
        return false;
    p->shaders = (struct gv_stage_shaders){
        .vertex = m->parts[GV_LOWER_VERTEX].module,
        .tessellation_control = m->parts[GV_LOWER_CONTROL].module,
        .tessellation_evaluation = m->parts[GV_LOWER_EVALUATION].module,
        .geometry = m->parts[GV_LOWER_GEOMETRY].module,
        .fragment = m->parts[GV_LOWER_FRAGMENT].module,
    };
    p->compute_shader = m->parts[GV_LOWER_COMPUTE].module;
    return true;
}
