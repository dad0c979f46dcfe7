// SETs of calls in apitrace's grammar.
#include "compiler/apitrace/call_kinds.h"
#include "compiler/apitrace/call_set.h"
#include "tests/test.h"

// Calls 0 to 9: what each of them is.
static const struct {
    const char *function;
} calls[] = {
    { "glXCreateContext" },
    { "glBindFramebufferEXT" },
    { "glClear" },
    { "glBegin" },
    { "glEnd" },
    { "glXSwapBuffers" },
    { "glDrawArrays" },
    { "glGetError" },
    { "glXSwapBuffers" },
    { "glFlush" },
};

static const struct {
    const char *set, *expected; // the numbers of the calls that are in it
    uint64_t last;
} sets[] = {
    { "4", "4", 4 },
    { "0,2,5", "025", 5 },
    { "5 2 , 0", "025", 5 },
    { "0-9/3", "0369", 9 },
    { "1-9/3", "147", 9 },
    { "2/3", "2", 2 },
    { "7-", "789", UINT64_MAX },
    { "*", "0123456789", UINT64_MAX },
    { "*/4", "048", UINT64_MAX },
    { "*/frame", "58", UINT64_MAX },
    { "frame", "58", UINT64_MAX },
    { "draw", "246", UINT64_MAX },
    { "3-/render", "46", UINT64_MAX },
    { "*/fbo", "158", UINT64_MAX },
    { "rendertarget", "158", UINT64_MAX },
    { "0-4/frame", "", 4 },
    { "frame,0", "058", UINT64_MAX },
    { "6-3", "", 3 },
    { "3-3\n9", "39", 9 },
};

static void test_sets(void)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct gv_call_set set;
        struct gv_error err = GV_ERROR_INIT;
        char found[11] = "";
        size_t count = 0;
        bool parsed = gv_call_set_parse(&set, sets[i].set, &err);
        CHECK_ROW(sets[i].set, parsed);
        if (!parsed)
            continue;
        for (uint64_t n = 0; n < sizeof calls / sizeof *calls; n++) {
            struct gv_trace_function f = { .name = calls[n].function };
            if (gv_call_set_has(&set, n, gv_call_kind(&f)))
                found[count++] = (char)('0' + n);
        }
        CHECK_ROW(sets[i].set, strcmp(found, sets[i].expected) == 0);
        CHECK_ROW(sets[i].set, gv_call_set_last(&set) == sets[i].last);
        gv_call_set_finish(&set);
    }
}

static const struct {
    const char *set, *message;
} refused[] = {
    { "", "an empty SET" },
    { " , ", "an empty SET" },
    { "x", "a number, '*' or a kind at 'x'" },
    { "-3", "a number, '*' or a kind at '-3'" },
    { "3-x", "a comma or a blank at 'x'" },
    { "3x", "a comma or a blank at 'x'" },
    { "*/", "a kind or a step from 1 at ''" },
    { "*/0", "a kind or a step from 1" },
    { "*/frames", "a kind or a step from 1 at 'frames'" },
    { "framed", "a number, '*' or a kind at 'framed'" },
    { "*/frame/10", "a comma or a blank at '/10'" },
    { "99999999999999999999", "a number, '*' or a kind" },
};

static void test_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct gv_call_set set;
        struct gv_error err = GV_ERROR_INIT;
        CHECK_ROW(refused[i].set, !gv_call_set_parse(&set, refused[i].set, &err));
        CHECK_ROW(refused[i].set, err.status == GV_ERR_USAGE);
        CHECK_ROW(refused[i].set, strstr(err.message, refused[i].message) != NULL);
    }
}

// ---- kinds of calls ----

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
    test_sets();
    test_refused();
    test_kinds();
    return TEST_RESULT();
}
