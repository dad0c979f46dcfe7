#include "tools/progress_bar.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "resources/base/now.h"

#define FIRST_SHOWN_NS 1000000000u
#define REDRAW_NS 100000000u
#define SECOND_NS 1000000000
#define WIDTH 40
#define LINE 160
#define STACK_BYTES ((size_t)64 << 10)

void gv_progress_bar_init(struct gv_progress_bar *bar, const char *what)
{
    const char *no_color = getenv("NO_COLOR"); // https://no-color.org
    *bar = (struct gv_progress_bar){
        .what = what,
        .start_ns = gv_now_ns(),
        .terminal = isatty(STDERR_FILENO) == 1,
        .colour = !no_color || !*no_color,
    };
}

// " 43 of 60 frames, 35/s, 2 s left", and nothing of a longer line before it.
static void put_rate(const struct gv_progress_bar *bar, char *line, size_t size)
{
    const double seconds = (double)(gv_now_ns() - bar->start_ns) / SECOND_NS;
    const double rate = (double)bar->done / seconds;
    if (bar->done && bar->done <= bar->total)
        snprintf(line, size,
                 " %" PRIu64 " of %" PRIu64 " %s, %.0f/s, %.0f s left\033[K", bar->done,
                 bar->total, bar->unit, rate, (double)(bar->total - bar->done) / rate);
}

// One write: what others say meanwhile stands before or behind it.
static void draw(struct gv_progress_bar *bar)
{
    const double part = bar->done < bar->total ? (double)bar->done / (double)bar->total
                        : bar->total           ? 1.0
                                               : 0.0;
    const int width = bar->unit ? WIDTH / 2 : WIDTH; // of a terminal's 80 columns
    char cells[WIDTH + 1] = "", line[LINE];
    for (int i = 0; i < width; i++)
        cells[i] = (double)i < part * width ? '#' : '.';
    cells[width] = '\0';
    const int end = snprintf(line, sizeof line, "\r%s %s%s%s %3d %%", bar->what,
                             bar->colour ? "\033[32m" : "", cells,
                             bar->colour ? "\033[0m" : "", (int)(part * 100));
    if (bar->unit && end > 0 && end < LINE)
        put_rate(bar, line + end, sizeof line - (size_t)end);
    fputs(line, stderr);
    fflush(stderr);
    bar->shown = true;
}

// Until the work is over, or `ns` are: the lock is held.
static void wait_for(struct gv_progress_bar *bar, uint64_t ns)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += (time_t)(ns / SECOND_NS);
    at.tv_nsec += (long)(ns % SECOND_NS);
    at.tv_sec += at.tv_nsec / SECOND_NS;
    at.tv_nsec %= SECOND_NS;
    while (!bar->ended &&
           pthread_cond_timedwait(&bar->over, &bar->mutex, &at) != ETIMEDOUT) {
    }
}

static void *keep_drawing(void *context)
{
    struct gv_progress_bar *bar = context;
    const uint64_t passed = gv_now_ns() - bar->start_ns;
    pthread_mutex_lock(&bar->mutex);
    if (passed < FIRST_SHOWN_NS)
        wait_for(bar, FIRST_SHOWN_NS - passed);
    while (!bar->ended) {
        draw(bar);
        wait_for(bar, REDRAW_NS);
    }
    pthread_mutex_unlock(&bar->mutex);
    return NULL;
}

// Without a thread there is no bar, which nobody needs.
void gv_progress_bar_start(struct gv_progress_bar *bar)
{
    pthread_condattr_t monotonic;
    pthread_attr_t small;
    if (!bar->terminal)
        return;
    pthread_mutex_init(&bar->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&bar->over, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK_BYTES);
    bar->drawing = pthread_create(&bar->thread, &small, keep_drawing, bar) == 0;
    pthread_attr_destroy(&small);
}

void gv_progress_bar_update(void *context, uint64_t done, uint64_t total)
{
    struct gv_progress_bar *bar = context;
    if (!bar->drawing)
        return;
    pthread_mutex_lock(&bar->mutex);
    bar->done = done;
    bar->total = total;
    pthread_mutex_unlock(&bar->mutex);
}

void gv_progress_bar_finish(struct gv_progress_bar *bar)
{
    if (!bar->drawing)
        return;
    pthread_mutex_lock(&bar->mutex);
    bar->ended = true;
    pthread_cond_signal(&bar->over);
    pthread_mutex_unlock(&bar->mutex);
    pthread_join(bar->thread, NULL);
    pthread_cond_destroy(&bar->over);
    pthread_mutex_destroy(&bar->mutex);
    bar->drawing = false;
    if (bar->shown)
        fputs("\r\033[K", stderr);
}
