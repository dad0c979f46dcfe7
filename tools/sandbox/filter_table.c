// Filters that libseccomp made before, with what changes from run to run put in.
#include "tools/sandbox/filter_program.h"

#include <assert.h>

#if defined __x86_64__ && defined __LP64__ && !defined __SANITIZE_ADDRESS__

#define GV_FILTER_ROW(who, code, jt, jf, value, k) \
    { { code, jt, jf, k }, GV_FILTER_##who, GV_VALUE_##value },
static const struct {
    struct sock_filter row;
    uint8_t who, value;
} rows[] = {
#include "tools/sandbox/filter_x86_64.def"
};
#undef GV_FILTER_ROW
static_assert(sizeof rows / sizeof *rows <= GV_FILTER_MOST, "a program holds all");

bool gv_filter_recall(const struct gv_filter_params *params,
                      struct gv_filter_program *out)
{
    const uint32_t known[] = { [GV_VALUE_SELF] = params->self,
                               [GV_VALUE_LINE] = params->line,
                               [GV_VALUE_REFUSE] = params->refuse };
    out->count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].who != params->who)
            continue;
        struct sock_filter *row = &out->rows[out->count++];
        *row = rows[i].row;
        if (rows[i].value != GV_VALUE_NUMBER)
            row->k = known[rows[i].value];
    }
    return true;
}

#else

bool gv_filter_recall(const struct gv_filter_params *params,
                      struct gv_filter_program *out)
{
    (void)params;
    (void)out;
    return false;
}

#endif
