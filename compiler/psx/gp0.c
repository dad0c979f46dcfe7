#include "compiler/psx/gp0.h"

#include <stddef.h>

// Bits of polygon, line and rectangle command words.
enum {
    GOURAUD = 1 << 28,
    QUAD = 1 << 27,
    POLYLINE = 1 << 27,
    TEXTURED = 1 << 26,
    SEMI = 1 << 25,
    RAW = 1 << 24,
};

static uint32_t polygon_words(uint32_t command)
{
    uint32_t per_vertex = 1u + !!(command & TEXTURED);
    return 1 + 3 * per_vertex + (command & GOURAUD ? 2 : 0);
}

static uint32_t quad_tail_words(uint32_t command)
{
    return 1u + !!(command & TEXTURED) + !!(command & GOURAUD);
}

uint32_t gv_psx_command_words(uint32_t command)
{
    uint32_t opcode = command >> 24;
    switch (opcode >> 5) {
    case 0:
        return opcode == 0x02 ? 3 : 1;
    case 1:
        return polygon_words(command);
    case 2:
        return command & GOURAUD ? 4 : 3;
    case 3:
        return 2u + !!(command & TEXTURED) + ((opcode & 0x18) == 0);
    case 4:
        return 4;
    case 5:
    case 6:
        return 3;
    default:
        return 1;
    }
}

const char *gv_psx_command_name(uint32_t command)
{
    static const char *const polygons[8] = {
        "triangle",      "textured triangle",     "quad",
        "textured quad", "gouraud triangle",      "gouraud textured triangle",
        "gouraud quad",  "gouraud textured quad",
    };
    static const char *const lines[4] = { "line", "polyline", "gouraud line",
                                          "gouraud polyline" };
    static const char *const registers[8] = {
        "nop",
        "draw mode",
        "texture window",
        "area top left",
        "area bottom right",
        "offset",
        "mask settings",
        "nop",
    };
    uint32_t opcode = command >> 24;
    switch (opcode >> 5) {
    case 0:
        return opcode == 0x01   ? "flush caches"
               : opcode == 0x02 ? "fill"
               : opcode == 0x1f ? "interrupt"
                                : "nop";
    case 1:
        return polygons[opcode >> 2 & 7];
    case 2:
        return lines[opcode >> 3 & 3];
    case 3:
        return command & TEXTURED ? "textured rectangle" : "rectangle";
    case 4:
        return "copy";
    case 5:
        return "upload";
    case 6:
        return "read";
    default:
        return opcode <= 0xe7 ? registers[opcode & 7] : "nop";
    }
}

static void set_position(struct gv_psx_vertex *v, const struct gv_psx_gpu *gpu,
                         uint32_t word)
{
    v->x = gv_psx_wrap_11(word) + gv_psx_wrap_11(gpu->offset);
    v->y = gv_psx_wrap_11(word >> 16) + gv_psx_wrap_11(gpu->offset >> 11);
}

static void set_color(struct gv_psx_vertex *v, uint32_t word)
{
    v->r = (uint8_t)word;
    v->g = (uint8_t)(word >> 8);
    v->b = (uint8_t)(word >> 16);
}

// Rows skipped while the other field is shown ("13.3 Interlace and drawing").
static int8_t skip_parity(const struct gv_psx_gpu *gpu)
{
    if ((gpu->mode & 0x24) != 0x24 || (gpu->draw_mode & 0x400))
        return -1;
    uint32_t display_y = gpu->display_start >> 10;
    return (int8_t)((display_y + gpu->field) & 1);
}

