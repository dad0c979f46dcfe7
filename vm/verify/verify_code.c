// The rules over code: one pass over a chunk with an abstract stack.
#include <inttypes.h>

#include "resources/base/checked.h"
#include "vm/matrix/matrix.h"
#include "vm/verify/verify_internal.h"

#define REFUSE(rule, ...) gv_verify_refuse_at(v, GV_RULE_##rule, __VA_ARGS__)

static const struct cell unknown = { .type = CELL_UNKNOWN };

static bool is_integer(const struct cell *c)
{
    return c->type == CELL_UNKNOWN || c->type == CELL_KNOWN;
}

static bool is_address(const struct cell *c)
{
    return c->type >= CELL_CONST;
}

static uint64_t space_bytes(const struct verifier *v, const struct cell *c)
{
    const struct gv_payload *p = v->payload;
    switch ((enum cell_type)c->type) {
    case CELL_CONST:
        return p->constant_size;
    case CELL_VOLATILE:
        return p->limits.volatile_bytes;
    case CELL_MAPPED:
        return p->slots[c->index].map_size;
    case CELL_RESOURCE:
        return p->resources[c->index].size;
    case CELL_UNKNOWN:
    case CELL_KNOWN:
    case CELL_HANDLE:
    case CELL_RESULT:
        break;
    }
    return 0;
}

bool gv_verify_access(const struct verifier *v, const struct cell *address,
                      uint64_t size)
{
    return gv_range_inside(address->value, size, space_bytes(v, address));
}

static bool need(struct verifier *v, size_t cells)
{
    if (v->depth - v->floor >= cells)
        return true;
    if (v->depth < cells)
        return REFUSE(STACK_UNDERFLOW, "%zu cells wanted of %zu", cells, v->depth);
    return REFUSE(STACK_FLOOR, "%zu cells wanted, %zu pushed since the loop or skip",
                  cells, v->depth - v->floor);
}

static bool push(struct verifier *v, struct cell cell)
{
    if (v->depth >= v->stack_cells)
        return REFUSE(STACK_OVERFLOW, "more than %" PRIu32 " cells", v->stack_cells);
    v->stack[v->depth++] = cell;
    if (v->depth > v->max_depth)
        v->max_depth = v->depth;
    return true;
}

// The instructions since the last call of this, counted as often as they run.
static bool count_executed(struct verifier *v)
{
    uint64_t run = 0;
    if (!gv_mul_u64(v->pending, v->multiplier, &run) ||
        !gv_add_u64(v->executed, run, &v->executed) ||
        v->executed > v->payload->limits.instructions)
        return REFUSE(LIMIT_INSTRUCTIONS, "more than the %" PRIu64 " declared",
                      v->payload->limits.instructions);
    v->instructions += v->pending; // each is a byte at least: no overflow
    v->pending = 0;
    return true;
}

// ---- state ----

static bool advance_command(struct verifier *v, uint64_t by)
{
    if (by >= GV_NO_COMMAND - v->command)
        return REFUSE(COMMAND, "the command number passes 64 bits");
    v->command += by;
    if (v->first_command == GV_NO_COMMAND)
        v->first_command = v->command;
    return true;
}

static bool use_resource(struct verifier *v, uint64_t index)
{
    const struct gv_payload *p = v->payload;
    if (index >= p->resource_count)
        return REFUSE(RESOURCE_INDEX, "resource %" PRIu64 " of %zu", index,
                      p->resource_count);
    if (!v->keyframe && (v->uses >= p->schedule_count || p->schedule[v->uses] != index))
        return REFUSE(SCHEDULE, "use %zu is not of resource %" PRIu64, v->uses, index);
    v->uses++;
    v->next_resource = index + 1;
    return true;
}

static bool push_resource(struct verifier *v, uint64_t index)
{
    return use_resource(v, index) &&
           push(v, (struct cell){ .type = CELL_RESOURCE, .index = (uint32_t)index });
}

