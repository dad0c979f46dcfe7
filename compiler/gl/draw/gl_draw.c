#include "compiler/gl/draw/gl_draw.h"

#include <string.h>

#include "compiler/compiler.h"
#include "compiler/gl/draw/gl_pipeline.h"
#include "compiler/gl/texture/gl_texture.h"

// ---- textures and program ----

// What is drawn to cannot be read at the same time: a copy is.
static bool is_target(const struct gv_gl_targets *t, struct gv_image image)
{
    bool found = t->lower.depth.image.id == image.id;
    for (uint32_t i = 0; i < t->lower.color_count; i++)
        found = found || t->lower.colors[i].image.id == image.id;
    return found;
}

static bool find_textures(struct gv_gl *gl, struct gv_gl_draw *d,
                          const struct gv_gl_sampled *image,
                          struct gv_gl_sampled *sampled, struct gv_error *err)
{
    for (uint32_t unit = 0; unit < GV_GL_UNITS; unit++) {
        if (image && unit == 0)
            sampled[0] = *image;
        else if (!image && !gv_gl_texture_sampled(gl, unit, &sampled[unit], err))
            return false;
        if (sampled[unit].image.there &&
            is_target(&d->targets, sampled[unit].texture.image))
            gv_gl_texture_apart(gl, &sampled[unit]);
        d->inputs.units[unit] = sampled[unit].image;
    }
    return true;
}

static uint32_t varying_slots(const struct gv_gl_geometry *g)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < GV_GL_GENERIC; i++)
        bits |= (uint32_t)(g->slots[i] != NULL) << i;
    return bits;
}

static uint8_t outputs(const struct gv_lower_targets *t)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < t->color_count; i++)
        bits |= (uint32_t)(t->colors[i].image.id != 0) << i;
    return (uint8_t)bits;
}

static bool find_program(struct gv_gl *gl, struct gv_gl_draw *d, struct gv_error *err)
{
    const struct gv_gl_state *s = &gl->context->state;
    struct gv_gl_fixed_inputs *in = &d->inputs;
    bool triangles = d->part.drawn == GV_GL_CLASS_TRIANGLES;
    in->context = gl->context;
    in->varying = varying_slots(d->geometry);
    in->drawn = d->part.drawn;
    in->flipped = d->targets.flipped;
    in->target_height = (float)d->targets.height;
    in->outputs = outputs(&d->targets.lower);
    in->polygon_stipple = triangles && s->polygon.stipple;
    in->point_smooth =
        d->part.drawn == GV_GL_CLASS_POINTS && s->point.smooth && !s->point.sprite;
    in->multisampled = d->targets.samples > 1 && s->multisample.enabled;
    in->depth_zero_to_one =
        !gl->drawing->has_depth_control && !s->transform.clip_zero_to_one;
    d->program = gv_gl_fixed_program(gl, in, err);
    return d->program != NULL;
}

// ---- vertices ----

// The vertices from `first` on, what varies of them one behind the other.
static bool interleave(const struct gv_gl_draw *d, uint32_t first, uint32_t count,
                       struct gv_bytes *out)
{
    const struct gv_gl_geometry *g = d->geometry;
    out->size = 0;
    uint8_t *to = gv_bytes_grow(out, (size_t)count * d->stride);
    if (!to)
        return false;
    for (uint32_t i = 0; i < GV_GL_GENERIC; i++) {
        size_t bytes = 4u * (size_t)d->sizes[i];
        if (!bytes)
            continue;
        const float *from = g->slots[i] + (size_t)first * g->strides[i];
        for (uint32_t n = 0; n < count; n++)
            memcpy(to + (size_t)n * d->stride, from + (size_t)n * g->strides[i], bytes);
        to += bytes;
    }
    return true;
}

