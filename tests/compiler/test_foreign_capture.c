// Captures of other programs are known by their first bytes, and nothing else is.
#include "compiler/foreign_capture.h"

#include "tests/test.h"

#include <stdbool.h>

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

static const struct {
    const char *label, *bytes;
    size_t size;
    const char *name; // NULL: nothing known
} cases[] = {
#define ROW(label, bytes, name)               \
    {                                         \
        label, bytes, sizeof(bytes) - 1, name \
    }
    ROW("gfxr", "GFXR\0\0\0\0\0\0\0\0\1\0\0\0", "gfxreconstruct capture"),
    ROW("rdc", "RDOC\0\0\0\0\2\1\0\0", "RenderDoc capture"),
    ROW("gfxtrace", "ProtoPack\r\n2.0\n\0", "AGI capture"),
    ROW("old_gfxtrace", "protopack\r\n1.0\n\0", "AGI capture"),
    ROW("cut_magic", "GFX", NULL),
    ROW("stream", STREAM, "apitrace trace"),
    ROW("old_stream", OLD, "apitrace trace"),
    ROW("newer_version", "\7\6\0" EVENT, NULL),
    ROW("newer_semantics", "\6\7\0" EVENT, NULL),
    ROW("property_without_end", "\6\6\4name\5value", NULL),
    ROW("no_event", HEADER, NULL),
    ROW("leave_first", HEADER "\1\0\11\13glXBadCreat\2\3dpy\1d\0", NULL),
    ROW("no_name", HEADER "\0\0\11\0\0\0", NULL),
    ROW("no_letters", HEADER "\0\0\11\3a\0b\0\0", NULL),
    ROW("name_cut", HEADER "\0\0\11\13glX", NULL),
    ROW("too_many_arguments", HEADER "\0\0\11\4glGo\177", NULL),
    ROW("zeros", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", NULL),
    ROW("empty", "", NULL),
    // Snappy: "at", size of the chunk, unpacked size, literal of 5 bytes.
    ROW("snappy", "at\7\0\0\0\5\20\6\6\0\0\0", "apitrace trace"),
    ROW("snappy_long_literal", "at\200\0\0\0\177\360\170\6\6\0", "apitrace trace"),
    ROW("snappy_newer", "at\7\0\0\0\5\20\7\6\0\0\0", NULL),
    ROW("snappy_copy_first", "at\7\0\0\0\5\21\6\6\0\0\0", NULL),
    ROW("snappy_chunk_too_small", "at\1\0\0\0\5\20\6\6\0\0\0", NULL),
    ROW("text", "at the beginning there was text", NULL),
    ROW("prose", "Once upon a time there was a capture of which nobody knew", NULL),
    ROW("magic_alone", "at", NULL),
};

static void check(const char *label, const uint8_t *bytes, size_t size,
                  const char *name)
{
    uint8_t *exact = malloc(size ? size : 1); // sanitizers see what is read past it
    memcpy(exact, bytes, size);
    const char *found = gv_foreign_capture(exact, size);
    bool same = found && name ? strcmp(found, name) == 0 : found == name;
    CHECK_ROW(label, same);
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
    check("brotli", bytes, size + 1, "apitrace trace");
    check("brotli_cut", bytes, size, "apitrace trace");
    check("brotli_cut_early", bytes, size / 2, NULL);
    bytes[sizeof head] = 7;
    check("brotli_newer", bytes, size + 1, NULL);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i].label, (const uint8_t *)cases[i].bytes, cases[i].size,
              cases[i].name);
    brotli();
    return TEST_RESULT();
}
