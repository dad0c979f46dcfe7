// The layer's place in the chain: instances, devices, command buffers.
#include "tests/layers/reverse/reverse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

// One thread makes and uses devices here.
struct instance {
    VkInstance handle;
    PFN_vkGetInstanceProcAddr get_proc_addr;
    PFN_vkDestroyInstance destroy;
    struct instance *later;
};

static struct instance *instances;
static struct gv_reverse_device *devices;

VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiation);

_Noreturn void gv_reverse_give_up(const char *what)
{
    fprintf(stderr, "layer reverse: %s\n", what);
    abort();
}

// Handles that the loader dispatches begin with a pointer that their parent shares.
struct gv_reverse_device *gv_reverse_device_of(const void *handle)
{
    struct gv_reverse_device *d = devices;
    while (d && *(void *const *)(const void *)d->handle != *(void *const *)handle)
        d = d->later;
    return d;
}

struct gv_reverse_buffer *gv_reverse_buffer_of(VkCommandBuffer handle)
{
    struct gv_reverse_device *device = gv_reverse_device_of(handle);
    struct gv_reverse_buffer *b = device->buffers;
    while (b && b->handle != handle)
        b = b->later;
    if (b)
        return b;
    b = calloc(1, sizeof *b);
    if (!b)
        gv_reverse_give_up("out of memory");
    b->handle = handle;
    b->device = device;
    b->later = device->buffers;
    device->buffers = b;
    return b;
}

// ---- instances ----

static const struct instance *instance_of(const void *handle)
{
    const struct instance *i = instances;
    while (i && *(void *const *)(const void *)i->handle != *(void *const *)handle)
        i = i->later;
    return i;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *a,
                                                      VkInstance *out)
{
    // The loader's own structure, which it lets layers advance.
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *)link->pNext;
    struct instance *instance = calloc(1, sizeof *instance);
    if (!link || !instance)
        gv_reverse_give_up("no place in the chain of layers");
    PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)next(VK_NULL_HANDLE, "vkCreateInstance");
    VkResult result = create(info, a, out);
    if (result != VK_SUCCESS) {
        free(instance);
        return result;
    }
    instance->handle = *out;
    instance->get_proc_addr = next;
    instance->destroy = (PFN_vkDestroyInstance)next(*out, "vkDestroyInstance");
    instance->later = instances;
    instances = instance;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance handle,
                                                   const VkAllocationCallbacks *a)
{
    struct instance **at = &instances;
    while (*at && (*at)->handle != handle)
        at = &(*at)->later;
    struct instance *instance = *at;
    if (!instance)
        return;
    *at = instance->later;
    instance->destroy(handle, a);
    free(instance);
}

// ---- devices ----

static void load_next(struct gv_reverse_device *d)
{
#define GV_REVERSE_FUNCTION(name) \
    d->next.name = (PFN_vk##name)d->get_proc_addr(d->handle, "vk" #name);
#include "tests/layers/reverse/reverse.def"
#undef GV_REVERSE_FUNCTION
}

// What the environment asks for; see reverse.h.
static void read_options(struct gv_reverse_device *d)
{
    static const char *const names[] = { "transfer", "compute", "draw", "indirect" };
    const char *mode = getenv("GPUVM_REVERSE");
    const char *without = getenv("GPUVM_REVERSE_WITHOUT");
    d->noise_all = getenv("GPUVM_REVERSE_NOISE") != NULL;
    d->whole = mode && strcmp(mode, "whole") == 0;
    while (without && *without) {
        uint32_t from = 0, to = 0;
        size_t a = strcspn(without, ">"), b = strcspn(without, ",");
        while (from < GV_REVERSE_CLASSES &&
               (strlen(names[from]) != a || strncmp(names[from], without, a) != 0))
            from++;
        while (to < GV_REVERSE_CLASSES && a < b &&
               (strlen(names[to]) != b - a - 1 ||
                strncmp(names[to], without + a + 1, b - a - 1) != 0))
            to++;
        if (a >= b || from == GV_REVERSE_CLASSES || to == GV_REVERSE_CLASSES)
            gv_reverse_give_up("GPUVM_REVERSE_WITHOUT names no kind of barrier");
        d->without[from] |= 1u << to;
        without += b + (without[b] == ',');
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *a,
                                                    VkDevice *out)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerDeviceCreateInfo *)link->pNext;
    struct gv_reverse_device *device = calloc(1, sizeof *device);
    if (!link || !device)
        gv_reverse_give_up("no place in the chain of layers");
    PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    device->get_proc_addr = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)next(instance_of(physical)->handle, "vkCreateDevice");
    VkResult result = create(physical, info, a, out);
    if (result != VK_SUCCESS) {
        free(device);
        return result;
    }
    device->handle = *out;
    load_next(device);
    read_options(device);
    device->later = devices;
    devices = device;
    return VK_SUCCESS;
}

