#include "compiler/psx/lower.h"

#include "compiler/psx/setup.h"

#include <string.h>

static uint32_t rows_of(const struct gv_psx_lower *l)
{
    return gv_psx_y_mask(l->gpu) + 1;
}

// ---- states and clipping ----

static uint32_t state_flags(const struct gv_psx_lower *l, const struct gv_psx_draw *d)
{
    uint32_t s = d->page_x / 64u | (uint32_t)d->page_y << 4 | (uint32_t)d->depth << 14 |
                 (uint32_t)d->blend << 16;
    s |= d->textured ? PSX_STATE_TEXTURED : 0;
    s |= d->raw ? PSX_STATE_RAW : 0;
    s |= d->semi_transparent ? PSX_STATE_SEMI : 0;
    s |= d->dither ? PSX_STATE_DITHER : 0;
    s |= d->mask_set ? PSX_STATE_MASK_SET : 0;
    s |= d->mask_check ? PSX_STATE_MASK_CHECK : 0;
    s |= d->flip_u ? PSX_STATE_FLIP_U : 0;
    s |= d->flip_v ? PSX_STATE_FLIP_V : 0;
    s |= d->modulate_5bit ? PSX_STATE_MODULATE_5 : 0;
    s |= (uint32_t)(d->skip_parity + 1) << 27;
    s |= rows_of(l) == 1024 ? PSX_STATE_ROWS_1024 : 0;
    return s;
}

static uint32_t add_state(struct gv_psx_lower *l, const struct gv_psx_draw *d,
                          const struct gv_psx_rect *clip)
{
    const uint32_t state[PSX_STATE_WORDS] = {
        (uint32_t)clip->x0 | (uint32_t)clip->y0 << 16,
        (uint32_t)clip->x1 | (uint32_t)clip->y1 << 16,
        state_flags(l, d),
        d->window_and_u | (uint32_t)d->window_or_u << 8 |
            (uint32_t)d->window_and_v << 16 | (uint32_t)d->window_or_v << 24,
    };
    return gv_psx_group_state(l->group, state);
}

// The drawing area in cells when screen rows are moved by `shift`; may be empty.
static struct gv_psx_rect clip_rect(const struct gv_psx_lower *l,
                                    const struct gv_psx_draw *d, int32_t shift)
{
    return (struct gv_psx_rect){
        d->area_x0, gv_psx_most(d->area_y0 + shift, 0), d->area_x1,
        gv_psx_least(d->area_y1 + shift, (int32_t)rows_of(l) - 1)
    };
}

static struct gv_psx_rect clipped(const struct gv_psx_rect *r,
                                  const struct gv_psx_rect *clip)
{
    return (struct gv_psx_rect){ gv_psx_most(r->x0, clip->x0),
                                 gv_psx_most(r->y0, clip->y0),
                                 gv_psx_least(r->x1, clip->x1),
                                 gv_psx_least(r->y1, clip->y1) };
}

// Row shifts under which a primitive can land in VRAM: none, and -512 where the drawing
// area reaches below the 512 rows there are.
static int shifts_of(const struct gv_psx_lower *l, const struct gv_psx_draw *d,
                     int32_t shifts[2])
{
    shifts[0] = 0;
    shifts[1] = -512;
    return d->area_y1 >= (int32_t)rows_of(l) ? 2 : 1;
}

// ---- what a primitive samples ----

static struct gv_psx_area sampled_area(const struct gv_psx_lower *l,
                                       const struct gv_psx_draw *d, int32_t u0,
                                       int32_t u1, int32_t v0, int32_t v1)
{
    if (!d->textured)
        return (struct gv_psx_area){ .count = 0 };
    return gv_psx_sampled_area(d, rows_of(l), (struct gv_psx_rect){ u0, v0, u1, v1 });
}

// ---- records ----

static uint32_t pack_xy(int32_t x, int32_t y)
{
    return ((uint32_t)x & 0xffff) | (uint32_t)y << 16;
}

