// A payload on a web server, in the process that fetches: all of it but its resources
// comes at once, these when they are asked for.
#ifndef GV_FETCHER_PAYLOAD_H
#define GV_FETCHER_PAYLOAD_H

#include "resources/async.h"
#include "resources/http/http_client.h"

// Fetches header, tables and code into the file `memory`, which gets the size of the
// payload, with holes where resources are. Nothing keeps it mapped. The source has the
// resources. NULL: GV_ERR_FETCH, GV_ERR_FORMAT, GV_ERR_LIMIT.
struct gv_async *gv_fetcher_payload(struct gv_http *http, const char *url, int memory,
                                    struct gv_error *err);

#endif
