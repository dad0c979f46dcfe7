// The table of filters is what libseccomp makes of the rules, whatever the numbers that
// are put in. `test_filter write` prints the table.
#include "tools/sandbox/filter_program.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>

#include "tests/test.h"

static const char *const names[] = {
    [GV_FILTER_COMPILER] = "COMPILER", [GV_FILTER_DRIVER] = "DRIVER"
};

static const struct {
    const char *name;
    struct gv_filter_params params;
} cases[] = {
    { "compiler", { GV_FILTER_COMPILER, 1234, 5, SECCOMP_RET_USER_NOTIF } },
    { "compiler_unheard", { GV_FILTER_COMPILER, 99999, 3, SECCOMP_RET_ERRNO | EPERM } },
    // Numbers that rules have too.
    { "compiler_small", { GV_FILTER_COMPILER, 2, 1, SECCOMP_RET_USER_NOTIF } },
    { "driver", { GV_FILTER_DRIVER, 4194303, 1000, SECCOMP_RET_USER_NOTIF } },
    { "driver_unheard", { GV_FILTER_DRIVER, 77, 4, SECCOMP_RET_ERRNO | EPERM } },
};

static void compare(const struct gv_filter_params *params, const char *name)
{
    static struct gv_filter_program made, recalled;
    CHECK_ROW(name, gv_filter_make(params, &made));
    CHECK_ROW(name, gv_filter_recall(params, &recalled));
    CHECK_ROW(name, made.count == recalled.count &&
                        memcmp(made.rows, recalled.rows,
                               made.count * sizeof *made.rows) == 0);
}

static void print(enum gv_filter_who who)
{
    static struct gv_filter_program made;
    // Numbers that no rule has.
    const struct gv_filter_params params = { who, 0x7e110000, 0x7e220000,
                                             SECCOMP_RET_USER_NOTIF };
    CHECK(gv_filter_make(&params, &made));
    for (size_t i = 0; i < made.count; i++) {
        const struct sock_filter *row = &made.rows[i];
        const char *value = row->k == params.self     ? "SELF"
                            : row->k == params.line   ? "LINE"
                            : row->k == params.refuse ? "REFUSE"
                                                      : "NUMBER";
        printf("GV_FILTER_ROW(%s, 0x%02x, %u, %u, %s, 0x%x)\n", names[who], row->code,
               row->jt, row->jf, value, row->k);
    }
}

int main(int argc, char **argv)
{
    struct gv_filter_program any;
    if (argc > 1 && strcmp(argv[1], "write") == 0) {
        puts("// Filters of system calls for x86-64, as libseccomp makes them of "
             "syscalls.def and\n// filter_rules.c. Written by `tests/cli/test_filter "
             "write`. GV_FILTER_ROW(who, code,\n// jt, jf, value, k): a row of the "
             "kernel's struct sock_filter; `value` other than\n// NUMBER is put in "
             "place of k.");
        print(GV_FILTER_COMPILER);
        print(GV_FILTER_DRIVER);
        return TEST_RESULT();
    }
    if (!gv_filter_recall(&cases[0].params, &any))
        return gv_test_skip("no table for this machine");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        compare(&cases[i].params, cases[i].name);
    return TEST_RESULT();
}
