// Every function of Vulkan, with any arguments, written as AGI's recorder does and read
// back: the same text, with memory of each ABI, other threads' commands in between.
#include "tests/agi/agi_writer.h"

#include "compiler/compiler.h"
#include "compiler/vulkan/api/vk_table.h"
#include "compiler/vulkan/api/vk_text.h"
#include "tests/gfxrfile/gfxr_calls.h"
#include "tests/helpers.h"
#include "tests/test.h"

static const char *const abi_names[] = { "LP64", "ARM", "x86" };

// What differs by design: of a write only the array that its type uses is read, of a
// framebuffer without images none.
static bool is_apart(enum gv_vk_function function)
{
    return function == GV_VK_vkUpdateDescriptorSets ||
           function == GV_VK_vkCreateFramebuffer ||
           function == GV_VK_vkCmdPushDescriptorSetKHR;
}

// The line of the call alone: others are those of the thread in between, and notes.
static bool find_line(const struct gv_bytes *text, const char *wanted)
{
    for (const char *at = (const char *)text->data; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        const char *space = strchr(at, ' ');
        const size_t length = strlen(wanted);
        if (space && !strncmp(space + 1, wanted, length) && space[1 + length] == '\n')
            return true;
        if (!*at)
            break;
    }
    return false;
}

static int try(enum gv_vk_function function, uint32_t seed, enum agi_writer_abi abi)
{
    static struct agi_writer w;
    struct gv_arena arena = { 0 };
    struct gv_bytes text = { 0 }, wanted = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_compile_params params = { .verbose = true };
    const struct gv_vk_call *call = gfxr_make_bare_call(function, seed, &arena);
    agi_begin(&w, abi, 3);
    w.interleaved = seed % 2;
    agi_put_call(&w, call, 0);
    const bool dumped = !w.failed && gv_capture_dump(w.out.data, w.out.size, &params,
                                                     gv_test_append, &text, &err);
    gv_vk_put_call(&wanted, gv_vk_function_name(function), call);
    gv_bytes_u8(&wanted, 0);
    gv_bytes_u8(&text, 0);
    const bool same = dumped && find_line(&text, (const char *)wanted.data);
    if (!w.failed && err.status != GV_ERR_UNSUPPORTED && !same && !is_apart(function))
        fprintf(stderr, "%s, %s, seed %u: %s\n%s\n%s\n", gv_vk_function_name(function),
                abi_names[abi], seed, err.message, (const char *)wanted.data,
                (const char *)text.data);
    CHECK(w.failed || err.status == GV_ERR_UNSUPPORTED || same || is_apart(function));
    gv_bytes_finish(&text);
    gv_bytes_finish(&wanted);
    agi_finish(&w);
    gv_arena_finish(&arena);
    return same;
}

int main(void)
{
    int same = 0;
    for (uint32_t f = 0; f < GV_VK_FUNCTION_COUNT; f++)
        for (uint32_t seed = 0; seed < 2; seed++)
            for (enum agi_writer_abi abi = AGI_LP64; abi <= AGI_X86; abi++)
                same += try((enum gv_vk_function)f, f * 977 + seed, abi);
    printf("%d calls\n", same);
    CHECK(same > 6 * 480); // of 545 functions; some take what is refused
    return TEST_RESULT();
}
