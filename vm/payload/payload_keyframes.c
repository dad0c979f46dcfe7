// Keyframes of a payload: their rows, and the payload as it runs from one on.
#include "vm/payload/kept.h"
#include "vm/payload/payload_batch.h"
#include "vm/payload/payload_segments.h"

#include <stdlib.h>
#include <string.h>

// ---- rows ----

static void put_text(struct gv_bytes *table, const char *text)
{
    size_t size = strlen(text);
    size = size < GV_MAX_NAME_BYTES ? size : GV_MAX_NAME_BYTES;
    gv_bytes_uleb(table, size);
    gv_bytes_put(table, text, size);
}

void gv_keyframe_put(struct gv_bytes *table, const struct gv_keyframe *k, uint64_t last)
{
    gv_bytes_uleb(table, k->frame - last);
    gv_bytes_uleb(table, k->stack_cells);
    put_text(table, k->device);
    put_text(table, k->driver);
    gv_bytes_u8(table, (uint8_t)((k->exact ? GV_KEYFRAME_EXACT : 0) |
                                 (k->exports ? GV_KEYFRAME_EXPORTS : 0)));
    gv_bytes_uleb(table, k->size);
    gv_bytes_put(table, k->code, k->size);
}

static bool refuse(const struct gv_reader *r)
{
    return gv_reader_fail(r, GV_ERR_FORMAT, "keyframe row is malformed");
}

// A row as it stands in the segment.
struct row {
    uint64_t frame, stack_cells;
    struct gv_span device, driver, code;
    uint8_t flags;
};

static bool take_row(struct gv_reader *r, struct row *row)
{
    uint64_t last = r->payload->last_keyframe;
    uint64_t by = gv_cursor_uleb(&r->c);
    row->stack_cells = gv_cursor_uleb(&r->c);
    if (r->c.bad || by == 0 || by > UINT32_MAX - last ||
        row->stack_cells > GV_MAX_STACK_CELLS)
        return refuse(r);
    row->frame = last + by;
    if (!gv_reader_text(r, GV_MAX_NAME_BYTES, &row->device) ||
        !gv_reader_text(r, GV_MAX_NAME_BYTES, &row->driver))
        return false;
    row->flags = gv_cursor_u8(&r->c);
    uint64_t size = gv_cursor_uleb(&r->c);
    if (r->c.bad || row->flags & ~(GV_KEYFRAME_EXACT | GV_KEYFRAME_EXPORTS) ||
        size == 0 || size > GV_MAX_CHUNK_BYTES)
        return refuse(r);
    row->code = (struct gv_span){ gv_cursor_take(&r->c, (size_t)size), (size_t)size };
    r->payload->last_keyframe = row->frame;
    return row->code.data || refuse(r);
}

// As code of chunks, a keyframe's is taken out of the file once.
static bool keep_row(struct gv_reader *r, const struct row *row)
{
    struct gv_payload *p = r->payload;
    struct gv_keyframe k = {
        .frame = row->frame,
        .stack_cells = (uint32_t)row->stack_cells,
        .device = gv_reader_keep(r, row->device),
        .exact = row->flags & GV_KEYFRAME_EXACT,
        .exports = row->flags & GV_KEYFRAME_EXPORTS,
        .size = (uint32_t)row->code.size,
    };
    k.driver = k.device ? gv_reader_keep(r, row->driver) : NULL;
    if (!k.driver || !gv_payload_charge(r->private, k.size, r->err))
        return false;
    k.code = gv_arena_copy(&r->private->code, row->code.data, k.size);
    if (!k.code)
        return gv_out_of_memory(r->err);
    const struct gv_keyframe *last =
        p->keyframe_count ? &p->keyframes[p->keyframe_count - 1] : NULL;
    k.code_offset = last ? last->code_offset + last->size : p->code_size;
    struct gv_keyframe *rows =
        gv_reader_grow(r, p->keyframes, p->keyframe_count, 1,
                       &r->private->keyframe_capacity, sizeof *rows);
    if (!rows)
        return false;
    p->keyframes = rows;
    rows[p->keyframe_count++] = k;
    return true;
}

bool gv_read_keyframes(struct gv_reader *r)
{
    while (gv_cursor_left(&r->c) > 0) {
        struct row row;
        if (!take_row(r, &row))
            return false;
        // A stream has run what they stand for.
        if (!r->payload->streamed && !keep_row(r, &row))
            return false;
    }
    return true;
}

