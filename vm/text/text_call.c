// Calls of the text form: CALL(ARGUMENT, ...) with names, defaults and enumerators.
#include "vm/text/text_assembler.h"

#include "vm/formats.h"
#include "vm/ops.h"

#include <string.h>

enum value_type {
    VALUE_NUMBER,
    VALUE_FLOAT, // bits
    VALUE_SLOT,
    VALUE_CONSTANT,
    VALUE_VOLATILE,
    VALUE_RESOURCE, // `value` is the index, `add` the offset
    VALUE_MAP,      // `value` is the slot, `add` the offset
};

struct value {
    bool given;
    enum value_type type;
    uint64_t value, add;
    uint64_t size; // of the whole thing named, 0 if unknown
};

struct call {
    const struct gv_call_info *info;
    enum gv_call code;
    struct gv_token name;
    struct value values[GV_MAX_ARGS];
};

static const char *const kind_names[GV_KIND_COUNT] = {
    [GV_KIND_NONE] = "none",     [GV_KIND_BUFFER] = "buffer",
    [GV_KIND_IMAGE] = "image",   [GV_KIND_SAMPLER] = "sampler",
    [GV_KIND_SHADER] = "shader", [GV_KIND_PIPELINE] = "pipeline",
    [GV_KIND_QUERY] = "query",   [GV_KIND_MAP] = "map",
};

const char *gv_text_kind_name(enum gv_kind kind)
{
    return kind_names[kind];
}

enum gv_kind gv_text_kind_find(const char *word)
{
    for (int kind = GV_KIND_NONE + 1; kind < GV_KIND_COUNT; kind++)
        if (strcmp(word, kind_names[kind]) == 0)
            return (enum gv_kind)kind;
    return GV_KIND_NONE;
}

// ---- values ----

static bool plus(struct gv_assembler *a, uint64_t *add)
{
    *add = 0;
    return !gv_asm_is_mark(a, '+') || gv_asm_integer(a, add);
}

// `const+N`, `vol+N`, `res N+M`, `map SLOT+N`.
static bool spaced_bytes(struct gv_assembler *a, struct value *v, bool *found)
{
    *found = true;
    if (gv_asm_is_word(a, "const") || gv_asm_is_word(a, "vol")) {
        v->type = gv_asm_is_word(a, "const") ? VALUE_CONSTANT : VALUE_VOLATILE;
        return gv_asm_next(a) && plus(a, &v->value);
    }
    if (gv_asm_is_word(a, "res")) {
        v->type = VALUE_RESOURCE;
        return gv_asm_next(a) && gv_asm_integer(a, &v->value) && plus(a, &v->add);
    }
    if (gv_asm_is_word(a, "map")) {
        v->type = VALUE_MAP;
        return gv_asm_next(a) && gv_asm_slot(a, &v->value) && plus(a, &v->add);
    }
    if (gv_asm_is_word(a, "none")) {
        v->type = VALUE_CONSTANT;
        return gv_asm_next(a);
    }
    *found = false;
    return true;
}

static bool bytes_value(struct gv_assembler *a, struct value *v)
{
    bool found;
    if (!spaced_bytes(a, v, &found))
        return false;
    if (found)
        return true;
    const struct gv_symbol *symbol =
        gv_asm_is_word(a, NULL) ? gv_asm_find(a, a->lex.token.text) : NULL;
    if (symbol && symbol->kind == GV_SYMBOL_CONSTANT)
        v->type = VALUE_CONSTANT;
    else if (symbol && symbol->kind == GV_SYMBOL_VOLATILE)
        v->type = VALUE_VOLATILE;
    else if (symbol && symbol->kind == GV_SYMBOL_RESOURCE)
        v->type = VALUE_RESOURCE;
    else
        return GV_TEXT_FAIL(a, "no constant, resource or memory \"%s\"",
                            a->lex.token.text);
    v->value = symbol->value;
    if (!gv_asm_next(a) || !plus(a, &v->add))
        return false;
    v->size = v->add <= symbol->size ? symbol->size - v->add : 0;
    if (v->type != VALUE_RESOURCE) {
        v->value += v->add;
        v->add = 0;
    }
    return true;
}

static bool handle_value(struct gv_assembler *a, struct value *v)
{
    if (gv_asm_is_word(a, "none") || gv_asm_is_word(a, "0")) {
        v->type = VALUE_NUMBER;
        return gv_asm_next(a);
    }
    v->type = VALUE_SLOT;
    return gv_asm_slot(a, &v->value);
}

