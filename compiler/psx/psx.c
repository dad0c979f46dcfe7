// The front-end row of PlayStation GPU dumps.
#include "compiler/frontend.h"
#include "compiler/psx/describe_dump.h"
#include "compiler/psx/dump_text.h"
#include "compiler/psx/gpu_dump.h"
#include "compiler/psx/lower.h"
#include "compiler/psx/replay.h"
#include "compiler/psx/stale_texels.h"

#include <string.h>

#define DEFAULT_TILE_W 8 // cells
#define DEFAULT_TILE_H 4
#define UNLIMITED_BATCH UINT32_MAX

struct compile {
    const struct gv_compile_params *params;
    struct gv_builder *builder;
    struct gv_psx_gpu gpu;
    struct gv_psx_device device;
    struct gv_psx_group *group;
    struct gv_psx_lower lower;
    struct gv_psx_stale stale;
    uint64_t packet; // packets begun; command numbers count from 1, set-up is command 0
    uint64_t size;   // of the dump, bytes; 0: not known
    uint64_t end;    // of the last packet that has begun
    uint32_t frame;
    bool done; // all wanted frames are out
};

static enum gv_match probe(struct gv_cursor head)
{
    const char magic[] = "PSXGPUDUMP";
    const uint8_t *p = gv_cursor_take(&head, sizeof magic - 1);
    return p && memcmp(p, magic, sizeof magic - 1) == 0 ? GV_MATCH_SURE : GV_MATCH_NO;
}

// ---- options ----

#define TILE "psx.tile"
#define BATCH "psx.batch"
#define LIMITS "psx.limits"
static const char *const options[] = {
    TILE,   // WxH cells of a raster tile
    BATCH,  // primitives to a batch at most
    LIMITS, // of devices: any, or minimal
    NULL,
};

// Eight invocations, each of two columns and up to PSX_MAX_ROWS rows.
static bool is_tile(unsigned w, unsigned h)
{
    if (w != 2 && w != 4 && w != 8 && w != 16)
        return false;
    unsigned lanes_h = PSX_TILE_LANES / (w / 2), rows = h / lanes_h;
    return (rows == 2 || rows == 4 || rows == PSX_MAX_ROWS) && h == rows * lanes_h;
}

// Decimal digits: no sign, no space, nothing beyond 32 bits.
static bool take_number(const char **text, uint32_t *number)
{
    const char *at = *text;
    uint64_t n = 0;
    for (; *at >= '0' && *at <= '9' && n <= UINT32_MAX; at++)
        n = n * 10 + (uint64_t)(*at - '0');
    if (at == *text || n > UINT32_MAX)
        return false;
    *text = at;
    *number = (uint32_t)n;
    return true;
}

static bool read_tile(const char *text, struct gv_psx_device_params *device)
{
    if (!take_number(&text, &device->tile_w) || *text != 'x')
        return false;
    text++;
    return take_number(&text, &device->tile_h) && *text == '\0' &&
           is_tile(device->tile_w, device->tile_h);
}

static bool read_batch(const char *text, uint32_t *batch)
{
    return take_number(&text, batch) && *text == '\0' && *batch > 0;
}

static bool read_limits(const char *text, enum gv_psx_limits *limits)
{
    *limits = strcmp(text, "minimal") == 0 ? GV_PSX_LIMITS_MINIMAL : GV_PSX_LIMITS_ANY;
    return *limits == GV_PSX_LIMITS_MINIMAL || strcmp(text, "any") == 0;
}

static bool read_options(const struct gv_compile_params *params,
                         struct gv_psx_device_params *device, uint32_t *batch,
                         struct gv_error *err)
{
    const char *tile = gv_frontend_option(params, TILE);
    const char *limit = gv_frontend_option(params, BATCH);
    const char *limits = gv_frontend_option(params, LIMITS);
    device->tile_w = DEFAULT_TILE_W;
    device->tile_h = DEFAULT_TILE_H;
    *batch = UNLIMITED_BATCH;
    if (tile && !read_tile(tile, device))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       TILE " is WxH cells: 2, 4, 8 or 16 wide, 32 to 128 in all");
    if (limits && !read_limits(limits, &device->limits))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, LIMITS " is any or minimal");
    if (limit && !read_batch(limit, batch))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       BATCH " is a number from 1 to 4294967295");
    return true;
}