static uint32_t pack_color(const struct gv_psx_vertex *v)
{
    return v->r | (uint32_t)v->g << 8 | (uint32_t)v->b << 16;
}

static uint32_t pack_uv(const struct gv_psx_vertex *v)
{
    return v->u | (uint32_t)v->v << 8;
}

static uint32_t head(uint32_t kind, bool gouraud, uint32_t state)
{
    return kind | (uint32_t)gouraud << 3 | state << 8;
}

static uint32_t clut_slot(const struct gv_psx_lower *l, const struct gv_psx_draw *d)
{
    return d->textured && d->depth < 2 ? l->group->clut_slot : 0;
}

// ---- triangles ----

// Whether no row or column of it wraps on screen.
static bool stays_on_screen(const struct gv_psx_vertex *v, int count)
{
    for (int i = 0; i < count; i++)
        if (v[i].x < -1024 || v[i].x > 1023 || v[i].y < -1024 || v[i].y > 1023)
            return false;
    return true;
}

static struct gv_psx_rect vertex_bounds(const struct gv_psx_vertex *v, int count)
{
    struct gv_psx_rect r = { v[0].x, v[0].y, v[0].x, v[0].y };
    for (int i = 1; i < count; i++) {
        r.x0 = gv_psx_least(r.x0, v[i].x);
        r.x1 = gv_psx_most(r.x1, v[i].x);
        r.y0 = gv_psx_least(r.y0, v[i].y);
        r.y1 = gv_psx_most(r.y1, v[i].y);
    }
    return r;
}

// What a triangle samples: attributes stay within one of the vertices' range, since the
// gradients are short by less than 1/4096 each step.
static struct gv_psx_area triangle_samples(const struct gv_psx_lower *l,
                                           const struct gv_psx_draw *d,
                                           const struct gv_psx_vertex v[3])
{
    int32_t u0 = 255, u1 = 0, v0 = 255, v1 = 0;
    for (int i = 0; i < 3; i++) {
        u0 = gv_psx_least(u0, v[i].u);
        u1 = gv_psx_most(u1, v[i].u);
        v0 = gv_psx_least(v0, v[i].v);
        v1 = gv_psx_most(v1, v[i].v);
    }
    return sampled_area(l, d, u0, u1, v0, v1);
}

static struct gv_psx_walk walk_rows(int32_t begin, int32_t end, bool up,
                                    const struct gv_psx_rect *visible, int32_t shift)
{
    int32_t first = gv_psx_most(begin + shift, visible->y0),
            last = gv_psx_least(end - 1 + shift, visible->y1);
    if (last < first)
        return (struct gv_psx_walk){ 0 };
    return (struct gv_psx_walk){ (uint32_t)(up ? last : first),
                                 (uint32_t)(last - first + 1), up };
}

static void triangle_walks(const struct gv_psx_setup *s,
                           const struct gv_psx_rect *visible, int32_t shift,
                           struct gv_psx_walk walks[2])
{
    struct gv_psx_walk top =
        walk_rows(s->top_begin, s->top_end, s->top_up, visible, shift);
    struct gv_psx_walk bottom =
        walk_rows(s->bottom_begin, s->bottom_end, s->bottom_up, visible, shift);
    walks[0] = s->bottom_first ? bottom : top;
    walks[1] = s->bottom_first ? top : bottom;
}

// A triangle's part in one place of VRAM.
struct triangle_piece {
    uint32_t words[PSX_RECORD_WORDS];
    struct gv_psx_use use;
};

