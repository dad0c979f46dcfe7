#include "tests/agi/agi_writer.h"

#include "compiler/agi/agi_proto.h"
#include "compiler/vulkan/api/vk_table.h"

#include <stdio.h>
#include <string.h>

#define FIRST_PARAMETER 8u // fields of a command before it are the recorder's own
#define PAGE 4096u
#define INTO_PAGE 0xc00u // where mappings begin

// ---- the pack ----

void agi_varint(struct gv_bytes *out, uint64_t n)
{
    gv_bytes_uleb(out, n);
}

void agi_zigzag(struct gv_bytes *out, int64_t n)
{
    agi_varint(out, ((uint64_t)n << 1) ^ (n < 0 ? UINT64_MAX : 0));
}

void agi_field_number(struct gv_bytes *out, uint32_t field, uint64_t number)
{
    agi_varint(out, (uint64_t)field << 3);
    agi_zigzag(out, (int64_t)number);
}

static void field_plain(struct gv_bytes *out, uint32_t field, uint64_t number)
{
    agi_varint(out, (uint64_t)field << 3);
    agi_varint(out, number);
}

void agi_field_bytes(struct gv_bytes *out, uint32_t field, const void *bytes,
                     size_t size)
{
    agi_varint(out, (uint64_t)field << 3 | 2);
    agi_varint(out, size);
    gv_bytes_put(out, bytes, size);
}

void agi_put_chunk(struct agi_writer *w, int64_t size, const struct gv_bytes *body)
{
    agi_zigzag(&w->out, size);
    gv_bytes_put(&w->out, body->data, body->size);
    w->chunks++;
}

uint32_t agi_define(struct agi_writer *w, const char *name,
                    const struct agi_field *fields, uint32_t count)
{
    for (uint32_t i = 0; i < w->type_count; i++)
        if (!strcmp(w->types[i], name))
            return i + 1;
    if (w->type_count == sizeof w->types / sizeof *w->types) {
        w->failed = true;
        return 1;
    }
    struct gv_bytes body = { 0 };
    agi_varint(&body, strlen(name));
    gv_bytes_put(&body, name, strlen(name));
    for (uint32_t i = 0; i < count; i++) {
        struct gv_bytes field = { 0 };
        agi_field_bytes(&field, 1, fields[i].name, strlen(fields[i].name));
        field_plain(&field, 3, fields[i].number);
        field_plain(&field, 4, fields[i].repeated ? 3 : 1);
        field_plain(&field, 5, fields[i].kind);
        if (fields[i].message) {
            struct gv_bytes full = { 0 };
            gv_bytes_printf(&full, ".%s", fields[i].message);
            agi_field_bytes(&field, 6, full.data, full.size);
            gv_bytes_finish(&full);
        }
        agi_field_bytes(&body, 2, field.data, field.size);
        gv_bytes_finish(&field);
    }
    agi_put_chunk(w, -(int64_t)body.size, &body);
    gv_bytes_finish(&body);
    w->types[w->type_count] = gv_arena_copy(&w->arena, name, strlen(name));
    return ++w->type_count;
}

uint64_t agi_put_object(struct agi_writer *w, uint64_t group, int64_t type,
                        const struct gv_bytes *message)
{
    struct gv_bytes body = { 0 };
    agi_zigzag(&body, group ? (int64_t)(group - (w->chunks + 1)) : 0);
    agi_zigzag(&body, type);
    gv_bytes_put(&body, message->data, message->size);
    agi_put_chunk(w, (int64_t)body.size, &body);
    gv_bytes_finish(&body);
    return w->chunks;
}

void agi_put_end(struct agi_writer *w, uint64_t group)
{
    struct gv_bytes body = { 0 };
    agi_zigzag(&body, (int64_t)(group - (w->chunks + 1)));
    agi_put_chunk(w, (int64_t)body.size, &body);
    gv_bytes_finish(&body);
}

static const struct gv_agi_abi abis[] = {
    [AGI_LP64] = { 8, 8, 8 }, [AGI_ARM32] = { 4, 8, 8 }, [AGI_X86] = { 4, 4, 4 }
};

