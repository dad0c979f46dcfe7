// Effects of draws, dispatches and passes: they follow from what is bound.
#include "vm/effects/effects_put.h"

// ---- what is bound ----

const struct gv_track_pipeline *gv_track_pipeline(const struct gv_track *t,
                                                  uint32_t entry, uint32_t *object)
{
    const struct gv_track_record *r = gv_track_at(t, entry);
    *object = *object ? t->objects[*object].either : r ? r->object : 0;
    return *object ? &t->pipelines[t->objects[*object].pipeline] : NULL;
}

// What is bound: size 0 is to the end.
static void put_bound(struct gv_effects *out, const struct gv_track_record *r,
                      enum gv_effect_kind kind)
{
    gv_put_bytes(out, r->object, kind, r->bytes.offset,
                 r->bytes.size ? r->bytes.size : UINT64_MAX);
}

static bool is_storage(uint32_t type)
{
    return type == GV_BINDING_STORAGE_IMAGE ||
           type == GV_BINDING_STORAGE_TEXEL_BUFFER || type == GV_BINDING_STORAGE_BUFFER;
}

static void put_view(const struct gv_track *t, struct gv_effects *out,
                     const struct gv_track_record *r, enum gv_effect_kind kind)
{
    const struct gv_box b = { .image = r->object,
                              .aspect = r->aspect,
                              .mip = r->view.mip,
                              .layer = r->view.layer,
                              .layers =
                                  r->view.layers ? r->view.layers : GV_EFFECT_REST };
    gv_put_mips(t, out, &b, r->view.mips ? r->view.mips : GV_EFFECT_REST, kind);
}

// What stands in an entry of state, or may.
static void put_entry(const struct gv_track *t, struct gv_effects *out, uint32_t entry,
                      enum gv_effect_kind kind)
{
    const struct gv_track_record *r = gv_track_at(t, entry);
    for (; r; r = gv_track_other(t, r)) {
        if (!r->object)
            continue;
        if (t->objects[r->object].kind == GV_KIND_IMAGE)
            put_view(t, out, r, kind);
        else
            put_bound(out, r, kind);
    }
}

// What shaders may read of their bindings, or (`kind` WRITE) write.
static void put_interface_of(const struct gv_track *t, struct gv_effects *out,
                             const struct gv_track_pipeline *p,
                             enum gv_effect_kind kind)
{
    for (uint32_t i = 0; i < p->binding_count; i++) {
        const struct gv_binding_desc *b = &t->bindings[p->binding_begin + i];
        if (kind == GV_EFFECT_WRITE && !is_storage(b->type))
            continue;
        for (uint32_t e = 0; e < b->count; e++)
            put_entry(t, out, gv_track_entry(t, b->set, b->binding, e), kind);
    }
}

static void put_interface(const struct gv_track *t, struct gv_effects *out,
                          uint32_t entry, enum gv_effect_kind kind)
{
    const struct gv_track_pipeline *p;
    uint32_t object = 0;
    while ((p = gv_track_pipeline(t, entry, &object)) != NULL)
        put_interface_of(t, out, p, kind);
}

// ---- passes ----

static void put_target(const struct gv_track *t, struct gv_effects *out,
                       uint32_t record, const struct gv_track_pass *pass,
                       struct gv_effect e)
{
    const struct gv_track_record *r = &t->records[record];
    if (!record || !r->object)
        return;
    e.object = r->object;
    e.mip = r->view.mip;
    e.mips = 1;
    e.slice = r->view.layer; // of a 3D image the slice
    e.slices = pass->layers;
    gv_put(out, &e);
}

static struct gv_effect pass_area(const struct gv_track_pass *pass,
                                  enum gv_effect_kind kind, uint8_t planes)
{
    return (struct gv_effect){ .kind = (uint8_t)kind,
                               .planes = planes,
                               .width = pass->width,
                               .height = pass->height };
}

void gv_effects_clears(const struct gv_track *t, const struct gv_track_pass *pass,
                       struct gv_effects *out)
{
    const struct gv_track_record *depth = &t->records[pass->depth];
    for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++)
        if (pass->color[i] && t->records[pass->color[i]].load == GV_LOAD_OP_CLEAR)
            put_target(t, out, pass->color[i], pass,
                       pass_area(pass, GV_EFFECT_OVERWRITE, GV_ASPECT_COLOR));
    if (pass->depth && depth->load == GV_LOAD_OP_CLEAR)
        put_target(t, out, pass->depth, pass,
                   pass_area(pass, GV_EFFECT_OVERWRITE, GV_ASPECT_DEPTH));
    if (pass->depth && depth->stencil_load == GV_LOAD_OP_CLEAR)
        put_target(t, out, pass->depth, pass,
                   pass_area(pass, GV_EFFECT_OVERWRITE, GV_ASPECT_STENCIL));
}

