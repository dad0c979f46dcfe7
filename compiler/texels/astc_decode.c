#include "compiler/texels/astc_decode.h"

#include <stdbool.h>
#include <string.h>

#include "compiler/texels/astc_endpoints.h"
#include "compiler/texels/astc_sequence.h"
#include "vm/formats.h"

#define BLOCK_BYTES 16u
#define MOST_SIDE 12u // texels of a block
#define MOST_WEIGHTS 64u
#define MOST_COLORS 18u
#define MOST_PARTITIONS 4u

static const uint8_t wrong_color[4] = { 255, 0, 255, 255 };

// What a block says of itself.
struct block {
    struct gv_astc_bits bits;
    uint32_t side[2]; // texels: columns, rows
    uint32_t grid[2]; // weights likewise
    bool two_planes;
    uint32_t weight_range, weight_bits, weight_count; // of both planes
    uint32_t partitions, seed;
    uint32_t modes[MOST_PARTITIONS]; // of endpoints
    uint32_t second;                 // the component that the second plane is of
    uint8_t weights[MOST_WEIGHTS];
    int32_t ends[MOST_PARTITIONS][2][4];
    bool wrong[MOST_PARTITIONS]; // of floats
};

static struct gv_astc_bits load(const uint8_t *bytes)
{
    struct gv_astc_bits b = { 0, 0 };
    for (uint32_t i = 0; i < 8; i++) {
        b.low |= (uint64_t)bytes[i] << 8 * i;
        b.high |= (uint64_t)bytes[8 + i] << 8 * i;
    }
    return b;
}

static uint64_t mirrored(uint64_t v)
{
    uint64_t out = 0;
    for (uint32_t i = 0; i < 64; i++)
        out |= (v >> i & 1) << (63 - i);
    return out;
}

// ---- what a block is ----

// Sizes of grids by the block mode; false: reserved.
static bool read_grid(struct block *b, uint32_t mode)
{
    const uint32_t narrow = (mode >> 5 & 3) + 2, wide = mode >> 7 & 3;
    uint32_t x = narrow, y = narrow;
    if (mode & 3) {
        const uint32_t kind = mode >> 2 & 3;
        if (kind == 0)
            x = wide + 4;
        else if (kind == 1)
            x = wide + 8;
        else if (kind == 2)
            y = wide + 8;
        else if (mode & 0x100)
            x = (wide & 1) + 2;
        else
            y = (wide & 1) + 6;
    } else if (wide == 0) {
        x = 12;
    } else if (wide == 1) {
        y = 12;
    } else if (wide == 2) {
        x = narrow + 4;
        y = (mode >> 9 & 3) + 6;
    } else {
        x = narrow == 2 ? 6 : 10;
        y = narrow == 2 ? 10 : 6;
        if (narrow > 3)
            return false;
    }
    b->grid[0] = x;
    b->grid[1] = y;
    return true;
}

static bool read_mode(struct block *b)
{
    const uint32_t mode = gv_astc_take(&b->bits, 0, 11);
    const uint32_t high = mode & 3 ? mode & 3 : mode >> 2 & 3;
    const bool short_mode = !(mode & 3) && (mode >> 7 & 3) == 2;
    const uint32_t range = (mode >> 4 & 1) | high << 1;
    if (range < 2 || !read_grid(b, mode))
        return false;
    b->two_planes = !short_mode && mode >> 10 & 1;
    b->weight_range = range - 2 + (!short_mode && mode >> 9 & 1 ? 6 : 0);
    b->weight_count = b->grid[0] * b->grid[1] * (b->two_planes ? 2 : 1);
    if (b->weight_count > MOST_WEIGHTS)
        return false;
    b->weight_bits = gv_astc_sequence_bits(b->weight_range, b->weight_count);
    return b->weight_bits >= 24 && b->weight_bits <= 96 && b->grid[0] <= b->side[0] &&
           b->grid[1] <= b->side[1];
}

