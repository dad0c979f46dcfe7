#include "compiler/apitrace/trace/trace_signatures.h"

#include <stdlib.h>

// What stands in front of each signature: an event that is read anew meets definitions
// that it has made already.
struct defined {
    uint64_t offset; // of the definition in the stream
    union {
        struct gv_trace_function function;
        struct gv_trace_record record;
        struct gv_trace_table table;
        struct gv_trace_frame frame;
    };
};

void gv_trace_signatures_finish(struct gv_trace_signatures *s)
{
    free(s->functions.entries);
    free(s->records.entries);
    free(s->enums.entries);
    free(s->masks.entries);
    free(s->frames.entries);
    gv_arena_finish(&s->arena);
    *s = (struct gv_trace_signatures){ .nameless = s->nameless };
}

static void *allocate(struct gv_trace_parse *p, size_t count, size_t size)
{
    struct gv_arena *arena = &p->signatures->arena;
    void *made = arena->total < GV_TRACE_MAX_SIGNATURES
                     ? gv_arena_array(arena, count, size)
                     : NULL;
    if (!made)
        gv_parse_fail(p, GV_ERR_LIMIT, "signatures: out of memory");
    return made;
}

static bool make_room(struct gv_trace_parse *p, struct gv_trace_space *space, size_t id)
{
    if (id < space->size)
        return true;
    size_t size = space->size ? space->size : 64;
    while (size <= id)
        size *= 2;
    void **grown = realloc(space->entries, size * sizeof *grown);
    if (!grown)
        return gv_out_of_memory(p->err);
    memset(grown + space->size, 0, (size - space->size) * sizeof *grown);
    space->entries = grown;
    space->size = size;
    return true;
}

// An id, and what it stands for. `*again`: the definition follows, here as it did then.
static bool look_up(struct gv_trace_parse *p, struct gv_trace_space *space,
                    const char *what, uint64_t *id, struct defined **out, bool *again)
{
    uint64_t offset = gv_parse_offset(p);
    if (!gv_parse_limited(p, GV_TRACE_MAX_ID, what, id))
        return false;
    struct defined *entry = *id < space->size ? space->entries[*id] : NULL;
    *again = !entry || entry->offset == offset;
    *out = entry;
    return true;
}

static bool parse_name(struct gv_trace_parse *p, const char **out)
{
    const uint8_t *bytes;
    uint64_t size;
    if (!gv_parse_bytes(p, GV_TRACE_MAX_NAME, "bytes of a name", &bytes, &size))
        return false;
    char *copy = allocate(p, (size_t)size + 1, 1);
    if (!copy)
        return false;
    memcpy(copy, bytes, (size_t)size);
    *out = copy;
    return true;
}

// Stepped over, where the definition is known already.
static bool skip_name(struct gv_trace_parse *p)
{
    const uint8_t *bytes;
    uint64_t size;
    return gv_parse_bytes(p, GV_TRACE_MAX_NAME, "bytes of a name", &bytes, &size);
}

// First without keeping anything: what is not whole yet costs no memory.
static bool skip_names(struct gv_trace_parse *p, uint64_t limit, const char *what)
{
    uint64_t count;
    if (!skip_name(p) || !gv_parse_count(p, limit, what, &count))
        return false;
    for (; count; count--)
        if (!skip_name(p))
            return false;
    return true;
}

// A name, a count and so many names: functions and structures.
static bool parse_names(struct gv_trace_parse *p, const char **name, uint32_t *count,
                        const char *const **list)
{
    uint64_t size = 0;
    if (!parse_name(p, name) || !gv_parse_uint(p, &size))
        return false;
    const char **names = allocate(p, (size_t)size, sizeof *names);
    if (!names)
        return false;
    for (uint64_t i = 0; i < size; i++)
        if (!parse_name(p, &names[i]))
            return false;
    *count = (uint32_t)size;
    *list = names;
    return true;
}

static bool define(struct gv_trace_parse *p, struct gv_trace_space *space, uint64_t id,
                   uint64_t offset, struct defined **out)
{
    if (!make_room(p, space, (size_t)id))
        return false;
    *out = allocate(p, 1, sizeof **out);
    if (!*out)
        return false;
    (*out)->offset = offset;
    return true;
}

bool gv_parse_function(struct gv_trace_parse *p, struct gv_trace_function **out)
{
    struct gv_trace_space *space = &p->signatures->functions;
    uint64_t offset = gv_parse_offset(p), id;
    struct defined *entry;
    bool again;
    if (!look_up(p, space, "number of a function", &id, &entry, &again))
        return false;
    const uint8_t *at = p->at;
    if (again && !skip_names(p, GV_TRACE_MAX_ARGUMENTS, "arguments of a function"))
        return false;
    if (!entry) {
        p->at = at;
        if (!define(p, space, id, offset, &entry) ||
            !parse_names(p, &entry->function.name, &entry->function.argument_count,
                         &entry->function.arguments))
            return false;
        space->entries[id] = entry;
    }
    *out = &entry->function;
    return true;
}

