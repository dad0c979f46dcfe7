#include "tests/shader/dxbc_assembler.h"

#include "compiler/shader/d3d/dxbc_ir.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ELEMENTS 32
#define MAX_TOKENS 4096
#define MAX_LINE 256

struct row {
    const char *mnemonic;
    uint16_t code;
    uint16_t op;
};
static const struct row aero_rows[] = {
#define AERO_OP(code, mnemonic, op, form) { mnemonic, code, IR_##op },
#include "compiler/shader/d3d/aero_sm4.def"
#undef AERO_OP
};
static const struct row official_rows[] = {
#define SM4_OP(code, mnemonic, op, form) { mnemonic, code, IR_##op },
#include "compiler/shader/d3d/sm4.def"
#undef SM4_OP
};

struct element {
    char name[64];
    uint32_t index, reg, system_value, type;
    uint8_t mask;
};

struct signature {
    struct element rows[MAX_ELEMENTS];
    uint32_t count;
};

struct assembler {
    enum dxbc_encoding encoding;
    struct signature signatures[3]; // in, out, patch
    uint32_t tokens[MAX_TOKENS];
    size_t count;
    uint32_t version;
    uint32_t major;
    const char *at; // in the line being read
    bool failed;
};

static void fail(struct assembler *a)
{
    a->failed = true;
}

static void put(struct assembler *a, uint32_t token)
{
    if (a->count == MAX_TOKENS)
        fail(a);
    else
        a->tokens[a->count++] = token;
}

static void skip(struct assembler *a)
{
    while (*a->at == ' ' || *a->at == '\t')
        a->at++;
}

static bool accept(struct assembler *a, const char *text)
{
    skip(a);
    size_t n = strlen(text);
    if (strncmp(a->at, text, n))
        return false;
    a->at += n;
    return true;
}

static uint32_t number(struct assembler *a)
{
    char *end;
    skip(a);
    uint32_t value = (uint32_t)strtoll(a->at, &end, 0);
    if (end == a->at)
        fail(a);
    a->at = end;
    return value;
}

// 1.5 is a float's pattern, 15 and 0xf are integers.
static uint32_t literal(struct assembler *a)
{
    skip(a);
    size_t n = strcspn(a->at, ",) ");
    bool hex = a->at[0] == '0' && a->at[1] == 'x';
    if (hex || (!memchr(a->at, '.', n) && !memchr(a->at, 'e', n)))
        return number(a);
    char *end;
    float value = strtof(a->at, &end);
    uint32_t bits;
    memcpy(&bits, &value, 4);
    a->at = end;
    return bits;
}

// ---- operands ----

static const struct {
    const char *name;
    int aero, official; // operand types, -1: not there
    bool vector;        // has components
} registers[] = {
    { "vThreadIDInGroupFlattened", 35, 36, false },
    { "vThreadIDInGroup", 34, 34, true },
    { "vThreadGroupID", 33, 33, true },
    { "vThreadID", 32, 32, true },
    { "vOutputControlPointID", -1, 22, false },
    { "vForkInstanceID", -1, 23, false },
    { "vJoinInstanceID", -1, 24, false },
    { "vGSInstanceID", -1, 37, false },
    { "vPrim", -1, 11, false },
    { "vDomain", -1, 28, true },
    { "vicp", -1, 25, true },
    { "vocp", -1, 26, true },
    { "vpc", -1, 27, true },
    { "vCoverage", -1, 35, false },
    { "oDepth", 12, 12, false },
    { "oMask", -1, 15, false },
    { "rasterizer", -1, 14, true },
    { "label", -1, 10, false },
    { "icb", -1, 9, true },
    { "null", 13, 13, false },
    { "cb", 8, 8, true },
    { "r", 0, 0, true },
    { "v", 1, 1, true },
    { "o", 2, 2, true },
    { "x", -1, 3, true },
    { "s", 6, 6, false },
    { "t", 7, 7, true },
    { "p", 11, -1, true },
    { "u", 30, 30, true },
    { "g", -1, 31, true },
    { "m", -1, 16, false },
};

static int component(char c)
{
    const char *p = c ? strchr("xyzw", c) : NULL;
    return p ? (int)(p - "xyzw") : -1;
}

// Letters behind a dot. Returns how many.
static int components(struct assembler *a, int out[4])
{
    int n = 0;
    if (*a->at != '.')
        return 0;
    for (a->at++; n < 4 && component(*a->at) >= 0; a->at++)
        out[n++] = component(*a->at);
    return n;
}

struct operand {
    uint32_t type, count, selection, bits, dims, modifier;
    uint32_t representation[3];
    uint32_t words[16];
    size_t word_count;
};

