#include "vm/slice/slice_effects.h"

#include <stdlib.h>

#include "vm/formats.h"
#include "vm/slice/slice_put.h"

void gv_effects_finish(struct gv_effects *effects)
{
    free(effects->items);
    *effects = (struct gv_effects){ 0 };
}

void gv_put(struct gv_effects *out, const struct gv_effect *effect)
{
    if (!effect->object)
        return;
    if (out->count == out->capacity) {
        size_t capacity = out->capacity ? out->capacity * 2 : 64;
        struct gv_effect *grown = realloc(out->items, capacity * sizeof *grown);
        if (!grown) {
            out->failed = true;
            return;
        }
        out->items = grown;
        out->capacity = capacity;
    }
    out->items[out->count++] = *effect;
}

static struct gv_effect bytes_of(uint64_t object, enum gv_effect_kind kind,
                                 uint64_t offset, uint64_t size)
{
    return (struct gv_effect){ .object = (uint32_t)object,
                               .kind = (uint8_t)kind,
                               .offset = offset,
                               .row_bytes = size,
                               .rows = 1 };
}

void gv_put_bytes(struct gv_effects *out, uint64_t object, enum gv_effect_kind kind,
                  uint64_t offset, uint64_t size)
{
    const struct gv_effect e = bytes_of(object, kind, offset, size);
    gv_put(out, &e);
}

struct gv_effect gv_whole_of(uint64_t object, enum gv_effect_kind kind)
{
    struct gv_effect e = bytes_of(object, kind, 0, UINT64_MAX);
    e.mips = e.slices = e.width = e.height = GV_EFFECT_REST;
    return e;
}

void gv_put_whole(struct gv_effects *out, uint64_t object, enum gv_effect_kind kind)
{
    const struct gv_effect e = gv_whole_of(object, kind);
    gv_put(out, &e);
}

static bool is_volume(const struct gv_track *t, uint64_t object)
{
    return t->objects[object].image.type == GV_IMAGE_TYPE_3D;
}

// ---- boxes of images ----

static struct gv_effect effect_of(const struct gv_track *t, const struct gv_box *b,
                                  enum gv_effect_kind kind)
{
    bool volume = is_volume(t, b->image);
    return (struct gv_effect){
        .object = (uint32_t)b->image,
        .kind = (uint8_t)kind,
        .planes = (uint8_t)b->aspect,
        .mip = (uint32_t)b->mip,
        .mips = 1,
        .slice = (uint32_t)(volume ? b->z : b->layer),
        .slices = (uint32_t)(volume ? b->depth : b->layers),
        .x = (uint32_t)b->x,
        .y = (uint32_t)b->y,
        .width = (uint32_t)b->width,
        .height = (uint32_t)b->height,
    };
}

static void put_box(const struct gv_track *t, struct gv_effects *out,
                    const struct gv_box *b, enum gv_effect_kind kind)
{
    const struct gv_effect e = effect_of(t, b, kind);
    gv_put(out, &e);
}

// Whole mips; layers of a 3D image are all its slices.
void gv_put_mips(const struct gv_track *t, struct gv_effects *out,
                 const struct gv_box *b, uint64_t mips, enum gv_effect_kind kind)
{
    struct gv_effect e = gv_whole_of(b->image, kind);
    e.planes = (uint8_t)b->aspect;
    e.mip = (uint32_t)b->mip;
    e.mips = (uint32_t)mips;
    if (!is_volume(t, b->image)) {
        e.slice = (uint32_t)b->layer;
        e.slices = (uint32_t)b->layers;
    }
    gv_put(out, &e);
}

#define UPLOAD_BOX(a)                                                                 \
    {                                                                                 \
        .image = (a)->image.u, .aspect = (a)->aspect.u, .mip = (a)->mip.u,            \
        .layer = (a)->layer.u, .layers = (a)->layers.u, .x = (a)->x.u, .y = (a)->y.u, \
        .z = (a)->z.u, .width = (a)->width.u, .height = (a)->height.u,                \
        .depth = (a)->depth.u                                                         \
    }