void gv_effects_resolves(const struct gv_track *t, const struct gv_track_pass *pass,
                         enum gv_effect_kind kind, struct gv_effects *out)
{
    for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++)
        if (pass->resolve[i])
            put_target(t, out,
                       kind == GV_EFFECT_READ ? pass->color[i] : pass->resolve[i], pass,
                       pass_area(pass, kind, GV_ASPECT_COLOR));
}

// The scissors of a draw, together.
static void clip_scissors(const struct gv_track *t, const struct gv_track_pipeline *p,
                          struct gv_effect *e)
{
    uint64_t x0 = UINT64_MAX, y0 = UINT64_MAX, x1 = 0, y1 = 0;
    for (uint32_t i = 0; i < p->viewports; i++) {
        const struct gv_track_record *r = gv_track_at(t, GV_TRACK_SCISSOR + i);
        if (!r || r->uncertain)
            return;
        uint64_t right = (uint64_t)r->rect.x + r->rect.width;
        uint64_t bottom = (uint64_t)r->rect.y + r->rect.height;
        x0 = r->rect.x < x0 ? r->rect.x : x0;
        y0 = r->rect.y < y0 ? r->rect.y : y0;
        x1 = right > x1 ? right : x1;
        y1 = bottom > y1 ? bottom : y1;
    }
    x1 = x1 < e->width ? x1 : e->width;
    y1 = y1 < e->height ? y1 : e->height;
    e->x = (uint32_t)(x0 < x1 ? x0 : x1);
    e->y = (uint32_t)(y0 < y1 ? y0 : y1);
    e->width = (uint32_t)x1 - e->x;
    e->height = (uint32_t)y1 - e->y;
}

static const struct gv_track_pass *pass_at_hand(const struct gv_track *t)
{
    return t->pass ? &t->passes[t->pass - 1] : NULL;
}

static void put_drawn(const struct gv_track *t, struct gv_effects *out,
                      const struct gv_track_pipeline *p)
{
    const struct gv_track_pass *pass = pass_at_hand(t);
    struct gv_effect area = pass_area(pass, GV_EFFECT_WRITE, GV_ASPECT_COLOR);
    clip_scissors(t, p, &area);
    for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS && !p->discard; i++)
        if (p->color_writes >> i & 1)
            put_target(t, out, pass->color[i], pass, area);
    area.planes = (uint8_t)((p->depth_write ? GV_ASPECT_DEPTH : 0) |
                            (p->stencil ? GV_ASPECT_STENCIL : 0));
    if (area.planes && !p->discard)
        put_target(t, out, pass->depth, pass, area);
    put_interface_of(t, out, p, GV_EFFECT_WRITE);
}

void gv_put_draw_writes(const struct gv_track *t, struct gv_effects *out)
{
    const struct gv_track_pipeline *p;
    uint32_t object = 0;
    while (t->pass && (p = gv_track_pipeline(t, GV_TRACK_GRAPHICS, &object)) != NULL)
        put_drawn(t, out, p);
    if (t->feedback)
        gv_effects_feedback(t, out);
}

void gv_effects_feedback(const struct gv_track *t, struct gv_effects *out)
{
    for (uint32_t i = 0; i < GV_MAX_FEEDBACK_BUFFERS; i++)
        put_entry(t, out, GV_TRACK_FEEDBACK + i, GV_EFFECT_WRITE);
}

// What a draw with the pipeline looks at before it writes.
static void put_looked_at(const struct gv_track *t, struct gv_effects *out,
                          const struct gv_track_pipeline *p)
{
    const struct gv_track_pass *pass = pass_at_hand(t);
    struct gv_effect area = pass_area(pass, GV_EFFECT_READ, 0);
    clip_scissors(t, p, &area);
    area.planes = (uint8_t)((p->depth_test || p->depth_bounds ? GV_ASPECT_DEPTH : 0) |
                            (p->stencil ? GV_ASPECT_STENCIL : 0));
    if (area.planes)
        put_target(t, out, pass->depth, pass, area);
    for (uint32_t i = 0; i < GV_MAX_VERTEX_BINDINGS; i++)
        if (p->vertex_slots >> i & 1)
            put_entry(t, out, GV_TRACK_VERTEX + i, GV_EFFECT_READ);
    put_interface_of(t, out, p, GV_EFFECT_READ);
}

