#include "compiler/gl/draw/gl_draw_vertices.h"

#include <stddef.h>
#include <string.h>

// Words of an attribute: where they begin, and how many there are to the next.
struct words {
    const float *from;
    uint32_t stride;
};

// Doubles go as the words they are of.
static struct words words_behind(const struct gv_gl_geometry *g,
                                 const struct gv_gl_current *current, uint32_t slot,
                                 uint32_t begin)
{
    static const float nothing[4];
    if (slot < GV_GL_GENERIC) // the position, as attribute 0
        return (struct words){ nothing, 0 };
    const uint32_t i = slot - GV_GL_GENERIC;
    const void *doubles = current->behind[i];
    if (g->behind[i])
        return (struct words){ g->behind[i] + (size_t)begin * g->behind_strides[i],
                               g->behind_strides[i] };
    if (g->slots[slot] && g->kinds[slot] != GV_GL_DOUBLES)
        return (struct words){ nothing, 0 };
    return (struct words){ doubles, 0 };
}

static struct words words_of(const struct gv_gl_context *c, const struct gv_gl_draw *d,
                             uint32_t input, uint32_t first)
{
    const struct gv_gl_geometry *g = d->geometry;
    const struct gv_gl_current *current = &c->state.current;
    const uint32_t slot = gv_gl_draw_slot(d, input);
    const bool behind = d->stages.inputs[input].behind;
    const uint32_t begin = gv_gl_draw_steps(d, input) ? 0 : first;
    if (behind)
        return words_behind(g, current, slot, begin);
    if (!g->slots[slot])
        return (struct words){ current->slots[slot], 0 };
    return (struct words){ g->slots[slot] + (size_t)begin * g->strides[slot],
                           g->strides[slot] };
}

static inline void put_words(struct words w, size_t bytes, uint32_t stride,
                             uint32_t count, uint8_t *to)
{
    for (uint32_t n = 0; n < count; n++) {
        memcpy(to + (size_t)n * stride, w.from, bytes);
        w.from += w.stride;
    }
}

// An attribute of the vertices from `first` on, or what is current for all of them: the
// words as they are, whatever the stage takes them for, as Mesa does.
static void put_attribute(struct words w, size_t bytes, uint32_t stride, uint32_t count,
                          uint8_t *to)
{
    switch (bytes) { // copies of a known size are instructions instead of calls
    case 4:
        put_words(w, 4, stride, count, to);
        break;
    case 8:
        put_words(w, 8, stride, count, to);
        break;
    case 12:
        put_words(w, 12, stride, count, to);
        break;
    default:
        put_words(w, 16, stride, count, to);
        break;
    }
}

// What steps, or what does not.
static void put_attributes(const struct gv_gl *gl, const struct gv_gl_draw *d,
                           bool steps, uint32_t first, uint32_t count, uint8_t *to)
{
    for (uint32_t i = 0; i < d->stages.input_count; i++) {
        const size_t bytes = 4u * (size_t)d->sizes[i];
        if (!bytes || gv_gl_draw_steps(d, i) != steps)
            continue;
        put_attribute(words_of(gl->context, d, i, first), bytes,
                      steps ? d->step_stride : d->stride, count, to);
        to += bytes;
    }
}

// What a key says of an input: where it comes from and how it lies.
struct keyed_input {
    uint8_t slot, size, varies, pad;
    uint32_t words[4]; // of what all vertices have
};

bool gv_gl_vertices_key(const struct gv_gl_context *c, const struct gv_gl_draw *d,
                        const struct gv_gl_numbers *n, struct gv_hash *out)
{
    const struct gv_gl_geometry *g = d->geometry;
    struct {
        struct gv_hash source;
        uint32_t mode, order, alone, count;
        struct keyed_input inputs[GV_MAX_VERTEX_ATTRIBUTES];
    } key;
    if (!g->source || !n->order || d->single)
        return false;
    memset(&key, 0, offsetof(__typeof__(key), inputs));
    key.source = *g->source;
    key.mode = g->mode;
    key.order = n->order;
    key.alone = d->stages.alone;
    for (uint32_t i = 0; i < d->stages.input_count; i++) {
        struct keyed_input *in = &key.inputs[key.count];
        if (d->stages.inputs[i].behind)
            return false;
        if (!d->sizes[i] || gv_gl_draw_steps(d, i))
            continue;
        const struct words w = words_of(c, d, i, 0);
        memset(in, 0, sizeof *in);
        in->slot = (uint8_t)gv_gl_draw_slot(d, i);
        in->size = d->sizes[i];
        in->varies = w.stride != 0;
        if (!w.stride)
            memcpy(in->words, w.from, 4u * (size_t)d->sizes[i]);
        key.count++;
    }
    *out = gv_hash_bytes(&key, offsetof(__typeof__(key), inputs) +
                                   key.count * sizeof *key.inputs);
    return true;
}

void gv_gl_interleave_into(const struct gv_gl *gl, const struct gv_gl_draw *d,
                           uint32_t first, uint32_t count, uint8_t *out)
{
    gv_gl_geometry_make(d->geometry);
    put_attributes(gl, d, false, first, count, out);
}

bool gv_gl_interleave_vertices(const struct gv_gl *gl, const struct gv_gl_draw *d,
                               uint32_t first, uint32_t count, struct gv_bytes *out)
{
    out->size = 0;
    if (!d->stride)
        return true;
    uint8_t *to = gv_bytes_grow(out, (size_t)count * d->stride);
    if (to)
        gv_gl_interleave_into(gl, d, first, count, to);
    return to != NULL;
}

bool gv_gl_interleave_steps(const struct gv_gl *gl, const struct gv_gl_draw *d,
                            struct gv_bytes *bytes, struct gv_gl_batch_steps *out)
{
    // Vulkan counts elements from the first instance's number on.
    const size_t skipped =
        d->stages.based ? (size_t)d->geometry->base_instance * d->step_stride : 0;
    const size_t size = (size_t)d->geometry->instances * d->step_stride;
    bytes->size = 0;
    uint8_t *to = gv_bytes_grow(bytes, skipped + size);
    if (!to)
        return false;
    memset(to, 0, skipped);
    gv_gl_geometry_make(d->geometry);
    put_attributes(gl, d, true, 0, d->geometry->instances, to + skipped);
    *out = (struct gv_gl_batch_steps){ bytes->data, bytes->size, gv_gl_step_slot(d),
                                       d->step_stride };
    return true;
}

void gv_gl_narrow_vertices(const struct gv_gl_numbers *n, uint32_t *numbers,
                           uint32_t *first, uint32_t *count)
{
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        low = numbers[i] < low ? numbers[i] : low;
        high = numbers[i] > high ? numbers[i] : high;
    }
    for (uint32_t i = 0; i < n->count; i++)
        numbers[i] -= low;
    *first = low;
    *count = high - low + 1;
}
