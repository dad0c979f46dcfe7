// The list of devices, and what a payload misses on each.
#include "runtime/runtime.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/device_open.h"
#include "runtime/vk/device/driver_choice.h"
#include "runtime/vk/device/loader.h"
#include "runtime/vk/device/requirements.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *type_name(VkPhysicalDeviceType type)
{
    switch ((int)type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete-gpu";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated-gpu";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual-gpu";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "cpu";
    }
    return "other";
}

static uint64_t device_memory(const VkPhysicalDeviceMemoryProperties *memory)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++)
        if (memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            bytes += memory->memoryHeaps[i].size;
    return bytes;
}

static char *take_text(struct gv_bytes *bytes)
{
    gv_bytes_u8(bytes, 0);
    if (!bytes->failed)
        return (char *)bytes->data;
    gv_bytes_finish(bytes);
    return NULL;
}

static bool add_fallback(struct gv_device_info *info, const struct gv_requirement *r,
                         struct gv_bytes *missed)
{
    struct gv_bytes fallback = { 0 };
    gv_bytes_put(&fallback, r->fallback, strlen(r->fallback));
    struct gv_device_fallback *row = &info->fallbacks[info->fallback_count++];
    row->strength = gv_requirement_strength_name(r->strength);
    row->missed = take_text(missed);
    row->fallback = take_text(&fallback);
    return row->missed && row->fallback;
}

static bool list_fallbacks(const struct gv_vk_offer *offer,
                           const struct gv_payload *payload,
                           struct gv_device_info *info)
{
    size_t count = payload ? payload->requirement_count : 0;
    info->fallbacks = calloc(count + 1, sizeof(*info->fallbacks));
    if (!info->fallbacks)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct gv_bytes missed = { 0 };
        if (payload->requirements[i].strength == GV_NEEDED)
            continue;
        gv_vk_requirement_check(offer, &payload->requirements[i], &missed);
        if (missed.size && !add_fallback(info, &payload->requirements[i], &missed))
            return false;
    }
    return true;
}

static void identify(struct gv_device_info *info, const VkPhysicalDeviceProperties *p,
                     const VkPhysicalDeviceDriverProperties *driver,
                     const uint8_t uuid[VK_UUID_SIZE],
                     const VkPhysicalDeviceMemoryProperties *memory)
{
    static_assert(sizeof info->uuid == VK_UUID_SIZE, "as long as Vulkan's");
    memcpy(info->uuid, uuid, sizeof info->uuid);
    snprintf(info->name, sizeof(info->name), "%s", p->deviceName);
    snprintf(info->driver, sizeof(info->driver), "%.120s%s%.120s", driver->driverName,
             driver->driverInfo[0] ? " " : "", driver->driverInfo);
    info->type = type_name(p->deviceType);
    info->api_version = p->apiVersion;
    info->driver_version = p->driverVersion;
    info->vendor_id = p->vendorID;
    info->device_id = p->deviceID;
    info->memory_bytes = device_memory(memory);
    info->timestamp_ns = p->limits.timestampPeriod;
}

static bool describe(const struct gv_vk_offer *offer, const struct gv_payload *payload,
                     struct gv_device_info *info, struct gv_error *err)
{
    const VkPhysicalDeviceProperties *p = &offer->properties.properties;
    struct gv_bytes missing = { 0 };
    gv_vk_requirements_missing(offer, payload, &missing);
    info->missing = take_text(&missing);
    if (!info->missing || !list_fallbacks(offer, payload, info))
        return gv_out_of_memory(err);
    identify(info, p, &offer->driver, offer->properties11.deviceUUID, &offer->memory);
    return true;
}

static bool list(VkInstance instance, const struct gv_payload *payload,
                 struct gv_device_info **devices, size_t *count, struct gv_error *err)
{
    VkPhysicalDevice physical[GV_VK_MAX_DEVICES];
    uint32_t found;
    if (!gv_vk_physical_devices(instance, physical, &found, err))
        return false;
    *devices = calloc(found, sizeof(**devices));
    if (!*devices)
        return gv_out_of_memory(err);
    *count = found;
    bool ok = true;
    for (uint32_t i = 0; ok && i < found; i++) {
        struct gv_vk_offer offer;
        ok = gv_vk_offer_init(&offer, physical[i], err) &&
             describe(&offer, payload, &(*devices)[i], err);
        gv_vk_offer_finish(&offer);
    }
    return ok;
}

void gv_runtime_device(const struct gv_runtime *runtime, struct gv_device_info *info)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &driver,
    };
    *info = (struct gv_device_info){ 0 };
    vkGetPhysicalDeviceProperties2(runtime->device->physical, &properties);
    identify(info, &properties.properties, &driver,
             runtime->device->properties11.deviceUUID, &runtime->device->memory);
}

void gv_runtime_skip_drivers(const struct gv_log *log)
{
    gv_vk_skip_drivers(log);
}

bool gv_runtime_devices(const struct gv_payload *payload,
                        struct gv_device_info **devices, size_t *count,
                        struct gv_error *err)
{
    struct gv_vk_device device = { 0 };
    *devices = NULL;
    *count = 0;
    bool ok = gv_vk_instance_create(&device, false, err) &&
              list(device.instance, payload, devices, count, err);
    gv_vk_device_finish(&device);
    if (!ok) {
        gv_device_infos_free(*devices, *count);
        *devices = NULL;
        *count = 0;
    }
    return ok;
}

void gv_device_infos_free(struct gv_device_info *devices, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(devices[i].missing);
        for (size_t k = 0; k < devices[i].fallback_count; k++) {
            free(devices[i].fallbacks[k].missed);
            free(devices[i].fallbacks[k].fallback);
        }
        free(devices[i].fallbacks);
    }
    free(devices);
}
