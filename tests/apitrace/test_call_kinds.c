// Kinds of calls, by the name of their function.
#include "compiler/apitrace/call_kinds.h"
#include "tests/test.h"

static const struct {
    const char *function;
    unsigned kind;
} kinds[] = {
    { "glXSwapBuffersMscOML", GV_CALL_FRAME | GV_CALL_FBO },
    { "glFrameTerminatorGREMEDY", GV_CALL_FRAME | GV_CALL_FBO },
    { "glXSwapBuffersX", 0 },
    { "glDrawElementsInstancedBaseVertexBaseInstance", GV_CALL_DRAW },
    { "glDrawRangeElementsEXT", GV_CALL_DRAW },
    { "glDrawMeshArraysSUN", GV_CALL_DRAW },
    { "glMultiModeDrawElementsIBM", GV_CALL_DRAW },
    { "glDrawElementArrayATI", 0 },
    { "glDrawTransformFeedbackStream", GV_CALL_DRAW },
    { "glDrawTexfOES", 0 },
    { "glDrawBuffers", 0 },
    { "glRectiv", GV_CALL_DRAW },
    { "glRectxOES", 0 },
    { "glRect", 0 },
    { "glEvalMesh2", GV_CALL_DRAW },
    { "glCallLists", GV_CALL_DRAW },
    { "glBitmap", 0 },
    { "glClearBufferfv", 0 },
    { "glBlitFramebufferEXT", GV_CALL_DRAW },
    { "glBlitNamedFramebuffer", 0 },
    { "glGetError", GV_CALL_ERROR },
    { "glGetString", GV_CALL_ASKS },
    { "glGetIntegerv", 0 },
    { "wglGetProcAddress", GV_CALL_ASKS },
    { "CGLGetCurrentContext", GV_CALL_ASKS },
    { "", 0 },
};

static void test_kinds(void)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct gv_trace_function f = { .name = kinds[i].function };
        CHECK_ROW(kinds[i].function,
                  gv_call_kind(&f) == (kinds[i].kind | GV_CALL_KNOWN));
        CHECK_ROW(kinds[i].function, gv_call_first(&f) && !gv_call_first(&f));
    }
}

int main(void)
{
    test_kinds();
    return TEST_RESULT();
}
