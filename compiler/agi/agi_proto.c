#include "compiler/agi/agi_proto.h"

#include "resources/base/cursor.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TYPES (1u << 16)
#define MOST_FIELDS (1u << 12) // of a type
#define MOST_DEPTH 64          // of messages in messages

// How a value stands in a message.
enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

struct value {
    uint32_t number; // of the field
    unsigned wire;
    uint64_t integer;
    size_t begin, size; // of bytes, in the message
};

static bool bad(const struct gv_agi_message *m, size_t at, struct gv_error *err,
                const char *what)
{
    return gv_fail(err, GV_ERR_FORMAT, m->offset + at, "%s: %s",
                   m->type ? m->type->name : "a type's definition", what);
}

// NULL, or what is wrong.
static const char *read_value(struct gv_cursor *c, struct value *out)
{
    const uint64_t key = gv_cursor_uleb(c);
    *out = (struct value){ .wire = (unsigned)(key & 7) };
    if (c->bad)
        return "a field's key that ends early or is over 10 bytes";
    if (key >> 3 == 0 || key >> 3 > UINT32_MAX >> 3)
        return "a field of a number that no message has";
    out->number = (uint32_t)(key >> 3);
    switch (out->wire) {
    case WIRE_VARINT:
        out->integer = gv_cursor_uleb(c);
        return c->bad ? "an integer that ends early or is over 10 bytes" : NULL;
    case WIRE_64:
        out->integer = gv_cursor_u64(c);
        break;
    case WIRE_32:
        out->integer = gv_cursor_u32(c);
        break;
    case WIRE_BYTES: {
        const uint64_t size = gv_cursor_uleb(c);
        out->begin = c->pos;
        if (c->bad || size > gv_cursor_left(c))
            return "bytes past the end of their message";
        out->size = (size_t)size;
        gv_cursor_take(c, out->size);
        break;
    }
    default:
        return "a field of a wire type that there is not";
    }
    return c->bad ? "a field past the end of its message" : NULL;
}

// ---- types ----

static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
    return hash ? hash : 1;
}

struct named_type {
    struct gv_agi_mapped_object head;
    const struct gv_agi_type *type;
};

void gv_agi_types_init(struct gv_agi_types *types, struct gv_arena *arena)
{
    *types = (struct gv_agi_types){ .arena = arena };
    gv_agi_map_init(&types->names, arena, sizeof(struct named_type), MOST_TYPES);
}

void gv_agi_types_finish(struct gv_agi_types *types)
{
    free((void *)types->list);
    types->list = NULL;
}

const struct gv_agi_type *gv_agi_types_find(const struct gv_agi_types *types,
                                            const char *name)
{
    const struct named_type *n = gv_agi_map_find(&types->names, hash_of(name));
    return n && !strcmp(n->type->name, name) ? n->type : NULL;
}

static bool has_nul(const struct gv_agi_message *m, const struct value *v)
{
    return v->size && memchr(m->data + v->begin, 0, v->size);
}

// A google.protobuf.FieldDescriptorProto.
static bool read_field(const struct gv_agi_types *types, const struct gv_agi_message *m,
                       struct gv_agi_field *out, struct gv_error *err)
{
    enum { NAME = 1, NUMBER = 3, LABEL = 4, TYPE = 5, TYPE_NAME = 6, REPEATED = 3 };
    struct gv_cursor c = gv_cursor_make(m->data, m->size);
    while (gv_cursor_left(&c)) {
        struct value v;
        const size_t at = c.pos;
        const char *wrong = read_value(&c, &v);
        if (wrong || ((v.number == NAME || v.number == TYPE_NAME) &&
                      (v.wire != WIRE_BYTES || has_nul(m, &v))))
            return bad(m, at, err, wrong ? wrong : "a name that is no text");
        if (v.number == NAME || v.number == TYPE_NAME) {
            const bool dot = v.number == TYPE_NAME && v.size && m->data[v.begin] == '.';
            const char *text =
                gv_arena_copy(types->arena, m->data + v.begin + dot, v.size - dot);
            if (!text)
                return gv_out_of_memory(err);
            *(v.number == NAME ? &out->name : &out->message) = text;
        } else if (v.number == NUMBER) {
            out->number = (uint32_t)v.integer;
        } else if (v.number == LABEL) {
            out->repeated = v.integer == REPEATED;
        } else if (v.number == TYPE) {
            if (v.integer < GV_AGI_DOUBLE || v.integer > GV_AGI_SINT64)
                return bad(m, at, err, "a field of a type that there is not");
            out->kind = (enum gv_agi_kind)v.integer;
        }
    }
    return (out->name && out->number && out->kind) ||
           bad(m, 0, err, "a field without name, number or type");
}

