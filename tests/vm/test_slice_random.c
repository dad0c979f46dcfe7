// Random programs, whole and sliced.
//   test_slice_random [COUNT [FIRST]]    programs of so many seeds (500) from one on
//                                        (1); of one alone the text is printed
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tests/vm/slice_compare.h"

static void test_seed(uint64_t seed, bool show, struct slice_totals *totals)
{
    struct slice_program program = { .state = seed * 7919 };
    struct gv_error err = GV_ERROR_INIT;
    bool ok = slice_program_check(&program, totals, &err);
    if (show)
        printf("%.*s", (int)program.text.size, (const char *)program.text.data);
    if (!ok) {
        fprintf(stderr, "seed %" PRIu64 ": %s\n", seed,
                err.status == GV_OK ? "outputs differ" : err.message);
        gv_test_failures++;
    }
    slice_program_finish(&program);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 500;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct slice_totals totals = { 0 };
    for (uint64_t seed = first; seed < first + count && gv_test_failures < 10; seed++)
        test_seed(seed, count == 1, &totals);
    printf("%" PRIu64 " programs, %" PRIu64 " of %" PRIu64 " calls kept, %" PRIu64
           " whole, %" PRIu64 " contents\n",
           count, totals.kept, totals.calls, totals.whole, totals.contents);
    return TEST_RESULT();
}
