#include "tests/fuzz/interpret.h"

#include "tests/vm/stream_run.h"
#include "vm/verify/verify.h"

// Work a fuzzer's input may ask for.
#define MAX_INSTRUCTIONS 100000
#define MAX_KEYFRAMES 4
// Bytes that the host reads, fetches copy: instructions times the largest operand.
#define MAX_BYTES (UINT64_C(256) << 20)

// An upper bound of the bytes that one instruction may touch.
static uint64_t largest_access(const struct gv_payload *p)
{
    uint64_t largest = p->limits.volatile_bytes;
    if (p->constant_size > largest)
        largest = p->constant_size;
    for (size_t i = 0; i < p->resource_count; i++)
        if (p->resources[i].size > largest)
            largest = p->resources[i].size;
    return largest > INTERPRET_MAPS ? largest : INTERPRET_MAPS;
}

bool interpret_is_short(const struct gv_payload *p)
{
    if (p->limits.instructions > MAX_INSTRUCTIONS)
        return false;
    return p->limits.instructions * largest_access(p) / 16 <= MAX_BYTES;
}

void interpret_keyframes(struct gv_payload *payload)
{
    for (size_t i = 0; i < payload->keyframe_count && i < MAX_KEYFRAMES; i++) {
        struct gv_payload view;
        if (!gv_payload_view(&view, payload, i, NULL))
            continue;
        interpret(&view, NULL);
        gv_payload_view_finish(&view);
    }
}

bool interpret(struct gv_payload *payload, struct gv_error *err)
{
    struct record_host host;
    record_host_init(&host, false);
    host.map_budget = INTERPRET_MAPS;
    struct gv_vm *vm = gv_vm_create(
        &(struct gv_vm_params){
            .payload = payload,
            .host = &host.host,
            .memory_limit = INTERPRET_MEMORY,
        },
        err);
    enum gv_stop stop = GV_STOP_FRAME;
    size_t frames = 0;
    while (vm && stop != GV_STOP_END && gv_vm_run(vm, &stop, err))
        frames += stop == GV_STOP_FRAME;
    gv_vm_destroy(vm);
    record_host_finish(&host);
    return vm && stop == GV_STOP_END && frames == payload->frame_count;
}

static bool is_payload(const void *data, size_t size)
{
    const struct gv_verify_params params = { .memory_limit = INTERPRET_MEMORY };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload;
    if (!gv_payload_open_memory(&payload, data, size, INTERPRET_MEMORY, &err))
        return err.status == GV_ERR_LIMIT; // a stream forgets
    bool agrees = gv_verify(&payload, &params, &err) &&
                  (!interpret_is_short(&payload) || interpret(&payload, &err));
    gv_payload_finish(&payload);
    return agrees;
}
bool stream_agrees(const void *data, size_t size)
{
    struct stream_run run = { .memory_limit = INTERPRET_MEMORY,
                              .may_run = interpret_is_short };
    struct record_host host;
    record_host_init(&host, false);
    host.map_budget = INTERPRET_MAPS;
    bool ended = stream_run(&run, &host, data, size, NULL);
    record_host_finish(&host);
    return !ended || is_payload(data, size);
}
