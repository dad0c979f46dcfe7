// The verifier: proves, in one linear pass over each chunk, all that the interpreter
// relies on. docs/machine.md lists the rules by name.
#ifndef GV_VERIFY_H
#define GV_VERIFY_H

#include "vm/payload/payload.h"
#include "vm/payload/pipeline_list.h"

#include <stdatomic.h>

struct gv_verify_params {
    uint64_t memory_limit; // bytes a payload may declare (volatile + maps + objects); 0
                           // = none
    const atomic_bool *cancel; // set by any thread: fails soon (GV_ERR_SYSTEM); may be
                               // NULL
    struct gv_pipeline_list *pipelines; // receives what it makes of which shaders; may
                                        // be NULL
};

// Verifies tables and code of a whole payload. On refusal the message begins with the
// rule's name ("stack-underflow: ...") and `err->offset` is the code offset (the byte
// counted over all chunks) or GV_NO_OFFSET for a table rule. Status GV_ERR_FORMAT;
// GV_ERR_UNSUPPORTED for an unknown call or signature; GV_ERR_LIMIT over the budget.
bool gv_verify(struct gv_payload *payload, const struct gv_verify_params *params,
               struct gv_error *err);

// The rules, for docs and tests: name and one line, NULL-terminated.
struct gv_rule {
    const char *name, *what;
};
extern const struct gv_rule gv_verify_rules[];

#endif
