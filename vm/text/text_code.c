// Chunks and instructions of the text form, and what the code needs of the limits.
#include "vm/text/text_assembler.h"

#include "resources/base/checked.h"
#include "vm/matrix/matrix.h"
#include "vm/ops.h"

#include <stdlib.h>
#include <string.h>

// ---- limits ----

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static void account(struct gv_assembler *a, unsigned pops, unsigned pushes)
{
    a->stack -= pops < a->stack ? pops : a->stack; // the verifier names an underflow
    a->stack += pushes;
    if (a->stack > a->computed.stack_cells)
        a->computed.stack_cells = (uint32_t)a->stack;
    a->computed.instructions = add(a->computed.instructions, a->repeat[a->nesting]);
}

void gv_asm_touch_volatile(struct gv_assembler *a, uint64_t address, uint64_t size)
{
    uint64_t end = add(address, size);
    if (end > a->volatile_used)
        a->volatile_used = end;
}

// Of the addresses pushed last one that is written to or read from.
static void touch_pushed(struct gv_assembler *a, size_t which, uint64_t size)
{
    if (a->pushed[which])
        gv_asm_touch_volatile(a, a->pushed[which] - 1, size);
}

// ---- emitting ----

void gv_asm_op(struct gv_assembler *a, uint8_t op)
{
    if (gv_op_infos[op].pushes && !gv_op_infos[op].pops) {
        a->pushed[2] = a->pushed[1];
        a->pushed[1] = a->pushed[0];
        a->pushed[0] = 0;
    }
    account(a, gv_op_infos[op].pops, gv_op_infos[op].pushes);
    gv_bytes_u8(&a->code, op);
}

void gv_asm_op_uleb(struct gv_assembler *a, uint8_t op, uint64_t operand)
{
    gv_asm_op(a, op);
    gv_bytes_uleb(&a->code, operand);
    if (op != GV_OP_VOLATILE)
        return;
    a->pushed[0] = operand + 1;
    gv_asm_touch_volatile(a, operand, 8);
}

void gv_asm_push(struct gv_assembler *a, uint64_t value)
{
    if (value < 128) {
        account(a, 0, 1);
        gv_bytes_u8(&a->code, (uint8_t)(GV_OP_PUSH_0 + value));
        return;
    }
    gv_asm_op(a, GV_OP_PUSH);
    gv_bytes_sleb(&a->code, (int64_t)value);
}

void gv_asm_push_f32(struct gv_assembler *a, uint32_t bits)
{
    gv_asm_op(a, GV_OP_PUSH_F32);
    gv_bytes_u32(&a->code, bits);
}

static void use(struct gv_assembler *a, uint32_t resource)
{
    a->next_resource = resource + 1;
    a->resource_named = true;
    a->uses++;
    if (!a->exact)
        gv_writer_use(a->writer, resource);
}

void gv_asm_resource(struct gv_assembler *a, uint8_t op, uint32_t resource)
{
    // A chunk states where its RES_NEXT starts, so its first resource always follows.
    if (!a->resource_named && !a->exact)
        a->chunk_resource = a->next_resource = resource;
    bool next = resource == a->next_resource;
    use(a, resource);
    if (next)
        gv_asm_op(a, op == GV_OP_RES ? GV_OP_RES_NEXT : GV_OP_FETCH_NEXT);
    else
        gv_asm_op_uleb(a, op, resource);
}

void gv_asm_call(struct gv_assembler *a, enum gv_call call)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    uint32_t import = gv_writer_import(a->writer, call);
    account(a, info->arg_count, info->result != GV_KIND_NONE);
    if (import < GV_OP_PUSH_0 - GV_OP_CALL_0) {
        gv_bytes_u8(&a->code, (uint8_t)(GV_OP_CALL_0 + import));
    } else {
        gv_bytes_u8(&a->code, GV_OP_CALL);
        gv_bytes_uleb(&a->code, import);
    }
    uint64_t times = a->repeat[a->nesting];
    if (info->result != GV_KIND_NONE)
        a->objects = add(a->objects, times);
    else if (info->arg_count && info->args[0].role == GV_ROLE_DESTROY)
        a->objects -= times < a->objects ? times : a->objects;
    if (a->objects > a->computed.objects)
        a->computed.objects =
            a->objects < UINT32_MAX ? (uint32_t)a->objects : UINT32_MAX;
}

// ---- chunks and frames ----

