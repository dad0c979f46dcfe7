#include "tests/psx/psx_oracle.h"

#include "compiler/psx/psx_math.h"
#include "compiler/psx/setup.h"

#include <string.h>

static uint16_t *cell_at(struct gv_psx_oracle *o, uint32_t x, uint32_t y)
{
    return &o->vram[(y & o->y_mask) * 1024 + (x & 1023)];
}

// "8. Textures": the texel at (u, v) before the window.
static uint16_t texel(struct gv_psx_oracle *o, const struct gv_psx_draw *d, uint32_t u,
                      uint32_t v)
{
    u = (u & d->window_and_u) | d->window_or_u;
    v = (v & d->window_and_v) | d->window_or_v;
    uint32_t y = d->page_y + v;
    if (d->depth == 2)
        return *cell_at(o, d->page_x + u, y);
    if (d->depth == 1)
        return o->clut[*cell_at(o, d->page_x + (u >> 1), y) >> (u & 1) * 8 & 255];
    return o->clut[*cell_at(o, d->page_x + (u >> 2), y) >> (u & 3) * 4 & 15];
}

static int clamp_5(int c)
{
    return c < 0 ? 0 : c > 31 ? 31 : c;
}

static int blend(int mode, int back, int front)
{
    switch (mode) {
    case 0:
        return (back + front) >> 1;
    case 1:
        return clamp_5(back + front);
    case 2:
        return clamp_5(back - front);
    default:
        return clamp_5(back + (front >> 2));
    }
}

static int modulate(const struct gv_psx_draw *d, int texel_5, int color_8)
{
    return d->modulate_5bit ? (texel_5 * (color_8 >> 3)) >> 1
                            : (texel_5 * color_8) >> 4;
}

// "7. Per-pixel pipeline". (x, y) is inside the drawing area.
static void plot(struct gv_psx_oracle *o, const struct gv_psx_draw *d, int32_t x,
                 int32_t y, const int rgb[3], uint32_t u, uint32_t v)
{
    static const int dither[4][4] = {
        { -4, 0, -3, 1 }, { 2, -2, 3, -1 }, { -3, 1, -4, 0 }, { 3, -1, 2, -2 }
    };
    if (d->skip_parity >= 0 && (y & 1) == d->skip_parity)
        return;
    uint16_t t = d->textured ? texel(o, d, u, v) : 0;
    if (d->textured && t == 0)
        return;
    uint16_t *cell = cell_at(o, (uint32_t)x, (uint32_t)y);
    int offset = d->dither ? dither[y & 3][x & 3] : 0;
    bool blended = d->semi_transparent && (!d->textured || t >> 15);
    uint32_t out = d->textured ? t & 0x8000u : 0;
    for (int i = 0; i < 3; i++) {
        int t5 = t >> 5 * i & 31, c;
        if (d->raw)
            c = t5;
        else
            c = clamp_5(((d->textured ? modulate(d, t5, rgb[i]) : rgb[i]) + offset) >>
                        3);
        if (blended)
            c = blend(d->blend, *cell >> 5 * i & 31, c);
        out |= (uint32_t)c << 5 * i;
    }
    if (d->mask_check && *cell >> 15)
        return;
    *cell = (uint16_t)(out | (d->mask_set ? 0x8000u : 0));
    o->pixels++;
}

static bool inside(const struct gv_psx_draw *d, int32_t x, int32_t y)
{
    return x >= d->area_x0 && x <= d->area_x1 && y >= d->area_y0 && y <= d->area_y1;
}

static void triangle_row(struct gv_psx_oracle *o, const struct gv_psx_draw *d,
                         const struct gv_psx_setup *s, int32_t row, const int flat[3],
                         bool gouraud)
{
    int32_t left, right, y = gv_psx_wrap_11(row);
    if (y < d->area_y0 || y > d->area_y1)
        return;
    gv_psx_triangle_row(s, row, &left, &right);
    int32_t shift = gv_psx_wrap_11(left) - left;
    int32_t first = left + shift < d->area_x0 ? d->area_x0 - shift : left;
    int32_t end = right + shift > d->area_x1 + 1 ? d->area_x1 + 1 - shift : right;
    for (int32_t x = first; x < end; x++) {
        uint32_t value[GV_PSX_ATTRIBUTES];
        for (int a = 0; a < GV_PSX_ATTRIBUTES; a++)
            value[a] = (s->base[a] + s->dx[a] * (uint32_t)(x - s->core_x) +
                        s->dy[a] * (uint32_t)(row - s->core_y)) >>
                       24;
        const int shaded[3] = { (int)value[0], (int)value[1], (int)value[2] };
        plot(o, d, x + shift, y, gouraud ? shaded : flat, value[GV_PSX_U],
             value[GV_PSX_V]);
    }
}

