#include "tests/vm/slice_contents_check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/vm/model_parts.h"
#include "vm/slice/slice_contents.h"

#define WANTED 3
#define roll slice_program_roll

// ---- what is wanted ----

static size_t chunk_of(const struct gv_track *t, uint32_t unit)
{
    size_t chunk = 0;
    while (t->chunk_units[chunk + 1] <= unit)
        chunk++;
    return chunk;
}

static struct gv_effect random_range(struct slice_program *k,
                                     const struct gv_track_object *o)
{
    struct gv_effect e = { .rows = 1 };
    if (o->kind == GV_KIND_BUFFER) {
        e.offset = roll(k, (uint32_t)o->size);
        e.row_bytes = 1 + roll(k, (uint32_t)(o->size - e.offset));
        return e;
    }
    e.mip = roll(k, o->image.mips);
    e.mips = e.slices = 1;
    e.slice = roll(k, o->image.layers);
    const uint32_t width = model_side(o->image.width, e.mip);
    const uint32_t height = model_side(o->image.height, e.mip);
    e.x = roll(k, width);
    e.y = roll(k, height);
    e.width = 1 + roll(k, width - e.x);
    e.height = 1 + roll(k, height - e.y);
    return e;
}

// One of what stands in slots; false: there is none.
static bool random_slot(struct slice_program *k, const struct gv_track *t,
                        uint32_t unit, struct gv_slice_content *out)
{
    const uint32_t count = (uint32_t)t->payload->slot_count;
    const uint32_t first = roll(k, count);
    for (uint32_t i = 0; i < count; i++) {
        out->slot = (first + i) % count;
        const struct gv_track_object *o = &t->objects[t->slots[out->slot]];
        if (!t->slots[out->slot] || o->destroy_unit <= unit ||
            (o->kind != GV_KIND_BUFFER && o->kind != GV_KIND_IMAGE))
            continue;
        out->range = random_range(k, o);
        return true;
    }
    return false;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// At random units, from the last back. How many there are.
static size_t random_contents(struct slice_program *k, struct gv_payload *payload,
                              struct gv_slice_content *items, struct gv_error *err)
{
    struct gv_track *t = gv_track_create(payload, 0, err);
    size_t count = 0;
    if (!t || !gv_track_follow(t, payload->chunk_count, err) || t->opaque) {
        gv_track_destroy(t);
        return 0;
    }
    uint32_t units[WANTED], at = (uint32_t)t->unit_count;
    for (size_t i = 0; i < WANTED; i++)
        units[i] = roll(k, at);
    qsort(units, WANTED, sizeof *units, ascending);
    struct gv_slice_content found[WANTED];
    for (size_t i = WANTED; i-- > 0;) {
        while (at > units[i] + 1)
            gv_track_undo(t, --at);
        const size_t chunk = chunk_of(t, units[i]);
        found[count].place =
            (struct gv_slice_place){ (uint32_t)(payload->chunk_count - chunk),
                                     t->units[units[i]].begin };
        count += random_slot(k, t, units[i], &found[count]);
    }
    for (size_t i = 0; i < count; i++)
        items[i] = found[count - 1 - i];
    gv_track_destroy(t);
    return count;
}

// ---- runs ----

static uint64_t hash_of(struct model_host *m, uint64_t handle,
                        const struct gv_effect *e)
{
    struct model_object *o = model_get(m, handle);
    uint64_t hash = 1;
    if (o->kind == GV_KIND_BUFFER)
        return model_mix_bytes(hash, o->bytes + e->offset, (size_t)e->row_bytes);
    for (uint32_t p = 0; p < o->planes; p++)
        for (uint32_t y = e->y; y < e->y + e->height; y++)
            for (uint32_t x = e->x; x < e->x + e->width; x++)
                hash = model_mix(hash, *model_texel(o, p, e->mip, e->slice, x, y));
    return hash;
}

static bool run_to(struct gv_payload *payload, const struct gv_kept *kept,
                   const struct gv_slice_contents *c, bool met, uint64_t *hashes,
                   struct gv_error *err)
{
    struct model_host model;
    model_host_init(&model, met);
    const struct gv_vm_params params = { .payload = payload,
                                         .host = &model.host,
                                         .kept = kept };
    struct gv_vm *vm = gv_vm_create(&params, err);
    enum gv_stop stop = GV_STOP_FRAME;
    uint32_t passed = 0;
    bool ok = vm != NULL;
    for (size_t i = 0; ok && i < c->count; i++) {
        while (ok && stop != GV_STOP_END && passed <= c->found[i].stop) {
            ok = gv_vm_run(vm, &stop, err);
            passed += ok && stop == GV_STOP_COMMAND;
        }
        ok = ok && stop == GV_STOP_COMMAND;
        if (ok)
            hashes[i] =
                hash_of(&model, gv_vm_slot(vm, c->items[i].slot), &c->items[i].range);
    }
    gv_vm_destroy(vm);
    model_host_finish(&model);
    return ok;
}

static bool run_sliced(struct gv_payload *payload, const struct gv_slice_content *items,
                       size_t count, bool unsliced, bool met, uint64_t *hashes,
                       struct slice_totals *totals, struct gv_error *err)
{
    struct gv_slice_contents c;
    struct gv_slice slice = { 0 };
    bool ok = gv_slice_contents_init(&c, items, count, unsliced, err);
    const struct gv_slice_params params = { .tail = true, .roots = &c.roots };
    ok = ok && gv_slice_make(&slice, payload, &params, err) && !slice.whole &&
         run_to(payload, &slice.kept, &c, met, hashes, err);
    if (!unsliced) {
        totals->contents += count;
        totals->kept += slice.calls.kept;
        totals->calls += slice.calls.total;
    }
    gv_slice_finish(&slice);
    gv_slice_contents_finish(&c);
    return ok;
}

bool slice_contents_check(struct slice_program *k, struct gv_payload *payload,
                          struct slice_totals *totals, struct gv_error *err)
{
    struct gv_slice_content items[WANTED];
    uint64_t whole[WANTED], sliced[WANTED];
    const size_t count = random_contents(k, payload, items, err);
    const bool met = roll(k, 2);
    if (!count)
        return err->status == GV_OK;
    return run_sliced(payload, items, count, true, met, whole, totals, err) &&
           run_sliced(payload, items, count, false, met, sliced, totals, err) &&
           memcmp(whole, sliced, count * sizeof *whole) == 0;
}
