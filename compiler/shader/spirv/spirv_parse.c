#include "compiler/shader/spirv/spirv_parse.h"

#include "compiler/shader/spirv/spirv_memory.h"
#include "vm/spirv/spirv_gate.h"
#include "vm/spirv/spirv_module.h"
#include "vm/spirv/spirv_words.h"

// The header defines this with external linkage in C: two files of one program that
// include it would clash (SPIRV-Tools 2022.4).
#define kDefaultMaxIdBound gv_spirv_parse_id_bound
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <string.h>

bool gv_spirv_parse(const uint32_t *words, size_t count, struct gv_error *err)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_5);
    spv_diagnostic why = NULL;
    if (!context)
        return gv_out_of_memory(err);
    bool ok =
        spvBinaryParse(context, NULL, words, count, NULL, NULL, &why) == SPV_SUCCESS;
    if (!ok)
        gv_fail(err, GV_ERR_LIMIT, why ? why->position.index * 4 : 0,
                "glsl too large for spir-v: %s", why ? why->error : "malformed");
    spvDiagnosticDestroy(why);
    spvContextDestroy(context);
    return ok;
}

// What the machine takes of no device: capabilities, vendors' extensions.
static bool check_machine(const uint32_t *words, size_t count, struct gv_error *err)
{
    struct gv_spirv_limits limits;
    struct gv_spirv_module module;
    memset(&limits, 0xff, sizeof limits);
    limits.has = gv_spirv_boundless.has;
    limits.context = NULL;
    if (!gv_spirv_module_read(words, count, NULL, 0, &limits, &module, err))
        return false;
    gv_spirv_module_finish(&module);
    return true;
}

// How blocks may be laid out.
enum layout { STRICT, STANDARD, SCALAR };

// Whether SPIRV-Tools takes a module; else `*why` may be what it says. GV_ERR_MEMORY is
// the only error.
static bool take(spv_target_env api, const uint32_t *words, size_t count,
                 enum layout layout, spv_diagnostic *why, struct gv_error *err)
{
    spv_context context = spvContextCreate(api);
    spv_validator_options options = spvValidatorOptionsCreate();
    bool ok = context && options;
    if (ok) {
        spvValidatorOptionsSetUniversalLimit(
            options, spv_validator_limit_max_control_flow_nesting_depth,
            GV_MAX_SPIRV_CONTROL_DEPTH);
        spvValidatorOptionsSetUniformBufferStandardLayout(options, layout == STANDARD);
        spvValidatorOptionsSetScalarBlockLayout(options, layout == SCALAR);
        spv_const_binary_t binary = { words, count };
        ok = spvValidateWithOptions(context, options, &binary, why) == SPV_SUCCESS;
    } else {
        gv_out_of_memory(err);
    }
    spvValidatorOptionsDestroy(options);
    spvContextDestroy(context);
    return ok;
}

// The first line of what SPIRV-Tools says.
static const char *reason(const struct spv_diagnostic_t *why, int *length)
{
    const char *text = why ? why->error : "malformed";
    *length = (int)strcspn(text, "\n");
    return text;
}

// Whether an API takes a module: `how` begins the validator's message.
static bool validate(spv_target_env api, const uint32_t *words, size_t count,
                     const char *how, struct gv_error *err)
{
    spv_diagnostic why = NULL;
    int length;
    if (!gv_spirv_gate(words, count, err))
        return false;
    // Every device of Vulkan 1.2 takes blocks of uniforms that are std430.
    const bool ok = take(api, words, count, STANDARD, &why, err);
    const char *text = reason(why, &length);
    if (!ok)
        gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: spir-v%s: %.*s",
                how, length, text);
    spvDiagnosticDestroy(why);
    return ok;
}

bool gv_spirv_validate_recorded(const uint32_t *words, size_t count,
                                const char **feature, struct gv_error *err)
{
    static const char *const features[] = { NULL, "uniformBufferStandardLayout",
                                            "scalarBlockLayout" };
    spv_diagnostic why = NULL;
    int length;
    bool ok = false;
    if (!gv_spirv_gate(words, count, err))
        return false;
    for (int i = STRICT; !ok && i <= SCALAR; i++) {
        spvDiagnosticDestroy(why);
        why = NULL;
        *feature = features[i];
        ok = take(SPV_ENV_VULKAN_1_3, words, count, (enum layout)i, &why, err);
    }
    const char *text = reason(why, &length);
    if (!ok)
        gv_fail(err, GV_ERR_FORMAT, why ? why->position.index * 4 : GV_NO_OFFSET,
                "invalid SPIR-V: %.*s", length, text);
    spvDiagnosticDestroy(why);
    return ok;
}

void gv_spirv_capability_name(uint32_t capability, char name[GV_SPIRV_CAPABILITY_NAME])
{
    const uint32_t module[] = {
        SpvMagicNumber, 0x00010600, 0, 1, 0, 2u << 16 | SpvOpCapability, capability
    };
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_text text = NULL;
    const char *word = NULL;
    if (context && spvBinaryToText(context, module, sizeof module / sizeof *module,
                                   SPV_BINARY_TO_TEXT_OPTION_NO_HEADER, &text,
                                   NULL) == SPV_SUCCESS)
        word = strchr(text->str, ' ');
    if (word)
        snprintf(name, GV_SPIRV_CAPABILITY_NAME, "%.*s", (int)strcspn(word + 1, "\n"),
                 word + 1);
    else
        snprintf(name, GV_SPIRV_CAPABILITY_NAME, "%u", capability);
    spvTextDestroy(text);
    spvContextDestroy(context);
}

bool gv_spirv_validate(const uint32_t *words, size_t count, struct gv_error *err)
{
    struct gv_bytes key = { 0 };
    gv_bytes_put(&key, "valid", 5);
    gv_bytes_put(&key, words, count * sizeof *words);
    const bool known = gv_spirv_recall_valid(&key);
    const bool ok = known || (validate(SPV_ENV_VULKAN_1_3, words, count, "", err) &&
                              check_machine(words, count, err));
    if (ok && !known)
        gv_spirv_keep_valid(&key);
    gv_bytes_finish(&key);
    return ok;
}

bool gv_spirv_validate_opengl(const uint32_t *words, size_t count, struct gv_error *err)
{
    return validate(SPV_ENV_OPENGL_4_5, words, count, " of OpenGL", err);
}
