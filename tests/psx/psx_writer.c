#include "tests/psx/psx_writer.h"

#include "resources/base/cursor.h"

#include <string.h>

static void close_packet(struct gv_psx_writer *w)
{
    if (!w->open)
        return;
    uint32_t words = (uint32_t)((w->out.size - w->packet) / 4 - 1);
    for (int i = 0; i < 3 && !w->out.failed; i++)
        w->out.data[w->packet + (size_t)i] = (uint8_t)(words >> 8 * i);
    w->open = false;
}

void gv_psx_write_header(struct gv_psx_writer *w, bool duckstation)
{
    if (duckstation)
        gv_bytes_put(&w->out, "PSXGPUDUMPv1\0\0", 14);
    else
        gv_bytes_put(&w->out, "PSXGPUDUMPv1r1\0\0", 16);
}

void gv_psx_write_packet(struct gv_psx_writer *w, uint32_t type, const uint32_t *words,
                         uint32_t count)
{
    close_packet(w);
    gv_bytes_u32(&w->out, count | type << 24);
    for (uint32_t i = 0; i < count; i++)
        gv_bytes_u32(&w->out, words[i]);
}

void gv_psx_write_text(struct gv_psx_writer *w, uint32_t type, const char *text)
{
    close_packet(w);
    size_t n = strlen(text), words = n / 4 + 1;
    gv_bytes_u32(&w->out, (uint32_t)words | type << 24);
    gv_bytes_put(&w->out, text, n);
    for (size_t i = n; i < words * 4; i++)
        gv_bytes_u8(&w->out, 0);
}

void gv_psx_write_gp0(struct gv_psx_writer *w, uint32_t word)
{
    if (!w->open) {
        w->packet = w->out.size;
        gv_bytes_u32(&w->out, 0);
        w->open = true;
    }
    gv_bytes_u32(&w->out, word);
}

void gv_psx_write_gp1(struct gv_psx_writer *w, uint32_t word)
{
    gv_psx_write_packet(w, 0x01, &word, 1);
}

void gv_psx_write_vsync(struct gv_psx_writer *w)
{
    gv_psx_write_packet(w, 0x02, NULL, 0);
}

void gv_psx_write_end(struct gv_psx_writer *w)
{
    close_packet(w);
}

void gv_psx_resplit(const void *dump, size_t size, uint32_t words, struct gv_bytes *out)
{
    struct gv_cursor c = gv_cursor_make(dump, size);
    const uint8_t *magic = gv_cursor_take(&c, 14);
    size_t header = magic && magic[12] ? 16 : 14; // "r1" follows the longer one
    gv_bytes_put(out, dump, header < size ? header : size);
    gv_cursor_seek(&c, header);
    while (gv_cursor_left(&c) && !c.bad) {
        uint32_t head = gv_cursor_u32(&c), left = head & 0xffffff;
        do {
            uint32_t n = head >> 24 == 0 && left > words ? words : left;
            const uint8_t *data = gv_cursor_take(&c, 4 * (size_t)n);
            gv_bytes_u32(out, n | (head & 0xff000000));
            gv_bytes_put(out, data, data ? 4 * (size_t)n : 0);
            left -= n;
        } while (left && !c.bad);
    }
}

void gv_psx_write_defaults(struct gv_psx_writer *w)
{
    gv_psx_write_gp1(w, 0x00000000);
    gv_psx_write_gp1(w, 0x03000000);                       // display on
    gv_psx_write_gp1(w, 0x05000000);                       // at (0, 0)
    gv_psx_write_gp1(w, 0x06000000 | 0x260 | 0xc60 << 12); // 320 pixels
    gv_psx_write_gp1(w, 0x07000000 | 16 | 256 << 10);      // 240 lines
    gv_psx_write_gp1(w, 0x08000001);
    gv_psx_write_gp0(w, 0xe1000400);
    gv_psx_write_gp0(w, 0xe3000000);
    gv_psx_write_gp0(w, 0xe4000000 | 1023 | 511 << 10);
    gv_psx_write_gp0(w, 0xe5000000);
}

uint32_t gv_psx_random(struct gv_psx_writer *w)
{
    uint64_t z = w->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(z >> 32 ^ z);
}

static uint32_t below(struct gv_psx_writer *w, uint32_t n)
{
    return gv_psx_random(w) % n;
}

// How far the vertices of a shape are apart: mostly little, now and then as far as the
// GPU draws.
static uint32_t random_span(struct gv_psx_writer *w)
{
    static const uint32_t spans[] = { 3, 16, 48, 96, 96, 160 };
    uint32_t rare = below(w, 64);
    return rare == 0 ? 1023 : rare == 1 ? 400 : spans[below(w, 6)];
}

