// A scene as games in two dimensions draw them: a moving background of opaque tiles
// whose palette has a transparent entry that they do not use, shadows that blend,
// sprites with transparent texels. Nothing is cleared: the tiles paint over what was
// there.
#include "tests/psx/psx_writer.h"

#define TILE 16
#define COLUMNS 21 // one more than fit: the background moves
#define ROWS 15
#define ATLAS_X 640 // cells; a page of 4-bit texels
#define CLUT_Y 480
#define CLUT_ID (CLUT_Y << 6)
#define SPRITES 24

static uint32_t at(int x, int y)
{
    return ((uint32_t)x & 0xffff) | (uint32_t)y << 16;
}

static void begin_upload(struct gv_psx_writer *w, int x, int y, int width, int height)
{
    gv_psx_write_gp0(w, 0xa0000000);
    gv_psx_write_gp0(w, at(x, y));
    gv_psx_write_gp0(w, at(width, height));
}

// Four tiles beside each other, then a sprite: a disc.
static uint32_t texel(int u, int v)
{
    int tile = u / TILE, x = u % TILE - 8, y = v - 8;
    if (tile < 4)
        return 1u + (uint32_t)(u * (tile + 1) + v * 3) % 15;
    return x * x + y * y < 50 ? 8u + (uint32_t)(x * x + y * y) / 8 : 0;
}

static void upload_atlas(struct gv_psx_writer *w)
{
    begin_upload(w, ATLAS_X, 0, 5 * TILE / 4, TILE);
    for (int v = 0; v < TILE; v++)
        for (int u = 0; u < 5 * TILE;) {
            uint32_t word = 0;
            for (unsigned shift = 0; shift < 32; shift += 4)
                word |= texel(u++, v) << shift;
            gv_psx_write_gp0(w, word);
        }
    begin_upload(w, 0, CLUT_Y, 16, 1);
    for (uint32_t i = 0; i < 16; i += 2) {
        uint32_t low = i ? 0x0421u * i : 0;
        gv_psx_write_gp0(w, low | (0x0842u + 0x0401u * i) << 16);
    }
}

static void sprite(struct gv_psx_writer *w, uint32_t head, int x, int y, uint32_t tile)
{
    gv_psx_write_gp0(w, head | 0x808080);
    gv_psx_write_gp0(w, at(x, y));
    gv_psx_write_gp0(w, tile * TILE | (uint32_t)CLUT_ID << 16);
}

static void draw_frame(struct gv_psx_writer *w, int frame)
{
    int y0 = frame & 1 ? 0 : 240;
    gv_psx_write_gp0(w, 0xe3000000 | (uint32_t)y0 << 10);
    gv_psx_write_gp0(w, 0xe4000000 | 319 | (uint32_t)(y0 + 239) << 10);
    gv_psx_write_gp0(w, 0xe5000000 | (uint32_t)y0 << 11);
    gv_psx_write_gp0(w, 0xe1000400 | ATLAS_X / 64);
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            sprite(w, 0x7d000000, x * TILE - frame % TILE, y * TILE,
                   (uint32_t)(x + frame / TILE + y * 3) % 4);
    for (int i = 0; i < SPRITES; i++) {
        int x = (i * 53 + frame * (1 + i % 3)) % 304, y = (i * 37 + frame) % 224;
        gv_psx_write_gp0(w, 0x7a000000 | 0x303030); // its shadow
        gv_psx_write_gp0(w, at(x + 3, y + 3));
        sprite(w, 0x7c000000, x, y, 4);
    }
    gv_psx_write_gp1(w, 0x05000000 | (uint32_t)y0 << 10);
    gv_psx_write_vsync(w);
}

void gv_psx_write_tiles(struct gv_psx_writer *w, int frames)
{
    gv_psx_write_header(w, false);
    gv_psx_write_defaults(w);
    upload_atlas(w);
    for (int frame = 0; frame < frames; frame++)
        draw_frame(w, frame);
    gv_psx_write_end(w);
}
