#include "runtime/runtime.h"

#include "runtime/host.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/device_open.h"
#include "runtime/vk/device/pipeline_cache.h"
#include "runtime/vk/memory/zero.h"
#include "runtime/vk/work/export.h"

#include <stdlib.h>
#include <string.h>

bool gv_runtime_outside_pass(const struct gv_runtime *rt, struct gv_error *err)
{
    return !rt->in_pass ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "not allowed inside a pass");
}

bool gv_runtime_inside_pass(const struct gv_runtime *rt, struct gv_error *err)
{
    return rt->in_pass ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "not allowed outside a pass");
}

bool gv_runtime_settle(struct gv_runtime *rt, struct gv_error *err)
{
    if (!rt->in_pass)
        return true;
    return gv_vk_pass_suspend(rt, err) && gv_vk_define_all(rt, err) &&
           gv_vk_pass_resume(rt, err);
}

bool gv_runtime_make_room(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err)
{
    return rt->own || gv_vk_heaps_have(&rt->heaps, bytes) ||
           gv_vk_commands_idle(rt, err);
}

void *gv_runtime_object(struct gv_runtime *rt, size_t size, uint64_t cost,
                        uint64_t device_bytes, struct gv_error *err)
{
    if (device_bytes > UINT64_MAX / 2)
        device_bytes = UINT64_MAX / 2; // refused later, with a reason
    if (!gv_runtime_make_room(rt, cost + device_bytes, err))
        return NULL;
    if (!gv_vk_heaps_charge(&rt->heaps, cost, err))
        return NULL;
    void *object = calloc(1, size);
    if (!object) {
        gv_vk_heaps_discharge(&rt->heaps, cost);
        gv_out_of_memory(err);
    }
    return object;
}

void gv_runtime_object_free(struct gv_runtime *rt, void *object, uint64_t cost)
{
    if (object)
        gv_vk_heaps_discharge(&rt->heaps, cost);
    free(object);
}

bool gv_runtime_own_image(struct gv_runtime *rt,
                          const struct gv_args_image_create *create, uint64_t *handle,
                          struct gv_error *err)
{
    const uint32_t most = rt->handles.most;
    rt->handles.most = 0;
    rt->own = true;
    bool ok = gv_do_image_create(rt, create, handle, err);
    rt->own = false;
    rt->handles.most = most ? most + ok : 0;
    return ok;
}

bool gv_runtime_count_bytes(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err)
{
    if (rt->own)
        return true;
    if (bytes > rt->declared.object_bytes - rt->object_bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "more bytes of live objects than the %llu that are declared",
                       (unsigned long long)rt->declared.object_bytes);
    rt->object_bytes += bytes;
    return true;
}

bool gv_runtime_charge(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err)
{
    return gv_vk_heaps_charge(&rt->heaps, bytes, err);
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
    };
    if (!gv_vk_device_init(&rt->device, &device, err))
        return false;
    gv_vk_heaps_init(&rt->heaps, &rt->device, params->memory_limit);
    gv_vk_pipeline_cache_load(&rt->device, params->cache_folder);
    return gv_vk_commands_init(rt, err) &&
           (rt->outputs = gv_vk_outputs_create(rt, err)) &&
           (rt->pipelines = gv_vk_pipelines_create(rt, err)) &&
           (rt->draw_state = gv_vk_draw_state_create(rt, err)) &&
           (rt->pass = gv_vk_pass_create(rt, err));
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static void declare(struct gv_runtime *rt, const struct gv_payload *payload)
{
    rt->declared =
        (struct gv_limits){ .map_bytes = UINT64_MAX, .object_bytes = UINT64_MAX };
    if (payload)
        rt->declared = payload->limits;
    // A payload that declares none makes none.
    if (payload && !rt->declared.objects)
        rt->declared.objects = 1;
    rt->handles.most = rt->declared.objects;
}

