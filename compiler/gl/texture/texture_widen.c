// Images of alpha, or of luminance and alpha, that colours go to: they get the four
// components of a colour, so that what is drawn, blended and copied finds alpha there.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/texture/texture_image.h"
#include "vm/formats.h"

bool gv_gl_texture_is_narrow(const struct gv_gl_texture_image *i)
{
    return (i->format->base == GL_ALPHA || i->format->base == GL_LUMINANCE_ALPHA) &&
           gv_format_info(i->device)->component_count < 4;
}

// Luminance in red, green and blue (0: there is none), then alpha.
static void widen_texels(const uint8_t *from, size_t texels, uint32_t components,
                         uint32_t component_bytes, uint8_t *to)
{
    const size_t n = component_bytes;
    for (size_t i = 0; i < texels; i++, from += components * n, to += 4 * n) {
        for (uint32_t k = 0; components > 1 && k < 3; k++)
            memcpy(to + k * n, from, n);
        memcpy(to + 3 * n, from + (components - 1) * n, n);
    }
}

static bool widen_pending(struct gv_gl_textures *textures,
                          struct gv_gl_texture_image *i, uint32_t components,
                          uint32_t component_bytes)
{
    const uint64_t before = i->pending, texel = (uint64_t)components * component_bytes;
    for (struct gv_gl_pending **at = &i->first; *at; at = &(*at)->next) {
        struct gv_gl_pending *p = *at;
        const struct gv_gl_box box = {
            p->x, p->y, p->z, p->width, p->height, p->depth
        };
        const size_t texels = (size_t)(p->size / texel);
        struct gv_gl_pending *wide =
            gv_gl_pending_new(&box, (uint64_t)texels * 4 * component_bytes);
        if (!wide)
            return false;
        widen_texels(p->data, texels, components, component_bytes, wide->data);
        wide->next = p->next;
        i->last = i->last == p ? wide : i->last;
        i->pending += wide->size - p->size;
        *at = wide;
        free(p);
    }
    textures->pending += i->pending - before;
    return true;
}

static bool can_widen(struct gv_builder *b, const struct gv_gl_texture *t,
                      const struct gv_gl_texture_image *i)
{
    const struct gv_gl_texture_format *wide = gv_gl_texture_format_wide(i->format);
    const struct gv_format_info *from = gv_format_info(i->device);
    const struct gv_format_info *to =
        gv_format_info(gv_gl_texture_device_format(b, wide));
    return !i->store && !t->immutable && wide != i->format &&
           to->component_count == 4 &&
           from->block_bytes * 4 == to->block_bytes * from->component_count;
}

static bool widen(struct gv_gl_textures *textures, struct gv_gl_sink *sink,
                  struct gv_gl_texture_image *i, struct gv_error *err)
{
    const struct gv_format_info *from = gv_format_info(i->device);
    const uint32_t components = from->component_count;
    if (!gv_gl_work(&sink->work, i->pending, err))
        return false;
    if (!widen_pending(textures, i, components, from->block_bytes / components))
        return gv_out_of_memory(err);
    i->format = gv_gl_texture_format_wide(i->format);
    i->device = gv_gl_texture_device_format(sink->b, i->format);
    i->hashed = false;
    return true;
}

bool gv_gl_texture_widen(struct gv_gl_textures *textures, struct gv_gl_sink *sink,
                         struct gv_gl_texture *t, const struct gv_gl_lack *lack,
                         struct gv_error *err)
{
    const uint32_t count = gv_gl_texture_faces(t) * GV_GL_LEVELS;
    for (uint32_t n = 0; n < count; n++) {
        const struct gv_gl_texture_image *i =
            t->images[n / GV_GL_LEVELS][n % GV_GL_LEVELS];
        if (i && gv_gl_texture_is_narrow(i) && !can_widen(sink->b, t, i))
            return gv_gl_unsupported(sink, lack);
    }
    for (uint32_t n = 0; n < count; n++) {
        struct gv_gl_texture_image *i = t->images[n / GV_GL_LEVELS][n % GV_GL_LEVELS];
        if (i && gv_gl_texture_is_narrow(i) && !widen(textures, sink, i, err))
            return false;
    }
    return true;
}