// The bytes that a box of texels takes in a buffer; rows apart leave gaps.
static void put_texels(const struct gv_track *t, struct gv_effects *out,
                       const struct gv_box *b, const struct gv_effect *bytes)
{
    struct gv_effect e = *bytes;
    const struct gv_format_info *info =
        gv_format_info(t->objects[b->image].image.format);
    const uint64_t stride = e.stride, image_rows = e.rows;
    uint64_t tight =
        info ? gv_format_row_bytes(info, (uint32_t)b->aspect, (uint32_t)b->width) : 0;
    if (!tight) { // no such texels: it will be refused
        gv_put_whole(out, e.object,
                     e.kind == GV_EFFECT_READ ? GV_EFFECT_READ : GV_EFFECT_WRITE);
        return;
    }
    uint64_t used = (b->height + info->block_height - 1) / info->block_height;
    uint64_t slices = b->depth * b->layers; // 32 bits each
    e.stride = stride ? stride : tight;
    e.row_bytes = tight;
    if (slices <= 1 || !image_rows || image_rows == used) {
        e.rows = used * slices < UINT32_MAX ? (uint32_t)(used * slices) : UINT32_MAX;
        gv_put(out, &e);
        return;
    }
    for (uint64_t i = 0; i < slices && i < GV_MAX_DISPATCH_RANGES; i++) {
        e.rows = (uint32_t)used;
        e.offset = bytes->offset + i * image_rows * e.stride;
        gv_put(out, &e);
    }
    if (slices > GV_MAX_DISPATCH_RANGES && e.kind != GV_EFFECT_OVERWRITE)
        gv_put_whole(out, e.object, (enum gv_effect_kind)e.kind);
}

#define TEXEL_BYTES(a, how)                                                        \
    {                                                                              \
        .object = (uint32_t)(a)->buffer.u, .kind = (how), .offset = (a)->offset.u, \
        .stride = (a)->row_bytes.u, .rows = (uint32_t)(a)->rows.u                  \
    }

// ---- copies ----

static bool same_blocks(const struct gv_track *t, uint64_t a, uint64_t b)
{
    const struct gv_format_info *x = gv_format_info(t->objects[a].image.format);
    const struct gv_format_info *y = gv_format_info(t->objects[b].image.format);
    return x && y && x->block_width == y->block_width &&
           x->block_height == y->block_height;
}

static void copy_boxes(const struct gv_track *t, const struct gv_args_image_copy *a,
                       struct gv_box *dst, struct gv_box *src)
{
    uint64_t slices = a->depth.u * a->layers.u; // each stands for the other
    *dst = (struct gv_box){ a->dst.u,   a->dst_aspect.u, a->dst_mip.u, a->dst_layer.u,
                            slices,     a->dst_x.u,      a->dst_y.u,   a->dst_z.u,
                            a->width.u, a->height.u,     slices };
    *src = (struct gv_box){ a->src.u,   a->src_aspect.u, a->src_mip.u, a->src_layer.u,
                            slices,     a->src_x.u,      a->src_y.u,   a->src_z.u,
                            a->width.u, a->height.u,     slices };
    (void)t;
}

static uint64_t low(int64_t a, int64_t b)
{
    return (uint64_t)(a < b ? a : b);
}

static uint64_t span(int64_t a, int64_t b)
{
    return (uint64_t)(a < b ? b - a : a - b);
}

