#include "resources/http/http_client.h"

#include "resources/base/decimal.h"
#include "resources/base/file.h"
#include "resources/base/now.h"
#include "resources/http/curl_library.h"

#include <ctype.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define AT_ONCE 8    // requests
#define SLOWEST 1024 // bytes a second
#define MOST_REDIRECTS 5
#define MOST_WAIT_MS 15000 // whatever a server wants
#define FIRST_WAIT_MS 250  // doubles
#define LAST_WAIT_MS 8000
#define SMALL_GAP 512      // about what the headers of a request and its answer take
#define MOST_GAP 16384     // less than what a request of its own costs in time
#define GAPS_OF_WANTED 16  // what comes along is so small a part of what is wanted
#define OTHER_BODY 65536   // of an answer that is none of what was asked for
#define MOST_HEADS 65536   // of all answers to a try, what follows a body included
#define SLOWEST_WHOLE 2048 // bytes a second of a request, once its patience is over
#define BETWEEN_MS 2000    // of the waits between a few tries
#define TOLD_MS 3000       // so long nothing: this is said
#define TOKEN_BYTES 8192
#define NO_RANGES "200 for a range: the server knows none"

struct gv_http {
    struct gv_curl curl;
    struct gv_http_params params;
    CURLM *multi;               // owned
    CURL *idle[AT_ONCE];        // owned
    struct transfer *transfers; // owned; all that are not done, in no order
    struct transfer *finished;  // owned; done, first come first
    size_t flying;
    char token[TOKEN_BYTES + 1]; // or ""
    uint64_t requests;
    uint64_t random; // state: waits differ
    bool gave_up;    // the last outcome was a deadline that passed
    bool told;       // that nothing comes, since the last outcome
};

// One request on its way.
struct transfer {
    struct transfer *next;
    struct gv_http *http;
    struct gv_http_get *get;
    CURL *easy; // while it is
    uint64_t tries, not_before_ms, retry_after_ms;
    uint64_t deadline_ms;        // of all tries, without what has come; 0: not begun
    uint64_t heard_ms;           // when something came, or the try began
    uint64_t other;              // bytes of a body that is not wanted
    uint64_t heads;              // bytes of headers
    uint64_t length;             // Content-Length
    uint64_t first, last, total; // Content-Range
    char error[CURL_ERROR_SIZE], range[64];
    bool started, done, has_range, too_long;
    bool ranges_unknown; // all of the file came for a part of it
};

static uint64_t now_ms(void)
{
    return gv_now_ns() / 1000000u;
}

// ---- text ----

void gv_http_show_url(const char *url, char *text, size_t size)
{
    const char *host = strstr(url, "://");
    host = host ? host + 3 : url;
    size_t authority = strcspn(host, "/?#");
    const char *at = NULL;
    for (size_t i = 0; i < authority; i++)
        if (host[i] == '@')
            at = host + i;
    const char *rest = at ? at + 1 : host;
    snprintf(text, size, "%.*s%.*s", (int)(host - url), url, (int)strcspn(rest, "?#"),
             rest);
}

bool gv_http_joins(uint64_t gap, uint64_t gaps, uint64_t wanted)
{
    return gap <= SMALL_GAP ||
           (gap <= MOST_GAP && gap + gaps <= wanted / GAPS_OF_WANTED);
}

bool gv_http_read_range(const char *text, uint64_t *first, uint64_t *last,
                        uint64_t *total)
{
    if (strncasecmp(text, "bytes ", 6) != 0)
        return false;
    text += 6;
    if (!gv_take_decimal(&text, first) || *text++ != '-' ||
        !gv_take_decimal(&text, last) || *text++ != '/' ||
        !gv_take_decimal(&text, total))
        return false;
    while (isspace((unsigned char)*text))
        text++;
    return *text == '\0' && *first <= *last && *last < *total;
}

// ---- life ----

