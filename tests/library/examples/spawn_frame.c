// Hashes the pixels of each frame of a payload that nobody trusts: a child without
// rights replays it, so that what it does to a driver ends there. spawn_frame PAYLOAD
#include "tools/library/gpuvm.h" // <gpuvm.h> where it is installed

#include <inttypes.h>
#include <stdio.h>

static uint64_t hash(const struct gpuvm_picture *picture)
{
    uint64_t value = 14695981039346656037u; // FNV-1a
    for (size_t i = 0; i < (size_t)picture->width * picture->height * 4; i++)
        value = (value ^ picture->rgba[i]) * 1099511628211u;
    return value;
}

int main(int argc, char **argv)
{
    struct gpuvm_settings settings = { .size = sizeof settings, .timeout_ms = 60000 };
    struct gpuvm_spawn_params child = { .size = sizeof child };
    struct gpuvm_picture picture;
    struct gpuvm_error error;
    if (argc != 2) {
        fprintf(stderr, "spawn_frame PAYLOAD\n");
        return GPUVM_USAGE;
    }
    child.path = argv[1];
    gpuvm_replay *replay = gpuvm_spawn(&child, &settings, &error);
    const uint64_t count = replay ? gpuvm_frame_count(gpuvm_replay_payload(replay)) : 0;
    for (uint64_t i = 0; i < count && error.status == GPUVM_OK; i++)
        if (gpuvm_run_to_frame(replay, i, &error) == GPUVM_OK &&
            gpuvm_get_picture(replay, &picture, &error) == GPUVM_OK)
            printf("%" PRIu64 " %ux%u %016" PRIx64 "\n", i, picture.width,
                   picture.height, hash(&picture));
    if (replay && error.status == GPUVM_OK)
        gpuvm_run_to_end(replay, &error); // what follows the last frame
    gpuvm_replay_close(replay);
    if (error.status != GPUVM_OK)
        fprintf(stderr, "spawn_frame: %s: %s\n", gpuvm_status_word(error.status),
                error.message);
    return error.status;
}
