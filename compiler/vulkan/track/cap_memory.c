#include "compiler/vulkan/track/cap_memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MEMORY ((uint64_t)1 << 36) // bytes of one allocation
#define BLOCK_BYTES ((uint64_t)1 << 16) // of the copy
#define PAGE_BYTES ((uint64_t)4096)     // in which programs' writes are recorded
#define JOIN_BYTES 64u                  // equal bytes between two changes that go along

struct gv_cap_memory {
    const struct gv_cap *cap;
    uint64_t size;
    bool mapped;
    uint64_t map_offset, map_size;
    uint8_t **blocks; // [size / BLOCK_BYTES]; NULL: zeros
    // Bound resources by offset; `reach` is where those up to it end at most.
    struct bound {
        struct gv_cap_resource *resource;
        uint64_t begin, end, reach;
    } * bounds;
    uint32_t bound_count, bound_capacity;
};

static uint64_t block_count(uint64_t size)
{
    return (size + BLOCK_BYTES - 1) / BLOCK_BYTES;
}

void gv_cap_memory_free(void *content)
{
    struct gv_cap_memory *m = content;
    for (uint32_t i = 0; i < m->bound_count; i++) {
        struct gv_cap_resource *r = m->bounds[i].resource;
        r->memory = NULL;
        r->foreign = NULL;
        r->foreign_begin = r->foreign_end = 0;
    }
    for (uint64_t i = 0; m->blocks && i < block_count(m->size); i++)
        free(m->blocks[i]);
    free(m->blocks);
    free(m->bounds);
    free(m);
}

static void measure(struct gv_cap_memory *m)
{
    uint64_t reach = 0;
    for (uint32_t i = 0; i < m->bound_count; i++) {
        struct bound *b = &m->bounds[i];
        reach = b->end > reach ? b->end : reach;
        b->reach = reach;
    }
}

void gv_cap_resource_free(void *content)
{
    struct gv_cap_resource *r = content;
    struct gv_cap_memory *m = r->memory;
    if (m) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < m->bound_count; i++)
            if (m->bounds[i].resource != r)
                m->bounds[kept++] = m->bounds[i];
        m->bound_count = kept;
        measure(m);
        for (uint32_t i = 0; i < m->bound_count; i++)
            if (m->bounds[i].resource->foreign == r)
                m->bounds[i].resource->foreign = NULL;
    }
    void **mirror = r->image ? NULL : (void **)((struct gv_cap_buffer *)r)->mirrors;
    while (mirror) {
        void **next = *mirror;
        free(mirror);
        mirror = next;
    }
    free(r);
}

bool gv_cap_memory_allocate(struct gv_cap *cap,
                            const struct gv_vk_args_vkAllocateMemory *args,
                            struct gv_error *err)
{
    const uint64_t size = args->pAllocateInfo->allocationSize;
    if (size > MOST_MEMORY)
        return gv_fail(err, GV_ERR_LIMIT, cap->place.offset,
                       "vkAllocateMemory: %llu bytes", (unsigned long long)size);
    struct gv_cap_memory *m = calloc(1, sizeof *m);
    if (m) {
        m->cap = cap;
        m->size = size;
        m->blocks = calloc(block_count(size) + 1, sizeof *m->blocks);
        if (!m->blocks) {
            free(m);
            m = NULL;
        }
    }
    const struct gv_cap_new n = { .id = GV_VK_ID(*args->pMemory),
                                  .kind = GV_CAP_MEMORY,
                                  .content = m,
                                  .finish = gv_cap_memory_free };
    return gv_cap_add(cap, &n, err);
}

