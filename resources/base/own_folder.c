#define _DEFAULT_SOURCE // lstat
#include "resources/base/own_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resources/base/file.h"

static bool is_own(const char *folder)
{
    struct stat st;
    return lstat(folder, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
           !(st.st_mode & (S_IWGRP | S_IWOTH));
}

static bool make(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    char parents[4096];
    int length = snprintf(parents, sizeof parents, "%.*s",
                          slash ? (int)(slash - folder) : 0, folder);
    if (length < 0 || (size_t)length >= sizeof parents ||
        (length && !gv_make_folders(parents, NULL)))
        return false;
    return mkdir(folder, 0700) == 0 || errno == EEXIST;
}

bool gv_own_folder(const char *folder)
{
    return make(folder) && is_own(folder);
}
