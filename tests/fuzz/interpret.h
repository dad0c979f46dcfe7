// Running a verified payload on the recording host, where the work it asks for is
// little.
#ifndef GV_TESTS_INTERPRET_H
#define GV_TESTS_INTERPRET_H

#include "vm/payload/payload.h"

#include <stdbool.h>

#define INTERPRET_MAPS (UINT64_C(1) << 20)    // bytes of maps
#define INTERPRET_MEMORY (UINT64_C(64) << 20) // bytes: what to verify against

// Whether running it, interpreted, is a matter of milliseconds.
bool interpret_is_short(const struct gv_payload *payload);
// Runs it to its end or to the first refusal. True: to the end, with all frames.
bool interpret(struct gv_payload *payload, struct gv_error *err);
// Runs it from its first keyframes on.
void interpret_keyframes(struct gv_payload *payload);

// Whether bytes that run to their end when they come through a pipe are a payload as a
// whole, too. What is refused either way agrees, and so does nothing at all.
bool stream_agrees(const void *data, size_t size);

#endif
