// Groups that were compressed with others as their dictionary: when they are, that they
// come back by every way there is, and what a file may not say of them.
#include "tests/helpers.h"
#include "tests/test.h"
#include "tests/vm/made_group.h"
#include "vm/payload/payload_convert.h"
#include "vm/payload/payload_segments.h"
#include "vm/text/text.h"

#include <unistd.h>

#define MEMORY ((uint64_t)64 << 20)
#define FRAMES 8

// ---- what is written ----

// Frames of resources that are noise on their own.
struct frames {
    const char *name;
    size_t size;               // of the resource of a frame
    bool alike;                // frames have the same noise, but for a part of it
    uint32_t first;            // the first frame has the noise of this one
    size_t group_bytes;        // as in gv_writer_params
    size_t dictionaries, with; // that there are to be, groups that have one
    unsigned bits;             // of each byte that are noise: 8 do not compress
};

static const struct frames recipes[] = {
    { "alike", 20000, true, 0, 16384, 1, FRAMES - 4, 6 },
    { "alike, the first is not", 40000, true, 9, 16384, 1, FRAMES - 3, 6 },
    { "not alike", 20000, false, 0, 16384, 0, 0, 6 },
    { "large", 300000, true, 0, 16384, 0, 0, 6 },
    { "small", 4000, true, 0, 16384, 1, 1, 8 },
    { "in one", 20000, true, 0, 0, 0, 0, 8 },
    { "dense, alike", 20000, true, 0, 16384, 1, FRAMES - 1, 8 },
};

static void fill(uint8_t *bytes, const struct frames *f, uint32_t noise, uint32_t own)
{
    uint32_t seed = noise + 1;
    for (size_t i = 0; i < f->size; i++)
        bytes[i] = (uint8_t)((gv_test_random(&seed) >> 9) % (1u << f->bits));
    memcpy(bytes + f->size / 2, &own, sizeof own);
}

static bool write_frames(const struct frames *f, int jobs, struct gv_bytes *out)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_writer_params params = { .write = gv_test_append,
                                             .context = out,
                                             .level = 3,
                                             .jobs = jobs,
                                             .frame_group_bytes = f->group_bytes };
    struct gv_payload_writer *w = gv_payload_writer_create(&params, &err);
    uint8_t *bytes = malloc(f->size);
    out->size = 0;
    for (uint32_t i = 0; w && bytes && i < FRAMES; i++) {
        fill(bytes, f, i == 0 ? f->first : f->alike ? 0 : i, i);
        gv_writer_use(w, gv_writer_resource(w, bytes, f->size));
        gv_writer_frame(w, &(struct gv_frame){ .command_begin = i,
                                               .command_end = i + 1,
                                               .schedule = i });
    }
    bool ok = w && gv_writer_close(w, true, &err);
    if (!ok)
        fprintf(stderr, "%s: %s\n", f->name, err.message);
    free(bytes);
    gv_payload_writer_destroy(w);
    return ok;
}

static size_t groups_with(const struct gv_payload *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->group_count; i++)
        count += p->groups[i].codec == GV_CODEC_DICTIONARY;
    return count;
}

static void check_frames(const struct gv_payload *p, const struct frames *f)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_source *source = gv_payload_open_source(p, &err);
    uint8_t *wanted = malloc(f->size);
    for (size_t i = p->resource_count; source && wanted && i-- > 0;) {
        const struct gv_group *group = &p->groups[p->resources[i].group];
        struct gv_fetch item = { .hash = group->hash, .raw_size = group->raw_size };
        item.data = malloc((size_t)group->raw_size);
        fill(wanted, f, i == 0 ? f->first : f->alike ? 0 : (uint32_t)i, (uint32_t)i);
        CHECK_ROW(f->name, source->fetch(source, &item, 1, &err) && item.found);
        CHECK_ROW(f->name,
                  memcmp(item.data + p->resources[i].offset, wanted, f->size) == 0);
        free(item.data);
    }
    free(wanted);
    gv_source_destroy(source);
}

// ---- thin and fat, text ----

struct taken {
    struct gv_source base; // a source of what was taken
    struct gv_fetch groups[FRAMES];
    size_t count;
};

