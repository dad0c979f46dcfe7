// Where programs keep what they may lose.
#ifndef GV_CACHE_FOLDER_H
#define GV_CACHE_FOLDER_H

#include <stddef.h>

// The program's own folder for caches, XDG_CACHE_HOME/gpuvm; NULL where there is none.
const char *gv_cache_folder(char *path, size_t size);

#endif