void gv_put_draw_reads(const struct gv_track *t, const struct gv_track_call *c,
                       struct gv_effects *out)
{
    const struct gv_track_pipeline *p;
    uint32_t object = 0;
    while (t->pass && (p = gv_track_pipeline(t, GV_TRACK_GRAPHICS, &object)) != NULL)
        put_looked_at(t, out, p);
    if (c->call == GV_CALL_draw_indexed || c->call == GV_CALL_draw_indexed_indirect)
        put_entry(t, out, GV_TRACK_INDEX, GV_EFFECT_READ);
    if (c->call == GV_CALL_draw_indirect || c->call == GV_CALL_draw_indexed_indirect)
        gv_put_whole(out, c->args[0].u, GV_EFFECT_READ);
    if (c->call == GV_CALL_draw_transform_feedback)
        gv_put_whole(out, GV_TRACK_ARGS(c, draw_transform_feedback)->counter.u,
                     GV_EFFECT_READ);
}

// Clears inside a pass, which a condition may skip.
void gv_put_clear_writes(const struct gv_track *t, const struct gv_track_call *c,
                         struct gv_effects *out)
{
    const struct gv_track_pass *pass = pass_at_hand(t);
    enum gv_effect_kind kind = t->condition ? GV_EFFECT_WRITE : GV_EFFECT_OVERWRITE;
    if (!pass)
        return;
    if (c->unknown) {
        for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++)
            put_target(t, out, pass->color[i], pass,
                       pass_area(pass, GV_EFFECT_WRITE, 0));
        put_target(t, out, pass->depth, pass, pass_area(pass, GV_EFFECT_WRITE, 0));
        return;
    }
    struct gv_track_pass layers = *pass;
    struct gv_effect e = { .kind = (uint8_t)kind, .planes = GV_ASPECT_COLOR };
    uint32_t target = pass->depth;
    int64_t x, y;
    uint64_t layer;
    if (c->call == GV_CALL_clear_color) {
        const struct gv_args_clear_color *a = GV_TRACK_ARGS(c, clear_color);
        if (a->index.u >= GV_MAX_COLOR_ATTACHMENTS)
            return;
        target = pass->color[a->index.u];
        x = a->x.i, y = a->y.i, layer = a->layer.u;
        e.width = (uint32_t)a->width.u;
        e.height = (uint32_t)a->height.u;
        layers.layers = (uint32_t)a->layers.u;
    } else {
        const struct gv_args_clear_depth_stencil *a =
            GV_TRACK_ARGS(c, clear_depth_stencil);
        x = a->x.i, y = a->y.i, layer = a->layer.u;
        e.planes = (uint8_t)a->aspect.u;
        e.width = (uint32_t)a->width.u;
        e.height = (uint32_t)a->height.u;
        layers.layers = (uint32_t)a->layers.u;
    }
    size_t before = out->count;
    if (x < 0 || y < 0 || x + (int64_t)e.width > pass->width ||
        y + (int64_t)e.height > pass->height || layers.layers > pass->layers)
        e = pass_area(pass, GV_EFFECT_WRITE, e.planes), layers = *pass, layer = 0;
    else
        e.x = (uint32_t)x, e.y = (uint32_t)y;
    if (!e.planes)
        return;
    put_target(t, out, target, &layers, e);
    if (out->count > before)
        out->items[before].slice += (uint32_t)layer;
}

// ---- dispatches ----

// What the shader of a dispatch finds at the place that a range names.
static const struct gv_track_record *range_record(const struct gv_track *t,
                                                  const struct gv_dispatch_range *range)
{
    if (range->set >= GV_MAX_SETS || range->binding >= GV_MAX_BINDING_NUMBER ||
        range->element >= GV_MAX_BINDING_ELEMENTS)
        return NULL;
    return gv_track_at(t,
                       gv_track_entry(t, range->set, range->binding, range->element));
}

// Whether it runs at all is known, and that it does.
static bool runs_surely(const struct gv_track *t, const struct gv_track_call *c)
{
    const struct gv_args_dispatch *a = GV_TRACK_ARGS(c, dispatch);
    return c->call == GV_CALL_dispatch && !c->unknown && !t->condition && a->x.u &&
           a->y.u && a->z.u;
}

static void put_rows(struct gv_effects *out, const struct gv_track_record *r,
                     const struct gv_dispatch_range *range, enum gv_effect_kind kind)
{
    const struct gv_effect e = { .object = r->object,
                                 .kind = (uint8_t)kind,
                                 .offset = r->bytes.offset + range->offset,
                                 .row_bytes = range->row_bytes,
                                 .stride = range->stride,
                                 .rows = range->rows };
    gv_put(out, &e);
}

