#include "runtime/vk/pipelines/pipeline.h"

#include "runtime/spirv/float_modes.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/object_costs.h"
#include "runtime/vk/memory/staging.h"
#include "runtime/vk/pipelines/quads.h"
#include "vm/machine/progress.h"
#include "vm/spirv/spirv_capability.h"
#include "vm/spirv/spirv_match.h"

#include <stdlib.h>
#include <string.h>

// What 7,400 small ones of lavapipe took: 60 KiB each for compute, 140 for graphics
// (object_costs.h).
#define COST (192u << 10)
#define COST_PER_CODE_BYTE 4 // of its shaders
#define KEPT_SHARE 16        // of the budget, kept ones take at most one such part

// ---- shared parts ----

static bool has_feature(const void *context, const char *feature)
{
    const struct gv_vk_device *device = context;
    const VkPhysicalDeviceVulkan11Properties *p = &device->properties11;
    // Stages beyond these two would have to be asked for one by one.
    const VkShaderStageFlags stages =
        VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    // What Vulkan offers by properties rather than features, under names of our own.
    for (size_t i = 0; i < gv_spirv_capability_count; i++)
        if (gv_spirv_capabilities[i].subgroup_bit &&
            strcmp(gv_spirv_capabilities[i].operations, feature) == 0)
            return (p->subgroupSupportedOperations &
                    gv_spirv_capabilities[i].subgroup_bit) &&
                   (p->subgroupSupportedStages & stages) == stages;
    // Had another way where it is missing (spirv_rewrite.h).
    if (strcmp(feature, "shaderDrawParameters") == 0)
        return true;
    return gv_vk_has(device, feature);
}

static struct gv_spirv_limits spirv_limits(const struct gv_vk_device *device)
{
    const VkPhysicalDeviceLimits *l = GV_VK_LIMITS(device);
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *f =
        &device->transform_feedback;
    struct gv_spirv_limits limits = {
        .max_workgroup_invocations = l->maxComputeWorkGroupInvocations,
        .max_shared_bytes = l->maxComputeSharedMemorySize,
        .max_clip_distances = l->maxClipDistances,
        .max_cull_distances = l->maxCullDistances,
        .max_clip_and_cull_distances = l->maxCombinedClipAndCullDistances,
        .max_geometry_output_vertices = l->maxGeometryOutputVertices,
        .max_geometry_invocations = l->maxGeometryShaderInvocations,
        .max_geometry_output_components = l->maxGeometryTotalOutputComponents,
        .max_patch_size = l->maxTessellationPatchSize,
        .max_color_attachments = l->maxFragmentOutputAttachments,
        .max_vertex_inputs = l->maxVertexInputAttributes,
        .max_feedback_buffers = f->maxTransformFeedbackBuffers,
        .max_feedback_stride = f->maxTransformFeedbackBufferDataStride,
        .max_feedback_streams = f->maxTransformFeedbackStreams,
        .float_modes = gv_vk_float_modes(&device->properties12),
        .compiles_for_uniforms =
            device->properties12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE,
        .has = has_feature,
        .context = device,
    };
    memcpy(limits.max_workgroup_size, l->maxComputeWorkGroupSize,
           sizeof limits.max_workgroup_size);
    return limits;
}

struct gv_vk_pipelines *gv_vk_pipelines_create(const struct gv_vk_device *device,
                                               struct gv_error *err)
{
    struct gv_vk_pipelines *p = calloc(1, sizeof *p);
    if (!p) {
        gv_out_of_memory(err);
        return NULL;
    }
    const struct gv_spirv_limits limits = spirv_limits(device);
    p->checker = gv_spirv_checker_create(
        &limits, device->features.v11.shaderDrawParameters, err);
    if (!p->checker) {
        free(p);
        return NULL;
    }
    return p;
}

void gv_vk_pipelines_destroy(const struct gv_vk_device *device,
                             struct gv_vk_pipelines *p)
{
    if (!p)
        return;
    gv_vk_mip_draws_finish(device, &p->mip_draws);
    gv_vk_layouts_finish(device, &p->layouts);
    gv_spirv_checker_destroy(p->checker);
    free(p);
}

