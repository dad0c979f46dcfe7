#include "resources/source_open.h"

#include "resources/source_folder.h"

#include <string.h>
#include <sys/stat.h>

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool gv_source_is_folder(const char *location, struct gv_error *err)
{
    struct stat st;
    if (starts_with(location, "http://") || starts_with(location, "https://"))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: http store");
    if (starts_with(location, "pack:") ||
        (stat(location, &st) == 0 && !S_ISDIR(st.st_mode)))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: pack store");
    return true;
}

struct gv_source *gv_source_open(const char *location, struct gv_error *err)
{
    return gv_source_is_folder(location, err) ? gv_source_folder(location, err) : NULL;
}
