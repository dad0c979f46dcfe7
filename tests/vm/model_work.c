#include "tests/vm/model_parts.h"

#include <string.h>

#include "vm/formats.h"

// ---- state ----

static bool do_pipeline_create_graphics(void *context, const union gv_arg *args,
                                        uint64_t *result, struct gv_error *err)
{
    BEGIN(pipeline_create_graphics);
    struct model_object *o = model_add(m, GV_KIND_PIPELINE, (size_t)a->size.u, result);
    memcpy(o->bytes, a->desc.data, o->size);
    return model_get(m, a->vertex.u)->kind == GV_KIND_SHADER;
}

static bool do_pipeline_create_compute(void *context, const union gv_arg *args,
                                       uint64_t *result, struct gv_error *err)
{
    BEGIN(pipeline_create_compute);
    struct model_object *o = model_add(m, GV_KIND_PIPELINE, (size_t)a->size.u, result);
    memcpy(o->bytes, a->desc.data, o->size);
    o->compute = true;
    return model_get(m, a->compute.u)->kind == GV_KIND_SHADER;
}

static bool do_shader_create(void *context, const union gv_arg *args, uint64_t *result,
                             struct gv_error *err)
{
    BEGIN(shader_create);
    return model_add(m, GV_KIND_SHADER, 0, result) != NULL;
}

static bool do_bind_pipeline(void *context, const union gv_arg *args, uint64_t *result,
                             struct gv_error *err)
{
    BEGIN(bind_pipeline);
    const struct model_object *o = model_get(m, a->pipeline.u);
    if (o->compute)
        m->compute = a->pipeline.u;
    else
        m->graphics = a->pipeline.u;
    return o->kind == GV_KIND_PIPELINE;
}

static bool do_bind_vertex_buffer(void *context, const union gv_arg *args,
                                  uint64_t *result, struct gv_error *err)
{
    BEGIN(bind_vertex_buffer);
    m->vertex[a->slot.u] = (struct model_bound){ .object = a->buffer.u,
                                                 .offset = a->offset.u,
                                                 .size = a->size.u };
    return true;
}

static bool do_bind_index_buffer(void *context, const union gv_arg *args,
                                 uint64_t *result, struct gv_error *err)
{
    BEGIN(bind_index_buffer);
    m->index = (struct model_bound){ .object = a->buffer.u, .offset = a->offset.u };
    return true;
}

static bool do_bind_uniform_bytes(void *context, const union gv_arg *args,
                                  uint64_t *result, struct gv_error *err)
{
    BEGIN(bind_uniform_bytes);
    m->bound[a->set.u][a->binding.u] =
        (struct model_bound){ .bytes =
                                  model_mix_bytes(1, a->data.data, (size_t)a->size.u) };
    return true;
}

static bool do_bind_buffer(void *context, const union gv_arg *args, uint64_t *result,
                           struct gv_error *err)
{
    BEGIN(bind_buffer);
    m->bound[a->set.u][a->binding.u] = (struct model_bound){ .object = a->buffer.u,
                                                             .offset = a->offset.u,
                                                             .size = a->size.u };
    return true;
}

static bool do_bind_texture(void *context, const union gv_arg *args, uint64_t *result,
                            struct gv_error *err)
{
    BEGIN(bind_texture);
    m->bound[a->set.u][a->binding.u] = (struct model_bound){
        .object = a->image.u,
        .bytes = a->aspect.u,
        .mip = (uint32_t)a->mip.u,
        .mips = (uint32_t)a->mips.u,
        .layer = (uint32_t)a->layer.u,
        .layers = (uint32_t)a->layers.u,
    };
    return true;
}

static bool do_set_scissor(void *context, const union gv_arg *args, uint64_t *result,
                           struct gv_error *err)
{
    BEGIN(set_scissor);
    m->scissor[0] = (uint32_t)a->x.u, m->scissor[1] = (uint32_t)a->y.u;
    m->scissor[2] = (uint32_t)a->width.u, m->scissor[3] = (uint32_t)a->height.u;
    return true;
}

static bool do_set_viewport(void *context, const union gv_arg *args, uint64_t *result,
                            struct gv_error *err)
{
    BEGIN(set_viewport);
    m->dynamic[GV_CALL_set_viewport] = model_mix(a->x.u, a->width.u);
    return true;
}

