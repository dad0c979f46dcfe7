// Operations that decide what runs: branches, loops, switches, discard, barriers.
#include "compiler/shader/d3d/emit_internal.h"

#include <stdio.h>

// Comparison operators; the unordered forms are negated opposites.
static const char *const operators[] = {
    [IR_COMPARE_EQ] = "==", [IR_COMPARE_NE] = "!=", [IR_COMPARE_LT] = "<",
    [IR_COMPARE_GE] = ">=", [IR_COMPARE_LE] = "<=", [IR_COMPARE_GT] = ">",
};
static const char *const opposites[] = {
    [IR_COMPARE_EQ] = "!=", [IR_COMPARE_NE] = "==", [IR_COMPARE_LT] = ">=",
    [IR_COMPARE_GE] = "<",  [IR_COMPARE_LE] = ">",  [IR_COMPARE_GT] = "<=",
};
static const char *const vector_functions[] = {
    [IR_COMPARE_EQ] = "equal",         [IR_COMPARE_NE] = "notEqual",
    [IR_COMPARE_LT] = "lessThan",      [IR_COMPARE_GE] = "greaterThanEqual",
    [IR_COMPARE_LE] = "lessThanEqual", [IR_COMPARE_GT] = "greaterThan",
};

static void comparison(struct emitter *e, const struct ir_instruction *i)
{
    uint8_t kind = i->compare & 7;
    bool unordered = i->compare & IR_COMPARE_UNORDERED;
    // x != y holds for a NaN, so "equal or unordered" needs both orders tested.
    if (unordered && kind == IR_COMPARE_EQ) {
        emit_text(e, "!(");
        emit_scalar(e, &i->operands[0], 0, 'F');
        emit_text(e, " < ");
        emit_scalar(e, &i->operands[1], 0, 'F');
        emit_text(e, " || ");
        emit_scalar(e, &i->operands[0], 0, 'F');
        emit_text(e, " > ");
        emit_scalar(e, &i->operands[1], 0, 'F');
        emit_text(e, ")");
        return;
    }
    unordered = unordered && kind != IR_COMPARE_NE;
    emit_text(e, unordered ? "!(" : "");
    emit_scalar(e, &i->operands[0], 0, 'F');
    emit_text(e, " %s ", unordered ? opposites[kind] : operators[kind]);
    emit_scalar(e, &i->operands[1], 0, 'F');
    emit_text(e, unordered ? ")" : "");
}

static void bits_test(struct emitter *e, const struct ir_operand *o, bool nonzero)
{
    emit_scalar(e, o, 0, 'U');
    emit_text(e, nonzero ? " != 0u" : " == 0u");
}

// Opens `if (` with the instruction's predicate, for statements that are conditional.
static void condition(struct emitter *e, const struct ir_instruction *i)
{
    static const char names[] = "xyzw";
    emit_indent(e);
    emit_text(e, "if (");
    if (i->predicated)
        emit_text(e, "p%u.%c %s 0u", i->predicate, names[i->predicate_swizzle[0]],
                  i->predicate_not ? "==" : "!=");
}

// `word;` under the predicate and the test that `i` carries (operand `n`; -1: none).
static void jump(struct emitter *e, const struct ir_instruction *i, const char *word,
                 int n, bool compare)
{
    if (!i->predicated && n < 0) {
        emit_line(e, "%s;", word);
        return;
    }
    condition(e, i);
    if (n >= 0) {
        emit_text(e, i->predicated ? " && " : "");
        if (compare)
            comparison(e, i);
        else
            bits_test(e, &i->operands[n], i->nonzero);
    }
    emit_text(e, ")\n");
    e->indent++;
    emit_line(e, "%s;", word);
    e->indent--;
}

static void open_if(struct emitter *e, const struct ir_instruction *i)
{
    emit_indent(e);
    emit_text(e, "if (");
    if (i->op == IR_IFC)
        comparison(e, i);
    else
        bits_test(e, &i->operands[0], i->nonzero);
    emit_text(e, ") {\n");
    e->indent++;
}

