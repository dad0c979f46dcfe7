#include "compiler/apitrace/trace/trace_values.h"

#include "compiler/apitrace/trace/trace_signatures.h"

// How values are told apart in the stream.
enum wire {
    WIRE_NULL,
    WIRE_FALSE,
    WIRE_TRUE,
    WIRE_SINT,
    WIRE_UINT,
    WIRE_FLOAT,
    WIRE_DOUBLE,
    WIRE_STRING,
    WIRE_BLOB,
    WIRE_ENUM,
    WIRE_BITMASK,
    WIRE_ARRAY,
    WIRE_STRUCT,
    WIRE_OPAQUE,
    WIRE_PAIR,
    WIRE_WIDE,
};

static void *take(struct gv_trace_parse *p, uint64_t count, size_t size)
{
    void *made = gv_trace_pool_array(p->pool, (size_t)count, size);
    if (!made)
        gv_parse_fail(p, GV_ERR_LIMIT, "the values of calls take over %zu bytes",
                      p->pool->budget->limit);
    return made;
}

static bool parse_number(struct gv_trace_parse *p, enum gv_trace_kind kind,
                         struct gv_trace_value *out)
{
    uint64_t value;
    if (!gv_parse_uint(p, &value))
        return false;
    out->kind = kind;
    out->uint = kind == GV_TRACE_SINT ? 0 - value : value;
    return true;
}

static bool parse_float(struct gv_trace_parse *p, struct gv_trace_value *out)
{
    float real;
    if (!gv_parse_need(p, 4))
        return false;
    uint32_t bits = gv_load_u32(p->at);
    memcpy(&real, &bits, sizeof real);
    p->at += 4;
    out->kind = GV_TRACE_FLOAT;
    out->real = (double)real;
    return true;
}

static bool parse_double(struct gv_trace_parse *p, struct gv_trace_value *out)
{
    if (!gv_parse_need(p, 8))
        return false;
    uint64_t bits = gv_load_u64(p->at);
    memcpy(&out->real, &bits, sizeof out->real);
    p->at += 8;
    out->kind = GV_TRACE_DOUBLE;
    return true;
}

static bool parse_blob(struct gv_trace_parse *p, enum gv_trace_kind kind,
                       struct gv_trace_value *out)
{
    out->kind = kind;
    return gv_parse_bytes(p, GV_TRACE_MAX_BLOB, "bytes of a value", &out->bytes,
                          &out->count);
}

static bool parse_enum(struct gv_trace_parse *p, struct gv_trace_value *out)
{
    out->kind = GV_TRACE_ENUM;
    if (!gv_parse_enum(p, &out->table))
        return false;
    if (p->version >= 3)
        return gv_parse_typed(p, &out->sint);
    out->sint = out->table->names[0].value;
    return true;
}

static bool parse_bitmask(struct gv_trace_parse *p, struct gv_trace_value *out)
{
    out->kind = GV_TRACE_BITMASK;
    return gv_parse_mask(p, &out->table) && gv_parse_uint(p, &out->uint);
}

// Values one behind the other.
static bool parse_items(struct gv_trace_parse *p, uint64_t count,
                        struct gv_trace_value *out)
{
    struct gv_trace_value *items = take(p, count, sizeof *items);
    if (!items)
        return false;
    if (p->depth == GV_TRACE_MAX_DEPTH)
        return gv_parse_fail(p, GV_ERR_LIMIT, "values nest over %u deep",
                             GV_TRACE_MAX_DEPTH);
    p->depth++;
    for (uint64_t i = 0; i < count; i++)
        if (!gv_parse_value(p, &items[i]))
            return false;
    p->depth--;
    out->items = items;
    out->count = count;
    return true;
}

static bool parse_array(struct gv_trace_parse *p, struct gv_trace_value *out)
{
    uint64_t count;
    out->kind = GV_TRACE_ARRAY;
    return gv_parse_count(p, GV_TRACE_MAX_ITEMS, "elements of an array", &count) &&
           parse_items(p, count, out);
}

