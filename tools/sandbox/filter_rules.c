// The rules of what a child may ask of the kernel, and what libseccomp makes of them.
#define _GNU_SOURCE // CLONE_*
#include "tools/sandbox/filter_program.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum audience { FOR_ALL, FOR_DRIVER, FOR_SANITIZER };

#define GV_SYSCALL(name, who) { #name, FOR_##who },
static const struct {
    const char *name;
    enum audience who;
} calls[] = {
#include "tools/sandbox/syscalls.def"
};
#undef GV_SYSCALL

#if defined __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif

// Where clone has its flags.
#if defined __s390__
#define CLONE_FLAGS 1
#else
#define CLONE_FLAGS 0
#endif

#define LOW 0xffffffffu // what the kernel reads of an `int` argument

// `compare` may be NULL: whatever the arguments. What this machine lacks is no error.
static bool allow(scmp_filter_ctx filter, const char *name,
                  const struct scmp_arg_cmp *compare, unsigned count)
{
    int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR)
        return true;
    int failed = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, count, compare);
    return !failed || failed == -EDOM;
}

// The argument at `index`, of what `mask` covers, is `value`.
static bool allow_masked(scmp_filter_ctx filter, const char *name, unsigned index,
                         uint64_t mask, uint64_t value)
{
    const struct scmp_arg_cmp compare =
        SCMP_CMP64(index, SCMP_CMP_MASKED_EQ, mask, value);
    return allow(filter, name, &compare, 1);
}

static bool allow_values(scmp_filter_ctx filter, const char *name, unsigned index,
                         const unsigned *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!allow_masked(filter, name, index, LOW, values[i]))
            return false;
    return true;
}

static bool allow_rows(scmp_filter_ctx filter, enum gv_filter_who who)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        bool wanted = calls[i].who == FOR_ALL ||
                      (calls[i].who == FOR_DRIVER && who == GV_FILTER_DRIVER) ||
                      (calls[i].who == FOR_SANITIZER && SANITIZED);
        if (wanted && !allow(filter, calls[i].name, NULL, 0))
            return false;
    }
    return true;
}

// Threads, no processes and no namespaces. clone3 has its flags in memory, where a
// filter cannot look: libraries that miss it take clone.
static bool allow_threads(scmp_filter_ctx filter)
{
    const unsigned shared =
                       CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD,
                   spaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                            CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS),
                            seccomp_syscall_resolve_name("clone3"), 0) == 0 &&
           (SANITIZED ||
            allow_masked(filter, "clone", CLONE_FLAGS, shared | spaces, shared));
}

// What acts on processes, for itself alone: abort() sends itself a signal.
static bool allow_itself(scmp_filter_ctx filter, uint32_t self)
{
    const struct scmp_arg_cmp same_file[] = {
        SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, LOW, self),
        SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, LOW, self),
        SCMP_CMP64(2, SCMP_CMP_MASKED_EQ, LOW, 0), // KCMP_FILE: Mesa compares its files
    };
    return allow_masked(filter, "kill", 0, LOW, self) &&
           allow_masked(filter, "tgkill", 0, LOW, self) &&
           allow(filter, "kcmp", same_file, 3) &&
           allow_masked(filter, "prlimit64", 0, LOW, 0);
}

// When and where it runs: of the thread that asks, by 0, or of the first one, by the
// process's number. Those of the other threads cannot be told from other processes';
// drivers take a refusal for a hint that was not followed.
static bool allow_scheduling(scmp_filter_ctx filter, uint32_t self)
{
    static const char *const names[] = { "sched_setaffinity", "sched_setattr",
                                         "sched_setparam", "sched_setscheduler" };
    const unsigned itself[] = { 0, self };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!allow_values(filter, names[i], 0, itself, 2))
            return false;
    for (size_t i = 0; i < 2; i++) {
        const struct scmp_arg_cmp compare[] = {
            SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, LOW, PRIO_PROCESS),
            SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, LOW, itself[i]),
        };
        if (!allow(filter, "setpriority", compare, 2))
            return false;
    }
    return true;
}

// Neither signals by way of a file (F_SETOWN, F_SETSIG, O_ASYNC) nor leases.
static bool allow_descriptors(scmp_filter_ctx filter)
{
    static const unsigned commands[] = {
        F_DUPFD,      F_DUPFD_CLOEXEC, F_GETFD,     F_SETFD,      F_GETFL,
        F_GETLK,      F_SETLK,         F_SETLKW,    F_OFD_GETLK,  F_OFD_SETLK,
        F_OFD_SETLKW, F_ADD_SEALS,     F_GET_SEALS, F_GETPIPE_SZ,
    };
    const struct scmp_arg_cmp set_flags[] = {
        SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, LOW, F_SETFL),
        SCMP_CMP64(2, SCMP_CMP_MASKED_EQ, O_ASYNC, 0),
    };
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "fcntl64" : "fcntl";
        if (!allow_values(filter, name, 1, commands,
                          sizeof commands / sizeof *commands) ||
            !allow(filter, name, set_flags, 2))
            return false;
    }
    return true;
}

