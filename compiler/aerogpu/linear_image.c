#include "compiler/aerogpu/linear_image.h"

#include <assert.h>

static uint32_t mip_side(uint32_t side, uint32_t mip)
{
    uint32_t shrunk = side >> mip;
    return shrunk ? shrunk : 1;
}

static struct gv_linear_subresource measure(const struct gv_linear_format *f,
                                            const struct gv_linear_extent *e,
                                            uint32_t mip)
{
    struct gv_linear_subresource s = { .mip = mip,
                                       .width = mip_side(e->width, mip),
                                       .height = mip_side(e->height, mip) };
    s.tight = (s.width + f->block - 1) / f->block * f->bytes;
    s.rows = (s.height + f->block - 1) / f->block;
    s.pitch = mip == 0 && e->row_pitch ? e->row_pitch : s.tight;
    s.size = (uint64_t)s.pitch * s.rows;
    return s;
}

static uint64_t layer_size(const struct gv_linear_format *f,
                           const struct gv_linear_extent *e, uint32_t mips)
{
    uint64_t total = 0;
    for (uint32_t mip = 0; mip < mips; mip++)
        total += measure(f, e, mip).size;
    return total;
}

uint64_t gv_linear_size(const struct gv_linear_format *f,
                        const struct gv_linear_extent *e)
{
    struct gv_linear_subresource top = measure(f, e, 0);
    // Sides are at most 2^14, the pitch below 2^32: a layer is below 2^47 bytes.
    uint64_t layer = layer_size(f, e, e->mips);
    if (top.pitch < top.tight || layer > GV_LINEAR_MAX_LINEAR ||
        layer * e->layers > GV_LINEAR_MAX_LINEAR)
        return 0;
    return layer * e->layers;
}

struct gv_linear_subresource gv_linear_subresource(const struct gv_linear_format *f,
                                                   const struct gv_linear_extent *e,
                                                   uint32_t layer, uint32_t mip)
{
    struct gv_linear_subresource s = measure(f, e, mip);
    s.layer = layer;
    s.offset = layer * layer_size(f, e, e->mips) + layer_size(f, e, mip);
    return s;
}

struct gv_linear_subresource gv_linear_locate(const struct gv_linear_format *f,
                                              const struct gv_linear_extent *e,
                                              uint64_t size, uint64_t offset)
{
    struct gv_linear_subresource s = { 0 };
    assert(e->layers && size); // both checked when the image was made
    uint64_t layer_bytes = size / e->layers;
    assert(layer_bytes);
    uint32_t layer = (uint32_t)(offset / layer_bytes);
    for (uint32_t mip = 0; mip < e->mips; mip++) {
        s = gv_linear_subresource(f, e, layer, mip);
        if (offset < s.offset + s.size)
            break;
    }
    return s;
}
