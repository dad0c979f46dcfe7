// A snapshot of the model's own types: a buffer in memory with contents and a recorded
// command buffer, which a later command submits; all handles are one number. And damage
// that only its meaning tells.
#include "tests/agi/agi_writer.h"

#include "compiler/agi/agi_proto.h"
#include "compiler/compiler.h"
#include "tests/helpers.h"
#include "tests/test.h"
#include "vm/text/text.h"

#define HANDLE 0x1000u // the first of each type that the writer gives

// Members in order: n number, N numbers, and messages by their type, with * many.
static const struct {
    const char *name, *members;
} types[] = {
    { "memory.Slice", "base n size n pool n" },
    { "vulkan.PhysicalDeviceObject", "Instance n VulkanHandle n" },
    { "vulkan.DeviceObject", "PhysicalDevice n VulkanHandle n" },
    { "vulkan.QueueObject", "Device n VulkanHandle n" },
    { "vulkan.DeviceMemoryObject",
      "Device n VulkanHandle n AllocationSize n Data memory.Slice" },
    { "vulkan.BufferInfo", "Size n Usage n" },
    { "vulkan.BufferObject", "Device n VulkanHandle n Info vulkan.BufferInfo Memory "
                             "vulkan.Memory_ref MemoryOffset n" },
    { "vulkan.CommandPoolObject", "Device n VulkanHandle n" },
    { "vulkan.Begin", "Flags n" },
    { "vulkan.Reference", "Type n MapIndex n" },
    { "vulkan.Fill", "Buffer n DstOffset n Size n Data n" },
    { "vulkan.BufferCommands", "vkCmdFillBuffer vulkan.Fill_map" },
    { "vulkan.CommandBufferObject",
      "Device n VulkanHandle n Pool n CommandReferences vulkan.Reference_map "
      "BufferCommands vulkan.BufferCommands BeginInfo vulkan.Begin_ref" },
    { "vulkan.Physical_ref", "ReferenceID n Value vulkan.PhysicalDeviceObject" },
    { "vulkan.Physical_map", "ReferenceID n Values *vulkan.Physical_ref Keys N" },
    { "vulkan.Device_ref", "ReferenceID n Value vulkan.DeviceObject" },
    { "vulkan.Device_map", "ReferenceID n Values *vulkan.Device_ref Keys N" },
    { "vulkan.Queue_ref", "ReferenceID n Value vulkan.QueueObject" },
    { "vulkan.Queue_map", "ReferenceID n Values *vulkan.Queue_ref Keys N" },
    { "vulkan.Memory_ref", "ReferenceID n Value vulkan.DeviceMemoryObject" },
    { "vulkan.Memory_map", "ReferenceID n Values *vulkan.Memory_ref Keys N" },
    { "vulkan.Buffer_ref", "ReferenceID n Value vulkan.BufferObject" },
    { "vulkan.Buffer_map", "ReferenceID n Values *vulkan.Buffer_ref Keys N" },
    { "vulkan.Pool_ref", "ReferenceID n Value vulkan.CommandPoolObject" },
    { "vulkan.Pool_map", "ReferenceID n Values *vulkan.Pool_ref Keys N" },
    { "vulkan.Commands_ref", "ReferenceID n Value vulkan.CommandBufferObject" },
    { "vulkan.Commands_map", "ReferenceID n Values *vulkan.Commands_ref Keys N" },
    { "vulkan.Begin_ref", "ReferenceID n Value vulkan.Begin" },
    { "vulkan.Reference_ref", "ReferenceID n Value vulkan.Reference" },
    { "vulkan.Reference_map", "ReferenceID n Values *vulkan.Reference_ref Keys N" },
    { "vulkan.Fill_ref", "ReferenceID n Value vulkan.Fill" },
    { "vulkan.Fill_map", "ReferenceID n Values *vulkan.Fill_ref Keys N" },
    { "vulkan.State",
      "PhysicalDevices vulkan.Physical_map Devices vulkan.Device_map "
      "Queues vulkan.Queue_map DeviceMemories vulkan.Memory_map Buffers "
      "vulkan.Buffer_map CommandPools vulkan.Pool_map CommandBuffers "
      "vulkan.Commands_map" },
};

static uint32_t define(struct agi_writer *w, const char *name, const char *members)
{
    struct agi_field fields[16];
    char text[512];
    uint32_t count = 0;
    snprintf(text, sizeof text, "%s", members);
    for (char *at = strtok(text, " "); at; at = strtok(NULL, " ")) {
        const char *kind = strtok(NULL, " ");
        const bool number = !strcmp(kind, "n") || !strcmp(kind, "N");
        fields[count] = (struct agi_field){
            .name = at,
            .number = count + 1,
            .kind = number ? GV_AGI_SINT64 : GV_AGI_MESSAGE,
            .repeated = *kind == '*' || *kind == 'N',
            .message = number ? NULL : kind + (*kind == '*'),
        };
        count++;
    }
    return agi_define(w, name, fields, count);
}

