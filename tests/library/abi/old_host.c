// A program of version 1: its header, all of its functions, and how its structs lay.
// tests/library/abi.sh links it with a library that has no others, and runs it with the
// one there is now: old_host PAYLOAD
#include "tests/library/abi/gpuvm_1.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where members lay, and how large structs were: those that carry a size, or are given
// with one, may have grown since.
#define MEMBER(type, member, place) \
    _Static_assert(offsetof(struct type, member) == (place), #type "." #member)
#define STAYS(type, size) _Static_assert(sizeof(struct type) == (size), #type)
#define MAY_GROW(type, size) _Static_assert(sizeof(struct type) >= (size), #type)

STAYS(gpuvm_error, 280);
MEMBER(gpuvm_error, status, 0);
MEMBER(gpuvm_error, offset, 8);
MEMBER(gpuvm_error, command, 16);
MEMBER(gpuvm_error, message, 24);
STAYS(gpuvm_frame, 24);
MEMBER(gpuvm_frame, command_begin, 0);
MEMBER(gpuvm_frame, command_end, 8);
MEMBER(gpuvm_frame, width, 16);
MEMBER(gpuvm_frame, height, 20);
STAYS(gpuvm_vulkan, 56);
MEMBER(gpuvm_vulkan, instance, 0);
MEMBER(gpuvm_vulkan, physical_device, 8);
MEMBER(gpuvm_vulkan, device, 16);
MEMBER(gpuvm_vulkan, queue, 24);
MEMBER(gpuvm_vulkan, queue_family, 32);
MEMBER(gpuvm_vulkan, device_info, 40);
MEMBER(gpuvm_vulkan, get_instance_proc_addr, 48);
MAY_GROW(gpuvm_settings, 96);
MEMBER(gpuvm_settings, size, 0);
MEMBER(gpuvm_settings, flags, 8);
MEMBER(gpuvm_settings, timeout_ms, 12);
MEMBER(gpuvm_settings, memory, 16);
MEMBER(gpuvm_settings, device, 24);
MEMBER(gpuvm_settings, cache_folder, 32);
MEMBER(gpuvm_settings, vulkan, 40);
MEMBER(gpuvm_settings, sources, 48);
MEMBER(gpuvm_settings, source_count, 56);
MEMBER(gpuvm_settings, cancel, 64);
MEMBER(gpuvm_settings, progress, 72);
MEMBER(gpuvm_settings, log, 80);
MEMBER(gpuvm_settings, context, 88);
STAYS(gpuvm_picture, 16);
MEMBER(gpuvm_picture, width, 0);
MEMBER(gpuvm_picture, height, 4);
MEMBER(gpuvm_picture, rgba, 8);
STAYS(gpuvm_image, 48);
MEMBER(gpuvm_image, image, 0);
MEMBER(gpuvm_image, format, 8);
MEMBER(gpuvm_image, width, 12);
MEMBER(gpuvm_image, height, 16);
MEMBER(gpuvm_image, flipped, 20);
MEMBER(gpuvm_image, opaque, 24);
MEMBER(gpuvm_image, semaphore, 32);
MEMBER(gpuvm_image, value, 40);
STAYS(gpuvm_export, 32);
MEMBER(gpuvm_export, data, 0);
MEMBER(gpuvm_export, size, 8);
MEMBER(gpuvm_export, format, 16);
MEMBER(gpuvm_export, width, 20);
MEMBER(gpuvm_export, height, 24);
MAY_GROW(gpuvm_stats, 160);
MEMBER(gpuvm_stats, frames, 0);
MEMBER(gpuvm_stats, fetched_items, 32);
MEMBER(gpuvm_stats, submissions, 48);
MEMBER(gpuvm_stats, pipelines, 104);
MEMBER(gpuvm_stats, allocated_bytes, 112);
MEMBER(gpuvm_stats, wait_ns, 136);
MEMBER(gpuvm_stats, exact, 152);

static void fail(const char *what, const struct gpuvm_error *error)
{
    fprintf(stderr, "old_host: %s: %s\n", what, error->message);
    exit(EXIT_FAILURE);
}

static void expect(int status, int wanted, const struct gpuvm_error *error)
{
    if (status != wanted)
        fail(gpuvm_status_word(status), error);
}

static int fetch_nothing(void *context, const char *name, void *data, uint64_t size)
{
    (void)context;
    (void)name;
    (void)data;
    (void)size;
    return 0;
}

static int count_frame(void *context, uint64_t frame, uint64_t count)
{
    ++*(uint64_t *)context;
    return frame >= count;
}

static void show_payload(const gpuvm_payload *payload)
{
    printf("%" PRIu64 " frames, %" PRIu64 " commands, %" PRIu64 " exports, thin: %d\n",
           gpuvm_frame_count(payload), gpuvm_command_count(payload),
           gpuvm_export_count(payload), gpuvm_is_thin(payload));
    for (uint64_t i = 0; i < gpuvm_export_count(payload); i++)
        printf("export %s\n", gpuvm_export_name(payload, i));
    for (uint64_t i = 0; i < gpuvm_frame_count(payload); i++) {
        struct gpuvm_frame frame;
        gpuvm_frame_info(payload, i, &frame);
        printf("[%" PRIu64 ", %" PRIu64 ") %ux%u\n", frame.command_begin,
               frame.command_end, frame.width, frame.height);
    }
}

static void show_picture(gpuvm_replay *replay)
{
    struct gpuvm_error error;
    struct gpuvm_picture picture;
    uint64_t hash = 14695981039346656037u; // FNV-1a
    expect(gpuvm_get_picture(replay, &picture, &error), GPUVM_OK, &error);
    for (size_t i = 0; i < (size_t)picture.width * picture.height * 4; i++)
        hash = (hash ^ picture.rgba[i]) * 1099511628211u;
    printf("%ux%u %016" PRIx64 "\n", picture.width, picture.height, hash);
}

static void run(gpuvm_payload *payload, gpuvm_replay *replay)
{
    struct gpuvm_error error;
    struct gpuvm_image image;
    for (uint64_t i = 0; i < gpuvm_frame_count(payload); i++) {
        expect(gpuvm_run_to_frame(replay, i, &error), GPUVM_OK, &error);
        show_picture(replay);
    }
    expect(gpuvm_run_to_command(replay, gpuvm_command_count(payload) / 2, &error),
           GPUVM_OK, &error);
    show_picture(replay);
    expect(gpuvm_get_image(replay, &image, &error), GPUVM_USAGE, &error);
    expect(gpuvm_run_to_end(replay, &error), GPUVM_OK, &error);
    for (uint64_t i = 0; i < gpuvm_export_count(payload); i++) {
        struct gpuvm_export bytes;
        expect(gpuvm_get_export(replay, gpuvm_export_name(payload, i), &bytes, &error),
               GPUVM_OK, &error);
        printf("%zu bytes, format %u, %ux%u\n", bytes.size, bytes.format, bytes.width,
               bytes.height);
    }
}

static void check_replay(gpuvm_payload *payload, const char *folder)
{
    struct gpuvm_error error;
    struct gpuvm_stats stats;
    uint64_t frames = 0;
    gpuvm_source *sources[] = { gpuvm_source_callback(fetch_nothing, NULL, &error),
                                gpuvm_source_folder(folder, &error) };
    gpuvm_cancel *cancel = gpuvm_cancel_create();
    const struct gpuvm_settings settings = {
        .size = sizeof settings,
        .flags = GPUVM_EXPORTS,
        .timeout_ms = 60000,
        .sources = sources,
        .source_count = 2,
        .cancel = cancel,
        .progress = count_frame,
        .context = &frames,
    };
    gpuvm_replay *replay = gpuvm_replay_create(payload, &settings, &error);
    if (!replay)
        fail("replay", &error);
    gpuvm_cancel_now(cancel);
    expect(gpuvm_run_to_end(replay, &error), GPUVM_CANCELLED, &error);
    gpuvm_cancel_reset(cancel);
    run(payload, replay);
    gpuvm_get_stats(replay, &stats, sizeof stats);
    printf("%" PRIu64 " frames, %" PRIu64 " calls, %" PRIu64
           " submissions, exact: %d\n",
           stats.frames, stats.calls, stats.submissions, (int)stats.exact);
    if (stats.frames != frames || !gpuvm_device_name(replay)[0])
        fail("statistics", &error);
    gpuvm_replay_close(replay);
    gpuvm_source_destroy(sources[0]);
    gpuvm_source_destroy(sources[1]);
    gpuvm_cancel_destroy(cancel);
}

static void check_wishes(const gpuvm_payload *payload)
{
    struct gpuvm_error error;
    const struct gpuvm_vulkan none = { .queue_family = 0 };
    uint32_t count = 0;
    gpuvm_wishes *wishes = gpuvm_wishes_create(payload, &none, &error);
    expect(error.status, GPUVM_USAGE, &error);
    if (wishes && gpuvm_wishes_features(wishes) &&
        gpuvm_wishes_extensions(wishes, &count))
        fail("wishes for no device", &error);
    gpuvm_wishes_destroy(wishes);
}

int main(int argc, char **argv)
{
    struct gpuvm_error error;
    if (argc != 3 || !gpuvm_version()[0])
        return GPUVM_USAGE;
    int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
    gpuvm_payload *payload = gpuvm_open_fd(fd, 0, NULL, &error);
    if (!payload)
        fail("a descriptor", &error);
    gpuvm_payload_close(payload);
    close(fd);
    payload = gpuvm_open_memory("no payload", 10, 0, NULL, &error);
    expect(error.status, GPUVM_REJECTED, &error);
    payload = gpuvm_open_file(argv[1], 0, NULL, &error);
    if (!payload)
        fail("a file", &error);
    show_payload(payload);
    check_wishes(payload);
    check_replay(payload, argv[2]);
    gpuvm_payload_close(payload);
    return 0;
}