struct gv_vk_pipeline *gv_vk_pipeline_find(const struct gv_handles *handles,
                                           uint64_t handle, const char *argument,
                                           struct gv_error *err)
{
    return gv_handles_find(handles, GV_KIND_PIPELINE, handle, argument, err);
}

void gv_vk_pipeline_runs(struct gv_vk_commands *commands,
                         struct gv_vk_pipeline *pipeline)
{
    const VkPhysicalDeviceProperties *device =
        &commands->staging->heaps->device->properties.properties;
    if (!pipeline->ran && device->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        gv_vk_commands_count_first(commands);
    pipeline->ran = true;
}

static void add_constant(struct gv_vk_specialization *out, uint32_t id, uint32_t value)
{
    uint32_t n = out->count++;
    out->values[n] = value;
    out->entries[n] = (VkSpecializationMapEntry){ id, n * 4, 4 };
}

void gv_vk_specialize(const struct gv_interface_desc *desc,
                      const struct gv_vk_shader *shader,
                      const struct gv_vk_given *given, struct gv_vk_specialization *out)
{
    const struct gv_spirv_safe *safe = &shader->checked->safe;
    out->count = 0;
    for (uint32_t i = 0; i < desc->spec_constant_count; i++) {
        const struct gv_spec_constant *s = &desc->spec_constants[i];
        // Ids of ours are none of the module's: a value for one would mean nothing.
        if (s->stage == shader->checked->module.stage && s->id != safe->vertices_spec &&
            s->id != safe->samples_spec)
            add_constant(out, s->id, s->value);
    }
    if (safe->vertices_spec != GV_SPIRV_UNSET)
        add_constant(out, safe->vertices_spec, given->vertices);
    if (safe->samples_spec != GV_SPIRV_UNSET)
        add_constant(out, safe->samples_spec, given->samples);
    out->info = (VkSpecializationInfo){
        .mapEntryCount = out->count,
        .pMapEntries = out->entries,
        .dataSize = (size_t)out->count * 4,
        .pData = out->values,
    };
}

// ---- needs ----

static struct gv_vk_need *need_of(const struct gv_vk_pipeline *p, uint32_t set,
                                  uint32_t binding)
{
    struct gv_vk_need *need = p->needs;
    for (uint32_t s = 0; s < set; s++)
        need += p->layout->sets[s]->row_count;
    const struct gv_vk_set_layout *layout = p->layout->sets[set];
    for (uint32_t i = 0; i < layout->row_count; i++)
        if (layout->rows[i].binding == binding)
            return need + i;
    return NULL;
}

static VkPipelineStageFlags2 pipeline_stage(uint32_t stage)
{
    switch (stage) {
    case GV_STAGE_VERTEX:
        return VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
    case GV_STAGE_TESSELLATION_CONTROL:
        return VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT;
    case GV_STAGE_TESSELLATION_EVALUATION:
        return VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT;
    case GV_STAGE_GEOMETRY:
        return VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT;
    case GV_STAGE_FRAGMENT:
        return VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    default:
        return VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    }
}

// Stages that use one binding agree on what is there and how (spirv_match.h).
static bool add_needs(struct gv_vk_pipeline *p, const struct gv_spirv_module *module,
                      struct gv_error *err)
{
    for (size_t i = 0; i < module->binding_count; i++) {
        const struct gv_spirv_binding *b = &module->bindings[i];
        struct gv_vk_need *need = need_of(p, b->set, b->binding);
        if (!need)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "descriptor at set %u binding %u is not listed", b->set,
                           b->binding);
        need->used = true;
        need->view_type = (uint8_t)b->view_type;
        need->numeric = (uint8_t)b->numeric;
        need->multisampled = b->multisampled;
        need->image_format = b->image_format;
        need->writable = need->writable || b->writable;
        need->compares = need->compares || b->compares;
        need->samples = need->samples || b->samples;
        need->stages |= pipeline_stage(module->stage);
        p->writes_storage = p->writes_storage || b->writable;
    }
    return true;
}

