// Instances, devices and queues: names that calls begin with.
#include "compiler/vulkan/walk.h"

#include "compiler/vulkan/api/vk_table.h"

// They hold nothing: a name is all that is asked for.
static bool know(struct gv_vulkan *v, uint64_t id, enum gv_cap_kind kind,
                 struct gv_error *err)
{
    static char nothing;
    return gv_cap_find(&v->cap, id, kind) ||
           gv_cap_keep(&v->cap, id, kind, &nothing, err);
}

static bool know_physical(struct gv_vulkan *v,
                          const struct gv_vk_args_vkEnumeratePhysicalDevices *a,
                          struct gv_error *err)
{
    for (uint32_t i = 0; a->pPhysicalDevices && i < *a->pPhysicalDeviceCount; i++)
        if (!know(v, GV_VK_ID(a->pPhysicalDevices[i]), GV_CAP_PHYSICAL_DEVICE, err))
            return false;
    return true;
}

static bool know_groups(struct gv_vulkan *v,
                        const struct gv_vk_args_vkEnumeratePhysicalDeviceGroups *a,
                        struct gv_error *err)
{
    const uint32_t groups =
        a->pPhysicalDeviceGroupProperties ? *a->pPhysicalDeviceGroupCount : 0;
    for (uint32_t i = 0; i < groups; i++) {
        const VkPhysicalDeviceGroupProperties *p =
            &a->pPhysicalDeviceGroupProperties[i];
        for (uint32_t j = 0; j < p->physicalDeviceCount && j < VK_MAX_DEVICE_GROUP_SIZE;
             j++)
            if (!know(v, GV_VK_ID(p->physicalDevices[j]), GV_CAP_PHYSICAL_DEVICE, err))
                return false;
    }
    return true;
}

bool gv_walk_device_call(struct gv_vulkan *v, const struct gv_vk_call *call, bool *ok,
                         struct gv_error *err)
{
    switch ((int)call->function) {
    case GV_VK_vkCreateInstance:
        *ok = know(v, GV_VK_ID(*GV_VK_ARGS(vkCreateInstance, call)->pInstance),
                   GV_CAP_INSTANCE, err);
        return true;
    case GV_VK_vkEnumeratePhysicalDevices:
        *ok = know_physical(v, GV_VK_ARGS(vkEnumeratePhysicalDevices, call), err);
        return true;
    case GV_VK_vkEnumeratePhysicalDeviceGroups:
        *ok = know_groups(v, GV_VK_ARGS(vkEnumeratePhysicalDeviceGroups, call), err);
        return true;
    case GV_VK_vkCreateDevice:
        *ok = know(v, GV_VK_ID(*GV_VK_ARGS(vkCreateDevice, call)->pDevice),
                   GV_CAP_DEVICE, err);
        return true;
    case GV_VK_vkGetDeviceQueue:
        *ok = know(v, GV_VK_ID(*GV_VK_ARGS(vkGetDeviceQueue, call)->pQueue),
                   GV_CAP_QUEUE, err);
        return true;
    case GV_VK_vkGetDeviceQueue2:
        *ok = know(v, GV_VK_ID(*GV_VK_ARGS(vkGetDeviceQueue2, call)->pQueue),
                   GV_CAP_QUEUE, err);
        return true;
    default:
        return false;
    }
}

bool gv_walk_known_first(const struct gv_vulkan *v, const struct gv_vk_call *call,
                         struct gv_error *err)
{
    static const struct {
        enum gv_vk_type type;
        enum gv_cap_kind kind;
    } rows[] = {
        { GV_VK_TYPE_VkPhysicalDevice, GV_CAP_PHYSICAL_DEVICE },
        { GV_VK_TYPE_VkDevice, GV_CAP_DEVICE },
        { GV_VK_TYPE_VkQueue, GV_CAP_QUEUE },
    };
    const struct gv_vk_function_info *f = &gv_vk_functions[call->function];
    const VkDevice *first = call->args; // any handle
    for (size_t i = 0; f->count && i < sizeof rows / sizeof rows[0]; i++)
        if (gv_vk_fields[f->first].type == rows[i].type && GV_VK_ID(*first))
            return gv_cap_need(&v->cap, GV_VK_ID(*first), rows[i].kind, err);
    return true;
}
