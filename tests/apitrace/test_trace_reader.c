// What the encoder writes the reader reads, in every version and container, however it
// is cut into pieces.
#include "tests/apitrace/trace_pack.h"
#include "tests/apitrace/trace_print.h"
#include "tests/apitrace/trace_tour.h"
#include "tests/test.h"

#define TOUR_CALLS 29
#define HEADER_BYTES 54u // with the tour's properties

static struct gv_bytes tour(unsigned version)
{
    struct trace_writer w = { 0 };
    trace_write_tour(&w, version);
    CHECK(w.calls == TOUR_CALLS);
    return w.out;
}

// ---- every value, as it was written ----

static const char *const lines[] = {
    "0 thread 0 glXCreateContext/4\n"
    "  dpy: pointer 5649db38cbd0\n"
    "  vis: array (struct XVisualInfo .visual .visualid .depth (pointer 1000, uint "
    "975, "
    "uint 24))\n"
    "  shareList: null\n"
    "  direct: bool 1\n"
    "  = pointer 5649db3ab730\n"
    "  frame 0 libdraw.so draw_all draw.c:100 +4096\n"
    "  frame 0 libdraw.so draw_all draw.c:100 +4096\n",
    "3 thread 0 glClear/1\n"
    "  mask: mask 16640\n"
    "  = absent\n",
    "8 thread 0 glVertex2d/2\n"
    "  x: absent\n"
    "  y: double 0.33333333333333331\n"
    "  = absent\n",
    "12 thread 0 fake oddities/3\n"
    "  a: array (bool 0, sint -1, sint -9223372036854775808, uint -1, double "
    "0.10000000000000001, array ())\n"
    "  b: mask 16640\n"
    "  c: absent\n"
    "  : absent\n"
    "  : pair (string for people 10 bytes 9edbf42dec9c6, blob for machines 12 bytes "
    "25457ae5e62aea83)\n"
    "  = wide 77 e9 1f600\n"
    "  frame 1 libdraw.so draw_all draw.c:101 +4097\n"
    "  frame 0 libdraw.so draw_all draw.c:100 +4096\n",
    "13 thread 0 oddities/3\n"
    "  a: float inf\n"
    "  b: float -nan\n"
    "  c: mask 65537\n"
    "  = mask 0 GL_NONE_BIT\n",
    "16 thread 1 glShaderSource/4\n"
    "  shader: uint 3\n"
    "  count: uint 2\n"
    "  string: array (string #version 110\\0a 13 bytes ",
    "10 thread 0 glGetError/0\n"
    "  = enum 0 GL_NO_ERROR GL_ZERO\n",
    "28 thread 1 incomplete glXSwapBuffers/2\n"
    "  dpy: pointer 5649db38cbd0\n"
    "  = absent\n",
};

static void test_values(void)
{
    struct gv_bytes stream = tour(6), text = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    CHECK(trace_print_file(&text, stream.data, stream.size, false, &err) == TOUR_CALLS);
    gv_bytes_u8(&text, 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        bool found = strstr((const char *)text.data, lines[i]) != NULL;
        CHECK_ROW(lines[i], found);
    }
    // In the order of leaving: 16 within 14 and 15, of which 14 leaves first.
    const char *at[4] = { strstr((char *)text.data, "\n16 thread"),
                          strstr((char *)text.data, "\n14 thread"),
                          strstr((char *)text.data, "\n15 thread"),
                          strstr((char *)text.data, "\n17 thread") };
    CHECK(at[0] && at[0] < at[1] && at[1] < at[2] && at[2] < at[3]);
    gv_bytes_finish(&text);
    gv_bytes_finish(&stream);
}

// ---- versions, containers, pieces ----

static void test_containers(unsigned version)
{
    static const size_t parts[] = { 1 << 20, 777, 64, 1 };
    struct gv_bytes stream = tour(version), whole = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    CHECK(trace_print_file(&whole, stream.data, stream.size, false, &err) ==
          TOUR_CALLS);
    for (int c = GV_TRACE_RAW; c <= GV_TRACE_BROTLI; c++)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            enum gv_trace_container container = (enum gv_trace_container)c;
            if (parts[i] < 64 && container != GV_TRACE_SNAPPY)
                continue; // slow, and nothing new
            const char *name = gv_trace_container_name(container);
            struct gv_bytes file = { 0 }, text = { 0 };
            trace_pack(container, &stream, parts[i], &file);
            CHECK_ROW(name,
                      gv_trace_container_detect(file.data, file.size) == container);
            trace_print_file(&text, file.data, file.size, false, &err);
            CHECK_ROW(name, err.status == GV_OK);
            CHECK_ROW(name, text.size == whole.size &&
                                memcmp(text.data, whole.data, text.size) == 0);
            gv_bytes_finish(&text);
            gv_bytes_finish(&file);
        }
    gv_bytes_finish(&whole);
    gv_bytes_finish(&stream);
}

static void test_header(void)
{
    struct gv_bytes stream = tour(6), old = tour(5);
    struct gv_trace_params params = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_trace_reader *r =
        gv_trace_open(gv_cursor_make(stream.data, stream.size), &params, &err);
    CHECK(r && gv_trace_header(r)->version == 6 &&
          gv_trace_header(r)->semantic_version == 6 &&
          gv_trace_header(r)->property_count == 2);
    CHECK(r && strcmp(gv_trace_property(r, "process.name"), "tour") == 0);
    CHECK(r && !gv_trace_property(r, "process"));
    gv_trace_close(r);
    r = gv_trace_open(gv_cursor_make(old.data, old.size), &params, &err);
    CHECK(r && gv_trace_header(r)->version == 5 &&
          gv_trace_header(r)->semantic_version == 5 &&
          gv_trace_header(r)->property_count == 0);
    gv_trace_close(r);
    gv_bytes_finish(&stream);
    gv_bytes_finish(&old);
}

