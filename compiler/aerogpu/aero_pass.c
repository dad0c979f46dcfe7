// Render targets, passes, clears and pictures. Passes open at the first clear or draw
// and stay open until the targets change or something is not legal inside one.
#include "compiler/aerogpu/aero.h"

#include <math.h>
#include <string.h>

#define CLEAR_COLOR 1u
#define CLEAR_DEPTH 2u
#define CLEAR_STENCIL 4u

// ---- targets ----

GV_AERO_HANDLER(set_render_targets)
{
    uint32_t count = GV_CMD_U32(c, SET_RENDER_TARGETS, color_count);
    struct gv_aero_object *targets[GV_AERO_TARGETS + 1] = { 0 };
    if (count > GV_AERO_TARGETS)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "%u colour targets", count);
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
            return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "handle %u is no texture",
                                handle);
        if (v.format->block > 1 ||
            depth != ((v.format->flags & GV_AERO_FORMAT_DEPTH) != 0))
            return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
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
    if (!a->framebuffer.id) {
        gv_aero_pass_end(a);
        a->framebuffer =
            gv_emit(a->b, image_create, .type = GV_IMAGE_TYPE_2D,
                    .format = GV_FORMAT_R8G8B8A8_UNORM, .width = a->framebuffer_width,
                    .height = a->framebuffer_height, .depth = 1, .mips = 1, .layers = 1,
                    .samples = 1,
                    .usage = GV_IMAGE_USAGE_COLOR_ATTACHMENT | GV_IMAGE_USAGE_SAMPLED,
                    .flags = 0);
    }
    return a->framebuffer;
}

static struct gv_aero_attachment attachment(struct gv_aero_object *o, bool srgb_write)
{
    struct gv_aero_view v;
    if (!gv_aero_subresources(o, &v))
        return (struct gv_aero_attachment){ 0 };
    const struct gv_aero_texture *t = &v.texture->texture;
    struct gv_aero_attachment out = {
        .image = t->gpu,
        .format = v.format->vk,
        .mip = v.mip,
        .layer = v.layer,
        .width = gv_mip_size(t->extent.width, v.mip),
        .height = gv_mip_size(t->extent.height, v.mip),
        .opaque = gv_aero_opaque(&v),
    };
    // Direct3D 9 stores sRGB formats as plain ones; a state asks for the encoding.
    bool encoded = v.format->flags & GV_AERO_FORMAT_SRGB;
    if (v.format->sibling && srgb_write != encoded)
        out.format = v.format->sibling;
    return out;
}

static void fit(struct gv_aero_target_set *set, const struct gv_aero_attachment *t)
{
    if (!t->image.id)
        return;
    if (!set->width) {
        set->width = t->width;
        set->height = t->height;
        return;
    }
    set->uniform = set->uniform && set->width == t->width && set->height == t->height;
    set->width = t->width < set->width ? t->width : set->width;
    set->height = t->height < set->height ? t->height : set->height;
}

void gv_aero_targets(struct gv_aero *a, const struct gv_aero_context *x,
                     struct gv_aero_target_set *out)
{
    memset(out, 0, sizeof *out);
    out->uniform = true;
    for (uint32_t i = 0; i < GV_AERO_TARGETS; i++) {
        struct gv_aero_object *o = x->targets[i];
        struct gv_aero_view v;
        bool srgb = x->d3d9 ? x->srgb_write
                            : gv_aero_subresources(o, &v) &&
                                  v.format->flags & GV_AERO_FORMAT_SRGB;
        out->colors[i] = attachment(o, srgb);
        if (out->colors[i].image.id)
            out->color_count = i + 1;
    }
    struct gv_aero_view v;
    if (gv_aero_subresources(x->depth_target, &v)) {
        out->depth = attachment(x->depth_target, false);
        out->depth_aspects = GV_ASPECT_DEPTH | (v.format->flags & GV_AERO_FORMAT_STENCIL
                                                    ? (uint32_t)GV_ASPECT_STENCIL
                                                    : 0);
    }
    if (!out->color_count && !out->depth.image.id) {
        out->colors[0] =
            (struct gv_aero_attachment){ .image = gv_aero_framebuffer(a),
                                         .format = GV_FORMAT_R8G8B8A8_UNORM,
                                         .width = a->framebuffer_width,
                                         .height = a->framebuffer_height };
        out->color_count = 1;
    }
    for (uint32_t i = 0; i < out->color_count; i++)
        fit(out, &out->colors[i]);
    fit(out, &out->depth);
}

