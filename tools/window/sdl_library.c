#include "tools/window/sdl_library.h"

#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libSDL2-2.0.so.0"

#define GV_SDL_FUNCTIONS(X)           \
    X(BlitSurface)                    \
    X(CreateRGBSurfaceWithFormatFrom) \
    X(CreateWindow)                   \
    X(DestroyWindow)                  \
    X(FreeSurface)                    \
    X(GetDisplayUsableBounds)         \
    X(GetCurrentVideoDriver)          \
    X(GetError)                       \
    X(GetKeyName)                     \
    X(GetMouseState)                  \
    X(GetWindowDisplayIndex)          \
    X(GetWindowFlags)                 \
    X(GetWindowSize)                  \
    X(GetWindowSurface)               \
    X(Init)                           \
    X(PollEvent)                      \
    X(Quit)                           \
    X(SetHint)                        \
    X(SetWindowFullscreen)            \
    X(SetWindowPosition)              \
    X(SetWindowSize)                  \
    X(SetWindowTitle)                 \
    X(UpdateWindowSurface)            \
    X(free)

#undef SDL_BlitSurface // a macro for the function that it is in the library
#define SDL_BlitSurface SDL_UpperBlit

struct gv_sdl {
#define GV_SDL_MEMBER(name) __typeof__(SDL_##name) *name;
    GV_SDL_FUNCTIONS(GV_SDL_MEMBER)
#undef GV_SDL_MEMBER
    SDL_Window *window;
};

#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name) // what a macro stands for

static bool load(struct gv_sdl *sdl, struct gv_error *err)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL), *found; // never closed
    if (!library)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: --window (no " LIBRARY ")");
#define GV_SDL_FIND(name)                                                              \
    found = dlsym(library, NAME_OF(SDL_##name));                                       \
    if (!found)                                                                        \
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,                          \
                       "unsupported: --window (a " LIBRARY " without SDL_" #name ")"); \
    memcpy(&sdl->name, &found, sizeof found);
    GV_SDL_FUNCTIONS(GV_SDL_FIND)
#undef GV_SDL_FIND
    return true;
}

// Without a display SDL takes a driver that shows nothing, for ever, which only
// somebody who names it wants.
static bool is_seen(const struct gv_sdl *sdl)
{
    const char *driver = sdl->GetCurrentVideoDriver();
    return getenv("SDL_VIDEODRIVER") ||
           (driver && strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0);
}

// Pixels are copied, without a GPU: it may be lost, and the window stays. On Wayland
// SDL 2 has no other way than through OpenGL.
static bool copies_pixels(const struct gv_sdl *sdl)
{
    const char *driver = sdl->GetCurrentVideoDriver();
    return !driver || strcmp(driver, "wayland") != 0;
}

// Xlib tells of a display's end on standard error, and ends the process: the program
// has words of its own for that. Not of SDL's functions: those that SDL's X driver
// calls are in the library that it has loaded.
static int on_display_gone(void *display)
{
    (void)display;
    exit(EXIT_FAILURE);
}

static int on_refused(void *display, void *event)
{
    (void)event;
    return on_display_gone(display);
}

static void keep_xlib_quiet(const struct gv_sdl *sdl)
{
    const char *driver = sdl->GetCurrentVideoDriver();
    void *xlib = driver && strcmp(driver, "x11") == 0
                     ? dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD)
                     : NULL;
    void *found = xlib ? dlsym(xlib, "XSetIOErrorHandler") : NULL;
    int (*(*set_gone)(int (*)(void *)))(void *);
    int (*(*set_refused)(int (*)(void *, void *)))(void *, void *);
    memcpy(&set_gone, &found, sizeof found);
    if (found)
        set_gone(on_display_gone);
    found = xlib ? dlsym(xlib, "XSetErrorHandler") : NULL;
    memcpy(&set_refused, &found, sizeof found);
    if (found)
        set_refused(on_refused);
}

static bool open_window(struct gv_sdl *sdl, const char *title, int width, int height,
                        struct gv_error *err)
{
    sdl->SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    const bool started = sdl->Init(SDL_INIT_VIDEO) == 0;
    if (started)
        keep_xlib_quiet(sdl);
    if (started && !is_seen(sdl))
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                       "no window can be opened: there is no display");
    if (started && !copies_pixels(sdl))
        sdl->SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "1");
    else if (started)
        sdl->SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    if (started)
        sdl->window = sdl->CreateWindow(
            title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height,
            SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    return sdl->window || gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                                  "no window can be opened: %.100s", sdl->GetError());
}

// Libraries tell standard error in a server's own words why it refuses them, and what
// of theirs they miss: what counts is in SDL's error. The descriptor that is kept, or
// -1.
static int begin_quiet(void)
{
    const int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    if (nowhere >= 0)
        close(nowhere);
    return kept;
}

static void end_quiet(int kept)
{
    if (kept < 0)
        return;
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
}

