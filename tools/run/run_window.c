#include "tools/run/run_window.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "tools/base/report.h"
#include "vm/machine/progress.h"
#include "vm/machine/vm.h"

#define WAIT_MS 1000 // how often somebody who waits says so
#define LEAST_BYTES 4096
// Of a stream nobody knows how large its pictures will be: so much, which is no memory
// before it is used, or that part of what there is.
#define STREAM_BYTES ((uint64_t)64 << 20)
#define STREAM_PART 16

static bool gone(const struct gv_window_message *m, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                   m->word == GV_WINDOW_GONE
                       ? "the window is gone: its display has ended"
                       : "the window is gone: its process has ended");
}

static void say_too(void *context, const char *text)
{
    const struct gv_run_window *w = context;
    gv_window_line_say(w->line, GV_WINDOW_SAID, text);
}

void gv_run_window_init(struct gv_run_window *w, int line, bool needs_all)
{
    *w = (struct gv_run_window){ .line = line,
                                 .memory = GV_WINDOW_MEMORY_NONE,
                                 .needs_all = needs_all };
    gv_say_also(say_too, w);
}

void gv_run_window_finish(struct gv_run_window *w)
{
    gv_say_also(NULL, NULL);
    gv_window_memory_finish(&w->memory);
}

// Of the largest picture that the payload says there is.
static uint64_t most_bytes(const struct gv_payload *p, uint64_t count)
{
    uint64_t most = LEAST_BYTES;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t bytes = (uint64_t)p->frames[i].width * p->frames[i].height * 4;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static void say_hello(struct gv_run_window *w, const char *device)
{
    const bool comes = w->payload->streamed;
    struct gv_window_message m = {
        .word = GV_WINDOW_HELLO,
        .count = comes ? 0 : w->count,
        .number = comes,
        .bytes = w->memory.bytes,
    };
    snprintf(m.text, sizeof m.text, "%s", device);
    gv_window_line_send(w->line, &m, w->memory.shared.fd);
}

bool gv_run_window_open(struct gv_run_window *w,
                        const struct gv_run_window_params *params,
                        struct gv_runtime *runtime, struct gv_error *err)
{
    const struct gv_run_plan *plan = params->plan;
    w->payload = params->payload;
    w->count = plan->tail ? plan->frame_count : plan->last_frame + 1;
    uint64_t bytes = STREAM_BYTES;
    if (!plan->streamed)
        bytes = most_bytes(params->payload, w->count);
    else if (bytes > params->memory_limit / STREAM_PART)
        bytes = params->memory_limit / STREAM_PART;
    if (plan->streamed)
        w->count = UINT64_MAX;
    if (bytes > params->memory_limit / GV_WINDOW_SLOTS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "pictures for a window exceed the memory limit");
    if (!gv_runtime_charge(runtime, bytes * GV_WINDOW_SLOTS, err) ||
        !gv_window_memory_make(&w->memory, (size_t)bytes, err))
        return false;
    say_hello(w, params->device);
    return true;
}

static bool is_frame(const struct gv_run_window *w, const struct gv_window_message *m)
{
    return m->word == GV_WINDOW_SHOW && m->frame < w->count &&
           m->slot < GV_WINDOW_SLOTS;
}

bool gv_run_window_stirred(struct gv_run_window *w)
{
    while (!w->left) {
        struct gv_window_message *m = &w->heard[w->heard_count];
        const enum gv_window_heard heard = gv_window_line_take(w->line, m, NULL, false);
        if (heard == GV_WINDOW_SILENT)
            break;
        // The end of the line, or more frames than can be on their way.
        if (heard == GV_WINDOW_ENDS ||
            (is_frame(w, m) && w->heard_count == GV_WINDOW_SLOTS))
            *m = (struct gv_window_message){ 0 };
        w->heard_count++;
        w->left = !is_frame(w, m);
    }
    return !w->left || w->needs_all;
}

// The end of a line can be read for ever.
int gv_run_window_watch(const struct gv_run_window *w)
{
    return w->left ? -1 : w->line;
}

void gv_run_window_came(struct gv_run_window *w, uint64_t count)
{
    const struct gv_window_message m = { .word = GV_WINDOW_CAME, .count = count };
    gv_window_line_send(w->line, &m, -1);
}

// The next message; the end of the line is one of no word.
static struct gv_window_message next(struct gv_run_window *w)
{
    struct gv_window_message m;
    if (w->heard_count) {
        m = w->heard[0];
        w->heard_count--;
        memmove(w->heard, w->heard + 1, w->heard_count * sizeof m);
        return m;
    }
    if (gv_window_line_take(w->line, &m, NULL, true) != GV_WINDOW_HEARD)
        m = (struct gv_window_message){ 0 };
    return m;
}

// False: nothing has come.
static bool wait(const struct gv_run_window *w)
{
    struct pollfd poller = { .fd = w->line, .events = POLLIN };
    return poll(&poller, 1, WAIT_MS) != 0;
}

bool gv_run_window_take(struct gv_run_window *w, struct gv_progress *progress,
                        struct gv_run_window_wish *wish, struct gv_error *err)
{
    while (!w->heard_count && !wait(w))
        gv_progress_alive(progress);
    const struct gv_window_message m = next(w);
    *wish = (struct gv_run_window_wish){
        .leave = m.word == GV_WINDOW_LEAVE,
        .frame = m.frame,
        .slot = m.slot,
    };
    return wish->leave || is_frame(w, &m) || gone(&m, err);
}

// 0: not known, or nothing a window could keep to.
static uint32_t millihz_of(const struct gv_pace *pace)
{
    const uint64_t millihz =
        pace->per ? ((uint64_t)pace->rate * 1000 + pace->per / 2) / pace->per : 0;
    return millihz <= UINT32_MAX ? (uint32_t)millihz : 0;
}

bool gv_run_window_give(struct gv_run_window *w, const struct gv_run_window_wish *wish,
                        const struct gv_picture *picture, const struct gv_vm *vm,
                        struct gv_error *err)
{
    struct gv_vm_stats stats;
    gv_vm_get_stats(vm, &stats);
    const struct gv_pace pace = gv_payload_pace(w->payload, wish->frame);
    const struct gv_window_message m = {
        .word = GV_WINDOW_PICTURE,
        .slot = wish->slot,
        .frame = wish->frame,
        .command = gv_vm_command(vm),
        .width = picture->width,
        .height = picture->height,
        .stalls = stats.stalls,
        .millihz = millihz_of(&pace),
        .aspect_width = pace.width,
        .aspect_height = pace.height,
    };
    const uint64_t bytes = (uint64_t)picture->width * picture->height * 4;
    if (bytes > w->memory.bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a picture of %ux%u is larger than its frame says",
                       picture->width, picture->height);
    if (bytes)
        memcpy(gv_window_memory_slot(&w->memory, wish->slot), picture->rgba,
               (size_t)bytes);
    gv_window_line_send(w->line, &m, -1); // its last wish, if it has gone, comes next
    return true;
}
