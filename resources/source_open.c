#include "resources/source_open.h"

#include "resources/base/path_kind.h"
#include "resources/source_folder.h"
#include "resources/source_pack.h"

#include <string.h>

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

enum gv_location gv_location_of(const char *location, const char **path)
{
    bool pack = starts_with(location, "pack:");
    *path = pack ? location + strlen("pack:") : location;
    if (starts_with(*path, "http://") || starts_with(*path, "https://"))
        return GV_LOCATION_URL;
    const enum gv_path_kind kind = gv_path_kind(location);
    return pack || (kind != GV_PATH_NOTHING && kind != GV_PATH_FOLDER)
               ? GV_LOCATION_PACK
               : GV_LOCATION_FOLDER;
}

static bool fail_kind(const char *kind, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: %s store",
                   kind);
}

bool gv_source_is_folder(const char *location, struct gv_error *err)
{
    const char *path;
    enum gv_location kind = gv_location_of(location, &path);
    return kind == GV_LOCATION_FOLDER ||
           fail_kind(kind == GV_LOCATION_PACK ? "pack" : "http", err);
}

struct gv_source *gv_source_open(const char *location, struct gv_error *err)
{
    const char *path;
    switch (gv_location_of(location, &path)) {
    case GV_LOCATION_FOLDER:
        return gv_source_folder(path, err);
    case GV_LOCATION_PACK:
        return gv_source_pack(path, err);
    case GV_LOCATION_URL:
        fail_kind("http", err);
        return NULL;
    }
    return NULL;
}
