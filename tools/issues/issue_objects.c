#include "tools/issues/issue_objects.h"

#include <stdlib.h>
#include <string.h>

// ---- pipelines ----

static bool is_storage(uint32_t type)
{
    return type == GV_BINDING_STORAGE_IMAGE ||
           type == GV_BINDING_STORAGE_TEXEL_BUFFER || type == GV_BINDING_STORAGE_BUFFER;
}

static void take_interface(struct gv_issue_pipeline *p,
                           const struct gv_interface_desc *interface)
{
    p->binding_count = interface->binding_count;
    for (uint32_t i = 0; i < p->binding_count; i++) {
        p->bindings[i] = interface->bindings[i];
        p->stores = p->stores || is_storage(p->bindings[i].type);
    }
}

static void take_graphics(struct gv_issue_pipeline *p, const struct gv_graphics_desc *d)
{
    p->graphics = true;
    p->discards = d->rasterizer_discard;
    p->writes = d->stencil_test || (d->depth_test && d->depth_write);
    for (uint32_t i = 0; i < d->color_count; i++)
        p->writes = p->writes || (d->color_formats[i] && d->blend[i].write_mask);
    for (uint32_t i = 0; i < d->vertex_binding_count; i++)
        p->vertices |= 1u << (d->vertex_bindings[i].slot & 31);
    take_interface(p, &d->interface);
}

// The description passed the verifier and the runtime.
static struct gv_issue_pipeline *read_pipeline(uint8_t call, const union gv_arg *args)
{
    struct gv_issue_pipeline *p = calloc(1, sizeof *p);
    struct gv_graphics_desc *graphics = calloc(1, sizeof *graphics);
    struct gv_compute_desc *compute = calloc(1, sizeof *compute);
    struct gv_cursor c = { .data = args[0].data, .size = (size_t)args[1].u };
    if (p && graphics && call == GV_CALL_pipeline_create_graphics &&
        gv_graphics_desc_decode(&c, graphics, NULL))
        take_graphics(p, graphics);
    if (p && compute && call == GV_CALL_pipeline_create_compute &&
        gv_compute_desc_decode(&c, compute, NULL))
        take_interface(p, &compute->interface);
    free(graphics);
    free(compute);
    return p;
}

// ---- objects ----

static size_t index_of(uint64_t handle)
{
    return (size_t)(handle & UINT32_MAX);
}

static bool grow(struct gv_issue_objects *o, size_t index)
{
    const size_t count = index + 1 + index / 2;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    struct gv_issue_object **items = realloc(o->items, count * sizeof(*items));
    if (!items)
        return false;
    // NOLINTNEXTLINE(bugprone-sizeof-expression)
    memset(items + o->count, 0, (count - o->count) * sizeof(*items));
    o->items = items;
    o->count = count;
    return true;
}

static void release(struct gv_issue_object *object)
{
    if (object)
        free(object->pipeline);
    free(object);
}

bool gv_issue_objects_make(struct gv_issue_objects *o, uint8_t call,
                           const union gv_arg *args, uint64_t handle)
{
    const size_t index = index_of(handle);
    if (index >= o->count && !grow(o, index))
        return false;
    struct gv_issue_object *object = calloc(1, sizeof *object);
    if (!object)
        return false;
    object->handle = handle;
    object->kind = gv_call_infos[call].result;
    if (object->kind == GV_KIND_PIPELINE)
        object->pipeline = read_pipeline(call, args);
    release(o->items[index]);
    o->items[index] = object;
    return object->kind != GV_KIND_PIPELINE || object->pipeline;
}

struct gv_issue_object *gv_issue_objects_find(const struct gv_issue_objects *o,
                                              uint64_t handle)
{
    const size_t index = index_of(handle);
    struct gv_issue_object *object = index < o->count ? o->items[index] : NULL;
    return object && handle && object->handle == handle ? object : NULL;
}

