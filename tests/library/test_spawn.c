// Replays in a child, by a program that links the library's objects; spawn.sh compares
// what it prints with what the command line says. GPUVM_PLAYER names the child.
//   test_spawn hashes PAYLOAD     a line per frame, as `run --hash xxh3-rgba` has them
//   test_spawn error PAYLOAD      "STATUS WORD MESSAGE" of what cannot be opened
//   test_spawn endless PAYLOAD    the same of one that hangs the device
//   test_spawn thin PAYLOAD STORE by a folder of this process, and by none
//   test_spawn same PAYLOAD       all functions against a replay of this process
//   test_spawn ends PAYLOAD       children that are killed, in all that they do
#define _GNU_SOURCE // memfd_create
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "resources/hash.h"
#include "tests/test.h"
#include "tools/leak_check.h"
#include "tools/library/gpuvm.h"

static struct gpuvm_settings plain(void)
{
    return (struct gpuvm_settings){ .size = sizeof(struct gpuvm_settings),
                                    .timeout_ms = 60000 };
}

static gpuvm_replay *spawn(const char *path, const struct gpuvm_settings *settings)
{
    struct gpuvm_error error;
    const struct gpuvm_spawn_params params = { .size = sizeof params, .path = path };
    gpuvm_replay *replay = gpuvm_spawn(&params, settings, &error);
    if (!replay) {
        printf("%s: %s\n", path, error.message);
        exit(EXIT_FAILURE); // nothing else can be tested
    }
    return replay;
}

// ---- what spawn.sh compares ----

static void print_hashes(const char *path)
{
    const struct gpuvm_settings settings = plain();
    gpuvm_replay *replay = spawn(path, &settings);
    const uint64_t count = gpuvm_frame_count(gpuvm_replay_payload(replay));
    for (uint64_t i = 0; i < count; i++) {
        struct gpuvm_picture picture;
        char hex[GV_HASH_HEX];
        CHECK(gpuvm_run_to_frame(replay, i, NULL) == GPUVM_OK);
        CHECK(gpuvm_get_picture(replay, &picture, NULL) == GPUVM_OK);
        const struct gv_hash hash =
            gv_hash_bytes(picture.rgba, (size_t)picture.width * picture.height * 4);
        gv_hash_to_hex(&hash, hex);
        printf("frame\t%" PRIu64 "\t%ux%u\txxh3-rgba:%s\n", i, picture.width,
               picture.height, hex);
    }
    gpuvm_replay_close(replay);
}

static void print_status(const struct gpuvm_error *error)
{
    printf("%d %s %s\n", error->status, gpuvm_status_word(error->status),
           error->message);
}

static void print_error(const char *path)
{
    struct gpuvm_error error;
    const struct gpuvm_settings settings = plain();
    const struct gpuvm_spawn_params params = { .size = sizeof params, .path = path };
    CHECK(!gpuvm_spawn(&params, &settings, &error));
    print_status(&error);
}

static void print_endless(const char *path)
{
    struct gpuvm_error error;
    struct gpuvm_settings settings = plain();
    settings.timeout_ms = 1000;
    gpuvm_replay *replay = spawn(path, &settings);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_LOST);
    print_status(&error);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_LOST);
    CHECK(strcmp(error.message, "the device was lost before") == 0);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0); // nothing is left running
    gpuvm_replay_close(replay);
}

// ---- sources ----

static int run_thin(const char *path, gpuvm_source *const *sources, size_t count,
                    struct gpuvm_error *error)
{
    struct gpuvm_settings settings = plain();
    settings.sources = sources;
    settings.source_count = count;
    gpuvm_replay *replay = spawn(path, &settings);
    CHECK(gpuvm_is_thin(gpuvm_replay_payload(replay)));
    const int status = gpuvm_run_to_end(replay, error);
    gpuvm_replay_close(replay);
    return status;
}

static int fetch_fails(void *context, const char *name, void *data, uint64_t size)
{
    (void)context;
    (void)name;
    memset(data, 0, (size_t)size);
    return -1;
}

