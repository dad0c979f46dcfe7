// Levels of textures as they are defined and forgotten.
#include <stdlib.h>

#include "compiler/gl/texture/texture_image.h"

void gv_gl_pending_drop(struct gv_gl_textures *textures, struct gv_gl_texture_image *i)
{
    for (struct gv_gl_pending *p = i->first; p;) {
        struct gv_gl_pending *next = p->next;
        free(p);
        p = next;
    }
    if (i->first)
        i->hashed = false;
    textures->pending -= i->pending;
    i->first = i->last = NULL;
    i->pending = 0;
}

bool gv_gl_same_shape(const struct gv_gl_texture_image *a,
                      const struct gv_gl_texture_image *b)
{
    return a->device == b->device && a->width == b->width && a->height == b->height &&
           a->depth == b->depth && a->samples == b->samples;
}

struct gv_gl_texture_image *gv_gl_texture_define(struct gv_gl *gl,
                                                 struct gv_gl_texture *t, uint32_t face,
                                                 uint32_t level,
                                                 const struct gv_gl_texture_image *as)
{
    struct gv_gl_texture_image **slot = &t->images[face][level];
    if (!*slot)
        *slot = calloc(1, sizeof **slot);
    struct gv_gl_texture_image *i = *slot;
    if (!i)
        return NULL;
    gv_gl_pending_drop(gl->objects.textures, i);
    if (i->store && !gv_gl_same_shape(i, as))
        gv_gl_store_release(&gl->sink.pass, i);
    i->internal = as->internal;
    i->format = as->format;
    i->device = as->device;
    i->width = as->width;
    i->height = as->height;
    i->depth = as->depth;
    i->samples = as->samples;
    t->settled = false;
    return i;
}

void gv_gl_texture_undefine(struct gv_gl_textures *textures, struct gv_lower_pass *pass,
                            struct gv_gl_texture *t, uint32_t face, uint32_t level)
{
    struct gv_gl_texture_image *i = t->images[face][level];
    t->settled = false;
    if (!i)
        return;
    gv_gl_pending_drop(textures, i);
    gv_gl_store_release(pass, i);
    free(i);
    t->images[face][level] = NULL;
}

void gv_gl_texture_empty(struct gv_gl_textures *textures, struct gv_lower_pass *pass,
                         struct gv_gl_texture *t)
{
    for (uint32_t face = 0; face < GV_GL_FACES; face++)
        for (uint32_t level = 0; level < GV_GL_LEVELS; level++)
            gv_gl_texture_undefine(textures, pass, t, face, level);
}
