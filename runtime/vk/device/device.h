// The Vulkan device: what it can do, and what of that is enabled.
#ifndef GV_VK_DEVICE_H
#define GV_VK_DEVICE_H

#include "resources/base/log.h"
#include "runtime/vk/device/format_features.h"

#include <stddef.h>
#include <volk.h>

#define GV_VK_API VK_API_VERSION_1_3

// Every feature struct we know (features.def), chained in order for queries and for
// vkCreateDevice. A struct whose extension the device lacks stays zero and unchained.
struct gv_vk_features {
#define GV_FEATURE_STRUCT(member, type, tag, extension) type member;
#include "runtime/vk/device/features.def"
};

// Device extensions we know (features.def): a bool each.
struct gv_vk_extensions {
#define GV_EXTENSION(member, name) bool member;
#include "runtime/vk/device/features.def"
};

struct gv_vk_device {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkDevice handle;
    VkQueue queue; // graphics, compute and transfer
    uint32_t queue_family;
    VkPhysicalDeviceProperties2 properties;
    VkPhysicalDeviceVulkan11Properties properties11;
    VkPhysicalDeviceVulkan12Properties properties12;
    VkPhysicalDeviceVulkan13Properties properties13;
    VkPhysicalDeviceTransformFeedbackPropertiesEXT transform_feedback;
    VkPhysicalDeviceProvokingVertexPropertiesEXT provoking_vertex;
    VkPhysicalDeviceLineRasterizationPropertiesEXT line_rasterization;
    VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT vertex_attribute_divisor;
    VkPhysicalDeviceCustomBorderColorPropertiesEXT custom_border_color;
    VkPhysicalDevicePortabilitySubsetPropertiesKHR portability;
    VkPhysicalDeviceMemoryProperties memory;
    struct gv_vk_formats formats;
    struct gv_vk_features features;     // those ENABLED
    struct gv_vk_extensions extensions; // those ENABLED
    VkPipelineCache pipeline_cache;     // pipeline_cache.h
    const struct gv_log *log;
    bool foreign;                 // made by the host: not ours to destroy
    bool validate;                // the layer is there
    uint64_t validation_messages; // counted by the messenger
    bool check_effects;           // dispatches are held to their ranges
    uint64_t effect_violations;   // and did not keep to them
    // The payload relies on zeros outside of vertex buffers (it names
    // robustBufferAccess2), and the device does not promise them, or not all.
    bool guards_vertices;
    bool widens_lines;  // it names wideLines, which the device lacks
    bool thins_lines;   // and only prefers: where quads cannot stand for them
    bool smooths_lines; // the same of smoothLines, or they are not as lavapipe's
    bool exact;         // every preferred requirement is met
    bool *met;          // owned: of each requirement of the payload
    size_t met_count;
};

#define GV_VK_LIMITS(device) (&(device)->properties.properties.limits)

// The format that images of `format` really have: a wider one where the device cannot
// do with it what the payload does (format_ways.def).
static inline VkFormat gv_vk_device_format(const struct gv_vk_device *device,
                                           VkFormat format)
{
    const struct gv_vk_format_row *row = gv_vk_format_row(&device->formats, format);
    return row ? row->kept_as : format;
}

// Features of a format with optimal tiling (of the one it really has), or of buffers of
// it; 0 = none.
static inline VkFormatFeatureFlags
gv_vk_format_features(const struct gv_vk_device *device, VkFormat format)
{
    const struct gv_vk_format_row *row =
        gv_vk_format_row(&device->formats, gv_vk_device_format(device, format));
    return row ? row->optimal : 0;
}

static inline VkFormatFeatureFlags
gv_vk_buffer_features(const struct gv_vk_device *device, VkFormat format)
{
    const struct gv_vk_format_row *row = gv_vk_format_row(&device->formats, format);
    return row ? row->buffer : 0;
}

#endif