static int fetch_damaged(void *context, const char *name, void *data, uint64_t size)
{
    (void)context;
    (void)name;
    memset(data, 0, (size_t)size);
    return 1;
}

static void check_thin(const char *path, const char *folder)
{
    struct gpuvm_error error;
    gpuvm_source *good = gpuvm_source_folder(folder, &error);
    gpuvm_source *broken = gpuvm_source_callback(fetch_fails, NULL, &error);
    gpuvm_source *damaged = gpuvm_source_callback(fetch_damaged, NULL, &error);
    CHECK(run_thin(path, NULL, 0, &error) == GPUVM_FETCH);
    CHECK(strncmp(error.message, "frame 0: no source has the object", 33) == 0);
    CHECK(run_thin(path, &good, 1, &error) == GPUVM_OK);
    CHECK(run_thin(path, &broken, 1, &error) == GPUVM_FETCH);
    CHECK(strstr(error.message, "the host could not fetch"));
    CHECK(run_thin(path, &damaged, 1, &error) == GPUVM_FETCH);
    CHECK(strstr(error.message, "arrived damaged from the host"));
    gpuvm_source_destroy(good);
    gpuvm_source_destroy(broken);
    gpuvm_source_destroy(damaged);
}

// ---- against a replay of this process ----

static void same_picture(gpuvm_replay *a, gpuvm_replay *b)
{
    struct gpuvm_picture p, q;
    CHECK(gpuvm_get_picture(a, &p, NULL) == GPUVM_OK);
    CHECK(gpuvm_get_picture(b, &q, NULL) == GPUVM_OK);
    CHECK(p.width == q.width && p.height == q.height && !p.rgba == !q.rgba);
    CHECK(!p.rgba || memcmp(p.rgba, q.rgba, (size_t)p.width * p.height * 4) == 0);
}

// Both fail, with the same words.
static void same_error(int a, const struct gpuvm_error *e, int b,
                       const struct gpuvm_error *f)
{
    CHECK(a != GPUVM_OK && a == b && a == e->status && b == f->status);
    CHECK(e->offset == f->offset && e->command == f->command);
    CHECK(strcmp(e->message, f->message) == 0);
}

static void same_facts(const gpuvm_payload *a, const gpuvm_payload *b)
{
    CHECK(gpuvm_frame_count(a) == gpuvm_frame_count(b));
    CHECK(gpuvm_command_count(a) == gpuvm_command_count(b));
    CHECK(gpuvm_export_count(a) == gpuvm_export_count(b));
    CHECK(gpuvm_is_thin(a) == gpuvm_is_thin(b));
    for (uint64_t i = 0; i <= gpuvm_frame_count(a); i++) {
        struct gpuvm_frame f, g;
        CHECK(gpuvm_frame_info(a, i, &f) == gpuvm_frame_info(b, i, &g));
        CHECK(memcmp(&f, &g, sizeof f) == 0);
    }
    for (uint64_t i = 0; i < gpuvm_export_count(a); i++)
        CHECK(strcmp(gpuvm_export_name(a, i), gpuvm_export_name(b, i)) == 0);
    CHECK(!gpuvm_export_name(b, gpuvm_export_count(b)));
}

static void same_exports(gpuvm_replay *a, gpuvm_replay *b)
{
    const gpuvm_payload *payload = gpuvm_replay_payload(a);
    for (uint64_t i = 0; i < gpuvm_export_count(payload); i++) {
        struct gpuvm_export e, f;
        const char *name = gpuvm_export_name(payload, i);
        CHECK(gpuvm_get_export(a, name, &e, NULL) == GPUVM_OK);
        CHECK(gpuvm_get_export(b, name, &f, NULL) == GPUVM_OK);
        CHECK(e.size > 0 && e.size == f.size && memcmp(e.data, f.data, e.size) == 0);
        CHECK(e.format == f.format && e.width == f.width && e.height == f.height);
    }
}

