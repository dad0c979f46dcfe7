#include "tools/base/json_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

// Behind a text, whose quote `at` is.
static const char *skip_text(const char *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

static const char *skip_value(const char *at)
{
    if (*at == '"')
        return skip_text(at);
    if (*at != '{' && *at != '[')
        return at + strcspn(at, ",]} \t\r\n");
    size_t depth = 0;
    do {
        if (*at == '"') {
            at = skip_text(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    } while (depth);
    return at;
}

static const char *element_at(const char *at)
{
    at = skip_blanks(at);
    return *at == ']' || *at == '}' ? NULL : at;
}

const char *gv_json_first(const char *array)
{
    return array && *array == '[' ? element_at(array + 1) : NULL;
}

const char *gv_json_after(const char *element)
{
    if (!element)
        return NULL;
    const char *at = skip_blanks(skip_value(element));
    return *at == ',' ? skip_blanks(at + 1) : NULL;
}

const char *gv_json_member(const char *object, const char *key)
{
    const size_t length = strlen(key);
    const char *at = object && *object == '{' ? element_at(object + 1) : NULL;
    while (at) {
        const char *end = skip_text(at);
        const char *value = skip_blanks(skip_blanks(end) + 1); // behind the colon
        if ((size_t)(end - at) == length + 2 && memcmp(at + 1, key, length) == 0)
            return value;
        at = gv_json_after(value);
    }
    return NULL;
}

// Four digits, which are there.
static uint32_t unit(const char *digits)
{
    char text[5] = { 0 };
    memcpy(text, digits, 4);
    return (uint32_t)strtoul(text, NULL, 16);
}

// The character of an escape; `*at` is behind its backslash, and moves on. 0: none that
// a text of ours may hold.
static uint32_t escaped(const char **at)
{
    static const char letters[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    const char letter = *(*at)++;
    if (letter != 'u') {
        const char *pair = letters;
        while (pair[0] != letter)
            pair += 2;
        return (uint32_t)pair[1];
    }
    uint32_t code = unit(*at);
    *at += 4;
    if (code < 0xd800 || code > 0xdfff)
        return code;
    if (code > 0xdbff || (*at)[0] != '\\' || (*at)[1] != 'u')
        return 0;
    const uint32_t low = unit(*at + 2);
    *at += 6;
    return low < 0xdc00 || low > 0xdfff
               ? 0
               : 0x10000 + ((code - 0xd800) << 10) + low - 0xdc00;
}

// UTF-8 of a character; how many bytes.
static size_t put_character(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t heads[] = { 0, 0xc0, 0xe0, 0xf0 };
    for (size_t i = more; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(heads[more] | code);
    return more + 1;
}

bool gv_json_copy(const char *value, char *out, size_t size)
{
    size_t length = 0;
    if (!value || *value != '"' || !size)
        return false;
    for (const char *at = value + 1; *at != '"';) {
        char bytes[4] = { *at };
        size_t count = 1;
        if (*at++ == '\\') {
            const uint32_t code = escaped(&at);
            if (!code)
                return false;
            count = put_character(code, bytes);
        }
        if (count >= size - length)
            return false;
        memcpy(out + length, bytes, count);
        length += count;
    }
    out[length] = '\0';
    return true;
}

uint64_t gv_json_whole(const char *value, uint64_t otherwise)
{
    if (!value || !isdigit((unsigned char)*value))
        return otherwise;
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(value, &end, 10);
    return errno || end != skip_value(value) ? otherwise : number;
}

double gv_json_double(const char *value, double otherwise)
{
    return value && (isdigit((unsigned char)*value) || *value == '-')
               ? strtod(value, NULL)
               : otherwise;
}

bool gv_json_true(const char *value)
{
    return value && *value == 't';
}
