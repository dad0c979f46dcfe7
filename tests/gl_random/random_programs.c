#include "tests/gl_random/gl_random.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "resources/base/error.h"

struct text {
    char data[8192];
    size_t size;
};

static void say(struct text *t, const char *format, ...) GV_PRINTF(2, 3);
static void say(struct text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    t->size +=
        (size_t)vsnprintf(t->data + t->size, sizeof t->data - t->size, format, list);
    va_end(list);
}

// How GLSL of a version speaks.
struct dialect {
    const char *version;
    bool modern;     // in and out, texture()
    bool located;    // layout(location) of outputs
    bool everything; // samplers of rectangles, of integers, of arrays
    uint8_t apis;
};
static const struct dialect dialects[] = {
    { "120", false, false, false, RANDOM_OLD },
    { "110", false, false, false, RANDOM_OLD },
    { "130", true, false, false, RANDOM_OLD },
    { "150 compatibility", true, false, true, RANDOM_OLD },
    { "330 compatibility", true, true, true, RANDOM_OLD },
    { "150", true, false, true, RANDOM_FOR(RANDOM_CORE) },
    { "330", true, true, true, RANDOM_FOR(RANDOM_CORE) },
    { "450", true, true, true, RANDOM_FOR(RANDOM_CORE) },
    { "300 es", true, true, true, RANDOM_FOR(RANDOM_ES3) },
    { "100", false, false, false, RANDOM_FOR(RANDOM_ES3) | RANDOM_FOR(RANDOM_ES2) },
};

// ---- samplers ----

static const struct sampled {
    int target;
    const char *name, *coordinates, *compared;
    bool everything; // of later versions alone
} sampled[] = {
    { 0, NULL, NULL, NULL, false },
    { GL_TEXTURE_2D, "2D", "v_tc.xy", "vec3(v_tc.xy, v_tc.z)", false },
    { GL_TEXTURE_CUBE_MAP, "Cube", "(v_tc.xyz - 0.5)", "vec4(v_tc.xyz - 0.5, 0.5)",
      false },
    { GL_TEXTURE_1D, "1D", "v_tc.x", "vec3(v_tc.x, 0.0, v_tc.z)", false },
    { GL_TEXTURE_3D, "3D", "v_tc.xyz", NULL, false },
    { GL_TEXTURE_2D_ARRAY, "2DArray", "vec3(v_tc.xy, v_tc.z * 3.0)",
      "vec4(v_tc.xy, v_tc.z * 3.0, 0.5)", true },
    { GL_TEXTURE_1D_ARRAY, "1DArray", "vec2(v_tc.x, v_tc.y * 3.0)",
      "vec3(v_tc.x, v_tc.y * 3.0, 0.5)", true },
    { GL_TEXTURE_RECTANGLE, "2DRect", "(v_tc.xy * 20.0)", "vec3(v_tc.xy * 20.0, 0.5)",
      true },
};
#define SAMPLED COUNT(sampled)

// A number per type of sampler in GLSL.
int random_sampler(const struct random_texture *t)
{
    unsigned target = 1;
    while (target < SAMPLED - 1 && sampled[target].target != t->target)
        target++;
    const int kind = t->format->kind == RANDOM_INT    ? 1
                     : t->format->kind == RANDOM_UINT ? 2
                     : t->compared                    ? 3
                                                      : 0;
    return (int)target + (int)SAMPLED * kind;
}

static const struct sampled *sampled_of(int sampler)
{
    return &sampled[(unsigned)sampler % SAMPLED];
}

static int kind_of(int sampler)
{
    return sampler / (int)SAMPLED;
}

static void declare_sampler(struct text *t, const struct dialect *d, int unit,
                            int sampler)
{
    static const char *const before[] = { "", "i", "u", "" };
    const int kind = kind_of(sampler);
    const char *precision =
        strstr(d->version, "es") ? "highp " : ""; // there those of arrays have none
    say(t, "uniform %s%ssampler%s%s s%d;\n", precision, before[kind],
        sampled_of(sampler)->name, kind == 3 ? "Shadow" : "", unit);
}

