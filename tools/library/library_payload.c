// Payloads of the library: opened and verified in one go.
#include <stdlib.h>

#include "tools/library/library.h"
#include "vm/verify/verify.h"

// Where the bytes are: the first of these that is there.
struct origin {
    const char *path;
    const struct gv_web_payload *web;
    const void *data;
    size_t size;
    int fd;
};

static bool open_origin(struct gpuvm_payload *p, const struct origin *origin,
                        const gpuvm_cancel *cancel, struct gv_error *err)
{
    if (origin->path)
        return gv_payload_open(&p->payload, origin->path, p->memory, err);
    if (origin->web)
        return gv_library_web_payload(origin->web, &p->body, err) &&
               gv_payload_open_memory(&p->payload, p->body.data, p->body.size,
                                      p->memory, err);
    if (origin->data)
        return gv_payload_open_memory(&p->payload, origin->data, origin->size,
                                      p->memory, err);
    return gv_payload_read_fd(&p->payload, origin->fd, p->memory,
                              gv_library_flag(cancel), err);
}

static bool verify(struct gpuvm_payload *p, const gpuvm_cancel *cancel,
                   struct gv_error *err)
{
    const struct gv_verify_params params = {
        .memory_limit = p->memory,
        .cancel = gv_library_flag(cancel),
    };
    return gv_verify(&p->payload, &params, err);
}

static gpuvm_payload *open_payload(const struct origin *origin, uint64_t memory,
                                   const gpuvm_cancel *cancel,
                                   struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    enum gv_phase phase = GV_PHASE_OPEN;
    struct gpuvm_payload *p = calloc(1, sizeof *p);
    if (!p) {
        gv_out_of_memory(&err);
        gv_library_fail(error, &err, phase, cancel);
        return NULL;
    }
    p->memory = memory ? memory : GV_LIBRARY_MEMORY;
    bool opened = open_origin(p, origin, cancel, &err);
    if (opened)
        phase = GV_PHASE_CODE;
    if (opened && verify(p, cancel, &err)) {
        gv_library_ok(error);
        return p;
    }
    gv_library_fail(error, &err, phase, cancel);
    if (opened)
        gv_payload_finish(&p->payload);
    gv_bytes_finish(&p->body);
    free(p);
    return NULL;
}

gpuvm_payload *gpuvm_open_file(const char *path, uint64_t memory, gpuvm_cancel *cancel,
                               struct gpuvm_error *error)
{
    const struct origin origin = { .path = path };
    if (path)
        return open_payload(&origin, memory, cancel, error);
    gv_library_misuse(error, "no path");
    return NULL;
}

gpuvm_payload *gpuvm_open_fd(int fd, uint64_t memory, gpuvm_cancel *cancel,
                             struct gpuvm_error *error)
{
    const struct origin origin = { .fd = fd };
    return open_payload(&origin, memory, cancel, error);
}

gpuvm_payload *gpuvm_open_memory(const void *data, size_t size, uint64_t memory,
                                 gpuvm_cancel *cancel, struct gpuvm_error *error)
{
    const struct origin origin = { .data = data ? data : "", .size = data ? size : 0 };
    return open_payload(&origin, memory, cancel, error);
}

gpuvm_payload *gpuvm_open_url(const char *url, const char *token_file, uint64_t memory,
                              gpuvm_cancel *cancel, struct gpuvm_error *error)
{
    const struct gv_web_payload web = {
        .url = url,
        .token_file = token_file,
        .most = memory ? memory : GV_LIBRARY_MEMORY,
        .cancel = cancel,
    };
    const struct origin origin = { .web = &web };
    return open_payload(&origin, memory, cancel, error);
}

void gpuvm_payload_close(gpuvm_payload *payload)
{
    if (!payload)
        return;
    gv_payload_finish(&payload->payload);
    gv_bytes_finish(&payload->body);
    free(payload);
}

uint64_t gpuvm_frame_count(const gpuvm_payload *payload)
{
    return payload->payload.frame_count;
}

uint64_t gpuvm_command_count(const gpuvm_payload *payload)
{
    return payload->payload.command_count;
}

int gpuvm_is_thin(const gpuvm_payload *payload)
{
    return payload->payload.thin;
}

int gpuvm_frame_info(const gpuvm_payload *payload, uint64_t frame,
                     struct gpuvm_frame *info)
{
    *info = (struct gpuvm_frame){ 0 };
    if (frame >= payload->payload.frame_count)
        return GPUVM_USAGE;
    const struct gv_frame *row = &payload->payload.frames[frame];
    *info = (struct gpuvm_frame){
        .command_begin = row->command_begin,
        .command_end = row->command_end,
        .width = row->width,
        .height = row->height,
    };
    return GPUVM_OK;
}

uint64_t gpuvm_export_count(const gpuvm_payload *payload)
{
    return payload->payload.export_count;
}

const char *gpuvm_export_name(const gpuvm_payload *payload, uint64_t number)
{
    return number < payload->payload.export_count
               ? payload->payload.exports[number].name
               : NULL;
}
