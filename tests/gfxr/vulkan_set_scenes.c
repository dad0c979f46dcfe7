// Push constants and descriptor sets, a rule each.
#include "tests/gfxr/vulkan_scene.h"

#include <string.h>

#include "tests/gfxr/scene_pushed_frag.spv.h"
#include "tests/gfxr/scene_sets_frag.spv.h"

void scene_pushes(struct scene *s)
{
    struct app_pipeline p = scene_plain(s);
    p.layout = app_layout(s->app, NULL, 0, 16);
    p.fragment = scene_pushed_frag;
    p.fragment_size = sizeof scene_pushed_frag;
    VkPipeline pushed = app_make_pipeline(s->app, &p);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_blue);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_red);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const float values[4] = { 0.5f, 0.2f, 0.8f, 0.4f * (float)i };
        const float other[2] = { 1.5f, 0.1f };
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        vkCmdPushConstants(s->app->commands, p.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                           16, values);
        scene_draw(s, pushed, 0);
        vkCmdPushConstants(s->app->commands, p.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 4,
                           8, other);
        scene_draw(s, pushed, 1);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

struct sets {
    VkDescriptorSetLayout layouts[2];
    VkDescriptorSet sets[4]; // two of each layout
    struct app_buffer blocks;
    VkPipelineLayout layout, other; // `other`: of the second layout, twice
    VkPipeline pipeline;
};

#define BLOCK_STRIDE 256u // any device's alignment

static void make_layouts(struct scene *s, struct sets *d)
{
    const uint32_t numbers[2] = { 2, 0 };
    for (uint32_t i = 0; i < 2; i++) {
        const VkDescriptorSetLayoutBinding only = {
            .binding = numbers[i],
            .descriptorType = i ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
                                : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
        };
        const VkDescriptorSetLayoutCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .bindingCount = 1,
            .pBindings = &only,
        };
        app_check(
            vkCreateDescriptorSetLayout(s->app->device, &info, NULL, &d->layouts[i]),
            "vkCreateDescriptorSetLayout");
    }
    const VkDescriptorSetLayout twice[2] = { d->layouts[1], d->layouts[1] };
    d->layout = app_layout(s->app, d->layouts, 2, 0);
    d->other = app_layout(s->app, twice, 2, 0);
}

static void write_set(struct scene *s, struct sets *d, uint32_t set, uint32_t block)
{
    const bool first = set < 2;
    const VkDescriptorBufferInfo buffer = { d->blocks.buffer,
                                            (VkDeviceSize)block * BLOCK_STRIDE, 16 };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = d->sets[set],
        .dstBinding = first ? 2 : 0,
        .descriptorCount = 1,
        .descriptorType = first ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
        .pBufferInfo = &buffer,
    };
    vkUpdateDescriptorSets(s->app->device, 1, &write, 0, NULL);
}

static void make_sets(struct scene *s, struct sets *d,
                      const VkSpecializationInfo *specialization)
{
    const VkDescriptorPoolSize sizes[2] = {
        { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2 },
        { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2 },
    };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 4,
        .poolSizeCount = 2,
        .pPoolSizes = sizes,
    };
    VkDescriptorPool pool;
    make_layouts(s, d);
    app_check(vkCreateDescriptorPool(s->app->device, &info, NULL, &pool),
              "vkCreateDescriptorPool");
    const VkDescriptorSetLayout layouts[4] = { d->layouts[0], d->layouts[0],
                                               d->layouts[1], d->layouts[1] };
    const VkDescriptorSetAllocateInfo sets = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 4,
        .pSetLayouts = layouts,
    };
    app_check(vkAllocateDescriptorSets(s->app->device, &sets, d->sets),
              "vkAllocateDescriptorSets");
    d->blocks = app_buffer(s->app, (VkDeviceSize)4 * BLOCK_STRIDE,
                           VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < 4; i++) {
        const float block[4] = { i & 1 ? 0.4f : 0, i & 2 ? 0.5f : 0.1f, 0.1f * (float)i,
                                 0.5f };
        memcpy((uint8_t *)d->blocks.data + (size_t)i * BLOCK_STRIDE, block, 16);
        write_set(s, d, i, i < 2 ? i : 2);
    }
    struct app_pipeline p = scene_plain(s);
    p.layout = d->layout;
    p.fragment = scene_sets_frag;
    p.fragment_size = sizeof scene_sets_frag;
    p.specialization = specialization;
    d->pipeline = app_make_pipeline(s->app, &p);
}

static void bind_sets(struct scene *s, VkPipelineLayout layout, uint32_t first,
                      const VkDescriptorSet *sets, uint32_t count,
                      const uint32_t *offset)
{
    vkCmdBindDescriptorSets(s->app->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout,
                            first, count, sets, offset ? 1 : 0, offset);
}

// A set is written again between two submits, and an offset moves its block.
void scene_updates(struct scene *s)
{
    struct sets d;
    make_sets(s, &d, NULL);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_blue);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_red);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        for (uint32_t k = 0; k < 2; k++) {
            const VkDescriptorSet sets[2] = { d.sets[0], d.sets[2] };
            const uint32_t offset = k * BLOCK_STRIDE;
            bind_sets(s, d.layout, 0, sets, 2, &offset);
            scene_draw(s, d.pipeline, k);
        }
        app_end_rendering(s->app);
        app_end(s->app);
        write_set(s, &d, 0, (i + 1) % 4);
    }
}

