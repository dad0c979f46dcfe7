#include "resources/base/path_kind.h"

#include <sys/stat.h>

enum gv_path_kind gv_path_kind(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return GV_PATH_NOTHING;
    return S_ISREG(st.st_mode)    ? GV_PATH_FILE
           : S_ISDIR(st.st_mode)  ? GV_PATH_FOLDER
           : S_ISFIFO(st.st_mode) ? GV_PATH_PIPE
                                  : GV_PATH_OTHER;
}
