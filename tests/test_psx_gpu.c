// The dump reader's refusals and the GPU's rules: what a stream of words makes it do,
// told by a sink that writes down what it hears.
#include "compiler/psx/gp0_decode.h"
#include "compiler/psx/gpu_dump.h"
#include "compiler/psx/replay.h"
#include "tests/psx_writer.h"
#include "tests/test.h"

// ---- a sink that writes down ----

static struct gv_bytes *notes(void *context)
{
    struct gv_bytes *b = context;
    if (b->size)
        gv_bytes_u8(b, ' ');
    return b;
}

static void note_vertices(struct gv_bytes *b, const struct gv_psx_vertex *v, int count)
{
    for (int i = 0; i < count; i++)
        gv_bytes_printf(b, "%s%d,%d", i ? ":" : "", v[i].x, v[i].y);
}

static void triangle(void *context, const struct gv_psx_draw *d,
                     const struct gv_psx_vertex v[3], bool gouraud)
{
    struct gv_bytes *b = notes(context);
    gv_bytes_printf(b, "T%s%s(", gouraud ? "g" : "", d->textured ? "t" : "");
    note_vertices(b, v, 3);
    gv_bytes_printf(b, ")");
    if (d->skip_parity >= 0)
        gv_bytes_printf(b, "/%d", d->skip_parity);
}

static void line(void *context, const struct gv_psx_draw *d,
                 const struct gv_psx_vertex v[2])
{
    struct gv_bytes *b = notes(context);
    (void)d;
    gv_bytes_printf(b, "L(");
    note_vertices(b, v, 2);
    gv_bytes_printf(b, ",%02x%02x%02x)", v[1].r, v[1].g, v[1].b);
}

static void rectangle(void *context, const struct gv_psx_draw *d,
                      const struct gv_psx_vertex *corner, uint32_t w, uint32_t h)
{
    gv_bytes_printf(notes(context), "R%s(%d,%d,%ux%u)", d->textured ? "t" : "",
                    corner->x, corner->y, w, h);
}

static void clut(void *context, uint32_t x, uint32_t y, uint32_t entries)
{
    gv_bytes_printf(notes(context), "K(%u,%u,%u)", x, y, entries);
}

static void fill(void *context, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                 uint16_t cell, int8_t skip)
{
    gv_bytes_printf(notes(context), "F(%u,%u,%ux%u,%04x)%s", x, y, w, h, cell,
                    skip < 0 ? ""
                    : skip   ? "/1"
                             : "/0");
}

static void copy(void *context, uint32_t sx, uint32_t sy, uint32_t dx, uint32_t dy,
                 uint32_t w, uint32_t h, bool set, bool check)
{
    gv_bytes_printf(notes(context), "C(%u,%u>%u,%u,%ux%u)%s%s", sx, sy, dx, dy, w, h,
                    set ? "s" : "", check ? "c" : "");
}

static void upload(void *context, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                   uint32_t first, const uint8_t *cells, uint32_t count, bool set,
                   bool check)
{
    (void)cells;
    gv_bytes_printf(notes(context), "U(%u,%u,%ux%u,%u+%u)%s%s", x, y, w, h, first,
                    count, set ? "s" : "", check ? "c" : "");
}

static void read_cells(void *context, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                       uint32_t first, uint32_t count, bool keep)
{
    gv_bytes_printf(notes(context), "%s(%u,%u,%ux%u,%u+%u)", keep ? "READ" : "DROP", x,
                    y, w, h, first, count);
}

static void latch(void *context, uint32_t word, uint32_t from_vram, bool keep)
{
    (void)keep;
    gv_bytes_printf(notes(context), "=%x/%x", word, from_vram);
}

static struct gv_psx_sink noting_sink(struct gv_bytes *b)
{
    return (struct gv_psx_sink){ b,    triangle, line,   rectangle,  clut,
                                 fill, copy,     upload, read_cells, latch };
}

// ---- scripts ----
// "HEX" a GP0 word, "CHEX" GP1, "RN" read back N words, "DN" discard them, "V" VSync,
// "S" notes GPUSTAT, "A" the display area.

