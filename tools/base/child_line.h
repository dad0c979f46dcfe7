// What a child and its parent say to each other: a socket, a byte and its argument a
// word.
#ifndef GV_CHILD_LINE_H
#define GV_CHILD_LINE_H

#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

// The argument of gpuvm-player with which libgpuvm starts it: it replays for who has
// the other end of its standard input (tools/library/spawn_line.h).
#define GV_CHILD_ARGUMENT "--serve"

// The child's end.
struct gv_child_line {
    int fd;
};

// Words of the child. It may be in strangers' hands: any bytes can come, at any time.
enum gv_child_word {
    GV_SAYS_STARTING = 's',
    GV_SAYS_RUNNING = 'r',
    GV_SAYS_DONE = 'd',     // followed by the exit code
    GV_SAYS_KEEP = 'k',     // followed by a number; the parent answers
    GV_SAYS_LISTENER = 'l', // with a descriptor; see sandbox.h
};

// Both ends. False with `errno`.
bool gv_child_line_open(int ends[2]);

// `passed` is a descriptor that goes along, or -1. False if the other end is gone.
bool gv_child_line_say(int fd, const uint8_t *bytes, size_t size, int passed);

// What has come, at most `size` bytes; 0 at the end, less than 0 with `errno`.
// `*passed` is the descriptor that came with it, or -1.
ptrdiff_t gv_child_line_hear(int fd, uint8_t *bytes, size_t size, int *passed);

// The parent's answer is an error, or GV_OK.
void gv_child_line_answer(int fd, const struct gv_error *answer);
bool gv_child_line_take_answer(int fd, struct gv_error *answer);

#endif
