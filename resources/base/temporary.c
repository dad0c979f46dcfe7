#include "resources/base/temporary.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#define PLACES 64

static _Atomic(const char *) places[PLACES];

void gv_temporary_note(const char *path)
{
    for (size_t i = 0; i < PLACES; i++) {
        const char *nothing = NULL;
        if (atomic_compare_exchange_strong(&places[i], &nothing, path))
            return;
    }
}

void gv_temporary_forget(const char *path)
{
    for (size_t i = 0; i < PLACES; i++) {
        const char *noted = path;
        if (atomic_compare_exchange_strong(&places[i], &noted, NULL))
            return;
    }
}

// A path is left where it is: whoever forgets it meanwhile finds it as before. Freed
// memory can be read only by a handler that runs beside the very thread that frees it;
// unlink then fails, the file having its final name.
void gv_temporary_remove_all(void)
{
    for (size_t i = 0; i < PLACES; i++) {
        const char *path = atomic_load(&places[i]);
        if (path)
            unlink(path);
    }
}
