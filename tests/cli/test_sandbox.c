// The sandbox of children: each way out is shut, what drivers and compilers need is
// not, and the caller hears of what was refused.
#define _GNU_SOURCE // memfd_create, sched_setaffinity
#include "tools/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "tests/cli/ways_out.h"
#include "tests/test.h"
#include "tools/child/child.h"

static char root[] = "/tmp/gpuvm-sandbox.XXXXXX", named[64], foreign[64];
static unsigned have; // gv_way_out_surroundings

static void try_ways_out(void)
{
    const struct gv_way_out *way;
    for (size_t i = 0; (way = gv_way_out_at(i)); i++) {
        if ((way->needs & have) == way->needs)
            CHECK_ROW(way->name, way->is_shut());
    }
}

// What must go on.

static void *add_one(void *number)
{
    ++*(int *)number;
    return NULL;
}

static void need_threads(void)
{
    pthread_t thread;
    int number = 0;
    CHECK(pthread_create(&thread, NULL, add_one, &number) == 0 &&
          pthread_join(thread, NULL) == 0 && number == 1);
}

static void need_memory(void)
{
    void *code =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(code != MAP_FAILED && mprotect(code, 4096, PROT_READ | PROT_EXEC) == 0);
    void *bytes = malloc(64 << 20);
    CHECK(bytes != NULL);
    free(bytes);
}

static void need_files(void)
{
    char path[128];
    struct gv_error err = GV_ERROR_INIT;
    struct gv_file file;
    snprintf(path, sizeof path, "%s/victim", foreign);
    CHECK(gv_file_open(&file, path, &err) && file.size == 5);
    gv_file_close(&file);
    snprintf(path, sizeof path, "%s/a/b", named);
    CHECK(gv_make_folders(path, &err));
    snprintf(path, sizeof path, "%s/a/b/result", named);
    CHECK(gv_file_write(path, "x", 1, &err) && gv_file_write(path, "yz", 2, &err));
    CHECK(access("/proc/self/maps", R_OK) == 0);
}

// A signal to itself reaches it; abort and assert are made of that.
static volatile sig_atomic_t heard;

static void hear_signal(int number)
{
    heard = number;
}

static void need_signals(void)
{
    signal(SIGUSR1, hear_signal);
    CHECK(raise(SIGUSR1) == 0 && heard == SIGUSR1);
}

static void need_driver_calls(void)
{
    cpu_set_t all;
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0 &&
          sched_setaffinity(0, sizeof all, &all) == 0 &&
          sched_setaffinity(getpid(), sizeof all, &all) == 0 &&
          sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){ 0 }) == 0);
    int memory = memfd_create("x", MFD_CLOEXEC), event = eventfd(0, EFD_CLOEXEC);
    CHECK(memory >= 0 && ftruncate(memory, 4096) == 0 && event >= 0);
    // As far as the descriptor, which is none: of DRM, NVIDIA's three, AMD's KFD, Mali,
    // Adreno, sync files, DMA heaps and buffers, DirectX.
    static const unsigned long requests[] = {
        0xc0406400, 0xc020462a, 0x30000001, 0xc0106d00, 0x80084b01, 0xc0108002,
        0x4b00,     0xc0180902, 0xc0303e03, 0xc0184800, 0x40086200, 0xc0104701,
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        CHECK(ioctl(-1, requests[i], NULL) == -1 && errno == EBADF);
    CHECK(syscall(SYS_kcmp, getpid(), getpid(), 0, 1, 1) == 0 || errno == ENOSYS);
    int null = open("/dev/null", O_RDWR);
    // Lower than now, wherever the tests were started: more is not everybody's to ask
    // for.
    CHECK(null >= 0 &&
          setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 1) == 0);
}

struct case_ {
    const char *name;
    enum gv_filter_who who;
};

static enum gv_exit work(void *context, struct gv_child_line *line)
{
    const struct case_ *c = context;
    gv_test_failures = 0; // the parent counts its own
    const char *const paths[] = { NULL, named };
    CHECK(getpgrp() == getpid());
    gv_sandbox_files(paths, 2, c->who == GV_FILTER_DRIVER, NULL);
    gv_child_confine(line, c->who, NULL);
    gv_child_running(line);
    try_ways_out();
    need_threads();
    need_memory();
    need_files();
    need_signals();
    if (c->who == GV_FILTER_DRIVER)
        need_driver_calls();
    struct gv_error err = GV_ERROR_INIT;
    CHECK(gv_child_keep(line, 7, -1, &err));
    CHECK(!gv_child_keep(line, 8, -1, &err) && strcmp(err.message, "eight") == 0);
    return gv_test_failures ? GV_EXIT_DIFFER : GV_EXIT_OK;
}

static bool keep(void *context, unsigned number, int passed, struct gv_error *err)
{
    (void)context;
    return (number == 7 && passed == -1) ||
           gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "eight");
}

struct said {
    char text[16384];
    size_t lines;
};

static void write_line(void *context, enum gv_log_level level, const char *text)
{
    struct said *said = context;
    size_t length = strlen(said->text);
    (void)level;
    snprintf(said->text + length, sizeof said->text - length, "%s\n", text);
    said->lines++;
}

static void check_said(const char *name, const struct said *said)
{
    static const char *const calls[] = { "socket\n", "io_uring_setup\n", "execve\n",
                                         "kill\n", "chmod\n" };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char line[64];
        snprintf(line, sizeof line, "refused: system call %s", calls[i]);
        const char *first = strstr(said->text, line);
        CHECK_ROW(name, first != NULL && !strstr(first + 1, line));
    }
    CHECK_ROW(name, said->lines <= 128); // whatever the child does, it is bounded
}

int main(void)
{
    static const struct case_ cases[] = { { "driver", GV_FILTER_DRIVER },
                                          { "compiler", GV_FILTER_COMPILER } };
    char victim[128];
    CHECK(mkdtemp(root) != NULL);
    snprintf(named, sizeof named, "%s/named", root);
    snprintf(foreign, sizeof foreign, "%s/foreign", root);
    snprintf(victim, sizeof victim, "%s/victim", foreign);
    CHECK(mkdir(named, 0700) == 0 && mkdir(foreign, 0700) == 0);
    CHECK(gv_file_write(victim, "alive", 5, NULL) && chmod(victim, 0604) == 0);
    gv_ways_out_aim(foreign);
    have = gv_way_out_surroundings();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct said said = { "", 0 };
        const struct gv_log log = { write_line, &said };
        const struct gv_child_params params = {
            .work = work,
            .context = (void *)(uintptr_t)&cases[i],
            .keep = keep,
            .log = &log,
        };
        CHECK_ROW(cases[i].name, gv_child_run(&params, &err) == GV_EXIT_OK);
        CHECK_ROW(err.message, err.status == GV_OK);
        if (have & GV_WAY_CALLS)
            check_said(cases[i].name, &said);
    }
    struct stat st;
    CHECK(stat(victim, &st) == 0 && st.st_size == 5 && (st.st_mode & 0777) == 0604);
    char command[160];
    snprintf(command, sizeof command, "rm -rf %s", root);
    CHECK(system(command) == 0);
    return TEST_RESULT();
}
