#include "tests/runtime/range_audit.h"

#include "resources/base/cursor.h"
#include "vm/calls.h"
#include "vm/descs.h"

#include <stdlib.h>

#define SETS 4
#define BINDINGS 16
#define BUFFERS 64
#define RANGES 256
#define NOISE 0xa5c35a3cu

struct place {
    uint64_t buffer, offset;
};

struct buffer {
    uint64_t handle, size;
    uint64_t before, after, noise; // of the same size, made when first needed
};

struct gv_range_audit {
    struct gv_host host;
    const struct gv_host *inner;
    struct place bound[SETS][BINDINGS];
    struct buffer buffers[BUFFERS];
    size_t buffer_count;
    struct gv_dispatch_range ranges[RANGES];
    size_t range_count;
    uint64_t audited;
};

// ---- the runtime's calls ----

#define CALL(name, audit, args, result, err)                       \
    (audit)->inner->calls[GV_CALL_##name]((audit)->inner->context, \
                                          (const union gv_arg *)(args), result, err)

#define GV_CALL(name, code, result, sets, reads, doc)                              \
    static bool forward_##name(void *context, const union gv_arg *args,            \
                               uint64_t *result_handle, struct gv_error *err)      \
    {                                                                              \
        struct gv_range_audit *a = context;                                        \
        return a->inner->calls[code](a->inner->context, args, result_handle, err); \
    }
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

static uint8_t *map_memory(void *context, uint64_t map, uint64_t *size)
{
    const struct gv_range_audit *a = context;
    return a->inner->map_memory(a->inner->context, map, size);
}

static bool meets(void *context, uint32_t requirement)
{
    const struct gv_range_audit *a = context;
    return a->inner->meets(a->inner->context, requirement);
}

static void on_command(void *context, uint64_t command)
{
    const struct gv_range_audit *a = context;
    if (a->inner->command)
        a->inner->command(a->inner->context, command);
}

static bool copy_all(struct gv_range_audit *a, uint64_t dst, uint64_t src,
                     uint64_t size, struct gv_error *err)
{
    const struct gv_args_buffer_copy args = { .dst.u = dst,
                                              .src.u = src,
                                              .size.u = size };
    return CALL(buffer_copy, a, &args, NULL, err);
}

static bool copy_range(struct gv_range_audit *a, uint64_t dst, uint64_t src,
                       const struct gv_dispatch_range *r, uint64_t offset,
                       struct gv_error *err)
{
    const struct gv_args_buffer_copy_rows args = {
        .dst.u = dst,
        .dst_offset.u = offset + r->offset,
        .dst_stride.u = r->stride,
        .src.u = src,
        .src_offset.u = offset + r->offset,
        .src_stride.u = r->stride,
        .row_bytes.u = r->row_bytes,
        .rows.u = r->rows,
    };
    return CALL(buffer_copy_rows, a, &args, NULL, err);
}

static bool make_buffer(struct gv_range_audit *a, uint64_t size, uint64_t *handle,
                        struct gv_error *err)
{
    const struct gv_args_buffer_create args = { .size.u = size };
    return CALL(buffer_create, a, &args, handle, err);
}

static bool make_shadows(struct gv_range_audit *a, struct buffer *b,
                         struct gv_error *err)
{
    if (b->noise)
        return true;
    if (!make_buffer(a, b->size, &b->before, err) ||
        !make_buffer(a, b->size, &b->after, err) ||
        !make_buffer(a, b->size, &b->noise, err))
        return false;
    const struct gv_args_buffer_fill args = { .buffer.u = b->noise,
                                              .size.u = b->size & ~UINT64_C(3),
                                              .value.u = NOISE };
    return CALL(buffer_fill, a, &args, NULL, err);
}

// ---- what is bound, and what a dispatch says ----

static bool on_buffer_create(void *context, const union gv_arg *args, uint64_t *result,
                             struct gv_error *err)
{
    struct gv_range_audit *a = context;
    const struct gv_args_buffer_create *create = (const void *)args;
    if (!forward_buffer_create(context, args, result, err))
        return false;
    if (a->buffer_count < BUFFERS)
        a->buffers[a->buffer_count++] =
            (struct buffer){ .handle = *result, .size = create->size.u };
    return true;
}

static void note_bound(struct gv_range_audit *a, uint64_t set, uint64_t binding,
                       uint64_t buffer, uint64_t offset)
{
    if (set < SETS && binding < BINDINGS)
        a->bound[set][binding] = (struct place){ buffer, offset };
}

static bool on_bind_buffer(void *context, const union gv_arg *args, uint64_t *result,
                           struct gv_error *err)
{
    const struct gv_args_bind_buffer *b = (const void *)args;
    note_bound(context, b->set.u, b->binding.u, b->buffer.u, b->offset.u);
    return forward_bind_buffer(context, args, result, err);
}

