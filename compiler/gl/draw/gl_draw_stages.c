#include "compiler/gl/draw/gl_draw_stages.h"

#include <string.h>

#include "compiler/gl/base/gl_matrix.h"
#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/draw/gl_fetch.h"
#include "vm/formats.h"

// What is drawn to cannot be read at the same time: a copy is.
static bool is_target(const struct gv_gl_targets *t, struct gv_image image)
{
    bool found = t->lower.depth.image.id == image.id;
    for (uint32_t i = 0; i < t->lower.color_count; i++)
        found = found || t->lower.colors[i].image.id == image.id;
    return found;
}

static void part_from_target(struct gv_gl_textures *textures,
                             struct gv_lower_pass *pass, const struct gv_gl_targets *t,
                             struct gv_gl_sampled *s)
{
    if (s->image.there && t && is_target(t, s->texture.image))
        gv_gl_texture_apart(textures, pass, s);
}

static void add_texture(struct gv_gl_draw_state *state,
                        const struct gv_lower_place *place,
                        const struct gv_lower_texture *t)
{
    memcpy(&state->places[state->texture_count], place, sizeof *place);
    memcpy(&state->textures[state->texture_count++], t, sizeof *t);
}

void gv_gl_set_blocks(const struct gv_gl_stages *stages, struct gv_gl_draw_state *state)
{
    state->block_count = stages->block_count;
    state->uniform_bytes = stages->bytes;
    for (uint32_t i = 0; i < stages->block_count; i++) {
        const struct gv_gl_stage_block *b = &stages->blocks[i];
        memcpy(&state->blocks[i].place, &b->place, sizeof b->place);
        state->blocks[i].bytes = b->bytes;
        state->blocks[i].offset = b->offset;
        state->blocks[i].id = b->id;
    }
}

static uint32_t outputs(const struct gv_lower_targets *t)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < t->color_count; i++)
        bits |= (uint32_t)(t->colors[i].image.id != 0) << i;
    return bits;
}

// ---- the fixed function ----

static bool find_textures(struct gv_gl *gl, struct gv_gl_draw *d,
                          const struct gv_gl_sampled *image,
                          struct gv_gl_sampled *sampled, struct gv_error *err)
{
    for (uint32_t unit = 0; unit < GV_GL_UNITS; unit++) {
        if (image && unit == 0)
            sampled[0] = *image;
        else if (!image && !gv_gl_texture_sampled(gl, unit, &sampled[unit], err))
            return false;
        part_from_target(gl->objects.textures, &gl->sink.pass, &d->targets,
                         &sampled[unit]);
        d->inputs.units[unit] = sampled[unit].image;
    }
    return true;
}

static uint8_t assembly_target(const struct gv_arb_image *image)
{
    static const uint8_t targets[] = {
        [GV_ARB_1D] = GV_GL_TARGET_1D,
        [GV_ARB_2D] = GV_GL_TARGET_2D,
        [GV_ARB_3D] = GV_GL_TARGET_3D,
        [GV_ARB_CUBE] = GV_GL_TARGET_CUBE,
        [GV_ARB_RECT] = GV_GL_TARGET_RECTANGLE,
        [GV_ARB_ARRAY_1D] = GV_GL_TARGET_1D_ARRAY,
        [GV_ARB_ARRAY_2D] = GV_GL_TARGET_2D_ARRAY,
    };
    return targets[image->texture];
}

// Textures of a program of assembly: as its instructions name their targets.
static bool find_assembly_textures(struct gv_gl *gl, struct gv_gl_draw *d,
                                   struct gv_gl_sampled *sampled, struct gv_error *err)
{
    const struct gv_arb_program *p =
        gv_gl_assembled_program(d->inputs.assembly[GV_GL_FRAGMENT_HALF]);
    for (uint32_t i = 0; i < GV_ARB_IMAGE_UNITS; i++) {
        const struct gv_arb_image *image = &p->images[i];
        if (image->texture == GV_ARB_NO_TEXTURE)
            continue;
        const struct gv_gl_texture_use use = { .target = assembly_target(image),
                                               .shadow = image->shadow &&
                                                         image->texture != GV_ARB_3D,
                                               .texels = GV_LOWER_TEXELS_FLOAT };
        if (!gv_gl_texture_of_unit(gl, i, &use, &sampled[i], err))
            return false;
        part_from_target(gl->objects.textures, &gl->sink.pass, &d->targets,
                         &sampled[i]);
        d->inputs.depth_modes[i] = sampled[i].image.depth_mode;
        d->inputs.clamps[i] = sampled[i].image.clamp;
    }
    return true;
}

