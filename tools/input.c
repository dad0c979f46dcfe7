#include "tools/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/path_kind.h"
#include "resources/base/read_some.h"
#include "tools/base/exhausted.h"
#include "tools/cut_file.h"

bool gv_input_is_payload(const struct gv_file *file)
{
    return file->size >= GV_PAYLOAD_MAGIC_BYTES &&
           memcmp(file->data, GV_PAYLOAD_MAGIC, GV_PAYLOAD_MAGIC_BYTES) == 0;
}

// Reads enough to know a payload by, or all there is.
static bool read_head(struct gv_input *input, struct gv_error *err)
{
    while (input->head_size < GV_INPUT_HEAD) {
        ssize_t n = gv_read_some(input->pipe, input->head + input->head_size,
                                 GV_INPUT_HEAD - input->head_size);
        if (n < 0)
            return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET,
                           "cannot read the input: %s", strerror(errno));
        if (n == 0)
            break;
        input->head_size += (size_t)n;
    }
    return true;
}

static void close_pipe(struct gv_input *input)
{
    if (input->pipe > STDIN_FILENO)
        close(input->pipe);
    input->pipe = -1;
}

// What is left in its pipe.
enum coming { NOTHING, PAYLOADS, PAYLOADS_ALONE, ALL };

// A stream stays open; what else it brings is read to its end.
static bool read_pipe(struct gv_input *input, size_t limit, enum coming coming,
                      struct gv_error *err)
{
    if (!read_head(input, err))
        return false;
    const struct gv_file head = { .data = input->head, .size = input->head_size };
    const bool payload = gv_input_is_payload(&head);
    if (coming == PAYLOADS_ALONE && !payload)
        return gv_fail(err, GV_ERR_FORMAT, 0,
                       "not a payload, and nothing else is played");
    if (coming == ALL || (coming != NOTHING && payload)) {
        input->kind = payload ? GV_INPUT_PAYLOAD : GV_INPUT_CAPTURE;
        return true;
    }
    const struct gv_span before = { input->head, input->head_size };
    bool ok = gv_file_read_behind(&input->file, before, input->pipe, limit, err);
    close_pipe(input);
    return ok;
}

// Standard input, or a pipe that has a name; -1: neither.
static int open_pipe(const char *path)
{
    if (strcmp(path, "-") == 0)
        return STDIN_FILENO;
    return gv_path_kind(path) == GV_PATH_PIPE ? open(path, O_RDONLY | O_CLOEXEC) : -1;
}

static bool open_input(struct gv_input *input, const char *path, uint64_t memory_limit,
                       enum coming coming, struct gv_error *err)
{
    *input = (struct gv_input){ .path = path, .kind = GV_INPUT_CAPTURE, .pipe = -1 };
    gv_guard_input(&input->guard, path);
    size_t limit = memory_limit < SIZE_MAX / 2 ? (size_t)memory_limit : SIZE_MAX / 2;
    bool ok = gv_guard_output(&input->guard, "-", err);
    if (ok)
        input->pipe = open_pipe(path);
    if (ok)
        ok = input->pipe >= 0 ? read_pipe(input, limit, coming, err)
                              : gv_file_open_within(&input->file, path, limit, err);
    if (!ok) {
        close_pipe(input);
        gv_guard_finish(&input->guard);
    }
    return ok;
}

static bool recognise(struct gv_input *input, bool json)
{
    gv_exhausted_catch(input->path, json);
    if (input->file.mapped)
        gv_cut_file_guard(input->file.data, input->file.size, input->path,
                          GV_ERR_FORMAT, json);
    if (input->pipe >= 0)
        return true;
    if (gv_input_is_payload(&input->file))
        input->kind = GV_INPUT_PAYLOAD;
    else if (gv_progress_parse(&input->file, &input->progress))
        input->kind = GV_INPUT_PROGRESS;
    return true;
}

bool gv_input_open(struct gv_input *input, const char *path, uint64_t memory_limit,
                   bool json, struct gv_error *err)
{
    return open_input(input, path, memory_limit, NOTHING, err) &&
           recognise(input, json);
}

bool gv_input_open_stream(struct gv_input *input, const char *path,
                          uint64_t memory_limit, bool alone, bool json,
                          struct gv_error *err)
{
    return open_input(input, path, memory_limit, alone ? PAYLOADS_ALONE : PAYLOADS,
                      err) &&
           recognise(input, json);
}

bool gv_input_open_coming(struct gv_input *input, const char *path,
                          uint64_t memory_limit, bool json, struct gv_error *err)
{
    return open_input(input, path, memory_limit, ALL, err) && recognise(input, json);
}

bool gv_input_inflow(struct gv_input *input, uint64_t spill_mb, struct gv_error *err)
{
    struct gv_inflow *inflow = malloc(sizeof *inflow);
    const struct gv_inflow_params params = {
        .fd = input->pipe,
        .head = { input->head, input->head_size },
        .limit = spill_mb << 20,
        .option = "--spill-mb",
    };
    if (!inflow)
        return gv_out_of_memory(err);
    if (gv_inflow_init(inflow, &params, err)) {
        input->inflow = inflow;
        return true;
    }
    free(inflow);
    return false;
}

