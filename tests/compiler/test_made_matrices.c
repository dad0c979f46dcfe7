// Matrices in blocks: made by the machine where that is cheaper, and what calls read in
// the end is what the front-end had to the bit.
#include "compiler/builder/matrices.h"
#include "tests/compiler/builder_probe.h"
#include "tests/compiler/expected_reads.h"
#include "tests/helpers.h"
#include "tests/test.h"
#include "vm/matrix/matrix.h"

#include <string.h>

struct matrix {
    float m[16];
};

static const struct matrix identity = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0,
                                          1 } };

static float number(uint32_t *seed)
{
    return (float)(gv_test_random(seed) % 4096) / 1024.0f - 2.0f;
}

static struct matrix moved_by(uint32_t *seed)
{
    struct matrix m = identity;
    for (int i = 12; i < 15; i++)
        m.m[i] = number(seed);
    return m;
}

static struct matrix dense(uint32_t *seed)
{
    struct matrix m;
    for (int i = 0; i < 16; i++)
        m.m[i] = number(seed);
    return m;
}

static struct matrix times(struct gv_builder *b, const struct matrix *left,
                           const struct matrix *right)
{
    struct matrix m = { { 0 } };
    gv_matrix_product(m.m, left->m, right->m);
    if (b)
        gv_builder_product(b, m.m, left->m, right->m);
    return m;
}

// ---- what is known ----

static void test_known(void)
{
    struct gv_matrices t = { 0 };
    uint32_t seed = 3;
    const struct matrix a = dense(&seed), b = dense(&seed), ab = times(NULL, &a, &b);
    struct matrix inverse;
    gv_matrix_inverse(inverse.m, a.m);
    CHECK(!gv_matrices_find(&t, a.m) && !gv_matrices_find_inverse(&t, inverse.m));
    gv_matrices_product(&t, a.m, a.m, b.m); // which is not true
    CHECK(!gv_matrices_find(&t, a.m));
    gv_matrices_product(&t, ab.m, a.m, b.m);
    gv_matrices_product(&t, a.m, a.m, identity.m); // nothing comes of itself
    const uint32_t number = gv_matrices_find(&t, ab.m);
    CHECK(number && gv_matrices_at(&t, number)->left == gv_matrices_find(&t, a.m) &&
          gv_matrices_at(&t, number)->right == gv_matrices_find(&t, b.m));
    CHECK(!gv_matrices_at(&t, gv_matrices_find(&t, a.m))->left);
    gv_matrices_inverse(&t, a.m);
    CHECK(gv_matrices_find_inverse(&t, inverse.m) == gv_matrices_find(&t, a.m));
    gv_matrices_finish(&t);
}

// Through growth and to the limit, where nothing is added and nothing breaks.
static void test_many(void)
{
    struct gv_matrices t = { 0 };
    uint32_t seed = 3, known = 0;
    struct matrix m = identity;
    for (uint32_t i = 0; i < 150000; i++) {
        const struct matrix step = moved_by(&seed), next = times(NULL, &m, &step);
        gv_matrices_product(&t, next.m, m.m, step.m);
        gv_matrices_inverse(&t, next.m);
        known += gv_matrices_find(&t, next.m) != 0;
        m = i % 7 ? next : identity;
    }
    CHECK(known > 30000 && known < 150000);
    gv_matrices_relieve(&t);
    CHECK(t.count == 0 && !gv_matrices_find(&t, m.m));
    gv_matrices_finish(&t);
}

static void test_places(void)
{
    static struct gv_matrices t;
    uint32_t seed = 9;
    for (uint32_t i = 0; i < 200; i++) {
        const struct matrix a = dense(&seed), aa = times(NULL, &a, &a);
        gv_matrices_product(&t, aa.m, a.m, a.m);
    }
    CHECK(gv_matrices_take_place(&t, 1, 0, UINT64_MAX) == 0); // nobody needs it
    CHECK(gv_matrices_take_place(&t, 2, 0, UINT64_MAX) == 0);
    CHECK(!gv_matrices_at(&t, 1)->place && gv_matrices_at(&t, 2)->place == 1);
    t.places[0].frame = 1; // frame 0 does
    CHECK(gv_matrices_take_place(&t, 1, 0, UINT64_MAX) == 1);
    CHECK(gv_matrices_take_place(&t, 3, 1, UINT64_MAX) == 0); // the next does not
    const uint64_t since = t.clock + 1;
    for (uint32_t i = 0; i < GV_MATRIX_PLACES; i++)
        CHECK(gv_matrices_take_place(&t, 4 + i, 1, since) == i);
    CHECK(gv_matrices_take_place(&t, 3, 1, since) == GV_MATRIX_PLACES);
    gv_matrices_vacate(&t);
    CHECK(!gv_matrices_at(&t, 4)->place);
    gv_matrices_finish(&t);
}

// ---- code ----

