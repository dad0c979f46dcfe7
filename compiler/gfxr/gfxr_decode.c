#include "compiler/gfxr/gfxr_decode.h"

#include "compiler/vulkan/api/vk_table.h"

#include <stdio.h>
#include <string.h>

// "Pointer attributes" of the format: each pointer, array and string begins with them.
enum {
    IS_NULL = 1 << 0,
    IS_SINGLE = 1 << 1,
    IS_ARRAY = 1 << 2,
    IS_STRING = 1 << 3,
    IS_WIDE_STRING = 1 << 4,
    IS_STRUCT = 1 << 5,
    HAS_ADDRESS = 1 << 6,
    HAS_DATA = 1 << 7,
    IS_ARRAYS = 1 << 8, // of arrays, each with its own attributes
    ALL_ATTRIBUTES = (1 << 9) - 1,
};

#define MOST_KEPT ((size_t)256 * 1024) // bytes, of blocks that were read
#define MOST_DEPTH 64                  // of structs in structs and in chains

struct decoder {
    struct gv_cursor *c;
    struct gv_arena *arena;
    uint64_t limit; // bytes of it; 0: none
    struct gv_error *err;
    const struct gv_vk_call *call;
    const char *field; // that is being read
    unsigned depth;
    bool failed; // what the call wrote to is not there
};

// What stands behind attributes.
struct pointee {
    bool here; // data follows; else the pointer becomes NULL
    uint32_t attributes;
    uint64_t count;
};

static bool bad(struct decoder *d, const char *what)
{
    gv_fail(d->err, GV_ERR_FORMAT, d->call->place.offset, "block %llu: %s: %s: %s",
            (unsigned long long)d->call->place.block,
            gv_vk_function_name(d->call->function), d->field, what);
    return gv_error_at_command(d->err, d->call->place.block);
}

static bool refuse(struct decoder *d, const char *name)
{
    gv_fail(d->err, GV_ERR_UNSUPPORTED, d->call->place.offset,
            "unsupported: %s in %s (block %llu)", name,
            gv_vk_function_name(d->call->function),
            (unsigned long long)d->call->place.block);
    return gv_error_at_command(d->err, d->call->place.block);
}

static bool no_memory(struct decoder *d)
{
    gv_fail(d->err, GV_ERR_MEMORY, d->call->place.offset,
            "block %llu: no memory for %s", (unsigned long long)d->call->place.block,
            gv_vk_function_name(d->call->function));
    return gv_error_at_command(d->err, d->call->place.block);
}

static bool ends_early(struct decoder *d)
{
    return bad(d, "the parameters end early");
}

void gv_gfxr_forget(struct gv_arena *arena)
{
    if (arena->total > MOST_KEPT)
        gv_arena_finish(arena);
}

// Room for what stands in as many bytes at least: a count is never trusted with more.
static void *room(struct decoder *d, uint64_t count, size_t size, size_t least)
{
    if (count > gv_cursor_left(d->c) / least) {
        bad(d, "more elements than bytes are left");
        return NULL;
    }
    const uint64_t bytes = count * size; // of a type, for each byte of a file at most
    const bool fits =
        !d->limit || (bytes <= d->limit && d->arena->total <= d->limit - bytes);
    void *at = fits ? gv_arena_alloc(d->arena, (size_t)bytes) : NULL;
    if (!at)
        no_memory(d);
    return at;
}

static bool read_pointee(struct decoder *d, struct pointee *out)
{
    *out = (struct pointee){ .attributes = gv_cursor_u32(d->c), .count = 1 };
    if (out->attributes & ~(uint32_t)ALL_ATTRIBUTES)
        return bad(d, "pointer attributes that there are not");
    if (out->attributes & IS_NULL)
        return !d->c->bad || ends_early(d);
    if (out->attributes & HAS_ADDRESS)
        gv_cursor_u64(d->c);
    // Strings always say their length; what else is no array is one. The recorder is to
    // be believed here and not the registry: snapshots write pSubmits as one struct.
    if (out->attributes & (IS_ARRAY | IS_ARRAYS | IS_STRING | IS_WIDE_STRING))
        out->count = gv_cursor_u64(d->c);
    out->here = (out->attributes & HAS_DATA) != 0;
    return !d->c->bad || ends_early(d);
}

