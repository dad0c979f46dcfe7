#include "compiler/gl/draw/gl_draw.h"

#include <string.h>

#include "compiler/compiler.h"
#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/base/gl_conditions.h"
#include "compiler/gl/draw/gl_adjacency.h"
#include "compiler/gl/draw/gl_device_input.h"
#include "compiler/gl/draw/gl_draw_stages.h"
#include "compiler/gl/draw/gl_draw_vertices.h"
#include "compiler/gl/draw/gl_fetch.h"
#include "compiler/gl/draw/gl_transform_feedback.h"
#include "compiler/gl/texture/gl_texture.h"

// ---- draws ----

// Brings what the device has to know of a draw's numbers there.
static void ready(struct gv_gl_sink *sink, const struct gv_gl_counted *c)
{
    if (c && c->commands)
        gv_gl_buffer_gpu(sink, c->commands, GV_BUFFER_USAGE_INDIRECT);
    if (c && c->indices)
        gv_gl_buffer_gpu(sink, c->indices, 0);
}

// The vertices that a draw is made of, and their order.
struct taken {
    struct gv_hash key;
    bool keyed; // `key` names the following
    uint32_t first;
    struct gv_lower_piece vertices; // borrowed
    struct gv_lower_piece *piece;   // held, has them; NULL: they are the drawing's
};

// As they are kept, or made: the second time for good.
static bool take(struct gv_gl *gl, const struct gv_gl_draw *d, struct gv_gl_numbers *n,
                 struct taken *out, struct gv_error *err)
{
    struct gv_gl_drawing *x = gl->drawing;
    const struct gv_lower_entry *e = NULL;
    uint32_t count = n->count;
    out->keyed = gv_gl_vertices_key(gl->context, d, n, &out->key);
    if (out->keyed)
        e = gv_lower_pieces_find(&x->pieces, &out->key);
    if (e && e->piece) {
        gv_lower_piece_hold(e->piece);
        out->piece = e->piece;
        out->vertices = *e->piece;
        return true;
    }
    if (!gv_gl_numbers_make(gl->context, d->numbering, n, err))
        return false;
    uint32_t *numbers = n->list ? (uint32_t *)(void *)x->numbers.data : NULL;
    if (numbers && !d->stages.alone)
        gv_gl_narrow_vertices(n, numbers, &out->first, &count);
    else if (numbers)
        count = d->geometry->vertex_count;
    out->vertices = (struct gv_lower_piece){
        .vertex_count = count,
        .index_count = numbers ? n->count : 0,
        .vertex_bytes = (uint64_t)count * d->stride,
        .indices = numbers,
    };
    if (e && e->seen)
        out->piece = gv_lower_pieces_add(&x->pieces, &out->key, &out->vertices);
    if (!out->piece) {
        const bool ok =
            gv_gl_interleave_vertices(gl, d, out->first, count, &x->vertices);
        out->vertices.vertices = x->vertices.data;
        return ok || gv_out_of_memory(err);
    }
    if (numbers)
        memcpy(out->piece->indices, numbers, (size_t)n->count * sizeof *numbers);
    gv_gl_interleave_into(gl, d, out->first, count, out->piece->vertices);
    out->vertices = *out->piece;
    return true;
}

