#include "compiler/agi/agi_contents.h"

#include "compiler/agi/agi_extras.h"

#include <string.h>

#define MOST_LEVELS 32u // mips

bool gv_agi_call(struct gv_agi_restored *r, enum gv_vk_function function,
                 const void *args)
{
    const struct gv_vk_call call = { .function = function,
                                     .args = args,
                                     .place = r->model.place };
    return args && gv_vulkan_call(r->vulkan, &call, r->model.err);
}

static void put(void *handle, uint64_t id)
{
    memcpy(handle, &id, sizeof id);
}

static bool device_of(struct gv_agi_restored *r, const struct gv_agi_message *object,
                      uint64_t *id)
{
    return gv_agi_referred_id(&r->model, object, "Device", GV_VK_TYPE_VkDevice, id);
}

// ---- memory ----

static bool map(struct gv_agi_restored *r, uint64_t device, uint64_t memory,
                uint64_t offset, uint64_t size)
{
    gv_vk_opaque address = NULL;
    struct gv_vk_args_vkMapMemory args = { .offset = offset,
                                           .size = size,
                                           .ppData = &address };
    put(&args.device, device);
    put(&args.memory, memory);
    return gv_agi_call(r, GV_VK_vkMapMemory, &args);
}

// What was there, through a mapping of all of it; then the program's own mapping.
static bool fill_memory(struct gv_agi_restored *r, const struct gv_agi_message *object,
                        uint64_t memory)
{
    struct gv_vk_args_vkUnmapMemory unmap = { 0 };
    struct gv_vulkan_fill fill = { .memory = memory, .place = r->model.place };
    uint64_t device;
    if (!device_of(r, object, &device) ||
        !gv_agi_slice(&r->model, object, "Data", &fill.bytes))
        return false;
    put(&unmap.device, device);
    put(&unmap.memory, memory);
    if (fill.bytes.size && (!map(r, device, memory, 0, VK_WHOLE_SIZE) ||
                            !gv_vulkan_fill(r->vulkan, &fill, r->model.err) ||
                            !gv_agi_call(r, GV_VK_vkUnmapMemory, &unmap)))
        return false;
    const struct gv_agi_mapping mapping = { .address =
                                                gv_agi_number(object, "MappedLocation"),
                                            .size = gv_agi_number(object, "MappedSize"),
                                            .memory = memory };
    return !mapping.address ||
           (map(r, device, memory, gv_agi_number(object, "MappedOffset"),
                mapping.size) &&
            gv_agi_mapped_add(r->mapped, &mapping, r->model.err));
}

static bool bind_buffer(struct gv_agi_restored *r, const struct gv_agi_message *object,
                        uint64_t buffer)
{
    struct gv_vk_args_vkBindBufferMemory args = { .memoryOffset = gv_agi_number(
                                                      object, "MemoryOffset") };
    uint64_t device, memory;
    if (!device_of(r, object, &device) ||
        !gv_agi_referred_id(&r->model, object, "Memory", GV_VK_TYPE_VkDeviceMemory,
                            &memory))
        return false;
    put(&args.device, device);
    put(&args.buffer, buffer);
    put(&args.memory, memory);
    return !memory || gv_agi_call(r, GV_VK_vkBindBufferMemory, &args);
}

// ---- images ----

struct image {
    struct gv_agi_image_facts facts;
    uint32_t layers, levels;
};

static struct gv_agi_message entry_of(const struct gv_agi_entry *entries,
                                      uint64_t count, uint64_t key)
{
    for (uint64_t i = 0; i < count; i++)
        if (entries[i].key == key)
            return entries[i].value;
    return (struct gv_agi_message){ 0 };
}

// A level of one layer: of no type where the model has none.
static bool find_level(struct gv_agi_restored *r, const struct gv_agi_message *aspect,
                       uint64_t layer, uint64_t level, struct gv_agi_message *out)
{
    const struct gv_agi_entry *layers, *levels;
    uint64_t layer_count, level_count;
    *out = (struct gv_agi_message){ 0 };
    if (!gv_agi_entries(&r->model, aspect, "Layers", &layers, &layer_count))
        return false;
    const struct gv_agi_message one = entry_of(layers, layer_count, layer);
    if (!one.type)
        return true;
    if (!gv_agi_entries(&r->model, &one, "Levels", &levels, &level_count))
        return false;
    *out = entry_of(levels, level_count, level);
    return true;
}

