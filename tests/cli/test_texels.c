// Texels of exports as RGBA8.
#include "tools/picture/texels.h"

#include "tests/test.h"
#include "vm/formats.h"

static const struct {
    const char *name;
    uint32_t format;
    uint8_t texel[16];
    size_t size;
    uint8_t rgba[4];
    enum gv_status status;
} cases[] = {
    { "rgba8", GV_FORMAT_R8G8B8A8_UNORM, { 1, 2, 3, 4 }, 4, { 1, 2, 3, 4 }, GV_OK },
    { "bgra8", GV_FORMAT_B8G8R8A8_UNORM, { 1, 2, 3, 4 }, 4, { 3, 2, 1, 4 }, GV_OK },
    { "grey", GV_FORMAT_R8_UNORM, { 9 }, 1, { 9, 9, 9, 255 }, GV_OK },
    { "two", GV_FORMAT_R8G8_UNORM, { 9, 8 }, 2, { 9, 8, 0, 255 }, GV_OK },
    { "rgb565",
      GV_FORMAT_R5G6B5_UNORM_PACK16,
      { 0x1f, 0xf8 },
      2,
      { 255, 0, 255, 255 },
      GV_OK },
    { "argb1555",
      GV_FORMAT_A1R5G5B5_UNORM_PACK16,
      { 0x00, 0xfc },
      2,
      { 255, 0, 0, 255 },
      GV_OK },
    { "x1b5g5r5",
      GV_FORMAT_X1B5G5R5_UNORM_PACK16,
      { 0x03, 0x83 }, // red 3, green 24, blue 0, the bit
      2,
      { 24, 198, 0, 255 },
      GV_OK },
    { "half", GV_FORMAT_R16_SFLOAT, { 0x00, 0x38 }, 2, { 128, 128, 128, 255 }, GV_OK },
    { "float_over",
      GV_FORMAT_R32_SFLOAT,
      { 0, 0, 0, 0x40 },
      4,
      { 255, 255, 255, 255 },
      GV_OK },
    { "not_a_number",
      GV_FORMAT_R32_SFLOAT,
      { 0, 0, 0xc0, 0x7f },
      4,
      { 0, 0, 0, 255 },
      GV_OK },
    { "half_not_a_number",
      GV_FORMAT_R16_SFLOAT,
      { 0x00, 0x7e },
      2,
      { 0, 0, 0, 255 },
      GV_OK },
    { "double",
      GV_FORMAT_R64_SFLOAT,
      { 0, 0, 0, 0, 0, 0, 0xe0, 0x3f },
      8,
      { 128, 128, 128, 255 },
      GV_OK },
    { "b10g11r11",
      GV_FORMAT_B10G11R11_UFLOAT_PACK32,
      { 0, 0, 0, 0x78 },
      4,
      { 0, 0, 255, 255 },
      GV_OK },
    { "integers_span",
      GV_FORMAT_R16G16_UINT,
      { 0xff, 0xff, 0, 0x80 },
      4,
      { 255, 128, 0, 255 },
      GV_OK },
    { "signed_span",
      GV_FORMAT_R16G16_SINT,
      { 0xff, 0x7f, 0, 0x80 },
      4,
      { 255, 0, 0, 255 },
      GV_OK },
    { "depth24",
      GV_FORMAT_D24_UNORM_S8_UINT,
      { 0, 0, 0x80, 0xff },
      4,
      { 128, 128, 128, 255 },
      GV_OK },
    { "stencil", GV_FORMAT_S8_UINT, { 9 }, 1, { 0, 0, 0, 255 }, GV_OK },
    { "snorm_negative", GV_FORMAT_R8_SNORM, { 0x80 }, 1, { 0, 0, 0, 255 }, GV_OK },
    { "depth16",
      GV_FORMAT_D16_UNORM,
      { 0xff, 0xff },
      2,
      { 255, 255, 255, 255 },
      GV_OK },
    { "too_small", GV_FORMAT_R8G8B8A8_UNORM, { 0 }, 3, { 0 }, GV_ERR_FORMAT },
    { "no_format", GV_FORMAT_NONE, { 0 }, 16, { 0 }, GV_ERR_UNSUPPORTED },
    { "block", GV_FORMAT_BC1_RGBA_UNORM_BLOCK, { 0 }, 16, { 0 }, GV_ERR_UNSUPPORTED },
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gv_error err = GV_ERROR_INIT;
        uint8_t rgba[4];
        bool ok = gv_texels_to_rgba(cases[i].format, cases[i].texel, cases[i].size, 1,
                                    1, rgba, &err);
        CHECK_ROW(cases[i].name, err.status == cases[i].status);
        CHECK_ROW(cases[i].name, !ok || memcmp(rgba, cases[i].rgba, 4) == 0);
    }
    return TEST_RESULT();
}
