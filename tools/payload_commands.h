// --calls SET of commands that take payloads: met with the payload's debug map.
#ifndef GV_PAYLOAD_COMMANDS_H
#define GV_PAYLOAD_COMMANDS_H

#include "tools/options.h"
#include "tools/select/command_set.h"
#include "vm/payload/payload.h"

// All SETs together. GV_ERR_USAGE as gv_set_read and gv_command_set_resolve, and for a
// payload that cannot tell what single commands did.
bool gv_payload_commands(struct gv_command_set *set, const struct gv_option_list *texts,
                         const struct gv_payload *payload, struct gv_error *err);

#endif
