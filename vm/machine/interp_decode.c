// From bytecode to the interpreter's own words. Pushes of what is known already, with a
// call behind them, become one instruction that carries the arguments in place; what is
// not known yet (handles in slots, resources, maps) is listed as fixups of it.
#include <stdlib.h>
#include <string.h>

#include "vm/decode.h"
#include "vm/machine/interp_internal.h"

#define MAX_PENDING 64

// A push not yet written, since a call may swallow it.
struct pending {
    uint64_t value;        // the cell, or the slot
    uint32_t offset;       // of its instruction
    uint32_t instructions; // it stands for: ADD_IMM folds into it
    bool slot;             // LOAD_SLOT of a handle
};

struct translator {
    struct gv_vm *vm;
    size_t count;    // of words
    uint32_t offset; // of the instruction at hand
    uint64_t command;
    uint32_t next_resource;
    struct pending pending[MAX_PENDING];
    size_t pending_count;
    struct {
        size_t target; // code offset
        size_t word;   // that is to name the place
    } skips[GV_MAX_NESTING];
    size_t skip_count;
};

static void put(struct translator *t, union word word)
{
    t->vm->words[t->count++] = word;
}

static void put_number(struct translator *t, uint64_t number)
{
    put(t, (union word){ .u = number });
}

static void flush(struct translator *t, size_t keep)
{
    size_t n = t->pending_count - keep;
    for (size_t i = 0; i < n; i++) {
        const struct pending *p = &t->pending[i];
        if (p->slot) {
            put(t, gv_head(MICRO_LOAD_SLOT, (uint32_t)p->value, p->offset));
            continue;
        }
        put(t, gv_head(MICRO_PUSH, p->instructions - 1, p->offset));
        put_number(t, p->value);
    }
    for (size_t i = 0; i < keep; i++)
        t->pending[i] = t->pending[n + i];
    t->pending_count = keep;
}

static void push(struct translator *t, uint64_t value, bool slot)
{
    if (t->pending_count == MAX_PENDING)
        flush(t, 0);
    t->pending[t->pending_count++] = (struct pending){ value, t->offset, 1, slot };
}

static void simple(struct translator *t, enum micro op, uint32_t a)
{
    flush(t, 0);
    put(t, gv_head(op, a, t->offset));
}

static void with_number(struct translator *t, enum micro op, uint64_t number)
{
    simple(t, op, 0);
    put_number(t, number);
}

static void load_slot(struct translator *t, uint32_t slot)
{
    if (t->vm->payload->slots[slot].kind == GV_KIND_MAP)
        push(t, gv_address(SPACE_MAPPED, slot, 0), false);
    else
        push(t, slot, true);
}

static void push_resource(struct translator *t, uint32_t resource)
{
    push(t, gv_address(SPACE_RESOURCE, resource, 0), false);
    t->next_resource = resource + 1;
}

static void fetch(struct translator *t, uint32_t resource)
{
    simple(t, MICRO_FETCH, resource);
    t->next_resource = resource + 1;
}

static void add_immediate(struct translator *t, uint64_t value)
{
    if (!t->pending_count) {
        with_number(t, MICRO_ADD_IMM, value);
        return;
    }
    // No handle: the verifier lets nothing be added to one.
    struct pending *p = &t->pending[t->pending_count - 1];
    p->value += value;
    p->instructions++;
}

// One argument of a ready call: what is known now goes into `*arg`; returns the fixup
// for the rest, as its first word, or 0.
static uint64_t ready_argument(struct translator *t, const struct pending *p,
                               uint8_t pass, uint32_t index, union gv_arg *arg,
                               uint64_t *fixup_value)
{
    arg->u = *fixup_value = p->value;
    if (p->slot)
        return (uint64_t)index << 8 | FIXUP_SLOT << 1 | 1;
    if (pass == PASS_MAP) {
        *fixup_value = CELL_INDEX(p->value);
        return (uint64_t)index << 8 | FIXUP_SLOT << 1 | 1;
    }
    if (pass != PASS_BYTES)
        return 0;
    if (CELL_SPACE(p->value) == SPACE_MAPPED || CELL_SPACE(p->value) == SPACE_RESOURCE)
        return (uint64_t)index << 8 | FIXUP_ADDRESS << 1 | 1;
    arg->data = gv_vm_read(t->vm, p->value, NULL); // constant or volatile: cannot fail
    return 0;
}

