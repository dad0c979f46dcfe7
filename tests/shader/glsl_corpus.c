// Every program that an apitrace trace links, through gv_glsl_program: one line each,
// its hash and `ok`, or why not. Files that are no traces are the shaders of one
// program: of the vertex stage with "vert" in its name, of the fragment stage else; of
// ES with "GLES" in the path of the first.
//   glsl_corpus TRACE|FILE... [--text]
// Exit code 1: a program was refused without a name, or the file cannot be read.
#include "compiler/apitrace/trace/trace_reader.h"
#include "compiler/shader/glsl/glsl_program.h"
#include "resources/base/bytes.h"
#include "resources/base/file.h"
#include "resources/hash.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAMES 4096u // of shaders and programs
#define MAX_ATTACHED 16u
#define EGL_OPENGL_API 0x30A2u

struct shader {
    uint32_t stage; // 0: no shader of that name
    char *text;     // owned; NULL: none yet
};

struct program {
    uint32_t attached[MAX_ATTACHED];
    uint32_t count;
};

static struct shader shaders[MAX_NAMES];
static struct program programs[MAX_NAMES];
static uint32_t egl_api;
static bool egl, failed, show;

static uint32_t stage_of(uint64_t type)
{
    switch (type) {
    case 0x8B30:
        return GV_STAGE_FRAGMENT;
    case 0x8B31:
        return GV_STAGE_VERTEX;
    case 0x8DD9:
        return GV_STAGE_GEOMETRY;
    case 0x8E88:
        return GV_STAGE_TESSELLATION_CONTROL;
    case 0x8E87:
        return GV_STAGE_TESSELLATION_EVALUATION;
    case 0x91B9:
        return GV_STAGE_COMPUTE;
    default:
        return 0;
    }
}

static uint32_t name_of(const struct gv_trace_value *v)
{
    uint64_t name = gv_trace_uint(v);
    return name < MAX_NAMES ? (uint32_t)name : 0;
}

static void create(const struct gv_trace_call *call)
{
    uint32_t name = name_of(&call->result);
    free(shaders[name].text);
    shaders[name] =
        (struct shader){ .stage = stage_of(gv_trace_uint(gv_trace_argument(call, 0))) };
}

static void source(const struct gv_trace_call *call)
{
    struct shader *s = &shaders[name_of(gv_trace_argument(call, 0))];
    const struct gv_trace_value *strings = gv_trace_argument(call, 2);
    uint64_t count = gv_trace_uint(gv_trace_argument(call, 1));
    struct gv_bytes text = { 0 };
    for (uint64_t i = 0; i < count && i < 4096; i++) {
        const struct gv_trace_value *piece = gv_trace_item(strings, i);
        if (piece->kind == GV_TRACE_STRING)
            gv_bytes_put(&text, piece->bytes, piece->count);
    }
    gv_bytes_u8(&text, 0);
    free(s->text);
    s->text = (char *)text.data; // the buffer's owner from here on
}

static void attach(const struct gv_trace_call *call, bool on)
{
    struct program *p = &programs[name_of(gv_trace_argument(call, 0))];
    uint32_t shader = name_of(gv_trace_argument(call, 1));
    for (uint32_t i = 0; i < p->count; i++)
        if (p->attached[i] == shader)
            p->attached[i--] = p->attached[--p->count];
    if (on && p->count < MAX_ATTACHED)
        p->attached[p->count++] = shader;
}

static void print_program(const struct gv_glsl_program *p)
{
    for (size_t i = 0; i < p->count; i++)
        printf("---- stage %x\n%s\n", p->stages[i].stage, p->texts[i]);
}

static void check(const struct gv_glsl_text *texts, size_t count, bool es)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_program_params params = {
        .texts = texts, .count = count, .gl_rules = true, .upgrade = { .es = es }
    };
    struct gv_glsl_program *out = gv_arena_alloc(&arena, sizeof *out);
    struct gv_bytes all = { 0 };
    for (size_t i = 0; i < count; i++)
        gv_bytes_put(&all, texts[i].text, strlen(texts[i].text));
    char hex[GV_HASH_HEX];
    struct gv_hash hash = gv_hash_bytes(all.data, all.size);
    gv_hash_to_hex(&hash, hex);
    bool ok = out && gv_glsl_program(&params, &arena, out, &err);
    printf("%s %s\n", hex, ok ? "ok" : err.message);
    if (!ok && err.status != GV_ERR_UNSUPPORTED)
        failed = true;
    if (ok && show)
        print_program(out);
    gv_bytes_finish(&all);
    gv_arena_finish(&arena);
}

