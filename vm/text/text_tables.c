// The tables of the text form: what a program states beside code and data, and all that
// exact text states.
#include "resources/base/checked.h"
#include "vm/payload/payload_segments.h"
#include "vm/text/text_assembler.h"

#include <stdlib.h>
#include <string.h>

// ---- slots and resources ----

bool gv_asm_add_slot(struct gv_assembler *a, struct gv_slot_info slot, uint32_t *number)
{
    *number = gv_writer_slot(a->writer, slot);
    gv_bytes_put(&a->slots, &slot, sizeof slot);
    return !a->slots.failed || gv_out_of_memory(a->err);
}

bool gv_asm_resource_size(const struct gv_assembler *a, uint64_t resource,
                          uint64_t *size)
{
    if (resource >= a->resource_sizes.size / sizeof *size)
        return false;
    memcpy(size, a->resource_sizes.data + (size_t)resource * sizeof *size,
           sizeof *size);
    return true;
}

// `name=N`; the name has been stepped over.
static bool assigned(struct gv_assembler *a, uint64_t *value)
{
    return gv_asm_expect_mark(a, '=') && gv_asm_integer(a, value);
}

static bool directive_slot(struct gv_assembler *a)
{
    const struct gv_token kind = a->lex.token;
    struct gv_token name = { .kind = GV_TOKEN_END };
    const char *word = gv_asm_take_word(a, "an object kind");
    struct gv_slot_info slot = { 0 };
    uint32_t number;
    if (!word)
        return false;
    slot.kind = (uint8_t)gv_text_kind_find(word);
    if (slot.kind == GV_KIND_NONE)
        return gv_token_fail(&kind, a->err, "\"%s\" is no object kind", word);
    if (gv_asm_is_word(a, NULL) && !gv_asm_is_word(a, "size")) {
        name = a->lex.token;
        if (!gv_asm_next(a))
            return false;
    }
    bool sized;
    if (!gv_asm_skip_word(a, "size", &sized) ||
        (sized && !assigned(a, &slot.map_size)) || !gv_asm_add_slot(a, slot, &number))
        return false;
    a->numbered_slots = (uint64_t)number + 1;
    const struct gv_symbol symbol = { .kind = GV_SYMBOL_SLOT, .value = number };
    return name.kind != GV_TOKEN_WORD || gv_asm_define(a, &name, symbol);
}

// ---- requirements, exports, diagnostics ----

static bool take_requirement(struct gv_assembler *a, struct gv_requirement *r)
{
    static const char *const kinds[] = { "feature", "extension", "limit", "format",
                                         "memory" };
    const struct gv_token token = a->lex.token;
    const char *kind = gv_asm_take_word(a, "a kind of requirement");
    if (!kind)
        return false;
    while (r->kind <= GV_REQUIRE_MEMORY && strcmp(kind, kinds[r->kind]) != 0)
        r->kind++;
    if (r->kind > GV_REQUIRE_MEMORY)
        return gv_token_fail(&token, a->err, "\"%s\" is no kind of requirement", kind);
    r->name = r->kind == GV_REQUIRE_MEMORY ? "" : gv_asm_take_string(a, "a name");
    if (!r->name)
        return false;
    if (!gv_asm_at_end(a) && !gv_asm_is_word(a, "fallback") &&
        !gv_asm_integer(a, &r->value))
        return false;
    bool found;
    if (!gv_asm_skip_word(a, "fallback", &found))
        return false;
    r->fallback = found ? gv_asm_take_string(a, "a fallback") : "";
    return r->fallback != NULL;
}

static bool directive_require(struct gv_assembler *a)
{
    struct gv_requirement r = { .strength = GV_NEEDED };
    for (int i = GV_PREFERRED; i < GV_STRENGTH_COUNT; i++) {
        bool stated;
        if (!gv_asm_skip_word(a, gv_requirement_strength_name((uint8_t)i), &stated))
            return false;
        if (!stated)
            continue;
        r.strength = (uint8_t)i;
        break;
    }
    if (!take_requirement(a, &r))
        return false;
    gv_writer_require(a->writer, &r);
    return true;
}

