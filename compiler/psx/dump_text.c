#include "compiler/psx/dump_text.h"

#include "compiler/psx/command_text.h"
#include "compiler/psx/null_sink.h"
#include "compiler/psx/replay.h"

#define SHOWN_WORDS GV_PSX_COMMAND_WORDS // of one line
#define SHOWN_DATA 4                     // words of data

// What the words of a line are to the parser.
enum part {
    PART_COMMAND, // a command's own words
    PART_DATA,    // what an upload carries
    PART_VERTICES,
    PART_QUEUED, // GP0 words behind a read
};

struct text {
    struct gv_bytes *out;
    uint64_t limit; // bytes of `out`; beyond it nothing is added
    struct gv_psx_gpu gpu;
    struct gv_psx_packet open; // packet
    uint64_t number;           // packets begun: they count from 1, as for diagnostics
    uint64_t frames;
    uint64_t offset;         // of the next word
    struct gv_bytes remarks; // owned: on a VSync, whose line is still open
    // The open line.
    enum part part;
    uint64_t line_offset;
    uint32_t words[SHOWN_WORDS];
    uint32_t count;
    bool continues; // its command began before this packet
    // Where the command in progress began.
    uint64_t command_packet, command_offset;
    bool command_waited; // it began among words that waited for a read
};

static enum part part_of(const struct gv_psx_gpu *gpu)
{
    switch (gpu->parse) {
    case GV_PSX_UPLOAD:
        return PART_DATA;
    case GV_PSX_POLYLINE:
        return PART_VERTICES;
    case GV_PSX_READ:
        return PART_QUEUED;
    case GV_PSX_IDLE:
    case GV_PSX_QUAD:
        break;
    }
    return PART_COMMAND;
}

// ---- lines ----

static void put_words(struct text *t)
{
    uint32_t limit = t->part == PART_COMMAND ? SHOWN_WORDS : SHOWN_DATA;
    gv_bytes_printf(t->out, "    @%llu", (unsigned long long)t->line_offset);
    for (uint32_t i = 0; i < t->count && i < limit; i++)
        gv_bytes_printf(t->out, " %08x", t->words[i]);
    if (t->count > limit)
        gv_bytes_printf(t->out, " ...");
    gv_bytes_printf(t->out, "  ");
}

static void put_command(struct text *t)
{
    const struct gv_psx_gpu *gpu = &t->gpu;
    bool whole = gpu->have == 0;
    gv_psx_command_text(gpu->words, whole ? gpu->need : gpu->have, t->out);
    if (!whole)
        gv_bytes_printf(t->out, ", %u of %u words", gpu->have, gpu->need);
}

static void put_line(struct text *t)
{
    const struct gv_psx_gpu *gpu = &t->gpu;
    uint32_t n = t->count;
    if (n == 0)
        return;
    if (t->out->size > t->limit) { // the next packet ends it
        t->count = 0;
        return;
    }
    put_words(t);
    switch (t->part) {
    case PART_COMMAND:
        put_command(t);
        break;
    case PART_DATA:
        gv_bytes_printf(t->out, "upload data: %u word%s, %u of %u cells so far", n,
                        n == 1 ? "" : "s", gpu->done,
                        gv_psx_place_cells(&gpu->transfer));
        break;
    case PART_VERTICES:
        gv_bytes_printf(t->out, "polyline: %u word%s%s", n, n == 1 ? "" : "s",
                        gpu->parse == GV_PSX_POLYLINE ? "" : ", ends");
        break;
    case PART_QUEUED:
        gv_bytes_printf(t->out, "%u word%s wait%s for the read", n, n == 1 ? "" : "s",
                        n == 1 ? "s" : "");
        break;
    }
    if (t->continues && t->command_waited)
        gv_bytes_printf(t->out, " (of words that waited)");
    else if (t->continues)
        gv_bytes_printf(t->out, " (of @%llu, packet %llu)",
                        (unsigned long long)t->command_offset,
                        (unsigned long long)t->command_packet);
    gv_bytes_printf(t->out, "\n");
    t->count = 0;
    t->continues = false;
}

static bool in_progress(const struct gv_psx_gpu *gpu)
{
    return gpu->parse != GV_PSX_IDLE || gpu->have != 0;
}

// After a GP0 word was taken: it joins the line, which ends with its command.
static void on_gp0(struct text *t, uint32_t word)
{
    if (t->count == 0)
        t->line_offset = t->offset;
    if (t->count < SHOWN_WORDS)
        t->words[t->count] = word;
    t->count++;
    t->offset += 4;
    if (part_of(&t->gpu) == t->part && in_progress(&t->gpu))
        return;
    put_line(t);
    t->part = part_of(&t->gpu);
    if (!in_progress(&t->gpu)) {
        t->command_packet = t->number;
        t->command_offset = t->offset;
        t->command_waited = false;
    }
}

static void on_word(void *context, uint32_t word)
{
    struct text *t = context;
    if (t->open.type == GV_PSX_GP0) {
        on_gp0(t, word);
        return;
    }
    if (t->out->size <= t->limit) {
        gv_bytes_printf(t->out, "    @%llu %08x  ", (unsigned long long)t->offset,
                        word);
        gv_psx_control_text(word, t->out);
        gv_bytes_printf(t->out, "\n");
    }
    t->offset += 4;
}

// ---- packets ----

// Text of a packet up to its padding, which need not be there; it may be hostile.
static void put_string(struct text *t, const struct gv_psx_packet *packet)
{
    gv_bytes_printf(t->out, ": \"");
    for (size_t i = 0; i < 4 * (size_t)packet->words && packet->data[i]; i++) {
        uint8_t c = packet->data[i];
        gv_bytes_u8(t->out, c < 0x20 || c == 0x7f || c == '"' ? '?' : c);
    }
    gv_bytes_printf(t->out, "\"");
}

