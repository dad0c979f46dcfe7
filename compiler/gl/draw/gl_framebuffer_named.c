// Framebuffers and renderbuffers by name (ARB_direct_state_access,
// EXT_direct_state_access): each call is one of what is bound, run on another object.
#include <string.h>

#include "compiler/gl/base/gl_names.h"
#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/draw/gl_drawing.h"

// ---- the call that it is ----

// Calls by name, those that they are, and how many names stand in front of their
// arguments. Of KEPT the first argument is a target there.
enum names { DRAWN, READ_AND_DRAWN, KEPT, KEPT_RENDERBUFFER };
static const struct form {
    const char *name, *as;
    enum names names;
} forms[] = {
#define NAMED(name, as, names) { "gl" #name, "gl" #as, names },
#include "compiler/gl/draw/gl_framebuffer_named.def"
};

static const struct form *form_of(const char *name)
{
    size_t length = strlen(name);
    bool ext = length > 3 && !strcmp(name + length - 3, "EXT");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(forms[i].name, name) ||
            (ext && strlen(forms[i].name) == length - 3 &&
             !strncmp(forms[i].name, name, length - 3)))
            return &forms[i];
    return NULL;
}

static gv_gl_handler *handler_of(const char *name)
{
    const struct gv_gl_row *const tables[] = { gv_gl_framebuffer_rows,
                                               gv_gl_renderbuffer_rows,
                                               gv_gl_clear_rows, gv_gl_blit_rows,
                                               NULL };
    for (size_t i = 0; tables[i]; i++)
        for (const struct gv_gl_row *row = tables[i]; row->name; row++)
            if (!strcmp(row->name, name))
                return row->run;
    return NULL;
}

static bool run(struct gv_gl *gl, const struct gv_trace_call *call,
                const struct form *form, struct gv_error *err)
{
    struct gv_trace_call as = *call;
    uint32_t skipped = form->names == DRAWN ? 1 : form->names == READ_AND_DRAWN ? 2 : 0;
    gv_gl_handler *handler = handler_of(form->as);
    if (!handler || call->argument_count <= skipped)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    as.arguments += skipped;
    as.argument_count -= skipped;
    const struct gv_trace_call *outer = gl->sink.call;
    gl->sink.call = &as;
    bool ok = handler(gl, &as, err);
    gl->sink.call = outer;
    return ok;
}

// ---- calls ----

// The object of argument `i`: made by being named where recordings begin late. False:
// `err`.
static bool object_of(struct gv_gl *gl, const struct gv_trace_call *call, uint32_t i,
                      struct gv_gl_framebuffer **out, struct gv_error *err)
{
    uint32_t name = gv_gl_uint(call, i);
    *out = name ? gv_gl_framebuffer_make(gl->context, gl->drawing, &gl->sink, name, err)
                : NULL;
    return !name || *out;
}

static bool by_name(struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    struct gv_gl_context *c = gl->context;
    const struct form *form = form_of(call->function->name);
    struct gv_gl_framebuffer *drawn = c->draw_framebuffer, *read = c->read_framebuffer;
    struct gv_gl_framebuffer *to, *from;
    if (!form)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(COMMAND));
    bool two = form->names == READ_AND_DRAWN;
    if (!object_of(gl, call, two, &to, err) || !object_of(gl, call, 0, &from, err))
        return false;
    c->draw_framebuffer = to;
    c->read_framebuffer = from;
    bool ok = run(gl, call, form, err);
    c->draw_framebuffer = drawn;
    c->read_framebuffer = read;
    return ok;
}

static bool renderbuffer_by_name(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    const struct form *form = form_of(call->function->name);
    uint32_t bound = gl->context->renderbuffer, name = gv_gl_uint(call, 0);
    if (!form || !name)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!gv_gl_renderbuffer_find(gl->drawing, gl->objects.group, name) &&
        !gv_gl_name_make(&gl->drawing->renderbuffers,
                         gv_gl_key(gl->objects.group, name), "renderbuffers", err))
        return false;
    gl->context->renderbuffer = name;
    bool ok = run(gl, call, form, err);
    gl->context->renderbuffer = bound;
    return ok;
}

static bool create(struct gv_gl *gl, const struct gv_trace_call *call,
                   struct gv_error *err)
{
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    int32_t count = gv_gl_int(call, 0);
    if (count < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    uint64_t there = names->kind == GV_TRACE_ARRAY ? names->count : 1;
    for (uint64_t i = 0; i < (uint64_t)count && i < there; i++) {
        uint32_t name = (uint32_t)gv_trace_uint(gv_trace_item(names, i));
        if (name &&
            !gv_gl_framebuffer_make(gl->context, gl->drawing, &gl->sink, name, err))
            return false;
    }
    return true;
}

const struct gv_gl_row gv_gl_framebuffer_named_rows[] = {
    { "glCreateFramebuffers", create, 0 },
    { "glCreateRenderbuffers", NULL, 0 }, // made by being named
    { "glNamedRenderbufferStorage", renderbuffer_by_name, 0 },
    { "glNamedRenderbufferStorageMultisample", renderbuffer_by_name, 0 },
#define NAMED(name, as, names) { "gl" #name, by_name, 0 },
#include "compiler/gl/draw/gl_framebuffer_named.def"
    { NULL, NULL, 0 },
};
