// Depth, stencil, alpha, masks and what buffers are cleared to.
#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/state/gl_values.h"

static bool is_comparison(uint32_t func)
{
    return func >= GL_NEVER && func <= GL_ALWAYS;
}

static double unit(double v)
{
    return v > 0 ? (v < 1 ? v : 1) : 0;
}

// ---- depth ----

static bool set_DepthFunc(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    if (!is_comparison(gv_gl_uint(call, 0)))
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    c->state.depth.func = gv_gl_uint(call, 0);
    return true;
}
GV_GL_SETTER(DepthFunc)

static bool set_DepthMask(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    (void)sink;
    c->state.depth.write = gv_gl_uint(call, 0) != 0;
    return true;
}
GV_GL_SETTER(DepthMask)

static bool set_ClearDepth(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    (void)sink;
    c->state.depth.clear = unit(gv_trace_real(gv_trace_argument(call, 0)));
    return true;
}
GV_GL_SETTER(ClearDepth)

static bool set_ClearDepthx(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_trace_call *call)
{
    (void)sink;
    c->state.depth.clear = unit(gv_gl_int(call, 0) / 65536.0);
    return true;
}
GV_GL_SETTER(ClearDepthx)

// ---- stencil ----

void gv_gl_settle_stencil(struct gv_gl_stencil *s)
{
    s->face[1] = s->back[s->two_side];
}

static bool is_operation(uint32_t op)
{
    switch (op) {
    case GL_KEEP:
    case GL_ZERO:
    case GL_REPLACE:
    case GL_INCR:
    case GL_DECR:
    case GL_INVERT:
    case GL_INCR_WRAP:
    case GL_DECR_WRAP:
        return true;
    default:
        return false;
    }
}

// Faces that a call sets.
struct faces {
    struct gv_gl_stencil_face *face[2];
    uint32_t count;
};

// Of calls that name none: both of OpenGL 2, or that of EXT_stencil_two_side.
static struct faces active_faces(struct gv_gl_stencil *s)
{
    const struct faces extension = { { &s->back[1] }, 1 };
    const struct faces both = { { &s->face[0], &s->back[0] }, 2 };
    return s->active ? extension : both;
}

static struct faces named_faces(struct gv_gl_stencil *s, uint32_t name)
{
    struct faces f = { { 0 }, 0 };
    if (name == GL_FRONT || name == GL_FRONT_AND_BACK)
        f.face[f.count++] = &s->face[0];
    if (name == GL_BACK || name == GL_FRONT_AND_BACK)
        f.face[f.count++] = &s->back[0];
    return f;
}

static bool set_func(struct gv_gl_context *c, struct gv_gl_sink *sink, struct faces f,
                     const struct gv_trace_call *call, uint32_t first)
{
    if (f.count == 0 || !is_comparison(gv_gl_uint(call, first)))
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    for (uint32_t i = 0; i < f.count; i++) {
        f.face[i]->func = gv_gl_uint(call, first);
        f.face[i]->reference = gv_gl_int(call, first + 1);
        f.face[i]->value_mask = gv_gl_uint(call, first + 2);
    }
    gv_gl_settle_stencil(&c->state.stencil);
    return true;
}

static bool set_StencilFunc(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_trace_call *call)
{
    return set_func(c, sink, active_faces(&c->state.stencil), call, 0);
}
GV_GL_SETTER(StencilFunc)

static bool set_StencilFuncSeparate(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                    const struct gv_trace_call *call)
{
    const struct faces f = named_faces(&c->state.stencil, gv_gl_uint(call, 0));
    return set_func(c, sink, f, call, 1);
}
GV_GL_SETTER(StencilFuncSeparate)

static bool gl_StencilFuncSeparateATI(struct gv_gl *gl,
                                      const struct gv_trace_call *call,
                                      struct gv_error *err)
{
    (void)err;
    struct gv_gl_stencil *s = &gl->context->state.stencil;
    if (!is_comparison(gv_gl_uint(call, 0)) || !is_comparison(gv_gl_uint(call, 1)))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    struct gv_gl_stencil_face *const faces[2] = { &s->face[0], &s->back[0] };
    for (uint32_t i = 0; i < 2; i++) {
        faces[i]->func = gv_gl_uint(call, i);
        faces[i]->reference = gv_gl_int(call, 2);
        faces[i]->value_mask = gv_gl_uint(call, 3);
    }
    gv_gl_settle_stencil(s);
    return true;
}

