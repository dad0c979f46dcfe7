// To be preloaded into glretrace. Mesa's software drivers look at a window's size when
// its buffers are swapped, and glretrace resizes windows at any time: what is drawn
// until the next swap would go to a window of the old size, and a picture of it would
// be memory that nobody wrote. Here buffers are swapped as soon as a window has its new
// size.
#define _GNU_SOURCE // RTLD_NEXT
#include <EGL/egl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <dlfcn.h>
#include <stddef.h>

static void swap_glx(Display *display, void *library)
{
    GLXDrawable (*current)(void);
    void (*swap)(Display *, GLXDrawable);
    *(void **)&current = dlsym(library, "glXGetCurrentDrawable");
    *(void **)&swap = dlsym(library, "glXSwapBuffers");
    if (current && swap && current())
        swap(display, current());
}

static void swap_egl(void *library)
{
    EGLDisplay (*display)(void);
    EGLSurface (*current)(EGLint);
    EGLBoolean (*swap)(EGLDisplay, EGLSurface);
    *(void **)&display = dlsym(library, "eglGetCurrentDisplay");
    *(void **)&current = dlsym(library, "eglGetCurrentSurface");
    *(void **)&swap = dlsym(library, "eglSwapBuffers");
    if (display && current && swap && current(EGL_DRAW) != EGL_NO_SURFACE)
        swap(display(), current(EGL_DRAW));
}

int XResizeWindow(Display *display, Window window, unsigned width, unsigned height)
{
    int (*resize)(Display *, Window, unsigned, unsigned);
    *(void **)&resize = dlsym(RTLD_NEXT, "XResizeWindow");
    int resized = resize(display, window, width, height);
    XSync(display, False);
    void *glx = dlopen("libGL.so.1", RTLD_LAZY),
         *egl = dlopen("libEGL.so.1", RTLD_LAZY);
    if (glx)
        swap_glx(display, glx);
    if (egl)
        swap_egl(egl);
    return resized;
}