static bool decode_struct(struct decoder *d, enum gv_vk_type type, void *at);

// ---- values ----

static bool take_bytes(struct decoder *d, void *at, size_t size)
{
    const uint8_t *bytes = gv_cursor_take(d->c, size);
    if (!bytes)
        return ends_early(d);
    memcpy(at, bytes, size);
    return true;
}

// What a union holds, by a member of the struct that holds the union.
static const struct {
    enum gv_vk_type owner;
    size_t tag;
    int value;
    enum gv_vk_type type;
} tagged[] = {
#define GEOMETRY(name, held)                                            \
    {                                                                   \
        GV_VK_TYPE_VkAccelerationStructureGeometryKHR,                  \
            offsetof(VkAccelerationStructureGeometryKHR, geometryType), \
            VK_GEOMETRY_TYPE_##name##_KHR,                              \
            GV_VK_TYPE_VkAccelerationStructureGeometry##held##DataKHR   \
    }
    GEOMETRY(TRIANGLES, Triangles),
    GEOMETRY(AABBS, Aabbs),
    GEOMETRY(INSTANCES, Instances),
#define PERFORMANCE(name, held)                                                      \
    {                                                                                \
        GV_VK_TYPE_VkPerformanceValueINTEL, offsetof(VkPerformanceValueINTEL, type), \
            VK_PERFORMANCE_VALUE_TYPE_##name##_INTEL, GV_VK_TYPE_##held              \
    }
    PERFORMANCE(UINT32, uint32_t),
    PERFORMANCE(UINT64, uint64_t),
    PERFORMANCE(FLOAT, float),
    PERFORMANCE(BOOL, VkBool32), // that of a string is refused
};

static bool decode_value(struct decoder *d, enum gv_vk_type type, enum gv_vk_type owner,
                         const void *base, void *at);

static bool decode_tagged(struct decoder *d, enum gv_vk_type owner, const char *base,
                          void *at)
{
    for (size_t i = 0; i < sizeof tagged / sizeof *tagged; i++) {
        int tag = 0;
        if (tagged[i].owner != owner)
            continue;
        memcpy(&tag, base + tagged[i].tag, sizeof tag);
        if (tagged[i].value == tag)
            return decode_value(d, tagged[i].type, owner, base, at);
    }
    return refuse(d, d->field);
}

// Unions, which the registry describes, but not how they are written.
static bool decode_union(struct decoder *d, enum gv_vk_type type, enum gv_vk_type owner,
                         const void *base, void *at)
{
    struct pointee p;
    switch ((int)type) {
    case GV_VK_TYPE_VkClearColorValue:
    case GV_VK_TYPE_VkClearValue: // four words, whatever it is that they say
        if (!read_pointee(d, &p))
            return false;
        if (!p.here || p.count != 4)
            return bad(d, "a clear value without its four words");
        return take_bytes(d, at, 16);
    case GV_VK_TYPE_VkDeviceOrHostAddressKHR:
    case GV_VK_TYPE_VkDeviceOrHostAddressConstKHR: // the address, of either kind
    case GV_VK_TYPE_VkPipelineExecutableStatisticValueKHR: // as if it were u64
        return take_bytes(d, at, 8);
    case GV_VK_TYPE_VkAccelerationStructureGeometryDataKHR:
    case GV_VK_TYPE_VkPerformanceValueDataINTEL:
        return decode_tagged(d, owner, base, at);
    default:
        return refuse(d, gv_vk_name(gv_vk_types[type].name));
    }
}

