// Blending, per draw buffer or of all, and logic operations.
#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/state/gl_values.h"

static bool is_factor(uint32_t f)
{
    switch (f) {
    case GL_ZERO:
    case GL_ONE:
    case GL_SRC_COLOR:
    case GL_ONE_MINUS_SRC_COLOR:
    case GL_DST_COLOR:
    case GL_ONE_MINUS_DST_COLOR:
    case GL_SRC_ALPHA:
    case GL_ONE_MINUS_SRC_ALPHA:
    case GL_DST_ALPHA:
    case GL_ONE_MINUS_DST_ALPHA:
    case GL_CONSTANT_COLOR:
    case GL_ONE_MINUS_CONSTANT_COLOR:
    case GL_CONSTANT_ALPHA:
    case GL_ONE_MINUS_CONSTANT_ALPHA:
    case GL_SRC_ALPHA_SATURATE:
    case GL_SRC1_COLOR:
    case GL_ONE_MINUS_SRC1_COLOR:
    case GL_SRC1_ALPHA:
    case GL_ONE_MINUS_SRC1_ALPHA:
        return true;
    default:
        return false;
    }
}

static bool is_equation(uint32_t e)
{
    return e == GL_FUNC_ADD || e == GL_FUNC_SUBTRACT || e == GL_FUNC_REVERSE_SUBTRACT ||
           e == GL_MIN || e == GL_MAX;
}

// Draw buffers that a call sets: all, or the one that its first argument names. None:
// there is no such buffer.
struct range {
    uint32_t first, end;
};

static struct range all(void)
{
    const struct range r = { 0, GV_GL_DRAW_BUFFERS };
    return r;
}

static struct range one(const struct gv_trace_call *call)
{
    const uint32_t buffer = gv_gl_uint(call, 0);
    const bool known = buffer < GV_GL_DRAW_BUFFERS;
    const struct range r = { known ? buffer : 0, known ? buffer + 1 : 0 };
    return r;
}

// Source and destination of colour, then those of alpha.
static bool set_factors(struct gv_gl_context *c, struct gv_gl_sink *sink,
                        struct range r, const uint32_t f[4])
{
    if (r.first == r.end)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    for (uint32_t i = 0; i < 4; i++)
        if (!is_factor(f[i]))
            return gv_gl_reject(sink, GL_INVALID_ENUM);
    for (uint32_t i = r.first; i < r.end; i++) {
        struct gv_gl_blend *b = &c->state.color.blend[i];
        b->src = f[0];
        b->dst = f[1];
        b->src_alpha = f[2];
        b->dst_alpha = f[3];
    }
    return true;
}

static bool put_equations(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          struct range r, uint32_t color, uint32_t alpha)
{
    if (r.first == r.end)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    for (uint32_t i = r.first; i < r.end; i++) {
        c->state.color.blend[i].equation = color;
        c->state.color.blend[i].equation_alpha = alpha;
    }
    return true;
}

static bool set_equations(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          struct range r, uint32_t color, uint32_t alpha)
{
    if (!is_equation(color) || !is_equation(alpha))
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    return put_equations(c, sink, r, color, alpha);
}

// Of colour and alpha together: advanced ones too.
static bool set_equation(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         struct range r, uint32_t equation)
{
    if (!gv_gl_advanced_equation(equation))
        return set_equations(c, sink, r, equation, equation);
    return put_equations(c, sink, r, equation, equation);
}

static bool set_BlendFunc(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    const uint32_t src = gv_gl_uint(call, 0), dst = gv_gl_uint(call, 1);
    const uint32_t f[4] = { src, dst, src, dst };
    return set_factors(c, sink, all(), f);
}
GV_GL_SETTER(BlendFunc)

static bool set_BlendFuncSeparate(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                  const struct gv_trace_call *call)
{
    const uint32_t f[4] = { gv_gl_uint(call, 0), gv_gl_uint(call, 1),
                            gv_gl_uint(call, 2), gv_gl_uint(call, 3) };
    return set_factors(c, sink, all(), f);
}
GV_GL_SETTER(BlendFuncSeparate)

