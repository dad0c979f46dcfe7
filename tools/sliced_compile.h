// `compile --frames`: a payload of what the pictures of some frames need, and exports
// as they are behind the last of them.
#ifndef GV_SLICED_COMPILE_H
#define GV_SLICED_COMPILE_H

#include "tools/input.h"
#include "tools/wanted_frames.h"

struct gv_sliced_compile {
    const struct gv_program *program;
    const struct gv_input *input;
    const struct gv_compile_params *params; // with frames
    const struct gv_wanted_frames *wanted;
    gv_write_fn write; // of the slice
    void *context;
};

// Compiles into memory, which params->memory_limit bounds, and writes the slice. Frames
// that there are not are GV_ERR_USAGE.
bool gv_sliced_compile(const struct gv_sliced_compile *job,
                       struct gv_compile_stats *stats, struct gv_error *err);

#endif
