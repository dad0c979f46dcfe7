#include "tests/gl_random/gl_random.h"

#include "compiler/gl/base/gl_enums.h"
#include "tests/helpers.h"

#include <EGL/egl.h>
#include <GL/glx.h>

#define DISPLAY UINT64_C(0x1000)
#define CONTEXT UINT64_C(0x2000)
#define CONFIG UINT64_C(0x3000)
#define SURFACE UINT64_C(0x4000)
#define WINDOW 7

// ---- numbers ----

unsigned random_below(struct gl_random *r, unsigned count)
{
    return (unsigned)((uint64_t)gv_test_random(&r->state) * count >> 24);
}

bool random_chance(struct gl_random *r, unsigned percent)
{
    return random_below(r, 100) < percent;
}

int random_between(struct gl_random *r, int least, int most)
{
    return least + (int)random_below(r, (unsigned)(most - least + 1));
}

double random_real(struct gl_random *r, double least, double most)
{
    return least + (most - least) * gv_test_random(&r->state) * 0x1p-24;
}

int random_of(struct gl_random *r, const int *list, unsigned count)
{
    return list[random_below(r, count)];
}

bool random_has(const struct gl_random *r, unsigned apis)
{
    return apis >> r->api & 1;
}

int random_name(struct gl_random *r)
{
    return ++r->names;
}

void random_do(struct gl_random *r, const struct random_deed *deeds, unsigned count)
{
    unsigned all = 0;
    for (unsigned i = 0; i < count; i++)
        all += random_has(r, deeds[i].apis) ? deeds[i].weight : 0;
    unsigned at = random_below(r, all);
    for (unsigned i = 0; i < count; i++) {
        if (!random_has(r, deeds[i].apis))
            continue;
        if (at < deeds[i].weight) {
            deeds[i].act(r);
            return;
        }
        at -= deeds[i].weight;
    }
}

// ---- contexts ----

static void begin_glx(struct gl_random *r)
{
    static const int core[] = { GLX_CONTEXT_MAJOR_VERSION_ARB,
                                4,
                                GLX_CONTEXT_MINOR_VERSION_ARB,
                                5,
                                GLX_CONTEXT_PROFILE_MASK_ARB,
                                GLX_CONTEXT_CORE_PROFILE_BIT_ARB,
                                0 };
    if (r->api == RANDOM_CORE)
        CALL("glXCreateContextAttribsARB", "pppia=p", DISPLAY, CONFIG, UINT64_C(0), 1,
             COUNT(core), core, CONTEXT);
    else
        CALL("glXCreateContext", "pppi=p", DISPLAY, UINT64_C(1), UINT64_C(0), 1,
             CONTEXT);
    CALL("glXMakeCurrent", "pip=i", DISPLAY, WINDOW, CONTEXT, 1);
}

static void begin_egl(struct gl_random *r)
{
    const int es[] = { EGL_CONTEXT_CLIENT_VERSION, r->api == RANDOM_ES2 ? 2 : 3,
                       EGL_NONE };
    CALL("eglBindAPI", "i=i", EGL_OPENGL_ES_API, 1);
    CALL("eglCreateContext", "pppa=p", DISPLAY, CONFIG, UINT64_C(0), COUNT(es), es,
         CONTEXT);
    CALL("eglCreateWindowSurface", "pppn=p", DISPLAY, CONFIG, (uint64_t)WINDOW,
         SURFACE);
    CALL("eglMakeCurrent", "pppp=i", DISPLAY, SURFACE, SURFACE, CONTEXT, 1);
}

static bool embedded(const struct gl_random *r)
{
    return r->api == RANDOM_ES2 || r->api == RANDOM_ES3;
}

static void swap(struct gl_random *r)
{
    if (embedded(r))
        CALL("eglSwapBuffers", "pp=i", DISPLAY, SURFACE, 1);
    else
        CALL("glXSwapBuffers", "pi", DISPLAY, WINDOW);
}

// The window, and what arrays a core profile must have.
static void begin(struct gl_random *r)
{
    static const struct random_format window = { .internal = GL_RGBA8,
                                                 .kind = RANDOM_FLOAT,
                                                 .rendered = true };
    trace_begin(&r->t.w, 6, NULL);
    (embedded(r) ? begin_egl : begin_glx)(r);
    CALL("glViewport", "iiii", 0, 0, RANDOM_SIDE, RANDOM_SIDE);
    r->targets[0] = (struct random_target){ .width = RANDOM_SIDE,
                                            .height = RANDOM_SIDE,
                                            .colors = 1,
                                            .formats = { &window },
                                            .depth = true,
                                            .stencil = true };
    r->target_count = 1;
    if (r->api == RANDOM_CORE) {
        const int array = random_name(r);
        CALL("glGenVertexArrays", "ia", 1, 1u, &array);
        CALL("glBindVertexArray", "i", array);
    }
    random_clear_all(r);
    swap(r);
    random_clear_all(r);
}

// ---- frames ----

static void make(struct gl_random *r)
{
    for (unsigned i = random_below(r, 4); i < 4; i++)
        random_make_texture(r);
    for (unsigned i = random_below(r, 3); i < 2; i++)
        random_make_target(r);
}

static void act(struct gl_random *r)
{
    static const struct random_deed deeds[] = {
        { random_draw_deed, 30, RANDOM_ALL },    { random_state_deed, 40, RANDOM_ALL },
        { random_texture_deed, 15, RANDOM_ALL }, { random_target_deed, 15, RANDOM_ALL },
        { random_pixel_deed, 6, RANDOM_OLD },    { random_query_deed, 5, RANDOM_3 },
        { random_error_deed, 3, RANDOM_ALL },
    };
    random_do(r, deeds, COUNT(deeds));
}

static void frame(struct gl_random *r)
{
    for (unsigned i = random_below(r, 5) + 5; i; i--)
        act(r);
    random_end_query(r);
    random_reset_states(r);
    random_bind_target(r, 0, 0);
    random_show(r);
    swap(r);
    random_clear_all(r);
}

void random_capture(struct gl_random *r, uint32_t seed)
{
    *r = (struct gl_random){ .state = seed * 2654435761u + 12345 };
    for (unsigned i = 0; i < 8; i++)
        gv_test_random(&r->state);
    static const uint8_t apis[] = { RANDOM_COMPAT, RANDOM_COMPAT, RANDOM_COMPAT,
                                    RANDOM_COMPAT, RANDOM_CORE,   RANDOM_CORE,
                                    RANDOM_ES3,    RANDOM_ES2 };
    r->api = apis[random_below(r, COUNT(apis))];
    r->wild = seed % 4 == 3;
    begin(r);
    make(r);
    for (unsigned i = random_below(r, 2) + 1; i < 3; i++)
        frame(r);
}
