#include "vm/track/track_state.h"

#include "vm/track/track_keys.h"

// ---- records ----

static struct gv_track_record *add_record(struct gv_track *t, uint32_t entry,
                                          const struct gv_track_call *call)
{
    struct gv_track_record *grown = gv_track_grow(
        t, t->records, t->record_count, &t->private->record_capacity, sizeof *grown);
    if (!grown)
        return NULL;
    t->records = grown;
    struct gv_track_record *r = &grown[t->record_count];
    *r = (struct gv_track_record){
        .entry = entry,
        .before = t->current[entry],
        .unit = (uint32_t)t->unit_count,
        .call = call->call,
        .uncertain = t->private->uncertain,
    };
    const struct gv_track_record *other = gv_track_other(t, r);
    r->others = other ? (uint8_t)(other->others + 1) : 0;
    if (r->others > GV_TRACK_MAX_OTHERS)
        t->opaque = "state set in too many skips";
    t->current[entry] = (uint32_t)t->record_count++;
    return r;
}

// The record of a numbered entry, whose number must be known and below `count`.
static struct gv_track_record *add_indexed(struct gv_track *t, uint32_t first,
                                           uint64_t index, uint64_t count,
                                           const struct gv_track_call *call)
{
    if (index < count)
        return add_record(t, first + (uint32_t)index, call);
    t->opaque = "state of a number that there is not";
    return NULL;
}

static struct gv_track_record *add_resource(struct gv_track *t, uint64_t set,
                                            uint64_t binding, uint64_t element,
                                            const struct gv_track_call *call)
{
    if (set >= GV_MAX_SETS || binding >= GV_MAX_BINDING_NUMBER ||
        element >= GV_MAX_BINDING_ELEMENTS) {
        t->opaque = "state of a number that there is not";
        return NULL;
    }
    struct gv_track_key *key = gv_track_binding_key(t, set, binding, element);
    if (!key)
        return NULL;
    if (key->value == GV_TRACK_NONE) {
        uint32_t *grown = gv_track_grow(t, t->current, t->entry_count,
                                        &t->private->entry_capacity, sizeof *grown);
        if (!grown)
            return NULL;
        t->current = grown;
        grown[t->entry_count] = 0;
        key->value = (uint32_t)t->entry_count++;
    }
    return add_record(t, key->value, call);
}

bool gv_state_init(struct gv_track *t)
{
    while (t->private->entry_capacity < GV_TRACK_FIXED) {
        uint32_t *grown = gv_track_grow(t, t->current, t->private->entry_capacity,
                                        &t->private->entry_capacity, sizeof *grown);
        if (!grown)
            return false;
        t->current = grown;
    }
    for (size_t i = 0; i < t->private->entry_capacity; i++)
        t->current[i] = 0;
    t->entry_count = GV_TRACK_FIXED;
    t->records =
        gv_track_grow(t, NULL, 0, &t->private->record_capacity, sizeof *t->records);
    t->objects =
        gv_track_grow(t, NULL, 0, &t->private->object_capacity, sizeof *t->objects);
    if (!t->records || !t->objects)
        return false;
    t->records[0] = (struct gv_track_record){ .entry = 0 };
    t->record_count = 1;
    t->objects[0] = (struct gv_track_object){ .create_unit = GV_TRACK_NONE };
    t->objects[GV_TRACK_VOLATILE] = (struct gv_track_object){
        .kind = GV_KIND_BUFFER,
        .create_unit = GV_TRACK_NONE,
        .destroy_unit = GV_TRACK_NONE,
        .slot = GV_TRACK_NONE,
        .size = t->payload->limits.volatile_bytes,
    };
    t->object_count = GV_TRACK_VOLATILE + 1;
    return true;
}

// ---- objects ----

