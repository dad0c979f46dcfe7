// JSON as it is written: escapes, numbers, nesting.
#include "tools/base/json.h"
#include "tools/json_check.h"

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
      // NOLINTNEXTLINE(misc-misleading-bidirectional)
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

static const struct {
    const char *name, *text;
    bool object;
} objects[] = {
    { "empty", "{}", true },
    { "blanks", " { \t\r\n } \n", true },
    { "all",
      "{\"a\":[1,-0,0.5,1e9,2E-3,true,false,null,\"\\u00e9\\n\",{}],\"b\":{\"\":[]}}",
      true },
    { "utf8", "{\"\xc3\xa9\":\"\xe2\x82\xac\"}", true },
    { "nothing", "", false },
    { "array", "[]", false },
    { "text", "\"a\"", false },
    { "two", "{}{}", false },
    { "open", "{\"a\":1", false },
    { "comma", "{\"a\":1,}", false },
    { "bare_key", "{a:1}", false },
    { "no_value", "{\"a\"}", false },
    { "leading_zero", "{\"a\":01}", false },
    { "no_fraction", "{\"a\":1.}", false },
    { "no_exponent", "{\"a\":1e}", false },
    { "nan", "{\"a\":NaN}", false },
    { "plus", "{\"a\":+1}", false },
    { "escape", "{\"a\":\"\\x41\"}", false },
    { "short_escape", "{\"a\":\"\\u00e\"}", false },
    { "escape_cut", "{\"a\":\"\\", false },
    { "control", "{\"a\":\"\x01\"}", false },
    { "delete", "{\"a\":\"\x7f\"}", false },
    { "c1", "{\"a\":\"\xc2\x9b\"}", false },
    { "latin1", "{\"a\":\"\xe9\"}", false },
    { "injection", "{},\"status\":\"ok\"", false },
    { "deep",
      "{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
      "]]]]]]]}",
      false },
};

int main(void)
{
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        CHECK_ROW(objects[i].name,
                  gv_json_is_object(objects[i].text) == objects[i].object);
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