static void same_misuse(gpuvm_replay *a, gpuvm_replay *b)
{
    struct gpuvm_error e, f;
    struct gpuvm_picture picture;
    struct gpuvm_export bytes;
    struct gpuvm_image image;
    same_error(gpuvm_get_picture(a, &picture, &e), &e,
               gpuvm_get_picture(b, &picture, &f), &f);
    same_error(gpuvm_get_export(a, "none", &bytes, &e), &e,
               gpuvm_get_export(b, "none", &bytes, &f), &f);
    same_error(gpuvm_run_to_frame(a, UINT64_MAX, &e), &e,
               gpuvm_run_to_frame(b, UINT64_MAX, &f), &f);
    same_error(gpuvm_run_to_command(a, UINT64_MAX, &e), &e,
               gpuvm_run_to_command(b, UINT64_MAX, &f), &f);
    CHECK(gpuvm_get_image(b, &image, &f) == GPUVM_USAGE && image.width == 0);
    CHECK(strstr(f.message, "images of a child's device"));
}

static int stop_at_third(void *context, uint64_t frame, uint64_t count)
{
    int *seen = context;
    CHECK(frame < count);
    return ++*seen == 3;
}

static void note_line(void *context, int level, const char *text)
{
    (void)context;
    CHECK(level >= GPUVM_DEBUG && level <= GPUVM_WARNING && text[0]);
}

static void check_progress(const char *path)
{
    struct gpuvm_error error;
    struct gpuvm_settings settings = plain();
    int seen = 0;
    settings.progress = stop_at_third;
    settings.log = note_line;
    settings.context = &seen;
    gpuvm_replay *replay = spawn(path, &settings);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_CANCELLED && seen == 3);
    CHECK(strncmp(error.message, "cancelled", 9) == 0);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_OK);
    CHECK((uint64_t)seen == 3 + gpuvm_frame_count(gpuvm_replay_payload(replay)));
    struct gpuvm_stats stats;
    gpuvm_get_stats(replay, &stats, sizeof stats);
    CHECK(stats.frames == (uint64_t)seen && stats.calls > 0);
    gpuvm_replay_close(replay);
}

static void check_origins(const char *path)
{
    struct gv_file file;
    struct gpuvm_error error;
    const struct gpuvm_settings settings = plain();
    CHECK(gv_file_open_within(&file, path, SIZE_MAX, NULL));
    struct gpuvm_spawn_params params = { .size = sizeof params,
                                         .data = file.data,
                                         .data_size = file.size };
    gpuvm_replay *replay = gpuvm_spawn(&params, &settings, &error);
    CHECK(replay && gpuvm_run_to_end(replay, NULL) == GPUVM_OK);
    gpuvm_replay_close(replay);
    params.data_size /= 2;
    CHECK(!gpuvm_spawn(&params, &settings, &error) && error.status == GPUVM_REJECTED);
    gv_file_close(&file);
    params = (struct gpuvm_spawn_params){ .size = sizeof params };
    params.fd = open(path, O_RDONLY | O_CLOEXEC);
    replay = gpuvm_spawn(&params, &settings, &error);
    CHECK(replay && lseek(params.fd, 0, SEEK_CUR) == 0);
    gpuvm_replay_close(replay);
    close(params.fd);
}

