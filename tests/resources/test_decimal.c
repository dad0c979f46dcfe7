// Decimal numbers in text: what is read, where reading ends, what is too large.
#include "resources/base/decimal.h"
#include "tests/test.h"

static void check(const char *text, bool ok, uint64_t value, size_t length)
{
    const char *at = text;
    uint64_t number = 0;
    CHECK(gv_take_decimal(&at, &number) == ok);
    CHECK(!ok || number == value);
    CHECK((size_t)(at - text) == length);
}

int main(void)
{
    check("0", true, 0, 1);
    check("0012-3", true, 12, 4);
    check("18446744073709551615,", true, UINT64_MAX, 20);
    check("18446744073709551616", false, 0, 20);
    check("", false, 0, 0);
    check("-1", false, 0, 0);
    check("+1", false, 0, 0);
    check(" 1", false, 0, 0);
    return TEST_RESULT();
}
