#include "compiler/psx/stale_texels.h"

static void flush(struct gv_psx_stale *s)
{
    gv_psx_blocks_clear(&s->cached);
    gv_psx_blocks_clear(&s->stale);
}

static uint32_t rows_of(const struct gv_psx_stale *s)
{
    return gv_psx_y_mask(s->gpu) + 1;
}

// What may be drawn: the bounds on screen, or all of the drawing area where they wrap.
static struct gv_psx_area drawn(const struct gv_psx_stale *s,
                                const struct gv_psx_draw *d, struct gv_psx_rect r)
{
    if (r.x0 < -1024 || r.y0 < -1024 || r.x1 > 1023 || r.y1 > 1023)
        r = (struct gv_psx_rect){ 0, 0, 1023, 1023 };
    r = (struct gv_psx_rect){ gv_psx_most(r.x0, d->area_x0),
                              gv_psx_most(r.y0, d->area_y0),
                              gv_psx_least(r.x1, d->area_x1),
                              gv_psx_least(r.y1, d->area_y1) };
    if (gv_psx_rect_empty(&r))
        return (struct gv_psx_area){ .count = 0 };
    uint32_t rows = rows_of(s);
    const struct gv_psx_place place = {
        (uint32_t)r.x0, (uint32_t)r.y0 & (rows - 1), (uint32_t)(r.x1 - r.x0) + 1,
        (uint32_t)gv_psx_least(r.y1 - r.y0 + 1, (int32_t)rows)
    };
    return gv_psx_area_wrapped(&place, rows);
}

static void sample(struct gv_psx_stale *s, const struct gv_psx_draw *d,
                   const struct gv_psx_area *area)
{
    uint32_t page =
        d->page_x | (uint32_t)d->page_y << 10 | (uint32_t)(d->depth > 0) << 20;
    if (page != s->page || s->flushes != s->gpu->flushes)
        flush(s);
    s->page = page;
    s->flushes = s->gpu->flushes;
    if (gv_psx_blocks_meet(&s->stale, area))
        s->tell(s->context);
    gv_psx_blocks_add(&s->cached, area);
}

static void write(struct gv_psx_stale *s, const struct gv_psx_area *area)
{
    struct gv_psx_blocks blocks;
    if (!gv_psx_blocks_meet(&s->cached, area))
        return;
    gv_psx_blocks_clear(&blocks);
    gv_psx_blocks_add(&blocks, area);
    for (size_t i = 0; i < sizeof blocks.rows / sizeof blocks.rows[0]; i++)
        s->stale.rows[i] |= s->cached.rows[i] & blocks.rows[i];
}

static void primitive(struct gv_psx_stale *s, const struct gv_psx_draw *d,
                      struct gv_psx_rect uv, struct gv_psx_rect xy)
{
    if (d->textured) {
        struct gv_psx_area area = gv_psx_sampled_area(d, rows_of(s), uv);
        sample(s, d, &area);
    }
    struct gv_psx_area area = drawn(s, d, xy);
    write(s, &area);
}

// ---- the sink ----

static void triangle(void *context, const struct gv_psx_draw *d,
                     const struct gv_psx_vertex v[3], bool gouraud)
{
    struct gv_psx_stale *s = context;
    struct gv_psx_rect uv = { 255, 255, 0, 0 }, xy = { v[0].x, v[0].y, v[0].x, v[0].y };
    for (int i = 0; i < 3; i++) {
        uv = (struct gv_psx_rect){ gv_psx_least(uv.x0, v[i].u),
                                   gv_psx_least(uv.y0, v[i].v),
                                   gv_psx_most(uv.x1, v[i].u),
                                   gv_psx_most(uv.y1, v[i].v) };
        xy = (struct gv_psx_rect){ gv_psx_least(xy.x0, v[i].x),
                                   gv_psx_least(xy.y0, v[i].y),
                                   gv_psx_most(xy.x1, v[i].x),
                                   gv_psx_most(xy.y1, v[i].y) };
    }
    primitive(s, d, uv, xy);
    s->next.triangle(s->next.context, d, v, gouraud);
}

static void line(void *context, const struct gv_psx_draw *d,
                 const struct gv_psx_vertex v[2])
{
    struct gv_psx_stale *s = context;
    const struct gv_psx_rect uv = { 0, 0, 0, 0 };
    primitive(s, d, uv,
              (struct gv_psx_rect){
                  gv_psx_least(v[0].x, v[1].x), gv_psx_least(v[0].y, v[1].y),
                  gv_psx_most(v[0].x, v[1].x), gv_psx_most(v[0].y, v[1].y) });
    s->next.line(s->next.context, d, v);
}

static void rectangle(void *context, const struct gv_psx_draw *d,
                      const struct gv_psx_vertex *corner, uint32_t w, uint32_t h)
{
    struct gv_psx_stale *s = context;
    int32_t right = (int32_t)w - 1, below = (int32_t)h - 1;
    int32_t u = d->flip_u ? corner->u | 1 : corner->u, v = corner->v;
    primitive(
        s, d,
        (struct gv_psx_rect){ d->flip_u ? u - right : u, d->flip_v ? v - below : v,
                              d->flip_u ? u : u + right, d->flip_v ? v : v + below },
        (struct gv_psx_rect){ corner->x, corner->y, corner->x + right,
                              corner->y + below });
    s->next.rectangle(s->next.context, d, corner, w, h);
}

static void clut(void *context, uint32_t x, uint32_t y, uint32_t entries)
{
    struct gv_psx_stale *s = context;
    s->next.clut(s->next.context, x, y, entries);
}

static void fill(void *context, const struct gv_psx_place *to, uint16_t cell,
                 int8_t skip)
{
    struct gv_psx_stale *s = context;
    struct gv_psx_area area = gv_psx_area_wrapped(to, rows_of(s));
    write(s, &area);
    s->next.fill(s->next.context, to, cell, skip);
}

// Transfers flush the cache.
static void copy(void *context, const struct gv_psx_place *from,
                 const struct gv_psx_place *to, struct gv_psx_mask mask)
{
    struct gv_psx_stale *s = context;
    flush(s);
    s->next.copy(s->next.context, from, to, mask);
}

static void upload(void *context, const struct gv_psx_place *to,
                   struct gv_psx_cells cells, const uint8_t *data,
                   struct gv_psx_mask mask)
{
    struct gv_psx_stale *s = context;
    flush(s);
    s->next.upload(s->next.context, to, cells, data, mask);
}

static void read_cells(void *context, const struct gv_psx_place *from,
                       struct gv_psx_cells cells, bool keep)
{
    struct gv_psx_stale *s = context;
    flush(s);
    s->next.read(s->next.context, from, cells, keep);
}

static void latch(void *context, uint32_t word, uint32_t from_vram, bool keep)
{
    struct gv_psx_stale *s = context;
    s->next.latch(s->next.context, word, from_vram, keep);
}

struct gv_psx_sink gv_psx_stale_sink(struct gv_psx_stale *stale)
{
    return (struct gv_psx_sink){ stale, triangle, line,   rectangle,  clut,
                                 fill,  copy,     upload, read_cells, latch };
}
