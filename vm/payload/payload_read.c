// The small tables of a payload: strings and numbers, row by row.
#include "resources/base/checked.h"
#include "resources/base/foreign.h"
#include "vm/payload/payload_segments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gv_reader_fail(const struct gv_reader *r, enum gv_status status,
                    const char *format, ...)
{
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    uint64_t at = r->segment->offset;
    if (!(r->segment->flags & GV_SEGMENT_ZSTD))
        at += GV_SEGMENT_HEADER_BYTES + r->c.pos;
    return gv_fail(r->err, status, at, "%s", text);
}

bool gv_payload_charge(struct gv_payload_private *private, uint64_t bytes,
                       struct gv_error *err)
{
    uint64_t used;
    if (!gv_add_u64(private->memory_used, bytes, &used) ||
        (private->memory_limit && used > private->memory_limit))
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "the payload's tables need more than %llu bytes of memory",
                       (unsigned long long)private->memory_limit);
    private->memory_used = used;
    return true;
}

void *gv_reader_grow(struct gv_reader *r, void *array, size_t count, size_t more,
                     size_t *capacity, size_t element)
{
    if (more <= *capacity - count)
        return array;
    size_t wanted = *capacity < 32 ? 32 : *capacity * 2;
    if (wanted < count + more)
        wanted = count + more;
    size_t bytes;
    void *moved = NULL;
    if (!gv_mul_size(wanted, element, &bytes) ||
        !gv_payload_charge(r->private, bytes - *capacity * element, r->err))
        return NULL;
    moved = realloc(array, bytes);
    if (!moved) {
        gv_out_of_memory(r->err);
        return NULL;
    }
    *capacity = wanted;
    return moved;
}

bool gv_reader_text(struct gv_reader *r, size_t limit, struct gv_span *text)
{
    uint64_t length = gv_cursor_uleb(&r->c);
    if (length > limit)
        r->c.bad = true;
    *text = (struct gv_span){ gv_cursor_take(&r->c, (size_t)length), (size_t)length };
    return (text->data && gv_utf8_valid(text->data, text->size)) ||
           gv_reader_fail(r, GV_ERR_FORMAT,
                          "a string is cut off, too long, no UTF-8 or holds NUL");
}

const char *gv_reader_keep(struct gv_reader *r, struct gv_span text)
{
    if (!gv_payload_charge(r->private, text.size + 32, r->err))
        return NULL;
    const char *copy = gv_arena_copy(&r->private->arena, text.data, text.size);
    if (!copy)
        gv_out_of_memory(r->err);
    return copy;
}

const char *gv_reader_string(struct gv_reader *r, size_t limit)
{
    struct gv_span text;
    return gv_reader_text(r, limit, &text) ? gv_reader_keep(r, text) : NULL;
}

static bool more(const struct gv_reader *r)
{
    return gv_cursor_left(&r->c) > 0;
}

static bool cut(const struct gv_reader *r, const char *what)
{
    return gv_reader_fail(r, GV_ERR_FORMAT, "%s row is malformed", what);
}

static uint32_t uleb_u32(struct gv_cursor *c)
{
    uint64_t v = gv_cursor_uleb(c);
    if (v > UINT32_MAX)
        c->bad = true;
    return (uint32_t)v;
}

bool gv_read_provenance(struct gv_reader *r)
{
    size_t size = gv_cursor_left(&r->c);
    const uint8_t *text = gv_cursor_take(&r->c, size);
    if (r->payload->provenance[0])
        return gv_reader_fail(r, GV_ERR_FORMAT, "a second provenance segment");
    if (size == 0 || size > GV_MAX_PROVENANCE_BYTES || !gv_utf8_valid(text, size))
        return gv_reader_fail(r, GV_ERR_FORMAT,
                              "provenance is empty, too long, no UTF-8 or holds NUL");
    if (!gv_payload_charge(r->private, size, r->err))
        return false;
    const char *copy = gv_arena_copy(&r->private->arena, text, size);
    if (!copy)
        return gv_out_of_memory(r->err);
    r->payload->provenance = copy;
    return true;
}

static bool read_requirement(struct gv_reader *r, struct gv_requirement *row)
{
    row->kind = gv_cursor_u8(&r->c);
    row->strength = gv_cursor_u8(&r->c);
    if (r->c.bad || row->kind > GV_REQUIRE_MEMORY || row->strength >= GV_STRENGTH_COUNT)
        return cut(r, "requirement");
    row->name = gv_reader_string(r, GV_MAX_NAME_BYTES);
    if (!row->name)
        return false;
    row->value = gv_cursor_uleb(&r->c);
    row->fallback = gv_reader_string(r, GV_MAX_NAME_BYTES);
    return row->fallback != NULL;
}

