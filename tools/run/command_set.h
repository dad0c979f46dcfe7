// --calls SET of `run`: source commands by their own numbers and kinds, met with what
// the payload's debug map says of them.
#ifndef GV_COMMAND_SET_H
#define GV_COMMAND_SET_H

#include "tools/frame_set.h"
#include "tools/options.h"
#include "vm/payload/payload.h"

// Zero-initialise.
struct gv_command_set {
    struct gv_selection own; // numbers as the source has them, in the order of commands
    uint64_t *commands;      // owned; [own.count], ascending
};

// All SETs together. GV_ERR_USAGE as gv_set_parse and gv_set_resolve, and for a payload
// that cannot tell what single commands did.
bool gv_command_set_resolve(struct gv_command_set *set,
                            const struct gv_option_list *texts,
                            const struct gv_payload *payload, struct gv_error *err);
void gv_command_set_finish(struct gv_command_set *set);

#endif