static bool push_address(struct verifier *v, enum cell_type space, uint64_t offset)
{
    struct cell cell = { .type = (uint8_t)space, .value = offset };
    if (offset > space_bytes(v, &cell)) {
        if (space == CELL_CONST)
            return REFUSE(CONSTANT_RANGE, "address %" PRIu64 " of %zu", offset,
                          v->payload->constant_size);
        return REFUSE(VOLATILE_RANGE, "address %" PRIu64 " of %" PRIu64, offset,
                      v->payload->limits.volatile_bytes);
    }
    return push(v, cell);
}

static bool meets(struct verifier *v, uint64_t requirement)
{
    if (requirement >= v->payload->requirement_count)
        return REFUSE(REQUIREMENT_INDEX, "requirement %" PRIu64 " of %zu", requirement,
                      v->payload->requirement_count);
    return push(v, unknown);
}

// ---- slots ----

static bool check_slot(struct verifier *v, uint64_t slot)
{
    if (slot < v->payload->slot_count)
        return true;
    return REFUSE(SLOT_INDEX, "slot %" PRIu64 " of %zu", slot, v->payload->slot_count);
}

static bool load_slot(struct verifier *v, uint64_t slot)
{
    if (!check_slot(v, slot))
        return false;
    struct cell cell = {
        .type = CELL_HANDLE,
        .kind = v->payload->slots[slot].kind,
        .index = (uint32_t)slot,
    };
    if (cell.kind == GV_KIND_MAP)
        cell.type = CELL_MAPPED;
    return push(v, cell);
}

static bool store_slot(struct verifier *v, uint64_t slot)
{
    if (!check_slot(v, slot) || !need(v, 1))
        return false;
    const struct gv_slot_info *info = &v->payload->slots[slot];
    const struct cell *c = &v->stack[--v->depth];
    if (c->type != CELL_RESULT || c->kind != info->kind)
        return REFUSE(SLOT_STORE, "slot %" PRIu64 " takes a fresh object of kind %u",
                      slot, info->kind);
    if (c->kind == GV_KIND_MAP && c->value != info->map_size)
        return REFUSE(MAP_SIZE, "slot %" PRIu64 " maps %" PRIu64 " bytes, not %" PRIu64,
                      slot, info->map_size, c->value);
    gv_verify_note_store(v, slot, c);
    return true;
}

// ---- memory ----

static bool check_access(struct verifier *v, const struct cell *c, uint64_t size)
{
    if (!is_address(c))
        return REFUSE(TYPE_ADDRESS, "not an address");
    if (!gv_verify_access(v, c, size))
        return REFUSE(ADDRESS_RANGE, "%" PRIu64 " bytes at %" PRIu64 " of %" PRIu64,
                      size, c->value, space_bytes(v, c));
    return true;
}

static bool check_write(struct verifier *v, const struct cell *c, uint64_t size)
{
    if (!check_access(v, c, size))
        return false;
    if (c->type != CELL_VOLATILE && c->type != CELL_MAPPED)
        return REFUSE(ADDRESS_READ_ONLY, "neither volatile nor mapped memory");
    return true;
}

static bool fetch(struct verifier *v, uint64_t resource)
{
    if (!use_resource(v, resource) || !need(v, 1))
        return false;
    return check_write(v, &v->stack[--v->depth], v->payload->resources[resource].size);
}

static bool copy(struct verifier *v, uint64_t size)
{
    if (!need(v, 2))
        return false;
    v->depth -= 2;
    return check_access(v, &v->stack[v->depth + 1], size) &&
           check_write(v, &v->stack[v->depth], size);
}

