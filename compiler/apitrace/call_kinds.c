#include "compiler/apitrace/call_kinds.h"

#include <stdlib.h>
#include <string.h>

// Functions that end a frame, and those that `apitrace dump` shows with -v alone; in
// order, for bsearch.
static const char *const frame_ends[] = {
    "CGLFlushDrawable",
    "eglSwapBuffers",
    "eglSwapBuffersWithDamageEXT",
    "eglSwapBuffersWithDamageKHR",
    "glFrameTerminatorGREMEDY",
    "glXSwapBuffers",
    "glXSwapBuffersMscOML",
    "wglSwapBuffers",
    "wglSwapLayerBuffers",
    "wglSwapMultipleBuffers",
};

static const char *const asking[] = {
    "CGLGetCurrentContext",
    "eglGetConfigAttrib",
    "eglGetProcAddress",
    "eglQueryString",
    "glGetString",
    "glGetStringi",
    "glIsAsyncMarkerSGIX",
    "glIsBuffer",
    "glIsBufferARB",
    "glIsBufferResidentNV",
    "glIsEnabled",
    "glIsEnabledIndexedEXT",
    "glIsEnabledi",
    "glIsFenceAPPLE",
    "glIsFenceNV",
    "glIsFramebuffer",
    "glIsFramebufferEXT",
    "glIsList",
    "glIsNameAMD",
    "glIsNamedBufferResidentNV",
    "glIsNamedStringARB",
    "glIsObjectBufferATI",
    "glIsOcclusionQueryNV",
    "glIsProgram",
    "glIsProgramARB",
    "glIsProgramNV",
    "glIsProgramPipeline",
    "glIsQuery",
    "glIsQueryARB",
    "glIsRenderbuffer",
    "glIsRenderbufferEXT",
    "glIsSampler",
    "glIsShader",
    "glIsSync",
    "glIsTexture",
    "glIsTextureEXT",
    "glIsTransformFeedback",
    "glIsTransformFeedbackNV",
    "glIsVariantEnabledEXT",
    "glIsVertexArray",
    "glIsVertexArrayAPPLE",
    "glIsVertexAttribEnabledAPPLE",
    "glXGetClientString",
    "glXGetConfig",
    "glXGetCurrentContext",
    "glXGetCurrentDisplay",
    "glXGetCurrentDisplayEXT",
    "glXGetCurrentDrawable",
    "glXGetCurrentReadDrawable",
    "glXGetCurrentReadDrawableSGI",
    "glXGetFBConfigAttrib",
    "glXGetFBConfigAttribSGIX",
    "glXGetProcAddress",
    "glXGetProcAddressARB",
    "glXIsDirect",
    "glXQueryExtension",
    "glXQueryExtensionsString",
    "glXQueryVersion",
    "wglDescribePixelFormat",
    "wglGetCurrentContext",
    "wglGetCurrentDC",
    "wglGetDefaultProcAddress",
    "wglGetExtensionsStringARB",
    "wglGetExtensionsStringEXT",
    "wglGetPixelFormat",
    "wglGetPixelFormatAttribivARB",
    "wglGetPixelFormatAttribivEXT",
    "wglGetProcAddress",
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static int compare(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

// glRectf, glRectiv, ...; not those in fixed point.
static bool is_rectangle(const char *name)
{
    if (!begins(name, "glRect") || !name[6] || !strchr("dfis", name[6]))
        return false;
    return name[7] == '\0' || strcmp(name + 7, "v") == 0;
}

static bool is_draw(const char *name)
{
    static const char *const whole[] = { "glCallList", "glCallLists", "glClear",
                                         "glDrawPixels", "glEnd" };
    static const char *const parts[] = { "DrawArrays", "DrawElements",
                                         "DrawRangeElements", "DrawMeshArrays" };
    if (!begins(name, "gl"))
        return false;
    for (size_t i = 0; i < COUNT(parts); i++)
        if (strstr(name, parts[i]))
            return true;
    return bsearch(name, whole, COUNT(whole), sizeof *whole, compare) ||
           begins(name, "glDrawTransformFeedback") ||
           begins(name, "glBlitFramebuffer") || begins(name, "glEvalMesh") ||
           is_rectangle(name);
}

static unsigned look_up(const char *name)
{
    unsigned kind = GV_CALL_KNOWN;
    if (bsearch(name, frame_ends, COUNT(frame_ends), sizeof *frame_ends, compare))
        kind |= GV_CALL_FRAME | GV_CALL_FBO;
    if (begins(name, "glBindFramebuffer"))
        kind |= GV_CALL_FBO;
    if (bsearch(name, asking, COUNT(asking), sizeof *asking, compare))
        kind |= GV_CALL_ASKS;
    if (strcmp(name, "glGetError") == 0)
        kind |= GV_CALL_ERROR;
    if (is_draw(name))
        kind |= GV_CALL_DRAW;
    return kind;
}

unsigned gv_call_kind(struct gv_trace_function *function)
{
    if (!function->kinds)
        function->kinds = (uint8_t)look_up(function->name);
    return function->kinds;
}

bool gv_call_first(struct gv_trace_function *function)
{
    unsigned kind = gv_call_kind(function);
    function->kinds = (uint8_t)(kind | GV_CALL_SEEN);
    return !(kind & GV_CALL_SEEN);
}

bool gv_call_only_asks(const struct gv_trace_call *call)
{
    unsigned kind = gv_call_kind(call->function);
    return (kind & GV_CALL_ASKS) ||
           ((kind & GV_CALL_ERROR) && call->result.kind != GV_TRACE_ABSENT &&
            gv_trace_sint(&call->result) == 0);
}
