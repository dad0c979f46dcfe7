#define _GNU_SOURCE // memfd_create
#include "tests/vm/stream_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vm/machine/vm.h"
#include "vm/stream/stream.h"

// A file that is read as a pipe is: from here to there.
static int file_of(const void *data, size_t size)
{
    int fd = memfd_create("stream", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
        abort();
    return fd;
}

static bool run_code(struct stream_run *run, struct gv_vm *vm, struct gv_error *err)
{
    enum gv_stop stop = GV_STOP_FRAME;
    while (stop != GV_STOP_END) {
        if (!gv_vm_run(vm, &stop, err))
            return false;
        run->frames += stop == GV_STOP_FRAME;
    }
    return true;
}

static bool run_all(struct stream_run *run, struct gv_stream *stream,
                    struct record_host *host, struct gv_vm **vm, struct gv_error *err)
{
    struct gv_source *source = gv_stream_source(stream);
    struct gv_payload *payload = gv_stream_payload(stream);
    const struct gv_vm_params params = { .payload = payload,
                                         .host = &host->host,
                                         .sources = &source,
                                         .source_count = 1,
                                         .memory_limit = run->memory_limit };
    for (bool more = true;;) {
        if (!gv_stream_next(stream, &more, err))
            return false;
        if (!more)
            return true;
        run->passed = run->may_run && !run->may_run(payload);
        if (run->passed)
            return false;
        if (*vm ? !gv_vm_go_on(*vm, err) : !(*vm = gv_vm_create(&params, err)))
            return false;
        if (!run_code(run, *vm, err))
            return false;
    }
}

bool stream_run(struct stream_run *run, struct record_host *host, const void *data,
                size_t size, struct gv_error *err)
{
    // Part of it was read before, as who tells payloads from captures does.
    size_t head = size < 8 ? size : 8;
    int in = file_of((const uint8_t *)data + head, size - head), spill = file_of("", 0);
    struct gv_vm *vm = NULL;
    struct gv_stream *stream = gv_stream_open(
        &(struct gv_stream_params){ .fd = in,
                                    .head = data,
                                    .head_size = head,
                                    .spill = spill,
                                    .spill_limit = UINT64_MAX,
                                    .spill_option = "--spill-mb",
                                    .memory_limit = run->memory_limit,
                                    .declared_limit = run->memory_limit },
        err);
    run->frames = 0;
    run->passed = false;
    run->ended = stream && run_all(run, stream, host, &vm, err);
    gv_vm_destroy(vm);
    gv_stream_close(stream);
    close(in);
    close(spill);
    return run->ended;
}