static struct gv_track_object *add_object(struct gv_track *t, enum gv_kind kind,
                                          uint32_t op)
{
    struct gv_track_object *grown = gv_track_grow(
        t, t->objects, t->object_count, &t->private->object_capacity, sizeof *grown);
    if (!grown)
        return NULL;
    t->objects = grown;
    t->private->results[op] = (uint32_t)t->object_count;
    struct gv_track_object *o = &grown[t->object_count++];
    *o = (struct gv_track_object){
        .kind = (uint8_t)kind,
        .create_unit = (uint32_t)t->unit_count,
        .destroy_unit = GV_TRACK_NONE,
        .slot = GV_TRACK_NONE,
    };
    return o;
}

void gv_state_store(struct gv_track *t, uint32_t slot, uint32_t object)
{
    struct gv_track_object *o = &t->objects[object];
    uint32_t before = t->slots[slot];
    if (o->slot != GV_TRACK_NONE) {
        t->opaque = "an object in two slots";
        return;
    }
    o->slot = slot;
    o->slot_before = before;
    if (t->private->uncertain && before &&
        t->objects[before].destroy_unit == GV_TRACK_NONE) {
        o->either = before;
        o->others = (uint8_t)(t->objects[before].others + 1);
        if (o->others > GV_TRACK_MAX_OTHERS)
            t->opaque = "a slot stored in too many skips";
    }
    t->slots[slot] = object;
}

static void create_image(struct gv_track *t, const struct gv_track_call *c, uint32_t op)
{
    const struct gv_args_image_create *a = GV_TRACK_ARGS(c, image_create);
    struct gv_track_object *o = add_object(t, GV_KIND_IMAGE, op);
    if (!o)
        return;
    o->image.type = (uint8_t)a->type.u;
    o->image.samples = (uint8_t)a->samples.u;
    o->image.format = (uint32_t)a->format.u;
    o->image.width = (uint32_t)a->width.u;
    o->image.height = (uint32_t)a->height.u;
    o->image.depth = (uint32_t)a->depth.u;
    o->image.mips = (uint32_t)a->mips.u;
    o->image.layers = (uint32_t)a->layers.u;
}

static void create_map(struct gv_track *t, const struct gv_track_call *c, uint32_t op)
{
    const struct gv_args_buffer_map *a = GV_TRACK_ARGS(c, buffer_map);
    struct gv_track_object *o = add_object(t, GV_KIND_MAP, op);
    if (!o)
        return;
    o->map.buffer = (uint32_t)a->buffer.u;
    o->map.offset = a->offset.u;
    o->map.size = a->size.u;
}

static void create_sized(struct gv_track *t, enum gv_kind kind, uint64_t size,
                         uint32_t op)
{
    struct gv_track_object *o = add_object(t, kind, op);
    if (o)
        o->size = size;
}

// ---- pipelines ----

static bool add_bindings(struct gv_track *t, const struct gv_interface_desc *interface,
                         struct gv_track_pipeline *p)
{
    p->binding_begin = (uint32_t)t->private->binding_count;
    p->binding_count = interface->binding_count;
    for (uint32_t i = 0; i < interface->binding_count; i++) {
        struct gv_binding_desc *grown =
            gv_track_grow(t, t->bindings, t->private->binding_count,
                          &t->private->binding_capacity, sizeof *grown);
        if (!grown)
            return false;
        t->bindings = grown;
        grown[t->private->binding_count++] = interface->bindings[i];
    }
    return true;
}

static void note_graphics(const struct gv_graphics_desc *d, struct gv_track_pipeline *p)
{
    p->discard = d->rasterizer_discard;
    p->depth_test = d->depth_test;
    p->depth_write = d->depth_test && d->depth_write;
    p->depth_bounds = d->depth_bounds;
    p->stencil = d->stencil_test;
    p->viewports = (uint8_t)d->viewport_count;
    for (uint32_t i = 0; i < d->color_count; i++)
        if (d->color_formats[i] && d->blend[i].write_mask)
            p->color_writes = (uint8_t)(p->color_writes | 1u << i);
    for (uint32_t i = 0; i < d->vertex_binding_count; i++)
        p->vertex_slots |= UINT32_C(1) << d->vertex_bindings[i].slot;
}

