// Fetches all objects of a local pack from a store on the web in one batch: a program
// for tests/cli/http.sh. Prints how many requests that took.
//   fetch_batch PACK folder|pack URL [MOST]     MOST: objects of more bytes are left
//   out
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/http/source_http.h"
#include "resources/packfile.h"

static bool fetch_all(struct gv_packfile *pack, struct gv_async *source, uint64_t most,
                      struct gv_error *err)
{
    size_t count, wanted = 0, found = 0;
    const struct gv_pack_row *rows = gv_packfile_rows(pack, &count);
    struct gv_fetch *items = calloc(count + 1, sizeof *items);
    for (size_t i = 0; items && i < count; i++)
        if (rows[i].raw_size <= most) {
            uint8_t *data = malloc((size_t)rows[i].raw_size + 1);
            items[wanted++] =
                (struct gv_fetch){ rows[i].hash, rows[i].raw_size, data, false };
        }
    bool ok = items && gv_async_fetch(source, items, wanted, err);
    for (size_t i = 0; i < wanted; i++) {
        struct gv_hash hash = gv_hash_bytes(items[i].data, (size_t)items[i].raw_size);
        found += ok && items[i].found && gv_hash_equal(&hash, &items[i].hash);
        free(items[i].data);
    }
    free(items);
    if (ok && found != wanted)
        gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "%zu of %zu objects", found, wanted);
    return ok && found == wanted;
}

int main(int argc, char **argv)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_http_params params = { .stall_s = 5, .tries = 2, .hangup = -1 };
    if (argc < 4)
        return EXIT_FAILURE;
    struct gv_packfile *pack = gv_packfile_open(argv[1], &err);
    struct gv_http *http = gv_http_create(&params, &err);
    struct gv_async *source =
        http ? gv_source_http(http, argv[3], strcmp(argv[2], "pack") == 0, &err) : NULL;
    uint64_t most = argc > 4 ? strtoull(argv[4], NULL, 10) : UINT64_MAX;
    bool ok = pack && source && fetch_all(pack, source, most, &err);
    if (ok)
        printf("%" PRIu64 "\n", gv_http_requests(http));
    else
        fprintf(stderr, "%s\n", err.message);
    gv_async_destroy(source);
    gv_http_destroy(http);
    gv_packfile_destroy(pack);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
