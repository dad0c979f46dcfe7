#include "compiler/agi/agi_decode.h"

#include "compiler/vulkan/vulkan_kinds.h"

#include <stdio.h>
#include <string.h>

#define MOST_DEPTH 64 // of structs in structs and in chains
#define MOST_TEXT ((uint64_t)1 << 20)
#define MOST_TEMPLATES (1u << 20)

// What handles are that are being read.
enum role { GIVEN, MADE, ASKED };

struct decoder {
    struct gv_agi_world *world;
    const struct gv_agi_command *command;
    struct gv_arena *arena;
    uint64_t limit; // bytes of it; 0: none
    struct gv_error *err;
    struct gv_vk_call *call;
    const char *field; // that is being read
    unsigned depth;
    enum role role;
    uint64_t parent; // the last handle among the parameters so far, as an id
    bool failed;     // what the call wrote to is not there
    bool lenient;    // what it is given may be missing
    bool asks;       // what it gets may be
};

// Functions that make what has no contents: nobody needs all of their arguments, and
// AGI does not observe all.
static bool is_lenient(enum gv_vk_function function)
{
    const char *name = gv_vk_function_name(function);
    switch ((int)function) {
    case GV_VK_vkCreateInstance:
    case GV_VK_vkCreateDevice:
        return true;
    default:
        return strstr(name, "SurfaceKHR") || strstr(name, "Debug");
    }
}

// ---- errors ----

static bool bad(struct decoder *d, const char *what)
{
    const struct gv_vk_place *place = &d->command->place;
    gv_fail(d->err, GV_ERR_FORMAT, place->offset, "block %llu: %s: %s: %s",
            (unsigned long long)place->block, gv_vk_function_name(d->call->function),
            d->field, what);
    return gv_error_at_command(d->err, place->block);
}

static bool unobserved(struct decoder *d, uint64_t address)
{
    char text[64];
    snprintf(text, sizeof text, "0x%llx was not observed", (unsigned long long)address);
    return bad(d, text);
}

static bool refuse(struct decoder *d, const char *name)
{
    const struct gv_vk_place *place = &d->command->place;
    gv_fail(d->err, GV_ERR_UNSUPPORTED, place->offset,
            "unsupported: %s in %s (block %llu)", name,
            gv_vk_function_name(d->call->function), (unsigned long long)place->block);
    return gv_error_at_command(d->err, place->block);
}

static bool no_memory(struct decoder *d)
{
    const struct gv_vk_place *place = &d->command->place;
    gv_fail(d->err, GV_ERR_MEMORY, place->offset, "block %llu: no memory for %s",
            (unsigned long long)place->block, gv_vk_function_name(d->call->function));
    return gv_error_at_command(d->err, place->block);
}

static void *room(struct decoder *d, uint64_t count, size_t size)
{
    const uint64_t limit = d->limit ? d->limit : (uint64_t)1 << 40;
    const bool fits = d->arena->total <= limit &&
                      (!size || count <= (limit - d->arena->total) / size);
    void *at = fits ? gv_arena_array(d->arena, (size_t)count, size) : NULL;
    if (!at)
        no_memory(d);
    return at;
}

// ---- values ----

static uint64_t load(const uint8_t *bytes, uint32_t size)
{
    uint64_t number = 0;
    memcpy(&number, bytes, size < sizeof number ? size : sizeof number);
    return number;
}

static uint64_t identify(struct decoder *d, enum gv_vk_type type, uint64_t handle)
{
    struct gv_agi_handles *handles = &d->world->handles;
    switch (d->role) {
    case MADE:
        return gv_agi_handle_new(handles, type, handle);
    case ASKED:
        return gv_agi_handle_of(handles, type, handle, d->parent);
    case GIVEN:
        break;
    }
    return gv_agi_handle_id(handles, type, handle);
}

// `number` is the value, as wide as it is there.
static bool store(struct decoder *d, enum gv_vk_type type, uint64_t number, void *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    if (info->class == GV_VK_CLASS_HANDLE) {
        const uint64_t handle = number;
        number = identify(d, type, handle);
        if (handle && !number)
            return no_memory(d);
    }
    memcpy(at, &number, info->size < sizeof number ? info->size : sizeof number);
    return true;
}

static bool convert_struct(struct decoder *d, enum gv_vk_type type, const uint8_t *from,
                           void *at);

