// Any bytes as the code of a payload whose tables are good: what the verifier lets
// through must run on the recording host without a fault. This reaches what
// fuzz_payload seldom does, for a payload's segments are hashed.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/vm/record_host.h"
#include "tests/vm/vm_fixture.h"
#include "vm/decode.h"
#include "vm/verify/verify.h"

#define MAX_CODE 512
#define MAX_INSTRUCTIONS 20000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The resources that the code names, in order: the schedule it would have.
static size_t schedule_of(const uint8_t *code, size_t size, uint32_t *uses)
{
    struct gv_instruction in;
    uint64_t next = 0;
    size_t count = 0;
    for (size_t at = 0, n; at < size; at += n) {
        n = gv_decode(code + at, size - at, &in);
        if (!n)
            break;
        if (in.op == GV_OP_RES || in.op == GV_OP_FETCH)
            next = in.operand;
        else if (in.op != GV_OP_RES_NEXT && in.op != GV_OP_FETCH_NEXT)
            continue;
        if (next > 1)
            break;
        uses[count++] = (uint32_t)next++;
    }
    return count;
}

static void run(struct gv_payload *payload)
{
    struct record_host host;
    record_host_init(&host, false);
    host.map_budget = 1 << 16;
    struct gv_vm *vm = gv_vm_create(
        &(struct gv_vm_params){ .payload = payload, .host = &host.host }, NULL);
    enum gv_stop stop = GV_STOP_FRAME;
    while (vm && stop != GV_STOP_END && gv_vm_run(vm, &stop, NULL)) {
    }
    gv_vm_destroy(vm);
    record_host_finish(&host);
}

// The stack a program declares must be what it needs: the refusal says how much that
// is.
static bool verify(struct gv_payload *payload)
{
    struct gv_error err = GV_ERROR_INIT;
    if (gv_verify(payload, NULL, &err))
        return true;
    unsigned declared, needed;
    if (sscanf(err.message, "limit-stack: %u cells declared, %u needed", &declared,
               &needed) != 2)
        return false;
    payload->limits.stack_cells = needed;
    return gv_verify(payload, NULL, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t end[] = { C(F_FRAME_END), OP(END) };
    uint8_t code[MAX_CODE + sizeof end];
    uint32_t uses[MAX_CODE];
    if (size > MAX_CODE)
        return 0;
    if (size)
        memcpy(code, data, size);
    memcpy(code + size, end, sizeof end);
    struct fixture_chunk chunk = { code, size + sizeof end, 0, 0, 0 };
    struct vm_fixture f;
    fixture_open(&f, &(struct fixture_params){ &chunk, 1, 1, uses,
                                               schedule_of(code, size, uses), 64,
                                               MAX_INSTRUCTIONS, 0 });
    if (verify(&f.payload))
        run(&f.payload);
    fixture_close(&f);
    return 0;
}
