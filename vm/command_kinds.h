// Kinds of source commands: what payloads note of them, and what SETs select by.
#ifndef GV_COMMAND_KINDS_H
#define GV_COMMAND_KINDS_H

// What kind of command one is, as far as its source told.
enum {
    GV_COMMAND_DRAW = 1 << 0,
    GV_COMMAND_FRAME = 1 << 1,  // ends a frame
    GV_COMMAND_TARGET = 1 << 2, // chooses what is drawn to, or ends a frame
    GV_COMMAND_KINDS = 3,
};

#endif
