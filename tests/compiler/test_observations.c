// Observed memory: merged into islands, fetched where it differs, and what the machine
// reads in the end is what the application had.
#include "compiler/builder/observations.h"
#include "tests/compiler/builder_probe.h"
#include "tests/helpers.h"
#include "tests/test.h"
#include "vm/machine/vm.h"

// ---- islands ----

#define MAX_RANGES 6

// A window of ranges, and the islands it becomes. Spaces are the high hex digit.
static const struct {
    const char *name;
    struct {
        uint64_t address, size;
    } ranges[MAX_RANGES];
    struct {
        uint64_t address, size, place;
    } islands[MAX_RANGES];
} windows[] = {
    { "apart",
      { { 0x1000, 16 }, { 0x2008, 8 } },
      { { 0x1000, 16, 0 }, { 0x2008, 8, 72 } } },
    { "overlap", { { 0x1000, 16 }, { 0x1008, 16 } }, { { 0x1000, 24, 0 } } },
    { "touch", { { 0x1010, 16 }, { 0x1000, 16 } }, { { 0x1000, 32, 0 } } },
    { "inside", { { 0x1000, 64 }, { 0x1010, 4 } }, { { 0x1000, 64, 0 } } },
    { "again", { { 0x1000, 8 }, { 0x1000, 8 } }, { { 0x1000, 8, 0 } } },
    { "bridge",
      { { 0x1000, 8 }, { 0x1010, 8 }, { 0x1008, 8 } },
      { { 0x1000, 24, 0 } } },
    { "keeps_address_modulo_64", { { 0x103d, 8 } }, { { 0x103d, 8, 0x3d } } },
    { "end_of_memory", { { UINT64_MAX - 8, 8 } }, { { UINT64_MAX - 8, 8, 0x37 } } },
};

static void test_islands(void)
{
    static const uint8_t bytes[256];
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        struct gv_observations o = { 0 };
        size_t want = 0;
        for (size_t k = 0; k < MAX_RANGES && windows[i].ranges[k].size; k++)
            CHECK(gv_observations_add(&o, 0, windows[i].ranges[k].address, bytes,
                                      windows[i].ranges[k].size, false));
        CHECK_ROW(windows[i].name, gv_observations_layout(&o));
        for (; want < MAX_RANGES && windows[i].islands[want].size; want++) {
            CHECK_ROW(windows[i].name, want < o.island_count);
            if (want >= o.island_count)
                break;
            const struct gv_island *island = &o.islands[want];
            CHECK_ROW(windows[i].name,
                      island->address == windows[i].islands[want].address);
            CHECK_ROW(windows[i].name, island->size == windows[i].islands[want].size);
            CHECK_ROW(windows[i].name, island->place == windows[i].islands[want].place);
        }
        CHECK_ROW(windows[i].name, o.island_count == want);
        gv_observations_finish(&o);
    }
}

static void observe(struct gv_observations *o, uint64_t address, uint64_t size,
                    const void *data)
{
    CHECK(gv_observations_add(o, 0, address, data, size, true));
}

static void test_spaces(void)
{
    static const uint8_t bytes[64];
    struct gv_observations o = { 0 };
    CHECK(gv_observations_add(&o, 1, 0x1000, bytes, 64, true));
    CHECK(gv_observations_add(&o, 0, 0x1000, bytes, 64, true));
    CHECK(gv_observations_layout(&o) && o.island_count == 2);
    CHECK(gv_observations_place(&o, 0) == 64 && gv_observations_place(&o, 1) == 0);
    gv_observations_finish(&o);
}

// What lies within an island of the window before keeps its place; memory does not grow
// for it.
static void test_windows(void)
{
    static uint8_t bytes[4096];
    struct gv_observations o = { 0 };
    observe(&o, 0x1000, 256, bytes);
    observe(&o, 0x2000, 512, bytes);
    CHECK(gv_observations_layout(&o));
    CHECK(gv_observations_place(&o, 1) == 256 && o.memory_size == 768);
    gv_observations_reset(&o);
    observe(&o, 0x2080, 128, bytes); // within the second
    observe(&o, 0x500, 200, bytes);  // new: fits before it
    CHECK(gv_observations_layout(&o));
    CHECK(gv_observations_place(&o, 0) == 256 + 128);
    CHECK(gv_observations_place(&o, 1) == 0 && o.memory_size == 768);
    gv_observations_reset(&o);
    observe(&o, 0x2080, 128, bytes);
    observe(&o, 0x3000, 700, bytes); // does not fit beside: all is packed anew
    CHECK(gv_observations_layout(&o));
    CHECK(o.memory_size == 828);
    gv_observations_finish(&o);
}

static size_t changes(struct gv_observations *o, size_t index, struct gv_change *last)
{
    size_t count = 0;
    uint64_t cursor = 0;
    while (gv_observations_change(o, index, &cursor, last))
        count++;
    return count;
}

