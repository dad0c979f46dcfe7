// A bar on the terminal for work over a second; nothing elsewhere. A thread draws it,
// so that it shows while a single step takes long.
#ifndef GV_PROGRESS_BAR_H
#define GV_PROGRESS_BAR_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct gv_progress_bar {
    const char *what; // "compiling"; borrowed
    const char *unit; // "frames": how many are done, how fast; NULL: that is not shown
    uint64_t start_ns;
    bool terminal, colour;
    bool drawing; // there is a thread, which shares what follows
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t over;
    uint64_t done, total;
    bool ended, shown;
};

// Looks at the terminal and the clock; draws nothing yet.
void gv_progress_bar_init(struct gv_progress_bar *bar, const char *what);
// From now on it is drawn: where the process has given up what it need not do, since
// threads that are there already keep it. The bar stays in its place until it is
// finished.
void gv_progress_bar_start(struct gv_progress_bar *bar);
// How far the work is. Fits gv_compile_params.progress.
void gv_progress_bar_update(void *bar, uint64_t done, uint64_t total);
// Wipes the bar, so that messages start on a clean line.
void gv_progress_bar_finish(struct gv_progress_bar *bar);

#endif
