#include "compiler/vulkan/track/cap_object.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_OBJECTS (1u << 22) // alive at once

static const char *const names[GV_CAP_KINDS] = {
    [GV_CAP_INSTANCE] = "instance",
    [GV_CAP_PHYSICAL_DEVICE] = "physical device",
    [GV_CAP_DEVICE] = "device",
    [GV_CAP_QUEUE] = "queue",
    [GV_CAP_MEMORY] = "memory",
    [GV_CAP_BUFFER] = "buffer",
    [GV_CAP_IMAGE] = "image",
    [GV_CAP_BUFFER_VIEW] = "buffer view",
    [GV_CAP_IMAGE_VIEW] = "image view",
    [GV_CAP_SAMPLER] = "sampler",
    [GV_CAP_MODULE] = "shader module",
    [GV_CAP_SET_LAYOUT] = "descriptor set layout",
    [GV_CAP_PIPELINE_LAYOUT] = "pipeline layout",
    [GV_CAP_PIPELINE] = "pipeline",
    [GV_CAP_RENDER_PASS] = "render pass",
    [GV_CAP_FRAMEBUFFER] = "framebuffer",
    [GV_CAP_DESCRIPTOR_POOL] = "descriptor pool",
    [GV_CAP_SET] = "descriptor set",
    [GV_CAP_TEMPLATE] = "descriptor update template",
    [GV_CAP_COMMAND_POOL] = "command pool",
    [GV_CAP_COMMANDS] = "command buffer",
    [GV_CAP_QUERY_POOL] = "query pool",
    [GV_CAP_SWAPCHAIN] = "swapchain",
    [GV_CAP_TIMELINE] = "timeline semaphore",
};

void gv_cap_init(struct gv_cap *cap, struct gv_arena *arena)
{
    *cap = (struct gv_cap){ .arena = arena };
    cap->map = (struct gv_id_map){ .arena = arena,
                                   .object_bytes = sizeof(struct gv_cap_object),
                                   .serials = &cap->serials,
                                   .limit = MOST_OBJECTS };
}

static void finish_content(struct gv_cap_object *o)
{
    if (o->content && o->finish)
        o->finish(o->content);
    o->content = NULL;
}

void gv_cap_finish(struct gv_cap *cap)
{
    // Resources leave their memory, so that goes last.
    for (struct gv_named *n = gv_id_first(&cap->map); n; n = gv_id_next(n))
        if (((struct gv_cap_object *)n)->kind != GV_CAP_MEMORY)
            finish_content((struct gv_cap_object *)n);
    for (struct gv_named *n = gv_id_first(&cap->map); n; n = gv_id_next(n))
        finish_content((struct gv_cap_object *)n);
}

bool gv_cap_fail(const struct gv_cap *cap, struct gv_error *err, const char *format,
                 ...)
{
    char text[120];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return gv_fail(err, GV_ERR_FORMAT, cap->place.offset, "block %llu, %s: %s",
                   (unsigned long long)cap->place.block, cap->name, text);
}

bool gv_cap_no_memory(const struct gv_cap *cap, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_MEMORY, cap->place.offset, "no memory for %s",
                   cap->name);
}

static struct gv_cap_object *find(const struct gv_cap *cap, uint64_t id,
                                  enum gv_cap_kind kind)
{
    struct gv_cap_object *o = (struct gv_cap_object *)gv_id_find(&cap->map, id);
    return o && o->kind == kind ? o : NULL;
}

static bool refuse(const struct gv_cap *cap, enum gv_id_result result,
                   const struct gv_cap_new *n, struct gv_error *err)
{
    if (n->content && n->finish)
        n->finish(n->content);
    switch (result) {
    case GV_ID_ZERO:
        return gv_cap_fail(cap, err, "a %s without an id", names[n->kind]);
    case GV_ID_IN_USE:
        return gv_cap_fail(cap, err, "id %llu is in use", (unsigned long long)n->id);
    case GV_ID_LIMIT:
        return gv_fail(err, GV_ERR_LIMIT, cap->place.offset, "more than %u objects",
                       MOST_OBJECTS);
    case GV_ID_NO_MEMORY:
    case GV_ID_OK:
        break;
    }
    return gv_cap_no_memory(cap, err);
}

