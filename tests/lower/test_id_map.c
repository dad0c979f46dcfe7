// Names, aliases and generations, by scripts.
#include "compiler/lower/id_map.h"
#include "tests/test.h"

// A step is two characters. An object is known by its serial, the n-th that was made.
//   cN  an object under name N        iN  ... refused: in use      lN  ... refused:
//   limit aN  name N for the last object    hN  ... refused: in use dN  name N is taken
//   away; the object goes with its last reference +N  one more reference to what N
//   names; -N drops it (N names the object no more) =N  the object looked at is the
//   N-th made;   ?N  what name N finds is looked at rN  name N is reserved fN  name N
//   finds nothing, and is not reserved; nN  N objects are alive, with names or without
static const struct {
    const char *name, *steps;
} rows[] = {
    { "made_and_found", "c1 c2 ?1 =1 ?2 =2 f3" },
    { "zero", "i0 f0" },
    { "in_use", "c1 i1 ?1 =1" },
    { "another_generation", "c1 d1 f1 c1 ?1 =2" },
    { "alias", "c1 a2 ?2 =1 h1 d2 f2 ?1 =1" },
    { "alias_outlives", "c1 a2 d1 r1 ?2 =1 i1 d2 f1 f2 c1 ?1 =2" },
    { "alias_goes_first", "c1 a2 d2 f2 c2 ?2 =2 ?1 =1" },
    { "third_name", "c1 a2 a3 d1 r1 d2 f2 ?3 =1 d3 f1" },
    { "held", "c1 +1 d1 f1 c1 ?1 =2 -1" },
    { "held_keeps_count", "c1 +1 d1 c2 c3 c4 l5 -1 c5 ?5 =5" },
    { "limit", "c1 c2 c3 c4 l5 d2 c5 ?5 =5" },
    { "removed_twice", "c1 d1 d1 f1" },
    { "alive", "n0 c1 c2 n2 a3 d2 n2 d3 n1 c2 n2 d1 n1 d2 n0" },
    { "alive_without_name", "c1 +1 d1 n1 c1 n2 d1 n1 -1 n0 c1 n1" },
};

struct thing {
    struct gv_named named;
    uint32_t value;
};

struct script {
    struct gv_id_map map;
    struct gv_named *last, *looked, *held;
};

static void release(struct gv_id_map *m, struct gv_named *o)
{
    if (o && gv_id_release(o))
        gv_id_reuse(m, o);
}

static uint64_t alive(const struct gv_id_map *m)
{
    uint64_t n = 0;
    for (const struct gv_named *o = gv_id_first(m); o; o = gv_id_next(o))
        n += o->references > 0;
    return n;
}

static bool step(struct script *s, char what, uint64_t n)
{
    struct gv_named *o = NULL;
    struct gv_id_map *m = &s->map;
    switch (what) {
    case 'c':
        if (gv_id_create(m, n, &s->last) != GV_ID_OK)
            return false;
        bool fresh = ((struct thing *)s->last)->value == 0;
        ((struct thing *)s->last)->value = 1;
        return fresh;
    case 'i':
        return gv_id_create(m, n, &o) == (n ? GV_ID_IN_USE : GV_ID_ZERO);
    case 'l':
        return gv_id_create(m, n, &o) == GV_ID_LIMIT;
    case 'a':
        return gv_id_alias(m, n, s->last) == GV_ID_OK;
    case 'h':
        return gv_id_alias(m, n, s->last) == GV_ID_IN_USE;
    case 'd':
        release(m, gv_id_remove(m, n));
        return true;
    case '+':
        s->held = gv_id_find(m, n);
        s->held->references++;
        return true;
    case '-':
        release(m, s->held);
        return true;
    case '?':
        s->looked = gv_id_find(m, n);
        return s->looked;
    case '=':
        return s->looked && s->looked->serial == n;
    case 'r':
        return !gv_id_find(m, n) && gv_id_reserved(m, n);
    case 'n':
        return alive(m) == n;
    case 'f':
        return !gv_id_find(m, n) && !gv_id_reserved(m, n);
    default:
        return false;
    }
}

static void test_scripts(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gv_arena arena = { 0 };
        uint64_t serials = 0;
        struct script s = { .map = { .arena = &arena,
                                     .object_bytes = sizeof(struct thing),
                                     .serials = &serials,
                                     .limit = 4 } };
        for (const char *at = rows[i].steps; *at; at += at[2] ? 3 : 2) {
            bool ok = step(&s, at[0], (uint64_t)(at[1] - '0'));
            if (!ok)
                fprintf(stderr, "step %.2s: ", at);
            CHECK_ROW(rows[i].name, ok);
            if (!ok)
                break;
        }
        gv_arena_finish(&arena);
    }
}

// Names of any size, many at once; memory of what went is used again.
static void test_many(void)
{
    struct gv_arena arena = { 0 };
    uint64_t serials = 0;
    struct gv_id_map m = { .arena = &arena,
                           .object_bytes = sizeof(struct thing),
                           .serials = &serials,
                           .limit = 1000 };
    struct gv_named *o;
    for (uint64_t i = 1; i <= 1000; i++)
        CHECK(gv_id_create(&m, i << 40 | i, &o) == GV_ID_OK);
    for (uint64_t i = 1; i <= 1000; i++)
        CHECK(gv_id_find(&m, i << 40 | i)->serial == i && !gv_id_find(&m, i));
    size_t before = arena.total;
    for (uint64_t round = 0; round < 100000; round++) {
        uint64_t name = round % 1000 + 1;
        o = gv_id_remove(&m, name << 40 | name);
        CHECK(o != NULL);
        if (!o)
            break;
        CHECK(gv_id_release(o));
        gv_id_reuse(&m, o);
        CHECK(gv_id_create(&m, name << 40 | name, &o) == GV_ID_OK);
        CHECK(o->serial == 1001 + round);
    }
    CHECK(arena.total == before && m.live == 1000);
    gv_arena_finish(&arena);
}

int main(void)
{
    test_scripts();
    test_many();
    return TEST_RESULT();
}
