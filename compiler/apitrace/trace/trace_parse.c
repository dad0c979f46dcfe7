#include "compiler/apitrace/trace/trace_parse.h"

#define MAX_UINT_BYTES 10u

bool gv_parse_long_uint(struct gv_trace_parse *p, uint64_t *out)
{
    const uint8_t *at = p->at;
    uint64_t value = 0;
    // Most take two or three bytes: the enumerants of OpenGL.
    if (p->end - at >= 3 && (at[1] < 0x80 || at[2] < 0x80)) {
        value = (at[0] & 0x7fu) | (uint64_t)(at[1] & 0x7f) << 7;
        p->at += 2;
        if (at[1] & 0x80)
            value |= (uint64_t)*p->at++ << 14;
        *out = value;
        return true;
    }
    for (unsigned i = 0; i < MAX_UINT_BYTES; i++) {
        if (!gv_parse_need(p, i + 1))
            return false;
        uint8_t byte = p->at[i];
        value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte & 0x80)
            continue;
        p->at += i + 1;
        *out = value;
        return true;
    }
    return gv_parse_fail(p, GV_ERR_FORMAT, "a number of over 64 bits");
}

bool gv_parse_limited(struct gv_trace_parse *p, uint64_t limit, const char *what,
                      uint64_t *out)
{
    const uint8_t *at = p->at;
    if (!gv_parse_uint(p, out))
        return false;
    if (*out <= limit)
        return true;
    p->at = at;
    return gv_parse_fail(p, GV_ERR_LIMIT, "%s: %llu is over the limit of %llu", what,
                         (unsigned long long)*out, (unsigned long long)limit);
}

bool gv_parse_count(struct gv_trace_parse *p, uint64_t limit, const char *what,
                    uint64_t *out)
{
    return gv_parse_limited(p, limit, what, out) && gv_parse_need(p, (size_t)*out);
}

bool gv_parse_bytes(struct gv_trace_parse *p, uint64_t limit, const char *what,
                    const uint8_t **bytes, uint64_t *size)
{
    if (!gv_parse_limited(p, limit, what, size) || !gv_parse_need(p, (size_t)*size))
        return false;
    *bytes = p->at;
    p->at += *size;
    return true;
}

bool gv_parse_typed(struct gv_trace_parse *p, int64_t *out)
{
    uint8_t kind;
    uint64_t magnitude;
    const uint8_t *at = p->at;
    if (!gv_parse_byte(p, &kind) || !gv_parse_uint(p, &magnitude))
        return false;
    if (kind != 3 && kind != 4) {
        p->at = at;
        return gv_parse_fail(p, GV_ERR_FORMAT, "an integer of kind 0x%02x", kind);
    }
    *out = (int64_t)(kind == 3 ? 0 - magnitude : magnitude);
    return true;
}
