// The machine on a null host: decode, verify and run, in ns per instruction and per
// call.
#include "tests/bench/bench.h"
#include "tests/record_host.h"
#include "tests/test.h"
#include "tests/vm_fixture.h"
#include "vm/decode.h"
#include "vm/verify.h"
#include "vm/vm.h"

#define STRAIGHT_BYTES ((size_t)8 << 20) // of one chunk
#define BODY_TIMES 250                   // repeats of a pattern in a loop's body
#define LOOP_TIMES 20000

// Four simple instructions, and one call with four arguments.
static const uint8_t simple[] = { P(3), P(5), OP(ADD), OP(DROP) };
static const uint8_t call[] = { P(3), P(1), P(0), P(0), C(F_DRAW) };
// What a front-end's code looks like: a command, a call with a handle and a constant.
static const uint8_t mixed[] = {
    OP(CMD_NEXT), P(3),         P(1), P(0),       P(0),
    C(F_DRAW),    OP(VOLATILE), 8,    OP(LOAD32), OP(DROP),
};
static const uint8_t end[] = { C(F_FRAME_END), OP(END) };

static void put_times(struct gv_bytes *code, const uint8_t *pattern, size_t size,
                      size_t times)
{
    for (size_t i = 0; i < times; i++)
        gv_bytes_put(code, pattern, size);
}

static void open_code(struct vm_fixture *f, const struct gv_bytes *code, uint32_t stack)
{
    const struct fixture_chunk chunk = { .code = code->data, .size = code->size };
    fixture_open(f, &(struct fixture_params){ .chunks = &chunk,
                                              .chunk_count = 1,
                                              .frame_count = 1,
                                              .stack = stack,
                                              .instructions = UINT64_C(1) << 40 });
}

static void verify(struct vm_fixture *f)
{
    struct gv_error err = GV_ERROR_INIT;
    if (gv_verify(&f->payload, &(struct gv_verify_params){ 0 }, &err))
        return;
    fprintf(stderr, "bench_machine: %s\n", err.message);
    exit(EXIT_FAILURE);
}

static void bench_straight(void)
{
    struct gv_bytes code = { 0 };
    put_times(&code, mixed, sizeof mixed, STRAIGHT_BYTES / sizeof mixed);
    gv_bytes_put(&code, end, sizeof end);
    double start = bench_seconds();
    size_t count = 0;
    uint64_t sum = 0; // used, so that the work is done
    for (size_t at = 0; at < code.size; count++) {
        struct gv_instruction instruction;
        at += gv_decode_fast(code.data + at, code.size - at, &instruction);
        sum += instruction.operand;
    }
    double seconds = bench_seconds() - start;
    bench_print("decode", seconds * 1e9 / (double)count, sum ? "ns/instruction" : "");

    struct vm_fixture f;
    open_code(&f, &code, 4);
    verify(&f); // the block is decompressed now
    double best = 1e9;
    for (int pass = 0; pass < 5; pass++) {
        start = bench_seconds();
        verify(&f);
        seconds = bench_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    bench_print("verify", best * 1e9 / (double)f.payload.instruction_count,
                "ns/instruction");
    fixture_close(&f);
    gv_bytes_finish(&code);
}

static uint8_t *no_memory(void *context, uint64_t map, uint64_t *size)
{
    (void)context;
    (void)map;
    (void)size;
    return NULL;
}

// Seconds for one run of the code's one frame.
static double run_once(struct vm_fixture *f, struct gv_host *host)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_vm *vm = gv_vm_create(
        &(struct gv_vm_params){ .payload = &f->payload, .host = host }, &err);
    enum gv_stop stop = GV_STOP_COMMAND;
    double start = bench_seconds();
    bool ok = vm && gv_vm_run(vm, &stop, &err) && stop == GV_STOP_FRAME;
    double seconds = bench_seconds() - start;
    if (!ok) {
        fprintf(stderr, "bench_machine: %s\n", err.message);
        exit(EXIT_FAILURE);
    }
    gv_vm_destroy(vm);
    return seconds;
}

static void bench_loop(const char *name, const uint8_t *pattern, size_t size,
                       size_t each, uint32_t stack, const char *unit)
{
    struct gv_bytes code = { 0 };
    gv_bytes_u8(&code, OP(LOOP));
    gv_bytes_uleb(&code, LOOP_TIMES);
    put_times(&code, pattern, size, BODY_TIMES);
    gv_bytes_u8(&code, OP(LOOP_END));
    gv_bytes_put(&code, end, sizeof end);
    struct vm_fixture f;
    struct gv_host host;
    null_host_init(&host);
    host.map_memory = no_memory;
    open_code(&f, &code, stack);
    verify(&f);
    double best = 1e9;
    for (int pass = 0; pass < 5; pass++) {
        double seconds = run_once(&f, &host);
        best = seconds < best ? seconds : best;
    }
    double count = (double)each * BODY_TIMES * LOOP_TIMES;
    bench_print(name, best * 1e9 / count, unit);
    fixture_close(&f);
    gv_bytes_finish(&code);
}

int main(void)
{
    bench_straight();
    bench_loop("run_simple", simple, sizeof simple, 4, 2, "ns/instruction");
    bench_loop("run_call_4", call, sizeof call, 1, 4, "ns/call");
    return TEST_RESULT();
}
