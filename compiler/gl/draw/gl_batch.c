#include "compiler/gl/draw/gl_batch.h"

#include <string.h>

#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/draw/gl_drawing.h"

#define MOST_VERTEX_BYTES ((size_t)1 << 20) // then a batch is long enough
#define SMALL_INDEX 65535u                  // of 16 bits

bool gv_gl_batch_init(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_batch *b = &gl->drawing->batch;
    b->uniforms = gv_arena_alloc(gl->sink.arena, GV_GL_UNIFORM_BYTES);
    if (!b->uniforms)
        return gv_out_of_memory(err);
    gv_error_clear(&b->error);
    gl->sink.pass.ends = gv_gl_batch_flush;
    gl->sink.pass.owner = gl;
    return true;
}

static void drop_pieces(struct gv_gl_batch *b)
{
    for (uint32_t i = 0; i < b->piece_count; i++)
        gv_lower_piece_drop(b->pieces[i]);
    b->piece_count = 0;
}

void gv_gl_batch_finish(struct gv_gl_drawing *d)
{
    drop_pieces(&d->batch);
    gv_bytes_finish(&d->batch.vertices);
    gv_bytes_finish(&d->batch.indices);
}

// ---- state ----

static void set_viewport(struct gv_builder *b, uint32_t index,
                         const struct gv_lower_viewport *v)
{
    gv_emit(b, set_viewport, .index = index, .x = v->x,
            .y = v->y_down ? v->y : v->y + v->height, .width = v->width,
            .height = v->y_down ? v->height : -v->height, .min_depth = v->min_depth,
            .max_depth = v->max_depth);
}

static void set_scissor(struct gv_builder *b, uint32_t index,
                        const struct gv_lower_rectangle *scissor)
{
    gv_emit(b, set_scissor, .index = index, .x = scissor->x, .y = scissor->y,
            .width = scissor->width, .height = scissor->height);
}

// The first viewport, by the grid that the device has. It is set in any case, and once
// more in a branch: whoever looks for it (vm/track) finds where it was last set in
// front of the branch, and has no line of branches to follow.
static void set_moved_viewport(struct gv_builder *b, const struct gv_gl_draw_state *s)
{
    struct gv_lower_viewport moved = s->viewport;
    set_viewport(b, 0, &s->viewport);
    if (s->coarse_x == 0 && s->coarse_y == 0)
        return;
    const struct gv_requirement fine = gv_lower_fine_grid(b);
    moved.x += s->coarse_x;
    moved.y += s->coarse_y;
    gv_builder_either_begin(b, &fine, 1);
    gv_builder_either_else(b);
    set_viewport(b, 0, &moved);
    gv_builder_either_end(b);
}

static void set_state(struct gv_builder *b, const struct gv_gl_draw_state *s)
{
    set_moved_viewport(b, s);
    set_scissor(b, 0, &s->scissor);
    if (s->blended)
        gv_emit(b, set_blend_constants, .r = s->blend_color[0], .g = s->blend_color[1],
                .b = s->blend_color[2], .a = s->blend_color[3]);
    if (s->stenciled)
        gv_lower_set_stencil_faces(b, s->stencil);
    if (s->biased)
        gv_lower_set_depth_bias(b, &s->bias);
    if (s->lined)
        gv_emit(b, set_line_width, .width = s->line_width);
    if (s->stipple_factor)
        gv_emit(b, set_line_stipple, .factor = s->stipple_factor,
                .pattern = s->stipple_pattern);
}

void gv_gl_bind_state(struct gv_builder *b, const struct gv_gl_draw_state *s,
                      const uint8_t *uniforms)
{
    for (uint32_t i = 0; i < s->block_count; i++)
        gv_lower_bind_bytes(b, &s->blocks[i].place, s->blocks[i].id,
                            uniforms + s->blocks[i].offset, s->blocks[i].bytes);
    for (uint32_t i = 0; i < s->texture_count; i++)
        gv_lower_bind_texture(b, &s->places[i], &s->textures[i]);
    for (uint32_t i = 0; i < s->texels_count; i++) {
        const struct gv_gl_bound_texels *t = &s->texels[i];
        gv_emit(b, bind_texel_buffer, .set = t->place.set, .binding = t->place.binding,
                .element = t->place.element, .buffer = t->buffer, .offset = 0,
                .size = t->size, .format = t->format);
    }
}

// ---- what is gathered ----