static int swizzle_of(char c)
{
    static const char letters[] = "i01rgba"; // in the order of GV_SWIZZLE_*
    const char *at = c ? strchr(letters, c) : NULL;
    return at ? (int)(at - letters) : -1;
}

// `bgra`, `r001`: tells whether the word was one.
static bool swizzle_word(const struct gv_assembler *a, uint64_t *value)
{
    const struct gv_token *token = &a->lex.token;
    struct gv_number_text number;
    uint64_t packed = 0;
    if (token->kind != GV_TOKEN_WORD || token->length != 4 ||
        gv_number_parse(token->text, &number))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        int component = swizzle_of(token->text[i]);
        if (component < 0)
            return false;
        packed |= (uint64_t)component << (4 * i);
    }
    *value = packed;
    return true;
}

static bool number_value(struct gv_assembler *a, const struct gv_arg_info *arg,
                         struct value *v)
{
    const struct gv_symbol *symbol =
        a->lex.token.kind == GV_TOKEN_WORD || a->lex.token.kind == GV_TOKEN_STRING
            ? gv_asm_find(a, a->lex.token.text)
            : NULL;
    v->type = VALUE_NUMBER;
    if (strcmp(arg->name, "export") == 0 && symbol &&
        symbol->kind == GV_SYMBOL_EXPORT) {
        v->value = symbol->value;
        return gv_asm_next(a);
    }
    if (strcmp(arg->name, "swizzle") == 0 && swizzle_word(a, &v->value))
        return gv_asm_next(a);
    bool negative = gv_asm_is_mark(a, '-');
    if (!gv_asm_integer(a, &v->value))
        return false;
    if (negative && arg->kind == GV_ARG_U32)
        v->value = (uint32_t)v->value;
    return true;
}

static bool bool_value(struct gv_assembler *a, struct value *v)
{
    v->type = VALUE_NUMBER;
    if (!gv_asm_is_word(a, "true") && !gv_asm_is_word(a, "false"))
        return gv_asm_integer(a, &v->value);
    v->value = gv_asm_is_word(a, "true");
    return gv_asm_next(a);
}

static bool float_value(struct gv_assembler *a, struct value *v)
{
    uint32_t bits;
    if (!gv_asm_f32_bits(a, &bits))
        return false;
    v->type = VALUE_FLOAT;
    v->value = bits;
    return true;
}

static bool parse_value(struct gv_assembler *a, const struct gv_arg_info *arg,
                        struct value *v)
{
    v->given = true;
    switch ((enum gv_arg_kind)arg->kind) {
    case GV_ARG_U32:
    case GV_ARG_I32:
    case GV_ARG_U64:
    case GV_ARG_SIZE:
        return number_value(a, arg, v);
    case GV_ARG_F32:
        return float_value(a, v);
    case GV_ARG_BOOL:
        return bool_value(a, v);
    case GV_ARG_ENUM:
    case GV_ARG_FLAGS:
        v->type = VALUE_NUMBER;
        return gv_asm_enum(a, (enum gv_enum_id)arg->of, &v->value);
    case GV_ARG_FORMAT:
    case GV_ARG_FORMAT_OPT:
        v->type = VALUE_NUMBER;
        return gv_asm_format(a, &v->value);
    case GV_ARG_BYTES:
        return bytes_value(a, v);
    case GV_ARG_BUFFER:
    case GV_ARG_IMAGE:
    case GV_ARG_SAMPLER:
    case GV_ARG_SHADER:
    case GV_ARG_PIPELINE:
    case GV_ARG_QUERY:
    case GV_ARG_MAP:
    case GV_ARG_BUFFER_OPT:
    case GV_ARG_IMAGE_OPT:
    case GV_ARG_SAMPLER_OPT:
    case GV_ARG_SHADER_OPT:
        return handle_value(a, v);
    }
    return false;
}

// ---- arguments ----

// Whether the token names an argument of the call; a value may look like one, so the
// `=` behind it decides.
static bool named_argument(struct gv_assembler *a, const struct gv_call_info *info,
                           size_t *index)
{
    const struct gv_lexer before = a->lex;
    struct gv_error ignored = GV_ERROR_INIT;
    size_t i = 0;
    while (i < info->arg_count && !gv_asm_is_word(a, info->args[i].name))
        i++;
    if (!gv_asm_is_word(a, NULL))
        return false;
    a->lex.err = &ignored;
    bool assigned = gv_asm_next(a) && gv_asm_is_mark(a, '=');
    a->lex = before;
    if (assigned)
        *index = i; // arg_count: no such name
    return assigned;
}

