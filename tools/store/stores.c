#include "tools/store/stores.h"

#include "resources/source_open.h"

struct gv_source *gv_stores_source(const char *location,
                                   const struct gv_fetch_params *params,
                                   const struct gv_log *log, struct gv_error *err)
{
    const char *path;
    if (gv_location_of(location, &path) != GV_LOCATION_URL)
        return gv_source_open(location, err);
    return gv_fetcher_open(path, path != location, params, log, err);
}

bool gv_stores_open(struct gv_stores *stores, const struct gv_option_list *list,
                    const struct gv_fetch_params *params, const struct gv_log *log,
                    struct gv_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        struct gv_source *source = gv_stores_source(list->items[i], params, log, err);
        if (!source)
            return false;
        stores->sources[stores->count++] = source;
    }
    return true;
}

struct gv_source *gv_stores_payload(struct gv_input *input, const char *url,
                                    const struct gv_fetch_params *params,
                                    const struct gv_log *log, struct gv_error *err)
{
    struct gv_file tables = { 0 };
    struct gv_source *source = gv_fetcher_open_payload(url, &tables, params, log, err);
    if (source)
        gv_input_adopt(input, url, tables);
    return source;
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