static void test_changes(void)
{
    static uint8_t bytes[100 * 1024];
    struct gv_change change = { 0 };
    struct gv_observations o = { 0 };
    const uint64_t base = 0x10000 + 100; // not at a block's start
    observe(&o, base, sizeof bytes, bytes);
    CHECK(gv_observations_layout(&o));
    CHECK(changes(&o, 0, &change) == 0); // memory starts as zeros
    memset(bytes, 1, sizeof bytes);
    CHECK(changes(&o, 0, &change) == 1 && change.size == sizeof bytes);
    CHECK(changes(&o, 0, &change) == 0);
    // One byte: its block of captured addresses alone.
    bytes[5000] = 2;
    CHECK(changes(&o, 0, &change) == 1 && change.size == GV_BLOCK_BYTES);
    CHECK(change.data == bytes + 4096 - 100);
    // Neighbours are joined; the first block is cut by the range.
    bytes[0] = bytes[4000] = 3;
    CHECK(changes(&o, 0, &change) == 1 && change.size == 2 * 4096 - 100);
    CHECK(change.place == gv_observations_place(&o, 0));
    bytes[0] = bytes[50000] = bytes[sizeof bytes - 1] = 4;
    CHECK(changes(&o, 0, &change) == 3);
    // Small ones come whole.
    gv_observations_reset(&o);
    observe(&o, base, 60000, bytes);
    CHECK(gv_observations_layout(&o));
    CHECK(changes(&o, 0, &change) == 0);
    bytes[100] = 5;
    CHECK(changes(&o, 0, &change) == 1 && change.size == 60000);
    gv_observations_finish(&o);
}

// ---- through the machine ----

#define SPACE_BYTES ((size_t)512 * 1024)
#define MAX_UPLOADS 4096

// What each upload must carry, in order.
struct expectation {
    struct {
        size_t start, size; // in `bytes`
    } uploads[MAX_UPLOADS];
    size_t count, seen, wrong;
    struct gv_bytes bytes;
};

static bool host_upload(void *context, const union gv_arg *args, uint64_t *result,
                        struct gv_error *err)
{
    const struct gv_args_buffer_upload *a = (const struct gv_args_buffer_upload *)args;
    struct expectation *e = context;
    (void)result, (void)err;
    if (e->seen < e->count) {
        size_t size = e->uploads[e->seen].size;
        e->wrong +=
            a->size.u != size ||
            memcmp(a->data.data, e->bytes.data + e->uploads[e->seen].start, size) != 0;
    }
    e->seen++;
    return true;
}

static void run(struct probe *probe, struct expectation *e)
{
    static struct gv_host host;
    struct gv_error err = GV_ERROR_INIT;
    host = (struct gv_host){ .context = e };
    host.calls[GV_CALL_buffer_create] = probe_host_make;
    host.calls[GV_CALL_buffer_upload] = host_upload;
    host.calls[GV_CALL_frame_end] = probe_host_skip;
    const struct gv_vm_params params = { .payload = &probe->payload, .host = &host };
    struct gv_vm *vm = gv_vm_create(&params, &err);
    CHECK(probe_run(vm));
    gv_vm_destroy(vm);
}

static void upload(struct gv_builder *b, struct expectation *e, struct gv_buffer buffer,
                   struct gv_contents value, const uint8_t *data, size_t size)
{
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0, .data = value,
            .size = size);
    e->uploads[e->count].start = e->bytes.size;
    e->uploads[e->count++].size = size;
    gv_bytes_put(&e->bytes, data, size);
}

// An application that scribbles in its memory and has the GPU read pieces of it,
// copies in between, several pieces in one command, frames of many sizes.
static void build_application(struct gv_builder *b, struct expectation *e)
{
    static uint8_t memory[2][SPACE_BYTES];
    static uint8_t plain[300];
    uint32_t seed = 11;
    memset(memory, 0, sizeof memory);
    struct gv_buffer buffer =
        gv_emit(b, buffer_create, .size = SPACE_BYTES, .usage = 0);
    for (uint32_t i = 0; i < 600; i++) {
        gv_builder_command(b, i, i, "read");
        for (uint32_t k = gv_test_random(&seed) % 20; k > 0; k--)
            memory[k & 1][gv_test_random(&seed) % SPACE_BYTES] = (uint8_t)k;
        for (uint32_t k = gv_test_random(&seed) % 3; k > 0; k--) {
            uint32_t space = gv_test_random(&seed) & 1;
            bool large = gv_test_random(&seed) % 8 == 0;
            size_t at = gv_test_random(&seed) % (large ? 1000 : SPACE_BYTES - 1000);
            size_t size = large ? 200000 : 1 + gv_test_random(&seed) % 900;
            const uint8_t *data = memory[space] + at;
            struct gv_contents value =
                gv_builder_observe(b, space, 0x70000 + at, data, size);
            size_t skip = gv_test_random(&seed) % size;
            upload(b, e, buffer, value, data, size);
            upload(b, e, buffer, gv_observed_at(value, skip), data + skip, size - skip);
        }
        size_t size = 1 + gv_test_random(&seed) % sizeof plain;
        plain[gv_test_random(&seed) % sizeof plain]++;
        if (i % 3 == 0)
            upload(b, e, buffer, gv_data(plain), plain, size);
        if (gv_test_random(&seed) % 10 == 0)
            gv_builder_frame_end(b, 0, 0);
    }
}