static void ready_call(struct translator *t, uint32_t import)
{
    const struct callee *callee = &t->vm->callees[import];
    uint32_t count = callee->arg_count, fixups = 0, instructions = 1;
    flush(t, count);
    put(t, gv_head(MICRO_CALL_READY, import, t->offset));
    union word *counts = &t->vm->words[t->count++];
    union word *args = &t->vm->words[t->count];
    t->count += count + 1; // one spare: the argument structs have an `end_`
    args[count].u = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t value;
        uint64_t fixup =
            ready_argument(t, &t->pending[i], callee->pass[i], i, &args[i].arg, &value);
        instructions += t->pending[i].instructions;
        if (!fixup)
            continue;
        put_number(t, fixup);
        put_number(t, value);
        fixups++;
    }
    *counts = gv_counts(count, fixups, instructions);
    t->pending_count = 0;
}

static void call(struct translator *t, uint32_t import)
{
    if (t->vm->callees[import].arg_count <= t->pending_count)
        ready_call(t, import);
    else
        simple(t, MICRO_CALL, import);
}

// The device does not change while it runs: what it meets is a number.
static void meets(struct translator *t, uint32_t requirement)
{
    const struct gv_host *host = t->vm->host;
    push(t, host->meets && host->meets(host->context, requirement), false);
}

static void begin_skip(struct translator *t, size_t target)
{
    with_number(t, MICRO_SKIP_ZERO, 0);
    t->skips[t->skip_count].target = target;
    t->skips[t->skip_count++].word = t->count - 1;
}

static void land(struct translator *t)
{
    while (t->skip_count && t->skips[t->skip_count - 1].target == t->offset) {
        flush(t, 0);
        t->vm->words[t->skips[--t->skip_count].word].u = t->count;
    }
}

static void command(struct translator *t, uint64_t by)
{
    t->command += by;
    with_number(t, MICRO_COMMAND, t->command);
}

// The command at the start of a chunk, which no instruction names.
static void first_command(struct translator *t)
{
    put(t, gv_head(MICRO_COMMAND, 1, 0));
    put_number(t, t->command);
}

static void translate_rest(struct translator *t, const struct gv_instruction *in)
{
    switch (in->form) {
    case GV_FORM_STORE_SLOT:
        simple(t, MICRO_STORE_SLOT, (uint32_t)in->operand);
        break;
    case GV_FORM_FETCH:
        fetch(t, (uint32_t)in->operand);
        break;
    case GV_FORM_COPY:
        with_number(t, MICRO_COPY, in->operand);
        break;
    case GV_FORM_PRODUCT:
        with_number(t, MICRO_PRODUCT, in->operand);
        break;
    case GV_FORM_INVERSE:
        simple(t, MICRO_INVERSE, (uint32_t)in->operand);
        break;
    case GV_FORM_LOOP:
        with_number(t, MICRO_LOOP, in->operand);
        break;
    case GV_FORM_LOOP_END:
        simple(t, MICRO_LOOP_END, 0);
        break;
    default:
        simple(t, MICRO_END, 0);
        break;
    }
}

// What its own words have an instruction for, in the same order, without an operand.
#define SAME(op) (MICRO_LOAD8 + ((op)-GV_OP_LOAD8))
_Static_assert(SAME(GV_OP_STORE64) == MICRO_STORE64 && SAME(GV_OP_LESS) == MICRO_LESS &&
                   SAME(GV_OP_DROP) == MICRO_DROP,
               "ops.def and micro_ops.def go side by side from LOAD8 to DROP");

