#include "vm/effects/effects.h"

#include <stdlib.h>

#include "vm/effects/effects_roles.h"
#include "vm/formats.h"

void gv_effects_finish(struct gv_effects *effects)
{
    free(effects->items);
    *effects = (struct gv_effects){ 0 };
}

// The rules of effects.def. One function of each puts writes, the other reads.
enum rule {
    RULE_ROLES,
    RULE_NOTHING,
    RULE_PAIRED, // see gv_effects_clears, gv_effects_resolves, gv_effects_feedback
    RULE_SHADOW,
    RULE_IMAGE_COPY,
    RULE_BLIT,
    RULE_MIPMAPS,
    RULE_QUERY,
    RULE_QUERY_RESET,
    RULE_QUERY_COPY,
    RULE_COUNTER,
    RULE_CLEAR,
    RULE_DRAW,
    RULE_DISPATCH,
};

static const uint8_t rules[GV_CALL_LIMIT] = {
#define GV_CALL_EFFECTS(call, rule, text) [GV_CALL_##call] = RULE_##rule,
#define GV_OP_EFFECTS(op, text)
#include "vm/effects.def"
#undef GV_CALL_EFFECTS
#undef GV_OP_EFFECTS
};

typedef void put_fn(const struct gv_track *t, const struct gv_track_call *c,
                    struct gv_effects *out);

// ---- by roles ----

static void role_writes(const struct gv_track *t, const struct gv_track_call *c,
                        struct gv_effects *out)
{
    struct gv_touch touch[GV_MAX_TOUCHES];
    size_t count = gv_touches(t, c, touch);
    for (size_t i = 0; i < count; i++)
        if (gv_touch_writes(&touch[i]))
            gv_put_touch(t, out, touch, count, i,
                         touch[i].role == GV_ROLE_WRITE ? GV_EFFECT_OVERWRITE
                                                        : GV_EFFECT_WRITE);
}

static void role_reads(const struct gv_track *t, const struct gv_track_call *c,
                       struct gv_effects *out)
{
    struct gv_touch touch[GV_MAX_TOUCHES];
    size_t count = gv_touches(t, c, touch);
    for (size_t i = 0; i < count; i++)
        if (touch[i].role == GV_ROLE_READ)
            gv_put_touch(t, out, touch, count, i, GV_EFFECT_READ);
}

// ---- maps: what is written is the buffer behind ----

static void shadow_writes(const struct gv_track *t, const struct gv_track_call *c,
                          struct gv_effects *out)
{
    const struct gv_args_map_flush *a = GV_TRACK_ARGS(c, map_flush);
    const struct gv_track_object *map = &t->objects[a->map.u];
    bool all = c->call == GV_CALL_buffer_unmap;
    gv_put_bytes(out, map->map.buffer, GV_EFFECT_OVERWRITE,
                 map->map.offset + (all ? 0 : a->offset.u),
                 all ? map->map.size : a->size.u);
}

static void shadow_reads(const struct gv_track *t, const struct gv_track_call *c,
                         struct gv_effects *out)
{
    if (c->call == GV_CALL_buffer_unmap)
        gv_put_whole(out, GV_TRACK_ARGS(c, buffer_unmap)->map.u, GV_EFFECT_READ);
    else
        role_reads(t, c, out);
}

// ---- images ----

static bool same_blocks(const struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_image_copy *a = GV_TRACK_ARGS(c, image_copy);
    const struct gv_format_info *x = gv_format_info(t->objects[a->dst.u].image.format);
    const struct gv_format_info *y = gv_format_info(t->objects[a->src.u].image.format);
    return x && y && x->block_width == y->block_width &&
           x->block_height == y->block_height;
}

static void copy_writes(const struct gv_track *t, const struct gv_track_call *c,
                        struct gv_effects *out)
{
    if (same_blocks(t, c))
        role_writes(t, c, out);
    else
        gv_put_whole(out, GV_TRACK_ARGS(c, image_copy)->dst.u, GV_EFFECT_WRITE);
}