static void test_machine(void)
{
    static struct expectation e;
    struct probe probe;
    probe_begin(&probe, false, 1);
    build_application(probe.builder, &e);
    bool good = probe_end(&probe);
    if (!good)
        fprintf(stderr, "%s\n", probe.err.message);
    CHECK(good);
    if (good)
        run(&probe, &e);
    CHECK(e.count > 100 && e.seen == e.count && e.wrong == 0);
    // Two spaces of half a megabyte, and islands packed without much waste.
    CHECK(probe.payload.limits.volatile_bytes <= 2 * SPACE_BYTES);
    gv_bytes_finish(&e.bytes);
    probe_finish(&probe);
}

// ---- code ----

static void test_repeated(void)
{
    static uint8_t bytes[100000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i / 4096 + 1);
    struct probe probe;
    probe_begin(&probe, false, 1);
    struct gv_builder *b = probe.builder;
    struct gv_buffer buffer = gv_emit(b, buffer_create, .size = 100000, .usage = 0);
    for (uint32_t i = 0; i < 3; i++) {
        gv_builder_command(b, i, i, "read");
        bytes[5000] = (uint8_t)i;
        struct gv_contents value = gv_builder_observe(b, 0, 4096, bytes, sizeof bytes);
        gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0, .data = value,
                .size = sizeof bytes);
        gv_builder_observe(b, 0, 4096 + 8, bytes + 8, 4); // nothing new
        gv_builder_frame_end(b, 0, 0);
    }
    bool good = probe_end(&probe);
    CHECK(good);
    const char *want =
        "@0 r0: 100000 0 buffer_create =s0 v0 fetch+ s0 0 v0 100000 buffer_upload "
        "frame_end end\n"
        "@1 r1: v4096 fetch+ s0 0 v0 100000 buffer_upload frame_end end\n"
        "@2 r2: v4096 fetch+ s0 0 v0 100000 buffer_upload frame_end end\n";
    CHECK(good && probe_code_is(&probe, "observations", want));
    CHECK(probe.totals.resource_bytes == 100000 + 2 * 4096);
    probe_finish(&probe);
}

// ---- failures ----

static struct gv_contents stale;

static void keep_for_later(struct gv_builder *b, struct gv_buffer buffer)
{
    stale = gv_builder_observe(b, 0, 64, "12345678", 8);
    gv_builder_command(b, 1, 1, "later");
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0, .data = stale, .size = 8);
}
static void read_beyond(struct gv_builder *b, struct gv_buffer buffer)
{
    struct gv_contents value = gv_builder_observe(b, 0, 64, "12345678", 8);
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0,
            .data = gv_observed_at(value, 1), .size = 8);
}
static void offset_wraps(struct gv_builder *b, struct gv_buffer buffer)
{
    struct gv_contents value = gv_builder_observe(b, 0, 64, "12345678", 8);
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0,
            .data = gv_observed_at(value, UINT64_MAX), .size = 1);
}
static void pass_address_space(struct gv_builder *b, struct gv_buffer buffer)
{
    (void)buffer;
    gv_builder_observe(b, 0, UINT64_MAX - 3, "12345678", 8);
}

static const struct {
    const char *name;
    void (*build)(struct gv_builder *b, struct gv_buffer buffer);
    const char *message;
} failures[] = {
    { "keep_for_later", keep_for_later,
      "memory is used that this command did not observe" },
    { "read_beyond", read_beyond, "memory is used beyond what was observed" },
    { "offset_wraps", offset_wraps, "memory is used beyond what was observed" },
    { "pass_address_space", pass_address_space,
      "observed memory passes the address space" },
};

static void test_failures(void)
{
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        struct probe probe;
        probe_begin(&probe, false, 1);
        gv_builder_command(probe.builder, 0, 0, "first");
        struct gv_buffer buffer =
            gv_emit(probe.builder, buffer_create, .size = 8, .usage = 0);
        failures[i].build(probe.builder, buffer);
        gv_builder_frame_end(probe.builder, 0, 0);
        CHECK_ROW(failures[i].name, !probe_end(&probe));
        CHECK_ROW(failures[i].name, probe.err.status == GV_ERR_FORMAT);
        CHECK_ROW(failures[i].name,
                  strcmp(probe.err.message, failures[i].message) == 0);
        probe_finish(&probe);
    }
}

int main(void)
{
    test_islands();
    test_spaces();
    test_windows();
    test_changes();
    test_machine();
    test_repeated();
    test_failures();
    return TEST_RESULT();
}
