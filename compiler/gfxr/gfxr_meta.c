#include "compiler/gfxr/gfxr_meta.h"

#include <string.h>

// "enum MetaDataType": the lower half of an id, whose upper half is the API's family.
enum {
    DISPLAY_MESSAGE = 1,
    FILL_MEMORY = 2,
    RESIZE_WINDOW = 3,
    SET_SWAPCHAIN_IMAGES = 4,
    BEGIN_RESOURCE_INIT = 5,
    END_RESOURCE_INIT = 6,
    INIT_BUFFER = 7,
    INIT_IMAGE = 8,
    HARDWARE_BUFFER = 10,
    DEVICE_PROPERTIES = 11,
    DEVICE_MEMORY = 12,
    RESIZE_WINDOW_2 = 13,
    OPAQUE_ADDRESS = 14,
    RAY_TRACING_HANDLES = 15,
    HEAP_ALLOCATION = 16, // of D3D12, as the next ones
    INIT_SUBRESOURCE = 17,
    EXE_INFO = 18,
    D3D12_STRUCTURE = 19,
    D3D12_VALUES = 20,
    DXGI_ADAPTER = 21,
    DRIVER_INFO = 22,
    HARDWARE_BUFFER_2 = 24,
    EXECUTE_FROM_FILE = 34,
};

#define MOST_LEVELS 32u // mips of an image of 2^31 texels

static const struct {
    uint32_t kind;
    const char *name;
} names[] = {
    { DISPLAY_MESSAGE, "display message" },
    { FILL_MEMORY, "fill memory" },
    { RESIZE_WINDOW, "resize window" },
    { SET_SWAPCHAIN_IMAGES, "set swapchain image state" },
    { BEGIN_RESOURCE_INIT, "begin resource init" },
    { END_RESOURCE_INIT, "end resource init" },
    { INIT_BUFFER, "init buffer" },
    { INIT_IMAGE, "init image" },
    { HARDWARE_BUFFER, "hardware buffer" },
    { HARDWARE_BUFFER_2, "hardware buffer" },
    { DEVICE_PROPERTIES, "device properties" },
    { DEVICE_MEMORY, "memory properties" },
    { RESIZE_WINDOW_2, "resize window" },
    { OPAQUE_ADDRESS, "opaque address" },
    { RAY_TRACING_HANDLES, "ray-tracing group handles" },
    { EXE_INFO, "exe info" },
    { DRIVER_INFO, "driver info" },
    { EXECUTE_FROM_FILE, "execute blocks from a file" },
};

void gv_gfxr_put_meta_name(struct gv_bytes *out, uint32_t id)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].kind == (id & 0xffff)) {
            gv_bytes_put(out, names[i].name, strlen(names[i].name));
            return;
        }
    gv_bytes_printf(out, "kind %u", id & 0xffff);
}

struct part {
    struct gv_gfxr_reader *reader;
    struct gv_gfxr_block *block;
    struct gv_arena *arena;
    struct gv_error *err;
};

static bool too_short(struct part *p)
{
    return gv_gfxr_bad(&p->block->place, p->err, "too short for its kind of meta-data");
}

static bool read_fill(struct part *p, struct gv_vulkan_fill *fill)
{
    struct gv_cursor *c = &p->block->body;
    fill->memory = gv_cursor_u64(c);
    fill->offset = gv_cursor_u64(c);
    const uint64_t size = gv_cursor_u64(c);
    fill->place = p->block->place;
    return (!c->bad || too_short(p)) &&
           gv_gfxr_bulk(p->reader, p->block, size, &fill->bytes, p->err);
}

static bool read_buffer(struct part *p, struct gv_vulkan_buffer_contents *buffer)
{
    struct gv_cursor *c = &p->block->body;
    buffer->device = gv_cursor_u64(c);
    buffer->buffer = gv_cursor_u64(c);
    const uint64_t size = gv_cursor_u64(c);
    buffer->place = p->block->place;
    return (!c->bad || too_short(p)) &&
           gv_gfxr_bulk(p->reader, p->block, size, &buffer->bytes, p->err);
}

static bool read_levels(struct part *p, struct gv_vulkan_image_contents *image,
                        uint64_t size)
{
    struct gv_cursor *c = &p->block->body;
    uint64_t left = size;
    if (image->level_count > MOST_LEVELS)
        return gv_gfxr_bad(&p->block->place, p->err, "more mips than an image has");
    uint64_t *sizes = gv_arena_array(p->arena, image->level_count, sizeof *sizes);
    if (!sizes)
        return gv_out_of_memory(p->err);
    for (uint32_t i = 0; i < image->level_count; i++) {
        sizes[i] = gv_cursor_u64(c);
        if (sizes[i] > left)
            return gv_gfxr_bad(&p->block->place, p->err,
                               "mips of more bytes than there are");
        left -= sizes[i];
    }
    image->level_sizes = sizes;
    return !c->bad || too_short(p);
}

static bool read_image(struct part *p, struct gv_vulkan_image_contents *image)
{
    struct gv_cursor *c = &p->block->body;
    image->device = gv_cursor_u64(c);
    image->image = gv_cursor_u64(c);
    const uint64_t size = gv_cursor_u64(c);
    image->aspect = gv_cursor_u32(c);
    image->layout = (VkImageLayout)gv_cursor_u32(c);
    image->level_count = gv_cursor_u32(c);
    image->place = p->block->place;
    if (c->bad)
        return too_short(p);
    if (!read_levels(p, image, size))
        return false;
    return !size || gv_gfxr_bulk(p->reader, p->block, size, &image->bytes, p->err);
}

