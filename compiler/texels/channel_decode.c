// Khronos Data Format Specification 1.3, chapters 19 "RGTC Compressed Texture Image
// Formats" and 22 "ETC2 Compressed Texture Image Formats" (R11 and RG11 EAC).
#include "compiler/texels/channel_decode.h"

#include "compiler/texels/eac_modifiers.h"
#include "resources/base/cursor.h"
#include "vm/formats.h"

#define TEXELS (GV_BC_SIDE * GV_BC_SIDE)

// ---- one channel of a block ----

static int32_t clamped(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

// Two end points, and six numbers between them or four and the ends of the range.
static void decode_rgtc(const uint8_t *block, bool is_signed, float out[TEXELS])
{
    int32_t a = is_signed ? clamped((int8_t)block[0], -127, 127) : block[0];
    int32_t b = is_signed ? clamped((int8_t)block[1], -127, 127) : block[1];
    const float largest = is_signed ? 127 : 255;
    const int32_t steps = a > b ? 7 : 5;
    float table[8] = { (float)a / largest, (float)b / largest, 0, 0, 0, 0, 0, 1 };
    table[6] = is_signed ? -1 : 0;
    for (int32_t i = 1; i < steps; i++)
        table[i + 1] = (float)((steps - i) * a + i * b) / (float)steps / largest;
    uint64_t indices = gv_load_u64(block) >> 16;
    for (uint32_t i = 0; i < TEXELS; i++, indices >>= 3)
        out[i] = table[indices & 7];
}

// Eleven bits, which stand for sixteen.
static float eac_number(int32_t v, bool is_signed)
{
    int32_t size = v < 0 ? -v : v;
    int32_t wide = is_signed ? size << 5 | size >> 5 : size << 5 | size >> 6;
    float number = (float)wide / (is_signed ? 32767.0f : 65535.0f);
    return v < 0 ? -number : number;
}

// A number, and a multiple of one of eight modifiers for each texel; columns first.
static void decode_eac(const uint8_t *block, bool is_signed, float out[TEXELS])
{
    int32_t base = is_signed ? clamped((int8_t)block[0], -127, 127) : block[0];
    int32_t multiplier = block[1] >> 4 ? (block[1] >> 4) * 8 : 1;
    const int8_t *modifiers = gv_eac_modifiers[block[1] & 15];
    for (uint32_t i = 0; i < TEXELS; i++) {
        uint32_t first = 16 + 3 * i;
        uint32_t word = (uint32_t)block[first / 8] << 8 |
                        (first / 8 < 7 ? block[first / 8 + 1] : 0u);
        int32_t v = modifiers[word >> (13 - first % 8) & 7] * multiplier + base * 8;
        v = is_signed ? clamped(v, -1023, 1023) : clamped(v + 4, 0, 2047);
        out[i % GV_BC_SIDE * GV_BC_SIDE + i / GV_BC_SIDE] = eac_number(v, is_signed);
    }
}

// ---- images ----

struct channels {
    uint32_t format, plain;
    uint8_t count;
    bool eac, is_signed;
};

static const struct channels rows[] = {
    { GV_FORMAT_BC4_UNORM_BLOCK, GV_FORMAT_R8_UNORM, 1, false, false },
    { GV_FORMAT_BC4_SNORM_BLOCK, GV_FORMAT_R8_SNORM, 1, false, true },
    { GV_FORMAT_BC5_UNORM_BLOCK, GV_FORMAT_R8G8_UNORM, 2, false, false },
    { GV_FORMAT_BC5_SNORM_BLOCK, GV_FORMAT_R8G8_SNORM, 2, false, true },
    { GV_FORMAT_EAC_R11_UNORM_BLOCK, GV_FORMAT_R16_UNORM, 1, true, false },
    { GV_FORMAT_EAC_R11_SNORM_BLOCK, GV_FORMAT_R16_SNORM, 1, true, true },
    { GV_FORMAT_EAC_R11G11_UNORM_BLOCK, GV_FORMAT_R16G16_UNORM, 2, true, false },
    { GV_FORMAT_EAC_R11G11_SNORM_BLOCK, GV_FORMAT_R16G16_SNORM, 2, true, true },
};

static const struct channels *find(uint32_t format)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].format == format)
            return &rows[i];
    return NULL;
}

uint32_t gv_channels_plain_format(uint32_t format)
{
    const struct channels *c = find(format);
    return c ? c->plain : GV_FORMAT_NONE;
}

// The part of a decoded block that lies inside the image.
static void place(const float *numbers, const struct gv_bc_image *image, uint32_t x,
                  uint32_t y, float *channel)
{
    for (uint32_t i = 0; i < TEXELS; i++) {
        uint32_t column = x + i % GV_BC_SIDE, row = y + i / GV_BC_SIDE;
        if (column < image->width && row < image->height)
            channel[((size_t)row * image->width + column) * 4] = numbers[i];
    }
}

static void decode_block(const struct channels *c, const struct gv_bc_image *image,
                         const uint32_t at[2], float *rgba)
{
    float numbers[TEXELS];
    const uint8_t *block = image->blocks + (size_t)(at[1] / GV_BC_SIDE) * image->pitch +
                           (size_t)(at[0] / GV_BC_SIDE) * 8 * c->count;
    for (uint32_t k = 0; k < c->count; k++) {
        (c->eac ? decode_eac : decode_rgtc)(block + (size_t)8 * k, c->is_signed,
                                            numbers);
        place(numbers, image, at[0], at[1], rgba + k);
    }
}

void gv_channels_decode(const struct gv_bc_image *image, float *rgba)
{
    const struct channels *c = find(image->format);
    const size_t texels = (size_t)image->width * image->height;
    for (size_t i = 0; i < texels; i++) {
        rgba[4 * i] = rgba[4 * i + 1] = rgba[4 * i + 2] = 0;
        rgba[4 * i + 3] = 1;
    }
    uint32_t at[2];
    for (at[1] = 0; at[1] < image->height; at[1] += GV_BC_SIDE)
        for (at[0] = 0; at[0] < image->width; at[0] += GV_BC_SIDE)
            decode_block(c, image, at, rgba);
}