static bool add_taken(struct gv_gl *gl, const struct gv_gl_draw *d,
                      const struct gv_gl_draw_state *state, const struct taken *t,
                      bool strip, struct gv_error *err)
{
    struct gv_gl_drawing *x = gl->drawing;
    struct gv_gl_batch_steps steps = { 0 };
    if (d->step_stride && !gv_gl_interleave_steps(gl, d, &x->steps, &steps))
        return gv_out_of_memory(err);
    ready(&gl->sink, d->geometry->counted);
    struct gv_gl_batch_capture capture;
    struct gv_gl_batch_array arrays[GV_MAX_VERTEX_ATTRIBUTES];
    const uint32_t devices = d->geometry->devices
                                 ? gv_gl_device_bindings(&gl->sink, d, t->first, arrays)
                                 : 0;
    if (d->part.captures && !gv_gl_capture_plan(gl, d->capture, &d->stages, &capture))
        return true;
    struct gv_gl_batch_view views[GV_GL_VIEWPORTS - 1];
    if (d->stages.viewports)
        gv_gl_dynamic_views(gl->context, d, views);
    const bool numbered = d->stages.alone || devices || d->step_stride;
    const bool stores = gv_gl_has_storage(&d->stages);
    const bool alone = strip || d->single || stores || d->stages.viewports ||
                       d->geometry->counted || numbered || d->stages.primitives ||
                       !d->stride || d->part.captures ||
                       (gl->sink.params && gl->sink.params->apart);
    gv_gl_count_draw(gl);
    return gv_gl_batch_add(
        gl,
        &(struct gv_gl_batch_draw){
            .state = state,
            .uniforms = x->uniforms,
            .vertices = &t->vertices,
            .key = t->keyed ? &t->key : NULL,
            .piece = t->piece,
            .instances = d->single ? 1 : d->geometry->instances,
            .first_instance =
                d->instance + (d->stages.based ? d->geometry->base_instance : 0),
            .alone = alone,
            .numbered = numbered,
            .capture = d->part.captures ? &capture : NULL,
            .arrays = arrays,
            .array_count = devices,
            .views = d->stages.viewports ? views : NULL,
            .steps = d->step_stride ? &steps : NULL,
            .counted = d->geometry->counted,
            .storage = stores ? x->storage : NULL,
        },
        err);
}

// Adds the draw's vertices to the batch of its state.
static bool add(struct gv_gl *gl, const struct gv_gl_draw *d,
                const struct gv_gl_draw_state *state, const struct gv_gl_numbers *n,
                struct gv_error *err)
{
    struct taken t = { 0 };
    struct gv_gl_numbers numbers = *n;
    if (!take(gl, d, &numbers, &t, err))
        return false;
    const bool ok = add_taken(gl, d, state, &t, n->strip, err);
    gv_lower_piece_drop(t.piece);
    return ok;
}

// What of a program that knows numbers of vertices or instances cannot be told it.
static const struct gv_gl_lack *not_numbered(const struct gv_gl_draw *d)
{
    const struct gv_gl_lack *missing = NULL;
    if (d->stages.draws && d->geometry->counted && d->geometry->counted->commands)
        missing = GV_GL_LACK(COUNTED_NUMBERS);
    if (d->stages.alone && d->geometry->ids)
        missing = GV_GL_LACK(FAR_VERTEX_ID);
    if (d->step_stride && d->stages.based &&
        d->geometry->base_instance > GV_GL_MAX_STEPS_SKIPPED)
        missing = GV_GL_LACK(FAR_BASE_INSTANCE);
    return missing;
}

// Where the device expects the vertex that flat values come from. The order of what
// stages see or make is the program's.
static bool wants_last(const struct gv_gl_context *c,
                       const struct gv_gl_drawing *drawing, const struct gv_gl_draw *d)
{
    if (d->part.reshaped || d->part.captures)
        return c->state.lighting.provoking != GL_FIRST_VERTEX_CONVENTION;
    return drawing->has_last_vertex;
}

// Vertices alone: what the viewport leaves is nothing.
static void hide(struct gv_gl_draw *d, struct gv_gl_draw_state *state)
{
    const struct gv_lower_rectangle all = { 0, 0, d->targets.width, d->targets.height };
    d->part.hidden = true;
    memset(&state->viewport, 0, sizeof state->viewport);
    state->viewport.width = (float)all.width;
    state->viewport.height = (float)all.height;
    memcpy(&state->scissor, &all, sizeof all);
}

