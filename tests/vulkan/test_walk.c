// Calls of Vulkan by hand: what the walk refuses, leaves out by name, or lets pass.
#include "compiler/vulkan/vulkan.h"
#include "tests/compiler/builder_probe.h"
#include "tests/shaders/sixteen.spv.h"
#include "tests/test.h"

enum { INSTANCE = 1, GPU, DEVICE, QUEUE, POOL, COMMANDS, SECOND, BUFFER, OTHER, THIRD };

#define ID(type, number) ((type)(uintptr_t)(number))

struct scene {
    struct probe probe;
    struct gv_arena arena;
    struct gv_vulkan *vulkan;
    uint64_t block;
    struct gv_error err;
    bool ok;
};

static struct gv_vk_place next_place(struct scene *s)
{
    const uint64_t block = s->block++;
    return (struct gv_vk_place){ .offset = 10 * block, .block = block };
}

static void call(struct scene *s, enum gv_vk_function function, const void *args)
{
    const struct gv_vk_call c = { .function = function,
                                  .args = args,
                                  .place = next_place(s) };
    s->ok = s->ok && gv_vulkan_call(s->vulkan, &c, &s->err);
}

#define CALL(s, name, ...) \
    call((s), GV_VK_##name, &(const struct gv_vk_args_##name){ __VA_ARGS__ })

static void make_buffer_of(struct scene *s, uint64_t id, VkBufferUsageFlags usage,
                           VkBufferCreateFlags flags)
{
    const VkBufferCreateInfo info = { .flags = flags, .size = 64, .usage = usage };
    VkBuffer buffer = ID(VkBuffer, id);
    CALL(s, vkCreateBuffer, .device = ID(VkDevice, DEVICE), .pCreateInfo = &info,
         .pBuffer = &buffer);
}

static void make_buffer(struct scene *s, uint64_t id, VkBufferUsageFlags usage)
{
    make_buffer_of(s, id, usage, 0);
}

static void make_commands(struct scene *s, uint64_t id, VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = { .commandPool = ID(VkCommandPool, POOL),
                                               .level = level,
                                               .commandBufferCount = 1 };
    VkCommandBuffer commands = ID(VkCommandBuffer, id);
    CALL(s, vkAllocateCommandBuffers, .device = ID(VkDevice, DEVICE),
         .pAllocateInfo = &info, .pCommandBuffers = &commands);
}

static void start(struct scene *s)
{
    static const struct gv_compile_params compile = { .memory_limit = 32 << 20 };
    VkInstance instance = ID(VkInstance, INSTANCE);
    VkPhysicalDevice gpu = ID(VkPhysicalDevice, GPU);
    VkDevice device = ID(VkDevice, DEVICE);
    VkQueue queue = ID(VkQueue, QUEUE);
    VkCommandPool pool = ID(VkCommandPool, POOL);
    uint32_t one = 1;
    *s = (struct scene){ .ok = true };
    probe_begin(&s->probe, false, 1);
    s->vulkan = gv_vulkan_create(
        &(struct gv_vulkan_params){
            .compile = &compile, .arena = &s->arena, .builder = s->probe.builder },
        &s->err);
    CHECK(s->vulkan);
    CALL(s, vkCreateInstance, .pInstance = &instance);
    CALL(s, vkEnumeratePhysicalDevices, .instance = instance,
         .pPhysicalDeviceCount = &one, .pPhysicalDevices = &gpu);
    CALL(s, vkCreateDevice, .physicalDevice = gpu, .pDevice = &device);
    CALL(s, vkGetDeviceQueue, .device = device, .pQueue = &queue);
    CALL(s, vkCreateCommandPool, .device = device, .pCommandPool = &pool);
    make_commands(s, COMMANDS, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    make_commands(s, SECOND, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    make_buffer(s, BUFFER, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    make_buffer(s, OTHER,
                VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                    VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                    VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
}

static void submit(struct scene *s)
{
    VkCommandBuffer commands = ID(VkCommandBuffer, COMMANDS);
    const VkSubmitInfo info = { .commandBufferCount = 1, .pCommandBuffers = &commands };
    CALL(s, vkQueueSubmit, .queue = ID(VkQueue, QUEUE), .submitCount = 1,
         .pSubmits = &info);
}

// ---- what the rows do ----

static void copy(struct scene *s, uint64_t from, uint64_t size)
{
    const VkBufferCopy region = { .size = size };
    CALL(s, vkCmdCopyBuffer, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .srcBuffer = ID(VkBuffer, from), .dstBuffer = ID(VkBuffer, BUFFER),
         .regionCount = 1, .pRegions = &region);
}

static void copies(struct scene *s)
{
    copy(s, OTHER, 16);
    submit(s);
}

static void copies_unknown(struct scene *s)
{
    copy(s, 77, 16);
    submit(s);
}

static void copies_memory(struct scene *s)
{
    copy(s, POOL, 16);
    submit(s);
}

static void copies_past_end(struct scene *s)
{
    copy(s, OTHER, 65);
    submit(s);
}

// Never submitted, so it is no harm.
static void records_unknown(struct scene *s)
{
    copy(s, 77, 16);
}

// Recorded before a begin, so it is gone.
static void begins_again(struct scene *s)
{
    const VkCommandBufferBeginInfo info = { .flags = 0 };
    copy(s, 77, 16);
    CALL(s, vkBeginCommandBuffer, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .pBeginInfo = &info);
    submit(s);
}

static void draws_outside(struct scene *s)
{
    CALL(s, vkCmdDraw, .commandBuffer = ID(VkCommandBuffer, COMMANDS), .vertexCount = 3,
         .instanceCount = 1);
    submit(s);
}

static void begin_rendering(struct scene *s, uint32_t views)
{
    const VkRenderingInfo info = { .renderArea = { { 0, 0 }, { 8, 8 } },
                                   .layerCount = 1,
                                   .viewMask = views };
    CALL(s, vkCmdBeginRendering, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .pRenderingInfo = &info);
}

static void copies_inside(struct scene *s)
{
    begin_rendering(s, 0);
    copy(s, OTHER, 16);
    submit(s);
}

static void begins_inside(struct scene *s)
{
    begin_rendering(s, 0);
    begin_rendering(s, 0);
    submit(s);
}

static void views(struct scene *s)
{
    begin_rendering(s, 0x80000005);
    CALL(s, vkCmdDrawMeshTasksEXT, .commandBuffer = ID(VkCommandBuffer, COMMANDS));
    CALL(s, vkCmdEndRendering, .commandBuffer = ID(VkCommandBuffer, COMMANDS));
    copy(s, OTHER, 16);
    submit(s);
}

// Its end is not where it began.
static void views_elsewhere(struct scene *s)
{
    VkCommandBuffer second = ID(VkCommandBuffer, SECOND);
    begin_rendering(s, 3);
    CALL(s, vkCmdEndRendering, .commandBuffer = second);
    CALL(s, vkCmdExecuteCommands, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .commandBufferCount = 1, .pCommandBuffers = &second);
    submit(s);
}

static void executes_itself(struct scene *s)
{
    VkCommandBuffer second = ID(VkCommandBuffer, SECOND);
    CALL(s, vkCmdExecuteCommands, .commandBuffer = second, .commandBufferCount = 1,
         .pCommandBuffers = &second);
    CALL(s, vkCmdExecuteCommands, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .commandBufferCount = 1, .pCommandBuffers = &second);
    submit(s);
}

// Lists that run lists, each a thousand times.
static void executes_much(struct scene *s)
{
    static VkCommandBuffer many[1000], more[1000];
    make_commands(s, THIRD, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    for (uint32_t i = 0; i < 1000; i++) {
        many[i] = ID(VkCommandBuffer, SECOND);
        more[i] = ID(VkCommandBuffer, THIRD);
    }
    CALL(s, vkCmdExecuteCommands, .commandBuffer = ID(VkCommandBuffer, SECOND),
         .commandBufferCount = 1000, .pCommandBuffers = more);
    CALL(s, vkCmdExecuteCommands, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .commandBufferCount = 1000, .pCommandBuffers = many);
    submit(s);
}

static void copies_sparse(struct scene *s)
{
    make_buffer_of(s, THIRD, 0, VK_BUFFER_CREATE_SPARSE_BINDING_BIT);
    copy(s, THIRD, 16);
    submit(s);
}

static void imports(struct scene *s)
{
    const VkImportMemoryFdInfoKHR from = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR
    };
    const VkMemoryAllocateInfo info = { .pNext = &from, .allocationSize = 64 };
    VkDeviceMemory memory = ID(VkDeviceMemory, THIRD);
    CALL(s, vkAllocateMemory, .device = ID(VkDevice, DEVICE), .pAllocateInfo = &info,
         .pMemory = &memory);
}

static void shares_swapchain(struct scene *s)
{
    const VkBindImageMemoryInfo info = { .image = ID(VkImage, THIRD) };
    CALL(s, vkBindImageMemory2, .device = ID(VkDevice, DEVICE), .bindInfoCount = 1,
         .pBindInfos = &info);
}

static void bind_pipeline(struct scene *s, uint64_t id, VkPipelineBindPoint point)
{
    CALL(s, vkCmdBindPipeline, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .pipelineBindPoint = point, .pipeline = ID(VkPipeline, id));
}

// No pipeline of this kind is known: nobody made one.
static void binds_rays(struct scene *s)
{
    bind_pipeline(s, 77, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
    copy(s, OTHER, 16);
    submit(s);
}

static void draw_with(struct scene *s, const VkGraphicsPipelineCreateInfo *info)
{
    VkPipeline pipeline = ID(VkPipeline, THIRD);
    CALL(s, vkCreateGraphicsPipelines, .device = ID(VkDevice, DEVICE),
         .createInfoCount = 1, .pCreateInfos = info, .pPipelines = &pipeline);
    begin_rendering(s, 0);
    bind_pipeline(s, THIRD, VK_PIPELINE_BIND_POINT_GRAPHICS);
    CALL(s, vkCmdDraw, .commandBuffer = ID(VkCommandBuffer, COMMANDS), .vertexCount = 3,
         .instanceCount = 1);
    submit(s);
}

// Images that are made after the snapshot get nothing out of memory.

// A part of a pipeline has neither a layout nor shaders.
static void draws_library(struct scene *s)
{
    draw_with(s, &(VkGraphicsPipelineCreateInfo){
                     .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR });
}

static void draw_laid_out(struct scene *s, VkGraphicsPipelineCreateInfo info)
{
    const VkPipelineLayoutCreateInfo layout = { .setLayoutCount = 0 };
    info.layout = ID(VkPipelineLayout, THIRD + 1);
    CALL(s, vkCreatePipelineLayout, .device = ID(VkDevice, DEVICE),
         .pCreateInfo = &layout, .pPipelineLayout = &info.layout);
    draw_with(s, &info);
}

static void draws_rectangles(struct scene *s)
{
    const VkPipelineDiscardRectangleStateCreateInfoEXT state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT,
        .discardRectangleCount = 1
    };
    draw_laid_out(s, (VkGraphicsPipelineCreateInfo){ .pNext = &state });
}

static void draws_rates(struct scene *s)
{
    const VkPipelineFragmentShadingRateStateCreateInfoKHR state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR,
        .fragmentSize = { 2, 1 }
    };
    draw_laid_out(s, (VkGraphicsPipelineCreateInfo){ .pNext = &state });
}

static void draws_locations(struct scene *s)
{
    const VkPipelineSampleLocationsStateCreateInfoEXT locations = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
        .sampleLocationsEnable = VK_TRUE
    };
    const VkPipelineMultisampleStateCreateInfo state = { .pNext = &locations };
    draw_laid_out(s, (VkGraphicsPipelineCreateInfo){ .pMultisampleState = &state });
}

static void draws_deep(struct scene *s)
{
    const VkViewport viewport = { 0, 0, 8, 8, 0, 2 };
    const VkPipelineViewportStateCreateInfo state = { .viewportCount = 1,
                                                      .pViewports = &viewport };
    draw_laid_out(s, (VkGraphicsPipelineCreateInfo){ .pViewportState = &state });
}

static void snapshot(struct scene *s, bool begins)
{
    const struct gv_vk_place place = next_place(s);
    s->ok = s->ok && gv_vulkan_snapshot(s->vulkan, begins, &place, &s->err);
}

static void fills_image(struct scene *s)
{
    const uint64_t id = THIRD + 1;
    const VkMemoryAllocateInfo room = { .allocationSize = 65536 };
    const VkImageCreateInfo info = { .imageType = VK_IMAGE_TYPE_2D,
                                     .format = VK_FORMAT_R8G8B8A8_UNORM,
                                     .extent = { 8, 8, 1 },
                                     .mipLevels = 1,
                                     .arrayLayers = 1,
                                     .samples = VK_SAMPLE_COUNT_1_BIT };
    VkDeviceMemory memory = ID(VkDeviceMemory, THIRD);
    VkImage image = ID(VkImage, id);
    snapshot(s, true);
    snapshot(s, false);
    CALL(s, vkAllocateMemory, .device = ID(VkDevice, DEVICE), .pAllocateInfo = &room,
         .pMemory = &memory);
    CALL(s, vkCreateImage, .device = ID(VkDevice, DEVICE), .pCreateInfo = &info,
         .pImage = &image);
    CALL(s, vkBindImageMemory, .device = ID(VkDevice, DEVICE), .image = image,
         .memory = memory);
    CALL(s, vkMapMemory, .device = ID(VkDevice, DEVICE), .memory = memory,
         .size = 65536);
    const struct gv_vulkan_fill fill = { .memory = THIRD,
                                         .bytes = { (const uint8_t *)"x", 1 },
                                         .place = next_place(s) };
    s->ok = s->ok && gv_vulkan_fill(s->vulkan, &fill, &s->err);
}

// A timeline semaphore that begins at 1.
#define TIMELINE (THIRD + 2)

static void make_timeline(struct scene *s)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
        .initialValue = 1,
    };
    const VkSemaphoreCreateInfo info = { .pNext = &type };
    VkSemaphore semaphore = ID(VkSemaphore, TIMELINE);
    CALL(s, vkCreateSemaphore, .device = ID(VkDevice, DEVICE), .pCreateInfo = &info,
         .pSemaphore = &semaphore);
}

// A submit without command buffers that waits for a value and signals one.
static void passes(struct scene *s, uint64_t wait, uint64_t signal)
{
    VkSemaphore semaphore = ID(VkSemaphore, TIMELINE);
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &wait,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &signal,
    };
    const VkSubmitInfo info = { .pNext = &values,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &semaphore,
                                .signalSemaphoreCount = 1,
                                .pSignalSemaphores = &semaphore };
    CALL(s, vkQueueSubmit, .queue = ID(VkQueue, QUEUE), .submitCount = 1,
         .pSubmits = &info);
}

