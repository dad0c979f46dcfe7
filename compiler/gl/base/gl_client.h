// State of a context that glPushClientAttrib can save: vertex arrays and the storage of
// pixels.
#ifndef GV_GL_CLIENT_H
#define GV_GL_CLIENT_H

#include "compiler/gl/base/gl_state.h"

// What one attribute's elements look like.
struct gv_gl_array {
    bool enabled, normalized, bgra;
    uint8_t size;      // components, 1 to 4
    uint8_t kind;      // enum gv_gl_kind that they arrive as
    uint8_t binding;   // where they come from, of the vertex array
    uint32_t type;     // GL_FLOAT ...
    uint32_t relative; // bytes behind the binding's offset
};

// Where elements come from: the program's memory as recorded, or a buffer object.
struct gv_gl_binding {
    uint32_t buffer; // name; 0: `copy`
    uint32_t stride; // bytes; 0: all have the same element
    uint64_t offset; // into the buffer
    uint64_t copy;   // which copy of the program's memory: geometry/gl_elements.h
    uint32_t divisor;
};

struct gv_gl_pixel_store {
    bool swap_bytes, lsb_first;
    uint32_t row_length, image_height, skip_rows, skip_pixels, skip_images, alignment;
    uint32_t buffer; // name of the bound pixel buffer; 0: none
    // GL_COMPRESSED_BLOCK_WIDTH, _HEIGHT, _DEPTH and _SIZE; 0: compressed images are
    // tight.
    uint32_t block[3], block_bytes;
};

struct gv_gl_vertex_array { // a vertex array object
    // The last one is of edge flags. A slot's own binding has its number.
    struct gv_gl_array arrays[GV_GL_SLOTS + 1];
    struct gv_gl_binding bindings[GV_GL_SLOTS + 1];
    uint32_t elements; // name of the element buffer
};

struct gv_gl_client {
    struct gv_gl_pixel_store pack, unpack;
    uint32_t active; // texture unit of glTexCoordPointer
    uint32_t array_buffer;
    struct gv_gl_vertex_array *vertex_array; // the bound one; never NULL
    uint32_t primitive_restart_index;
    bool primitive_restart, primitive_restart_fixed;
};

#endif
