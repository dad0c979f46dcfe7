// Which source a `--store` argument means.
#ifndef GV_SOURCE_OPEN_H
#define GV_SOURCE_OPEN_H

#include "resources/source.h"

enum gv_location {
    GV_LOCATION_FOLDER, // a folder, there or not yet
    GV_LOCATION_PACK,   // pack:PATH, or the path of what is a file
    GV_LOCATION_URL,    // http: or https:, also behind pack:
};

// What kind a `--store` argument is. `*path`: the argument without "pack:".
enum gv_location gv_location_of(const char *location, const char **path);

// Whether it may be a folder, there or not yet; else GV_ERR_UNSUPPORTED by name.
bool gv_source_is_folder(const char *location, struct gv_error *err);

// Opens a `--store` argument: a folder or a pack; http(s) URLs are GV_ERR_UNSUPPORTED
// by name. The caller destroys it.
struct gv_source *gv_source_open(const char *location, struct gv_error *err);

#endif
