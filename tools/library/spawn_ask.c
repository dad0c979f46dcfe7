#include "tools/library/spawn_ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/base/foreign.h"
#include "resources/base/now.h"
#include "tools/base/last_position.h"
#include "tools/library/spawn_process.h"
#include "vm/machine/progress.h"

#define STEP_MS 20 // so often the flag of a gpuvm_cancel is looked at
// A child's own time-out comes first and knows more; a device may take a while.
#define GRACE_MS 5000
#define CANCEL_NS 2000000000u // one that does not stop is stopped
#define HELLO_MS 30000        // where there is no time-out: it may be none of ours

// A step that took longer was no silence of the child: both were paused, or this
// process was at something else, as a caller's function.
#define MAX_STEP_NS 200000000u

// How long nothing was heard of its work, and for how long it is to stop.
struct patience {
    uint64_t most_ms; // 0: for ever
    uint64_t looked_ns, silent_ns, cancelled_ns, completions;
    bool greets; // it has not said yet who it is
};

// ---- an end ----

int gv_spawn_lose(struct gv_spawned *s, const char *why, struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    char path[64], said[GV_WHY_LOST];
    snprintf(path, sizeof path, "/proc/self/fd/%d", s->position);
    bool killed;
    const int status = gv_spawn_process_end(s->pid, &killed);
    s->left = !why && (killed || status == -1 || WIFEXITED(status));
    if (!why && status == -1)
        snprintf(said, sizeof said, "lost: the driver's process has ended");
    else if (!why)
        gv_why_died(said, "the driver's process", status);
    gv_fail_lost_at(s->running ? path : NULL, why ? why : said, &err);
    s->pid = -1;
    s->lost = true;
    return gv_library_fail(error, &err, GV_PHASE_RUN, NULL);
}

// ---- what it says before it answers ----

static bool is_cancelled(const struct gv_spawned *s)
{
    const struct gpuvm_cancel *given = s->settings.cancel;
    return gv_is_cancelled(gv_library_flag(given)) ||
           gv_is_cancelled(&s->own_cancel.flag);
}

static void hear_log(struct gv_spawned *s)
{
    char line[1024];
    snprintf(line, sizeof line, "%s", gv_spawn_text(&s->m));
    gv_foreign_mask(line);
    if (s->settings.log && s->m.level <= GPUVM_WARNING)
        s->settings.log(s->settings.context, (int)s->m.level, line);
}

static bool hear_frame(struct gv_spawned *s)
{
    const struct gpuvm_settings *own = &s->settings;
    const uint64_t count = s->facts.payload.frame_count;
    const bool stop = own->progress && s->m.number < count &&
                      own->progress(own->context, s->m.number, count);
    if (stop)
        atomic_store(own->cancel ? &own->cancel->flag : &s->own_cancel.flag, true);
    s->m.word = GV_SPAWN_GO_ON;
    s->m.number = is_cancelled(s);
    s->m.size = 0;
    return gv_spawn_line_send(s->line, &s->m, -1);
}

// Asks the sources in turn, as a replay of this process would.
static bool fetch(struct gv_spawned *s, struct gv_fetch *item, struct gv_error *err)
{
    for (size_t i = 0; i < s->settings.source_count && !item->found; i++) {
        struct gv_source *source = gv_library_source(s->settings.sources[i]);
        if (!source->fetch(source, item, 1, err))
            return false;
    }
    return true;
}

static bool find(struct gv_spawned *s, const char *name, uint64_t size, bool *found,
                 struct gv_error *err)
{
    struct gv_fetch item = { .raw_size = size };
    if (!gv_hash_from_hex(name, &item.hash) || size > s->settings.memory)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "an object of %" PRIu64 " bytes exceeds the memory limit", size);
    item.data = gv_bytes_grow(&s->object, (size_t)size);
    if (!item.data)
        return gv_out_of_memory(err);
    const bool ok = fetch(s, &item, err);
    *found = item.found;
    return ok;
}