static void sample(struct text *t, const struct dialect *d, int unit, int sampler)
{
    const struct sampled *s = sampled_of(sampler);
    const int kind = kind_of(sampler);
    if (kind == 3 && d->modern)
        say(t, "vec4(texture(s%d, %s))", unit, s->compared);
    else if (kind == 3)
        say(t, "shadow%s(s%d, %s)", s->name, unit, s->compared);
    else if (!d->modern)
        say(t, "texture%s(s%d, %s)", s->name, unit, s->coordinates);
    else if (kind)
        say(t, "(vec4(texture(s%d, %s) & 255%s) / 255.0)", unit, s->coordinates,
            kind == 2 ? "u" : "");
    else
        say(t, "texture(s%d, %s)", unit, s->coordinates);
}

// ---- expressions ----

static void leaf(struct gl_random *r, struct text *t, const struct dialect *d,
                 const struct random_program *p)
{
    const unsigned unit = random_below(r, RANDOM_UNITS);
    switch (random_below(r, 7)) {
    case 0:
    case 1:
    case 2:
        if (p->samplers[unit])
            sample(t, d, (int)unit, p->samplers[unit]);
        else
            say(t, "v_col.bgra");
        break;
    case 3:
        say(t, "values");
        break;
    case 4:
        say(t, "vec4(gl_FragCoord.xy / 64.0, gl_FragCoord.z, 1.0)");
        break;
    default:
        say(t, "v_col");
    }
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as `depth`
static void expression(struct gl_random *r, struct text *t, const struct dialect *d,
                       const struct random_program *p, int depth)
{
    static const struct {
        const char *before, *between, *after;
    } forms[] = {
        { "(", " * ", ")" },
        { "(", " * 0.5 + 0.5 * ", ")" },
        { "mix(", ", ", ", values)" },
        { "min(", ", ", ")" },
        { "max(", ", ", ")" },
        { "abs(", " - ", ")" },
        { "(gl_FrontFacing ? ", " : ", ")" },
        { "(1.0 - ", " * ", ")" },
        { "clamp(", " + 0.5 * ", ", 0.0, 1.0)" },
        { "(", ".wxyz * ", ".zyxw)" },
    };
    if (depth == 0 || random_chance(r, 20)) {
        leaf(r, t, d, p);
        return;
    }
    const unsigned form = random_below(r, COUNT(forms));
    say(t, "%s", forms[form].before);
    expression(r, t, d, p, depth - 1);
    say(t, "%s", forms[form].between);
    expression(r, t, d, p, depth - 1);
    say(t, "%s", forms[form].after);
}

// ---- shaders ----

static void head(struct text *t, const struct dialect *d)
{
    say(t, "#version %s\n", d->version);
    if (strstr(d->version, "es"))
        say(t, "precision highp float;\nprecision highp int;\n");
    else if (strcmp(d->version, "100") == 0)
        say(t, "precision highp float;\n");
}

static void write_vertex(struct gl_random *r, struct text *t, const struct dialect *d,
                         const struct random_program *p, const char *quality)
{
    const char *in = d->modern ? "in" : "attribute",
               *out = d->modern ? "out" : "varying";
    head(t, d);
    if (!p->old)
        say(t, "%s vec4 pos, col, tc;\n", in);
    say(t, "%s%s vec4 v_col;\n%s vec4 v_tc;\nuniform mat4 matrix;\nvoid main() {\n",
        quality, out, out);
    if (p->old)
        say(t,
            "    gl_Position = %s;\n    v_col = gl_Color;\n    v_tc = "
            "gl_MultiTexCoord0;\n",
            random_chance(r, 50) ? "ftransform()" : "matrix * gl_Vertex");
    else
        say(t, "    gl_Position = matrix * pos;\n    v_col = col;\n    v_tc = tc;\n");
    if (!random_has(r, RANDOM_GL))
        say(t, "    gl_PointSize = 3.0;\n");
    say(t, "}\n");
}

static void write_outputs(struct text *t, const struct dialect *d,
                          const struct random_program *p)
{
    static const char *const types[] = {
        [RANDOM_FLOAT] = "vec4", [RANDOM_INT] = "ivec4", [RANDOM_UINT] = "uvec4"
    };
    const char *const precision = strstr(d->version, "es") ? "highp " : "";
    for (int i = 0; d->modern && i < p->output_count; i++) {
        if (d->located)
            say(t, "layout(location = %d) ", i);
        say(t, "out %s%s o%d;\n", precision, types[p->outputs[i]], i);
    }
}

static void write_fragment(struct gl_random *r, struct text *t, const struct dialect *d,
                           const struct random_program *p, const char *quality)
{
    static const char *const before[] = { [RANDOM_FLOAT] = "(",
                                          [RANDOM_INT] = "ivec4(100.0 * ",
                                          [RANDOM_UINT] = "uvec4(100.0 * " };
    const char *in = d->modern ? "in" : "varying";
    head(t, d);
    say(t, "%s%s vec4 v_col;\n%s vec4 v_tc;\nuniform vec4 values;\n", quality, in, in);
    for (int i = 0; i < RANDOM_UNITS; i++)
        if (p->samplers[i])
            declare_sampler(t, d, i, p->samplers[i]);
    write_outputs(t, d, p);
    say(t, "void main() {\n");
    if (random_chance(r, 8))
        say(t, "    if (v_tc.x > 0.8)\n        discard;\n");
    for (int i = 0; i < p->output_count; i++) {
        if (d->modern)
            say(t, "    o%d = ", i);
        else if (p->output_count == 1)
            say(t, "    gl_FragColor = ");
        else
            say(t, "    gl_FragData[%d] = ", i);
        say(t, "%s", before[p->outputs[i]]);
        if (p->outputs[i] == RANDOM_UINT)
            say(t, "abs(");
        expression(r, t, d, p, random_between(r, 1, 3));
        say(t, "%s);\n", p->outputs[i] == RANDOM_UINT ? ")" : "");
    }
    say(t, "}\n");
}

// ---- programs ----

static const struct dialect *choose(struct gl_random *r, const struct random_program *p)
{
    bool everything = false, modern = false;
    for (int i = 0; i < RANDOM_UNITS; i++) {
        everything = everything || sampled_of(p->samplers[i])->everything ||
                     (kind_of(p->samplers[i]) == 3 &&
                      sampled_of(p->samplers[i])->target != GL_TEXTURE_2D);
        modern = modern || kind_of(p->samplers[i]) != 0 ||
                 (!random_has(r, RANDOM_GL) &&
                  sampled_of(p->samplers[i])->target == GL_TEXTURE_3D);
    }
    for (int i = 0; i < p->output_count; i++)
        modern =
            modern || p->outputs[i] != RANDOM_FLOAT || (i && !random_has(r, RANDOM_GL));
    for (;;) {
        const struct dialect *d = &dialects[random_below(r, COUNT(dialects))];
        if (random_has(r, d->apis) && (!everything || d->everything) &&
            (!modern || d->modern))
            return d;
    }
}

static void attach(struct gl_random *r, const struct random_program *p, int kind,
                   const char *text)
{
    const int name = random_name(r);
    CALL("glCreateShader", "i=i", kind, name);
    CALL("glShaderSource", "iitn", name, 1, text);
    CALL("glCompileShader", "i", name);
    CALL("glAttachShader", "ii", p->name, name);
    if (random_chance(r, 30))
        CALL("glDeleteShader", "i", name);
}

// Asks for a uniform that some text uses; else GL says -1.
static int locate(struct gl_random *r, const struct random_program *p, const char *name,
                  int location, const char *text, const char *use)
{
    const int is = strstr(text, use) ? location : -1;
    CALL("glGetUniformLocation", "is=i", p->name, name, is);
    return is;
}

static void link(struct gl_random *r, struct random_program *p, const struct dialect *d,
                 const char *vertex, const char *fragment)
{
    static const char *const attributes[] = { "pos", "col", "tc" };
    static const char *const samplers[] = { "s0", "s1" }, *const uses[] = { "(s0,",
                                                                            "(s1," };
    for (int i = 0; !p->old && i < 3; i++)
        CALL("glBindAttribLocation", "iis", p->name, i, attributes[i]);
    for (int i = 0; d->modern && !d->located && i < p->output_count; i++)
        CALL("glBindFragDataLocation", "iis", p->name, i, i ? "o1" : "o0");
    CALL("glLinkProgram", "i", p->name);
    CALL("glUseProgram", "i", p->name);
    r->using = p->name;
    p->matrix = locate(r, p, "matrix", 1, vertex, "matrix *");
    p->values = locate(r, p, "values", 2, strchr(fragment, '{'), "values");
    for (int i = 0; i < RANDOM_UNITS; i++)
        if (p->samplers[i] && locate(r, p, samplers[i], 10 + i, fragment, uses[i]) >= 0)
            CALL("glUniform1i", "ii", 10 + i, i);
}

static void make(struct gl_random *r, struct random_program *p)
{
    static struct text vertex, fragment;
    vertex.size = fragment.size = 0;
    const struct dialect *d = choose(r, p);
    p->name = random_name(r);
    CALL("glCreateProgram", "=i", p->name);
    const char *quality = "";
    if (d->modern && random_chance(r, 20))
        quality = random_has(r, RANDOM_GL) && random_chance(r, 50) ? "noperspective "
                                                                   : "flat ";
    write_vertex(r, &vertex, d, p, quality);
    write_fragment(r, &fragment, d, p, quality);
    attach(r, p, GL_VERTEX_SHADER, vertex.data);
    attach(r, p, GL_FRAGMENT_SHADER, fragment.data);
    link(r, p, d, vertex.data, fragment.data);
}

static bool same(const struct random_program *a, const struct random_program *b)
{
    return a->old == b->old && a->output_count == b->output_count &&
           memcmp(a->outputs, b->outputs, sizeof a->outputs) == 0 &&
           memcmp(a->samplers, b->samplers, sizeof a->samplers) == 0;
}

// The slot of one that was made, or of a new one.
static struct random_program *place(struct gl_random *r,
                                    const struct random_program *wanted)
{
    for (unsigned i = 0; i < r->program_count; i++)
        if (same(&r->programs[i], wanted) && random_chance(r, 70))
            return &r->programs[i];
    if (r->program_count < RANDOM_PROGRAMS) {
        struct random_program *p = &r->programs[r->program_count++];
        *p = *wanted;
        return p;
    }
    struct random_program *p = &r->programs[random_below(r, RANDOM_PROGRAMS)];
    CALL("glDeleteProgram", "i", p->name);
    *p = *wanted;
    return p;
}

static void set(struct gl_random *r, const struct random_program *p)
{
    const float c = (float)random_real(r, 0.7, 1), s = (float)random_real(r, -0.4, 0.4);
    const float matrix[] = { c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    const float values[] = { (float)random_real(r, 0, 1), (float)random_real(r, 0, 1),
                             (float)random_real(r, 0, 1), (float)random_real(r, 0, 1) };
    CALL("glUniformMatrix4fv", "iiiv", p->matrix, 1, 0, 16u, matrix);
    if (random_chance(r, 50))
        CALL("glUniform4fv", "iiv", p->values, 1, 4u, values);
    else
        CALL("glUniform4f", "iffff", p->values, (double)values[0], (double)values[1],
             (double)values[2], (double)values[3]);
}

const struct random_program *random_use_program(struct gl_random *r,
                                                struct random_texture *const *textures,
                                                bool old)
{
    const struct random_target *to = &r->targets[r->draw];
    struct random_program wanted = { .old = old, .output_count = to->colors };
    for (int i = 0; i < to->colors; i++)
        wanted.outputs[i] = to->formats[i]->kind;
    for (int i = 0; i < RANDOM_UNITS; i++)
        wanted.samplers[i] = textures[i] ? random_sampler(textures[i]) : 0;
    if (to->colors == 0)
        return NULL;
    struct random_program *p = place(r, &wanted);
    if (!p->name) {
        make(r, p);
    } else if (r->using != p->name) {
        CALL("glUseProgram", "i", p->name);
        r->using = p->name;
    }
    if (random_chance(r, 60) || p->name == r->names)
        set(r, p);
    return p;
}
