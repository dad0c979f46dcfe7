// Images of the device that levels of textures live in: made when they are first
// needed, made anew when levels are added to them.
#include <assert.h>
#include <stdlib.h>

#include "compiler/gl/texture/texture_object.h"
#include "vm/formats.h"

// ---- which levels go together ----

static bool layered(const struct gv_gl_texture *t)
{
    return t->target == GV_GL_TARGET_1D_ARRAY || t->target == GV_GL_TARGET_2D_ARRAY ||
           t->target == GV_GL_TARGET_CUBE_ARRAY ||
           t->target == GV_GL_TARGET_2D_SAMPLES_ARRAY;
}

// Whether `small` is one level below `large`.
static bool halves(const struct gv_gl_texture *t,
                   const struct gv_gl_texture_image *large,
                   const struct gv_gl_texture_image *small)
{
    uint32_t depth = layered(t) ? large->depth : gv_mip_size(large->depth, 1);
    return small->device == large->device &&
           small->width == gv_mip_size(large->width, 1) &&
           small->height == gv_mip_size(large->height, 1) && small->depth == depth;
}

// Whether level `level` of all faces is there and alike.
static bool whole(const struct gv_gl_texture *t, uint32_t level)
{
    const struct gv_gl_texture_image *a = t->images[0][level];
    bool ok = a && a->width && a->height && a->depth;
    for (uint32_t face = 1; ok && face < gv_gl_texture_faces(t); face++) {
        const struct gv_gl_texture_image *b = t->images[face][level];
        ok = b && b->device == a->device && b->width == a->width &&
             b->height == a->height;
    }
    return ok;
}

// The most levels that can be one image together with [first, last].
static struct gv_gl_levels widest(const struct gv_gl_texture *t, struct gv_gl_levels r)
{
    while (r.first > 0 && whole(t, r.first - 1) &&
           halves(t, t->images[0][r.first - 1], t->images[0][r.first]))
        r.first--;
    while (r.last + 1 < GV_GL_LEVELS && whole(t, r.last + 1) &&
           halves(t, t->images[0][r.last], t->images[0][r.last + 1]))
        r.last++;
    // No more than the sides have: 1x1 is followed by nothing.
    const struct gv_gl_texture_image *top = t->images[0][r.first];
    uint32_t side = top->width > top->height ? top->width : top->height;
    if (!layered(t) && top->depth > side)
        side = top->depth;
    uint32_t mips = 0;
    while (side >> mips)
        mips++;
    if (r.last - r.first >= mips)
        r.last = r.first + mips - 1;
    return r;
}

// ---- making ----

uint32_t gv_gl_texture_image_type(const struct gv_gl_texture *t)
{
    if (t->target == GV_GL_TARGET_1D || t->target == GV_GL_TARGET_1D_ARRAY)
        return GV_IMAGE_TYPE_1D;
    return t->target == GV_GL_TARGET_3D ? GV_IMAGE_TYPE_3D : GV_IMAGE_TYPE_2D;
}

static uint32_t usage_of(const struct gv_gl_texture *t,
                         const struct gv_format_info *info)
{
    uint32_t attachment = info->aspects & GV_ASPECT_COLOR
                              ? GV_IMAGE_USAGE_COLOR_ATTACHMENT
                              : GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT;
    // Several samples come by being drawn to.
    bool drawn = t->attached || t->target == GV_GL_TARGET_2D_SAMPLES ||
                 t->target == GV_GL_TARGET_2D_SAMPLES_ARRAY;
    return GV_IMAGE_USAGE_SAMPLED | (drawn && !info->compressed ? attachment : 0) |
           (t->stored ? GV_IMAGE_USAGE_STORAGE : 0);
}

static uint32_t flags_of(const struct gv_gl_texture *t, const struct gv_gl_store *s)
{
    uint32_t flags = 0, format = s->format;
    bool cubes = t->viewed && s->layers >= GV_GL_FACES && s->width == s->height &&
                 s->samples <= 1 && gv_gl_texture_image_type(t) == GV_IMAGE_TYPE_2D;
    if (t->target == GV_GL_TARGET_CUBE || t->target == GV_GL_TARGET_CUBE_ARRAY || cubes)
        flags |= GV_IMAGE_FLAG_CUBE_COMPATIBLE;
    if (t->target == GV_GL_TARGET_3D && t->attached)
        flags |= GV_IMAGE_FLAG_2D_ARRAY_COMPATIBLE;
    bool colors = gv_format_info(format)->aspects == GV_ASPECT_COLOR;
    if (format == GV_FORMAT_R8G8B8A8_SRGB || ((t->viewed || t->stored) && colors))
        flags |= GV_IMAGE_FLAG_MUTABLE_FORMAT;
    return flags;
}

