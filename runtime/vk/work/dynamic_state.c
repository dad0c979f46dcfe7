// The set_* calls, and bringing what they set into the command buffer: a state that
// has not changed is never set again, since even that costs (software devices rebuild
// their rasteriser state).
#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/pass.h"

#include <math.h>
#include <string.h>

#define ALL_DYNAMIC                                                              \
    (GV_STATE_VIEWPORT | GV_STATE_SCISSOR | GV_STATE_BLEND_CONSTANTS |           \
     GV_STATE_STENCIL_REFERENCE | GV_STATE_STENCIL_MASKS | GV_STATE_DEPTH_BIAS | \
     GV_STATE_LINE_WIDTH | GV_STATE_LINE_STIPPLE | GV_STATE_DEPTH_BOUNDS)

void gv_vk_dynamic_reset(struct gv_vk_dynamic *dynamic)
{
    *dynamic = (struct gv_vk_dynamic){
        .compare_mask = { 0xff, 0xff },
        .write_mask = { 0xff, 0xff },
        .line_width = 1,
        .stipple_factor = 1,
        .stipple_pattern = 0xffff,
        .bounds = { 0, 1 },
        .dirty = ALL_DYNAMIC,
    };
}

// Copies `size` bytes of state, marking it dirty where they differ.
static void change(struct gv_vk_draw_state *draw_state, void *state, const void *value,
                   size_t size, uint32_t bit)
{
    if (memcmp(state, value, size) == 0)
        return;
    memcpy(state, value, size);
    draw_state->dynamic.dirty |= bit;
}

static bool unusable(const char *name, float value, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%s %g", name, (double)value);
}

// ---- viewports and scissors ----

// `at` and `size` of one axis against the device; `size` may be negative.
static bool check_axis(const VkPhysicalDeviceLimits *l, uint32_t axis, float at,
                       float size, struct gv_error *err)
{
    static const char *const names[2][2] = { { "x", "width" }, { "y", "height" } };
    float low = l->viewportBoundsRange[0], high = l->viewportBoundsRange[1];
    float most = (float)l->maxViewportDimensions[axis];
    if (!isfinite(at) || !isfinite(size))
        return unusable(names[axis][isfinite(at)], isfinite(at) ? size : at, err);
    if (fabsf(size) > most)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "%s %g passes maxViewportDimensions of %g", names[axis][1],
                       (double)size, (double)most);
    if (at < low || at > high || at + size < low || at + size > high)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "%s %g passes viewportBoundsRange of %g to %g", names[axis][0],
                       (double)at, (double)low, (double)high);
    return true;
}

static bool check_viewport(const VkPhysicalDeviceLimits *l, const VkViewport *v,
                           struct gv_error *err)
{
    if (v->width < 0)
        return unusable("width", v->width, err);
    if (!check_axis(l, 0, v->x, v->width, err) ||
        !check_axis(l, 1, v->y, v->height, err))
        return false;
    if (!(v->minDepth >= 0 && v->minDepth <= 1))
        return unusable("min_depth", v->minDepth, err);
    if (!(v->maxDepth >= 0 && v->maxDepth <= 1))
        return unusable("max_depth", v->maxDepth, err);
    return true;
}

static bool check_index(uint64_t index, struct gv_error *err)
{
    return index < GV_MAX_VIEWPORTS || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                                               "index %llu", (unsigned long long)index);
}

bool gv_do_set_viewport(struct gv_runtime *rt, const struct gv_args_set_viewport *a,
                        uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_dynamic *d = &rt->draw_state->dynamic;
    const VkViewport v = { gv_arg_f32(a->x),         gv_arg_f32(a->y),
                           gv_arg_f32(a->width),     gv_arg_f32(a->height),
                           gv_arg_f32(a->min_depth), gv_arg_f32(a->max_depth) };
    if (!check_index(a->index.u, err) ||
        !check_viewport(GV_VK_LIMITS(rt->device), &v, err))
        return false;
    if (!(d->viewports_set >> a->index.u & 1)) {
        d->viewports_set |= 1u << a->index.u;
        d->dirty |= GV_STATE_VIEWPORT;
    }
    // An empty viewport draws nothing, which Vulkan says with scissors only.
    bool was_empty =
        d->viewports[a->index.u].width == 0 || d->viewports[a->index.u].height == 0;
    if (was_empty != (v.width == 0 || v.height == 0))
        d->dirty |= GV_STATE_SCISSOR;
    change(rt->draw_state, &d->viewports[a->index.u], &v, sizeof v, GV_STATE_VIEWPORT);
    return true;
}