static void close_brace(struct emitter *e)
{
    e->indent--;
    emit_line(e, "}");
}

// D3D9 counters: i# = (count, start, step). aL of an outer loop comes back at its end.
static void open_counted(struct emitter *e, const struct ir_instruction *i)
{
    uint32_t n = e->loop_depth;
    emit_line(e, "{");
    e->indent++;
    emit_indent(e);
    emit_text(e, "ivec4 count%u = ", n);
    emit_source(e, &i->operands[0], 'I');
    emit_text(e, ";\n");
    if (i->op == IR_LOOP_9) {
        emit_line(e, "uvec4 outer%u = aL;", n);
        emit_line(e, "aL = uvec4(count%u.y);", n);
        emit_line(e,
                  "for (int n%u = min(count%u.x, 255); n%u > 0; n%u--, "
                  "aL += uvec4(count%u.z)) {",
                  n, n, n, n, n);
    } else {
        emit_line(e, "for (int n%u = min(count%u.x, 255); n%u > 0; n%u--) {", n, n, n,
                  n);
    }
}

static void open_loop(struct emitter *e, const struct ir_instruction *i)
{
    if (i->op == IR_LOOP)
        emit_line(e, "while (true) {");
    else
        open_counted(e, i);
    e->loop_ops[e->loop_depth++] = i->op;
    e->indent++;
}

static void close_loop(struct emitter *e)
{
    uint16_t op = e->loop_ops[--e->loop_depth];
    close_brace(e);
    if (op == IR_LOOP)
        return;
    if (op == IR_LOOP_9)
        emit_line(e, "aL = outer%u;", e->loop_depth);
    close_brace(e);
}

static void vector_comparison(struct emitter *e, const struct ir_instruction *i,
                              const char *function)
{
    emit_text(e, "%s(", function);
    emit_source(e, &i->operands[1], 'F');
    emit_text(e, ", ");
    emit_source(e, &i->operands[2], 'F');
    emit_text(e, ")");
}

static void or_nan(struct emitter *e, const struct ir_operand *o)
{
    emit_text(e, ", bvec4(true), isnan(");
    emit_source(e, o, 'F');
    emit_text(e, "))");
}

static void setp(struct emitter *e, const struct ir_instruction *i)
{
    uint8_t kind = i->compare & 7;
    bool unordered = i->compare & IR_COMPARE_UNORDERED && kind != IR_COMPARE_NE;
    if (!emit_begin_write(e, i, &i->operands[0], 'B'))
        return;
    emit_text(e, unordered ? "mix(mix(" : "");
    vector_comparison(e, i, vector_functions[kind]);
    if (unordered) {
        or_nan(e, &i->operands[1]);
        or_nan(e, &i->operands[2]);
    }
    emit_end_write(e, i, &i->operands[0], 'B');
}

static void discard(struct emitter *e, const struct ir_instruction *i)
{
    const char *word = e->deferred_discard ? "dead = true" : "discard";
    if (i->op == IR_DISCARD) {
        jump(e, i, word, 0, false);
        return;
    }
    condition(e, i);
    emit_text(e, i->predicated ? " && any(lessThan(" : "any(lessThan(");
    emit_source(e, &i->operands[0], 'F');
    emit_text(e,
              i->op == IR_TEXKILL_XYZ_9 ? ".xyz, vec3(0.0))))\n" : ", vec4(0.0))))\n");
    e->indent++;
    emit_line(e, "%s;", word);
    e->indent--;
}

// Other stages have no group: nothing to wait for, nothing shared.
static void barrier(struct emitter *e, const struct ir_instruction *i)
{
    const bool group = e->shader->stage == GV_DXBC_COMPUTE;
    if ((i->flags & IR_SYNC_SHARED) && group)
        emit_line(e, "memoryBarrierShared();");
    if (i->flags & IR_SYNC_UAV)
        emit_line(e, "memoryBarrierBuffer();");
    if ((i->flags & IR_SYNC_THREADS) && group)
        emit_line(e, "barrier();");
}

