#include "runtime/vk/device/device_open.h"

#include "runtime/vk/device/host_device.h"
#include "runtime/vk/device/loader.h"
#include "runtime/vk/device/requirements.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/device/validation.h"
#include "vm/formats.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- choosing ----

// Whether `wanted` is a part of `name`, letter case aside.
static bool name_has(const char *name, const char *wanted)
{
    size_t length = strlen(wanted);
    for (; *name; name++) {
        size_t i = 0;
        while (i < length && name[i] &&
               tolower((unsigned char)name[i]) == tolower((unsigned char)wanted[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

static bool is_number(const char *text)
{
    return text[0] && strspn(text, "0123456789") == strlen(text);
}

static bool choose_by_name(const VkPhysicalDevice *devices, uint32_t count,
                           const char *wanted, VkPhysicalDevice *chosen,
                           struct gv_error *err)
{
    if (is_number(wanted)) {
        unsigned long index = strtoul(wanted, NULL, 10);
        if (index >= count)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "device %s does not exist: there are %u", wanted, count);
        *chosen = devices[index];
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (name_has(properties.deviceName, wanted)) {
            *chosen = devices[i];
            return true;
        }
    }
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no device is named \"%s\"",
                   wanted);
}

// Room for misses in an error's message; what does not fit is counted.
#define MISSES_BYTES 120

// Misses, a line each, as "one, another and 3 more".
bool gv_vk_refuse_missing(const struct gv_bytes *missing, struct gv_error *err)
{
    char text[MISSES_BYTES + 1], more[32] = "";
    size_t length = 0, left = 0;
    const char *line = (const char *)missing->data, *end = line + missing->size;
    while (line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t size = (size_t)((stop ? stop : end) - line);
        size = size < MISSES_BYTES ? size : MISSES_BYTES;
        if (length && (left || length + 2 + size > MISSES_BYTES))
            left++;
        else
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%.*s",
                                       length ? ", " : "", (int)size, line);
        line = stop ? stop + 1 : end;
    }
    if (left)
        snprintf(more, sizeof more, " and %zu more", left);
    return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET, "the device misses: %.*s%s",
                   (int)length, text, more);
}

// Takes `physical` if it meets every need; else fails with the list of misses.
static bool try_device(VkPhysicalDevice physical, const struct gv_payload *payload,
                       struct gv_vk_offer *offer, struct gv_error *err)
{
    struct gv_bytes missing = { 0 };
    if (!gv_vk_offer_init(offer, physical, err)) {
        gv_vk_offer_finish(offer);
        return false;
    }
    gv_vk_requirements_missing(offer, payload, &missing);
    bool ok = missing.size == 0 || gv_vk_refuse_missing(&missing, err);
    if (!ok)
        gv_vk_offer_finish(offer);
    gv_bytes_finish(&missing);
    return ok;
}

// Of a requirement that is not met, and need not be.
static void tell_fallback(struct gv_vk_device *device, const struct gv_requirement *r,
                          const struct gv_bytes *missed)
{
    bool same = r->strength == GV_ALTERNATIVE;
    device->exact = device->exact && same;
    gv_log(device->log, same ? GV_LOG_INFO : GV_LOG_WARNING, "%s: %.*s; instead: %s",
           same ? "the payload has another way without" : "the payload would prefer",
           (int)missed->size, (const char *)missed->data, r->fallback);
}

// How images of a format are kept that the payload needs. Of a stream some may be there
// already.
static bool keep_format(struct gv_vk_device *device, const struct gv_vk_offer *offer,
                        const struct gv_requirement *r, struct gv_error *err)
{
    const bool first = device->met_count == 0;
    if (r->kind != GV_REQUIRE_FORMAT || r->strength != GV_NEEDED)
        return true;
    if (!gv_vk_formats_need(device->physical, offer->driver.driverID, &device->formats,
                            gv_format_find(r->name), r->value, first))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the device misses: format %s with features 0x%llx, which the "
                       "stream names late",
                       r->name, (unsigned long long)r->value);
    return true;
}

// Notes which rows the device meets, for MEETS.
static bool note_met(struct gv_vk_device *device, const struct gv_vk_offer *offer,
                     const struct gv_payload *payload, struct gv_error *err)
{
    struct gv_bytes missed = { 0 };
    size_t count = payload ? payload->requirement_count : 0;
    bool *met = realloc(device->met, (count + 1) * sizeof(*met));
    if (!met)
        return gv_out_of_memory(err);
    device->met = met;
    for (size_t i = device->met_count; i < count; i++) {
        missed.size = 0;
        gv_vk_requirement_check(offer, &payload->requirements[i], &missed);
        device->met[i] = missed.size == 0;
        if (!device->met[i])
            tell_fallback(device, &payload->requirements[i], &missed);
        if (!keep_format(device, offer, &payload->requirements[i], err)) {
            gv_bytes_finish(&missed);
            return false;
        }
    }
    device->met_count = count;
    gv_bytes_finish(&missed);
    return true;
}

