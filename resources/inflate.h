// gzip streams, member by member, and zlib streams that are all there. The only user of
// zlib.
#ifndef GV_INFLATE_H
#define GV_INFLATE_H

#include "resources/base/step.h"

#include <stdbool.h>

struct gv_inflate;

struct gv_inflate *gv_inflate_create(void); // NULL when memory runs out
void gv_inflate_destroy(struct gv_inflate *inflate);

// After GV_STEP_ENDED the next step begins the next member.
enum gv_step gv_inflate_step(struct gv_inflate *inflate, struct gv_step_io *io);

// Whether `stored` is one zlib stream that holds exactly `raw_size` bytes, which `raw`
// has then.
bool gv_inflate_whole(const void *stored, size_t stored_size, void *raw,
                      size_t raw_size);

#endif