void gv_gl_store_use(const struct gv_lower_pass *pass, struct gv_gl_store *s)
{
    s->used = pass->frame + 1;
}

static bool goes_ahead(const struct gv_gl_sink *sink, const struct gv_gl_store *s)
{
    return s->used <= sink->pass.frame && gv_builder_place_is_open(sink->b);
}

struct gv_builder *gv_gl_store_fill(struct gv_gl_sink *sink,
                                    const struct gv_gl_store *s)
{
    return goes_ahead(sink, s) ? gv_lower_ahead(&sink->pass)
                               : gv_lower_transfer(&sink->pass);
}

void gv_gl_store_filled(struct gv_gl_sink *sink, const struct gv_gl_store *s)
{
    if (goes_ahead(sink, s))
        gv_lower_ahead_end(&sink->pass);
}

// Whether images have texels elsewhere that must be copied.
static bool comes_along(const struct gv_gl_texture_image *i)
{
    return i->store && !(i->first && gv_gl_pending_covers(i, i->first));
}

static struct gv_gl_store *store_new(struct gv_gl_textures *textures,
                                     struct gv_gl_sink *sink,
                                     const struct gv_gl_texture *t, uint32_t face,
                                     struct gv_gl_levels r)
{
    const struct gv_gl_texture_image *top = t->images[face][r.first];
    struct gv_gl_store *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    bool volume = t->target == GV_GL_TARGET_3D;
    s->format = top->device;
    s->first = r.first;
    s->mips = r.last - r.first + 1;
    s->layers = volume ? 1 : top->depth * gv_gl_texture_faces(t);
    s->width = top->width;
    s->height = top->height;
    s->depth = volume ? top->depth : 1;
    s->samples = top->samples ? top->samples : 1;
    s->target = t->attached;
    s->viewed = t->viewed;
    s->stored = t->stored;
    if (textures->made_ahead >= GV_GL_MAX_AHEAD)
        gv_gl_store_use(&sink->pass, s);
    textures->made_ahead += goes_ahead(sink, s);
    s->image = gv_emit(
        gv_gl_store_fill(sink, s), image_create, .type = gv_gl_texture_image_type(t),
        .format = s->format, .width = s->width, .height = s->height, .depth = s->depth,
        .mips = s->mips, .layers = s->layers, .samples = s->samples,
        .usage = usage_of(t, gv_format_info(s->format)), .flags = flags_of(t, s));
    gv_gl_store_filled(sink, s);
    return s;
}

void gv_gl_store_release(struct gv_lower_pass *pass, struct gv_gl_texture_image *i)
{
    struct gv_gl_store *s = i->store;
    i->store = NULL;
    i->hashed = false;
    if (!s || --s->references)
        return;
    gv_emit(gv_lower_transfer(pass), image_destroy, .image = s->image);
    free(s);
}

// ---- filling ----

// What the image had in another store comes along.
static void copy_over(struct gv_lower_pass *pass, const struct gv_gl_texture_image *i,
                      struct gv_gl_store *to, uint32_t face, uint32_t level)
{
    const struct gv_gl_store *from = i->store;
    gv_gl_store_use(pass, to);
    gv_gl_store_use(pass, i->store);
    uint32_t aspects = gv_format_info(to->format)->aspects;
    bool volume = to->depth > 1 || from->depth > 1;
    for (uint32_t aspect = 1; aspect <= aspects; aspect <<= 1)
        if (aspects & aspect)
            gv_emit(gv_lower_transfer(pass), image_copy, .dst = to->image,
                    .dst_aspect = aspect, .dst_mip = level - to->first,
                    .dst_layer = face, .dst_x = 0, .dst_y = 0, .dst_z = 0,
                    .src = from->image, .src_aspect = aspect,
                    .src_mip = level - from->first, .src_layer = face, .src_x = 0,
                    .src_y = 0, .src_z = 0, .width = i->width, .height = i->height,
                    .depth = volume ? i->depth : 1, .layers = volume ? 1 : i->depth);
}

static void move_in(struct gv_lower_pass *pass, struct gv_gl_texture *t,
                    struct gv_gl_store *s, uint32_t face, uint32_t level)
{
    struct gv_gl_texture_image *i = t->images[face][level];
    bool hashed = i->hashed;
    if (comes_along(i))
        copy_over(pass, i, s, face, level);
    gv_gl_store_release(pass, i);
    i->hashed = hashed;
    i->store = s;
    s->references++;
}

