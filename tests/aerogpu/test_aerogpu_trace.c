// The container reader: every check broken once, its error by name and byte.
#include "compiler/aerogpu/trace/gpu_trace.h"
#include "tests/aerogpu/aerogpu_encoder.h"
#include "tests/test.h"

// A small capture: metadata, a blob, one frame with a submission, a Present record.
static void make(struct aero_file *f, uint32_t version)
{
    struct aero_stream s = { 0 };
    aero_file_begin(f, version, AERO_ABI);
    aero_begin_frame(f);
    if (version == 2) {
        const uint8_t memory[4] = { 1, 2, 3, 4 };
        const struct aero_memory m = { 1, 0, 4096, memory, 4 };
        aero_stream_begin(&s, AERO_ABI);
        aero_submit(f, 0, &s, &m, 1);
        aero_stream_finish(&s);
    } else {
        aero_blob(f, GV_BLOB_BUFFER, "data", 4);
    }
    aero_present_record(f);
    aero_end_frame(f);
    aero_file_end(f);
}

// Reads everything a capture holds, as the replayer does.
static bool read_all(const uint8_t *data, size_t size, bool truncated, size_t *frames,
                     struct gv_error *err)
{
    struct gv_arena arena = { 0 };
    struct gv_gpu_trace t;
    struct gv_trace_record r;
    struct gv_trace_blob blob;
    struct gv_trace_submission s;
    bool ok = gv_gpu_trace_open(&t, gv_cursor_make(data, size), truncated, &arena, err);
    *frames = ok ? t.frame_count : 0;
    for (uint64_t at = ok ? t.records_begin : 0; ok && at < t.records_end;
         at = r.next) {
        ok = gv_gpu_trace_record(&t, at, t.records_end, &r, err);
        if (ok && r.type == GV_TRACE_BLOB)
            ok = gv_trace_blob_decode(&r, &blob, err);
        if (ok && r.type == GV_TRACE_SUBMISSION)
            ok = gv_trace_submission_decode(&r, &s, err);
    }
    gv_arena_finish(&arena);
    return ok;
}

// Places in the version 2 file: metadata is 34 bytes long.
enum {
    META_SIZE = 24,
    FRAME = 66,                  // BeginFrame record
    BLOB = FRAME + 12,           // command stream, 24 bytes
    MEMORY = BLOB + 8 + 16 + 24, // 4 bytes of memory
    SUBMISSION = MEMORY + 8 + 16 + 4,
    PRESENT = SUBMISSION + 8 + 56 + 32,
    TOC = PRESENT + 12,
    ENTRY = TOC + 16,
    FOOTER = ENTRY + 32,
    SIZE = FOOTER + 32,
};

struct patch {
    const char *name;
    size_t at;
    uint64_t value;
    size_t width; // bytes
    const char *error;
    uint64_t offset;
};

static const struct patch patches[] = {
    { "header_magic", 0, 'X', 1, "InvalidMagic", 0 },
    { "header_size", 8, 40, 4, "UnsupportedHeaderSize(40)", 8 },
    { "version_0", 12, 0, 4, "UnsupportedContainerVersion(0)", 12 },
    { "version_3", 12, 3, 4, "UnsupportedContainerVersion(3)", 12 },
    { "metadata", META_SIZE, SIZE - 31, 4, "RecordOutOfBounds", META_SIZE },
    { "metadata_wraps", META_SIZE, UINT32_MAX, 4, "RecordOutOfBounds", META_SIZE },
    { "footer_magic", FOOTER + 7, 'X', 1, "InvalidMagic", FOOTER },
    { "footer_size", FOOTER + 8, 31, 4, "UnsupportedFooterSize(31)", FOOTER + 8 },
    { "footer_version", FOOTER + 12, 1, 4, "UnsupportedContainerVersion(1)",
      FOOTER + 12 },
    { "toc_past_end", FOOTER + 16, SIZE, 8, "TocOutOfBounds", FOOTER + 16 },
    { "toc_wraps", FOOTER + 16, UINT64_MAX - 8, 8, "TocOutOfBounds", FOOTER + 16 },
    { "toc_early", FOOTER + 16, FRAME - 1, 8, "TocOutOfBounds", FOOTER + 16 },
    { "toc_short", FOOTER + 24, 15, 8, "TocOutOfBounds", FOOTER + 24 },
    { "toc_magic", TOC, 'X', 1, "InvalidMagic", TOC },
    { "toc_version", TOC + 8, 2, 4, "UnsupportedTocVersion(2)", TOC + 8 },
    { "toc_count", TOC + 12, 2, 4, "TocOutOfBounds", TOC + 12 },
    { "toc_count_huge", TOC + 12, UINT32_MAX, 4, "TocOutOfBounds", TOC + 12 },
    { "start_early", ENTRY + 8, FRAME - 1, 8, "TocOutOfBounds", ENTRY + 8 },
    { "start_late", ENTRY + 8, TOC + 1, 8, "TocOutOfBounds", ENTRY + 8 },
    { "end_early", ENTRY + 24, FRAME - 1, 8, "TocOutOfBounds", ENTRY + 24 },
    { "end_late", ENTRY + 24, TOC + 1, 8, "TocOutOfBounds", ENTRY + 24 },
    { "present_early", ENTRY + 16, FRAME - 1, 8, "TocOutOfBounds", ENTRY + 16 },
    { "present_late", ENTRY + 16, TOC + 1, 8, "TocOutOfBounds", ENTRY + 16 },
    { "record_size", BLOB + 4, SIZE, 4, "RecordOutOfBounds", BLOB },
    { "record_size_huge", BLOB + 4, UINT32_MAX, 4, "RecordOutOfBounds", BLOB },
    { "record_type_0", BLOB, 0, 1, "UnknownRecordType(0)", BLOB },
    { "record_type_6", BLOB, 6, 1, "UnknownRecordType(6)", BLOB },
    { "begin_size", FRAME + 4, 8, 4, "RecordOutOfBounds", FRAME },
    { "blob_kind", BLOB + 16, 6, 4, "UnknownBlobKind(6)", BLOB },
    { "blob_kind_0x103", BLOB + 16, 0x103, 4, "UnknownBlobKind(259)", BLOB },
    { "submission_header", SUBMISSION + 12, 55, 4, "RecordOutOfBounds",
      SUBMISSION + 12 },
    { "submission_header_long", SUBMISSION + 12, 89, 4, "RecordOutOfBounds",
      SUBMISSION + 12 },
    { "submission_ranges", SUBMISSION + 8 + 48, 2, 4, "RecordOutOfBounds",
      SUBMISSION + 8 + 48 },
    { "submission_ranges_huge", SUBMISSION + 8 + 48, UINT32_MAX, 4, "RecordOutOfBounds",
      SUBMISSION + 8 + 48 },
};

