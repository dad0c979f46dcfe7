// What the files that know effects share: how one is put. Only they include this.
#ifndef GV_EFFECTS_PUT_H
#define GV_EFFECTS_PUT_H

#include "vm/effects/effects.h"

// A box as calls name it: layers of arrays, z of 3D images.
struct gv_box {
    uint64_t image, aspect, mip, layer, layers, x, y, z, width, height, depth;
};

// None is put of no object.
void gv_put(struct gv_effects *out, const struct gv_effect *effect);
void gv_put_bytes(struct gv_effects *out, uint64_t object, enum gv_effect_kind kind,
                  uint64_t offset, uint64_t size);
void gv_put_whole(struct gv_effects *out, uint64_t object, enum gv_effect_kind kind);
struct gv_effect gv_whole_of(uint64_t object, enum gv_effect_kind kind);
// Whole mips; layers of a 3D image are all its slices.
void gv_put_mips(const struct gv_track *t, struct gv_effects *out,
                 const struct gv_box *box, uint64_t mips, enum gv_effect_kind kind);

void gv_put_box(const struct gv_track *t, struct gv_effects *out,
                const struct gv_box *box, enum gv_effect_kind kind);
// The bytes that a box of texels takes in a buffer: object, kind and offset are those
// of `bytes`, its `stride` and `rows` those of a slice, 0 if tight. Rows apart leave
// gaps.
void gv_put_texels(const struct gv_track *t, struct gv_effects *out,
                   const struct gv_box *box, const struct gv_effect *bytes);

// vm/effects/effects_work.c
void gv_put_draw_writes(const struct gv_track *t, struct gv_effects *out);
void gv_put_draw_reads(const struct gv_track *t, const struct gv_track_call *c,
                       struct gv_effects *out);
void gv_put_clear_writes(const struct gv_track *t, const struct gv_track_call *c,
                         struct gv_effects *out);
void gv_put_dispatch_writes(const struct gv_track *t, const struct gv_track_call *c,
                            struct gv_effects *out);
void gv_put_dispatch_reads(const struct gv_track *t, const struct gv_track_call *c,
                           struct gv_effects *out);

#endif