// What the block holds of the matrix at 256; in every frame but the first, after the
// first draw the base is where its shapes find it: 320.
#define BIND "0 0 v0 224 bind_uniform_bytes "
#define MEMBERS "v0 c0 v256 product1 v64 v256 copy64 v128 v256 inverse3 " BIND
#define FRAME(number, turn)                                                   \
    "@" number " r" number ": v256 c64 r+ product2 " MEMBERS "v320 c64 " turn \
    " product1 v256 v320 c192 product1 " MEMBERS "frame_end end\n"
static const char matrices_code[] =
    "@0 r0: v0 fetch+ " BIND "v320 c64 c128 product1 v256 v320 c192 product1 " MEMBERS
    "frame_end end\n" FRAME("1", "c256") FRAME("2", "c320") FRAME("3", "c384");

// Two shapes on a base that turns, in every frame as in the one before.
static void test_code(void)
{
    struct {
        struct matrix both, modelview;
        float normal[12], color[12];
    } block = { 0 };
    uint32_t seed = 7;
    struct probe probe;
    probe_begin(&probe, false, 1);
    struct gv_builder *b = probe.builder;
    const struct matrix projection = dense(&seed), view = dense(&seed);
    const struct matrix steps[2] = { moved_by(&seed), moved_by(&seed) };
    for (uint32_t i = 0; i < 4; i++) {
        gv_builder_command(b, i, i, "frame");
        const struct matrix turn = dense(&seed), base = times(b, &view, &turn);
        for (int k = 0; k < 2; k++) {
            struct matrix inverse;
            block.modelview = times(b, &base, &steps[k]);
            block.both = times(b, &projection, &block.modelview);
            gv_matrix_inverse(inverse.m, block.modelview.m);
            gv_builder_inverse(b, block.modelview.m);
            memcpy(block.normal, inverse.m, sizeof block.normal);
            gv_emit(b, bind_uniform_bytes, .set = 0, .binding = 0,
                    .data = gv_builder_block(b, 1, &block, sizeof block),
                    .size = sizeof block);
        }
        gv_builder_frame_end(b, 0, 0);
    }
    bool good = probe_end(&probe);
    CHECK(good && probe_code_is(&probe, "matrices", matrices_code));
    probe_finish(&probe);
}

// ---- through the machine ----

#define BLOCKS 6
#define ROOM 600
#define STACK 12

struct scene {
    struct gv_builder *b;
    struct expected_reads *expected;
    uint32_t seed;
    uint8_t contents[BLOCKS][ROOM];
    struct matrix stack[STACK], steps[40];
    size_t top;
};

static uint32_t roll(struct scene *s, uint32_t limit)
{
    return gv_test_random(&s->seed) % limit;
}

static void turn(struct scene *s)
{
    struct matrix *top = &s->stack[s->top];
    const struct matrix *step = &s->steps[roll(s, 40)];
    switch (roll(s, 8)) {
    case 0:
        if (s->top + 1 < STACK) {
            s->stack[s->top + 1] = *top;
            s->top++;
        }
        break;
    case 1:
        s->top -= s->top > 0;
        break;
    case 2:
        *top = roll(s, 3) ? identity : dense(&s->seed);
        break;
    case 3: // what is a product itself as a factor
        *top = times(s->b, top, &s->stack[roll(s, (uint32_t)s->top + 1)]);
        break;
    case 4:
        *top = times(s->b, step, top);
        break;
    default:
        *top = times(s->b, top, step);
        break;
    }
    for (int i = 0; i < 16; i++) // neither huge nor none
        if (!(top->m[i] > -1e9f && top->m[i] < 1e9f))
            *top = roll(s, 4) ? identity : *top;
}

static void draw(struct scene *s, uint32_t binding)
{
    const uint32_t id = roll(s, BLOCKS), size = 65 + 89 * id;
    uint8_t *to = s->contents[id];
    struct matrix inverse;
    for (uint32_t k = roll(s, 4); k > 0; k--) {
        const struct matrix *m = &s->stack[roll(s, (uint32_t)s->top + 1)];
        const struct matrix both = times(s->b, &s->steps[0], m);
        gv_matrix_inverse(inverse.m, m->m);
        gv_builder_inverse(s->b, m->m);
        const uint32_t at = 16 * roll(s, (size - 49) / 16);
        if (roll(s, 3))
            memcpy(to + at, roll(s, 2) ? &both : m, size - at < 64 ? size - at : 64);
        else
            memcpy(to + at, inverse.m, 48);
    }
    to[roll(s, size)] ^= (uint8_t)(roll(s, 8) == 0);
    gv_emit(s->b, bind_uniform_bytes, .set = 0, .binding = binding,
            .data = gv_builder_block(s->b, id, to, size), .size = size);
    expected_reads_add(s->expected, to, size);
}