// The piece with rows moved by `shift`; false if nothing of it is visible.
static bool triangle_piece(struct gv_psx_lower *l, const struct gv_psx_draw *d,
                           const struct gv_psx_vertex v[3], bool gouraud,
                           const struct gv_psx_setup *s, int32_t shift,
                           struct triangle_piece *out)
{
    struct gv_psx_rect clip = clip_rect(l, d, shift), bounds = vertex_bounds(v, 3);
    bounds.x1--; // right and bottom edges are exclusive
    bounds.y0 += shift;
    bounds.y1 += shift - 1;
    *out = (struct triangle_piece){ .use = { .writes = clipped(&bounds, &clip),
                                             .state = state_flags(l, d) } };
    if (gv_psx_rect_empty(&out->use.writes))
        return false;
    out->use.samples = triangle_samples(l, d, v);
    triangle_walks(s, &out->use.writes, shift, out->use.walks);
    const uint32_t words[PSX_RECORD_WORDS] = {
        head(PSX_KIND_TRIANGLE, gouraud, add_state(l, d, &clip)),
        pack_color(&v[0]),
        pack_xy(v[0].x, v[0].y + shift),
        pack_xy(v[1].x, v[1].y + shift),
        pack_xy(v[2].x, v[2].y + shift),
        gouraud ? pack_color(&v[1]) : 0,
        gouraud ? pack_color(&v[2]) : 0,
        d->textured ? pack_uv(&v[0]) | pack_uv(&v[1]) << 16 : 0,
        d->textured ? pack_uv(&v[2]) | clut_slot(l, d) << 16 : 0,
    };
    memcpy(out->words, words, sizeof words);
    return true;
}

// Two pieces, one of which samples what the other draws: half by half and row by row,
// as the hardware walks. Upward, what wrapped comes first.
static void walk_pieces(struct gv_psx_lower *l, const struct triangle_piece pieces[2])
{
    for (int half = 0; half < 2; half++) {
        bool up = pieces[0].use.walks[half].up != 0;
        for (int i = 0; i < 2; i++) {
            const struct triangle_piece *p = &pieces[up ? 1 - i : i];
            struct gv_psx_use use = p->use;
            use.walks[0] = use.walks[half];
            use.walks[1] = (struct gv_psx_walk){ 0 };
            use.ordered = true;
            if (use.walks[0].count)
                gv_psx_group_record(l->group, p->words, &use);
        }
    }
}

static void triangle_pieces(struct gv_psx_lower *l, const struct gv_psx_draw *d,
                            const struct gv_psx_vertex v[3], bool gouraud,
                            const struct gv_psx_setup *s)
{
    int32_t shifts[2];
    int count = shifts_of(l, d, shifts), some = 0;
    struct triangle_piece pieces[2];
    gv_psx_group_reserve(l->group, 4);
    for (int i = 0; i < count; i++)
        some += triangle_piece(l, d, v, gouraud, s, shifts[i], &pieces[some]);
    if (some == 2) {
        const struct gv_psx_area writes = {
            .rects = { pieces[0].use.writes, pieces[1].use.writes }, .count = 2
        };
        if (gv_psx_areas_meet(&pieces[0].use.samples, &writes)) {
            walk_pieces(l, pieces);
            return;
        }
    }
    for (int i = 0; i < some; i++)
        gv_psx_group_record(l->group, pieces[i].words, &pieces[i].use);
}

