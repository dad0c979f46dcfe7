// A sink that does nothing: for who follows the GPU's state alone.
#ifndef GV_PSX_NULL_SINK_H
#define GV_PSX_NULL_SINK_H

#include "compiler/psx/gpu.h"

extern const struct gv_psx_sink gv_psx_null_sink;

#endif
