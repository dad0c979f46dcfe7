// What fragments see of the target that they are drawn to: outputs that are `inout`,
// gl_LastFragData and its like (EXT and ARM_shader_framebuffer_fetch), the equations of
// KHR_blend_equation_advanced. Samplers of what the target holds stand for it:
// gv_FetchN of an enum gv_glsl_fetch, gv_Fetch_NAME of an output.
#include "compiler/shader/glsl/glsl_program.h"
#include "compiler/shader/glsl/glsl_unit.h"
#include "resources/base/bytes.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *layout, *result;
} blends[] = {
#define GLSL_BLEND(id, name, result) { "blend_support_" name, result },
#include "compiler/shader/glsl/glsl_blends.def"
#undef GLSL_BLEND
};
#define BLEND_COUNT (sizeof blends / sizeof *blends)

// ---- reading ----

static unsigned elements_of(struct glsl_unit *u, const struct glsl_declaration *d)
{
    unsigned n = 0;
    if (d->dims == GLSL_NO_TOKEN)
        return 0;
    const struct glsl_token *t = glsl_unit_token(u, glsl_next(&u->code, d->dims));
    for (size_t i = 0; t->kind == GLSL_NUMBER && i < t->size && n < GLSL_MAX_OUTPUTS;
         i++)
        n = 10 * n + (unsigned)(t->text[i] - '0') % 10;
    return n > GLSL_MAX_OUTPUTS ? GLSL_MAX_OUTPUTS : n;
}

static bool is_known(const struct glsl_stage *s, const struct glsl_token *name)
{
    for (unsigned i = 0; i < s->fetched_count; i++) {
        const struct glsl_fetched *f = &s->fetched[i];
        const struct glsl_token *t = &f->unit->code.tokens[f->name];
        if (t->size == name->size && !memcmp(t->text, name->text, t->size))
            return true;
    }
    return false;
}

bool glsl_take_fetched(struct glsl_unit *u, struct glsl_declaration *d)
{
    struct glsl_stage *s = u->stage;
    glsl_unit_drop_word(u, d, "noncoherent");
    if (d->name == GLSL_NO_TOKEN)
        return true; // glslang says so
    glsl_unit_token(u, d->storage)->replacement = "out";
    d->qualifiers &= ~(unsigned)GLSL_IN;
    if (is_known(s, glsl_unit_token(u, d->name)))
        return true;
    if (s->fetched_count == GLSL_MAX_OUTPUTS)
        return glsl_unit_unsupported(u, "framebuffer fetch of so many outputs");
    s->fetched[s->fetched_count++] =
        (struct glsl_fetched){ u, d->name, d->type, elements_of(u, d) };
    return true;
}

void glsl_take_blend_support(struct glsl_unit *u, const struct glsl_declaration *d)
{
    unsigned *support = &u->stage->blend_support;
    if (glsl_layout_has(&u->code, d, "blend_support_all_equations")) {
        *support |= ~0u;
        glsl_unit_drop_word(u, d, "blend_support_all_equations");
    }
    for (size_t i = 0; i < BLEND_COUNT; i++) {
        if (!glsl_layout_has(&u->code, d, blends[i].layout))
            continue;
        *support |= 2u << i;
        glsl_unit_drop_word(u, d, blends[i].layout);
    }
    // What is left of a statement about nothing else says nothing.
    if (*support && d->what == GLSL_DECLARES_NOTHING && d->layout != GLSL_NO_TOKEN &&
        glsl_unit_token(u, d->layout)->replacement)
        glsl_unit_erase(u, d->first, d->last);
}

// ---- writing ----

bool glsl_fetches(const struct glsl_stage *s)
{
    return s->fetched_count || s->last || s->options->blend;
}

static void put_token(const struct glsl_unit *u, size_t i, struct gv_bytes *out)
{
    const struct glsl_token *t = &u->code.tokens[i];
    const char *text = t->replacement ? t->replacement : t->text;
    gv_bytes_put(out, text, t->replacement ? strlen(text) : t->size);
}

