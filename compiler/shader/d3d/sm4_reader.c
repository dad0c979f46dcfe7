#include "compiler/shader/d3d/sm4_reader.h"

#include <string.h>

#define MAX_INDEX_DEPTH 2 // an index may itself be relative to an x# element

bool sm4_malformed(struct sm4_reader *r, const char *what)
{
    return gv_fail(r->err, GV_ERR_FORMAT, r->offset, "sm4 shader: %s", what);
}

bool sm4_take(struct sm4_reader *r, uint32_t *out)
{
    *out = 0;
    if (r->at >= r->end)
        return sm4_malformed(r, "operand passes the end of its instruction");
    *out = dxbc_token(r->tokens, r->at++);
    return true;
}

uint32_t sm4_control(const struct sm4_reader *r, int shift, uint32_t mask)
{
    return r->token >> shift & mask;
}

// D3D10_SB_OPERAND_TYPE. 16 (m#) is handled apart.
static const uint8_t files[] = {
    [0] = IR_FILE_TEMP,
    [1] = IR_FILE_INPUT,
    [2] = IR_FILE_OUTPUT,
    [3] = IR_FILE_INDEXABLE,
    [4] = IR_FILE_IMMEDIATE,
    [5] = IR_FILE_IMMEDIATE, // of 64 bits
    [6] = IR_FILE_SAMPLER,
    [7] = IR_FILE_RESOURCE,
    [8] = IR_FILE_CBUFFER,
    [9] = IR_FILE_ICB,
    [10] = IR_FILE_LABEL,
    [11] = IR_FILE_PRIMITIVE_ID,
    [12] = IR_FILE_DEPTH,
    [13] = IR_FILE_NULL,
    [14] = IR_FILE_RASTERIZER, // no index: there is one
    [15] = IR_FILE_COVERAGE,
    [16] = IR_FILE_COUNT,
    [17] = IR_FILE_COUNT,
    [18] = IR_FILE_COUNT,
    [19] = IR_FILE_COUNT,
    [20] = IR_FILE_COUNT,
    [21] = IR_FILE_COUNT,
    [22] = IR_FILE_POINT_ID,
    [23] = IR_FILE_FORK_ID,
    [24] = IR_FILE_JOIN_ID,
    [25] = IR_FILE_INPUT,
    [26] = IR_FILE_CONTROL_OUT,
    [27] = IR_FILE_PATCH,
    [28] = IR_FILE_DOMAIN_POINT,
    [29] = IR_FILE_COUNT,
    [30] = IR_FILE_UAV,
    [31] = IR_FILE_SHARED,
    [32] = IR_FILE_THREAD_ID,
    [33] = IR_FILE_GROUP_ID,
    [34] = IR_FILE_LOCAL_ID,
    [35] = IR_FILE_COVERAGE_IN,
    [36] = IR_FILE_LOCAL_INDEX,
    [37] = IR_FILE_GS_INSTANCE_ID,
    [38] = IR_FILE_DEPTH,
    [39] = IR_FILE_DEPTH,
    [40] = IR_FILE_COUNT, // cycle counter
    [41] = IR_FILE_STENCIL,
    [42] = IR_FILE_COUNT, // inner coverage
};
#define TYPE_IMMEDIATE64 5
#define TYPE_STREAM 16

// The types that are not translated, by name.
static const char *const refused_types[] = {
    [16] = "stream",       [17] = "function body",  [18] = "function table",
    [19] = "interface",    [20] = "function input", [21] = "function output",
    [29] = "this pointer", [40] = "cycle counter",  [42] = "inner coverage",
};

static bool refuse_type(struct sm4_reader *r, uint32_t type)
{
    bool known = type < sizeof refused_types / sizeof *refused_types;
    const char *name = known ? refused_types[type] : NULL;
    return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                   "unsupported: sm4 operand type %u%s%s", type, name ? ", " : "",
                   name ? name : "");
}