// Unions that are the same bytes there and here, whatever they hold.
static bool is_plain(enum gv_vk_type type)
{
    return type == GV_VK_TYPE_VkClearColorValue || type == GV_VK_TYPE_VkClearValue;
}

static bool convert(struct decoder *d, enum gv_vk_type type, const uint8_t *from,
                    void *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    switch ((enum gv_vk_class)info->class) {
    case GV_VK_CLASS_STRUCT:
        return convert_struct(d, type, from, at);
    case GV_VK_CLASS_UNION:
        if (!is_plain(type))
            return refuse(d, gv_vk_name(info->name));
        memcpy(at, from, info->size);
        return true;
    case GV_VK_CLASS_REFUSED:
        return refuse(d, d->field);
    default:
        return store(d, type, load(from, d->world->layout->types[type].size), at);
    }
}

// ---- pointers ----

// Memory of the recorded program, all of which was observed; NULL is an error.
static const uint8_t *observed(struct decoder *d, uint64_t address, uint64_t size)
{
    uint8_t *bytes = room(d, size, 1);
    if (bytes)
        gv_agi_memory_read(&d->world->memory, address, size, bytes);
    return bytes;
}

static bool is_observed(const struct decoder *d, uint64_t address, uint64_t count,
                        uint32_t size)
{
    return !size || (count <= UINT64_MAX / size &&
                     gv_agi_memory_has(&d->world->memory, address, count * size));
}

// Whether a pointer may become NULL though it is none.
static bool may_miss(const struct decoder *d, const struct gv_vk_field *field)
{
    if (field->presence == GV_VK_RETURNED)
        return d->depth || d->failed || d->asks;
    return d->lenient || field->presence == GV_VK_MAYBE;
}

static bool read_array(struct decoder *d, enum gv_vk_type type, uint64_t address,
                       uint64_t count, void **out)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    const uint32_t size = d->world->layout->types[type].size;
    uint8_t *at = room(d, count, info->size);
    if (!at)
        return false;
    *out = at;
    if (gv_agi_layout_same(d->world->layout, type)) {
        gv_agi_memory_read(&d->world->memory, address, count * size, at);
        return true;
    }
    const uint8_t *from = observed(d, address, count * size);
    for (uint64_t i = 0; from && i < count; i++)
        if (!convert(d, type, from + i * size, at + i * info->size))
            return false;
    return from != NULL;
}

static bool read_string(struct decoder *d, uint64_t address, const char **out)
{
    uint64_t size;
    if (!gv_agi_memory_text(&d->world->memory, address, MOST_TEXT, &size))
        return unobserved(d, address);
    if (size == MOST_TEXT)
        return bad(d, "a string without an end");
    *out = (const char *)observed(d, address, size);
    return *out != NULL;
}

static bool read_strings(struct decoder *d, uint64_t address, uint64_t count,
                         const char ***out)
{
    const uint32_t size = d->world->layout->abi.pointer;
    const uint8_t *from = observed(d, address, count * size);
    const char **texts = from ? room(d, count, sizeof *texts) : NULL;
    for (uint64_t i = 0; texts && i < count; i++)
        if (!read_string(d, load(from + i * size, size), &texts[i]))
            return false;
    *out = texts;
    return texts != NULL;
}

// What the loader puts in front of chains of its own.
static bool is_of_the_loader(uint32_t kind)
{
    return kind == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
           kind == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO;
}

static bool read_chain(struct decoder *d, uint64_t address, void **out)
{
    const uint32_t pointer = d->world->layout->abi.pointer;
    uint8_t head[16];
    uint32_t kind = 0;
    for (unsigned links = 0; address; links++) {
        if (!is_observed(d, address, 2, pointer))
            return d->lenient || unobserved(d, address);
        gv_agi_memory_read(&d->world->memory, address, (uint64_t)2 * pointer, head);
        kind = (uint32_t)load(head, 4);
        if (!is_of_the_loader(kind) || links > MOST_DEPTH)
            break;
        address = load(head + pointer, pointer);
    }
    if (!address)
        return true;
    const enum gv_vk_type type = gv_vk_find_struct(kind);
    if (type == GV_VK_TYPE_COUNT) {
        char name[48];
        snprintf(name, sizeof name, "structure type %u", kind);
        return d->lenient || refuse(d, name);
    }
    if (!is_observed(d, address, 1, d->world->layout->types[type].size))
        return d->lenient || unobserved(d, address);
    return read_array(d, type, address, 1, out);
}

