// Matrix stacks, current and by name (EXT_direct_state_access), in all forms of
// numbers.
#include <string.h>

#include "compiler/gl/base/gl_matrix.h"
#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/state/gl_values.h"

// Depths as Mesa has them.
#define PROJECTION_DEPTH 32u
#define TEXTURE_DEPTH 10u
#define PROGRAM_DEPTH 4u

struct stack {
    struct gv_gl_matrix_stack *matrices; // NULL: of nothing that is lowered
    uint32_t depth;
};

static bool is_program_matrix(uint32_t mode)
{
    return mode >= GL_MATRIX0_ARB && mode < GL_MATRIX0_ARB + GV_GL_PROGRAM_MATRICES;
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
    else if (is_program_matrix(mode))
        s = (struct stack){ &c->matrices[mode - GL_MATRIX0_ARB], PROGRAM_DEPTH };
    return s;
}

// Of a call, and its first argument that is no name of a stack: calls by name end with
// EXT and begin with "glMatrix".
struct target {
    struct stack stack;
    uint32_t first;
    bool known;
};

static struct target target_of(struct gv_gl_context *c,
                               const struct gv_trace_call *call)
{
    const char *name = call->function->name;
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

// ---- mode, push, pop ----

static bool gl_MatrixMode(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    (void)err;
    const uint32_t mode = gv_gl_uint(call, 0);
    if (!is_mode(mode))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    gl->context->state.transform.matrix_mode = mode;
    return mode != GL_COLOR ||
           gv_gl_unsupported_of(&gl->sink, GV_GL_LACK(VALUE), "GL_COLOR");
}

// Copies the top, or goes back to the one below.
static bool move(struct gv_gl_context *c, struct gv_gl_sink *sink,
                 const struct gv_trace_call *call, bool push)
{
    const struct target t = target_of(c, call);
    struct gv_gl_matrix_stack *s = t.stack.matrices;
    if (!t.known)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (!s)
        return true;
    if (push && s->top + 1 >= t.stack.depth)
        return gv_gl_reject(sink, GL_STACK_OVERFLOW);
    if (!push && s->top == 0)
        return gv_gl_reject(sink, GL_STACK_UNDERFLOW);
    if (push)
        s->entries[s->top + 1] = s->entries[s->top];
    s->top = push ? s->top + 1 : s->top - 1;
    return true;
}

static bool gl_PushMatrix(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    (void)err;
    return move(gl->context, &gl->sink, call, true);
}

static bool gl_PopMatrix(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    (void)err;
    return move(gl->context, &gl->sink, call, false);
}

// ---- what changes the top of a stack ----

#define WHOLE 16u // numbers of a matrix, which come as an array

struct operation {
    uint32_t count;                      // of numbers
    bool (*valid)(const float *numbers); // NULL: whatever they are
    void (*apply)(struct gv_gl_matrix *top, const float *numbers);
};

// False: they are not all there.
static bool read_numbers(const struct gv_trace_call *call, uint32_t first,
                         uint32_t count, float out[WHOLE])
{
    if (count == WHOLE) {
        const struct gv_gl_values v = gv_gl_values(call, first);
        return gv_gl_value_numbers(&v, out, WHOLE);
    }
    for (uint32_t i = 0; i < count; i++)
        out[i] = gv_gl_number(call, first + i);
    return true;
}

// What it makes of the identity is the factor, if it is one that multiplies.
static void apply(struct gv_builder *b, const struct operation *op,
                  struct gv_gl_matrix *top, const float *numbers)
{
    const struct gv_gl_matrix before = *top;
    struct gv_gl_matrix factor = gv_gl_identity_matrix;
    op->apply(top, numbers);
    op->apply(&factor, numbers);
    gv_builder_product(b, top->m, before.m, factor.m);
}

static bool operate(struct gv_gl_context *c, struct gv_gl_sink *sink,
                    const struct gv_trace_call *call, const struct operation *op)
{
    const struct target t = target_of(c, call);
    const bool done = t.known || gv_gl_reject(sink, GL_INVALID_ENUM);
    float v[WHOLE];
    if (!read_numbers(call, t.first, op->count, v))
        return done;
    if (op->valid && !op->valid(v))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (t.stack.matrices)
        apply(sink->b, op, gv_gl_top(t.stack.matrices), v);
    return done;
}

static struct gv_gl_matrix matrix_of(const float *numbers, bool transposed)
{
    struct gv_gl_matrix m;
    memcpy(m.m, numbers, sizeof m.m);
    if (transposed)
        gv_gl_matrix_transpose(&m);
    return m;
}

static void load_identity(struct gv_gl_matrix *top, const float *numbers)
{
    (void)numbers;
    *top = gv_gl_identity_matrix;
}

static void load(struct gv_gl_matrix *top, const float *numbers)
{
    *top = matrix_of(numbers, false);
}

static void load_transpose(struct gv_gl_matrix *top, const float *numbers)
{
    *top = matrix_of(numbers, true);
}

static void multiply(struct gv_gl_matrix *top, const float *numbers)
{
    const struct gv_gl_matrix m = matrix_of(numbers, false);
    gv_gl_matrix_multiply(top, top, &m);
}

static void multiply_transpose(struct gv_gl_matrix *top, const float *numbers)
{
    const struct gv_gl_matrix m = matrix_of(numbers, true);
    gv_gl_matrix_multiply(top, top, &m);
}

static void rotate(struct gv_gl_matrix *top, const float *numbers)
{
    gv_gl_matrix_rotate(top, numbers[0], numbers + 1);
}

static bool has_volume(const float *sides)
{
    return sides[0] != sides[1] && sides[2] != sides[3] && sides[4] != sides[5];
}

static bool is_frustum(const float *sides)
{
    return has_volume(sides) && !(sides[4] <= 0) && !(sides[5] <= 0);
}

#define OPERATION(name, count, valid, apply)                                  \
    static bool gl_##name(struct gv_gl *gl, const struct gv_trace_call *call, \
                          struct gv_error *err)                               \
    {                                                                         \
        (void)err;                                                            \
        static const struct operation op = { count, valid, apply };           \
        return operate(gl->context, &gl->sink, call, &op);                    \
    }