// Programs of assembly that are enabled. False: one is, and has no text: nothing is
// drawn.
static bool find_assembly(struct gv_gl_context *c, struct gv_gl_assembly *assembly,
                          struct gv_gl_sink *sink, struct gv_gl_draw *d)
{
    struct gv_gl_fixed_inputs *in = &d->inputs;
    for (uint32_t i = 0; i < GV_GL_HALVES; i++) {
        const enum gv_gl_half half = (enum gv_gl_half)i;
        in->objects[i] = gv_gl_assembly_bound(c, assembly, half);
        if (!gv_gl_assembly_used(c, assembly, half, &in->assembly[i]))
            return !gv_gl_reject(sink, GL_INVALID_OPERATION);
    }
    return true;
}

static uint32_t varying_slots(const struct gv_gl_geometry *g)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < GV_GL_SLOTS; i++)
        bits |= (uint32_t)(g->slots[i] != NULL) << i;
    return bits;
}

static void set_inputs(const struct gv_gl_context *c,
                       const struct gv_gl_drawing *drawing, struct gv_gl_draw *d)
{
    const struct gv_gl_state *s = &c->state;
    struct gv_gl_fixed_inputs *in = &d->inputs;
    bool triangles = d->part.drawn == GV_GL_CLASS_TRIANGLES;
    in->context = c;
    in->varying = varying_slots(d->geometry);
    in->drawn = d->part.drawn;
    in->flipped = d->targets.flipped;
    in->target_height = (float)d->targets.height;
    in->outputs = (uint8_t)outputs(&d->targets.lower);
    in->polygon_stipple = triangles && s->polygon.stipple;
    in->point_smooth = d->part.drawn == GV_GL_CLASS_POINTS && s->point.smooth &&
                       !s->point.sprite && !d->multisampled;
    in->line_ends = d->line_ends;
    in->polygons = triangles || d->part.wireframe || d->part.dots;
    in->back = d->part.faced && !d->part.front;
    in->multisampled = d->multisampled;
    in->depth_offset = gv_gl_outline_offset(c, d);
    in->depth_zero_to_one =
        !drawing->has_depth_control && !s->transform.clip_zero_to_one;
}

static void set_fixed_textures(const struct gv_gl_draw *d,
                               const struct gv_gl_sampled *sampled,
                               struct gv_gl_draw_state *out)
{
    const struct gv_shader_stage *stage = d->stages.codes[GV_LOWER_FRAGMENT];
    for (uint32_t i = 0; i < stage->binding_count; i++) {
        const struct gv_binding_desc *b = &stage->bindings[i];
        if (b->set == 2 && b->binding < GV_ARB_IMAGE_UNITS)
            add_texture(out, &(struct gv_lower_place){ 2, b->binding, 0 },
                        &sampled[b->binding].texture);
    }
}

static bool draw_fixed(struct gv_gl *gl, struct gv_gl_draw *d,
                       const struct gv_gl_sampled *image, struct gv_error *err)
{
    struct gv_gl_sampled sampled[GV_ARB_IMAGE_UNITS] = { 0 };
    uint8_t *uniforms = gl->drawing->uniforms;
    const bool found = d->inputs.assembly[GV_GL_FRAGMENT_HALF]
                           ? find_assembly_textures(gl, d, sampled, err)
                           : find_textures(gl, d, image, sampled, err);
    if (!found)
        return false;
    set_inputs(gl->context, gl->drawing, d);
    const struct gv_gl_fixed_program *p =
        gv_gl_fixed_program(gl->fixed, &gl->sink, &d->inputs, err);
    if (!p)
        return false;
    memset(&d->stages, 0, sizeof d->stages);
    for (uint32_t i = 0; i < 2; i++)
        gv_gl_add_fixed_stage(p, i, &d->stages);
    gv_gl_set_blocks(&d->stages, &gl->drawing->state);
    set_fixed_textures(d, sampled, &gl->drawing->state);
    for (uint32_t i = 0; i < 2; i++) {
        if (p->uniform_bytes[i])
            gv_gl_fixed_uniforms(p, &d->inputs, i, uniforms);
        uniforms += p->uniform_bytes[i];
    }
    return true;
}

// ---- programs ----

// Samplers of external images are of two dimensions here.
static uint8_t target_of(const struct gv_gl_context *c,
                         const struct gv_gl_stage_texture *t)
{
    const struct gv_gl_texture_state *s = &c->state.texture;
    const bool external = t->target == GV_GL_TARGET_2D && t->unit < GV_GL_IMAGE_UNITS &&
                          s->bound[t->unit][GV_GL_TARGET_EXTERNAL];
    return external ? (uint8_t)GV_GL_TARGET_EXTERNAL : t->target;
}