// As many components as a type has, and the letter of its samplers.
static const char *components(const struct glsl_token *type)
{
    const char last = type->text[type->size - 1];
    return last == '4' ? "" : last == '3' ? ".xyz" : last == '2' ? ".xy" : ".x";
}

static const char *letter(const struct glsl_token *type)
{
    return type->text[0] == 'i' ? "i" : type->text[0] == 'u' ? "u" : "";
}

static void declare_output(const struct glsl_fetched *f, struct gv_bytes *out)
{
    gv_bytes_printf(out, "uniform highp %ssampler2D gv_Fetch_",
                    letter(&f->unit->code.tokens[f->type]));
    const struct glsl_token *name = &f->unit->code.tokens[f->name];
    gv_bytes_put(out, name->text, name->size);
    if (f->elements)
        gv_bytes_printf(out, "[%u]", f->elements);
    gv_bytes_printf(out, ";\n");
}

static unsigned read_bits(const struct glsl_stage *s)
{
    return s->last | (s->options->blend ? 1u << GV_GLSL_FETCH_COLOR : 0);
}

void glsl_declare_fetched(const struct glsl_stage *s, struct gv_bytes *out)
{
    static const char hue[] =
        "float gv_Lum(vec3 c) { return dot(c, vec3(0.30, 0.59, 0.11)); }\n"
        "float gv_Min(vec3 c) { return min(min(c.r, c.g), c.b); }\n"
        "float gv_Max(vec3 c) { return max(max(c.r, c.g), c.b); }\n"
        "vec3 gv_Clip(vec3 c) { float l = gv_Lum(c), n = gv_Min(c), x = gv_Max(c);\n"
        "if (n < 0.0) c = l + (c - l) * l / (l - n);\n"
        "if (x > 1.0) c = l + (c - l) * (1.0 - l) / (x - l); return c; }\n"
        "vec3 gv_SetLum(vec3 c, vec3 l)\n"
        "{ return gv_Clip(c + (gv_Lum(l) - gv_Lum(c))); }\n"
        "vec3 gv_SetLumSat(vec3 c, vec3 t, vec3 l)\n"
        "{ float n = gv_Min(c), from = gv_Max(c) - n, to = gv_Max(t) - gv_Min(t);\n"
        "return gv_SetLum(from > 0.0 ? (c - n) * to / from : vec3(0.0), l); }\n";
    const unsigned bits = read_bits(s);
    for (unsigned i = 0; i < s->fetched_count; i++)
        declare_output(&s->fetched[i], out);
    for (unsigned i = GV_GLSL_FETCH_COLOR; i <= GV_GLSL_FETCH_STENCIL; i++)
        if (bits >> i & 1)
            gv_bytes_printf(out, "uniform highp %ssampler2D gv_Fetch%u;\n",
                            i == GV_GLSL_FETCH_STENCIL ? "u" : "", i);
    if (bits)
        gv_bytes_printf(out,
                        "vec4 gv_LastFragData[%u];\nfloat gv_LastFragDepth;\n"
                        "int gv_LastFragStencil;\n",
                        GLSL_MAX_OUTPUTS);
    if (s->options->blend)
        gv_bytes_printf(out,
                        "%svec3 gv_BlendColors(vec3 s, vec3 d) { return %s; }\n"
                        "vec4 gv_Blend(vec4 s, vec4 d) {\n"
                        "vec3 cs = s.a == 0.0 ? vec3(0.0) : s.rgb / s.a;\n"
                        "vec3 cd = d.a == 0.0 ? vec3(0.0) : d.rgb / d.a;\n"
                        "float both = s.a * d.a, one = s.a * (1.0 - d.a),\n"
                        "other = d.a * (1.0 - s.a);\n"
                        "return vec4(gv_BlendColors(cs, cd) * both + cs * one + cd * "
                        "other, both + one + other); }\n",
                        s->options->blend >= GV_GLSL_BLEND_HSL_HUE ? hue : "",
                        blends[s->options->blend - 1].result);
}

