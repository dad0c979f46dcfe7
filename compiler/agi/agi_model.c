#include "compiler/agi/agi_model.h"

#include <stdlib.h>
#include <string.h>

#define MOST_REFERENCES (1u << 22)
#define MOST_DEPTH 64 // of structs in structs, and of objects that objects need

// ---- errors and memory ----

bool gv_agi_model_bad(struct gv_agi_model *m, const struct gv_agi_message *at,
                      const char *what)
{
    gv_fail(m->err, GV_ERR_FORMAT, at->offset, "chunk %llu: %s: %s",
            (unsigned long long)m->place.block, at->type ? at->type->name : "snapshot",
            what);
    return gv_error_at_command(m->err, m->place.block);
}

bool gv_agi_model_no_memory(struct gv_agi_model *m)
{
    gv_fail(m->err, GV_ERR_MEMORY, m->place.offset, "chunk %llu: no memory for it",
            (unsigned long long)m->place.block);
    return gv_error_at_command(m->err, m->place.block);
}

static void *room(struct gv_agi_model *m, uint64_t count, size_t size)
{
    const bool fits = m->arena->total <= m->limit &&
                      (!size || count <= (m->limit - m->arena->total) / size);
    void *at = fits ? gv_arena_array(m->arena, (size_t)count, size) : NULL;
    if (!at)
        gv_agi_model_no_memory(m);
    return at;
}

// ---- references ----

static bool ends_in(const char *name, const char *with)
{
    const size_t length = strlen(name), n = strlen(with);
    return length >= n && !strcmp(name + length - n, with);
}

// The first occurrence has the value; later ones the number alone.
static bool keep(struct gv_agi_model *m, const struct gv_agi_message *at)
{
    const uint64_t number = gv_agi_number(at, "ReferenceID");
    const bool map = ends_in(at->type->name, "_map");
    const struct gv_agi_message value = map ? *at : gv_agi_inner(at, "Value");
    if (!number || !(map ? gv_agi_has(at, "Keys") : gv_agi_has(at, "Value")) ||
        !value.type || gv_agi_map_find(&m->references, number))
        return true;
    struct gv_agi_reference *r = gv_agi_map_add(&m->references, number);
    if (!r)
        return gv_agi_model_no_memory(m);
    r->value = value;
    return true;
}

bool gv_agi_model_read(struct gv_agi_model *m, const struct gv_agi_message *state)
{
    struct gv_agi_values stack[MOST_DEPTH + 2];
    struct gv_agi_message messages[MOST_DEPTH + 2];
    unsigned depth = 0;
    gv_agi_map_init(&m->references, m->arena, sizeof(struct gv_agi_reference),
                    MOST_REFERENCES);
    messages[0] = *state;
    stack[0] = (struct gv_agi_values){ .of = &messages[0] };
    for (;;) {
        if (!gv_agi_next_message(&stack[depth])) {
            if (!depth--)
                return true;
            continue;
        }
        if (depth > MOST_DEPTH)
            return gv_agi_model_bad(m, state, "messages nested too deep");
        messages[depth + 1] = stack[depth].inner;
        depth++;
        stack[depth] = (struct gv_agi_values){ .of = &messages[depth] };
        const char *name = messages[depth].type->name;
        if ((ends_in(name, "_ref") || ends_in(name, "_map")) &&
            !keep(m, &messages[depth]))
            return false;
    }
}

static struct gv_agi_message referred(const struct gv_agi_model *m,
                                      const struct gv_agi_message *reference)
{
    const struct gv_agi_reference *r =
        gv_agi_map_find(&m->references, gv_agi_number(reference, "ReferenceID"));
    return r ? r->value : (struct gv_agi_message){ .offset = reference->offset };
}

struct gv_agi_message gv_agi_referred(const struct gv_agi_model *m,
                                      const struct gv_agi_message *object,
                                      const char *field)
{
    const struct gv_agi_message reference = gv_agi_inner(object, field);
    return referred(m, &reference);
}

bool gv_agi_reference_id(struct gv_agi_model *m, uint64_t reference, uint64_t *id)
{
    struct gv_agi_reference *r = gv_agi_map_find(&m->references, reference);
    *id = 0;
    if (!r)
        return true;
    if (!r->id) {
        if (r->making)
            return gv_agi_model_bad(m, &r->value, "references in a circle");
        r->making = true;
        const bool ok = m->make(m, r);
        r->making = false;
        if (!ok)
            return false;
    }
    *id = r->id;
    return true;
}

