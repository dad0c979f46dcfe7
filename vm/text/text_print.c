// Code as text. A run of pushes, a call and a store is folded into one line if the
// assembler would make exactly these instructions of that line.
#include "vm/text/text_print.h"

#include "vm/decode.h"
#include "vm/formats.h"
#include "vm/text/text_assembler.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_WINDOW (2 * GV_MAX_ARGS + 2)

// The instructions not yet printed: pushes that may be the arguments of a call.
struct printer {
    const struct gv_payload *payload;
    struct gv_bytes *out;
    struct gv_text_sources *sources;
    struct gv_instruction window[MAX_WINDOW];
    size_t count;
    uint64_t command;       // the current one
    uint64_t next_resource; // state before the window
};

// ---- values ----

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Nine digits tell every float apart; NaN and infinities are their bits.
static void put_f32(struct gv_bytes *out, uint32_t bits)
{
    char text[32];
    float value;
    struct gv_number_text number;
    memcpy(&value, &bits, sizeof value);
    snprintf(text, sizeof text, "%.9g", (double)value);
    bool negative = text[0] == '-';
    bool exact = gv_number_parse(text + negative, &number) &&
                 bits_of((float)(negative ? -number.real : number.real)) == bits;
    if (exact)
        gv_bytes_printf(out, "%s", text);
    else
        gv_bytes_printf(out, "0x%08" PRIx32, bits);
}

static bool reads_as_number(const char *word)
{
    struct gv_number_text number;
    return gv_number_parse(word, &number);
}

static void put_flags(struct gv_bytes *out, enum gv_enum_id id, uint64_t value)
{
    bool first = true;
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t one = value & (uint64_t)1 << bit;
        const char *name = one ? gv_enum_value_name(id, one) : NULL;
        if (!one)
            continue;
        gv_bytes_printf(out, "%s", first ? "" : "|");
        if (name && !reads_as_number(name))
            gv_bytes_printf(out, "%s", name);
        else
            gv_bytes_printf(out, "0x%" PRIx64, one);
        first = false;
    }
    if (first)
        gv_bytes_printf(out, "0");
}

static void put_enum(struct gv_bytes *out, enum gv_enum_id id, uint64_t value)
{
    const char *name = gv_enum_value_name(id, value);
    if (gv_enum_is_flags(id))
        put_flags(out, id, value);
    else if (name && !reads_as_number(name))
        gv_bytes_printf(out, "%s", name);
    else
        gv_bytes_printf(out, "%" PRIu64, value);
}

static void put_number(struct gv_bytes *out, uint64_t value)
{
    if (value > INT64_MAX)
        gv_bytes_printf(out, "%" PRId64, (int64_t)value);
    else
        gv_bytes_printf(out, "%" PRIu64, value);
}

static void put_format(struct gv_bytes *out, uint64_t value)
{
    const struct gv_format_info *info = gv_format_info(value);
    if (info)
        gv_bytes_printf(out, "%s", info->name);
    else if (value == GV_FORMAT_NONE)
        gv_bytes_printf(out, "none");
    else
        gv_bytes_printf(out, "%" PRIu64, value);
}

static void put_plus(struct gv_bytes *out, uint64_t add)
{
    if (add)
        gv_bytes_printf(out, "+%" PRIu64, add);
}

void gv_text_print_string(struct gv_bytes *out, const char *text)
{
    gv_bytes_u8(out, '"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            gv_bytes_printf(out, "\\%c", *c);
        else if (*c < 0x20 || *c >= 0x7f)
            gv_bytes_printf(out, "\\x%02x", *c);
        else
            gv_bytes_u8(out, *c);
    }
    gv_bytes_u8(out, '"');
}

// ---- arguments ----

// One argument as it was pushed: the push, and ADD_IMM behind it or 0.
struct pushed {
    struct gv_instruction push;
    uint64_t add;
};

// Whether the assembler would push a value of this argument in this way. Uses of
// resources move `next`.
static bool is_canonical(const struct printer *p, const struct gv_arg_info *arg,
                         const struct pushed *v, uint64_t *next)
{
    bool optional;
    uint8_t op = v->push.op;
    bool handle =
        gv_arg_object_kind((enum gv_arg_kind)arg->kind, &optional) != GV_KIND_NONE;
    if (handle)
        return !v->add &&
               (op == GV_OP_LOAD_SLOT || (op == GV_OP_PUSH && v->push.operand == 0));
    if (arg->kind == GV_ARG_F32)
        return !v->add && ((op == GV_OP_PUSH_F32 && v->push.operand != 0) ||
                           (op == GV_OP_PUSH && v->push.operand == 0));
    if (arg->kind != GV_ARG_BYTES)
        return !v->add && op == GV_OP_PUSH &&
               (arg->kind != GV_ARG_U32 || v->push.operand <= INT64_MAX);
    if (op == GV_OP_RES || op == GV_OP_RES_NEXT) {
        uint64_t index = op == GV_OP_RES ? v->push.operand : *next;
        bool sound = (op == GV_OP_RES_NEXT) == (index == *next) &&
                     index < p->payload->resource_count;
        *next = index + 1;
        return sound;
    }
    return op == GV_OP_LOAD_SLOT ||
           (!v->add && (op == GV_OP_CONST || op == GV_OP_VOLATILE));
}

