#include "resources/source.h"

#include "resources/source_folder.h"

#include <string.h>
#include <sys/stat.h>

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

struct gv_source *gv_source_open(const char *location, struct gv_error *err)
{
    struct stat st;
    if (starts_with(location, "http://") || starts_with(location, "https://")) {
        gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: http store");
        return NULL;
    }
    if (starts_with(location, "pack:") ||
        (stat(location, &st) == 0 && !S_ISDIR(st.st_mode))) {
        gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: pack store");
        return NULL;
    }
    return gv_source_folder(location, err);
}

void gv_source_destroy(struct gv_source *source)
{
    if (source)
        source->destroy(source);
}