// Near a place; rarely anywhere.
static uint32_t random_position(struct gv_psx_writer *w, uint32_t near, uint32_t span)
{
    uint32_t x = (near & 0xffff) + below(w, span), y = (near >> 16) + below(w, span);
    if (below(w, 64) == 0)
        return gv_psx_random(w);
    return (x & 0x7ff) | (y & 0x7ff) << 16;
}

static uint32_t random_texture(struct gv_psx_writer *w, uint32_t index)
{
    uint32_t uv = gv_psx_random(w) & 0xffff;
    uint32_t page = gv_psx_random(w) & 0x9ff, clut = gv_psx_random(w) & 0xffff;
    return uv | (index == 0 ? clut : index == 1 ? page : 0) << 16;
}

static void random_polygon(struct gv_psx_writer *w)
{
    uint32_t command = 0x20000000 | (gv_psx_random(w) & 0x1fffffff);
    uint32_t near = below(w, 1000) | below(w, 500) << 16, span = random_span(w);
    uint32_t vertices = command & 1 << 27 ? 4 : 3;
    gv_psx_write_gp0(w, command);
    for (uint32_t i = 0; i < vertices; i++) {
        if (i && command & 1 << 28)
            gv_psx_write_gp0(w, gv_psx_random(w));
        gv_psx_write_gp0(w, random_position(w, near, span));
        if (command & 1 << 26)
            gv_psx_write_gp0(w, random_texture(w, i));
    }
}

static void random_line(struct gv_psx_writer *w)
{
    uint32_t command = 0x40000000 | (gv_psx_random(w) & 0x1fffffff);
    uint32_t near = below(w, 1000) | below(w, 500) << 16, span = random_span(w);
    bool gouraud = command & 1 << 28, polyline = command & 1 << 27;
    uint32_t vertices = polyline ? 2 + below(w, 6) : 2;
    gv_psx_write_gp0(w, command);
    for (uint32_t i = 0; i < vertices; i++) {
        if (i && gouraud)
            gv_psx_write_gp0(w, gv_psx_random(w) & 0x00ffffff);
        gv_psx_write_gp0(w, random_position(w, near, span) & 0x0fff0fff);
    }
    if (polyline)
        gv_psx_write_gp0(w, 0x55555555);
}

static void random_rectangle(struct gv_psx_writer *w)
{
    uint32_t command = 0x60000000 | (gv_psx_random(w) & 0x1fffffff);
    gv_psx_write_gp0(w, command);
    uint32_t near = below(w, 1000) | below(w, 500) << 16, span = random_span(w);
    gv_psx_write_gp0(w, random_position(w, near, span));
    if (command & 1 << 26)
        gv_psx_write_gp0(w, random_texture(w, 0));
    if ((command >> 27 & 3) == 0)
        gv_psx_write_gp0(w, below(w, span + 24) | below(w, span + 24) << 16);
}

// What is shown, and whether rows are left out for it.
static void random_display(struct gv_psx_writer *w)
{
    uint32_t left = 0x260 + below(w, 200), top = 16 + below(w, 40);
    switch (below(w, 8)) {
    case 0:
        gv_psx_write_gp1(w, 0x03000000 | (below(w, 4) == 0));
        break;
    case 1:
        gv_psx_write_gp1(w, 0x05000000 | (gv_psx_random(w) & 0x7ffff));
        break;
    case 2:
        gv_psx_write_gp1(w, 0x06000000 | left | (left + below(w, 2600)) << 12);
        break;
    case 3:
        gv_psx_write_gp1(w, 0x07000000 | top | (top + below(w, 240)) << 10);
        break;
    case 4: // interlaced and 24 bit now and then
        gv_psx_write_gp1(w, 0x08000000 | (gv_psx_random(w) & 0xff));
        break;
    case 5:
        gv_psx_write_gp1(w, 0x08000001);
        break;
    case 6: // rows beyond 512, where there are
        gv_psx_write_gp1(w, 0x09000000 | below(w, 2));
        break;
    default:
        gv_psx_write_vsync(w);
        break;
    }
}

// Cells and latches read back.
static void random_read(struct gv_psx_writer *w)
{
    uint32_t width = 1 + below(w, 20), height = 1 + below(w, 20);
    gv_psx_write_gp0(w, 0xc0000000);
    gv_psx_write_gp0(w, below(w, 1024) | below(w, 512) << 16);
    gv_psx_write_gp0(w, width | height << 16);
    const uint32_t words[1] = { (width * height + 1) / 2 };
    gv_psx_write_packet(w, below(w, 4) ? 0x04 : 0x03, words, 1);
    if (below(w, 4))
        return;
    gv_psx_write_gp1(w, 0x10000000 | below(w, 16));
    gv_psx_write_packet(w, 0x04, (const uint32_t[1]){ 1 }, 1);
}

