#define _GNU_SOURCE // memfd_create, F_ADD_SEALS
#include "tools/run/export_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "resources/base/write_all.h"
#include "tools/output_file.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

static bool fill(int fd, const uint8_t *data, size_t size)
{
    return gv_write_all(fd, data, size) && fcntl(fd, F_ADD_SEALS, SEALS) == 0;
}

bool gv_export_pass(struct gv_child_line *line, unsigned number, const void *data,
                    size_t size, struct gv_error *err)
{
    int fd = memfd_create("gpuvm-export", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    bool ok = (fd >= 0 && fill(fd, data, size)) ||
              gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot pass an export: %s",
                      strerror(errno));
    ok = ok && gv_child_keep(line, number, fd, err);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool gv_export_write(const char *path, const void *data, size_t size,
                     struct gv_error *err)
{
    return gv_export_is_stdout(path) ? gv_output_file_put(path, data, size, err)
                                     : gv_file_write(path, data, size, err);
}

bool gv_export_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool gv_export_keep(const char *path, int passed, struct gv_error *err)
{
    int seals = passed < 0 ? -1 : fcntl(passed, F_GET_SEALS);
    off_t size = passed < 0 ? -1 : lseek(passed, 0, SEEK_END);
    if (seals < 0 || (seals & SEALS) != SEALS || size < 0)
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                       "cannot write %s: its bytes did not arrive", path);
    if (size == 0)
        return gv_export_write(path, "", 0, err);
    void *data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, passed, 0);
    if (data == MAP_FAILED)
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot write %s: %s", path,
                       strerror(errno));
    bool ok = gv_export_write(path, data, (size_t)size, err);
    munmap(data, (size_t)size);
    return ok;
}
