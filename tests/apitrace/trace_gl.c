#include "tests/apitrace/trace_gl.h"

#include <stdarg.h>
#include <string.h>

#include "tests/helpers.h"

#define DISPLAY UINT64_C(0x1000)
#define CONTEXT UINT64_C(0x2000)
#define WINDOW 7

static const struct trace_function *function_of(struct trace_gl *t, const char *name,
                                                const char *types)
{
    static const char arguments[] = "p o n m l k j i h g f e d c b a";
    unsigned i = 0;
    while (i < t->count && strcmp(t->functions[i].name, name) != 0)
        i++;
    if (i == t->count && t->count < TRACE_MAX_FUNCTIONS) {
        const size_t count = strcspn(types, "=");
        t->functions[t->count++] = (struct trace_function){
            i, name, count ? arguments + sizeof arguments - 2 * count : ""
        };
    }
    return &t->functions[i < t->count ? i : 0];
}

void trace_gl_call(struct trace_gl *t, const char *name, const char *types, ...)
{
    va_list list;
    va_start(list, types);
    trace_call_list(&t->w, function_of(t, name, types), types, &list);
    va_end(list);
}

uint64_t trace_gl_enter(struct trace_gl *t, const char *name, const char *types)
{
    return trace_enter(&t->w, 0, function_of(t, name, types));
}

void trace_gl_begin(struct trace_gl *t)
{
    *t = (struct trace_gl){ 0 };
    trace_begin(&t->w, 6, NULL);
    trace_gl_call(t, "glXCreateContext", "pppi=p", DISPLAY, UINT64_C(1), UINT64_C(0), 1,
                  CONTEXT);
    trace_gl_call(t, "glXMakeCurrent", "pip=i", DISPLAY, WINDOW, CONTEXT, 1);
    trace_gl_call(t, "glViewport", "iiii", 0, 0, TRACE_GL_SIDE, TRACE_GL_SIDE);
}

void trace_gl_finish(struct trace_gl *t)
{
    trace_writer_finish(&t->w);
}

void trace_gl_swap(struct trace_gl *t)
{
    trace_gl_call(t, "glXSwapBuffers", "pi", DISPLAY, WINDOW);
}

void trace_gl_shape(struct trace_gl *t, unsigned mode, unsigned count)
{
    uint32_t random = count;
    trace_gl_call(t, "glBegin", "i", (int)mode);
    for (unsigned i = 0; i < count; i++)
        trace_gl_call(t, "glVertex3f", "fff", gv_test_random(&random) * 0x1p-23 - 1,
                      gv_test_random(&random) * 0x1p-23 - 1, 0.5);
    trace_gl_call(t, "glEnd", "");
}
