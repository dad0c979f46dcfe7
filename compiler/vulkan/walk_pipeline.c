#include "compiler/vulkan/walk_pipeline.h"

#include "compiler/vulkan/api/vk_table.h"

#include <string.h>

// The states of Vulkan 1.0, then blocks of others.
uint32_t gv_walk_dynamic_bit(VkDynamicState state)
{
    static const struct {
        uint32_t first, last, bit;
    } blocks[] = {
        { VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_STENCIL_REFERENCE, 0 },
        { VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_STENCIL_OP, 9 },
        { VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT,
          VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, 21 },
        { VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT,
          VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT, 26 },
        { VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT,
          VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT, 38 },
        { VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT,
          VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, 39 },
        { VK_DYNAMIC_STATE_LINE_STIPPLE_EXT, VK_DYNAMIC_STATE_LINE_STIPPLE_EXT, 43 },
        { VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, 44 },
        { VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT,
          VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT, 45 },
    };
    const uint32_t s = (uint32_t)state;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (s >= blocks[i].first && s <= blocks[i].last)
            return blocks[i].bit + s - blocks[i].first;
    return 64;
}

static const char *read_dynamic(const VkGraphicsPipelineCreateInfo *info,
                                uint64_t *dynamic)
{
    const VkPipelineDynamicStateCreateInfo *s = info->pDynamicState;
    for (uint32_t i = 0; s && i < s->dynamicStateCount; i++) {
        const uint32_t bit = gv_walk_dynamic_bit(s->pDynamicStates[i]);
        if (bit == 64) {
            const char *name =
                gv_vk_value_name(GV_VK_TYPE_VkDynamicState, s->pDynamicStates[i]);
            return name ? name : "an unknown dynamic state";
        }
        *dynamic |= UINT64_C(1) << bit;
    }
    return NULL;
}