static void copy_reads(const struct gv_track *t, const struct gv_track_call *c,
                       struct gv_effects *out)
{
    if (same_blocks(t, c))
        role_reads(t, c, out);
    else
        gv_put_whole(out, GV_TRACK_ARGS(c, image_copy)->src.u, GV_EFFECT_READ);
}

// Sides that an image does not have count as Vulkan wants them, whatever corners say.
static void fit_corners(const struct gv_track *t, const struct gv_args_image_blit *a,
                        struct gv_box *box)
{
    const uint32_t type = t->objects[box->image].image.type;
    if (type != GV_IMAGE_TYPE_3D)
        box->layers = a->layers.u;
    if (type == GV_IMAGE_TYPE_1D)
        box->y = 0, box->height = 1;
}

static void widen(uint64_t *at, uint64_t *size)
{
    *size += *at ? 2 : 1;
    *at -= *at ? 1 : 0;
}

// A linear filter blends with the texels around the box: it stops at the sides of the
// mip, to which effects are clipped.
static void widen_box(struct gv_box *box)
{
    widen(&box->x, &box->width);
    widen(&box->y, &box->height);
    widen(&box->z, &box->depth);
}

static void put_blit(const struct gv_track *t, const struct gv_track_call *c,
                     enum gv_effect_kind kind, struct gv_effects *out)
{
    const struct gv_args_image_blit *a = GV_TRACK_ARGS(c, image_blit);
    struct gv_touch touch[GV_MAX_TOUCHES];
    size_t count = gv_touches(t, c, touch);
    for (size_t i = 0; i < count; i++) {
        if (gv_touch_writes(&touch[i]) != (kind != GV_EFFECT_READ))
            continue;
        fit_corners(t, a, &touch[i].box);
        if (kind == GV_EFFECT_READ && a->filter.u != GV_FILTER_NEAREST)
            widen_box(&touch[i].box);
        gv_put_touch(t, out, touch, count, i, kind);
    }
}

static void blit_writes(const struct gv_track *t, const struct gv_track_call *c,
                        struct gv_effects *out)
{
    put_blit(t, c, GV_EFFECT_OVERWRITE, out);
}

static void blit_reads(const struct gv_track *t, const struct gv_track_call *c,
                       struct gv_effects *out)
{
    put_blit(t, c, GV_EFFECT_READ, out);
}

// Mip `base` makes those behind it.
static struct gv_box mips_of(const struct gv_args_image_mipmaps *a, uint64_t mip)
{
    return (struct gv_box){
        .image = a->image.u, .mip = mip, .layer = a->layer.u, .layers = a->layers.u
    };
}

static void mipmap_writes(const struct gv_track *t, const struct gv_track_call *c,
                          struct gv_effects *out)
{
    const struct gv_args_image_mipmaps *a = GV_TRACK_ARGS(c, image_mipmaps);
    const struct gv_box box = mips_of(a, a->base.u + 1);
    if (a->mips.u > 1)
        gv_put_mips(t, out, &box, a->mips.u - 1, GV_EFFECT_OVERWRITE);
}

static void mipmap_reads(const struct gv_track *t, const struct gv_track_call *c,
                         struct gv_effects *out)
{
    const struct gv_args_image_mipmaps *a = GV_TRACK_ARGS(c, image_mipmaps);
    const struct gv_box box = mips_of(a, a->base.u);
    gv_put_mips(t, out, &box, 1, GV_EFFECT_READ);
}

// ---- queries and counters ----

static void query_writes(const struct gv_track *t, const struct gv_track_call *c,
                         struct gv_effects *out)
{
    const struct gv_args_query_timestamp *a = GV_TRACK_ARGS(c, query_timestamp);
    (void)t;
    if (c->call == GV_CALL_query_timestamp)
        gv_put_bytes(out, a->query.u, GV_EFFECT_WRITE, a->slot.u, 1);
}

// Reset before, or it cannot be used.
static void query_reads(const struct gv_track *t, const struct gv_track_call *c,
                        struct gv_effects *out)
{
    (void)t;
    gv_put_whole(out, c->args[0].u, GV_EFFECT_READ);
}