static void passes2(struct scene *s, uint64_t wait, uint64_t signal)
{
    const VkSemaphoreSubmitInfo waits = { .semaphore = ID(VkSemaphore, TIMELINE),
                                          .value = wait },
                                signals = { .semaphore = ID(VkSemaphore, TIMELINE),
                                            .value = signal };
    const VkSubmitInfo2 info = { .waitSemaphoreInfoCount = 1,
                                 .pWaitSemaphoreInfos = &waits,
                                 .signalSemaphoreInfoCount = 1,
                                 .pSignalSemaphoreInfos = &signals };
    CALL(s, vkQueueSubmit2, .queue = ID(VkQueue, QUEUE), .submitCount = 1,
         .pSubmits = &info);
}

static void waits_in_order(struct scene *s)
{
    make_timeline(s);
    passes(s, 1, 2);
    passes2(s, 2, 3);
    const VkSemaphoreSignalInfo info = { .semaphore = ID(VkSemaphore, TIMELINE),
                                         .value = 4 };
    CALL(s, vkSignalSemaphore, .device = ID(VkDevice, DEVICE), .pSignalInfo = &info);
    passes(s, 4, 5);
    passes(s, 3, 6);
    CALL(s, vkDestroySemaphore, .device = ID(VkDevice, DEVICE),
         .semaphore = ID(VkSemaphore, TIMELINE));
    passes(s, 9, 10);
}