static void triangle_walk(struct gv_psx_oracle *o, const struct gv_psx_draw *d,
                          const struct gv_psx_setup *s, bool bottom, const int flat[3],
                          bool gouraud)
{
    int32_t begin = bottom ? s->bottom_begin : s->top_begin;
    int32_t end = bottom ? s->bottom_end : s->top_end;
    bool up = bottom ? s->bottom_up : s->top_up;
    for (int32_t i = 0; i < end - begin; i++)
        triangle_row(o, d, s, up ? end - 1 - i : begin + i, flat, gouraud);
}

static void triangle(void *context, const struct gv_psx_draw *d,
                     const struct gv_psx_vertex v[3], bool gouraud)
{
    struct gv_psx_oracle *o = context;
    struct gv_psx_setup s;
    const int flat[3] = { v[0].r, v[0].g, v[0].b };
    o->y_mask = gv_psx_y_mask(o->gpu);
    if (!gv_psx_triangle_setup(v, d->area_y0, d->area_y1, &s))
        return;
    triangle_walk(o, d, &s, s.bottom_first, flat, gouraud);
    triangle_walk(o, d, &s, !s.bottom_first, flat, gouraud);
}

// A line in canonical direction (dx >= 0 or a single point) with its colour ramp.
struct line_ramp {
    int32_t x, y, dx, dy; // start and extent; dx >= 0
    int32_t k;            // pixels - 1
    int32_t color[3];     // start, 12 fraction bits, rounded
    int32_t step[3];      // per pixel
};

static void line_setup(const struct gv_psx_vertex v[2], struct line_ramp *out)
{
    const struct gv_psx_vertex *a = &v[0], *b = &v[1];
    int32_t width = b->x > a->x ? b->x - a->x : a->x - b->x;
    int32_t height = b->y > a->y ? b->y - a->y : a->y - b->y;
    int32_t k = width > height ? width : height;
    if (k > 0 && a->x >= b->x) {
        a = &v[1];
        b = &v[0];
    }
    *out = (struct line_ramp){ a->x, a->y, b->x - a->x, b->y - a->y, k, { 0 }, { 0 } };
    const int32_t from[3] = { a->r, a->g, a->b }, to[3] = { b->r, b->g, b->b };
    for (int i = 0; i < 3; i++) {
        out->color[i] = 4096 * from[i] + 2048;
        out->step[i] = psx_line_step(from[i], to[i], k);
    }
}

// Pixel i, 0 <= i <= k, unwrapped.
static void line_pixel(const struct line_ramp *l, int32_t i, int32_t *x, int32_t *y)
{
    int32_t k = l->k;
    *x = l->x;
    *y = l->y;
    if (k == 0)
        return;
    int32_t height = l->dy < 0 ? -l->dy : l->dy;
    *x += psx_line_x(i, l->dx, k);
    int32_t rise = psx_line_y(i, height, k);
    *y += l->dy < 0 ? -rise : rise;
}

static void line(void *context, const struct gv_psx_draw *d,
                 const struct gv_psx_vertex v[2])
{
    struct gv_psx_oracle *o = context;
    struct line_ramp l;
    o->y_mask = gv_psx_y_mask(o->gpu);
    line_setup(v, &l);
    for (int32_t i = 0; i <= l.k; i++) {
        int32_t x, y;
        line_pixel(&l, i, &x, &y);
        x = gv_psx_wrap_11(x);
        y = gv_psx_wrap_11(y);
        int rgb[3];
        for (int c = 0; c < 3; c++)
            rgb[c] = (l.color[c] + i * l.step[c]) >> 12;
        if (inside(d, x, y))
            plot(o, d, x, y, rgb, 0, 0);
    }
}

static void rectangle(void *context, const struct gv_psx_draw *d,
                      const struct gv_psx_vertex *corner, uint32_t w, uint32_t h)
{
    struct gv_psx_oracle *o = context;
    const int rgb[3] = { corner->r, corner->g, corner->b };
    o->y_mask = gv_psx_y_mask(o->gpu);
    for (uint32_t j = 0; j < h; j++)
        for (uint32_t i = 0; i < w; i++) {
            int32_t x = corner->x + (int32_t)i, y = corner->y + (int32_t)j;
            uint32_t u = d->flip_u ? (corner->u | 1u) - i : corner->u + i;
            uint32_t t = d->flip_v ? corner->v - j : corner->v + j;
            if (inside(d, x, y))
                plot(o, d, x, y, rgb, u & 255, t & 255);
        }
}

