// A program made of subcommands: `gpuvm`, and the small `gpuvm-player`.
#ifndef GV_PROGRAM_H
#define GV_PROGRAM_H

#include "compiler/compiler.h"
#include "tools/options.h"

struct gv_expect_pictures;
struct gv_run_bench_kind;

// The compiler as the commands see it; the player has none.
struct gv_captures {
    bool (*probe)(const void *capture, size_t size, const char **name,
                  const char **what, struct gv_error *err);
    bool (*may_be)(const void *head, size_t size, struct gv_error *err);
    bool (*compile)(const void *capture, size_t size,
                    const struct gv_compile_params *params, gv_write_fn write,
                    void *context, struct gv_compile_stats *stats,
                    struct gv_error *err);
    bool (*check_options)(const struct gv_compile_params *params, struct gv_error *err);
    bool (*info)(const void *capture, size_t size,
                 const struct gv_compile_params *params, struct gv_describe *out,
                 struct gv_error *err);
    void (*describe_finish)(struct gv_describe *d);
    bool (*reads_forward)(const void *capture, size_t size);
    bool (*compile_shader)(uint32_t stage, const char *text, struct gv_bytes *spirv,
                           struct gv_error *err);
};

struct gv_program {
    const char *name, *what;
    const struct gv_command *const *commands; // NULL-terminated
    const struct gv_captures *captures;       // NULL: captures are refused
    int (*child)(void); // GV_CHILD_ARGUMENT: the exit code; NULL: no such word
    const struct gv_run_bench_kind *bench;            // NULL: frames are not timed
    const struct gv_expect_pictures *expect_pictures; // NULL: hashes are expected alone
    uint64_t start_ns;                                // monotonic clock when main began
};

// Runs the subcommand argv[1], or prints help. Returns the exit code.
int gv_program_main(struct gv_program *program, int argc, char **argv);

// Replays for the program that has the other end of standard input (tools/child).
int gv_replay_child(void);

// The times of frames in `gpuvm run` (tools/run/run_bench.h).
extern const struct gv_run_bench_kind gv_run_bench_kind;

// What a program says of itself for others to keep (tools/describe/), made of the
// tables that parse its command line. The manual page of a command, or of the whole
// program where that is NULL; a completion for "bash", "zsh" or "fish", false for other
// shells.
void gv_print_manual(const struct gv_program *program,
                     const struct gv_command *command);
bool gv_print_completion(const struct gv_program *program, const char *shell);

extern const struct gv_command gv_cmd_compile, gv_cmd_run, gv_cmd_info, gv_cmd_dump,
    gv_cmd_asm, gv_cmd_verify, gv_cmd_explain, gv_cmd_inspect, gv_cmd_devices,
    gv_cmd_store, gv_cmd_thin, gv_cmd_fat, gv_cmd_slice, gv_cmd_keyframe, gv_cmd_prof,
    gv_cmd_issues, gv_cmd_play, gv_cmd_compare, gv_cmd_check, gv_cmd_edit, gv_cmd_diff;

#endif
