// Files: mapped or read, replaced as a whole, folders made; errors say which and why.
#include "resources/base/file.h"
#include "resources/base/temporary.h"
#include "tests/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/gpuvm-test-file-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void test_write_and_map(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_file file;
    CHECK(gv_file_write(in_folder("a"), "first", 5, &err));
    CHECK(gv_file_write(in_folder("a"), "second one", 10, &err)); // replaces
    CHECK(gv_file_open(&file, in_folder("a"), &err));
    CHECK(file.mapped && file.size == 10 && memcmp(file.data, "second one", 10) == 0);
    gv_file_close(&file);
    CHECK(!file.data);
}

static const struct {
    const char *name;
    mode_t mask, before, after; // permissions of the file there was, and the result
} modes[] = {
    { "mask_022", 022, 0, 0644 },
    { "mask_077", 077, 0, 0600 },
    { "mask_002", 002, 0, 0664 },
    { "kept", 022, 0640, 0640 },
};

static void test_permissions(void)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct stat st;
        mode_t mask = umask(modes[i].mask);
        if (modes[i].before) {
            CHECK(gv_file_write(in_folder(modes[i].name), "x", 1, &err));
            CHECK(chmod(in_folder(modes[i].name), modes[i].before) == 0);
        }
        CHECK_ROW(modes[i].name, gv_file_write(in_folder(modes[i].name), "y", 1, &err));
        umask(mask);
        CHECK_ROW(modes[i].name, stat(in_folder(modes[i].name), &st) == 0 &&
                                     (st.st_mode & 0777) == modes[i].after);
    }
}

// Links stay; what they name is written, made if need be.
static void test_links(void)
{
    static const char *const names[] = { "there", "nowhere" };
    struct gv_error err = GV_ERROR_INIT;
    CHECK(gv_file_write(in_folder("there"), "old", 3, &err));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct stat st;
        struct gv_file file = { 0 };
        CHECK_ROW(names[i], symlink(names[i], in_folder("link")) == 0);
        CHECK_ROW(names[i], gv_file_write(in_folder("link"), "new", 3, &err));
        CHECK_ROW(names[i], lstat(in_folder("link"), &st) == 0 && S_ISLNK(st.st_mode));
        CHECK_ROW(names[i], gv_file_open(&file, in_folder(names[i]), &err) &&
                                file.size == 3 && memcmp(file.data, "new", 3) == 0);
        gv_file_close(&file);
        CHECK(unlink(in_folder("link")) == 0);
    }
}

static void test_empty(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_file file;
    CHECK(gv_file_write(in_folder("empty"), NULL, 0, &err));
    CHECK(gv_file_open(&file, in_folder("empty"), &err));
    CHECK(file.data && file.size == 0 && !file.mapped);
    gv_file_close(&file);
}

static void test_missing(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_file file;
    CHECK(!gv_file_open(&file, in_folder("missing"), &err));
    CHECK(err.status == GV_ERR_NOT_FOUND && strstr(err.message, "missing"));
    gv_error_clear(&err);
    CHECK(!gv_file_open(&file, folder, &err) && err.status == GV_ERR_NOT_FOUND);
    CHECK(strstr(err.message, "is a folder") != NULL);
    gv_error_clear(&err);
    CHECK(!gv_file_write(in_folder("no/such/a"), "x", 1, &err));
    CHECK(err.status == GV_ERR_OUTPUT);
}

static void test_pipe(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_file file;
    static char data[50000];
    for (int limit = 49999; limit <= 50000; limit++) {
        int ends[2];
        gv_error_clear(&err);
        CHECK(pipe(ends) == 0);
        CHECK(write(ends[1], data, sizeof data) == sizeof data);
        close(ends[1]);
        bool ok = gv_file_read_fd(&file, ends[0], (size_t)limit, &err);
        CHECK(ok == (limit == 50000));
        CHECK(ok ? file.size == 50000 && !file.mapped : err.status == GV_ERR_LIMIT);
        gv_file_close(&file);
        close(ends[0]);
    }
}

// What programs keep for themselves is a regular file or nothing.
static void test_load_regular(void)
{
    static const struct {
        const char *name;
        size_t limit;
        enum gv_status status;
    } rows[] = {
        { "kept", 5, GV_OK },
        { "kept", 4, GV_ERR_LIMIT },
        { "waits", 5, GV_ERR_SYSTEM },
        { "endless", 5, GV_ERR_SYSTEM },
        { "none", 5, GV_ERR_NOT_FOUND },
        { "", 5, GV_ERR_SYSTEM },
    };
    CHECK(gv_file_keep(in_folder("kept"), "bytes", 5, NULL));
    CHECK(mkfifo(in_folder("waits"), 0600) == 0);
    CHECK(symlink("/dev/zero", in_folder("endless")) == 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_file file;
        const char *path = in_folder(rows[i].name);
        CHECK_ROW(path, gv_file_load_regular(&file, path, rows[i].limit, &err) ==
                            (rows[i].status == GV_OK));
        CHECK_ROW(path, err.status == rows[i].status);
        gv_file_close(&file);
        gv_error_clear(&err);
        if (rows[i].status == GV_ERR_SYSTEM) {
            CHECK_ROW(path, !gv_file_keep(path, "bytes", 5, &err));
            CHECK_ROW(path, err.status == GV_ERR_OUTPUT);
        }
    }
}