static void waits_early(struct scene *s)
{
    make_timeline(s);
    passes(s, 3, 4);
    passes(s, 1, 3);
}

static void waits_early2(struct scene *s)
{
    make_timeline(s);
    passes2(s, 2, 3);
    passes2(s, 1, 2);
}

static void clears_much(struct scene *s)
{
    static const VkClearAttachment attachments[10000];
    static const VkClearRect rects[10000];
    begin_rendering(s, 0);
    CALL(s, vkCmdClearAttachments, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .attachmentCount = 10000, .pAttachments = attachments, .rectCount = 10000,
         .pRects = rects);
    submit(s);
}

// Dispatches the shader of sixteen textures, of which its layout has `count`.
static void samples(struct scene *s, uint32_t count)
{
    VkSampler sampler = ID(VkSampler, 40), samplers[16];
    VkShaderModule module = ID(VkShaderModule, 41);
    VkDescriptorSetLayout set = ID(VkDescriptorSetLayout, 42);
    VkPipelineLayout layout = ID(VkPipelineLayout, 43);
    VkPipeline pipeline = ID(VkPipeline, 44);
    for (uint32_t i = 0; i < 16; i++)
        samplers[i] = sampler;
    const VkShaderModuleCreateInfo code = { .codeSize = sizeof sixteen,
                                            .pCode = sixteen };
    const VkDescriptorSetLayoutBinding bindings[] = {
        { 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, count,
          VK_SHADER_STAGE_COMPUTE_BIT, samplers },
        { 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
    };
    const VkDescriptorSetLayoutCreateInfo sets = { .bindingCount = 2,
                                                   .pBindings = bindings };
    const VkPipelineLayoutCreateInfo layouts = { .setLayoutCount = 1,
                                                 .pSetLayouts = &set };
    const VkComputePipelineCreateInfo info = {
        .stage = { .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = module,
                   .pName = "main" },
        .layout = layout
    };
    VkCommandBuffer commands = ID(VkCommandBuffer, COMMANDS);
    CALL(s, vkCreateSampler, .pCreateInfo = &(const VkSamplerCreateInfo){ 0 },
         .pSampler = &sampler);
    CALL(s, vkCreateShaderModule, .pCreateInfo = &code, .pShaderModule = &module);
    CALL(s, vkCreateDescriptorSetLayout, .pCreateInfo = &sets, .pSetLayout = &set);
    CALL(s, vkCreatePipelineLayout, .pCreateInfo = &layouts,
         .pPipelineLayout = &layout);
    CALL(s, vkCreateComputePipelines, .createInfoCount = 1, .pCreateInfos = &info,
         .pPipelines = &pipeline);
    CALL(s, vkCmdBindPipeline, .commandBuffer = commands,
         .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE, .pipeline = pipeline);
    CALL(s, vkCmdDispatch, .commandBuffer = commands, .groupCountX = 1,
         .groupCountY = 1, .groupCountZ = 1);
    submit(s);
}

static void samples_all(struct scene *s)
{
    samples(s, 16);
}

static void samples_more(struct scene *s)
{
    samples(s, 1);
}

static void views_format(struct scene *s, VkFormat format)
{
    const VkBufferViewCreateInfo info = { .buffer = ID(VkBuffer, BUFFER),
                                          .format = format,
                                          .range = 16 };
    VkBufferView view = ID(VkBufferView, 50 + s->block);
    CALL(s, vkCreateBufferView, .pCreateInfo = &info, .pView = &view);
}

static void views_no_format(struct scene *s)
{
    views_format(s, (VkFormat)12345);
}

// A struct that changes what a view shows, behind one that does not.
static void views_chained(struct scene *s)
{
    const VkImageViewMinLodCreateInfoEXT lod = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT, .minLod = 1
    };
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .pNext = &lod
    };
    const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .pNext = &external,
                                      .size = 64 };
    VkBuffer buffer = ID(VkBuffer, 61);
    CALL(s, vkCreateBuffer, .device = ID(VkDevice, DEVICE), .pCreateInfo = &info,
         .pBuffer = &buffer);
}

