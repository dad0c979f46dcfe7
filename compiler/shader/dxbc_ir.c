#include "compiler/shader/dxbc_ir.h"

#include <string.h>

const struct ir_op_info ir_ops[IR_OP_COUNT] = {
#define IR_OP(name, dsts, srcs, result, args, text) \
    [IR_##name] = { #name, dsts, srcs, result, args, text },
#include "compiler/shader/ir_ops.def"
#undef IR_OP
};

// ---- making ----

static bool reserve(struct ir_shader *s, struct gv_error *err)
{
    if (s->instruction_count < s->instruction_capacity)
        return true;
    size_t capacity = s->instruction_capacity ? s->instruction_capacity * 2 : 64;
    struct ir_instruction *grown =
        gv_arena_array(s->arena, capacity, sizeof *s->instructions);
    if (!grown)
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "out of memory");
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
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "out of memory");
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

// ---- checking ----

// Highest register of each file's first index, plus one. 0 = not indexed.
static const uint32_t file_limits[IR_FILE_COUNT] = {
    [IR_FILE_TEMP] = IR_MAX_TEMPS,
    [IR_FILE_INDEXABLE] = 64,
    [IR_FILE_INPUT] = GV_DXBC_MAX_REGISTERS,
    [IR_FILE_OUTPUT] = GV_DXBC_MAX_REGISTERS,
    [IR_FILE_CBUFFER] = GV_DXBC_MAX_CBUFFERS + 2,
    [IR_FILE_ICB] = IR_MAX_IMMEDIATES,
    [IR_FILE_PREDICATE] = 16,
    [IR_FILE_ADDRESS] = 2,
    [IR_FILE_PATCH] = GV_DXBC_MAX_REGISTERS,
    [IR_FILE_CONTROL_OUT] = GV_DXBC_MAX_REGISTERS,
    [IR_FILE_RESOURCE] = GV_DXBC_MAX_TEXTURES,
    [IR_FILE_SAMPLER] = GV_DXBC_MAX_SAMPLERS,
    [IR_FILE_UAV] = GV_DXBC_MAX_UAVS,
    [IR_FILE_SHARED] = 32,
    [IR_FILE_LABEL] = IR_MAX_LABELS,
};

static bool check_second_index(const struct ir_operand *o, uint64_t at,
                               struct gv_error *err)
{
    static const uint32_t limits[IR_FILE_COUNT] = {
        [IR_FILE_CBUFFER] = GV_DXBC_MAX_CONSTANTS,
        [IR_FILE_INDEXABLE] = IR_MAX_INDEXABLE,
        [IR_FILE_INPUT] = IR_MAX_CONTROL_POINTS,
        [IR_FILE_CONTROL_OUT] = IR_MAX_CONTROL_POINTS,
    };
    uint32_t limit = limits[o->file] ? limits[o->file] : UINT32_MAX;
    if (o->dims > 1 && o->index[1].base >= limit)
        return gv_fail(err, GV_ERR_FORMAT, at, "register index %u is out of range",
                       o->index[1].base);
    return true;
}

static bool check_addend(const struct ir_index *x, uint64_t at, struct gv_error *err)
{
    if (!x->relative)
        return true;
    bool readable = x->file == IR_FILE_TEMP || x->file == IR_FILE_ADDRESS ||
                    x->file == IR_FILE_INDEXABLE || x->file == IR_FILE_INPUT;
    bool special = x->file >= IR_FILE_DOMAIN_POINT && x->file <= IR_FILE_LOCAL_INDEX;
    if (!readable && !special)
        return gv_fail(err, GV_ERR_FORMAT, at, "register cannot be an index");
    if (file_limits[x->file] && x->reg >= file_limits[x->file])
        return gv_fail(err, GV_ERR_FORMAT, at, "index register %u is out of range",
                       x->reg);
    return x->file != IR_FILE_INDEXABLE || x->element < IR_MAX_INDEXABLE ||
           gv_fail(err, GV_ERR_FORMAT, at, "index register is out of range");
}

static bool relative_allowed(const struct ir_operand *o, int dimension)
{
    switch (o->file) {
    case IR_FILE_INPUT:
        return true;
    case IR_FILE_ICB:
    case IR_FILE_OUTPUT:
    case IR_FILE_PATCH:
        return dimension == 0;
    case IR_FILE_CBUFFER:
    case IR_FILE_INDEXABLE:
    case IR_FILE_CONTROL_OUT:
        return dimension == 1;
    default:
        return false;
    }
}

