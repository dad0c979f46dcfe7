// gpuvm-player --serve: replays for a program that has libgpuvm and the other end of
// standard input. It is the library in a process of its own, without the rights of who
// started it.
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/base/child_line.h"
#include "tools/base/inherited.h"
#include "tools/base/report.h"
#include "tools/child/child_answer.h"
#include "tools/library/library.h"
#include "tools/library/spawn_line.h"
#include "tools/process/driver_cache.h"
#include "tools/process/heap.h"
#include "tools/process/memory_bound.h"
#include "tools/program.h"
#include "tools/sandbox/sandbox.h"
#include "tools/version.h"
#include "vm/machine/progress.h"

#define LINE STDIN_FILENO

struct child {
    struct gv_shared_memory flag; // holds a struct gpuvm_cancel
    int payload_file;             // -1: none
    bool whole_file;   // its bytes are the payload, from the first to the last
    char position[64]; // the path of the progress file
    struct gv_progress *progress;
    gpuvm_payload *payload;
    gpuvm_source *source; // the program's; or NULL
    gpuvm_replay *replay;
    struct gv_child_results results;
    struct gv_spawn_message m;  // what was heard, or is the answer
    struct gv_spawn_message in; // that comes while a replay runs
};

// ---- while it runs ----

static void say_log(void *context, int level, const char *text)
{
    struct child *s = context;
    s->in.word = GV_SPAWN_LOG;
    s->in.level = (uint32_t)level;
    gv_spawn_put_text(&s->in, text);
    gv_spawn_line_send(LINE, &s->in, -1);
}

static void write_log(void *context, enum gv_log_level level, const char *text)
{
    say_log(context, (int)level, text);
}

// Says what is in `s->in` and waits for the answer to that.
static bool ask(struct child *s, enum gv_spawn_word answer)
{
    return gv_spawn_line_send(LINE, &s->in, -1) &&
           gv_spawn_line_take(LINE, &s->in, NULL, -1) == GV_SPAWN_HEARD &&
           s->in.word == answer;
}

static int say_frame(void *context, uint64_t frame, uint64_t count)
{
    struct child *s = context;
    s->in.word = GV_SPAWN_FRAME;
    s->in.number = frame;
    s->in.count = count;
    s->in.size = 0;
    return !ask(s, GV_SPAWN_GO_ON) || s->in.number;
}

// Has an object come, piece by piece.
static int fetch(void *context, const char *name, void *data, uint64_t size)
{
    struct child *s = context;
    uint64_t done = 0;
    do {
        s->in.word = GV_SPAWN_WANT;
        s->in.number = done;
        s->in.count = size;
        gv_spawn_put_text(&s->in, name);
        if (!ask(s, GV_SPAWN_PIECE) || s->in.size > size - done)
            return -1;
        if (s->in.number != 1)
            return s->in.number == 0 ? 0 : -1;
        if (done < size && s->in.size == 0)
            return -1;
        memcpy((uint8_t *)data + done, s->in.data, s->in.size);
        done += s->in.size;
    } while (done < size);
    return 1;
}

// ---- the way in ----

// Ends the process with its program, whatever a driver is at.
static void *watch(void *unused)
{
    struct pollfd line = { .fd = LINE };
    while (poll(&line, 1, -1) < 0 || !(line.revents & (POLLHUP | POLLERR | POLLNVAL))) {
    }
    (void)unused;
    _exit(GV_EXIT_LOST);
}

