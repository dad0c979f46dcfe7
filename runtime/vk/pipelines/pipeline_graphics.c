// A graphics pipeline from its description.
#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/pipelines/color_blend.h"
#include "runtime/vk/pipelines/graphics_check.h"
#include "runtime/vk/pipelines/pipeline.h"
#include "runtime/vk/pipelines/quads.h"
#include "runtime/vk/pipelines/vertex_input.h"
#include "vm/formats.h"

#include <string.h>

// Every part of a VkGraphicsPipelineCreateInfo; pointers go from one to another, so a
// struct of them stays where it was filled.
struct parts {
    VkPipelineShaderStageCreateInfo stages[5];
    struct gv_vk_specialization specializations[5];
    uint32_t stage_count;
    struct gv_vk_vertex_input vertex_input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkPipelineTessellationDomainOriginStateCreateInfo origin;
    VkPipelineTessellationStateCreateInfo tessellation;
    VkPipelineViewportDepthClipControlCreateInfoEXT clip_control;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineRasterizationDepthClipStateCreateInfoEXT clip;
    VkPipelineRasterizationLineStateCreateInfoEXT line;
    VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking;
    VkPipelineRasterizationStateStreamCreateInfoEXT stream;
    VkPipelineRasterizationStateCreateInfo raster;
    VkSampleMask sample_mask;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkPipelineDepthStencilStateCreateInfo depth_stencil;
    VkPipelineColorBlendAttachmentState blend[GV_MAX_COLOR_ATTACHMENTS];
    VkPipelineColorBlendStateCreateInfo color_blend;
    VkDynamicState dynamic_states[16];
    VkPipelineDynamicStateCreateInfo dynamic;
    VkFormat color_formats[GV_MAX_COLOR_ATTACHMENTS];
    VkPipelineRenderingCreateInfo rendering;
};

static void fill_stages(struct parts *s, const struct gv_graphics_desc *d,
                        const struct gv_vk_shader *const shaders[5])
{
    for (uint32_t i = 0; i < 5; i++) {
        if (!shaders[i])
            continue;
        struct gv_vk_specialization *spec = &s->specializations[s->stage_count];
        // The patches of tessellation evaluation are those that control has written.
        const struct gv_vk_given given = {
            i == 2 && shaders[1] ? shaders[1]->checked->module.output_vertices
                                 : d->patch_control_points,
            d->samples,
        };
        gv_vk_specialize(&d->interface, shaders[i], &given, spec);
        s->stages[s->stage_count++] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = (VkShaderStageFlagBits)(1u << i),
            .module = shaders[i]->handle,
            .pName = "main",
            .pSpecializationInfo = spec->info.mapEntryCount ? &spec->info : NULL,
        };
    }
}

// Vertices of a primitive of a list; 0: not a list.
static uint32_t list_vertices(const struct gv_graphics_desc *d)
{
    switch (d->topology) {
    case GV_TOPOLOGY_POINT_LIST:
        return 1;
    case GV_TOPOLOGY_LINE_LIST:
        return 2;
    case GV_TOPOLOGY_TRIANGLE_LIST:
        return 3;
    case GV_TOPOLOGY_LINE_LIST_ADJACENCY:
        return 4;
    case GV_TOPOLOGY_TRIANGLE_LIST_ADJACENCY:
        return 6;
    case GV_TOPOLOGY_PATCH_LIST:
        return d->patch_control_points;
    default:
        return 0;
    }
}

// What of the assembly the runtime does itself.
static void choose_assembly(struct gv_vk_pipeline *p, const struct gv_vk_device *device,
                            const struct gv_graphics_desc *d)
{
    const VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT *f =
        &device->features.primitive_topology_list_restart;
    p->primitive_restart = d->primitive_restart;
    p->assembly_vertices = list_vertices(d);
    bool restarts = d->topology == GV_TOPOLOGY_PATCH_LIST
                        ? f->primitiveTopologyPatchListRestart
                        : f->primitiveTopologyListRestart;
    if (d->primitive_restart && p->assembly_vertices && !restarts)
        p->assembly = GV_VK_ASSEMBLY_LIST;
    if (d->topology == GV_TOPOLOGY_TRIANGLE_FAN && gv_vk_lacks(device, "triangleFans"))
        p->assembly = d->provoking_vertex == GV_PROVOKING_VERTEX_LAST
                          ? GV_VK_ASSEMBLY_FAN_LAST
                          : GV_VK_ASSEMBLY_FAN;
}

