// Lights, materials, fog: what shades vertices.
#include <string.h>

#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/base/gl_matrix.h"
#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/state/gl_values.h"

// ---- lights ----

// A number of a light that GL keeps within bounds. NULL: `pname` is none of these.
static float *bounded(struct gv_gl_light *l, uint32_t pname, float value, bool *inside)
{
    *inside = value >= 0;
    switch (pname) {
    case GL_SPOT_EXPONENT:
        *inside = value >= 0 && value <= 128;
        return &l->spot_exponent;
    case GL_SPOT_CUTOFF:
        *inside = (value >= 0 && value <= 90) || value == 180;
        return &l->spot_cutoff;
    case GL_CONSTANT_ATTENUATION:
    case GL_LINEAR_ATTENUATION:
    case GL_QUADRATIC_ATTENUATION:
        return &l->attenuation[pname - GL_CONSTANT_ATTENUATION];
    default:
        return NULL;
    }
}

static bool set_light_vector(struct gv_gl_context *c, struct gv_gl_sink *sink,
                             struct gv_gl_light *l, uint32_t pname,
                             const struct gv_gl_values *v)
{
    const struct gv_gl_matrix *modelview = gv_gl_top(&c->modelview);
    float f[4];
    const bool numbers = pname == GL_POSITION || pname == GL_SPOT_DIRECTION;
    const uint32_t n = pname == GL_SPOT_DIRECTION ? 3 : 4;
    if (!(numbers ? gv_gl_value_numbers(v, f, n) : gv_gl_value_color(v, f, n)))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    switch (pname) {
    case GL_AMBIENT:
        memcpy(l->ambient, f, sizeof(f));
        break;
    case GL_DIFFUSE:
        memcpy(l->diffuse, f, sizeof(f));
        break;
    case GL_SPECULAR:
        memcpy(l->specular, f, sizeof(f));
        break;
    case GL_POSITION:
        gv_gl_transform_point(l->position, modelview, f);
        break;
    default:
        gv_gl_transform_direction(l->spot_direction, modelview, f);
    }
    return true;
}

static bool set_Light(struct gv_gl_context *c, struct gv_gl_sink *sink,
                      const struct gv_trace_call *call)
{
    const uint32_t light = gv_gl_uint(call, 0) - GL_LIGHT0, pname = gv_gl_uint(call, 1);
    const struct gv_gl_values v = gv_gl_values(call, 2);
    if (light >= GV_GL_LIGHTS)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    struct gv_gl_light *l = &c->state.lighting.lights[light];
    bool inside;
    const float number = gv_gl_value(&v, 0);
    float *scalar = bounded(l, pname, number, &inside);
    if (scalar && (!inside || v.count < 1))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (scalar) {
        *scalar = number;
        return true;
    }
    if (!v.vector || pname < GL_AMBIENT || pname > GL_SPOT_DIRECTION)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    return set_light_vector(c, sink, l, pname, &v);
}
GV_GL_SETTER(Light)

static bool set_LightModel(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    struct gv_gl_lighting *l = &c->state.lighting;
    const struct gv_gl_values v = gv_gl_values(call, 1);
    const uint32_t number = (uint32_t)gv_gl_value_int(&v, 0);
    float f[4];
    switch (gv_gl_uint(call, 0)) {
    case GL_LIGHT_MODEL_AMBIENT:
        if (!v.vector)
            return gv_gl_reject(sink, GL_INVALID_ENUM);
        if (!gv_gl_value_color(&v, f, 4))
            return gv_gl_reject(sink, GL_INVALID_VALUE);
        memcpy(l->model_ambient, f, sizeof(f));
        return true;
    case GL_LIGHT_MODEL_LOCAL_VIEWER:
        l->local_viewer = gv_gl_value(&v, 0) != 0;
        return true;
    case GL_LIGHT_MODEL_TWO_SIDE:
        l->two_side = gv_gl_value(&v, 0) != 0;
        return true;
    case GL_LIGHT_MODEL_COLOR_CONTROL:
        if (number != GL_SINGLE_COLOR && number != GL_SEPARATE_SPECULAR_COLOR)
            return gv_gl_reject(sink, GL_INVALID_ENUM);
        l->color_control = number;
        return true;
    default:
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    }
}
GV_GL_SETTER(LightModel)

