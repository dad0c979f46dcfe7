#include "tests/gfxrfile/gfxr_calls.h"

#include "compiler/vulkan/api/vk_table.h"

#include <string.h>

#define MOST_CHAINED 2

struct maker {
    struct gv_arena *arena;
    uint32_t random;
    unsigned chained;
    bool bare; // no handles
};

static uint32_t next(struct maker *m, uint32_t below)
{
    m->random = m->random * 1664525u + 1013904223u;
    return (m->random >> 8) % below;
}

static void store(void *at, const void *pointer)
{
    memcpy(at, &pointer, sizeof pointer);
}

static void make_struct(struct maker *m, enum gv_vk_type type, char *at);

static void make_value(struct maker *m, enum gv_vk_type type, char *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    const float real = (float)next(m, 1000) / 8;
    const double number = (double)real;
    if (info->class == GV_VK_CLASS_STRUCT) {
        make_struct(m, type, at);
    } else if (info->class == GV_VK_CLASS_F32) {
        memcpy(at, &real, sizeof real);
    } else if (info->class == GV_VK_CLASS_F64) {
        memcpy(at, &number, sizeof number);
    } else if (info->class == GV_VK_CLASS_UNION) {
        for (uint32_t i = 0; i < info->size && i < 16; i++)
            at[i] = (char)next(m, 64);
    } else if (!m->bare || info->class != GV_VK_CLASS_HANDLE) {
        at[0] = (char)next(m, 4); // counts among them
    }
}

// What a pointer to some becomes.
static void make_pointer(struct maker *m, const struct gv_vk_field *field, char *base)
{
    uint64_t count = 0;
    void *made = NULL;
    gv_vk_length_of(field, base, &count);
    const size_t size = gv_vk_types[field->type].size;
    if (gv_vk_types[field->type].class == GV_VK_CLASS_REFUSED)
        return;
    if (field->form == GV_VK_FORM_STRING) {
        made = gv_arena_copy(m->arena, "text \"with\" all\n", next(m, 17));
    } else if (field->form == GV_VK_FORM_STRINGS || field->form == GV_VK_FORM_ARRAYS) {
        void **rows = gv_arena_array(m->arena, (size_t)count, sizeof *rows);
        for (uint64_t i = 0; i < count; i++) {
            rows[i] = field->form == GV_VK_FORM_STRINGS
                          ? gv_arena_copy(m->arena, "name", next(m, 5))
                          : gv_arena_alloc(m->arena, size);
            if (field->form == GV_VK_FORM_ARRAYS)
                make_value(m, field->type, rows[i]);
        }
        made = rows;
    } else {
        char *array = gv_arena_array(m->arena, (size_t)count, size);
        for (uint64_t i = 0; i < count; i++)
            make_value(m, field->type, array + i * size);
        made = array;
    }
    store(base + field->offset, made);
}

// Structs of video name headers that nothing here describes.
static bool can_be_chained(enum gv_vk_type type)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    bool can = info->structure_type != GV_VK_NO_TYPE;
    for (uint32_t i = 0; can && i < info->count; i++) {
        const struct gv_vk_type_info *held =
            &gv_vk_types[gv_vk_fields[info->first + i].type];
        can = held->class != GV_VK_CLASS_REFUSED && held->class != GV_VK_CLASS_UNION &&
              (held->class != GV_VK_CLASS_STRUCT ||
               held->structure_type == GV_VK_NO_TYPE);
    }
    return can;
}

static void make_chain(struct maker *m, const struct gv_vk_field *field, char *base)
{
    const enum gv_vk_type type = (enum gv_vk_type)next(m, GV_VK_TYPE_gv_vk_refused);
    if (m->chained >= MOST_CHAINED || !can_be_chained(type))
        return;
    m->chained++;
    char *link = gv_arena_alloc(m->arena, gv_vk_types[type].size);
    make_struct(m, type, link);
    store(base + field->offset, link);
}

static void make_plain(struct maker *m, const struct gv_vk_field *field, char *base)
{
    char *at = base + field->offset;
    const size_t size = gv_vk_types[field->type].size;
    if (field->form == GV_VK_FORM_VALUE)
        make_value(m, field->type, at);
    else if (field->form == GV_VK_FORM_TEXT)
        memcpy(at, "in place", 1 + next(m, 8));
    else if (field->form == GV_VK_FORM_CHAIN)
        make_chain(m, field, base);
    else if (field->form == GV_VK_FORM_INLINE)
        for (size_t i = 0; i < field->size / size; i++)
            make_value(m, field->type, at + i * size);
    else if (field->form == GV_VK_FORM_SINGLE)
        make_pointer(m, field, base);
}

