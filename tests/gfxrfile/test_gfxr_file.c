// The file around calls: the same text out of every codec, facts, and damage that is
// refused with the block and the byte.
#include "tests/gfxrfile/gfxr_small.h"

#include "compiler/compiler.h"
#include "compiler/vulkan/api/vk_table.h"
#include "tests/gfxrfile/gfxr_calls.h"
#include "tests/helpers.h"
#include "tests/test.h"

static const char wanted_text[] =
    "2 vkCreateInstance(pCreateInfo = {sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, "
    "pNext = NULL, flags = 0, pApplicationInfo = {sType = "
    "VK_STRUCTURE_TYPE_APPLICATION_INFO, pNext = NULL, pApplicationName = \"small\", "
    "applicationVersion = 0, pEngineName = NULL, engineVersion = 0, apiVersion = "
    "4198400}, "
    "enabledLayerCount = 0, ppEnabledLayerNames = NULL, enabledExtensionCount = 2, "
    "ppEnabledExtensionNames = [\"VK_KHR_surface\", \"VK_KHR_xcb_surface\"]}, "
    "pAllocator = "
    "NULL, pInstance = 1) = VK_SUCCESS\n"
    "3 // fill memory: memory = 13, offset = 256, size = 4096\n"
    "5 vkQueuePresentKHR(queue = 4, pPresentInfo = {sType = "
    "VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, pNext = NULL, waitSemaphoreCount = 0, "
    "pWaitSemaphores = NULL, swapchainCount = 1, pSwapchains = [8], pImageIndices = "
    "[2], "
    "pResults = NULL}) = VK_SUCCESS\n";

static bool dump(const struct gv_bytes *file, size_t size, bool allow_cut,
                 struct gv_bytes *text, struct gv_error *err)
{
    const struct gv_compile_params params = { .memory_limit = UINT64_C(1) << 20,
                                              .allow_truncated = allow_cut };
    uint8_t *exact = malloc(size); // sanitizers see what is read past it
    memcpy(exact, file->data, size);
    const bool ok = gv_capture_dump(exact, size, &params, gv_test_append, text, err);
    free(exact);
    return ok;
}

static void test_codecs(void)
{
    static const char *const names[] = { "none", "lz4", "zlib", "zstd" };
    size_t plain = 0;
    for (enum gfxr_codec codec = GFXR_NONE; codec <= GFXR_ZSTD; codec++) {
        struct gfxr_writer w;
        struct gv_bytes text = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        gfxr_write_small(&w, codec, 0);
        plain = codec == GFXR_NONE ? w.out.size : plain;
        CHECK_ROW(names[codec], codec == GFXR_NONE || w.out.size < plain);
        CHECK_ROW(names[codec], dump(&w.out, w.out.size, false, &text, &err));
        CHECK_ROW(names[codec], text.size == sizeof wanted_text - 1 &&
                                    memcmp(text.data, wanted_text, text.size) == 0);
        gv_bytes_finish(&text);
        gfxr_finish(&w);
    }
}

static uint64_t number_of(const struct gv_describe *facts, const char *key)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->facts[i].key, key) == 0)
            return facts->facts[i].number;
    return UINT64_MAX;
}

// Presents end the frames of old files, marks those of new ones.
static void test_facts(void)
{
    for (uint32_t minor = 0; minor < 2; minor++) {
        struct gfxr_writer w;
        struct gv_describe facts = { 0 };
        const struct gv_compile_params params = { 0 };
        gfxr_write_small(&w, GFXR_LZ4, minor);
        CHECK(gv_capture_info(w.out.data, w.out.size, &params, &facts, NULL));
        CHECK(number_of(&facts, "frames") == 1);
        CHECK(number_of(&facts, "calls") == 2);
        CHECK(number_of(&facts, "memory_fill_bytes") == GFXR_SMALL_FILL);
        CHECK(number_of(&facts, "threads") == 1);
        gv_describe_finish(&facts);
        gfxr_finish(&w);
    }
}

static const char *text_of(const struct gv_describe *facts, const char *key)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->facts[i].key, key) == 0)
            return facts->facts[i].text;
    return "";
}

