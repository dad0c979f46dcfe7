// Pictures of a PlayStation's VRAM.
#ifndef GV_VRAM_PICTURE_H
#define GV_VRAM_PICTURE_H

#include "resources/base/bytes.h"
#include "runtime/runtime.h"
#include "vm/inspect/path.h"

#define GV_VRAM_CELLS 1024u // of a row, 16 bits each

// Leaves of all of VRAM the cells of the pick's box, row behind row; without one all.
// GV_ERR_USAGE: they are not all there.
bool gv_vram_pick(const struct gv_pick *pick, struct gv_bytes *vram,
                  struct gv_error *err);

// What gv_vram_pick has left, by the pick's type: "b15" (or none) as colours of five
// bits a component, "b24" as colours of eight, "b4" and "b8" as numbers of a palette's
// entries, in grey. Finish the picture.
bool gv_vram_show(const struct gv_pick *pick, const struct gv_bytes *cells,
                  struct gv_picture *picture, struct gv_error *err);

#endif
