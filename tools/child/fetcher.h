// Stores on the web, kept away from what replays: a process of its own opens sockets,
// speaks to strangers and knows the token; the other end has a source, and a line that
// it reads and writes.
#ifndef GV_FETCHER_H
#define GV_FETCHER_H

#include "resources/base/file.h"
#include "resources/base/log.h"
#include "resources/source.h"

#include <stdint.h>

// How stores on the web are asked; 0 and NULL are the defaults.
struct gv_fetch_params {
    const char *token_file; // a bearer token goes along; NULL: none
    int token_fd;           // what `token_file` names, if it is a copy; else 0
    char token_path[32];    // of that
    uint64_t stall_s;       // so long next to nothing comes: tried again (10)
    uint64_t tries;         // of each request (4)
    const char *cache;      // folder of what is kept between runs; NULL: nothing is
    uint64_t cache_mb;      // MiB that it may have; 0: nothing is kept
};

// Starts the process and opens the store at `url`, a folder's or with `pack` a pack's.
// To be called before this process is confined, or has threads that matter. NULL:
// GV_ERR_FETCH, GV_ERR_UNSUPPORTED (no libcurl), GV_ERR_SYSTEM.
struct gv_source *gv_fetcher_open(const char *url, bool pack,
                                  const struct gv_fetch_params *params,
                                  const struct gv_log *log, struct gv_error *err);

// The same for the payload at `url`: `*file` becomes all of it but its resources, which
// the source has; zeros are in their place. Nobody can change it any more.
// GV_ERR_FORMAT also.
struct gv_source *gv_fetcher_open_payload(const char *url, struct gv_file *file,
                                          const struct gv_fetch_params *params,
                                          const struct gv_log *log,
                                          struct gv_error *err);

#endif
