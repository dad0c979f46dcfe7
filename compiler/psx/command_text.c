#include "compiler/psx/command_text.h"

#include "compiler/psx/gp0.h"

static void position(struct gv_bytes *out, uint32_t word)
{
    gv_bytes_printf(out, " (%d,%d)", gv_psx_wrap_11(word), gv_psx_wrap_11(word >> 16));
}

// Colours are blue, green, red from the top; people write red first.
static void color(struct gv_bytes *out, uint32_t word)
{
    gv_bytes_printf(out, " #%02x%02x%02x", word & 255, word >> 8 & 255,
                    word >> 16 & 255);
}

static void page(struct gv_bytes *out, uint32_t bits)
{
    static const char *const depths[4] = { "4-bit", "8-bit", "15-bit", "15-bit" };
    gv_bytes_printf(out, " page %u,%u %s blend %u", 64 * (bits & 15),
                    256 * (bits >> 4 & 1) + 512 * (bits >> 11 & 1),
                    depths[bits >> 7 & 3], bits >> 5 & 3);
}

static void clut(struct gv_bytes *out, uint32_t word)
{
    gv_bytes_printf(out, " clut %u,%u", (word >> 16 & 63) * 16, word >> 22);
}

static void flags(struct gv_bytes *out, uint32_t command)
{
    bool textured = command >> 29 != 2 && (command & 1u << 26);
    gv_bytes_printf(out, "%s%s", command & 1u << 25 ? " semi-transparent" : "",
                    textured && (command & 1u << 24) ? " raw" : "");
}

static void polygon(const uint32_t *words, uint32_t count, struct gv_bytes *out)
{
    uint32_t command = words[0], vertices = command & 1u << 27 ? 4 : 3;
    bool gouraud = command & 1u << 28, textured = command & 1u << 26;
    uint32_t stride = 1u + gouraud + textured;
    color(out, command);
    for (uint32_t i = 0; i < vertices; i++) {
        uint32_t at = 1 + i * stride; // of the position
        if (gouraud && i && at - 1 < count)
            color(out, words[at - 1]);
        if (at < count)
            position(out, words[at]);
        if (textured && at + 1 < count)
            gv_bytes_printf(out, " uv %u,%u", words[at + 1] & 255,
                            words[at + 1] >> 8 & 255);
    }
    if (textured && count > 2)
        clut(out, words[2]);
    if (textured && count > 2 + stride)
        page(out, words[2 + stride] >> 16);
}

static void line(const uint32_t *words, uint32_t count, struct gv_bytes *out)
{
    bool gouraud = words[0] & 1u << 28;
    color(out, words[0]);
    if (count > 1)
        position(out, words[1]);
    if (gouraud && count > 2)
        color(out, words[2]);
    if (count > 2u + gouraud)
        position(out, words[2 + gouraud]);
}

static void rectangle(const uint32_t *words, uint32_t count, struct gv_bytes *out)
{
    static const char *const sizes[4] = { NULL, "1x1", "8x8", "16x16" };
    const char *size = sizes[words[0] >> 27 & 3];
    bool textured = words[0] & 1u << 26;
    uint32_t last = 2u + textured;
    color(out, words[0]);
    if (count > 1)
        position(out, words[1]);
    if (size)
        gv_bytes_printf(out, " %s", size);
    else if (count > last)
        gv_bytes_printf(out, " %ux%u", words[last] & 0x3ff, words[last] >> 16 & 0x1ff);
    if (textured && count > 2) {
        gv_bytes_printf(out, " uv %u,%u", words[2] & 255, words[2] >> 8 & 255);
        clut(out, words[2]);
    }
}

static void corner(struct gv_bytes *out, const char *what, uint32_t word)
{
    gv_bytes_printf(out, " %s%u,%u", what, word & 0x3ff, word >> 16 & 0x3ff);
}

// "0 means 1024 or 512".
static void transfer_size(struct gv_bytes *out, uint32_t word)
{
    gv_bytes_printf(out, " %ux%u", (((word & 0xffff) - 1) & 0x3ff) + 1,
                    (((word >> 16) - 1) & 0x1ff) + 1);
}

static void transfer(const uint32_t *words, uint32_t count, struct gv_bytes *out)
{
    static const char *const first[3] = { "from ", "to ", "from " };
    uint32_t kind = (words[0] >> 29) - 4; // copy, upload, read
    if (count > 1)
        corner(out, first[kind], words[1]);
    if (kind == 0 && count > 2)
        corner(out, "to ", words[2]);
    if (count > 2u + (kind == 0))
        transfer_size(out, words[2 + (kind == 0)]);
}

