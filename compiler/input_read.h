// A capture that is read forward: how far, and what that was.
#ifndef GV_INPUT_READ_H
#define GV_INPUT_READ_H

#include "resources/base/cursor.h"
#include "resources/hash.h"
#include "resources/inflow.h"

#include <stdbool.h>

// Zero-initialise but for the first three.
struct gv_input_read {
    const uint8_t *data;         // borrowed
    size_t size;                 // of the capture, bytes
    bool mapped;                 // pages that were read can be given back
    size_t upto;                 // bytes read so far
    size_t done;                 // of which so many are hashed, and given back
    struct gv_hash_stream *hash; // borrowed; of those; NULL: nobody wants to know
    struct gv_inflow *inflow;    // borrowed; it is still coming; NULL: all is there
    bool again;                  // of that, what was read may be read again
};

// Waits until `upto` bytes are there, as many as which `c` has then, or all there are.
// False: there are fewer. Where all is there already nothing happens.
bool gv_input_read_want(struct gv_input_read *read, struct gv_cursor *c, uint64_t upto);

// Bytes before `upto` have been read and will not be read again. Front-ends that read
// forward call this now and then, and at their end. `read` may be NULL.
void gv_input_read_to(struct gv_input_read *read, uint64_t upto);

// There will be no more: `done` is `upto`.
void gv_input_read_end(struct gv_input_read *read);

#endif
