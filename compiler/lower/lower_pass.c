#include "compiler/lower/lower_pass.h"

#include <string.h>

#include "vm/formats.h"

#define FLOAT_ONE 0x3F800000u // 1.0f

// ---- targets ----

static uint32_t layers_of(const struct gv_lower_attachment *a)
{
    return a->layers ? a->layers : 1;
}

static void fit(struct gv_lower_targets *t, const struct gv_lower_attachment *one)
{
    const uint32_t layers = layers_of(one);
    if (!one->image.id)
        return;
    t->layers = t->layers && t->layers < layers ? t->layers : layers;
    if (!t->width) {
        t->width = one->width;
        t->height = one->height;
        return;
    }
    t->uniform = t->uniform && t->width == one->width && t->height == one->height;
    t->width = one->width < t->width ? one->width : t->width;
    t->height = one->height < t->height ? one->height : t->height;
}

void gv_lower_targets_fit(struct gv_lower_targets *t)
{
    t->color_count = t->width = t->height = t->layers = 0;
    t->uniform = 1;
    for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++) {
        if (t->colors[i].image.id)
            t->color_count = i + 1;
        fit(t, &t->colors[i]);
    }
    fit(t, &t->depth);
}

// ---- opening and closing ----

static void settle(struct gv_lower_pass *p)
{
    if (p->open && p->ends)
        p->ends(p->owner);
}

struct gv_builder *gv_lower_transfer(struct gv_lower_pass *p)
{
    settle(p);
    if (p->open)
        gv_emit0(p->b, pass_end);
    p->open = false;
    return p->b;
}

struct gv_builder *gv_lower_ahead(struct gv_lower_pass *p)
{
    if (!gv_builder_place_is_open(p->b))
        return NULL;
    gv_builder_place_begin(p->b);
    return p->b;
}

void gv_lower_ahead_end(struct gv_lower_pass *p)
{
    gv_builder_place_end(p->b);
}

void gv_lower_pass_end_frame(struct gv_lower_pass *p)
{
    gv_lower_transfer(p);
    p->frame++;
}

// 1 as attachments of a format are cleared to it.
static uint32_t alpha_one(uint32_t format)
{
    const struct gv_format_info *f = gv_format_info(format);
    bool integer =
        f && (f->kind == GV_FORMAT_KIND_UINT || f->kind == GV_FORMAT_KIND_SINT);
    return integer ? 1 : FLOAT_ONE;
}

static void attach_color(struct gv_builder *b, uint32_t index,
                         const struct gv_lower_attachment *t,
                         const struct gv_lower_clear *clear)
{
    bool clears = clear && clear->aspects & GV_ASPECT_COLOR;
    uint32_t c[4] = { 0 };
    if (clears)
        memcpy(c, clear->color, sizeof c);
    if (clears && t->opaque)
        c[3] = alpha_one(t->format);
    gv_emit(b, pass_color, .index = index, .image = t->image, .format = t->format,
            .mip = t->mip, .layer = t->layer, .layers = layers_of(t),
            .load = clears ? GV_LOAD_OP_CLEAR : GV_LOAD_OP_LOAD,
            .store = GV_STORE_OP_STORE, .c0 = c[0], .c1 = c[1], .c2 = c[2], .c3 = c[3]);
}

static void attach_depth(struct gv_builder *b, const struct gv_lower_targets *targets,
                         const struct gv_lower_clear *clear)
{
    const struct gv_lower_attachment *t = &targets->depth;
    uint32_t aspects = clear ? clear->aspects & targets->depth_aspects : 0;
    bool depth = aspects & GV_ASPECT_DEPTH, stencil = aspects & GV_ASPECT_STENCIL;
    gv_emit(b, pass_depth_stencil, .image = t->image, .mip = t->mip, .layer = t->layer,
            .layers = layers_of(t),
            .depth_load = depth ? GV_LOAD_OP_CLEAR : GV_LOAD_OP_LOAD,
            .depth_store = GV_STORE_OP_STORE, .depth = depth ? clear->depth : 0,
            .stencil_load = stencil ? GV_LOAD_OP_CLEAR : GV_LOAD_OP_LOAD,
            .stencil_store = GV_STORE_OP_STORE,
            .stencil = stencil ? clear->stencil : 0);
}

