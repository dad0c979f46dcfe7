// Texture units of the fixed function: which one is active, environments, generated
// coordinates. EXT_direct_state_access names the unit first (glMultiTexEnvf ...).
#include <string.h>

#include "compiler/gl/base/gl_matrix.h"
#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/state/gl_values.h"

static bool set_ActiveTexture(struct gv_gl_context *c, struct gv_gl_sink *sink,
                              const struct gv_trace_call *call)
{
    const uint32_t unit = gv_gl_uint(call, 0) - GL_TEXTURE0;
    if (unit >= GV_GL_IMAGE_UNITS)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    c->state.texture.active = unit;
    return true;
}
GV_GL_SETTER(ActiveTexture)

// The unit that a call sets, and the argument that is its target or coordinate. NULL:
// there is none.
static struct gv_gl_unit *unit_of(struct gv_gl_context *c,
                                  const struct gv_trace_call *call, uint32_t *first)
{
    struct gv_gl_texture_state *t = &c->state.texture;
    const bool named = strncmp(call->function->name, "glMulti", 7) == 0;
    const uint32_t unit = named ? gv_gl_uint(call, 0) - GL_TEXTURE0 : t->active;
    *first = named;
    return unit < GV_GL_UNITS ? &t->units[unit] : NULL;
}

static bool is_one_of(uint32_t value, const uint32_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}
#define IS_ONE_OF(value, list) is_one_of(value, list, sizeof(list) / sizeof(list[0]))

// ---- combiners ----

static bool is_function(uint32_t f, bool alpha)
{
    static const uint32_t functions[] = {
        GL_REPLACE,
        GL_MODULATE,
        GL_ADD,
        GL_ADD_SIGNED,
        GL_INTERPOLATE,
        GL_SUBTRACT,
        GL_MODULATE_ADD_ATI,
        GL_MODULATE_SIGNED_ADD_ATI,
        GL_MODULATE_SUBTRACT_ATI,
    };
    static const uint32_t dots[] = { GL_DOT3_RGB, GL_DOT3_RGBA, GL_DOT3_RGB_EXT,
                                     GL_DOT3_RGBA_EXT };
    return IS_ONE_OF(f, functions) || (!alpha && IS_ONE_OF(f, dots));
}

static bool is_source(uint32_t s)
{
    static const uint32_t sources[] = { GL_TEXTURE,  GL_CONSTANT, GL_PRIMARY_COLOR,
                                        GL_PREVIOUS, GL_ZERO,     GL_ONE };
    return IS_ONE_OF(s, sources) || s - GL_TEXTURE0 < GV_GL_UNITS;
}

static bool is_operand(uint32_t o, bool alpha)
{
    return o == GL_SRC_ALPHA || o == GL_ONE_MINUS_SRC_ALPHA ||
           (!alpha && (o == GL_SRC_COLOR || o == GL_ONE_MINUS_SRC_COLOR));
}

// Which member of the combiner a name stands for, and whether a value fits it. NULL:
// none.
static uint32_t *combine_member(struct gv_gl_combine *c, uint32_t pname, uint32_t value,
                                bool *fits)
{
    const bool alpha = pname == GL_COMBINE_ALPHA ||
                       (pname >= GL_SOURCE0_ALPHA && pname < GL_SOURCE0_ALPHA + 4) ||
                       (pname >= GL_OPERAND0_ALPHA && pname < GL_OPERAND0_ALPHA + 4);
    if (pname == GL_COMBINE_RGB || pname == GL_COMBINE_ALPHA) {
        *fits = is_function(value, alpha);
        return &c->function[alpha];
    }
    const uint32_t source = pname - (alpha ? GL_SOURCE0_ALPHA : GL_SOURCE0_RGB);
    if (source < 4) {
        *fits = is_source(value);
        return &c->source[alpha][source];
    }
    const uint32_t operand = pname - (alpha ? GL_OPERAND0_ALPHA : GL_OPERAND0_RGB);
    *fits = is_operand(value, alpha);
    return operand < 4 ? &c->operand[alpha][operand] : NULL;
}

// ---- glTexEnv ----

static bool set_scale(struct gv_gl_sink *sink, float *scale, float value)
{
    if (value != 1 && value != 2 && value != 4)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    *scale = value;
    return true;
}

static bool set_env(struct gv_gl_sink *sink, struct gv_gl_unit *unit, uint32_t pname,
                    const struct gv_gl_values *v)
{
    static const uint32_t modes[] = { GL_MODULATE,   GL_BLEND, GL_DECAL,
                                      GL_REPLACE,    GL_ADD,   GL_COMBINE,
                                      GL_COMBINE4_NV };
    const uint32_t value = (uint32_t)gv_gl_value_int(v, 0);
    bool fits = false;
    switch (pname) {
    case GL_TEXTURE_ENV_MODE:
        if (value == GL_REPLACE_EXT) {
            unit->env_mode = GL_REPLACE;
            return true;
        }
        if (!IS_ONE_OF(value, modes))
            return gv_gl_reject(sink, GL_INVALID_ENUM);
        unit->env_mode = value;
        return true;
    case GL_TEXTURE_ENV_COLOR:
        return gv_gl_set_color(sink, v, unit->env_color);
    case GL_RGB_SCALE:
        return set_scale(sink, &unit->combine.scale[0], gv_gl_value(v, 0));
    case GL_ALPHA_SCALE:
        return set_scale(sink, &unit->combine.scale[1], gv_gl_value(v, 0));
    default: {
        uint32_t *member = combine_member(&unit->combine, pname, value, &fits);
        if (!member || !fits)
            return gv_gl_reject(sink, GL_INVALID_ENUM);
        *member = value;
        return true;
    }
    }
}

