// The library's functions, by a program that links their objects; library.sh compares
// what it prints with what the command line says.
//   test_library hashes PAYLOAD          a line per frame, as `run --hash xxh3-rgba`
//   has them test_library command PAYLOAD N FILE  the picture after a command, as raw
//   rows test_library error PAYLOAD           "STATUS WORD MESSAGE" of what cannot be
//   opened test_library thin PAYLOAD STORE      a folder, a callback, damage
//   test_library web URL STORE PACK      the same from a web server
//   test_library silent URL              a server that never answers
//   test_library uses PAYLOAD            the rest
//   test_library jumps PAYLOAD N         frames far apart, and command N between them
//   test_library cycles PAYLOAD N        opened, run and closed so often: memory stays
//   flat
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "resources/hash.h"
#include "tests/test.h"
#include "tools/leak_check.h"
#include "tools/library/gpuvm.h"

#define FRAMES_MAX 64

static struct gpuvm_settings plain(void)
{
    return (struct gpuvm_settings){ .size = sizeof(struct gpuvm_settings),
                                    .timeout_ms = 60000 };
}

static gpuvm_payload *open_or_say(const char *path)
{
    struct gpuvm_error error;
    gpuvm_payload *payload = gpuvm_open_file(path, 0, NULL, &error);
    if (!payload)
        printf("%s: %s\n", path, error.message);
    CHECK(payload);
    return payload;
}

static gpuvm_replay *replay_or_say(gpuvm_payload *payload,
                                   const struct gpuvm_settings *settings)
{
    struct gpuvm_error error;
    gpuvm_replay *replay = gpuvm_replay_create(payload, settings, &error);
    if (!replay)
        printf("replay: %s\n", error.message);
    CHECK(replay);
    return replay;
}

// The hash of a frame's picture; "" where something failed.
static void hash_frame(gpuvm_replay *replay, uint64_t frame, char hex[GV_HASH_HEX],
                       struct gpuvm_picture *picture)
{
    struct gpuvm_error error;
    hex[0] = '\0';
    *picture = (struct gpuvm_picture){ 0 };
    if (gpuvm_run_to_frame(replay, frame, &error) != GPUVM_OK ||
        gpuvm_get_picture(replay, picture, &error) != GPUVM_OK) {
        printf("frame %" PRIu64 ": %s\n", frame, error.message);
        CHECK(false);
        return;
    }
    const struct gv_hash hash =
        gv_hash_bytes(picture->rgba, (size_t)picture->width * picture->height * 4);
    gv_hash_to_hex(&hash, hex);
}

// The same of the picture after a command.
static void hash_command(gpuvm_replay *replay, uint64_t command, char hex[GV_HASH_HEX])
{
    struct gpuvm_picture picture = { 0 };
    CHECK(gpuvm_run_to_command(replay, command, NULL) == GPUVM_OK);
    CHECK(gpuvm_get_picture(replay, &picture, NULL) == GPUVM_OK && picture.width);
    const struct gv_hash hash =
        gv_hash_bytes(picture.rgba, (size_t)picture.width * picture.height * 4);
    gv_hash_to_hex(&hash, hex);
}

static void print_hashes(const char *path)
{
    gpuvm_payload *payload = open_or_say(path);
    const struct gpuvm_settings settings = plain();
    gpuvm_replay *replay = payload ? replay_or_say(payload, &settings) : NULL;
    for (uint64_t i = 0; replay && i < gpuvm_frame_count(payload); i++) {
        char hex[GV_HASH_HEX];
        struct gpuvm_picture picture;
        hash_frame(replay, i, hex, &picture);
        printf("frame\t%" PRIu64 "\t%ux%u\txxh3-rgba:%s\n", i, picture.width,
               picture.height, hex);
    }
    gpuvm_replay_close(replay);
    gpuvm_payload_close(payload);
}

