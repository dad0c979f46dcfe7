// Handles: one namespace for buffers, textures, views, shaders, layouts and samplers,
// shared by all contexts; aliases of shared surfaces are further handles of one object.
#include "compiler/aerogpu/aero.h"

#include <stdarg.h>
#include <stdio.h>

bool gv_aero_fail(struct gv_aero *a, enum gv_status status, struct gv_error *err,
                  const char *format, ...)
{
    const struct gv_cmd *c = a->packet;
    char text[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    gv_fail(err, status, c->offset, "%s: %s", c->info ? c->info->name : "packet", text);
    return gv_error_at_command(err, gv_builder_current_command(a->b));
}

bool gv_aero_refuse(struct gv_aero *a, const struct gv_error *inner,
                    struct gv_error *err)
{
    return gv_aero_fail(a, inner->status, err, "%s", inner->message);
}

struct gv_aero_object *gv_aero_find(struct gv_aero *a, uint32_t handle)
{
    return (struct gv_aero_object *)gv_id_find(&a->objects, handle);
}

bool gv_aero_is_dead(struct gv_aero *a, uint32_t handle)
{
    return gv_id_reserved(&a->objects, handle);
}

static bool check_id(struct gv_aero *a, uint32_t handle, enum gv_id_result result,
                     struct gv_error *err)
{
    switch (result) {
    case GV_ID_OK:
        return true;
    case GV_ID_ZERO:
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle 0 is no handle");
    case GV_ID_IN_USE:
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is in use", handle);
    case GV_ID_LIMIT:
        return gv_aero_fail(a, GV_ERR_LIMIT, err, "more than %u live objects",
                            GV_AERO_MAX_OBJECTS);
    case GV_ID_NO_MEMORY:
        break;
    }
    return gv_out_of_memory(err);
}

struct gv_aero_object *gv_aero_create(struct gv_aero *a, uint32_t handle,
                                      enum gv_aero_kind kind, struct gv_error *err)
{
    struct gv_named *named = NULL;
    if (!check_id(a, handle, gv_id_create(&a->objects, handle, &named), err))
        return NULL;
    struct gv_aero_object *o = (struct gv_aero_object *)named;
    o->kind = (uint8_t)kind;
    return o;
}

bool gv_aero_alias(struct gv_aero *a, uint32_t handle, struct gv_aero_object *o,
                   struct gv_error *err)
{
    return check_id(a, handle, gv_id_alias(&a->objects, handle, &o->named), err);
}

struct gv_aero_object *gv_aero_texture_of(struct gv_aero_object *o)
{
    if (o && o->kind == GV_AERO_VIEW)
        return o->view.texture;
    return o && o->kind == GV_AERO_TEXTURE ? o : NULL;
}

// Whether a binding that holds `held` ends with `o`: itself, or a view of it.
static bool holds(struct gv_aero_object *held, struct gv_aero_object *o)
{
    return held &&
           (held == o || (held->kind == GV_AERO_VIEW && held->view.texture == o));
}

static void unbind_stage(struct gv_aero_stage *s, struct gv_aero_object *o)
{
    for (uint32_t i = 0; i < GV_AERO_CONSTANT_BUFFERS; i++)
        if (holds(s->constants[i].buffer, o)) {
            s->constants[i] = (struct gv_aero_range){ 0 };
            s->dirty_constants |= 1u << i;
        }
    for (uint32_t i = 0; i < GV_AERO_TEXTURES; i++)
        if (holds(s->textures[i], o)) {
            s->textures[i] = NULL;
            s->dirty_textures = s->dirty_buffers = true;
        }
    for (uint32_t i = 0; i < GV_AERO_SAMPLERS; i++)
        if (holds(s->samplers[i], o)) {
            s->samplers[i] = NULL;
            s->dirty_samplers = true;
        }
    for (uint32_t i = 0; i < GV_AERO_UAVS; i++)
        if (holds(s->uavs[i].buffer, o)) {
            s->uavs[i] = (struct gv_aero_range){ 0 };
            s->dirty_buffers = true;
        }
}

static void unbind_context(struct gv_aero_context *x, struct gv_aero_object *o)
{
    for (uint32_t i = 0; i < GV_DXBC_STAGE_COUNT; i++) {
        unbind_stage(&x->stages[i], o);
        if (holds(x->shaders[i], o)) {
            x->shaders[i] = NULL;
            x->dirty |= GV_AERO_DIRTY_PIPELINE;
        }
    }
    for (uint32_t i = 0; i < GV_AERO_TARGETS; i++)
        if (holds(x->targets[i], o)) {
            x->targets[i] = NULL;
            x->dirty |= GV_AERO_DIRTY_TARGETS;
        }
    if (holds(x->depth_target, o)) {
        x->depth_target = NULL;
        x->dirty |= GV_AERO_DIRTY_TARGETS;
    }
    for (uint32_t i = 0; i < GV_AERO_VERTEX_BUFFERS; i++)
        if (holds(x->streams[i].buffer, o)) {
            x->streams[i] = (struct gv_aero_vertex_stream){ 0 };
            x->dirty_streams |= 1u << i;
            x->dirty |= GV_AERO_DIRTY_PIPELINE;
        }
    if (holds(x->index_buffer, o)) {
        x->index_buffer = NULL;
        x->indices.buffer = NULL;
        x->indices.dirty = true;
    }
    if (holds(x->layout, o)) {
        x->layout = NULL;
        x->dirty |= GV_AERO_DIRTY_PIPELINE;
    }
}

void gv_aero_unbind(struct gv_aero *a, struct gv_aero_object *o)
{
    if (o->bound)
        for (uint32_t i = 0; i < a->contexts.count; i++)
            unbind_context(a->contexts.items[i], o);
    o->bound = false;
}

static void destroy_buffer(struct gv_aero *a, struct gv_aero_buffer *b)
{
    gv_lower_buffer_finish(&a->buffers, &b->base);
    if (b->counter.id)
        gv_emit(a->b, buffer_destroy, .buffer = b->counter);
}

static void destroy_texture(struct gv_aero *a, struct gv_aero_texture *t)
{
    gv_lower_transfer(&a->pass);
    if (a->frames.color.image.id == t->base.gpu.id)
        a->frames.color.image = GV_NO_IMAGE;
    if (a->frames.depth.image.id == t->base.gpu.id)
        a->frames.depth.image = GV_NO_IMAGE;
    gv_emit(a->b, image_destroy, .image = t->base.gpu);
}

void gv_aero_release(struct gv_aero *a, struct gv_aero_object *o)
{
    if (!gv_id_release(&o->named))
        return;
    gv_aero_unbind(a, o);
    gv_aero_tokens_retire(&a->tokens, o);
    if (o->kind == GV_AERO_BUFFER)
        destroy_buffer(a, &o->buffer);
    else if (o->kind == GV_AERO_TEXTURE)
        destroy_texture(a, &o->texture);
    else if (o->kind == GV_AERO_VIEW)
        gv_aero_release(a, o->view.texture);
    gv_id_reuse(&a->objects, &o->named);
}

void gv_aero_destroy(struct gv_aero *a, uint32_t handle)
{
    struct gv_aero_object *o =
        (struct gv_aero_object *)gv_id_remove(&a->objects, handle);
    if (!o)
        return;
    if (!o->named.names)
        gv_aero_unbind(a, o);
    gv_aero_release(a, o);
}

// ---- packets ----

// Destroys a handle only if it names one of the kinds; else it is a no-op.
static bool destroy_kind(struct gv_aero *a, uint32_t handle, unsigned kinds)
{
    const struct gv_aero_object *o = gv_aero_find(a, handle);
    if (o && (kinds >> o->kind & 1))
        gv_aero_destroy(a, handle);
    return true;
}

GV_AERO_HANDLER(gv_aero_destroy_resource)
{
    (void)x, (void)err;
    return destroy_kind(a, GV_CMD_U32(c, DESTROY_RESOURCE, handle),
                        1u << GV_AERO_BUFFER | 1u << GV_AERO_TEXTURE);
}

GV_AERO_HANDLER(gv_aero_destroy_texture_view)
{
    (void)x, (void)err;
    return destroy_kind(a, GV_CMD_U32(c, DESTROY_TEXTURE_VIEW, view),
                        1u << GV_AERO_VIEW);
}

GV_AERO_HANDLER(gv_aero_destroy_shader)
{
    (void)x, (void)err;
    return destroy_kind(a, GV_CMD_U32(c, DESTROY_SHADER, handle), 1u << GV_AERO_SHADER);
}

GV_AERO_HANDLER(gv_aero_destroy_input_layout)
{
    (void)x, (void)err;
    return destroy_kind(a, GV_CMD_U32(c, DESTROY_INPUT_LAYOUT, handle),
                        1u << GV_AERO_LAYOUT);
}

GV_AERO_HANDLER(gv_aero_destroy_sampler)
{
    (void)x, (void)err;
    return destroy_kind(a, GV_CMD_U32(c, DESTROY_SAMPLER, handle),
                        1u << GV_AERO_SAMPLER);
}