static bool product(struct verifier *v, uint64_t factors)
{
    uint64_t bytes = 0;
    if (!need(v, 3))
        return false;
    v->depth -= 3;
    const struct cell *c = &v->stack[v->depth];
    if (!gv_mul_u64(factors, GV_MATRIX_BYTES, &bytes))
        return REFUSE(ADDRESS_RANGE, "%" PRIu64 " matrices", factors);
    return check_access(v, c + 2, bytes) && check_access(v, c + 1, GV_MATRIX_BYTES) &&
           check_write(v, c, GV_MATRIX_BYTES);
}

static bool inverse(struct verifier *v, uint64_t columns)
{
    if (!need(v, 2))
        return false;
    v->depth -= 2;
    if (columns < 1 || columns > 4)
        return REFUSE(MATRIX_COLUMNS, "%" PRIu64 " columns", columns);
    const struct cell *c = &v->stack[v->depth];
    return check_access(v, c + 1, GV_MATRIX_BYTES) &&
           check_write(v, c, columns * GV_MATRIX_COLUMN_BYTES);
}

static bool load(struct verifier *v, uint64_t width)
{
    if (!need(v, 1) || !check_access(v, &v->stack[v->depth - 1], width))
        return false;
    v->stack[v->depth - 1] = unknown;
    return true;
}

static bool store(struct verifier *v, uint64_t width)
{
    if (!need(v, 2))
        return false;
    v->depth -= 2;
    if (!is_integer(&v->stack[v->depth]))
        return REFUSE(TYPE_INTEGER, "an address or handle cannot be stored");
    return check_write(v, &v->stack[v->depth + 1], width);
}

// ---- arithmetic ----

static bool add_immediate(struct verifier *v, uint64_t immediate)
{
    if (!need(v, 1))
        return false;
    struct cell *c = &v->stack[v->depth - 1];
    if (!is_integer(c) && !is_address(c))
        return REFUSE(TYPE_INTEGER, "a handle has no successor");
    c->value += immediate; // modulo 2^64; of an unknown integer it says nothing
    if (is_address(c) && c->value > space_bytes(v, c))
        return REFUSE(ADDRESS_RANGE, "the sum leaves its space of %" PRIu64 " bytes",
                      space_bytes(v, c));
    return true;
}

static bool arithmetic(struct verifier *v, uint8_t op)
{
    if (!need(v, 2))
        return false;
    v->depth--;
    struct cell *a = &v->stack[v->depth - 1];
    const struct cell *b = &v->stack[v->depth];
    if (is_address(a) || is_address(b))
        return REFUSE(ADDRESS_UNKNOWN, "arithmetic on an address");
    if (!is_integer(a) || !is_integer(b))
        return REFUSE(TYPE_INTEGER, "arithmetic on a handle");
    if (a->type == CELL_KNOWN && b->type == CELL_KNOWN)
        a->value = gv_fold(op, a->value, b->value);
    else
        *a = unknown;
    return true;
}

static bool duplicate(struct verifier *v)
{
    return need(v, 1) && push(v, v->stack[v->depth - 1]);
}

static bool drop(struct verifier *v)
{
    if (!need(v, 1))
        return false;
    v->depth--;
    return true;
}

// ---- control ----

static bool open_control(struct verifier *v, size_t target)
{
    if (v->control_depth == GV_MAX_NESTING)
        return REFUSE(NESTING, "more than %d deep", GV_MAX_NESTING);
    v->control[v->control_depth++] = (struct control){
        .target = target,
        .depth = v->depth,
        .floor = v->floor,
        .command = v->command,
        .next_resource = v->next_resource,
        .multiplier = v->multiplier,
        .serial = ++v->controls,
    };
    v->floor = v->depth;
    v->landing = target;
    return true;
}

// Leaves the innermost loop or skip; false (not yet refused) if its state has changed.
static bool close_control(struct verifier *v)
{
    const struct control *c = &v->control[--v->control_depth];
    v->floor = c->floor;
    v->multiplier = c->multiplier;
    v->landing = v->control_depth ? v->control[v->control_depth - 1].target : SIZE_MAX;
    return v->depth == c->depth && v->command == c->command &&
           v->next_resource == c->next_resource;
}

