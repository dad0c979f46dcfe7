#include "tools/playable.h"

#include <errno.h>
#include <string.h>

#include "resources/base/file.h"
#include "resources/base/path_kind.h"
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
    struct gv_file file;
    const enum gv_path_kind kind = gv_path_kind(path);
    if (kind == GV_PATH_NOTHING)
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "%s", strerror(errno));
    if (kind != GV_PATH_FILE)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       kind == GV_PATH_FOLDER ? "a folder" : "no regular file");
    if (!gv_file_open_within(&file, path, GV_FILE_TEXT_MAX, err))
        return false;
    if (file.mapped)
        gv_cut_file_guard(file.data, file.size, path, GV_ERR_FORMAT, false);
    const bool known = is_known(&file, captures, err);
    gv_cut_file_release(file.data);
    gv_file_close(&file);
    return known;
}
