#include "compiler/psx/replay.h"

#include "resources/base/cut_hint.h"

static bool has_trace_begin(struct gv_cursor c)
{
    struct gv_psx_packet packet;
    while (gv_psx_packet_next(&c, &packet, NULL))
        if (packet.type == GV_PSX_TRACE_BEGIN)
            return true;
    return false;
}

bool gv_psx_replay_packet(const struct gv_psx_listener *listener,
                          struct gv_cursor *dump, struct gv_psx_packet *packet,
                          struct gv_error *err)
{
    if (listener->await) {
        listener->await(listener->context, dump, 4);
        if (gv_cursor_left(dump) >= 4)
            listener->await(
                listener->context, dump,
                4 + (size_t)(gv_load_u32(dump->data + dump->pos) & 0xffffff) * 4);
    }
    return gv_psx_packet_next(dump, packet, err);
}

struct replay {
    struct gv_psx_gpu *gpu;
    const struct gv_psx_listener *listener;
    bool duckstation, live;
    bool looked;  // ahead
    bool assumed; // to be live
    bool begun;   // a packet 00h..05h has been
};

static void odd(const struct replay *r, uint64_t offset, const char *code,
                const char *text)
{
    if (r->listener->odd)
        r->listener->odd(r->listener->context, offset, code, text);
}

// The specification counts versions from 1; 14-byte files (DuckStation) always mean
// v2/1 MB. It "must come before any packet 00h..05h": the memory is made by then.
static bool set_version(const struct replay *r, const struct gv_psx_packet *packet,
                        struct gv_error *err)
{
    static const enum gv_psx_version versions[3] = { GV_PSX_V0, GV_PSX_V2,
                                                     GV_PSX_V2_2MB };
    if (r->duckstation)
        return true;
    if (packet->words == 0 || r->begun) {
        odd(r, packet->offset, "gpu-version",
            r->begun ? "a GPU version packet comes too late"
                     : "a GPU version packet has no version");
        return true;
    }
    uint32_t version = gv_psx_packet_word(packet, 0);
    if (version < 1 || version > 3)
        return gv_fail(err, GV_ERR_UNSUPPORTED, packet->offset,
                       "unsupported: GPU version %u", version);
    r->gpu->version = versions[version - 1];
    return true;
}

static void take_words(const struct replay *r, const struct gv_psx_packet *packet)
{
    for (uint32_t i = 0; i < packet->words; i++) {
        uint32_t word = gv_psx_packet_word(packet, i);
        if (packet->type == GV_PSX_GP0)
            gv_psx_gp0(r->gpu, word);
        else
            gv_psx_gp1(r->gpu, word);
        if (r->listener->word)
            r->listener->word(r->listener->context, word);
    }
}

static void take_reads(const struct replay *r, const struct gv_psx_packet *packet)
{
    if (packet->words == 0)
        odd(r, packet->offset, "no-count", "a discard or readback packet has no count");
    else
        gv_psx_gpuread(r->gpu, gv_psx_packet_word(packet, 0),
                       packet->type == GV_PSX_READBACK);
}

static bool vsync(const struct replay *r, const struct gv_psx_packet *packet,
                  struct gv_error *err)
{
    if (packet->words > 2)
        odd(r, packet->offset, "vsync-length", "a VSync packet is over two words long");
    gv_psx_flush_upload(r->gpu);
    if (!r->listener->vsync(r->listener->context, r->live, err))
        return false;
    gv_psx_vsync(r->gpu);
    return true;
}

// Before the first VSync of a dump that is still coming.
static void look_ahead(struct replay *r, struct gv_cursor dump)
{
    struct gv_psx_packet packet;
    const size_t from = dump.pos;
    bool begins = false;
    r->looked = true;
    while (!begins && dump.pos - from < GV_PSX_LOOK_AHEAD &&
           gv_psx_replay_packet(r->listener, &dump, &packet, NULL))
        begins = packet.type == GV_PSX_TRACE_BEGIN;
    r->live = r->assumed = !begins;
}

static bool play_packet(struct replay *r, const struct gv_psx_packet *packet,
                        struct gv_error *err)
{
    r->begun |= packet->type <= GV_PSX_TRACE_BEGIN;
    switch (packet->type) {
    case GV_PSX_GP0:
    case GV_PSX_GP1:
        take_words(r, packet);
        return true;
    case GV_PSX_VSYNC:
        return vsync(r, packet, err);
    case GV_PSX_DISCARD:
    case GV_PSX_READBACK:
        take_reads(r, packet);
        return true;
    case GV_PSX_TRACE_BEGIN:
        r->live = true;
        return !r->assumed || gv_fail(err, GV_ERR_UNSUPPORTED, packet->offset,
                                      "unsupported: a VSync long before the trace "
                                      "begins, in a dump that is not read whole");
    case GV_PSX_GPU_VERSION:
        return set_version(r, packet, err);
    default: // strings and unknown types: skipped by length
        return true;
    }
}

bool gv_psx_replay(struct gv_cursor dump, struct gv_psx_gpu *gpu,
                   const struct gv_psx_listener *listener, bool allow_truncated,
                   struct gv_error *err)
{
    struct gv_error local = GV_ERROR_INIT;
    size_t header = gv_psx_dump_header(&dump, err);
    if (header == 0)
        return false;
    dump.pos = header;
    struct replay r = {
        .gpu = gpu,
        .listener = listener,
        .duckstation = header == 14,
        .live = !listener->await && !has_trace_begin(dump),
    };
    struct gv_psx_packet packet;
    while (gv_psx_replay_packet(listener, &dump, &packet, &local)) {
        if (listener->packet && !listener->packet(listener->context, &packet, err))
            return false;
        if (listener->await && packet.type == GV_PSX_VSYNC && !r.live && !r.looked)
            look_ahead(&r, dump);
        if (!play_packet(&r, &packet, err))
            return false;
    }
    gv_psx_flush_upload(gpu);
    if (local.status == GV_OK)
        return true;
    if (!allow_truncated)
        return gv_fail(err, local.status, local.offset, "%s" GV_CUT_HINT,
                       local.message);
    odd(&r, local.offset, "truncated", local.message);
    return true;
}
