// Streams that break the format or its limits: refused, with the byte and the chunk.
#include "tests/apitrace/trace_pack.h"
#include "tests/apitrace/trace_print.h"
#include "tests/apitrace/trace_writer.h"
#include "tests/test.h"

// Version 6 without properties; a call that is entered and leaves; another one entered.
#define HEADER "\6\6\0"
#define CALL "\0\0\1\4glGo\1\1a\0\1\0\0"
#define ENTER "\0\0\1" // of the same function; details follow
#define GOOD HEADER CALL
#define AT_GOOD (sizeof GOOD - 1)
#define AT_DETAIL (AT_GOOD + sizeof ENTER - 1)
#define LONG "\377\377\377\377\377\377\377\377\377" // 63 bits, to be ended

static const struct {
    const char *label, *bytes;
    size_t size;
    enum gv_status status; // GV_OK: taken
    size_t offset, calls;
    const char *message;
} cases[] = {
#define ROW(label, bytes, status, offset, calls, message)               \
    {                                                                   \
        label, bytes, sizeof(bytes) - 1, status, offset, calls, message \
    }
    ROW("good", GOOD, GV_OK, 0, 1, ""),
    ROW("semantics", "\5", GV_OK, 0, 0, ""),
    ROW("version", "\7\6\0", GV_ERR_UNSUPPORTED, 0, 0, "version 7"),
    ROW("semantic_version", "\6\7\0", GV_ERR_FORMAT, 1, 0, "semantic version above"),
    ROW("property", "\6\6\1a\200\200\200\200\20x", GV_ERR_LIMIT, 4, 0, "of a property"),
    ROW("property_cut", "\6\6\1a\2x", GV_ERR_FORMAT, 0, 0, "ends early"),
    ROW("event", GOOD "\2", GV_ERR_FORMAT, AT_GOOD, 1, "unknown event 0x02"),
    ROW("detail", GOOD ENTER "\11", GV_ERR_FORMAT, AT_DETAIL, 1,
        "unknown detail 0x09 of call glGo"),
    ROW("old_thread", GOOD ENTER "\3\1\0", GV_ERR_FORMAT, AT_DETAIL, 1,
        "unknown detail 0x03"),
    ROW("flags_of_5", "\5\0\0\1\4glGo\0\5\1\0", GV_ERR_FORMAT, 10, 0,
        "unknown detail 0x05"),
    ROW("backtrace_of_4", "\4\0\0\1\4glGo\0\4\0\0", GV_ERR_FORMAT, 10, 0,
        "unknown detail 0x04"),
    ROW("kind", GOOD ENTER "\1\0\20", GV_ERR_FORMAT, AT_DETAIL + 2, 1,
        "unknown kind 0x10"),
    ROW("wide_of_5", "\5\0\0\1\4glGo\0\2\17\0\0", GV_ERR_FORMAT, 11, 0,
        "unknown kind 0x0f"),
    ROW("argument", GOOD ENTER "\1\200\10\0", GV_ERR_LIMIT, AT_DETAIL + 1, 1,
        "index of an argument: 1024 is over"),
    ROW("argument_high", GOOD ENTER "\1\377\7\0\0\1\1\0", GV_OK, 0, 2, ""),
    ROW("function", GOOD "\0\0\200\200\100", GV_ERR_LIMIT, AT_GOOD + 2, 1,
        "number of a function: 1048576"),
    ROW("function_name", GOOD "\0\0\2\201\200\4", GV_ERR_LIMIT, AT_GOOD + 3, 1,
        "bytes of a name: 65537"),
    ROW("function_arguments", GOOD "\0\0\2\1f\201\10", GV_ERR_LIMIT, AT_GOOD + 5, 1,
        "arguments of a function: 1025"),
    ROW("array", GOOD ENTER "\1\0\13\200\200\200\200\40", GV_ERR_LIMIT, AT_DETAIL + 3,
        1, "elements of an array: 8589934592"),
    ROW("array_cut", GOOD ENTER "\1\0\13\200\200\4\0\0", GV_ERR_FORMAT, AT_GOOD, 1,
        "ends early"),
    ROW("blob", GOOD ENTER "\1\0\10\200\200\200\200\40", GV_ERR_LIMIT, AT_DETAIL + 3, 1,
        "bytes of a value: 8589934592"),
    ROW("blob_cut", GOOD ENTER "\1\0\10\200\200\4abc", GV_ERR_FORMAT, AT_GOOD, 1,
        "ends early"),
    ROW("number", GOOD ENTER "\1\0\4" LONG "\201\0", GV_ERR_FORMAT, AT_DETAIL + 3, 1,
        "a number of over 64 bits"),
    ROW("number_padded", GOOD ENTER "\1\0\4\200\200\0\0\1\1\0", GV_OK, 0, 2, ""),
    ROW("enum", GOOD ENTER "\1\0\11\1\1\1A\5\0\0\0\0", GV_ERR_FORMAT, AT_DETAIL + 7, 1,
        "an integer of kind 0x05"),
    ROW("enum_value", GOOD ENTER "\1\0\11\1\1\1A\4\0\2\0", GV_ERR_FORMAT, AT_DETAIL + 9,
        1, "an integer of kind 0x02"),
    ROW("enum_entries", GOOD ENTER "\1\0\11\1\201\200\100", GV_ERR_LIMIT, AT_DETAIL + 4,
        1, "entries of an enumeration: 1048577"),
    ROW("mask_number", GOOD ENTER "\1\0\12\200\200\100", GV_ERR_LIMIT, AT_DETAIL + 3, 1,
        "number of an enumeration"),
    ROW("members", GOOD ENTER "\1\0\14\1\1s\201\40", GV_ERR_LIMIT, AT_DETAIL + 6, 1,
        "members of a structure: 4097"),
    ROW("backtrace", GOOD ENTER "\4\1\0\6", GV_ERR_FORMAT, AT_DETAIL + 3, 1,
        "unknown detail 0x06 of a back-trace"),
    ROW("frames", GOOD ENTER "\4\201\10", GV_ERR_LIMIT, AT_DETAIL + 1, 1,
        "frames of a back-trace: 1025"),
    ROW("character", GOOD ENTER "\1\0\17\1\200\200\200\200\20", GV_ERR_LIMIT,
        AT_DETAIL + 4, 1, "character of a text"),
    ROW("thread", GOOD "\0\200\200\200\200\20\1", GV_ERR_LIMIT, AT_GOOD + 1, 1,
        "number of a thread"),
    ROW("stray_leave", GOOD "\1\7\1\0\0\0", GV_OK, 0, 1, ""),
    ROW("stray_leave_broken", GOOD "\1\7\1\0\20", GV_ERR_FORMAT, AT_GOOD + 4, 1,
        "unknown kind 0x10"),
    ROW("left_twice", GOOD "\1\0\0", GV_OK, 0, 1, ""),
};