static bool parse_arguments(struct gv_assembler *a, struct call *call)
{
    const struct gv_call_info *info = call->info;
    bool names = false;
    for (size_t position = 0; !gv_asm_is_mark(a, ')'); position++) {
        size_t index = position;
        const struct gv_token token = a->lex.token;
        if (named_argument(a, info, &index)) {
            names = true;
            if (!gv_asm_next(a) || !gv_asm_expect_mark(a, '='))
                return false;
        } else if (names) {
            return gv_token_fail(&token, a->err, "%s: a value behind names",
                                 info->name);
        }
        if (index >= info->arg_count && names)
            return gv_token_fail(&token, a->err, "%s: no argument \"%s\"", info->name,
                                 token.text);
        if (index >= info->arg_count)
            return gv_token_fail(&token, a->err, "%s: takes %u arguments", info->name,
                                 info->arg_count);
        if (call->values[index].given)
            return gv_token_fail(&token, a->err, "%s: \"%s\" stands twice", info->name,
                                 info->args[index].name);
        if (!parse_value(a, &info->args[index], &call->values[index]))
            return false;
        if (!gv_asm_is_mark(a, ')') && !gv_asm_expect_mark(a, ','))
            return false;
    }
    return gv_asm_next(a);
}

// Sizes, counts and levels whose usual value is 1.
static bool usually_one(const struct gv_call_info *info, const struct gv_arg_info *arg)
{
    static const char *const names[] = { "layers", "mips", "samples", "instance_count",
                                         "depth" };
    if (arg->kind != GV_ARG_U32 || strncmp(info->name, "bind_", 5) == 0)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(arg->name, names[i]) == 0)
            return true;
    return false;
}

static bool fill_default(struct gv_assembler *a, struct call *call, size_t i)
{
    const struct gv_arg_info *arg = &call->info->args[i];
    struct value *v = &call->values[i];
    bool optional;
    enum gv_kind object = gv_arg_object_kind((enum gv_arg_kind)arg->kind, &optional);
    bool needed = (object != GV_KIND_NONE && !optional) || arg->kind == GV_ARG_FORMAT;
    if (a->exact || needed)
        return gv_token_fail(&call->name, a->err, "%s: \"%s\" is missing",
                             call->info->name, arg->name);
    v->type = VALUE_NUMBER;
    if (arg->kind == GV_ARG_BYTES)
        v->type = VALUE_CONSTANT;
    else if (arg->kind == GV_ARG_SIZE && i > 0)
        v->value = call->values[i - 1].size;
    else if (arg->kind == GV_ARG_F32)
        v->type = VALUE_FLOAT;
    else if (arg->role == GV_ROLE_ASPECT)
        v->value = GV_ASPECT_COLOR;
    else if (usually_one(call->info, arg))
        v->value = 1;
    bool sized =
        arg->kind != GV_ARG_SIZE || i == 0 || v->value || !call->values[i - 1].given;
    return sized || gv_token_fail(&call->name, a->err, "%s: \"%s\" is missing",
                                  call->info->name, arg->name);
}

// ---- code ----

static void push_value(struct gv_assembler *a, const struct value *v)
{
    switch (v->type) {
    case VALUE_NUMBER:
        gv_asm_push(a, v->value);
        break;
    case VALUE_FLOAT:
        if (v->value)
            gv_asm_push_f32(a, (uint32_t)v->value);
        else
            gv_asm_push(a, 0);
        break;
    case VALUE_SLOT:
    case VALUE_MAP:
        gv_asm_op_uleb(a, GV_OP_LOAD_SLOT, v->value);
        break;
    case VALUE_CONSTANT:
        gv_asm_op_uleb(a, GV_OP_CONST, v->value);
        break;
    case VALUE_VOLATILE:
        gv_asm_op_uleb(a, GV_OP_VOLATILE, v->value);
        break;
    case VALUE_RESOURCE:
        gv_asm_resource(a, GV_OP_RES, (uint32_t)v->value);
        break;
    }
    if ((v->type == VALUE_RESOURCE || v->type == VALUE_MAP) && v->add) {
        gv_asm_op(a, GV_OP_ADD_IMM);
        gv_bytes_sleb(&a->code, (int64_t)v->add);
    }
}