// `indices` from `first` on; NULL: as many in order.
static void put_indices(struct gv_gl_batch *b, const uint32_t *indices, uint32_t first,
                        uint32_t count)
{
    uint8_t *to = gv_bytes_grow(&b->indices, (size_t)count * 4);
    for (uint32_t i = 0; to && i < count; i++) {
        const uint32_t number = first + (indices ? indices[i] : i);
        memcpy(to + (size_t)4 * i, &number, sizeof number);
    }
}

// Puts a draw's vertices and indices behind what is written.
static void put_draw(struct gv_gl_batch *b, const struct gv_lower_piece *d)
{
    if (b->indexed && !b->indices.size)
        put_indices(b, NULL, 0, b->written); // what was written in order
    if (b->indexed)
        put_indices(b, d->indices, b->written,
                    d->indices ? d->index_count : d->vertex_count);
    if (d->vertex_bytes)
        gv_bytes_put(&b->vertices, d->vertices, (size_t)d->vertex_bytes);
    b->written += d->vertex_count;
}

static void put_pieces(struct gv_gl_batch *b)
{
    for (uint32_t i = 0; i < b->piece_count; i++)
        put_draw(b, b->pieces[i]);
    drop_pieces(b);
}

// Puts indices, as narrow as they can be, behind the vertices: one piece, so that both
// are of one stretch of the stream.
static void join_indices(struct gv_gl_batch *b, bool narrow)
{
    size_t count = b->indices.size / 4;
    uint8_t *to = gv_bytes_grow(&b->vertices, count * (narrow ? 2 : 4));
    if (!to)
        return;
    if (!narrow) {
        memcpy(to, b->indices.data, b->indices.size);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t number;
        memcpy(&number, b->indices.data + 4 * i, 4);
        const uint16_t low = (uint16_t)number;
        memcpy(to + 2 * i, &low, 2);
    }
}

static void begin_capture(struct gv_builder *b, const struct gv_gl_batch_capture *c)
{
    for (uint32_t i = 0; i < GV_MAX_GLSL_CAPTURE_BUFFERS; i++)
        if (c->used[i])
            gv_emit(b, feedback_bind, .index = i, .buffer = c->buffers[i],
                    .offset = c->offsets[i], .size = c->sizes[i]);
    const struct gv_buffer none = { 0 };
    gv_emit(b, feedback_begin, .counter = c->goes_on ? c->counters : none,
            .counter_offset = 0);
}

// What a draw that stands alone has besides; returns what it is to be ended by.
static const struct gv_gl_batch_capture *begin_single(struct gv_builder *b,
                                                      const struct gv_gl_batch_draw *d)
{
    for (uint32_t i = 0; d && i < d->array_count; i++)
        gv_emit(b, bind_vertex_buffer, .slot = d->arrays[i].slot,
                .buffer = d->arrays[i].buffer, .offset = d->arrays[i].offset, .size = 0,
                .stride = d->arrays[i].stride);
    for (uint32_t i = 0; d && d->views && i < GV_GL_VIEWPORTS - 1; i++) {
        set_viewport(b, 1 + i, &d->views[i].viewport);
        set_scissor(b, 1 + i, &d->views[i].scissor);
    }
    if (d && d->storage)
        gv_gl_storage_bind(b, d->storage);
    if (d && d->capture)
        begin_capture(b, d->capture);
    return d ? d->capture : NULL;
}

// Vertices and, behind them, what steps by instance.
static void bind_vertices(struct gv_builder *b, const struct gv_gl_batch *batch,
                          const struct gv_lower_streamed *at)
{
    const struct gv_gl_batch_steps *steps = batch->single ? batch->single->steps : NULL;
    const uint32_t stride = batch->state.stride;
    if (stride)
        gv_emit(b, bind_vertex_buffer, .slot = 0, .buffer = at->buffer,
                .offset = batch->numbered ? at->offset : 0, .size = 0,
                .stride = stride);
    if (steps)
        gv_emit(b, bind_vertex_buffer, .slot = steps->slot, .buffer = at->buffer,
                .offset = at->offset + batch->vertex_bytes, .size = 0,
                .stride = steps->stride);
}

