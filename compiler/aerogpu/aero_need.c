// What a draw asks of a shader beside its blob: states that Direct3D keeps elsewhere,
// what the stage in front writes, and what is bound. Each answer is a translation of
// its own (a variant).
#include "compiler/aerogpu/aero.h"

#define MAX_BOUND_EXPONENT 12 // 4096 vec4s, as many as Direct3D binds

void gv_aero_need_of_state(const struct gv_aero *a, const struct gv_aero_context *x,
                           const struct gv_aero_shader *s, struct gv_aero_need *n)
{
    bool d3d9 = s->code->d3d9;
    *n = (struct gv_aero_need){ 0 };
    if (d3d9 && s->stage == GV_DXBC_PIXEL && x->alpha_test.enable &&
        x->alpha_test.compare != GV_COMPARE_ALWAYS)
        n->alpha_test = x->alpha_test.compare + 1u;
    n->half_pixel = d3d9 && s->stage == GV_DXBC_VERTEX && a->shaders.half_pixel;
    if ((s->stage == GV_DXBC_HULL || s->stage == GV_DXBC_DOMAIN) &&
        x->topology >= GV_AERO_TOPOLOGY_FIRST_PATCH)
        n->control_points = x->topology - GV_AERO_TOPOLOGY_FIRST_PATCH + 1;
}

// ---- the stage in front ----

// Bits of the locations that elements have.
static uint32_t locations(const struct gv_dxbc_element *elements, uint32_t count)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < count; i++)
        if (elements[i].location < GV_DXBC_MAX_REGISTERS)
            mask |= 1u << elements[i].location;
    return mask;
}

static void link_stages(const struct gv_dxbc_shader *code,
                        const struct gv_dxbc_shader *front, struct gv_aero_need *n)
{
    n->missing_inputs = locations(code->inputs, code->input_count) &
                        ~locations(front->outputs, front->output_count);
    if (code->stage != GV_DXBC_DOMAIN)
        return;
    n->missing_patch = code->patch_registers & ~front->patch_registers;
    n->partitioning = front->partitioning;
    n->output_primitive = front->output_primitive;
}

// ---- bindings ----

// Bit per slot whose texture is a cube, where the shader does not say what it wants.
static uint32_t bound_cubes(const struct gv_aero_stage *s,
                            const struct gv_dxbc_shader *code)
{
    uint32_t cubes = 0;
    for (uint32_t i = 0; i < code->texture_count; i++) {
        const struct gv_dxbc_texture *t = &code->textures[i];
        struct gv_aero_view v;
        if (t->undeclared && t->slot < GV_AERO_SAMPLERS &&
            gv_aero_subresources(s->textures[t->slot], &v) &&
            v.texture->texture.base.cube && v.layers >= 6)
            cubes |= 1u << t->slot;
    }
    return cubes;
}

// vec4s that a constant buffer's binding has.
static uint64_t bound_constants(const struct gv_aero_stage *s, uint32_t slot)
{
    const struct gv_aero_range *r = &s->constants[slot];
    if (!r->buffer)
        return slot == 0 ? s->legacy_limit : 0;
    uint64_t bytes = r->size ? r->size : r->buffer->buffer.base.size - r->offset;
    return (bytes + 15) / 16;
}

// Four bits per slot: indexed buffers that are bound beyond what is declared have that
// power of two of vec4s.
static uint64_t indexed_constants(const struct gv_aero_stage *s,
                                  const struct gv_dxbc_shader *code)
{
    uint64_t sizes = 0;
    for (uint32_t i = 0; i < code->cbuffer_count; i++) {
        const struct gv_dxbc_cbuffer *cb = &code->cbuffers[i];
        uint64_t exponent = 0, bound = 0;
        if (!cb->indexed || cb->slot >= GV_AERO_CONSTANT_BUFFERS)
            continue;
        bound = bound_constants(s, cb->slot);
        if (bound <= cb->size)
            continue;
        while (exponent < MAX_BOUND_EXPONENT && 1ull << exponent < bound)
            exponent++;
        sizes |= exponent << (4 * cb->slot);
    }
    return sizes;
}

static void look_at_bindings(const struct gv_aero_context *x,
                             const struct gv_dxbc_shader *code, struct gv_aero_need *n)
{
    const struct gv_aero_stage *s = &x->stages[code->stage];
    if (code->model == GV_DXBC_D3D9)
        n->cubes = bound_cubes(s, code);
    else
        n->constants = indexed_constants(s, code);
}

void gv_aero_need_refine(const struct gv_aero_context *x,
                         const struct gv_aero_variant *plain,
                         const struct gv_aero_variant *front, struct gv_aero_need *n)
{
    if (front)
        link_stages(&plain->code, &front->code, n);
    look_at_bindings(x, &plain->code, n);
}

bool gv_aero_need_moved(const struct gv_aero_context *x,
                        const struct gv_aero_variant *v)
{
    struct gv_aero_need now = v->need;
    if (!v->plain)
        return false; // none of a blob
    look_at_bindings(x, &v->plain->code, &now);
    return !gv_aero_need_covers(&v->need, &now);
}

// ---- as options ----

bool gv_aero_need_equal(const struct gv_aero_need *a, const struct gv_aero_need *b)
{
    return a->alpha_test == b->alpha_test && a->control_points == b->control_points &&
           a->half_pixel == b->half_pixel && a->missing_inputs == b->missing_inputs &&
           a->missing_patch == b->missing_patch && a->partitioning == b->partitioning &&
           a->output_primitive == b->output_primitive && a->cubes == b->cubes &&
           a->constants == b->constants;
}

uint64_t gv_aero_need_larger(uint64_t constants, uint64_t others)
{
    uint64_t larger = 0;
    for (uint32_t at = 0; at < 4 * GV_AERO_CONSTANT_BUFFERS; at += 4) {
        uint64_t one = constants >> at & 15, other = others >> at & 15;
        larger |= (one > other ? one : other) << at;
    }
    return larger;
}

bool gv_aero_need_covers(const struct gv_aero_need *a, const struct gv_aero_need *b)
{
    struct gv_aero_need as_large = *b;
    as_large.constants = gv_aero_need_larger(a->constants, b->constants);
    return gv_aero_need_equal(a, &as_large);
}

void gv_aero_need_options(const struct gv_aero_need *n, struct gv_dxbc_options *out)
{
    *out = (struct gv_dxbc_options){ .alpha_test = n->alpha_test,
                                     .half_pixel = n->half_pixel,
                                     .control_points = n->control_points,
                                     .missing_inputs = n->missing_inputs,
                                     .missing_patch = n->missing_patch,
                                     .partitioning = n->partitioning,
                                     .output_primitive = n->output_primitive };
    for (uint32_t i = 0; i < GV_AERO_SAMPLERS; i++)
        if (n->cubes >> i & 1)
            out->dimensions[i] = GV_DXBC_TEXTURE_CUBE;
    for (uint32_t i = 0; i < GV_AERO_CONSTANT_BUFFERS; i++)
        if (n->constants >> (4 * i) & 15)
            out->constants[i] = (uint16_t)(1u << (n->constants >> (4 * i) & 15));
}
