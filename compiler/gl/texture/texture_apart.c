// Copies of textures that are drawn to while they are sampled: draws read what was
// there before them.
#include "compiler/gl/texture/texture_object.h"
#include "vm/formats.h"

static bool is_volume(const struct gv_gl_sampled *s)
{
    return s->texture.type == GV_VIEW_TYPE_3D;
}

static uint32_t image_type(uint32_t view)
{
    return view == GV_VIEW_TYPE_1D || view == GV_VIEW_TYPE_1D_ARRAY ? GV_IMAGE_TYPE_1D
           : view == GV_VIEW_TYPE_3D                                ? GV_IMAGE_TYPE_3D
                                                                    : GV_IMAGE_TYPE_2D;
}

static bool serves(const struct gv_gl_apart *a, const struct gv_gl_sampled *s)
{
    const struct gv_lower_texture *t = &s->texture;
    const struct gv_gl_sampled_size *x = &a->size, *y = &s->size;
    return a->copy.id && a->from.id == t->image.id && a->type == t->type &&
           a->mip == t->mip && a->mips == t->mips && a->layer == t->layer &&
           a->layers == t->layers && x->format == y->format && x->width == y->width &&
           x->height == y->height && x->depth == y->depth && x->samples == y->samples;
}

// The copy that was made of the same part before, or another one's place.
static struct gv_gl_apart *find(struct gv_gl_textures *all,
                                const struct gv_gl_sampled *s)
{
    for (uint32_t i = 0; i < GV_GL_APART; i++)
        if (serves(&all->apart[i], s))
            return &all->apart[i];
    return &all->apart[all->next_apart++ % GV_GL_APART];
}

static void make(struct gv_lower_pass *pass, const struct gv_gl_sampled *s,
                 struct gv_gl_apart *a)
{
    const struct gv_lower_texture *t = &s->texture;
    struct gv_builder *b = gv_lower_transfer(pass);
    bool cube = t->type == GV_VIEW_TYPE_CUBE || t->type == GV_VIEW_TYPE_CUBE_ARRAY;
    if (a->copy.id)
        gv_emit(b, image_destroy, .image = a->copy);
    *a = (struct gv_gl_apart){ .from = t->image,
                               .type = t->type,
                               .mip = t->mip,
                               .mips = t->mips,
                               .layer = t->layer,
                               .layers = t->layers,
                               .size = s->size };
    a->copy = gv_emit(
        b, image_create, .type = image_type(t->type), .format = s->size.format,
        .width = s->size.width, .height = s->size.height,
        .depth = is_volume(s) ? s->size.depth : 1, .mips = t->mips, .layers = t->layers,
        .samples = s->size.samples, .usage = GV_IMAGE_USAGE_SAMPLED,
        .flags =
            (cube ? GV_IMAGE_FLAG_CUBE_COMPATIBLE : 0) |
            (t->format && t->format != s->size.format ? GV_IMAGE_FLAG_MUTABLE_FORMAT
                                                      : 0));
}

void gv_gl_texture_apart(struct gv_gl_textures *textures, struct gv_lower_pass *pass,
                         struct gv_gl_sampled *s)
{
    struct gv_lower_texture *t = &s->texture;
    struct gv_gl_apart *a = find(textures, s);
    uint32_t aspects = gv_format_info(s->size.format)->aspects;
    if (!serves(a, s))
        make(pass, s, a);
    for (uint32_t mip = 0; mip < t->mips; mip++)
        for (uint32_t aspect = 1; aspect <= aspects; aspect <<= 1)
            if (aspects & aspect)
                gv_emit(gv_lower_transfer(pass), image_copy, .dst = a->copy,
                        .dst_aspect = aspect, .dst_mip = mip, .dst_layer = 0,
                        .dst_x = 0, .dst_y = 0, .dst_z = 0, .src = t->image,
                        .src_aspect = aspect, .src_mip = t->mip + mip,
                        .src_layer = s->slices ? 0 : t->layer, .src_x = 0, .src_y = 0,
                        .src_z = s->slices ? t->layer : 0,
                        .width = gv_mip_size(s->size.width, mip),
                        .height = gv_mip_size(s->size.height, mip),
                        .depth = is_volume(s) ? gv_mip_size(s->size.depth, mip) : 1,
                        .layers = t->layers);
    t->image = a->copy;
    t->mip = t->layer = 0;
}
