#include "compiler/psx/describe_dump.h"

#include "compiler/psx/null_sink.h"
#include "compiler/psx/replay.h"
#include "compiler/psx/stale_texels.h"

#include <string.h>

bool gv_psx_dump_version(struct gv_cursor input, enum gv_psx_version *version,
                         struct gv_error *err)
{
    *version = GV_PSX_V2;
    size_t header = gv_psx_dump_header(&input, err);
    if (header == 0)
        return false;
    input.pos = header;
    struct gv_psx_packet packet;
    while (header == 16 && gv_psx_packet_next(&input, &packet, NULL)) {
        if (packet.type == GV_PSX_GPU_VERSION && packet.words)
            *version = gv_psx_packet_word(&packet, 0) == 3   ? GV_PSX_V2_2MB
                       : gv_psx_packet_word(&packet, 0) == 1 ? GV_PSX_V0
                                                             : GV_PSX_V2;
        if (packet.type <= GV_PSX_TRACE_BEGIN)
            break;
    }
    return true;
}

// Comments told; a dump may hold thousands.
#define MAX_COMMENTS 8

struct describe {
    struct gv_describe *out;
    struct gv_psx_gpu gpu;
    struct gv_psx_stale stale;
    uint64_t packets, frames, prologue_vsyncs, warnings;
    uint64_t fills, copies, uploaded_cells, read_cells, readback_words;
    uint64_t begin; // number of the trace-begin packet, if `begins`
    bool begins, has_game_id, has_video_format;
    char texts[MAX_COMMENTS][256];
    uint32_t text_count;
    uint64_t comments;
    uint32_t width, height; // of the last frame
    bool sizes_vary;
};

// ---- counting ----

static void count_fill(void *context, const struct gv_psx_place *to, uint16_t cell,
                       int8_t skip)
{
    struct describe *d = context;
    (void)to, (void)cell, (void)skip;
    d->fills++;
}

static void count_copy(void *context, const struct gv_psx_place *from,
                       const struct gv_psx_place *to, struct gv_psx_mask mask)
{
    struct describe *d = context;
    (void)from, (void)to, (void)mask;
    d->copies++;
}

static void count_upload(void *context, const struct gv_psx_place *to,
                         struct gv_psx_cells cells, const uint8_t *data,
                         struct gv_psx_mask mask)
{
    struct describe *d = context;
    (void)to, (void)data, (void)mask;
    d->uploaded_cells += cells.count;
}

static void count_read(void *context, const struct gv_psx_place *from,
                       struct gv_psx_cells cells, bool keep)
{
    struct describe *d = context;
    (void)from;
    d->read_cells += cells.count;
    d->readback_words += keep ? (cells.count + 1) / 2 : 0;
}

static void count_latch(void *context, uint32_t word, uint32_t from_vram, bool keep)
{
    struct describe *d = context;
    (void)word, (void)from_vram;
    d->readback_words += keep;
}

static struct gv_psx_sink counting_sink(struct describe *d)
{
    struct gv_psx_sink sink = gv_psx_null_sink;
    sink.context = d;
    sink.fill = count_fill;
    sink.copy = count_copy;
    sink.upload = count_upload;
    sink.read = count_read;
    sink.latch = count_latch;
    return sink;
}

// ---- packets ----

// A packet's text: up to its padding, which need not be there.
static void get_text(char text[256], const struct gv_psx_packet *packet)
{
    size_t n = (size_t)packet->words * 4;
    n = n < 255 ? n : 255;
    memcpy(text, packet->data, n);
    text[n] = '\0';
}

// A fact has one value: what comes first.
static void add_fact(struct describe *d, const struct gv_psx_packet *packet,
                     const char *key, bool *told)
{
    char text[256];
    if (*told)
        return;
    *told = true;
    get_text(text, packet);
    gv_describe_text(d->out, key, text);
}

// Comments repeat; those that do not are told.
static void add_comment(struct describe *d, const struct gv_psx_packet *packet)
{
    static const char *const keys[MAX_COMMENTS] = { "comment",   "comment_2",
                                                    "comment_3", "comment_4",
                                                    "comment_5", "comment_6",
                                                    "comment_7", "comment_8" };
    d->comments++;
    if (d->text_count == MAX_COMMENTS)
        return;
    char *text = d->texts[d->text_count];
    get_text(text, packet);
    for (uint32_t i = 0; i < d->text_count; i++)
        if (strcmp(d->texts[i], text) == 0)
            return;
    gv_describe_text(d->out, keys[d->text_count++], text);
}