bool gv_agi_referred_id(struct gv_agi_model *m, const struct gv_agi_message *object,
                        const char *name, enum gv_vk_type type, uint64_t *id)
{
    const struct gv_agi_field *field = gv_agi_field_of(object->type, name);
    *id = 0;
    if (field && field->kind == GV_AGI_MESSAGE) {
        const struct gv_agi_message reference = gv_agi_inner(object, name);
        return gv_agi_reference_id(m, gv_agi_number(&reference, "ReferenceID"), id);
    }
    const uint64_t handle = gv_agi_number(object, name);
    struct gv_agi_handles *handles = &gv_agi_world_of(m->capture)->handles;
    *id = gv_agi_handle_id(handles, type, handle);
    return *id || !handle || gv_agi_model_no_memory(m);
}

// ---- maps and slices ----

static int by_key(const void *a, const void *b)
{
    const struct gv_agi_entry *x = a, *y = b;
    return ((int64_t)x->key > (int64_t)y->key) - ((int64_t)x->key < (int64_t)y->key);
}

static bool read_entries(struct gv_agi_model *m, const struct gv_agi_message *map,
                         struct gv_agi_entry *out, uint64_t count)
{
    struct gv_agi_values keys = gv_agi_repeated(map, "Keys");
    struct gv_agi_values values = gv_agi_repeated(map, "Values");
    for (uint64_t i = 0; i < count; i++) {
        if (!gv_agi_next_value(&keys) || !gv_agi_next_value(&values))
            return gv_agi_model_bad(m, map, "a map with more keys than values");
        out[i] = (struct gv_agi_entry){ .key = keys.number, .number = values.number };
        if (!values.inner.type)
            continue;
        out[i].value = values.inner;
        if (ends_in(values.inner.type->name, "_ref")) {
            out[i].reference = gv_agi_number(&values.inner, "ReferenceID");
            out[i].value = referred(m, &values.inner);
        }
    }
    return !gv_agi_next_value(&values) ||
           gv_agi_model_bad(m, map, "a map with more values than keys");
}

bool gv_agi_entries(struct gv_agi_model *m, const struct gv_agi_message *object,
                    const char *field, const struct gv_agi_entry **entries,
                    uint64_t *count)
{
    struct gv_agi_message map = gv_agi_inner(object, field);
    if (!gv_agi_has(&map, "Keys")) {
        const struct gv_agi_message shared = referred(m, &map);
        map = shared.type ? shared : map;
    }
    *count = gv_agi_count(&map, "Keys");
    struct gv_agi_entry *out = room(m, *count, sizeof *out);
    if (!out || !read_entries(m, &map, out, *count))
        return false;
    if (*count)
        qsort(out, *count, sizeof *out, by_key);
    *entries = out;
    return true;
}

bool gv_agi_slice(struct gv_agi_model *m, const struct gv_agi_message *object,
                  const char *field, struct gv_span *out)
{
    const struct gv_agi_message slice = gv_agi_inner(object, field);
    const uint64_t size = gv_agi_number(&slice, "size");
    const uint32_t pool = (uint32_t)gv_agi_number(&slice, "pool");
    const struct gv_agi_memory *memory =
        pool ? gv_agi_pool(m->capture, pool) : &gv_agi_world_of(m->capture)->memory;
    *out = (struct gv_span){ 0 };
    if (!size || !memory)
        return true;
    void *bytes = room(m, size, 1);
    if (!bytes)
        return false;
    if (gv_agi_memory_read(memory, gv_agi_number(&slice, "base"), size, bytes))
        *out = (struct gv_span){ bytes, (size_t)size };
    return true;
}

// ---- names ----

static const struct {
    const char *owner, *member, *model;
} names[] = {
#define GV_AGI_NAME(owner, member, model) { #owner, #member, model },
#include "compiler/agi/agi_names.def"
};

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static bool alike(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return !*a && !*b;
}

// "pAttachments", "ppData" without what says pointer.
static const char *bare(const char *name)
{
    const char *at = name;
    while (*at == 'p')
        at++;
    return *at >= 'A' && *at <= 'Z' ? at : name;
}

// A member of the model, and the message that has it.
struct found {
    struct gv_agi_message of;
    const struct gv_agi_field *field; // NULL: none
};