bool gv_asm_open_chunk(struct gv_assembler *a)
{
    if (a->chunk_open)
        return true;
    if (a->exact)
        return GV_TEXT_FAIL(a, "exact text has code behind .chunk alone");
    a->chunk_open = true;
    a->chunk_command = a->command;
    a->resource_named = false;
    a->chunk_resource = a->next_resource = 0;
    return true;
}

static bool find_label(const struct gv_assembler *a, const struct gv_token *target,
                       size_t *at)
{
    for (size_t i = 0; i < a->label_count; i++)
        if (strcmp(a->labels[i].name, target->text) == 0) {
            *at = a->labels[i].at;
            return true;
        }
    return gv_token_fail(target, a->err, "no label \"%s\" in this chunk", target->text);
}

// Puts the operand of a skip in its place. Skips are resolved from the last to the
// first, so that all operands inside the skipped code have their final length.
static bool resolve_skip(struct gv_assembler *a, const struct gv_skip *skip)
{
    size_t target = 0, from = skip->at + 1;
    struct gv_bytes operand = { 0 };
    if (!find_label(a, &skip->target, &target))
        return false;
    if (target < from)
        return gv_token_fail(&skip->target, a->err, "label \"%s\" is not ahead",
                             skip->target.text);
    gv_bytes_uleb(&operand, target - from);
    size_t n = operand.size, tail = a->code.size - from;
    if (!operand.failed && gv_bytes_grow(&a->code, n)) {
        memmove(a->code.data + from + n, a->code.data + from, tail);
        memcpy(a->code.data + from, operand.data, n);
    }
    for (size_t i = 0; i < a->label_count; i++)
        if (a->labels[i].at >= from)
            a->labels[i].at += n;
    gv_bytes_finish(&operand);
    return true;
}

bool gv_asm_close_chunk(struct gv_assembler *a)
{
    if (!a->chunk_open)
        return true;
    for (; a->skip_count; a->skip_count--)
        if (!resolve_skip(a, &a->skips[a->skip_count - 1]))
            return false;
    if (!a->exact && !a->ended)
        gv_asm_op(a, GV_OP_END);
    if (a->code.failed)
        return gv_out_of_memory(a->err);
    if (a->code.size == 0)
        return GV_TEXT_FAIL(a, "a chunk without code");
    if (a->in_keyframe) {
        a->keyframe.code = a->code.data;
        a->keyframe.size = (uint32_t)a->code.size;
        gv_writer_keyframe(a->writer, &a->keyframe);
    } else {
        gv_writer_chunk(a->writer, a->code.data, a->code.size, a->chunk_command,
                        a->chunk_resource);
        a->chunk_count++;
    }
    a->in_keyframe = false;
    a->code.size = 0;
    a->label_count = 0;
    a->nesting = 0;
    a->stack = 0;
    a->chunk_open = a->ended = false;
    return true;
}

bool gv_asm_end_frame(struct gv_assembler *a)
{
    if (a->exact || a->nesting)
        return true;
    if (!gv_asm_close_chunk(a))
        return false;
    const struct gv_frame frame = {
        .chunk_begin = a->frame_chunk,
        .chunk_end = a->chunk_count,
        .command_begin = a->frame_command,
        .command_end = a->next_command,
        .width = a->frame_width,
        .height = a->frame_height,
        .schedule = a->frame_schedule,
    };
    gv_writer_frame(a->writer, &frame);
    a->frame_chunk = a->chunk_count;
    a->frame_command = a->next_command;
    a->frame_schedule = a->uses;
    a->frame_width = a->frame_height = 0;
    return true;
}

// ---- instructions ----

bool gv_asm_find_slot(const struct gv_assembler *a, const char *name, uint64_t *slot)
{
    struct gv_number_text number;
    const struct gv_symbol *symbol = gv_asm_find(a, name);
    if (symbol && symbol->kind == GV_SYMBOL_SLOT) {
        *slot = symbol->value;
        return true;
    }
    if (name[0] != 's' || !gv_number_parse(name + 1, &number) || number.is_float ||
        (!a->exact && number.integer >= a->numbered_slots))
        return false;
    *slot = number.integer;
    return true;
}

bool gv_asm_slot(struct gv_assembler *a, uint64_t *slot)
{
    const struct gv_token token = a->lex.token;
    *slot = 0;
    if (!gv_asm_take_word(a, "a slot"))
        return false;
    return gv_asm_find_slot(a, token.text, slot) ||
           gv_token_fail(&token, a->err, "no slot \"%s\"", token.text);
}

