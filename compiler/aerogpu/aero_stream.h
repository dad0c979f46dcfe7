// Replays a capture that is still coming into the builder.
#ifndef GV_AERO_STREAM_H
#define GV_AERO_STREAM_H

#include "compiler/aerogpu/aero.h"

// As gv_aero_replay, but record by record: which frames there are is known by their
// BeginFrame records, since the table of contents comes last. One that tells another
// order then is GV_ERR_UNSUPPORTED. `a` must be set up (aerogpu.c), with
// a->params->read.
bool gv_aero_stream(struct gv_aero *a, struct gv_cursor input, struct gv_error *err);

#endif