// Sets that are bound with a layout of another kind disturb those behind them.
void scene_layouts(struct scene *s)
{
    const float share = 0.5f;
    const VkSpecializationMapEntry entry = { 3, 0, sizeof share };
    const VkSpecializationInfo specialization = { 1, &entry, sizeof share, &share };
    struct sets d;
    make_sets(s, &d, &specialization);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_blue);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_red);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const uint32_t none = 0, next = BLOCK_STRIDE;
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        bind_sets(s, d.layout, 0, &d.sets[i & 1], 1, NULL);
        bind_sets(s, d.layout, 1, &d.sets[2], 1, &none);
        scene_draw(s, d.pipeline, 0);
        bind_sets(s, d.other, 0, &d.sets[3], 1, &none);
        bind_sets(s, d.layout, 0, &d.sets[1], 1, NULL);
        bind_sets(s, d.layout, 1, &d.sets[2], 1, &next);
        scene_draw(s, d.pipeline, 1);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

// Sets are written by a template, and one is copied to another.
void scene_templates(struct scene *s)
{
    struct sets d;
    make_sets(s, &d, NULL);
    const VkDescriptorUpdateTemplateEntry entry = {
        .dstBinding = 2,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .offset = sizeof(VkDescriptorBufferInfo),
    };
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .descriptorSetLayout = d.layouts[0],
    };
    const VkCopyDescriptorSet copy = {
        .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
        .srcSet = d.sets[0],
        .srcBinding = 2,
        .dstSet = d.sets[1],
        .dstBinding = 2,
        .descriptorCount = 1,
    };
    VkDescriptorUpdateTemplate template;
    app_check(vkCreateDescriptorUpdateTemplate(s->app->device, &info, NULL, &template),
              "vkCreateDescriptorUpdateTemplate");
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_blue);
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_red);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const VkDescriptorBufferInfo to[2] = {
            { VK_NULL_HANDLE, 0, 0 },
            { d.blocks.buffer, (VkDeviceSize)(3 - i) * BLOCK_STRIDE, 16 }
        };
        const uint32_t none = 0;
        if (i < 2)
            vkUpdateDescriptorSets(s->app->device, 0, NULL, 1, &copy);
        vkUpdateDescriptorSetWithTemplate(s->app->device, d.sets[0], template, to);
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        bind_sets(s, d.layout, 1, &d.sets[2], 1, &none);
        for (uint32_t k = 0; k < 2; k++) {
            bind_sets(s, d.layout, 0, &d.sets[k], 1, NULL);
            scene_draw(s, d.pipeline, k);
        }
        app_end_rendering(s->app);
        app_end(s->app);
    }
}

static void fill_twins(struct scene *s, const VkDescriptorSet sets[2])
{
    const struct app_buffer blocks = app_buffer(s->app, (VkDeviceSize)4 * BLOCK_STRIDE,
                                                VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < 4; i++) {
        const float block[4] = { 0.1f * (float)i, 0.05f * (float)(i * i),
                                 i == 1 ? 0.6f : 0, 0.5f };
        const VkDescriptorBufferInfo buffer = { blocks.buffer,
                                                (VkDeviceSize)i * BLOCK_STRIDE, 16 };
        const VkWriteDescriptorSet write = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = sets[i / 2],
            .dstBinding = i & 1 ? 2 : 0,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
            .pBufferInfo = &buffer,
        };
        memcpy((uint8_t *)blocks.data + (size_t)i * BLOCK_STRIDE, block, 16);
        vkUpdateDescriptorSets(s->app->device, 1, &write, 0, NULL);
    }
}

// One layout of two blocks, and two sets of it with a value in each block.
static VkDescriptorSetLayout make_twins(struct scene *s, VkDescriptorSet sets[2])
{
    const VkDescriptorSetLayoutBinding bindings[2] = {
        { 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL },
        { 2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL },
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings,
    };
    const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 4 };
    const VkDescriptorPoolCreateInfo room = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 2,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    VkDescriptorSetLayout layouts[2];
    VkDescriptorPool pool;
    app_check(vkCreateDescriptorSetLayout(s->app->device, &info, NULL, &layouts[0]),
              "vkCreateDescriptorSetLayout");
    layouts[1] = layouts[0];
    app_check(vkCreateDescriptorPool(s->app->device, &room, NULL, &pool),
              "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo both = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 2,
        .pSetLayouts = layouts,
    };
    app_check(vkAllocateDescriptorSets(s->app->device, &both, sets),
              "vkAllocateDescriptorSets");
    fill_twins(s, sets);
    return layouts[0];
}

// A pipeline layout has one layout twice: of the first set the shader reads the second
// block, of the second set the first one.
void scene_twice(struct scene *s)
{
    VkDescriptorSet sets[2];
    VkDescriptorSetLayout layout = make_twins(s, sets);
    const VkDescriptorSetLayout layouts[2] = { layout, layout };
    struct app_pipeline p = scene_plain(s);
    p.layout = app_layout(s->app, layouts, 2, 0);
    p.fragment = scene_sets_frag;
    p.fragment_size = sizeof scene_sets_frag;
    VkPipeline pipeline = app_make_pipeline(s->app, &p);
    app_quad(scene_quad_at(s, 0), scene_left, 0, scene_blue);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        const VkDescriptorSet turned[2] = { sets[i & 1], sets[1 - (i & 1)] };
        app_begin(s->app);
        app_begin_rendering(s->app, scene_grey(i));
        bind_sets(s, p.layout, 0, turned, 2, NULL);
        scene_draw(s, pipeline, 0);
        app_end_rendering(s->app);
        app_end(s->app);
    }
}
