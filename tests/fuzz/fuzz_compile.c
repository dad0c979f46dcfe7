// Any bytes as a capture: described, dumped and compiled. What compiles must give a
// payload that opens and verifies.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/compiler.h"
#include "tests/helpers.h"
#include "vm/verify.h"

// Small enough that a hostile capture is not slow, large enough for honest ones.
#define MEMORY ((uint64_t)256 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void die(const char *what, const struct gv_error *err)
{
    fprintf(stderr, "%s: %s\n", what, err->message);
    abort();
}

static void check_payload(const struct gv_bytes *bytes)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload;
    if (!gv_payload_open_memory(&payload, bytes->data, bytes->size, 0, &err))
        die("the compiler's payload does not open", &err);
    if (!gv_verify(&payload, &(struct gv_verify_params){ 0 }, &err))
        die("the compiler's payload does not verify", &err);
    gv_payload_finish(&payload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct gv_compile_params params = { .level = 1,
                                              .jobs = 1,
                                              .memory_limit = MEMORY };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_describe facts = { 0 };
    struct gv_bytes out = { 0 };
    gv_capture_info(data, size, &params, &facts, &err);
    gv_describe_finish(&facts);
    gv_error_clear(&err);
    gv_capture_dump(data, size, &params, gv_test_append, &out, &err);
    gv_bytes_finish(&out);
    gv_error_clear(&err);
    struct gv_compile_stats stats;
    if (gv_compile(data, size, &params, gv_test_append, &out, &stats, &err))
        check_payload(&out);
    else if (err.status == GV_OK)
        die("refused in silence", &err);
    gv_bytes_finish(&out);
    return 0;
}
