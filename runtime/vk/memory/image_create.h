// Making and freeing images.
#ifndef GV_VK_IMAGE_CREATE_H
#define GV_VK_IMAGE_CREATE_H

#include "resources/base/error.h"
#include "vm/calls.h"

struct gv_runtime;

// An image that the runtime makes for itself, beside what the payload declares; also in
// the middle of a draw.
bool gv_vk_image_create_own(struct gv_runtime *rt,
                            const struct gv_args_image_create *create, uint64_t *handle,
                            struct gv_error *err);

#endif