bool gv_vk_device_require(struct gv_vk_device *device, const struct gv_payload *payload,
                          struct gv_error *err)
{
    struct gv_vk_offer offer;
    struct gv_bytes missing = { 0 };
    if (payload->requirement_count == device->met_count)
        return true;
    bool ok = gv_vk_offer_init(&offer, device->physical, err);
    if (ok) {
        gv_vk_requirements_missing(&offer, payload, &missing);
        ok = missing.size == 0 ? note_met(device, &offer, payload, err)
                               : gv_vk_refuse_missing(&missing, err);
    }
    gv_vk_offer_finish(&offer);
    gv_bytes_finish(&missing);
    return ok;
}

// A device that was not asked for by name is the first of the list that will do; when
// none does, the misses of the best one are the error.
static bool choose(struct gv_vk_device *device,
                   const struct gv_vk_device_params *params, struct gv_vk_offer *offer,
                   struct gv_error *err)
{
    VkPhysicalDevice devices[GV_VK_MAX_DEVICES], chosen = VK_NULL_HANDLE;
    uint32_t count;
    if (!gv_vk_physical_devices(device->instance, devices, &count, err))
        return false;
    if (params->device)
        return choose_by_name(devices, count, params->device, &chosen, err) &&
               try_device(chosen, params->payload, offer, err);
    for (uint32_t i = 0; i < count; i++)
        if (try_device(devices[i], params->payload, offer, err)) {
            gv_error_clear(err);
            return true;
        }
    return false;
}

// ---- making ----

// What a stream will name nobody knows.
static bool names_feature(const struct gv_payload *payload, const char *feature)
{
    if (payload && payload->streamed)
        return true;
    for (size_t i = 0; payload && i < payload->requirement_count; i++)
        if (payload->requirements[i].kind == GV_REQUIRE_FEATURE &&
            strcmp(payload->requirements[i].name, feature) == 0)
            return true;
    return false;
}

static bool prefers_feature(const struct gv_payload *payload, const char *feature)
{
    for (size_t i = 0; payload && i < payload->requirement_count; i++)
        if (payload->requirements[i].kind == GV_REQUIRE_FEATURE &&
            payload->requirements[i].strength == GV_PREFERRED &&
            strcmp(payload->requirements[i].name, feature) == 0)
            return true;
    return false;
}

// Everything of features.def that exists is enabled: drivers charge for use, not for
// permission, and a payload's undeclared use then still works where it can. Not the
// stricter robustness, whose checks cost, unless the payload names it.
void gv_vk_pick_features(struct gv_vk_device *device, const struct gv_vk_offer *offer,
                         const struct gv_payload *payload)
{
    bool strict = names_feature(payload, "robustBufferAccess2");
    device->extensions = offer->extensions;
    device->features = offer->features;
    if (!strict)
        device->features.robustness2.robustBufferAccess2 = VK_FALSE;
    bool lavapipe = offer->driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
    device->guards_vertices =
        strict && (!device->features.robustness2.robustBufferAccess2 || lavapipe);
    device->features.robustness2.robustImageAccess2 = VK_FALSE;
    device->widens_lines = names_feature(payload, "wideLines") &&
                           !device->features.core.features.wideLines;
    device->thins_lines = device->widens_lines && prefers_feature(payload, "wideLines");
    // Vulkan leaves open what a smooth line covers: lavapipe's are those of quads.h.
    // Where lines are not wide, smooth ones cannot be either.
    device->smooths_lines = names_feature(payload, "smoothLines") &&
                            (!device->features.line_rasterization.smoothLines ||
                             !lavapipe || device->widens_lines);
    gv_vk_features_chain(&device->features, &device->extensions);
}

uint32_t gv_vk_list_extensions(const struct gv_vk_extensions *extensions,
                               const char *names[GV_VK_EXTENSIONS])
{
    uint32_t count = 0;
#define GV_EXTENSION(member, name) \
    if (extensions->member)        \
        names[count++] = name;
#include "runtime/vk/device/features.def"
    return count;
}