static void put_bytes_argument(struct printer *p, const struct pushed *v)
{
    uint64_t operand = v->push.operand;
    switch (v->push.op) {
    case GV_OP_CONST:
        gv_bytes_printf(p->out, "const");
        put_plus(p->out, operand);
        return;
    case GV_OP_VOLATILE:
        gv_bytes_printf(p->out, "vol");
        put_plus(p->out, operand);
        return;
    case GV_OP_LOAD_SLOT:
        gv_bytes_printf(p->out, "map s%" PRIu64, operand);
        break;
    default: // RES and RES_NEXT
        if (v->push.op == GV_OP_RES_NEXT)
            operand = p->next_resource;
        gv_bytes_printf(p->out, "res %" PRIu64, operand);
        p->next_resource = operand + 1;
        break;
    }
    put_plus(p->out, v->add);
}

static void put_argument(struct printer *p, const struct gv_arg_info *arg,
                         const struct pushed *v)
{
    uint64_t operand = v->push.operand;
    bool optional;
    if (arg->kind == GV_ARG_BYTES)
        put_bytes_argument(p, v);
    else if (gv_arg_object_kind((enum gv_arg_kind)arg->kind, &optional) != GV_KIND_NONE)
        gv_bytes_printf(p->out, v->push.op == GV_OP_PUSH ? "none" : "s%" PRIu64,
                        operand);
    else if (arg->kind == GV_ARG_F32)
        put_f32(p->out, (uint32_t)operand);
    else if (arg->kind == GV_ARG_ENUM || arg->kind == GV_ARG_FLAGS)
        put_enum(p->out, (enum gv_enum_id)arg->of, operand);
    else if (arg->kind == GV_ARG_FORMAT || arg->kind == GV_ARG_FORMAT_OPT)
        put_format(p->out, operand);
    else if (arg->kind == GV_ARG_BOOL && operand < 2)
        gv_bytes_printf(p->out, operand ? "true" : "false");
    else
        put_number(p->out, operand);
}

// ---- instructions ----

static void put_mnemonic(struct gv_bytes *out, const char *name)
{
    for (; *name; name++)
        gv_bytes_u8(
            out, (uint8_t)(*name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name));
}

static void put_command(struct printer *p, const struct gv_instruction *i)
{
    uint64_t by = i->op == GV_OP_CMD_NEXT ? 1 : i->operand;
    p->command += by;
    gv_text_print_sources(p->sources, p->command, p->out);
    gv_bytes_printf(p->out, "command %" PRIu64 "\n", p->command);
}

static void put_instruction(struct printer *p, const struct gv_instruction *i)
{
    const struct gv_op_info *info = &gv_op_infos[i->op];
    if (i->op == GV_OP_CMD || i->op == GV_OP_CMD_NEXT) {
        put_command(p, i);
        return;
    }
    gv_bytes_printf(p->out, "    ");
    put_mnemonic(p->out, info->name);
    if (i->op == GV_OP_CALL) {
        const struct gv_import *import = &p->payload->imports[i->operand];
        gv_bytes_printf(p->out, " %s", gv_call_infos[import->call].name);
    } else if (i->op == GV_OP_LOAD_SLOT || i->op == GV_OP_STORE_SLOT) {
        gv_bytes_printf(p->out, " s%" PRIu64, i->operand);
    } else if (info->operand == GV_OPERAND_F32) {
        gv_bytes_printf(p->out, " ");
        put_f32(p->out, (uint32_t)i->operand);
    } else if (info->operand == GV_OPERAND_SLEB) {
        gv_bytes_printf(p->out, " ");
        put_number(p->out, i->operand);
    } else if (info->operand == GV_OPERAND_ULEB) {
        gv_bytes_printf(p->out, " %" PRIu64, i->operand);
    }
    gv_bytes_printf(p->out, "\n");
    if (i->op == GV_OP_RES || i->op == GV_OP_FETCH)
        p->next_resource = i->operand + 1;
    if (i->op == GV_OP_RES_NEXT || i->op == GV_OP_FETCH_NEXT)
        p->next_resource++;
}

static void flush_window(struct printer *p, size_t keep)
{
    for (size_t i = 0; i + keep < p->count; i++)
        put_instruction(p, &p->window[i]);
    memmove(p->window, p->window + p->count - keep, keep * sizeof p->window[0]);
    p->count = keep;
}

// ---- calls ----

