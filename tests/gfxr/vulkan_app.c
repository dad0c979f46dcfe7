#include "tests/gfxr/vulkan_app.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/gfxr/scene_quad_vert.spv.h"

void app_check(VkResult result, const char *what)
{
    if (result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR)
        return;
    fprintf(stderr, "vulkan_scenes: %s: %d\n", what, result);
    exit(EXIT_FAILURE);
}

// ---- the device and the window ----

static void open_device(struct app *app)
{
    static const char *const instance_extensions[] = {
        VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_XLIB_SURFACE_EXTENSION_NAME
    };
    static const char *const extensions[] = {
        VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME
    };
    const VkApplicationInfo about = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                      .apiVersion = VK_API_VERSION_1_3 };
    const VkInstanceCreateInfo instance = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &about,
        .enabledExtensionCount = 2,
        .ppEnabledExtensionNames = instance_extensions,
    };
    uint32_t one = 1;
    app_check(vkCreateInstance(&instance, NULL, &app->instance), "vkCreateInstance");
    vkEnumeratePhysicalDevices(app->instance, &one, &app->physical);
    app_check(one == 1 ? VK_SUCCESS : VK_ERROR_UNKNOWN, "vkEnumeratePhysicalDevices");
    VkPhysicalDeviceDepthClipControlFeaturesEXT clip = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT,
        .depthClipControl = VK_TRUE,
    };
    VkPhysicalDeviceVulkan11Features views = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .pNext = &clip,
        .multiview = VK_TRUE,
    };
    VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = &views,
        .dynamicRendering = VK_TRUE,
        .maintenance4 = VK_TRUE, // for workgroups of constants
    };
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkPhysicalDeviceFeatures used = { .multiDrawIndirect = VK_TRUE };
    const VkDeviceCreateInfo device = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = 2,
        .ppEnabledExtensionNames = extensions,
        .pEnabledFeatures = &used,
    };
    app_check(vkCreateDevice(app->physical, &device, NULL, &app->device),
              "vkCreateDevice");
    vkGetDeviceQueue(app->device, 0, 0, &app->queue);
}

static VkImageView view_of(struct app *app, VkImage image, VkFormat format,
                           VkImageAspectFlags aspect)
{
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = { aspect, 0, 1, 0, 1 },
    };
    VkImageView view;
    app_check(vkCreateImageView(app->device, &info, NULL, &view), "vkCreateImageView");
    return view;
}

static void open_swapchain(struct app *app, uint32_t width, uint32_t height)
{
    const VkSwapchainCreateInfoKHR chain = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = app->surface,
        .minImageCount = 3,
        .imageFormat = app->format,
        .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
        .imageExtent = { width, height },
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                      VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .oldSwapchain = app->swapchain,
    };
    VkSwapchainKHR old = app->swapchain;
    app_check(vkCreateSwapchainKHR(app->device, &chain, NULL, &app->swapchain),
              "vkCreateSwapchainKHR");
    vkDestroySwapchainKHR(app->device, old, NULL);
    app->image_count = APP_MOST_IMAGES;
    app_check(vkGetSwapchainImagesKHR(app->device, app->swapchain, &app->image_count,
                                      app->images),
              "vkGetSwapchainImagesKHR");
    for (uint32_t i = 0; i < app->image_count; i++)
        app->views[i] =
            view_of(app, app->images[i], app->format, VK_IMAGE_ASPECT_COLOR_BIT);
}

static void open_window(struct app *app)
{
    app->display = XOpenDisplay(NULL);
    app_check(app->display ? VK_SUCCESS : VK_ERROR_UNKNOWN, "XOpenDisplay");
    app->window = XCreateSimpleWindow(app->display, DefaultRootWindow(app->display), 0,
                                      0, APP_SIZE, APP_SIZE, 0, 0, 0);
    XMapWindow(app->display, app->window);
    XSync(app->display, False);
    const VkXlibSurfaceCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR,
        .dpy = app->display,
        .window = app->window,
    };
    VkBool32 shown = VK_FALSE;
    app_check(vkCreateXlibSurfaceKHR(app->instance, &info, NULL, &app->surface),
              "vkCreateXlibSurfaceKHR");
    vkGetPhysicalDeviceSurfaceSupportKHR(app->physical, 0, app->surface, &shown);
    app_check(shown ? VK_SUCCESS : VK_ERROR_UNKNOWN, "a queue that presents");
    app->format = VK_FORMAT_B8G8R8A8_UNORM;
    open_swapchain(app, APP_SIZE, APP_SIZE);
}

