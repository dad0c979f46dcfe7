// Points and lines of other sizes than one pixel on a device that tells of none: some
// devices draw them as they like.
#include "tests/layers/hide/hide_dispatch.h"
#include "vm/spirv/point_size.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct gv_hide_module {
    struct gv_hide_module *next;
    VkShaderModule handle;
    uint32_t traits; // gv_point_traits
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool hides(const struct gv_hide_device *d, const char *feature)
{
    return d->instance->rules.features[gv_hide_find_feature(feature)];
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_module(VkDevice handle, const VkShaderModuleCreateInfo *info,
              const VkAllocationCallbacks *callbacks, VkShaderModule *module)
{
    struct gv_hide_device *d = gv_hide_device_of(handle);
    VkResult result = d->CreateShaderModule(handle, info, callbacks, module);
    struct gv_hide_module *m = calloc(1, sizeof *m);
    if (result != VK_SUCCESS || !m) {
        free(m);
        return result;
    }
    m->handle = *module;
    m->traits = gv_point_traits(info->pCode, info->codeSize);
    pthread_mutex_lock(&lock);
    m->next = d->modules;
    d->modules = m;
    pthread_mutex_unlock(&lock);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_module(VkDevice handle, VkShaderModule module,
                                                 const VkAllocationCallbacks *callbacks)
{
    struct gv_hide_device *d = gv_hide_device_of(handle);
    pthread_mutex_lock(&lock);
    struct gv_hide_module **at = &d->modules;
    while (*at && (*at)->handle != module)
        at = &(*at)->next;
    struct gv_hide_module *m = *at;
    if (m)
        *at = m->next;
    pthread_mutex_unlock(&lock);
    free(m);
    d->DestroyShaderModule(handle, module, callbacks);
}

static uint32_t traits_of(const struct gv_hide_device *d, VkShaderModule module)
{
    pthread_mutex_lock(&lock);
    const struct gv_hide_module *m = d->modules;
    while (m && m->handle != module)
        m = m->next;
    uint32_t traits = m ? m->traits : 0;
    pthread_mutex_unlock(&lock);
    return traits;
}

static void check_points(const struct gv_hide_device *d,
                         const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineShaderStageCreateInfo *last = NULL;
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (info->pStages[i].stage != VK_SHADER_STAGE_FRAGMENT_BIT &&
            (!last || info->pStages[i].stage > last->stage))
            last = &info->pStages[i];
    if (!last || info->pRasterizationState->rasterizerDiscardEnable)
        return;
    uint32_t traits = traits_of(d, last->module);
    bool points =
        last->stage == VK_SHADER_STAGE_VERTEX_BIT
            ? info->pInputAssemblyState->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST
            : (traits & GV_POINTS_MADE) != 0;
    if (points && (traits & GV_POINTS_SIZED))
        gv_hide_broken("points of other sizes without largePoints");
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_pipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                 const VkGraphicsPipelineCreateInfo *infos,
                 const VkAllocationCallbacks *callbacks, VkPipeline *pipelines)
{
    struct gv_hide_device *d = gv_hide_device_of(handle);
    for (uint32_t i = 0; hides(d, "largePoints") && i < count; i++)
        check_points(d, &infos[i]);
    return d->CreateGraphicsPipelines(handle, cache, count, infos, callbacks,
                                      pipelines);
}

static VKAPI_ATTR void VKAPI_CALL set_line_width(VkCommandBuffer commands, float width)
{
    struct gv_hide_device *d = gv_hide_device_of(commands);
    if (width != 1 && hides(d, "wideLines"))
        gv_hide_broken("a line width of %g without wideLines", (double)width);
    d->CmdSetLineWidth(commands, width);
}

PFN_vkVoidFunction gv_hide_draw_call(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction call;
    } rows[] = {
        { "vkCreateShaderModule", (PFN_vkVoidFunction)create_module },
        { "vkDestroyShaderModule", (PFN_vkVoidFunction)destroy_module },
        { "vkCreateGraphicsPipelines", (PFN_vkVoidFunction)create_pipelines },
        { "vkCmdSetLineWidth", (PFN_vkVoidFunction)set_line_width },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].call;
    return NULL;
}
