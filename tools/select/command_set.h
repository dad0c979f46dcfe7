// SETs of commands, which have numbers of their own in the capture and places in the
// payload.
#ifndef GV_COMMAND_SET_H
#define GV_COMMAND_SET_H

#include "resources/base/bytes.h"
#include "tools/select/selection.h"

// The commands that a SET is met with. Zero-initialise but `commands` and `total`,
// which are how many places there are.
struct gv_known_commands {
    struct gv_bytes members; // struct gv_set_member each
    struct gv_bytes moved;   // those whose number is not their place
    struct gv_bytes taken;   // uint64_t each: places of those
    uint64_t commands;       // places
    uint64_t total;          // own numbers are below
};

// One whose number or kinds are known; `command` is its place.
void gv_known_commands_add(struct gv_known_commands *known,
                           const struct gv_set_member *member, uint64_t command);
void gv_known_commands_finish(struct gv_known_commands *known);

// Zero-initialise.
struct gv_command_set {
    struct gv_selection own; // numbers as the source has them, in the order of commands
    uint64_t *commands;      // places: owned; [own.count], ascending
};

// GV_ERR_USAGE as gv_set_resolve, and for a number that no command has.
bool gv_command_set_resolve(struct gv_command_set *set, struct gv_set *words,
                            struct gv_known_commands *known, struct gv_error *err);
void gv_command_set_finish(struct gv_command_set *set);

#endif