static bool decode_pipeline(struct gv_track *t, struct gv_cursor c, bool compute,
                            struct gv_track_pipeline *p)
{
    struct gv_error err = GV_ERROR_INIT;
    *p = (struct gv_track_pipeline){ .compute = compute };
    if (compute)
        return gv_compute_desc_decode(&c, &t->private->compute, &err) &&
               add_bindings(t, &t->private->compute.interface, p);
    if (!gv_graphics_desc_decode(&c, &t->private->graphics, &err))
        return false;
    note_graphics(&t->private->graphics, p);
    return add_bindings(t, &t->private->graphics.interface, p);
}

// What the description says, once for each; GV_TRACK_NONE: it is not known.
static uint32_t find_pipeline(struct gv_track *t, const struct gv_unit_cell *bytes,
                              bool compute)
{
    uint64_t size = (bytes + 1)->value;
    if (bytes->type != GV_UNIT_CONST)
        return GV_TRACK_NONE;
    struct gv_track_key *key = gv_track_pipeline_key(t, bytes->value, size, compute);
    if (!key || key->value != GV_TRACK_NONE)
        return key ? key->value : GV_TRACK_NONE;
    struct gv_track_pipeline *grown =
        gv_track_grow(t, t->pipelines, t->private->pipeline_count,
                      &t->private->pipeline_capacity, sizeof *grown);
    if (!grown)
        return GV_TRACK_NONE;
    t->pipelines = grown;
    struct gv_cursor c =
        gv_cursor_make(t->payload->constants + bytes->value, (size_t)size);
    if (!decode_pipeline(t, c, compute, &grown[t->private->pipeline_count]))
        return GV_TRACK_NONE;
    key->value = (uint32_t)t->private->pipeline_count++;
    return key->value;
}

static void create_pipeline(struct gv_track *t, const struct gv_track_call *c,
                            bool compute, uint32_t op)
{
    uint32_t pipeline = find_pipeline(t, c->bytes, compute);
    struct gv_track_object *o = add_object(t, GV_KIND_PIPELINE, op);
    if (o)
        o->pipeline = pipeline;
}

static void bind_pipeline(struct gv_track *t, const struct gv_track_call *c)
{
    uint32_t object = (uint32_t)GV_TRACK_ARGS(c, bind_pipeline)->pipeline.u;
    uint32_t pipeline = t->objects[object].pipeline;
    if (!object || pipeline == GV_TRACK_NONE) {
        t->opaque = "a pipeline whose description is not a constant";
        return;
    }
    bool compute = t->pipelines[pipeline].compute;
    struct gv_track_record *r =
        add_record(t, compute ? GV_TRACK_COMPUTE : GV_TRACK_GRAPHICS, c);
    if (r)
        r->object = object;
}

// ---- passes and spans ----

static void begin_pass(struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_pass_begin *a = GV_TRACK_ARGS(c, pass_begin);
    struct gv_track_pass *grown = gv_track_grow(
        t, t->passes, t->pass_count, &t->private->pass_capacity, sizeof *grown);
    if (!grown)
        return;
    t->passes = grown;
    struct gv_track_pass *p = &grown[t->pass_count++];
    *p = (struct gv_track_pass){
        .begin = (uint32_t)t->unit_count,
        .end = GV_TRACK_NONE,
        .width = (uint32_t)a->width.u,
        .height = (uint32_t)a->height.u,
        .layers = (uint32_t)a->layers.u,
        .depth = t->current[GV_TRACK_DEPTH],
    };
    for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++) {
        p->color[i] = t->current[GV_TRACK_COLOR + i];
        p->resolve[i] = t->current[GV_TRACK_RESOLVE + i];
        t->current[GV_TRACK_COLOR + i] = t->current[GV_TRACK_RESOLVE + i] = 0;
    }
    t->current[GV_TRACK_DEPTH] = 0;
    t->pass = (uint32_t)t->pass_count;
}

