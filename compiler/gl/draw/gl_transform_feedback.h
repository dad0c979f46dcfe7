// Transform feedback: what draws are captured into, and draws of what was captured.
#ifndef GV_GL_TRANSFORM_FEEDBACK_H
#define GV_GL_TRANSFORM_FEEDBACK_H

#include "compiler/gl/base/gl_capturing.h"
#include "compiler/gl/draw/gl_batch.h"
#include "compiler/gl/fixed/fixed_inputs.h"

// Whether GL captures primitives of this class now; what it does not is an error.
bool gv_gl_capture_suits(const struct gv_gl_capture *t,
                         enum gv_gl_primitive_class made);

// Where what these stages capture goes. May close the pass. False: nothing is to be
// drawn, which was said.
bool gv_gl_capture_plan(struct gv_gl *gl, struct gv_gl_capture *t,
                        const struct gv_gl_stages *stages,
                        struct gv_gl_batch_capture *out);

// An object of a name that was captured into; NULL: none, which was rejected.
const struct gv_gl_capture *gv_gl_captured(struct gv_gl_context *c,
                                           struct gv_gl_sink *sink, uint32_t name);

#endif
