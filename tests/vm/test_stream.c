// A payload of several batches, read from a pipe: it does what the whole file does, and
// shows what has come of one that is cut.
#include "tests/helpers.h"
#include "tests/test.h"
#include "tests/vm/stream_run.h"
#include "vm/ops.h"
#include "vm/payload/payload_writer.h"
#include "vm/verify/verify.h"

#define MEMORY (UINT64_C(64) << 20)
#define FRAMES 4
#define BIG 70000 // bytes of a resource that no neighbour shares a group with

#define P(n) (uint8_t)(GV_OP_PUSH_0 + (n))
#define C(n) (uint8_t)(GV_OP_CALL_0 + (n))

// ---- the payload ----

struct maker {
    struct gv_payload_writer *w;
    uint32_t chunks;
    struct gv_frame frame;
    struct gv_error err;
};

static void limits(struct maker *m, uint64_t volatile_bytes, uint64_t instructions)
{
    gv_writer_limits(m->w, &(struct gv_limits){ .volatile_bytes = volatile_bytes,
                                                .stack_cells = 4,
                                                .objects = 8,
                                                .instructions = instructions,
                                                .object_bytes = 4096 });
}

static void chunk(struct maker *m, const uint8_t *code, size_t size)
{
    gv_writer_chunk(m->w, code, size, m->chunks, 0);
    m->chunks++;
}

// The row of a frame whose last chunk has been written.
static void frame(struct maker *m, uint64_t uses)
{
    m->frame.chunk_end = m->chunks;
    m->frame.command_end = m->chunks;
    gv_writer_frame(m->w, &m->frame);
    m->frame = (struct gv_frame){ .chunk_begin = m->chunks,
                                  .command_begin = m->chunks,
                                  .schedule = uses };
}

static void flush(struct maker *m)
{
    CHECK(gv_writer_flush(m->w, true, &m->err));
}

static void source(struct maker *m, uint64_t command)
{
    gv_writer_source(
        m->w, &(struct gv_source_row){ command, 8 * command, "work", command, 0 });
}

// Batch 0: a buffer; 7 is left in volatile memory; 16 bytes of resource 0.
static void first_batch(struct maker *m)
{
    static const uint8_t code[] = {
        P(64),
        P(32),
        C(0),
        GV_OP_STORE_SLOT,
        0, // buffer_create
        P(7),
        GV_OP_VOLATILE,
        8,
        GV_OP_STORE8,
        GV_OP_LOAD_SLOT,
        0,
        P(0),
        GV_OP_RES,
        0,
        P(16),
        C(1), // buffer_upload
        C(2),
        GV_OP_END,
    };
    uint8_t bytes[16];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    gv_writer_import(m->w, GV_CALL_buffer_create);
    gv_writer_import(m->w, GV_CALL_buffer_upload);
    gv_writer_import(m->w, GV_CALL_frame_end);
    gv_writer_slot(m->w, (struct gv_slot_info){ GV_KIND_BUFFER, 0 });
    limits(m, 16, 14);
    gv_writer_resource(m->w, bytes, sizeof bytes);
    gv_writer_use(m->w, 0);
    source(m, 0);
    chunk(m, code, sizeof code);
    frame(m, 1);
    flush(m);
}

// Batch 1: another call and slot; more memory, whose old part stays; a large resource.
// Its frame's row comes with the next batch.
static void second_batch(struct maker *m)
{
    static const uint8_t code[] = {
        GV_OP_VOLATILE,
        8,
        GV_OP_LOAD32,
        GV_OP_VOLATILE,
        0x80,
        1,
        GV_OP_LOAD32,
        P(0),
        P(0),
        C(3), // draw
        P(32),
        P(32),
        C(0),
        GV_OP_STORE_SLOT,
        1,
        GV_OP_LOAD_SLOT,
        1,
        P(0),
        GV_OP_RES,
        1,
        P(32),
        C(1),
        C(2),
        GV_OP_END,
    };
    uint8_t *bytes = malloc(BIG);
    CHECK(bytes);
    for (size_t i = 0; bytes && i < BIG; i++)
        bytes[i] = (uint8_t)(i * i >> 3);
    gv_writer_import(m->w, GV_CALL_draw);
    gv_writer_slot(m->w, (struct gv_slot_info){ GV_KIND_BUFFER, 0 });
    limits(m, 200, 32);
    if (bytes)
        gv_writer_resource(m->w, bytes, BIG);
    free(bytes);
    gv_writer_use(m->w, 1);
    source(m, 1);
    chunk(m, code, sizeof code);
    flush(m);
    frame(m, 2);
}