// One that payloads lack, and an extension's that is newer than the registry.
static void views_other_formats(struct scene *s)
{
    views_format(s, VK_FORMAT_G8B8G8R8_422_UNORM);
    views_format(s, (VkFormat)1000990001);
}

// More than the limit of a compile, in updates that never run.
static void records_much(struct scene *s)
{
    static const uint8_t bytes[1 << 20];
    for (uint32_t i = 0; i < 40; i++)
        CALL(s, vkCmdUpdateBuffer, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
             .dstBuffer = ID(VkBuffer, BUFFER), .dataSize = sizeof bytes,
             .pData = bytes);
}

// What a begin forgets does not count.
static void records_again(struct scene *s)
{
    const VkCommandBufferBeginInfo info = { .flags = 0 };
    static const uint8_t bytes[1 << 20];
    for (uint32_t i = 0; i < 40; i++) {
        CALL(s, vkBeginCommandBuffer, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
             .pBeginInfo = &info);
        CALL(s, vkCmdUpdateBuffer, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
             .dstBuffer = ID(VkBuffer, BUFFER), .dataSize = sizeof bytes,
             .pData = bytes);
    }
}

// Two bytes far apart of a linear image whose rows are as long.
static void writes_rows(struct scene *s)
{
    static const uint8_t byte[1] = { 1 };
    const VkMemoryAllocateInfo size = { .allocationSize = UINT64_C(1) << 36 };
    const VkImageCreateInfo info = { .imageType = VK_IMAGE_TYPE_2D,
                                     .format = VK_FORMAT_R8G8B8A8_UNORM,
                                     .extent = { 16, 16, 1 },
                                     .mipLevels = 1,
                                     .arrayLayers = 1,
                                     .samples = VK_SAMPLE_COUNT_1_BIT,
                                     .tiling = VK_IMAGE_TILING_LINEAR,
                                     .usage = VK_IMAGE_USAGE_SAMPLED_BIT };
    VkDeviceMemory memory = ID(VkDeviceMemory, 50);
    VkImage image = ID(VkImage, 51);
    const VkImageSubresource sub = { .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT };
    VkSubresourceLayout layout = { .rowPitch = UINT32_MAX, .size = UINT64_C(1) << 36 };
    void *mapped = NULL;
    CALL(s, vkAllocateMemory, .pAllocateInfo = &size, .pMemory = &memory);
    CALL(s, vkMapMemory, .memory = memory, .size = VK_WHOLE_SIZE, .ppData = &mapped);
    CALL(s, vkCreateImage, .pCreateInfo = &info, .pImage = &image);
    CALL(s, vkGetImageSubresourceLayout, .image = image, .pSubresource = &sub,
         .pLayout = &layout);
    for (uint64_t at = 0; s->ok && at < size.allocationSize;
         at += size.allocationSize - 1) {
        const struct gv_vulkan_fill fill = {
            .memory = 50, .offset = at, .bytes = { byte, 1 }, .place = next_place(s)
        };
        s->ok = gv_vulkan_fill(s->vulkan, &fill, &s->err);
    }
    CALL(s, vkBindImageMemory, .image = image, .memory = memory);
}

