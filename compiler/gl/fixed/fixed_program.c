#include "compiler/gl/fixed/fixed_program.h"

#include <string.h>

#include "compiler/gl/fixed/fixed_text.h"
#include "compiler/gl/fixed/fixed_values.h"
#include "compiler/shader/glsl/glsl.h"
#include "resources/hash.h"

#define BUCKETS 256u
#define MAX_KEYS 4096u // of a stage, in one compile

// A stage made for a key.
struct made {
    struct made *next; // in its bucket
    uint64_t serial;
    uint32_t inputs;
    struct gv_shader_stage stage;
    struct gv_shader module;
    struct gv_fixed_block block;
    union {
        struct gv_fixed_vertex_key vertex;
        struct gv_fixed_fragment_key fragment;
        uint8_t key[sizeof(struct gv_fixed_fragment_key)]; // the larger one
    };
};

// What the public part stands in front of.
struct program {
    struct gv_gl_fixed_program public;
    const struct gv_fixed_block *blocks[2];
    struct program *next; // in its bucket
};

struct gv_gl_fixed {
    struct made *stages[2][BUCKETS]; // vertex, fragment
    struct program *programs[BUCKETS];
    uint32_t counts[2];
};

bool gv_gl_fixed_create(struct gv_gl *gl, struct gv_error *err)
{
    gl->fixed = gv_arena_alloc(gl->sink.arena, sizeof *gl->fixed);
    return gl->fixed || gv_out_of_memory(err);
}

// ---- text ----

static const char *terminated(const struct gv_bytes *b)
{
    return b->failed ? NULL : (const char *)b->data;
}

static void say(struct made *m, bool fragment, struct gv_bytes *out)
{
    struct gv_fixed_text t = { .block.fragment = fragment };
    if (fragment)
        gv_fixed_fragment_text(&m->fragment, &t, out);
    else
        gv_fixed_vertex_text(&m->vertex, &t, out);
    out->failed |= t.declared.failed || t.body.failed;
    m->block = t.block;
    gv_fixed_text_finish(&t);
}

char *gv_gl_fixed_text(const struct gv_gl_fixed_inputs *in, uint32_t stage)
{
    struct made m = { 0 };
    struct gv_bytes text = { 0 };
    gv_fixed_fragment_key(in, &m.fragment);
    uint32_t varyings = m.fragment.inputs;
    if (stage == 0)
        gv_fixed_vertex_key(in, varyings, &m.vertex);
    say(&m, stage == 1, &text);
    if (text.failed)
        gv_bytes_finish(&text);
    return (char *)text.data;
}

static bool translate(struct gv_gl_sink *sink, struct made *m, bool fragment,
                      struct gv_error *err)
{
    struct gv_bytes text = { 0 };
    say(m, fragment, &text);
    const struct gv_glsl_text glsl = {
        .stage = fragment ? GV_STAGE_FRAGMENT : GV_STAGE_VERTEX,
        .text = terminated(&text),
    };
    bool ok =
        glsl.text
            ? gv_gl_work(&sink->work, GV_GL_COMPILE_WORK + text.size, err) &&
                  gv_glsl_compile(&glsl, 1, GV_GLSL_STEPS, sink->arena, &m->stage, err)
            : gv_out_of_memory(err);
    gv_bytes_finish(&text);
    if (!ok)
        return false;
    m->inputs = fragment ? 0 : m->vertex.slots;
    m->module = gv_builder_shader(sink->b, m->stage.words, m->stage.word_count);
    m->serial = ++sink->serials;
    return true;
}

// ---- what is there ----

