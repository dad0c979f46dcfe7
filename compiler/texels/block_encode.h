// Pixels to blocks, where an application leaves the compressing to GL. GL does not say
// which blocks: these are the ones that Mesa 22.3 makes, so that pictures are those of
// its drivers.
#ifndef GV_BLOCK_ENCODE_H
#define GV_BLOCK_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

#define GV_BLOCK_SIDE 4u // texels

// The format of pixels that blocks of `format` are made from: RGBA of four bytes
// (signed for signed blocks; sRGB values as they are) or four floats. 0: no blocks that
// are made here.
uint32_t gv_block_source_format(uint32_t format);

// Makes the blocks of `pixels[height][width]`, texels of gv_block_source_format, into
// `blocks[(height + 3) / 4][(width + 3) / 4]`. `format` is one that has a source
// format.
void gv_blocks_encode(uint32_t format, const void *pixels, uint32_t width,
                      uint32_t height, uint8_t *blocks);

// Bytes of `width` x `height` pixels or blocks of such a format.
uint64_t gv_block_pixels_size(uint32_t format, uint32_t width, uint32_t height);
uint64_t gv_blocks_size(uint32_t format, uint32_t width, uint32_t height);

// Pixels that blocks hold, as Mesa reads them back: what llvmpipe samples or, where it
// has no target of such components (`sampled` false; luminance with alpha), fractions
// rounded toward zero. False: no memory.
bool gv_blocks_to_pixels(uint32_t format, bool sampled, const uint8_t *blocks,
                         uint32_t width, uint32_t height, void *pixels);

// The next mip of pixels of gv_block_source_format(format): means of two by two,
// rounded toward zero. A side of one stays. `to` may be `from`.
void gv_block_pixels_halve(uint32_t format, const void *from, uint32_t width,
                           uint32_t height, void *to);

// ---- one block of up to 4 x 4 texels; `width` and `height` are those that count ----

// How blocks of colours treat alpha.
enum gv_block_alpha {
    GV_BLOCK_OPAQUE,      // ignored; three colours and black may be used
    GV_BLOCK_PUNCHED,     // 127 and less are transparent black
    GV_BLOCK_FOUR_COLORS, // another block has it; always four colours
};

// Eight bytes of colours (S3TC).
void gv_block_encode_colors(enum gv_block_alpha alpha, const uint8_t rgba[4][4][4],
                            uint32_t width, uint32_t height, uint8_t block[8]);

// Eight bytes of one channel (RGTC, alpha of S3TC); `lowest` and `highest` are the ends
// of its type: 0 and 255, or -128 and 127.
void gv_block_encode_channel(int values[4][4], uint32_t width, uint32_t height,
                             int lowest, int highest, uint8_t block[8]);

// Sixteen bytes of BPTC.
void gv_block_encode_bptc(const uint8_t rgba[4][4][4], uint32_t width, uint32_t height,
                          uint8_t block[16]);
void gv_block_encode_bptc_floats(const float rgb[4][4][4], uint32_t width,
                                 uint32_t height, bool is_signed, uint8_t block[16]);

#endif
