// Memory that a program writes, and images that it shows, a rule each.
#include "tests/gfxr/vulkan_scene.h"

#include <string.h>

// One buffer at two offsets: of positions, and of colours.
void scene_offsets(struct scene *s)
{
    struct app_pipeline p = scene_plain(s);
    p.colour_binding = 1;
    VkPipeline apart = app_make_pipeline(s->app, &p);
    const VkBuffer both[2] = { s->quads.buffer, s->quads.buffer };
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        // Positions of one quad and colours of the other.
        const VkDeviceSize at[2] = { i == 1 ? SCENE_QUAD_BYTES : 0,
                                     (i == 1 ? 0 : SCENE_QUAD_BYTES) +
                                         offsetof(struct app_vertex, colour) };
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        vkCmdBindPipeline(s->app->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, apart);
        vkCmdBindVertexBuffers(s->app->commands, 0, 2, both, at);
        vkCmdDraw(s->app->commands, APP_QUAD_VERTICES, 1, 0, 0);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// Memory is written between two submits of a frame.
void scene_fills(struct scene *s)
{
    struct app_image image =
        app_image(s->app, VK_FORMAT_B8G8R8A8_UNORM,
                  VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                  VK_SAMPLE_COUNT_1_BIT);
    struct app_buffer texels = app_buffer(s->app, (VkDeviceSize)4 * APP_SIZE * APP_SIZE,
                                          VK_BUFFER_USAGE_TRANSFER_SRC_BIT, 0);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_begin(s->app);
        app_barrier(s->app, image.image, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_GENERAL);
        for (uint32_t k = 0; k < 2; k++) {
            const VkBufferImageCopy half = {
                .bufferOffset = (VkDeviceSize)k * 4 * APP_SIZE * APP_SIZE / 2,
                .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
                .imageOffset = { 0, (int32_t)(k * APP_SIZE / 2), 0 },
                .imageExtent = { APP_SIZE, APP_SIZE / 2, 1 },
            };
            memset(texels.data, (int)(40 + 60 * i + 30 * k), texels.size);
            vkCmdCopyBufferToImage(s->app->commands, texels.buffer, image.image,
                                   VK_IMAGE_LAYOUT_GENERAL, 1, &half);
            app_submit(s->app);
        }
        const VkImageCopy copy = {
            .srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
            .dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
            .extent = { APP_SIZE, APP_SIZE, 1 },
        };
        vkCmdCopyImage(s->app->commands, image.image, VK_IMAGE_LAYOUT_GENERAL,
                       s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL, 1,
                       &copy);
        app_end(s->app);
    }
}

// A buffer and its mapping begin inside of a memory.
void scene_mapped(struct scene *s)
{
    s->quads = app_buffer(s->app, 8 * SCENE_QUAD_BYTES,
                          VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 4096);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_quad(scene_quad_at(s, i), i & 1 ? scene_right : scene_left, 0,
                 i & 1 ? scene_green : scene_red);
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        scene_draw(s, s->pipeline, i);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// An image is presented again, with what it had.
void scene_presents(struct scene *s)
{
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    for (uint32_t i = 0; i < s->app->image_count; i++) {
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        scene_draw(s, s->pipeline, 0);
        app_end_rendering(s->app);
        app_end(s->app);
    }
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_acquire(s->app);
        app_present(s->app);
    }
}