static void translate(struct translator *t, const struct gv_instruction *in,
                      size_t next)
{
    uint32_t number = (uint32_t)in->operand;
    switch ((enum gv_form)in->form) {
    case GV_FORM_PUSH:
        push(t, in->operand, false);
        break;
    case GV_FORM_CONST:
        push(t, gv_address(SPACE_CONST, 0, in->operand), false);
        break;
    case GV_FORM_VOLATILE:
        push(t, gv_address(SPACE_VOLATILE, 0, in->operand), false);
        break;
    case GV_FORM_RESOURCE:
        push_resource(t, number);
        break;
    case GV_FORM_LOAD_SLOT:
        load_slot(t, number);
        break;
    case GV_FORM_ADD_IMM:
        add_immediate(t, in->operand);
        break;
    case GV_FORM_CALL:
        call(t, number);
        break;
    case GV_FORM_MEETS:
        meets(t, number);
        break;
    case GV_FORM_COMMAND:
        command(t, in->operand);
        break;
    case GV_FORM_LOAD:
    case GV_FORM_STORE:
    case GV_FORM_BINARY:
    case GV_FORM_DUP:
    case GV_FORM_DROP:
        simple(t, SAME(in->op), 0);
        break;
    case GV_FORM_SKIP:
        begin_skip(t, next + (size_t)in->operand);
        break;
    case GV_FORM_NONE: // refused by the verifier
    case GV_FORM_END:
    case GV_FORM_STORE_SLOT:
    case GV_FORM_FETCH:
    case GV_FORM_COPY:
    case GV_FORM_PRODUCT:
    case GV_FORM_INVERSE:
    case GV_FORM_LOOP:
    case GV_FORM_LOOP_END:
        translate_rest(t, in);
        break;
    }
}

// Words that one byte of code can become at most: a call without arguments (3), a push
// that a call with a fixup swallows (3), each of one byte; and the command at the
// start.
#define WORDS_PER_BYTE 3
#define WORDS_EXTRA 8

uint64_t gv_vm_translated_bytes(uint64_t code_bytes)
{
    return (code_bytes * WORDS_PER_BYTE + WORDS_EXTRA) * sizeof(union word);
}

static bool reserve(struct gv_vm *vm, size_t code_bytes, struct gv_error *err)
{
    size_t capacity = code_bytes * WORDS_PER_BYTE + WORDS_EXTRA; // code: 16 MiB at most
    if (capacity <= vm->word_capacity)
        return true;
    free(vm->words);
    vm->word_capacity = 0;
    vm->words = malloc(capacity * sizeof *vm->words);
    if (!vm->words)
        return gv_out_of_memory(err);
    vm->word_capacity = capacity;
    return true;
}

// The code of a run, which begins with the command and the next resource that it
// states.
static bool translate_run(struct translator *t, const uint8_t *code,
                          const struct gv_kept_run *run, struct gv_error *err)
{
    struct gv_instruction in;
    t->command = run->command;
    t->next_resource = run->next_resource;
    for (size_t at = run->begin; at < run->end;) {
        t->offset = (uint32_t)at;
        size_t n = gv_decode_step(code + at, run->end - at, t->next_resource, &in);
        if (!n) // the verifier has seen other bytes than these
            return gv_fail(err, GV_ERR_FORMAT,
                           t->vm->payload->chunks[t->vm->chunk].code_offset + at,
                           "the code is not what was verified");
        if (at == run->begin && in.form != GV_FORM_COMMAND)
            first_command(t);
        land(t);
        at += n;
        translate(t, &in, at);
    }
    t->offset = run->end;
    land(t); // skips that end with the run
    flush(t, 0);
    if (run->stop)
        put(t, gv_head(MICRO_STOP, 0, 0));
    return true;
}

