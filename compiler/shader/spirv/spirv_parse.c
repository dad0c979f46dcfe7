#include "compiler/shader/spirv/spirv_parse.h"

#include "compiler/shader/spirv/spirv_memory.h"
#include "vm/spirv/spirv_gate.h"
#include "vm/spirv/spirv_module.h"

// The header defines this with external linkage in C: two files of one program that
// include it would clash (SPIRV-Tools 2022.4).
#define kDefaultMaxIdBound gv_spirv_parse_id_bound
#include <spirv-tools/libspirv.h>
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

static bool any_device(const void *context, const char *feature)
{
    (void)context;
    (void)feature;
    return true;
}

// What the machine takes of no device: capabilities, vendors' extensions.
static bool check_machine(const uint32_t *words, size_t count, struct gv_error *err)
{
    struct gv_spirv_limits limits;
    struct gv_spirv_module module;
    memset(&limits, 0xff, sizeof limits);
    limits.has = any_device;
    limits.context = NULL;
    if (!gv_spirv_module_read(words, count, NULL, 0, &limits, &module, err))
        return false;
    gv_spirv_module_finish(&module);
    return true;
}

static bool validate(const uint32_t *words, size_t count, struct gv_error *err)
{
    if (!gv_spirv_gate(words, count, err))
        return false;
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
    spv_validator_options options = spvValidatorOptionsCreate();
    spv_diagnostic why = NULL;
    if (!context || !options) {
        spvValidatorOptionsDestroy(options);
        spvContextDestroy(context);
        return gv_out_of_memory(err);
    }
    spvValidatorOptionsSetUniversalLimit(
        options, spv_validator_limit_max_control_flow_nesting_depth,
        GV_MAX_SPIRV_CONTROL_DEPTH);
    // Every device of Vulkan 1.2 takes blocks of uniforms that are std430.
    spvValidatorOptionsSetUniformBufferStandardLayout(options, true);
    spv_const_binary_t binary = { words, count };
    bool ok = spvValidateWithOptions(context, options, &binary, &why) == SPV_SUCCESS;
    if (!ok) {
        const char *what = why ? why->error : "malformed";
        int line = (int)strcspn(what, "\n");
        gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: spir-v: %.*s",
                line, what);
    }
    spvDiagnosticDestroy(why);
    spvValidatorOptionsDestroy(options);
    spvContextDestroy(context);
    return ok && check_machine(words, count, err);
}

bool gv_spirv_validate(const uint32_t *words, size_t count, struct gv_error *err)
{
    struct gv_bytes key = { 0 };
    gv_bytes_put(&key, "valid", 5);
    gv_bytes_put(&key, words, count * sizeof *words);
    const bool known = gv_spirv_recall_valid(&key);
    const bool ok = known || validate(words, count, err);
    if (ok && !known)
        gv_spirv_keep_valid(&key);
    gv_bytes_finish(&key);
    return ok;
}
