// Work that is recorded once, that buffers tell, and that copies: a rule each.
#include "tests/gfxr/vulkan_scene.h"

#include <string.h>

#define COPY_USAGE                                                       \
    (VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | \
     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)

static const VkImageSubresourceLayers first_layer = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0,
                                                      1 };

static void copy_whole(struct scene *s, VkImage from)
{
    const VkImageCopy copy = {
        .srcSubresource = first_layer,
        .dstSubresource = first_layer,
        .extent = { APP_SIZE, APP_SIZE, 1 },
    };
    vkCmdCopyImage(s->app->commands, from, VK_IMAGE_LAYOUT_GENERAL,
                   s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
}

// A pass of dynamic rendering into an image of the scene's own.
static void render_to(struct scene *s, VkImageView view, VkAttachmentLoadOp load)
{
    const VkRenderingAttachmentInfo colour = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = load,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = { .color = { .float32 = { 0.3f, 0.1f, 0.4f, 1 } } },
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = { .extent = { APP_SIZE, APP_SIZE } },
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &colour,
    };
    vkCmdBeginRendering(s->app->commands, &info);
}

// Commands that are recorded once run in every frame, with what memory has by then.
void scene_reused(struct scene *s)
{
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
    };
    const struct app_image image =
        app_image(s->app, s->app->format, COPY_USAGE, VK_SAMPLE_COUNT_1_BIT);
    VkCommandBuffer usual = s->app->commands;
    VkCommandBuffer reused = app_commands(s->app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                  .commandBufferCount = 1,
                                  .pCommandBuffers = &reused };
    s->app->commands = reused;
    app_check(vkBeginCommandBuffer(reused, &begin), "vkBeginCommandBuffer");
    app_barrier(s->app, image.image, VK_IMAGE_LAYOUT_UNDEFINED,
                VK_IMAGE_LAYOUT_GENERAL);
    render_to(s, image.view, VK_ATTACHMENT_LOAD_OP_CLEAR);
    scene_draw(s, s->pipeline, 0);
    vkCmdEndRendering(reused);
    app_check(vkEndCommandBuffer(reused), "vkEndCommandBuffer");
    s->app->commands = usual;
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_quad(scene_quad_at(s, 0), i & 1 ? scene_right : scene_left, 0,
                 i & 2 ? scene_green : scene_red);
        app_check(vkQueueSubmit(s->app->queue, 1, &submit, VK_NULL_HANDLE),
                  "vkQueueSubmit");
        app_check(vkQueueWaitIdle(s->app->queue), "vkQueueWaitIdle");
        app_begin(s->app);
        copy_whole(s, image.image);
        app_end(s->app);
    }
}

