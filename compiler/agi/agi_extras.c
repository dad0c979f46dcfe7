#include "compiler/agi/agi_extras.h"

#include <string.h>

static bool tell(struct gv_vulkan *vulkan, enum gv_vk_function function,
                 const void *args, const struct gv_vk_place *place,
                 struct gv_error *err)
{
    const struct gv_vk_call call = { .function = function,
                                     .args = args,
                                     .place = *place };
    return gv_vulkan_call(vulkan, &call, err);
}

// The value of key 0 of a map; references hold theirs in "Value".
static struct gv_agi_message first_of(const struct gv_agi_message *map)
{
    struct gv_agi_values keys = gv_agi_repeated(map, "Keys");
    struct gv_agi_values values = gv_agi_repeated(map, "Values");
    while (gv_agi_next_value(&keys) && gv_agi_next_value(&values))
        if (!keys.number)
            return gv_agi_field_of(values.inner.type, "Value")
                       ? gv_agi_inner(&values.inner, "Value")
                       : values.inner;
    return (struct gv_agi_message){ 0 };
}

bool gv_agi_tell_layout(struct gv_vulkan *vulkan,
                        const struct gv_agi_image_facts *image, uint64_t aspect,
                        const struct gv_agi_message *layout, struct gv_error *err)
{
    const VkImageSubresource subresource = { .aspectMask = (VkImageAspectFlags)aspect };
    VkSubresourceLayout l = { .offset = gv_agi_number(layout, "offset"),
                              .size = gv_agi_number(layout, "size"),
                              .rowPitch = gv_agi_number(layout, "rowPitch"),
                              .arrayPitch = gv_agi_number(layout, "arrayPitch"),
                              .depthPitch = gv_agi_number(layout, "depthPitch") };
    struct gv_vk_args_vkGetImageSubresourceLayout args = { .pSubresource = &subresource,
                                                           .pLayout = &l };
    memcpy(&args.device, &image->device, sizeof image->device);
    memcpy(&args.image, &image->image, sizeof image->image);
    return tell(vulkan, GV_VK_vkGetImageSubresourceLayout, &args, &image->place, err);
}

bool gv_agi_tell_size(struct gv_vulkan *vulkan, const struct gv_agi_image_facts *image,
                      const struct gv_agi_message *requirements, struct gv_error *err)
{
    VkMemoryRequirements needs = { .size = gv_agi_number(requirements, "size") };
    struct gv_vk_args_vkGetImageMemoryRequirements args = { .pMemoryRequirements =
                                                                &needs };
    memcpy(&args.device, &image->device, sizeof image->device);
    memcpy(&args.image, &image->image, sizeof image->image);
    return !needs.size ||
           tell(vulkan, GV_VK_vkGetImageMemoryRequirements, &args, &image->place, err);
}

static bool tell_layouts(struct gv_vulkan *vulkan,
                         const struct gv_agi_image_facts *image,
                         const struct gv_agi_message *map, struct gv_error *err)
{
    struct gv_agi_values aspects = gv_agi_repeated(map, "Keys");
    struct gv_agi_values layers = gv_agi_repeated(map, "Values");
    while (gv_agi_next_value(&aspects) && gv_agi_next_value(&layers)) {
        const struct gv_agi_message aspect = gv_agi_inner(&layers.inner, "Value");
        const struct gv_agi_message by_layer = gv_agi_inner(&aspect, "LayerLayouts");
        const struct gv_agi_message layer = first_of(&by_layer);
        const struct gv_agi_message levels = gv_agi_inner(&layer, "LevelLayouts");
        const struct gv_agi_message layout = first_of(&levels);
        if (layout.type &&
            !gv_agi_tell_layout(vulkan, image, aspects.number, &layout, err))
            return false;
    }
    return true;
}

static bool is_of(const struct gv_agi_message *m, const char *name)
{
    return !strcmp(m->type->name, name);
}

bool gv_agi_extras_of_image(struct gv_vulkan *vulkan, const struct gv_agi_event *event,
                            struct gv_error *err)
{
    if (event->call.function != GV_VK_vkCreateImage || event->call.result < 0)
        return true;
    const struct gv_vk_args_vkCreateImage *a = GV_VK_ARGS(vkCreateImage, &event->call);
    const struct gv_agi_image_facts image = { .device = GV_VK_ID(a->device),
                                              .image = GV_VK_ID(*a->pImage),
                                              .place = event->place };
    struct gv_agi_message requirements = { 0 }, layouts = { 0 };
    for (const struct gv_agi_extra *e = event->extras; e; e = e->next)
        if (is_of(&e->message, "vulkan.LinearImageLayouts")) {
            layouts = gv_agi_inner(&e->message, "AspectLayouts");
        } else if (is_of(&e->message, "vulkan.FetchedImageMemoryRequirements")) {
            const struct gv_agi_message map =
                gv_agi_inner(&e->message, "PlaneBitsToMemoryRequirements");
            requirements = first_of(&map);
        }
    return gv_agi_tell_size(vulkan, &image, &requirements, err) &&
           tell_layouts(vulkan, &image, &layouts, err);
}
