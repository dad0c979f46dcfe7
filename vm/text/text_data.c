// Data in the text form: constants, resources and ranges of volatile memory.
#include "resources/base/checked.h"
#include "resources/base/file.h"
#include "vm/text/text_assembler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONSTANT_ALIGNMENT 16
#define VOLATILE_ALIGNMENT 64
#define MAX_DATA_BYTES ((size_t)1 << 31)

static size_t data_max(const struct gv_assembler *a)
{
    const size_t wanted = a->params->data_max;
    return wanted && wanted < MAX_DATA_BYTES ? wanted : MAX_DATA_BYTES;
}

static bool check_size(struct gv_assembler *a, const struct gv_bytes *out)
{
    if (out->failed)
        return gv_out_of_memory(a->err);
    return out->size <= data_max(a) || GV_TEXT_FAIL(a, "too much data");
}

// ---- parts ----

// `u8` ... `i64`: the width in bytes, or 0.
static unsigned integer_width(const char *type, bool *is_signed)
{
    static const struct {
        const char *name;
        unsigned width;
    } rows[] = { { "u8", 1 }, { "u16", 2 }, { "u32", 4 }, { "u64", 8 },
                 { "i8", 1 }, { "i16", 2 }, { "i32", 4 }, { "i64", 8 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(type, rows[i].name) == 0) {
            *is_signed = type[0] == 'i';
            return rows[i].width;
        }
    return 0;
}

static bool at_number(const struct gv_assembler *a)
{
    struct gv_number_text number;
    if (gv_asm_is_mark(a, '-') || gv_asm_is_mark(a, '+'))
        return true;
    if (!gv_asm_is_word(a, NULL))
        return false;
    const struct gv_symbol *named = gv_asm_find(a, a->lex.token.text);
    return gv_number_parse(a->lex.token.text, &number) ||
           (named && named->kind == GV_SYMBOL_VALUE);
}

static bool integers(struct gv_assembler *a, unsigned width, bool is_signed,
                     struct gv_bytes *out)
{
    while (at_number(a)) {
        const struct gv_token token = a->lex.token;
        bool negative = gv_asm_is_mark(a, '-');
        uint64_t value;
        if (!gv_asm_integer(a, &value))
            return false;
        uint64_t top = width < 8 ? (uint64_t)1 << (8 * width) : 0;
        bool fits = width == 8 || (negative ? is_signed && -value <= top / 2
                                            : value < (is_signed ? top / 2 : top));
        if (!fits)
            return gv_token_fail(&token, a->err, "the number does not fit %u bits",
                                 8 * width);
        for (unsigned i = 0; i < width; i++)
            gv_bytes_u8(out, (uint8_t)(value >> (8 * i)));
    }
    return true;
}

static bool floats(struct gv_assembler *a, struct gv_bytes *out)
{
    while (at_number(a)) {
        uint32_t bits;
        if (!gv_asm_f32_bits(a, &bits))
            return false;
        gv_bytes_u32(out, bits);
    }
    return true;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool is_hex_word(const struct gv_assembler *a)
{
    if (!gv_asm_is_word(a, NULL) || a->lex.token.length % 2)
        return false;
    for (const char *c = a->lex.token.text; *c; c++)
        if (digit(*c) < 0)
            return false;
    return true;
}

static bool hex(struct gv_assembler *a, struct gv_bytes *out)
{
    while (is_hex_word(a)) {
        uint8_t *at = gv_bytes_grow(out, a->lex.token.length / 2);
        const char *c = a->lex.token.text;
        for (; at && *c; c += 2)
            *at++ = (uint8_t)((unsigned)digit(c[0]) << 4 | (unsigned)digit(c[1]));
        if (!gv_asm_next(a))
            return false;
    }
    return true;
}

static bool contents(struct gv_assembler *a, struct gv_bytes *out)
{
    const struct gv_token token = a->lex.token;
    struct gv_error mine = GV_ERROR_INIT;
    struct gv_file file;
    char path[4096];
    const char *name = gv_asm_take_string(a, "a file name");
    if (!name)
        return false;
    const char *folder = name[0] == '/' ? NULL : a->params->include_folder;
    int n = snprintf(path, sizeof path, "%s%s%s", folder ? folder : "",
                     folder ? "/" : "", name);
    if (n < 0 || (size_t)n >= sizeof path)
        return gv_token_fail(&token, a->err, "the file name is too long");
    if (a->params->included)
        a->params->included(a->params->context, path);
    if (!gv_file_load(&file, path, data_max(a), &mine))
        return gv_token_fail(&token, a->err, "%s", mine.message);
    gv_bytes_put(out, file.data, file.size);
    gv_file_close(&file);
    return true;
}

static bool zeros(struct gv_assembler *a, struct gv_bytes *out)
{
    uint64_t count;
    if (!gv_asm_integer(a, &count))
        return false;
    if (count > data_max(a))
        return GV_TEXT_FAIL(a, "too much data");
    uint8_t *at = gv_bytes_grow(out, (size_t)count);
    if (at && count)
        memset(at, 0, (size_t)count);
    return true;
}

static bool parts(struct gv_assembler *a, unsigned depth, struct gv_bytes *out);

static bool repeat(struct gv_assembler *a, unsigned depth, struct gv_bytes *out)
{
    uint64_t count, bytes;
    struct gv_bytes once = { 0 };
    if (!gv_asm_integer(a, &count) || !gv_asm_expect_mark(a, '('))
        return false;
    bool ok = parts(a, depth + 1, &once) && gv_asm_expect_mark(a, ')');
    if (ok && (!gv_mul_u64(count, once.size, &bytes) || bytes > data_max(a)))
        ok = GV_TEXT_FAIL(a, "too much data");
    for (uint64_t i = 0; ok && once.size && i < count; i++)
        gv_bytes_put(out, once.data, once.size);
    gv_bytes_finish(&once);
    return ok;
}

static bool part(struct gv_assembler *a, unsigned depth, struct gv_bytes *out)
{
    const struct gv_token token = a->lex.token;
    const char *type = gv_asm_take_word(a, "a data type");
    bool is_signed = false, ok;
    if (!type)
        return false;
    unsigned width = integer_width(type, &is_signed);
    // Parentheses only let the numbers of a part span lines.
    bool inside = strcmp(type, "repeat") != 0 && gv_asm_is_mark(a, '(');
    if (inside && !gv_asm_next(a))
        return false;
    if (width)
        ok = integers(a, width, is_signed, out);
    else if (strcmp(type, "f32") == 0)
        ok = floats(a, out);
    else if (strcmp(type, "hex") == 0)
        ok = hex(a, out);
    else if (strcmp(type, "file") == 0)
        ok = contents(a, out);
    else if (strcmp(type, "zero") == 0)
        ok = zeros(a, out);
    else if (strcmp(type, "repeat") == 0)
        ok = repeat(a, depth, out);
    else if (strcmp(type, "text") == 0 && a->lex.token.kind == GV_TOKEN_STRING) {
        gv_bytes_put(out, a->lex.token.text, a->lex.token.length);
        ok = gv_asm_next(a);
    } else
        return gv_token_fail(&token, a->err, "\"%s\" is no data type", type);
    return ok && (!inside || gv_asm_expect_mark(a, ')')) && check_size(a, out);
}

static bool parts(struct gv_assembler *a, unsigned depth, struct gv_bytes *out)
{
    if (depth > 8)
        return GV_TEXT_FAIL(a, "repeat is nested too deep");
    while (!gv_asm_at_end(a) && !gv_asm_is_mark(a, ')')) {
        if (gv_asm_is_mark(a, '(')) {
            if (!gv_asm_next(a) || !parts(a, depth + 1, out) ||
                !gv_asm_expect_mark(a, ')'))
                return false;
        } else if (!part(a, depth, out)) {
            return false;
        }
    }
    return true;
}

bool gv_asm_data(struct gv_assembler *a, struct gv_bytes *out)
{
    return parts(a, 0, out);
}

// ---- directives ----

static bool take_name(struct gv_assembler *a, struct gv_token *name)
{
    *name = a->lex.token;
    return gv_asm_take_word(a, "a name") != NULL;
}

static bool take_alignment(struct gv_assembler *a, uint64_t *alignment)
{
    bool found;
    if (!gv_asm_skip_word(a, "align", &found))
        return false;
    if (!found)
        return true;
    if (!gv_asm_expect_mark(a, '=') || !gv_asm_integer(a, alignment))
        return false;
    if (*alignment == 0 || *alignment > 4096 || (*alignment & (*alignment - 1)))
        return GV_TEXT_FAIL(a, "an alignment is a power of two up to 4096");
    return true;
}

bool gv_asm_add_constant(struct gv_assembler *a, const struct gv_token *name,
                         const struct gv_bytes *bytes, size_t alignment)
{
    if (bytes->failed)
        return gv_out_of_memory(a->err);
    if (a->exact)
        return gv_token_fail(name, a->err, "exact text has .constants alone");
    uint32_t address =
        gv_writer_constant(a->writer, bytes->data, bytes->size, alignment);
    return gv_asm_define(a, name,
                         (struct gv_symbol){ .kind = GV_SYMBOL_CONSTANT,
                                             .value = address,
                                             .size = bytes->size });
}

bool gv_asm_directive_const(struct gv_assembler *a)
{
    struct gv_token name;
    struct gv_bytes bytes = { 0 };
    uint64_t alignment = CONSTANT_ALIGNMENT;
    bool ok = take_name(a, &name) && take_alignment(a, &alignment) &&
              gv_asm_data(a, &bytes) &&
              gv_asm_add_constant(a, &name, &bytes, (size_t)alignment);
    gv_bytes_finish(&bytes);
    return ok;
}

static bool add_resource(struct gv_assembler *a, const struct gv_token *name,
                         const struct gv_bytes *bytes)
{
    if (a->exact)
        return gv_token_fail(name, a->err, "exact text has .group alone");
    if (bytes->size == 0)
        return gv_token_fail(name, a->err, "the resource \"%s\" is empty", name->text);
    uint64_t size = bytes->size;
    uint32_t index = gv_writer_resource(a->writer, bytes->data, bytes->size);
    gv_bytes_put(&a->resource_sizes, &size, sizeof size);
    return gv_asm_define(
        a, name,
        (struct gv_symbol){ .kind = GV_SYMBOL_RESOURCE, .value = index, .size = size });
}

bool gv_asm_directive_resource(struct gv_assembler *a)
{
    struct gv_token name;
    struct gv_bytes bytes = { 0 };
    bool ok =
        take_name(a, &name) && gv_asm_data(a, &bytes) && add_resource(a, &name, &bytes);
    gv_bytes_finish(&bytes);
    return ok;
}

bool gv_asm_directive_volatile(struct gv_assembler *a)
{
    struct gv_token name;
    uint64_t size, alignment = VOLATILE_ALIGNMENT, address, end;
    if (!take_name(a, &name) || !gv_asm_integer(a, &size) ||
        !take_alignment(a, &alignment))
        return false;
    if (!gv_align_u64(a->volatile_used, alignment, &address) ||
        !gv_add_u64(address, size, &end))
        return gv_token_fail(&name, a->err, "volatile memory is too large");
    a->volatile_used = end;
    return gv_asm_define(a, &name,
                         (struct gv_symbol){ .kind = GV_SYMBOL_VOLATILE,
                                             .value = address,
                                             .size = size });
}

bool gv_asm_directive_value(struct gv_assembler *a)
{
    struct gv_token name;
    uint64_t value;
    return take_name(a, &name) && gv_asm_integer(a, &value) &&
           gv_asm_define(a, &name,
                         (struct gv_symbol){ .kind = GV_SYMBOL_VALUE, .value = value });
}