// Code that looks at its neighbours in a subgroup counts on their being there. Asking
// for them is allowed where workgroups are made of whole subgroups of whatever size.
static bool wants_full_subgroups(const struct gv_vk_device *device,
                                 const struct gv_spirv_module *module)
{
    uint32_t largest = device->properties13.maxSubgroupSize;
    return module->stage == GV_STAGE_COMPUTE && module->subgroups &&
           device->features.v13.computeFullSubgroups && largest &&
           module->workgroup[0] % largest == 0;
}

// Pipelines that want the same of a set can be told by a pointer.
static bool share_needs(struct gv_vk_pipeline *p, struct gv_error *err)
{
    const struct gv_vk_need *rows = p->needs;
    for (uint32_t set = 0; set < p->layout->set_count; set++) {
        p->set_needs[set] = gv_vk_needs_get(p->layout->sets[set], rows, err);
        if (!p->set_needs[set])
            return false;
        rows += p->layout->sets[set]->row_count;
    }
    return true;
}

static bool check_specialized(struct gv_runtime *rt, struct gv_vk_pipeline *p,
                              const struct gv_vk_shader *shader,
                              const struct gv_interface_desc *desc,
                              struct gv_error *err)
{
    const struct gv_spirv_code code = { shader->checked->words, shader->checked->count,
                                        &shader->checked->module };
    struct gv_spirv_module module;
    if (!gv_spirv_match_specialized(
            &code, desc, gv_spirv_checker_limits(rt->pipelines->checker), &module, err))
        return false;
    p->full_subgroups = wants_full_subgroups(rt->device, &module);
    return true;
}

static struct gv_vk_pipeline *make_pipeline(struct gv_runtime *rt,
                                            const struct gv_vk_shader *const *shaders,
                                            size_t count, struct gv_error *err)
{
    uint64_t cost = COST;
    for (size_t i = 0; i < count; i++)
        if (shaders[i])
            cost += (uint64_t)shaders[i]->checked->code_count * 4 * COST_PER_CODE_BYTE;
    struct gv_vk_pipeline *p = gv_vk_object_create(rt, sizeof *p, cost, 0, err);
    if (p)
        p->cost = cost;
    return p;
}

static bool begin_pipeline(struct gv_runtime *rt, struct gv_vk_pipeline *p,
                           const struct gv_interface_desc *desc,
                           const struct gv_vk_shader *const *shaders, size_t count,
                           struct gv_error *err)
{
    p->id = ++rt->heaps->next_id;
    for (size_t i = 0; i < count; i++)
        if (shaders[i] && !check_specialized(rt, p, shaders[i], desc, err))
            return false;
    p->layout = gv_vk_layout_get(rt->heaps, &rt->pipelines->layouts, desc, err);
    if (!p->layout)
        return false;
    p->needs = calloc(desc->binding_count ? desc->binding_count : 1, sizeof *p->needs);
    if (!p->needs)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count; i++)
        if (shaders[i] && !add_needs(p, &shaders[i]->checked->module, err))
            return false;
    return share_needs(p, err);
}

static struct gv_vk_pipeline_key key_of(const struct gv_vk_shader *const *shaders,
                                        size_t count, const union gv_arg *desc,
                                        uint64_t size)
{
    struct gv_vk_pipeline_key key = { .desc = desc->data, .size = (size_t)size };
    for (size_t i = 0; i < count; i++)
        key.stages[i] = shaders[i] ? shaders[i]->checked : NULL;
    return key;
}

static bool add_handle(struct gv_runtime *rt, struct gv_vk_pipeline *p,
                       uint64_t *result, struct gv_error *err)
{
    *result = gv_handles_add(&rt->handles, GV_KIND_PIPELINE, p, err);
    if (!*result)
        gv_vk_pipeline_free(rt, p);
    return *result != 0;
}

// A pipeline that was made now.
static bool finish_pipeline(struct gv_runtime *rt, struct gv_vk_pipeline *p,
                            const struct gv_vk_pipeline_key *key, uint64_t *result,
                            struct gv_error *err)
{
    gv_vk_kept_init(&p->kept, p, key, p->cost);
    rt->pipelines->made++;
    gv_progress_alive(rt->commands->progress);
    return add_handle(rt, p, result, err);
}