static bool do_set_blend_constants(void *context, const union gv_arg *args,
                                   uint64_t *result, struct gv_error *err)
{
    BEGIN(set_blend_constants);
    m->dynamic[GV_CALL_set_blend_constants] = a->r.u;
    return true;
}

// ---- passes ----

static bool do_pass_color(void *context, const union gv_arg *args, uint64_t *result,
                          struct gv_error *err)
{
    BEGIN(pass_color);
    m->next[a->index.u] = (struct model_view){ .image = a->image.u,
                                               .mip = (uint32_t)a->mip.u,
                                               .layer = (uint32_t)a->layer.u,
                                               .load = (uint32_t)a->load.u,
                                               .value = (uint8_t)a->c0.u };
    return true;
}

static bool do_pass_depth_stencil(void *context, const union gv_arg *args,
                                  uint64_t *result, struct gv_error *err)
{
    BEGIN(pass_depth_stencil);
    m->next[MODEL_COLORS] = (struct model_view){
        .image = a->image.u,
        .mip = (uint32_t)a->mip.u,
        .layer = (uint32_t)a->layer.u,
        .load = (uint32_t)a->depth_load.u,
        .stencil_load = (uint32_t)a->stencil_load.u,
        .value = 1,
        .stencil = (uint8_t)a->stencil.u,
    };
    return true;
}

static struct model_box area_of(const struct model_host *m, const struct model_view *v,
                                uint64_t plane)
{
    return (struct model_box){ v->image, plane, v->mip,   v->layer, 1,
                               0,        0,     m->width, m->height };
}

static bool do_pass_begin(void *context, const union gv_arg *args, uint64_t *result,
                          struct gv_error *err)
{
    BEGIN(pass_begin);
    memcpy(m->targets, m->next, sizeof m->targets);
    memset(m->next, 0, sizeof m->next);
    m->width = (uint32_t)a->width.u;
    m->height = (uint32_t)a->height.u;
    if (m->inside)
        return false;
    m->inside = true;
    for (size_t i = 0; i <= MODEL_COLORS; i++) {
        const struct model_view *v = &m->targets[i];
        if (v->image && v->load == GV_LOAD_OP_CLEAR)
            model_clear(m, area_of(m, v, 0), v->value);
        if (v->image && i == MODEL_COLORS && v->stencil_load == GV_LOAD_OP_CLEAR)
            model_clear(m, area_of(m, v, 1), v->stencil);
    }
    return true;
}

void model_host_look(struct model_host *m)
{
    const struct model_view *v = &m->targets[0];
    uint64_t seen = 1;
    if (v->image) {
        const struct model_object *o = model_get(m, v->image);
        const struct model_box b = { v->image,
                                     0,
                                     v->mip,
                                     v->layer,
                                     1,
                                     0,
                                     0,
                                     gv_mip_size(o->width, v->mip),
                                     gv_mip_size(o->height, v->mip) };
        FOR_BOX(b, n)
        seen = model_mix(seen, *model_texel_of(m, &b, n));
    }
    if (m->call_count < MODEL_CALLS)
        m->calls[m->call_count++] = seen;
}

static bool do_pass_end(void *context, const union gv_arg *args, uint64_t *result,
                        struct gv_error *err)
{
    BEGIN(pass_end);
    bool was_inside = m->inside;
    m->inside = false;
    return was_inside;
}

static bool is_skipped(struct model_host *m)
{
    const struct model_object *o = model_get(m, m->condition_buffer);
    bool zero = true;
    for (uint64_t i = 0; i < 4 && m->condition; i++)
        zero &=
            m->condition_offset + i >= o->size || !o->bytes[m->condition_offset + i];
    return m->condition && zero != m->inverted;
}

static bool do_clear_color(void *context, const union gv_arg *args, uint64_t *result,
                           struct gv_error *err)
{
    BEGIN(clear_color);
    const struct model_view *v = &m->targets[a->index.u];
    if (v->image && !is_skipped(m))
        model_clear(m,
                    (struct model_box){ v->image, 0, v->mip, v->layer, 1,
                                        (uint64_t)a->x.i, (uint64_t)a->y.i, a->width.u,
                                        a->height.u },
                    (uint8_t)a->c0.u);
    return true;
}

