// What the stages of the program in use make of primitives.
#include "compiler/gl/program/program_joined.h"
#include "vm/formats.h"

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

static bool stores(const struct gv_glsl_reflection *r)
{
    bool written = false;
    for (size_t i = 0; i < r->block_count; i++)
        written |= r->blocks[i].written;
    for (size_t i = 0; i < r->sampler_count; i++)
        written |= r->samplers[i].written;
    return written;
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
    if (v) {
        set(&v->compiled->program.reshaping, out);
        out->flat = v->compiled->program.flat;
        out->fixed_place = v->compiled->program.fixed_place;
        out->stores = stores(&v->compiled->program.reflection);
    }
    return true;
}

static enum gv_glsl_scalar scalar_of(uint32_t format)
{
    const struct gv_format_info *f = gv_format_info(format);
    return f && f->kind == GV_FORMAT_KIND_SINT   ? GV_GLSL_INT
           : f && f->kind == GV_FORMAT_KIND_UINT ? GV_GLSL_UINT
                                                 : GV_GLSL_FLOAT;
}

bool gv_gl_program_suits(const struct gv_gl_variant *v, uint32_t location,
                         uint32_t format)
{
    const struct gv_glsl_reflection *r = &v->compiled->program.reflection;
    for (size_t i = 0; i < r->output_count; i++) {
        const struct gv_glsl_output *o = &r->outputs[i];
        const uint32_t count = o->array_size ? o->array_size : 1;
        if (location >= o->location && location - o->location < count &&
            o->type.scalar != scalar_of(format))
            return false;
    }
    return true;
}

bool gv_gl_program_blends(const struct gv_gl_variant *v, uint32_t equation)
{
    return v->compiled->program.blend_support >> equation & 1;
}
