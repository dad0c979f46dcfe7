// Contexts, surfaces and their sizes, threads, frame ends.
#include <EGL/egl.h>

#include "compiler/gl/gl.h"
#include "compiler/gl/gl_functions.h"
#include "compiler/gl/texture/texture_object.h"
#include "tests/gl/state_machine.h"
#include "tests/test.h"

enum { DISPLAY = 1, WINDOW = 7, OTHER = 8, CONTEXT = 0x100, SECOND = 0x200 };
#define P(n) (uint64_t)(n)

static struct gv_gl_context *current(struct state_machine *m)
{
    gv_gl_enter_thread(m->gl, m->thread, &m->err);
    return m->gl->context;
}

static void make_current(struct state_machine *m, uint64_t window, uint64_t context)
{
    CHECK(run(m, "glXMakeCurrent", "ppp=i", P(DISPLAY), window, context, 1));
}

static bool sized(struct state_machine *m, uint32_t width, uint32_t height)
{
    const struct gv_gl_surface *s = current(m)->draw_surface;
    return s->width == width && s->height == height;
}

static void check_sizes(struct state_machine *m)
{
    make_current(m, WINDOW, CONTEXT);
    const struct gv_gl_state *s = current_state(m);
    CHECK(s->viewport.width == 32 && s->scissor.height == 32 && sized(m, 32, 32));
    run(m, "glViewport", "iiii", 0, 0, 320, 10);
    CHECK(sized(m, 320, 32));
    CHECK(s->scissor.width == 320 && s->scissor.height == 32 &&
          s->viewport.height == 10);
    run(m, "glScissor", "iiii", 1, 2, 3, 4);
    run(m, "glViewport", "iiii", 10, 20, 30, 220);
    CHECK(sized(m, 320, 240) && s->scissor.x == 0 && s->scissor.height == 240);
    // No growth: the scissor stays.
    run(m, "glScissor", "iiii", 1, 2, 3, 4);
    run(m, "glViewport", "iiii", 0, 0, 100, 100);
    run(m, "glViewport", "iiii", 0, 0, 4000, 0);
    run(m, "glViewport", "iiii", 0, 0, -5, 400);
    CHECK(sized(m, 320, 240) && s->scissor.width == 3);
    CHECK(s->viewport.width == 4000 && s->viewport.height == 0);
    run(m, "glViewportArrayv", "iiF", 0, 1, FLOATS(0, 0, 400, 300));
    CHECK(sized(m, 400, 300));
    run(m, "glViewportIndexedf", "iffff", 1, 0.0, 0.0, 900.0, 900.0);
    CHECK(sized(m, 400, 300));
    run(m, "glViewport", "iiii", 0, 0, INT32_MAX, INT32_MAX);
    CHECK(s->viewport.width == 16384);
    // A second context on the same window begins with its size.
    run(m, "glViewport", "iiii", 0, 0, 50, 50);
    make_current(m, WINDOW, SECOND);
    CHECK(current(m)->state.viewport.width == 16384);
    make_current(m, OTHER, SECOND);
    CHECK(sized(m, 32, 32) && current(m)->state.viewport.width == 16384);
    make_current(m, WINDOW, CONTEXT);
    CHECK(current(m)->state.viewport.width == 50);
}

static void check_pbuffers(struct state_machine *m)
{
    run(m, "glXCreatePbuffer", "ppI=i", P(DISPLAY), P(2),
        INTEGERS(0x8041, 64, 0x8040, 48, 0), 77);
    make_current(m, 77, 0x300);
    CHECK(sized(m, 64, 48) && current(m)->state.viewport.width == 64);
    run(m, "glViewport", "iiii", 0, 0, 500, 500);
    CHECK(sized(m, 64, 48));
    run(m, "glXDestroyPbuffer", "pi", P(DISPLAY), 77);
    CHECK(sized(m, 64, 48)); // until it is released
    make_current(m, 0, 0);
    make_current(m, 77, 0x300);
    CHECK(sized(m, 32, 32));
    // EGL's are as windows.
    run(m, "eglMakeCurrent", "pppp=i", P(1), P(0x5000), P(0x5000), P(0x301), 1);
    run(m, "glViewport", "iiii", 0, 0, 90, 80);
    CHECK(sized(m, 90, 80));
    run(m, "wglCreatePbufferARB", "piiin=p", P(1), 3, 20, 10, P(0x900));
    run(m, "wglGetPbufferDCARB", "p=p", P(0x900), P(0x901));
    run(m, "wglMakeCurrent", "pp=i", P(0x901), P(0x302), 1);
    CHECK(sized(m, 20, 10));
    // As large as an image may be.
    run(m, "glXCreateGLXPbufferSGIX", "ppiiI=i", P(DISPLAY), P(2), 20000, -3,
        INTEGERS(0), 78);
    make_current(m, 78, 0x303);
    CHECK(sized(m, 16384, 1));
}

