// A gv_source over a folder store (resources/store.h).
#ifndef GV_SOURCE_FOLDER_H
#define GV_SOURCE_FOLDER_H

#include "resources/source.h"

// Opens an existing folder. NULL: GV_ERR_NOT_FOUND, GV_ERR_LIMIT.
struct gv_source *gv_source_folder(const char *folder, struct gv_error *err);

#endif