static void undo_begin_pass(struct gv_track *t, const struct gv_track_pass *p)
{
    for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++) {
        t->current[GV_TRACK_COLOR + i] = p->color[i];
        t->current[GV_TRACK_RESOLVE + i] = p->resolve[i];
    }
    t->current[GV_TRACK_DEPTH] = p->depth;
    t->pass = 0;
}

static void end_pass(struct gv_track *t)
{
    if (t->pass)
        t->passes[t->pass - 1].end = (uint32_t)t->unit_count;
    t->pass = 0;
}

// The number + 1 of a new span, or 0.
static uint32_t begin_span(struct gv_track *t, const struct gv_track_call *c)
{
    struct gv_track_span *grown = gv_track_grow(
        t, t->spans, t->span_count, &t->private->span_capacity, sizeof *grown);
    if (!grown)
        return 0;
    t->spans = grown;
    grown[t->span_count++] = (struct gv_track_span){
        .begin_call = c->call,
        .begin = (uint32_t)t->unit_count,
        .end = GV_TRACK_NONE,
    };
    return (uint32_t)t->span_count;
}

static void end_span(struct gv_track *t, uint32_t span)
{
    uint32_t *grown = span ? gv_track_grow(t, t->ends, t->end_count,
                                           &t->private->end_capacity, sizeof *grown)
                           : NULL;
    if (!grown)
        return;
    t->ends = grown;
    grown[t->end_count++] = span;
    t->spans[span - 1].end = (uint32_t)t->unit_count;
}

static void begin_query(struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_query_begin *a = GV_TRACK_ARGS(c, query_begin);
    if (t->query_count == GV_TRACK_MAX_QUERIES) {
        t->opaque = "too many queries at once";
        return;
    }
    uint32_t span = begin_span(t, c);
    if (!span)
        return;
    t->spans[span - 1].object = (uint32_t)a->query.u;
    t->spans[span - 1].slot = (uint32_t)a->slot.u;
    t->queries[t->query_count++] = span;
}

static void end_query(struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_query_end *a = GV_TRACK_ARGS(c, query_end);
    for (size_t i = 0; i < t->query_count; i++) {
        const struct gv_track_span *s = &t->spans[t->queries[i] - 1];
        if (s->object != a->query.u || s->slot != a->slot.u)
            continue;
        end_span(t, t->queries[i]);
        t->queries[i] = t->queries[--t->query_count];
        return;
    }
}

// ---- bindings ----

static void bind_range(struct gv_track_record *r, uint64_t object, uint64_t offset,
                       uint64_t size)
{
    if (!r)
        return;
    r->object = (uint32_t)object;
    r->bytes.offset = offset;
    r->bytes.size = size;
}

static void bind_texture(struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_bind_texture *a = GV_TRACK_ARGS(c, bind_texture);
    struct gv_track_record *r =
        add_resource(t, a->set.u, a->binding.u, a->element.u, c);
    if (!r)
        return;
    r->object = (uint32_t)a->image.u;
    r->aspect = (uint8_t)a->aspect.u;
    r->view.mip = (uint32_t)a->mip.u;
    r->view.mips = (uint32_t)a->mips.u;
    r->view.layer = (uint32_t)a->layer.u;
    r->view.layers = (uint32_t)a->layers.u;
}

static void bind_storage_image(struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_bind_storage_image *a = GV_TRACK_ARGS(c, bind_storage_image);
    struct gv_track_record *r =
        add_resource(t, a->set.u, a->binding.u, a->element.u, c);
    if (!r)
        return;
    r->object = (uint32_t)a->image.u;
    r->view.mip = (uint32_t)a->mip.u;
    r->view.mips = 1;
    r->view.layer = (uint32_t)a->layer.u;
    r->view.layers = (uint32_t)a->layers.u;
}

static void name_attachment(struct gv_track_record *r, uint64_t image, uint64_t mip,
                            uint64_t layer)
{
    if (!r)
        return;
    r->object = (uint32_t)image;
    r->view.mip = (uint32_t)mip;
    r->view.mips = 1;
    r->view.layer = (uint32_t)layer;
}

