#include "tools/inspect/shader_text.h"

// The header defines this in each file that includes it (SPIRV-Tools 2022.4).
#define kDefaultMaxIdBound gv_shader_text_id_bound
#include <spirv-tools/libspirv.h>
#include <spirv_cross/spirv_cross_c.h>
#include <stdlib.h>
#include <string.h>

#include "vm/spirv/spirv_gate.h"

static const char *const endings[] = {
    [GV_SHADER_WORDS] = "spv",
    [GV_SHADER_ASSEMBLY] = "spvasm",
    [GV_SHADER_GLSL] = "glsl",
};

enum gv_shader_form gv_shader_form_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot + 1, endings[i]) == 0)
            return (enum gv_shader_form)i;
    return GV_SHADER_WORDS;
}

const char *gv_shader_form_ending(enum gv_shader_form form)
{
    return endings[form];
}

// ---- what a module is ----

struct module {
    const uint32_t *words;
    size_t count;
};

// What the validator does not take, SPIRV-Cross need not survive.
static bool check(const struct module *m, spv_context context, struct gv_error *err)
{
    spv_diagnostic said = NULL;
    bool ok = gv_spirv_gate(m->words, m->count, err);
    if (ok && spvValidateBinary(context, m->words, m->count, &said) != SPV_SUCCESS)
        ok = gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "SPIR-V is not valid: %.100s",
                     said ? said->error : "");
    spvDiagnosticDestroy(said);
    return ok;
}

static bool disassemble(const struct module *m, spv_context context,
                        struct gv_bytes *out, struct gv_error *err)
{
    spv_text text = NULL;
    spv_diagnostic said = NULL;
    const uint32_t options =
        SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
    bool ok = spvBinaryToText(context, m->words, m->count, options, &text, &said) ==
                  SPV_SUCCESS ||
              gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "SPIR-V cannot be read: %.100s",
                      said ? said->error : "");
    if (ok)
        gv_bytes_put(out, text->str, text->length);
    spvTextDestroy(text);
    spvDiagnosticDestroy(said);
    return ok;
}

static bool cross(spvc_context context, const struct module *m, const char **text)
{
    spvc_parsed_ir ir;
    spvc_compiler compiler;
    spvc_compiler_options options;
    return spvc_context_parse_spirv(context, m->words, m->count, &ir) == SPVC_SUCCESS &&
           spvc_context_create_compiler(context, SPVC_BACKEND_GLSL, ir,
                                        SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
                                        &compiler) == SPVC_SUCCESS &&
           spvc_compiler_create_compiler_options(compiler, &options) == SPVC_SUCCESS &&
           spvc_compiler_options_set_uint(options, SPVC_COMPILER_OPTION_GLSL_VERSION,
                                          450) == SPVC_SUCCESS &&
           spvc_compiler_options_set_bool(options,
                                          SPVC_COMPILER_OPTION_GLSL_VULKAN_SEMANTICS,
                                          SPVC_TRUE) == SPVC_SUCCESS &&
           spvc_compiler_install_compiler_options(compiler, options) == SPVC_SUCCESS &&
           spvc_compiler_compile(compiler, text) == SPVC_SUCCESS;
}

static bool put_glsl(const struct module *m, struct gv_bytes *out, struct gv_error *err)
{
    spvc_context context;
    const char *text = "";
    if (spvc_context_create(&context) != SPVC_SUCCESS)
        return gv_out_of_memory(err);
    const bool ok = cross(context, m, &text);
    if (ok)
        gv_bytes_put(out, text, strlen(text));
    else
        gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: GLSL: %.100s",
                spvc_context_get_last_error_string(context));
    spvc_context_destroy(context);
    return ok;
}

// ---- text of it ----

bool gv_shader_text(enum gv_shader_form form, const struct gv_bytes *spirv,
                    struct gv_bytes *out, struct gv_error *err)
{
    if (form == GV_SHADER_WORDS) {
        gv_bytes_put(out, spirv->data, spirv->size);
        return !out->failed || gv_out_of_memory(err);
    }
    struct module m = { .count = spirv->size / sizeof(uint32_t) };
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
    uint32_t *words = malloc(spirv->size + 1);
    bool ok = (context && words) || gv_out_of_memory(err);
    if (words)
        memcpy(words, spirv->data, spirv->size);
    m.words = words;
    ok = ok && check(&m, context, err) &&
         (form == GV_SHADER_GLSL ? put_glsl(&m, out, err)
                                 : disassemble(&m, context, out, err)) &&
         (!out->failed || gv_out_of_memory(err));
    free(words);
    spvContextDestroy(context);
    return ok;
}