static const struct made *stage_of(struct gv_gl_fixed *fixed, struct gv_gl_sink *sink,
                                   const void *key, bool fragment, struct gv_error *err)
{
    size_t bytes = fragment ? sizeof(struct gv_fixed_fragment_key)
                            : sizeof(struct gv_fixed_vertex_key);
    struct gv_hash h = gv_hash_bytes(key, bytes);
    struct made **bucket = &fixed->stages[fragment][h.bytes[0] % BUCKETS];
    for (struct made *m = *bucket; m; m = m->next)
        if (!memcmp(m->key, key, bytes))
            return m;
    if (fixed->counts[fragment] == MAX_KEYS) {
        gv_fail(err, GV_ERR_LIMIT, gv_builder_offset(sink->b),
                "over %u variants of the fixed function", MAX_KEYS);
        return NULL;
    }
    struct made *m = gv_arena_alloc(sink->arena, sizeof *m);
    if (!m) {
        gv_out_of_memory(err);
        return NULL;
    }
    memcpy(m->key, key, bytes);
    if (!translate(sink, m, fragment, err))
        return NULL;
    fixed->counts[fragment]++;
    m->next = *bucket;
    *bucket = m;
    return m;
}

// Either may be NULL: it is half a program.
static struct program *program_of(struct gv_gl_fixed *fixed, struct gv_arena *arena,
                                  const struct made *vertex,
                                  const struct made *fragment, struct gv_error *err)
{
    static const struct made none;
    vertex = vertex ? vertex : &none;
    fragment = fragment ? fragment : &none;
    struct program **bucket =
        &fixed->programs[(vertex->serial * 31 + fragment->serial) % BUCKETS];
    for (struct program *p = *bucket; p; p = p->next)
        if (p->public.serial[0] == vertex->serial &&
            p->public.serial[1] == fragment->serial)
            return p;
    struct program *p = gv_arena_alloc(arena, sizeof *p);
    if (!p) {
        gv_out_of_memory(err);
        return NULL;
    }
    p->public = (struct gv_gl_fixed_program){
        .serial = { vertex->serial, fragment->serial },
        .stages = { vertex->stage, fragment->stage },
        .modules = { vertex->module, fragment->module },
        .inputs = vertex->inputs,
        .packed = gv_fixed_is_packed(&vertex->vertex),
        .uniform_bytes = { 16 * vertex->block.rows, 16 * fragment->block.rows },
    };
    p->blocks[0] = &vertex->block;
    p->blocks[1] = &fragment->block;
    p->next = *bucket;
    *bucket = p;
    return p;
}

const struct gv_gl_fixed_program *
gv_gl_fixed_program(struct gv_gl_fixed *fixed, struct gv_gl_sink *sink,
                    const struct gv_gl_fixed_inputs *in, struct gv_error *err)
{
    struct gv_fixed_fragment_key fragment_key;
    struct gv_fixed_vertex_key vertex_key;
    gv_fixed_fragment_key(in, &fragment_key);
    gv_fixed_vertex_key(in, fragment_key.inputs, &vertex_key);
    const struct made *vertex = stage_of(fixed, sink, &vertex_key, false, err);
    const struct made *fragment =
        vertex ? stage_of(fixed, sink, &fragment_key, true, err) : NULL;
    struct program *p =
        fragment ? program_of(fixed, sink->arena, vertex, fragment, err) : NULL;
    return p ? &p->public : NULL;
}

const struct gv_gl_fixed_program *gv_gl_fixed_half(struct gv_gl *gl,
                                                   const struct gv_gl_fixed_inputs *in,
                                                   uint32_t stage, uint32_t varyings,
                                                   struct gv_error *err)
{
    struct gv_fixed_fragment_key fragment;
    struct gv_fixed_vertex_key vertex;
    const bool second = stage == 1;
    if (second)
        gv_fixed_fragment_key(in, &fragment);
    else
        gv_fixed_vertex_key(in, varyings, &vertex);
    const struct made *m =
        stage_of(gl->fixed, &gl->sink, second ? (void *)&fragment : (void *)&vertex,
                 second, err);
    struct program *p = m ? program_of(gl->fixed, gl->sink.arena, second ? NULL : m,
                                       second ? m : NULL, err)
                          : NULL;
    return p ? &p->public : NULL;
}

void gv_gl_fixed_uniforms(const struct gv_gl_fixed_program *program,
                          const struct gv_gl_fixed_inputs *in, uint32_t stage,
                          uint8_t *out)
{
    gv_fixed_values(((const struct program *)program)->blocks[stage], in, out);
}
