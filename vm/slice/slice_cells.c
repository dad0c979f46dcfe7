#include "vm/slice/slice_cells.h"

#include <stdlib.h>
#include <string.h>

// Pieces of one cell; more become the rectangle around them all.
#define MAX_PIECES 24

static bool contains(const struct gv_piece *a, const struct gv_piece *b)
{
    return a->x0 <= b->x0 && a->y0 <= b->y0 && a->x1 >= b->x1 && a->y1 >= b->y1;
}

static bool meets(const struct gv_piece *a, const struct gv_piece *b)
{
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

// Whether both together are a rectangle, which `a` then is.
static bool join(struct gv_piece *a, const struct gv_piece *b)
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

static struct gv_piece around(const struct gv_cell *c)
{
    struct gv_piece all = c->pieces[0];
    for (uint32_t i = 1; i < c->count; i++) {
        const struct gv_piece *p = &c->pieces[i];
        all.x0 = all.x0 < p->x0 ? all.x0 : p->x0;
        all.y0 = all.y0 < p->y0 ? all.y0 : p->y0;
        all.x1 = all.x1 > p->x1 ? all.x1 : p->x1;
        all.y1 = all.y1 > p->y1 ? all.y1 : p->y1;
    }
    return all;
}

void *gv_cells_alloc(struct gv_cell_account *a, uint64_t count, size_t size)
{
    void *made = NULL;
    if (count <= (a->memory_limit - a->memory) / size)
        made = calloc((size_t)count, size);
    a->failed |= !made;
    a->memory += made ? count * size : 0;
    return made;
}

static bool reserve(struct gv_cell_account *a, struct gv_cell *c)
{
    if (c->count < c->capacity)
        return true;
    uint32_t capacity = c->capacity ? c->capacity * 2 : 2;
    uint64_t more = (capacity - c->capacity) * sizeof(struct gv_piece);
    struct gv_piece *grown = NULL;
    if (more <= a->memory_limit - a->memory)
        grown = realloc(c->pieces, capacity * sizeof *grown);
    if (!grown) {
        a->failed = true;
        return false;
    }
    a->memory += more;
    c->pieces = grown;
    c->capacity = capacity;
    return true;
}

static void add(struct gv_cell_account *a, struct gv_cell *c, struct gv_piece p)
{
    for (uint32_t i = 0; i < c->count;) {
        a->work++;
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
    if (reserve(a, c))
        c->pieces[c->count++] = p;
}

static bool hits(struct gv_cell_account *a, const struct gv_cell *c,
                 const struct gv_piece *p, bool read)
{
    for (uint32_t i = 0; i < c->count; i++) {
        a->work++;
        if (!meets(&c->pieces[i], p))
            continue;
        if (read)
            a->reader = c->pieces[i].reader;
        return true;
    }
    return false;
}

static bool has(struct gv_cell_account *a, const struct gv_cell *c,
                const struct gv_piece *p)
{
    for (uint32_t i = 0; i < c->count; i++) {
        a->work++;
        if (contains(&c->pieces[i], p))
            return true;
    }
    return false;
}

// What is left of `from` around `hole`, at most four pieces.
static uint32_t cut(const struct gv_piece *from, const struct gv_piece *hole,
                    struct gv_piece out[4])
{
    uint32_t n = 0;
    uint32_t y0 = from->y0 > hole->y0 ? from->y0 : hole->y0;
    uint32_t y1 = from->y1 < hole->y1 ? from->y1 : hole->y1;
    if (from->y0 < y0)
        out[n++] = (struct gv_piece){ from->x0, from->y0, from->x1, y0, from->reader };
    if (y1 < from->y1)
        out[n++] = (struct gv_piece){ from->x0, y1, from->x1, from->y1, from->reader };
    if (from->x0 < hole->x0)
        out[n++] = (struct gv_piece){ from->x0, y0, hole->x0, y1, from->reader };
    if (hole->x1 < from->x1)
        out[n++] = (struct gv_piece){ hole->x1, y0, from->x1, y1, from->reader };
    return n;
}

static void take_away(struct gv_cell_account *a, struct gv_cell *c,
                      const struct gv_piece *hole)
{
    struct gv_piece left[MAX_PIECES * 4];
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        a->work++;
        if (meets(&c->pieces[i], hole))
            count += cut(&c->pieces[i], hole, left + count);
        else
            c->pieces[kept++] = c->pieces[i];
    }
    c->count = kept;
    for (uint32_t i = 0; i < count; i++)
        add(a, c, left[i]);
}

bool gv_cell_concerns(struct gv_cell_account *a, const struct gv_cell *c,
                      const struct gv_piece *p, enum gv_cell_verb verb)
{
    if (verb == GV_CELL_ADD)
        return !has(a, c, p);
    return hits(a, c, p, verb == GV_CELL_HIT);
}

void gv_cell_apply(struct gv_cell_account *a, struct gv_cell *c,
                   const struct gv_piece *p, enum gv_cell_verb verb)
{
    if (verb == GV_CELL_ADD)
        add(a, c, *p);
    else
        take_away(a, c, p);
}

// ---- rows ----
//
// Pieces of a row are one high, and none touch: what is joined or cut never joins a
// third.

static bool touch(const struct gv_piece *a, const struct gv_piece *b)
{
    return a->x0 <= b->x1 && b->x0 <= a->x1;
}

// Takes in what it touches.
static void take_in(struct gv_piece *p, const struct gv_piece *q)
{
    p->x0 = q->x0 < p->x0 ? q->x0 : p->x0;
    p->x1 = q->x1 > p->x1 ? q->x1 : p->x1;
}

// A piece that touches none.
static void append(struct gv_cell_account *a, struct gv_cell *c, struct gv_piece p)
{
    if (c->count == MAX_PIECES) {
        c->pieces[0] = around(c);
        c->count = 1;
        if (touch(&p, &c->pieces[0])) {
            take_in(&c->pieces[0], &p);
            return;
        }
    }
    if (reserve(a, c))
        c->pieces[c->count++] = p;
}

static void add_to_row(struct gv_cell_account *a, struct gv_cell *c, struct gv_piece p)
{
    for (uint32_t i = 0; i < c->count;) {
        a->work++;
        if (!touch(&p, &c->pieces[i])) {
            i++;
            continue;
        }
        take_in(&p, &c->pieces[i]);
        c->pieces[i] = c->pieces[--c->count];
    }
    append(a, c, p);
}

static void take_from_row(struct gv_cell_account *a, struct gv_cell *c,
                          const struct gv_piece *hole)
{
    struct gv_piece behind[MAX_PIECES];
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const struct gv_piece q = c->pieces[i];
        const bool met = q.x0 < hole->x1 && hole->x0 < q.x1;
        a->work++;
        if (!met || q.x0 < hole->x0)
            c->pieces[kept++] =
                (struct gv_piece){ q.x0, 0, met ? hole->x0 : q.x1, 1, q.reader };
        if (met && hole->x1 < q.x1)
            behind[count++] = (struct gv_piece){ hole->x1, 0, q.x1, 1, q.reader };
    }
    c->count = kept;
    for (uint32_t i = 0; i < count; i++)
        append(a, c, behind[i]);
}