static void check_faults(const char *path)
{
    static const struct {
        const char *name, *player, *path, *said;
        size_t size; // 0: the right one
        uint32_t flags;
    } rows[] = {
        { "no program", "/nowhere/at/all", NULL, "cannot start /nowhere/at/all", 0, 0 },
        { "no player", "/bin/true", NULL, "/bin/true is no gpuvm-player", 0, 0 },
        { "another", "/bin/cat", NULL, "/bin/cat is no gpuvm-player", 0, 0 },
        { "no payload", NULL, "/nowhere/at/all", "cannot open /nowhere", 0, 0 },
        { "no size", NULL, NULL, "size is not set", 4, 0 },
        { "images", NULL, NULL, "images of a child's", 0, GPUVM_IMAGES },
        { "unknown", NULL, NULL, "does not know", 0, 1u << 31 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gpuvm_error error;
        struct gpuvm_settings settings = plain();
        const struct gpuvm_spawn_params params = {
            .size = rows[i].size ? rows[i].size : sizeof params,
            .player = rows[i].player,
            .path = rows[i].path ? rows[i].path : path,
        };
        settings.flags = rows[i].flags;
        CHECK_ROW(rows[i].name, !gpuvm_spawn(&params, &settings, &error));
        CHECK_ROW(rows[i].name, error.status == GPUVM_USAGE);
        CHECK_ROW(rows[i].name, strstr(error.message, rows[i].said));
    }
}

static void check_same(const char *path)
{
    struct gpuvm_settings settings = plain();
    settings.flags = GPUVM_EXPORTS;
    gpuvm_payload *payload = gpuvm_open_file(path, 0, NULL, NULL);
    gpuvm_replay *here = gpuvm_replay_create(payload, &settings, NULL);
    gpuvm_replay *there = spawn(path, &settings);
    CHECK(here && there);
    if (!here || !there)
        return;
    CHECK(gpuvm_replay_payload(here) == payload);
    CHECK(strcmp(gpuvm_device_name(here), gpuvm_device_name(there)) == 0);
    same_facts(payload, gpuvm_replay_payload(there));
    same_misuse(here, there);
    gpuvm_replay *const both[] = { here, there };
    for (int i = 0; i < 2; i++)
        CHECK(gpuvm_run_to_command(both[i], gpuvm_command_count(payload) / 2, NULL) ==
              GPUVM_OK);
    same_picture(here, there);
    for (int i = 0; i < 2; i++)
        CHECK(gpuvm_run_to_frame(both[i], 0, NULL) == GPUVM_OK);
    struct gpuvm_picture picture;
    CHECK(gpuvm_get_picture(there, &picture, NULL) == GPUVM_OK && picture.width > 0);
    same_picture(here, there);
    for (int i = 0; i < 2; i++)
        CHECK(gpuvm_run_to_end(both[i], NULL) == GPUVM_OK);
    same_exports(here, there);
    gpuvm_replay_close(here);
    gpuvm_replay_close(there);
    gpuvm_payload_close(payload);
    check_progress(path);
    check_origins(path);
    check_faults(path);
}

// ---- ends ----

// The one child that this process has.
static pid_t find_child(void)
{
    pid_t found = -1;
    DIR *folder = opendir("/proc");
    for (const struct dirent *e; folder && (e = readdir(folder));) {
        char path[300], text[512] = "";
        snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
        FILE *file = fopen(path, "re");
        size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
        text[n] = '\0';
        if (file)
            fclose(file);
        const char *behind = strrchr(text, ')');
        int parent = 0;
        if (behind && sscanf(behind, ") %*c %d", &parent) == 1 && parent == getpid())
            found = (pid_t)strtol(e->d_name, NULL, 10);
    }
    if (folder)
        closedir(folder);
    return found;
}

static int kill_at_second(void *context, uint64_t frame, uint64_t count)
{
    (void)count;
    if (frame == 1)
        kill(find_child(), *(const int *)context);
    return 0;
}

static void check_killed(const char *path)
{
    static const struct {
        const char *name, *said;
        int signal;
    } rows[] = {
        { "killed", "lost: the driver's process died (Killed) at frame 1", SIGKILL },
        { "refused", "lost: the driver's process died (Bad system call) at frame 1",
          SIGSYS },
        { "aborted", "lost: the driver's process died (Aborted) at frame 1", SIGABRT },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gpuvm_error error;
        struct gpuvm_settings settings = plain();
        struct gpuvm_picture picture;
        int number = rows[i].signal;
        settings.progress = kill_at_second;
        settings.context = &number;
        gpuvm_replay *replay = spawn(path, &settings);
        CHECK_ROW(rows[i].name, gpuvm_run_to_end(replay, &error) == GPUVM_LOST);
        CHECK_ROW(rows[i].name, strstr(error.message, rows[i].said) == error.message);
        CHECK_ROW(rows[i].name, strstr(error.message, "command"));
        CHECK_ROW(rows[i].name,
                  gpuvm_get_picture(replay, &picture, &error) == GPUVM_LOST);
        CHECK_ROW(rows[i].name, find_child() == -1);
        gpuvm_replay_close(replay);
    }
}

static void check_killed_idle(const char *path)
{
    struct gpuvm_error error;
    const struct gpuvm_settings settings = plain();
    gpuvm_replay *replay = spawn(path, &settings);
    CHECK(kill(find_child(), SIGKILL) == 0);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_LOST);
    CHECK(strcmp(error.message, "lost: the driver's process died (Killed)") == 0);
    gpuvm_replay_close(replay);
    // One that is stopped cannot be waited for.
    replay = spawn(path, &settings);
    CHECK(gpuvm_run_to_frame(replay, 0, &error) == GPUVM_OK);
    CHECK(kill(find_child(), SIGSTOP) == 0);
    gpuvm_replay_close(replay);
    CHECK(find_child() == -1);
}

