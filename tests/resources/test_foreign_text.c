// What of foreign text is shown, character by character.
#include "resources/base/foreign.h"

#include "tests/test.h"

static const struct {
    const char *name, *text, *line, *lines; // as one line, as many
} rows[] = {
    { "plain", "a b~", "a b~", "a b~" },
    { "white", "a\n\tb\r", "a  b?", "a\n\tb?" },
    { "c0", "\x1b[2J\x07\x7f", "?[2J??", "?[2J??" },
    { "c1", "\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "???\xc2\xa0", "???\xc2\xa0" },
    { "c1_bytes", "\x80\x9b\x9f\xa0", "????", "????" },
    // NOLINTNEXTLINE(misc-misleading-bidirectional)
    { "bidi", "\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x80\x8f", "????", "????" },
    { "separators", "\xe2\x80\xa8\xe2\x80\xa9", "??", "??" },
    { "unseen", "\xe2\x80\x8b\xef\xbb\xbf\xc2\xad\xf3\xa0\x81\x81", "????", "????" },
    { "letters", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xae",
      "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xae", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xae" },
    { "cut", "\xe2\x82", "??", "??" },
    { "surrogate", "\xed\xa0\x80", "???", "???" },
    { "too_high", "\xf4\x90\x80\x80", "????", "????" },
    { "overlong", "\xc0\xaf\xe0\x80\x80", "?????", "?????" },
};

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[64] = "", lines[64] = "";
        size_t size = strlen(rows[i].text);
        memcpy(line, rows[i].text, size);
        memcpy(lines, rows[i].text, size);
        gv_foreign_mask(line);
        gv_foreign_mask_lines(lines, &size);
        CHECK_ROW(rows[i].name, strcmp(line, rows[i].line) == 0);
        CHECK_ROW(rows[i].name, size == strlen(rows[i].lines));
        CHECK_ROW(rows[i].name, memcmp(lines, rows[i].lines, size) == 0);
    }
    size_t size = 3;
    char nul[] = "a\0b";
    gv_foreign_mask_lines(nul, &size);
    CHECK(size == 3 && memcmp(nul, "a?b", 3) == 0);
    // Every character is one sequence, and only the right ones of it are controls.
    for (uint32_t code = 1; code < 0x250; code++) {
        char text[3] = { (char)code };
        uint32_t got = 0;
        if (code > 0x7f) {
            text[0] = (char)(0xc0 | code >> 6);
            text[1] = (char)(0x80 | (code & 0x3f));
        }
        CHECK(gv_utf8_next(text, &got) == strlen(text) && got == code);
        CHECK(gv_utf8_valid(text, strlen(text)) &&
              !gv_utf8_valid(text, strlen(text) + 1));
        bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad;
        CHECK(gv_is_control(code) == control);
    }
    return TEST_RESULT();
}