static bool take(void *taker, const struct gv_hash *hash, struct gv_span raw,
                 struct gv_span frame, struct gv_error *err)
{
    struct taken *t = taker;
    (void)frame;
    (void)err;
    struct gv_fetch *group = &t->groups[t->count++];
    *group = (struct gv_fetch){ .hash = *hash, .raw_size = raw.size };
    group->data = malloc(raw.size);
    memcpy(group->data, raw.data, raw.size);
    return true;
}

static bool give(struct gv_source *source, struct gv_fetch *items, size_t count,
                 struct gv_error *err)
{
    const struct taken *t = (const struct taken *)source;
    (void)err;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; !items[i].found && k < t->count; k++)
            if (gv_hash_equal(&items[i].hash, &t->groups[k].hash)) {
                memcpy(items[i].data, t->groups[k].data, (size_t)items[i].raw_size);
                items[i].found = true;
            }
    return true;
}

// The payload's text gives the payload again.
static void check_text(const char *name, struct gv_payload *p,
                       const struct gv_bytes *bytes)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes text = { 0 }, again = { 0 };
    const struct gv_assemble_params params = { .resources = p->thin ? NULL : p };
    CHECK_ROW(name, gv_text_disassemble(p, &text, &err));
    CHECK_ROW(name, gv_text_assemble((const char *)text.data, text.size, &params,
                                     &again, &err));
    CHECK_ROW(name, again.size == bytes->size &&
                        memcmp(again.data, bytes->data, again.size) == 0);
    if (err.status != GV_OK)
        fprintf(stderr, "%s: %s\n", name, err.message);
    gv_bytes_finish(&text);
    gv_bytes_finish(&again);
}

static void check_thin(const char *name, const struct gv_payload *p,
                       const struct gv_bytes *bytes)
{
    struct gv_error err = GV_ERROR_INIT;
    struct taken taken = { .base = { .name = "taken", .fetch = give } };
    struct gv_source *source = &taken.base;
    struct gv_bytes thin = { 0 }, fat = { 0 };
    struct gv_payload other;
    struct gv_convert_params params = { .write = gv_test_append,
                                        .context = &thin,
                                        .take = take,
                                        .taker = &taken,
                                        .sources = &source,
                                        .source_count = 1 };
    CHECK_ROW(name, gv_payload_thin(p, &params, &err));
    if (gv_payload_open_memory(&other, thin.data, thin.size, MEMORY, &err)) {
        CHECK_ROW(name, other.dictionary_count == p->dictionary_count);
        CHECK_ROW(name, groups_with(&other) == groups_with(p));
        check_text(name, &other, &thin);
        params.context = &fat;
        CHECK_ROW(name, gv_payload_fatten(&other, &params, &err));
        gv_payload_finish(&other);
    }
    CHECK_ROW(name,
              fat.size == bytes->size && memcmp(fat.data, bytes->data, fat.size) == 0);
    if (err.status != GV_OK)
        fprintf(stderr, "%s: %s\n", name, err.message);
    for (size_t i = 0; i < taken.count; i++)
        free(taken.groups[i].data);
    gv_bytes_finish(&thin);
    gv_bytes_finish(&fat);
}

static void test_frames(const struct frames *f)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 }, again = { 0 };
    struct gv_payload payload;
    CHECK_ROW(f->name, write_frames(f, 1, &bytes) && write_frames(f, 3, &again));
    CHECK_ROW(f->name, bytes.size == again.size &&
                           memcmp(bytes.data, again.data, bytes.size) == 0);
    if (gv_payload_open_memory(&payload, bytes.data, bytes.size, MEMORY, &err)) {
        size_t with = groups_with(&payload);
        if (payload.dictionary_count != f->dictionaries || with != f->with)
            fprintf(stderr, "%s: %zu dictionaries of %zu groups\n", f->name,
                    payload.dictionary_count, with);
        CHECK_ROW(f->name, payload.dictionary_count == f->dictionaries);
        CHECK_ROW(f->name, with == f->with);
        CHECK_ROW(f->name, gv_payload_verify_deep(&payload, NULL, 0, &err));
        check_frames(&payload, f);
        check_text(f->name, &payload, &bytes);
        check_thin(f->name, &payload, &bytes);
        gv_payload_finish(&payload);
    }
    CHECK_ROW(f->name, err.status == GV_OK);
    gv_bytes_finish(&bytes);
    gv_bytes_finish(&again);
}

