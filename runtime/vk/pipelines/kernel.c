#include "runtime/vk/pipelines/kernel.h"

#include "resources/codec.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/commands.h"

#include <stdlib.h>

#define POOL_SETS 64

struct gv_vk_kernel_pool {
    VkDescriptorPool handle;
    uint32_t used;
};

// ---- kernels ----

static bool make_layouts(const struct gv_vk_device *device, struct gv_vk_kernel *kernel,
                         struct gv_error *err)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    if (!gv_vk_ok(vkCreateDescriptorSetLayout(device->handle, &set, NULL,
                                              &kernel->set_layout),
                  "vkCreateDescriptorSetLayout", err))
        return false;
    const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                        kernel->constants };
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &kernel->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return gv_vk_ok(
        vkCreatePipelineLayout(device->handle, &layout, NULL, &kernel->layout),
        "vkCreatePipelineLayout", err);
}

static bool make_pipeline_of(const struct gv_vk_device *device,
                             struct gv_vk_kernel *kernel, const uint32_t *words,
                             size_t size, struct gv_error *err)
{
    const VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = size,
        .pCode = words,
    };
    VkShaderModule module;
    if (!gv_vk_ok(vkCreateShaderModule(device->handle, &code, NULL, &module),
                  "vkCreateShaderModule", err))
        return false;
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .module = module,
            .pName = "main",
        },
        .layout = kernel->layout,
    };
    bool ok = gv_vk_ok(vkCreateComputePipelines(device->handle, device->pipeline_cache,
                                                1, &info, NULL, &kernel->pipeline),
                       "vkCreateComputePipelines", err);
    vkDestroyShaderModule(device->handle, module, NULL);
    return ok;
}

static bool make_pipeline(const struct gv_vk_device *device,
                          struct gv_vk_kernel *kernel, struct gv_vk_kernel_code code,
                          struct gv_error *err)
{
    const struct gv_span packed = { code.packed, code.packed_size };
    struct gv_codec_state *codec = gv_codec_create();
    uint32_t *words = malloc(code.size);
    bool ok = (codec && words) || gv_out_of_memory(err);
    ok = ok && gv_codec_decompress(codec, packed, words, code.size, err) &&
         make_pipeline_of(device, kernel, words, code.size, err);
    free(words);
    gv_codec_destroy(codec);
    return ok;
}

bool gv_vk_kernel_init(struct gv_runtime *rt, struct gv_vk_kernel *kernel,
                       struct gv_vk_kernel_code code, struct gv_error *err)
{
    kernel->constants = code.constants;
    if (make_layouts(rt->device, kernel, err) &&
        make_pipeline(rt->device, kernel, code, err))
        return true;
    gv_vk_kernel_finish(rt, kernel);
    return false;
}

static void free_pool(struct gv_runtime *rt, void *object)
{
    struct gv_vk_kernel_pool *pool = object;
    vkDestroyDescriptorPool(rt->device->handle, pool->handle, NULL);
    free(pool);
}

void gv_vk_kernel_finish(struct gv_runtime *rt, struct gv_vk_kernel *kernel)
{
    if (kernel->pool)
        free_pool(rt, kernel->pool);
    vkDestroyPipeline(rt->device->handle, kernel->pipeline, NULL);
    vkDestroyPipelineLayout(rt->device->handle, kernel->layout, NULL);
    vkDestroyDescriptorSetLayout(rt->device->handle, kernel->set_layout, NULL);
    *kernel = (struct gv_vk_kernel){ 0 };
}

static bool ready_pool(struct gv_runtime *rt, struct gv_vk_kernel *kernel,
                       struct gv_error *err)
{
    if (kernel->pool && kernel->pool->used < POOL_SETS)
        return true;
    if (kernel->pool)
        gv_vk_commands_defer(rt, free_pool, kernel->pool);
    kernel->pool = calloc(1, sizeof *kernel->pool);
    if (!kernel->pool)
        return gv_out_of_memory(err);
    const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, POOL_SETS };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = POOL_SETS,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    if (gv_vk_ok(vkCreateDescriptorPool(rt->device->handle, &info, NULL,
                                        &kernel->pool->handle),
                 "vkCreateDescriptorPool", err))
        return true;
    free(kernel->pool);
    kernel->pool = NULL;
    return false;
}

