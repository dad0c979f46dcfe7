#include "compiler/vulkan/walk_pipeline.h"

#include "compiler/vulkan/api/vk_table.h"

#include <string.h>

uint32_t gv_walk_dynamic_bit(VkDynamicState state)
{
    const uint32_t s = (uint32_t)state;
    const uint32_t first = VK_DYNAMIC_STATE_CULL_MODE;
    const uint32_t second = VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT;
    if (s <= VK_DYNAMIC_STATE_STENCIL_REFERENCE)
        return s;
    if (s >= first && s <= VK_DYNAMIC_STATE_STENCIL_OP)
        return 16 + s - first;
    if (s >= second && s <= VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE)
        return 32 + s - second;
    return s == VK_DYNAMIC_STATE_LINE_STIPPLE_EXT ? 40 : 64;
}

// ---- state that is not dynamic ----

static struct gv_walk_stencil read_face(const VkStencilOpState *s)
{
    return (struct gv_walk_stencil){
        .compare_mask = s->compareMask,
        .write_mask = s->writeMask,
        .reference = s->reference,
        .fail = s->failOp,
        .pass = s->passOp,
        .depth_fail = s->depthFailOp,
        .compare = s->compareOp,
    };
}

static const char *read_viewports(const VkPipelineViewportStateCreateInfo *s,
                                  struct gv_walk_dynamic *d)
{
    if (s->viewportCount > GV_MAX_VIEWPORTS || s->scissorCount > GV_MAX_VIEWPORTS)
        return "more than 16 viewports";
    d->viewport_count = s->viewportCount;
    d->scissor_count = s->scissorCount;
    if (s->pViewports)
        memcpy(d->viewports, s->pViewports, s->viewportCount * sizeof d->viewports[0]);
    if (s->pScissors)
        memcpy(d->scissors, s->pScissors, s->scissorCount * sizeof d->scissors[0]);
    return NULL;
}

static void read_raster(const VkPipelineRasterizationStateCreateInfo *s,
                        struct gv_walk_dynamic *d)
{
    const VkPipelineRasterizationLineStateCreateInfoEXT *line = gv_walk_chained(
        s->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
    d->line_width = s->lineWidth;
    d->bias[0] = s->depthBiasConstantFactor;
    d->bias[1] = s->depthBiasClamp;
    d->bias[2] = s->depthBiasSlopeFactor;
    d->cull = s->cullMode;
    d->front = s->frontFace;
    d->discard = s->rasterizerDiscardEnable;
    d->bias_enable = s->depthBiasEnable;
    d->stipple_factor = line && line->stippledLineEnable ? line->lineStippleFactor : 1;
    d->stipple_pattern = line ? line->lineStipplePattern : 0xffff;
}

static void read_depth(const VkPipelineDepthStencilStateCreateInfo *s,
                       struct gv_walk_dynamic *d)
{
    d->depth_test = s->depthTestEnable;
    d->depth_write = s->depthWriteEnable;
    d->depth_compare = s->depthCompareOp;
    d->bounds_test = s->depthBoundsTestEnable;
    d->stencil_test = s->stencilTestEnable;
    d->stencil[0] = read_face(&s->front);
    d->stencil[1] = read_face(&s->back);
    d->bounds[0] = s->minDepthBounds;
    d->bounds[1] = s->maxDepthBounds;
}

static const char *read_fixed(const VkGraphicsPipelineCreateInfo *info,
                              struct gv_walk_dynamic *d)
{
    if (info->pInputAssemblyState) {
        d->topology = info->pInputAssemblyState->topology;
        d->restart = info->pInputAssemblyState->primitiveRestartEnable;
    }
    if (info->pTessellationState)
        d->control_points = info->pTessellationState->patchControlPoints;
    if (info->pRasterizationState)
        read_raster(info->pRasterizationState, d);
    if (info->pDepthStencilState)
        read_depth(info->pDepthStencilState, d);
    if (info->pColorBlendState) {
        memcpy(d->blend, info->pColorBlendState->blendConstants, sizeof d->blend);
        d->logic = info->pColorBlendState->logicOp;
    }
    return info->pViewportState ? read_viewports(info->pViewportState, d) : NULL;
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

static const char *refuse_parts(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRasterizationStateCreateInfo *r = info->pRasterizationState;
    if (info->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR ||
        gv_walk_chained(info->pNext,
                        VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR))
        return "pipeline libraries";
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
    struct gv_walk_pipeline *p = make(v, info->layout, err);
    if (!p || !keep_modules(v, info->pStages, info->stageCount, err))
        return false;
    p->graphics = info;
    p->unsupported = refuse_parts(info);
    const char *other = read_dynamic(info, &p->dynamic);
    p->unsupported = p->unsupported ? p->unsupported : other;
    other = read_fixed(info, &p->fixed);
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

static void fill_form(const struct gv_walk *w, const struct gv_walk_pipeline *p,
                      const struct gv_walk_dynamic *d, struct gv_walk_form *f)
{
    const struct gv_walk_pass *pass = &w->pass;
    memset(f, 0, sizeof *f);
    f->topology = (uint32_t)d->topology;
    f->cull = d->cull;
    f->front = (uint32_t)d->front;
    f->viewport_count = d->viewport_count;
    if (d->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
        f->control_points =
            d->control_points < 0xff ? (uint8_t)d->control_points : 0xff;
    f->logic = (uint32_t)d->logic;
    f->restart = d->restart != 0;
    f->discard = d->discard != 0;
    f->bias = d->bias_enable != 0;
    if (pass->depth.view) {
        f->depth_format = (uint32_t)pass->depth.view->format;
        f->depth_test = d->depth_test != 0;
        f->depth_write = d->depth_test && d->depth_write;
        f->depth_compare = d->depth_test ? (uint32_t)d->depth_compare : 0;
        f->bounds_test = d->bounds_test != 0;
        f->stencil_test = d->stencil_test != 0;
    }
    for (uint32_t i = 0; i < 2 && f->stencil_test; i++) {
        const struct gv_walk_stencil *s = &d->stencil[i];
        const uint32_t ops[4] = { (uint32_t)s->fail, (uint32_t)s->pass,
                                  (uint32_t)s->depth_fail, (uint32_t)s->compare };
        memcpy(f->stencil[i], ops, sizeof ops);
    }
    f->color_count = pass->color_count;
    for (uint32_t i = 0; i < pass->color_count; i++)
        if (pass->color[i].view)
            f->colors[i] = (uint32_t)pass->color[i].view->format;
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
    v->pipeline = gv_builder_graphics(w->b, desc, &p->shaders);
    *out = v->pipeline.id ? v : NULL;
    return true;
}
