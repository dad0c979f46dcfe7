// Devices of the host's.
#include "tools/library/library.h"

const char *gv_library_vulkan_fault(const struct gpuvm_vulkan *vulkan, bool made)
{
    if (!vulkan || !vulkan->instance || !vulkan->physical_device)
        return "no instance or no physical device";
    return made && (!vulkan->device || !vulkan->queue || !vulkan->device_info)
               ? "no device, no queue or no device_info"
               : NULL;
}

struct gv_runtime_vulkan gv_library_vulkan(const struct gpuvm_vulkan *vulkan)
{
    return (struct gv_runtime_vulkan){
        .instance = vulkan->instance,
        .physical = vulkan->physical_device,
        .device = vulkan->device,
        .queue = vulkan->queue,
        .queue_family = vulkan->queue_family,
        .device_info = vulkan->device_info,
        .entry = vulkan->get_instance_proc_addr,
    };
}

// Wishes are the runtime's own.
static const struct gv_runtime_wishes *own(const gpuvm_wishes *wishes)
{
    return (const struct gv_runtime_wishes *)wishes;
}

gpuvm_wishes *gpuvm_wishes_create(const gpuvm_payload *payload,
                                  const struct gpuvm_vulkan *vulkan,
                                  struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    const char *fault = gv_library_vulkan_fault(vulkan, false);
    if (fault) {
        gv_library_misuse(error, fault);
        return NULL;
    }
    const struct gv_runtime_vulkan host = gv_library_vulkan(vulkan);
    struct gv_runtime_wishes *wishes =
        gv_runtime_wishes_create(&host, payload ? &payload->payload : NULL, &err);
    if (wishes)
        gv_library_ok(error);
    else
        gv_library_fail(error, &err, GV_PHASE_RUN, NULL);
    return (gpuvm_wishes *)wishes;
}

const void *gpuvm_wishes_features(const gpuvm_wishes *wishes)
{
    return own(wishes)->features;
}

const char *const *gpuvm_wishes_extensions(const gpuvm_wishes *wishes, uint32_t *count)
{
    *count = own(wishes)->extension_count;
    return own(wishes)->extensions;
}

void gpuvm_wishes_destroy(gpuvm_wishes *wishes)
{
    gv_runtime_wishes_destroy((struct gv_runtime_wishes *)wishes);
}