static bool join_pool(struct gv_cap *cap, struct gv_cap_object *o, uint64_t pool,
                      struct gv_error *err)
{
    const enum gv_cap_kind kind =
        o->kind == GV_CAP_SET ? GV_CAP_DESCRIPTOR_POOL : GV_CAP_COMMAND_POOL;
    struct gv_cap_object *p = find(cap, pool, kind);
    if (!p)
        return gv_cap_fail(cap, err, "id %llu is no %s", (unsigned long long)pool,
                           names[kind]);
    o->pool = p;
    o->next = p->first;
    if (p->first)
        p->first->previous = o;
    p->first = o;
    return true;
}

bool gv_cap_add(struct gv_cap *cap, const struct gv_cap_new *n, struct gv_error *err)
{
    struct gv_named *named = NULL;
    const enum gv_id_result result =
        n->content ? gv_id_create(&cap->map, n->id, &named) : GV_ID_NO_MEMORY;
    if (result != GV_ID_OK)
        return refuse(cap, result, n, err);
    struct gv_cap_object *o = (struct gv_cap_object *)named;
    *o = (struct gv_cap_object){
        .named = o->named, .kind = n->kind, .content = n->content, .finish = n->finish
    };
    return !n->pool || join_pool(cap, o, n->pool, err);
}

void *gv_cap_find(const struct gv_cap *cap, uint64_t id, enum gv_cap_kind kind)
{
    const struct gv_cap_object *o = find(cap, id, kind);
    return o ? o->content : NULL;
}

void *gv_cap_need(const struct gv_cap *cap, uint64_t id, enum gv_cap_kind kind,
                  struct gv_error *err)
{
    void *content = gv_cap_find(cap, id, kind);
    if (!content)
        gv_cap_fail(cap, err, "id %llu is no %s", (unsigned long long)id, names[kind]);
    return content;
}

struct gv_cap_ref gv_cap_refer(const struct gv_cap *cap, uint64_t id,
                               enum gv_cap_kind kind)
{
    struct gv_cap_object *o = find(cap, id, kind);
    return (struct gv_cap_ref){ o, o ? o->named.serial : 0 };
}

void *gv_cap_ref_content(const struct gv_cap_ref *ref, enum gv_cap_kind kind)
{
    const struct gv_cap_object *o = ref->object;
    return o && o->named.serial == ref->serial && o->named.names && o->kind == kind
               ? o->content
               : NULL;
}

bool gv_cap_keep(struct gv_cap *cap, uint64_t id, enum gv_cap_kind kind, void *content,
                 struct gv_error *err)
{
    const struct gv_cap_new n = { .id = id, .kind = kind, .content = content };
    return gv_cap_add(cap, &n, err);
}

static void leave_pool(struct gv_cap_object *o)
{
    if (!o->pool)
        return;
    if (o->previous)
        o->previous->next = o->next;
    else
        o->pool->first = o->next;
    if (o->next)
        o->next->previous = o->previous;
    o->pool = NULL;
}

static void remove_object(struct gv_cap *cap, struct gv_cap_object *o)
{
    leave_pool(o);
    finish_content(o);
    gv_id_remove(&cap->map, o->named.name);
    if (gv_id_release(&o->named))
        gv_id_reuse(&cap->map, &o->named);
}

static void empty(struct gv_cap *cap, struct gv_cap_object *pool)
{
    while (pool->first)
        remove_object(cap, pool->first);
}

void gv_cap_remove(struct gv_cap *cap, uint64_t id, enum gv_cap_kind kind)
{
    struct gv_cap_object *o = find(cap, id, kind);
    if (!o)
        return;
    empty(cap, o);
    remove_object(cap, o);
}

void gv_cap_empty_pool(struct gv_cap *cap, uint64_t pool, enum gv_cap_kind kind)
{
    struct gv_cap_object *o = find(cap, pool, kind);
    if (o)
        empty(cap, o);
}

void gv_cap_each_pooled(const struct gv_cap *cap, uint64_t pool, enum gv_cap_kind kind,
                        void (*each)(void *content))
{
    const struct gv_cap_object *p = find(cap, pool, kind);
    for (struct gv_cap_object *o = p ? p->first : NULL; o; o = o->next)
        each(o->content);
}