// Memory is mapped again somewhere else, in parts, and what was written stays.
void scene_remapped(struct scene *s)
{
    vkUnmapMemory(s->app->device, s->quads.memory);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        struct app_vertex quad[APP_QUAD_VERTICES];
        void *data;
        app_quad(quad, i & 1 ? scene_right : scene_left, 0,
                 i & 1 ? scene_green : scene_red);
        app_check(vkMapMemory(s->app->device, s->quads.memory, i * SCENE_QUAD_BYTES,
                              SCENE_QUAD_BYTES, 0, &data),
                  "vkMapMemory");
        memcpy(data, quad, sizeof quad);
        const VkMappedMemoryRange all = { .sType =
                                              VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                          .memory = s->quads.memory,
                                          .offset = i * SCENE_QUAD_BYTES,
                                          .size = VK_WHOLE_SIZE };
        app_check(vkFlushMappedMemoryRanges(s->app->device, 1, &all),
                  "vkFlushMappedMemoryRanges");
        vkUnmapMemory(s->app->device, s->quads.memory);
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        for (uint32_t k = 0; k <= i; k++)
            scene_draw(s, s->pipeline, k);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// Two buffers of one memory overlap: what is written to one, the other reads.
void scene_overlaps(struct scene *s)
{
    const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = SCENE_QUAD_BYTES,
                                      .usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                                               VK_BUFFER_USAGE_TRANSFER_DST_BIT };
    VkMemoryRequirements needs;
    VkBuffer second;
    app_check(vkCreateBuffer(s->app->device, &info, NULL, &second), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(s->app->device, second, &needs);
    const VkDeviceSize at =
        (SCENE_QUAD_BYTES + needs.alignment - 1) / needs.alignment * needs.alignment;
    app_check(vkBindBufferMemory(s->app->device, second, s->quads.memory, at),
              "vkBindBufferMemory");
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const VkDeviceSize none = 0;
        app_quad((struct app_vertex *)(void *)((uint8_t *)s->quads.data + at),
                 i & 1 ? scene_right : scene_left, 0, scene_blue);
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        vkCmdBindPipeline(s->app->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                          s->pipeline);
        vkCmdBindVertexBuffers(s->app->commands, 0, 1,
                               i == 2 ? &s->quads.buffer : &second,
                               i == 2 ? &at : &none);
        vkCmdDraw(s->app->commands, APP_QUAD_VERTICES, 1, 0, 0);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

struct aliases {
    VkBuffer buffer;   // of the memory of the quads
    VkImage images[2]; // of one memory
};

static void make_aliases(struct scene *s, struct aliases *a)
{
    const VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = 2 * SCENE_QUAD_BYTES,
                                      .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT };
    const VkImageCreateInfo image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = VK_IMAGE_CREATE_ALIAS_BIT,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = s->app->format,
        .extent = { APP_SIZE, APP_SIZE, 1 },
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    app_check(vkCreateBuffer(s->app->device, &info, NULL, &a->buffer),
              "vkCreateBuffer");
    app_check(vkBindBufferMemory(s->app->device, a->buffer, s->quads.memory, 0),
              "vkBindBufferMemory");
    const struct app_image first = app_image_of(s->app, &image);
    a->images[0] = first.image;
    app_check(vkCreateImage(s->app->device, &image, NULL, &a->images[1]),
              "vkCreateImage");
    app_check(vkBindImageMemory(s->app->device, a->images[1], first.memory, 0),
              "vkBindImageMemory");
}

// What the device writes through one buffer or image is read through another one in the
// same memory.
void scene_aliases(struct scene *s)
{
    static const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                                 1 };
    struct aliases a;
    make_aliases(s, &a);
    app_quad(scene_quad_at(s, 0), scene_right, 0, scene_red);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        struct app_vertex quad[APP_QUAD_VERTICES];
        const VkClearColorValue grey = { .float32 = { scene_grey(i), 0.5f, 0, 1 } };
        const VkImageCopy half = {
            .srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
            .dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
            .extent = { APP_SIZE / 2, APP_SIZE, 1 },
        };
        app_quad(quad, scene_left, 0, i & 1 ? scene_green : scene_blue);
        app_begin(s->app);
        vkCmdUpdateBuffer(s->app->commands, a.buffer, SCENE_QUAD_BYTES / 2,
                          SCENE_QUAD_BYTES / 2, quad);
        if (i != 1)
            vkCmdUpdateBuffer(s->app->commands, a.buffer, SCENE_QUAD_BYTES,
                              SCENE_QUAD_BYTES, quad);
        for (uint32_t k = 0; k < 2; k++)
            app_barrier(s->app, a.images[k], VK_IMAGE_LAYOUT_UNDEFINED,
                        VK_IMAGE_LAYOUT_GENERAL);
        vkCmdClearColorImage(s->app->commands, a.images[i & 1], VK_IMAGE_LAYOUT_GENERAL,
                             &grey, 1, &all);
        app_barrier(s->app, a.images[0], VK_IMAGE_LAYOUT_GENERAL,
                    VK_IMAGE_LAYOUT_GENERAL);
        app_begin_rendering(s->app, scene_grey(i));
        scene_draw(s, s->pipeline, 0);
        scene_draw(s, s->pipeline, 1);
        app_end_rendering(s->app);
        vkCmdCopyImage(s->app->commands, a.images[~i & 1], VK_IMAGE_LAYOUT_GENERAL,
                       s->app->images[s->app->image], VK_IMAGE_LAYOUT_GENERAL, 1,
                       &half);
        app_end(s->app);
    }
}
