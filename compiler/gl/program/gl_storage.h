// Buffers and images that stages load from and store to, as the device has them: for
// one draw or dispatch.
#ifndef GV_GL_STORAGE_H
#define GV_GL_STORAGE_H

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/program/gl_stages.h"

// A part of a buffer. What begins where not every device takes it goes through a copy.
struct gv_gl_bound_storage {
    struct gv_lower_place place;
    struct gv_buffer buffer; // none: zeros (texels alone)
    uint64_t offset, size;   // bytes
    bool copied, written;
    struct gv_gl_buffer_part part; // what a copy is of; of nothing: of zeros
};

// A level of an image, or a part of a buffer as texels.
struct gv_gl_bound_image {
    struct gv_lower_place place;
    struct gv_image image; // none: zeros
    uint32_t type, format, mip, layer, layers;
    bool texels;
    uint32_t buffer; // of texels: which of the storage's buffers
};

#define GV_GL_BOUND_STORAGE (GV_GL_STORAGE + GV_GL_IMAGES)

struct gv_gl_storage {
    uint32_t count, image_count;
    struct gv_gl_bound_storage buffers[GV_GL_BOUND_STORAGE];
    struct gv_gl_bound_image images[GV_GL_IMAGES];
};

static inline bool gv_gl_has_storage(const struct gv_gl_stages *s)
{
    return s->storage_count || s->image_count;
}

// What the stages' storage is now, brought to the device; what they write is not known
// any more. May close the pass. False: `err`.
bool gv_gl_storage_find(struct gv_gl *gl, const struct gv_gl_stages *stages,
                        struct gv_gl_storage *out, struct gv_error *err);

void gv_gl_storage_bind(struct gv_builder *b, const struct gv_gl_storage *s);

// After the draw or dispatch: copies go home. Closes the pass if there are any.
void gv_gl_storage_done(struct gv_gl_sink *sink, struct gv_gl_storage *s);

#endif