// One row of a triangle that wraps on screen, as a record of its own.
static void span_record(struct gv_psx_lower *l, const struct gv_psx_draw *d,
                        const struct gv_psx_vertex v[3], bool gouraud,
                        const struct gv_psx_setup *s, int32_t row)
{
    int32_t left, right, y = gv_psx_wrap_11(row);
    if (y < d->area_y0 || y > d->area_y1)
        return;
    gv_psx_triangle_row(s, row, &left, &right);
    int32_t shift = gv_psx_wrap_11(left) - left,
            cell_row = y & ((int32_t)rows_of(l) - 1);
    const struct gv_psx_rect clip = { d->area_x0, 0, d->area_x1,
                                      (int32_t)rows_of(l) - 1 };
    const struct gv_psx_rect span = { left + shift, cell_row, right + shift - 1,
                                      cell_row };
    struct gv_psx_use use = { .writes = clipped(&span, &clip),
                              .state = state_flags(l, d) };
    if (gv_psx_rect_empty(&use.writes))
        return;
    gv_psx_group_reserve(l->group, 1);
    use.samples = triangle_samples(l, d, v);
    use.walks[0] = (struct gv_psx_walk){ (uint32_t)cell_row, 1, 0 };
    uint32_t planes[PSX_SPAN_WORDS];
    const uint32_t flat[3] = { v[0].r, v[0].g, v[0].b };
    for (int a = 0; a < GV_PSX_ATTRIBUTES; a++) {
        bool constant = a <= GV_PSX_B && !gouraud;
        uint32_t base = s->base[a] - s->dx[a] * (uint32_t)(shift + s->core_x) +
                        s->dy[a] * (uint32_t)(row - s->core_y);
        planes[2 * (size_t)a] = constant ? flat[a] << 24 : base;
        planes[2 * (size_t)a + 1] = constant ? 0 : s->dx[a];
    }
    const uint32_t words[PSX_RECORD_WORDS] = {
        head(PSX_KIND_SPAN, gouraud, add_state(l, d, &clip)),
        0,
        (uint32_t)cell_row,
        pack_xy(use.writes.x0, use.writes.x1),
        gv_psx_group_span(l->group, planes),
        0,
        0,
        0,
        clut_slot(l, d) << 16,
    };
    gv_psx_group_record(l->group, words, &use);
}

static void triangle_spans(struct gv_psx_lower *l, const struct gv_psx_draw *d,
                           const struct gv_psx_vertex v[3], bool gouraud,
                           const struct gv_psx_setup *s, bool bottom)
{
    int32_t begin = bottom ? s->bottom_begin : s->top_begin;
    int32_t end = bottom ? s->bottom_end : s->top_end;
    bool up = bottom ? s->bottom_up : s->top_up;
    for (int32_t i = 0; i < end - begin; i++)
        span_record(l, d, v, gouraud, s, up ? end - 1 - i : begin + i);
}

static void triangle(void *context, const struct gv_psx_draw *d,
                     const struct gv_psx_vertex v[3], bool gouraud)
{
    struct gv_psx_lower *l = context;
    struct gv_psx_setup s;
    if (!gv_psx_triangle_setup(v, d->area_y0, d->area_y1, &s))
        return;
    if (!stays_on_screen(v, 3)) {
        triangle_spans(l, d, v, gouraud, &s, s.bottom_first);
        triangle_spans(l, d, v, gouraud, &s, !s.bottom_first);
        return;
    }
    triangle_pieces(l, d, v, gouraud, &s);
}

// ---- lines ----

static void line_record(struct gv_psx_lower *l, const struct gv_psx_draw *d,
                        const struct gv_psx_vertex v[2], int32_t shift_x,
                        int32_t shift_y, const struct gv_psx_rect *clip)
{
    struct gv_psx_rect bounds = vertex_bounds(v, 2);
    bounds.x0 += shift_x;
    bounds.x1 += shift_x;
    bounds.y0 += shift_y;
    bounds.y1 += shift_y;
    struct gv_psx_use use = { .writes = clipped(&bounds, clip),
                              .state = state_flags(l, d) };
    if (gv_psx_rect_empty(&use.writes))
        return;
    const uint32_t words[PSX_RECORD_WORDS] = {
        head(PSX_KIND_LINE, true, add_state(l, d, clip)),
        pack_color(&v[0]),
        pack_xy(v[0].x + shift_x, v[0].y + shift_y),
        pack_xy(v[1].x + shift_x, v[1].y + shift_y),
        0,
        pack_color(&v[1]),
    };
    gv_psx_group_record(l->group, words, &use);
}