static void note_area(struct gv_bytes *b, const struct gv_psx_gpu *gpu)
{
    struct gv_psx_display d = gv_psx_display_area(gpu);
    gv_bytes_printf(notes(b), "area(%u,%u,%ux%u%s%s)", d.x, d.y, d.width, d.height,
                    d.off ? ",off" : "", d.rgb24 ? ",24" : "");
}

static void play_token(struct gv_psx_gpu *gpu, struct gv_bytes *b, const char *token)
{
    switch (token[0]) {
    case 'C':
        gv_psx_gp1(gpu, (uint32_t)strtoul(token + 1, NULL, 16));
        break;
    case 'R':
    case 'D':
        gv_psx_gpuread(gpu, (uint32_t)strtoul(token + 1, NULL, 0), token[0] == 'R');
        break;
    case 'V':
        gv_psx_flush_upload(gpu);
        gv_psx_vsync(gpu);
        break;
    case 'S':
        gv_bytes_printf(notes(b), "stat=%08x", gv_psx_gpustat(gpu));
        break;
    case 'A':
        note_area(b, gpu);
        break;
    default:
        gv_psx_gp0(gpu, (uint32_t)strtoul(token, NULL, 16));
        break;
    }
}

static void play(const char *script, enum gv_psx_version version, struct gv_bytes *b)
{
    struct gv_psx_gpu gpu;
    struct gv_psx_sink sink = noting_sink(b);
    gv_psx_gpu_init(&gpu, &sink);
    gpu.version = version;
    char token[16];
    int used;
    for (const char *at = script; sscanf(at, " %15s%n", token, &used) == 1; at += used)
        play_token(&gpu, b, token);
    gv_psx_flush_upload(&gpu);
    gv_psx_gpu_finish(&gpu);
    gv_bytes_u8(b, '\0');
}

