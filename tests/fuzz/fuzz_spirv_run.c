// Modules of the maker on the device at hand: made safe, compiled by the driver and
// run, in the same process, so that the sanitizer sees what a shader does to the heap.
// Where there is no device, inputs do nothing.
#include "tests/fuzz/spirv_maker.h"
#include "tests/runtime/runtime_fixture.h"
#include "vm/descs.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct gv_bytes description;
static uint64_t buffer;

static void describe(void)
{
    static struct gv_compute_desc desc;
    desc.interface.binding_count = 1;
    desc.interface.bindings[0] =
        (struct gv_binding_desc){ 3, 0, GV_BINDING_STORAGE_BUFFER, 1,
                                  GV_STAGE_COMPUTE };
    gv_compute_desc_encode(&desc, &description);
}

// Before the sanitizer looks for leaks: what a driver holds of a device is none.
static void close_runtime(void)
{
    gv_runtime_destroy(fixture);
    fixture = NULL;
}

// A runtime keeps what it has seen: a fresh one now and then.
static bool renew(void)
{
    const struct gv_runtime_params params = {
        .memory_limit = (uint64_t)1 << 30,
        .timeout_ns = 20000000000u,
    };
    gv_error_clear(&fixture_error);
    gv_runtime_destroy(fixture);
    if (!description.size)
        describe();
    fixture = gv_runtime_create(&params, &fixture_error);
    if (!fixture)
        return false;
    MAKE(buffer, buffer_create, num(64), num(GV_BUFFER_USAGE_STORAGE));
    return true;
}

// Inputs of the shader: numbers large, negative and small by turns.
static void fill(uint32_t n)
{
    static const uint32_t inputs[] = { 100000000, 0xfffffe70, 16, 17, 0x7fffffff, 5 };
    DO(buffer_fill, num(buffer), num(0), num(4), num(inputs[n % 6]));
    DO(buffer_fill, num(buffer), num(4), num(60), num(inputs[(n + 1) % 6]));
}

static void run(const uint32_t *words, size_t count)
{
    uint64_t shader = 0, pipeline = 0;
    gv_error_clear(&fixture_error);
    if (!try_call(GV_CALL_shader_create, &shader, ARGS(bytes(words), num(count * 4))))
        return;
    if (try_call(GV_CALL_pipeline_create_compute, &pipeline,
                 ARGS(bytes(description.data), num(description.size), num(shader)))) {
        DO(bind_pipeline, num(pipeline));
        DO(bind_buffer, num(3), num(0), num(0), num(buffer), num(0), num(0));
        for (uint32_t n = 0; n < 6; n += 2) {
            fill(n);
            DO(dispatch, num(2), num(1), num(1), bytes(""), num(0));
        }
        // Drivers may compile for minutes: that ends in a time-out, which is an answer.
        CHECK(gv_runtime_finish(fixture, &fixture_error) ||
              fixture_error.status == GV_ERR_LOST);
        if (fixture_error.status == GV_ERR_LOST) {
            renew();
            return;
        }
        DO(pipeline_destroy, num(pipeline));
    }
    DO(shader_destroy, num(shader));
    if (gv_test_failures) {
        fprintf(stderr, "%s\n", fixture_error.message);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t words[SPIRV_MAKER_WORDS];
    static unsigned uses;
    if (uses == 0) {
        fixture_keep_libraries();
        atexit(close_runtime);
    }
    if (uses++ % 512 == 0 && !renew() && uses == 1)
        fprintf(stderr, "no device: %s\n", fixture_error.message);
    if (fixture)
        run(words, spirv_make(data, size, words));
    return 0;
}