// The first line without blanks around it. What would end a header is no token, nor is
// half of a line.
static bool find_token(const uint8_t *text, size_t size, struct gv_span *token)
{
    const uint8_t *end = memchr(text, '\n', size);
    size_t first = 0, last = end ? (size_t)(end - text) : size;
    while (first < last && isspace(text[first]))
        first++;
    while (first < last && isspace(text[last - 1]))
        last--;
    *token = (struct gv_span){ text + first, last - first };
    for (size_t i = first; i < last; i++)
        if (text[i] < ' ' || text[i] >= 127)
            return false;
    return first < last;
}

static bool read_token(struct gv_http *http, struct gv_error *err)
{
    struct gv_file file;
    struct gv_error why = GV_ERROR_INIT;
    const char *path = http->params.token_file;
    if (!path)
        return true;
    if (!gv_file_load(&file, path, TOKEN_BYTES, &why))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no token of %.64s: %s", path,
                       why.message);
    struct gv_span token;
    bool ok = find_token(file.data, file.size, &token);
    if (ok)
        memcpy(http->token, token.data, token.size);
    else
        gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.100s holds no token%s", path,
                token.size ? ": a byte of its first line is no printable ASCII" : "");
    gv_file_close(&file);
    return ok;
}

struct gv_http *gv_http_create(const struct gv_http_params *params,
                               struct gv_error *err)
{
    struct gv_http *http = calloc(1, sizeof *http);
    if (!http) {
        gv_out_of_memory(err);
        return NULL;
    }
    http->params = *params;
    http->random = now_ms() | 1;
    bool ok = read_token(http, err) && gv_curl_load(&http->curl, err);
    if (ok) {
        http->multi = http->curl.multi_init();
        ok = http->multi || gv_out_of_memory(err);
    }
    for (size_t i = 0; ok && i < AT_ONCE; i++) {
        http->idle[i] = http->curl.easy_init();
        ok = http->idle[i] || gv_out_of_memory(err);
    }
    if (ok)
        return http;
    gv_http_destroy(http);
    return NULL;
}

static void drop_all(struct gv_http *http, struct transfer *list)
{
    while (list) {
        struct transfer *next = list->next;
        if (list->started) {
            http->curl.multi_remove_handle(http->multi, list->easy);
            http->curl.easy_cleanup(list->easy);
        }
        free(list);
        list = next;
    }
}

void gv_http_destroy(struct gv_http *http)
{
    if (!http)
        return;
    drop_all(http, http->transfers);
    drop_all(http, http->finished);
    for (size_t i = 0; i < AT_ONCE; i++)
        if (http->idle[i])
            http->curl.easy_cleanup(http->idle[i]);
    if (http->multi)
        http->curl.multi_cleanup(http->multi);
    free(http);
}

uint64_t gv_http_requests(const struct gv_http *http)
{
    return http->requests;
}

// ---- what comes ----