bool gv_row_concerns(struct gv_cell_account *a, const struct gv_cell *c,
                     const struct gv_piece *p, enum gv_cell_verb verb)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const struct gv_piece *q = &c->pieces[i];
        a->work++;
        if (q->x0 >= p->x1 || p->x0 >= q->x1)
            continue;
        if (verb == GV_CELL_ADD)
            return q->x0 > p->x0 || q->x1 < p->x1;
        if (verb == GV_CELL_HIT)
            a->reader = q->reader;
        return true;
    }
    return verb == GV_CELL_ADD;
}

void gv_row_apply(struct gv_cell_account *a, struct gv_cell *c,
                  const struct gv_piece *p, enum gv_cell_verb verb)
{
    if (verb == GV_CELL_ADD)
        add_to_row(a, c, *p);
    else
        take_from_row(a, c, p);
}

// ---- whole cells ----

void gv_cell_drop(struct gv_cell_account *a, struct gv_cell *c)
{
    a->memory -= c->capacity * sizeof(struct gv_piece);
    free(c->pieces);
    *c = (struct gv_cell){ 0 };
}

void gv_cell_copy(struct gv_cell_account *a, const struct gv_cell *from,
                  struct gv_cell *to)
{
    *to = (struct gv_cell){ 0 };
    if (!from->count)
        return;
    to->pieces = gv_cells_alloc(a, from->count, sizeof *to->pieces);
    if (!to->pieces)
        return;
    to->count = to->capacity = from->count;
    memcpy(to->pieces, from->pieces, from->count * sizeof *to->pieces);
}

bool gv_cell_same(const struct gv_cell *a, const struct gv_cell *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!contains(&a->pieces[i], &b->pieces[i]) ||
            !contains(&b->pieces[i], &a->pieces[i]))
            return false;
    return true;
}