static bool emit(struct gv_assembler *a, struct call *call)
{
    const struct gv_call_info *info = call->info;
    if (!gv_asm_open_chunk(a))
        return false;
    a->ended = false;
    for (size_t i = 0; i < info->arg_count; i++) {
        const struct value *v = &call->values[i];
        if (v->type == VALUE_RESOURCE && v->value >= UINT32_MAX)
            return gv_token_fail(&call->name, a->err, "no such resource");
        push_value(a, v);
        if (v->type == VALUE_VOLATILE && info->args[i].kind == GV_ARG_BYTES)
            gv_asm_touch_volatile(a, v->value, call->values[i + 1].value);
    }
    gv_asm_call(a, call->code);
    return true;
}

// ---- what a call means for the tables ----

static uint64_t named_value(const struct call *call, const char *name)
{
    for (size_t i = 0; i < call->info->arg_count; i++)
        if (strcmp(call->info->args[i].name, name) == 0)
            return call->values[i].value;
    return 0;
}

static uint64_t product(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

// An upper bound for what the object takes; mips together are below twice the first.
static uint64_t object_bytes(const struct call *call)
{
    if (call->code == GV_CALL_buffer_create)
        return named_value(call, "size");
    if (call->code != GV_CALL_image_create)
        return 0;
    const struct gv_format_info *format = gv_format_info(named_value(call, "format"));
    uint64_t texels = product(named_value(call, "width"), named_value(call, "height"));
    texels = product(texels, named_value(call, "depth"));
    texels = product(texels, named_value(call, "layers"));
    texels = product(texels, named_value(call, "samples"));
    uint64_t mips = named_value(call, "mips") > 1 ? 2 : 1;
    return product(texels, (format ? format->block_bytes : 16) * mips);
}

static void note_effects(struct gv_assembler *a, const struct call *call)
{
    uint64_t bytes = product(object_bytes(call), a->repeat[a->nesting]);
    uint64_t *all = &a->computed.object_bytes;
    *all = bytes > UINT64_MAX - *all ? UINT64_MAX : *all + bytes;
    if (call->code == GV_CALL_buffer_map) {
        a->last_map_size = named_value(call, "size");
        uint64_t *maps = &a->computed.map_bytes;
        bytes = product(a->last_map_size, a->repeat[a->nesting]);
        *maps = bytes > UINT64_MAX - *maps ? UINT64_MAX : *maps + bytes;
    }
    if (call->code == GV_CALL_present) {
        a->frame_width = (uint32_t)named_value(call, "width");
        a->frame_height = (uint32_t)named_value(call, "height");
    }
}

// ---- results ----

static bool store_result(struct gv_assembler *a, const struct call *call,
                         const struct gv_token *name)
{
    enum gv_kind kind = (enum gv_kind)call->info->result;
    uint64_t slot;
    uint32_t made;
    if (kind == GV_KIND_NONE)
        return gv_token_fail(name, a->err, "%s has no result", call->info->name);
    if (!gv_asm_find_slot(a, name->text, &slot)) {
        struct gv_slot_info info = { (uint8_t)kind, 0 };
        if (kind == GV_KIND_MAP)
            info.map_size = a->last_map_size;
        if (a->exact)
            return gv_token_fail(name, a->err, "no slot \"%s\"", name->text);
        if (!gv_asm_add_slot(a, info, &made) ||
            !gv_asm_define(a, name,
                           (struct gv_symbol){ .kind = GV_SYMBOL_SLOT, .value = made }))
            return false;
        slot = made;
    }
    gv_asm_op_uleb(a, GV_OP_STORE_SLOT, slot);
    return true;
}

bool gv_asm_call_statement(struct gv_assembler *a, const struct gv_token *name,
                           const struct gv_token *slot, enum gv_kind kind)
{
    int code = gv_call_find(name->text);
    if (code < 0)
        return gv_token_fail(name, a->err, "no call \"%s\"", name->text);
    struct call call = { .info = &gv_call_infos[code],
                         .code = (enum gv_call)code,
                         .name = *name };
    if (kind != GV_KIND_NONE && kind != (enum gv_kind)call.info->result)
        return gv_token_fail(name, a->err, "%s does not make a %s", name->text,
                             gv_text_kind_name(kind));
    if (!gv_asm_expect_mark(a, '(') || !parse_arguments(a, &call))
        return false;
    for (size_t i = 0; i < call.info->arg_count; i++)
        if (!call.values[i].given && !fill_default(a, &call, i))
            return false;
    if (!emit(a, &call))
        return false;
    note_effects(a, &call);
    if (slot && !store_result(a, &call, slot))
        return false;
    return call.code != GV_CALL_frame_end || gv_asm_end_frame(a);
}