static bool begin_loop(struct verifier *v, uint64_t count)
{
    if (count == 0 || count > GV_MAX_LOOP_COUNT)
        return REFUSE(LOOP_COUNT, "%" PRIu64 " times", count);
    if (!count_executed(v) || !open_control(v, SIZE_MAX))
        return false;
    if (!gv_mul_u64(v->multiplier, count, &v->multiplier))
        return REFUSE(LIMIT_INSTRUCTIONS, "loops run over 2^64 times");
    return true;
}

static bool end_loop(struct verifier *v)
{
    if (!v->control_depth || v->control[v->control_depth - 1].target != SIZE_MAX)
        return REFUSE(LOOP_END, "no loop to end here");
    if (!count_executed(v))
        return false;
    if (!close_control(v))
        return REFUSE(LOOP_STATE, "an iteration changes the state");
    return true;
}

static bool begin_skip(struct verifier *v, uint64_t bytes)
{
    if (!need(v, 1))
        return false;
    if (!is_integer(&v->stack[v->depth - 1]))
        return REFUSE(TYPE_INTEGER, "a skip tests an integer");
    v->depth--;
    if (bytes >= v->size - v->pc || v->pc + bytes > v->landing)
        return REFUSE(SKIP_TARGET, "over %" PRIu64 " bytes", bytes);
    return open_control(v, v->pc + (size_t)bytes);
}

// Ends the skips that land at the instruction at hand.
static bool land(struct verifier *v)
{
    while (v->at >= v->landing) {
        if (v->at > v->landing)
            return REFUSE(SKIP_TARGET, "it lands inside an instruction or a loop");
        if (!close_control(v))
            return REFUSE(SKIP_STATE, "what is skipped changes the state");
    }
    return true;
}

static bool end_chunk(struct verifier *v)
{
    if (v->pc != v->size)
        return REFUSE(CHUNK_END, "%zu bytes follow END", v->size - v->pc);
    if (v->control_depth)
        return REFUSE(CHUNK_OPEN, "%zu loops or skips are open", v->control_depth);
    if (v->depth)
        return REFUSE(CHUNK_STACK, "%zu cells are left", v->depth);
    return count_executed(v);
}

// ---- the pass ----

static bool refuse_decode(struct verifier *v, const struct gv_instruction *in)
{
    switch ((enum gv_decode_fault)in->fault) {
    case GV_DECODE_UNKNOWN:
        return REFUSE(OPCODE, "0x%02x is none", in->op);
    case GV_DECODE_CUT:
        return REFUSE(OPERAND_CUT, "of opcode 0x%02x", in->op);
    case GV_DECODE_PADDED:
        return REFUSE(OPERAND_PADDED, "of opcode 0x%02x", in->op);
    case GV_DECODE_FAMILY:
        return REFUSE(OPERAND_FAMILY, "of opcode 0x%02x", in->op);
    }
    return false;
}

