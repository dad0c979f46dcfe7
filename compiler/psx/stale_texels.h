// The texture cache is not modelled: texels are always those of VRAM. A sink in front
// of another that tells when this may show: a primitive samples what was drawn over
// after it had been sampled, and nothing flushed the cache between. By blocks of cells,
// so that it may tell too often and not too seldom.
#ifndef GV_PSX_STALE_TEXELS_H
#define GV_PSX_STALE_TEXELS_H

#include "compiler/psx/gpu.h"
#include "compiler/psx/hazards.h"

struct gv_psx_stale {
    struct gv_psx_sink next;      // everything is handed on to it
    const struct gv_psx_gpu *gpu; // borrowed
    void (*tell)(void *context);  // of each such primitive, before it is handed on
    void *context;
    struct gv_psx_blocks cached; // sampled since the cache was flushed
    struct gv_psx_blocks stale;  // of these, drawn over since
    uint64_t flushes;            // of the GPU, when last looked at
    uint32_t page;               // and depth class that was sampled last
};

struct gv_psx_sink gv_psx_stale_sink(struct gv_psx_stale *stale);

#endif
