#define _GNU_SOURCE // memmem
#include "compiler/shader/d3d/dxbc_emit.h"

#include <string.h>

#include "compiler/shader/d3d/emit_internal.h"

// Expands a template: $n is source n.
static void expand(struct emitter *e, const struct ir_instruction *i, const char *text)
{
    const struct ir_op_info *info = &ir_ops[i->op];
    for (; *text; text++) {
        if (text[0] != '$') {
            gv_bytes_put(&e->body, text, 1);
            continue;
        }
        uint32_t n = (uint32_t)(*++text - '0');
        emit_source(e, &i->operands[info->dsts + n], info->args[n]);
    }
}

// Wide multiplications whose high word nobody wants are plain ones.
static const char *low_word_text(uint16_t op)
{
    if (op == IR_UMUL || op == IR_IMUL)
        return "$0 * $1";
    if (op == IR_UMAD_WIDE || op == IR_IMAD_WIDE)
        return "$0 * $1 + $2";
    return NULL;
}

static void write(struct emitter *e, const struct ir_instruction *i,
                  const struct ir_operand *dst, const char *text)
{
    char result = ir_ops[i->op].result;
    if (!emit_begin_write(e, i, dst, result))
        return;
    expand(e, i, text);
    emit_end_write(e, i, dst, result);
}

static void write_pair(struct emitter *e, const struct ir_instruction *i)
{
    const struct ir_operand *first = &i->operands[0], *second = &i->operands[1];
    const char *low = low_word_text(i->op);
    if (first->file == IR_FILE_NULL && low) {
        write(e, i, second, low);
        return;
    }
    // The result is kept apart until both are written: the second may be a source.
    struct ir_operand scratch = ir_reg(IR_FILE_NULL, 0);
    char result = ir_ops[i->op].result;
    emit_indent(e);
    emit_target(e, &scratch);
    emit_text(e, result == 'F' ? " = asuint(" : " = uvec4(");
    expand(e, i, ir_ops[i->op].text);
    emit_text(e, ");\n");
    bool to_float = result == 'F';
    if (emit_begin_write(e, i, first, to_float ? 'F' : 'U')) {
        emit_text(e, to_float ? "asfloat(scratch)" : "scratch");
        emit_end_write(e, i, first, to_float ? 'F' : 'U');
    }
    if (emit_begin_write(e, i, second, to_float ? 'F' : 'U')) {
        emit_text(e, to_float ? "asfloat(second)" : "second");
        emit_end_write(e, i, second, to_float ? 'F' : 'U');
    }
}

static bool emit_instruction(struct emitter *e, const struct ir_instruction *i)
{
    const struct ir_op_info *info = &ir_ops[i->op];
    bool ok = true;
    if (emit_flow(e, i, &ok) || emit_texture(e, i, &ok) || emit_buffer(e, i, &ok))
        return ok;
    if (!info->text || info->result == '-')
        return gv_fail(e->err, GV_ERR_UNSUPPORTED, i->offset, "unsupported: %s",
                       info->name);
    if (info->dsts == 2)
        write_pair(e, i);
    else
        write(e, i, &i->operands[0], info->text);
    return true;
}

// Subroutines are functions of their own, behind the phase they stand in.
static void emit_label(struct emitter *e, const struct ir_instruction *i)
{
    e->indent--;
    emit_line(e, "}");
    emit_line(e, "void label%u()", i->operands[0].index[0].base);
    emit_line(e, "{");
    e->indent++;
}

static void emit_prototypes(struct emitter *e)
{
    for (size_t k = 0; k < e->shader->instruction_count; k++)
        if (e->shader->instructions[k].op == IR_LABEL)
            emit_line(e, "void label%u();",
                      e->shader->instructions[k].operands[0].index[0].base);
}

static bool emit_code(struct emitter *e, const struct ir_phase *phase)
{
    for (size_t k = phase->first; k < phase->first + phase->count; k++) {
        const struct ir_instruction *i = &e->shader->instructions[k];
        bool last = k + 1 == phase->first + phase->count;
        if (last && i->op == IR_RET && !i->predicated)
            break; // falling off the end says the same
        if (i->op == IR_LABEL) {
            emit_label(e, i);
            continue;
        }
        if (!emit_instruction(e, i))
            return false;
    }
    return true;
}