static int by_number(const void *a, const void *b)
{
    const struct gv_agi_field *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static uint32_t count_fields(const struct gv_agi_message *m)
{
    struct gv_cursor c = gv_cursor_make(m->data, m->size);
    struct value v;
    uint32_t count = 0;
    while (gv_cursor_left(&c) && !read_value(&c, &v))
        count += v.number == 2 && count <= MOST_FIELDS;
    return count;
}

static bool read_fields(const struct gv_agi_types *types,
                        const struct gv_agi_message *m, struct gv_agi_type *type,
                        struct gv_error *err)
{
    const uint32_t room = count_fields(m);
    if (room > MOST_FIELDS)
        return gv_fail(err, GV_ERR_LIMIT, m->offset, "%s: more than %u fields",
                       type->name, MOST_FIELDS);
    type->fields = gv_arena_array(types->arena, room, sizeof *type->fields);
    if (!type->fields)
        return gv_out_of_memory(err);
    struct gv_cursor c = gv_cursor_make(m->data, m->size);
    while (gv_cursor_left(&c)) {
        struct value v;
        const size_t at = c.pos;
        const char *wrong = read_value(&c, &v);
        if (wrong)
            return bad(m, at, err, wrong);
        if (v.number != 2)
            continue;
        const struct gv_agi_message field = { .data = m->data + v.begin,
                                              .size = v.size,
                                              .offset = m->offset + v.begin };
        if (v.wire != WIRE_BYTES)
            return bad(m, at, err, "a field that is no message");
        if (!read_field(types, &field, &type->fields[type->count++], err))
            return false;
    }
    qsort(type->fields, type->count, sizeof *type->fields, by_number);
    for (uint32_t i = 1; i < type->count; i++)
        if (type->fields[i].number == type->fields[i - 1].number)
            return bad(m, 0, err, "two fields of one number");
    return true;
}

static bool make_room(struct gv_agi_types *types, struct gv_error *err)
{
    if (types->count < types->capacity)
        return true;
    const uint32_t capacity = types->capacity ? 2 * types->capacity : 64;
    struct gv_agi_type **more = realloc((void *)types->list, capacity * sizeof(void *));
    if (!more)
        return gv_out_of_memory(err);
    types->list = more;
    types->capacity = capacity;
    return true;
}

bool gv_agi_types_add(struct gv_agi_types *types, const char *name,
                      const struct gv_agi_message *descriptor, struct gv_error *err)
{
    struct gv_agi_type *type = gv_arena_alloc(types->arena, sizeof *type);
    if (types->count >= MOST_TYPES)
        return gv_fail(err, GV_ERR_LIMIT, descriptor->offset, "more than %u types",
                       MOST_TYPES);
    if (!type || !make_room(types, err))
        return gv_out_of_memory(err);
    type->name = name;
    if (!read_fields(types, descriptor, type, err))
        return false;
    types->list[types->count++] = type;
    type->number = types->count;
    // A name's first definition is the one that is found by it.
    const uint64_t hash = hash_of(name);
    if (gv_agi_map_find(&types->names, hash))
        return true;
    struct named_type *named = gv_agi_map_add(&types->names, hash);
    if (!named)
        return gv_out_of_memory(err);
    named->type = type;
    return true;
}

// ---- messages ----

static struct gv_agi_field *field_numbered(const struct gv_agi_type *type,
                                           uint32_t number)
{
    const struct gv_agi_field key = { .number = number };
    return type && type->count
               ? bsearch(&key, type->fields, type->count, sizeof key, by_number)
               : NULL;
}

static unsigned wire_of(enum gv_agi_kind kind)
{
    switch (kind) {
    case GV_AGI_DOUBLE:
    case GV_AGI_FIXED64:
    case GV_AGI_SFIXED64:
        return WIRE_64;
    case GV_AGI_FLOAT:
    case GV_AGI_FIXED32:
    case GV_AGI_SFIXED32:
        return WIRE_32;
    case GV_AGI_STRING:
    case GV_AGI_BYTES:
    case GV_AGI_MESSAGE:
        return WIRE_BYTES;
    default:
        return WIRE_VARINT;
    }
}

// One element of a packed field.
static bool take_packed(struct gv_cursor *c, enum gv_agi_kind kind, uint64_t *out)
{
    const unsigned wire = wire_of(kind);
    *out = wire == WIRE_64   ? gv_cursor_u64(c)
           : wire == WIRE_32 ? gv_cursor_u32(c)
                             : gv_cursor_uleb(c);
    return !c->bad;
}

static bool check_packed(const struct gv_agi_message *m, const struct value *v,
                         enum gv_agi_kind kind, struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(m->data + v->begin, v->size);
    uint64_t number;
    while (gv_cursor_left(&c)) {
        const size_t at = c.pos;
        if (!take_packed(&c, kind, &number))
            return bad(m, v->begin + at, err,
                       "a number that ends early or is over 10 bytes");
    }
    return true;
}

static bool check(const struct gv_agi_types *types, const struct gv_agi_message *m,
                  unsigned depth, struct gv_error *err);

static bool check_value(const struct gv_agi_types *types,
                        const struct gv_agi_message *m, struct gv_agi_field *field,
                        const struct value *v, unsigned depth, struct gv_error *err)
{
    const unsigned wire = wire_of(field->kind);
    if (wire != WIRE_BYTES && v->wire == WIRE_BYTES && field->repeated)
        return check_packed(m, v, field->kind, err);
    if (v->wire != wire)
        return bad(m, v->begin, err, "a field in another form than its type has");
    if (field->kind != GV_AGI_MESSAGE)
        return true;
    if (!field->type && field->message)
        field->type = gv_agi_types_find(types, field->message);
    const struct gv_agi_message inner = { .type = field->type,
                                          .data = m->data + v->begin,
                                          .size = v->size,
                                          .offset = m->offset + v->begin };
    return !inner.type || check(types, &inner, depth + 1, err);
}

static bool check(const struct gv_agi_types *types, const struct gv_agi_message *m,
                  unsigned depth, struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(m->data, m->size);
    if (depth > MOST_DEPTH)
        return bad(m, 0, err, "messages nested too deep");
    while (gv_cursor_left(&c)) {
        struct value v;
        const size_t at = c.pos;
        const char *wrong = read_value(&c, &v);
        if (wrong)
            return bad(m, at, err, wrong);
        struct gv_agi_field *field = field_numbered(m->type, v.number);
        if (field && !check_value(types, m, field, &v, depth, err))
            return false;
    }
    return true;
}

bool gv_agi_check(const struct gv_agi_types *types,
                  const struct gv_agi_message *message, struct gv_error *err)
{
    return check(types, message, 0, err);
}

// ---- fields ----

const struct gv_agi_field *gv_agi_field_of(const struct gv_agi_type *type,
                                           const char *name)
{
    for (uint32_t i = 0; type && i < type->count; i++)
        if (!strcmp(type->fields[i].name, name))
            return &type->fields[i];
    return NULL;
}

static uint64_t decoded(enum gv_agi_kind kind, uint64_t integer)
{
    const bool zigzag = kind == GV_AGI_SINT32 || kind == GV_AGI_SINT64;
    return zigzag ? (integer >> 1) ^ (0 - (integer & 1)) : integer;
}

// The last value of a field wins.
static bool last_value(const struct gv_agi_message *m, const char *name,
                       const struct gv_agi_field **field, struct value *out)
{
    bool found = false;
    struct gv_cursor c = gv_cursor_make(m->data, m->size);
    struct value v;
    *field = gv_agi_field_of(m->type, name);
    while (*field && gv_cursor_left(&c) && !read_value(&c, &v))
        if (v.number == (*field)->number) {
            *out = v;
            found = true;
        }
    return found;
}

bool gv_agi_has(const struct gv_agi_message *m, const char *name)
{
    const struct gv_agi_field *field;
    struct value v;
    return last_value(m, name, &field, &v);
}

uint64_t gv_agi_number(const struct gv_agi_message *m, const char *name)
{
    const struct gv_agi_field *field;
    struct value v;
    return last_value(m, name, &field, &v) && v.wire != WIRE_BYTES
               ? decoded(field->kind, v.integer)
               : 0;
}

struct gv_span gv_agi_bytes(const struct gv_agi_message *m, const char *name)
{
    const struct gv_agi_field *field;
    struct value v;
    if (!last_value(m, name, &field, &v) || v.wire != WIRE_BYTES)
        return (struct gv_span){ 0 };
    return (struct gv_span){ m->data + v.begin, v.size };
}

// The message that a value of bytes holds, by the type of its field.
static struct gv_agi_message inner_of(const struct gv_agi_message *m,
                                      const struct value *v,
                                      const struct gv_agi_type *type)
{
    return (struct gv_agi_message){ .type = type,
                                    .data = m->data + v->begin,
                                    .size = v->size,
                                    .offset = m->offset + v->begin };
}

struct gv_agi_message gv_agi_inner(const struct gv_agi_message *m, const char *name)
{
    const struct gv_agi_field *field;
    struct value v;
    const bool there = last_value(m, name, &field, &v) && v.wire == WIRE_BYTES &&
                       field->kind == GV_AGI_MESSAGE;
    if (there && field->type)
        return inner_of(m, &v, field->type);
    return (struct gv_agi_message){ .type = field ? field->type : NULL,
                                    .offset = m->offset };
}

struct gv_agi_values gv_agi_repeated(const struct gv_agi_message *m, const char *name)
{
    return (struct gv_agi_values){ .of = m, .field = gv_agi_field_of(m->type, name) };
}

static bool next_packed(struct gv_agi_values *values)
{
    struct gv_cursor c = gv_cursor_make(values->of->data, values->packed_end);
    gv_cursor_seek(&c, values->at);
    uint64_t number;
    if (!take_packed(&c, values->field->kind, &number))
        return false;
    values->at = c.pos;
    values->number = decoded(values->field->kind, number);
    return true;
}

bool gv_agi_next_value(struct gv_agi_values *values)
{
    const struct gv_agi_message *m = values->of;
    if (!values->field)
        return false;
    if (values->at < values->packed_end)
        return next_packed(values);
    struct gv_cursor c = gv_cursor_make(m->data, m->size);
    gv_cursor_seek(&c, values->at);
    struct value v;
    while (gv_cursor_left(&c) && !read_value(&c, &v)) {
        values->at = c.pos;
        if (v.number != values->field->number)
            continue;
        if (v.wire == WIRE_BYTES && wire_of(values->field->kind) != WIRE_BYTES) {
            if (!v.size)
                continue;
            values->at = v.begin;
            values->packed_end = v.begin + v.size;
            return next_packed(values);
        }
        values->number = decoded(values->field->kind, v.integer);
        values->inner = inner_of(m, &v, values->field->type);
        return true;
    }
    return false;
}

bool gv_agi_next_message(struct gv_agi_values *values)
{
    const struct gv_agi_message *m = values->of;
    struct gv_cursor c = gv_cursor_make(m->data, m->size);
    gv_cursor_seek(&c, values->at);
    struct value v;
    while (gv_cursor_left(&c) && !read_value(&c, &v)) {
        values->at = c.pos;
        values->field = field_numbered(m->type, v.number);
        if (!values->field || values->field->kind != GV_AGI_MESSAGE ||
            !values->field->type || v.wire != WIRE_BYTES)
            continue;
        values->inner = inner_of(m, &v, values->field->type);
        return true;
    }
    return false;
}

uint64_t gv_agi_count(const struct gv_agi_message *m, const char *name)
{
    struct gv_agi_values values = gv_agi_repeated(m, name);
    uint64_t count = 0;
    while (gv_agi_next_value(&values))
        count++;
    return count;
}
