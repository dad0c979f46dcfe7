#include "tools/window/window_keys.h"

#include <string.h>

const struct gv_window_key gv_window_keys[] = {
#define GV_WINDOW_KEY(key, action, number, keys, what) \
    { key, GV_WINDOW_##action, number, keys, what },
#include "tools/window/window_keys.def"
#undef GV_WINDOW_KEY
};
const size_t gv_window_key_count = sizeof gv_window_keys / sizeof *gv_window_keys;

const struct gv_window_key *gv_window_key_find(const char *key)
{
    for (size_t i = 0; i < gv_window_key_count; i++)
        if (strcmp(gv_window_keys[i].key, key) == 0)
            return &gv_window_keys[i];
    return NULL;
}
