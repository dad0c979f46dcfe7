// Packets to GPU words: the loop that every player of a dump needs.
#ifndef GV_PSX_REPLAY_H
#define GV_PSX_REPLAY_H

#include "compiler/psx/gpu.h"
#include "compiler/psx/gpu_dump.h"

struct gv_psx_listener {
    void *context;
    // A packet begins; may be NULL. Return false (filling `err`) to stop.
    bool (*packet)(void *context, const struct gv_psx_packet *packet,
                   struct gv_error *err);
    // A VSync, before the field flips; `live` = after trace-begin, so it makes a frame.
    bool (*vsync)(void *context, bool live, struct gv_error *err);
    // Something odd that does not stop the replay. `code` is a stable word.
    void (*odd)(void *context, uint64_t offset, const char *code, const char *text);
    // A GP0 or GP1 word was taken by the GPU; may be NULL.
    void (*word)(void *context, uint32_t word);
    // The dump is still coming: waits for what is at its position, so many bytes of it
    // or all there are, and says how many it has. NULL: it is all there.
    void (*await)(void *context, struct gv_cursor *dump, size_t size);
};

// The next packet of a dump (gpu_dump.h), which may still be coming.
bool gv_psx_replay_packet(const struct gv_psx_listener *listener,
                          struct gv_cursor *dump, struct gv_psx_packet *packet,
                          struct gv_error *err);

// Plays a whole dump into `gpu`. Without a trace-begin packet everything is live. Of
// one that is still coming nobody knows whether it has one: at the first VSync the next
// GV_PSX_LOOK_AHEAD bytes are waited for, and without one there it is live; a trace
// that begins behind them is GV_ERR_UNSUPPORTED. `allow_truncated`: a last packet that
// is cut off ends the dump quietly (odd is told).
#define GV_PSX_LOOK_AHEAD ((size_t)4 << 20)
bool gv_psx_replay(struct gv_cursor dump, struct gv_psx_gpu *gpu,
                   const struct gv_psx_listener *listener, bool allow_truncated,
                   struct gv_error *err);

#endif
