#include "tests/compiler/expected_reads.h"

#include <string.h>

void expected_reads_add(struct expected_reads *e, const uint8_t *data, size_t size)
{
    e->reads[e->count].start = e->bytes.size;
    e->reads[e->count++].size = size;
    gv_bytes_put(&e->bytes, data, size);
}

static void compare(struct expected_reads *e, const uint8_t *data, size_t size)
{
    if (e->seen < e->count)
        e->wrong += size != e->reads[e->seen].size ||
                    memcmp(data, e->bytes.data + e->reads[e->seen].start, size) != 0;
    e->seen++;
}

static bool host_bind(void *context, const union gv_arg *args, uint64_t *result,
                      struct gv_error *err)
{
    const struct gv_args_bind_uniform_bytes *a =
        (const struct gv_args_bind_uniform_bytes *)args;
    (void)result, (void)err;
    compare(context, a->data.data, (size_t)a->size.u);
    return true;
}

static bool host_upload(void *context, const union gv_arg *args, uint64_t *result,
                        struct gv_error *err)
{
    const struct gv_args_buffer_upload *a = (const struct gv_args_buffer_upload *)args;
    (void)result, (void)err;
    compare(context, a->data.data, (size_t)a->size.u);
    return true;
}

bool expected_reads_run(struct expected_reads *e, struct probe *probe)
{
    struct gv_host host = { .context = e };
    struct gv_error err = GV_ERROR_INIT;
    host.calls[GV_CALL_buffer_create] = probe_host_make;
    host.calls[GV_CALL_bind_uniform_bytes] = host_bind;
    host.calls[GV_CALL_buffer_upload] = host_upload;
    host.calls[GV_CALL_frame_end] = probe_host_skip;
    const struct gv_vm_params params = { .payload = &probe->payload, .host = &host };
    struct gv_vm *vm = gv_vm_create(&params, &err);
    bool good = vm != NULL;
    for (int pass = 0; good && pass < 2; pass++) {
        e->seen = 0;
        good = probe_run(vm) && e->seen == e->count && e->wrong == 0;
        gv_vm_restart(vm);
    }
    gv_vm_destroy(vm);
    return good;
}

void expected_reads_finish(struct expected_reads *e)
{
    gv_bytes_finish(&e->bytes);
}
