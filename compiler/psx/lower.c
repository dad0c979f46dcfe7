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
                                       const struct gv_psx_draw *d,
                                       struct gv_psx_rect uv)
{
    if (!d->textured)
        return (struct gv_psx_area){ .count = 0 };
    return gv_psx_sampled_area(d, rows_of(l), uv);
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

static void put_record(struct gv_psx_lower *l, const uint32_t words[PSX_RECORD_WORDS],
                       const struct gv_psx_use *use)
{
    gv_psx_known_forget(l->known, &use->writes);
    gv_psx_group_record(l->group, words, use);
}

// Whether a primitive paints every cell of its shape, whatever that held.
static bool paints_all(struct gv_psx_lower *l, const struct gv_psx_draw *d,
                       const struct gv_psx_use *use)
{
    if (d->mask_check || d->semi_transparent)
        return false;
    return !d->textured ||
           gv_psx_known_opaque(l->known, &use->samples, d->depth, &use->writes);
}

static uint32_t clut_slot(const struct gv_psx_lower *l, const struct gv_psx_draw *d)
{
    return d->textured && d->depth < 2 ? l->group->clut_slot : 0;
}

// ---- triangles ----

struct triangle {
    const struct gv_psx_draw *draw;
    const struct gv_psx_vertex *v; // three
    bool gouraud;
    struct gv_psx_setup setup;
};

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
                                           const struct triangle *t)
{
    struct gv_psx_rect uv = { 255, 255, 0, 0 };
    for (int i = 0; i < 3; i++) {
        uv.x0 = gv_psx_least(uv.x0, t->v[i].u);
        uv.x1 = gv_psx_most(uv.x1, t->v[i].u);
        uv.y0 = gv_psx_least(uv.y0, t->v[i].v);
        uv.y1 = gv_psx_most(uv.y1, t->v[i].v);
    }
    return sampled_area(l, t->draw, uv);
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
static bool triangle_piece(struct gv_psx_lower *l, const struct triangle *t,
                           int32_t shift, struct triangle_piece *out)
{
    const struct gv_psx_draw *d = t->draw;
    const struct gv_psx_vertex *v = t->v;
    struct gv_psx_rect clip = clip_rect(l, d, shift), bounds = vertex_bounds(v, 3);
    bounds.x1--; // right and bottom edges are exclusive
    bounds.y0 += shift;
    bounds.y1 += shift - 1;
    *out = (struct triangle_piece){ .use = { .writes = clipped(&bounds, &clip),
                                             .state = state_flags(l, d) } };
    if (gv_psx_rect_empty(&out->use.writes))
        return false;
    out->use.samples = triangle_samples(l, t);
    triangle_walks(&t->setup, &out->use.writes, shift, out->use.walks);
    out->use.paint = (struct gv_psx_paint){ .sure = paints_all(l, d, &out->use),
                                            .rows = &t->setup,
                                            .shift = shift,
                                            .skip_parity = d->skip_parity };
    const uint32_t words[PSX_RECORD_WORDS] = {
        head(PSX_KIND_TRIANGLE, t->gouraud, add_state(l, d, &clip)),
        pack_color(&v[0]),
        pack_xy(v[0].x, v[0].y + shift),
        pack_xy(v[1].x, v[1].y + shift),
        pack_xy(v[2].x, v[2].y + shift),
        t->gouraud ? pack_color(&v[1]) : 0,
        t->gouraud ? pack_color(&v[2]) : 0,
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
                put_record(l, p->words, &use);
        }
    }
}

static void triangle_pieces(struct gv_psx_lower *l, const struct triangle *t)
{
    int32_t shifts[2];
    int count = shifts_of(l, t->draw, shifts), some = 0;
    struct triangle_piece pieces[2];
    gv_psx_group_reserve(l->group, 4);
    for (int i = 0; i < count; i++)
        some += triangle_piece(l, t, shifts[i], &pieces[some]);
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
        put_record(l, pieces[i].words, &pieces[i].use);
}

