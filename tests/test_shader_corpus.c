// Every shader blob of the corpus becomes valid SPIR-V. Skipped without the corpus.
#include "compiler/shader/dxbc.h"
#include "resources/base/file.h"
#include "tests/test.h"

#include <dirent.h>
#include <spirv-tools/libspirv.h>

#define FOLDER "../shared/corpus/aerogpu/shaders"

static bool valid(const struct gv_shader_stage *stage)
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

static bool translate(const char *name)
{
    char path[512];
    struct gv_file file = { 0 };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_dxbc_shader shader;
    snprintf(path, sizeof path, FOLDER "/%s", name);
    bool ok = gv_file_open(&file, path, &err) &&
              gv_dxbc_translate(file.data, file.size, 0, NULL, &arena, &shader, &err) &&
              valid(&shader.spirv);
    if (!ok)
        fprintf(stderr, "[%s] at %llu: %s\n", name, (unsigned long long)err.offset,
                err.message);
    CHECK_ROW(name, ok);
    gv_arena_finish(&arena);
    gv_file_close(&file);
    return ok;
}

int main(void)
{
    DIR *folder = opendir(FOLDER);
    int total = 0, good = 0;
    if (!folder)
        return TEST_SKIP;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".dxbc"))
            continue;
        total++;
        good += translate(entry->d_name);
    }
    closedir(folder);
    printf("%d of %d shader blobs become valid SPIR-V\n", good, total);
    return TEST_RESULT();
}
