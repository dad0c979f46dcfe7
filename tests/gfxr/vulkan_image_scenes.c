// Images that shaders read, and that a program writes itself: a rule each.
#include "tests/gfxr/vulkan_scene.h"

#include <string.h>

#include "tests/gfxr/scene_places_comp.spv.h"
#include "tests/gfxr/scene_textures_frag.spv.h"

#define TEXTURES 3u
#define TEXTURE_SET 2u

static const VkImageSubresourceLayers first_layer = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0,
                                                      1 };

static VkDescriptorSetLayout set_layout(struct app *app,
                                        const VkDescriptorSetLayoutBinding *binding)
{
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = binding ? 1 : 0,
        .pBindings = binding,
    };
    VkDescriptorSetLayout layout;
    app_check(vkCreateDescriptorSetLayout(app->device, &info, NULL, &layout),
              "vkCreateDescriptorSetLayout");
    return layout;
}

static VkDescriptorPool set_pool(struct app *app, VkDescriptorType type, uint32_t count)
{
    const VkDescriptorPoolSize size = { type, count };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    VkDescriptorPool pool;
    app_check(vkCreateDescriptorPool(app->device, &info, NULL, &pool),
              "vkCreateDescriptorPool");
    return pool;
}

static VkDescriptorSet new_set(struct app *app, VkDescriptorPool pool,
                               VkDescriptorSetLayout layout)
{
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout,
    };
    VkDescriptorSet set;
    app_check(vkAllocateDescriptorSets(app->device, &info, &set),
              "vkAllocateDescriptorSets");
    return set;
}

// ---- textures ----

static VkSampler make_sampler(struct app *app)
{
    const VkSamplerCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO };
    VkSampler sampler;
    app_check(vkCreateSampler(app->device, &info, NULL, &sampler), "vkCreateSampler");
    return sampler;
}

// Each of the textures has a colour of its own, and a box.
static void fill_textures(struct scene *s, const struct app_image images[TEXTURES])
{
    const VkClearColorValue colours[TEXTURES] = { { { 1, 0.5f, 0.2f, 1 } },
                                                  { { 0.2f, 1, 0.5f, 1 } },
                                                  { { 0.5f, 0.2f, 1, 1 } } };
    const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
    for (uint32_t i = 0; i < TEXTURES; i++) {
        app_barrier(s->app, images[i].image, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_GENERAL);
        vkCmdClearColorImage(s->app->commands, images[i].image, VK_IMAGE_LAYOUT_GENERAL,
                             &colours[i], 1, &all);
        app_barrier(s->app, images[i].image, VK_IMAGE_LAYOUT_GENERAL,
                    VK_IMAGE_LAYOUT_GENERAL);
    }
}

static void write_textures(struct app *app, VkDescriptorSet set,
                           const struct app_image images[TEXTURES], VkSampler immutable,
                           uint32_t turn)
{
    VkDescriptorImageInfo list[TEXTURES];
    for (uint32_t i = 0; i < TEXTURES; i++)
        list[i] =
            (VkDescriptorImageInfo){ immutable, images[(i + turn) % TEXTURES].view,
                                     VK_IMAGE_LAYOUT_GENERAL };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = 5,
        .descriptorCount = TEXTURES,
        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .pImageInfo = list,
    };
    vkUpdateDescriptorSets(app->device, 1, &write, 0, NULL);
}

struct textured {
    struct app_pipeline description;
    VkPipeline pipeline;
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
};

// A pipeline that reads an array of textures in the third set, with samplers that its
// layout has.
static struct textured make_textured(struct scene *s,
                                     const VkPipelineDepthStencilStateCreateInfo *depth)
{
    VkSampler sampler = make_sampler(s->app);
    const VkSampler samplers[TEXTURES] = { sampler, sampler, sampler };
    const VkDescriptorSetLayoutBinding binding = {
        5, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, TEXTURES,
        VK_SHADER_STAGE_FRAGMENT_BIT, samplers
    };
    const VkDescriptorSetLayout layouts[3] = { set_layout(s->app, NULL),
                                               set_layout(s->app, NULL),
                                               set_layout(s->app, &binding) };
    const int32_t which = 1;
    const VkSpecializationMapEntry entry = { 0, 0, sizeof which };
    const VkSpecializationInfo specialization = { 1, &entry, sizeof which, &which };
    struct app_pipeline p = scene_plain(s);
    p.layout = app_layout(s->app, layouts, 3, 0);
    p.fragment = scene_textures_frag;
    p.fragment_size = sizeof scene_textures_frag;
    p.specialization = &specialization;
    p.depth = depth;
    VkPipeline pipeline = app_make_pipeline(s->app, &p);
    return (struct textured){
        .description = p,
        .pipeline = pipeline,
        .layout = layouts[TEXTURE_SET],
        .pool = set_pool(s->app, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, TEXTURES),
    };
}

