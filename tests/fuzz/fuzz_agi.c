// Any bytes as a capture of AGI: described, dumped, compiled; what compiles must
// verify.
//
//   input = flags, chunks; flags: 1 = cut files are taken, 2 = no beginning of its own,
//   else with a header, an ABI (flags / 4 % 3) and a command
#include "compiler/compiler.h"
#include "tests/agi/agi_writer.h"
#include "tests/helpers.h"
#include "tests/promise.h"
#include "vm/verify/verify.h"

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
    static struct agi_writer w;
    static const struct gv_vk_args_vkDeviceWaitIdle args;
    const uint8_t flags = size ? data[0] : 0;
    const struct gv_compile_params params = { .level = 1,
                                              .jobs = 1,
                                              .allow_truncated = flags & 1,
                                              .verbose = true,
                                              .memory_limit = MEMORY };
    struct gv_describe facts = { 0 };
    agi_begin(&w, (enum agi_writer_abi)(flags / 4 % 3), 4);
    agi_put_call(
        &w, &(struct gv_vk_call){ .function = GV_VK_vkDeviceWaitIdle, .args = &args },
        0);
    if (flags & 2)
        w.out.size = 16; // the head of the file
    if (size > 1)
        gv_bytes_put(&w.out, data + 1, size - 1);
    gv_capture_info(w.out.data, w.out.size, &params, &facts, NULL);
    gv_describe_finish(&facts);
    dump(&w.out, &params);
    compile(&w.out, &params);
    agi_finish(&w);
    return 0;
}