static long status_of(const struct transfer *t)
{
    long status = 0;
    t->http->curl.easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

// What may come at most of the answer that is wanted.
static uint64_t most_of(const struct gv_http_get *get)
{
    return get->part == GV_HTTP_WHOLE ? get->most : get->size;
}

static bool is_wanted(const struct transfer *t, long status)
{
    return status == 206 || (status == 200 && t->get->part != GV_HTTP_RANGE);
}

// What is longer than it may be. False, which ends the try.
static bool refuse_length(struct transfer *t, long status)
{
    if (is_wanted(t, status)) {
        t->too_long = true;
        t->ranges_unknown = status == 200 && t->get->part == GV_HTTP_TAIL;
    } else
        t->other = OTHER_BODY + 1;
    return false;
}

// Whether the body that is announced may come: nobody waits for its end to know that it
// is too long.
static bool check_length(struct transfer *t)
{
    const long status = status_of(t);
    const uint64_t most = is_wanted(t, status) ? most_of(t->get) : OTHER_BODY;
    return t->length <= most || refuse_length(t, status);
}

static size_t on_header(char *data, size_t one, size_t size, void *context)
{
    struct transfer *t = context;
    char line[256];
    snprintf(line, sizeof line, "%.*s", (int)(size < 255 ? size : 255), data);
    line[strcspn(line, "\r\n")] = '\0';
    t->heard_ms = now_ms();
    t->heads += size;
    if (t->heads > MOST_HEADS || (!line[0] && !check_length(t)))
        return 0;
    if (strncmp(line, "HTTP/", 5) == 0) { // also of a redirect's end
        t->has_range = false;
        t->retry_after_ms = t->length = 0;
    }
    const char *value = strchr(line, ':');
    value = value ? value + 1 + strspn(value + 1, " \t") : "";
    if (strncasecmp(line, "Content-Range:", 14) == 0)
        t->has_range = gv_http_read_range(value, &t->first, &t->last, &t->total);
    if (strncasecmp(line, "Content-Length:", 15) == 0 && isdigit((unsigned char)*value))
        t->length = strtoull(value, NULL, 10); // ULLONG_MAX if it is even more
    if (strncasecmp(line, "Retry-After:", 12) == 0 && isdigit((unsigned char)*value)) {
        uint64_t seconds = strtoull(value, NULL, 10);
        t->retry_after_ms =
            seconds < MOST_WAIT_MS / 1000 ? seconds * 1000 : MOST_WAIT_MS;
    }
    return one * size;
}

static size_t on_body(char *data, size_t one, size_t size, void *context)
{
    struct transfer *t = context;
    struct gv_http_get *get = t->get;
    long status = status_of(t);
    t->heard_ms = now_ms();
    if (!is_wanted(t, status)) {
        t->other += size;
        return t->other > OTHER_BODY ? 0 : one * size;
    }
    if (size > most_of(get) - get->body.size)
        return refuse_length(t, status);
    gv_bytes_put(&get->body, data, size);
    return get->body.failed ? 0 : one * size;
}

// ---- what goes ----

static void set_range(struct transfer *t)
{
    const struct gv_http_get *get = t->get;
    const char *range = t->range;
    switch (get->part) {
    case GV_HTTP_WHOLE:
        range = NULL;
        break;
    case GV_HTTP_RANGE:
        snprintf(t->range, sizeof t->range, "%" PRIu64 "-%" PRIu64, get->from,
                 get->from + get->size - 1);
        break;
    case GV_HTTP_TAIL:
        snprintf(t->range, sizeof t->range, "-%" PRIu64, get->size);
        break;
    }
    t->http->curl.easy_setopt(t->easy, CURLOPT_RANGE, range);
}

// How long all tries of a request may take in which nothing comes.
static uint64_t patience_ms(const struct gv_http *http)
{
    const uint64_t stalls =
        http->gave_up || http->params.tries < 2 ? 1 : http->params.tries - 1;
    return http->params.stall_s * 1000 * stalls + BETWEEN_MS;
}

static bool is_late(const struct transfer *t, uint64_t now)
{
    return now > t->deadline_ms + t->get->body.size * 1000 / SLOWEST_WHOLE;
}

// A redirect stays with what is encrypted; a token goes to the first host alone.
static void set_options(struct transfer *t)
{
    const struct gv_curl *c = &t->http->curl;
    const struct gv_http_params *p = &t->http->params;
    bool secure = strncmp(t->get->url, "https:", 6) == 0;
    c->easy_setopt(t->easy, CURLOPT_URL, t->get->url);
    c->easy_setopt(t->easy, CURLOPT_PRIVATE, t);
    c->easy_setopt(t->easy, CURLOPT_ERRORBUFFER, t->error);
    c->easy_setopt(t->easy, CURLOPT_NOSIGNAL, 1L);
    c->easy_setopt(t->easy, CURLOPT_USERAGENT, "gpuvm");
    c->easy_setopt(t->easy, CURLOPT_FOLLOWLOCATION, 1L);
    c->easy_setopt(t->easy, CURLOPT_MAXREDIRS, (long)MOST_REDIRECTS);
    c->easy_setopt(t->easy, CURLOPT_PROTOCOLS,
                   (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    c->easy_setopt(t->easy, CURLOPT_REDIR_PROTOCOLS,
                   secure ? (long)CURLPROTO_HTTPS
                          : (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    c->easy_setopt(t->easy, CURLOPT_SSL_VERIFYPEER, 1L);
    c->easy_setopt(t->easy, CURLOPT_SSL_VERIFYHOST, 2L);
    c->easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT, (long)p->stall_s);
    c->easy_setopt(t->easy, CURLOPT_LOW_SPEED_LIMIT, (long)SLOWEST);
    c->easy_setopt(t->easy, CURLOPT_LOW_SPEED_TIME, (long)p->stall_s);
    c->easy_setopt(t->easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    c->easy_setopt(t->easy, CURLOPT_PIPEWAIT, 1L);
    c->easy_setopt(t->easy, CURLOPT_HEADERFUNCTION, on_header);
    c->easy_setopt(t->easy, CURLOPT_HEADERDATA, t);
    c->easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, on_body);
    c->easy_setopt(t->easy, CURLOPT_WRITEDATA, t);
    if (t->http->token[0]) {
        c->easy_setopt(t->easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
        c->easy_setopt(t->easy, CURLOPT_XOAUTH2_BEARER, t->http->token);
    }
    set_range(t);
}

static bool start(struct transfer *t, struct gv_error *err)
{
    struct gv_http *http = t->http;
    size_t slot = 0;
    while (!http->idle[slot])
        slot++;
    t->easy = http->idle[slot];
    t->error[0] = '\0';
    t->heard_ms = now_ms();
    if (!t->deadline_ms)
        t->deadline_ms = t->heard_ms + patience_ms(http);
    t->other = t->heads = t->length = 0;
    t->has_range = t->too_long = t->ranges_unknown = false;
    t->get->body.size = 0;
    set_options(t);
    CURLMcode failed = http->curl.multi_add_handle(http->multi, t->easy);
    if (failed)
        return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "libcurl: %s",
                       http->curl.multi_strerror(failed));
    http->idle[slot] = NULL;
    t->started = true;
    t->tries++;
    http->requests++;
    return true;
}

static void stop(struct transfer *t)
{
    struct gv_http *http = t->http;
    size_t slot = 0;
    if (!t->started)
        return;
    http->curl.multi_remove_handle(http->multi, t->easy);
    while (http->idle[slot])
        slot++;
    http->idle[slot] = t->easy;
    t->easy = NULL;
    t->started = false;
}

// ---- outcomes ----

static bool fail_get(struct transfer *t, const char *why)
{
    char url[112];
    gv_http_show_url(t->get->url, url, sizeof url);
    return gv_fail(&t->get->error, GV_ERR_FETCH, GV_NO_OFFSET, "%s: %s", url, why);
}

// Whether the bytes that came are those that were asked for.
static bool is_whole(struct transfer *t, long status)
{
    struct gv_http_get *get = t->get;
    if (get->part == GV_HTTP_WHOLE)
        return status == 200 || fail_get(t, "206 where no range was asked for");
    if (status == 200 && get->part == GV_HTTP_RANGE)
        return fail_get(t, NO_RANGES);
    get->total = status == 200 ? get->body.size : t->total;
    if (status == 200)
        return true;
    uint64_t from = get->part == GV_HTTP_RANGE ? get->from
                    : t->total > get->size     ? t->total - get->size
                                               : 0;
    uint64_t size = get->part == GV_HTTP_RANGE ? get->size : t->total - from;
    if (!t->has_range || t->first != from || t->last - t->first + 1 != size ||
        get->body.size != size)
        return fail_get(t, "206 with another range than was asked for");
    return true;
}

static bool helps_again(CURLcode code, long status)
{
    if (code == CURLE_OK)
        return status == 408 || status == 429 || status == 500 || status == 502 ||
               status == 503 || status == 504;
    return code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST ||
           code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_OPERATION_TIMEDOUT ||
           code == CURLE_PARTIAL_FILE || code == CURLE_GOT_NOTHING ||
           code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR ||
           code == CURLE_HTTP2 || code == CURLE_HTTP2_STREAM ||
           code == CURLE_SSL_CONNECT_ERROR || code == CURLE_WEIRD_SERVER_REPLY;
}

// How long the next try waits: as the server says, or longer each time, and never as
// long as others do.
static uint64_t wait_ms(struct transfer *t)
{
    uint64_t wait = (uint64_t)FIRST_WAIT_MS << (t->tries < 6 ? t->tries - 1 : 5);
    uint64_t *r = &t->http->random;
    *r = *r * 6364136223846793005u + 1442695040888963407u;
    wait = wait < LAST_WAIT_MS ? wait : LAST_WAIT_MS;
    wait += (*r >> 33) % (wait / 2);
    return t->retry_after_ms > wait ? t->retry_after_ms : wait;
}

// Whether the request, which did not come through, is to be tried again, and when.
static bool tries_again(struct transfer *t, CURLcode code, long status)
{
    const uint64_t now = now_ms(), wait = wait_ms(t);
    if (!helps_again(code, status) || t->tries >= t->http->params.tries ||
        is_late(t, now + wait))
        return false;
    t->not_before_ms = now + wait;
    return true;
}

static void describe(const struct transfer *t, CURLcode code, long status, char *text,
                     size_t size)
{
    if (t->ranges_unknown)
        snprintf(text, size, NO_RANGES);
    else if (t->too_long)
        snprintf(text, size, "more bytes than asked for");
    else if (t->heads > MOST_HEADS)
        snprintf(text, size, "headers of over %d bytes", MOST_HEADS);
    else if (t->get->body.failed)
        snprintf(text, size, "out of memory");
    else if (code == CURLE_OK)
        snprintf(text, size, "status %ld", status);
    else
        snprintf(text, size, "%s",
                 t->error[0] ? t->error : t->http->curl.easy_strerror(code));
}

static void finish(struct transfer *t, CURLcode code)
{
    const struct gv_http_params *p = &t->http->params;
    char why[CURL_ERROR_SIZE], url[256];
    long status = status_of(t);
    if (code == CURLE_WRITE_ERROR && t->other > OTHER_BODY)
        code = CURLE_OK; // enough of what was not wanted
    describe(t, code, status, why, sizeof why);
    stop(t);
    if (code == CURLE_OK && (status == 404 || status == 410))
        t->get->missing = t->done = true;
    else if (code == CURLE_OK && (status == 200 || status == 206))
        t->done = is_whole(t, status) || t->get->error.status != GV_OK;
    else if (tries_again(t, code, status)) {
        gv_http_show_url(t->get->url, url, sizeof url);
        gv_log(p->log, GV_LOG_DEBUG, "%s: %s; again in %" PRIu64 " ms", url, why,
               t->not_before_ms - now_ms());
    } else {
        if (t->tries > 1)
            snprintf(why + strlen(why), sizeof why - strlen(why),
                     " (%" PRIu64 " tries)", t->tries);
        fail_get(t, why);
        t->done = true;
    }
}

// ---- all of them ----

static void unlink_from(struct transfer **list, const struct transfer *t)
{
    while (*list != t)
        list = &(*list)->next;
    *list = t->next;
}

static void append(struct transfer **list, struct transfer *t)
{
    while (*list)
        list = &(*list)->next;
    t->next = NULL;
    *list = t;
}

static void settle(struct transfer *t)
{
    struct gv_http *http = t->http;
    http->gave_up = t->get->error.status != GV_OK && t->deadline_ms &&
                    is_late(t, now_ms() + http->params.stall_s * 1000);
    http->told = false;
    unlink_from(&http->transfers, t);
    append(&t->http->finished, t);
}

// The one to start next; `*wait` becomes how long others have to wait, if that is less.
static struct transfer *next_to_start(const struct gv_http *http, int *wait)
{
    uint64_t now = now_ms();
    struct transfer *next = NULL;
    for (struct transfer *t = http->transfers; t; t = t->next) {
        if (t->started)
            continue;
        if (t->not_before_ms > now) {
            if (*wait < 0 || t->not_before_ms - now < (uint64_t)*wait)
                *wait = (int)(t->not_before_ms - now);
        } else if (!next || t->get->rank < next->get->rank)
            next = t;
    }
    return next;
}

static void start_more(struct gv_http *http, int *wait)
{
    struct transfer *t;
    while (http->flying < AT_ONCE && (t = next_to_start(http, wait))) {
        if (start(t, &t->get->error)) {
            http->flying++;
        } else {
            t->done = true;
            settle(t);
        }
    }
}

// Whether there was one, of those that are to be tried again as well.
static bool take_finished(struct gv_http *http)
{
    int left;
    bool any = false;
    for (const CURLMsg *m; (m = http->curl.multi_info_read(http->multi, &left));) {
        struct transfer *t = NULL;
        if (m->msg != CURLMSG_DONE ||
            http->curl.easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&t) ||
            !t)
            continue;
        finish(t, m->data.result);
        any = true;
        http->flying--;
        if (t->done)
            settle(t);
    }
    return any;
}

// Says once that nothing comes, and until when that is waited for.
static void tell_waiting(struct gv_http *http, const struct transfer *t, uint64_t now)
{
    char url[256];
    if (http->told || now < t->heard_ms + TOLD_MS || now > t->deadline_ms)
        return;
    http->told = true;
    gv_http_show_url(t->get->url, url, sizeof url);
    gv_log(http->params.log, GV_LOG_WARNING,
           "%s: nothing has come for %d s; given up in %" PRIu64 " s", url,
           TOLD_MS / 1000, (t->deadline_ms - now) / 1000);
}

// Ends what is late. Whether there was one.
static bool end_late(struct gv_http *http)
{
    const uint64_t now = now_ms();
    bool any = false;
    for (struct transfer *next, *t = http->transfers; t; t = next) {
        next = t->next;
        if (!t->started)
            continue;
        tell_waiting(http, t, now);
        if (!is_late(t, now))
            continue;
        snprintf(t->error, sizeof t->error, "too little came in time");
        finish(t, CURLE_OPERATION_TIMEDOUT);
        any = true;
        http->flying--;
        settle(t);
    }
    return any;
}

// All that are left get the error.
static void give_up(struct gv_http *http, const char *why)
{
    while (http->transfers) {
        struct transfer *t = http->transfers;
        http->flying -= t->started;
        stop(t);
        gv_fail(&t->get->error, GV_ERR_FETCH, GV_NO_OFFSET, "%s", why);
        t->done = true;
        settle(t);
    }
}

static bool is_ready(int fd, short events)
{
    struct pollfd poller = { .fd = fd, .events = events };
    return fd >= 0 && poll(&poller, 1, 0) > 0 && poller.revents;
}

static struct gv_http_get *take_first(struct gv_http *http)
{
    struct transfer *t = http->finished;
    if (!t)
        return NULL;
    struct gv_http_get *get = t->get;
    http->finished = t->next;
    free(t);
    return get;
}

bool gv_http_submit(struct gv_http *http, struct gv_http_get *get, struct gv_error *err)
{
    struct transfer *t = calloc(1, sizeof *t);
    if (!t)
        return gv_out_of_memory(err);
    t->http = http;
    t->get = get;
    get->missing = false;
    gv_error_clear(&get->error);
    t->next = http->transfers;
    http->transfers = t;
    return true;
}

void gv_http_cancel(struct gv_http *http, struct gv_http_get *get)
{
    struct transfer *t = http->transfers;
    struct transfer **list = &http->transfers;
    while (t && t->get != get)
        t = t->next;
    if (!t)
        for (t = http->finished, list = &http->finished; t && t->get != get;)
            t = t->next;
    if (!t)
        return;
    unlink_from(list, t);
    http->flying -= t->started;
    stop(t);
    free(t);
}

// Waits on the connections, `wake` and whoever hangs up.
static CURLMcode wait_for_more(struct gv_http *http, int wake, int wait_ms)
{
    const int hangup = http->params.hangup;
    struct curl_waitfd extra[2] = { { .fd = hangup }, { .fd = wake } };
    struct pollfd pollers[2] = { { .fd = hangup }, { .fd = wake, .events = POLLIN } };
    extra[1].events = CURL_WAIT_POLLIN;
    if (!http->flying) {
        poll(pollers, 2, wait_ms);
        return CURLM_OK;
    }
    size_t first = hangup < 0, count = (hangup >= 0) + (size_t)(wake >= 0);
    return http->curl.multi_wait(http->multi, extra + first, (unsigned)count,
                                 wait_ms < 0 ? 1000 : wait_ms, NULL);
}

struct gv_http_get *gv_http_poll(struct gv_http *http, int wake, int wait_ms)
{
    uint64_t until = now_ms() + (uint64_t)(wait_ms < 0 ? 0 : wait_ms);
    for (;;) {
        int running, wait = -1;
        struct gv_http_get *get = take_first(http);
        if (get)
            return get;
        if (is_ready(http->params.hangup, 0))
            give_up(http, "nobody waits any more");
        start_more(http, &wait);
        CURLMcode failed = http->curl.multi_perform(http->multi, &running);
        if (take_finished(http) || end_late(http) || http->finished)
            continue;
        uint64_t now = now_ms();
        if (is_ready(wake, POLLIN) || (wait_ms >= 0 && now >= until) ||
            (!http->transfers && wake < 0 && wait_ms < 0))
            return NULL;
        if (wait_ms >= 0 && (wait < 0 || until - now < (uint64_t)wait))
            wait = (int)(until - now);
        if (!failed)
            failed = wait_for_more(http, wake, wait);
        if (failed)
            give_up(http, http->curl.multi_strerror(failed));
    }
}

bool gv_http_run(struct gv_http *http, struct gv_http_get *gets, size_t count,
                 struct gv_error *err)
{
    size_t under_way = 0;
    bool ok = true;
    for (; ok && under_way < count; under_way += ok) {
        gets[under_way].rank = under_way;
        ok = gv_http_submit(http, &gets[under_way], err);
    }
    for (size_t i = 0; i < under_way; i++)
        if (ok)
            gv_http_poll(http, -1, -1);
        else
            gv_http_cancel(http, &gets[i]);
    for (size_t i = 0; ok && i < count; i++)
        if (gets[i].error.status != GV_OK)
            ok = gv_fail(err, gets[i].error.status, gets[i].error.offset, "%s",
                         gets[i].error.message);
    return ok;
}

bool gv_http_run_end(struct gv_http *http, const char *url, struct gv_http_get *end,
                     struct gv_error *err)
{
    *end = (struct gv_http_get){ .url = url,
                                 .part = GV_HTTP_TAIL,
                                 .size = GV_HTTP_END_BYTES };
    bool ok = gv_http_run(http, end, 1, err);
    if (!ok || end->missing || end->total > GV_HTTP_SMALL_BYTES ||
        end->total == end->body.size)
        return ok;
    struct gv_http_get begin = { .url = url,
                                 .part = GV_HTTP_RANGE,
                                 .size = end->total - end->body.size };
    ok = gv_http_run(http, &begin, 1, err);
    if (ok && !begin.missing) {
        struct gv_bytes tail = end->body;
        gv_bytes_put(&begin.body, tail.data, tail.size);
        end->body = begin.body;
        begin.body = tail;
        ok = !end->body.failed || gv_out_of_memory(err);
    }
    gv_bytes_finish(&begin.body);
    return ok;
}