// A number, or a name of the kind with an optional `+N`.
static bool operand_or_name(struct gv_assembler *a, enum gv_symbol_kind kind,
                            uint64_t *value)
{
    const struct gv_symbol *symbol =
        gv_asm_is_word(a, NULL) ? gv_asm_find(a, a->lex.token.text) : NULL;
    if (!symbol || symbol->kind != kind)
        return gv_asm_integer(a, value);
    *value = symbol->value;
    if (!gv_asm_next(a))
        return false;
    uint64_t more = 0;
    if (gv_asm_is_mark(a, '+') && !gv_asm_integer(a, &more))
        return false;
    *value += more;
    return true;
}

static bool name_resource(struct gv_assembler *a, uint8_t op)
{
    uint64_t index;
    if (!operand_or_name(a, GV_SYMBOL_RESOURCE, &index))
        return false;
    if (index > UINT32_MAX - 1)
        return GV_TEXT_FAIL(a, "no such resource");
    use(a, (uint32_t)index);
    gv_asm_op_uleb(a, op, index);
    return true;
}

static void fetch_effect(struct gv_assembler *a)
{
    uint64_t size;
    if (gv_asm_resource_size(a, a->next_resource - (uint64_t)1, &size))
        touch_pushed(a, 0, size);
}

static bool next_resource(struct gv_assembler *a, uint8_t op)
{
    if (a->next_resource == UINT32_MAX)
        return GV_TEXT_FAIL(a, "no next resource");
    use(a, a->next_resource);
    gv_asm_op(a, op);
    return true;
}

// The marker of a command. A chunk states the command it starts with, so that one that
// begins it needs no instruction.
static bool command(struct gv_assembler *a)
{
    const struct gv_token token = a->lex.token;
    uint64_t number = a->exact ? a->command + 1 : a->next_command;
    if (!gv_asm_at_end(a) && !gv_asm_integer(a, &number))
        return false;
    if (number < (a->exact ? a->command + 1 : a->next_command) ||
        number >= UINT64_MAX - 1)
        return gv_token_fail(&token, a->err, "command numbers ascend");
    uint64_t by = number - a->command;
    if (!a->exact && a->code.size == 0)
        a->chunk_command = number;
    else if (by == 1)
        gv_asm_op(a, GV_OP_CMD_NEXT);
    else if (by)
        gv_asm_op_uleb(a, GV_OP_CMD, by);
    a->command = number;
    a->next_command = number + 1;
    return true;
}

static bool loop(struct gv_assembler *a)
{
    uint64_t count;
    if (!gv_asm_integer(a, &count))
        return false;
    if (a->nesting + 1 >= GV_TEXT_MAX_NESTING)
        return GV_TEXT_FAIL(a, "loops are nested too deep");
    gv_asm_op_uleb(a, GV_OP_LOOP, count);
    a->repeat[a->nesting + 1] = multiply(a->repeat[a->nesting], count);
    a->nesting++;
    return true;
}

static bool skip(struct gv_assembler *a)
{
    const struct gv_token token = a->lex.token;
    struct gv_number_text number;
    uint64_t bytes;
    if (gv_number_parse(token.text, &number)) {
        if (!gv_asm_integer(a, &bytes))
            return false;
        gv_asm_op_uleb(a, GV_OP_SKIP_ZERO, bytes);
        return true;
    }
    if (!gv_asm_take_word(a, "a label"))
        return false;
    if (a->skip_count == GV_TEXT_MAX_LABELS)
        return gv_token_fail(&token, a->err, "too many skips in a chunk");
    a->skips[a->skip_count++] = (struct gv_skip){ a->code.size, token };
    gv_asm_op(a, GV_OP_SKIP_ZERO);
    return true;
}

static bool raw_call(struct gv_assembler *a)
{
    const struct gv_token token = a->lex.token;
    if (!gv_asm_take_word(a, "a call"))
        return false;
    int call = gv_call_find(token.text);
    if (call < 0)
        return gv_token_fail(&token, a->err, "no call \"%s\"", token.text);
    gv_asm_call(a, (enum gv_call)call);
    return call != GV_CALL_frame_end || gv_asm_end_frame(a);
}