static void name_color(struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_pass_color *a = GV_TRACK_ARGS(c, pass_color);
    struct gv_track_record *r =
        add_indexed(t, GV_TRACK_COLOR, a->index.u, GV_MAX_COLOR_ATTACHMENTS, c);
    name_attachment(r, a->image.u, a->mip.u, a->layer.u);
    if (r)
        r->load = (uint8_t)a->load.u;
}

static void name_resolve(struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_pass_resolve *a = GV_TRACK_ARGS(c, pass_resolve);
    name_attachment(
        add_indexed(t, GV_TRACK_RESOLVE, a->index.u, GV_MAX_COLOR_ATTACHMENTS, c),
        a->image.u, a->mip.u, a->layer.u);
}

static void name_depth(struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_pass_depth_stencil *a = GV_TRACK_ARGS(c, pass_depth_stencil);
    struct gv_track_record *r = add_record(t, GV_TRACK_DEPTH, c);
    name_attachment(r, a->image.u, a->mip.u, a->layer.u);
    if (!r)
        return;
    r->load = (uint8_t)a->depth_load.u;
    r->stencil_load = (uint8_t)a->stencil_load.u;
}

static void set_scissor(struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_set_scissor *a = GV_TRACK_ARGS(c, set_scissor);
    struct gv_track_record *r =
        add_indexed(t, GV_TRACK_SCISSOR, a->index.u, GV_MAX_VIEWPORTS, c);
    if (!r)
        return;
    r->rect.x = (uint32_t)a->x.u;
    r->rect.y = (uint32_t)a->y.u;
    r->rect.width = (uint32_t)a->width.u;
    r->rect.height = (uint32_t)a->height.u;
}

static void set_faces(struct gv_track *t, uint32_t first, uint64_t faces,
                      const struct gv_track_call *c)
{
    if (faces & GV_FACE_FRONT)
        add_record(t, first, c);
    if (faces & GV_FACE_BACK)
        add_record(t, first + 1, c);
}

// ---- calls ----

static void create(struct gv_track *t, const struct gv_track_call *c, uint32_t op)
{
    switch (c->call) {
    case GV_CALL_buffer_create:
        create_sized(t, GV_KIND_BUFFER, GV_TRACK_ARGS(c, buffer_create)->size.u, op);
        break;
    case GV_CALL_query_create:
        create_sized(t, GV_KIND_QUERY, GV_TRACK_ARGS(c, query_create)->count.u, op);
        break;
    case GV_CALL_buffer_map:
        create_map(t, c, op);
        break;
    case GV_CALL_image_create:
        create_image(t, c, op);
        break;
    case GV_CALL_pipeline_create_graphics:
        create_pipeline(t, c, false, op);
        break;
    case GV_CALL_pipeline_create_compute:
        create_pipeline(t, c, true, op);
        break;
    default:
        add_object(t, (enum gv_kind)gv_call_infos[c->call].result, op);
        break;
    }
}

