// What a host that makes its own device may enable.
#include "runtime/runtime.h"
#include "runtime/vk/device/device_open.h"
#include "runtime/vk/device/loader.h"
#include "runtime/vk/device/requirements.h"

#include <stdlib.h>

// The public part and what it points to.
struct whole {
    struct gv_runtime_wishes wishes;
    struct gv_vk_device device; // of which features and extensions are used
    const char *names[GV_VK_EXTENSIONS];
};

static bool choose(struct whole *whole, VkPhysicalDevice physical,
                   const struct gv_payload *payload, struct gv_error *err)
{
    struct gv_vk_offer offer;
    struct gv_bytes missing = { 0 };
    bool ok = gv_vk_offer_init(&offer, physical, err);
    if (ok) {
        gv_vk_requirements_missing(&offer, payload, &missing);
        gv_vk_pick_features(&whole->device, &offer, payload);
        ok = missing.size == 0 || gv_vk_refuse_missing(&missing, err);
    }
    gv_vk_offer_finish(&offer);
    gv_bytes_finish(&missing);
    return ok;
}

struct gv_runtime_wishes *
gv_runtime_wishes_create(const struct gv_runtime_vulkan *vulkan,
                         const struct gv_payload *payload, struct gv_error *err)
{
    struct whole *whole = calloc(1, sizeof *whole);
    if (!whole) {
        gv_out_of_memory(err);
        return NULL;
    }
    if (!gv_vk_loader_open((PFN_vkGetInstanceProcAddr)vulkan->entry, err) ||
        !gv_vk_loader_use(vulkan->instance, err) ||
        !choose(whole, vulkan->physical, payload, err)) {
        free(whole);
        return NULL;
    }
    whole->wishes = (struct gv_runtime_wishes){
        .features = &whole->device.features.core,
        .extensions = whole->names,
        .extension_count =
            gv_vk_list_extensions(&whole->device.extensions, whole->names),
    };
    return &whole->wishes;
}

void gv_runtime_wishes_destroy(struct gv_runtime_wishes *wishes)
{
    free(wishes); // the first member of a whole
}