// ---- playing ----

static void begin_packet(struct compile *c, uint64_t offset, const char *name)
{
    c->packet++;
    c->device.command = c->packet;
    c->device.command_offset = offset;
    c->device.command_name = name;
}

static bool on_packet(void *context, const struct gv_psx_packet *packet,
                      struct gv_error *err)
{
    struct compile *c = context;
    const char *name = gv_psx_packet_name(packet->type);
    begin_packet(c, packet->offset, name ? name : "unknown");
    c->end = packet->offset + 4 + (uint64_t)packet->words * 4;
    gv_input_read_to(c->params->read, packet->offset); // the GPU has copied it
    return !gv_builder_failed(c->builder, err);
}

static bool wanted_frames_done(const struct compile *c)
{
    const struct gv_compile_params *p = c->params;
    return p->frames &&
           (p->frame_count == 0 || c->frame > p->frames[p->frame_count - 1]);
}

static void tell_pace(struct compile *c)
{
    const struct gv_psx_refresh refresh = gv_psx_refresh(&c->gpu);
    gv_builder_pace(c->builder, &(struct gv_pace){ .rate = refresh.rate,
                                                   .per = refresh.per,
                                                   .width = 4,
                                                   .height = 3 });
}

static bool on_vsync(void *context, bool live, struct gv_error *err)
{
    struct compile *c = context;
    if (!live)
        return true;
    gv_psx_group_flush(c->group);
    struct gv_psx_display d = gv_psx_display_area(&c->gpu);
    const struct gv_psx_display_params p = {
        d.x, d.y, d.width, d.height, gv_psx_vram_rows(&c->gpu) - 1, d.off, d.rgb24
    };
    gv_psx_device_present(&c->device, &p);
    bool picture = d.width && d.height;
    tell_pace(c);
    gv_builder_frame_end(c->builder, picture ? d.width : 0, picture ? d.height : 0);
    c->frame++;
    if (c->params->progress)
        c->params->progress(c->params->progress_context, c->device.command_offset,
                            c->size);
    c->done = wanted_frames_done(c);
    return !c->done && !gv_builder_failed(c->builder, err);
}

// Diagnostics stand at the packet, not at what was emitted last.
static void on_odd(void *context, uint64_t offset, const char *code, const char *text)
{
    struct compile *c = context;
    if (offset != c->device.command_offset) // of a packet that is not whole
        begin_packet(c, offset, "cut packet");
    gv_psx_device_tell_position(&c->device);
    gv_builder_diagnose(c->builder, GV_WARNING, code, "%s", text);
}

// What the GPU counted rather than told; it stands at the last packet.
static void report_oddities(struct compile *c)
{
    const struct gv_psx_gpu *gpu = &c->gpu;
    if (gpu->dropped_words || gpu->dropped_reads || gpu->odd_fills)
        gv_psx_device_tell_position(&c->device);
    if (gpu->dropped_words)
        gv_builder_diagnose(c->builder, GV_WARNING, "queue-full",
                            "%llu GP0 words sent during a read were dropped",
                            (unsigned long long)gpu->dropped_words);
    if (gpu->dropped_reads)
        gv_builder_diagnose(c->builder, GV_WARNING, "read-too-long",
                            "%llu words were asked of GPUREAD beyond any read",
                            (unsigned long long)gpu->dropped_reads);
    if (gpu->odd_fills)
        gv_builder_diagnose(c->builder, GV_WARNING, "old-gpu-fill",
                            "%llu fills at a column of 15 are done as new GPUs do",
                            (unsigned long long)gpu->odd_fills);
}

