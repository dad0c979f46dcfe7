// glTexParameter in all its forms.
#include "compiler/gl/texture/gl_texture_values.h"

#include <string.h>

// ---- values ----

static bool takes_symbols(uint32_t pname)
{
    switch (pname) {
    case GL_TEXTURE_MIN_FILTER:
    case GL_TEXTURE_MAG_FILTER:
    case GL_TEXTURE_WRAP_S:
    case GL_TEXTURE_WRAP_T:
    case GL_TEXTURE_WRAP_R:
    case GL_TEXTURE_COMPARE_MODE:
    case GL_TEXTURE_COMPARE_FUNC:
    case GL_DEPTH_TEXTURE_MODE:
    case GL_GENERATE_MIPMAP:
        return true;
    default:
        return false;
    }
}

static int32_t whole(double v)
{
    if (!(v > -2147483648.0))
        return INT32_MIN;
    return v >= 2147483647.0 ? INT32_MAX : (int32_t)(v < 0 ? v - 0.5 : v + 0.5);
}

void gv_gl_texture_value(const struct gv_trace_call *call,
                         struct gv_gl_texture_form form,
                         struct gv_gl_texture_value *out)
{
    const struct gv_trace_value *v = gv_trace_argument(call, 2);
    *out = (struct gv_gl_texture_value){ .pname = gv_gl_uint(call, 1),
                                         .vector = form.vector };
    out->fixed = form.fixed && !takes_symbols(out->pname);
    out->count = form.vector && v->kind == GV_TRACE_ARRAY
                     ? (uint32_t)(v->count < 4 ? v->count : 4)
                     : 1;
    for (uint32_t i = 0; i < out->count; i++) {
        double real = gv_trace_real(gv_trace_item(v, i));
        if (out->fixed)
            real /= 65536.0;
        out->real[i] = (float)real;
        out->integer[i] = whole(real);
    }
    for (uint32_t i = 0;
         form.normalized && out->pname == GL_TEXTURE_BORDER_COLOR && i < 4; i++)
        out->real[i] = (float)((2.0 * out->integer[i] + 1) / 4294967295.0);
    for (uint32_t i = 0;
         form.integers && out->pname == GL_TEXTURE_BORDER_COLOR && i < out->count;
         i++) {
        const uint32_t bits = (uint32_t)gv_trace_sint(gv_trace_item(v, i));
        memcpy(&out->real[i], &bits, sizeof bits);
    }
}

// ---- what is legal ----

static bool is_filter(uint32_t v, bool min)
{
    return v == GL_NEAREST || v == GL_LINEAR ||
           (min && v >= GL_NEAREST_MIPMAP_NEAREST && v <= GL_LINEAR_MIPMAP_LINEAR);
}

static bool is_wrap(uint32_t v)
{
    return v == GL_CLAMP || v == GL_REPEAT || v == GL_CLAMP_TO_EDGE ||
           v == GL_CLAMP_TO_BORDER || v == GL_MIRRORED_REPEAT ||
           v == GL_MIRROR_CLAMP_EXT || v == GL_MIRROR_CLAMP_TO_EDGE ||
           v == GL_MIRROR_CLAMP_TO_BORDER_EXT;
}

// Textures without mips that cannot repeat.
static bool is_flat(const struct gv_gl_texture *t)
{
    return t->target == GV_GL_TARGET_RECTANGLE || t->target == GV_GL_TARGET_EXTERNAL;
}

static bool repeats(uint32_t wrap)
{
    return wrap == GL_REPEAT || wrap == GL_MIRRORED_REPEAT;
}

static bool is_swizzle(uint32_t v)
{
    return (v >= GL_RED && v <= GL_ALPHA) || v == GL_ZERO || v == GL_ONE;
}

// ---- setting: GL_NO_ERROR, or GL's error ----

static uint32_t set_if(bool legal, uint32_t *where, uint32_t v)
{
    if (!legal)
        return GL_INVALID_ENUM;
    *where = v;
    return GL_NO_ERROR;
}

static uint32_t set_level(struct gv_gl_texture *t, int32_t *where, int32_t level)
{
    if (level < 0)
        return GL_INVALID_VALUE;
    if (is_flat(t) && level != 0)
        return GL_INVALID_OPERATION;
    *where = level;
    return GL_NO_ERROR;
}

