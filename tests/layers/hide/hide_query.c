// What physical devices answer.
#include "tests/layers/hide/hide_dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX " (hidden in part)"

// ---- features ----

static void hide_features(const struct gv_hide_rules *rules, VkStructureType type,
                          void *data)
{
    for (size_t i = 0; i < GV_HIDE_FEATURES; i++)
        if (rules->features[i] && gv_hide_features[i].type == type)
            memset((char *)data + gv_hide_features[i].offset, 0, sizeof(VkBool32));
}

static void hide_feature_chain(const struct gv_hide_rules *rules,
                               VkPhysicalDeviceFeatures2 *head)
{
    VkBaseOutStructure *s = (void *)head;
    for (; s; s = s->pNext) {
        hide_features(rules, s->sType, s);
        if (s->sType ==
                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR &&
            rules->portability)
            memset(s + 1, 0,
                   sizeof(VkPhysicalDevicePortabilitySubsetFeaturesKHR) - sizeof *s);
    }
}

static VKAPI_ATTR void VKAPI_CALL features2(VkPhysicalDevice physical,
                                            VkPhysicalDeviceFeatures2 *features)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    i->GetPhysicalDeviceFeatures2(physical, features);
    hide_feature_chain(&i->rules, features);
}

static VKAPI_ATTR void VKAPI_CALL features1(VkPhysicalDevice physical,
                                            VkPhysicalDeviceFeatures *features)
{
    VkPhysicalDeviceFeatures2 all = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    };
    features2(physical, &all);
    *features = all.features;
}

// ---- properties ----

static double read_limit(const void *at, enum gv_hide_kind kind)
{
    union {
        uint32_t u32;
        int32_t i32;
        float f32;
        uint64_t u64;
    } v = { .u64 = 0 };
    bool wide = kind == GV_HIDE_U64 || kind == GV_HIDE_SIZE;
    memcpy(&v, at, wide ? 8 : 4);
    return kind == GV_HIDE_F32   ? (double)v.f32
           : kind == GV_HIDE_I32 ? (double)v.i32
           : wide                ? (double)v.u64
                                 : (double)v.u32;
}

static void write_limit(void *at, enum gv_hide_kind kind, double value)
{
    const float f32 = (float)value;
    const int64_t whole = (int64_t)value; // little-endian: its low half is an int32_t
    if (kind == GV_HIDE_F32)
        memcpy(at, &f32, sizeof f32);
    else
        memcpy(at, &whole, kind == GV_HIDE_U64 || kind == GV_HIDE_SIZE ? 8 : 4);
}

// The worse of what the device has and the rule says. A limit below zero is the low end
// of a range.
static double worse(double have, double value, enum gv_hide_sense sense)
{
    switch (sense) {
    case GV_HIDE_BITS:
        return (double)((uint64_t)have & (uint64_t)value);
    case GV_HIDE_AT_MOST:
        return have > value ? have : value;
    case GV_HIDE_AT_LEAST:
        break;
    }
    if (have < 0)
        return have > value ? have : value;
    return have < value ? have : value;
}

static void lower_limits(const struct gv_hide_rules *rules,
                         VkPhysicalDeviceLimits *limits)
{
    for (size_t i = 0; i < GV_HIDE_LIMITS; i++) {
        const struct gv_hide_limit_info *info = &gv_hide_limits[i];
        char *at = (char *)limits + info->offset;
        if (rules->limits[i].set)
            write_limit(
                at, info->kind,
                worse(read_limit(at, info->kind), rules->limits[i].value, info->sense));
    }
}

static void set_properties(const struct gv_hide_rules *rules, VkBaseOutStructure *s)
{
    for (size_t i = 0; i < GV_HIDE_PROPERTIES; i++) {
        const struct gv_hide_property_info *info = &gv_hide_properties[i];
        if (rules->properties[i].set && info->type == s->sType)
            memcpy((char *)s + info->offset, &rules->properties[i].value, info->size);
    }
    if (s->sType ==
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_PROPERTIES_KHR &&
        rules->portability)
        ((VkPhysicalDevicePortabilitySubsetPropertiesKHR *)(void *)s)
            ->minVertexInputBindingStrideAlignment = 4;
}

