// Hashes of the pictures of all frames, from a device.
#ifndef GV_DIFF_PICTURES_H
#define GV_DIFF_PICTURES_H

#include "resources/hash.h"
#include "runtime/runtime.h"

// Appends a struct gv_hash for each frame of a verified payload, all zeros for one
// without a picture. `device` may be NULL. Errors of devices and of the run.
bool gv_diff_pictures(struct gv_payload *payload,
                      const struct gv_runtime_params *device, struct gv_bytes *out,
                      struct gv_error *err);

#endif
