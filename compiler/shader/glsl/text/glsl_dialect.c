#include "compiler/shader/glsl/text/glsl_dialect.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum extension_use { DROP, KEEP };
static const struct {
    const char *name;
    uint8_t desktop, es;
    enum extension_use use;
} extensions[] = {
#define GLSL_EXTENSION(name, desktop, es, how) { name, desktop, es, how },
#include "compiler/shader/glsl/text/glsl_extensions.def"
#undef GLSL_EXTENSION
};
#define EXTENSION_COUNT (sizeof extensions / sizeof *extensions)

// ---- version ----

static const int desktop_versions[] = { 110, 120, 130, 140, 150, 330, 400,
                                        410, 420, 430, 440, 450, 460 };
static const int es_versions[] = { 100, 300, 310, 320 };

bool glsl_known_version(int version, bool es)
{
    const int *versions = es ? es_versions : desktop_versions;
    size_t count = es ? sizeof es_versions / sizeof *es_versions
                      : sizeof desktop_versions / sizeof *desktop_versions;
    for (size_t i = 0; i < count; i++)
        if (versions[i] == version)
            return true;
    return false;
}

// ---- extensions ----

#define NO_EXTENSION EXTENSION_COUNT
#define IF_REQUIRED 2 // of `desktop` and `es`

static size_t find_extension(const char *name, size_t size)
{
    for (size_t i = 0; i < EXTENSION_COUNT; i++)
        if (strlen(extensions[i].name) == size &&
            !memcmp(extensions[i].name, name, size))
            return i;
    return NO_EXTENSION;
}

static unsigned offered(size_t at, const struct gv_glsl_dialect *dialect)
{
    return at == NO_EXTENSION ? 0
           : dialect->es      ? extensions[at].es
                              : extensions[at].desktop;
}

bool glsl_ask(struct glsl_asking *to, const struct gv_glsl_dialect *dialect,
              const char *name, size_t size, bool required, bool disabled,
              const char **macro)
{
    const size_t at = find_extension(name, size);
    const unsigned how = offered(at, dialect);
    const bool has = how && (how != IF_REQUIRED || required);
    *macro = NULL;
    if (required && !has)
        return false;
    if (!has || disabled)
        return true;
    gv_bytes_printf(&to->names, "%s ", extensions[at].name);
    if (extensions[at].use == KEEP)
        gv_bytes_printf(&to->lines, "#extension %s : enable\n", extensions[at].name);
    if (how == IF_REQUIRED)
        *macro = extensions[at].name;
    return true;
}

bool glsl_extension(size_t i, const struct gv_glsl_dialect *dialect, const char **macro)
{
    if (i >= EXTENSION_COUNT)
        return false;
    const unsigned how = offered(i, dialect);
    *macro = how && how != IF_REQUIRED ? extensions[i].name : NULL;
    return true;
}