static void check_contexts(struct state_machine *m)
{
    run(m, "glXCreateContextAttribsARB", "pppiI=p", P(1), P(2), P(0), 1,
        INTEGERS(0x2091, 3, 0x2092, 3, 0x9126, 1, 0), P(0x400));
    const struct gv_gl_context *c = gv_gl_context_find(m->gl, 0x400);
    CHECK(c && c->version == 33 && c->core && c->family == GV_GL_DESKTOP);
    run(m, "glXCreateContextAttribsARB", "pppiI=p", P(1), P(2), P(0), 1,
        INTEGERS(0x2091, 3, 0x2092, 0, 0x9126, 1, 0), P(0x401));
    c = gv_gl_context_find(m->gl, 0x401);
    CHECK(c && c->version == 30 && !c->core);
    run(m, "glXCreateContextAttribsARB", "pppiI=p", P(1), P(2), P(0), 1,
        INTEGERS(0x2091, 10, 0x2092, 0, 0), P(0x410)); // no such version
    CHECK(gv_gl_context_find(m->gl, 0x410)->version == 10);
    run(m, "glXCreateContextAttribsARB", "pppiI=p", P(1), P(2), P(0), 1,
        INTEGERS(0x2091, 2, 0x2092, 0, 0x9126, 4, 0), P(0x411));
    CHECK(gv_gl_context_find(m->gl, 0x411)->family == GV_GL_ES);
    run(m, "glXCreateContextAttribsARB", "pppiI=n", P(1), P(2), P(0), 1, INTEGERS(0));
    // GLES unless another API is bound; per thread.
    run(m, "eglCreateContext", "pppI=p", P(1), P(2), P(0), INTEGERS(0x3098, 2, 0x3038),
        P(0x402));
    c = gv_gl_context_find(m->gl, 0x402);
    CHECK(c && c->family == GV_GL_ES && c->version == 20);
    run(m, "eglBindAPI", "e=i", 0x30A2u, 1);
    run(m, "eglBindAPI", "e=i", 0x30A0u, 0); // failed
    run(m, "eglCreateContext", "pppI=p", P(1), P(2), P(0), INTEGERS(0x3038), P(0x403));
    c = gv_gl_context_find(m->gl, 0x403);
    CHECK(c && c->family == GV_GL_DESKTOP && c->version == 10);
    m->thread = 1;
    run(m, "eglCreateContext", "pppI=p", P(1), P(2), P(0), INTEGERS(0x3038), P(0x404));
    CHECK(gv_gl_context_find(m->gl, 0x404)->family == GV_GL_ES);
    m->thread = 0;
    run(m, "eglReleaseThread", "=i", 1);
    run(m, "eglCreateContext", "pppI=p", P(1), P(2), P(0), INTEGERS(0x3038), P(0x405));
    CHECK(gv_gl_context_find(m->gl, 0x405)->family == GV_GL_ES);
    run(m, "CGLCreateContext", "ppI=i", P(1), P(0), INTEGERS(0x406), 0);
    CHECK(gv_gl_context_find(m->gl, 0x406));
}

static void check_destroyed_while_current(struct state_machine *m)
{
    make_current(m, WINDOW, 0x500);
    run(m, "glLineWidth", "f", 5.0);
    run(m, "glPushAttrib", "e", GL_LINE_BIT);
    run(m, "glXDestroyContext", "pp", P(DISPLAY), P(0x500));
    CHECK(!gv_gl_context_find(m->gl, 0x500));
    CHECK(current(m) && current(m)->state.line.width == 5);
    // The handle stands for a new context at once.
    run(m, "glXCreateContext", "pppi=p", P(1), P(2), P(0), 1, P(0x500));
    CHECK(current(m)->state.line.width == 5);
    make_current(m, WINDOW, 0x500);
    CHECK(current(m)->state.line.width == 1);
    make_current(m, 0, 0);
    CHECK(!current(m));
    // A failed call leaves what is current.
    make_current(m, WINDOW, 0x500);
    run(m, "glXMakeCurrent", "ppp=i", P(DISPLAY), P(OTHER), P(CONTEXT), 0);
    CHECK(current(m)->handle == 0x500);
}

