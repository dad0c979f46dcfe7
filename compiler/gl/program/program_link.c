// What glLinkProgram makes of a program: compiled when it is first needed, one variant
// for each state that its text depends on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/program/program_joined.h"

#define ENTRY sizeof(void *) // of tables of uniforms
#define BYTES_PER_WORK 16u   // of texts that are looked through

// ---- the moment of the link ----

uint32_t gv_gl_shader_stage(uint32_t type)
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
        { "interpolateAtOffset", GV_GL_WORD_ROWS },
        { "gl_PointCoord", GV_GL_WORD_ROWS | GV_GL_WORD_POINT },
        { "gl_Color", GV_GL_WORD_COLOR },
        { "gl_SecondaryColor", GV_GL_WORD_COLOR },
        { "gl_FrontColor", GV_GL_WORD_COLOR },
        { "gl_BackColor", GV_GL_WORD_COLOR },
        { "gl_FrontSecondaryColor", GV_GL_WORD_COLOR },
        { "gl_BackSecondaryColor", GV_GL_WORD_COLOR },
        { "gl_VertexID", GV_GL_WORD_VERTEX },
        { "gl_InstanceID", GV_GL_WORD_INSTANCE },
        { "gl_BaseInstance", GV_GL_WORD_INSTANCE | GV_GL_WORD_BASE },
        { "gl_BaseVertex", GV_GL_WORD_DRAW | GV_GL_WORD_VERTEX },
        { "gl_DrawID", GV_GL_WORD_DRAW | GV_GL_WORD_VERTEX },
        { "xfb_", GV_GL_WORD_CAPTURE },
        { "gl_PrimitiveID", GV_GL_WORD_PRIMITIVE },
        { "gl_PointSize", GV_GL_WORD_SIZE },
        { "gl_Layer", GV_GL_WORD_LAYER },
        { "gl_ViewportIndex", GV_GL_WORD_VIEWPORT },
        { "gl_FragColor", GV_GL_WORD_FRAGMENT },
        { "shadow1D", GV_GL_WORD_SHADOW },
        { "shadow2D", GV_GL_WORD_SHADOW },
        { "gl_TexCoord", GV_GL_WORD_COORD | GV_GL_WORD_ROWS | GV_GL_WORD_POINT },
    };
    uint32_t words = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strstr(text, rows[i].name))
            words |= rows[i].word;
    const char *version = strstr(text, "#version");
    if (version && strtoul(version + strlen("#version"), NULL, 10) >= 130)
        words |= GV_GL_WORD_MODERN;
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
    gv_gl_numbers_finish(&x->told_attributes);
    gv_gl_numbers_finish(&x->block_points);
    gv_gl_varyings_finish(&x->varyings);
    while (x->variants) {
        struct gv_gl_variant *v = x->variants;
        x->variants = v->next;
        free(v->uniforms);
        free(v->samplers);
        free(v);
    }
    free(x->uniforms);
    free(x->by_name);
    free(x->by_location);
    free(x->values);
    free(x->parts);
    free(x);
}

void gv_gl_executable_take(struct gv_gl_executable *x, struct gv_gl_text *text,
                           uint32_t stage, uint32_t part)
{
    if (x->text_count == GV_GL_MAX_ATTACHED)
        return;
    text->references++;
    if (x->parts)
        x->parts[x->text_count] = part;
    x->texts[x->text_count] = text;
    x->stages[x->text_count++] = stage;
    x->words |= words_of(text->text);
}

bool gv_gl_executable_read(struct gv_gl_work *work, const struct gv_gl_executable *x,
                           struct gv_error *err)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < x->text_count; i++)
        bytes += x->texts[i]->size;
    return gv_gl_work(work, 1 + bytes / BYTES_PER_WORK, err);
}

static void take_texts(struct gv_gl_executable *x, const struct gv_gl_program *p)
{
    x->impossible = p->attached_count == 0;
    for (uint32_t i = 0; i < p->attached_count; i++) {
        const struct gv_gl_shader *s = &p->attached[i]->shader;
        const uint32_t stage = gv_gl_shader_stage(s->type);
        x->refused = x->refused || s->refused;
        const bool mixed = !s->module != !p->attached[0]->shader.module;
        if (!s->compiled || !stage || mixed) {
            x->impossible = true;
            continue;
        }
        gv_gl_executable_take(x, s->compiled, stage, 0);
    }
}

// Puts what was linked before away: what is in use goes on with it if the link fails.
static bool put_away(struct gv_gl *gl, struct gv_gl_program *p, struct gv_error *err)
{
    const bool in_use = p->named.references > 1;
    if (in_use && !gv_gl_link_now(gl, p, err))
        return false;
    const bool kept = in_use && p->executable && p->executable->status == GV_GL_LINKED;
    gv_gl_executable_free(p->before);
    p->before = kept ? p->executable : NULL;
    if (!kept)
        gv_gl_executable_free(p->executable);
    p->executable = NULL;
    p->unlinked = false;
    return true;
}