// What is kept of a chunk, and its END.
static bool translate_kept(struct translator *t, const uint8_t *code, uint32_t size,
                           struct gv_error *err)
{
    const struct gv_kept *kept = t->vm->params.kept;
    const uint32_t end = kept->chunk_runs[t->vm->chunk + 1];
    for (uint32_t i = kept->chunk_runs[t->vm->chunk]; i < end; i++)
        if (!translate_run(t, code, &kept->runs[i], err))
            return false;
    t->offset = size - 1;
    simple(t, MICRO_END, 0);
    return true;
}

// ---- code kept for later passes ----

// Words point into volatile memory, which a restart then zeroes in place: where that is
// little, it costs less than translating.
#define KEPT_MOST (4u << 20)
#define KEPT_VOLATILE (256u << 10)

uint64_t gv_vm_kept_most(const struct gv_payload *payload)
{
    uint64_t bytes = 0;
    if (payload->streamed || payload->limits.volatile_bytes > KEPT_VOLATILE)
        return 0;
    for (size_t i = 0; i < payload->chunk_count && bytes < KEPT_MOST; i++)
        bytes += gv_vm_translated_bytes(payload->chunks[i].size) + sizeof(union word *);
    return bytes < KEPT_MOST ? bytes : KEPT_MOST;
}

void gv_vm_drop_kept(struct gv_vm *vm)
{
    for (size_t i = 0; i < vm->kept_count; i++)
        free(vm->kept[i]);
    free((void *)vm->kept);
    vm->kept = NULL;
    vm->kept_count = 0;
    vm->kept_bytes = 0;
    vm->again = false;
}

// Keeps what `words` hold, if there is room for it, and has that run.
static void keep(struct gv_vm *vm)
{
    const uint64_t most = vm->again ? vm->kept_most : 0;
    const size_t table = vm->payload->chunk_count * sizeof(union word *);
    const size_t bytes = vm->word_count * sizeof *vm->words;
    vm->code = vm->words;
    if (most < table || vm->kept_bytes + bytes > most - table)
        return;
    if (!vm->kept) {
        vm->kept = (union word **)calloc(1, table + 1);
        vm->kept_count = vm->kept ? vm->payload->chunk_count : 0;
    }
    union word *copy = vm->kept ? malloc(bytes) : NULL;
    if (!copy)
        return;
    memcpy(copy, vm->words, bytes);
    vm->kept[vm->chunk] = vm->code = copy;
    vm->kept_bytes += bytes;
}

static bool translate_chunk(struct gv_vm *vm, struct gv_error *err)
{
    const struct gv_chunk *chunk = &vm->payload->chunks[vm->chunk];
    const uint8_t *code = gv_payload_chunk(vm->payload, vm->chunk, err);
    const struct gv_kept *kept = vm->params.kept;
    // Runs that follow each other without a gap take a command and a stop more.
    const size_t runs =
        kept ? kept->chunk_runs[vm->chunk + 1] - kept->chunk_runs[vm->chunk] : 0;
    if (!code || !reserve(vm, chunk->size + runs, err))
        return false;
    struct translator t = { .vm = vm };
    const struct gv_kept_run all = { .end = chunk->size,
                                     .next_resource = chunk->first_resource,
                                     .command = chunk->first_command };
    if (kept ? !translate_kept(&t, code, chunk->size, err)
             : !translate_run(&t, code, &all, err))
        return false;
    vm->word_count = t.count;
    keep(vm);
    return true;
}

bool gv_vm_translate(struct gv_vm *vm, struct gv_error *err)
{
    if (vm->chunk < vm->kept_count && vm->kept[vm->chunk])
        vm->code = vm->kept[vm->chunk];
    else if (!translate_chunk(vm, err))
        return false;
    vm->ip = vm->code;
    vm->chunk++;
    return true;
}
