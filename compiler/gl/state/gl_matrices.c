// Matrix stacks, current and by name (EXT_direct_state_access), in all forms of
// numbers.
#include <string.h>

#include "compiler/gl/base/gl_matrix.h"
#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/state/gl_values.h"

// Depths as Mesa has them.
#define PROJECTION_DEPTH 32u
#define TEXTURE_DEPTH 10u

struct stack {
    struct gv_gl_matrix_stack *matrices; // NULL: of nothing that is lowered
    uint32_t depth;
};

static bool is_program_matrix(uint32_t mode)
{
    return mode >= GL_MATRIX0_ARB && mode < GL_MATRIX0_ARB + 8;
}

static bool is_mode(uint32_t mode)
{
    return mode == GL_MODELVIEW || mode == GL_PROJECTION || mode == GL_TEXTURE ||
           mode == GL_COLOR || is_program_matrix(mode);
}

static struct stack texture_stack(struct gv_gl_context *c, uint32_t unit)
{
    const struct stack s = { unit < GV_GL_UNITS ? &c->texture[unit] : NULL,
                             TEXTURE_DEPTH };
    return s;
}

static struct stack stack_of(struct gv_gl_context *c, uint32_t mode)
{
    struct stack s = { NULL, PROJECTION_DEPTH };
    if (mode == GL_MODELVIEW)
        s.matrices = &c->modelview;
    else if (mode == GL_PROJECTION)
        s.matrices = &c->projection;
    else if (mode == GL_TEXTURE)
        s = texture_stack(c, c->state.texture.active);
    else if (mode == GL_COLOR)
        s.matrices = &c->color;
    return s;
}

// Of a call, and its first argument that is no name of a stack: calls by name end with
// EXT and begin with "glMatrix".
struct target {
    struct stack stack;
    uint32_t first;
    bool known;
};

static struct target target_of(struct gv_gl *gl, const struct gv_trace_call *call)
{
    const char *name = call->function->name;
    struct gv_gl_context *c = gl->context;
    struct target t = { .known = true };
    if (strncmp(name, "glMatrix", 8) != 0) {
        t.stack = stack_of(c, c->state.transform.matrix_mode);
        return t;
    }
    const uint32_t mode = gv_gl_uint(call, 0);
    t.first = 1;
    if (mode >= GL_TEXTURE0 && mode < GL_TEXTURE0 + GV_GL_UNITS) {
        t.stack = texture_stack(c, mode - GL_TEXTURE0);
        return t;
    }
    t.stack = stack_of(c, mode);
    t.known = is_mode(mode);
    return t;
}

// The top that a call changes. NULL: none, and *done is what the handler returns.
static struct gv_gl_matrix *top_of(struct gv_gl *gl, const struct gv_trace_call *call,
                                   uint32_t *first, bool *done)
{
    const struct target t = target_of(gl, call);
    *first = t.first;
    *done = t.known || gv_gl_reject(gl, GL_INVALID_ENUM);
    return t.stack.matrices ? gv_gl_top(t.stack.matrices) : NULL;
}

// ---- mode, push, pop ----

static bool gl_MatrixMode(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    (void)err;
    const uint32_t mode = gv_gl_uint(call, 0);
    if (!is_mode(mode))
        return gv_gl_reject(gl, GL_INVALID_ENUM);
    gl->context->state.transform.matrix_mode = mode;
    return mode != GL_COLOR || gv_gl_unsupported(gl, "GL_COLOR");
}

static bool gl_PushMatrix(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    (void)err;
    const struct target t = target_of(gl, call);
    struct gv_gl_matrix_stack *s = t.stack.matrices;
    if (!t.known)
        return gv_gl_reject(gl, GL_INVALID_ENUM);
    if (!s)
        return true;
    if (s->top + 1 >= t.stack.depth)
        return gv_gl_reject(gl, GL_STACK_OVERFLOW);
    s->entries[s->top + 1] = s->entries[s->top];
    s->top++;
    return true;
}

static bool gl_PopMatrix(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    (void)err;
    const struct target t = target_of(gl, call);
    struct gv_gl_matrix_stack *s = t.stack.matrices;
    if (!t.known)
        return gv_gl_reject(gl, GL_INVALID_ENUM);
    if (!s)
        return true;
    if (s->top == 0)
        return gv_gl_reject(gl, GL_STACK_UNDERFLOW);
    s->top--;
    return true;
}