// Each pixel of a line wraps on its own, so the line is drawn once for each place where
// a part of it can land.
static void line(void *context, const struct gv_psx_draw *d,
                 const struct gv_psx_vertex v[2])
{
    struct gv_psx_lower *l = context;
    static const int32_t wraps[2] = { 0, 2048 };
    int32_t shifts[2];
    int count = shifts_of(l, d, shifts);
    gv_psx_group_reserve(l->group, 8);
    for (int s = 0; s < count; s++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++) {
                struct gv_psx_rect clip = clip_rect(l, d, shifts[s]);
                line_record(l, d, v, wraps[i], wraps[j] + shifts[s], &clip);
            }
}

// ---- rectangles and fills ----

static struct gv_psx_area rectangle_samples(const struct gv_psx_lower *l,
                                            const struct gv_psx_draw *d,
                                            const struct gv_psx_vertex *corner,
                                            const struct gv_psx_rect *visible,
                                            int32_t shift)
{
    int32_t i0 = visible->x0 - corner->x, i1 = visible->x1 - corner->x;
    int32_t j0 = visible->y0 - shift - corner->y, j1 = visible->y1 - shift - corner->y;
    int32_t u = d->flip_u ? corner->u | 1 : corner->u, v = corner->v;
    return sampled_area(l, d, d->flip_u ? u - i1 : u + i0, d->flip_u ? u - i0 : u + i1,
                        d->flip_v ? v - j1 : v + j0, d->flip_v ? v - j0 : v + j1);
}

static void rectangle_record(struct gv_psx_lower *l, const struct gv_psx_draw *d,
                             const struct gv_psx_vertex *corner, int32_t w, int32_t h,
                             int32_t shift)
{
    struct gv_psx_rect clip = clip_rect(l, d, shift);
    const struct gv_psx_rect all = { corner->x, corner->y + shift, corner->x + w - 1,
                                     corner->y + shift + h - 1 };
    struct gv_psx_use use = { .writes = clipped(&all, &clip),
                              .state = state_flags(l, d) };
    if (gv_psx_rect_empty(&use.writes))
        return;
    use.samples = rectangle_samples(l, d, corner, &use.writes, shift);
    use.walks[0] =
        (struct gv_psx_walk){ (uint32_t)use.writes.y0,
                              (uint32_t)(use.writes.y1 - use.writes.y0 + 1), 0 };
    const uint32_t words[PSX_RECORD_WORDS] = {
        head(PSX_KIND_RECTANGLE, false, add_state(l, d, &clip)),
        pack_color(corner),
        pack_xy(corner->x, corner->y + shift),
        pack_xy(w, h),
        0,
        0,
        0,
        d->textured ? pack_uv(corner) : 0,
        clut_slot(l, d) << 16,
    };
    gv_psx_group_record(l->group, words, &use);
}

static void rectangle(void *context, const struct gv_psx_draw *d,
                      const struct gv_psx_vertex *corner, uint32_t w, uint32_t h)
{
    struct gv_psx_lower *l = context;
    int32_t shifts[2];
    int count = shifts_of(l, d, shifts);
    gv_psx_group_reserve(l->group, 2);
    for (int i = 0; i < count; i++)
        rectangle_record(l, d, corner, (int32_t)w, (int32_t)h, shifts[i]);
}

static void clut(void *context, uint32_t x, uint32_t y, uint32_t entries)
{
    struct gv_psx_lower *l = context;
    gv_psx_group_clut(l->group, x, y, entries, rows_of(l));
}

// A colour that shading turns into this cell.
static uint32_t expand(uint16_t cell)
{
    return (cell & 31u) << 3 | (cell >> 5 & 31u) << 11 | (cell >> 10 & 31u) << 19;
}

