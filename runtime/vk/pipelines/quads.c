#include "runtime/vk/pipelines/quads.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "vm/spirv/point_size.h"

#include <stdlib.h>
#include <string.h>

// ---- whether ----

static bool is_sized(const struct gv_vk_shader *shader)
{
    return gv_point_traits(shader->checked->words, shader->checked->count * 4) &
           GV_POINTS_SIZED;
}

// What a corner's shader cannot do as the vertex's does: write what is captured, choose
// the viewport whose size counts.
static bool is_fixed(const struct gv_graphics_desc *desc,
                     const struct gv_vk_shader *const shaders[5])
{
    return shaders[2] || shaders[3] || desc->viewport_count > 1 ||
           shaders[0]->checked->module.feedback_buffers;
}

bool gv_vk_quads_want_points(const struct gv_vk_device *device,
                             const struct gv_graphics_desc *desc,
                             const struct gv_vk_shader *const shaders[5], bool *wanted,
                             struct gv_error *err)
{
    const struct gv_vk_shader *last = shaders[3]   ? shaders[3]
                                      : shaders[2] ? shaders[2]
                                                   : shaders[0];
    *wanted = false;
    bool points = desc->topology == GV_TOPOLOGY_POINT_LIST || last != shaders[0] ||
                  (desc->polygon_mode == GV_POLYGON_MODE_POINT &&
                   !gv_topology_is_line(desc->topology));
    if (device->features.core.features.largePoints || desc->rasterizer_discard ||
        !points || !is_sized(last))
        return true;
    if (last != shaders[0] &&
        !(gv_point_traits(last->checked->words, last->checked->count * 4) &
          GV_POINTS_MADE))
        return true;
    *wanted = desc->topology == GV_TOPOLOGY_POINT_LIST && !is_fixed(desc, shaders);
    return *wanted || gv_vk_require(device, "largePoints", err);
}

bool gv_vk_smooths_lines(const struct gv_vk_device *device,
                         const struct gv_graphics_desc *desc)
{
    return device->smooths_lines && !desc->line_stipple &&
           desc->line_mode == GV_LINE_MODE_RECTANGULAR_SMOOTH;
}

bool gv_vk_quads_want_lines(const struct gv_vk_device *device,
                            const struct gv_graphics_desc *desc,
                            const struct gv_vk_shader *const shaders[5])
{
    bool lines = desc->topology == GV_TOPOLOGY_LINE_LIST ||
                 desc->topology == GV_TOPOLOGY_LINE_STRIP;
    bool smooth = gv_vk_smooths_lines(device, desc);
    bool plain = desc->line_mode == GV_LINE_MODE_DEFAULT ||
                 desc->line_mode == GV_LINE_MODE_RECTANGULAR;
    return (smooth || (device->widens_lines && plain)) && lines &&
           !desc->line_stipple && !desc->rasterizer_discard && !is_fixed(desc, shaders);
}

// ---- locations ----

static uint32_t most_inputs(const struct gv_vk_device *device)
{
    uint32_t most = GV_VK_LIMITS(device)->maxVertexInputAttributes;
    return most < GV_MAX_LOCATIONS ? most : GV_MAX_LOCATIONS;
}

static bool place_inputs(const struct gv_vk_device *device,
                         const struct gv_spirv_module *vertex,
                         const struct gv_spirv_sprite *reads, struct gv_spirv_quads *q,
                         struct gv_error *err)
{
    uint32_t most = most_inputs(device), end = 0, next = 0;
    uint64_t taken = 0;
    for (uint32_t i = 0; i < GV_MAX_LOCATIONS; i++)
        if (vertex->inputs.slots[i].mask) {
            taken |= UINT64_C(1) << i;
            end = i + 1;
        }
    q->second = end;
    if (q->ends == 2)
        taken = (UINT64_C(1) << 2 * end) - 1;
    const bool wanted[GV_QUAD_INPUTS] = { true, reads->numbers, reads->bases,
                                          gv_spirv_quads_smooth(q) };
    for (int i = 0; i < GV_QUAD_INPUTS; i++) {
        q->record[i] = GV_SPIRV_UNSET;
        while (wanted[i] && (taken >> next & 1))
            next++;
        if (wanted[i])
            q->record[i] = next++;
    }
    return next <= most ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "%s of other sizes than one pixel take %u vertex inputs here, the "
                   "device allows %u",
                   q->ends == 1 ? "points" : "lines", next, most);
}

