// Command stream framing and the allocation table: every rule broken once.
#include "compiler/aerogpu/trace/alloc_table.h"
#include "compiler/aerogpu/trace/cmd_stream.h"
#include "tests/aerogpu/aerogpu_encoder.h"
#include "tests/test.h"

#define BASE 1000u // where the stream stands in an imagined file

static bool read_all(const uint8_t *data, size_t size, size_t *count,
                     struct gv_error *err)
{
    struct gv_cmd_stream s;
    struct gv_cmd c;
    *count = 0;
    if (!gv_cmd_stream_open(&s, data, size, BASE, err))
        return false;
    while (gv_cmd_stream_next(&s, &c, err))
        ++*count;
    return err->status == GV_OK;
}

// A stream of NOP, an opcode nobody knows, and CLEAR.
static void make(struct aero_stream *s)
{
    const uint32_t nothing = 0;
    aero_stream_begin(s, AERO_ABI);
    aero_cmd(s, GV_CMD_NOP, &nothing, 0);
    aero_cmd(s, 0x7ff, &nothing, 1);
    aero_clear(s, 1, 0, 0, 0, 0, 1, 0);
    aero_stream_end(s);
}

enum { NOP_AT = 24, UNKNOWN_AT = 32, CLEAR_AT = 44, STREAM_SIZE = 80 };

static const struct {
    const char *name;
    size_t at;
    uint32_t value;
    const char *error;
    uint64_t offset;
} patches[] = {
    { "magic", 0, 1, "CommandStream:BadMagic", 0 },
    { "major", 4, 0x00020000, "CommandStream:Abi", 4 },
    { "size_small", 8, 20, "CommandStream:BadSizeBytes", 8 },
    { "size_large", 8, STREAM_SIZE + 4, "CommandStream:BadSizeBytes", 8 },
    { "size_odd", 8, STREAM_SIZE - 2, "CommandStream:SizeNotAligned", 8 },
    { "half_header", 8, UNKNOWN_AT + 4, "CommandStream:BufferTooSmall", UNKNOWN_AT },
    { "packet_4", NOP_AT + 4, 4, "CommandStream:BadSizeBytes", NOP_AT },
    { "packet_0", NOP_AT + 4, 0, "CommandStream:BadSizeBytes", NOP_AT },
    { "packet_odd", UNKNOWN_AT + 4, 14, "CommandStream:SizeNotAligned", UNKNOWN_AT },
    { "packet_over", CLEAR_AT + 4, 40, "CommandStream:PacketOverrunsStream", CLEAR_AT },
    { "packet_huge", CLEAR_AT + 4, 0xFFFFFFFC, "CommandStream:PacketOverrunsStream",
      CLEAR_AT },
    { "packet_short", CLEAR_AT, GV_CMD_CREATE_TEXTURE2D,
      "CommandStream:PayloadTooSmall(0x101)", CLEAR_AT },
    // As a SET_SAMPLERS packet its third dword counts far more than it holds.
    { "elements", CLEAR_AT, GV_CMD_SET_CONSTANT_BUFFERS, NULL, 0 },
};

static void test_patches(void)
{
    for (size_t i = 0; i < sizeof patches / sizeof patches[0]; i++) {
        struct aero_stream s = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        size_t count;
        make(&s);
        CHECK(s.bytes.size == STREAM_SIZE);
        for (size_t k = 0; k < 4; k++)
            s.bytes.data[patches[i].at + k] = (uint8_t)(patches[i].value >> (8 * k));
        bool ok = read_all(s.bytes.data, s.bytes.size, &count, &err);
        CHECK_ROW(patches[i].name, ok == !patches[i].error);
        if (patches[i].error) {
            CHECK_ROW(patches[i].name, err.offset == BASE + patches[i].offset);
            CHECK_ROW(patches[i].name, !strncmp(err.message, patches[i].error,
                                                strlen(patches[i].error)));
        }
        aero_stream_finish(&s);
    }
}

static void test_counts(void)
{
    struct aero_stream s = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    size_t count;
    aero_stream_begin(&s, AERO_ABI);
    AERO_CMD(&s, SET_SAMPLERS, 0, 0, 2, 0, 5); // two handles announced, one there
    aero_stream_end(&s);
    CHECK(!read_all(s.bytes.data, s.bytes.size, &count, &err));
    CHECK(!strncmp(err.message, "CommandStream:PayloadTooSmall(0x522)", 36));
    gv_error_clear(&err);
    aero_stream_begin(&s, AERO_ABI);
    AERO_CMD(&s, SET_SAMPLERS, 0, 0, UINT32_MAX, 0, 5);
    aero_stream_end(&s);
    CHECK(!read_all(s.bytes.data, s.bytes.size, &count, &err));
    gv_error_clear(&err);
    make(&s);
    gv_bytes_u32(&s.bytes, 0xDEADBEEF); // behind the stream: ignored
    CHECK(read_all(s.bytes.data, s.bytes.size, &count, &err) && count == 3);
    aero_stream_finish(&s);
}