static bool decode_value(struct decoder *d, enum gv_vk_type type, enum gv_vk_type owner,
                         const void *base, void *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    switch ((enum gv_vk_class)info->class) {
    case GV_VK_CLASS_STRUCT:
        return decode_struct(d, type, at);
    case GV_VK_CLASS_UNION:
        return decode_union(d, type, owner, base, at);
    case GV_VK_CLASS_REFUSED:
        return refuse(d, d->field);
    default: // handles are 8 bytes there and here
        return take_bytes(d, at, info->size);
    }
}

static bool decode_values(struct decoder *d, enum gv_vk_type type, uint64_t count,
                          enum gv_vk_type owner, const void *base, void *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    if (info->class < GV_VK_CLASS_STRUCT) // the files are packed as memory is
        return take_bytes(d, at, (size_t)count * info->size);
    for (uint64_t i = 0; i < count; i++)
        if (!decode_value(d, type, owner, base, (char *)at + i * info->size))
            return false;
    return true;
}

// ---- how little a value takes, in bytes of the file ----

static size_t least_of(enum gv_vk_type type, unsigned depth);

static size_t least_of_field(const struct gv_vk_field *field, unsigned depth)
{
    switch ((enum gv_vk_form)field->form) {
    case GV_VK_FORM_VALUE:
        return least_of(field->type, depth);
    case GV_VK_FORM_INLINE:
    case GV_VK_FORM_TEXT: // attributes and a count
        return 12;
    default:
        return 4; // attributes that say null
    }
}

static size_t least_of(enum gv_vk_type type, unsigned depth)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    size_t least = 0;
    if (info->class == GV_VK_CLASS_UNION)
        return 8;
    if (info->class == GV_VK_CLASS_REFUSED)
        return 1;
    if (info->class != GV_VK_CLASS_STRUCT)
        return info->size;
    for (uint32_t i = 0; i < info->count && depth < 8; i++)
        least += least_of_field(&gv_vk_fields[info->first + i], depth + 1);
    return least ? least : 1;
}

// ---- pointers ----

static bool decode_array(struct decoder *d, const struct gv_vk_field *field,
                         enum gv_vk_type owner, const void *base, void **out,
                         uint64_t *count)
{
    struct pointee p;
    *count = 0;
    if (!read_pointee(d, &p) || !p.here)
        return p.attributes & IS_NULL || !d->c->bad;
    if (p.attributes & (IS_ARRAYS | IS_STRING | IS_WIDE_STRING))
        return bad(d, "another kind of pointer than there is");
    void *at =
        room(d, p.count, gv_vk_types[field->type].size, least_of(field->type, 0));
    if (!at || !decode_values(d, field->type, p.count, owner, base, at))
        return false;
    *out = at;
    *count = p.count;
    return true;
}

static bool decode_arrays(struct decoder *d, const struct gv_vk_field *field,
                          enum gv_vk_type owner, const void *base, void **out,
                          uint64_t *count)
{
    struct pointee p;
    *count = 0;
    if (!read_pointee(d, &p) || !p.here)
        return p.attributes & IS_NULL || !d->c->bad;
    void **rows = room(d, p.count, sizeof *rows, 4);
    if (!rows)
        return false;
    uint64_t inner;
    for (uint64_t i = 0; i < p.count; i++)
        if (!decode_array(d, field, owner, base, &rows[i], &inner))
            return false;
    *out = rows;
    *count = p.count;
    return true;
}

static bool decode_text(struct decoder *d, const struct pointee *p, const char **out)
{
    if (!(p->attributes & IS_STRING))
        return bad(d, "no string where one is");
    if (p->count > gv_cursor_left(d->c))
        return bad(d, "a string longer than the bytes that are left");
    const uint8_t *bytes = gv_cursor_take(d->c, (size_t)p->count);
    if (memchr(bytes, 0, (size_t)p->count))
        return bad(d, "a string with a NUL in it");
    *out = gv_arena_copy(d->arena, bytes, (size_t)p->count);
    return *out || no_memory(d);
}

static bool decode_string(struct decoder *d, const char **out)
{
    struct pointee p;
    if (!read_pointee(d, &p) || !p.here)
        return p.attributes & IS_NULL || !d->c->bad;
    return decode_text(d, &p, out);
}

