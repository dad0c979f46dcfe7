#define _GNU_SOURCE // pipe2, MAP_ANONYMOUS
#include "tools/run/run_coming.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/run/run_capture.h"

static bool fail(const char *what, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "%s: %s", what, strerror(errno));
}

// The writing end is open until the exit code is known: whoever reads the end of what
// came knows whether it was the payload's.
static _Noreturn void compile(const struct gv_run_coming *c,
                              const struct gv_run_coming_params *params,
                              struct gv_input *input, int out)
{
    if (params->line >= 0)
        close(params->line);
    prctl(PR_SET_NAME, "gpuvm-compile");
    const enum gv_exit code =
        gv_run_compile_into(params->program, params->options, input, out);
    c->news->code = (int)code;
    _exit((int)code);
}

static bool start(struct gv_run_coming *c, const struct gv_run_coming_params *params,
                  struct gv_input *input, struct gv_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail("pipe", err);
    const pid_t parent = getpid();
    c->process = fork();
    if (c->process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // do not outlive the run
        if (getppid() != parent)
            _exit(GV_EXIT_DEVICE);
        close(ends[0]);
        compile(c, params, input, ends[1]);
    }
    close(ends[1]);
    if (c->process < 0) {
        c->process = 0;
        close(ends[0]);
        return fail("fork", err);
    }
    gv_input_become_pipe(input, ends[0]);
    return true;
}

bool gv_run_coming_start(struct gv_run_coming *c,
                         const struct gv_run_coming_params *params,
                         struct gv_input *input, struct gv_error *err)
{
    void *news = mmap(NULL, sizeof *c->news, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *c = (struct gv_run_coming){ .news = news == MAP_FAILED ? NULL : news };
    if (!c->news)
        return gv_out_of_memory(err);
    return start(c, params, input, err);
}

bool gv_run_coming_failed(const struct gv_run_coming *c)
{
    return c->news && c->news->code != GV_EXIT_OK;
}

void gv_run_coming_read(const struct gv_run_coming *c)
{
    if (c->news)
        c->news->read = true;
}

enum gv_exit gv_run_coming_end(struct gv_run_coming *c, enum gv_exit code)
{
    // Who has not read all waits for nothing; the compiler's child goes along.
    if (c->process && !c->news->read && !gv_run_coming_failed(c))
        kill(c->process, SIGKILL);
    while (c->process && waitpid(c->process, NULL, 0) < 0 && errno == EINTR) {
    }
    if (gv_run_coming_failed(c))
        code = (enum gv_exit)c->news->code;
    if (c->news)
        munmap(c->news, sizeof *c->news);
    *c = (struct gv_run_coming){ 0 };
    return code;
}