// Of libraries: such need neither a layout nor shaders.
static bool in_parts(const VkGraphicsPipelineCreateInfo *info)
{
    return info->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR ||
           gv_walk_chained(info->pNext,
                           VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
}

static const char *refuse_state(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRasterizationStateCreateInfo *r = info->pRasterizationState;
    const VkPipelineMultisampleStateCreateInfo *m = info->pMultisampleState;
    const VkPipelineSampleLocationsStateCreateInfoEXT *locations = gv_walk_chained(
        m ? m->pNext : NULL,
        VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
    const VkPipelineDiscardRectangleStateCreateInfoEXT *rectangles = gv_walk_chained(
        info->pNext,
        VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT);
    const VkPipelineFragmentShadingRateStateCreateInfoKHR *rate = gv_walk_chained(
        info->pNext,
        VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR);
    if (locations && locations->sampleLocationsEnable)
        return "sample locations";
    if (rectangles && rectangles->discardRectangleCount)
        return "discard rectangles";
    if (rate && (rate->fragmentSize.width > 1 || rate->fragmentSize.height > 1))
        return "fragment shading rates";
    if (r &&
        gv_walk_chained(
            r->pNext,
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT))
        return "conservative rasterization";
    return NULL;
}

// ---- creation ----

static struct gv_walk_pipeline *make(struct gv_vulkan *v, VkPipelineLayout layout,
                                     struct gv_error *err)
{
    struct gv_walk_pipeline *p = gv_arena_alloc(v->arena, sizeof *p);
    if (!p) {
        gv_cap_no_memory(&v->cap, err);
        return NULL;
    }
    p->layout = gv_cap_need(&v->cap, GV_VK_ID(layout), GV_CAP_PIPELINE_LAYOUT, err);
    return p->layout ? p : NULL;
}

// A stage's module may be gone when a draw first needs it, so it goes along: its member
// `module` is then the address of what the module holds.
static bool keep_modules(struct gv_vulkan *v,
                         const VkPipelineShaderStageCreateInfo *stages, uint32_t count,
                         struct gv_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        // The copy is ours.
        VkPipelineShaderStageCreateInfo *s =
            (VkPipelineShaderStageCreateInfo *)(uintptr_t)&stages[i];
        const VkShaderModuleCreateInfo *inline_one =
            gv_walk_chained(s->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
        struct gv_walk_module *m;
        if (!s->module && inline_one) {
            m = gv_arena_alloc(v->arena, sizeof *m);
            if (!m)
                return gv_cap_no_memory(&v->cap, err);
            *m = (struct gv_walk_module){ inline_one->pCode, inline_one->codeSize / 4 };
        } else {
            m = gv_cap_need(&v->cap, GV_VK_ID(s->module), GV_CAP_MODULE, err);
        }
        if (!m)
            return false;
        s->module = (VkShaderModule)(uintptr_t)m;
    }
    return true;
}

static bool make_graphics(struct gv_vulkan *v, const VkGraphicsPipelineCreateInfo *info,
                          uint64_t id, struct gv_error *err)
{
    struct gv_walk_pipeline *p;
    if (in_parts(info)) {
        p = gv_arena_alloc(v->arena, sizeof *p);
        if (!p)
            return gv_cap_no_memory(&v->cap, err);
        p->graphics = info;
        p->unsupported = "pipeline libraries";
        return gv_cap_keep(&v->cap, id, GV_CAP_PIPELINE, p, err);
    }
    p = make(v, info->layout, err);
    if (!p || !keep_modules(v, info->pStages, info->stageCount, err))
        return false;
    p->graphics = info;
    p->unsupported = refuse_state(info);
    const char *other = read_dynamic(info, &p->dynamic);
    p->unsupported = p->unsupported ? p->unsupported : other;
    other = gv_walk_read_fixed(v, info, &p->fixed);
    p->unsupported = p->unsupported ? p->unsupported : other;
    if (info->renderPass) {
        p->render_pass =
            gv_cap_need(&v->cap, GV_VK_ID(info->renderPass), GV_CAP_RENDER_PASS, err);
        if (!p->render_pass)
            return false;
    }
    return gv_cap_keep(&v->cap, id, GV_CAP_PIPELINE, p, err);
}

bool gv_walk_create_graphics(struct gv_vulkan *v, const struct gv_vk_call *call,
                             struct gv_error *err)
{
    const struct gv_vk_call *copy = gv_vk_call_copy(call, v->arena);
    if (!copy)
        return gv_cap_no_memory(&v->cap, err);
    const struct gv_vk_args_vkCreateGraphicsPipelines *a =
        GV_VK_ARGS(vkCreateGraphicsPipelines, copy);
    for (uint32_t i = 0; i < a->createInfoCount; i++)
        if (GV_VK_ID(a->pPipelines[i]) && // else it failed
            !make_graphics(v, &a->pCreateInfos[i], GV_VK_ID(a->pPipelines[i]), err))
            return false;
    return true;
}

bool gv_walk_create_compute(struct gv_vulkan *v, const struct gv_vk_call *call,
                            struct gv_error *err)
{
    const struct gv_vk_call *copy = gv_vk_call_copy(call, v->arena);
    if (!copy)
        return gv_cap_no_memory(&v->cap, err);
    const struct gv_vk_args_vkCreateComputePipelines *a =
        GV_VK_ARGS(vkCreateComputePipelines, copy);
    for (uint32_t i = 0; i < a->createInfoCount; i++) {
        const VkComputePipelineCreateInfo *info = &a->pCreateInfos[i];
        if (!GV_VK_ID(a->pPipelines[i]))
            continue;
        struct gv_walk_pipeline *p = make(v, info->layout, err);
        if (!p || !keep_modules(v, &info->stage, 1, err))
            return false;
        p->compute = info;
        if (!gv_cap_keep(&v->cap, GV_VK_ID(a->pPipelines[i]), GV_CAP_PIPELINE, p, err))
            return false;
    }
    return true;
}

// ---- what draws and dispatches need ----

bool gv_walk_prepare(struct gv_walk *w, struct gv_walk_pipeline *p,
                     struct gv_error *err)
{
    if (p->prepared)
        return true;
    p->prepared = true;
    if (p->unsupported) {
        gv_walk_unsupported(w, "%s", p->unsupported);
        return true;
    }
    if (!(p->compute ? gv_walk_shaders(w, p, &p->compute->stage, 1, err)
                     : gv_walk_shaders(w, p, p->graphics->pStages,
                                       p->graphics->stageCount, err)))
        return false;
    if (!p->compute || !p->interface)
        return true;
    struct gv_compute_desc *desc = gv_arena_alloc(&w->submission, sizeof *desc);
    if (!desc)
        return gv_cap_no_memory(w->cap, err);
    desc->interface = *p->interface;
    p->compute_pipeline = gv_builder_compute(w->b, desc, p->compute_shader);
    return true;
}

static uint8_t flag(VkBool32 value)
{
    return value != 0;
}

static void fill_depth(const struct gv_walk_dynamic *d, struct gv_walk_form *f)
{
    f->depth_test = flag(d->depth_test);
    f->depth_write = flag(d->depth_test && d->depth_write);
    f->depth_compare = d->depth_test ? (uint32_t)d->depth_compare : 0;
    f->bounds_test = flag(d->bounds_test);
    f->stencil_test = flag(d->stencil_test);
    for (uint32_t i = 0; i < 2 && f->stencil_test; i++) {
        const struct gv_walk_stencil *s = &d->stencil[i];
        const uint32_t ops[4] = { (uint32_t)s->fail, (uint32_t)s->pass,
                                  (uint32_t)s->depth_fail, (uint32_t)s->compare };
        memcpy(f->stencil[i], ops, sizeof ops);
    }
}

static void fill_blend(const struct gv_walk_blend *b, struct gv_walk_form *f,
                       uint32_t i)
{
    const VkColorBlendEquationEXT *e = &b->equation;
    const uint32_t mask = b->written ? b->mask & 15 : 0;
    const uint32_t values[7] = {
        (uint32_t)e->srcColorBlendFactor, (uint32_t)e->dstColorBlendFactor,
        (uint32_t)e->colorBlendOp,        (uint32_t)e->srcAlphaBlendFactor,
        (uint32_t)e->dstAlphaBlendFactor, (uint32_t)e->alphaBlendOp,
    };
    f->blend_enable[i] = flag(b->enable);
    if (b->enable)
        memcpy(f->blends[i], values, sizeof values);
    f->blends[i][6] = mask;
}

static void fill_targets(const struct gv_walk_pass *pass,
                         const struct gv_walk_dynamic *d, struct gv_walk_form *f)
{
    if (pass->depth.view) {
        f->depth_format = (uint32_t)pass->depth.view->format;
        fill_depth(d, f);
    }
    f->color_count = pass->color_count;
    for (uint32_t i = 0; i < pass->color_count; i++) {
        if (!pass->color[i].view)
            continue;
        f->colors[i] = (uint32_t)pass->color[i].view->format;
        if (i < d->blend_count)
            fill_blend(&d->blends[i], f, i);
    }
    f->logic_enable = flag(d->logic_enable);
    f->logic = d->logic_enable ? (uint32_t)d->logic : 0;
}

static void fill_raster(const struct gv_walk_dynamic *d, struct gv_walk_form *f)
{
    f->cull = d->cull;
    f->front = (uint32_t)d->front;
    f->viewport_count = d->viewport_count;
    f->discard = flag(d->discard);
    f->bias = flag(d->bias_enable);
    f->polygon = (uint32_t)d->polygon;
    f->clamp = flag(d->clamp);
    f->clip = d->clip == GV_WALK_NO_CLAMP ? flag(!d->clamp) : flag(d->clip);
    f->minus_one = flag(d->minus_one);
    f->provoking = d->provoking;
    f->line_mode = d->line_mode;
    f->stipple = flag(d->stipple);
    f->stream = (uint16_t)d->stream;
    f->samples = d->samples;
    f->sample_mask = d->sample_mask;
    f->coverage = flag(d->coverage);
    f->to_one = flag(d->to_one);
}

// Of pipelines that discard all, nobody says how many samples they have.
static uint32_t samples_of(const struct gv_walk_pass *p)
{
    if (p->depth.view)
        return (uint32_t)p->depth.image->info.samples;
    for (uint32_t i = 0; i < p->color_count; i++)
        if (p->color[i].view)
            return (uint32_t)p->color[i].image->info.samples;
    return 1;
}

static void fill_form(const struct gv_walk *w, const struct gv_walk_pipeline *p,
                      const struct gv_walk_dynamic *d, struct gv_walk_form *f)
{
    memset(f, 0, sizeof *f);
    f->input = d->input;
    f->topology = (uint32_t)d->topology;
    f->restart = flag(d->restart);
    if (d->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST) {
        f->control_points =
            d->control_points < 0xff ? (uint8_t)d->control_points : 0xff;
        f->origin = flag(d->origin);
    }
    fill_raster(d, f);
    if (d->discard)
        f->samples = samples_of(&w->pass);
    fill_targets(&w->pass, d, f);
    if (p->view_specs)
        f->view = (uint16_t)w->pass.view;
    if (GV_WALK_IS_DYNAMIC(p, VERTEX_INPUT_BINDING_STRIDE))
        for (uint32_t i = 0; i < GV_MAX_VERTEX_BINDINGS; i++)
            f->strides[i] = (uint16_t)w->state->vertices[i].stride;
}

bool gv_walk_variant(struct gv_walk *w, struct gv_walk_pipeline *p,
                     const struct gv_walk_dynamic *d,
                     const struct gv_walk_variant **out, struct gv_error *err)
{
    struct gv_walk_form form;
    *out = NULL;
    if (!gv_walk_prepare(w, p, err))
        return false;
    if (!p->interface)
        return true;
    fill_form(w, p, d, &form);
    for (struct gv_walk_variant *v = p->variants; v; v = v->next)
        if (!memcmp(&v->form, &form, sizeof form)) {
            *out = v->pipeline.id ? v : NULL;
            return true;
        }
    struct gv_walk_variant *v = gv_arena_alloc(w->arena, sizeof *v);
    struct gv_graphics_desc *desc = gv_arena_alloc(&w->submission, sizeof *desc);
    if (!v || !desc)
        return gv_cap_no_memory(w->cap, err);
    v->form = form;
    v->next = p->variants;
    p->variants = v;
    if (!gv_walk_describe(w, p, v, desc))
        return true;
    desc->interface = *p->interface;
    for (uint32_t i = 0; i < desc->interface.spec_constant_count; i++)
        if (p->view_specs >> i & 1)
            desc->interface.spec_constants[i].value = form.view;
    v->pipeline = gv_builder_graphics(w->b, desc, &p->shaders);
    *out = v->pipeline.id ? v : NULL;
    return true;
}
