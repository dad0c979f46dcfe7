// One effect more: bytes, boxes of texels, and the bytes that such a box takes.
#include "vm/effects/effects_put.h"

#include <stdlib.h>

#include "vm/formats.h"

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

void gv_put_box(const struct gv_track *t, struct gv_effects *out,
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

// What is not told apart is all of the object, of which nothing is surely overwritten.
static void put_undivided(struct gv_effects *out, const struct gv_effect *e)
{
    gv_put_whole(out, e->object,
                 e->kind == GV_EFFECT_READ ? GV_EFFECT_READ : GV_EFFECT_WRITE);
}

void gv_put_texels(const struct gv_track *t, struct gv_effects *out,
                   const struct gv_box *b, const struct gv_effect *bytes)
{
    struct gv_effect e = *bytes;
    const struct gv_format_info *info =
        gv_format_info(t->objects[b->image].image.format);
    const uint64_t stride = e.stride, image_rows = e.rows;
    uint64_t tight =
        info ? gv_format_row_bytes(info, (uint32_t)b->aspect, (uint32_t)b->width) : 0;
    if (!tight) { // no such texels: it will be refused
        put_undivided(out, &e);
        return;
    }
    uint64_t used = (b->height + info->block_height - 1) / info->block_height;
    uint64_t slices = is_volume(t, b->image) ? b->depth : b->layers; // 64 bits hold it
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
    if (slices > GV_MAX_DISPATCH_RANGES)
        put_undivided(out, &e);
}
