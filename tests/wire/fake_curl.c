#include "tests/wire/fake_curl.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "resources/http/curl_library.h"

// The header's macros that check arguments would stand in the way of the names.
#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt

#define MOST_HANDLES 16

typedef size_t (*take_fn)(char *data, size_t one, size_t size, void *context);

// One of both kinds of handles.
struct handle {
    const char *url, *range;
    void *private;
    take_fn on_header, on_body;
    void *header_data, *body_data;
    long status;
    CURLcode result;
    bool sent, done;
    struct handle *in[MOST_HANDLES]; // of a multi handle
    CURLMsg message;                 // likewise
};

static fake_serve_fn serve_one;
static void *serve_context;

void fake_curl_serve(fake_serve_fn serve, void *context)
{
    serve_one = serve;
    serve_context = context;
}

static CURL *easy_init(void)
{
    return calloc(1, sizeof(struct handle));
}

static void easy_cleanup(CURL *easy)
{
    free(easy);
}

static CURLcode easy_setopt(CURL *easy, CURLoption option, ...)
{
    struct handle *h = easy;
    va_list args;
    va_start(args, option);
    switch ((int)option) {
    case CURLOPT_URL:
        h->url = va_arg(args, const char *);
        break;
    case CURLOPT_RANGE:
        h->range = va_arg(args, const char *);
        break;
    case CURLOPT_PRIVATE:
        h->private = va_arg(args, void *);
        break;
    case CURLOPT_HEADERFUNCTION:
        h->on_header = va_arg(args, take_fn);
        break;
    case CURLOPT_HEADERDATA:
        h->header_data = va_arg(args, void *);
        break;
    case CURLOPT_WRITEFUNCTION:
        h->on_body = va_arg(args, take_fn);
        break;
    case CURLOPT_WRITEDATA:
        h->body_data = va_arg(args, void *);
        break;
    }
    va_end(args);
    return CURLE_OK;
}

static CURLcode easy_getinfo(CURL *easy, CURLINFO info, ...)
{
    struct handle *h = easy;
    va_list args;
    va_start(args, info);
    if (info == CURLINFO_RESPONSE_CODE)
        *va_arg(args, long *) = h->status;
    else if (info == CURLINFO_PRIVATE)
        *va_arg(args, char **) = h->private;
    va_end(args);
    return CURLE_OK;
}

static const char *easy_strerror(CURLcode code)
{
    return code ? "something" : "nothing";
}

static CURLcode global_init(long flags)
{
    (void)flags;
    return CURLE_OK;
}

static CURLMcode multi_add_handle(CURLM *multi, CURL *easy)
{
    struct handle *m = multi, *h = easy;
    h->sent = h->done = false;
    h->status = 0;
    for (size_t i = 0; i < MOST_HANDLES; i++)
        if (!m->in[i]) {
            m->in[i] = h;
            return CURLM_OK;
        }
    return CURLM_INTERNAL_ERROR;
}

static CURLMcode multi_remove_handle(CURLM *multi, CURL *easy)
{
    struct handle *m = multi;
    for (size_t i = 0; i < MOST_HANDLES; i++)
        if (m->in[i] == easy)
            m->in[i] = NULL;
    return CURLM_OK;
}

static CURLM *multi_init(void)
{
    return calloc(1, sizeof(struct handle));
}

static CURLMcode multi_cleanup(CURLM *multi)
{
    free(multi);
    return CURLM_OK;
}

static CURLMcode multi_setopt(CURLM *multi, CURLMoption option, ...)
{
    (void)multi;
    (void)option;
    return CURLM_OK;
}

static const char *multi_strerror(CURLMcode code)
{
    return code ? "something" : "nothing";
}

// False: whoever takes it does not want more. What is handed over is a copy of its
// size, so that a step too far is seen.
static bool hand_over(take_fn take, void *context, const void *data, size_t size)
{
    char *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    bool taken = take(copy, 1, size, context) == size;
    free(copy);
    return taken;
}

static bool give_headers(const struct handle *h, const char *headers)
{
    bool ok = hand_over(h->on_header, h->header_data, "HTTP/1.1 200 OK\r\n", 17);
    for (const char *line = headers; ok && *line;) {
        const char *end = strchr(line, '\n');
        size_t size = end ? (size_t)(end - line) + 1 : strlen(line);
        ok = hand_over(h->on_header, h->header_data, line, size);
        line += size;
    }
    return ok && hand_over(h->on_header, h->header_data, "\r\n", 2);
}

static void answer(struct handle *h)
{
    const struct fake_request request = { h->url, h->range };
    struct fake_answer a = { .status = 404, .piece = 1 };
    serve_one(serve_context, &request, &a);
    h->status = a.status;
    bool ok = give_headers(h, a.headers);
    for (size_t at = 0, n; ok && at < a.size; at += n) {
        n = a.size - at < a.piece ? a.size - at : a.piece;
        ok = hand_over(h->on_body, h->body_data, (const char *)a.body + at, n);
    }
    h->result = ok ? (CURLcode)a.result : CURLE_WRITE_ERROR;
    h->sent = true;
}

static CURLMcode multi_perform(CURLM *multi, int *running)
{
    struct handle *m = multi;
    for (size_t i = 0; i < MOST_HANDLES; i++)
        if (m->in[i] && !m->in[i]->sent)
            answer(m->in[i]);
    *running = 0;
    return CURLM_OK;
}

static CURLMsg *multi_info_read(CURLM *multi, int *left)
{
    struct handle *m = multi;
    *left = 0;
    for (size_t i = 0; i < MOST_HANDLES; i++) {
        struct handle *h = m->in[i];
        if (!h || !h->sent || h->done)
            continue;
        h->done = true;
        m->message = (CURLMsg){ .msg = CURLMSG_DONE, .easy_handle = h };
        m->message.data.result = h->result;
        return &m->message;
    }
    return NULL;
}

static CURLMcode multi_wait(CURLM *multi, struct curl_waitfd extra[], unsigned count,
                            int timeout_ms, int *ready)
{
    (void)multi;
    (void)extra;
    (void)count;
    (void)timeout_ms;
    if (ready)
        *ready = 0;
    return CURLM_OK;
}

// The linker's name for what stands in gv_curl_load's place.
bool fake_curl_load(struct gv_curl *curl,
                    struct gv_error *err) __asm__("__wrap_gv_curl_load");

bool fake_curl_load(struct gv_curl *curl, struct gv_error *err)
{
    (void)err;
    *curl = (struct gv_curl){
#define FAKE(name) .name = name,
        GV_CURL_FUNCTIONS(FAKE)
#undef FAKE
    };
    return true;
}
