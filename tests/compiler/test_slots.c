// Slots: dense, one kind each, reused after destruction; objects are numbered for ever.
#include "compiler/builder/slots.h"
#include "tests/test.h"

static uint32_t make(struct gv_slots *s, enum gv_kind kind, uint64_t bytes)
{
    bool new_slot;
    const struct gv_live_object like = { .kind = (uint8_t)kind, .bytes = bytes };
    return gv_slots_create(s, &like, &new_slot);
}

// A row is done in order: a letter makes an object of a kind (b buffer, i image, m and
// n maps of two sizes), a digit destroys the object of that number.
static const struct {
    const char *name, *steps;
    const char *slots; // the slot of each object made
    uint32_t slot_count, most_live;
} rows[] = {
    { "dense", "bibi", "0123", 4, 4 },
    { "reused", "b1b2b3b", "0000", 1, 1 },
    { "kinds_do_not_mix", "b1i2b", "010", 2, 1 },
    { "maps_by_size", "m1n2m3n", "0101", 2, 1 },
    { "last_destroyed_first", "bbb13bb", "01220", 3, 3 },
    { "all_kinds", "bim123mib", "012210", 3, 3 },
};

static uint32_t step(struct gv_slots *s, char c)
{
    switch (c) {
    case 'b':
        return make(s, GV_KIND_BUFFER, 10);
    case 'i':
        return make(s, GV_KIND_IMAGE, 20);
    case 'm':
        return make(s, GV_KIND_MAP, 1);
    case 'n':
        return make(s, GV_KIND_MAP, 2);
    default:
        CHECK(gv_slots_find(s, (uint32_t)(c - '0')));
        CHECK(gv_slots_destroy(s, (uint32_t)(c - '0')));
        CHECK(!gv_slots_find(s, (uint32_t)(c - '0')));
        return 0;
    }
}

static void test_rows(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gv_slots s = { 0 };
        uint32_t made = 0;
        for (const char *at = rows[i].steps; *at; at++) {
            uint32_t object = step(&s, *at);
            if (!object)
                continue;
            made++;
            CHECK_ROW(rows[i].name, object == made); // never reused
            CHECK_ROW(rows[i].name, gv_slots_find(&s, object)->slot ==
                                        (uint32_t)(rows[i].slots[made - 1] - '0'));
        }
        CHECK_ROW(rows[i].name, s.slot_count == rows[i].slot_count);
        CHECK_ROW(rows[i].name, s.most_live == rows[i].most_live);
        gv_slots_finish(&s);
    }
}

static void test_unknown(void)
{
    struct gv_slots s = { 0 };
    CHECK(!gv_slots_find(&s, 0) && !gv_slots_find(&s, 1));
    make(&s, GV_KIND_BUFFER, 1);
    CHECK(!gv_slots_find(&s, 0) && gv_slots_find(&s, 1) && !gv_slots_find(&s, 2));
    CHECK(!gv_slots_find(&s, UINT64_MAX));
    gv_slots_finish(&s);
}

// Memory follows what is alive, not what ever was.
static void test_many(void)
{
    struct gv_slots s = { 0 };
    uint32_t old = make(&s, GV_KIND_IMAGE, 1);
    for (uint64_t i = 1; i <= 100000; i++) {
        uint32_t object = make(&s, i % 2 ? GV_KIND_BUFFER : GV_KIND_MAP, i % 2 ? 8 : i);
        CHECK(object && gv_slots_destroy(&s, object));
    }
    size_t pages = 0;
    for (size_t i = 0; i < s.page_count; i++)
        pages += s.pages[i] != NULL;
    CHECK(pages == 2); // the first object's and the last one
    CHECK(gv_slots_find(&s, old) && s.live == 1 && s.live_bytes == 1);
    CHECK(s.most_live == 2 && s.most_live_bytes == 9);
    gv_slots_finish(&s);
}

int main(void)
{
    test_rows();
    test_unknown();
    test_many();
    return TEST_RESULT();
}
