// What passes and dispatches cause between them: which barriers are recorded, what
// passes load, how images are made, how sets are bound. Vulkan's entry points are
// watched on their way.
#include "tests/runtime/runtime_fixture.h"
#include "vm/descs.h"

#include "tests/shaders/add_words.spv.h"
#include "tests/shaders/three_sets.spv.h"

#include <volk.h>

#define RGBA GV_FORMAT_R8G8B8A8_UNORM
#define TARGET GV_IMAGE_USAGE_COLOR_ATTACHMENT
#define SAMPLED GV_IMAGE_USAGE_SAMPLED

// ---- watching ----

static struct {
    uint32_t moves;    // image barriers
    uint32_t discards; // of them, from UNDEFINED
    uint32_t drains;   // barriers that wait for all graphics
    uint32_t clears;   // of whole images, by transfer
    uint32_t loads;    // attachments that are loaded
    uint32_t lists;    // images made with a list of formats
    uint32_t mutables; // images made mutable
    uint32_t binds;    // of descriptor sets
    uint32_t sets;     // bound by those
} seen;

static struct {
    PFN_vkCmdPipelineBarrier2 barrier;
    PFN_vkCmdBeginRendering begin;
    PFN_vkCmdClearColorImage clear_color;
    PFN_vkCmdClearDepthStencilImage clear_depth;
    PFN_vkCreateImage create;
    PFN_vkCmdBindDescriptorSets sets;
} real;

static VKAPI_ATTR void VKAPI_CALL watch_barrier(VkCommandBuffer commands,
                                                const VkDependencyInfo *info)
{
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
        if (info->pImageMemoryBarriers[i].oldLayout == VK_IMAGE_LAYOUT_UNDEFINED)
            seen.discards++;
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
        if (info->pMemoryBarriers[i].srcStageMask &
            VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT)
            seen.drains++;
    seen.moves += info->imageMemoryBarrierCount;
    real.barrier(commands, info);
}

static VKAPI_ATTR void VKAPI_CALL watch_begin(VkCommandBuffer commands,
                                              const VkRenderingInfo *info)
{
    for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
        seen.loads += info->pColorAttachments[i].loadOp == VK_ATTACHMENT_LOAD_OP_LOAD;
    if (info->pDepthAttachment)
        seen.loads += info->pDepthAttachment->loadOp == VK_ATTACHMENT_LOAD_OP_LOAD;
    if (info->pStencilAttachment)
        seen.loads += info->pStencilAttachment->loadOp == VK_ATTACHMENT_LOAD_OP_LOAD;
    real.begin(commands, info);
}

static VKAPI_ATTR void VKAPI_CALL
watch_clear_color(VkCommandBuffer commands, VkImage image, VkImageLayout layout,
                  const VkClearColorValue *value, uint32_t count,
                  const VkImageSubresourceRange *range)
{
    seen.clears++;
    real.clear_color(commands, image, layout, value, count, range);
}

static VKAPI_ATTR void VKAPI_CALL
watch_clear_depth(VkCommandBuffer commands, VkImage image, VkImageLayout layout,
                  const VkClearDepthStencilValue *value, uint32_t count,
                  const VkImageSubresourceRange *range)
{
    seen.clears++;
    real.clear_depth(commands, image, layout, value, count, range);
}

static VKAPI_ATTR VkResult VKAPI_CALL watch_create(VkDevice device,
                                                   const VkImageCreateInfo *info,
                                                   const VkAllocationCallbacks *memory,
                                                   VkImage *image)
{
    const VkImageFormatListCreateInfo *list = info->pNext;
    seen.lists += list &&
                  list->sType == VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO &&
                  list->viewFormatCount > 1 && list->pViewFormats[0] == info->format;
    seen.mutables += (info->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) != 0;
    return real.create(device, info, memory, image);
}

static VKAPI_ATTR void VKAPI_CALL
watch_sets(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout layout,
           uint32_t first, uint32_t count, const VkDescriptorSet *sets,
           uint32_t offset_count, const uint32_t *offsets)
{
    seen.binds++;
    seen.sets += count;
    real.sets(commands, point, layout, first, count, sets, offset_count, offsets);
}

