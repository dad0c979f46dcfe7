#include "tools/prof/prof_figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/payload/payload.h"

// ---- one pass ----

// Ticks may have fewer than 64 bits: what ends before it begins has wrapped, and is
// told as nothing.
static uint64_t span_ns(const struct gv_prof_figures *f, uint64_t from, uint64_t to)
{
    return to > from ? (uint64_t)((double)(to - from) * f->tick_ns) : 0;
}

static bool add_stamps(struct gv_prof_figures *f, const struct gv_stamps *stamps,
                       struct gv_error *err)
{
    size_t count, parts = 0;
    const struct gv_stamp *all = gv_stamps_all(stamps, &count);
    for (size_t i = 1; i < count; i++) {
        if (all[i].kind == GV_STAMP_BEGIN)
            continue;
        const uint64_t ns = span_ns(f, all[i - 1].ticks, all[i].ticks);
        gv_bytes_put(&f->gpu, &ns, sizeof ns);
        parts++;
    }
    if (f->passes && parts != f->part_count)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a pass has %zu parts, the one before had %zu", parts,
                       f->part_count);
    struct gv_stamp *copy = realloc(f->stamps, (count + 1) * sizeof *copy);
    if (!copy || f->gpu.failed)
        return gv_out_of_memory(err);
    if (count)
        memcpy(copy, all, count * sizeof *copy);
    f->stamps = copy;
    f->stamp_count = count;
    f->part_count = parts;
    f->joined = gv_stamps_joined(stamps);
    f->passes++;
    return true;
}

bool gv_prof_figures_add(struct gv_prof_figures *f, const struct gv_stamps *stamps,
                         bool stamped, uint64_t wall_ns, struct gv_error *err)
{
    gv_bytes_put(&f->walls[stamped], &wall_ns, sizeof wall_ns);
    if (stamped)
        return add_stamps(f, stamps, err);
    const struct gv_frame_cost *costs = gv_stamps_costs(stamps, &f->cost_count);
    if (f->cost_count)
        gv_bytes_put(&f->costs, costs, f->cost_count * sizeof *costs);
    return (!f->costs.failed && !f->walls[0].failed) || gv_out_of_memory(err);
}

// ---- all of them ----

