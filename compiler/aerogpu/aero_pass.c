// Render targets, passes, clears and pictures. Passes open at the first clear or draw
// and stay open until the targets change or something is not legal inside one.
#include "compiler/aerogpu/aero.h"

#include <math.h>
#include <string.h>

#define CLEAR_COLOR 1u
#define CLEAR_DEPTH 2u
#define CLEAR_STENCIL 4u

// ---- targets ----

GV_AERO_HANDLER(gv_aero_set_render_targets)
{
    uint32_t count = GV_CMD_U32(c, SET_RENDER_TARGETS, color_count);
    struct gv_aero_object *targets[GV_AERO_TARGETS + 1] = { 0 };
    if (count > GV_AERO_TARGETS)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "%u colour targets", count);
    for (uint32_t i = 0; i <= GV_AERO_TARGETS; i++) {
        bool depth = i == GV_AERO_TARGETS;
        uint32_t handle = depth
                              ? GV_CMD_U32(c, SET_RENDER_TARGETS, depth_stencil)
                              : gv_cmd_u32(c, GV_AT_SET_RENDER_TARGETS_color0 + 4 * i);
        if (!handle || (!depth && i >= count))
            continue;
        struct gv_aero_view v;
        targets[i] = gv_aero_find(a, handle);
        if (!gv_aero_subresources(targets[i], &v))
            return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no texture",
                                handle);
        if (v.format->block > 1 || depth != ((v.format->flags & GV_LINEAR_DEPTH) != 0))
            return gv_aero_fail(a, GV_ERR_FORMAT, err,
                                "handle %u of format %s as %s target", handle,
                                v.format->name, depth ? "depth" : "colour");
        targets[i]->bound = v.texture->bound = true;
    }
    memcpy(x->targets, targets, sizeof x->targets);
    x->depth_target = targets[GV_AERO_TARGETS];
    for (uint32_t i = 0; i <= GV_AERO_TARGETS; i++)
        if (targets[i])
            gv_aero_drop_sources(x, targets[i]);
    x->dirty |= GV_AERO_DIRTY_TARGETS;
    return true;
}

struct gv_image gv_aero_framebuffer(struct gv_aero *a)
{
    if (!a->frames.framebuffer.id) {
        a->frames.framebuffer = gv_emit(
            gv_lower_transfer(&a->pass), image_create, .type = GV_IMAGE_TYPE_2D,
            .format = GV_FORMAT_R8G8B8A8_UNORM, .width = a->frames.framebuffer_width,
            .height = a->frames.framebuffer_height, .depth = 1, .mips = 1, .layers = 1,
            .samples = 1,
            .usage = GV_IMAGE_USAGE_COLOR_ATTACHMENT | GV_IMAGE_USAGE_SAMPLED,
            .flags = 0);
    }
    return a->frames.framebuffer;
}

static struct gv_lower_attachment attachment(struct gv_aero_object *o, bool srgb_write)
{
    struct gv_aero_view v;
    if (!gv_aero_subresources(o, &v))
        return (struct gv_lower_attachment){ 0 };
    const struct gv_aero_texture *t = &v.texture->texture;
    struct gv_lower_attachment out = {
        .image = t->base.gpu,
        .format = v.format->format,
        .mip = v.mip,
        .layer = v.layer,
        .width = gv_mip_size(t->base.extent.width, v.mip),
        .height = gv_mip_size(t->base.extent.height, v.mip),
        .opaque = gv_aero_opaque(&v),
    };
    // Direct3D 9 stores sRGB formats as plain ones; a state asks for the encoding.
    bool encoded = v.format->flags & GV_LINEAR_SRGB;
    if (v.format->sibling && srgb_write != encoded)
        out.format = v.format->sibling;
    return out;
}

static void find_targets(struct gv_aero *a, const struct gv_aero_context *x,
                         struct gv_lower_targets *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < GV_AERO_TARGETS; i++) {
        struct gv_aero_object *o = x->targets[i];
        struct gv_aero_view v;
        bool srgb =
            x->d3d9 ? x->srgb_write
                    : gv_aero_subresources(o, &v) && v.format->flags & GV_LINEAR_SRGB;
        out->colors[i] = attachment(o, srgb);
    }
    struct gv_aero_view v;
    if (gv_aero_subresources(x->depth_target, &v)) {
        out->depth = attachment(x->depth_target, false);
        out->depth_aspects =
            GV_ASPECT_DEPTH |
            (v.format->flags & GV_LINEAR_STENCIL ? (uint32_t)GV_ASPECT_STENCIL : 0);
    }
    gv_lower_targets_fit(out);
    if (!out->color_count && !out->depth.image.id) {
        out->colors[0] =
            (struct gv_lower_attachment){ .image = gv_aero_framebuffer(a),
                                          .format = GV_FORMAT_R8G8B8A8_UNORM,
                                          .width = a->frames.framebuffer_width,
                                          .height = a->frames.framebuffer_height };
        gv_lower_targets_fit(out);
    }
}

// ---- passes ----