// Draws whose numbers the device has (its buffers are ready: gl_draw.c).
static void emit_counted(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                         const struct gv_gl_counted *c)
{
    const struct gv_gl_batch *b = &d->batch;
    if (c->counter.id) {
        gv_emit(sink->b, draw_transform_feedback, .instance_count = b->instances,
                .first_instance = b->first_instance, .counter = c->counter,
                .counter_offset = c->offset, .vertex_stride = c->stride);
        return;
    }
    const struct gv_buffer from =
        c->commands ? gv_gl_buffer_gpu(sink, c->commands, GV_BUFFER_USAGE_INDIRECT)
                    : GV_NO_BUFFER;
    if (c->indices)
        gv_emit(sink->b, bind_index_buffer,
                .buffer = gv_gl_buffer_gpu(sink, c->indices, 0),
                .offset = c->first_index, .type = c->index_type);
    if (c->commands && c->indices)
        gv_emit(sink->b, draw_indexed_indirect, .buffer = from, .offset = c->offset,
                .count = 1, .stride = 20);
    else if (c->commands)
        gv_emit(sink->b, draw_indirect, .buffer = from, .offset = c->offset, .count = 1,
                .stride = 16);
    else
        gv_emit(sink->b, draw_indexed, .index_count = c->count,
                .instance_count = b->instances, .first_index = 0,
                .base_vertex = c->base, .first_instance = b->first_instance);
}

static void emit_draw(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                      const struct gv_lower_streamed *at, uint64_t index_offset)
{
    const struct gv_gl_batch *b = &d->batch;
    const uint32_t stride = b->state.stride;
    uint32_t first = b->numbered || !stride ? 0 : (uint32_t)(at->offset / stride);
    bool narrow = b->vertex_count <= SMALL_INDEX;
    bind_vertices(sink->b, b, at);
    const struct gv_gl_counted *counted = b->single ? b->single->counted : NULL;
    if (counted) {
        emit_counted(d, sink, counted);
        return;
    }
    if (!b->indexed) {
        gv_emit(sink->b, draw, .vertex_count = b->vertex_count,
                .instance_count = b->instances, .first_vertex = first,
                .first_instance = b->first_instance);
        return;
    }
    gv_emit(sink->b, bind_index_buffer, .buffer = at->buffer, .offset = 0,
            .type = narrow ? GV_INDEX_TYPE_UINT16 : GV_INDEX_TYPE_UINT32);
    gv_emit(sink->b, draw_indexed, .index_count = b->index_count,
            .instance_count = b->instances,
            .first_index = (uint32_t)((at->offset + index_offset) / (narrow ? 2 : 4)),
            .base_vertex = (int32_t)first, .first_instance = b->first_instance);
}

static void emit(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                 const struct gv_lower_streamed *at, uint64_t index_offset)
{
    const struct gv_gl_batch *b = &d->batch;
    const struct gv_gl_batch_capture *c = begin_single(sink->b, b->single);
    emit_draw(d, sink, at, index_offset);
    if (c)
        gv_emit(sink->b, feedback_end, .counter = c->counters, .counter_offset = 0);
}

// Of the piece in the stream: vertices are counted in strides from its beginning.
static uint32_t alignment(const struct gv_gl_batch *b)
{
    return b->numbered || !b->state.stride ? 16 : b->state.stride;
}

// Everything in one piece: vertices, what steps by instance, indices.
static const void *whole(struct gv_gl_batch *b, uint64_t *size, struct gv_error *err)
{
    const struct gv_gl_batch_steps *steps = b->single ? b->single->steps : NULL;
    *size = b->vertex_bytes;
    if (b->piece_count == 1 && !b->written && !b->indexed && !steps)
        return b->pieces[0]->vertices;
    put_pieces(b);
    if (steps)
        gv_bytes_put(&b->vertices, steps->bytes, steps->size);
    if (b->indexed)
        join_indices(b, b->vertex_count <= SMALL_INDEX);
    *size = b->vertices.size;
    if (!b->vertices.failed && !b->indices.failed)
        return b->vertices.data;
    gv_out_of_memory(err);
    return NULL;
}

// Streams what was gathered; without making it where the same was streamed before and
// is still there.
static bool stream(struct gv_gl_drawing *d, struct gv_lower_streamed *at,
                   struct gv_error *err)
{
    struct gv_gl_batch *b = &d->batch;
    struct gv_lower_stream *s = &d->stream;
    struct gv_lower_pieces *known = &d->pieces;
    const bool keyed = b->keyed && !(b->single && b->single->steps);
    struct gv_lower_entry *e = keyed ? gv_lower_pieces_find(known, &b->key) : NULL;
    struct gv_lower_content c = { .align = alignment(b) };
    if (e && e->size) {
        c.hash = e->content;
        c.size = e->size;
        if (gv_lower_stream_find(s, &c, at))
            return true;
    }
    uint64_t size;
    const void *data = whole(b, &size, err);
    if (!data || !size)
        return data || !size;
    if (c.size == size)
        return gv_lower_stream_add(s, &c, data, at, err);
    if (!gv_lower_stream_write(s, data, size, c.align, &c.hash, at, err))
        return false;
    if (e) {
        e->content = c.hash;
        e->size = size;
    }
    return true;
}

