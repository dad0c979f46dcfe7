// Bytes of a source: where they are now, and how calls name them.
#ifndef GV_LOWER_SOURCE_H
#define GV_LOWER_SOURCE_H

#include "compiler/builder/builder.h"

struct gv_lower_source {
    const uint8_t *data;
    struct gv_contents value; // DATA or OBSERVED, of `data`
};

// The bytes from `offset` on.
static inline struct gv_contents
gv_lower_source_at(const struct gv_lower_source *source, uint64_t offset)
{
    return source->value.type == GV_CONTENTS_OBSERVED
               ? gv_observed_at(source->value, offset)
               : gv_data(source->data + offset);
}

#endif
