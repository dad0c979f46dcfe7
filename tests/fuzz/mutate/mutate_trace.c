// Changes to apitrace's traces: calls and their values, which are written anew with
// their numbers made right.
#include "tests/apitrace/trace_pack.h"
#include "tests/fuzz/mutate/mutate.h"

#include "compiler/apitrace/trace/trace_snappy.h"
#include "resources/base/cursor.h"

#include <stdbool.h>
#include <string.h>

#define CHANGES 4u
#define OTHER_IDS 256u // added to those of another trace's functions
#define MOST_FUNCTIONS 256u

enum { ENTER, LEAVE };
enum { END, ARGUMENT, RESULT };
enum {
    NOTHING,
    FALSE,
    TRUE,
    NEGATIVE,
    NUMBER,
    FLOAT,
    DOUBLE,
    STRING,
    BLOB,
    ARRAY = 11,
    POINTER = 13
};

// A trace on its way: read from `c`, written to `out`.
struct walk {
    struct gv_dice *dice;
    struct gv_cursor c;
    struct gv_bytes *out; // NULL: only counted
    bool known[MOST_FUNCTIONS];
    uint32_t ids;                        // added to those of functions
    uint64_t calls, values;              // read so far
    uint64_t *written;                   // calls that were
    uint64_t at_call, at_value[CHANGES]; // what changes; UINT64_MAX: nothing
    const struct gv_seed *inserted;      // before `at_call`; may be NULL
};

static void put_uleb(struct walk *w, uint64_t v)
{
    if (w->out)
        gv_bytes_uleb(w->out, v);
}

static void put_byte(struct walk *w, uint8_t v)
{
    if (w->out)
        gv_bytes_u8(w->out, v);
}

static void pass_bytes(struct walk *w, uint64_t size)
{
    const uint8_t *p = gv_cursor_take(&w->c, (size_t)size);
    if (p && w->out)
        gv_bytes_put(w->out, p, (size_t)size);
}

static uint64_t pass_uleb(struct walk *w)
{
    const uint64_t v = gv_cursor_uleb(&w->c);
    put_uleb(w, v);
    return v;
}

// ---- values ----

static void put_odd(struct walk *w, uint32_t depth)
{
    static const float reals[] = { 0, -1, 1e-40f, 3e38f, 65536, -32768.5f };
    static const uint32_t bits[] = { 0x7f800000, 0xff800000, 0x7fc00000 };
    struct gv_dice *d = w->dice;
    const uint64_t how = gv_dice_below(d, depth ? 4 : 7);
    uint64_t count = gv_dice_below(d, 40);
    switch (how) {
    case 0:
    case 1:
        put_byte(w, how ? NUMBER : NEGATIVE);
        put_uleb(w, gv_dice_odd(d));
        return;
    case 2:
    case 3:
        put_byte(w, FLOAT);
        if (w->out && how == 2)
            gv_bytes_f32(w->out, reals[gv_dice_below(d, 6)]);
        else if (w->out)
            gv_bytes_u32(w->out, bits[gv_dice_below(d, 3)]);
        return;
    case 4:
        put_byte(w, NOTHING);
        return;
    case 5:
        put_byte(w, BLOB);
        put_uleb(w, count);
        for (; count; count--)
            put_byte(w, (uint8_t)gv_dice_next(d));
        return;
    default:
        put_byte(w, ARRAY);
        put_uleb(w, count);
        for (; count; count--)
            put_odd(w, depth + 1);
    }
}

static void pass_value(struct walk *w, uint32_t depth);

static void pass_content(struct walk *w, uint8_t kind, uint32_t depth)
{
    switch (kind) {
    case NOTHING:
    case FALSE:
    case TRUE:
        return;
    case NEGATIVE:
    case NUMBER:
    case POINTER:
        pass_uleb(w);
        return;
    case FLOAT:
    case DOUBLE:
        pass_bytes(w, kind == FLOAT ? 4 : 8);
        return;
    case STRING:
    case BLOB:
        pass_bytes(w, pass_uleb(w));
        return;
    case ARRAY:
        for (uint64_t n = pass_uleb(w); n && !w->c.bad && depth < 8; n--)
            pass_value(w, depth + 1);
        return;
    default:
        w->c.bad = true; // not what our scenes have
    }
}

// A value as it is, or another one in its place.
static void pass_value(struct walk *w, uint32_t depth)
{
    struct gv_bytes *out = w->out;
    bool changes = false;
    for (uint32_t i = 0; i < CHANGES; i++)
        changes = changes || w->at_value[i] == w->values;
    w->values++;
    if (changes)
        put_odd(w, 0);
    w->out = changes ? NULL : out;
    const uint8_t kind = gv_cursor_u8(&w->c);
    put_byte(w, kind);
    pass_content(w, kind, depth);
    w->out = out;
}

static void pass_details(struct walk *w)
{
    for (;;) {
        const uint8_t detail = gv_cursor_u8(&w->c);
        put_byte(w, detail);
        if (detail == END || w->c.bad)
            return;
        if (detail == ARGUMENT)
            pass_uleb(w);
        else if (detail != RESULT)
            w->c.bad = true;
        pass_value(w, 0);
    }
}

// ---- calls ----

static void pass_text(struct walk *w)
{
    pass_bytes(w, pass_uleb(w));
}