// `words` of one value that all components have, or 4. One double is two words.
static bool immediate(struct sm4_reader *r, uint32_t words, struct ir_operand *out)
{
    uint32_t raw[4] = { 0 };
    for (uint32_t i = 0; i < words; i++)
        if (!sm4_take(r, &raw[i]))
            return false;
    for (uint8_t i = 0; i < 4; i++) {
        out->values[i] = raw[i % words];
        out->swizzle[i] = i;
    }
    out->dims = 0;
    return true;
}

static bool modifiers(struct sm4_reader *r, uint32_t token, struct ir_operand *out)
{
    while (token >> 31) {
        if (!sm4_take(r, &token))
            return false;
        if ((token & 0x3f) == 1)
            out->modifiers = token >> 6 & 3;
        else if (token & 0x3f)
            return sm4_malformed(r, "operand extension of an unknown kind");
    }
    return true;
}

static bool operand(struct sm4_reader *r, struct ir_operand *out, uint32_t *stream,
                    int depth);

// A register's component as the addend of an index.
static bool relative_index(struct sm4_reader *r, struct ir_index *out, int depth)
{
    struct ir_operand o;
    if (depth >= MAX_INDEX_DEPTH)
        return sm4_malformed(r, "index of an index of an index");
    if (!operand(r, &o, NULL, depth + 1))
        return false;
    if (o.index[0].relative || o.index[1].relative)
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                       "unsupported: index relative to a relative register");
    out->relative = true;
    out->file = o.file;
    out->component = o.swizzle[0];
    out->reg = o.index[0].base;
    out->element = o.index[1].base;
    return true;
}

static bool index(struct sm4_reader *r, uint32_t representation, struct ir_index *out,
                  int depth)
{
    bool has_literal = representation == 0 || representation == 3;
    if (representation > 3 || representation == 1)
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                       "unsupported: index representation %u", representation);
    if (has_literal && !sm4_take(r, &out->base))
        return false;
    return representation < 2 || relative_index(r, out, depth);
}

// Official order puts the vertex first, the IR the register.
static void swap_vertex(uint32_t type, struct ir_operand *o)
{
    bool per_vertex = type == 1 || type == 25 || type == 26;
    if (!per_vertex || o->dims < 2)
        return;
    struct ir_index vertex = o->index[0];
    o->index[0] = o->index[1];
    o->index[1] = vertex;
}

static bool operand(struct sm4_reader *r, struct ir_operand *out, uint32_t *stream,
                    int depth)
{
    uint32_t token = 0;
    *out = ir_reg(IR_FILE_NULL, 0);
    if (!sm4_take(r, &token))
        return false;
    uint32_t type = token >> 12 & 0xff, dims = token >> 20 & 3, count = token & 3;
    bool is_stream = type == TYPE_STREAM && stream;
    enum ir_file file = type < sizeof files ? (enum ir_file)files[type] : IR_FILE_COUNT;
    if (file == IR_FILE_COUNT && !is_stream)
        return refuse_type(r, type);
    if (count == 3 || dims == 3)
        return sm4_malformed(r, "operand of an unknown shape");
    *out = ir_reg(is_stream ? IR_FILE_NULL : file, 0);
    if (count == 2) {
        ir_select(out, token >> 2 & 3, token >> 4 & 0xff);
    } else if (count == 1) {
        out->mask = 1;
        memset(out->swizzle, 0, 4);
    }
    if (!modifiers(r, token, out))
        return false;
    if (file == IR_FILE_IMMEDIATE)
        return immediate(r, count != 1 ? 4 : type == TYPE_IMMEDIATE64 ? 2 : 1, out);
    out->dims = (uint8_t)dims;
    for (uint32_t i = 0; i < dims; i++)
        if (!index(r, token >> (22 + 3 * i) & 7, &out->index[i], depth))
            return false;
    swap_vertex(type, out);
    if (is_stream)
        *stream = out->index[0].base;
    return true;
}

bool sm4_operand(struct sm4_reader *r, struct ir_operand *out, uint32_t *stream)
{
    return operand(r, out, stream, 0);
}
