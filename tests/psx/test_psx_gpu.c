// The GPU's rules: what a stream of words makes it do, told by a sink that writes down
// what it hears.
#include "compiler/psx/gp0.h"
#include "compiler/psx/stale_texels.h"
#include "tests/psx/psx_notes.h"
#include "tests/test.h"

// ---- scripts ----
// "HEX" a GP0 word, "CHEX" GP1, "RN" read back N words, "DN" discard them, "V" VSync,
// "S" notes GPUSTAT, "A" the display area, "F" how often it is refreshed, "M" the mask
// of a transfer's rows.

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
    case 'F':
        gv_bytes_printf(word(b), "%u/%u", gv_psx_refresh(gpu).rate,
                        gv_psx_refresh(gpu).per);
        break;
    case 'M':
        gv_bytes_printf(word(b), "rows&%u", gpu->t_mask);
        break;
    default:
        gv_psx_gp0(gpu, (uint32_t)strtoul(token, NULL, 16));
        break;
    }
}

static void count(void *context)
{
    ++*(unsigned *)context;
}

// Returns how many primitives sample texels that the cache may hold otherwise.
static unsigned play(const char *script, enum gv_psx_version version,
                     struct gv_psx_notes *notes)
{
    struct gv_psx_gpu gpu;
    unsigned stales = 0;
    struct gv_psx_stale stale = {
        .next = gv_psx_notes_sink(notes), .gpu = &gpu, .tell = count, .context = &stales
    };
    struct gv_psx_sink sink = gv_psx_stale_sink(&stale);
    gv_psx_gpu_init(&gpu, &sink);
    gpu.version = version;
    char token[16];
    int used;
    for (const char *at = script; sscanf(at, " %15s%n", token, &used) == 1; at += used)
        play_token(&gpu, &notes->text, token);
    gv_psx_flush_upload(&gpu);
    gv_psx_gpu_finish(&gpu);
    gv_bytes_u8(&notes->text, '\0');
    return stales;
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
    { "refresh_ntsc", "F C08000020 F", "15750000/263263 60000/1001", GV_PSX_V2 },
    { "refresh_pal", "C08000008 F C08000028 F C00000000 F", "15625/314 50/1 15750000/263263", GV_PSX_V2 },
    { "area_ntsc_320", "C03000000 C06c60260 C07040010 C08000001 A", "area(0,0,320x240)", GV_PSX_V2 },
    { "area_368", "C03000000 C06c60260 C07040010 C08000040 A", "area(0,0,364x240)", GV_PSX_V2 },
    { "area_480i", "C03000000 C06c60260 C07040010 C08000027 A", "area(0,0,640x480)", GV_PSX_V2 },
    { "area_480_needs_interlace", "C06c60260 C07040010 C08000007 A", "area(0,0,640x240,off)", GV_PSX_V2 },
    { "area_24_bit", "C03000000 C05000403 C06c60260 C07040010 C08000011 A", "area(2,1,320x240,24)", GV_PSX_V2 },
    { "area_empty", "C06260c60 C07010040 A", "area(0,0,0x0,off)", GV_PSX_V2 },
    // "5 GPUSTAT" after each GP1 command; mirrors at 40h
    { "stat_display_on", "C03000000 S C03000001 S", "stat=14002000 stat=14802000", GV_PSX_V2 },
    { "stat_display_mirror", "C43000000 S Cc3000001 S", "stat=14002000 stat=14802000", GV_PSX_V2 },
    { "stat_dma_1", "C04000001 S 02000000 S", "stat=36802000 stat=32802000", GV_PSX_V2 },
    { "stat_dma_2", "C04000002 S c0000000 0 00010001 S", "stat=56802000 stat=48802000", GV_PSX_V2 },
    { "stat_dma_3", "C04000003 S", "stat=74802000", GV_PSX_V2 },
    { "stat_no_dma", "C04000003 C04000000 S", "stat=14802000", GV_PSX_V2 },
    { "stat_display_range", "C0507ffff C06ffffff C07ffffff S", "stat=14802000", GV_PSX_V2 },
    { "stat_width_320", "C08000001 S", "stat=14822000", GV_PSX_V2 },
    { "stat_width_512", "C08000002 S", "stat=14842000", GV_PSX_V2 },
    { "stat_width_640", "C08000003 S", "stat=14862000", GV_PSX_V2 },
    { "stat_480_lines", "C08000004 S", "stat=14882000", GV_PSX_V2 },
    { "stat_pal", "C08000008 S", "stat=14902000", GV_PSX_V2 },
    { "stat_24_bit", "C08000010 S", "stat=14a02000", GV_PSX_V2 },
    { "stat_interlaced", "C08000020 S V S", "stat=14c00000 stat=14c00000", GV_PSX_V2 },
    { "stat_width_368", "C08000040 S", "stat=14812000", GV_PSX_V2 },
    { "stat_reverse", "C08000080 S", "stat=14806000", GV_PSX_V2 },
    { "stat_mode_off", "C080000ff C08000000 S", "stat=14802000", GV_PSX_V2 },
    { "stat_interrupt_reset", "1f000000 C00000000 S", "stat=14802000", GV_PSX_V2 },
    { "stat_interrupt_abort", "1f000000 C01000000 S", "stat=15802000", GV_PSX_V2 },
    { "stat_mask", "e6000001 S e6000002 S", "stat=14802800 stat=14803000", GV_PSX_V2 },
    { "stat_e1_unused", "e1fff000 S", "stat=14802000", GV_PSX_V2 },
    { "stat_v0", "S e1000800 C09000001 e1000800 S", "stat=14800000 stat=14800000", GV_PSX_V0 },
    { "stat_reset_all", "e10007ff e6000003 C03000000 C04000003 C080000ff 1f000000 C00000000 S", "stat=14802000", GV_PSX_V2 },
    { "stat_reset_keeps_upper", "C09000001 C00000000 e1000800 S", "stat=1480a000", GV_PSX_V2 },
    { "stat_upper_stays", "C09000001 e1000800 C09000000 S e1000800 S", "stat=1480a000 stat=14802000", GV_PSX_V2 },
    { "stat_upper_of_polygon", "C09000001 24000000 0 0 0 09000000 0 0 S C09000000 24000000 0 0 0 09000000 0 0 S", "Tt(0,0:0,0:0,0) stat=1480a100 Tt(0,0:0,0:0,0) stat=14802100", GV_PSX_V2 },
    { "stat_polygon_keeps", "e1000600 24000000 0 0 0 01ff0000 0 0 S", "Tt(0,0:0,0:0,0) stat=148027ff", GV_PSX_V2 },
    { "stat_rectangle_page", "e1000011 74000000 0 0 S", "K(0,0,16) Rt(0,0,8x8) stat=14802011", GV_PSX_V2 },
    { "stat_c1_20h", "C20ffffff S", "stat=14802000", GV_PSX_V2 },
    // GP1(10h)
    { "latch_nothing", "e2012345 C10000002 C10000000 C10000001 C10000006 C10000009 C1000000f R1", "=12345/0", GV_PSX_V2 },
    { "latch_zero", "e2012345 C10000002 C10000008 R1", "=0/0", GV_PSX_V2 },
    { "latch_index_is_4_bits", "e2012345 C10fffff2 R1", "=12345/0", GV_PSX_V2 },
    { "latch_v0_mirrors", "e2012345 C1000000a R1 C1000000f R1 C10000008 R1", "=12345/0 =12345/0 =12345/0", GV_PSX_V0 },
    { "latch_not_mirrored", "e2012345 C1000000a R1", "=0/0", GV_PSX_V2 },
    { "latch_masks_registers", "e2ffffff C10000002 R1 e3ffffff C10000003 R1", "=fffff/0 =fffff/0", GV_PSX_V2 },
    { "latch_by_reset", "e2012345 C10000002 C00000000 R1 C10000002 R1", "=12345/0 =0/0", GV_PSX_V2 },
    { "latch_discarded", "e2012345 C10000002 D2", "=12345/0 =12345/0", GV_PSX_V2 },
    { "latch_after_read", "c0000000 0 00010001 R2", "READ(0,0,1x1,0+1) =0/ffffffff", GV_PSX_V2 },
    { "latch_is_read_again", "c0000000 0 00010001 R1 C10000007 R1", "READ(0,0,1x1,0+1) =2/0", GV_PSX_V2 },
    // GP1(00h) and GP1(01h) drop what is not whole
    { "abort_fill", "02ffffff 0 C01000000 68000000 0", "R(0,0,1x1)", GV_PSX_V2 },
    { "abort_polygon", "30000000 0 0 1 C01000000 68000000 0", "R(0,0,1x1)", GV_PSX_V2 },
    { "abort_polyline_colour", "58000000 0 0 1 0 C01000000 68000000 0", "L(0,0:1,0,000000) R(0,0,1x1)", GV_PSX_V2 },
    { "abort_copy", "80000000 0 0 C01000000 68000000 0", "R(0,0,1x1)", GV_PSX_V2 },
    { "abort_upload_size", "a0000000 0 C01000000 68000000 0", "R(0,0,1x1)", GV_PSX_V2 },
    { "reset_upload", "a0000000 0 00040004 0 C00000000 68000000 0", "U(0,0,4x4,0+2) R(0,0,1x1)", GV_PSX_V2 },
    { "reset_quad", "28000000 0 8 00080000 C00000000 00080008", "T(0,0:8,0:0,8)", GV_PSX_V2 },
    { "others_keep_it", "28000000 0 8 C02000000 C03000000 C04000000 C05000000 00080000 C06000000 C07000000 C08000000 C09000000 C10000000 00080008", "T(0,0:8,0:0,8) T(8,0:0,8:8,8)", GV_PSX_V2 },
    { "registers_inside_uploads_are_data", "a0000000 0 00010002 e10007ff S", "U(0,0,2x1,0+2) stat=14802000", GV_PSX_V2 },
    { "registers_inside_polylines_are_data", "48000000 0 1 e1000000 55555555 S", "L(0,0:1,0,000000) L(1,0:0,256,000000) stat=14802000", GV_PSX_V2 },
    // Command words with bits that mean nothing
    { "line_ignores_texture", "45000000 0 1 68000000 0", "L(0,0:1,0,000000) R(0,0,1x1)", GV_PSX_V2 },
    { "transfer_mirrors", "9fabcdef 0 0 00010001 bfabcdef 0 00010001 0 dfabcdef 0 00010001 R1", "C(0,0>0,0,1x1) U(0,0,1x1,0+1) READ(0,0,1x1,0+1)", GV_PSX_V2 },
    { "upload_whole", "a0000000 0 0 1 C01000000", "U(0,0,1024x512,0+2)", GV_PSX_V2 },
    { "upload_corner", "a0000000 ffffffff 00010001 0", "U(1023,511,1x1,0+1)", GV_PSX_V2 },
    { "upload_mask_set", "e6000001 a0000000 0 00010001 0", "U(0,0,1x1,0+1)s", GV_PSX_V2 },
    { "read_whole", "c0000000 0 0 R1", "READ(0,0,1024x512,0+2)", GV_PSX_V2 },
    { "read_512_rows", "c0000000 0 02000001 R1", "READ(0,0,1x512,0+2)", GV_PSX_V2 },
    // "2 MB": only on such a machine, and switched on
    { "fill_2_mb", "C09000001 02000000 03ff0000 00010010", "F(0,1023,16x1,0000)", GV_PSX_V2_2MB },
    { "fill_2_mb_off", "02000000 03ff0000 00010010", "F(0,511,16x1,0000)", GV_PSX_V2_2MB },
    { "fill_1_mb", "C09000001 02000000 03ff0000 00010010", "F(0,511,16x1,0000)", GV_PSX_V2 },
    { "copy_2_mb", "C09000001 80000000 02000000 03000000 00010001", "C(0,512>0,768,1x1)", GV_PSX_V2_2MB },
    { "upload_2_mb", "C09000001 a0000000 02000000 00010001 0", "U(0,512,1x1,0+1)", GV_PSX_V2_2MB },
    { "read_2_mb", "C09000001 c0000000 02000000 00010001 R1", "READ(0,512,1x1,0+1)", GV_PSX_V2_2MB },
    // "3.6": cells go where the transfer began, however many words came before
    { "upload_keeps_its_rows", "C09000001 a0000000 02bc0000 00010004 1 C09000000 M 2", "rows&1023 U(0,700,4x1,0+4)", GV_PSX_V2_2MB },
    { "upload_keeps_fewer_rows", "a0000000 02bc0000 00010004 1 C09000001 M V 2", "rows&511 U(0,188,4x1,0+2) U(0,188,4x1,2+2)", GV_PSX_V2_2MB },
    { "read_keeps_its_rows", "C09000001 c0000000 02bc0000 00010002 C09000000 M R1", "rows&1023 READ(0,700,2x1,0+2)", GV_PSX_V2_2MB },
    { "next_transfer_has_its_own", "C09000001 c0000000 02bc0000 00010002 a0000000 02bc0000 00010001 0 C09000000 R1 M", "READ(0,700,2x1,0+2) U(0,188,1x1,0+1) rows&511", GV_PSX_V2_2MB },
    { "clut_2_mb", "C09000001 74000000 0 80000000", "K(0,512,16) Rt(0,0,8x8)", GV_PSX_V2_2MB },
    { "clut_1_mb", "74000000 0 80000000", "K(0,0,16) Rt(0,0,8x8)", GV_PSX_V2 },
    { "clut_bit_15_is_no_other", "74000000 0 80000000 74000000 0 0", "K(0,0,16) Rt(0,0,8x8) Rt(0,0,8x8)", GV_PSX_V2 },
    // "13.1 Rectangle": 2560 clocks in each width
    { "area_reset", "A", "area(0,0,256x240,off)", GV_PSX_V2 },
    { "area_256", "C03000000 C06c60260 C07040010 C08000000 A", "area(0,0,256x240)", GV_PSX_V2 },
    { "area_512", "C03000000 C06c60260 C07040010 C08000002 A", "area(0,0,512x240)", GV_PSX_V2 },
    { "area_640", "C03000000 C06c60260 C07040010 C08000003 A", "area(0,0,640x240)", GV_PSX_V2 },
    { "area_368_overrides", "C03000000 C06c60260 C07040010 C08000043 A", "area(0,0,364x240)", GV_PSX_V2 },
    { "area_pal_256_lines", "C03000000 C06c60260 C07048c23 C08000009 A", "area(0,0,320x256)", GV_PSX_V2 },
    { "area_pal_576i", "C03000000 C06c60260 C0704f013 C0800002f A", "area(0,0,640x594)", GV_PSX_V2 },
    { "area_interlaced_240", "C03000000 C06c60260 C07040010 C08000023 A", "area(0,0,640x240)", GV_PSX_V2 },
    { "area_24_bit_480i", "C03000000 C06c60260 C07040010 C08000037 A", "area(0,0,640x480,24)", GV_PSX_V2 },
    { "area_rounds", "C06000000 A C06013000 A C06014000 A C0603b000 A C0603c000 A", "area(0,0,0x240,off) area(0,0,0x240,off) area(0,0,4x240,off) area(0,0,4x240,off) area(0,0,8x240,off)", GV_PSX_V2 },
    { "area_start_2_mb", "C050fa000 A", "area(0,1000,256x240,off)", GV_PSX_V2_2MB },
    { "area_start_1_mb", "C050fa000 A", "area(0,488,256x240,off)", GV_PSX_V2 },
    { "area_mirror", "C43000000 C45000402 A", "area(2,1,256x240)", GV_PSX_V2 },
    // "13.3": the field turns with each VSync while 480 lines are interlaced
    { "skip_follows_start", "C08000024 C05000400 02000000 0 00010010", "F(0,0,16x1,0000)/1", GV_PSX_V2 },
    { "skip_polygon", "C08000024 20000000 0 1 00010000 V 20000000 0 1 00010000", "T(0,0:1,0:0,1)/0 T(0,0:1,0:0,1)/1", GV_PSX_V2 },
    { "skip_needs_480", "C08000020 02000000 0 00010010", "F(0,0,16x1,0000)", GV_PSX_V2 },
    { "field_rests", "C08000024 V C08000000 V C08000024 02000000 0 00010010", "F(0,0,16x1,0000)/0", GV_PSX_V2 },
    // nops
    { "nops", "00000000 03000000 1e000000 e0000000 e7000000 ffffffff 68000000 0", "R(0,0,1x1)", GV_PSX_V2 },
};