// Modes of the partitions' endpoints; returns how many bits of them lie below the
// weights.
static uint32_t read_endpoint_modes(struct block *b)
{
    const uint32_t n = b->partitions;
    if (n == 1) {
        b->modes[0] = gv_astc_take(&b->bits, 13, 4);
        return 0;
    }
    const uint32_t kind = gv_astc_take(&b->bits, 23, 2);
    uint32_t packed = gv_astc_take(&b->bits, 25, 4), more = 0;
    if (kind) {
        more = 3 * n - 4;
        packed |= gv_astc_take(&b->bits, 128 - b->weight_bits - more, more) << 4;
    }
    for (uint32_t i = 0; i < n; i++)
        b->modes[i] =
            kind ? ((kind - 1 + (packed >> i & 1)) << 2 | (packed >> (n + 2 * i) & 3))
                 : packed;
    return more;
}

// The colours between bits `begin` and `end`.
static bool read_colors(struct block *b, uint32_t begin, uint32_t end)
{
    uint8_t values[MOST_COLORS];
    struct gv_astc_sequence s = { begin, end, GV_ASTC_RANGES, 0 };
    for (uint32_t i = 0; i < b->partitions; i++)
        s.count += gv_astc_endpoint_values(b->modes[i]);
    if (s.count > MOST_COLORS || end < begin)
        return false;
    do {
        if (s.range-- == GV_ASTC_RANGE_6)
            return false;
    } while (gv_astc_sequence_bits(s.range, s.count) > end - begin);
    s.end = begin + gv_astc_sequence_bits(s.range, s.count);
    gv_astc_colors(&b->bits, &s, values);
    const uint8_t *at = values;
    for (uint32_t i = 0; i < b->partitions; i++) {
        b->wrong[i] = !gv_astc_endpoints(b->modes[i], at, b->ends[i]);
        at += gv_astc_endpoint_values(b->modes[i]);
    }
    return true;
}

static bool read_block(struct block *b)
{
    if (!read_mode(b))
        return false;
    b->partitions = gv_astc_take(&b->bits, 11, 2) + 1;
    if (b->partitions == MOST_PARTITIONS && b->two_planes)
        return false;
    b->seed = b->partitions > 1 ? gv_astc_take(&b->bits, 13, 10) : 0;
    uint32_t end = 128 - b->weight_bits - read_endpoint_modes(b);
    b->second = 4;
    if (b->two_planes) {
        end -= 2;
        b->second = gv_astc_take(&b->bits, end, 2);
    }
    if (!read_colors(b, b->partitions > 1 ? 29 : 17, end))
        return false;
    const struct gv_astc_bits top = { mirrored(b->bits.high), mirrored(b->bits.low) };
    const struct gv_astc_sequence s = { 0, b->weight_bits, b->weight_range,
                                        b->weight_count };
    gv_astc_weights(&top, &s, b->weights);
    return true;
}

// ---- texels ----

// The weight of a plane at a texel, between those of the grid.
static uint32_t weight_at(const struct block *b, uint32_t x, uint32_t y, uint32_t plane)
{
    const uint32_t at[2] = { x, y }, planes = b->two_planes ? 2 : 1;
    uint32_t whole[2], part[2], sum = 8;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t step = (1024 + b->side[i] / 2) / (b->side[i] - 1);
        const uint32_t place = (step * at[i] * (b->grid[i] - 1) + 32) >> 6;
        whole[i] = place >> 4;
        part[i] = place & 15;
    }
    const uint32_t both = (part[0] * part[1] + 8) >> 4;
    const uint32_t shares[4] = { 16 - part[0] - part[1] + both, part[0] - both,
                                 part[1] - both, both };
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t column = whole[0] + (i & 1), row = whole[1] + (i >> 1);
        if (shares[i] && column < b->grid[0] && row < b->grid[1])
            sum += shares[i] * b->weights[(row * b->grid[0] + column) * planes + plane];
    }
    return sum >> 4;
}

