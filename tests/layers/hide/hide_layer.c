// A Vulkan layer that makes a driver look like a poorer one. README.md beside this
// file.
#include "tests/layers/hide/hide_dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PFN_vkVoidFunction instance_call(const char *name);
static PFN_vkVoidFunction device_call(const struct gv_hide_device *d, const char *name);

// ---- instances ----

static VkLayerInstanceCreateInfo *instance_link(const VkInstanceCreateInfo *info)
{
    VkBaseOutStructure *s = (void *)info->pNext;
    for (; s; s = s->pNext) {
        VkLayerInstanceCreateInfo *link = (void *)s;
        if (s->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
            link->function == VK_LAYER_LINK_INFO)
            return link;
    }
    return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_instance(const VkInstanceCreateInfo *info,
                const VkAllocationCallbacks *callbacks, VkInstance *handle)
{
    VkLayerInstanceCreateInfo *link = instance_link(info);
    struct gv_hide_instance *i = calloc(1, sizeof *i);
    if (!link || !i || !gv_hide_rules_read(&i->rules, getenv("GV_HIDE"))) {
        free(i);
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    i->get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)i->get(NULL, "vkCreateInstance");
    VkResult result = create(info, callbacks, handle);
    if (result != VK_SUCCESS) {
        free(i);
        return result;
    }
    i->handle = *handle;
#define LOAD(name) i->name = (PFN_vk##name)i->get(*handle, "vk" #name);
    GV_HIDE_INSTANCE_CALLS(LOAD)
#undef LOAD
    gv_hide_instance_add(i);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_instance(VkInstance handle, const VkAllocationCallbacks *callbacks)
{
    struct gv_hide_instance *i = gv_hide_instance_of(handle);
    if (!i)
        return;
    gv_hide_instance_remove(i);
    i->DestroyInstance(handle, callbacks);
    free(i);
}

// ---- devices ----

static VkLayerDeviceCreateInfo *device_link(const VkDeviceCreateInfo *info)
{
    VkBaseOutStructure *s = (void *)info->pNext;
    for (; s; s = s->pNext) {
        VkLayerDeviceCreateInfo *link = (void *)s;
        if (s->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
            link->function == VK_LAYER_LINK_INFO)
            return link;
    }
    return NULL;
}

// A hidden feature that a struct asks for, or NULL.
static const char *asks_for(const struct gv_hide_rules *rules, VkStructureType type,
                            const void *data)
{
    for (size_t k = 0; k < GV_HIDE_FEATURES; k++) {
        VkBool32 on;
        if (!rules->features[k] || gv_hide_features[k].type != type)
            continue;
        memcpy(&on, (const char *)data + gv_hide_features[k].offset, sizeof on);
        if (on)
            return gv_hide_features[k].name;
    }
    return NULL;
}

static VkResult check_features(const struct gv_hide_rules *rules,
                               const VkDeviceCreateInfo *info)
{
    VkPhysicalDeviceFeatures2 core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    };
    if (info->pEnabledFeatures)
        core.features = *info->pEnabledFeatures;
    const char *name = asks_for(rules, core.sType, &core);
    const VkBaseInStructure *s = info->pNext;
    for (; s && !name; s = s->pNext)
        name = asks_for(rules, s->sType, s);
    if (!name)
        return VK_SUCCESS;
    fprintf(stderr, "GV_HIDE: vkCreateDevice asks for the hidden feature %s\n", name);
    return VK_ERROR_FEATURE_NOT_PRESENT;
}

static VkResult check_extensions(const struct gv_hide_rules *rules,
                                 const VkDeviceCreateInfo *info)
{
    bool portable = false;
    for (uint32_t k = 0; k < info->enabledExtensionCount; k++) {
        const char *name = info->ppEnabledExtensionNames[k];
        portable =
            portable || strcmp(name, VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME) == 0;
        if (!gv_hide_extension(rules, name))
            continue;
        fprintf(stderr, "GV_HIDE: vkCreateDevice asks for the hidden %s\n", name);
        return VK_ERROR_EXTENSION_NOT_PRESENT;
    }
    if (rules->portability && !portable)
        gv_hide_broken("VK_KHR_portability_subset is there and not enabled");
    return VK_SUCCESS;
}

// What the driver is given: its own queue families, none of our extensions.
struct plain_info {
    VkDeviceCreateInfo info;
    VkDeviceQueueCreateInfo *queues; // owned
    const char **extensions;         // owned
};

static bool make_plain(const struct gv_hide_rules *rules,
                       const VkDeviceCreateInfo *info, struct plain_info *plain)
{
    plain->info = *info;
    plain->queues = calloc(info->queueCreateInfoCount + 1, sizeof *plain->queues);
    plain->extensions =
        calloc(info->enabledExtensionCount + 1, sizeof *plain->extensions);
    if (!plain->queues || !plain->extensions)
        return false;
    for (uint32_t k = 0; k < info->queueCreateInfoCount; k++) {
        plain->queues[k] = info->pQueueCreateInfos[k];
        if (plain->queues[k].queueFamilyIndex < rules->queue_families)
            gv_hide_broken("queue family %u does not draw",
                           plain->queues[k].queueFamilyIndex);
        plain->queues[k].queueFamilyIndex -= rules->queue_families;
    }
    uint32_t kept = 0;
    for (uint32_t k = 0; k < info->enabledExtensionCount; k++)
        if (!rules->portability ||
            strcmp(info->ppEnabledExtensionNames[k],
                   VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME) != 0)
            plain->extensions[kept++] = info->ppEnabledExtensionNames[k];
    plain->info.pQueueCreateInfos = plain->queues;
    plain->info.enabledExtensionCount = kept;
    plain->info.ppEnabledExtensionNames = plain->extensions;
    return true;
}

static VkResult create_below(const struct gv_hide_instance *i,
                             VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                             const VkAllocationCallbacks *callbacks, VkDevice *handle,
                             struct gv_hide_device *d)
{
    VkLayerDeviceCreateInfo *link = device_link(info);
    struct plain_info plain = { .queues = NULL };
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    d->get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)get(i->handle, "vkCreateDevice");
    VkResult result = make_plain(&i->rules, info, &plain)
                          ? create(physical, &plain.info, callbacks, handle)
                          : VK_ERROR_OUT_OF_HOST_MEMORY;
    free(plain.queues);
    free(plain.extensions);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
              const VkAllocationCallbacks *callbacks, VkDevice *handle)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    VkResult result = check_features(&i->rules, info);
    if (result == VK_SUCCESS)
        result = check_extensions(&i->rules, info);
    if (result == VK_SUCCESS && i->rules.exhausted)
        result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    struct gv_hide_device *d = calloc(1, sizeof *d);
    if (result == VK_SUCCESS)
        result = d ? create_below(i, physical, info, callbacks, handle, d)
                   : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        free(d);
        return result;
    }
    d->handle = *handle;
    d->instance = i;
    d->physical = physical;