static void open_pass(struct gv_lower_pass *p, const struct gv_lower_targets *t,
                      const struct gv_lower_clear *clear)
{
    struct gv_builder *b = gv_lower_transfer(p);
    if (p->streams && !gv_builder_place_is_open(b))
        gv_builder_place_open(b);
    for (uint32_t i = 0; i < t->color_count; i++)
        if (t->colors[i].image.id)
            attach_color(b, i, &t->colors[i], clear);
    if (t->depth.image.id)
        attach_depth(b, t, clear);
    gv_emit(b, pass_begin, .width = t->width, .height = t->height,
            .layers = t->layers ? t->layers : 1);
    p->open = true;
    p->targets = *t;
}

static bool is_open(const struct gv_lower_pass *p, const struct gv_lower_targets *t)
{
    return p->open && !memcmp(&p->targets, t, sizeof *t);
}

void gv_lower_pass_begin(struct gv_lower_pass *p, const struct gv_lower_targets *t)
{
    if (!is_open(p, t))
        open_pass(p, t, NULL);
}

// ---- clears ----

static void clear_inside(struct gv_lower_pass *p, const struct gv_lower_clear *clear,
                         const struct gv_lower_rectangle *r)
{
    const struct gv_lower_targets *t = &p->targets;
    for (uint32_t i = 0; i < t->color_count && clear->aspects & GV_ASPECT_COLOR; i++)
        if (t->colors[i].image.id)
            gv_emit(p->b, clear_color, .index = i, .x = (int32_t)r->x,
                    .y = (int32_t)r->y, .width = r->width, .height = r->height,
                    .layer = 0, .layers = t->layers, .c0 = clear->color[0],
                    .c1 = clear->color[1], .c2 = clear->color[2],
                    .c3 = t->colors[i].opaque ? alpha_one(t->colors[i].format)
                                              : clear->color[3]);
    uint32_t aspects = clear->aspects & t->depth_aspects;
    if (aspects)
        gv_emit(p->b, clear_depth_stencil, .aspect = aspects, .x = (int32_t)r->x,
                .y = (int32_t)r->y, .width = r->width, .height = r->height, .layer = 0,
                .layers = t->layers, .depth = clear->depth, .stencil = clear->stencil);
}

static void clear_each(struct gv_lower_pass *p, const struct gv_lower_targets *t,
                       const struct gv_lower_clear *clear)
{
    for (uint32_t i = 0; i < t->color_count && clear->aspects & GV_ASPECT_COLOR; i++) {
        struct gv_lower_targets one = { .colors[0] = t->colors[i] };
        gv_lower_targets_fit(&one);
        if (t->colors[i].image.id)
            open_pass(p, &one, clear);
    }
    struct gv_lower_targets depth = { .depth = t->depth,
                                      .depth_aspects = t->depth_aspects };
    gv_lower_targets_fit(&depth);
    if (clear->aspects & t->depth_aspects)
        open_pass(p, &depth, clear);
    gv_lower_transfer(p);
}

void gv_lower_pass_clear(struct gv_lower_pass *p, const struct gv_lower_targets *t,
                         const struct gv_lower_clear *clear,
                         const struct gv_lower_rectangle *part)
{
    struct gv_lower_clear c = *clear;
    c.aspects &= (t->color_count ? (uint32_t)GV_ASPECT_COLOR : 0) | t->depth_aspects;
    if (!c.aspects)
        return;
    if (!part && !t->uniform) {
        clear_each(p, t, &c);
    } else if (part || is_open(p, t)) {
        const struct gv_lower_rectangle all = { 0, 0, t->width, t->height };
        gv_lower_pass_begin(p, t);
        settle(p);
        clear_inside(p, &c, part ? part : &all);
    } else {
        open_pass(p, t, &c);
    }
}
