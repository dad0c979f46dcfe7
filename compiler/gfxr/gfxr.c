// The front-end row of gfxreconstruct's captures.
#include "compiler/gfxr/gfxr.h"

#include <string.h>

struct gv_gfxr_reader *gv_gfxr_start(struct gv_cursor input,
                                     const struct gv_compile_params *params,
                                     bool sizes_only, struct gv_error *err)
{
    const struct gv_gfxr_params reading = { .allow_truncated = params->allow_truncated,
                                            .sizes_only = sizes_only,
                                            .memory_limit = params->memory_limit
                                                                ? params->memory_limit
                                                                : GV_COMPILE_MEMORY,
                                            .read = params->read };
    return gv_gfxr_open(input, &reading, err);
}

static enum gv_match probe(struct gv_cursor head)
{
    return head.size >= 4 && !memcmp(head.data, GV_GFXR_MAGIC, 4) ? GV_MATCH_SURE
                                                                  : GV_MATCH_NO;
}

// Forward, but what packs the file is unpacked by others.
static bool reads_forward(struct gv_cursor head)
{
    (void)head;
    return false;
}

const struct gv_frontend gv_frontend_gfxr = {
    .name = "gfxr",
    .what = "gfxreconstruct capture",
    .probe = probe,
    .reads_forward = reads_forward,
    .streams = GV_STREAMS_ONCE,
    .compile = gv_gfxr_compile,
    .info = gv_gfxr_info,
    .dump = gv_gfxr_dump,
    .dumps_calls = true,
};
