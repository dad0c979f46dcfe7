// Memory types that the rules show in place of the driver's. Mapped memory of a type
// that is not coherent is a copy: the device sees it when it was flushed, the host when
// it was invalidated, neither earlier.
#include "tests/layers/hide/hide_dispatch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ATOM 256   // nonCoherentAtomSize at its largest
#define STALE 0xa5 // what a host reads that did not invalidate

struct gv_hide_block {
    struct gv_hide_block *next;
    VkDeviceMemory handle;
    VkDeviceSize size;
    uint32_t type;     // as shown
    uint8_t *mapped;   // the driver's, or NULL
    uint8_t *copy;     // the host's, of what is not coherent
    VkDeviceSize from; // where the mapping starts
};

static const VkMemoryType *shown(const struct gv_hide_device *d, uint32_t type)
{
    return &d->instance->rules.types[type];
}

static struct gv_hide_block *find(const struct gv_hide_device *d, VkDeviceMemory handle)
{
    struct gv_hide_block *b = d->blocks;
    while (b && b->handle != handle)
        b = b->next;
    return b;
}

// A driver's type that can be what `flags` say; those it has on top do not matter.
static uint32_t behind(const VkPhysicalDeviceMemoryProperties *real,
                       VkMemoryPropertyFlags flags)
{
    const VkMemoryPropertyFlags needed =
        flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
            ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
            : 0;
    for (uint32_t i = 0; i < real->memoryTypeCount; i++)
        if ((real->memoryTypes[i].propertyFlags & needed) == needed)
            return i;
    return 0;
}

void gv_hide_memory_start(struct gv_hide_device *device)
{
    const struct gv_hide_instance *i = device->instance;
    VkPhysicalDeviceMemoryProperties real;
    i->GetPhysicalDeviceMemoryProperties(device->physical, &real);
    for (uint32_t k = 0; k < i->rules.type_count; k++)
        device->behind[k] = behind(&real, i->rules.types[k].propertyFlags);
}

// ---- requirements ----

// Shown types behind which there is one of the driver's `bits`.
static void translate(const struct gv_hide_device *d, VkMemoryRequirements *r)
{
    uint32_t bits = 0;
    for (uint32_t k = 0; k < d->instance->rules.type_count; k++)
        if (r->memoryTypeBits & 1u << d->behind[k])
            bits |= 1u << k;
    r->memoryTypeBits = bits;
}

static VKAPI_ATTR void VKAPI_CALL of_buffer(VkDevice device, VkBuffer buffer,
                                            VkMemoryRequirements *out)
{
    const struct gv_hide_device *d = gv_hide_device_of(device);
    d->GetBufferMemoryRequirements(device, buffer, out);
    translate(d, out);
}

static VKAPI_ATTR void VKAPI_CALL of_image(VkDevice device, VkImage image,
                                           VkMemoryRequirements *out)
{
    const struct gv_hide_device *d = gv_hide_device_of(device);
    d->GetImageMemoryRequirements(device, image, out);
    translate(d, out);
}

static VKAPI_ATTR void VKAPI_CALL
of_buffer2(VkDevice device, const VkBufferMemoryRequirementsInfo2 *info,
           VkMemoryRequirements2 *out)
{
    const struct gv_hide_device *d = gv_hide_device_of(device);
    d->GetBufferMemoryRequirements2(device, info, out);
    translate(d, &out->memoryRequirements);
}

static VKAPI_ATTR void VKAPI_CALL of_image2(VkDevice device,
                                            const VkImageMemoryRequirementsInfo2 *info,
                                            VkMemoryRequirements2 *out)
{
    const struct gv_hide_device *d = gv_hide_device_of(device);
    d->GetImageMemoryRequirements2(device, info, out);
    translate(d, &out->memoryRequirements);
}

static VKAPI_ATTR void VKAPI_CALL
of_new_buffer(VkDevice device, const VkDeviceBufferMemoryRequirements *info,
              VkMemoryRequirements2 *out)
{
    const struct gv_hide_device *d = gv_hide_device_of(device);
    d->GetDeviceBufferMemoryRequirements(device, info, out);
    translate(d, &out->memoryRequirements);
}

static VKAPI_ATTR void VKAPI_CALL
of_new_image(VkDevice device, const VkDeviceImageMemoryRequirements *info,
             VkMemoryRequirements2 *out)
{
    const struct gv_hide_device *d = gv_hide_device_of(device);
    d->GetDeviceImageMemoryRequirements(device, info, out);
    translate(d, &out->memoryRequirements);
}

// ---- allocations ----

