// The SPIR-V of compiler/psx/shaders/, compiled at build time. Those named
// `minimal` use nothing but what every Vulkan 1.3 device has.
#ifndef GV_PSX_SHADERS_H
#define GV_PSX_SHADERS_H

#include <stdint.h>

#include "psx_clut.spv.h"
#include "psx_display.spv.h"
#include "psx_display_minimal.spv.h"
#include "psx_fill.spv.h"
#include "psx_latch.spv.h"
#include "psx_move.spv.h"
#include "psx_ordered.spv.h"
#include "psx_ordered_minimal.spv.h"
#include "psx_raster.spv.h"
#include "psx_raster_minimal.spv.h"
#include "psx_read.spv.h"
#include "psx_setup.spv.h"
#include "psx_setup_minimal.spv.h"

#endif
