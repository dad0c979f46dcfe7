// What the machine costs on a host that does nothing: one line of JSON per figure.
#include "resources/base/bytes.h"
#include "tests/vm/record_host.h"
#include "tests/vm/vm_fixture.h"
#include "vm/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHUNK_CALLS 100000
#define PASSES 20

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void report(const char *name, double ns, double count)
{
    printf("{\"bench\":\"vm\",\"name\":\"%s\",\"ns\":%.2f}\n", name, ns / count);
}

static void put(struct gv_bytes *code, const uint8_t *bytes, size_t size, size_t times)
{
    for (size_t i = 0; i < times; i++)
        gv_bytes_put(code, bytes, size);
}

#define PUT(code, times, ...)                   \
    put(code, (const uint8_t[]){ __VA_ARGS__ }, \
        sizeof((const uint8_t[]){ __VA_ARGS__ }), times)

struct bench {
    const char *name;
    struct gv_bytes code;
    uint32_t stack;
    uint64_t instructions; // executed
    uint64_t units;        // calls or instructions that the figure is of
};

static double run_once(struct gv_vm *vm)
{
    enum gv_stop stop = GV_STOP_FRAME;
    struct gv_error err = GV_ERROR_INIT;
    double start = now_ns();
    while (stop != GV_STOP_END)
        if (!gv_vm_run(vm, &stop, &err)) {
            fprintf(stderr, "%s\n", err.message);
            exit(EXIT_FAILURE);
        }
    return now_ns() - start;
}

static void measure_verify(const struct bench *b, struct vm_fixture *f)
{
    struct gv_error err = GV_ERROR_INIT;
    char name[64];
    double best = 1e18;
    for (int i = 0; i < PASSES; i++) {
        double start = now_ns();
        if (!gv_verify(&f->payload, NULL, &err)) {
            fprintf(stderr, "%s: %s\n", b->name, err.message);
            exit(EXIT_FAILURE);
        }
        double ns = now_ns() - start;
        best = ns < best ? ns : best;
    }
    snprintf(name, sizeof name, "verify, per instruction of %s", b->name);
    report(name, best, (double)b->instructions);
}

static void measure_run(const struct bench *b, struct vm_fixture *f)
{
    struct gv_host host;
    null_host_init(&host);
    f->payload.slots[F_SLOT_MAP].kind = GV_KIND_QUERY; // the null host has no maps
    struct gv_vm *vm = gv_vm_create(
        &(struct gv_vm_params){ .payload = &f->payload, .host = &host }, NULL);
    double best = 1e18;
    for (int i = 0; i < PASSES; i++) {
        double ns = run_once(vm);
        best = ns < best ? ns : best;
        gv_vm_restart(vm);
    }
    report(b->name, best, (double)b->units);
    gv_vm_destroy(vm);
}

static void measure(struct bench *b, bool straight)
{
    PUT(&b->code, 1, C(F_FRAME_END), OP(END));
    struct fixture_chunk chunk = { b->code.data, b->code.size, 0, 0, 0 };
    struct vm_fixture f;
    fixture_open(&f, &(struct fixture_params){ &chunk, 1, 1, NULL, 0, b->stack,
                                               UINT64_C(1) << 40, 0 });
    if (straight) // else instructions run more often than they are verified
        measure_verify(b, &f);
    measure_run(b, &f);
    fixture_close(&f);
    gv_bytes_finish(&b->code);
}

int main(void)
{
    struct bench calls = { .name = "call of four literals, translated",
                           .stack = 4,
                           .instructions = CHUNK_CALLS * 5,
                           .units = CHUNK_CALLS };
    PUT(&calls.code, CHUNK_CALLS, P(3), P(1), P(0), P(0), C(F_DRAW));
    measure(&calls, true);

    struct bench looped = { .name = "call of four literals, in a loop",
                            .stack = 4,
                            .instructions = 5000000,
                            .units = 1000000 };
    PUT(&looped.code, 1, OP(LOOP), 0xc0, 0x84, 0x3d, P(3), P(1), P(0), P(0), C(F_DRAW),
        OP(LOOP_END)); // 1000000 times
    measure(&looped, false);

    struct bench computed = { .name = "call of four arguments on the stack, in a loop",
                              .stack = 4,
                              .instructions = 6000000,
                              .units = 1000000 };
    PUT(&computed.code, 1, OP(LOOP), 0xc0, 0x84, 0x3d, OP(VOLATILE), 0, OP(LOAD32),
        P(1), P(0), P(0), C(F_DRAW), OP(LOOP_END));
    measure(&computed, false);

    struct bench simple = { .name = "simple instruction, in a loop",
                            .stack = 2,
                            .units = 1000000 * 11 };
    PUT(&simple.code, 1, OP(LOOP), 0xc0, 0x84, 0x3d, P(1), OP(DUP), OP(ADD), P(7),
        OP(MUL), P(3), OP(AND), P(2), OP(LESS), OP(DROP), OP(LOOP_END));
    measure(&simple, false);

    struct bench memory = { .name = "load, add and store, in a loop, per instruction",
                            .stack = 2,
                            .units = 1000000 * 6 };
    PUT(&memory.code, 1, OP(LOOP), 0xc0, 0x84, 0x3d, OP(VOLATILE), 0, OP(LOAD32),
        OP(ADD_IMM), 1, OP(VOLATILE), 0, OP(STORE32), OP(LOOP_END));
    measure(&memory, false);

    struct bench mixed = { .name = "stack traffic, translated, per instruction",
                           .stack = 2,
                           .instructions = CHUNK_CALLS * 6,
                           .units = CHUNK_CALLS * 6 };
    PUT(&mixed.code, CHUNK_CALLS, P(1), OP(CONST), 40, OP(LOAD16), OP(ADD), OP(DROP),
        OP(CMD_NEXT));
    measure(&mixed, true);
    return EXIT_SUCCESS;
}
