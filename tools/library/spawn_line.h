// What a program and the child that replays for it say to each other: messages over a
// pair of sockets, of which the child's is its standard input. Both are of one version,
// so structs go as they are. The child may be in strangers' hands: the other side
// believes no number, and the child answers each of its questions before the next.
#ifndef GV_SPAWN_LINE_H
#define GV_SPAWN_LINE_H

#include "tools/library/gpuvm.h"

#include <stdbool.h>

#define GV_SPAWN_PROTOCOL 1

enum gv_spawn_word {
    // From the child.
    GV_SPAWN_HELLO = 1, // number: the protocol; data: its version, as text
    GV_SPAWN_ANSWER,    // to what was asked last: error, stats, and what stands there;
                        // with memory along of `number` bytes, if that is new
    GV_SPAWN_FRAME,     // one has ended: number, of so many: count; is answered
    GV_SPAWN_LOG,       // level; data: a line
    GV_SPAWN_WANT, // data: an object's name; count: its bytes; number: the first of
                   // the piece that is wanted; is answered
    // To the child. The first three have a descriptor along.
    GV_SPAWN_FLAG,     // memory whose first byte cancels once it is not 0
    GV_SPAWN_POSITION, // an empty file for the position
    GV_SPAWN_PAYLOAD,  // its bytes; number: 1 of a file that is nothing else
    GV_SPAWN_OPEN,     // settings: answered by facts and the device's name (data)
    GV_SPAWN_TO_FRAME, // number
    GV_SPAWN_TO_COMMAND,
    GV_SPAWN_TO_END,
    GV_SPAWN_PICTURE, // answered by width, height; count: bytes of the memory
    GV_SPAWN_EXPORT,  // data: its name; answered by format too
    GV_SPAWN_GO_ON,   // after GV_SPAWN_FRAME; number: 1 cancels
    GV_SPAWN_PIECE,   // number: 1 there is the object, 0 none, 2 it failed; data
};

#define GV_SPAWN_DATA 32768

struct gv_spawn_settings {
    uint32_t flags, timeout_ms;
    uint64_t memory;
    uint32_t sources, progress, log; // whether there are any
    char device[256], cache_folder[4096];
};

// What the payload holds. In memory: its frames (struct gpuvm_frame), then the names of
// exports, each with its NUL.
struct gv_spawn_facts {
    uint64_t frames, commands, exports, name_bytes;
    uint32_t thin;
};

struct gv_spawn_message {
    uint32_t word; // enum gv_spawn_word
    uint32_t level, width, height, format;
    uint32_t size; // bytes of `data`
    uint64_t number, count;
    struct gpuvm_error error;
    struct gpuvm_stats stats;
    struct gv_spawn_settings settings;
    struct gv_spawn_facts facts;
    uint8_t data[GV_SPAWN_DATA];
};

// Both ends, which pass whole messages; the first does not wait to write. False with
// `errno`.
bool gv_spawn_line_open(int ends[2]);

// `passed`: a descriptor that goes along, or -1. False: the other end is gone, or does
// not read.
bool gv_spawn_line_send(int fd, const struct gv_spawn_message *m, int passed);

// Takes one message, waiting so long for it (-1: for ever). `*passed` is the descriptor
// that came along, or -1; NULL: there must be none, as for a confined process.
enum gv_spawn_heard { GV_SPAWN_HEARD, GV_SPAWN_SILENT, GV_SPAWN_ENDS };
enum gv_spawn_heard gv_spawn_line_take(int fd, struct gv_spawn_message *m, int *passed,
                                       int wait_ms);

// Puts `text`, cut where it is too long, into `data`; and reads one from there.
void gv_spawn_put_text(struct gv_spawn_message *m, const char *text);
const char *gv_spawn_text(struct gv_spawn_message *m);

#endif
