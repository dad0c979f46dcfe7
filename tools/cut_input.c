#include "tools/cut_input.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/bytes.h"
#include "tools/json.h"
#include "tools/report.h"

#define MAX_GUARDS 2 // an input, and the payload that `asm` takes resources from

struct guard {
    const uint8_t *begin, *end; // NULL: free
    struct gv_bytes text;       // what is said
    struct gv_json object;      // empty: not wanted
};

// A signal handler sees nothing else. All is made ahead, since it may not allocate.
static struct {
    struct guard guards[MAX_GUARDS];
    bool told;
    int line;
    uint8_t last[2]; // words of a child
} state;

static void say(int fd, const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size) {
        ssize_t n = write(fd, at, size);
        if (n <= 0)
            return;
        at += n;
        size -= (size_t)n;
    }
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    const uint8_t *at = info->si_addr;
    (void)context;
    for (size_t i = 0; i < MAX_GUARDS; i++) {
        const struct guard *g = &state.guards[i];
        if (!g->begin || at < g->begin || at >= g->end)
            continue;
        say(STDERR_FILENO, g->text.data, g->text.size);
        say(STDOUT_FILENO, g->object.out.data, g->object.out.size);
        if (state.told)
            say(state.line, state.last, sizeof state.last);
        _exit(GV_EXIT_REJECTED);
    }
    signal(number, SIG_DFL); // not ours: the access faults again
}

static void prepare_words(struct guard *g, const char *path, bool json)
{
    struct gv_error err = GV_ERROR_INIT;
    char text[1024];
    gv_fail(&err, GV_ERR_FORMAT, GV_NO_OFFSET, "the file was cut short while in use");
    gv_error_describe(text, sizeof text, path, &err, GV_PHASE_LOAD);
    gv_bytes_printf(&g->text, "gpuvm: %s\n", text);
    if (!json)
        return;
    gv_json_begin(&g->object, NULL);
    gv_json_error(&g->object, path, &err, GV_EXIT_REJECTED);
    gv_json_end(&g->object);
    gv_bytes_u8(&g->object.out, '\n');
}

void gv_cut_input_guard(const struct gv_file *file, const char *path, bool json)
{
    size_t i = 0;
    while (i < MAX_GUARDS && state.guards[i].begin)
        i++;
    if (!file->mapped || i == MAX_GUARDS)
        return;
    struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };
    sigemptyset(&action.sa_mask);
    prepare_words(&state.guards[i], path, json);
    state.guards[i].begin = file->data;
    state.guards[i].end = file->data + file->size;
    sigaction(SIGBUS, &action, NULL);
}

void gv_cut_input_release(const struct gv_file *file)
{
    for (size_t i = 0; i < MAX_GUARDS; i++) {
        struct guard *g = &state.guards[i];
        if (!file->mapped || g->begin != file->data)
            continue;
        g->begin = g->end = NULL;
        gv_bytes_finish(&g->text);
        gv_json_finish(&g->object);
    }
}

void gv_cut_input_tell(int fd, const uint8_t bytes[2])
{
    state.line = fd;
    memcpy(state.last, bytes, sizeof state.last);
    state.told = true;
}
