// Shaders that are SPIR-V (GL_ARB_gl_spirv): they become GLSL text when they are
// specialised, and are compiled and linked as that.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/program/program_object.h"
#include "compiler/shader/cross/cross.h"

// ---- glShaderBinary ----

static void set_module(struct gv_gl_shader *s, struct gv_gl_text *module)
{
    gv_gl_shader_clear(s);
    s->module = module;
    module->references++;
}

// (count, shaders, format, binary, length)
static bool set_ShaderBinary(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                             const struct gv_trace_call *call, struct gv_error *err)
{
    const struct gv_trace_value *names = gv_trace_argument(call, 1),
                                *binary = gv_trace_argument(call, 3);
    const uint64_t count = gv_trace_uint(gv_trace_argument(call, 0)),
                   size = gv_trace_uint(gv_trace_argument(call, 4));
    if (gv_gl_uint(call, 2) != GL_SHADER_BINARY_FORMAT_SPIR_V)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (binary->kind != GV_TRACE_BLOB || binary->count < size || size % 4)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (size / 4 > GV_GL_MODULE_WORDS)
        return gv_gl_unsupported(sink, GV_GL_LACK(MODULE_WORDS));
    struct gv_gl_text *module = gv_gl_text_new((size_t)size);
    if (!module)
        return gv_out_of_memory(err);
    memcpy(module->text, binary->bytes, (size_t)size);
    for (uint64_t i = 0; names->kind == GV_TRACE_ARRAY && i < names->count && i < count;
         i++) {
        struct gv_gl_program *p = gv_gl_need_shader(
            objects, sink, (uint32_t)gv_trace_uint(gv_trace_item(names, i)));
        if (p)
            set_module(&p->shader, module);
    }
    gv_gl_text_drop(module);
    return true;
}
GV_GL_OBJECT_SETTER(ShaderBinary)

// ---- glSpecializeShader ----

struct constants {
    uint32_t *numbers, *values; // owned
    size_t count;
};

static bool take_constants(const struct gv_trace_call *call, struct constants *out,
                           struct gv_error *err)
{
    const struct gv_trace_value *numbers = gv_trace_argument(call, 3),
                                *values = gv_trace_argument(call, 4);
    const uint64_t told = gv_trace_uint(gv_trace_argument(call, 2));
    uint64_t count = numbers->kind == GV_TRACE_ARRAY ? numbers->count : 0;
    count = count < told ? count : told;
    count = count < GV_CROSS_MAX_CONSTANTS ? count : GV_CROSS_MAX_CONSTANTS;
    *out = (struct constants){ .numbers = calloc((size_t)count + 1, sizeof(uint32_t)),
                               .values = calloc((size_t)count + 1, sizeof(uint32_t)),
                               .count = (size_t)count };
    for (size_t i = 0; out->numbers && out->values && i < count; i++) {
        out->numbers[i] = (uint32_t)gv_trace_uint(gv_trace_item(numbers, i));
        out->values[i] = (uint32_t)gv_trace_uint(gv_trace_item(values, i));
    }
    return (out->numbers && out->values) || gv_out_of_memory(err);
}

// The text of a module, NULL: there is none, as `told` says.
static struct gv_gl_text *text_of(const struct gv_gl_shader *s, const char *entry,
                                  const struct constants *constants,
                                  struct gv_error *told)
{
    struct gv_arena arena = { 0 };
    const struct gv_cross_params params = {
        .words = (const uint32_t *)(const void *)s->module->text,
        .count = s->module->size / 4,
        .stage = gv_gl_shader_stage(s->type),
        .entry = entry,
        .constants = constants->numbers,
        .values = constants->values,
        .constant_count = constants->count,
    };
    const char *text = NULL;
    struct gv_gl_text *out = NULL;
    if (gv_cross_glsl(&params, &arena, &text, told)) {
        out = gv_gl_text_new(strlen(text));
        if (out)
            memcpy(out->text, text, out->size);
        else
            gv_out_of_memory(told);
    }
    gv_arena_finish(&arena);
    return out;
}

// The shader is compiled, or it is said why it is not.
static bool specialize(struct gv_gl_sink *sink, struct gv_gl_shader *s,
                       const char *entry, const struct constants *constants,
                       struct gv_error *err)
{
    struct gv_error told = GV_ERROR_INIT;
    if (!gv_gl_work(&sink->work, GV_GL_COMPILE_WORK + s->module->size, err))
        return false;
    s->compiled = text_of(s, entry, constants, &told);
    if (s->compiled)
        return true;
    if (told.status == GV_ERR_MEMORY)
        return gv_out_of_memory(err);
    if (told.status == GV_ERR_USAGE)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    return gv_gl_unsupported_because(sink, GV_GL_LACK(MODULE), told.message);
}

// (shader, entry point, count, constants, values)
static bool set_SpecializeShader(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                                 const struct gv_trace_call *call, struct gv_error *err)
{
    char entry[GV_GL_MAX_NAME_BYTES];
    struct gv_gl_program *p = gv_gl_need_shader(objects, sink, gv_gl_uint(call, 0));
    if (!p)
        return true;
    if (!p->shader.module || p->shader.compiled)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    if (!gv_gl_name_argument(gv_trace_argument(call, 1), entry))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    struct constants constants;
    const bool ok = take_constants(call, &constants, err) &&
                    specialize(sink, &p->shader, entry, &constants, err);
    free(constants.numbers);
    free(constants.values);
    return ok;
}
GV_GL_OBJECT_SETTER(SpecializeShader)

const struct gv_gl_row gv_gl_shader_binary_rows[] = {
    { "glShaderBinary", gl_ShaderBinary, 0 },
    { "glSpecializeShader", gl_SpecializeShader, 0 },
    { "glSpecializeShaderARB", gl_SpecializeShader, 0 },
    { NULL, NULL, 0 },
};