static void watch(void)
{
    real.sets = vkCmdBindDescriptorSets;
    vkCmdBindDescriptorSets = watch_sets;
    real.barrier = vkCmdPipelineBarrier2;
    real.begin = vkCmdBeginRendering;
    real.clear_color = vkCmdClearColorImage;
    real.clear_depth = vkCmdClearDepthStencilImage;
    real.create = vkCreateImage;
    vkCmdPipelineBarrier2 = watch_barrier;
    vkCmdBeginRendering = watch_begin;
    vkCmdClearColorImage = watch_clear_color;
    vkCmdClearDepthStencilImage = watch_clear_depth;
    vkCreateImage = watch_create;
}

// ---- passes ----

static void name_color(uint64_t image, uint32_t load, float red)
{
    DO(pass_color, num(0), num(image), num(0), num(0), num(0), num(1), num(load),
       num(GV_STORE_OP_STORE), bits(red), bits(0), bits(0), bits(1));
}

static void name_depth(uint64_t image, uint32_t depth_load, uint32_t stencil_load)
{
    DO(pass_depth_stencil, num(image), num(0), num(0), num(1), num(depth_load),
       num(GV_STORE_OP_STORE), bits(0.5f), num(stencil_load), num(GV_STORE_OP_STORE),
       num(7));
}

static void run_pass(uint32_t size)
{
    DO(pass_begin, num(size), num(size), num(1));
    DO(pass_end, num(0));
}

static int red_of(uint64_t image)
{
    uint8_t rgba[4] = { 0 };
    read_picture(image, 0, 0, 1, 1, 0, rgba);
    return rgba[0];
}

// Targets that take turns and that nobody samples stay in their layout.
static void targets_stay(void)
{
    uint64_t images[2];
    for (int i = 0; i < 2; i++)
        images[i] = make_image(RGBA, 4, 4, TARGET | SAMPLED);
    for (int i = 0; i < 8; i++) {
        if (i == 2) // both have been cleared once
            memset(&seen, 0, sizeof seen);
        name_color(images[i % 2], i < 2 ? GV_LOAD_OP_CLEAR : GV_LOAD_OP_LOAD, 1);
        run_pass(4);
    }
    // One each, from attachment to attachment: the write before must be done.
    CHECK(seen.moves == 6 && seen.drains == 0 && seen.loads == 6);
    CHECK(red_of(images[0]) == 255 && red_of(images[1]) == 255);
    for (int i = 0; i < 2; i++)
        DO(image_destroy, num(images[i]));
}

// Objects that shaders could write do not make passes wait that never use them.
static void storage_at_hand(void)
{
    uint64_t image = make_image(RGBA, 4, 4, TARGET), buffer;
    MAKE(buffer, buffer_create, num(64),
         num(GV_BUFFER_USAGE_STORAGE | GV_BUFFER_USAGE_VERTEX));
    name_color(image, GV_LOAD_OP_CLEAR, 1);
    run_pass(4);
    memset(&seen, 0, sizeof seen);
    for (uint32_t i = 0; i < 4; i++) {
        DO(buffer_fill, num(buffer), num(0), num(64), num(i));
        name_color(image, GV_LOAD_OP_LOAD, 0);
        run_pass(4);
    }
    CHECK(seen.drains == 0);
    DO(image_destroy, num(image));
    DO(buffer_destroy, num(buffer));
}

