// Runs a command and writes the peak of its memory, the sum over it and all its
// descendants of each one's largest resident set, in KiB, to a file. Exits as the
// command does; one that runs longer than it may is killed, and that is exit 124.
//   peak_memory FILE SECONDS COMMAND...
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_PROCESSES 256

static struct process {
    long pid;
    unsigned long peak_kib;
} seen[MAX_PROCESSES];
static size_t seen_count;

// A number behind a name in /proc/PID/status, or 0.
static unsigned long status_of(long pid, const char *name)
{
    char path[64], line[256];
    unsigned long value = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            value = strtoul(line + strlen(name), NULL, 10);
    if (file)
        fclose(file);
    return value;
}

static int descends(long pid, long from)
{
    for (int depth = 0; pid > 1 && depth < 16; depth++) {
        if (pid == from)
            return 1;
        pid = (long)status_of(pid, "PPid:");
    }
    return 0;
}

static void note(long pid)
{
    unsigned long peak = status_of(pid, "VmHWM:");
    size_t i = 0;
    while (i < seen_count && seen[i].pid != pid)
        i++;
    if (i == MAX_PROCESSES)
        return;
    if (i == seen_count)
        seen[seen_count++] = (struct process){ pid, 0 };
    if (peak > seen[i].peak_kib)
        seen[i].peak_kib = peak;
}

static void look_round(long root)
{
    DIR *all = opendir("/proc");
    struct dirent *entry;
    while (all && (entry = readdir(all))) {
        long pid = strtol(entry->d_name, NULL, 10);
        if (pid >= root && descends(pid, root))
            note(pid);
    }
    if (all)
        closedir(all);
}

// The largest of them may have grown between the last look and its end: the kernel
// knows.
static unsigned long sum(void)
{
    struct rusage usage;
    unsigned long total = 0, largest = 0;
    getrusage(RUSAGE_CHILDREN, &usage);
    for (size_t i = 0; i < seen_count; i++) {
        total += seen[i].peak_kib;
        largest = seen[i].peak_kib > largest ? seen[i].peak_kib : largest;
    }
    return (unsigned long)usage.ru_maxrss > largest
               ? total - largest + (unsigned long)usage.ru_maxrss
               : total;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    double end = now() + strtod(argv[2], NULL);
    pid_t pid = fork();
    if (pid == 0) {
        execvp(argv[3], argv + 3);
        _exit(127);
    }
    int status = 0, code = -1;
    while (pid > 0 && code < 0) {
        look_round(pid);
        if (waitpid(pid, &status, WNOHANG) == pid)
            code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        else if (now() > end) {
            kill(pid, SIGKILL); // its child dies with it
            waitpid(pid, &status, 0);
            code = 124;
        }
        nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
    }
    FILE *out = fopen(argv[1], "w");
    if (!out || fprintf(out, "%lu\n", sum()) < 0 || fclose(out) != 0)
        return 2;
    return code;
}