void app_resize(struct app *app, uint32_t width, uint32_t height)
{
    vkDeviceWaitIdle(app->device);
    for (uint32_t i = 0; i < app->image_count; i++)
        vkDestroyImageView(app->device, app->views[i], NULL);
    XResizeWindow(app->display, app->window, width, height);
    XSync(app->display, False);
    open_swapchain(app, width, height);
}

VkCommandBuffer app_commands(struct app *app, VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = app->pool,
        .level = level,
        .commandBufferCount = 1,
    };
    VkCommandBuffer made;
    app_check(vkAllocateCommandBuffers(app->device, &info, &made),
              "vkAllocateCommandBuffers");
    return made;
}

void app_open(struct app *app)
{
    *app = (struct app){ 0 };
    open_device(app);
    open_window(app);
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
    };
    const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
    app_check(vkCreateCommandPool(app->device, &pool, NULL, &app->pool),
              "vkCreateCommandPool");
    app->commands = app_commands(app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    app_check(vkCreateFence(app->device, &fence, NULL, &app->fence), "vkCreateFence");
}

// The process ends, and its objects with it.
void app_close(struct app *app)
{
    vkDeviceWaitIdle(app->device);
    vkDestroyFence(app->device, app->fence, NULL);
    vkDestroyCommandPool(app->device, app->pool, NULL);
    vkDestroySwapchainKHR(app->device, app->swapchain, NULL);
}

// ---- frames ----

static void begin_commands(struct app *app)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
    };
    app_check(vkBeginCommandBuffer(app->commands, &info), "vkBeginCommandBuffer");
}

void app_acquire(struct app *app)
{
    app_check(vkAcquireNextImageKHR(app->device, app->swapchain, UINT64_MAX,
                                    VK_NULL_HANDLE, app->fence, &app->image),
              "vkAcquireNextImageKHR");
    vkWaitForFences(app->device, 1, &app->fence, VK_TRUE, UINT64_MAX);
    vkResetFences(app->device, 1, &app->fence);
}

void app_begin(struct app *app)
{
    app_acquire(app);
    begin_commands(app);
    app_barrier(app, app->images[app->image], VK_IMAGE_LAYOUT_UNDEFINED,
                VK_IMAGE_LAYOUT_GENERAL);
}

static void run(struct app *app)
{
    const VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &app->commands };
    app_check(vkEndCommandBuffer(app->commands), "vkEndCommandBuffer");
    app_check(vkQueueSubmit(app->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    app_check(vkQueueWaitIdle(app->queue), "vkQueueWaitIdle");
}

void app_submit(struct app *app)
{
    run(app);
    begin_commands(app);
}

void app_present(struct app *app)
{
    const VkPresentInfoKHR info = { .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                    .swapchainCount = 1,
                                    .pSwapchains = &app->swapchain,
                                    .pImageIndices = &app->image };
    app_check(vkQueuePresentKHR(app->queue, &info), "vkQueuePresentKHR");
}

void app_end(struct app *app)
{
    app_barrier(app, app->images[app->image], VK_IMAGE_LAYOUT_GENERAL,
                VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    run(app);
    app_present(app);
}

void app_begin_rendering(struct app *app, float grey)
{
    const VkRenderingAttachmentInfo colour = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = app->views[app->image],
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = { .color = { .float32 = { grey, grey, grey, 1 } } },
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = { .extent = { APP_SIZE, APP_SIZE } },
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &colour,
    };
    vkCmdBeginRendering(app->commands, &info);
}

void app_end_rendering(struct app *app)
{
    vkCmdEndRendering(app->commands);
}

void app_barrier(struct app *app, VkImage image, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                              VK_REMAINING_ARRAY_LAYERS },
    };
    vkCmdPipelineBarrier(app->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
                         &barrier);
}

// ---- memory ----