static void put_layout(struct gv_bytes *out, uint32_t field, uint32_t size,
                       uint32_t align)
{
    struct gv_bytes layout = { 0 };
    field_plain(&layout, 1, size);
    field_plain(&layout, 2, align);
    agi_field_bytes(out, field, layout.data, layout.size);
    gv_bytes_finish(&layout);
}

void agi_begin(struct agi_writer *w, enum agi_writer_abi abi, uint32_t version)
{
    static const struct agi_field header[] = {
        { "ABI", 2, GV_AGI_MESSAGE, false, "device.ABI" },
        { "version", 3, GV_AGI_SINT32, false, NULL },
    };
    static const struct agi_field of_abi[] = {
        { "name", 1, GV_AGI_STRING, false, NULL },
        { "memory_layout", 4, GV_AGI_MESSAGE, false, "device.MemoryLayout" },
    };
    static const struct agi_field memory[] = {
        { "pointer", 2, GV_AGI_MESSAGE, false, "device.DataTypeLayout" },
        { "i64", 6, GV_AGI_MESSAGE, false, "device.DataTypeLayout" },
        { "f64", 10, GV_AGI_MESSAGE, false, "device.DataTypeLayout" },
    };
    static const struct agi_field layout[] = {
        { "size", 1, GV_AGI_INT32, false, NULL },
        { "alignment", 2, GV_AGI_INT32, false, NULL },
    };
    const struct gv_agi_abi *a = &abis[abi];
    memset(w, 0, sizeof *w);
    w->layout = gv_agi_layout_make(a, &w->arena);
    w->address = 0x10000;
    w->mapped = 0x40000000;
    gv_bytes_put(&w->out, "ProtoPack\r\n2.0\n\0", 16);
    const uint32_t type = agi_define(w, "capture.Header", header, 2);
    agi_define(w, "device.ABI", of_abi, 2);
    agi_define(w, "device.MemoryLayout", memory, 3);
    agi_define(w, "device.DataTypeLayout", layout, 2);
    struct gv_bytes m = { 0 }, inner = { 0 }, object = { 0 };
    put_layout(&m, 2, a->pointer, a->pointer);
    put_layout(&m, 6, 8, a->wide_align);
    put_layout(&m, 10, 8, a->double_align);
    agi_field_bytes(&inner, 1, "of a test", 9);
    agi_field_bytes(&inner, 4, m.data, m.size);
    agi_field_bytes(&object, 2, inner.data, inner.size);
    agi_field_number(&object, 3, version);
    for (int twice = 0; twice < 2; twice++)
        agi_put_object(w, 0, type, &object);
    gv_bytes_finish(&m);
    gv_bytes_finish(&inner);
    gv_bytes_finish(&object);
}

static void drop_pieces(struct agi_writer *w)
{
    for (uint32_t i = 0; i < w->piece_count; i++)
        gv_bytes_finish(&w->pieces[i].bytes);
    w->piece_count = 0;
}

void agi_finish(struct agi_writer *w)
{
    drop_pieces(w);
    gv_bytes_finish(&w->out);
    gv_arena_finish(&w->arena);
}

// ---- memory ----

static struct gv_bytes *new_piece(struct agi_writer *w, uint64_t address, bool written)
{
    if (w->piece_count == sizeof w->pieces / sizeof *w->pieces) {
        w->failed = true;
        drop_pieces(w);
    }
    struct agi_piece *p = &w->pieces[w->piece_count++];
    *p = (struct agi_piece){ .address = address, .written = written };
    return &p->bytes;
}

static struct agi_memory_of *memory_of(struct agi_writer *w, uint64_t id)
{
    for (uint32_t i = 0; i < w->memory_count; i++)
        if (w->memories[i].id == id)
            return &w->memories[i];
    if (w->memory_count == sizeof w->memories / sizeof *w->memories) {
        w->failed = true;
        w->memory_count--;
    }
    struct agi_memory_of *m = &w->memories[w->memory_count++];
    *m = (struct agi_memory_of){ .id = id };
    return m;
}