static bool do_clear_depth_stencil(void *context, const union gv_arg *args,
                                   uint64_t *result, struct gv_error *err)
{
    BEGIN(clear_depth_stencil);
    const struct model_view *v = &m->targets[MODEL_COLORS];
    for (uint64_t plane = 0; plane < 2 && v->image && !is_skipped(m); plane++)
        if (a->aspect.u & (plane ? GV_ASPECT_STENCIL : GV_ASPECT_DEPTH))
            model_clear(m,
                        (struct model_box){ v->image, plane, v->mip, v->layer, 1,
                                            (uint64_t)a->x.i, (uint64_t)a->y.i,
                                            a->width.u, a->height.u },
                        (uint8_t)a->stencil.u);
    return true;
}

// ---- work ----

static uint64_t end_of(const struct model_object *o, const struct model_bound *b)
{
    return b->size && b->size < o->size - b->offset ? b->offset + b->size : o->size;
}

static uint64_t look_at(struct model_host *m, uint64_t h, const struct model_bound *b)
{
    struct model_object *o = model_get(m, b->object);
    h = model_mix(h, b->bytes);
    if (o->kind == GV_KIND_BUFFER && b->offset < o->size)
        return model_mix_bytes(h, o->bytes + b->offset,
                               (size_t)(end_of(o, b) - b->offset));
    for (uint32_t mip = b->mip; o->kind == GV_KIND_IMAGE && mip < b->mip + b->mips;
         mip++)
        for (uint32_t i = 0; i < model_mip_bytes(o, mip); i++)
            h = model_mix(h, *model_texel(o, model_plane_of(b->bytes), mip, b->layer,
                                          i % model_side(o->width, mip),
                                          i / model_side(o->width, mip)));
    return h;
}

static uint64_t look_at_all(struct model_host *m, uint64_t h,
                            const struct gv_interface_desc *interface)
{
    for (uint32_t i = 0; i < interface->binding_count; i++)
        h = look_at(
            m, h,
            &m->bound[interface->bindings[i].set][interface->bindings[i].binding]);
    return h;
}

static void scribble(struct model_host *m, uint64_t h, const struct model_bound *b)
{
    struct model_object *o = model_get(m, b->object);
    for (uint64_t i = b->offset; o->kind == GV_KIND_BUFFER && i < end_of(o, b); i += 2)
        o->bytes[i] = (uint8_t)(o->bytes[i] * 3 + model_mix(h, i));
}

static void scribble_all(struct model_host *m, uint64_t h,
                         const struct gv_interface_desc *interface)
{
    for (uint32_t i = 0; i < interface->binding_count; i++)
        if (interface->bindings[i].type == GV_BINDING_STORAGE_BUFFER)
            scribble(
                m, h + i,
                &m->bound[interface->bindings[i].set][interface->bindings[i].binding]);
}

// One texel of all targets. Depth and stencil are looked at where they are tested.
static void draw_texel(struct model_host *m, const struct gv_graphics_desc *d,
                       uint64_t h, uint32_t x, uint32_t y)
{
    const struct model_view *v = &m->targets[MODEL_COLORS];
    struct model_object *deep = model_get(m, v->image);
    uint8_t *depth = model_texel(deep, 0, v->mip, v->layer, x, y);
    uint64_t own = model_mix(h, (uint64_t)y << 32 | x);
    if (v->image && d->depth_test && (*depth ^ own >> 8) & 1)
        return;
    uint8_t *stencil = model_texel(deep, 1, v->mip, v->layer, x, y);
    if (v->image && d->stencil_test && (*stencil ^ own >> 9) & 1)
        return;
    if (v->image && d->stencil_test)
        *stencil = (uint8_t)(*stencil + own);
    if (v->image && d->depth_test && d->depth_write)
        *depth = (uint8_t)(own >> 16);
    if (m->counting)
        model_get(m, m->query)->bytes[m->query_slot]++;
    for (uint32_t i = 0; i < d->color_count && i < MODEL_COLORS; i++) {
        const struct model_view *c = &m->targets[i];
        uint8_t *t = model_texel(model_get(m, c->image), 0, c->mip, c->layer, x, y);
        if (c->image && d->color_formats[i] && d->blend[i].write_mask && own >> 20 & 1)
            *t = (uint8_t)(*t * 5 + (own >> 24));
    }
}