// What `compile` leaves out by its name alone is named, by the name that was called.
static void test_not_lowered(void)
{
    static const uint32_t ids[] = { 0x1119c, 0x1119c,
                                    0x110ae }; // ray tracing, a present
    struct gfxr_writer w;
    struct gv_describe facts = { 0 };
    const struct gv_compile_params params = { 0 };
    gfxr_begin(&w, GFXR_LZ4, 0);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct gv_arena arena = { 0 };
        struct gv_bytes parameters = { 0 };
        const enum gv_vk_function function =
            (enum gv_vk_function)gv_vk_find_id(ids[i])->function;
        gfxr_encode_call(&parameters, gfxr_make_call(function, 7, &arena));
        gfxr_put_call(&w, ids[i], &parameters);
        gv_bytes_finish(&parameters);
        gv_arena_finish(&arena);
    }
    CHECK(gv_capture_info(w.out.data, w.out.size, &params, &facts, NULL));
    CHECK(number_of(&facts, "not_lowered") == 1);
    CHECK(strcmp(text_of(&facts, "not_lowered_functions"), "vkCmdTraceRaysKHR 2") == 0);
    gv_describe_finish(&facts);
    gfxr_finish(&w);
}

// Contents stay packed for facts: damage in them is for who reads them, but not a size
// that they cannot have.
static void test_packed_facts(void)
{
    struct gfxr_writer w;
    struct gv_describe facts = { 0 };
    struct gv_bytes text = { 0 };
    const struct gv_compile_params params = { 0 };
    gfxr_write_small(&w, GFXR_ZSTD, 0);
    // Its size stands behind the memory and the offset, its bytes behind that.
    size_t fill = 0;
    while (memcmp(&w.out.data[fill], "\15\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0", 16) != 0)
        fill++;
    w.out.data[fill + 24] ^= 0xff; // the codec's magic
    CHECK(gv_capture_info(w.out.data, w.out.size, &params, &facts, NULL));
    CHECK(number_of(&facts, "memory_fill_bytes") == GFXR_SMALL_FILL);
    CHECK(!dump(&w.out, w.out.size, false, &text, NULL));
    w.out.data[fill + 22] = 1;
    CHECK(!gv_capture_info(w.out.data, w.out.size, &params, &facts, NULL));
    gv_describe_finish(&facts);
    gv_bytes_finish(&text);
    gfxr_finish(&w);
}

// A file that ends anywhere within a block is refused, or taken up to the block before.
static void test_cut(void)
{
    struct gfxr_writer w;
    gfxr_write_small(&w, GFXR_ZSTD, 0);
    unsigned whole = 0;
    for (size_t size = 24; size < w.out.size; size++) {
        struct gv_bytes text = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        if (dump(&w.out, size, false, &text, &err))
            whole++; // between two blocks
        else
            CHECK(err.status == GV_ERR_FORMAT && err.offset < size &&
                  err.command >= 1 && strstr(err.message, "the file ends in it"));
        text.size = 0;
        CHECK(dump(&w.out, size, true, &text, NULL));
        CHECK(memcmp(text.size ? (const char *)text.data : "", wanted_text,
                     text.size) == 0);
        gv_bytes_finish(&text);
    }
    CHECK(whole == 5);
    gfxr_finish(&w);
}

// One change of a whole file.
static const struct {
    const char *label;
    enum gfxr_codec codec;
    size_t at; // byte to change
    uint8_t value;
    enum gv_status status;
    const char *message;
} damages[] = {
    { "major", GFXR_NONE, 4, 1, GV_ERR_FORMAT, "version 1.0" },
    { "minor", GFXR_NONE, 8, 2, GV_ERR_FORMAT, "version 0.2" },
    { "options", GFXR_NONE, 15, 1, GV_ERR_FORMAT, "options (limit 64)" },
    { "codec", GFXR_LZ4, 20, 4, GV_ERR_FORMAT, "compression 4" },
    { "other_codec", GFXR_LZ4, 20, 2, GV_ERR_FORMAT, "compressed bytes are damaged" },
    { "no_codec", GFXR_LZ4, 20, 0, GV_ERR_FORMAT, "without compression" },
    { "block_size", GFXR_NONE, 31, 0x80, GV_ERR_FORMAT, "block 1: no file holds" },
    { "block_long", GFXR_NONE, 26, 1, GV_ERR_FORMAT, "block 1: the file ends in it" },
    { "method", GFXR_NONE, 32, 6, GV_ERR_UNSUPPORTED, "D3D12 capture (block 1)" },
    { "label", GFXR_NONE, 42, 1, GV_ERR_FORMAT, "block 1: an annotation longer" },
};