static void put_raw(struct text *t, const struct gv_psx_packet *packet)
{
    for (uint32_t i = 0; i < packet->words && i < SHOWN_DATA; i++)
        gv_bytes_printf(t->out, "%s%08x", i ? " " : ": ",
                        gv_psx_packet_word(packet, i));
    if (packet->words > SHOWN_DATA)
        gv_bytes_printf(t->out, " ...");
}

// A time stamp in processor cycles, the low word first; or nothing.
static void put_time(struct text *t, const struct gv_psx_packet *packet)
{
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < packet->words && i < 2; i++)
        cycles |= (uint64_t)gv_psx_packet_word(packet, i) << 32 * i;
    if (packet->words)
        gv_bytes_printf(t->out, " at cycle %llu", (unsigned long long)cycles);
}

static void put_version(struct text *t, const struct gv_psx_packet *packet)
{
    static const char *const spec[4] = { NULL, "v0, 1 MB", "v2, 1 MB", "v2, 2 MB" };
    uint32_t version = packet->words ? gv_psx_packet_word(packet, 0) : 0;
    if (packet->words == 0)
        return;
    gv_bytes_printf(t->out, ": %u (%s)", version,
                    version && version < 4 ? spec[version] : "unknown");
}

static void put_packet(struct text *t, const struct gv_psx_packet *packet)
{
    const char *name = gv_psx_packet_name(packet->type);
    gv_bytes_printf(t->out, "%llu @%llu ", (unsigned long long)t->number,
                    (unsigned long long)packet->offset);
    if (name)
        gv_bytes_printf(t->out, "%s", name);
    else
        gv_bytes_printf(t->out, "unknown type %02xh", packet->type);
    switch (packet->type) {
    case GV_PSX_GAME_ID:
    case GV_PSX_VIDEO_FORMAT:
    case GV_PSX_COMMENT:
        put_string(t, packet);
        break;
    case GV_PSX_DISCARD:
    case GV_PSX_READBACK:
        if (packet->words)
            gv_bytes_printf(t->out, ": %u words", gv_psx_packet_word(packet, 0));
        break;
    case GV_PSX_GPU_VERSION:
        put_version(t, packet);
        break;
    case GV_PSX_VSYNC:
        put_time(t, packet);
        break;
    case GV_PSX_GP0:
    case GV_PSX_GP1:
        gv_bytes_printf(t->out, ", %u word%s", packet->words,
                        packet->words == 1 ? "" : "s");
        break;
    default:
        put_raw(t, packet);
        break;
    }
}

static bool check_room(const struct text *t, struct gv_error *err)
{
    if (t->out->size > t->limit)
        return gv_fail(err, GV_ERR_LIMIT, t->open.offset,
                       "the text is over %llu bytes long",
                       (unsigned long long)t->limit);
    return !t->out->failed || gv_out_of_memory(err);
}

static bool on_packet(void *context, const struct gv_psx_packet *packet,
                      struct gv_error *err)
{
    struct text *t = context;
    (void)err;
    put_line(t); // of a command that goes on in another packet, or never
    if (t->part == PART_QUEUED && part_of(&t->gpu) != PART_QUEUED)
        t->command_waited = true;
    t->number++;
    put_packet(t, packet);
    if (packet->type != GV_PSX_VSYNC) // which still has its frame to tell
        gv_bytes_printf(t->out, "\n");
    t->open = *packet;
    t->offset = packet->offset + 4;
    t->part = part_of(&t->gpu);
    t->continues = packet->type == GV_PSX_GP0 && packet->words &&
                   t->part != PART_QUEUED && in_progress(&t->gpu);
    if (!in_progress(&t->gpu)) {
        t->command_packet = t->number;
        t->command_offset = t->offset;
        t->command_waited = false;
    }
    return check_room(t, err);
}

static bool on_vsync(void *context, bool live, struct gv_error *err)
{
    struct text *t = context;
    (void)err;
    if (live)
        gv_bytes_printf(t->out, ", ends frame %llu\n", (unsigned long long)t->frames++);
    else
        gv_bytes_printf(t->out, ", before the trace\n");
    gv_bytes_put(t->out, t->remarks.data, t->remarks.size);
    t->remarks.size = 0;
    return true;
}

static void on_odd(void *context, uint64_t offset, const char *code, const char *what)
{
    struct text *t = context;
    bool on_vsync_line = t->open.type == GV_PSX_VSYNC && offset == t->open.offset;
    put_line(t);
    gv_bytes_printf(on_vsync_line ? &t->remarks : t->out, "# @%llu %s: %s\n",
                    (unsigned long long)offset, code, what);
}

bool gv_psx_dump_text(struct gv_cursor input, const struct gv_compile_params *params,
                      struct gv_text_sink *out, struct gv_error *err)
{
    struct text t = { .out = &out->text,
                      .limit =
                          params->memory_limit ? params->memory_limit : UINT64_MAX };
    const struct gv_psx_listener listener = { .context = &t,
                                              .packet = on_packet,
                                              .vsync = on_vsync,
                                              .odd = on_odd,
                                              .word = on_word };
    gv_psx_gpu_init(&t.gpu, &gv_psx_null_sink);
    bool ok = gv_psx_replay(input, &t.gpu, &listener, params->allow_truncated, err);
    put_line(&t);
    gv_psx_gpu_finish(&t.gpu);
    gv_bytes_finish(&t.remarks);
    return ok && check_room(&t, err);
}