static void change_properties(const struct gv_hide_rules *rules,
                              VkPhysicalDeviceProperties *p)
{
    lower_limits(rules, &p->limits);
    size_t length = strlen(p->deviceName);
    if (length + sizeof SUFFIX > sizeof p->deviceName)
        length = sizeof p->deviceName - sizeof SUFFIX;
    memcpy(p->deviceName + length, SUFFIX, sizeof SUFFIX);
}

static VKAPI_ATTR void VKAPI_CALL properties1(VkPhysicalDevice physical,
                                              VkPhysicalDeviceProperties *properties)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    i->GetPhysicalDeviceProperties(physical, properties);
    change_properties(&i->rules, properties);
}

static VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice physical,
                                              VkPhysicalDeviceProperties2 *properties)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    i->GetPhysicalDeviceProperties2(physical, properties);
    change_properties(&i->rules, &properties->properties);
    for (VkBaseOutStructure *s = properties->pNext; s; s = s->pNext)
        set_properties(&i->rules, s);
}

// ---- formats ----

static uint64_t hidden_bits(const struct gv_hide_rules *rules, VkFormat format)
{
    size_t row = gv_hide_format_row(format);
    return row == GV_HIDE_NONE ? 0 : rules->formats[row];
}

static void hide_format(const struct gv_hide_rules *rules, VkFormat format,
                        VkFormatProperties *p)
{
    uint64_t bits = hidden_bits(rules, format);
    p->optimalTilingFeatures &= ~(VkFormatFeatureFlags)bits;
    p->linearTilingFeatures &= ~(VkFormatFeatureFlags)bits;
    p->bufferFeatures &= ~(VkFormatFeatureFlags)(bits >> 32);
}

static VKAPI_ATTR void VKAPI_CALL format1(VkPhysicalDevice physical, VkFormat format,
                                          VkFormatProperties *properties)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    i->GetPhysicalDeviceFormatProperties(physical, format, properties);
    hide_format(&i->rules, format, properties);
}

static VKAPI_ATTR void VKAPI_CALL format2(VkPhysicalDevice physical, VkFormat format,
                                          VkFormatProperties2 *properties)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    i->GetPhysicalDeviceFormatProperties2(physical, format, properties);
    hide_format(&i->rules, format, &properties->formatProperties);
    uint64_t bits = hidden_bits(&i->rules, format);
    for (VkBaseOutStructure *s = properties->pNext; s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3) {
            VkFormatProperties3 *p = (void *)s;
            p->optimalTilingFeatures &= ~(bits & UINT32_MAX);
            p->linearTilingFeatures &= ~(bits & UINT32_MAX);
            p->bufferFeatures &= ~(bits >> 32);
        }
}

