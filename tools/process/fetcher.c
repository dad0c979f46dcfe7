#define _GNU_SOURCE // close_range
#include "tools/process/fetcher.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/base/write_all.h"
#include "resources/http/source_http.h"
#include "resources/object.h"
#include "tools/base/child_line.h"
#include "tools/sandbox/sandbox.h"

#define STALL_S 10
#define TRIES 4
#define MOST_AT_ONCE 4096 // objects

// What is asked: a count, then as many of these; nothing else is ever said.
struct question {
    struct gv_hash hash;
    uint64_t raw_size;
};

// What is answered: one for opening, and one for each question in its order, the bytes
// behind it where the object was found. An error is the last answer to its questions.
struct answer {
    struct gv_error error;
    uint8_t found;
};

struct fetcher_source {
    struct gv_source base; // first: the functions cast back
    char *name;            // owned
    int line;
    pid_t process;
    bool broken; // a question was not answered whole
};

static bool read_all(int fd, void *to, size_t size)
{
    uint8_t *bytes = to;
    while (size) {
        ssize_t n = read(fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

// ---- the process that fetches ----

static bool answer_with(int line, const struct gv_error *error, bool found)
{
    struct answer answer;
    memset(&answer, 0, sizeof answer); // padding, too
    answer.error = *error;
    answer.found = found;
    return gv_write_all(line, &answer, sizeof answer);
}

static bool answer_items(int line, const struct gv_fetch *items, size_t count)
{
    const struct gv_error none = GV_ERROR_INIT;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = answer_with(line, &none, items[i].found) &&
             (!items[i].found ||
              gv_write_all(line, items[i].data, (size_t)items[i].raw_size));
    return ok;
}

static bool read_items(int line, struct gv_fetch *items, size_t count,
                       struct gv_error *err)
{
    struct question question;
    for (size_t i = 0; i < count; i++) {
        if (!read_all(line, &question, sizeof question))
            return false;
        bool fits = question.raw_size <= GV_STORE_MAX_OBJECT;
        items[i] =
            (struct gv_fetch){ .hash = question.hash, .raw_size = question.raw_size };
        items[i].data = fits ? malloc((size_t)question.raw_size + 1) : NULL;
        if (!items[i].data)
            gv_out_of_memory(err); // told once all have been read
    }
    return true;
}

// Answers one message. False: the line is at its end.
static bool serve(int line, struct gv_source *source)
{
    struct gv_error err = GV_ERROR_INIT;
    uint32_t count;
    if (!read_all(line, &count, sizeof count) || !count || count > MOST_AT_ONCE)
        return false;
    struct gv_fetch *items = calloc(count, sizeof *items);
    if (!items)
        return false;
    bool ok = read_items(line, items, count, &err);
    if (ok && err.status == GV_OK && source->fetch(source, items, count, &err))
        ok = answer_items(line, items, count);
    else if (ok)
        ok = answer_with(line, &err, false);
    for (size_t i = 0; i < count; i++)
        free(items[i].data);
    free(items);
    return ok;
}

static _Noreturn void be_fetcher(const char *url, bool pack,
                                 const struct gv_fetch_params *params, int line,
                                 const struct gv_log *log)
{
    struct gv_error err = GV_ERROR_INIT;
    gv_sandbox_prepare();
    // Nothing of the other process, nor of other stores, is a stranger's business.
    if (line > 3)
        close_range(3, (unsigned)line - 1, 0);
    close_range((unsigned)line + 1, ~0u, 0);
    gv_sandbox_files(NULL, 0, false, log);
    const struct gv_http_params http_params = {
        .token_file = params->token_file,
        .stall_s = params->stall_s ? params->stall_s : STALL_S,
        .tries = params->tries ? params->tries : TRIES,
        .hangup = line,
        .log = log,
    };
    struct gv_http *http = gv_http_create(&http_params, &err);
    struct gv_source *source = http ? gv_source_http(http, url, pack, &err) : NULL;
    bool ok = answer_with(line, &err, source != NULL) && source;
    while (ok && serve(line, source)) {
    }
    _exit(0); // exit handlers are the other process's
}

// ---- the process that asks ----

static bool fail_gone(struct fetcher_source *s, struct gv_error *err)
{
    s->broken = true;
    return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "%.120s: the fetching process died",
                   s->name);
}

static bool take_answer(struct fetcher_source *s, bool *found, struct gv_error *err)
{
    struct answer answer;
    if (!read_all(s->line, &answer, sizeof answer))
        return fail_gone(s, err);
    *found = answer.found == 1;
    if (answer.error.status == GV_OK)
        return true;
    answer.error.message[sizeof answer.error.message - 1] = '\0';
    return gv_fail(err, answer.error.status, GV_NO_OFFSET, "%s", answer.error.message);
}

static bool ask(struct fetcher_source *s, struct gv_fetch *const *items, uint32_t count,
                struct gv_error *err)
{
    struct gv_bytes message = { 0 };
    gv_bytes_put(&message, &count, sizeof count);
    for (uint32_t i = 0; i < count; i++) {
        struct question question = { items[i]->hash, items[i]->raw_size };
        gv_bytes_put(&message, &question, sizeof question);
    }
    bool ok = !message.failed || gv_out_of_memory(err);
    ok = ok && (gv_write_all(s->line, message.data, message.size) || fail_gone(s, err));
    gv_bytes_finish(&message);
    for (uint32_t i = 0; ok && i < count; i++) {
        bool found = false;
        ok = take_answer(s, &found, err) &&
             (!found || read_all(s->line, items[i]->data, (size_t)items[i]->raw_size) ||
              fail_gone(s, err));
        items[i]->found = ok && found;
    }
    return ok;
}

static bool fetch(struct gv_source *source, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    struct fetcher_source *s = (struct fetcher_source *)source;
    struct gv_fetch *open[MOST_AT_ONCE];
    uint32_t left = 0;
    if (s->broken)
        return fail_gone(s, err);
    for (size_t i = 0; i < count; i++) {
        if (!items[i].found)
            open[left++] = &items[i];
        if (left == MOST_AT_ONCE || (left && i + 1 == count)) {
            if (!ask(s, open, left, err))
                return false;
            left = 0;
        }
    }
    return true;
}

// Who is confined may not wait; then the process is gone with its parent.
static void destroy(struct gv_source *source)
{
    struct fetcher_source *s = (struct fetcher_source *)source;
    if (s->line >= 0) {
        shutdown(s->line, SHUT_RDWR); // others may have the line, too
        close(s->line);
    }
    if (s->process > 0)
        while (waitpid(s->process, NULL, 0) < 0 && errno == EINTR) {
        }
    free(s->name);
    free(s);
}

static struct fetcher_source *make(const char *url, struct gv_error *err)
{
    struct fetcher_source *s = calloc(1, sizeof *s);
    size_t size = strlen(url) + 1;
    if (s) {
        s->line = -1;
        s->name = malloc(size);
        s->base = (struct gv_source){ s->name, fetch, NULL, destroy };
    }
    if (s && s->name) {
        gv_http_show_url(url, s->name, size);
        return s;
    }
    free(s);
    gv_out_of_memory(err);
    return NULL;
}

struct gv_source *gv_fetcher_open(const char *url, bool pack,
                                  const struct gv_fetch_params *params,
                                  const struct gv_log *log, struct gv_error *err)
{
    struct fetcher_source *s = make(url, err);
    int ends[2];
    bool found = false, ok = s != NULL;
    if (ok && !gv_child_line_open(ends))
        ok = gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "socketpair: %s",
                     strerror(errno));
    if (ok) {
        pid_t parent = getpid();
        s->process = fork();
        if (s->process == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL); // do not outlive who asks
            if (getppid() != parent)
                _exit(1);
            close(ends[0]);
            be_fetcher(url, pack, params, ends[1], log);
        }
        close(ends[1]);
        s->line = ends[0];
        ok = s->process > 0 ||
             gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "fork: %s", strerror(errno));
    }
    if (ok && take_answer(s, &found, err) && found)
        return &s->base;
    if (s)
        destroy(&s->base);
    return NULL;
}
