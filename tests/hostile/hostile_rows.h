// Traces that no sane program makes: rows of calls, whose arguments lie. Each compiles
// with a diagnostic or is refused, and replays without harm.
#ifndef HOSTILE_ROWS_H
#define HOSTILE_ROWS_H

#include "tests/apitrace/trace_gl.h"

// One call. `types` has a letter per argument, and takes numbers from `n` in order:
//   i an integer         f a float            p a pointer          n nothing: null
//   b a blob of so many bytes                 v a blob of so many floats of -1 to 1
//   d a blob of a count of words, which follow
//   a an array of a count of integers, which follow
//   t `text`             s an array of `text`
//   r an array of `text`, of which the part between two \1 comes so many times
// Behind `=` stands the result.
struct hostile_call {
    const char *name, *types;
    double n[24];
    const char *text;
    unsigned times; // that it is repeated
};

struct hostile_row {
    const char *name;
    const char *says; // what `run` tells of it, a pattern; "": whatever it likes
    const struct hostile_call *calls; // up to one without a name
};

extern const struct hostile_row hostile_rows[];
extern const size_t hostile_row_count;

// The row's trace: its calls, then a triangle and the end of the frame.
void hostile_write(struct trace_gl *t, const struct hostile_row *row);

#endif
