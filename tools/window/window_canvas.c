#include "tools/window/window_canvas.h"

#include <stdlib.h>

#define OPAQUE 0xff000000u
#define INK 0xffffffu
#define GLYPH_WIDTH 5
#define GLYPH_HEIGHT 7

static const struct {
    char letter;
    const char *rows[GLYPH_HEIGHT];
} glyphs[] = {
#define GV_GLYPH(letter, ...) { letter, { __VA_ARGS__ } },
#include "tools/window/glyphs.def"
#undef GV_GLYPH
};
_Static_assert(sizeof glyphs / sizeof *glyphs == '~' - ' ' + 1, "all that can be seen");

bool gv_canvas_resize(struct gv_canvas *canvas, int width, int height)
{
    if (width <= 0 || height <= 0 || width > GV_CANVAS_MAX || height > GV_CANVAS_MAX)
        return false;
    if (canvas->pixels && width == canvas->width && height == canvas->height)
        return true;
    uint32_t *pixels = calloc((size_t)width * (size_t)height, sizeof *pixels);
    if (!pixels)
        return false;
    free(canvas->pixels);
    canvas->pixels = pixels;
    canvas->width = width;
    canvas->height = height;
    return true;
}

void gv_canvas_finish(struct gv_canvas *canvas)
{
    free(canvas->pixels);
    *canvas = (struct gv_canvas){ 0 };
}

static int within(int value, int limit)
{
    return value < 0 ? 0 : value > limit ? limit : value;
}

// The part of an area that is on the canvas.
struct part {
    int left, top, right, bottom;
};

static struct part clip(const struct gv_canvas *canvas, struct gv_canvas_area area)
{
    return (struct part){
        .left = within(area.x, canvas->width),
        .top = within(area.y, canvas->height),
        .right = within(area.x + area.width, canvas->width),
        .bottom = within(area.y + area.height, canvas->height),
    };
}

static uint32_t *row(const struct gv_canvas *canvas, int y)
{
    return canvas->pixels + (size_t)y * (size_t)canvas->width;
}

void gv_canvas_fill(struct gv_canvas *canvas, struct gv_canvas_area area,
                    uint32_t colour)
{
    struct part part = clip(canvas, area);
    for (int y = part.top; y < part.bottom; y++)
        for (int x = part.left; x < part.right; x++)
            row(canvas, y)[x] = OPAQUE | colour;
}

void gv_canvas_dim(struct gv_canvas *canvas, struct gv_canvas_area area)
{
    struct part part = clip(canvas, area);
    for (int y = part.top; y < part.bottom; y++)
        for (int x = part.left; x < part.right; x++)
            row(canvas, y)[x] = OPAQUE | (row(canvas, y)[x] >> 2 & 0x3f3f3f);
}

// The texel under the middle of pixel `at` of `size`.
static uint32_t texel(int at, int size, uint32_t texels)
{
    return (uint32_t)((2 * (uint64_t)at + 1) * texels / (2 * (uint64_t)size));
}

static void stretch_row(uint32_t *to, const struct part *part,
                        const struct gv_canvas_area *area, const uint8_t *from,
                        uint32_t width)
{
    for (int x = part->left; x < part->right; x++) {
        const uint8_t *rgba = from + 4 * (size_t)texel(x - area->x, area->width, width);
        to[x] = OPAQUE | (uint32_t)rgba[0] << 16 | (uint32_t)rgba[1] << 8 | rgba[2];
    }
}

void gv_canvas_picture(struct gv_canvas *canvas, struct gv_canvas_area area,
                       const uint8_t *rgba, uint32_t width, uint32_t height)
{
    struct part part = clip(canvas, area);
    for (int y = part.top; y < part.bottom; y++) {
        const uint32_t line = texel(y - area.y, area.height, height);
        stretch_row(row(canvas, y), &part, &area, rgba + 4 * (size_t)width * line,
                    width);
    }
}

static const char *const *rows_of(char letter)
{
    return glyphs[letter >= ' ' && letter <= '~' ? letter - ' ' : '?' - ' '].rows;
}

void gv_canvas_text(struct gv_canvas *canvas, int x, int y, int scale, const char *text)
{
    for (; *text && x < canvas->width; text++, x += scale * GV_LETTER_WIDTH) {
        const char *const *rows = rows_of(*text);
        for (int line = 0; line < GLYPH_HEIGHT; line++)
            for (int i = 0; i < GLYPH_WIDTH; i++)
                if (rows[line][i] == '#')
                    gv_canvas_fill(canvas,
                                   (struct gv_canvas_area){
                                       x + i * scale, y + line * scale, scale, scale },
                                   INK);
    }
}
