#include "tools/window/window_view.h"

#include <string.h>

#define BACKGROUND 0x000000
#define BAR_DONE 0x4080c0
#define BAR_LOOP 0x806020
#define BAR_HERE 0xffffff
#define MARGIN 2 // pixels around text, at scale 1
#define LINE_MAX_LETTERS 256

// The end of a line of at most `most` letters: at a blank, if there is one.
static size_t line_length(const char *text, size_t most)
{
    const size_t length = strcspn(text, "\n");
    if (length <= most)
        return length;
    for (size_t i = most; i > 0; i--)
        if (text[i] == ' ')
            return i;
    return most;
}

// The next line of a text, copied; false at its end.
static bool next_line(const char **text, size_t most, char line[LINE_MAX_LETTERS])
{
    if (!**text)
        return false;
    most = most < LINE_MAX_LETTERS ? most : LINE_MAX_LETTERS - 1;
    const size_t length = line_length(*text, most ? most : 1);
    memcpy(line, *text, length);
    line[length] = '\0';
    *text += length;
    if (**text == '\n' || **text == ' ')
        ++*text;
    return true;
}

struct text_box {
    int scale, columns, lines, longest;
};

static struct text_box measure(const struct gv_canvas *canvas, const char *text)
{
    char line[LINE_MAX_LETTERS];
    struct text_box box = { .scale =
                                gv_layout_text_scale(canvas->width, canvas->height) };
    box.columns =
        (canvas->width - 2 * MARGIN * box.scale) / (GV_LETTER_WIDTH * box.scale);
    box.columns = box.columns > 1 ? box.columns : 1;
    while (next_line(&text, (size_t)box.columns, line)) {
        const int length = (int)strlen(line);
        box.longest = length > box.longest ? length : box.longest;
        box.lines++;
    }
    return box;
}

static int box_width(const struct text_box *box)
{
    return (box->longest * GV_LETTER_WIDTH + 2 * MARGIN) * box->scale;
}

static int box_height(const struct text_box *box)
{
    return (box->lines * GV_LETTER_HEIGHT + 2 * MARGIN) * box->scale;
}

static void draw_box(struct gv_canvas *canvas, const struct text_box *box, int x, int y,
                     const char *text)
{
    char line[LINE_MAX_LETTERS];
    const int margin = MARGIN * box->scale;
    gv_canvas_dim(canvas,
                  (struct gv_canvas_area){ x, y, box_width(box), box_height(box) });
    for (int i = 0; next_line(&text, (size_t)box->columns, line); i++)
        gv_canvas_text(canvas, x + margin,
                       y + margin + i * GV_LETTER_HEIGHT * box->scale, box->scale,
                       line);
}

static void draw_corner(struct gv_canvas *canvas, const char *text)
{
    const struct text_box box = measure(canvas, text);
    draw_box(canvas, &box, 0, 0, text);
}

static void draw_sentence(struct gv_canvas *canvas, const char *text)
{
    const struct text_box box = measure(canvas, text);
    draw_box(canvas, &box, (canvas->width - box_width(&box)) / 2,
             (canvas->height - box_height(&box)) / 2, text);
}

static void draw_note(struct gv_canvas *canvas, const char *text)
{
    const struct text_box box = measure(canvas, text);
    const struct gv_canvas_area bar = gv_layout_bar(canvas->width, canvas->height);
    draw_box(canvas, &box, 0, bar.y - box_height(&box), text);
}

static void draw_bar(struct gv_canvas *canvas, const struct gv_window_view *view)
{
    const struct gv_canvas_area bar = gv_layout_bar(canvas->width, canvas->height);
    const int column = gv_layout_bar_column(canvas->width, view->at, view->count);
    const int scale = gv_layout_text_scale(canvas->width, canvas->height);
    struct gv_canvas_area part = bar;
    gv_canvas_dim(canvas, bar);
    part.width = column;
    gv_canvas_fill(canvas, part, BAR_DONE);
    if (view->loops) {
        const int begin =
            gv_layout_bar_column(canvas->width, view->loop_begin, view->count);
        part.x = begin;
        part.width =
            gv_layout_bar_column(canvas->width, view->loop_end + 1, view->count) -
            begin;
        part.height = 2 * scale;
        gv_canvas_fill(canvas, part, BAR_LOOP);
    }
    gv_canvas_fill(canvas,
                   (struct gv_canvas_area){ column, bar.y, 2 * scale, bar.height },
                   BAR_HERE);
}

void gv_window_draw(struct gv_canvas *canvas, const struct gv_window_view *view)
{
    const struct gv_window_picture *p = view->picture;
    gv_canvas_fill(canvas,
                   (struct gv_canvas_area){ 0, 0, canvas->width, canvas->height },
                   BACKGROUND);
    if (p && p->width)
        gv_canvas_picture(canvas,
                          gv_layout_picture(canvas->width, canvas->height, p->width,
                                            p->height, p->aspect),
                          p->rgba, p->width, p->height);
    if (view->bar && view->count)
        draw_bar(canvas, view);
    if (view->corner)
        draw_corner(canvas, view->corner);
    if (view->note)
        draw_note(canvas, view->note);
    if (view->sentence)
        draw_sentence(canvas, view->sentence);
}