static void check_threads(struct state_machine *m)
{
    make_current(m, WINDOW, CONTEXT);
    m->thread = 5;
    CHECK(!current(m));
    make_current(m, OTHER, SECOND);
    run(m, "glLineWidth", "f", 7.0);
    m->thread = 0;
    run(m, "glLineWidth", "f", 3.0);
    CHECK(current(m)->handle == CONTEXT && current(m)->state.line.width == 3);
    m->thread = 5;
    CHECK(current(m)->handle == SECOND && current(m)->state.line.width == 7);
    // One context on two threads: each with its own surface.
    make_current(m, OTHER, CONTEXT);
    CHECK(current(m)->draw_surface->handle == OTHER);
    m->thread = 0;
    CHECK(current(m)->draw_surface->handle == WINDOW);
    make_current(m, 0, 0);
    m->thread = 5;
    CHECK(current(m)->handle == CONTEXT && current(m)->draw_surface->handle == OTHER);
    // Read and draw surfaces may differ; none is a surface of the context's own.
    run(m, "glXMakeContextCurrent", "pppp=i", P(1), P(WINDOW), P(OTHER), P(CONTEXT), 1);
    CHECK(current(m)->draw_surface->handle == WINDOW);
    CHECK(current(m)->read_surface->handle == OTHER);
    run(m, "eglMakeCurrent", "pnnp=i", P(1), P(CONTEXT), 1);
    CHECK(sized(m, 32, 32));
    m->thread = 0;
}

static bool ends_frame(const char *name)
{
    struct gv_trace_function function = { .name = name,
                                          .handler = gv_gl_function(name) };
    return gv_gl_ends_frame(&(struct gv_trace_call){ .function = &function });
}

static void check_frame_names(void)
{
    static const char *const ends[] = {
        "glXSwapBuffers",   "glXSwapBuffersMscOML",        "eglSwapBuffers",
        "wglSwapBuffers",   "eglSwapBuffersWithDamageKHR", "wglSwapLayerBuffers",
        "CGLFlushDrawable", "glFrameTerminatorGREMEDY",    "wglSwapMultipleBuffers",
    };
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        CHECK_ROW(ends[i], ends_frame(ends[i]));
    CHECK(!ends_frame("glFlush") && !ends_frame("glXSwapBuffer"));
}

// With what a configuration was asked for, as its program has it, not glretrace.
static bool is_opaque(struct state_machine *m, uint64_t config, uint64_t context)
{
    run(m, "eglCreateContext", "pppI=p", P(1), config, P(0), INTEGERS(EGL_NONE),
        context);
    const struct gv_gl_context *c = gv_gl_context_find(m->gl, context);
    CHECK(c);
    return c && c->visual.opaque;
}

static void check_visuals(struct state_machine *m)
{
    m->gl->recorded_visual = true;
    run(m, "eglChooseConfig", "pIIii=i", P(1), INTEGERS(EGL_ALPHA_SIZE, 8, EGL_NONE),
        INTEGERS(0x30), 1, 1, 1);
    run(m, "eglChooseConfig", "pIIii=i", P(1), INTEGERS(EGL_RED_SIZE, 8, EGL_NONE),
        INTEGERS(0x31), 1, 1, 1);
    CHECK(!is_opaque(m, 0x30, 0x600));
    CHECK(is_opaque(m, 0x31, 0x601));
    m->gl->recorded_visual = false;
    CHECK(!is_opaque(m, 0x31, 0x602));
}

static uint32_t samples_of(struct state_machine *m, uint64_t config, uint64_t context)
{
    run(m, "eglCreateContext", "pppI=p", P(1), config, P(0), INTEGERS(EGL_NONE),
        context);
    const struct gv_gl_context *c = gv_gl_context_find(m->gl, context);
    CHECK(c);
    return c ? c->visual.samples : 0;
}

// As glretrace has it: buffers of samples are asked for, and a surface is there first.
static void check_samples(struct state_machine *m)
{
    run(m, "eglChooseConfig", "pIIii=i", P(1),
        INTEGERS(EGL_SAMPLES, 4, EGL_SAMPLE_BUFFERS, 1, EGL_NONE), INTEGERS(0x40), 1, 1,
        1);
    run(m, "eglChooseConfig", "pIIii=i", P(1), INTEGERS(EGL_SAMPLES, 4, EGL_NONE),
        INTEGERS(0x41), 1, 1, 1);
    CHECK(samples_of(m, 0x40, 0x610) == 0);
    run(m, "eglCreateWindowSurface", "pppp=p", P(1), P(0x40), P(9), P(0), P(0x700));
    run(m, "eglCreatePbufferSurface", "ppI=p", P(1), P(0x41), INTEGERS(EGL_NONE),
        P(0x701));
    CHECK(samples_of(m, 0x40, 0x611) == 4);
    CHECK(samples_of(m, 0x41, 0x612) == 0);
    m->gl->recorded_visual = true;
    CHECK(samples_of(m, 0x41, 0x613) == 4);
    m->gl->recorded_visual = false;
}

