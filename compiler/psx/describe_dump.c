#include "compiler/psx/describe_dump.h"

#include "compiler/psx/gp0_decode.h"
#include "compiler/psx/replay.h"

#include <string.h>

static void no_triangle(void *c, const struct gv_psx_draw *d,
                        const struct gv_psx_vertex *v, bool gouraud)
{
    (void)c, (void)d, (void)v, (void)gouraud;
}
static void no_line(void *c, const struct gv_psx_draw *d, const struct gv_psx_vertex *v)
{
    (void)c, (void)d, (void)v;
}
static void no_rectangle(void *c, const struct gv_psx_draw *d,
                         const struct gv_psx_vertex *v, uint32_t w, uint32_t h)
{
    (void)c, (void)d, (void)v, (void)w, (void)h;
}
static void no_clut(void *c, uint32_t x, uint32_t y, uint32_t entries)
{
    (void)c, (void)x, (void)y, (void)entries;
}
static void no_fill(void *c, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                    uint16_t cell, int8_t skip)
{
    (void)c, (void)x, (void)y, (void)w, (void)h, (void)cell, (void)skip;
}
static void no_copy(void *c, uint32_t sx, uint32_t sy, uint32_t dx, uint32_t dy,
                    uint32_t w, uint32_t h, bool set, bool check)
{
    (void)c, (void)sx, (void)sy, (void)dx, (void)dy, (void)w, (void)h, (void)set,
        (void)check;
}
static void no_upload(void *c, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                      uint32_t first, const uint8_t *cells, uint32_t count, bool set,
                      bool check)
{
    (void)c, (void)x, (void)y, (void)w, (void)h, (void)first, (void)cells, (void)count,
        (void)set, (void)check;
}
static void no_read(void *c, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                    uint32_t first, uint32_t count, bool keep)
{
    (void)c, (void)x, (void)y, (void)w, (void)h, (void)first, (void)count, (void)keep;
}
static void no_latch(void *c, uint32_t word, uint32_t from_vram, bool keep)
{
    (void)c, (void)word, (void)from_vram, (void)keep;
}

static const struct gv_psx_sink nothing = { NULL,    no_triangle, no_line, no_rectangle,
                                            no_clut, no_fill,     no_copy, no_upload,
                                            no_read, no_latch };

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

struct describe {
    struct gv_describe *out;
    struct gv_psx_gpu gpu;
    uint64_t packets, frames, prologue_vsyncs;
};

// A packet's text: up to its padding, which need not be there.
static void add_text(struct gv_describe *out, const char *key,
                     const struct gv_psx_packet *packet)
{
    char text[256];
    size_t n = (size_t)packet->words * 4;
    n = n < sizeof text - 1 ? n : sizeof text - 1;
    memcpy(text, packet->data, n);
    text[n] = '\0';
    gv_describe_text(out, key, text);
}

static bool describe_packet(void *context, const struct gv_psx_packet *packet,
                            struct gv_error *err)
{
    struct describe *d = context;
    (void)err;
    d->packets++;
    if (packet->type == GV_PSX_GAME_ID)
        add_text(d->out, "game_id", packet);
    if (packet->type == GV_PSX_VIDEO_FORMAT)
        add_text(d->out, "video_format", packet);
    if (packet->type == GV_PSX_COMMENT)
        add_text(d->out, "comment", packet);
    return true;
}

static bool describe_vsync(void *context, bool live, struct gv_error *err)
{
    struct describe *d = context;
    (void)err;
    d->frames += live;
    d->prologue_vsyncs += !live;
    return true;
}

bool gv_psx_describe(struct gv_cursor input, const struct gv_compile_params *params,
                     struct gv_describe *out, struct gv_error *err)
{
    static const char *const versions[] = { "v0, 1 MB", "v2, 1 MB", "v2, 2 MB" };
    struct describe d = { .out = out };
    const struct gv_psx_listener listener = { &d, describe_packet, describe_vsync,
                                              NULL };
    size_t header = gv_psx_dump_header(&input, err);
    if (header == 0)
        return false;
    gv_describe_text(out, "writer_form",
                     header == 16 ? "16-byte magic (specification)"
                                  : "14-byte magic (DuckStation)");
    gv_psx_gpu_init(&d.gpu, &nothing);
    bool ok = gv_psx_replay(input, &d.gpu, &listener, params->allow_truncated, err);
    gv_describe_text(out, "gpu_version", versions[d.gpu.version]);
    gv_describe_number(out, "packets", d.packets);
    gv_describe_number(out, "frames", d.frames);
    gv_describe_number(out, "prologue_vsyncs", d.prologue_vsyncs);
    gv_describe_number(out, "primitives", d.gpu.primitives);
    gv_psx_gpu_finish(&d.gpu);
    return ok;
}

// ---- text ----

struct text {
    struct gv_bytes *out;
    struct gv_psx_gpu gpu;
};

// Which command a GP0 word belongs to, told from the parser before it takes the word.
static void describe_gp0(struct text *t, uint32_t word)
{
    const char *role = "";
    switch (t->gpu.parse) {
    case GV_PSX_UPLOAD:
        role = "  upload data";
        break;
    case GV_PSX_READ:
        role = "  waits for the read";
        break;
    case GV_PSX_POLYLINE:
        role = "  polyline";
        break;
    case GV_PSX_QUAD:
        role = "  fourth vertex";
        break;
    case GV_PSX_IDLE:
        role = t->gpu.have ? "  parameter" : gv_psx_command_name(word);
        break;
    }
    gv_bytes_printf(t->out, "    %08x %s\n", word, role);
    gv_psx_gp0(&t->gpu, word);
}

static void describe_words(struct text *t, const struct gv_psx_packet *packet)
{
    for (uint32_t i = 0; i < packet->words; i++) {
        uint32_t word = gv_psx_packet_word(packet, i);
        if (packet->type == GV_PSX_GP0) {
            describe_gp0(t, word);
        } else {
            gv_bytes_printf(t->out, "    %08x\n", word);
            if (packet->type == GV_PSX_GP1)
                gv_psx_gp1(&t->gpu, word);
        }
    }
    if (packet->type == GV_PSX_DISCARD || packet->type == GV_PSX_READBACK)
        gv_psx_gpuread(&t->gpu, packet->words ? gv_psx_packet_word(packet, 0) : 0,
                       false);
}

bool gv_psx_dump_text(struct gv_cursor input, const struct gv_compile_params *params,
                      struct gv_bytes *out, struct gv_error *err)
{
    size_t header = gv_psx_dump_header(&input, err);
    if (header == 0)
        return false;
    input.pos = header;
    struct text t = { .out = out };
    gv_psx_gpu_init(&t.gpu, &nothing);
    struct gv_psx_packet packet;
    struct gv_error local = GV_ERROR_INIT;
    for (uint64_t n = 0; gv_psx_packet_next(&input, &packet, &local); n++) {
        const char *name = gv_psx_packet_name(packet.type);
        gv_bytes_printf(out, "%llu @%llu %s (%02xh), %u words\n", (unsigned long long)n,
                        (unsigned long long)packet.offset, name ? name : "unknown",
                        packet.type, packet.words);
        describe_words(&t, &packet);
    }
    gv_psx_gpu_finish(&t.gpu);
    if (local.status == GV_OK || params->allow_truncated)
        return true;
    return gv_fail(err, local.status, local.offset, "%s", local.message);
}
