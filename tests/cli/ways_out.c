#define _GNU_SOURCE // syscall, CLONE_*, O_ASYNC
#include "tests/cli/ways_out.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsverity.h>
#include <linux/kvm.h>
#include <linux/landlock.h>
#include <linux/random.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif

static char folder[512], victim[600], fresh[600];

void gv_ways_out_aim(const char *path)
{
    snprintf(folder, sizeof folder, "%s", path);
    snprintf(victim, sizeof victim, "%s/victim", folder);
    snprintf(fresh, sizeof fresh, "%s/fresh", folder);
}

unsigned gv_way_out_surroundings(void)
{
    unsigned have = SANITIZED ? 0 : GV_WAY_RELEASE;
    uint32_t action = SECCOMP_RET_ERRNO;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0)
        have |= GV_WAY_CALLS;
    long landlock =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (landlock > 0)
        have |= GV_WAY_FILES;
    if (landlock >= 5)
        have |= GV_WAY_DEVICES;
    return have;
}

// A call that came as far as its arguments says so by another error.
static bool refused(long result)
{
    return result == -1 && (errno == EPERM || errno == ENOSYS || errno == EACCES);
}

// Processes.

static bool shut_fork(void)
{
    long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return refused(pid);
}

static bool shut_clone3(void)
{
    uint64_t args[8] = { 0 };
    args[4] = SIGCHLD;
    long pid = syscall(SYS_clone3, args, sizeof args);
    if (pid == 0)
        _exit(0);
    return refused(pid);
}

static bool shut_vfork(void)
{
    long pid = syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return refused(pid);
}

static bool shut_execve(void)
{
    char *const none[] = { NULL };
    return refused(execve("/nonexistent", none, none));
}

static bool shut_execveat(void)
{
    return refused(syscall(SYS_execveat, -1, "", NULL, NULL, 0));
}

static bool shut_user_namespace(void)
{
    return refused(unshare(CLONE_NEWUSER));
}

static bool shut_thread_in_namespace(void)
{
    const long thread =
        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    // The kernel itself says EINVAL of the two together.
    return refused(syscall(SYS_clone, thread | CLONE_NEWUSER, 0, 0, 0, 0));
}

static bool shut_setns(void)
{
    return refused(setns(-1, 0));
}

static bool shut_ptrace(void)
{
    return refused(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
}

static bool shut_reading_parent(void)
{
    char byte;
    struct iovec here = { &byte, 1 }, there = { (void *)folder, 1 };
    return refused(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}

static bool shut_writing_parent(void)
{
    char byte = 0;
    struct iovec here = { &byte, 1 }, there = { (void *)folder, 1 };
    return refused(process_vm_writev(getppid(), &here, 1, &there, 1, 0));
}

static bool shut_proc(const char *name, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)getppid(), name);
    return refused(open(path, flags));
}

static bool shut_proc_mem(void)
{
    return shut_proc("mem", O_RDWR);
}

static bool shut_proc_mem_reading(void)
{
    return shut_proc("mem", O_RDONLY);
}

static bool shut_proc_environ(void)
{
    return shut_proc("environ", O_RDONLY);
}

static bool shut_proc_fd(void)
{
    return shut_proc("fd/1", O_RDONLY);
}

static bool shut_pidfd_open(void)
{
    return refused(syscall(SYS_pidfd_open, getppid(), 0));
}

static bool shut_pidfd_getfd(void)
{
    return refused(syscall(SYS_pidfd_getfd, -1, 0, 0));
}

static bool shut_pidfd_send_signal(void)
{
    return refused(syscall(SYS_pidfd_send_signal, -1, 0, NULL, 0));
}

static bool shut_kcmp(void)
{
    return refused(syscall(SYS_kcmp, getpid(), getppid(), 0, 0, 0));
}

static bool shut_kill_parent(void)
{
    return refused(kill(getppid(), 0));
}

static bool shut_kill_all(void)
{
    return refused(kill(-1, 0));
}

static bool shut_kill_group(void)
{
    return refused(kill(0, 0));
}

static bool shut_tgkill(void)
{
    return refused(syscall(SYS_tgkill, getppid(), getppid(), 0));
}

static bool shut_tkill(void)
{
    return refused(syscall(SYS_tkill, getppid(), 0));
}

static bool shut_sigqueue(void)
{
    return refused(sigqueue(getppid(), 0, (union sigval){ 0 }));
}

static bool shut_signal_owner(void)
{
    return refused(fcntl(-1, F_SETOWN, getppid()));
}

static bool shut_signal_choice(void)
{
    return refused(fcntl(-1, F_SETSIG, SIGKILL));
}

static bool shut_signal_files(void)
{
    return refused(fcntl(-1, F_SETFL, O_ASYNC));
}

