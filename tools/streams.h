// The three streams that a program is started with, or without.
#ifndef GV_STREAMS_H
#define GV_STREAMS_H

#include <stdbool.h>

// To be called before anything is opened. Writing waits for who reads, also where those
// who started the program have pipes and terminals that do not block. A stream that is
// closed is opened such that reading or writing it fails: its number would else be
// given to the next file or pipe, and text meant for people go there. False where that
// cannot be had.
bool gv_streams_open(void);

#endif
