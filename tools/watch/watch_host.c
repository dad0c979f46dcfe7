#include "tools/watch/watch_host.h"

bool gv_watch_pass(const struct gv_watch *w, uint8_t call, const union gv_arg *args,
                   uint64_t *result, struct gv_error *err)
{
    return w->inner->calls[call](w->inner->context, args, result, err);
}

// Once, since there is a function for each call: they are many.
static bool watched(void *context, uint8_t call, const union gv_arg *args,
                    uint64_t *result, struct gv_error *err)
{
    const struct gv_watch *w = context;
    return w->call(w->context, call, args, result, err);
}

#define GV_CALL(name, code, result, sets, reads, doc)                      \
    static bool call_##name(void *context, const union gv_arg *args,       \
                            uint64_t *result_handle, struct gv_error *err) \
    {                                                                      \
        return watched(context, GV_CALL_##name, args, result_handle, err); \
    }
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

static uint8_t *map_memory(void *context, uint64_t map, uint64_t *size)
{
    const struct gv_watch *w = context;
    return w->inner->map_memory(w->inner->context, map, size);
}

static bool meets(void *context, uint32_t requirement)
{
    const struct gv_watch *w = context;
    return w->inner->meets(w->inner->context, requirement);
}

static void command(void *context, uint64_t number)
{
    struct gv_watch *w = context;
    w->command = number;
    if (w->inner->command)
        w->inner->command(w->inner->context, number);
}

void gv_watch_init(struct gv_watch *w, const struct gv_host *inner, gv_watch_fn *call,
                   void *context)
{
    *w = (struct gv_watch){
        .host = { .context = w,
                  .map_memory = map_memory,
                  .meets = meets,
                  .command = command },
        .inner = inner,
        .call = call,
        .context = context,
    };
#define GV_CALL(name, code, result, sets, reads, doc) w->host.calls[code] = call_##name;
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END
}
