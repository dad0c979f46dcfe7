#include "vm/slice/slice_live.h"

#include <stdlib.h>

#include "vm/formats.h"
#include "vm/slice/slice_rows.h"

// Cells of one image; one that had more is wanted whole or not at all.
#define MAX_CELLS 65536u
// Rows of one effect that are looked at one by one.
#define MAX_ROWS 65536u

// Cells of one plane that are told one by one.
#define MAX_VISITED (UINT64_C(1) << 20)

struct region {
    // A plane, mip and slice of an image each: owned; NULL: nothing was ever wanted.
    struct gv_cell *cells;
    uint32_t cell_count;
    struct gv_rows rows; // of what has bytes
    bool coarse, whole;  // coarse: `whole` says it all, once set for good
    uint32_t reader;     // then
    bool stencil;        // an image with two planes
    // The last effect that was added and of which nothing was removed since.
    struct gv_effect last;
    bool last_valid;
};

struct gv_live {
    const struct gv_track *track; // borrowed
    struct region *regions;       // owned; [object_count]
    size_t region_count;
    struct gv_cell_account account;
};

struct gv_live *gv_live_create(const struct gv_track *track, uint64_t memory_limit,
                               struct gv_error *err)
{
    struct gv_live *live = calloc(1, sizeof *live);
    uint64_t size = (uint64_t)track->object_count * sizeof(struct region);
    if (live && (!memory_limit || size <= memory_limit))
        live->regions = calloc(track->object_count, sizeof *live->regions);
    if (!live || !live->regions) {
        free(live);
        gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "no memory for the slicer");
        return NULL;
    }
    live->track = track;
    live->region_count = track->object_count;
    live->account.memory = size;
    live->account.memory_limit = memory_limit ? memory_limit : UINT64_MAX;
    return live;
}

static void drop_cells(struct gv_live *live, struct region *r)
{
    for (uint32_t i = 0; i < r->cell_count; i++)
        gv_cell_drop(&live->account, &r->cells[i]);
    live->account.memory -= r->cell_count * sizeof *r->cells;
    free(r->cells);
    gv_rows_drop(&live->account, &r->rows);
    *r = (struct region){ 0 };
}

void gv_live_destroy(struct gv_live *live)
{
    if (!live)
        return;
    for (size_t i = 0; i < live->region_count; i++)
        drop_cells(live, &live->regions[i]);
    free(live->regions);
    free(live);
}

uint64_t gv_live_work(const struct gv_live *live)
{
    return live->account.work;
}

bool gv_live_failed(const struct gv_live *live)
{
    return live->account.failed;
}

// ---- objects ----

static uint32_t slices_of(const struct gv_track_object *o)
{
    return o->image.type == GV_IMAGE_TYPE_3D ? o->image.depth : o->image.layers;
}

static uint64_t size_of(const struct gv_track_object *o)
{
    return o->kind == GV_KIND_MAP ? o->map.size : o->size;
}

static bool has_texels(const struct gv_track_object *o)
{
    return o->kind == GV_KIND_IMAGE;
}

static bool open_cells(struct gv_live *live, const struct gv_track_object *o,
                       struct region *r)
{
    const struct gv_format_info *info = gv_format_info(o->image.format);
    r->stencil = !info || gv_format_aspect_bytes(info, GV_ASPECT_STENCIL);
    uint64_t count = (r->stencil ? UINT64_C(2) : 1) * o->image.mips * slices_of(o);
    r->coarse = count > MAX_CELLS;
    if (r->coarse)
        return true;
    r->cells = gv_cells_alloc(&live->account, count, sizeof *r->cells);
    r->cell_count = r->cells ? (uint32_t)count : 0;
    live->account.work += count / 64;
    return r->cells != NULL;
}

static bool open_region(struct gv_live *live, const struct gv_track_object *o,
                        struct region *r, const struct gv_effect *e)
{
    if (r->cells || r->rows.bands || r->coarse)
        return true;
    if (has_texels(o))
        return open_cells(live, o, r);
    r->coarse = !gv_rows_init(&live->account, &r->rows, size_of(o),
                              e->rows > 1 ? e->stride : 0);
    return !live->account.failed;
}

// One verb on one piece of one cell; true ends a search.
static bool apply(struct gv_live *live, struct gv_cell *c, const struct gv_piece *p,
                  enum gv_cell_verb verb)
{
    live->account.work++;
    if (p->x0 >= p->x1 || p->y0 >= p->y1 ||
        !gv_cell_concerns(&live->account, c, p, verb))
        return false;
    if (verb != GV_CELL_HIT)
        gv_cell_apply(&live->account, c, p, verb);
    return verb == GV_CELL_HIT;
}

