// The dump reader and the packet loop: refusals with offsets, cuts at every byte,
// commands split over packets, prologue and frames.
#include "compiler/psx/gpu_dump.h"
#include "compiler/psx/replay.h"
#include "tests/psx/psx_notes.h"
#include "tests/psx/psx_writer.h"
#include "tests/test.h"

// ---- the reader ----

static const struct {
    const char *name, *bytes;
    size_t size; // of `bytes`, which contain NULs
    bool allow_truncated;
    enum gv_status status;
    uint64_t offset;
} dumps[] = {
    { "empty", "", 0, false, GV_ERR_FORMAT, 0 },
    { "magic_cut", "PSXGPUD", 7, false, GV_ERR_FORMAT, 7 },
    { "revision_cut", "PSXGPUDUMPv1r1\0", 15, false, GV_ERR_FORMAT, 15 },
    { "other_magic", "PSXGPUDAMPv1\0\0", 14, false, GV_ERR_FORMAT, 7 },
    { "version_2", "PSXGPUDUMPv2\0\0\0\0", 16, false, GV_ERR_UNSUPPORTED, 11 },
    { "revision_2", "PSXGPUDUMPv1r2\0\0", 16, false, GV_ERR_UNSUPPORTED, 12 },
    { "form_16", "PSXGPUDUMPv1r1\0\0", 16, false, GV_OK, 0 },
    { "form_14", "PSXGPUDUMPv1\0\0", 14, false, GV_OK, 0 },
    { "header_cut", "PSXGPUDUMPv1\0\0\1\0\0", 17, false, GV_ERR_FORMAT, 14 },
    { "header_cut_allowed", "PSXGPUDUMPv1\0\0\1\0\0", 17, true, GV_OK, 0 },
    { "payload_cut", "PSXGPUDUMPv1\0\0\0\0\0\2\2\0\0\0\0\0\0\0", 26, false,
      GV_ERR_FORMAT, 18 },
    { "length_overruns", "PSXGPUDUMPv1\0\0\377\377\377\0abcd", 22, false, GV_ERR_FORMAT,
      14 },
    { "unknown_type", "PSXGPUDUMPv1\0\0\1\0\0\167abcd", 22, false, GV_OK, 0 },
    { "version_packet_9", "PSXGPUDUMPv1r1\0\0\1\0\0\6\11\0\0\0", 24, false,
      GV_ERR_UNSUPPORTED, 16 },
    { "version_packet_14", "PSXGPUDUMPv1\0\0\1\0\0\6\11\0\0\0", 22, false, GV_OK, 0 },
    { "version_empty", "PSXGPUDUMPv1r1\0\0\0\0\0\6", 20, false, GV_OK, 0 },
};

#define MAX_FRAMES 64

struct heard {
    unsigned packets, frames, prologue, oddities;
    char last_odd[32];
    const struct gv_psx_notes *notes;
    size_t frame_end[MAX_FRAMES]; // size of the notes at each live VSync
};

static bool on_packet(void *context, const struct gv_psx_packet *p, struct gv_error *e)
{
    (void)p, (void)e;
    ((struct heard *)context)->packets++;
    return true;
}

static bool on_vsync(void *context, bool live, struct gv_error *err)
{
    struct heard *h = context;
    (void)err;
    if (live && h->frames < MAX_FRAMES)
        h->frame_end[h->frames] = h->notes->text.size;
    h->frames += live;
    h->prologue += !live;
    return true;
}

static void on_odd(void *context, uint64_t offset, const char *code, const char *text)
{
    struct heard *h = context;
    (void)offset, (void)text;
    h->oddities++;
    snprintf(h->last_odd, sizeof h->last_odd, "%s", code);
}

