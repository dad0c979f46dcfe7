// Selection and feedback: while a context is in them it draws nothing. What they return
// goes to the program's memory, so that names of selection have no effect here.
#include "compiler/gl/geometry/gl_feeding.h"
#include "compiler/gl/geometry/gl_list.h"

static bool gl_SelectBuffer(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    struct gv_gl_feeding *f =
        gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err);
    if (!f)
        return false;
    if (gv_gl_int(call, 0) < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (f->render_mode == GL_SELECT)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    f->can_select = true;
    return true;
}

static bool gl_FeedbackBuffer(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    struct gv_gl_feeding *f =
        gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err);
    const uint32_t type = gv_gl_uint(call, 1);
    if (!f)
        return false;
    if (type < GL_2D || type > GL_4D_COLOR_TEXTURE)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (gv_gl_int(call, 0) < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (f->render_mode == GL_FEEDBACK)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    f->can_feed_back = true;
    return true;
}

static bool gl_RenderMode(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    struct gv_gl_feeding *f =
        gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err);
    const uint32_t mode = gv_gl_uint(call, 0);
    if (!f)
        return false;
    if (mode != GL_RENDER && mode != GL_SELECT && mode != GL_FEEDBACK)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if ((mode == GL_SELECT && !f->can_select) ||
        (mode == GL_FEEDBACK && !f->can_feed_back))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    f->render_mode = mode;
    gl->context->no_pixels = mode != GL_RENDER;
    return true;
}

const struct gv_gl_row gv_gl_feedback_rows[] = {
    { "glRenderMode", gl_RenderMode, 0 },
    { "glSelectBuffer", gl_SelectBuffer, 0 },
    { "glFeedbackBuffer", gl_FeedbackBuffer, 0 },
    { "glInitNames", NULL, 0 },
    { "glPushName", NULL, 0 },
    { "glPopName", NULL, 0 },
    { "glLoadName", NULL, 0 },
    { "glPassThrough", NULL, 0 },
    { NULL, NULL, 0 },
};