struct gv_runtime *gv_runtime_create(const struct gv_runtime_params *params,
                                     struct gv_error *err)
{
    struct gv_runtime *rt = calloc(1, sizeof(*rt));
    if (!rt) {
        gv_out_of_memory(err);
        return NULL;
    }
    rt->timeout_ns = params->timeout_ns;
    rt->progress = params->progress;
    rt->cache_folder = params->cache_folder ? copy_text(params->cache_folder) : NULL;
    declare(rt, params->payload);
    rt->barriers.batch = 1; // 0 marks subresources that were never attachments
    gv_host_init(rt);
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
        gv_vk_image_free(rt, object);
        return;
    case GV_KIND_SAMPLER:
        gv_vk_sampler_free(rt, object);
        return;
    case GV_KIND_SHADER:
        gv_vk_shader_free(rt, object);
        return;
    case GV_KIND_PIPELINE:
        gv_vk_pipeline_free(rt, object);
        return;
    case GV_KIND_QUERY:
        gv_vk_query_free(rt, object);
        return;
    case GV_KIND_MAP:
        gv_vk_map_free(rt, object);
        return;
    }
}

// The device is done with all of them.
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
    rt->object_bytes = 0;
    rt->handles.most = rt->declared.objects;
    rt->barriers.away = NULL;
    rt->barriers.undefined_images = NULL;
    rt->barriers.undefined_buffers = NULL;
    rt->barriers.range_count = 0;
    rt->barriers.image_count = 0; // left by a call that failed half way
    rt->barriers.global = (VkMemoryBarrier2){ 0 };
}

static void close_device(struct gv_runtime *rt)
{
    vkDeviceWaitIdle(rt->device.handle);
    gv_vk_pipeline_cache_save(&rt->device, rt->cache_folder);
    free_objects(rt);
    gv_vk_commands_finish(rt);
    gv_vk_pass_destroy(rt, rt->pass);
    gv_vk_draw_state_destroy(rt, rt->draw_state);
    gv_vk_pipelines_destroy(rt, rt->pipelines);
    gv_vk_outputs_destroy(rt, rt->outputs);
    gv_vk_staging_finish(rt);
    gv_table_finish(&rt->image_views);
    gv_table_finish(&rt->buffer_views);
    gv_vk_heaps_finish(&rt->heaps);
    gv_vk_device_finish(&rt->device);
}

void gv_runtime_destroy(struct gv_runtime *rt)
{
    if (!rt)
        return;
    // After a time-out the device still works on what we would destroy, perhaps for
    // ever: its objects are left to the end of the process.
    if (rt->device.handle && !rt->commands.lost)
        close_device(rt);
    else if (!rt->commands.lost)
        gv_vk_device_finish(&rt->device);
    gv_handles_finish(&rt->handles);
    free((char *)rt->cache_folder);
    free(rt);
}

const struct gv_host *gv_runtime_host(struct gv_runtime *rt)
{
    return &rt->host;
}

bool gv_runtime_finish(struct gv_runtime *rt, struct gv_error *err)
{
    return gv_vk_commands_idle(rt, err);
}

bool gv_runtime_reset(struct gv_runtime *rt, struct gv_error *err)
{
    // Ends what runs, so that nothing begins anew after the submission.
    if (!gv_vk_pass_abandon(rt, err) || !gv_vk_commands_idle(rt, err))
        return false;
    gv_vk_pass_destroy(rt, rt->pass);
    rt->pass = gv_vk_pass_create(rt, err);
    if (!rt->pass)
        return false;
    gv_vk_draw_state_reset(rt);
    gv_vk_outputs_reset(rt);
    free_objects(rt);
    rt->commands.frame = rt->commands.command = 0;
    return true;
}

bool gv_runtime_exact(const struct gv_runtime *rt)
{
    return rt->device.exact;
}

uint64_t gv_runtime_validation_messages(const struct gv_runtime *rt)
{
    return rt->device.validation_messages;
}

void gv_runtime_get_stats(const struct gv_runtime *rt, struct gv_runtime_stats *stats)
{
    *stats = rt->stats;
    stats->allocated_bytes = rt->heaps.allocated;
    stats->peak_allocated_bytes = rt->heaps.peak;
}
