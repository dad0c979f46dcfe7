#include "tools/progress_bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/base/now.h"

#define FIRST_SHOWN_NS 1000000000u
#define REDRAW_NS 100000000u
#define WIDTH 40

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

void gv_progress_bar_update(void *context, uint64_t done, uint64_t total)
{
    struct gv_progress_bar *bar = context;
    if (!bar->terminal || total == 0)
        return;
    uint64_t now = gv_now_ns();
    if (now - bar->start_ns < FIRST_SHOWN_NS || now - bar->drawn_ns < REDRAW_NS)
        return;
    bar->drawn_ns = now;
    bar->shown = true;
    double part = done < total ? (double)done / (double)total : 1.0;
    char cells[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++)
        cells[i] = (double)i < part * WIDTH ? '#' : '.';
    cells[WIDTH] = '\0';
    fprintf(stderr, "\r%s %s%s%s %3d %%", bar->what, bar->colour ? "\033[32m" : "",
            cells, bar->colour ? "\033[0m" : "", (int)(part * 100));
    fflush(stderr);
}

void gv_progress_bar_finish(struct gv_progress_bar *bar)
{
    if (bar->shown)
        fprintf(stderr, "\r\033[K");
    bar->shown = false;
}