// Whether a usage needs a feature of the format that is hidden.
static bool usage_hidden(const struct gv_hide_rules *rules, VkFormat format,
                         VkImageUsageFlags usage)
{
    static const struct {
        VkImageUsageFlags usage;
        VkFormatFeatureFlags feature;
    } rows[] = {
        { VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT },
        { VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT },
        { VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT },
        { VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
          VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT },
        { VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT },
        { VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_TRANSFER_DST_BIT },
    };
    uint64_t bits = hidden_bits(rules, format);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((usage & rows[i].usage) && (bits & rows[i].feature))
            return true;
    return false;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void lower_extent(const VkPhysicalDeviceLimits *l, VkImageType type,
                         VkImageCreateFlags flags, VkExtent3D *extent)
{
    uint32_t side = l->maxImageDimension2D;
    if (type == VK_IMAGE_TYPE_1D)
        side = l->maxImageDimension1D;
    else if (type == VK_IMAGE_TYPE_3D)
        side = l->maxImageDimension3D;
    else if (flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT)
        side = least(side, l->maxImageDimensionCube);
    extent->width = least(extent->width, side);
    extent->height = least(extent->height, side);
    extent->depth = least(extent->depth, side);
}

static void lower_image(VkPhysicalDevice physical, VkImageType type,
                        VkImageUsageFlags usage, VkImageCreateFlags flags,
                        VkImageFormatProperties *p)
{
    VkPhysicalDeviceProperties device;
    properties1(physical, &device);
    lower_extent(&device.limits, type, flags, &p->maxExtent);
    if (usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
        p->sampleCounts &= device.limits.framebufferColorSampleCounts;
    if (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)
        p->sampleCounts &= device.limits.framebufferDepthSampleCounts;
    if (usage & VK_IMAGE_USAGE_STORAGE_BIT)
        p->sampleCounts &= device.limits.storageImageSampleCounts;
    p->sampleCounts |= VK_SAMPLE_COUNT_1_BIT;
    p->maxArrayLayers = least(p->maxArrayLayers, device.limits.maxImageArrayLayers);
}

static VKAPI_ATTR VkResult VKAPI_CALL image_format1(
    VkPhysicalDevice physical, VkFormat format, VkImageType type, VkImageTiling tiling,
    VkImageUsageFlags usage, VkImageCreateFlags flags, VkImageFormatProperties *out)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    if (usage_hidden(&i->rules, format, usage))
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    VkResult result = i->GetPhysicalDeviceImageFormatProperties(
        physical, format, type, tiling, usage, flags, out);
    if (result == VK_SUCCESS)
        lower_image(physical, type, usage, flags, out);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
image_format2(VkPhysicalDevice physical, const VkPhysicalDeviceImageFormatInfo2 *info,
              VkImageFormatProperties2 *out)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    if (usage_hidden(&i->rules, info->format, info->usage))
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    VkResult result = i->GetPhysicalDeviceImageFormatProperties2(physical, info, out);
    if (result == VK_SUCCESS)
        lower_image(physical, info->type, info->usage, info->flags,
                    &out->imageFormatProperties);
    return result;
}

// ---- memory, queues ----

static VKAPI_ATTR void VKAPI_CALL memory1(VkPhysicalDevice physical,
                                          VkPhysicalDeviceMemoryProperties *p)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    i->GetPhysicalDeviceMemoryProperties(physical, p);
    if (!i->rules.type_count)
        return;
    p->memoryTypeCount = i->rules.type_count;
    p->memoryHeapCount = i->rules.heap_count;
    memcpy(p->memoryTypes, i->rules.types, sizeof p->memoryTypes);
    memcpy(p->memoryHeaps, i->rules.heaps, sizeof p->memoryHeaps);
}

static VKAPI_ATTR void VKAPI_CALL memory2(VkPhysicalDevice physical,
                                          VkPhysicalDeviceMemoryProperties2 *p)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    i->GetPhysicalDeviceMemoryProperties2(physical, p);
    memory1(physical, &p->memoryProperties);
}

// A family that cannot draw: transfers alone, or compute, by turns.
static VkQueueFamilyProperties family(uint32_t index)
{
    const VkQueueFlags flags =
        VK_QUEUE_TRANSFER_BIT | (index % 2 ? VK_QUEUE_COMPUTE_BIT : 0);
    return (VkQueueFamilyProperties){
        .queueFlags = flags,
        .queueCount = 1,
        .timestampValidBits = 0,
        .minImageTransferGranularity = { 1, 1, 1 },
    };
}

static VKAPI_ATTR void VKAPI_CALL queues1(VkPhysicalDevice physical, uint32_t *count,
                                          VkQueueFamilyProperties *out)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    uint32_t added = i->rules.queue_families, theirs = 0;
    if (!out) {
        i->GetPhysicalDeviceQueueFamilyProperties(physical, count, NULL);
        *count += added;
        return;
    }
    if (added > *count)
        added = *count;
    for (uint32_t k = 0; k < added; k++)
        out[k] = family(k);
    theirs = *count - added;
    i->GetPhysicalDeviceQueueFamilyProperties(physical, &theirs, out + added);
    *count = added + theirs;
}