size_t gv_payload_keyframe(const struct gv_payload *p, uint64_t frame)
{
    size_t low = 0, high = p->keyframe_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->keyframes[middle].frame <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : p->keyframe_count;
}

bool gv_keyframe_is_foreign(const struct gv_keyframe *k, const char *device,
                            const char *driver)
{
    return !k->exact &&
           (strcmp(k->device, device) != 0 || strcmp(k->driver, driver) != 0);
}

// ---- views ----

// Chunks and blocks of code: the keyframe's in front of the frame's, and behind all.
static bool view_code(struct gv_payload *view, const struct gv_payload *p,
                      const struct gv_keyframe *k)
{
    const size_t first = p->frames[k->frame].chunk_begin;
    view->chunk_count = p->chunk_count - first + 1;
    view->chunks = malloc(view->chunk_count * sizeof *view->chunks);
    view->code_block_count = p->code_block_count + 1;
    view->code_blocks = malloc(view->code_block_count * sizeof *view->code_blocks);
    if (!view->chunks || !view->code_blocks)
        return false;
    view->chunks[0] = (struct gv_chunk){
        .block = p->code_block_count,
        .size = k->size,
        .first_command = p->frames[k->frame].command_begin,
        .code_offset = k->code_offset,
    };
    for (size_t i = first; i < p->chunk_count; i++)
        view->chunks[i - first + 1] = p->chunks[i];
    for (size_t i = 0; i < p->code_block_count; i++)
        view->code_blocks[i] = p->code_blocks[i];
    view->code_blocks[p->code_block_count] = (struct gv_block){ .stored_size = k->size,
                                                                .raw_size = k->size,
                                                                .code = k->code };
    view->tail_begin = p->tail_begin - (uint32_t)first + 1;
    return true;
}

static bool view_frames(struct gv_payload *view, const struct gv_payload *p,
                        uint64_t first, uint64_t uses)
{
    const uint32_t chunk = p->frames[first].chunk_begin;
    const uint64_t use = p->frames[first].schedule;
    view->frames = malloc(p->frame_count * sizeof *view->frames);
    if (!view->frames)
        return false;
    for (size_t i = 0; i < p->frame_count; i++) {
        struct gv_frame *f = &view->frames[i];
        *f = p->frames[i];
        f->chunk_begin = i <= first ? 0 : f->chunk_begin - chunk + 1;
        f->chunk_end = i < first ? 0 : f->chunk_end - chunk + 1;
        f->schedule = i <= first ? 0 : f->schedule - use + uses;
    }
    return true;
}

static bool view_uses(struct gv_payload *view, const struct gv_payload *p,
                      const struct gv_kept_uses *uses, uint64_t first)
{
    const size_t from = (size_t)p->frames[first].schedule;
    view->schedule_count = uses->count + p->schedule_count - from;
    view->schedule = malloc((view->schedule_count + 1) * sizeof *view->schedule);
    if (!view->schedule)
        return false;
    for (size_t i = 0; i < uses->count; i++)
        view->schedule[i] = uses->resources[i];
    for (size_t i = from; i < p->schedule_count; i++)
        view->schedule[uses->count + i - from] = p->schedule[i];
    return true;
}

bool gv_payload_view(struct gv_payload *view, const struct gv_payload *p,
                     size_t keyframe, struct gv_error *err)
{
    const struct gv_keyframe *k = &p->keyframes[keyframe];
    const struct gv_kept_run all = { .end = k->size };
    struct gv_kept_uses uses = { 0 };
    *view = *p;
    view->chunks = NULL;
    view->code_blocks = NULL;
    view->frames = NULL;
    view->schedule = NULL;
    view->keyframes = NULL;
    view->keyframe_count = 0;
    view->first_frame = k->frame;
    if (view->limits.stack_cells < k->stack_cells)
        view->limits.stack_cells = k->stack_cells;
    bool ok = gv_kept_uses_of_run(&all, k->code, &uses, err) &&
              ((view_code(view, p, k) && view_frames(view, p, k->frame, uses.count) &&
                view_uses(view, p, &uses, k->frame)) ||
               gv_out_of_memory(err));
    gv_kept_uses_finish(&uses);
    if (!ok)
        gv_payload_view_finish(view);
    return ok;
}

void gv_payload_view_finish(struct gv_payload *view)
{
    free(view->chunks);
    free(view->code_blocks);
    free(view->frames);
    free(view->schedule);
    *view = (struct gv_payload){ 0 };
}