static void random_register(struct gv_psx_writer *w)
{
    uint32_t x0 = below(w, 900), y0 = below(w, 480);
    switch (below(w, 8)) {
    case 0: // a texture window, usually none
        gv_psx_write_gp0(w,
                         0xe2000000 | (below(w, 3) ? 0 : gv_psx_random(w) & 0xfffff));
        break;
    case 1:
        gv_psx_write_gp0(w, 0xe3000000 | x0 | y0 << 10);
        gv_psx_write_gp0(w, 0xe4000000 | (x0 + below(w, 300)) |
                                (y0 + below(w, 200)) << 10);
        break;
    case 2:
        gv_psx_write_gp0(w, 0xe3000000);
        gv_psx_write_gp0(w, 0xe4000000 | 1023 | (below(w, 2) ? 511u : 1023u) << 10);
        break;
    case 3: // an offset, usually small
        gv_psx_write_gp0(w,
                         0xe5000000 | (below(w, 8) ? below(w, 32) | below(w, 32) << 11
                                                   : gv_psx_random(w) & 0x3fffff));
        break;
    case 4:
        gv_psx_write_gp0(w, 0xe6000000 | (below(w, 3) ? 0 : below(w, 4)));
        break;
    case 5:
        gv_psx_write_gp0(w, 0x01000000);
        break;
    default:
        gv_psx_write_gp0(w, 0xe1000000 | (gv_psx_random(w) & 0x3fff));
        break;
    }
}

static void random_transfer(struct gv_psx_writer *w)
{
    uint32_t at = below(w, 1024) | below(w, 512) << 16;
    uint32_t width = 1 + below(w, 40), height = 1 + below(w, 40);
    switch (below(w, 4)) {
    case 0:
        gv_psx_write_gp0(w, 0x02000000 | (gv_psx_random(w) & 0xffffff));
        gv_psx_write_gp0(w, at);
        gv_psx_write_gp0(w, below(w, 100) | below(w, 60) << 16);
        break;
    case 1: { // often overlapping itself
        uint32_t near = below(w, 2) ? at : at + below(w, 8) + (below(w, 8) << 16);
        gv_psx_write_gp0(w, 0x80000000);
        gv_psx_write_gp0(w, at);
        gv_psx_write_gp0(w, near);
        gv_psx_write_gp0(w, width | height << 16);
        break;
    }
    default:
        gv_psx_write_gp0(w, 0xa0000000);
        gv_psx_write_gp0(w, at);
        gv_psx_write_gp0(w, width | height << 16);
        for (uint32_t i = 0; i < (width * height + 1) / 2; i++)
            gv_psx_write_gp0(w, gv_psx_random(w));
        break;
    }
}

void gv_psx_write_random(struct gv_psx_writer *w)
{
    uint32_t kind = below(w, 100);
    if (kind < 45)
        random_polygon(w);
    else if (kind < 60)
        random_line(w);
    else if (kind < 82)
        random_rectangle(w);
    else if (kind < 92)
        random_register(w);
    else if (kind < 94)
        random_display(w);
    else if (kind < 95)
        random_read(w);
    else
        random_transfer(w);
}

// ---- what few programs do ----

static void rare_fill(struct gv_psx_writer *w)
{
    gv_psx_write_gp0(w, 0x02000000 | (gv_psx_random(w) & 0xffffff));
    gv_psx_write_gp0(w, gv_psx_random(w));
    gv_psx_write_gp0(w, below(w, 1100) | below(w, 520) << 16);
}

// Wide enough for several rounds of a workgroup; copies often overlap themselves.
static void rare_transfer(struct gv_psx_writer *w)
{
    uint32_t at = below(w, 1024) | below(w, 1024) << 16;
    bool copy = below(w, 2);
    uint32_t width = 1 + below(w, copy ? 1024 : 300), height = 1 + below(w, 24);
    gv_psx_write_gp0(w, copy ? 0x80000000 : 0xa0000000);
    gv_psx_write_gp0(w, at);
    if (copy)
        gv_psx_write_gp0(w, below(w, 2) ? gv_psx_random(w)
                                        : at + below(w, 200) + (below(w, 3) << 16));
    gv_psx_write_gp0(w, width | height << 16);
    for (uint32_t i = 0; !copy && i < (width * height + 1) / 2; i++)
        gv_psx_write_gp0(w, gv_psx_random(w));
}

