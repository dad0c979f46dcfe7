// Traces are known by their first bytes, and nothing else is one.
#include "compiler/apitrace/trace/trace_container.h"
#include "compiler/apitrace/trace/trace_probe.h"
#include "tests/test.h"

// Version 6: semantic version, one property, its end; enter, thread, function 9.
#define HEADER "\6\6\4name\5value\0"
#define EVENT "\0\0\11\13glXBadCreat\2\3dpy\1d\0"
#define OLD "\4\0\0\11\4glGo\0\0"
#define STREAM HEADER EVENT

// Brotli's uncompressed meta-block (RFC 7932, 9.2): 16 bits of window, length less one.
#define BROTLI(length)                                                   \
    {                                                                    \
        (uint8_t)(((length)-1) << 4), (uint8_t)(((length)-1) >> 4), 0x10 \
    }

enum known { NOTHING, STREAM_ITSELF, SNAPPY, BROTLI_STREAM };

static const struct {
    const char *label, *bytes;
    size_t size;
    enum known known;
} cases[] = {
#define ROW(label, bytes, known)               \
    {                                          \
        label, bytes, sizeof(bytes) - 1, known \
    }
    ROW("stream", STREAM, STREAM_ITSELF),
    ROW("old_stream", OLD, STREAM_ITSELF),
    ROW("newer_version", "\7\6\0" EVENT, NOTHING),
    ROW("newer_semantics", "\6\7\0" EVENT, NOTHING),
    ROW("property_without_end", "\6\6\4name\5value", NOTHING),
    ROW("no_event", HEADER, NOTHING),
    ROW("leave_first", HEADER "\1\0\11\13glXBadCreat\2\3dpy\1d\0", NOTHING),
    ROW("no_name", HEADER "\0\0\11\0\0\0", NOTHING),
    ROW("no_letters", HEADER "\0\0\11\3a\0b\0\0", NOTHING),
    ROW("name_cut", HEADER "\0\0\11\13glX", NOTHING),
    ROW("too_many_arguments", HEADER "\0\0\11\4glGo\177", NOTHING),
    ROW("zeros", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", NOTHING),
    ROW("empty", "", NOTHING),
    // Snappy: "at", size of the chunk, unpacked size, literal of 5 bytes.
    ROW("snappy", "at\7\0\0\0\5\20\6\6\0\0\0", SNAPPY),
    ROW("snappy_long_literal", "at\200\0\0\0\177\360\170\6\6\0", SNAPPY),
    ROW("snappy_copy_first", "at\7\0\0\0\5\21\6\6\0\0\0", NOTHING),
    ROW("snappy_chunk_too_small", "at\1\0\0\0\5\20\6\6\0\0\0", NOTHING),
    ROW("snappy_of_nothing", "at\7\0\0\0\0\20\6\6\0\0\0", NOTHING),
    ROW("text", "at the beginning there was text", NOTHING),
    ROW("prose", "Once upon a time there was a capture of which nobody knew", NOTHING),
    ROW("magic_alone", "at", NOTHING),
};

static void check(const char *label, const uint8_t *bytes, size_t size,
                  enum known known)
{
    uint8_t *exact = malloc(size ? size : 1); // sanitizers see what is read past it
    memcpy(exact, bytes, size);
    CHECK_ROW(label, gv_trace_is_stream(exact, size) == (known == STREAM_ITSELF));
    CHECK_ROW(label, gv_trace_is_snappy(exact, size) == (known == SNAPPY));
    CHECK_ROW(label, gv_trace_is_brotli(exact, size) == (known == BROTLI_STREAM));
    free(exact);
}

static void brotli(void)
{
    static const uint8_t head[] = BROTLI(sizeof STREAM - 1);
    uint8_t bytes[256];
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + sizeof head, STREAM, sizeof STREAM - 1);
    size_t size = sizeof head + sizeof STREAM - 1;
    bytes[size] = 3; // the last meta-block, empty
    check("brotli", bytes, size + 1, BROTLI_STREAM);
    check("brotli_cut", bytes, size, BROTLI_STREAM);
    check("brotli_cut_early", bytes, size / 2, NOTHING);
    bytes[sizeof head] = 7;
    check("brotli_newer", bytes, size + 1, NOTHING);
}

static const struct {
    const char *label, *bytes;
    size_t size;
    enum gv_trace_container container;
} containers[] = {
    ROW("snappy", "at", GV_TRACE_SNAPPY),
    ROW("gzip", "\x1f\x8b", GV_TRACE_GZIP),
    ROW("zstd", "\x28\xb5\x2f\xfd\0\0\0\0", GV_TRACE_ZSTD),
    ROW("zstd_table", "\x28\xb5\x2f\xfd\xb1\xea\x92\x8f", GV_TRACE_ZSTD_SEEKABLE),
    ROW("zstd_magic", "\x28\xb5\x2f\xfd", GV_TRACE_ZSTD),
    ROW("raw", STREAM, GV_TRACE_RAW),
    ROW("anything_else", "anything else", GV_TRACE_BROTLI),
    ROW("nothing", "", GV_TRACE_BROTLI),
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i].label, (const uint8_t *)cases[i].bytes, cases[i].size,
              cases[i].known);
    brotli();
    for (size_t i = 0; i < sizeof containers / sizeof *containers; i++)
        CHECK_ROW(containers[i].label,
                  gv_trace_container_detect((const uint8_t *)containers[i].bytes,
                                            containers[i].size) ==
                      containers[i].container);
    return TEST_RESULT();
}