static bool directive_export(struct gv_assembler *a)
{
    const struct gv_token name = a->lex.token;
    struct gv_export e = { .name = gv_asm_take_string(a, "a name") };
    uint64_t format = 0;
    const char *kind = e.name ? gv_asm_take_word(a, "image or buffer") : NULL;
    if (!kind)
        return false;
    e.kind = (uint8_t)gv_text_kind_find(kind);
    if (e.kind != GV_KIND_BUFFER && e.kind != GV_KIND_IMAGE)
        return gv_token_fail(&name, a->err, "an export is an image or a buffer");
    if (!gv_asm_at_end(a) && !gv_asm_format(a, &format))
        return false;
    if (!gv_asm_at_end(a) && (!gv_asm_u32(a, &e.width) || !gv_asm_u32(a, &e.height)))
        return false;
    e.format = (uint32_t)format;
    uint32_t number = gv_writer_export(a->writer, &e);
    struct gv_token as_word = name;
    as_word.kind = GV_TOKEN_WORD;
    return a->exact || gv_asm_define(a, &as_word,
                                     (struct gv_symbol){ .kind = GV_SYMBOL_EXPORT,
                                                         .value = number });
}

static bool directive_diagnostic(struct gv_assembler *a)
{
    static const char *const severities[] = { "note", "warning", "unsupported" };
    const struct gv_token token = a->lex.token;
    struct gv_diagnostic d = { .command = GV_NO_COMMAND,
                               .offset = GV_NO_OFFSET,
                               .count = 1 };
    const char *word = gv_asm_take_word(a, "a severity");
    if (!word)
        return false;
    while (d.severity <= GV_UNSUPPORTED && strcmp(word, severities[d.severity]) != 0)
        d.severity++;
    if (d.severity > GV_UNSUPPORTED)
        return gv_token_fail(&token, a->err, "\"%s\" is no severity", word);
    d.code = gv_asm_take_string(a, "a code");
    while (d.code && a->lex.token.kind == GV_TOKEN_WORD) {
        const struct gv_token option = a->lex.token;
        uint64_t *value = strcmp(option.text, "command") == 0  ? &d.command
                          : strcmp(option.text, "offset") == 0 ? &d.offset
                          : strcmp(option.text, "count") == 0  ? &d.count
                                                               : NULL;
        if (!value)
            return gv_token_fail(&option, a->err, "no option \"%s\"", option.text);
        if (!gv_asm_next(a) || !assigned(a, value))
            return false;
    }
    d.text = d.code ? gv_asm_take_string(a, "a text") : NULL;
    if (!d.text)
        return false;
    gv_writer_diagnostic(a->writer, &d);
    return true;
}

// "draw", "frame", "target"
static bool source_kind(struct gv_assembler *a, const struct gv_token *word,
                        uint8_t *kinds)
{
    for (unsigned i = 0; i < GV_COMMAND_KINDS; i++) {
        if (strcmp(word->text, gv_command_kind_name(i)) != 0)
            continue;
        *kinds |= (uint8_t)(1u << i);
        return gv_asm_next(a);
    }
    return gv_token_fail(word, a->err, "no kind of command \"%s\"", word->text);
}

static bool directive_source(struct gv_assembler *a)
{
    struct gv_source_row row = { 0 };
    if (!gv_asm_integer(a, &row.command) || !gv_asm_integer(a, &row.offset))
        return false;
    row.number = row.command;
    row.name = gv_asm_take_string(a, "a name");
    while (row.name && a->lex.token.kind == GV_TOKEN_WORD) {
        const struct gv_token word = a->lex.token;
        bool number = strcmp(word.text, "number") == 0;
        if (!(number ? gv_asm_next(a) && assigned(a, &row.number)
                     : source_kind(a, &word, &row.kinds)))
            return false;
    }
    if (!row.name)
        return false;
    if (row.number >= GV_MAX_COMMAND_NUMBER)
        return GV_TEXT_FAIL(a, "commands have numbers below 2^48");
    gv_writer_source(a->writer, &row);
    return true;
}

static bool directive_provenance(struct gv_assembler *a)
{
    const char *json = gv_asm_take_string(a, "JSON");
    if (!json)
        return false;
    gv_writer_provenance(a->writer, json);
    return true;
}

static bool directive_limits(struct gv_assembler *a)
{
    struct gv_limits limits = { 0 };
    if (!a->exact)
        limits = a->stated;
    while (!gv_asm_at_end(a)) {
        const struct gv_token token = a->lex.token;
        const char *name = gv_asm_take_word(a, "a limit");
        uint64_t value;
        if (!name || !assigned(a, &value))
            return false;
        bool narrow = strcmp(name, "stack") == 0 || strcmp(name, "objects") == 0;
        if (narrow && value > UINT32_MAX)
            return gv_token_fail(&token, a->err, "the limit does not fit 32 bits");
        if (strcmp(name, "volatile") == 0)
            limits.volatile_bytes = value;
        else if (strcmp(name, "maps") == 0)
            limits.map_bytes = value;
        else if (strcmp(name, "stack") == 0)
            limits.stack_cells = (uint32_t)value;
        else if (strcmp(name, "objects") == 0)
            limits.objects = (uint32_t)value;
        else if (strcmp(name, "instructions") == 0)
            limits.instructions = value;
        else if (strcmp(name, "object_bytes") == 0)
            limits.object_bytes = value;
        else
            return gv_token_fail(&token, a->err, "\"%s\" is no limit", name);
    }
    if (a->exact)
        gv_writer_limits(a->writer, &limits);
    else
        a->stated = limits;
    return true;
}