static void texel_of(const struct block *b, uint32_t x, uint32_t y, bool srgb,
                     uint8_t rgba[4])
{
    const bool small = b->side[0] * b->side[1] < 31;
    const uint32_t of =
        gv_astc_partition(b->seed, x << small, y << small, b->partitions);
    if (b->wrong[of]) {
        memcpy(rgba, wrong_color, sizeof wrong_color);
        return;
    }
    const uint32_t first = weight_at(b, x, y, 0);
    const uint32_t second = b->two_planes ? weight_at(b, x, y, 1) : first;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t weight = i == b->second ? second : first;
        const uint32_t low = (uint32_t)b->ends[of][0][i],
                       up = (uint32_t)b->ends[of][1][i];
        const uint32_t from = low << 8 | (srgb ? 0x80 : low);
        const uint32_t to = up << 8 | (srgb ? 0x80 : up);
        rgba[i] = (uint8_t)((from * (64 - weight) + to * weight + 32) / 64 >> 8);
    }
}

// A block of one colour; false: of floats, or of no meaning.
static bool constant(const struct gv_astc_bits *bits, uint8_t rgba[4])
{
    uint32_t extent[4];
    for (uint32_t i = 0; i < 4; i++) {
        extent[i] = gv_astc_take(bits, 12 + 13 * i, 13);
        rgba[i] = (uint8_t)(gv_astc_take(bits, 64 + 16 * i, 16) >> 8);
    }
    const bool open = (extent[0] & extent[1] & extent[2] & extent[3]) == 0x1FFF;
    return gv_astc_take(bits, 9, 3) == 6 &&
           (open || (extent[0] < extent[1] && extent[2] < extent[3]));
}

// Texels of a block, rows of MOST_SIDE.
static void decode_block(const uint8_t *bytes, const struct gv_format_info *info,
                         uint8_t texels[MOST_SIDE * MOST_SIDE][4])
{
    struct block b = { .bits = load(bytes),
                       .side = { info->block_width, info->block_height } };
    uint8_t one[4];
    const bool flat = gv_astc_take(&b.bits, 0, 9) == 0x1FC;
    const bool good = flat ? constant(&b.bits, one) : read_block(&b);
    if (!good)
        memcpy(one, wrong_color, sizeof one);
    for (uint32_t y = 0; y < b.side[1]; y++)
        for (uint32_t x = 0; x < b.side[0]; x++) {
            uint8_t *to = texels[y * MOST_SIDE + x];
            if (flat || !good)
                memcpy(to, one, 4);
            else
                texel_of(&b, x, y, info->kind == GV_FORMAT_KIND_SRGB, to);
        }
}

// ---- images ----

uint32_t gv_astc_plain_format(uint32_t format)
{
    if (format < GV_FORMAT_ASTC_4x4_UNORM_BLOCK ||
        format > GV_FORMAT_ASTC_12x12_SRGB_BLOCK)
        return 0;
    return gv_format_info(format)->kind == GV_FORMAT_KIND_SRGB
               ? GV_FORMAT_R8G8B8A8_SRGB
               : GV_FORMAT_R8G8B8A8_UNORM;
}

void gv_astc_decode(const struct gv_bc_image *image, uint8_t *rgba)
{
    const struct gv_format_info *info = gv_format_info(image->format);
    const uint32_t width = info->block_width, height = info->block_height;
    uint8_t texels[MOST_SIDE * MOST_SIDE][4];
    if (!width || !height) // not ASTC
        return;
    for (uint32_t y = 0; y < image->height; y += height) {
        const uint8_t *row = image->blocks + (size_t)(y / height) * image->pitch;
        for (uint32_t x = 0; x < image->width; x += width) {
            const uint32_t columns =
                image->width - x < width ? image->width - x : width;
            decode_block(row + (size_t)(x / width) * BLOCK_BYTES, info, texels);
            for (uint32_t i = 0; i < height && y + i < image->height; i++)
                memcpy(rgba + ((size_t)(y + i) * image->width + x) * 4,
                       texels[(size_t)i * MOST_SIDE], (size_t)columns * 4);
        }
    }
}