static VkDeviceMemory allocate(struct app *app, const VkMemoryRequirements *needs,
                               VkDeviceSize offset, VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties all;
    VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .allocationSize = needs->size + offset };
    VkDeviceMemory memory;
    vkGetPhysicalDeviceMemoryProperties(app->physical, &all);
    while (info.memoryTypeIndex < all.memoryTypeCount &&
           (!(needs->memoryTypeBits >> info.memoryTypeIndex & 1) ||
            (all.memoryTypes[info.memoryTypeIndex].propertyFlags & flags) != flags))
        info.memoryTypeIndex++;
    app_check(vkAllocateMemory(app->device, &info, NULL, &memory), "vkAllocateMemory");
    return memory;
}

struct app_buffer app_buffer(struct app *app, VkDeviceSize size,
                             VkBufferUsageFlags usage, VkDeviceSize offset)
{
    struct app_buffer b = { .size = size };
    const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = size,
                                      .usage = usage };
    VkMemoryRequirements needs;
    app_check(vkCreateBuffer(app->device, &info, NULL, &b.buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(app->device, b.buffer, &needs);
    b.memory = allocate(app, &needs, offset,
                        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    app_check(vkBindBufferMemory(app->device, b.buffer, b.memory, offset),
              "vkBindBufferMemory");
    app_check(vkMapMemory(app->device, b.memory, offset, size, 0, &b.data),
              "vkMapMemory");
    return b;
}

struct app_image app_image_of(struct app *app, const VkImageCreateInfo *info)
{
    struct app_image i = { 0 };
    VkMemoryRequirements needs;
    app_check(vkCreateImage(app->device, info, NULL, &i.image), "vkCreateImage");
    vkGetImageMemoryRequirements(app->device, i.image, &needs);
    i.memory = allocate(app, &needs, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    app_check(vkBindImageMemory(app->device, i.image, i.memory, 0),
              "vkBindImageMemory");
    return i;
}

struct app_image app_image(struct app *app, VkFormat format, VkImageUsageFlags usage,
                           VkSampleCountFlagBits samples)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = { APP_SIZE, APP_SIZE, 1 },
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = samples,
        .usage = usage,
    };
    struct app_image i = app_image_of(app, &info);
    i.view = view_of(app, i.image, format,
                     usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                         ? VK_IMAGE_ASPECT_DEPTH_BIT
                         : VK_IMAGE_ASPECT_COLOR_BIT);
    return i;
}

// ---- quads ----

void app_quad(struct app_vertex to[APP_QUAD_VERTICES], const float box[4], float depth,
              const float colour[4])
{
    for (uint32_t i = 0; i < APP_QUAD_VERTICES; i++) {
        to[i] =
            (struct app_vertex){ { box[i & 1 ? 2 : 0], box[i & 2 ? 3 : 1], depth, 1 },
                                 { 0 } };
        for (uint32_t k = 0; k < 4; k++)
            to[i].colour[k] = colour[k];
    }
}

VkShaderModule app_module(struct app *app, const uint32_t *words, size_t size)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = size,
        .pCode = words,
    };
    VkShaderModule module;
    app_check(vkCreateShaderModule(app->device, &info, NULL, &module),
              "vkCreateShaderModule");
    return module;
}

VkPipelineLayout app_layout(struct app *app, const VkDescriptorSetLayout *sets,
                            uint32_t set_count, uint32_t push_bytes)
{
    const VkPushConstantRange range = { VK_SHADER_STAGE_FRAGMENT_BIT, 0, push_bytes };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = set_count,
        .pSetLayouts = sets,
        .pushConstantRangeCount = push_bytes ? 1 : 0,
        .pPushConstantRanges = &range,
    };
    VkPipelineLayout layout;
    app_check(vkCreatePipelineLayout(app->device, &info, NULL, &layout),
              "vkCreatePipelineLayout");
    return layout;
}

static void describe_vertices(const struct app_pipeline *p,
                              VkVertexInputBindingDescription bindings[2],
                              VkVertexInputAttributeDescription attributes[2])
{
    const uint32_t stride = p->stride ? p->stride : sizeof(struct app_vertex);
    for (uint32_t i = 0; i < 2; i++)
        bindings[i] =
            (VkVertexInputBindingDescription){ i, stride, VK_VERTEX_INPUT_RATE_VERTEX };
    attributes[0] =
        (VkVertexInputAttributeDescription){ 0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0 };
    attributes[1] = (VkVertexInputAttributeDescription){
        1, p->colour_binding, VK_FORMAT_R32G32B32A32_SFLOAT,
        p->colour_offset || p->colour_binding
            ? p->colour_offset
            : (uint32_t)offsetof(struct app_vertex, colour)
    };
}

