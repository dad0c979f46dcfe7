// The SPIR-V of compiler/psx/shaders/, compiled at build time.
#ifndef GV_PSX_SHADERS_H
#define GV_PSX_SHADERS_H

#include <stdint.h>

#include "psx_clut.spv.h"
#include "psx_display.spv.h"
#include "psx_fill.spv.h"
#include "psx_latch.spv.h"
#include "psx_move.spv.h"
#include "psx_ordered.spv.h"
#include "psx_raster.spv.h"
#include "psx_read.spv.h"
#include "psx_setup.spv.h"

#endif