// Handles without end: limits, no crash.
static void check_limits(struct state_machine *m)
{
    for (uint64_t i = 1; i <= 200; i++) {
        run(m, "glXCreateContext", "pppi=p", P(1), P(2), P(0), 1, P(i + 10000));
        run(m, "glXDestroyContext", "pp", P(DISPLAY), P(i + 10000));
    }
    CHECK(m->err.status == GV_OK);
    bool made = true;
    for (uint64_t i = 1; i <= 1000 && made; i++)
        made = run(m, "glXCreateContext", "pppi=p", P(1), P(2), P(0), 1, P(i + 20000));
    CHECK(!made && m->err.status == GV_ERR_LIMIT);
}

// Whether the textures of two contexts are the same ones.
static bool shares(struct state_machine *m, uint64_t one, uint64_t other)
{
    make_current(m, WINDOW, one);
    run(m, "glBindTexture", "ei", GL_TEXTURE_2D, 77);
    const struct gv_gl_texture *first = gv_gl_texture_find(&m->gl->objects, 0, 77),
                               *unnamed = gv_gl_texture_find(&m->gl->objects, 0, 0);
    make_current(m, WINDOW, other);
    const bool same = gv_gl_texture_find(&m->gl->objects, 0, 77) == first;
    CHECK(same == (gv_gl_texture_find(&m->gl->objects, 0, 0) == unnamed));
    return first && same;
}

static void check_groups(struct state_machine *m)
{
    enum { FIRST = 0xA00 };
    make_current(m, WINDOW, FIRST); // that nobody made
    run(m, "glXCreateContext", "pppi=p", P(1), P(0), P(FIRST), 1, P(FIRST + 1));
    run(m, "glXCreateNewContext", "ppipi=p", P(1), P(0), 0, P(FIRST + 1), 1,
        P(FIRST + 2));
    run(m, "glXCreateContextAttribsARB", "pppip=p", P(1), P(0), P(FIRST), 1, P(0),
        P(FIRST + 3));
    run(m, "eglCreateContext", "pppp=p", P(1), P(0), P(FIRST), P(0), P(FIRST + 4));
    run(m, "wglCreateContextAttribsARB", "ppp=p", P(1), P(FIRST), P(0), P(FIRST + 5));
    run(m, "CGLCreateContext", "ppI=i", P(1), P(FIRST), INTEGERS(FIRST + 6), 0);
    for (uint64_t i = 1; i < 7; i++)
        CHECK(shares(m, FIRST, FIRST + i));
    // One shares with a context that nobody made; it is made.
    run(m, "glXCreateContext", "pppi=p", P(1), P(0), P(FIRST + 8), 1, P(FIRST + 7));
    CHECK(shares(m, FIRST + 7, FIRST + 8) && !shares(m, FIRST, FIRST + 7));
    run(m, "wglCreateContext", "p=p", P(1), P(FIRST + 9));
    CHECK(!shares(m, FIRST, FIRST + 9));
    run(m, "wglShareLists", "pp=i", P(FIRST), P(FIRST + 9), 0); // failed
    CHECK(!shares(m, FIRST, FIRST + 9));
    run(m, "wglShareLists", "pp=i", P(FIRST), P(FIRST + 9), 1);
    CHECK(shares(m, FIRST, FIRST + 9));
    // A group's objects outlive who began it, and end before another context is made.
    const uint32_t live = m->gl->objects.textures->names.live;
    run(m, "glXDestroyContext", "pp", P(1), P(FIRST + 7));
    run(m, "wglCreateContext", "p=p", P(1), P(FIRST + 10));
    CHECK(m->gl->objects.textures->names.live == live);
    run(m, "glXDestroyContext", "pp", P(1), P(FIRST + 8));
    CHECK(m->gl->objects.textures->names.live == live);
    run(m, "wglCreateContext", "p=p", P(1), P(FIRST + 11));
    CHECK(m->gl->objects.textures->names.live == live - 1);
}

int main(void)
{
    static struct state_machine m;
    state_machine_begin(&m);
    check_sizes(&m);
    check_pbuffers(&m);
    check_contexts(&m);
    check_destroyed_while_current(&m);
    check_threads(&m);
    check_visuals(&m);
    check_samples(&m);
    check_frame_names();
    check_groups(&m);
    check_limits(&m);
    state_machine_end(&m);
    return TEST_RESULT();
}
