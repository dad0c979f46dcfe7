#include "vm/slice/slice_live.h"

#include <stdlib.h>

#include "vm/formats.h"

// Pieces of one cell; more become the rectangle around them all.
#define MAX_PIECES 24
// Cells of one object; one that had more is wanted whole or not at all.
#define MAX_CELLS 65536u
#define MIN_PAGE UINT64_C(2048) // bytes of a buffer in one cell
// Rows of one effect that are looked at one by one.
#define MAX_ROWS 65536u

// A rectangle, or (one row high) bytes of a page.
struct piece {
    uint32_t x0, y0, x1, y1; // exclusive ends
    uint32_t reader;         // the unit that wants it, or one of several
};

// A page of a buffer; a plane, mip and slice of an image.
struct cell {
    uint32_t count, capacity;
    struct piece *pieces; // owned; they may overlap
};

struct region {
    struct cell *cells; // owned; NULL: nothing was ever wanted
    uint32_t cell_count;
    bool coarse, whole; // coarse: `whole` says it all, once set for good
    uint32_t reader;    // then
    uint64_t page;      // bytes, of what has bytes
    bool stencil;       // an image with two planes
    // The last effect that was added and of which nothing was removed since.
    struct gv_effect last;
    bool last_valid;
};

struct gv_live {
    const struct gv_track *track; // borrowed
    struct region *regions;       // owned; [object_count]
    size_t region_count;
    uint64_t memory, memory_limit, work;
    uint32_t reader; // of what is added; of what was hit last
    bool failed;
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
    live->memory = size;
    live->memory_limit = memory_limit ? memory_limit : UINT64_MAX;
    return live;
}

static void drop_cells(struct gv_live *live, struct region *r)
{
    for (uint32_t i = 0; i < r->cell_count; i++) {
        live->memory -= r->cells[i].capacity * sizeof(struct piece);
        free(r->cells[i].pieces);
    }
    live->memory -= r->cell_count * sizeof(struct cell);
    free(r->cells);
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
    return live->work;
}

bool gv_live_failed(const struct gv_live *live)
{
    return live->failed;
}

// ---- cells ----

static bool contains(const struct piece *a, const struct piece *b)
{
    return a->x0 <= b->x0 && a->y0 <= b->y0 && a->x1 >= b->x1 && a->y1 >= b->y1;
}

