// Framebuffer objects: names, attachments, completeness, draw and read buffers.
#include "compiler/gl/base/gl_names.h"
#include "compiler/gl/draw/gl_drawing.h"

#include "compiler/gl/texture/gl_texture.h"
#include "compiler/gl/texture/gl_texture_format.h"

// ---- names ----

static struct gv_id_map *names_of(struct gv_gl_context *c, struct gv_gl_drawing *d,
                                  struct gv_gl_sink *sink)
{
    struct gv_gl_framebuffer_names *n = d->framebuffers;
    while (n && n->context != c)
        n = n->next;
    if (n)
        return &n->map;
    n = gv_arena_alloc(sink->arena, sizeof *n);
    if (!n)
        return NULL;
    n->context = c;
    n->map = (struct gv_id_map){ .arena = sink->arena,
                                 .object_bytes = sizeof(struct gv_gl_framebuffer),
                                 .serials = &sink->serials,
                                 .limit = GV_GL_MAX_FRAMEBUFFERS };
    n->next = d->framebuffers;
    d->framebuffers = n;
    return &n->map;
}

void gv_gl_framebuffers_forget(struct gv_gl_drawing *d,
                               const struct gv_gl_context *context)
{
    struct gv_gl_framebuffer_names **at = &d->framebuffers;
    while (*at && (*at)->context != context)
        at = &(*at)->next;
    if (*at)
        *at = (*at)->next;
}

struct gv_gl_framebuffer *gv_gl_framebuffer_find(struct gv_gl_context *c,
                                                 struct gv_gl_drawing *d,
                                                 struct gv_gl_sink *sink, uint32_t name)
{
    const struct gv_id_map *map = names_of(c, d, sink);
    return map ? (struct gv_gl_framebuffer *)gv_id_find(map, name) : NULL;
}

struct gv_gl_framebuffer *gv_gl_framebuffer_make(struct gv_gl_context *c,
                                                 struct gv_gl_drawing *d,
                                                 struct gv_gl_sink *sink, uint32_t name,
                                                 struct gv_error *err)
{
    struct gv_gl_framebuffer *there = gv_gl_framebuffer_find(c, d, sink, name);
    if (there)
        return there;
    struct gv_id_map *map = names_of(c, d, sink);
    if (!map) {
        gv_out_of_memory(err);
        return NULL;
    }
    struct gv_gl_framebuffer *f =
        (struct gv_gl_framebuffer *)gv_gl_name_make(map, name, "framebuffers", err);
    if (!f)
        return NULL;
    f->draw_buffers[0] = f->read_buffer = GL_COLOR_ATTACHMENT0;
    f->draw_buffer_count = 1;
    return f;
}

static bool bind(struct gv_gl *gl, const struct gv_trace_call *call,
                 struct gv_error *err)
{
    struct gv_gl_context *c = gl->context;
    uint32_t target = gv_gl_uint(call, 0), name = gv_gl_uint(call, 1);
    struct gv_gl_framebuffer *f =
        name ? gv_gl_framebuffer_find(gl->context, gl->drawing, &gl->sink, name) : NULL;
    if (target != GL_FRAMEBUFFER && target != GL_DRAW_FRAMEBUFFER &&
        target != GL_READ_FRAMEBUFFER)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (name && !f) {
        f = gv_gl_framebuffer_make(gl->context, gl->drawing, &gl->sink, name, err);
        if (!f)
            return false;
    }
    if (target != GL_READ_FRAMEBUFFER)
        c->draw_framebuffer = f;
    if (target != GL_DRAW_FRAMEBUFFER)
        c->read_framebuffer = f;
    return true;
}

static bool delete (struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    (void)err;
    struct gv_gl_context *c = gl->context;
    struct gv_id_map *map = names_of(gl->context, gl->drawing, &gl->sink);
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; map && names->kind == GV_TRACE_ARRAY && i < names->count;
         i++) {
        uint32_t name = (uint32_t)gv_trace_uint(gv_trace_item(names, i));
        struct gv_gl_framebuffer *f =
            (struct gv_gl_framebuffer *)gv_id_remove(map, name);
        if (!f)
            continue;
        if (c->draw_framebuffer == f)
            c->draw_framebuffer = NULL;
        if (c->read_framebuffer == f)
            c->read_framebuffer = NULL;
        if (gv_id_release(&f->named))
            gv_id_reuse(map, &f->named);
    }
    return true;
}