// ---- cut files ----

// Everywhere: refused, or taken up to the last whole call.
static void test_cuts(enum gv_trace_container container, size_t step)
{
    const char *name = gv_trace_container_name(container);
    struct gv_bytes stream = tour(6), file = { 0 }, whole = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    trace_pack(container, &stream, 2000, &file);
    size_t calls = 0, most = 0;
    trace_print_file(&whole, file.data, file.size, false, &err);
    for (size_t size = 0; size < file.size; size += step) {
        uint8_t *exact = malloc(size ? size : 1);
        struct gv_bytes text = { 0 };
        memcpy(exact, file.data, size);
        gv_error_clear(&err);
        trace_print_file(&text, exact, size, false, &err);
        // The table at the end of zstd is nothing that is missed; between chunks and
        // events nobody sees a cut.
        CHECK_ROW(name, err.status == GV_OK || err.status == GV_ERR_FORMAT);
        CHECK_ROW(name, err.status == GV_OK || err.offset <= stream.size);
        text.size = 0;
        gv_error_clear(&err);
        calls = trace_print_file(&text, exact, size, true, &err);
        most = calls > most ? calls : most;
        CHECK_ROW(name, calls <= TOUR_CALLS);
        gv_bytes_finish(&text);
        free(exact);
    }
    CHECK_ROW(name, most >= TOUR_CALLS / 2); // zstd gives whole blocks
    gv_bytes_finish(&whole);
    gv_bytes_finish(&file);
    gv_bytes_finish(&stream);
}

// A chunk of snappy that is cut is unpacked as far as it goes.
static void test_salvage(void)
{
    struct gv_bytes stream = tour(6), file = { 0 }, text = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    trace_pack(GV_TRACE_SNAPPY, &stream, 1 << 20, &file);
    CHECK(trace_print_file(&text, file.data, file.size / 2, true, &err) > 5);
    CHECK(err.status == GV_OK);
    CHECK(trace_print_file(&text, file.data, file.size / 2, false, &err) > 5);
    CHECK(err.status == GV_ERR_FORMAT && strstr(err.message, "ends early"));
    CHECK(strstr(err.message, "(chunk at byte 2 of the file)"));
    gv_bytes_finish(&text);
    gv_bytes_finish(&file);
    gv_bytes_finish(&stream);
}

// ---- where it is ----

static void test_position(void)
{
    struct gv_bytes stream = tour(6), file = { 0 };
    struct gv_trace_params params = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_trace_call *call;
    struct trace_packer p = { .container = GV_TRACE_SNAPPY };
    trace_pack_part(&p, stream.data, HEADER_BYTES, &file);
    uint64_t second = file.size;
    trace_pack_part(&p, stream.data + HEADER_BYTES, stream.size - HEADER_BYTES, &file);
    struct gv_trace_reader *r =
        gv_trace_open(gv_cursor_make(file.data, file.size), &params, &err);
    struct gv_trace_position at = gv_trace_position(r);
    CHECK(at.stream == HEADER_BYTES && at.chunk == second && at.file_read == file.size);
    CHECK(gv_trace_next(r, &call, &err) && call && call->offset == HEADER_BYTES);
    while (gv_trace_next(r, &call, &err) && call)
        ;
    at = gv_trace_position(r);
    CHECK(err.status == GV_OK && at.stream == stream.size && !gv_trace_was_cut(r));
    gv_trace_close(r);
    gv_bytes_finish(&file);
    gv_bytes_finish(&stream);
}

// Of a long trace only so much is read as calls are asked for, and memory stays small.
static void test_window(enum gv_trace_container container)
{
    struct trace_writer w = { 0 };
    struct gv_bytes file = { 0 };
    uint32_t random = 1;
    const char *name = gv_trace_container_name(container);
    trace_begin(&w, 6, NULL);
    while (w.out.size < (size_t)10 << 20)
        trace_write_frame(&w, 2000, 1024, &random);
    trace_pack(container, &w.out, 1 << 20, &file);
    struct gv_trace_params params = { .memory_limit = 4 << 20 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_trace_call *call;
    uint64_t calls = 0;
    struct gv_trace_reader *r =
        gv_trace_open(gv_cursor_make(file.data, file.size), &params, &err);
    CHECK_ROW(name, r && gv_trace_next(r, &call, &err) && call);
    if (!r)
        return;
    CHECK_ROW(name, gv_trace_position(r).file_read < 2 << 20);
    for (calls = 1; gv_trace_next(r, &call, &err) && call; calls++)
        CHECK_ROW(name, call->number == calls);
    CHECK_ROW(name, calls == w.calls && err.status == GV_OK);
    CHECK_ROW(name, gv_trace_position(r).file_read == file.size);
    gv_trace_close(r);
    trace_writer_finish(&w);
    gv_bytes_finish(&file);
}

int main(void)
{
    test_values();
    for (unsigned version = 0; version <= 6; version++)
        test_containers(version);
    test_header();
    for (int c = GV_TRACE_RAW; c <= GV_TRACE_BROTLI; c++)
        test_cuts((enum gv_trace_container)c, c == GV_TRACE_SNAPPY ? 1 : 7);
    test_salvage();
    test_position();
    test_window(GV_TRACE_SNAPPY);
    test_window(GV_TRACE_GZIP);
    test_window(GV_TRACE_ZSTD_SEEKABLE);
    return TEST_RESULT();
}
