#include "tools/base/json_check.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "resources/base/foreign.h"

#define MAX_DEPTH 32

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static bool skip(const char **at, char c)
{
    skip_blanks(at);
    if (**at != c)
        return false;
    ++*at;
    return true;
}

static bool skip_escape(const char **at)
{
    if (**at != 'u')
        return **at && strchr("\"\\/bfnrt", *(*at)++);
    ++*at;
    for (int i = 0; i < 4; i++)
        if (!isxdigit((unsigned char)*(*at)++))
            return false;
    return true;
}

static bool skip_text(const char **at)
{
    if (!skip(at, '"'))
        return false;
    while (**at != '"') {
        uint32_t code;
        size_t length = gv_utf8_next(*at, &code);
        if (length == 0 || gv_is_control(code)) // the end is a control character
            return false;
        *at += length;
        if (code == '\\' && !skip_escape(at))
            return false;
    }
    ++*at;
    return true;
}

static bool skip_digits(const char **at)
{
    size_t digits = strspn(*at, "0123456789");
    *at += digits;
    return digits > 0;
}

static bool skip_number(const char **at)
{
    if (**at == '-')
        ++*at;
    if (**at == '0')
        ++*at;
    else if (!skip_digits(at))
        return false;
    if (**at == '.' && (++*at, !skip_digits(at)))
        return false;
    if (**at != 'e' && **at != 'E')
        return true;
    ++*at;
    if (**at == '+' || **at == '-')
        ++*at;
    return skip_digits(at);
}

static bool skip_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    bool same = strncmp(*at, word, length) == 0;
    *at += same ? length : 0;
    return same;
}

static bool skip_value(const char **at, int depth);

// Members of an object or elements of an array, `open` being stepped over.
static bool skip_list(const char **at, char close, bool members, int depth)
{
    if (depth == MAX_DEPTH)
        return false;
    if (skip(at, close))
        return true;
    do {
        if (members && !(skip_text(at) && skip(at, ':')))
            return false;
        if (!skip_value(at, depth + 1))
            return false;
    } while (skip(at, ','));
    return skip(at, close);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as MAX_DEPTH
static bool skip_value(const char **at, int depth)
{
    skip_blanks(at);
    switch (**at) {
    case '{':
        ++*at;
        return skip_list(at, '}', true, depth);
    case '[':
        ++*at;
        return skip_list(at, ']', false, depth);
    case '"':
        return skip_text(at);
    case 't':
        return skip_word(at, "true");
    case 'f':
        return skip_word(at, "false");
    case 'n':
        return skip_word(at, "null");
    }
    return skip_number(at);
}

bool gv_json_is_object(const char *text)
{
    const char *at = text;
    skip_blanks(&at);
    if (*at != '{' || !skip_value(&at, 0))
        return false;
    skip_blanks(&at);
    return !*at;
}