static void bind(struct gv_track *t, const struct gv_track_call *c)
{
    switch (c->call) {
    case GV_CALL_bind_pipeline:
        bind_pipeline(t, c);
        break;
    case GV_CALL_bind_vertex_buffer: {
        const struct gv_args_bind_vertex_buffer *a =
            GV_TRACK_ARGS(c, bind_vertex_buffer);
        bind_range(
            add_indexed(t, GV_TRACK_VERTEX, a->slot.u, GV_MAX_VERTEX_BINDINGS, c),
            a->buffer.u, a->offset.u, a->size.u);
        break;
    }
    case GV_CALL_bind_index_buffer: {
        const struct gv_args_bind_index_buffer *a = GV_TRACK_ARGS(c, bind_index_buffer);
        bind_range(add_record(t, GV_TRACK_INDEX, c), a->buffer.u, a->offset.u, 0);
        break;
    }
    case GV_CALL_bind_uniform_bytes: {
        const struct gv_args_bind_uniform_bytes *a =
            GV_TRACK_ARGS(c, bind_uniform_bytes);
        add_resource(t, a->set.u, a->binding.u, 0, c);
        break;
    }
    case GV_CALL_bind_buffer: {
        const struct gv_args_bind_buffer *a = GV_TRACK_ARGS(c, bind_buffer);
        bind_range(add_resource(t, a->set.u, a->binding.u, a->element.u, c),
                   a->buffer.u, a->offset.u, a->size.u);
        break;
    }
    case GV_CALL_bind_texel_buffer: {
        const struct gv_args_bind_texel_buffer *a = GV_TRACK_ARGS(c, bind_texel_buffer);
        bind_range(add_resource(t, a->set.u, a->binding.u, a->element.u, c),
                   a->buffer.u, a->offset.u, a->size.u);
        break;
    }
    case GV_CALL_bind_texture:
        bind_texture(t, c);
        break;
    case GV_CALL_bind_sampler: {
        const struct gv_args_bind_sampler *a = GV_TRACK_ARGS(c, bind_sampler);
        add_resource(t, a->set.u, a->binding.u, a->element.u, c);
        break;
    }
    case GV_CALL_bind_storage_image:
        bind_storage_image(t, c);
        break;
    case GV_CALL_feedback_bind: {
        const struct gv_args_feedback_bind *a = GV_TRACK_ARGS(c, feedback_bind);
        bind_range(
            add_indexed(t, GV_TRACK_FEEDBACK, a->index.u, GV_MAX_FEEDBACK_BUFFERS, c),
            a->buffer.u, a->offset.u, a->size.u);
        break;
    }
    default:
        break;
    }
}

static void set(struct gv_track *t, const struct gv_track_call *c)
{
    switch (c->call) {
    case GV_CALL_set_viewport:
        add_indexed(t, GV_TRACK_VIEWPORT, GV_TRACK_ARGS(c, set_viewport)->index.u,
                    GV_MAX_VIEWPORTS, c);
        break;
    case GV_CALL_set_scissor:
        set_scissor(t, c);
        break;
    case GV_CALL_set_blend_constants:
        add_record(t, GV_TRACK_BLEND, c);
        break;
    case GV_CALL_set_stencil_reference:
        set_faces(t, GV_TRACK_STENCIL_REFERENCE,
                  GV_TRACK_ARGS(c, set_stencil_reference)->faces.u, c);
        break;
    case GV_CALL_set_stencil_masks:
        set_faces(t, GV_TRACK_STENCIL_MASKS,
                  GV_TRACK_ARGS(c, set_stencil_masks)->faces.u, c);
        break;
    case GV_CALL_set_depth_bias:
        add_record(t, GV_TRACK_DEPTH_BIAS, c);
        break;
    case GV_CALL_set_line_width:
        add_record(t, GV_TRACK_LINE_WIDTH, c);
        break;
    case GV_CALL_set_line_stipple:
        add_record(t, GV_TRACK_LINE_STIPPLE, c);
        break;
    case GV_CALL_set_depth_bounds:
        add_record(t, GV_TRACK_DEPTH_BOUNDS, c);
        break;
    case GV_CALL_show: {
        const struct gv_args_show *a = GV_TRACK_ARGS(c, show);
        name_attachment(add_record(t, GV_TRACK_SHOW, c), a->image.u, a->mip.u,
                        a->layer.u);
        break;
    }
    default:
        break;
    }
}