static VKAPI_ATTR void VKAPI_CALL queues2(VkPhysicalDevice physical, uint32_t *count,
                                          VkQueueFamilyProperties2 *out)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    uint32_t added = i->rules.queue_families, theirs = 0;
    if (!out) {
        i->GetPhysicalDeviceQueueFamilyProperties2(physical, count, NULL);
        *count += added;
        return;
    }
    if (added > *count)
        added = *count;
    for (uint32_t k = 0; k < added; k++)
        out[k].queueFamilyProperties = family(k);
    theirs = *count - added;
    i->GetPhysicalDeviceQueueFamilyProperties2(physical, &theirs, out + added);
    *count = added + theirs;
}

// ---- extensions ----

static bool named(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    return false;
}

// A device without the portability subset has all of its features: to hide one there
// would change nothing.
static void check_subset(const struct gv_hide_rules *rules)
{
    for (size_t i = 0; i < GV_HIDE_FEATURES; i++)
        if (rules->named[i] &&
            gv_hide_features[i].type ==
                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR)
            gv_hide_broken("feature %s is hidden of a device without "
                           "VK_KHR_portability_subset (rule portability)",
                           gv_hide_features[i].name);
}

// Drops what is hidden; adds what a portable device must have.
static uint32_t filter(const struct gv_hide_rules *rules, VkExtensionProperties *list,
                       uint32_t count)
{
    static const char portable[] = VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!gv_hide_extension(rules, list[i].extensionName))
            list[kept++] = list[i];
    if (rules->portability && !named(list, kept, portable)) {
        list[kept] = (VkExtensionProperties){ .specVersion = 1 };
        memcpy(list[kept++].extensionName, portable, sizeof portable);
    }
    if (!named(list, kept, portable))
        check_subset(rules);
    return kept;
}

static VKAPI_ATTR VkResult VKAPI_CALL extensions(VkPhysicalDevice physical,
                                                 const char *layer, uint32_t *count,
                                                 VkExtensionProperties *out)
{
    const struct gv_hide_instance *i = gv_hide_instance_of(physical);
    uint32_t all = 0;
    if (layer)
        return i->EnumerateDeviceExtensionProperties(physical, layer, count, out);
    VkResult result = i->EnumerateDeviceExtensionProperties(physical, NULL, &all, NULL);
    VkExtensionProperties *list = calloc(all + 1, sizeof *list); // room for ours
    if (result != VK_SUCCESS || !list) {
        free(list);
        return result == VK_SUCCESS ? VK_ERROR_OUT_OF_HOST_MEMORY : result;
    }
    result = i->EnumerateDeviceExtensionProperties(physical, NULL, &all, list);
    uint32_t kept = filter(&i->rules, list, all);
    if (out && *count < kept) {
        kept = *count;
        result = VK_INCOMPLETE;
    }
    if (out)
        memcpy(out, list, kept * sizeof *list);
    *count = kept;
    free(list);
    return result;
}

PFN_vkVoidFunction gv_hide_query_call(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction call;
    } rows[] = {
#define ROW(name, call) { "vk" name, (PFN_vkVoidFunction)(call) },
        ROW("GetPhysicalDeviceFeatures",
            features1) ROW("GetPhysicalDeviceFeatures2",
                           features2) ROW("GetPhysicalDeviceProperties", properties1)
            ROW("GetPhysicalDeviceProperties2",
                properties2) ROW("GetPhysicalDeviceFormatProperties", format1)
                ROW("GetPhysicalDeviceFormatProperties2", format2)
                    ROW("GetPhysicalDeviceImageFormatProperties", image_format1) ROW(
                        "GetPhysicalDeviceImageFormatProperties2",
                        image_format2) ROW("GetPhysicalDeviceMemoryProperties", memory1)
                        ROW("GetPhysicalDeviceMemoryProperties2", memory2)
                            ROW("GetPhysicalDeviceQueueFamilyProperties", queues1) ROW(
                                "GetPhysicalDeviceQueueFamilyProperties2", queues2)
                                ROW("EnumerateDeviceExtensionProperties", extensions)
#undef ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].call;
    return NULL;
}