// Primitives one by one, each of which sees what the others have left.
static bool add_each(struct gv_gl *gl, struct gv_gl_draw *d,
                     const struct gv_gl_draw_state *state,
                     const struct gv_gl_numbers *n, struct gv_error *err)
{
    struct gv_gl_fetch_plan plan;
    struct gv_gl_numbers one;
    bool ok = true;
    if (!gv_gl_fetch_plan(gl->drawing, d, n, &plan))
        return gv_out_of_memory(err);
    if (plan.missing)
        return gv_gl_unsupported(&gl->sink, plan.missing);
    d->single = true;
    for (d->instance = 0; d->instance < plan.instances; d->instance++)
        for (uint32_t i = 0; i < plan.primitives && ok; i++) {
            if (d->instance || i)
                gv_gl_fetch_again(&gl->sink.pass, d, state);
            if (!gv_gl_fetch_primitive(gl->drawing, &plan, i, &one))
                return gv_out_of_memory(err);
            ok = gv_gl_work(&gl->sink.work, GV_GL_DRAW_WORK + d->geometry->vertex_count,
                            err) &&
                 add(gl, d, state, &one, err);
        }
    d->single = false;
    d->instance = 0;
    return ok;
}

static bool draw_numbers(struct gv_gl *gl, struct gv_gl_draw *d,
                         struct gv_gl_numbers *n, const struct gv_gl_sampled *image,
                         struct gv_error *err)
{
    struct gv_gl_draw_state *state = &gl->drawing->state;
    memset(state, 0, sizeof *state);
    bool ok;
    if (!gv_gl_draw_stages(gl, d, image, &ok, err))
        return ok;
    gv_gl_draw_layout(d);
    const struct gv_gl_lack *missing = not_numbered(d);
    if (missing)
        return gv_gl_unsupported(&gl->sink, missing);
    memcpy(&state->targets, &d->targets.lower, sizeof state->targets);
    state->stride = d->stride;
    missing = gv_gl_device_missing(d);
    if (missing)
        return gv_gl_unsupported(&gl->sink, missing);
    if (!gv_gl_dynamic_state(gl->context, gl->drawing, d, state)) {
        if (!d->part.captures && !gv_gl_has_storage(&d->stages))
            return true;
        hide(d, state);
    }
    struct gv_lower_pipeline *pipeline = gv_gl_pipeline(gl, d, err);
    if (!pipeline)
        return false;
    state->pipeline = pipeline->object;
    if (!d->stages.fetches)
        return add(gl, d, state, n, err);
    return gv_gl_numbers_make(gl->context, d->numbering, n, err) &&
           add_each(gl, d, state, n, err);
}

static bool draw_part(struct gv_gl *gl, struct gv_gl_draw *d,
                      const struct gv_gl_sampled *image, struct gv_error *err)
{
    struct gv_gl_numbers n;
    struct gv_gl_geometry listed;
    const struct gv_gl_geometry *given = d->geometry;
    const struct gv_gl_numbering numbering = { given,
                                               &d->part,
                                               wants_last(gl->context, gl->drawing, d),
                                               d->flat,
                                               d->fixed_place,
                                               &gl->drawing->numbers,
                                               &gl->drawing->pieces };
    if (!gv_gl_numbers(gl->context, &numbering, &n, err))
        return false;
    d->strip = n.strip;
    if (!n.count)
        return true;
    if (gv_gl_loses_offset(gl->context, d))
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(OUTLINE_OFFSET));
    if (n.colored || d->line_ends) {
        if (!gv_gl_numbers_make(gl->context, &numbering, &n, err) ||
            !gv_gl_list_vertices(given, &n, d->line_ends, &gl->drawing->outlined,
                                 &listed, err))
            return false;
        n = (struct gv_gl_numbers){ .count = n.count };
        d->geometry = &listed;
    }
    d->numbering = &numbering;
    const bool ok = draw_numbers(gl, d, &n, image, err);
    d->geometry = given;
    d->numbering = NULL;
    return ok;
}

bool gv_gl_draw(struct gv_gl *gl, const struct gv_gl_geometry *g, struct gv_error *err)
{
    return gv_gl_draw_sampling(gl, g, NULL, err);
}

