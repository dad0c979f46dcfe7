#include "compiler/aerogpu/aero_format.h"

#include "vm/formats.h"

#define X8 GV_AERO_FORMAT_X8
#define SRGB GV_AERO_FORMAT_SRGB
#define DEPTH GV_AERO_FORMAT_DEPTH
#define STENCIL GV_AERO_FORMAT_STENCIL
static const struct gv_aero_format formats[] = {
#define GV_AERO_FORMAT(name, number, bytes, block, vk, sibling, flags) \
    { #name, number, bytes, block, GV_FORMAT_##vk, GV_FORMAT_##sibling, flags },
#include "compiler/aerogpu/aero_formats.def"
#undef GV_AERO_FORMAT
};

const struct gv_aero_format *gv_aero_format_find(uint32_t number)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].number == number)
            return &formats[i];
    return NULL;
}

static uint32_t mip_side(uint32_t side, uint32_t mip)
{
    uint32_t shrunk = side >> mip;
    return shrunk ? shrunk : 1;
}

static struct gv_aero_subresource measure(const struct gv_aero_format *f,
                                          const struct gv_aero_extent *e, uint32_t mip)
{
    struct gv_aero_subresource s = { .mip = mip,
                                     .width = mip_side(e->width, mip),
                                     .height = mip_side(e->height, mip) };
    s.tight = (s.width + f->block - 1) / f->block * f->bytes;
    s.rows = (s.height + f->block - 1) / f->block;
    s.pitch = mip == 0 && e->row_pitch ? e->row_pitch : s.tight;
    s.size = (uint64_t)s.pitch * s.rows;
    return s;
}

static uint64_t layer_size(const struct gv_aero_format *f,
                           const struct gv_aero_extent *e, uint32_t mips)
{
    uint64_t total = 0;
    for (uint32_t mip = 0; mip < mips; mip++)
        total += measure(f, e, mip).size;
    return total;
}

struct gv_aero_subresource gv_aero_subresource_at(const struct gv_aero_format *format,
                                                  const struct gv_aero_extent *extent,
                                                  uint32_t layer, uint32_t mip)
{
    struct gv_aero_subresource s = measure(format, extent, mip);
    s.layer = layer;
    s.offset = layer * layer_size(format, extent, extent->mips) +
               layer_size(format, extent, mip);
    return s;
}

uint64_t gv_aero_layout_size(const struct gv_aero_format *format,
                             const struct gv_aero_extent *extent)
{
    struct gv_aero_subresource top = measure(format, extent, 0);
    // Sides are at most 2^14, the pitch below 2^32: a layer is below 2^47 bytes.
    uint64_t layer = layer_size(format, extent, extent->mips);
    if (top.pitch < top.tight || layer > GV_AERO_MAX_RESOURCE_BYTES ||
        layer * extent->layers > GV_AERO_MAX_RESOURCE_BYTES)
        return 0;
    return layer * extent->layers;
}

uint32_t gv_aero_max_mips(uint32_t width, uint32_t height)
{
    uint32_t side = width > height ? width : height, mips = 1;
    while (side >>= 1)
        mips++;
    return mips;
}
