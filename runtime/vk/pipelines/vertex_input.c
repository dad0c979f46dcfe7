#include "runtime/vk/pipelines/vertex_input.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/pipelines/quads.h"
#include "vm/formats.h"
#include "vm/spirv/spirv_match.h"

static int binding_of_slot(const struct gv_vk_pipeline *p, uint32_t slot)
{
    for (uint32_t i = 0; i < p->vertex_count; i++)
        if (p->vertex[i].slot == slot)
            return (int)i;
    return -1;
}

static bool has_divisor(const struct gv_vk_device *device, uint32_t divisor)
{
    const VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT *f =
        &device->features.vertex_attribute_divisor;
    // Zero needs both.
    return f->vertexAttributeInstanceRateDivisor &&
           (divisor || f->vertexAttributeInstanceRateZeroDivisor) &&
           divisor <= device->vertex_attribute_divisor.maxVertexAttribDivisor;
}

static bool add_bindings(const struct gv_vk_device *device, struct gv_vk_pipeline *p,
                         const struct gv_graphics_desc *desc,
                         struct gv_vk_vertex_input *out, struct gv_error *err)
{
    const VkPhysicalDeviceLimits *limits = GV_VK_LIMITS(device);
    if (desc->vertex_binding_count > limits->maxVertexInputBindings)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "%u vertex buffers, the device allows %u",
                       desc->vertex_binding_count, limits->maxVertexInputBindings);
    for (uint32_t i = 0; i < desc->vertex_binding_count; i++) {
        uint32_t rate = desc->vertex_bindings[i].rate;
        uint32_t divisor = desc->vertex_bindings[i].divisor;
        out->bindings[i] =
            (VkVertexInputBindingDescription){ i, 0, (VkVertexInputRate)rate };
        p->vertex[i] =
            (struct gv_vk_vertex_slot){ .slot = desc->vertex_bindings[i].slot,
                                        .alignment = 1,
                                        .instance = rate == GV_INPUT_RATE_INSTANCE,
                                        .divisor = divisor };
        if (rate != GV_INPUT_RATE_INSTANCE || divisor == 1)
            continue;
        p->vertex[i].expand = !has_divisor(device, divisor);
        p->repacks = p->repacks || p->vertex[i].expand;
        if (p->vertex[i].expand)
            continue;
        out->divisors[out->divisor_count++] =
            (VkVertexInputBindingDivisorDescriptionEXT){ i, divisor };
    }
    out->binding_count = p->vertex_count = desc->vertex_binding_count;
    return true;
}

static bool has_format(const struct gv_vk_device *device, uint32_t format)
{
    return gv_vk_buffer_features(device, (VkFormat)format) &
           VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT;
}

// Elements of a slot with a converted attribute are laid out anew, on 16 bytes.
static void place_attributes(struct gv_vk_pipeline *p, struct gv_vk_vertex_input *out)
{
    for (uint32_t i = 0; i < p->attribute_count; i++) {
        struct gv_vk_repack_attribute *a = &p->attributes[i];
        struct gv_vk_vertex_slot *slot = &p->vertex[a->binding];
        if (!slot->convert)
            continue;
        a->place = slot->repacked;
        slot->repacked += a->convert || a->info->block_bytes <= 16 ? 16 : 32;
        out->attributes[i].offset = a->place;
        if (a->convert)
            out->attributes[i].format = (VkFormat)gv_format_wide(a->info);
    }
}

// It suits the shader (vm/spirv/spirv_match.h).
static bool add_attribute(struct gv_runtime *rt, struct gv_vk_pipeline *p,
                          const struct gv_graphics_desc *desc, uint32_t i,
                          struct gv_vk_vertex_input *out, struct gv_error *err)
{
    const VkPhysicalDeviceLimits *limits = GV_VK_LIMITS(rt->device);
    uint32_t location = desc->vertex_attributes[i].location;
    uint32_t format = desc->vertex_attributes[i].format;
    uint32_t offset = desc->vertex_attributes[i].offset;
    const struct gv_format_info *info = gv_format_info(format);
    int binding = binding_of_slot(p, desc->vertex_attributes[i].slot);
    bool convert = !has_format(rt->device, format);
    if (convert && !gv_format_wide(info))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the device has no vertex format %s", info->name);
    if (offset > limits->maxVertexInputAttributeOffset)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET, "vertex attribute offset %u",
                       offset);
    struct gv_vk_vertex_slot *slot = &p->vertex[binding];
    uint32_t end = offset + info->block_bytes;
    slot->extent = end > slot->extent ? end : slot->extent;
    uint32_t alignment = gv_format_vertex_alignment(info);
    slot->alignment = alignment > slot->alignment ? alignment : slot->alignment;
    slot->convert = slot->convert || convert;
    p->repacks = p->repacks || convert;
    p->attributes[p->attribute_count++] = (struct gv_vk_repack_attribute){
        .info = info,
        .binding = (uint32_t)binding,
        .offset = offset,
        .place = offset,
        .convert = convert,
    };
    out->attributes[out->attribute_count++] =
        (VkVertexInputAttributeDescription){ location, (uint32_t)binding,
                                             (VkFormat)format, offset };
    return true;
}

