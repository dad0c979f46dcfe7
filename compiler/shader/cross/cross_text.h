// The text that SPIRV-Cross writes, as GLSL takes it.
#ifndef GV_CROSS_TEXT_H
#define GV_CROSS_TEXT_H

#include "resources/base/bytes.h"

#define CROSS_NAME_BYTES 64

// A line for the head of the text: a decrement's value is the one before in SPIR-V, the
// one behind in GLSL.
#define CROSS_DECREMENT \
    "#define atomicCounterDecrement(counter) (atomicCounterDecrement(counter) + 1u)"

// Appends the text with its zero, where counters are counters, and the workgroup's size
// stands in front of what is computed of it.
void cross_write(struct gv_bytes *to, const char *text);

// Whether a block is std140 in the text, where it is "NAME" behind its qualifiers.
bool cross_is_std140(const char *text, const char *name);

#endif
