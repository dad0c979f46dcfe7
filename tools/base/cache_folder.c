#include "tools/base/cache_folder.h"

#include <stdio.h>
#include <stdlib.h>

const char *gv_cache_folder(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (cache && cache[0] == '/')
        length = snprintf(path, size, "%s/gpuvm", cache);
    else if (home && home[0] == '/')
        length = snprintf(path, size, "%s/.cache/gpuvm", home);
    return length > 0 && (size_t)length < size ? path : NULL;
}
