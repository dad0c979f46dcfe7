// The whole program.
#include "tools/program.h"
#include "tools/verdict/expect_pictures.h"

static const struct gv_command *const commands[] = {
    &gv_cmd_compile, &gv_cmd_run,    &gv_cmd_play,    &gv_cmd_info,    &gv_cmd_dump,
    &gv_cmd_asm,     &gv_cmd_verify, &gv_cmd_explain, &gv_cmd_inspect, &gv_cmd_devices,
    &gv_cmd_store,   &gv_cmd_thin,   &gv_cmd_fat,     &gv_cmd_slice,   &gv_cmd_keyframe,
    &gv_cmd_edit,    &gv_cmd_diff,   &gv_cmd_prof,    &gv_cmd_issues,  &gv_cmd_compare,
    &gv_cmd_check,   NULL,
};

static const struct gv_captures captures = {
    .probe = gv_capture_probe,
    .may_be = gv_capture_may_be,
    .compile = gv_compile,
    .check_options = gv_compile_options_check,
    .info = gv_capture_info,
    .describe_finish = gv_describe_finish,
    .reads_forward = gv_capture_reads_forward,
    .compile_shader = gv_compile_shader,
};

int main(int argc, char **argv)
{
    struct gv_program program = {
        .name = "gpuvm",
        .what = "compile GPU captures into payloads and replay them with Vulkan",
        .commands = commands,
        .captures = &captures,
        .bench = &gv_run_bench_kind,
        .expect_pictures = &gv_expect_pictures,
    };
    return gv_program_main(&program, argc, argv);
}
