#include "compiler/shader/glsl/glsl.h"

#include "compiler/shader/spirv/spirv_half.h"
#include "compiler/shader/spirv/spirv_memory.h"
#include "compiler/shader/spirv/spirv_parse.h"
#include "compiler/shader/spirv/spirv_scan.h"

#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>
#include <pthread.h>
#include <string.h>

#define MAX_GEOMETRY_VERTICES 1024 // D3D11_GS_MAX_OUTPUT_VERTEX_COUNT

static pthread_once_t initialized = PTHREAD_ONCE_INIT;

// glslang's own, but for what Direct3D allows; the payload says what it needs of a
// device. Written once, by initialize().
static glslang_resource_t limits;

static void initialize(void)
{
    limits = *glslang_default_resource();
    limits.max_geometry_output_vertices = MAX_GEOMETRY_VERTICES;
    glslang_initialize_process(); // kept for the life of the process: it is not cheap
}

static const struct {
    uint32_t bit;
    glslang_stage_t stage;
} stage_map[] = {
    { GV_STAGE_VERTEX, GLSLANG_STAGE_VERTEX },
    { GV_STAGE_TESSELLATION_CONTROL, GLSLANG_STAGE_TESSCONTROL },
    { GV_STAGE_TESSELLATION_EVALUATION, GLSLANG_STAGE_TESSEVALUATION },
    { GV_STAGE_GEOMETRY, GLSLANG_STAGE_GEOMETRY },
    { GV_STAGE_FRAGMENT, GLSLANG_STAGE_FRAGMENT },
    { GV_STAGE_COMPUTE, GLSLANG_STAGE_COMPUTE },
};

static glslang_stage_t native_stage(uint32_t bit)
{
    for (size_t i = 0; i < sizeof stage_map / sizeof *stage_map; i++)
        if (stage_map[i].bit == bit)
            return stage_map[i].stage;
    return GLSLANG_STAGE_COUNT;
}

#define MESSAGES                                                \
    (GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT | \
     GLSLANG_MSG_RELAXED_ERRORS_BIT | GLSLANG_MSG_SUPPRESS_WARNINGS_BIT)

// SPIR-V 1.5, not 1.6: later versions turn `discard` and workgroup sizes into forms
// that need device features of their own.
static glslang_input_t vulkan_input(glslang_stage_t stage, const char *text)
{
    return (glslang_input_t){
        .language = GLSLANG_SOURCE_GLSL,
        .stage = stage,
        .client = GLSLANG_CLIENT_VULKAN,
        .client_version = GLSLANG_TARGET_VULKAN_1_2,
        .target_language = GLSLANG_TARGET_SPV,
        .target_language_version = GLSLANG_TARGET_SPV_1_5,
        .code = text,
        .default_version = 460,
        .default_profile = GLSLANG_CORE_PROFILE,
        .messages = (glslang_messages_t)MESSAGES,
        .resource = &limits,
    };
}

// The first line of `log` that says ERROR, without that word.
static bool fail_with_log(struct gv_error *err, const char *log, const char *what)
{
    const char *line = log ? strstr(log, "ERROR: ") : NULL;
    if (!line)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%s", what);
    line += strlen("ERROR: ");
    int n = (int)strcspn(line, "\n");
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%s: %.*s", what, n, line);
}

// The parser may succeed with "ERROR:" in its log (compatibility profile).
static bool parse_failed(int result, const char *log)
{
    return !result || (log && strstr(log, "ERROR: "));
}

static bool check_text(const struct gv_glsl_text *text, struct gv_error *err)
{
    if (native_stage(text->stage) == GLSLANG_STAGE_COUNT)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "not one shader stage: 0x%x",
                       text->stage);
    if (strlen(text->text) > GV_MAX_GLSL_BYTES)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "glsl text over %u bytes",
                       GV_MAX_GLSL_BYTES);
    return true;
}

static bool add_stage(glslang_program_t *program, const struct gv_glsl_text *text,
                      unsigned flags, glslang_shader_t **slot, struct gv_error *err)
{
    if (!check_text(text, err))
        return false;
    glslang_input_t input = vulkan_input(native_stage(text->stage), text->text);
    glslang_shader_t *shader = *slot = glslang_shader_create(&input);
    if (!shader)
        return gv_out_of_memory(err);
    if (flags & GV_GLSL_RELAXED)
        glslang_shader_set_options(shader, GLSLANG_SHADER_VULKAN_RULES_RELAXED |
                                               GLSLANG_SHADER_AUTO_MAP_BINDINGS |
                                               GLSLANG_SHADER_AUTO_MAP_LOCATIONS);
    if (!glslang_shader_preprocess(shader, &input))
        return fail_with_log(err, glslang_shader_get_info_log(shader),
                             "glsl preprocessing");
    int parsed = glslang_shader_parse(shader, &input);
    if (parse_failed(parsed, glslang_shader_get_info_log(shader)))
        return fail_with_log(err, glslang_shader_get_info_log(shader), "glsl");
    glslang_program_add_shader(program, shader);
    return true;
}

