// Functions of glsl_helpers.def that a shader calls, put in front of it.
#include "compiler/shader/d3d/emit_internal.h"

#include <string.h>

static const struct {
    const char *name, *text;
} helpers[] = {
#define GLSL_HELPER(name, text) { name, text },
#include "compiler/shader/d3d/glsl_helpers.def"
#undef GLSL_HELPER
};

// A call of `name`: the name followed by an opening parenthesis.
static bool calls(const char *text, size_t size, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i + n < size; i++)
        if (text[i] == name[0] && memcmp(text + i, name, n) == 0 && text[i + n] == '(')
            return true;
    return false;
}

void emit_helpers(struct gv_bytes *out, const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
        if (calls(text, size, helpers[i].name))
            gv_bytes_put(out, helpers[i].text, strlen(helpers[i].text));
}
