// Shaders: blobs are translated when created (so that errors name them) and again where
// a draw needs other options.
#include "compiler/aerogpu/aero.h"

#include <string.h>

#define MAX_VARIANTS 64u // of one shader

// The options a draw of this context asks of a shader.
struct need {
    uint32_t alpha_test, control_points;
    bool half_pixel;
};

static struct need needs(const struct gv_aero *a, const struct gv_aero_context *x,
                         const struct gv_aero_shader *s)
{
    struct need n = { 0 };
    bool d3d9 = s->code->d3d9;
    if (d3d9 && s->stage == GV_DXBC_PIXEL && x->alpha_test.enable &&
        x->alpha_test.compare != GV_COMPARE_ALWAYS)
        n.alpha_test = x->alpha_test.compare + 1u;
    n.half_pixel = d3d9 && s->stage == GV_DXBC_VERTEX && a->half_pixel;
    if ((s->stage == GV_DXBC_HULL || s->stage == GV_DXBC_DOMAIN) &&
        x->topology >= GV_AERO_TOPOLOGY_FIRST_PATCH)
        n.control_points = x->topology - GV_AERO_TOPOLOGY_FIRST_PATCH + 1;
    return n;
}

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
                                         const struct need *n, struct gv_error *err)
{
    struct gv_aero_variant *v = gv_arena_alloc(a->arena, sizeof *v);
    struct gv_dxbc_options *options = gv_arena_alloc(a->arena, sizeof *options);
    if (!v || !options) {
        gv_out_of_memory(err);
        return NULL;
    }
    options->alpha_test = n->alpha_test;
    options->half_pixel = n->half_pixel;
    options->control_points = n->control_points;
    if (!gv_dxbc_translate(s->blob, s->size, s->offset, options, a->arena, &v->code,
                           err))
        return NULL;
    if (v->code.uses_extra && !list_extra(a, &v->code)) {
        gv_out_of_memory(err);
        return NULL;
    }
    v->serial = ++a->next_serial;
    v->alpha_test = n->alpha_test;
    v->half_pixel = n->half_pixel;
    v->control_points = n->control_points;
    v->next = s->variants;
    s->variants = v;
    s->variant_count++;
    return v;
}

gv_object gv_aero_variant_module(struct gv_aero *a, struct gv_aero_variant *v)
{
    if (!v->module)
        v->module =
            gv_builder_shader(a->b, v->code.spirv.words, v->code.spirv.word_count);
    return v->module;
}

struct gv_aero_variant *gv_aero_shader_variant(struct gv_aero *a,
                                               const struct gv_cmd *c,
                                               const struct gv_aero_context *x,
                                               struct gv_aero_shader *shader,
                                               struct gv_error *err)
{
    const struct need n = needs(a, x, shader);
    struct gv_aero_code *code = shader->code;
    for (struct gv_aero_variant *v = code->variants; v; v = v->next)
        if (v->alpha_test == n.alpha_test && v->half_pixel == n.half_pixel &&
            v->control_points == n.control_points)
            return v;
    if (code->variant_count == MAX_VARIANTS) {
        gv_aero_fail(a, GV_ERR_LIMIT, c, err, "more than %u forms of a shader",
                     MAX_VARIANTS);
        return NULL;
    }
    return translate(a, code, &n, err);
}

static struct gv_aero_code *code_of(struct gv_aero *a, const uint8_t *blob, size_t size,
                                    uint64_t offset)
{
    const struct gv_hash hash = gv_hash_bytes(blob, size);
    struct gv_aero_code **bucket = &a->codes[hash.bytes[0] % GV_AERO_CODE_BUCKETS];
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

GV_AERO_HANDLER(create_shader_dxbc)
{
    uint32_t stage;
    if (!gv_aero_stage_of(a, c, GV_CMD_U32(c, CREATE_SHADER_DXBC, stage),
                          GV_CMD_U32(c, CREATE_SHADER_DXBC, stage_ex), &stage, err))
        return false;
    struct gv_aero_object *o = gv_aero_create(
        a, c, GV_CMD_U32(c, CREATE_SHADER_DXBC, handle), GV_AERO_SHADER, err);
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
    // Hull and domain shaders need the patch size of the draw.
    if (stage == GV_DXBC_HULL || stage == GV_DXBC_DOMAIN)
        return true;
    const struct gv_aero_variant *v = gv_aero_shader_variant(a, c, x, s, err);
    if (v && v->code.stage != (enum gv_dxbc_stage)stage)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "the blob holds a shader of another stage");
    return v || gv_error_at_command(err, gv_builder_current_command(a->b));
}