// A wide read, fetched in two parts and with commands waiting for its end.
static void rare_read(struct gv_psx_writer *w)
{
    uint32_t width = 1 + below(w, 300), height = 1 + below(w, 8);
    uint32_t words = (width * height + 1) / 2, part = below(w, words);
    gv_psx_write_gp0(w, 0xc0000000);
    gv_psx_write_gp0(w, gv_psx_random(w));
    gv_psx_write_gp0(w, width | height << 16);
    random_polygon(w);
    gv_psx_write_packet(w, below(w, 2) ? 0x04 : 0x03, &part, 1);
    random_rectangle(w);
    words -= part;
    gv_psx_write_packet(w, 0x04, &words, 1);
}

// Quads over all of the screen, more than one batch can take lightly.
static void rare_screens(struct gv_psx_writer *w)
{
    uint32_t count = 8 + below(w, 6);
    gv_psx_write_gp0(w, 0xe3000000);
    gv_psx_write_gp0(w, 0xe4000000 | 1023 | 511 << 10);
    gv_psx_write_gp0(w, 0xe5000000);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t left = below(w, 8), right = 1016 + below(w, 8), below_all = 511u << 16;
        gv_psx_write_gp0(w, 0x28000000 | (gv_psx_random(w) & 0x02ffffff));
        gv_psx_write_gp0(w, left);
        gv_psx_write_gp0(w, right);
        gv_psx_write_gp0(w, left | below_all);
        gv_psx_write_gp0(w, right | below_all);
    }
}

// Lines left out while the other field is shown.
static void rare_field(struct gv_psx_writer *w)
{
    gv_psx_write_gp1(w, 0x08000000 | 0x24 | (gv_psx_random(w) & 0xff));
    gv_psx_write_gp0(w, 0xe1000000 | (gv_psx_random(w) & 0x3bff));
    if (below(w, 2))
        gv_psx_write_vsync(w);
}

// A packet that does not end the command it comes in the middle of.
static void between(struct gv_psx_writer *w)
{
    switch (below(w, 6)) {
    case 0:
        gv_psx_write_vsync(w);
        break;
    case 1:
        gv_psx_write_text(w, 0x12, "between");
        break;
    case 2:
        gv_psx_write_packet(w, 0x04, (const uint32_t[1]){ 1 + below(w, 2) }, 1);
        break;
    case 3:
        gv_psx_write_gp1(w, 0x09000000 | below(w, 2));
        break;
    case 4:
        gv_psx_write_gp1(w, 0x10000000 | below(w, 16));
        break;
    default:
        gv_psx_write_gp1(w, 0x05000000 | (gv_psx_random(w) & 0x7ffff));
        break;
    }
}

static void drawing(struct gv_psx_writer *w)
{
    switch (below(w, 5)) {
    case 0:
        random_polygon(w);
        break;
    case 1:
        random_line(w);
        break;
    case 2:
        random_rectangle(w);
        break;
    case 3:
        rare_transfer(w);
        break;
    default:
        random_transfer(w);
        break;
    }
}

// A command in two pieces, or one that GP1(00h) or GP1(01h) ends early.
static void rare_pieces(struct gv_psx_writer *w)
{
    struct gv_psx_writer whole = { .random = w->random };
    drawing(&whole);
    gv_psx_write_end(&whole);
    w->random = whole.random;
    size_t words = whole.out.size / 4, cut = 2 + below(w, (uint32_t)words);
    bool ends = below(w, 2);
    for (size_t i = 1; i < words; i++) { // word 0 is the packet's header
        if (i == cut)
            between(w);
        if (i == cut && ends)
            break;
        gv_psx_write_gp0(w, gv_load_u32(whole.out.data + 4 * i));
    }
    gv_bytes_finish(&whole.out);
    if (!ends)
        return;
    if (below(w, 4))
        gv_psx_write_gp1(w, 0x01000000);
    else
        gv_psx_write_defaults(w); // GP1(00h) and what it turned off
}

void gv_psx_write_rare(struct gv_psx_writer *w)
{
    uint32_t kind = below(w, 1200);
    if (kind < 20)
        rare_fill(w);
    else if (kind < 56)
        rare_transfer(w);
    else if (kind < 68)
        rare_read(w);
    else if (kind < 69)
        rare_screens(w);
    else if (kind < 77)
        rare_field(w);
    else if (kind < 125)
        rare_pieces(w);
    else
        gv_psx_write_random(w);
}