static void makes_bindings(struct scene *s)
{
    static VkDescriptorSetLayoutBinding bindings[20000];
    const VkDescriptorSetLayoutCreateInfo info = { .bindingCount = 20000,
                                                   .pBindings = bindings };
    VkDescriptorSetLayout set = ID(VkDescriptorSetLayout, 42);
    for (uint32_t i = 0; i < 20000; i++)
        bindings[i].binding = i;
    CALL(s, vkCreateDescriptorSetLayout, .pCreateInfo = &info, .pSetLayout = &set);
}

static void traces_rays(struct scene *s)
{
    CALL(s, vkCmdTraceRaysIndirectKHR, .commandBuffer = ID(VkCommandBuffer, COMMANDS));
    submit(s);
}

static void frees_pool(struct scene *s)
{
    CALL(s, vkDestroyCommandPool, .device = ID(VkDevice, DEVICE),
         .commandPool = ID(VkCommandPool, POOL));
    submit(s);
}

static void uses_id_twice(struct scene *s)
{
    make_buffer(s, POOL, 0);
}

static void no_device(struct scene *s)
{
    const VkBufferCreateInfo info = { .size = 64 };
    VkBuffer buffer = ID(VkBuffer, 50);
    CALL(s, vkCreateBuffer, .device = ID(VkDevice, 99), .pCreateInfo = &info,
         .pBuffer = &buffer);
}