// clang-format off
static const struct {
    const char *name, *script, *expected;
    enum gv_psx_version version;
} rules[] = {
    // "3.1 Polygons", "2 Vertex word"
    { "triangle", "20000000 00020001 00040003 00060005", "T(1,2:3,4:5,6)", GV_PSX_V2 },
    { "triangle_partial", "20000000 00020001 00040003", "", GV_PSX_V2 },
    { "vertex_is_11_bits", "20000000 0800f801 07ff07ff 00000400", "", GV_PSX_V2 },
    { "vertex_sign", "20000000 07ff07ff 00030002 00060005", "T(-1,-1:2,3:5,6)", GV_PSX_V2 },
    { "offset", "e500180a 20000000 00000000 00000001 00010000", "T(10,3:11,3:10,4)", GV_PSX_V2 },
    { "offset_is_signed", "e53fffff 20000000 00000000 00000001 00010000", "T(-1,-1:0,-1:-1,0)", GV_PSX_V2 },
    { "gouraud", "30000000 00020001 0 00040003 0 00060005", "Tg(1,2:3,4:5,6)", GV_PSX_V2 },
    { "textured_15_bit", "24000000 00020001 0 00040003 01000000 00060005 0", "Tt(1,2:3,4:5,6)", GV_PSX_V2 },
    { "quad_halves", "28000000 00000000 00000008 00080000 00080008", "T(0,0:8,0:0,8) T(8,0:0,8:8,8)", GV_PSX_V2 },
    { "quad_first_half_at_once", "28000000 00000000 00000008 00080000", "T(0,0:8,0:0,8)", GV_PSX_V2 },
    { "quad_aborted", "28000000 00000000 00000008 00080000 C01000000 00080008", "T(0,0:8,0:0,8)", GV_PSX_V2 },
    { "quad_gouraud_tail", "38000000 0 0 00000008 0 00080000 0 00080008", "Tg(0,0:8,0:0,8) Tg(8,0:0,8:8,8)", GV_PSX_V2 },
    // "2 Size rule"
    { "too_wide", "20000000 00000000 000003ff 00010000 20000000 07ff07ff 000003ff 00010000", "T(0,0:1023,0:0,1)", GV_PSX_V2 },
    { "too_high", "20000000 00000000 01ff0000 00010001 20000000 07ff0000 01ff0000 00010001", "T(0,0:0,511:1,1)", GV_PSX_V2 },
    { "half_too_large", "28000000 00000000 00000008 00080000 02100008", "T(0,0:8,0:0,8)", GV_PSX_V2 },
    // "3.2 Lines"
    { "line", "40332211 00000000 00010002", "L(0,0:2,1,112233)", GV_PSX_V2 },
    { "line_gouraud", "50000000 00000000 00665544 00010002", "L(0,0:2,1,445566)", GV_PSX_V2 },
    { "polyline", "48000000 00000000 00000001 00000002 55555555 20000000", "L(0,0:1,0,000000) L(1,0:2,0,000000)", GV_PSX_V2 },
    { "polyline_other_mark", "48000000 00000000 00000001 50005000 40000000 0 1", "L(0,0:1,0,000000) L(0,0:1,0,000000)", GV_PSX_V2 },
    { "polyline_two_never_tested", "48000000 50005000 50005000 55555555", "L(0,0:0,0,000000)", GV_PSX_V2 },
    { "polyline_gouraud_tests_colour", "58000000 0 0 1 00112233 50005000 5fff5fff", "L(0,0:1,0,000000) L(1,0:0,0,332211)", GV_PSX_V2 },
    { "polyline_segment_too_long", "48000000 07ff07ff 000003ff 00000001 55555555", "L(1023,0:1,0,000000)", GV_PSX_V2 },
    { "polyline_open", "48000000 00000000 00000001 00000002", "L(0,0:1,0,000000) L(1,0:2,0,000000)", GV_PSX_V2 },
    { "polyline_aborted", "48000000 0 1 C01000000 00000002 55555555", "L(0,0:1,0,000000)", GV_PSX_V2 },
    // "3.3 Rectangles"
    { "rectangle", "60000000 00020001 00040003", "R(1,2,3x4)", GV_PSX_V2 },
    { "rectangle_1", "68000000 00020001", "R(1,2,1x1)", GV_PSX_V2 },
    { "rectangle_8", "70000000 00020001", "R(1,2,8x8)", GV_PSX_V2 },
    { "rectangle_16_textured", "e1000100 7c000000 00020001 0", "Rt(1,2,16x16)", GV_PSX_V2 },
    { "rectangle_masked_size", "60000000 0 ffffffff", "R(0,0,1023x511)", GV_PSX_V2 },
    { "rectangle_empty", "60000000 0 00010000 60000000 0 00000001", "", GV_PSX_V2 },
    { "rectangle_corner_wraps", "e5000400 60000000 00000400 00010001", "R(0,0,1x1)", GV_PSX_V2 },
    // "3.4 Fill"
    { "fill", "02ffffff 0005001f 00020001", "F(16,5,16x2,7fff)", GV_PSX_V2 },
    { "fill_full_width", "02000008 0 000103f1", "F(0,0,1024x1,0001)", GV_PSX_V2 },
    { "fill_empty", "02000000 0 00010000 02000000 0 00000010", "", GV_PSX_V2 },
    { "fill_skips_lines", "C08000024 02000000 0 00010010 V 02000000 0 00010010", "F(0,0,16x1,0000)/0 F(0,0,16x1,0000)/1", GV_PSX_V2 },
    { "fill_draws_both_fields", "C08000024 e1000400 02000000 0 00010010", "F(0,0,16x1,0000)", GV_PSX_V2 },
    // "3.5 VRAM to VRAM"
    { "copy", "80000000 00020001 00040003 00060005", "C(1,2>3,4,5x6)", GV_PSX_V2 },
    { "copy_size_0", "80000000 0 0 0", "C(0,0>0,0,1024x512)", GV_PSX_V2 },
    { "copy_masks", "e6000003 80000000 0 0 00010001", "C(0,0>0,0,1x1)sc", GV_PSX_V2 },
    { "copy_coordinates_mask", "80000000 fbfffbff 0 fc01fe01", "C(1023,511>0,0,513x1)", GV_PSX_V2 },
    // "3.6 Uploads"
    { "upload_even", "a0000000 00020001 00020002 0 0", "U(1,2,2x2,0+4)", GV_PSX_V2 },
    { "upload_odd", "a0000000 0 00010003 0 0 68000000 0", "U(0,0,3x1,0+3) R(0,0,1x1)", GV_PSX_V2 },
    { "upload_aborted", "a0000000 0 00040004 0 0 0 C01000000 68000000 0", "U(0,0,4x4,0+6) R(0,0,1x1)", GV_PSX_V2 },
    { "upload_seen_at_vsync", "a0000000 0 00040004 0 V 0 0", "U(0,0,4x4,0+2) U(0,0,4x4,2+4)", GV_PSX_V2 },
    { "upload_mask", "e6000002 a0000000 0 00010001 0", "U(0,0,1x1,0+1)c", GV_PSX_V2 },
    // "3.7 Reads", the latch
    { "read", "c0000000 00020001 00020002 R2", "READ(1,2,2x2,0+4)", GV_PSX_V2 },
    { "read_odd", "c0000000 0 00010003 R2", "READ(0,0,3x1,0+3)", GV_PSX_V2 },
    { "read_in_parts", "c0000000 0 00020002 R1 D1", "READ(0,0,2x2,0+2) DROP(0,0,2x2,2+2)", GV_PSX_V2 },
    { "read_aborted", "c0000000 0 00020002 R1 C01000000 68000000 0", "READ(0,0,2x2,0+2) R(0,0,1x1)", GV_PSX_V2 },
    { "read_queues_commands", "c0000000 0 00010002 68000000 0 68000000 1 R1", "READ(0,0,2x1,0+2) R(0,0,1x1) R(1,0,1x1)", GV_PSX_V2 },
    { "read_queues_reads", "c0000000 0 00010002 c0000000 5 00010002 68000000 0 R2", "READ(0,0,2x1,0+2) READ(5,0,2x1,0+2) R(0,0,1x1)", GV_PSX_V2 },
    { "read_queue_dropped", "c0000000 0 00010002 68000000 0 C01000000 R1", "=0/0", GV_PSX_V2 },
    { "latch", "e2012345 C10000002 R1", "=12345/0", GV_PSX_V2 },
    { "latch_area", "e3012345 e4054321 e5312345 C10000003 R1 C10000004 R1 C10000005 R1", "=12345/0 =54321/0 =312345/0", GV_PSX_V2 },
    { "latch_keeps_high_bits", "e53fffff C10000005 e2000000 C10000002 R1", "=300000/0", GV_PSX_V2 },
    { "latch_keeps_vram_bits", "c0000000 0 00010001 R1 e20fffff C10000002 R1", "READ(0,0,1x1,0+1) =fffff/fff00000", GV_PSX_V2 },
    { "latch_version", "C10000007 R1 C10000001 R1", "=2/0 =2/0", GV_PSX_V2 },
    { "latch_version_v0", "e2000001 C10000002 C10000007 R1", "=1/0", GV_PSX_V0 },
    { "latch_mirror", "e2012345 C1f000002 R1", "=12345/0", GV_PSX_V2 },
    // "8.1 CLUT cache": page 0 is 4 bit, 1 << 7 is 8 bit, 2 << 7 is 15 bit
    { "clut_once", "74000000 0 00410000 74000000 0 00410000", "K(16,1,16) Rt(0,0,8x8) Rt(0,0,8x8)", GV_PSX_V2 },
    { "clut_other_id", "74000000 0 00410000 74000000 0 00400000", "K(16,1,16) Rt(0,0,8x8) K(0,1,16) Rt(0,0,8x8)", GV_PSX_V2 },
    { "clut_grows", "74000000 0 0 e1000080 74000000 0 0", "K(0,0,16) Rt(0,0,8x8) K(0,0,256) Rt(0,0,8x8)", GV_PSX_V2 },
    { "clut_shrinks", "e1000080 74000000 0 0 e1000000 74000000 0 0", "K(0,0,256) Rt(0,0,8x8) Rt(0,0,8x8)", GV_PSX_V2 },
    { "clut_15_bit", "74000000 0 0 e1000100 74000000 0 00410000 e1000000 74000000 0 0", "K(0,0,16) Rt(0,0,8x8) Rt(0,0,8x8) Rt(0,0,8x8)", GV_PSX_V2 },
    { "clut_flushed", "74000000 0 0 01000000 74000000 0 0", "K(0,0,16) Rt(0,0,8x8) K(0,0,16) Rt(0,0,8x8)", GV_PSX_V2 },
    { "clut_reset", "74000000 0 0 C00000000 74000000 0 0", "K(0,0,16) Rt(0,0,8x8) K(0,0,16) Rt(0,0,8x8)", GV_PSX_V2 },
    { "clut_not_by_abort", "74000000 0 0 C01000000 74000000 0 0", "K(0,0,16) Rt(0,0,8x8) Rt(0,0,8x8)", GV_PSX_V2 },
    // "5 GPUSTAT", "13 Display"
    { "stat_reset", "C00000000 S", "stat=14802000", GV_PSX_V2 },
    { "stat_draw_mode", "C00000000 e10007ff e6000003 S", "stat=14803fff", GV_PSX_V2 },
    { "stat_page_of_polygon", "24000000 0 0 0 001f0000 0 0 S", "K(0,0,16) Tt(0,0:0,0:0,0) stat=1480201f", GV_PSX_V2 },
    { "stat_interrupt", "1f000000 S C02000000 S", "stat=15802000 stat=14802000", GV_PSX_V2 },
    { "stat_mode", "C080000ff S", "stat=14ff4000", GV_PSX_V2 },
    { "stat_busy", "02000000 S", "stat=10802000", GV_PSX_V2 },
    { "stat_reading", "c0000000 0 00010001 C04000003 S", "stat=6a802000", GV_PSX_V2 },
    { "stat_field", "C08000024 S V S", "stat=14c80000 stat=14c82000", GV_PSX_V2 },
    { "stat_page_512", "e1000800 S C09000001 e1000800 S", "stat=14802000 stat=1480a000", GV_PSX_V2 },
    { "area_ntsc_320", "C03000000 C06c60260 C07040010 C08000001 A", "area(0,0,320x240)", GV_PSX_V2 },
    { "area_368", "C03000000 C06c60260 C07040010 C08000040 A", "area(0,0,364x240)", GV_PSX_V2 },
    { "area_480i", "C03000000 C06c60260 C07040010 C08000027 A", "area(0,0,640x480)", GV_PSX_V2 },
    { "area_480_needs_interlace", "C06c60260 C07040010 C08000007 A", "area(0,0,640x240,off)", GV_PSX_V2 },
    { "area_24_bit", "C03000000 C05000403 C06c60260 C07040010 C08000011 A", "area(2,1,320x240,24)", GV_PSX_V2 },
    { "area_empty", "C06260c60 C07010040 A", "area(0,0,0x0,off)", GV_PSX_V2 },
    // nops
    { "nops", "00000000 03000000 1e000000 e0000000 e7000000 ffffffff 68000000 0", "R(0,0,1x1)", GV_PSX_V2 },
};
// clang-format on

