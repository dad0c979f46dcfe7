#include "compiler/vulkan/api/vk_text.h"

#include "compiler/vulkan/api/vk_table.h"

#include <inttypes.h>
#include <string.h>

#define SHOWN_BYTES 64u // of what is no text

static void put(struct gv_bytes *out, const char *text)
{
    gv_bytes_put(out, text, strlen(text));
}

static void put_fields(struct gv_bytes *out, enum gv_vk_function function,
                       const struct gv_vk_field *fields, uint32_t count,
                       const void *base);

void gv_vk_put_quoted(struct gv_bytes *out, const char *text, size_t most)
{
    gv_bytes_u8(out, '"');
    for (size_t i = 0; i < most && text[i]; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == 0x7f)
            gv_bytes_printf(out, "\\x%02x", c);
        else if (c == '"' || c == '\\')
            gv_bytes_printf(out, "\\%c", c);
        else
            gv_bytes_u8(out, c);
    }
    gv_bytes_u8(out, '"');
}

static void put_hex(struct gv_bytes *out, const uint8_t *bytes, uint64_t count)
{
    gv_bytes_printf(out, "<%" PRIu64 " bytes:", count);
    for (uint64_t i = 0; i < count && i < SHOWN_BYTES; i++)
        gv_bytes_printf(out, "%s%02x", i % 4 ? "" : " ", bytes[i]);
    put(out, count > SHOWN_BYTES ? " ...>" : ">");
}

static int64_t load(const void *at, size_t size, bool is_signed)
{
    uint64_t number = 0;
    memcpy(&number, at, size);
    if (is_signed && size < 8 && number >> (size * 8 - 1))
        number |= ~UINT64_C(0) << (size * 8);
    return (int64_t)number;
}

static void put_flags(struct gv_bytes *out, enum gv_vk_type type, uint64_t flags)
{
    const char *whole = gv_vk_value_name(type, (int64_t)flags);
    if (whole || !flags) {
        put(out, whole ? whole : "0");
        return;
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        const uint64_t one = UINT64_C(1) << bit;
        const char *name = flags & one ? gv_vk_value_name(type, (int64_t)one) : NULL;
        if (!(flags & one))
            continue;
        if (name)
            put(out, name);
        else
            gv_bytes_printf(out, "0x%" PRIx64, one);
        flags &= ~one;
        put(out, flags ? " | " : "");
    }
}

static void put_float(struct gv_bytes *out, double number, int digits)
{
    gv_bytes_printf(out, "%.*g", digits, number);
}

static void put_union(struct gv_bytes *out, enum gv_vk_type type, const void *at)
{
    VkClearValue clear;
    if (type != GV_VK_TYPE_VkClearValue && type != GV_VK_TYPE_VkClearColorValue) {
        gv_bytes_printf(out, "0x%" PRIx64, (uint64_t)load(at, 8, false));
        return;
    }
    memcpy(&clear, at, sizeof clear); // all of it, since only its use says what it is
    gv_bytes_u8(out, '{');
    for (int i = 0; i < 4; i++) {
        put(out, i ? ", " : "");
        put_float(out, (double)clear.color.float32[i], 9);
    }
    gv_bytes_printf(out,
                    " / 0x%" PRIx32 ", 0x%" PRIx32 ", 0x%" PRIx32 ", 0x%" PRIx32 "}",
                    clear.color.uint32[0], clear.color.uint32[1], clear.color.uint32[2],
                    clear.color.uint32[3]);
}

static void put_enum(struct gv_bytes *out, enum gv_vk_type type, int64_t value)
{
    const char *name = gv_vk_value_name(type, value);
    if (name)
        put(out, name);
    else
        gv_bytes_printf(out, "%" PRId64, value);
}

static void put_real(struct gv_bytes *out, const void *at, size_t size)
{
    float single;
    double number;
    memcpy(&single, at, sizeof single);
    if (size == sizeof number)
        memcpy(&number, at, sizeof number);
    else
        number = (double)single;
    put_float(out, number, size == sizeof number ? 17 : 9);
}

static void put_value(struct gv_bytes *out, enum gv_vk_type type, const void *at)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    switch ((enum gv_vk_class)info->class) {
    case GV_VK_CLASS_U8:
    case GV_VK_CLASS_U16:
    case GV_VK_CLASS_U32:
    case GV_VK_CLASS_U64:
    case GV_VK_CLASS_HANDLE:
        gv_bytes_printf(out, "%" PRIu64, (uint64_t)load(at, info->size, false));
        return;
    case GV_VK_CLASS_I8:
    case GV_VK_CLASS_I16:
    case GV_VK_CLASS_I32:
    case GV_VK_CLASS_I64:
        gv_bytes_printf(out, "%" PRId64, load(at, info->size, true));
        return;
    case GV_VK_CLASS_F32:
    case GV_VK_CLASS_F64:
        put_real(out, at, info->size);
        return;
    case GV_VK_CLASS_BOOL:
        put(out, load(at, 4, false) ? "VK_TRUE" : "VK_FALSE");
        return;
    case GV_VK_CLASS_ADDRESS:
        gv_bytes_printf(out, "0x%" PRIx64, (uint64_t)load(at, 8, false));
        return;
    case GV_VK_CLASS_ENUM:
        put_enum(out, type, load(at, info->size, true));
        return;
    case GV_VK_CLASS_FLAGS:
        put_flags(out, type, (uint64_t)load(at, info->size, false));
        return;
    case GV_VK_CLASS_STRUCT:
        gv_bytes_u8(out, '{');
        put_fields(out, GV_VK_FUNCTION_COUNT, &gv_vk_fields[info->first], info->count,
                   at);
        gv_bytes_u8(out, '}');
        return;
    case GV_VK_CLASS_UNION:
        put_union(out, type, at);
        return;
    case GV_VK_CLASS_REFUSED:
        return;
    }
}

