// Textures of several samples: glTexImage2DMultisample, glTexStorage2DMultisample and
// those of arrays.
#include "compiler/gl/texture/texture_image.h"
#include "vm/formats.h"

// Every device has four; shaders that read single samples take no fewer than two.
#define SAMPLES 4u

static bool target_of(uint32_t name, uint32_t dimensions,
                      struct gv_gl_image_target *out)
{
    *out = (struct gv_gl_image_target){
        .target =
            dimensions == 2 ? GV_GL_TARGET_2D_SAMPLES : GV_GL_TARGET_2D_SAMPLES_ARRAY,
        .proxy = name == GL_PROXY_TEXTURE_2D_MULTISAMPLE ||
                 name == GL_PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY,
    };
    return name == (dimensions == 2 ? GL_TEXTURE_2D_MULTISAMPLE
                                    : GL_TEXTURE_2D_MULTISAMPLE_ARRAY) ||
           out->proxy;
}

// target, samples, internal format, `dimensions` sides, fixed locations.
static bool define(struct gv_gl *gl, const struct gv_trace_call *call,
                   uint32_t dimensions, bool immutable, struct gv_error *err)
{
    struct gv_gl_image_target at;
    int32_t samples = gv_gl_int(call, 1), size[3] = { 0, 1, 1 };
    const struct gv_gl_texture_format *f = gv_gl_texture_format(gv_gl_uint(call, 2));
    for (uint32_t i = 0; i < dimensions; i++)
        size[i] = gv_gl_int(call, 3 + i);
    if (!target_of(gv_gl_uint(call, 0), dimensions, &at) || !f ||
        gv_format_info(f->format)->compressed)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (at.proxy)
        return true;
    uint32_t error =
        samples < 1 ? GL_INVALID_VALUE : gv_gl_texture_legal(&at, 0, size, f);
    if (!error && samples > (int32_t)SAMPLES)
        error = GL_INVALID_OPERATION;
    struct gv_gl_texture *t = gv_gl_texture_to_define(gl->context, &gl->objects, &at);
    if (error || !t)
        return gv_gl_reject(&gl->sink, error ? error : GL_INVALID_OPERATION);
    struct gv_gl_texture_image as = gv_gl_texture_shape(gl->sink.b, &at, f, size);
    as.samples = SAMPLES;
    t->immutable = immutable;
    t->immutable_levels = immutable;
    return gv_gl_texture_replace(gl, t, 0, 0, &as, NULL, err);
}

static bool image_2d(struct gv_gl *gl, const struct gv_trace_call *call,
                     struct gv_error *err)
{
    return define(gl, call, 2, false, err);
}

static bool image_3d(struct gv_gl *gl, const struct gv_trace_call *call,
                     struct gv_error *err)
{
    return define(gl, call, 3, false, err);
}

static bool storage_2d(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    return define(gl, call, 2, true, err);
}

static bool storage_3d(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    return define(gl, call, 3, true, err);
}

const struct gv_gl_row gv_gl_texture_samples_rows[] = {
    { "glTexImage2DMultisample", image_2d, 0 },
    { "glTexImage3DMultisample", image_3d, 0 },
    { "glTexStorage2DMultisample", storage_2d, 0 },
    { "glTexStorage3DMultisample", storage_3d, 0 },
    { NULL, NULL, 0 },
};