static bool replay(const void *data, size_t size, bool allow_truncated,
                   struct gv_psx_notes *notes, struct heard *h, struct gv_error *err)
{
    struct gv_psx_gpu gpu;
    struct gv_psx_sink sink = gv_psx_notes_sink(notes);
    const struct gv_psx_listener listener = {
        .context = h, .packet = on_packet, .vsync = on_vsync, .odd = on_odd
    };
    h->notes = notes;
    gv_psx_gpu_init(&gpu, &sink);
    bool ok = gv_psx_replay(gv_cursor_make(data, size), &gpu, &listener,
                            allow_truncated, err);
    gv_psx_gpu_finish(&gpu);
    gv_bytes_u8(&notes->text, '\0');
    return ok;
}

static void test_reader(void)
{
    for (size_t i = 0; i < sizeof dumps / sizeof dumps[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_psx_notes notes = { 0 };
        struct heard h = { 0 };
        bool ok = replay(dumps[i].bytes, dumps[i].size, dumps[i].allow_truncated,
                         &notes, &h, &err);
        CHECK_ROW(dumps[i].name, ok == (dumps[i].status == GV_OK));
        CHECK_ROW(dumps[i].name, err.status == dumps[i].status);
        CHECK_ROW(dumps[i].name, ok || err.offset == dumps[i].offset);
        gv_bytes_finish(&notes.text);
    }
}

// ---- the packet loop ----

static const char *text(const struct gv_psx_notes *notes)
{
    return notes->text.data ? (const char *)notes->text.data : "";
}

static bool replay_writer(struct gv_psx_writer *w, struct gv_psx_notes *notes,
                          struct heard *h)
{
    struct gv_error err = GV_ERROR_INIT;
    gv_psx_write_end(w);
    bool ok = replay(w->out.data, w->out.size, false, notes, h, &err);
    gv_bytes_finish(&w->out);
    return ok;
}

static void test_trace_begin(void)
{
    struct gv_psx_writer w = { 0 };
    struct gv_psx_notes notes = { 0 };
    struct heard h = { 0 };
    gv_psx_write_header(&w, false);
    gv_psx_write_gp1(&w, 0x08000024); // interlaced: a prologue VSync flips the field
    gv_psx_write_vsync(&w);
    gv_psx_write_packet(&w, GV_PSX_TRACE_BEGIN, NULL, 0);
    gv_psx_write_gp0(&w, 0x02000000);
    gv_psx_write_gp0(&w, 0);
    gv_psx_write_gp0(&w, 0x00010010);
    gv_psx_write_vsync(&w);
    gv_psx_write_vsync(&w);
    CHECK(replay_writer(&w, &notes, &h));
    CHECK(h.prologue == 1 && h.frames == 2 && h.packets == 6);
    CHECK(strcmp(text(&notes), "F(0,0,16x1,0000)/1") == 0);
    gv_bytes_finish(&notes.text);
}

// A command may be spread over packets, with anything between its words.
static void test_split_command(void)
{
    struct gv_psx_writer w = { 0 };
    struct gv_psx_notes notes = { 0 };
    struct heard h = { 0 };
    gv_psx_write_header(&w, true);
    gv_psx_write_gp0(&w, 0x60000000);
    gv_psx_write_text(&w, GV_PSX_COMMENT, "between");
    gv_psx_write_packet(&w, GV_PSX_GP0, NULL, 0);
    gv_psx_write_gp0(&w, 0x00020001);
    gv_psx_write_vsync(&w);
    gv_psx_write_gp1(&w, 0x03000000);
    gv_psx_write_gp0(&w, 0x00040003);
    CHECK(replay_writer(&w, &notes, &h));
    CHECK(strcmp(text(&notes), "R(1,2,3x4)") == 0);
    CHECK(h.frames == 1 && h.oddities == 0);
    gv_bytes_finish(&notes.text);
}

// An endless count takes what the read holds and a bounded number of latch words.
static void test_hostile_count(void)
{
    struct gv_psx_writer w = { 0 };
    struct gv_psx_notes notes = { 0 };
    struct heard h = { 0 };
    const uint32_t count = UINT32_MAX, three[3] = { 0 };
    gv_psx_write_header(&w, false);
    gv_psx_write_gp0(&w, 0xc0000000);
    gv_psx_write_gp0(&w, 0);
    gv_psx_write_gp0(&w, 0x00010002);
    gv_psx_write_packet(&w, GV_PSX_READBACK, &count, 1);
    gv_psx_write_packet(&w, GV_PSX_DISCARD, NULL, 0);
    CHECK(h.oddities == 0);
    gv_psx_write_packet(&w, GV_PSX_VSYNC, three, 3);
    CHECK(replay_writer(&w, &notes, &h));
    CHECK(strncmp(text(&notes), "READ(0,0,2x1,0+2) =0/ffffffff ", 30) == 0);
    CHECK(notes.text.size < 30 + 13 * GV_PSX_LATCH_WORDS);
    CHECK(h.oddities == 2 && strcmp(h.last_odd, "vsync-length") == 0 && h.frames == 1);
    gv_bytes_finish(&notes.text);
}

// ---- every cut, every split ----

// A dump with everything in it; no VSync before the trace begins, since a dump cut
// there has no prologue.
static void write_mixture(struct gv_psx_writer *w, bool duckstation)
{
    const uint32_t count[1] = { 3 }, two[1] = { 2 }, stamp[2] = { 5, 6 };
    w->random = 11;
    gv_psx_write_header(w, duckstation);
    gv_psx_write_packet(w, GV_PSX_GPU_VERSION, two, 1);
    gv_psx_write_text(w, GV_PSX_GAME_ID, "TEST-00001");
    gv_psx_write_defaults(w);
    gv_psx_write_packet(w, GV_PSX_TRACE_BEGIN, NULL, 0);
    for (int frame = 0; frame < 6; frame++) {
        for (int i = 0; i < 12; i++)
            gv_psx_write_random(w);
        gv_psx_write_text(w, GV_PSX_COMMENT, "text");
        gv_psx_write_gp0(w, 0xc0000000);
        gv_psx_write_gp0(w, 0);
        gv_psx_write_gp0(w, 0x00010006);
        gv_psx_write_packet(w, GV_PSX_READBACK, count, 1);
        gv_psx_write_gp1(w, 0x02000000);
        gv_psx_write_packet(w, 0x77, stamp, 2);
        gv_psx_write_packet(w, GV_PSX_VSYNC, stamp, (uint32_t)(frame % 3));
    }
    gv_psx_write_end(w);
}

// The header of the packet that byte `at` of a dump lies in or begins.
static size_t packet_at(const struct gv_bytes *dump, size_t header, size_t at)
{
    struct gv_cursor c = gv_cursor_make(dump->data, dump->size);
    struct gv_psx_packet packet = { .offset = 0 };
    c.pos = header;
    while (c.pos <= at && gv_psx_packet_next(&c, &packet, NULL))
        ;
    return packet.offset;
}

// Refused where it is cut, or played up to there: whole frames as in the whole dump.
static void check_cut(const struct gv_bytes *dump, size_t header, size_t cut,
                      const struct heard *whole, const struct gv_psx_notes *all)
{
    char name[32];
    snprintf(name, sizeof name, "cut at %zu", cut);
    size_t packet = cut < header ? cut : packet_at(dump, header, cut);
    bool boundary = cut >= header && packet == cut;
    struct gv_psx_notes notes = { .full = true };
    struct gv_error err = GV_ERROR_INIT;
    struct heard h = { 0 };
    CHECK_ROW(name, replay(dump->data, cut, false, &notes, &h, &err) == boundary);
    CHECK_ROW(name, boundary || (err.status == GV_ERR_FORMAT && err.offset == packet));
    gv_bytes_finish(&notes.text);

    h = (struct heard){ 0 };
    notes = (struct gv_psx_notes){ .full = true };
    bool ok = replay(dump->data, cut, true, &notes, &h, &err);
    CHECK_ROW(name, ok == (cut >= header));
    CHECK_ROW(name, !ok || h.oddities == !boundary);
    CHECK_ROW(name, h.frames <= whole->frames);
    for (unsigned i = 0; i < h.frames; i++)
        CHECK_ROW(name, h.frame_end[i] == whole->frame_end[i]);
    size_t size = h.frames ? h.frame_end[h.frames - 1] : 0;
    CHECK_ROW(name, size == 0 || memcmp(notes.text.data, all->text.data, size) == 0);
    gv_bytes_finish(&notes.text);
}

static void test_cuts(bool duckstation)
{
    struct gv_psx_writer w = { 0 };
    struct gv_psx_notes all = { .full = true };
    struct heard whole = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    write_mixture(&w, duckstation);
    CHECK(replay(w.out.data, w.out.size, false, &all, &whole, &err));
    CHECK(whole.frames == 6 && whole.oddities == 0);
    for (size_t cut = 0; cut < w.out.size; cut++)
        check_cut(&w.out, duckstation ? 14 : 16, cut, &whole, &all);
    gv_bytes_finish(&all.text);
    gv_bytes_finish(&w.out);
}

static void test_splits(void)
{
    static const uint32_t sizes[] = { 1, 2, 3, 7 };
    struct gv_psx_writer w = { 0 };
    struct gv_psx_notes all = { .full = true };
    struct heard whole = { 0 };
    write_mixture(&w, false);
    CHECK(replay(w.out.data, w.out.size, false, &all, &whole, NULL));
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct gv_bytes dump = { 0 };
        struct gv_psx_notes notes = { .full = true };
        struct heard h = { 0 };
        gv_psx_resplit(w.out.data, w.out.size, sizes[i], &dump);
        CHECK(dump.size > w.out.size);
        CHECK(replay(dump.data, dump.size, false, &notes, &h, NULL));
        CHECK(h.frames == whole.frames && strcmp(text(&notes), text(&all)) == 0);
        gv_bytes_finish(&notes.text);
        gv_bytes_finish(&dump);
    }
    gv_bytes_finish(&all.text);
    gv_bytes_finish(&w.out);
}