static bool decode_strings(struct decoder *d, const char ***out, uint64_t *count)
{
    struct pointee p;
    *count = 0;
    if (!read_pointee(d, &p) || !p.here)
        return p.attributes & IS_NULL || !d->c->bad;
    const char **texts = room(d, p.count, sizeof *texts, 4);
    if (!texts)
        return false;
    for (uint64_t i = 0; i < p.count; i++)
        if (!decode_string(d, &texts[i]) || !texts[i])
            return texts[i] || bad(d, "a string that is null");
    *out = texts;
    *count = p.count;
    return true;
}

// char[N]: as long as the text is.
static bool decode_name(struct decoder *d, const struct gv_vk_field *field, char *at)
{
    struct pointee p;
    const char *text = NULL;
    if (!read_pointee(d, &p) || (p.here && !decode_text(d, &p, &text)))
        return false;
    if (!text)
        return bad(d, "text without its bytes");
    if (p.count >= field->size)
        return bad(d, "text longer than its room");
    memcpy(at, text, (size_t)p.count);
    return true;
}

static bool decode_inline(struct decoder *d, const struct gv_vk_field *field,
                          enum gv_vk_type owner, const void *base, void *at)
{
    struct pointee p;
    if (!read_pointee(d, &p))
        return false;
    if (!p.here)
        return bad(d, "an array without its elements");
    if (p.count > field->size / gv_vk_types[field->type].size)
        return bad(d, "more elements than the array has");
    return decode_values(d, field->type, p.count, owner, base, at);
}

static bool decode_chain(struct decoder *d, void **out)
{
    struct pointee p;
    if (!read_pointee(d, &p) || !p.here)
        return p.attributes & IS_NULL || !d->c->bad;
    if (gv_cursor_left(d->c) < 4)
        return ends_early(d);
    const uint32_t kind = gv_load_u32(d->c->data + d->c->pos);
    const enum gv_vk_type type = gv_vk_find_struct(kind);
    if (type == GV_VK_TYPE_COUNT) {
        char name[48];
        snprintf(name, sizeof name, "structure type %u", kind);
        return refuse(d, name);
    }
    *out = room(d, 1, gv_vk_types[type].size, 4);
    return *out && decode_struct(d, type, *out);
}

// ---- template data ----

static bool decode_packed(struct decoder *d, enum gv_vk_type type, uint64_t count,
                          const void **out)
{
    void *at = room(d, count, gv_vk_types[type].size, least_of(type, 0));
    *out = at;
    return at && decode_values(d, type, count, type, at, at);
}

// A tail that may be missing; newer recorders write inline uniform blocks there too.
static bool decode_tail(struct decoder *d, struct gv_vk_template_data *data)
{
    if (!gv_cursor_left(d->c))
        return true;
    data->acceleration_count = gv_cursor_u64(d->c);
    if (gv_cursor_u32(d->c) != VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR &&
        !d->c->bad)
        return refuse(d, "inline uniform block of a template");
    const void *ids = NULL;
    const bool ok = (!d->c->bad || ends_early(d)) &&
                    decode_packed(d, GV_VK_TYPE_VkAccelerationStructureKHR,
                                  data->acceleration_count, &ids);
    data->accelerations = ids;
    return ok;
}

static bool decode_template(struct decoder *d, const void **out)
{
    struct pointee p;
    struct gv_vk_template_data *data = gv_arena_alloc(d->arena, sizeof *data);
    if (!data)
        return no_memory(d);
    *out = data;
    if (!read_pointee(d, &p))
        return false;
    if (!p.here || p.attributes & IS_ARRAY) // a template that the recorder did not know
        return true;
    data->known = true;
    data->image_count = gv_cursor_u64(d->c);
    data->buffer_count = gv_cursor_u64(d->c);
    data->texel_count = gv_cursor_u64(d->c);
    const void *images = NULL, *buffers = NULL, *texels = NULL;
    const bool ok =
        (!d->c->bad || ends_early(d)) &&
        decode_packed(d, GV_VK_TYPE_VkDescriptorImageInfo, data->image_count,
                      &images) &&
        decode_packed(d, GV_VK_TYPE_VkDescriptorBufferInfo, data->buffer_count,
                      &buffers) &&
        decode_packed(d, GV_VK_TYPE_VkBufferView, data->texel_count, &texels);
    data->images = images;
    data->buffers = buffers;
    data->texels = texels;
    return ok && decode_tail(d, data);
}