// ---- what a file may not say ----

#define NONE MADE_GROUP_NONE

struct lie {
    const char *name;
    struct made_group groups[4];
    const char *message; // part of it, or NULL: all is well
};

static const struct lie lies[] = {
    { "well", { { 100, 1, NONE, NONE }, { 100, 1, 0, 0 }, { 100, 1, 0, 0 } }, NULL },
    { "of two",
      { { 90, 1, NONE, NONE },
        { 90, 2, NONE, NONE },
        { 90, 2, 1, 1 },
        { 90, 1, 0, 0 } },
      NULL },
    { "another one",
      { { 90, 1, NONE, NONE }, { 90, 2, NONE, NONE }, { 90, 2, 1, 0 } },
      "damaged" },
    { "missing", { { 90, 1, NONE, NONE }, { 90, 1, 0, NONE } }, "damaged" },
    { "of one byte", { { 1, 1, NONE, NONE }, { 90, 1, 0, 0 } }, "impossible" },
    { "itself", { { 90, 1, NONE, 0 } }, "not a group before it" },
    { "behind it",
      { { 90, 1, NONE, 1 }, { 90, 1, NONE, NONE } },
      "not a group before" },
    { "of none", { { 90, 1, NONE, NONE }, { 90, 1, 0, 77 } }, "not a group before it" },
    { "of a dictionary",
      { { 90, 1, NONE, NONE }, { 90, 1, 0, 0 }, { 90, 1, 0, 1 } },
      "itself" },
    { "too large",
      { { (8u << 20) + 1, 1, NONE, NONE }, { 90, 1, 0, 0 } },
      "too large" },
};

static void check_file(const char *name, const struct gv_bytes *file,
                       const char *message)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload;
    bool ok = gv_payload_open_memory(&payload, file->data, file->size, MEMORY, &err);
    ok = ok && gv_payload_verify_deep(&payload, NULL, 0, &err);
    gv_payload_finish(&payload);
    CHECK_ROW(name, ok == !message);
    CHECK_ROW(name, ok || (strstr(err.message, message) && err.offset != GV_NO_OFFSET &&
                           err.status == GV_ERR_FORMAT));
    if (ok != !message || (message && !strstr(err.message, message)))
        fprintf(stderr, "%s: %s\n", name, err.message);
}

// A file of these groups.
static void check_groups(const char *name, const struct made_group *groups,
                         size_t count, const char *message)
{
    struct gv_bytes table = { 0 }, stored = { 0 }, file = { 0 };
    for (size_t i = 0; i < count; i++)
        CHECK_ROW(name, made_group_put(groups, i, &table, &stored));
    CHECK_ROW(name, made_group_file(&table, &stored, &file));
    check_file(name, &file, message);
    gv_bytes_finish(&table);
    gv_bytes_finish(&stored);
    gv_bytes_finish(&file);
}

static void test_lies(void)
{
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        size_t count = 0;
        while (count < 4 && lies[i].groups[count].size)
            count++;
        check_groups(lies[i].name, lies[i].groups, count, lies[i].message);
    }
}

// A dictionary for each of many groups: as many as can be kept, and one more.
static void test_many(void)
{
    struct made_group groups[2 * GV_DICTIONARY_MOST + 2];
    for (uint8_t i = 0; i <= GV_DICTIONARY_MOST; i++) {
        groups[2 * i] = (struct made_group){ 90, i, NONE, NONE };
        groups[2 * i + 1] = (struct made_group){ 90, i, 2 * i, 2 * i };
    }
    check_groups("most", groups, sizeof groups / sizeof *groups - 2, NULL);
    check_groups("one more", groups, sizeof groups / sizeof *groups, "more than 16");
}

int main(void)
{
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
        test_frames(&recipes[i]);
    test_lies();
    test_many();
    return TEST_RESULT();
}