// ---- versions ----

static void test_versions(void)
{
    static const struct {
        const char *name;
        bool duckstation;
        uint32_t version, words;
        bool late;
        const char *expected; // of a 512-row machine or not, v0 or not
        unsigned oddities;
    } rows[] = {
        { "old", false, 1, 1, false, "F(16,0,16x1,0000) =0/0", 0 },
        { "new", false, 2, 1, false, "F(16,0,16x1,0000) =2/0", 0 },
        { "2_mb", false, 3, 1, false, "F(16,512,16x1,0000) =2/0", 0 },
        { "none", false, 3, 0, false, "F(16,0,16x1,0000) =2/0", 1 },
        { "late", false, 3, 1, true, "F(16,0,16x1,0000) =2/0", 1 },
        { "duckstation", true, 1, 1, false, "F(16,0,16x1,0000) =2/0", 0 },
        { "duckstation_2_mb", true, 3, 1, false, "F(16,0,16x1,0000) =2/0", 0 },
    };
    const uint32_t one = 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gv_psx_writer w = { 0 };
        struct gv_psx_notes notes = { 0 };
        struct heard h = { 0 };
        gv_psx_write_header(&w, rows[i].duckstation);
        if (rows[i].late)
            gv_psx_write_gp0(&w, 0);
        gv_psx_write_packet(&w, GV_PSX_GPU_VERSION, &rows[i].version, rows[i].words);
        gv_psx_write_gp1(&w, 0x09000001);
        gv_psx_write_gp0(&w, 0x02000000);
        gv_psx_write_gp0(&w, 0x0200001f);
        gv_psx_write_gp0(&w, 0x00010001);
        gv_psx_write_gp1(&w, 0x10000007);
        gv_psx_write_packet(&w, GV_PSX_READBACK, &one, 1);
        CHECK_ROW(rows[i].name, replay_writer(&w, &notes, &h));
        CHECK_ROW(rows[i].name, strcmp(text(&notes), rows[i].expected) == 0);
        CHECK_ROW(rows[i].name, h.oddities == rows[i].oddities);
        gv_bytes_finish(&notes.text);
    }
}

int main(void)
{
    test_reader();
    test_trace_begin();
    test_split_command();
    test_hostile_count();
    test_cuts(false);
    test_cuts(true);
    test_splits();
    test_versions();
    return TEST_RESULT();
}
