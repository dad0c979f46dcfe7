#include "compiler/shader/d3d/dxbc_ir.h"

#include <string.h>

const struct ir_op_info ir_ops[IR_OP_COUNT] = {
#define IR_OP(name, dsts, srcs, result, args, text) \
    [IR_##name] = { #name, dsts, srcs, result, args, text },
#include "compiler/shader/d3d/ir_ops.def"
#undef IR_OP
};

// ---- making ----

void ir_select(struct ir_operand *operand, uint32_t mode, uint32_t bits)
{
    switch (mode) {
    case 0:
        operand->mask = bits & 0xf;
        break;
    case 1:
        for (int i = 0; i < 4; i++)
            operand->swizzle[i] = bits >> (2 * i) & 3;
        break;
    default:
        operand->mask = (uint8_t)(1u << (bits & 3));
        memset(operand->swizzle, (int)(bits & 3), 4);
        break;
    }
}

static bool reserve(struct ir_shader *s, struct gv_error *err)
{
    if (s->instruction_count < s->instruction_capacity)
        return true;
    size_t capacity = s->instruction_capacity ? s->instruction_capacity * 2 : 64;
    struct ir_instruction *grown =
        gv_arena_array(s->arena, capacity, sizeof *s->instructions);
    if (!grown)
        return gv_out_of_memory(err);
    if (s->instruction_count)
        memcpy(grown, s->instructions, s->instruction_count * sizeof *grown);
    s->instructions = grown;
    s->instruction_capacity = capacity;
    return true;
}

struct ir_instruction *ir_append(struct ir_shader *s, enum ir_op op, size_t operands,
                                 uint64_t offset, struct gv_error *err)
{
    if (s->instruction_count == IR_MAX_INSTRUCTIONS) {
        gv_fail(err, GV_ERR_LIMIT, offset, "shader of more than %d instructions",
                IR_MAX_INSTRUCTIONS);
        return NULL;
    }
    if (!reserve(s, err))
        return NULL;
    struct ir_instruction *i = &s->instructions[s->instruction_count++];
    *i = (struct ir_instruction){ .op = (uint16_t)op,
                                  .predicate_swizzle = { 0, 1, 2, 3 },
                                  .operand_count = (uint8_t)operands,
                                  .offset = offset };
    i->operands = gv_arena_array(s->arena, operands, sizeof *i->operands);
    if (!i->operands) {
        gv_out_of_memory(err);
        return NULL;
    }
    for (size_t k = 0; k < operands; k++)
        i->operands[k] = ir_reg(IR_FILE_NULL, 0);
    return i;
}

struct ir_operand ir_reg(enum ir_file file, uint32_t index)
{
    return (struct ir_operand){ .file = (uint8_t)file,
                                .mask = 0xf,
                                .swizzle = { 0, 1, 2, 3 },
                                .dims = 1,
                                .index = { { .base = index } } };
}

struct ir_operand ir_immediate(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    struct ir_operand o = ir_reg(IR_FILE_IMMEDIATE, 0);
    o.dims = 0;
    o.values[0] = x;
    o.values[1] = y;
    o.values[2] = z;
    o.values[3] = w;
    return o;
}

struct ir_operand ir_immediate_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return ir_immediate(bits, bits, bits, bits);
}

// ---- hull shaders ----

bool ir_has_control_phase(const struct ir_shader *s)
{
    const struct ir_phase *first = &s->phases[0];
    return first->kind == IR_PHASE_CONTROL_POINT ||
           (first->kind == IR_PHASE_MAIN && first->count > 0);
}

uint32_t ir_input_points(const struct ir_shader *s)
{
    uint32_t wanted = s->options ? s->options->control_points : 0;
    return s->input_control_points ? s->input_control_points : wanted ? wanted : 3;
}

uint32_t ir_output_points(const struct ir_shader *s)
{
    return s->output_control_points ? s->output_control_points : ir_input_points(s);
}

// ---- what is used ----

static void use_addend(struct ir_usage *u, const struct ir_index *x)
{
    if (!x->relative)
        return;
    u->files[x->file] = true;
    if (x->file == IR_FILE_TEMP)
        u->temps[x->reg] = true;
    else if (x->file == IR_FILE_INPUT)
        u->inputs[x->reg] = u->input_plain[x->reg] = true;
    else if (x->file == IR_FILE_INDEXABLE && u->indexable[x->reg] <= x->element)
        u->indexable[x->reg] = x->element + 1;
}