// Descriptions that point to each other.
struct descriptions {
    VkVertexInputBindingDescription bindings[2];
    VkVertexInputAttributeDescription attributes[2];
    VkPipelineVertexInputStateCreateInfo input;
    VkViewport viewport;
    VkRect2D scissor;
    VkPipelineViewportDepthClipControlCreateInfoEXT clip;
    VkPipelineViewportStateCreateInfo viewports;
    VkPipelineMultisampleStateCreateInfo samples;
    VkPipelineDynamicStateCreateInfo dynamic;
};

static void describe(const struct app_pipeline *p, struct descriptions *d)
{
    const VkRect2D all = { .extent = { APP_SIZE, APP_SIZE } };
    describe_vertices(p, d->bindings, d->attributes);
    d->input = (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = p->colour_binding + 1,
        .pVertexBindingDescriptions = d->bindings,
        .vertexAttributeDescriptionCount = 2,
        .pVertexAttributeDescriptions = d->attributes,
    };
    d->viewport = (VkViewport){ 0, 0, APP_SIZE, APP_SIZE, 0, 1 };
    d->scissor = p->scissor.extent.width ? p->scissor : all;
    d->clip = (VkPipelineViewportDepthClipControlCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
        .negativeOneToOne = VK_TRUE,
    };
    d->viewports = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .pNext = p->negative_one_to_one ? &d->clip : NULL,
        .viewportCount = 1,
        .pViewports = &d->viewport,
        .scissorCount = 1,
        .pScissors = &d->scissor,
    };
    d->samples = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = p->samples ? p->samples : VK_SAMPLE_COUNT_1_BIT,
    };
    d->dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = p->dynamic_count,
        .pDynamicStates = p->dynamic,
    };
}

static VkPipeline create_pipeline(struct app *app, const struct app_pipeline *p,
                                  const VkPipelineShaderStageCreateInfo stages[2])
{
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = p->topology ? p->topology : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        .primitiveRestartEnable = p->restart,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = p->discard,
        .lineWidth = 1,
    };
    static const VkPipelineColorBlendAttachmentState blend[2] = {
        { .colorWriteMask = 15 }, { .colorWriteMask = 15 }
    };
    const VkFormat formats[2] = { app->format, VK_FORMAT_UNDEFINED };
    const VkPipelineColorBlendStateCreateInfo blends = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = p->second ? 2 : 1,
        .pAttachments = blend,
    };
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = p->second ? 2 : 1,
        .pColorAttachmentFormats = formats,
        .depthAttachmentFormat = p->depth ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_UNDEFINED,
    };
    struct descriptions d;
    describe(p, &d);
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = p->render_pass ? NULL : &rendering,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState = &d.input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &d.viewports,
        .pRasterizationState = &raster,
        .pMultisampleState = p->discard ? NULL : &d.samples,
        .pDepthStencilState = p->depth,
        .pColorBlendState = &blends,
        .pDynamicState = &d.dynamic,
        .layout = p->layout,
        .renderPass = p->render_pass,
        .subpass = p->subpass,
    };
    VkPipeline pipeline;
    app_check(vkCreateGraphicsPipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL,
                                        &pipeline),
              "vkCreateGraphicsPipelines");
    return pipeline;
}

VkPipeline app_make_pipeline(struct app *app, const struct app_pipeline *p)
{
    const VkPipelineShaderStageCreateInfo stages[2] = {
        { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = VK_SHADER_STAGE_VERTEX_BIT,
          .module = app_module(app, scene_quad_vert, sizeof scene_quad_vert),
          .pName = "main" },
        { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
          .module = app_module(app, p->fragment, p->fragment_size),
          .pName = "main",
          .pSpecializationInfo = p->specialization },
    };
    VkPipeline pipeline = create_pipeline(app, p, stages);
    // What is made of a module stays when that goes.
    vkDestroyShaderModule(app->device, stages[0].module, NULL);
    vkDestroyShaderModule(app->device, stages[1].module, NULL);
    return pipeline;
}
