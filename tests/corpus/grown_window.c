// To be preloaded into glretrace. Mesa's software drivers look at a window's size when
// its buffers are swapped, and glretrace resizes windows at any time: what is drawn
// until the next swap would go to a window of the old size, and a picture of it would
// be memory that nobody wrote. Here buffers are swapped as soon as a window has its new
// size.
#define _GNU_SOURCE // RTLD_NEXT
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <dlfcn.h>

static void swap(Display *display, void *library)
{
    GLXDrawable (*current)(void);
    void (*swap_buffers)(Display *, GLXDrawable);
    *(void **)&current = dlsym(library, "glXGetCurrentDrawable");
    *(void **)&swap_buffers = dlsym(library, "glXSwapBuffers");
    if (current && swap_buffers && current())
        swap_buffers(display, current());
}

int XResizeWindow(Display *display, Window window, unsigned width, unsigned height)
{
    int (*resize)(Display *, Window, unsigned, unsigned);
    *(void **)&resize = dlsym(RTLD_NEXT, "XResizeWindow");
    int resized = resize(display, window, width, height);
    XSync(display, False);
    void *library = dlopen("libGL.so.1", RTLD_LAZY);
    if (library)
        swap(display, library);
    return resized;
}