bool gv_read_requirements(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    while (more(r)) {
        struct gv_requirement row;
        if (p->requirement_count >= GV_MAX_REQUIREMENTS)
            return gv_reader_fail(r, GV_ERR_FORMAT, "too many requirements");
        if (!read_requirement(r, &row))
            return false;
        struct gv_requirement *rows =
            gv_reader_grow(r, p->requirements, p->requirement_count, 1,
                           &r->private->requirement_capacity, sizeof row);
        if (!rows)
            return false;
        p->requirements = rows;
        rows[p->requirement_count++] = row;
    }
    return true;
}

static bool imported(const struct gv_payload *p, uint64_t call)
{
    for (size_t i = 0; i < p->import_count; i++)
        if (p->imports[i].call == call)
            return true;
    return false;
}

bool gv_read_imports(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    while (more(r)) {
        uint64_t call = gv_cursor_uleb(&r->c);
        uint64_t signature = gv_cursor_u64(&r->c);
        if (r->c.bad || call >= GV_CALL_LIMIT || imported(p, call))
            return cut(r, "import");
        struct gv_import *rows =
            gv_reader_grow(r, p->imports, p->import_count, 1,
                           &r->private->import_capacity, sizeof *rows);
        if (!rows)
            return false;
        p->imports = rows;
        rows[p->import_count++] = (struct gv_import){ (uint32_t)call, signature };
    }
    return true;
}

bool gv_read_limits(struct gv_reader *r)
{
    const struct gv_limits old = r->payload->limits;
    struct gv_limits now = {
        .volatile_bytes = gv_cursor_uleb(&r->c),
        .map_bytes = gv_cursor_uleb(&r->c),
        .stack_cells = uleb_u32(&r->c),
        .objects = uleb_u32(&r->c),
        .instructions = gv_cursor_uleb(&r->c),
        .object_bytes = gv_cursor_uleb(&r->c),
    };
    if (r->c.bad || more(r))
        return cut(r, "limits");
    if (now.volatile_bytes < old.volatile_bytes || now.map_bytes < old.map_bytes ||
        now.stack_cells < old.stack_cells || now.objects < old.objects ||
        now.instructions < old.instructions || now.object_bytes < old.object_bytes)
        return gv_reader_fail(r, GV_ERR_FORMAT, "a limit falls");
    r->payload->limits = now;
    return true;
}

bool gv_read_slots(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    while (more(r)) {
        struct gv_slot_info slot = { .kind = gv_cursor_u8(&r->c) };
        if (slot.kind == GV_KIND_MAP)
            slot.map_size = gv_cursor_uleb(&r->c);
        if (r->c.bad || slot.kind == GV_KIND_NONE || slot.kind >= GV_KIND_COUNT)
            return cut(r, "slot");
        if (p->slot_count >= GV_MAX_SLOTS)
            return gv_reader_fail(r, GV_ERR_FORMAT, "too many slots");
        struct gv_slot_info *rows = gv_reader_grow(
            r, p->slots, p->slot_count, 1, &r->private->slot_capacity, sizeof *rows);
        if (!rows)
            return false;
        p->slots = rows;
        rows[p->slot_count++] = slot;
    }
    return true;
}

bool gv_read_exports(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    while (more(r)) {
        struct gv_export row = { .name = gv_reader_string(r, GV_MAX_NAME_BYTES) };
        if (!row.name)
            return false;
        row.kind = gv_cursor_u8(&r->c);
        row.format = uleb_u32(&r->c);
        row.width = uleb_u32(&r->c);
        row.height = uleb_u32(&r->c);
        if (r->c.bad || (row.kind != GV_KIND_BUFFER && row.kind != GV_KIND_IMAGE) ||
            p->export_count >= GV_MAX_EXPORTS)
            return cut(r, "export");
        struct gv_export *rows =
            gv_reader_grow(r, p->exports, p->export_count, 1,
                           &r->private->export_capacity, sizeof row);
        if (!rows)
            return false;
        p->exports = rows;
        rows[p->export_count++] = row;
    }
    return true;
}

bool gv_read_schedule(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    uint32_t next = r->private->next_use;
    // A use is one byte at least, so that the content bounds the array.
    uint32_t *uses =
        gv_reader_grow(r, p->schedule, p->schedule_count, gv_cursor_left(&r->c),
                       &r->private->schedule_capacity, sizeof *uses);
    if (!uses)
        return false;
    p->schedule = uses;
    while (more(r)) {
        int64_t delta = gv_cursor_sleb(&r->c);
        // Both sums stay far inside 64 bits: |delta| is checked first.
        bool near = delta >= -(int64_t)UINT32_MAX && delta <= (int64_t)UINT32_MAX;
        int64_t use = near ? (int64_t)next + delta : -1;
        if (r->c.bad || use < 0 || (uint64_t)use >= p->resource_count)
            return gv_reader_fail(r, GV_ERR_FORMAT,
                                  "the schedule names a resource that does not exist");
        uses[p->schedule_count++] = (uint32_t)use;
        next = (uint32_t)use + 1;
    }
    r->private->next_use = next;
    return true;
}

