// The PlayStation GPU without its pixels: registers, command parsing, display timing.
// GP0 and GP1 words go in; drawing, transfers and reads come out through a sink, with
// all state resolved. Source: psx-spx "GPU" chapters; tests/psx/psx_oracle.c draws from
// the same.
#ifndef GV_PSX_GPU_H
#define GV_PSX_GPU_H

#include "resources/base/bytes.h"

#include <stdbool.h>
#include <stdint.h>

enum gv_psx_version { GV_PSX_V0, GV_PSX_V2, GV_PSX_V2_2MB };

// State that every drawn pixel depends on.
struct gv_psx_draw {
    int32_t area_x0, area_y0, area_x1, area_y1; // inclusive
    uint16_t page_x, page_y;                    // VRAM cell of texel (0, 0)
    uint8_t depth;                              // 0 = 4 bit, 1 = 8 bit, 2 = 15 bit
    uint8_t blend;                              // mode 0..3
    uint8_t window_and_u, window_or_u, window_and_v, window_or_v;
    bool textured, raw, semi_transparent, dither, mask_set, mask_check;
    bool flip_u, flip_v;
    int8_t skip_parity; // rows with (y & 1) equal are not drawn; -1 = none
    bool modulate_5bit; // v0 GPU
};

struct gv_psx_vertex {
    int32_t x, y; // screen position, drawing offset applied, unwrapped
    uint8_t r, g, b, u, v;
};

// Sign extension of the low 11 bits: of written coordinates, and where they land.
static inline int32_t gv_psx_wrap_11(int64_t v)
{
    return (int32_t)((v & 0x7ff) ^ 0x400) - 0x400;
}

// w x h cells of VRAM. The corner is inside it (masked); cells beyond an edge of VRAM
// are those at the other one.
struct gv_psx_place {
    uint32_t x, y, w, h;
};

// Some cells of a transfer, counted in row order: `count` from number `first`.
struct gv_psx_cells {
    uint32_t first, count;
};

static inline uint32_t gv_psx_place_cells(const struct gv_psx_place *place)
{
    return place->w * place->h;
}

// GP0(E6h): whether written cells get the mask bit, and whether cells that have it
// stay.
struct gv_psx_mask {
    bool set, check;
};

// What the GPU does, told in order. Uploads and reads wrap by t_mask: the rows there
// are may change (GP1(09h)) while one is under way.
struct gv_psx_sink {
    void *context;
    void (*triangle)(void *context, const struct gv_psx_draw *draw,
                     const struct gv_psx_vertex v[3], bool gouraud);
    void (*line)(void *context, const struct gv_psx_draw *draw,
                 const struct gv_psx_vertex v[2]);
    void (*rectangle)(void *context, const struct gv_psx_draw *draw,
                      const struct gv_psx_vertex *corner, uint32_t w, uint32_t h);
    // Loads the CLUT cache with 16 or 256 cells of one row, wrapping in x.
    void (*clut)(void *context, uint32_t x, uint32_t y, uint32_t entries);
    void (*fill)(void *context, const struct gv_psx_place *to, uint16_t cell,
                 int8_t skip_parity);
    // Both places are of one size.
    void (*copy)(void *context, const struct gv_psx_place *from,
                 const struct gv_psx_place *to, struct gv_psx_mask mask);
    // Some cells of an upload, in `data`: 2 bytes each, little-endian.
    void (*upload)(void *context, const struct gv_psx_place *to,
                   struct gv_psx_cells cells, const uint8_t *data,
                   struct gv_psx_mask mask);
    // Some cells of a read; `keep` = readback, else discard.
    void (*read)(void *context, const struct gv_psx_place *from,
                 struct gv_psx_cells cells, bool keep);
    // A word of GPUREAD that is not VRAM: the latch. Its bits in `from_vram` are those
    // of the word read last (0 if none was).
    void (*latch)(void *context, uint32_t word, uint32_t from_vram, bool keep);
};

#define GV_PSX_COMMAND_WORDS 12 // of the longest command, a gouraud textured quad

