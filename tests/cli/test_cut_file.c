// A file that is cut short while threads read it: one of them says so, once, and
// nothing half made is left.
#include "tools/cut_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/base/temporary.h"
#include "tests/test.h"
#include "tools/base/report.h"

#define SIZE 65536

static const char path[] = "test_cut_file.bin";
static const char half_path[] = "test_cut_file.half";
static const volatile unsigned char *mapped;
static pthread_barrier_t both;

static void *read_it(void *context)
{
    pthread_barrier_wait(&both);
    return mapped[SIZE - 1] ? context : NULL;
}

static _Noreturn void read_cut_file(int err)
{
    pthread_t thread;
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || ftruncate(fd, SIZE) != 0)
        _exit(1);
    void *map = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED || gv_temporary_make(half_path, 0600) < 0 ||
        ftruncate(fd, 0) != 0 || dup2(err, STDERR_FILENO) < 0)
        _exit(1);
    mapped = map;
    gv_cut_file_guard(map, SIZE, path, GV_ERR_FORMAT, false);
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, read_it, NULL);
    read_it(NULL);
    _exit(1);
}

// So that who writes there waits until somebody reads.
static void fill(int fd)
{
    static const char zeros[512];
    int flags = fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    while (write(fd, zeros, sizeof zeros) > 0) {
    }
    CHECK(errno == EAGAIN);
    fcntl(fd, F_SETFL, flags);
}

// How often '\n' comes until the end.
static unsigned count_lines(int fd)
{
    char bytes[512];
    unsigned lines = 0;
    for (ssize_t n; (n = read(fd, bytes, sizeof bytes)) > 0;)
        for (ssize_t i = 0; i < n; i++)
            lines += bytes[i] == '\n';
    return lines;
}

// One that comes from a process is no access: it ends who gets it.
static void test_sent_signal(void)
{
    static const char bytes[SIZE];
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        gv_cut_file_guard(bytes, SIZE, path, GV_ERR_FORMAT, false);
        raise(SIGBUS);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
}

int main(void)
{
    int ends[2], status = 0;
    test_sent_signal();
    CHECK(pipe(ends) == 0);
    fill(ends[1]);
    pid_t child = fork();
    if (child == 0)
        read_cut_file(ends[1]);
    close(ends[1]);
    poll(NULL, 0, 500); // both are likely to be there
    CHECK(count_lines(ends[0]) == 1);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == GV_EXIT_REJECTED);
    CHECK(access(half_path, F_OK) != 0);
    remove(half_path);
    CHECK(remove(path) == 0);
    return TEST_RESULT();
}
