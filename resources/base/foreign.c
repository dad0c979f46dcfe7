#include "resources/base/foreign.h"

#include <string.h>

// The bytes after the first one of a sequence that begins with `first`; 0 for none.
// `low` and `high` bound the second byte.
static size_t tail_bytes(uint8_t first, uint8_t *low, uint8_t *high)
{
    *low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    *high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (first >= 0xc2 && first <= 0xdf)
        return 1;
    if (first >= 0xe0 && first <= 0xef)
        return 2;
    return first >= 0xf0 && first <= 0xf4 ? 3 : 0;
}

size_t gv_utf8_next(const char *text, uint32_t *code)
{
    const uint8_t *s = (const uint8_t *)text;
    uint8_t low, high;
    if (s[0] < 0x80) {
        *code = s[0];
        return 1;
    }
    size_t tail = tail_bytes(s[0], &low, &high);
    if (tail == 0 || s[1] < low || s[1] > high)
        return 0;
    *code = s[0] & (0x3fu >> tail);
    for (size_t i = 1; i <= tail; i++) { // a NUL ends it: it is no trail byte
        if (s[i] < 0x80 || s[i] > 0xbf)
            return 0;
        *code = *code << 6 | (s[i] & 0x3fu);
    }
    return tail + 1;
}

bool gv_utf8_valid(const void *text, size_t size)
{
    const char *s = text;
    while (size) {
        char next[5] = { 0 }; // the text need not end with a NUL
        uint32_t code;
        memcpy(next, s, size < 4 ? size : 4);
        size_t length = gv_utf8_next(next, &code);
        if (length == 0 || code == 0)
            return false;
        s += length;
        size -= length;
    }
    return true;
}

bool gv_is_control(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        { 0x00, 0x1f },       { 0x7f, 0x9f }, // C0, DEL and C1
        { 0xad, 0xad },                       // soft hyphen
        { 0x61c, 0x61c },                     // Arabic letter mark
        { 0x180e, 0x180e },                   // Mongolian vowel separator
        { 0x200b, 0x200f },                   // zero width; direction marks
        { 0x2028, 0x202e },                   // separators; direction overrides
        { 0x2060, 0x206f },                   // invisible operators; isolates
        { 0xfeff, 0xfeff },                   // byte order mark
        { 0xfff9, 0xfffb },                   // annotations
        { 0xe0000, 0xe0fff },                 // tags and variation selectors
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

// What stands for the character at `text`: itself, or one byte.
static char shown(const char *text, size_t *length, bool lines)
{
    uint32_t code = 0;
    *length = gv_utf8_next(text, &code);
    if (*length == 0) {
        *length = 1;
        return '?';
    }
    if (code == '\n' || code == '\t')
        return (char)(lines ? *text : ' ');
    return gv_is_control(code) ? '?' : 0;
}

// How many characters at the beginning are of ASCII and stand for themselves: nearly
// all of nearly every text.
static size_t plain_run(const char *text, size_t size, bool lines)
{
    size_t n = 0;
    while (n < size && ((text[n] >= ' ' && text[n] <= '~') ||
                        (lines && (text[n] == '\n' || text[n] == '\t'))))
        n++;
    return n;
}

// Behind the text stands a NUL.
static size_t mask(char *text, size_t size, bool lines)
{
    size_t to = 0, length;
    for (size_t from = 0; from < size; from += length) {
        size_t plain = plain_run(text + from, size - from, lines);
        if (to != from)
            memmove(text + to, text + from, plain);
        to += plain;
        from += plain;
        length = 0;
        if (from == size)
            break;
        char instead = shown(text + from, &length, lines);
        if (instead) {
            text[to++] = instead;
        } else {
            memmove(text + to, text + from, length);
            to += length;
        }
    }
    return to;
}

void gv_foreign_mask(char *text)
{
    text[mask(text, strlen(text), false)] = '\0';
}

void gv_foreign_mask_lines(char *text, size_t *size)
{
    *size = mask(text, *size, true);
}