enum gv_psx_parse {
    GV_PSX_IDLE,     // collecting `need` words
    GV_PSX_QUAD,     // the fourth vertex of a quad
    GV_PSX_POLYLINE, // further vertices of a polyline
    GV_PSX_UPLOAD,
    GV_PSX_READ,
};

struct gv_psx_gpu {
    const struct gv_psx_sink *sink; // borrowed
    enum gv_psx_version version;
    // Registers as last written.
    uint32_t draw_mode, window, area_tl, area_br, offset, mask; // E1h..E6h
    uint32_t display_start, h_range, v_range, mode;             // GP1 05h..08h
    bool display_off, upper_512, interrupt;
    uint32_t dma_direction;
    uint32_t latch, latch_from_vram; // bits known, and bits of the word read last
    uint32_t field;                  // P: parity of the field being scanned out
    // Command in progress.
    enum gv_psx_parse parse;
    uint32_t words[GV_PSX_COMMAND_WORDS];
    uint32_t have, need;
    struct gv_psx_vertex last; // of the polyline
    uint32_t next_color;       // of the polyline's next vertex, once read
    bool has_next_color;
    struct gv_psx_place transfer;
    uint32_t t_mask;       // of its rows, as when it began
    uint32_t done;         // cells of it
    struct gv_bytes cells; // owned: uploaded cells not yet told
    struct gv_bytes queue; // owned: GP0 words waiting for a read to drain
    size_t queue_at;       // bytes of it that have run
    // CLUT cache.
    bool clut_valid;
    uint32_t clut_id, clut_entries;
    uint64_t flushes; // of both caches: GP0(01h), GP1(00h)
    // Counts for users.
    uint64_t primitives;    // polygons, line segments, rectangles
    uint64_t dropped_words; // GP0 words beyond GV_PSX_QUEUE_WORDS
    uint64_t dropped_reads; // words read beyond GV_PSX_LATCH_WORDS
    uint64_t odd_fills;     // fills that only the old GPU does otherwise
};

static inline struct gv_psx_mask gv_psx_mask_bits(const struct gv_psx_gpu *gpu)
{
    return (struct gv_psx_mask){ gpu->mask & 1, gpu->mask & 2 };
}

// GP0 words kept during a read. The hardware holds 16, and the processor waits; a DMA
// block behind a read is in the same packet.
#define GV_PSX_QUEUE_WORDS (1u << 20)

void gv_psx_gpu_init(struct gv_psx_gpu *gpu, const struct gv_psx_sink *sink);
void gv_psx_gpu_finish(struct gv_psx_gpu *gpu);

void gv_psx_gp0(struct gv_psx_gpu *gpu, uint32_t word);
void gv_psx_gp1(struct gv_psx_gpu *gpu, uint32_t word);

// `count` words are taken from GPUREAD; counts beyond the active read give the latch,
// at most GV_PSX_LATCH_WORDS times: a hostile count must not make work without end.
// `keep`: readback rather than discard.
void gv_psx_gpuread(struct gv_psx_gpu *gpu, uint32_t count, bool keep);
#define GV_PSX_LATCH_WORDS 64

// Tells the sink of cells uploaded so far (before a picture, at the end, on abort).
void gv_psx_flush_upload(struct gv_psx_gpu *gpu);

// After the picture of a VSync: the field rule.
void gv_psx_vsync(struct gv_psx_gpu *gpu);

// The display area in VRAM: what a VSync shows. Width or height 0: nothing.
struct gv_psx_display {
    uint32_t x, y;          // first cell (24 bit: the row starts at byte 2*x)
    uint32_t width, height; // pixels
    bool off, rgb24;
};
struct gv_psx_display gv_psx_display_area(const struct gv_psx_gpu *gpu);

// How often the display is refreshed: `rate` times in `per` seconds, of which each has
// a VSync. A screen shows all of it in the shape of 4:3.
struct gv_psx_refresh {
    uint32_t rate, per;
};
struct gv_psx_refresh gv_psx_refresh(const struct gv_psx_gpu *gpu);

uint32_t gv_psx_vram_rows(const struct gv_psx_gpu *gpu); // 512 or 1024 (2 MB machine)
uint32_t gv_psx_y_mask(const struct gv_psx_gpu *gpu);    // 511, or 1023 when enabled

#endif
