// What the layer remembers of instances and devices, found by any handle below them.
#ifndef GV_HIDE_DISPATCH_H
#define GV_HIDE_DISPATCH_H

#include "tests/layers/hide/hide_rules.h"

#include <stdatomic.h>

#include <vulkan/vk_layer.h>

// Functions of the next layer that ours call. Instance ones first.
#define GV_HIDE_INSTANCE_CALLS(X)              \
    X(DestroyInstance)                         \
    X(GetPhysicalDeviceFeatures)               \
    X(GetPhysicalDeviceFeatures2)              \
    X(GetPhysicalDeviceProperties)             \
    X(GetPhysicalDeviceProperties2)            \
    X(GetPhysicalDeviceFormatProperties)       \
    X(GetPhysicalDeviceFormatProperties2)      \
    X(GetPhysicalDeviceImageFormatProperties)  \
    X(GetPhysicalDeviceImageFormatProperties2) \
    X(GetPhysicalDeviceMemoryProperties)       \
    X(GetPhysicalDeviceMemoryProperties2)      \
    X(GetPhysicalDeviceQueueFamilyProperties)  \
    X(GetPhysicalDeviceQueueFamilyProperties2) \
    X(EnumerateDeviceExtensionProperties)

#define GV_HIDE_DEVICE_CALLS(X)          \
    X(DestroyDevice)                     \
    X(GetDeviceQueue)                    \
    X(GetDeviceQueue2)                   \
    X(QueueSubmit2)                      \
    X(CreateCommandPool)                 \
    X(CreateShaderModule)                \
    X(DestroyShaderModule)               \
    X(CreateGraphicsPipelines)           \
    X(CmdSetLineWidth)                   \
    X(AllocateMemory)                    \
    X(FreeMemory)                        \
    X(MapMemory)                         \
    X(UnmapMemory)                       \
    X(FlushMappedMemoryRanges)           \
    X(InvalidateMappedMemoryRanges)      \
    X(GetBufferMemoryRequirements)       \
    X(GetImageMemoryRequirements)        \
    X(GetBufferMemoryRequirements2)      \
    X(GetImageMemoryRequirements2)       \
    X(GetDeviceBufferMemoryRequirements) \
    X(GetDeviceImageMemoryRequirements)

struct gv_hide_instance {
    struct gv_hide_instance *next;
    void *key;
    VkInstance handle;
    struct gv_hide_rules rules;
    PFN_vkGetInstanceProcAddr get;
#define GV_HIDE_MEMBER(name) PFN_vk##name name;
    GV_HIDE_INSTANCE_CALLS(GV_HIDE_MEMBER)
};

struct gv_hide_block;  // memory of a shown type (hide_memory.c)
struct gv_hide_module; // what a shader does with points (hide_draw.c)

struct gv_hide_device {
    struct gv_hide_device *next;
    void *key;
    VkDevice handle;
    const struct gv_hide_instance *instance;
    VkPhysicalDevice physical;
    PFN_vkGetDeviceProcAddr get;
    GV_HIDE_DEVICE_CALLS(GV_HIDE_MEMBER)
#undef GV_HIDE_MEMBER
    // Memory, where rules show types of their own.
    uint32_t behind[VK_MAX_MEMORY_TYPES]; // the driver's type behind each shown one
    uint64_t used[VK_MAX_MEMORY_HEAPS];   // bytes
    atomic_uint submits;                  // so far
    struct gv_hide_block *blocks;
    struct gv_hide_module *modules;
};

// By the handle of an instance or physical device; of a device or queue. The layer is
// in nobody's way when they are unknown: NULL.
struct gv_hide_instance *gv_hide_instance_of(const void *handle);
struct gv_hide_device *gv_hide_device_of(const void *handle);

void gv_hide_instance_add(struct gv_hide_instance *instance);
void gv_hide_device_add(struct gv_hide_device *device);
// Unlinks; the caller frees.
void gv_hide_instance_remove(struct gv_hide_instance *instance);
void gv_hide_device_remove(struct gv_hide_device *device);

// A rule of Vulkan was broken in a way that some driver would not forgive: says so and
// ends the process, so that no test passes with it.
_Noreturn void gv_hide_broken(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

// Entry points of the other files, by name; NULL: not ours.
PFN_vkVoidFunction gv_hide_query_call(const char *name);
PFN_vkVoidFunction gv_hide_memory_call(const char *name);
PFN_vkVoidFunction gv_hide_draw_call(const char *name);

// Finds the driver's types behind those shown.
void gv_hide_memory_start(struct gv_hide_device *device);

#endif
