// `gpuvm inspect` of contents: all paths of a command line in one replay of what they
// need, as rows, pictures and bytes.
#ifndef GV_INSPECT_CONTENTS_H
#define GV_INSPECT_CONTENTS_H

#include <stdio.h>

#include "resources/base/bytes.h"
#include "tools/options.h"
#include "tools/run/run_job.h"

struct gv_inspect_item;
struct gv_inspect_reader;

struct gv_inspect_job {
    struct gv_run_job job;              // first; `output`: of the one path, or NULL
    const struct gv_operands *operands; // from the second on paths
    const char *folder;                 // where files go; NULL: nowhere
    const char *range;                  // LOW,HIGH of pictures; NULL: as it is there
    bool json;
    struct gv_inspect_item *items; // owned; those that have contents
    size_t count;
    struct gv_inspect_reader *reader; // owned
    FILE *spool;                      // of files, from the child to its parent
    struct gv_bytes printed;          // owned: rows of all paths, or "paths" of JSON
};

// Sets the functions.
void gv_inspect_job_init(struct gv_inspect_job *job);

// Whether a path asks for what only a replay knows.
struct gv_path;
bool gv_inspect_wants_replay(const struct gv_path *path);

#endif