// `r` stands where the range says. `bytes` false: of a buffer it only says that nothing
// else of it is touched.
static void put_range(const struct gv_track *t, struct gv_effects *out,
                      const struct gv_track_record *r,
                      const struct gv_dispatch_range *range, enum gv_effect_kind kind,
                      bool bytes)
{
    for (; r; r = gv_track_other(t, r)) {
        const bool image = t->objects[r->object].kind == GV_KIND_IMAGE;
        if (!image && !bytes)
            gv_put_bytes(out, r->object, kind, 0, 0);
        else if (image || !range->row_bytes) // an image is never named in part
            gv_put_whole(out, r->object, kind);
        else
            put_rows(out, r, range, kind);
    }
}

// Whether all of a range is written, whatever it held, if the dispatch runs.
static bool is_overwritten(const struct gv_track *t, const struct gv_track_record *r,
                           const struct gv_dispatch_range *range)
{
    return range->access == GV_RANGE_OVERWRITE && range->row_bytes && r &&
           !r->uncertain && t->objects[r->object].kind == GV_KIND_BUFFER;
}

// An image that may be written counts as written wherever it is named.
static bool is_written(const struct gv_track *t, const struct gv_track_record *r,
                       const struct gv_dispatch_range *range)
{
    for (; r; r = gv_track_other(t, r))
        if (r->call == GV_CALL_bind_storage_image)
            return true;
    return range->access == GV_RANGE_WRITE || range->access == GV_RANGE_OVERWRITE;
}

void gv_put_dispatch_writes(const struct gv_track *t, const struct gv_track_call *c,
                            struct gv_effects *out)
{
    const struct gv_track_ranges *ranges = gv_track_ranges_of(t, c);
    const bool surely = runs_surely(t, c);
    if (!ranges)
        put_interface(t, out, GV_TRACK_COMPUTE, GV_EFFECT_WRITE);
    for (size_t i = 0; ranges && i < ranges->count; i++) {
        const struct gv_dispatch_range *range = &ranges->items[i];
        const struct gv_track_record *r = range_record(t, range);
        if (surely && is_overwritten(t, r, range))
            put_range(t, out, r, range, GV_EFFECT_OVERWRITE, true);
        else if (is_written(t, r, range))
            put_range(t, out, r, range, GV_EFFECT_WRITE, true);
    }
}

static bool is_named(const struct gv_effects *out, size_t from, size_t to,
                     uint32_t object)
{
    for (size_t i = from; i < to; i++)
        if (out->items[i].object == object)
            return true;
    return false;
}

// The rest of an interface; [from, named) are the effects of what ranges name.
static void put_unnamed(const struct gv_track *t, struct gv_effects *out,
                        const struct gv_track_pipeline *p, size_t from, size_t named)
{
    for (uint32_t i = 0; i < p->binding_count; i++) {
        const struct gv_binding_desc *b = &t->bindings[p->binding_begin + i];
        for (uint32_t e = 0; e < b->count; e++) {
            const struct gv_track_record *r =
                gv_track_at(t, gv_track_entry(t, b->set, b->binding, e));
            for (; r; r = gv_track_other(t, r))
                if (!is_named(out, from, named, r->object))
                    gv_put_whole(out, r->object, GV_EFFECT_READ);
        }
    }
}

void gv_put_dispatch_reads(const struct gv_track *t, const struct gv_track_call *c,
                           struct gv_effects *out)
{
    const struct gv_track_ranges *ranges = gv_track_ranges_of(t, c);
    if (c->call == GV_CALL_dispatch_indirect)
        gv_put_whole(out, c->args[0].u, GV_EFFECT_READ);
    if (!ranges) {
        put_interface(t, out, GV_TRACK_COMPUTE, GV_EFFECT_READ);
        return;
    }
    size_t from = out->count;
    const bool surely = runs_surely(t, c);
    for (size_t i = 0; i < ranges->count; i++) {
        const struct gv_dispatch_range *range = &ranges->items[i];
        const struct gv_track_record *r = range_record(t, range);
        put_range(t, out, r, range,
                  range->access == GV_RANGE_READ ? GV_EFFECT_READ : GV_EFFECT_WRITE,
                  range->access != GV_RANGE_UNUSED &&
                      !(surely && is_overwritten(t, r, range)));
    }
    // An object that no range names is read whole.
    size_t named = out->count;
    uint32_t object = 0;
    const struct gv_track_pipeline *p;
    while ((p = gv_track_pipeline(t, GV_TRACK_COMPUTE, &object)) != NULL)
        put_unnamed(t, out, p, from, named);
}
