#include "tools/audit/effect_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "vm/formats.h"

// ---- bytes ----

static bool names_byte(const struct gv_effect *e, uint64_t byte)
{
    if (byte < e->offset)
        return false;
    uint64_t from = byte - e->offset;
    if (e->rows <= 1 || !e->stride)
        return from < e->row_bytes;
    // Rows that touch or overlap leave nothing out.
    if (e->stride <= e->row_bytes)
        return from < (uint64_t)(e->rows - 1) * e->stride + e->row_bytes;
    return from / e->stride < e->rows && from % e->stride < e->row_bytes;
}

static bool byte_named(const struct gv_effect_compare *c, uint64_t byte)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->effects[i].object == c->number && names_byte(&c->effects[i], byte))
            return true;
    return false;
}

static bool bytes_differ(const struct gv_effect_compare *c, char place[96])
{
    const size_t block = 4096;
    for (size_t at = 0; at < c->size; at += block) {
        size_t end = c->size - at < block ? c->size : at + block;
        if (memcmp(c->before + at, c->after + at, end - at) == 0)
            continue;
        for (size_t i = at; i < end; i++)
            if (c->before[i] != c->after[i] && !byte_named(c, i)) {
                snprintf(place, 96, "byte %zu", i);
                return true;
            }
    }
    return false;
}

// ---- texels ----

// A plane, mip and slice, of blocks.
struct part {
    uint32_t plane, mip, slice; // plane: GV_ASPECT_* bits
    uint32_t columns, rows;     // blocks
    uint32_t block_width, block_height, block_bytes;
};

static bool meets(uint32_t begin, uint32_t size, uint32_t first, uint32_t count)
{
    return first < begin + size && (begin < first || begin - first < count);
}

static bool names_block(const struct gv_effect *e, const struct part *p,
                        uint32_t column, uint32_t row)
{
    return (!e->planes || e->planes & p->plane) && p->mip >= e->mip &&
           p->mip - e->mip < e->mips && p->slice >= e->slice &&
           p->slice - e->slice < e->slices &&
           meets(column * p->block_width, p->block_width, e->x, e->width) &&
           meets(row * p->block_height, p->block_height, e->y, e->height);
}

static bool block_named(const struct gv_effect_compare *c, const struct part *p,
                        uint32_t column, uint32_t row)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->effects[i].object == c->number &&
            names_block(&c->effects[i], p, column, row))
            return true;
    return false;
}

static bool part_differs(const struct gv_effect_compare *c, const struct part *p,
                         size_t at, char place[96])
{
    const size_t row_bytes = (size_t)p->columns * p->block_bytes;
    for (uint32_t row = 0; row < p->rows; row++) {
        const uint8_t *a = c->before + at + row * row_bytes;
        const uint8_t *b = c->after + at + row * row_bytes;
        if (memcmp(a, b, row_bytes) == 0)
            continue;
        for (uint32_t k = 0; k < p->columns; k++) {
            const size_t x = (size_t)k * p->block_bytes;
            if (memcmp(a + x, b + x, p->block_bytes) == 0 || block_named(c, p, k, row))
                continue;
            snprintf(place, 96,
                     "plane %" PRIu32 " mip %" PRIu32 " slice %" PRIu32
                     " texel %" PRIu32 ",%" PRIu32,
                     p->plane, p->mip, p->slice, k * p->block_width,
                     row * p->block_height);
            return true;
        }
    }
    return false;
}

// In the order of gv_runtime_contents.
static bool texels_differ(const struct gv_effect_compare *c, char place[96])
{
    static const uint32_t planes[] = { GV_ASPECT_COLOR, GV_ASPECT_DEPTH,
                                       GV_ASPECT_STENCIL };
    const struct gv_track_object *o = c->object;
    const struct gv_format_info *info = gv_format_info(o->image.format);
    size_t at = 0;
    for (size_t i = 0; info && i < sizeof planes / sizeof *planes; i++) {
        struct part p = { .plane = planes[i],
                          .block_width = info->block_width,
                          .block_height = info->block_height,
                          .block_bytes = gv_format_aspect_bytes(info, planes[i]) };
        for (; p.block_bytes && p.mip < o->image.mips; p.mip++) {
            uint32_t width = gv_mip_size(o->image.width, p.mip);
            uint32_t height = gv_mip_size(o->image.height, p.mip);
            p.columns = (width + p.block_width - 1) / p.block_width;
            p.rows = (height + p.block_height - 1) / p.block_height;
            uint32_t slices = o->image.type == GV_IMAGE_TYPE_3D
                                  ? gv_mip_size(o->image.depth, p.mip)
                                  : o->image.layers;
            const size_t bytes = (size_t)p.columns * p.rows * p.block_bytes;
            const size_t parts = (size_t)slices * o->image.samples;
            for (size_t k = 0; k < parts; k++, at += bytes) {
                p.slice = (uint32_t)(k / o->image.samples);
                if (at + bytes > c->size || part_differs(c, &p, at, place))
                    return at + bytes <= c->size;
            }
        }
    }
    return false;
}

bool gv_effect_differs(const struct gv_effect_compare *c, char place[96])
{
    if (memcmp(c->before, c->after, c->size) == 0)
        return false;
    return c->object->kind == GV_KIND_IMAGE ? texels_differ(c, place)
                                            : bytes_differ(c, place);
}
