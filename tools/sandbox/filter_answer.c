// What the parent of a confined child says to system calls that were refused.
#include "tools/sandbox/filter.h"

#include <errno.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>

// False if it was told before, or if there are too many.
static bool is_news(struct gv_refusals *refusals, uint32_t arch, int number)
{
    for (size_t i = 0; i < refusals->count; i++)
        if (refusals->told[i].arch == arch && refusals->told[i].number == number)
            return false;
    if (refusals->count == sizeof refusals->told / sizeof *refusals->told)
        return false;
    refusals->told[refusals->count].arch = arch;
    refusals->told[refusals->count++].number = number;
    return true;
}

// What is newer than the library has no name, and its callers an older way.
static int judge(const struct seccomp_data *call, struct gv_refusals *refusals,
                 const struct gv_log *log)
{
    char *name = call->arch == seccomp_arch_native()
                     ? seccomp_syscall_resolve_num_arch(call->arch, call->nr)
                     : NULL;
    int error = name && strcmp(name, "openat2") != 0 ? EPERM : ENOSYS;
    if (is_news(refusals, call->arch, call->nr)) {
        if (name)
            gv_log(log, GV_LOG_DEBUG, "refused: system call %s", name);
        else
            gv_log(log, GV_LOG_DEBUG, "refused: system call %d of architecture 0x%x",
                   call->nr, call->arch);
    }
    free(name);
    return error;
}

bool gv_filter_answer(int listener, struct gv_refusals *refusals,
                      const struct gv_log *log)
{
    struct seccomp_notif *call = NULL;
    struct seccomp_notif_resp *answer = NULL;
    if (seccomp_notify_alloc(&call, &answer) != 0)
        return false; // the kernel then refuses by itself
    bool received = seccomp_notify_receive(listener, call) == 0;
    bool interrupted = errno == ENOENT || errno == EINTR; // its caller has died
    if (received) {
        answer->id = call->id;
        answer->error = -judge(&call->data, refusals, log);
        seccomp_notify_respond(listener, answer); // fails if the caller has died
    }
    seccomp_notify_free(call, answer);
    return received || interrupted;
}