// ---- exact text ----

static bool directive_import(struct gv_assembler *a)
{
    const struct gv_token token = a->lex.token;
    uint64_t signature;
    if (!gv_asm_take_word(a, "a call"))
        return false;
    int call = gv_call_find(token.text);
    if (call < 0)
        return gv_token_fail(&token, a->err, "no call \"%s\"", token.text);
    gv_writer_import(a->writer, (enum gv_call)call);
    if (gv_asm_at_end(a))
        return true;
    if (!gv_asm_integer(a, &signature))
        return false;
    return signature == gv_call_signature((enum gv_call)call) ||
           gv_token_fail(&token, a->err, "%s has another signature here", token.text);
}

static bool directive_constants(struct gv_assembler *a)
{
    struct gv_bytes bytes = { 0 };
    bool ok = gv_asm_data(a, &bytes);
    if (ok)
        gv_writer_constant(a->writer, bytes.data, bytes.size, 1);
    gv_bytes_finish(&bytes);
    return ok;
}

// The bytes of a group come from the payload whose text this is.
static bool fetch_group(struct gv_assembler *a, const struct gv_token *token,
                        const struct gv_text_group *group, uint8_t *data)
{
    struct gv_error mine = GV_ERROR_INIT;
    struct gv_fetch item = { group->hash, group->size, data, false };
    if (!a->params->resources)
        return gv_token_fail(token, a->err, "the bytes of group %s are not at hand",
                             token->text);
    if (!a->source)
        a->source = gv_payload_open_source(a->params->resources, a->err);
    if (!a->source)
        return false;
    if (!a->source->fetch(a->source, &item, 1, &mine))
        return gv_token_fail(token, a->err, "%s", mine.message);
    return item.found ||
           gv_token_fail(token, a->err, "no group %s in the payload", token->text);
}

static bool measure_group(struct gv_assembler *a, const struct gv_token *token,
                          const struct gv_writer_group *group, uint64_t *size)
{
    *size = 0;
    for (size_t i = 0; i < group->count; i++)
        if (group->sizes[i] == 0 || group->sizes[i] > GV_MAX_GROUP_BYTES ||
            !gv_align_u64(*size, GV_RESOURCE_ALIGNMENT, size) ||
            !gv_add_u64(*size, group->sizes[i], size) || *size > GV_MAX_GROUP_BYTES)
            return gv_token_fail(token, a->err, "the group has an impossible size");
    return group->count || gv_token_fail(token, a->err, "the group is empty");
}

static bool find_dictionary(struct gv_assembler *a, const struct gv_token *token,
                            const struct gv_writer_group *group,
                            struct gv_text_group *found)
{
    if (group->dictionary >= a->groups.size / sizeof *found)
        return gv_token_fail(token, a->err,
                             "the group's dictionary is not a group before it");
    memcpy(found, a->groups.data + group->dictionary * sizeof *found, sizeof *found);
    return found->size <= GV_DICTIONARY_OBJECT ||
           gv_token_fail(token, a->err, "the group's dictionary is too large");
}

static bool add_group(struct gv_assembler *a, const struct gv_token *token,
                      struct gv_writer_group *group)
{
    struct gv_text_group own = { .hash = group->hash }, dictionary = { .size = 0 };
    if (!measure_group(a, token, group, &own.size) ||
        (group->has_dictionary && !find_dictionary(a, token, group, &dictionary)))
        return false;
    gv_bytes_put(&a->groups, &own, sizeof own);
    if (a->groups.failed)
        return gv_out_of_memory(a->err);
    if (a->thin) {
        gv_writer_group(a->writer, group);
        return true;
    }
    uint8_t *raw = malloc((size_t)own.size);
    uint8_t *other = dictionary.size ? malloc((size_t)dictionary.size) : NULL;
    bool ok = (raw && (other || !dictionary.size)) || gv_out_of_memory(a->err);
    ok = ok && fetch_group(a, token, &own, raw) &&
         (!other || fetch_group(a, token, &dictionary, other));
    group->raw = (struct gv_span){ raw, (size_t)own.size };
    group->dictionary_raw = (struct gv_span){ other, (size_t)dictionary.size };
    if (ok)
        gv_writer_group(a->writer, group);
    free(raw);
    free(other);
    return ok;
}

