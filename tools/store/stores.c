#include "tools/store/stores.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "resources/http/http_client.h"
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

// What may be secret in a URL is needed once: messages, results and lists of processes
// name the file by what is left.
static bool hide_secrets(const char *operand, struct gv_error *err)
{
    char *url = (char *)(uintptr_t)operand; // of the command line: it may be written to
    size_t size = strlen(url) + 1;
    char *shown = malloc(size);
    if (!shown)
        return gv_out_of_memory(err);
    gv_http_show_url(url, shown, size);
    memcpy(url, shown, strlen(shown) + 1);
    free(shown);
    return true;
}

struct gv_source *gv_stores_payload(struct gv_input *input, const char *url,
                                    const struct gv_fetch_params *params,
                                    const struct gv_log *log, struct gv_error *err)
{
    struct gv_file tables = { 0 };
    struct gv_source *source = gv_fetcher_open_payload(url, &tables, params, log, err);
    if (!hide_secrets(url, err)) {
        gv_source_destroy(source);
        return NULL;
    }
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