// Adds a uleb to a running number that must stay below `limit`.
static uint64_t advance(struct gv_cursor *c, uint64_t from, uint64_t limit)
{
    uint64_t step = gv_cursor_uleb(c);
    uint64_t to = from;
    if (!gv_add_u64(from, step, &to) || to > limit)
        c->bad = true;
    return to;
}

bool gv_read_frames(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    while (more(r)) {
        const struct gv_frame last = r->private->last_frame;
        struct gv_frame row = { .chunk_begin = last.chunk_end };
        row.chunk_end = (uint32_t)advance(&r->c, last.chunk_end, UINT32_MAX);
        row.command_begin = advance(&r->c, last.command_end, UINT64_MAX);
        row.command_end = advance(&r->c, row.command_begin, UINT64_MAX);
        row.width = uleb_u32(&r->c);
        row.height = uleb_u32(&r->c);
        row.schedule = advance(&r->c, last.schedule, UINT64_MAX);
        if (r->c.bad)
            return cut(r, "frame");
        struct gv_frame *rows = gv_reader_grow(r, p->frames, p->frame_count, 1,
                                               &r->private->frame_capacity, sizeof row);
        if (!rows)
            return false;
        p->frames = rows;
        rows[p->frame_count++] = r->private->last_frame = row;
    }
    return true;
}

static bool same_pace(const struct gv_pace *a, const struct gv_pace *b)
{
    return a->rate == b->rate && a->per == b->per && a->width == b->width &&
           a->height == b->height;
}

bool gv_pace_valid(const struct gv_pace *pace, const struct gv_pace *last)
{
    static const struct gv_pace nothing = { 0 };
    return (pace->rate == 0) == (pace->per == 0) &&
           (pace->width == 0) == (pace->height == 0) &&
           !same_pace(pace, last ? last : &nothing) &&
           (!last || pace->frame > last->frame);
}

bool gv_read_paces(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    while (more(r)) {
        const struct gv_pace *last =
            p->pace_count ? &p->paces[p->pace_count - 1] : NULL;
        struct gv_pace row = {
            .frame = advance(&r->c, last ? last->frame : 0, UINT32_MAX),
            .rate = uleb_u32(&r->c),
            .per = uleb_u32(&r->c),
            .width = uleb_u32(&r->c),
            .height = uleb_u32(&r->c),
        };
        if (r->c.bad || !gv_pace_valid(&row, last))
            return cut(r, "pace");
        struct gv_pace *rows = gv_reader_grow(r, p->paces, p->pace_count, 1,
                                              &r->private->pace_capacity, sizeof row);
        if (!rows)
            return false;
        p->paces = rows;
        rows[p->pace_count++] = row;
    }
    return true;
}

bool gv_read_diagnostics(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    while (more(r)) {
        struct gv_diagnostic row = { .severity = gv_cursor_u8(&r->c) };
        if (row.severity > GV_UNSUPPORTED || p->diagnostic_count >= GV_MAX_DIAGNOSTICS)
            return cut(r, "diagnostic");
        row.code = gv_reader_string(r, GV_MAX_NAME_BYTES);
        row.text = row.code ? gv_reader_string(r, GV_MAX_TEXT_BYTES) : NULL;
        if (!row.text)
            return false;
        row.command = gv_cursor_uleb(&r->c) - 1; // 0 is none: GV_NO_COMMAND
        row.offset = gv_cursor_uleb(&r->c) - 1;
        row.count = gv_cursor_uleb(&r->c);
        if (r->c.bad)
            return cut(r, "diagnostic");
        struct gv_diagnostic *rows =
            gv_reader_grow(r, p->diagnostics, p->diagnostic_count, 1,
                           &r->private->diagnostic_capacity, sizeof row);
        if (!rows)
            return false;
        p->diagnostics = rows;
        rows[p->diagnostic_count++] = row;
    }
    return true;
}

// Kept whole; its rows are checked when all segments are there, since shapes and names
// carry over.
bool gv_read_debug(struct gv_reader *r)
{
    size_t size = gv_cursor_left(&r->c);
    const uint8_t *bytes = gv_cursor_take(&r->c, size);
    if (!gv_payload_charge(r->private, size, r->err))
        return false;
    gv_bytes_put(&r->private->debug, bytes, size);
    return !r->private->debug.failed || gv_out_of_memory(r->err);
}