// Batch 2: both resources of old. Batch 3: a frame of two chunks, and the tail.
static void last_batches(struct maker *m)
{
    static const uint8_t again[] = {
        GV_OP_LOAD_SLOT,
        1,
        P(1),
        GV_OP_RES,
        1,
        P(8),
        C(1),
        GV_OP_LOAD_SLOT,
        0,
        P(2),
        GV_OP_RES,
        0,
        P(8),
        C(1),
        C(2),
        GV_OP_END,
    };
    static const uint8_t half[] = { P(1), P(2), P(3), P(4), C(3), GV_OP_END };
    static const uint8_t end[] = { C(2), GV_OP_END };
    limits(m, 200, 44);
    gv_writer_use(m->w, 1);
    gv_writer_use(m->w, 0);
    chunk(m, again, sizeof again);
    frame(m, 4);
    flush(m);
    limits(m, 200, 58);
    chunk(m, half, sizeof half);
    chunk(m, end, sizeof end);
    frame(m, 4);
    chunk(m, half, sizeof half);
    source(m, 5);
}

static void make(struct gv_bytes *out)
{
    struct maker m = { .err = GV_ERROR_INIT };
    m.w = gv_payload_writer_create(
        &(struct gv_writer_params){
            .write = gv_test_append, .context = out, .level = 3, .jobs = 1 },
        &m.err);
    CHECK(m.w);
    if (!m.w)
        return;
    gv_writer_provenance(m.w, "{}");
    first_batch(&m);
    second_batch(&m);
    last_batches(&m);
    gv_writer_diagnostic(m.w,
                         &(struct gv_diagnostic){ GV_NOTE, "said", "so", 0, 0, 1 });
    CHECK(gv_writer_close(m.w, true, &m.err));
    gv_payload_writer_destroy(m.w);
}

// ---- the checks ----

// As a file, verified whole and run.
static void run_whole(const struct gv_bytes *file, struct record_host *host)
{
    struct gv_payload p;
    struct gv_error err = GV_ERROR_INIT;
    CHECK(gv_payload_open_memory(&p, file->data, file->size, MEMORY, &err));
    CHECK(gv_verify(&p, NULL, &err));
    CHECK(strcmp(err.message, "") == 0);
    struct gv_vm *vm = gv_vm_create(
        &(struct gv_vm_params){ .payload = &p, .host = &host->host }, &err);
    enum gv_stop stop = GV_STOP_FRAME;
    while (vm && stop != GV_STOP_END && gv_vm_run(vm, &stop, &err)) {
    }
    CHECK(vm && stop == GV_STOP_END);
    gv_vm_destroy(vm);
    gv_payload_finish(&p);
}

static void test_same(const struct gv_bytes *file)
{
    struct record_host whole, streamed;
    struct stream_run run = { .memory_limit = MEMORY };
    struct gv_error err = GV_ERROR_INIT;
    record_host_init(&whole, true);
    record_host_init(&streamed, true);
    run_whole(file, &whole);
    CHECK(stream_run(&run, &streamed, file->data, file->size, &err));
    CHECK(strcmp(err.message, "") == 0);
    CHECK(run.frames == FRAMES);
    CHECK(strcmp(record_host_text(&streamed), record_host_text(&whole)) == 0);
    CHECK(strstr(record_host_text(&whole), "draw vertex_count=7 instance_count=0"));
    record_host_finish(&whole);
    record_host_finish(&streamed);
}

// Whatever is missing at the end: whole frames first, then a refusal.
static void test_cut(const struct gv_bytes *file)
{
    uint64_t before = 0;
    for (size_t size = 0; size < file->size; size += size < 3000 ? 1 : 97) {
        struct record_host host;
        struct stream_run run = { .memory_limit = MEMORY };
        struct gv_error err = GV_ERROR_INIT;
        record_host_init(&host, false);
        bool ok = stream_run(&run, &host, file->data, size, &err);
        CHECK(!ok && err.status == GV_ERR_FORMAT);
        CHECK(strstr(err.message, "cut off"));
        CHECK(run.frames >= before);
        before = run.frames;
        record_host_finish(&host);
    }
    CHECK(before == FRAMES);
}

// No byte can be another one: of tables and code before they are used, of resources
// when they are.
static void test_damaged(const struct gv_bytes *file)
{
    for (size_t at = 0; at < file->size; at += at < 3000 ? 1 : 97) {
        struct record_host host;
        struct stream_run run = { .memory_limit = MEMORY };
        struct gv_error err = GV_ERROR_INIT;
        record_host_init(&host, false);
        char place[32];
        snprintf(place, sizeof place, "byte %zu", at);
        file->data[at] ^= 0x41;
        CHECK_ROW(place, !stream_run(&run, &host, file->data, file->size, &err));
        file->data[at] ^= 0x41;
        record_host_finish(&host);
    }
}

// Tables that would take more than there may be.
static void test_memory(const struct gv_bytes *file)
{
    struct record_host host;
    struct stream_run run = { .memory_limit = 2000 };
    struct gv_error err = GV_ERROR_INIT;
    record_host_init(&host, false);
    CHECK(!stream_run(&run, &host, file->data, file->size, &err));
    CHECK(err.status == GV_ERR_LIMIT);
    record_host_finish(&host);
}

int main(void)
{
    struct gv_bytes file = { 0 };
    make(&file);
    test_same(&file);
    test_cut(&file);
    test_damaged(&file);
    test_memory(&file);
    gv_bytes_finish(&file);
    return TEST_RESULT();
}