static void select_components(struct operand *o, const int c[4], int n,
                              bool destination)
{
    if (destination) {
        o->selection = 0;
        for (int i = 0; i < n; i++)
            o->bits |= 1u << c[i];
        o->bits = n ? o->bits : 0xf;
    } else if (n == 1) {
        o->selection = 2;
        o->bits = (uint32_t)c[0];
    } else {
        o->selection = 1;
        for (int i = 0; i < 4; i++)
            o->bits |= (uint32_t)(n ? c[i < n ? i : n - 1] : i) << (2 * i);
    }
}

static uint32_t encode_head(const struct assembler *a, const struct operand *o)
{
    uint32_t token = o->count | o->selection << 2 | o->dims << 20;
    for (int i = 0; i < 3; i++)
        token |= o->representation[i] << (22 + 3 * i);
    token |= o->modifier ? 1u << 31 : 0;
    return a->encoding == DXBC_ENCODING_AERO ? token | o->type << 4 | o->bits << 12
                                             : token | o->bits << 4 | o->type << 12;
}

static void parse_operand(struct assembler *a, bool destination, struct operand *o);

// [3], [r1.x] or [r1.x + 3]
static void parse_index(struct assembler *a, struct operand *o)
{
    skip(a);
    if (isdigit((unsigned char)*a->at)) {
        o->words[o->word_count++] = number(a);
    } else {
        struct operand inner = { 0 };
        parse_operand(a, false, &inner);
        bool plus = accept(a, "+");
        o->representation[o->dims] = plus ? 3 : 2;
        if (plus)
            o->words[o->word_count++] = number(a);
        o->words[o->word_count++] = encode_head(a, &inner);
        for (size_t i = 0; i < inner.word_count && o->word_count < 15; i++)
            o->words[o->word_count++] = inner.words[i];
    }
    o->dims++;
    if (!accept(a, "]"))
        fail(a);
}

static void parse_literal(struct assembler *a, struct operand *o)
{
    o->type = 4;
    do {
        if (o->word_count == 4) {
            fail(a);
            return;
        }
        o->words[o->word_count++] = literal(a);
    } while (accept(a, ","));
    if (!accept(a, ")") || (o->word_count != 1 && o->word_count != 4))
        fail(a);
    o->count = o->word_count == 1 ? 1 : 2;
    if (a->encoding == DXBC_ENCODING_AERO && o->count == 2) {
        o->selection = 1;
        o->bits = 0xe4;
    }
}

// Of 64 bits: one or two.
static void parse_doubles(struct assembler *a, struct operand *o)
{
    o->type = 5;
    do {
        if (o->word_count == 4) {
            fail(a);
            return;
        }
        char *end;
        double value = strtod(a->at, &end);
        memcpy(&o->words[o->word_count], &value, sizeof value);
        o->word_count += 2;
        a->at = end;
    } while (accept(a, ","));
    if (!accept(a, ")"))
        fail(a);
    o->count = o->word_count == 2 ? 1 : 2;
}

static void parse_register(struct assembler *a, bool destination, struct operand *o)
{
    size_t i = 0, count = sizeof registers / sizeof *registers;
    while (i < count && strncmp(a->at, registers[i].name, strlen(registers[i].name)))
        i++;
    int type = i == count                          ? -1
               : a->encoding == DXBC_ENCODING_AERO ? registers[i].aero
                                                   : registers[i].official;
    if (type < 0) {
        fail(a);
        return;
    }
    a->at += strlen(registers[i].name);
    o->type = (uint32_t)type;
    if (isdigit((unsigned char)*a->at)) {
        o->words[o->word_count++] = number(a);
        o->dims = 1;
    }
    while (!a->failed && *a->at == '[' && o->dims < 3) {
        a->at++;
        parse_index(a, o);
    }
    int c[4] = { 0 }, n = components(a, c);
    bool aero_resource =
        a->encoding == DXBC_ENCODING_AERO && (type == 7 || type == 30) && !n;
    if ((!registers[i].vector && !n) || aero_resource) {
        bool scalar = type == 12 || type == 15 || (type >= 22 && type <= 24) ||
                      (type >= 35 && type <= 37) || type == 11;
        o->count = scalar;
        return;
    }
    o->count = 2;
    select_components(o, c, n, destination);
}

