// Buffers: creation, uploads, dirty ranges, copies. Small constant buffers are tracked
// while compiling, so that draws carry their bytes and no upload breaks a pass.
#include "compiler/aerogpu/aero.h"

#include <string.h>

#include "resources/base/checked.h"

#define COPY_WRITEBACK 1u // the only copy flag

// Draws look at a changed buffer again: its bytes travel with them.
static void touch_constants(struct gv_aero *a, const struct gv_aero_object *o)
{
    for (uint32_t i = 0; o->bound && i < a->contexts.count; i++)
        for (uint32_t s = 0; s < GV_DXBC_STAGE_COUNT; s++) {
            struct gv_aero_stage *stage = &a->contexts.items[i]->stages[s];
            for (uint32_t k = 0; k < GV_AERO_CONSTANT_BUFFERS; k++)
                if (stage->constants[k].buffer == o)
                    stage->dirty_constants |= 1u << k;
        }
}

void gv_aero_buffers_written(struct gv_aero *a, struct gv_aero_context *x)
{
    struct gv_aero_stage *s = &x->stages[GV_DXBC_COMPUTE];
    for (uint32_t i = 0; i < GV_AERO_UAVS; i++) {
        struct gv_aero_object *o = s->uavs[i].buffer;
        if (!o)
            continue;
        struct gv_lower_copy *copy = s->uav_scratch ? &s->uav_scratch[i] : NULL;
        o->buffer.base.version++;
        touch_constants(a, o);
        if (copy)
            gv_lower_copy_back(&a->buffers, copy, &o->buffer.base);
    }
}

// Reads the mirrored bytes of a tracked or untracked buffer from guest memory.
static bool fetch(struct gv_aero *a, struct gv_aero_object *o, uint64_t offset,
                  uint64_t size, struct gv_error *err)
{
    struct gv_aero_buffer *b = &o->buffer;
    struct gv_lower_source source = { 0 };
    source.data = gv_aero_memory_read(a, &b->backing, offset, size,
                                      b->base.known ? NULL : &source.value, err);
    if (!source.data)
        return false;
    gv_lower_buffer_write(&a->buffers, &b->base, offset, size, &source);
    if (gv_aero_written_back(a, &b->backing, offset, size))
        gv_aero_writeback_apply(a, &b->backing, offset, size,
                                gv_lower_buffer_target(&a->buffers, &b->base), offset);
    touch_constants(a, o);
    return true;
}

GV_AERO_HANDLER(gv_aero_create_buffer)
{
    (void)x;
    uint64_t size = GV_CMD_U64(c, CREATE_BUFFER, size_bytes);
    if (!size)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "size 0");
    if (size > GV_AERO_MAX_RESOURCE_BYTES)
        return gv_aero_fail(a, GV_ERR_LIMIT, err, "%llu bytes are over the limit",
                            (unsigned long long)size);
    struct gv_aero_object *o =
        gv_aero_create(a, GV_CMD_U32(c, CREATE_BUFFER, handle), GV_AERO_BUFFER, err);
    if (!o)
        return false;
    struct gv_aero_buffer *b = &o->buffer;
    b->usage = GV_CMD_U32(c, CREATE_BUFFER, usage);
    b->backing = (struct gv_aero_backing){
        GV_CMD_U32(c, CREATE_BUFFER, backing_alloc_id),
        GV_CMD_U32(c, CREATE_BUFFER, backing_offset),
    };
    if (!gv_lower_buffer_init(&a->buffers, &b->base, size, o->named.serial,
                              b->usage & GV_AERO_USAGE_CONSTANT, err))
        return false;
    return !b->backing.alloc_id || fetch(a, o, 0, size, err);
}

static bool upload_buffer(struct gv_aero *a, const struct gv_cmd *c,
                          struct gv_aero_object *o, struct gv_error *err)
{
    struct gv_aero_buffer *b = &o->buffer;
    uint64_t offset = GV_CMD_U64(c, UPLOAD_RESOURCE, offset);
    uint64_t size = GV_CMD_U64(c, UPLOAD_RESOURCE, size);
    if (!gv_range_inside(offset, size, b->base.size))
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "%llu bytes at %llu pass a buffer of %llu",
                            (unsigned long long)size, (unsigned long long)offset,
                            (unsigned long long)b->base.size);
    if (offset % 4 || (size % 4 && offset + size != b->base.size))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "range is not aligned to 4");
    if (!size)
        return true;
    const uint8_t *data = c->p + GV_AT_UPLOAD_RESOURCE_tail;
    gv_lower_buffer_write(&a->buffers, &b->base, offset, size,
                          &(struct gv_lower_source){ data, gv_data(data) });
    touch_constants(a, o);
    return true;
}

static bool upload_texture(struct gv_aero *a, const struct gv_cmd *c,
                           struct gv_aero_texture *t, struct gv_error *err)
{
    uint64_t offset = GV_CMD_U64(c, UPLOAD_RESOURCE, offset);
    uint64_t size = GV_CMD_U64(c, UPLOAD_RESOURCE, size);
    if (!gv_range_inside(offset, size, t->base.linear_size))
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "%llu bytes at %llu pass a texture of %llu",
                            (unsigned long long)size, (unsigned long long)offset,
                            (unsigned long long)t->base.linear_size);
    const uint8_t *data = c->p + GV_AT_UPLOAD_RESOURCE_tail;
    return !size ||
           gv_aero_texture_write(a, t, offset, size,
                                 &(struct gv_lower_source){ data, gv_data(data) }, err);
}