// ---- materials ----

static bool has_face(uint32_t faces, uint32_t face)
{
    return faces == GL_FRONT_AND_BACK || faces == (face ? GL_BACK : GL_FRONT);
}

static bool set_shininess(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          uint32_t faces, float value)
{
    if (!(value >= 0 && value <= 128))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    for (uint32_t face = 0; face < 2; face++)
        if (has_face(faces, face))
            c->state.lighting.material[face].shininess = value;
    return true;
}

static bool set_Material(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         const struct gv_trace_call *call)
{
    struct gv_gl_lighting *l = &c->state.lighting;
    const uint32_t faces = gv_gl_uint(call, 0), pname = gv_gl_uint(call, 1);
    const uint32_t parts = gv_gl_material_parts(pname);
    const struct gv_gl_values v = gv_gl_values(call, 2);
    if (faces != GL_FRONT && faces != GL_BACK && faces != GL_FRONT_AND_BACK)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (pname == GL_SHININESS && v.count > 0)
        return set_shininess(c, sink, faces, gv_gl_value(&v, 0));
    if (!v.vector || (!parts && pname != GL_COLOR_INDEXES))
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    float f[4];
    if (!(parts ? gv_gl_value_color(&v, f, 4) : gv_gl_value_numbers(&v, f, 3)))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (!c->inside_begin)
        c->given.fresh = true;
    for (uint32_t face = 0; face < 2; face++) {
        if (!has_face(faces, face))
            continue;
        const uint32_t given = parts & ~gv_gl_material_tracked(l, face);
        c->given.parts[face] |= given;
        gv_gl_material_set(&c->given.values[face], given, f);
        if (parts)
            gv_gl_material_set(&l->material[face], given, f);
        else
            memcpy(l->material[face].indexes, f, 3 * sizeof(float));
    }
    return true;
}
GV_GL_SETTER(Material)

static bool set_ColorMaterial(struct gv_gl_context *c, struct gv_gl_sink *sink,
                              const struct gv_trace_call *call)
{
    const uint32_t faces = gv_gl_uint(call, 0), mode = gv_gl_uint(call, 1);
    if ((faces != GL_FRONT && faces != GL_BACK && faces != GL_FRONT_AND_BACK) ||
        !gv_gl_material_parts(mode))
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    struct gv_gl_lighting *l = &c->state.lighting;
    if (l->color_material_face == faces && l->color_material_mode == mode)
        return true;
    l->color_material_face = faces;
    l->color_material_mode = mode;
    if (l->color_material)
        gv_gl_material_ask(c);
    gv_gl_material_track(&c->state);
    return true;
}
GV_GL_SETTER(ColorMaterial)

// ---- shading ----

static bool set_ShadeModel(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    const uint32_t model = gv_gl_uint(call, 0);
    if (model != GL_FLAT && model != GL_SMOOTH)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    c->state.lighting.shade_model = model;
    return true;
}
GV_GL_SETTER(ShadeModel)

static bool set_ProvokingVertex(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                const struct gv_trace_call *call)
{
    const uint32_t mode = gv_gl_uint(call, 0);
    if (mode != GL_FIRST_VERTEX_CONVENTION && mode != GL_LAST_VERTEX_CONVENTION)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    c->state.lighting.provoking = mode;
    return true;
}
GV_GL_SETTER(ProvokingVertex)

static bool set_ClampColor(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    const uint32_t target = gv_gl_uint(call, 0), clamp = gv_gl_uint(call, 1);
    if (target != GL_CLAMP_VERTEX_COLOR && target != GL_CLAMP_FRAGMENT_COLOR &&
        target != GL_CLAMP_READ_COLOR)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (clamp != GL_TRUE && clamp != GL_FALSE && clamp != GL_FIXED_ONLY)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (target == GL_CLAMP_VERTEX_COLOR)
        c->state.lighting.clamp_vertex_color = clamp != GL_FALSE;
    return true;
}
GV_GL_SETTER(ClampColor)