// Fields by their order: numbers first, then whole messages.
static void number(struct gv_bytes *m, uint32_t field, uint64_t n)
{
    agi_field_number(m, field, n);
}

static void inner(struct gv_bytes *m, uint32_t field, struct gv_bytes *value)
{
    agi_field_bytes(m, field, value->data, value->size);
    gv_bytes_finish(value);
}

// A map of one entry under `key`: an object with a ReferenceID of its own.
static void put_map(struct gv_bytes *m, uint32_t field, uint64_t key, uint64_t id,
                    struct gv_bytes *object)
{
    struct gv_bytes map = { 0 }, reference = { 0 };
    number(&reference, 1, id);
    inner(&reference, 2, object);
    number(&map, 1, id + 100);
    inner(&map, 2, &reference);
    number(&map, 3, key);
    inner(m, field, &map);
}

enum damage {
    NONE,
    MORE_KEYS,
    MORE_VALUES,
    NO_SUCH_KIND,
    NO_SUCH_COMMAND,
    NO_STATE,
    LEFT_OUT, // the buffer
    DAMAGES
};

static struct gv_bytes plain_object(uint64_t parent)
{
    struct gv_bytes o = { 0 };
    number(&o, 1, parent);
    number(&o, 2, HANDLE);
    return o;
}

static struct gv_bytes make_commands(enum damage damage)
{
    struct gv_bytes o = plain_object(HANDLE), commands = { 0 }, fill = { 0 },
                    reference = { 0 }, begin = { 0 }, begin_ref = { 0 };
    number(&o, 3, HANDLE);
    number(&reference, 1, damage == NO_SUCH_KIND ? 7 : 0);
    number(&reference, 2, damage == NO_SUCH_COMMAND ? 4 : 0);
    put_map(&o, 4, 0, 10, &reference);
    number(&fill, 1, HANDLE);
    number(&fill, 2, 16);
    number(&fill, 3, 8);
    number(&fill, 4, 0x12345678);
    put_map(&commands, 1, 0, 11, &fill);
    inner(&o, 5, &commands);
    number(&begin, 1, 1);
    number(&begin_ref, 1, 12);
    inner(&begin_ref, 2, &begin);
    inner(&o, 6, &begin_ref);
    return o;
}

static struct gv_bytes make_state(enum damage damage)
{
    struct gv_bytes state = { 0 }, memory = plain_object(HANDLE), slice = { 0 },
                    buffer = plain_object(HANDLE), info = { 0 }, bound = { 0 };
    struct gv_bytes physical = plain_object(HANDLE), device = plain_object(HANDLE),
                    queue = plain_object(HANDLE), pool = plain_object(HANDLE),
                    commands = make_commands(damage), extra = { 0 };
    put_map(&state, 1, HANDLE, 1, &physical);
    put_map(&state, 2, HANDLE, 2, &device);
    put_map(&state, 3, HANDLE, 3, &queue);
    number(&memory, 3, 4096);
    number(&slice, 2, 64);
    number(&slice, 3, 5);
    inner(&memory, 4, &slice);
    put_map(&state, 4, HANDLE, 4, &memory);
    number(&info, 1, 64);
    number(&info, 2, 0x13);
    inner(&buffer, 3, &info);
    number(&bound, 1, 4); // the memory, by its ReferenceID alone
    inner(&buffer, 4, &bound);
    if (damage == LEFT_OUT)
        gv_bytes_finish(&buffer);
    else
        put_map(&state, 5, HANDLE, 5, &buffer);
    put_map(&state, 6, HANDLE, 6, &pool);
    put_map(&state, 7, HANDLE, 7, &commands);
    number(&extra, 1, 99); // a second map of the same field wins
    number(&extra, 3, 1);
    if (damage == MORE_KEYS)
        inner(&state, 6, &extra);
    gv_bytes_finish(&extra);
    return state;
}

