// Any bytes as a capture: described, dumped and compiled, all at once and piece by
// piece as through a pipe. What compiles must give a payload that opens and verifies;
// who reads pieces knows no more frames than who has all, and refuses what that
// refuses.
#define _GNU_SOURCE // memfd_create
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compiler/compiler.h"
#include "tests/helpers.h"
#include "vm/verify/verify.h"

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

// `whole`: what came of all at once; frames of it, or NULL: it was refused.
static void compile_pieces(const uint8_t *data, size_t size,
                           struct gv_compile_params params,
                           const struct gv_compile_stats *whole)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes out = { 0 };
    struct gv_inflow inflow;
    struct gv_compile_stats stats;
    const int fd = memfd_create("capture", MFD_CLOEXEC);
    if (fd < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        die("no memory for a pipe", &err);
    const struct gv_inflow_params coming = { .fd = fd,
                                             .limit = MEMORY,
                                             .step = 1 + (size ? data[size / 2] : 0) };
    if (!gv_inflow_init(&inflow, &coming, &err))
        die("no pipe", &err);
    params.inflow = &inflow;
    params.live = true;
    if (gv_compile(NULL, 0, &params, gv_test_append, &out, &stats, &err)) {
        check_payload(&out);
        if (!whole || whole->frames != stats.frames ||
            whole->commands != stats.commands)
            die("in pieces it is another capture", &err);
    } else if (err.status == GV_OK) {
        die("refused in silence", &err);
    } else if (whole && err.status != GV_ERR_UNSUPPORTED) {
        die("in pieces it is refused", &err);
    }
    gv_bytes_finish(&out);
    gv_inflow_finish(&inflow);
    close(fd);
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
    const bool compiled =
        gv_compile(data, size, &params, gv_test_append, &out, &stats, &err);
    if (compiled)
        check_payload(&out);
    else if (err.status == GV_OK)
        die("refused in silence", &err);
    gv_bytes_finish(&out);
    compile_pieces(data, size, params, compiled ? &stats : NULL);
    return 0;
}
