// Operations on buffers: raw, structured and typed loads and stores, atomics, counters.
#include "compiler/shader/d3d/emit_internal.h"

// Buffers are arrays of words. emit_resources.c gives each of them
//   uvec4 X_load(uint word), void X_store(uint word, uint value)   checked, zero
//   outside uint X_at(uint index, uint byte)                               structured:
//   the word

static char letter(const struct ir_operand *o)
{
    if (o->file == IR_FILE_RESOURCE)
        return 't';
    if (o->file == IR_FILE_UAV)
        return 'u';
    return 'g';
}

static bool structured(const struct emitter *e, const struct ir_operand *o)
{
    uint32_t n = o->index[0].base;
    if (o->file == IR_FILE_SHARED)
        return e->shader->shared[n].stride != 0;
    const struct ir_resource *r =
        o->file == IR_FILE_UAV ? &e->shader->uavs[n] : &e->shader->textures[n];
    return r->kind == IR_RESOURCE_STRUCTURED;
}

static bool is_typed(const struct emitter *e, const struct ir_operand *o)
{
    return o->file == IR_FILE_UAV &&
           e->shader->uavs[o->index[0].base].kind == IR_RESOURCE_TYPED_BUFFER;
}

// The word a raw byte address or a structured (index, byte) names.
static void raw_word(struct emitter *e, const struct ir_operand *address)
{
    emit_scalar(e, address, 0, 'U');
    emit_text(e, " >> 2");
}

static void structured_word(struct emitter *e, const struct ir_operand *buffer,
                            const struct ir_operand *index, int index_component,
                            const struct ir_operand *byte, int byte_component)
{
    emit_text(e, "%c%u_at(", letter(buffer), buffer->index[0].base);
    emit_scalar(e, index, index_component, 'U');
    emit_text(e, ", ");
    emit_scalar(e, byte, byte_component, 'U');
    emit_text(e, ")");
}

static bool needs_stride(struct emitter *e, const struct ir_instruction *i,
                         const struct ir_operand *buffer)
{
    return structured(e, buffer) ||
           gv_fail(e->err, GV_ERR_FORMAT, i->offset,
                   "%s of a buffer without a declared structure", ir_ops[i->op].name);
}

static bool load(struct emitter *e, const struct ir_instruction *i)
{
    bool raw = i->op == IR_LD_RAW;
    const struct ir_operand *buffer = &i->operands[raw ? 2 : 3];
    if (!raw && !needs_stride(e, i, buffer))
        return false;
    if (!emit_begin_write(e, i, &i->operands[0], 'U'))
        return true;
    emit_text(e, "%c%u_load(", letter(buffer), buffer->index[0].base);
    if (raw)
        raw_word(e, &i->operands[1]);
    else
        structured_word(e, buffer, &i->operands[1], 0, &i->operands[2], 0);
    emit_text(e, ")");
    emit_swizzle(e, buffer);
    emit_end_write(e, i, &i->operands[0], 'U');
    return true;
}

// Opens a block that runs under the instruction's predicate and not for dead pixels.
static void open_block(struct emitter *e, const struct ir_instruction *i)
{
    static const char names[] = "xyzw";
    emit_indent(e);
    if (i->predicated)
        emit_text(e, "if (p%u.%c %s 0u)%s", i->predicate,
                  names[i->predicate_swizzle[0]],
                  i->predicate_not ? "==" : "!=", e->deferred_discard ? " " : "");
    if (e->deferred_discard)
        emit_text(e, "if (!dead)");
    emit_text(e, i->predicated || e->deferred_discard ? " {\n" : "{\n");
    e->indent++;
}

static void close_block(struct emitter *e)
{
    e->indent--;
    emit_line(e, "}");
}

// Which components are stored: the buffer operand's mask, or (in the Aero dialect,
// where it has none) the value's.
static uint8_t store_mask(const struct ir_operand *buffer,
                          const struct ir_operand *value)
{
    if (buffer->mask)
        return buffer->mask;
    bool scalar = value->mask && !(value->mask & (value->mask - 1));
    return scalar ? 1 : value->mask;
}

