// Direct3D shaders that are almost right: a shader of the tests, its instructions
// deleted, repeated, swapped, taken from others and changed word by word, with lengths
// and checksum made to fit again. Translated or refused with a reason, never a fault.
// (Any bytes as a blob: fuzz_dxbc.)
//
//   input = encoding, shader (2 bytes), options, then edits: kind, where (2 bytes),
//   value
//
// With GV_FUZZ_GLSL set, GLSL of ours that does not compile is a finding too.
#include "compiler/shader/d3d/dxbc.h"
#include "tests/shader/dxbc_assembler.h"
#include "tests/shader/sm9_tokens.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 16384
#define MAX_PIECES 1024
#define MAX_EDITS 64
#define TEXT 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// ---- what there is to begin with ----

static const char *const texts[] = {
#define STAGES(name, sets, topology, points, vertices, vs, hs, ds, gs, ps, ...) \
    vs, hs, ds, gs, ps,
#include "tests/shader/shader_stages.def"
#undef STAGES
};
// Bodies of compute shaders.
static const struct {
    const char *declarations, *text;
} bodies[] = {
#define EACH(name, sets, inputs, tolerance, text, ...) { "", text },
#define WHOLE(name, sets, inputs, tolerance, declarations, text, ...) \
    { declarations, text },
#include "tests/shader/shader_values.def"
#undef EACH
#undef WHOLE
};
static const struct {
    uint32_t version, tokens[48];
} legacy[] = {
#define EACH(name, model, cubes, rule, ...) \
    { 0xffff0100u + (model), { __VA_ARGS__, END } },
#define WHOLE(name, model, cubes, rule, ...) \
    { 0xffff0100u + (model), { __VA_ARGS__, END } },
#include "tests/shader/sm9_pixel.def"
#undef EACH
#undef WHOLE
    { 0xfffe0101u,
      { 1, DSTM(A, 0, 1), SRCX(V, 1), 20, DST(RAST, 0), SRC(V, 0), SRC(C, 0), 1,
        DST(OD, 0), SRC(C, 4) | RELATIVE, END } },
    { 0xfffe0200u,
      { OP(31, 2),   0x80000000u, DST(V, 0), OP(27, 2),    SRC(AL, 0),
        SRC(I, 0),   OP(2, 4),    DST(R, 0), SRC(R, 0),    SRC(C, 8) | RELATIVE,
        SRCX(AL, 0), OP(29, 0),   OP(40, 1), SRC(B, 0),    OP(25, 1),
        SRC(L, 0),   OP(43, 0),   OP(1, 2),  DST(RAST, 0), SRC(R, 0),
        OP(28, 0),   OP(30, 1),   SRC(L, 0), OP(16, 2),    DST(R, 0),
        SRC(V, 0),   OP(28, 0),   END } },
    { 0xfffe0300u,
      { OP(31, 2),  0x80000000u, DST(V, 0),   OP(31, 2),      0x80000000u,
        DST(OT, 0), OP(31, 2),   0x80010005u, DST(OT, 1),     OP(41, 2) | COMPARE(4),
        SRCX(C, 0), SRCX(C, 1),  OP(37, 2),   DSTM(OT, 1, 3), SRCX(V, 0),
        OP(42, 0),  OP(95, 3),   DST(OT, 1),  SRC(V, 0),      SRC(S, 0),
        OP(43, 0),  OP(1, 2),    DST(OT, 0),  SRC(V, 0),      END } },
    { 0xffff0200u,
      { OP(31, 2), 0x80000000u, DST(A, 0), OP(31, 2),  0x90000000u, DST(S, 0),
        OP(66, 3), DST(R, 0),   SRC(A, 0), SRC(S, 0),  OP(65, 1),   DST(R, 0),
        OP(36, 2), DST(R, 1),   SRC(R, 0), OP(90, 4),  DST(R, 0),   SRC(R, 1),
        SRC(C, 0), SRCX(C, 1),  OP(1, 2),  DST(OC, 0), SRC(R, 0),   END } },
    { 0xffff0300u,
      { OP(31, 2),
        0x80000005u,
        DST(V, 0),
        OP(31, 2),
        0x90000000u,
        DST(S, 0),
        OP(94, 3) | COMPARE(1),
        DST(P, 0),
        SRC(V, 0),
        SRC(C, 1),
        OP(1, 3) | PREDICATED,
        DST(R, 0),
        SRC(P, 0),
        SRC(C, 2),
        OP(38, 1),
        SRC(I, 0),
        OP(91, 2),
        DST(R, 1),
        SRC(V, 0),
        OP(93, 5),
        DST(R, 0),
        SRC(V, 0),
        SRC(S, 0),
        SRC(R, 1),
        SRC(R, 1),
        OP(45, 2) | COMPARE(2),
        SRCX(R, 0),
        SRC(MISC, 1),
        OP(39, 0),
        OP(1, 2),
        DST(OC, 0),
        SRC(R, 0),
        END } },
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- shaders in pieces ----

enum dialect { AERO, OFFICIAL, LEGACY };

struct piece {
    size_t at, count; // words
};

struct program {
    enum dialect dialect;
    struct gv_bytes container; // of AERO and OFFICIAL, as it was assembled
    size_t chunk;              // where its token chunk's data begin
    uint32_t version;
    uint32_t words[MAX_WORDS];
    size_t word_count;
    struct piece pieces[MAX_PIECES];
    size_t piece_count;
};

static uint32_t load(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void store(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static void add_piece(struct program *p, const uint32_t *words, size_t count)
{
    if (!count || count > MAX_WORDS - p->word_count || p->piece_count == MAX_PIECES)
        return;
    memcpy(p->words + p->word_count, words, count * sizeof *words);
    p->pieces[p->piece_count++] = (struct piece){ p->word_count, count };
    p->word_count += count;
}

static size_t piece_length(const struct program *p, const uint32_t *w, size_t left)
{
    size_t n = p->dialect == AERO ? w[0] >> 11 & 0x1fff : w[0] >> 24 & 0x7f;
    if (p->dialect == OFFICIAL && (w[0] & 0x7ff) == 53)
        n = left > 1 ? w[1] : 1;
    return n && n <= left ? n : left;
}

static void cut_up(struct program *p, const uint32_t *w, size_t count)
{
    for (size_t at = 0; at < count;) {
        size_t n = piece_length(p, w + at, count - at);
        add_piece(p, w + at, n);
        at += n;
    }
}

static bool assemble(struct program *p, const char *text)
{
    static uint32_t w[MAX_WORDS];
    enum dxbc_encoding encoding =
        p->dialect == AERO ? DXBC_ENCODING_AERO : DXBC_ENCODING_OFFICIAL;
    if (!dxbc_assemble(text, encoding, &p->container, NULL))
        return false;
    const uint8_t *blob = p->container.data;
    uint32_t chunks = load(blob + 28);
    size_t at = load(blob + 32 + 4 * (chunks - 1)) + 8, count = load(blob + at - 4) / 4;
    p->chunk = at;
    p->version = load(blob + at);
    for (size_t i = 2; i < count && i - 2 < MAX_WORDS; i++)
        w[i - 2] = load(blob + at + 4 * i);
    cut_up(p, w, count - 2 < MAX_WORDS ? count - 2 : MAX_WORDS);
    return true;
}

// Instructions of the old models: parameters have bit 31 set, but for definitions.
static void cut_up_legacy(struct program *p, const uint32_t *tokens)
{
    for (size_t at = 0; tokens[at] != END;) {
        size_t n = 1;
        while (tokens[at + n] != END &&
               (tokens[at + n] >> 31 || ((tokens[at] & 0xffff) == 81 && n < 6)))
            n++;
        add_piece(p, tokens + at, n);
        at += n;
    }
}

static bool begin(struct program *p, enum dialect dialect, uint32_t which)
{
    char text[TEXT];
    p->dialect = dialect;
    if (dialect == LEGACY) {
        p->version = legacy[which % COUNT(legacy)].version;
        cut_up_legacy(p, legacy[which % COUNT(legacy)].tokens);
        return true;
    }
    which %= (uint32_t)(COUNT(texts) + COUNT(bodies));
    if (which < COUNT(texts))
        return texts[which] && assemble(p, texts[which]);
    which -= (uint32_t)COUNT(texts);
    bool aero = dialect == AERO;
    snprintf(text, sizeof text, "cs_5_0\n%s%s%sret\n",
             aero ? "word 0x211f 1 1 1\n"
                  : "dcl_flags@1\ndcl_uav_raw u0\ndcl_thread_group 1, 1, 1\n",
             bodies[which].declarations, bodies[which].text);
    return assemble(p, text);
}

// ---- edits ----

enum edit {
    DELETE,
    REPEAT,
    SWAP,
    MOVE,
    BORROW,
    OPCODE,
    WORD,
    BITS,
    FEWER,
    MORE,
    SIGNATURE
};
#define EDITS 11

struct input {
    const uint8_t *data;
    size_t size, pos;
};

static uint32_t next(struct input *in)
{
    return in->pos < in->size ? in->data[in->pos++] : 0;
}

static uint32_t next_two(struct input *in)
{
    uint32_t low = next(in);
    return low | next(in) << 8;
}

// A word worth having: a small number, one bit, one of the shader's own, a float.
static uint32_t value_of(const struct program *p, uint32_t v)
{
    switch (v >> 6) {
    case 0:
        return v & 63;
    case 1:
        return 1u << (v & 31);
    case 2:
        return p->word_count ? p->words[v * 37 % p->word_count] : v;
    default:
        return v & 1 ? 0x3f800000u : 0xffffffffu - (v & 63);
    }
}

static void rearrange(struct program *p, enum edit kind, size_t at, uint32_t v)
{
    size_t other = v % p->piece_count;
    struct piece piece = p->pieces[at];
    if (kind == DELETE) {
        p->piece_count--;
        memmove(p->pieces + at, p->pieces + at + 1,
                (p->piece_count - at) * sizeof piece);
    } else if (kind == REPEAT) {
        add_piece(p, p->words + piece.at, piece.count);
    } else if (kind == MOVE) {
        p->piece_count--;
        memmove(p->pieces + at, p->pieces + at + 1,
                (p->piece_count - at) * sizeof piece);
        memmove(p->pieces + other + 1, p->pieces + other,
                (p->piece_count - other) * sizeof piece);
        p->pieces[other] = piece;
        p->piece_count++;
    } else {
        p->pieces[at] = p->pieces[other];
        p->pieces[other] = piece;
    }
}

// All 11 bits of an opcode; of the old models those there are, `phase` and comments
// too.
static uint32_t opcode_of(const struct program *p, uint32_t v, uint32_t high)
{
    if (p->dialect != LEGACY)
        return v | (high & 7) << 8;
    return v % 99 < 97 ? v % 99 : 0xfffd + v % 99 - 97;
}

// An instruction of another shader, put before `at`.
static void borrow(struct program *p, size_t at, uint32_t v, uint32_t which)
{
    static struct program lender;
    memset(&lender, 0, sizeof lender);
    if (begin(&lender, p->dialect, which) && lender.piece_count) {
        const struct piece *piece = &lender.pieces[v % lender.piece_count];
        size_t before = p->piece_count;
        add_piece(p, lender.words + piece->at, piece->count);
        if (p->piece_count > before) {
            struct piece added = p->pieces[before];
            memmove(p->pieces + at + 1, p->pieces + at, (before - at) * sizeof added);
            p->pieces[at] = added;
        }
    }
    gv_bytes_finish(&lender.container);
}

// Changes a word of a piece, or how many it has.
static void change(struct program *p, enum edit kind, size_t at, uint32_t v,
                   uint32_t word)
{
    static uint32_t copy[MAX_WORDS];
    struct piece piece = p->pieces[at];
    size_t k = piece.count > 1 ? 1 + word % (piece.count - 1) : 0;
    memcpy(copy, p->words + piece.at, piece.count * sizeof *copy);
    if (kind == OPCODE)
        copy[0] = (copy[0] & ~(p->dialect == LEGACY ? 0xffffu : 0x7ffu)) |
                  opcode_of(p, v, word);
    else if (kind == WORD)
        copy[k] = value_of(p, v);
    else if (kind == BITS)
        copy[k] ^= 1u << (v & 31);
    else if (kind == FEWER && piece.count > 1)
        memmove(copy + k, copy + k + 1, (--piece.count - k) * sizeof *copy);
    else if (kind == MORE && piece.count + 1 < MAX_WORDS)
        copy[piece.count++] = value_of(p, v);
    size_t count = p->piece_count;
    add_piece(p, copy, piece.count); // the old words stay: others may share them
    if (p->piece_count > count)
        p->pieces[at] = p->pieces[--p->piece_count];
}

static void edit(struct program *p, struct input *in)
{
    enum edit kind = (enum edit)(next(in) % EDITS);
    uint32_t where = next_two(in), v = next(in);
    size_t at = p->piece_count ? where % p->piece_count : 0;
    if (!p->piece_count)
        return;
    switch (kind) {
    case DELETE:
    case REPEAT:
    case SWAP:
    case MOVE:
        rearrange(p, kind, at, v);
        break;
    case BORROW:
        borrow(p, at, v, next_two(in));
        break;
    case OPCODE:
    case WORD:
    case BITS:
    case FEWER:
    case MORE:
        change(p, kind, at, v, next(in));
        break;
    case SIGNATURE:
        if (p->dialect != LEGACY && p->chunk > 56)
            store(p->container.data + 44 + where % (p->chunk - 56) / 4 * 4,
                  value_of(p, v));
        break;
    }
}

// ---- put together again ----

static uint32_t with_length(const struct program *p, uint32_t word, size_t n)
{
    if (p->dialect == AERO)
        return (word & ~(0x1fffu << 11)) | (uint32_t)n << 11;
    if (p->dialect == OFFICIAL)
        return (word & ~(0x7fu << 24)) | (uint32_t)(n & 0x7f) << 24;
    bool stated = p->version & 0xe00; // models 2 and 3
    return stated ? (word & ~(0xfu << 24)) | (uint32_t)(n - 1) << 24 : word;
}

static void put_pieces(const struct program *p, struct gv_bytes *out)
{
    for (size_t i = 0; i < p->piece_count; i++) {
        const uint32_t *w = p->words + p->pieces[i].at;
        size_t n = p->pieces[i].count;
        bool custom = p->dialect == OFFICIAL && (w[0] & 0x7ff) == 53;
        for (size_t k = 0; k < n; k++)
            gv_bytes_u32(out, custom && k == 1   ? (uint32_t)n
                              : custom || k != 0 ? w[k]
                                                 : with_length(p, w[0], n));
    }
}

static void put_program(const struct program *p, struct gv_bytes *out)
{
    if (p->dialect == LEGACY) {
        gv_bytes_u32(out, p->version);
        put_pieces(p, out);
        gv_bytes_u32(out, END);
        return;
    }
    gv_bytes_put(out, p->container.data, p->chunk);
    gv_bytes_u32(out, p->version);
    gv_bytes_u32(out, 0);
    put_pieces(p, out);
    if (out->failed)
        return;
    uint32_t bytes = (uint32_t)(out->size - p->chunk);
    store(out->data + p->chunk + 4, bytes / 4);
    store(out->data + p->chunk - 4, bytes);
    store(out->data + 24, (uint32_t)out->size);
    dxbc_sign(out->data, out->size);
}

static void translate(const struct gv_bytes *bytes, uint32_t choice)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_dxbc_options options = { .half_pixel = choice & 1,
                                       .merged_constants = choice & 2,
                                       .alpha_test = choice >> 2 & 7,
                                       .control_points = choice >> 5 & 3 };
    struct gv_dxbc_shader shader = { 0 };
    // A copy of its exact size: the sanitizer sees a read past its end.
    uint8_t *blob = malloc(bytes->size ? bytes->size : 1);
    if (!blob)
        return;
    memcpy(blob, bytes->data, bytes->size);
    bool ok = gv_dxbc_translate(blob, bytes->size, 0, &options, &arena, &shader, &err);
    if (!ok && err.status == GV_OK)
        abort(); // refused in silence
    if (!ok && getenv("GV_FUZZ_GLSL") && strstr(err.message, "glsl:")) {
        fprintf(stderr, "%s\n%s\n", err.message, shader.glsl ? shader.glsl : "");
        abort();
    }
    free(blob);
    gv_arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct program p;
    struct input in = { data, size, 0 };
    struct gv_bytes blob = { 0 };
    memset(&p, 0, sizeof p);
    enum dialect dialect = (enum dialect)(next(&in) % 3);
    uint32_t which = next_two(&in), choice = next(&in);
    if (begin(&p, dialect, which)) {
        for (int i = 0; i < MAX_EDITS && in.pos < in.size; i++)
            edit(&p, &in);
        put_program(&p, &blob);
        if (!blob.failed)
            translate(&blob, choice);
    }
    gv_bytes_finish(&blob);
    gv_bytes_finish(&p.container);
    return 0;
}
