// Where calls in .gfxr files are not as the registry says, byte by byte: single structs
// for arrays, outputs of failed calls, the arrays of descriptor writes.
#include "compiler/gfxr/gfxr_decode.h"
#include "resources/base/bytes.h"
#include "tests/test.h"

#define QUEUE_SUBMIT 0x11012u
#define UPDATE_DESCRIPTOR_SETS 0x1104fu
#define CREATE_FENCE 0x11023u

// Pointer attributes, and the address that follows all but null ones.
enum { NULL_ARRAY = 0x05, NULL_STRUCT = 0x23 };

static void put_pointer(struct gv_bytes *b, uint32_t attributes)
{
    gv_bytes_u32(b, attributes);
    gv_bytes_u64(b, 0x7f0000000010);
}

static void put_array(struct gv_bytes *b, uint32_t attributes, uint64_t count)
{
    put_pointer(b, attributes);
    gv_bytes_u64(b, count);
}

static bool decode(uint32_t id, struct gv_bytes *b, struct gv_vk_call *call,
                   struct gv_arena *arena, struct gv_error *err)
{
    gv_error_clear(err);
    const bool ok = gv_gfxr_decode(id, gv_cursor_make(b->data, b->size),
                                   &(struct gv_gfxr_room){ arena, 0 }, call, err);
    gv_bytes_finish(b);
    return ok;
}

static void put_submit(struct gv_bytes *b, uint32_t count, uint32_t attributes)
{
    gv_bytes_u64(b, 4);
    gv_bytes_u32(b, count);
    put_pointer(b, attributes);
    gv_bytes_u32(b, VK_STRUCTURE_TYPE_SUBMIT_INFO);
    gv_bytes_u32(b, NULL_STRUCT);
    gv_bytes_u32(b, 0);
    gv_bytes_u32(b, NULL_ARRAY);
    gv_bytes_u32(b, NULL_ARRAY);
    gv_bytes_u32(b, 0);
    gv_bytes_u32(b, NULL_ARRAY);
    gv_bytes_u32(b, 0);
    gv_bytes_u32(b, NULL_ARRAY);
    gv_bytes_u64(b, 9);
    gv_bytes_u32(b, VK_SUCCESS);
}

static void test_single(struct gv_arena *arena, struct gv_error *err)
{
    struct gv_bytes b = { 0 };
    struct gv_vk_call call = { 0 };
    put_submit(&b, 1, 0xe2);
    CHECK(decode(QUEUE_SUBMIT, &b, &call, arena, err));
    const struct gv_vk_args_vkQueueSubmit *args = GV_VK_ARGS(vkQueueSubmit, &call);
    CHECK(args->pSubmits && args->pSubmits->sType == VK_STRUCTURE_TYPE_SUBMIT_INFO);
    CHECK(GV_VK_ID(args->queue) == 4 && GV_VK_ID(args->fence) == 9);
    put_submit(&b, 2, 0xe2);
    CHECK(!decode(QUEUE_SUBMIT, &b, &call, arena, err));
    CHECK(strstr(err->message, "pSubmits: fewer elements than counted"));
    put_submit(&b, 1, 0x2e2);
    CHECK(!decode(QUEUE_SUBMIT, &b, &call, arena, err));
    CHECK(strstr(err->message, "pointer attributes"));
}

static void put_fence(struct gv_bytes *b, VkResult result)
{
    gv_bytes_u64(b, 3);
    put_pointer(b, 0xe2);
    gv_bytes_u32(b, VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    gv_bytes_u32(b, NULL_STRUCT);
    gv_bytes_u32(b, 0);
    gv_bytes_u32(b, NULL_STRUCT);
    put_pointer(b, 0x42); // without data
    gv_bytes_u32(b, (uint32_t)result);
}

static void test_outputs(struct gv_arena *arena, struct gv_error *err)
{
    struct gv_bytes b = { 0 };
    struct gv_vk_call call = { 0 };
    put_fence(&b, VK_ERROR_OUT_OF_HOST_MEMORY);
    CHECK(decode(CREATE_FENCE, &b, &call, arena, err));
    CHECK(call.result == VK_ERROR_OUT_OF_HOST_MEMORY);
    CHECK(!GV_VK_ARGS(vkCreateFence, &call)->pFence);
    put_fence(&b, VK_SUCCESS);
    CHECK(!decode(CREATE_FENCE, &b, &call, arena, err));
    CHECK(strstr(err->message, "pFence: is null"));
}

static void put_write(struct gv_bytes *b, VkDescriptorType type)
{
    gv_bytes_u64(b, 3);
    gv_bytes_u32(b, 1);
    put_array(b, 0xe4, 1);
    gv_bytes_u32(b, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    gv_bytes_u32(b, NULL_STRUCT);
    gv_bytes_u64(b, 23);
    gv_bytes_u32(b, 0);
    gv_bytes_u32(b, 0);
    gv_bytes_u32(b, 1);
    gv_bytes_u32(b, type);
    put_array(b, 0x64, 1); // images: without data
    put_array(b, 0xe4, 1);
    gv_bytes_u64(b, 21);
    gv_bytes_u64(b, 256);
    gv_bytes_u64(b, 32);
    put_array(b, 0x44, 1); // texels: without data
    gv_bytes_u32(b, 0);
    gv_bytes_u32(b, NULL_ARRAY);
}

static void test_writes(struct gv_arena *arena, struct gv_error *err)
{
    struct gv_bytes b = { 0 };
    struct gv_vk_call call = { 0 };
    put_write(&b, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
    CHECK(decode(UPDATE_DESCRIPTOR_SETS, &b, &call, arena, err));
    const VkWriteDescriptorSet *write =
        GV_VK_ARGS(vkUpdateDescriptorSets, &call)->pDescriptorWrites;
    CHECK(!write->pImageInfo && !write->pTexelBufferView);
    CHECK(GV_VK_ID(write->pBufferInfo->buffer) == 21 &&
          write->pBufferInfo->offset == 256);
    put_write(&b, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
    CHECK(!decode(UPDATE_DESCRIPTOR_SETS, &b, &call, arena, err));
    CHECK(strstr(err->message, "without the descriptors of its type"));
}

int main(void)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    test_single(&arena, &err);
    test_outputs(&arena, &err);
    test_writes(&arena, &err);
    gv_arena_finish(&arena);
    return TEST_RESULT();
}