// Splits the end of the window into the pushes of a call's arguments, last first.
static bool split_arguments(const struct printer *p, size_t arg_count,
                            struct pushed *args, size_t *first)
{
    size_t at = p->count;
    for (size_t i = arg_count; i-- > 0;) {
        if (at == 0)
            return false;
        const struct gv_instruction *top = &p->window[--at];
        args[i].add = 0;
        if (top->op == GV_OP_ADD_IMM) {
            if (at == 0 || top->operand == 0 || top->operand > INT64_MAX)
                return false;
            args[i].add = top->operand;
            top = &p->window[--at];
        }
        args[i].push = *top;
    }
    *first = at;
    return true;
}

// Where RES_NEXT stands behind the instructions before `first`.
static uint64_t resource_before(const struct printer *p, size_t first)
{
    uint64_t next = p->next_resource;
    for (size_t i = 0; i < first; i++) {
        if (p->window[i].op == GV_OP_RES)
            next = p->window[i].operand + 1;
        if (p->window[i].op == GV_OP_RES_NEXT)
            next++;
    }
    return next;
}

static bool fold_call(struct printer *p, const struct gv_call_info *info,
                      const struct gv_instruction *store)
{
    struct pushed args[GV_MAX_ARGS] = { 0 };
    size_t first;
    if (!split_arguments(p, info->arg_count, args, &first))
        return false;
    uint64_t next = resource_before(p, first);
    for (size_t i = 0; i < info->arg_count; i++)
        if (!is_canonical(p, &info->args[i], &args[i], &next))
            return false;
    for (size_t i = 0; i < first; i++)
        put_instruction(p, &p->window[i]);
    gv_bytes_printf(p->out, "    ");
    if (store)
        gv_bytes_printf(p->out, "s%" PRIu64 " = ", store->operand);
    gv_bytes_printf(p->out, "%s(", info->name);
    for (size_t i = 0; i < info->arg_count; i++) {
        // Long rows name what they say.
        gv_bytes_printf(p->out, i ? ", " : "");
        if (info->arg_count > 4)
            gv_bytes_printf(p->out, "%s=", info->args[i].name);
        put_argument(p, &info->args[i], &args[i]);
    }
    gv_bytes_printf(p->out, ")\n");
    p->count = 0;
    return true;
}

// ---- chunks ----

static bool is_push(uint8_t op)
{
    return op == GV_OP_PUSH || op == GV_OP_PUSH_F32 || op == GV_OP_CONST ||
           op == GV_OP_VOLATILE || op == GV_OP_RES || op == GV_OP_RES_NEXT ||
           op == GV_OP_LOAD_SLOT || op == GV_OP_ADD_IMM;
}

static void put_rest_as_bytes(struct printer *p, const uint8_t *code, size_t size)
{
    gv_bytes_printf(p->out, "    .code hex");
    for (size_t i = 0; i < size; i++)
        gv_bytes_printf(p->out, " %02x", code[i]);
    gv_bytes_printf(p->out, "\n");
}

// The row of a call instruction whose import this program knows by that number.
static const struct gv_call_info *call_row(const struct printer *p,
                                           const struct gv_instruction *i)
{
    if (i->op != GV_OP_CALL || i->operand >= p->payload->import_count)
        return NULL;
    const struct gv_call_info *info =
        &gv_call_infos[p->payload->imports[i->operand].call];
    return info->name ? info : NULL;
}

static size_t print_one(struct printer *p, const uint8_t *code, size_t left,
                        const struct gv_instruction *i)
{
    const struct gv_call_info *info = call_row(p, i);
    struct gv_instruction store = { 0 };
    size_t extra = 0;
    if (is_push(i->op)) {
        if (p->count == MAX_WINDOW)
            flush_window(p, MAX_WINDOW / 2);
        p->window[p->count++] = *i;
        return 0;
    }
    if (info && info->result != GV_KIND_NONE && left)
        extra = gv_decode(code, left, &store);
    bool stored = extra && store.op == GV_OP_STORE_SLOT;
    if (info && fold_call(p, info, stored ? &store : NULL))
        return stored ? extra : 0;
    flush_window(p, 0);
    put_instruction(p, i);
    return 0;
}

void gv_text_print_chunk(const struct gv_payload *payload, const struct gv_chunk *chunk,
                         const uint8_t *code, struct gv_text_sources *sources,
                         struct gv_bytes *out)
{
    struct printer p = {
        .payload = payload,
        .out = out,
        .sources = sources,
        .command = chunk->first_command,
        .next_resource = chunk->first_resource,
    };
    for (size_t at = 0; at < chunk->size;) {
        struct gv_instruction i;
        size_t n = gv_decode(code + at, chunk->size - at, &i);
        if (n == 0 || (i.op == GV_OP_CALL && !call_row(&p, &i))) {
            flush_window(&p, 0);
            put_rest_as_bytes(&p, code + at, chunk->size - at);
            return;
        }
        at += n;
        at += print_one(&p, code + at, chunk->size - at, &i);
    }
    flush_window(&p, 0);
}