// ---- whole matrices ----

static bool gl_LoadIdentity(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    (void)err;
    uint32_t first;
    bool done;
    struct gv_gl_matrix *top = top_of(gl, call, &first, &done);
    if (top)
        *top = gv_gl_identity_matrix;
    return done;
}

// The 16 numbers of a call. False: they are not all there.
static bool read_matrix(const struct gv_trace_call *call, uint32_t first,
                        struct gv_gl_matrix *m)
{
    const struct gv_gl_values v = gv_gl_values(call, first);
    const bool all = gv_gl_value_numbers(&v, m->m, 16);
    if (strstr(call->function->name, "Transpose"))
        gv_gl_matrix_transpose(m);
    return all;
}

static bool gl_LoadMatrix(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    (void)err;
    uint32_t first;
    bool done;
    struct gv_gl_matrix *top = top_of(gl, call, &first, &done), m;
    if (top && read_matrix(call, first, &m))
        *top = m;
    return done;
}

static bool gl_MultMatrix(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    (void)err;
    uint32_t first;
    bool done;
    struct gv_gl_matrix *top = top_of(gl, call, &first, &done), m;
    if (top && read_matrix(call, first, &m))
        gv_gl_matrix_multiply(top, top, &m);
    return done;
}

// ---- by parameters ----

static void read_numbers(const struct gv_trace_call *call, uint32_t first, float *out,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = gv_gl_number(call, first + i);
}

static bool gl_Rotate(struct gv_gl *gl, const struct gv_trace_call *call,
                      struct gv_error *err)
{
    (void)err;
    uint32_t first;
    bool done;
    struct gv_gl_matrix *top = top_of(gl, call, &first, &done);
    float v[4];
    read_numbers(call, first, v, 4);
    if (top)
        gv_gl_matrix_rotate(top, v[0], v + 1);
    return done;
}

static bool gl_Translate(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    (void)err;
    uint32_t first;
    bool done;
    struct gv_gl_matrix *top = top_of(gl, call, &first, &done);
    float v[3];
    read_numbers(call, first, v, 3);
    if (top)
        gv_gl_matrix_translate(top, v);
    return done;
}

static bool gl_Scale(struct gv_gl *gl, const struct gv_trace_call *call,
                     struct gv_error *err)
{
    (void)err;
    uint32_t first;
    bool done;
    struct gv_gl_matrix *top = top_of(gl, call, &first, &done);
    float v[3];
    read_numbers(call, first, v, 3);
    if (top)
        gv_gl_matrix_scale(top, v);
    return done;
}

static bool gl_Frustum(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    (void)err;
    uint32_t first;
    bool done;
    struct gv_gl_matrix *top = top_of(gl, call, &first, &done);
    float v[6];
    read_numbers(call, first, v, 6);
    if (v[4] <= 0 || v[5] <= 0 || v[4] == v[5] || v[0] == v[1] || v[2] == v[3])
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    if (top)
        gv_gl_matrix_frustum(top, v);
    return done;
}

static bool gl_Ortho(struct gv_gl *gl, const struct gv_trace_call *call,
                     struct gv_error *err)
{
    (void)err;
    uint32_t first;
    bool done;
    struct gv_gl_matrix *top = top_of(gl, call, &first, &done);
    float v[6];
    read_numbers(call, first, v, 6);
    if (v[0] == v[1] || v[2] == v[3] || v[4] == v[5])
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    if (top)
        gv_gl_matrix_ortho(top, v);
    return done;
}

// Weights and palettes of matrices.
static bool gl_CurrentPaletteMatrix(struct gv_gl *gl, const struct gv_trace_call *call,
                                    struct gv_error *err)
{
    (void)err;
    return gv_gl_unsupported(gl, call->function->name);
}

