#include "compiler/lower/lower_input.h"

#include <string.h>

#include "resources/base/bytes.h"
#include "vm/formats.h"

// ---- attributes ----

// The same bits as the component class that a variable wants: 32-bit variables are
// untyped, smaller integers are not convertible. GV_FORMAT_NONE: it does not fit.
static uint32_t fit_format(uint32_t format, enum gv_lower_component component)
{
    static const struct {
        uint32_t classes[3]; // by enum gv_lower_component
    } same[] = {
        { { GV_FORMAT_R32_SFLOAT, GV_FORMAT_R32_UINT, GV_FORMAT_R32_SINT } },
        { { GV_FORMAT_R32G32_SFLOAT, GV_FORMAT_R32G32_UINT, GV_FORMAT_R32G32_SINT } },
        { { GV_FORMAT_R32G32B32_SFLOAT, GV_FORMAT_R32G32B32_UINT,
            GV_FORMAT_R32G32B32_SINT } },
        { { GV_FORMAT_R32G32B32A32_SFLOAT, GV_FORMAT_R32G32B32A32_UINT,
            GV_FORMAT_R32G32B32A32_SINT } },
        { { 0, GV_FORMAT_R16G16B16A16_UINT, GV_FORMAT_R16G16B16A16_SINT } },
        { { 0, GV_FORMAT_R16G16_UINT, GV_FORMAT_R16G16_SINT } },
        { { 0, GV_FORMAT_R16_UINT, GV_FORMAT_R16_SINT } },
        { { 0, GV_FORMAT_R8G8B8A8_UINT, GV_FORMAT_R8G8B8A8_SINT } },
        { { 0, GV_FORMAT_R8G8_UINT, GV_FORMAT_R8G8_SINT } },
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        for (size_t k = 0; k < 3; k++)
            if (same[i].classes[k] == format) {
                uint32_t fitted = same[i].classes[component];
                return fitted ? fitted : GV_FORMAT_NONE;
            }
    return component == GV_LOWER_FLOAT ? format : GV_FORMAT_NONE;
}

// The binding row of a slot, kept in ascending order; false if its rate differs.
static bool use_slot(struct gv_graphics_desc *desc, uint32_t slot, uint32_t rate,
                     uint32_t divisor)
{
    uint32_t n = desc->vertex_binding_count, at = 0;
    while (at < n && desc->vertex_bindings[at].slot < slot)
        at++;
    if (at < n && desc->vertex_bindings[at].slot == slot)
        return desc->vertex_bindings[at].rate == rate &&
               desc->vertex_bindings[at].divisor == divisor;
    for (uint32_t i = n; i > at; i--)
        desc->vertex_bindings[i] = desc->vertex_bindings[i - 1];
    desc->vertex_bindings[at].slot = slot;
    desc->vertex_bindings[at].rate = rate;
    desc->vertex_bindings[at].divisor = divisor;
    desc->vertex_binding_count++;
    return true;
}

static void add_row(struct gv_graphics_desc *desc, uint32_t location, uint32_t slot,
                    uint32_t format, uint32_t offset)
{
    uint32_t at = desc->vertex_attribute_count++;
    while (at && desc->vertex_attributes[at - 1].location > location) {
        desc->vertex_attributes[at] = desc->vertex_attributes[at - 1];
        at--;
    }
    desc->vertex_attributes[at].location = location;
    desc->vertex_attributes[at].slot = slot;
    desc->vertex_attributes[at].format = format;
    desc->vertex_attributes[at].offset = offset;
}

static bool add_stream(const struct gv_lower_attribute *a,
                       struct gv_graphics_desc *desc, struct gv_lower_slots *slots,
                       struct gv_error *err)
{
    uint32_t format = fit_format(a->format, a->component);
    if (!format)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: vertex format %s for input %s",
                       gv_format_info(a->format)->name, a->name);
    if (!use_slot(desc, a->slot,
                  a->instance ? GV_INPUT_RATE_INSTANCE : GV_INPUT_RATE_VERTEX,
                  a->instance ? a->step : 1))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: vertex and instance data in slot %u", a->slot);
    add_row(desc, a->location, a->slot, format, a->offset);
    const struct gv_format_info *info = gv_format_info(format);
    uint32_t end = a->offset + info->block_bytes;
    uint32_t alignment = gv_format_vertex_alignment(info);
    slots->used |= 1u << a->slot;
    if (alignment > slots->alignment[a->slot])
        slots->alignment[a->slot] = alignment;
    if (end > slots->extents[a->slot])
        slots->extents[a->slot] = end;
    return true;
}