static void go_through(struct gv_track *t, const struct gv_track_call *c)
{
    switch (c->call) {
    case GV_CALL_pass_color:
        name_color(t, c);
        break;
    case GV_CALL_pass_resolve:
        name_resolve(t, c);
        break;
    case GV_CALL_pass_depth_stencil:
        name_depth(t, c);
        break;
    case GV_CALL_pass_begin:
        begin_pass(t, c);
        break;
    case GV_CALL_pass_end:
        end_pass(t);
        break;
    case GV_CALL_condition_begin:
        t->condition = begin_span(t, c);
        break;
    case GV_CALL_condition_end:
        end_span(t, t->condition);
        t->condition = 0;
        break;
    case GV_CALL_feedback_begin:
        t->feedback = begin_span(t, c);
        break;
    case GV_CALL_feedback_end:
        if (t->feedback)
            t->spans[t->feedback - 1].object =
                (uint32_t)GV_TRACK_ARGS(c, feedback_end)->counter.u;
        end_span(t, t->feedback);
        t->feedback = 0;
        break;
    case GV_CALL_query_begin:
        begin_query(t, c);
        break;
    case GV_CALL_query_end:
        end_query(t, c);
        break;
    default:
        bind(t, c);
        set(t, c);
        break;
    }
}

static void destroy(struct gv_track *t, const struct gv_track_call *c)
{
    uint32_t object = (uint32_t)c->args[0].u;
    if (object && t->objects[object].destroy_unit == GV_TRACK_NONE)
        t->objects[object].destroy_unit = (uint32_t)t->unit_count;
}

#define FOLLOWED (GV_STATE_WORK - 1) // classes: all but work and output

void gv_state_call(struct gv_track *t, const struct gv_track_call *c, uint32_t op)
{
    const struct gv_call_info *info = &gv_call_infos[c->call];
    if (info->result && c->unknown)
        t->opaque = "an object whose size depends on memory";
    else if (info->result)
        create(t, c, op);
    else if (info->arg_count && info->args[0].role == GV_ROLE_DESTROY)
        destroy(t, c);
    else if (!(info->sets & FOLLOWED) && c->call != GV_CALL_show)
        return;
    else if (c->unknown)
        t->opaque = "state that depends on memory";
    else
        go_through(t, c);
}

// ---- backward ----

static uint32_t *span_of(struct gv_track *t, uint8_t begin_call)
{
    if (begin_call == GV_CALL_condition_begin)
        return &t->condition;
    return begin_call == GV_CALL_feedback_begin ? &t->feedback : NULL;
}

static void undo_spans(struct gv_track *t, uint32_t unit)
{
    t->span_begun = t->span_ended = 0;
    while (t->end_count && t->spans[t->ends[t->end_count - 1] - 1].end == unit) {
        t->span_ended = t->ends[--t->end_count];
        uint32_t *now = span_of(t, t->spans[t->span_ended - 1].begin_call);
        if (now)
            *now = t->span_ended;
    }
    while (t->span_count && t->spans[t->span_count - 1].begin == unit) {
        t->span_begun = (uint32_t)t->span_count--;
        uint32_t *now = span_of(t, t->spans[t->span_count].begin_call);
        if (now)
            *now = 0;
    }
}

static void undo_pass(struct gv_track *t, uint32_t unit)
{
    t->pass_begun = t->pass_ended = 0;
    if (!t->pass_count)
        return;
    const struct gv_track_pass *p = &t->passes[t->pass_count - 1];
    if (p->end == unit)
        t->pass = t->pass_ended = (uint32_t)t->pass_count;
    if (p->begin != unit)
        return;
    t->pass_begun = (uint32_t)t->pass_count--;
    undo_begin_pass(t, p);
}

void gv_state_undo(struct gv_track *t, uint32_t unit)
{
    t->record_end = t->record_count;
    t->object_end = t->object_count;
    while (t->record_count > 1 && t->records[t->record_count - 1].unit == unit) {
        const struct gv_track_record *r = &t->records[--t->record_count];
        t->current[r->entry] = r->before;
    }
    for (; t->objects[t->object_count - 1].create_unit == unit; t->object_count--) {
        const struct gv_track_object *o = &t->objects[t->object_count - 1];
        if (o->slot != GV_TRACK_NONE)
            t->slots[o->slot] = o->slot_before;
    }
    undo_pass(t, unit);
    undo_spans(t, unit);
}
