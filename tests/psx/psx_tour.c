// A dump that goes through the commands of the GPU in order.
#include "compiler/psx/gpu_dump.h"
#include "tests/psx/psx_writer.h"

#include <stddef.h>

static void words(struct gv_psx_writer *w, const uint32_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        gv_psx_write_gp0(w, list[i]);
}

#define WORDS(w, ...)                           \
    words(w, (const uint32_t[]){ __VA_ARGS__ }, \
          sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void write_polygons(struct gv_psx_writer *w)
{
    WORDS(w, 0x20112233, 0x00020001, 0x00040013, 0x00160005);
    WORDS(w, 0x28112233, 0x00100010, 0x00100020, 0x00200010, 0x00200020);
    WORDS(w, 0x24808080, 0x00300030, 0x78400000, 0x00300050, 0x0005003f, 0x00500030,
          0x00003f00);
    WORDS(w, 0x3e0000ff, 0x07f007f0, 0x78410000, 0x0000ff00, 0x07f00040, 0x008500ff,
          0x00ff0000, 0x004007f0, 0x0000ff00, 0x00ffffff, 0x00400040, 0x0000ffff);
    WORDS(w, 0x30ff0000, 0x00600000, 0x0000ff00, 0x00600020, 0x000000ff, 0x00700000);
}

static void write_lines(struct gv_psx_writer *w)
{
    WORDS(w, 0x40ffffff, 0x00000000, 0x00200040);
    WORDS(w, 0x52ff0000, 0x00000040, 0x000000ff, 0x00200000);
    WORDS(w, 0x48123456, 0x00000000, 0x00000008, 0x00080008, 0x00080000, 0x55555555);
    WORDS(w, 0x58ff0000, 0x00100000, 0x0000ff00, 0x00100008, 0x000000ff, 0x00180008,
          0x50005000);
}

static void write_rectangles(struct gv_psx_writer *w)
{
    WORDS(w, 0xe1000209, 0xe2000c21, 0xe6000003);
    WORDS(w, 0x60445566, 0x00800010, 0x00100020);
    WORDS(w, 0x67808080, 0x00800040, 0x78402010, 0x00100020);
    WORDS(w, 0x6a0000ff, 0x00900000, 0x74808080, 0x00900010, 0x78400808);
    WORDS(w, 0x7dffffff, 0x00900020, 0x78400000);
    WORDS(w, 0xe1003400, 0xe2000000, 0xe6000000, 0xe5ffffff, 0xe5000000);
}

static void write_transfers(struct gv_psx_writer *w)
{
    const uint32_t two[1] = { 2 }, one[1] = { 1 };
    WORDS(w, 0x0200ff00, 0x0080002f, 0x00100021, 0x01000000);
    WORDS(w, 0x80000000, 0x00000000, 0x01000200, 0x00100010);
    WORDS(w, 0xa0000000, 0x01e00000, 0x00020003, 0x7fff001f, 0x03e07c00, 0x80000000);
    WORDS(w, 0xc0000000, 0x00000000, 0x00020004);
    gv_psx_write_packet(w, GV_PSX_READBACK, two, 1);
    WORDS(w, 0x68ffffff, 0x00000000, 0x60ffffff); // wait for the rest of the read
    gv_psx_write_packet(w, GV_PSX_DISCARD, two, 1);
    WORDS(w, 0x00000000, 0x00010001);
    gv_psx_write_gp1(w, 0x10000003);
    gv_psx_write_packet(w, GV_PSX_READBACK, one, 1);
}

// Commands in pieces, with other packets between.
static void write_pieces(struct gv_psx_writer *w)
{
    WORDS(w, 0x64808080, 0x00a00000);
    gv_psx_write_text(w, GV_PSX_COMMENT, "inside a rectangle");
    WORDS(w, 0x78400000);
    gv_psx_write_vsync(w);
    WORDS(w, 0x00080008);
    WORDS(w, 0x38ff0000, 0x00a00010, 0x0000ff00, 0x00a00020, 0x000000ff, 0x00b00010);
    gv_psx_write_packet(w, GV_PSX_GP0, NULL, 0);
    WORDS(w, 0x00ffffff, 0x00b00020);
    WORDS(w, 0x48ffffff, 0x00c00000, 0x00c00010);
    gv_psx_write_packet(w, 0x77, (const uint32_t[5]){ 1, 2, 3, 4, 5 }, 5);
    WORDS(w, 0x00d00010, 0x55555555);
    WORDS(w, 0xa0000000, 0x01f00000, 0x00010008, 0x00010001);
    gv_psx_write_packet(w, GV_PSX_VSYNC, (const uint32_t[1]){ 9 }, 1);
    WORDS(w, 0x00020002);
    gv_psx_write_gp1(w, 0x01000000); // drops the rest
    WORDS(w, 0x1f000000);
    gv_psx_write_gp1(w, 0x02000000);
}

void gv_psx_write_tour(struct gv_psx_writer *w, bool duckstation)
{
    gv_psx_write_header(w, duckstation);
    if (!duckstation)
        gv_psx_write_packet(w, GV_PSX_GPU_VERSION, (const uint32_t[1]){ 2 }, 1);
    gv_psx_write_text(w, GV_PSX_GAME_ID, "TEST-00001");
    gv_psx_write_text(w, GV_PSX_VIDEO_FORMAT, "NTSC");
    gv_psx_write_text(w, GV_PSX_COMMENT, "a tour of \"everything\"");
    gv_psx_write_defaults(w);
    gv_psx_write_vsync(w); // before the trace
    gv_psx_write_packet(w, GV_PSX_TRACE_BEGIN, NULL, 0);
    write_polygons(w);
    write_lines(w);
    gv_psx_write_vsync(w);
    write_rectangles(w);
    write_transfers(w);
    gv_psx_write_packet(w, GV_PSX_VSYNC, (const uint32_t[2]){ 564480, 0 }, 2);
    gv_psx_write_packet(w, GV_PSX_VSYNC, (const uint32_t[2]){ 1128960, 0 }, 2);
    write_pieces(w);
    gv_psx_write_gp1(w, 0x04000002);
    gv_psx_write_gp1(w, 0x08000037);
    gv_psx_write_gp1(w, 0x09000001);
    gv_psx_write_gp1(w, 0x03000001);
    gv_psx_write_vsync(w);
    gv_psx_write_gp0(w, 0x68ffffff); // the tail
    gv_psx_write_gp0(w, 0x00ff00ff);
    gv_psx_write_end(w);
}
