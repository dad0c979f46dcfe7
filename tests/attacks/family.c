#include "tests/attacks/family.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct family *f, pid_t pid)
{
    if (f->count == f->room) {
        size_t room = f->room ? f->room * 2 : 64;
        pid_t *pids = realloc(f->pids, room * sizeof *pids);
        if (!pids)
            abort();
        f->pids = pids;
        f->room = room;
    }
    f->pids[f->count++] = pid;
}

static void add_children(struct family *f, pid_t pid, const char *task)
{
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, task);
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    int child;
    while (fscanf(file, "%d", &child) == 1)
        add(f, (pid_t)child);
    fclose(file);
}

// Children belong to the thread that made them.
static void add_family(struct family *f, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    if (!folder)
        return;
    struct dirent *entry;
    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            add_children(f, pid, entry->d_name);
    closedir(folder);
}

struct memory {
    uint64_t own_kib, file_kib;
};

// Sums the rows of a /proc file that begin with one of the names.
static bool read_rows(struct memory *m, const char *path, const char *const own[2],
                      const char *file_row)
{
    FILE *file = fopen(path, "r");
    char line[256];
    bool any = false;
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        unsigned long long kib;
        char name[64];
        if (sscanf(line, "%63[^:]: %llu kB", name, &kib) != 2)
            continue;
        if (strcmp(name, own[0]) == 0 || strcmp(name, own[1]) == 0)
            m->own_kib += kib;
        else if (strcmp(name, file_row) == 0)
            m->file_kib += kib;
        else
            continue;
        any = true;
    }
    fclose(file);
    return any;
}

// Shares of what several have mapped; where a process hides these, all that it has
// mapped.
static struct memory memory_of(pid_t pid)
{
    static const char *const shares[2] = { "Pss_Anon", "Pss_Shmem" };
    static const char *const whole[2] = { "RssAnon", "RssShmem" };
    struct memory m = { 0, 0 };
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    if (read_rows(&m, path, shares, "Pss_File")) {
        m.file_kib = 0; // a share; the whole is in status
        snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
        struct memory status = { 0, 0 };
        if (read_rows(&status, path, whole, "RssFile"))
            m.file_kib = status.file_kib;
        return m;
    }
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    read_rows(&m, path, whole, "RssFile");
    return m;
}

size_t family_sample(struct family *f, pid_t root)
{
    uint64_t kib = 0;
    f->count = 0;
    add_family(f, root);
    for (size_t i = 0; i < f->count; i++) {
        add_family(f, f->pids[i]);
        struct memory m = memory_of(f->pids[i]);
        kib += m.own_kib;
        if (m.file_kib > f->file_kib)
            f->file_kib = m.file_kib;
    }
    if (kib > f->peak_kib)
        f->peak_kib = kib;
    return f->count;
}

void family_rusage(struct family *f, uint64_t maxrss_kib)
{
    uint64_t own = maxrss_kib > f->file_kib ? maxrss_kib - f->file_kib : 0;
    // Where no sample saw its files, what it had of them is not known.
    if (f->file_kib && own > f->peak_kib)
        f->peak_kib = own;
}

void family_kill(struct family *f)
{
    for (size_t i = 0; i < f->count; i++)
        kill(f->pids[i], SIGKILL);
}

void family_finish(struct family *f)
{
    free(f->pids);
    *f = (struct family){ 0 };
}
