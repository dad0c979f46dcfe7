// Every colour format as 8-bit RGBA.
#include "runtime/vk/transfer/picture.h"
#include "tests/test.h"
#include "vm/calls.h"

static const struct {
    const char *name;
    uint32_t format;
    const char *texel;
    uint8_t rgba[4];
} cases[] = {
    { "rgba8", GV_FORMAT_R8G8B8A8_UNORM, "\1\2\3\4", { 1, 2, 3, 4 } },
    { "rgba8_srgb_as_stored", GV_FORMAT_R8G8B8A8_SRGB, "\1\2\3\4", { 1, 2, 3, 4 } },
    { "bgra8", GV_FORMAT_B8G8R8A8_UNORM, "\1\2\3\4", { 3, 2, 1, 4 } },
    { "abgr8_pack", GV_FORMAT_A8B8G8R8_UNORM_PACK32, "\1\2\3\4", { 1, 2, 3, 4 } },
    { "bgr8", GV_FORMAT_B8G8R8_UNORM, "\1\2\3", { 3, 2, 1, 255 } },
    { "r8", GV_FORMAT_R8_UNORM, "\377", { 255, 0, 0, 255 } },
    { "rg8_snorm", GV_FORMAT_R8G8_SNORM, "\177\200", { 255, 0, 0, 255 } },
    { "snorm_half", GV_FORMAT_R8_SNORM, "\100", { 129, 0, 0, 255 } },
    { "r5g6b5_red", GV_FORMAT_R5G6B5_UNORM_PACK16, "\0\370", { 255, 0, 0, 255 } },
    { "r5g6b5_green", GV_FORMAT_R5G6B5_UNORM_PACK16, "\340\7", { 0, 255, 0, 255 } },
    { "r5g6b5_one", GV_FORMAT_R5G6B5_UNORM_PACK16, "\1\0", { 0, 0, 8, 255 } },
    { "b5g6r5", GV_FORMAT_B5G6R5_UNORM_PACK16, "\0\370", { 0, 0, 255, 255 } },
    { "a1r5g5b5", GV_FORMAT_A1R5G5B5_UNORM_PACK16, "\0\174", { 255, 0, 0, 0 } },
    { "r5g5b5a1", GV_FORMAT_R5G5B5A1_UNORM_PACK16, "\1\370", { 255, 0, 0, 255 } },
    { "r4g4b4a4", GV_FORMAT_R4G4B4A4_UNORM_PACK16, "\017\360", { 255, 0, 0, 255 } },
    { "b4g4r4a4", GV_FORMAT_B4G4R4A4_UNORM_PACK16, "\017\360", { 0, 0, 255, 255 } },
    { "a2b10g10r10",
      GV_FORMAT_A2B10G10R10_UNORM_PACK32,
      "\377\3\0\300",
      { 255, 0, 0, 255 } },
    { "a2r10g10b10",
      GV_FORMAT_A2R10G10B10_UNORM_PACK32,
      "\377\3\0\100",
      { 0, 0, 255, 85 } },
    { "rgba16",
      GV_FORMAT_R16G16B16A16_UNORM,
      "\377\377\0\200\0\0\377\377",
      { 255, 128, 0, 255 } },
    { "half",
      GV_FORMAT_R16G16B16A16_SFLOAT,
      "\0\74\0\70\0\274\0\100",
      { 255, 128, 0, 255 } },
    { "half_inf_nan", GV_FORMAT_R16G16_SFLOAT, "\0\174\1\174", { 255, 0, 0, 255 } },
    { "float", GV_FORMAT_R32G32_SFLOAT, "\0\0\0\77\0\0\200\277", { 128, 0, 0, 255 } },
    { "float_nan", GV_FORMAT_R32_SFLOAT, "\0\0\300\177", { 0, 0, 0, 255 } },
    { "double", GV_FORMAT_R64_SFLOAT, "\0\0\0\0\0\0\340\77", { 128, 0, 0, 255 } },
    { "b10g11r11",
      GV_FORMAT_B10G11R11_UFLOAT_PACK32,
      "\300\3\0\0",
      { 255, 0, 0, 255 } },
    { "b10g11r11_blue",
      GV_FORMAT_B10G11R11_UFLOAT_PACK32,
      "\0\0\0\170",
      { 0, 0, 255, 255 } },
    { "e5b9g9r9", GV_FORMAT_E5B9G9R9_UFLOAT_PACK32, "\0\1\0\200", { 255, 0, 0, 255 } },
    { "uint8", GV_FORMAT_R8G8B8A8_UINT, "\1\2\3\4", { 1, 2, 3, 4 } },
    { "uint16_clamps", GV_FORMAT_R16G16_UINT, "\0\1\377\0", { 255, 255, 0, 255 } },
    { "sint8_clamps", GV_FORMAT_R8G8_SINT, "\377\177", { 0, 127, 0, 255 } },
    { "sint32", GV_FORMAT_R32_SINT, "\0\0\0\200", { 0, 0, 0, 255 } },
    { "uint64", GV_FORMAT_R64_UINT, "\0\0\0\0\0\0\0\1", { 255, 0, 0, 255 } },
};

// Every convertible format of the table is walked, for the sanitizers to watch.
static void all_formats(void)
{
    uint8_t texels[32 * 6], rgba[6 * 4];
    for (size_t i = 0; i < gv_format_count; i++) {
        if (!gv_picture_convertible(&gv_formats[i]))
            continue;
        for (int fill = 0; fill < 256; fill += 51) {
            memset(texels, fill, sizeof(texels));
            gv_picture_convert(&gv_formats[i], texels, 3, 2, 0, rgba);
        }
    }
}

static void flip_and_opaque(void)
{
    const uint8_t texels[16] = { 1, 0, 0, 9, 2, 0, 0, 9, 3, 0, 0, 9, 4, 0, 0, 9 };
    uint8_t rgba[16];
    const struct gv_format_info *info = gv_format_info(GV_FORMAT_R8G8B8A8_UNORM);
    gv_picture_convert(info, texels, 2, 2, GV_PRESENT_FLIP_Y, rgba);
    CHECK(rgba[0] == 3 && rgba[4] == 4 && rgba[8] == 1 && rgba[3] == 9);
    gv_picture_convert(info, texels, 2, 2, GV_PRESENT_OPAQUE, rgba);
    CHECK(rgba[0] == 1 && rgba[3] == 255 && rgba[15] == 255);
}

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t rgba[4];
        const struct gv_format_info *info = gv_format_info(cases[i].format);
        CHECK_ROW(cases[i].name, info && gv_picture_convertible(info));
        gv_picture_convert(info, (const uint8_t *)cases[i].texel, 1, 1, 0, rgba);
        bool same = memcmp(rgba, cases[i].rgba, 4) == 0;
        if (!same)
            fprintf(stderr, "%s: %u %u %u %u\n", cases[i].name, rgba[0], rgba[1],
                    rgba[2], rgba[3]);
        CHECK_ROW(cases[i].name, same);
    }
    CHECK(!gv_picture_convertible(gv_format_info(GV_FORMAT_D16_UNORM)));
    CHECK(!gv_picture_convertible(gv_format_info(GV_FORMAT_BC1_RGBA_UNORM_BLOCK)));
    all_formats();
    flip_and_opaque();
    return TEST_RESULT();
}