// Unknown handles are ignored, but not those of shared surfaces that are reserved.
static bool ignored(struct gv_aero *a, uint32_t handle, struct gv_error *err)
{
    return !gv_aero_is_dead(a, handle) ||
           gv_aero_fail(a, GV_ERR_FORMAT, err,
                        "handle %u was destroyed, and its aliases live", handle);
}

GV_AERO_HANDLER(gv_aero_upload_resource)
{
    (void)x;
    if (GV_CMD_U64(c, UPLOAD_RESOURCE, size) > c->size - GV_AT_UPLOAD_RESOURCE_tail)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "PayloadTooSmall(0x104): data passes the packet");
    struct gv_aero_object *o = gv_aero_find(a, GV_CMD_U32(c, UPLOAD_RESOURCE, handle));
    if (o && o->kind == GV_AERO_BUFFER)
        return upload_buffer(a, c, o, err);
    if (o && o->kind == GV_AERO_TEXTURE)
        return upload_texture(a, c, &o->texture, err);
    return ignored(a, GV_CMD_U32(c, UPLOAD_RESOURCE, handle), err);
}

GV_AERO_HANDLER(gv_aero_resource_dirty_range)
{
    (void)x;
    struct gv_aero_object *o =
        gv_aero_find(a, GV_CMD_U32(c, RESOURCE_DIRTY_RANGE, handle));
    uint64_t offset = GV_CMD_U64(c, RESOURCE_DIRTY_RANGE, offset);
    uint64_t size = GV_CMD_U64(c, RESOURCE_DIRTY_RANGE, size);
    if (!o || (o->kind != GV_AERO_BUFFER && o->kind != GV_AERO_TEXTURE))
        return ignored(a, GV_CMD_U32(c, RESOURCE_DIRTY_RANGE, handle), err);
    bool buffer = o->kind == GV_AERO_BUFFER;
    uint64_t total = buffer ? o->buffer.base.size : o->texture.base.linear_size;
    if (!gv_range_inside(offset, size, total))
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "%llu bytes at %llu pass a resource of %llu",
                            (unsigned long long)size, (unsigned long long)offset,
                            (unsigned long long)total);
    const struct gv_aero_backing *backing =
        buffer ? &o->buffer.backing : &o->texture.backing;
    if (!backing->alloc_id || !size)
        return true; // nothing to read from (Direct3D 11 executor)
    if (buffer)
        return fetch(a, o, offset, size, err);
    return gv_aero_texture_fetch(a, &o->texture, offset, size, err);
}

static bool check_copy(struct gv_aero *a, const struct gv_cmd *c,
                       const struct gv_aero_object *dst,
                       const struct gv_aero_object *src, struct gv_error *err)
{
    uint64_t to = GV_CMD_U64(c, COPY_BUFFER, dst_offset);
    uint64_t from = GV_CMD_U64(c, COPY_BUFFER, src_offset);
    uint64_t size = GV_CMD_U64(c, COPY_BUFFER, size);
    if (GV_CMD_U32(c, COPY_BUFFER, flags) & ~COPY_WRITEBACK)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "unknown flags 0x%x",
                            GV_CMD_U32(c, COPY_BUFFER, flags));
    if (!dst || dst->kind != GV_AERO_BUFFER || !src || src->kind != GV_AERO_BUFFER)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no buffer",
                            !dst || dst->kind != GV_AERO_BUFFER
                                ? GV_CMD_U32(c, COPY_BUFFER, dst)
                                : GV_CMD_U32(c, COPY_BUFFER, src));
    if (dst == src)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "source is the destination");
    if (!gv_range_inside(to, size, dst->buffer.base.size) ||
        !gv_range_inside(from, size, src->buffer.base.size))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "range passes a buffer");
    if (to % 4 || from % 4 ||
        (size % 4 && to + size != dst->buffer.base.size &&
         from + size != src->buffer.base.size))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "range is not aligned to 4");
    return true;
}

GV_AERO_HANDLER(gv_aero_copy_buffer)
{
    (void)x;
    struct gv_aero_object *dst = gv_aero_find(a, GV_CMD_U32(c, COPY_BUFFER, dst));
    struct gv_aero_object *src = gv_aero_find(a, GV_CMD_U32(c, COPY_BUFFER, src));
    uint64_t to = GV_CMD_U64(c, COPY_BUFFER, dst_offset);
    uint64_t from = GV_CMD_U64(c, COPY_BUFFER, src_offset);
    uint64_t size = GV_CMD_U64(c, COPY_BUFFER, size);
    if (!check_copy(a, c, dst, src, err))
        return false;
    if (!size)
        return true;
    bool writeback = GV_CMD_U32(c, COPY_BUFFER, flags) & COPY_WRITEBACK;
    gv_lower_buffer_copy(
        &a->buffers, &(struct gv_lower_buffer_range){ &dst->buffer.base, to },
        &(struct gv_lower_buffer_range){ &src->buffer.base, from }, size, writeback);
    touch_constants(a, dst);
    if (!writeback)
        return true;
    const struct gv_aero_writeback *w =
        gv_aero_writeback_add(a, &dst->buffer.backing, to, size, err);
    if (w)
        gv_emit(a->b, buffer_copy, .dst = w->copy, .dst_offset = 0,
                .src = dst->buffer.base.gpu, .src_offset = to, .size = size);
    return w;
}