static bool on_bind_texel_buffer(void *context, const union gv_arg *args,
                                 uint64_t *result, struct gv_error *err)
{
    const struct gv_args_bind_texel_buffer *b = (const void *)args;
    note_bound(context, b->set.u, b->binding.u, b->buffer.u, b->offset.u);
    return forward_bind_texel_buffer(context, args, result, err);
}

static const struct place *place_of(const struct gv_range_audit *a,
                                    const struct gv_dispatch_range *r)
{
    return &a->bound[r->set % SETS][r->binding % BINDINGS];
}

static void read_ranges(struct gv_range_audit *a, const struct gv_args_dispatch *d)
{
    struct gv_cursor c = gv_cursor_make(d->ranges.data, d->size.u);
    a->range_count = 0;
    while (a->range_count < RANGES &&
           gv_dispatch_range_next(&c, &a->ranges[a->range_count]))
        a->range_count++;
}

// Whether the dispatch names parts of the buffer, and nowhere all of it.
static bool is_ranged(const struct gv_range_audit *a, const struct buffer *b)
{
    bool named = false;
    for (size_t i = 0; i < a->range_count; i++) {
        if (place_of(a, &a->ranges[i])->buffer != b->handle)
            continue;
        if (a->ranges[i].row_bytes == 0 && a->ranges[i].access != GV_RANGE_UNUSED)
            return false;
        named = true;
    }
    return named;
}

// Copies the ranges of `b` that say so.
static bool copy_ranges(struct gv_range_audit *a, const struct buffer *b, uint64_t dst,
                        uint64_t src, enum gv_range_access access, struct gv_error *err)
{
    for (size_t i = 0; i < a->range_count; i++) {
        const struct gv_dispatch_range *r = &a->ranges[i];
        const struct place *place = place_of(a, r);
        if (place->buffer != b->handle || r->access != access)
            continue;
        if (!copy_range(a, dst, src, r, place->offset, err))
            return false;
    }
    return true;
}

// READ counts, then OVERWRITE, then WRITE.
static bool hide(struct gv_range_audit *a, struct buffer *b, struct gv_error *err)
{
    return make_shadows(a, b, err) && copy_all(a, b->before, b->handle, b->size, err) &&
           copy_all(a, b->handle, b->noise, b->size, err) &&
           copy_ranges(a, b, b->handle, b->before, GV_RANGE_WRITE, err) &&
           copy_ranges(a, b, b->handle, b->noise, GV_RANGE_OVERWRITE, err) &&
           copy_ranges(a, b, b->handle, b->before, GV_RANGE_READ, err);
}

static bool restore(struct gv_range_audit *a, struct buffer *b, struct gv_error *err)
{
    return copy_all(a, b->after, b->handle, b->size, err) &&
           copy_all(a, b->handle, b->before, b->size, err) &&
           copy_ranges(a, b, b->handle, b->after, GV_RANGE_WRITE, err) &&
           copy_ranges(a, b, b->handle, b->after, GV_RANGE_OVERWRITE, err);
}

static bool on_dispatch(void *context, const union gv_arg *args, uint64_t *result,
                        struct gv_error *err)
{
    struct gv_range_audit *a = context;
    bool hidden[BUFFERS] = { false }, any = false;
    read_ranges(a, (const void *)args);
    for (size_t i = 0; i < a->buffer_count; i++) {
        hidden[i] = is_ranged(a, &a->buffers[i]);
        any = any || hidden[i];
        if (hidden[i] && !hide(a, &a->buffers[i], err))
            return false;
    }
    a->audited += any;
    if (!forward_dispatch(context, args, result, err))
        return false;
    for (size_t i = 0; i < a->buffer_count; i++)
        if (hidden[i] && !restore(a, &a->buffers[i], err))
            return false;
    return true;
}

// ---- life ----

struct gv_range_audit *gv_range_audit_create(const struct gv_host *inner)
{
    struct gv_range_audit *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->inner = inner;
    a->host = (struct gv_host){
        .context = a, .map_memory = map_memory, .meets = meets, .command = on_command
    };
#define GV_CALL(name, code, result, sets, reads, doc) \
    a->host.calls[code] = forward_##name;
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END
    a->host.calls[GV_CALL_buffer_create] = on_buffer_create;
    a->host.calls[GV_CALL_bind_buffer] = on_bind_buffer;
    a->host.calls[GV_CALL_bind_texel_buffer] = on_bind_texel_buffer;
    a->host.calls[GV_CALL_dispatch] = on_dispatch;
    return a;
}

void gv_range_audit_destroy(struct gv_range_audit *audit)
{
    free(audit);
}

const struct gv_host *gv_range_audit_host(const struct gv_range_audit *audit)
{
    return &audit->host;
}

uint64_t gv_range_audit_count(const struct gv_range_audit *audit)
{
    return audit->audited;
}