static void fill_records(struct gv_psx_lower *l, const struct gv_psx_area *area,
                         uint16_t cell, int8_t skip_parity)
{
    struct gv_psx_draw d = { .skip_parity = skip_parity };
    const struct gv_psx_rect all = { 0, 0, 1023, (int32_t)rows_of(l) - 1 };
    gv_psx_group_reserve(l->group, 4);
    for (uint32_t i = 0; i < area->count; i++) {
        const struct gv_psx_rect *r = &area->rects[i];
        const uint32_t words[PSX_RECORD_WORDS] = {
            head(PSX_KIND_RECTANGLE, false, add_state(l, &d, &all)),
            expand(cell),
            pack_xy(r->x0, r->y0),
            pack_xy(r->x1 - r->x0 + 1, r->y1 - r->y0 + 1),
        };
        gv_psx_group_record(l->group, words, &(struct gv_psx_use){ .writes = *r });
    }
}

// From here on a fill of its own, and the barrier it may need, cost less than walking
// its tiles.
#define LARGE_FILL 8192 // cells

static void fill(void *context, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                 uint16_t cell, int8_t skip_parity)
{
    struct gv_psx_lower *l = context;
    struct gv_psx_area area = gv_psx_area_wrapped(x, y, w, h, rows_of(l));
    struct gv_psx_area none = { .count = 0 };
    const struct gv_psx_op op = { .type = GV_PSX_OP_FILL,
                                  .dx = x,
                                  .dy = y,
                                  .w = w,
                                  .h = h,
                                  .y_mask = rows_of(l) - 1,
                                  .word = cell,
                                  .skip = (uint32_t)(skip_parity + 1) };
    if (w * h < LARGE_FILL)
        fill_records(l, &area, cell, skip_parity);
    else
        gv_psx_group_transfer(l->group, op, &none, &area, NULL, 0);
}

// ---- transfers ----

static void copy(void *context, uint32_t sx, uint32_t sy, uint32_t dx, uint32_t dy,
                 uint32_t w, uint32_t h, bool mask_set, bool mask_check)
{
    struct gv_psx_lower *l = context;
    struct gv_psx_area from = gv_psx_area_wrapped(sx, sy, w, h, rows_of(l));
    struct gv_psx_area to = gv_psx_area_wrapped(dx, dy, w, h, rows_of(l));
    const struct gv_psx_op op = { .type = GV_PSX_OP_COPY,
                                  .sx = sx,
                                  .sy = sy,
                                  .dx = dx,
                                  .dy = dy,
                                  .w = w,
                                  .h = h,
                                  .y_mask = rows_of(l) - 1,
                                  .mask_set = mask_set,
                                  .mask_check = mask_check };
    gv_psx_group_transfer(l->group, op, &from, &to, NULL, 0);
}

// The cells of a part of an upload that lies in one piece of VRAM.
struct part {
    uint32_t column, row, w, h; // in the upload
    struct gv_psx_rect to;
};

static void upload_part(struct gv_psx_lower *l, const struct part *p, uint32_t w,
                        uint32_t first, const uint8_t *cells, bool mask_set)
{
    l->scratch.size = 0;
    for (uint32_t j = 0; j < p->h; j++) {
        const uint8_t *row = cells + 2 * (size_t)((p->row + j) * w + p->column - first);
        if (!mask_set) {
            gv_bytes_put(&l->scratch, row, (size_t)p->w * 2);
            continue;
        }
        for (uint32_t i = 0; i < p->w; i++) {
            gv_bytes_u8(&l->scratch, row[(size_t)2 * i]);
            gv_bytes_u8(&l->scratch, row[(size_t)2 * i + 1] | 0x80);
        }
    }
    struct gv_psx_area to = { .rects = { p->to }, .count = 1 }, none = { .count = 0 };
    const struct gv_psx_op op = { .type = GV_PSX_OP_UPLOAD, .rect = p->to };
    if (!l->scratch.failed)
        gv_psx_group_transfer(l->group, op, &none, &to, l->scratch.data,
                              l->scratch.size);
}

static uint32_t transfer_rows(const struct gv_psx_lower *l)
{
    return l->gpu->t_mask + 1;
}