#define LOAD(name) d->name = (PFN_vk##name)d->get(*handle, "vk" #name);
    GV_HIDE_DEVICE_CALLS(LOAD)
#undef LOAD
    gv_hide_memory_start(d);
    gv_hide_device_add(d);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice handle,
                                                 const VkAllocationCallbacks *callbacks)
{
    struct gv_hide_device *d = gv_hide_device_of(handle);
    if (!d)
        return;
    gv_hide_device_remove(d);
    d->DestroyDevice(handle, callbacks);
    free(d);
}

// ---- queue families ----

static uint32_t their_family(const struct gv_hide_device *d, uint32_t family)
{
    if (family < d->instance->rules.queue_families)
        gv_hide_broken("queue family %u was not asked for", family);
    return family - d->instance->rules.queue_families;
}

static VKAPI_ATTR void VKAPI_CALL get_queue(VkDevice handle, uint32_t family,
                                            uint32_t index, VkQueue *queue)
{
    const struct gv_hide_device *d = gv_hide_device_of(handle);
    d->GetDeviceQueue(handle, their_family(d, family), index, queue);
}

static VKAPI_ATTR void VKAPI_CALL get_queue2(VkDevice handle,
                                             const VkDeviceQueueInfo2 *info,
                                             VkQueue *queue)
{
    const struct gv_hide_device *d = gv_hide_device_of(handle);
    VkDeviceQueueInfo2 theirs = *info;
    theirs.queueFamilyIndex = their_family(d, info->queueFamilyIndex);
    d->GetDeviceQueue2(handle, &theirs, queue);
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_pool(VkDevice handle, const VkCommandPoolCreateInfo *info,
            const VkAllocationCallbacks *callbacks, VkCommandPool *pool)
{
    const struct gv_hide_device *d = gv_hide_device_of(handle);
    VkCommandPoolCreateInfo theirs = *info;
    theirs.queueFamilyIndex = their_family(d, info->queueFamilyIndex);
    return d->CreateCommandPool(handle, &theirs, callbacks, pool);
}

static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count,
                                             const VkSubmitInfo2 *infos, VkFence fence)
{
    struct gv_hide_device *d = gv_hide_device_of(queue);
    const uint32_t most = d->instance->rules.submits;
    return most && atomic_fetch_add(&d->submits, 1) >= most
               ? VK_ERROR_DEVICE_LOST
               : d->QueueSubmit2(queue, count, infos, fence);
}