static bool emit_phase(struct emitter *e, size_t n)
{
    const struct ir_phase *phase = &e->shader->phases[n];
    e->phase = (enum ir_phase_kind)phase->kind;
    emit_line(e, "void phase%zu()", n);
    emit_line(e, "{");
    e->indent++;
    if (!emit_code(e, phase))
        return false;
    e->indent--;
    emit_line(e, "}");
    return true;
}

static void emit_main(struct emitter *e)
{
    e->phase = IR_PHASE_MAIN;
    emit_line(e, "void main()");
    emit_line(e, "{");
    emit_line(e, "  load_inputs();");
    emit_line(e, "  phase0();");
    if (e->deferred_discard)
        emit_line(e, "  if (dead)\n    discard;");
    if (e->shader->stage != GV_DXBC_GEOMETRY && e->shader->stage != GV_DXBC_COMPUTE)
        emit_line(e, "  store_outputs();");
    emit_line(e, "}");
}

static const char head[] = "#version 460\n";
static const char definitions[] = "#define asfloat uintBitsToFloat\n"
                                  "#define asuint floatBitsToUint\n";

static const char cube_array_level_0[] =
    "#extension GL_EXT_spirv_intrinsics : require\n"
    "spirv_instruction(id = 90) float " EMIT_CUBE_ARRAY_LEVEL_0
    "(samplerCubeArrayShadow s, vec4 p, float r, spirv_literal int operands, float "
    "lod);\n";

static bool mentions(const struct gv_bytes *text, const char *word)
{
    return text->size && memmem(text->data, text->size, word, strlen(word));
}

static void put(struct gv_bytes *out, const struct gv_bytes *text)
{
    if (text->size)
        gv_bytes_put(out, text->data, text->size);
}

static bool assemble(struct emitter *e)
{
    struct gv_bytes text = { 0 }, tail = { 0 };
    enum gv_dxbc_stage stage = e->shader->stage;
    emit_helpers(&tail, (const char *)e->body.data, e->body.size);
    put(&tail, &e->body);
    gv_bytes_put(&text, head, strlen(head));
    if (mentions(&e->interface, "= {}"))
        gv_bytes_printf(&text, "#extension GL_EXT_null_initializer : require\n");
    if (e->out->texture_count)
        gv_bytes_printf(&text,
                        "#extension GL_EXT_samplerless_texture_functions : require\n");
    if ((mentions(&tail, "gl_Layer") || mentions(&tail, "gl_ViewportIndex")) &&
        (stage == GV_DXBC_VERTEX || stage == GV_DXBC_DOMAIN))
        gv_bytes_printf(&text,
                        "#extension GL_ARB_shader_viewport_layer_array : require\n");
    if (mentions(&tail, EMIT_CUBE_ARRAY_LEVEL_0))
        gv_bytes_printf(&text, "%s", cube_array_level_0);
    gv_bytes_put(&text, definitions, strlen(definitions));
    put(&text, &e->interface);
    if (mentions(&tail, "second") || mentions(&tail, "scratch"))
        gv_bytes_printf(&text, "uvec4 scratch, second;\n");
    put(&text, &tail);
    bool ok = !text.failed && !tail.failed && !e->body.failed && !e->interface.failed;
    if (ok)
        e->out->glsl = gv_arena_copy(e->shader->arena, text.data, text.size);
    gv_bytes_finish(&text);
    gv_bytes_finish(&tail);
    return (ok && e->out->glsl) || gv_out_of_memory(e->err);
}

static bool emit_all(struct emitter *e)
{
    if (!emit_resources(e) || !emit_interface(e))
        return false;
    emit_prototypes(e);
    for (size_t n = 0; n < e->shader->phase_count; n++)
        if (!emit_phase(e, n))
            return false;
    if (e->shader->stage == GV_DXBC_HULL) {
        if (!emit_hull(e))
            return false;
    } else {
        emit_main(e);
    }
    return assemble(e);
}

bool dxbc_emit(const struct ir_shader *shader, struct gv_dxbc_shader *out,
               struct gv_error *err)
{
    struct ir_usage *usage = gv_arena_alloc(shader->arena, sizeof *usage);
    if (!usage)
        return gv_out_of_memory(err);
    ir_scan(shader, usage);
    struct emitter e = { .shader = shader, .usage = usage, .out = out, .err = err };
    e.deferred_discard = usage->discards && usage->derivatives;
    bool ok = emit_all(&e);
    gv_bytes_finish(&e.interface);
    gv_bytes_finish(&e.body);
    return ok;
}
