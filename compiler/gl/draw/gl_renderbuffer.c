// Renderbuffers: names, storage, images made when first drawn to.
#include "compiler/gl/base/gl_names.h"
#include "compiler/gl/draw/gl_drawing.h"
#include "vm/formats.h"

// ---- formats ----

// What a device image stands for a renderbuffer of each internal format.
static const struct row {
    uint32_t internal_format, format;
    bool opaque;
} rows[] = {
    { GL_RGBA, GV_FORMAT_R8G8B8A8_UNORM, false },
    { GL_RGBA2, GV_FORMAT_B4G4R4A4_UNORM_PACK16, false },
    { GL_RGBA4, GV_FORMAT_B4G4R4A4_UNORM_PACK16, false },
    { GL_RGB5_A1, GV_FORMAT_A1R5G5B5_UNORM_PACK16, false },
    { GL_RGBA8, GV_FORMAT_R8G8B8A8_UNORM, false },
    { GL_RGB10_A2, GV_FORMAT_A2B10G10R10_UNORM_PACK32, false },
    { GL_RGBA12, GV_FORMAT_R16G16B16A16_UNORM, false },
    { GL_RGBA16, GV_FORMAT_R16G16B16A16_UNORM, false },
    { GL_SRGB8_ALPHA8, GV_FORMAT_R8G8B8A8_SRGB, false },
    { GL_RGB, GV_FORMAT_R8G8B8A8_UNORM, true },
    { GL_R3_G3_B2, GV_FORMAT_R8G8B8A8_UNORM, true },
    { GL_RGB4, GV_FORMAT_B4G4R4A4_UNORM_PACK16, true },
    { GL_RGB5, GV_FORMAT_A1R5G5B5_UNORM_PACK16, true },
    { GL_RGB565, GV_FORMAT_R5G6B5_UNORM_PACK16, true },
    { GL_RGB8, GV_FORMAT_R8G8B8A8_UNORM, true },
    { GL_RGB10, GV_FORMAT_A2B10G10R10_UNORM_PACK32, true },
    { GL_RGB12, GV_FORMAT_R16G16B16A16_UNORM, true },
    { GL_RGB16, GV_FORMAT_R16G16B16A16_UNORM, true },
    { GL_SRGB8, GV_FORMAT_R8G8B8A8_SRGB, true },
    { GL_RED, GV_FORMAT_R8_UNORM, false },
    { GL_R8, GV_FORMAT_R8_UNORM, false },
    { GL_R16, GV_FORMAT_R16_UNORM, false },
    { GL_RG, GV_FORMAT_R8G8_UNORM, false },
    { GL_RG8, GV_FORMAT_R8G8_UNORM, false },
    { GL_RG16, GV_FORMAT_R16G16_UNORM, false },
    { GL_R16F, GV_FORMAT_R16_SFLOAT, false },
    { GL_RG16F, GV_FORMAT_R16G16_SFLOAT, false },
    { GL_RGB16F, GV_FORMAT_R16G16B16A16_SFLOAT, true },
    { GL_RGBA16F, GV_FORMAT_R16G16B16A16_SFLOAT, false },
    { GL_R32F, GV_FORMAT_R32_SFLOAT, false },
    { GL_RG32F, GV_FORMAT_R32G32_SFLOAT, false },
    { GL_RGB32F, GV_FORMAT_R32G32B32A32_SFLOAT, true },
    { GL_RGBA32F, GV_FORMAT_R32G32B32A32_SFLOAT, false },
    { GL_R11F_G11F_B10F, GV_FORMAT_B10G11R11_UFLOAT_PACK32, false },
    { GL_R8I, GV_FORMAT_R8_SINT, false },
    { GL_R8UI, GV_FORMAT_R8_UINT, false },
    { GL_R16I, GV_FORMAT_R16_SINT, false },
    { GL_R16UI, GV_FORMAT_R16_UINT, false },
    { GL_R32I, GV_FORMAT_R32_SINT, false },
    { GL_R32UI, GV_FORMAT_R32_UINT, false },
    { GL_RG8I, GV_FORMAT_R8G8_SINT, false },
    { GL_RG8UI, GV_FORMAT_R8G8_UINT, false },
    { GL_RG16I, GV_FORMAT_R16G16_SINT, false },
    { GL_RG16UI, GV_FORMAT_R16G16_UINT, false },
    { GL_RG32I, GV_FORMAT_R32G32_SINT, false },
    { GL_RG32UI, GV_FORMAT_R32G32_UINT, false },
    { GL_RGBA8I, GV_FORMAT_R8G8B8A8_SINT, false },
    { GL_RGBA8UI, GV_FORMAT_R8G8B8A8_UINT, false },
    { GL_RGBA16I, GV_FORMAT_R16G16B16A16_SINT, false },
    { GL_RGBA16UI, GV_FORMAT_R16G16B16A16_UINT, false },
    { GL_RGBA32I, GV_FORMAT_R32G32B32A32_SINT, false },
    { GL_RGBA32UI, GV_FORMAT_R32G32B32A32_UINT, false },
    { GL_RGB10_A2UI, GV_FORMAT_A2B10G10R10_UINT_PACK32, false },
    { GL_RGB8I, GV_FORMAT_R8G8B8A8_SINT, true },
    { GL_RGB8UI, GV_FORMAT_R8G8B8A8_UINT, true },
    { GL_RGB16I, GV_FORMAT_R16G16B16A16_SINT, true },
    { GL_RGB16UI, GV_FORMAT_R16G16B16A16_UINT, true },
    { GL_RGB32I, GV_FORMAT_R32G32B32A32_SINT, true },
    { GL_RGB32UI, GV_FORMAT_R32G32B32A32_UINT, true },
    { GL_R8_SNORM, GV_FORMAT_R8_SNORM, false },
    { GL_RG8_SNORM, GV_FORMAT_R8G8_SNORM, false },
    { GL_RGBA8_SNORM, GV_FORMAT_R8G8B8A8_SNORM, false },
    { GL_R16_SNORM, GV_FORMAT_R16_SNORM, false },
    { GL_RG16_SNORM, GV_FORMAT_R16G16_SNORM, false },
    { GL_RGBA16_SNORM, GV_FORMAT_R16G16B16A16_SNORM, false },
    { GL_DEPTH_COMPONENT16, GV_FORMAT_D16_UNORM, false },
    { GL_DEPTH_COMPONENT32F, GV_FORMAT_D32_SFLOAT, false },
    { GL_DEPTH32F_STENCIL8, GV_FORMAT_D32_SFLOAT_S8_UINT, false },
    // The others of depth and stencil: as the target has it.
    { GL_DEPTH_COMPONENT, GV_FORMAT_NONE, false },
    { GL_DEPTH_COMPONENT24, GV_FORMAT_NONE, false },
    { GL_DEPTH_COMPONENT32, GV_FORMAT_NONE, false },
    { GL_DEPTH_STENCIL, GV_FORMAT_NONE, false },
    { GL_DEPTH24_STENCIL8, GV_FORMAT_NONE, false },
    { GL_STENCIL_INDEX, GV_FORMAT_NONE, false },
    { GL_STENCIL_INDEX1, GV_FORMAT_NONE, false },
    { GL_STENCIL_INDEX4, GV_FORMAT_NONE, false },
    { GL_STENCIL_INDEX8, GV_FORMAT_NONE, false },
    { GL_STENCIL_INDEX16, GV_FORMAT_NONE, false },
};