// Arrays last: their lengths are known then.
static void make_fields(struct maker *m, const struct gv_vk_field *fields,
                        uint32_t count, char *base)
{
    for (uint32_t i = 0; i < count; i++)
        make_plain(m, &fields[i], base);
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].form >= GV_VK_FORM_ARRAY && fields[i].form <= GV_VK_FORM_STRINGS)
            make_pointer(m, &fields[i], base);
}

static void make_struct(struct maker *m, enum gv_vk_type type, char *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    make_fields(m, &gv_vk_fields[info->first], info->count, at);
    if (info->structure_type != GV_VK_NO_TYPE)
        memcpy(at, &info->structure_type, sizeof info->structure_type);
    if (type == GV_VK_TYPE_VkPerformanceValueINTEL)
        ((VkPerformanceValueINTEL *)(void *)at)->type =
            VK_PERFORMANCE_VALUE_TYPE_UINT64_INTEL;
    if (type == GV_VK_TYPE_VkAccelerationStructureGeometryKHR) {
        VkAccelerationStructureGeometryKHR *geometry = (void *)at;
        geometry->geometryType = VK_GEOMETRY_TYPE_AABBS_KHR;
        memset(&geometry->geometry, 0, sizeof geometry->geometry);
        make_struct(m, GV_VK_TYPE_VkAccelerationStructureGeometryAabbsDataKHR,
                    (char *)&geometry->geometry);
    }
}

static void make_template(struct maker *m, const struct gv_vk_field *field, char *base)
{
    struct gv_vk_template_data *data = gv_arena_alloc(m->arena, sizeof *data);
    VkDescriptorImageInfo *images = gv_arena_array(m->arena, 2, sizeof *images);
    VkDescriptorBufferInfo *buffers = gv_arena_array(m->arena, 1, sizeof *buffers);
    make_value(m, GV_VK_TYPE_VkDescriptorImageInfo, (char *)&images[1]);
    make_value(m, GV_VK_TYPE_VkDescriptorBufferInfo, (char *)buffers);
    *data = (struct gv_vk_template_data){ .known = true,
                                          .image_count = 2,
                                          .buffer_count = 1,
                                          .images = images,
                                          .buffers = buffers };
    store(base + field->offset, data);
}

static const struct gv_vk_call *make_call(struct maker *m, enum gv_vk_function function)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[function];
    struct gv_vk_call *call = gv_arena_alloc(m->arena, sizeof *call);
    char *args = gv_arena_alloc(m->arena, info->size);
    call->function = function;
    call->args = args;
    make_fields(m, &gv_vk_fields[info->first], info->count, args);
    for (uint32_t i = 0; i < info->count; i++)
        if (gv_vk_is_template_data(function, &gv_vk_fields[info->first + i]))
            make_template(m, &gv_vk_fields[info->first + i], args);
    return call;
}

const struct gv_vk_call *gfxr_make_call(enum gv_vk_function function, uint32_t seed,
                                        struct gv_arena *arena)
{
    return make_call(&(struct maker){ .arena = arena, .random = seed }, function);
}

const struct gv_vk_call *gfxr_make_bare_call(enum gv_vk_function function,
                                             uint32_t seed, struct gv_arena *arena)
{
    return make_call(&(struct maker){ .arena = arena, .random = seed, .bare = true },
                     function);
}

// ---- as they are written ----

#define ADDRESS_AND_DATA 0xc0u
enum { NULL_BIT = 1, ONE = 2, SOME = 4, STRING = 8, STRUCTS = 0x20, ROWS = 0x100 };

static void encode_fields(struct gv_bytes *out, enum gv_vk_function function,
                          const struct gv_vk_field *fields, uint32_t count,
                          const char *base);

static void put_attributes(struct gv_bytes *out, uint32_t kind)
{
    gv_bytes_u32(out, kind | ADDRESS_AND_DATA);
    gv_bytes_u64(out, 0x7f0012345678);
}

static void encode_value(struct gv_bytes *out, enum gv_vk_type type, const char *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    if (info->class == GV_VK_CLASS_STRUCT) {
        encode_fields(out, GV_VK_FUNCTION_COUNT, &gv_vk_fields[info->first],
                      info->count, at);
    } else if (type == GV_VK_TYPE_VkAccelerationStructureGeometryDataKHR) {
        encode_value(out, GV_VK_TYPE_VkAccelerationStructureGeometryAabbsDataKHR, at);
    } else if (info->class == GV_VK_CLASS_UNION && info->size == 16) {
        put_attributes(out, SOME);
        gv_bytes_u64(out, 4);
        gv_bytes_put(out, at, 16);
    } else {
        gv_bytes_put(out, at, info->size);
    }
}

static void encode_string(struct gv_bytes *out, const char *text)
{
    put_attributes(out, STRING | ONE);
    gv_bytes_u64(out, strlen(text));
    gv_bytes_put(out, text, strlen(text));
}