bool gv_do_set_scissor(struct gv_runtime *rt, const struct gv_args_set_scissor *a,
                       uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_dynamic *d = &rt->draw_state->dynamic;
    if (!check_index(a->index.u, err))
        return false;
    // Nothing is drawn beyond the largest framebuffer, and drivers keep 16 bits.
    const VkPhysicalDeviceLimits *l = GV_VK_LIMITS(rt->device);
    uint64_t right = l->maxFramebufferWidth, bottom = l->maxFramebufferHeight;
    uint64_t x = a->x.u < right ? a->x.u : right, y = a->y.u < bottom ? a->y.u : bottom;
    uint64_t w = a->width.u < right - x ? a->width.u : right - x;
    uint64_t h = a->height.u < bottom - y ? a->height.u : bottom - y;
    const VkRect2D r = { { (int32_t)x, (int32_t)y }, { (uint32_t)w, (uint32_t)h } };
    if (!(d->scissors_set >> a->index.u & 1)) {
        d->scissors_set |= 1u << a->index.u;
        d->dirty |= GV_STATE_SCISSOR;
    }
    change(rt->draw_state, &d->scissors[a->index.u], &r, sizeof r, GV_STATE_SCISSOR);
    return true;
}

static void emit_viewports(const struct gv_vk_commands *commands,
                           const struct gv_vk_draw_state *draw_state,
                           const struct gv_vk_pass *pass, uint32_t count)
{
    const struct gv_vk_dynamic *d = &draw_state->dynamic;
    VkViewport v[GV_MAX_VIEWPORTS];
    for (uint32_t i = 0; i < count; i++) {
        v[i] = d->viewports[i];
        if (!(d->viewports_set >> i & 1))
            v[i] = (VkViewport){ 0, 0, (float)pass->width, (float)pass->height, 0, 1 };
        else if (v[i].width == 0 || v[i].height == 0)
            v[i].width = v[i].height = 1;
    }
    vkCmdSetViewportWithCount(commands->buffer, count, v);
}

static void emit_scissors(const struct gv_vk_commands *commands,
                          const struct gv_vk_draw_state *draw_state,
                          const struct gv_vk_pass *pass, uint32_t count)
{
    const struct gv_vk_dynamic *d = &draw_state->dynamic;
    VkRect2D r[GV_MAX_VIEWPORTS];
    for (uint32_t i = 0; i < count; i++) {
        const VkViewport *v = &d->viewports[i];
        r[i] = d->scissors[i];
        if (!(d->scissors_set >> i & 1))
            r[i] = (VkRect2D){ { 0, 0 }, { pass->width, pass->height } };
        if ((d->viewports_set >> i & 1) && (v->width == 0 || v->height == 0))
            r[i] = (VkRect2D){ { 0, 0 }, { 0, 0 } };
    }
    vkCmdSetScissorWithCount(commands->buffer, count, r);
}

// ---- the rest ----

bool gv_do_set_blend_constants(struct gv_runtime *rt,
                               const struct gv_args_set_blend_constants *a,
                               uint64_t *result, struct gv_error *err)
{
    (void)result;
    (void)err;
    const float v[4] = { gv_arg_f32(a->r), gv_arg_f32(a->g), gv_arg_f32(a->b),
                         gv_arg_f32(a->a) };
    change(rt->draw_state, rt->draw_state->dynamic.blend, v, sizeof v,
           GV_STATE_BLEND_CONSTANTS);
    return true;
}

static bool check_faces(uint64_t faces, struct gv_error *err)
{
    return faces != 0 || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "faces: none");
}

bool gv_do_set_stencil_reference(struct gv_runtime *rt,
                                 const struct gv_args_set_stencil_reference *a,
                                 uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_dynamic *d = &rt->draw_state->dynamic;
    const uint32_t value = (uint32_t)a->reference.u;
    if (!check_faces(a->faces.u, err))
        return false;
    for (uint32_t i = 0; i < 2; i++)
        if (a->faces.u >> i & 1)
            change(rt->draw_state, &d->reference[i], &value, sizeof value,
                   GV_STATE_STENCIL_REFERENCE);
    return true;
}

