// Contents of random objects at random places of a payload: those of a run of no more
// than they need, against those of one run that leaves out nothing.
//   random_contents PAYLOAD [COUNT [SEED]]    so many (10), of a seed (1)
// Prints how many there were, the share of calls and work that was kept, and of the
// time that the unsliced run takes to each of them; exit 1 if any differ, 77 if the
// device cannot run the payload.
#include <inttypes.h>
#include <time.h>

#include "resources/hash.h"
#include "tests/test.h"
#include "tools/leak_check.h"
#include "tools/replay/replay_contents.h"
#include "vm/formats.h"
#include "vm/verify/verify.h"

#define MOST 1000
#define LONG_S 0.02 // unsliced: shorter ones are mostly the start

struct item {
    struct gv_slice_content content;
    uint8_t kind; // enum gv_kind
    struct gv_runtime_box box;
    struct gv_hash whole, sliced;
    double whole_s, sliced_s;
};

struct check {
    struct gv_payload payload;
    uint64_t state; // of the random numbers
    struct item items[MOST];
    struct gv_slice_content contents[MOST];
    size_t count;
    uint64_t calls, calls_kept;
    struct gv_error err;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint32_t roll(struct check *k, uint64_t below)
{
    k->state = k->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((k->state >> 33) % below);
}

// ---- which ----

static uint32_t side(uint32_t size, uint32_t mip)
{
    return size >> mip ? size >> mip : 1;
}

static uint32_t random_aspect(struct check *k, const struct gv_format_info *info)
{
    static const uint32_t aspects[] = { GV_ASPECT_COLOR, GV_ASPECT_DEPTH,
                                        GV_ASPECT_STENCIL };
    for (size_t i = roll(k, 3);; i = (i + 1) % 3)
        if (gv_format_aspect_bytes(info, aspects[i]))
            return aspects[i];
}

static void random_texels(struct check *k, const struct gv_track_object *o,
                          struct item *out)
{
    const struct gv_format_info *info = gv_format_info(o->image.format);
    struct gv_runtime_box *b = &out->box;
    const bool deep = o->image.type == GV_IMAGE_TYPE_3D;
    b->aspect = random_aspect(k, info);
    b->mip = roll(k, o->image.mips);
    b->layer = roll(k, o->image.layers);
    b->sample = roll(k, o->image.samples);
    b->width = side(o->image.width, b->mip);
    b->height = side(o->image.height, b->mip);
    b->z = deep ? roll(k, side(o->image.depth, b->mip)) : 0;
    b->depth = 1;
    if (info->block_width == 1 && roll(k, 2)) {
        b->x = roll(k, b->width);
        b->y = roll(k, b->height);
        b->width = 1 + roll(k, b->width - b->x);
        b->height = 1 + roll(k, b->height - b->y);
    }
    out->content.range = (struct gv_effect){ .planes = (uint8_t)b->aspect,
                                             .mip = b->mip,
                                             .mips = 1,
                                             .slice = deep ? b->z : b->layer,
                                             .slices = 1,
                                             .x = b->x,
                                             .y = b->y,
                                             .width = b->width,
                                             .height = b->height };
}

static bool random_object(struct check *k, const struct gv_track *t, uint32_t unit,
                          struct item *out)
{
    const uint32_t count = (uint32_t)t->payload->slot_count;
    const uint32_t first = count ? roll(k, count) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = (first + i) % count;
        const struct gv_track_object *o = &t->objects[t->slots[slot]];
        // Of several samples stencil, and 24 bits of depth, cannot be read.
        if (!t->slots[slot] || o->destroy_unit <= unit || o->either ||
            gv_track_resolves(t, t->slots[slot]) ||
            (o->kind == GV_KIND_IMAGE &&
             (!gv_format_info(o->image.format) ||
              (o->image.samples > 1 &&
               !gv_format_aspect_bytes(gv_format_info(o->image.format),
                                       GV_ASPECT_COLOR)))))
            continue;
        if (o->kind != GV_KIND_BUFFER && o->kind != GV_KIND_IMAGE)
            continue;
        *out = (struct item){ .kind = o->kind, .content = { .slot = slot } };
        if (o->kind == GV_KIND_IMAGE) {
            random_texels(k, o, out);
        } else {
            out->content.range.rows = 1;
            out->content.range.offset = o->size ? roll(k, o->size) : 0;
            out->content.range.row_bytes =
                1 + roll(k, o->size - out->content.range.offset);
        }
        return true;
    }
    return false;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static size_t chunk_of(const struct gv_track *t, uint32_t unit)
{
    size_t chunk = 0;
    while (t->chunk_units[chunk + 1] <= unit)
        chunk++;
    return chunk;
}

static void choose(struct check *k, struct gv_track *t, size_t wanted)
{
    static uint32_t units[MOST];
    static struct item found[MOST];
    uint32_t at = (uint32_t)t->unit_count;
    for (size_t i = 0; i < wanted; i++)
        units[i] = roll(k, at);
    qsort(units, wanted, sizeof *units, ascending);
    for (size_t i = wanted; i-- > 0;) {
        while (at > units[i] + 1)
            gv_track_undo(t, --at);
        struct item *f = &found[k->count];
        if (!random_object(k, t, units[i], f))
            continue;
        f->content.place = (struct gv_slice_place){ (uint32_t)(k->payload.chunk_count -
                                                               chunk_of(t, units[i])),
                                                    t->units[units[i]].begin };
        k->count++;
    }
    for (size_t i = 0; i < k->count; i++) {
        k->items[i] = found[k->count - 1 - i];
        k->contents[i] = k->items[i].content;
    }
}

// ---- runs ----

struct run {
    struct check *check;
    struct gv_replay *replay;
    size_t first;
    bool sliced;
    double began, reads; // seconds; of reads, those that are not part of the run
};

static bool read_item(struct run *r, const struct item *item, uint64_t handle,
                      struct gv_bytes *out, struct gv_error *err)
{
    const struct gv_effect *e = &item->content.range;
    out->size = 0;
    return item->kind == GV_KIND_BUFFER
               ? gv_runtime_read_bytes(r->replay->runtime, handle, e->offset,
                                       e->row_bytes, out, err)
               : gv_runtime_read_box(r->replay->runtime, handle, &item->box, out, err);
}

// The first read waits for what was run; the second one tells how long reading takes.
static bool visit(void *context, size_t which, uint64_t handle, struct gv_error *err)
{
    struct run *r = context;
    struct item *item = &r->check->items[r->first + which];
    struct gv_bytes bytes = { 0 };
    bool ok = read_item(r, item, handle, &bytes, err);
    const double read = now();
    const double seconds = read - r->began - r->reads;
    const struct gv_hash hash = gv_hash_bytes(bytes.data, bytes.size);
    if (r->sliced) {
        item->sliced = hash;
        item->sliced_s = seconds;
    } else {
        item->whole = hash;
        item->whole_s = seconds;
        ok = ok && read_item(r, item, handle, &bytes, err);
        r->reads += 2 * (now() - read);
    }
    gv_bytes_finish(&bytes);
    return ok;
}

static bool run(struct check *k, size_t first, size_t count, bool unsliced)
{
    struct gv_slice_contents wanted;
    struct gv_replay replay = { 0 };
    struct run r = { .check = k, .replay = &replay, .first = first };
    const struct gv_runtime_params params = { 0 };
    const struct gv_vm_params machine = { .once = true };
    r.sliced = !unsliced;
    bool ok = gv_slice_contents_init(&wanted, k->contents + first, count, unsliced,
                                     &k->err) &&
              gv_replay_open_device(&replay, &k->payload, &params, NULL, &k->err);
    r.began = now();
    ok = ok && gv_replay_begin_contents(&replay, &wanted, &k->err);
    if (unsliced)
        r.began = now();
    ok = ok && gv_replay_open_machine(&replay, &machine, &k->err);
    if (ok)
        gv_runtime_want_pictures(replay.runtime, false);
    ok = ok && gv_replay_each_contents(&replay, &wanted, visit, &r, &k->err);
    if (!unsliced) {
        k->calls += replay.slice.calls.total;
        k->calls_kept += replay.slice.calls.kept;
    }
    gv_replay_close(&replay);
    gv_slice_contents_finish(&wanted);
    return ok;
}

// ---- what is told ----

static int by_ratio(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void report(const struct check *k)
{
    double ratios[MOST] = { 0 };
    size_t n = 0;
    for (size_t i = 0; i < k->count; i++)
        if (k->items[i].whole_s > LONG_S)
            ratios[n++] = k->items[i].sliced_s / k->items[i].whole_s;
    qsort(ratios, n, sizeof *ratios, by_ratio);
    printf("%zu contents, %.0f %% of calls kept", k->count,
           100 * (double)k->calls_kept / (double)(k->calls ? k->calls : 1));
    if (n)
        printf(", %zu over %.0f ms: %.3f x their time in the median, %.3f at most", n,
               LONG_S * 1000, ratios[n / 2], ratios[n - 1]);
    printf("\n");
    for (size_t i = 0; i < n && getenv("GV_RATIOS"); i++)
        printf("ratio %.4f\n", ratios[i]);
}

static bool check(struct check *k, const char *path, size_t wanted)
{
    if (!gv_payload_open(&k->payload, path, 0, &k->err) ||
        !gv_verify(&k->payload, &(struct gv_verify_params){ 0 }, &k->err))
        return false;
    struct gv_track *t = gv_track_create(&k->payload, 0, &k->err);
    bool ok = t && gv_track_follow(t, k->payload.chunk_count, &k->err);
    if (ok && !t->opaque)
        choose(k, t, wanted);
    gv_track_destroy(t);
    if (!ok || !k->count)
        return ok && printf("no contents\n") > 0;
    ok = run(k, 0, k->count, true);
    for (size_t i = 0; ok && i < k->count; i++) {
        const struct item *item = &k->items[i];
        ok = run(k, i, 1, false);
        if (!ok || gv_hash_equal(&item->whole, &item->sliced))
            continue;
        printf("contents %zu of slot %" PRIu32 " (kind %d, mip %" PRIu32 ") differ\n",
               i, item->content.slot, item->kind, item->box.mip);
        gv_test_failures++;
    }
    ok = ok && run(k, 0, k->count, false); // all of them in one
    for (size_t i = 0; ok && i < k->count; i++)
        CHECK(gv_hash_equal(&k->items[i].whole, &k->items[i].sliced));
    return ok;
}

int main(int argc, char **argv)
{
    static struct check k = { .err = GV_ERROR_INIT };
    if (argc < 2)
        return EXIT_FAILURE;
    gv_leak_check_keep_libraries();
    const size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;
    k.state = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
    if (!check(&k, argv[1], count < MOST ? count : MOST)) {
        printf("%s\n", k.err.message);
        if (k.err.status == GV_ERR_DEVICE)
            return 77;
        gv_test_failures++;
    }
    report(&k);
    gv_payload_finish(&k.payload);
    return TEST_RESULT();
}
