#include "vm/slice/slice_walk.h"

// The unit under way.
struct cutter {
    struct gv_unit_walk *walk;
    struct gv_unit *unit;
    uint32_t open[GV_MAX_NESTING]; // where skips land; UINT32_MAX for a loop
    size_t open_count;
};

bool gv_unit_is_address(const struct gv_unit_cell *cell)
{
    return cell->type >= GV_UNIT_CONST;
}

bool gv_unit_walk_chunk(struct gv_unit_walk *walk, size_t chunk, struct gv_error *err)
{
    const struct gv_chunk *c = &walk->payload->chunks[chunk];
    walk->code = gv_payload_chunk(walk->payload, chunk, err);
    if (!walk->code)
        return false;
    walk->size = c->size;
    walk->pc = 0;
    walk->command = c->first_command;
    walk->next_resource = c->first_resource;
    walk->depth = 0;
    return true;
}

static void push(struct gv_unit_walk *w, uint8_t type, uint32_t index, uint64_t value)
{
    w->stack[w->depth++] = (struct gv_unit_cell){ value, index, type };
}

// An operation of the `count` topmost cells, which it pops; NULL if there are too many.
static struct gv_unit_op *pop_op(struct cutter *c, uint8_t kind, size_t count)
{
    struct gv_unit_walk *w = c->walk;
    struct gv_unit *u = c->unit;
    w->depth -= count;
    if (u->op_count == GV_UNIT_MAX_OPS) {
        u->overflow = true;
        return NULL;
    }
    struct gv_unit_op *op = &u->ops[u->op_count++];
    op->kind = kind;
    op->size = 0;
    for (size_t i = 0; i < count; i++)
        op->args[i] = w->stack[w->depth + i];
    return op;
}

static void memory_op(struct cutter *c, uint8_t kind, uint64_t size)
{
    struct gv_unit_op *op = pop_op(c, kind, kind == GV_UNIT_COPY ? 2 : 1);
    if (op)
        op->size = size;
}

static void resource(struct gv_unit_walk *w, uint32_t index)
{
    push(w, GV_UNIT_RESOURCE, index, 0);
    w->next_resource = index + 1;
}

static void fetch(struct cutter *c, uint32_t index)
{
    memory_op(c, GV_UNIT_FETCH, c->walk->payload->resources[index].size);
    c->walk->next_resource = index + 1;
}

static void load_slot(struct gv_unit_walk *w, uint32_t slot)
{
    bool map = w->payload->slots[slot].kind == GV_KIND_MAP;
    push(w, map ? GV_UNIT_MAPPED : GV_UNIT_HANDLE, slot, 0);
}

static void store_slot(struct cutter *c, uint32_t slot)
{
    struct gv_unit_op *op = pop_op(c, GV_UNIT_STORE_SLOT, 1);
    if (op)
        op->number = slot;
}

static void call(struct cutter *c, uint64_t import)
{
    uint32_t number = c->walk->payload->imports[import].call;
    const struct gv_call_info *info = &gv_call_infos[number];
    uint32_t index = (uint32_t)c->unit->op_count;
    struct gv_unit_op *op = pop_op(c, GV_UNIT_CALL, info->arg_count);
    if (op)
        op->call = (uint8_t)number;
    if (info->result)
        push(c->walk, GV_UNIT_RESULT, index, 0);
}

static uint64_t fold(uint8_t op, uint64_t a, uint64_t b)
{
    switch (op) {
    case GV_OP_ADD:
        return a + b;
    case GV_OP_SUB:
        return a - b;
    case GV_OP_MUL:
        return a * b;
    case GV_OP_AND:
        return a & b;
    default:
        return a < b;
    }
}

static void arithmetic(struct gv_unit_walk *w, uint8_t op)
{
    struct gv_unit_cell *a = &w->stack[w->depth - 2];
    const struct gv_unit_cell *b = &w->stack[--w->depth];
    if (a->type == GV_UNIT_KNOWN && b->type == GV_UNIT_KNOWN)
        a->value = fold(op, a->value, b->value);
    else
        a->type = GV_UNIT_UNKNOWN;
}

static void open_control(struct cutter *c, uint32_t target)
{
    c->unit->control = true;
    c->open[c->open_count++] = target;
}

