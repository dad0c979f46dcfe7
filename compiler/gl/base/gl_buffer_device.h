// Buffer objects on the device: for what it writes, and for who reads that there.
#ifndef GV_GL_BUFFER_DEVICE_H
#define GV_GL_BUFFER_DEVICE_H

#include "compiler/gl/base/gl_buffer.h"

// The buffer on the device, usable so (GV_BUFFER_USAGE_*), with all that was written so
// far; made when first asked for. May close the pass. None: it has no bytes, or memory
// ran out.
struct gv_buffer gv_gl_buffer_gpu(struct gv_gl_sink *sink, struct gv_gl_buffer *b,
                                  uint32_t usage);

// The same for who writes it there: its bytes are not known any more.
struct gv_buffer gv_gl_buffer_target(struct gv_gl_sink *sink, struct gv_gl_buffer *b,
                                     uint32_t usage);

// Bytes [begin, end) were written by the trace.
void gv_gl_buffer_dirty(struct gv_gl_buffer *b, uint64_t begin, uint64_t end);

// Copies bytes of a buffer that the device wrote to another one, or within itself.
void gv_gl_buffer_copy(struct gv_gl_sink *sink, const struct gv_gl_buffer_part *to,
                       const struct gv_gl_buffer_part *from);

// Fills a part of a buffer that the device wrote with a word: multiples of 4 bytes.
void gv_gl_buffer_fill(struct gv_gl_sink *sink, struct gv_gl_buffer *b, uint64_t offset,
                       uint64_t size, uint32_t word);

// Gives up what the device has.
void gv_gl_buffer_leave(struct gv_builder *builder, struct gv_gl_buffer *b);

#endif
