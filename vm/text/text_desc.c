// Descriptions in the text form: blocks of fields, encoded into a constant.
#include "vm/text/text_assembler.h"

#include "vm/desc_fields.h"

#include <stdlib.h>
#include <string.h>

// ---- fields by table ----

static bool boolean(struct gv_assembler *a, bool *value)
{
    bool is_true = gv_asm_is_word(a, "true") || gv_asm_is_word(a, "1");
    if (!is_true && !gv_asm_is_word(a, "false") && !gv_asm_is_word(a, "0"))
        return GV_TEXT_FAIL(a, "expected true or false, not \"%s\"", a->lex.token.text);
    *value = is_true;
    return gv_asm_next(a);
}

// The value of a field into its place in `object`.
static bool field_value(struct gv_assembler *a, const struct gv_desc_field *field,
                        void *object)
{
    char *at = (char *)object + field->offset;
    const struct gv_token token = a->lex.token;
    uint64_t wide = 0;
    uint32_t narrow;
    bool flag = false;
    switch (field->info.kind) {
    case GV_ARG_BOOL:
        if (!boolean(a, &flag))
            return false;
        memcpy(at, &flag, sizeof flag);
        return true;
    case GV_ARG_F32:
        if (!gv_asm_f32_bits(a, &narrow))
            return false;
        memcpy(at, &narrow, sizeof narrow); // fields of type float
        return true;
    case GV_ARG_U32:
        if (!gv_asm_integer(a, &wide))
            return false;
        break;
    case GV_ARG_FORMAT:
        if (!gv_asm_format(a, &wide))
            return false;
        break;
    default: // an enumeration
        if (!gv_asm_enum(a, field->info.of, &wide))
            return false;
        break;
    }
    if (wide > UINT32_MAX)
        return gv_token_fail(&token, a->err, "%s does not fit 32 bits",
                             field->info.name);
    narrow = (uint32_t)wide;
    memcpy(at, &narrow, sizeof narrow);
    return true;
}

static bool assign(struct gv_assembler *a, const struct gv_desc_field *fields,
                   const struct gv_token *name, void *object)
{
    const struct gv_desc_field *field = gv_desc_field_named(fields, name->text);
    if (!field)
        return gv_token_fail(name, a->err, "no field \"%s\"", name->text);
    return gv_asm_expect_mark(a, '=') && field_value(a, field, object);
}

// Options `name=N` up to the end of the line; `names` ends with NULL.
static bool options(struct gv_assembler *a, const char *const *names, uint64_t *values)
{
    while (!gv_asm_at_end(a) && !gv_asm_is_mark(a, '}')) {
        const struct gv_token name = a->lex.token;
        size_t i = 0;
        while (names[i] && !gv_asm_is_word(a, names[i]))
            i++;
        if (!names[i])
            return gv_token_fail(&name, a->err, "no option \"%s\"", name.text);
        if (!gv_asm_next(a) || !gv_asm_expect_mark(a, '=') ||
            !gv_asm_integer(a, &values[i]))
            return false;
    }
    return true;
}

// ---- blocks ----

// What a line of a block means; its first word has been stepped over.
typedef bool (*line_fn)(struct gv_assembler *a, const struct gv_token *word,
                        void *object);

static bool block(struct gv_assembler *a, line_fn line, void *object)
{
    if (!gv_asm_expect_mark(a, '{'))
        return false;
    for (;;) {
        while (a->lex.token.kind == GV_TOKEN_NEWLINE)
            if (!gv_asm_next(a))
                return false;
        if (gv_asm_is_mark(a, '}'))
            return gv_asm_next(a);
        const struct gv_token word = a->lex.token;
        if (!gv_asm_take_word(a, "a field") || !line(a, &word, object))
            return false;
        if (!gv_asm_at_end(a) && !gv_asm_is_mark(a, '}'))
            return GV_TEXT_FAIL(a, "unexpected \"%s\"", a->lex.token.text);
    }
}

// ---- interfaces ----

static int compare_bindings(const void *x, const void *y)
{
    const struct gv_binding_desc *a = x, *b = y;
    if (a->set != b->set)
        return a->set < b->set ? -1 : 1;
    return a->binding < b->binding ? -1 : a->binding > b->binding;
}