bool gv_input_await(struct gv_input *input, struct gv_error *err)
{
    struct gv_inflow *inflow = input->inflow;
    gv_inflow_want(inflow, UINT64_MAX);
    input->file = (struct gv_file){ .data = inflow->data, .size = inflow->size };
    return inflow->error.status == GV_OK ||
           gv_fail(err, inflow->error.status, GV_NO_OFFSET, "%s",
                   inflow->error.message);
}

static uint64_t left(uint64_t limit, uint64_t used)
{
    return limit > used ? limit - used : 1; // 0 would be no limit
}

uint64_t gv_input_memory_left(const struct gv_input *input, uint64_t memory_limit)
{
    return left(memory_limit, input->file.in_memory ? input->file.size : 0);
}

bool gv_input_is_url(const char *path)
{
    return strncmp(path, "http://", 7) == 0 || strncmp(path, "https://", 8) == 0;
}

void gv_input_adopt(struct gv_input *input, const char *path, struct gv_file tables)
{
    *input = (struct gv_input){ .path = path,
                                .kind = GV_INPUT_PAYLOAD,
                                .file = tables,
                                .remote = true,
                                .pipe = -1 };
}

void gv_input_close(struct gv_input *input)
{
    gv_cut_file_release(input->file.data);
    if (!input->inflow)
        gv_file_close(&input->file);
    gv_inflow_finish(input->inflow);
    free(input->inflow);
    close_pipe(input);
    gv_guard_finish(&input->guard);
}

void gv_input_become(struct gv_input *input, struct gv_file payload)
{
    gv_cut_file_release(input->file.data);
    gv_file_close(&input->file);
    input->file = payload;
    input->kind = GV_INPUT_PAYLOAD;
}

void gv_input_become_pipe(struct gv_input *input, int pipe)
{
    close_pipe(input);
    input->pipe = pipe;
    input->head_size = 0;
    input->kind = GV_INPUT_PAYLOAD;
}

bool gv_collect_write(void *context, const void *data, size_t size,
                      struct gv_error *err)
{
    struct gv_collect *collect = context;
    if (size > collect->limit - collect->out->size)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "the payload exceeds the memory limit");
    gv_bytes_put(collect->out, data, size);
    if (collect->out->failed)
        return gv_out_of_memory(err);
    return true;
}

static bool open_payload(struct gv_loaded *loaded, const struct gv_input *input,
                         uint64_t memory_limit, struct gv_error *err)
{
    bool ok = gv_payload_open_memory(&loaded->payload, input->file.data,
                                     input->file.size, memory_limit, err);
    loaded->payload.remote = ok && input->remote;
    return ok;
}

bool gv_input_want_payload(const struct gv_input *input,
                           const struct gv_program *program, struct gv_error *err)
{
    const char *name = NULL, *what = NULL;
    if (input->kind == GV_INPUT_PAYLOAD)
        return true;
    if (input->kind == GV_INPUT_PROGRESS)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a progress file, not a payload; gpuvm info reads it");
    if (program->captures &&
        program->captures->probe(input->file.data, input->file.size, &name, &what,
                                 NULL))
        return gv_fail(
            err, GV_ERR_FORMAT, GV_NO_OFFSET,
            "a capture (%.40s), not a payload; gpuvm compile makes one of it", name);
    return gv_fail(err, GV_ERR_FORMAT, 0, "not a payload: wrong magic");
}

bool gv_loaded_init(struct gv_loaded *loaded, const struct gv_program *program,
                    const struct gv_input *input, uint64_t memory_limit,
                    const struct gv_compile_params *params, struct gv_error *err)
{
    *loaded = (struct gv_loaded){ .stats.complete = true };
    const struct gv_file *file = &input->file;
    memory_limit = gv_input_memory_left(input, memory_limit);
    if (input->kind == GV_INPUT_PROGRESS)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a progress file, not a payload");
    if (input->kind == GV_INPUT_PAYLOAD)
        return open_payload(loaded, input, memory_limit, err);
    if (!program->captures)
        return gv_fail(err, GV_ERR_FORMAT, 0, "not a payload (%s plays payloads only)",
                       program->name);
    const struct gv_compile_params defaults = { .memory_limit = memory_limit };
    struct gv_collect collect = { &loaded->compiled, memory_limit };
    if (!program->captures->compile(file->data, file->size, params ? params : &defaults,
                                    gv_collect_write, &collect, &loaded->stats, err))
        return false;
    return gv_payload_open_memory(&loaded->payload, loaded->compiled.data,
                                  loaded->compiled.size, memory_limit, err);
}

uint64_t gv_loaded_memory_left(const struct gv_loaded *loaded,
                               const struct gv_input *input, uint64_t memory_limit)
{
    return left(gv_input_memory_left(input, memory_limit),
                loaded->compiled.size + gv_payload_memory(&loaded->payload));
}

void gv_loaded_finish(struct gv_loaded *loaded)
{
    gv_payload_finish(&loaded->payload);
    gv_bytes_finish(&loaded->compiled);
}