static bool is_line(void)
{
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(LINE, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
           type == SOCK_SEQPACKET;
}

static bool say_hello(struct child *s)
{
    s->m = (struct gv_spawn_message){
        .word = GV_SPAWN_HELLO,
        .number = GV_SPAWN_PROTOCOL,
    };
    gv_spawn_put_text(&s->m, GV_VERSION);
    return gv_spawn_line_send(LINE, &s->m, -1);
}

// Takes the descriptors, up to the settings, which are left in `s->m`.
static bool take_inputs(struct child *s)
{
    for (;;) {
        int passed = -1;
        if (gv_spawn_line_take(LINE, &s->m, &passed, -1) != GV_SPAWN_HEARD)
            return false;
        if (s->m.word == GV_SPAWN_FLAG &&
            !gv_shared_memory_map(&s->flag, passed, sizeof(struct gpuvm_cancel), true))
            return false;
        if (s->m.word == GV_SPAWN_POSITION)
            snprintf(s->position, sizeof s->position, "/proc/self/fd/%d", passed);
        if (s->m.word == GV_SPAWN_PAYLOAD) {
            s->payload_file = passed;
            s->whole_file = s->m.number;
        }
        if (s->m.word == GV_SPAWN_OPEN)
            return s->flag.bytes != NULL;
    }
}

// Before a byte of the payload is looked at.
static void confine_files(const char *cache, const struct gv_log *log)
{
    const char *paths[1 + GV_DRIVER_CACHE_PATHS] = { cache };
    gv_driver_cache_prepare(cache, log);
    gv_driver_cache_paths(paths + 1);
    gv_sandbox_files(paths, sizeof paths / sizeof *paths, true, log);
}

static bool open_replay(struct child *s, const struct gv_spawn_settings *wanted,
                        const struct gv_log *log, struct gpuvm_error *error)
{
    gpuvm_cancel *cancel = (gpuvm_cancel *)(void *)s->flag.bytes;
    struct gpuvm_settings settings = {
        .size = sizeof settings,
        .flags = wanted->flags,
        .timeout_ms = wanted->timeout_ms,
        .memory = wanted->memory,
        .device = wanted->device[0] ? wanted->device : NULL,
        .cache_folder = wanted->cache_folder[0] ? wanted->cache_folder : NULL,
        .cancel = cancel,
        .progress = wanted->progress ? say_frame : NULL,
        .log = wanted->log ? say_log : NULL,
        .context = s,
    };
    s->progress = gv_progress_create(s->position, NULL);
    confine_files(settings.cache_folder, log);
    char path[64]; // as a file it is mapped
    snprintf(path, sizeof path, "/proc/self/fd/%d", s->payload_file);
    s->payload = s->whole_file
                     ? gpuvm_open_file(path, wanted->memory, cancel, error)
                     : gpuvm_open_fd(s->payload_file, wanted->memory, cancel, error);
    if (wanted->sources && s->payload)
        s->source = gpuvm_source_callback(fetch, s, error);
    settings.sources = &s->source;
    settings.source_count = s->source != NULL;
    if (s->payload && (s->source || !wanted->sources))
        s->replay = gv_library_replay(s->payload, &settings, s->progress, error);
    return s->replay;
}

// Answers whether there is a replay. From then on nothing more can be done but that.
static bool begin(struct child *s)
{
    const struct gv_spawn_settings wanted = s->m.settings;
    const struct gv_log to_program = { write_log, s };
    const struct gv_log *log = wanted.log ? &to_program : NULL;
    const bool ok = open_replay(s, &wanted, log, &s->m.error);
    if (ok) {
        gv_bound_memory_further(wanted.memory);
        if (!gv_filter_enter(GV_FILTER_DRIVER, LINE, NULL))
            gv_log(log, GV_LOG_DEBUG, "sandbox: the kernel has no seccomp filters");
        gv_child_put_facts(&s->results, &s->m, s->payload);
        gv_spawn_put_text(&s->m, gpuvm_device_name(s->replay));
    }
    return gv_child_answer(&s->results, &s->m, s->replay, LINE) && ok;
}

// ---- its work ----

static void work(struct child *s)
{
    struct gv_spawn_message *m = &s->m;
    switch (m->word) {
    case GV_SPAWN_TO_FRAME:
        gpuvm_run_to_frame(s->replay, m->number, &m->error);
        break;
    case GV_SPAWN_TO_COMMAND:
        gpuvm_run_to_command(s->replay, m->number, &m->error);
        break;
    case GV_SPAWN_TO_END:
        gpuvm_run_to_end(s->replay, &m->error);
        break;
    case GV_SPAWN_PICTURE:
        gv_child_put_picture(&s->results, m, s->replay);
        break;
    case GV_SPAWN_EXPORT:
        gv_child_put_export(&s->results, m, s->replay);
        break;
    }
}

// With its program goes all of it; a device that was lost would be waited for.
static void finish(struct child *s)
{
    gpuvm_replay_close(s->replay);
    gpuvm_source_destroy(s->source);
    gpuvm_payload_close(s->payload);
    gv_progress_destroy(s->progress);
    gv_child_results_finish(&s->results);
    gv_shared_memory_finish(&s->flag);
    free(s);
}

static void replay(struct child *s)
{
    if (!say_hello(s) || !take_inputs(s) || !begin(s))
        return;
    while (gv_spawn_line_take(LINE, &s->m, NULL, -1) == GV_SPAWN_HEARD) {
        work(s);
        s->m.size = 0;
        if (!gv_child_answer(&s->results, &s->m, s->replay, LINE))
            return;
    }
}

int gv_replay_child(void)
{
    pthread_t watcher;
    if (!is_line()) {
        gv_say("%s is for libgpuvm, which starts it so (gpuvm_spawn)",
               GV_CHILD_ARGUMENT);
        return GV_EXIT_USAGE;
    }
    gv_sandbox_hide();
    gv_sandbox_prepare();
    gv_inherited_close();
    gv_heap_keep();
    struct child *s = calloc(1, sizeof *s);
    if (!s || pthread_create(&watcher, NULL, watch, NULL) != 0) {
        free(s);
        return GV_EXIT_DEVICE;
    }
    pthread_detach(watcher);
    s->payload_file = -1;
    s->flag = GV_SHARED_MEMORY_NONE;
    gv_child_results_init(&s->results);
    replay(s);
    finish(s);
    return GV_EXIT_OK;
}
