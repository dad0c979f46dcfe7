// Elements of vertex arrays as floats, or as the integers that they are.
//
// The program's memory lasts until the array is set again, in a copy per context and
// binding; struct gv_gl_binding says which copy it means, so that one that is restored
// by glPopClientAttrib or a vertex array object finds its bytes or none.
#ifndef GV_GL_ELEMENTS_H
#define GV_GL_ELEMENTS_H

#include "compiler/gl/geometry/gl_feeding.h"

void gv_gl_user_arrays_finish(struct gv_gl_user_arrays *u);

// An array that can be read.
struct gv_gl_elements {
    const struct gv_gl_array *array;
    const uint8_t *bytes;
    uint64_t size;            // bytes
    uint32_t stride, element; // bytes; stride 0: all are the first one
    uint32_t divisor;
    struct gv_gl_buffer *device; // has the bytes, from `at` on; NULL: `bytes` has
    uint64_t at;
    // Where `bytes` stand: in a buffer object, as it is; serial 0: program's memory.
    uint64_t serial, version, place;
};

// The array of a slot, GV_GL_EDGE included, of the bound vertex array.
struct gv_gl_array *gv_gl_array(struct gv_gl_context *c, uint32_t slot);

// Opens the array of a slot. False: it is off or has no bytes.
bool gv_gl_elements_open(struct gv_gl_context *c, struct gv_gl_objects *objects,
                         struct gv_gl_sink *sink, uint32_t slot,
                         struct gv_gl_elements *out);

// How many whole elements there are; UINT64_MAX where all are one.
uint64_t gv_gl_elements_count(const struct gv_gl_elements *e);

// Floats of a fetched element: 4, 8 of doubles.
uint32_t gv_gl_elements_floats(const struct gv_gl_elements *e);

// Element `index` as its array's kind has it; those behind the last byte are 0, 0,
// 0, 1.
void gv_gl_elements_fetch(const struct gv_gl_elements *e, uint64_t index, float *out);

// `count` elements in a row, from `first` on.
void gv_gl_elements_fetch_row(const struct gv_gl_elements *e, uint64_t first,
                              uint64_t count, float *out);

// Bytes of one element; 0: no such type.
uint32_t gv_gl_element_bytes(uint32_t type, uint32_t components);

#endif
