// Any bytes as a gfxreconstruct capture: described, dumped, compiled; what compiles
// must verify.
//
//   input = flags, file behind its magic; flags: 1 = cut files are taken, 2 = no header
//   of its own but this codec (flags / 4)
#include "compiler/compiler.h"
#include "tests/gfxrfile/gfxr_writer.h"
#include "tests/helpers.h"
#include "tests/promise.h"
#include "vm/verify/verify.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY ((uint64_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What is refused by itself is refused with a byte.
static void dump(const struct gv_bytes *file, const struct gv_compile_params *params)
{
    struct gv_bytes text = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_capture_dump(file->data, file->size, params, gv_test_append, &text, &err))
        gv_promise(err.status == GV_ERR_MEMORY || err.offset != GV_NO_OFFSET,
                   "an offset for each refusal");
    gv_bytes_finish(&text);
}

static void compile(const struct gv_bytes *file, const struct gv_compile_params *params)
{
    struct gv_bytes out = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload;
    if (gv_compile(file->data, file->size, params, gv_test_append, &out, NULL, NULL)) {
        gv_promise(gv_payload_open_memory(&payload, out.data, out.size, 0, &err),
                   err.message);
        gv_promise(gv_verify(&payload, &(struct gv_verify_params){ 0 }, &err),
                   err.message);
        gv_payload_finish(&payload);
    }
    gv_bytes_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t flags = size ? data[0] : 0;
    const struct gv_compile_params params = { .level = 1,
                                              .jobs = 1,
                                              .allow_truncated = flags & 1,
                                              .verbose = true,
                                              .memory_limit = MEMORY };
    struct gfxr_writer w = { 0 };
    struct gv_describe facts = { 0 };
    if (flags & 2)
        gfxr_begin(&w, (enum gfxr_codec)(flags / 4 % 4), flags / 16 % 2);
    else
        gv_bytes_put(&w.out, "GFXR", 4);
    if (size > 1)
        gv_bytes_put(&w.out, data + 1, size - 1);
    gv_capture_info(w.out.data, w.out.size, &params, &facts, NULL);
    gv_describe_finish(&facts);
    dump(&w.out, &params);
    compile(&w.out, &params);
    gfxr_finish(&w);
    return 0;
}
