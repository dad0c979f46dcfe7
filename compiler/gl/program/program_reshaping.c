// What the stages of the program in use make of primitives.
#include "compiler/gl/program/program_object.h"

static void set(const struct gv_glsl_reshaping *from, struct gv_gl_reshaping *out)
{
    static const enum gv_gl_primitive_class classes[] = { GV_GL_CLASS_TRIANGLES,
                                                          GV_GL_CLASS_POINTS,
                                                          GV_GL_CLASS_LINES,
                                                          GV_GL_CLASS_TRIANGLES };
    out->patches = from->patches;
    out->vertices = from->vertices;
    out->outputs = from->made != 0;
    out->drawn = classes[from->made];
}

bool gv_gl_program_reshaping(struct gv_gl *gl, struct gv_gl_reshaping *out,
                             struct gv_error *err)
{
    struct gv_gl_program *p = gl->context->program;
    *out = (struct gv_gl_reshaping){ 0 };
    if (!p)
        return true;
    if (!gv_gl_link_now(gl, p, err))
        return false;
    out->refused = p->joined && p->joined->refused;
    const struct gv_gl_variant *v =
        p->executable && p->executable->status == GV_GL_LINKED ? p->executable->variants
                                                               : NULL;
    while (v && v->compiled->failed)
        v = v->next;
    if (v)
        set(&v->compiled->program.reshaping, out);
    return true;
}