const struct gv_lower_targets *gv_aero_current_targets(struct gv_aero *a,
                                                       struct gv_aero_context *x)
{
    if (x->dirty & GV_AERO_DIRTY_TARGETS) {
        find_targets(a, x, &x->target_set);
        x->dirty &= ~(uint32_t)GV_AERO_DIRTY_TARGETS;
        // Formats go into the pipeline, the size into the default viewport.
        x->dirty |= GV_AERO_DIRTY_PIPELINE | GV_AERO_DIRTY_VIEWPORT;
        x->stages[GV_DXBC_VERTEX].dirty_constants |= 1u << GV_DXBC_EXTRA_SLOT;
    }
    return &x->target_set;
}

void gv_aero_pass_begin(struct gv_aero *a, struct gv_aero_context *x)
{
    gv_lower_pass_begin(&a->pass, gv_aero_current_targets(a, x));
}

// ---- clears ----

GV_AERO_HANDLER(gv_aero_clear)
{
    (void)err;
    const struct gv_lower_targets *set = gv_aero_current_targets(a, x);
    uint32_t flags = GV_CMD_U32(c, CLEAR, flags);
    struct gv_lower_clear clear = { .stencil = GV_CMD_U32(c, CLEAR, stencil) & 0xFF };
    for (uint32_t i = 0; i < 4; i++)
        clear.color[i] = gv_cmd_u32(c, GV_AT_CLEAR_r + 4 * i);
    float depth = GV_CMD_F32(c, CLEAR, depth);
    clear.depth = fminf(fmaxf(isnan(depth) ? 0 : depth, 0), 1);
    clear.aspects = (flags & CLEAR_COLOR ? (uint32_t)GV_ASPECT_COLOR : 0) |
                    (flags & CLEAR_DEPTH ? (uint32_t)GV_ASPECT_DEPTH : 0) |
                    (flags & CLEAR_STENCIL ? (uint32_t)GV_ASPECT_STENCIL : 0);
    bool part = x->d3d9 && x->raster.scissor_enable; // Direct3D 11 ignores the scissor
    struct gv_lower_rectangle rectangle;
    if (part && !gv_aero_scissor(x, &rectangle))
        return true;
    gv_lower_pass_clear(&a->pass, set, &clear, part ? &rectangle : NULL);
    return true;
}

// ---- pictures ----

static const struct gv_lower_attachment *first_color(const struct gv_lower_targets *set)
{
    for (uint32_t i = 0; i < set->color_count; i++)
        if (set->colors[i].image.id)
            return &set->colors[i];
    return NULL;
}

static void emit_present(struct gv_aero *a, const struct gv_lower_attachment *t)
{
    gv_emit(a->b, present, .image = t->image, .mip = t->mip, .layer = t->layer, .x = 0,
            .y = 0, .width = t->width, .height = t->height,
            .flags = t->opaque ? GV_PRESENT_OPAQUE : 0);
}

// A frame without a Present record has no picture, but a later one may show it.
static void keep_picture(struct gv_aero *a, const struct gv_lower_attachment *t)
{
    struct gv_lower_attachment *k = &a->frames.kept_picture;
    if (k->image.id &&
        (k->format != t->format || k->width != t->width || k->height != t->height)) {
        gv_emit(a->b, image_destroy, .image = k->image);
        k->image = GV_NO_IMAGE;
    }
    struct gv_image image = k->image;
    if (!image.id)
        image = gv_emit(a->b, image_create, .type = GV_IMAGE_TYPE_2D,
                        .format = t->format, .width = t->width, .height = t->height,
                        .depth = 1, .mips = 1, .layers = 1, .samples = 1,
                        .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
    *k = *t;
    k->image = image;
    k->mip = k->layer = 0;
    gv_emit(a->b, image_copy, .dst = image, .dst_aspect = GV_ASPECT_COLOR, .dst_mip = 0,
            .dst_layer = 0, .dst_x = 0, .dst_y = 0, .dst_z = 0, .src = t->image,
            .src_aspect = GV_ASPECT_COLOR, .src_mip = t->mip, .src_layer = t->layer,
            .src_x = 0, .src_y = 0, .src_z = 0, .width = t->width, .height = t->height,
            .depth = 1, .layers = 1);
}

void gv_aero_present_kept(struct gv_aero *a)
{
    gv_lower_transfer(&a->pass);
    emit_present(a, &a->frames.kept_picture);
    a->frames.kept = false;
}

GV_AERO_HANDLER(gv_aero_present)
{
    (void)c, (void)err;
    const struct gv_lower_targets *set = gv_aero_current_targets(a, x);
    const struct gv_lower_attachment *t = first_color(set);
    struct gv_lower_attachment framebuffer;
    gv_lower_transfer(&a->pass);
    if (!t) { // a depth target alone: nothing was drawn to see
        framebuffer =
            (struct gv_lower_attachment){ .image = gv_aero_framebuffer(a),
                                          .format = GV_FORMAT_R8G8B8A8_UNORM,
                                          .width = a->frames.framebuffer_width,
                                          .height = a->frames.framebuffer_height };
        t = &framebuffer;
    }
    if (a->frames.shows)
        emit_present(a, t);
    else
        keep_picture(a, t);
    a->frames.kept = !a->frames.shows;
    a->frames.presented = true;
    a->frames.width = t->width;
    a->frames.height = t->height;
    a->frames.color = *t;
    a->frames.depth = set->depth;
    a->frames.depth_aspects = set->depth_aspects;
    return true;
}
