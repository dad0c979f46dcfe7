// Captures of other programs are known by their first bytes, and nothing else is.
#include "compiler/foreign_capture.h"

#include "tests/test.h"

#include <stdbool.h>

static const struct {
    const char *label, *bytes;
    size_t size;
    const char *name; // NULL: nothing known
} cases[] = {
#define ROW(label, bytes, name)               \
    {                                         \
        label, bytes, sizeof(bytes) - 1, name \
    }
    // Front-ends read these.
    ROW("gfxr", "GFXR\0\0\0\0\0\0\0\0\1\0\0\0", NULL),
    ROW("gfxtrace", "ProtoPack\r\n2.0\n\0", NULL),
    ROW("old_gfxtrace", "protopack\r\n1.0\n\0", NULL),
    ROW("rdc", "RDOC\0\0\0\0\2\1\0\0", "RenderDoc capture"),
    ROW("cut_magic", "GFX", NULL),
    ROW("zeros", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", NULL),
    ROW("empty", "", NULL),
    ROW("text", "at the beginning there was text", NULL),
    ROW("prose", "Once upon a time there was a capture of which nobody knew", NULL),
};

static void check(const char *label, const uint8_t *bytes, size_t size,
                  const char *name)
{
    uint8_t *exact = malloc(size ? size : 1); // sanitizers see what is read past it
    memcpy(exact, bytes, size);
    const char *found = gv_foreign_capture(exact, size);
    bool same = found && name ? strcmp(found, name) == 0 : found == name;
    CHECK_ROW(label, same);
    free(exact);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i].label, (const uint8_t *)cases[i].bytes, cases[i].size,
              cases[i].name);
    return TEST_RESULT();
}
