// Mips that GL makes: glGenerateMipmap and GL_GENERATE_MIPMAP.
#include "compiler/gl/texture/texture_object.h"
#include "vm/formats.h"

// Defines the levels behind the base level, as mips of it.
static bool define_mips(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t last)
{
    uint32_t base = gv_gl_texture_base_level(t);
    bool volume = t->target == GV_GL_TARGET_3D;
    for (uint32_t face = 0; face < gv_gl_texture_faces(t); face++)
        for (uint32_t level = base + 1; level <= last; level++) {
            struct gv_gl_texture_image as = *t->images[face][base];
            as.width = gv_mip_size(as.width, level - base);
            as.height = gv_mip_size(as.height, level - base);
            if (volume)
                as.depth = gv_mip_size(as.depth, level - base);
            struct gv_gl_texture_image *i =
                gv_gl_texture_define(gl, t, face, level, &as);
            if (!i)
                return false;
            i->hashed = false;
        }
    return true;
}

// Integers and stencil are not filtered (Mesa's rule; OpenGL 4.6, 8.14.4, for GLES).
static bool has_mips(const struct gv_gl_texture_image *i)
{
    return !gv_gl_is_integer(i->format->format) &&
           i->format->base != GL_DEPTH_STENCIL && i->format->base != GL_STENCIL_INDEX;
}

static bool generate(struct gv_gl *gl, struct gv_gl_texture *t, struct gv_error *err)
{
    uint32_t last, base = gv_gl_texture_base_level(t);
    t->stale = false;
    if (!gv_gl_texture_base_complete(t, &last) || last == base ||
        !has_mips(t->images[0][base]))
        return true;
    const struct gv_format_info *info = gv_format_info(t->images[0][base]->device);
    if (info->compressed)
        return gv_gl_unsupported(gl, "mipmaps of compressed textures");
    if (!define_mips(gl, t, last))
        return gv_out_of_memory(err);
    if (!gv_gl_texture_gather(gl, t, 0, (struct gv_gl_levels){ base, last }, err))
        return false;
    const struct gv_gl_store *s = t->images[0][base]->store;
    bool volume = t->target == GV_GL_TARGET_3D;
    gv_emit(gv_gl_store_fill(gl, s), image_mipmaps, .image = s->image,
            .base = gv_gl_store_mip(t, s, base), .mips = last - base + 1,
            .layer = t->view_layer,
            .layers = volume ? 1 : t->images[0][base]->depth * gv_gl_texture_faces(t),
            .filter =
                info->aspects & GV_ASPECT_COLOR ? GV_FILTER_LINEAR : GV_FILTER_NEAREST);
    gv_gl_store_filled(gl, s);
    t->settled = false;
    return true;
}

bool gv_gl_texture_settle(struct gv_gl *gl, struct gv_gl_texture *t,
                          struct gv_error *err)
{
    return !t->stale || generate(gl, t, err);
}

void gv_gl_texture_changed(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t level)
{
    (void)gl;
    if (t->params.generate_mipmap && gv_gl_texture_base_level(t) == level)
        t->stale = true;
}

// ---- calls ----

static bool gl_GenerateMipmap(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    uint32_t target;
    if (!gv_gl_texture_target(gv_gl_uint(call, 0), &target) ||
        target == GV_GL_TARGET_RECTANGLE || target == GV_GL_TARGET_BUFFER)
        return gv_gl_reject(gl, GL_INVALID_ENUM);
    struct gv_gl_texture *t =
        gv_gl_texture_bound(gl, gl->context->state.texture.active, target);
    uint32_t last;
    if (!t || !gv_gl_texture_base_complete(t, &last) ||
        !has_mips(gv_gl_texture_base(t)))
        return gv_gl_reject(gl, GL_INVALID_OPERATION);
    return generate(gl, t, err);
}

const struct gv_gl_row gv_gl_texture_mipmap_rows[] = {
    { "glGenerateMipmap", gl_GenerateMipmap, 0 },
    { NULL, NULL, 0 },
};