// The vertices that indices name: `numbers` count from the first of them then.
static void narrow(const struct gv_gl_numbers *n, uint32_t *numbers, uint32_t *first,
                   uint32_t *count)
{
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        low = numbers[i] < low ? numbers[i] : low;
        high = numbers[i] > high ? numbers[i] : high;
    }
    for (uint32_t i = 0; i < n->count; i++)
        numbers[i] -= low;
    *first = low;
    *count = high - low + 1;
}

// ---- draws ----

static void set_textures(const struct gv_gl_draw *d,
                         const struct gv_gl_sampled *sampled,
                         struct gv_gl_draw_state *out)
{
    const struct gv_shader_stage *stage = &d->program->stages[1];
    for (uint32_t i = 0; i < stage->binding_count; i++) {
        const struct gv_binding_desc *b = &stage->bindings[i];
        if (b->set != 2 || b->binding >= GV_GL_UNITS ||
            out->texture_count == GV_GL_SAMPLED)
            continue;
        out->places[out->texture_count] = (struct gv_lower_place){ 2, b->binding };
        memcpy(&out->textures[out->texture_count++], &sampled[b->binding].texture,
               sizeof out->textures[0]);
    }
}

static void set_uniforms(const struct gv_gl_draw *d, uint8_t *const blocks[2],
                         struct gv_gl_draw_state *out)
{
    for (uint32_t i = 0; i < 2; i++) {
        out->uniform_bytes[i] = d->program->uniform_bytes[i];
        out->uniform_ids[i] = 2 * d->program->serial[i] + i;
        if (out->uniform_bytes[i])
            gv_gl_fixed_uniforms(d->program, &d->inputs, i, blocks[i]);
    }
}

// Adds the draw's vertices to the batch of its state.
static bool add(struct gv_gl *gl, const struct gv_gl_draw *d,
                const struct gv_gl_draw_state *state, const struct gv_gl_numbers *n,
                struct gv_error *err)
{
    struct gv_gl_drawing *x = gl->drawing;
    uint32_t first = 0, count = n->count;
    uint32_t *numbers = n->list ? (uint32_t *)(void *)x->numbers.data : NULL;
    if (numbers)
        narrow(n, numbers, &first, &count);
    if (!interleave(d, first, count, &x->vertices))
        return gv_out_of_memory(err);
    return gv_gl_batch_add(gl,
                           &(struct gv_gl_batch_draw){
                               .state = state,
                               .uniforms = { x->uniforms[0], x->uniforms[1] },
                               .vertices = x->vertices.data,
                               .vertex_count = count,
                               .indices = numbers,
                               .index_count = n->count,
                               .instances = d->geometry->instances,
                               .alone = n->strip || (gl->params && gl->params->apart),
                           },
                           err);
}

static bool draw_part(struct gv_gl *gl, struct gv_gl_draw *d,
                      const struct gv_gl_sampled *sampled, struct gv_error *err)
{
    struct gv_gl_numbers n;
    struct gv_gl_draw_state *state = &gl->drawing->state;
    const struct gv_gl_numbering numbering = { d->geometry, &d->part,
                                               gl->drawing->has_last_vertex,
                                               &gl->drawing->numbers };
    if (!gv_gl_numbers(gl->context, &numbering, &n, err))
        return false;
    d->strip = n.strip;
    if (!n.count)
        return true;
    if (!find_program(gl, d, err))
        return false;
    if (d->program->uniform_bytes[0] > GV_GL_UNIFORM_BYTES ||
        d->program->uniform_bytes[1] > GV_GL_UNIFORM_BYTES)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "too many uniforms");
    gv_gl_draw_layout(d);
    memset(state, 0, sizeof *state);
    memcpy(&state->targets, &d->targets.lower, sizeof state->targets);
    state->stride = d->stride;
    if (!gv_gl_dynamic_state(gl, d, state))
        return true;
    struct gv_lower_pipeline *pipeline = gv_gl_pipeline(gl, d, err);
    if (!pipeline)
        return false;
    state->pipeline = pipeline->object;
    set_textures(d, sampled, state);
    set_uniforms(d, gl->drawing->uniforms, state);
    return add(gl, d, state, &n, err);
}

