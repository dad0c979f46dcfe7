// Draws of which the device alone knows how many vertices they have, or which: all
// arrays are its own then.
#ifndef GV_GL_ARRAY_DEVICE_H
#define GV_GL_ARRAY_DEVICE_H

#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/base/gl_machine.h"

struct gv_gl_device_draw {
    const struct gv_gl_counted *counted;
    uint32_t mode;
    uint32_t instances, base_instance; // 1 and more; of indirect draws 1, 0
    uint32_t draw;                     // gl_DrawID
};

// Draws from the arrays that are on.
bool gv_gl_draw_on_device(struct gv_gl *gl, const struct gv_gl_device_draw *d,
                          struct gv_error *err);

// The buffer of indices that is bound and where they begin there, into `out`. False:
// rejected, or not lowered.
bool gv_gl_device_indices(struct gv_gl *gl, uint32_t type, uint64_t offset,
                          struct gv_gl_counted *out);

#endif
