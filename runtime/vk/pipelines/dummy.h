// Images that stand in where a shader samples and nothing is bound: one texel of zeros.
// Null descriptors would do on paper; not every driver has them, and lavapipe (Mesa
// 22.3) crashes comparing depths through one.
#ifndef GV_VK_DUMMY_H
#define GV_VK_DUMMY_H

#include "runtime/vk/memory/view.h"
#include "runtime/vk/pipelines/pipeline.h"

#define GV_VK_DUMMIES 128 // distinct kinds kept

struct gv_vk_dummy {
    uint64_t handle; // of an image like any other; 0 = none yet
    struct gv_view_shape view;
    bool multisampled;
};

struct gv_vk_dummies {
    struct gv_vk_dummy items[GV_VK_DUMMIES];
    uint32_t count;
};

// The view for what `need` describes, `storage` for loads and stores. NULL with `err`.
VkImageView gv_vk_dummy_view(struct gv_runtime *rt, struct gv_vk_dummies *dummies,
                             const struct gv_vk_need *need, bool storage,
                             struct gv_vk_image **image, struct gv_error *err);

#endif