static bool read_counted(struct decoder *d, const struct gv_vk_field *field,
                         uint64_t address, uint64_t count, void **out)
{
    const bool strings = field->form == GV_VK_FORM_STRINGS;
    const enum gv_vk_type type = (enum gv_vk_type)field->type;
    const uint32_t size =
        strings ? d->world->layout->abi.pointer : d->world->layout->types[type].size;
    if (!is_observed(d, address, count, size))
        return may_miss(d, field) || unobserved(d, address);
    return strings ? read_strings(d, address, count, (const char ***)out)
                   : read_array(d, type, address, count, out);
}

// A pointer, into the place for it in a struct at `base`.
static bool read_pointer(struct decoder *d, const struct gv_vk_field *field,
                         uint64_t address, void *base)
{
    void *pointer = NULL;
    uint64_t count = 1, size;
    bool ok = true;
    d->field = gv_vk_name(field->name);
    switch ((enum gv_vk_form)field->form) {
    case GV_VK_FORM_CHAIN:
        ok = read_chain(d, address, &pointer);
        break;
    case GV_VK_FORM_STRING:
        if (address &&
            (!may_miss(d, field) ||
             gv_agi_memory_text(&d->world->memory, address, MOST_TEXT, &size)))
            ok = read_string(d, address, (const char **)&pointer);
        break;
    case GV_VK_FORM_ARRAYS:
        return !address || refuse(d, d->field);
    default:
        if (!gv_vk_length_of(field, base, &count))
            return true;
        if (address && gv_vk_types[field->type].class == GV_VK_CLASS_REFUSED)
            return may_miss(d, field) || refuse(d, d->field);
        if (address && !(d->failed && field->presence == GV_VK_RETURNED))
            ok = read_counted(d, field, address, count, &pointer);
        else
            ok = !count || may_miss(d, field) || bad(d, "is null");
        break;
    }
    memcpy((char *)base + field->offset, &pointer, sizeof pointer);
    return ok;
}

// ---- structs ----

static bool is_value(const struct gv_vk_field *field)
{
    return field->form == GV_VK_FORM_VALUE || field->form == GV_VK_FORM_INLINE ||
           field->form == GV_VK_FORM_TEXT;
}

static bool convert_values(struct decoder *d, const struct gv_vk_field *field,
                           const uint8_t *from, void *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[field->type];
    const uint32_t there = d->world->layout->types[field->type].size;
    const bool one = field->form == GV_VK_FORM_VALUE || !info->size;
    const uint32_t count = one ? 1u : (uint32_t)field->size / info->size;
    d->field = gv_vk_name(field->name);
    for (uint32_t i = 0; i < count; i++)
        if (!convert(d, (enum gv_vk_type)field->type, from + (size_t)i * there,
                     (char *)at + (size_t)i * info->size))
            return false;
    if (field->form == GV_VK_FORM_TEXT && field->size)
        ((char *)at)[field->size - 1] = 0;
    return true;
}

// A write has three arrays of which its type uses one; the others may point anywhere.
// A framebuffer without images counts attachments and names none.
static bool is_unused(enum gv_vk_type type, const struct gv_vk_field *field,
                      const void *at)
{
    const VkWriteDescriptorSet *write = at;
    const VkFramebufferCreateInfo *framebuffer = at;
    switch ((int)type) {
    case GV_VK_TYPE_VkWriteDescriptorSet:
        return field->form == GV_VK_FORM_ARRAY &&
               gv_vk_written_array(write->descriptorType) != field->offset;
    case GV_VK_TYPE_VkFramebufferCreateInfo:
        return field->form == GV_VK_FORM_ARRAY &&
               framebuffer->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    default:
        return false;
    }
}

// Arrays that are there whatever the registry says of them.
static bool check_struct(struct decoder *d, enum gv_vk_type type, const void *at)
{
    const VkWriteDescriptorSet *write = at;
    const VkFramebufferCreateInfo *framebuffer = at;
    const void *used = at;
    if (type == GV_VK_TYPE_VkWriteDescriptorSet) {
        const size_t array = gv_vk_written_array(write->descriptorType);
        if (array)
            memcpy(&used, (const char *)at + array, sizeof used);
        return used || !write->descriptorCount ||
               bad(d, "a write without the descriptors of its type");
    }
    return type != GV_VK_TYPE_VkFramebufferCreateInfo || framebuffer->pAttachments ||
           !framebuffer->attachmentCount ||
           framebuffer->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT ||
           bad(d, "a framebuffer without its attachments");
}