// Frames in any order, of a payload with keyframes: few of them run.
static void check_seeks(const char *path)
{
    gpuvm_payload *payload = open_or_say(path);
    const struct gpuvm_settings settings = plain();
    gpuvm_replay *replay = payload ? replay_or_say(payload, &settings) : NULL;
    const uint64_t count = payload ? gpuvm_frame_count(payload) : 0;
    char(*linear)[GV_HASH_HEX] = calloc(count + 1, sizeof *linear);
    struct gpuvm_picture picture;
    struct gpuvm_stats before, after;
    for (uint64_t i = 0; replay && linear && i < count; i++)
        hash_frame(replay, i, linear[i], &picture);
    gpuvm_get_stats(replay, &before, sizeof before);
    for (uint64_t i = 0; replay && linear && i < count; i++) {
        char hex[GV_HASH_HEX];
        const uint64_t frame = i % 2 ? i / 2 : count - 1 - i / 2;
        hash_frame(replay, frame, hex, &picture);
        CHECK(strcmp(hex, linear[frame]) == 0);
    }
    gpuvm_get_stats(replay, &after, sizeof after);
    printf("%" PRIu64 " frames linear, then %" PRIu64 "\n", before.frames,
           after.frames - before.frames);
    CHECK(after.frames - before.frames < 4 * count && after.exact);
    // Behind a keyframe commands begin anew.
    CHECK(gpuvm_run_to_command(replay, gpuvm_command_count(payload) - 2, NULL) ==
          GPUVM_OK);
    gpuvm_get_stats(replay, &before, sizeof before);
    CHECK(before.frames - after.frames + 1 >= count);
    free(linear);
    gpuvm_replay_close(replay);
    gpuvm_payload_close(payload);
}

static struct gpuvm_stats stats_of(const gpuvm_replay *replay)
{
    struct gpuvm_stats stats;
    gpuvm_get_stats(replay, &stats, sizeof stats);
    return stats;
}

// Frames far apart, of a payload without keyframes: of what lies between only what
// their pictures need runs, and what is asked for then is as ever.
static void check_jumps(const char *path, uint64_t command)
{
    gpuvm_payload *payload = open_or_say(path);
    struct gpuvm_settings settings = plain();
    gpuvm_replay *whole = payload ? replay_or_say(payload, &settings) : NULL;
    const uint64_t last = payload ? gpuvm_frame_count(payload) - 1 : 0;
    char first_hex[GV_HASH_HEX], last_hex[GV_HASH_HEX], after_hex[GV_HASH_HEX],
        hex[GV_HASH_HEX];
    struct gpuvm_picture picture;
    if (!whole)
        return;
    hash_frame(whole, 0, first_hex, &picture);
    for (uint64_t i = 1; i < last; i++)
        CHECK(gpuvm_run_to_frame(whole, i, NULL) == GPUVM_OK);
    hash_frame(whole, last, last_hex, &picture);
    const struct gpuvm_stats all = stats_of(whole);
    hash_command(whole, command, after_hex);
    gpuvm_replay_close(whole);

    gpuvm_replay *replay = replay_or_say(payload, &settings);
    hash_frame(replay, last, hex, &picture);
    const struct gpuvm_stats jumped = stats_of(replay);
    CHECK(strcmp(hex, last_hex) == 0 && jumped.frames == all.frames);
    CHECK(jumped.calls < all.calls && jumped.draws < all.draws);
    printf("%" PRIu64 " calls linear, %" PRIu64 " for a jump\n", all.calls,
           jumped.calls);
    hash_frame(replay, 0, hex, &picture);
    CHECK(strcmp(hex, first_hex) == 0);
    hash_frame(replay, last, hex, &picture);
    CHECK(strcmp(hex, last_hex) == 0);
    // Behind a slice commands and the end begin anew.
    hash_command(replay, command, hex);
    CHECK(strcmp(hex, after_hex) == 0);
    hash_frame(replay, last, hex, &picture);
    struct gpuvm_stats before = stats_of(replay);
    CHECK(gpuvm_run_to_end(replay, NULL) == GPUVM_OK);
    CHECK(stats_of(replay).calls - before.calls >= all.calls);
    gpuvm_replay_close(replay);

    // With exports all of it runs.
    settings.flags = GPUVM_EXPORTS;
    replay = replay_or_say(payload, &settings);
    CHECK(gpuvm_run_to_frame(replay, last, NULL) == GPUVM_OK);
    CHECK(stats_of(replay).calls == all.calls);
    gpuvm_replay_close(replay);
    gpuvm_payload_close(payload);
}

static void save_command(const char *path, uint64_t command, const char *file)
{
    gpuvm_payload *payload = open_or_say(path);
    const struct gpuvm_settings settings = plain();
    gpuvm_replay *replay = payload ? replay_or_say(payload, &settings) : NULL;
    struct gpuvm_picture picture = { 0 };
    if (!replay)
        return;
    // Back and forth: what lies behind is run again.
    CHECK(gpuvm_run_to_end(replay, NULL) == GPUVM_OK);
    CHECK(gpuvm_run_to_command(replay, command, NULL) == GPUVM_OK);
    CHECK(gpuvm_get_picture(replay, &picture, NULL) == GPUVM_OK);
    CHECK(picture.width > 0);
    CHECK(gv_file_write(file, picture.rgba, (size_t)picture.width * picture.height * 4,
                        NULL));
    CHECK(gpuvm_run_to_frame(replay, 0, NULL) == GPUVM_OK);
    CHECK(gpuvm_get_picture(replay, &picture, NULL) == GPUVM_OK && picture.width > 0);
    gpuvm_replay_close(replay);
    gpuvm_payload_close(payload);
}

