#define _GNU_SOURCE // syscall, O_PATH
#include "tools/sandbox/landlock.h"

#include <fcntl.h>
#include <glob.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's numbers, which headers older than the kernel lack.
#define RIGHT_TRUNCATE (1ull << 14) // from ABI 3
#define RIGHT_IOCTL (1ull << 15)    // from ABI 5: of devices
#define SCOPE_SIGNAL (1ull << 1)    // from ABI 6
struct ruleset {
    uint64_t files, ports, scopes;
};

#define FILE_RIGHTS (LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE)
#define FOLDER_RIGHTS                                                               \
    (FILE_RIGHTS | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |                    \
     LANDLOCK_ACCESS_FS_REFER)
#define NOBODYS_RIGHTS                                              \
    (LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK |  \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | \
     LANDLOCK_ACCESS_FS_MAKE_SYM)

// What a GPU driver opens for writing and asks by ioctl, also long after it has come
// up. Patterns of glob.
static const char *const device_nodes[] = {
    "/dev/null",          "/dev/zero",  "/dev/dri/*",   "/dev/nvidia*",
    "/dev/nvidia-caps/*", "/dev/kfd",   "/dev/udmabuf", "/dev/dma_heap/*",
    "/dev/sw_sync",       "/dev/dxg",   "/dev/mali*",   "/dev/kgsl*",
    "/dev/nvhost*",       "/dev/nvmap", "/dev/nvgpu/*", "/dev/pvr*",
    "/dev/galcore",
};

static int create(uint64_t *handled)
{
    long abi =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1)
        return -1;
    struct ruleset set = { .files = FOLDER_RIGHTS | NOBODYS_RIGHTS };
    if (abi < 2)
        set.files &= ~(uint64_t)LANDLOCK_ACCESS_FS_REFER; // refused anyway
    if (abi < 3)
        set.files &= ~(uint64_t)RIGHT_TRUNCATE;
    if (abi >= 5)
        set.files |= RIGHT_IOCTL;
    if (abi >= 6)
        set.scopes = SCOPE_SIGNAL;
    *handled = set.files;
    size_t size = abi >= 6 ? sizeof set : sizeof set.files;
    return (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
}

// `further` rights beside those of writing.
static void allow(int rules, uint64_t handled, const char *path, uint64_t further)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0) {
        uint64_t rights = S_ISDIR(st.st_mode) ? FOLDER_RIGHTS : FILE_RIGHTS;
        const struct landlock_path_beneath_attr rule = {
            .allowed_access = (rights | further) & handled,
            .parent_fd = fd,
        };
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(fd);
}

static void allow_devices(int rules, uint64_t handled)
{
    glob_t found = { 0 };
    for (size_t i = 0; i < sizeof device_nodes / sizeof *device_nodes; i++)
        glob(device_nodes[i], i ? GLOB_APPEND : 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        allow(rules, handled, found.gl_pathv[i], RIGHT_IOCTL);
    globfree(&found);
}

bool gv_landlock_enter(const char *const *paths, size_t count, bool devices)
{
    uint64_t handled = 0;
    int rules = create(&handled);
    if (rules < 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (paths[i])
            allow(rules, handled, paths[i], 0);
    if (devices)
        allow_devices(rules, handled);
    bool ok = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
              syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return ok;
}