static void build_frontend(struct gv_builder *b, struct expected_reads *e)
{
    static struct scene s;
    static uint8_t space[70000];
    s = (struct scene){ .b = b, .expected = e, .seed = 11 };
    for (int i = 0; i < 40; i++)
        s.steps[i] = i % 3 ? moved_by(&s.seed) : dense(&s.seed);
    s.stack[0] = identity;
    struct gv_buffer buffer =
        gv_emit(b, buffer_create, .size = sizeof space, .usage = 0);
    for (uint32_t i = 0; i < 6000; i++) {
        gv_builder_command(b, i, i, "draw");
        for (uint32_t k = roll(&s, 6); k > 0; k--)
            turn(&s);
        draw(&s, i);
        if (roll(&s, 30) == 0) { // code waits for what is observed
            memset(space + roll(&s, 60000), (int)(i & 255), 5000);
            gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0,
                    .data = gv_builder_observe(b, 0, 0, space, sizeof space),
                    .size = sizeof space);
            expected_reads_add(e, space, sizeof space);
        }
        if (roll(&s, 40) == 0)
            gv_builder_frame_end(b, 0, 0);
    }
}

static size_t count_of(struct probe *probe, const char *word)
{
    struct gv_bytes code = { 0 };
    size_t count = 0;
    probe_code(probe, &code);
    gv_bytes_u8(&code, 0);
    for (const char *at = (const char *)code.data; (at = strstr(at, word)); at++)
        count++;
    gv_bytes_finish(&code);
    return count;
}

static void test_machine(void)
{
    static struct expected_reads e;
    struct probe probe;
    probe_begin(&probe, false, 1);
    build_frontend(probe.builder, &e);
    bool good = probe_end(&probe);
    if (!good)
        fprintf(stderr, "%s\n", probe.err.message);
    CHECK(good && expected_reads_run(&e, &probe));
    CHECK(good && count_of(&probe, "product") > 2000);
    CHECK(good && count_of(&probe, "inverse") > 500);
    expected_reads_finish(&e);
    probe_finish(&probe);
}

// ---- more factors than places ----

#define CROWD 8   // matrices of a block, apart
#define FACTORS 4 // of each
#define LEAVES 6  // that all are made of

struct crowd {
    struct {
        struct matrix m;
        float apart[4];
    } members[CROWD];
    float rest[8];
};

static struct matrix small_dense(uint32_t *seed)
{
    struct matrix m = dense(seed);
    for (int i = 0; i < 16; i++)
        m.m[i] /= 4;
    return m;
}

static void put_block(struct gv_builder *b, struct expected_reads *e,
                      const struct crowd *block)
{
    gv_emit(b, bind_uniform_bytes, .set = 0, .binding = 0,
            .data = gv_builder_block(b, 1, block, sizeof *block),
            .size = sizeof *block);
    expected_reads_add(e, (const uint8_t *)block, sizeof *block);
}

static struct matrix power(struct gv_builder *b, const struct matrix *left,
                           const struct matrix *right, int squarings)
{
    struct matrix m = times(b, left, right);
    for (int i = 0; i < squarings; i++)
        m = times(b, &m, &m);
    return m;
}

// What was made of a block before places ran out must not stay unknown: the block
// goes back to what it was, but for a word.
static void test_crowd(void)
{
    static struct expected_reads e;
    static struct crowd old, block, other;
    struct probe probe;
    struct matrix leaves[LEAVES];
    uint32_t seed = 5;
    probe_begin(&probe, false, 1);
    struct gv_builder *b = probe.builder;
    for (int i = 0; i < LEAVES; i++)
        leaves[i] = small_dense(&seed);
    for (int i = 0; i < CROWD; i++)
        old.members[i].m = small_dense(&seed);
    gv_builder_command(b, 0, 0, "draw");
    for (int turn = 0; turn < 3; turn++) {
        old.rest[0] = (float)turn + 0.5f;
        put_block(b, &e, &old);
    }
    for (int i = 0; i < LEAVES; i++) { // their bytes come into the payload
        struct crowd one = old;
        for (int k = 0; k < LEAVES; k++)
            one.members[0].m = times(b, &leaves[k], &leaves[i]);
        put_block(b, &e, &one);
    }
    put_block(b, &e, &old);
    block = old;
    for (int i = 0; i < CROWD; i++) {
        struct matrix m = leaves[i % LEAVES];
        for (int k = 0; k < FACTORS; k++) {
            const int n = i * FACTORS + k;
            const struct matrix factor = power(
                b, &leaves[n % LEAVES], &leaves[(n + n / LEAVES) % LEAVES], k ? 4 : 1);
            m = times(b, &m, &factor);
        }
        block.members[i].m = m;
    }
    // Contents that differ everywhere: from now on, such are resources for a while.
    other = old;
    for (int i = 0; i < CROWD; i++)
        other.members[i].m = small_dense(&seed);
    put_block(b, &e, &other);
    put_block(b, &e, &old);
    put_block(b, &e, &old);
    put_block(b, &e, &block);
    old.rest[1] = 7;
    put_block(b, &e, &old);
    gv_builder_frame_end(b, 0, 0);
    const bool good = probe_end(&probe);
    CHECK(good && expected_reads_run(&e, &probe));
    CHECK(good && count_of(&probe, "product") > GV_MATRIX_PLACES);
    expected_reads_finish(&e);
    probe_finish(&probe);
}

int main(void)
{
    test_known();
    test_many();
    test_places();
    test_code();
    test_machine();
    test_crowd();
    return TEST_RESULT();
}