static void parse_operand(struct assembler *a, bool destination, struct operand *o)
{
    bool negate = accept(a, "-"), absolute = accept(a, "|");
    o->modifier = (negate ? 1u : 0u) | (absolute ? 2u : 0u);
    skip(a);
    if (accept(a, "l("))
        parse_literal(a, o);
    else if (accept(a, "d("))
        parse_doubles(a, o);
    else
        parse_register(a, destination, o);
    if (absolute && !accept(a, "|"))
        fail(a);
}

static void put_operand(struct assembler *a, bool destination)
{
    struct operand o = { 0 };
    parse_operand(a, destination, &o);
    put(a, encode_head(a, &o));
    if (o.modifier) // extension: official type 1 with the modifier in bits 6-13
        put(a, (a->encoding == DXBC_ENCODING_AERO ? 0u : 1u) | o.modifier << 6);
    for (size_t i = 0; i < o.word_count; i++)
        put(a, o.words[i]);
}

// ---- instructions ----

struct controls {
    uint32_t bits;
    bool saturate;
};

static const struct row *find_row(const struct assembler *a, const char *name, size_t n)
{
    bool aero = a->encoding == DXBC_ENCODING_AERO;
    const struct row *rows = aero ? aero_rows : official_rows;
    size_t count = aero ? sizeof aero_rows / sizeof *aero_rows
                        : sizeof official_rows / sizeof *official_rows;
    for (size_t i = 0; i < count; i++)
        if (strlen(rows[i].mnemonic) == n && !memcmp(rows[i].mnemonic, name, n))
            return &rows[i];
    return NULL;
}

// Cuts known suffixes off a mnemonic until a row has that name.
static const struct row *parse_mnemonic(struct assembler *a, struct controls *c)
{
    static const char *const compares[] = { "_z",  "_nz", "_eq", "_ne",
                                            "_gt", "_ge", "_lt", "_le" };
    // setp counts eq, ne, lt, ge, le, gt.
    static const uint8_t setp[] = { 0, 0, 0, 1, 5, 3, 2, 4 };
    size_t n = strcspn(a->at, " \t@");
    const char *name = a->at;
    bool aero = a->encoding == DXBC_ENCODING_AERO;
    a->at += n;
    const struct row *row = find_row(a, name, n);
    if (!row && n > 4 && !memcmp(name + n - 4, "_sat", 4)) {
        c->saturate = true;
        row = find_row(a, name, n -= 4);
    }
    for (uint32_t i = 0; i < 8 && !row; i++) {
        size_t k = strlen(compares[i]);
        if (n <= k || memcmp(name + n - k, compares[i], k))
            continue;
        row = find_row(a, name, n - k);
        if (row)
            c->bits = aero ? row->op == IR_SETP ? setp[i] : i : (i & 1) << 7;
    }
    if (accept(a, "@"))
        c->bits |= number(a);
    return row;
}

static void instruction(struct assembler *a)
{
    struct controls c = { 0, false };
    const struct row *row = parse_mnemonic(a, &c);
    if (!row) {
        fail(a);
        return;
    }
    size_t head = a->count;
    bool aero = a->encoding == DXBC_ENCODING_AERO;
    put(a, 0);
    if (aero && c.saturate)
        put(a, 1u << 13);
    skip(a);
    uint32_t dsts = ir_ops[row->op].dsts;
    bool store = row->op == IR_STORE_RAW || row->op == IR_STORE_STRUCTURED ||
                 row->op == IR_STORE_UAV_TYPED;
    for (uint32_t n = 0; *a->at && !a->failed; n++) {
        put_operand(a, n < dsts || (store && n == 0));
        if (!accept(a, ","))
            break;
    }
    uint32_t length = (uint32_t)(a->count - head);
    if (aero)
        a->tokens[head] =
            row->code | length << 11 | c.bits << 24 | (c.saturate ? 1u << 31 : 0);
    else
        a->tokens[head] =
            row->code | (c.saturate ? 1u << 13 : 0) | c.bits << 11 | length << 24;
}

// ---- declarations of official tokens ----

