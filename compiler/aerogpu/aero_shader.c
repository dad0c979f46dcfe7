// Shaders: blobs are translated when created (so that a diagnostic tells of what is not
// taken) and again where a draw needs other options.
#include "compiler/aerogpu/aero.h"

#include <string.h>

// Of one shader; the sizes of its constants make 12 for each slot at most.
#define MAX_VARIANTS 256u
#define MAX_CONTROL_POINTS 32u

// The translator's own values are one more constant buffer to the bindings.
static bool list_extra(struct gv_aero *a, struct gv_dxbc_shader *code)
{
    uint32_t n = code->cbuffer_count;
    struct gv_dxbc_cbuffer *larger = gv_arena_array(a->arena, n + 1, sizeof *larger);
    if (!larger)
        return false;
    if (n)
        memcpy(larger, code->cbuffers, n * sizeof *larger);
    larger[n] = (struct gv_dxbc_cbuffer){ .slot = GV_DXBC_EXTRA_SLOT,
                                          .size = sizeof(struct gv_dxbc_extra) / 16,
                                          .set = code->stage == GV_DXBC_PIXEL,
                                          .binding = GV_DXBC_EXTRA_SLOT,
                                          .type = GV_BINDING_UNIFORM_BUFFER };
    code->cbuffers = larger;
    code->cbuffer_count = n + 1;
    return true;
}

static struct gv_aero_variant *translate(struct gv_aero *a, struct gv_aero_code *s,
                                         const struct gv_aero_need *n,
                                         struct gv_error *err)
{
    struct gv_aero_variant *v = gv_arena_alloc(a->arena, sizeof *v);
    struct gv_dxbc_options *options = gv_arena_alloc(a->arena, sizeof *options);
    if (!v || !options) {
        gv_out_of_memory(err);
        return NULL;
    }
    gv_aero_need_options(n, options);
    if (!gv_dxbc_translate(s->blob, s->size, s->offset, options, a->arena, &v->code,
                           err))
        return NULL;
    if (v->code.uses_extra && !list_extra(a, &v->code)) {
        gv_out_of_memory(err);
        return NULL;
    }
    v->serial = ++a->next_serial;
    v->need = *n;
    v->plain = v;
    v->next = s->variants;
    s->variants = v;
    s->variant_count++;
    return v;
}

struct gv_shader gv_aero_variant_module(struct gv_aero *a, struct gv_aero_variant *v)
{
    if (!v->module.id)
        v->module =
            gv_builder_shader(a->b, v->code.spirv.words, v->code.spirv.word_count);
    return v->module;
}

static struct gv_aero_variant *find(const struct gv_aero_code *code,
                                    const struct gv_aero_need *n)
{
    struct gv_aero_variant *v = code->variants;
    while (v && !gv_aero_need_equal(&v->need, n))
        v = v->next;
    return v;
}

static struct gv_aero_variant *find_or_translate(struct gv_aero *a,
                                                 struct gv_aero_code *code,
                                                 const struct gv_aero_need *n,
                                                 struct gv_error *err)
{
    struct gv_aero_variant *known = find(code, n);
    if (known)
        return known;
    if (code->variant_count == MAX_VARIANTS) {
        gv_aero_fail(a, GV_ERR_LIMIT, err, "more than %u forms of a shader",
                     MAX_VARIANTS);
        return NULL;
    }
    return translate(a, code, n, err);
}

// Constants may be bound in as many sizes as there are offsets: a variant that reads
// more serves as well (the bindings add zeros), and a new one is no smaller than those
// before it, so that a slot makes as many as there are sizes and not all slots'
// product.
static struct gv_aero_variant *cover_or_translate(struct gv_aero *a,
                                                  struct gv_aero_code *code,
                                                  const struct gv_aero_need *wanted,
                                                  struct gv_error *err)
{
    struct gv_aero_need n = *wanted;
    struct gv_aero_variant *v = find(code, &n);
    if (v)
        return v;
    for (v = code->variants; v; v = v->next)
        if (gv_aero_need_covers(&v->need, &n))
            return v;
    if (n.constants)
        n.constants = code->constants =
            gv_aero_need_larger(n.constants, code->constants);
    return find_or_translate(a, code, &n, err);
}

