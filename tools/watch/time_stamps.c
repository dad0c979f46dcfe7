#include "tools/watch/time_stamps.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/now.h"
#include "tools/watch/probes.h"

#define PASS_SLOTS 8192u // that a pass finds free where it begins
#define MOST_STAMPS ((size_t)4 << 20)

struct gv_stamps {
    struct gv_watch watch;
    struct gv_stamps_params params;
    bool stamped; // this pass is
    struct gv_probes probes;
    size_t read; // stamps that have their ticks
    uint64_t joined;
    // Where the pass is.
    uint64_t frame;
    uint32_t works, passes; // in it
    bool inside;            // a pass
    bool begun;             // a begin stamp stands
    bool transfers;         // since the last stamp
    bool busy;              // anything at all since the last stamp
    // The frame's costs so far.
    uint64_t frame_ns, host_ns, upload_ns;
    struct gv_runtime_stats before;
    struct gv_bytes stamps; // struct gv_stamp each
    struct gv_bytes costs;  // struct gv_frame_cost each
};

// ---- the device's side ----

static size_t count_of(const struct gv_stamps *s)
{
    return s->stamps.size / sizeof(struct gv_stamp);
}

static struct gv_stamp *stamps_of(const struct gv_stamps *s)
{
    return (struct gv_stamp *)(void *)s->stamps.data;
}

static bool stamp(struct gv_stamps *s, const struct gv_stamp *what,
                  struct gv_error *err)
{
    if (s->probes.used == GV_PROBES_SLOTS) {
        s->joined++;
        return true;
    }
    if (count_of(s) == MOST_STAMPS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "over %zu parts: choose fewer --frames, or --by frame",
                       MOST_STAMPS);
    struct gv_stamp one = *what;
    one.frame = s->frame;
    one.command = s->watch.command;
    one.cpu_ns = gv_now_ns();
    s->transfers = s->busy = false;
    gv_bytes_put(&s->stamps, &one, sizeof one);
    return (!s->stamps.failed || gv_out_of_memory(err)) &&
           gv_probes_stamp(&s->probes, err);
}

static bool is_wanted(const struct gv_stamps *s)
{
    const struct gv_stamps_params *p = &s->params;
    return s->stamped &&
           (!p->frames || (s->frame < p->frame_count && p->frames[s->frame]));
}

// The first stamp of a frame, with slots for what follows.
static bool begin_frame(struct gv_stamps *s, struct gv_error *err)
{
    if (s->begun || !is_wanted(s))
        return true;
    s->begun = true;
    return gv_probes_reserve(&s->probes, GV_PROBES_SLOTS, err) &&
           stamp(s, &(struct gv_stamp){ .kind = GV_STAMP_BEGIN }, err);
}

// ---- calls ----

static bool is_transfer(uint8_t number)
{
    switch (number) {
    case GV_CALL_buffer_upload:
    case GV_CALL_buffer_upload_rows:
    case GV_CALL_buffer_fill:
    case GV_CALL_buffer_copy:
    case GV_CALL_buffer_copy_rows:
    case GV_CALL_map_flush:
    case GV_CALL_buffer_unmap:
    case GV_CALL_image_upload:
    case GV_CALL_image_upload_sample:
    case GV_CALL_image_copy:
    case GV_CALL_image_blit:
    case GV_CALL_image_resolve:
    case GV_CALL_image_mipmaps:
    case GV_CALL_image_clear_color:
    case GV_CALL_image_clear_depth_stencil:
    case GV_CALL_image_to_buffer:
    case GV_CALL_buffer_to_image:
    case GV_CALL_clear_color:
    case GV_CALL_clear_depth_stencil:
        return true;
    default:
        return false;
    }
}

static bool is_upload(uint8_t number)
{
    switch (number) {
    case GV_CALL_buffer_upload:
    case GV_CALL_buffer_upload_rows:
    case GV_CALL_map_flush:
    case GV_CALL_buffer_unmap:
    case GV_CALL_image_upload:
    case GV_CALL_image_upload_sample:
        return true;
    default:
        return false;
    }
}