static void check(size_t i, const struct gv_bytes *file, bool packed)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes text = { 0 };
    const char *label = cases[i].label;
    size_t calls = trace_print_file(&text, file->data, file->size, false, &err);
    CHECK_ROW(label, calls == cases[i].calls);
    CHECK_ROW(label, err.status == cases[i].status);
    if (cases[i].status != GV_OK) {
        CHECK_ROW(label, err.offset == cases[i].offset);
        CHECK_ROW(label, strstr(err.message, cases[i].message) != NULL);
        CHECK_ROW(label,
                  !packed || strstr(err.message, " (chunk at byte 2 of the file)"));
    }
    gv_bytes_finish(&text);
}

static void test_streams(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gv_bytes stream = { 0 }, file = { 0 };
        gv_bytes_put(&stream, cases[i].bytes, cases[i].size);
        trace_pack(GV_TRACE_SNAPPY, &stream, 1 << 20, &file);
        check(i, &file, true);
        gv_bytes_finish(&file);
        gv_bytes_finish(&stream);
    }
}

// ---- what takes more than a line ----

static const struct trace_function go = { 1, "glGo", "a" };

static void expect(const char *label, const struct gv_bytes *stream, bool taken,
                   const char *message)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes text = { 0 };
    trace_print_file(&text, stream->data, stream->size, false, &err);
    CHECK_ROW(label, err.status == (taken ? GV_OK : GV_ERR_LIMIT));
    CHECK_ROW(label, taken || strstr(err.message, message));
    gv_bytes_finish(&text);
}

static void test_depth(unsigned depth, bool taken)
{
    struct trace_writer w = { 0 };
    trace_begin(&w, 6, NULL);
    trace_enter(&w, 0, &go);
    trace_argument(&w, 0);
    for (unsigned i = 0; i < depth; i++)
        trace_array(&w, 1);
    trace_null(&w);
    trace_end(&w);
    expect("depth", &w.out, taken, "values nest over 64 deep");
    trace_writer_finish(&w);
}