static void test_damage(void)
{
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct gfxr_writer w;
        struct gv_bytes text = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        gfxr_write_small(&w, damages[i].codec, 0);
        w.out.data[damages[i].at] = damages[i].value;
        CHECK_ROW(damages[i].label, !dump(&w.out, w.out.size, false, &text, &err));
        CHECK_ROW(damages[i].label, err.status == damages[i].status &&
                                        strstr(err.message, damages[i].message));
        gv_bytes_finish(&text);
        gfxr_finish(&w);
    }
}

// Meta-data whose own numbers are wrong.
static const struct {
    const char *label;
    uint32_t id;
    const char *head;
    size_t size;
    enum gv_status status; // GV_OK: passed over
    const char *message;
} metas[] = {
#define EIGHT "\1\0\0\0\0\0\0\0"
#define ROW(label, id, head, status, message)              \
    {                                                      \
        label, id, head, sizeof(head) - 1, status, message \
    }
    ROW("unknown", 0x103e7, "any", GV_OK, ""),
    ROW("fill_short", 0x10002, EIGHT EIGHT, GV_ERR_FORMAT, "too short"),
    ROW("fill_size", 0x10002, EIGHT EIGHT EIGHT "ab", GV_ERR_FORMAT, "not as many"),
    ROW("mips", 0x10008, EIGHT EIGHT EIGHT "\1\0\0\0\1\0\0\0\377\377\377\377",
        GV_ERR_FORMAT, "more mips"),
    ROW("mip_bytes", 0x10008,
        EIGHT EIGHT EIGHT "\1\0\0\0\1\0\0\0\1\0\0\0\2\0\0\0\0\0\0\0a", GV_ERR_FORMAT,
        "more bytes than there are"),
    ROW("memory_types", 0x1000c, EIGHT "\377\0\0\0\1\0\0\0", GV_ERR_FORMAT,
        "more memory types"),
    ROW("asset", 0x10022, "\1\0\0\0" EIGHT "../../etc/passwd", GV_ERR_UNSUPPORTED,
        "unsupported: asset file (block 1)"),
    ROW("d3d12", 0x30010, "", GV_ERR_UNSUPPORTED, "unsupported: D3D12 capture"),
    ROW("openxr", 0x40001, "", GV_ERR_UNSUPPORTED, "unsupported: OpenXR capture"),
};

static void test_metas(void)
{
    for (size_t i = 0; i < sizeof metas / sizeof *metas; i++) {
        struct gfxr_writer w;
        struct gv_bytes head = { 0 }, text = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        gv_bytes_put(&head, metas[i].head, metas[i].size);
        gfxr_begin(&w, GFXR_NONE, 0);
        gfxr_put_meta(&w, metas[i].id, &head, "", 0);
        const bool ok = dump(&w.out, w.out.size, false, &text, &err);
        CHECK_ROW(metas[i].label, ok == (metas[i].status == GV_OK) &&
                                      err.status == metas[i].status &&
                                      strstr(err.message, metas[i].message));
        CHECK_ROW(metas[i].label, ok || (err.offset == 24 && err.command == 1));
        gv_bytes_finish(&head);
        gv_bytes_finish(&text);
        gfxr_finish(&w);
    }
}

// The device's name is the capture's own text: a terminal must not obey it.
static void test_device_name(void)
{
    static const char name[] = "a\x1b[2J\"b";
    struct gfxr_writer w;
    struct gv_bytes head = { 0 }, text = { 0 };
    gv_bytes_u64(&head, 2);
    for (int i = 0; i < 5 + 4; i++) // versions, vendor, device, type; UUID
        gv_bytes_u32(&head, 0);
    gv_bytes_u32(&head, sizeof name - 1);
    gv_bytes_put(&head, name, sizeof name - 1);
    gfxr_begin(&w, GFXR_NONE, 0);
    gfxr_put_meta(&w, 0x1000b, &head, "", 0);
    CHECK(dump(&w.out, w.out.size, false, &text, NULL));
    gv_bytes_u8(&text, 0);
    CHECK(strstr((const char *)text.data, "name = \"a\\x1b[2J\\\"b\"\n"));
    gv_bytes_finish(&head);
    gv_bytes_finish(&text);
    gfxr_finish(&w);
}

int main(void)
{
    test_codecs();
    test_facts();
    test_not_lowered();
    test_packed_facts();
    test_cut();
    test_damage();
    test_metas();
    test_device_name();
    return TEST_RESULT();
}
