#include "runtime/vk/memory/object_costs.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/kept_images.h"

#include <stdlib.h>

bool gv_vk_make_room(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err)
{
    if (rt->objects->own || gv_vk_heaps_have(rt->heaps, bytes))
        return true;
    gv_vk_images_free_kept(rt);
    return gv_vk_heaps_have(rt->heaps, bytes) || gv_vk_commands_idle(rt, err);
}

void *gv_vk_object_create(struct gv_runtime *rt, size_t size, uint64_t cost,
                          uint64_t device_bytes, struct gv_error *err)
{
    if (device_bytes > UINT64_MAX / 2)
        device_bytes = UINT64_MAX / 2; // refused later, with a reason
    if (!gv_vk_make_room(rt, cost + device_bytes, err))
        return NULL;
    if (!gv_vk_heaps_charge(rt->heaps, cost, err))
        return NULL;
    void *object = calloc(1, size);
    if (!object) {
        gv_vk_heaps_discharge(rt->heaps, cost);
        gv_out_of_memory(err);
    }
    return object;
}

void gv_vk_object_free(struct gv_vk_heaps *heaps, void *object, uint64_t cost)
{
    if (object)
        gv_vk_heaps_discharge(heaps, cost);
    free(object);
}

bool gv_vk_count_bytes(struct gv_vk_objects *objects, uint64_t bytes,
                       struct gv_error *err)
{
    if (objects->own)
        return true;
    if (bytes > objects->declared.object_bytes - objects->bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "more bytes of live objects than the %llu that are declared",
                       (unsigned long long)objects->declared.object_bytes);
    objects->bytes += bytes;
    return true;
}