void gv_vk_pipeline_free(struct gv_runtime *rt, void *object)
{
    struct gv_vk_pipeline *p = object;
    if (p->wide)
        gv_vk_pipeline_free(rt, p->wide);
    vkDestroyPipeline(rt->device->handle, p->handle, NULL);
    free(p->needs);
    gv_vk_kept_finish(&p->kept);
    gv_vk_object_free(rt->heaps, p, p->cost);
}

// What is kept stays charged; the next pass must have room beside it.
void gv_vk_pipeline_keep(struct gv_runtime *rt, struct gv_vk_pipeline *p)
{
    uint64_t most = rt->heaps->limit / KEPT_SHARE;
    if (!gv_vk_kept_add(&rt->pipelines->kept, &p->kept, most))
        gv_vk_pipeline_free(rt, p);
}

void gv_vk_pipelines_free_kept(struct gv_runtime *rt)
{
    struct gv_vk_pipeline *p;
    while ((p = gv_vk_kept_take(&rt->pipelines->kept, NULL)))
        gv_vk_pipeline_free(rt, p);
}

// ---- compute ----

static bool make_compute(const struct gv_vk_device *device, struct gv_vk_pipeline *p,
                         const struct gv_interface_desc *desc,
                         const struct gv_vk_shader *shader, struct gv_error *err)
{
    struct gv_vk_specialization spec;
    gv_vk_specialize(desc, shader, &(struct gv_vk_given){ 1, 1 }, &spec);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .flags = p->full_subgroups
                         ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
                         : 0,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .module = shader->handle,
            .pName = "main",
            .pSpecializationInfo = &spec.info,
        },
        .layout = p->layout->handle,
        .basePipelineIndex = -1,
    };
    p->bind_point = VK_PIPELINE_BIND_POINT_COMPUTE;
    return gv_vk_ok(vkCreateComputePipelines(device->handle, device->pipeline_cache, 1,
                                             &info, NULL, &p->handle),
                    "vkCreateComputePipelines", err);
}

static struct gv_vk_shader *find_shader(const struct gv_handles *handles,
                                        uint64_t handle, uint32_t stage,
                                        struct gv_error *err)
{
    struct gv_vk_shader *shader =
        gv_handles_find(handles, GV_KIND_SHADER, handle, gv_stage_name(stage), err);
    if (shader && !gv_spirv_match_stage(&shader->checked->module, stage, err))
        return NULL;
    return shader;
}

static struct gv_vk_pipeline *create_compute(struct gv_runtime *rt,
                                             const struct gv_compute_desc *desc,
                                             const struct gv_vk_shader *shader,
                                             struct gv_error *err)
{
    struct gv_vk_pipeline *p = make_pipeline(rt, &shader, 1, err);
    if (!p)
        return NULL;
    if (begin_pipeline(rt, p, &desc->interface, &shader, 1, err) &&
        make_compute(rt->device, p, &desc->interface, shader, err))
        return p;
    gv_vk_pipeline_free(rt, p);
    return NULL;
}

bool gv_do_pipeline_create_compute(struct gv_runtime *rt,
                                   const struct gv_args_pipeline_create_compute *a,
                                   uint64_t *result, struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(a->desc.data, a->size.u);
    struct gv_compute_desc desc;
    if (!gv_compute_desc_decode(&c, &desc, err))
        return false;
    const struct gv_vk_shader *shader =
        find_shader(&rt->handles, a->compute.u, GV_STAGE_COMPUTE, err);
    if (!shader)
        return false;
    const struct gv_vk_pipeline_key key = key_of(&shader, 1, &a->desc, a->size.u);
    struct gv_vk_pipeline *p = gv_vk_kept_take(&rt->pipelines->kept, &key);
    if (p)
        return add_handle(rt, p, result, err);
    p = create_compute(rt, &desc, shader, err);
    return p && finish_pipeline(rt, p, &key, result, err);
}

// ---- graphics ----

