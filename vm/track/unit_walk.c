#include "vm/track/unit_walk.h"

#include "vm/matrix/matrix.h"

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

static size_t addresses(uint8_t kind)
{
    return kind == GV_UNIT_PRODUCT                           ? 3
           : kind == GV_UNIT_COPY || kind == GV_UNIT_INVERSE ? 2
                                                             : 1;
}

size_t gv_unit_addresses(const struct gv_unit_op *op)
{
    return addresses(op->kind);
}

uint64_t gv_unit_touched(const struct gv_unit_op *op, size_t address)
{
    if (op->kind == GV_UNIT_PRODUCT)
        return address == 2 ? op->size : GV_MATRIX_BYTES;
    return op->kind == GV_UNIT_INVERSE && address == 1 ? GV_MATRIX_BYTES : op->size;
}

static void memory_op(struct cutter *c, uint8_t kind, uint64_t size)
{
    struct gv_unit_op *op = pop_op(c, kind, addresses(kind));
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

static void arithmetic(struct gv_unit_walk *w, uint8_t op)
{
    struct gv_unit_cell *a = &w->stack[w->depth - 2];
    const struct gv_unit_cell *b = &w->stack[--w->depth];
    if (a->type == GV_UNIT_KNOWN && b->type == GV_UNIT_KNOWN)
        a->value = gv_fold(op, a->value, b->value);
    else
        a->type = GV_UNIT_UNKNOWN;
}

static void open_control(struct cutter *c, uint32_t target)
{
    c->unit->control = true;
    c->open[c->open_count++] = target;
}

// What does something besides pushing and popping.
static void act(struct cutter *c, const struct gv_instruction *in)
{
    uint32_t number = (uint32_t)in->operand;
    switch (in->form) {
    case GV_FORM_STORE_SLOT:
        store_slot(c, number);
        break;
    case GV_FORM_FETCH:
        fetch(c, number);
        break;
    case GV_FORM_COPY:
        memory_op(c, GV_UNIT_COPY, in->operand);
        break;
    case GV_FORM_PRODUCT:
        memory_op(c, GV_UNIT_PRODUCT, in->operand * GV_MATRIX_BYTES);
        break;
    case GV_FORM_INVERSE:
        memory_op(c, GV_UNIT_INVERSE, in->operand * GV_MATRIX_COLUMN_BYTES);
        break;
    case GV_FORM_LOAD:
        memory_op(c, GV_UNIT_LOAD, in->operand);
        push(c->walk, GV_UNIT_UNKNOWN, 0, 0);
        break;
    case GV_FORM_STORE:
        memory_op(c, GV_UNIT_STORE, in->operand);
        c->walk->depth--; // the value
        break;
    case GV_FORM_LOOP:
        open_control(c, UINT32_MAX);
        break;
    case GV_FORM_LOOP_END:
        c->open_count--;
        break;
    case GV_FORM_SKIP:
        c->walk->depth--;
        c->unit->skips = true;
        open_control(c, c->walk->pc + number);
        break;
    case GV_FORM_CALL:
        call(c, in->operand);
        break;
    default:
        break;
    }
}

static void add_immediate(struct cutter *c, uint64_t immediate)
{
    struct gv_unit_cell *top = &c->walk->stack[c->walk->depth - 1];
    c->unit->moved_constant |= top->type == GV_UNIT_CONST;
    top->value += immediate;
}

static void duplicate(struct gv_unit_walk *w)
{
    w->stack[w->depth] = w->stack[w->depth - 1];
    w->depth++;
}

static void step(struct cutter *c, const struct gv_instruction *in)
{
    struct gv_unit_walk *w = c->walk;
    uint32_t number = (uint32_t)in->operand;
    switch ((enum gv_form)in->form) {
    case GV_FORM_NONE:
    case GV_FORM_END:
        break;
    case GV_FORM_COMMAND:
        w->command += in->operand;
        break;
    case GV_FORM_PUSH:
        push(w, GV_UNIT_KNOWN, 0, in->operand);
        break;
    case GV_FORM_CONST:
        push(w, GV_UNIT_CONST, 0, in->operand);
        break;
    case GV_FORM_VOLATILE:
        push(w, GV_UNIT_VOLATILE, 0, in->operand);
        break;
    case GV_FORM_MEETS:
        push(w, GV_UNIT_UNKNOWN, 0, 0);
        break;
    case GV_FORM_RESOURCE:
        resource(w, number);
        break;
    case GV_FORM_LOAD_SLOT:
        load_slot(w, number);
        break;
    case GV_FORM_ADD_IMM:
        add_immediate(c, in->operand);
        break;
    case GV_FORM_BINARY:
        arithmetic(w, in->op);
        break;
    case GV_FORM_DUP:
        duplicate(w);
        break;
    case GV_FORM_DROP:
        w->depth--;
        break;
    case GV_FORM_STORE_SLOT:
    case GV_FORM_FETCH:
    case GV_FORM_COPY:
    case GV_FORM_PRODUCT:
    case GV_FORM_INVERSE:
    case GV_FORM_LOAD:
    case GV_FORM_STORE:
    case GV_FORM_LOOP:
    case GV_FORM_LOOP_END:
    case GV_FORM_SKIP:
    case GV_FORM_CALL:
        act(c, in);
        break;
    }
}

static void land(struct cutter *c)
{
    while (c->open_count && c->open[c->open_count - 1] == c->walk->pc)
        c->open_count--;
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
        size_t n = gv_decode_step(w->code + at, w->size - at, w->next_resource, &in);
        if (!n || in.form == GV_FORM_END)
            return false;
        if (!begun && in.form != GV_FORM_COMMAND) {
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
