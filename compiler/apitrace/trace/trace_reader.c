#include "compiler/apitrace/trace/trace_reader.h"

#include "compiler/apitrace/trace/trace_events.h"
#include "compiler/apitrace/trace/trace_probe.h"
#include "compiler/apitrace/trace/trace_signatures.h"
#include "compiler/apitrace/trace/trace_values.h"
#include "compiler/apitrace/trace/trace_window.h"
#include "resources/base/cut_hint.h"

#include <stdio.h>
#include <stdlib.h>

#define WINDOW_BYTES ((size_t)64 * 1024) // asked for at least
#define LARGE_BYTES ((size_t)1 << 20)    // of an event that comes
#define MAX_WINDOW_BYTES ((size_t)1 << 31)

struct gv_trace_reader {
    struct gv_trace_header header;
    struct gv_trace_params params;
    struct gv_trace_window window;
    size_t pos; // of the window: where the next event begins
    struct gv_trace_signatures signatures;
    struct gv_trace_pendings pendings;
    struct gv_trace_pending *handed; // the call that was handed on last
    uint64_t calls;                  // entered so far
    bool ended, cut;
};

// ---- errors ----

// `err`, which stands in the stream, also tells where in the file that is.
static bool name_chunk(const struct gv_trace_reader *r, struct gv_error *err)
{
    if (!err || err->status == GV_OK || err->offset == GV_NO_OFFSET ||
        r->header.container == GV_TRACE_RAW)
        return false;
    size_t length = strlen(err->message);
    uint64_t chunk = gv_trace_window_chunk(&r->window, err->offset);
    snprintf(err->message + length, sizeof err->message - length,
             " (chunk at byte %llu of the file)", (unsigned long long)chunk);
    return false;
}

// The stream ends within what is wanted: because it is damaged, or because the file
// ends.
static bool fail_end(struct gv_trace_reader *r, const char *hint, struct gv_error *err)
{
    const struct gv_error *damage = &r->window.damage;
    if (damage->status != GV_OK)
        return gv_fail(err, damage->status, r->window.start + r->window.size,
                       "%s (byte %llu of the file)", damage->message,
                       (unsigned long long)damage->offset);
    gv_fail(err, GV_ERR_FORMAT, r->window.start + r->pos, "the trace ends early%s",
            hint);
    return name_chunk(r, err);
}

// ---- the window ----

// What calls that have not left borrow from the window becomes their own.
static bool detach(struct gv_trace_reader *r, struct gv_error *err)
{
    const struct gv_trace_window *w = &r->window;
    for (size_t i = 0; i < r->pendings.count; i++) {
        struct gv_trace_pending *call = r->pendings.list[i];
        if (!call->borrows)
            continue;
        bool ok =
            gv_trace_value_detach(&call->call.result, w->data, w->size, &call->pool);
        for (uint32_t j = 0; ok && j < call->call.argument_count; j++)
            ok = gv_trace_value_detach(&call->arguments[j], w->data, w->size,
                                       &call->pool);
        if (!ok)
            return gv_fail(err, GV_ERR_LIMIT, call->call.offset,
                           "the values of calls take over %zu bytes",
                           r->pendings.budget.limit);
        call->borrows = false;
    }
    return true;
}

static struct gv_trace_parse parse_here(struct gv_trace_reader *r, struct gv_error *err)
{
    const struct gv_trace_window *w = &r->window;
    return (struct gv_trace_parse){ .at = w->data + r->pos,
                                    .end = w->data + w->size,
                                    .data = w->data,
                                    .start = w->start,
                                    .version = r->header.version,
                                    .signatures = &r->signatures,
                                    .err = err };
}

// More of the stream, for a parse that lacks it.
static bool advance(struct gv_trace_reader *r, const struct gv_trace_parse *p,
                    struct gv_error *err)
{
    size_t seen = r->window.size - r->pos;
    size_t wanted = (size_t)(p->at - p->data) - r->pos + p->lack;
    // Of what is still coming what lacks, and no more: the rest may take long. Large
    // events are not read anew for every piece.
    const bool comes = r->params.inflow != NULL;
    if (wanted < 2 * seen && (!comes || seen > LARGE_BYTES))
        wanted = comes ? seen + seen / 4 : 2 * seen;
    if (wanted < WINDOW_BYTES && !comes)
        wanted = WINDOW_BYTES;
    if (!detach(r, err))
        return name_chunk(r, err);
    if (!gv_trace_window_advance(&r->window, r->pos, wanted, err))
        return false;
    r->pos = 0;
    return true;
}

// ---- the header ----

static bool parse_text(struct gv_trace_parse *p, uint64_t limit, const char *what,
                       const char **out)
{
    const uint8_t *bytes;
    uint64_t size;
    if (!gv_parse_bytes(p, limit, what, &bytes, &size))
        return false;
    *out = gv_arena_copy(&p->signatures->arena, bytes, (size_t)size);
    return *out || gv_out_of_memory(p->err);
}

static bool parse_properties(struct gv_trace_parse *p, struct gv_trace_header *header)
{
    struct gv_trace_property *list =
        gv_arena_array(&p->signatures->arena, GV_TRACE_MAX_PROPERTIES, sizeof *list);
    if (!list)
        return gv_out_of_memory(p->err);
    size_t count = 0;
    for (;; count++) {
        const uint8_t *at = p->at;
        if (!parse_text(p, GV_TRACE_MAX_NAME, "bytes of a property", &list[count].name))
            return false;
        if (p->at - at == 1) // an empty name
            break;
        if (!parse_text(p, GV_TRACE_MAX_PROPERTY_BYTES, "bytes of a property",
                        &list[count].value))
            return false;
        if (count == GV_TRACE_MAX_PROPERTIES - 1)
            return gv_parse_fail(p, GV_ERR_LIMIT, "over %u properties",
                                 GV_TRACE_MAX_PROPERTIES - 1);
    }
    header->properties = list;
    header->property_count = count;
    return true;
}