// ---- passes ----

void gv_aero_pass_end(struct gv_aero *a)
{
    if (a->pass_open)
        gv_emit0(a->b, pass_end);
    a->pass_open = false;
}

// What a pass does to its attachments when it begins.
struct clear {
    uint32_t flags; // CLEAR_*
    uint32_t color[4];
    float depth;
    uint32_t stencil;
};

static const uint32_t one_bits = 0x3F800000; // 1.0f

static void pass_color(struct gv_aero *a, uint32_t index,
                       const struct gv_aero_attachment *t, const struct clear *clear)
{
    bool clears = clear && clear->flags & CLEAR_COLOR;
    uint32_t c[4] = { 0 };
    if (clears)
        memcpy(c, clear->color, sizeof c);
    if (clears && t->opaque)
        c[3] = one_bits;
    gv_emit(a->b, pass_color, .index = index, .image = t->image, .format = t->format,
            .mip = t->mip, .layer = t->layer, .layers = 1,
            .load = clears ? GV_LOAD_OP_CLEAR : GV_LOAD_OP_LOAD,
            .store = GV_STORE_OP_STORE, .c0 = c[0], .c1 = c[1], .c2 = c[2], .c3 = c[3]);
}

static void pass_depth(struct gv_aero *a, const struct gv_aero_target_set *set,
                       const struct clear *clear)
{
    const struct gv_aero_attachment *t = &set->depth;
    bool depth = clear && clear->flags & CLEAR_DEPTH;
    bool stencil =
        clear && clear->flags & CLEAR_STENCIL && set->depth_aspects & GV_ASPECT_STENCIL;
    gv_emit(
        a->b, pass_depth_stencil, .image = t->image, .mip = t->mip, .layer = t->layer,
        .layers = 1, .depth_load = depth ? GV_LOAD_OP_CLEAR : GV_LOAD_OP_LOAD,
        .depth_store = GV_STORE_OP_STORE, .depth = depth ? clear->depth : 0,
        .stencil_load = stencil ? GV_LOAD_OP_CLEAR : GV_LOAD_OP_LOAD,
        .stencil_store = GV_STORE_OP_STORE, .stencil = stencil ? clear->stencil : 0);
}

static void open_pass(struct gv_aero *a, const struct gv_aero_target_set *set,
                      const struct clear *clear)
{
    gv_aero_pass_end(a);
    for (uint32_t i = 0; i < set->color_count; i++)
        if (set->colors[i].image.id)
            pass_color(a, i, &set->colors[i], clear);
    if (set->depth.image.id)
        pass_depth(a, set, clear);
    gv_emit(a->b, pass_begin, .width = set->width, .height = set->height, .layers = 1);
    a->pass_open = true;
    a->pass = *set;
}

static bool is_open(const struct gv_aero *a, const struct gv_aero_target_set *set)
{
    return a->pass_open && !memcmp(&a->pass, set, sizeof *set);
}

const struct gv_aero_target_set *gv_aero_current_targets(struct gv_aero *a,
                                                         struct gv_aero_context *x)
{
    if (x->dirty & GV_AERO_DIRTY_TARGETS) {
        gv_aero_targets(a, x, &x->target_set);
        x->dirty &= ~(uint32_t)GV_AERO_DIRTY_TARGETS;
        // Formats go into the pipeline, the size into the default viewport.
        x->dirty |= GV_AERO_DIRTY_PIPELINE | GV_AERO_DIRTY_VIEWPORT;
        x->stages[GV_DXBC_VERTEX].dirty_constants |= 1u << GV_DXBC_EXTRA_SLOT;
    }
    return &x->target_set;
}