struct gv_psx_draw gv_psx_draw_state(const struct gv_psx_gpu *gpu, uint32_t command)
{
    uint32_t mode = gpu->draw_mode, window = gpu->window;
    uint32_t mask_x = (window & 31) * 8, mask_y = (window >> 5 & 31) * 8;
    bool polygon = command >> 29 == 1, line = command >> 29 == 2;
    bool textured = !line && (command & TEXTURED), raw = textured && (command & RAW);
    bool shaded = polygon && ((command & GOURAUD) || textured);
    bool flips = !polygon && gpu->version != GV_PSX_V0;
    return (struct gv_psx_draw){
        .area_x0 = (int32_t)(gpu->area_tl & 1023),
        .area_y0 = (int32_t)(gpu->area_tl >> 10 & 1023),
        .area_x1 = (int32_t)(gpu->area_br & 1023),
        .area_y1 = (int32_t)(gpu->area_br >> 10 & 1023),
        .page_x = (uint16_t)(64 * (mode & 15)),
        .page_y = (uint16_t)(256 * (mode >> 4 & 1) + 512 * (mode >> 11 & 1)),
        .depth = (uint8_t)((mode >> 7 & 3) == 3 ? 2 : mode >> 7 & 3),
        .blend = mode >> 5 & 3,
        .window_and_u = (uint8_t)~mask_x,
        .window_or_u = (uint8_t)((window >> 10 & 31) * 8 & mask_x),
        .window_and_v = (uint8_t)~mask_y,
        .window_or_v = (uint8_t)((window >> 15 & 31) * 8 & mask_y),
        .textured = textured,
        .raw = raw,
        .semi_transparent = command & SEMI,
        .dither = (mode & 0x200) && (line || (shaded && !raw)),
        .mask_set = gpu->mask & 1,
        .mask_check = gpu->mask & 2,
        .flip_u = flips && (mode & 0x1000),
        .flip_v = flips && (mode & 0x2000),
        .skip_parity = skip_parity(gpu),
        .modulate_5bit = gpu->version == GV_PSX_V0,
    };
}

// "8.1 CLUT cache": the rule that reproduces the hardware.
static void load_clut(struct gv_psx_gpu *gpu, uint32_t id)
{
    uint32_t depth = gpu->draw_mode >> 7 & 3;
    if (depth >= 2)
        return;
    id &= gv_psx_vram_rows(gpu) == 1024 ? 0xffff : 0x7fff;
    uint32_t entries = depth == 0 ? 16 : 256;
    if (gpu->clut_valid && gpu->clut_id == id && entries <= gpu->clut_entries)
        return;
    gpu->clut_valid = true;
    gpu->clut_id = id;
    gpu->clut_entries = entries;
    gpu->sink->clut(gpu->sink->context, (id & 63) * 16, id >> 6 & gv_psx_y_mask(gpu),
                    entries);
}

// Textured polygons overwrite bits 0-8 (and 11) of the draw mode.
static void set_page(struct gv_psx_gpu *gpu, uint32_t page)
{
    gpu->draw_mode = (gpu->draw_mode & ~0x1ffu) | (page & 0x1ff);
    if (gpu->version != GV_PSX_V0)
        gpu->draw_mode =
            (gpu->draw_mode & ~0x800u) | (gpu->upper_512 ? page & 0x800 : 0);
}

// "2. Size rule": a primitive is dropped if two vertices are too far apart.
static bool too_large(const struct gv_psx_vertex *a, const struct gv_psx_vertex *b)
{
    int32_t dx = a->x - b->x, dy = a->y - b->y;
    return dx >= 1024 || dx <= -1024 || dy >= 512 || dy <= -512;
}

static void draw_triangle(struct gv_psx_gpu *gpu, uint32_t command,
                          const struct gv_psx_vertex v[3])
{
    if (too_large(&v[0], &v[1]) || too_large(&v[1], &v[2]) || too_large(&v[0], &v[2]))
        return;
    struct gv_psx_draw draw = gv_psx_draw_state(gpu, command);
    gpu->sink->triangle(gpu->sink->context, &draw, v, command & GOURAUD);
}

// Decodes vertex `index` from the collected words.
static struct gv_psx_vertex polygon_vertex(const struct gv_psx_gpu *gpu, uint32_t index,
                                           uint32_t *texture)
{
    uint32_t command = gpu->words[0];
    uint32_t gouraud = !!(command & GOURAUD), textured = !!(command & TEXTURED);
    uint32_t at = 1 + index * (1 + textured + gouraud); // of the position word
    struct gv_psx_vertex v = { 0 };
    set_color(&v, gouraud && index ? gpu->words[at - 1] : command);
    set_position(&v, gpu, gpu->words[at]);
    *texture = textured ? gpu->words[at + 1] : 0;
    v.u = (uint8_t)*texture;
    v.v = (uint8_t)(*texture >> 8);
    return v;
}

static void polygon(struct gv_psx_gpu *gpu)
{
    uint32_t command = gpu->words[0], texture[3];
    struct gv_psx_vertex v[3];
    for (uint32_t i = 0; i < 3; i++)
        v[i] = polygon_vertex(gpu, i, &texture[i]);
    if (command & TEXTURED) {
        set_page(gpu, texture[1] >> 16);
        load_clut(gpu, texture[0] >> 16);
    }
    gpu->primitives++; // a quad is one
    draw_triangle(gpu, command, v);
    if (command & QUAD) {
        gpu->parse = GV_PSX_QUAD;
        gpu->need = gpu->have + quad_tail_words(command);
    }
}

