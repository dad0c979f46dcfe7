// Random command streams, drawn by the payload on the Vulkan device and by the oracle:
// the same VRAM and the same words read, to the bit. A stream that differs is reduced
// to the shortest prefix and then to the fewest commands that still differ.
//
//   test_psx_vulkan [SEED [STREAMS [COMMANDS]]]
#include "compiler/psx/replay.h"
#include "tests/psx_oracle.h"
#include "tests/psx_writer.h"
#include "tests/replay_capture.h"
#include "tests/test.h"
#include "tools/leak_check.h"

#define ROWS_BYTES (1024 * 512 * 2)

static bool no_vsync(void *context, bool live, struct gv_error *err)
{
    (void)context, (void)live, (void)err;
    return true;
}

// Commands as offsets into a dump, so that a subset can be put together again.
struct stream {
    struct gv_psx_writer prologue;
    struct gv_psx_writer *commands; // owned
    size_t count;
};

static void make_stream(struct stream *s, uint64_t seed, size_t count)
{
    struct gv_psx_writer w = { .random = seed };
    *s = (struct stream){ .count = count };
    gv_psx_write_header(&s->prologue, false);
    gv_psx_write_defaults(&s->prologue);
    gv_psx_write_end(&s->prologue);
    s->commands = calloc(count, sizeof *s->commands);
    for (size_t i = 0; s->commands && i < count; i++) {
        s->commands[i].random = w.random;
        gv_psx_write_random(&s->commands[i]);
        gv_psx_write_end(&s->commands[i]);
        w.random = s->commands[i].random;
    }
}

static void free_stream(struct stream *s)
{
    for (size_t i = 0; i < s->count; i++)
        gv_bytes_finish(&s->commands[i].out);
    gv_bytes_finish(&s->prologue.out);
    free(s->commands);
}

// The dump of the commands that `used` names (NULL: all), up to `count`.
static struct gv_bytes join(const struct stream *s, const bool *used, size_t count)
{
    struct gv_bytes all = { 0 };
    gv_bytes_put(&all, s->prologue.out.data, s->prologue.out.size);
    for (size_t i = 0; i < count; i++)
        if (!used || used[i])
            gv_bytes_put(&all, s->commands[i].out.data, s->commands[i].out.size);
    struct gv_psx_writer tail = { 0 };
    // Read back a corner, so that reads are compared too.
    gv_psx_write_gp0(&tail, 0xc0000000);
    gv_psx_write_gp0(&tail, 1000 | 500 << 16);
    gv_psx_write_gp0(&tail, 33 | 15 << 16);
    gv_psx_write_packet(&tail, 0x04, (const uint32_t[1]){ (33 * 15 + 1) / 2 }, 1);
    gv_psx_write_vsync(&tail);
    gv_bytes_put(&all, tail.out.data, tail.out.size);
    gv_bytes_finish(&tail.out);
    return all;
}

static bool oracle_draw(const struct gv_bytes *dump, struct gv_psx_oracle *oracle,
                        uint64_t *primitives)
{
    struct gv_psx_gpu gpu;
    struct gv_psx_sink sink = gv_psx_oracle_sink(oracle);
    const struct gv_psx_listener listener = { NULL, NULL, no_vsync, NULL, NULL };
    gv_psx_gpu_init(&gpu, &sink);
    // cppcheck-suppress autoVariables; not used after the replay
    oracle->gpu = &gpu;
    bool ok = gv_psx_replay(gv_cursor_make(dump->data, dump->size), &gpu, &listener,
                            false, NULL);
    *primitives += gpu.primitives;
    gv_psx_gpu_finish(&gpu);
    return ok;
}

// Whether device and oracle agree. Prints errors; adds up what was drawn.
static bool agrees(const struct gv_bytes *dump, const char *const *options,
                   uint64_t *primitives)
{
    struct gv_psx_oracle *oracle = calloc(1, sizeof *oracle);
    struct gv_replay_result result;
    struct gv_error err = GV_ERROR_INIT;
    bool ran =
        oracle && oracle_draw(dump, oracle, primitives) &&
        gv_replay_capture(dump->data, dump->size, options, false, false, &result, &err);
    if (!ran)
        fprintf(stderr, "does not run: %s\n", err.message);
    bool same = ran && result.exports[0].size == ROWS_BYTES &&
                memcmp(result.exports[0].data, oracle->vram, ROWS_BYTES) == 0 &&
                result.exports[1].size == oracle->readback.size &&
                memcmp(result.exports[1].data, oracle->readback.data,
                       oracle->readback.size) == 0;
    if (oracle)
        gv_bytes_finish(&oracle->readback);
    free(oracle);
    if (ran)
        gv_replay_result_finish(&result);
    return same;
}

static bool subset_agrees(const struct stream *s, const bool *used, size_t count,
                          const char *const *options, uint64_t *primitives)
{
    struct gv_bytes dump = join(s, used, count);
    bool same = agrees(&dump, options, primitives);
    gv_bytes_finish(&dump);
    return same;
}

// Prints the fewest commands found that still differ.
static void reduce(const struct stream *s, const char *const *options)
{
    size_t low = 0, high = s->count; // agrees at low, differs at high
    uint64_t ignored = 0;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (subset_agrees(s, NULL, middle, options, &ignored))
            low = middle;
        else
            high = middle;
    }
    bool *used = calloc(high, sizeof *used);
    if (!used)
        return;
    memset(used, true, high);
    for (size_t step = high / 2; step; step /= 2)
        for (size_t i = 0; i + step <= high - 1; i += step) {
            memset(used + i, false, step);
            if (subset_agrees(s, used, high, options, &ignored))
                memset(used + i, true, step);
        }
    for (size_t i = 0; i < high; i++) {
        if (!used[i])
            continue;
        fprintf(stderr, "  command %zu:", i);
        const struct gv_bytes *b = &s->commands[i].out;
        for (size_t at = 4; at + 4 <= b->size && at < 64; at += 4)
            fprintf(stderr, " %08x", gv_load_u32(b->data + at));
        fprintf(stderr, "\n");
    }
    free(used);
}

int main(int argc, char **argv)
{
    gv_leak_check_keep_libraries();
    // Tile shape and batch limit must not matter.
    static const char *const shapes[][3] = {
        { NULL },
        { "psx.tile=16x1", "psx.batch=7", NULL },
        { "psx.tile=8x8", NULL },
        { "psx.tile=2x16", "psx.batch=100", NULL },
    };
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    size_t streams = argc > 2 ? strtoull(argv[2], NULL, 0) : 8;
    size_t commands = argc > 3 ? strtoull(argv[3], NULL, 0) : 400;
    if (!gv_replay_device_present())
        return TEST_SKIP;
    printf("seed %llu, %zu streams of %zu commands\n", (unsigned long long)seed,
           streams, commands);
    uint64_t primitives = 0;
    for (size_t i = 0; i < streams; i++) {
        struct stream s;
        const char *const *options = shapes[i % (sizeof shapes / sizeof shapes[0])];
        make_stream(&s, seed + i, commands);
        bool same = subset_agrees(&s, NULL, s.count, options, &primitives);
        CHECK(same);
        if (!same) {
            fprintf(stderr, "stream of seed %llu differs; reduced:\n",
                    (unsigned long long)(seed + i));
            reduce(&s, options);
        }
        free_stream(&s);
        if (gv_test_failures)
            break;
    }
    if (!gv_test_failures)
        printf("%llu primitives equal\n", (unsigned long long)primitives);
    return TEST_RESULT();
}