static void reset_writes(const struct gv_track *t, const struct gv_track_call *c,
                         struct gv_effects *out)
{
    const struct gv_args_query_reset *a = GV_TRACK_ARGS(c, query_reset);
    (void)t;
    gv_put_bytes(out, a->query.u, GV_EFFECT_OVERWRITE, a->first.u, a->count.u);
}

static void result_reads(const struct gv_track *t, const struct gv_track_call *c,
                         struct gv_effects *out)
{
    const struct gv_args_query_copy *a = GV_TRACK_ARGS(c, query_copy);
    (void)t;
    gv_put_bytes(out, a->query.u, GV_EFFECT_READ, a->first.u, a->count.u);
}

static void counter_reads(const struct gv_track *t, const struct gv_track_call *c,
                          struct gv_effects *out)
{
    const struct gv_args_condition_begin *a = GV_TRACK_ARGS(c, condition_begin);
    (void)t;
    gv_put_bytes(out, a->buffer.u, GV_EFFECT_READ, a->offset.u, 4);
}

void gv_effects_counter(struct gv_effects *out, uint64_t buffer, uint64_t offset)
{
    gv_put_bytes(out, buffer, GV_EFFECT_OVERWRITE, offset, 4);
}

// ---- work ----

static void draw_writes(const struct gv_track *t, const struct gv_track_call *c,
                        struct gv_effects *out)
{
    (void)c;
    gv_put_draw_writes(t, out);
}

// ---- calls ----

static const struct {
    put_fn *writes, *reads; // NULL: none
    bool known;             // what it does does not depend on its numbers
} rule_infos[] = {
    [RULE_ROLES] = { role_writes, role_reads, false },
    [RULE_NOTHING] = { NULL, NULL, false },
    [RULE_PAIRED] = { NULL, NULL, false },
    [RULE_SHADOW] = { shadow_writes, shadow_reads, false },
    [RULE_IMAGE_COPY] = { copy_writes, copy_reads, false },
    [RULE_BLIT] = { blit_writes, blit_reads, false },
    [RULE_MIPMAPS] = { mipmap_writes, mipmap_reads, false },
    [RULE_QUERY] = { query_writes, query_reads, false },
    [RULE_QUERY_RESET] = { reset_writes, NULL, false },
    [RULE_QUERY_COPY] = { role_writes, result_reads, false },
    [RULE_COUNTER] = { NULL, counter_reads, false },
    [RULE_CLEAR] = { gv_put_clear_writes, NULL, true },
    [RULE_DRAW] = { draw_writes, gv_put_draw_reads, true },
    [RULE_DISPATCH] = { gv_put_dispatch_writes, gv_put_dispatch_reads, true },
};

// A call whose numbers depend on memory touches all of what it names.
static void put_unknown(const struct gv_track *t, const struct gv_track_call *c,
                        bool writes, struct gv_effects *out)
{
    struct gv_touch touch[GV_MAX_TOUCHES];
    size_t count = gv_touches(t, c, touch);
    for (size_t i = 0; i < count; i++) {
        if (writes && touch[i].kind == GV_KIND_MAP) // the buffer behind it
            gv_put_whole(out, t->objects[touch[i].object].map.buffer, GV_EFFECT_WRITE);
        else if (gv_touch_writes(&touch[i]) == writes)
            gv_put_whole(out, touch[i].object,
                         writes ? GV_EFFECT_WRITE : GV_EFFECT_READ);
    }
}

void gv_effects_writes(const struct gv_track *t, const struct gv_track_call *c,
                       struct gv_effects *out)
{
    const uint8_t rule = rules[c->call];
    if (c->unknown && !rule_infos[rule].known)
        put_unknown(t, c, true, out);
    else if (rule_infos[rule].writes)
        rule_infos[rule].writes(t, c, out);
}

void gv_effects_reads(const struct gv_track *t, const struct gv_track_call *c,
                      struct gv_effects *out)
{
    const uint8_t rule = rules[c->call];
    if (c->unknown && !rule_infos[rule].known)
        put_unknown(t, c, false, out);
    else if (rule_infos[rule].reads)
        rule_infos[rule].reads(t, c, out);
}