// Types that need what nobody here can ask for.
static void check_type(const struct gv_hide_device *d, uint32_t type)
{
    if (type >= d->instance->rules.type_count)
        gv_hide_broken("memory type %u does not exist", type);
    VkMemoryPropertyFlags flags = shown(d, type)->propertyFlags;
    if (flags & (VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
                 VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD))
        gv_hide_broken("memory type %u needs deviceCoherentMemory", type);
    if (flags & VK_MEMORY_PROPERTY_PROTECTED_BIT)
        gv_hide_broken("memory type %u needs protectedMemory", type);
    if (flags & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT)
        gv_hide_broken("memory type %u is for transient attachments", type);
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device,
                                               const VkMemoryAllocateInfo *info,
                                               const VkAllocationCallbacks *callbacks,
                                               VkDeviceMemory *memory)
{
    struct gv_hide_device *d = gv_hide_device_of(device);
    check_type(d, info->memoryTypeIndex);
    uint32_t heap = shown(d, info->memoryTypeIndex)->heapIndex;
    uint64_t size = d->instance->rules.heaps[heap].size;
    if (info->allocationSize > size - d->used[heap])
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    VkMemoryAllocateInfo real = *info;
    real.memoryTypeIndex = d->behind[info->memoryTypeIndex];
    struct gv_hide_block *b = calloc(1, sizeof *b);
    VkResult result = b ? d->AllocateMemory(device, &real, callbacks, memory)
                        : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        free(b);
        return result;
    }
    *b = (struct gv_hide_block){ .next = d->blocks,
                                 .handle = *memory,
                                 .size = info->allocationSize,
                                 .type = info->memoryTypeIndex };
    d->blocks = b;
    d->used[heap] += b->size;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL release(VkDevice device, VkDeviceMemory memory,
                                          const VkAllocationCallbacks *callbacks)
{
    struct gv_hide_device *d = gv_hide_device_of(device);
    struct gv_hide_block **at = &d->blocks;
    while (*at && (*at)->handle != memory)
        at = &(*at)->next;
    struct gv_hide_block *b = *at;
    if (b) {
        *at = b->next;
        d->used[shown(d, b->type)->heapIndex] -= b->size;
        free(b->copy);
        free(b);
    }
    d->FreeMemory(device, memory, callbacks);
}

static VKAPI_ATTR VkResult VKAPI_CALL map(VkDevice device, VkDeviceMemory memory,
                                          VkDeviceSize offset, VkDeviceSize size,
                                          VkMemoryMapFlags flags, void **data)
{
    struct gv_hide_device *d = gv_hide_device_of(device);
    struct gv_hide_block *b = find(d, memory);
    void *mapped = NULL;
    if (!b || !(shown(d, b->type)->propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))
        gv_hide_broken("memory that the host cannot see is mapped");
    VkResult result = d->MapMemory(device, memory, offset, size, flags, &mapped);
    if (result != VK_SUCCESS)
        return result;
    b->mapped = mapped;
    b->from = offset;
    *data = mapped;
    if (shown(d, b->type)->propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
        return VK_SUCCESS;
    b->copy = malloc(b->size - offset);
    if (!b->copy)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    memset(b->copy, STALE, b->size - offset);
    *data = b->copy;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL unmap(VkDevice device, VkDeviceMemory memory)
{
    struct gv_hide_device *d = gv_hide_device_of(device);
    struct gv_hide_block *b = find(d, memory);
    if (b) {
        free(b->copy);
        b->copy = NULL;
        b->mapped = NULL;
    }
    d->UnmapMemory(device, memory);
}

// ---- flushing ----

static void move(const struct gv_hide_device *d, const VkMappedMemoryRange *range,
                 bool to_device)
{
    struct gv_hide_block *b = find(d, range->memory);
    if (!b || !b->mapped)
        gv_hide_broken("a range of memory that is not mapped");
    VkDeviceSize end =
        range->size == VK_WHOLE_SIZE ? b->size : range->offset + range->size;
    if (range->offset < b->from || end > b->size || range->offset % ATOM ||
        (end % ATOM && end != b->size))
        gv_hide_broken("range [%" PRIu64 ", %" PRIu64 ") is not of whole atoms",
                       (uint64_t)range->offset, (uint64_t)end);
    if (!b->copy)
        return;
    size_t at = (size_t)(range->offset - b->from), size = (size_t)(end - range->offset);
    memcpy(to_device ? b->mapped + at : b->copy + at,
           to_device ? b->copy + at : b->mapped + at, size);
}

static VKAPI_ATTR VkResult VKAPI_CALL flush(VkDevice device, uint32_t count,
                                            const VkMappedMemoryRange *ranges)
{
    const struct gv_hide_device *d = gv_hide_device_of(device);
    for (uint32_t i = 0; i < count; i++)
        move(d, &ranges[i], true);
    return d->FlushMappedMemoryRanges(device, count, ranges);
}

static VKAPI_ATTR VkResult VKAPI_CALL invalidate(VkDevice device, uint32_t count,
                                                 const VkMappedMemoryRange *ranges)
{
    const struct gv_hide_device *d = gv_hide_device_of(device);
    VkResult result = d->InvalidateMappedMemoryRanges(device, count, ranges);
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; i++)
        move(d, &ranges[i], false);
    return result;
}

PFN_vkVoidFunction gv_hide_memory_call(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction call;
    } rows[] = {
#define ROW(name, call) { "vk" name, (PFN_vkVoidFunction)(call) },
        ROW("AllocateMemory", allocate) ROW("FreeMemory", release) ROW("MapMemory", map)
            ROW("UnmapMemory", unmap) ROW("FlushMappedMemoryRanges", flush)
                ROW("InvalidateMappedMemoryRanges",
                    invalidate) ROW("GetBufferMemoryRequirements", of_buffer)
                    ROW("GetImageMemoryRequirements",
                        of_image) ROW("GetBufferMemoryRequirements2", of_buffer2)
                        ROW("GetImageMemoryRequirements2", of_image2)
                            ROW("GetDeviceBufferMemoryRequirements", of_new_buffer)
                                ROW("GetDeviceImageMemoryRequirements", of_new_image)
#undef ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].call;
    return NULL;
}