bool gv_do_set_stencil_masks(struct gv_runtime *rt,
                             const struct gv_args_set_stencil_masks *a,
                             uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_dynamic *d = &rt->draw_state->dynamic;
    const uint32_t compare = (uint32_t)a->compare.u, write = (uint32_t)a->write.u;
    if (!check_faces(a->faces.u, err))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        if (!(a->faces.u >> i & 1))
            continue;
        change(rt->draw_state, &d->compare_mask[i], &compare, sizeof compare,
               GV_STATE_STENCIL_MASKS);
        change(rt->draw_state, &d->write_mask[i], &write, sizeof write,
               GV_STATE_STENCIL_MASKS);
    }
    return true;
}

bool gv_do_set_depth_bias(struct gv_runtime *rt, const struct gv_args_set_depth_bias *a,
                          uint64_t *result, struct gv_error *err)
{
    (void)result;
    const float v[3] = { gv_arg_f32(a->constant), gv_arg_f32(a->clamp),
                         gv_arg_f32(a->slope) };
    if (v[1] != 0 && !gv_vk_require(rt->device, "depthBiasClamp", err))
        return false;
    change(rt->draw_state, rt->draw_state->dynamic.bias, v, sizeof v,
           GV_STATE_DEPTH_BIAS);
    return true;
}

bool gv_do_set_line_width(struct gv_runtime *rt, const struct gv_args_set_line_width *a,
                          uint64_t *result, struct gv_error *err)
{
    (void)result;
    const VkPhysicalDeviceLimits *l = GV_VK_LIMITS(rt->device);
    float width = gv_arg_f32(a->width);
    if (!(width > 0))
        return unusable("width", width, err);
    bool quads = rt->device->widens_lines; // quads.h
    if (width != 1 && !quads && !gv_vk_require(rt->device, "wideLines", err))
        return false;
    // Out of the device's range: the nearest width it has, as all APIs clamp it.
    float least = quads ? 1 : l->lineWidthRange[0];
    float most = quads ? GV_MAX_QUAD_SIZE : l->lineWidthRange[1];
    if (width != 1 && width < least)
        width = least;
    if (width != 1 && width > most)
        width = most;
    change(rt->draw_state, &rt->draw_state->dynamic.line_width, &width, sizeof width,
           GV_STATE_LINE_WIDTH);
    return true;
}

bool gv_do_set_line_stipple(struct gv_runtime *rt,
                            const struct gv_args_set_line_stipple *a, uint64_t *result,
                            struct gv_error *err)
{
    (void)result;
    struct gv_vk_dynamic *d = &rt->draw_state->dynamic;
    const uint32_t factor = (uint32_t)a->factor.u, pattern = (uint32_t)a->pattern.u;
    if (factor < 1 || factor > 256 || pattern > 0xffff)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "factor %u pattern 0x%x",
                       factor, pattern);
    change(rt->draw_state, &d->stipple_factor, &factor, sizeof factor,
           GV_STATE_LINE_STIPPLE);
    change(rt->draw_state, &d->stipple_pattern, &pattern, sizeof pattern,
           GV_STATE_LINE_STIPPLE);
    return true;
}

bool gv_do_set_depth_bounds(struct gv_runtime *rt,
                            const struct gv_args_set_depth_bounds *a, uint64_t *result,
                            struct gv_error *err)
{
    (void)result;
    const float v[2] = { gv_arg_f32(a->min), gv_arg_f32(a->max) };
    if (!(v[0] >= 0 && v[0] <= 1))
        return unusable("min", v[0], err);
    if (!(v[1] >= 0 && v[1] <= 1))
        return unusable("max", v[1], err);
    change(rt->draw_state, rt->draw_state->dynamic.bounds, v, sizeof v,
           GV_STATE_DEPTH_BOUNDS);
    return true;
}

