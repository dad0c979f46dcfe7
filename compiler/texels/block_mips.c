// Mips of blocks, as Mesa makes them: from pixels that are read back from the blocks of
// the base level, level by level without going through blocks again.
#include <stdlib.h>
#include <string.h>

#include "compiler/texels/bc6h_decode.h"
#include "compiler/texels/bc_decode.h"
#include "compiler/texels/block_encode.h"
#include "compiler/texels/channel_decode.h"
#include "compiler/texels/client_texels.h"
#include "resources/base/cursor.h"
#include "vm/formats.h"

// ---- reading back ----

static void read_channel(const uint8_t *block, bool is_signed, bool sampled,
                         int out[16])
{
    const int a = is_signed ? (int8_t)block[0] : block[0];
    const int b = is_signed ? (int8_t)block[1] : block[1];
    const int steps = a > b ? 7 : 5;
    int table[8] = { a, b };
    for (int i = 1; i < steps; i++)
        table[i + 1] = sampled ? gv_bc_between(a, b, i, steps, true)
                               : ((steps - i) * a + i * b) / steps;
    if (steps == 5) {
        table[6] = is_signed ? -127 : 0;
        table[7] = is_signed ? 127 : 255;
    }
    uint64_t indices = gv_load_u64(block) >> 16;
    for (int i = 0; i < 16; i++, indices >>= 3)
        out[i] = table[indices & 7];
}

// Blocks of `count` channels; the others are 0, alpha 1.
static void read_channels(const struct gv_bc_image *image, uint32_t count, bool sampled,
                          uint8_t *to)
{
    const bool is_signed =
        gv_block_source_format(image->format) == GV_FORMAT_R8G8B8A8_SNORM;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            const uint8_t *block = image->blocks +
                                   (size_t)(y / GV_BLOCK_SIDE) * image->pitch +
                                   (size_t)(x / GV_BLOCK_SIDE) * count * 8;
            uint8_t *texel = to + ((size_t)y * image->width + x) * 4;
            const uint8_t none[4] = { 0, 0, 0, is_signed ? 127 : 255 };
            memcpy(texel, none, sizeof none);
            for (uint32_t c = 0; c < count; c++) {
                int values[16];
                read_channel(block + (size_t)8 * c, is_signed, sampled, values);
                const int v = values[y % GV_BLOCK_SIDE * 4 + x % GV_BLOCK_SIDE];
                texel[c] = (uint8_t)(v < -127 ? -127 : v);
            }
        }
}

static bool read_halves(const struct gv_bc_image *image, float *to)
{
    const size_t texels = (size_t)image->width * image->height;
    uint8_t *halves = calloc(texels, 8);
    if (!halves)
        return false;
    gv_bc6h_decode(image, halves);
    for (size_t i = 0; i < 4 * texels; i++)
        to[i] = gv_half_to_float((uint16_t)(halves[2 * i] | halves[2 * i + 1] << 8));
    free(halves);
    return true;
}

bool gv_blocks_to_pixels(uint32_t format, bool sampled, const uint8_t *blocks,
                         uint32_t width, uint32_t height, void *pixels)
{
    const struct gv_format_info *info = gv_format_info(format);
    const struct gv_bc_image image = {
        .format = format,
        .width = width,
        .height = height,
        .pitch = (width + GV_BLOCK_SIDE - 1) / GV_BLOCK_SIDE * info->block_bytes,
        .blocks = blocks,
        .weighted = true,
    };
    if (gv_bc6h_is_format(format))
        return read_halves(&image, pixels);
    if (gv_channels_plain_format(format))
        read_channels(&image, info->block_bytes / 8, sampled, pixels);
    else
        gv_bc_decode(&image, pixels);
    return true;
}

// ---- halving ----

// The texels that one of the smaller mip is the mean of.
struct square {
    size_t at[4];
};

static struct square square(uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    const size_t row = height > 1 ? width : 0, column = width > 1;
    const size_t first = (size_t)y * 2 * row + (size_t)x * 2 * column;
    return (
        struct square){ { first, first + column, first + row, first + row + column } };
}

static void mean_of_floats(const float *from, const struct square *s, float *to)
{
    for (size_t c = 0; c < 4; c++)
        to[c] = (from[s->at[0] * 4 + c] + from[s->at[1] * 4 + c] +
                 from[s->at[2] * 4 + c] + from[s->at[3] * 4 + c]) *
                0.25f;
}

static void mean_of_bytes(const uint8_t *from, const struct square *s, bool is_signed,
                          uint8_t *to)
{
    for (size_t c = 0; c < 4; c++) {
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            const uint8_t v = from[s->at[i] * 4 + c];
            sum += is_signed ? (int8_t)v : v;
        }
        to[c] = (uint8_t)(sum / 4);
    }
}

void gv_block_pixels_halve(uint32_t format, const void *from, uint32_t width,
                           uint32_t height, void *to)
{
    const uint32_t source = gv_block_source_format(format);
    const uint32_t columns = gv_mip_size(width, 1), rows = gv_mip_size(height, 1);
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            const struct square s = square(x, y, width, height);
            const size_t at = ((size_t)y * columns + x) * 4;
            float floats[4];
            uint8_t bytes[4];
            if (source == GV_FORMAT_R32G32B32A32_SFLOAT) {
                mean_of_floats(from, &s, floats);
                memcpy((float *)to + at, floats, sizeof floats);
            } else {
                mean_of_bytes(from, &s, source == GV_FORMAT_R8G8B8A8_SNORM, bytes);
                memcpy((uint8_t *)to + at, bytes, sizeof bytes);
            }
        }
}