static void viewports(struct scene *s)
{
    static const VkViewport many[17];
    CALL(s, vkCmdSetViewport, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .firstViewport = UINT32_MAX, .viewportCount = 17, .pViewports = many);
    submit(s);
}

static void binds_sparse(struct scene *s)
{
    CALL(s, vkQueueBindSparse, .queue = ID(VkQueue, QUEUE));
}

static void make_queries(struct scene *s)
{
    const VkQueryPoolCreateInfo info = { .queryType = VK_QUERY_TYPE_OCCLUSION,
                                         .queryCount = 4 };
    VkQueryPool pool = ID(VkQueryPool, 60);
    CALL(s, vkCreateQueryPool, .device = ID(VkDevice, DEVICE), .pCreateInfo = &info,
         .pQueryPool = &pool);
}

// Queries that the program makes ready itself can be counted into.
// The fourth one counts, with `reset` or less of them ready.
static void count_queries(struct scene *s, uint32_t reset)
{
    make_queries(s);
    CALL(s, vkResetQueryPool, .device = ID(VkDevice, DEVICE),
         .queryPool = ID(VkQueryPool, 60), .firstQuery = 1, .queryCount = reset);
    CALL(s, vkCmdBeginQuery, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .queryPool = ID(VkQueryPool, 60), .query = 3);
    CALL(s, vkCmdEndQuery, .commandBuffer = ID(VkCommandBuffer, COMMANDS),
         .queryPool = ID(VkQueryPool, 60), .query = 3);
    submit(s);
}