static void on_stale(void *context)
{
    struct compile *c = context;
    gv_psx_device_tell_position(&c->device);
    gv_builder_diagnose(c->builder, GV_WARNING, "texture-cache",
                        "texels drawn over are sampled without a flush: the hardware "
                        "may show old ones");
}

static void await(void *context, struct gv_cursor *dump, size_t size)
{
    struct compile *c = context;
    gv_input_read_want(c->params->read, dump, (uint64_t)dump->pos + size);
}

static struct gv_psx_listener listen(struct compile *c)
{
    return (struct gv_psx_listener){ .context = c,
                                     .packet = on_packet,
                                     .vsync = on_vsync,
                                     .odd = on_odd,
                                     .await = c->params->read ? await : NULL };
}

// Up to the first packet that needs the memory, behind which no version counts.
static void await_version(struct compile *c, struct gv_cursor *input)
{
    const struct gv_psx_listener listener = listen(c);
    struct gv_psx_packet packet;
    struct gv_cursor dump = *input;
    dump.pos = gv_psx_dump_header(input, NULL);
    while (dump.pos && gv_psx_replay_packet(&listener, &dump, &packet, NULL) &&
           packet.type > GV_PSX_TRACE_BEGIN) {
    }
    input->size = dump.size;
}

static bool play(struct compile *c, struct gv_cursor input, struct gv_error *err)
{
    const struct gv_psx_listener listener = listen(c);
    bool ok = gv_psx_replay(input, &c->gpu, &listener, c->params->allow_truncated, err);
    gv_input_read_to(c->params->read, c->end);
    if (!ok && !c->done)
        return false;
    report_oddities(c);
    if (!c->done) {
        gv_psx_group_flush(c->group);
        gv_psx_device_post(&c->device);
    }
    return !gv_builder_failed(c->builder, err);
}

static bool compile_dump(struct gv_cursor input, const struct gv_compile_params *params,
                         struct gv_arena *arena, struct gv_builder *out,
                         struct gv_error *err)
{
    struct gv_psx_device_params device = { 0 };
    uint32_t batch = UNLIMITED_BATCH;
    enum gv_psx_version version;
    if (!read_options(params, &device, &batch, err))
        return false;
    struct compile *c = gv_arena_alloc(arena, sizeof *c);
    struct gv_psx_group *group = gv_arena_alloc(arena, sizeof *group);
    struct gv_psx_known *known = gv_arena_alloc(arena, sizeof *known);
    if (!c || !group || !known)
        return gv_out_of_memory(err);
    *c = (struct compile){ .params = params,
                           .builder = out,
                           .group = group,
                           .size = params->read ? 0 : input.size };
    if (params->read)
        await_version(c, &input);
    if (!gv_psx_dump_version(input, &version, err))
        return false;
    device.rows = version == GV_PSX_V2_2MB ? 1024 : 512;
    gv_psx_device_init(&c->device, out, &device);
    gv_psx_group_init(group, &c->device, batch);
    c->lower = (struct gv_psx_lower){ .gpu = &c->gpu, .group = group, .known = known };
    c->stale = (struct gv_psx_stale){ .next = gv_psx_lower_sink(&c->lower),
                                      .gpu = &c->gpu,
                                      .tell = on_stale,
                                      .context = c };
    struct gv_psx_sink sink = gv_psx_stale_sink(&c->stale);
    gv_psx_gpu_init(&c->gpu, &sink);
    bool ok = play(c, input, err);
    gv_psx_gpu_finish(&c->gpu);
    gv_psx_lower_finish(&c->lower);
    gv_psx_group_finish(group);
    return ok;
}

const struct gv_frontend gv_frontend_psx = {
    .name = "psx",
    .what = "PlayStation GPU dump",
    .options = options,
    .probe = probe,
    .streams = GV_STREAMS_ONCE,
    .compile = compile_dump,
    .info = gv_psx_describe,
    .dump = gv_psx_dump_text,
    .contents_exact = true,
};