static uint32_t set_border(struct gv_gl_texture_params *p,
                           const struct gv_gl_texture_value *v)
{
    if (!v->vector)
        return GL_INVALID_ENUM;
    memcpy(p->border, v->real, sizeof p->border);
    return GL_NO_ERROR;
}

static uint32_t set_symbol(struct gv_gl_texture_params *p, bool flat,
                           const struct gv_gl_texture_value *v)
{
    uint32_t e = (uint32_t)v->integer[0];
    switch (v->pname) {
    case GL_TEXTURE_MIN_FILTER:
        return set_if(is_filter(e, !flat), &p->min_filter, e);
    case GL_TEXTURE_MAG_FILTER:
        return set_if(is_filter(e, false), &p->mag_filter, e);
    case GL_TEXTURE_WRAP_S:
        return set_if(is_wrap(e) && !(flat && repeats(e)), &p->wrap[0], e);
    case GL_TEXTURE_WRAP_T:
        return set_if(is_wrap(e) && !(flat && repeats(e)), &p->wrap[1], e);
    case GL_TEXTURE_WRAP_R:
        return set_if(is_wrap(e) && !(flat && repeats(e)), &p->wrap[2], e);
    case GL_TEXTURE_COMPARE_MODE:
        return set_if(e == GL_NONE || e == GL_COMPARE_R_TO_TEXTURE, &p->compare_mode,
                      e);
    case GL_TEXTURE_COMPARE_FUNC:
        return set_if(e >= GL_NEVER && e <= GL_ALWAYS, &p->compare_func, e);
    case GL_TEXTURE_SRGB_DECODE_EXT:
        return set_if(e == GL_DECODE_EXT || e == GL_SKIP_DECODE_EXT, &p->srgb_decode,
                      e);
    default:
        return GL_INVALID_ENUM;
    }
}

static uint32_t set_number(struct gv_gl_texture_params *p,
                           const struct gv_gl_texture_value *v)
{
    float f = v->real[0];
    switch (v->pname) {
    case GL_TEXTURE_MIN_LOD:
        p->min_lod = f;
        return GL_NO_ERROR;
    case GL_TEXTURE_MAX_LOD:
        p->max_lod = f;
        return GL_NO_ERROR;
    case GL_TEXTURE_LOD_BIAS:
        p->lod_bias = f;
        return GL_NO_ERROR;
    case GL_TEXTURE_MAX_ANISOTROPY_EXT:
        if (!(f >= 1))
            return GL_INVALID_VALUE;
        p->anisotropy = f;
        return GL_NO_ERROR;
    case GL_TEXTURE_BORDER_COLOR:
        return set_border(p, v);
    case GL_TEXTURE_CUBE_MAP_SEAMLESS:
        if (v->integer[0] != GL_FALSE && v->integer[0] != GL_TRUE)
            return GL_INVALID_VALUE;
        p->seamless = v->integer[0] != GL_FALSE;
        return GL_NO_ERROR;
    default:
        return GL_INVALID_ENUM;
    }
}

uint32_t gv_gl_texture_set_sampling(struct gv_gl_texture_params *p, bool flat,
                                    const struct gv_gl_texture_value *v)
{
    uint32_t error = set_symbol(p, flat, v);
    return error == GL_INVALID_ENUM && !takes_symbols(v->pname) ? set_number(p, v)
                                                                : error;
}

static uint32_t set_swizzle(struct gv_gl_texture_params *p,
                            const struct gv_gl_texture_value *v)
{
    uint32_t first = v->pname - GL_TEXTURE_SWIZZLE_R, count = 1;
    if (v->pname == GL_TEXTURE_SWIZZLE_RGBA) {
        first = 0;
        count = 4;
    }
    if (v->count < count)
        return GL_INVALID_VALUE;
    for (uint32_t i = 0; i < count; i++)
        if (!is_swizzle((uint32_t)v->integer[i]))
            return GL_INVALID_ENUM;
    for (uint32_t i = 0; i < count; i++)
        p->swizzle[first + i] = (uint32_t)v->integer[i];
    return GL_NO_ERROR;
}