static bool convert_pointers(struct decoder *d, enum gv_vk_type type,
                             const uint8_t *from, void *at, bool arrays)
{
    const struct gv_agi_layout *layout = d->world->layout;
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    for (uint32_t i = info->first; i < info->first + info->count; i++) {
        const struct gv_vk_field *field = &gv_vk_fields[i];
        const bool array = field->length.rule != GV_VK_RULE_NONE;
        if (!is_value(field) && array == arrays && !is_unused(type, field, at) &&
            !read_pointer(d, field,
                          load(from + layout->offsets[i], layout->abi.pointer), at))
            return false;
    }
    return true;
}

static bool convert_struct(struct decoder *d, enum gv_vk_type type, const uint8_t *from,
                           void *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    if (d->depth >= MOST_DEPTH)
        return bad(d, "structs nested too deep");
    d->depth++;
    bool ok = true;
    for (uint32_t i = info->first; ok && i < info->first + info->count; i++)
        if (is_value(&gv_vk_fields[i]))
            ok =
                convert_values(d, &gv_vk_fields[i], from + d->world->layout->offsets[i],
                               (char *)at + gv_vk_fields[i].offset);
    if (ok && info->structure_type != GV_VK_NO_TYPE &&
        load(at, 4) != info->structure_type)
        ok = bad(d, "a struct with the sType of another");
    ok = ok && convert_pointers(d, type, from, at, false) &&
         convert_pointers(d, type, from, at, true) && check_struct(d, type, at);
    d->depth--;
    return ok;
}

// ---- templates ----

struct template
{
    struct gv_agi_mapped_object head;
    uint32_t count;
    const VkDescriptorUpdateTemplateEntry *entries;
};

void gv_agi_templates_init(struct gv_agi_templates *t, struct gv_arena *arena)
{
    *t = (struct gv_agi_templates){ .arena = arena };
    gv_agi_map_init(&t->map, arena, sizeof(struct template), MOST_TEMPLATES);
}

static bool keep_template(struct decoder *d)
{
    const struct gv_vk_args_vkCreateDescriptorUpdateTemplate *a =
        GV_VK_ARGS(vkCreateDescriptorUpdateTemplate, d->call);
    struct gv_agi_templates *t = &d->world->templates;
    const uint64_t id = d->failed ? 0 : GV_VK_ID(*a->pDescriptorUpdateTemplate);
    struct template *kept = id ? gv_agi_map_add(&t->map, id) : NULL;
    if (!kept)
        return !id || no_memory(d);
    const uint32_t count = a->pCreateInfo->descriptorUpdateEntryCount;
    kept->count = count;
    kept->entries = gv_arena_copy(t->arena, a->pCreateInfo->pDescriptorUpdateEntries,
                                  count * sizeof *kept->entries);
    return kept->entries || no_memory(d);
}

static enum gv_vk_type class_of(VkDescriptorType type)
{
    switch (gv_vk_written_array(type)) {
    case offsetof(VkWriteDescriptorSet, pImageInfo):
        return GV_VK_TYPE_VkDescriptorImageInfo;
    case offsetof(VkWriteDescriptorSet, pBufferInfo):
        return GV_VK_TYPE_VkDescriptorBufferInfo;
    case offsetof(VkWriteDescriptorSet, pTexelBufferView):
        return GV_VK_TYPE_VkBufferView;
    default:
        return GV_VK_TYPE_COUNT;
    }
}

// The descriptors of one class, out of the program's own struct at `address`.
static bool gather(struct decoder *d, const struct template *t, enum gv_vk_type type,
                   uint64_t address, uint64_t *count, const void **out)
{
    const size_t size = gv_vk_types[type].size;
    *count = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (class_of(t->entries[i].descriptorType) == type)
            *count += t->entries[i].descriptorCount;
    char *at = room(d, *count, size);
    *out = at;
    for (uint32_t i = 0; at && i < t->count; i++) {
        const VkDescriptorUpdateTemplateEntry *e = &t->entries[i];
        const uint32_t n = class_of(e->descriptorType) == type ? e->descriptorCount : 0;
        for (uint32_t j = 0; j < n; j++, at += size) {
            const uint64_t from = address + e->offset + (uint64_t)j * e->stride;
            const uint32_t there = d->world->layout->types[type].size;
            const uint8_t *bytes =
                is_observed(d, from, 1, there) ? observed(d, from, there) : NULL;
            if (!bytes)
                return unobserved(d, from);
            if (!convert(d, type, bytes, at))
                return false;
        }
    }
    return at != NULL;
}