static const struct gv_agi_field *field_alike(const struct gv_agi_type *type,
                                              const char *name)
{
    for (uint32_t i = 0; type && i < type->count; i++)
        if (alike(type->fields[i].name, name))
            return &type->fields[i];
    return NULL;
}

static struct found find_member(const struct gv_agi_message *object, const char *owner,
                                const char *member)
{
    const char *name = bare(member);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].owner, owner) && !strcmp(names[i].member, member))
            name = names[i].model;
    struct found f = { .of = *object, .field = field_alike(object->type, name) };
    if (!f.field && gv_agi_field_of(object->type, "Info")) {
        f.of = gv_agi_inner(object, "Info");
        f.field = field_alike(f.of.type, name);
    }
    return f;
}

// ---- values ----

struct filler {
    struct gv_agi_model *model;
    const char *owner;
    const struct gv_agi_message *object;
    uint64_t made; // id of what the call makes
    unsigned depth;
};

static bool fill_struct(struct filler *f, enum gv_vk_type type,
                        const struct gv_agi_message *object, void *out);

static bool fill_clear(const struct gv_agi_message *value, void *out)
{
    const bool nested = gv_agi_field_of(value->type, "color") != NULL;
    const struct gv_agi_message color = nested ? gv_agi_inner(value, "color") : *value;
    struct gv_agi_values words = gv_agi_repeated(&color, "uint32");
    for (uint32_t i = 0; i < 4 && gv_agi_next_value(&words); i++)
        ((uint32_t *)out)[i] = (uint32_t)words.number;
    return true;
}

static bool fill_message(struct filler *f, enum gv_vk_type type,
                         const struct gv_agi_message *value, void *out)
{
    switch (gv_vk_types[type].class) {
    case GV_VK_CLASS_STRUCT:
        return fill_struct(f, type, value, out);
    case GV_VK_CLASS_UNION:
        return fill_clear(value, out);
    default:
        return true;
    }
}

static void store(enum gv_vk_type type, uint64_t number, void *out)
{
    const size_t size = gv_vk_types[type].size;
    memcpy(out, &number, size < sizeof number ? size : sizeof number);
}

static bool fill_value(struct filler *f, const struct gv_vk_field *field,
                       const struct found *from, void *out)
{
    const enum gv_vk_type type = (enum gv_vk_type)field->type;
    const char *name = from->field->name;
    if (gv_vk_types[type].class == GV_VK_CLASS_HANDLE) {
        uint64_t id;
        if (!gv_agi_referred_id(f->model, &from->of, name, type, &id))
            return false;
        store(type, id, out);
        return true;
    }
    if (from->field->kind == GV_AGI_MESSAGE) {
        const struct gv_agi_message inner = gv_agi_inner(&from->of, name);
        return fill_message(f, type, &inner, out);
    }
    store(type, gv_agi_number(&from->of, name), out);
    return true;
}

static bool fill_inline(struct filler *f, const struct gv_vk_field *field,
                        const struct found *from, void *out)
{
    const enum gv_vk_type type = (enum gv_vk_type)field->type;
    const size_t size = gv_vk_types[type].size;
    struct gv_agi_values values = gv_agi_repeated(&from->of, from->field->name);
    for (size_t at = 0; at + size <= field->size && gv_agi_next_value(&values);
         at += size) {
        if (from->field->kind != GV_AGI_MESSAGE)
            store(type, values.number, (char *)out + at);
        else if (!fill_message(f, type, &values.inner, (char *)out + at))
            return false;
    }
    return true;
}

static bool fill_element(struct filler *f, enum gv_vk_type type,
                         const struct gv_agi_entry *entry, void *out)
{
    if (gv_vk_types[type].class == GV_VK_CLASS_HANDLE) {
        struct gv_agi_handles *handles = &gv_agi_world_of(f->model->capture)->handles;
        uint64_t id = 0;
        if (entry->reference ? !gv_agi_reference_id(f->model, entry->reference, &id)
                             : false)
            return false;
        if (!entry->reference)
            id = gv_agi_handle_id(handles, type, entry->number);
        store(type, id, out);
        return true;
    }
    if (entry->value.type)
        return fill_message(f, type, &entry->value, out);
    store(type, entry->number, out);
    return true;
}