void agi_put_fill(struct agi_writer *w, uint64_t memory, uint64_t offset,
                  const void *bytes, size_t size)
{
    const struct agi_memory_of *m = memory_of(w, memory);
    const bool first = offset == 0, last = offset + size >= m->length;
    struct gv_bytes *out =
        new_piece(w, m->address + offset - (first ? INTO_PAGE : 0), false);
    if (first)
        memset(gv_bytes_grow(out, INTO_PAGE), 0xa5, INTO_PAGE);
    gv_bytes_put(out, bytes, size);
    if (last)
        memset(gv_bytes_grow(out, PAGE), 0x5a, PAGE);
}

static uint64_t handle_of(struct agi_writer *w, enum gv_vk_type type, uint64_t id)
{
    struct agi_handle *free = NULL;
    uint64_t most = 0;
    if (!id)
        return 0;
    for (uint32_t i = 0; i < w->handle_count; i++) {
        struct agi_handle *h = &w->handles[i];
        if (h->type != type)
            continue;
        if (h->id == id)
            return h->number;
        most = h->number > most ? h->number : most;
        if (!h->id && !free)
            free = h;
    }
    if (!free && w->handle_count == sizeof w->handles / sizeof *w->handles) {
        w->failed = true;
        return 0x1000;
    }
    if (!free) {
        free = &w->handles[w->handle_count++];
        *free = (struct agi_handle){ .type = type, .number = most ? most + 8 : 0x1000 };
    }
    free->id = id;
    return free->number;
}

static void forget_handle(struct agi_writer *w, enum gv_vk_type type, uint64_t id)
{
    for (uint32_t i = 0; i < w->handle_count; i++)
        if (w->handles[i].type == type && w->handles[i].id == id)
            w->handles[i].id = 0;
}

static void encode_struct(struct agi_writer *w, enum gv_vk_type type, const char *at,
                          uint8_t *out, bool written);

static void put_number(uint8_t *out, uint64_t number, uint32_t size)
{
    memcpy(out, &number, size < sizeof number ? size : sizeof number);
}

static uint64_t load(const void *at, size_t size)
{
    uint64_t number = 0;
    memcpy(&number, at, size < sizeof number ? size : sizeof number);
    return number;
}

static void encode_value(struct agi_writer *w, enum gv_vk_type type, const char *at,
                         uint8_t *out, bool written)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    const uint32_t there = w->layout->types[type].size;
    if (info->class == GV_VK_CLASS_STRUCT)
        encode_struct(w, type, at, out, written);
    else if (info->class == GV_VK_CLASS_UNION)
        memcpy(out, at, there < info->size ? there : info->size);
    else if (info->class == GV_VK_CLASS_HANDLE)
        put_number(out, handle_of(w, type, load(at, 8)), there);
    else if (info->class != GV_VK_CLASS_REFUSED)
        put_number(out, load(at, info->size), there);
}

// Memory for an array; its address. Its bytes are known once all of it is encoded.
static uint64_t encode_array(struct agi_writer *w, enum gv_vk_type type, uint64_t count,
                             const char *at, bool written)
{
    const uint32_t there = w->layout->types[type].size;
    const uint64_t address = w->address, bytes = count * there;
    w->address += (bytes + 31) / 16 * 16;
    uint8_t *out = gv_arena_alloc(&w->arena, (size_t)bytes);
    for (uint64_t i = 0; i < count; i++)
        encode_value(w, type, at + i * gv_vk_types[type].size, out + i * there,
                     written);
    if (bytes)
        gv_bytes_put(new_piece(w, address, written), out, (size_t)bytes);
    return address;
}

static uint64_t encode_text(struct agi_writer *w, const char *text)
{
    const uint64_t address = w->address, size = strlen(text) + 1;
    w->address += (size + 31) / 16 * 16;
    gv_bytes_put(new_piece(w, address, false), text, (size_t)size);
    return address;
}

