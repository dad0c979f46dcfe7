// The --store arguments of a command, opened.
#ifndef GV_STORES_H
#define GV_STORES_H

#include "resources/source.h"
#include "tools/input_guard.h"
#include "tools/options.h"

// Zero-initialise; also of a failed gv_stores_open it is closed.
struct gv_stores {
    struct gv_source *sources[GV_OPTION_LIST_MAX]; // owned
    size_t count;
};

bool gv_stores_open(struct gv_stores *stores, const struct gv_option_list *list,
                    struct gv_error *err);
void gv_stores_close(struct gv_stores *stores);

// Names a --store as an input, with all that is in it.
void gv_guard_store(struct gv_input_guard *g, const char *location);

#endif
