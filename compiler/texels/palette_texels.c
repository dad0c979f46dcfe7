#include "compiler/texels/palette_texels.h"

#include "compiler/texels/client_texels.h"

struct kind {
    uint8_t bytes;
    bool alpha;
    uint8_t bits[4], shift[4]; // of red, green, blue, alpha
};

static const struct kind kinds[GV_PALETTE_KINDS / 2] = {
    { 3, false, { 8, 8, 8, 0 }, { 0, 8, 16, 0 } },
    { 4, true, { 8, 8, 8, 8 }, { 0, 8, 16, 24 } },
    { 2, false, { 5, 6, 5, 0 }, { 11, 5, 0, 0 } },
    { 2, true, { 4, 4, 4, 4 }, { 12, 8, 4, 0 } },
    { 2, true, { 5, 5, 5, 1 }, { 11, 6, 1, 0 } },
};

bool gv_palette_has_alpha(uint32_t kind)
{
    return kinds[kind % (GV_PALETTE_KINDS / 2)].alpha;
}

bool gv_palette_open(uint32_t kind, const uint8_t *bytes, uint64_t size,
                     struct gv_palette_texels *out)
{
    if (kind >= GV_PALETTE_KINDS)
        return false;
    const struct kind *k = &kinds[kind % (GV_PALETTE_KINDS / 2)];
    uint32_t count = kind < GV_PALETTE_KINDS / 2 ? 16 : 256;
    uint64_t palette = (uint64_t)count * k->bytes;
    if (size < palette)
        return false;
    *out = (struct gv_palette_texels){ .bits = count == 16 ? 4 : 8,
                                       .indices = bytes + palette,
                                       .size = size - palette };
    struct gv_client_texel texel = { .element = GV_CLIENT_UNORM,
                                     .unit = k->bytes == 2 ? 2 : 1,
                                     .bytes = k->bytes,
                                     .count = k->alpha ? 4 : 3,
                                     .place = { 0, 1, 2, 3 } };
    for (int i = 0; i < 4; i++) {
        texel.bits[i] = k->bits[i];
        texel.shift[i] = k->shift[i];
    }
    gv_client_rgba8(&texel, bytes, count, out->colors[0]);
    return true;
}

static uint64_t bytes_of(const struct gv_palette_texels *p, uint64_t count)
{
    return p->bits == 4 ? count / 2 + count % 2 : count;
}

bool gv_palette_fits(const struct gv_palette_texels *p, uint64_t count)
{
    return bytes_of(p, count) <= p->size;
}

void gv_palette_decode(struct gv_palette_texels *p, uint64_t count, uint8_t *rgba)
{
    for (uint64_t i = 0; i < count; i++, rgba += 4) {
        uint32_t index = p->indices[p->bits == 4 ? i / 2 : i];
        if (p->bits == 4)
            index = i % 2 ? index & 15 : index >> 4;
        for (int c = 0; c < 4; c++)
            rgba[c] = p->colors[index][c];
    }
    p->indices += bytes_of(p, count);
    p->size -= bytes_of(p, count);
}
