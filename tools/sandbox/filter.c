#define _GNU_SOURCE // syscall
#include "tools/sandbox/filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/sandbox/filter_program.h"

// From Linux 5.7 on, which headers may be older than.
#define FLAG_TSYNC_ESRCH (1ul << 4)

// For all threads. A descriptor with `flags` that ask for one; -1: refused.
static long load(struct gv_filter_program *program, unsigned long flags)
{
    const struct sock_fprog code = { (unsigned short)program->count, program->rows };
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                   SECCOMP_FILTER_FLAG_TSYNC | flags, &code);
}

static bool make(const struct gv_filter_params *params,
                 struct gv_filter_program *program)
{
    return gv_filter_recall(params, program) || gv_filter_make(params, program);
}

bool gv_filter_enter(enum gv_filter_who who, int line, int *listener)
{
    struct gv_filter_params params = {
        .who = who,
        .self = (uint32_t)getpid(),
        .line = (uint32_t)line,
        .refuse = SECCOMP_RET_USER_NOTIF,
    };
    struct gv_filter_program program;
    if (listener && make(&params, &program)) {
        long fd = load(&program, SECCOMP_FILTER_FLAG_NEW_LISTENER | FLAG_TSYNC_ESRCH);
        *listener = (int)fd;
        if (fd >= 0)
            return true;
    }
    if (listener)
        *listener = -1;
    params.refuse = SECCOMP_RET_ERRNO | EPERM;
    // What it returns otherwise is a thread that could not follow.
    return make(&params, &program) && load(&program, 0) == 0;
}
