// Which known word a mistyped one is nearest to.
#include "tools/nearest.h"

#include "tests/test.h"

static const struct {
    const char *word, *best; // best: NULL = none of the words below is near
} cases[] = {
    { "frames", "frames" },
    { "frame", "frames" },
    { "farmes", "frames" },
    { "framse", "frames" },
    { "fframes", "frames" },
    { "grames", "frames" },
    { "exoprt", "export" },
    { "screenshots-dir", "screenshot-dir" },
    { "screen", "screenshot-dir" },
    { "jsn", "json" },
    { "JSON", NULL },
    { "j4", NULL },
    { "o", NULL },
    { "", NULL },
    { "frobnicate", NULL },
    { "xyzzy", NULL },
    { "e", NULL },
    { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL },
};

static const char *const words[] = { "frames", "export", "screenshot-dir", "json" };

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gv_nearest n;
        gv_nearest_init(&n, cases[i].word, strlen(cases[i].word));
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            gv_nearest_offer(&n, words[k]);
        CHECK_ROW(cases[i].word, !n.best == !cases[i].best &&
                                     (!n.best || strcmp(n.best, cases[i].best) == 0));
    }
    return TEST_RESULT();
}