static int compare_specs(const void *x, const void *y)
{
    const struct gv_spec_constant *a = x, *b = y;
    if (a->stage != b->stage)
        return a->stage < b->stage ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static bool binding_line(struct gv_assembler *a, struct gv_interface_desc *interface)
{
    struct gv_binding_desc row = { .count = 1 };
    uint64_t type, stages;
    bool counted;
    if (interface->binding_count == GV_MAX_BINDINGS)
        return GV_TEXT_FAIL(a, "too many bindings");
    if (!gv_asm_u32(a, &row.set) || !gv_asm_u32(a, &row.binding) ||
        !gv_asm_enum(a, GV_ENUM_ID_BINDING, &type) ||
        !gv_asm_skip_word(a, "count", &counted))
        return false;
    if (counted && (!gv_asm_expect_mark(a, '=') || !gv_asm_u32(a, &row.count)))
        return false;
    if (!gv_asm_enum(a, GV_ENUM_ID_STAGE, &stages))
        return false;
    row.type = (uint32_t)type;
    row.stages = (uint32_t)stages;
    interface->bindings[interface->binding_count++] = row;
    qsort(interface->bindings, interface->binding_count, sizeof row, compare_bindings);
    return true;
}

static bool spec_line(struct gv_assembler *a, struct gv_interface_desc *interface)
{
    struct gv_spec_constant row;
    uint64_t stage;
    if (interface->spec_constant_count == GV_MAX_SPEC_CONSTANTS)
        return GV_TEXT_FAIL(a, "too many specialisation constants");
    if (!gv_asm_enum(a, GV_ENUM_ID_STAGE, &stage) || !gv_asm_u32(a, &row.id) ||
        !gv_asm_u32(a, &row.value))
        return false;
    row.stage = (uint32_t)stage;
    interface->spec_constants[interface->spec_constant_count++] = row;
    qsort(interface->spec_constants, interface->spec_constant_count, sizeof row,
          compare_specs);
    return true;
}

static bool interface_line(struct gv_assembler *a, const struct gv_token *word,
                           void *object)
{
    if (strcmp(word->text, "binding") == 0)
        return binding_line(a, object);
    if (strcmp(word->text, "spec") == 0)
        return spec_line(a, object);
    return gv_token_fail(word, a->err, "no field \"%s\"", word->text);
}

// ---- graphics ----

static bool vertex_binding_line(struct gv_assembler *a, struct gv_graphics_desc *desc)
{
    uint32_t slot, at;
    uint64_t rate = GV_INPUT_RATE_VERTEX, divisor = 1;
    bool found;
    if (desc->vertex_binding_count == GV_MAX_VERTEX_BINDINGS)
        return GV_TEXT_FAIL(a, "too many vertex bindings");
    if (!gv_asm_u32(a, &slot))
        return false;
    do {
        if (!gv_asm_skip_word(a, "rate", &found) ||
            (found && (!gv_asm_expect_mark(a, '=') ||
                       !gv_asm_enum(a, GV_ENUM_ID_INPUT_RATE, &rate))))
            return false;
    } while (found);
    if (!options(a, (const char *const[]){ "divisor", NULL }, &divisor))
        return false;
    for (at = desc->vertex_binding_count; at > 0; at--) { // ascending by slot
        if (desc->vertex_bindings[at - 1].slot < slot)
            break;
        desc->vertex_bindings[at] = desc->vertex_bindings[at - 1];
    }
    desc->vertex_bindings[at].slot = slot;
    desc->vertex_bindings[at].rate = (uint32_t)rate;
    desc->vertex_bindings[at].divisor = (uint32_t)divisor;
    desc->vertex_binding_count++;
    return true;
}

static bool attribute_line(struct gv_assembler *a, struct gv_graphics_desc *desc)
{
    uint32_t location, at;
    uint64_t slot[1] = { 0 }, format, offset[1] = { 0 };
    bool found = false;
    if (desc->vertex_attribute_count == GV_MAX_VERTEX_ATTRIBUTES)
        return GV_TEXT_FAIL(a, "too many vertex attributes");
    if (!gv_asm_u32(a, &location) || !gv_asm_skip_word(a, "slot", &found) ||
        (found && (!gv_asm_expect_mark(a, '=') || !gv_asm_integer(a, slot))))
        return false;
    if (!gv_asm_is_word(a, "format"))
        return GV_TEXT_FAIL(a, "an attribute needs format=");
    if (!gv_asm_next(a) || !gv_asm_expect_mark(a, '=') || !gv_asm_format(a, &format) ||
        !options(a, (const char *const[]){ "offset", NULL }, offset))
        return false;
    for (at = desc->vertex_attribute_count; at > 0; at--) { // ascending by location
        if (desc->vertex_attributes[at - 1].location < location)
            break;
        desc->vertex_attributes[at] = desc->vertex_attributes[at - 1];
    }
    desc->vertex_attributes[at].location = location;
    desc->vertex_attributes[at].slot = (uint32_t)slot[0];
    desc->vertex_attributes[at].format = (uint32_t)format;
    desc->vertex_attributes[at].offset = (uint32_t)offset[0];
    desc->vertex_attribute_count++;
    return true;
}

static bool target_index(struct gv_assembler *a, struct gv_graphics_desc *desc,
                         uint32_t *index)
{
    const struct gv_token token = a->lex.token;
    if (!gv_asm_u32(a, index))
        return false;
    if (*index >= GV_MAX_COLOR_ATTACHMENTS)
        return gv_token_fail(&token, a->err, "targets are numbered below %d",
                             GV_MAX_COLOR_ATTACHMENTS);
    if (desc->color_count <= *index)
        desc->color_count = *index + 1;
    return true;
}

static bool color_line(struct gv_assembler *a, struct gv_graphics_desc *desc)
{
    uint32_t index;
    uint64_t format;
    if (!target_index(a, desc, &index) || !gv_asm_format(a, &format))
        return false;
    desc->color_formats[index] = (uint32_t)format;
    return true;
}

static bool blend_line(struct gv_assembler *a, struct gv_graphics_desc *desc)
{
    uint32_t index;
    if (!target_index(a, desc, &index))
        return false;
    while (!gv_asm_at_end(a) && !gv_asm_is_mark(a, '}')) {
        const struct gv_token name = a->lex.token;
        if (!gv_asm_take_word(a, "a field of blend"))
            return false;
        if (strcmp(name.text, "enable") == 0)
            desc->blend[index].enable = true;
        else if (!assign(a, gv_blend_fields, &name, &desc->blend[index]))
            return false;
    }
    return true;
}

static bool stencil_line(struct gv_assembler *a, struct gv_stencil_desc *out)
{
    uint64_t fail, pass, depth_fail, compare;
    if (!gv_asm_enum(a, GV_ENUM_ID_STENCIL_OP, &fail) ||
        !gv_asm_enum(a, GV_ENUM_ID_STENCIL_OP, &pass) ||
        !gv_asm_enum(a, GV_ENUM_ID_STENCIL_OP, &depth_fail) ||
        !gv_asm_enum(a, GV_ENUM_ID_COMPARE, &compare))
        return false;
    *out = (struct gv_stencil_desc){ (uint32_t)fail, (uint32_t)pass,
                                     (uint32_t)depth_fail, (uint32_t)compare };
    return true;
}

static bool graphics_line(struct gv_assembler *a, const struct gv_token *word,
                          void *object)
{
    struct gv_graphics_desc *desc = object;
    const char *name = word->text;
    if (strcmp(name, "vertex_binding") == 0)
        return vertex_binding_line(a, desc);
    if (strcmp(name, "attribute") == 0)
        return attribute_line(a, desc);
    if (strcmp(name, "color") == 0)
        return color_line(a, desc);
    if (strcmp(name, "blend") == 0)
        return blend_line(a, desc);
    if (strcmp(name, "front") == 0)
        return stencil_line(a, &desc->front);
    if (strcmp(name, "back") == 0)
        return stencil_line(a, &desc->back);
    if (strcmp(name, "stencil") == 0) {
        bool ok = stencil_line(a, &desc->front);
        desc->back = desc->front;
        return ok;
    }
    if (strcmp(name, "binding") == 0 || strcmp(name, "spec") == 0)
        return interface_line(a, word, &desc->interface);
    return assign(a, gv_graphics_fields, word, desc);
}

// ---- directives ----

// The encoded description becomes a constant, if it decodes: what the block leaves out
// or contradicts is an error here and not in the run.
static bool finish(struct gv_assembler *a, const struct gv_token *name,
                   struct gv_bytes *bytes, bool sound, const struct gv_error *why)
{
    bool ok = sound ? gv_asm_add_constant(a, name, bytes, 1)
                    : gv_token_fail(name, a->err, "%s: %s", name->text, why->message);
    gv_bytes_finish(bytes);
    return ok;
}

bool gv_asm_directive_graphics(struct gv_assembler *a)
{
    const struct gv_token name = a->lex.token;
    struct gv_graphics_desc *desc = malloc(sizeof *desc);
    struct gv_error why = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    if (!desc)
        return gv_out_of_memory(a->err);
    gv_graphics_desc_default(desc);
    bool ok = gv_asm_take_word(a, "a name") && block(a, graphics_line, desc);
    if (ok) {
        gv_graphics_desc_encode(desc, &bytes);
        struct gv_cursor c = gv_cursor_make(bytes.data, bytes.size);
        bool sound = gv_graphics_desc_decode(&c, desc, &why);
        ok = finish(a, &name, &bytes, sound, &why);
    }
    free(desc);
    return ok;
}

bool gv_asm_directive_compute(struct gv_assembler *a)
{
    const struct gv_token name = a->lex.token;
    struct gv_compute_desc *desc = calloc(1, sizeof *desc);
    struct gv_error why = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    if (!desc)
        return gv_out_of_memory(a->err);
    bool ok =
        gv_asm_take_word(a, "a name") && block(a, interface_line, &desc->interface);
    if (ok) {
        gv_compute_desc_encode(desc, &bytes);
        struct gv_cursor c = gv_cursor_make(bytes.data, bytes.size);
        bool sound = gv_compute_desc_decode(&c, desc, &why);
        ok = finish(a, &name, &bytes, sound, &why);
    }
    free(desc);
    return ok;
}

static bool sampler_line(struct gv_assembler *a, const struct gv_token *word,
                         void *object)
{
    struct gv_sampler_desc *desc = object;
    if (strcmp(word->text, "border_values") != 0)
        return assign(a, gv_sampler_fields, word, desc);
    return gv_asm_expect_mark(a, '=') && gv_asm_u32(a, &desc->border_values[0]) &&
           gv_asm_u32(a, &desc->border_values[1]) &&
           gv_asm_u32(a, &desc->border_values[2]) &&
           gv_asm_u32(a, &desc->border_values[3]);
}

bool gv_asm_directive_sampler(struct gv_assembler *a)
{
    const struct gv_token name = a->lex.token;
    struct gv_sampler_desc desc = { .max_lod = 1000 };
    struct gv_error why = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    if (!gv_asm_take_word(a, "a name") || !block(a, sampler_line, &desc))
        return false;
    gv_sampler_desc_encode(&desc, &bytes);
    struct gv_cursor c = gv_cursor_make(bytes.data, bytes.size);
    bool sound = gv_sampler_desc_decode(&c, &desc, &why);
    return finish(a, &name, &bytes, sound, &why);
}

static bool range_line(struct gv_assembler *a, const struct gv_token *word,
                       void *object)
{
    static const char *const accesses[] = { [GV_RANGE_READ] = "read",
                                            [GV_RANGE_WRITE] = "write",
                                            [GV_RANGE_OVERWRITE] = "overwrite",
                                            [GV_RANGE_UNUSED] = "unused" };
    struct gv_dispatch_range range = { 0 };
    // element, offset, bytes, stride, rows
    uint64_t v[5] = { 0, 0, 0, 0, 1 };
    while (range.access <= GV_RANGE_UNUSED &&
           strcmp(word->text, accesses[range.access]) != 0)
        range.access++;
    if (range.access > GV_RANGE_UNUSED)
        return gv_token_fail(word, a->err, "expected read, write, overwrite or unused");
    if (!gv_asm_u32(a, &range.set) || !gv_asm_u32(a, &range.binding) ||
        !options(a,
                 (const char *const[]){ "element", "offset", "bytes", "stride", "rows",
                                        NULL },
                 v))
        return false;
    range.element = (uint32_t)v[0];
    range.offset = v[1];
    range.row_bytes = v[2];
    range.stride = v[3];
    range.rows = (uint32_t)v[4];
    gv_dispatch_ranges_encode(&range, 1, object);
    return true;
}

bool gv_asm_directive_ranges(struct gv_assembler *a)
{
    const struct gv_token name = a->lex.token;
    struct gv_bytes bytes = { 0 };
    struct gv_error why = GV_ERROR_INIT;
    struct gv_dispatch_range range;
    if (!gv_asm_take_word(a, "a name") || !block(a, range_line, &bytes)) {
        gv_bytes_finish(&bytes);
        return false;
    }
    struct gv_cursor c = gv_cursor_make(bytes.data, bytes.size);
    while (gv_dispatch_range_next(&c, &range))
        continue;
    if (c.bad)
        gv_fail(&why, GV_ERR_FORMAT, 0, "a range is malformed");
    return finish(a, &name, &bytes, !c.bad, &why);
}