// A binding of a layout is the key of its map.
static void fill_key(enum gv_vk_type type, uint64_t key, void *out)
{
    if (type == GV_VK_TYPE_VkDescriptorSetLayoutBinding)
        ((VkDescriptorSetLayoutBinding *)out)->binding = (uint32_t)key;
}

static void set_count(const struct gv_vk_field *field, uint64_t count, void *base)
{
    const struct gv_vk_length *rule = &field->length;
    if (rule->rule == GV_VK_RULE_QUARTER)
        count *= 4;
    if (count && (rule->rule == GV_VK_RULE_OF || rule->rule == GV_VK_RULE_QUARTER))
        memcpy((char *)base + rule->offset, &count, rule->size);
}

static bool fill_bytes(struct filler *f, const struct gv_vk_field *field,
                       const struct found *from, void *base)
{
    struct gv_span bytes;
    if (!gv_agi_slice(f->model, &from->of, from->field->name, &bytes))
        return false;
    set_count(field, bytes.size / gv_vk_types[field->type].size, base);
    memcpy((char *)base + field->offset, &bytes.data, sizeof bytes.data);
    return true;
}

static bool fill_array(struct filler *f, const struct gv_vk_field *field,
                       const struct found *from, void *base)
{
    const enum gv_vk_type type = (enum gv_vk_type)field->type;
    const size_t size = gv_vk_types[type].size;
    const struct gv_agi_type *held = from->field->type;
    const struct gv_agi_entry *entries;
    uint64_t count;
    if (held && !strcmp(held->name, "memory.Slice"))
        return fill_bytes(f, field, from, base);
    if (!held || !ends_in(held->name, "_map"))
        return true;
    if (!gv_agi_entries(f->model, &from->of, from->field->name, &entries, &count))
        return false;
    char *at = count ? room(f->model, count, size) : NULL;
    for (uint64_t i = 0; at && i < count; i++) {
        if (!fill_element(f, type, &entries[i], at + i * size))
            return false;
        fill_key(type, entries[i].key, at + i * size);
    }
    set_count(field, count, base);
    memcpy((char *)base + field->offset, &at, sizeof at);
    return at || !count;
}

// One thing behind a pointer: of the model's own, or of this object where the model
// has it all in one.
static bool fill_single(struct filler *f, const struct gv_vk_field *field,
                        const struct found *from, void *base)
{
    const enum gv_vk_type type = (enum gv_vk_type)field->type;
    struct gv_agi_message value = *f->object;
    if (from->field && from->field->type) {
        value = gv_agi_inner(&from->of, from->field->name);
        if (ends_in(from->field->type->name, "_ref"))
            value = referred(f->model, &value);
    }
    if (!value.type || gv_vk_types[type].class < GV_VK_CLASS_STRUCT ||
        (!from->field && field->presence == GV_VK_MAYBE))
        return true;
    void *at = room(f->model, 1, gv_vk_types[type].size);
    memcpy((char *)base + field->offset, &at, sizeof at);
    return at && fill_message(f, type, &value, at);
}

static bool fill_text(struct filler *f, const struct gv_vk_field *field,
                      const struct found *from, void *base)
{
    const struct gv_span text = gv_agi_bytes(&from->of, from->field->name);
    const char *at = gv_arena_copy(f->model->arena, text.data, text.size);
    memcpy((char *)base + field->offset, &at, sizeof at);
    return at || gv_agi_model_no_memory(f->model);
}

// What the call makes.
static bool fill_made(struct filler *f, const struct gv_vk_field *field, void *base)
{
    uint64_t *at = room(f->model, 1, sizeof *at);
    if (!at)
        return false;
    *at = f->made;
    memcpy((char *)base + field->offset, &at, sizeof at);
    return true;
}

// What a call takes and the model has no member for: as many of it as there is, one.
static bool fill_whole(struct filler *f, const struct gv_vk_field *field, void *base)
{
    const enum gv_vk_type type = (enum gv_vk_type)field->type;
    void *at = room(f->model, 1, gv_vk_types[type].size);
    memcpy((char *)base + field->offset, &at, sizeof at);
    if (!at)
        return false;
    set_count(field, 1, base);
    if (gv_vk_types[type].class != GV_VK_CLASS_STRUCT) {
        store(type, 1, at);
        return true;
    }
    return fill_struct(f, type, f->object, at);
}

// ---- structs ----

