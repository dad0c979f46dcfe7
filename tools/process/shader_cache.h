// Where the compiler keeps what it has made of shaders' texts: gpuvm/shaders in the
// folder for caches.
#ifndef GV_SHADER_CACHE_H
#define GV_SHADER_CACHE_H

#include "resources/keeper.h"

#define GV_SHADER_CACHE_LIMIT ((uint64_t)64 << 20) // bytes

struct gv_shader_cache {
    struct gv_folder_keeper files;
    // For gv_compile_params; NULL: there is no place, or this program does not know
    // which one it is (it is linked without a build id), and what another made could
    // differ.
    const struct gv_keeper *keeper;
    const char *folder; // what is written; NULL likewise
};

// Makes the folder. `c` is not to move.
void gv_shader_cache_open(struct gv_shader_cache *c);
void gv_shader_cache_close(struct gv_shader_cache *c);

#endif