static void emit_stencil(VkCommandBuffer commands, const struct gv_vk_dynamic *d)
{
    static const VkStencilFaceFlags faces[2] = { VK_STENCIL_FACE_FRONT_BIT,
                                                 VK_STENCIL_FACE_BACK_BIT };
    for (int i = 0; i < 2; i++) {
        if (d->dirty & GV_STATE_STENCIL_REFERENCE)
            vkCmdSetStencilReference(commands, faces[i], d->reference[i]);
        if (d->dirty & GV_STATE_STENCIL_MASKS) {
            vkCmdSetStencilCompareMask(commands, faces[i], d->compare_mask[i]);
            vkCmdSetStencilWriteMask(commands, faces[i], d->write_mask[i]);
        }
    }
}

static bool stands_for_24_bits(const struct gv_vk_device *device,
                               const struct gv_vk_pipeline *pipeline)
{
    VkFormat format = (VkFormat)pipeline->depth_stencil_format;
    return gv_vk_device_format(device, format) != format; // no other depth is kept so
}

// Where floats stand for 24 bits, the unit of a bias would shrink with the depth: so
// much is asked for that it is always clamped, to what it shall be, save at a depth of
// 0, whose unit is next to nothing, or nothing. What a slope adds is not known.
static void emit_bias(const struct gv_vk_commands *commands,
                      const struct gv_vk_dynamic *d)
{
    float constant = d->bias[0], clamp = d->bias[1], slope = d->bias[2];
    if (d->bias_in_24_bits && constant != 0 && slope == 0 &&
        commands->staging->heaps->device->features.core.features.depthBiasClamp) {
        float amount = ldexpf(constant, -24);
        if (clamp > 0)
            amount = fminf(amount, clamp);
        if (clamp < 0)
            amount = fmaxf(amount, clamp);
        constant = copysignf(ldexpf(1, 120), amount);
        clamp = amount;
    }
    vkCmdSetDepthBias(commands->buffer, constant, clamp, slope);
}

void gv_vk_emit_dynamic(const struct gv_vk_commands *c,
                        struct gv_vk_draw_state *draw_state,
                        const struct gv_vk_pass *pass,
                        const struct gv_vk_pipeline *pipeline)
{
    struct gv_vk_dynamic *d = &draw_state->dynamic;
    VkCommandBuffer commands = c->buffer;
    // What was never set covers the pass, so it depends on the pass's size.
    bool size_changed =
        d->emitted_width != pass->width || d->emitted_height != pass->height;
    uint32_t needed = (1u << pipeline->viewport_count) - 1;
    bool whole = (d->viewports_set & d->scissors_set & needed) != needed;
    if (d->emitted_viewports != pipeline->viewport_count || (size_changed && whole))
        d->dirty |= GV_STATE_VIEWPORT | GV_STATE_SCISSOR;
    bool in_24_bits = stands_for_24_bits(c->staging->heaps->device, pipeline);
    if (in_24_bits != d->bias_in_24_bits)
        d->dirty |= GV_STATE_DEPTH_BIAS;
    d->bias_in_24_bits = in_24_bits;
    if (!d->dirty)
        return;
    if (d->dirty & GV_STATE_VIEWPORT)
        emit_viewports(c, draw_state, pass, pipeline->viewport_count);
    if (d->dirty & GV_STATE_SCISSOR)
        emit_scissors(c, draw_state, pass, pipeline->viewport_count);
    d->emitted_viewports = pipeline->viewport_count;
    d->emitted_width = pass->width;
    d->emitted_height = pass->height;
    if (d->dirty & GV_STATE_BLEND_CONSTANTS)
        vkCmdSetBlendConstants(commands, d->blend);
    emit_stencil(commands, d);
    if (d->dirty & GV_STATE_DEPTH_BIAS)
        emit_bias(c, d);
    if (d->dirty & GV_STATE_LINE_WIDTH)
        vkCmdSetLineWidth(commands,
                          c->staging->heaps->device->widens_lines ? 1 : d->line_width);
    if (d->dirty & GV_STATE_DEPTH_BOUNDS)
        vkCmdSetDepthBounds(commands, d->bounds[0], d->bounds[1]);
    if ((d->dirty & GV_STATE_LINE_STIPPLE) &&
        c->staging->heaps->device->extensions.line_rasterization)
        vkCmdSetLineStippleEXT(commands, d->stipple_factor,
                               (uint16_t)d->stipple_pattern);
    d->dirty = 0;
}