// What a pass overwrites whole is neither cleared before nor loaded, and old contents
// are given up; what was never written begins with zeros.
static void loads(void)
{
    static const struct {
        const char *name;
        bool fresh; // nothing was ever written
        uint32_t load, size, loads, clears, discards;
        int red;
    } rows[] = {
        { "cleared", true, GV_LOAD_OP_CLEAR, 4, 0, 0, 1, 255 },
        { "cleared_again", false, GV_LOAD_OP_CLEAR, 4, 0, 0, 1, 255 },
        { "new_loads_zeros", true, GV_LOAD_OP_LOAD, 4, 0, 0, 1, 0 },
        { "new_dont_care_has_zeros", true, GV_LOAD_OP_DONT_CARE, 4, 0, 0, 1, 0 },
        { "old_loads", false, GV_LOAD_OP_LOAD, 4, 1, 0, 0, 51 },
        { "new_part", true, GV_LOAD_OP_LOAD, 3, 1, 1, 1, 0 },
        { "new_part_cleared", true, GV_LOAD_OP_CLEAR, 3, 0, 1, 1, 255 },
        { "old_part_cleared", false, GV_LOAD_OP_CLEAR, 3, 0, 0, 0, 255 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t image = make_image(RGBA, 4, 4, TARGET | SAMPLED);
        if (!rows[i].fresh) {
            name_color(image, GV_LOAD_OP_CLEAR, 0.2f);
            run_pass(4);
        }
        memset(&seen, 0, sizeof seen);
        name_color(image, rows[i].load, 1);
        run_pass(rows[i].size);
        CHECK_ROW(rows[i].name, seen.loads == rows[i].loads);
        CHECK_ROW(rows[i].name, seen.clears == rows[i].clears);
        CHECK_ROW(rows[i].name, seen.discards == rows[i].discards);
        CHECK_ROW(rows[i].name, red_of(image) == rows[i].red);
        DO(image_destroy, num(image));
    }
}

// Depth and stencil share a subresource: both must be overwritten.
static void depth_loads(void)
{
    uint64_t image = make_image(GV_FORMAT_D32_SFLOAT_S8_UINT, 4, 4,
                                GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT);
    memset(&seen, 0, sizeof seen);
    name_depth(image, GV_LOAD_OP_CLEAR, GV_LOAD_OP_LOAD); // new: stencil begins as 0
    run_pass(4);
    CHECK(seen.loads == 0 && seen.clears == 0 && seen.discards == 1);
    memset(&seen, 0, sizeof seen);
    name_depth(image, GV_LOAD_OP_CLEAR, GV_LOAD_OP_LOAD);
    run_pass(4);
    CHECK(seen.loads == 1 && seen.discards == 0);
    memset(&seen, 0, sizeof seen);
    name_depth(image, GV_LOAD_OP_CLEAR, GV_LOAD_OP_CLEAR);
    run_pass(4);
    CHECK(seen.loads == 0 && seen.discards == 1);
    DO(image_destroy, num(image));
}

// A pass that is interrupted and goes on must load what it cleared itself.
static void interrupted(void)
{
    uint64_t image = make_image(RGBA, 4, 4, TARGET | SAMPLED), late;
    memset(&seen, 0, sizeof seen);
    name_color(image, GV_LOAD_OP_CLEAR, 1);
    DO(pass_begin, num(4), num(4), num(1));
    MAKE(late, buffer_create, num(16), num(GV_BUFFER_USAGE_VERTEX)); // its zeros
    DO(pass_end, num(0));
    CHECK(seen.loads == 1 && seen.discards == 1);
    CHECK(red_of(image) == 255);
    DO(buffer_destroy, num(late));
    DO(image_destroy, num(image));
}

// ---- dispatches ----

// Readers of what is never written do not make later work wait; the first store does.
static void first_store(void)
{
    static struct gv_compute_desc desc;
    static const uint32_t parameters[4] = { 0, 16, 1, 0 };
    struct gv_bytes encoded = { 0 };
    uint64_t words, shader, pipeline, target = make_image(RGBA, 4, 4, TARGET);
    desc.interface.binding_count = 2;
    desc.interface.bindings[0] =
        (struct gv_binding_desc){ 0, 0, GV_BINDING_UNIFORM_BUFFER_DYNAMIC, 1,
                                  GV_STAGE_COMPUTE };
    desc.interface.bindings[1] =
        (struct gv_binding_desc){ 3, 0, GV_BINDING_STORAGE_BUFFER, 1,
                                  GV_STAGE_COMPUTE };
    gv_compute_desc_encode(&desc, &encoded);
    MAKE(words, buffer_create, num(1024), num(GV_BUFFER_USAGE_STORAGE));
    MAKE(shader, shader_create, bytes(add_words), num(sizeof add_words));
    MAKE(pipeline, pipeline_create_compute, bytes(encoded.data), num(encoded.size),
         num(shader));
    DO(bind_pipeline, num(pipeline));
    DO(bind_uniform_bytes, num(0), num(0), bytes(parameters), num(sizeof parameters));
    DO(bind_buffer, num(3), num(0), num(0), num(words), num(0), num(0));
    memset(&seen, 0, sizeof seen);
    for (int i = 0; i < 3; i++) {
        DO(dispatch, num(1), num(1), num(1), bytes(NULL), num(0));
        name_color(target, GV_LOAD_OP_CLEAR, 1);
        run_pass(4);
    }
    CHECK(seen.drains == 0); // nobody but these dispatches ever used it
    DO(buffer_destroy, num(words));
    DO(shader_destroy, num(shader));
    DO(pipeline_destroy, num(pipeline));
    DO(image_destroy, num(target));
    gv_bytes_finish(&encoded);
}

// ---- descriptor sets ----

static void bind_number(uint64_t set, uint32_t number)
{
    const uint32_t bytes_of[4] = { number };
    DO(bind_uniform_bytes, num(set), num(0), bytes(bytes_of), num(sizeof bytes_of));
}

// Sets that follow one another and have changed are bound together, others are not.
static void sets_together(void)
{
    static const struct {
        const char *name;
        bool first, second, sum; // what changes before the dispatch
        uint32_t binds, sets;
    } rows[] = {
        { "all", true, true, true, 1, 3 },
        { "none", false, false, false, 0, 0 },
        { "the_first", true, false, false, 1, 1 },
        { "the_second", false, true, false, 1, 1 },
        { "two", true, true, false, 1, 2 },
        { "the_outer_ones", true, false, true, 2, 2 },
    };
    static struct gv_compute_desc desc;
    struct gv_bytes encoded = { 0 };
    uint64_t buffers[2], shader, pipeline;
    desc.interface.binding_count = 3;
    for (uint32_t i = 0; i < 3; i++)
        desc.interface.bindings[i] = (struct gv_binding_desc){
            i, 0, i < 2 ? GV_BINDING_UNIFORM_BUFFER_DYNAMIC : GV_BINDING_STORAGE_BUFFER,
            1, GV_STAGE_COMPUTE
        };
    gv_compute_desc_encode(&desc, &encoded);
    for (int i = 0; i < 2; i++)
        MAKE(buffers[i], buffer_create, num(256), num(GV_BUFFER_USAGE_STORAGE));
    MAKE(shader, shader_create, bytes(three_sets), num(sizeof three_sets));
    MAKE(pipeline, pipeline_create_compute, bytes(encoded.data), num(encoded.size),
         num(shader));
    uint32_t now = 0, sum = 0;
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        DO(bind_pipeline, num(pipeline));
        if (rows[i].first)
            bind_number(0, i + 1);
        if (rows[i].second)
            bind_number(1, 10 * (i + 1));
        now ^= rows[i].sum;
        DO(bind_buffer, num(2), num(0), num(0), num(buffers[now]), num(0), num(0));
        memset(&seen, 0, sizeof seen);
        DO(dispatch, num(1), num(1), num(1), bytes(NULL), num(0));
        CHECK_ROW(rows[i].name, seen.binds == rows[i].binds);
        CHECK_ROW(rows[i].name, seen.sets == rows[i].sets);
    }
    read_buffer(buffers[now], 0, sizeof sum, (uint8_t *)&sum);
    CHECK(sum == 6 + 50);
    for (int i = 0; i < 2; i++)
        DO(buffer_destroy, num(buffers[i]));
    DO(shader_destroy, num(shader));
    DO(pipeline_destroy, num(pipeline));
    gv_bytes_finish(&encoded);
}