// What one of the notes of a script's full form says of the state a primitive draws with.
static const struct {
    const char *name, *script, *says;
    enum gv_psx_version version;
} states[] = {
    // "7.1 Dither"
    { "dither_flat", "e1000200 20000000 0 1 00010000", "|00 skip", GV_PSX_V2 },
    { "dither_gouraud", "e1000200 30000000 0 0 1 0 00010000", " dither", GV_PSX_V2 },
    { "dither_modulated", "e1000200 24000000 0 0 1 02000000 00010000 0", " dither", GV_PSX_V2 },
    { "dither_raw", "e1000200 35000000 0 0 0 1 01000000 0 00010000 0", " raw skip", GV_PSX_V2 },
    { "dither_line", "e1000200 40000000 0 1", " dither", GV_PSX_V2 },
    { "dither_rectangle", "e1000200 74000000 0 0", "|00 skip", GV_PSX_V2 },
    { "dither_off", "30000000 0 0 1 0 00010000", "|00 skip", GV_PSX_V2 },
    // Flips: rectangles of new GPUs
    { "flips", "e1003000 74000000 0 0", " flip-u flip-v", GV_PSX_V2 },
    { "flips_polygon", "e1003000 24000000 0 0 1 0 00010000 0", "|00 skip", GV_PSX_V2 },
    { "flips_kept_by_polygons", "e1003000 24000000 0 0 1 0 00010000 0 74000000 0 0", " flip-u flip-v", GV_PSX_V2 },
    { "flips_v0", "e1003000 74000000 0 0", "|00 5-bit skip", GV_PSX_V0 },
    // The page of a rectangle is E1h's, of a polygon its own; "15-bit" twice
    { "page", "e100001f 64000000 0 0 00010001", "page 960,256 depth 0 blend 0", GV_PSX_V2 },
    { "page_polygon", "e1000000 24000000 0 0 1 00950000 00010000 0", "page 320,256 depth 1 blend 0", GV_PSX_V2 },
    { "depth_3", "e1000180 74000000 0 0", "depth 2 ", GV_PSX_V2 },
    { "blend", "e1000060 60000000 0 00010001", "blend 3", GV_PSX_V2 },
    { "page_2_mb", "C09000001 e1000810 74000000 0 0", "page 0,768", GV_PSX_V2_2MB },
    // "Texture window"
    { "window", "e2000000 74000000 0 0", "window ff|00,ff|00", GV_PSX_V2 },
    { "window_mask", "e2000c63 74000000 0 0", "window e7|18,e7|00", GV_PSX_V2 },
    { "window_offset_masked", "e20ffc21 74000000 0 0", "window f7|08,f7|08", GV_PSX_V2 },
    // Flags of the command word
    { "semi", "62000000 0 00010001", " semi", GV_PSX_V2 },
    { "raw_needs_texture", "61000000 0 00010001", "|00 skip", GV_PSX_V2 },
    { "raw", "65000000 0 0 00010001", " raw", GV_PSX_V2 },
    { "line_is_not_raw", "45000000 0 1", "|00 skip", GV_PSX_V2 },
    { "masks", "e6000003 60000000 0 00010001", " set check", GV_PSX_V2 },
    { "masks_unused", "e6fffffc 60000000 0 00010001", "|00 skip", GV_PSX_V2 },
    { "modulate_v0", "74000000 0 0", " 5-bit", GV_PSX_V0 },
    // The drawing area has ten bits each way
    { "area", "e30ffc03 e4001402 60000000 0 00010001", "[3,1023-2,5 page", GV_PSX_V2 },
    // Vertices: colours and texels go with them
    { "colours", "30332211 0 665544 1 998877 00010000", "#112233@0,0#445566@0,0#778899@0,0", GV_PSX_V2 },
    { "texels", "24332211 0 0201 1 01000403 00010000 ffff0605", "#112233@1,2#112233@3,4#112233@5,6", GV_PSX_V2 },
    { "quad_tail_colours", "3c000001 0 0201 2 1 01000403 3 00010000 0605 4 00010001 0807", "#020000@3,4#030000@5,6#040000@7,8", GV_PSX_V2 },
    { "upload_bytes", "a0000000 0 00010003 44332211 88776655", ",0+3)112233445566", GV_PSX_V2 },
};
// clang-format on