// Generating appends to the words of stages generated before: only the tail is ours.
static bool generate(glslang_program_t *program, unsigned flags, struct gv_arena *arena,
                     struct gv_shader_stage *out, struct gv_error *err)
{
    glslang_spv_options_t options = { .disable_optimizer = true };
    size_t before = glslang_program_SPIRV_get_size(program);
    glslang_program_SPIRV_generate_with_options(program, native_stage(out->stage),
                                                &options);
    size_t after = glslang_program_SPIRV_get_size(program);
    if (after <= before)
        return fail_with_log(err, glslang_program_SPIRV_get_messages(program),
                             "glsl gives no spir-v");
    const unsigned *words = glslang_program_SPIRV_get_ptr(program);
    return gv_spirv_halve(words + before, after - before, flags & GV_GLSL_STEPS, arena,
                          out, err);
}

static bool link_stages(glslang_program_t *program, unsigned flags,
                        struct gv_error *err)
{
    int linked = glslang_program_link(program, MESSAGES);
    if (parse_failed(linked, glslang_program_get_info_log(program)))
        return fail_with_log(err, glslang_program_get_info_log(program),
                             "glsl linking");
    if ((flags & GV_GLSL_RELAXED) && !glslang_program_map_io(program))
        return fail_with_log(err, glslang_program_get_info_log(program),
                             "glsl interface mapping");
    return true;
}

static bool compile_stages(glslang_program_t *program, glslang_shader_t **shaders,
                           const struct gv_glsl_text *texts, size_t count,
                           unsigned flags, struct gv_arena *arena,
                           struct gv_shader_stage *out, struct gv_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!add_stage(program, &texts[i], flags, &shaders[i], err))
            return false;
    if (!link_stages(program, flags, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct gv_shader_stage){ .stage = texts[i].stage };
        if (!generate(program, flags, arena, &out[i], err))
            return false;
    }
    return true;
}

static bool compile_by_glslang(const struct gv_glsl_text *texts, size_t count,
                               unsigned flags, struct gv_arena *arena,
                               struct gv_shader_stage *out, struct gv_error *err)
{
    pthread_once(&initialized, initialize);
    glslang_shader_t *shaders[GV_MAX_GLSL_STAGES] = { NULL };
    glslang_program_t *program = glslang_program_create();
    bool ok =
        program ? compile_stages(program, shaders, texts, count, flags, arena, out, err)
                : gv_out_of_memory(err);
    if (program)
        glslang_program_delete(program); // before its shaders
    for (size_t i = 0; i < count; i++)
        if (shaders[i])
            glslang_shader_delete(shaders[i]);
    return ok;
}

static bool reflect_stages(struct gv_shader_stage *out, size_t count,
                           struct gv_arena *arena, struct gv_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!gv_spirv_parse(out[i].words, out[i].word_count, err) ||
            !gv_spirv_reflect(&out[i], arena, err))
            return false;
    return true;
}

// ---- what is known from before: keys are all that a result depends on ----

static void put_text(struct gv_bytes *b, const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 0; // none is not an empty one
    gv_bytes_u64(b, size);
    gv_bytes_put(b, text, size);
}

static void put_texts(struct gv_bytes *b, const struct gv_glsl_text *texts,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gv_bytes_u32(b, texts[i].stage);
        put_text(b, texts[i].text);
    }
}

// The stages as they are known, or as glslang has made them.
static bool find_stages(const struct gv_glsl_text *texts, size_t count, unsigned flags,
                        struct gv_arena *arena, struct gv_shader_stage *out,
                        struct gv_error *err)
{
    struct gv_bytes key = { 0 };
    gv_bytes_u8(&key, 's');
    gv_bytes_u32(&key, flags);
    put_texts(&key, texts, count);
    for (size_t i = 0; i < count; i++)
        out[i] = (struct gv_shader_stage){ .stage = texts[i].stage };
    bool ok = gv_spirv_recall(&key, arena, out, count) &&
              reflect_stages(out, count, arena, NULL);
    if (!ok) {
        ok = compile_by_glslang(texts, count, flags, arena, out, err) &&
             reflect_stages(out, count, arena, err);
        if (ok)
            gv_spirv_keep(&key, out, count);
    }
    gv_bytes_finish(&key);
    return ok;
}

bool gv_glsl_compile(const struct gv_glsl_text *texts, size_t count, unsigned flags,
                     struct gv_arena *arena, struct gv_shader_stage *out,
                     struct gv_error *err)
{
    uint32_t seen = 0;
    for (size_t i = 0; i < count && i < GV_MAX_GLSL_STAGES; i++) {
        if (seen & texts[i].stage)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "a stage occurs twice");
        seen |= texts[i].stage;
    }
    if (count < 1 || count > GV_MAX_GLSL_STAGES)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "a program of %zu stages",
                       count);
    return find_stages(texts, count, flags, arena, out, err);
}
