#include "compiler/aerogpu/aero_format.h"

#include "vm/formats.h"

#define X8 GV_LINEAR_OPAQUE
#define SRGB GV_LINEAR_SRGB
#define DEPTH GV_LINEAR_DEPTH
#define STENCIL GV_LINEAR_STENCIL
static const struct {
    uint32_t number; // in the ABI
    struct gv_linear_format format;
} formats[] = {
#define GV_AERO_FORMAT(name, number, bytes, block, vk, sibling, flags) \
    { number, { #name, bytes, block, GV_FORMAT_##vk, GV_FORMAT_##sibling, flags } },
#include "compiler/aerogpu/aero_formats.def"
#undef GV_AERO_FORMAT
};

const struct gv_linear_format *gv_aero_format_find(uint32_t number)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].number == number)
            return &formats[i].format;
    return NULL;
}

uint32_t gv_aero_max_mips(uint32_t width, uint32_t height)
{
    uint32_t side = width > height ? width : height, mips = 1;
    while (side >>= 1)
        mips++;
    return mips;
}
