// The compute pipelines of the PlayStation front-end: made when first used, in the form
// that the device can run. Where a device gives no more than Vulkan 1.3 guarantees
// (texel buffers of 65,536 elements, subgroups that only know themselves), VRAM is read
// as words and records are handed around through shared memory, with the same outcome.
#ifndef GV_PSX_PIPELINES_H
#define GV_PSX_PIPELINES_H

#include "compiler/builder/builder.h"
#include "compiler/psx/psx_layout.h"

// What a payload counts on: what the device at hand has, or what every device has.
enum gv_psx_limits { GV_PSX_LIMITS_ANY, GV_PSX_LIMITS_MINIMAL };

enum gv_psx_kernel {
    GV_PSX_KERNEL_SETUP,
    GV_PSX_KERNEL_CLUT,
    GV_PSX_KERNEL_MOVE,
    GV_PSX_KERNEL_READ,
    GV_PSX_KERNEL_LATCH,
    GV_PSX_KERNEL_FILL,
    GV_PSX_KERNEL_DISPLAY,
    GV_PSX_KERNEL_ORDERED,
    GV_PSX_KERNEL_RASTER,
    GV_PSX_KERNELS,
};

struct gv_psx_pipelines {
    struct gv_builder *builder; // borrowed
    enum gv_psx_limits limits;
    uint32_t tile_w, tile_h;
    uint64_t texels;                         // elements of the largest texel buffer
    struct gv_pipeline made[GV_PSX_KERNELS]; // none: not yet
    struct gv_pipeline raster[4]; // GV_PSX_KERNEL_RASTER by what records need
};

// One of the shaders that have no constants.
struct gv_pipeline gv_psx_pipeline(struct gv_psx_pipelines *p,
                                   enum gv_psx_kernel kernel);

// The raster shader for records of these state flags, joined.
struct gv_pipeline gv_psx_raster_pipeline(struct gv_psx_pipelines *p, uint32_t state);

// The requirement that a texel buffer can hold the largest one.
struct gv_requirement gv_psx_texels_requirement(const struct gv_psx_pipelines *p);

#endif
