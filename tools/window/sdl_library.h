// SDL2, the one library of windows: loaded when a window is wanted, so that programs
// start and link without it. Its types stay in sdl_library.c.
#ifndef GV_SDL_LIBRARY_H
#define GV_SDL_LIBRARY_H

#include "resources/base/error.h"
#include "tools/window/window_canvas.h"

struct gv_sdl;

enum gv_sdl_event_kind {
    GV_SDL_KEY,    // pressed: name
    GV_SDL_MOUSE,  // moved or pressed: x, y, down
    GV_SDL_RESIZE, // or what is shown has to be drawn again
    GV_SDL_DROP,   // of a file: name
    GV_SDL_CLOSE,
};

struct gv_sdl_event {
    enum gv_sdl_event_kind kind;
    char name[4096];
    int x, y; // pixels of the canvas
    bool down;
};

// Opens a window of about that size. NULL: GV_ERR_UNSUPPORTED (no library),
// GV_ERR_OUTPUT (no display).
struct gv_sdl *gv_sdl_create(const char *title, int width, int height,
                             struct gv_error *err);
void gv_sdl_destroy(struct gv_sdl *sdl);

// Of what can be drawn on; 0: it is minimised.
void gv_sdl_size(const struct gv_sdl *sdl, int *width, int *height);
// A size for the window, or less if the display has less, in its middle.
void gv_sdl_resize(struct gv_sdl *sdl, int width, int height);
void gv_sdl_title(struct gv_sdl *sdl, const char *title);
void gv_sdl_full_screen(struct gv_sdl *sdl, bool full);

// Shows a canvas of the window's size. False: the window has another size by now.
bool gv_sdl_show(struct gv_sdl *sdl, const struct gv_canvas *canvas);

// False: there is none.
bool gv_sdl_event(struct gv_sdl *sdl, struct gv_sdl_event *event);

#endif
