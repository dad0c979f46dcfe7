// Any bytes: opened as a payload, verified, and run on the recording host. Whatever
// they are, that ends in a refusal or a finished run.
#include <stddef.h>
#include <stdint.h>

#include "tests/record_host.h"
#include "vm/verify.h"

// Work a fuzzer's input may ask for.
#define MEMORY_LIMIT (UINT64_C(64) << 20)
#define MAX_INSTRUCTIONS 100000
#define MAP_LIMIT (UINT64_C(1) << 20)
// Bytes that the host reads, fetches copy: instructions times the largest operand.
#define MAX_BYTES (UINT64_C(256) << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

static bool small_enough(const struct gv_payload *p)
{
    if (p->limits.instructions > MAX_INSTRUCTIONS)
        return false;
    return p->limits.instructions * largest_access(p) / 16 <= MAX_BYTES;
}

static void run(struct gv_payload *payload)
{
    struct record_host host;
    record_host_init(&host, false);
    host.map_budget = MAP_LIMIT;
    struct gv_vm *vm = gv_vm_create(
        &(struct gv_vm_params){
            .payload = payload,
            .host = &host.host,
            .memory_limit = MEMORY_LIMIT,
        },
        NULL);
    enum gv_stop stop = GV_STOP_FRAME;
    while (vm && stop != GV_STOP_END && gv_vm_run(vm, &stop, NULL)) {
    }
    gv_vm_destroy(vm);
    record_host_finish(&host);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct gv_verify_params params = { .memory_limit = MEMORY_LIMIT };
    struct gv_payload payload;
    if (!gv_payload_open_memory(&payload, data, size, MEMORY_LIMIT, NULL))
        return 0;
    if (gv_verify(&payload, &params, NULL) && small_enough(&payload))
        run(&payload);
    gv_payload_finish(&payload);
    return 0;
}
