// Buffer objects: their store, their mappings.
#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/base/gl_names.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/checked.h"

struct gv_gl_buffers {
    struct gv_id_map map;
    uint64_t bytes; // of all buffers
    struct gv_gl_buffer *mapped;
};

bool gv_gl_buffers_create(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                          struct gv_error *err)
{
    struct gv_gl_buffers *b = gv_arena_alloc(sink->arena, sizeof *b);
    if (!b)
        return gv_out_of_memory(err);
    b->map = (struct gv_id_map){
        .arena = sink->arena,
        .object_bytes = sizeof(struct gv_gl_buffer),
        .serials = &sink->serials,
        .limit = GV_GL_MAX_BUFFERS,
    };
    objects->buffers = b;
    return true;
}

void gv_gl_buffers_destroy(struct gv_gl_objects *objects)
{
    if (!objects->buffers)
        return;
    const struct gv_id_map *m = &objects->buffers->map;
    for (struct gv_named *o = gv_id_first(m); o; o = gv_id_next(o)) {
        struct gv_gl_buffer *b = (struct gv_gl_buffer *)o;
        free(b->bytes);
        free(b->dirt.ranges);
    }
    objects->buffers = NULL;
}

struct gv_gl_buffer *gv_gl_buffer_find(const struct gv_gl_objects *objects,
                                       uint32_t name)
{
    return (struct gv_gl_buffer *)gv_id_find(&objects->buffers->map,
                                             gv_gl_key(objects->group, name));
}

const uint8_t *gv_gl_buffer_bytes(const struct gv_gl_objects *objects, uint32_t name,
                                  uint64_t offset, uint64_t size)
{
    const struct gv_gl_buffer *b = gv_gl_buffer_find(objects, name);
    if (!b || b->unknown || !b->bytes || !gv_range_inside(offset, size, b->size))
        return NULL;
    return b->bytes + offset;
}

bool gv_gl_buffer_need(struct gv_gl_objects *objects, uint32_t name,
                       struct gv_error *err)
{
    return !name ||
           gv_gl_name_make(&objects->buffers->map, gv_gl_key(objects->group, name),
                           "buffer objects", err);
}

bool gv_gl_buffer_resize(struct gv_gl_buffers *all, struct gv_builder *builder,
                         struct gv_gl_buffer *b, uint64_t size)
{
    if (size > GV_GL_MAX_BUFFER_BYTES - (all->bytes - b->size))
        return false;
    // Pages that nothing writes cost nothing.
    uint8_t *bytes = size ? calloc(1, (size_t)size) : NULL;
    if (size && !bytes)
        return false;
    gv_gl_buffer_unmap(all, b);
    gv_gl_buffer_leave(builder, b);
    free(b->bytes);
    all->bytes += size - b->size;
    b->bytes = bytes;
    b->size = size;
    b->unknown = b->on_device = false;
    b->version++;
    return true;
}

void gv_gl_buffer_write(struct gv_gl_buffer *b, uint64_t offset, const uint8_t *bytes,
                        uint64_t size)
{
    if (offset >= b->size || !bytes)
        return;
    if (size > b->size - offset)
        size = b->size - offset;
    memmove(b->bytes + offset, bytes, (size_t)size);
    gv_gl_buffer_dirty(b, offset, offset + size);
    b->version++;
}

void gv_gl_buffer_delete(struct gv_gl_objects *objects, struct gv_builder *builder,
                         uint32_t name)
{
    struct gv_gl_buffer *b = gv_gl_buffer_find(objects, name);
    if (!b)
        return;
    gv_gl_buffer_unmap(objects->buffers, b);
    struct gv_named *object =
        gv_id_remove(&objects->buffers->map, gv_gl_key(objects->group, name));
    if (!gv_id_release(object))
        return;
    objects->buffers->bytes -= b->size;
    gv_gl_buffer_leave(builder, b);
    free(b->bytes);
    gv_id_reuse(&objects->buffers->map, object);
}

void gv_gl_buffers_end_group(struct gv_gl_objects *objects, struct gv_builder *b)
{
    const struct gv_id_map *m = &objects->buffers->map;
    for (uint32_t i = 0; i < m->capacity; i++)
        if (gv_gl_name_at(objects->group, m, i))
            gv_gl_buffer_delete(objects, b, gv_gl_name_at(objects->group, m, i));
}

// ---- mappings ----

void gv_gl_buffer_map(struct gv_gl_buffers *buffers, struct gv_gl_buffer *b,
                      uint64_t address, uint64_t offset, uint64_t size)
{
    gv_gl_buffer_unmap(buffers, b);
    if (!address || !size || !gv_range_inside(offset, size, b->size))
        return;
    b->map.address = address;
    b->map.offset = offset;
    b->map.size = size;
    b->next_mapped = buffers->mapped;
    buffers->mapped = b;
}

void gv_gl_buffer_unmap(struct gv_gl_buffers *buffers, struct gv_gl_buffer *b)
{
    for (struct gv_gl_buffer **at = &buffers->mapped; *at; at = &(*at)->next_mapped)
        if (*at == b) {
            *at = b->next_mapped;
            break;
        }
    b->map.size = 0;
}

bool gv_gl_buffer_write_mapped(struct gv_gl_buffers *buffers, uint64_t address,
                               const uint8_t *bytes, uint64_t size)
{
    for (struct gv_gl_buffer *b = buffers->mapped; b; b = b->next_mapped) {
        const uint64_t at = address - b->map.address;
        if (address < b->map.address || at >= b->map.size)
            continue;
        if (size > b->map.size - at)
            size = b->map.size - at;
        gv_gl_buffer_write(b, b->map.offset + at, bytes, size);
        return true;
    }
    return false;
}