// ---- attachments ----

static struct gv_gl_framebuffer *bound(const struct gv_gl_context *c, uint32_t target)
{
    return target == GL_READ_FRAMEBUFFER ? c->read_framebuffer : c->draw_framebuffer;
}

static bool attach(struct gv_gl_sink *sink, struct gv_gl_framebuffer *f, uint32_t point,
                   const struct gv_gl_attachment *a)
{
    uint32_t color = point - GL_COLOR_ATTACHMENT0;
    if (!f)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    if (color < GV_GL_DRAW_BUFFERS) {
        f->colors[color] = *a;
        return true;
    }
    if (point != GL_DEPTH_ATTACHMENT && point != GL_STENCIL_ATTACHMENT &&
        point != GL_DEPTH_STENCIL_ATTACHMENT)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (point != GL_STENCIL_ATTACHMENT)
        f->depth = *a;
    if (point != GL_DEPTH_ATTACHMENT)
        f->stencil = *a;
    return true;
}

// glFramebufferTexture*: where the name, the level and the layer stand.
struct texture_form {
    uint32_t target, name, level, layer; // arguments; 0: there is none
    bool whole;
};

static bool attach_texture(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call,
                           const struct texture_form *form)
{
    struct gv_gl_attachment a = { .name = gv_gl_uint(call, form->name),
                                  .level = gv_gl_uint(call, form->level),
                                  .whole = form->whole };
    uint32_t face = form->target ? gv_gl_uint(call, form->target) : 0;
    if (a.name)
        a.kind = GV_GL_ATTACHED_TEXTURE;
    if (form->layer)
        a.layer = gv_gl_uint(call, form->layer);
    else if (face - GL_TEXTURE_CUBE_MAP_POSITIVE_X < 6)
        a.layer = face - GL_TEXTURE_CUBE_MAP_POSITIVE_X;
    return attach(sink, bound(c, gv_gl_uint(call, 0)), gv_gl_uint(call, 1), &a);
}

static bool texture_2d(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    (void)err;
    return attach_texture(gl->context, &gl->sink, call,
                          &(struct texture_form){ 2, 3, 4, 0, false });
}

static bool texture_3d(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    (void)err;
    return attach_texture(gl->context, &gl->sink, call,
                          &(struct texture_form){ 2, 3, 4, 5, false });
}

static bool texture_layer(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    (void)err;
    return attach_texture(gl->context, &gl->sink, call,
                          &(struct texture_form){ 0, 2, 3, 4, false });
}

static bool texture_whole(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    (void)err;
    return attach_texture(
        gl->context, &gl->sink, call,
        &(struct texture_form){ .name = 2, .level = 3, .whole = true });
}

static bool renderbuffer(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    (void)err;
    struct gv_gl_attachment a = { .name = gv_gl_uint(call, 3) };
    if (a.name && !gv_gl_renderbuffer_find(gl->drawing, gl->objects.group,
                                           a.name)) // what is attached stays
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (a.name)
        a.kind = GV_GL_ATTACHED_RENDERBUFFER;
    return attach(&gl->sink, bound(gl->context, gv_gl_uint(call, 0)),
                  gv_gl_uint(call, 1), &a);
}

static bool texture_image(struct gv_gl *gl, const struct gv_gl_attachment *a,
                          struct gv_gl_attached *out)
{
    struct gv_gl_level level;
    if (!(a->whole ? gv_gl_texture_layers(gl, a->name, a->level, &level)
                   : gv_gl_texture_level(gl, a->name, a->level, a->layer, &level)))
        return false;
    out->lower = (struct gv_lower_attachment){
        .image = level.image,
        .format = level.format,
        .mip = level.mip,
        .layer = level.layer,
        .width = level.width,
        .height = level.height,
        .opaque = level.base_format == GL_RGB,
        .layers = level.layers,
        .made = level.made,
        .volume = level.volume,
        .line = level.line,
    };
    out->samples = level.samples ? level.samples : 1;
    return level.image.id != 0;
}

static bool stored_image(struct gv_lower_pass *pass, struct gv_gl_renderbuffer *r,
                         struct gv_gl_attached *out)
{
    if (!r || !r->internal_format || !r->width || !r->height)
        return false;
    gv_gl_renderbuffer_image(pass, r);
    out->lower = (struct gv_lower_attachment){
        .image = r->image,
        .format = r->format,
        .made = r->format,
        .width = r->width,
        .height = r->height,
        .opaque = r->opaque,
    };
    out->samples = r->samples;
    return true;
}