static const struct row *row_of(uint32_t internal_format)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].internal_format == internal_format)
            return &rows[i];
    return NULL;
}

// The nearest format that the target has.
static uint32_t format_of(struct gv_builder *b, const struct row *row)
{
    if (row->format && gv_builder_target_has_format(b, row->format))
        return row->format;
    bool color = row->format && gv_gl_format_aspects(row->format) == GV_ASPECT_COLOR;
    return color ? GV_FORMAT_R16G16B16A16_SFLOAT : gv_gl_depth_stencil_format(b);
}

// ---- images ----

void gv_gl_renderbuffer_image(struct gv_lower_pass *pass, struct gv_gl_renderbuffer *r)
{
    if (r->image.id || !r->width || !r->height)
        return;
    uint32_t usage = gv_gl_format_aspects(r->format) == GV_ASPECT_COLOR
                         ? GV_IMAGE_USAGE_COLOR_ATTACHMENT
                         : GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT;
    r->image = gv_emit(
        gv_lower_transfer(pass), image_create, .type = GV_IMAGE_TYPE_2D,
        .format = r->format, .width = r->width, .height = r->height, .depth = 1,
        .mips = 1, .layers = 1, .samples = r->samples, .usage = usage,
        .flags =
            r->format == GV_FORMAT_R8G8B8A8_SRGB ? GV_IMAGE_FLAG_MUTABLE_FORMAT : 0);
}

static void drop_image(struct gv_lower_pass *pass, struct gv_gl_renderbuffer *r)
{
    if (r->image.id)
        gv_emit(gv_lower_transfer(pass), image_destroy, .image = r->image);
    r->image = GV_NO_IMAGE;
}

// ---- names ----

struct gv_gl_renderbuffer *gv_gl_renderbuffer_find(struct gv_gl_drawing *d,
                                                   uint32_t group, uint32_t name)
{
    return (struct gv_gl_renderbuffer *)gv_id_find(&d->renderbuffers,
                                                   gv_gl_key(group, name));
}