bool gv_gl_draw(struct gv_gl *gl, const struct gv_gl_geometry *g, struct gv_error *err)
{
    return gv_gl_draw_sampling(gl, g, NULL, err);
}

bool gv_gl_draw_sampling(struct gv_gl *gl, const struct gv_gl_geometry *g,
                         const struct gv_gl_sampled *image, struct gv_error *err)
{
    struct gv_gl_sampled sampled[GV_GL_UNITS] = { 0 };
    struct gv_gl_part parts[GV_GL_MAX_PARTS];
    struct gv_gl_draw d = { .geometry = g };
    uint32_t given = g->indices ? g->index_count : g->vertex_count;
    if (!g->vertex_count || !given || !g->instances || g->mode > GL_POLYGON)
        return true;
    uint32_t count = gv_gl_parts(gl->context, g, parts);
    if (!count)
        return true;
    const uint64_t numbers = g->indices ? g->index_count : 0;
    if (!gv_gl_work(gl, GV_GL_DRAW_WORK + g->vertex_count + numbers, err))
        return false;
    if (!gv_gl_draw_targets(gl, &d.targets, err))
        return false;
    if (!d.targets.complete)
        return gv_gl_reject(gl, GL_INVALID_FRAMEBUFFER_OPERATION);
    if (!find_textures(gl, &d, image, sampled, err))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        d.part = parts[i];
        if (!draw_part(gl, &d, sampled, err))
            return false;
    }
    return true;
}

// ---- life ----

bool gv_gl_drawing_create(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_drawing *x = gv_arena_alloc(gl->arena, sizeof *x);
    if (!x)
        return gv_out_of_memory(err);
    gl->drawing = x;
    gl->pass.b = gl->b;
    gl->pass.streams = true;
    x->stream.pass = &gl->pass;
    x->has_depth_control = gv_builder_target_has_feature(gl->b, "depthClipControl");
    x->has_last_vertex = gv_builder_target_has_feature(gl->b, "provokingVertexLast");
    x->renderbuffers =
        (struct gv_id_map){ .arena = gl->arena,
                            .object_bytes = sizeof(struct gv_gl_renderbuffer),
                            .serials = &gl->serials,
                            .limit = GV_GL_MAX_FRAMEBUFFERS };
    x->window = gv_arena_alloc(gl->arena, sizeof *x->window);
    if (!x->window)
        return gv_out_of_memory(err);
    for (uint32_t i = 0; i < 2; i++) {
        x->uniforms[i] = gv_arena_alloc(gl->arena, GV_GL_UNIFORM_BYTES);
        if (!x->uniforms[i])
            return gv_out_of_memory(err);
    }
    return gv_lower_pipelines_init(&x->pipelines, gl->b, gl->arena, err) &&
           gv_gl_batch_init(gl, err);
}

bool gv_gl_drawing_failed(const struct gv_gl *gl, struct gv_error *err)
{
    const struct gv_error *failure = &gl->drawing->batch.error;
    if (failure->status != GV_OK && err && err->status == GV_OK)
        *err = *failure;
    return failure->status != GV_OK;
}

void gv_gl_drawing_end(struct gv_gl *gl)
{
    gv_lower_pass_end_frame(&gl->pass);
    gv_lower_stream_flush(&gl->drawing->stream);
}

void gv_gl_drawing_destroy(struct gv_gl *gl)
{
    if (!gl->drawing)
        return;
    gv_gl_batch_finish(gl);
    gv_lower_stream_finish(&gl->drawing->stream);
    gv_bytes_finish(&gl->drawing->numbers);
    gv_bytes_finish(&gl->drawing->vertices);
    gv_bytes_finish(&gl->drawing->texels);
    gl->drawing = NULL;
}
