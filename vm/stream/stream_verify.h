// The verifier over a payload that comes batch by batch. Code is judged before it runs;
// what the rows of FRAMES say of it, as soon as both are there: they may come after the
// code that ends the frame.
#ifndef GV_STREAM_VERIFY_H
#define GV_STREAM_VERIFY_H

#include "vm/verify/verify_internal.h"

struct gv_stream_verifier;

// NULL: GV_ERR_LIMIT.
struct gv_stream_verifier *gv_stream_verifier_create(struct gv_payload *payload,
                                                     uint64_t memory_limit,
                                                     struct gv_error *err);
void gv_stream_verifier_destroy(struct gv_stream_verifier *s); // NULL is fine

// Judges tables that have grown and all chunks that the payload has. What it has judged
// of frames and of the schedule leaves the payload's tables in gv_stream_verifier_drop.
bool gv_stream_verify(struct gv_stream_verifier *s, struct gv_error *err);

// The chunks are forgotten, and with them their uses and the frames they have ended.
void gv_stream_verifier_drop(struct gv_stream_verifier *s);

// All has come, and the payload knows how many commands there are.
bool gv_stream_verify_end(struct gv_stream_verifier *s, struct gv_error *err);

#endif