static bool renderbuffer_image(struct gv_gl *gl, uint32_t name,
                               struct gv_gl_attached *out)
{
    struct gv_gl_renderbuffer *r =
        gv_gl_renderbuffer_find(gl->drawing, gl->objects.group, name);
    if (!r || !r->source.serial)
        return stored_image(&gl->sink.pass, r, out);
    const struct gv_gl_attachment *of = &r->source.of;
    const uint32_t current = gl->objects.group;
    bool there = gv_gl_enter_image_source(gl->drawing, &gl->objects, &r->source);
    if (!there)
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(IMAGE_SOURCE));
    else if (of->kind == GV_GL_ATTACHED_TEXTURE)
        there = texture_image(gl, of, out);
    else
        there = stored_image(
            &gl->sink.pass,
            gv_gl_renderbuffer_find(gl->drawing, gl->objects.group, of->name), out);
    gl->objects.group = current;
    return there;
}

bool gv_gl_attachment_image(struct gv_gl *gl, const struct gv_gl_attachment *a,
                            struct gv_gl_attached *out)
{
    *out = (struct gv_gl_attached){ 0 };
    bool there = false;
    switch (a->kind) {
    case GV_GL_ATTACHED_NONE:
        break;
    case GV_GL_ATTACHED_TEXTURE:
        there = texture_image(gl, a, out);
        break;
    case GV_GL_ATTACHED_RENDERBUFFER:
        there = renderbuffer_image(gl, a->name, out);
        break;
    }
    if (there)
        out->aspects = gv_gl_format_aspects(out->lower.format);
    return there;
}

// ---- completeness ----

// Gathers an attachment: it must have the aspect, and as many samples as the others.
struct gathered {
    uint32_t count, samples, layered, status;
};

static void gather(struct gv_gl *gl, const struct gv_gl_attachment *a, uint32_t aspect,
                   struct gathered *g)
{
    struct gv_gl_attached image;
    if (!a->kind || g->status)
        return;
    if (!gv_gl_attachment_image(gl, a, &image) || !(image.aspects & aspect))
        g->status = GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
    else if (g->count && g->samples != image.samples)
        g->status = GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE;
    else if (g->count && g->layered != (image.lower.layers != 0))
        g->status = GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS;
    g->samples = image.samples;
    g->layered = image.lower.layers != 0;
    g->count++;
}

uint32_t gv_gl_framebuffer_status(struct gv_gl *gl, const struct gv_gl_framebuffer *f)
{
    struct gathered g = { 0 };
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        gather(gl, &f->colors[i], GV_ASPECT_COLOR, &g);
    gather(gl, &f->depth, GV_ASPECT_DEPTH, &g);
    gather(gl, &f->stencil, GV_ASPECT_STENCIL, &g);
    if (g.status)
        return g.status;
    if (!g.count)
        return f->width && f->height ? GL_FRAMEBUFFER_COMPLETE
                                     : GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT;
    bool apart = f->depth.kind && f->stencil.kind &&
                 (f->depth.kind != f->stencil.kind || f->depth.name != f->stencil.name);
    return apart ? GL_FRAMEBUFFER_UNSUPPORTED : GL_FRAMEBUFFER_COMPLETE;
}

bool gv_gl_framebuffer_has_integers(struct gv_gl *gl, const struct gv_gl_framebuffer *f)
{
    struct gv_gl_attached a;
    bool any = false;
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        any = any || (gv_gl_attachment_image(gl, &f->colors[i], &a) &&
                      gv_gl_is_integer(a.lower.format));
    return any;
}

// ---- draw and read buffers ----

static bool is_surface_buffer(uint32_t buffer)
{
    return buffer == GL_NONE ||
           (buffer >= GL_FRONT_LEFT && buffer <= GL_FRONT_AND_BACK);
}

static bool is_object_buffer(uint32_t buffer)
{
    return buffer == GL_NONE || buffer - GL_COLOR_ATTACHMENT0 < GV_GL_DRAW_BUFFERS;
}

// Whether one of `count` buffers goes where `buffer` does.
static bool is_named(const uint32_t *buffers, uint32_t count, uint32_t buffer)
{
    enum gv_gl_surface_part part = GV_GL_SURFACE_BACK, other = GV_GL_SURFACE_FRONT;
    const bool surface = gv_gl_surface_part(buffer, &part);
    for (uint32_t i = 0; i < count; i++)
        if (buffer != GL_NONE &&
            (buffers[i] == buffer ||
             (surface && gv_gl_surface_part(buffers[i], &other) && other == part)))
            return true;
    return false;
}