static void encode_array(struct gv_bytes *out, enum gv_vk_type type, uint64_t count,
                         const char *at)
{
    const bool structs = gv_vk_types[type].class == GV_VK_CLASS_STRUCT;
    put_attributes(out, SOME | (structs ? STRUCTS : 0));
    gv_bytes_u64(out, count);
    for (uint64_t i = 0; i < count; i++)
        encode_value(out, type, at + i * gv_vk_types[type].size);
}

static void encode_rows(struct gv_bytes *out, const struct gv_vk_field *field,
                        uint64_t count, void *const *rows)
{
    const bool strings = field->form == GV_VK_FORM_STRINGS;
    put_attributes(out, SOME | (strings ? STRING : ROWS));
    gv_bytes_u64(out, count);
    for (uint64_t i = 0; i < count; i++)
        if (strings)
            encode_string(out, rows[i]);
        else
            encode_array(out, field->type, 1, rows[i]);
}

static void encode_pointer(struct gv_bytes *out, const struct gv_vk_field *field,
                           const char *base)
{
    uint64_t count = 0;
    const void *pointer;
    memcpy(&pointer, base + field->offset, sizeof pointer);
    gv_vk_length_of(field, base, &count);
    if (!pointer) {
        gv_bytes_u32(out, NULL_BIT | SOME);
    } else if (field->form == GV_VK_FORM_STRING) {
        encode_string(out, pointer);
    } else if (field->form == GV_VK_FORM_STRINGS || field->form == GV_VK_FORM_ARRAYS) {
        encode_rows(out, field, count, (void *const *)pointer);
    } else if (field->form == GV_VK_FORM_ARRAY) {
        encode_array(out, field->type, count, pointer);
    } else {
        put_attributes(out, ONE);
        encode_value(out, field->type, pointer);
    }
}

static void encode_chain(struct gv_bytes *out, const VkBaseInStructure *link)
{
    if (!link) {
        gv_bytes_u32(out, NULL_BIT | ONE | STRUCTS);
        return;
    }
    put_attributes(out, ONE | STRUCTS);
    encode_value(out, gv_vk_find_struct((uint32_t)link->sType), (const char *)link);
}

static void encode_template(struct gv_bytes *out,
                            const struct gv_vk_template_data *data)
{
    put_attributes(out, ONE | STRUCTS);
    gv_bytes_u64(out, data->image_count);
    gv_bytes_u64(out, data->buffer_count);
    gv_bytes_u64(out, data->texel_count);
    for (uint64_t i = 0; i < data->image_count; i++)
        encode_value(out, GV_VK_TYPE_VkDescriptorImageInfo,
                     (const char *)&data->images[i]);
    for (uint64_t i = 0; i < data->buffer_count; i++)
        encode_value(out, GV_VK_TYPE_VkDescriptorBufferInfo,
                     (const char *)&data->buffers[i]);
}

static void encode_field(struct gv_bytes *out, const struct gv_vk_field *field,
                         const char *base)
{
    const char *at = base + field->offset;
    const void *pointer;
    switch ((enum gv_vk_form)field->form) {
    case GV_VK_FORM_VALUE:
        encode_value(out, field->type, at);
        return;
    case GV_VK_FORM_INLINE:
        encode_array(out, field->type, field->size / gv_vk_types[field->type].size, at);
        return;
    case GV_VK_FORM_TEXT:
        encode_string(out, at);
        return;
    case GV_VK_FORM_CHAIN:
        memcpy(&pointer, at, sizeof pointer);
        encode_chain(out, pointer);
        return;
    case GV_VK_FORM_SINGLE:
    case GV_VK_FORM_ARRAY:
    case GV_VK_FORM_ARRAYS:
    case GV_VK_FORM_STRING:
    case GV_VK_FORM_STRINGS:
        encode_pointer(out, field, base);
        return;
    }
}

static void encode_fields(struct gv_bytes *out, enum gv_vk_function function,
                          const struct gv_vk_field *fields, uint32_t count,
                          const char *base)
{
    for (uint32_t i = 0; i < count; i++) {
        const void *data;
        memcpy(&data, base + fields[i].offset,
               gv_vk_is_template_data(function, &fields[i]) ? sizeof data : 0);
        if (gv_vk_is_template_data(function, &fields[i]))
            encode_template(out, data);
        else
            encode_field(out, &fields[i], base);
    }
}

void gfxr_encode_call(struct gv_bytes *out, const struct gv_vk_call *call)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[call->function];
    encode_fields(out, call->function, &gv_vk_fields[info->first], info->count,
                  call->args);
    if (info->result != GV_VK_TYPE_void)
        gv_bytes_put(out, &call->result, gv_vk_types[info->result].size);
}