static bool store(struct emitter *e, const struct ir_instruction *i)
{
    static const char names[] = "xyzw";
    bool raw = i->op == IR_STORE_RAW;
    const struct ir_operand *buffer = &i->operands[0];
    if (!raw && !needs_stride(e, i, buffer))
        return false;
    open_block(e, i);
    emit_indent(e);
    emit_text(e, "uint word = ");
    if (raw)
        raw_word(e, &i->operands[1]);
    else
        structured_word(e, buffer, &i->operands[1], 0, &i->operands[2], 0);
    emit_text(e, ";\n");
    emit_indent(e);
    emit_text(e, "uvec4 data = ");
    emit_source(e, &i->operands[raw ? 2 : 3], 'U');
    emit_text(e, ";\n");
    for (uint32_t c = 0, at = 0; c < 4; c++, at++)
        if (store_mask(buffer, &i->operands[raw ? 2 : 3]) >> c & 1)
            emit_line(e, "%c%u_store(word + %uu, data.%c);", letter(buffer),
                      buffer->index[0].base, at, names[c]);
    close_block(e);
    return true;
}

static bool is_signed(uint16_t op)
{
    return op == IR_ATOMIC_IMAX || op == IR_ATOMIC_IMIN || op == IR_IMM_ATOMIC_IMAX ||
           op == IR_IMM_ATOMIC_IMIN;
}

// Words are unsigned, so signed extrema go by compare and swap.
static void signed_atomic(struct emitter *e, const struct ir_instruction *i, char x,
                          uint32_t n, const struct ir_operand *value)
{
    bool max = i->op == IR_ATOMIC_IMAX || i->op == IR_IMM_ATOMIC_IMAX;
    emit_line(e, "uint seen = %c%u[word], old;", x, n);
    emit_line(e, "do {");
    emit_line(e, "  old = seen;");
    emit_indent(e);
    emit_text(e, "  seen = atomicCompSwap(%c%u[word], old, uint(%s(int(old), ", x, n,
              max ? "max" : "min");
    emit_scalar(e, value, 0, 'I');
    emit_text(e, ")));\n");
    emit_line(e, "} while (seen != old);");
    emit_line(e, "second = uvec4(seen);");
}

static void plain_atomic(struct emitter *e, const struct ir_instruction *i, char x,
                         uint32_t n, const struct ir_operand *value)
{
    emit_indent(e);
    emit_text(e, "second = uvec4(%s(%c%u[word], ", ir_ops[i->op].text, x, n);
    emit_scalar(e, value, 0, 'U');
    if (ir_ops[i->op].srcs == 4) {
        emit_text(e, ", ");
        emit_scalar(e, value + 1, 0, 'U');
    }
    emit_text(e, "));\n");
}

static void atomic_word(struct emitter *e, const struct ir_operand *buffer,
                        const struct ir_operand *address)
{
    emit_indent(e);
    emit_text(e, "uint word = ");
    if (structured(e, buffer))
        structured_word(e, buffer, address, 0, address, 1);
    else if (is_typed(e, buffer))
        emit_scalar(e, address, 0, 'U');
    else
        raw_word(e, address);
    emit_text(e, ";\n");
    emit_line(e, "second = uvec4(0u);");
}

static bool write_old(struct emitter *e, const struct ir_instruction *i)
{
    if (ir_ops[i->op].dsts && emit_begin_write(e, i, &i->operands[0], 'U')) {
        emit_text(e, "second");
        emit_end_write(e, i, &i->operands[0], 'U');
    }
    return true;
}

static bool atomic(struct emitter *e, const struct ir_instruction *i)
{
    const struct ir_operand *buffer = &i->operands[ir_ops[i->op].dsts];
    char x = letter(buffer);
    uint32_t n = buffer->index[0].base;
    uint8_t kind = x == 'u' ? e->shader->uavs[n].kind : IR_RESOURCE_RAW;
    if (kind == IR_RESOURCE_TEXTURE) { // unbound, as below
        emit_line(e, "second = uvec4(0u);");
        return write_old(e, i);
    }
    open_block(e, i);
    atomic_word(e, buffer, buffer + 1);
    emit_line(e, "if (word < uint(%c%u.length())) {", x, n);
    e->indent++;
    (is_signed(i->op) ? signed_atomic : plain_atomic)(e, i, x, n, buffer + 2);
    e->indent--;
    emit_line(e, "}");
    write_old(e, i);
    close_block(e);
    return true;
}

// A typed buffer that is not read may hold any format: none that is bound is served,
// and one that is not has no elements.
static void note_open_format(struct emitter *e, const struct ir_operand *uav)
{
    uint32_t n = uav->index[0].base;
    if (uav->file == IR_FILE_UAV && e->shader->uavs[n].kind != IR_RESOURCE_TEXTURE)
        e->out->open_uavs |= (uint8_t)(1u << n);
}

