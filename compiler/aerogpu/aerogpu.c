// The AeroGPU front-end's row.
#include "compiler/aerogpu/aero_replay.h"
#include "compiler/aerogpu/aero_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FRAMEBUFFER_SIDE 16384u

static enum gv_match probe(struct gv_cursor head)
{
    return head.size >= 8 && !memcmp(head.data, GV_TRACE_MAGIC, 8) ? GV_MATCH_SURE
                                                                   : GV_MATCH_NO;
}

// "aerogpu.framebuffer=WxH" and "aerogpu.half-pixel=1".
static bool read_option(struct gv_aero *a, const char *option, struct gv_error *err)
{
    static const char prefix[] = "aerogpu.";
    if (strncmp(option, prefix, sizeof prefix - 1) != 0)
        return true; // another front-end's
    const char *o = option + sizeof prefix - 1;
    unsigned w, h;
    char rest;
    if (sscanf(o, "framebuffer=%5ux%5u%c", &w, &h, &rest) == 2 && w && h &&
        w <= MAX_FRAMEBUFFER_SIDE && h <= MAX_FRAMEBUFFER_SIDE) {
        a->framebuffer_width = w;
        a->framebuffer_height = h;
        return true;
    }
    if (!strcmp(o, "half-pixel=1") || !strcmp(o, "half-pixel=0")) {
        a->half_pixel = o[sizeof "half-pixel=" - 1] == '1';
        return true;
    }
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "unknown option %s", option);
}

static bool set_up(struct gv_aero *a, const struct gv_compile_params *params,
                   struct gv_arena *arena, struct gv_builder *out, struct gv_error *err)
{
    a->params = params;
    a->arena = arena;
    a->b = out;
    a->framebuffer_width = a->framebuffer_height = GV_AERO_FRAMEBUFFER_SIDE;
    a->pipelines = gv_arena_array(arena, GV_AERO_PIPELINE_BUCKETS, sizeof(void *));
    a->padded = gv_arena_alloc(arena, GV_AERO_SHADOW_BYTES);
    if (!a->pipelines || !a->padded)
        return gv_aero_out_of_memory(err);
    for (const char *const *o = params->options; o && *o; o++)
        if (!read_option(a, *o, err))
            return false;
    return true;
}

static bool compile(struct gv_cursor input, const struct gv_compile_params *params,
                    struct gv_arena *arena, struct gv_builder *out,
                    struct gv_error *err)
{
    struct gv_aero *a = gv_arena_alloc(arena, sizeof *a);
    if (!a)
        return gv_aero_out_of_memory(err);
    bool ok =
        set_up(a, params, arena, out, err) &&
        gv_gpu_trace_open(&a->trace, input, params->allow_truncated, arena, err) &&
        gv_aero_replay(a, err);
    gv_bytes_finish(&a->scratch);
    gv_arena_finish(&a->submission_arena);
    return ok;
}

const struct gv_frontend gv_frontend_aerogpu = {
    .name = "aerogpu",
    .what = "AeroGPU command trace",
    .probe = probe,
    .compile = compile,
    .info = gv_aero_info,
    .dump = gv_aero_dump,
};
