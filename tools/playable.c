#include "tools/playable.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "resources/base/file.h"
#include "tools/cut_file.h"
#include "tools/input.h"

static bool is_known(const struct gv_file *file, const struct gv_captures *captures,
                     struct gv_error *err)
{
    if (gv_input_is_payload(file))
        return true;
    return captures ? captures->probe(file->data, file->size, NULL, NULL, err)
                    : gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "not a payload");
}

bool gv_is_playable(const char *path, const struct gv_captures *captures,
                    struct gv_error *err)
{
    struct stat st;
    struct gv_file file;
    if (stat(path, &st) != 0)
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "%s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       S_ISDIR(st.st_mode) ? "a folder" : "no regular file");
    if (!gv_file_open_within(&file, path, GV_FILE_TEXT_MAX, err))
        return false;
    if (file.mapped)
        gv_cut_file_guard(file.data, file.size, path, GV_ERR_FORMAT, false);
    const bool known = is_known(&file, captures, err);
    gv_cut_file_release(file.data);
    gv_file_close(&file);
    return known;
}
