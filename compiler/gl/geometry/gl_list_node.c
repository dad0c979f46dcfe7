// Copies of calls with all that their arguments hold, in one allocation.
#include "compiler/gl/geometry/gl_list_node.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/checked.h"

#define MAX_DEPTH 8u
#define ALIGNMENT 16u

// Places in an allocation: first only counted, then handed out.
struct room {
    uint8_t *base; // NULL: counting
    size_t used;
    bool bad; // too deep, too large
};

static void *place(struct room *r, uint64_t bytes)
{
    uint64_t end;
    if (!gv_align_u64(bytes, ALIGNMENT, &end) || end > SIZE_MAX / 2 - r->used) {
        r->bad = true;
        return NULL;
    }
    void *at = r->base ? r->base + r->used : NULL;
    r->used += (size_t)end;
    return at;
}

static const void *copied(struct room *r, const void *data, uint64_t bytes)
{
    void *at = place(r, bytes);
    if (at && bytes)
        memcpy(at, data, (size_t)bytes);
    return at;
}

static struct gv_trace_value *copy_values(struct room *r,
                                          const struct gv_trace_value *from,
                                          uint64_t count, uint32_t depth);

// What a value points to; `to` is NULL while counting.
static void copy_content(struct room *r, const struct gv_trace_value *from,
                         struct gv_trace_value *to, uint32_t depth)
{
    const void *content;
    switch (from->kind) {
    case GV_TRACE_STRING:
    case GV_TRACE_BLOB:
        content = copied(r, from->bytes, from->count);
        if (to)
            to->bytes = content;
        return;
    case GV_TRACE_WIDE:
        content = copied(r, from->wide, from->count * sizeof *from->wide);
        if (to)
            to->wide = content;
        return;
    case GV_TRACE_ARRAY:
    case GV_TRACE_STRUCT:
    case GV_TRACE_PAIR:
        content = copy_values(r, from->items,
                              from->kind == GV_TRACE_PAIR ? 2 : from->count, depth + 1);
        if (to)
            to->items = content;
        return;
    default:
        return;
    }
}

static struct gv_trace_value *copy_values(struct room *r,
                                          const struct gv_trace_value *from,
                                          uint64_t count, uint32_t depth)
{
    if (depth > MAX_DEPTH || count > UINT32_MAX) {
        r->bad = true;
        return NULL;
    }
    struct gv_trace_value *to = place(r, count * sizeof *from);
    if (to && count)
        memcpy(to, from, (size_t)count * sizeof *from);
    for (uint64_t i = 0; i < count && !r->bad; i++)
        copy_content(r, &from[i], to ? &to[i] : NULL, depth);
    return to;
}

static bool holds_bytes(const struct gv_trace_call *call)
{
    for (uint32_t i = 0; i < call->argument_count; i++)
        if (call->arguments[i].kind == GV_TRACE_BLOB)
            return true;
    return false;
}

static struct gv_gl_list_node *lay_out(struct room *r, const struct gv_trace_call *call)
{
    struct gv_gl_list_node *node = place(r, sizeof *node);
    struct gv_gl_list_call *copy = place(r, sizeof *copy);
    const struct gv_trace_value *arguments =
        copy_values(r, call->arguments, call->argument_count, 0);
    if (!node)
        return NULL;
    *copy = (struct gv_gl_list_call){ .call = *call };
    copy->call.arguments = arguments;
    copy->call.result = (struct gv_trace_value){ 0 };
    copy->call.frame_count = 0;
    copy->call.frames = NULL;
    *node = (struct gv_gl_list_node){ .call = copy };
    return node;
}

struct gv_gl_list_node *gv_gl_list_call_node(const struct gv_gl_context *c,
                                             const struct gv_gl_row *row,
                                             const struct gv_trace_call *call,
                                             struct gv_error *err)
{
    struct room r = { 0 };
    lay_out(&r, call);
    if (r.bad) {
        gv_fail(err, GV_ERR_LIMIT, call->offset, "values nested too deep for a list");
        return NULL;
    }
    r.base = malloc(r.used);
    if (!r.base) {
        gv_out_of_memory(err);
        return NULL;
    }
    r.used = 0;
    struct gv_gl_list_node *node = lay_out(&r, call);
    node->call->row = row;
    node->call->has_bytes = holds_bytes(call);
    node->call->unpack = c->client.unpack;
    return node;
}

void gv_gl_list_nodes_free(struct gv_gl_list_node *first)
{
    while (first) {
        struct gv_gl_list_node *next = first->next;
        free(first);
        first = next;
    }
}
