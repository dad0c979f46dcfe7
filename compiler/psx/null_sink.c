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
static void no_fill(void *c, const struct gv_psx_place *to, uint16_t cell, int8_t skip)
{
    (void)c, (void)to, (void)cell, (void)skip;
}
static void no_copy(void *c, const struct gv_psx_place *from,
                    const struct gv_psx_place *to, struct gv_psx_mask mask)
{
    (void)c, (void)from, (void)to, (void)mask;
}
static void no_upload(void *c, const struct gv_psx_place *to, struct gv_psx_cells cells,
                      const uint8_t *data, struct gv_psx_mask mask)
{
    (void)c, (void)to, (void)cells, (void)data, (void)mask;
}
static void no_read(void *c, const struct gv_psx_place *from, struct gv_psx_cells cells,
                    bool keep)
{
    (void)c, (void)from, (void)cells, (void)keep;
}
static void no_latch(void *c, uint32_t word, uint32_t from_vram, bool keep)
{
    (void)c, (void)word, (void)from_vram, (void)keep;
}

const struct gv_psx_sink gv_psx_null_sink = { NULL,         no_triangle, no_line,
                                              no_rectangle, no_clut,     no_fill,
                                              no_copy,      no_upload,   no_read,
                                              no_latch };