static uint64_t encode_texts(struct agi_writer *w, uint64_t count,
                             const char *const *texts)
{
    const uint32_t pointer = w->layout->abi.pointer;
    uint8_t *out = gv_arena_alloc(&w->arena, (size_t)count * pointer);
    for (uint64_t i = 0; i < count; i++)
        put_number(out + i * pointer, encode_text(w, texts[i]), pointer);
    const uint64_t address = w->address;
    w->address += (count * pointer + 31) / 16 * 16;
    if (count)
        gv_bytes_put(new_piece(w, address, false), out, (size_t)count * pointer);
    return address;
}

static uint64_t encode_pointer(struct agi_writer *w, const struct gv_vk_field *field,
                               const char *base, bool written)
{
    const void *pointer;
    uint64_t count = 1;
    memcpy(&pointer, base + field->offset, sizeof pointer);
    gv_vk_length_of(field, base, &count);
    if (!pointer)
        return 0;
    switch ((enum gv_vk_form)field->form) {
    case GV_VK_FORM_CHAIN:
        return encode_array(
            w, gv_vk_find_struct((uint32_t)((const VkBaseInStructure *)pointer)->sType),
            1, pointer, written);
    case GV_VK_FORM_STRING:
        return encode_text(w, pointer);
    case GV_VK_FORM_STRINGS:
        return encode_texts(w, count, (const char *const *)pointer);
    case GV_VK_FORM_ARRAYS:
        return 0x10; // of a kind that is refused
    default:
        return encode_array(w, (enum gv_vk_type)field->type, count, pointer, written);
    }
}

static bool is_value(const struct gv_vk_field *field)
{
    return field->form == GV_VK_FORM_VALUE || field->form == GV_VK_FORM_INLINE ||
           field->form == GV_VK_FORM_TEXT;
}

static void encode_struct(struct agi_writer *w, enum gv_vk_type type, const char *at,
                          uint8_t *out, bool written)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    for (uint32_t i = info->first; i < info->first + info->count; i++) {
        const struct gv_vk_field *f = &gv_vk_fields[i];
        uint8_t *to = out + w->layout->offsets[i];
        const uint32_t size = gv_vk_types[f->type].size;
        if (!is_value(f)) {
            put_number(to, encode_pointer(w, f, at, written), w->layout->abi.pointer);
            continue;
        }
        const uint32_t count =
            f->form == GV_VK_FORM_VALUE || !size ? 1u : f->size / size;
        for (uint32_t j = 0; j < count; j++)
            encode_value(w, (enum gv_vk_type)f->type, at + f->offset + j * (size_t)size,
                         to + j * (size_t)w->layout->types[f->type].size, written);
    }
}

// ---- commands ----

static void put_observations(struct agi_writer *w, uint64_t group, bool written)
{
    static const struct agi_field of_resource[] = {
        { "index", 1, GV_AGI_SINT64, false, NULL },
        { "data", 2, GV_AGI_BYTES, false, NULL },
    };
    static const struct agi_field of_observation[] = {
        { "base", 1, GV_AGI_UINT64, false, NULL },
        { "size", 2, GV_AGI_UINT64, false, NULL },
        { "res_index", 3, GV_AGI_SINT64, false, NULL },
        { "pool", 4, GV_AGI_UINT32, false, NULL },
    };
    const uint32_t resource = agi_define(w, "capture.Resource", of_resource, 2);
    const uint32_t observation = agi_define(w, "memory.Observation", of_observation, 4);
    for (uint32_t i = 0; i < w->piece_count; i++) {
        const struct agi_piece *p = &w->pieces[i];
        struct gv_bytes message = { 0 };
        if (p->written != written)
            continue;
        agi_field_number(&message, 1, ++w->resources);
        agi_field_bytes(&message, 2, p->bytes.data, p->bytes.size);
        agi_put_object(w, 0, resource, &message);
        message.size = 0;
        field_plain(&message, 1, p->address);
        field_plain(&message, 2, p->bytes.size);
        agi_field_number(&message, 3, w->resources);
        agi_put_object(w, group, observation, &message);
        gv_bytes_finish(&message);
    }
}

