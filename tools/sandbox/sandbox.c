#define _GNU_SOURCE // syscall
#include "tools/sandbox/sandbox.h"

#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/base/child_line.h"
#include "tools/sandbox/landlock.h"

void gv_sandbox_hide(void)
{
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// What root may keep: files of other users where it was told to read and write, and
// locked memory. Without the rest it can look into processes as little as others, and
// no more take the processor from them.
#define BIT(capability) (1u << (capability))
#define KEPT (BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH) | BIT(CAP_IPC_LOCK))

static void drop_capabilities(void)
{
    struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };
    if (syscall(SYS_capget, &header, sets) != 0)
        return;
    sets[0].effective &= KEPT;
    sets[0].permitted &= KEPT;
    sets[0].inheritable = 0;
    sets[1].effective = sets[1].permitted = sets[1].inheritable = 0;
    syscall(SYS_capset, &header, sets);
}

void gv_sandbox_prepare(void)
{
    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN); // or `stty tostop` would stop it at its first word
    signal(SIGTTIN, SIG_IGN);
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    setrlimit(RLIMIT_RTPRIO, &(struct rlimit){ 0, 0 });
    setrlimit(RLIMIT_NICE, &(struct rlimit){ 0, 0 });
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    drop_capabilities();
}

void gv_sandbox_files(const char *const *paths, size_t count, bool devices,
                      const struct gv_log *log)
{
    if (access("/proc/self/fd", R_OK) != 0)
        gv_log(log, GV_LOG_DEBUG,
               "sandbox: /proc is not mounted; what the caller left open stays open");
    if (!gv_landlock_enter(paths, count, devices))
        gv_log(log, GV_LOG_DEBUG,
               "sandbox: the kernel has no Landlock; any file that "
               "the user may write can be written");
}

void gv_sandbox_calls(enum gv_filter_who who, int line, const struct gv_log *log)
{
    int listener = -1;
    if (!gv_filter_enter(who, line, &listener)) {
        gv_log(log, GV_LOG_DEBUG,
               "sandbox: the kernel has no seccomp filters; any "
               "system call can be made");
        return;
    }
    if (listener < 0)
        gv_log(log, GV_LOG_DEBUG,
               "sandbox: the kernel cannot tell which system calls "
               "it refuses");
    else if (!gv_child_line_say(line, (const uint8_t[]){ GV_SAYS_LISTENER }, 1,
                                listener))
        gv_log(log, GV_LOG_DEBUG, "sandbox: nobody hears of refused system calls");
    if (listener >= 0)
        close(listener);
}
