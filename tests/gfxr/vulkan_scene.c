#include "tests/gfxr/vulkan_scene.h"

#include "tests/gfxr/scene_quad_frag.spv.h"

const float scene_left[4] = { -0.9f, -0.8f, -0.1f, 0.8f };
const float scene_right[4] = { 0.1f, -0.7f, 0.9f, 0.9f };
const float scene_whole[4] = { -1, -1, 1, 1 };
const float scene_red[4] = { 1, 0.2f, 0.1f, 1 }, scene_green[4] = { 0, 0.8f, 0.2f, 1 };
const float scene_blue[4] = { 0.1f, 0.3f, 1, 1 };

struct app_pipeline scene_plain(const struct scene *s)
{
    return (struct app_pipeline){ .fragment = scene_quad_frag,
                                  .fragment_size = sizeof scene_quad_frag,
                                  .layout = s->layout };
}

void scene_prepare(struct scene *s, struct app *app)
{
    s->app = app;
    s->quads =
        app_buffer(app, 8 * SCENE_QUAD_BYTES, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    s->layout = app_layout(app, NULL, 0, 0);
    const struct app_pipeline p = scene_plain(s);
    s->pipeline = app_make_pipeline(app, &p);
}

struct app_vertex *scene_quad_at(const struct scene *s, uint32_t i)
{
    return (struct app_vertex *)s->quads.data + (size_t)i * APP_QUAD_VERTICES;
}

void scene_bind(const struct scene *s, VkPipeline pipeline, uint32_t quad)
{
    const VkDeviceSize at = quad * SCENE_QUAD_BYTES;
    vkCmdBindPipeline(s->app->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(s->app->commands, 0, 1, &s->quads.buffer, &at);
}

void scene_draw(const struct scene *s, VkPipeline pipeline, uint32_t quad)
{
    scene_bind(s, pipeline, quad);
    vkCmdDraw(s->app->commands, APP_QUAD_VERTICES, 1, 0, 0);
}

float scene_grey(uint32_t frame)
{
    return 0.2f + 0.2f * (float)frame;
}
