// Observations, exports, diagnostics, requirements and the target: the builder's
// smaller doors.
#include "compiler/builder/builder_private.h"

#include "resources/base/checked.h"
#include "resources/base/foreign.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// ---- observations ----

// An OBSERVED value: the observation's sequence number over the offset into it.
#define OFFSET_BITS 40
#define OFFSET_MASK ((UINT64_C(1) << OFFSET_BITS) - 1)
#define SEQUENCE_MASK (UINT64_MAX >> OFFSET_BITS)

struct gv_contents gv_builder_observe(struct gv_builder *b, uint32_t space,
                                      uint64_t address, const void *data, uint64_t size)
{
    struct gv_contents value = { GV_CONTENTS_OBSERVED, 0, NULL };
    uint64_t end;
    if (b->failed || size == 0 || // a call reads nothing from it
        !gv_builder_outside_branch(b, "memory is observed"))
        return value;
    if (b->observations.count >= SEQUENCE_MASK) {
        gv_builder_fail(b, GV_ERR_LIMIT, "one command observes too many ranges");
        return value;
    }
    if (!gv_add_u64(address, size, &end) || size > OFFSET_MASK) {
        gv_builder_fail(b, GV_ERR_FORMAT, "observed memory passes the address space");
        return value;
    }
    uint8_t *p = gv_builder_begin_call(b);
    if (!p)
        return value;
    gv_code_advance(&b->code.bytes, p);
    b->code.deferred = true;
    const struct gv_patch patch = { b->code.bytes.size, GV_PATCH_OBSERVATION,
                                    (uint32_t)b->observations.count, 0 };
    bool stable = gv_dedup_is_stable(&b->resources, data, size);
    uint64_t sequence = b->observation_base + b->observations.count;
    if (!gv_code_patch(&b->code, patch) ||
        !gv_observations_add(&b->observations, space, address, data, size, stable))
        gv_builder_no_memory(b);
    value.number = (sequence & SEQUENCE_MASK) << OFFSET_BITS;
    return value;
}

struct gv_contents gv_observed_at(struct gv_contents observed, uint64_t offset)
{
    // An offset that leaves the field is kept as one that is outside every range.
    uint64_t sum = (observed.number & OFFSET_MASK) + (offset & OFFSET_MASK);
    if (offset > OFFSET_MASK || sum > OFFSET_MASK)
        sum = OFFSET_MASK;
    observed.number = (observed.number & ~OFFSET_MASK) | sum;
    return observed;
}

bool gv_builder_observed(struct gv_builder *b, uint64_t number, uint64_t size,
                         uint32_t *index, uint64_t *offset)
{
    const struct gv_observations *o = &b->observations;
    uint64_t first = b->command_observed - b->observation_base; // index in the window
    uint64_t at = ((number >> OFFSET_BITS) - b->observation_base) & SEQUENCE_MASK;
    *offset = number & OFFSET_MASK;
    if (at < first || at >= o->count)
        return gv_builder_fail(b, GV_ERR_FORMAT,
                               "memory is used that this command did not observe");
    if (!gv_range_inside(*offset, size, o->list[at].size))
        return gv_builder_fail(b, GV_ERR_FORMAT,
                               "memory is used beyond what was observed");
    *index = (uint32_t)at;
    return true;
}

// ---- tables ----

uint32_t gv_builder_export(struct gv_builder *b, const struct gv_export *e)
{
    if (b->failed)
        return 0;
    for (uint32_t i = 0; i < b->export_count; i++)
        if (strcmp(b->exports[i].name, e->name) == 0)
            return i;
    size_t size = strlen(e->name) + 1;
    struct gv_export *grown =
        realloc(b->exports, (b->export_count + 1) * sizeof *grown);
    if (grown)
        b->exports = grown;
    char *name = malloc(size);
    if (!grown || !name) {
        free(name);
        gv_builder_no_memory(b);
        return 0;
    }
    memcpy(name, e->name, size);
    b->exports[b->export_count] = *e;
    b->exports[b->export_count++].name = name;
    return gv_writer_export(b->params.writer, e);
}

void gv_builder_require(struct gv_builder *b, const struct gv_requirement *r)
{
    if (!b->failed && !gv_requirements_add(gv_builder_needs(b), r))
        gv_builder_no_memory(b);
}

void gv_builder_diagnose(struct gv_builder *b, enum gv_severity severity,
                         const char *code, const char *format, ...)
{
    char text[512];
    va_list args;
    if (b->failed)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    gv_foreign_mask(text); // it may quote the capture
    uint64_t command = b->commands ? b->number : GV_NO_COMMAND;
    if (!gv_diagnostics_add(&b->diagnostics, severity, code, text, command, b->offset))
        gv_builder_no_memory(b);
    if (severity == GV_UNSUPPORTED && b->params.strict)
        gv_builder_fail(b, GV_ERR_UNSUPPORTED, "%s: %s", code, text);
}

const struct gv_diagnostics *gv_builder_diagnostics(const struct gv_builder *b)
{
    return &b->diagnostics;
}

bool gv_builder_target_has_feature(const struct gv_builder *b, const char *feature)
{
    return gv_target_has_feature(b->params.target, feature);
}

bool gv_builder_target_has_format(const struct gv_builder *b, uint32_t format)
{
    return gv_target_has_format(b->params.target, format);
}
