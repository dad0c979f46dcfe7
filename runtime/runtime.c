#include "runtime/runtime.h"

#include "runtime/host.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/device_open.h"
#include "runtime/vk/device/pipeline_cache.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer_content.h"
#include "runtime/vk/memory/buffer_create.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/image_create.h"
#include "runtime/vk/memory/kept_images.h"
#include "runtime/vk/memory/object_costs.h"
#include "runtime/vk/memory/staging.h"
#include "runtime/vk/memory/view.h"
#include "runtime/vk/pipelines/pipeline.h"
#include "runtime/vk/pipelines/sampler.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/pass.h"
#include "runtime/vk/work/query_parts.h"
#include "runtime/vk/work/work.h"

#include <stdlib.h>
#include <string.h>

// A runtime with what it points to; pipelines and work make their own.
struct whole {
    struct gv_runtime rt;
    struct gv_host host;
    const char *cache_folder; // owned copy, or NULL
    struct gv_runtime_budget beside;
    struct gv_vk_device device;
    struct gv_vk_heaps heaps;
    struct gv_vk_objects objects;
    struct gv_vk_commands commands;
    struct gv_vk_staging staging;
    struct gv_vk_barriers barriers;
    struct gv_vk_views views;
    struct gv_vk_kept_images kept_images;
};

static struct whole *whole_of(struct gv_runtime *rt)
{
    return (struct whole *)rt; // its first member
}

bool gv_runtime_charge(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err)
{
    return gv_vk_heaps_charge(rt->heaps, bytes, err);
}

// ---- life ----