// Bytes [x0, x1) of some rows.
static bool on_rows(struct gv_live *live, struct region *r, uint64_t row, uint64_t rows,
                    struct gv_piece p, enum gv_cell_verb verb)
{
    p.y0 = 0;
    p.y1 = 1;
    p.reader = live->account.reader;
    return p.x0 < p.x1 &&
           gv_rows_apply(&live->account, &r->rows, row, row + rows, &p, verb);
}

// Bytes [begin, end), both inside the object.
static bool on_bytes(struct gv_live *live, struct region *r, uint64_t begin,
                     uint64_t end, enum gv_cell_verb verb)
{
    const uint64_t page = r->rows.page;
    const uint64_t first = begin / page, last = end / page;
    const uint32_t from = (uint32_t)(begin % page), to = (uint32_t)(end % page),
                   all = (uint32_t)page;
    if (begin >= end)
        return false;
    if (first == last)
        return on_rows(live, r, first, 1, (struct gv_piece){ .x0 = from, .x1 = to },
                       verb);
    uint64_t whole = from ? first + 1 : first;
    return (from && on_rows(live, r, first, 1,
                            (struct gv_piece){ .x0 = from, .x1 = all }, verb)) ||
           on_rows(live, r, whole, last - whole, (struct gv_piece){ .x1 = all },
                   verb) ||
           (to && on_rows(live, r, last, 1, (struct gv_piece){ .x1 = to }, verb));
}

static uint64_t clip_end(uint64_t begin, uint64_t bytes, uint64_t size)
{
    return bytes < size - begin ? begin + bytes : size;
}

static bool on_buffer(struct gv_live *live, const struct gv_track_object *o,
                      struct region *r, const struct gv_effect *e,
                      enum gv_cell_verb verb)
{
    uint64_t size = size_of(o), offset = e->offset;
    if (offset >= size)
        return false;
    if (e->rows <= 1 || e->stride == 0)
        return on_bytes(live, r, offset, clip_end(offset, e->row_bytes, size), verb);
    uint64_t rows = (size - offset - 1) / e->stride + 1;
    rows = rows < e->rows ? rows : e->rows;
    if (e->row_bytes >= e->stride || rows > MAX_ROWS) {
        if (verb == GV_CELL_REMOVE && e->row_bytes < e->stride)
            return false;                       // too many to take away one by one
        uint64_t span = (rows - 1) * e->stride; // below `size`
        return on_bytes(live, r, offset, clip_end(offset + span, e->row_bytes, size),
                        verb);
    }
    const uint64_t page = r->rows.page, x = offset % page;
    if (e->stride == page && x + e->row_bytes <= page)
        return on_rows(
            live, r, offset / page, rows,
            (struct gv_piece){ .x0 = (uint32_t)x, .x1 = (uint32_t)(x + e->row_bytes) },
            verb);
    for (uint64_t i = 0; i < rows; i++) {
        uint64_t begin = offset + i * e->stride;
        if (on_bytes(live, r, begin, clip_end(begin, e->row_bytes, size), verb))
            return true;
    }
    return false;
}

static uint32_t clip(uint32_t begin, uint32_t count, uint32_t size)
{
    if (begin >= size)
        return begin;
    return count < size - begin ? begin + count : size;
}

static bool on_slices(struct gv_live *live, const struct gv_track_object *o,
                      struct region *r, const struct gv_effect *e,
                      enum gv_cell_verb verb)
{
    uint32_t mip_end = clip(e->mip, e->mips, o->image.mips);
    for (uint32_t mip = e->mip; mip < mip_end; mip++) {
        uint32_t width = gv_mip_size(o->image.width, mip);
        uint32_t height = gv_mip_size(o->image.height, mip);
        const struct gv_piece p = { e->x, e->y, clip(e->x, e->width, width),
                                    clip(e->y, e->height, height),
                                    live->account.reader };
        uint32_t end = clip(e->slice, e->slices, slices_of(o));
        for (uint32_t slice = e->slice; slice < end; slice++) {
            size_t cell = (size_t)mip * slices_of(o) + slice;
            size_t stencil = cell + (size_t)o->image.mips * slices_of(o);
            if ((e->planes & (GV_ASPECT_COLOR | GV_ASPECT_DEPTH) || !e->planes) &&
                apply(live, &r->cells[cell], &p, verb))
                return true;
            if (r->stencil && (e->planes & GV_ASPECT_STENCIL || !e->planes) &&
                apply(live, &r->cells[stencil], &p, verb))
                return true;
        }
    }
    return false;
}

// ---- verbs ----

