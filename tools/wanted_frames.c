#include "tools/wanted_frames.h"

#include <stdlib.h>
#include <string.h>

#include "tools/set_file.h"

// How many frames the capture has, by the front-end's own account.
static bool count_frames(const struct gv_program *program, const struct gv_input *input,
                         const struct gv_compile_params *params, uint64_t *frames,
                         struct gv_error *err)
{
    struct gv_describe facts = { 0 };
    bool ok = program->captures->info(input->file.data, input->file.size, params,
                                      &facts, err);
    bool found = false;
    for (size_t i = 0; ok && i < facts.count; i++) {
        if (strcmp(facts.facts[i].key, "frames") != 0 ||
            facts.facts[i].kind != GV_FACT_NUMBER)
            continue;
        *frames = facts.facts[i].number;
        found = true;
    }
    program->captures->describe_finish(&facts);
    if (ok && !found)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: --frames for this format");
    return ok;
}

void gv_wanted_frames_finish(struct gv_wanted_frames *wanted)
{
    gv_set_finish(&wanted->set);
    free(wanted->numbers);
}

static bool keep_numbers(struct gv_wanted_frames *wanted,
                         const struct gv_selection *selection,
                         struct gv_compile_params *params, struct gv_error *err)
{
    wanted->numbers = malloc((selection->count + 1) * sizeof *wanted->numbers);
    for (size_t i = 0; wanted->numbers && i < selection->count; i++)
        wanted->numbers[i] = (uint32_t)selection->numbers[i];
    params->frames = wanted->numbers;
    params->frame_count = selection->count;
    return wanted->numbers || gv_out_of_memory(err);
}

bool gv_wanted_frames_select(const struct gv_program *program,
                             const struct gv_input *input, const char *text,
                             struct gv_compile_params *params,
                             struct gv_wanted_frames *wanted, struct gv_error *err)
{
    const struct gv_file *file = &input->file;
    struct gv_selection selection = { 0 };
    uint64_t frames = 0;
    if (!gv_set_read(&wanted->set, text, err))
        return false;
    wanted->bound =
        gv_set_bound(&wanted->set, &frames) &&
        (params->inflow || program->captures->reads_forward(file->data, file->size));
    bool ok = (wanted->bound || count_frames(program, input, params, &frames, err)) &&
              gv_set_resolve(&wanted->set, frames, "frame", &selection, err);
    // With `end`, or all of them, the compile goes to the end of the capture.
    if (ok && !selection.end && (wanted->bound || selection.count < frames))
        ok = keep_numbers(wanted, &selection, params, err);
    gv_selection_finish(&selection);
    return ok;
}

bool gv_wanted_frames_check(const struct gv_wanted_frames *wanted, uint64_t frames,
                            struct gv_error *err)
{
    struct gv_selection selection = { 0 };
    if (!wanted->bound)
        return true;
    bool ok = gv_set_resolve(&wanted->set, frames, "frame", &selection, err);
    gv_selection_finish(&selection);
    return ok;
}