static bool read_sizes(struct gv_assembler *a, const struct gv_token *token,
                       struct gv_writer_group *group)
{
    size_t first = a->resource_sizes.size;
    while (!gv_asm_at_end(a)) {
        uint64_t size;
        if (!gv_asm_integer(a, &size))
            return false;
        gv_bytes_put(&a->resource_sizes, &size, sizeof size);
    }
    if (a->resource_sizes.failed)
        return gv_out_of_memory(a->err);
    group->count = (a->resource_sizes.size - first) / sizeof(uint64_t);
    uint64_t *sizes = malloc((group->count + 1) * sizeof *sizes); // aligned
    if (!sizes)
        return gv_out_of_memory(a->err);
    if (group->count)
        memcpy(sizes, a->resource_sizes.data + first, group->count * sizeof *sizes);
    group->sizes = sizes;
    bool ok = add_group(a, token, group);
    free(sizes);
    return ok;
}

static bool directive_group(struct gv_assembler *a)
{
    const struct gv_token token = a->lex.token;
    struct gv_writer_group group = { 0 };
    uint64_t dictionary = 0;
    if (!gv_asm_take_word(a, "a content id"))
        return false;
    if (!a->exact)
        return gv_token_fail(&token, a->err, ".group belongs to exact text");
    if (token.length + 1 != GV_HASH_HEX || !gv_hash_from_hex(token.text, &group.hash))
        return gv_token_fail(&token, a->err, "\"%s\" is no content id", token.text);
    if (!gv_asm_skip_word(a, "dictionary", &group.has_dictionary) ||
        (group.has_dictionary && !assigned(a, &dictionary)))
        return false;
    group.dictionary = dictionary < UINT32_MAX ? (uint32_t)dictionary : UINT32_MAX;
    return read_sizes(a, &token, &group);
}

static bool directive_use(struct gv_assembler *a)
{
    while (!gv_asm_at_end(a)) {
        const struct gv_token token = a->lex.token;
        uint32_t from, to;
        if (!gv_asm_u32(a, &from))
            return false;
        to = from;
        if (gv_asm_is_mark(a, '-') && (!gv_asm_next(a) || !gv_asm_u32(a, &to)))
            return false;
        if (to < from || to >= a->resource_sizes.size / sizeof(uint64_t))
            return gv_token_fail(&token, a->err, "no such resources");
        for (uint32_t i = from; i <= to; i++)
            gv_writer_use(a->writer, i);
    }
    return true;
}

static bool directive_chunk(struct gv_assembler *a)
{
    uint64_t command = 0, resource = 0;
    const struct gv_token token = a->lex.token;
    if (!a->exact)
        return GV_TEXT_FAIL(a, ".chunk belongs to exact text");
    if (!gv_asm_close_chunk(a))
        return false;
    if (!gv_asm_is_word(a, "command") || !gv_asm_next(a) || !assigned(a, &command) ||
        !gv_asm_is_word(a, "resource") || !gv_asm_next(a) || !assigned(a, &resource))
        return gv_token_fail(&token, a->err, "expected command=N resource=N");
    if (resource > UINT32_MAX)
        return gv_token_fail(&token, a->err, "no such resource");
    a->chunk_open = true;
    a->command = a->chunk_command = command;
    a->next_resource = a->chunk_resource = (uint32_t)resource;
    return true;
}

// Behind all chunks. What code it has is up to the verifier.
static bool directive_keyframe(struct gv_assembler *a)
{
    struct gv_keyframe k = { 0 };
    bool device = false, driver = false;
    const struct gv_token token = a->lex.token;
    if (!a->exact)
        return GV_TEXT_FAIL(a, ".keyframe belongs to exact text");
    uint64_t stack = 0;
    if (!gv_asm_close_chunk(a))
        return false;
    if (!gv_asm_is_word(a, "frame") || !gv_asm_next(a) || !assigned(a, &k.frame) ||
        !gv_asm_is_word(a, "stack") || !gv_asm_next(a) || !assigned(a, &stack) ||
        !gv_asm_skip_word(a, "exact", &k.exact) ||
        !gv_asm_skip_word(a, "exports", &k.exports) ||
        !gv_asm_skip_word(a, "device", &device) || !device ||
        !(k.device = gv_asm_take_string(a, "a device")) ||
        !gv_asm_skip_word(a, "driver", &driver) || !driver ||
        !(k.driver = gv_asm_take_string(a, "a driver")))
        return gv_token_fail(&token, a->err,
                             "expected frame=N stack=N [exact] [exports] device "
                             "\"NAME\" driver \"NAME\"");
    if (stack > GV_MAX_STACK_CELLS)
        return gv_token_fail(&token, a->err, "no such stack");
    k.stack_cells = (uint32_t)stack;
    a->keyframe = k;
    a->chunk_open = a->in_keyframe = true;
    a->next_resource = a->chunk_resource = 0;
    return true;
}

