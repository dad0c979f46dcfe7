// What glLinkProgram makes of a program: compiled when it is first needed, one variant
// for each state that its text depends on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/program/program_object.h"

// ---- the moment of the link ----

static uint32_t stage_of(uint32_t type)
{
    switch (type) {
    case GL_VERTEX_SHADER:
        return GV_STAGE_VERTEX;
    case GL_FRAGMENT_SHADER:
        return GV_STAGE_FRAGMENT;
    case GL_GEOMETRY_SHADER:
        return GV_STAGE_GEOMETRY;
    case GL_TESS_CONTROL_SHADER:
        return GV_STAGE_TESSELLATION_CONTROL;
    case GL_TESS_EVALUATION_SHADER:
        return GV_STAGE_TESSELLATION_EVALUATION;
    case GL_COMPUTE_SHADER:
        return GV_STAGE_COMPUTE;
    default:
        return 0;
    }
}

static uint32_t words_of(const char *text)
{
    static const struct {
        const char *name;
        uint32_t word;
    } rows[] = {
        { "gl_FragCoord", GV_GL_WORD_ROWS },
        { "gl_SamplePosition", GV_GL_WORD_ROWS },
        { "dFd", GV_GL_WORD_ROWS },
        { "fwidth", GV_GL_WORD_ROWS },
        { "gl_PointCoord", GV_GL_WORD_ROWS | GV_GL_WORD_POINT },
        { "gl_Color", GV_GL_WORD_COLOR },
        { "gl_SecondaryColor", GV_GL_WORD_COLOR },
        { "gl_FrontColor", GV_GL_WORD_COLOR },
        { "gl_BackColor", GV_GL_WORD_COLOR },
        { "gl_FrontSecondaryColor", GV_GL_WORD_COLOR },
        { "gl_BackSecondaryColor", GV_GL_WORD_COLOR },
        { "gl_VertexID", GV_GL_WORD_VERTEX },
        { "gl_InstanceID", GV_GL_WORD_INSTANCE },
        { "gl_BaseInstance", GV_GL_WORD_INSTANCE },
        { "gl_BaseVertex", GV_GL_WORD_DRAW | GV_GL_WORD_VERTEX },
        { "gl_DrawID", GV_GL_WORD_DRAW | GV_GL_WORD_VERTEX },
        { "gl_PointSize", GV_GL_WORD_SIZE },
        { "gl_FragColor", GV_GL_WORD_FRAGMENT },
        { "gl_TexCoord", GV_GL_WORD_COORD | GV_GL_WORD_ROWS | GV_GL_WORD_POINT },
    };
    uint32_t words = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strstr(text, rows[i].name))
            words |= rows[i].word;
    return words;
}

void gv_gl_executable_free(struct gv_gl_executable *x)
{
    if (!x)
        return;
    for (uint32_t i = 0; i < x->text_count; i++)
        gv_gl_text_drop(x->texts[i]);
    gv_gl_numbers_finish(&x->attributes);
    gv_gl_numbers_finish(&x->outputs);
    while (x->variants) {
        struct gv_gl_variant *v = x->variants;
        x->variants = v->next;
        free(v->uniforms);
        free(v->samplers);
        free(v);
    }
    free(x->uniforms);
    free(x->values);
    free(x);
}

static void take_texts(struct gv_gl_executable *x, const struct gv_gl_program *p)
{
    x->impossible = p->attached_count == 0;
    for (uint32_t i = 0; i < p->attached_count; i++) {
        const struct gv_gl_shader *s = &p->attached[i]->shader;
        const uint32_t stage = stage_of(s->type);
        if (!s->compiled || !stage) {
            x->impossible = true;
            continue;
        }
        s->compiled->references++;
        x->texts[x->text_count] = s->compiled;
        x->stages[x->text_count++] = stage;
        x->words |= words_of(s->compiled->text);
    }
}

bool gv_gl_link_program(struct gv_gl *gl, struct gv_gl_program *p, struct gv_error *err)
{
    struct gv_gl_executable *x = calloc(1, sizeof *x);
    if (!x || !gv_gl_numbers_copy(&x->attributes, &p->attributes) ||
        !gv_gl_numbers_copy(&x->outputs, &p->outputs)) {
        gv_gl_executable_free(x);
        return gv_out_of_memory(err);
    }
    x->es = gl->context && gl->context->family == GV_GL_ES;
    take_texts(x, p);
    gv_gl_executable_free(p->executable);
    p->executable = x;
    gv_gl_numbers_finish(&p->told_attributes);
    gv_gl_numbers_finish(&p->block_points);
    return true;
}

// ---- uniforms ----

static uint32_t words_of_type(const struct gv_glsl_type *t)
{
    return t->rows * t->columns * (t->scalar == GV_GLSL_DOUBLE ? 2 : 1);
}

static uint32_t elements_of(uint32_t array_size)
{
    return array_size ? array_size : 1;
}

