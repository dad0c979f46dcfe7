#include "tools/sliced_compile.h"

#include <stdlib.h>

#include "resources/codec.h"
#include "vm/slice/slice_write.h"
#include "vm/verify/verify.h"

struct work {
    const struct gv_sliced_compile *job;
    struct gv_loaded loaded;
    uint64_t *frames; // owned
    bool *exports;    // owned: all of them
    struct gv_slice slice;
    uint64_t written; // bytes
};

static bool count_and_write(void *context, const void *data, size_t size,
                            struct gv_error *err)
{
    struct work *work = context;
    work->written += size;
    return work->job->write(work->job->context, data, size, err);
}

// What is compiled only to be sliced is not put into a store.
static bool compile(struct work *work, struct gv_error *err)
{
    const struct gv_sliced_compile *job = work->job;
    struct gv_compile_params params = *job->params;
    params.store = NULL;
    if (!gv_loaded_init(&work->loaded, job->program, job->input, params.memory_limit,
                        &params, err) ||
        !gv_wanted_frames_check(job->wanted, work->loaded.stats.frames, err))
        return false;
    const struct gv_verify_params verify = { 0 }; // nothing will be made
    return gv_verify(&work->loaded.payload, &verify, err);
}

static bool wanted(struct work *work, struct gv_slice_params *out, struct gv_error *err)
{
    const struct gv_compile_params *params = work->job->params;
    const size_t exports = work->loaded.payload.export_count;
    work->frames = malloc((params->frame_count + 1) * sizeof *work->frames);
    work->exports = malloc((exports + 1) * sizeof *work->exports);
    if (!work->frames || !work->exports)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < params->frame_count; i++)
        work->frames[i] = params->frames[i];
    for (size_t i = 0; i < exports; i++)
        work->exports[i] = true;
    *out = (struct gv_slice_params){
        .frames = work->frames,
        .frame_count = params->frame_count,
        .last_frame = work->frames[params->frame_count - 1],
        .exports = work->exports,
        .memory_limit = gv_loaded_memory_left(&work->loaded, work->job->input,
                                              params->memory_limit),
    };
    return true;
}

static bool write_slice(struct work *work, const struct gv_slice_params *slice,
                        struct gv_slice_written *written, struct gv_error *err)
{
    const struct gv_compile_params *params = work->job->params;
    const struct gv_writer_params writer = {
        .write = count_and_write,
        .context = work,
        .level = params->level ? params->level : GV_CODEC_DEFAULT_LEVEL,
        .jobs = params->jobs > 0 ? params->jobs : 1,
        .frame_group_bytes = (size_t)params->group_kb << 10,
        .store = params->store,
    };
    return gv_slice_write(
        &(struct gv_slice_write_params){ .payload = &work->loaded.payload,
                                         .slice = &work->slice,
                                         .wanted = slice,
                                         .writer = &writer,
                                         .written = written },
        err);
}

bool gv_sliced_compile(const struct gv_sliced_compile *job,
                       struct gv_compile_stats *stats, struct gv_error *err)
{
    struct work work = { .job = job };
    struct gv_slice_params slice;
    struct gv_slice_written written = { 0 };
    bool ok = compile(&work, err) && wanted(&work, &slice, err) &&
              gv_slice_make(&work.slice, &work.loaded.payload, &slice, err) &&
              write_slice(&work, &slice, &written, err);
    *stats = work.loaded.stats;
    stats->output_bytes = work.written;
    stats->resources = written.resources;
    stats->resource_bytes = written.resource_bytes;
    gv_slice_finish(&work.slice);
    free(work.frames);
    free(work.exports);
    gv_loaded_finish(&work.loaded);
    return ok;
}
