// Names of items: each has a golden file, which is nobody else's.
#ifndef GV_CHECK_NAMES_H
#define GV_CHECK_NAMES_H

#include "tools/check/check_items.h"

// GV_ERR_USAGE: two items have one name, or one has the name of a file that the golden
// folder has for something else: "devices", "times", and "NAME.DEVICE" of a device in
// its devices.tsv where there is a NAME.
bool gv_check_names(const struct gv_check_items *items, const char *golden,
                    struct gv_error *err);

#endif