bool gv_parse_record(struct gv_trace_parse *p, const struct gv_trace_record **out)
{
    struct gv_trace_space *space = &p->signatures->records;
    uint64_t offset = gv_parse_offset(p), id;
    struct defined *entry;
    bool again;
    if (!look_up(p, space, "number of a structure", &id, &entry, &again))
        return false;
    const uint8_t *at = p->at;
    if (again && !skip_names(p, GV_TRACE_MAX_MEMBERS, "members of a structure"))
        return false;
    if (!entry) {
        p->at = at;
        if (!define(p, space, id, offset, &entry) ||
            !parse_names(p, &entry->record.name, &entry->record.member_count,
                         &entry->record.members))
            return false;
        space->entries[id] = entry;
    }
    *out = &entry->record;
    return true;
}

// ---- enumerations and bitmasks ----

typedef bool (*value_fn)(struct gv_trace_parse *p, int64_t *out);

static bool parse_bits(struct gv_trace_parse *p, int64_t *out)
{
    uint64_t bits;
    if (!gv_parse_uint(p, &bits))
        return false;
    *out = (int64_t)bits;
    return true;
}

// Before version 3 an enumeration's id stands for one name and its value.
static bool entry_count(struct gv_trace_parse *p, bool single, uint64_t *count)
{
    *count = 1;
    return single ||
           gv_parse_count(p, GV_TRACE_MAX_ENTRIES, "entries of an enumeration", count);
}

static bool skip_entries(struct gv_trace_parse *p, bool single, value_fn value)
{
    uint64_t count;
    int64_t ignored;
    if (!entry_count(p, single, &count))
        return false;
    for (; count; count--)
        if (!skip_name(p) || !value(p, &ignored))
            return false;
    return true;
}

static bool parse_entries(struct gv_trace_parse *p, bool single, value_fn value,
                          struct gv_trace_table *table)
{
    uint64_t count;
    if (!entry_count(p, single, &count))
        return false;
    struct gv_trace_name *names = allocate(p, (size_t)count, sizeof *names);
    if (!names)
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!parse_name(p, &names[i].name) || !value(p, &names[i].value))
            return false;
    *table = (struct gv_trace_table){ (uint32_t)count, names };
    return true;
}

static bool parse_table(struct gv_trace_parse *p, struct gv_trace_space *space,
                        bool single, value_fn value, const struct gv_trace_table **out)
{
    uint64_t offset = gv_parse_offset(p), id;
    struct defined *entry;
    bool again;
    if (!look_up(p, space, "number of an enumeration", &id, &entry, &again))
        return false;
    const uint8_t *at = p->at;
    if (again && !skip_entries(p, single, value))
        return false;
    if (!entry) {
        // One that stands for one value is what says which.
        const bool kept = single || !p->signatures->nameless;
        if (kept)
            p->at = at;
        if (!define(p, space, id, offset, &entry) ||
            (kept && !parse_entries(p, single, value, &entry->table)))
            return false;
        space->entries[id] = entry;
    }
    *out = &entry->table;
    return true;
}

bool gv_parse_enum(struct gv_trace_parse *p, const struct gv_trace_table **out)
{
    return parse_table(p, &p->signatures->enums, p->version < 3, gv_parse_typed, out);
}

bool gv_parse_mask(struct gv_trace_parse *p, const struct gv_trace_table **out)
{
    return parse_table(p, &p->signatures->masks, false, parse_bits, out);
}

// ---- frames of back-traces ----

enum { FRAME_END, FRAME_MODULE, FRAME_FUNCTION, FRAME_FILE, FRAME_LINE, FRAME_OFFSET };

static bool parse_frame_detail(struct gv_trace_parse *p, uint8_t detail, bool keep,
                               struct gv_trace_frame *frame)
{
    const char **texts[] = { &frame->module, &frame->function, &frame->file };
    switch (detail) {
    case FRAME_MODULE:
    case FRAME_FUNCTION:
    case FRAME_FILE:
        return keep ? parse_name(p, texts[detail - FRAME_MODULE]) : skip_name(p);
    case FRAME_LINE:
        frame->has_line = true;
        return gv_parse_uint(p, &frame->line);
    case FRAME_OFFSET:
        frame->has_offset = true;
        return gv_parse_uint(p, &frame->offset);
    default:
        p->at--;
        return gv_parse_fail(p, GV_ERR_FORMAT, "unknown detail 0x%02x of a back-trace",
                             detail);
    }
}

static bool parse_details(struct gv_trace_parse *p, bool keep,
                          struct gv_trace_frame *frame)
{
    uint8_t detail;
    for (;;) {
        if (!gv_parse_byte(p, &detail))
            return false;
        if (detail == FRAME_END)
            return true;
        if (!parse_frame_detail(p, detail, keep, frame))
            return false;
    }
}

bool gv_parse_frame(struct gv_trace_parse *p, const struct gv_trace_frame **out)
{
    struct gv_trace_space *space = &p->signatures->frames;
    uint64_t offset = gv_parse_offset(p), id;
    struct defined *entry;
    bool again;
    if (!look_up(p, space, "number of a frame", &id, &entry, &again))
        return false;
    const uint8_t *at = p->at;
    struct gv_trace_frame ignored = { 0 };
    if (again && !parse_details(p, false, &ignored))
        return false;
    if (!entry) {
        p->at = at;
        if (!define(p, space, id, offset, &entry))
            return false;
        entry->frame.id = (uint32_t)id;
        if (!parse_details(p, true, &entry->frame))
            return false;
        space->entries[id] = entry;
    }
    *out = &entry->frame;
    return true;
}