// Columns [column, column + w) of rows [row, row + h) of an upload to (x, y).
static void upload_block(struct gv_psx_lower *l, uint32_t x, uint32_t y, uint32_t width,
                         struct part block, uint32_t first, const uint8_t *cells,
                         bool mask_set)
{
    uint32_t rows = transfer_rows(l), px = (x + block.column) & 1023,
             py = (y + block.row) & (rows - 1);
    struct gv_psx_area to = gv_psx_area_wrapped(px, py, block.w, block.h, rows);
    for (uint32_t i = 0; i < to.count; i++) {
        const struct gv_psx_rect *r = &to.rects[i];
        struct part p = { block.column + (((uint32_t)r->x0 - px) & 1023),
                          block.row + (((uint32_t)r->y0 - py) & (rows - 1)),
                          (uint32_t)(r->x1 - r->x0 + 1), (uint32_t)(r->y1 - r->y0 + 1),
                          *r };
        upload_part(l, &p, width, first, cells, mask_set);
    }
}

static void store_masked(struct gv_psx_lower *l, uint32_t x, uint32_t y, uint32_t w,
                         uint32_t h, uint32_t first, const uint8_t *cells,
                         uint32_t count, bool mask_set)
{
    struct gv_psx_area to = gv_psx_area_wrapped(x, y, w, h, transfer_rows(l));
    struct gv_psx_area none = { .count = 0 };
    const struct gv_psx_op op = { .type = GV_PSX_OP_STORE,
                                  .dx = x,
                                  .dy = y,
                                  .w = w,
                                  .h = h,
                                  .y_mask = l->gpu->t_mask,
                                  .cell = first,
                                  .count = count,
                                  .mask_set = mask_set,
                                  .mask_check = true };
    gv_psx_group_transfer(l->group, op, &none, &to, cells, (size_t)count * 2);
}

static void upload(void *context, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                   uint32_t first, const uint8_t *cells, uint32_t count, bool mask_set,
                   bool mask_check)
{
    struct gv_psx_lower *l = context;
    if (mask_check) {
        store_masked(l, x, y, w, h, first, cells, count, mask_set);
        return;
    }
    uint32_t at = first, end = first + count;
    while (at < end) { // a partial first row, whole rows, a partial last row
        uint32_t column = at % w, row = at / w, whole = (end - at) / w;
        struct part block = { column, row, w, whole, { 0, 0, 0, 0 } };
        if (column || whole == 0) {
            block.w = w - column < end - at ? w - column : end - at;
            block.h = 1;
        }
        upload_block(l, x, y, w, block, first, cells, mask_set);
        at += block.w * block.h;
    }
}

static void read_cells(void *context, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                       uint32_t first, uint32_t count, bool keep)
{
    struct gv_psx_lower *l = context;
    struct gv_psx_area from = gv_psx_area_wrapped(x, y, w, h, transfer_rows(l));
    struct gv_psx_area none = { .count = 0 };
    const struct gv_psx_op op = { .type = GV_PSX_OP_READ,
                                  .sx = x,
                                  .sy = y,
                                  .w = w,
                                  .h = h,
                                  .y_mask = l->gpu->t_mask,
                                  .cell = first,
                                  .count = count,
                                  .keep = keep };
    gv_psx_group_transfer(l->group, op, &from, &none, NULL, 0);
}

static void latch(void *context, uint32_t word, uint32_t from_vram, bool keep)
{
    struct gv_psx_lower *l = context;
    struct gv_psx_area none = { .count = 0 };
    const struct gv_psx_op op = { .type = GV_PSX_OP_LATCH,
                                  .word = word,
                                  .from_vram = from_vram };
    if (keep)
        gv_psx_group_transfer(l->group, op, &none, &none, NULL, 0);
}

struct gv_psx_sink gv_psx_lower_sink(struct gv_psx_lower *lower)
{
    return (struct gv_psx_sink){ lower, triangle, line,   rectangle,  clut,
                                 fill,  copy,     upload, read_cells, latch };
}

void gv_psx_lower_finish(struct gv_psx_lower *lower)
{
    gv_bytes_finish(&lower->scratch);
}
