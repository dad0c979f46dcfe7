// A trace with every kind of value and event, and large ones.
#ifndef TRACE_TOUR_H
#define TRACE_TOUR_H

#include "tests/apitrace/trace_writer.h"

#define TRACE_TOUR_BLOB_BYTES 5000u // of its largest blob

// Every value, detail and order of events that the version has: two frames, two
// threads, calls inside others, leaves out of order, one call that never leaves.
void trace_write_tour(struct trace_writer *w, unsigned version);

// A frame of a game that does not exist: `triangles` of immediate mode, a texture of
// `texels` RGBA8 texels with `random` in it, a swap. Signatures as they are first used.
void trace_write_frame(struct trace_writer *w, unsigned triangles, unsigned texels,
                       uint32_t *random);

#endif