static VkFormat zero_format(const struct gv_spirv_slot *input)
{
    static const VkFormat formats[] = {
        [GV_SPIRV_FLOAT] = VK_FORMAT_R32G32B32A32_SFLOAT,
        [GV_SPIRV_SINT] = VK_FORMAT_R32G32B32A32_SINT,
        [GV_SPIRV_UINT] = VK_FORMAT_R32G32B32A32_UINT,
    };
    return input->bits == 32 ? formats[input->numeric] : VK_FORMAT_UNDEFINED;
}

// Inputs nobody feeds read zeros, from a binding of our own.
static bool add_zeros(const struct gv_vk_device *device, struct gv_vk_pipeline *p,
                      const struct gv_spirv_interface *inputs, uint64_t covered,
                      struct gv_vk_vertex_input *out, struct gv_error *err)
{
    for (uint32_t i = 0; i < GV_MAX_LOCATIONS; i++) {
        if (!inputs->slots[i].mask || (covered >> i & 1))
            continue;
        VkFormat format = zero_format(&inputs->slots[i]);
        if (!p->zero_slot) {
            if (p->vertex_count == GV_VK_LIMITS(device)->maxVertexInputBindings)
                return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                               "no vertex buffer left for inputs without attribute");
            p->zero_slot = true;
            p->vertex[p->vertex_count] =
                (struct gv_vk_vertex_slot){ .slot = GV_VK_NO_VERTEX_SLOT,
                                            .alignment = 1 };
            out->bindings[out->binding_count++] =
                (VkVertexInputBindingDescription){ p->vertex_count++, 0,
                                                   VK_VERTEX_INPUT_RATE_VERTEX };
        }
        if (format == VK_FORMAT_UNDEFINED ||
            out->attribute_count == GV_MAX_VERTEX_ATTRIBUTES)
            return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: no attribute for the vertex shader's input "
                           "at location %u",
                           i);
        out->attributes[out->attribute_count++] =
            (VkVertexInputAttributeDescription){ i, p->vertex_count - 1, format, 0 };
    }
    return true;
}

bool gv_vk_vertex_input(struct gv_runtime *rt, struct gv_vk_pipeline *p,
                        const struct gv_graphics_desc *desc,
                        const struct gv_spirv_module *vertex,
                        struct gv_vk_vertex_input *out, struct gv_error *err)
{
    *out = (struct gv_vk_vertex_input){ .binding_count = 0 };
    if (!add_bindings(rt->device, p, desc, out, err))
        return false;
    uint64_t ours = gv_vk_quads_locations(p, vertex), covered = ours;
    for (uint32_t i = 0; i < desc->vertex_attribute_count; i++) {
        uint32_t location = desc->vertex_attributes[i].location;
        if (location >= GV_MAX_LOCATIONS || !vertex->inputs.slots[location].mask ||
            (ours >> location & 1))
            continue; // nobody reads it
        if (!add_attribute(rt, p, desc, i, out, err))
            return false;
        const struct gv_format_info *info =
            gv_format_info(desc->vertex_attributes[i].format);
        covered |= (info->block_bytes > 16 ? 3ull : 1ull) << location;
    }
    place_attributes(p, out);
    if (!add_zeros(rt->device, p, &vertex->inputs, covered, out, err) ||
        (p->quads.ends && !gv_vk_quads_input(rt->device, p, out, err)))
        return false;
    out->divisor_state = (VkPipelineVertexInputDivisorStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
        .vertexBindingDivisorCount = out->divisor_count,
        .pVertexBindingDivisors = out->divisors,
    };
    out->state = (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .pNext = out->divisor_count ? &out->divisor_state : NULL,
        .vertexBindingDescriptionCount = out->binding_count,
        .pVertexBindingDescriptions = out->bindings,
        .vertexAttributeDescriptionCount = out->attribute_count,
        .pVertexAttributeDescriptions = out->attributes,
    };
    return true;
}
