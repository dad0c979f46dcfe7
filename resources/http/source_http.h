// A gv_async over a store on a web server, a folder or a pack (docs/stores.md).
#ifndef GV_SOURCE_HTTP_H
#define GV_SOURCE_HTTP_H

#include "resources/async.h"
#include "resources/http/http_client.h"
#include "resources/pack_format.h"

// `url` is the folder's, without cas/, or with `pack` the file's. The client is
// borrowed and outlives the source. Nothing is asked yet: a pack's index is fetched
// with the first object. NULL: GV_ERR_LIMIT.
struct gv_async *gv_source_http(struct gv_http *http, const char *url, bool pack,
                                struct gv_error *err);

// The objects of a file that holds more than those, `rows` (ascending by id, copied),
// whose offset is that of the bytes themselves: a zstd frame, or as many bytes as the
// object has and these. `dictionaries` are rows as well: those of the objects whose
// last bytes others' frames need (resources/dictionaries.h). Each is fetched once, when
// the first of these is. What lies in `tail`, which has come already, is not asked for.
struct gv_http_parts {
    const char *url;
    const struct gv_pack_row *rows, *dictionaries;
    size_t count, dictionary_count;
    struct gv_span tail; // bytes of the file from `tail_at` on; copied
    uint64_t tail_at;
};
struct gv_async *gv_source_http_parts(struct gv_http *http,
                                      const struct gv_http_parts *parts,
                                      struct gv_error *err);

#endif
