#include "compiler/texels/byte_texels.h"

#include <string.h>

bool gv_client_bytes(const struct gv_client_texel *c, struct gv_texel_bytes *out)
{
    *out = (struct gv_texel_bytes){ .bytes = 4 };
    if (c->element != GV_CLIENT_UNORM || (c->swap && c->unit > 1))
        return false;
    for (uint32_t i = 0; i < c->count; i++) {
        const bool luminance = c->place[i] == GV_CLIENT_LUMINANCE;
        if (c->bits[i] != 8)
            return false;
        for (uint32_t to = 0; to < 4; to++)
            if (luminance ? to < 3 : c->place[i] == to) {
                out->at[to] = c->shift[i] / 8;
                out->mask[to] = 255;
            }
    }
    out->ones[3] = out->mask[3] ? 0 : 255;
    return true;
}

bool gv_stored_bytes(const struct gv_stored_texel *s, struct gv_texel_bytes *out)
{
    *out = (struct gv_texel_bytes){ .bytes = s->bytes };
    if (s->bytes > 4)
        return false;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t byte = s->shift[i] / 8u;
        if (s->bits[i] != 8 || s->shift[i] % 8 || s->kept[i])
            return false;
        if (s->source[i] < 4) {
            out->at[byte] = s->source[i];
            out->mask[byte] = 255;
        } else if (s->source[i] == GV_STORED_ONE) {
            out->ones[byte] = 255;
        }
    }
    return true;
}

struct gv_texel_bytes gv_texel_bytes_through(const struct gv_texel_bytes *first,
                                             const struct gv_texel_bytes *second)
{
    struct gv_texel_bytes both = *second;
    for (uint32_t i = 0; i < 4; i++) {
        const uint8_t by = second->at[i];
        both.at[i] = first->at[by];
        both.mask[i] = second->mask[i] & first->mask[by];
        both.ones[i] = second->ones[i] | (second->mask[i] & first->ones[by]);
    }
    return both;
}

static inline void make(const struct gv_texel_bytes *b, const uint8_t *from,
                        size_t from_bytes, size_t count, uint8_t *to, size_t bytes)
{
    for (size_t t = 0; t < count; t++, from += from_bytes, to += bytes)
        for (size_t i = 0; i < bytes; i++)
            to[i] = (from[b->at[i]] & b->mask[i]) | b->ones[i];
}

// Bytes in their order: the same as masks of a word.
static void make_words(const struct gv_texel_bytes *b, const uint8_t *from,
                       size_t count, uint8_t *to)
{
    uint32_t word, mask, ones;
    memcpy(&mask, b->mask, sizeof mask);
    memcpy(&ones, b->ones, sizeof ones);
    for (size_t t = 0; t < count; t++) {
        memcpy(&word, from + t * sizeof word, sizeof word);
        word = (word & mask) | ones;
        memcpy(to + t * sizeof word, &word, sizeof word);
    }
}

void gv_texel_bytes_make(const struct gv_texel_bytes *b, const uint8_t *from,
                         size_t from_bytes, size_t count, uint8_t *to)
{
    bool ordered = from_bytes == b->bytes, same = ordered;
    for (uint32_t i = 0; i < b->bytes; i++) {
        ordered = ordered && (b->at[i] == i || !b->mask[i]);
        same = same && ordered && b->mask[i] == 255 && !b->ones[i];
    }
    if (same)
        memcpy(to, from, count * b->bytes);
    else if (ordered && b->bytes == 4)
        make_words(b, from, count, to);
    else if (b->bytes == 4)
        make(b, from, from_bytes, count, to, 4);
    else
        make(b, from, from_bytes, count, to, b->bytes);
}
