// What scenes share: some quads in a buffer, and a pipeline that draws them.
#ifndef GV_VULKAN_SCENE_H
#define GV_VULKAN_SCENE_H

#include "tests/gfxr/vulkan_app.h"

#define SCENE_FRAMES 3u
#define SCENE_QUAD_BYTES (APP_QUAD_VERTICES * sizeof(struct app_vertex))

extern const float scene_left[4], scene_right[4], scene_whole[4]; // boxes
extern const float scene_red[4], scene_green[4], scene_blue[4];

struct scene {
    struct app *app;
    struct app_buffer quads; // room for 8
    VkPipelineLayout layout; // of nothing
    VkPipeline pipeline;
};

void scene_prepare(struct scene *s, struct app *app);
// The pipeline's description, for others like it.
struct app_pipeline scene_plain(const struct scene *s);
struct app_vertex *scene_quad_at(const struct scene *s, uint32_t i);
void scene_bind(const struct scene *s, VkPipeline pipeline, uint32_t quad);
void scene_draw(const struct scene *s, VkPipeline pipeline, uint32_t quad);
// What a frame is cleared to.
float scene_grey(uint32_t frame);

// ---- scenes: a name and what it shows stand in the file of its subject ----

#define SCENE(name) void scene_##name(struct scene *s);
#include "tests/gfxr/vulkan_scenes.def"
#undef SCENE

#endif
