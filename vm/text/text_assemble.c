// The assembler: statements, names and numbers. Its other parts are text_code.c (chunks
// and instructions), text_call.c, text_data.c, text_desc.c and text_tables.c.
#include "vm/text/text.h"

#include "vm/formats.h"
#include "vm/text/text_assembler.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- tokens ----

bool gv_asm_next(struct gv_assembler *a)
{
    return gv_lexer_next(&a->lex);
}

bool gv_asm_is_mark(const struct gv_assembler *a, char mark)
{
    return a->lex.token.kind == GV_TOKEN_MARK && a->lex.token.text[0] == mark;
}

bool gv_asm_is_word(const struct gv_assembler *a, const char *word)
{
    return a->lex.token.kind == GV_TOKEN_WORD &&
           (!word || strcmp(a->lex.token.text, word) == 0);
}

bool gv_asm_at_end(const struct gv_assembler *a)
{
    return a->lex.token.kind == GV_TOKEN_NEWLINE || a->lex.token.kind == GV_TOKEN_END;
}

bool gv_asm_expect_mark(struct gv_assembler *a, char mark)
{
    if (!gv_asm_is_mark(a, mark))
        return GV_TEXT_FAIL(a, "expected \"%c\", not \"%s\"", mark, a->lex.token.text);
    return gv_asm_next(a);
}

bool gv_asm_expect_end(struct gv_assembler *a)
{
    if (!gv_asm_at_end(a))
        return GV_TEXT_FAIL(a, "unexpected \"%s\"", a->lex.token.text);
    return a->lex.token.kind == GV_TOKEN_END || gv_asm_next(a);
}

const char *gv_asm_take_word(struct gv_assembler *a, const char *what)
{
    const char *text = a->lex.token.text;
    if (a->lex.token.kind == GV_TOKEN_WORD)
        return gv_asm_next(a) ? text : NULL;
    GV_TEXT_FAIL(a, "expected %s, not \"%s\"", what, text);
    return NULL;
}

const char *gv_asm_take_string(struct gv_assembler *a, const char *what)
{
    const struct gv_token token = a->lex.token;
    if (token.kind != GV_TOKEN_STRING && token.kind != GV_TOKEN_WORD) {
        GV_TEXT_FAIL(a, "expected %s, not \"%s\"", what, token.text);
        return NULL;
    }
    if (strlen(token.text) != token.length) {
        GV_TEXT_FAIL(a, "%s holds NUL", what);
        return NULL;
    }
    return gv_asm_next(a) ? token.text : NULL;
}

bool gv_asm_skip_word(struct gv_assembler *a, const char *word, bool *found)
{
    *found = gv_asm_is_word(a, word);
    return !*found || gv_asm_next(a);
}

// ---- numbers ----

