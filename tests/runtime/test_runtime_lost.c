// An endless shader ends in a time-out, and the runtime stays harmless afterwards.
#include "tests/runtime/runtime_fixture.h"
#include "vm/descs.h"

#include "tests/shaders/endless.spv.h"

static void run_endless(void)
{
    static struct gv_compute_desc desc;
    struct gv_bytes encoded = { 0 };
    uint64_t words, shader, pipeline;
    desc.interface.binding_count = 1;
    desc.interface.bindings[0] =
        (struct gv_binding_desc){ 3, 0, GV_BINDING_STORAGE_BUFFER, 1,
                                  GV_STAGE_COMPUTE };
    gv_compute_desc_encode(&desc, &encoded);
    MAKE(words, buffer_create, num(64), num(GV_BUFFER_USAGE_STORAGE));
    MAKE(shader, shader_create, bytes(endless), num(sizeof(endless)));
    MAKE(pipeline, pipeline_create_compute, bytes(encoded.data), num(encoded.size),
         num(shader));
    DO(bind_pipeline, num(pipeline));
    DO(bind_buffer, num(3), num(0), num(0), num(words), num(0), num(0));
    DO(dispatch, num(60000), num(60000), num(1), bytes(""), num(0));
    gv_bytes_finish(&encoded);
    CHECK(!gv_runtime_finish(fixture, &fixture_error));
    CHECK(fixture_error.status == GV_ERR_LOST);
    CHECK(strstr(fixture_error.message, "no completed submission for 0.5 s"));
    REFUSE("lost", buffer_fill, num(words), num(0), num(4), num(0));
    CHECK(fixture_error.status == GV_ERR_LOST);
}

int main(void)
{
    const struct gv_runtime_params params = { .timeout_ns = 500000000u };
    fixture_keep_libraries();
    fixture = gv_runtime_create(&params, &fixture_error);
    if (!fixture)
        return gv_test_skip("no Vulkan device");
    run_endless();
    gv_runtime_destroy(fixture);
    // The driver's threads never come back: leave without waiting for them.
    _Exit(TEST_RESULT());
}