static void bind_textures(struct scene *s, const struct textured *t,
                          VkDescriptorSet set)
{
    vkCmdBindDescriptorSets(s->app->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                            t->description.layout, TEXTURE_SET, 1, &set, 0, NULL);
}

// The pool of textures is emptied in every frame.
void scene_textures(struct scene *s)
{
    const struct textured t = make_textured(s, NULL);
    struct app_image images[TEXTURES];
    for (uint32_t i = 0; i < TEXTURES; i++)
        images[i] =
            app_image(s->app, VK_FORMAT_R8G8B8A8_UNORM,
                      VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                      VK_SAMPLE_COUNT_1_BIT);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_check(vkResetDescriptorPool(s->app->device, t.pool, 0),
                  "vkResetDescriptorPool");
        VkDescriptorSet set = new_set(s->app, t.pool, t.layout);
        write_textures(s->app, set, images, VK_NULL_HANDLE, i);
        app_begin(s->app);
        if (i == 0)
            fill_textures(s, images);
        app_begin_rendering(s->app, scene_grey(i));
        bind_textures(s, &t, set);
        scene_draw(s, t.pipeline, 0);
        scene_draw(s, t.pipeline, 1);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

static void barrier(struct app *app)
{
    const VkMemoryBarrier all = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
                                                   VK_ACCESS_MEMORY_WRITE_BIT };
    vkCmdPipelineBarrier(app->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0,
                         NULL);
}

// A pass of a colour and depths, which are kept.
static void begin_with_depths(struct scene *s, VkImageView depth,
                              VkAttachmentLoadOp load)
{
    const VkRenderingAttachmentInfo colour = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = s->app->views[s->app->image],
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    VkRenderingAttachmentInfo depths = colour;
    depths.imageView = depth;
    depths.loadOp = load;
    depths.clearValue.depthStencil.depth = 0.75f;
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = { .extent = { APP_SIZE, APP_SIZE } },
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &colour,
        .pDepthAttachment = &depths,
    };
    vkCmdBeginRendering(s->app->commands, &info);
}

static void make_readable(struct app *app, VkImage depth)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = depth,
        .subresourceRange = { VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1 },
    };
    vkCmdPipelineBarrier(app->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
                         &barrier);
}

// Depths that a pass tests, does not write, and reads as textures.
void scene_hidden(struct scene *s)
{
    VkPipelineDepthStencilStateCreateInfo tested = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = VK_TRUE,
        .depthWriteEnable = VK_TRUE,
        .depthCompareOp = VK_COMPARE_OP_LESS,
    };
    struct app_pipeline p = scene_plain(s);
    p.depth = &tested;
    VkPipeline writes = app_make_pipeline(s->app, &p);
    tested.depthWriteEnable = VK_FALSE;
    const struct textured reads = make_textured(s, &tested);
    const struct app_image depth = app_image(
        s->app, VK_FORMAT_D32_SFLOAT,
        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
        VK_SAMPLE_COUNT_1_BIT);
    const struct app_image images[TEXTURES] = { depth, depth, depth };
    VkDescriptorSet set = new_set(s->app, reads.pool, reads.layout);
    write_textures(s->app, set, images, VK_NULL_HANDLE, 0);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_quad(scene_quad_at(s, 0), scene_left, 0.25f * (float)i, scene_blue);
        app_quad(scene_quad_at(s, 1), scene_whole, 0.4f, scene_red);
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        app_end_rendering(s->app);
        if (i == 0)
            make_readable(s->app, depth.image);
        barrier(s->app);
        begin_with_depths(s, depth.view, VK_ATTACHMENT_LOAD_OP_CLEAR);
        scene_draw(s, writes, 0);
        vkCmdEndRendering(s->app->commands);
        barrier(s->app);
        begin_with_depths(s, depth.view, VK_ATTACHMENT_LOAD_OP_LOAD);
        bind_textures(s, &reads, set);
        scene_draw(s, reads.pipeline, 1);
        vkCmdEndRendering(s->app->commands);
        app_end(s->app);
    }
}

