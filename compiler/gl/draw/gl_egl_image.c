#include "compiler/gl/draw/gl_egl_image.h"

#include "compiler/gl/base/gl_names.h"
#include "compiler/gl/texture/texture_object.h"

#define MOST_IMAGES 65536u // alive at once

struct egl_image {
    struct gv_named named;
    struct gv_gl_image_source of;
};

static struct gv_id_map *images(struct gv_gl_drawing *d, struct gv_gl_sink *sink)
{
    struct gv_id_map *m = &d->egl_images;
    if (!m->arena)
        *m = (struct gv_id_map){ .arena = sink->arena,
                                 .object_bytes = sizeof(struct egl_image),
                                 .serials = &sink->serials,
                                 .limit = MOST_IMAGES };
    return m;
}

// The object of a name in the current group. 0: there is none.
static uint64_t serial_of(struct gv_gl_drawing *d, struct gv_gl_objects *objects,
                          const struct gv_gl_attachment *of)
{
    const struct gv_gl_texture *t = NULL;
    const struct gv_gl_renderbuffer *r = NULL;
    if (of->kind == GV_GL_ATTACHED_TEXTURE && of->name)
        t = gv_gl_texture_find(objects, GV_GL_TARGET_2D, of->name);
    if (of->kind == GV_GL_ATTACHED_RENDERBUFFER)
        r = gv_gl_renderbuffer_find(d, objects->group, of->name);
    return t ? t->named.serial : r ? r->named.serial : 0;
}

bool gv_gl_egl_image_make(struct gv_gl *gl, uint64_t handle, uint32_t group,
                          const struct gv_gl_attachment *of, struct gv_error *err)
{
    gv_gl_egl_image_destroy(gl->drawing, &gl->sink,
                            handle); // whose end was not recorded
    struct egl_image *i = (struct egl_image *)gv_gl_name_make(
        images(gl->drawing, &gl->sink), handle, "EGL images", err);
    if (!i)
        return false;
    const uint32_t current = gl->objects.group;
    gl->objects.group = group;
    i->of = (struct gv_gl_image_source){ *of, group,
                                         serial_of(gl->drawing, &gl->objects, of) };
    const struct gv_gl_renderbuffer *r =
        of->kind == GV_GL_ATTACHED_RENDERBUFFER
            ? gv_gl_renderbuffer_find(gl->drawing, gl->objects.group, of->name)
            : NULL;
    if (r && r->source.serial) // an image of an image
        i->of = r->source;
    gl->objects.group = current;
    return true;
}

void gv_gl_egl_image_destroy(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                             uint64_t handle)
{
    struct gv_named *o = gv_id_remove(images(d, sink), handle);
    if (o && gv_id_release(o))
        gv_id_reuse(images(d, sink), o);
}

bool gv_gl_enter_image_source(struct gv_gl_drawing *d, struct gv_gl_objects *objects,
                              const struct gv_gl_image_source *s)
{
    objects->group = s->group;
    return serial_of(d, objects, &s->of) == s->serial;
}

// (target, image)
static bool renderbuffer_of_image(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    (void)err;
    const uint64_t handle = gv_trace_uint(gv_trace_argument(call, 1));
    const struct egl_image *i =
        (const struct egl_image *)gv_id_find(images(gl->drawing, &gl->sink), handle);
    struct gv_gl_renderbuffer *r = gv_gl_renderbuffer_find(
        gl->drawing, gl->objects.group, gl->context->renderbuffer);
    if (gv_gl_uint(call, 0) != GL_RENDERBUFFER)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (!r)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!i || !i->of.serial)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(EGL_IMAGE_SOURCE));
    gv_gl_renderbuffer_become(&gl->sink.pass, r, &i->of);
    return true;
}

const struct gv_gl_row gv_gl_egl_image_rows[] = {
    { "glEGLImageTargetRenderbufferStorageOES", renderbuffer_of_image, 0 },
    { NULL, NULL, 0 },
};
