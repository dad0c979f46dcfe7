// Running a verified payload on the recording host, where the work it asks for is
// little.
#ifndef GV_TESTS_INTERPRET_H
#define GV_TESTS_INTERPRET_H

#include "vm/payload.h"

#include <stdbool.h>

#define INTERPRET_MEMORY (UINT64_C(64) << 20) // bytes: what to verify against

// Whether running it, interpreted, is a matter of milliseconds.
bool interpret_is_short(const struct gv_payload *payload);
// Runs it to its end or to the first refusal. True: to the end, with all frames.
bool interpret(struct gv_payload *payload, struct gv_error *err);

#endif
