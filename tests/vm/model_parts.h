// What the files of the model share, and who looks into its objects.
#ifndef GV_MODEL_PARTS_H
#define GV_MODEL_PARTS_H

#include "tests/vm/model_host.h"

#define ARGS(name) const struct gv_args_##name *a = (const void *)args
#define BEGIN(name)                 \
    struct model_host *m = context; \
    ARGS(name);                     \
    (void)result, (void)err, (void)m, (void)a

// Numbers out of numbers.
uint64_t model_mix(uint64_t h, uint64_t value);
uint64_t model_mix_bytes(uint64_t h, const uint8_t *bytes, size_t size);

// An object; of a handle that is none one of no kind.
struct model_object *model_get(struct model_host *m, uint64_t handle);
struct model_object *model_add(struct model_host *m, uint8_t kind, size_t size,
                               uint64_t *result);

uint32_t model_side(uint32_t size, uint32_t mip);
size_t model_mip_bytes(const struct model_object *o, uint32_t mip);
uint32_t model_plane_of(uint64_t aspect);
// A texel of one plane, or a place where nothing is.
uint8_t *model_texel(struct model_object *o, uint32_t plane, uint32_t mip,
                     uint32_t layer, uint32_t x, uint32_t y);

struct model_box {
    uint64_t image, plane, mip, layer, layers, x, y, width, height;
};
#define FOR_BOX(b, n) for (uint32_t n = 0; n < (b).width * (b).height * (b).layers; n++)

uint8_t *model_texel_of(struct model_host *m, const struct model_box *b, uint32_t n);
void model_clear(struct model_host *m, struct model_box b, uint8_t value);
bool model_put(struct model_host *m, uint64_t buffer, uint64_t offset,
               const uint8_t *data, uint64_t size);

// tests/vm/model_work.c: state, passes, work, queries, output.
void model_work_init(struct model_host *m);

#endif
