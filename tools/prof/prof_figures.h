// What passes over a payload took: medians and spread of each part and frame, and
// whether the device had work all the time.
#ifndef GV_PROF_FIGURES_H
#define GV_PROF_FIGURES_H

#include "resources/base/bytes.h"
#include "tools/watch/time_stamps.h"

struct gv_payload;

// Of some passes, nanoseconds.
struct gv_spread {
    uint64_t median, least, most;
};

struct gv_prof_part {
    struct gv_stamp stamp; // that ends it
    struct gv_spread gpu;
    const char *source; // name of its command, or ""; lives as long as the payload
};

struct gv_prof_frame {
    uint64_t frame;
    struct gv_spread gpu;         // the span of its stamps
    struct gv_frame_cost cost;    // medians, of passes without stamps
    size_t first_part, end_parts; // of `parts`, before they are sorted
};

// Zero-initialise.
struct gv_prof_figures {
    double tick_ns;
    size_t passes; // with stamps; as many without
    size_t part_count;
    struct gv_stamp *stamps;  // owned: of the last pass, with those that begin frames
    size_t stamp_count;       // of them
    struct gv_bytes gpu;      // uint64_t each: parts of each pass
    struct gv_bytes costs;    // struct gv_frame_cost each: frames of each plain pass
    size_t cost_count;        // of one pass
    struct gv_bytes walls[2]; // uint64_t each: of passes without stamps, with them
    uint64_t joined;          // parts that are told with the one behind them
    // Made by gv_prof_figures_make; owned.
    struct gv_prof_part *parts;
    struct gv_prof_frame *frames;
    size_t frame_count;
    struct gv_spread plain, stamped; // of whole passes
    struct gv_frame_cost cost;       // of all frames together
    uint64_t gpu_ns;                 // likewise
};

// A pass has ended. GV_ERR_FORMAT: it had other parts than the one before.
bool gv_prof_figures_add(struct gv_prof_figures *figures,
                         const struct gv_stamps *stamps, bool stamped, uint64_t wall_ns,
                         struct gv_error *err);
// Behind the last pass; `wanted` by number, or NULL: all frames. GV_ERR_MEMORY.
bool gv_prof_figures_make(struct gv_prof_figures *figures,
                          const struct gv_payload *payload, const bool *wanted,
                          struct gv_error *err);
// The costliest part first.
void gv_prof_figures_sort(struct gv_prof_figures *figures);
void gv_prof_figures_finish(struct gv_prof_figures *figures);

// What kept the device waiting, as a word ("recording"); NULL: nothing did, since the
// CPU waited for the device longer than it did anything else.
const char *gv_prof_starved_by(const struct gv_prof_figures *figures);

#define GV_PROF_NAME 64 // bytes of a part's place, as docs/paths.md spells it
void gv_prof_name(const struct gv_stamp *stamp, char name[GV_PROF_NAME]);

#endif
