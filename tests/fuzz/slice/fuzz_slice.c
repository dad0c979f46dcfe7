// The slicer, led by any bytes. An even first byte: the bytes decide what a program
// does (tests/vm/slice_program.h), whose slices must show what the whole shows. An odd
// one: they are code, and what the verifier lets through is sliced, written and
// verified again.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/helpers.h"
#include "tests/vm/slice_compare.h"
#include "tests/vm/vm_fixture.h"
#include "vm/decode.h"
#include "vm/slice/slice_write.h"
#include "vm/verify/verify.h"

#define MAX_CODE 512
#define FRAMES 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const struct gv_error *err)
{
    fprintf(stderr, "%s\n", err->status == GV_OK ? "outputs differ" : err->message);
    abort();
}

// ---- programs ----

static void on_program(const uint8_t *data, size_t size)
{
    struct slice_program program = { .state = size, .bytes = data, .left = size };
    struct slice_totals totals = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    if (!slice_program_check(&program, &totals, &err))
        fail(&err);
    slice_program_finish(&program);
}

// ---- code ----

// The resources that the code names, in order: the schedule it would have.
static size_t schedule_of(const uint8_t *code, size_t size, uint32_t *uses)
{
    struct gv_instruction in;
    uint64_t next = 0;
    size_t count = 0;
    for (size_t at = 0, n; at < size; at += n) {
        n = gv_decode_step(code + at, size - at, next, &in);
        if (!n)
            break;
        if (!gv_names_resource(&in))
            continue;
        if (in.operand > 1)
            break;
        uses[count++] = (uint32_t)in.operand;
        next = in.operand + 1;
    }
    return count;
}

// The stack that a program declares must be what it needs, which the refusal says.
static bool verify(struct gv_payload *payload)
{
    struct gv_error err = GV_ERROR_INIT;
    unsigned declared, needed;
    if (gv_verify(payload, NULL, &err))
        return true;
    if (sscanf(err.message, "limit-stack: %u cells declared, %u needed", &declared,
               &needed) != 2)
        return false;
    payload->limits.stack_cells = needed;
    return gv_verify(payload, NULL, NULL);
}

static void slice(struct gv_payload *payload, const struct gv_slice_params *wanted)
{
    struct gv_slice slice = { 0 };
    struct gv_bytes bytes = { 0 };
    struct gv_payload written = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_writer_params writer = {
        .write = gv_test_append, .context = &bytes, .level = 1, .jobs = 1
    };
    if (!gv_slice_make(&slice, payload, wanted, &err))
        fail(&err);
    const struct gv_slice_write_params params = {
        .payload = payload, .slice = &slice, .wanted = wanted, .writer = &writer
    };
    if (!gv_slice_write(&params, &err) ||
        !gv_payload_open_memory(&written, bytes.data, bytes.size, 0, &err) ||
        !gv_verify(&written, NULL, &err))
        fail(&err);
    gv_payload_finish(&written);
    gv_bytes_finish(&bytes);
    gv_slice_finish(&slice);
}

static void on_code(const uint8_t *data, size_t size)
{
    static const uint8_t end[] = { C(F_FRAME_END), OP(END) };
    static const bool exports[] = { true, true };
    uint8_t code[MAX_CODE + sizeof end];
    uint32_t uses[MAX_CODE * FRAMES];
    struct fixture_chunk chunks[FRAMES];
    if (size > MAX_CODE || !size)
        return;
    memcpy(code, data, size);
    memcpy(code + size, end, sizeof end);
    size_t count = 0;
    for (uint32_t i = 0; i < FRAMES; i++) { // the same code twice
        chunks[i] = (struct fixture_chunk){ code, size + sizeof end, 0, 0, count };
        count += schedule_of(code, size, uses + count);
    }
    struct vm_fixture f;
    fixture_open(&f, &(struct fixture_params){ chunks, FRAMES, FRAMES, uses, count, 64,
                                               20000, 0 });
    const uint64_t frame = data[0] % FRAMES;
    const struct gv_slice_params wanted = { .frames = &frame,
                                            .frame_count = 1,
                                            .last_frame = frame,
                                            .exports = exports,
                                            .memory_limit =
                                                data[0] & 0x80 ? data[0] * 256u : 0 };
    if (verify(&f.payload))
        slice(&f.payload, &wanted);
    fixture_close(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] % 2)
        on_code(data + 1, size - 1);
    else if (size)
        on_program(data + 1, size - 1);
    return 0;
}