static void switch_label(struct emitter *e, const struct ir_instruction *i)
{
    e->indent--;
    if (i->op == IR_CASE)
        emit_line(e, "case %d:", (int32_t)i->operands[0].values[0]);
    else
        emit_line(e, "default:");
    e->indent++;
}

static void open_switch(struct emitter *e, const struct ir_instruction *i)
{
    emit_indent(e);
    emit_text(e, "switch (");
    emit_scalar(e, &i->operands[0], 0, 'I');
    emit_text(e, ") {\n");
    e->indent++;
}

static bool geometry_output(struct emitter *e, const struct ir_instruction *i)
{
    if (e->shader->stage != GV_DXBC_GEOMETRY)
        return gv_fail(e->err, GV_ERR_FORMAT, i->offset, "%s outside a geometry shader",
                       ir_ops[i->op].name);
    if (i->stream)
        return gv_fail(e->err, GV_ERR_UNSUPPORTED, i->offset,
                       "unsupported: geometry stream %u", i->stream);
    if (i->op != IR_CUT)
        jump(e, i, "emit_vertex()", -1, false);
    if (i->op != IR_EMIT)
        jump(e, i, "EndPrimitive()", -1, false);
    return true;
}

static void call(struct emitter *e, const struct ir_instruction *i)
{
    char name[32];
    snprintf(name, sizeof name, "label%u()", i->operands[0].index[0].base);
    jump(e, i, name, i->op == IR_CALL_IF ? 1 : -1, false);
}

// What jumps: the statement, and the operand that is tested (-1: none).
static const struct {
    const char *word;
    int operand;
    bool compare;
} jumps[] = {
    [IR_BREAK] = { "break", -1, false },
    [IR_BREAK_IF] = { "break", 0, false },
    [IR_BREAKC] = { "break", 0, true },
    [IR_CONTINUE] = { "continue", -1, false },
    [IR_CONTINUE_IF] = { "continue", 0, false },
    [IR_CONTINUEC] = { "continue", 0, true },
    [IR_RET] = { "return", -1, false },
    [IR_RET_IF] = { "return", 0, false },
};

// What opens, parts and closes blocks; false: something else.
static bool block(struct emitter *e, const struct ir_instruction *i)
{
    switch ((enum ir_op)i->op) {
    case IR_IF:
    case IR_IFC:
        open_if(e, i);
        return true;
    case IR_ELSE:
        e->indent--;
        emit_line(e, "} else {");
        e->indent++;
        return true;
    case IR_ENDIF:
        close_brace(e);
        return true;
    case IR_LOOP:
    case IR_LOOP_9:
    case IR_REP_9:
        open_loop(e, i);
        return true;
    case IR_ENDLOOP:
        close_loop(e);
        return true;
    case IR_SWITCH:
        open_switch(e, i);
        return true;
    case IR_CASE:
    case IR_DEFAULT:
        switch_label(e, i);
        return true;
    case IR_ENDSWITCH:
        emit_line(e, "break;");
        close_brace(e);
        return true;
    default:
        return false;
    }
}

bool emit_flow(struct emitter *e, const struct ir_instruction *i, bool *ok)
{
    if (i->op < sizeof jumps / sizeof *jumps && jumps[i->op].word) {
        jump(e, i, jumps[i->op].word, jumps[i->op].operand, jumps[i->op].compare);
        return true;
    }
    switch ((enum ir_op)i->op) {
    case IR_NOP:
        return true;
    case IR_CALL:
    case IR_CALL_IF:
        call(e, i);
        return true;
    case IR_SETP:
        setp(e, i);
        return true;
    case IR_DISCARD:
    case IR_CLIP:
    case IR_TEXKILL_9:
    case IR_TEXKILL_XYZ_9:
        discard(e, i);
        return true;
    case IR_EMIT:
    case IR_CUT:
    case IR_EMIT_CUT:
        *ok = geometry_output(e, i);
        return true;
    case IR_SYNC:
        barrier(e, i);
        return true;
    default:
        return block(e, i);
    }
}