static void quad_tail(struct gv_psx_gpu *gpu)
{
    struct gv_psx_vertex v[3];
    uint32_t texture;
    for (uint32_t i = 0; i < 3; i++)
        v[i] = polygon_vertex(gpu, i + 1, &texture);
    gpu->parse = GV_PSX_IDLE;
    draw_triangle(gpu, gpu->words[0], v);
}

static void draw_line(struct gv_psx_gpu *gpu, const struct gv_psx_vertex *a,
                      const struct gv_psx_vertex *b)
{
    gpu->primitives++;
    if (too_large(a, b))
        return;
    struct gv_psx_draw draw = gv_psx_draw_state(gpu, gpu->words[0]);
    const struct gv_psx_vertex v[2] = { *a, *b };
    gpu->sink->line(gpu->sink->context, &draw, v);
}

static void line(struct gv_psx_gpu *gpu)
{
    uint32_t command = gpu->words[0];
    bool gouraud = command & GOURAUD;
    struct gv_psx_vertex a = { 0 }, b = { 0 };
    set_color(&a, command);
    set_position(&a, gpu, gpu->words[1]);
    set_color(&b, gouraud ? gpu->words[2] : command);
    set_position(&b, gpu, gpu->words[gouraud ? 3 : 2]);
    draw_line(gpu, &a, &b);
    if (command & POLYLINE) {
        gpu->parse = GV_PSX_POLYLINE;
        gpu->last = b;
        gpu->has_next_color = false;
    }
}

static void polyline_word(struct gv_psx_gpu *gpu, uint32_t word)
{
    bool gouraud = gpu->words[0] & GOURAUD;
    if (!gpu->has_next_color && (word & 0xf000f000) == 0x50005000) {
        gpu->parse = GV_PSX_IDLE;
        return;
    }
    if (gouraud && !gpu->has_next_color) {
        gpu->next_color = word;
        gpu->has_next_color = true;
        return;
    }
    struct gv_psx_vertex next = gpu->last;
    if (gouraud)
        set_color(&next, gpu->next_color);
    set_position(&next, gpu, word);
    draw_line(gpu, &gpu->last, &next);
    gpu->last = next;
    gpu->has_next_color = false;
}

static void rectangle(struct gv_psx_gpu *gpu)
{
    static const uint32_t sizes[4] = { 0, 1, 8, 16 };
    uint32_t command = gpu->words[0], at = 2;
    uint32_t w = sizes[command >> 27 & 3], h = w;
    struct gv_psx_vertex corner = { 0 };
    set_color(&corner, command);
    set_position(&corner, gpu, gpu->words[1]);
    corner.x = gv_psx_wrap_11(corner.x);
    corner.y = gv_psx_wrap_11(corner.y);
    gpu->primitives++;
    if (command & TEXTURED) {
        corner.u = (uint8_t)gpu->words[at];
        corner.v = (uint8_t)(gpu->words[at] >> 8);
        load_clut(gpu, gpu->words[at++] >> 16);
    }
    if (w == 0) {
        w = gpu->words[at] & 0x3ff;
        h = gpu->words[at] >> 16 & 0x1ff;
    }
    struct gv_psx_draw draw = gv_psx_draw_state(gpu, command);
    if (w && h)
        gpu->sink->rectangle(gpu->sink->context, &draw, &corner, w, h);
}

static void fill(struct gv_psx_gpu *gpu)
{
    uint32_t color = gpu->words[0], xy = gpu->words[1], size = gpu->words[2];
    uint32_t w = ((size & 0x3ff) + 15) & ~15u, h = size >> 16 & 0x1ff;
    uint32_t cell =
        (color >> 3 & 31) | (color >> 11 & 31) << 5 | (color >> 19 & 31) << 10;
    // "14. GPU versions": the old GPU then fills every second cell, further on.
    gpu->odd_fills += gpu->version == GV_PSX_V0 && (xy & 15) == 15;
    if (w && h)
        gpu->sink->fill(
            gpu->sink->context,
            &(struct gv_psx_place){ xy & 0x3f0, xy >> 16 & gv_psx_y_mask(gpu), w, h },
            (uint16_t)cell, skip_parity(gpu));
}

static uint32_t transfer_width(uint32_t size)
{
    return (((size & 0xffff) - 1) & 0x3ff) + 1;
}

static uint32_t transfer_height(uint32_t size)
{
    return (((size >> 16) - 1) & 0x1ff) + 1;
}