static bool is_work(uint8_t number)
{
    return gv_call_infos[number].sets & GV_STATE_WORK;
}

// What came before this call ends.
static bool close_before(struct gv_stamps *s, uint8_t number, struct gv_error *err)
{
    const bool pass = number == GV_CALL_pass_begin;
    const bool draws = s->params.by == GV_STAMP_DRAW;
    if (!s->begun || s->params.by == GV_STAMP_FRAME)
        return true;
    if (pass && !gv_probes_reserve(&s->probes, PASS_SLOTS, err))
        return false;
    const bool ends = pass ? s->busy : draws && is_work(number) && s->transfers;
    return !ends || stamp(s,
                          &(struct gv_stamp){
                              .kind = GV_STAMP_TRANSFER,
                              .number = pass ? s->passes : s->works,
                              .of_pass = pass,
                          },
                          err);
}

static bool close_behind(struct gv_stamps *s, uint8_t number, struct gv_error *err)
{
    const bool work = is_work(number);
    const enum gv_stamp_by by = s->params.by;
    s->transfers = s->transfers || is_transfer(number);
    s->busy = s->busy || work || is_transfer(number);
    struct gv_stamp part = { .kind = GV_STAMP_OF_WORK, .number = s->works };
    if (number == GV_CALL_pass_end)
        part = (struct gv_stamp){ .kind = GV_STAMP_OF_PASS,
                                  .number = s->passes,
                                  .of_pass = true };
    s->works += work;
    s->passes += number == GV_CALL_pass_end;
    // Slots are free again only outside of passes.
    if (s->begun && !s->inside && !gv_probes_reserve(&s->probes, 1, err))
        return false;
    const bool ends = (work && by == GV_STAMP_DRAW) ||
                      (number == GV_CALL_pass_end && by != GV_STAMP_FRAME);
    return !ends || !s->begun || stamp(s, &part, err);
}

static void note_cost(struct gv_stamps *s)
{
    struct gv_runtime_stats now;
    const uint64_t ns = gv_now_ns();
    gv_runtime_get_stats(s->params.runtime, &now);
    struct gv_frame_cost c = {
        .frame = s->frame,
        .began_ns = s->frame_ns,
        .of = {
            [GV_COST_WALL] = ns - s->frame_ns,
            [GV_COST_VM] = ns - s->frame_ns - s->host_ns,
            [GV_COST_DRIVER] = now.pipeline_ns + now.submit_ns -
                               s->before.pipeline_ns - s->before.submit_ns,
            [GV_COST_WAITING] = now.wait_ns - s->before.wait_ns,
            [GV_COST_UPLOADS] = s->upload_ns,
            [GV_COST_UPLOAD_BYTES] = now.upload_bytes - s->before.upload_bytes,
        },
    };
    const uint64_t known =
        c.of[GV_COST_DRIVER] + c.of[GV_COST_WAITING] + c.of[GV_COST_UPLOADS];
    c.of[GV_COST_RECORDING] = s->host_ns > known ? s->host_ns - known : 0;
    gv_bytes_put(&s->costs, &c, sizeof c);
    s->before = now;
    s->frame_ns = ns;
    s->host_ns = s->upload_ns = 0;
}

static bool end_frame(struct gv_stamps *s, struct gv_error *err)
{
    if (s->begun && !stamp(s, &(struct gv_stamp){ .kind = GV_STAMP_REST }, err))
        return false;
    s->begun = s->transfers = s->busy = false;
    s->works = s->passes = 0;
    return true;
}

