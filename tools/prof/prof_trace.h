// Times as a file of Chrome's trace-event form, which Perfetto and chrome://tracing
// show: a track of the CPU, one of the GPU, and arrows from where a part was recorded
// to where it ran.
#ifndef GV_PROF_TRACE_H
#define GV_PROF_TRACE_H

#include "tools/prof/prof_figures.h"

struct gv_payload;

// Appends all of the file. The clocks of CPU and GPU are not tied to each other: the
// GPU's is put as early as no part ends before it was recorded. GV_ERR_MEMORY.
bool gv_prof_trace(const struct gv_prof_figures *figures,
                   const struct gv_payload *payload, struct gv_bytes *out,
                   struct gv_error *err);

#endif