// ---- fields ----

// Whether a pointer holds as many as other members say (vk_call.h vouches for it).
static bool check_count(struct decoder *d, const struct gv_vk_field *field,
                        const void *base, const void *pointer, uint64_t count)
{
    uint64_t wanted;
    const bool counted = gv_vk_length_of(field, base, &wanted);
    d->field = gv_vk_name(field->name);
    if (pointer)
        return counted && count >= wanted ? true
                                          : bad(d, "fewer elements than counted");
    const bool may = field->presence == GV_VK_MAYBE || !counted || !wanted ||
                     (field->presence == GV_VK_RETURNED && (d->depth || d->failed));
    return may || bad(d, "is null");
}

static bool decode_field(struct decoder *d, const struct gv_vk_field *field,
                         enum gv_vk_type owner, void *base, uint64_t *count)
{
    void *at = (char *)base + field->offset;
    *count = 1;
    d->field = gv_vk_name(field->name);
    switch ((enum gv_vk_form)field->form) {
    case GV_VK_FORM_VALUE:
        return decode_value(d, field->type, owner, base, at);
    case GV_VK_FORM_INLINE:
        return decode_inline(d, field, owner, base, at);
    case GV_VK_FORM_TEXT:
        return decode_name(d, field, at);
    case GV_VK_FORM_SINGLE:
    case GV_VK_FORM_ARRAY:
        return decode_array(d, field, owner, base, at, count);
    case GV_VK_FORM_ARRAYS:
        return decode_arrays(d, field, owner, base, at, count);
    case GV_VK_FORM_STRING:
        return decode_string(d, at);
    case GV_VK_FORM_STRINGS:
        return decode_strings(d, at, count);
    case GV_VK_FORM_CHAIN:
        return decode_chain(d, at);
    }
    return true;
}

static bool is_pointer(const struct gv_vk_field *field)
{
    switch ((enum gv_vk_form)field->form) {
    case GV_VK_FORM_SINGLE:
    case GV_VK_FORM_ARRAY:
    case GV_VK_FORM_ARRAYS:
    case GV_VK_FORM_STRING:
    case GV_VK_FORM_STRINGS:
        return true;
    default:
        return false;
    }
}

#define MOST_FIELDS 128 // VkPhysicalDeviceLimits has 106

static bool check_counts(struct decoder *d, const struct gv_vk_field *fields,
                         uint32_t field_count, const char *base, const uint64_t *counts)
{
    for (uint32_t i = 0; i < field_count; i++) {
        const void *pointer = NULL;
        if (!is_pointer(&fields[i]))
            continue;
        memcpy(&pointer, base + fields[i].offset, sizeof pointer);
        if (!check_count(d, &fields[i], base, pointer, counts[i]))
            return false;
    }
    return true;
}

// A write has three arrays of which its type uses one; the others come without data.
static bool check_write(struct decoder *d, const VkWriteDescriptorSet *write)
{
    const size_t array = gv_vk_written_array(write->descriptorType);
    const void *used = write; // contents are in the chain
    if (array)
        memcpy(&used, (const char *)write + array, sizeof used);
    return used || !write->descriptorCount ||
           bad(d, "a write without the descriptors of its type");
}

// One without images counts attachments and names none.
static bool check_framebuffer(struct decoder *d, const VkFramebufferCreateInfo *info)
{
    return info->pAttachments || !info->attachmentCount ||
           info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT ||
           bad(d, "a framebuffer without its attachments");
}