static void print_error(const char *path)
{
    struct gpuvm_error error;
    gpuvm_payload *payload = gpuvm_open_file(path, 0, NULL, &error);
    CHECK(!payload);
    printf("%d %s %s\n", error.status, gpuvm_status_word(error.status), error.message);
    gpuvm_payload_close(payload);
}

// ---- thin payloads ----

struct host_store {
    gpuvm_source *folder;
    const char *path;
    int asked;
    bool damage, fail, absent;
};

static int fetch(void *context, const char *name, void *data, uint64_t size)
{
    struct host_store *store = context;
    store->asked++;
    CHECK(strlen(name) == GV_HASH_HEX - 1);
    memset(data, 0, (size_t)size);
    if (store->fail)
        return -1;
    return store->damage;
}

static int run_thin(gpuvm_payload *payload, gpuvm_source *const *sources, size_t count,
                    struct gpuvm_error *error)
{
    struct gpuvm_settings settings = plain();
    settings.sources = sources;
    settings.source_count = count;
    gpuvm_replay *replay = replay_or_say(payload, &settings);
    int status = gpuvm_run_to_end(replay, error);
    gpuvm_replay_close(replay);
    return status;
}

static void check_thin(const char *path, const char *folder)
{
    struct gpuvm_error error;
    struct host_store store = { 0 };
    gpuvm_payload *payload = open_or_say(path);
    gpuvm_source *sources[2] = {
        gpuvm_source_callback(fetch, &store, &error),
        gpuvm_source_folder(folder, &error),
    };
    CHECK(sources[0] && sources[1]);
    CHECK(gpuvm_is_thin(payload));
    CHECK(run_thin(payload, NULL, 0, &error) == GPUVM_FETCH);
    CHECK(strncmp(error.message, "frame 0: no source has the object", 33) == 0);
    CHECK(run_thin(payload, sources, 1, &error) == GPUVM_FETCH);
    CHECK(run_thin(payload, sources, 2, &error) == GPUVM_OK);
    CHECK(store.asked > 1);
    store.damage = true;
    CHECK(run_thin(payload, sources, 2, &error) == GPUVM_FETCH);
    CHECK(strstr(error.message, "arrived damaged from the host"));
    store.fail = true;
    CHECK(run_thin(payload, sources, 2, &error) == GPUVM_FETCH);
    CHECK(strstr(error.message, "the host could not fetch"));
    CHECK(!gpuvm_source_folder("/nowhere/at/all", &error));
    CHECK(error.status == GPUVM_USAGE);
    gpuvm_source_destroy(sources[0]);
    gpuvm_source_destroy(sources[1]);
    gpuvm_payload_close(payload);
}

// ---- the rest ----

