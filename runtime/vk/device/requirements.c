#include "runtime/vk/device/requirements.h"

#include "resources/base/foreign.h"
#include "runtime/vk/device/result.h"
#include "vm/device_limits.h"
#include "vm/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_extension(const struct gv_vk_extensions *extensions, const char *name)
{
#define GV_EXTENSION(member, extension) \
    if (strcmp(name, extension) == 0)   \
        return extensions->member;
#include "runtime/vk/device/features.def"
    return false;
}

void gv_vk_features_chain(struct gv_vk_features *features,
                          const struct gv_vk_extensions *extensions)
{
    void *head = NULL;
    void **link = &head;
    // Core structs are those without an extension. The first row is the head.
#define GV_FEATURE_STRUCT(member, type, tag, extension)          \
    features->member.sType = VK_STRUCTURE_TYPE_##tag;            \
    features->member.pNext = NULL;                               \
    if (!extension[0] || has_extension(extensions, extension)) { \
        *link = &features->member;                               \
        link = &features->member.pNext;                          \
    }
#include "runtime/vk/device/features.def"
}

static bool offers_extension(const struct gv_vk_offer *offer, const char *name)
{
    for (uint32_t i = 0; offer->extension_names && i < offer->extension_count; i++)
        if (strcmp(offer->extension_names[i], name) == 0)
            return true;
    return false;
}

static bool list_extensions(struct gv_vk_offer *offer, struct gv_error *err)
{
    uint32_t count = 0;
    VkResult result =
        vkEnumerateDeviceExtensionProperties(offer->physical, NULL, &count, NULL);
    if (!gv_vk_ok(result, "vkEnumerateDeviceExtensionProperties", err))
        return false;
    VkExtensionProperties *list = calloc(count + 1, sizeof(*list));
    offer->extension_names = calloc(count + 1, sizeof(*offer->extension_names));
    if (list && offer->extension_names) {
        vkEnumerateDeviceExtensionProperties(offer->physical, NULL, &count, list);
        for (uint32_t i = 0; i < count; i++)
            memcpy(offer->extension_names[i], list[i].extensionName,
                   VK_MAX_EXTENSION_NAME_SIZE);
        offer->extension_count = count;
    }
    bool ok = list && offer->extension_names;
    free(list);
    return ok || gv_out_of_memory(err);
}

// A device without the subset extension is all of Vulkan 1.0.
static void fill_portability(struct gv_vk_offer *offer)
{
    VkPhysicalDevicePortabilitySubsetFeaturesKHR *f =
        &offer->features.portability_subset;
    VkBool32 *first = &f->constantAlphaColorBlendFactors;
    VkBool32 *last = &f->vertexAttributeAccessBeyondStride;
    for (VkBool32 *one = first; !offer->extensions.portability_subset && one <= last;
         one++)
        *one = VK_TRUE;
}

bool gv_vk_offer_init(struct gv_vk_offer *offer, VkPhysicalDevice physical,
                      struct gv_error *err)
{
    memset(offer, 0, sizeof(*offer));
    offer->physical = physical;
    if (!list_extensions(offer, err))
        return false;
#define GV_EXTENSION(member, name) \
    offer->extensions.member = offers_extension(offer, name);
#include "runtime/vk/device/features.def"
    gv_vk_features_chain(&offer->features, &offer->extensions);
    vkGetPhysicalDeviceFeatures2(physical, &offer->features.core);
    fill_portability(offer);
    offer->driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    offer->properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    offer->properties11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
    offer->properties12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
    offer->properties13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES;
    offer->properties.pNext = &offer->driver;
    offer->driver.pNext = &offer->properties11;
    offer->properties11.pNext = &offer->properties12;
    offer->properties12.pNext = &offer->properties13;
    vkGetPhysicalDeviceProperties2(physical, &offer->properties);
    offer->properties.pNext = NULL;
    vkGetPhysicalDeviceMemoryProperties(physical, &offer->memory);
    return true;
}

void gv_vk_offer_finish(struct gv_vk_offer *offer)
{
    free(offer->extension_names);
    offer->extension_names = NULL;
}