// All layers of a level behind each other; 0 bytes where nothing is known of them.
static bool read_level(struct gv_agi_restored *r, const struct gv_agi_message *aspect,
                       const struct image *image, uint32_t level, struct gv_bytes *out,
                       uint64_t *size)
{
    const size_t begin = out->size;
    uint64_t known = 0;
    for (uint32_t layer = 0; layer < image->layers; layer++) {
        struct gv_agi_message one;
        struct gv_span bytes;
        if (!find_level(r, aspect, layer, level, &one) ||
            !gv_agi_slice(&r->model, &one, "Data", &bytes))
            return false;
        if (bytes.size && !known) { // layers before it have no contents
            known = bytes.size;
            for (uint32_t i = 0; i < layer; i++)
                memset(gv_bytes_grow(out, known), 0, (size_t)known);
        }
        uint8_t *at = known ? gv_bytes_grow(out, (size_t)known) : NULL;
        if (known && !at)
            return gv_agi_model_no_memory(&r->model);
        if (known)
            memset(at, 0, (size_t)known);
        if (bytes.size)
            memcpy(at, bytes.data, bytes.size < known ? bytes.size : (size_t)known);
    }
    *size = out->size - begin;
    return true;
}

// Levels up to the first one of which nothing is known.
static bool fill_aspect(struct gv_agi_restored *r, const struct gv_agi_message *aspect,
                        const struct image *image, uint64_t bit)
{
    uint64_t sizes[MOST_LEVELS];
    struct gv_bytes texels = { 0 };
    struct gv_vulkan_image_contents contents = { .device = image->facts.device,
                                                 .image = image->facts.image,
                                                 .aspect = (VkImageAspectFlags)bit,
                                                 .level_sizes = sizes,
                                                 .place = r->model.place };
    bool ok = true;
    for (uint32_t i = 0; ok && i < image->levels && i < MOST_LEVELS; i++) {
        ok = read_level(r, aspect, image, i, &texels, &sizes[i]);
        if (!sizes[i])
            break;
        contents.level_count++;
    }
    contents.bytes = (struct gv_span){ texels.data, texels.size };
    ok = ok && (!contents.level_count ||
                gv_vulkan_init_image(r->vulkan, &contents, r->model.err));
    gv_bytes_finish(&texels);
    return ok;
}

static bool tell_layout(struct gv_agi_restored *r, const struct gv_agi_message *aspect,
                        const struct image *image, uint64_t bit)
{
    struct gv_agi_message level;
    if (!find_level(r, aspect, 0, 0, &level))
        return false;
    const struct gv_agi_message layout =
        gv_agi_referred(&r->model, &level, "LinearLayout");
    return !layout.type ||
           gv_agi_tell_layout(r->vulkan, &image->facts, bit, &layout, r->model.err);
}

static bool bind_image(struct gv_agi_restored *r, const struct gv_agi_message *plane,
                       const struct image *image)
{
    struct gv_vk_args_vkBindImageMemory args = { .memoryOffset = gv_agi_number(
                                                     plane, "BoundMemoryOffset") };
    uint64_t memory;
    if (!gv_agi_referred_id(&r->model, plane, "BoundMemory", GV_VK_TYPE_VkDeviceMemory,
                            &memory))
        return false;
    put(&args.device, image->facts.device);
    put(&args.image, image->facts.image);
    put(&args.memory, memory);
    return !memory || gv_agi_call(r, GV_VK_vkBindImageMemory, &args);
}

