// The --store arguments of a command, opened.
#ifndef GV_STORES_H
#define GV_STORES_H

#include "resources/base/log.h"
#include "resources/source.h"
#include "tools/child/fetcher.h"
#include "tools/input.h"
#include "tools/options.h"

// Rows of a command that reads stores, for the member `fetching` of its options.
// clang-format off
#define GV_OPTION_FETCHING(type, urls)                                                \
    { .name = "token-file", .kind = GV_OPTION_TEXT, .argument = "FILE",              \
      .offset = GV_OPTION_AT(type, fetching.token_file), .needs = (urls),                          \
      .help = "bearer token for stores on the web" },                                \
    { .name = "fetch-stall", .kind = GV_OPTION_NUMBER, .argument = "S",              \
      .minimum = 1, .maximum = 3600,                                                 \
      .offset = GV_OPTION_AT(type, fetching.stall_s), .needs = (urls),                             \
      .help = "seconds without 1 KiB each until a request is tried again (10)" },    \
    { .name = "fetch-tries", .kind = GV_OPTION_NUMBER, .argument = "N",              \
      .minimum = 1, .maximum = 100, .offset = GV_OPTION_AT(type, fetching.tries),    \
      .needs = (urls), .help = "tries of each request (4)" },                                         \
    { .name = "fetch-cache-mb", .kind = GV_OPTION_NUMBER, .argument = "N",           \
      .maximum = 1 << 20, .offset = GV_OPTION_AT(type, fetching.cache_mb), .needs = (urls),          \
      .help = "MiB kept on disk of what comes from the web; 0: none (1024)" }
// clang-format on

#define GV_FETCH_CACHE_MB 1024 // the default of fetching.cache_mb

// Zero-initialise; also of a failed gv_stores_open it is closed.
struct gv_stores {
    struct gv_source *sources[GV_OPTION_LIST_MAX + 1]; // owned; an input's own first
    size_t count;
};

// Those on the web get a process each, which is started here: see fetcher.h.
bool gv_stores_open(struct gv_stores *stores, const struct gv_option_list *list,
                    const struct gv_fetch_params *params, const struct gv_log *log,
                    struct gv_error *err);
void gv_stores_close(struct gv_stores *stores);

// Opens the payload at a URL as the input. NULL, or the source of its resources. User,
// password and query are taken out of `url`.
struct gv_source *gv_stores_payload(struct gv_input *input, const char *url,
                                    const struct gv_fetch_params *params,
                                    const struct gv_log *log, struct gv_error *err);

// Opens one.
struct gv_source *gv_stores_source(const char *location,
                                   const struct gv_fetch_params *params,
                                   const struct gv_log *log, struct gv_error *err);

// Names a --store as an input, with all that is in it.
void gv_guard_store(struct gv_input_guard *g, const char *location);

#endif