static void upload(struct gv_gl *gl, const struct gv_gl_store *s,
                   const struct gv_gl_pending *p, uint32_t aspect, uint32_t layer,
                   uint32_t mip)
{
    bool volume = s->layers == 1 && s->depth > 1;
    bool second = aspect == GV_ASPECT_STENCIL && p->stencil;
    uint64_t first = second ? p->stencil : 0;
    uint64_t end = aspect == GV_ASPECT_DEPTH && p->stencil ? p->stencil : p->size;
    gv_emit(gv_gl_store_fill(&gl->sink, s), image_upload, .image = s->image,
            .aspect = aspect, .mip = mip, .layer = layer + (volume ? 0 : p->z),
            .layers = volume ? 1 : p->depth, .x = p->x, .y = p->y,
            .z = volume ? p->z : 0, .width = p->width, .height = p->height,
            .depth = volume ? p->depth : 1, .row_bytes = 0, .rows = 0,
            .data = gv_data(p->data + first), .size = end - first);
    gv_gl_store_filled(&gl->sink, s);
}

static void flush(struct gv_gl *gl, const struct gv_gl_texture *t, uint32_t face,
                  uint32_t level)
{
    struct gv_gl_texture_image *i = t->images[face][level];
    const struct gv_gl_store *s = i->store;
    uint32_t aspects = gv_format_info(s->format)->aspects;
    bool hashed = i->hashed && !t->viewed;
    for (const struct gv_gl_pending *p = i->first; p; p = p->next)
        for (uint32_t aspect = 1; aspect <= aspects; aspect <<= 1)
            if (aspects & p->aspects & aspect)
                upload(gl, s, p, aspect, face + t->view_layer,
                       gv_gl_store_mip(t, s, level));
    gv_gl_pending_drop(gl->objects.textures, i);
    i->hashed = hashed;
}

// ---- gathering ----

// Whether an image has the shape that its level has in a store of `top`: of cubes whose
// faces differ or are not all there yet, some have not.
static bool belongs(const struct gv_gl_texture *t, const struct gv_gl_texture_image *i,
                    const struct gv_gl_texture_image *top, uint32_t by)
{
    bool volume = t->target == GV_GL_TARGET_3D;
    return i && i->device == top->device && i->width == gv_mip_size(top->width, by) &&
           i->height == gv_mip_size(top->height, by) &&
           i->depth == (volume ? gv_mip_size(top->depth, by) : top->depth);
}

// Whether all of [first, last] live in one store that serves.
static bool gathered(const struct gv_gl_texture *t, uint32_t face,
                     struct gv_gl_levels r)
{
    const struct gv_gl_texture_image *top = t->images[face][r.first];
    const struct gv_gl_store *s = top->store;
    bool ok = s && (s->target || !t->attached) && (s->viewed || !t->viewed) &&
              (s->stored || !t->stored);
    for (uint32_t level = r.first; ok && level <= r.last; level++)
        for (uint32_t f = 0; ok && f < gv_gl_texture_faces(t); f++) {
            const struct gv_gl_texture_image *i = t->images[f][level];
            ok = !belongs(t, i, top, level - r.first) || i->store == s;
        }
    return ok;
}

static bool gather_anew(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t face,
                        struct gv_gl_levels r, struct gv_error *err)
{
    if (whole(t, r.first))
        r = widest(t, r);
    const struct gv_gl_texture_image *top = t->images[face][r.first];
    struct gv_gl_store *s = store_new(gl->objects.textures, &gl->sink, t, face, r);
    if (!s)
        return gv_out_of_memory(err);
    for (uint32_t level = r.first; level <= r.last; level++)
        for (uint32_t f = 0; f < gv_gl_texture_faces(t); f++)
            if (belongs(t, t->images[f][level], top, level - r.first))
                move_in(&gl->sink.pass, t, s, f, level);
    t->settled = false;
    assert(s->references); // `top` belongs
    return true;
}

bool gv_gl_texture_gather(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t face,
                          struct gv_gl_levels r, struct gv_error *err)
{
    if (!gathered(t, face, r) && !gather_anew(gl, t, face, r, err))
        return false;
    const struct gv_gl_store *s = t->images[face][r.first]->store;
    for (uint32_t level = r.first; level <= r.last; level++)
        for (uint32_t f = 0; f < gv_gl_texture_faces(t); f++)
            if (t->images[f][level] && t->images[f][level]->store == s) {
                if (!gv_gl_made(&gl->sink, t->images[f][level]->pending, err))
                    return false;
                flush(gl, t, f, level);
            }
    return true;
}

bool gv_gl_pending_bound(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t face,
                         uint32_t level, struct gv_error *err)
{
    const struct gv_gl_texture_image *i = t->images[face][level];
    if (!i || !i->first)
        return true;
    uint64_t texels = (uint64_t)i->width * i->height * i->depth;
    bool much = t->viewed || gl->objects.textures->pending > GV_GL_MAX_PENDING ||
                i->pending > 64 * texels;
    const struct gv_gl_levels this = { level, level };
    return !much || gv_gl_texture_gather(gl, t, face, this, err);
}
