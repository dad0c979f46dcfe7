#include "resources/base/decimal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

bool gv_take_decimal(const char **at, uint64_t *out)
{
    if (!isdigit((unsigned char)**at))
        return false;
    char *end;
    errno = 0;
    *out = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0;
}
