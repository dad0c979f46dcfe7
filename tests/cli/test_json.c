// JSON as it is written and read: escapes, numbers, nesting.
#include "tools/base/json.h"
#include "tools/base/json_check.h"
#include "tools/base/json_read.h"

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

// What is written is what is read.
static void test_texts_back(const char *name, const char *json, const char *text)
{
    char back[64];
    CHECK_ROW(name, gv_json_copy(json, back, sizeof back) && strcmp(back, text) == 0);
    CHECK_ROW(name, gv_json_copy(json, back, strlen(text) + 1));
    CHECK_ROW(name, !gv_json_copy(json, back, strlen(text)));
}

static void test_read(void)
{
    static const char text[] =
        " { \"a\" : [ 1 , {\"a\":\"]}\\\"\"}, [], \"x\" ] ,\"b\":true, "
        "\"n\":12,\"r\":-0.5,"
        "\"e\":{ } , \"z\":\"\\u0000\",\"h\":\"\\ud83c\",\"o\":99999999999999999999}";
    CHECK(gv_json_is_object(text));
    const char *object = text + 1;
    const char *at = gv_json_first(gv_json_member(object, "a"));
    char word[8];
    CHECK(gv_json_whole(at, 0) == 1);
    at = gv_json_after(at);
    CHECK(gv_json_copy(gv_json_member(at, "a"), word, sizeof word) &&
          strcmp(word, "]}\"") == 0);
    at = gv_json_after(at);
    CHECK(at && !gv_json_first(at));
    at = gv_json_after(at);
    CHECK(gv_json_copy(at, word, sizeof word) && strcmp(word, "x") == 0);
    CHECK(!gv_json_after(at));
    CHECK(gv_json_true(gv_json_member(object, "b")));
    CHECK(gv_json_whole(gv_json_member(object, "n"), 0) == 12);
    CHECK(gv_json_whole(gv_json_member(object, "r"), 7) == 7);
    CHECK(gv_json_whole(gv_json_member(object, "o"), 7) == 7);
    CHECK(gv_json_double(gv_json_member(object, "r"), 0) < -0.4);
    CHECK(!gv_json_member(gv_json_member(object, "e"), "a"));
    CHECK(!gv_json_member(object, "absent") && !gv_json_member(NULL, "a"));
    CHECK(!gv_json_copy(gv_json_member(object, "z"), word, sizeof word));
    CHECK(!gv_json_copy(gv_json_member(object, "h"), word, sizeof word));
    CHECK(!gv_json_copy(gv_json_member(object, "n"), word, sizeof word));
}

int main(void)
{
    test_read();
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        CHECK_ROW(objects[i].name,
                  gv_json_is_object(objects[i].text) == objects[i].object);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct gv_json j = { 0 };
        gv_json_text(&j, NULL, texts[i].text);
        CHECK_ROW(texts[i].name, is(&j, texts[i].json));
        if (!strstr(texts[i].json, "\\ufffd")) // what was no text does not come back
            test_texts_back(texts[i].name, texts[i].json, texts[i].text);
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
