// What a GLSL text says of itself: its version and the extensions it asks for.
#ifndef GV_GLSL_DIALECT_H
#define GV_GLSL_DIALECT_H

#include "compiler/shader/glsl/text/glsl_tokens.h"
#include "resources/base/bytes.h"

struct gv_glsl_dialect {
    int version; // 110, 300, ...
    bool es;
    bool compatibility;
};

bool glsl_known_version(int version, bool es);

// What a source's #extension lines ask for, while it is gathered; `names` begins with a
// space.
struct glsl_asking {
    struct gv_bytes lines; // for what is enabled and text for Vulkan must enable, too
    struct gv_bytes names; // "NAME " of all that is enabled and offered
};

// One such line. False: it is required and not offered (glsl_extensions.def). `*macro`
// is a macro that it defines only now, NULL: none.
bool glsl_ask(struct glsl_asking *to, const struct gv_glsl_dialect *dialect,
              const char *name, size_t size, bool required, bool disabled,
              const char **macro);

// The `i`th extension; false: there are no more. `*macro` is its macro where every text
// of this dialect has it, else NULL.
bool glsl_extension(size_t i, const struct gv_glsl_dialect *dialect,
                    const char **macro);

#endif
