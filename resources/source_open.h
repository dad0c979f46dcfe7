// Which source a `--store` argument means.
#ifndef GV_SOURCE_OPEN_H
#define GV_SOURCE_OPEN_H

#include "resources/source.h"

// Whether a `--store` argument may be a folder, there or not yet; else
// GV_ERR_UNSUPPORTED by name, as of gv_source_open.
bool gv_source_is_folder(const char *location, struct gv_error *err);

// Opens a `--store` argument: a folder; `pack:` files and http(s) URLs are
// GV_ERR_UNSUPPORTED by name. The caller destroys it.
struct gv_source *gv_source_open(const char *location, struct gv_error *err);

#endif