static int by_value(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static struct gv_spread spread_of(uint64_t *values, size_t count)
{
    if (!count)
        return (struct gv_spread){ 0 };
    qsort(values, count, sizeof *values, by_value);
    return (struct gv_spread){ values[(count - 1) / 2], values[0], values[count - 1] };
}

static uint64_t at(const struct gv_bytes *bytes, size_t i)
{
    uint64_t value;
    memcpy(&value, bytes->data + i * sizeof value, sizeof value);
    return value;
}

static struct gv_spread spread_of_bytes(const struct gv_bytes *bytes, uint64_t *values)
{
    const size_t count = bytes->size / sizeof *values;
    for (size_t i = 0; i < count; i++)
        values[i] = at(bytes, i);
    return spread_of(values, count);
}

// Parts first to end, as one.
static struct gv_spread gpu_of(const struct gv_prof_figures *f, size_t first,
                               size_t end, uint64_t *values)
{
    for (size_t pass = 0; pass < f->passes; pass++) {
        values[pass] = 0;
        for (size_t i = first; i < end; i++)
            values[pass] += at(&f->gpu, pass * f->part_count + i);
    }
    return spread_of(values, f->passes);
}

static struct gv_frame_cost cost_of(const struct gv_prof_figures *f, size_t frame,
                                    uint64_t *values)
{
    const struct gv_frame_cost *costs = (const void *)f->costs.data;
    struct gv_frame_cost out = costs[frame];
    const size_t passes =
        f->cost_count ? f->costs.size / sizeof *costs / f->cost_count : 0;
    for (size_t k = 0; k < GV_COST_COUNT; k++) {
        for (size_t pass = 0; pass < passes; pass++)
            values[pass] = costs[pass * f->cost_count + frame].of[k];
        out.of[k] = spread_of(values, passes).median;
    }
    return out;
}

// Commands are looked up here, where they ascend: others cost a walk from the
// beginning.
static void make_parts(struct gv_prof_figures *f, const struct gv_payload *payload,
                       uint64_t *values)
{
    size_t n = 0;
    for (size_t i = 1; i < f->stamp_count; i++)
        if (f->stamps[i].kind != GV_STAMP_BEGIN) {
            struct gv_prof_part *part = &f->parts[n];
            *part =
                (struct gv_prof_part){ f->stamps[i], gpu_of(f, n, n + 1, values), "" };
            gv_payload_source(payload, part->stamp.command, &part->source);
            n++;
        }
}

static void make_frames(struct gv_prof_figures *f, const bool *wanted, uint64_t *values)
{
    size_t part = 0;
    for (size_t i = 0; i < f->cost_count; i++) {
        struct gv_prof_frame one = { .cost = cost_of(f, i, values) };
        one.frame = one.cost.frame;
        if (wanted && !wanted[one.frame])
            continue;
        one.first_part = part;
        while (part < f->part_count && f->parts[part].stamp.frame == one.frame)
            part++;
        one.end_parts = part;
        one.gpu = gpu_of(f, one.first_part, part, values);
        f->gpu_ns += one.gpu.median;
        for (size_t k = 0; k < GV_COST_COUNT; k++)
            f->cost.of[k] += one.cost.of[k];
        f->frames[f->frame_count++] = one;
    }
}

bool gv_prof_figures_make(struct gv_prof_figures *f, const struct gv_payload *payload,
                          const bool *wanted, struct gv_error *err)
{
    uint64_t *values =
        calloc(f->passes + f->walls[0].size / sizeof *values + 1, sizeof *values);
    f->parts = calloc(f->part_count + 1, sizeof *f->parts);
    f->frames = calloc(f->cost_count + 1, sizeof *f->frames);
    const bool ok = values && f->parts && f->frames;
    if (ok) {
        make_parts(f, payload, values);
        make_frames(f, wanted, values);
        f->plain = spread_of_bytes(&f->walls[0], values);
        f->stamped = spread_of_bytes(&f->walls[1], values);
    }
    free(values);
    return ok || gv_out_of_memory(err);
}

static int by_cost(const void *a, const void *b)
{
    const struct gv_prof_part *x = a, *y = b;
    if (x->gpu.median != y->gpu.median)
        return x->gpu.median < y->gpu.median ? 1 : -1;
    if (x->stamp.frame != y->stamp.frame)
        return x->stamp.frame < y->stamp.frame ? -1 : 1;
    return (x->stamp.number > y->stamp.number) - (x->stamp.number < y->stamp.number);
}

void gv_prof_figures_sort(struct gv_prof_figures *f)
{
    qsort(f->parts, f->part_count, sizeof *f->parts, by_cost);
}

void gv_prof_figures_finish(struct gv_prof_figures *f)
{
    gv_bytes_finish(&f->gpu);
    gv_bytes_finish(&f->costs);
    gv_bytes_finish(&f->walls[0]);
    gv_bytes_finish(&f->walls[1]);
    free(f->stamps);
    free(f->parts);
    free(f->frames);
}

// ---- words ----

const char *gv_prof_starved_by(const struct gv_prof_figures *f)
{
    static const char *const words[GV_COST_COUNT] = {
        [GV_COST_VM] = "the bytecode",
        [GV_COST_RECORDING] = "recording",
        [GV_COST_DRIVER] = "the driver",
        [GV_COST_UPLOADS] = "uploads",
    };
    size_t most = GV_COST_WAITING;
    for (size_t i = 0; i < GV_COST_COUNT; i++)
        if (words[i] && f->cost.of[i] > f->cost.of[most])
            most = i;
    return words[most];
}

void gv_prof_name(const struct gv_stamp *s, char name[GV_PROF_NAME])
{
    const char *before = s->kind == GV_STAMP_TRANSFER ? "^" : "";
    const bool pass = s->kind == GV_STAMP_OF_PASS || s->of_pass;
    if (s->kind == GV_STAMP_REST || s->kind == GV_STAMP_BEGIN)
        snprintf(name, GV_PROF_NAME, "f%" PRIu64, s->frame);
    else
        snprintf(name, GV_PROF_NAME, "%sf%" PRIu64 ".%c%" PRIu32, before, s->frame,
                 pass ? 'p' : 'd', s->number);
}
