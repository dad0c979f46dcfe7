#include "tools/watch/probes.h"

#define RESULT_BYTES sizeof(uint64_t)

static bool call(const struct gv_probes *p, uint8_t number, const void *args,
                 uint64_t *result, struct gv_error *err)
{
    uint64_t none = 0;
    return gv_watch_pass(p->watch, number, args, result ? result : &none, err);
}

static bool reset(struct gv_probes *p, struct gv_error *err)
{
    const struct gv_args_query_reset a = { .query.u = p->query,
                                           .count.u = GV_PROBES_SLOTS };
    p->used = 0;
    return call(p, GV_CALL_query_reset, &a, NULL, err);
}

static bool make_objects(struct gv_probes *p, struct gv_error *err)
{
    const struct gv_args_query_create q = { .type.u = p->type,
                                            .count.u = GV_PROBES_SLOTS };
    const struct gv_args_buffer_create b = { .size.u = GV_PROBES_BYTES,
                                             .usage.u = GV_BUFFER_USAGE_STORAGE };
    return call(p, GV_CALL_query_create, &q, &p->query, err) &&
           call(p, GV_CALL_buffer_create, &b, &p->buffer, err) && reset(p, err);
}

void gv_probes_restart(struct gv_probes *p)
{
    p->query = p->buffer = p->copied = 0;
    p->used = 0;
    p->results.size = 0;
}

void gv_probes_finish(struct gv_probes *p)
{
    gv_bytes_finish(&p->results);
}

static bool read_buffer(struct gv_probes *p, struct gv_error *err)
{
    struct gv_bytes bytes = { 0 };
    bool ok = !p->copied ||
              gv_runtime_contents(p->runtime, GV_KIND_BUFFER, p->buffer, &bytes, err);
    if (ok && p->copied)
        gv_bytes_put(&p->results, bytes.data, (size_t)p->copied * RESULT_BYTES);
    p->copied = 0;
    gv_bytes_finish(&bytes);
    return ok && (!p->results.failed || gv_out_of_memory(err));
}

bool gv_probes_collect(struct gv_probes *p, struct gv_error *err)
{
    if (!p->used)
        return true;
    if ((p->copied + p->used) * RESULT_BYTES > GV_PROBES_BYTES && !read_buffer(p, err))
        return false;
    const struct gv_args_query_copy a = { .query.u = p->query,
                                          .count.u = p->used,
                                          .buffer.u = p->buffer,
                                          .offset.u = p->copied * RESULT_BYTES,
                                          .stride.u = RESULT_BYTES,
                                          .flags.u = GV_QUERY_RESULT_64 |
                                                     GV_QUERY_RESULT_WAIT };
    p->copied += p->used;
    return call(p, GV_CALL_query_copy, &a, NULL, err) && reset(p, err);
}

bool gv_probes_reserve(struct gv_probes *p, uint32_t slots, struct gv_error *err)
{
    if (!p->query && !make_objects(p, err))
        return false;
    return p->used <= GV_PROBES_SLOTS - slots || gv_probes_collect(p, err);
}

bool gv_probes_read(struct gv_probes *p, struct gv_error *err)
{
    return !p->query || (gv_probes_collect(p, err) && read_buffer(p, err));
}

bool gv_probes_stamp(struct gv_probes *p, struct gv_error *err)
{
    const struct gv_args_query_timestamp a = { .query.u = p->query,
                                               .slot.u = p->used++ };
    return call(p, GV_CALL_query_timestamp, &a, NULL, err);
}

bool gv_probes_begin(struct gv_probes *p, struct gv_error *err)
{
    const struct gv_args_query_begin a = { .query.u = p->query, .slot.u = p->used };
    return call(p, GV_CALL_query_begin, &a, NULL, err);
}

bool gv_probes_end(struct gv_probes *p, struct gv_error *err)
{
    const struct gv_args_query_end a = { .query.u = p->query, .slot.u = p->used++ };
    return call(p, GV_CALL_query_end, &a, NULL, err);
}
