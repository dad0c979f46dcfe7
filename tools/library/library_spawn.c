// Replays in a child: it is started, gets the payload and says what it holds.
#define _GNU_SOURCE // memfd_create, F_ADD_SEALS
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resources/base/foreign.h"
#include "tools/library/spawn_ask.h"
#include "tools/library/spawn_process.h"
#include "tools/version.h"

// ---- the payload's bytes, as a descriptor ----

static int put_into_memory(const void *data, size_t size, struct gv_error *err)
{
    const char *bytes = data;
    int fd = memfd_create("gpuvm-payload", MFD_CLOEXEC);
    for (size_t done = 0; fd >= 0 && done < size;) {
        const ssize_t n = write(fd, bytes + done, size - done);
        if (n > 0) {
            done += (size_t)n;
        } else if (n < 0 && errno != EINTR) {
            close(fd);
            fd = -1;
        }
    }
    if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0)
        gv_out_of_memory(err);
    return fd;
}

static int fetch_payload(const struct gpuvm_spawn_params *params,
                         const struct gpuvm_settings *settings, struct gv_error *err)
{
    const struct gv_web_payload web = {
        .url = params->url,
        .token_file = params->token_file,
        .most = settings->memory,
        .cancel = settings->cancel,
    };
    struct gv_bytes body = { 0 };
    const bool here = gv_library_web_payload(&web, &body, err);
    const int fd = here ? put_into_memory(body.data, body.size, err) : -1;
    gv_bytes_finish(&body);
    return fd;
}

// The same file from the same position on, to be read only: what the child does with
// its descriptor moves nothing of the caller's, whose own may be good for more.
static int open_again(int file)
{
    char path[64];
    struct stat st;
    const off_t position = lseek(file, 0, SEEK_CUR);
    if (position < 0 || fstat(file, &st) != 0 || !S_ISREG(st.st_mode))
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || lseek(fd, position, SEEK_SET) == position)
        return fd;
    close(fd);
    return -1;
}

// A descriptor that is the caller's to close, or -1.
static int open_payload(const struct gpuvm_spawn_params *params,
                        const struct gpuvm_settings *settings, struct gv_error *err)
{
    if (params->path) {
        const int fd = open(params->path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "cannot open %.96s: %s",
                    params->path, strerror(errno));
        return fd;
    }
    if (params->url)
        return fetch_payload(params, settings, err);
    if (params->data)
        return put_into_memory(params->data, params->data_size, err);
    int fd = open_again(params->fd);
    if (fd < 0)
        fd = fcntl(params->fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the caller gave no payload");
    return fd;
}

// ---- what it says of the payload ----

static bool copy_frames(struct gv_spawned *s, uint64_t count)
{
    struct gv_payload *p = &s->facts.payload;
    p->frames = calloc((size_t)count + 1, sizeof *p->frames);
    for (size_t i = 0; p->frames && i < count; i++) {
        struct gpuvm_frame frame;
        memcpy(&frame, s->results.bytes + i * sizeof frame, sizeof frame);
        p->frames[i] = (struct gv_frame){
            .command_begin = frame.command_begin,
            .command_end = frame.command_end,
            .width = frame.width,
            .height = frame.height,
        };
    }
    p->frame_count = p->frames ? (size_t)count : 0;
    return p->frames;
}

// `names`: of so many bytes, of which the last is a NUL; the child may still write it.
static bool copy_exports(struct gv_spawned *s, const uint8_t *names, size_t size,
                         uint64_t count)
{
    struct gv_payload *p = &s->facts.payload;
    s->names = malloc(size + 1);
    p->exports = calloc((size_t)count + 1, sizeof *p->exports);
    if (!s->names || !p->exports)
        return false;
    if (size)
        memcpy(s->names, names, size);
    s->names[size] = '\0';
    const char *name = s->names;
    while (p->export_count < count && name < s->names + size) {
        p->exports[p->export_count++].name = name;
        name += strlen(name) + 1;
    }
    return true;
}

static bool take_facts(struct gv_spawned *s, struct gv_error *err)
{
    const struct gv_spawn_facts facts = s->m.facts;
    const uint64_t size = s->results.size, row = sizeof(struct gpuvm_frame);
    if (facts.frames > size / row || facts.name_bytes > size - facts.frames * row ||
        facts.exports > facts.name_bytes)
        return gv_fail(err, GV_ERR_LOST, GV_NO_OFFSET,
                       "lost: what the driver's process says makes no sense");
    s->facts.payload.command_count = facts.commands;
    s->facts.payload.thin = facts.thin;
    snprintf(s->device, sizeof s->device, "%s", gv_spawn_text(&s->m));
    gv_foreign_mask(s->device);
    return (copy_frames(s, facts.frames) &&
            copy_exports(s, s->results.bytes + facts.frames * row,
                         (size_t)facts.name_bytes, facts.exports)) ||
           gv_out_of_memory(err);
}

// ---- the way in ----

static bool start(struct gv_spawned *s, const char *player, struct gv_error *err)
{
    int ends[2];
    s->position = memfd_create("gpuvm-position", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (s->position < 0 || fcntl(s->position, F_ADD_SEALS, F_SEAL_SHRINK) != 0 ||
        !gv_shared_memory_make(&s->flag, 1, err))
        return gv_out_of_memory(err);
    if (!gv_spawn_line_open(ends))
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "socketpair: %s",
                       strerror(errno));
    s->line = ends[0];
    const bool started = gv_spawn_process_start(player, ends[1], &s->pid, err);
    close(ends[1]);
    return started;
}

// It says who it is. False: `error` says what is wrong.
static bool greet(struct gv_spawned *s, const char *player, struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    const char *name = gv_spawn_process_name(player);
    int passed = -1;
    const bool heard = gv_spawn_hear_first(s, &passed, error);
    if (!heard && !s->left)
        return false; // killed, silent or cancelled
    if (!heard)
        gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET,
                "%.96s is no gpuvm-player of this version: %.96s", name,
                error->message);
    else if (s->m.word != GV_SPAWN_HELLO || s->m.number != GV_SPAWN_PROTOCOL ||
             strcmp(gv_spawn_text(&s->m), GV_VERSION) != 0)
        gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET,
                "%.96s is of version %.32s, and this library of " GV_VERSION, name,
                gv_spawn_text(&s->m));
    if (passed >= 0)
        close(passed);
    if (err.status != GV_OK)
        gv_library_fail(error, &err, GV_PHASE_OPEN, NULL);
    return err.status == GV_OK;
}

