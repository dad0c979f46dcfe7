// Other processes: making them, looking into them, signals, priorities.
#define _GNU_SOURCE // syscall, CLONE_*, O_ASYNC
#include "tests/cli/ways_list.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

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
    struct iovec here = { &byte, 1 }, there = { (void *)gv_ways_folder, 1 };
    return refused(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}

static bool shut_writing_parent(void)
{
    char byte = 0;
    struct iovec here = { &byte, 1 }, there = { (void *)gv_ways_folder, 1 };
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

static const struct gv_way_out ways[] = {
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
};
const struct gv_ways gv_ways_to_processes = { ways, sizeof ways / sizeof *ways };