static bool set_BlendFunci(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    const uint32_t src = gv_gl_uint(call, 1), dst = gv_gl_uint(call, 2);
    const uint32_t f[4] = { src, dst, src, dst };
    return set_factors(c, sink, one(call), f);
}
GV_GL_SETTER(BlendFunci)

static bool set_BlendFuncSeparatei(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                   const struct gv_trace_call *call)
{
    const uint32_t f[4] = { gv_gl_uint(call, 1), gv_gl_uint(call, 2),
                            gv_gl_uint(call, 3), gv_gl_uint(call, 4) };
    return set_factors(c, sink, one(call), f);
}
GV_GL_SETTER(BlendFuncSeparatei)

static bool set_BlendEquation(struct gv_gl_context *c, struct gv_gl_sink *sink,
                              const struct gv_trace_call *call)
{
    return set_equation(c, sink, all(), gv_gl_uint(call, 0));
}
GV_GL_SETTER(BlendEquation)

static bool set_BlendEquationSeparate(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                      const struct gv_trace_call *call)
{
    return set_equations(c, sink, all(), gv_gl_uint(call, 0), gv_gl_uint(call, 1));
}
GV_GL_SETTER(BlendEquationSeparate)

static bool set_BlendEquationi(struct gv_gl_context *c, struct gv_gl_sink *sink,
                               const struct gv_trace_call *call)
{
    return set_equation(c, sink, one(call), gv_gl_uint(call, 1));
}
GV_GL_SETTER(BlendEquationi)

static bool gl_BlendEquationSeparatei(struct gv_gl *gl,
                                      const struct gv_trace_call *call,
                                      struct gv_error *err)
{
    (void)err;
    return set_equations(gl->context, &gl->sink, one(call), gv_gl_uint(call, 1),
                         gv_gl_uint(call, 2));
}

static bool set_BlendColor(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    (void)sink;
    for (uint32_t i = 0; i < 4; i++)
        c->state.color.blend_color[i] = gv_gl_number(call, i);
    return true;
}
GV_GL_SETTER(BlendColor)

static bool set_LogicOp(struct gv_gl_context *c, struct gv_gl_sink *sink,
                        const struct gv_trace_call *call)
{
    const uint32_t op = gv_gl_uint(call, 0);
    if (op < GL_CLEAR || op > GL_SET)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    c->state.color.logic = op;
    return true;
}
GV_GL_SETTER(LogicOp)

const struct gv_gl_row gv_gl_blend_rows[] = {
    { "glBlendFunc", gl_BlendFunc, GV_GL_LISTED },
    { "glBlendFuncSeparate", gl_BlendFuncSeparate, GV_GL_LISTED },
    { "glBlendFuncSeparateINGR", gl_BlendFuncSeparate, GV_GL_LISTED },
    { "glBlendFunci", gl_BlendFunci, GV_GL_LISTED },
    { "glBlendFuncIndexedAMD", gl_BlendFunci, GV_GL_LISTED },
    { "glBlendFuncSeparatei", gl_BlendFuncSeparatei, GV_GL_LISTED },
    { "glBlendFuncSeparateIndexedAMD", gl_BlendFuncSeparatei, GV_GL_LISTED },
    { "glBlendEquation", gl_BlendEquation, GV_GL_LISTED },
    { "glBlendEquationSeparate", gl_BlendEquationSeparate, GV_GL_LISTED },
    { "glBlendEquationi", gl_BlendEquationi, GV_GL_LISTED },
    { "glBlendEquationIndexedAMD", gl_BlendEquationi, GV_GL_LISTED },
    { "glBlendEquationSeparatei", gl_BlendEquationSeparatei, GV_GL_LISTED },
    { "glBlendEquationSeparateIndexedAMD", gl_BlendEquationSeparatei, GV_GL_LISTED },
    { "glBlendColor", gl_BlendColor, GV_GL_LISTED },
    { "glBlendColorx", gl_BlendColor, GV_GL_LISTED },
    { "glLogicOp", gl_LogicOp, GV_GL_LISTED },
    { 0 },
};
