// What elements of vertex arrays look like, as calls say it.
#ifndef GV_GL_ARRAY_FORMAT_H
#define GV_GL_ARRAY_FORMAT_H

#include "compiler/gl/base/gl_machine.h"

// How a generic attribute's numbers arrive: glVertexAttribPointer, ...IPointer,
// ...LPointer and those that go with them.
enum gv_gl_attribute_form {
    GV_GL_ATTRIBUTE_FLOAT,
    GV_GL_ATTRIBUTE_INTEGER,
    GV_GL_ATTRIBUTE_DOUBLE,
};

// What arguments from `first` on say: size, type; GL_BGRA is a size too. Size 0: none
// that there is.
struct gv_gl_array gv_gl_array_sized(const struct gv_trace_call *call, uint32_t first);

// Whether there are such elements; else the call was rejected.
bool gv_gl_array_is_format(struct gv_gl_sink *sink, const struct gv_gl_array *f);

// The same of a generic attribute, whose kind it sets.
bool gv_gl_array_is_attribute(struct gv_gl_sink *sink, enum gv_gl_attribute_form form,
                              struct gv_gl_array *f);

#endif