static void check_origins(const char *path)
{
    struct gv_file file;
    struct gpuvm_error error;
    CHECK(gv_file_open_within(&file, path, SIZE_MAX, NULL));
    gpuvm_payload *payload = gpuvm_open_memory(file.data, file.size, 0, NULL, &error);
    CHECK(payload && gpuvm_frame_count(payload) > 1);
    gpuvm_payload_close(payload);
    CHECK(!gpuvm_open_memory(file.data, file.size / 2, 0, NULL, &error));
    CHECK(error.status == GPUVM_REJECTED);
    CHECK(!gpuvm_open_memory(NULL, 0, 0, NULL, &error));
    CHECK(error.status == GPUVM_REJECTED);
    CHECK(!gpuvm_open_memory(file.data, file.size, 1, NULL, &error));
    CHECK(error.status == GPUVM_REJECTED); // asks for more than one byte
    gv_file_close(&file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    payload = gpuvm_open_fd(fd, 0, NULL, &error);
    CHECK(payload && gpuvm_frame_count(payload) > 1);
    CHECK(lseek(fd, 0, SEEK_CUR) > 0); // still open
    close(fd);
    gpuvm_payload_close(payload);
    CHECK(!gpuvm_open_file("/nowhere/at/all", 0, NULL, &error));
    CHECK(error.status == GPUVM_USAGE);
}

static void check_misuse(gpuvm_payload *payload)
{
    struct gpuvm_error error;
    struct gpuvm_settings settings = plain();
    struct gpuvm_picture picture;
    struct gpuvm_image image;
    struct gpuvm_export bytes;
    struct gpuvm_frame frame;
    settings.device = "no such device";
    CHECK(!gpuvm_replay_create(payload, &settings, &error));
    CHECK(error.status == GPUVM_USAGE);
    settings.device = NULL;
    settings.flags = GPUVM_EXPORTS;
    gpuvm_replay *replay = replay_or_say(payload, &settings);
    CHECK(gpuvm_get_picture(replay, &picture, &error) == GPUVM_USAGE);
    CHECK(gpuvm_get_image(replay, &image, &error) == GPUVM_USAGE);
    CHECK(gpuvm_get_export(replay, "no such export", &bytes, &error) == GPUVM_USAGE);
    CHECK(gpuvm_run_to_frame(replay, UINT64_MAX, &error) == GPUVM_USAGE);
    CHECK(gpuvm_run_to_command(replay, UINT64_MAX, &error) == GPUVM_USAGE);
    CHECK(gpuvm_frame_info(payload, UINT64_MAX, &frame) == GPUVM_USAGE);
    CHECK(!gpuvm_export_name(payload, UINT64_MAX));
    for (uint64_t i = 0; i < gpuvm_export_count(payload); i++)
        CHECK(gpuvm_get_export(replay, gpuvm_export_name(payload, i), &bytes, &error) ==
              GPUVM_USAGE);
    // None of that spoils the replay.
    CHECK(gpuvm_run_to_frame(replay, 0, &error) == GPUVM_OK);
    gpuvm_replay_close(replay);
    gpuvm_replay_close(NULL);
    gpuvm_payload_close(NULL);
    gpuvm_wishes_destroy(NULL);
}

// What callers may hand over by mistake instead of an object or a size.
static void check_faults(gpuvm_payload *payload)
{
    static const struct {
        const char *fault;
        bool no_payload, no_settings;
        size_t size; // 0: the right one
        uint32_t flags;
        size_t source_count;
    } rows[] = {
        { .fault = "no payload", .no_payload = true },
        { .fault = "no settings", .no_settings = true },
        { .fault = "size is not set", .size = 1 },
        { .fault = "size is not set", .size = sizeof(struct gpuvm_settings) - 1 },
        { .fault = "does not know", .size = sizeof(struct gpuvm_settings) + 8 },
        { .fault = "does not know", .flags = 1u << 31 },
        { .fault = "a source that is none", .source_count = 1 },
    };
    struct gpuvm_error error;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct {
            struct gpuvm_settings settings;
            uint64_t newer;
        } s = { plain(), 1 };
        s.settings.size = rows[i].size ? rows[i].size : s.settings.size;
        s.settings.flags = rows[i].flags;
        s.settings.source_count = rows[i].source_count;
        CHECK(!gpuvm_replay_create(rows[i].no_payload ? NULL : payload,
                                   rows[i].no_settings ? NULL : &s.settings, &error));
        CHECK(error.status == GPUVM_USAGE && strstr(error.message, rows[i].fault));
    }
    gpuvm_source *none = NULL;
    struct gpuvm_settings settings = plain();
    settings.sources = &none;
    settings.source_count = 1;
    CHECK(!gpuvm_replay_create(payload, &settings, &error));
    const struct gpuvm_vulkan empty = { 0 };
    settings = plain();
    settings.vulkan = &empty;
    CHECK(!gpuvm_replay_create(payload, &settings, &error));
    CHECK(error.status == GPUVM_USAGE);
    CHECK(!gpuvm_wishes_create(payload, &empty, &error) && error.status == GPUVM_USAGE);
    CHECK(!gpuvm_open_file(NULL, 0, NULL, &error) && error.status == GPUVM_USAGE);
    CHECK(!gpuvm_open_fd(-1, 0, NULL, &error) && error.status == GPUVM_USAGE);
    CHECK(!gpuvm_source_folder(NULL, &error) && error.status == GPUVM_USAGE);
    CHECK(!gpuvm_source_callback(NULL, NULL, &error) && error.status == GPUVM_USAGE);
    CHECK(!gpuvm_wishes_create(payload, NULL, &error) && error.status == GPUVM_USAGE);
}

