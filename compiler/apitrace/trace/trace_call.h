// Decoded calls of an apitrace trace: what the reader hands on and front-ends of GL
// take. Values, calls and their items live until the next call is read (gv_trace_next);
// signatures live as long as the reader.
#ifndef GV_TRACE_CALL_H
#define GV_TRACE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gv_trace_kind {
    GV_TRACE_ABSENT, // an argument that was not recorded
    GV_TRACE_NULL,
    GV_TRACE_BOOL,    // uint: 0 or 1
    GV_TRACE_SINT,    // a negative integer: sint
    GV_TRACE_UINT,    // uint
    GV_TRACE_FLOAT,   // real, which was 32 bits wide
    GV_TRACE_DOUBLE,  // real
    GV_TRACE_STRING,  // bytes[count]: any bytes, no terminator
    GV_TRACE_BLOB,    // bytes[count]
    GV_TRACE_ENUM,    // sint, table
    GV_TRACE_BITMASK, // uint, table
    GV_TRACE_ARRAY,   // items[count]
    GV_TRACE_STRUCT,  // items[count], record
    GV_TRACE_POINTER, // uint: an address, a handle, an offset; never 0
    GV_TRACE_PAIR,    // items[2]: for people, for machines
    GV_TRACE_WIDE,    // wide[count]: characters
};

// Texts are terminated copies; bytes of 0 in them end them.
struct gv_trace_function {
    const char *name;
    uint32_t argument_count; // named ones; calls may have more
    const char *const *arguments;
    // What the receiver of calls made of the name, and what kinds of call it makes
    // (call_kinds.h); nothing until they looked it up. The reader never changes them.
    const void *handler;
    uint8_t kinds;
};

struct gv_trace_record {
    const char *name;
    uint32_t member_count;
    const char *const *members;
};

struct gv_trace_name {
    const char *name;
    int64_t value;
};

// Of enumerations and bitmasks.
struct gv_trace_table {
    uint32_t count;
    const struct gv_trace_name *names;
};

struct gv_trace_value {
    enum gv_trace_kind kind;
    uint64_t count;
    union {
        int64_t sint;
        uint64_t uint;
        double real;
        const uint8_t *bytes;
        const struct gv_trace_value *items;
        const uint32_t *wide;
    };
    union {
        const struct gv_trace_table *table;
        const struct gv_trace_record *record;
    };
};

struct gv_trace_frame {                   // of a back-trace
    const char *module, *function, *file; // NULL: not told
    uint64_t line, offset;
    uint32_t id;
    bool has_line, has_offset; // they were told
};

struct gv_trace_call {
    uint64_t number; // counted from 0 by enter events
    uint32_t thread;
    bool fake;       // not the program's own
    bool incomplete; // its leave is missing
    struct gv_trace_function *function;
    uint32_t argument_count; // highest index that was recorded + 1
    const struct gv_trace_value *arguments;
    struct gv_trace_value result; // GV_TRACE_ABSENT: none
    uint32_t frame_count;
    const struct gv_trace_frame *frames;
    uint64_t offset; // of its enter event in the stream, bytes
};

// Argument `index`, or one that is absent.
const struct gv_trace_value *gv_trace_argument(const struct gv_trace_call *call,
                                               uint32_t index);

// Numbers out of whatever kind stands there (of a pair, the machine's); 0 for what is
// none. Reals are rounded towards zero and kept in range.
int64_t gv_trace_sint(const struct gv_trace_value *v);
uint64_t gv_trace_uint(const struct gv_trace_value *v); // two's complement of negatives
double gv_trace_real(const struct gv_trace_value *v);

// Element `index` of an array or structure, or one that is absent. A value that is
// neither is its own element 0.
const struct gv_trace_value *gv_trace_item(const struct gv_trace_value *v,
                                           uint64_t index);

#endif