// "8.2 Texture cache": what is sampled after it was sampled and then drawn over.
#define SAMPLE "7c000000 00000200 0 "
// clang-format off
static const struct {
    const char *name, *script;
    unsigned count;
} stales[] = {
    { "drawn_over", "e1000100 " SAMPLE "68000000 0 " SAMPLE, 1 },
    { "each_time", "e1000100 " SAMPLE "68000000 0 " SAMPLE SAMPLE, 2 },
    { "filled_over", "e1000100 " SAMPLE "02000000 0 00010010 " SAMPLE, 1 },
    { "line_over", "e1000100 " SAMPLE "40000000 0 00080008 " SAMPLE, 1 },
    { "triangle_over", "e1000100 " SAMPLE "20000000 0 8 00080000 " SAMPLE, 1 },
    { "sampled_once", "e1000100 68000000 0 " SAMPLE, 0 },
    { "drawn_elsewhere", "e1000100 " SAMPLE "68000000 00000040 " SAMPLE, 0 },
    { "drawn_outside_the_area", "e1000100 " SAMPLE "e3000020 68000000 0 e3000000 " SAMPLE, 0 },
    { "other_texels", "e1000100 " SAMPLE "68000000 0 7c000000 00000200 00004040 ", 0 },
    { "window", "e1000100 " SAMPLE "68000000 0 e2000318 7c000000 00000200 00004040 ", 1 },
    { "flipped", "e1000100 " SAMPLE "68000000 0 e1003100 7c000000 00000200 00000f0f ", 1 },
    { "flushed", "e1000100 " SAMPLE "68000000 0 01000000 " SAMPLE, 0 },
    { "reset", "e1000100 " SAMPLE "68000000 0 C00000000 e40fffff e1000100 " SAMPLE, 0 },
    { "copied", "e1000100 " SAMPLE "68000000 0 80000000 0 0 00010001 " SAMPLE, 0 },
    { "uploaded", "e1000100 " SAMPLE "68000000 0 a0000000 0 00010001 0 " SAMPLE, 0 },
    { "read", "e1000100 " SAMPLE "68000000 0 c0000000 0 00010001 D1 " SAMPLE, 0 },
    { "other_page_between", "e1000100 " SAMPLE "68000000 0 e1000101 " SAMPLE "e1000100 " SAMPLE, 0 },
    { "depth_changes", "e1000100 " SAMPLE "68000000 0 e1000000 " SAMPLE, 0 },
    { "8_and_15_bit_share", "e1000080 " SAMPLE "68000000 0 e1000100 " SAMPLE, 1 },
    { "samples_itself_twice", "e1000100 7c000000 0 0 7c000000 0 0", 1 },
};
// clang-format on

static void test_stales(void)
{
    for (size_t i = 0; i < sizeof stales / sizeof stales[0]; i++) {
        struct gv_psx_notes notes = { 0 };
        char script[256];
        snprintf(script, sizeof script, "e40fffff %s", stales[i].script);
        unsigned found = play(script, GV_PSX_V2, &notes);
        CHECK_ROW(stales[i].name, found == stales[i].count);
        gv_bytes_finish(&notes.text);
    }
}

static void test_states(void)
{
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        struct gv_psx_notes notes = { .full = true };
        play(states[i].script, states[i].version, &notes);
        const char *got = (const char *)notes.text.data;
        bool found = got && strstr(got, states[i].says);
        CHECK_ROW(states[i].name, found);
        if (!found && got)
            fprintf(stderr, "  got: %s\n", got);
        gv_bytes_finish(&notes.text);
    }
}

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
    test_states();
    test_stales();
    test_command_words();
    return TEST_RESULT();
}