static int stop_at_first(void *context, uint64_t frame, uint64_t frame_count)
{
    int *seen = context;
    CHECK(frame < frame_count);
    return ++*seen == 1;
}

static void check_progress(gpuvm_payload *payload)
{
    struct gpuvm_error error;
    struct gpuvm_settings settings = plain();
    int seen = 0;
    settings.progress = stop_at_first;
    settings.context = &seen;
    gpuvm_replay *replay = replay_or_say(payload, &settings);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_CANCELLED);
    CHECK(strncmp(error.message, "cancelled", 9) == 0 && seen == 1);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_OK);
    CHECK((uint64_t)seen == 1 + gpuvm_frame_count(payload));
    struct gpuvm_stats stats;
    gpuvm_get_stats(replay, &stats, sizeof stats);
    CHECK(stats.frames == (uint64_t)seen && stats.draws + stats.dispatches > 0);
    CHECK(stats.exact == 1 && stats.peak_allocated_bytes > 0);
    uint64_t old[2] = { 7, 7 }; // a caller whose header ended after one member
    gpuvm_get_stats(replay, (struct gpuvm_stats *)old, sizeof *old);
    CHECK(old[0] == stats.frames && old[1] == 7);
    CHECK(gpuvm_device_name(replay)[0]);
    gpuvm_replay_close(replay);
}

static void *cancel_soon(void *context)
{
    const struct timespec soon = { .tv_nsec = 1000000 };
    nanosleep(&soon, NULL);
    gpuvm_cancel_now(context);
    return NULL;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// From another thread, while frames run on and on.
static void check_cancel(const char *path, gpuvm_payload *payload)
{
    struct gpuvm_error error;
    struct gpuvm_settings settings = plain();
    settings.cancel = gpuvm_cancel_create();
    gpuvm_replay *replay = replay_or_say(payload, &settings);
    pthread_t thread;
    int status = GPUVM_OK;
    CHECK(pthread_create(&thread, NULL, cancel_soon, settings.cancel) == 0);
    for (int i = 0; i < 1000 && status == GPUVM_OK; i++)
        status = i % 2 ? gpuvm_run_to_frame(replay, 0, &error)
                       : gpuvm_run_to_end(replay, &error);
    CHECK(status == GPUVM_CANCELLED);
    pthread_join(thread, NULL);
    double before = cpu_seconds();
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_CANCELLED); // the flag is still up
    CHECK(!gpuvm_open_file(path, 0, settings.cancel, &error));
    CHECK(error.status == GPUVM_CANCELLED && strcmp(error.message, "cancelled") == 0);
    CHECK(cpu_seconds() - before < 0.1);
    gpuvm_cancel_reset(settings.cancel);
    CHECK(gpuvm_run_to_end(replay, &error) == GPUVM_OK);
    gpuvm_replay_close(replay);
    gpuvm_cancel_destroy(settings.cancel);
}

struct job {
    const char *path;
    char hex[2][GV_HASH_HEX];
};

static void *replay_it(void *context)
{
    struct job *job = context;
    const struct gpuvm_settings settings = plain();
    struct gpuvm_picture picture;
    gpuvm_payload *payload = open_or_say(job->path);
    gpuvm_replay *replay = replay_or_say(payload, &settings);
    for (uint64_t i = 0; i < 2; i++)
        hash_frame(replay, i, job->hex[i], &picture);
    gpuvm_replay_close(replay);
    gpuvm_payload_close(payload);
    return NULL;
}

static void check_threads(const char *path)
{
    struct job jobs[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        jobs[i] = (struct job){ .path = path };
        CHECK(pthread_create(&threads[i], NULL, replay_it, &jobs[i]) == 0);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < 3; i++)
        CHECK(memcmp(jobs[i].hex, jobs[0].hex, sizeof jobs[0].hex) == 0);
    CHECK(jobs[0].hex[0][0]);
}

static void check_uses(const char *path)
{
    gpuvm_payload *payload = open_or_say(path);
    CHECK(gpuvm_version()[0] &&
          strcmp(gpuvm_status_word(GPUVM_REJECTED), "rejected") == 0);
    CHECK(strcmp(gpuvm_status_word(GPUVM_CANCELLED), "cancelled") == 0);
    check_origins(path);
    check_misuse(payload);
    check_faults(payload);
    check_progress(payload);
    check_cancel(path, payload);
    check_threads(path);
    gpuvm_payload_close(payload);
}

static long resident_kib(void)
{
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib;
}