static void link_program(const struct gv_trace_call *call)
{
    const struct program *p = &programs[name_of(gv_trace_argument(call, 0))];
    struct gv_glsl_text texts[MAX_ATTACHED];
    size_t count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct shader *s = &shaders[p->attached[i]];
        if (s->stage && s->text)
            texts[count++] = (struct gv_glsl_text){ s->stage, s->text };
    }
    if (count)
        check(texts, count, egl && egl_api != EGL_OPENGL_API);
}

static void read_call(const struct gv_trace_call *call)
{
    const char *name = call->function->name;
    if (!strcmp(name, "glCreateShader") || !strcmp(name, "glCreateShaderObjectARB"))
        create(call);
    else if (!strcmp(name, "glShaderSource") || !strcmp(name, "glShaderSourceARB"))
        source(call);
    else if (!strcmp(name, "glAttachShader") || !strcmp(name, "glAttachObjectARB"))
        attach(call, true);
    else if (!strcmp(name, "glDetachShader"))
        attach(call, false);
    else if (!strcmp(name, "glCreateProgram"))
        programs[name_of(&call->result)].count = 0;
    else if (!strcmp(name, "glLinkProgram") || !strcmp(name, "glLinkProgramARB"))
        link_program(call);
    else if (!strcmp(name, "eglBindAPI"))
        egl_api = (uint32_t)gv_trace_uint(gv_trace_argument(call, 0));
    else if (!strcmp(name, "eglCreateContext"))
        egl = true;
}

static bool read_trace(const char *path, struct gv_error *err)
{
    struct gv_file file;
    if (!gv_file_open(&file, path, err))
        return false;
    const struct gv_trace_params params = { .allow_truncated = true };
    struct gv_cursor bytes = { .data = file.data, .size = file.size };
    struct gv_trace_reader *reader = gv_trace_open(bytes, &params, err);
    const struct gv_trace_call *call = NULL;
    while (reader && gv_trace_next(reader, &call, err) && call)
        read_call(call);
    gv_trace_close(reader);
    gv_file_close(&file);
    return err->status == GV_OK;
}

static bool read_text(const char *path, struct gv_glsl_text *out, struct gv_error *err)
{
    struct gv_file file;
    struct gv_bytes text = { 0 };
    const char *name = strrchr(path, '/');
    if (!gv_file_open(&file, path, err))
        return false;
    gv_bytes_put(&text, file.data, file.size);
    gv_bytes_u8(&text, 0);
    gv_file_close(&file);
    *out =
        (struct gv_glsl_text){ strstr(name ? name : path, "vert") ? GV_STAGE_VERTEX
                                                                  : GV_STAGE_FRAGMENT,
                               (const char *)text.data };
    return true;
}

static bool read_program(char **paths, size_t count, struct gv_error *err)
{
    struct gv_glsl_text texts[MAX_ATTACHED];
    size_t n = 0;
    while (n < count && n < MAX_ATTACHED && read_text(paths[n], &texts[n], err))
        n++;
    if (n == count)
        check(texts, n, strstr(paths[0], "GLES") != NULL);
    for (size_t i = 0; i < n; i++)
        free((void *)texts[i].text);
    return n == count;
}

static bool is_trace(const char *path)
{
    size_t n = strlen(path);
    return n > 6 && !strcmp(path + n - 6, ".trace");
}

int main(int argc, char **argv)
{
    struct gv_error err = GV_ERROR_INIT;
    show = argc > 2 && !strcmp(argv[argc - 1], "--text");
    if (argc < 2)
        return EXIT_FAILURE;
    const size_t count = (size_t)argc - 1 - show;
    bool read = is_trace(argv[1]) ? read_trace(argv[1], &err)
                                  : read_program(argv + 1, count, &err);
    if (!read) {
        fprintf(stderr, "%s\n", err.message);
        return EXIT_FAILURE;
    }
    for (uint32_t i = 0; i < MAX_NAMES; i++)
        free(shaders[i].text);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