static void fill_assembly(struct parts *s, const struct gv_vk_pipeline *p,
                          const struct gv_graphics_desc *d)
{
    bool fan = gv_vk_assembles_fan((enum gv_vk_assembly)p->assembly);
    s->assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = fan ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                        : (VkPrimitiveTopology)d->topology,
        .primitiveRestartEnable = d->primitive_restart && !p->assembly,
    };
    s->origin = (VkPipelineTessellationDomainOriginStateCreateInfo){
        .sType =
            VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
        .domainOrigin = (VkTessellationDomainOrigin)d->tessellation_origin,
    };
    s->tessellation = (VkPipelineTessellationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .pNext = &s->origin,
        .patchControlPoints = d->patch_control_points,
    };
}

// Links an extension struct into the chain of the rasterisation state.
static void chain(struct parts *s, void *extension, const void **next)
{
    *next = s->raster.pNext;
    s->raster.pNext = extension;
}

// Smooth lines fall off in alpha. lavapipe (Mesa 22.3) crashes where the shader writes
// none; without it they look like rectangular ones.
static uint32_t line_mode(const struct gv_vk_device *device,
                          const struct gv_graphics_desc *d,
                          const struct gv_spirv_module *fragment)
{
    bool alpha = fragment && fragment->outputs.slots[0].mask == 0xf;
    bool fragile = device->properties12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
    if (gv_vk_smooths_lines(device, d) && gv_vk_lacks(device, "smoothLines"))
        return GV_LINE_MODE_DEFAULT;
    if (d->line_mode == GV_LINE_MODE_RECTANGULAR_SMOOTH && fragile && !alpha)
        return GV_LINE_MODE_RECTANGULAR;
    return d->line_mode;
}

// Extension structs appear only where they say something: a device without the
// extension must not see them.
static void chain_raster(struct parts *s, const struct gv_graphics_desc *d,
                         uint32_t mode)
{
    if (d->depth_clip == d->depth_clamp) {
        s->clip = (VkPipelineRasterizationDepthClipStateCreateInfoEXT){
            .sType =
                VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
            .depthClipEnable = d->depth_clip,
        };
        chain(s, &s->clip, &s->clip.pNext);
    }
    if (mode != GV_LINE_MODE_DEFAULT || d->line_stipple) {
        s->line = (VkPipelineRasterizationLineStateCreateInfoEXT){
            .sType =
                VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
            .lineRasterizationMode = (VkLineRasterizationModeEXT)mode,
            .stippledLineEnable = d->line_stipple,
            .lineStippleFactor = 1,
        };
        chain(s, &s->line, &s->line.pNext);
    }
    if (d->provoking_vertex != GV_PROVOKING_VERTEX_FIRST) {
        s->provoking = (VkPipelineRasterizationProvokingVertexStateCreateInfoEXT){
            .sType =
                VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
            .provokingVertexMode = (VkProvokingVertexModeEXT)d->provoking_vertex,
        };
        chain(s, &s->provoking, &s->provoking.pNext);
    }
    if (d->rasterization_stream) {
        s->stream = (VkPipelineRasterizationStateStreamCreateInfoEXT){
            .sType =
                VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
            .rasterizationStream = d->rasterization_stream,
        };
        chain(s, &s->stream, &s->stream.pNext);
    }
}

static void fill_raster(struct parts *s, const struct gv_vk_device *device,
                        const struct gv_graphics_desc *d,
                        const struct gv_spirv_module *fragment)
{
    // Coverage follows the alpha of output 0; where there is none it stays.
    bool alpha = fragment && (fragment->outputs.slots[0].mask & 8);
    s->clip_control = (VkPipelineViewportDepthClipControlCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
        .negativeOneToOne = d->negative_one_to_one,
    };
    s->viewport = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .pNext = d->negative_one_to_one ? &s->clip_control : NULL,
    };
    s->raster = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .depthClampEnable = d->depth_clamp,
        .rasterizerDiscardEnable = d->rasterizer_discard,
        .polygonMode = (VkPolygonMode)d->polygon_mode,
        .cullMode = (VkCullModeFlags)d->cull,
        .frontFace = (VkFrontFace)d->front_face,
        .depthBiasEnable = d->depth_bias,
        .lineWidth = 1,
    };
    chain_raster(s, d, line_mode(device, d, fragment));
    s->sample_mask = d->sample_mask;
    s->multisample = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = (VkSampleCountFlagBits)d->samples,
        .sampleShadingEnable = d->sample_shading,
        .minSampleShading = d->min_sample_shading,
        .pSampleMask = &s->sample_mask,
        .alphaToCoverageEnable = d->alpha_to_coverage && alpha,
        .alphaToOneEnable = d->alpha_to_one,
    };
}