static void add_uniforms(struct gv_gl_executable *x, const struct gv_glsl_reflection *r)
{
    const struct gv_glsl_block *b = r->block_count ? &r->blocks[0] : NULL;
    for (uint32_t i = 0; b && !*b->name && i < b->count; i++) {
        const struct gv_glsl_uniform *u = &r->uniforms[b->first + i];
        if (!u->state)
            x->uniforms[x->uniform_count++] =
                (struct gv_gl_uniform){ .name = u->name,
                                        .type = u->type,
                                        .array = u->array_size != 0,
                                        .elements = elements_of(u->array_size),
                                        .words = words_of_type(&u->type),
                                        .text_location = u->location };
    }
}

static void add_samplers(struct gv_gl_executable *x, const struct gv_glsl_reflection *r)
{
    for (size_t i = 0; i < r->sampler_count; i++) {
        const struct gv_glsl_sampler *s = &r->samplers[i];
        x->uniforms[x->uniform_count++] =
            (struct gv_gl_uniform){ .name = s->name,
                                    .sampler = true,
                                    .image = s->image,
                                    .type = { GV_GLSL_INT, 1, 1 },
                                    .array = s->array_size != 0,
                                    .elements = elements_of(s->array_size),
                                    .words = 1,
                                    .text_location = s->location };
    }
}

static void set_defaults(struct gv_gl_executable *x, const struct gv_glsl_reflection *r)
{
    for (uint32_t i = 0; i < x->uniform_count; i++) {
        struct gv_gl_uniform *u = &x->uniforms[i];
        uint32_t element;
        if (u->sampler) {
            const struct gv_glsl_sampler *s =
                gv_glsl_find_sampler(r, u->name, &element);
            for (uint32_t e = 0; s && s->binding > 0 && e < u->elements; e++)
                u->values[e] = (uint32_t)s->binding + e;
            continue;
        }
        const struct gv_glsl_uniform *from = gv_glsl_find_uniform(r, u->name, &element);
        if (from && from->value)
            memcpy(u->values, from->value, (size_t)u->elements * u->words * 4);
    }
}

// The table of uniforms, with their defaults.
static bool list_uniforms(struct gv_gl_executable *x,
                          const struct gv_glsl_reflection *r, struct gv_error *err)
{
    size_t count = r->uniform_count + r->sampler_count, words = 0;
    x->uniforms = calloc(count ? count : 1, sizeof *x->uniforms);
    if (!x->uniforms)
        return gv_out_of_memory(err);
    add_uniforms(x, r);
    add_samplers(x, r);
    for (uint32_t i = 0; i < x->uniform_count; i++)
        words += (size_t)x->uniforms[i].elements * x->uniforms[i].words;
    x->values = calloc(words ? words : 1, 4);
    if (!x->values)
        return gv_out_of_memory(err);
    words = 0;
    for (uint32_t i = 0; i < x->uniform_count; i++) {
        x->uniforms[i].values = x->values + words;
        words += (size_t)x->uniforms[i].elements * x->uniforms[i].words;
    }
    set_defaults(x, r);
    return true;
}

struct gv_gl_uniform *gv_gl_uniform_named(const struct gv_gl_executable *x,
                                          const char *name, uint32_t *element)
{
    size_t length = strlen(name);
    const char *bracket = length && name[length - 1] == ']' ? strrchr(name, '[') : NULL;
    *element = 0;
    for (uint32_t i = 0; i < x->uniform_count; i++) {
        struct gv_gl_uniform *u = &x->uniforms[i];
        if (!strcmp(u->name, name))
            return u;
        // "a" and "a[3]" are of "a[0]".
        const size_t base = u->array && strlen(u->name) > 3 ? strlen(u->name) - 3 : 0;
        if (!base || strncmp(u->name, name, base) != 0)
            continue;
        if (!name[base])
            return u;
        if (bracket == name + base) {
            const unsigned long at = strtoul(bracket + 1, NULL, 10);
            *element = at < u->elements ? (uint32_t)at : 0;
            return at < u->elements ? u : NULL;
        }
    }
    return NULL;
}

// ---- locations ----

static bool is_free(const struct gv_gl_executable *x, const bool *placed,
                    uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < x->uniform_count; i++) {
        const struct gv_gl_uniform *u = &x->uniforms[i];
        if (placed[i] && u->location < first + count &&
            first < u->location + u->elements)
            return false;
    }
    return true;
}

static void place_told(const struct gv_gl_program *p, bool *placed)
{
    const struct gv_gl_executable *x = p->executable;
    for (uint32_t i = 0; i < p->told_uniforms.count; i++) {
        const struct gv_gl_numbered *n = &p->told_uniforms.list[i];
        uint32_t element;
        struct gv_gl_uniform *u = gv_gl_uniform_named(x, n->name, &element);
        if (!u || (uint32_t)n->number < element)
            continue;
        u->location = (uint32_t)n->number - element;
        placed[u - x->uniforms] = true;
    }
}