// An object that the child names, whole, into `s->object`. The outcome as
// GV_SPAWN_PIECE has it.
static uint64_t find_object(struct gv_spawned *s, const char *name, uint64_t size)
{
    struct gv_error err = GV_ERROR_INIT;
    bool found = false;
    gv_bytes_finish(&s->object);
    const bool ok = find(s, name, size, &found, &err);
    snprintf(s->object_name, sizeof s->object_name, "%s", found ? name : "");
    if (!found)
        gv_bytes_finish(&s->object);
    if (!ok)
        gv_library_fail(&s->fetch_error, &err, GV_PHASE_RUN, s->settings.cancel);
    return !ok ? 2 : found;
}

static bool hear_want(struct gv_spawned *s)
{
    char name[GV_HASH_HEX] = "";
    const uint64_t size = s->m.count, begin = s->m.number;
    uint64_t outcome = 1;
    snprintf(name, sizeof name, "%s", gv_spawn_text(&s->m));
    if (!name[0] || strcmp(name, s->object_name) != 0 || size != s->object.size)
        outcome = find_object(s, name, size);
    s->m.word = GV_SPAWN_PIECE;
    s->m.number = outcome;
    s->m.size = 0;
    if (outcome == 1 && begin < size) {
        const uint64_t left = size - begin;
        s->m.size = left < GV_SPAWN_DATA ? (uint32_t)left : GV_SPAWN_DATA;
        memcpy(s->m.data, s->object.data + begin, s->m.size);
    }
    return gv_spawn_line_send(s->line, &s->m, -1);
}

// ---- waiting ----

static void look_for_progress(const struct gv_spawned *s, struct patience *p)
{
    char path[64];
    struct gv_progress_state state;
    snprintf(path, sizeof path, "/proc/self/fd/%d", s->position);
    if (!gv_progress_read(path, &state, NULL) || state.completions == p->completions)
        return;
    p->completions = state.completions;
    p->silent_ns = 0;
}

static void count_step(const struct gv_spawned *s, struct patience *p)
{
    const uint64_t now = gv_now_ns(), passed = now - p->looked_ns;
    const uint64_t step = passed < MAX_STEP_NS ? passed : MAX_STEP_NS;
    p->looked_ns = now;
    p->silent_ns += step;
    p->cancelled_ns += is_cancelled(s) ? step : 0;
}

static bool is_silent(const struct patience *p)
{
    return p->most_ms && p->silent_ns / 1000000u > p->most_ms;
}

// After each step, whether or not something came: there are children that talk without
// end. False: it was waited for long enough; `error` says for what.
static bool wait_on(struct gv_spawned *s, struct patience *p, struct gpuvm_error *error)
{
    char why[GV_WHY_LOST];
    count_step(s, p);
    if (is_cancelled(s))
        *(volatile uint8_t *)s->flag.bytes = 1;
    if (p->cancelled_ns > CANCEL_NS) {
        struct gv_error err = GV_ERROR_INIT;
        gv_spawn_lose(s, "lost: it did not stop", NULL);
        gv_fail_cancelled(&err);
        gv_library_fail(error, &err, GV_PHASE_RUN,
                        s->settings.cancel ? s->settings.cancel : &s->own_cancel);
        return false;
    }
    if (is_silent(p) && s->open)
        look_for_progress(s, p);
    if (!is_silent(p))
        return true;
    if (p->greets)
        snprintf(why, sizeof why,
                 "time-out: the driver's process said nothing for %" PRIu64 " s",
                 p->most_ms / 1000);
    else
        gv_why_silent(why, s->open, (uint64_t)s->settings.timeout_ms * 1000000u);
    gv_spawn_lose(s, why, error);
    return false;
}