static void begin_output(const struct glsl_fetched *f, struct gv_bytes *out)
{
    const struct glsl_token *name = &f->unit->code.tokens[f->name];
    const char *swizzle = components(&f->unit->code.tokens[f->type]);
    for (unsigned e = 0; e < (f->elements ? f->elements : 1); e++) {
        char index[16] = "";
        if (f->elements)
            snprintf(index, sizeof index, "[%u]", e);
        gv_bytes_printf(out, "  ");
        put_token(f->unit, f->name, out);
        gv_bytes_printf(out,
                        "%s = texelFetch(gv_Fetch_%.*s%s, ivec2(gl_FragCoord.xy), "
                        "0)%s;\n",
                        index, (int)name->size, name->text, index, swizzle);
    }
}

void glsl_begin_fetched(const struct glsl_stage *s, struct gv_bytes *out)
{
    const unsigned bits = read_bits(s);
    for (unsigned i = 0; i < s->fetched_count; i++)
        begin_output(&s->fetched[i], out);
    for (unsigned i = GV_GLSL_FETCH_COLOR; i <= GV_GLSL_FETCH_STENCIL; i++) {
        if (!(bits >> i & 1))
            continue;
        if (i == GV_GLSL_FETCH_DEPTH)
            gv_bytes_printf(out, "  gv_LastFragDepth = ");
        else if (i == GV_GLSL_FETCH_STENCIL)
            gv_bytes_printf(out, "  gv_LastFragStencil = int");
        else
            gv_bytes_printf(out, "  gv_LastFragData[%u] = ", i - GV_GLSL_FETCH_COLOR);
        gv_bytes_printf(out, "(texelFetch(gv_Fetch%u, ivec2(gl_FragCoord.xy), 0)%s);\n",
                        i, i >= GV_GLSL_FETCH_DEPTH ? ".x" : "");
    }
}

// GL's location of an output: the text's, else as it was bound; -1: none.
static int bound_location(const struct glsl_stage *s, const struct glsl_note *n)
{
    if (n->location >= 0)
        return n->location;
    for (size_t i = 0; i < s->options->output_count; i++)
        if (!strcmp(s->options->outputs[i].name, n->name))
            return (int)s->options->outputs[i].location;
    return -1;
}

// The output of colour buffer 0: what nobody gives a location takes the first that is
// free. NULL: none.
static const struct glsl_note *first_note(const struct glsl_stage *s)
{
    const struct glsl_note *free = NULL;
    for (size_t i = 0; i < s->note_count; i++) {
        const struct glsl_note *n = &s->notes[i];
        const int at = bound_location(s, n);
        if (!(n->qualifiers & GLSL_OUT) || n->index > 0)
            continue;
        if (at == 0)
            return n;
        free = free || at > 0 ? free : n;
    }
    return free;
}

bool glsl_first_output(const struct glsl_stage *s, struct gv_bytes *out)
{
    if (s->frag_color || s->frag_data) {
        gv_bytes_printf(out, s->frag_color ? "gv_FragColor" : "gv_FragData[0]");
        return s->frag_color || s->first_data;
    }
    const struct glsl_note *first = first_note(s);
    if (!first || strcmp(first->type, "vec4") != 0)
        return false;
    put_token(first->unit, first->declaration.name, out);
    if (first->declaration.dims != GLSL_NO_TOKEN)
        gv_bytes_printf(out, "[0]");
    return true;
}

bool glsl_first_alpha(const struct glsl_stage *s, struct gv_bytes *out)
{
    const bool built_in = s->frag_color || s->frag_data;
    const struct glsl_note *first = built_in ? NULL : first_note(s);
    const bool alone =
        first && (!strncmp(first->type, "vec", 3) || !strcmp(first->type, "float"));
    if (glsl_first_output(s, out)) {
        gv_bytes_printf(out, ".a");
        return true;
    }
    if (alone)
        gv_bytes_printf(out, "0.0");
    return alone;
}

void glsl_finish_blend(const struct glsl_stage *s, struct gv_bytes *out)
{
    if (!s->options->blend)
        return;
    gv_bytes_printf(out, "  ");
    glsl_first_output(s, out);
    gv_bytes_printf(out, " = gv_Blend(");
    glsl_first_output(s, out);
    gv_bytes_printf(out, ", gv_LastFragData[0]);\n");
}