// Indirect draws of records that a command writes.
void scene_indirects(struct scene *s)
{
    const struct app_buffer records = app_buffer(
        s->app, 256,
        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const uint32_t words[12] = {
            APP_QUAD_VERTICES, 1, 0, 0, 0, 0, APP_QUAD_VERTICES, i & 1,
            APP_QUAD_VERTICES, 0
        };
        app_begin(s->app);
        vkCmdUpdateBuffer(s->app->commands, records.buffer, 16, sizeof words, words);
        app_begin_rendering(s->app, scene_grey(i));
        scene_bind(s, s->pipeline, 0);
        vkCmdDrawIndirect(s->app->commands, records.buffer, 16, 2, 24);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// Indices from the middle of a buffer, restarts, and a colour for each instance.
void scene_indices(struct scene *s)
{
    struct app_pipeline p = scene_plain(s);
    p.restart = true;
    p.instanced = true;
    p.colour_binding = 1;
    p.colour_offset = offsetof(struct app_vertex, colour);
    VkPipeline pipeline = app_make_pipeline(s->app, &p);
    const struct app_buffer indices =
        app_buffer(s->app, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0);
    const uint16_t list[9] = { 0, 1, 2, 3, 0xffff, 4, 5, 6, 7 };
    memcpy((uint8_t *)indices.data + 6, list, sizeof list);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    app_quad(scene_quad_at(s, 2), scene_whole, 0, scene_blue);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const VkBuffer both[2] = { s->quads.buffer, s->quads.buffer };
        const VkDeviceSize at[2] = { 0, 0 };
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        vkCmdBindPipeline(s->app->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdBindVertexBuffers(s->app->commands, 0, 2, both, at);
        vkCmdBindIndexBuffer(s->app->commands, indices.buffer, 6, VK_INDEX_TYPE_UINT16);
        vkCmdDrawIndexed(s->app->commands, i == 1 ? 4 : 9, 1, 0, i == 1 ? 4 : 0, 4 * i);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// Blits that scale and turn, copies of a part, buffers that are filled.
void scene_blits(struct scene *s)
{
    const struct app_image image =
        app_image(s->app, s->app->format, COPY_USAGE, VK_SAMPLE_COUNT_1_BIT);
    const struct app_buffer texels = app_buffer(
        s->app, 4 * 16 * 16,
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const VkImageBlit turned = {
            first_layer,
            { { 8, 4, 0 }, { 60, 60, 1 } },
            first_layer,
            { { 64, (int32_t)(8 * i), 0 }, { 0, 64, 1 } },
        };
        const VkBufferImageCopy corner = { .bufferRowLength = 16,
                                           .imageSubresource = first_layer,
                                           .imageOffset = { 40, 3, 0 },
                                           .imageExtent = { 12, 9, 1 } };
        app_begin(s->app);
        app_barrier(s->app, image.image, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_GENERAL);
        render_to(s, image.view, VK_ATTACHMENT_LOAD_OP_CLEAR);
        scene_draw(s, s->pipeline, 0);
        scene_draw(s, s->pipeline, 1);
        vkCmdEndRendering(s->app->commands);
        vkCmdFillBuffer(s->app->commands, texels.buffer, 0, VK_WHOLE_SIZE,
                        0xff00ffu << (8 * (i & 1)));
        copy_whole(s, image.image);
        app_barrier(s->app, s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL,
                    VK_IMAGE_LAYOUT_GENERAL);
        vkCmdBlitImage(s->app->commands, image.image, VK_IMAGE_LAYOUT_GENERAL,
                       s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL, 1,
                       &turned, VK_FILTER_NEAREST);
        vkCmdCopyBufferToImage(s->app->commands, texels.buffer,
                               s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL,
                               1, &corner);
        app_end(s->app);
    }
}

// What is drawn depends on how many samples passed.
void scene_queries(struct scene *s)
{
    const struct app_buffer record = app_buffer(
        s->app, 64,
        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_OCCLUSION,
        .queryCount = 4,
    };
    const uint32_t words[4] = { APP_QUAD_VERTICES, 0, 0, 0 };
    VkQueryPool pool;
    app_check(vkCreateQueryPool(s->app->device, &info, NULL, &pool),
              "vkCreateQueryPool");
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    memcpy(record.data, words, sizeof words);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_quad(scene_quad_at(s, 0), scene_left, i & 1 ? 2.0f : 0, scene_red);
        app_begin(s->app);
        vkCmdResetQueryPool(s->app->commands, pool, 0, 4);
        app_begin_rendering(s->app, scene_grey(i));
        vkCmdBeginQuery(s->app->commands, pool, i, 0);
        scene_draw(s, s->pipeline, 0);
        vkCmdEndQuery(s->app->commands, pool, i);
        app_end_rendering(s->app);
        vkCmdCopyQueryPoolResults(s->app->commands, pool, i, 1, record.buffer, 4, 4,
                                  VK_QUERY_RESULT_WAIT_BIT);
        app_barrier(s->app, s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL,
                    VK_IMAGE_LAYOUT_GENERAL);
        render_to(s, s->app->views[s->app->image], VK_ATTACHMENT_LOAD_OP_LOAD);
        scene_bind(s, s->pipeline, 1);
        vkCmdDrawIndirect(s->app->commands, record.buffer, 0, 1, 16);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}
