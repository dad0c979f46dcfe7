// The small program for devices: it plays payloads and holds no compiler.
#include "tools/program.h"

static const struct gv_command *const commands[] = {
    &gv_cmd_run, &gv_cmd_play, &gv_cmd_verify, &gv_cmd_info, &gv_cmd_devices, NULL,
};

int main(int argc, char **argv)
{
    struct gv_program program = {
        .name = "gpuvm-player",
        .what = "replay payloads with Vulkan",
        .commands = commands,
        .child = gv_replay_child,
    };
    return gv_program_main(&program, argc, argv);
}
