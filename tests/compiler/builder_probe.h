// A builder that writes into memory, and its payload read back, verified and as text:
// what the builder's tests look through.
#ifndef GV_BUILDER_PROBE_H
#define GV_BUILDER_PROBE_H

#include "compiler/builder/builder.h"
#include "resources/base/bytes.h"

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
// Finishes the payload, opens it and verifies it. False: `err` tells.
bool probe_end(struct probe *probe);
void probe_finish(struct probe *probe);

// All code, a line per chunk: "@COMMAND rRESOURCE: ..." with operands in front of what
// takes them: numbers, fBITS, cCONSTANT, vVOLATILE, sSLOT, rRESOURCE, r+ (the next).
void probe_code(struct probe *probe, struct gv_bytes *out);

#endif
