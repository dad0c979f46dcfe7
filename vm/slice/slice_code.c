#include "vm/slice/slice_code.h"

#include <string.h>

#include "vm/decode.h"
#include "vm/machine.h"

#define ULEB_BYTES 10 // of 64 bits

// A skip whose operand is written when its target is reached.
struct skip {
    uint32_t target; // in the old code; UINT32_MAX: a loop
    size_t at;       // in the new code: where what is skipped begins
};

struct coder {
    struct gv_recode *recode;
    const uint8_t *code; // old
    struct gv_bytes out;
    uint64_t command, written; // that the old code is at; that the new one is at
    uint32_t next, new_next;   // RES_NEXT, old and new
    uint32_t first_new;        // of the new chunk
    bool named;                // a resource has been
    bool joined;               // commands do not show
    uint32_t depth;
    struct skip open[GV_MAX_NESTING];
    size_t open_count;
};

static void put_op(struct coder *c, uint8_t op)
{
    gv_bytes_u8(&c->out, op);
}

static void note_depth(struct coder *c, uint32_t pops, uint32_t pushes)
{
    c->depth = c->depth - pops + pushes;
    if (c->depth > c->recode->stack)
        c->recode->stack = c->depth;
}

// The command that the old code has come to, before what belongs to it.
static void put_command(struct coder *c)
{
    uint64_t by = c->joined ? 0 : c->command - c->written;
    c->written = c->command;
    if (by == 1)
        put_op(c, GV_OP_CMD_NEXT);
    if (by <= 1)
        return;
    put_op(c, GV_OP_CMD);
    gv_bytes_uleb(&c->out, by);
}

// RES or FETCH of a new number, as NEXT where that says it and no loop or skip is open.
static void put_resource(struct coder *c, uint8_t op, uint8_t next_op,
                         uint32_t resource)
{
    if (!c->named)
        c->first_new = c->new_next = resource;
    c->named = true;
    if (resource == c->new_next && !c->open_count) {
        put_op(c, next_op);
    } else {
        put_op(c, op);
        gv_bytes_uleb(&c->out, resource);
    }
    c->new_next = resource + 1;
    c->recode->uses++;
    if (c->recode->writer)
        gv_writer_use(c->recode->writer, resource);
}

static uint32_t resource_of(const struct coder *c, uint32_t old)
{
    return c->recode->resources ? c->recode->resources[old] : old;
}

static void use(struct coder *c, uint8_t op, uint8_t next_op, uint32_t old)
{
    c->next = old + 1;
    put_resource(c, op, next_op, resource_of(c, old));
}

// The resource that is named last in the old code [at, end) or, with `end` 0, up to the
// end of the loop there; UINT32_MAX: none.
static uint32_t last_named(const struct coder *c, uint32_t at, uint32_t end,
                           uint32_t limit)
{
    struct gv_instruction in;
    uint32_t last = UINT32_MAX, next = c->next;
    size_t loops = 1;
    while (at < (end ? end : limit)) {
        size_t n = gv_decode_step(c->code + at, limit - at, next, &in);
        if (!n)
            break;
        at += (uint32_t)n;
        loops += in.form == GV_FORM_LOOP;
        loops -= in.form == GV_FORM_LOOP_END;
        if (!end && !loops)
            break;
        if (!gv_names_resource(&in))
            continue;
        last = (uint32_t)in.operand;
        next = last + 1;
    }
    return last;
}

// Whether it runs or not, the next resource is then the same behind a loop or skip.
static void name_before(struct coder *c, uint32_t last)
{
    if (last == UINT32_MAX)
        return;
    uint32_t resource = resource_of(c, last);
    if (c->named && c->new_next == resource + 1)
        return;
    put_resource(c, GV_OP_RES, GV_OP_RES_NEXT, resource);
    put_op(c, GV_OP_DROP);
    note_depth(c, 0, 1);
    note_depth(c, 1, 0);
    c->recode->more += 2;
}

static void put_loop(struct coder *c, uint32_t at, uint64_t count, uint32_t limit)
{
    name_before(c, last_named(c, at, 0, limit));
    put_op(c, GV_OP_LOOP);
    gv_bytes_uleb(&c->out, count);
    c->open[c->open_count++].target = UINT32_MAX;
}