static bool shut_parents_limits(void)
{
    return refused(prlimit(getppid(), RLIMIT_NOFILE, NULL, NULL));
}

// Priorities, harmless where they are not refused: what is set is what was.

static bool shut_parents_processors(void)
{
    cpu_set_t all;
    return sched_getaffinity(0, sizeof all, &all) == 0 &&
           refused(sched_setaffinity(getppid(), sizeof all, &all));
}

static bool shut_parents_scheduler(void)
{
    return refused(
        sched_setscheduler(getppid(), SCHED_OTHER, &(struct sched_param){ 0 }));
}

static bool shut_parents_scheduling(void)
{
    return refused(sched_setparam(getppid(), &(struct sched_param){ 0 }));
}

static bool shut_parents_attributes(void)
{
    const uint32_t attributes[12] = { sizeof attributes }; // of SCHED_OTHER
    return refused(syscall(SYS_sched_setattr, getppid(), attributes, 0));
}

static bool shut_parents_priority(void)
{
    return refused(setpriority(PRIO_PROCESS, (id_t)getppid(), 0));
}

static bool shut_groups_priority(void)
{
    return refused(setpriority(PRIO_PGRP, 0, 0));
}

static bool shut_users_priority(void)
{
    return refused(setpriority(PRIO_USER, 0, 0));
}

static bool shut_real_time(void)
{
    int result = sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ 1 });
    bool shut = refused(result);
    if (!shut)
        sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
    return shut;
}