// One row of a triangle that wraps on screen, as a record of its own.
static void span_record(struct gv_psx_lower *l, const struct triangle *t, int32_t row)
{
    const struct gv_psx_draw *d = t->draw;
    const struct gv_psx_setup *s = &t->setup;
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
    use.samples = triangle_samples(l, t);
    use.walks[0] = (struct gv_psx_walk){ (uint32_t)cell_row, 1, 0 };
    uint32_t planes[PSX_SPAN_WORDS];
    const uint32_t flat[3] = { t->v[0].r, t->v[0].g, t->v[0].b };
    for (int a = 0; a < GV_PSX_ATTRIBUTES; a++) {
        bool constant = a <= GV_PSX_B && !t->gouraud;
        uint32_t base = s->base[a] - s->dx[a] * (uint32_t)(shift + s->core_x) +
                        s->dy[a] * (uint32_t)(row - s->core_y);
        planes[2 * (size_t)a] = constant ? flat[a] << 24 : base;
        planes[2 * (size_t)a + 1] = constant ? 0 : s->dx[a];
    }
    const uint32_t words[PSX_RECORD_WORDS] = {
        head(PSX_KIND_SPAN, t->gouraud, add_state(l, d, &clip)),
        0,
        (uint32_t)cell_row,
        pack_xy(use.writes.x0, use.writes.x1),
        gv_psx_group_span(l->group, planes),
        0,
        0,
        0,
        clut_slot(l, d) << 16,
    };
    put_record(l, words, &use);
}

static void triangle_spans(struct gv_psx_lower *l, const struct triangle *t,
                           bool bottom)
{
    const struct gv_psx_setup *s = &t->setup;
    int32_t begin = bottom ? s->bottom_begin : s->top_begin;
    int32_t end = bottom ? s->bottom_end : s->top_end;
    bool up = bottom ? s->bottom_up : s->top_up;
    for (int32_t i = 0; i < end - begin; i++)
        span_record(l, t, up ? end - 1 - i : begin + i);
}

static void triangle(void *context, const struct gv_psx_draw *d,
                     const struct gv_psx_vertex v[3], bool gouraud)
{
    struct gv_psx_lower *l = context;
    struct triangle t = { .draw = d, .v = v, .gouraud = gouraud };
    if (!gv_psx_triangle_setup(v, d->area_y0, d->area_y1, &t.setup))
        return;
    if (!stays_on_screen(v, 3)) {
        triangle_spans(l, &t, t.setup.bottom_first);
        triangle_spans(l, &t, !t.setup.bottom_first);
        return;
    }
    triangle_pieces(l, &t);
}

// ---- lines ----

// `v` is where the line begins and ends once it is moved to its place.
static void line_record(struct gv_psx_lower *l, const struct gv_psx_draw *d,
                        const struct gv_psx_vertex v[2], const struct gv_psx_rect *clip)
{
    struct gv_psx_rect bounds = vertex_bounds(v, 2);
    struct gv_psx_use use = { .writes = clipped(&bounds, clip),
                              .state = state_flags(l, d) };
    if (gv_psx_rect_empty(&use.writes))
        return;
    const uint32_t words[PSX_RECORD_WORDS] = {
        head(PSX_KIND_LINE, true, add_state(l, d, clip)),
        pack_color(&v[0]),
        pack_xy(v[0].x, v[0].y),
        pack_xy(v[1].x, v[1].y),
        0,
        pack_color(&v[1]),
    };
    put_record(l, words, &use);
}

static struct gv_psx_vertex moved(struct gv_psx_vertex v, int32_t x, int32_t y)
{
    v.x += x;
    v.y += y;
    return v;
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
                int32_t x = wraps[i], y = wraps[j] + shifts[s];
                const struct gv_psx_vertex ends[2] = { moved(v[0], x, y),
                                                       moved(v[1], x, y) };
                line_record(l, d, ends, &clip);
            }
}

// ---- rectangles and fills ----

struct sprite {
    const struct gv_psx_draw *draw;
    const struct gv_psx_vertex *corner;
    int32_t w, h;
};

static struct gv_psx_area rectangle_samples(const struct gv_psx_lower *l,
                                            const struct sprite *r,
                                            const struct gv_psx_rect *visible,
                                            int32_t shift)
{
    const struct gv_psx_draw *d = r->draw;
    const struct gv_psx_vertex *corner = r->corner;
    int32_t i0 = visible->x0 - corner->x, i1 = visible->x1 - corner->x;
    int32_t j0 = visible->y0 - shift - corner->y, j1 = visible->y1 - shift - corner->y;
    int32_t u = d->flip_u ? corner->u | 1 : corner->u, v = corner->v;
    return sampled_area(l, d,
                        (struct gv_psx_rect){
                            d->flip_u ? u - i1 : u + i0, d->flip_v ? v - j1 : v + j0,
                            d->flip_u ? u - i0 : u + i1, d->flip_v ? v - j0 : v + j1 });
}