static bool bind(struct gv_gl *gl, const struct gv_trace_call *call,
                 struct gv_error *err)
{
    uint32_t name = gv_gl_uint(call, 1);
    if (gv_gl_uint(call, 0) != GL_RENDERBUFFER)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (name && !gv_gl_renderbuffer_find(gl->drawing, gl->objects.group, name) &&
        !gv_gl_name_make(&gl->drawing->renderbuffers,
                         gv_gl_key(gl->objects.group, name), "renderbuffers", err))
        return false;
    gl->context->renderbuffer = name;
    return true;
}

static void drop(struct gv_gl_drawing *d, uint32_t group, struct gv_lower_pass *pass,
                 uint32_t name)
{
    struct gv_id_map *m = &d->renderbuffers;
    struct gv_named *o = gv_id_remove(m, gv_gl_key(group, name));
    if (!o || !gv_id_release(o))
        return;
    drop_image(pass, (struct gv_gl_renderbuffer *)o);
    gv_id_reuse(m, o);
}

void gv_gl_renderbuffers_end_group(struct gv_gl_drawing *d, uint32_t group,
                                   struct gv_lower_pass *pass)
{
    const struct gv_id_map *m = &d->renderbuffers;
    for (uint32_t i = 0; i < m->capacity; i++)
        if (gv_gl_name_at(group, m, i))
            drop(d, group, pass, gv_gl_name_at(group, m, i));
}

static bool delete (struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    (void)err;
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; i < names->count && names->kind == GV_TRACE_ARRAY; i++) {
        uint32_t name = (uint32_t)gv_trace_uint(gv_trace_item(names, i));
        if (gl->context->renderbuffer == name)
            gl->context->renderbuffer = 0;
        drop(gl->drawing, gl->objects.group, &gl->sink.pass, name);
    }
    return true;
}

// ---- storage ----

uint32_t gv_gl_samples(int32_t asked)
{
    return asked <= 1 ? 1 : 4;
}

struct storage {
    uint32_t name;
    int32_t samples;
    uint32_t internal_format;
    int32_t width, height;
};

void gv_gl_renderbuffer_become(struct gv_lower_pass *pass, struct gv_gl_renderbuffer *r,
                               const struct gv_gl_image_source *source)
{
    drop_image(pass, r);
    r->internal_format = 0;
    r->source = *source;
}

static bool store(struct gv_gl_drawing *d, uint32_t group, struct gv_gl_sink *sink,
                  const struct storage *s)
{
    struct gv_gl_renderbuffer *r = gv_gl_renderbuffer_find(d, group, s->name);
    const struct row *row = row_of(s->internal_format);
    if (!r)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    if (!row)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (s->width < 0 || s->height < 0 || s->samples < 0 || s->samples > 4 ||
        s->width > (int32_t)GV_GL_MAX_SIDE || s->height > (int32_t)GV_GL_MAX_SIDE)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (s->internal_format == GL_R3_G3_B2)
        gv_gl_unsupported(sink, GV_GL_LACK(FEW_BITS));
    drop_image(&sink->pass, r);
    r->source = (struct gv_gl_image_source){ 0 };
    r->internal_format = s->internal_format;
    r->format = format_of(sink->b, row);
    r->opaque = row->opaque;
    r->width = (uint32_t)s->width;
    r->height = (uint32_t)s->height;
    r->samples = gv_gl_samples(s->samples);
    return true;
}

static bool storage(struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    (void)err;
    return store(gl->drawing, gl->objects.group, &gl->sink,
                 &(struct storage){ gl->context->renderbuffer, 0, gv_gl_uint(call, 1),
                                    gv_gl_int(call, 2), gv_gl_int(call, 3) });
}

static bool storage_samples(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    (void)err;
    return store(gl->drawing, gl->objects.group, &gl->sink,
                 &(struct storage){ gl->context->renderbuffer, gv_gl_int(call, 1),
                                    gv_gl_uint(call, 2), gv_gl_int(call, 3),
                                    gv_gl_int(call, 4) });
}

const struct gv_gl_row gv_gl_renderbuffer_rows[] = {
    { "glGenRenderbuffers", NULL, 0 },
    { "glBindRenderbuffer", bind, 0 },
    { "glDeleteRenderbuffers", delete, 0 },
    { "glIsRenderbuffer", NULL, 0 },
    { "glGetRenderbufferParameteriv", NULL, 0 },
    { "glRenderbufferStorage", storage, 0 },
    { "glRenderbufferStorageMultisample", storage_samples, 0 },
    { NULL, NULL, 0 },
};
