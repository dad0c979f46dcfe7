// Bytes kept under keys: whole or not known, and no more of them than the limit.
#include "resources/keeper.h"
#include "tests/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT 10000u

static char root[] = "/tmp/gpuvm-test-keeper-XXXXXX";
static struct gv_folder_keeper keeper;

static const char *folder_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static struct gv_hash key_of(unsigned number)
{
    return gv_hash_bytes(&number, sizeof number);
}

static bool open_by(const char *maker, const char *folder)
{
    const struct gv_hash hash = gv_hash_bytes(maker, strlen(maker));
    return gv_folder_keeper_open(&keeper, folder_of(folder), &hash, LIMIT);
}

static void keep(unsigned number, const char *bytes, size_t size)
{
    const struct gv_hash key = key_of(number);
    keeper.keeper.keep(keeper.keeper.context, &key, (struct gv_span){ bytes, size });
}

static bool knows(unsigned number, const char *bytes, size_t size)
{
    const struct gv_hash key = key_of(number);
    struct gv_bytes out = { 0 };
    const bool ok = keeper.keeper.recall(keeper.keeper.context, &key, &out) &&
                    out.size == size && (!size || !memcmp(out.data, bytes, size));
    gv_bytes_finish(&out);
    return ok;
}

static size_t count_files(const char *folder)
{
    DIR *dir = opendir(folder_of(folder));
    size_t n = 0;
    for (const struct dirent *d; dir && (d = readdir(dir));)
        n += d->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return n;
}

// Changes the one file of a folder.
static void spoil(const char *folder, void (*how)(const char *path))
{
    char path[512];
    DIR *dir = opendir(folder_of(folder));
    for (const struct dirent *d; dir && (d = readdir(dir));)
        if (d->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%.64s", folder_of(folder), d->d_name);
            how(path);
        }
    if (dir)
        closedir(dir);
}

static void flip(const char *path)
{
    uint8_t byte = 0;
    int fd = open(path, O_RDWR);
    CHECK(pread(fd, &byte, 1, 3) == 1);
    byte ^= 1;
    CHECK(pwrite(fd, &byte, 1, 3) == 1);
    close(fd);
}

static void cut(const char *path)
{
    CHECK(truncate(path, 7) == 0);
}

static void empty(const char *path)
{
    CHECK(truncate(path, 0) == 0);
}

static void make_folder(const char *path)
{
    CHECK(unlink(path) == 0 && mkdir(path, 0700) == 0);
}

static void make_pipe(const char *path)
{
    CHECK(unlink(path) == 0 && mkfifo(path, 0600) == 0);
}

static void test_kept(void)
{
    CHECK(open_by("me", "kept/below"));
    CHECK(!knows(1, "abc", 3));
    keep(1, "abc", 3);
    keep(2, "", 0);
    CHECK(knows(1, "abc", 3) && knows(2, "", 0) && !knows(3, "", 0));
    keep(1, "defg", 4);
    CHECK(knows(1, "defg", 4));
    gv_folder_keeper_close(&keeper);
    CHECK(open_by("somebody else", "kept/below") && !knows(1, "defg", 4));
    CHECK(open_by("me", "kept/below") && knows(1, "defg", 4));
}

static void test_spoilt(void)
{
    static const struct {
        const char *name;
        void (*how)(const char *path);
    } cases[] = {
        { "flipped", flip },       { "cut", cut },        { "empty", empty },
        { "folder", make_folder }, { "pipe", make_pipe },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(open_by("me", cases[i].name));
        keep(1, "abcdefgh", 8);
        CHECK_ROW(cases[i].name, knows(1, "abcdefgh", 8));
        spoil(cases[i].name, cases[i].how);
        CHECK_ROW(cases[i].name, !knows(1, "abcdefgh", 8));
    }
}

static void test_places(void)
{
    const mode_t mask = umask(002);
    CHECK(open_by("me", "of groups/own")); // and not by them
    umask(mask);
    CHECK(open_by("me", "shared"));
    CHECK(chmod(folder_of("shared"), 0777) == 0);
    CHECK(!open_by("me", "shared"));
    CHECK(symlink("kept", folder_of("link")) == 0);
    CHECK(!open_by("me", "link"));
    CHECK(!open_by("me", "kept/below/../../../../../proc/none"));
    char deep[200];
    memset(deep, 'x', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    CHECK(open_by("me", "gone"));
    CHECK(rmdir(folder_of("gone")) == 0);
    keep(1, deep, sizeof deep); // nothing happens
    CHECK(!knows(1, deep, sizeof deep));
    gv_folder_keeper_close(&keeper);
}

// The oldest go, and none that are not its own.
static void test_limit(void)
{
    static const char bytes[984];
    const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
    char path[512];
    CHECK(open_by("me", "limit"));
    snprintf(path, sizeof path, "%s/mine.txt", folder_of("limit"));
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0 && ftruncate(fd, (off_t)10 * LIMIT) == 0 && futimens(fd, old) == 0);
    close(fd);
    for (unsigned i = 0; i < 10; i++)
        keep(i, bytes, sizeof bytes);
    gv_folder_keeper_close(&keeper);
    CHECK(count_files("limit") == 11); // 1000 bytes each: exactly the limit
    CHECK(open_by("me", "limit"));
    gv_folder_keeper_close(&keeper);
    CHECK(open_by("me", "limit"));
    keep(10, bytes, sizeof bytes);
    gv_folder_keeper_close(&keeper);
    CHECK(count_files("limit") == 6 && access(path, F_OK) == 0);
    CHECK(knows(10, bytes, sizeof bytes) && !knows(0, bytes, sizeof bytes));
}

// A run writes no more than may be there, and what others left half written goes.
static void test_runs(void)
{
    static const char bytes[984];
    const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
    char path[512];
    CHECK(open_by("me", "runs"));
    for (unsigned i = 0; i < 20; i++)
        keep(i, bytes, sizeof bytes);
    CHECK(count_files("runs") == 10 && knows(9, bytes, sizeof bytes));
    gv_folder_keeper_close(&keeper);
    CHECK(open_by("me", "runs"));
    snprintf(path, sizeof path, "%s/00112233445566778899aabbccddeeff.4711-0",
             folder_of("runs"));
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0 && ftruncate(fd, LIMIT) == 0 && futimens(fd, old) == 0);
    close(fd);
    keep(10, bytes, sizeof bytes);
    gv_folder_keeper_close(&keeper);
    CHECK(access(path, F_OK) != 0 && knows(10, bytes, sizeof bytes));
}

int main(void)
{
    CHECK(mkdtemp(root) != NULL);
    test_kept();
    test_spoilt();
    test_places();
    test_limit();
    test_runs();
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    CHECK(system(command) == 0);
    return TEST_RESULT();
}
