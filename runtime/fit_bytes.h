// The bytes that a payload's calls name, read to be checked: one group at a time, held
// within the payload's memory, and all work counted.
#ifndef GV_FIT_BYTES_H
#define GV_FIT_BYTES_H

#include "resources/base/error.h"
#include "resources/source.h"
#include "vm/payload/payload.h"
#include "vm/payload/pipeline_list.h"

struct gv_fit_bytes {
    const struct gv_payload *payload;
    struct gv_source *const *sources;
    size_t source_count;
    const struct gv_group *group; // the one that is held, or NULL
    uint8_t *raw;                 // its bytes, owned
    uint64_t work, most_work;     // in bytes
};

// Borrows all. Zero-initialise what is not known.
void gv_fit_bytes_init(struct gv_fit_bytes *bytes, const struct gv_payload *payload,
                       struct gv_source *const *sources, size_t source_count);
void gv_fit_bytes_finish(struct gv_fit_bytes *bytes);

// Where they lie, so that those of one group come one after the other: the group's
// number and one more (0: constants), and the offset in it. Less, equal or greater
// than 0.
int gv_fit_bytes_compare(const struct gv_fit_bytes *bytes,
                         const struct gv_payload_bytes *a,
                         const struct gv_payload_bytes *b);

// The bytes, until the next call. NULL: as of gv_payload_read_group.
const uint8_t *gv_fit_bytes_of(struct gv_fit_bytes *bytes,
                               const struct gv_payload_bytes *place,
                               struct gv_error *err);

// Counts so many bytes that are to be looked at. What differs may overlap, and one
// module may be read for many pipelines: more than a multiple of what the payload has
// is GV_ERR_UNSUPPORTED.
bool gv_fit_bytes_work(struct gv_fit_bytes *bytes, uint64_t count,
                       struct gv_error *err);

#endif