void gv_aero_pass_begin(struct gv_aero *a, struct gv_aero_context *x)
{
    const struct gv_aero_target_set *set = gv_aero_current_targets(a, x);
    if (!a->pass_open || (a->pass_owner != x) || !is_open(a, set)) {
        if (!is_open(a, set))
            open_pass(a, set, NULL);
        a->pass_owner = x;
    }
}

// ---- clears ----

struct rectangle {
    uint32_t x, y, width, height;
};

// Inside the open pass: a rectangle of the attachments.
static void clear_inside(struct gv_aero *a, const struct gv_aero_target_set *set,
                         const struct clear *clear, const struct rectangle *r)
{
    for (uint32_t i = 0; i < set->color_count && clear->flags & CLEAR_COLOR; i++)
        if (set->colors[i].image.id)
            gv_emit(a->b, clear_color, .index = i, .x = (int32_t)r->x,
                    .y = (int32_t)r->y, .width = r->width, .height = r->height,
                    .layer = 0, .layers = 1, .c0 = clear->color[0],
                    .c1 = clear->color[1], .c2 = clear->color[2],
                    .c3 = set->colors[i].opaque ? one_bits : clear->color[3]);
    uint32_t aspects = (clear->flags & CLEAR_DEPTH ? GV_ASPECT_DEPTH : 0u) |
                       (clear->flags & CLEAR_STENCIL ? GV_ASPECT_STENCIL : 0u);
    aspects &= set->depth_aspects;
    if (aspects)
        gv_emit(a->b, clear_depth_stencil, .aspect = aspects, .x = (int32_t)r->x,
                .y = (int32_t)r->y, .width = r->width, .height = r->height, .layer = 0,
                .layers = 1, .depth = clear->depth, .stencil = clear->stencil);
}

// Attachments of different sizes: each wholly, in a pass of its own.
static void clear_each(struct gv_aero *a, const struct gv_aero_target_set *set,
                       const struct clear *clear)
{
    for (uint32_t i = 0; i < set->color_count && clear->flags & CLEAR_COLOR; i++) {
        const struct gv_aero_attachment *t = &set->colors[i];
        struct gv_aero_target_set one = {
            .color_count = 1, .width = t->width, .height = t->height, .uniform = true
        };
        one.colors[0] = *t;
        if (t->image.id)
            open_pass(a, &one, clear);
    }
    const struct gv_aero_target_set depth = { .depth = set->depth,
                                              .width = set->depth.width,
                                              .height = set->depth.height,
                                              .depth_aspects = set->depth_aspects,
                                              .uniform = true };
    if (clear->flags & (CLEAR_DEPTH | CLEAR_STENCIL))
        open_pass(a, &depth, clear);
    gv_aero_pass_end(a);
}

bool gv_aero_scissor(const struct gv_aero_context *x, uint32_t width, uint32_t height,
                     uint32_t out[4])
{
    int64_t x0 = 0, y0 = 0, x1 = width, y1 = height;
    if (x->raster.scissor_enable && x->scissor.set) {
        int64_t right = (int64_t)x->scissor.x + x->scissor.width;
        int64_t bottom = (int64_t)x->scissor.y + x->scissor.height;
        x0 = x->scissor.x > 0 ? x->scissor.x : 0;
        y0 = x->scissor.y > 0 ? x->scissor.y : 0;
        x1 = right < x1 ? right : x1;
        y1 = bottom < y1 ? bottom : y1;
    }
    if (x0 >= x1 || y0 >= y1)
        return false;
    out[0] = (uint32_t)x0;
    out[1] = (uint32_t)y0;
    out[2] = (uint32_t)(x1 - x0);
    out[3] = (uint32_t)(y1 - y0);
    return true;
}

