// The GPU's rules: what a stream of words makes it do, told by a sink that writes down
// what it hears.
#include "compiler/psx/gp0_decode.h"
#include "tests/psx_notes.h"
#include "tests/test.h"

// ---- scripts ----
// "HEX" a GP0 word, "CHEX" GP1, "RN" read back N words, "DN" discard them, "V" VSync,
// "S" notes GPUSTAT, "A" the display area.

static struct gv_bytes *word(struct gv_bytes *b)
{
    if (b->size)
        gv_bytes_u8(b, ' ');
    return b;
}

static void note_area(struct gv_bytes *b, const struct gv_psx_gpu *gpu)
{
    struct gv_psx_display d = gv_psx_display_area(gpu);
    gv_bytes_printf(word(b), "area(%u,%u,%ux%u%s%s)", d.x, d.y, d.width, d.height,
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
        gv_bytes_printf(word(b), "stat=%08x", gv_psx_gpustat(gpu));
        break;
    case 'A':
        note_area(b, gpu);
        break;
    default:
        gv_psx_gp0(gpu, (uint32_t)strtoul(token, NULL, 16));
        break;
    }
}

static void play(const char *script, enum gv_psx_version version,
                 struct gv_psx_notes *notes)
{
    struct gv_psx_gpu gpu;
    struct gv_psx_sink sink = gv_psx_notes_sink(notes);
    gv_psx_gpu_init(&gpu, &sink);
    gpu.version = version;
    char token[16];
    int used;
    for (const char *at = script; sscanf(at, " %15s%n", token, &used) == 1; at += used)
        play_token(&gpu, &notes->text, token);
    gv_psx_flush_upload(&gpu);
    gv_psx_gpu_finish(&gpu);
    gv_bytes_u8(&notes->text, '\0');
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
        struct gv_psx_notes notes = { 0 };
        play(rules[i].script, rules[i].version, &notes);
        const char *got = (const char *)notes.text.data;
        bool same = got && strcmp(got, rules[i].expected) == 0;
        CHECK_ROW(rules[i].name, same);
        if (!same && got)
            fprintf(stderr, "  got: %s\n", got);
        gv_bytes_finish(&notes.text);
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

int main(void)
{
    test_rules();
    test_command_words();
    return TEST_RESULT();
}
