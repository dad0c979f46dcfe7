// Operands as GLSL: registers, constants, swizzles, modifiers, masks.
#include "compiler/shader/d3d/emit_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char component_names[] = "xyzw";

void emit_text(struct emitter *e, const char *format, ...)
{
    char buffer[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    if (n > 0)
        gv_bytes_put(&e->body, buffer,
                     (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
}

void emit_swizzle(struct emitter *e, const struct ir_operand *o)
{
    static const char names[] = "xyzw";
    const uint8_t *s = o->swizzle;
    if (s[0] != 0 || s[1] != 1 || s[2] != 2 || s[3] != 3)
        emit_text(e, ".%c%c%c%c", names[s[0]], names[s[1]], names[s[2]], names[s[3]]);
}

void emit_indent(struct emitter *e)
{
    for (int i = 0; i < e->indent; i++)
        gv_bytes_put(&e->body, "  ", 2);
}

void emit_line(struct emitter *e, const char *format, ...)
{
    char buffer[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    emit_indent(e);
    if (n > 0)
        gv_bytes_put(&e->body, buffer,
                     (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
    gv_bytes_put(&e->body, "\n", 1);
}

// ---- literals ----

// Decimal where it reads back to the same bits; patterns for the rest.
static void float_literal(struct emitter *e, uint32_t bits)
{
    float value;
    memcpy(&value, &bits, 4);
    bool plain = fpclassify(value) == FP_NORMAL || bits == 0;
    if (!plain) {
        emit_text(e, "uintBitsToFloat(0x%08xu)", bits);
        return;
    }
    char text[40];
    snprintf(text, sizeof text, "%.9g", (double)value);
    bool real = strpbrk(text, ".e") != NULL;
    emit_text(e, "%s%s", text, real ? "" : ".0");
}

static void literal(struct emitter *e, uint32_t bits, char type)
{
    if (type == 'F')
        float_literal(e, bits);
    else if (type == 'I' && bits == 0x80000000u)
        emit_text(e, "int(0x80000000u)"); // no decimal form
    else if (type == 'I')
        emit_text(e, "%d", (int32_t)bits);
    else
        emit_text(e, "0x%xu", bits);
}

static void literal_vector(struct emitter *e, const struct ir_operand *o, char type)
{
    emit_text(e, type == 'F' ? "vec4(" : type == 'I' ? "ivec4(" : "uvec4(");
    bool same = true;
    for (int i = 1; i < 4; i++)
        same &= o->values[o->swizzle[i]] == o->values[o->swizzle[0]];
    for (int i = 0; i < (same ? 1 : 4); i++) {
        emit_text(e, i ? ", " : "");
        literal(e, o->values[o->swizzle[i]], type);
    }
    emit_text(e, ")");
}

// ---- registers ----

static void index_text(struct emitter *e, const struct ir_index *x)
{
    if (!x->relative) {
        emit_text(e, "%u", x->base);
        return;
    }
    struct ir_operand addend = ir_reg((enum ir_file)x->file, x->reg);
    memset(addend.swizzle, x->component, 4);
    if (x->file == IR_FILE_INDEXABLE) {
        addend.dims = 2;
        addend.index[1] = (struct ir_index){ .base = x->element };
    }
    emit_scalar(e, &addend, 0, 'I');
    if (x->base)
        emit_text(e, " + %u", x->base);
}

// An array element, the index kept below `count` where it is not a literal.
static void element(struct emitter *e, const struct ir_index *x, uint32_t count)
{
    emit_text(e, "[");
    if (x->relative)
        emit_text(e, "min(uint(");
    index_text(e, x);
    if (x->relative)
        emit_text(e, "), %uu)", count - 1);
    emit_text(e, "]");
}

uint32_t emit_cbuffer_size(const struct emitter *e, uint32_t slot)
{
    uint32_t declared = e->shader->cbuffer_size[slot];
    uint32_t used = e->usage->cbuffer_count[slot];
    uint32_t bound = 0;
    if (e->usage->cbuffer_relative[slot] && !declared)
        return GV_DXBC_MAX_CONSTANTS;
    if (e->usage->cbuffer_relative[slot] && e->shader->options &&
        slot < GV_DXBC_MAX_CBUFFERS)
        bound = e->shader->options->constants[slot];
    declared = declared > bound ? declared : bound;
    return declared > used ? declared : used;
}

static const struct ir_definition *find_definition(const struct emitter *e,
                                                   uint32_t slot, uint32_t index)
{
    const struct ir_shader *s = e->shader;
    for (size_t i = s->definition_count; i-- > 0;) // the last one wins
        if (s->definitions[i].slot == slot && s->definitions[i].index == index)
            return &s->definitions[i];
    return NULL;
}

static void constant(struct emitter *e, const struct ir_operand *o)
{
    uint32_t slot = o->index[0].base;
    const struct ir_definition *d = NULL;
    if (o->index[1].relative) {
        emit_text(e, "cb%u_at(", slot);
        index_text(e, &o->index[1]);
        emit_text(e, ")");
        return;
    }
    d = find_definition(e, slot, o->index[1].base);
    if (d)
        emit_text(e, "uvec4(0x%xu, 0x%xu, 0x%xu, 0x%xu)", d->values[0], d->values[1],
                  d->values[2], d->values[3]);
    else
        emit_text(e, "cb%u[%u]", slot, o->index[1].base);
}

// A register of a file that becomes one array when indexed by a register.
static void numbered(struct emitter *e, const char *name, const struct ir_index *x,
                     bool array)
{
    if (array) {
        emit_text(e, "%s", name);
        element(e, x, GV_DXBC_MAX_REGISTERS);
    } else {
        emit_text(e, "%s%u", name, x->base);
    }
}

static void input(struct emitter *e, const struct ir_operand *o)
{
    numbered(e, "v", &o->index[0], e->usage->inputs_relative);
    if (o->dims > 1)
        element(e, &o->index[1], e->usage->vertex_count);
    else if (e->shader->stage == GV_DXBC_HULL)
        emit_text(e, "[gl_InvocationID]"); // the invocation's own control point
}

static bool patch_phase(const struct emitter *e)
{
    return e->phase == IR_PHASE_FORK || e->phase == IR_PHASE_JOIN;
}

// The register alone, without swizzle.
// Files of which there is one register.
static const char *const names[IR_FILE_COUNT] = {
    [IR_FILE_NULL] = "scratch",
    [IR_FILE_DEPTH] = "oDepth",
    [IR_FILE_COVERAGE] = "oMask",
    [IR_FILE_STENCIL] = "oStencilRef",
    [IR_FILE_COVERAGE_IN] = "uvec4(gl_SampleMaskIn[0])",
    [IR_FILE_DOMAIN_POINT] = "asuint(vec4(gl_TessCoord, 0.0))",
    [IR_FILE_POINT_ID] = "uvec4(gl_InvocationID)",
    [IR_FILE_FORK_ID] = "uvec4(instance_id)",
    [IR_FILE_JOIN_ID] = "uvec4(instance_id)",
    [IR_FILE_GS_INSTANCE_ID] = "uvec4(gl_InvocationID)",
    [IR_FILE_THREAD_ID] = "uvec4(gl_GlobalInvocationID, 0u)",
    [IR_FILE_GROUP_ID] = "uvec4(gl_WorkGroupID, 0u)",
    [IR_FILE_LOCAL_ID] = "uvec4(gl_LocalInvocationID, 0u)",
    [IR_FILE_LOCAL_INDEX] = "uvec4(gl_LocalInvocationIndex)",
    [IR_FILE_POSITION_9] = "asuint(vec4(floor(gl_FragCoord.xy), 0.0, 1.0))",
    [IR_FILE_FACE_9] = "asuint(vec4(gl_FrontFacing ? 1.0 : -1.0))",
};

static void indexable(struct emitter *e, const struct ir_operand *o)
{
    const uint32_t n = o->index[0].base;
    const uint32_t declared = e->shader->indexable_size[n];
    const uint32_t used = e->usage->indexable[n];
    emit_text(e, "x%u", n);
    element(e, &o->index[1], declared > used ? declared : used);
}

static void name(struct emitter *e, const struct ir_operand *o)
{
    switch (o->file) {
    case IR_FILE_TEMP:
        emit_text(e, "r%u", o->index[0].base);
        break;
    case IR_FILE_INDEXABLE:
        indexable(e, o);
        break;
    case IR_FILE_INPUT:
        input(e, o);
        break;
    case IR_FILE_OUTPUT:
        numbered(e, patch_phase(e) ? "pc" : "o", &o->index[0],
                 patch_phase(e) ? e->usage->patch_outputs_relative
                                : e->usage->outputs_relative);
        break;
    case IR_FILE_CBUFFER:
        constant(e, o);
        break;
    case IR_FILE_ICB:
        emit_text(e, "icb_at(");
        index_text(e, &o->index[0]);
        emit_text(e, ")");
        break;
    case IR_FILE_PREDICATE:
        emit_text(e, "p%u", o->index[0].base);
        break;
    case IR_FILE_ADDRESS:
        emit_text(e, o->index[0].base ? "aL" : "a0");
        break;
    case IR_FILE_PATCH:
        if (e->shader->stage == GV_DXBC_HULL)
            emit_text(e, "pc%u", o->index[0].base);
        else
            emit_text(e, "vpc%u", o->index[0].base);
        break;
    case IR_FILE_CONTROL_OUT:
        emit_text(e, "asuint(out%u", o->index[0].base);
        element(e, &o->index[1], ir_output_points(e->shader));
        emit_text(e, ")");
        break;
    case IR_FILE_PRIMITIVE_ID:
        emit_text(e, e->shader->stage == GV_DXBC_GEOMETRY ? "uvec4(gl_PrimitiveIDIn)"
                                                          : "uvec4(gl_PrimitiveID)");
        break;
    default:
        emit_text(e, "%s", names[o->file] ? names[o->file] : "scratch");
        break;
    }
}

static void swizzle(struct emitter *e, const uint8_t s[4])
{
    if (s[0] == 0 && s[1] == 1 && s[2] == 2 && s[3] == 3)
        return;
    emit_text(e, ".%c%c%c%c", component_names[s[0]], component_names[s[1]],
              component_names[s[2]], component_names[s[3]]);
}

// ---- sources ----

static void open_modifiers(struct emitter *e, const struct ir_operand *o)
{
    if (o->modifiers & IR_NEGATE)
        emit_text(e, "(-");
    if (o->modifiers & IR_ABS)
        emit_text(e, "abs(");
}

static void close_modifiers(struct emitter *e, const struct ir_operand *o)
{
    if (o->modifiers & IR_ABS)
        emit_text(e, ")");
    if (o->modifiers & IR_NEGATE)
        emit_text(e, ")");
}

static void value(struct emitter *e, const struct ir_operand *o, char type)
{
    if (o->file == IR_FILE_IMMEDIATE) {
        literal_vector(e, o, type);
        return;
    }
    emit_text(e, type == 'F' ? "asfloat(" : type == 'I' ? "ivec4(" : "");
    name(e, o);
    swizzle(e, o->swizzle);
    emit_text(e, type == 'U' ? "" : ")");
}

static void doubles(struct emitter *e, const struct ir_operand *o)
{
    emit_text(e, "d3d_doubles(");
    value(e, o, 'U');
    emit_text(e, ")");
}

// Modifiers belong to the number, so modified bits take a detour through it.
static char number_type(const struct ir_operand *o, char type)
{
    if (!o->modifiers)
        return type;
    if (type == 'R')
        return 'F';
    if (type == 'U')
        return 'I';
    return type;
}

void emit_source(struct emitter *e, const struct ir_operand *o, char type)
{
    char number = number_type(o, type);
    bool bits = type == 'R' || type == 'U';
    if (bits && !o->modifiers) {
        value(e, o, 'U');
        return;
    }
    if (bits)
        emit_text(e, type == 'R' ? "asuint(" : "uvec4(");
    open_modifiers(e, o);
    if (type == 'D')
        doubles(e, o);
    else
        value(e, o, number);
    close_modifiers(e, o);
    if (bits)
        emit_text(e, ")");
}

static void scalar_literal(struct emitter *e, const struct ir_operand *o, uint8_t from,
                           char type)
{
    bool detour = type == 'U' && o->modifiers;
    emit_text(e, detour ? "uint(" : "");
    open_modifiers(e, o);
    literal(e, o->values[from], number_type(o, type));
    close_modifiers(e, o);
    emit_text(e, detour ? ")" : "");
}

void emit_scalar(struct emitter *e, const struct ir_operand *o, int component,
                 char type)
{
    uint8_t from = o->swizzle[component];
    if (o->file == IR_FILE_IMMEDIATE) {
        scalar_literal(e, o, from, type);
        return;
    }
    bool bits = type == 'U';
    bool detour = bits && o->modifiers;
    char number = number_type(o, type);
    emit_text(e, detour ? "uint(" : "");
    open_modifiers(e, o);
    emit_text(e, number == 'F' ? "asfloat(" : number == 'I' ? "int(" : "");
    name(e, o);
    emit_text(e, ".%c", component_names[from]);
    emit_text(e, number == 'U' ? "" : ")");
    close_modifiers(e, o);
    emit_text(e, detour ? ")" : "");
}

// ---- destinations ----

void emit_target(struct emitter *e, const struct ir_operand *o)
{
    name(e, o);
}

static void mask_text(struct emitter *e, uint8_t mask)
{
    if (mask == 0xf)
        return;
    emit_text(e, ".");
    for (int i = 0; i < 4; i++)
        if (mask >> i & 1)
            emit_text(e, "%c", component_names[i]);
}

// Whether an expression of bits can be assigned without parentheses.
static bool bare(const struct ir_instruction *i, const struct ir_operand *dst)
{
    return dst->mask == 0xf && !i->predicated;
}

// What stands around an expression of type `result` so that it is bits.
struct wrap {
    const char *before, *after;
    bool pair; // two components
};

static struct wrap wrap(const struct ir_instruction *i, const struct ir_operand *dst,
                        char result)
{
    switch (result) {
    case 'F':
        return i->saturate ? (struct wrap){ "asuint(d3d_sat(", "))", false }
                           : (struct wrap){ "asuint(", ")", false };
    case 'D':
        return i->saturate ? (struct wrap){ "d3d_bits(d3d_dsat(", "))", false }
                           : (struct wrap){ "d3d_bits(", ")", false };
    case 'B':
        return (struct wrap){ "d3d_mask(", ")", false };
    case 'I':
        return (struct wrap){ "uvec4(", ")", false };
    case 'b':
        return (struct wrap){ "(uvec2(", ") * 0xffffffffu)", true };
    case 'f':
        return (struct wrap){ "asuint(", ")", true };
    case 'i':
    case 'u':
        return (struct wrap){ "uvec2(", ")", true };
    default:
        return i->saturate    ? (struct wrap){ "asuint(d3d_sat(asfloat(", ")))", false }
               : bare(i, dst) ? (struct wrap){ "", "", false }
                              : (struct wrap){ "(", ")", false };
    }
}

bool emit_begin_write(struct emitter *e, const struct ir_instruction *i,
                      const struct ir_operand *dst, char result)
{
    if (dst->file == IR_FILE_NULL || (dst->mask & 0xf) == 0)
        return false;
    emit_indent(e);
    name(e, dst);
    mask_text(e, dst->mask);
    emit_text(e, " = ");
    if (i->predicated) {
        emit_text(e, "mix(");
        name(e, dst);
        emit_text(e, ", ");
    }
    const struct wrap w = wrap(i, dst, result);
    emit_text(e, "%s", w.before);
    return true;
}

// The first two components of a mask take the two of a result.
static void spread(struct emitter *e, uint8_t mask)
{
    emit_text(e, ".");
    for (int i = 0; i < 4; i++)
        emit_text(e, mask & ((1u << i) - 1) ? "y" : "x");
}

void emit_end_write(struct emitter *e, const struct ir_instruction *i,
                    const struct ir_operand *dst, char result)
{
    const struct wrap w = wrap(i, dst, result);
    emit_text(e, "%s", w.after);
    if (w.pair)
        spread(e, dst->mask);
    if (i->predicated) {
        emit_text(e, i->predicate_not ? ", equal(p%u" : ", notEqual(p%u", i->predicate);
        swizzle(e, i->predicate_swizzle);
        emit_text(e, ", uvec4(0u)))");
    }
    mask_text(e, dst->mask);
    emit_text(e, ";\n");
}