static bool buffer_info(struct emitter *e, const struct ir_instruction *i)
{
    const struct ir_operand *buffer = &i->operands[1];
    uint32_t n = buffer->index[0].base;
    char x = letter(buffer);
    bool none = x == 'u' && !ir_uav_is_words(e->shader, e->usage, n);
    if (none)
        note_open_format(e, buffer);
    if (!emit_begin_write(e, i, &i->operands[0], 'U'))
        return true;
    if (none)
        emit_text(e, "uvec4(0u)");
    else if (is_typed(e, buffer))
        emit_text(e, "uvec4(uint(u%u.length()))", n);
    else if (x == 't' && e->shader->textures[n].kind == IR_RESOURCE_TYPED_BUFFER)
        emit_text(e, "uvec4(textureSize(t%u))", n);
    else if (structured(e, buffer))
        emit_text(e, "uvec4(uint(%c%u.length()) / %uu)", x, n,
                  (x == 't' ? e->shader->textures[n] : e->shader->uavs[n]).stride / 4);
    else
        emit_text(e, "uvec4(uint(%c%u.length()) * 4u)", x, n);
    emit_end_write(e, i, &i->operands[0], 'U');
    return true;
}

static bool typed_load(struct emitter *e, const struct ir_instruction *i, bool bound)
{
    const struct ir_operand *uav = &i->operands[2];
    if (!emit_begin_write(e, i, &i->operands[0], 'U'))
        return true;
    if (bound) { // components that the format lacks are 0, 0, 1
        bool is_float = e->shader->uavs[uav->index[0].base].component == GV_DXBC_FLOAT;
        emit_text(e, "uvec4(u%u_load(", uav->index[0].base);
        emit_scalar(e, &i->operands[1], 0, 'U');
        emit_text(e, ").x, 0u, 0u, %s)", is_float ? "0x3f800000u" : "1u");
        emit_swizzle(e, uav);
    } else {
        emit_text(e, "uvec4(0u)");
    }
    emit_end_write(e, i, &i->operands[0], 'U');
    return true;
}

// Typed views of textures have no binding in any source so far: such a register is
// unbound, which Direct3D defines (loads give 0, stores do nothing).
static bool typed(struct emitter *e, const struct ir_instruction *i)
{
    bool is_load = i->op == IR_LD_UAV_TYPED;
    const struct ir_operand *uav = &i->operands[is_load ? 2 : 0];
    uint32_t n = uav->index[0].base;
    bool bound = is_typed(e, uav) && ir_uav_is_words(e->shader, e->usage, n);
    if (!bound)
        note_open_format(e, uav);
    if (is_load)
        return typed_load(e, i, bound);
    if (!bound)
        return true;
    open_block(e, i);
    emit_indent(e);
    emit_text(e, "u%u_store(", n);
    emit_scalar(e, &i->operands[1], 0, 'U');
    emit_text(e, ", ");
    emit_scalar(e, &i->operands[2], 0, 'U');
    emit_text(e, ");\n");
    close_block(e);
    return true;
}

// imm_atomic_alloc gives the count before it grew, imm_atomic_consume the one after it
// shrank.
static bool count(struct emitter *e, const struct ir_instruction *i)
{
    const struct ir_operand *uav = &i->operands[1];
    bool more = i->op == IR_IMM_ALLOC;
    uint32_t n = uav->index[0].base;
    if (uav->file != IR_FILE_UAV || e->shader->uavs[n].kind != IR_RESOURCE_STRUCTURED)
        return gv_fail(e->err, GV_ERR_FORMAT, i->offset, "%s of no structured buffer",
                       ir_ops[i->op].name);
    open_block(e, i);
    emit_line(e, "second = uvec4(0u);");
    emit_line(e, "if (c%u.length() > 0)", n);
    emit_line(e,
              more ? "  second = uvec4(atomicAdd(c%u[0], 1u));"
                   : "  second = uvec4(atomicAdd(c%u[0], 0xffffffffu) - 1u);",
              n);
    write_old(e, i);
    close_block(e);
    return true;
}

bool emit_buffer(struct emitter *e, const struct ir_instruction *i, bool *ok)
{
    switch ((enum ir_op)i->op) {
    case IR_LD_RAW:
    case IR_LD_STRUCTURED:
        *ok = load(e, i);
        return true;
    case IR_STORE_RAW:
    case IR_STORE_STRUCTURED:
        *ok = store(e, i);
        return true;
    case IR_BUFINFO:
        *ok = buffer_info(e, i);
        return true;
    case IR_LD_UAV_TYPED:
    case IR_STORE_UAV_TYPED:
        *ok = typed(e, i);
        return true;
    case IR_IMM_ALLOC:
    case IR_IMM_CONSUME:
        *ok = count(e, i);
        return true;
    default:
        if (i->op < IR_ATOMIC_AND || i->op > IR_IMM_ATOMIC_UMIN)
            return false;
        *ok = atomic(e, i);
        return true;
    }
}
