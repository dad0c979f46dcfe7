#include "tools/window/window_play.h"

void gv_play_init(struct gv_play *p, uint64_t count, uint64_t passes, uint32_t millihz)
{
    *p = (struct gv_play){
        .count = count,
        .passes = passes,
        .shown = GV_PLAY_NONE,
        .target = count ? 0 : GV_PLAY_NONE,
    };
    gv_pacing_init(&p->pacing, millihz);
}

void gv_play_init_stream(struct gv_play *p, uint32_t millihz)
{
    gv_play_init(p, 0, 1, millihz);
    p->comes = true;
    p->target = 0;
}

void gv_play_came(struct gv_play *p, uint64_t frame, uint64_t gone)
{
    if (p->comes && frame >= p->count)
        p->count = frame + 1;
    p->gone = gone;
    if (p->target != GV_PLAY_NONE && p->target < gone)
        p->target = gone;
}

void gv_play_came_all(struct gv_play *p, uint64_t count)
{
    p->comes = false;
    p->count = count;
    if (p->target != GV_PLAY_NONE && p->target >= count)
        p->target = count && p->shown != count - 1 ? count - 1 : GV_PLAY_NONE;
}

// The one that can be shown next to `frame`. Of those that come one more is waited for.
void gv_play_seek(struct gv_play *p, uint64_t frame)
{
    if (p->count && !p->comes && frame >= p->count)
        frame = p->count - 1;
    if (p->comes && frame > p->count)
        frame = p->count;
    if (p->count || p->comes)
        p->target = frame > p->gone ? frame : p->gone;
}

// Where a step begins: a jump that is under way counts as done.
static uint64_t place(const struct gv_play *p)
{
    if (p->target != GV_PLAY_NONE)
        return p->target;
    return p->shown == GV_PLAY_NONE ? 0 : p->shown;
}

static void step(struct gv_play *p, int by)
{
    const uint64_t at = place(p);
    p->paused = true;
    if (by > 0)
        gv_play_seek(p, at + (uint64_t)by);
    else
        gv_play_seek(p, at > (uint64_t)-by ? at - (uint64_t)-by : 0);
}

static void seek_tenth(struct gv_play *p, uint64_t tenths)
{
    // In two steps: a product of both could be too large.
    const uint64_t frame = p->count / 10 * tenths + p->count % 10 * tenths / 10;
    if (p->count)
        gv_play_seek(p, frame < p->count ? frame : p->count - 1);
}

// At the end to go on is to begin again.
static void pause(struct gv_play *p, uint64_t now_ns)
{
    if (gv_play_ended(p)) {
        p->paused = false;
        gv_play_seek(p, 0);
        return;
    }
    p->paused = !p->paused;
    gv_pacing_restart(&p->pacing, now_ns);
}

static void loop(struct gv_play *p)
{
    const uint64_t at = place(p);
    if (p->loop == GV_PLAY_NO_LOOP) {
        p->loop = GV_PLAY_LOOP_BEGUN;
        p->loop_begin = at;
    } else if (p->loop == GV_PLAY_LOOP_BEGUN) {
        p->loop = GV_PLAY_LOOPS;
        p->loop_end = at > p->loop_begin ? at : p->loop_begin;
        p->loop_begin = at < p->loop_begin ? at : p->loop_begin;
    } else {
        p->loop = GV_PLAY_NO_LOOP;
    }
}

void gv_play_act(struct gv_play *p, enum gv_window_action action, int number,
                 uint64_t now_ns)
{
    switch (action) {
    case GV_WINDOW_PAUSE:
        pause(p, now_ns);
        break;
    case GV_WINDOW_STEP:
        step(p, number);
        break;
    case GV_WINDOW_SEEK:
        seek_tenth(p, (uint64_t)number);
        break;
    case GV_WINDOW_SPEED:
        gv_pacing_change_speed(&p->pacing, number, now_ns);
        break;
    case GV_WINDOW_LOOP:
        loop(p);
        break;
    case GV_WINDOW_NONE:
    case GV_WINDOW_SAVE:
    case GV_WINDOW_INFO:
    case GV_WINDOW_HELP:
    case GV_WINDOW_FULL_SCREEN:
    case GV_WINDOW_FILE:
    case GV_WINDOW_QUIT:
        break;
    }
}

uint64_t gv_play_after(const struct gv_play *p, uint64_t frame)
{
    if (frame == GV_PLAY_NONE || p->paused)
        return GV_PLAY_NONE;
    if (p->loop == GV_PLAY_LOOPS && frame == p->loop_end)
        return p->loop_begin > p->gone ? p->loop_begin : p->gone;
    if (frame + 1 < p->count || p->comes)
        return frame + 1;
    return p->passes > 1 ? 0 : GV_PLAY_NONE;
}

uint64_t gv_play_next(const struct gv_play *p)
{
    return p->target != GV_PLAY_NONE ? p->target : gv_play_after(p, p->shown);
}

uint64_t gv_play_due_ns(const struct gv_play *p)
{
    return p->target != GV_PLAY_NONE ? 0 : gv_pacing_due_ns(&p->pacing);
}

void gv_play_show(struct gv_play *p, uint64_t now_ns)
{
    const uint64_t next = gv_play_next(p);
    const bool jump = p->target != GV_PLAY_NONE;
    if (next == GV_PLAY_NONE)
        return;
    if (!jump && next == 0 && p->shown + 1 == p->count && p->passes > 1)
        p->passes--;
    p->shown = next;
    p->times++;
    p->target = GV_PLAY_NONE;
    if (jump)
        gv_pacing_restart(&p->pacing, now_ns);
    else
        gv_pacing_shown(&p->pacing, now_ns);
}

bool gv_play_ended(const struct gv_play *p)
{
    return !p->paused && p->count && gv_play_next(p) == GV_PLAY_NONE;
}
