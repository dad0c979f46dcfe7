#include "compiler/psx/null_sink.h"

#include <stddef.h>

static void no_triangle(void *c, const struct gv_psx_draw *d,
                        const struct gv_psx_vertex *v, bool gouraud)
{
    (void)c, (void)d, (void)v, (void)gouraud;
}
static void no_line(void *c, const struct gv_psx_draw *d, const struct gv_psx_vertex *v)
{
    (void)c, (void)d, (void)v;
}
static void no_rectangle(void *c, const struct gv_psx_draw *d,
                         const struct gv_psx_vertex *v, uint32_t w, uint32_t h)
{
    (void)c, (void)d, (void)v, (void)w, (void)h;
}
static void no_clut(void *c, uint32_t x, uint32_t y, uint32_t entries)
{
    (void)c, (void)x, (void)y, (void)entries;
}
static void no_fill(void *c, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                    uint16_t cell, int8_t skip)
{
    (void)c, (void)x, (void)y, (void)w, (void)h, (void)cell, (void)skip;
}
static void no_copy(void *c, uint32_t sx, uint32_t sy, uint32_t dx, uint32_t dy,
                    uint32_t w, uint32_t h, bool set, bool check)
{
    (void)c, (void)sx, (void)sy, (void)dx, (void)dy, (void)w, (void)h, (void)set,
        (void)check;
}
static void no_upload(void *c, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                      uint32_t first, const uint8_t *cells, uint32_t count, bool set,
                      bool check)
{
    (void)c, (void)x, (void)y, (void)w, (void)h, (void)first, (void)cells, (void)count,
        (void)set, (void)check;
}
static void no_read(void *c, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                    uint32_t first, uint32_t count, bool keep)
{
    (void)c, (void)x, (void)y, (void)w, (void)h, (void)first, (void)count, (void)keep;
}
static void no_latch(void *c, uint32_t word, uint32_t from_vram, bool keep)
{
    (void)c, (void)word, (void)from_vram, (void)keep;
}

const struct gv_psx_sink gv_psx_null_sink = { NULL,         no_triangle, no_line,
                                              no_rectangle, no_clut,     no_fill,
                                              no_copy,      no_upload,   no_read,
                                              no_latch };