// Every row of cmds.def: its minimum, and one dword less.
static void test_minimums(void)
{
    for (uint32_t opcode = 0; opcode < GV_CMD_OPCODE_LIMIT; opcode++) {
        const struct gv_cmd_info *info = gv_cmd_find(opcode);
        static const uint32_t zeros[64];
        struct aero_stream s = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        size_t count;
        if (!info)
            continue;
        CHECK_ROW(info->name, info->opcode == opcode && info->min % 4 == 0);
        aero_stream_begin(&s, AERO_ABI);
        aero_cmd(&s, opcode, zeros, info->min / 4 - 2);
        aero_stream_end(&s);
        CHECK_ROW(info->name, read_all(s.bytes.data, s.bytes.size, &count, &err));
        if (info->min > 8) {
            aero_stream_begin(&s, AERO_ABI);
            aero_cmd(&s, opcode, zeros, info->min / 4 - 3);
            aero_stream_end(&s);
            CHECK_ROW(info->name, !read_all(s.bytes.data, s.bytes.size, &count, &err));
        }
        aero_stream_finish(&s);
    }
    CHECK(!gv_cmd_find(0x7ff) && !gv_cmd_find(0x800) && !gv_cmd_find(UINT32_MAX));
}

static void test_text(void)
{
    struct aero_stream s = { 0 };
    struct gv_cmd_stream in;
    struct gv_cmd c;
    struct gv_bytes text = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    aero_stream_begin(&s, AERO_ABI);
    AERO_CMD(&s, DRAW, 3, 1, 2, 0);
    aero_cmd(&s, 0x7ff, NULL, 0);
    aero_cmd(&s, GV_CMD_DEBUG_MARKER, NULL, 0);
    aero_cmd_data(&s, "a\"b", 3);
    aero_stream_end(&s);
    CHECK(gv_cmd_stream_open(&in, s.bytes.data, s.bytes.size, 0, &err));
    while (gv_cmd_stream_next(&in, &c, &err)) {
        gv_cmd_print(&c, &text);
        gv_bytes_u8(&text, ';');
    }
    static const char wanted[] =
        "DRAW vertex_count=3 instance_count=1 first_vertex=2 first_instance=0;"
        "Unknown(0x7ff);DEBUG_MARKER text=\"a.b\";";
    CHECK(text.size == sizeof wanted - 1 && !memcmp(text.data, wanted, text.size));
    gv_bytes_finish(&text);
    aero_stream_finish(&s);
}

// ---- the allocation table ----

static void table(struct gv_bytes *b)
{
    b->size = 0;
    gv_bytes_put(b, "ALOC", 4);
    gv_bytes_u32(b, 0x00010000);
    gv_bytes_u32(b, 24 + 2 * 40);
    gv_bytes_u32(b, 2);
    gv_bytes_u32(b, 40); // entries may be longer than known
    gv_bytes_u32(b, 0);
    for (uint32_t i = 0; i < 2; i++) {
        gv_bytes_u32(b, 9 - i); // ids need no order
        gv_bytes_u32(b, i);
        gv_bytes_u64(b, 0x1000);
        gv_bytes_u64(b, 16);
        gv_bytes_u64(b, 0);
        gv_bytes_u64(b, 0);
    }
}

static const struct {
    const char *name;
    size_t at;
    uint64_t value;
    size_t width;
    const char *error;
} entries[] = {
    { "whole", 0, 'A', 1, NULL },
    { "magic", 0, 'B', 1, "BadMagic" },
    { "major", 6, 2, 2, "BadAbiVersion" },
    { "size_small", 8, 23, 4, "BadSize" },
    { "size_large", 8, 105, 4, "BadSize" },
    { "stride", 16, 31, 4, "BadStride" },
    { "count", 12, 3, 4, "CountOutOfBounds" },
    { "count_huge", 12, UINT32_MAX, 4, "CountOutOfBounds" },
    { "id_0", 24, 0, 4, "InvalidEntry" },
    { "size_0", 40, 0, 8, "InvalidEntry" },
    { "address", 32, UINT64_MAX - 8, 8, "AddressOverflow" },
    { "duplicate", 24, 8, 4, "DuplicateAllocId" },
};

static void test_alloc_table(void)
{
    struct gv_bytes b = { 0 };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        struct gv_arena arena = { 0 };
        struct gv_alloc_table t;
        struct gv_error err = GV_ERROR_INIT;
        table(&b);
        for (size_t k = 0; k < entries[i].width; k++)
            b.data[entries[i].at + k] = (uint8_t)(entries[i].value >> (8 * k));
        bool ok = gv_alloc_table_decode(gv_cursor_make(b.data, b.size), BASE, &arena,
                                        &t, &err);
        CHECK_ROW(entries[i].name, ok == !entries[i].error);
        if (entries[i].error)
            CHECK_ROW(entries[i].name, !strncmp(err.message, entries[i].error,
                                                strlen(entries[i].error)));
        else
            CHECK(gv_alloc_table_find(&t, 8)->flags == GV_ALLOC_READONLY &&
                  gv_alloc_table_find(&t, 9)->flags == 0 &&
                  !gv_alloc_table_find(&t, 7));
        gv_arena_finish(&arena);
    }
    struct gv_error err = GV_ERROR_INIT;
    struct gv_arena arena = { 0 };
    struct gv_alloc_table t;
    CHECK(!gv_alloc_table_decode(gv_cursor_make(b.data, 23), BASE, &arena, &t, &err));
    CHECK(!strncmp(err.message, "BufferTooSmall", 14));
    gv_bytes_finish(&b);
}

int main(void)
{
    test_patches();
    test_counts();
    test_minimums();
    test_text();
    test_alloc_table();
    return TEST_RESULT();
}