static bool step(struct verifier *v, const struct gv_instruction *in)
{
    switch ((enum gv_form)in->form) {
    case GV_FORM_NONE: // the decoder knows none of it
        break;
    case GV_FORM_END:
        return end_chunk(v);
    case GV_FORM_COMMAND:
        return advance_command(v, in->operand);
    case GV_FORM_PUSH:
        return push(v, (struct cell){ .type = CELL_KNOWN, .value = in->operand });
    case GV_FORM_CONST:
        return push_address(v, CELL_CONST, in->operand);
    case GV_FORM_VOLATILE:
        return push_address(v, CELL_VOLATILE, in->operand);
    case GV_FORM_RESOURCE:
        return push_resource(v, in->operand);
    case GV_FORM_LOAD_SLOT:
        return load_slot(v, in->operand);
    case GV_FORM_STORE_SLOT:
        return store_slot(v, in->operand);
    case GV_FORM_FETCH:
        return fetch(v, in->operand);
    case GV_FORM_COPY:
        return copy(v, in->operand);
    case GV_FORM_ADD_IMM:
        return add_immediate(v, in->operand);
    case GV_FORM_LOAD:
        return load(v, in->operand);
    case GV_FORM_STORE:
        return store(v, in->operand);
    case GV_FORM_BINARY:
        return arithmetic(v, in->op);
    case GV_FORM_DUP:
        return duplicate(v);
    case GV_FORM_DROP:
        return drop(v);
    case GV_FORM_LOOP:
        return begin_loop(v, in->operand);
    case GV_FORM_LOOP_END:
        return end_loop(v);
    case GV_FORM_SKIP:
        return begin_skip(v, in->operand);
    case GV_FORM_CALL:
        return gv_verify_call(v, in->operand);
    case GV_FORM_MEETS:
        return meets(v, in->operand);
    case GV_FORM_PRODUCT:
        return product(v, in->operand);
    case GV_FORM_INVERSE:
        return inverse(v, in->operand);
    }
    return REFUSE(OPCODE, "0x%02x is none", in->op);
}

static void begin(struct verifier *v, const uint8_t *code, size_t size)
{
    v->code = code;
    v->size = size;
    v->pc = v->at = 0;
    v->depth = v->floor = v->control_depth = 0;
    v->landing = SIZE_MAX;
    v->first_command = GV_NO_COMMAND;
    v->multiplier = 1;
    v->pending = 0;
    v->frame_ends = 0;
}

static bool pass(struct verifier *v)
{
    struct gv_instruction in = { 0 };
    while (v->pc < v->size) {
        v->at = v->pc;
        if (v->at >= v->landing && !land(v))
            return false;
        size_t n =
            gv_decode_step(v->code + v->pc, v->size - v->pc, v->next_resource, &in);
        if (!n)
            return refuse_decode(v, &in);
        v->pc += n;
        v->pending++;
        if (!step(v, &in))
            return false;
    }
    return in.form == GV_FORM_END ||
           REFUSE(CHUNK_END, "the chunk does not end with END");
}

bool gv_verify_chunk(struct verifier *v, size_t index)
{
    const struct gv_chunk *chunk = &v->payload->chunks[index];
    if (chunk->first_command < v->command)
        return gv_verify_refuse_table(v, GV_ERR_FORMAT, GV_RULE_CHUNK_COMMAND,
                                      "chunk %zu goes back to command %" PRIu64, index,
                                      chunk->first_command);
    const uint8_t *code = gv_payload_chunk(v->payload, index, v->err);
    if (!code)
        return false;
    begin(v, code, chunk->size);
    v->code_offset = chunk->code_offset;
    v->stack_cells = v->payload->limits.stack_cells;
    v->command = chunk->first_command;
    v->next_resource = chunk->first_resource;
    return pass(v);
}

bool gv_verify_keyframe(struct verifier *v, const struct gv_keyframe *k)
{
    begin(v, k->code, k->size);
    v->code_offset = k->code_offset;
    v->stack_cells = k->stack_cells;
    v->command = v->payload->frames[k->frame].command_begin;
    v->next_resource = 0;
    v->max_depth = 0;
    v->keyframe = true;
    const uint64_t executed = v->executed, instructions = v->instructions;
    if (!pass(v))
        return false;
    v->executed = executed; // one keyframe runs, if any
    v->instructions = instructions;
    if (v->frame_ends)
        return REFUSE(KEYFRAME, "it calls frame_end");
    if (v->first_command != GV_NO_COMMAND)
        return REFUSE(KEYFRAME, "it begins a command");
    return v->max_depth == k->stack_cells ||
           REFUSE(KEYFRAME, "%" PRIu32 " cells declared, %zu needed", k->stack_cells,
                  v->max_depth);
}