static void resets_queries(struct scene *s)
{
    count_queries(s, 3);
}
static void begins_not_reset(struct scene *s)
{
    count_queries(s, 2);
}

static void resets_too_many(struct scene *s)
{
    make_queries(s);
    CALL(s, vkResetQueryPool, .device = ID(VkDevice, DEVICE),
         .queryPool = ID(VkQueryPool, 60), .firstQuery = 2, .queryCount = UINT32_MAX);
}

static const struct {
    const char *name;
    void (*run)(struct scene *s);
    enum gv_status status;
    const char *message; // part of it, or of what is unsupported first
    uint64_t unsupported;
} rows[] = {
    { "copy", copies, GV_OK, "", 0 },
    { "unknown id", copies_unknown, GV_ERR_FORMAT,
      "block 9, vkCmdCopyBuffer: id 77 is no buffer", 0 },
    { "id of another kind", copies_memory, GV_ERR_FORMAT, "id 5 is no buffer", 0 },
    { "past the end", copies_past_end, GV_OK, "", 1 },
    { "recorded alone", records_unknown, GV_OK, "", 0 },
    { "recorded again", begins_again, GV_OK, "", 0 },
    { "draw outside", draws_outside, GV_ERR_FORMAT, "outside of a render pass", 0 },
    { "copy inside", copies_inside, GV_ERR_FORMAT, "inside of a render pass", 0 },
    { "pass in a pass", begins_inside, GV_ERR_FORMAT, "inside of a render pass", 0 },
    { "views", views, GV_OK, "", 3 },
    { "views elsewhere", views_elsewhere, GV_ERR_FORMAT,
      "a pass of views began in another list", 0 },
    { "timeline in order", waits_in_order, GV_OK, "", 0 },
    { "timeline ahead", waits_early, GV_OK, "a later call signals", 1 },
    { "timeline ahead, 2", waits_early2, GV_OK, "a later call signals", 1 },
    { "circle of lists", executes_itself, GV_ERR_LIMIT, "nest deeper", 0 },
    { "lists of lists", executes_much, GV_ERR_LIMIT, "run more than", 0 },
    { "clears", clears_much, GV_ERR_LIMIT, "run more than", 0 },
    { "samplers", samples_all, GV_OK, "", 0 },
    { "more than the layout", samples_more, GV_ERR_FORMAT,
      "16 elements of binding 0 of set 0, its layout 1", 0 },
    { "no format", views_no_format, GV_ERR_FORMAT, "format 12345", 0 },
    { "unknown struct", views_chained, GV_OK, "VkImageViewMinLodCreateInfoEXT", 1 },
    { "other formats", views_other_formats, GV_OK, "", 2 },
    { "records much", records_much, GV_ERR_LIMIT, "(limit 33554432)", 0 },
    { "records again", records_again, GV_OK, "", 0 },
    { "long rows", writes_rows, GV_ERR_LIMIT, "(limit 33554432)", 0 },
    { "bindings", makes_bindings, GV_ERR_LIMIT, "20000 bindings", 0 },
    { "sparse buffer", copies_sparse, GV_OK, "", 1 },
    { "import", imports, GV_OK, "", 1 },
    { "swapchain's memory", shares_swapchain, GV_OK, "", 1 },
    { "rays", binds_rays, GV_OK, "", 1 },
    { "library", draws_library, GV_OK, "pipeline libraries", 2 },
    { "rectangles", draws_rectangles, GV_OK, "discard rectangles", 2 },
    { "rates", draws_rates, GV_OK, "fragment shading rates", 2 },
    { "locations", draws_locations, GV_OK, "sample locations", 2 },
    { "deep", draws_deep, GV_OK, "viewports deeper", 1 },
    { "fill of an image", fills_image, GV_OK, "", 0 },
    { "other command", traces_rays, GV_OK, "", 1 },
    { "pool gone", frees_pool, GV_ERR_FORMAT, "id 6 is no command buffer", 0 },
    { "id in use", uses_id_twice, GV_ERR_FORMAT, "id 5 is in use", 0 },
    { "no device", no_device, GV_ERR_FORMAT, "id 99 is no device", 0 },
    { "sparse", binds_sparse, GV_OK, "", 1 },
    { "queries", resets_queries, GV_OK, "", 0 },
    { "a query that was not reset", begins_not_reset, GV_OK, "never reset", 1 },
    { "too many queries", resets_too_many, GV_ERR_FORMAT, "queries 2+4294967295 of 4",
      0 },
    { "viewports", viewports, GV_ERR_LIMIT, "17 viewports", 0 },
};