static bool set_TexEnv(struct gv_gl_context *c, struct gv_gl_sink *sink,
                       const struct gv_trace_call *call)
{
    uint32_t first;
    struct gv_gl_unit *unit = unit_of(c, call, &first);
    if (!unit)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    const uint32_t target = gv_gl_uint(call, first),
                   pname = gv_gl_uint(call, first + 1);
    const struct gv_gl_values v = gv_gl_values(call, first + 2);
    if (v.count == 0)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (target == GL_TEXTURE_ENV)
        return set_env(sink, unit, pname, &v);
    if (target == GL_TEXTURE_FILTER_CONTROL && pname == GL_TEXTURE_LOD_BIAS)
        unit->lod_bias = gv_gl_value(&v, 0);
    else if (target == GL_POINT_SPRITE && pname == GL_COORD_REPLACE)
        unit->coord_replace = gv_gl_value_int(&v, 0) != 0;
    else
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    return true;
}
GV_GL_SETTER(TexEnv)

// ---- glTexGen ----

// Whether coordinate `i` (s, t, r, q) can be generated so.
static bool is_generation(uint32_t mode, uint32_t i)
{
    switch (mode) {
    case GL_OBJECT_LINEAR:
    case GL_EYE_LINEAR:
        return true;
    case GL_SPHERE_MAP:
        return i < 2;
    case GL_REFLECTION_MAP:
    case GL_NORMAL_MAP:
        return i < 3;
    default:
        return false;
    }
}

static bool set_generation(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           struct gv_gl_texgen *g, uint32_t pname,
                           const struct gv_gl_values *v)
{
    float plane[4];
    if (!v->vector || (pname != GL_OBJECT_PLANE && pname != GL_EYE_PLANE))
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (!gv_gl_value_numbers(v, plane, 4))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (pname == GL_OBJECT_PLANE)
        memcpy(g->object_plane, plane, sizeof(plane));
    else
        gv_gl_transform_plane(g->eye_plane, gv_gl_top(&c->modelview), plane);
    return true;
}

static bool set_generation_mode(struct gv_gl_sink *sink, struct gv_gl_unit *unit,
                                uint32_t coordinates, uint32_t mode)
{
    for (uint32_t i = 0; i < 4; i++)
        if (coordinates >> i & 1 && !is_generation(mode, i))
            return gv_gl_reject(sink, GL_INVALID_ENUM);
    for (uint32_t i = 0; i < 4; i++)
        if (coordinates >> i & 1)
            unit->texgen[i].mode = mode;
    return true;
}

static bool set_TexGen(struct gv_gl_context *c, struct gv_gl_sink *sink,
                       const struct gv_trace_call *call)
{
    uint32_t first;
    struct gv_gl_unit *unit = unit_of(c, call, &first);
    if (!unit)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    const uint32_t name = gv_gl_uint(call, first), pname = gv_gl_uint(call, first + 1);
    const struct gv_gl_values v = gv_gl_values(call, first + 2);
    const bool three = name == GL_TEXTURE_GEN_STR_OES;
    if (!three && name - GL_S > 3)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (v.count == 0)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (pname == GL_TEXTURE_GEN_MODE)
        return set_generation_mode(sink, unit, three ? 7u : 1u << (name - GL_S),
                                   (uint32_t)gv_gl_value_int(&v, 0));
    if (three)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    return set_generation(c, sink, &unit->texgen[name - GL_S], pname, &v);
}
GV_GL_SETTER(TexGen)

const struct gv_gl_row gv_gl_texture_environment_rows[] = {
    { "glActiveTexture", gl_ActiveTexture, GV_GL_LISTED },
    { "glTexEnvf", gl_TexEnv, GV_GL_LISTED },
    { "glTexEnvfv", gl_TexEnv, GV_GL_LISTED },
    { "glTexEnvi", gl_TexEnv, GV_GL_LISTED },
    { "glTexEnviv", gl_TexEnv, GV_GL_LISTED },
    { "glTexEnvx", gl_TexEnv, GV_GL_LISTED },
    { "glTexEnvxv", gl_TexEnv, GV_GL_LISTED },
    { "glMultiTexEnvfEXT", gl_TexEnv, GV_GL_LISTED },
    { "glMultiTexEnvfvEXT", gl_TexEnv, GV_GL_LISTED },
    { "glMultiTexEnviEXT", gl_TexEnv, GV_GL_LISTED },
    { "glMultiTexEnvivEXT", gl_TexEnv, GV_GL_LISTED },
    { "glTexGend", gl_TexGen, GV_GL_LISTED },
    { "glTexGendv", gl_TexGen, GV_GL_LISTED },
    { "glTexGenf", gl_TexGen, GV_GL_LISTED },
    { "glTexGenfv", gl_TexGen, GV_GL_LISTED },
    { "glTexGeni", gl_TexGen, GV_GL_LISTED },
    { "glTexGeniv", gl_TexGen, GV_GL_LISTED },
    { "glTexGenx", gl_TexGen, GV_GL_LISTED },
    { "glTexGenxv", gl_TexGen, GV_GL_LISTED },
    { "glMultiTexGendEXT", gl_TexGen, GV_GL_LISTED },
    { "glMultiTexGendvEXT", gl_TexGen, GV_GL_LISTED },
    { "glMultiTexGenfEXT", gl_TexGen, GV_GL_LISTED },
    { "glMultiTexGenfvEXT", gl_TexGen, GV_GL_LISTED },
    { "glMultiTexGeniEXT", gl_TexGen, GV_GL_LISTED },
    { "glMultiTexGenivEXT", gl_TexGen, GV_GL_LISTED },
    { 0 },
};
