// Whether a file is one that can be replayed, for commands that look through folders.
#ifndef GV_PLAYABLE_H
#define GV_PLAYABLE_H

#include "tools/program.h"

// Looks into a file, unless that could mean to wait for it. `captures` may be NULL:
// payloads alone. False: `err` says why not.
bool gv_is_playable(const char *path, const struct gv_captures *captures,
                    struct gv_error *err);

#endif
