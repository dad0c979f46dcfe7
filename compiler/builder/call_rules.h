// What a run would refuse of a call, known from how its objects were made: the rules of
// vm/rules and vm/spirv, asked when the call is emitted.
#ifndef GV_CALL_RULES_H
#define GV_CALL_RULES_H

#include "compiler/builder/modules.h"
#include "compiler/builder/slots.h"
#include "resources/base/error.h"
#include "vm/descs.h"

// What is named for the next pass, by object. Zero-initialise before use.
struct gv_named_target {
    uint32_t image; // 0: none
    uint32_t format, mip, layer, layers;
};
struct gv_named_targets {
    struct gv_named_target color[GV_MAX_COLOR_ATTACHMENTS];
    struct gv_named_target resolve[GV_MAX_COLOR_ATTACHMENTS];
    struct gv_named_target depth;
};

struct gv_call_view {
    const struct gv_slots *slots;
    const struct gv_modules *modules;
    struct gv_named_targets *targets;
};

// `values` are those of the row's struct (emit.h); objects in them are live and of
// their kind. False: a run would refuse the call, in these words.
bool gv_call_rules(const struct gv_call_view *view, enum gv_call call,
                   const void *values, struct gv_error *err);

#endif
