// Attributes of vertices that only the device has: each is a binding of its own, behind
// that of what the compiler puts together.
#ifndef GV_GL_DEVICE_INPUT_H
#define GV_GL_DEVICE_INPUT_H

#include "compiler/gl/draw/gl_pipeline.h"

// The array that feeds an input of the stages; NULL: none of the device's.
const struct gv_gl_device_array *gv_gl_device_array(const struct gv_gl_draw *d,
                                                    uint32_t input);

// NULL, or what of the arrays the device cannot take as it is.
const struct gv_gl_lack *gv_gl_device_missing(const struct gv_gl_draw *d);

// What pipelines follow from: 0 without such arrays and without any that step by
// instance.
uint64_t gv_gl_device_layout(const struct gv_gl_draw *d);

// Describes input number `input`, and its binding as number `binding`.
void gv_gl_describe_device(const struct gv_gl_draw *d, uint32_t input, uint32_t binding,
                           struct gv_graphics_desc *out);

// The bindings of a draw whose vertices begin with `first`; how many there are. May
// close the pass.
uint32_t gv_gl_device_bindings(struct gv_gl_sink *sink, const struct gv_gl_draw *d,
                               uint32_t first,
                               struct gv_gl_batch_array out[GV_MAX_VERTEX_ATTRIBUTES]);

#endif