static uint32_t float_bits(double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

static bool take_sign(struct gv_assembler *a, bool *negative)
{
    *negative = gv_asm_is_mark(a, '-');
    return !(*negative || gv_asm_is_mark(a, '+')) || gv_asm_next(a);
}

bool gv_asm_integer(struct gv_assembler *a, uint64_t *value)
{
    bool negative;
    struct gv_number_text number;
    *value = 0;
    if (!take_sign(a, &negative))
        return false;
    const struct gv_symbol *named = NULL;
    if (gv_asm_is_word(a, NULL))
        named = gv_asm_find(a, a->lex.token.text);
    if (named && named->kind == GV_SYMBOL_VALUE) {
        *value = negative ? -named->value : named->value;
        return gv_asm_next(a);
    }
    if (!gv_asm_is_word(a, NULL) || !gv_number_parse(a->lex.token.text, &number))
        return GV_TEXT_FAIL(a, "expected a number, not \"%s\"", a->lex.token.text);
    if (number.is_float)
        *value = float_bits(negative ? -number.real : number.real);
    else
        *value = negative ? -number.integer : number.integer;
    return gv_asm_next(a);
}

bool gv_asm_u32(struct gv_assembler *a, uint32_t *value)
{
    const struct gv_token token = a->lex.token;
    uint64_t wide = 0;
    if (!gv_asm_integer(a, &wide))
        return false;
    if (wide > UINT32_MAX)
        return gv_token_fail(&token, a->err, "\"%s\" does not fit 32 bits", token.text);
    *value = (uint32_t)wide;
    return true;
}

bool gv_asm_f32_bits(struct gv_assembler *a, uint32_t *bits)
{
    bool negative;
    struct gv_number_text number;
    if (!take_sign(a, &negative))
        return false;
    if (!gv_asm_is_word(a, NULL) || !gv_number_parse(a->lex.token.text, &number))
        return GV_TEXT_FAIL(a, "expected a number, not \"%s\"", a->lex.token.text);
    if (number.is_hex && number.integer > UINT32_MAX)
        return GV_TEXT_FAIL(a, "\"%s\" does not fit 32 bits", a->lex.token.text);
    if (number.is_hex)
        *bits = (uint32_t)number.integer ^ (negative ? 0x80000000u : 0);
    else
        *bits = float_bits(negative ? -number.real : number.real);
    return gv_asm_next(a);
}

static bool enum_word(struct gv_assembler *a, enum gv_enum_id id, uint64_t *value)
{
    struct gv_number_text number;
    const char *word = a->lex.token.text;
    // A name that reads as a number (QUERY_RESULT has 64) is a number.
    if (gv_asm_is_mark(a, '-') ||
        (gv_asm_is_word(a, NULL) && gv_number_parse(word, &number)))
        return gv_asm_integer(a, value);
    if (!gv_asm_is_word(a, NULL) || !gv_enum_value_find(id, word, value))
        return GV_TEXT_FAIL(a, "\"%s\" is no %s", word, gv_enum_name(id));
    return gv_asm_next(a);
}

bool gv_asm_enum(struct gv_assembler *a, enum gv_enum_id id, uint64_t *value)
{
    if (!enum_word(a, id, value))
        return false;
    while (gv_enum_is_flags(id) && gv_asm_is_mark(a, '|')) {
        uint64_t more = 0;
        if (!gv_asm_next(a) || !enum_word(a, id, &more))
            return false;
        *value |= more;
    }
    return true;
}

bool gv_asm_format(struct gv_assembler *a, uint64_t *value)
{
    struct gv_number_text number;
    const char *word = a->lex.token.text;
    if (gv_asm_is_word(a, "none")) {
        *value = GV_FORMAT_NONE;
        return gv_asm_next(a);
    }
    if (gv_asm_is_word(a, NULL) && gv_number_parse(word, &number))
        return gv_asm_integer(a, value);
    *value = gv_asm_is_word(a, NULL) ? gv_format_find(word) : GV_FORMAT_NONE;
    if (*value == GV_FORMAT_NONE)
        return GV_TEXT_FAIL(a, "\"%s\" is no format", word);
    return gv_asm_next(a);
}

// ---- names ----

static size_t name_place(const struct gv_assembler *a, const char *name)
{
    struct gv_hash hash = gv_hash_bytes(name, strlen(name));
    size_t at = (size_t)(hash.bytes[0] | hash.bytes[1] << 8 | hash.bytes[2] << 16);
    at &= a->table_size - 1;
    while (a->table[at] && strcmp(a->table[at]->name, name) != 0)
        at = (at + 1) & (a->table_size - 1);
    return at;
}

const struct gv_symbol *gv_asm_find(const struct gv_assembler *a, const char *name)
{
    return a->table_size ? a->table[name_place(a, name)] : NULL;
}

static bool grow_table(struct gv_assembler *a)
{
    struct gv_symbol **old = a->table;
    size_t old_size = a->table_size;
    if (a->symbol_count * 2 < old_size)
        return true;
    size_t size = old_size ? old_size * 2 : 256;
    struct gv_symbol **table = calloc(size, sizeof(void *));
    if (!table)
        return gv_out_of_memory(a->err);
    a->table = table;
    a->table_size = size;
    for (size_t i = 0; i < old_size; i++)
        if (old[i])
            table[name_place(a, old[i]->name)] = old[i];
    free((void *)old);
    return true;
}

bool gv_asm_define(struct gv_assembler *a, const struct gv_token *name,
                   struct gv_symbol symbol)
{
    struct gv_number_text number;
    if (name->kind != GV_TOKEN_WORD || name->text[0] == '.' ||
        gv_number_parse(name->text, &number))
        return gv_token_fail(name, a->err, "\"%s\" cannot be a name", name->text);
    if (!grow_table(a))
        return false;
    size_t at = name_place(a, name->text);
    if (a->table[at])
        return gv_token_fail(name, a->err, "\"%s\" is defined twice", name->text);
    struct gv_symbol *copy = gv_arena_alloc(&a->arena, sizeof *copy);
    if (!copy)
        return gv_out_of_memory(a->err);
    *copy = symbol;
    copy->name = name->text;
    a->table[at] = copy;
    a->symbol_count++;
    return true;
}

// ---- statements ----

static bool write_out(void *context, const void *data, size_t size,
                      struct gv_error *err)
{
    struct gv_bytes *out = context;
    gv_bytes_put(out, data, size);
    return !out->failed || gv_out_of_memory(err);
}

static bool begin_writer(struct gv_assembler *a)
{
    const struct gv_writer_params params = {
        .write = write_out,
        .context = a->out,
        .level = a->level,
        .jobs = 1,
        .thin = a->thin,
    };
    if (!a->writer)
        a->writer = gv_payload_writer_create(&params, a->err);
    return a->writer != NULL;
}

static bool payload_level(struct gv_assembler *a)
{
    uint64_t level = 0;
    if (!gv_asm_expect_mark(a, '=') || !gv_asm_integer(a, &level))
        return false;
    if (level < GV_CODEC_MIN_LEVEL || level > GV_CODEC_MAX_LEVEL)
        return GV_TEXT_FAIL(a, "the level is not in 1..19");
    a->level = (int)level;
    return true;
}

static bool payload_commands(struct gv_assembler *a)
{
    return gv_asm_expect_mark(a, '=') && gv_asm_integer(a, &a->stated_commands);
}

static bool directive_payload(struct gv_assembler *a)
{
    if (a->writer)
        return GV_TEXT_FAIL(a, ".payload must be the first statement");
    while (!gv_asm_at_end(a)) {
        const struct gv_token token = a->lex.token;
        const char *word =
            gv_asm_take_word(a, "exact, thin, incomplete, joined, level= or commands=");
        if (!word)
            return false;
        if (strcmp(word, "level") == 0) {
            if (!payload_level(a))
                return false;
        } else if (strcmp(word, "commands") == 0) {
            if (!payload_commands(a))
                return false;
        } else if (strcmp(word, "exact") == 0) {
            a->exact = true;
        } else if (strcmp(word, "thin") == 0) {
            a->thin = true;
        } else if (strcmp(word, "incomplete") == 0) {
            a->incomplete = true;
        } else if (strcmp(word, "joined") == 0) {
            a->joined = true;
        } else {
            return gv_token_fail(&token, a->err, "unexpected \"%s\"", word);
        }
    }
    if (a->thin && !a->exact)
        return GV_TEXT_FAIL(a, "thin without exact");
    return begin_writer(a);
}

typedef bool (*directive_fn)(struct gv_assembler *a);

static bool directive(struct gv_assembler *a)
{
    static const struct {
        const char *name;
        directive_fn perform;
    } rows[] = {
        { ".const", gv_asm_directive_const },
        { ".resource", gv_asm_directive_resource },
        { ".volatile", gv_asm_directive_volatile },
        { ".value", gv_asm_directive_value },
        { ".graphics", gv_asm_directive_graphics },
        { ".compute", gv_asm_directive_compute },
        { ".sampler", gv_asm_directive_sampler },
        { ".ranges", gv_asm_directive_ranges },
    };
    const struct gv_token name = a->lex.token;
    bool ok;
    if (!gv_asm_next(a))
        return false;
    if (strcmp(name.text, ".payload") == 0)
        return directive_payload(a);
    if (!begin_writer(a))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(name.text, rows[i].name) == 0)
            return rows[i].perform(a);
    if (gv_asm_directive_table(a, name.text, &ok))
        return ok;
    return gv_token_fail(&name, a->err, "unknown directive \"%s\"", name.text);
}