static bool draw(struct model_host *m, uint64_t h, bool indexed)
{
    static struct gv_graphics_desc d; // too large for a stack
    const struct model_object *p = model_get(m, m->graphics);
    struct gv_cursor c = gv_cursor_make(p->bytes, p->size);
    struct gv_error err = GV_ERROR_INIT;
    if (!m->inside || !p->kind || !gv_graphics_desc_decode(&c, &d, &err))
        return false;
    if (is_skipped(m))
        return true;
    h = model_mix_bytes(h, p->bytes, p->size);
    h = look_at_all(m, h, &d.interface);
    for (uint32_t i = 0; i < d.vertex_binding_count; i++)
        h = look_at(m, h, &m->vertex[d.vertex_bindings[i].slot]);
    if (indexed)
        h = look_at(m, h, &m->index);
    h = model_mix(h, m->dynamic[GV_CALL_set_viewport]);
    h = model_mix(h, m->dynamic[GV_CALL_set_blend_constants]);
    uint32_t x1 = m->scissor[0] + m->scissor[2], y1 = m->scissor[1] + m->scissor[3];
    for (uint32_t y = m->scissor[1]; y < y1 && y < m->height; y++)
        for (uint32_t x = m->scissor[0]; x < x1 && x < m->width; x++)
            draw_texel(m, &d, h, x, y);
    scribble_all(m, h, &d.interface);
    return true;
}

static bool do_draw(void *context, const union gv_arg *args, uint64_t *result,
                    struct gv_error *err)
{
    BEGIN(draw);
    return draw(m, a->vertex_count.u, false);
}

static bool do_draw_indexed(void *context, const union gv_arg *args, uint64_t *result,
                            struct gv_error *err)
{
    BEGIN(draw_indexed);
    return draw(m, a->index_count.u, true);
}

// One byte of a range at a time: looked at, or written if `write`.
static uint64_t on_range(struct model_host *m, uint64_t h,
                         const struct gv_dispatch_range *r, bool write)
{
    const struct model_bound *b = &m->bound[r->set][r->binding];
    const struct model_object *o = model_get(m, b->object);
    for (uint64_t i = 0; i < r->row_bytes * r->rows; i++) {
        uint64_t at =
            b->offset + r->offset + i / r->row_bytes * r->stride + i % r->row_bytes;
        if (at >= o->size)
            continue;
        if (!write)
            h = model_mix(h, o->bytes[at]);
        else if (r->access == GV_RANGE_OVERWRITE)
            o->bytes[at] = (uint8_t)model_mix(h, i);
        else if (i % 2)
            o->bytes[at] = (uint8_t)(o->bytes[at] + model_mix(h, i));
    }
    return h;
}

static uint64_t look_at_unnamed(struct model_host *m, uint64_t h,
                                const struct gv_interface_desc *interface,
                                struct gv_cursor ranges)
{
    for (uint32_t i = 0; i < interface->binding_count; i++) {
        const struct model_bound *b =
            &m->bound[interface->bindings[i].set][interface->bindings[i].binding];
        struct gv_dispatch_range r;
        bool named = false;
        for (struct gv_cursor c = ranges; gv_dispatch_range_next(&c, &r);)
            named |= m->bound[r.set][r.binding].object == b->object;
        if (!named || !b->object)
            h = look_at(m, h, b);
    }
    return h;
}

static bool do_dispatch(void *context, const union gv_arg *args, uint64_t *result,
                        struct gv_error *err)
{
    BEGIN(dispatch);
    static struct gv_compute_desc d;
    const struct model_object *p = model_get(m, m->compute);
    struct gv_cursor c = gv_cursor_make(p->bytes, p->size);
    struct gv_cursor ranges = gv_cursor_make(a->ranges.data, (size_t)a->size.u);
    struct gv_dispatch_range r;
    if (m->inside || !p->kind || !gv_compute_desc_decode(&c, &d, err))
        return false;
    if (is_skipped(m) || !a->x.u || !a->y.u || !a->z.u)
        return true;
    uint64_t h = model_mix_bytes(a->x.u, p->bytes, p->size);
    if (!a->size.u) {
        h = look_at_all(m, h, &d.interface);
        scribble_all(m, h, &d.interface);
        return true;
    }
    h = look_at_unnamed(m, h, &d.interface, ranges);
    for (struct gv_cursor all = ranges; gv_dispatch_range_next(&all, &r);)
        if (r.access == GV_RANGE_READ || r.access == GV_RANGE_WRITE)
            h = on_range(m, h, &r, false);
    for (struct gv_cursor all = ranges; gv_dispatch_range_next(&all, &r);)
        if (r.access == GV_RANGE_WRITE || r.access == GV_RANGE_OVERWRITE)
            on_range(m, h, &r, true);
    return true;
}

