#include "runtime/null/null_device.h"

#include "runtime/vk/device/device.h"
#include "vm/calls.h"
#include "vm/formats.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// Vulkan says what a function takes; these read little of it.
// NOLINTBEGIN(misc-unused-parameters)
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define CALLED VKAPI_ATTR
#define MEMORY_BYTES (UINT64_C(1) << 50)

// ---- handles ----

// Of what there is one of, or what nobody tells apart: dispatchable handles.
static char one_of_a_kind;

struct null_buffer {
    VkDeviceSize size;
};

struct null_memory {
    VkDeviceSize size;
    void *data; // owned; NULL until it is mapped
};

struct null_semaphore {
    uint64_t value;
};

// A handle without an object.
static void number(void *handle)
{
    static uint64_t last;
    last++;
    memcpy(handle, &last, sizeof last);
}

// ---- what there is ----

static CALLED VkResult VKAPI_CALL null_CreateInstance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *a,
                                                      VkInstance *instance)
{
    *instance = (VkInstance)&one_of_a_kind;
    return VK_SUCCESS;
}

static CALLED VkResult VKAPI_CALL null_CreateDevice(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *a,
                                                    VkDevice *device)
{
    *device = (VkDevice)&one_of_a_kind;
    return VK_SUCCESS;
}

static CALLED VkResult VKAPI_CALL null_EnumeratePhysicalDevices(VkInstance instance,
                                                                uint32_t *count,
                                                                VkPhysicalDevice *list)
{
    *count = 1;
    if (list)
        *list = (VkPhysicalDevice)&one_of_a_kind;
    return VK_SUCCESS;
}

static CALLED VkResult VKAPI_CALL null_EnumerateInstanceExtensionProperties(
    const char *layer, uint32_t *count, VkExtensionProperties *list)
{
    *count = 0;
    return VK_SUCCESS;
}

// All that the runtime knows, but that a device may be less than Vulkan.
static CALLED VkResult VKAPI_CALL
null_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer,
                                        uint32_t *count, VkExtensionProperties *list)
{
    static const char *const names[] = {
#define GV_EXTENSION(member, name) name,
#include "runtime/vk/device/features.def"
    };
    uint32_t kept = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME) == 0)
            continue;
        if (list)
            memcpy(list[kept].extensionName, names[i], strlen(names[i]) + 1);
        kept++;
    }
    *count = kept;
    return VK_SUCCESS;
}

static CALLED void VKAPI_CALL null_GetDeviceQueue(VkDevice device, uint32_t family,
                                                  uint32_t index, VkQueue *queue)
{
    *queue = (VkQueue)&one_of_a_kind;
}

static CALLED void VKAPI_CALL null_GetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice physical, uint32_t *count, VkQueueFamilyProperties *list)
{
    *count = 1;
    if (list)
        *list = (VkQueueFamilyProperties){
            .queueFlags =
                VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
            .queueCount = 1,
            .timestampValidBits = 64,
            .minImageTransferGranularity = { 1, 1, 1 },
        };
}

// ---- what it can do ----

// The members of a struct of features or of properties, but for the first two: a number
// or a truth whose bits are all set is as much as it can be.
static void fill(VkBaseOutStructure *one, size_t size)
{
    memset((uint8_t *)one + sizeof *one, 0xff, size - sizeof *one);
}