static bool read_template(struct decoder *d, uint64_t address, const void *args,
                          const void **out)
{
    struct gv_vk_template_data *data = room(d, 1, sizeof *data);
    uint64_t id = 0;
    const struct gv_vk_function_info *info = &gv_vk_functions[d->call->function];
    for (uint32_t i = info->first; i < info->first + info->count; i++)
        if (gv_vk_fields[i].type == GV_VK_TYPE_VkDescriptorUpdateTemplate)
            memcpy(&id, (const char *)args + gv_vk_fields[i].offset, sizeof id);
    const struct template *t = gv_agi_map_find(&d->world->templates.map, id);
    *out = data;
    if (!data || !t)
        return data && bad(d, "a template that nobody made");
    for (uint32_t i = 0; i < t->count; i++)
        if (class_of(t->entries[i].descriptorType) == GV_VK_TYPE_COUNT)
            return refuse(d, "descriptor type of a template");
    const void *images = NULL, *buffers = NULL, *texels = NULL;
    data->known =
        gather(d, t, GV_VK_TYPE_VkDescriptorImageInfo, address, &data->image_count,
               &images) &&
        gather(d, t, GV_VK_TYPE_VkDescriptorBufferInfo, address, &data->buffer_count,
               &buffers) &&
        gather(d, t, GV_VK_TYPE_VkBufferView, address, &data->texel_count, &texels);
    data->images = images;
    data->buffers = buffers;
    data->texels = texels;
    return data->known;
}

// ---- parameters ----

static bool has_parameter(struct decoder *d, const struct gv_vk_field *field)
{
    d->field = gv_vk_name(field->name);
    return gv_agi_field_of(d->command->message.type, d->field) ||
           field->presence == GV_VK_MAYBE || bad(d, "the command does not have it");
}

// An array of numbers in the message itself.
static bool read_inline(struct decoder *d, const struct gv_vk_field *field, void *args)
{
    struct gv_agi_values values = gv_agi_repeated(&d->command->message, d->field);
    const size_t size = gv_vk_types[field->type].size;
    uint64_t wanted;
    if (!gv_vk_length_of(field, args, &wanted) ||
        wanted > gv_agi_count(&d->command->message, d->field))
        return bad(d, "fewer elements than counted");
    char *at = room(d, wanted, size);
    for (uint64_t i = 0; at && i < wanted && gv_agi_next_value(&values); i++)
        if (!store(d, (enum gv_vk_type)field->type, values.number, at + i * size))
            return false;
    memcpy((char *)args + field->offset, &at, sizeof at);
    return at != NULL;
}

static bool read_value(struct decoder *d, const struct gv_vk_field *field, void *args)
{
    void *at = (char *)args + field->offset;
    const uint8_t class = gv_vk_types[field->type].class;
    if (!has_parameter(d, field))
        return false;
    const uint64_t number = gv_agi_number(&d->command->message, d->field);
    if (class >= GV_VK_CLASS_STRUCT)
        return refuse(d, d->field);
    if (!store(d, (enum gv_vk_type)field->type, number, at))
        return false;
    if (class == GV_VK_CLASS_HANDLE)
        memcpy(&d->parent, at, sizeof d->parent);
    return true;
}

static bool read_parameter(struct decoder *d, const struct gv_vk_field *field,
                           void *args)
{
    if (!has_parameter(d, field))
        return false;
    const struct gv_agi_field *known =
        gv_agi_field_of(d->command->message.type, d->field);
    if (known && known->repeated)
        return read_inline(d, field, args);
    const char *name = gv_vk_function_name(d->call->function);
    const bool gets = !strncmp(name, "vkGet", 5) || !strncmp(name, "vkEnumerate", 11);
    // What they get may be left out; what they are given is never.
    if (gets)
        d->role = field->presence == GV_VK_HERE ? GIVEN : ASKED;
    else
        d->role = field->presence == GV_VK_RETURNED ? MADE : GIVEN;
    const bool ok =
        read_pointer(d, field, gv_agi_number(&d->command->message, d->field), args);
    d->role = GIVEN;
    return ok;
}