static bool set_texels(struct gv_gl *gl, const struct gv_gl_stage_texture *t,
                       struct gv_error *err)
{
    struct gv_gl_draw_state *state = &gl->drawing->state;
    struct gv_gl_texels texels;
    if (state->texels_count == GV_GL_SAMPLED_BUFFERS)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(BUFFER_TEXTURES));
    if (!gv_gl_texels_of_unit(gl, t->unit, gv_gl_scalar_texels(t->scalar), &texels,
                              err))
        return false;
    struct gv_gl_bound_texels *to = &state->texels[state->texels_count++];
    memcpy(&to->place, &t->place, sizeof to->place);
    to->format = texels.format;
    to->buffer = texels.buffer;
    to->size = texels.size;
    return true;
}

bool gv_gl_set_textures(struct gv_gl *gl, const struct gv_gl_stages *stages,
                        const struct gv_gl_targets *targets, struct gv_error *err)
{
    for (uint32_t i = 0; i < stages->texture_count; i++) {
        const struct gv_gl_stage_texture *t = &stages->textures[i];
        if (t->target == GV_GL_TARGET_BUFFER) {
            if (!set_texels(gl, t, err))
                return false;
            continue;
        }
        if (t->fetch && targets) {
            struct gv_lower_texture seen;
            gv_gl_fetch_target(gl->objects.textures, &gl->sink, targets, t, &seen);
            add_texture(&gl->drawing->state, &t->place, &seen);
            continue;
        }
        const struct gv_gl_texture_use use = { .target = target_of(gl->context, t),
                                               .shadow = t->shadow,
                                               .modern = stages->modern,
                                               .four = t->four,
                                               .texels =
                                                   gv_gl_scalar_texels(t->scalar) };
        struct gv_gl_sampled sampled = { 0 };
        if (!gv_gl_texture_of_unit(gl, t->unit, &use, &sampled, err))
            return false;
        part_from_target(gl->objects.textures, &gl->sink.pass, targets, &sampled);
        add_texture(&gl->drawing->state, &t->place, &sampled.texture);
    }
    return true;
}

// Of the fixed function all colours are alike.
static bool fixed_suits(char integers, uint32_t format)
{
    switch (gv_format_info(format)->kind) {
    case GV_FORMAT_KIND_UINT:
        return integers == 'u';
    case GV_FORMAT_KIND_SINT:
        return integers == 'i';
    default:
        return !integers;
    }
}

// GL leaves open what outputs write to a target of another kind; Vulkan has no such
// pipelines: nothing. `v`: NULL for the fixed function. False: no target is left.
static bool suit_targets(const struct gv_gl_variant *v, char integers,
                         struct gv_gl_targets *t)
{
    struct gv_lower_targets *l = &t->lower;
    bool dropped = false;
    for (uint32_t i = 0; i < l->color_count; i++)
        if (l->colors[i].image.id &&
            !(v ? gv_gl_program_suits(v, i, l->colors[i].format)
                : fixed_suits(integers, l->colors[i].format))) {
            memset(&l->colors[i], 0, sizeof l->colors[i]);
            dropped = true;
        }
    if (!dropped)
        return true;
    gv_lower_targets_fit(l);
    const bool left = l->width;
    if (!left) {
        l->width = t->width;
        l->height = t->height;
    }
    return left;
}

// The half that a program lacks: of the fixed function, of assembly.
static bool add_half(struct gv_gl *gl, struct gv_gl_draw *d,
                     const struct gv_gl_fixed_program **half, bool *ok,
                     struct gv_error *err)
{
    struct gv_gl_sampled sampled[GV_ARB_IMAGE_UNITS] = { 0 };
    const bool fragments = d->stages.codes[GV_LOWER_VERTEX];
    const struct gv_gl_lack *missing;
    if (!find_assembly(gl->context, gl->objects.assembly, &gl->sink, d))
        return false;
    set_inputs(gl->context, gl->drawing, d);
    *ok = !fragments || (d->inputs.assembly[GV_GL_FRAGMENT_HALF]
                             ? find_assembly_textures(gl, d, sampled, err)
                             : find_textures(gl, d, NULL, sampled, err));
    if (!*ok)
        return false;
    *half = gv_gl_add_other_half(gl, &d->inputs, &d->stages, &missing, err);
    *ok = *half || (missing && gv_gl_unsupported(&gl->sink, missing));
    if (*half && fragments)
        set_fixed_textures(d, sampled, &gl->drawing->state);
    return *half;
}

// What is rasterized has vertices and fragments.
static bool is_half(const struct gv_gl_draw *d)
{
    return !d->stages.codes[GV_LOWER_VERTEX] ||
           (!d->stages.codes[GV_LOWER_FRAGMENT] && !d->part.hidden);
}

