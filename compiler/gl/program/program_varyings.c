// What programs have for transform feedback: names that are given before a link.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_capturing.h"
#include "compiler/gl/program/program_object.h"

#define MOST_VARYINGS 1024u

void gv_gl_varyings_finish(struct gv_gl_varyings *v)
{
    for (size_t i = 0; i < v->listed.count; i++)
        free(v->names[i]);
    free(v->names);
    *v = (struct gv_gl_varyings){ 0 };
}

static bool add(struct gv_gl_varyings *v, const char *name, size_t length)
{
    char *copy = malloc(length + 1);
    if (!copy)
        return false;
    memcpy(copy, name, length);
    copy[length] = 0;
    v->names[v->listed.count++] = copy;
    return true;
}

static bool begin(struct gv_gl_varyings *v, size_t count, bool separate)
{
    *v = (struct gv_gl_varyings){ 0 };
    v->listed.separate = separate;
    v->names = calloc(count ? count : 1, sizeof *v->names);
    v->listed.names = (const char *const *)v->names;
    return v->names;
}

bool gv_gl_varyings_copy(struct gv_gl_varyings *to, const struct gv_gl_varyings *from)
{
    if (!begin(to, from->listed.count, from->listed.separate))
        return false;
    for (size_t i = 0; i < from->listed.count; i++)
        if (!add(to, from->names[i], strlen(from->names[i])))
            return false;
    return true;
}

bool gv_gl_executable_captures(const struct gv_gl_executable *x)
{
    return x->varyings.listed.count || x->words & GV_GL_WORD_CAPTURE;
}

bool gv_gl_program_captures(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_program *p = gl->context->program;
    if (!p || !gv_gl_link_now(gl, p, err))
        return false;
    const struct gv_gl_executable *x = p->executable;
    return x && x->status == GV_GL_LINKED && gv_gl_executable_captures(x);
}

// (program, count, names, GL_INTERLEAVED_ATTRIBS or GL_SEPARATE_ATTRIBS)
static bool gl_TransformFeedbackVaryings(struct gv_gl *gl,
                                         const struct gv_trace_call *call,
                                         struct gv_error *err)
{
    struct gv_gl_program *p =
        gv_gl_need_program(&gl->objects, &gl->sink, gv_gl_uint(call, 0));
    const int32_t count = gv_gl_int(call, 1);
    const struct gv_trace_value *names = gv_trace_argument(call, 2);
    const uint32_t mode = gv_gl_uint(call, 3);
    char name[GV_GL_MAX_NAME_BYTES];
    if (!p)
        return true;
    if (mode != GL_INTERLEAVED_ATTRIBS && mode != GL_SEPARATE_ATTRIBS)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    const bool separate = mode == GL_SEPARATE_ATTRIBS;
    if (count < 0 || (separate && (uint32_t)count > GV_GL_CAPTURE_BUFFERS))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if ((uint32_t)count > MOST_VARYINGS)
        return gv_gl_unsupported_over(&gl->sink, GV_GL_LACK(VARYINGS), (uint32_t)count,
                                      MOST_VARYINGS);
    gv_gl_varyings_finish(&p->varyings);
    if (!begin(&p->varyings, (size_t)count, separate))
        return gv_out_of_memory(err);
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        const struct gv_trace_value *v =
            names->kind == GV_TRACE_ARRAY ? gv_trace_item(names, i) : names;
        if (!gv_gl_name_argument(v, name))
            return gv_gl_unsupported(&gl->sink, GV_GL_LACK(NAMELESS_VARYINGS));
        if (!add(&p->varyings, name, strlen(name)))
            return gv_out_of_memory(err);
    }
    return true;
}

const struct gv_gl_row gv_gl_varying_rows[] = {
    { "glTransformFeedbackVaryings", gl_TransformFeedbackVaryings, 0 },
    { NULL, NULL, 0 },
};