// ---- storage that a shader writes ----

static VkPipeline compute_pipeline(struct app *app, VkPipelineLayout layout)
{
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module =
                       app_module(app, scene_places_comp, sizeof scene_places_comp),
                   .pName = "main" },
        .layout = layout,
    };
    VkPipeline pipeline;
    app_check(vkCreateComputePipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL,
                                       &pipeline),
              "vkCreateComputePipelines");
    return pipeline;
}

static VkPipelineLayout compute_layout(struct app *app, VkDescriptorSetLayout set)
{
    const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 4 };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &set,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkPipelineLayout layout;
    app_check(vkCreatePipelineLayout(app->device, &info, NULL, &layout),
              "vkCreatePipelineLayout");
    return layout;
}

static void write_storage(struct app *app, VkDescriptorSet set, VkBuffer buffer)
{
    const VkDescriptorBufferInfo whole = { buffer, 0, VK_WHOLE_SIZE };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &whole,
    };
    vkUpdateDescriptorSets(app->device, 1, &write, 0, NULL);
}

// A shader moves vertices on, twice a frame, by push constants that change between.
void scene_computes(struct scene *s)
{
    const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                   1, VK_SHADER_STAGE_COMPUTE_BIT,
                                                   NULL };
    VkDescriptorSetLayout layout = set_layout(s->app, &binding);
    VkDescriptorSet set =
        new_set(s->app, set_pool(s->app, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1), layout);
    VkPipelineLayout compute = compute_layout(s->app, layout);
    VkPipeline pipeline = compute_pipeline(s->app, compute);
    s->quads = app_buffer(
        s->app, SCENE_QUAD_BYTES,
        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    write_storage(s->app, set, s->quads.buffer);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_begin(s->app);
        VkCommandBuffer c = s->app->commands;
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, compute, 0, 1, &set,
                                0, NULL);
        for (uint32_t k = 0; k < 2; k++) {
            const float by = 0.1f + 0.15f * (float)k;
            vkCmdPushConstants(c, compute, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &by);
            vkCmdDispatch(c, 1, 1, 1);
            barrier(s->app);
        }
        app_begin_rendering(s->app, scene_grey(i));
        scene_draw(s, s->pipeline, 0);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// ---- images in memory ----

// A linear image that the program writes, at the pitch that it asks for: the last time
// some columns of what the device wrote.
void scene_linear(struct scene *s)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = s->app->format,
        .extent = { 50, 40, 1 },
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_LINEAR,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED,
    };
    const VkClearColorValue orange = { .float32 = { 1, 0.5f, 0, 1 } };
    const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
    const VkImageSubresource level = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 };
    const VkImageCopy copy = {
        first_layer, { 0, 0, 0 }, first_layer, { 7, 9, 0 }, { 50, 40, 1 }
    };
    struct app_buffer memory =
        app_buffer(s->app, 65536, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, 0);
    VkImage image;
    VkSubresourceLayout at;
    VkMemoryRequirements needs;
    app_check(vkCreateImage(s->app->device, &info, NULL, &image), "vkCreateImage");
    vkGetImageMemoryRequirements(s->app->device, image, &needs);
    app_check(needs.size <= memory.size ? VK_SUCCESS : VK_ERROR_UNKNOWN, "memory");
    app_check(vkBindImageMemory(s->app->device, image, memory.memory, 0),
              "vkBindImageMemory");
    vkGetImageSubresourceLayout(s->app->device, image, &level, &at);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        for (uint32_t y = 0; y < 40; y++)
            memset((uint8_t *)memory.data + at.offset + y * at.rowPitch +
                       (i == 2 ? 60 : 0),
                   (int)(3 * y + 40 * i), i == 2 ? 40 : 200);
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        app_end_rendering(s->app);
        app_barrier(s->app, image,
                    i ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_PREINITIALIZED,
                    VK_IMAGE_LAYOUT_GENERAL);
        barrier(s->app);
        vkCmdCopyImage(s->app->commands, image, VK_IMAGE_LAYOUT_GENERAL,
                       s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL, 1,
                       &copy);
        if (i == 1) {
            barrier(s->app);
            vkCmdClearColorImage(s->app->commands, image, VK_IMAGE_LAYOUT_GENERAL,
                                 &orange, 1, &all);
        }
        app_end(s->app);
    }
}