static bool check_struct(struct decoder *d, enum gv_vk_type type, const void *at)
{
    switch ((int)type) {
    case GV_VK_TYPE_VkWriteDescriptorSet:
        return check_write(d, at);
    case GV_VK_TYPE_VkFramebufferCreateInfo:
        return check_framebuffer(d, at);
    default:
        return true;
    }
}

static bool decode_struct(struct decoder *d, enum gv_vk_type type, void *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    const struct gv_vk_field *fields = &gv_vk_fields[info->first];
    uint64_t counts[MOST_FIELDS];
    if (d->depth >= MOST_DEPTH)
        return bad(d, "structs nested too deep");
    d->depth++;
    bool ok = true;
    for (uint32_t i = 0; ok && i < info->count; i++)
        ok = decode_field(d, &fields[i], type, at, &counts[i]);
    ok = ok && check_counts(d, fields, info->count, at, counts) &&
         check_struct(d, type, at);
    d->depth--;
    if (!ok || info->structure_type == GV_VK_NO_TYPE)
        return ok;
    uint32_t kind;
    memcpy(&kind, at, sizeof kind);
    return kind == info->structure_type || bad(d, "a struct with the sType of another");
}

static bool decode_result(struct decoder *d, struct gv_vk_call *out)
{
    const enum gv_vk_type type = gv_vk_functions[out->function].result;
    d->field = "result";
    if (type == GV_VK_TYPE_void)
        return true;
    if (gv_vk_types[type].size == 8) {
        out->result = (int64_t)gv_cursor_u64(d->c);
    } else {
        const uint32_t word = gv_cursor_u32(d->c);
        out->result = type == GV_VK_TYPE_VkResult ? (int32_t)word : (int64_t)word;
    }
    d->failed = type == GV_VK_TYPE_VkResult && out->result < 0;
    return !d->c->bad || ends_early(d);
}

static bool decode_arguments(struct decoder *d, struct gv_vk_call *out, void *args)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[out->function];
    const struct gv_vk_field *fields = &gv_vk_fields[info->first];
    uint64_t counts[MOST_FIELDS];
    for (uint32_t i = 0; i < info->count; i++) {
        d->field = gv_vk_name(fields[i].name);
        const void **data = (const void **)((char *)args + fields[i].offset);
        if (gv_vk_is_template_data(out->function, &fields[i])
                ? !decode_template(d, data)
                : !decode_field(d, &fields[i], GV_VK_TYPE_COUNT, args, &counts[i]))
            return false;
    }
    if (!decode_result(d, out) || !check_counts(d, fields, info->count, args, counts))
        return false;
    d->field = "parameters";
    return !gv_cursor_left(d->c) || bad(d, "bytes behind them");
}

bool gv_gfxr_decode(uint32_t id, struct gv_cursor bytes, const struct gv_gfxr_room *to,
                    struct gv_vk_call *out, struct gv_error *err)
{
    const struct gv_vk_id_info *known = gv_vk_find_id(id);
    const unsigned long long block = out->place.block;
    if (!known)
        gv_fail(err, GV_ERR_FORMAT, out->place.offset,
                "block %llu: no function has the id 0x%08x", block, id);
    else if (known->function == GV_VK_FUNCTION_COUNT)
        gv_fail(err, GV_ERR_UNSUPPORTED, out->place.offset,
                "unsupported: %s (block %llu)", gv_vk_name(known->name), block);
    if (!known || known->function == GV_VK_FUNCTION_COUNT)
        return gv_error_at_command(err, block);
    out->function = (enum gv_vk_function)known->function;
    out->result = 0;
    void *args = gv_arena_alloc(to->arena, gv_vk_functions[out->function].size);
    out->args = args;
    struct decoder d = {
        .c = &bytes, .arena = to->arena, .limit = to->limit, .err = err, .call = out
    };
    return args ? decode_arguments(&d, out, args) : no_memory(&d);
}