// From a slot where nothing is ever bound.
static bool add_zeros(const struct gv_lower_attribute *a, uint32_t taken,
                      struct gv_graphics_desc *desc, struct gv_lower_slots *slots,
                      struct gv_error *err)
{
    static const uint32_t formats[] = {
        [GV_LOWER_FLOAT] = GV_FORMAT_R32G32B32A32_SFLOAT,
        [GV_LOWER_UINT] = GV_FORMAT_R32G32B32A32_UINT,
        [GV_LOWER_SINT] = GV_FORMAT_R32G32B32A32_SINT,
    };
    uint32_t slot = GV_MAX_VERTEX_BINDINGS;
    while (slot && taken >> (slot - 1) & 1)
        slot--;
    if (!slot)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "no vertex slot is free");
    use_slot(desc, slot - 1, GV_INPUT_RATE_VERTEX, 1);
    add_row(desc, a->location, slot - 1, formats[a->component], 0);
    slots->zeros |= 1u << (slot - 1);
    return true;
}

bool gv_lower_input(const struct gv_lower_attribute *attributes, uint32_t count,
                    uint32_t taken, struct gv_graphics_desc *desc,
                    struct gv_lower_slots *slots, struct gv_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct gv_lower_attribute *a = &attributes[i];
        if (desc->vertex_attribute_count == GV_MAX_VERTEX_ATTRIBUTES)
            return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                           "more than %u vertex inputs", GV_MAX_VERTEX_ATTRIBUTES);
        if (a->there ? !add_stream(a, desc, slots, err)
                     : !add_zeros(a, taken, desc, slots, err))
            return false;
    }
    return true;
}

// ---- streams ----

static bool check_stream(const struct gv_lower_vertices *s, uint32_t slot,
                         uint32_t extent, struct gv_error *err)
{
    if (s->stride > GV_LOWER_MAX_STRIDE)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "slot %u has stride %u, over the limit of %u", slot, s->stride,
                       GV_LOWER_MAX_STRIDE);
    if (s->stride && s->stride < extent)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "slot %u has stride %u, but vertices of %u bytes", slot,
                       s->stride, extent);
    return true;
}

// A stream as it is bound.
struct bound {
    struct gv_buffer gpu;
    uint32_t offset, stride;
    bool fresh; // made just now: what is bound is another one
};

static bool is_packed(const struct gv_lower_buffer *b,
                      const struct gv_lower_vertices *s)
{
    return b->packed.gpu.id && b->packed.version == b->version &&
           b->packed.offset == s->offset && b->packed.stride == s->stride;
}

// Vertices of a buffer whose content is known, `stride` apart rather than the stream's.
static bool pack(struct gv_lower_buffers *bs, const struct gv_lower_vertices *s,
                 uint32_t stride, struct gv_error *err)
{
    struct gv_lower_buffer *b = s->buffer;
    uint64_t size = b->size - s->offset, step = s->stride ? s->stride : size;
    uint64_t count = (size + step - 1) / step;
    struct gv_bytes packed = { 0 };
    uint64_t room = count * (s->stride ? stride : size);
    uint8_t *out = gv_bytes_grow(&packed, (size_t)room);
    if (!out)
        return gv_out_of_memory(err);
    memset(out, 0, (size_t)room);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t left = size - i * step, n = left < step ? left : step;
        memcpy(out + i * stride, b->known + s->offset + i * step, (size_t)n);
    }
    struct gv_builder *to = gv_lower_transfer(bs->pass);
    if (b->packed.gpu.id)
        gv_emit(to, buffer_destroy, .buffer = b->packed.gpu);
    b->packed.gpu = gv_emit(to, buffer_create, .size = (room + 3) & ~3ull,
                            .usage = GV_BUFFER_USAGE_VERTEX);
    gv_emit(to, buffer_upload, .buffer = b->packed.gpu, .offset = 0,
            .data = gv_data(out), .size = room);
    b->packed.version = b->version;
    b->packed.offset = s->offset;
    b->packed.stride = s->stride;
    gv_bytes_finish(&packed);
    return true;
}

