// The AeroGPU front-end's row.
#include "compiler/aerogpu/aero_replay.h"
#include "compiler/aerogpu/aero_stream.h"
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

#define FRAMEBUFFER "aerogpu.framebuffer"
#define HALF_PIXEL "aerogpu.half-pixel"
static const char *const options[] = {
    FRAMEBUFFER, // WxH of the default framebuffer
    HALF_PIXEL,  // 1: Direct3D 9's offset of half a pixel
    NULL,
};

static bool read_options(struct gv_aero *a, const struct gv_compile_params *params,
                         struct gv_error *err)
{
    const char *size = gv_frontend_option(params, FRAMEBUFFER);
    const char *half = gv_frontend_option(params, HALF_PIXEL);
    unsigned w = GV_AERO_FRAMEBUFFER_SIDE, h = GV_AERO_FRAMEBUFFER_SIDE;
    char rest;
    if (size && (sscanf(size, "%5ux%5u%c", &w, &h, &rest) != 2 || !w || !h ||
                 w > MAX_FRAMEBUFFER_SIDE || h > MAX_FRAMEBUFFER_SIDE))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       FRAMEBUFFER " is WxH pixels, 1 to %u each",
                       MAX_FRAMEBUFFER_SIDE);
    if (half && strcmp(half, "0") != 0 && strcmp(half, "1") != 0)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, HALF_PIXEL " is 0 or 1");
    a->frames.framebuffer_width = w;
    a->frames.framebuffer_height = h;
    a->shaders.half_pixel = half && *half == '1';
    return true;
}

static bool set_up(struct gv_aero *a, const struct gv_compile_params *params,
                   struct gv_arena *arena, struct gv_builder *out, struct gv_error *err)
{
    a->params = params;
    a->arena = arena;
    a->b = a->pass.b = out;
    a->stand_ins.pass = &a->pass;
    a->objects = (struct gv_id_map){ .arena = arena,
                                     .object_bytes = sizeof(struct gv_aero_object),
                                     .serials = &a->next_serial,
                                     .limit = GV_AERO_MAX_OBJECTS };
    a->images = (struct gv_aero_images){ .pass = &a->pass,
                                         .arena = arena,
                                         .upload = "UPLOAD_RESOURCE" };
    a->buffers = (struct gv_lower_buffers){ .pass = &a->pass, .arena = arena };
    a->padded = gv_arena_alloc(arena, GV_LOWER_KNOWN_BYTES);
    if (!a->padded)
        return gv_out_of_memory(err);
    return gv_lower_pipelines_init(&a->pipelines, out, arena, err) &&
           read_options(a, params, err);
}

static bool compile(struct gv_cursor input, const struct gv_compile_params *params,
                    struct gv_arena *arena, struct gv_builder *out,
                    struct gv_error *err)
{
    struct gv_aero *a = gv_arena_alloc(arena, sizeof *a);
    if (!a)
        return gv_out_of_memory(err);
    bool ok = set_up(a, params, arena, out, err);
    if (ok && params->read)
        ok = gv_aero_stream(a, input, err);
    else if (ok)
        ok = gv_gpu_trace_open(&a->trace, input, params->allow_truncated, arena, err) &&
             gv_aero_replay(a, err);
    gv_bytes_finish(&a->images.scratch);
    gv_arena_finish(&a->guest.arena);
    return ok;
}

const struct gv_frontend gv_frontend_aerogpu = {
    .name = "aerogpu",
    .what = "AeroGPU command trace",
    .options = options,
    .probe = probe,
    .streams = GV_STREAMS_AGAIN, // blobs are used long after they came
    .compile = compile,
    .info = gv_aero_info,
    .dump = gv_aero_dump,
};
