// Sockets and other ways to talk, terminals, devices, what only the kernel should do.
#define _GNU_SOURCE // syscall, CLONE_*, O_ASYNC
#include "tests/cli/ways_list.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsverity.h>
#include <linux/kvm.h>
#include <linux/random.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

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
    return shut_request(gv_ways_victim, FS_IOC_SETFLAGS);
}

static bool shut_file_project(void)
{
    return shut_request(gv_ways_victim, FS_IOC_FSSETXATTR);
}

static bool shut_file_version(void)
{
    return shut_request(gv_ways_victim, FS_IOC_SETVERSION);
}

static bool shut_clone(void)
{
    return shut_request(gv_ways_victim, FICLONE);
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

static sigjmp_buf no_gate;
static void gate_faults(int signal)
{
    (void)signal;
    siglongjmp(no_gate, 1);
}

// A kernel without that machine has no gate: it faults.
static bool shut_i386(void)
{
    const struct sigaction faults = { .sa_handler = gate_faults };
    struct sigaction before;
    volatile bool shut = true;
    sigaction(SIGSEGV, &faults, &before);
    if (!sigsetjmp(no_gate, 1)) {
        long group = call_i386(132, 0), socket_call = call_i386(102, 1);
        shut = (group == -EPERM || group == -ENOSYS) &&
               (socket_call == -EPERM || socket_call == -ENOSYS);
    }
    sigaction(SIGSEGV, &before, NULL);
    return shut;
}
#endif

static const struct gv_way_out ways[] = {
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
};
const struct gv_ways gv_ways_to_kernel = { ways, sizeof ways / sizeof *ways };
