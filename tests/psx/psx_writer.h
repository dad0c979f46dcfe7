// Writes PlayStation GPU dumps: for tests, and for pictures to show.
#ifndef GV_PSX_WRITER_H
#define GV_PSX_WRITER_H

#include "resources/base/bytes.h"

#include <stdbool.h>
#include <stdint.h>

struct gv_psx_writer {
    struct gv_bytes out;
    size_t packet; // where the open GP0 packet's header is, if `open`
    bool open;
    uint64_t random; // state of the generator; set it to seed
};

// Header: the 16-byte form, or DuckStation's 14-byte form.
void gv_psx_write_header(struct gv_psx_writer *w, bool duckstation);
void gv_psx_write_packet(struct gv_psx_writer *w, uint32_t type, const uint32_t *words,
                         uint32_t count);
void gv_psx_write_text(struct gv_psx_writer *w, uint32_t type, const char *text);

// GP0 words gather in one packet until another packet begins.
void gv_psx_write_gp0(struct gv_psx_writer *w, uint32_t word);
void gv_psx_write_gp1(struct gv_psx_writer *w, uint32_t word);
void gv_psx_write_vsync(struct gv_psx_writer *w);
void gv_psx_write_end(struct gv_psx_writer *w);

// Display on at (x, y), 320 x 240, and the drawing area set to all of VRAM.
void gv_psx_write_defaults(struct gv_psx_writer *w);

// The next 32 random bits (SplitMix64): the same everywhere for one seed.
uint32_t gv_psx_random(struct gv_psx_writer *w);
// One random GP0 command with its data, of any kind, over the whole of VRAM.
void gv_psx_write_random(struct gv_psx_writer *w);
// The same and now and then what few programs do: large fills, wide transfers, commands
// in pieces or never finished, resets, layers of the whole screen.
void gv_psx_write_rare(struct gv_psx_writer *w);

// Appends to `out` the dump with its GP0 packets cut into packets of at most `words`
// words: it means the same.
void gv_psx_resplit(const void *dump, size_t size, uint32_t words,
                    struct gv_bytes *out);

// A dump with every packet and every kind of command, whole and in pieces: a tour for
// texts about dumps.
void gv_psx_write_tour(struct gv_psx_writer *w, bool duckstation);

// The demo: 60 frames of a turning textured cube before a shaded sky, over water that
// lets it through, with sprites. 320 x 240, double-buffered.
void gv_psx_write_demo(struct gv_psx_writer *w);
// The same with so many frames.
void gv_psx_write_long_demo(struct gv_psx_writer *w, int frames);

// Tiles and sprites: 320 x 240, double-buffered, never cleared.
void gv_psx_write_tiles(struct gv_psx_writer *w, int frames);

#endif
