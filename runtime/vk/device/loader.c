#define VOLK_IMPLEMENTATION
#include "runtime/vk/device/loader.h"

#include "runtime/vk/device/driver_choice.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/device/validation.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// volk's function pointers are the process's. They are set once: the loader's functions
// take objects of any instance, and other threads may be calling them.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static PFN_vkGetInstanceProcAddr entry; // where they come from; NULL: not yet
static bool loaded;
static VkInstance kept; // never destroyed

static bool open_entry(PFN_vkGetInstanceProcAddr wanted, struct gv_error *err)
{
    if (entry)
        return !wanted || wanted == entry ||
               gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "this process has Vulkan from another loader already");
    if (wanted)
        volkInitializeCustom(wanted);
    else if (volkInitialize() != VK_SUCCESS)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "no Vulkan loader: install libvulkan1");
    entry = vkGetInstanceProcAddr;
    return true;
}

bool gv_vk_loader_open(PFN_vkGetInstanceProcAddr wanted, struct gv_error *err)
{
    pthread_mutex_lock(&mutex);
    bool ok = open_entry(wanted, err);
    pthread_mutex_unlock(&mutex);
    return ok;
}

// An instance that was made for an older Vulkan has no newer functions.
static bool is_of_our_version(VkInstance instance)
{
    return vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceProperties2") &&
           vkGetInstanceProcAddr(instance, "vkWaitSemaphores") &&
           vkGetInstanceProcAddr(instance, "vkQueueSubmit2");
}

bool gv_vk_loader_use(VkInstance instance, struct gv_error *err)
{
    if (!is_of_our_version(instance))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the instance is not of Vulkan 1.3");
    pthread_mutex_lock(&mutex);
    if (!loaded)
        volkLoadInstance(instance);
    loaded = true;
    pthread_mutex_unlock(&mutex);
    return true;
}

// Whether the loader hides devices that are not all of Vulkan (every Mac's) unless
// told.
static bool hides_portable(void)
{
    VkExtensionProperties list[64];
    uint32_t count = 64;
    VkResult result = vkEnumerateInstanceExtensionProperties(NULL, &count, list);
    for (uint32_t i = 0; i < count && result >= 0; i++)
        if (strcmp(list[i].extensionName,
                   VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME) == 0)
            return true;
    return false;
}

// `what` there is none of: by the user's choice, or for want of a package.
static bool fail_absent(const char *what, struct gv_error *err)
{
    const char *choice = gv_vk_driver_choice();
    if (choice)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET, "no %s: %s is %.80s", what,
                       choice, getenv(choice));
    return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "no %s: install mesa-vulkan-drivers", what);
}

static bool create_instance(struct gv_vk_device *device, bool validate,
                            VkResult *result)
{
    static const VkValidationFeatureEnableEXT sync[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
    };
    VkDebugUtilsMessengerCreateInfoEXT messenger = gv_vk_messenger_info(device);
    const VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &messenger,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = sync,
    };
    const char *extensions[2];
    uint32_t extension_count = 0;
    bool portable = hides_portable();
    if (validate)
        extensions[extension_count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    if (portable)
        extensions[extension_count++] = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
    const char *const layer = GV_VK_VALIDATION_LAYER;
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "gpuvm",
        .pEngineName = "gpuvm",
        .apiVersion = GV_VK_API,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = validate ? &features : NULL,
        .flags = portable ? VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR : 0,
        .pApplicationInfo = &application,
        .enabledLayerCount = validate,
        .ppEnabledLayerNames = &layer,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    *result = vkCreateInstance(&info, NULL, &device->instance);
    return *result == VK_SUCCESS;
}

bool gv_vk_instance_create(struct gv_vk_device *device, bool validate,
                           struct gv_error *err)
{
    if (!gv_vk_loader_open(NULL, err))
        return false;
    VkResult result;
    if (!create_instance(device, validate, &result)) {
        device->instance = VK_NULL_HANDLE;
        if (result == VK_ERROR_LAYER_NOT_PRESENT)
            return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                           "no validation layer: install vulkan-validationlayers");
        // The loader's answer when there is no driver at all.
        if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
            return fail_absent("Vulkan driver", err);
        return gv_vk_ok(result, "vkCreateInstance", err);
    }
    return gv_vk_loader_use(device->instance, err) &&
           (!validate || gv_vk_messenger_create(device, err));
}

void gv_vk_instance_destroy(VkInstance instance, bool validate)
{
    pthread_mutex_lock(&mutex);
    const bool keep = !kept && !validate;
    if (keep)
        kept = instance;
    pthread_mutex_unlock(&mutex);
    if (!keep)
        vkDestroyInstance(instance, NULL);
}

static int rank(const VkPhysicalDeviceProperties *properties)
{
    switch ((int)properties->deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 4;
    }
    return 3;
}

// Keeps the devices of our version, stably sorted by rank.
static uint32_t sort_devices(const VkPhysicalDevice *all, uint32_t all_count,
                             VkPhysicalDevice *devices)
{
    uint32_t count = 0;
    for (int wanted = 0; wanted <= 4; wanted++) {
        for (uint32_t i = 0; i < all_count; i++) {
            VkPhysicalDeviceProperties properties;
            vkGetPhysicalDeviceProperties(all[i], &properties);
            if (rank(&properties) == wanted && properties.apiVersion >= GV_VK_API &&
                gv_vk_queue_family(all[i]) != UINT32_MAX)
                devices[count++] = all[i];
        }
    }
    return count;
}

bool gv_vk_physical_devices(VkInstance instance,
                            VkPhysicalDevice devices[GV_VK_MAX_DEVICES],
                            uint32_t *count, struct gv_error *err)
{
    VkPhysicalDevice all[GV_VK_MAX_DEVICES];
    uint32_t all_count = GV_VK_MAX_DEVICES;
    VkResult result = vkEnumeratePhysicalDevices(instance, &all_count, all);
    // VK_ERROR_INITIALIZATION_FAILED: drivers are installed, none finds its hardware.
    if (result == VK_ERROR_INITIALIZATION_FAILED || all_count == 0)
        return fail_absent("Vulkan driver", err);
    if (result != VK_INCOMPLETE && !gv_vk_ok(result, "vkEnumeratePhysicalDevices", err))
        return false;
    *count = sort_devices(all, all_count, devices);
    return *count > 0 || fail_absent("device with Vulkan 1.3", err);
}

uint32_t gv_vk_queue_family(VkPhysicalDevice physical)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
        if ((families[i].queueFlags & both) == both)
            return i;
    }
    return UINT32_MAX;
}