static bool set_draw_buffers(struct gv_gl_context *c, struct gv_gl_sink *sink,
                             const uint32_t *buffers, uint32_t count)
{
    struct gv_gl_framebuffer *f = c->draw_framebuffer;
    for (uint32_t i = 0; i < count; i++)
        if (!(f ? is_object_buffer : is_surface_buffer)(buffers[i]) ||
            is_named(buffers, i, buffers[i]))
            return gv_gl_reject(sink, GL_INVALID_OPERATION);
    uint32_t *to = f ? f->draw_buffers : c->draw_buffers;
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        to[i] = i < count ? buffers[i] : GL_NONE;
    *(f ? &f->draw_buffer_count : &c->draw_buffer_count) = count;
    return true;
}

static bool draw_buffer(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    (void)err;
    const uint32_t buffer = gv_gl_uint(call, 0);
    return set_draw_buffers(gl->context, &gl->sink, &buffer, 1);
}

static bool draw_buffers(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    (void)err;
    uint32_t buffers[GV_GL_DRAW_BUFFERS];
    const struct gv_trace_value *list = gv_trace_argument(call, 1);
    int32_t count = gv_gl_int(call, 0);
    if (count < 0 || count > (int32_t)GV_GL_DRAW_BUFFERS)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    for (int32_t i = 0; i < count; i++)
        buffers[i] = (uint32_t)gv_trace_uint(gv_trace_item(list, (uint64_t)i));
    return set_draw_buffers(gl->context, &gl->sink, buffers, (uint32_t)count);
}

static bool read_buffer(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    (void)err;
    struct gv_gl_context *c = gl->context;
    uint32_t buffer = gv_gl_uint(call, 0);
    if (!(c->read_framebuffer ? is_object_buffer : is_surface_buffer)(buffer))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    *(c->read_framebuffer ? &c->read_framebuffer->read_buffer : &c->read_buffer) =
        buffer;
    return true;
}

// ---- framebuffers without attachments ----

static bool parameter(struct gv_gl *gl, const struct gv_trace_call *call,
                      struct gv_error *err)
{
    struct gv_gl_framebuffer *f = bound(gl->context, gv_gl_uint(call, 0));
    int32_t value = gv_gl_int(call, 2);
    (void)err;
    if (!f)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (value < 0 || value > (int32_t)GV_GL_MAX_SIDE)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    switch (gv_gl_uint(call, 1)) {
    case GL_FRAMEBUFFER_DEFAULT_WIDTH:
        f->width = (uint32_t)value;
        return true;
    case GL_FRAMEBUFFER_DEFAULT_HEIGHT:
        f->height = (uint32_t)value;
        return true;
    case GL_FRAMEBUFFER_DEFAULT_SAMPLES:
        f->samples = gv_gl_samples(value);
        return true;
    case GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS:
        return true;
    case GL_FRAMEBUFFER_DEFAULT_LAYERS:
        return !value || gv_gl_unsupported(&gl->sink, GV_GL_LACK(EMPTY_LAYERS));
    default:
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    }
}

const struct gv_gl_row gv_gl_framebuffer_rows[] = {
    { "glGenFramebuffers", NULL, 0 },
    { "glBindFramebuffer", bind, 0 },
    { "glDeleteFramebuffers", delete, 0 },
    { "glIsFramebuffer", NULL, 0 },
    { "glCheckFramebufferStatus", NULL, 0 },
    { "glGetFramebufferAttachmentParameteriv", NULL, 0 },
    { "glFramebufferTexture1D", texture_2d, 0 },
    { "glFramebufferTexture2D", texture_2d, 0 },
    { "glFramebufferTexture3D", texture_3d, 0 },
    { "glFramebufferTextureLayer", texture_layer, 0 },
    { "glFramebufferTexture", texture_whole, 0 },
    { "glFramebufferRenderbuffer", renderbuffer, 0 },
    { "glFramebufferParameteri", parameter, 0 },
    { "glDrawBuffer", draw_buffer, GV_GL_LISTED },
    { "glDrawBuffers", draw_buffers, 0 },
    { "glReadBuffer", read_buffer, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