// SLOT = CALL(...), behind the `=`.
static bool assignment(struct gv_assembler *a, const struct gv_token *slot,
                       enum gv_kind kind)
{
    if (!gv_asm_next(a))
        return false;
    const struct gv_token call = a->lex.token;
    if (!gv_asm_take_word(a, "a call"))
        return false;
    return gv_asm_call_statement(a, &call, slot, kind);
}

static bool label(struct gv_assembler *a, const struct gv_token *name)
{
    if (!gv_asm_open_chunk(a) || !gv_asm_next(a))
        return false;
    for (size_t i = 0; i < a->label_count; i++)
        if (strcmp(a->labels[i].name, name->text) == 0)
            return gv_token_fail(name, a->err, "label \"%s\" stands twice", name->text);
    if (a->label_count == GV_TEXT_MAX_LABELS)
        return gv_token_fail(name, a->err, "too many labels in a chunk");
    a->labels[a->label_count++] = (struct gv_label){ name->text, a->code.size };
    return true;
}

static bool code_statement(struct gv_assembler *a)
{
    struct gv_token first = a->lex.token;
    if (!begin_writer(a) || !gv_asm_take_word(a, "a statement"))
        return false;
    while (gv_asm_is_mark(a, ':')) { // labels may share a line with what they mark
        if (!label(a, &first))
            return false;
        if (gv_asm_at_end(a))
            return true;
        first = a->lex.token;
        if (!gv_asm_take_word(a, "a statement"))
            return false;
    }
    if (gv_asm_is_mark(a, '('))
        return gv_asm_call_statement(a, &first, NULL, GV_KIND_NONE);
    if (gv_asm_is_mark(a, '='))
        return assignment(a, &first, GV_KIND_NONE);
    enum gv_kind kind = gv_text_kind_find(first.text);
    if (kind == GV_KIND_NONE || !gv_asm_is_word(a, NULL))
        return gv_asm_instruction(a, &first);
    const struct gv_token slot = a->lex.token;
    if (!gv_asm_next(a))
        return false;
    if (!gv_asm_is_mark(a, '='))
        return GV_TEXT_FAIL(a, "expected \"=\", not \"%s\"", a->lex.token.text);
    return assignment(a, &slot, kind);
}