static void put_skip(struct coder *c, uint32_t at, uint32_t bytes, uint32_t limit)
{
    name_before(c, last_named(c, at, at + bytes, limit));
    put_op(c, GV_OP_SKIP_ZERO);
    note_depth(c, 1, 0);
    c->open[c->open_count++] = (struct skip){ at + bytes, c->out.size };
}

// Ends the skips that land here: their operands go in front of what they skip.
static bool land(struct coder *c, uint32_t at, struct gv_error *err)
{
    while (c->open_count && c->open[c->open_count - 1].target == at) {
        uint8_t operand[ULEB_BYTES];
        size_t from = c->open[--c->open_count].at;
        size_t skipped = c->out.size - from;
        gv_bytes_uleb(&c->out, skipped);
        if (c->out.failed)
            return gv_out_of_memory(err);
        size_t size = c->out.size - from - skipped;
        uint8_t *place = c->out.data + from;
        memcpy(operand, place + skipped, size);
        memmove(place + size, place, skipped);
        memcpy(place, operand, size);
    }
    return true;
}

static void put_call(struct coder *c, uint32_t number, enum gv_call call)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    if (number < GV_OP_PUSH_0 - GV_OP_CALL_0) {
        put_op(c, (uint8_t)(GV_OP_CALL_0 + number));
    } else {
        put_op(c, GV_OP_CALL);
        gv_bytes_uleb(&c->out, number);
    }
    note_depth(c, info->arg_count, info->result != GV_KIND_NONE);
}

static void call_again(struct coder *c, uint64_t import)
{
    enum gv_call call = (enum gv_call)c->recode->payload->imports[import].call;
    put_call(c,
             c->recode->writer ? gv_writer_import(c->recode->writer, call)
                               : (uint32_t)import,
             call);
}

static void step(struct coder *c, const struct gv_instruction *in, uint32_t at,
                 uint32_t size, uint32_t limit)
{
    const uint32_t behind = at + size;
    if (in->form == GV_FORM_COMMAND) {
        c->command += in->operand;
        return;
    }
    put_command(c);
    switch (in->form) {
    case GV_FORM_RESOURCE:
        use(c, GV_OP_RES, GV_OP_RES_NEXT, (uint32_t)in->operand);
        note_depth(c, 0, 1);
        break;
    case GV_FORM_FETCH:
        use(c, GV_OP_FETCH, GV_OP_FETCH_NEXT, (uint32_t)in->operand);
        note_depth(c, 1, 0);
        break;
    case GV_FORM_CONST:
        put_op(c, GV_OP_CONST);
        gv_bytes_uleb(&c->out,
                      c->recode->constant
                          ? c->recode->constant(c->recode->context, in->operand)
                          : in->operand);
        note_depth(c, 0, 1);
        break;
    case GV_FORM_LOOP:
        put_loop(c, behind, in->operand, limit);
        break;
    case GV_FORM_LOOP_END:
        put_op(c, GV_OP_LOOP_END);
        c->open_count--;
        break;
    case GV_FORM_SKIP:
        put_skip(c, behind, (uint32_t)in->operand, limit);
        break;
    case GV_FORM_CALL:
        call_again(c, in->operand);
        break;
    default: // as it was
        gv_bytes_put(&c->out, c->code + at, size);
        note_depth(c, gv_op_infos[in->op].pops, gv_op_infos[in->op].pushes);
        break;
    }
}

// ---- patches ----

static void put_push(struct coder *c, uint64_t value)
{
    if (value < 0x100 - GV_OP_PUSH_0) {
        put_op(c, (uint8_t)(GV_OP_PUSH_0 + value));
        return;
    }
    put_op(c, GV_OP_PUSH);
    gv_bytes_sleb(&c->out, (int64_t)value);
}

static void put_number(struct coder *c, uint8_t op, uint64_t operand)
{
    put_op(c, op);
    gv_bytes_uleb(&c->out, operand);
}

