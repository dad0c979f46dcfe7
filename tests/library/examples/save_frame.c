// Saves the picture of a frame as a PNG: save_frame PAYLOAD FRAME FILE
#include "tools/library/gpuvm.h" // <gpuvm.h> where it is installed

#include <png.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const struct gpuvm_error *error)
{
    fprintf(stderr, "save_frame: %s: %s\n", gpuvm_status_word(error->status),
            error->message);
    return error->status;
}

static int save(const struct gpuvm_picture *picture, const char *path)
{
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = picture->width,
                        .height = picture->height,
                        .format = PNG_FORMAT_RGBA };
    if (png_image_write_to_file(&image, path, 0, picture->rgba, 0, NULL))
        return 0;
    fprintf(stderr, "save_frame: %s: %s\n", path, image.message);
    return 1;
}

int main(int argc, char **argv)
{
    struct gpuvm_settings settings = { .size = sizeof settings, .timeout_ms = 60000 };
    struct gpuvm_picture picture;
    struct gpuvm_error error;
    if (argc != 4) {
        fprintf(stderr, "save_frame PAYLOAD FRAME FILE\n");
        return GPUVM_USAGE;
    }
    gpuvm_payload *payload = gpuvm_open_file(argv[1], 0, NULL, &error);
    if (!payload)
        return fail(&error);
    gpuvm_replay *replay = gpuvm_replay_create(payload, &settings, &error);
    int status = replay ? GPUVM_OK : fail(&error);
    if (replay) {
        const uint64_t frame = strtoull(argv[2], NULL, 10);
        if (gpuvm_run_to_frame(replay, frame, &error) == GPUVM_OK &&
            gpuvm_get_picture(replay, &picture, &error) == GPUVM_OK)
            status = save(&picture, argv[3]);
        else
            status = fail(&error);
    }
    gpuvm_replay_close(replay);
    gpuvm_payload_close(payload);
    return status;
}