static uint32_t define_command(struct agi_writer *w, enum gv_vk_function function)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[function];
    struct agi_field fields[64] = { { "thread", 1, GV_AGI_SINT64, false, NULL } };
    char name[96];
    for (uint32_t i = 0; i < info->count; i++) {
        const struct gv_vk_field *f = &gv_vk_fields[info->first + i];
        const bool real = f->form == GV_VK_FORM_VALUE &&
                          gv_vk_types[f->type].class == GV_VK_CLASS_F32;
        const bool floats = f->length.rule == GV_VK_RULE_FIXED &&
                            gv_vk_types[f->type].class == GV_VK_CLASS_F32;
        fields[1 + i] =
            (struct agi_field){ gv_vk_name(f->name), FIRST_PARAMETER + i,
                                real || floats ? GV_AGI_FLOAT : GV_AGI_SINT64, floats,
                                NULL };
    }
    snprintf(name, sizeof name, "vulkan.%s", gv_vk_function_name(function));
    return agi_define(w, name, fields, info->count + 1);
}

static bool gives(enum gv_vk_function function, const struct gv_vk_field *f)
{
    const char *name = gv_vk_function_name(function);
    const bool gets = !strncmp(name, "vkGet", 5) || !strncmp(name, "vkEnumerate", 11);
    return f->presence == GV_VK_RETURNED || (gets && f->presence == GV_VK_MAYBE);
}

static void put_parameter(struct agi_writer *w, const struct gv_vk_call *call,
                          uint32_t n, struct gv_bytes *message)
{
    const struct gv_vk_field *f =
        &gv_vk_fields[gv_vk_functions[call->function].first + n];
    const char *at = (const char *)call->args + f->offset;
    const struct gv_vk_type_info *type = &gv_vk_types[f->type];
    const void *pointer;
    if (f->form != GV_VK_FORM_VALUE && f->length.rule == GV_VK_RULE_FIXED &&
        type->class == GV_VK_CLASS_F32) {
        memcpy(&pointer, at, sizeof pointer);
        if (pointer)
            agi_field_bytes(message, FIRST_PARAMETER + n, pointer,
                            (size_t)f->length.offset * type->size);
    } else if (f->form != GV_VK_FORM_VALUE) {
        agi_field_number(message, FIRST_PARAMETER + n,
                         encode_pointer(w, f, call->args, gives(call->function, f)));
    } else if (type->class == GV_VK_CLASS_F32) {
        agi_varint(message, (FIRST_PARAMETER + n) << 3 | 5);
        gv_bytes_put(message, at, 4);
    } else if (type->class == GV_VK_CLASS_HANDLE) {
        agi_field_number(message, FIRST_PARAMETER + n,
                         handle_of(w, (enum gv_vk_type)f->type, load(at, 8)));
    } else {
        agi_field_number(message, FIRST_PARAMETER + n, load(at, type->size));
    }
}

static void put_result(struct agi_writer *w, uint64_t group,
                       const struct gv_vk_call *call)
{
    static const struct agi_field result[] = { { "result", 1, GV_AGI_SINT64, false,
                                                 NULL } };
    struct gv_bytes message = { 0 };
    char name[96] = "api.CmdCall";
    const bool returns = gv_vk_functions[call->function].result != GV_VK_TYPE_void;
    if (returns) {
        snprintf(name, sizeof name, "vulkan.%sCall",
                 gv_vk_function_name(call->function));
        agi_field_number(&message, 1, (uint64_t)call->result);
    }
    const uint32_t type = agi_define(w, name, result, returns);
    agi_put_object(w, group, type, &message);
    gv_bytes_finish(&message);
}

// Another thread asks for a function meanwhile.
static uint64_t put_other(struct agi_writer *w, uint64_t *end)
{
    const uint32_t type = define_command(w, GV_VK_vkGetDeviceProcAddr);
    struct gv_bytes message = { 0 };
    agi_field_number(&message, 1, 7);
    const uint64_t group = agi_put_object(w, 0, -(int64_t)type, &message);
    *end = group;
    gv_bytes_finish(&message);
    return group;
}