static void put_patch_op(struct coder *c, const struct gv_patch_op *op)
{
    const struct gv_recode *r = c->recode;
    switch ((enum gv_patch_op_kind)op->kind) {
    case GV_PATCH_PUSH:
        put_push(c, op->value);
        break;
    case GV_PATCH_CONST:
        put_number(c, GV_OP_CONST,
                   r->constant ? r->constant(r->context, op->value) : op->value);
        break;
    case GV_PATCH_DATA:
        put_number(c, GV_OP_CONST, r->data[op->value]);
        break;
    case GV_PATCH_VOLATILE:
        put_number(c, GV_OP_VOLATILE, op->value);
        break;
    case GV_PATCH_RESOURCE:
        put_resource(c, GV_OP_RES, GV_OP_RES_NEXT, resource_of(c, (uint32_t)op->value));
        break;
    case GV_PATCH_ADD:
        put_op(c, GV_OP_ADD_IMM);
        gv_bytes_sleb(&c->out, (int64_t)op->value);
        return;
    case GV_PATCH_LOAD_SLOT:
        put_number(c, GV_OP_LOAD_SLOT, op->value);
        break;
    case GV_PATCH_STORE_SLOT:
        put_number(c, GV_OP_STORE_SLOT, op->value);
        note_depth(c, 1, 0);
        return;
    case GV_PATCH_CALL:
        put_call(c, gv_writer_import(r->writer, (enum gv_call)op->value),
                 (enum gv_call)op->value);
        return;
    }
    note_depth(c, 0, 1);
}

// Those of a chunk that stand in front of a byte of it.
static void put_patches(struct coder *c, size_t chunk, uint32_t before)
{
    struct gv_recode *r = c->recode;
    for (; r->patch_count && r->patches->chunk == chunk && r->patches->at <= before;
         r->patches++, r->patch_count--) {
        c->command = r->patches->command;
        put_command(c);
        for (size_t i = 0; i < r->patches->count; i++)
            put_patch_op(c, &r->patches->ops[i]);
        r->added += r->patches->count;
    }
}

// ---- runs ----

static bool put_run(struct coder *c, const struct gv_kept_run *run,
                    struct gv_error *err)
{
    struct gv_instruction in;
    c->command = run->command;
    c->next = run->next_resource;
    for (uint32_t at = run->begin; at < run->end;) {
        size_t n = gv_decode_step(c->code + at, run->end - at, c->next, &in);
        if (!n)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "the code is not what was verified");
        step(c, &in, at, (uint32_t)n, run->end);
        at += (uint32_t)n;
        if (!land(c, at, err))
            return false;
    }
    return true;
}

bool gv_recode_chunk(struct gv_recode *recode, const struct gv_kept *kept, size_t chunk,
                     struct gv_error *err)
{
    const struct gv_chunk *old = &recode->payload->chunks[chunk];
    struct coder c = { .recode = recode, .written = old->first_command };
    c.code = gv_payload_chunk(recode->payload, chunk, err);
    bool ok = c.code != NULL;
    for (uint32_t i = kept->chunk_runs[chunk]; ok && i < kept->chunk_runs[chunk + 1];
         i++) {
        put_patches(&c, chunk, kept->runs[i].begin);
        ok = put_run(&c, &kept->runs[i], err);
    }
    put_patches(&c, chunk, UINT32_MAX);
    put_op(&c, GV_OP_END);
    if (ok && c.out.failed)
        ok = gv_out_of_memory(err);
    if (ok && c.out.size > GV_MAX_CHUNK_BYTES)
        ok = gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "a chunk of %zu bytes",
                     c.out.size);
    if (ok)
        gv_writer_chunk(recode->writer, c.out.data, c.out.size, old->first_command,
                        c.first_new);
    gv_bytes_finish(&c.out);
    return ok;
}

bool gv_recode_joined(struct gv_recode *recode, const struct gv_kept *kept,
                      struct gv_bytes *out, uint32_t *next, struct gv_error *err)
{
    struct coder c = { .recode = recode, .named = true, .joined = true };
    bool ok = true;
    for (size_t chunk = 0; ok && chunk < kept->chunk_count; chunk++) {
        uint32_t i = kept->chunk_runs[chunk], end = kept->chunk_runs[chunk + 1];
        if (i == end)
            continue;
        c.code = gv_payload_chunk(recode->payload, chunk, err);
        ok = c.code != NULL;
        for (; ok && i < end; i++)
            ok = put_run(&c, &kept->runs[i], err);
    }
    if (ok && c.out.failed)
        ok = gv_out_of_memory(err);
    if (ok)
        gv_bytes_put(out, c.out.data, c.out.size);
    gv_bytes_finish(&c.out);
    *next = c.new_next;
    return ok;
}
