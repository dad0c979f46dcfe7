#include "tools/window/window_layout.h"

#include <stdio.h>
#include <string.h>

#define MAX_ASPECT 1000
#define BEGIN_WIDTH 480u // a picture less wide is shown larger at first
#define BEGIN_MOST 8192  // no window begins with more
#define BAR_LETTERS 1    // the bar's height, in lines of text

bool gv_aspect_parse(const char *text, struct gv_aspect *aspect, struct gv_error *err)
{
    unsigned width, height;
    int end = 0;
    *aspect = (struct gv_aspect){ 0, 0 };
    if (strcmp(text, "native") == 0)
        return true;
    if (strspn(text, "0123456789:") == strlen(text) && strlen(text) < 10 &&
        sscanf(text, "%u:%u%n", &width, &height, &end) == 2 && !text[end] && width &&
        height && width <= MAX_ASPECT && height <= MAX_ASPECT) {
        *aspect = (struct gv_aspect){ width, height };
        return true;
    }
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "--aspect '%.32s' is not native or W:H with numbers up to %d", text,
                   MAX_ASPECT);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t at_least_1(uint64_t value)
{
    return value ? value : 1;
}

// How wide a picture is that stands so high.
static uint64_t width_at(uint64_t height, uint32_t width, uint32_t picture_height,
                         struct gv_aspect aspect)
{
    const uint64_t over = aspect.height ? aspect.width : width;
    const uint64_t under = aspect.height ? aspect.height : picture_height;
    return at_least_1((height * over + under / 2) / under);
}

// One that is smaller than its pixels: as large as fits.
static uint64_t shrunk_height(uint64_t window_width, uint64_t window_height,
                              uint32_t width, uint32_t height, struct gv_aspect aspect)
{
    const uint64_t over = aspect.height ? aspect.width : width;
    const uint64_t under = aspect.height ? aspect.height : height;
    return at_least_1(least(window_height, window_width * under / over));
}

struct gv_canvas_area gv_layout_picture(int window_width, int window_height,
                                        uint32_t width, uint32_t height,
                                        struct gv_aspect aspect)
{
    const uint64_t room_x = (uint64_t)window_width, room_y = (uint64_t)window_height;
    uint64_t times = room_y / height;
    while (times && width_at(times * height, width, height, aspect) > room_x)
        times--;
    const uint64_t high =
        times ? times * height : shrunk_height(room_x, room_y, width, height, aspect);
    const uint64_t wide = least(room_x, width_at(high, width, height, aspect));
    return (struct gv_canvas_area){
        .x = (int)((room_x - wide) / 2),
        .y = (int)((room_y - high) / 2),
        .width = (int)wide,
        .height = (int)high,
    };
}

void gv_layout_first_size(uint32_t width, uint32_t height, struct gv_aspect aspect,
                          int *window_width, int *window_height)
{
    uint64_t times = 1;
    while (width_at(times * height, width, height, aspect) < BEGIN_WIDTH &&
           (times + 1) * height <= UINT64_C(2) * BEGIN_WIDTH)
        times++;
    const uint64_t wide = width_at(times * height, width, height, aspect);
    *window_width = (int)least(wide, BEGIN_MOST);
    *window_height = (int)least(times * height, BEGIN_MOST);
}

// Two lines of 80 letters at scale 1 are for windows of a few hundred pixels.
int gv_layout_text_scale(int window_width, int window_height)
{
    const int side = window_width < window_height ? window_width : window_height;
    return side / 480 + 1;
}

struct gv_canvas_area gv_layout_bar(int window_width, int window_height)
{
    const int scale = gv_layout_text_scale(window_width, window_height);
    const int height = BAR_LETTERS * GV_LETTER_HEIGHT * scale + 2 * scale;
    return (struct gv_canvas_area){ 0, window_height - height, window_width, height };
}

uint64_t gv_layout_bar_frame(int window_width, int x, uint64_t count)
{
    if (x < 0 || window_width <= 0)
        return 0;
    if (x >= window_width)
        return count - 1;
    const uint64_t width = (uint64_t)window_width;
    // In two steps: a product of both could be too large.
    return least(count - 1,
                 count / width * (uint64_t)x + count % width * (uint64_t)x / width);
}

int gv_layout_bar_column(int window_width, uint64_t frame, uint64_t count)
{
    if (window_width <= 0)
        return 0;
    return (int)((double)frame / (double)count * window_width);
}
