// The progress file: where a run is, readable after a crash or a kill.
#ifndef GV_PROGRESS_H
#define GV_PROGRESS_H

#include "resources/base/file.h"

#define GV_PROGRESS_NONE UINT64_MAX // no such position yet

// What the file says: the last position recorded (handed to the driver), the last
// completed on the device, and how often something was completed: positions come again
// with each pass and stay the same within a long command.
struct gv_progress_state {
    uint64_t recorded_frame, recorded_command;
    uint64_t completed_frame, completed_command;
    // Submissions, frames without one, and other signs of life; 0 in older files.
    uint64_t completions;
    bool finished; // the run ended by itself
};

struct gv_progress;

// Creates the file, or takes over an empty one or another progress file, and maps it.
// NULL: GV_ERR_USAGE for any other file, which stays as it is; GV_ERR_OUTPUT.
struct gv_progress *gv_progress_create(const char *path, struct gv_error *err);
void gv_progress_destroy(struct gv_progress *progress);

// Where the file is mapped: whoever cuts it short makes a store there a bus error.
const void *gv_progress_mapping(const struct gv_progress *progress, size_t *size);

// Relaxed stores. `progress` may be NULL. `completed` is told of each submission, in
// order, and of each frame without one.
void gv_progress_recorded(struct gv_progress *progress, uint64_t frame,
                          uint64_t command);
void gv_progress_completed(struct gv_progress *progress, uint64_t frame,
                           uint64_t command);
// A sign of life that is no submission: a second has gone by that nobody but who sends
// input or reads output, or a server, is to blame for; a question is answered; a shader
// or pipeline is made.
void gv_progress_alive(struct gv_progress *progress);
void gv_progress_finished(struct gv_progress *progress);

// Whether the file is a progress file, and what it says.
bool gv_progress_parse(const struct gv_file *file, struct gv_progress_state *state);
// The same of the file at `path`.
bool gv_progress_read(const char *path, struct gv_progress_state *state,
                      struct gv_error *err);

#endif