static bool make_set(struct gv_runtime *rt, struct gv_vk_kernel *kernel,
                     const VkDescriptorBufferInfo *range, VkDescriptorSet *set,
                     struct gv_error *err)
{
    if (!ready_pool(rt, kernel, err))
        return false;
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = kernel->pool->handle,
        .descriptorSetCount = 1,
        .pSetLayouts = &kernel->set_layout,
    };
    if (!gv_vk_ok(vkAllocateDescriptorSets(rt->device->handle, &info, set),
                  "vkAllocateDescriptorSets", err))
        return false;
    kernel->pool->used++;
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = *set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = range,
    };
    vkUpdateDescriptorSets(rt->device->handle, 1, &write, 0, NULL);
    return true;
}

bool gv_vk_kernel_run(struct gv_runtime *rt, struct gv_vk_kernel *kernel,
                      const struct gv_vk_kernel_job *job, struct gv_error *err)
{
    VkDescriptorSet set;
    VkCommandBuffer commands = rt->commands->buffer;
    const VkDescriptorBufferInfo range = { job->buffer, 0, job->size };
    if (!make_set(rt, kernel, &range, &set, err))
        return false;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0,
                            1, &set, 0, NULL);
    vkCmdPushConstants(commands, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       kernel->constants, job->constants);
    vkCmdDispatch(commands, job->groups, 1, 1);
    rt->above.compute_lost(rt);
    return true;
}

// ---- scratch buffers ----

static void free_scratch(struct gv_runtime *rt, void *object)
{
    struct gv_vk_scratch *scratch = object;
    gv_vk_scratch_finish(rt->heaps, scratch);
    free(scratch);
}

void gv_vk_scratch_finish(struct gv_vk_heaps *heaps, struct gv_vk_scratch *scratch)
{
    vkDestroyBuffer(heaps->device->handle, scratch->handle, NULL);
    gv_vk_memory_free(heaps, &scratch->memory);
    *scratch = (struct gv_vk_scratch){ 0 };
}

static bool make_scratch(struct gv_vk_heaps *heaps, struct gv_vk_scratch *scratch,
                         VkBufferUsageFlags usage, struct gv_error *err)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = scratch->size,
        .usage = usage,
    };
    if (!gv_vk_ok(vkCreateBuffer(heaps->device->handle, &info, NULL, &scratch->handle),
                  "vkCreateBuffer", err))
        return false;
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(heaps->device->handle, scratch->handle, &needs);
    return gv_vk_memory_alloc(heaps, &needs, GV_VK_MEMORY_DEVICE, true,
                              &scratch->memory, err) &&
           gv_vk_ok(vkBindBufferMemory(heaps->device->handle, scratch->handle,
                                       scratch->memory.handle, scratch->memory.offset),
                    "vkBindBufferMemory", err);
}

bool gv_vk_scratch_reserve(struct gv_runtime *rt, struct gv_vk_scratch *scratch,
                           VkDeviceSize size, VkBufferUsageFlags usage,
                           struct gv_error *err)
{
    if (scratch->size >= size)
        return true;
    if (scratch->handle) {
        struct gv_vk_scratch *old = malloc(sizeof *old);
        if (!old)
            return gv_out_of_memory(err);
        *old = *scratch;
        *scratch = (struct gv_vk_scratch){ 0 };
        gv_vk_commands_defer(rt, free_scratch, old);
    }
    scratch->size = 4096;
    while (scratch->size < size)
        scratch->size *= 2;
    if (make_scratch(rt->heaps, scratch, usage, err))
        return true;
    gv_vk_scratch_finish(rt->heaps, scratch);
    return false;
}

void gv_vk_scratch_order(struct gv_vk_commands *commands, VkPipelineStageFlags2 from,
                         VkAccessFlags2 written, VkPipelineStageFlags2 to,
                         VkAccessFlags2 access)
{
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = from,
        .srcAccessMask = written,
        .dstStageMask = to,
        .dstAccessMask = access,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(commands->buffer, &info);
}
