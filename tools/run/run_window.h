// The end of a window's line where frames are run: one that somebody looks at is run
// to, and its picture handed over (tools/window/).
#ifndef GV_RUN_WINDOW_H
#define GV_RUN_WINDOW_H

#include "runtime/runtime.h"
#include "tools/run/run_plan.h"
#include "tools/window/window_line.h"

struct gv_run_window {
    int line;                         // borrowed
    const struct gv_payload *payload; // borrowed
    uint64_t count; // frames that can be shown; UINT64_MAX: nobody knows
    struct gv_window_memory memory;
    // Of a stream: wishes that were heard while it did not come.
    bool needs_all; // it is read to its end though nobody looks
    bool left;      // the last of `heard` is no frame: nobody looks any more
    struct gv_window_message heard[GV_WINDOW_SLOTS + 1];
    size_t heard_count;
};

struct gv_run_window_wish {
    bool leave; // or else the frame, into the slot
    uint64_t frame;
    uint32_t slot;
};

// What is said on standard error is shown in the window, too.
// `needs_all`: see above.
void gv_run_window_init(struct gv_run_window *w, int line, bool needs_all);
void gv_run_window_finish(struct gv_run_window *w);

struct gv_run_window_params {
    const struct gv_payload *payload;
    const struct gv_run_plan *plan;
    const char *device;    // its name
    uint64_t memory_limit; // bytes
};

// Makes room for pictures, and says what there is to see. To be called before the
// process is confined. GV_ERR_LIMIT, GV_ERR_MEMORY.
bool gv_run_window_open(struct gv_run_window *w,
                        const struct gv_run_window_params *params,
                        struct gv_runtime *runtime, struct gv_error *err);

// Something may have come while a stream does not: hears of it. False: nothing of the
// stream is wanted any more, which gv_run_window_take tells about.
bool gv_run_window_stirred(struct gv_run_window *w);
// Where something can be read when there is more to hear of; -1: there will be no more.
int gv_run_window_watch(const struct gv_run_window *w);
// All of a stream has come: there are so many frames.
void gv_run_window_came(struct gv_run_window *w, uint64_t count);

// Waits for the next wish, and says in `progress` (may be NULL) that it waits.
// GV_ERR_OUTPUT: the window is gone.
bool gv_run_window_take(struct gv_run_window *w, struct gv_progress *progress,
                        struct gv_run_window_wish *wish, struct gv_error *err);
// Hands the picture of the frame over, which `vm` has just run to.
bool gv_run_window_give(struct gv_run_window *w, const struct gv_run_window_wish *wish,
                        const struct gv_picture *picture, const struct gv_vm *vm,
                        struct gv_error *err);

#endif
