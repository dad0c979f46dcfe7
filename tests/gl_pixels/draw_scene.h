// Small scenes of calls, compiled and run: pixels against those worked out from the
// specification, and how many passes and draws they take.
#ifndef GV_DRAW_SCENE_H
#define GV_DRAW_SCENE_H

#include <string.h>

#include "resources/base/arena.h"
#include "tests/compiler/builder_probe.h"
#include "tests/gl/make_call.h"

#define SIDE 32
#define MOST_CHECKS 8

enum { BLACK = 0, RED = 0xFF0000, GREEN = 0x00FF00, BLUE = 0x0000FF, WHITE = 0xFFFFFF };

struct scene {
    struct probe probe;
    struct gv_arena arena;
    struct gv_gl *gl;
    uint64_t number;      // of the next call
    uint32_t frames;      // shown; of the last one pixels are looked at
    uint32_t unsupported; // how often a scene expects to hear it
    uint32_t products;    // that it expects the machine to make, by PRODUCT 1
    bool ok;
};

struct draw_row {
    const char *name;
    void (*make)(struct scene *s); // between begin and show
    uint32_t height;               // of the picture
    struct {
        uint32_t x, y, rgb; // GL's coordinates; of all that are named
    } checks[MOST_CHECKS];
    uint32_t passes, draws;
};

// Adds what the row fails to the test's result; pixels only where there is a device.
void check_draw(const struct draw_row *row, bool device);
// What a program returns whose test the rows are: pixels where a device is.
int check_draws(const struct draw_row *rows, size_t count);

// ---- calls ----

#define P(n) (uint64_t)(n)

// A call of make_call.h.
void call(struct scene *s, const char *name, const char *kinds, ...);

// A window of SIDE x SIDE in which coordinates are pixels.
void begin(struct scene *s);
void show(struct scene *s);

void color(struct scene *s, uint32_t rgb);
void clear_to(struct scene *s, uint32_t rgb);
void quad(struct scene *s, double x0, double y0, double x1, double y1);
// A texture of 2 x 2 texels of one colour, or new texels for it, mips and all.
void texels(struct scene *s, uint32_t name, uint32_t rgb, bool again);

// Bytes of a text, as `B` takes them.
#define TEXT(s) strlen(s), (const uint8_t *)(s)

// Shaders `program` + 1 and + 2, attached; the second one's text may be NULL.
void attach_shader(struct scene *s, int program, int shader, uint32_t type,
                   const char *text);
void attach_program(struct scene *s, int program, const char *vertex,
                    const char *fragment);
// Attached, linked, in use.
void use_program(struct scene *s, int program, const char *vertex,
                 const char *fragment);
void locate(struct scene *s, int program, const char *name, int location);

// Lines of the payload's code that call something of these names.
uint32_t count_of(struct probe *probe, const char *call_name);

#endif