static bool check_operand(const struct ir_operand *o, uint64_t at, struct gv_error *err)
{
    uint32_t limit = file_limits[o->file];
    if (limit && o->dims == 0)
        return gv_fail(err, GV_ERR_FORMAT, at, "register without an index");
    if (limit && o->index[0].base >= limit)
        return gv_fail(err, GV_ERR_FORMAT, at, "register index %u is out of range",
                       o->index[0].base);
    bool two = o->file == IR_FILE_CBUFFER || o->file == IR_FILE_INDEXABLE ||
               o->file == IR_FILE_CONTROL_OUT;
    if (two && o->dims != 2)
        return gv_fail(err, GV_ERR_FORMAT, at, "register needs two indices");
    for (int d = 0; d < o->dims; d++) {
        if (!check_addend(&o->index[d], at, err))
            return false;
        if (o->index[d].relative && !relative_allowed(o, d))
            return gv_fail(err, GV_ERR_UNSUPPORTED, at,
                           "unsupported: relative index of this register file");
    }
    return check_second_index(o, at, err);
}

static bool file_writable(uint8_t file)
{
    return file == IR_FILE_NULL || file == IR_FILE_TEMP || file == IR_FILE_INDEXABLE ||
           file == IR_FILE_OUTPUT || file == IR_FILE_PREDICATE ||
           file == IR_FILE_ADDRESS || file == IR_FILE_DEPTH ||
           file == IR_FILE_COVERAGE || file == IR_FILE_STENCIL;
}

// Whether a source of type letter `arg` may come from `file`.
static bool file_fits(char arg, uint8_t file)
{
    switch (arg) {
    case 't':
        return file == IR_FILE_RESOURCE;
    case 's':
        return file == IR_FILE_SAMPLER;
    case 'u':
        return file == IR_FILE_UAV || file == IR_FILE_SHARED;
    case 'b':
        return file == IR_FILE_RESOURCE || file == IR_FILE_UAV ||
               file == IR_FILE_SHARED;
    case 'v':
        return file == IR_FILE_INPUT;
    case 'l':
        return file == IR_FILE_LABEL;
    default:
        return file != IR_FILE_NULL && file != IR_FILE_RESOURCE &&
               file != IR_FILE_SAMPLER && file != IR_FILE_UAV &&
               file != IR_FILE_SHARED && file != IR_FILE_LABEL;
    }
}

static bool check_instruction(const struct ir_instruction *i, struct gv_error *err)
{
    const struct ir_op_info *info = &ir_ops[i->op];
    if (i->operand_count != info->dsts + info->srcs)
        return gv_fail(err, GV_ERR_FORMAT, i->offset,
                       "%s with %u operands rather than %u", info->name,
                       i->operand_count, info->dsts + info->srcs);
    if (i->predicated && i->predicate >= 16)
        return gv_fail(err, GV_ERR_FORMAT, i->offset, "predicate p%u is out of range",
                       i->predicate);
    for (uint32_t k = 0; k < i->operand_count; k++) {
        const struct ir_operand *o = &i->operands[k];
        bool fits = k < info->dsts ? file_writable(o->file)
                                   : file_fits(info->args[k - info->dsts], o->file);
        if (!fits)
            return gv_fail(err, GV_ERR_FORMAT, i->offset,
                           "%s: operand %u is of the wrong kind", info->name, k);
        if (!check_operand(o, i->offset, err))
            return false;
    }
    return true;
}

struct blocks {
    struct {
        uint8_t op; // IF, ELSE, LOOP or SWITCH
        bool has_default, labelled;
    } stack[IR_MAX_NESTING];
    int depth, loops, switches;
};

static bool flow_error(const struct ir_instruction *i, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_FORMAT, i->offset, "%s out of place",
                   ir_ops[i->op].name);
}

static bool open_block(struct blocks *b, uint16_t kind, const struct ir_instruction *i,
                       struct gv_error *err)
{
    if (b->depth == IR_MAX_NESTING)
        return gv_fail(err, GV_ERR_LIMIT, i->offset,
                       "flow control nested deeper than %d", IR_MAX_NESTING);
    b->stack[b->depth].op = (uint8_t)kind;
    b->stack[b->depth].has_default = b->stack[b->depth].labelled = false;
    b->depth++;
    b->loops += kind == IR_LOOP;
    b->switches += kind == IR_SWITCH;
    return true;
}

static bool close_block(struct blocks *b, uint16_t kind, const struct ir_instruction *i,
                        struct gv_error *err)
{
    if (b->depth == 0 || b->stack[b->depth - 1].op != kind)
        return flow_error(i, err);
    b->depth--;
    b->loops -= kind == IR_LOOP;
    b->switches -= kind == IR_SWITCH;
    return true;
}

