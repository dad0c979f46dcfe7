// Each form of hash over known pictures.
#include "tools/verdict/hash_frame.h"

#include "tests/test.h"

// Made with sha256sum, sha1sum, md5sum and xxhsum -H2 of the bytes that the form
// covers.
static const uint8_t picture[2 * 4] = { 1, 2, 3, 4, 5, 6, 7, 8 }; // 2 x 1

static const struct {
    const char *name, *text;
} cases[] = {
    { "sha256-rgba",
      "5edafcdc512a3bd9296c32e7db7bcbfbc5f83c87a1909702fa0f20a67f27341f" },
    { "sha256-rgb",
      "e7181ffc00470ed4889b9a5578e81dd09ae803a33a8946cbcc20c3208b35b7e8" },
    { "md5-rgba", "0ee0646c1c77d8131cc8f4ee65c7673b" },
    { "md5-rgb", "a46eac6e9c4e0370c7e16c75ef0d4e50" },
    { "sha1-rgb", "278c4d9ec2a62dea79663bc220bf75d7e865b946" },
    { "xxh3-rgba", "2ab463fddb09a0b83e8675c57268fb02" },
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum gv_hash_form form;
        char text[GV_HASH_FRAME_TEXT], expected[GV_HASH_FRAME_TEXT];
        CHECK_ROW(cases[i].name,
                  gv_hash_form_find(cases[i].name, strlen(cases[i].name), &form));
        CHECK_ROW(cases[i].name, gv_hash_frame(text, form, picture, 2, 1));
        snprintf(expected, sizeof expected, "%s:%s", cases[i].name, cases[i].text);
        CHECK_ROW(cases[i].name, strcmp(text, expected) == 0);
    }
    enum gv_hash_form form;
    CHECK(!gv_hash_form_find("sha256", 6, &form));
    CHECK(!gv_hash_form_find("sha256-rgbax", 12, &form));
    return TEST_RESULT();
}