// A call that failed makes nothing: its id is free.
static void test_failed(void)
{
    struct scene s;
    const VkBufferCreateInfo info = { .size = 64 };
    VkBuffer buffer = ID(VkBuffer, 50);
    const struct gv_vk_args_vkCreateBuffer args = { .device = ID(VkDevice, DEVICE),
                                                    .pCreateInfo = &info,
                                                    .pBuffer = &buffer };
    start(&s);
    const struct gv_vk_call failed = { .function = GV_VK_vkCreateBuffer,
                                       .args = &args,
                                       .result = VK_ERROR_OUT_OF_DEVICE_MEMORY };
    CHECK(gv_vulkan_call(s.vulkan, &failed, &s.err));
    make_buffer(&s, 50, 0);
    CHECK(s.ok);
    gv_vulkan_destroy(s.vulkan);
    probe_end(&s.probe);
    probe_finish(&s.probe);
    gv_arena_finish(&s.arena);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        start(&s);
        CHECK_ROW(rows[i].name, s.ok);
        rows[i].run(&s);
        s.ok = s.ok && gv_vulkan_finish(s.vulkan, &s.err);
        CHECK_ROW(rows[i].name, s.err.status == rows[i].status);
        CHECK_ROW(rows[i].name, s.ok || strstr(s.err.message, rows[i].message));
        gv_vulkan_destroy(s.vulkan);
        const bool finished = probe_end(&s.probe);
        CHECK_ROW(rows[i].name, !s.ok || finished);
        CHECK_ROW(rows[i].name,
                  !s.ok || !rows[i].unsupported ||
                      strstr(s.probe.payload.diagnostics[0].text, rows[i].message));
        CHECK_ROW(rows[i].name,
                  !s.ok || s.probe.totals.unsupported == rows[i].unsupported);
        // A command has the number of its block: places are ten bytes each
        // (next_place).
        CHECK_ROW(rows[i].name, !s.ok || !rows[i].unsupported ||
                                    10 * s.probe.payload.diagnostics[0].command ==
                                        s.probe.payload.diagnostics[0].offset);
        probe_finish(&s.probe);
        gv_arena_finish(&s.arena);
    }
    test_failed();
    return TEST_RESULT();
}
