// A bar on the terminal for work over a second; nothing elsewhere.
#ifndef GV_PROGRESS_BAR_H
#define GV_PROGRESS_BAR_H

#include <stdbool.h>
#include <stdint.h>

struct gv_progress_bar {
    const char *what; // "compiling"; borrowed
    uint64_t start_ns, drawn_ns;
    bool terminal, colour, shown;
};

void gv_progress_bar_init(struct gv_progress_bar *bar, const char *what);
// At most ten redraws a second. Fits gv_compile_params.progress.
void gv_progress_bar_update(void *bar, uint64_t done, uint64_t total);
// Wipes the bar, so that messages start on a clean line.
void gv_progress_bar_finish(struct gv_progress_bar *bar);

#endif
