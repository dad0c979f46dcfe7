#include "tools/payload_commands.h"

#include "tools/set_file.h"

// Any payload knows which commands end frames.
static void know_frames(struct gv_known_commands *k, const struct gv_payload *payload)
{
    for (size_t i = 0; i < payload->frame_count; i++) {
        const uint64_t last = payload->frames[i].command_end - 1;
        const struct gv_set_member end = { last, GV_COMMAND_FRAME | GV_COMMAND_TARGET };
        if (payload->frames[i].command_end)
            gv_known_commands_add(k, &end, last);
    }
}

// What the debug map says of commands, and the frame index where that says nothing.
static void know(struct gv_known_commands *k, const struct gv_payload *payload)
{
    struct gv_source_row row;
    uint64_t position = 0;
    k->commands = k->total = payload->command_count;
    while (gv_payload_source_next(payload, &position, &row)) {
        const struct gv_set_member member = { row.number, row.kinds };
        gv_known_commands_add(k, &member, row.command);
    }
    if (!k->members.size)
        know_frames(k, payload);
}

bool gv_payload_commands(struct gv_command_set *set, const struct gv_option_list *texts,
                         const struct gv_payload *payload, struct gv_error *err)
{
    struct gv_known_commands known = { 0 };
    struct gv_set words;
    if (payload->joined)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--calls: this payload joins work of several calls; compile it "
                       "with --apart, or run the capture");
    if (!gv_set_read_list(&words, texts, err))
        return false;
    know(&known, payload);
    bool ok = gv_command_set_resolve(set, &words, &known, err);
    gv_known_commands_finish(&known);
    gv_set_finish(&words);
    return ok;
}