static bool fill_image(struct gv_agi_restored *r, const struct gv_agi_message *object,
                       uint64_t id)
{
    const struct gv_agi_message info = gv_agi_inner(object, "Info");
    struct image image = { .facts = { .image = id, .place = r->model.place },
                           .layers = (uint32_t)gv_agi_number(&info, "ArrayLayers"),
                           .levels = (uint32_t)gv_agi_number(&info, "MipLevels") };
    const struct gv_agi_entry *aspects, *planes;
    uint64_t count, plane_count;
    if (!device_of(r, object, &image.facts.device) ||
        !gv_agi_entries(&r->model, object, "Aspects", &aspects, &count) ||
        !gv_agi_entries(&r->model, object, "PlaneMemoryInfo", &planes, &plane_count))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!tell_layout(r, &aspects[i].value, &image, aspects[i].key))
            return false;
    for (uint64_t i = 0; i < plane_count && i < 1; i++) {
        const struct gv_agi_message needs =
            gv_agi_inner(&planes[i].value, "MemoryRequirements");
        if (!gv_agi_tell_size(r->vulkan, &image.facts, &needs, r->model.err) ||
            !bind_image(r, &planes[i].value, &image))
            return false;
    }
    // Those that lie in rows have their texels in their memory.
    for (uint64_t i = 0; i < count; i++)
        if (gv_agi_number(&info, "Tiling") != VK_IMAGE_TILING_LINEAR &&
            image.layers <= UINT16_MAX &&
            !fill_aspect(r, &aspects[i].value, &image, aspects[i].key))
            return false;
    return true;
}

// ---- swapchains ----

static bool fill_swapchain(struct gv_agi_restored *r,
                           const struct gv_agi_message *object, uint64_t swapchain)
{
    const struct gv_agi_entry *images;
    uint64_t count, device;
    if (!device_of(r, object, &device) ||
        !gv_agi_entries(&r->model, object, "SwapchainImages", &images, &count))
        return false;
    uint32_t number = (uint32_t)count;
    VkImage *list = gv_arena_array(r->model.arena, (size_t)count, sizeof(uint64_t));
    struct gv_vk_args_vkGetSwapchainImagesKHR args = { .pSwapchainImageCount = &number,
                                                       .pSwapchainImages = list };
    put(&args.device, device);
    put(&args.swapchain, swapchain);
    if (!list)
        return gv_agi_model_no_memory(&r->model);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t id;
        if (!gv_agi_reference_id(&r->model, images[i].reference, &id))
            return false;
        put(&list[i], id);
    }
    return gv_agi_call(r, GV_VK_vkGetSwapchainImagesKHR, &args);
}

// ---- descriptors ----

// One element: what the map that its type uses has of it.
static bool write_element(struct gv_agi_restored *r,
                          const VkWriteDescriptorSet *binding,
                          const struct gv_agi_entry *entry)
{
    VkDescriptorImageInfo image = { 0 };
    VkDescriptorBufferInfo buffer = { 0 };
    VkBufferView view = VK_NULL_HANDLE;
    VkWriteDescriptorSet write = *binding;
    const struct gv_vk_args_vkUpdateDescriptorSets args = { .descriptorWriteCount = 1,
                                                            .pDescriptorWrites =
                                                                &write };
    bool used = false;
    switch (gv_vk_written_array(write.descriptorType)) {
    case offsetof(VkWriteDescriptorSet, pImageInfo):
        if (!gv_agi_fill_struct(&r->model, GV_VK_TYPE_VkDescriptorImageInfo,
                                &entry->value, &image))
            return false;
        used = image.sampler || image.imageView;
        break;
    case offsetof(VkWriteDescriptorSet, pBufferInfo):
        if (!gv_agi_fill_struct(&r->model, GV_VK_TYPE_VkDescriptorBufferInfo,
                                &entry->value, &buffer))
            return false;
        used = buffer.buffer != VK_NULL_HANDLE;
        break;
    case offsetof(VkWriteDescriptorSet, pTexelBufferView):
        put(&view, gv_agi_handle_id(&gv_agi_world_of(r->model.capture)->handles,
                                    GV_VK_TYPE_VkBufferView, entry->number));
        used = view != VK_NULL_HANDLE;
        break;
    default:
        break;
    }
    write.dstArrayElement = (uint32_t)entry->key;
    write.pImageInfo = &image;
    write.pBufferInfo = &buffer;
    write.pTexelBufferView = &view;
    return !used || gv_agi_call(r, GV_VK_vkUpdateDescriptorSets, &args);
}