static void check_patch(const struct patch *row)
{
    struct aero_file f = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    size_t frames;
    make(&f, 2);
    CHECK_ROW(row->name, f.bytes.size == SIZE);
    for (size_t i = 0; i < row->width; i++)
        f.bytes.data[row->at + i] = (uint8_t)(row->value >> (8 * i));
    CHECK_ROW(row->name, !read_all(f.bytes.data, f.bytes.size, false, &frames, &err));
    CHECK_ROW(row->name, err.status == GV_ERR_FORMAT);
    CHECK_ROW(row->name, err.offset == row->offset);
    CHECK_ROW(row->name, !strncmp(err.message, row->error, strlen(row->error)));
    aero_file_finish(&f);
}

static void test_whole(void)
{
    for (uint32_t version = 1; version <= 2; version++) {
        struct aero_file f = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        size_t frames;
        make(&f, version);
        CHECK(read_all(f.bytes.data, f.bytes.size, false, &frames, &err));
        CHECK(frames == 1);
        aero_file_finish(&f);
    }
}

// Version 1 has no submissions.
static void test_submission_in_version_1(void)
{
    struct aero_file f = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    size_t frames;
    make(&f, 2);
    f.bytes.data[12] = f.bytes.data[FOOTER + 12] = 1;
    CHECK(!read_all(f.bytes.data, f.bytes.size, false, &frames, &err));
    CHECK(err.offset == SUBMISSION);
    CHECK(!strncmp(err.message, "UnknownRecordType(5)", 20));
    aero_file_finish(&f);
}

// Every length that cuts the file off: refused, or read up to the last whole record.
static void test_cut(void)
{
    struct aero_file f = { 0 };
    make(&f, 2);
    for (size_t size = 0; size < f.bytes.size; size++) {
        struct gv_error err = GV_ERROR_INIT, again = GV_ERROR_INIT;
        size_t frames;
        CHECK(!read_all(f.bytes.data, size, false, &frames, &err));
        CHECK(err.status == GV_ERR_FORMAT);
        bool ok = read_all(f.bytes.data, size, true, &frames, &again);
        CHECK(ok == (size >= FRAME)); // without whole metadata there is nothing
        CHECK(!ok || frames == (size >= BLOB));
    }
    struct gv_error err = GV_ERROR_INIT;
    size_t frames;
    CHECK(!read_all(f.bytes.data, 20, false, &frames, &err));
    CHECK(!strncmp(err.message, "Io", 2));
    aero_file_finish(&f);
}

// Small records have sizes of their own.
static void test_small_payloads(void)
{
    static const uint8_t nothing[8];
    struct aero_file f = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    size_t frames;
    aero_file_begin(&f, 2, AERO_ABI);
    size_t at = f.bytes.size;
    aero_record(&f, GV_TRACE_BLOB, nothing, 8);
    aero_file_end(&f);
    CHECK(!read_all(f.bytes.data, f.bytes.size, false, &frames, &err));
    CHECK(err.offset == at && !strncmp(err.message, "MalformedBlob", 13));
    aero_file_finish(&f);
    f = (struct aero_file){ 0 };
    gv_error_clear(&err);
    aero_file_begin(&f, 2, AERO_ABI);
    aero_record(&f, GV_TRACE_SUBMISSION, nothing, 8);
    aero_file_end(&f);
    CHECK(!read_all(f.bytes.data, f.bytes.size, false, &frames, &err));
    CHECK(err.offset == at && !strncmp(err.message, "RecordOutOfBounds", 17));
    aero_file_finish(&f);
}

int main(void)
{
    test_whole();
    for (size_t i = 0; i < sizeof patches / sizeof patches[0]; i++)
        check_patch(&patches[i]);
    test_submission_in_version_1();
    test_cut();
    test_small_payloads();
    return TEST_RESULT();
}
