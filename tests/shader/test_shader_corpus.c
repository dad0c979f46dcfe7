// Every shader blob of the corpus becomes valid SPIR-V, those inside captures too.
// Skipped without the corpus.
#include "compiler/aerogpu/trace/gpu_trace.h"
#include "compiler/shader/d3d/dxbc.h"
#include "compiler/shader/glsl/glsl.h"
#include "compiler/shader/wgsl/wgsl.h"
#include "resources/base/file.h"
#include "tests/shader/shader_probe.h"
#include "tests/test.h"

#include <dirent.h>

#define FOLDER "../shared/corpus/aerogpu/shaders"
#define CAPTURES "../shared/corpus/aerogpu"

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
              gv_test_valid(&shader.spirv);
    if (!ok)
        fprintf(stderr, "[%s] at %llu: %s\n", name, (unsigned long long)err.offset,
                err.message);
    CHECK_ROW(name, ok);
    gv_arena_finish(&arena);
    gv_file_close(&file);
    return ok;
}

// ---- WGSL blobs of captures ----

// Both stages, where the text has them: a blob does not say which one it is.
static int translate_wgsl(const char *name, const struct gv_trace_blob *blob)
{
    static const struct {
        const char *attribute;
        uint32_t stage;
    } stages[] = { { "@vertex", GV_STAGE_VERTEX }, { "@fragment", GV_STAGE_FRAGMENT } };
    int entries = 0;
    struct gv_arena arena = { 0 };
    const char *text = gv_arena_copy(&arena, blob->data, blob->size);
    for (size_t i = 0; text && i < 2; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_wgsl_shader shader;
        struct gv_shader_stage stage;
        if (!strstr(text, stages[i].attribute))
            continue;
        const struct gv_wgsl_params params = { .text = text,
                                               .size = blob->size,
                                               .offset = blob->offset,
                                               .stage = stages[i].stage };
        bool ok = gv_wgsl_translate(&params, &arena, &shader, &err);
        const struct gv_glsl_text glsl = { stages[i].stage, ok ? shader.glsl : NULL };
        ok = ok && gv_glsl_compile(&glsl, 1, 0, &arena, &stage, &err) &&
             gv_test_valid(&stage);
        if (!ok)
            fprintf(stderr, "[%s] at %llu: %s\n", name, (unsigned long long)err.offset,
                    err.message);
        CHECK_ROW(name, ok);
        entries++;
    }
    gv_arena_finish(&arena);
    CHECK_ROW(name, entries > 0);
    return 1;
}

static int translate_capture(const char *name)
{
    char path[512];
    struct gv_file file = { 0 };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_gpu_trace trace;
    struct gv_trace_record record;
    struct gv_trace_blob blob;
    int count = 0;
    snprintf(path, sizeof path, CAPTURES "/%s", name);
    bool ok = gv_file_open(&file, path, &err) &&
              gv_gpu_trace_open(&trace, gv_cursor_make(file.data, file.size), false,
                                &arena, &err);
    CHECK_ROW(name, ok);
    for (uint64_t at = ok ? trace.records_begin : 0; ok && at < trace.records_end;
         at = record.next) {
        ok = gv_gpu_trace_record(&trace, at, trace.records_end, &record, &err);
        if (ok && record.type == GV_TRACE_BLOB &&
            gv_trace_blob_decode(&record, &blob, &err) && blob.kind == GV_BLOB_WGSL)
            count += translate_wgsl(name, &blob);
    }
    gv_arena_finish(&arena);
    gv_file_close(&file);
    return count;
}

static int translate_captures(void)
{
    DIR *folder = opendir(CAPTURES);
    int count = 0;
    if (!folder)
        return 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && !strcmp(dot, ".aerogputrace"))
            count += translate_capture(entry->d_name);
    }
    closedir(folder);
    return count;
}

int main(void)
{
    DIR *folder = opendir(FOLDER);
    int total = 0, good = 0;
    if (!folder)
        return gv_test_skip("no corpus");
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".dxbc"))
            continue;
        total++;
        good += translate(entry->d_name);
    }
    closedir(folder);
    int wgsl = translate_captures();
    CHECK(wgsl > 0);
    printf("%d of %d shader blobs become valid SPIR-V, and %d WGSL blobs\n", good,
           total, wgsl);
    return TEST_RESULT();
}