// The host's own time of a call, and what of it is no waiting and no driver's.
static bool timed(struct gv_stamps *s, uint8_t number, const union gv_arg *args,
                  uint64_t *result, struct gv_error *err)
{
    struct gv_runtime_stats before, after;
    const bool upload = is_upload(number);
    if (upload)
        gv_runtime_get_stats(s->params.runtime, &before);
    const uint64_t began = gv_now_ns();
    const bool ok = gv_watch_pass(&s->watch, number, args, result, err);
    const uint64_t ns = gv_now_ns() - began;
    s->host_ns += ns;
    if (upload) {
        gv_runtime_get_stats(s->params.runtime, &after);
        const uint64_t other = after.wait_ns - before.wait_ns + after.pipeline_ns -
                               before.pipeline_ns + after.submit_ns - before.submit_ns;
        s->upload_ns += ns > other ? ns - other : 0;
    }
    return ok;
}

static bool watched(void *context, uint8_t number, const union gv_arg *args,
                    uint64_t *result, struct gv_error *err)
{
    struct gv_stamps *s = context;
    const bool ends = number == GV_CALL_frame_end;
    if (!begin_frame(s, err) || !close_before(s, number, err) ||
        (ends && !end_frame(s, err)))
        return false;
    if (number == GV_CALL_pass_begin)
        s->inside = true;
    if (!timed(s, number, args, result, err))
        return false;
    if (number == GV_CALL_pass_end)
        s->inside = false;
    if (ends) {
        note_cost(s);
        s->frame++;
        return !s->costs.failed || gv_out_of_memory(err);
    }
    return close_behind(s, number, err);
}

// ---- life ----

struct gv_stamps *gv_stamps_create(const struct gv_stamps_params *params,
                                   struct gv_error *err)
{
    struct gv_stamps *s = calloc(1, sizeof *s);
    if (!s) {
        gv_out_of_memory(err);
        return NULL;
    }
    s->params = *params;
    s->probes = (struct gv_probes){ .watch = &s->watch,
                                    .runtime = params->runtime,
                                    .type = GV_QUERY_TYPE_TIMESTAMP };
    gv_watch_init(&s->watch, gv_runtime_host(params->runtime), watched, s);
    return s;
}

void gv_stamps_destroy(struct gv_stamps *s)
{
    if (!s)
        return;
    gv_probes_finish(&s->probes);
    gv_bytes_finish(&s->stamps);
    gv_bytes_finish(&s->costs);
    free(s);
}

const struct gv_host *gv_stamps_host(const struct gv_stamps *s)
{
    return &s->watch.host;
}

void gv_stamps_begin(struct gv_stamps *s, bool stamped)
{
    s->stamped = stamped;
    gv_probes_restart(&s->probes);
    s->joined = 0;
    s->works = s->passes = 0;
    s->read = 0;
    s->inside = s->begun = s->transfers = s->busy = false;
    s->frame = s->params.first_frame;
    s->stamps.size = s->costs.size = 0;
    s->host_ns = s->upload_ns = 0;
    gv_runtime_get_stats(s->params.runtime, &s->before);
    s->frame_ns = gv_now_ns();
}

bool gv_stamps_end(struct gv_stamps *s, struct gv_error *err)
{
    if (!gv_probes_read(&s->probes, err))
        return false;
    s->read = s->probes.results.size / sizeof(uint64_t);
    for (size_t i = 0; i < s->read; i++)
        memcpy(&stamps_of(s)[i].ticks, s->probes.results.data + i * sizeof(uint64_t),
               sizeof(uint64_t));
    return true;
}

const struct gv_stamp *gv_stamps_all(const struct gv_stamps *s, size_t *count)
{
    *count = s->read;
    return stamps_of(s);
}

const struct gv_frame_cost *gv_stamps_costs(const struct gv_stamps *s, size_t *count)
{
    *count = s->costs.size / sizeof(struct gv_frame_cost);
    return (const struct gv_frame_cost *)(const void *)s->costs.data;
}

uint64_t gv_stamps_joined(const struct gv_stamps *s)
{
    return s->joined;
}
