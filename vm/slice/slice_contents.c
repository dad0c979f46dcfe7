#include "vm/slice/slice_contents.h"

#include <stdlib.h>

// ---- places ----

// The unit that begins at a byte of a chunk; GV_TRACK_NONE: none does.
static uint32_t unit_at(const struct gv_track *t, size_t chunk, uint32_t begin)
{
    uint32_t low = t->chunk_units[chunk], high = t->chunk_units[chunk + 1];
    const uint32_t end = high;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (t->units[middle].begin < begin)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && t->units[low].begin == begin ? low : GV_TRACK_NONE;
}

static uint32_t unit_of(const struct gv_track *t, const struct gv_slice_place *place)
{
    const size_t chunks = t->payload->chunk_count;
    if (place->chunks_left > chunks || chunks - place->chunks_left >= t->chunk_count)
        return GV_TRACK_NONE;
    return unit_at(t, chunks - place->chunks_left, place->begin);
}

// A cut looks at the same roots in all of the code, in which they stand elsewhere.
static bool begin(struct gv_slice_roots *roots, const struct gv_slice_back *b,
                  struct gv_error *err)
{
    struct gv_slice_contents *c = (struct gv_slice_contents *)roots;
    uint32_t last = 0;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t unit = unit_of(b->track, &c->items[i].place);
        if (unit == GV_TRACK_NONE || unit < last)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "contents at no place of the code");
        c->found[i] = (struct gv_slice_found){ .unit = unit };
        last = unit;
    }
    c->left = c->count;
    roots->older = c->left;
    return true;
}

static bool behind(struct gv_slice_roots *roots, struct gv_slice_back *b)
{
    struct gv_slice_contents *c = (struct gv_slice_contents *)roots;
    const struct gv_track *t = b->track;
    for (; c->left && c->found[c->left - 1].unit >= b->unit; c->left--) {
        const struct gv_slice_content *item = &c->items[c->left - 1];
        const uint32_t object =
            item->slot < t->payload->slot_count ? t->slots[item->slot] : 0;
        if (!object || t->objects[object].destroy_unit <= b->unit)
            return gv_fail(b->err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "contents of a slot that is empty there");
        c->found[c->left - 1].live = gv_slice_back_want(b, object, &item->range);
    }
    roots->older = c->left;
    return true;
}

// ---- stops ----

static void settle(struct gv_slice_roots *roots, const struct gv_slice_back *b)
{
    struct gv_slice_contents *c = (struct gv_slice_contents *)roots;
    for (size_t i = 0; i < c->count; i++) {
        struct gv_slice_found *f = &c->found[i];
        f->stop_unit = f->unit;
        while (f->stop_unit && !b->keep[f->stop_unit])
            f->stop_unit--;
        f->stop = i ? f[-1].stop + (f->stop_unit != f[-1].stop_unit) : 0;
    }
}

static bool stops(const struct gv_slice_roots *roots, uint32_t unit)
{
    const struct gv_slice_contents *c = (const struct gv_slice_contents *)roots;
    size_t low = 0, high = c->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->found[middle].stop_unit < unit)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && c->found[low].stop_unit == unit;
}

bool gv_slice_contents_init(struct gv_slice_contents *c,
                            const struct gv_slice_content *items, size_t count,
                            bool unsliced, struct gv_error *err)
{
    *c = (struct gv_slice_contents){
        .roots = { .begin = begin,
                   .behind = behind,
                   .settle = settle,
                   .stops = stops,
                   .unsliced = unsliced },
        .items = items,
        .count = count,
        .found = calloc(count + 1, sizeof *c->found),
    };
    return c->found || gv_out_of_memory(err);
}

void gv_slice_contents_finish(struct gv_slice_contents *c)
{
    free(c->found);
    *c = (struct gv_slice_contents){ 0 };
}
