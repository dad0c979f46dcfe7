#include "tests/bench/psx_clock.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <volk.h>

#define STAMPS (1u << 17)
#define PIPELINES 64

// One at a time: functions of Vulkan have no place for a context.
static struct {
    struct gv_runtime *runtime;
    bool timestamps;
    VkQueryPool pool;
    uint32_t count;
    uint8_t *kinds; // owned; [STAMPS]; PSX_CLOCK_KINDS: the beginning of a buffer
    bool first;     // the bound pipeline has not run yet
    VkPipeline seen[PIPELINES];
    uint32_t seen_count;
    struct psx_clock result;
} now;

// The functions of Vulkan that record commands of interest, and who stands in for each.
#define FUNCTIONS(F)                   \
    F(BeginCommandBuffer, begin)       \
    F(CmdBindPipeline, bind)           \
    F(CmdDispatch, dispatch)           \
    F(CmdPipelineBarrier2, barrier)    \
    F(CmdCopyBuffer, copy)             \
    F(CmdFillBuffer, fill)             \
    F(CmdUpdateBuffer, update)         \
    F(CmdCopyBufferToImage, to_image)  \
    F(CmdCopyImageToBuffer, to_buffer) \
    F(CmdBlitImage, blit)

static struct {
#define F(name, own) PFN_vk##name own;
    FUNCTIONS(F)
#undef F
    PFN_vkCreateComputePipelines create;
} real;

static void stamp(VkCommandBuffer commands, uint8_t kind)
{
    if (now.count == STAMPS) {
        now.result.dropped++;
        return;
    }
    now.kinds[now.count] = kind;
    vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, now.pool,
                         now.count++);
}

static VkResult VKAPI_CALL begin(VkCommandBuffer commands,
                                 const VkCommandBufferBeginInfo *info)
{
    VkResult result = real.begin(commands, info);
    if (result == VK_SUCCESS) {
        if (now.count == 0)
            vkCmdResetQueryPool(commands, now.pool, 0, STAMPS);
        stamp(commands, PSX_CLOCK_KINDS);
    }
    return result;
}

static void VKAPI_CALL bind(VkCommandBuffer commands, VkPipelineBindPoint point,
                            VkPipeline pipeline)
{
    real.bind(commands, point, pipeline);
    uint32_t i = 0;
    while (i < now.seen_count && now.seen[i] != pipeline)
        i++;
    now.first = i == now.seen_count && i < PIPELINES;
    if (now.first)
        now.seen[now.seen_count++] = pipeline;
}

static void VKAPI_CALL dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y,
                                uint32_t z)
{
    real.dispatch(commands, x, y, z);
    stamp(commands, now.first ? PSX_CLOCK_FIRST : PSX_CLOCK_DISPATCH);
    now.first = false;
}

static void VKAPI_CALL barrier(VkCommandBuffer commands, const VkDependencyInfo *info)
{
    real.barrier(commands, info);
    stamp(commands, PSX_CLOCK_BARRIER);
}

static void VKAPI_CALL copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to,
                            uint32_t count, const VkBufferCopy *regions)
{
    real.copy(commands, from, to, count, regions);
    stamp(commands, PSX_CLOCK_UPLOAD);
}

static void VKAPI_CALL fill(VkCommandBuffer commands, VkBuffer to, VkDeviceSize offset,
                            VkDeviceSize size, uint32_t value)
{
    real.fill(commands, to, offset, size, value);
    stamp(commands, PSX_CLOCK_UPLOAD);
}

static void VKAPI_CALL update(VkCommandBuffer commands, VkBuffer to,
                              VkDeviceSize offset, VkDeviceSize size, const void *data)
{
    real.update(commands, to, offset, size, data);
    stamp(commands, PSX_CLOCK_UPLOAD);
}

static void VKAPI_CALL to_image(VkCommandBuffer commands, VkBuffer from, VkImage to,
                                VkImageLayout layout, uint32_t count,
                                const VkBufferImageCopy *regions)
{
    real.to_image(commands, from, to, layout, count, regions);
    stamp(commands, PSX_CLOCK_PICTURE);
}

static void VKAPI_CALL blit(VkCommandBuffer commands, VkImage from,
                            VkImageLayout from_layout, VkImage to,
                            VkImageLayout to_layout, uint32_t count,
                            const VkImageBlit *regions, VkFilter filter)
{
    real.blit(commands, from, from_layout, to, to_layout, count, regions, filter);
    stamp(commands, PSX_CLOCK_PICTURE);
}

static void VKAPI_CALL to_buffer(VkCommandBuffer commands, VkImage from,
                                 VkImageLayout layout, VkBuffer to, uint32_t count,
                                 const VkBufferImageCopy *regions)
{
    real.to_buffer(commands, from, layout, to, count, regions);
    stamp(commands, PSX_CLOCK_READBACK);
}

static VkResult VKAPI_CALL create(VkDevice device, VkPipelineCache cache,
                                  uint32_t count,
                                  const VkComputePipelineCreateInfo *infos,
                                  const VkAllocationCallbacks *allocator,
                                  VkPipeline *out)
{
    double start = bench_seconds();
    VkResult result = real.create(device, cache, count, infos, allocator, out);
    now.result.create += bench_seconds() - start;
    return result;
}

static void stand_in(void)
{
#define F(name, own)     \
    real.own = vk##name; \
    vk##name = own;
    FUNCTIONS(F)
#undef F
}

// Functions are the process's: the next device has them too.
static void stand_aside(void)
{
#define F(name, own) vk##name = real.own;
    FUNCTIONS(F)
#undef F
}

bool psx_clock_start(struct gv_runtime *runtime, bool timestamps)
{
    now.runtime = runtime;
    now.timestamps = timestamps;
    now.result = (struct psx_clock){ 0 };
    now.count = now.seen_count = 0;
    real.create = vkCreateComputePipelines;
    vkCreateComputePipelines = create;
    if (!timestamps)
        return true;
    const VkQueryPoolCreateInfo info = { .sType =
                                             VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = STAMPS };
    now.kinds = calloc(STAMPS, 1);
    if (!now.kinds || vkCreateQueryPool(runtime->device->handle, &info, NULL,
                                        &now.pool) != VK_SUCCESS)
        return false;
    stand_in();
    return true;
}

// Time from each timestamp to the next belongs to the command that ends it.
static void add_up(const uint64_t *stamps)
{
    double period = GV_VK_LIMITS(now.runtime->device)->timestampPeriod * 1e-9;
    for (uint32_t i = 1; i < now.count; i++)
        if (now.kinds[i] < PSX_CLOCK_KINDS && stamps[i] > stamps[i - 1])
            now.result.seconds[now.kinds[i]] +=
                (double)(stamps[i] - stamps[i - 1]) * period;
}

bool psx_clock_stop(struct psx_clock *out)
{
    bool ok = true;
    vkCreateComputePipelines = real.create;
    if (now.timestamps) {
        stand_aside();
        uint64_t *stamps = calloc(STAMPS, sizeof *stamps);
        VkDevice device = now.runtime->device->handle;
        ok = stamps && now.count &&
             vkGetQueryPoolResults(device, now.pool, 0, now.count,
                                   STAMPS * sizeof *stamps, stamps, sizeof *stamps,
                                   VK_QUERY_RESULT_64_BIT) == VK_SUCCESS;
        if (ok)
            add_up(stamps);
        free(stamps);
        vkDestroyQueryPool(device, now.pool, NULL);
        free(now.kinds);
    }
    *out = now.result;
    return ok;
}
