#include "tests/vm/model_parts.h"

#include <stdlib.h>
#include <string.h>

// ---- numbers out of numbers ----

uint64_t model_mix(uint64_t h, uint64_t value)
{
    h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

uint64_t model_mix_bytes(uint64_t h, const uint8_t *bytes, size_t size)
{
    h = model_mix(h, size);
    for (size_t i = 0; i < size; i++)
        h = model_mix(h, bytes[i]);
    return h;
}

// ---- objects ----

struct model_object *model_get(struct model_host *m, uint64_t handle)
{
    static struct model_object none;
    bool there = handle && handle <= m->count && m->objects[handle - 1].kind;
    return there ? &m->objects[handle - 1] : &none;
}

struct model_object *model_add(struct model_host *m, uint8_t kind, size_t size,
                               uint64_t *result)
{
    if (m->count == m->capacity) {
        m->capacity = m->capacity ? m->capacity * 2 : 32;
        m->objects = realloc(m->objects, m->capacity * sizeof *m->objects);
    }
    struct model_object *o = &m->objects[m->count++];
    *o = (struct model_object){ .kind = kind,
                                .bytes = calloc(1, size + 1),
                                .size = size };
    *result = m->count;
    return o;
}

static bool model_drop(struct model_host *m, uint64_t handle)
{
    struct model_object *o = model_get(m, handle);
    free(o->bytes);
    *o = (struct model_object){ 0 };
    return true;
}

uint32_t model_side(uint32_t size, uint32_t mip)
{
    return size >> mip ? size >> mip : 1;
}

size_t model_mip_bytes(const struct model_object *o, uint32_t mip)
{
    return (size_t)model_side(o->width, mip) * model_side(o->height, mip);
}

// A texel of one plane, or a place where nothing is.
uint8_t *model_texel(struct model_object *o, uint32_t plane, uint32_t mip,
                     uint32_t layer, uint32_t x, uint32_t y)
{
    static uint8_t nowhere;
    if (plane >= o->planes || mip >= o->mips || layer >= o->layers ||
        x >= model_side(o->width, mip) || y >= model_side(o->height, mip)) {
        nowhere = 0;
        return &nowhere;
    }
    size_t at = 0, slice = 0;
    for (uint32_t i = 0; i < o->mips; i++) {
        at += i < mip ? model_mip_bytes(o, i) : 0;
        slice += model_mip_bytes(o, i);
    }
    return &o->bytes[((size_t)plane * o->layers + layer) * slice + at +
                     (size_t)y * model_side(o->width, mip) + x];
}

uint32_t model_plane_of(uint64_t aspect)
{
    return aspect & GV_ASPECT_STENCIL ? 1 : 0;
}

// ---- buffers ----

static bool do_buffer_create(void *context, const union gv_arg *args, uint64_t *result,
                             struct gv_error *err)
{
    BEGIN(buffer_create);
    return model_add(m, GV_KIND_BUFFER, (size_t)a->size.u, result) != NULL;
}

static bool do_destroy(void *context, const union gv_arg *args, uint64_t *result,
                       struct gv_error *err)
{
    BEGIN(buffer_destroy);
    return model_drop(m, a->buffer.u);
}

bool model_put(struct model_host *m, uint64_t buffer, uint64_t offset,
               const uint8_t *data, uint64_t size)
{
    struct model_object *o = model_get(m, buffer);
    if (offset > o->size || size > o->size - offset)
        return false;
    memmove(o->bytes + offset, data, (size_t)size);
    return true;
}

static bool do_buffer_upload(void *context, const union gv_arg *args, uint64_t *result,
                             struct gv_error *err)
{
    BEGIN(buffer_upload);
    return model_put(m, a->buffer.u, a->offset.u, a->data.data, a->size.u);
}

static bool do_buffer_fill(void *context, const union gv_arg *args, uint64_t *result,
                           struct gv_error *err)
{
    BEGIN(buffer_fill);
    const uint8_t value = (uint8_t)a->value.u;
    for (uint64_t i = 0; i < a->size.u; i++)
        if (!model_put(m, a->buffer.u, a->offset.u + i, &value, 1))
            return false;
    return true;
}

static bool do_buffer_copy(void *context, const union gv_arg *args, uint64_t *result,
                           struct gv_error *err)
{
    BEGIN(buffer_copy);
    return model_put(m, a->dst.u, a->dst_offset.u,
                     model_get(m, a->src.u)->bytes + a->src_offset.u, a->size.u);
}

static bool do_buffer_upload_rows(void *context, const union gv_arg *args,
                                  uint64_t *result, struct gv_error *err)
{
    BEGIN(buffer_upload_rows);
    for (uint64_t i = 0; i < a->rows.u; i++)
        if (!model_put(m, a->buffer.u, a->offset.u + i * a->stride.u,
                       a->data.data + i * a->row_bytes.u, a->row_bytes.u))
            return false;
    return true;
}

static bool do_buffer_copy_rows(void *context, const union gv_arg *args,
                                uint64_t *result, struct gv_error *err)
{
    BEGIN(buffer_copy_rows);
    for (uint64_t i = 0; i < a->rows.u; i++)
        if (!model_put(m, a->dst.u, a->dst_offset.u + i * a->dst_stride.u,
                       model_get(m, a->src.u)->bytes + a->src_offset.u +
                           i * a->src_stride.u,
                       a->row_bytes.u))
            return false;
    return true;
}

static bool do_buffer_map(void *context, const union gv_arg *args, uint64_t *result,
                          struct gv_error *err)
{
    BEGIN(buffer_map);
    struct model_object *o = model_add(m, GV_KIND_MAP, (size_t)a->size.u, result);
    o->buffer = a->buffer.u;
    o->offset = a->offset.u;
    return true;
}

static bool do_map_flush(void *context, const union gv_arg *args, uint64_t *result,
                         struct gv_error *err)
{
    BEGIN(map_flush);
    const struct model_object *o = model_get(m, a->map.u);
    return o->kind && model_put(m, o->buffer, o->offset + a->offset.u,
                                o->bytes + a->offset.u, a->size.u);
}

static bool do_buffer_unmap(void *context, const union gv_arg *args, uint64_t *result,
                            struct gv_error *err)
{
    BEGIN(buffer_unmap);
    const struct model_object *o = model_get(m, a->map.u);
    return o->kind && model_put(m, o->buffer, o->offset, o->bytes, o->size) &&
           model_drop(m, a->map.u);
}

static uint8_t *map_memory(void *context, uint64_t handle, uint64_t *size)
{
    const struct model_object *o = model_get(context, handle);
    *size = o->size;
    return o->kind == GV_KIND_MAP ? o->bytes : NULL;
}

// ---- images ----

static bool do_image_create(void *context, const union gv_arg *args, uint64_t *result,
                            struct gv_error *err)
{
    BEGIN(image_create);
    struct model_object shape = { .width = (uint32_t)a->width.u,
                                  .height = (uint32_t)a->height.u,
                                  .mips = (uint32_t)a->mips.u,
                                  .layers = (uint32_t)(a->layers.u * a->depth.u),
                                  .planes = 2 };
    size_t slice = 0;
    for (uint32_t i = 0; i < shape.mips; i++)
        slice += model_mip_bytes(&shape, i);
    struct model_object *o =
        model_add(m, GV_KIND_IMAGE, slice * shape.layers * shape.planes, result);
    shape.kind = o->kind;
    shape.bytes = o->bytes;
    shape.size = o->size;
    *o = shape;
    return true;
}

uint8_t *model_texel_of(struct model_host *m, const struct model_box *b, uint32_t n)
{
    uint32_t width = (uint32_t)b->width, height = (uint32_t)b->height;
    return model_texel(model_get(m, b->image), (uint32_t)b->plane, (uint32_t)b->mip,
                       (uint32_t)b->layer + n / (width * height),
                       (uint32_t)b->x + n % width, (uint32_t)b->y + n / width % height);
}

#define BOX_OF(a)                                                             \
    {                                                                         \
        .image = (a)->image.u, .plane = model_plane_of((a)->aspect.u),        \
        .mip = (a)->mip.u, .layer = (a)->layer.u + (a)->z.u,                  \
        .layers = (a)->layers.u * (a)->depth.u, .x = (a)->x.u, .y = (a)->y.u, \
        .width = (a)->width.u, .height = (a)->height.u                        \
    }

static bool do_image_upload(void *context, const union gv_arg *args, uint64_t *result,
                            struct gv_error *err)
{
    BEGIN(image_upload);
    const struct model_box b = BOX_OF(a);
    FOR_BOX(b, n)
    *model_texel_of(m, &b, n) = a->data.data[n % a->size.u];
    return true;
}

// Rows of a buffer, one byte a texel.
static uint64_t row_place(const struct model_box *b, uint32_t n, uint64_t row_bytes,
                          uint64_t rows)
{
    uint64_t stride = row_bytes ? row_bytes : b->width;
    uint64_t height = rows ? rows : b->height, row = n / b->width;
    return (row / b->height * height + row % b->height) * stride + n % b->width;
}

static bool do_buffer_to_image(void *context, const union gv_arg *args,
                               uint64_t *result, struct gv_error *err)
{
    BEGIN(buffer_to_image);
    const struct model_box b = BOX_OF(a);
    const struct model_object *o = model_get(m, a->buffer.u);
    FOR_BOX(b, n)
    {
        uint64_t at = a->offset.u + row_place(&b, n, a->row_bytes.u, a->rows.u);
        *model_texel_of(m, &b, n) = at < o->size ? o->bytes[at] : 0;
    }
    return true;
}

static bool do_image_to_buffer(void *context, const union gv_arg *args,
                               uint64_t *result, struct gv_error *err)
{
    BEGIN(image_to_buffer);
    const struct model_box b = BOX_OF(a);
    FOR_BOX(b, n)
    model_put(m, a->buffer.u, a->offset.u + row_place(&b, n, a->row_bytes.u, a->rows.u),
              model_texel_of(m, &b, n), 1);
    return true;
}

static bool do_image_copy(void *context, const union gv_arg *args, uint64_t *result,
                          struct gv_error *err)
{
    BEGIN(image_copy);
    const uint64_t slices = a->layers.u * a->depth.u;
    const struct model_box dst = { a->dst.u,     model_plane_of(a->dst_aspect.u),
                                   a->dst_mip.u, a->dst_layer.u + a->dst_z.u,
                                   slices,       a->dst_x.u,
                                   a->dst_y.u,   a->width.u,
                                   a->height.u };
    const struct model_box src = { a->src.u,     model_plane_of(a->src_aspect.u),
                                   a->src_mip.u, a->src_layer.u + a->src_z.u,
                                   slices,       a->src_x.u,
                                   a->src_y.u,   a->width.u,
                                   a->height.u };
    FOR_BOX(dst, n)
    *model_texel_of(m, &dst, n) = *model_texel_of(m, &src, n);
    return true;
}

// A texel, and if filtered those around it, which may be outside of a source's box.
static uint8_t sampled(struct model_host *m, const union gv_arg *args, int64_t x,
                       int64_t y)
{
    const struct gv_args_image_blit *a = (const struct gv_args_image_blit *)args;
    const int64_t around = a->filter.u != GV_FILTER_NEAREST;
    uint64_t h = 0;
    for (int64_t dy = -around; dy <= around; dy++)
        for (int64_t dx = -around; dx <= around; dx++)
            h = (around ? 3 * h : 0) +
                *model_texel(model_get(m, a->src.u), 0, (uint32_t)a->src_mip.u,
                             (uint32_t)a->src_layer.u, (uint32_t)(x + dx),
                             (uint32_t)(y + dy));
    return (uint8_t)h;
}

// Each texel comes from somewhere in the source; corners may be mirrored.
static bool do_image_blit(void *context, const union gv_arg *args, uint64_t *result,
                          struct gv_error *err)
{
    BEGIN(image_blit);
    int64_t dx0 = a->dst_x0.i, dx1 = a->dst_x1.i, dy0 = a->dst_y0.i, dy1 = a->dst_y1.i;
    int64_t sx0 = a->src_x0.i, sx1 = a->src_x1.i, sy0 = a->src_y0.i, sy1 = a->src_y1.i;
    int64_t x0 = dx0 < dx1 ? dx0 : dx1, x1 = dx0 < dx1 ? dx1 : dx0;
    int64_t y0 = dy0 < dy1 ? dy0 : dy1, y1 = dy0 < dy1 ? dy1 : dy0;
    int64_t left = sx0 < sx1 ? sx0 : sx1, top = sy0 < sy1 ? sy0 : sy1;
    int64_t width = sx0 < sx1 ? sx1 - sx0 : sx0 - sx1;
    int64_t height = sy0 < sy1 ? sy1 - sy0 : sy0 - sy1;
    for (int64_t y = y0; y < y1; y++)
        for (int64_t x = x0; x < x1 && width && height; x++)
            *model_texel(model_get(m, a->dst.u), 0, (uint32_t)a->dst_mip.u,
                         (uint32_t)a->dst_layer.u, (uint32_t)x, (uint32_t)y) =
                sampled(m, args, left + x % width, top + y % height);
    return true;
}

static bool do_image_mipmaps(void *context, const union gv_arg *args, uint64_t *result,
                             struct gv_error *err)
{
    BEGIN(image_mipmaps);
    struct model_object *o = model_get(m, a->image.u);
    for (uint32_t mip = (uint32_t)a->base.u + 1; mip < a->base.u + a->mips.u; mip++)
        for (uint32_t layer = 0; layer < a->layers.u; layer++)
            for (uint32_t i = 0; i < model_mip_bytes(o, mip); i++) {
                uint32_t x = i % model_side(o->width, mip),
                         y = i / model_side(o->width, mip);
                *model_texel(o, 0, mip, (uint32_t)a->layer.u + layer, x, y) =
                    *model_texel(o, 0, mip - 1, (uint32_t)a->layer.u + layer, 2 * x,
                                 2 * y);
            }
    return true;
}

void model_clear(struct model_host *m, struct model_box b, uint8_t value)
{
    FOR_BOX(b, n)
    *model_texel_of(m, &b, n) = value;
}

static struct model_box whole_mip(struct model_host *m, uint64_t image, uint64_t plane,
                                  uint64_t mip)
{
    const struct model_object *o = model_get(m, image);
    return (struct model_box){ image,
                               plane,
                               mip,
                               0,
                               1,
                               0,
                               0,
                               model_side(o->width, (uint32_t)mip),
                               model_side(o->height, (uint32_t)mip) };
}

static bool do_image_clear_color(void *context, const union gv_arg *args,
                                 uint64_t *result, struct gv_error *err)
{
    BEGIN(image_clear_color);
    for (uint64_t mip = a->mip.u; mip < a->mip.u + a->mips.u; mip++) {
        struct model_box b = whole_mip(m, a->image.u, 0, mip);
        b.layer = a->layer.u;
        b.layers = a->layers.u;
        model_clear(m, b, (uint8_t)a->c0.u);
    }
    return true;
}

static bool do_image_clear_depth_stencil(void *context, const union gv_arg *args,
                                         uint64_t *result, struct gv_error *err)
{
    BEGIN(image_clear_depth_stencil);
    if (a->aspect.u & GV_ASPECT_DEPTH)
        model_clear(m, whole_mip(m, a->image.u, 0, a->mip.u), (uint8_t)a->depth.u);
    if (a->aspect.u & GV_ASPECT_STENCIL)
        model_clear(m, whole_mip(m, a->image.u, 1, a->mip.u), (uint8_t)a->stencil.u);
    return true;
}

// ---- all of it ----

static bool meets(void *context, uint32_t requirement)
{
    (void)requirement;
    return ((const struct model_host *)context)->met;
}

void model_host_init(struct model_host *m, bool met)
{
    *m = (struct model_host){ .met = met };
    m->host.context = m;
    m->host.map_memory = map_memory;
    m->host.meets = meets;
#define DO(name) m->host.calls[GV_CALL_##name] = do_##name
#define DROP(name) m->host.calls[GV_CALL_##name] = do_destroy
    DO(buffer_create), DO(buffer_upload), DO(buffer_fill), DO(buffer_copy),
        DO(buffer_upload_rows), DO(buffer_copy_rows), DO(buffer_map), DO(map_flush),
        DO(buffer_unmap), DO(image_create), DO(image_upload), DO(buffer_to_image),
        DO(image_to_buffer), DO(image_copy), DO(image_blit), DO(image_mipmaps),
        DO(image_clear_color), DO(image_clear_depth_stencil);
    DROP(buffer_destroy), DROP(image_destroy), DROP(map_close), DROP(shader_destroy),
        DROP(pipeline_destroy), DROP(query_destroy);
    model_work_init(m);
}

void model_host_finish(struct model_host *m)
{
    for (size_t i = 0; i < m->count; i++)
        free(m->objects[i].bytes);
    free(m->objects);
}