static bool set_operations(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           struct faces f, const struct gv_trace_call *call,
                           uint32_t first)
{
    for (uint32_t i = 0; i < 3; i++)
        if (f.count == 0 || !is_operation(gv_gl_uint(call, first + i)))
            return gv_gl_reject(sink, GL_INVALID_ENUM);
    for (uint32_t i = 0; i < f.count; i++) {
        f.face[i]->fail = gv_gl_uint(call, first);
        f.face[i]->depth_fail = gv_gl_uint(call, first + 1);
        f.face[i]->pass = gv_gl_uint(call, first + 2);
    }
    gv_gl_settle_stencil(&c->state.stencil);
    return true;
}

static bool set_StencilOp(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    return set_operations(c, sink, active_faces(&c->state.stencil), call, 0);
}
GV_GL_SETTER(StencilOp)

static bool set_StencilOpSeparate(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                  const struct gv_trace_call *call)
{
    const struct faces f = named_faces(&c->state.stencil, gv_gl_uint(call, 0));
    return set_operations(c, sink, f, call, 1);
}
GV_GL_SETTER(StencilOpSeparate)

static bool set_write_mask(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           struct faces f, uint32_t mask)
{
    if (f.count == 0)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    for (uint32_t i = 0; i < f.count; i++)
        f.face[i]->write_mask = mask;
    gv_gl_settle_stencil(&c->state.stencil);
    return true;
}

static bool set_StencilMask(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_trace_call *call)
{
    return set_write_mask(c, sink, active_faces(&c->state.stencil),
                          gv_gl_uint(call, 0));
}
GV_GL_SETTER(StencilMask)

static bool set_StencilMaskSeparate(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                    const struct gv_trace_call *call)
{
    const struct faces f = named_faces(&c->state.stencil, gv_gl_uint(call, 0));
    return set_write_mask(c, sink, f, gv_gl_uint(call, 1));
}
GV_GL_SETTER(StencilMaskSeparate)

static bool set_ActiveStencilFaceEXT(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                     const struct gv_trace_call *call)
{
    const uint32_t face = gv_gl_uint(call, 0);
    if (face != GL_FRONT && face != GL_BACK)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    c->state.stencil.active = face == GL_BACK;
    return true;
}
GV_GL_SETTER(ActiveStencilFaceEXT)

static bool set_ClearStencil(struct gv_gl_context *c, struct gv_gl_sink *sink,
                             const struct gv_trace_call *call)
{
    (void)sink;
    c->state.stencil.clear = gv_gl_int(call, 0);
    return true;
}
GV_GL_SETTER(ClearStencil)

// ---- alpha, masks, clear colour ----

static bool set_AlphaFunc(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    if (!is_comparison(gv_gl_uint(call, 0)))
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    c->state.color.alpha_func = gv_gl_uint(call, 0);
    c->state.color.alpha_reference = (float)unit((double)gv_gl_number(call, 1));
    return true;
}
GV_GL_SETTER(AlphaFunc)

static void set_color_mask(struct gv_gl_color *c, uint32_t buffer,
                           const struct gv_trace_call *call, uint32_t first)
{
    for (uint32_t i = 0; i < 4; i++)
        c->mask[buffer][i] = gv_gl_uint(call, first + i) != 0;
}

static bool set_ColorMask(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    (void)sink;
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        set_color_mask(&c->state.color, i, call, 0);
    return true;
}
GV_GL_SETTER(ColorMask)

static bool set_ColorMaski(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    if (gv_gl_uint(call, 0) >= GV_GL_DRAW_BUFFERS)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    set_color_mask(&c->state.color, gv_gl_uint(call, 0), call, 1);
    return true;
}
GV_GL_SETTER(ColorMaski)

