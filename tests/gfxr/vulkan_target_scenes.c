// Targets of dynamic rendering, mips, and windows that change: a rule each.
#include "tests/gfxr/vulkan_scene.h"

static const VkImageSubresourceLayers first_layer = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0,
                                                      1 };

// Two halves of a pass that go on with what the first one stored, and a resolve at the
// end of the second.
void scene_resolved(struct scene *s)
{
    static const float slanted[4] = { -0.8f, -0.7f, 0.75f, 0.65f };
    struct app_pipeline p = scene_plain(s);
    p.samples = VK_SAMPLE_COUNT_4_BIT;
    VkPipeline pipeline = app_make_pipeline(s->app, &p);
    const struct app_image image = app_image(
        s->app, s->app->format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, p.samples);
    app_quad(scene_quad_at(s, 0), slanted, 0, scene_green);
    scene_quad_at(s, 0)[2].position[0] = 0.21f;
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_blue);
    scene_quad_at(s, 1)[3].position[1] = 0.13f;
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const float grey = scene_grey(i);
        VkRenderingAttachmentInfo colour = {
            .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
            .imageView = image.view,
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
        app_begin(s->app);
        app_barrier(s->app, image.image, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_GENERAL);
        vkCmdBeginRendering(s->app->commands, &info);
        scene_draw(s, pipeline, 0);
        vkCmdEndRendering(s->app->commands);
        app_barrier(s->app, image.image, VK_IMAGE_LAYOUT_GENERAL,
                    VK_IMAGE_LAYOUT_GENERAL);
        colour.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
        colour.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
        colour.resolveImageView = s->app->views[s->app->image];
        colour.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
        vkCmdBeginRendering(s->app->commands, &info);
        scene_draw(s, pipeline, 1);
        vkCmdEndRendering(s->app->commands);
        app_end(s->app);
    }
}

// Secondary command buffers in dynamic rendering: what the primary one bound is theirs
// no more, and what they bind is not the primary one's.
void scene_inherited(struct scene *s)
{
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &s->app->format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &rendering,
    };
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inherited,
    };
    VkCommandBuffer primary = s->app->commands;
    VkCommandBuffer list = app_commands(s->app, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    app_check(vkBeginCommandBuffer(list, &begin), "vkBeginCommandBuffer");
    s->app->commands = list;
    scene_draw(s, s->pipeline, 1);
    app_check(vkEndCommandBuffer(list), "vkEndCommandBuffer");
    s->app->commands = primary;
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const float grey = scene_grey(i);
        const VkRenderingAttachmentInfo colour = {
            .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
            .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        };
        VkRenderingAttachmentInfo own = colour;
        const VkRenderingInfo info = {
            .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
            .flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT,
            .renderArea = { .extent = { APP_SIZE, APP_SIZE } },
            .layerCount = 1,
            .colorAttachmentCount = 1,
            .pColorAttachments = &own,
        };
        app_begin(s->app);
        own.imageView = s->app->views[s->app->image];
        app_begin_rendering(s->app, grey);
        scene_draw(s, s->pipeline, 0);
        app_end_rendering(s->app);
        app_barrier(s->app, s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL,
                    VK_IMAGE_LAYOUT_GENERAL);
        vkCmdBeginRendering(s->app->commands, &info);
        vkCmdExecuteCommands(s->app->commands, 1, &list);
        vkCmdEndRendering(s->app->commands);
        app_end(s->app);
    }
}

// A pass and a pipeline of two colours, the second without a view.
void scene_unviewed(struct scene *s)
{
    struct app_pipeline p = scene_plain(s);
    p.second = true;
    VkPipeline pipeline = app_make_pipeline(s->app, &p);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_green);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        app_end_rendering(s->app);
        app_barrier(s->app, s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL,
                    VK_IMAGE_LAYOUT_GENERAL);
        const VkRenderingAttachmentInfo colours[2] = {
            { .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
              .imageView = s->app->views[s->app->image],
              .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
              .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
              .storeOp = VK_ATTACHMENT_STORE_OP_STORE },
            { .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO },
        };
        const VkRenderingInfo info = {
            .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
            .renderArea = { .extent = { APP_SIZE, APP_SIZE } },
            .layerCount = 1,
            .colorAttachmentCount = 2,
            .pColorAttachments = colours,
        };
        vkCmdBeginRendering(s->app->commands, &info);
        scene_draw(s, pipeline, 0);
        vkCmdEndRendering(s->app->commands);
        app_end(s->app);
    }
}

// The window's images are made anew, in another size, and the old ones are gone.
void scene_resized(struct scene *s)
{
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        if (i == 1)
            app_resize(s->app, APP_SIZE + 16, APP_SIZE - 8);
        app_begin(s->app);
        const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
        const VkClearColorValue clear = { { 0.1f, 0.3f * (float)i, 0.5f, 1 } };
        vkCmdClearColorImage(s->app->commands, s->app->images[s->app->image],
                             VK_IMAGE_LAYOUT_GENERAL, &clear, 1, &all);
        app_end(s->app);
    }
}

// Each mip is half of the one before it, and the third one is shown.
void scene_mips(struct scene *s)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = s->app->format,
        .extent = { APP_SIZE, APP_SIZE, 1 },
        .mipLevels = 3,
        .arrayLayers = 2,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    const struct app_image image = app_image_of(s->app, &info);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        VkImageBlit blit = { first_layer,
                             { { 0, 0, 0 }, { APP_SIZE, APP_SIZE, 1 } },
                             { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1 },
                             { { 0, 0, 0 }, { APP_SIZE, APP_SIZE, 1 } } };
        app_begin(s->app);
        app_barrier(s->app, image.image, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_GENERAL);
        app_begin_rendering(s->app, scene_grey(i));
        scene_draw(s, s->pipeline, 0);
        scene_draw(s, s->pipeline, 1);
        app_end_rendering(s->app);
        VkImage from = s->app->images[s->app->image];
        for (uint32_t mip = 0; mip < 3; mip++) {
            blit.dstSubresource.mipLevel = mip;
            blit.dstOffsets[1].x = blit.dstOffsets[1].y = (int32_t)(APP_SIZE >> mip);
            app_barrier(s->app, from, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
            vkCmdBlitImage(s->app->commands, from, VK_IMAGE_LAYOUT_GENERAL, image.image,
                           VK_IMAGE_LAYOUT_GENERAL, 1, &blit, VK_FILTER_LINEAR);
            from = image.image;
            blit.srcSubresource = blit.dstSubresource;
            blit.srcOffsets[1] = blit.dstOffsets[1];
        }
        const VkImageCopy copy = { { VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 1 },
                                   { 0, 0, 0 },
                                   first_layer,
                                   { 24, (int32_t)(8 * i), 0 },
                                   { APP_SIZE / 4, APP_SIZE / 4, 1 } };
        vkCmdCopyImage(s->app->commands, image.image, VK_IMAGE_LAYOUT_GENERAL,
                       s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL, 1,
                       &copy);
        app_end(s->app);
    }
}