static bool directive_code(struct gv_assembler *a)
{
    return gv_asm_open_chunk(a) && gv_asm_data(a, &a->code);
}

static bool keyed(struct gv_assembler *a, const char *key)
{
    if (!gv_asm_is_word(a, key))
        return GV_TEXT_FAIL(a, "expected %s=", key);
    return gv_asm_next(a) && gv_asm_expect_mark(a, '=');
}

// WxH reads as one word.
static bool picture_size(struct gv_assembler *a, struct gv_frame *frame)
{
    const struct gv_token token = a->lex.token;
    char *x, *end;
    if (!gv_asm_take_word(a, "WxH"))
        return false;
    unsigned long width = strtoul(token.text, &x, 10);
    unsigned long height = *x == 'x' ? strtoul(x + 1, &end, 10) : 0;
    if (x == token.text || *x != 'x' || end == x + 1 || *end || width > UINT32_MAX ||
        height > UINT32_MAX)
        return gv_token_fail(&token, a->err, "expected WxH");
    frame->width = (uint32_t)width;
    frame->height = (uint32_t)height;
    return true;
}

static bool directive_frame(struct gv_assembler *a)
{
    struct gv_frame frame = { .chunk_begin = a->last_frame.chunk_end };
    uint32_t chunks;
    if (!a->exact)
        return GV_TEXT_FAIL(a, ".frame belongs to exact text");
    if (!keyed(a, "chunks") || !gv_asm_u32(a, &chunks) || !keyed(a, "commands") ||
        !gv_asm_integer(a, &frame.command_begin) || !gv_asm_expect_mark(a, '-') ||
        !gv_asm_integer(a, &frame.command_end) || !keyed(a, "size") ||
        !picture_size(a, &frame) || !keyed(a, "schedule") ||
        !gv_asm_integer(a, &frame.schedule))
        return false;
    if (chunks > UINT32_MAX - frame.chunk_begin)
        return GV_TEXT_FAIL(a, "too many chunks");
    frame.chunk_end = frame.chunk_begin + chunks;
    gv_writer_frame(a->writer, &frame);
    a->last_frame = frame;
    return true;
}

static bool directive_pace(struct gv_assembler *a)
{
    uint32_t frame;
    struct gv_pace pace = { 0 };
    if (!keyed(a, "frame") || !gv_asm_u32(a, &frame) || !keyed(a, "rate") ||
        !gv_asm_u32(a, &pace.rate) || !keyed(a, "per") || !gv_asm_u32(a, &pace.per) ||
        !keyed(a, "width") || !gv_asm_u32(a, &pace.width) || !keyed(a, "height") ||
        !gv_asm_u32(a, &pace.height))
        return false;
    pace.frame = frame;
    gv_writer_pace(a->writer, &pace);
    return true;
}

static bool directive_flush(struct gv_assembler *a)
{
    return gv_asm_close_chunk(a) && gv_writer_flush(a->writer, true, a->err);
}

bool gv_asm_directive_table(struct gv_assembler *a, const char *name, bool *ok)
{
    static const struct {
        const char *name;
        bool (*perform)(struct gv_assembler *a);
    } rows[] = {
        { ".slot", directive_slot },
        { ".require", directive_require },
        { ".export", directive_export },
        { ".diagnostic", directive_diagnostic },
        { ".source", directive_source },
        { ".provenance", directive_provenance },
        { ".limits", directive_limits },
        { ".import", directive_import },
        { ".constants", directive_constants },
        { ".group", directive_group },
        { ".use", directive_use },
        { ".chunk", directive_chunk },
        { ".keyframe", directive_keyframe },
        { ".code", directive_code },
        { ".frame", directive_frame },
        { ".pace", directive_pace },
        { ".flush", directive_flush },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(name, rows[i].name) == 0) {
            *ok = rows[i].perform(a);
            return true;
        }
    return false;
}
