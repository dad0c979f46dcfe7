// Samplers of programs: what they are bound to.
#include "compiler/gl/program/program_object.h"
#include "compiler/gl/texture/gl_texture.h"

uint32_t gv_gl_scalar_texels(uint32_t scalar)
{
    if (scalar == GV_GLSL_INT)
        return GV_LOWER_TEXELS_SINT;
    return scalar == GV_GLSL_UINT ? GV_LOWER_TEXELS_UINT : GV_LOWER_TEXELS_FLOAT;
}

uint32_t gv_gl_sampler_target(const struct gv_glsl_sampler *s)
{
    switch (s->dimension) {
    case GV_GLSL_1D:
        return s->arrayed ? GV_GL_TARGET_1D_ARRAY : GV_GL_TARGET_1D;
    case GV_GLSL_2D:
        if (s->multisampled)
            return s->arrayed ? GV_GL_TARGET_2D_SAMPLES_ARRAY : GV_GL_TARGET_2D_SAMPLES;
        return s->arrayed     ? GV_GL_TARGET_2D_ARRAY
               : s->rectangle ? GV_GL_TARGET_RECTANGLE
                              : GV_GL_TARGET_2D;
    case GV_GLSL_3D:
        return GV_GL_TARGET_3D;
    case GV_GLSL_CUBE:
        return s->arrayed ? GV_GL_TARGET_CUBE_ARRAY : GV_GL_TARGET_CUBE;
    case GV_GLSL_BUFFER:
        break;
    }
    return GV_GL_TARGET_BUFFER;
}

static const struct gv_glsl_reflection *known(const struct gv_gl_executable *x,
                                              const struct gv_gl_variant **v)
{
    *v = x->variants;
    while (*v && !(*v)->samplers)
        *v = (*v)->next;
    return *v ? &(*v)->compiled->program.reflection : NULL;
}

void gv_gl_executable_clamps(const struct gv_gl_context *c,
                             const struct gv_gl_objects *objects,
                             const struct gv_gl_executable *x,
                             uint16_t out[GV_MAX_GLSL_CLAMPED])
{
    const bool desktop = c->family == GV_GL_DESKTOP;
    const struct gv_gl_variant *v;
    const struct gv_glsl_reflection *r = known(x, &v);
    for (size_t i = 0; r && i < r->sampler_count && i < GV_MAX_GLSL_CLAMPED; i++) {
        const struct gv_glsl_sampler *s = &r->samplers[i];
        const struct gv_gl_uniform *u = v->samplers[i];
        const uint32_t unit = u ? u->values[0] : 0, target = gv_gl_sampler_target(s);
        if (!s->image && !s->fetch && desktop)
            out[i] = gv_gl_clamp_of_unit(c, objects, unit, target);
        if (!s->image && !s->fetch && !s->shadow && !s->array_size &&
            gv_gl_filters_four(c, objects, unit, target))
            out[i] |= GV_SPIRV_WRAP_FOUR;
        if (s->shadow && gv_gl_has_fractions(c, objects, unit, target))
            out[i] |= GV_SPIRV_WRAP_REFERENCE;
    }
}

static enum gv_glsl_depth of_mode(uint32_t mode, bool modern)
{
    switch (mode) {
    case GL_INTENSITY:
        return GV_GLSL_DEPTH_INTENSITY;
    case GL_ALPHA:
        return modern ? GV_GLSL_DEPTH_INTENSITY : GV_GLSL_DEPTH_ALPHA;
    case GL_RED:
        return GV_GLSL_DEPTH_RED;
    default:
        return GV_GLSL_DEPTH_LUMINANCE;
    }
}

enum gv_glsl_depth gv_gl_executable_depth_mode(const struct gv_gl_context *c,
                                               const struct gv_gl_objects *objects,
                                               const struct gv_gl_executable *x)
{
    const struct gv_gl_variant *v;
    const struct gv_glsl_reflection *r = known(x, &v);
    for (size_t i = 0; r && i < r->sampler_count; i++) {
        const struct gv_gl_uniform *u = v->samplers[i];
        if (!r->samplers[i].shadow)
            continue;
        const uint32_t mode = gv_gl_depth_mode_of_unit(
            c, objects, u ? u->values[0] : 0, gv_gl_sampler_target(&r->samplers[i]));
        return of_mode(mode, x->words & GV_GL_WORD_MODERN);
    }
    return GV_GLSL_DEPTH_LUMINANCE;
}