static void check_cycles(const char *path, int count)
{
    long early = 0;
    for (int i = 0; i < count; i++) {
        struct job job = { .path = path };
        replay_it(&job);
        if (i == count / 4)
            early = resident_kib();
    }
    long late = resident_kib();
    printf("%d cycles: %ld KiB after a quarter, %ld at the end\n", count, early, late);
    CHECK(early > 0 && late - early < 4096);
}

// Raises a flag a moment after somebody began to wait.
static void *cancel_later(void *cancel)
{
    nanosleep(&(struct timespec){ .tv_nsec = 300000000 }, NULL);
    gpuvm_cancel_now(cancel);
    return NULL;
}

// A server that never answers is left when the flag is raised.
static void check_web_cancel(const char *silent)
{
    struct gpuvm_error error;
    pthread_t thread;
    gpuvm_cancel *cancel = gpuvm_cancel_create();
    struct timespec begin, end;
    pthread_create(&thread, NULL, cancel_later, cancel);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    CHECK(!gpuvm_open_url(silent, NULL, 0, cancel, &error));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    pthread_join(thread, NULL);
    CHECK(error.status == GPUVM_CANCELLED);
    double used = (double)(end.tv_sec - begin.tv_sec) +
                  (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    CHECK(used < 0.1);
    gpuvm_cancel_destroy(cancel);
}

// A thin payload and its store, by their addresses; a pack of it.
static void check_web(const char *address, const char *store, const char *pack)
{
    struct gpuvm_error error;
    const char *const stores[] = { store, pack };
    for (size_t i = 0; i < 2; i++) {
        gpuvm_payload *payload = gpuvm_open_url(address, NULL, 0, NULL, &error);
        gpuvm_source *source = gpuvm_source_store(stores[i], NULL, NULL, &error);
        CHECK(payload && source);
        if (payload && source)
            CHECK(run_thin(payload, &source, 1, &error) == GPUVM_OK);
        gpuvm_source_destroy(source);
        gpuvm_payload_close(payload);
    }
    char none[256];
    snprintf(none, sizeof none, "%s.none", address);
    CHECK(!gpuvm_open_url(none, NULL, 0, NULL, &error));
    CHECK(error.status == GPUVM_FETCH && strstr(error.message, "not there"));
    // What may be secret in an address is not told.
    snprintf(none, sizeof none, "http://user:hidden@%s.none?key=hidden",
             strstr(address, "//") + 2);
    CHECK(!gpuvm_open_url(none, NULL, 0, NULL, &error));
    CHECK(error.status == GPUVM_FETCH && !strstr(error.message, "hidden"));
    snprintf(none, sizeof none, "%s?key=1", store);
    CHECK(!gpuvm_source_store(none, NULL, NULL, &error));
    CHECK(error.status == GPUVM_USAGE);
    CHECK(!gpuvm_open_url("ftp://somewhere", NULL, 0, NULL, &error));
    CHECK(error.status == GPUVM_USAGE);
    CHECK(!gpuvm_open_url(NULL, NULL, 0, NULL, &error));
    CHECK(!gpuvm_source_store(NULL, NULL, NULL, &error));
    CHECK(!gpuvm_source_store("/nowhere/at/all", NULL, NULL, &error));
}

int main(int argc, char **argv)
{
    gv_leak_check_keep_libraries();
    const char *what = argc > 2 ? argv[1] : "";
    if (strcmp(what, "hashes") == 0)
        print_hashes(argv[2]);
    else if (strcmp(what, "command") == 0 && argc == 5)
        save_command(argv[2], strtoull(argv[3], NULL, 10), argv[4]);
    else if (strcmp(what, "error") == 0)
        print_error(argv[2]);
    else if (strcmp(what, "thin") == 0 && argc == 4)
        check_thin(argv[2], argv[3]);
    else if (strcmp(what, "web") == 0 && argc == 5)
        check_web(argv[2], argv[3], argv[4]);
    else if (strcmp(what, "silent") == 0)
        check_web_cancel(argv[2]);
    else if (strcmp(what, "uses") == 0)
        check_uses(argv[2]);
    else if (strcmp(what, "seeks") == 0 && argc == 3)
        check_seeks(argv[2]);
    else if (strcmp(what, "jumps") == 0 && argc == 4)
        check_jumps(argv[2], strtoull(argv[3], NULL, 10));
    else if (strcmp(what, "cycles") == 0 && argc == 4)
        check_cycles(argv[2], atoi(argv[3]));
    else {
        fputs("test_library: no such check, or other arguments than it takes\n",
              stderr);
        return 2;
    }
    return TEST_RESULT();
}