static VkStencilOpState stencil(const struct gv_stencil_desc *d)
{
    return (VkStencilOpState){
        .failOp = (VkStencilOp)d->fail_op,
        .passOp = (VkStencilOp)d->pass_op,
        .depthFailOp = (VkStencilOp)d->depth_fail_op,
        .compareOp = (VkCompareOp)d->compare,
    };
}

static void fill_depth_stencil(struct parts *s, const struct gv_graphics_desc *d)
{
    s->depth_stencil = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = d->depth_test,
        .depthWriteEnable = d->depth_write,
        .depthCompareOp = (VkCompareOp)d->depth_compare,
        .depthBoundsTestEnable = d->depth_bounds,
        .stencilTestEnable = d->stencil_test,
        .front = stencil(&d->front),
        .back = stencil(&d->back),
    };
}

// A format that images are kept in instead may have more components than their own,
// which are to stay what the lack of them reads as.
static VkColorComponentFlags components_of(const struct gv_vk_device *device,
                                           uint32_t format)
{
    static const char order[] = "RGBA";
    const struct gv_format_info *info = gv_format_info(format);
    VkColorComponentFlags mask = 0;
    if (!info || gv_vk_device_format(device, (VkFormat)format) == (VkFormat)format)
        return 15;
    for (uint32_t i = 0; i < 4; i++)
        if (strchr(info->components, order[i]))
            mask |= 1u << i;
    return mask;
}

static void fill_blend(struct parts *s, const struct gv_vk_device *device,
                       const struct gv_graphics_desc *d,
                       const struct gv_spirv_module *fragment)
{
    gv_vk_color_blend(s->blend, d, fragment, gv_vk_has(device, "independentBlend"));
    for (uint32_t i = 0; i < d->color_count; i++)
        s->blend[i].colorWriteMask &= components_of(device, d->color_formats[i]);
    s->color_blend = (VkPipelineColorBlendStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .logicOpEnable = d->logic_op_enable,
        .logicOp = (VkLogicOp)d->logic_op,
        .attachmentCount = d->color_count,
        .pAttachments = s->blend,
    };
}

static void fill_rendering(struct parts *s, const struct gv_vk_device *device,
                           const struct gv_graphics_desc *d)
{
    const struct gv_format_info *info = gv_format_info(d->depth_stencil_format);
    uint32_t aspects = info ? info->aspects : 0;
    VkFormat format = gv_vk_device_format(device, (VkFormat)d->depth_stencil_format);
    for (uint32_t i = 0; i < d->color_count; i++)
        s->color_formats[i] =
            gv_vk_device_format(device, (VkFormat)d->color_formats[i]);
    s->rendering = (VkPipelineRenderingCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = d->color_count,
        .pColorAttachmentFormats = s->color_formats,
        .depthAttachmentFormat =
            aspects & GV_ASPECT_DEPTH ? format : VK_FORMAT_UNDEFINED,
        .stencilAttachmentFormat =
            aspects & GV_ASPECT_STENCIL ? format : VK_FORMAT_UNDEFINED,
    };
}

// One list for all pipelines, so that switching them never undoes dynamic state. Only
// the strides (bound anew for each pipeline) are left out where no buffer is read.
static void fill_dynamic(struct parts *s, const struct gv_vk_device *device)
{
    static const VkDynamicState states[] = {
        VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
        VK_DYNAMIC_STATE_BLEND_CONSTANTS,     VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
        VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,  VK_DYNAMIC_STATE_STENCIL_REFERENCE,
        VK_DYNAMIC_STATE_DEPTH_BIAS,          VK_DYNAMIC_STATE_LINE_WIDTH,
        VK_DYNAMIC_STATE_DEPTH_BOUNDS,
    };
    uint32_t count = sizeof states / sizeof *states;
    memcpy(s->dynamic_states, states, sizeof states);
    if (device->extensions.line_rasterization)
        s->dynamic_states[count++] = VK_DYNAMIC_STATE_LINE_STIPPLE_EXT;
    if (s->vertex_input.binding_count)
        s->dynamic_states[count++] = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
    s->dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = count,
        .pDynamicStates = s->dynamic_states,
    };
}

