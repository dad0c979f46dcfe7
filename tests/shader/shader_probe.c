#include "tests/shader/shader_probe.h"

#include <stdio.h>
#include <string.h>

#define kDefaultMaxIdBound \
    gv_test_probe_id_bound // libspirv.h defines it in each object
#include <spirv-tools/libspirv.h>

bool gv_test_valid(const struct gv_shader_stage *stage)
{
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
    spv_diagnostic diagnostic = NULL;
    spv_result_t result =
        spvValidateBinary(context, stage->words, stage->word_count, &diagnostic);
    if (diagnostic)
        fprintf(stderr, "%s\n", diagnostic->error);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return result == SPV_SUCCESS;
}

const char *gv_test_missing_line(const char *text, const char *lines)
{
    static char line[512];
    for (const char *p = lines; *p;) {
        size_t n = strcspn(p, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, p);
        text = strstr(text, line);
        if (!text)
            return line;
        text += n;
        p += n + (p[n] == '\n');
    }
    return NULL;
}
