// Sampler objects: how textures are sampled, apart from the textures. Units have them.
#include "compiler/gl/base/gl_names.h"
#include "compiler/gl/texture/gl_texture_values.h"

static struct gv_gl_sampler *find(const struct gv_gl_objects *objects, uint32_t name)
{
    return (struct gv_gl_sampler *)gv_id_find(&objects->textures->samplers,
                                              gv_gl_key(objects->group, name));
}

const struct gv_gl_sampler *gv_gl_unit_sampler(const struct gv_gl_context *c,
                                               const struct gv_gl_objects *objects,
                                               uint32_t unit)
{
    const uint32_t name = c->samplers[unit];
    return name ? find(objects, name) : NULL;
}

// That of a name, made if there is none: recordings may begin late.
static struct gv_gl_sampler *obtain(struct gv_gl_objects *objects,
                                    struct gv_gl_sink *sink, uint32_t name,
                                    struct gv_error *err)
{
    struct gv_gl_sampler *s = find(objects, name);
    if (s)
        return s;
    s = (struct gv_gl_sampler *)gv_gl_name_make(
        &objects->textures->samplers, gv_gl_key(objects->group, name), "samplers", err);
    if (!s)
        return NULL;
    struct gv_gl_texture initial = { 0 };
    gv_gl_texture_init(&initial, GV_GL_TARGET_2D);
    s->params = initial.params;
    s->version = ++sink->serials;
    return s;
}

// ---- calls ----

static bool bind(struct gv_gl *gl, const struct gv_trace_call *call,
                 struct gv_error *err)
{
    const uint32_t unit = gv_gl_uint(call, 0), name = gv_gl_uint(call, 1);
    if (unit >= GV_GL_IMAGE_UNITS)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (name && !obtain(&gl->objects, &gl->sink, name, err))
        return false;
    gl->context->samplers[unit] = name;
    return true;
}

static bool bind_several(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    const uint32_t first = gv_gl_uint(call, 0);
    const int64_t count = gv_gl_int(call, 1);
    const struct gv_trace_value *names = gv_trace_argument(call, 2);
    if (count < 0 || first + (uint64_t)count > GV_GL_IMAGE_UNITS)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        const uint32_t name = (uint32_t)gv_trace_uint(gv_trace_item(names, i));
        if (name && !obtain(&gl->objects, &gl->sink, name, err))
            return false;
        gl->context->samplers[first + i] = name;
    }
    return true;
}

static void drop(struct gv_gl_objects *objects, uint32_t name)
{
    struct gv_id_map *m = &objects->textures->samplers;
    struct gv_named *s = gv_id_remove(m, gv_gl_key(objects->group, name));
    if (s && gv_id_release(s))
        gv_id_reuse(m, s);
}

void gv_gl_samplers_end_group(struct gv_gl_objects *objects)
{
    const struct gv_id_map *m = &objects->textures->samplers;
    for (uint32_t i = 0; i < m->capacity; i++)
        if (gv_gl_name_at(objects->group, m, i))
            drop(objects, gv_gl_name_at(objects->group, m, i));
}

static bool delete (struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    (void)err;
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; names->kind == GV_TRACE_ARRAY && i < names->count; i++) {
        const uint32_t name = (uint32_t)gv_trace_uint(gv_trace_item(names, i));
        for (uint32_t unit = 0; unit < GV_GL_IMAGE_UNITS; unit++)
            if (gl->context->samplers[unit] == name)
                gl->context->samplers[unit] = 0;
        drop(&gl->objects, name);
    }
    return true;
}

static bool set(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                const struct gv_trace_call *call, struct gv_gl_texture_form form,
                struct gv_error *err)
{
    struct gv_gl_texture_value v;
    const uint32_t name = gv_gl_uint(call, 0);
    gv_gl_texture_value(call, form, &v);
    if (!name)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    struct gv_gl_sampler *s = obtain(objects, sink, name, err);
    if (!s)
        return false;
    const uint32_t error = gv_gl_texture_set_sampling(&s->params, false, &v);
    if (error)
        return gv_gl_reject(sink, error);
    s->version = ++sink->serials;
    return true;
}

static bool parameter(struct gv_gl *gl, const struct gv_trace_call *call,
                      struct gv_error *err)
{
    return set(&gl->objects, &gl->sink, call, (struct gv_gl_texture_form){ 0 }, err);
}

static bool parameter_v(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    return set(&gl->objects, &gl->sink, call,
               (struct gv_gl_texture_form){ .vector = true }, err);
}

static bool parameter_iv(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    return set(&gl->objects, &gl->sink, call,
               (struct gv_gl_texture_form){ .vector = true, .normalized = true }, err);
}

static bool parameter_Iiv(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    return set(&gl->objects, &gl->sink, call,
               (struct gv_gl_texture_form){ .vector = true, .integers = true }, err);
}

const struct gv_gl_row gv_gl_sampler_rows[] = {
    { "glGenSamplers", NULL, 0 },
    { "glCreateSamplers", NULL, 0 },
    { "glDeleteSamplers", delete, 0 },
    { "glBindSampler", bind, 0 },
    { "glBindSamplers", bind_several, 0 },
    { "glSamplerParameteri", parameter, 0 },
    { "glSamplerParameterf", parameter, 0 },
    { "glSamplerParameteriv", parameter_iv, 0 },
    { "glSamplerParameterfv", parameter_v, 0 },
    { "glSamplerParameterIiv", parameter_Iiv, 0 },
    { "glSamplerParameterIuiv", parameter_Iiv, 0 },
    { NULL, NULL, 0 },
};