static void end_other(struct agi_writer *w, uint64_t group)
{
    put_result(w, group, &(struct gv_vk_call){ .function = GV_VK_vkGetDeviceProcAddr });
    agi_put_end(w, group);
}

// Where this recorder maps memory is its own business.
static void map(struct agi_writer *w, const struct gv_vk_args_vkMapMemory *a)
{
    struct agi_memory_of *m = memory_of(w, GV_VK_ID(a->memory));
    m->begin = a->offset;
    m->length = a->size < m->size - a->offset ? a->size : m->size - a->offset;
    m->address = w->mapped + INTO_PAGE;
    w->mapped += (INTO_PAGE + m->length + 2 * PAGE) / PAGE * PAGE;
    memcpy(a->ppData, &m->address, sizeof m->address);
}

static void before(struct agi_writer *w, const struct gv_vk_call *call)
{
    const struct gv_vk_args_vkAllocateMemory *a = GV_VK_ARGS(vkAllocateMemory, call);
    if (call->result >= 0 && call->function == GV_VK_vkMapMemory)
        map(w, GV_VK_ARGS(vkMapMemory, call));
    if (call->result >= 0 && call->function == GV_VK_vkAllocateMemory)
        memory_of(w, GV_VK_ID(*a->pMemory))->size = a->pAllocateInfo->allocationSize;
}

static void forget(struct agi_writer *w, const struct gv_vk_call *call)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[call->function];
    const char *name = gv_vk_function_name(call->function);
    const struct gv_vk_field *last = NULL;
    for (uint32_t i = info->first; i < info->first + info->count; i++)
        if (gv_vk_types[gv_vk_fields[i].type].class == GV_VK_CLASS_HANDLE)
            last = &gv_vk_fields[i];
    if (!last ||
        (strncmp(name, "vkDestroy", 9) != 0 && strncmp(name, "vkFree", 6) != 0))
        return;
    const char *at = (const char *)call->args + last->offset;
    uint64_t count = 1;
    if (last->form != GV_VK_FORM_VALUE) {
        const char *listed;
        gv_vk_length_of(last, call->args, &count);
        memcpy(&listed, at, sizeof listed);
        at = listed;
    }
    for (uint64_t i = 0; at && i < count; i++)
        forget_handle(w, (enum gv_vk_type)last->type, load(at + i * 8, 8));
}

void agi_put_call(struct agi_writer *w, const struct gv_vk_call *call, uint64_t thread)
{
    const struct gv_vk_function_info *info = &gv_vk_functions[call->function];
    struct gv_bytes message = { 0 };
    uint64_t other = 0, end = 0;
    before(w, call);
    agi_field_number(&message, 1, 100 + thread);
    for (uint32_t i = 0; i < info->count; i++) {
        if (gv_vk_is_template_data(call->function, &gv_vk_fields[info->first + i]))
            w->failed = true;
        else
            put_parameter(w, call, i, &message);
    }
    const uint32_t type = define_command(w, call->function);
    const uint64_t group = agi_put_object(w, 0, -(int64_t)type, &message);
    put_observations(w, group, false);
    if (w->interleaved)
        other = put_other(w, &end);
    put_result(w, group, call);
    put_observations(w, group, true);
    if (w->interleaved && group % 3 == 0)
        end_other(w, other);
    agi_put_end(w, group);
    if (w->interleaved && group % 3 != 0)
        end_other(w, other);
    forget(w, call);
    drop_pieces(w);
    gv_bytes_finish(&message);
}

void agi_put_aborted(struct agi_writer *w)
{
    struct gv_bytes message = { 0 }, nothing = { 0 };
    const uint32_t type = define_command(w, GV_VK_vkDestroyDevice);
    const uint32_t aborted = agi_define(w, "api.ErrCmdAborted", NULL, 0);
    agi_field_number(&message, FIRST_PARAMETER, 0x1000);
    const uint64_t group = agi_put_object(w, 0, -(int64_t)type, &message);
    agi_put_object(w, group, aborted, &nothing);
    agi_put_end(w, group);
    gv_bytes_finish(&message);
}
