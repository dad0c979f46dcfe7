// Where groups of resources end: frames end them, and so do resources that compression
// saves nothing of, which stand alone then or behind a few bytes.
#include "tests/helpers.h"
#include "tests/test.h"
#include "vm/payload/payload_writer.h"

#define MEMORY ((uint64_t)64 << 20)
#define MOST 8

struct row {
    const char *name;
    size_t group_bytes; // as in gv_writer_params
    // Of one frame: noise, or with a minus bytes that compress; and their groups.
    int sizes[MOST];
    uint32_t groups[MOST];
};

static const struct row rows[] = {
    { "noise", 16384, { 20000, 9000, 300000 }, { 0, 1, 2 } },
    { "one", 0, { 20000, 9000, -20000, 300000 }, { 0, 0, 0, 0 } },
    { "small noise", 16384, { 8000, 8000, 8000 }, { 0, 0, 0 } },
    { "what compresses", 16384, { -20000, -20000, -300000 }, { 0, 0, 0 } },
    { "before noise", 16384, { -20000, 20000, -20000 }, { 0, 1, 2 } },
    { "a little before noise",
      16384,
      { -3000, 20000, -3000, 9000, -3000 },
      { 0, 0, 1, 1, 2 } },
};

static void fill(uint8_t *bytes, int size)
{
    uint32_t seed = (uint32_t)size;
    for (int i = 0; i < (size < 0 ? -size : size); i++)
        bytes[i] = (uint8_t)(size < 0 ? (uint32_t)i % 251 : gv_test_random(&seed) >> 9);
}

static bool write_row(const struct row *row, struct gv_bytes *out)
{
    static uint8_t bytes[300000];
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_writer_params params = { .write = gv_test_append,
                                             .context = out,
                                             .level = 3,
                                             .jobs = 1,
                                             .frame_group_bytes = row->group_bytes };
    struct gv_payload_writer *w = gv_payload_writer_create(&params, &err);
    for (size_t i = 0; w && i < MOST && row->sizes[i]; i++) {
        const int size = row->sizes[i];
        fill(bytes, size);
        gv_writer_use(w,
                      gv_writer_resource(w, bytes, (size_t)(size < 0 ? -size : size)));
    }
    const bool ok = w && gv_writer_close(w, true, &err);
    gv_payload_writer_destroy(w);
    return ok;
}

static void check(const struct row *row)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    struct gv_payload payload;
    CHECK_ROW(row->name, write_row(row, &bytes));
    CHECK_ROW(row->name,
              gv_payload_open_memory(&payload, bytes.data, bytes.size, MEMORY, &err));
    for (size_t i = 0; i < payload.resource_count; i++)
        CHECK_ROW(row->name, payload.resources[i].group == row->groups[i]);
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
    return TEST_RESULT();
}
