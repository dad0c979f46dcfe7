#include "compiler/apitrace/trace/trace_window.h"

#include "resources/base/checked.h"

#include <stdlib.h>
#include <string.h>

bool gv_trace_window_init(struct gv_trace_window *w, struct gv_cursor file,
                          struct gv_inflow *inflow, size_t limit, struct gv_error *err)
{
    *w = (struct gv_trace_window){ .data = (const uint8_t *)"", // of no bytes
                                   .file = file,
                                   .inflow = inflow,
                                   .limit = limit,
                                   .damage = GV_ERROR_INIT };
    w->container = gv_trace_container_detect(file.data, file.size);
    if (w->container == GV_TRACE_RAW) {
        w->data = file.data;
        w->size = file.size;
        w->ended = !inflow;
        return true;
    }
    w->unpacker = gv_trace_unpacker_create(w->container, file, inflow);
    return w->unpacker || gv_out_of_memory(err);
}

void gv_trace_window_finish(struct gv_trace_window *w)
{
    gv_trace_unpacker_destroy(w->unpacker);
    free(w->owned);
    free(w->pieces);
    *w = (struct gv_trace_window){ 0 };
}

// ---- what the container asks for ----

static uint8_t *take(void *context, size_t size)
{
    struct gv_trace_window *w = context;
    size_t needed;
    if (!gv_add_size(w->size, size, &needed) || needed > w->limit)
        return NULL;
    if (needed > w->capacity) {
        size_t capacity = w->capacity < w->limit / 2 ? 2 * w->capacity : w->limit;
        if (capacity < needed)
            capacity = needed;
        uint8_t *grown = realloc(w->owned, capacity);
        if (!grown)
            return NULL;
        w->owned = grown;
        w->data = grown;
        w->capacity = capacity;
    }
    return w->owned + w->size;
}

static void made(void *context, size_t size)
{
    struct gv_trace_window *w = context;
    w->size += size;
}

static void piece(void *context, uint64_t file_offset)
{
    struct gv_trace_window *w = context;
    if (w->piece_count == w->piece_capacity) {
        size_t capacity = w->piece_capacity ? 2 * w->piece_capacity : 16;
        void *grown = realloc(w->pieces, capacity * sizeof *w->pieces);
        if (!grown) {
            w->failed = true;
            return;
        }
        w->pieces = grown;
        w->piece_capacity = capacity;
    }
    w->pieces[w->piece_count++] =
        (struct gv_trace_piece){ w->start + w->size, file_offset };
}

// ---- moving on ----

// The last piece that begins at or before `offset`, as an index; 0 if none does.
static size_t find_piece(const struct gv_trace_window *w, uint64_t offset)
{
    size_t low = 0, high = w->piece_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (w->pieces[middle].stream <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void forget(struct gv_trace_window *w, size_t used)
{
    if (used == 0)
        return;
    memmove(w->owned, w->owned + used, w->size - used);
    w->size -= used;
    w->start += used;
    size_t first = find_piece(w, w->start);
    w->piece_count -= first;
    memmove(w->pieces, w->pieces + first, w->piece_count * sizeof *w->pieces);
}

// What comes stays where it is: the window moves over it.
static void await_raw(struct gv_trace_window *w, size_t used, size_t wanted)
{
    w->data += used;
    w->start += used;
    w->size -= used;
    gv_inflow_want(w->inflow, w->start + wanted);
    w->size = w->inflow->size - (size_t)w->start;
    w->ended = w->inflow->ended;
}

bool gv_trace_window_advance(struct gv_trace_window *w, size_t used, size_t wanted,
                             struct gv_error *err)
{
    if (w->ended)
        return true;
    if (w->container == GV_TRACE_RAW) {
        await_raw(w, used, wanted);
        return true;
    }
    const struct gv_trace_room room = { take, made, piece, w };
    forget(w, used);
    while (!w->ended && w->size < wanted) {
        enum gv_trace_pull result =
            gv_trace_unpacker_pull(w->unpacker, &room, &w->damage);
        if (w->failed)
            return gv_out_of_memory(err);
        w->ended = result != GV_TRACE_PULLED;
        w->cut = result == GV_TRACE_CUT;
    }
    return true;
}

uint64_t gv_trace_window_chunk(const struct gv_trace_window *w, uint64_t stream_offset)
{
    return w->piece_count ? w->pieces[find_piece(w, stream_offset)].file : 0;
}

size_t gv_trace_window_read(const struct gv_trace_window *w)
{
    return w->unpacker ? gv_trace_unpacker_taken(w->unpacker) : w->size;
}