static void raise_to(uint32_t *value, uint32_t least)
{
    if (*value < least)
        *value = least;
}

static void use_operand(struct ir_usage *u, const struct ir_operand *o, bool patch)
{
    uint32_t n = o->index[0].base;
    u->files[o->file] = true;
    for (int d = 0; d < o->dims; d++)
        use_addend(u, &o->index[d]);
    switch (o->file) {
    case IR_FILE_TEMP:
        u->temps[n] = true;
        break;
    case IR_FILE_INPUT:
        u->inputs[n] = true;
        u->inputs_relative |= o->index[0].relative;
        (o->dims > 1 ? u->input_arrayed : u->input_plain)[n] = true;
        if (o->dims > 1)
            raise_to(&u->vertex_count, o->index[1].relative ? IR_MAX_CONTROL_POINTS
                                                            : o->index[1].base + 1);
        break;
    case IR_FILE_OUTPUT:
        (patch ? u->patch_outputs : u->outputs)[n] = true;
        *(patch ? &u->patch_outputs_relative : &u->outputs_relative) |=
            o->index[0].relative;
        break;
    case IR_FILE_PATCH:
        u->patch[n] = true;
        break;
    case IR_FILE_CONTROL_OUT:
        u->control_outputs[n] = true;
        break;
    case IR_FILE_CBUFFER:
        u->cbuffer_relative[n] |= o->index[1].relative;
        raise_to(&u->cbuffer_count[n], o->index[1].base + 1);
        break;
    case IR_FILE_INDEXABLE:
        raise_to(&u->indexable[n], o->index[1].base + 1);
        break;
    case IR_FILE_PREDICATE:
        u->predicates[n] = true;
        break;
    case IR_FILE_RESOURCE:
        u->textures[n].used = true;
        break;
    case IR_FILE_SAMPLER:
        u->samplers[n].used = true;
        break;
    case IR_FILE_UAV:
        u->uavs[n].used = true;
        break;
    case IR_FILE_SHARED:
        u->shared[n] = true;
        break;
    default:
        break;
    }
}

static void use_texture(struct ir_usage *u, const struct ir_instruction *i)
{
    const struct ir_op_info *info = &ir_ops[i->op];
    const char *t = strchr(info->args, 't'), *s = strchr(info->args, 's');
    if (!t)
        return;
    uint32_t texture = i->operands[info->dsts + (t - info->args)].index[0].base;
    bool compare = i->op == IR_SAMPLE_C || i->op == IR_SAMPLE_C_LZ ||
                   i->op == IR_GATHER4_C || i->op == IR_GATHER4_PO_C;
    u->textures[texture].sampled |= s != NULL;
    u->textures[texture].fetched |= s == NULL;
    u->textures[texture].compared |= compare;
    if (!s)
        return;
    uint32_t sampler = i->operands[info->dsts + (s - info->args)].index[0].base;
    u->samplers[sampler].compare |= compare;
    u->samplers[sampler].normal |= !compare;
}

static void use_buffer(struct ir_usage *u, const struct ir_instruction *i)
{
    const struct ir_op_info *info = &ir_ops[i->op];
    const char *b = strpbrk(info->args, "bu");
    if (!b)
        return;
    const struct ir_operand *o = &i->operands[info->dsts + (b - info->args)];
    uint32_t n = o->index[0].base;
    bool raw = i->op == IR_LD_RAW || i->op == IR_STORE_RAW;
    bool structured = i->op == IR_LD_STRUCTURED || i->op == IR_STORE_STRUCTURED;
    bool typed = i->op == IR_LD_UAV_TYPED || i->op == IR_STORE_UAV_TYPED;
    bool store = i->op == IR_STORE_RAW || i->op == IR_STORE_STRUCTURED ||
                 i->op == IR_STORE_UAV_TYPED;
    if (o->file == IR_FILE_RESOURCE) {
        u->textures[n].raw |= raw;
        u->textures[n].structured |= structured;
        u->textures[n].fetched |= !raw && !structured;
    } else if (o->file == IR_FILE_UAV) {
        u->uavs[n].raw |= raw;
        u->uavs[n].structured |= structured;
        u->uavs[n].typed |= typed;
        u->uavs[n].typed_load |= i->op == IR_LD_UAV_TYPED;
        u->uavs[n].counted |= i->op == IR_IMM_ALLOC || i->op == IR_IMM_CONSUME;
        u->uavs[n].asked |= i->op == IR_BUFINFO;
        u->uavs[n].stored |= store;
        u->uavs[n].atomic |= i->op >= IR_ATOMIC_AND && i->op <= IR_IMM_ATOMIC_UMIN;
        u->uavs[n].loaded |= !store;
    }
}