static bool set_ClearColor(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    (void)sink;
    for (uint32_t i = 0; i < 4; i++)
        c->state.color.clear[i] = gv_gl_number(call, i);
    return true;
}
GV_GL_SETTER(ClearColor)

static bool set_ClearAccum(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    (void)sink;
    for (uint32_t i = 0; i < 4; i++) {
        float v = gv_gl_number(call, i);
        c->state.accumulation.clear[i] = v > -1 ? v < 1 ? v : 1 : -1;
    }
    return true;
}
GV_GL_SETTER(ClearAccum)

static bool set_SampleCoverage(struct gv_gl_context *c, struct gv_gl_sink *sink,
                               const struct gv_trace_call *call)
{
    (void)sink;
    c->state.multisample.value = (float)unit((double)gv_gl_number(call, 0));
    c->state.multisample.invert = gv_gl_uint(call, 1) != 0;
    return true;
}
GV_GL_SETTER(SampleCoverage)

// The first word has all samples that there are.
static bool set_SampleMaski(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_trace_call *call)
{
    if (gv_gl_uint(call, 0) != 0)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    c->state.multisample.mask_off = ~gv_gl_uint(call, 1);
    return true;
}
GV_GL_SETTER(SampleMaski)

static bool set_MinSampleShading(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                 const struct gv_trace_call *call)
{
    (void)sink;
    c->state.multisample.min_shading = (float)unit((double)gv_gl_float(call, 0));
    return true;
}
GV_GL_SETTER(MinSampleShading)

const struct gv_gl_row gv_gl_fragment_rows[] = {
    { "glSampleMaski", gl_SampleMaski, GV_GL_LISTED },
    { "glMinSampleShading", gl_MinSampleShading, GV_GL_LISTED },
    { "glDepthFunc", gl_DepthFunc, GV_GL_LISTED },
    { "glDepthMask", gl_DepthMask, GV_GL_LISTED },
    { "glClearDepth", gl_ClearDepth, GV_GL_LISTED },
    { "glClearDepthf", gl_ClearDepth, GV_GL_LISTED },
    { "glClearDepthdNV", gl_ClearDepth, GV_GL_LISTED },
    { "glClearDepthx", gl_ClearDepthx, GV_GL_LISTED },
    { "glStencilFunc", gl_StencilFunc, GV_GL_LISTED },
    { "glStencilFuncSeparate", gl_StencilFuncSeparate, GV_GL_LISTED },
    { "glStencilFuncSeparateATI", gl_StencilFuncSeparateATI, GV_GL_LISTED },
    { "glStencilOp", gl_StencilOp, GV_GL_LISTED },
    { "glStencilOpSeparate", gl_StencilOpSeparate, GV_GL_LISTED },
    { "glStencilMask", gl_StencilMask, GV_GL_LISTED },
    { "glStencilMaskSeparate", gl_StencilMaskSeparate, GV_GL_LISTED },
    { "glActiveStencilFaceEXT", gl_ActiveStencilFaceEXT, GV_GL_LISTED },
    { "glClearStencil", gl_ClearStencil, GV_GL_LISTED },
    { "glAlphaFunc", gl_AlphaFunc, GV_GL_LISTED },
    { "glAlphaFuncx", gl_AlphaFunc, GV_GL_LISTED },
    { "glColorMask", gl_ColorMask, GV_GL_LISTED },
    { "glColorMaski", gl_ColorMaski, GV_GL_LISTED },
    { "glColorMaskIndexedEXT", gl_ColorMaski, GV_GL_LISTED },
    { "glClearColor", gl_ClearColor, GV_GL_LISTED },
    { "glClearColorx", gl_ClearColor, GV_GL_LISTED },
    { "glClearAccum", gl_ClearAccum, GV_GL_LISTED },
    { "glClearAccumxOES", gl_ClearAccum, GV_GL_LISTED },
    { "glSampleCoverage", gl_SampleCoverage, GV_GL_LISTED },
    { "glSampleMaskSGIS", gl_SampleCoverage, GV_GL_LISTED },
    { "glSampleMaskEXT", gl_SampleCoverage, GV_GL_LISTED },
    { "glSampleCoveragex", gl_SampleCoverage, GV_GL_LISTED },
    { 0 },
};