// ---- images ----

static void formats(void)
{
    static const struct {
        const char *name;
        uint32_t format, usage, flags, lists, mutables;
    } rows[] = {
        { "plain", RGBA, SAMPLED, 0, 0, 0 },
        { "mutable", RGBA, SAMPLED, GV_IMAGE_FLAG_MUTABLE_FORMAT, 1, 1 },
        // Views of depth have its own format.
        { "depth", GV_FORMAT_D32_SFLOAT, SAMPLED, GV_IMAGE_FLAG_MUTABLE_FORMAT, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t image;
        memset(&seen, 0, sizeof seen);
        MAKE(image, image_create, num(GV_IMAGE_TYPE_2D), num(rows[i].format), num(4),
             num(4), num(1), num(1), num(1), num(1), num(rows[i].usage),
             num(rows[i].flags));
        CHECK_ROW(rows[i].name, seen.lists == rows[i].lists);
        CHECK_ROW(rows[i].name, seen.mutables == rows[i].mutables);
        DO(image_destroy, num(image));
    }
}

int main(void)
{
    static const struct fixture_case cases[] = {
        { "targets_stay", targets_stay },
        { "storage_at_hand", storage_at_hand },
        { "loads", loads },
        { "depth_loads", depth_loads },
        { "interrupted", interrupted },
        { "first_store", first_store },
        { "sets_together", sets_together },
        { "formats", formats },
    };
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    watch();
    fixture_run(cases, sizeof cases / sizeof cases[0]);
    fixture_close();
    return TEST_RESULT();
}