// A location from `from` on that neither stage has, or GV_SPIRV_UNSET.
static uint32_t free_location(const struct gv_vk_device *device,
                              const struct gv_vk_quad_parts *parts, uint32_t from)
{
    const VkPhysicalDeviceLimits *l = GV_VK_LIMITS(device);
    const struct gv_spirv_module *vertex = &parts->shaders[0]->checked->module;
    const struct gv_spirv_module *fragment = &parts->shaders[4]->checked->module;
    for (uint32_t i = from;
         i < GV_MAX_LOCATIONS && i < l->maxVertexOutputComponents / 4 &&
         i < l->maxFragmentInputComponents / 4;
         i++)
        if (!vertex->outputs.slots[i].mask && !fragment->inputs.slots[i].mask)
            return i;
    return GV_SPIRV_UNSET;
}

static bool place_point_coord(const struct gv_vk_device *device,
                              struct gv_vk_quad_parts *parts, struct gv_error *err)
{
    parts->quads.point_coord = free_location(device, parts, 0);
    return parts->quads.point_coord != GV_SPIRV_UNSET ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "no location left for PointCoord of points that the device lacks");
}

// Without two locations left edges stay hard.
static void place_smooth(const struct gv_vk_device *device,
                         struct gv_vk_quad_parts *parts)
{
    const uint32_t ends = free_location(device, parts, 0);
    const uint32_t width = free_location(device, parts, ends + 1);
    if (ends != GV_SPIRV_UNSET && width != GV_SPIRV_UNSET) {
        parts->quads.smooth_ends = ends;
        parts->quads.smooth_width = width;
    }
}

// ---- parts ----

// Puts a shader of our own in the place of the vertex's (0) or the fragment's (4).
static bool rewrite_shader(const struct gv_vk_device *device,
                           const struct gv_vk_pipelines *pipelines,
                           struct gv_vk_quad_parts *parts, uint32_t stage,
                           struct gv_error *err)
{
    const struct gv_spirv_quads *quads = &parts->quads;
    const struct gv_spirv_checked *from = parts->shaders[stage]->checked;
    struct gv_vk_shader *to = &parts->own[stage != 0];
    struct gv_error invalid = GV_ERROR_INIT;
    uint32_t *words = NULL;
    size_t count = 0;
    if (!(!stage             ? gv_spirv_quad_vertex
          : quads->ends == 2 ? gv_spirv_smooth_fragment
                             : gv_spirv_quad_fragment)(from->words, from->count, quads,
                                                       &words, &count, err))
        return false;
    const struct gv_spirv_checked *checked =
        gv_spirv_check(pipelines->checker, words, count * 4, &invalid);
    free(words);
    if (!checked)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: %s of other sizes by this shader: %s",
                       quads->ends == 1 ? "points" : "lines", invalid.message);
    parts->shaders[stage] = to;
    return gv_vk_shader_init(device, to, checked, err);
}

// Quads are filled, face us, and have none of what polygons alone have.
static void adapt_desc(struct gv_graphics_desc *d)
{
    d->topology = GV_TOPOLOGY_TRIANGLE_STRIP;
    d->primitive_restart = false;
    d->polygon_mode = GV_POLYGON_MODE_FILL;
    d->cull = 0;
    d->front_face = GV_FRONT_FACE_CLOCKWISE;
    d->depth_bias = false;
    d->line_mode = GV_LINE_MODE_DEFAULT;
    d->line_stipple = false;
    d->provoking_vertex = GV_PROVOKING_VERTEX_FIRST;
}

static bool fill_parts(const struct gv_vk_device *device,
                       const struct gv_vk_pipelines *pipelines,
                       const struct gv_graphics_desc *desc,
                       struct gv_vk_quad_parts *parts, struct gv_error *err)
{
    struct gv_spirv_quads *q = &parts->quads;
    const struct gv_vk_shader *vertex = parts->shaders[0];
    const struct gv_vk_shader *fragment = parts->shaders[4];
    struct gv_spirv_sprite reads = { 0 }, sprite = { 0 };
    if (!gv_spirv_sprite(vertex->checked->words, vertex->checked->count, &reads, err) ||
        (fragment && !gv_spirv_sprite(fragment->checked->words,
                                      fragment->checked->count, &sprite, err)) ||
        (sprite.primitive &&
         !gv_vk_require(device, q->ends == 1 ? "largePoints" : "wideLines", err)) ||
        (q->ends == 1 && sprite.point_coord && !place_point_coord(device, parts, err)))
        return false;
    if (q->ends == 2 && sprite.alpha && gv_vk_smooths_lines(device, desc))
        place_smooth(device, parts);
    if (!place_inputs(device, &vertex->checked->module, &reads, q, err))
        return false;
    q->flat = sprite.flat;
    q->flat_last = desc->provoking_vertex == GV_PROVOKING_VERTEX_LAST;
    if (!rewrite_shader(device, pipelines, parts, 0, err))
        return false;
    return !fragment || (q->ends == 2 && !gv_spirv_quads_smooth(q)) ||
           rewrite_shader(device, pipelines, parts, 4, err);
}