// ---- fog ----

static bool set_fog_enum(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         uint32_t pname, uint32_t value)
{
    struct gv_gl_fog *f = &c->state.fog;
    const bool mode = value == GL_LINEAR || value == GL_EXP || value == GL_EXP2;
    if (pname == GL_FOG_MODE && mode)
        f->mode = value;
    else if (pname == GL_FOG_COORDINATE_SOURCE &&
             (value == GL_FOG_COORDINATE || value == GL_FRAGMENT_DEPTH))
        f->coordinate = value;
    else if (pname == GL_FOG_DISTANCE_MODE_NV &&
             (value == GL_EYE_RADIAL_NV || value == GL_EYE_PLANE ||
              value == GL_EYE_PLANE_ABSOLUTE_NV))
        f->distance = value;
    else
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    return true;
}

static bool set_Fog(struct gv_gl_context *c, struct gv_gl_sink *sink,
                    const struct gv_trace_call *call)
{
    struct gv_gl_fog *f = &c->state.fog;
    const uint32_t pname = gv_gl_uint(call, 0);
    const struct gv_gl_values v = gv_gl_values(call, 1);
    const float number = gv_gl_value(&v, 0);
    if (v.count == 0)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    switch (pname) {
    case GL_FOG_DENSITY:
        if (!(number >= 0))
            return gv_gl_reject(sink, GL_INVALID_VALUE);
        f->density = number;
        return true;
    case GL_FOG_START:
        f->start = number;
        return true;
    case GL_FOG_END:
        f->end = number;
        return true;
    case GL_FOG_COLOR:
        return gv_gl_set_color(sink, &v, c->state.fog.color);
    case GL_FOG_INDEX:
        return true; // of windows of colour indices
    default:
        return set_fog_enum(c, sink, pname, (uint32_t)gv_gl_value_int(&v, 0));
    }
}
GV_GL_SETTER(Fog)

#define INSIDE (GV_GL_LISTED | GV_GL_INSIDE)

const struct gv_gl_row gv_gl_light_rows[] = {
    { "glLightf", gl_Light, GV_GL_LISTED },
    { "glLightfv", gl_Light, GV_GL_LISTED },
    { "glLighti", gl_Light, GV_GL_LISTED },
    { "glLightiv", gl_Light, GV_GL_LISTED },
    { "glLightx", gl_Light, GV_GL_LISTED },
    { "glLightxv", gl_Light, GV_GL_LISTED },
    { "glLightModelf", gl_LightModel, GV_GL_LISTED },
    { "glLightModelfv", gl_LightModel, GV_GL_LISTED },
    { "glLightModeli", gl_LightModel, GV_GL_LISTED },
    { "glLightModeliv", gl_LightModel, GV_GL_LISTED },
    { "glLightModelx", gl_LightModel, GV_GL_LISTED },
    { "glLightModelxv", gl_LightModel, GV_GL_LISTED },
    { "glMaterialf", gl_Material, INSIDE },
    { "glMaterialfv", gl_Material, INSIDE },
    { "glMateriali", gl_Material, INSIDE },
    { "glMaterialiv", gl_Material, INSIDE },
    { "glMaterialx", gl_Material, INSIDE },
    { "glMaterialxv", gl_Material, INSIDE },
    { "glColorMaterial", gl_ColorMaterial, GV_GL_LISTED },
    { "glShadeModel", gl_ShadeModel, GV_GL_LISTED },
    { "glProvokingVertex", gl_ProvokingVertex, GV_GL_LISTED },
    { "glClampColor", gl_ClampColor, GV_GL_LISTED },
    { "glFogf", gl_Fog, GV_GL_LISTED },
    { "glFogfv", gl_Fog, GV_GL_LISTED },
    { "glFogi", gl_Fog, GV_GL_LISTED },
    { "glFogiv", gl_Fog, GV_GL_LISTED },
    { "glFogx", gl_Fog, GV_GL_LISTED },
    { "glFogxv", gl_Fog, GV_GL_LISTED },
    { 0 },
};
