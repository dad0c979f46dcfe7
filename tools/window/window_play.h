// Playing: which frame is shown next and when, and what pauses, steps, jumps and loops
// do to that. Knows neither pictures nor a clock.
#ifndef GV_WINDOW_PLAY_H
#define GV_WINDOW_PLAY_H

#include "tools/window/window_keys.h"
#include "tools/window/window_pacing.h"

#define GV_PLAY_NONE UINT64_MAX // no frame

enum gv_play_loop { GV_PLAY_NO_LOOP, GV_PLAY_LOOP_BEGUN, GV_PLAY_LOOPS };

struct gv_play {
    uint64_t count; // frames there are; 0: there is nothing to play
    bool comes;     // there may be more behind them, which is known when they are there
    uint64_t gone;  // frames before cannot be shown any more
    uint64_t passes; // to play, this one included
    uint64_t shown;  // the frame on show, or GV_PLAY_NONE
    uint64_t target; // a frame to jump to, or GV_PLAY_NONE
    uint64_t times;  // that a frame was shown
    bool paused;
    enum gv_play_loop loop;
    uint64_t loop_begin, loop_end; // both are shown
    struct gv_pacing pacing;
};

// Begins at frame 0 as soon as that is there.
void gv_play_init(struct gv_play *p, uint64_t count, uint64_t passes, uint32_t millihz);

// The same of a stream, of whose frames nothing is known yet. Each that is there is
// told: from then on `gone` is the first that can still be shown. At the end all of
// them are.
void gv_play_init_stream(struct gv_play *p, uint32_t millihz);
void gv_play_came(struct gv_play *p, uint64_t frame, uint64_t gone);
void gv_play_came_all(struct gv_play *p, uint64_t count);

// GV_WINDOW_PAUSE, STEP, SEEK, SPEED and LOOP; others do nothing.
void gv_play_act(struct gv_play *p, enum gv_window_action action, int number,
                 uint64_t now_ns);
// Jumps to a frame (the last one, if there are not so many).
void gv_play_seek(struct gv_play *p, uint64_t frame);

// The frame that is to be shown next, or GV_PLAY_NONE.
uint64_t gv_play_next(const struct gv_play *p);
// What follows that one if nobody touches a key, or GV_PLAY_NONE: to be made ahead.
uint64_t gv_play_after(const struct gv_play *p, uint64_t frame);
// When the next frame is due; a jump is at once (0).
uint64_t gv_play_due_ns(const struct gv_play *p);
// The next frame is shown now.
void gv_play_show(struct gv_play *p, uint64_t now_ns);

// Whether the last frame is on show, and nothing follows.
bool gv_play_ended(const struct gv_play *p);

#endif
