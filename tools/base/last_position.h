// What is said of a process that replayed and is no more: why, and how far it had come.
#ifndef GV_LAST_POSITION_H
#define GV_LAST_POSITION_H

#include "resources/base/error.h"

#include <stdint.h>

#define GV_WHY_LOST 96 // bytes of a reason

// "lost: WHO died (Killed)" or "lost: WHO ended by itself (3)", of waitpid's `status`.
void gv_why_died(char why[GV_WHY_LOST], const char *who, int status);

// "time-out: ...", of one in which nothing happened for so long.
#define GV_WHY_TIME_OUT "time-out:"
void gv_why_silent(char why[GV_WHY_LOST], bool running, uint64_t timeout_ns);

// Fails with GV_ERR_LOST: `why`, and what the driver had been given and had finished by
// the progress file at `path` (NULL: none, or it had not begun).
void gv_fail_lost_at(const char *path, const char *why, struct gv_error *err);

#endif
