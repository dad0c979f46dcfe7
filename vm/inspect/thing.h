// What a path names at its place and has contents: an object, and which part of it.
#ifndef GV_THING_H
#define GV_THING_H

#include "vm/inspect/inspect.h"
#include "vm/slice/slice_contents.h"

struct gv_thing {
    uint8_t kind;     // GV_KIND_BUFFER, GV_KIND_IMAGE, GV_KIND_SHADER; 0: uniform bytes
                      // that are of no buffer
    uint64_t number;  // of the object: o7
    uint64_t command; // of the source, that bound it there or made it
    uint32_t slot;
    struct gv_slice_place place;
    uint64_t offset, size; // of a buffer: bytes
    // Of an image: one plane of one mip and layer (or z of 3D ones), some texels.
    struct gv_track_object image;
    uint32_t aspect, mip, layer, sample, x, y, width, height;
    uint32_t resource;    // of a shader: where its SPIR-V is
    const uint8_t *bytes; // or here; borrowed from the payload
};

// `inspect` went to the path's place. GV_ERR_USAGE: it is not there, and what is;
// GV_ERR_UNSUPPORTED: it depends on the device what is.
bool gv_thing_find(struct gv_thing *thing, struct gv_inspect *inspect,
                   const struct gv_path *path, struct gv_error *err);

// What a replay is asked for: the range of the object at the place.
struct gv_slice_content gv_thing_content(const struct gv_thing *thing);

#endif
