// Golden files whose capture is gone: it is missed.
#ifndef GV_CHECK_GOLDENS_H
#define GV_CHECK_GOLDENS_H

#include "tools/check/check_items.h"

// Adds an item that is not there for each NAME.tsv of the folder without a capture.
// NAME.DEVICE.tsv is of NAME, if there is one.
bool gv_check_goldens_add(struct gv_check_items *items, const char *folder,
                          struct gv_error *err);

#endif
