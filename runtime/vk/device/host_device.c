#include "runtime/vk/device/host_device.h"

#include "runtime/vk/device/loader.h"

#include <string.h>

static bool serves(VkPhysicalDevice physical, uint32_t family)
{
    VkQueueFamilyProperties families[32];
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    return family < count && (families[family].queueFlags & both) == both;
}

bool gv_vk_host_device_take(struct gv_vk_device *device,
                            const struct gv_runtime_vulkan *host, struct gv_error *err)
{
    VkInstance instance = host->instance;
    if (!gv_vk_loader_open((PFN_vkGetInstanceProcAddr)host->entry, err) ||
        !gv_vk_loader_use(instance, err))
        return false;
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(host->physical, &properties);
    if (properties.apiVersion < GV_VK_API)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the device is not of Vulkan 1.3");
    if (!serves(host->physical, host->queue_family))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "queue family %u is not for graphics and compute",
                       host->queue_family);
    device->instance = instance;
    device->physical = host->physical;
    device->handle = host->device;
    device->queue = host->queue;
    device->queue_family = host->queue_family;
    return true;
}

static bool is_enabled(const VkDeviceCreateInfo *info, const char *extension)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        if (strcmp(info->ppEnabledExtensionNames[i], extension) == 0)
            return true;
    return false;
}

// One struct of the host's chain. What is newer than this program is not seen.
static void take_struct(struct gv_vk_features *f, const VkBaseInStructure *one)
{
#define GV_FEATURE_STRUCT(member, type, tag, extension) \
    if (one->sType == VK_STRUCTURE_TYPE_##tag)          \
        memcpy(&f->member, one, sizeof(f->member));
#include "runtime/vk/device/features.def"
#define TAKE(core, member, tag, type)                                     \
    if (one->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##tag##_FEATURES) \
        f->core.member = ((const VkPhysicalDevice##type##Features *)one)->member;
    TAKE(v12, timelineSemaphore, TIMELINE_SEMAPHORE, TimelineSemaphore)
    TAKE(v13, dynamicRendering, DYNAMIC_RENDERING, DynamicRendering)
    TAKE(v13, synchronization2, SYNCHRONIZATION_2, Synchronization2)
    TAKE(v13, maintenance4, MAINTENANCE_4, Maintenance4)
#undef TAKE
}

static void keep_extensions(struct gv_vk_offer *offer, const VkDeviceCreateInfo *info)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < offer->extension_count; i++)
        if (is_enabled(info, offer->extension_names[i]))
            memmove(offer->extension_names[kept++], offer->extension_names[i],
                    sizeof(*offer->extension_names));
    offer->extension_count = kept;
#define GV_EXTENSION(member, name) \
    offer->extensions.member = offer->extensions.member && is_enabled(info, name);
#include "runtime/vk/device/features.def"
}

void gv_vk_host_device_restrict(struct gv_vk_offer *offer,
                                const struct gv_runtime_vulkan *host)
{
    const VkDeviceCreateInfo *info = host->device_info;
    // Of a portable device what it lacks is lacking; others have all of it.
    VkPhysicalDevicePortabilitySubsetFeaturesKHR portability =
        offer->features.portability_subset;
    bool portable = offer->extensions.portability_subset;
    memset(&offer->features, 0, sizeof offer->features);
    if (!portable)
        offer->features.portability_subset = portability;
    for (const VkBaseInStructure *one = info->pNext; one; one = one->pNext)
        take_struct(&offer->features, one);
    if (info->pEnabledFeatures)
        offer->features.core.features = *info->pEnabledFeatures;
    keep_extensions(offer, info);
    gv_vk_features_chain(&offer->features, &offer->extensions);
}
