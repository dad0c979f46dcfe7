#include "tools/check/check_guard.h"

#include <stdio.h>

#include "tools/input_guard.h"
#include "tools/results/result_folder.h"

bool gv_check_guard(const struct gv_check_params *params,
                    const struct gv_check_items *items, struct gv_error *err)
{
    if (!params->output)
        return true;
    struct gv_input_guard g = { 0 };
    for (size_t i = 0; i < items->count; i++)
        gv_guard_input(&g, items->items[i].file);
    gv_guard_input(&g, params->fails);
    gv_guard_folder(&g, params->golden, "");
    bool ok = true;
    const char *name;
    for (size_t i = 0; ok && (name = gv_result_file_name(i)); i++) {
        char path[4096];
        ok = snprintf(path, sizeof path, "%s/%s", params->output, name) <
                 (int)sizeof path ||
             gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the folder's name is too long");
        ok = ok && gv_guard_check(&g, path, err);
    }
    gv_guard_finish(&g);
    return ok;
}
