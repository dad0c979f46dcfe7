#define _GNU_SOURCE // memfd_create
#include "tools/store/token.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resources/base/path_kind.h"
#include "resources/base/write_all.h"

#define MOST_BYTES 8192 // resources/http/http_client.c takes no more

static bool copy(struct gv_fetch_params *params, const struct gv_file *file,
                 struct gv_error *err)
{
    int fd = memfd_create("gpuvm-token", MFD_CLOEXEC);
    if (fd < 0 || !gv_write_all(fd, file->data, file->size)) {
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "memfd_create: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    params->token_fd = fd;
    snprintf(params->token_path, sizeof params->token_path, "/proc/self/fd/%d", fd);
    params->token_file = params->token_path;
    return true;
}

bool gv_token_hold(struct gv_fetch_params *params, struct gv_error *err)
{
    struct gv_file file;
    struct gv_error why = GV_ERROR_INIT;
    const char *path = params->token_file;
    const enum gv_path_kind kind = path ? gv_path_kind(path) : GV_PATH_NOTHING;
    if (kind == GV_PATH_NOTHING || kind == GV_PATH_FILE)
        return true; // whoever reads it says what is wrong
    if (!gv_file_load(&file, path, MOST_BYTES, &why))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no token of %.64s: %s", path,
                       why.message);
    bool ok = copy(params, &file, err);
    gv_file_close(&file);
    return ok;
}

void gv_token_let_go(const struct gv_fetch_params *params)
{
    if (params->token_fd > 0)
        close(params->token_fd);
}
