// The structure of shaders: operands, registers, flow control, labels.
#include "compiler/shader/d3d/dxbc_ir.h"

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
    if (o->file == IR_FILE_UAV && !ir_uav_bindable(o->index[0].base))
        return gv_fail(err, GV_ERR_UNSUPPORTED, at, "unsupported: register u%u",
                       o->index[0].base);
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
    case 'm':
        return file == IR_FILE_RESOURCE || file == IR_FILE_RASTERIZER;
    case 'v':
        return file == IR_FILE_INPUT;
    case 'l':
        return file == IR_FILE_LABEL;
    default:
        return file != IR_FILE_NULL && file != IR_FILE_RESOURCE &&
               file != IR_FILE_SAMPLER && file != IR_FILE_UAV &&
               file != IR_FILE_SHARED && file != IR_FILE_LABEL &&
               file != IR_FILE_RASTERIZER;
    }
}

#define ONLY(stage) (1u << GV_DXBC_##stage)
#define TESSELLATION (ONLY(HULL) | ONLY(DOMAIN))

// Stages that have a file's registers; 0: all.
static const uint8_t file_stages[IR_FILE_COUNT] = {
    [IR_FILE_INPUT] = 0xff & ~ONLY(COMPUTE),
    [IR_FILE_OUTPUT] = 0xff & ~ONLY(COMPUTE),
    [IR_FILE_DEPTH] = ONLY(PIXEL),
    [IR_FILE_COVERAGE] = ONLY(PIXEL),
    [IR_FILE_COVERAGE_IN] = ONLY(PIXEL),
    [IR_FILE_STENCIL] = ONLY(PIXEL),
    [IR_FILE_PATCH] = TESSELLATION,
    [IR_FILE_CONTROL_OUT] = ONLY(HULL),
    [IR_FILE_DOMAIN_POINT] = ONLY(DOMAIN),
    [IR_FILE_PRIMITIVE_ID] = TESSELLATION | ONLY(GEOMETRY) | ONLY(PIXEL),
    [IR_FILE_POINT_ID] = ONLY(HULL),
    [IR_FILE_FORK_ID] = ONLY(HULL),
    [IR_FILE_JOIN_ID] = ONLY(HULL),
    [IR_FILE_GS_INSTANCE_ID] = ONLY(GEOMETRY),
    [IR_FILE_THREAD_ID] = ONLY(COMPUTE),
    [IR_FILE_GROUP_ID] = ONLY(COMPUTE),
    [IR_FILE_LOCAL_ID] = ONLY(COMPUTE),
    [IR_FILE_LOCAL_INDEX] = ONLY(COMPUTE),
    [IR_FILE_POSITION_9] = ONLY(PIXEL),
    [IR_FILE_FACE_9] = ONLY(PIXEL),
    [IR_FILE_RASTERIZER] = ONLY(PIXEL),
};

static bool file_there(const struct ir_shader *s, uint8_t file)
{
    return !file_stages[file] || file_stages[file] >> s->stage & 1;
}

// Registers and operations of the shader's own stage alone.
static bool check_stage(const struct ir_shader *s, const struct ir_instruction *i,
                        struct gv_error *err)
{
    bool pixel = s->stage == GV_DXBC_PIXEL, there = true;
    bool of_pixels = (i->op >= IR_DERIV_X && i->op <= IR_DERIV_Y_FINE) ||
                     i->op == IR_DISCARD || i->op == IR_CLIP || i->op == IR_TEXKILL_9 ||
                     i->op == IR_TEXKILL_XYZ_9 || i->op == IR_LOD;
    if (of_pixels && !pixel)
        return gv_fail(err, GV_ERR_FORMAT, i->offset, "%s outside a pixel shader",
                       ir_ops[i->op].name);
    for (uint32_t k = 0; k < i->operand_count; k++) {
        const struct ir_operand *o = &i->operands[k];
        there = there && file_there(s, o->file);
        if (o->file == IR_FILE_CONTROL_OUT && !o->index[1].relative &&
            o->index[1].base >= ir_output_points(s))
            return gv_fail(err, GV_ERR_FORMAT, i->offset,
                           "control point %u is not among the patch's",
                           o->index[1].base);
        for (int d = 0; d < o->dims && d < 2; d++)
            there = there && (!o->index[d].relative || file_there(s, o->index[d].file));
    }
    return there ||
           gv_fail(err, GV_ERR_FORMAT, i->offset,
                   "%s: a register that this stage does not have", ir_ops[i->op].name);
}

// Doubles stand in xy and zw: a mask has both components of one or neither.
static bool splits_double(const struct ir_instruction *i)
{
    uint8_t mask = i->operand_count ? i->operands[0].mask : 0;
    return ir_ops[i->op].result == 'D' && ((mask ^ mask >> 1) & 5) != 0;
}

static bool check_instruction(const struct ir_instruction *i, struct gv_error *err)
{
    const struct ir_op_info *info = &ir_ops[i->op];
    if (i->operand_count != info->dsts + info->srcs)
        return gv_fail(err, GV_ERR_FORMAT, i->offset,
                       "%s with %u operands rather than %u", info->name,
                       i->operand_count, info->dsts + info->srcs);
    if (splits_double(i))
        return gv_fail(err, GV_ERR_FORMAT, i->offset, "%s of half a double",
                       info->name);
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
        if (!check_instruction(i, err) || !check_stage(s, i, err) ||
            !check_flow(&b, i, err))
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