static bool parse_header(struct gv_trace_parse *p, struct gv_trace_header *header)
{
    uint64_t version, semantic;
    if (!gv_parse_uint(p, &version))
        return false;
    if (version > GV_TRACE_NEWEST_VERSION)
        return gv_fail(p->err, GV_ERR_UNSUPPORTED, p->start,
                       "unsupported: version %llu of apitrace's format",
                       (unsigned long long)version);
    header->version = header->semantic_version = (unsigned)version;
    if (version < 6)
        return true;
    const uint8_t *at = p->at;
    if (!gv_parse_uint(p, &semantic))
        return false;
    if (semantic > version) {
        p->at = at;
        return gv_parse_fail(p, GV_ERR_FORMAT, "a semantic version above the version");
    }
    header->semantic_version = (unsigned)semantic;
    return parse_properties(p, header);
}

// Reads the header anew until the window holds all of it.
static bool read_header(struct gv_trace_reader *r, struct gv_error *err)
{
    for (;;) {
        struct gv_trace_parse p = parse_here(r, err);
        if (parse_header(&p, &r->header)) {
            r->pos = (size_t)(p.at - p.data);
            return true;
        }
        if (!p.lack)
            return name_chunk(r, err);
        if (r->window.ended)
            return fail_end(r, "", err);
        gv_arena_finish(&r->signatures.arena);
        if (!advance(r, &p, err))
            return false;
    }
}

static size_t clamp(uint64_t limit, size_t most)
{
    return limit && limit < most ? (size_t)limit : most;
}

struct gv_trace_reader *gv_trace_open(struct gv_cursor file,
                                      const struct gv_trace_params *params,
                                      struct gv_error *err)
{
    struct gv_trace_reader *r = calloc(1, sizeof *r);
    if (!r) {
        gv_out_of_memory(err);
        return NULL;
    }
    r->params = *params;
    r->signatures.nameless = params->nameless;
    r->pendings.budget.limit = clamp(params->memory_limit, GV_TRACE_VALUE_BYTES);
    const size_t limit = clamp(params->memory_limit, MAX_WINDOW_BYTES);
    if (gv_trace_window_init(&r->window, file, params->inflow, limit, err)) {
        r->header.container = r->window.container;
        if (read_header(r, err))
            return r;
    }
    gv_trace_close(r);
    return NULL;
}

void gv_trace_close(struct gv_trace_reader *r)
{
    if (!r)
        return;
    if (r->handed)
        gv_trace_pending_give_back(&r->pendings, r->handed);
    gv_trace_pendings_finish(&r->pendings);
    gv_trace_signatures_finish(&r->signatures);
    gv_trace_window_finish(&r->window);
    free(r);
}

// ---- calls ----

// The stream ends within an event or behind the last one.
static bool end(struct gv_trace_reader *r, struct gv_error *err)
{
    r->cut = r->window.cut || r->pos < r->window.size;
    if (r->window.damage.status != GV_OK || (r->cut && !r->params.allow_truncated))
        return fail_end(r, GV_CUT_HINT, err);
    r->ended = true;
    return true;
}

static bool read_event(struct gv_trace_reader *r, struct gv_trace_event *event,
                       struct gv_error *err)
{
    for (;;) {
        struct gv_trace_parse p = parse_here(r, err);
        if (gv_parse_event(&p, &r->pendings, &r->calls, event)) {
            r->pos = (size_t)(p.at - p.data);
            return true;
        }
        if (!p.lack)
            return name_chunk(r, err);
        if (r->window.ended)
            return end(r, err);
        if (!advance(r, &p, err))
            return false;
    }
}

bool gv_trace_next(struct gv_trace_reader *r, const struct gv_trace_call **call,
                   struct gv_error *err)
{
    struct gv_trace_event event = { 0 };
    *call = NULL;
    if (r->handed)
        gv_trace_pending_give_back(&r->pendings, r->handed);
    r->handed = NULL;
    while (!r->ended && !event.left)
        if (!read_event(r, &event, err))
            return false;
    r->handed = event.left;
    if (r->ended && r->pendings.count) {
        r->handed = gv_trace_pending_leave(&r->pendings, 0);
        r->handed->call.incomplete = true;
    }
    if (r->handed)
        *call = &r->handed->call;
    return true;
}

// ---- looking ----

const struct gv_trace_header *gv_trace_header(const struct gv_trace_reader *r)
{
    return &r->header;
}

const char *gv_trace_property(const struct gv_trace_reader *r, const char *name)
{
    for (size_t i = 0; i < r->header.property_count; i++)
        if (strcmp(r->header.properties[i].name, name) == 0)
            return r->header.properties[i].value;
    return NULL;
}

struct gv_trace_position gv_trace_position(const struct gv_trace_reader *r)
{
    const struct gv_trace_window *w = &r->window;
    uint64_t stream = w->start + r->pos, read = gv_trace_window_read(w);
    // The call that was handed on last, and those that have not left, borrow from what
    // came; what the window has passed is free.
    if (!w->unpacker && w->inflow)
        read = r->ended && !r->handed ? w->start + w->size : w->start;
    return (struct gv_trace_position){ stream,
                                       gv_trace_window_chunk(&r->window, stream),
                                       read };
}

bool gv_trace_was_cut(const struct gv_trace_reader *r)
{
    return r->cut;
}