struct gv_sdl *gv_sdl_create(const char *title, int width, int height,
                             struct gv_error *err)
{
    struct gv_sdl *sdl = calloc(1, sizeof *sdl);
    if (!sdl) {
        gv_out_of_memory(err);
        return NULL;
    }
    const int kept = begin_quiet();
    const bool opened = load(sdl, err) && open_window(sdl, title, width, height, err);
    end_quiet(kept);
    if (opened)
        return sdl;
    free(sdl);
    return NULL;
}

void gv_sdl_destroy(struct gv_sdl *sdl)
{
    if (!sdl)
        return;
    sdl->DestroyWindow(sdl->window);
    sdl->Quit();
    free(sdl);
}

void gv_sdl_size(const struct gv_sdl *sdl, int *width, int *height)
{
    SDL_Surface *surface = NULL;
    if (!(sdl->GetWindowFlags(sdl->window) &
          (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)))
        surface = sdl->GetWindowSurface(sdl->window);
    *width = surface ? surface->w : 0;
    *height = surface ? surface->h : 0;
}

void gv_sdl_resize(struct gv_sdl *sdl, int width, int height)
{
    SDL_Rect room;
    const int display = sdl->GetWindowDisplayIndex(sdl->window);
    if (display >= 0 && sdl->GetDisplayUsableBounds(display, &room) == 0) {
        width = width < room.w ? width : room.w;
        height = height < room.h ? height : room.h;
    }
    sdl->SetWindowSize(sdl->window, width, height);
    sdl->SetWindowPosition(sdl->window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
}

void gv_sdl_title(struct gv_sdl *sdl, const char *title)
{
    sdl->SetWindowTitle(sdl->window, title);
}

void gv_sdl_full_screen(struct gv_sdl *sdl, bool full)
{
    sdl->SetWindowFullscreen(sdl->window, full ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

bool gv_sdl_show(struct gv_sdl *sdl, const struct gv_canvas *canvas)
{
    SDL_Surface *window = sdl->GetWindowSurface(sdl->window);
    if (!window || window->w != canvas->width || window->h != canvas->height)
        return false;
    SDL_Surface *own = sdl->CreateRGBSurfaceWithFormatFrom(
        canvas->pixels, canvas->width, canvas->height, 32, canvas->width * 4,
        SDL_PIXELFORMAT_RGB888);
    if (!own)
        return false;
    const bool shown = sdl->BlitSurface(own, NULL, window, NULL) == 0 &&
                       sdl->UpdateWindowSurface(sdl->window) == 0;
    sdl->FreeSurface(own);
    return shown;
}

// The mouse counts in units of the window, of which a fine display has fewer than
// pixels.
static void put_mouse(struct gv_sdl *sdl, struct gv_sdl_event *event)
{
    int x, y, width, height, pixels_x, pixels_y;
    event->kind = GV_SDL_MOUSE;
    event->down = sdl->GetMouseState(&x, &y) & SDL_BUTTON_LMASK;
    sdl->GetWindowSize(sdl->window, &width, &height);
    gv_sdl_size(sdl, &pixels_x, &pixels_y);
    event->x = width > 0 ? (int)((int64_t)x * pixels_x / width) : 0;
    event->y = height > 0 ? (int)((int64_t)y * pixels_y / height) : 0;
}

static bool put_window_event(const SDL_WindowEvent *from, struct gv_sdl_event *event)
{
    event->kind = GV_SDL_RESIZE;
    return from->event == SDL_WINDOWEVENT_EXPOSED ||
           from->event == SDL_WINDOWEVENT_SIZE_CHANGED ||
           from->event == SDL_WINDOWEVENT_SHOWN ||
           from->event == SDL_WINDOWEVENT_RESTORED;
}

// Whether an event of SDL is one of ours.
static bool convert(struct gv_sdl *sdl, const SDL_Event *from,
                    struct gv_sdl_event *event)
{
    switch (from->type) {
    case SDL_QUIT:
        event->kind = GV_SDL_CLOSE;
        return true;
    case SDL_KEYDOWN:
        event->kind = GV_SDL_KEY;
        snprintf(event->name, sizeof event->name, "%s",
                 sdl->GetKeyName(from->key.keysym.sym));
        return true;
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        put_mouse(sdl, event);
        return true;
    case SDL_WINDOWEVENT:
        return put_window_event(&from->window, event);
    case SDL_DROPFILE:
        event->kind = GV_SDL_DROP;
        snprintf(event->name, sizeof event->name, "%s", from->drop.file);
        sdl->free(from->drop.file);
        return true;
    default:
        return false;
    }
}

bool gv_sdl_event(struct gv_sdl *sdl, struct gv_sdl_event *event)
{
    SDL_Event from;
    while (sdl->PollEvent(&from))
        if (convert(sdl, &from, event))
            return true;
    return false;
}