// What an instruction on memory touches.
static void memory_effect(struct gv_assembler *a, uint8_t op, uint64_t operand)
{
    uint64_t all = 0;
    if (op == GV_OP_COPY) {
        touch_pushed(a, 0, operand);
        touch_pushed(a, 1, operand);
    } else if (op == GV_OP_PRODUCT) {
        // What wraps is no address: the verifier says so.
        touch_pushed(a, 0, gv_mul_u64(operand, GV_MATRIX_BYTES, &all) ? all : 0);
        touch_pushed(a, 1, GV_MATRIX_BYTES);
        touch_pushed(a, 2, GV_MATRIX_BYTES);
    } else if (op == GV_OP_INVERSE) {
        touch_pushed(a, 0, GV_MATRIX_BYTES);
        touch_pushed(a, 1, operand <= 4 ? operand * GV_MATRIX_COLUMN_BYTES : 0);
    }
}

static bool with_operand(struct gv_assembler *a, uint8_t op)
{
    uint64_t value = 0;
    uint32_t bits = 0;
    switch ((enum gv_operand)gv_op_infos[op].operand) {
    case GV_OPERAND_NONE:
        gv_asm_op(a, op);
        if (op == GV_OP_LOOP_END && a->nesting)
            a->nesting--;
        a->ended = op == GV_OP_END;
        return true;
    case GV_OPERAND_F32:
        if (!gv_asm_f32_bits(a, &bits))
            return false;
        gv_asm_push_f32(a, bits);
        return true;
    case GV_OPERAND_SLEB:
        if (!gv_asm_integer(a, &value))
            return false;
        gv_asm_op(a, op);
        gv_bytes_sleb(&a->code, (int64_t)value);
        return true;
    case GV_OPERAND_ULEB:
        if (!gv_asm_integer(a, &value))
            return false;
        gv_asm_op_uleb(a, op, value);
        memory_effect(a, op, value);
        return true;
    }
    return false;
}

static bool addressed(struct gv_assembler *a, uint8_t op)
{
    uint64_t value;
    if (!operand_or_name(a, op == GV_OP_CONST ? GV_SYMBOL_CONSTANT : GV_SYMBOL_VOLATILE,
                         &value))
        return false;
    gv_asm_op_uleb(a, op, value);
    return true;
}

static bool slotted(struct gv_assembler *a, uint8_t op)
{
    uint64_t slot;
    if (!gv_asm_slot(a, &slot))
        return false;
    gv_asm_op_uleb(a, op, slot);
    return true;
}

static bool pushed(struct gv_assembler *a)
{
    uint64_t value = 0;
    if (!gv_asm_integer(a, &value))
        return false;
    gv_asm_push(a, value);
    return true;
}

static bool perform(struct gv_assembler *a, uint8_t op)
{
    switch (op) {
    case GV_OP_PUSH:
        return pushed(a);
    case GV_OP_CONST:
    case GV_OP_VOLATILE:
        return addressed(a, op);
    case GV_OP_LOAD_SLOT:
    case GV_OP_STORE_SLOT:
        return slotted(a, op);
    case GV_OP_RES:
        return name_resource(a, op);
    case GV_OP_FETCH:
        if (!name_resource(a, op))
            return false;
        fetch_effect(a);
        return true;
    case GV_OP_RES_NEXT:
        return next_resource(a, op);
    case GV_OP_FETCH_NEXT:
        if (!next_resource(a, op))
            return false;
        fetch_effect(a);
        return true;
    case GV_OP_LOOP:
        return loop(a);
    case GV_OP_SKIP_ZERO:
        return skip(a);
    case GV_OP_CALL:
        return raw_call(a);
    default:
        return with_operand(a, op);
    }
}

static bool same_word(const char *lower, const char *upper)
{
    for (; *lower && *upper; lower++, upper++)
        if ((*lower >= 'a' && *lower <= 'z' ? *lower - 'a' + 'A' : *lower) != *upper)
            return false;
    return *lower == *upper;
}

bool gv_asm_instruction(struct gv_assembler *a, const struct gv_token *mnemonic)
{
    if (!gv_asm_open_chunk(a))
        return false;
    a->ended = false;
    if (strcmp(mnemonic->text, "command") == 0)
        return command(a);
    for (unsigned op = 0; op < 256; op++) {
        if (!gv_op_infos[op].name || op == GV_OP_CMD || op == GV_OP_CMD_NEXT ||
            !same_word(mnemonic->text, gv_op_infos[op].name))
            continue;
        if (!perform(a, (uint8_t)op))
            return false;
        return a->exact || !a->ended || gv_asm_close_chunk(a);
    }
    return gv_token_fail(mnemonic, a->err,
                         "\"%s\" is no call, instruction or directive", mnemonic->text);
}
