#include "runtime/shader_fit.h"

#include "runtime/host.h"
#include "runtime/spirv/spirv_check.h"
#include "vm/spirv/spirv_match.h"

#include <stdlib.h>

#define KEPT_GROUPS 2 // shaders and descriptions of one time lie near each other

struct kept_group {
    const struct gv_group *group;
    uint8_t *raw; // owned
};

struct fit {
    const struct gv_payload *payload;
    struct gv_source *const *sources;
    size_t source_count;
    struct gv_spirv_checker *checker;
    const struct gv_spirv_checked **checked; // by shader of the list
    struct kept_group kept[KEPT_GROUPS];
    unsigned next; // of `kept`, to be replaced
    struct gv_graphics_desc graphics;
};

static bool has_all(const void *context, const char *feature)
{
    (void)context;
    (void)feature;
    return true;
}

// More than any device has.
static const struct gv_spirv_limits boundless = {
    .max_workgroup_size = { 1u << 24, 1u << 24, 1u << 24 },
    .max_workgroup_invocations = 1u << 24,
    .max_shared_bytes = 1u << 30,
    .max_clip_distances = 1u << 16,
    .max_cull_distances = 1u << 16,
    .max_clip_and_cull_distances = 1u << 16,
    .max_geometry_output_vertices = 1u << 16,
    .max_geometry_invocations = 1u << 16,
    .max_geometry_output_components = 1u << 24,
    .max_patch_size = 1u << 16,
    .max_color_attachments = GV_MAX_LOCATIONS,
    .max_vertex_inputs = GV_MAX_LOCATIONS,
    .max_feedback_buffers = GV_MAX_FEEDBACK_BUFFERS,
    .max_feedback_stride = 1u << 16,
    .max_feedback_streams = GV_MAX_FEEDBACK_BUFFERS,
    .float_modes = UINT32_MAX,
    .has = has_all,
};

// ---- bytes ----

static const uint8_t *raw_bytes(struct fit *f, const struct gv_group *group,
                                struct gv_error *err)
{
    for (unsigned i = 0; i < KEPT_GROUPS; i++)
        if (f->kept[i].group == group)
            return f->kept[i].raw;
    struct kept_group *kept = &f->kept[f->next++ % KEPT_GROUPS];
    free(kept->raw);
    kept->group = NULL;
    kept->raw =
        gv_payload_read_group(f->payload, group, f->sources, f->source_count, err);
    kept->group = kept->raw ? group : NULL;
    return kept->raw;
}

static const uint8_t *bytes_of(struct fit *f, const struct gv_payload_bytes *place,
                               struct gv_error *err)
{
    const struct gv_payload *p = f->payload;
    if (place->resource == GV_IN_CONSTANTS)
        return p->constants + place->offset;
    const struct gv_resource *resource = &p->resources[place->resource];
    const uint8_t *raw = raw_bytes(f, &p->groups[resource->group], err);
    return raw ? raw + resource->offset + place->offset : NULL;
}

// ---- pipelines ----

// As the host refuses a call.
static bool refuse(uint32_t call, struct gv_error *why, uint64_t at,
                   struct gv_error *err)
{
    gv_host_name_call(gv_call_infos[call].name, why);
    return gv_fail(err, why->status, at, "%s", why->message);
}

static bool check_shaders(struct fit *f, const struct gv_pipeline_list *list,
                          struct gv_error *err)
{
    for (size_t i = 0; i < list->shader_count; i++) {
        const struct gv_made_shader *shader = &list->shaders[i];
        struct gv_error why = GV_ERROR_INIT;
        const uint8_t *bytes = bytes_of(f, &shader->spirv, err);
        if (!bytes)
            return false;
        f->checked[i] =
            gv_spirv_check(f->checker, bytes, (size_t)shader->spirv.size, &why);
        if (!f->checked[i])
            return refuse(GV_CALL_shader_create, &why, shader->at, err);
    }
    return true;
}

