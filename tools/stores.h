// The --store folders of a command, opened.
#ifndef GV_STORES_H
#define GV_STORES_H

#include "resources/source.h"
#include "tools/options.h"

// Zero-initialise; also of a failed gv_stores_open it is closed.
struct gv_stores {
    struct gv_source *sources[GV_OPTION_LIST_MAX]; // owned
    size_t count;
};

bool gv_stores_open(struct gv_stores *stores, const struct gv_option_list *list,
                    struct gv_error *err);
void gv_stores_close(struct gv_stores *stores);

#endif
