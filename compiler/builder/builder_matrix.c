// Products and inverses of matrices in blocks: made by the machine where their factors
// take less in the payload than the words.
#include <string.h>

#include "compiler/builder/builder_private.h"
#include "vm/matrix/matrix.h"

#define CHAIN 16u      // factors of one product
#define DEPTH 6u       // products that are factors of products
#define MEMBERS 8u     // matrices of a block that are looked at
#define SEARCHED 4096u // bytes of a block

// What a matrix takes in the payload, about, compressed: its words that are neither 0
// nor 1 nor were in it before, in bytes; what names it; an instruction and its
// operands.
#define WORD_COST 4u
#define NAME_COST 3u
#define CODE_COST 3u
#define RUN_COST 6u // of words that are written in a row
// Bytes that must be saved: more while few could have been, since code that is like no
// other takes more than it is taken to.
#define LEAST_GAIN 8u
#define FIRST_GAIN 24u
#define GAINS 200u
#define MANY_TIMES 4u // that something is hoped to be used, once it was twice

// A part of a block.
struct member {
    size_t offset, size;
    uint32_t matrix;
    bool inverse; // of it
};

// Of a block: what it has, what it will have when its members are made, what it is to
// have.
struct change {
    const uint8_t *held, *after, *data;
    size_t size;
};

// Where an operand is.
struct operand {
    enum gv_op op; // VOLATILE, CONST, RES
    uint64_t at;
};

void gv_builder_product(struct gv_builder *b, const float product[16],
                        const float left[16], const float right[16])
{
    gv_matrices_product(&b->matrices, product, left, right);
}

void gv_builder_inverse(struct gv_builder *b, const float of[16])
{
    gv_matrices_inverse(&b->matrices, of);
}

// ---- what it takes ----

static uint32_t word_of(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word & 0x7fffffff; // signs are a bit
}

static bool is_plain(uint32_t word)
{
    return word == 0 || word == 0x3f800000;
}

// Of words, less those that `held` has already; NULL: has none.
static uint64_t cost_of_words(const uint8_t *bytes, const uint8_t *held, size_t size)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < size; i += 4) {
        const uint32_t word = word_of(bytes + i);
        bool known = is_plain(word) || (held && !memcmp(bytes + i, held + i, 4));
        for (size_t k = 0; k < i && !known && !held; k += 4)
            known = word_of(bytes + k) == word;
        cost += known ? 0 : WORD_COST;
    }
    return cost;
}

// What was a factor before will be one again: the price is shared.
static uint64_t cost_of_bytes(struct gv_known_matrix *m)
{
    if (!m->words)
        m->words =
            (uint8_t)(cost_of_words((const uint8_t *)m->m, NULL, sizeof m->m) + 1);
    const uint64_t words = m->words - 1u;
    const uint64_t times = m->said < MANY_TIMES ? m->said + 1 : MANY_TIMES;
    return NAME_COST + (m->written ? 0 : words / times);
}

// What several members take, each matrix once; it ends beyond `most`.
struct estimate {
    struct gv_matrices *t;
    uint64_t cost, most;
};

// Of having a matrix in memory.
static void count_matrix(struct estimate *e, uint32_t number, uint32_t depth)
{
    struct gv_matrices *t = e->t;
    struct gv_known_matrix *m = gv_matrices_at(t, number);
    if (m->place || m->counted == t->estimates || e->cost > e->most)
        return;
    m->counted = t->estimates;
    if (!m->left || depth == DEPTH) {
        e->cost += cost_of_bytes(m);
        return;
    }
    e->cost += CODE_COST;
    for (uint32_t n = 0; n < CHAIN && m->left && !m->place && !m->shared; n++) {
        count_matrix(e, m->right, depth + 1);
        gv_matrices_pass(t, number);
        number = m->left;
        m = gv_matrices_at(t, number);
    }
    const uint64_t before = e->cost;
    count_matrix(e, number, depth + 1);
    if (m->shared)
        e->cost = before + (e->cost - before) / MANY_TIMES;
}

// ---- code ----

static uint8_t *put_operand(struct gv_builder *b, uint8_t *p, struct operand operand)
{
    return operand.op == GV_OP_RES
               ? gv_builder_put_resource(b, p, GV_OP_RES, (uint32_t)operand.at)
               : gv_put_op(p, operand.op, operand.at);
}