// Where uniforms stand: as the recorded driver said, as the text says, else one behind
// the other.
static bool place(const struct gv_gl_program *p)
{
    struct gv_gl_executable *x = p->executable;
    bool *placed = calloc(x->uniform_count + 1u, sizeof *placed);
    if (!placed)
        return false;
    for (uint32_t i = 0; i < x->uniform_count; i++)
        if (x->uniforms[i].text_location >= 0) {
            x->uniforms[i].location = (uint32_t)x->uniforms[i].text_location;
            placed[i] = true;
        }
    place_told(p, placed);
    uint32_t next = 0;
    for (uint32_t i = 0; i < x->uniform_count; i++) {
        struct gv_gl_uniform *u = &x->uniforms[i];
        while (!placed[i] && !is_free(x, placed, next, u->elements) &&
               next < GV_GL_MAX_LOCATION)
            next++;
        if (!placed[i])
            u->location = next;
        placed[i] = true;
    }
    free(placed);
    x->placed = true;
    return true;
}

struct gv_gl_uniform *gv_gl_uniform_at(struct gv_gl_program *p, uint32_t location,
                                       uint32_t *element)
{
    struct gv_gl_executable *x = p->executable;
    if (!x || x->status != GV_GL_LINKED || (!x->placed && !place(p)))
        return NULL;
    for (uint32_t i = 0; i < x->uniform_count; i++) {
        struct gv_gl_uniform *u = &x->uniforms[i];
        if (location >= u->location && location - u->location < u->elements) {
            *element = location - u->location;
            return u;
        }
    }
    return NULL;
}

const char *gv_gl_block_name(const struct gv_gl_program *p, int64_t number)
{
    const struct gv_gl_executable *x = p->executable;
    if (!x || x->status != GV_GL_LINKED)
        return NULL;
    const struct gv_glsl_reflection *r = &x->variants->compiled->program.reflection;
    for (size_t i = 0; i < r->block_count; i++)
        if (!r->blocks[i].storage && *r->blocks[i].name && number-- == 0)
            return r->blocks[i].name;
    return NULL;
}

// ---- variants ----

static uint32_t index_of(const struct gv_gl_executable *x, const char *name)
{
    uint32_t element;
    const struct gv_gl_uniform *u = gv_gl_uniform_named(x, name, &element);
    return u ? (uint32_t)(u - x->uniforms) : GV_GLSL_NONE;
}

static bool map_uniforms(const struct gv_gl_executable *x, struct gv_gl_variant *v,
                         struct gv_error *err)
{
    const struct gv_glsl_reflection *r = &v->compiled->program.reflection;
    v->uniforms = calloc(r->uniform_count ? r->uniform_count : 1, sizeof *v->uniforms);
    v->samplers = calloc(r->sampler_count ? r->sampler_count : 1, sizeof *v->samplers);
    if (!v->uniforms || !v->samplers)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < r->uniform_count; i++)
        v->uniforms[i] =
            r->uniforms[i].state ? GV_GLSL_NONE : index_of(x, r->uniforms[i].name);
    for (size_t i = 0; i < r->sampler_count; i++)
        v->samplers[i] = index_of(x, r->samplers[i].name);
    return true;
}

static struct gv_gl_variant *add_variant(struct gv_gl *gl, struct gv_gl_executable *x,
                                         const struct gv_upgrade_options *options,
                                         struct gv_error *err)
{
    struct gv_glsl_text texts[GV_GL_MAX_ATTACHED];
    for (uint32_t i = 0; i < x->text_count; i++)
        texts[i] = (struct gv_glsl_text){ x->stages[i], x->texts[i]->text };
    const struct gv_gl_compile_input in = { texts, x->text_count, &x->attributes,
                                            &x->outputs, *options };
    struct gv_gl_compiled *c = gv_gl_compile_program(gl, &in, err);
    struct gv_gl_variant *v = c ? calloc(1, sizeof *v) : NULL;
    if (!v) {
        if (c)
            gv_out_of_memory(err);
        return NULL;
    }
    v->next = x->variants;
    x->variants = v;
    v->options = *options;
    v->compiled = c;
    v->executable = x;
    return v;
}

static bool say_failed(struct gv_gl *gl, const struct gv_gl_compiled *c)
{
    char text[120];
    snprintf(text, sizeof text, "program: %.100s", c->error);
    return gv_gl_unsupported(gl, text);
}

struct gv_gl_variant *gv_gl_find_variant(struct gv_gl *gl, struct gv_gl_program *p,
                                         const struct gv_upgrade_options *options,
                                         bool *ok, struct gv_error *err)
{
    struct gv_gl_executable *x = p->executable;
    *ok = true;
    struct gv_gl_variant *v = x->variants;
    // Both were zeroed before they were filled.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    while (v && memcmp(&v->options, options, sizeof *options) != 0)
        v = v->next;
    if (v)
        return v->compiled->failed ? NULL : v;
    v = add_variant(gl, x, options, err);
    *ok = v != NULL;
    if (!v)
        return NULL;
    if (v->compiled->failed) {
        *ok = x->refused || say_failed(gl, v->compiled);
        return NULL;
    }
    if (!x->uniforms)
        *ok = list_uniforms(x, &v->compiled->program.reflection, err);
    *ok = *ok && map_uniforms(x, v, err);
    return *ok ? v : NULL;
}