// ---- queries, conditions ----

static bool do_query_create(void *context, const union gv_arg *args, uint64_t *result,
                            struct gv_error *err)
{
    BEGIN(query_create);
    return model_add(m, GV_KIND_QUERY, (size_t)a->count.u, result) != NULL;
}

static bool do_query_reset(void *context, const union gv_arg *args, uint64_t *result,
                           struct gv_error *err)
{
    BEGIN(query_reset);
    memset(model_get(m, a->query.u)->bytes + a->first.u, 0, (size_t)a->count.u);
    return true;
}

static bool do_query_begin(void *context, const union gv_arg *args, uint64_t *result,
                           struct gv_error *err)
{
    BEGIN(query_begin);
    if (m->counting)
        return false;
    m->query = a->query.u;
    m->query_slot = a->slot.u;
    m->counting = true;
    return true;
}

static bool do_query_end(void *context, const union gv_arg *args, uint64_t *result,
                         struct gv_error *err)
{
    BEGIN(query_end);
    m->counting = false;
    return true;
}

static bool do_query_copy(void *context, const union gv_arg *args, uint64_t *result,
                          struct gv_error *err)
{
    BEGIN(query_copy);
    for (uint64_t i = 0; i < a->count.u; i++)
        model_put(m, a->buffer.u, a->offset.u + i * a->stride.u,
                  model_get(m, a->query.u)->bytes + a->first.u + i, 1);
    return true;
}

static bool do_condition_begin(void *context, const union gv_arg *args,
                               uint64_t *result, struct gv_error *err)
{
    BEGIN(condition_begin);
    if (m->condition)
        return false;
    m->condition = true;
    m->condition_buffer = a->buffer.u;
    m->condition_offset = a->offset.u;
    m->inverted = a->inverted.u;
    return true;
}

static bool do_condition_end(void *context, const union gv_arg *args, uint64_t *result,
                             struct gv_error *err)
{
    BEGIN(condition_end);
    m->condition = false;
    return true;
}

// ---- output ----

static bool do_post_buffer(void *context, const union gv_arg *args, uint64_t *result,
                           struct gv_error *err)
{
    BEGIN(post_buffer);
    uint64_t *e = &m->exports[a->export.u];
    *e = model_mix_bytes(a->append.u ? *e : 1,
                         model_get(m, a->buffer.u)->bytes + a->offset.u,
                         (size_t)a->size.u);
    return true;
}

static bool do_present(void *context, const union gv_arg *args, uint64_t *result,
                       struct gv_error *err)
{
    BEGIN(present);
    const struct model_box b = { a->image.u, 0,      a->mip.u,   a->layer.u, 1,
                                 a->x.u,     a->y.u, a->width.u, a->height.u };
    m->picture = 1;
    FOR_BOX(b, n)
    m->picture = model_mix(m->picture, *model_texel_of(m, &b, n));
    return model_get(m, a->image.u)->kind == GV_KIND_IMAGE;
}

static bool do_frame_end(void *context, const union gv_arg *args, uint64_t *result,
                         struct gv_error *err)
{
    BEGIN(frame_end);
    m->pictures[m->frame++ % MODEL_FRAMES] = m->picture;
    m->picture = 0;
    return !m->inside;
}

void model_work_init(struct model_host *m)
{
#define DO(name) m->host.calls[GV_CALL_##name] = do_##name
    DO(pipeline_create_graphics), DO(pipeline_create_compute), DO(bind_pipeline),
        DO(bind_vertex_buffer), DO(bind_index_buffer), DO(bind_uniform_bytes),
        DO(bind_buffer), DO(bind_texture), DO(set_scissor), DO(set_viewport),
        DO(set_blend_constants), DO(pass_color), DO(pass_depth_stencil), DO(pass_begin),
        DO(pass_end), DO(clear_color), DO(clear_depth_stencil), DO(draw),
        DO(draw_indexed), DO(dispatch), DO(query_create), DO(query_reset),
        DO(query_begin), DO(query_end), DO(query_copy), DO(condition_begin),
        DO(condition_end), DO(post_buffer), DO(present), DO(frame_end),
        DO(shader_create);
}