static const struct {
    const char *name;
    uint32_t code, operands, words;
} declarations[] = {
    // The mnemonic's @N are bits 11-23, then operands, then raw words.
    { "dcl_resource_structured", 162, 1, 1 },
    { "dcl_resource_raw", 161, 1, 0 },
    { "dcl_resource", 88, 1, 1 },
    { "dcl_constantbuffer", 89, 1, 0 },
    { "dcl_sampler", 90, 1, 0 },
    { "dcl_gs_topology", 92, 0, 0 },
    { "dcl_gs_primitive", 93, 0, 0 },
    { "dcl_maxout", 94, 0, 1 },
    { "dcl_input_ps_siv", 100, 1, 1 },
    { "dcl_input_ps_sgv", 99, 1, 1 },
    { "dcl_input_ps", 98, 1, 0 },
    { "dcl_input_siv", 97, 1, 1 },
    { "dcl_input_sgv", 96, 1, 1 },
    { "dcl_input_points", 147, 0, 0 },
    { "dcl_input", 95, 1, 0 },
    { "dcl_output_siv", 103, 1, 1 },
    { "dcl_output_points", 148, 0, 0 },
    { "dcl_output", 101, 1, 0 },
    { "dcl_temps", 104, 0, 1 },
    { "dcl_indexable", 105, 0, 3 },
    { "dcl_flags", 106, 0, 0 },
    { "dcl_tess_domain", 149, 0, 0 },
    { "dcl_tess_partitioning", 150, 0, 0 },
    { "dcl_tess_primitive", 151, 0, 0 },
    { "dcl_max_tess_factor", 152, 0, 1 },
    { "dcl_fork_instances", 153, 0, 1 },
    { "dcl_join_instances", 154, 0, 1 },
    { "dcl_thread_group", 155, 0, 3 },
    { "dcl_uav_typed", 156, 1, 1 },
    { "dcl_uav_raw", 157, 1, 0 },
    { "dcl_uav_structured", 158, 1, 1 },
    { "dcl_gs_instances", 206, 0, 1 },
    { "dcl_tgsm_raw", 159, 1, 1 },
    { "dcl_tgsm_structured", 160, 1, 2 },
};

static bool declaration(struct assembler *a)
{
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++) {
        size_t head = a->count;
        if (!accept(a, declarations[i].name))
            continue;
        uint32_t bits = accept(a, "@") ? number(a) : 0;
        put(a, 0);
        for (uint32_t k = 0; k < declarations[i].operands; k++)
            put_operand(a, declarations[i].code != 89);
        for (uint32_t k = 0; k < declarations[i].words; k++) {
            accept(a, ",");
            put(a, number(a));
        }
        a->tokens[head] =
            declarations[i].code | bits << 11 | (uint32_t)(a->count - head) << 24;
        return true;
    }
    return false;
}

// ---- lines ----

static void signature_line(struct assembler *a, struct signature *s)
{
    struct element *e = &s->rows[s->count];
    if (s->count == MAX_ELEMENTS) {
        fail(a);
        return;
    }
    s->count++;
    *e = (struct element){ .type = a->encoding == DXBC_ENCODING_AERO ? 0 : 3 };
    skip(a);
    size_t n = strcspn(a->at, " ");
    memcpy(e->name, a->at, n < 63 ? n : 63);
    a->at += n;
    e->index = number(a);
    skip(a);
    a->at++; // v or o
    e->reg = *a->at == '-' ? (a->at++, UINT32_MAX) : number(a);
    int c[4];
    n = (size_t)components(a, c);
    for (size_t i = 0; i < n; i++)
        e->mask |= (uint8_t)(1 << c[i]);
    e->mask = n ? e->mask : 0xf;
    for (skip(a); *a->at; skip(a)) {
        if (accept(a, "sv="))
            e->system_value = number(a);
        else if (accept(a, "type=float"))
            e->type = 3;
        else if (accept(a, "type=uint"))
            e->type = 1;
        else if (accept(a, "type=int"))
            e->type = 2;
        else {
            fail(a);
            return;
        }
    }
}

static bool version_line(struct assembler *a)
{
    static const char *const stages[] = { "ps_", "vs_", "gs_", "hs_", "ds_", "cs_" };
    for (uint32_t i = 0; i < 6; i++) {
        if (!accept(a, stages[i]))
            continue;
        a->major = number(a);
        uint32_t minor = accept(a, "_") ? number(a) : 0;
        a->version = i << 16 | a->major << 4 | minor;
        put(a, a->version);
        put(a, 0);
        return true;
    }
    return false;
}

static void line(struct assembler *a)
{
    skip(a);
    if (!*a->at)
        return;
    if (a->count == 0) {
        if (!version_line(a))
            fail(a);
    } else if (accept(a, "in ")) {
        signature_line(a, &a->signatures[0]);
    } else if (accept(a, "out ")) {
        signature_line(a, &a->signatures[1]);
    } else if (accept(a, "patch ")) {
        signature_line(a, &a->signatures[2]);
    } else if (accept(a, "word ")) {
        for (skip(a); *a->at && !a->failed; skip(a))
            put(a, number(a));
    } else if (a->encoding != DXBC_ENCODING_OFFICIAL || !declaration(a)) {
        instruction(a);
    }
}

