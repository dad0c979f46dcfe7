#define _GNU_SOURCE // nftw, mkdtemp
#include "tools/check/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"

#define OPEN_FOLDERS 16

static int take_away(const char *path, const struct stat *st, int kind,
                     struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    remove(path);
    return 0;
}

void gv_scratch_remove(const char *path)
{
    if (path[0])
        nftw(path, take_away, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

bool gv_scratch_make(char path[GV_SCRATCH_PATH], const char *beside,
                     struct gv_error *err)
{
    const char *temporary = getenv("TMPDIR");
    if (!temporary || !*temporary)
        temporary = "/tmp";
    const int length =
        beside ? snprintf(path, GV_SCRATCH_PATH, "%s/.scratch", beside)
               : snprintf(path, GV_SCRATCH_PATH, "%s/gpuvm-check-XXXXXX", temporary);
    if (length < 0 || length >= GV_SCRATCH_PATH) {
        path[0] = '\0';
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                       "the folder's name is too long");
    }
    if (beside) {
        gv_scratch_remove(path);
        return gv_make_folders(path, err);
    }
    if (mkdtemp(path))
        return true;
    path[0] = '\0';
    return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "no folder in %.100s: %s",
                   temporary, strerror(errno));
}