static CALLED void VKAPI_CALL null_GetPhysicalDeviceFeatures2(
    VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features)
{
    for (VkBaseOutStructure *one = (void *)features; one; one = one->pNext) {
#define GV_FEATURE_STRUCT(member, type, tag, extension) \
    if (one->sType == VK_STRUCTURE_TYPE_##tag)          \
        fill(one, sizeof(type));
#include "runtime/vk/device/features.def"
    }
}

// Alignments and the low ends of ranges are as low as can be.
#define SENSE_AT_LEAST_U32 UINT32_MAX
#define SENSE_AT_LEAST_U64 (UINT64_MAX / 4)
#define SENSE_AT_LEAST_F32 FLT_MAX
#define SENSE_AT_MOST_I32 INT32_MIN
#define SENSE_AT_MOST_U64 1
#define SENSE_AT_MOST_SIZE 1
#define SENSE_AT_MOST_F32 0
#define SENSE_BITS_U32 UINT32_MAX

static VkPhysicalDeviceLimits limits(void)
{
    VkPhysicalDeviceLimits l = { 0 };
#define GV_LIMIT(field, kind, sense) l.field = SENSE_##sense##_##kind;
#include "vm/device_limits.def"
    l.viewportBoundsRange[0] = -FLT_MAX;
    l.timestampPeriod = 1;
    l.timestampComputeAndGraphics = VK_TRUE;
    l.strictLines = VK_TRUE;
    l.standardSampleLocations = VK_TRUE;
    return l;
}

static CALLED void VKAPI_CALL null_GetPhysicalDeviceProperties(
    VkPhysicalDevice physical, VkPhysicalDeviceProperties *properties)
{
    *properties = (VkPhysicalDeviceProperties){
        .apiVersion = GV_VK_API,
        .deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER,
        .deviceName = "null",
        .limits = limits(),
    };
}

static CALLED void VKAPI_CALL null_GetPhysicalDeviceProperties2(
    VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *properties)
{
    null_GetPhysicalDeviceProperties(physical, &properties->properties);
    for (VkBaseOutStructure *one = properties->pNext; one; one = one->pNext) {
#define FILL(type, tag)                                                     \
    if (one->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##tag##_PROPERTIES) \
        fill(one, sizeof(VkPhysicalDevice##type##Properties));
#define FILL_EXT(type, tag)                                                     \
    if (one->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##tag##_PROPERTIES_EXT) \
        fill(one, sizeof(VkPhysicalDevice##type##PropertiesEXT));
        FILL(Vulkan11, VULKAN_1_1)
        FILL(Vulkan12, VULKAN_1_2)
        FILL(Vulkan13, VULKAN_1_3)
        FILL_EXT(TransformFeedback, TRANSFORM_FEEDBACK)
        FILL_EXT(ProvokingVertex, PROVOKING_VERTEX)
        FILL_EXT(LineRasterization, LINE_RASTERIZATION)
        FILL_EXT(VertexAttributeDivisor, VERTEX_ATTRIBUTE_DIVISOR)
        FILL_EXT(CustomBorderColor, CUSTOM_BORDER_COLOR)
#undef FILL
#undef FILL_EXT
    }
}

// Vulkan has these for some kinds of formats alone, on whatever device.
static VkFormatFeatureFlags impossible(const struct gv_format_info *info)
{
    const VkFormatFeatureFlags drawn = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT |
                                       VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
    const VkFormatFeatureFlags stored = VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT |
                                        VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT;
    if (info->aspects != GV_ASPECT_COLOR)
        return drawn | stored |
               (info->aspects & GV_ASPECT_DEPTH
                    ? 0
                    : VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
    VkFormatFeatureFlags none = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
    if (info->compressed)
        none |= drawn | stored | VK_FORMAT_FEATURE_BLIT_DST_BIT;
    if (info->kind == GV_FORMAT_KIND_UINT || info->kind == GV_FORMAT_KIND_SINT)
        none |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
                VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
    return none;
}

static CALLED void VKAPI_CALL null_GetPhysicalDeviceFormatProperties(
    VkPhysicalDevice physical, VkFormat format, VkFormatProperties *properties)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)format);
    const VkFormatFeatureFlags all = 0x7fffffff;
    *properties = (VkFormatProperties){ 0 };
    if (!info)
        return;
    properties->optimalTilingFeatures = all & ~impossible(info);
    if (info->aspects == GV_ASPECT_COLOR && !info->compressed)
        properties->bufferFeatures = all;
}

static CALLED VkResult VKAPI_CALL null_GetPhysicalDeviceImageFormatProperties2(
    VkPhysicalDevice physical, const VkPhysicalDeviceImageFormatInfo2 *info,
    VkImageFormatProperties2 *properties)
{
    properties->imageFormatProperties = (VkImageFormatProperties){
        .maxExtent = { UINT32_MAX, UINT32_MAX, UINT32_MAX },
        .maxMipLevels = UINT32_MAX,
        .maxArrayLayers = UINT32_MAX,
        .sampleCounts = 0x7f,
        .maxResourceSize = UINT64_MAX,
    };
    return VK_SUCCESS;
}

// Memory that is the device's, and memory that the host sees.
static CALLED void VKAPI_CALL null_GetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties *memory)
{
    *memory = (VkPhysicalDeviceMemoryProperties){
        .memoryTypeCount = 2,
        .memoryTypes = { { VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0 },
                         { VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                               VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                               VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
                           0 } },
        .memoryHeapCount = 1,
        .memoryHeaps = { { MEMORY_BYTES, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT } },
    };
}

// ---- memory: only what is mapped is there ----

static CALLED VkResult VKAPI_CALL null_AllocateMemory(VkDevice device,
                                                      const VkMemoryAllocateInfo *info,
                                                      const VkAllocationCallbacks *a,
                                                      VkDeviceMemory *made)
{
    struct null_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    memory->size = info->allocationSize;
    *made = (VkDeviceMemory)memory;
    return VK_SUCCESS;
}

static CALLED void VKAPI_CALL null_FreeMemory(VkDevice device, VkDeviceMemory handle,
                                              const VkAllocationCallbacks *a)
{
    struct null_memory *memory = (struct null_memory *)handle;
    if (memory)
        free(memory->data);
    free(memory);
}

static CALLED VkResult VKAPI_CALL null_MapMemory(VkDevice device, VkDeviceMemory handle,
                                                 VkDeviceSize offset, VkDeviceSize size,
                                                 VkMemoryMapFlags flags, void **data)
{
    struct null_memory *memory = (struct null_memory *)handle;
    if (!memory->data)
        memory->data = calloc(1, (size_t)memory->size);
    if (!memory->data)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *data = (uint8_t *)memory->data + offset;
    return VK_SUCCESS;
}

static CALLED VkResult VKAPI_CALL null_CreateBuffer(VkDevice device,
                                                    const VkBufferCreateInfo *info,
                                                    const VkAllocationCallbacks *a,
                                                    VkBuffer *made)
{
    struct null_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    buffer->size = info->size;
    *made = (VkBuffer)buffer;
    return VK_SUCCESS;
}

static CALLED void VKAPI_CALL null_DestroyBuffer(VkDevice device, VkBuffer handle,
                                                 const VkAllocationCallbacks *a)
{
    free((struct null_buffer *)handle);
}

static CALLED void VKAPI_CALL null_GetBufferMemoryRequirements(
    VkDevice device, VkBuffer handle, VkMemoryRequirements *needs)
{
    *needs = (VkMemoryRequirements){ ((struct null_buffer *)handle)->size, 1, 3 };
}

static CALLED void VKAPI_CALL null_GetImageMemoryRequirements(
    VkDevice device, VkImage handle, VkMemoryRequirements *needs)
{
    *needs = (VkMemoryRequirements){ 1, 1, 1 };
}

// ---- work: done as soon as it is submitted ----

static CALLED VkResult VKAPI_CALL
null_CreateSemaphore(VkDevice device, const VkSemaphoreCreateInfo *info,
                     const VkAllocationCallbacks *a, VkSemaphore *made)
{
    struct null_semaphore *semaphore = calloc(1, sizeof *semaphore);
    *made = (VkSemaphore)semaphore;
    return semaphore ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static CALLED void VKAPI_CALL null_DestroySemaphore(VkDevice device, VkSemaphore handle,
                                                    const VkAllocationCallbacks *a)
{
    free((struct null_semaphore *)handle);
}

static CALLED VkResult VKAPI_CALL null_QueueSubmit2(VkQueue queue, uint32_t count,
                                                    const VkSubmitInfo2 *list,
                                                    VkFence fence)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t s = 0; s < list[i].signalSemaphoreInfoCount; s++) {
            const VkSemaphoreSubmitInfo *signal = &list[i].pSignalSemaphoreInfos[s];
            ((struct null_semaphore *)signal->semaphore)->value = signal->value;
        }
    return VK_SUCCESS;
}

static CALLED VkResult VKAPI_CALL null_GetSemaphoreCounterValue(VkDevice device,
                                                                VkSemaphore handle,
                                                                uint64_t *value)
{
    *value = ((struct null_semaphore *)handle)->value;
    return VK_SUCCESS;
}

// ---- what is made in numbers ----

static CALLED VkResult VKAPI_CALL null_AllocateCommandBuffers(
    VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *made)
{
    for (uint32_t i = 0; i < info->commandBufferCount; i++)
        made[i] = (VkCommandBuffer)&one_of_a_kind;
    return VK_SUCCESS;
}

static CALLED VkResult VKAPI_CALL null_AllocateDescriptorSets(
    VkDevice device, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *made)
{
    for (uint32_t i = 0; i < info->descriptorSetCount; i++)
        number(&made[i]);
    return VK_SUCCESS;
}

static CALLED VkResult VKAPI_CALL
null_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                             const VkGraphicsPipelineCreateInfo *list,
                             const VkAllocationCallbacks *a, VkPipeline *made)
{
    for (uint32_t i = 0; i < count; i++)
        number(&made[i]);
    return VK_SUCCESS;
}

static CALLED VkResult VKAPI_CALL
null_CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                            const VkComputePipelineCreateInfo *list,
                            const VkAllocationCallbacks *a, VkPipeline *made)
{
    for (uint32_t i = 0; i < count; i++)
        number(&made[i]);
    return VK_SUCCESS;
}

static CALLED VkResult VKAPI_CALL null_GetPipelineCacheData(VkDevice device,
                                                            VkPipelineCache cache,
                                                            size_t *size, void *data)
{
    *size = 0;
    return VK_SUCCESS;
}

// ---- functions by name ----

#define GV_NULL_IGNORES(name, ...)                         \
    static CALLED void VKAPI_CALL null_##name(__VA_ARGS__) \
    {                                                      \
    }
#define GV_NULL_SUCCEEDS(name, ...)                            \
    static CALLED VkResult VKAPI_CALL null_##name(__VA_ARGS__) \
    {                                                          \
        return VK_SUCCESS;                                     \
    }
#define GV_NULL_MAKES(name, ...)                               \
    static CALLED VkResult VKAPI_CALL null_##name(__VA_ARGS__) \
    {                                                          \
        number(made);                                          \
        return VK_SUCCESS;                                     \
    }
#include "runtime/null/null_calls.def"

#define null_GetInstanceProcAddr gv_null_entry

PFN_vkVoidFunction VKAPI_CALL gv_null_entry(VkInstance instance, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } rows[] = {
#define ROW(name) { "vk" #name, (PFN_vkVoidFunction)null_##name },
#define GV_NULL_IGNORES(name, ...) ROW(name)
#define GV_NULL_SUCCEEDS(name, ...) ROW(name)
#define GV_NULL_MAKES(name, ...) ROW(name)
#define GV_NULL_DOES(name) ROW(name)
#include "runtime/null/null_calls.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].function;
    return NULL;
}
// NOLINTEND(misc-unused-parameters)