bool gv_cap_memory_map(struct gv_cap *cap, const struct gv_vk_args_vkMapMemory *args,
                       struct gv_error *err)
{
    struct gv_cap_memory *m =
        gv_cap_need(cap, GV_VK_ID(args->memory), GV_CAP_MEMORY, err);
    if (!m)
        return false;
    if (args->offset > m->size)
        return gv_cap_fail(cap, err, "offset %llu of %llu bytes",
                           (unsigned long long)args->offset,
                           (unsigned long long)m->size);
    m->mapped = true;
    m->map_offset = args->offset;
    m->map_size =
        args->size < m->size - args->offset ? args->size : m->size - args->offset;
    return true;
}

bool gv_cap_memory_unmap(struct gv_cap *cap,
                         const struct gv_vk_args_vkUnmapMemory *args,
                         struct gv_error *err)
{
    struct gv_cap_memory *m =
        gv_cap_need(cap, GV_VK_ID(args->memory), GV_CAP_MEMORY, err);
    if (m)
        m->mapped = false;
    return m != NULL;
}

uint64_t gv_cap_memory_mapped(const struct gv_cap_memory *m)
{
    return m && m->mapped ? m->map_size : 0;
}

// ---- what is bound ----

// The first bound resource that may reach past `offset`.
static uint32_t first_bound(const struct gv_cap_memory *m, uint64_t offset)
{
    uint32_t low = 0, high = m->bound_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (m->bounds[middle].reach <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool add_bound(struct gv_cap_memory *m, struct gv_cap_resource *r)
{
    if (m->bound_count == m->bound_capacity) {
        const uint32_t capacity = m->bound_capacity ? 2 * m->bound_capacity : 8;
        struct bound *more = realloc(m->bounds, capacity * sizeof *more);
        if (!more)
            return false;
        m->bounds = more;
        m->bound_capacity = capacity;
    }
    uint32_t at = m->bound_count++;
    for (; at > 0 && m->bounds[at - 1].begin > r->offset; at--)
        m->bounds[at] = m->bounds[at - 1];
    m->bounds[at] =
        (struct bound){ .resource = r, .begin = r->offset, .end = r->offset + r->size };
    measure(m);
    return true;
}

bool gv_cap_bind(struct gv_cap *cap, struct gv_cap_resource *r,
                 const struct gv_cap_place *place, gv_cap_write_fn write, void *context,
                 struct gv_error *err)
{
    struct gv_cap_memory *m = gv_cap_need(cap, place->memory, GV_CAP_MEMORY, err);
    if (!m)
        return false;
    if (r->memory)
        return gv_cap_fail(cap, err, "resource %llu is bound already",
                           (unsigned long long)r->id);
    if (place->offset > m->size)
        return gv_cap_fail(cap, err, "offset %llu of %llu bytes",
                           (unsigned long long)place->offset,
                           (unsigned long long)m->size);
    r->offset = place->offset;
    r->size =
        place->size < m->size - place->offset ? place->size : m->size - place->offset;
    if (!add_bound(m, r))
        return gv_cap_no_memory(cap, err);
    r->memory = m;
    for (uint64_t at = r->offset; at < r->offset + r->size;) {
        const uint8_t *block = m->blocks[at / BLOCK_BYTES];
        uint64_t n = BLOCK_BYTES - at % BLOCK_BYTES;
        if (n > r->offset + r->size - at)
            n = r->offset + r->size - at;
        const struct gv_cap_write w = { .resource = r,
                                        .at = at - r->offset,
                                        .size = n,
                                        .bytes =
                                            block ? block + at % BLOCK_BYTES : NULL };
        if (block && !write(context, &w, err))
            return false;
        at += n;
    }
    return true;
}

// ---- fills ----

// A fill that is being handed on.
struct filling {
    struct gv_cap_memory *memory;
    uint64_t begin, end; // of the memory
    const uint8_t *bytes;
    struct gv_cap_write pending; // that the next one may continue
    gv_cap_write_fn hand;
    void *context;
};

static bool flush(struct filling *f, struct gv_error *err)
{
    const struct gv_cap_write w = f->pending;
    f->pending = (struct gv_cap_write){ 0 };
    return !w.size || f->hand(f->context, &w, err);
}

// One run of bytes within a page.
struct piece {
    struct gv_cap_memory *memory;
    uint64_t begin, end;  // of the memory
    const uint8_t *bytes; // new ones, from `begin` on
    const uint8_t *old;   // NULL: zeros
};

static bool differs(const struct piece *p, uint64_t at)
{
    const uint64_t i = at - p->begin;
    return p->bytes[i] != (p->old ? p->old[i] : 0);
}

static bool all_equal(const struct piece *p, uint64_t begin, uint64_t end)
{
    static const uint8_t zeros[PAGE_BYTES];
    for (uint64_t at = begin; at < end;) {
        const uint64_t i = at - p->begin;
        const uint64_t n = end - at < PAGE_BYTES ? end - at : PAGE_BYTES;
        if (memcmp(p->bytes + i, p->old ? p->old + i : zeros, (size_t)n) != 0)
            return false;
        at += n;
    }
    return true;
}

// Whether a write of `r` from `begin` on goes on where the pending one ends, or a few
// equal bytes behind it: those that end a page and begin the next say nothing, and many
// small contents take more room than one. `bytes` are of the same fill as its bytes.
static bool continues(const struct gv_cap_write *w, const struct gv_cap_resource *r,
                      uint64_t begin, const uint8_t *bytes)
{
    const uint64_t last = r->offset + w->at + w->size;
    return w->size && w->resource == r && begin >= last && begin - last <= JOIN_BYTES &&
           w->bytes + w->size + (begin - last) == bytes;
}

static bool hand_on(struct filling *f, struct gv_cap_resource *r, uint64_t begin,
                    uint64_t end, struct gv_error *err)
{
    struct gv_cap_write *w = &f->pending;
    const uint8_t *bytes = f->bytes + (begin - f->begin);
    if (continues(w, r, begin, bytes)) {
        w->size = end - r->offset - w->at;
        return true;
    }
    if (!flush(f, err))
        return false;
    *w = (struct gv_cap_write){ r, begin - r->offset, end - begin, bytes };
    return true;
}

// The changed bytes of [begin, end), which lie in `r`.
static bool hand_changes(struct filling *f, const struct piece *p,
                         struct gv_cap_resource *r, uint64_t begin, uint64_t end,
                         struct gv_error *err)
{
    for (uint64_t at = begin; at < end;) {
        while (at < end && !differs(p, at))
            at++;
        if (at >= end)
            break;
        uint64_t last = at;
        for (uint64_t next = at + 1; next < end && next - last <= JOIN_BYTES; next++)
            if (differs(p, next))
                last = next;
        if (!hand_on(f, r, at, last + 1, err))
            return false;
        at = last + 1;
    }
    return true;
}

// The device has not the last word on these bytes any more.
static void regain(struct gv_cap_resource *r, uint64_t begin, uint64_t end)
{
    if (begin <= r->device_begin && end > r->device_begin)
        r->device_begin = end < r->device_end ? end : r->device_end;
    else if (begin < r->device_end && end >= r->device_end)
        r->device_end = begin;
}

// New bytes of [begin, end), which lie in `r`. Where the device wrote, equal bytes are
// new too: the copy has not what is there.
static bool hand_new(struct filling *f, const struct piece *p,
                     struct gv_cap_resource *r, uint64_t begin, uint64_t end,
                     struct gv_error *err)
{
    uint64_t first = r->offset + r->device_begin, last = r->offset + r->device_end;
    first = first > begin ? first : begin;
    last = last < end ? last : end;
    if (first >= last)
        return all_equal(p, begin, end) || hand_changes(f, p, r, begin, end, err);
    if (!hand_changes(f, p, r, begin, first, err) || !hand_on(f, r, first, last, err) ||
        !hand_changes(f, p, r, last, end, err))
        return false;
    regain(r, first - r->offset, last - r->offset);
    return true;
}

// What of a fill lies in the page of `at`, from there on.
static struct piece piece_at(const struct filling *f, uint64_t at)
{
    const uint64_t page_end = at - at % PAGE_BYTES + PAGE_BYTES;
    const uint8_t *block = f->memory->blocks[at / BLOCK_BYTES];
    return (struct piece){ .memory = f->memory,
                           .begin = at,
                           .end = page_end < f->end ? page_end : f->end,
                           .bytes = f->bytes + (at - f->begin),
                           .old = block ? block + at % BLOCK_BYTES : NULL };
}

// One resource after the other: what of it changes goes along, page by page.
static bool fill_bound(struct filling *f, const struct bound *b, struct gv_error *err)
{
    const uint64_t first = b->begin > f->begin ? b->begin : f->begin;
    const uint64_t last = b->end < f->end ? b->end : f->end;
    const uint64_t page = first - first % PAGE_BYTES;
    for (uint64_t at = page > f->begin ? page : f->begin; at < last;) {
        const struct piece p = piece_at(f, at);
        const uint64_t begin = first > at ? first : at;
        const uint64_t end = p.end < last ? p.end : last;
        if (begin < end && !hand_new(f, &p, b->resource, begin, end, err))
            return false;
        at = p.end;
    }
    return flush(f, err);
}

// The bytes of a page, or of what of it is written, become those of the copy.
static bool keep(struct gv_cap *cap, const struct piece *p, struct gv_error *err)
{
    uint8_t **block = &p->memory->blocks[p->begin / BLOCK_BYTES];
    if (!*block && all_equal(p, p->begin, p->end))
        return true;
    if (!*block)
        *block = calloc(1, BLOCK_BYTES);
    if (!*block)
        return gv_cap_no_memory(cap, err);
    memcpy(*block + p->begin % BLOCK_BYTES, p->bytes, (size_t)(p->end - p->begin));
    return true;
}

bool gv_cap_memory_fill(struct gv_cap *cap, const struct gv_cap_fill *fill,
                        gv_cap_write_fn write, void *context, struct gv_error *err)
{
    struct gv_cap_memory *m = gv_cap_need(cap, fill->memory, GV_CAP_MEMORY, err);
    if (!m)
        return false;
    if (!m->mapped || fill->offset > m->map_size ||
        fill->size > m->map_size - fill->offset)
        return gv_cap_fail(cap, err, "%llu bytes at %llu of %llu that are mapped",
                           (unsigned long long)fill->size,
                           (unsigned long long)fill->offset,
                           (unsigned long long)(m->mapped ? m->map_size : 0));
    const uint64_t begin = m->map_offset + fill->offset;
    struct filling f = { .memory = m,
                         .begin = begin,
                         .end = begin + fill->size,
                         .bytes = fill->bytes,
                         .hand = write,
                         .context = context };
    for (uint32_t i = first_bound(m, begin);
         i < m->bound_count && m->bounds[i].begin < f.end; i++)
        if (!fill_bound(&f, &m->bounds[i], err))
            return false;
    for (uint64_t at = begin; at < f.end;) {
        const struct piece p = piece_at(&f, at);
        if (!keep(cap, &p, err))
            return false;
        at = p.end;
    }
    return true;
}

void gv_cap_memory_read(const struct gv_cap_resource *r, uint64_t at, uint64_t size,
                        uint8_t *out)
{
    const struct gv_cap_memory *m = r->memory;
    memset(out, 0, (size_t)size);
    if (!m || at >= m->size - r->offset)
        return;
    at += r->offset;
    const uint64_t end = size < m->size - at ? at + size : m->size;
    for (const uint64_t begin = at; at < end;) {
        uint64_t n = BLOCK_BYTES - at % BLOCK_BYTES;
        n = n < end - at ? n : end - at;
        const uint8_t *block = m->blocks[at / BLOCK_BYTES];
        if (block)
            memcpy(out + (at - begin), block + at % BLOCK_BYTES, (size_t)n);
        at += n;
    }
}

// ---- what the device wrote ----

static uint64_t end_of(uint64_t offset, uint64_t size)
{
    return size > UINT64_MAX - offset ? UINT64_MAX : offset + size;
}

bool gv_cap_is_foreign(const struct gv_cap_resource *r, uint64_t offset, uint64_t size)
{
    return r->foreign_begin < r->foreign_end && offset < r->foreign_end &&
           end_of(offset, size) > r->foreign_begin;
}

void gv_cap_each_sharing(struct gv_cap_resource *r, uint64_t offset, uint64_t size,
                         gv_cap_sharing_fn each, void *context)
{
    const struct gv_cap_memory *m = r->memory;
    if (!m || offset >= r->size)
        return;
    const uint64_t end = end_of(offset, size);
    const uint64_t first = r->offset + offset;
    const uint64_t last = r->offset + (end < r->size ? end : r->size);
    for (uint32_t i = first_bound(m, first);
         i < m->bound_count && m->bounds[i].begin < last; i++)
        if (m->bounds[i].resource != r && m->bounds[i].end > first)
            each(context, m->bounds[i].resource, r);
}

struct written {
    uint64_t begin, end; // of the memory
};

static void mark_foreign(void *context, struct gv_cap_resource *other,
                         struct gv_cap_resource *r)
{
    const struct written *w = context;
    const uint64_t begin = w->begin > other->offset ? w->begin - other->offset : 0;
    const uint64_t end =
        w->end - other->offset < other->size ? w->end - other->offset : other->size;
    const bool more = other->foreign_begin < other->foreign_end;
    if (!more || begin < other->foreign_begin)
        other->foreign_begin = begin;
    if (!more || end > other->foreign_end)
        other->foreign_end = end;
    other->foreign = !more || other->foreign == r ? r : NULL;
    other->foreign_pass = r->memory->cap->pass;
}

void gv_cap_received(struct gv_cap_resource *r)
{
    r->foreign_begin = r->foreign_end = 0;
    r->foreign = NULL;
    r->version++;
}

void gv_cap_device_wrote(struct gv_cap_resource *r, uint64_t offset, uint64_t size)
{
    const uint64_t end = end_of(offset, size);
    struct written w = { r->offset + offset,
                         end < r->size ? r->offset + end : r->offset + r->size };
    gv_cap_each_sharing(r, offset, size, mark_foreign, &w);
    if (r->foreign_begin < r->foreign_end &&
        (r->image || (offset <= r->foreign_begin && end >= r->foreign_end)))
        gv_cap_received(r);
    r->version++;
    if (r->image) // what its memory held before is nothing to it any more
        ((struct gv_cap_image *)r)->known = true;
    if (r->device_begin == r->device_end) {
        r->device_begin = offset;
        r->device_end = end < r->size ? end : r->size;
        return;
    }
    r->device_begin = offset < r->device_begin ? offset : r->device_begin;
    r->device_end = end > r->device_end ? end : r->device_end;
    r->device_end = r->device_end < r->size ? r->device_end : r->size;
}

bool gv_cap_set_content(struct gv_cap *cap, struct gv_cap_resource *r,
                        const uint8_t *bytes, uint64_t size, struct gv_error *err)
{
    struct gv_cap_memory *m = r->memory;
    for (uint64_t done = 0; m && done < size && done < r->size;) {
        const uint64_t at = r->offset + done;
        uint64_t n = BLOCK_BYTES - at % BLOCK_BYTES;
        n = n < size - done ? n : size - done;
        n = n < r->size - done ? n : r->size - done;
        uint8_t **block = &m->blocks[at / BLOCK_BYTES];
        if (!*block)
            *block = calloc(1, BLOCK_BYTES);
        if (!*block)
            return gv_cap_no_memory(cap, err);
        memcpy(*block + at % BLOCK_BYTES, bytes + done, (size_t)n);
        done += n;
    }
    return true;
}