static bool create(const struct gv_vk_device *device, struct gv_vk_pipeline *p,
                   struct parts *s, struct gv_error *err)
{
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &s->rendering,
        .stageCount = s->stage_count,
        .pStages = s->stages,
        .pVertexInputState = &s->vertex_input.state,
        .pInputAssemblyState = &s->assembly,
        .pTessellationState =
            s->tessellation.patchControlPoints ? &s->tessellation : NULL,
        .pViewportState = &s->viewport,
        .pRasterizationState = &s->raster,
        .pMultisampleState = &s->multisample,
        .pDepthStencilState = &s->depth_stencil,
        .pColorBlendState = &s->color_blend,
        .pDynamicState = &s->dynamic,
        .layout = p->layout->handle,
        .basePipelineIndex = -1,
    };
    return gv_vk_ok(vkCreateGraphicsPipelines(device->handle, device->pipeline_cache, 1,
                                              &info, NULL, &p->handle),
                    "vkCreateGraphicsPipelines", err);
}

// Of triangles their edges may be lines.
static bool draws_lines(const struct gv_graphics_desc *d,
                        const struct gv_spirv_module *const modules[5])
{
    const struct gv_spirv_module *last = modules[3] ? modules[3] : modules[2];
    bool points = d->topology == GV_TOPOLOGY_POINT_LIST;
    bool lines = d->topology == GV_TOPOLOGY_LINE_LIST ||
                 d->topology == GV_TOPOLOGY_LINE_STRIP ||
                 d->topology == GV_TOPOLOGY_LINE_LIST_ADJACENCY ||
                 d->topology == GV_TOPOLOGY_LINE_STRIP_ADJACENCY;
    if (last) {
        points = last->output_primitive == GV_SPIRV_POINTS;
        lines = last->output_primitive == GV_SPIRV_LINES;
    }
    return lines || (!points && d->polygon_mode == GV_POLYGON_MODE_LINE);
}

// Whether each draw is to find what the last one left as its format holds it.
static bool rounds(const struct gv_vk_device *device, const struct gv_graphics_desc *d)
{
    for (uint32_t i = 0; i < d->color_count; i++) {
        const VkFormat format = (VkFormat)d->color_formats[i];
        if (d->blend[i].enable && gv_vk_device_format(device, format) != format)
            return true;
    }
    return false;
}

static void remember(const struct gv_vk_device *device, struct gv_vk_pipeline *p,
                     const struct gv_graphics_desc *d,
                     const struct gv_spirv_module *const modules[5],
                     const struct gv_vk_shader *vertex)
{
    p->bind_point = VK_PIPELINE_BIND_POINT_GRAPHICS;
    p->viewport_count = d->viewport_count;
    memcpy(p->color_formats, d->color_formats, sizeof p->color_formats);
    p->color_count = d->color_count;
    p->depth_stencil_format = d->depth_stencil_format;
    p->samples = d->samples;
    p->rasterizer_discard = d->rasterizer_discard;
    p->draws_lines = !device->thins_lines && draws_lines(d, modules);
    const struct gv_spirv_module *last = modules[3]   ? modules[3]
                                         : modules[2] ? modules[2]
                                                      : modules[0];
    p->feedback_buffers = last->feedback_buffers;
    p->pushes_draw_parameters = vertex->checked->pushes_draw_parameters;
}

bool gv_vk_pipeline_make_graphics(struct gv_runtime *rt, struct gv_vk_pipeline *p,
                                  const struct gv_graphics_desc *desc,
                                  const struct gv_vk_shader *const shaders[5],
                                  struct gv_error *err)
{
    const struct gv_spirv_module *modules[5];
    for (int i = 0; i < 5; i++)
        modules[i] = shaders[i] ? &shaders[i]->checked->module : NULL;
    struct parts s = { .stage_count = 0 };
    if (!gv_vk_graphics_check(rt->device, desc, modules, err) ||
        !gv_vk_vertex_input(rt, p, desc, modules[0], &s.vertex_input, err))
        return false;
    fill_stages(&s, desc, shaders);
    choose_assembly(p, rt->device, desc);
    fill_assembly(&s, p, desc);
    fill_raster(&s, rt->device, desc, modules[4]);
    fill_depth_stencil(&s, desc);
    fill_blend(&s, rt->device, desc, modules[4]);
    fill_rendering(&s, rt->device, desc);
    fill_dynamic(&s, rt->device);
    p->rounds = rounds(rt->device, desc);
    remember(rt->device, p, desc, modules, shaders[0]);
    return create(rt->device, p, &s, err);
}
