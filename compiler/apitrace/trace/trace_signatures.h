// Signatures of a trace: functions, structures, enumerations, bitmasks and frames of
// back-traces, each in an id space of its own, defined where an id is first used.
#ifndef GV_TRACE_SIGNATURES_H
#define GV_TRACE_SIGNATURES_H

#include "compiler/apitrace/trace/trace_call.h"
#include "compiler/apitrace/trace/trace_parse.h"
#include "resources/base/arena.h"

#define GV_TRACE_MAX_ID (((uint64_t)1 << 20) - 1)
#define GV_TRACE_MAX_NAME ((uint64_t)1 << 16)     // bytes of a name
#define GV_TRACE_MAX_ARGUMENTS ((uint64_t)1024)   // of a function
#define GV_TRACE_MAX_MEMBERS ((uint64_t)4096)     // of a structure
#define GV_TRACE_MAX_ENTRIES ((uint64_t)1 << 20)  // of an enumeration
#define GV_TRACE_MAX_SIGNATURES ((size_t)1 << 28) // bytes of them all

struct gv_trace_space {
    void **entries; // owned; [size]: what each id stands for, or NULL
    size_t size;
};

struct gv_trace_signatures {
    struct gv_arena arena;
    bool nameless; // tables of enumerations and bitmasks stay empty
    struct gv_trace_space functions, records, enums, masks, frames;
};

void gv_trace_signatures_finish(struct gv_trace_signatures *s);

// Each reads an id and, where it is new, its definition. The result lives as long as
// the signatures.
bool gv_parse_function(struct gv_trace_parse *p, struct gv_trace_function **out);
bool gv_parse_record(struct gv_trace_parse *p, const struct gv_trace_record **out);
bool gv_parse_enum(struct gv_trace_parse *p, const struct gv_trace_table **out);
bool gv_parse_mask(struct gv_trace_parse *p, const struct gv_trace_table **out);
bool gv_parse_frame(struct gv_trace_parse *p, const struct gv_trace_frame **out);

#endif
