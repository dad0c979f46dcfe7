// What transform feedback captures, as decorations of the last stage in front of the
// rasterizer.
#include "compiler/shader/glsl/glsl_linker.h"
#include "compiler/shader/glsl/glsl_reflect_internal.h"
#include "resources/base/bytes.h"

#include <string.h>

#define MOST_WORDS 4096u // of a vertex in one buffer

// Words of an output; `*wide`: doubles are among them.
static uint32_t words_of(const struct gv_spirv_types *t, uint32_t type, bool *wide)
{
    const uint32_t *w = gv_spirv_type(t, type);
    uint32_t elements = 1;
    struct gv_glsl_type basic;
    for (int depth = 0; depth < 8 && gv_spirv_op(w) == SpvOpTypeArray; depth++) {
        const uint32_t count = gv_spirv_value(t, w[3]);
        if (count > MOST_WORDS || elements * count > MOST_WORDS)
            return 0;
        elements *= count;
        type = w[2];
        w = gv_spirv_type(t, type);
    }
    if (!glsl_basic_type(t, type, &basic))
        return 0;
    *wide = basic.scalar == GV_GLSL_DOUBLE;
    return elements * basic.rows * basic.columns * (*wide ? 2 : 1);
}

// Where the next variable of each buffer goes.
struct layout {
    struct glsl_linker *linker;
    struct gv_spirv_types types;
    struct gv_bytes decorations;
    uint32_t ends[GV_MAX_GLSL_CAPTURE_BUFFERS]; // bytes
    uint32_t strides[GV_MAX_GLSL_CAPTURE_BUFFERS];
    uint32_t ids[GLSL_MAX_CAPTURES], buffers[GLSL_MAX_CAPTURES];
    size_t count;
};

static bool too_much(const struct layout *x)
{
    return gv_fail(x->linker->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                   "glsl: captured variables pass what transform feedback has");
}

static const struct gv_spirv_variable *find(const struct glsl_linked_stage *s,
                                            const char *name)
{
    for (size_t i = 0; i < s->module.variable_count; i++)
        if (s->module.variables[i].storage == SpvStorageClassOutput &&
            !strcmp(s->module.variables[i].name, name))
            return &s->module.variables[i];
    return NULL;
}

static bool place(struct layout *x, const struct glsl_linked_stage *s,
                  const struct glsl_capture *c, uint32_t buffer)
{
    struct gv_glsl_capture_buffer *to = &x->linker->out->captured[buffer];
    const struct gv_spirv_variable *v = find(s, c->variable);
    bool wide = false;
    const uint32_t words =
        v ? words_of(&x->types, glsl_pointee(&x->types, v->id), &wide) : 0;
    if (!v || !words)
        return gv_fail(x->linker->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: glsl transform feedback of '%.60s'", c->own_name);
    uint32_t at = c->offset >= 0 ? (uint32_t)c->offset : x->ends[buffer];
    if (wide && c->offset < 0)
        at = (at + 7) & ~7u;
    if (at > 4 * MOST_WORDS || words > MOST_WORDS || x->count == GLSL_MAX_CAPTURES)
        return too_much(x);
    x->ends[buffer] = at + 4 * words;
    if (x->strides[buffer] < x->ends[buffer])
        x->strides[buffer] = x->ends[buffer];
    to->stream = c->stream;
    GV_SPIRV_PUT(&x->decorations, SpvOpDecorate, v->id, SpvDecorationOffset, at);
    GV_SPIRV_PUT(&x->decorations, SpvOpDecorate, v->id, SpvDecorationXfbBuffer, buffer);
    x->ids[x->count] = v->id;
    x->buffers[x->count++] = buffer;
    return true;
}

static bool place_all(struct layout *x, const struct glsl_linked_stage *s)
{
    const struct glsl_upgraded *p = x->linker->upgraded;
    uint32_t next = 0;
    for (size_t i = 0; i < p->capture_count; i++) {
        const struct glsl_capture *c = &p->captures[i];
        const uint32_t buffer = c->buffer + next;
        next += c->next;
        if (c->next)
            continue;
        if (buffer >= GV_MAX_GLSL_CAPTURE_BUFFERS || x->ends[buffer] > 4 * MOST_WORDS)
            return too_much(x);
        if (c->skipped) {
            x->ends[buffer] += 4 * c->skipped;
            if (x->strides[buffer] < x->ends[buffer])
                x->strides[buffer] = x->ends[buffer];
        } else if (!place(x, s, c, buffer)) {
            return false;
        }
    }
    return true;
}

static void decorate_strides(struct layout *x)
{
    const unsigned *said = x->linker->upgraded->capturing->capture_strides;
    for (size_t i = 0; i < x->count; i++) {
        const uint32_t b = x->buffers[i];
        const uint32_t stride = said[b] > x->strides[b] ? said[b] : x->strides[b];
        x->linker->out->captured[b].stride = stride;
        GV_SPIRV_PUT(&x->decorations, SpvOpDecorate, x->ids[i], SpvDecorationXfbStride,
                     stride);
    }
}

// The module with what the entry point, the capabilities and the variables say besides.
static void rewrite(const struct layout *x, const struct glsl_linked_stage *s,
                    struct gv_bytes *out)
{
    bool decorated = false, entered = false;
    gv_spirv_put(out, s->words, GV_SPIRV_HEADER_WORDS);
    GV_SPIRV_PUT(out, SpvOpCapability, SpvCapabilityTransformFeedback);
    for (size_t i = GV_SPIRV_HEADER_WORDS; i < s->count;) {
        const uint32_t *w = &s->words[i];
        if (!decorated && gv_spirv_is_type(gv_spirv_op(w))) {
            gv_bytes_put(out, x->decorations.data, x->decorations.size);
            decorated = true;
        }
        gv_spirv_put(out, w, gv_spirv_length(w));
        if (!entered && gv_spirv_op(w) == SpvOpEntryPoint) {
            GV_SPIRV_PUT(out, SpvOpExecutionMode, w[2], SpvExecutionModeXfb);
            entered = true;
        }
        i += gv_spirv_length(w);
    }
}

bool glsl_link_captures(struct glsl_linker *l)
{
    const struct glsl_upgraded *p = l->upgraded;
    struct glsl_linked_stage *s =
        p->capturing ? glsl_linked_stage(l, p->capturing->stage) : NULL;
    struct layout *x =
        s && p->capture_count ? gv_arena_alloc(l->arena, sizeof *x) : NULL;
    if (!s || !p->capture_count)
        return true;
    if (!x)
        return gv_out_of_memory(l->err);
    x->linker = l;
    struct gv_bytes module = { 0 };
    bool ok = gv_spirv_types_read(s->words, s->count, l->arena, &x->types, l->err) &&
              place_all(x, s);
    if (ok && x->count) {
        decorate_strides(x);
        rewrite(x, s, &module);
        s->count = module.size / sizeof *s->words;
        s->words = module.failed || x->decorations.failed
                       ? NULL
                       : gv_arena_copy(l->arena, module.data, module.size);
        ok = s->words || gv_out_of_memory(l->err);
    }
    gv_bytes_finish(&x->decorations);
    gv_bytes_finish(&module);
    return ok;
}
