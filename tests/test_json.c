#include "tools/json.h"

#include "tests/test.h"

static const struct {
    const char *name, *text, *json;
} texts[] = {
    { "plain", "a", "\"a\"" },
    { "quote", "a\"b\\c", "\"a\\\"b\\\\c\"" },
    { "control", "a\n\x01\x7f", "\"a\\n\\u0001\\u007f\"" },
    { "utf8", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xae",
      "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xae\"" },
    { "c1",
      "a\xc2\x9b"
      "31m",
      "\"a\\u009b31m\"" },
    { "bidi",
      "a\xe2\x80\xae"
      "b",
      "\"a\\u202eb\"" },
    { "tag", "a\xf3\xa0\x80\xa1", "\"a\\udb40\\udc21\"" },
    { "stray_byte", "a\x80z", "\"a\\ufffdz\"" },
    { "overlong", "\xc0\xaf", "\"\\ufffd\\ufffd\"" },
    { "surrogate", "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" },
    { "cut_short", "\xe2\x82", "\"\\ufffd\\ufffd\"" },
};

static bool is(const struct gv_json *j, const char *text)
{
    return j->out.size == strlen(text) && memcmp(j->out.data, text, j->out.size) == 0;
}

int main(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct gv_json j = { 0 };
        gv_json_text(&j, NULL, texts[i].text);
        CHECK_ROW(texts[i].name, is(&j, texts[i].json));
        gv_json_finish(&j);
    }
    struct gv_json j = { 0 };
    gv_json_begin(&j, NULL);
    gv_json_number(&j, "n", UINT64_MAX);
    gv_json_array(&j, "a");
    gv_json_begin(&j, NULL);
    gv_json_bool(&j, "b", true);
    gv_json_end(&j);
    gv_json_raw(&j, NULL, "{}");
    gv_json_array_end(&j);
    gv_json_real(&j, "r", 0.5);
    gv_json_end(&j);
    CHECK(is(&j, "{\"n\":18446744073709551615,\"a\":[{\"b\":true},{}],\"r\":0.5}"));
    gv_json_finish(&j);
    return TEST_RESULT();
}
