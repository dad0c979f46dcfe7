// Options that commands which run files have in common, for a struct gv_run_options.
#ifndef GV_RUN_OPTIONS_H
#define GV_RUN_OPTIONS_H

#include "tools/process/memory_bound.h"
#include "tools/run/run_plan.h"
#include "tools/store/stores.h"

#define GV_RUN_OPTION(member) GV_OPTION_AT(gv_run_options, member)

#define GV_RUN_DEFAULTS                                                       \
    {                                                                         \
        .screenshot_prefix = "frame_", .screenshot_format = "png", .loop = 1, \
        .timeout = 60, .mem_mb = GV_RUN_MEM_MB, .spill_mb = GV_SPILL_MB,      \
        .fetching.cache_mb = GV_FETCH_CACHE_MB,                               \
    }

// clang-format off
// Where resources come from, and what runs.
#define GV_RUN_OPTIONS_FROM(urls)                                                          \
    { .name = "store", .kind = GV_OPTION_LIST, .argument = "STORE",                  \
      .offset = GV_RUN_OPTION(stores),                                               \
      .help = "where resources of a thin payload are: folder, pack, URL" },          \
    GV_OPTION_FETCHING(gv_run_options, urls),                                              \
    { .name = "no-prefetch", .kind = GV_OPTION_FLAG,                                 \
      .offset = GV_RUN_OPTION(no_prefetch),                                          \
      .help = "fetch resources when they are used, one by one" },                    \
    { .name = "device", .kind = GV_OPTION_TEXT, .argument = "INDEX|NAME",            \
      .offset = GV_RUN_OPTION(device),                                               \
      .help = "which Vulkan device (the best)" }

// How a window shows frames.
#define GV_RUN_OPTIONS_WINDOW(shown)                                                        \
    { .name = "fps", .kind = GV_OPTION_TEXT, .argument = "N",                        \
      .offset = GV_RUN_OPTION(fps), .needs = (shown), .help = "frames a second in a window (those of the capture, or 60)" },    \
    { .name = "aspect", .kind = GV_OPTION_TEXT, .argument = "W:H|native",            \
      .offset = GV_RUN_OPTION(aspect), .needs = (shown),                                             \
      .help = "shape of pictures in a window (that of the capture, or native)" }

#define GV_RUN_OPTION_LOOP                                                           \
    { .name = "loop", .kind = GV_OPTION_NUMBER, .argument = "N", .minimum = 1,       \
      .maximum = 1000000000, .offset = GV_RUN_OPTION(loop),                          \
      .help = "run the frames N times (1)" }

// How much time and memory there is.
#define GV_RUN_OPTIONS_BOUNDS                                                        \
    { .name = "timeout", .kind = GV_OPTION_NUMBER, .argument = "S",                  \
      .maximum = 1000000, .offset = GV_RUN_OPTION(timeout),                          \
      .help = "seconds without a completed submission; 0 = none (60)" },             \
    GV_OPTION_MEM_MB(gv_run_options, "private and Vulkan", "4096"),                  \
    { .name = "cache-mb", .kind = GV_OPTION_NUMBER, .argument = "N", .minimum = 1,   \
      .maximum = 1 << 20, .offset = GV_RUN_OPTION(cache_mb),                         \
      .help = "of which for resources that are fetched, in MiB (256, or an eighth)" }, \
    GV_OPTION_SPILL_MB(gv_run_options)

// How a capture is compiled.
#define GV_RUN_OPTIONS_CAPTURE                                                       \
    { .name = "strict", .kind = GV_OPTION_FLAG, .offset = GV_RUN_OPTION(strict),     \
      .help = "compiling a capture: refuse what is unknown" },                       \
    { .name = "allow-truncated", .kind = GV_OPTION_FLAG,                             \
      .offset = GV_RUN_OPTION(allow_truncated),                                      \
      .help = "compiling a capture: up to its last whole record" },                  \
    { .name = "target", .kind = GV_OPTION_TEXT, .argument = "T",                     \
      .offset = GV_RUN_OPTION(target),                                               \
      .help = "compiling a capture: baseline, desktop or a file" },                  \
    { .name = "option", .kind = GV_OPTION_LIST, .argument = "KEY=VALUE",             \
      .offset = GV_RUN_OPTION(front_end),                                            \
      .help = "compiling a capture: what only its kind knows" }
// clang-format on

#endif