static bool create_device(struct gv_vk_device *device, struct gv_error *err)
{
    const char *names[GV_VK_EXTENSIONS];
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = device->queue_family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &device->features.core,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = gv_vk_list_extensions(&device->extensions, names),
        .ppEnabledExtensionNames = names,
    };
    return gv_vk_ok(vkCreateDevice(device->physical, &info, NULL, &device->handle),
                    "vkCreateDevice", err);
}

static void chain_properties(VkPhysicalDeviceProperties2 *head, void *properties)
{
    VkBaseOutStructure *one = properties;
    one->pNext = head->pNext;
    head->pNext = one;
}

static void read_properties(struct gv_vk_device *device)
{
    VkPhysicalDeviceProperties2 *head = &device->properties;
    head->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
#define READ(member, tag)                                           \
    device->member.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##tag; \
    chain_properties(head, &device->member);
    READ(properties11, VULKAN_1_1_PROPERTIES)
    READ(properties12, VULKAN_1_2_PROPERTIES)
    READ(properties13, VULKAN_1_3_PROPERTIES)
    // Structs of absent extensions are ignored by the driver and stay zero.
    READ(transform_feedback, TRANSFORM_FEEDBACK_PROPERTIES_EXT)
    READ(provoking_vertex, PROVOKING_VERTEX_PROPERTIES_EXT)
    READ(line_rasterization, LINE_RASTERIZATION_PROPERTIES_EXT)
    READ(vertex_attribute_divisor, VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT)
    READ(custom_border_color, CUSTOM_BORDER_COLOR_PROPERTIES_EXT)
    READ(portability, PORTABILITY_SUBSET_PROPERTIES_KHR)
#undef READ
    vkGetPhysicalDeviceProperties2(device->physical, head);
    head->pNext = NULL;
    vkGetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
}

// The device of the host, and what of it is enabled.
static bool adopt(struct gv_vk_device *device, const struct gv_vk_device_params *params,
                  struct gv_vk_offer *offer, struct gv_error *err)
{
    device->foreign = true;
    if (!gv_vk_host_device_take(device, params->vulkan, err))
        return false;
    struct gv_bytes missing = { 0 };
    bool ok = gv_vk_offer_init(offer, device->physical, err);
    if (ok) {
        gv_vk_host_device_restrict(offer, params->vulkan);
        gv_vk_requirements_missing(offer, params->payload, &missing);
        ok = missing.size == 0 || gv_vk_refuse_missing(&missing, err);
    }
    if (!ok)
        gv_vk_offer_finish(offer);
    gv_bytes_finish(&missing);
    return ok;
}

static bool find_device(struct gv_vk_device *device,
                        const struct gv_vk_device_params *params,
                        struct gv_vk_offer *offer, struct gv_error *err)
{
    if (params->vulkan)
        return adopt(device, params, offer, err);
    if (!gv_vk_instance_create(device, params->validate, err) ||
        !choose(device, params, offer, err))
        return false;
    device->physical = offer->physical;
    device->queue_family = gv_vk_queue_family(offer->physical);
    return true;
}

static bool open_device(struct gv_vk_device *device,
                        const struct gv_vk_device_params *params, struct gv_error *err)
{
    struct gv_vk_offer offer;
    if (!find_device(device, params, &offer, err))
        return false;
    gv_vk_pick_features(device, &offer, params->payload);
    gv_vk_formats_read(device->physical, offer.driver.driverID, &device->formats);
    bool noted = note_met(device, &offer, params->payload, err);
    gv_vk_offer_finish(&offer);
    read_properties(device);
    if (!noted || device->foreign)
        return noted;
    if (!create_device(device, err))
        return false;
    vkGetDeviceQueue(device->handle, device->queue_family, 0, &device->queue);
    return true;
}

bool gv_vk_device_init(struct gv_vk_device *device,
                       const struct gv_vk_device_params *params, struct gv_error *err)
{
    memset(device, 0, sizeof(*device));
    device->validate = params->validate;
    device->log = params->log;
    device->exact = true;
    if (open_device(device, params, err))
        return true;
    gv_vk_device_finish(device);
    return false;
}

void gv_vk_device_finish(struct gv_vk_device *device)
{
    if (device->handle)
        vkDestroyPipelineCache(device->handle, device->pipeline_cache, NULL);
    if (device->handle && !device->foreign)
        vkDestroyDevice(device->handle, NULL);
    if (device->instance && !device->foreign) {
        gv_vk_messenger_destroy(device);
        gv_vk_instance_destroy(device->instance, device->validate);
    }
    free(device->met);
    device->met = NULL;
    device->met_count = 0;
    device->pipeline_cache = VK_NULL_HANDLE;
    device->handle = VK_NULL_HANDLE;
    device->instance = VK_NULL_HANDLE;
}
