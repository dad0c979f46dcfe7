// Buffer objects. Their content is known while compiling as long as only the trace
// writes them; what the device writes (pixel packs, copies from images) makes it
// unknown.
#ifndef GV_GL_BUFFER_H
#define GV_GL_BUFFER_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/lower/id_map.h"

#define GV_GL_MAX_BUFFERS 65536u
#define GV_GL_MAX_BUFFER_BYTES (UINT64_C(1) << 31) // of all together

// Bytes that the trace wrote and the device lacks.
struct gv_gl_buffer_range {
    uint64_t begin, end;
};
struct gv_gl_buffer_dirt {
    struct gv_gl_buffer_range *ranges; // owned
    uint32_t count, capacity;
    bool failed; // memory ran out
};

struct gv_gl_buffer {
    struct gv_named named;
    uint64_t size;    // bytes
    uint8_t *bytes;   // owned
    uint64_t version; // counts writes
    bool unknown;     // the device has written it
    struct {
        uint64_t address, offset, size; // as recorded; size 0: not mapped
    } map;
    struct gv_gl_buffer *next_mapped;
    bool on_device;       // `gpu` has what the device has written
    struct gv_buffer gpu; // none until the device needs it: gl_buffer_device.h
    uint32_t gpu_usage;   // GV_BUFFER_USAGE_*
    struct gv_gl_buffer_dirt dirt;
};

// The buffer of a name, or NULL (never bound, deleted, 0).
struct gv_gl_buffer *gv_gl_buffer_find(const struct gv_gl_objects *objects,
                                       uint32_t name);

// Bytes [offset, offset + size) of a buffer; NULL where they are not inside or unknown.
const uint8_t *gv_gl_buffer_bytes(const struct gv_gl_objects *objects, uint32_t name,
                                  uint64_t offset, uint64_t size);

// A part of a buffer: bytes [offset, offset + size), never none.
struct gv_gl_buffer_part {
    struct gv_gl_buffer *buffer;
    uint64_t offset, size;
};

// What is bound to point `index` of GL_UNIFORM_BUFFER, GL_SHADER_STORAGE_BUFFER,
// GL_ATOMIC_COUNTER_BUFFER or GL_TRANSFORM_FEEDBACK_BUFFER, as much of it as the buffer
// has now. False, and `out` zero: nothing, no such point.
bool gv_gl_buffer_point(const struct gv_gl_context *c,
                        const struct gv_gl_objects *objects, uint32_t target,
                        uint32_t index, struct gv_gl_buffer_part *out);

// ---- for the calls of buffer objects ----

// The buffer that a call's first argument names, or that is bound to that target. NULL:
// it was rejected.
struct gv_gl_buffer *gv_gl_buffer_of_call(struct gv_gl_context *c,
                                          struct gv_gl_objects *objects,
                                          struct gv_gl_sink *sink,
                                          const struct gv_trace_call *call,
                                          bool by_name);

// Where a target keeps the name that is bound to it; NULL: no target.
uint32_t *gv_gl_buffer_binding(struct gv_gl_context *context, uint32_t target);

// No point of the current context has the buffer of a name any more.
void gv_gl_buffer_points_forget(struct gv_gl_context *c, uint32_t name);

bool gv_gl_buffers_create(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                          struct gv_error *err);
void gv_gl_buffers_destroy(struct gv_gl_objects *objects);

// Frees all buffers of the group gl->group, which no context has any more.
void gv_gl_buffers_end_group(struct gv_gl_objects *objects, struct gv_builder *b);

// Makes the buffer of a name, unless it is there or the name is 0.
bool gv_gl_buffer_need(struct gv_gl_objects *objects, uint32_t name,
                       struct gv_error *err);

// A new store of zeroes, not mapped. False: more than the limit, and nothing changes.
bool gv_gl_buffer_resize(struct gv_gl_buffers *all, struct gv_builder *builder,
                         struct gv_gl_buffer *b, uint64_t size);

// Writes what of the bytes is inside.
void gv_gl_buffer_write(struct gv_gl_buffer *b, uint64_t offset, const uint8_t *bytes,
                        uint64_t size);
void gv_gl_buffer_delete(struct gv_gl_objects *objects, struct gv_builder *builder,
                         uint32_t name);

// A mapping at a recorded address; a former one ends.
void gv_gl_buffer_map(struct gv_gl_buffers *buffers, struct gv_gl_buffer *b,
                      uint64_t address, uint64_t offset, uint64_t size);
void gv_gl_buffer_unmap(struct gv_gl_buffers *buffers, struct gv_gl_buffer *b);

// Writes to recorded addresses what lies in the mapping there. False: there is none.
bool gv_gl_buffer_write_mapped(struct gv_gl_buffers *buffers, uint64_t address,
                               const uint8_t *bytes, uint64_t size);

extern const struct gv_gl_row gv_gl_buffer_rows[];
extern const struct gv_gl_row gv_gl_buffer_point_rows[];

#endif