bool gv_gl_link_program(struct gv_gl *gl, struct gv_gl_program *p, struct gv_error *err)
{
    if (!put_away(gl, p, err))
        return false;
    struct gv_gl_executable *x = calloc(1, sizeof *x);
    if (!x || !gv_gl_numbers_copy(&x->attributes, &p->attributes) ||
        !gv_gl_numbers_copy(&x->outputs, &p->outputs) ||
        !gv_gl_varyings_copy(&x->varyings, &p->varyings)) {
        gv_gl_executable_free(x);
        return gv_out_of_memory(err);
    }
    x->es = gl->context && gl->context->family == GV_GL_ES;
    x->separable = p->separable;
    x->serial = ++gl->sink.serials;
    take_texts(x, p);
    p->executable = x;
    return gv_gl_executable_read(&gl->sink.work, x, err);
}

bool gv_gl_is_linked(const struct gv_gl_program *p)
{
    return p->executable && p->executable->status == GV_GL_LINKED && !p->unlinked;
}

// ---- blocks ----

bool gv_gl_block_name(const struct gv_gl_program *p, bool storage, int64_t number,
                      char out[GV_GL_MAX_NAME_BYTES])
{
    const struct gv_gl_executable *x = p->executable;
    if (!x || x->status != GV_GL_LINKED || number < 0)
        return false;
    const struct gv_glsl_reflection *r = &x->variants->compiled->program.reflection;
    for (size_t i = 0; i < r->block_name_count; i++) {
        const struct gv_glsl_block_name *n = &r->block_names[i];
        if (n->storage != storage)
            continue;
        if (number < n->count && n->block) {
            gv_gl_block_element(n->block, n->name, (uint32_t)number, out);
            return true;
        }
        if (number < n->count) {
            snprintf(out, GV_GL_MAX_NAME_BYTES, "%s", n->name); // nobody asks it
            return true;
        }
        number -= n->count;
    }
    return false;
}

// ---- variants ----

// Where the values of a reflected uniform are.
static struct gv_gl_uniform *values_of(const struct gv_gl_program *p, const char *name)
{
    const struct gv_gl_program *owner = gv_gl_owner_of_uniform(p, &name);
    uint32_t element;
    return owner ? gv_gl_uniform_named(owner->executable, name, &element) : NULL;
}

static bool map_uniforms(const struct gv_gl_program *p, struct gv_gl_variant *v,
                         struct gv_error *err)
{
    const struct gv_glsl_reflection *r = &v->compiled->program.reflection;
    v->uniforms = calloc(r->uniform_count + 1, ENTRY);
    v->samplers = calloc(r->sampler_count + 1, ENTRY);
    if (!v->uniforms || !v->samplers)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < r->uniform_count; i++)
        v->uniforms[i] =
            r->uniforms[i].state ? NULL : values_of(p, r->uniforms[i].name);
    for (size_t i = 0; i < r->sampler_count; i++)
        v->samplers[i] =
            r->samplers[i].fetch ? NULL : values_of(p, r->samplers[i].name);
    return true;
}

static struct gv_gl_variant *add_variant(struct gv_gl_programs *programs,
                                         struct gv_gl_sink *sink,
                                         struct gv_gl_executable *x,
                                         const struct gv_upgrade_options *options,
                                         struct gv_error *err)
{
    struct gv_glsl_text texts[GV_GL_MAX_ATTACHED];
    for (uint32_t i = 0; i < x->text_count; i++)
        texts[i] = (struct gv_glsl_text){ x->stages[i], x->texts[i]->text };
    uint32_t stages = 0;
    for (uint32_t i = 0; i < x->text_count; i++)
        stages |= x->stages[i];
    // Half of a program meets stages that are not its own.
    const bool half = !(stages & GV_STAGE_VERTEX) || !(stages & GV_STAGE_FRAGMENT);
    const struct gv_gl_compile_input in = { texts,          x->text_count,
                                            &x->attributes, &x->outputs,
                                            *options,       x->separable || half };
    struct gv_gl_compiled *c = gv_gl_compile_program(programs, sink, &in, err);
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

static bool say_failed(struct gv_gl_sink *sink, const struct gv_gl_compiled *c)
{
    return gv_gl_unsupported_because(sink, GV_GL_LACK(PROGRAM), c->error);
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
    v = add_variant(gl->objects.programs, &gl->sink, x, options, err);
    *ok = v != NULL;
    if (!v)
        return NULL;
    if (v->compiled->failed) {
        *ok = x->refused || say_failed(&gl->sink, v->compiled);
        return NULL;
    }
    if (!x->uniforms && !p->joined)
        *ok = gv_gl_list_uniforms(x, &v->compiled->program.reflection, err);
    *ok = *ok && map_uniforms(p, v, err);
    return *ok ? v : NULL;
}