// O_TRUNC without writing would cut a file before Linux 6.2's Landlock looked at it.
static bool allow_opening(scmp_filter_ctx filter)
{
    for (unsigned i = 0; i < 2; i++) {
        const char *name = i ? "openat" : "open";
        unsigned flags = i ? 2 : 1; // their place
        if (!allow_masked(filter, name, flags, O_TRUNC, 0) ||
            !allow_masked(filter, name, flags, O_ACCMODE, O_WRONLY) ||
            !allow_masked(filter, name, flags, O_ACCMODE, O_RDWR))
            return false;
    }
    return true;
}

// Kinds of ioctl, the second byte of their numbers, that are no GPU driver's. A
// terminal's would type commands into the caller's shell (TIOCSTI); file systems take
// theirs from who owns a file, even if it is open for reading alone.
static const uint8_t foreign_ioctls[] = {
    'T',  // terminals
    'X',  // attributes, snapshots and repairs: FS_IOC_FSSETXATTR, XFS
    'f',  // flags, verity, encryption: FS_IOC_SETFLAGS, ext4
    'r',  // FAT_IOCTL_SET_ATTRIBUTES
    'v',  // FS_IOC_SETVERSION
    0x94, // FICLONE, btrfs
    0x97, // Ceph
    0xae, // KVM
    0xf5, // F2FS
};

// Allows the kinds that have `kind`'s bits from `bit` upwards, but for the foreign
// ones: halves, and halves of halves, until none is in a part or nothing else.
static bool allow_kinds(scmp_filter_ctx filter, unsigned kind, unsigned bit)
{
    const unsigned mask = 0x100 - bit;
    bool mixed = false;
    for (size_t i = 0; i < sizeof foreign_ioctls; i++)
        mixed = mixed || (foreign_ioctls[i] & mask) == kind;
    if (!mixed)
        return allow_masked(filter, "ioctl", 1, mask << 8, kind << 8);
    return bit == 1 || (allow_kinds(filter, kind, bit / 2) &&
                        allow_kinds(filter, kind | bit / 2, bit / 2));
}

// Of terminals only questions.
static bool allow_ioctl(scmp_filter_ctx filter, enum gv_filter_who who)
{
    static const unsigned questions[] = { TCGETS,  TIOCGWINSZ, FIONREAD,
                                          FIONBIO, FIOCLEX,    FIONCLEX };
    return (who != GV_FILTER_DRIVER || allow_kinds(filter, 0, 0x100)) &&
           allow_values(filter, "ioctl", 1, questions,
                        sizeof questions / sizeof *questions);
}

// Names of threads and of memory; nothing of who dies with whom, or who may look.
static bool allow_prctl(scmp_filter_ctx filter)
{
    static const unsigned harmless[] = {
        PR_SET_NAME,
        PR_GET_NAME,
        PR_SET_VMA,
        PR_GET_SECCOMP,
        PR_GET_NO_NEW_PRIVS,
        PR_GET_DUMPABLE,
        PR_GET_PDEATHSIG,
        PR_SET_TIMERSLACK,
        PR_GET_TIMERSLACK,
        PR_CAPBSET_READ,
        PR_GET_TAGGED_ADDR_CTRL,
        PR_GET_SPECULATION_CTRL,
    };
    return SANITIZED || allow_values(filter, "prctl", 0, harmless,
                                     sizeof harmless / sizeof *harmless);
}

static bool fill(scmp_filter_ctx filter, const struct gv_filter_params *params)
{
    const enum gv_filter_who who = params->who;
    return allow_rows(filter, who) && allow_threads(filter) &&
           allow_itself(filter, params->self) &&
           (who != GV_FILTER_DRIVER || allow_scheduling(filter, params->self)) &&
           allow_descriptors(filter) && allow_opening(filter) &&
           allow_ioctl(filter, who) && allow_prctl(filter) &&
           allow_masked(filter, "sendmsg", 0, LOW, params->line);
}

// What the library writes: all of it is in the pipe, which holds more.
static bool take_program(int from, struct gv_filter_program *out)
{
    ptrdiff_t n = read(from, out->rows, sizeof out->rows);
    out->count = n > 0 ? (size_t)n / sizeof *out->rows : 0;
    return out->count > 0 && out->count < GV_FILTER_MOST;
}

static bool export_program(scmp_filter_ctx filter, struct gv_filter_program *out)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    bool ok = seccomp_export_bpf(filter, ends[1]) == 0 && take_program(ends[0], out);
    close(ends[0]);
    close(ends[1]);
    return ok;
}

bool gv_filter_make(const struct gv_filter_params *params,
                    struct gv_filter_program *out)
{
    scmp_filter_ctx filter = seccomp_init(params->refuse);
    bool ok = filter &&
              seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, params->refuse) == 0 &&
              fill(filter, params);
    // A tree of comparisons instead of a list; where the library cannot, a list.
    if (ok)
        seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    ok = ok && export_program(filter, out);
    seccomp_release(filter);
    return ok;
}
