// Pictures of a PlayStation's VRAM.
#ifndef GV_VRAM_PICTURE_H
#define GV_VRAM_PICTURE_H

#include "resources/base/bytes.h"
#include "runtime/runtime.h"
#include "vm/inspect/path.h"

#define GV_VRAM_CELLS 1024u // of a row, 16 bits each

// Whether a pick's box lies in VRAM of so many bytes, in cells; without one it does.
bool gv_vram_has(const struct gv_pick *pick, uint64_t bytes);

// The cells of the pick's box, or all, by its type: "b15" (or none) as colours of five
// bits a component, "b24" as colours of eight, "b4" and "b8" as numbers of a palette's
// entries, in grey. Finish the picture.
bool gv_vram_show(const struct gv_pick *pick, const struct gv_bytes *vram,
                  struct gv_picture *picture, struct gv_error *err);

#endif
