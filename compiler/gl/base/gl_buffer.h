// Buffer objects. Their content is known while compiling as long as only the trace
// writes them; what the device writes (pixel packs, copies from images) makes it
// unknown.
#ifndef GV_GL_BUFFER_H
#define GV_GL_BUFFER_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/lower/id_map.h"

struct gv_gl_buffer {
    struct gv_named named;
    uint64_t size;    // bytes
    uint8_t *bytes;   // owned
    uint64_t version; // counts writes
    bool unknown;     // the device has written it
    struct {
        uint64_t address, offset, size; // as recorded; size 0: not mapped
    } map;
};

// The buffer of a name, or NULL (never bound, deleted, 0).
struct gv_gl_buffer *gv_gl_buffer_find(const struct gv_gl *gl, uint32_t name);

// Bytes [offset, offset + size) of a buffer; NULL where they are not inside or unknown.
const uint8_t *gv_gl_buffer_bytes(const struct gv_gl *gl, uint32_t name,
                                  uint64_t offset, uint64_t size);

#endif
