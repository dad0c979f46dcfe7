// Every function that .gfxr files have an id for, with any arguments: encoded, decoded
// and copied it is the same call; a byte less or more is refused.
#include "tests/gfxrfile/gfxr_calls.h"

#include "compiler/gfxr/gfxr_decode.h"
#include "compiler/vulkan/api/vk_table.h"
#include "compiler/vulkan/api/vk_text.h"
#include "tests/test.h"

#define SEEDS 6
#define LAST_ID 0x11fff

static bool same(const struct gv_bytes *a, const struct gv_bytes *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

// Parameters that copies leave out (vk_call.h).
static bool copies_whole(const struct gv_bytes *text)
{
    return !strstr((const char *)text->data, "[...]") &&
           !strstr((const char *)text->data, "pGeometries = [");
}

static bool decodes(uint32_t id, const struct gv_bytes *wire, size_t size,
                    struct gv_vk_call *call, struct gv_arena *arena,
                    struct gv_error *err)
{
    uint8_t *exact = malloc(size ? size : 1); // sanitizers see what is read past it
    memcpy(exact, wire->data, size);
    const bool ok = gv_gfxr_decode(id, gv_cursor_make(exact, size),
                                   &(struct gv_gfxr_room){ arena, 0 }, call, err);
    free(exact);
    return ok;
}

// Every prefix of a short one, some of a long one.
static void check_cuts(const char *name, uint32_t id, struct gv_bytes *wire)
{
    const size_t step = wire->size / 50 + 1;
    for (size_t size = 0; size < wire->size; size += step) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_vk_call call = { .place = { 5, 7, 1 } };
        CHECK_ROW(name, !decodes(id, wire, size, &call, &arena, &err));
        CHECK_ROW(name, err.offset == 5 && err.command == 7);
        gv_arena_finish(&arena);
    }
    struct gv_arena arena = { 0 };
    struct gv_vk_call call = { 0 };
    gv_bytes_u8(wire, 0);
    CHECK_ROW(name, !decodes(id, wire, wire->size, &call, &arena, NULL));
    gv_arena_finish(&arena);
}

static void check_call(const struct gv_vk_id_info *id, uint32_t seed)
{
    const char *name = gv_vk_name(id->name);
    struct gv_arena made = { 0 }, read = { 0 }, kept = { 0 };
    struct gv_bytes wire = { 0 }, before = { 0 }, after = { 0 }, copied = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_vk_call call = { 0 };
    const struct gv_vk_call *any =
        gfxr_make_call((enum gv_vk_function)id->function, seed, &made);
    gfxr_encode_call(&wire, any);
    gv_vk_put_call(&before, name, any);
    gv_arena_finish(&made); // nothing of it may be used again
    gv_bytes_u8(&before, 0);
    const bool ok = decodes(id->id, &wire, wire.size, &call, &read, &err);
    const bool refused =
        id->function == GV_VK_vkGetDescriptorEXT; // a union without a tag
    if (!ok && !refused)
        fprintf(stderr, "%s: %s\n", name, err.message);
    CHECK_ROW(name, refused ? err.status == GV_ERR_UNSUPPORTED : ok);
    if (ok) {
        gv_vk_put_call(&after, name, &call);
        const struct gv_vk_call *copy = gv_vk_call_copy(&call, &kept);
        gv_arena_finish(&read);
        gv_bytes_u8(&after, 0);
        CHECK_ROW(name, same(&before, &after));
        if (copies_whole(&before)) {
            gv_vk_put_call(&copied, name, copy);
            gv_bytes_u8(&copied, 0);
            CHECK_ROW(name, same(&before, &copied));
        }
        check_cuts(name, id->id, &wire);
    }
    gv_arena_finish(&read);
    gv_arena_finish(&kept);
    gv_bytes_finish(&wire);
    gv_bytes_finish(&before);
    gv_bytes_finish(&after);
    gv_bytes_finish(&copied);
}

// What takes more memory than file is held against a limit: descriptions of layers.
static void test_limit(void)
{
    uint32_t id = 0, count = 1000;
    static VkLayerProperties layers[1000];
    const struct gv_vk_args_vkEnumerateInstanceLayerProperties args = {
        .pPropertyCount = &count, .pProperties = layers
    };
    struct gv_vk_call call = { .function = GV_VK_vkEnumerateInstanceLayerProperties,
                               .args = &args,
                               .place = { 5, 7, 1 } };
    struct gv_bytes wire = { 0 };
    gfxr_encode_call(&wire, &call);
    while (!gv_vk_find_id(id) || gv_vk_find_id(id)->function != call.function)
        id++;
    for (uint64_t limit = 300000; limit <= 900000; limit += 600000) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        const bool ok =
            gv_gfxr_decode(id, gv_cursor_make(wire.data, wire.size),
                           &(struct gv_gfxr_room){ &arena, limit }, &call, &err);
        CHECK(ok == (limit > sizeof layers));
        CHECK(ok || (err.status == GV_ERR_MEMORY && err.offset == 5));
        gv_arena_finish(&arena);
    }
    gv_bytes_finish(&wire);
}

int main(void)
{
    unsigned functions = 0, named = 0;
    for (uint32_t id = 0; id <= LAST_ID; id++) {
        const struct gv_vk_id_info *known = gv_vk_find_id(id);
        struct gv_error err = GV_ERROR_INIT;
        struct gv_vk_call call = { 0 };
        if (known && known->function != GV_VK_FUNCTION_COUNT) {
            for (uint32_t seed = 0; seed < SEEDS; seed++)
                check_call(known, seed * 77 + id);
            functions++;
        } else {
            CHECK(!gv_gfxr_decode(id, gv_cursor_make("", 0), NULL, &call, &err));
            CHECK(err.status == (known ? GV_ERR_UNSUPPORTED : GV_ERR_FORMAT));
            CHECK(!known || strstr(err.message, gv_vk_name(known->name)));
            named += known != NULL;
        }
    }
    CHECK(functions > 600 && named > 100);
    test_limit();
    return TEST_RESULT();
}