struct parts {
    const struct gv_gl_part *parts;
    uint32_t count;
    const struct gv_gl_sampled *image;
};

// Coverage of smooth lines scales alpha behind the fragment stage, whose alpha test
// sees it all the same.
static bool tests_coverage(const struct gv_gl_state *s, const struct gv_gl_draw *d)
{
    return d->part.drawn == GV_GL_CLASS_LINES && s->line.smooth && !d->multisampled &&
           !d->part.hidden && s->color.alpha_test && s->color.alpha_func != GL_ALWAYS &&
           s->color.alpha_func != GL_NEVER;
}

// Lines whose ends are known when they are compiled, and are not cut by a pattern.
static bool has_ends(const struct gv_gl_context *c, const struct gv_gl_draw *d)
{
    return !gv_gl_is_placed(c) && !d->part.wireframe && !d->geometry->devices &&
           !d->geometry->counted &&
           !(c->state.line.stipple && c->state.line.pattern != 0xFFFF);
}

static bool draw_parts(struct gv_gl *gl, struct gv_gl_draw *d, struct parts p,
                       struct gv_error *err)
{
    for (uint32_t i = 0; i < p.count; i++) {
        d->part = p.parts[i];
        const bool tested = tests_coverage(&gl->context->state, d);
        d->line_ends = tested && has_ends(gl->context, d);
        if (tested && !d->line_ends)
            gv_gl_unsupported(&gl->sink, GV_GL_LACK(ALPHA_COVERAGE));
        const bool ok = draw_part(gl, d, p.image, err);
        gv_gl_storage_done(&gl->sink, gl->drawing->storage); // of what is not drawn too
        if (!ok)
            return false;
    }
    return true;
}

// Whether it shows in which order fragments of one depth, or those that blend, come.
static bool order_shows(const struct gv_gl_state *s)
{
    const uint32_t f = s->depth.func;
    bool sorted = s->depth.test && s->depth.write &&
                  (f == GL_LESS || f == GL_LEQUAL || f == GL_GREATER || f == GL_GEQUAL);
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        sorted = sorted && !s->color.blend[i].enabled;
    return !sorted || s->color.logic_op;
}

#define MOST_SIDED 4096u // polygons that are drawn one by one

// Whether polygons of two sides that are drawn unlike can be told apart.
static bool is_divisible(const struct gv_gl_geometry *g)
{
    bool doubles = false;
    for (uint32_t i = 0; i < GV_GL_GENERICS; i++)
        doubles = doubles || g->behind[i];
    return g->instances == 1 && !g->counted && !g->devices && !g->restarts &&
           !doubles && gv_gl_polygons(g) <= MOST_SIDED;
}

// Fronts and backs as they come: polygon after polygon, each in its side's mode.
static bool draw_sides(struct gv_gl *gl, struct gv_gl_draw *d, struct parts p,
                       struct gv_error *err)
{
    const struct gv_gl_geometry *all = d->geometry;
    const bool last =
        gl->context->state.lighting.provoking != GL_FIRST_VERTEX_CONVENTION;
    const uint32_t count = gv_gl_polygons(all);
    struct gv_gl_polygon_alone one;
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        ok = gv_gl_work(&gl->sink.work, GV_GL_DRAW_WORK, err) &&
             gv_gl_polygon(all, i, last, &gl->drawing->sided, &one, err);
        d->geometry = &one.geometry;
        ok = ok && draw_parts(gl, d, p, err);
    }
    d->geometry = all;
    return ok;
}

static bool draw_all(struct gv_gl *gl, struct gv_gl_draw *d, struct parts p,
                     struct gv_error *err)
{
    const struct gv_gl_geometry *g = d->geometry;
    const bool mixed = p.count > 1 && !d->capture &&
                       (gv_gl_polygons(g) > 1 || g->instances > 1) &&
                       order_shows(&gl->context->state);
    if (mixed && is_divisible(g))
        return draw_sides(gl, d, p, err);
    if (mixed)
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(SIDE_ORDER));
    return draw_parts(gl, d, p, err);
}

