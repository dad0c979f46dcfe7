// The device side of the PlayStation front-end: buffers, pipelines and the calls that a
// group becomes.
#ifndef GV_PSX_DEVICE_H
#define GV_PSX_DEVICE_H

#include "compiler/builder/builder.h"
#include "compiler/psx/psx_pipelines.h"
#include "compiler/psx/stamps.h"

struct gv_psx_group;

struct gv_psx_device_params {
    uint32_t rows;           // of VRAM: 512 or 1024
    uint32_t tile_w, tile_h; // of a tile, in cells
    enum gv_psx_limits limits;
};

struct gv_psx_display_params {
    uint32_t x, y, width, height, row_mask;
    bool off, rgb24;
};

struct gv_psx_picture {
    struct gv_buffer buffer;
    struct gv_image image;
    struct gv_psx_display_params shown; // width: a multiple of 4
    bool made;
    uint64_t when; // the last write to VRAM that it shows
};

#define GV_PSX_PICTURES 8 // sizes of pictures kept

struct gv_psx_device {
    struct gv_builder *builder; // borrowed
    struct gv_psx_device_params params;
    struct gv_buffer vram, records, setup, bins, cluts, staging, readback;
    struct gv_psx_pipelines pipelines;
    struct gv_psx_picture pictures[GV_PSX_PICTURES];
    uint32_t picture_count, next_picture;
    struct gv_psx_stamps stamps;
    bool posted;
    uint64_t posted_when; // the last write to VRAM that was posted
    uint32_t vram_export, readback_export;
    // The packet being played: work emitted from now on carries its position.
    uint64_t command, command_offset;
    const char *command_name;
};

// Work is emitted late and in bulk, and odd things are rare: the builder is told of a
// command where one of them comes.
void gv_psx_device_tell_position(struct gv_psx_device *d);

// Makes the buffers (VRAM zeroed) and the exports `vram` and `readback`.
void gv_psx_device_init(struct gv_psx_device *d, struct gv_builder *builder,
                        const struct gv_psx_device_params *params);

// Emits a group.
void gv_psx_device_emit(struct gv_psx_device *d, const struct gv_psx_group *group);

// The picture of a display area, presented; posts VRAM. Width or height 0: no picture.
// What has not changed since it was made, or posted, is not made again.
void gv_psx_device_present(struct gv_psx_device *d,
                           const struct gv_psx_display_params *p);

// Posts VRAM as it is now (after the last frame, and at the end).
void gv_psx_device_post(struct gv_psx_device *d);

#endif