static bool same_effect(const struct gv_effect *a, const struct gv_effect *b)
{
    return a->planes == b->planes && a->offset == b->offset &&
           a->row_bytes == b->row_bytes && a->stride == b->stride &&
           a->rows == b->rows && a->mip == b->mip && a->mips == b->mips &&
           a->slice == b->slice && a->slices == b->slices && a->x == b->x &&
           a->y == b->y && a->width == b->width && a->height == b->height;
}

static bool on_region(struct gv_live *live, const struct gv_effect *e,
                      enum gv_cell_verb verb)
{
    const struct gv_track_object *o = &live->track->objects[e->object];
    struct region *r = &live->regions[e->object];
    if (!r->cells && !r->rows.bands && !r->coarse && verb != GV_CELL_ADD)
        return false;
    if (!open_region(live, o, r, e))
        return false;
    if (r->coarse) {
        r->whole |= verb == GV_CELL_ADD;
        r->reader = verb == GV_CELL_ADD ? live->account.reader : r->reader;
        live->account.reader = r->reader;
        return r->whole;
    }
    return has_texels(o) ? on_slices(live, o, r, e, verb)
                         : on_buffer(live, o, r, e, verb);
}

bool gv_live_hits(struct gv_live *live, const struct gv_effect *e)
{
    return live->account.failed || (e->object && on_region(live, e, GV_CELL_HIT));
}

uint32_t gv_live_reader(const struct gv_live *live)
{
    return live->account.reader;
}

void gv_live_add(struct gv_live *live, const struct gv_effect *e, uint32_t reader)
{
    struct region *r = &live->regions[e->object];
    if (!e->object || (r->last_valid && same_effect(&r->last, e)))
        return;
    live->account.reader = reader;
    on_region(live, e, GV_CELL_ADD);
    r->last = *e;
    r->last_valid = true;
}

void gv_live_remove(struct gv_live *live, const struct gv_effect *e)
{
    if (!e->object)
        return;
    on_region(live, e, GV_CELL_REMOVE);
    live->regions[e->object].last_valid = false;
}

void gv_live_forget(struct gv_live *live, uint32_t object)
{
    drop_cells(live, &live->regions[object]);
}

// ---- what is wanted ----

// Who is told, and of what.
struct teller {
    struct gv_effect *effect;
    gv_live_visit visit;
    void *context;
};

static bool tell_bytes(void *context, uint64_t offset, uint64_t size)
{
    const struct teller *t = context;
    t->effect->offset = offset;
    t->effect->row_bytes = size;
    return t->visit(t->context, t->effect);
}

static bool each_byte(const struct gv_track_object *o, const struct region *r,
                      struct gv_effect *e, gv_live_visit visit, void *context)
{
    struct teller teller = { e, visit, context };
    return r->coarse ? tell_bytes(&teller, 0, size_of(o))
                     : gv_rows_each(&r->rows, tell_bytes, &teller);
}

static bool each_texel(const struct gv_track_object *o, const struct region *r,
                       struct gv_effect *e, gv_live_visit visit, void *context)
{
    const uint64_t cells = (uint64_t)o->image.mips * slices_of(o); // of one plane
    const uint32_t planes = (uint32_t)cells;
    if (cells > MAX_VISITED)
        return false;
    const uint32_t cell_count = r->coarse ? 2 * planes : r->cell_count;
    for (uint32_t i = 0; i < cell_count; i++) {
        e->planes = i < planes ? GV_ASPECT_COLOR | GV_ASPECT_DEPTH : GV_ASPECT_STENCIL;
        e->mip = i % planes / slices_of(o);
        e->slice = i % slices_of(o);
        const struct gv_piece whole = { .x1 = gv_mip_size(o->image.width, e->mip),
                                        .y1 = gv_mip_size(o->image.height, e->mip) };
        const uint32_t count = r->coarse ? 1 : r->cells[i].count;
        for (uint32_t k = 0; k < count; k++) {
            const struct gv_piece *p = r->coarse ? &whole : &r->cells[i].pieces[k];
            e->x = p->x0;
            e->y = p->y0;
            e->width = p->x1 - p->x0;
            e->height = p->y1 - p->y0;
            if (!visit(context, e))
                return false;
        }
    }
    return true;
}

bool gv_live_each(const struct gv_live *live, uint32_t object, bool all,
                  gv_live_visit visit, void *context)
{
    static const struct region everything = { .coarse = true, .whole = true };
    const struct gv_track_object *o = &live->track->objects[object];
    const struct region *r =
        all || gv_live_failed(live) ? &everything : &live->regions[object];
    struct gv_effect e = {
        .object = object, .kind = GV_EFFECT_READ, .rows = 1, .mips = 1, .slices = 1
    };
    if (!r->cells && !r->rows.bands && !r->whole)
        return true;
    return has_texels(o) ? each_texel(o, r, &e, visit, context)
                         : each_byte(o, r, &e, visit, context);
}