static bool shut_leash(void)
{
    return refused(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
}

static bool shut_dumpable(void)
{
    return refused(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
}

static bool shut_tracer(void)
{
    return refused(prctl(PR_SET_PTRACER, -1, 0, 0, 0));
}

static bool shut_group(void)
{
    return refused(setpgid(0, getpgid(getppid())));
}

static bool shut_session(void)
{
    return refused(setsid());
}

// Other ways to other machines and processes.

static bool shut_socket(void)
{
    return refused(socket(AF_INET, SOCK_STREAM, 0));
}

static bool shut_unix_socket(void)
{
    return refused(socket(AF_UNIX, SOCK_STREAM, 0));
}

static bool shut_socketpair(void)
{
    int ends[2];
    return refused(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
}

static bool shut_sendmsg(void)
{
    return refused(sendmsg(2, &(struct msghdr){ 0 }, 0));
}

static bool shut_io_uring(void)
{
    return refused(syscall(SYS_io_uring_setup, 1, NULL));
}

static bool shut_io_uring_enter(void)
{
    return refused(syscall(SYS_io_uring_enter, -1, 0, 0, 0, NULL, 0));
}

static bool shut_shm(void)
{
    return refused(syscall(SYS_shmget, 0, 4096, 0));
}

static bool shut_message_queue(void)
{
    return refused(syscall(SYS_msgget, 0, 0));
}

static bool shut_typing(void)
{
    return refused(ioctl(-1, TIOCSTI, "x"));
}

// The kernel looks at 32 bits of a request.
static bool shut_typing_high(void)
{
    return refused(syscall(SYS_ioctl, -1, (1ul << 32) | TIOCSTI, "x"));
}

static bool shut_terminal_owner(void)
{
    return refused(ioctl(-1, TIOCSPGRP, NULL));
}

// Devices and file systems, by way of what is open for reading.

static bool shut_request(const char *path, unsigned long request)
{
    uint64_t argument[16] = { 0 };
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool shut = refused(ioctl(fd, request, argument));
    if (fd >= 0)
        close(fd);
    return shut;
}

static bool shut_file_flags(void)
{
    return shut_request(victim, FS_IOC_SETFLAGS);
}

static bool shut_file_project(void)
{
    return shut_request(victim, FS_IOC_FSSETXATTR);
}

static bool shut_file_version(void)
{
    return shut_request(victim, FS_IOC_SETVERSION);
}

static bool shut_clone(void)
{
    return shut_request(victim, FICLONE);
}

static bool shut_file_systems(void)
{
    static const unsigned long requests[] = {
        FS_IOC_ENABLE_VERITY,
        FS_IOC_SET_ENCRYPTION_POLICY,
        FIFREEZE,
        FIDEDUPERANGE,
        FS_IOC_SETFLAGS | 1ul << 32, // the kernel looks at 32 bits
        0x40047211,                  // FAT_IOCTL_SET_ATTRIBUTES
        0x40109702,                  // CEPH_IOC_SET_LAYOUT
        0x4004f50d,                  // F2FS_IOC_SET_PIN_FILE
        0x5000940e,                  // BTRFS_IOC_SUBVOL_CREATE
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (!refused(syscall(SYS_ioctl, -1, requests[i], NULL)))
            return false;
    return true;
}

static bool shut_kvm(void)
{
    return shut_request("/dev/kvm", KVM_GET_API_VERSION);
}

static bool shut_device(void)
{
    return shut_request("/dev/urandom", RNDGETENTCNT);
}

// The kernel.

static bool shut_bpf(void)
{
    return refused(syscall(SYS_bpf, 0, NULL, 0));
}

static bool shut_perf(void)
{
    return refused(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
}

static bool shut_userfaultfd(void)
{
    return refused(syscall(SYS_userfaultfd, ~0));
}

static bool shut_keyctl(void)
{
    return refused(syscall(SYS_keyctl, -1));
}

static bool shut_mount(void)
{
    return refused(syscall(SYS_mount, "", "", "", 0, NULL));
}

static bool shut_personality(void)
{
    return refused(syscall(SYS_personality, 0xffffffff));
}

static bool shut_handles(void)
{
    return refused(syscall(SYS_open_by_handle_at, -1, NULL, 0));
}

static bool shut_unknown(void)
{
    return refused(syscall(1000)) && errno == ENOSYS;
}

#if defined __x86_64__
static bool shut_x32(void)
{
    return refused(syscall(0x40000000 | SYS_getpid)) &&
           refused(syscall(0x40000000 | 520));
}

// Calls of the 32-bit machine, by its gate.
static long call_i386(long number, long argument)
{
    long result = number;
    __asm__ volatile("int $0x80"
                     : "+a"(result)
                     : "b"(argument), "c"(0L), "d"(0L)
                     : "memory", "r8", "r9", "r10", "r11");
    return result;
}

static bool shut_i386(void)
{
    long group = call_i386(132, 0), socket_call = call_i386(102, 1);
    return (group == -EPERM || group == -ENOSYS) &&
           (socket_call == -EPERM || socket_call == -ENOSYS);
}
#endif

// Files.

static bool shut_open(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd >= 0)
        close(fd);
    return refused(fd);
}

static bool shut_writing(void)
{
    return shut_open(victim, O_WRONLY);
}

static bool shut_reading_and_writing(void)
{
    return shut_open(victim, O_RDWR);
}

static bool shut_appending(void)
{
    return shut_open(victim, O_WRONLY | O_APPEND);
}

static bool shut_cutting_on_reading(void)
{
    return shut_open(victim, O_RDONLY | O_TRUNC);
}

static bool shut_making(void)
{
    return shut_open(fresh, O_WRONLY | O_CREAT);
}

static bool shut_nameless(void)
{
    return shut_open(folder, O_WRONLY | O_TMPFILE);
}

static bool shut_reopening(void)
{
    int fd = open(victim, O_RDONLY);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    bool shut = fd >= 0 && shut_open(path, O_RDWR);
    close(fd);
    return shut;
}

static bool shut_removing(void)
{
    return refused(unlink(victim));
}

static bool shut_renaming(void)
{
    return refused(rename(victim, fresh));
}

static bool shut_folder(void)
{
    return refused(mkdir(fresh, 0700));
}

static bool shut_symlink(void)
{
    return refused(symlink(victim, fresh));
}

static bool shut_link(void)
{
    return refused(link(victim, fresh));
}

static bool shut_fifo(void)
{
    return refused(mkfifo(fresh, 0600));
}

static bool shut_truncate(void)
{
    return refused(truncate(victim, 0));
}

static bool shut_chmod(void)
{
    return refused(chmod(victim, 0666));
}

static bool shut_fchmod(void)
{
    int fd = open(victim, O_RDONLY);
    bool shut = refused(fchmod(fd, 0666));
    close(fd);
    return shut;
}

static bool shut_chown(void)
{
    return refused(chown(victim, getuid(), getgid()));
}

static bool shut_times(void)
{
    return refused(utimensat(AT_FDCWD, victim, NULL, 0));
}

static bool shut_attributes(void)
{
    return refused(syscall(SYS_setxattr, victim, "user.x", "x", 1, 0));
}

#define CALL(name, function)         \
    {                                \
        name, function, GV_WAY_CALLS \
    }
#define OWN_CALL(name, function)                      \
    {                                                 \
        name, function, GV_WAY_CALLS | GV_WAY_RELEASE \
    }
#define FILE_WAY(name, function)     \
    {                                \
        name, function, GV_WAY_FILES \
    }
#define DEVICE_WAY(name, function)     \
    {                                  \
        name, function, GV_WAY_DEVICES \
    }

const struct gv_way_out gv_ways_out[] = {
    OWN_CALL("fork", shut_fork),
    CALL("fork by clone3", shut_clone3),
    OWN_CALL("vfork", shut_vfork),
    CALL("execve", shut_execve),
    CALL("execveat", shut_execveat),
    CALL("a user namespace", shut_user_namespace),
    OWN_CALL("a thread in a user namespace", shut_thread_in_namespace),
    CALL("setns", shut_setns),
    OWN_CALL("ptrace", shut_ptrace),
    CALL("process_vm_readv", shut_reading_parent),
    CALL("process_vm_writev", shut_writing_parent),
    FILE_WAY("/proc/PARENT/mem", shut_proc_mem),
    FILE_WAY("/proc/PARENT/mem, reading", shut_proc_mem_reading),
    FILE_WAY("/proc/PARENT/environ", shut_proc_environ),
    FILE_WAY("/proc/PARENT/fd", shut_proc_fd),
    CALL("pidfd_open", shut_pidfd_open),
    CALL("pidfd_getfd", shut_pidfd_getfd),
    CALL("pidfd_send_signal", shut_pidfd_send_signal),
    CALL("kcmp", shut_kcmp),
    CALL("kill the parent", shut_kill_parent),
    CALL("kill all", shut_kill_all),
    CALL("kill the group", shut_kill_group),
    CALL("tgkill", shut_tgkill),
    CALL("tkill", shut_tkill),
    CALL("sigqueue", shut_sigqueue),
    CALL("F_SETOWN", shut_signal_owner),
    CALL("F_SETSIG", shut_signal_choice),
    CALL("O_ASYNC", shut_signal_files),
    CALL("the parent's limits", shut_parents_limits),
    CALL("the parent's processors", shut_parents_processors),
    CALL("the parent's scheduler", shut_parents_scheduler),
    CALL("the parent's scheduling", shut_parents_scheduling),
    CALL("the parent's scheduling attributes", shut_parents_attributes),
    CALL("the parent's priority", shut_parents_priority),
    CALL("the group's priority", shut_groups_priority),
    CALL("the user's priority", shut_users_priority),
    CALL("real time", shut_real_time),
    OWN_CALL("outliving the parent", shut_leash),
    OWN_CALL("dumpable", shut_dumpable),
    OWN_CALL("a tracer", shut_tracer),
    CALL("the parent's group", shut_group),
    CALL("setsid", shut_session),
    CALL("socket", shut_socket),
    CALL("unix socket", shut_unix_socket),
    CALL("socketpair", shut_socketpair),
    CALL("sendmsg", shut_sendmsg),
    CALL("io_uring_setup", shut_io_uring),
    CALL("io_uring_enter", shut_io_uring_enter),
    CALL("shmget", shut_shm),
    CALL("msgget", shut_message_queue),
    CALL("TIOCSTI", shut_typing),
    CALL("TIOCSTI with high bits", shut_typing_high),
    CALL("TIOCSPGRP", shut_terminal_owner),
    CALL("FS_IOC_SETFLAGS", shut_file_flags),
    CALL("FS_IOC_FSSETXATTR", shut_file_project),
    CALL("FS_IOC_SETVERSION", shut_file_version),
    CALL("FICLONE", shut_clone),
    CALL("ioctls of file systems", shut_file_systems),
    CALL("/dev/kvm", shut_kvm),
    DEVICE_WAY("a device that is no GPU", shut_device),
    CALL("bpf", shut_bpf),
    CALL("perf_event_open", shut_perf),
    CALL("userfaultfd", shut_userfaultfd),
    CALL("keyctl", shut_keyctl),
    CALL("mount", shut_mount),
    CALL("personality", shut_personality),
    CALL("open_by_handle_at", shut_handles),
    CALL("a number without a call", shut_unknown),
#if defined __x86_64__
    CALL("x32", shut_x32),
    CALL("i386", shut_i386),
#endif
    FILE_WAY("writing a file", shut_writing),
    FILE_WAY("reading and writing a file", shut_reading_and_writing),
    FILE_WAY("appending to a file", shut_appending),
    CALL("O_TRUNC on reading", shut_cutting_on_reading),
    FILE_WAY("making a file", shut_making),
    FILE_WAY("making a nameless file", shut_nameless),
    FILE_WAY("opening a file again for writing", shut_reopening),
    FILE_WAY("removing a file", shut_removing),
    FILE_WAY("renaming a file", shut_renaming),
    FILE_WAY("making a folder", shut_folder),
    CALL("symlink", shut_symlink),
    CALL("link", shut_link),
    CALL("mkfifo", shut_fifo),
    CALL("truncate", shut_truncate),
    CALL("chmod", shut_chmod),
    CALL("fchmod", shut_fchmod),
    CALL("chown", shut_chown),
    CALL("utimensat", shut_times),
    CALL("setxattr", shut_attributes),
};
const size_t gv_way_out_count = sizeof gv_ways_out / sizeof *gv_ways_out;