void gv_gl_batch_flush(void *machine)
{
    struct gv_gl *gl = machine;
    struct gv_gl_batch *b = &gl->drawing->batch;
    struct gv_lower_streamed at = { 0 };
    if (!b->open)
        return;
    b->open = false;
    const uint64_t before = gl->drawing->stream.written;
    const bool ok =
        stream(gl->drawing, &at, &b->error) &&
        gv_gl_made(&gl->sink, gl->drawing->stream.written - before, &b->error);
    drop_pieces(b);
    if (!ok)
        return;
    // A stretch of the stream that became too long ended the pass.
    gv_lower_pass_begin(&gl->sink.pass, &b->state.targets);
    b->emitted++;
    const struct gv_gl_batch_steps *steps = b->single ? b->single->steps : NULL;
    emit(gl->drawing, &gl->sink, &at, b->vertex_bytes + (steps ? steps->size : 0));
}

// ---- adding ----

static bool is_same(const struct gv_gl_batch *b, const struct gv_gl_batch_draw *d)
{
    if (!b->open || d->alone || d->instances != b->instances ||
        b->vertex_bytes + (uint64_t)b->index_count * 4 >= MOST_VERTEX_BYTES ||
        // Both were zeroed before they were filled.
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
        memcmp(&b->state, d->state, sizeof b->state) != 0)
        return false;
    return !memcmp(b->uniforms, d->uniforms, b->state.uniform_bytes);
}

static void begin(struct gv_gl *gl, const struct gv_gl_batch_draw *d)
{
    struct gv_gl_batch *b = &gl->drawing->batch;
    gv_gl_batch_flush(gl);
    gv_lower_pass_begin(&gl->sink.pass, &d->state->targets);
    memcpy(&b->state, d->state, sizeof b->state);
    memcpy(b->uniforms, d->uniforms, d->state->uniform_bytes);
    gv_emit(gl->sink.b, bind_pipeline, .pipeline = b->state.pipeline);
    gv_gl_bind_state(gl->sink.b, &b->state, b->uniforms);
    set_state(gl->sink.b, &b->state);
    b->vertices.size = b->indices.size = 0;
    b->written = b->vertex_count = b->index_count = 0;
    b->vertex_bytes = 0;
    b->indexed = false;
    b->keyed = true;
    memset(&b->key, 0, sizeof b->key);
    b->numbered = d->numbered;
    b->instances = d->instances;
    b->first_instance = d->first_instance;
    b->open = true;
}

// Now, or when it is needed.
static void gather(struct gv_gl_batch *b, const struct gv_gl_batch_draw *d)
{
    const struct gv_lower_piece *v = d->vertices;
    if (!d->piece || b->piece_count == GV_GL_BATCH_PIECES)
        put_pieces(b);
    if (v->indices && !b->indexed) {
        b->indexed = true;
        b->index_count = b->vertex_count;
    }
    if (d->piece) {
        gv_lower_piece_hold(d->piece);
        b->pieces[b->piece_count++] = d->piece;
    } else {
        put_draw(b, v);
    }
    if (b->indexed)
        b->index_count += v->indices ? v->index_count : v->vertex_count;
    b->vertex_count += v->vertex_count;
    b->vertex_bytes += v->vertex_bytes;
    b->keyed = b->keyed && d->key;
    if (b->keyed)
        gv_hash_chain(&b->key, d->key);
}

bool gv_gl_batch_add(struct gv_gl *gl, const struct gv_gl_batch_draw *d,
                     struct gv_error *err)
{
    struct gv_gl_batch *b = &gl->drawing->batch;
    if (!d->vertices->vertex_count ||
        (d->vertices->indices && !d->vertices->index_count))
        return true;
    if (!is_same(b, d))
        begin(gl, d);
    b->draws++;
    gather(b, d);
    b->single = d->alone ? d : NULL;
    if (d->alone)
        gv_gl_batch_flush(gl);
    b->single = NULL;
    if (b->error.status == GV_OK && (b->vertices.failed || b->indices.failed))
        gv_out_of_memory(&b->error);
    if (b->error.status != GV_OK && err && err->status == GV_OK)
        *err = b->error;
    return b->error.status == GV_OK && !gv_builder_failed(gl->sink.b, err);
}
