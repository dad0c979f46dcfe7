// Keyframes stand behind all frames, chunks and code: whoever reads a payload, from a
// file or as it comes, refuses one of those behind them; and both refuse the same rows.
#include "tests/test.h"
#include "vm/payload/payload.h"
#include "vm/payload/payload_segments.h"

// Reads empty segments of these kinds, one behind the other. 0, or the place of the one
// that is refused.
static size_t refused(const enum gv_segment *kinds, size_t count, bool streamed,
                      struct gv_error *err)
{
    static const uint8_t none[1];
    struct gv_payload payload;
    size_t at = 0;
    CHECK(gv_payload_begin(&payload, 1 << 20, err));
    payload.major = 2;
    payload.streamed = streamed;
    for (size_t i = 0; i < count && !at; i++) {
        struct gv_segment_info s = { .kind = (uint16_t)kinds[i],
                                     .offset = 64 * (i + 1),
                                     .hash = gv_hash_bytes(none, 0) };
        if (!gv_payload_read_segment(&payload, &s, none, err))
            at = i;
    }
    gv_payload_finish(&payload);
    return at;
}

static const struct {
    const char *name;
    enum gv_segment kinds[4];
    size_t refused; // 0: none
    const char *said;
} rows[] = {
    { "in order",
      { GV_SEGMENT_FRAMES, GV_SEGMENT_CHUNKS, GV_SEGMENT_EXPORTS,
        GV_SEGMENT_KEYFRAMES },
      0,
      "" },
    { "before all of it",
      { GV_SEGMENT_KEYFRAMES, GV_SEGMENT_FRAMES, GV_SEGMENT_CHUNKS, GV_SEGMENT_CODE },
      1,
      "frames behind keyframes" },
    { "before chunks",
      { GV_SEGMENT_FRAMES, GV_SEGMENT_KEYFRAMES, GV_SEGMENT_CHUNKS, GV_SEGMENT_CODE },
      2,
      "chunks behind keyframes" },
    { "before code",
      { GV_SEGMENT_FRAMES, GV_SEGMENT_CHUNKS, GV_SEGMENT_KEYFRAMES, GV_SEGMENT_CODE },
      3,
      "code behind keyframes" },
    { "behind others",
      { GV_SEGMENT_CHUNKS, GV_SEGMENT_KEYFRAMES, GV_SEGMENT_KEYFRAMES,
        GV_SEGMENT_FRAMES },
      3,
      "frames behind keyframes" },
    { "with what they import",
      { GV_SEGMENT_FRAMES, GV_SEGMENT_KEYFRAMES, GV_SEGMENT_IMPORTS,
        GV_SEGMENT_KEYFRAMES },
      0,
      "" },
};

// The content of a KEYFRAMES segment, read from a file and as it comes: the same
// answer.
static const struct {
    const char *name;
    uint8_t content[16];
    size_t size;
    const char *said; // NULL: taken
} contents[] = {
    { "one", { 1, 0, 1, 'd', 1, 'v', 0, 1, 0 }, 9, NULL },
    { "two", { 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0 }, 14, NULL },
    { "frame 0", { 0, 0, 0, 0, 0, 1, 0 }, 7, "keyframe row is malformed" },
    { "twice", { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0 }, 14, "keyframe row is" },
    { "too far", { 0xff, 0xff, 0xff, 0xff, 0x1f }, 5, "keyframe row is malformed" },
    { "stack", { 1, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 1, 0 }, 10, "keyframe row is" },
    { "no UTF-8", { 1, 0, 1, 0xff, 0, 0, 1, 0 }, 8, "no UTF-8" },
    { "a name cut off", { 1, 0, 9, 'd' }, 4, "cut off" },
    { "flags", { 1, 0, 0, 0, 4, 1, 0 }, 7, "keyframe row is malformed" },
    { "no code", { 1, 0, 0, 0, 0, 0 }, 6, "keyframe row is malformed" },
    { "code cut off", { 1, 0, 0, 0, 0, 2, 0 }, 7, "keyframe row is malformed" },
};

static void test_contents(size_t i, bool streamed)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload;
    CHECK(gv_payload_begin(&payload, 1 << 20, &err));
    payload.major = 2;
    payload.streamed = streamed;
    struct gv_segment_info s = { .kind = GV_SEGMENT_KEYFRAMES,
                                 .offset = 64,
                                 .size = contents[i].size,
                                 .hash = gv_hash_bytes(contents[i].content,
                                                       contents[i].size) };
    bool taken = gv_payload_read_segment(&payload, &s, contents[i].content, &err);
    CHECK_ROW(contents[i].name, taken == !contents[i].said);
    CHECK_ROW(contents[i].name, taken || strstr(err.message, contents[i].said));
    CHECK_ROW(contents[i].name, !taken || !payload.keyframe_count == streamed);
    gv_payload_finish(&payload);
}

int main(void)
{
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        for (int streamed = 0; streamed < 2; streamed++)
            test_contents(i, streamed);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int streamed = 0; streamed < 2; streamed++) {
            struct gv_error err = GV_ERROR_INIT;
            CHECK_ROW(rows[i].name,
                      refused(rows[i].kinds, 4, streamed, &err) == rows[i].refused);
            CHECK_ROW(rows[i].name, strcmp(err.message, rows[i].said) == 0);
            CHECK_ROW(rows[i].name,
                      !rows[i].refused || (err.status == GV_ERR_FORMAT &&
                                           err.offset == 64 * (rows[i].refused + 1)));
        }
    return TEST_RESULT();
}
