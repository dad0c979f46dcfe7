// When frames are due: an even clock that pauses, changes its speed and counts what
// came too late. Nothing is left out to make up for it. Knows no clock of its own.
#ifndef GV_WINDOW_PACING_H
#define GV_WINDOW_PACING_H

#include "resources/base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define GV_PACING_MIN_MILLIHZ 1000u    // a frame a second
#define GV_PACING_MAX_MILLIHZ 1000000u // a thousand
#define GV_PACING_SLOWEST (-3)         // of `speed`
#define GV_PACING_FASTEST 3

struct gv_pacing {
    uint32_t millihz;                 // thousandths of a frame per second
    int speed;                        // a power of two: -1 is half as fast
    uint64_t anchor_ns, since_anchor; // when it began to count, and frames since
    uint64_t shown, late;             // no jump among them: it is due at once
    uint64_t before;                  // of `shown`, those before the last restart
    uint64_t begun_ns;                // when that was
    uint64_t times_ns[32];            // of the last frames shown
};

// "60", "59.94": thousandths of a frame per second, from 1 to 1000. GV_ERR_USAGE.
bool gv_pacing_parse(const char *text, uint32_t *millihz, struct gv_error *err);

// `millihz` within GV_PACING_MIN_MILLIHZ and GV_PACING_MAX_MILLIHZ.
void gv_pacing_init(struct gv_pacing *p, uint32_t millihz);
// Another rate, from the frame on that was shown last; counts go on.
void gv_pacing_set_rate(struct gv_pacing *p, uint32_t millihz);
// One step faster (1) or slower (-1). False at the last one. Counts anew from `now_ns`.
bool gv_pacing_change_speed(struct gv_pacing *p, int by, uint64_t now_ns);
// The next frame is due one period after `now_ns`: after a pause, after a jump.
void gv_pacing_restart(struct gv_pacing *p, uint64_t now_ns);

// When the next frame is due.
uint64_t gv_pacing_due_ns(const struct gv_pacing *p);
// The next frame is shown. Late is one that is more than half a period behind; one that
// is over a period behind moves all that follow.
void gv_pacing_shown(struct gv_pacing *p, uint64_t now_ns);

// Frames per second of late, in thousandths; 0 before there are two.
uint64_t gv_pacing_measured_millihz(const struct gv_pacing *p);
// The same of all since the last restart.
uint64_t gv_pacing_run_millihz(const struct gv_pacing *p);

#endif
