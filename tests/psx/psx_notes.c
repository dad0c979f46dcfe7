#include "tests/psx/psx_notes.h"

static struct gv_bytes *begin(void *context)
{
    struct gv_psx_notes *notes = context;
    if (notes->text.size)
        gv_bytes_u8(&notes->text, ' ');
    return &notes->text;
}

static bool full(const void *context)
{
    return ((const struct gv_psx_notes *)context)->full;
}

static void note_vertices(struct gv_bytes *b, const struct gv_psx_vertex *v, int count)
{
    for (int i = 0; i < count; i++)
        gv_bytes_printf(b, "%s%d,%d", i ? ":" : "", v[i].x, v[i].y);
}

static void note_colors(struct gv_bytes *b, const struct gv_psx_vertex *v, int count)
{
    for (int i = 0; i < count; i++)
        gv_bytes_printf(b, "#%02x%02x%02x@%u,%u", v[i].r, v[i].g, v[i].b, v[i].u,
                        v[i].v);
}

static void note_draw(struct gv_bytes *b, const struct gv_psx_draw *d)
{
    gv_bytes_printf(b, "[%d,%d-%d,%d page %u,%u depth %u blend %u", d->area_x0,
                    d->area_y0, d->area_x1, d->area_y1, d->page_x, d->page_y, d->depth,
                    d->blend);
    gv_bytes_printf(b, " window %02x|%02x,%02x|%02x%s%s%s%s%s%s%s%s skip %d]",
                    d->window_and_u, d->window_or_u, d->window_and_v, d->window_or_v,
                    d->raw ? " raw" : "", d->semi_transparent ? " semi" : "",
                    d->dither ? " dither" : "", d->mask_set ? " set" : "",
                    d->mask_check ? " check" : "", d->flip_u ? " flip-u" : "",
                    d->flip_v ? " flip-v" : "", d->modulate_5bit ? " 5-bit" : "",
                    d->skip_parity);
}

static void triangle(void *context, const struct gv_psx_draw *d,
                     const struct gv_psx_vertex v[3], bool gouraud)
{
    struct gv_bytes *b = begin(context);
    gv_bytes_printf(b, "T%s%s(", gouraud ? "g" : "", d->textured ? "t" : "");
    note_vertices(b, v, 3);
    gv_bytes_printf(b, ")");
    if (d->skip_parity >= 0)
        gv_bytes_printf(b, "/%d", d->skip_parity);
    if (full(context)) {
        note_colors(b, v, 3);
        note_draw(b, d);
    }
}

static void line(void *context, const struct gv_psx_draw *d,
                 const struct gv_psx_vertex v[2])
{
    struct gv_bytes *b = begin(context);
    gv_bytes_printf(b, "L(");
    note_vertices(b, v, 2);
    gv_bytes_printf(b, ",%02x%02x%02x)", v[1].r, v[1].g, v[1].b);
    if (full(context)) {
        note_colors(b, v, 2);
        note_draw(b, d);
    }
}

static void rectangle(void *context, const struct gv_psx_draw *d,
                      const struct gv_psx_vertex *corner, uint32_t w, uint32_t h)
{
    struct gv_bytes *b = begin(context);
    gv_bytes_printf(b, "R%s(%d,%d,%ux%u)", d->textured ? "t" : "", corner->x, corner->y,
                    w, h);
    if (full(context)) {
        note_colors(b, corner, 1);
        note_draw(b, d);
    }
}

static void clut(void *context, uint32_t x, uint32_t y, uint32_t entries)
{
    gv_bytes_printf(begin(context), "K(%u,%u,%u)", x, y, entries);
}

static void fill(void *context, const struct gv_psx_place *to, uint16_t cell,
                 int8_t skip)
{
    gv_bytes_printf(begin(context), "F(%u,%u,%ux%u,%04x)%s", to->x, to->y, to->w, to->h,
                    cell,
                    skip < 0 ? ""
                    : skip   ? "/1"
                             : "/0");
}

static void copy(void *context, const struct gv_psx_place *from,
                 const struct gv_psx_place *to, struct gv_psx_mask mask)
{
    gv_bytes_printf(begin(context), "C(%u,%u>%u,%u,%ux%u)%s%s", from->x, from->y, to->x,
                    to->y, to->w, to->h, mask.set ? "s" : "", mask.check ? "c" : "");
}

static void upload(void *context, const struct gv_psx_place *to,
                   struct gv_psx_cells cells, const uint8_t *data,
                   struct gv_psx_mask mask)
{
    struct gv_bytes *b = begin(context);
    gv_bytes_printf(b, "U(%u,%u,%ux%u,%u+%u)%s%s", to->x, to->y, to->w, to->h,
                    cells.first, cells.count, mask.set ? "s" : "",
                    mask.check ? "c" : "");
    for (uint32_t i = 0; full(context) && i < 2 * cells.count; i++)
        gv_bytes_printf(b, "%02x", data[i]);
}

static void read_cells(void *context, const struct gv_psx_place *from,
                       struct gv_psx_cells cells, bool keep)
{
    gv_bytes_printf(begin(context), "%s(%u,%u,%ux%u,%u+%u)", keep ? "READ" : "DROP",
                    from->x, from->y, from->w, from->h, cells.first, cells.count);
}

static void latch(void *context, uint32_t word, uint32_t from_vram, bool keep)
{
    gv_bytes_printf(begin(context), "=%x/%x%s", word, from_vram,
                    !keep && full(context) ? " dropped" : "");
}

struct gv_psx_sink gv_psx_notes_sink(struct gv_psx_notes *notes)
{
    return (struct gv_psx_sink){ notes, triangle, line,   rectangle,  clut,
                                 fill,  copy,     upload, read_cells, latch };
}

uint32_t gv_psx_gpustat(const struct gv_psx_gpu *gpu)
{
    bool ready = gpu->parse == GV_PSX_IDLE && gpu->have == 0;
    bool reading = gpu->parse == GV_PSX_READ;
    uint32_t dma[4] = { 0, 1, !reading, reading };
    uint32_t interlaced = gpu->mode >> 5 & 1;
    uint32_t stat = gpu->draw_mode & 0x7ff;
    stat |= (gpu->mask & 3) << 11;
    stat |= (interlaced ? gpu->field : gpu->version != GV_PSX_V0) << 13;
    stat |= (gpu->mode >> 7 & 1) << 14 | (gpu->draw_mode >> 11 & 1) << 15;
    stat |= (gpu->mode >> 6 & 1) << 16 | (gpu->mode & 0x3f) << 17;
    stat |= (uint32_t)gpu->display_off << 23 | (uint32_t)gpu->interrupt << 24;
    stat |= dma[gpu->dma_direction] << 25 | (uint32_t)ready << 26;
    stat |= (uint32_t)reading << 27 | (uint32_t)!reading << 28;
    return stat | gpu->dma_direction << 29;
}
