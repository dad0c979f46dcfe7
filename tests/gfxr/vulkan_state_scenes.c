// State of pipelines and of commands, a rule each.
#include "tests/gfxr/vulkan_scene.h"

#include <string.h>

// State that commands set does not outlive a pipeline that has its own.
void scene_dynamic(struct scene *s)
{
    static const VkDynamicState states[] = { VK_DYNAMIC_STATE_SCISSOR };
    struct app_pipeline p = scene_plain(s);
    p.dynamic = states;
    p.dynamic_count = 1;
    VkPipeline open = app_make_pipeline(s->app, &p);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const VkRect2D narrow = { { (int32_t)(4 * i), 8 }, { 20, 20 } };
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        vkCmdBindPipeline(s->app->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, open);
        vkCmdSetScissor(s->app->commands, 0, 1, &narrow);
        scene_draw(s, open, 0);
        scene_draw(s, s->pipeline, 1);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// Depths from -1 to 1 are not clipped.
void scene_clips(struct scene *s)
{
    struct app_pipeline p = scene_plain(s);
    p.negative_one_to_one = true;
    VkPipeline wide = app_make_pipeline(s->app, &p);
    app_quad(scene_quad_at(s, 0), scene_left, -0.5f, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, -0.5f, scene_green);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        scene_draw(s, wide, 0);
        scene_draw(s, s->pipeline, 1); // clipped
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// An attribute that begins behind the stride of its binding.
void scene_strides(struct scene *s)
{
    struct app_pipeline p = scene_plain(s);
    p.stride = 16;
    p.colour_offset = 64;
    VkPipeline far = app_make_pipeline(s->app, &p);
    struct app_vertex quad[APP_QUAD_VERTICES];
    float *to = s->quads.data;
    app_quad(quad, scene_left, 0, scene_red);
    for (uint32_t k = 0; k < APP_QUAD_VERTICES; k++) {
        memcpy(to + 4 * k, quad[k].position, 16);
        memcpy(to + 16 + 4 * k, k & 1 ? scene_blue : scene_green, 16);
    }
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        scene_draw(s, far, 0);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// A rectangle of the attachment is cleared inside a pass, and one alone is rendered to.
void scene_areas(struct scene *s)
{
    app_quad(scene_quad_at(s, 0), scene_whole, 0, scene_blue);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const VkClearAttachment clear = { VK_IMAGE_ASPECT_COLOR_BIT,
                                          0,
                                          { .color = { .float32 = { 1, 1, 0, 1 } } } };
        const VkClearRect at = { { { (int32_t)(8 * i), 4 }, { 16, 24 } }, 0, 1 };
        const VkRenderingAttachmentInfo colour = {
            .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
            .imageView = s->app->views[0],
            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
            .clearValue = { .color = { .float32 = { 0, 0.5f, 0, 1 } } },
        };
        VkRenderingAttachmentInfo own = colour;
        const VkRenderingInfo part = {
            .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
            .renderArea = { { 32, 32 }, { 16, 24 } },
            .layerCount = 1,
            .colorAttachmentCount = 1,
            .pColorAttachments = &own,
        };
        app_begin(s->app);
        own.imageView = s->app->views[s->app->image];
        app_begin_rendering(s->app, scene_grey(i));
        vkCmdClearAttachments(s->app->commands, 1, &clear, 1, &at);
        app_end_rendering(s->app);
        vkCmdBeginRendering(s->app->commands, &part);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// Most of what a pipeline has, set by commands: a viewport upside down, faces, strides.
void scene_dynamics(struct scene *s)
{
    static const VkDynamicState states[] = {
        VK_DYNAMIC_STATE_VIEWPORT,
        VK_DYNAMIC_STATE_CULL_MODE,
        VK_DYNAMIC_STATE_FRONT_FACE,
        VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
        VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
        VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
    };
    struct app_pipeline p = scene_plain(s);
    p.dynamic = states;
    p.dynamic_count = sizeof states / sizeof *states;
    VkPipeline open = app_make_pipeline(s->app, &p);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_red);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
    scene_quad_at(s, 1)[0].position[1] = 0.2f;
    VkCommandBuffer c = s->app->commands;
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const VkViewport turned = { 0, APP_SIZE - 4, APP_SIZE, -(float)APP_SIZE + 8, 0,
                                    1 };
        const VkDeviceSize at[2] = { SCENE_QUAD_BYTES, 0 };
        const VkDeviceSize strides[2] = { sizeof(struct app_vertex),
                                          2 * sizeof(struct app_vertex) };
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, open);
        vkCmdSetViewport(c, 0, 1, &turned);
        vkCmdSetCullMode(c, VK_CULL_MODE_BACK_BIT);
        vkCmdSetRasterizerDiscardEnable(c, VK_FALSE);
        vkCmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
        vkCmdSetFrontFace(c, i & 1 ? VK_FRONT_FACE_CLOCKWISE
                                   : VK_FRONT_FACE_COUNTER_CLOCKWISE);
        vkCmdBindVertexBuffers2(c, 0, 1, &s->quads.buffer, &at[0], NULL, &strides[0]);
        vkCmdDraw(c, APP_QUAD_VERTICES, 1, 0, 0);
        vkCmdSetCullMode(c, VK_CULL_MODE_NONE);
        vkCmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
        vkCmdBindVertexBuffers2(c, 0, 1, &s->quads.buffer, &at[1], NULL, &strides[1]);
        vkCmdDraw(c, 3, 1, 0, 0);
        vkCmdSetRasterizerDiscardEnable(c, VK_TRUE);
        vkCmdDraw(c, 3, 1, 1, 0);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}