// False: it is lost, and nothing is passed.
static bool hear(struct gv_spawned *s, struct patience *p, int *passed,
                 struct gpuvm_error *error)
{
    enum gv_spawn_heard heard = GV_SPAWN_SILENT;
    while (heard == GV_SPAWN_SILENT) {
        heard = gv_spawn_line_take(s->line, &s->m, passed, STEP_MS);
        if (heard == GV_SPAWN_ENDS) {
            gv_spawn_lose(s, NULL, error);
            return false;
        }
        if (heard == GV_SPAWN_HEARD && s->m.word == GV_SPAWN_ANSWER)
            return true;
        if (heard == GV_SPAWN_HEARD && s->m.word != GV_SPAWN_LOG)
            p->silent_ns = 0; // a line tells of no work
        if (wait_on(s, p, error))
            continue;
        if (*passed >= 0)
            close(*passed);
        *passed = -1;
        return false;
    }
    return true;
}

bool gv_spawn_hear_first(struct gv_spawned *s, int *passed, struct gpuvm_error *error)
{
    const uint64_t timeout_ms = s->settings.timeout_ms;
    struct patience p = { .most_ms = timeout_ms ? timeout_ms + GRACE_MS : HELLO_MS,
                          .looked_ns = gv_now_ns(),
                          .greets = true };
    return hear(s, &p, passed, error);
}

// ---- asking ----

// Of what a child says is wrong only what there is to say.
static bool take_error(struct gv_spawned *s)
{
    struct gpuvm_error *e = &s->m.error;
    static const int known[] = { GPUVM_OK,     GPUVM_USAGE, GPUVM_REJECTED, GPUVM_FETCH,
                                 GPUVM_DEVICE, GPUVM_LOST,  GPUVM_CANCELLED };
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known = is_known || e->status == known[i];
    e->message[sizeof e->message - 1] = '\0';
    gv_foreign_mask(e->message);
    // What this process could not fetch it knows best.
    if (e->status != GPUVM_OK && e->status != GPUVM_CANCELLED &&
        s->fetch_error.status != GPUVM_OK)
        *e = s->fetch_error;
    return is_known;
}

static bool take_memory(struct gv_spawned *s, int passed)
{
    if (passed < 0)
        return true;
    gv_shared_memory_finish(&s->results);
    if (s->m.number <= SIZE_MAX / 2)
        return gv_shared_memory_map(&s->results, passed, (size_t)s->m.number, false);
    close(passed);
    return false;
}

static int take_answer(struct gv_spawned *s, int passed, struct gpuvm_error *error)
{
    const bool memory = take_memory(s, passed);
    if (!take_error(s) || !memory)
        return gv_spawn_lose(s, "lost: what the driver's process says makes no sense",
                             error);
    s->stats = s->m.stats;
    *error = s->m.error;
    if (error->status == GPUVM_LOST)
        gv_spawn_lose(s, NULL, NULL);
    return error->status;
}

int gv_spawn_ask(struct gv_spawned *s, int passed, struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    const uint64_t timeout_ms = s->settings.timeout_ms;
    struct patience p = { .most_ms = timeout_ms ? timeout_ms + GRACE_MS : 0,
                          .looked_ns = gv_now_ns() };
    struct gpuvm_error own = { 0 };
    error = error ? error : &own;
    if (s->lost) {
        gv_fail(&err, GV_ERR_LOST, GV_NO_OFFSET, "the device was lost before");
        return gv_library_fail(error, &err, GV_PHASE_RUN, NULL);
    }
    s->fetch_error.status = GPUVM_OK;
    atomic_store(&s->own_cancel.flag, false);
    *(volatile uint8_t *)s->flag.bytes = is_cancelled(s);
    bool told = gv_spawn_line_send(s->line, &s->m, passed);
    while (told) {
        int got = -1;
        if (!hear(s, &p, &got, error))
            return error->status;
        if (s->m.word == GV_SPAWN_ANSWER)
            return take_answer(s, got, error);
        if (got >= 0)
            close(got);
        told = s->m.word == GV_SPAWN_FRAME  ? hear_frame(s)
               : s->m.word == GV_SPAWN_WANT ? hear_want(s)
                                            : s->m.word == GV_SPAWN_LOG;
        if (told && s->m.word == GV_SPAWN_LOG)
            hear_log(s);
    }
    return gv_spawn_lose(s, NULL, error);
}
