// Shader modules of the payload: checked and made safe, and what they weigh.
#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/object_costs.h"
#include "runtime/vk/pipelines/pipeline.h"
#include "vm/machine/progress.h"

#include <stdlib.h>
#include <string.h>

#define COST 1024 // and its code (object_costs.h)

bool gv_vk_shader_init(const struct gv_vk_device *device, struct gv_vk_shader *shader,
                       const struct gv_spirv_checked *checked, struct gv_error *err)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = checked->code_count * 4,
        .pCode = checked->code,
    };
    shader->checked = checked;
    return gv_vk_ok(vkCreateShaderModule(device->handle, &info, NULL, &shader->handle),
                    "vkCreateShaderModule", err);
}

// The checker keeps each module that it has seen, and the driver those that live.
static bool charge_checker(struct gv_vk_heaps *heaps, struct gv_vk_pipelines *p,
                           struct gv_error *err)
{
    uint64_t now = gv_spirv_checker_bytes(p->checker);
    uint64_t more = now - p->checker_charged;
    p->checker_charged = now;
    return !more || gv_vk_heaps_charge(heaps, more, err);
}

static uint64_t shader_cost(const struct gv_spirv_checked *checked)
{
    return COST + (uint64_t)checked->code_count * 4;
}

bool gv_do_shader_create(struct gv_runtime *rt, const struct gv_args_shader_create *a,
                         uint64_t *result, struct gv_error *err)
{
    const struct gv_spirv_checked *checked =
        gv_spirv_check(rt->pipelines->checker, a->spirv.data, a->size.u, err);
    if (!checked || !charge_checker(rt->heaps, rt->pipelines, err))
        return false;
    struct gv_vk_shader *shader =
        gv_vk_object_create(rt, sizeof *shader, shader_cost(checked), 0, err);
    if (!shader)
        return false;
    if (!gv_vk_shader_init(rt->device, shader, checked, err)) {
        gv_vk_object_free(rt->heaps, shader, shader_cost(checked));
        return false;
    }
    gv_progress_alive(rt->commands->progress);
    *result = gv_handles_add(&rt->handles, GV_KIND_SHADER, shader, err);
    if (!*result)
        gv_vk_shader_free(rt->heaps, shader);
    return *result != 0;
}

bool gv_do_shader_destroy(struct gv_runtime *rt, const struct gv_args_shader_destroy *a,
                          uint64_t *result, struct gv_error *err)
{
    (void)result;
    if (!gv_handles_find(&rt->handles, GV_KIND_SHADER, a->shader.u, "shader", err))
        return false;
    gv_vk_shader_free(rt->heaps,
                      gv_handles_remove(&rt->handles, GV_KIND_SHADER, a->shader.u));
    return true;
}

void gv_vk_shader_free(struct gv_vk_heaps *heaps, void *object)
{
    struct gv_vk_shader *shader = object;
    vkDestroyShaderModule(heaps->device->handle, shader->handle, NULL);
    gv_vk_object_free(heaps, shader, shader_cost(shader->checked));
}