#define BLIT_BOX(a, side)                                                        \
    {                                                                            \
        .image = (a)->side.u, .aspect = (a)->aspect.u, .mip = (a)->side##_mip.u, \
        .layer = (a)->side##_layer.u, .layers = (a)->layers.u,                   \
        .x = low((a)->side##_x0.i, (a)->side##_x1.i),                            \
        .y = low((a)->side##_y0.i, (a)->side##_y1.i),                            \
        .z = low((a)->side##_z0.i, (a)->side##_z1.i),                            \
        .width = span((a)->side##_x0.i, (a)->side##_x1.i),                       \
        .height = span((a)->side##_y0.i, (a)->side##_y1.i),                      \
        .depth = span((a)->side##_z0.i, (a)->side##_z1.i)                        \
    }

#define RESOLVE_BOX(a, side, level)                                                  \
    {                                                                                \
        .image = (a)->side.u, .aspect = GV_ASPECT_COLOR, .mip = (level),             \
        .layer = (a)->side##_layer.u, .layers = (a)->layers.u, .x = (a)->side##_x.u, \
        .y = (a)->side##_y.u, .width = (a)->width.u, .height = (a)->height.u,        \
        .depth = 1                                                                   \
    }

static void image_writes(const struct gv_track *t, const struct gv_track_call *c,
                         struct gv_effects *out)
{
    switch (c->call) {
    case GV_CALL_image_upload: {
        const struct gv_box b = UPLOAD_BOX(GV_TRACK_ARGS(c, image_upload));
        put_box(t, out, &b, GV_EFFECT_OVERWRITE);
        break;
    }
    case GV_CALL_buffer_to_image: {
        const struct gv_box b = UPLOAD_BOX(GV_TRACK_ARGS(c, buffer_to_image));
        put_box(t, out, &b, GV_EFFECT_OVERWRITE);
        break;
    }
    case GV_CALL_image_copy: {
        struct gv_box dst, src;
        copy_boxes(t, GV_TRACK_ARGS(c, image_copy), &dst, &src);
        if (same_blocks(t, dst.image, src.image))
            put_box(t, out, &dst, GV_EFFECT_OVERWRITE);
        else
            gv_put_whole(out, dst.image, GV_EFFECT_WRITE);
        break;
    }
    case GV_CALL_image_blit: {
        const struct gv_box b = BLIT_BOX(GV_TRACK_ARGS(c, image_blit), dst);
        put_box(t, out, &b, GV_EFFECT_OVERWRITE);
        break;
    }
    case GV_CALL_image_resolve: {
        const struct gv_args_image_resolve *a = GV_TRACK_ARGS(c, image_resolve);
        const struct gv_box b = RESOLVE_BOX(a, dst, a->dst_mip.u);
        put_box(t, out, &b, GV_EFFECT_OVERWRITE);
        break;
    }
    case GV_CALL_image_mipmaps: {
        const struct gv_args_image_mipmaps *a = GV_TRACK_ARGS(c, image_mipmaps);
        const struct gv_box b = { .image = a->image.u,
                                  .mip = a->base.u + 1,
                                  .layer = a->layer.u,
                                  .layers = a->layers.u };
        if (a->mips.u > 1)
            gv_put_mips(t, out, &b, a->mips.u - 1, GV_EFFECT_OVERWRITE);
        break;
    }
    case GV_CALL_image_clear_color: {
        const struct gv_args_image_clear_color *a = GV_TRACK_ARGS(c, image_clear_color);
        const struct gv_box b = { .image = a->image.u,
                                  .aspect = GV_ASPECT_COLOR,
                                  .mip = a->mip.u,
                                  .layer = a->layer.u,
                                  .layers = a->layers.u };
        gv_put_mips(t, out, &b, a->mips.u, GV_EFFECT_OVERWRITE);
        break;
    }
    case GV_CALL_image_clear_depth_stencil: {
        const struct gv_args_image_clear_depth_stencil *a =
            GV_TRACK_ARGS(c, image_clear_depth_stencil);
        const struct gv_box b = { .image = a->image.u,
                                  .aspect = a->aspect.u,
                                  .mip = a->mip.u,
                                  .layer = a->layer.u,
                                  .layers = a->layers.u };
        if (b.aspect)
            gv_put_mips(t, out, &b, a->mips.u, GV_EFFECT_OVERWRITE);
        break;
    }
    default:
        break;
    }
}

static void image_reads(const struct gv_track *t, const struct gv_track_call *c,
                        struct gv_effects *out)
{
    switch (c->call) {
    case GV_CALL_image_copy: {
        struct gv_box dst, src;
        copy_boxes(t, GV_TRACK_ARGS(c, image_copy), &dst, &src);
        if (same_blocks(t, dst.image, src.image))
            put_box(t, out, &src, GV_EFFECT_READ);
        else
            gv_put_whole(out, src.image, GV_EFFECT_READ);
        break;
    }
    case GV_CALL_image_blit: {
        const struct gv_box b = BLIT_BOX(GV_TRACK_ARGS(c, image_blit), src);
        put_box(t, out, &b, GV_EFFECT_READ);
        break;
    }
    case GV_CALL_image_resolve: {
        const struct gv_args_image_resolve *a = GV_TRACK_ARGS(c, image_resolve);
        const struct gv_box b = RESOLVE_BOX(a, src, 0);
        put_box(t, out, &b, GV_EFFECT_READ);
        break;
    }
    case GV_CALL_image_mipmaps: {
        const struct gv_args_image_mipmaps *a = GV_TRACK_ARGS(c, image_mipmaps);
        const struct gv_box b = { .image = a->image.u,
                                  .mip = a->base.u,
                                  .layer = a->layer.u,
                                  .layers = a->layers.u };
        gv_put_mips(t, out, &b, 1, GV_EFFECT_READ);
        break;
    }
    case GV_CALL_image_to_buffer: {
        const struct gv_box b = UPLOAD_BOX(GV_TRACK_ARGS(c, image_to_buffer));
        put_box(t, out, &b, GV_EFFECT_READ);
        break;
    }
    case GV_CALL_post_image: {
        const struct gv_args_post_image *a = GV_TRACK_ARGS(c, post_image);
        const struct gv_box b = { .image = a->image.u,
                                  .aspect = a->aspect.u,
                                  .mip = a->mip.u,
                                  .layer = a->layer.u,
                                  .layers = 1 };
        gv_put_mips(t, out, &b, 1, GV_EFFECT_READ);
        break;
    }
    case GV_CALL_present: {
        const struct gv_args_present *a = GV_TRACK_ARGS(c, present);
        const struct gv_box b = { .image = a->image.u,
                                  .aspect = GV_ASPECT_COLOR,
                                  .mip = a->mip.u,
                                  .layer = a->layer.u,
                                  .layers = 1,
                                  .x = a->x.u,
                                  .y = a->y.u,
                                  .width = a->width.u,
                                  .height = a->height.u,
                                  .depth = 1 };
        put_box(t, out, &b, GV_EFFECT_READ);
        break;
    }
    default:
        break;
    }
}

static void buffer_writes(const struct gv_track *t, const struct gv_track_call *c,
                          struct gv_effects *out)
{
    const enum gv_effect_kind kind = GV_EFFECT_OVERWRITE;
    switch (c->call) {
    case GV_CALL_buffer_upload: {
        const struct gv_args_buffer_upload *a = GV_TRACK_ARGS(c, buffer_upload);
        gv_put_bytes(out, a->buffer.u, kind, a->offset.u, a->size.u);
        break;
    }
    case GV_CALL_buffer_fill: {
        const struct gv_args_buffer_fill *a = GV_TRACK_ARGS(c, buffer_fill);
        gv_put_bytes(out, a->buffer.u, kind, a->offset.u, a->size.u);
        break;
    }
    case GV_CALL_buffer_copy: {
        const struct gv_args_buffer_copy *a = GV_TRACK_ARGS(c, buffer_copy);
        gv_put_bytes(out, a->dst.u, kind, a->dst_offset.u, a->size.u);
        break;
    }
    case GV_CALL_buffer_upload_rows: {
        const struct gv_args_buffer_upload_rows *a =
            GV_TRACK_ARGS(c, buffer_upload_rows);
        gv_put(out, &(struct gv_effect){ .object = (uint32_t)a->buffer.u,
                                         .kind = kind,
                                         .offset = a->offset.u,
                                         .row_bytes = a->row_bytes.u,
                                         .stride = a->stride.u,
                                         .rows = (uint32_t)a->rows.u });
        break;
    }
    case GV_CALL_buffer_copy_rows: {
        const struct gv_args_buffer_copy_rows *a = GV_TRACK_ARGS(c, buffer_copy_rows);
        gv_put(out, &(struct gv_effect){ .object = (uint32_t)a->dst.u,
                                         .kind = kind,
                                         .offset = a->dst_offset.u,
                                         .row_bytes = a->row_bytes.u,
                                         .stride = a->dst_stride.u,
                                         .rows = (uint32_t)a->rows.u });
        break;
    }
    case GV_CALL_map_flush: {
        const struct gv_args_map_flush *a = GV_TRACK_ARGS(c, map_flush);
        const struct gv_track_object *map = &t->objects[a->map.u];
        gv_put_bytes(out, map->map.buffer, kind, map->map.offset + a->offset.u,
                     a->size.u);
        break;
    }
    case GV_CALL_buffer_unmap: {
        const struct gv_track_object *map =
            &t->objects[GV_TRACK_ARGS(c, buffer_unmap)->map.u];
        gv_put_bytes(out, map->map.buffer, kind, map->map.offset, map->map.size);
        break;
    }
    case GV_CALL_image_to_buffer: {
        const struct gv_args_image_to_buffer *a = GV_TRACK_ARGS(c, image_to_buffer);
        const struct gv_box b = UPLOAD_BOX(a);
        const struct gv_effect bytes = TEXEL_BYTES(a, GV_EFFECT_OVERWRITE);
        put_texels(t, out, &b, &bytes);
        break;
    }
    case GV_CALL_query_copy: {
        const struct gv_args_query_copy *a = GV_TRACK_ARGS(c, query_copy);
        gv_put_bytes(out, a->buffer.u, GV_EFFECT_WRITE, a->offset.u, UINT64_MAX);
        break;
    }
    case GV_CALL_query_reset: {
        const struct gv_args_query_reset *a = GV_TRACK_ARGS(c, query_reset);
        gv_put_bytes(out, a->query.u, kind, a->first.u, a->count.u);
        break;
    }
    case GV_CALL_query_timestamp: {
        const struct gv_args_query_timestamp *a = GV_TRACK_ARGS(c, query_timestamp);
        gv_put_bytes(out, a->query.u, GV_EFFECT_WRITE, a->slot.u, 1);
        break;
    }
    default:
        image_writes(t, c, out);
        break;
    }
}

static void buffer_reads(const struct gv_track *t, const struct gv_track_call *c,
                         struct gv_effects *out)
{
    const enum gv_effect_kind kind = GV_EFFECT_READ;
    switch (c->call) {
    case GV_CALL_buffer_copy: {
        const struct gv_args_buffer_copy *a = GV_TRACK_ARGS(c, buffer_copy);
        gv_put_bytes(out, a->src.u, kind, a->src_offset.u, a->size.u);
        break;
    }
    case GV_CALL_buffer_copy_rows: {
        const struct gv_args_buffer_copy_rows *a = GV_TRACK_ARGS(c, buffer_copy_rows);
        gv_put(out, &(struct gv_effect){ .object = (uint32_t)a->src.u,
                                         .kind = kind,
                                         .offset = a->src_offset.u,
                                         .row_bytes = a->row_bytes.u,
                                         .stride = a->src_stride.u,
                                         .rows = (uint32_t)a->rows.u });
        break;
    }
    case GV_CALL_map_flush: {
        const struct gv_args_map_flush *a = GV_TRACK_ARGS(c, map_flush);
        gv_put_bytes(out, a->map.u, kind, a->offset.u, a->size.u);
        break;
    }
    case GV_CALL_buffer_unmap:
        gv_put_whole(out, GV_TRACK_ARGS(c, buffer_unmap)->map.u, kind);
        break;
    case GV_CALL_buffer_to_image: {
        const struct gv_args_buffer_to_image *a = GV_TRACK_ARGS(c, buffer_to_image);
        const struct gv_box b = UPLOAD_BOX(a);
        const struct gv_effect bytes = TEXEL_BYTES(a, GV_EFFECT_READ);
        put_texels(t, out, &b, &bytes);
        break;
    }
    case GV_CALL_query_copy: {
        const struct gv_args_query_copy *a = GV_TRACK_ARGS(c, query_copy);
        gv_put_bytes(out, a->query.u, kind, a->first.u, a->count.u);
        break;
    }
    case GV_CALL_query_timestamp:
    case GV_CALL_query_begin:
    case GV_CALL_query_end: // reset before, or it cannot be used
        gv_put_whole(out, c->args[0].u, kind);
        break;
    case GV_CALL_post_buffer: {
        const struct gv_args_post_buffer *a = GV_TRACK_ARGS(c, post_buffer);
        gv_put_bytes(out, a->buffer.u, kind, a->offset.u, a->size.u);
        break;
    }
    case GV_CALL_condition_begin: {
        const struct gv_args_condition_begin *a = GV_TRACK_ARGS(c, condition_begin);
        gv_put_bytes(out, a->buffer.u, kind, a->offset.u, 4);
        break;
    }
    case GV_CALL_feedback_begin: {
        const struct gv_args_feedback_begin *a = GV_TRACK_ARGS(c, feedback_begin);
        gv_put_bytes(out, a->counter.u, kind, a->counter_offset.u, 4);
        break;
    }
    default:
        image_reads(t, c, out);
        break;
    }
}

// ---- calls ----

// A call whose numbers depend on memory touches all of what it names.
static bool put_unknown(const struct gv_track *t, const struct gv_track_call *c,
                        bool writes, struct gv_effects *out)
{
    const struct gv_call_info *info = &gv_call_infos[c->call];
    if (!c->unknown || info->sets & GV_STATE_WORK)
        return false;
    for (size_t i = 0; i < info->arg_count; i++) {
        uint8_t role = info->args[i].role;
        if (writes && info->args[i].kind == GV_ARG_MAP) // the buffer behind it
            gv_put_whole(out, t->objects[c->args[i].u].map.buffer, GV_EFFECT_WRITE);
        else if (writes && (role == GV_ROLE_WRITE || role == GV_ROLE_UPDATE))
            gv_put_whole(out, c->args[i].u, GV_EFFECT_WRITE);
        else if (!writes && role == GV_ROLE_READ)
            gv_put_whole(out, c->args[i].u, GV_EFFECT_READ);
    }
    return true;
}

void gv_effects_writes(const struct gv_track *t, const struct gv_track_call *c,
                       struct gv_effects *out)
{
    switch (c->call) {
    case GV_CALL_draw:
    case GV_CALL_draw_indexed:
    case GV_CALL_draw_indirect:
    case GV_CALL_draw_indexed_indirect:
    case GV_CALL_draw_transform_feedback:
        gv_put_draw_writes(t, out);
        break;
    case GV_CALL_dispatch:
    case GV_CALL_dispatch_indirect:
        gv_put_dispatch_writes(t, c, out);
        break;
    case GV_CALL_clear_color:
    case GV_CALL_clear_depth_stencil:
        gv_put_clear_writes(t, c, out);
        break;
    default:
        if (!put_unknown(t, c, true, out))
            buffer_writes(t, c, out);
        break;
    }
}

void gv_effects_reads(const struct gv_track *t, const struct gv_track_call *c,
                      struct gv_effects *out)
{
    switch (c->call) {
    case GV_CALL_draw:
    case GV_CALL_draw_indexed:
    case GV_CALL_draw_indirect:
    case GV_CALL_draw_indexed_indirect:
    case GV_CALL_draw_transform_feedback:
        gv_put_draw_reads(t, c, out);
        break;
    case GV_CALL_dispatch:
    case GV_CALL_dispatch_indirect:
        gv_put_dispatch_reads(t, c, out);
        break;
    default:
        if (!put_unknown(t, c, false, out))
            buffer_reads(t, c, out);
        break;
    }
}