static void rectangle_record(struct gv_psx_lower *l, const struct sprite *r,
                             int32_t shift)
{
    const struct gv_psx_draw *d = r->draw;
    const struct gv_psx_vertex *corner = r->corner;
    struct gv_psx_rect clip = clip_rect(l, d, shift);
    const struct gv_psx_rect all = { corner->x, corner->y + shift, corner->x + r->w - 1,
                                     corner->y + shift + r->h - 1 };
    struct gv_psx_use use = { .writes = clipped(&all, &clip),
                              .state = state_flags(l, d) };
    if (gv_psx_rect_empty(&use.writes))
        return;
    use.samples = rectangle_samples(l, r, &use.writes, shift);
    use.paint = (struct gv_psx_paint){ .sure = paints_all(l, d, &use),
                                       .skip_parity = d->skip_parity };
    use.walks[0] =
        (struct gv_psx_walk){ (uint32_t)use.writes.y0,
                              (uint32_t)(use.writes.y1 - use.writes.y0 + 1), 0 };
    const uint32_t words[PSX_RECORD_WORDS] = {
        head(PSX_KIND_RECTANGLE, false, add_state(l, d, &clip)),
        pack_color(corner),
        pack_xy(corner->x, corner->y + shift),
        pack_xy(r->w, r->h),
        0,
        0,
        0,
        d->textured ? pack_uv(corner) : 0,
        clut_slot(l, d) << 16,
    };
    put_record(l, words, &use);
}

static void rectangle(void *context, const struct gv_psx_draw *d,
                      const struct gv_psx_vertex *corner, uint32_t w, uint32_t h)
{
    struct gv_psx_lower *l = context;
    const struct sprite r = { d, corner, (int32_t)w, (int32_t)h };
    int32_t shifts[2];
    int count = shifts_of(l, d, shifts);
    gv_psx_group_reserve(l->group, 2);
    for (int i = 0; i < count; i++)
        rectangle_record(l, &r, shifts[i]);
}

static void clut(void *context, uint32_t x, uint32_t y, uint32_t entries)
{
    struct gv_psx_lower *l = context;
    gv_psx_known_palette(l->known, x, y, entries);
    gv_psx_group_clut(l->group, x, y, entries, rows_of(l));
}

static void forget(struct gv_psx_lower *l, const struct gv_psx_area *area)
{
    for (uint32_t i = 0; i < area->count; i++)
        gv_psx_known_forget(l->known, &area->rects[i]);
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
        const struct gv_psx_use use = {
            .writes = *r, .paint = { .sure = true, .skip_parity = skip_parity }
        };
        put_record(l, words, &use);
    }
}

// From here on a fill of its own, and the barrier it may need, cost less than walking
// its tiles.
#define LARGE_FILL 8192 // cells

static void fill(void *context, const struct gv_psx_place *to, uint16_t cell,
                 int8_t skip_parity)
{
    struct gv_psx_lower *l = context;
    const struct gv_psx_transfer t = { .op = { .type = GV_PSX_OP_FILL,
                                               .to = *to,
                                               .y_mask = rows_of(l) - 1,
                                               .word = cell,
                                               .skip = (uint32_t)(skip_parity + 1) },
                                       .writes = gv_psx_area_wrapped(to, rows_of(l)) };
    if (gv_psx_place_cells(to) < LARGE_FILL)
        fill_records(l, &t.writes, cell, skip_parity);
    else
        gv_psx_group_transfer(l->group, &t);
    forget(l, &t.writes);
}

// ---- transfers ----

static void copy(void *context, const struct gv_psx_place *from,
                 const struct gv_psx_place *to, struct gv_psx_mask mask)
{
    struct gv_psx_lower *l = context;
    const struct gv_psx_transfer t = { .op = { .type = GV_PSX_OP_COPY,
                                               .from = *from,
                                               .to = *to,
                                               .y_mask = rows_of(l) - 1,
                                               .mask = mask },
                                       .reads = gv_psx_area_wrapped(from, rows_of(l)),
                                       .writes = gv_psx_area_wrapped(to, rows_of(l)) };
    forget(l, &t.writes);
    gv_psx_group_transfer(l->group, &t);
}

// Some cells of an upload.
struct uploaded {
    const struct gv_psx_place *to;
    struct gv_psx_cells cells;
    const uint8_t *data; // two bytes for each of them
    struct gv_psx_mask mask;
};

// Those of a block of its columns and rows, `block`, that lie in one piece of VRAM.
struct part {
    struct gv_psx_place block;
    struct gv_psx_rect to;
};