void gv_issue_objects_destroy(struct gv_issue_objects *o, uint64_t handle)
{
    if (!gv_issue_objects_find(o, handle))
        return;
    release(o->items[index_of(handle)]);
    o->items[index_of(handle)] = NULL;
}

void gv_issue_objects_finish(struct gv_issue_objects *o)
{
    for (size_t i = 0; i < o->count; i++)
        release(o->items[i]);
    free(o->items);
    *o = (struct gv_issue_objects){ 0 };
}

// ---- writes ----

static uint32_t bits(uint64_t first, uint64_t count)
{
    uint32_t out = 0;
    for (uint64_t i = first; i < 32 && i - first < count; i++)
        out |= 1u << i;
    return out;
}

uint32_t gv_issue_mips(uint8_t call, const union gv_arg *args, unsigned i)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    uint64_t first = 0, count = UINT64_MAX;
    bool optional;
    for (unsigned k = i + 1; k < info->arg_count; k++) {
        const struct gv_arg_info *arg = &info->args[k];
        if (gv_arg_object_kind((enum gv_arg_kind)arg->kind, &optional) != GV_KIND_NONE)
            break;
        if (arg->role == GV_ROLE_MIP) {
            first = args[k].u;
            count = 1;
        } else if (arg->role == GV_ROLE_MIPS) {
            count = args[k].u ? args[k].u : UINT64_MAX;
        }
    }
    return bits(first, count);
}

void gv_issue_written(struct gv_issue_object *object, uint32_t mips)
{
    object->written |= mips;
    for (size_t i = 0; i < GV_ISSUE_UPLOADS; i++)
        object->uploads[i].call = 0;
}

// ---- uploads ----

static bool spans_meet(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    return a < b + b_size && b < a + a_size;
}

static bool images_meet(const struct gv_args_image_upload *a,
                        const struct gv_args_image_upload *b)
{
    return a->mip.u == b->mip.u && a->aspect.u & b->aspect.u &&
           spans_meet(a->layer.u, a->layers.u, b->layer.u, b->layers.u) &&
           spans_meet(a->x.u, a->width.u, b->x.u, b->width.u) &&
           spans_meet(a->y.u, a->height.u, b->y.u, b->height.u) &&
           spans_meet(a->z.u, a->depth.u, b->z.u, b->depth.u);
}

// Whether one may touch something of the other.
static bool meet(const struct gv_issue_upload *u, uint8_t call,
                 const union gv_arg *args)
{
    if (u->call != call || call == GV_CALL_buffer_upload_rows)
        return true;
    if (call == GV_CALL_image_upload)
        return images_meet((const struct gv_args_image_upload *)u->args,
                           (const struct gv_args_image_upload *)args);
    const struct gv_args_buffer_upload *a =
        (const struct gv_args_buffer_upload *)u->args;
    const struct gv_args_buffer_upload *b = (const struct gv_args_buffer_upload *)args;
    return spans_meet(a->offset.u, a->size.u, b->offset.u, b->size.u);
}

bool gv_issue_upload(struct gv_issue_object *object, uint8_t call,
                     const union gv_arg *args)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    struct gv_issue_upload now = { .call = call };
    bool again = false;
    for (unsigned i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == GV_ARG_BYTES)
            now.hash = gv_hash_bytes(args[i].data, (size_t)args[i + 1].u);
        else
            now.args[i] = args[i];
    for (size_t i = 0; i < GV_ISSUE_UPLOADS; i++) {
        struct gv_issue_upload *u = &object->uploads[i];
        if (!u->call || !meet(u, call, now.args))
            continue;
        again = again || (u->call == call && gv_hash_equal(&u->hash, &now.hash) &&
                          memcmp(u->args, now.args, sizeof now.args) == 0);
        u->call = 0;
    }
    object->uploads[object->next_upload++ % GV_ISSUE_UPLOADS] = now;
    return again;
}
