#include "tools/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "resources/base/in_place.h"
#include "resources/base/temporary.h"
#include "tools/base/report.h"

static bool fail_write(const struct gv_output_file *out, struct gv_error *err)
{
    if (!out->path)
        return gv_fail_stdout(err);
    return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot write %s: %s", out->path,
                   strerror(errno));
}

const char *gv_output_name(const char *path)
{
    struct stat st, standard;
    if (!path || stat(path, &st) != 0 || fstat(STDOUT_FILENO, &standard) != 0 ||
        st.st_dev != standard.st_dev || st.st_ino != standard.st_ino)
        return path;
    return S_ISCHR(st.st_mode) && !isatty(STDOUT_FILENO) ? path : "-";
}

bool gv_output_file_init(struct gv_output_file *out, const char *path,
                         struct gv_error *err)
{
    *out = (struct gv_output_file){ 0 };
    if (!path)
        return gv_out_of_memory(err);
    if (!path[0])
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                       "an output file needs a name, or -");
    if (strcmp(path, "-") == 0)
        return true;
    out->path = path;
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return true;
    // Beside what a link names: a link stays one.
    out->place = gv_file_place(path, err);
    if (!out->place)
        return false;
    out->temporary = malloc(strlen(out->place) + GV_TEMPORARY_ROOM);
    return out->temporary || gv_out_of_memory(err);
}

void gv_output_file_finish(struct gv_output_file *out)
{
    if (out->file && out->path)
        fclose(out->file);
    if (out->made)
        gv_temporary_remove(out->temporary);
    free(out->temporary);
    free(out->place);
    *out = (struct gv_output_file){ 0 };
}

bool gv_output_file_open(struct gv_output_file *out, struct gv_error *err)
{
    if (!out->path) {
        out->file = stdout;
        return true;
    }
    int fd = out->temporary ? gv_file_begin(out->place, out->temporary)
                            : gv_open_in_place(out->path, err);
    if (fd < 0) {
        if (out->temporary)
            fail_write(out, err);
        return false;
    }
    out->made = out->temporary != NULL;
    out->file = fdopen(fd, "wb");
    if (!out->file)
        close(fd);
    return out->file || fail_write(out, err);
}

bool gv_output_file_write(void *output_file, const void *data, size_t size,
                          struct gv_error *err)
{
    const struct gv_output_file *out = output_file;
    bool written = fwrite(data, 1, size, out->file) == size;
    if (written && out->at_once)
        written = fflush(out->file) == 0;
    return written || fail_write(out, err);
}

bool gv_output_file_close(struct gv_output_file *out, struct gv_error *err)
{
    int failed;
    if (out->path)
        failed = fclose(out->file);
    else
        failed = fflush(out->file);
    out->file = NULL;
    return !failed || fail_write(out, err);
}

bool gv_output_file_keep(struct gv_output_file *out, struct gv_error *err)
{
    if (!out->made)
        return true; // it has its name
    if (rename(out->temporary, out->place) != 0)
        return fail_write(out, err);
    gv_temporary_forget(out->temporary);
    out->made = false;
    return true;
}

bool gv_output_file_put(const char *path, const void *data, size_t size,
                        struct gv_error *err)
{
    struct gv_output_file out = { 0 };
    bool ok = gv_output_file_init(&out, path, err) && gv_output_file_open(&out, err) &&
              gv_output_file_write(&out, data, size, err) &&
              gv_output_file_close(&out, err) && gv_output_file_keep(&out, err);
    gv_output_file_finish(&out);
    return ok;
}