static void report(const struct gv_reverse_device *d)
{
    const char *path = getenv("GPUVM_REVERSE_REPORT");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file,
            "%" PRIu64 " units %" PRIu64 " moved %" PRIu64 " barriers %" PRIu64
            " noised\n",
            d->units, d->moved, d->barriers, d->noised);
    fclose(file);
}

static VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice handle,
                                                 const VkAllocationCallbacks *a)
{
    struct gv_reverse_device **at = &devices;
    while (*at && (*at)->handle != handle)
        at = &(*at)->later;
    struct gv_reverse_device *device = *at;
    if (!device)
        return;
    *at = device->later;
    report(device);
    gv_reverse_forget_images(device);
    while (device->buffers) {
        struct gv_reverse_buffer *buffer = device->buffers;
        device->buffers = buffer->later;
        gv_reverse_finish(buffer);
        free(buffer);
    }
    PFN_vkDestroyDevice destroy =
        (PFN_vkDestroyDevice)device->get_proc_addr(handle, "vkDestroyDevice");
    destroy(handle, a);
    free(device);
}

// ---- functions by name ----

static VKAPI_ATTR void VKAPI_CALL unknown_command(void)
{
    gv_reverse_give_up("a command that it does not record");
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc_addr(VkDevice device,
                                                                 const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc_addr(VkInstance instance,
                                                                   const char *name);

static PFN_vkVoidFunction own_function(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } rows[] = {
        { "vkCreateInstance", (PFN_vkVoidFunction)create_instance },
        { "vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance },
        { "vkCreateDevice", (PFN_vkVoidFunction)create_device },
        { "vkDestroyDevice", (PFN_vkVoidFunction)destroy_device },
        { "vkGetDeviceProcAddr", (PFN_vkVoidFunction)device_proc_addr },
        { "vkGetInstanceProcAddr", (PFN_vkVoidFunction)instance_proc_addr },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].function;
    return gv_reverse_recorder(name);
}

static PFN_vkVoidFunction device_proc_addr(VkDevice device, const char *name)
{
    PFN_vkVoidFunction own = own_function(name);
    const struct gv_reverse_device *d = gv_reverse_device_of(device);
    if (!d)
        return own;
    PFN_vkVoidFunction next = d->get_proc_addr(device, name);
    if (!next || own)
        return next ? own : NULL;
    return strncmp(name, "vkCmd", 5) == 0 ? (PFN_vkVoidFunction)unknown_command : next;
}

static PFN_vkVoidFunction instance_proc_addr(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction own = own_function(name);
    const struct instance *i = own || !instance ? NULL : instance_of(instance);
    return i ? i->get_proc_addr(instance, name) : own;
}

VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiation)
{
    if (negotiation->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    negotiation->loaderLayerInterfaceVersion = 2;
    negotiation->pfnGetInstanceProcAddr = instance_proc_addr;
    negotiation->pfnGetDeviceProcAddr = device_proc_addr;
    negotiation->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