// GL's rule (EXT_texture_integer): where integers are attached a program's fragments
// are drawn, or nothing. Draws of the machine's own know what they do.
static bool needs_program(struct gv_gl *gl)
{
    const struct gv_gl_context *c = gl->context;
    return c != gl->drawing->window && c->draw_framebuffer &&
           gv_gl_framebuffer_has_integers(gl, c->draw_framebuffer);
}

static bool draw_program(struct gv_gl *gl, struct gv_gl_draw *d, bool *ok,
                         struct gv_error *err)
{
    const struct gv_gl_program_inputs in = {
        .context = gl->context,
        .flipped = d->targets.flipped,
        .target_height = (float)d->targets.height,
        .colors = d->targets.lower.color_count,
        .drawn = d->part.drawn,
        .multisampled = d->multisampled,
        .layered = d->targets.lower.layers > 1,
        .captures = d->part.captures,
        .depth_zero_to_one = !gl->drawing->has_depth_control &&
                             !gl->context->state.transform.clip_zero_to_one,
        .first_vertex = d->geometry->first_id,
        .base_vertex = d->geometry->base_vertex,
        .draw = d->geometry->draw,
        .samples = d->targets.samples,
    };
    const struct gv_gl_variant *v = gv_gl_program_stages(gl, &in, &d->stages, ok, err);
    if (!v)
        return false;
    if (d->stages.codes[GV_LOWER_COMPUTE]) {
        gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
        return false;
    }
    const uint32_t equation = gv_gl_blends_advanced(&gl->context->state.color);
    if (equation && (!gv_gl_program_blends(v, equation) || in.colors > 1)) {
        gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
        return false;
    }
    // Storage first: it may replace images that are sampled or drawn to.
    *ok = !gv_gl_has_storage(&d->stages) ||
          (gv_gl_storage_find(gl, &d->stages, gl->drawing->storage, err) &&
           gv_gl_draw_targets(gl, &d->targets, err));
    if (!*ok || (!suit_targets(v, 0, &d->targets) && !gv_gl_has_storage(&d->stages)))
        return false;
    if (!d->stages.codes[GV_LOWER_FRAGMENT] && needs_program(gl))
        return !gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    *ok = gv_gl_set_textures(gl, &d->stages, &d->targets, err);
    const struct gv_gl_fixed_program *half = NULL;
    if (!*ok || (is_half(d) && !add_half(gl, d, &half, ok, err)))
        return false;
    gv_gl_set_blocks(&d->stages, &gl->drawing->state);
    gv_gl_program_uniforms(gl, v, &in, &d->stages, gl->drawing->uniforms);
    const uint32_t stage = half && half->serial[1] ? 1 : 0;
    if (half && half->uniform_bytes[stage])
        gv_gl_fixed_uniforms(half, &d->inputs, stage,
                             gl->drawing->uniforms + d->stages.bytes -
                                 half->uniform_bytes[stage]);
    return true;
}

static bool same_bits(const struct gv_gl_matrix *a, const struct gv_gl_matrix *b)
{
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): they are what is said
    return memcmp(a, b, sizeof *a) == 0;
}

// What blocks may hold of the matrices.
static void say_products(struct gv_gl_context *c, struct gv_gl_drawing *d,
                         struct gv_builder *b)
{
    const struct gv_gl_matrix *projection = gv_gl_top(&c->projection);
    const struct gv_gl_matrix *modelview = gv_gl_top(&c->modelview);
    struct gv_gl_said_matrices *said = &d->said;
    if (same_bits(&said->projection, projection) &&
        same_bits(&said->modelview, modelview))
        return;
    said->projection = *projection;
    said->modelview = *modelview;
    struct gv_gl_matrix both;
    gv_gl_matrix_multiply(&both, projection, modelview);
    gv_builder_product(b, both.m, projection->m, modelview->m);
    gv_builder_inverse(b, modelview->m);
}

bool gv_gl_draw_stages(struct gv_gl *gl, struct gv_gl_draw *d,
                       const struct gv_gl_sampled *image, bool *ok,
                       struct gv_error *err)
{
    say_products(gl->context, gl->drawing, gl->sink.b);
    if (gl->context->program)
        return draw_program(gl, d, ok, err);
    *ok = true;
    if (gv_gl_blends_advanced(&gl->context->state.color))
        return !gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (needs_program(gl))
        return !gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!image && !find_assembly(gl->context, gl->objects.assembly, &gl->sink, d))
        return false;
    char integers = 0;
    if (image)
        integers = image->image.integers;
    if (!suit_targets(NULL, integers, &d->targets))
        return false;
    *ok = draw_fixed(gl, d, image, err);
    return *ok;
}
