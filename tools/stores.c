#include "tools/stores.h"

#include "resources/source_open.h"

bool gv_stores_open(struct gv_stores *stores, const struct gv_option_list *list,
                    struct gv_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        struct gv_source *source = gv_source_open(list->items[i], err);
        if (!source)
            return false;
        stores->sources[stores->count++] = source;
    }
    return true;
}

void gv_stores_close(struct gv_stores *stores)
{
    for (size_t i = 0; i < stores->count; i++)
        gv_source_destroy(stores->sources[i]);
    stores->count = 0;
}

void gv_guard_store(struct gv_input_guard *g, const char *location)
{
    const char *path;
    switch (gv_location_of(location, &path)) {
    case GV_LOCATION_FOLDER:
        gv_guard_folder(g, path, "cas");
        break;
    case GV_LOCATION_PACK:
        gv_guard_input(g, path);
        break;
    case GV_LOCATION_URL:
        break;
    }
}
