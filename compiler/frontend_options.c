// Options of front-ends: looked up and checked against their tables.
#include "compiler/frontend.h"

#include <string.h>

static bool is_key(const char *option, const char *key)
{
    size_t length = strlen(key);
    return strncmp(option, key, length) == 0 && option[length] == '=';
}

bool gv_frontend_has_option(const struct gv_frontend *frontend, const char *option)
{
    for (const char *const *key = frontend->options; key && *key; key++)
        if (is_key(option, *key))
            return true;
    return false;
}

const char *gv_frontend_option(const struct gv_compile_params *params, const char *key)
{
    const char *value = NULL;
    for (const char *const *o = params->options; o && *o; o++)
        if (is_key(*o, key))
            value = *o + strlen(key) + 1;
    return value;
}

static bool is_known(const char *option)
{
    for (size_t i = 0; i < gv_frontend_count; i++)
        if (gv_frontend_has_option(gv_frontends[i], option))
            return true;
    return false;
}

static bool fail_unknown(const char *option, struct gv_error *err)
{
    struct gv_bytes keys = { 0 };
    for (size_t i = 0; i < gv_frontend_count; i++)
        for (const char *const *key = gv_frontends[i]->options; key && *key; key++)
            gv_bytes_printf(&keys, "%s%s", keys.size ? ", " : "", *key);
    gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
            "option '%.40s' is not KEY=VALUE with a key of: %.*s", option,
            (int)keys.size, keys.data ? (const char *)keys.data : "none");
    gv_bytes_finish(&keys);
    return false;
}

bool gv_compile_options_check(const struct gv_compile_params *params,
                              struct gv_error *err)
{
    for (const char *const *o = params->options; o && *o; o++)
        if (!is_known(*o))
            return fail_unknown(*o, err);
    return true;
}