static bool takes_derivatives(uint16_t op)
{
    return op == IR_SAMPLE || op == IR_SAMPLE_B || op == IR_SAMPLE_C ||
           op == IR_SAMPLE_9 || op == IR_SAMPLE_PROJ_9 || op == IR_SAMPLE_BIAS_9 ||
           op == IR_LOD || (op >= IR_DERIV_X && op <= IR_DERIV_Y_FINE);
}

static void scan_phase(const struct ir_shader *s, const struct ir_phase *phase,
                       struct ir_usage *out)
{
    bool patch = phase->kind == IR_PHASE_FORK || phase->kind == IR_PHASE_JOIN;
    for (size_t k = phase->first; k < phase->first + phase->count; k++) {
        const struct ir_instruction *i = &s->instructions[k];
        for (uint32_t n = 0; n < i->operand_count; n++)
            use_operand(out, &i->operands[n], patch);
        if (i->predicated)
            out->predicates[i->predicate] = true;
        out->files[IR_FILE_ADDRESS] |= i->op == IR_LOOP_9; // aL, read or not
        use_texture(out, i);
        use_buffer(out, i);
        out->derivatives |= takes_derivatives(i->op);
        out->discards |= i->op == IR_DISCARD || i->op == IR_CLIP ||
                         i->op == IR_TEXKILL_9 || i->op == IR_TEXKILL_XYZ_9;
    }
}

// Inputs of hull shaders are control points, whether they name one or (in the Aero
// dialect) mean the invocation's own. Outputs that no phase computes are inputs too.
static void scan_control_points(const struct ir_shader *s, struct ir_usage *out)
{
    bool computed = ir_has_control_phase(s);
    for (uint32_t i = 0; i < s->output_count && !computed; i++)
        if (s->outputs[i].reg < GV_DXBC_MAX_REGISTERS)
            out->inputs[s->outputs[i].reg] = true;
    for (uint32_t n = 0; n < GV_DXBC_MAX_REGISTERS; n++) {
        out->outputs[n] |= out->control_outputs[n]; // read back by later phases
        out->inputs[n] |= out->control_outputs[n] && !computed;
        out->input_arrayed[n] |= out->inputs[n];
        out->input_plain[n] = false;
    }
    raise_to(&out->vertex_count, ir_input_points(s));
    raise_to(&out->vertex_count, ir_output_points(s));
}

void ir_scan(const struct ir_shader *s, struct ir_usage *out)
{
    memset(out, 0, sizeof *out);
    for (size_t p = 0; p < s->phase_count; p++)
        scan_phase(s, &s->phases[p], out);
    if (s->stage == GV_DXBC_HULL)
        scan_control_points(s, out);
    for (uint32_t n = 0; n < IR_MAX_TEMPS; n++)
        if (out->temps[n])
            out->temp_count = n + 1;
}

bool ir_uav_bindable(uint32_t n)
{
    return n < GV_DXBC_MAX_UAVS || n >= IR_MAX_UAVS;
}

bool ir_uav_is_words(const struct ir_shader *s, const struct ir_usage *usage,
                     uint32_t n)
{
    switch ((enum ir_resource_kind)s->uavs[n].kind) {
    case IR_RESOURCE_RAW:
    case IR_RESOURCE_STRUCTURED:
        return true;
    case IR_RESOURCE_TYPED_BUFFER:
        return usage->uavs[n].typed_load || usage->uavs[n].atomic;
    case IR_RESOURCE_TEXTURE:
        return false;
    case IR_RESOURCE_NONE:
        break;
    }
    return usage->uavs[n].raw || usage->uavs[n].structured || usage->uavs[n].atomic ||
           (usage->uavs[n].asked && !usage->uavs[n].typed);
}
