// What a window, the program and what replays say to each other: messages over pairs of
// sockets, and memory that pictures are put into. Whoever replays may be in strangers'
// hands: a window believes no number.
#ifndef GV_WINDOW_LINE_H
#define GV_WINDOW_LINE_H

#include "resources/base/error.h"
#include "tools/base/shared_memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gv_window_word {
    // From who replays.
    GV_WINDOW_HELLO = 1, // with the memory: bytes, text, count; number: not 0 if frames
                         // come, in order and once, so that there is no count yet
    GV_WINDOW_PICTURE,   // in `slot`: all numbers but those of HELLO
    GV_WINDOW_SAID,      // a line that went to standard error: text
    GV_WINDOW_CAME,      // all that come have come: count
    // To who replays.
    GV_WINDOW_SHOW,  // frame, into `slot`
    GV_WINDOW_LEAVE, // nothing more is wanted
    GV_WINDOW_GONE,  // the display is
    // From the program (and GV_WINDOW_SAID).
    GV_WINDOW_OPEN,  // with a line to who will replay: text is the name, number, count
    GV_WINDOW_ENDED, // it does not replay any more: number is the exit code
    // To the program.
    GV_WINDOW_MOVE, // to the file so many on: number
    GV_WINDOW_DROP, // to the file that is named: text
    GV_WINDOW_CLOSED,
};

#define GV_WINDOW_TEXT 4096
#define GV_WINDOW_SLOTS 3 // pictures that are on their way at once

struct gv_window_message {
    enum gv_window_word word;
    uint32_t slot, width, height;
    // How long the frame is shown, in thousandths of a frame per second, and in which
    // shape; 0: nobody knows.
    uint32_t millihz, aspect_width, aspect_height;
    int32_t number;
    uint64_t frame, command, count, bytes, stalls;
    char text[GV_WINDOW_TEXT]; // ends with a NUL
};

// Both ends, which pass whole messages. False with `errno`.
bool gv_window_line_open(int ends[2]);

// False: the other end is gone. `passed` is a descriptor that goes along, or -1, which
// is all that a confined process may pass.
bool gv_window_line_send(int fd, const struct gv_window_message *m, int passed);
bool gv_window_line_say(int fd, enum gv_window_word word, const char *text);

// Takes one message. `*passed` is the descriptor that came with it, or -1; NULL: there
// must be none. `wait`: until there is one.
enum gv_window_heard { GV_WINDOW_HEARD, GV_WINDOW_SILENT, GV_WINDOW_ENDS };
enum gv_window_heard gv_window_line_take(int fd, struct gv_window_message *m,
                                         int *passed, bool wait);

// Memory for GV_WINDOW_SLOTS pictures of `bytes` each.
struct gv_window_memory {
    struct gv_shared_memory shared;
    size_t bytes; // of a slot
};
#define GV_WINDOW_MEMORY_NONE ((struct gv_window_memory){ GV_SHARED_MEMORY_NONE, 0 })

// On the side that fills it; its size is sealed. GV_ERR_MEMORY.
bool gv_window_memory_make(struct gv_window_memory *memory, size_t bytes,
                           struct gv_error *err);
// On the side that reads it: takes `fd` over. False, and closed: it is not what it has
// to be, or could be cut short.
bool gv_window_memory_map(struct gv_window_memory *memory, int fd, uint64_t bytes);
void gv_window_memory_finish(struct gv_window_memory *memory);
uint8_t *gv_window_memory_slot(const struct gv_window_memory *memory, uint32_t slot);

#endif
