// Pictures written beside the caller: their order, what fails first, how much waits.
#define _GNU_SOURCE // mkdtemp
#include "tools/picture/picture_queue.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "tests/test.h"

#define SIDE 256

static char folder[] = "/tmp/gpuvm-queue-XXXXXX";

static void path_of(char *path, size_t size, uint32_t i)
{
    snprintf(path, size, "%s/%u", folder, i);
}

// Noise, whose bytes tell its number.
static struct gv_picture make_picture(uint32_t seed, uint32_t side)
{
    struct gv_picture p = { side, side, malloc((size_t)side * side * 4) };
    for (size_t i = 0; p.rgba && i < (size_t)side * side * 4; i++) {
        seed = seed * 1664525u + 1013904223u;
        p.rgba[i] = (uint8_t)(seed >> 24);
    }
    return p;
}

static bool put(struct gv_picture_queue *q, uint32_t i, uint32_t seed,
                struct gv_error *err)
{
    char path[64];
    path_of(path, sizeof path, i);
    struct gv_picture p = make_picture(seed, SIDE);
    bool ok = gv_picture_queue_put(q, path, &p, i, err);
    CHECK(p.rgba == NULL); // taken over, whatever came of it
    return ok;
}

static bool exists(uint32_t i)
{
    char path[64];
    struct stat st;
    path_of(path, sizeof path, i);
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void remove_files(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char path[64];
        path_of(path, sizeof path, i);
        remove(path);
    }
}

static void check_many(enum gv_picture_format format)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_picture_queue *q = gv_picture_queue_create(format, &err);
    CHECK(q != NULL);
    for (uint32_t i = 0; i < 100; i++)
        CHECK(put(q, i % 50, i, &err)); // the second fifty overwrite the first
    gv_picture_queue_drain(q);
    CHECK(gv_picture_queue_ok(q, NULL, &err) && err.status == GV_OK);
    for (uint32_t i = 0; i < 50; i++) {
        char path[64];
        struct gv_file file = { 0 };
        struct gv_picture p = make_picture(50 + i, SIDE);
        struct gv_picture_encoder encoder = { 0 };
        const uint8_t *data;
        size_t size;
        path_of(path, sizeof path, i);
        CHECK(gv_picture_encode(&encoder, format, p.rgba, SIDE, SIDE, &data, &size,
                                &err));
        CHECK(gv_file_open(&file, path, &err) && file.size == size &&
              memcmp(file.data, data, size) == 0);
        gv_file_close(&file);
        gv_picture_encoder_finish(&encoder);
        gv_picture_finish(&p);
    }
    gv_picture_queue_destroy(q);
    remove_files(50);
}

// The second to fail must not be told, nor anything be written after the first.
static void check_failure(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_picture_queue *q = gv_picture_queue_create(GV_PICTURE_PNG, &err);
    char path[64];
    uint32_t frame = 0;
    for (uint32_t i = 5; i < 8; i++) {
        path_of(path, sizeof path, i);
        CHECK(mkdir(path, 0777) == 0); // no file can take its name
    }
    for (uint32_t i = 0; i < 39; i++)
        put(q, i, i, &err); // tells of the failure as soon as it is known
    gv_picture_queue_drain(q);
    err = (struct gv_error)GV_ERROR_INIT;
    CHECK(!put(q, 39, 39, &err) && err.status == GV_ERR_OUTPUT);
    // What the run died of meanwhile came later.
    err = (struct gv_error)GV_ERROR_INIT;
    gv_fail(&err, GV_ERR_LOST, GV_NO_OFFSET, "the device hangs");
    CHECK(!gv_picture_queue_ok(q, &frame, &err));
    CHECK(err.status == GV_ERR_OUTPUT && frame == 5);
    path_of(path, sizeof path, 5);
    CHECK(strstr(err.message, path) && strstr(err.message, "Is a directory"));
    for (uint32_t i = 0; i < 5; i++)
        CHECK(exists(i));
    for (uint32_t i = 8; i < 40; i++)
        CHECK(!exists(i));
    gv_picture_queue_destroy(q);
    remove_files(40);
}

// A disk that fills up: no half file is left.
static void check_full(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_picture_queue *q = gv_picture_queue_create(GV_PICTURE_RAW, &err);
    struct rlimit old, small;
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    small = old;
    small.rlim_cur = SIDE * SIDE * 4 - 1;
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    put(q, 0, 0, NULL);
    gv_picture_queue_drain(q);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(!gv_picture_queue_ok(q, NULL, &err));
    CHECK(err.status == GV_ERR_OUTPUT && strstr(err.message, folder));
    CHECK(!exists(0));
    CHECK(!put(q, 1, 1, &err) && !exists(1));
    gv_picture_queue_destroy(q);
    CHECK(rmdir(folder) == 0 && mkdir(folder, 0777) == 0); // no temporary left
}

// 256 MiB of noise, put much faster than it is packed; then one that is over the bound
// alone.
static void check_memory(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_picture_queue *q = gv_picture_queue_create(GV_PICTURE_PNG, &err);
    char path[64];
    path_of(path, sizeof path, 0);
    for (uint32_t i = 0; i < 65; i++) {
        bool large = i == 64;
        struct gv_picture p = make_picture(i, large ? 3072 : 1024);
        CHECK(gv_picture_queue_put(q, path, &p, i, &err));
    }
    struct stat st; // the large one was waited for
    CHECK(stat(path, &st) == 0 && st.st_size > 3072 * 3072 * 4);
    gv_picture_queue_destroy(q);
    remove_files(1);
#ifndef __SANITIZE_ADDRESS__ // which keeps freed memory
    struct rusage usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    CHECK(usage.ru_maxrss < 200 * 1024);
#endif
}

// What is under way is dropped by whoever does not drain.
static void check_destroy(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_picture_queue *q = gv_picture_queue_create(GV_PICTURE_PNG, &err);
    for (uint32_t i = 0; i < 30; i++)
        CHECK(put(q, i, i, &err));
    gv_picture_queue_destroy(q);
    gv_picture_queue_destroy(NULL);
    gv_picture_queue_destroy(gv_picture_queue_create(GV_PICTURE_PNG, &err)); // unused
    remove_files(30);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    check_many(GV_PICTURE_PNG);
    check_many(GV_PICTURE_PPM);
    check_many(GV_PICTURE_RAW);
    check_failure();
    check_full();
    check_memory();
    check_destroy();
    CHECK(rmdir(folder) == 0);
    return TEST_RESULT();
}