static bool read_swapchain(struct part *p, struct gv_vulkan_swapchain_state *state)
{
    struct gv_cursor *c = &p->block->body;
    state->device = gv_cursor_u64(c);
    state->swapchain = gv_cursor_u64(c);
    state->last_presented = gv_cursor_u32(c);
    const uint32_t count = gv_cursor_count(c, 48);
    struct gv_vulkan_swapchain_image *images =
        gv_arena_array(p->arena, count, sizeof *images);
    if (!images)
        return gv_out_of_memory(p->err);
    for (uint32_t i = 0; i < count; i++) {
        images[i].image = gv_cursor_u64(c);
        images[i].index = gv_cursor_u32(c);
        images[i].layout = (VkImageLayout)gv_cursor_u32(c);
        images[i].acquired = gv_cursor_u32(c) != 0;
        gv_cursor_take(c, 28); // device mask, semaphore, fence, queue
    }
    state->images = images;
    state->image_count = count;
    state->place = p->block->place;
    return !c->bad || too_short(p);
}

static bool read_memory(struct part *p, struct gv_vulkan_memory *memory)
{
    struct gv_cursor *c = &p->block->body;
    VkPhysicalDeviceMemoryProperties *m = &memory->properties;
    memory->physical_device = gv_cursor_u64(c);
    memory->place = p->block->place;
    m->memoryTypeCount = gv_cursor_u32(c);
    m->memoryHeapCount = gv_cursor_u32(c);
    if (m->memoryTypeCount > VK_MAX_MEMORY_TYPES ||
        m->memoryHeapCount > VK_MAX_MEMORY_HEAPS)
        return gv_gfxr_bad(&p->block->place, p->err,
                           "more memory types or heaps than Vulkan has");
    for (uint32_t i = 0; i < m->memoryTypeCount; i++) {
        m->memoryTypes[i].propertyFlags = gv_cursor_u32(c);
        m->memoryTypes[i].heapIndex = gv_cursor_u32(c);
    }
    for (uint32_t i = 0; i < m->memoryHeapCount; i++) {
        m->memoryHeaps[i].size = gv_cursor_u64(c);
        m->memoryHeaps[i].flags = gv_cursor_u32(c);
    }
    return !c->bad || too_short(p);
}

static bool read_device(struct part *p, struct gv_gfxr_device *device)
{
    struct gv_cursor *c = &p->block->body;
    device->physical_device = gv_cursor_u64(c);
    device->api = gv_cursor_u32(c);
    device->driver = gv_cursor_u32(c);
    device->vendor = gv_cursor_u32(c);
    device->device = gv_cursor_u32(c);
    device->type = gv_cursor_u32(c);
    gv_cursor_take(c, VK_UUID_SIZE);
    const uint32_t length = gv_cursor_u32(c);
    const uint8_t *name = gv_cursor_take(c, length);
    if (!name)
        return too_short(p);
    memcpy(device->name, name,
           length < sizeof device->name ? length : sizeof device->name - 1);
    return true;
}

static bool refuse(struct part *p, const char *what)
{
    gv_fail(p->err, GV_ERR_UNSUPPORTED, p->block->place.offset,
            "unsupported: %s (block %llu)", what,
            (unsigned long long)p->block->place.block);
    return gv_error_at_command(p->err, p->block->place.block);
}

// Only Vulkan's own are read.
static bool refuse_family(struct part *p, uint32_t family)
{
    static const char *const families[] = {
        NULL, NULL, "DXGI capture", "D3D12 capture", "OpenXR capture", "AGS capture"
    };
    const bool known = family < sizeof families / sizeof *families && families[family];
    return refuse(p, known ? families[family] : "capture of an unknown API");
}

bool gv_gfxr_meta(struct gv_gfxr_reader *reader, struct gv_gfxr_block *block,
                  struct gv_arena *arena, struct gv_gfxr_meta *out,
                  struct gv_error *err)
{
    struct part p = { reader, block, arena, err };
    const uint32_t family = block->id >> 16;
    memset(out, 0, sizeof *out);
    if (family > 1)
        return refuse_family(&p, family);
    switch (block->id & 0xffff) {
    case FILL_MEMORY:
        out->kind = GV_GFXR_FILL;
        return read_fill(&p, &out->fill);
    case SET_SWAPCHAIN_IMAGES:
        out->kind = GV_GFXR_SWAPCHAIN;
        return read_swapchain(&p, &out->swapchain);
    case INIT_BUFFER:
        out->kind = GV_GFXR_BUFFER;
        return read_buffer(&p, &out->buffer);
    case INIT_IMAGE:
        out->kind = GV_GFXR_IMAGE;
        return read_image(&p, &out->image);
    case DEVICE_PROPERTIES:
        out->kind = GV_GFXR_DEVICE;
        return read_device(&p, &out->device);
    case DEVICE_MEMORY:
        out->kind = GV_GFXR_MEMORY;
        return read_memory(&p, &out->memory);
    case HEAP_ALLOCATION:
    case INIT_SUBRESOURCE:
    case D3D12_STRUCTURE:
    case D3D12_VALUES:
    case DXGI_ADAPTER:
        return refuse_family(&p, 3);
    case HARDWARE_BUFFER:
    case HARDWARE_BUFFER_2:
        return refuse(&p, "Android hardware buffers");
    case EXECUTE_FROM_FILE: // a path out of a capture is never followed
        return refuse(&p, "asset file");
    default:
        return true;
    }
}