const struct gv_gl_row gv_gl_matrix_rows[] = {
    { "glMatrixMode", gl_MatrixMode, GV_GL_LISTED },
    { "glPushMatrix", gl_PushMatrix, GV_GL_LISTED },
    { "glPopMatrix", gl_PopMatrix, GV_GL_LISTED },
    { "glLoadIdentity", gl_LoadIdentity, GV_GL_LISTED },
    { "glLoadMatrixf", gl_LoadMatrix, GV_GL_LISTED },
    { "glLoadMatrixd", gl_LoadMatrix, GV_GL_LISTED },
    { "glLoadMatrixx", gl_LoadMatrix, GV_GL_LISTED },
    { "glLoadTransposeMatrixf", gl_LoadMatrix, GV_GL_LISTED },
    { "glLoadTransposeMatrixd", gl_LoadMatrix, GV_GL_LISTED },
    { "glLoadTransposeMatrixx", gl_LoadMatrix, GV_GL_LISTED },
    { "glMultMatrixf", gl_MultMatrix, GV_GL_LISTED },
    { "glMultMatrixd", gl_MultMatrix, GV_GL_LISTED },
    { "glMultMatrixx", gl_MultMatrix, GV_GL_LISTED },
    { "glMultTransposeMatrixf", gl_MultMatrix, GV_GL_LISTED },
    { "glMultTransposeMatrixd", gl_MultMatrix, GV_GL_LISTED },
    { "glMultTransposeMatrixx", gl_MultMatrix, GV_GL_LISTED },
    { "glRotatef", gl_Rotate, GV_GL_LISTED },
    { "glRotated", gl_Rotate, GV_GL_LISTED },
    { "glRotatex", gl_Rotate, GV_GL_LISTED },
    { "glTranslatef", gl_Translate, GV_GL_LISTED },
    { "glTranslated", gl_Translate, GV_GL_LISTED },
    { "glTranslatex", gl_Translate, GV_GL_LISTED },
    { "glScalef", gl_Scale, GV_GL_LISTED },
    { "glScaled", gl_Scale, GV_GL_LISTED },
    { "glScalex", gl_Scale, GV_GL_LISTED },
    { "glFrustum", gl_Frustum, GV_GL_LISTED },
    { "glFrustumf", gl_Frustum, GV_GL_LISTED },
    { "glFrustumx", gl_Frustum, GV_GL_LISTED },
    { "glOrtho", gl_Ortho, GV_GL_LISTED },
    { "glOrthof", gl_Ortho, GV_GL_LISTED },
    { "glOrthox", gl_Ortho, GV_GL_LISTED },
    { "glMatrixPushEXT", gl_PushMatrix, GV_GL_LISTED },
    { "glMatrixPopEXT", gl_PopMatrix, GV_GL_LISTED },
    { "glMatrixLoadIdentityEXT", gl_LoadIdentity, GV_GL_LISTED },
    { "glMatrixLoadfEXT", gl_LoadMatrix, GV_GL_LISTED },
    { "glMatrixLoaddEXT", gl_LoadMatrix, GV_GL_LISTED },
    { "glMatrixLoadTransposefEXT", gl_LoadMatrix, GV_GL_LISTED },
    { "glMatrixLoadTransposedEXT", gl_LoadMatrix, GV_GL_LISTED },
    { "glMatrixMultfEXT", gl_MultMatrix, GV_GL_LISTED },
    { "glMatrixMultdEXT", gl_MultMatrix, GV_GL_LISTED },
    { "glMatrixMultTransposefEXT", gl_MultMatrix, GV_GL_LISTED },
    { "glMatrixMultTransposedEXT", gl_MultMatrix, GV_GL_LISTED },
    { "glMatrixRotatefEXT", gl_Rotate, GV_GL_LISTED },
    { "glMatrixRotatedEXT", gl_Rotate, GV_GL_LISTED },
    { "glMatrixTranslatefEXT", gl_Translate, GV_GL_LISTED },
    { "glMatrixTranslatedEXT", gl_Translate, GV_GL_LISTED },
    { "glMatrixScalefEXT", gl_Scale, GV_GL_LISTED },
    { "glMatrixScaledEXT", gl_Scale, GV_GL_LISTED },
    { "glMatrixFrustumEXT", gl_Frustum, GV_GL_LISTED },
    { "glMatrixOrthoEXT", gl_Ortho, GV_GL_LISTED },
    { "glCurrentPaletteMatrixOES", gl_CurrentPaletteMatrix, GV_GL_LISTED },
    { "glCurrentPaletteMatrixARB", gl_CurrentPaletteMatrix, GV_GL_LISTED },
    { "glLoadPaletteFromModelViewMatrixOES", gl_CurrentPaletteMatrix, GV_GL_LISTED },
    { "glMatrixIndexPointerOES", gl_CurrentPaletteMatrix, 0 },
    { "glMatrixIndexPointerARB", gl_CurrentPaletteMatrix, 0 },
    { 0 },
};
