// A builder that writes into memory, and its payload read back, verified and as text:
// what the builder's tests look through.
#ifndef GV_BUILDER_PROBE_H
#define GV_BUILDER_PROBE_H

#include "compiler/builder/builder.h"
#include "resources/base/bytes.h"
#include "vm/machine/vm.h"

struct probe {
    struct gv_bytes bytes; // the payload
    struct gv_payload_writer *writer;
    struct gv_builder *builder;
    struct gv_payload payload; // after probe_end
    struct gv_builder_totals totals;
    struct gv_error err;
    bool open;
};

void probe_begin(struct probe *probe, bool strict, int jobs);
// For a target (compiler/builder/targets.h), which must last.
void probe_begin_for(struct probe *probe, const struct gv_target *target);
// Finishes the payload, opens it and verifies it. False: `err` tells.
bool probe_end(struct probe *probe);
void probe_finish(struct probe *probe);

// All code, a line per chunk: "@COMMAND rRESOURCE: ..." with operands in front of what
// takes them: numbers, fBITS, cCONSTANT, vVOLATILE, sSLOT, rRESOURCE, r+ (the next).
void probe_code(struct probe *probe, struct gv_bytes *out);

// Whether a finished probe's code is `code`; what differs goes to stderr under `name`.
bool probe_code_is(struct probe *probe, const char *name, const char *code);

// What `build` makes of code.
struct probe_program {
    const char *name;
    void (*build)(struct gv_builder *b);
    const char *code; // of all chunks
};

// Whether the builder writes what the row says.
bool probe_writes(const struct probe_program *row);

// A misuse of the builder: what it says, of command 3 at byte 77.
struct probe_failure {
    const char *name;
    void (*build)(struct gv_builder *b);
    enum gv_status status;
    const char *message;
};

// Whether the builder refuses as the row says. `draw` comes behind the misuse: it does
// nothing then, and does not crash.
bool probe_fails(const struct probe_failure *row, void (*draw)(struct gv_builder *b));

// Host calls: one makes object 1, the other does nothing.
bool probe_host_make(void *context, const union gv_arg *args, uint64_t *result,
                     struct gv_error *err);
bool probe_host_skip(void *context, const union gv_arg *args, uint64_t *result,
                     struct gv_error *err);
// Runs to the end of the payload; what is wrong goes to stderr. NULL is false.
bool probe_run(struct gv_vm *vm);

#endif