static void control(const uint32_t *words, uint32_t count, struct gv_bytes *out)
{
    if (words[0] >> 24 != 0x02)
        return;
    color(out, words[0]);
    if (count > 1)
        gv_bytes_printf(out, " at %u,%u", words[1] & 0x3f0, words[1] >> 16 & 0x3ff);
    if (count > 2)
        gv_bytes_printf(out, " %ux%u", ((words[2] & 0x3ff) + 15) & ~15u,
                        words[2] >> 16 & 0x1ff);
}

static void register_text(uint32_t word, struct gv_bytes *out)
{
    switch (word >> 24) {
    case 0xe1:
        page(out, word);
        gv_bytes_printf(out, "%s%s%s%s", word & 1 << 9 ? " dither" : "",
                        word & 1 << 10 ? " draw-to-display" : "",
                        word & 1 << 12 ? " flip-u" : "",
                        word & 1 << 13 ? " flip-v" : "");
        break;
    case 0xe2:
        gv_bytes_printf(out, " mask %u,%u offset %u,%u", (word & 31) * 8,
                        (word >> 5 & 31) * 8, (word >> 10 & 31) * 8,
                        (word >> 15 & 31) * 8);
        break;
    case 0xe3:
    case 0xe4:
        gv_bytes_printf(out, " %u,%u", word & 0x3ff, word >> 10 & 0x3ff);
        break;
    case 0xe5:
        gv_bytes_printf(out, " %d,%d", gv_psx_wrap_11(word),
                        gv_psx_wrap_11(word >> 11));
        break;
    case 0xe6:
        gv_bytes_printf(out, "%s%s%s", word & 1 ? " set" : "", word & 2 ? " check" : "",
                        word & 3 ? "" : " none");
        break;
    default: // nops
        break;
    }
}

void gv_psx_command_text(const uint32_t words[GV_PSX_COMMAND_WORDS], uint32_t count,
                         struct gv_bytes *out)
{
    uint32_t class = words[0] >> 29;
    gv_bytes_printf(out, "%s", gv_psx_command_name(words[0]));
    if (class >= 1 && class <= 3)
        flags(out, words[0]);
    if (class == 0)
        control(words, count, out);
    else if (class == 1)
        polygon(words, count, out);
    else if (class == 2)
        line(words, count, out);
    else if (class == 3)
        rectangle(words, count, out);
    else if (class <= 6)
        transfer(words, count, out);
    else
        register_text(words[0], out);
}

// ---- GP1 ----

static void mode(uint32_t word, struct gv_bytes *out)
{
    static const unsigned widths[4] = { 256, 320, 512, 640 };
    gv_bytes_printf(out, "display mode %u wide, %s%s%s%s%s",
                    word & 0x40 ? 368 : widths[word & 3], word & 8 ? "PAL" : "NTSC",
                    word & 0x10 ? ", 24-bit" : ", 15-bit",
                    word & 0x20 ? ", interlaced" : "", word & 4 ? ", 480 lines" : "",
                    word & 0x80 ? ", reversed (ignored)" : "");
}

static void info(uint32_t index, struct gv_bytes *out)
{
    static const char *const names[16] = {
        [2] = "texture window", [3] = "area top left", [4] = "area bottom right",
        [5] = "offset",         [7] = "GPU version",   [8] = "zero"
    };
    gv_bytes_printf(out, "latch %u: %s", index,
                    names[index] ? names[index] : "unchanged");
}

void gv_psx_control_text(uint32_t word, struct gv_bytes *out)
{
    static const char *const plain[3] = { "reset", "drop commands",
                                          "acknowledge interrupt" };
    uint32_t number = word >> 24 & 0x3f;
    if (number < 3)
        gv_bytes_printf(out, "%s", plain[number]);
    else if (number == 0x03)
        gv_bytes_printf(out, "display %s", word & 1 ? "off" : "on");
    else if (number == 0x04)
        gv_bytes_printf(out, "DMA direction %u", word & 3);
    else if (number == 0x05)
        gv_bytes_printf(out, "display start %u,%u", word & 0x3fe, word >> 10 & 0x3ff);
    else if (number == 0x06)
        gv_bytes_printf(out, "display columns %u to %u (clocks)", word & 0xfff,
                        word >> 12 & 0xfff);
    else if (number == 0x07)
        gv_bytes_printf(out, "display lines %u to %u", word & 0x3ff,
                        word >> 10 & 0x3ff);
    else if (number == 0x08)
        mode(word, out);
    else if (number == 0x09)
        gv_bytes_printf(out, "upper 512 rows %s", word & 1 ? "on" : "off");
    else if (number >= 0x10 && number <= 0x1f)
        info(word & 15, out);
    else
        gv_bytes_printf(out, "nop");
}
