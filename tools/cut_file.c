#include "tools/cut_file.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/temporary.h"
#include "tools/base/last_words.h"

// An input, the payload that `asm` takes resources from, a progress file.
#define MAX_GUARDS 3

// A signal handler sees nothing else.
static struct guard {
    const uint8_t *begin, *end; // NULL: free
    struct gv_last_words words;
} guards[MAX_GUARDS];

// One thread speaks, the others wait for its end, which is theirs.
static _Noreturn void end_with(const struct gv_last_words *words)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending))
        pause();
    gv_temporary_remove_all();
    gv_last_words_say(words);
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    bool sent = info->si_code <= 0; // by a process, not by an access
    const uint8_t *at = sent ? NULL : info->si_addr;
    (void)context;
    for (size_t i = 0; at && i < MAX_GUARDS; i++)
        if (guards[i].begin && at >= guards[i].begin && at < guards[i].end)
            end_with(&guards[i].words);
    signal(number, SIG_DFL); // not ours: the access faults again
    if (sent)
        raise(number);
}

void gv_cut_file_guard(const void *begin, size_t size, const char *path,
                       enum gv_status status, bool json)
{
    struct gv_error err = GV_ERROR_INIT;
    size_t i = 0;
    while (i < MAX_GUARDS && guards[i].begin)
        i++;
    if (i == MAX_GUARDS)
        return;
    struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };
    sigemptyset(&action.sa_mask);
    gv_fail(&err, status, GV_NO_OFFSET, "the file was cut short while in use");
    gv_last_words_init(&guards[i].words, path, &err, json);
    guards[i].begin = begin;
    guards[i].end = guards[i].begin + size;
    sigaction(SIGBUS, &action, NULL);
}

void gv_cut_file_release(const void *begin)
{
    for (size_t i = 0; begin && i < MAX_GUARDS; i++) {
        if (guards[i].begin != begin)
            continue;
        guards[i].begin = guards[i].end = NULL;
        gv_last_words_finish(&guards[i].words);
    }
}