static void test_rules(void)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        struct gv_bytes b = { 0 };
        play(rules[i].script, rules[i].version, &b);
        bool same = b.data && strcmp((const char *)b.data, rules[i].expected) == 0;
        CHECK_ROW(rules[i].name, same);
        if (!same && b.data)
            fprintf(stderr, "  got: %s\n", (const char *)b.data);
        gv_bytes_finish(&b);
    }
}

// Words before a command acts for the first time ("3. GP0 commands").
static void test_command_words(void)
{
    static const struct {
        uint32_t opcode, words;
    } rows[] = {
        { 0x00, 1 }, { 0x01, 1 }, { 0x02, 3 }, { 0x03, 1 }, { 0x1e, 1 }, { 0x1f, 1 },
        { 0x20, 4 }, { 0x24, 7 }, { 0x28, 4 }, { 0x2c, 7 }, { 0x30, 6 }, { 0x34, 9 },
        { 0x38, 6 }, { 0x3c, 9 }, { 0x40, 3 }, { 0x44, 3 }, { 0x48, 3 }, { 0x50, 4 },
        { 0x58, 4 }, { 0x60, 3 }, { 0x64, 4 }, { 0x68, 2 }, { 0x6c, 3 }, { 0x70, 2 },
        { 0x78, 2 }, { 0x80, 4 }, { 0x9f, 4 }, { 0xa0, 3 }, { 0xc0, 3 }, { 0xdf, 3 },
        { 0xe0, 1 }, { 0xe6, 1 }, { 0xff, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[8];
        snprintf(name, sizeof name, "%02xh", rows[i].opcode);
        CHECK_ROW(name, gv_psx_command_words(rows[i].opcode << 24) == rows[i].words);
        CHECK_ROW(name, gv_psx_command_name(rows[i].opcode << 24) != NULL);
    }
}

// ---- the reader ----

static const struct {
    const char *name, *bytes;
    size_t size; // of `bytes`, which contain NULs
    bool allow_truncated;
    enum gv_status status;
    uint64_t offset;
} dumps[] = {
    { "empty", "", 0, false, GV_ERR_FORMAT, 0 },
    { "magic_cut", "PSXGPUD", 7, false, GV_ERR_FORMAT, 7 },
    { "revision_cut", "PSXGPUDUMPv1r1\0", 15, false, GV_ERR_FORMAT, 15 },
    { "other_magic", "PSXGPUDAMPv1\0\0", 14, false, GV_ERR_FORMAT, 7 },
    { "version_2", "PSXGPUDUMPv2\0\0\0\0", 16, false, GV_ERR_UNSUPPORTED, 11 },
    { "revision_2", "PSXGPUDUMPv1r2\0\0", 16, false, GV_ERR_UNSUPPORTED, 12 },
    { "form_16", "PSXGPUDUMPv1r1\0\0", 16, false, GV_OK, 0 },
    { "form_14", "PSXGPUDUMPv1\0\0", 14, false, GV_OK, 0 },
    { "header_cut", "PSXGPUDUMPv1\0\0\1\0\0", 17, false, GV_ERR_FORMAT, 14 },
    { "header_cut_allowed", "PSXGPUDUMPv1\0\0\1\0\0", 17, true, GV_OK, 0 },
    { "payload_cut", "PSXGPUDUMPv1\0\0\0\0\0\2\2\0\0\0\0\0\0\0", 26, false,
      GV_ERR_FORMAT, 18 },
    { "length_overruns", "PSXGPUDUMPv1\0\0\377\377\377\0abcd", 22, false, GV_ERR_FORMAT,
      14 },
    { "unknown_type", "PSXGPUDUMPv1\0\0\1\0\0\167abcd", 22, false, GV_OK, 0 },
    { "version_packet_9", "PSXGPUDUMPv1r1\0\0\1\0\0\6\11\0\0\0", 24, false,
      GV_ERR_UNSUPPORTED, 16 },
    { "version_packet_14", "PSXGPUDUMPv1\0\0\1\0\0\6\11\0\0\0", 22, false, GV_OK, 0 },
    { "version_empty", "PSXGPUDUMPv1r1\0\0\0\0\0\6", 20, false, GV_OK, 0 },
};

struct heard {
    unsigned packets, frames, prologue, oddities;
    char last_odd[32];
};

static bool on_packet(void *context, const struct gv_psx_packet *p, struct gv_error *e)
{
    (void)p, (void)e;
    ((struct heard *)context)->packets++;
    return true;
}

static bool on_vsync(void *context, bool live, struct gv_error *err)
{
    struct heard *h = context;
    (void)err;
    h->frames += live;
    h->prologue += !live;
    return true;
}

static void on_odd(void *context, uint64_t offset, const char *code, const char *text)
{
    struct heard *h = context;
    (void)offset, (void)text;
    h->oddities++;
    snprintf(h->last_odd, sizeof h->last_odd, "%s", code);
}

static bool replay(const void *data, size_t size, bool allow_truncated,
                   struct gv_bytes *b, struct heard *h, struct gv_error *err)
{
    struct gv_psx_gpu gpu;
    struct gv_psx_sink sink = noting_sink(b);
    const struct gv_psx_listener listener = { h, on_packet, on_vsync, on_odd };
    gv_psx_gpu_init(&gpu, &sink);
    bool ok = gv_psx_replay(gv_cursor_make(data, size), &gpu, &listener,
                            allow_truncated, err);
    gv_psx_gpu_finish(&gpu);
    gv_bytes_u8(b, '\0');
    return ok;
}

static void test_reader(void)
{
    for (size_t i = 0; i < sizeof dumps / sizeof dumps[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes b = { 0 };
        struct heard h = { 0 };
        bool ok = replay(dumps[i].bytes, dumps[i].size, dumps[i].allow_truncated, &b,
                         &h, &err);
        CHECK_ROW(dumps[i].name, ok == (dumps[i].status == GV_OK));
        CHECK_ROW(dumps[i].name, err.status == dumps[i].status);
        CHECK_ROW(dumps[i].name, ok || err.offset == dumps[i].offset);
        gv_bytes_finish(&b);
    }
}

// ---- the packet loop ----

static bool replay_writer(struct gv_psx_writer *w, struct gv_bytes *b, struct heard *h)
{
    struct gv_error err = GV_ERROR_INIT;
    gv_psx_write_end(w);
    bool ok = replay(w->out.data, w->out.size, false, b, h, &err);
    gv_bytes_finish(&w->out);
    return ok;
}

static void test_trace_begin(void)
{
    struct gv_psx_writer w = { 0 };
    struct gv_bytes b = { 0 };
    struct heard h = { 0 };
    gv_psx_write_header(&w, false);
    gv_psx_write_gp1(&w, 0x08000024); // interlaced: a prologue VSync flips the field
    gv_psx_write_vsync(&w);
    gv_psx_write_packet(&w, GV_PSX_TRACE_BEGIN, NULL, 0);
    gv_psx_write_gp0(&w, 0x02000000);
    gv_psx_write_gp0(&w, 0);
    gv_psx_write_gp0(&w, 0x00010010);
    gv_psx_write_vsync(&w);
    gv_psx_write_vsync(&w);
    CHECK(replay_writer(&w, &b, &h));
    CHECK(h.prologue == 1 && h.frames == 2 && h.packets == 6);
    CHECK(strcmp((const char *)b.data, "F(0,0,16x1,0000)/1") == 0);
    gv_bytes_finish(&b);
}

// A command may be spread over packets, with anything between its words.
static void test_split_command(void)
{
    struct gv_psx_writer w = { 0 };
    struct gv_bytes b = { 0 };
    struct heard h = { 0 };
    gv_psx_write_header(&w, true);
    gv_psx_write_gp0(&w, 0x60000000);
    gv_psx_write_text(&w, GV_PSX_COMMENT, "between");
    gv_psx_write_packet(&w, GV_PSX_GP0, NULL, 0);
    gv_psx_write_gp0(&w, 0x00020001);
    gv_psx_write_vsync(&w);
    gv_psx_write_gp1(&w, 0x03000000);
    gv_psx_write_gp0(&w, 0x00040003);
    CHECK(replay_writer(&w, &b, &h));
    CHECK(strcmp((const char *)b.data, "R(1,2,3x4)") == 0);
    CHECK(h.frames == 1 && h.oddities == 0);
    gv_bytes_finish(&b);
}

// An endless count takes what the read holds and a bounded number of latch words.
static void test_hostile_count(void)
{
    struct gv_psx_writer w = { 0 };
    struct gv_bytes b = { 0 };
    struct heard h = { 0 };
    const uint32_t count = UINT32_MAX, three[3] = { 0 };
    gv_psx_write_header(&w, false);
    gv_psx_write_gp0(&w, 0xc0000000);
    gv_psx_write_gp0(&w, 0);
    gv_psx_write_gp0(&w, 0x00010002);
    gv_psx_write_packet(&w, GV_PSX_READBACK, &count, 1);
    gv_psx_write_packet(&w, GV_PSX_DISCARD, NULL, 0);
    CHECK(h.oddities == 0);
    gv_psx_write_packet(&w, GV_PSX_VSYNC, three, 3);
    CHECK(replay_writer(&w, &b, &h));
    CHECK(strncmp((const char *)b.data, "READ(0,0,2x1,0+2) =0/ffffffff ", 30) == 0);
    CHECK(b.size < 30 + 13 * GV_PSX_LATCH_WORDS);
    CHECK(h.oddities == 2 && strcmp(h.last_odd, "vsync-length") == 0 && h.frames == 1);
    gv_bytes_finish(&b);
}

int main(void)
{
    test_rules();
    test_command_words();
    test_reader();
    test_trace_begin();
    test_split_command();
    test_hostile_count();
    return TEST_RESULT();
}
