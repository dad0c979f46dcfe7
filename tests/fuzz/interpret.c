#include "tests/fuzz/interpret.h"

#include "tests/vm/record_host.h"

// Work a fuzzer's input may ask for.
#define MAX_INSTRUCTIONS 100000
#define MAP_LIMIT (UINT64_C(1) << 20)
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
    return largest > MAP_LIMIT ? largest : MAP_LIMIT;
}

bool interpret_is_short(const struct gv_payload *p)
{
    if (p->limits.instructions > MAX_INSTRUCTIONS)
        return false;
    return p->limits.instructions * largest_access(p) / 16 <= MAX_BYTES;
}

bool interpret(struct gv_payload *payload, struct gv_error *err)
{
    struct record_host host;
    record_host_init(&host, false);
    host.map_budget = MAP_LIMIT;
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
