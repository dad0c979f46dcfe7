#include "tools/run/run_prewarm.h"

#include <stdlib.h>
#include <string.h>

#include "vm/machine/vm.h"

#define STAGES 5

struct warmer {
    struct gv_runtime *runtime;
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

// ---- each once ----

struct wish {
    const struct gv_pipeline_list *list;
    const struct gv_made_pipeline *row;
};

static int compare_places(const struct gv_payload_bytes *a,
                          const struct gv_payload_bytes *b)
{
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return (a->size > b->size) - (a->size < b->size);
}

static const struct gv_payload_bytes *stage_of(const struct wish *w, size_t stage)
{
    static const struct gv_payload_bytes none = { 0 }; // no shader has no bytes
    const uint32_t shader = w->row->shaders[stage];
    return shader == GV_STAGE_EMPTY ? &none : &w->list->shaders[shader].spirv;
}

static int compare_parts(const struct wish *a, const struct wish *b)
{
    int order = a->row->compute - b->row->compute;
    if (!order)
        order = compare_places(&a->row->desc, &b->row->desc);
    for (size_t i = 0; !order && i < STAGES; i++)
        order = compare_places(stage_of(a, i), stage_of(b, i));
    return order;
}

static int compare_wishes(const void *a, const void *b)
{
    const struct wish *x = a, *y = b;
    const int order = compare_parts(x, y);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int compare_rows(const void *a, const void *b)
{
    const struct wish *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

// The first of each, in the order of code: keyframes make pipelines again, and so does
// other code. NULL: GV_ERR_LIMIT.
static struct wish *list_wishes(const struct gv_pipeline_list *list, size_t *count,
                                struct gv_error *err)
{
    struct wish *wishes = calloc(list->pipeline_count + 1, sizeof *wishes);
    if (!wishes) {
        gv_out_of_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < list->pipeline_count; i++)
        wishes[i] = (struct wish){ list, &list->pipelines[i] };
    qsort(wishes, list->pipeline_count, sizeof *wishes, compare_wishes);
    *count = 0;
    for (size_t i = 0; i < list->pipeline_count; i++)
        if (*count == 0 || compare_parts(&wishes[*count - 1], &wishes[i]) != 0)
            wishes[(*count)++] = wishes[i];
    qsort(wishes, *count, sizeof *wishes, compare_rows);
    return wishes;
}

static bool make_all(const struct warmer *w, const struct wish *wishes, size_t count,
                     size_t *made, struct gv_error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct gv_error mine = GV_ERROR_INIT;
        if (make_pipeline(w, wishes[i].row, &mine))
            ++*made;
        if (mine.status == GV_ERR_LOST || mine.status == GV_ERR_MEMORY) {
            *err = mine;
            return false;
        }
        // Objects that live at once are bounded by what the payload declares.
        if (!gv_runtime_reset(w->runtime, err))
            return false;
    }
    return true;
}

bool gv_run_prewarm(struct gv_runtime *runtime, struct gv_vm *vm,
                    const struct gv_payload *payload,
                    const struct gv_pipeline_list *list, size_t *made,
                    struct gv_error *err)
{
    const struct warmer w = { runtime, gv_runtime_host(runtime), vm, payload, list };
    size_t count;
    struct wish *wishes = list_wishes(list, &count, err);
    *made = 0;
    bool ok = wishes && make_all(&w, wishes, count, made, err);
    free(wishes);
    return ok;
}
