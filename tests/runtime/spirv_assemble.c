#include "tests/runtime/spirv_assemble.h"

#include <stdio.h>

#define kDefaultMaxIdBound gv_test_assemble_id_bound // as in shader_probe.c
#include <spirv-tools/libspirv.h>

bool gv_test_assemble(const char *text, size_t size, struct spv_binary_t **binary)
{
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
    spv_diagnostic diagnostic = NULL;
    spv_result_t result = spvTextToBinary(context, text, size, binary, &diagnostic);
    if (diagnostic)
        fprintf(stderr, "%s\n%.*s\n", diagnostic->error, (int)size, text);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return result == SPV_SUCCESS;
}
