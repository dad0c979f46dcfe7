#include "runtime/vk/memory/device_memory.h"

#include "runtime/vk/device/result.h"
#include "runtime/vk/link.h"

#include <inttypes.h>
#include <stdlib.h>

#define BLOCK_SIZE (32u << 20) // bytes
#define SMALL_BLOCK_SIZE \
    (4u << 20) // the first block of a kind: small programs stay small
#define MAX_PIECE (BLOCK_SIZE / 4) // larger pieces get a block of their own
#define BINS 64                    // of free spans, by the logarithm of their size
#define LOOKS 16                   // at spans of a bin that may be too small

// A used or free stretch of a block; stretches of a block are in order and adjoin, and
// no two free ones are neighbours.
struct gv_vk_span {
    VkDeviceSize offset, size;
    struct gv_link bin; // listed while it is free
    struct gv_vk_span *previous, *next;
};

struct gv_vk_block {
    VkDeviceMemory handle;
    VkDeviceSize size;
    uint32_t type; // memory type index
    bool linear, own;
    uint8_t *data;            // mapped, or NULL
    uint32_t used;            // pieces
    struct gv_vk_span *spans; // owned
    struct gv_link *bins[BINS];
    uint64_t filled; // a bit per bin that is not empty
    struct gv_vk_block *next;
};

void gv_vk_heaps_init(struct gv_vk_heaps *heaps, struct gv_vk_device *device,
                      uint64_t limit)
{
    *heaps = (struct gv_vk_heaps){ .device = device, .limit = limit };
}

static void destroy_block(struct gv_vk_heaps *heaps, struct gv_vk_block *block)
{
    for (struct gv_vk_span *span = block->spans; span;) {
        struct gv_vk_span *next = span->next;
        free(span);
        span = next;
    }
    if (block->handle)
        vkFreeMemory(heaps->device->handle, block->handle, NULL);
    heaps->allocated -= block->size;
    free(block);
}

void gv_vk_heaps_finish(struct gv_vk_heaps *heaps)
{
    while (heaps->blocks) {
        struct gv_vk_block *block = heaps->blocks;
        heaps->blocks = block->next;
        destroy_block(heaps, block);
    }
}

// ---- memory types ----

static VkMemoryPropertyFlags must_have(enum gv_vk_memory_kind kind)
{
    return kind == GV_VK_MEMORY_DEVICE ? 0 : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
}