static bool in_switch(const struct blocks *b)
{
    return b->depth > 0 && b->stack[b->depth - 1].op == IR_SWITCH;
}

static bool check_flow(struct blocks *b, const struct ir_instruction *i,
                       struct gv_error *err)
{
    bool label = i->op == IR_CASE || i->op == IR_DEFAULT || i->op == IR_ENDSWITCH;
    if (in_switch(b) && !b->stack[b->depth - 1].labelled && !label && i->op != IR_NOP)
        return gv_fail(err, GV_ERR_FORMAT, i->offset, "%s before the first case",
                       ir_ops[i->op].name);
    switch (i->op) {
    case IR_IF:
    case IR_IFC:
        return open_block(b, IR_IF, i, err);
    case IR_ELSE:
        return close_block(b, IR_IF, i, err) && open_block(b, IR_ELSE, i, err);
    case IR_ENDIF:
        if (b->depth && b->stack[b->depth - 1].op == IR_ELSE)
            return close_block(b, IR_ELSE, i, err);
        return close_block(b, IR_IF, i, err);
    case IR_LOOP:
    case IR_LOOP_9:
    case IR_REP_9:
        return open_block(b, IR_LOOP, i, err);
    case IR_ENDLOOP:
        return close_block(b, IR_LOOP, i, err);
    case IR_SWITCH:
        return open_block(b, IR_SWITCH, i, err);
    case IR_CASE:
    case IR_DEFAULT:
        if (!in_switch(b))
            return flow_error(i, err);
        if (i->op == IR_DEFAULT && b->stack[b->depth - 1].has_default)
            return flow_error(i, err);
        if (i->op == IR_CASE && i->operands[0].file != IR_FILE_IMMEDIATE)
            return gv_fail(err, GV_ERR_FORMAT, i->offset, "case is not an immediate");
        b->stack[b->depth - 1].labelled = true;
        b->stack[b->depth - 1].has_default |= i->op == IR_DEFAULT;
        return true;
    case IR_ENDSWITCH:
        return close_block(b, IR_SWITCH, i, err);
    case IR_BREAK:
    case IR_BREAK_IF:
    case IR_BREAKC:
        return b->loops || b->switches || flow_error(i, err);
    case IR_CONTINUE:
    case IR_CONTINUE_IF:
    case IR_CONTINUEC:
        return b->loops || flow_error(i, err);
    case IR_LABEL:
        return b->depth == 0 || flow_error(i, err);
    default:
        return true;
    }
}

static bool check_phase(const struct ir_shader *s, const struct ir_phase *p,
                        struct gv_error *err)
{
    struct blocks b = { .depth = 0 };
    for (size_t k = p->first; k < p->first + p->count; k++) {
        const struct ir_instruction *i = &s->instructions[k];
        if (!check_instruction(i, err) || !check_flow(&b, i, err))
            return false;
    }
    if (b.depth)
        return gv_fail(err, GV_ERR_FORMAT,
                       p->count ? s->instructions[p->first + p->count - 1].offset
                                : s->offset,
                       "a block is not closed");
    return true;
}

// Each label stands once; each call has its label.
static bool check_labels(const struct ir_shader *s, struct gv_error *err)
{
    bool there[IR_MAX_LABELS] = { false };
    for (size_t k = 0; k < s->instruction_count; k++) {
        const struct ir_instruction *i = &s->instructions[k];
        if (i->op != IR_LABEL)
            continue;
        uint32_t n = i->operands[0].index[0].base;
        if (there[n])
            return gv_fail(err, GV_ERR_FORMAT, i->offset, "label %u stands twice", n);
        there[n] = true;
    }
    for (size_t k = 0; k < s->instruction_count; k++) {
        const struct ir_instruction *i = &s->instructions[k];
        if ((i->op == IR_CALL || i->op == IR_CALL_IF) &&
            !there[i->operands[0].index[0].base])
            return gv_fail(err, GV_ERR_FORMAT, i->offset, "label %u is missing",
                           i->operands[0].index[0].base);
    }
    return true;
}

bool ir_check(const struct ir_shader *s, struct gv_error *err)
{
    for (size_t i = 0; i < s->phase_count; i++)
        if (!check_phase(s, &s->phases[i], err))
            return false;
    return check_labels(s, err);
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
        use_texture(out, i);
        use_buffer(out, i);
        out->derivatives |= takes_derivatives(i->op);
        out->discards |=
            i->op == IR_DISCARD || i->op == IR_CLIP || i->op == IR_TEXKILL_9;
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
    return usage->uavs[n].raw || usage->uavs[n].structured || usage->uavs[n].atomic;
}