bool gv_vk_quads_init(struct gv_runtime *rt, const struct gv_graphics_desc *desc,
                      const struct gv_vk_shader *const shaders[5],
                      struct gv_vk_quad_parts *parts, struct gv_error *err)
{
    *parts = (struct gv_vk_quad_parts){
        .quads = { .ends = parts->quads.ends,
                   .point_coord = GV_SPIRV_UNSET,
                   .smooth_ends = GV_SPIRV_UNSET },
        .desc = *desc,
    };
    for (int i = 0; i < 5; i++)
        parts->shaders[i] = shaders[i];
    adapt_desc(&parts->desc);
    if (fill_parts(rt->device, rt->pipelines, desc, parts, err))
        return true;
    gv_vk_quads_finish(rt->device, parts);
    return false;
}

void gv_vk_quads_finish(const struct gv_vk_device *device,
                        struct gv_vk_quad_parts *parts)
{
    for (int i = 0; i < 2; i++)
        vkDestroyShaderModule(device->handle, parts->own[i].handle, NULL);
    memset(parts->own, 0, sizeof parts->own);
}

// ---- vertex input ----

uint64_t gv_vk_quads_locations(const struct gv_vk_pipeline *p,
                               const struct gv_spirv_module *vertex)
{
    const struct gv_spirv_quads *q = &p->quads;
    uint64_t bits = 0;
    if (!q->ends)
        return 0;
    for (uint32_t i = 0; i < GV_MAX_LOCATIONS; i++)
        if (vertex->inputs.slots[i].mask && q->ends == 2 && i >= q->second)
            bits |= UINT64_C(1) << i;
    for (int i = 0; i < GV_QUAD_INPUTS; i++)
        if (q->record[i] != GV_SPIRV_UNSET)
            bits |= UINT64_C(1) << q->record[i];
    return bits;
}

static void add_record(const struct gv_spirv_quads *q, struct gv_vk_vertex_input *out)
{
    for (uint32_t i = 0; i < GV_QUAD_INPUTS; i++)
        if (q->record[i] != GV_SPIRV_UNSET)
            out->attributes[out->attribute_count++] =
                (VkVertexInputAttributeDescription){ q->record[i], out->binding_count,
                                                     i == 0 || i == GV_QUAD_VIEW
                                                         ? VK_FORMAT_R32G32B32A32_SFLOAT
                                                         : VK_FORMAT_R32G32B32A32_SINT,
                                                     i * 16 };
    out->bindings[out->binding_count] =
        (VkVertexInputBindingDescription){ out->binding_count, 0,
                                           VK_VERTEX_INPUT_RATE_INSTANCE };
    out->binding_count++;
}

// The last vertex's: each binding once more.
static void add_second(const struct gv_spirv_quads *q, struct gv_vk_vertex_input *out)
{
    uint32_t bindings = out->binding_count, attributes = out->attribute_count;
    for (uint32_t i = 0; i < bindings; i++) {
        out->bindings[bindings + i] = out->bindings[i];
        out->bindings[bindings + i].binding = bindings + i;
    }
    for (uint32_t i = 0; i < attributes; i++) {
        VkVertexInputAttributeDescription a = out->attributes[i];
        a.location += q->second;
        a.binding += bindings;
        out->attributes[attributes + i] = a;
    }
    out->binding_count *= 2;
    out->attribute_count *= 2;
}

bool gv_vk_quads_input(const struct gv_vk_device *device,
                       const struct gv_vk_pipeline *p, struct gv_vk_vertex_input *out,
                       struct gv_error *err)
{
    uint32_t most = GV_VK_LIMITS(device)->maxVertexInputBindings;
    for (uint32_t i = 0; i < out->binding_count; i++)
        out->bindings[i].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
    out->divisor_count = 0;
    if (p->quads.ends == 2)
        add_second(&p->quads, out);
    add_record(&p->quads, out);
    return out->binding_count <= most ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "%s of other sizes than one pixel take %u vertex buffers here, the "
                   "device allows %u",
                   p->quads.ends == 1 ? "points" : "lines", out->binding_count, most);
}

void gv_vk_quads_assemble(struct gv_vk_pipeline *p, const struct gv_graphics_desc *desc)
{
    p->primitive_restart = desc->primitive_restart;
    p->assembly_vertices = p->quads.ends;
    p->assembly = desc->topology == GV_TOPOLOGY_LINE_STRIP ? GV_VK_ASSEMBLY_LINES
                                                           : GV_VK_ASSEMBLY_LIST;
}
