// Where the device's time goes while a payload runs: a timestamp after every command of
// interest, put there by standing in for the Vulkan functions that record them.
#ifndef GV_PSX_CLOCK_H
#define GV_PSX_CLOCK_H

#include "runtime/runtime.h"

enum psx_clock_kind {
    PSX_CLOCK_DISPATCH,
    PSX_CLOCK_FIRST, // the first dispatch of a pipeline: drivers compile it then
    PSX_CLOCK_BARRIER,
    PSX_CLOCK_UPLOAD,   // copies and fills between buffers
    PSX_CLOCK_PICTURE,  // copies to the picture
    PSX_CLOCK_READBACK, // copies to host memory
    PSX_CLOCK_KINDS
};

struct psx_clock {
    double
        seconds[PSX_CLOCK_KINDS]; // of the device, from the command before to its end
    double create;                // of the host, creating pipelines
    uint64_t dropped;             // commands beyond the timestamps there are
};

// Begins measuring `runtime`, of which there may be one at a time. `timestamps` false:
// only the creation of pipelines is timed, and commands run as they would.
bool psx_clock_start(struct gv_runtime *runtime, bool timestamps);
// Reads what was measured, the device being idle.
bool psx_clock_stop(struct psx_clock *out);

#endif