static void clut(void *context, uint32_t x, uint32_t y, uint32_t entries)
{
    struct gv_psx_oracle *o = context;
    o->y_mask = gv_psx_y_mask(o->gpu);
    for (uint32_t i = 0; i < entries; i++)
        o->clut[i] = *cell_at(o, x + i, y);
}

static void fill(void *context, const struct gv_psx_place *to, uint16_t cell,
                 int8_t skip)
{
    struct gv_psx_oracle *o = context;
    o->y_mask = gv_psx_y_mask(o->gpu);
    for (uint32_t j = 0; j < to->h; j++)
        for (uint32_t i = 0; i < to->w; i++)
            if (skip < 0 || (int)(((to->y + j) & o->y_mask) & 1) != skip)
                *cell_at(o, to->x + i, to->y + j) = cell;
}

static void store(uint16_t *cell, uint16_t value, struct gv_psx_mask mask)
{
    if (!mask.check || !(*cell >> 15))
        *cell = (uint16_t)(value | (mask.set ? 0x8000u : 0));
}

// Each row is read whole, then written; rows run top to bottom.
static void copy(void *context, const struct gv_psx_place *from,
                 const struct gv_psx_place *to, struct gv_psx_mask mask)
{
    struct gv_psx_oracle *o = context;
    o->y_mask = gv_psx_y_mask(o->gpu);
    for (uint32_t j = 0; j < to->h; j++) {
        uint16_t row[1024];
        for (uint32_t i = 0; i < to->w; i++)
            row[i] = *cell_at(o, from->x + i, from->y + j);
        for (uint32_t i = 0; i < to->w; i++)
            store(cell_at(o, to->x + i, to->y + j), row[i], mask);
    }
}

static uint16_t *cell_of(struct gv_psx_oracle *o, const struct gv_psx_place *place,
                         uint32_t number)
{
    return cell_at(o, place->x + number % place->w, place->y + number / place->w);
}

static void upload(void *context, const struct gv_psx_place *to,
                   struct gv_psx_cells cells, const uint8_t *data,
                   struct gv_psx_mask mask)
{
    struct gv_psx_oracle *o = context;
    o->y_mask = o->gpu->t_mask;
    for (uint32_t i = 0; i < cells.count; i++)
        store(cell_of(o, to, cells.first + i),
              (uint16_t)(data[2 * i] | data[2 * i + 1] << 8), mask);
}

static void read_cells(void *context, const struct gv_psx_place *from,
                       struct gv_psx_cells cells, bool keep)
{
    struct gv_psx_oracle *o = context;
    o->y_mask = o->gpu->t_mask;
    for (uint32_t i = 0; i < cells.count; i += 2) {
        uint32_t at = cells.first + i, low = *cell_of(o, from, at);
        uint32_t high = i + 1 < cells.count ? *cell_of(o, from, at + 1) : 0;
        o->last_read = low | high << 16;
        if (keep)
            gv_bytes_u32(&o->readback, o->last_read);
    }
}

static void latch(void *context, uint32_t word, uint32_t from_vram, bool keep)
{
    struct gv_psx_oracle *o = context;
    if (keep)
        gv_bytes_u32(&o->readback, word | (o->last_read & from_vram));
}

struct gv_psx_sink gv_psx_oracle_sink(struct gv_psx_oracle *oracle)
{
    return (struct gv_psx_sink){ oracle, triangle, line,   rectangle,  clut,
                                 fill,   copy,     upload, read_cells, latch };
}

static void put_15(struct gv_bytes *rgb, uint16_t cell)
{
    for (int i = 0; i < 3; i++) {
        int c = cell >> 5 * i & 31;
        gv_bytes_u8(rgb, (uint8_t)(c << 3 | c >> 2));
    }
}

void gv_psx_oracle_display(const struct gv_psx_oracle *o,
                           const struct gv_psx_display *d, struct gv_bytes *rgb)
{
    uint32_t rows = gv_psx_vram_rows(o->gpu) - 1;
    for (uint32_t j = 0; j < d->height; j++) {
        const uint16_t *row = &o->vram[((d->y + j) & rows) * 1024];
        for (uint32_t i = 0; i < d->width; i++) {
            if (d->off) {
                gv_bytes_put(rgb, (const uint8_t[3]){ 0 }, 3);
            } else if (d->rgb24) {
                for (uint32_t b = 0; b < 3; b++) {
                    uint32_t at = (2 * d->x + 3 * i + b) & 2047;
                    gv_bytes_u8(rgb, (uint8_t)(row[at / 2] >> at % 2 * 8));
                }
            } else {
                put_15(rgb, row[(d->x + i) & 1023]);
            }
        }
    }
}
