#include "compiler/gl/geometry/gl_array_device.h"

#include <stdio.h>

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/geometry/gl_elements.h"
#include "compiler/gl/geometry/gl_feed.h"
#include "compiler/gl/geometry/gl_feeding.h"
#include "compiler/gl/geometry/gl_indices.h"

// NULL, or what such a draw cannot have.
static const struct gv_gl_lack *take_array(struct gv_gl_context *c,
                                           struct gv_gl_objects *objects, uint32_t slot,
                                           struct gv_gl_geometry *g)
{
    const struct gv_gl_vertex_array *v = c->client.vertex_array;
    const struct gv_gl_array *a = &v->arrays[slot];
    const struct gv_gl_binding *from = &v->bindings[a->binding];
    if (!a->enabled)
        return NULL;
    struct gv_gl_buffer *b = gv_gl_buffer_find(objects, from->buffer);
    if (!b)
        return GV_GL_LACK(CLIENT_ARRAYS);
    if (b->unknown && !b->on_device)
        return GV_GL_LACK(UNKNOWN_VERTICES);
    struct gv_gl_device_array *to = &c->feeding->converted.device[slot];
    *to = (struct gv_gl_device_array){ .buffer = b,
                                       .offset = from->offset + a->relative,
                                       .stride = from->stride,
                                       .divisor = from->divisor,
                                       .type = a->type,
                                       .size = a->size,
                                       .kind = a->kind,
                                       .normalized = a->normalized };
    g->device[slot] = to;
    g->devices++;
    return NULL;
}

bool gv_gl_draw_on_device(struct gv_gl *gl, const struct gv_gl_device_draw *d,
                          struct gv_error *err)
{
    if (!gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err))
        return false;
    if (!gv_gl_is_programmed(gl->context))
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(FIXED_DEVICE));
    if (gv_gl_is_listing(gl->context) || gl->context->inside_begin)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    struct gv_gl_geometry g = { .mode = d->mode,
                                .vertex_count = 1,
                                .counted = d->counted,
                                .instances = d->instances,
                                .base_instance = d->base_instance,
                                .draw = d->draw };
    const struct gv_gl_lack *missing = NULL;
    for (uint32_t slot = 0; slot < GV_GL_SLOTS && !missing; slot++)
        missing = take_array(gl->context, &gl->objects, slot, &g);
    return missing ? gv_gl_unsupported(&gl->sink, missing) : gv_gl_submit(gl, &g, err);
}

bool gv_gl_device_indices(struct gv_gl *gl, uint32_t type, uint64_t offset,
                          struct gv_gl_counted *out)
{
    const struct gv_gl_client *c = &gl->context->client;
    struct gv_gl_buffer *b = gv_gl_buffer_find(&gl->objects, c->vertex_array->elements);
    if (!b || offset >= b->size)
        return !gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (b->unknown && !b->on_device)
        return !gv_gl_unsupported(&gl->sink, GV_GL_LACK(PACKED_INDICES));
    if (type == GL_UNSIGNED_BYTE || offset % gv_gl_index_bytes(type))
        return !gv_gl_unsupported(&gl->sink, GV_GL_LACK(BYTE_INDICES));
    if (c->primitive_restart || c->primitive_restart_fixed)
        return !gv_gl_unsupported(&gl->sink, GV_GL_LACK(RESTARTED_INDICES));
    out->indices = b;
    out->first_index = offset;
    out->index_type =
        type == GL_UNSIGNED_INT ? GV_INDEX_TYPE_UINT32 : GV_INDEX_TYPE_UINT16;
    return true;
}