static bool statement(struct gv_assembler *a)
{
    if (gv_asm_at_end(a))
        return gv_asm_expect_end(a);
    bool ok = gv_asm_is_word(a, NULL) && a->lex.token.text[0] == '.'
                  ? directive(a)
                  : code_statement(a);
    if (!ok)
        return false;
    return gv_asm_expect_end(a);
}

// ---- the whole ----

// Limits as stated or else as computed.
static void put_limits(struct gv_assembler *a)
{
    struct gv_limits limits = a->computed;
    const struct gv_limits *stated = &a->stated;
    limits.volatile_bytes = (a->volatile_used + 63) & ~(uint64_t)63;
    if (a->exact)
        return;
    if (stated->volatile_bytes != UINT64_MAX)
        limits.volatile_bytes = stated->volatile_bytes;
    if (stated->map_bytes != UINT64_MAX)
        limits.map_bytes = stated->map_bytes;
    if (stated->stack_cells != UINT32_MAX)
        limits.stack_cells = stated->stack_cells;
    if (stated->objects != UINT32_MAX)
        limits.objects = stated->objects;
    if (stated->instructions != UINT64_MAX)
        limits.instructions = stated->instructions;
    if (stated->object_bytes != UINT64_MAX)
        limits.object_bytes = stated->object_bytes;
    gv_writer_limits(a->writer, &limits);
}

static bool assemble(struct gv_assembler *a, const char *text, size_t size)
{
    if (!gv_lexer_begin(&a->lex, text, size, &a->arena, a->err))
        return false;
    while (a->lex.token.kind != GV_TOKEN_END)
        if (!statement(a))
            return false;
    if (!begin_writer(a) || !gv_asm_close_chunk(a))
        return false;
    put_limits(a);
    gv_writer_commands(a->writer, a->exact ? a->stated_commands : a->next_command);
    if (a->joined)
        gv_writer_joined(a->writer);
    return gv_writer_close(a->writer, !a->incomplete, a->err);
}

bool gv_text_assemble(const char *text, size_t size,
                      const struct gv_assemble_params *params, struct gv_bytes *out,
                      struct gv_error *err)
{
    static const struct gv_assemble_params no_params;
    size_t start = out->size;
    struct gv_assembler *a = calloc(1, sizeof *a);
    if (!a)
        return gv_out_of_memory(err);
    a->params = params ? params : &no_params;
    a->err = err;
    a->out = out;
    a->level = GV_CODEC_DEFAULT_LEVEL;
    a->repeat[0] = 1;
    a->stated = (struct gv_limits){ UINT64_MAX, UINT64_MAX, UINT32_MAX,
                                    UINT32_MAX, UINT64_MAX, UINT64_MAX };
    bool ok = assemble(a, text, size);
    if (!ok)
        out->size = start;
    gv_payload_writer_destroy(a->writer);
    gv_source_destroy(a->source);
    gv_bytes_finish(&a->slots);
    gv_bytes_finish(&a->resource_sizes);
    gv_bytes_finish(&a->groups);
    gv_bytes_finish(&a->code);
    free((void *)a->table);
    gv_arena_finish(&a->arena);
    free(a);
    return ok;
}