// What to bind for a slot, with everything that is owed uploaded.
static bool prepare(struct gv_lower_buffers *bs, const struct gv_lower_vertices *s,
                    uint32_t alignment, struct bound *out, struct gv_error *err)
{
    struct gv_lower_buffer *b = s->buffer;
    bool unaligned = alignment > 1 && (s->offset | s->stride) % alignment;
    if (!unaligned || !b->known || s->offset >= b->size) {
        *out =
            (struct bound){ gv_lower_buffer_gpu(bs, b), s->offset, s->stride, false };
        return true;
    }
    uint32_t stride = (s->stride + alignment - 1) / alignment * alignment;
    bool fresh = !is_packed(b, s);
    if (fresh && !pack(bs, s, stride, err))
        return false;
    *out = (struct bound){ b->packed.gpu, 0, stride, fresh };
    return true;
}

static void bind(struct gv_builder *b, uint32_t slot, const struct bound *s)
{
    gv_emit(b, bind_vertex_buffer, .slot = slot, .buffer = s->gpu, .offset = s->offset,
            .size = 0, .stride = s->stride);
}

bool gv_lower_bind_streams(struct gv_lower_buffers *bs,
                           const struct gv_lower_vertices *streams,
                           const struct gv_lower_slots *slots, uint32_t *dirty,
                           struct gv_error *err)
{
    struct bound bound[GV_MAX_VERTEX_BINDINGS];
    for (uint32_t i = 0; i < GV_MAX_VERTEX_BINDINGS && slots->used >> i; i++) {
        const struct gv_lower_vertices *s = &streams[i];
        if (!(slots->used >> i & 1) || !s->buffer)
            continue;
        if (!check_stream(s, i, slots->extents[i], err) ||
            !prepare(bs, s, slots->alignment[i], &bound[i], err))
            return false;
        if (bound[i].fresh)
            *dirty |= 1u << i;
    }
    uint32_t now = *dirty & (slots->used | slots->zeros);
    *dirty &= ~now;
    for (uint32_t i = 0; now; i++, now >>= 1) {
        const struct gv_lower_vertices *s = &streams[i];
        bool zeros = slots->zeros >> i & 1;
        if (!(now & 1))
            continue;
        if (s->buffer && s->offset < s->buffer->size && !zeros)
            bind(bs->pass->b, i, &bound[i]);
        else
            bind(bs->pass->b, i, &(struct bound){ GV_NO_BUFFER, 0, 0, false });
        if (zeros)
            *dirty |= 1u << i; // a later pipeline may read the real one
    }
    return true;
}

// ---- indices ----

void gv_lower_bind_indices(struct gv_lower_buffers *bs, struct gv_lower_indices *x,
                           uint32_t *first, uint32_t count)
{
    uint64_t step = x->wide ? 4 : 2, offset = x->offset, size = x->buffer->size;
    uint64_t there = offset < size ? (size - offset) / step : 0;
    if (*first > there) // all of them are zeros: so are the first ones
        *first = (uint32_t)there;
    uint64_t read = (uint64_t)*first + count;
    struct gv_buffer gpu = gv_lower_buffer_gpu(bs, x->buffer);
    if (offset % step || read > there) {
        gpu = gv_lower_copy_aligned(
            bs, &x->copy, &(struct gv_lower_buffer_range){ x->buffer, offset },
            (read > there ? read : there) * step, there * step);
        offset = 0;
        x->dirty = true; // it may be another copy under the same number
    }
    if (gpu.id != x->bound.id)
        x->dirty = true;
    x->bound = gpu;
    if (x->dirty)
        gv_emit(bs->pass->b, bind_index_buffer, .buffer = gpu, .offset = offset,
                .type = x->wide ? GV_INDEX_TYPE_UINT32 : GV_INDEX_TYPE_UINT16);
    x->dirty = false;
}
