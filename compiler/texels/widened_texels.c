#include "compiler/texels/widened_texels.h"

#include <string.h>

#include "compiler/texels/stored_texels.h"

uint32_t gv_narrow_bytes(const struct gv_widened_texel *w)
{
    return (uint32_t)w->width * w->count;
}

uint32_t gv_widened_bytes(const struct gv_widened_texel *w)
{
    return 4u * (w->normalized ? 4 : w->width);
}

// The bits of a component, little-endian as they lie there.
static uint32_t component(const struct gv_widened_texel *w, const uint8_t *texel,
                          uint32_t i)
{
    uint32_t bits = 0;
    if (w->source[i] == GV_STORED_ONE)
        return w->one;
    if (w->source[i] == GV_STORED_ZERO)
        return 0;
    for (uint32_t k = 0; k < w->width; k++)
        bits |= (uint32_t)texel[w->source[i] * w->width + k] << 8 * k;
    return bits;
}

void gv_widen_texels(const struct gv_widened_texel *w, const uint8_t *from,
                     uint64_t count, uint8_t *to)
{
    const uint32_t width = w->normalized ? 4 : w->width;
    for (; count > 0; count--, from += gv_narrow_bytes(w)) {
        for (uint32_t i = 0; i < 4; i++, to += width) {
            uint32_t bits = component(w, from, i);
            if (w->normalized) {
                const float real = (float)bits * (1.0f / 65535.0f);
                memcpy(&bits, &real, sizeof bits);
            }
            for (uint32_t k = 0; k < width; k++)
                to[k] = (uint8_t)(bits >> 8 * k);
        }
    }
}