static bool meets(const struct piece *a, const struct piece *b)
{
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

// Whether both together are a rectangle, which `a` then is.
static bool join(struct piece *a, const struct piece *b)
{
    if (a->y0 == b->y0 && a->y1 == b->y1 && a->x0 <= b->x1 && b->x0 <= a->x1) {
        a->x0 = a->x0 < b->x0 ? a->x0 : b->x0;
        a->x1 = a->x1 > b->x1 ? a->x1 : b->x1;
        return true;
    }
    if (a->x0 == b->x0 && a->x1 == b->x1 && a->y0 <= b->y1 && b->y0 <= a->y1) {
        a->y0 = a->y0 < b->y0 ? a->y0 : b->y0;
        a->y1 = a->y1 > b->y1 ? a->y1 : b->y1;
        return true;
    }
    return contains(a, b);
}

static struct piece around(const struct cell *c)
{
    struct piece all = c->pieces[0];
    for (uint32_t i = 1; i < c->count; i++) {
        const struct piece *p = &c->pieces[i];
        all.x0 = all.x0 < p->x0 ? all.x0 : p->x0;
        all.y0 = all.y0 < p->y0 ? all.y0 : p->y0;
        all.x1 = all.x1 > p->x1 ? all.x1 : p->x1;
        all.y1 = all.y1 > p->y1 ? all.y1 : p->y1;
    }
    return all;
}

static bool reserve(struct gv_live *live, struct cell *c)
{
    if (c->count < c->capacity)
        return true;
    uint32_t capacity = c->capacity ? c->capacity * 2 : 2;
    uint64_t more = (capacity - c->capacity) * sizeof(struct piece);
    struct piece *grown = NULL;
    if (more <= live->memory_limit - live->memory)
        grown = realloc(c->pieces, capacity * sizeof *grown);
    if (!grown) {
        live->failed = true;
        return false;
    }
    live->memory += more;
    c->pieces = grown;
    c->capacity = capacity;
    return true;
}

static void cell_add(struct gv_live *live, struct cell *c, struct piece p)
{
    for (uint32_t i = 0; i < c->count;) {
        live->work++;
        if (contains(&c->pieces[i], &p))
            return;
        if (!join(&p, &c->pieces[i])) {
            i++;
            continue;
        }
        c->pieces[i] = c->pieces[--c->count];
        i = 0; // what it has become may join others
    }
    if (c->count == MAX_PIECES) {
        c->pieces[0] = around(c);
        c->count = 1;
    }
    if (reserve(live, c))
        c->pieces[c->count++] = p;
}

static bool cell_hits(struct gv_live *live, const struct cell *c, const struct piece *p)
{
    for (uint32_t i = 0; i < c->count; i++) {
        live->work++;
        if (!meets(&c->pieces[i], p))
            continue;
        live->reader = c->pieces[i].reader;
        return true;
    }
    return false;
}

// What is left of `from` around `hole`, at most four pieces.
static uint32_t cut(const struct piece *from, const struct piece *hole,
                    struct piece out[4])
{
    uint32_t n = 0;
    uint32_t y0 = from->y0 > hole->y0 ? from->y0 : hole->y0;
    uint32_t y1 = from->y1 < hole->y1 ? from->y1 : hole->y1;
    if (from->y0 < y0)
        out[n++] = (struct piece){ from->x0, from->y0, from->x1, y0, from->reader };
    if (y1 < from->y1)
        out[n++] = (struct piece){ from->x0, y1, from->x1, from->y1, from->reader };
    if (from->x0 < hole->x0)
        out[n++] = (struct piece){ from->x0, y0, hole->x0, y1, from->reader };
    if (hole->x1 < from->x1)
        out[n++] = (struct piece){ hole->x1, y0, from->x1, y1, from->reader };
    return n;
}

static void cell_remove(struct gv_live *live, struct cell *c, const struct piece *hole)
{
    struct piece left[MAX_PIECES * 4];
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        live->work++;
        if (meets(&c->pieces[i], hole))
            count += cut(&c->pieces[i], hole, left + count);
        else
            c->pieces[kept++] = c->pieces[i];
    }
    c->count = kept;
    for (uint32_t i = 0; i < count; i++)
        cell_add(live, c, left[i]);
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

static uint64_t count_cells(const struct gv_track_object *o, struct region *r)
{
    if (has_texels(o)) {
        const struct gv_format_info *info = gv_format_info(o->image.format);
        r->stencil = !info || gv_format_aspect_bytes(info, GV_ASPECT_STENCIL);
        return (r->stencil ? UINT64_C(2) : 1) * o->image.mips * slices_of(o);
    }
    uint64_t size = size_of(o);
    r->page = MIN_PAGE;
    while (size / r->page >= MAX_CELLS)
        r->page *= 2;
    return r->page > UINT32_MAX ? UINT64_MAX : size / r->page + 1;
}

static bool open_region(struct gv_live *live, const struct gv_track_object *o,
                        struct region *r)
{
    if (r->cells || r->coarse)
        return true;
    uint64_t count = count_cells(o, r);
    r->coarse = count > MAX_CELLS;
    if (r->coarse)
        return true;
    if (count * sizeof *r->cells <= live->memory_limit - live->memory)
        r->cells = calloc((size_t)count, sizeof *r->cells);
    if (!r->cells) {
        live->failed = true;
        return false;
    }
    r->cell_count = (uint32_t)count;
    live->memory += count * sizeof *r->cells;
    live->work += count / 64;
    return true;
}

enum verb { HIT, ADD, REMOVE };

// One verb on one piece of one cell; true ends a search.
static bool apply(struct gv_live *live, struct cell *c, const struct piece *p,
                  enum verb verb)
{
    live->work++;
    if (p->x0 >= p->x1 || p->y0 >= p->y1)
        return false;
    if (verb == HIT)
        return cell_hits(live, c, p);
    if (verb == ADD)
        cell_add(live, c, *p);
    else
        cell_remove(live, c, p);
    return false;
}

// Bytes [begin, end), both inside the object.
static bool on_bytes(struct gv_live *live, struct region *r, uint64_t begin,
                     uint64_t end, enum verb verb)
{
    for (uint64_t at = begin; at < end;) {
        uint64_t page = at / r->page, last = (page + 1) * r->page;
        struct piece p = { (uint32_t)(at % r->page), 0, 0, 1, live->reader };
        p.x1 = (uint32_t)((last < end ? last : end) - page * r->page);
        if (apply(live, &r->cells[page], &p, verb))
            return true;
        at = last;
    }
    return false;
}

static uint64_t clip_end(uint64_t begin, uint64_t bytes, uint64_t size)
{
    return bytes < size - begin ? begin + bytes : size;
}

static bool on_buffer(struct gv_live *live, const struct gv_track_object *o,
                      struct region *r, const struct gv_effect *e, enum verb verb)
{
    uint64_t size = size_of(o), offset = e->offset;
    if (offset >= size)
        return false;
    if (e->rows <= 1 || e->stride == 0)
        return on_bytes(live, r, offset, clip_end(offset, e->row_bytes, size), verb);
    uint64_t rows = (size - offset - 1) / e->stride + 1;
    rows = rows < e->rows ? rows : e->rows;
    if (e->row_bytes >= e->stride || rows > MAX_ROWS) {
        if (verb == REMOVE && e->row_bytes < e->stride)
            return false;                       // too many to take away one by one
        uint64_t span = (rows - 1) * e->stride; // below `size`
        return on_bytes(live, r, offset, clip_end(offset + span, e->row_bytes, size),
                        verb);
    }
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
                      struct region *r, const struct gv_effect *e, enum verb verb)
{
    uint32_t mip_end = clip(e->mip, e->mips, o->image.mips);
    for (uint32_t mip = e->mip; mip < mip_end; mip++) {
        uint32_t width = gv_mip_size(o->image.width, mip);
        uint32_t height = gv_mip_size(o->image.height, mip);
        const struct piece p = { e->x, e->y, clip(e->x, e->width, width),
                                 clip(e->y, e->height, height), live->reader };
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

static bool on_region(struct gv_live *live, const struct gv_effect *e, enum verb verb)
{
    const struct gv_track_object *o = &live->track->objects[e->object];
    struct region *r = &live->regions[e->object];
    if (!r->cells && !r->coarse && verb != ADD)
        return false;
    if (!open_region(live, o, r))
        return false;
    if (r->coarse) {
        r->whole |= verb == ADD;
        r->reader = verb == ADD ? live->reader : r->reader;
        live->reader = r->reader;
        return r->whole;
    }
    return has_texels(o) ? on_slices(live, o, r, e, verb)
                         : on_buffer(live, o, r, e, verb);
}

bool gv_live_hits(struct gv_live *live, const struct gv_effect *e)
{
    return live->failed || (e->object && on_region(live, e, HIT));
}

uint32_t gv_live_reader(const struct gv_live *live)
{
    return live->reader;
}

void gv_live_add(struct gv_live *live, const struct gv_effect *e, uint32_t reader)
{
    struct region *r = &live->regions[e->object];
    if (!e->object || (r->last_valid && same_effect(&r->last, e)))
        return;
    live->reader = reader;
    on_region(live, e, ADD);
    r->last = *e;
    r->last_valid = true;
}

void gv_live_remove(struct gv_live *live, const struct gv_effect *e)
{
    if (!e->object)
        return;
    on_region(live, e, REMOVE);
    live->regions[e->object].last_valid = false;
}

void gv_live_forget(struct gv_live *live, uint32_t object)
{
    drop_cells(live, &live->regions[object]);
}