static void test_pending(unsigned calls, bool taken)
{
    struct trace_writer w = { 0 };
    trace_begin(&w, 6, NULL);
    for (unsigned i = 0; i < calls; i++) {
        trace_enter(&w, i, &go);
        trace_end(&w);
    }
    expect("pending", &w.out, taken, "over 16384 calls have not left");
    trace_writer_finish(&w);
}

// Few bytes of a stream, many of memory: bounded.
static void test_values(void)
{
    struct trace_writer w = { 0 };
    trace_begin(&w, 6, NULL);
    for (unsigned i = 0; i < 8; i++) {
        trace_enter(&w, i, &go);
        trace_argument(&w, 0);
        trace_array(&w, 1 << 22);
        memset(gv_bytes_grow(&w.out, 1 << 22), 0, 1 << 22);
        trace_end(&w);
    }
    expect("values", &w.out, false, "the values of calls take over 536870912 bytes");
    trace_writer_finish(&w);
}

// ---- containers ----

static const struct {
    const char *label, *bytes;
    size_t size;
    enum gv_status status;
    const char *message;
} files[] = {
#define FILE_ROW(label, bytes, status, message)          \
    {                                                    \
        label, bytes, sizeof(bytes) - 1, status, message \
    }
    FILE_ROW("empty", "", GV_ERR_FORMAT, "ends early"),
    FILE_ROW("magic", "at", GV_ERR_FORMAT, "ends early"),
    FILE_ROW("size_cut", "at\1\0", GV_ERR_FORMAT, "ends early"),
    FILE_ROW("chunk_cut", "at\377\377\377\377\5\20\6", GV_ERR_FORMAT, "ends early"),
    FILE_ROW("no_size", "at\1\0\0\0\377", GV_ERR_FORMAT, "cannot have (byte 2"),
    FILE_ROW("size", "at\7\0\0\0\377\377\377\377\17\0\0", GV_ERR_FORMAT,
             "cannot have (byte 2"),
    FILE_ROW("damaged", "at\4\0\0\0\5\20\6\6", GV_ERR_FORMAT, "is damaged (byte 2"),
    FILE_ROW("second", "at\5\0\0\0\3\10\6\6\0\4\0\0\0\5\20\6\6", GV_ERR_FORMAT,
             "is damaged (byte 11"),
    FILE_ROW("end_mark", "at\5\0\0\0\3\10\6\6\0\0\0\0\0rest", GV_OK, ""),
    FILE_ROW("gzip", "\x1f\x8b\x08\0\0\0\0\0\0\3\7", GV_ERR_FORMAT, "damaged (byte"),
    FILE_ROW("zstd", "\x28\xb5\x2f\xfd\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
             GV_ERR_FORMAT, "damaged (byte"),
    FILE_ROW("neither", "none of them at all", GV_ERR_FORMAT, "damaged (byte"),
};

static void test_files(void)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes text = { 0 }, exact = { 0 };
        gv_bytes_put(&exact, files[i].bytes, files[i].size);
        trace_print_file(&text, exact.data, exact.size, false, &err);
        CHECK_ROW(files[i].label, err.status == files[i].status);
        CHECK_ROW(files[i].label, strstr(err.message, files[i].message) != NULL);
        CHECK_ROW(files[i].label, err.status == GV_OK || err.offset != GV_NO_OFFSET);
        gv_bytes_finish(&exact);
        gv_bytes_finish(&text);
    }
}

// A snappy chunk of over 256 MiB: its size is believed only as far as bytes are there.
static void test_huge_chunk(void)
{
    struct gv_bytes file = { 0 };
    size_t size = (size_t)13 << 20;
    gv_bytes_put(&file, "at", 2);
    gv_bytes_u32(&file, (uint32_t)size);
    gv_bytes_uleb(&file, (uint64_t)270 << 20);
    uint8_t *rest = gv_bytes_grow(&file, size);
    memset(rest, 0xfe, size);
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes text = { 0 };
    trace_print_file(&text, file.data, file.size, false, &err);
    CHECK(err.status == GV_ERR_LIMIT && strstr(err.message, "over 256 MiB (byte 2"));
    gv_bytes_finish(&text);
    gv_bytes_finish(&file);
}

int main(void)
{
    test_streams();
    test_depth(64, true);
    test_depth(65, false);
    test_pending(16384, true);
    test_pending(16385, false);
    test_values();
    test_files();
    test_huge_chunk();
    return TEST_RESULT();
}