// ---- entry points ----

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_call(VkInstance handle,
                                                                  const char *name)
{
    PFN_vkVoidFunction call = instance_call(name);
    const struct gv_hide_instance *i = gv_hide_instance_of(handle);
    if (!call && i) // devices with memory types of ours are asked by device
        return i->get(handle, name);
    return call;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_call(VkDevice handle,
                                                                const char *name)
{
    const struct gv_hide_device *d = gv_hide_device_of(handle);
    PFN_vkVoidFunction call = d ? device_call(d, name) : NULL;
    return call || !d ? call : d->get(handle, name);
}

struct row {
    const char *name;
    PFN_vkVoidFunction call;
};
#define ROW(name, call) { "vk" name, (PFN_vkVoidFunction)(call) },

static PFN_vkVoidFunction find(const struct row *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].call;
    return NULL;
}

// The promoted functions under their first names.
static void without_suffix(const char *name, char *out, size_t size)
{
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, "KHR") == 0)
        length -= 3;
    snprintf(out, size, "%.*s", (int)length, name);
}

static PFN_vkVoidFunction device_call(const struct gv_hide_device *d, const char *name)
{
    static const struct row rows[] = {
        ROW("GetDeviceProcAddr", get_device_call) ROW("DestroyDevice", destroy_device)
            ROW("GetDeviceQueue", get_queue) ROW("GetDeviceQueue2", get_queue2)
                ROW("CreateCommandPool", create_pool) ROW("QueueSubmit2", submit)
    };
    char plain[128];
    without_suffix(name, plain, sizeof plain);
    PFN_vkVoidFunction call = find(rows, sizeof rows / sizeof *rows, plain);
    if (!call && (!d || d->instance->rules.type_count))
        call = gv_hide_memory_call(plain);
    return call ? call : gv_hide_draw_call(plain);
}

static PFN_vkVoidFunction instance_call(const char *name)
{
    static const struct row rows[] = {
        ROW("GetInstanceProcAddr", get_instance_call) ROW(
            "GetDeviceProcAddr", get_device_call) ROW("CreateInstance", create_instance)
            ROW("DestroyInstance", destroy_instance) ROW("CreateDevice", create_device)
    };
    char plain[128];
    without_suffix(name, plain, sizeof plain);
    PFN_vkVoidFunction call = find(rows, sizeof rows / sizeof *rows, plain);
    return call ? call : gv_hide_query_call(plain);
}

__attribute__((visibility("default"))) VkResult
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version);

__attribute__((visibility("default"))) VkResult
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version)
{
    if (version->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    version->loaderLayerInterfaceVersion = 2;
    version->pfnGetInstanceProcAddr = get_instance_call;
    version->pfnGetDeviceProcAddr = get_device_call;
    version->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