static void step(struct cutter *c, const struct gv_instruction *in)
{
    struct gv_unit_walk *w = c->walk;
    uint32_t number = (uint32_t)in->operand;
    switch ((enum gv_op)in->op) {
    case GV_OP_TRAP:
    case GV_OP_END:
        break;
    case GV_OP_CMD:
        w->command += in->operand;
        break;
    case GV_OP_CMD_NEXT:
        w->command++;
        break;
    case GV_OP_PUSH_0:
    case GV_OP_PUSH:
    case GV_OP_PUSH_F32:
        push(w, GV_UNIT_KNOWN, 0, in->operand);
        break;
    case GV_OP_CONST:
        push(w, GV_UNIT_CONST, 0, in->operand);
        break;
    case GV_OP_VOLATILE:
        push(w, GV_UNIT_VOLATILE, 0, in->operand);
        break;
    case GV_OP_RES:
        resource(w, number);
        break;
    case GV_OP_RES_NEXT:
        resource(w, w->next_resource);
        break;
    case GV_OP_LOAD_SLOT:
        load_slot(w, number);
        break;
    case GV_OP_STORE_SLOT:
        store_slot(c, number);
        break;
    case GV_OP_FETCH:
        fetch(c, number);
        break;
    case GV_OP_FETCH_NEXT:
        fetch(c, w->next_resource);
        break;
    case GV_OP_COPY:
        memory_op(c, GV_UNIT_COPY, in->operand);
        break;
    case GV_OP_ADD_IMM:
        c->unit->moved_constant |= w->stack[w->depth - 1].type == GV_UNIT_CONST;
        w->stack[w->depth - 1].value += in->operand;
        break;
    case GV_OP_LOAD8:
    case GV_OP_LOAD16:
    case GV_OP_LOAD32:
    case GV_OP_LOAD64:
        memory_op(c, GV_UNIT_LOAD, UINT64_C(1) << (in->op - GV_OP_LOAD8));
        push(w, GV_UNIT_UNKNOWN, 0, 0);
        break;
    case GV_OP_STORE8:
    case GV_OP_STORE16:
    case GV_OP_STORE32:
    case GV_OP_STORE64:
        memory_op(c, GV_UNIT_STORE, UINT64_C(1) << (in->op - GV_OP_STORE8));
        w->depth--; // the value
        break;
    case GV_OP_ADD:
    case GV_OP_SUB:
    case GV_OP_MUL:
    case GV_OP_AND:
    case GV_OP_LESS:
        arithmetic(w, in->op);
        break;
    case GV_OP_DUP:
        w->stack[w->depth] = w->stack[w->depth - 1];
        w->depth++;
        break;
    case GV_OP_DROP:
        w->depth--;
        break;
    case GV_OP_LOOP:
        open_control(c, UINT32_MAX);
        break;
    case GV_OP_LOOP_END:
        c->open_count--;
        break;
    case GV_OP_SKIP_ZERO:
        w->depth--;
        c->unit->skips = true;
        open_control(c, w->pc + number);
        break;
    case GV_OP_CALL_0:
    case GV_OP_CALL:
        call(c, in->operand);
        break;
    case GV_OP_MEETS:
        push(w, GV_UNIT_UNKNOWN, 0, 0);
        break;
    }
}

static void land(struct cutter *c)
{
    while (c->open_count && c->open[c->open_count - 1] == c->walk->pc)
        c->open_count--;
}

static bool is_command(uint8_t op)
{
    return op == GV_OP_CMD || op == GV_OP_CMD_NEXT;
}

bool gv_unit_next(struct gv_unit_walk *w, struct gv_unit *unit)
{
    struct cutter c = { .walk = w, .unit = unit };
    struct gv_instruction in;
    unit->control = unit->skips = unit->overflow = unit->moved_constant = false;
    unit->op_count = 0;
    bool begun = false;
    while (w->pc < w->size) {
        uint32_t at = w->pc;
        size_t n = gv_decode_fast(w->code + at, w->size - at, &in);
        if (!n || in.op == GV_OP_END)
            return false;
        if (!begun && !is_command(in.op)) {
            begun = true;
            unit->begin = at;
            unit->command = w->command;
            unit->next_resource = w->next_resource;
        }
        w->pc += (uint32_t)n;
        step(&c, &in);
        land(&c);
        if (begun && !w->depth && !c.open_count) {
            unit->end = w->pc;
            return true;
        }
    }
    return false;
}
