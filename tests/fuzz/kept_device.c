#include "tests/fuzz/kept_device.h"

#include <stddef.h>
#include <string.h>
#include <volk.h>

#include "runtime/vk/device/device.h"

#define KINDS 4 // of devices: payloads choose some of their features

// What a device is made of, without pointers: equal bytes make equal devices.
struct recipe {
    VkPhysicalDevice physical;
    struct gv_vk_features features;
    char extensions[2048]; // names, each with its 0
};

struct kept_device {
    VkDevice handle; // 0: none
    struct recipe recipe;
    uint64_t served;
    bool used;
};

static struct kept_device devices[KINDS];
static VkInstance instance;
static uint64_t most_served = 1;
static PFN_vkGetInstanceProcAddr real_instance_proc;
static PFN_vkGetDeviceProcAddr real_device_proc;

void kept_device_serves(uint64_t runtimes)
{
    most_served = runtimes;
}

static PFN_vkVoidFunction real(const char *name)
{
    return real_instance_proc(instance, name);
}

// ---- the instance: one, for as long as the process ----

static VkResult create_instance(const VkInstanceCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkInstance *out)
{
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)real_instance_proc(NULL, "vkCreateInstance");
    VkResult result = instance ? VK_SUCCESS : create(info, allocator, &instance);
    *out = instance;
    return result;
}

static void destroy_instance(VkInstance unused, const VkAllocationCallbacks *allocator)
{
    (void)unused;
    (void)allocator;
}

// ---- devices ----

// False if they have no room: such a device is not kept.
static bool copy_extensions(char *out, size_t room, const VkDeviceCreateInfo *info)
{
    memset(out, 0, room);
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        size_t size = strlen(info->ppEnabledExtensionNames[i]) + 1;
        if (size > room)
            return false;
        memcpy(out, info->ppEnabledExtensionNames[i], size);
        out += size;
        room -= size;
    }
    return true;
}

// What is asked for, without the pointers in it.
static void copy_features(struct gv_vk_features *out, const VkDeviceCreateInfo *info)
{
    const uint8_t *begin =
        (const uint8_t *)info->pNext - offsetof(struct gv_vk_features, core);
    memcpy(out, begin, sizeof *out);
    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext) {
        size_t at = (size_t)((const uint8_t *)s - begin);
        memset((uint8_t *)out + at + offsetof(VkBaseInStructure, pNext), 0,
               sizeof(void *));
    }
}

static VkResult create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkDevice *out)
{
    static struct recipe recipe;
    struct kept_device *place = NULL;
    bool whole = copy_extensions(recipe.extensions, sizeof recipe.extensions, info);
    recipe.physical = physical;
    copy_features(&recipe.features, info);
    for (int i = 0; i < KINDS; i++) {
        struct kept_device *d = &devices[i];
        if (!d->handle)
            place = d;
        else if (whole && !d->used && memcmp(&d->recipe, &recipe, sizeof recipe) == 0) {
            d->used = true;
            d->served++;
            *out = d->handle;
            return VK_SUCCESS;
        }
    }
    VkResult result =
        ((PFN_vkCreateDevice)real("vkCreateDevice"))(physical, info, allocator, out);
    if (result == VK_SUCCESS && whole && place)
        *place = (struct kept_device){ *out, recipe, 1, true };
    return result;
}

static void destroy_device(VkDevice device, const VkAllocationCallbacks *allocator)
{
    for (int i = 0; i < KINDS; i++) {
        struct kept_device *d = &devices[i];
        if (d->handle != device)
            continue;
        d->used = false;
        if (d->served < most_served)
            return;
        d->handle = NULL;
    }
    ((PFN_vkDestroyDevice)real("vkDestroyDevice"))(device, allocator);
}

// ---- between volk and the loader ----

static PFN_vkVoidFunction device_proc(VkDevice device, const char *name)
{
    if (strcmp(name, "vkDestroyDevice") == 0)
        return (PFN_vkVoidFunction)destroy_device;
    return real_device_proc(device, name);
}

// volk asks for hundreds of names, every time the same one after the other.
static PFN_vkVoidFunction remembered(VkInstance of, const char *name)
{
    static struct {
        const char *name; // literals: the same pointers
        PFN_vkVoidFunction function;
    } known[2048];
    static size_t count, next;
    const size_t most = sizeof known / sizeof *known;
    for (size_t k = 0; of && k < count; k++) {
        size_t i = (next + k) % count;
        if (known[i].name == name) {
            next = i + 1;
            return known[i].function;
        }
    }
    PFN_vkVoidFunction function = real_instance_proc(of, name);
    if (of && count < most) {
        known[count].name = name;
        known[count++].function = function;
    }
    return function;
}

static PFN_vkVoidFunction instance_proc(VkInstance of, const char *name)
{
    PFN_vkVoidFunction function = remembered(of, name);
    if (strcmp(name, "vkCreateInstance") == 0)
        return (PFN_vkVoidFunction)create_instance;
    if (!of || !function)
        return function;
    if (strcmp(name, "vkDestroyInstance") == 0)
        return (PFN_vkVoidFunction)destroy_instance;
    if (strcmp(name, "vkCreateDevice") == 0)
        return (PFN_vkVoidFunction)create_device;
    if (strcmp(name, "vkDestroyDevice") == 0)
        return (PFN_vkVoidFunction)destroy_device;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
        real_device_proc = (PFN_vkGetDeviceProcAddr)function;
        return (PFN_vkVoidFunction)device_proc;
    }
    if (strcmp(name, "vkGetInstanceProcAddr") == 0)
        return (PFN_vkVoidFunction)instance_proc;
    return function;
}

// NOLINTBEGIN(bugprone-reserved-identifier): names that the linker makes
void *__real_dlsym(void *module, const char *name);
void *__wrap_dlsym(void *module, const char *name);

void *__wrap_dlsym(void *module, const char *name)
{
    void *symbol = __real_dlsym(module, name);
    PFN_vkGetInstanceProcAddr ours = instance_proc;
    if (!symbol || strcmp(name, "vkGetInstanceProcAddr") != 0)
        return symbol;
    memcpy(&real_instance_proc, &symbol, sizeof symbol);
    memcpy(&symbol, &ours, sizeof symbol);
    return symbol;
}
// NOLINTEND(bugprone-reserved-identifier)