static uint32_t find_parts(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_gl_geometry *g,
                           const struct gv_gl_reshaping *r, struct gv_gl_part *parts)
{
    bool mixed;
    if (!r->outputs) {
        const struct gv_gl_lack *why;
        const uint32_t whole = gv_gl_parts(c, g, r->flat, parts, &why);
        if (why)
            gv_gl_unsupported(sink, why);
        return whole;
    }
    const uint32_t count = gv_gl_reshaped_part(c, r->drawn, parts, &mixed);
    if (mixed)
        gv_gl_unsupported(sink, GV_GL_LACK(POLYGON_MODES));
    return count;
}

// All primitives as they are, whatever is seen of them.
static struct gv_gl_part whole_part(uint32_t mode, const struct gv_gl_reshaping *r)
{
    struct gv_gl_part p = { .drawn = GV_GL_CLASS_TRIANGLES, .reshaped = r->outputs };
    if (r->outputs)
        p.drawn = r->drawn;
    else if (gv_gl_listed_vertices(mode) == 1)
        p.drawn = GV_GL_CLASS_POINTS;
    else if (gv_gl_listed_vertices(mode) == 2)
        p.drawn = GV_GL_CLASS_LINES;
    return p;
}

// One draw captures; it is seen too where all that it captures is, as it is captured.
static uint32_t captured_parts(const struct gv_gl_context *c,
                               const struct gv_gl_drawing *d,
                               const struct gv_gl_part *all, struct gv_gl_part *parts,
                               uint32_t count)
{
    const bool last = c->state.lighting.provoking != GL_FIRST_VERTEX_CONVENTION;
    const bool ordered = all->reshaped || !last || d->has_last_vertex;
    if (c->discards)
        count = 0;
    if (count == 1 && !parts[0].outline && !parts[0].faced && ordered) {
        parts[0].captures = true;
        return 1;
    }
    for (uint32_t i = count; i > 0; i--)
        parts[i] = parts[i - 1];
    parts[0] = *all;
    parts[0].captures = parts[0].hidden = true;
    return count + 1;
}

// Primitives that become lists before anything else: with adjacency, and patches of
// which some might be cut.
static bool is_listed(const struct gv_gl_context *c, const struct gv_gl_geometry *g)
{
    if (g->mode == GL_PATCHES)
        return g->restarts || g->vertex_count % c->patches.vertices;
    return g->mode > GL_POLYGON;
}

bool gv_gl_draw_sampling(struct gv_gl *gl, const struct gv_gl_geometry *g,
                         const struct gv_gl_sampled *image, struct gv_error *err)
{
    struct gv_gl_part parts[GV_GL_MAX_PARTS];
    struct gv_gl_draw d = { .geometry = g };
    struct gv_gl_geometry listed;
    struct gv_gl_reshaping r;
    uint32_t given = g->indices ? g->index_count : g->vertex_count;
    if (!g->vertex_count || !given || !g->instances || !gv_gl_may_render(gl->context))
        return true;
    d.capture = gv_gl_captures(gl->context);
    if (gl->context->discards && !d.capture && !gl->context->program)
        return true;
    if (!gv_gl_program_reshaping(gl, &r, err))
        return false;
    d.fixed_place = r.fixed_place || !gv_gl_is_placed(gl->context);
    d.flat = r.flat || gl->context->state.lighting.shade_model == GL_FLAT;
    if (r.refused || !gv_gl_suits(g->mode, &r))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (g->counted && !gv_gl_reshape_counted(g->mode, &r))
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(COUNTED_MODE));
    if (!g->counted && is_listed(gl->context, g)) {
        gv_gl_geometry_make(g);
        listed = *g;
        listed.source = NULL;
        d.geometry = g = &listed;
        if (!gv_gl_list_primitives(gl, &listed, r.vertices != 0, &gl->drawing->listed,
                                   err))
            return false;
    }
    uint32_t count = find_parts(gl->context, &gl->sink, g, &r, parts);
    if (d.capture) {
        const struct gv_gl_part all = whole_part(g->mode, &r);
        if (!gv_gl_capture_suits(d.capture, all.drawn))
            return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
        count = captured_parts(gl->context, gl->drawing, &all, parts, count);
    } else if (gl->context->discards || !count) {
        parts[0] = whole_part(g->mode, &r); // what it stores remains
        parts[0].hidden = true;
        count = r.stores;
    }
    if (!count || (g->indices && !g->index_count))
        return true;
    const uint64_t numbers = g->indices ? g->index_count : 0;
    if (!gv_gl_work(&gl->sink.work, GV_GL_DRAW_WORK + g->vertex_count + numbers, err))
        return false;
    if (!gv_gl_draw_targets(gl, &d.targets, err))
        return false;
    if (!d.targets.complete)
        return gv_gl_reject(&gl->sink, GL_INVALID_FRAMEBUFFER_OPERATION);
    d.multisampled = d.targets.samples > 1 && gl->context->state.multisample.enabled;
    if (d.targets.samples > 1 && !d.multisampled && g->mode != GL_POINTS)
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(NO_MULTISAMPLE));
    return draw_all(gl, &d, (struct parts){ parts, count, image }, err);
}