static bool open_runtime(struct gv_runtime *rt, const struct gv_runtime_params *params,
                         struct gv_error *err)
{
    const struct gv_vk_device_params device = {
        .device = params->device,
        .validate = params->validate,
        .log = params->log,
        .payload = params->payload,
        .vulkan = params->vulkan,
    };
    if (!gv_vk_device_init(rt->device, &device, err))
        return false;
    rt->device->check_effects = params->check_effects;
    gv_vk_heaps_init(rt->heaps, rt->device, params->memory_limit);
    gv_vk_pipeline_cache_load(rt->device, params->cache_folder);
    return gv_vk_commands_init(rt->commands, err) &&
           (rt->pipelines = gv_vk_pipelines_create(rt->device, err)) &&
           gv_vk_work_create(rt, err);
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static void add_budget(struct gv_limits *limits, const struct gv_runtime_budget *b)
{
    if (limits->objects <= UINT32_MAX - b->objects)
        limits->objects += b->objects;
    if (limits->object_bytes <= UINT64_MAX - b->bytes)
        limits->object_bytes += b->bytes;
}

static void declare(struct gv_runtime *rt, const struct gv_payload *payload)
{
    rt->objects->declared =
        (struct gv_limits){ .map_bytes = UINT64_MAX, .object_bytes = UINT64_MAX };
    if (payload)
        rt->objects->declared = payload->limits;
    // A payload that declares none makes none.
    if (payload && !rt->objects->declared.objects)
        rt->objects->declared.objects = 1;
    if (payload)
        add_budget(&rt->objects->declared, &whole_of(rt)->beside);
    rt->handles.most = rt->objects->declared.objects;
}

bool gv_runtime_go_on(struct gv_runtime *rt, const struct gv_payload *payload,
                      struct gv_error *err)
{
    declare(rt, payload);
    return gv_vk_device_require(rt->device, payload, err);
}

static void point(struct whole *whole)
{
    struct gv_runtime *rt = &whole->rt;
    rt->device = &whole->device;
    rt->heaps = &whole->heaps;
    rt->objects = &whole->objects;
    rt->commands = &whole->commands;
    rt->staging = &whole->staging;
    rt->staging->heaps = rt->heaps;
    rt->commands->staging = rt->staging;
    rt->barriers = &whole->barriers;
    rt->views = &whole->views;
    rt->views->heaps = rt->heaps;
    rt->kept_images = &whole->kept_images;
}

struct gv_runtime *gv_runtime_create(const struct gv_runtime_params *params,
                                     struct gv_error *err)
{
    struct whole *whole = calloc(1, sizeof(*whole));
    if (!whole) {
        gv_out_of_memory(err);
        return NULL;
    }
    struct gv_runtime *rt = &whole->rt;
    point(whole);
    rt->commands->timeout_ns = params->timeout_ns;
    rt->commands->progress = params->progress;
    rt->commands->cancel = params->cancel;
    whole->cache_folder = params->cache_folder ? copy_text(params->cache_folder) : NULL;
    whole->beside = params->beside;
    declare(rt, params->payload);
    rt->barriers->batch = 1; // 0 marks subresources that were never attachments
    gv_host_init(&whole->host, rt);
    if (!open_runtime(rt, params, err)) {
        gv_runtime_destroy(rt);
        return NULL;
    }
    return rt;
}

static void free_object(struct gv_runtime *rt, enum gv_kind kind, void *object)
{
    switch (kind) {
    case GV_KIND_NONE:
    case GV_KIND_COUNT:
        return;
    case GV_KIND_BUFFER:
        gv_vk_buffer_free(rt, object);
        return;
    case GV_KIND_IMAGE:
        gv_vk_image_keep(rt, object);
        return;
    case GV_KIND_SAMPLER:
        gv_vk_sampler_free(rt, object);
        return;
    case GV_KIND_SHADER:
        gv_vk_shader_free(rt->heaps, object);
        return;
    case GV_KIND_PIPELINE:
        gv_vk_pipeline_keep(rt, object);
        return;
    case GV_KIND_QUERY:
        gv_vk_query_free(rt, object);
        return;
    case GV_KIND_MAP:
        gv_vk_map_free(rt->heaps, rt->objects, object);
        return;
    }
}

// The device is done with all of them. Pipelines and images may be kept for the next
// pass.
static void free_objects(struct gv_runtime *rt)
{
    uint32_t index = 0;
    enum gv_kind kind;
    uint64_t handle;
    void *object;
    while ((object = gv_handles_next(&rt->handles, &index, &kind, &handle))) {
        gv_handles_remove(&rt->handles, kind, handle);
        free_object(rt, kind, object);
    }
    rt->objects->bytes = 0;
    rt->handles.most = rt->objects->declared.objects;
    gv_vk_barriers_forget_all(rt->barriers);
}

static void close_device(struct gv_runtime *rt)
{
    vkQueueWaitIdle(rt->device->queue);
    gv_vk_pipeline_cache_save(rt->device, whole_of(rt)->cache_folder);
    free_objects(rt);
    gv_vk_images_free_kept(rt);
    gv_vk_pipelines_free_kept(rt);
    gv_vk_commands_finish(rt->commands);
    gv_vk_work_destroy(rt);
    gv_vk_pipelines_destroy(rt->device, rt->pipelines);
    gv_vk_staging_finish(rt->staging);
    gv_vk_views_finish(rt->views);
    gv_vk_heaps_finish(rt->heaps);
    gv_vk_device_finish(rt->device);
}

void gv_runtime_destroy(struct gv_runtime *rt)
{
    if (!rt)
        return;
    if (rt->device->handle)
        gv_vk_commands_settle(rt->commands);
    // After a time-out the device still works on what we would destroy, perhaps for
    // ever: its objects are left to the end of the process.
    if (rt->device->handle && !rt->commands->lost)
        close_device(rt);
    else if (!rt->commands->lost)
        gv_vk_device_finish(rt->device);
    gv_handles_finish(&rt->handles);
    free((char *)whole_of(rt)->cache_folder);
    free(whole_of(rt));
}

const struct gv_host *gv_runtime_host(struct gv_runtime *rt)
{
    return &whole_of(rt)->host;
}

bool gv_runtime_finish(struct gv_runtime *rt, struct gv_error *err)
{
    return gv_vk_commands_idle(rt, err);
}

bool gv_runtime_reset(struct gv_runtime *rt, struct gv_error *err)
{
    gv_vk_work_abandon(rt);
    if (!gv_vk_commands_idle(rt, err))
        return false;
    gv_vk_work_reset(rt);
    gv_vk_kept_images_pass(rt, rt->commands->frame > 0);
    free_objects(rt);
    rt->commands->frame = rt->commands->command = 0;
    return true;
}

bool gv_runtime_exact(const struct gv_runtime *rt)
{
    return rt->device->exact;
}

uint64_t gv_runtime_effect_violations(const struct gv_runtime *rt)
{
    return rt->device->effect_violations;
}

uint64_t gv_runtime_validation_messages(const struct gv_runtime *rt)
{
    return rt->device->validation_messages;
}

void gv_runtime_get_stats(const struct gv_runtime *rt, struct gv_runtime_stats *stats)
{
    *stats = (struct gv_runtime_stats){
        .submissions = rt->commands->submissions,
        .draws = rt->draw_state->draws,
        .dispatches = rt->draw_state->dispatches,
        .passes = rt->pass->passes,
        .barriers = rt->barriers->emitted,
        .uploads = rt->staging->uploads,
        .upload_bytes = rt->staging->upload_bytes,
        .uniform_bytes = rt->staging->uniform_bytes,
        .pipelines = rt->pipelines->made,
        .descriptor_sets = rt->draw_state->descriptors.made,
        .allocated_bytes = rt->heaps->allocated,
        .peak_allocated_bytes = rt->heaps->peak,
        .record_ns = rt->commands->record_ns,
        .wait_ns = rt->commands->wait_ns,
        .submit_ns = rt->commands->submit_ns,
    };
}