// Parameters of the object rather than of how it is sampled.
static uint32_t set_object(struct gv_gl_texture *t, const struct gv_gl_texture_value *v)
{
    struct gv_gl_texture_params *p = &t->params;
    uint32_t e = (uint32_t)v->integer[0];
    switch (v->pname) {
    case GL_DEPTH_TEXTURE_MODE:
        return set_if(e == GL_LUMINANCE || e == GL_INTENSITY || e == GL_ALPHA ||
                          e == GL_RED,
                      &p->depth_mode, e);
    case GL_DEPTH_STENCIL_TEXTURE_MODE:
        return set_if(e == GL_DEPTH_COMPONENT || e == GL_STENCIL_INDEX,
                      &p->stencil_mode, e);
    case GL_TEXTURE_PRIORITY:
        p->priority = v->real[0] > 0 ? v->real[0] < 1 ? v->real[0] : 1 : 0;
        return GL_NO_ERROR;
    case GL_TEXTURE_BASE_LEVEL:
        return set_level(t, &p->base_level, v->integer[0]);
    case GL_TEXTURE_MAX_LEVEL:
        return set_level(t, &p->max_level, v->integer[0]);
    case GL_GENERATE_MIPMAP:
        p->generate_mipmap = v->integer[0] != 0;
        return GL_NO_ERROR;
    case GV_GL_TEXTURE_CROP_RECT_OES:
        for (uint32_t i = 0; i < 4; i++)
            p->crop[i] = v->integer[i];
        return GL_NO_ERROR;
    case GL_TEXTURE_SWIZZLE_R:
    case GL_TEXTURE_SWIZZLE_G:
    case GL_TEXTURE_SWIZZLE_B:
    case GL_TEXTURE_SWIZZLE_A:
    case GL_TEXTURE_SWIZZLE_RGBA:
        return set_swizzle(p, v);
    default:
        return GL_INVALID_ENUM;
    }
}

static bool set(struct gv_gl *gl, uint32_t name, const struct gv_gl_texture_value *v,
                struct gv_error *err)
{
    uint32_t target;
    if (!gv_gl_texture_target(name, &target))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    struct gv_gl_texture *t = gv_gl_texture_bound(
        gl->context, &gl->objects, gl->context->state.texture.active, target);
    if (!t)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    bool levels = v->pname == GL_TEXTURE_BASE_LEVEL || v->pname == GL_TEXTURE_MAX_LEVEL;
    if (levels && !gv_gl_texture_settle(gl, t, err))
        return false;
    uint32_t error = gv_gl_texture_set_sampling(&t->params, is_flat(t), v);
    if (error == GL_INVALID_ENUM)
        error = set_object(t, v);
    if (error)
        return gv_gl_reject(&gl->sink, error);
    t->settled = false;
    return true;
}

// ---- calls ----

static bool parameter(struct gv_gl *gl, const struct gv_trace_call *call,
                      struct gv_gl_texture_form form, struct gv_error *err)
{
    struct gv_gl_texture_value v;
    gv_gl_texture_value(call, form, &v);
    return set(gl, gv_gl_uint(call, 0), &v, err);
}

static bool gl_TexParameterf(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    return parameter(gl, call, (struct gv_gl_texture_form){ 0 }, err);
}

static bool gl_TexParameterfv(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    return parameter(gl, call, (struct gv_gl_texture_form){ .vector = true }, err);
}

static bool gl_TexParameteriv(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    return parameter(gl, call,
                     (struct gv_gl_texture_form){ .vector = true, .normalized = true },
                     err);
}

static bool gl_TexParameterIiv(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    return parameter(
        gl, call, (struct gv_gl_texture_form){ .vector = true, .integers = true }, err);
}

static bool gl_TexParameterx(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    return parameter(gl, call, (struct gv_gl_texture_form){ .fixed = true }, err);
}

static bool gl_TexParameterxv(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    return parameter(gl, call,
                     (struct gv_gl_texture_form){ .vector = true, .fixed = true }, err);
}

const struct gv_gl_row gv_gl_texture_parameter_rows[] = {
    { "glTexParameterf", gl_TexParameterf, GV_GL_LISTED },
    { "glTexParameterfv", gl_TexParameterfv, GV_GL_LISTED },
    { "glTexParameteri", gl_TexParameterf, GV_GL_LISTED },
    { "glTexParameteriv", gl_TexParameteriv, GV_GL_LISTED },
    { "glTexParameterIiv", gl_TexParameterIiv, GV_GL_LISTED },
    { "glTexParameterIuiv", gl_TexParameterIiv, GV_GL_LISTED },
    { "glTexParameterx", gl_TexParameterx, GV_GL_LISTED },
    { "glTexParameterxv", gl_TexParameterxv, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
