#include "tests/vm/slice_compare.h"

#include <stdlib.h>
#include <string.h>

#include "tests/helpers.h"
#include "tests/vm/slice_contents_check.h"
#include "vm/slice/slice_write.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

bool slice_wish_run(struct gv_payload *payload, const struct gv_kept *kept,
                    const struct slice_wish *wish, struct model_host *out,
                    struct gv_error *err)
{
    model_host_init(out, wish->met);
    out->frame = (uint32_t)payload->first_frame;
    const struct gv_vm_params params = { .payload = payload,
                                         .host = &out->host,
                                         .kept = kept,
                                         .stop_commands = wish->wanted->calls,
                                         .stop_command_count =
                                             wish->wanted->call_count };
    struct gv_vm *vm = gv_vm_create(&params, err);
    enum gv_stop stop = GV_STOP_FRAME;
    bool ok = vm != NULL;
    while (ok && stop != GV_STOP_END) {
        ok = gv_vm_run(vm, &stop, err);
        if (ok && stop == GV_STOP_COMMAND)
            model_host_look(out);
    }
    gv_vm_destroy(vm);
    return ok;
}

// The slice as a payload.
static bool run_written(struct gv_payload *payload, const struct gv_slice *slice,
                        const struct slice_wish *wish, struct model_host *out,
                        struct gv_error *err)
{
    struct gv_bytes bytes = { 0 };
    struct gv_payload written = { 0 };
    const struct gv_writer_params writer = {
        .write = gv_test_append, .context = &bytes, .level = 1, .jobs = 1
    };
    const struct gv_slice_write_params params = {
        .payload = payload, .slice = slice, .wanted = wish->wanted, .writer = &writer
    };
    bool ok = gv_slice_write(&params, err) &&
              gv_payload_open_memory(&written, bytes.data, bytes.size, 0, err) &&
              gv_verify(&written, &(struct gv_verify_params){ 0 }, err) &&
              slice_wish_run(&written, NULL, wish, out, err);
    gv_payload_finish(&written);
    gv_bytes_finish(&bytes);
    return ok;
}

bool slice_wish_same(const struct model_host *whole, const struct model_host *sliced,
                     const struct gv_slice_params *wanted)
{
    for (size_t i = 0; i < wanted->frame_count; i++)
        if (whole->pictures[wanted->frames[i]] != sliced->pictures[wanted->frames[i]])
            return false;
    for (size_t i = 0; wanted->exports && i < 2; i++)
        if (wanted->exports[i] && whole->exports[i] != sliced->exports[i])
            return false;
    return whole->call_count == sliced->call_count &&
           memcmp(whole->calls, sliced->calls, sizeof whole->calls) == 0;
}

static bool compare(struct gv_payload *payload, const struct slice_wish *wish,
                    struct slice_totals *totals, struct gv_error *err)
{
    const struct gv_slice_params *wanted = wish->wanted;
    struct gv_slice slice = { 0 };
    struct model_host whole = { 0 }, sliced = { 0 }, written = { 0 };
    bool ok = gv_slice_make(&slice, payload, wanted, err);
    struct gv_kept prefix = slice.kept; // the whole of it, up to the same end
    struct gv_kept_run *all = calloc(slice.kept.chunk_count + 1, sizeof *all);
    uint32_t *chunk_runs = calloc(slice.kept.chunk_count + 1, sizeof *chunk_runs);
    for (size_t i = 0; all && chunk_runs && i < slice.kept.chunk_count; i++) {
        const struct gv_chunk *c = &payload->chunks[i];
        all[i] = (struct gv_kept_run){ .end = c->size - 1,
                                       .next_resource = c->first_resource,
                                       .command = c->first_command };
        chunk_runs[i + 1] = (uint32_t)i + 1;
    }
    prefix.runs = all;
    prefix.chunk_runs = chunk_runs;
    ok = ok && slice_wish_run(payload, &prefix, wish, &whole, err) &&
         slice_wish_run(payload, &slice.kept, wish, &sliced, err) &&
         run_written(payload, &slice, wish, &written, err);
    ok = ok && slice_wish_same(&whole, &sliced, wanted) &&
         slice_wish_same(&whole, &written, wanted);
    totals->kept += slice.calls.kept;
    totals->calls += slice.calls.total;
    totals->whole += slice.whole != NULL;
    model_host_finish(&whole);
    model_host_finish(&sliced);
    model_host_finish(&written);
    free(all);
    free(chunk_runs);
    gv_slice_finish(&slice);
    return ok;
}

static bool check(struct slice_program *k, struct gv_payload *payload,
                  struct slice_totals *totals, struct gv_error *err)
{
    const bool exports[2] = { true, slice_program_roll(k, 2) };
    uint64_t frames[2] = { slice_program_roll(k, SLICE_PROGRAM_FRAMES), 0 };
    frames[1] = frames[0] + 1;
    const size_t count =
        frames[1] < SLICE_PROGRAM_FRAMES ? 1 + slice_program_roll(k, 2) : 1;
    // Commands of the last frame, and maybe of one before.
    uint64_t calls[2] = { frames[count - 1] * 32 + slice_program_roll(k, 32), 0 };
    size_t call_count = slice_program_roll(k, 3);
    calls[1] = calls[0] + 1 + slice_program_roll(k, 20);
    const struct gv_slice_params wanted = {
        .calls = calls,
        .call_count = call_count,
        .frames = frames,
        .frame_count = count,
        .last_frame = frames[count - 1],
        .exports = slice_program_roll(k, 3) ? NULL : exports,
        .memory_limit =
            slice_program_roll(k, 8) ? 0 : 1000 * slice_program_roll(k, 400),
    };
    const struct slice_wish wish = { &wanted, slice_program_roll(k, 2) };
    return compare(payload, &wish, totals, err);
}

bool slice_program_check(struct slice_program *k, struct slice_totals *totals,
                         struct gv_error *err)
{
    struct gv_payload payload = { 0 };
    struct gv_bytes bytes = { 0 };
    const struct gv_assemble_params params = { 0 };
    slice_program_write(k);
    bool ok = gv_text_assemble((const char *)k->text.data, k->text.size, &params,
                               &bytes, err) &&
              gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, err) &&
              gv_verify(&payload, &(struct gv_verify_params){ 0 }, err) &&
              check(k, &payload, totals, err) &&
              slice_contents_check(k, &payload, totals, err);
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
    return ok;
}
