// Random command streams, drawn by the payload on the Vulkan device and by the oracle:
// the same VRAM and the same words read, to the bit. A stream that differs is reduced
// to the shortest prefix and then to the fewest commands that still differ.
//
//   test_psx_vulkan [SEED [STREAMS [COMMANDS]]]
//   test_psx_vulkan million [SEED [PRIMITIVES]]
#include "compiler/psx/replay.h"
#include "tests/psx/psx_oracle.h"
#include "tests/psx/psx_writer.h"
#include "tests/runtime/replay_capture.h"
#include "tests/test.h"
#include "tools/leak_check.h"

// Pictures one after another: width, height, RGBA8 rows.
static void put_picture(struct gv_bytes *out, uint32_t width, uint32_t height)
{
    gv_bytes_u32(out, width);
    gv_bytes_u32(out, height);
}

struct expected {
    struct gv_psx_oracle oracle;
    struct gv_psx_gpu gpu;
    struct gv_bytes pictures; // owned
};

static bool keep_picture(void *context, bool live, struct gv_error *err)
{
    struct expected *e = context;
    (void)err;
    if (!live)
        return true;
    struct gv_psx_display d = gv_psx_display_area(&e->gpu);
    struct gv_bytes rgb = { 0 };
    bool some = d.width && d.height;
    put_picture(&e->pictures, some ? d.width : 0, some ? d.height : 0);
    gv_psx_oracle_display(&e->oracle, &d, &rgb);
    for (size_t i = 0; i + 3 <= rgb.size; i += 3) {
        gv_bytes_put(&e->pictures, rgb.data + i, 3);
        gv_bytes_u8(&e->pictures, 255);
    }
    gv_bytes_finish(&rgb);
    return true;
}

// Commands as offsets into a dump, so that a subset can be put together again.
struct stream {
    struct gv_psx_writer prologue;
    struct gv_psx_writer *commands; // owned
    size_t count;
};

// Now and then a picture, of which much or nothing may have changed since the last one:
// of the same place, of another, in 24 bits, of none.
static void write_frame(struct gv_psx_writer *w, size_t i)
{
    static const uint32_t words[] = { 0x05000000, 0x05000000 | 8 | 130 << 10,
                                      0x08000001, 0x08000011,
                                      0x03000001, 0x03000000 };
    if (i % 17 == 5)
        gv_psx_write_gp1(w, words[i / 17 % (sizeof words / sizeof words[0])]);
    if (i % 16 == 15)
        gv_psx_write_vsync(w);
}

