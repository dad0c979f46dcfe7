#include "tools/audit/effect_audit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/audit/effect_compare.h"
#include "tools/watch/watch_host.h"
#include "vm/effects/effects_declare.h"

// A buffer or image that lives.
struct held {
    uint32_t number; // as effects name it
    uint64_t handle;
    struct gv_bytes bytes; // what it held when it was looked at last
};

struct gv_effect_audit {
    struct gv_watch watch; // to give to the VM
    struct gv_runtime *runtime;
    const struct gv_log *log;
    struct gv_declared declared;
    size_t next;       // of its calls
    struct held *held; // owned
    size_t held_count, held_capacity;
    uint64_t violations;
};

static const struct gv_track_object *object_of(const struct gv_effect_audit *a,
                                               const struct held *h)
{
    return &a->declared.track->objects[h->number];
}

static bool has_contents(uint8_t kind)
{
    return kind == GV_KIND_BUFFER || kind == GV_KIND_IMAGE;
}

// ---- one object ----

static void tell(struct gv_effect_audit *a, const struct held *h, const char *what,
                 const char *place)
{
    a->violations++;
    gv_log(a->log, GV_LOG_WARNING,
           "effects: %s (command %" PRIu64 ") wrote %s %" PRIu32
           " %s, which it does not declare",
           what, a->watch.command,
           object_of(a, h)->kind == GV_KIND_IMAGE ? "image" : "buffer", h->number,
           place);
}

// The runtime itself holds dispatches to the ranges of buffers that they name.
static bool is_held_elsewhere(const struct gv_declared_call *call, uint8_t kind)
{
    return call && kind == GV_KIND_BUFFER &&
           (call->call == GV_CALL_dispatch || call->call == GV_CALL_dispatch_indirect);
}

// Looks at it again. `call` NULL: nothing may have changed since.
static bool look(struct gv_effect_audit *a, struct held *h,
                 const struct gv_declared_call *call, struct gv_error *err)
{
    struct gv_bytes now = { 0 };
    char place[96] = "";
    const struct gv_track_object *o = object_of(a, h);
    if (!gv_runtime_contents(a->runtime, (enum gv_kind)o->kind, h->handle, &now, err)) {
        gv_bytes_finish(&now);
        return false;
    }
    const struct gv_effect_compare compare = {
        .object = o,
        .number = h->number,
        .effects = call ? a->declared.effects.items + call->first : NULL,
        .count = call ? call->count : 0,
        .before = h->bytes.data,
        .after = now.data,
        .size = now.size,
    };
    if (now.size == h->bytes.size && now.size && !is_held_elsewhere(call, o->kind) &&
        gv_effect_differs(&compare, place))
        tell(a, h, call ? gv_call_infos[call->call].name : "a call before", place);
    gv_bytes_finish(&h->bytes);
    h->bytes = now;
    return true;
}

static bool look_at_all(struct gv_effect_audit *a, struct gv_error *err)
{
    for (size_t i = 0; i < a->held_count; i++)
        if (!look(a, &a->held[i], NULL, err))
            return false;
    return true;
}

// ---- calls ----

static bool hold(struct gv_effect_audit *a, uint32_t number, uint64_t handle,
                 struct gv_error *err)
{
    if (!has_contents(a->declared.track->objects[number].kind))
        return true;
    if (a->held_count == a->held_capacity) {
        size_t capacity = a->held_capacity ? a->held_capacity * 2 : 64;
        struct held *grown = realloc(a->held, capacity * sizeof *grown);
        if (!grown)
            return gv_out_of_memory(err);
        a->held = grown;
        a->held_capacity = capacity;
    }
    a->held[a->held_count++] = (struct held){ .number = number, .handle = handle };
    return look(a, &a->held[a->held_count - 1], NULL, err);
}

static void let_go(struct gv_effect_audit *a, uint64_t handle)
{
    for (size_t i = 0; i < a->held_count; i++)
        if (a->held[i].handle == handle) {
            gv_bytes_finish(&a->held[i].bytes);
            a->held[i] = a->held[--a->held_count];
            return;
        }
}

static bool look_at_written(struct gv_effect_audit *a,
                            const struct gv_declared_call *call, struct gv_error *err)
{
    const struct gv_effect *effects = a->declared.effects.items + call->first;
    for (size_t i = 0; i < a->held_count; i++)
        for (uint32_t k = 0; k < call->count; k++)
            if (effects[k].object == a->held[i].number) {
                if (!look(a, &a->held[i], call, err))
                    return false;
                break;
            }
    return true;
}

static bool is_destroy(uint8_t call)
{
    return call == GV_CALL_buffer_destroy || call == GV_CALL_image_destroy;
}

// Which call it is depends on the code alone: those that skips may leave out are soft.
static bool follow(struct gv_effect_audit *a, uint8_t number, const union gv_arg *args,
                   uint64_t result, struct gv_error *err)
{
    if (gv_track_is_soft(number) || a->next == a->declared.count)
        return true;
    const struct gv_declared_call *call = &a->declared.calls[a->next++];
    if (call->call != number)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "--check-effects: %s runs, %s was followed",
                       gv_call_infos[number].name, gv_call_infos[call->call].name);
    if (call->made)
        return hold(a, call->made, result, err);
    if (is_destroy(number))
        let_go(a, args[0].u);
    if (!look_at_written(a, call, err))
        return false;
    return (number != GV_CALL_pass_end && number != GV_CALL_frame_end) ||
           look_at_all(a, err);
}

static bool audited(void *context, uint8_t number, const union gv_arg *args,
                    uint64_t *result, struct gv_error *err)
{
    struct gv_effect_audit *a = context;
    return gv_watch_pass(&a->watch, number, args, result, err) &&
           follow(a, number, args, *result, err);
}

// ---- life ----

struct gv_effect_audit *gv_effect_audit_create(struct gv_runtime *runtime,
                                               struct gv_payload *payload,
                                               const struct gv_log *log,
                                               struct gv_error *err)
{
    struct gv_effect_audit *a = calloc(1, sizeof *a);
    if (!a) {
        gv_out_of_memory(err);
        return NULL;
    }
    a->runtime = runtime;
    a->log = log;
    gv_watch_init(&a->watch, gv_runtime_host(runtime), audited, a);
    if (!gv_declared_make(&a->declared, payload, err)) {
        gv_effect_audit_destroy(a);
        return NULL;
    }
    if (a->declared.opaque)
        gv_log(log, GV_LOG_WARNING, "effects: %zu calls are looked at, others not: %s",
               a->declared.count, a->declared.opaque);
    return a;
}

void gv_effect_audit_destroy(struct gv_effect_audit *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->held_count; i++)
        gv_bytes_finish(&a->held[i].bytes);
    free(a->held);
    gv_declared_finish(&a->declared);
    free(a);
}

const struct gv_host *gv_effect_audit_host(const struct gv_effect_audit *a)
{
    return &a->watch.host;
}

uint64_t gv_effect_audit_violations(const struct gv_effect_audit *a)
{
    return a->violations;
}
