#include "compiler/gl/draw/gl_fetch.h"

#include <string.h>

#include "compiler/gl/draw/gl_device_input.h"
#include "compiler/gl/draw/gl_draw_stages.h"
#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/texture/gl_texture.h"
#include "vm/formats.h"

// Each primitive is a draw and a copy of what the scissor leaves.

// ---- what is seen ----

static const struct gv_lower_attachment *attachment(const struct gv_gl_targets *t,
                                                    uint32_t fetch)
{
    const uint32_t color = fetch - GV_GLSL_FETCH_COLOR;
    return color < GV_GL_DRAW_BUFFERS ? &t->lower.colors[color] : &t->lower.depth;
}

static uint32_t aspect_of(uint32_t fetch)
{
    return fetch == GV_GLSL_FETCH_DEPTH     ? (uint32_t)GV_ASPECT_DEPTH
           : fetch == GV_GLSL_FETCH_STENCIL ? (uint32_t)GV_ASPECT_STENCIL
                                            : (uint32_t)GV_ASPECT_COLOR;
}

// Whether the targets have it, of the kind that the sampler reads.
static bool is_there(const struct gv_gl_targets *t,
                     const struct gv_gl_stage_texture *of)
{
    const struct gv_lower_attachment *a = attachment(t, of->fetch);
    const struct gv_format_info *f = a->image.id ? gv_format_info(a->format) : NULL;
    if (!f || of->fetch > GV_GLSL_FETCH_STENCIL)
        return false;
    if (of->fetch >= GV_GLSL_FETCH_DEPTH)
        return t->lower.depth_aspects & aspect_of(of->fetch);
    return (f->kind == GV_FORMAT_KIND_SINT) == (of->scalar == GV_GLSL_INT) &&
           (f->kind == GV_FORMAT_KIND_UINT) == (of->scalar == GV_GLSL_UINT);
}

void gv_gl_fetch_target(struct gv_gl_textures *textures, struct gv_gl_sink *sink,
                        const struct gv_gl_targets *t,
                        const struct gv_gl_stage_texture *of,
                        struct gv_lower_texture *out)
{
    const struct gv_lower_attachment *a = attachment(t, of->fetch);
    const bool color = of->fetch < GV_GLSL_FETCH_DEPTH;
    const struct gv_sampler_desc nearest = { .compare_enable = false };
    struct gv_gl_sampled s = { 0 };
    s.texture =
        (struct gv_lower_texture){ .type = GV_VIEW_TYPE_2D,
                                   .aspect = aspect_of(of->fetch),
                                   .mips = 1,
                                   .layers = 1,
                                   .sampler = gv_builder_sampler(sink->b, &nearest) };
    if (is_there(t, of)) {
        s.texture.image = a->image;
        s.texture.mip = a->mip;
        s.texture.layer = a->layer;
        s.texture.format = color ? a->format : 0;
        s.texture.swizzle = a->opaque ? GV_SWIZZLE_ONE << 12 : 0;
        s.size =
            (struct gv_gl_sampled_size){ gv_lower_made(a), a->width, a->height, 1, 1 };
        s.slices = a->volume;
        gv_gl_texture_apart(textures, &sink->pass, &s);
    }
    *out = s.texture;
}

// ---- one primitive behind the other ----

// Whether several instances take one element of an array that the device has: each is a
// draw, from the element of its number on.
static bool shares_elements(const struct gv_gl_draw *d)
{
    bool shares = false;
    for (uint32_t i = 0; d->geometry->instances > 1 && i < d->stages.input_count; i++) {
        const struct gv_gl_device_array *a = gv_gl_device_array(d, i);
        shares = shares || (a && a->divisor > 1);
    }
    return shares;
}

static const struct gv_gl_lack *missing(const struct gv_gl_draw *d,
                                        const struct gv_gl_numbers *n)
{
    if (d->targets.samples > 1)
        return GV_GL_LACK(FETCH_SAMPLES);
    if (d->targets.lower.layers > 1)
        return GV_GL_LACK(FETCH_LAYERS);
    if (d->geometry->counted || d->part.captures)
        return GV_GL_LACK(FETCH_COUNTED);
    if (d->part.reshaped || d->geometry->mode > GL_POLYGON)
        return GV_GL_LACK(FETCH_STAGES);
    if (d->geometry->instances > 1 && d->stages.alone)
        return GV_GL_LACK(FETCH_NUMBERS);
    if (shares_elements(d))
        return GV_GL_LACK(FETCH_SHARED);
    return n->strip ? GV_GL_LACK(FETCH_STIPPLED) : NULL;
}

bool gv_gl_fetch_plan(struct gv_gl_drawing *drawing, const struct gv_gl_draw *d,
                      const struct gv_gl_numbers *n, struct gv_gl_fetch_plan *out)
{
    struct gv_bytes *held = &drawing->listed;
    const bool triangles =
        d->part.drawn == GV_GL_CLASS_TRIANGLES || d->part.wireframe || d->part.dots;
    const bool points = d->part.drawn == GV_GL_CLASS_POINTS;
    *out = (struct gv_gl_fetch_plan){ .missing = missing(d, n),
                                      .each = triangles ? 3
                                              : points  ? 1
                                                        : 2,
                                      .instances = d->geometry->instances };
    out->primitives = n->count / out->each;
    if (!out->missing &&
        (uint64_t)out->primitives * out->instances > GV_GL_MOST_FETCHED)
        out->missing = GV_GL_LACK(FETCH_PRIMITIVES);
    if (out->missing || !n->list)
        return true;
    held->size = 0;
    gv_bytes_put(held, n->list, (size_t)n->count * 4);
    out->list = (const uint32_t *)(const void *)held->data;
    return !held->failed;
}

bool gv_gl_fetch_primitive(struct gv_gl_drawing *d, const struct gv_gl_fetch_plan *p,
                           uint32_t i, struct gv_gl_numbers *out)
{
    struct gv_bytes *numbers = &d->numbers;
    numbers->size = 0;
    for (uint32_t k = 0; k < p->each; k++) {
        const uint32_t at = i * p->each + k;
        gv_bytes_u32(numbers, p->list ? p->list[at] : at);
    }
    *out =
        (struct gv_gl_numbers){ .list = (const uint32_t *)(const void *)numbers->data,
                                .count = p->each };
    return !numbers->failed;
}

void gv_gl_fetch_again(struct gv_lower_pass *pass, const struct gv_gl_draw *d,
                       const struct gv_gl_draw_state *state)
{
    const struct gv_lower_rectangle *part = &state->scissor;
    for (uint32_t i = 0; i < d->stages.texture_count; i++) {
        const struct gv_gl_stage_texture *t = &d->stages.textures[i];
        if (!t->fetch || !is_there(&d->targets, t))
            continue;
        const struct gv_lower_attachment *a = attachment(&d->targets, t->fetch);
        struct gv_image copy = { 0 };
        for (uint32_t k = 0; k < state->texture_count; k++)
            if (!memcmp(&state->places[k], &t->place, sizeof t->place))
                copy = state->textures[k].image;
        const struct gv_lower_attachment to = { .image = copy };
        gv_gl_copy_texels(pass,
                          &(struct gv_gl_texel_copy){ .from = a,
                                                      .to = &to,
                                                      .part = *part,
                                                      .x = part->x,
                                                      .y = part->y,
                                                      .aspects = aspect_of(t->fetch) });
    }
}
