#include "vm/slice/slice_rows.h"

#include <stdlib.h>
#include <string.h>

#define BAND 64u        // rows
#define MAX_ROWS 65536u // of one object; pages grow with it
#define MIN_PAGE UINT64_C(2048)
#define MIN_STRIDE UINT64_C(256)
#define MAX_STRIDE UINT64_C(65536)

// Rows that are alike.
struct span {
    uint32_t end; // in the band, exclusive
    struct gv_cell cell;
};

// The spans of a band follow one another to its end; none: nothing of it is wanted.
struct gv_band {
    uint32_t count, capacity;
    struct span *spans; // owned
};

bool gv_rows_init(struct gv_cell_account *a, struct gv_rows *rows, uint64_t size,
                  uint64_t stride)
{
    rows->page = MIN_PAGE;
    if (stride >= MIN_STRIDE && stride <= MAX_STRIDE && size / stride < MAX_ROWS)
        rows->page = stride;
    while (size / rows->page >= MAX_ROWS)
        rows->page *= 2;
    if (rows->page > UINT32_MAX)
        return false;
    rows->band_count = (uint32_t)(size / rows->page / BAND) + 1;
    rows->bands = gv_cells_alloc(a, rows->band_count, sizeof *rows->bands);
    return rows->bands != NULL;
}

void gv_rows_drop(struct gv_cell_account *a, struct gv_rows *rows)
{
    for (uint32_t i = 0; i < rows->band_count && rows->bands; i++) {
        struct gv_band *b = &rows->bands[i];
        for (uint32_t k = 0; k < b->count; k++)
            gv_cell_drop(a, &b->spans[k].cell);
        a->memory -= b->capacity * sizeof *b->spans;
        free(b->spans);
    }
    a->memory -= rows->band_count * sizeof *rows->bands;
    free(rows->bands);
    *rows = (struct gv_rows){ 0 };
}

// One more span at `at`, of which nothing is said yet.
static bool insert(struct gv_cell_account *a, struct gv_band *b, uint32_t at)
{
    if (b->count == b->capacity) {
        uint32_t capacity = b->capacity ? b->capacity * 2 : 1;
        uint64_t more = (capacity - b->capacity) * sizeof *b->spans;
        struct span *grown = NULL;
        if (more <= a->memory_limit - a->memory)
            grown = realloc(b->spans, capacity * sizeof *grown);
        if (!grown) {
            a->failed = true;
            return false;
        }
        a->memory += more;
        b->spans = grown;
        b->capacity = capacity;
    }
    memmove(b->spans + at + 1, b->spans + at, (b->count - at) * sizeof *b->spans);
    b->count++;
    return true;
}

// Span `at` ends at `row`; the rest of it follows.
static bool split(struct gv_cell_account *a, struct gv_band *b, uint32_t at,
                  uint32_t row)
{
    if (!insert(a, b, at))
        return false;
    b->spans[at].end = row;
    gv_cell_copy(a, &b->spans[at + 1].cell, &b->spans[at].cell);
    return !a->failed;
}

// Spans from `first` on, up to `last`, that have become alike.
static void merge(struct gv_cell_account *a, struct gv_band *b, uint32_t first,
                  uint32_t last)
{
    uint32_t kept = first;
    last = last < b->count ? last : b->count - 1;
    for (uint32_t i = first + 1; i <= last; i++) {
        if (gv_cell_same(&b->spans[kept].cell, &b->spans[i].cell)) {
            gv_cell_drop(a, &b->spans[i].cell);
            b->spans[kept].end = b->spans[i].end;
        } else {
            b->spans[++kept] = b->spans[i];
        }
    }
    memmove(b->spans + kept + 1, b->spans + last + 1,
            (b->count - last - 1) * sizeof *b->spans);
    b->count -= last - kept;
}

// Rows [begin, end) of span `*at`, apart from its others. Moves `*at` to them.
static bool isolate(struct gv_cell_account *a, struct gv_band *b, uint32_t *at,
                    uint32_t begin, uint32_t end)
{
    uint32_t start = *at ? b->spans[*at - 1].end : 0;
    if (start < begin) {
        if (!split(a, b, *at, begin))
            return false;
        ++*at;
    }
    return b->spans[*at].end <= end || split(a, b, *at, end);
}

static bool on_band(struct gv_cell_account *a, struct gv_band *b, uint32_t begin,
                    uint32_t end, const struct gv_piece *p, enum gv_cell_verb verb)
{
    if (!b->count) {
        if (verb != GV_CELL_ADD || !insert(a, b, 0))
            return false;
        b->spans[0] = (struct span){ .end = BAND };
    }
    uint32_t i = 0, first;
    bool changed = false;
    while (b->spans[i].end <= begin)
        i++;
    first = i ? i - 1 : 0;
    for (uint32_t row = begin; row < end; row = b->spans[i++].end) {
        a->work++;
        if (!gv_row_concerns(a, &b->spans[i].cell, p, verb))
            continue;
        if (verb == GV_CELL_HIT)
            return true;
        if (!isolate(a, b, &i, begin, end))
            return false;
        gv_row_apply(a, &b->spans[i].cell, p, verb);
        changed = true;
    }
    if (changed)
        merge(a, b, first, i);
    return false;
}

bool gv_rows_apply(struct gv_cell_account *a, struct gv_rows *rows, uint64_t begin,
                   uint64_t end, const struct gv_piece *p, enum gv_cell_verb verb)
{
    while (begin < end && !a->failed) {
        uint64_t band = begin / BAND, last = (band + 1) * BAND;
        uint32_t to = (uint32_t)((end < last ? end : last) - band * BAND);
        if (on_band(a, &rows->bands[band], (uint32_t)(begin % BAND), to, p, verb))
            return true;
        begin = last;
    }
    return false;
}

static bool each_of_row(const struct gv_cell *cell, uint64_t offset,
                        gv_rows_visit visit, void *context)
{
    for (uint32_t i = 0; i < cell->count; i++) {
        const struct gv_piece *p = &cell->pieces[i];
        if (!visit(context, offset + p->x0, p->x1 - p->x0))
            return false;
    }
    return true;
}

bool gv_rows_each(const struct gv_rows *rows, gv_rows_visit visit, void *context)
{
    for (uint32_t i = 0; i < rows->band_count; i++) {
        const struct gv_band *b = &rows->bands[i];
        uint32_t row = 0;
        for (uint32_t k = 0; k < b->count; k++)
            for (; row < b->spans[k].end; row++)
                if (!each_of_row(&b->spans[k].cell,
                                 ((uint64_t)i * BAND + row) * rows->page, visit,
                                 context))
                    return false;
    }
    return true;
}