static bool match_interfaces(const struct gv_spirv_checked *const checked[5],
                             const struct gv_interface_desc *desc, uint32_t first_stage,
                             struct gv_error *err)
{
    for (uint32_t i = 0; i < 5; i++) {
        struct gv_spirv_module module;
        if (!checked[i])
            continue;
        const struct gv_spirv_code code = { checked[i]->words, checked[i]->count,
                                            &checked[i]->module };
        if (!gv_spirv_match_stage(code.plain, first_stage << i, err) ||
            !gv_spirv_match_specialized(&code, desc, &boundless, &module, err))
            return false;
    }
    return true;
}

static bool match_graphics(struct fit *f, struct gv_cursor c,
                           const struct gv_spirv_checked *const checked[5],
                           struct gv_error *err)
{
    const struct gv_spirv_module *modules[5];
    for (int i = 0; i < 5; i++)
        modules[i] = checked[i] ? &checked[i]->module : NULL;
    return gv_graphics_desc_decode(&c, &f->graphics, err) &&
           match_interfaces(checked, &f->graphics.interface, GV_STAGE_VERTEX, err) &&
           gv_spirv_match_graphics(&f->graphics, modules, err) &&
           gv_spirv_match_point_size(&f->graphics, modules, false, err);
}

static bool match_compute(struct gv_cursor c,
                          const struct gv_spirv_checked *const checked[5],
                          struct gv_error *err)
{
    struct gv_compute_desc desc;
    return gv_compute_desc_decode(&c, &desc, err) &&
           match_interfaces(checked, &desc.interface, GV_STAGE_COMPUTE, err);
}

static bool check_pipeline(struct fit *f, const struct gv_made_pipeline *pipeline,
                           struct gv_error *err)
{
    const struct gv_spirv_checked *checked[5] = { NULL };
    struct gv_error why = GV_ERROR_INIT;
    const uint8_t *desc = bytes_of(f, &pipeline->desc, err);
    if (!desc)
        return false;
    for (int i = 0; i < 5; i++)
        if (pipeline->shaders[i] != GV_STAGE_EMPTY)
            checked[i] = f->checked[pipeline->shaders[i]];
    struct gv_cursor c = gv_cursor_make(desc, (size_t)pipeline->desc.size);
    bool ok = pipeline->compute ? match_compute(c, checked, &why)
                                : match_graphics(f, c, checked, &why);
    uint32_t call = pipeline->compute ? GV_CALL_pipeline_create_compute
                                      : GV_CALL_pipeline_create_graphics;
    return ok || refuse(call, &why, pipeline->at, err);
}

static bool check_all(struct fit *f, const struct gv_pipeline_list *list,
                      struct gv_error *err)
{
    if (!f->checker)
        return false;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    f->checked = calloc(list->shader_count + 1, sizeof *f->checked);
    if (!f->checked)
        return gv_out_of_memory(err);
    if (!check_shaders(f, list, err))
        return false;
    for (size_t i = 0; i < list->pipeline_count; i++)
        if (!check_pipeline(f, &list->pipelines[i], err))
            return false;
    return true;
}

bool gv_shaders_fit(const struct gv_payload *payload,
                    const struct gv_pipeline_list *list,
                    struct gv_source *const *sources, size_t source_count,
                    struct gv_error *err)
{
    struct fit *f = calloc(1, sizeof *f);
    if (!f)
        return gv_out_of_memory(err);
    f->payload = payload;
    f->sources = sources;
    f->source_count = source_count;
    f->checker = gv_spirv_checker_create(&boundless, true, err);
    bool ok = check_all(f, list, err);
    for (unsigned i = 0; i < KEPT_GROUPS; i++)
        free(f->kept[i].raw);
    gv_spirv_checker_destroy(f->checker);
    free(f->checked);
    free(f);
    return ok;
}