static void make_stream(struct stream *s, uint64_t seed, size_t count)
{
    struct gv_psx_writer w = { .random = seed };
    *s = (struct stream){ .count = count };
    gv_psx_write_header(&s->prologue, false);
    if (seed % 5 > 2) // the old GPU, and the one with 2 MB, now and then
        gv_psx_write_packet(&s->prologue, 0x06,
                            (const uint32_t[1]){ seed % 5 == 3 ? 1 : 3 }, 1);
    gv_psx_write_defaults(&s->prologue);
    gv_psx_write_end(&s->prologue);
    s->commands = calloc(count, sizeof *s->commands);
    for (size_t i = 0; s->commands && i < count; i++) {
        s->commands[i].random = w.random;
        gv_psx_write_rare(&s->commands[i]);
        write_frame(&s->commands[i], i);
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
static struct gv_bytes join(const struct stream *s, const uint8_t *used, size_t count)
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

static bool oracle_draw(const struct gv_bytes *dump, struct expected *e)
{
    struct gv_psx_sink sink = gv_psx_oracle_sink(&e->oracle);
    const struct gv_psx_listener listener = { .context = e, .vsync = keep_picture };
    gv_psx_gpu_init(&e->gpu, &sink);
    e->oracle.gpu = &e->gpu;
    bool ok = gv_psx_replay(gv_cursor_make(dump->data, dump->size), &e->gpu, &listener,
                            false, NULL);
    gv_psx_gpu_finish(&e->gpu);
    return ok;
}

static bool same_bytes(const struct gv_bytes *a, const void *b, size_t size)
{
    return a->size == size && (size == 0 || memcmp(a->data, b, size) == 0);
}

static bool same_pictures(const struct gv_replay_result *result,
                          const struct gv_bytes *expected)
{
    struct gv_bytes all = { 0 };
    for (size_t i = 0; i < result->frame_count; i++) {
        const struct gv_picture *p = &result->pictures[i];
        put_picture(&all, p->width, p->width ? p->height : 0);
        gv_bytes_put(&all, p->rgba, (size_t)p->width * p->height * 4);
    }
    bool same = same_bytes(&all, expected->data, expected->size);
    gv_bytes_finish(&all);
    return same;
}

static bool same_results(const struct gv_replay_result *result,
                         const struct expected *e)
{
    bool vram = same_bytes(&result->exports[0], e->oracle.vram,
                           (size_t)gv_psx_vram_rows(&e->gpu) * 2048);
    bool reads = same_bytes(&result->exports[1], e->oracle.readback.data,
                            e->oracle.readback.size);
    bool pictures = same_pictures(result, &e->pictures);
    return vram && reads && pictures;
}

// Whether device and oracle agree. Prints errors; adds up what was drawn.
static bool agrees(const struct gv_bytes *dump, const char *const *options,
                   uint64_t *primitives)
{
    struct expected *e = calloc(1, sizeof *e);
    struct gv_replay_result result;
    struct gv_error err = GV_ERROR_INIT;
    bool ran =
        e && oracle_draw(dump, e) &&
        gv_replay_capture(dump->data, dump->size, options, true, false, &result, &err);
    if (!ran)
        fprintf(stderr, "does not run: %s\n", err.message);
    bool same = ran && same_results(&result, e);
    if (e) {
        *primitives += e->gpu.primitives;
        gv_bytes_finish(&e->oracle.readback);
        gv_bytes_finish(&e->pictures);
    }
    free(e);
    if (ran)
        gv_replay_result_finish(&result);
    return same;
}

static bool subset_agrees(const struct stream *s, const uint8_t *used, size_t count,
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
    uint8_t *used = calloc(2, high);
    if (!used)
        return;
    uint8_t *kept = used + high;
    memset(used, 1, high);
    for (size_t step = high / 2; step; step /= 2)
        for (size_t i = 0; i < high - 1; i += step) {
            size_t n = step < high - 1 - i ? step : high - 1 - i;
            if (!memchr(used + i, 1, n))
                continue;
            memcpy(kept, used, high);
            memset(used + i, 0, n);
            if (subset_agrees(s, used, high, options, &ignored))
                memcpy(used, kept, high);
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

// What random streams found once, reduced.
static const struct {
    const char *name;
    uint32_t version; // of the GPU, as packets count
    uint32_t count, words[32];
} found[] = {
    { "lower_half_wraps_to_where_the_upper_samples",
      3,
      19,
      { 0xe3000000, 0xe40fffff, 0x294a2798, 0x009100fb, 0x008f011f, 0x007f0105,
        0x00b100fb, 0x3f0bd610, 0x01eb0124, 0x5ec12348, 0x9efa233d, 0x02960143,
        0x01e3bb4d, 0xfe901205, 0x01eb0224, 0x000092d1, 0xcad5f29a, 0x02470296,
        0x00001868 } },
    { "old_gpu_modulates_what_samples_itself",
      1,
      32,
      { 0x3bbe30be, 0x01b1021b, 0x5365680c, 0x017501b3, 0xea47dc24, 0x01d30245,
        0xc537eac4, 0x01b50222, 0x3c9e4037, 0x016b022b, 0x137d3751, 0x932f19d6,
        0x01cf01ac, 0x01b8f005, 0x98afd1c4, 0x014d01d2, 0x00002040, 0x29a4fcf9,
        0x01670206, 0x0000b2fc, 0x3eca0b3a, 0x019d01a6, 0x21e6b7ed, 0xd6e9e57d,
        0x017d0183, 0x00771c61, 0x9b19270a, 0x01a10194, 0x000008a7, 0xa7031962,
        0x01ae01b6, 0x0000e815 } },
};

static const char *const minimal[] = { "psx.limits=minimal", NULL };

static void test_found(void)
{
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        struct gv_psx_writer w = { 0 };
        uint64_t ignored = 0;
        gv_psx_write_header(&w, false);
        gv_psx_write_packet(&w, 0x06, &found[i].version, 1);
        gv_psx_write_defaults(&w);
        for (uint32_t k = 0; k < found[i].count; k++)
            gv_psx_write_gp0(&w, found[i].words[k]);
        gv_psx_write_vsync(&w);
        CHECK_ROW(found[i].name, agrees(&w.out, NULL, &ignored));
        CHECK_ROW(found[i].name, agrees(&w.out, minimal, &ignored));
        gv_bytes_finish(&w.out);
    }
}

// Each way of writing changes a picture that was made before.
static void test_shown(void)
{
    static const struct {
        const char *name;
        uint32_t count, words[8];
    } rows[] = {
        { "fill", 3, { 0x02ffffff, 0x00100010, 0x00100010 } },
        { "large_fill", 3, { 0x02ffffff, 0x00100010, 0x008000c0 } },
        { "upload", 5, { 0xa0000000, 0x00100010, 0x00010004, 0x12345678, 0x1abc2def } },
        { "masked_upload",
          6,
          { 0xe6000003, 0xa0000000, 0x00100011, 0x00010004, 0x12345678, 0x1abc2def } },
        { "copy", 4, { 0x80000000, 0x01400190, 0x00100010, 0x00100010 } },
        { "masked_copy",
          5,
          { 0xe6000001, 0x80000000, 0x01400190, 0x00100010, 0x00100010 } },
        { "copy_that_wraps", 4, { 0x80000000, 0x01400190, 0x001003f8, 0x00100010 } },
        { "triangle", 4, { 0x2000ff00, 0x00100010, 0x00100040, 0x00400010 } },
        { "samples_itself",
          5,
          { 0xe1000100, 0x65808080, 0x00110011, 0x00001010, 0x00200020 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gv_psx_writer w = { 0 };
        uint64_t ignored = 0;
        gv_psx_write_header(&w, false);
        gv_psx_write_defaults(&w);
        // What copies read: outside of what is shown.
        gv_psx_write_gp0(&w, 0x020000ff);
        gv_psx_write_gp0(&w, 0x01400190);
        gv_psx_write_gp0(&w, 0x00100020);
        gv_psx_write_gp0(&w, 0x02808000);
        gv_psx_write_gp0(&w, 0x00100020);
        gv_psx_write_gp0(&w, 0x00100010);
        gv_psx_write_vsync(&w);
        for (uint32_t k = 0; k < rows[i].count; k++)
            gv_psx_write_gp0(&w, rows[i].words[k]);
        gv_psx_write_vsync(&w);
        CHECK_ROW(rows[i].name, agrees(&w.out, NULL, &ignored));
        gv_bytes_finish(&w.out);
    }
}

// Quads over the whole screen, so many in a row that an invocation sharing their tiles
// could pass lavapipe's limit of turns of its loops.
static void test_layers(void)
{
    struct gv_psx_writer w = { 0 };
    uint64_t ignored = 0;
    gv_psx_write_header(&w, false);
    gv_psx_write_defaults(&w);
    for (uint32_t i = 0; i < 24; i++) {
        gv_psx_write_gp0(&w, 0x2a000000 | 0x081018 * (i % 5 + 1));
        gv_psx_write_gp0(&w, 0);
        gv_psx_write_gp0(&w, 1023);
        gv_psx_write_gp0(&w, 511u << 16);
        gv_psx_write_gp0(&w, 1023 | 511u << 16);
    }
    gv_psx_write_vsync(&w);
    CHECK(agrees(&w.out, NULL, &ignored));
    CHECK(agrees(&w.out, minimal, &ignored));
    gv_bytes_finish(&w.out);
}

// An upload of four cells to row 700, then a read of them, each with GP1(09h) written
// again when half of it is done.
static void write_rows_change(struct gv_psx_writer *w, uint32_t before, uint32_t after,
                              uint32_t mask)
{
    gv_psx_write_header(w, false);
    gv_psx_write_packet(w, 0x06, (const uint32_t[1]){ 3 }, 1);
    gv_psx_write_gp1(w, 0x09000000 | before);
    gv_psx_write_gp0(w, 0xe6000000 | mask);
    gv_psx_write_gp0(w, 0xa0000000);
    gv_psx_write_gp0(w, 700u << 16);
    gv_psx_write_gp0(w, 4 | 1 << 16);
    gv_psx_write_gp0(w, 0x04030201);
    gv_psx_write_gp1(w, 0x09000000 | after);
    gv_psx_write_gp0(w, 0x08070605);
    gv_psx_write_gp1(w, 0x09000000 | before);
    gv_psx_write_gp0(w, 0xc0000000);
    gv_psx_write_gp0(w, 700u << 16);
    gv_psx_write_gp0(w, 4 | 1 << 16);
    gv_psx_write_packet(w, 0x04, (const uint32_t[1]){ 1 }, 1);
    gv_psx_write_gp1(w, 0x09000000 | after);
    gv_psx_write_packet(w, 0x04, (const uint32_t[1]){ 1 }, 1);
}

// GP1(09h) in the middle of a transfer does not move it to other rows. Held to cells,
// not to the oracle, which has its rows from the same parser.
static void test_rows_change(void)
{
    static const struct {
        const char *name;
        uint32_t before, after, mask, row; // GP1(09h), E6h, where row 700 is
    } rows[] = {
        { "upload_below_512", 1, 0, 0, 700 },
        { "masked_upload_below_512", 1, 0, 2, 700 },
        { "upload_above_512", 0, 1, 0, 188 },
        { "masked_upload_above_512", 0, 1, 2, 188 },
    };
    static const uint8_t cells[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, none[8] = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *name = rows[i].name;
        struct gv_psx_writer w = { 0 };
        struct gv_replay_result result;
        struct gv_error err = GV_ERROR_INIT;
        write_rows_change(&w, rows[i].before, rows[i].after, rows[i].mask);
        bool ran =
            gv_replay_capture(w.out.data, w.out.size, NULL, true, false, &result, &err);
        CHECK_ROW(name, ran);
        gv_bytes_finish(&w.out);
        if (!ran)
            continue;
        const uint8_t *vram = result.exports[0].data;
        uint32_t other = 700 + 188 - rows[i].row;
        CHECK_ROW(name, memcmp(vram + (size_t)rows[i].row * 2048, cells, 8) == 0);
        CHECK_ROW(name, memcmp(vram + (size_t)other * 2048, none, 8) == 0);
        CHECK_ROW(name, same_bytes(&result.exports[1], cells, 8));
        gv_replay_result_finish(&result);
    }
}

// Tile shape, batch limit and what the device has must not matter.
static const char *const shapes[][4] = {
    { NULL },
    { "psx.tile=16x2", "psx.batch=7", "psx.limits=minimal", NULL },
    { NULL },
    { "psx.tile=8x8", NULL },
    { "psx.limits=minimal", NULL },
    { "psx.tile=2x16", "psx.batch=100", NULL },
};

// One stream; false when it differs, and what it is reduced to is printed.
static bool stream_agrees(uint64_t seed, size_t commands, const char *const *options,
                          uint64_t *primitives)
{
    struct stream s;
    make_stream(&s, seed, commands);
    bool same = subset_agrees(&s, NULL, s.count, options, primitives);
    if (!same) {
        fprintf(stderr, "stream of seed %llu differs; reduced:\n",
                (unsigned long long)seed);
        reduce(&s, options);
    }
    free_stream(&s);
    return same;
}

#define SHAPES (sizeof shapes / sizeof shapes[0])
#define MILLION_COMMANDS 4000 // of a stream
#ifdef __SANITIZE_ADDRESS__   // ten times slower
#define MILLION 20000
#else
#define MILLION 1000000
#endif

static void million(uint64_t seed, uint64_t wanted)
{
    uint64_t primitives = 0, streams = 0;
    printf("seed %llu, streams of %d commands\n", (unsigned long long)seed,
           MILLION_COMMANDS);
    for (; primitives < wanted; streams++) {
        bool same = stream_agrees(seed + streams, MILLION_COMMANDS,
                                  shapes[streams % SHAPES], &primitives);
        CHECK(same);
        if (!same)
            return;
    }
    printf("%llu primitives equal, in %llu streams\n", (unsigned long long)primitives,
           (unsigned long long)streams);
}

static void some(uint64_t seed, size_t streams, size_t commands)
{
    uint64_t primitives = 0;
    printf("seed %llu, %zu streams of %zu commands\n", (unsigned long long)seed,
           streams, commands);
    for (size_t i = 0; i < streams; i++) {
        bool same = stream_agrees(seed + i, commands, shapes[i % SHAPES], &primitives);
        CHECK(same);
        if (!same)
            return;
    }
    printf("%llu primitives equal\n", (unsigned long long)primitives);
}

static uint64_t number(int argc, char **argv, int i, uint64_t otherwise)
{
    return i < argc ? strtoull(argv[i], NULL, 0) : otherwise;
}

int main(int argc, char **argv)
{
    gv_leak_check_keep_libraries();
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!gv_replay_device_present())
        return gv_test_skip("no Vulkan device");
    if (argc > 1 && strcmp(argv[1], "million") == 0) {
        million(number(argc, argv, 2, 1), number(argc, argv, 3, MILLION));
    } else {
        test_found();
        test_rows_change();
        test_shown();
        test_layers();
        some(number(argc, argv, 1, 1), (size_t)number(argc, argv, 2, 8),
             (size_t)number(argc, argv, 3, 400));
    }
    return TEST_RESULT();
}
