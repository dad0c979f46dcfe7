// Writes streams of apitrace traces, in any version, piece by piece; trace_pack.h puts
// containers around them.
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include <stdarg.h>

#include "resources/base/bytes.h"

#define TRACE_MAX_IDS 64u // of a kind, that a writer defines itself
#define TRACE_MAX_FUNCTIONS 512u

// Words are separated by blanks.
struct trace_function {
    unsigned id;
    const char *name, *arguments;
};
struct trace_record {
    unsigned id;
    const char *name, *members;
};
struct trace_entry {
    const char *name;
    int64_t value;
};
struct trace_table {
    unsigned id;
    unsigned count; // of entries
    const struct trace_entry *entries;
};

// Zero-initialise, then trace_begin.
struct trace_writer {
    struct gv_bytes out; // the stream
    unsigned version;
    uint64_t calls; // entered so far
    bool functions[TRACE_MAX_FUNCTIONS], records[TRACE_MAX_IDS], masks[TRACE_MAX_IDS],
        enums[16 * TRACE_MAX_IDS];
    unsigned frames; // of back-traces, defined so far
};

void trace_writer_finish(struct trace_writer *w);

// Version and, from 6 on, properties: pairs of texts, NULL-terminated; may be NULL.
void trace_begin(struct trace_writer *w, unsigned version,
                 const char *const *properties);

// Events; details follow, then trace_end. trace_enter returns the call's number.
uint64_t trace_enter(struct trace_writer *w, unsigned thread,
                     const struct trace_function *function);
void trace_leave(struct trace_writer *w, uint64_t call);
void trace_end(struct trace_writer *w);

// Details; the first two are followed by a value.
void trace_argument(struct trace_writer *w, unsigned index);
void trace_result(struct trace_writer *w);
void trace_fake(struct trace_writer *w); // nothing before version 6
// A back-trace of a new frame and of the first one (nothing before version 5).
void trace_backtrace(struct trace_writer *w);

// Values. Arrays and structures are followed by their elements, a pair by two.
void trace_null(struct trace_writer *w);
void trace_bool(struct trace_writer *w, bool value);
void trace_int(struct trace_writer *w, int64_t value);
void trace_uint(struct trace_writer *w, uint64_t value);
void trace_float(struct trace_writer *w, float value);
void trace_double(struct trace_writer *w, double value);
void trace_string(struct trace_writer *w, const char *text);
void trace_blob(struct trace_writer *w, const void *bytes, size_t size);
void trace_enum(struct trace_writer *w, const struct trace_table *table,
                unsigned entry); // one that the table has
void trace_mask(struct trace_writer *w, const struct trace_table *table, uint64_t bits);
void trace_array(struct trace_writer *w, uint64_t count);
void trace_struct(struct trace_writer *w, const struct trace_record *record);
void trace_pointer(struct trace_writer *w, uint64_t address);
void trace_pair(struct trace_writer *w);
void trace_wide(struct trace_writer *w, const uint32_t *text, size_t count);

// A call that enters and leaves with integers for arguments: "ii" and so on; `e` is
// followed by a table and an entry, `f` by a double, `p` by a pointer (uint64_t),
// `m` by a table and bits (unsigned), `i` by an int, `b` (a blob) by its size
// (unsigned) and bytes, `a` (an array) by a count (unsigned) and const int *, `v` (one
// of floats) by a count and const float *, `s` by a text, `t` (an array of one) by a
// text, `n` (null) by nothing; behind `=` stands the result.
void trace_call(struct trace_writer *w, const struct trace_function *function,
                const char *types, ...);
void trace_call_list(struct trace_writer *w, const struct trace_function *function,
                     const char *types, va_list *list);

#endif