OPERATION(LoadIdentity, 0, NULL, load_identity)
OPERATION(LoadMatrix, WHOLE, NULL, load)
OPERATION(LoadTransposeMatrix, WHOLE, NULL, load_transpose)
OPERATION(MultMatrix, WHOLE, NULL, multiply)
OPERATION(MultTransposeMatrix, WHOLE, NULL, multiply_transpose)
OPERATION(Rotate, 4, NULL, rotate)
OPERATION(Translate, 3, NULL, gv_gl_matrix_translate)
OPERATION(Scale, 3, NULL, gv_gl_matrix_scale)
OPERATION(Frustum, 6, is_frustum, gv_gl_matrix_frustum)
OPERATION(Ortho, 6, has_volume, gv_gl_matrix_ortho)
#undef OPERATION

const struct gv_gl_row gv_gl_matrix_rows[] = {
    { "glMatrixMode", gl_MatrixMode, GV_GL_LISTED },
    { "glPushMatrix", gl_PushMatrix, GV_GL_LISTED },
    { "glPopMatrix", gl_PopMatrix, GV_GL_LISTED },
    { "glLoadIdentity", gl_LoadIdentity, GV_GL_LISTED },
    { "glLoadMatrixf", gl_LoadMatrix, GV_GL_LISTED },
    { "glLoadMatrixd", gl_LoadMatrix, GV_GL_LISTED },
    { "glLoadMatrixx", gl_LoadMatrix, GV_GL_LISTED },
    { "glLoadTransposeMatrixf", gl_LoadTransposeMatrix, GV_GL_LISTED },
    { "glLoadTransposeMatrixd", gl_LoadTransposeMatrix, GV_GL_LISTED },
    { "glLoadTransposeMatrixx", gl_LoadTransposeMatrix, GV_GL_LISTED },
    { "glMultMatrixf", gl_MultMatrix, GV_GL_LISTED },
    { "glMultMatrixd", gl_MultMatrix, GV_GL_LISTED },
    { "glMultMatrixx", gl_MultMatrix, GV_GL_LISTED },
    { "glMultTransposeMatrixf", gl_MultTransposeMatrix, GV_GL_LISTED },
    { "glMultTransposeMatrixd", gl_MultTransposeMatrix, GV_GL_LISTED },
    { "glMultTransposeMatrixx", gl_MultTransposeMatrix, GV_GL_LISTED },
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
    { "glMatrixLoadTransposefEXT", gl_LoadTransposeMatrix, GV_GL_LISTED },
    { "glMatrixLoadTransposedEXT", gl_LoadTransposeMatrix, GV_GL_LISTED },
    { "glMatrixMultfEXT", gl_MultMatrix, GV_GL_LISTED },
    { "glMatrixMultdEXT", gl_MultMatrix, GV_GL_LISTED },
    { "glMatrixMultTransposefEXT", gl_MultTransposeMatrix, GV_GL_LISTED },
    { "glMatrixMultTransposedEXT", gl_MultTransposeMatrix, GV_GL_LISTED },
    { "glMatrixRotatefEXT", gl_Rotate, GV_GL_LISTED },
    { "glMatrixRotatedEXT", gl_Rotate, GV_GL_LISTED },
    { "glMatrixTranslatefEXT", gl_Translate, GV_GL_LISTED },
    { "glMatrixTranslatedEXT", gl_Translate, GV_GL_LISTED },
    { "glMatrixScalefEXT", gl_Scale, GV_GL_LISTED },
    { "glMatrixScaledEXT", gl_Scale, GV_GL_LISTED },
    { "glMatrixFrustumEXT", gl_Frustum, GV_GL_LISTED },
    { "glMatrixOrthoEXT", gl_Ortho, GV_GL_LISTED },
    { 0 },
};
