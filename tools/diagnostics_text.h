// A payload's diagnostics for people and for JSON.
#ifndef GV_DIAGNOSTICS_TEXT_H
#define GV_DIAGNOSTICS_TEXT_H

#include "tools/json.h"
#include "vm/payload.h"

#include <stdio.h>

// One line each: "SEVERITY CODE COMMAND OFFSET TEXT", and "(xN)" where counted.
void gv_diagnostics_print(const struct gv_payload *payload, FILE *to);
// The member "diagnostics": an array.
void gv_diagnostics_json(const struct gv_payload *payload, struct gv_json *out);

#endif