static bool put_code(struct gv_builder *b, enum gv_op op, uint64_t number,
                     const struct operand *operands, uint32_t count)
{
    uint8_t *p = gv_builder_begin_call(b);
    if (!p)
        return false;
    for (uint32_t i = 0; i < count; i++)
        p = put_operand(b, p, operands[i]);
    p = gv_put_op(p, op, number);
    b->code.instructions += count + 1;
    if (b->code.stack < count)
        b->code.stack = count;
    gv_code_advance(&b->code.bytes, p);
    return true;
}

static struct operand in_memory(uint64_t place)
{
    return (struct operand){ GV_OP_VOLATILE, place };
}

static uint64_t memory_of(const struct gv_builder *b, uint32_t place)
{
    return b->matrices.memory - 1 + (uint64_t)place * GV_MATRIX_BYTES;
}

// Bytes of matrices in a row.
static bool in_payload(struct gv_builder *b, const float *bytes, size_t size,
                       struct operand *out)
{
    uint32_t number = 0;
    const bool small = gv_builder_inline(b, size);
    const bool done = small ? gv_builder_constant(b, bytes, size, &number)
                            : gv_builder_resource(b, bytes, size, &number);
    *out = (struct operand){ small ? GV_OP_CONST : GV_OP_RES, number };
    return done;
}

static bool make(struct gv_builder *b, uint32_t number, uint64_t to, uint32_t depth);

// Where a matrix is, if need be brought into memory, to stay there if products share
// it.
static bool find(struct gv_builder *b, uint32_t number, uint32_t depth,
                 struct operand *out)
{
    struct gv_matrices *t = &b->matrices;
    struct gv_known_matrix *m = gv_matrices_at(t, number);
    if (!m->place && (!m->left || depth == DEPTH)) {
        m->written = true;
        return in_payload(b, m->m, sizeof m->m, out);
    }
    if (!m->place) {
        const uint32_t place =
            gv_matrices_take_place(t, number, b->frames, b->matrix_clock);
        if (place == GV_MATRIX_PLACES || !make(b, number, memory_of(b, place), depth))
            return false;
    }
    struct gv_matrix_place *p = &t->places[m->place - 1];
    p->used = ++t->clock;
    if (m->shared)
        p->frame = b->frames + 1;
    *out = in_memory(memory_of(b, m->place - 1));
    return true;
}

// The factors of a product, the last one first, down to a matrix that is in memory or
// should be, or is none. Returns that.
static uint32_t factors_of(struct gv_matrices *t, uint32_t number,
                           uint32_t factors[CHAIN], uint32_t *count)
{
    for (*count = 0; *count < CHAIN;) {
        const struct gv_known_matrix *m = gv_matrices_at(t, number);
        const struct gv_known_matrix *left = gv_matrices_at(t, m->left);
        factors[(*count)++] = m->right;
        number = m->left;
        if (!left->left || left->place || left->shared)
            break;
    }
    return number;
}

// Multiplies `left` by factors[count - 1], ..., factors[0].
static bool multiply(struct gv_builder *b, uint64_t to, struct operand left,
                     const uint32_t *factors, uint32_t count, uint32_t depth)
{
    struct gv_matrices *t = &b->matrices;
    float row[CHAIN * GV_MATRIX_FLOATS];
    while (count) {
        struct operand right;
        uint32_t n = 0;
        // Those without a way to make them stand in the payload, in a row.
        for (; n < count; n++) {
            struct gv_known_matrix *m = gv_matrices_at(t, factors[count - 1 - n]);
            if (m->place || m->left)
                break;
            m->written = true;
            memcpy(row + (size_t)n * GV_MATRIX_FLOATS, m->m, sizeof m->m);
        }
        if (n ? !in_payload(b, row, (size_t)n * GV_MATRIX_BYTES, &right)
              : !find(b, factors[count - 1], depth + 1, &right))
            return false;
        n += n == 0;
        const struct operand operands[3] = { in_memory(to), left, right };
        if (!put_code(b, GV_OP_PRODUCT, n, operands, 3))
            return false;
        left = in_memory(to);
        count -= n;
    }
    return true;
}

static bool make(struct gv_builder *b, uint32_t number, uint64_t to, uint32_t depth)
{
    uint32_t factors[CHAIN], count = 0;
    struct operand left;
    number = factors_of(&b->matrices, number, factors, &count);
    return find(b, number, depth + 1, &left) &&
           multiply(b, to, left, factors, count, depth);
}

static bool put_member(struct gv_builder *b, const struct member *m, uint64_t to)
{
    const struct gv_known_matrix *known = gv_matrices_at(&b->matrices, m->matrix);
    struct operand from;
    if (!m->inverse && !known->place && known->left)
        return make(b, m->matrix, to, 0);
    if (!find(b, m->matrix, 0, &from))
        return false;
    const struct operand operands[3] = { in_memory(to), from, from };
    return m->inverse ? put_code(b, GV_OP_INVERSE, m->size / GV_MATRIX_COLUMN_BYTES,
                                 operands, 2)
                      : put_code(b, GV_OP_COPY, m->size, operands, 2);
}

