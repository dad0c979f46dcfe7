// Runs a command and tells how it ended and what it and all processes that it starts
// held in memory together at most:
//   hold REPORT [OPTION...] -- COMMAND...
// REPORT gets one line: END <TAB> MIB <TAB> MILLISECONDS, where END is exit:N,
// signal:N, hang or memory (killed at a bound), or stopped:END (asked to stop), with
// "+left" behind it where processes outlived the command.
//
//   --seconds N     kill all after N seconds (60)
//   --mib N         kill all when they have more than N MiB (2048)
//   --stop N        ask the command to stop (SIGTERM) after N seconds
//   --fsize N --nofile N --as N --stack N --core N    limits of the command, in bytes
//   or files
//   --close FD      start it without the descriptor
#define _DEFAULT_SOURCE // wait4
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/attacks/family.h"

#define SAMPLE_NS 15000000
#define HANG "hang"
#define MEMORY "memory"
#define GRACE_MS 15000 // what may outlive the command, to notice that it is gone

struct options {
    const char *report;
    uint64_t seconds, stop, mib;
    struct {
        int what;
        rlim_t value;
    } limits[8];
    size_t limit_count;
    int closed[8];
    size_t closed_count;
    char **command;
};

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "hold: %s: %s\n", what, strerror(errno));
    exit(125);
}

static bool add_limit(struct options *o, const char *name, const char *value)
{
    static const struct {
        const char *name;
        int what;
    } rows[] = {
        { "--fsize", RLIMIT_FSIZE }, { "--nofile", RLIMIT_NOFILE },
        { "--as", RLIMIT_AS },       { "--stack", RLIMIT_STACK },
        { "--core", RLIMIT_CORE },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(name, rows[i].name) != 0 || o->limit_count == 8)
            continue;
        o->limits[o->limit_count].what = rows[i].what;
        o->limits[o->limit_count++].value = (rlim_t)strtoull(value, NULL, 10);
        return true;
    }
    return false;
}

static bool add_option(struct options *o, const char *name, const char *value)
{
    if (strcmp(name, "--seconds") == 0)
        o->seconds = strtoull(value, NULL, 10);
    else if (strcmp(name, "--stop") == 0)
        o->stop = strtoull(value, NULL, 10);
    else if (strcmp(name, "--mib") == 0)
        o->mib = strtoull(value, NULL, 10);
    else if (strcmp(name, "--close") == 0 && o->closed_count < 8)
        o->closed[o->closed_count++] = atoi(value);
    else
        return add_limit(o, name, value);
    return true;
}

static bool parse(struct options *o, int argc, char **argv)
{
    if (argc < 4)
        return false;
    o->report = argv[1];
    int i = 2;
    for (; i + 1 < argc && strcmp(argv[i], "--") != 0; i += 2)
        if (!add_option(o, argv[i], argv[i + 1]))
            return false;
    o->command = argv + i + 1;
    return i + 1 < argc && strcmp(argv[i], "--") == 0;
}

static pid_t start(const struct options *o)
{
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child > 0)
        return child;
    setpgid(0, 0);
    for (size_t i = 0; i < o->limit_count; i++) {
        struct rlimit limit = { o->limits[i].value, o->limits[i].value };
        if (setrlimit(o->limits[i].what, &limit) != 0)
            die("setrlimit");
    }
    for (size_t i = 0; i < o->closed_count; i++)
        close(o->closed[i]);
    execvp(o->command[0], o->command);
    _exit(127);
}

// Reaps whoever has ended; true once that was the command itself.
static bool reap(struct family *family, pid_t command, int *status)
{
    bool ended = false;
    struct rusage usage;
    int code;
    pid_t pid;
    while ((pid = wait4(-1, &code, WNOHANG, &usage)) > 0) {
        family_rusage(family, (uint64_t)usage.ru_maxrss);
        if (pid != command)
            continue;
        *status = code;
        ended = true;
    }
    return ended;
}

static void pause_sampling(void)
{
    const struct timespec t = { 0, SAMPLE_NS };
    nanosleep(&t, NULL);
}

// Whether descendants stay although the command has ended. They are killed then.
static bool left_over(struct family *family)
{
    int status;
    uint64_t start = now_ms();
    for (;;) {
        reap(family, -1, &status);
        if (family_sample(family, getpid()) == 0)
            return false;
        if (now_ms() - start > GRACE_MS)
            break;
        pause_sampling();
    }
    family_kill(family);
    while (waitpid(-1, &status, 0) > 0) {
    }
    return true;
}

static void report(const struct options *o, const struct family *family,
                   const char *how, int status, uint64_t ms, bool left)
{
    FILE *file = fopen(o->report, "w");
    if (!file)
        die(o->report);
    if (strcmp(how, HANG) == 0 || strcmp(how, MEMORY) == 0)
        fprintf(file, "%s", how);
    else if (WIFSIGNALED(status))
        fprintf(file, "%ssignal:%d", how, WTERMSIG(status));
    else
        fprintf(file, "%sexit:%d", how, WEXITSTATUS(status));
    fprintf(file, "%s\t%llu\t%llu\n", left ? "+left" : "",
            (unsigned long long)(family->peak_kib >> 10), (unsigned long long)ms);
    if (fclose(file) != 0)
        die(o->report);
}

static void watch(const struct options *o, struct family *family, pid_t command)
{
    uint64_t begin = now_ms();
    const char *how = "";
    int status = 0;
    while (!reap(family, command, &status)) {
        uint64_t ms = now_ms() - begin;
        family_sample(family, getpid());
        if (o->stop && ms > o->stop * 1000 && !*how) {
            how = "stopped:";
            kill(command, SIGTERM);
        }
        if (ms > o->seconds * 1000 || family->peak_kib >> 10 > o->mib) {
            how = ms > o->seconds * 1000 ? HANG : MEMORY;
            family_kill(family);
        }
        pause_sampling();
    }
    report(o, family, how, status, now_ms() - begin, left_over(family));
}

int main(int argc, char **argv)
{
    struct options o = { .seconds = 60, .mib = 2048 };
    struct family family = { 0 };
    if (!parse(&o, argc, argv)) {
        fprintf(stderr, "usage: hold REPORT [OPTION...] -- COMMAND...\n");
        return 125;
    }
    if (prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) != 0)
        die("subreaper");
    watch(&o, &family, start(&o));
    family_finish(&family);
    return 0;
}
