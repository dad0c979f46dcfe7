// glTexStorage: all levels at once, immutable from then on.
#include "compiler/gl/texture/texture_image.h"
#include "vm/formats.h"

// Levels of sides: the last one is 1x1.
static int32_t most_levels(const struct gv_gl_image_target *at, const int32_t size[3])
{
    int32_t side = size[0], levels = 1;
    if (at->target != GV_GL_TARGET_1D_ARRAY && size[1] > side)
        side = size[1];
    if (at->target == GV_GL_TARGET_3D && size[2] > side)
        side = size[2];
    while (side >>= 1)
        levels++;
    return at->target == GV_GL_TARGET_RECTANGLE ? 1 : levels;
}

static void shrink(const struct gv_gl_image_target *at, int32_t size[3])
{
    size[0] = (int32_t)gv_mip_size((uint32_t)size[0], 1);
    if (at->target != GV_GL_TARGET_1D_ARRAY)
        size[1] = (int32_t)gv_mip_size((uint32_t)size[1], 1);
    if (at->target == GV_GL_TARGET_3D)
        size[2] = (int32_t)gv_mip_size((uint32_t)size[2], 1);
}

static bool define_levels(struct gv_gl *gl, const struct gv_gl_image_target *at,
                          struct gv_gl_texture *t, const struct gv_gl_texture_format *f,
                          int32_t size[3])
{
    for (uint32_t level = 0; level < t->immutable_levels; level++, shrink(at, size)) {
        const struct gv_gl_texture_image as =
            gv_gl_texture_shape(gl->sink.b, at, f, size);
        for (uint32_t face = 0; face < gv_gl_texture_faces(t); face++)
            if (!gv_gl_texture_define(gl, t, face, level, &as))
                return false;
    }
    return true;
}

// Names that glTexStorage takes for cubes: the whole.
static bool storage_target(uint32_t name, uint32_t dimensions,
                           struct gv_gl_image_target *out)
{
    if (dimensions == 2 && name == GL_TEXTURE_CUBE_MAP) {
        *out = (struct gv_gl_image_target){ .target = GV_GL_TARGET_CUBE };
        return true;
    }
    return gv_gl_image_target(name, dimensions, out);
}

// target, levels, internal format, sides.
static bool storage(struct gv_gl *gl, const struct gv_trace_call *call,
                    uint32_t dimensions, struct gv_error *err)
{
    struct gv_gl_image_target at;
    int32_t levels = gv_gl_int(call, 1), size[3] = { 0, 1, 1 };
    const struct gv_gl_texture_format *f = gv_gl_texture_format(gv_gl_uint(call, 2));
    for (uint32_t i = 0; i < dimensions; i++)
        size[i] = gv_gl_int(call, 3 + i);
    if (!storage_target(gv_gl_uint(call, 0), dimensions, &at) || !f)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (at.proxy)
        return true;
    if (gv_format_info(f->format)->compressed && !gv_gl_texture_is_known(gl->sink.b, f))
        return gv_gl_unsupported_of(&gl->sink, GV_GL_LACK(FORMAT),
                                    gv_format_info(f->format)->name);
    bool positive = size[0] > 0 && size[1] > 0 && size[2] > 0 && levels > 0;
    uint32_t error = gv_gl_texture_legal(&at, 0, size, f);
    if (!positive || error)
        return gv_gl_reject(&gl->sink, error ? error : GL_INVALID_VALUE);
    struct gv_gl_texture *t = gv_gl_texture_to_define(gl->context, &gl->objects, &at);
    if (!t || levels > most_levels(&at, size))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    gv_gl_texture_empty(gl->objects.textures, &gl->sink.pass, t);
    t->immutable = true;
    t->immutable_levels = (uint32_t)levels;
    return define_levels(gl, &at, t, f, size) || gv_out_of_memory(err);
}

static bool gl_TexStorage1D(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    return storage(gl, call, 1, err);
}
static bool gl_TexStorage2D(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    return storage(gl, call, 2, err);
}
static bool gl_TexStorage3D(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    return storage(gl, call, 3, err);
}

const struct gv_gl_row gv_gl_texture_storage_rows[] = {
    { "glTexStorage1D", gl_TexStorage1D, 0 },
    { "glTexStorage2D", gl_TexStorage2D, 0 },
    { "glTexStorage3D", gl_TexStorage3D, 0 },
    { NULL, NULL, 0 },
};