static bool describe_packet(void *context, const struct gv_psx_packet *packet,
                            struct gv_error *err)
{
    struct describe *d = context;
    (void)err;
    d->packets++;
    switch (packet->type) {
    case GV_PSX_GAME_ID:
        add_fact(d, packet, "game_id", &d->has_game_id);
        break;
    case GV_PSX_VIDEO_FORMAT:
        add_fact(d, packet, "video_format", &d->has_video_format);
        break;
    case GV_PSX_COMMENT:
        add_comment(d, packet);
        break;
    case GV_PSX_TRACE_BEGIN:
        if (!d->begins)
            d->begin = d->packets;
        d->begins = true;
        break;
    default:
        break;
    }
    return true;
}

static bool describe_vsync(void *context, bool live, struct gv_error *err)
{
    struct describe *d = context;
    struct gv_psx_display area = gv_psx_display_area(&d->gpu);
    (void)err;
    d->prologue_vsyncs += !live;
    if (!live)
        return true;
    d->sizes_vary |= d->frames && (d->width != area.width || d->height != area.height);
    d->width = area.width;
    d->height = area.height;
    d->frames++;
    return true;
}

static void describe_odd(void *context, uint64_t offset, const char *code,
                         const char *text)
{
    struct describe *d = context;
    (void)offset, (void)code, (void)text;
    d->warnings++;
}

static void count_stale(void *context)
{
    struct describe *d = context;
    d->warnings++;
}

// ---- facts ----

static void put_facts(const struct describe *d)
{
    static const char *const versions[] = { "v0, 1 MB", "v2, 1 MB", "v2, 2 MB" };
    struct gv_describe *out = d->out;
    gv_describe_number(out, "comments", d->comments);
    gv_describe_text(out, "gpu_version", versions[d->gpu.version]);
    gv_describe_number(out, "packets", d->packets);
    if (d->begins)
        gv_describe_number(out, "trace_begin_packet", d->begin);
    gv_describe_number(out, "prologue_vsyncs", d->prologue_vsyncs);
    gv_describe_number(out, "frames", d->frames);
    if (d->frames) {
        gv_describe_number(out, "last_width", d->width);
        gv_describe_number(out, "last_height", d->height);
        gv_describe_bool(out, "sizes_vary", d->sizes_vary);
    }
    gv_describe_number(out, "primitives", d->gpu.primitives);
    gv_describe_number(out, "fills", d->fills);
    gv_describe_number(out, "copies", d->copies);
    gv_describe_number(out, "uploaded_cells", d->uploaded_cells);
    gv_describe_number(out, "read_cells", d->read_cells);
    gv_describe_number(out, "readback_words", d->readback_words);
    // What the GPU counted is one warning of each kind, as when compiling.
    gv_describe_number(out, "warnings",
                       d->warnings + (d->gpu.dropped_words > 0) +
                           (d->gpu.dropped_reads > 0) + (d->gpu.odd_fills > 0));
}

bool gv_psx_describe(struct gv_cursor input, const struct gv_compile_params *params,
                     struct gv_describe *out, struct gv_error *err)
{
    struct describe d = { .out = out };
    const struct gv_psx_listener listener = { .context = &d,
                                              .packet = describe_packet,
                                              .vsync = describe_vsync,
                                              .odd = describe_odd };
    size_t header = gv_psx_dump_header(&input, err);
    if (header == 0)
        return false;
    gv_describe_text(out, "writer_form",
                     header == 16 ? "16-byte magic (specification)"
                                  : "14-byte magic (DuckStation)");
    d.stale = (struct gv_psx_stale){
        .next = counting_sink(&d), .gpu = &d.gpu, .tell = count_stale, .context = &d
    };
    struct gv_psx_sink sink = gv_psx_stale_sink(&d.stale);
    gv_psx_gpu_init(&d.gpu, &sink);
    bool ok = gv_psx_replay(input, &d.gpu, &listener, params->allow_truncated, err);
    put_facts(&d);
    gv_psx_gpu_finish(&d.gpu);
    return ok;
}
