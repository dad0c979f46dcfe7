// Rows of bytes that are wanted (vm/slice/slice_rows.c) against a map of every byte:
// what the map holds is found, and nothing else as long as no row has more pieces than
// it may.
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "vm/slice/slice_rows.h"

#define PAGE 256u
#define ROWS 200u // over several bands
#define GRAIN 16u // bytes that are alike

struct model {
    bool wanted[ROWS][PAGE / GRAIN];
    struct gv_cell_account account;
    struct gv_rows rows;
    uint64_t state;
};

struct place {
    uint32_t row, end, x0, x1; // x in grains
};

static uint32_t roll(struct model *m, uint32_t below)
{
    m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->state >> 33) % below;
}

static struct place any_place(struct model *m)
{
    struct place p = { .row = roll(m, ROWS), .x0 = roll(m, PAGE / GRAIN) };
    p.end = p.row + 1 + roll(m, roll(m, 4) ? 8 : ROWS - p.row);
    p.end = p.end < ROWS ? p.end : ROWS;
    p.x1 = p.x0 + 1 + roll(m, PAGE / GRAIN - p.x0);
    return p;
}

static bool apply(struct model *m, struct place p, enum gv_cell_verb verb)
{
    const struct gv_piece piece = { p.x0 * GRAIN, 0, p.x1 * GRAIN, 1,
                                    m->account.reader };
    return gv_rows_apply(&m->account, &m->rows, p.row, p.end, &piece, verb);
}

static bool held(const struct model *m, struct place p)
{
    for (uint32_t row = p.row; row < p.end; row++)
        for (uint32_t x = p.x0; x < p.x1; x++)
            if (m->wanted[row][x])
                return true;
    return false;
}

static void step(struct model *m)
{
    const struct place p = any_place(m);
    const enum gv_cell_verb verb = roll(m, 2) ? GV_CELL_ADD : GV_CELL_REMOVE;
    CHECK(!apply(m, p, verb));
    for (uint32_t row = p.row; row < p.end; row++)
        for (uint32_t x = p.x0; x < p.x1; x++)
            m->wanted[row][x] = verb == GV_CELL_ADD;
}

// 16 grains a row are 8 pieces at most, which all fit.
static void test_random(uint64_t seed)
{
    struct model *m = calloc(1, sizeof *m);
    CHECK(m != NULL);
    if (!m)
        return;
    m->state = seed;
    m->account.memory_limit = UINT64_MAX;
    CHECK(gv_rows_init(&m->account, &m->rows, PAGE * ROWS, PAGE));
    CHECK(m->rows.page == PAGE);
    for (int i = 0; i < 300; i++) {
        step(m);
        for (int k = 0; k < 20; k++) {
            const struct place p = any_place(m);
            CHECK(apply(m, p, GV_CELL_HIT) == held(m, p));
        }
    }
    gv_rows_drop(&m->account, &m->rows);
    CHECK(m->account.memory == 0 && !m->account.failed);
    free(m);
}

// A rectangle over all rows is no more work than over one band, but for the bands.
static void test_alike(void)
{
    struct gv_cell_account account = { .memory_limit = UINT64_MAX };
    struct gv_rows rows = { 0 };
    const struct gv_piece left = { 0, 0, 64, 1, 1 }, right = { 64, 0, 128, 1, 2 };
    CHECK(gv_rows_init(&account, &rows, 32 * 1024 * PAGE, PAGE));
    for (uint64_t row = 0; row < 32 * 1023; row++)
        gv_rows_apply(&account, &rows, row, row + 1, &left, GV_CELL_ADD);
    uint64_t before = account.work, memory = account.memory;
    gv_rows_apply(&account, &rows, 0, 32 * 1023, &right, GV_CELL_ADD);
    CHECK(account.work - before < 512 * 4);
    CHECK(account.memory == memory);
    gv_rows_drop(&account, &rows);
    CHECK(account.memory == 0);
}

// More pieces than a row may have are what is around them: nothing that is wanted is
// lost.
static void test_many_pieces(void)
{
    enum { PIECES = 60, APART = 16 };
    struct gv_cell_account account = { .memory_limit = UINT64_MAX };
    struct gv_rows rows = { 0 };
    bool wanted[PIECES] = { false };
    uint64_t state = 9;
    CHECK(gv_rows_init(&account, &rows, 8 * 1024, 1024));
    for (int i = 0; i < 3000; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t k = (uint32_t)(state >> 33) % PIECES;
        const struct gv_piece piece = { k * APART, 0, k * APART + 8, 1, 1 };
        wanted[k] = (state >> 40) % 4 != 0;
        gv_rows_apply(&account, &rows, 3, 4, &piece,
                      wanted[k] ? GV_CELL_ADD : GV_CELL_REMOVE);
        for (uint32_t n = 0; n < PIECES; n++) {
            const struct gv_piece other = { n * APART, 0, n * APART + 8, 1, 1 };
            CHECK(!wanted[n] ||
                  gv_rows_apply(&account, &rows, 3, 4, &other, GV_CELL_HIT));
        }
    }
    gv_rows_drop(&account, &rows);
    CHECK(account.memory == 0 && !account.failed);
}

// No memory is told, and what there was can be given back.
static void test_no_memory(void)
{
    struct model m = { .state = 5, .account.memory_limit = 4000 };
    CHECK(gv_rows_init(&m.account, &m.rows, PAGE * ROWS, PAGE));
    for (int i = 0; i < 1000 && !m.account.failed; i++)
        apply(&m, any_place(&m), GV_CELL_ADD);
    CHECK(m.account.failed && m.account.memory <= 4000);
    gv_rows_drop(&m.account, &m.rows);
    CHECK(m.account.memory == 0);
}

int main(void)
{
    for (uint64_t seed = 1; seed <= 40; seed++)
        test_random(seed);
    test_alike();
    test_many_pieces();
    test_no_memory();
    return TEST_RESULT();
}
