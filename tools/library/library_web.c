// Payloads and resources from web servers, in the thread that asks for them.
#include <stdlib.h>

#include "resources/http/source_http.h"
#include "resources/source_open.h"
#include "tools/library/library.h"

// As the command line has them (docs/cli.md, --fetch-stall and --fetch-tries).
#define STALL_S 10
#define TRIES 4
#define LOOK_MS 20 // so often the flag of a gpuvm_cancel is looked at

static struct gv_http *connect_web(const char *token_file, struct gv_error *err)
{
    const struct gv_http_params params = {
        .token_file = token_file,
        .stall_s = STALL_S,
        .tries = TRIES,
        .hangup = -1,
    };
    return gv_http_create(&params, err);
}

static bool cancelled(const gpuvm_cancel *cancel, struct gv_error *err)
{
    return gv_is_cancelled(gv_library_flag(cancel)) && !gv_fail_cancelled(err);
}

static bool is_web(const char *url, const char **address, struct gv_error *err)
{
    *address = NULL;
    return (url && gv_location_of(url, address) == GV_LOCATION_URL) ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "the caller gave no address that begins with http: or https:");
}

// ---- stores ----

struct web_source {
    struct gv_source base;
    struct gv_http *http;
    struct gv_async *async;
    const gpuvm_cancel *cancel;
};

static bool fetch_one(struct web_source *w, struct gv_fetch *item, struct gv_error *err)
{
    struct gv_order order = { .item = *item }, *list = &order;
    if (!w->async->submit(w->async, &list, 1, err))
        return false;
    while (order.outcome == GV_ORDER_OPEN) {
        if (cancelled(w->cancel, err)) {
            w->async->cancel(w->async, &order);
            return false;
        }
        w->async->poll(w->async, -1, LOOK_MS);
    }
    item->found = order.outcome == GV_ORDER_HERE;
    return order.outcome != GV_ORDER_FAILED ||
           gv_fail(err, order.error.status, order.error.offset, "%s",
                   order.error.message);
}

static bool fetch(struct gv_source *self, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!items[i].found && !fetch_one((struct web_source *)self, &items[i], err))
            return false;
    return true;
}

static void destroy(struct gv_source *self)
{
    struct web_source *w = (struct web_source *)self;
    gv_async_destroy(w->async);
    gv_http_destroy(w->http);
    free(w);
}

static bool open_store(struct web_source *w, const char *address, bool pack,
                       const char *token_file, struct gv_error *err)
{
    w->http = connect_web(token_file, err);
    if (w->http)
        w->async = gv_source_http(w->http, address, pack, err);
    if (w->async)
        w->base.name = w->async->name; // without what may be secret
    return w->async;
}

struct gv_source *gv_library_web_source(const char *url, const char *token_file,
                                        const gpuvm_cancel *cancel,
                                        struct gv_error *err)
{
    const char *address;
    if (!is_web(url, &address, err))
        return NULL;
    struct web_source *w = calloc(1, sizeof *w);
    if (!w) {
        gv_out_of_memory(err);
        return NULL;
    }
    w->base = (struct gv_source){ .fetch = fetch, .destroy = destroy };
    w->cancel = cancel;
    // "pack:" before the address says what it is of.
    if (open_store(w, address, address != url, token_file, err))
        return &w->base;
    destroy(&w->base);
    return NULL;
}

// ---- payloads ----

static bool get_body(struct gv_http *http, struct gv_http_get *get,
                     const gpuvm_cancel *cancel, struct gv_error *err)
{
    if (!gv_http_submit(http, get, err))
        return false;
    while (!gv_http_poll(http, -1, LOOK_MS))
        if (cancelled(cancel, err)) {
            gv_http_cancel(http, get);
            return false;
        }
    char shown[128];
    gv_http_show_url(get->url, shown, sizeof shown);
    if (get->missing)
        return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "%s: not there", shown);
    return get->error.status == GV_OK ||
           gv_fail(err, get->error.status, GV_NO_OFFSET, "%s", get->error.message);
}

bool gv_library_web_payload(const struct gv_web_payload *wanted, struct gv_bytes *body,
                            struct gv_error *err)
{
    const char *address;
    if (!is_web(wanted->url, &address, err))
        return false;
    struct gv_http *http = connect_web(wanted->token_file, err);
    struct gv_http_get get = {
        .url = address,
        .part = GV_HTTP_WHOLE,
        .most = wanted->most,
        .error = GV_ERROR_INIT,
    };
    bool ok = http && get_body(http, &get, wanted->cancel, err);
    gv_http_destroy(http);
    *body = get.body;
    return ok;
}