static bool parse_struct(struct gv_trace_parse *p, struct gv_trace_value *out)
{
    out->kind = GV_TRACE_STRUCT;
    return gv_parse_record(p, &out->record) &&
           gv_parse_need(p, out->record->member_count) &&
           parse_items(p, out->record->member_count, out);
}

static bool parse_pair(struct gv_trace_parse *p, struct gv_trace_value *out)
{
    out->kind = GV_TRACE_PAIR;
    return gv_parse_need(p, 2) && parse_items(p, 2, out);
}

static bool parse_wide(struct gv_trace_parse *p, struct gv_trace_value *out)
{
    uint64_t character;
    out->kind = GV_TRACE_WIDE;
    if (!gv_parse_count(p, GV_TRACE_MAX_ITEMS, "characters of a text", &out->count))
        return false;
    uint32_t *wide = take(p, out->count, sizeof *wide);
    if (!wide)
        return false;
    for (uint64_t i = 0; i < out->count; i++) {
        if (!gv_parse_limited(p, UINT32_MAX, "character of a text", &character))
            return false;
        wide[i] = (uint32_t)character;
    }
    out->wide = wide;
    return true;
}

bool gv_parse_value(struct gv_trace_parse *p, struct gv_trace_value *out)
{
    uint8_t wire;
    if (!gv_parse_byte(p, &wire))
        return false;
    *out = (struct gv_trace_value){ .kind = GV_TRACE_NULL };
    switch ((enum wire)wire) {
    case WIRE_NULL:
        return true;
    case WIRE_FALSE:
    case WIRE_TRUE:
        out->kind = GV_TRACE_BOOL;
        out->uint = wire == WIRE_TRUE;
        return true;
    case WIRE_SINT:
        return parse_number(p, GV_TRACE_SINT, out);
    case WIRE_UINT:
        return parse_number(p, GV_TRACE_UINT, out);
    case WIRE_FLOAT:
        return parse_float(p, out);
    case WIRE_DOUBLE:
        return parse_double(p, out);
    case WIRE_STRING:
        return parse_blob(p, GV_TRACE_STRING, out);
    case WIRE_BLOB:
        return parse_blob(p, GV_TRACE_BLOB, out);
    case WIRE_ENUM:
        return parse_enum(p, out);
    case WIRE_BITMASK:
        return parse_bitmask(p, out);
    case WIRE_ARRAY:
        return parse_array(p, out);
    case WIRE_STRUCT:
        return parse_struct(p, out);
    case WIRE_OPAQUE:
        return parse_number(p, GV_TRACE_POINTER, out);
    case WIRE_PAIR:
        return parse_pair(p, out);
    case WIRE_WIDE:
        if (p->version >= 6)
            return parse_wide(p, out);
        break;
    }
    p->at--;
    return gv_parse_fail(p, GV_ERR_FORMAT, "unknown kind 0x%02x of a value", wire);
}

static bool detach_bytes(struct gv_trace_value *v, const uint8_t *window, size_t size,
                         struct gv_trace_pool *pool)
{
    uintptr_t at = (uintptr_t)v->bytes, from = (uintptr_t)window;
    if (at < from || at - from >= size || v->count == 0)
        return true;
    uint8_t *copy = gv_trace_pool_take(pool, (size_t)v->count);
    if (!copy)
        return false;
    memcpy(copy, v->bytes, (size_t)v->count);
    v->bytes = copy;
    return true;
}

// Values nest no deeper than GV_TRACE_MAX_DEPTH.
bool gv_trace_value_detach(struct gv_trace_value *v, const uint8_t *window, size_t size,
                           struct gv_trace_pool *pool)
{
    switch (v->kind) {
    case GV_TRACE_STRING:
    case GV_TRACE_BLOB:
        return detach_bytes(v, window, size, pool);
    case GV_TRACE_ARRAY:
    case GV_TRACE_STRUCT:
    case GV_TRACE_PAIR:
        for (uint64_t i = 0; i < v->count; i++) {
            // The pool's own: const is for those who are handed calls.
            struct gv_trace_value *item = (struct gv_trace_value *)&v->items[i];
            if (!gv_trace_value_detach(item, window, size, pool))
                return false;
        }
        return true;
    default:
        return true;
    }
}
