#include "tools/run/run_prewarm.h"

#include <stdlib.h>
#include <string.h>

#include "vm/vm.h"

#define STAGES 5

struct warmer {
    const struct gv_host *host;
    struct gv_vm *vm;
    const struct gv_payload *payload;
    const struct gv_pipeline_list *list;
};

// A copy of bytes of the payload, owned; NULL: `err`.
static uint8_t *bytes_of(const struct warmer *w, const struct gv_payload_bytes *place,
                         struct gv_error *err)
{
    uint8_t *copy = malloc((size_t)place->size + 1);
    const uint8_t *bytes = place->resource == GV_IN_CONSTANTS
                               ? w->payload->constants
                               : gv_vm_resource_bytes(w->vm, place->resource, err);
    if (!copy)
        gv_out_of_memory(err);
    if (!copy || !bytes) {
        free(copy);
        return NULL;
    }
    memcpy(copy, bytes + place->offset, (size_t)place->size);
    return copy;
}

static bool call(const struct warmer *w, enum gv_call number, union gv_arg *args,
                 uint64_t *result, struct gv_error *err)
{
    return w->host->calls[number](w->host->context, args, result, err);
}

static bool make_shader(const struct warmer *w, uint32_t number, uint64_t *shader,
                        struct gv_error *err)
{
    const struct gv_payload_bytes *place = &w->list->shaders[number].spirv;
    uint8_t *words = bytes_of(w, place, err);
    union gv_arg args[3] = { { .data = words }, { .u = place->size }, { 0 } };
    bool ok = words && call(w, GV_CALL_shader_create, args, shader, err);
    free(words);
    return ok;
}

static bool make_from(const struct warmer *w, const struct gv_made_pipeline *row,
                      const uint64_t shaders[STAGES], struct gv_error *err)
{
    uint64_t pipeline = 0;
    uint8_t *desc = bytes_of(w, &row->desc, err);
    union gv_arg args[3 + STAGES] = { { .data = desc }, { .u = row->desc.size } };
    for (size_t i = 0; i < STAGES; i++)
        args[2 + i].u = shaders[i];
    bool ok = desc && call(w,
                           row->compute ? GV_CALL_pipeline_create_compute
                                        : GV_CALL_pipeline_create_graphics,
                           args, &pipeline, err);
    free(desc);
    return ok;
}

// Only the pipeline stays.
static bool make_pipeline(const struct warmer *w, const struct gv_made_pipeline *row,
                          struct gv_error *err)
{
    uint64_t shaders[STAGES] = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < STAGES; i++)
        ok = row->shaders[i] == GV_STAGE_EMPTY ||
             make_shader(w, row->shaders[i], &shaders[i], err);
    ok = ok && make_from(w, row, shaders, err);
    for (size_t i = 0; i < STAGES; i++) {
        union gv_arg args[2] = { { .u = shaders[i] }, { 0 } };
        if (shaders[i])
            call(w, GV_CALL_shader_destroy, args, &(uint64_t){ 0 }, NULL);
    }
    return ok;
}

bool gv_run_prewarm(struct gv_runtime *runtime, struct gv_vm *vm,
                    const struct gv_payload *payload,
                    const struct gv_pipeline_list *list, size_t *made,
                    struct gv_error *err)
{
    const struct warmer w = { gv_runtime_host(runtime), vm, payload, list };
    *made = 0;
    for (size_t i = 0; i < list->pipeline_count; i++) {
        struct gv_error mine = GV_ERROR_INIT;
        if (make_pipeline(&w, &list->pipelines[i], &mine))
            ++*made;
        if (mine.status == GV_ERR_LOST || mine.status == GV_ERR_MEMORY) {
            *err = mine;
            return false;
        }
        // Objects that live at once are bounded by what the payload declares.
        if (!gv_runtime_reset(runtime, err))
            return false;
    }
    return true;
}