// Something that is no file stays what it is.
static void test_write_to_pipe(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct stat st;
    char read_back[4] = "";
    CHECK(mkfifo(in_folder("fifo"), 0600) == 0);
    int fd = open(in_folder("fifo"), O_RDONLY | O_NONBLOCK);
    CHECK(gv_file_write(in_folder("fifo"), "abc", 3, &err));
    CHECK(read(fd, read_back, 3) == 3 && memcmp(read_back, "abc", 3) == 0);
    CHECK(stat(in_folder("fifo"), &st) == 0 && S_ISFIFO(st.st_mode));
    close(fd);
    CHECK(!gv_file_write(folder, "abc", 3, &err) && err.status == GV_ERR_OUTPUT);
}

static void test_folders(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct stat st;
    CHECK(gv_make_folders(in_folder("x/y/z"), &err));
    CHECK(stat(in_folder("x/y/z"), &st) == 0 && S_ISDIR(st.st_mode));
    CHECK(gv_make_folders(in_folder("x/y/z"), &err));
    CHECK(!gv_make_folders(in_folder("a/b"), &err) && err.status == GV_ERR_OUTPUT);
    err = (struct gv_error)GV_ERROR_INIT;
    CHECK(!gv_make_folders("", &err) && err.status == GV_ERR_OUTPUT);
}

static size_t count_files(void)
{
    size_t count = 0;
    DIR *all = opendir(folder);
    while (all && readdir(all))
        count++;
    if (all)
        closedir(all);
    return count;
}

// Names as long as there can be, of letters of one to four bytes: the temporary's is
// made of whole ones.
static void test_long_names(void)
{
    static const char *const letters[] = { "a", "\xc3\xa4", "\xe2\x82\xac",
                                           "\xf0\x9f\x98\x80" };
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        for (size_t length = 225; length <= 256; length++) {
            char name[300] = "";
            struct gv_error err = GV_ERROR_INIT;
            while (strlen(name) + strlen(letters[i]) <= length)
                strcat(name, letters[i]);
            const size_t before = count_files();
            const bool fits = strlen(name) <= 255;
            CHECK_ROW(name, gv_file_write(in_folder(name), "x", 1, &err) == fits);
            CHECK_ROW(name, fits || err.status == GV_ERR_OUTPUT);
            CHECK_ROW(name, count_files() == before + fits);
            unlink(in_folder(name));
        }
    char temporary[600], name[300] = "";
    while (strlen(name) <= 255 - 4)
        strcat(name, letters[3]);
    int fd = gv_temporary_beside(in_folder(name), temporary, 0600);
    const char *cut = strrchr(temporary, '/') + 1;
    CHECK(fd >= 0 && strlen(cut) <= 255 && strspn(cut, letters[3]) % 4 == 0);
    gv_temporary_remove(temporary);
    close(fd);
}

// The folder is moved, and a link to another takes its place: what was begun there
// goes.
static void test_moved_folder(void)
{
    char temporary[600], place[512], moved[512];
    snprintf(place, sizeof place, "%s", in_folder("place/x"));
    snprintf(moved, sizeof moved, "%s", in_folder("moved"));
    CHECK(mkdir(in_folder("place"), 0777) == 0 && mkdir(in_folder("other"), 0777) == 0);
    int fd = gv_temporary_beside(place, temporary, 0666);
    CHECK(fd >= 0 && access(temporary, F_OK) == 0);
    CHECK(rename(in_folder("place"), moved) == 0);
    CHECK(symlink("other", in_folder("place")) == 0);
    CHECK(rmdir(moved) != 0); // it is in there
    gv_temporary_remove(temporary);
    CHECK(rmdir(moved) == 0);
    close(fd);
}

int main(void)
{
    char command[64];
    CHECK(mkdtemp(folder) != NULL);
    test_write_and_map();
    test_permissions();
    test_links();
    test_empty();
    test_missing();
    test_pipe();
    test_load_regular();
    test_write_to_pipe();
    test_folders();
    test_long_names();
    test_moved_folder();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return TEST_RESULT();
}
