// The debug map: which byte of the capture each source command came from, and its name.
// Nothing outside vm/payload/ includes this. docs/payload.md, "DEBUG".
#ifndef GV_DEBUG_MAP_H
#define GV_DEBUG_MAP_H

#include "resources/base/bytes.h"
#include "vm/payload/payload_segments.h"

struct gv_debug_encoder;

struct gv_debug_encoder *gv_debug_encoder_create(void); // NULL: memory
void gv_debug_encoder_destroy(struct gv_debug_encoder *e);

// Appends a row to `out`; commands ascend. Its name is borrowed for the encoder's life.
// False when out of memory.
bool gv_debug_encode(struct gv_debug_encoder *e, const struct gv_source_row *row,
                     struct gv_bytes *out);

#endif
