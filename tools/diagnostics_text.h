// What a compile had to say that is no error, for people and for JSON.
#ifndef GV_DIAGNOSTICS_TEXT_H
#define GV_DIAGNOSTICS_TEXT_H

#include "tools/base/json.h"
#include "vm/payload/payload.h"

#include <stdio.h>

// One line each: "SEVERITY CODE COMMAND OFFSET TEXT", and "(xN)" where counted.
void gv_diagnostics_print(const struct gv_diagnostic *list, size_t count, FILE *to);
// The same as an array, the member `key` of `out`.
void gv_diagnostics_json(const char *key, const struct gv_diagnostic *list,
                         size_t count, struct gv_json *out);

#endif