// ---- life ----

bool gv_gl_drawing_create(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_drawing *x = gv_arena_alloc(gl->sink.arena, sizeof *x);
    if (!x)
        return gv_out_of_memory(err);
    gl->drawing = x;
    gl->sink.pass.b = gl->sink.b;
    gl->sink.pass.streams = true;
    x->stream.pass = &gl->sink.pass;
    x->has_depth_control =
        gv_builder_target_has_feature(gl->sink.b, "depthClipControl");
    x->has_last_vertex =
        gv_builder_target_has_feature(gl->sink.b, "provokingVertexLast");
    x->renderbuffers =
        (struct gv_id_map){ .arena = gl->sink.arena,
                            .object_bytes = sizeof(struct gv_gl_renderbuffer),
                            .serials = &gl->sink.serials,
                            .limit = GV_GL_MAX_FRAMEBUFFERS };
    x->window = gv_arena_alloc(gl->sink.arena, sizeof *x->window);
    if (!x->window)
        return gv_out_of_memory(err);
    x->uniforms = gv_arena_alloc(gl->sink.arena, GV_GL_UNIFORM_BYTES);
    x->storage = gv_arena_alloc(gl->sink.arena, sizeof *x->storage);
    if (!x->uniforms || !x->storage)
        return gv_out_of_memory(err);
    return gv_lower_pipelines_init(&x->pipelines, gl->sink.b, gl->sink.arena, err) &&
           gv_gl_batch_init(gl, err);
}

bool gv_gl_drawing_failed(const struct gv_gl_drawing *d, struct gv_error *err)
{
    const struct gv_error *failure = &d->batch.error;
    if (failure->status != GV_OK && err && err->status == GV_OK)
        *err = *failure;
    return failure->status != GV_OK;
}

void gv_gl_drawing_end(struct gv_gl_drawing *d, struct gv_lower_pass *pass)
{
    gv_lower_pass_end_frame(pass);
    gv_lower_stream_flush(&d->stream);
}

void gv_gl_drawing_destroy(struct gv_gl *gl)
{
    if (!gl->drawing)
        return;
    gv_gl_batch_finish(gl->drawing);
    gv_lower_stream_finish(&gl->drawing->stream);
    gv_lower_pieces_finish(&gl->drawing->pieces);
    gv_bytes_finish(&gl->drawing->numbers);
    gv_bytes_finish(&gl->drawing->listed);
    gv_bytes_finish(&gl->drawing->outlined);
    gv_bytes_finish(&gl->drawing->sided);
    gv_bytes_finish(&gl->drawing->vertices);
    gv_bytes_finish(&gl->drawing->steps);
    gv_bytes_finish(&gl->drawing->texels);
    gl->drawing = NULL;
}
