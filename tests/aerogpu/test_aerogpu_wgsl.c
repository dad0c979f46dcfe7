// WGSL in appendix A that is refused: by which name, at which byte of the capture.
#include "compiler/compiler.h"
#include "tests/aerogpu/aerogpu_minimal.h"
#include "tests/test.h"

#define VS "@vertex fn vs_main(@location(0) p: vec2f) -> @builtin(position) vec4f {\n"
#define VERTEX VS "return vec4f(p, 0, 1); }"
#define OUT(type)                                                                      \
    "struct O { @builtin(position) p: vec4f, @location(1) @interpolate(flat) c: " type \
    " }\n@vertex fn vs_main() -> O { return O(); }"
#define FS(head) head "@fragment fn fs_main() -> @location(0) vec4f {\n"
#define FRAGMENT FS("") "return vec4f(1); }"

static const struct {
    const char *name, *vs, *fs;
    enum gv_status status; // GV_OK: taken
    const char *where;     // in the capture; NULL: at the packet
    const char *message;
} rows[] = {
    { "taken", VERTEX, FRAGMENT, GV_OK, NULL, NULL },
    { "first_entry",
      "@vertex fn a() -> @builtin(position) vec4f { return vec4f(); }\n"
      "@vertex fn b() -> @builtin(position) vec4f { return q; }",
      FRAGMENT, GV_OK, NULL, NULL },
    { "named_entry",
      "@vertex fn b() -> @builtin(position) vec4f { return q; }\n" VERTEX, FRAGMENT,
      GV_OK, NULL, NULL },
    { "malformed", VERTEX, FS("") "return vec4f(unknown_name); }", GV_ERR_FORMAT,
      "unknown_name", "'unknown_name' is not declared" },
    { "unsupported", "override n = 1;" VERTEX, FRAGMENT, GV_ERR_UNSUPPORTED, "override",
      "unsupported: WGSL override" },
    { "empty", VERTEX, " ", GV_ERR_FORMAT, NULL, "no entry point" },
    { "uniform", VERTEX,
      FS("@group(0) @binding(0) var<uniform> u: vec4f;") "return u; }",
      GV_ERR_UNSUPPORTED, NULL, "unsupported: uniforms in a minimal shader" },
    { "texture", VERTEX,
      FS("@group(0) @binding(0) var t: texture_2d<f32>;") "return textureLoad(t, "
                                                          "vec2i(), 0); }",
      GV_ERR_UNSUPPORTED, NULL, "unsupported: uniforms in a minimal shader" },
    { "varying_absent", VERTEX,
      "@fragment fn fs_main(@location(1) c: vec4f) -> @location(0) vec4f { return c; }",
      GV_ERR_FORMAT, NULL, "differ in location 1" },
    { "varying_type", OUT("u32"),
      "@fragment fn fs_main(@location(1) c: f32) -> @location(0) vec4f"
      "{ return vec4f(c); }",
      GV_ERR_FORMAT, NULL, "differ in location 1" },
    { "varying_same", OUT("f32"),
      "@fragment fn fs_main(@location(1) @interpolate(flat) c: f32) -> @location(0) "
      "vec4f"
      "{ return vec4f(c); }",
      GV_OK, NULL, NULL },
    { "attribute_location",
      "@vertex fn vs_main(@location(2) p: vec4f) -> @builtin(position) vec4f"
      "{ return p; }",
      FRAGMENT, GV_ERR_FORMAT, NULL, "no vertex attribute for location 2" },
    { "attribute_type",
      "@vertex fn vs_main(@location(0) p: vec4u) -> @builtin(position) vec4f"
      "{ return vec4f(p); }",
      FRAGMENT, GV_ERR_FORMAT, NULL, "no vertex attribute for location 0" },
    { "target_type", VERTEX,
      "@fragment fn fs_main() -> @location(0) vec4u"
      "{ return vec4u(); }",
      GV_ERR_FORMAT, NULL, "no target for location 0" },
    { "recursion", VERTEX,
      "fn again() -> f32 { return again(); }\n" FS("") "return vec4f(again()); }",
      GV_ERR_FORMAT, "again(); }\n", "'again' calls itself" },
    { "languages", "glsl", FRAGMENT, GV_ERR_UNSUPPORTED, NULL,
      "unsupported: a pipeline of GLSL and WGSL" },
};

static bool count_bytes(void *context, const void *data, size_t size,
                        struct gv_error *err)
{
    (void)data, (void)err;
    *(size_t *)context += size;
    return true;
}

static uint64_t place_of(const struct gv_bytes *file, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i + n <= file->size; i++)
        if (!memcmp(file->data + i, text, n))
            return i;
    return GV_NO_OFFSET;
}

int main(void)
{
    static struct aero_scene f;
    static const char glsl[] =
        "#version 300 es\nvoid main() { gl_Position = vec4(1); }";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_glsl = !strcmp(rows[i].vs, "glsl");
        const struct aero_minimal_stage vs = { .glsl = is_glsl ? glsl : NULL,
                                               .wgsl = is_glsl ? NULL : rows[i].vs };
        const struct aero_minimal_stage fs = { .wgsl = rows[i].fs };
        const struct gv_compile_params params = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        size_t size = 0;
        aero_minimal_begin(&f, &vs, &fs);
        aero_minimal_fill(&f, 1, 0, 0, 1);
        aero_minimal_end(&f);
        bool ok = gv_compile(f.file.bytes.data, f.file.bytes.size, &params, count_bytes,
                             &size, NULL, &err);
        bool right =
            ok == (rows[i].status == GV_OK) && err.status == rows[i].status &&
            (ok || strstr(err.message, rows[i].message)) &&
            (!rows[i].where || err.offset == place_of(&f.file.bytes, rows[i].where));
        if (!right)
            fprintf(stderr, "[%s] status %d at %lld: %s\n", rows[i].name, err.status,
                    (long long)err.offset, err.message);
        CHECK_ROW(rows[i].name, right);
        aero_scene_finish(&f);
    }
    printf("%zu captures\n", sizeof rows / sizeof *rows);
    return TEST_RESULT();
}