static void put_values(struct gv_bytes *out, enum gv_vk_type type, uint64_t count,
                       const void *at)
{
    gv_bytes_u8(out, '[');
    for (uint64_t i = 0; i < count && !out->failed; i++) {
        put(out, i ? ", " : "");
        put_value(out, type, (const char *)at + i * gv_vk_types[type].size);
    }
    gv_bytes_u8(out, ']');
}

static void put_pointer(struct gv_bytes *out, const struct gv_vk_field *field,
                        const void *base, const void *pointer)
{
    uint64_t count = 0;
    if (!pointer) {
        put(out, "NULL");
        return;
    }
    gv_vk_length_of(field, base, &count);
    if (field->form == GV_VK_FORM_SINGLE)
        put_value(out, field->type, pointer);
    else if (field->type == GV_VK_TYPE_gv_vk_byte)
        put_hex(out, pointer, count);
    else if (field->length.rule == GV_VK_RULE_QUARTER)
        put_hex(out, pointer, count * 4);
    else
        put_values(out, field->type, count, pointer);
}

static void put_strings(struct gv_bytes *out, const struct gv_vk_field *field,
                        const void *base, const char *const *texts)
{
    uint64_t count = 0;
    if (!texts) {
        put(out, "NULL");
        return;
    }
    gv_vk_length_of(field, base, &count);
    gv_bytes_u8(out, '[');
    for (uint64_t i = 0; i < count; i++) {
        put(out, i ? ", " : "");
        gv_vk_put_quoted(out, texts[i], SIZE_MAX);
    }
    gv_bytes_u8(out, ']');
}

static void put_chain(struct gv_bytes *out, const VkBaseInStructure *link)
{
    if (link)
        put_value(out, gv_vk_find_struct((uint32_t)link->sType), link);
    else
        put(out, "NULL");
}

static void put_template(struct gv_bytes *out, const struct gv_vk_template_data *data)
{
    put(out, "{images = ");
    put_values(out, GV_VK_TYPE_VkDescriptorImageInfo, data->image_count, data->images);
    put(out, ", buffers = ");
    put_values(out, GV_VK_TYPE_VkDescriptorBufferInfo, data->buffer_count,
               data->buffers);
    put(out, ", texels = ");
    put_values(out, GV_VK_TYPE_VkBufferView, data->texel_count, data->texels);
    gv_bytes_u8(out, '}');
}

static void put_field(struct gv_bytes *out, const struct gv_vk_field *field,
                      const void *base)
{
    const char *at = (const char *)base + field->offset;
    const void *pointer = NULL;
    if (field->form != GV_VK_FORM_VALUE && field->form != GV_VK_FORM_INLINE &&
        field->form != GV_VK_FORM_TEXT)
        memcpy(&pointer, at, sizeof pointer);
    switch ((enum gv_vk_form)field->form) {
    case GV_VK_FORM_VALUE:
        put_value(out, field->type, at);
        return;
    case GV_VK_FORM_INLINE:
        put_values(out, field->type, field->size / gv_vk_types[field->type].size, at);
        return;
    case GV_VK_FORM_TEXT:
        gv_vk_put_quoted(out, at, field->size);
        return;
    case GV_VK_FORM_SINGLE:
    case GV_VK_FORM_ARRAY:
        put_pointer(out, field, base, pointer);
        return;
    case GV_VK_FORM_ARRAYS: // each of a length that only others know
        put(out, pointer ? "[...]" : "NULL");
        return;
    case GV_VK_FORM_STRING:
        if (pointer)
            gv_vk_put_quoted(out, pointer, SIZE_MAX);
        else
            put(out, "NULL");
        return;
    case GV_VK_FORM_STRINGS:
        put_strings(out, field, base, pointer);
        return;
    case GV_VK_FORM_CHAIN:
        put_chain(out, pointer);
        return;
    }
}

static void put_fields(struct gv_bytes *out, enum gv_vk_function function,
                       const struct gv_vk_field *fields, uint32_t count,
                       const void *base)
{
    for (uint32_t i = 0; i < count; i++) {
        gv_bytes_printf(out, "%s%s = ", i ? ", " : "", gv_vk_name(fields[i].name));
        const void *pointer = NULL;
        memcpy(&pointer, (const char *)base + fields[i].offset,
               gv_vk_is_template_data(function, &fields[i]) ? sizeof pointer : 0);
        if (pointer)
            put_template(out, pointer);
        else
            put_field(out, &fields[i], base);
    }
}

void gv_vk_put_call(struct gv_bytes *out, const char *name,
                    const struct gv_vk_call *call)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[call->function];
    gv_bytes_printf(out, "%s(", name);
    put_fields(out, call->function, &gv_vk_fields[info->first], info->count,
               call->args);
    gv_bytes_u8(out, ')');
    if (info->result == GV_VK_TYPE_void)
        return;
    put(out, " = ");
    put_value(out, info->result, &call->result);
}
