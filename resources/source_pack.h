// A gv_source over a pack file (resources/packfile.h).
#ifndef GV_SOURCE_PACK_H
#define GV_SOURCE_PACK_H

#include "resources/source.h"

// Opens an existing pack. NULL: as gv_packfile_open.
struct gv_source *gv_source_pack(const char *path, struct gv_error *err);

#endif