static void one_line(struct assembler *a, const char *start, size_t n)
{
    char text[MAX_LINE];
    snprintf(text, sizeof text, "%.*s", (int)n, start);
    char *comment = strstr(text, "//");
    if (comment)
        *comment = 0;
    for (size_t k = strlen(text); k > 0 && text[k - 1] == ' '; k--)
        text[k - 1] = 0;
    a->at = text;
    line(a);
}

// ---- the container ----

static void put_signature(const struct signature *s, struct gv_bytes *out)
{
    uint32_t names = 8 + 24 * s->count;
    gv_bytes_u32(out, s->count);
    gv_bytes_u32(out, 8);
    for (uint32_t i = 0; i < s->count; i++) {
        const struct element *e = &s->rows[i];
        gv_bytes_u32(out, names);
        gv_bytes_u32(out, e->index);
        gv_bytes_u32(out, e->system_value);
        gv_bytes_u32(out, e->type);
        gv_bytes_u32(out, e->reg);
        gv_bytes_u8(out, e->mask);
        gv_bytes_u8(out, e->mask);
        gv_bytes_u16(out, 0);
        names += (uint32_t)strlen(e->name) + 1;
    }
    for (uint32_t i = 0; i < s->count; i++)
        gv_bytes_put(out, s->rows[i].name, strlen(s->rows[i].name) + 1);
    gv_bytes_zero_to(out, 4);
}

static void patch_u32(struct gv_bytes *out, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4 && !out->failed; i++)
        out->data[at + i] = (uint8_t)(value >> (8 * i));
}

static void put_chunk(struct gv_bytes *out, size_t index, const char *fourcc,
                      const struct gv_bytes *data)
{
    patch_u32(out, 32 + 4 * index, (uint32_t)out->size);
    gv_bytes_put(out, fourcc, 4);
    gv_bytes_u32(out, (uint32_t)data->size);
    gv_bytes_put(out, data->data, data->size);
}

static void put_container(struct assembler *a, struct gv_bytes *out)
{
    static const char *const names[] = { "ISGN", "OSGN", "PCSG" };
    struct gv_bytes blob = { 0 }, chunk = { 0 };
    uint32_t chunks = a->signatures[2].count ? 4 : 3;
    gv_bytes_put(&blob, "DXBC\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 28);
    gv_bytes_u32(&blob, chunks);
    for (uint32_t i = 0; i < chunks; i++)
        gv_bytes_u32(&blob, 0);
    for (uint32_t i = 0; i + 1 < chunks; i++) {
        chunk.size = 0;
        put_signature(&a->signatures[i], &chunk);
        put_chunk(&blob, i, names[i], &chunk);
    }
    chunk.size = 0;
    a->tokens[1] = (uint32_t)a->count;
    for (size_t i = 0; i < a->count; i++)
        gv_bytes_u32(&chunk, a->tokens[i]);
    put_chunk(&blob, chunks - 1, a->major >= 5 ? "SHEX" : "SHDR", &chunk);
    patch_u32(&blob, 24, (uint32_t)blob.size);
    if (a->encoding == DXBC_ENCODING_OFFICIAL && !blob.failed)
        dxbc_sign(blob.data, blob.size);
    gv_bytes_put(out, blob.data, blob.size);
    gv_bytes_finish(&blob);
    gv_bytes_finish(&chunk);
}

bool dxbc_assemble(const char *text, enum dxbc_encoding encoding, struct gv_bytes *out,
                   char *error)
{
    static const struct assembler empty;
    struct assembler *a = malloc(sizeof *a);
    if (!a)
        return false;
    *a = empty;
    a->encoding = encoding;
    const char *start = text;
    while (*start && !a->failed) {
        size_t n = strcspn(start, "\n");
        one_line(a, start, n);
        if (a->failed && error)
            snprintf(error, 160, "cannot assemble: %.*s", (int)n, start);
        start += n + (start[n] == '\n');
    }
    bool ok = !a->failed && a->count >= 2;
    if (ok)
        put_container(a, out);
    free(a);
    return ok && !out->failed;
}

void dxbc_wrap_tokens(const uint32_t *tokens, size_t count, struct gv_bytes *out)
{
    uint32_t size = 32 + 4 + 8 + (uint32_t)count * 4;
    gv_bytes_put(out, "DXBC\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0", 24);
    gv_bytes_u32(out, size);
    gv_bytes_u32(out, 1);
    gv_bytes_u32(out, 36);
    gv_bytes_put(out, "SHDR", 4);
    gv_bytes_u32(out, (uint32_t)count * 4);
    for (size_t i = 0; i < count; i++)
        gv_bytes_u32(out, tokens[i]);
}