static bool fill_field(struct filler *f, const struct gv_vk_field *field, void *base)
{
    void *at = (char *)base + field->offset;
    const struct found from = find_member(f->object, f->owner, gv_vk_name(field->name));
    const bool handle = gv_vk_types[field->type].class == GV_VK_CLASS_HANDLE;
    if (f->made && field->presence != GV_VK_HERE && handle &&
        field->form != GV_VK_FORM_VALUE)
        return fill_made(f, field, base);
    if (f->made && !from.field && field->presence != GV_VK_MAYBE &&
        (field->form == GV_VK_FORM_SINGLE || field->form == GV_VK_FORM_ARRAY))
        return fill_whole(f, field, base);
    switch ((enum gv_vk_form)field->form) {
    case GV_VK_FORM_VALUE:
        return !from.field || fill_value(f, field, &from, at);
    case GV_VK_FORM_INLINE:
        return !from.field || fill_inline(f, field, &from, at);
    case GV_VK_FORM_STRING:
        return !from.field || fill_text(f, field, &from, base);
    case GV_VK_FORM_SINGLE:
        return fill_single(f, field, &from, base);
    case GV_VK_FORM_ARRAY:
        return !from.field || fill_array(f, field, &from, base);
    default:
        return true;
    }
}

// Whether arrays have as many elements as other members say (vk_call.h).
static bool check_arrays(struct filler *f, const struct gv_vk_field *field,
                         const void *base)
{
    const void *pointer;
    uint64_t wanted = 0;
    memcpy(&pointer, (const char *)base + field->offset, sizeof pointer);
    return pointer || field->presence == GV_VK_MAYBE ||
           !gv_vk_length_of(field, base, &wanted) || !wanted ||
           gv_agi_model_bad(f->model, f->object, gv_vk_name(field->name));
}

// Arrays that share a count with others: it is that of the shortest but the empty ones.
static bool count_again(struct filler *f, const struct gv_vk_field *fields,
                        uint32_t count, void *base)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct gv_vk_field *field = &fields[i];
        const struct found from =
            find_member(f->object, f->owner, gv_vk_name(field->name));
        const void *pointer;
        uint64_t wanted, there = 0;
        if (field->form != GV_VK_FORM_ARRAY)
            continue;
        memcpy(&pointer, (const char *)base + field->offset, sizeof pointer);
        const struct gv_agi_entry *entries;
        if (pointer && from.field && from.field->type &&
            ends_in(from.field->type->name, "_map")) {
            if (!gv_agi_entries(f->model, &from.of, from.field->name, &entries, &there))
                return false;
            if (gv_vk_length_of(field, base, &wanted) && wanted > there)
                return gv_agi_model_bad(f->model, f->object, gv_vk_name(field->name));
        }
        if (!check_arrays(f, field, base))
            return false;
    }
    return true;
}

static bool fill_fields(struct filler *f, const struct gv_vk_field *fields,
                        uint32_t count, void *base)
{
    for (uint32_t i = 0; i < count; i++)
        if (!fill_field(f, &fields[i], base))
            return false;
    return count_again(f, fields, count, base);
}

static bool fill_struct(struct filler *f, enum gv_vk_type type,
                        const struct gv_agi_message *object, void *out)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    struct filler inner = { .model = f->model,
                            .owner = gv_vk_name(info->name),
                            .object = object,
                            .depth = f->depth + 1 };
    if (inner.depth > MOST_DEPTH)
        return gv_agi_model_bad(f->model, object, "structs nested too deep");
    if (!fill_fields(&inner, &gv_vk_fields[info->first], info->count, out))
        return false;
    if (info->structure_type != GV_VK_NO_TYPE)
        memcpy(out, &info->structure_type, sizeof info->structure_type);
    return true;
}

bool gv_agi_fill_struct(struct gv_agi_model *m, enum gv_vk_type type,
                        const struct gv_agi_message *object, void *out)
{
    struct filler f = { .model = m, .object = object };
    return fill_struct(&f, type, object, out);
}

void *gv_agi_fill_call(struct gv_agi_model *m, enum gv_vk_function function,
                       const struct gv_agi_message *object, uint64_t id)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[function];
    void *args = room(m, 1, info->size);
    struct filler f = {
        .model = m, .owner = gv_vk_function_name(function), .object = object, .made = id
    };
    return args && fill_fields(&f, &gv_vk_fields[info->first], info->count, args)
               ? args
               : NULL;
}