GV_AERO_HANDLER(clear)
{
    (void)err;
    const struct gv_aero_target_set *set = gv_aero_current_targets(a, x);
    struct clear clear = { .flags = GV_CMD_U32(c, CLEAR, flags),
                           .stencil = GV_CMD_U32(c, CLEAR, stencil) & 0xFF };
    for (uint32_t i = 0; i < 4; i++)
        clear.color[i] = gv_cmd_u32(c, GV_AT_CLEAR_r + 4 * i);
    float depth = GV_CMD_F32(c, CLEAR, depth);
    clear.depth = fminf(fmaxf(isnan(depth) ? 0 : depth, 0), 1);
    if (!set->color_count)
        clear.flags &= ~CLEAR_COLOR;
    if (!set->depth.image.id)
        clear.flags &= ~(CLEAR_DEPTH | CLEAR_STENCIL);
    if (!(set->depth_aspects & GV_ASPECT_STENCIL))
        clear.flags &= ~CLEAR_STENCIL;
    clear.flags &= CLEAR_COLOR | CLEAR_DEPTH | CLEAR_STENCIL;
    if (!clear.flags)
        return true;
    uint32_t r[4] = { 0, 0, set->width, set->height };
    bool part = x->d3d9 && x->raster.scissor_enable; // Direct3D 11 ignores the scissor
    if (part && !gv_aero_scissor(x, set->width, set->height, r))
        return true;
    if (part || is_open(a, set)) {
        if (!set->uniform && !part) {
            clear_each(a, set, &clear);
            return true;
        }
        gv_aero_pass_begin(a, x);
        clear_inside(a, set, &clear, &(struct rectangle){ r[0], r[1], r[2], r[3] });
    } else if (!set->uniform) {
        clear_each(a, set, &clear);
    } else {
        open_pass(a, set, &clear);
        a->pass_owner = x;
    }
    return true;
}

// ---- pictures ----

static const struct gv_aero_attachment *
first_color(const struct gv_aero_target_set *set)
{
    for (uint32_t i = 0; i < set->color_count; i++)
        if (set->colors[i].image.id)
            return &set->colors[i];
    return NULL;
}

static void emit_present(struct gv_aero *a, const struct gv_aero_attachment *t)
{
    gv_emit(a->b, present, .image = t->image, .mip = t->mip, .layer = t->layer, .x = 0,
            .y = 0, .width = t->width, .height = t->height,
            .flags = t->opaque ? GV_PRESENT_OPAQUE : 0);
}

// A frame without a Present record has no picture, but a later one may show it.
static void keep_picture(struct gv_aero *a, const struct gv_aero_attachment *t)
{
    struct gv_aero_attachment *k = &a->kept_picture;
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
    gv_aero_pass_end(a);
    emit_present(a, &a->kept_picture);
    a->kept = false;
}

GV_AERO_HANDLER(present)
{
    (void)c, (void)err;
    const struct gv_aero_target_set *set = gv_aero_current_targets(a, x);
    const struct gv_aero_attachment *t = first_color(set);
    struct gv_aero_attachment framebuffer;
    gv_aero_pass_end(a);
    if (!t) { // a depth target alone: nothing was drawn to see
        framebuffer = (struct gv_aero_attachment){ .image = gv_aero_framebuffer(a),
                                                   .format = GV_FORMAT_R8G8B8A8_UNORM,
                                                   .width = a->framebuffer_width,
                                                   .height = a->framebuffer_height };
        t = &framebuffer;
    }
    if (a->shows)
        emit_present(a, t);
    else
        keep_picture(a, t);
    a->kept = !a->shows;
    a->presented = true;
    a->present_width = t->width;
    a->present_height = t->height;
    a->present_color = *t;
    a->present_depth = set->depth;
    a->present_depth_aspects = set->depth_aspects;
    return true;
}