static void upload_part(struct gv_psx_lower *l, const struct uploaded *u,
                        const struct part *p)
{
    const struct gv_psx_place *block = &p->block;
    l->scratch.size = 0;
    for (uint32_t j = 0; j < block->h; j++) {
        uint32_t number = (block->y + j) * u->to->w + block->x;
        const uint8_t *row = u->data + 2 * (size_t)(number - u->cells.first);
        if (!u->mask.set) {
            gv_bytes_put(&l->scratch, row, (size_t)block->w * 2);
            continue;
        }
        for (uint32_t i = 0; i < block->w; i++) {
            gv_bytes_u8(&l->scratch, row[(size_t)2 * i]);
            gv_bytes_u8(&l->scratch, row[(size_t)2 * i + 1] | 0x80);
        }
    }
    const struct gv_psx_transfer t = { .op = { .type = GV_PSX_OP_UPLOAD,
                                               .rect = p->to },
                                       .writes = { .rects = { p->to }, .count = 1 },
                                       .data = l->scratch.data,
                                       .size = l->scratch.size };
    if (l->scratch.failed)
        return;
    gv_psx_known_upload(l->known, &p->to, l->scratch.data);
    gv_psx_group_transfer(l->group, &t);
}

static uint32_t transfer_rows(const struct gv_psx_lower *l)
{
    return l->gpu->t_mask + 1;
}

// A block of columns and rows of an upload.
static void upload_block(struct gv_psx_lower *l, const struct uploaded *u,
                         const struct gv_psx_place *block)
{
    uint32_t rows = transfer_rows(l);
    const struct gv_psx_place place = { (u->to->x + block->x) & 1023,
                                        (u->to->y + block->y) & (rows - 1), block->w,
                                        block->h };
    struct gv_psx_area to = gv_psx_area_wrapped(&place, rows);
    for (uint32_t i = 0; i < to.count; i++) {
        const struct gv_psx_rect *r = &to.rects[i];
        const struct part p = { { block->x + (((uint32_t)r->x0 - place.x) & 1023),
                                  block->y + (((uint32_t)r->y0 - place.y) & (rows - 1)),
                                  (uint32_t)(r->x1 - r->x0 + 1),
                                  (uint32_t)(r->y1 - r->y0 + 1) },
                                *r };
        upload_part(l, u, &p);
    }
}

// Cells that the mask may keep from being written go through a shader.
static void store_masked(struct gv_psx_lower *l, const struct uploaded *u)
{
    const struct gv_psx_transfer t = {
        .op = { .type = GV_PSX_OP_STORE,
                .to = *u->to,
                .y_mask = l->gpu->t_mask,
                .cells = u->cells,
                .mask = u->mask },
        .writes = gv_psx_area_wrapped(u->to, transfer_rows(l)),
        .data = u->data,
        .size = (size_t)u->cells.count * 2,
    };
    forget(l, &t.writes);
    gv_psx_group_transfer(l->group, &t);
}

static void upload(void *context, const struct gv_psx_place *to,
                   struct gv_psx_cells cells, const uint8_t *data,
                   struct gv_psx_mask mask)
{
    struct gv_psx_lower *l = context;
    const struct uploaded u = { to, cells, data, mask };
    if (mask.check) {
        store_masked(l, &u);
        return;
    }
    uint32_t at = cells.first, end = cells.first + cells.count;
    while (at < end) { // a partial first row, whole rows, a partial last row
        uint32_t column = at % to->w, whole = (end - at) / to->w;
        struct gv_psx_place block = { column, at / to->w, to->w, whole };
        if (column || whole == 0) {
            block.w = to->w - column < end - at ? to->w - column : end - at;
            block.h = 1;
        }
        upload_block(l, &u, &block);
        at += gv_psx_place_cells(&block);
    }
}

static void read_cells(void *context, const struct gv_psx_place *from,
                       struct gv_psx_cells cells, bool keep)
{
    struct gv_psx_lower *l = context;
    const struct gv_psx_transfer t = { .op = { .type = GV_PSX_OP_READ,
                                               .from = *from,
                                               .y_mask = l->gpu->t_mask,
                                               .cells = cells,
                                               .keep = keep },
                                       .reads = gv_psx_area_wrapped(from,
                                                                    transfer_rows(l)) };
    gv_psx_group_transfer(l->group, &t);
}

static void latch(void *context, uint32_t word, uint32_t from_vram, bool keep)
{
    struct gv_psx_lower *l = context;
    const struct gv_psx_transfer t = {
        .op = { .type = GV_PSX_OP_LATCH, .word = word, .from_vram = from_vram }
    };
    if (keep)
        gv_psx_group_transfer(l->group, &t);
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
