#include "vm/slice/slice_cut_code.h"

#include "resources/base/checked.h"
#include "vm/decode.h"
#include "vm/machine.h"
#include "vm/slice/slice_code.h"

struct filler {
    const struct gv_cut_code_params *params;
    struct gv_bytes *out;
    uint32_t next;         // resource that RES_NEXT names
    uint32_t depth, stack; // of the stack: now, at most
};

static void push(struct filler *f, uint64_t number)
{
    if (number < 128) {
        gv_bytes_u8(f->out, (uint8_t)(GV_OP_PUSH_0 + number));
    } else {
        gv_bytes_u8(f->out, GV_OP_PUSH);
        gv_bytes_sleb(f->out, (int64_t)number);
    }
    f->depth++;
}

static void push_of(struct filler *f, uint8_t op, uint64_t operand)
{
    gv_bytes_u8(f->out, op);
    gv_bytes_uleb(f->out, operand);
    f->depth++;
}

static void name(struct filler *f, uint8_t op, uint8_t next_op, uint32_t resource)
{
    if (resource == f->next) {
        gv_bytes_u8(f->out, next_op);
    } else {
        gv_bytes_u8(f->out, op);
        gv_bytes_uleb(f->out, resource);
    }
    f->next = resource + 1;
}

// The last two arguments of an upload.
static void push_data(struct filler *f, size_t piece)
{
    name(f, GV_OP_RES, GV_OP_RES_NEXT, f->params->resources[piece]);
    f->depth++;
    push(f, f->params->sizes[piece]);
}

static void call(struct filler *f, enum gv_call which)
{
    uint32_t import = f->params->import(f->params->context, which);
    if (import < GV_OP_PUSH_0 - GV_OP_CALL_0) {
        gv_bytes_u8(f->out, (uint8_t)(GV_OP_CALL_0 + import));
    } else {
        gv_bytes_u8(f->out, GV_OP_CALL);
        gv_bytes_uleb(f->out, import);
    }
    f->stack = f->depth > f->stack ? f->depth : f->stack;
    f->depth = 0;
}

static void fill_bytes(struct filler *f, const struct gv_cut_piece *p, size_t piece)
{
    push_of(f, GV_OP_LOAD_SLOT, p->slot);
    push(f, p->offset);
    if (p->rows > 1) {
        push(f, p->size);
        push(f, p->stride);
        push(f, p->rows);
    }
    push_data(f, piece);
    call(f, p->rows > 1 ? GV_CALL_buffer_upload_rows : GV_CALL_buffer_upload);
}

static void fill_sample(struct filler *f, const struct gv_cut_piece *p, size_t piece)
{
    const uint32_t numbers[] = { p->aspect, p->layer, p->sample, p->x,
                                 p->y,      p->width, p->height };
    push_of(f, GV_OP_LOAD_SLOT, p->slot);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        push(f, numbers[i]);
    push_data(f, piece);
    call(f, GV_CALL_image_upload_sample);
}

static void fill_texels(struct filler *f, const struct gv_cut_piece *p, size_t piece)
{
    const uint32_t numbers[] = { p->aspect, p->mip,   p->layer,  1,        p->x, p->y,
                                 p->z,      p->width, p->height, p->depth, 0,    0 };
    push_of(f, GV_OP_LOAD_SLOT, p->slot);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        push(f, numbers[i]);
    push_data(f, piece);
    call(f, GV_CALL_image_upload);
}

static void fill_memory(struct filler *f, const struct gv_cut_piece *p, size_t piece)
{
    if (p->slot == GV_CUT_VOLATILE) {
        push_of(f, GV_OP_VOLATILE, p->offset);
    } else {
        push_of(f, GV_OP_LOAD_SLOT, p->slot);
        if (p->offset) {
            gv_bytes_u8(f->out, GV_OP_ADD_IMM);
            gv_bytes_sleb(f->out, (int64_t)p->offset);
        }
    }
    f->stack = f->depth > f->stack ? f->depth : f->stack;
    f->depth = 0;
    name(f, GV_OP_FETCH, GV_OP_FETCH_NEXT, f->params->resources[piece]);
}

static void fill(struct filler *f)
{
    const struct gv_cut *cut = f->params->cut;
    for (size_t i = 0; i < cut->piece_count; i++) {
        const struct gv_cut_piece *p = &cut->pieces[i];
        if (p->kind == GV_KIND_IMAGE && p->samples > 1)
            fill_sample(f, p, i);
        else if (p->kind == GV_KIND_IMAGE)
            fill_texels(f, p, i);
        else if (p->kind == GV_KIND_MAP || p->slot == GV_CUT_VOLATILE)
            fill_memory(f, p, i);
        else
            fill_bytes(f, p, i);
    }
}

// Instructions with loops counted out.
static uint64_t count(const struct gv_bytes *code)
{
    uint64_t total = 0, times[GV_MAX_NESTING + 1] = { 1 };
    size_t depth = 0;
    struct gv_instruction in;
    for (size_t at = 0, n; at < code->size; at += n) {
        n = gv_decode_step(code->data + at, code->size - at, 0, &in);
        if (!n)
            break;
        if (!gv_add_u64(total, times[depth], &total))
            return UINT64_MAX;
        if (in.op == GV_OP_LOOP && depth < GV_MAX_NESTING) {
            depth++;
            if (!gv_mul_u64(times[depth - 1], in.operand, &times[depth]))
                return UINT64_MAX;
        } else if (in.op == GV_OP_LOOP_END && depth) {
            depth--;
        }
    }
    return total;
}

bool gv_cut_code_make(struct gv_cut_code *out, const struct gv_cut_code_params *params,
                      struct gv_error *err)
{
    struct gv_recode recode = { .payload = params->payload };
    struct filler f = { .params = params, .out = &out->bytes };
    *out = (struct gv_cut_code){ 0 };
    if (!gv_recode_joined(&recode, &params->cut->kept, &out->bytes, &f.next, err))
        return false;
    fill(&f);
    gv_bytes_u8(&out->bytes, GV_OP_END);
    if (out->bytes.failed)
        return gv_out_of_memory(err);
    if (out->bytes.size > GV_MAX_CHUNK_BYTES)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "a keyframe of %zu bytes",
                       out->bytes.size);
    out->stack_cells = recode.stack > f.stack ? recode.stack : f.stack;
    out->instructions = count(&out->bytes);
    return true;
}

void gv_cut_code_finish(struct gv_cut_code *code)
{
    gv_bytes_finish(&code->bytes);
}