static const VkBool32 *find_feature(const struct gv_vk_features *features,
                                    const char *name)
{
#define GV_FEATURE(member, field)                        \
    if (strcmp(name, strrchr("." #field, '.') + 1) == 0) \
        return &features->member.field;
#include "runtime/vk/device/features.def"
    return NULL;
}

static bool meets(double have, uint64_t value, enum gv_limit_sense sense)
{
    switch (sense) {
    case GV_LIMIT_AT_LEAST:
        return have >= (double)value;
    case GV_LIMIT_AT_MOST:
        return have <= (double)value;
    case GV_LIMIT_BITS:
        break;
    }
    return ((uint64_t)have & value) == value;
}

// 1: met, 0: missed, -1: no such limit.
static int check_limit(const struct gv_vk_offer *offer, const char *name,
                       uint64_t value)
{
    const VkPhysicalDeviceLimits *limits = &offer->properties.properties.limits;
#define GV_LIMIT(field, kind, sense) \
    if (strcmp(name, #field) == 0)   \
        return meets((double)limits->field, value, GV_LIMIT_##sense);
#define GV_PROPERTY(member, field, sense) \
    if (strcmp(name, #field) == 0)        \
        return meets((double)offer->member.field, value, GV_LIMIT_##sense);
#include "vm/device_limits.def"
    return -1;
}

// What is needed may be had another way; what code branches on, or would prefer, is the
// device's own.
static bool check_format(const struct gv_vk_offer *offer,
                         const struct gv_requirement *r)
{
    const VkDriverId driver = offer->driver.driverID;
    uint32_t format = gv_format_find(r->name);
    if (!format)
        return false;
    return r->strength == GV_NEEDED
               ? gv_vk_format_kept_as(offer->physical, driver, format, r->value) != 0
               : gv_vk_format_has(offer->physical, driver, format, r->value);
}

static uint64_t device_memory(const VkPhysicalDeviceMemoryProperties *memory)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++)
        if ((memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) &&
            memory->memoryHeaps[i].size > most)
            most = memory->memoryHeaps[i].size;
    return most;
}

#define SHOWN_NAME_BYTES 256 // as long as names get

void gv_vk_requirement_check(const struct gv_vk_offer *offer,
                             const struct gv_requirement *r, struct gv_bytes *text)
{
    const VkBool32 *feature;
    int limit;
    char name[SHOWN_NAME_BYTES + 1]; // in a list of lines
    snprintf(name, sizeof name, "%s", r->name);
    gv_foreign_mask(name);
    switch ((enum gv_requirement_kind)r->kind) {
    case GV_REQUIRE_FEATURE:
        feature = find_feature(&offer->features, r->name);
        if (!feature || !*feature)
            gv_bytes_printf(text, "feature %s", name);
        return;
    case GV_REQUIRE_EXTENSION:
        if (!offers_extension(offer, r->name))
            gv_bytes_printf(text, "extension %s", name);
        return;
    case GV_REQUIRE_LIMIT:
        limit = check_limit(offer, r->name, r->value);
        if (limit != 1)
            gv_bytes_printf(text, "limit %s %" PRIu64, name, r->value);
        return;
    case GV_REQUIRE_FORMAT:
        if (!check_format(offer, r))
            gv_bytes_printf(text, "format %s with features 0x%" PRIx64, name, r->value);
        return;
    case GV_REQUIRE_MEMORY:
        if (r->value > device_memory(&offer->memory))
            gv_bytes_printf(text, "%" PRIu64 " bytes of device memory", r->value);
        return;
    }
    gv_bytes_printf(text, "requirement of unknown kind %u", r->kind);
}

// What the runtime cannot do without.
static const char *const own_features[] = {
    "robustBufferAccess", "dynamicRendering", "synchronization2",
    "timelineSemaphore",  "maintenance4",
};

static void check_line(const struct gv_vk_offer *offer, const struct gv_requirement *r,
                       struct gv_bytes *lines)
{
    size_t before = lines->size;
    if (before)
        gv_bytes_u8(lines, '\n');
    size_t line = lines->size;
    gv_vk_requirement_check(offer, r, lines);
    if (lines->size == line)
        lines->size = before;
}

void gv_vk_requirements_missing(const struct gv_vk_offer *offer,
                                const struct gv_payload *payload,
                                struct gv_bytes *missing)
{
    for (size_t i = 0; i < sizeof(own_features) / sizeof(own_features[0]); i++) {
        const struct gv_requirement r = { .kind = GV_REQUIRE_FEATURE,
                                          .name = own_features[i] };
        check_line(offer, &r, missing);
    }
    for (size_t i = 0; payload && i < payload->requirement_count; i++)
        if (payload->requirements[i].strength == GV_NEEDED)
            check_line(offer, &payload->requirements[i], missing);
}