static void put_pool(struct agi_writer *w, uint64_t group)
{
    static const struct agi_field observation[] = {
        { "base", 1, GV_AGI_UINT64, false, NULL },
        { "size", 2, GV_AGI_UINT64, false, NULL },
        { "res_index", 3, GV_AGI_SINT64, false, NULL },
        { "pool", 4, GV_AGI_UINT32, false, NULL },
    };
    static const struct agi_field resource[] = {
        { "index", 1, GV_AGI_SINT64, false, NULL },
        { "data", 2, GV_AGI_BYTES, false, NULL },
    };
    struct gv_bytes m = { 0 }, o = { 0 };
    char bytes[64];
    memset(bytes, 0x77, sizeof bytes);
    agi_field_number(&m, 1, ++w->resources);
    agi_field_bytes(&m, 2, bytes, sizeof bytes);
    agi_put_object(w, 0, agi_define(w, "capture.Resource", resource, 2), &m);
    agi_varint(&o, 2 << 3);
    agi_varint(&o, sizeof bytes);
    agi_field_number(&o, 3, w->resources);
    agi_varint(&o, 4 << 3);
    agi_varint(&o, 5);
    agi_put_object(w, group, agi_define(w, "memory.Observation", observation, 4), &o);
    gv_bytes_finish(&m);
    gv_bytes_finish(&o);
}

static void put_submit(struct agi_writer *w)
{
    VkCommandBuffer commands;
    const uint64_t id = 1; // the writer's first number of its type
    memcpy(&commands, &id, sizeof id);
    const VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &commands };
    struct gv_vk_args_vkQueueSubmit args = { .submitCount = 1, .pSubmits = &info };
    memcpy(&args.queue, &id, sizeof id);
    agi_put_call(
        w, &(struct gv_vk_call){ .function = GV_VK_vkQueueSubmit, .args = &args }, 0);
}

static bool compile(enum damage damage, struct gv_bytes *out, struct gv_error *err)
{
    static struct agi_writer w;
    const struct gv_compile_params params = { .level = 1, .jobs = 1, .strict = true };
    struct gv_bytes nothing = { 0 }, state = make_state(damage);
    agi_begin(&w, AGI_LP64, 4);
    const uint32_t group_type = agi_define(&w, "capture.GlobalState", NULL, 0);
    uint32_t state_type = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        state_type = define(&w, types[i].name, types[i].members);
    if (damage == MORE_VALUES) { // an end of numbers that no value has
        struct gv_bytes map = { 0 }, one = { 0 };
        number(&map, 1, 98);
        inner(&map, 2, &one);
        gv_bytes_put(&map, "\x12\x00", 2);
        number(&map, 3, 1);
        inner(&state, 6, &map);
    }
    const uint64_t group = agi_put_object(&w, 0, -(int64_t)group_type, &nothing);
    put_pool(&w, group);
    if (damage != NO_STATE)
        agi_put_object(&w, group, state_type, &state);
    agi_put_end(&w, group);
    put_submit(&w);
    const bool ok =
        gv_compile(w.out.data, w.out.size, &params, gv_test_append, out, NULL, err);
    gv_bytes_finish(&state);
    agi_finish(&w);
    return ok;
}

static void test_restored(void)
{
    struct gv_bytes payload = { 0 }, text = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    CHECK(compile(NONE, &payload, &err));
    if (err.status)
        fprintf(stderr, "%s\n", err.message);
    struct gv_payload p;
    if (gv_payload_open_memory(&p, payload.data, payload.size, 0, &err)) {
        CHECK(gv_text_disassemble(&p, &text, &err));
        gv_payload_finish(&p);
    }
    gv_bytes_u8(&text, 0);
    const char *shown = (const char *)text.data;
    CHECK(strstr(shown, "buffer_create(64,"));
    CHECK(strstr(shown, "buffer_upload("));
    CHECK(strstr(shown, "buffer_fill("));
    CHECK(strstr(shown, "305419896") || strstr(shown, "0x12345678"));
    CHECK(strstr(shown, "buffer_upload(") < strstr(shown, "buffer_fill("));
    gv_bytes_finish(&payload);
    gv_bytes_finish(&text);
}

static void test_damage(void)
{
    static const char *const wanted[DAMAGES] = {
        [MORE_KEYS] = "a map with more keys than values",
        [MORE_VALUES] = "a map with more values than keys",
        [NO_SUCH_KIND] = "a command of no known kind",
        [NO_SUCH_COMMAND] = "a command that is not there",
        [NO_STATE] = "a snapshot without its state",
        [LEFT_OUT] = "is no buffer",
    };
    for (enum damage d = MORE_KEYS; d < DAMAGES; d++) {
        struct gv_bytes payload = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        CHECK_ROW(wanted[d], !compile(d, &payload, &err));
        if (!strstr(err.message, wanted[d]))
            fprintf(stderr, "\"%s\", not \"%s\"\n", err.message, wanted[d]);
        CHECK_ROW(wanted[d], strstr(err.message, wanted[d]));
        gv_bytes_finish(&payload);
    }
}

int main(void)
{
    test_restored();
    test_damage();
    return TEST_RESULT();
}