static bool match(const struct gv_graphics_desc *desc,
                  const struct gv_vk_shader *const shaders[5], struct gv_error *err)
{
    const struct gv_spirv_module *modules[5];
    for (int i = 0; i < 5; i++)
        modules[i] = shaders[i] ? &shaders[i]->checked->module : NULL;
    return gv_spirv_match_graphics(desc, modules, err);
}

// A pipeline whose points, or lines (`ends` 2), are quads, or that draws as it says.
static struct gv_vk_pipeline *make_graphics(struct gv_runtime *rt,
                                            const struct gv_graphics_desc *desc,
                                            const struct gv_vk_shader *const shaders[5],
                                            uint32_t ends, struct gv_error *err)
{
    struct gv_vk_quad_parts parts = { .quads = { .ends = ends } };
    struct gv_vk_pipeline *p = make_pipeline(rt, shaders, 5, err);
    if (!p)
        return NULL;
    bool ok = !ends || gv_vk_quads_init(rt, desc, shaders, &parts, err);
    p->quads = parts.quads;
    const struct gv_graphics_desc *d = ends ? &parts.desc : desc;
    const struct gv_vk_shader *const *s = ends ? parts.shaders : shaders;
    ok = ok && begin_pipeline(rt, p, &d->interface, s, 5, err) &&
         gv_vk_pipeline_make_graphics(rt, p, d, s, err);
    if (ok && ends)
        gv_vk_quads_assemble(p, desc);
    gv_vk_quads_finish(rt->device, &parts);
    if (ok)
        return p;
    gv_vk_pipeline_free(rt, p);
    return NULL;
}

static struct gv_vk_pipeline *
create_graphics(struct gv_runtime *rt, const struct gv_graphics_desc *desc,
                const struct gv_vk_shader *const shaders[5], struct gv_error *err)
{
    struct gv_error no_lines = GV_ERROR_INIT;
    bool points;
    if (!gv_vk_quads_want_points(rt->device, desc, shaders, &points, err))
        return NULL;
    struct gv_vk_pipeline *p = make_graphics(rt, desc, shaders, points, err);
    // What cannot be had is told when a draw asks for it.
    if (p && gv_vk_quads_want_lines(rt->device, desc, shaders)) {
        p->draws_lines = true;
        p->wide = make_graphics(rt, desc, shaders, 2, &no_lines);
    }
    return p;
}

bool gv_do_pipeline_create_graphics(struct gv_runtime *rt,
                                    const struct gv_args_pipeline_create_graphics *a,
                                    uint64_t *result, struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(a->desc.data, a->size.u);
    struct gv_graphics_desc desc;
    if (!gv_graphics_desc_decode(&c, &desc, err))
        return false;
    const uint64_t handles[5] = { a->vertex.u, a->tessellation_control.u,
                                  a->tessellation_evaluation.u, a->geometry.u,
                                  a->fragment.u };
    const struct gv_vk_shader *shaders[5] = { NULL };
    for (uint32_t i = 0; i < 5; i++) {
        if (!handles[i])
            continue;
        shaders[i] = find_shader(&rt->handles, handles[i], 1u << i, err);
        if (!shaders[i])
            return false;
    }
    const struct gv_vk_pipeline_key key = key_of(shaders, 5, &a->desc, a->size.u);
    struct gv_vk_pipeline *p = gv_vk_kept_take(&rt->pipelines->kept, &key);
    if (p)
        return add_handle(rt, p, result, err);
    if (!match(&desc, shaders, err))
        return false;
    p = create_graphics(rt, &desc, shaders, err);
    return p && finish_pipeline(rt, p, &key, result, err);
}

bool gv_do_pipeline_destroy(struct gv_runtime *rt,
                            const struct gv_args_pipeline_destroy *a, uint64_t *result,
                            struct gv_error *err)
{
    (void)result;
    struct gv_vk_pipeline *p =
        gv_vk_pipeline_find(&rt->handles, a->pipeline.u, "pipeline", err);
    if (!p)
        return false;
    gv_handles_remove(&rt->handles, GV_KIND_PIPELINE, a->pipeline.u);
    rt->above.forget(rt, GV_KIND_PIPELINE, a->pipeline.u);
    gv_vk_commands_defer(rt, gv_vk_pipeline_free, p);
    return true;
}