// ---- what a block holds ----

static bool is_made(const struct gv_matrices *t, uint32_t number)
{
    return number && (t->list[number - 1].place || t->list[number - 1].left);
}

// Parts that are not what the block has, and are made of matrices.
static uint32_t find_members(const struct gv_matrices *t, const uint8_t *held,
                             const uint8_t *data, size_t size,
                             struct member members[MEMBERS])
{
    uint32_t count = 0;
    for (size_t at = 0; at + GV_MATRIX_INVERSE_BYTES <= size && count < MEMBERS;) {
        struct member m = { .offset = at, .size = GV_MATRIX_BYTES };
        const size_t left = size - at < GV_MATRIX_BYTES ? size - at : GV_MATRIX_BYTES;
        if (memcmp(held + at, data + at, left) == 0) {
            at += GV_MATRIX_COLUMN_BYTES;
            continue;
        }
        if (at + GV_MATRIX_BYTES <= size)
            m.matrix = gv_matrices_find(t, data + at);
        if (!is_made(t, m.matrix)) {
            m.matrix = gv_matrices_find_inverse(t, data + at);
            m.inverse = m.matrix != 0;
            m.size = GV_MATRIX_INVERSE_BYTES;
        }
        if (m.matrix)
            members[count++] = m;
        at += m.matrix ? m.size : GV_MATRIX_COLUMN_BYTES;
    }
    return count;
}

static uint64_t cost_of_runs(const uint8_t *held, const uint8_t *data, size_t size)
{
    size_t cursor = 0, start = 0, length = 0;
    uint64_t cost = 0;
    while (gv_block_change(held, data, size, &cursor, &start, &length))
        cost += RUN_COST;
    return cost;
}

// Whether making them takes less than writing them: their words, and what tells where
// words go that are written.
static bool is_cheaper(struct gv_matrices *t, const struct change *c,
                       const struct member *members, uint32_t count)
{
    struct estimate e = { .t = t };
    t->estimates++;
    if (gv_block_is_near(c->held, c->data, c->size))
        e.most = cost_of_runs(c->held, c->data, c->size);
    for (uint32_t i = 0; i < count; i++)
        e.most += cost_of_words(c->data + members[i].offset,
                                c->held + members[i].offset, members[i].size);
    e.cost = cost_of_runs(c->after, c->data, c->size);
    for (uint32_t i = 0; i < count; i++) {
        e.cost += CODE_COST;
        count_matrix(&e, members[i].matrix, 0);
    }
    if (e.cost + LEAST_GAIN > e.most || !gv_block_is_near(c->after, c->data, c->size))
        return false;
    const uint64_t gain = e.most - e.cost;
    t->gains += gain;
    return gain >= FIRST_GAIN || t->gains >= GAINS;
}

static bool reserve(struct gv_builder *b)
{
    uint64_t place;
    if (b->matrices.memory)
        return true;
    if (!gv_observations_reserve(&b->observations,
                                 (uint64_t)GV_MATRIX_PLACES * GV_MATRIX_BYTES, &place))
        return false;
    b->matrices.memory = place + 1;
    return true;
}

bool gv_builder_put_matrices(struct gv_builder *b, struct gv_held_block *block,
                             const uint8_t *data, size_t size)
{
    struct gv_matrices *t = &b->matrices;
    struct member members[MEMBERS];
    uint8_t after[SEARCHED];
    const struct change c = { b->observations.memory + block->place, after, data,
                              size };
    uint32_t count = 0;
    if (size <= SEARCHED && t->count)
        count = find_members(t, c.held, data, size, members);
    if (!count)
        return false;
    memcpy(after, c.held, size);
    for (uint32_t i = 0; i < count; i++)
        memcpy(after + members[i].offset, data + members[i].offset, members[i].size);
    if (!is_cheaper(t, &c, members, count) || gv_builder_knows(b, data, size) ||
        !reserve(b))
        return false;
    b->matrix_clock = t->clock + 1;
    for (uint32_t i = 0; i < count; i++)
        if (!put_member(b, &members[i], block->place + members[i].offset)) {
            // A place may hold nothing yet, the member anything.
            gv_matrices_vacate(t);
            gv_builder_put_run(b, block->place + members[i].offset,
                               data + members[i].offset, members[i].size);
        }
    memcpy(b->observations.memory + block->place, after, size);
    return true;
}
