// The whole test framework: a check that says where it failed, and a count at the end.
#ifndef GV_TEST_H
#define GV_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One for all files of a program: a helper's check counts as the test's own.
__attribute__((weak)) int gv_test_failures;

#define CHECK(condition)                                                           \
    do {                                                                           \
        if (!(condition)) {                                                        \
            fprintf(stderr, "%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition); \
            gv_test_failures++;                                                    \
        }                                                                          \
    } while (0)

// The same, naming the row of a table under test.
#define CHECK_ROW(name, condition)                                               \
    do {                                                                         \
        if (!(condition)) {                                                      \
            fprintf(stderr, "%s:%d: [%s] CHECK(%s)\n", __FILE__, __LINE__, name, \
                    #condition);                                                 \
            gv_test_failures++;                                                  \
        }                                                                        \
    } while (0)

#define TEST_SKIP 77
// What `main` returns of a test that cannot run here: it says why, or the run fails.
static inline int gv_test_skip(const char *why)
{
    puts(why);
    return TEST_SKIP;
}
#define TEST_RESULT() (gv_test_failures ? EXIT_FAILURE : EXIT_SUCCESS)

#endif