static bool fill_set(struct gv_agi_restored *r, const struct gv_agi_message *object,
                     uint64_t set)
{
    static const char *const maps[] = { "ImageBinding", "BufferBinding",
                                        "BufferViewBindings" };
    static const size_t arrays[] = { offsetof(VkWriteDescriptorSet, pImageInfo),
                                     offsetof(VkWriteDescriptorSet, pBufferInfo),
                                     offsetof(VkWriteDescriptorSet, pTexelBufferView) };
    const struct gv_agi_entry *bindings, *elements;
    uint64_t count, element_count;
    if (!gv_agi_entries(&r->model, object, "Bindings", &bindings, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        VkWriteDescriptorSet write = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = (uint32_t)bindings[i].key,
            .descriptorCount = 1,
            .descriptorType =
                (VkDescriptorType)gv_agi_number(&bindings[i].value, "BindingType"),
        };
        put(&write.dstSet, set);
        for (size_t j = 0; j < sizeof maps / sizeof *maps; j++) {
            if (gv_vk_written_array(write.descriptorType) != arrays[j])
                continue;
            if (!gv_agi_entries(&r->model, &bindings[i].value, maps[j], &elements,
                                &element_count))
                return false;
            for (uint64_t k = 0; k < element_count; k++)
                if (!write_element(r, &write, &elements[k]))
                    return false;
        }
    }
    return true;
}

bool gv_agi_fill_contents(struct gv_agi_restored *r, enum gv_vk_type type,
                          const struct gv_agi_message *object, uint64_t id)
{
    switch ((int)type) {
    case GV_VK_TYPE_VkDeviceMemory:
        return fill_memory(r, object, id);
    case GV_VK_TYPE_VkBuffer:
        return bind_buffer(r, object, id);
    case GV_VK_TYPE_VkImage:
        return fill_image(r, object, id);
    case GV_VK_TYPE_VkSwapchainKHR:
        return fill_swapchain(r, object, id);
    case GV_VK_TYPE_VkDescriptorSet:
        return fill_set(r, object, id);
    default:
        return true;
    }
}

// ---- commands ----

// A command of the list: its kind is the number of a map, in which it has a key.
static bool record_command(struct gv_agi_restored *r,
                           const struct gv_agi_message *commands,
                           const struct gv_agi_message *reference, uint64_t buffer)
{
    const uint64_t kind = gv_agi_number(reference, "Type");
    const struct gv_agi_entry *entries;
    uint64_t count;
    if (!commands->type || kind >= commands->type->count)
        return gv_agi_model_bad(&r->model, reference, "a command of no known kind");
    const char *name = commands->type->fields[kind].name;
    const struct gv_vk_id_info *function = gv_vk_find_called(name);
    if (!function || function->function == GV_VK_FUNCTION_COUNT)
        return gv_fail(r->model.err, GV_ERR_UNSUPPORTED, reference->offset,
                       "unsupported: %s (block %llu)", name,
                       (unsigned long long)r->model.place.block);
    if (!gv_agi_entries(&r->model, commands, name, &entries, &count))
        return false;
    const struct gv_agi_message args =
        entry_of(entries, count, gv_agi_number(reference, "MapIndex"));
    if (!args.type)
        return gv_agi_model_bad(&r->model, reference, "a command that is not there");
    void *filled =
        gv_agi_fill_call(&r->model, (enum gv_vk_function)function->function, &args, 0);
    if (!filled)
        return false;
    put(filled, buffer); // the first parameter of each
    return gv_agi_call(r, (enum gv_vk_function)function->function, filled);
}

bool gv_agi_record_commands(struct gv_agi_restored *r,
                            const struct gv_agi_message *object, uint64_t id)
{
    const struct gv_agi_message begin = gv_agi_referred(&r->model, object, "BeginInfo");
    const struct gv_agi_message commands = gv_agi_inner(object, "BufferCommands");
    const struct gv_agi_entry *references;
    uint64_t count;
    if (!begin.type)
        return true;
    void *args = gv_agi_fill_call(&r->model, GV_VK_vkBeginCommandBuffer, object, 0);
    if (!args)
        return false;
    put(args, id);
    if (!gv_agi_call(r, GV_VK_vkBeginCommandBuffer, args) ||
        !gv_agi_entries(&r->model, object, "CommandReferences", &references, &count))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!record_command(r, &commands, &references[i].value, id))
            return false;
    return true;
}