static void read_result(struct decoder *d)
{
    const enum gv_vk_type type = gv_vk_functions[d->call->function].result;
    const uint64_t number = gv_agi_number(&d->command->call, "result");
    d->call->result =
        type == GV_VK_TYPE_VkResult ? (int32_t)(uint32_t)number : (int64_t)number;
    d->failed = type == GV_VK_TYPE_VkResult && d->call->result < 0;
}

// Values come first, and pointers to one thing: they say how many others have.
static bool decode_arguments(struct decoder *d, void *args)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[d->call->function];
    const struct gv_vk_field *fields = &gv_vk_fields[info->first];
    for (uint32_t i = 0; i < info->count; i++)
        if (fields[i].form == GV_VK_FORM_VALUE &&
            !gv_vk_is_template_data(d->call->function, &fields[i]) &&
            !read_value(d, &fields[i], args))
            return false;
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < info->count; i++)
            if (fields[i].form != GV_VK_FORM_VALUE &&
                (fields[i].length.rule != GV_VK_RULE_NONE) == (pass == 1) &&
                !read_parameter(d, &fields[i], args))
                return false;
    for (uint32_t i = 0; i < info->count; i++) {
        void *at = (char *)args + fields[i].offset;
        if (gv_vk_is_template_data(d->call->function, &fields[i]) &&
            (!has_parameter(d, &fields[i]) ||
             !read_template(d, gv_agi_number(&d->command->message, d->field), args,
                            at)))
            return false;
    }
    return true;
}

bool gv_agi_decode(struct gv_agi_world *world, const struct gv_agi_command *command,
                   struct gv_arena *arena, uint64_t limit, struct gv_vk_call *out,
                   struct gv_error *err)
{
    *out = (struct gv_vk_call){ .place = command->place };
    if (command->function->function == GV_VK_FUNCTION_COUNT) {
        gv_fail(err, GV_ERR_UNSUPPORTED, command->place.offset,
                "unsupported: %s (block %llu)", gv_vk_name(command->function->name),
                (unsigned long long)command->place.block);
        return gv_error_at_command(err, command->place.block);
    }
    out->function = (enum gv_vk_function)command->function->function;
    struct decoder d = { .world = world,
                         .command = command,
                         .arena = arena,
                         .limit = limit,
                         .err = err,
                         .call = out,
                         .field = "parameters",
                         .lenient = is_lenient(out->function),
                         .asks = gv_vulkan_only_asks(out->function) };
    void *args = room(&d, 1, gv_vk_functions[out->function].size);
    out->args = args;
    if (!args)
        return false;
    read_result(&d);
    return decode_arguments(&d, args) &&
           (out->function != GV_VK_vkCreateDescriptorUpdateTemplate ||
            keep_template(&d));
}

// ---- around calls ----

const struct gv_vk_id_info *gv_agi_function(const char *type_name)
{
    static const char package[] = "vulkan.";
    return strncmp(type_name, package, sizeof package - 1) != 0
               ? NULL
               : gv_vk_find_called(type_name + sizeof package - 1);
}

// The last handles among the parameters are those that such a function destroys. Its
// message has them as the driver's numbers.
void gv_agi_forget(struct gv_agi_world *world, const struct gv_agi_command *command,
                   const struct gv_vk_call *call)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[call->function];
    const char *name = gv_vk_function_name(call->function);
    const struct gv_vk_field *last = NULL;
    if (strncmp(name, "vkDestroy", 9) != 0 && strncmp(name, "vkFree", 6) != 0)
        return;
    for (uint32_t i = info->first; i < info->first + info->count; i++)
        if (gv_vk_types[gv_vk_fields[i].type].class == GV_VK_CLASS_HANDLE)
            last = &gv_vk_fields[i];
    if (!last)
        return;
    const enum gv_vk_type type = (enum gv_vk_type)last->type;
    const uint32_t size = world->layout->types[type].size;
    const uint64_t value = gv_agi_number(&command->message, gv_vk_name(last->name));
    uint64_t count = 0;
    if (last->form == GV_VK_FORM_VALUE)
        gv_agi_handle_gone(&world->handles, type, value);
    else if (!gv_vk_length_of(last, call->args, &count) ||
             !gv_agi_memory_has(&world->memory, value, count * size))
        return;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t handle = 0;
        gv_agi_memory_read(&world->memory, value + i * size, size, &handle);
        gv_agi_handle_gone(&world->handles, type, handle);
    }
}