static void put_settings(struct gv_spawned *s)
{
    const struct gpuvm_settings *own = &s->settings;
    struct gv_spawn_settings *to = &s->m.settings;
    *to = (struct gv_spawn_settings){
        .flags = own->flags,
        .timeout_ms = own->timeout_ms,
        .memory = own->memory,
        .sources = own->source_count > 0,
        .progress = own->progress != NULL,
        .log = own->log != NULL,
    };
    snprintf(to->device, sizeof to->device, "%s", own->device ? own->device : "");
    snprintf(to->cache_folder, sizeof to->cache_folder, "%s",
             own->cache_folder ? own->cache_folder : "");
}

static bool hand_over(struct gv_spawned *s, enum gv_spawn_word word, int fd)
{
    s->m.word = word;
    s->m.number = s->whole_file;
    s->m.size = 0;
    return gv_spawn_line_send(s->line, &s->m, fd);
}

static int open_replay(struct gv_spawned *s, int payload, struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    if (!hand_over(s, GV_SPAWN_FLAG, s->flag.fd) ||
        !hand_over(s, GV_SPAWN_POSITION, s->position) ||
        !hand_over(s, GV_SPAWN_PAYLOAD, payload))
        return gv_spawn_lose(s, NULL, error);
    s->m.word = GV_SPAWN_OPEN;
    put_settings(s);
    int status = gv_spawn_ask(s, -1, error);
    if (status == GPUVM_OK && !take_facts(s, &err))
        status = gv_library_fail(error, &err, GV_PHASE_RUN, NULL);
    s->open = status == GPUVM_OK;
    return status;
}

static struct gv_spawned *make(const struct gpuvm_settings *settings,
                               struct gv_error *err)
{
    struct gv_spawned *s = calloc(1, sizeof *s);
    if (!s) {
        gv_out_of_memory(err);
        return NULL;
    }
    s->settings = *settings;
    s->pid = -1;
    s->line = s->position = -1;
    s->flag = s->results = GV_SHARED_MEMORY_NONE;
    return s;
}

// All of it. NULL: `error` says why.
static gpuvm_replay *spawn(const struct gpuvm_spawn_params *params,
                           const struct gpuvm_settings *settings, int payload,
                           struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    gpuvm_replay *replay = NULL;
    struct gv_spawned *s = make(settings, &err);
    if (s)
        s->whole_file = params->path || params->url || params->data;
    if (s && start(s, params->player, &err)) {
        if (!greet(s, params->player, error) ||
            open_replay(s, payload, error) != GPUVM_OK) {
            gv_spawned_close(s);
            return NULL;
        }
        replay = gv_library_replay_in(s, &err);
    }
    if (replay)
        return replay;
    gv_spawned_close(s);
    gv_library_fail(error, &err, GV_PHASE_OPEN, NULL);
    return NULL;
}

// NULL, or what is wrong with them.
static const char *fault_of(const struct gpuvm_spawn_params *params,
                            struct gpuvm_settings *own,
                            const struct gpuvm_settings *settings)
{
    if (!params || params->size != sizeof *params)
        return "parameters whose size is not set";
    const char *fault = gv_library_settings(own, settings);
    if (fault)
        return fault;
    if (own->vulkan || own->flags & GPUVM_IMAGES)
        return "a device of its own, or asked for images of a child's";
    if (own->device &&
        strlen(own->device) >= sizeof((struct gv_spawn_settings *)0)->device)
        return "too long a name of a device";
    if (own->cache_folder && strlen(own->cache_folder) >=
                                 sizeof((struct gv_spawn_settings *)0)->cache_folder)
        return "too long a name of a folder";
    return NULL;
}

gpuvm_replay *gpuvm_spawn(const struct gpuvm_spawn_params *params,
                          const struct gpuvm_settings *settings,
                          struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gpuvm_error unseen = { 0 };
    struct gpuvm_settings own;
    error = error ? error : &unseen;
    const char *fault = fault_of(params, &own, settings);
    if (fault) {
        gv_library_misuse(error, fault);
        return NULL;
    }
    const int payload = open_payload(params, &own, &err);
    if (payload < 0) {
        gv_library_fail(error, &err, GV_PHASE_OPEN, own.cancel);
        return NULL;
    }
    gpuvm_replay *replay = spawn(params, &own, payload, error);
    close(payload);
    return replay;
}