static void *cancel_soon(void *context)
{
    nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
    gpuvm_cancel_now(context);
    return NULL;
}

static int cancel_at_second(void *context, uint64_t frame, uint64_t count)
{
    (void)count;
    if (frame == 1)
        gpuvm_cancel_now(context);
    CHECK(frame <= 1);
    return 0;
}

// However soon one frame comes after another: the answer to one tells of it.
static void check_cancel_among_frames(const char *path)
{
    struct gpuvm_error error;
    struct gpuvm_settings settings = plain();
    settings.cancel = settings.context = gpuvm_cancel_create();
    settings.progress = cancel_at_second;
    gpuvm_replay *replay = spawn(path, &settings);
    CHECK(gpuvm_frame_count(gpuvm_replay_payload(replay)) > 2);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_CANCELLED);
    CHECK(find_child() != -1);
    gpuvm_replay_close(replay);
    gpuvm_cancel_destroy(settings.cancel);
}

// From another thread; and of a child that does not hear of it.
static void check_cancel(const char *path)
{
    struct gpuvm_error error;
    struct gpuvm_settings settings = plain();
    settings.cancel = gpuvm_cancel_create();
    gpuvm_replay *replay = spawn(path, &settings);
    pthread_t thread;
    int status = GPUVM_OK;
    CHECK(pthread_create(&thread, NULL, cancel_soon, settings.cancel) == 0);
    for (int i = 0; i < 100000 && status == GPUVM_OK; i++)
        status = i % 2 ? gpuvm_run_to_frame(replay, 0, &error)
                       : gpuvm_run_to_end(replay, &error);
    pthread_join(thread, NULL);
    CHECK(status == GPUVM_CANCELLED && strncmp(error.message, "cancelled", 9) == 0);
    gpuvm_cancel_reset(settings.cancel);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_OK);
    CHECK(gpuvm_run_to_frame(replay, 0, &error) == GPUVM_OK);
    CHECK(kill(find_child(), SIGSTOP) == 0);
    CHECK(pthread_create(&thread, NULL, cancel_soon, settings.cancel) == 0);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_CANCELLED);
    pthread_join(thread, NULL);
    CHECK(find_child() == -1);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_LOST);
    gpuvm_replay_close(replay);
    gpuvm_cancel_destroy(settings.cancel);
}

static void check_ends(const char *path)
{
    check_killed(path);
    check_killed_idle(path);
    check_cancel(path);
    check_cancel_among_frames(path);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*check)(const char *path);
    } checks[] = {
        { "hashes", print_hashes },   { "error", print_error },
        { "endless", print_endless }, { "same", check_same },
        { "ends", check_ends },
    };
    gv_leak_check_keep_libraries();
    if (argc == 4 && strcmp(argv[1], "thin") == 0) {
        check_thin(argv[2], argv[3]);
        return TEST_RESULT();
    }
    for (size_t i = 0; argc == 3 && i < sizeof checks / sizeof *checks; i++)
        if (strcmp(argv[1], checks[i].name) == 0) {
            checks[i].check(argv[2]);
            return TEST_RESULT();
        }
    fputs("test_spawn: no such check, or other arguments than it takes\n", stderr);
    return 2;
}