struct gv_aero_variant *gv_aero_shader_variant(struct gv_aero *a,
                                               const struct gv_aero_context *x,
                                               struct gv_aero_shader *shader,
                                               const struct gv_aero_variant *front,
                                               struct gv_error *err)
{
    struct gv_aero_need n;
    struct gv_aero_code *code = shader->code;
    if (code->refusal) {
        *err = *code->refusal;
        return NULL;
    }
    gv_aero_need_of_state(a, x, shader, &n);
    struct gv_aero_variant *plain = find_or_translate(a, code, &n, err);
    if (!plain)
        return NULL;
    gv_aero_need_refine(x, plain, front, &n);
    struct gv_aero_variant *v = cover_or_translate(a, code, &n, err);
    if (v)
        v->plain = plain;
    return v;
}

static struct gv_aero_code *code_of(struct gv_aero *a, const uint8_t *blob, size_t size,
                                    uint64_t offset)
{
    const struct gv_hash hash = gv_hash_bytes(blob, size);
    struct gv_aero_code **bucket =
        &a->shaders.codes[hash.bytes[0] % GV_AERO_CODE_BUCKETS];
    for (struct gv_aero_code *c = *bucket; c; c = c->next)
        if (gv_hash_equal(&c->hash, &hash) && c->size == size &&
            !memcmp(c->blob, blob, size))
            return c;
    struct gv_aero_code *c = gv_arena_alloc(a->arena, sizeof *c);
    if (!c)
        return NULL;
    *c = (struct gv_aero_code){ .next = *bucket,
                                .hash = hash,
                                .blob = blob,
                                .size = size,
                                .offset = offset,
                                .d3d9 = gv_dxbc_is_d3d9(blob, size) };
    return *bucket = c;
}

// A shader that is valid and not taken ends the replay when a draw uses it, not before:
// captures create more than they draw with. One that is malformed is a broken capture.
static bool refuse(struct gv_aero *a, struct gv_aero_code *code,
                   const struct gv_error *why, struct gv_error *err)
{
    bool valid = why->status == GV_ERR_UNSUPPORTED || why->status == GV_ERR_LIMIT;
    if (!valid || a->params->strict) {
        *err = *why;
        return gv_error_at_command(err, gv_builder_current_command(a->b));
    }
    code->refusal = gv_arena_alloc(a->arena, sizeof *code->refusal);
    if (!code->refusal)
        return gv_out_of_memory(err);
    *code->refusal = *why;
    gv_builder_diagnose(a->b, GV_WARNING, "shader-refused",
                        "a shader that no draw may use: %s", why->message);
    return true;
}

// Translates a blob as nothing is known of its draws.
static bool try_out(struct gv_aero *a, const struct gv_aero_context *x,
                    struct gv_aero_shader *s, struct gv_error *err)
{
    struct gv_error why = GV_ERROR_INIT;
    struct gv_aero_need n;
    bool patches = s->stage == GV_DXBC_HULL || s->stage == GV_DXBC_DOMAIN;
    if (s->code->refusal)
        return true; // told before
    gv_aero_need_of_state(a, x, s, &n);
    if (patches) // how many control points there are, the draw will say: here, all
        n.control_points = MAX_CONTROL_POINTS;
    const struct gv_aero_variant *v = find_or_translate(a, s->code, &n, &why);
    if (v && v->code.stage != (enum gv_dxbc_stage)s->stage)
        gv_aero_fail(a, GV_ERR_FORMAT, &why,
                     "the blob holds a shader of another stage");
    if (patches && why.status == GV_ERR_FORMAT)
        return true; // it may be the guess: the draw will tell
    return why.status == GV_OK || refuse(a, s->code, &why, err);
}

GV_AERO_HANDLER(gv_aero_create_shader_dxbc)
{
    uint32_t stage;
    if (!gv_aero_stage_of(a, GV_CMD_U32(c, CREATE_SHADER_DXBC, stage),
                          GV_CMD_U32(c, CREATE_SHADER_DXBC, stage_ex), &stage, err))
        return false;
    struct gv_aero_object *o = gv_aero_create(
        a, GV_CMD_U32(c, CREATE_SHADER_DXBC, handle), GV_AERO_SHADER, err);
    if (!o)
        return false;
    struct gv_aero_shader *s = &o->shader;
    s->stage = stage;
    s->code = code_of(a, c->p + GV_AT_CREATE_SHADER_DXBC_tail,
                      GV_CMD_U32(c, CREATE_SHADER_DXBC, blob_size),
                      c->offset + GV_AT_CREATE_SHADER_DXBC_tail);
    if (!s->code)
        return gv_out_of_memory(err);
    if (s->code->d3d9)
        gv_aero_use_d3d9(x);
    return try_out(a, x, s, err);
}