static int score(VkMemoryPropertyFlags flags, enum gv_vk_memory_kind kind)
{
    int local = (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
    int coherent = (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
    int cached = (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0;
    int visible = (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
    switch (kind) {
    case GV_VK_MEMORY_DEVICE:
        return local * 4 - visible; // leave the mappable window to those who need it
    case GV_VK_MEMORY_UPLOAD:
        return coherent * 4 - local - cached;
    case GV_VK_MEMORY_READBACK:
        break;
    }
    return cached * 4 + coherent;
}

// The best memory type of `bits` not among `tried`, or UINT32_MAX.
static uint32_t pick_type(const struct gv_vk_heaps *heaps, uint32_t bits,
                          uint32_t tried, enum gv_vk_memory_kind kind)
{
    const VkPhysicalDeviceMemoryProperties *memory = &heaps->device->memory;
    // Any other property asks for something: a feature (AMD's coherent types, protected
    // ones) or a use (lazily allocated ones).
    const VkMemoryPropertyFlags plain =
        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
        VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
        VkMemoryPropertyFlags flags = memory->memoryTypes[i].propertyFlags;
        if (!(bits & 1u << i) || (tried & 1u << i) || (flags & ~plain) ||
            (flags & must_have(kind)) != must_have(kind))
            continue;
        if (best == UINT32_MAX ||
            score(flags, kind) > score(memory->memoryTypes[best].propertyFlags, kind))
            best = i;
    }
    return best;
}

static bool mappable(const struct gv_vk_heaps *heaps, uint32_t type)
{
    return heaps->device->memory.memoryTypes[type].propertyFlags &
           VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
}

static bool coherent(const struct gv_vk_heaps *heaps, uint32_t type)
{
    return heaps->device->memory.memoryTypes[type].propertyFlags &
           VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
}

// ---- blocks ----

static VkResult allocate(struct gv_vk_heaps *heaps, struct gv_vk_block *block)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = block->size,
        .memoryTypeIndex = block->type,
    };
    VkDevice device = heaps->device->handle;
    VkResult result = vkAllocateMemory(device, &info, NULL, &block->handle);
    if (result != VK_SUCCESS || !mappable(heaps, block->type))
        return result;
    void *data = NULL;
    result = vkMapMemory(device, block->handle, 0, VK_WHOLE_SIZE, 0, &data);
    block->data = data;
    return result;
}

static uint32_t bin_of(VkDeviceSize size)
{
    return size ? 63u - (uint32_t)__builtin_clzll(size) : 0;
}

static void enter_bin(struct gv_vk_block *block, struct gv_vk_span *span)
{
    uint32_t bin = bin_of(span->size);
    gv_link_add(&block->bins[bin], &span->bin);
    block->filled |= UINT64_C(1) << bin;
}

// Before its size changes, or it is used or freed.
static void leave_bin(struct gv_vk_block *block, struct gv_vk_span *span)
{
    uint32_t bin = bin_of(span->size);
    gv_link_remove(&span->bin);
    if (!block->bins[bin])
        block->filled &= ~(UINT64_C(1) << bin);
}

static struct gv_vk_block *create_block(struct gv_vk_heaps *heaps, VkDeviceSize size,
                                        uint32_t type, bool linear, VkResult *result)
{
    struct gv_vk_block *block = calloc(1, sizeof(*block));
    struct gv_vk_span *span = calloc(1, sizeof(*span));
    if (!block || !span) {
        free(block);
        free(span);
        *result = VK_ERROR_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    *block = (struct gv_vk_block){
        .size = size, .type = type, .linear = linear, .spans = span
    };
    span->size = size;
    enter_bin(block, span);
    heaps->allocated += size; // destroy_block takes it off again
    *result = allocate(heaps, block);
    if (*result != VK_SUCCESS) {
        destroy_block(heaps, block);
        return NULL;
    }
    if (heaps->allocated > heaps->peak)
        heaps->peak = heaps->allocated;
    block->next = heaps->blocks;
    heaps->blocks = block;
    return block;
}

static VkDeviceSize align_up(VkDeviceSize value, VkDeviceSize alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

// A new span of [offset, offset + size) behind `before`.
static struct gv_vk_span *insert(struct gv_vk_span *before, VkDeviceSize offset,
                                 VkDeviceSize size)
{
    struct gv_vk_span *span = calloc(1, sizeof(*span));
    if (!span)
        return NULL;
    *span = (struct gv_vk_span){
        .offset = offset, .size = size, .previous = before, .next = before->next
    };
    if (before->next)
        before->next->previous = span;
    before->next = span;
    before->size -= size;
    return span;
}

// Cuts [at, at + size) out of a free span and returns it, used; the rest stays free on
// either side. NULL when memory runs out.
static struct gv_vk_span *cut(struct gv_vk_block *block, struct gv_vk_span *span,
                              VkDeviceSize at, VkDeviceSize size)
{
    VkDeviceSize end = span->offset + span->size;
    struct gv_vk_span *piece = span, *after = NULL;
    leave_bin(block, span);
    if (at + size < end && !(after = insert(span, at + size, end - at - size)))
        piece = NULL;
    if (after)
        enter_bin(block, after);
    if (piece && at > span->offset)
        piece = insert(span, at, size);
    if (piece != span)
        enter_bin(block, span);
    return piece;
}

// A free span that holds `size` bytes from a multiple of `alignment` on, `*at`. Of bins
// whose spans may be too small only the first few are looked at.
static struct gv_vk_span *find_span(const struct gv_vk_block *block, VkDeviceSize size,
                                    VkDeviceSize alignment, VkDeviceSize *at)
{
    uint64_t bins = block->filled & (UINT64_MAX << bin_of(size));
    for (; bins; bins &= bins - 1) {
        struct gv_link *link = block->bins[__builtin_ctzll(bins)];
        for (int look = 0; link && look < LOOKS; look++, link = link->next) {
            struct gv_vk_span *span = GV_LINK_HOLDER(link, struct gv_vk_span, bin);
            *at = align_up(span->offset, alignment);
            VkDeviceSize lost = *at - span->offset;
            if (lost <= span->size && size <= span->size - lost)
                return span;
        }
    }
    return NULL;
}

static bool take(struct gv_vk_block *block, VkDeviceSize size, VkDeviceSize alignment,
                 struct gv_vk_memory *memory)
{
    VkDeviceSize at;
    struct gv_vk_span *span = find_span(block, size, alignment, &at);
    struct gv_vk_span *piece = span ? cut(block, span, at, size) : NULL;
    if (!piece)
        return false;
    block->used++;
    *memory = (struct gv_vk_memory){
        .handle = block->handle,
        .offset = at,
        .size = size,
        .data = block->data ? block->data + at : NULL,
        .block = block,
        .span = piece,
    };
    return true;
}

bool gv_vk_heaps_have(const struct gv_vk_heaps *heaps, uint64_t bytes)
{
    uint64_t used = heaps->allocated + heaps->charged; // of a process: no overflow
    return !heaps->limit || (used <= heaps->limit && bytes <= heaps->limit - used);
}

bool gv_vk_heaps_charge(struct gv_vk_heaps *heaps, uint64_t bytes, struct gv_error *err)
{
    if (!gv_vk_heaps_have(heaps, bytes))
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "%" PRIu64 " bytes for objects, with %" PRIu64
                       " in use, pass the limit",
                       bytes, heaps->allocated + heaps->charged);
    heaps->charged += bytes;
    return true;
}

void gv_vk_heaps_discharge(struct gv_vk_heaps *heaps, uint64_t bytes)
{
    heaps->charged -= bytes;
}

static VkDeviceSize block_size(const struct gv_vk_heaps *heaps, VkDeviceSize size,
                               uint32_t type, bool linear)
{
    if (size > MAX_PIECE)
        return size;
    VkDeviceSize wanted = SMALL_BLOCK_SIZE;
    for (const struct gv_vk_block *b = heaps->blocks; b; b = b->next)
        if (b->type == type && b->linear == linear && !b->own)
            wanted = BLOCK_SIZE;
    if (wanted < size)
        wanted = BLOCK_SIZE;
    return gv_vk_heaps_have(heaps, wanted) ? wanted : size;
}

static VkResult alloc_of_type(struct gv_vk_heaps *heaps,
                              const VkMemoryRequirements *needs, uint32_t type,
                              bool linear, struct gv_vk_memory *memory)
{
    // Whole multiples of nonCoherentAtomSize, so that flushes stay inside the piece.
    VkDeviceSize atom = GV_VK_LIMITS(heaps->device)->nonCoherentAtomSize;
    VkDeviceSize alignment = needs->alignment > atom ? needs->alignment : atom;
    VkDeviceSize size = align_up(needs->size, atom);
    for (struct gv_vk_block *b = heaps->blocks; b; b = b->next)
        if (b->type == type && b->linear == linear && !b->own &&
            take(b, size, alignment, memory))
            return VK_SUCCESS;
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (!gv_vk_heaps_have(heaps, size))
        return result;
    struct gv_vk_block *block = create_block(
        heaps, block_size(heaps, size, type, linear), type, linear, &result);
    if (!block)
        return result;
    block->own = size > MAX_PIECE;
    return take(block, size, alignment, memory) ? VK_SUCCESS
                                                : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static bool fail_limit(const struct gv_vk_heaps *heaps,
                       const VkMemoryRequirements *needs, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                   "%" PRIu64 " bytes of device memory, with %" PRIu64
                   " in use, pass the limit",
                   (uint64_t)needs->size, heaps->allocated + heaps->charged);
}

bool gv_vk_memory_alloc(struct gv_vk_heaps *heaps, const VkMemoryRequirements *needs,
                        enum gv_vk_memory_kind kind, bool linear,
                        struct gv_vk_memory *memory, struct gv_error *err)
{
    VkDeviceSize most = heaps->device->properties11.maxMemoryAllocationSize;
    if (needs->size > most - most / 16)
        return fail_limit(heaps, needs, err);
    uint32_t tried = 0, type;
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    while ((type = pick_type(heaps, needs->memoryTypeBits, tried, kind)) !=
           UINT32_MAX) {
        result = alloc_of_type(heaps, needs, type, linear, memory);
        if (result == VK_SUCCESS)
            return true;
        tried |= 1u << type;
    }
    if (!gv_vk_heaps_have(heaps, needs->size))
        return fail_limit(heaps, needs, err);
    return gv_vk_ok(result, "vkAllocateMemory", err);
}

// Joins `span` with its next neighbour, which is free.
static void join(struct gv_vk_block *block, struct gv_vk_span *span)
{
    struct gv_vk_span *next = span->next;
    leave_bin(block, next);
    span->size += next->size;
    span->next = next->next;
    if (next->next)
        next->next->previous = span;
    free(next);
}

static bool is_free(const struct gv_vk_span *span)
{
    return span && gv_link_listed(&span->bin);
}

static void give_back(struct gv_vk_block *block, struct gv_vk_span *span)
{
    if (is_free(span->next))
        join(block, span);
    if (is_free(span->previous)) {
        struct gv_vk_span *before = span->previous;
        enter_bin(block, span);
        leave_bin(block, before);
        join(block, before);
        span = before;
    }
    enter_bin(block, span);
}

// An empty block goes back to the driver, unless it is the last of its kind.
static void release_block(struct gv_vk_heaps *heaps, struct gv_vk_block *block)
{
    bool others = block->own;
    for (const struct gv_vk_block *b = heaps->blocks; b; b = b->next)
        others |= b != block && b->type == block->type && b->linear == block->linear &&
                  !b->own;
    if (!others)
        return;
    struct gv_vk_block **at = &heaps->blocks;
    while (*at && *at != block)
        at = &(*at)->next;
    if (*at)
        *at = block->next;
    destroy_block(heaps, block);
}

void gv_vk_memory_free(struct gv_vk_heaps *heaps, struct gv_vk_memory *memory)
{
    struct gv_vk_block *block = memory->block;
    if (!block)
        return;
    give_back(block, memory->span);
    if (--block->used == 0)
        release_block(heaps, block);
    *memory = (struct gv_vk_memory){ 0 };
}

bool gv_vk_memory_flush(struct gv_vk_heaps *heaps, const struct gv_vk_memory *memory,
                        struct gv_error *err)
{
    if (!memory->data || coherent(heaps, memory->block->type))
        return true;
    const VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = memory->handle,
        .offset = memory->offset,
        .size = memory->size,
    };
    return gv_vk_ok(vkFlushMappedMemoryRanges(heaps->device->handle, 1, &range),
                    "vkFlushMappedMemoryRanges", err);
}

bool gv_vk_memory_invalidate(struct gv_vk_heaps *heaps,
                             const struct gv_vk_memory *memory, struct gv_error *err)
{
    if (!memory->data || coherent(heaps, memory->block->type))
        return true;
    const VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = memory->handle,
        .offset = memory->offset,
        .size = memory->size,
    };
    return gv_vk_ok(vkInvalidateMappedMemoryRanges(heaps->device->handle, 1, &range),
                    "vkInvalidateMappedMemoryRanges", err);
}