// One call: its enter and the leave that follows it.
static void pass_call(struct walk *w)
{
    put_byte(w, gv_cursor_u8(&w->c));
    pass_uleb(w); // the thread
    const uint64_t id = gv_cursor_uleb(&w->c);
    put_uleb(w, id + w->ids);
    if (id >= MOST_FUNCTIONS) {
        w->c.bad = true;
        return;
    }
    if (!w->known[id]) {
        w->known[id] = true;
        pass_text(w);
        for (uint64_t n = pass_uleb(w); n && !w->c.bad; n--)
            pass_text(w);
    }
    pass_details(w);
    if (gv_cursor_u8(&w->c) != LEAVE)
        w->c.bad = true;
    put_byte(w, LEAVE);
    gv_cursor_uleb(&w->c);
    put_uleb(w, *w->written);
    pass_details(w);
    if (w->out)
        ++*w->written;
}

static void pass_calls(struct walk *w);

static void insert(struct walk *w)
{
    struct walk other = {
        .dice = w->dice,
        .c = { .data = w->inserted->data, .size = w->inserted->size, .pos = 3 },
        .out = w->out,
        .ids = OTHER_IDS,
        .written = w->written,
        .at_call = UINT64_MAX
    };
    memset(other.at_value, 0xff, sizeof other.at_value);
    pass_calls(&other);
}

// Left out, or written more than once; one that says what its function is stays.
static void change_call(struct walk *w)
{
    struct walk behind = *w;
    behind.out = NULL;
    pass_call(&behind);
    const bool tells = memcmp(behind.known, w->known, sizeof w->known) != 0;
    for (uint64_t n = tells ? 1 : gv_dice_below(w->dice, 4); n; n--) {
        struct walk once = *w;
        pass_call(&once);
    }
    behind.out = w->out;
    *w = behind;
}

static void pass_calls(struct walk *w)
{
    while (w->c.pos < w->c.size && !w->c.bad) {
        const bool changes = w->calls++ == w->at_call;
        if (changes && w->inserted)
            insert(w);
        if (changes && !w->inserted)
            change_call(w);
        else
            pass_call(w);
    }
}

// ---- traces ----

static bool is_plain(const struct gv_seed *seed)
{
    return seed->size > 3 && !memcmp(seed->data, "\6\6\0", 3);
}

#define MOST_STREAM ((size_t)8 << 20) // bytes of an unpacked seed

// The stream in the chunks of a trace as apitrace writes it. False: it is none.
static bool unpack(const struct gv_seed *seed, struct gv_bytes *out)
{
    struct gv_cursor c = { .data = seed->data, .size = seed->size };
    const uint8_t *magic = gv_cursor_take(&c, 2);
    bool ok = magic && !memcmp(magic, "at", 2);
    while (ok && c.pos < c.size) {
        const uint32_t size = gv_cursor_u32(&c);
        const uint8_t *packed = gv_cursor_take(&c, size);
        size_t stated = 0;
        ok = packed && gv_snappy_stated(packed, size, &stated) &&
             stated <= MOST_STREAM - out->size;
        uint8_t *to = ok ? gv_bytes_grow(out, stated) : NULL;
        ok = to && gv_snappy_unpack(packed, size, to, stated);
    }
    return ok;
}

static void pack(struct gv_dice *d, struct gv_bytes *out, size_t begin)
{
    struct gv_bytes stream = { 0 };
    gv_bytes_put(&stream, out->data + begin, out->size - begin);
    out->size = begin;
    if (!stream.failed)
        trace_pack(GV_TRACE_SNAPPY, &stream, 1 + gv_dice_below(d, 5000), out);
    gv_bytes_finish(&stream);
}

static void mutate_stream(struct gv_dice *d, const struct gv_seed *seed,
                          const struct gv_seed *other, struct gv_bytes *out)
{
    uint64_t written = 0;
    const size_t begin = out->size;
    struct walk w = { .dice = d,
                      .written = &written,
                      .at_call = UINT64_MAX,
                      .c = { .data = seed->data, .size = seed->size, .pos = 3 } };
    if (!is_plain(seed) || gv_dice_below(d, 16) == 0) {
        gv_mutate_bytes(d, seed, other, out);
        return;
    }
    memset(w.at_value, 0xff, sizeof w.at_value);
    struct walk counted = w;
    pass_calls(&counted);
    if (counted.c.bad || !counted.values) {
        gv_mutate_bytes(d, seed, other, out);
        return;
    }
    for (uint64_t n = gv_dice_below(d, CHANGES + 1); n; n--)
        w.at_value[n - 1] = gv_dice_below(d, counted.values);
    if (gv_dice_below(d, 2))
        w.at_call = gv_dice_below(d, counted.calls);
    if (gv_dice_below(d, 4) == 0 && is_plain(other))
        w.inserted = other;
    w.out = out;
    gv_bytes_put(out, "\6\6\0", 3);
    pass_calls(&w);
    if (gv_dice_below(d, 4) == 0 && !out->failed)
        pack(d, out, begin);
}

// What is packed is packed again, but now and then as it is.
void gv_mutate_trace(struct gv_dice *d, const struct gv_seed *seed,
                     const struct gv_seed *other, struct gv_bytes *out)
{
    struct gv_bytes stream = { 0 }, more = { 0 };
    struct gv_seed plain = *seed, inserted = *other;
    if (gv_dice_below(d, 16) && unpack(seed, &stream))
        plain = (struct gv_seed){ seed->name, stream.data, stream.size };
    if (unpack(other, &more))
        inserted = (struct gv_seed){ other->name, more.data, more.size };
    mutate_stream(d, &plain, &inserted, out);
    gv_bytes_finish(&stream);
    gv_bytes_finish(&more);
}