static struct gv_psx_place transfer_place(const struct gv_psx_gpu *gpu, uint32_t xy,
                                          uint32_t size)
{
    return (struct gv_psx_place){ xy & 0x3ff, xy >> 16 & gv_psx_y_mask(gpu),
                                  transfer_width(size), transfer_height(size) };
}

static void copy(struct gv_psx_gpu *gpu)
{
    const struct gv_psx_place from = transfer_place(gpu, gpu->words[1], gpu->words[3]);
    const struct gv_psx_place to = transfer_place(gpu, gpu->words[2], gpu->words[3]);
    gpu->sink->copy(gpu->sink->context, &from, &to, gv_psx_mask_bits(gpu));
}

static void begin_transfer(struct gv_psx_gpu *gpu, enum gv_psx_parse parse)
{
    gpu->parse = parse;
    gpu->t_mask = gv_psx_y_mask(gpu);
    gpu->transfer = transfer_place(gpu, gpu->words[1], gpu->words[2]);
    gpu->done = 0;
    gpu->cells.size = 0;
}

static void upload_word(struct gv_psx_gpu *gpu, uint32_t word)
{
    uint32_t left = gv_psx_place_cells(&gpu->transfer) - gpu->done;
    gv_bytes_u16(&gpu->cells, (uint16_t)word);
    if (left > 1)
        gv_bytes_u16(&gpu->cells, (uint16_t)(word >> 16));
    gpu->done += left > 1 ? 2 : 1;
    if (gpu->done == gv_psx_place_cells(&gpu->transfer)) {
        gv_psx_flush_upload(gpu);
        gpu->parse = GV_PSX_IDLE;
    }
}

static void draw_mode(struct gv_psx_gpu *gpu, uint32_t word)
{
    uint32_t bits = 0x37ff;
    if (gpu->upper_512)
        bits |= 0x800;
    gpu->draw_mode = word & bits;
}

static void set_register(struct gv_psx_gpu *gpu, uint32_t word)
{
    switch (word >> 24) {
    case 0xe1:
        draw_mode(gpu, word);
        break;
    case 0xe2:
        gpu->window = word & 0xfffff;
        break;
    case 0xe3:
        gpu->area_tl = word & 0xfffff;
        break;
    case 0xe4:
        gpu->area_br = word & 0xfffff;
        break;
    case 0xe5:
        gpu->offset = word & 0x3fffff;
        break;
    case 0xe6:
        gpu->mask = word & 3;
        break;
    default: // nops
        break;
    }
}

static void control(struct gv_psx_gpu *gpu)
{
    switch (gpu->words[0] >> 24) {
    case 0x01:
        gpu->clut_valid = false;
        gpu->flushes++;
        break;
    case 0x02:
        fill(gpu);
        break;
    case 0x1f:
        gpu->interrupt = true;
        break;
    default: // nops
        break;
    }
}

// All words of a command have arrived.
static void execute(struct gv_psx_gpu *gpu)
{
    switch (gpu->words[0] >> 29) {
    case 0:
        control(gpu);
        break;
    case 1:
        if (gpu->parse == GV_PSX_QUAD)
            quad_tail(gpu);
        else
            polygon(gpu);
        break;
    case 2:
        line(gpu);
        break;
    case 3:
        rectangle(gpu);
        break;
    case 4:
        copy(gpu);
        break;
    case 5:
        begin_transfer(gpu, GV_PSX_UPLOAD);
        break;
    case 6:
        begin_transfer(gpu, GV_PSX_READ);
        break;
    default:
        set_register(gpu, gpu->words[0]);
        break;
    }
    if (gpu->parse != GV_PSX_QUAD)
        gpu->have = 0;
}

void gv_psx_gp0(struct gv_psx_gpu *gpu, uint32_t word)
{
    switch (gpu->parse) {
    case GV_PSX_UPLOAD:
        upload_word(gpu, word);
        return;
    case GV_PSX_POLYLINE:
        polyline_word(gpu, word);
        return;
    case GV_PSX_READ:
        if ((gpu->queue.size - gpu->queue_at) / 4 < GV_PSX_QUEUE_WORDS)
            gv_bytes_u32(&gpu->queue, word);
        else
            gpu->dropped_words++;
        return;
    case GV_PSX_IDLE:
    case GV_PSX_QUAD:
        break;
    }
    if (gpu->have == 0)
        gpu->need = gv_psx_command_words(word);
    gpu->words[gpu->have++] = word;
    if (gpu->have == gpu->need)
        execute(gpu);
}
