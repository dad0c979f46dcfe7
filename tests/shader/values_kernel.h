// A translated shader as a compute pipeline of the fixture's device, for tests of
// values.
#ifndef GV_VALUES_KERNEL_H
#define GV_VALUES_KERNEL_H

#include "compiler/shader/shader.h"
#include "tests/runtime/runtime_fixture.h"

struct kernel {
    uint64_t shader, pipeline;
    struct gv_shader_stage stage;
};

// Makes the pipeline of k->stage, and binds it.
static inline void make_kernel(struct kernel *k)
{
    static struct gv_compute_desc desc;
    struct gv_bytes encoded = { 0 };
    memcpy(desc.interface.bindings, k->stage.bindings,
           k->stage.binding_count * sizeof *k->stage.bindings);
    desc.interface.binding_count = k->stage.binding_count;
    gv_compute_desc_encode(&desc, &encoded);
    MAKE(k->shader, shader_create, bytes(k->stage.words), num(k->stage.word_count * 4));
    MAKE(k->pipeline, pipeline_create_compute, bytes(encoded.data), num(encoded.size),
         num(k->shader));
    gv_bytes_finish(&encoded);
    DO(bind_pipeline, num(k->pipeline));
}

#endif
