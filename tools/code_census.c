#include "tools/code_census.h"

#include <stdlib.h>

#include "vm/ops.h"

#define FAMILY_PUSH 0x100 // rows of `opcodes` while counting: opcode, then the families
#define FAMILY_CALL 0x101
#define OPCODE_ROWS 0x102

struct tally {
    struct gv_census_row opcodes[OPCODE_ROWS], calls[GV_CALL_LIMIT];
};

static void skip_operand(struct gv_cursor *code, uint8_t operand)
{
    switch ((enum gv_operand)operand) {
    case GV_OPERAND_NONE:
        break;
    case GV_OPERAND_ULEB:
        gv_cursor_uleb(code);
        break;
    case GV_OPERAND_SLEB:
        gv_cursor_sleb(code);
        break;
    case GV_OPERAND_F32:
        gv_cursor_u32(code);
        break;
    }
}

static void count_call(struct tally *tally, const struct gv_payload *payload,
                       uint64_t import, uint64_t bytes)
{
    if (import >= payload->import_count)
        return;
    struct gv_census_row *row =
        &tally->calls[payload->imports[import].call % GV_CALL_LIMIT];
    row->count++;
    row->bytes += bytes;
}

static void count_chunk(struct tally *tally, const struct gv_payload *payload,
                        struct gv_cursor code)
{
    size_t call_from = 0;
    while (!code.bad && gv_cursor_left(&code) > 0) {
        size_t at = code.pos;
        uint8_t op = gv_cursor_u8(&code);
        uint64_t import = UINT64_MAX;
        size_t row = op;
        if (op >= GV_OP_PUSH_0) {
            row = FAMILY_PUSH;
        } else if (op >= GV_OP_CALL_0) {
            row = FAMILY_CALL;
            import = (uint64_t)op - GV_OP_CALL_0;
        } else if (op == GV_OP_CALL) {
            import = gv_cursor_uleb(&code);
        } else {
            skip_operand(&code, gv_op_infos[op].operand);
        }
        tally->opcodes[row].count++;
        tally->opcodes[row].bytes += code.pos - at;
        if (import == UINT64_MAX)
            continue;
        count_call(tally, payload, import, code.pos - call_from);
        call_from = code.pos;
    }
}

static int more_bytes(const void *a, const void *b)
{
    const struct gv_census_row *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->count > y->count ? -1 : x->count < y->count;
}

static size_t gather(struct gv_census_row *out, const struct gv_census_row *rows,
                     size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count && used < GV_CENSUS_MAX; i++)
        if (rows[i].count && rows[i].name)
            out[used++] = rows[i];
    qsort(out, used, sizeof *out, more_bytes);
    return used;
}

bool gv_census_take(struct gv_census *census, struct gv_payload *payload,
                    struct gv_error *err)
{
    struct tally *tally = calloc(1, sizeof *tally);
    if (!tally)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < 256; i++)
        tally->opcodes[i].name = gv_op_infos[i].name;
    tally->opcodes[FAMILY_PUSH].name = "PUSH_n";
    tally->opcodes[FAMILY_CALL].name = "CALL_n";
    for (size_t i = 0; i < GV_CALL_LIMIT; i++)
        tally->calls[i].name = gv_call_infos[i].name;
    bool ok = true;
    for (size_t i = 0; ok && i < payload->chunk_count; i++) {
        const uint8_t *code = gv_payload_chunk(payload, i, err);
        ok = code != NULL;
        if (ok)
            count_chunk(tally, payload, gv_cursor_make(code, payload->chunks[i].size));
    }
    census->opcode_count = gather(census->opcodes, tally->opcodes, OPCODE_ROWS);
    census->call_count = gather(census->calls, tally->calls, GV_CALL_LIMIT);
    free(tally);
    return ok;
}
