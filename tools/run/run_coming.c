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
    *c->code = (int)gv_run_compile_into(params->program, params->options, input, out);
    _exit(*c->code);
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
    void *code = mmap(NULL, sizeof *c->code, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *c = (struct gv_run_coming){ .code = code == MAP_FAILED ? NULL : code };
    if (!c->code)
        return gv_out_of_memory(err);
    return start(c, params, input, err);
}

bool gv_run_coming_failed(const struct gv_run_coming *c)
{
    return c->code && *c->code != GV_EXIT_OK;
}

enum gv_exit gv_run_coming_end(struct gv_run_coming *c, enum gv_exit code)
{
    if (c->process && code != GV_EXIT_OK && !gv_run_coming_failed(c))
        kill(c->process, SIGKILL); // nobody reads what it writes; its child goes along
    while (c->process && waitpid(c->process, NULL, 0) < 0 && errno == EINTR) {
    }
    if (gv_run_coming_failed(c))
        code = (enum gv_exit) * c->code;
    if (c->code)
        munmap(c->code, sizeof *c->code);
    *c = (struct gv_run_coming){ 0 };
    return code;
}
