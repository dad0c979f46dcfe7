// Commands, kept with copies of their arguments.
#include "tests/layers/reverse/reverse.h"

#include <string.h>

#define BIT(class) (1u << GV_REVERSE_##class)

// ---- records ----

// Defines a command's record with the members FIELDS, how it is played with ARGS of the
// record `r`, and how one is made.
#define RECORD(name, FIELDS, ARGS)                                        \
    struct record_##name {                                                \
        struct gv_reverse_command base;                                   \
        FIELDS                                                            \
    };                                                                    \
    static void play_##name(const struct gv_reverse_next *next,           \
                            VkCommandBuffer commands,                     \
                            const struct gv_reverse_command *command)     \
    {                                                                     \
        const struct record_##name *r = (const void *)command;            \
        (void)r;                                                          \
        next->Cmd##name ARGS;                                             \
    }                                                                     \
    static struct record_##name *make_##name(struct gv_reverse_buffer *b) \
    {                                                                     \
        struct record_##name *r = gv_reverse_memory(b, sizeof *r);        \
        r->base.play = play_##name;                                       \
        r->base.number = ++b->commands;                                   \
        return r;                                                         \
    }

static void *keep(struct gv_reverse_buffer *buffer, const void *data, size_t size)
{
    return data ? memcpy(gv_reverse_memory(buffer, size), data, size) : NULL;
}

#define KEEP(buffer, array, count) keep(buffer, array, (count) * sizeof *(array))

// ---- plain values ----

// Of up to seven pairs of type and name: members, parameters, assignments, arguments.
#define FIELDS_1(t, n) t n;
#define FIELDS_2(t, n, ...) \
    t n;                    \
    FIELDS_1(__VA_ARGS__)
#define FIELDS_3(t, n, ...) \
    t n;                    \
    FIELDS_2(__VA_ARGS__)
#define FIELDS_4(t, n, ...) \
    t n;                    \
    FIELDS_3(__VA_ARGS__)
#define FIELDS_5(t, n, ...) \
    t n;                    \
    FIELDS_4(__VA_ARGS__)
#define FIELDS_6(t, n, ...) \
    t n;                    \
    FIELDS_5(__VA_ARGS__)
#define FIELDS_7(t, n, ...) \
    t n;                    \
    FIELDS_6(__VA_ARGS__)
#define PARAMS_1(t, n) t n
#define PARAMS_2(t, n, ...) t n, PARAMS_1(__VA_ARGS__)
#define PARAMS_3(t, n, ...) t n, PARAMS_2(__VA_ARGS__)
#define PARAMS_4(t, n, ...) t n, PARAMS_3(__VA_ARGS__)
#define PARAMS_5(t, n, ...) t n, PARAMS_4(__VA_ARGS__)
#define PARAMS_6(t, n, ...) t n, PARAMS_5(__VA_ARGS__)
#define PARAMS_7(t, n, ...) t n, PARAMS_6(__VA_ARGS__)
#define STORE_1(t, n) r->n = n;
#define STORE_2(t, n, ...) \
    r->n = n;              \
    STORE_1(__VA_ARGS__)
#define STORE_3(t, n, ...) \
    r->n = n;              \
    STORE_2(__VA_ARGS__)
#define STORE_4(t, n, ...) \
    r->n = n;              \
    STORE_3(__VA_ARGS__)
#define STORE_5(t, n, ...) \
    r->n = n;              \
    STORE_4(__VA_ARGS__)
#define STORE_6(t, n, ...) \
    r->n = n;              \
    STORE_5(__VA_ARGS__)
#define STORE_7(t, n, ...) \
    r->n = n;              \
    STORE_6(__VA_ARGS__)
#define PASS_1(t, n) r->n
#define PASS_2(t, n, ...) r->n, PASS_1(__VA_ARGS__)
#define PASS_3(t, n, ...) r->n, PASS_2(__VA_ARGS__)
#define PASS_4(t, n, ...) r->n, PASS_3(__VA_ARGS__)
#define PASS_5(t, n, ...) r->n, PASS_4(__VA_ARGS__)
#define PASS_6(t, n, ...) r->n, PASS_5(__VA_ARGS__)
#define PASS_7(t, n, ...) r->n, PASS_6(__VA_ARGS__)

// A command of N plain values; `then` says what it is.
#define PLAIN(N, name, then, ...)                                            \
    RECORD(name, FIELDS_##N(__VA_ARGS__), (commands, PASS_##N(__VA_ARGS__))) \
    static VKAPI_ATTR void VKAPI_CALL on_Cmd##name(VkCommandBuffer commands, \
                                                   PARAMS_##N(__VA_ARGS__))  \
    {                                                                        \
        struct gv_reverse_buffer *b = gv_reverse_buffer_of(commands);        \
        struct record_##name *r = make_##name(b);                            \
        STORE_##N(__VA_ARGS__) then;                                         \
    }
#define BARE(name, then)                                                     \
    RECORD(name, , (commands))                                               \
    static VKAPI_ATTR void VKAPI_CALL on_Cmd##name(VkCommandBuffer commands) \
    {                                                                        \
        struct gv_reverse_buffer *b = gv_reverse_buffer_of(commands);        \
        struct record_##name *r = make_##name(b);                            \
        then;                                                                \
    }
#define ACTION(classes) gv_reverse_action(b, &r->base, classes)
#define FENCE gv_reverse_fence(b, &r->base)
#define STATE(slot) gv_reverse_state(b, &r->base, GV_REVERSE_##slot, 1)

static void set_faces(struct gv_reverse_buffer *b, struct gv_reverse_command *command,
                      uint32_t slot, VkStencilFaceFlags faces)
{
    uint32_t first = faces & VK_STENCIL_FACE_FRONT_BIT ? 0 : 1;
    uint32_t end = faces & VK_STENCIL_FACE_BACK_BIT ? 2 : 1;
    gv_reverse_state(b, command, slot + first, end - first);
}

#define FACES(slot) set_faces(b, &r->base, GV_REVERSE_##slot, faces)

PLAIN(3, Dispatch, ACTION(BIT(COMPUTE)), uint32_t, x, uint32_t, y, uint32_t, z)
PLAIN(2, DispatchIndirect, ACTION(BIT(COMPUTE) | BIT(INDIRECT)), VkBuffer, buffer,
      VkDeviceSize, offset)
PLAIN(4, Draw, ACTION(BIT(DRAW)), uint32_t, vertices, uint32_t, instances, uint32_t,
      first, uint32_t, first_instance)
PLAIN(5, DrawIndexed, ACTION(BIT(DRAW)), uint32_t, indices, uint32_t, instances,
      uint32_t, first, int32_t, base_vertex, uint32_t, first_instance)
PLAIN(4, DrawIndirect, ACTION(BIT(DRAW) | BIT(INDIRECT)), VkBuffer, buffer,
      VkDeviceSize, offset, uint32_t, count, uint32_t, stride)
PLAIN(4, DrawIndexedIndirect, ACTION(BIT(DRAW) | BIT(INDIRECT)), VkBuffer, buffer,
      VkDeviceSize, offset, uint32_t, count, uint32_t, stride)
PLAIN(6, DrawIndirectByteCountEXT, ACTION(BIT(DRAW) | BIT(INDIRECT)), uint32_t,
      instances, uint32_t, first_instance, VkBuffer, counter, VkDeviceSize, offset,
      uint32_t, counter_offset, uint32_t, stride)
PLAIN(4, FillBuffer, ACTION(BIT(TRANSFER)), VkBuffer, buffer, VkDeviceSize, offset,
      VkDeviceSize, size, uint32_t, value)
PLAIN(7, CopyQueryPoolResults, ACTION(BIT(TRANSFER)), VkQueryPool, pool, uint32_t,
      first, uint32_t, count, VkBuffer, buffer, VkDeviceSize, offset, VkDeviceSize,
      stride, VkQueryResultFlags, flags)
PLAIN(3, BeginQuery, FENCE, VkQueryPool, pool, uint32_t, query, VkQueryControlFlags,
      flags)
PLAIN(2, EndQuery, FENCE, VkQueryPool, pool, uint32_t, query)
PLAIN(3, ResetQueryPool, FENCE, VkQueryPool, pool, uint32_t, first, uint32_t, count)
PLAIN(3, WriteTimestamp2, FENCE, VkPipelineStageFlags2, stage, VkQueryPool, pool,
      uint32_t, query)
BARE(EndConditionalRenderingEXT, FENCE)
BARE(EndRendering, gv_reverse_pass_end(b, &r->base))
PLAIN(2, BindPipeline,
      gv_reverse_state(b, &r->base, GV_REVERSE_PIPELINE + (uint32_t)point, 1),
      VkPipelineBindPoint, point, VkPipeline, pipeline)
PLAIN(3, BindIndexBuffer, STATE(INDEX), VkBuffer, buffer, VkDeviceSize, offset,
      VkIndexType, type)
PLAIN(3, SetDepthBias, STATE(BIAS), float, constant, float, clamp, float, slope)
PLAIN(2, SetDepthBounds, STATE(BOUNDS), float, least, float, most)
PLAIN(2, SetLineStippleEXT, STATE(STIPPLE), uint32_t, factor, uint16_t, pattern)
PLAIN(1, SetLineWidth, STATE(LINE_WIDTH), float, width)
PLAIN(2, SetStencilCompareMask, FACES(COMPARE_MASK), VkStencilFaceFlags, faces,
      uint32_t, mask)
PLAIN(2, SetStencilWriteMask, FACES(WRITE_MASK), VkStencilFaceFlags, faces, uint32_t,
      mask)
PLAIN(2, SetStencilReference, FACES(REFERENCE), VkStencilFaceFlags, faces, uint32_t,
      reference)

// ---- arrays ----

// The beginning of a function: the buffer `b` and the record `r`.
#define BEGIN(name, commands)                                     \
    struct gv_reverse_buffer *b = gv_reverse_buffer_of(commands); \
    struct record_##name *r = make_##name(b)

RECORD(CopyBuffer, VkBuffer src; VkBuffer dst; uint32_t count; VkBufferCopy * regions;
       , (commands, r->src, r->dst, r->count, r->regions))
static VKAPI_ATTR void VKAPI_CALL on_CmdCopyBuffer(VkCommandBuffer commands,
                                                   VkBuffer src, VkBuffer dst,
                                                   uint32_t count,
                                                   const VkBufferCopy *regions)
{
    BEGIN(CopyBuffer, commands);
    r->src = src;
    r->dst = dst;
    r->count = count;
    r->regions = KEEP(b, regions, count);
    ACTION(BIT(TRANSFER));
}

RECORD(UpdateBuffer, VkBuffer buffer; VkDeviceSize offset; VkDeviceSize size;
       void *data;, (commands, r->buffer, r->offset, r->size, r->data))
static VKAPI_ATTR void VKAPI_CALL on_CmdUpdateBuffer(VkCommandBuffer commands,
                                                     VkBuffer buffer,
                                                     VkDeviceSize offset,
                                                     VkDeviceSize size,
                                                     const void *data)
{
    BEGIN(UpdateBuffer, commands);
    r->buffer = buffer;
    r->offset = offset;
    r->size = size;
    r->data = keep(b, data, size);
    ACTION(BIT(TRANSFER));
}

RECORD(CopyBufferToImage, VkBuffer src; VkImage dst; VkImageLayout layout;
       uint32_t count; VkBufferImageCopy * regions;
       , (commands, r->src, r->dst, r->layout, r->count, r->regions))
static VKAPI_ATTR void VKAPI_CALL on_CmdCopyBufferToImage(
    VkCommandBuffer commands, VkBuffer src, VkImage dst, VkImageLayout layout,
    uint32_t count, const VkBufferImageCopy *regions)
{
    BEGIN(CopyBufferToImage, commands);
    r->src = src;
    r->dst = dst;
    r->layout = layout;
    r->count = count;
    r->regions = KEEP(b, regions, count);
    ACTION(BIT(TRANSFER));
}

RECORD(CopyImageToBuffer, VkImage src; VkImageLayout layout; VkBuffer dst;
       uint32_t count; VkBufferImageCopy * regions;
       , (commands, r->src, r->layout, r->dst, r->count, r->regions))
static VKAPI_ATTR void VKAPI_CALL
on_CmdCopyImageToBuffer(VkCommandBuffer commands, VkImage src, VkImageLayout layout,
                        VkBuffer dst, uint32_t count, const VkBufferImageCopy *regions)
{
    BEGIN(CopyImageToBuffer, commands);
    r->src = src;
    r->layout = layout;
    r->dst = dst;
    r->count = count;
    r->regions = KEEP(b, regions, count);
    ACTION(BIT(TRANSFER));
}

// Both ends of a command from image to image.
struct images {
    VkImage src, dst;
    VkImageLayout src_layout, dst_layout;
    uint32_t count;
};
#define IMAGES \
    r->ends.src, r->ends.src_layout, r->ends.dst, r->ends.dst_layout, r->ends.count

RECORD(CopyImage, struct images ends; VkImageCopy * regions;
       , (commands, IMAGES, r->regions))
static VKAPI_ATTR void VKAPI_CALL on_CmdCopyImage(VkCommandBuffer commands, VkImage src,
                                                  VkImageLayout src_layout, VkImage dst,
                                                  VkImageLayout dst_layout,
                                                  uint32_t count,
                                                  const VkImageCopy *regions)
{
    BEGIN(CopyImage, commands);
    r->ends = (struct images){ src, dst, src_layout, dst_layout, count };
    r->regions = KEEP(b, regions, count);
    ACTION(BIT(TRANSFER));
}

RECORD(ResolveImage, struct images ends; VkImageResolve * regions;
       , (commands, IMAGES, r->regions))
static VKAPI_ATTR void VKAPI_CALL on_CmdResolveImage(
    VkCommandBuffer commands, VkImage src, VkImageLayout src_layout, VkImage dst,
    VkImageLayout dst_layout, uint32_t count, const VkImageResolve *regions)
{
    BEGIN(ResolveImage, commands);
    r->ends = (struct images){ src, dst, src_layout, dst_layout, count };
    r->regions = KEEP(b, regions, count);
    ACTION(BIT(TRANSFER));
}

RECORD(BlitImage, struct images ends; VkImageBlit * regions; VkFilter filter;
       , (commands, IMAGES, r->regions, r->filter))
static VKAPI_ATTR void VKAPI_CALL on_CmdBlitImage(VkCommandBuffer commands, VkImage src,
                                                  VkImageLayout src_layout, VkImage dst,
                                                  VkImageLayout dst_layout,
                                                  uint32_t count,
                                                  const VkImageBlit *regions,
                                                  VkFilter filter)
{
    BEGIN(BlitImage, commands);
    r->ends = (struct images){ src, dst, src_layout, dst_layout, count };
    r->regions = KEEP(b, regions, count);
    r->filter = filter;
    ACTION(BIT(TRANSFER));
}

RECORD(ClearColorImage, VkImage image; VkImageLayout layout; VkClearColorValue value;
       uint32_t count; VkImageSubresourceRange * ranges;
       , (commands, r->image, r->layout, &r->value, r->count, r->ranges))
static VKAPI_ATTR void VKAPI_CALL
on_CmdClearColorImage(VkCommandBuffer commands, VkImage image, VkImageLayout layout,
                      const VkClearColorValue *value, uint32_t count,
                      const VkImageSubresourceRange *ranges)
{
    BEGIN(ClearColorImage, commands);
    r->image = image;
    r->layout = layout;
    r->value = *value;
    r->count = count;
    r->ranges = KEEP(b, ranges, count);
    ACTION(BIT(TRANSFER));
}

RECORD(ClearDepthStencilImage, VkImage image; VkImageLayout layout;
       VkClearDepthStencilValue value; uint32_t count; VkImageSubresourceRange * ranges;
       , (commands, r->image, r->layout, &r->value, r->count, r->ranges))
static VKAPI_ATTR void VKAPI_CALL on_CmdClearDepthStencilImage(
    VkCommandBuffer commands, VkImage image, VkImageLayout layout,
    const VkClearDepthStencilValue *value, uint32_t count,
    const VkImageSubresourceRange *ranges)
{
    BEGIN(ClearDepthStencilImage, commands);
    r->image = image;
    r->layout = layout;
    r->value = *value;
    r->count = count;
    r->ranges = KEEP(b, ranges, count);
    ACTION(BIT(TRANSFER));
}

// ---- state ----

RECORD(BindDescriptorSets, VkPipelineBindPoint point; VkPipelineLayout layout;
       uint32_t first; uint32_t count; VkDescriptorSet * sets; uint32_t offset_count;
       uint32_t * offsets;, (commands, r->point, r->layout, r->first, r->count, r->sets,
                             r->offset_count, r->offsets))
static VKAPI_ATTR void VKAPI_CALL on_CmdBindDescriptorSets(
    VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout layout,
    uint32_t first, uint32_t count, const VkDescriptorSet *sets, uint32_t offset_count,
    const uint32_t *offsets)
{
    BEGIN(BindDescriptorSets, commands);
    if (first + count > 8)
        gv_reverse_give_up("over eight descriptor sets");
    r->point = point;
    r->layout = layout;
    r->first = first;
    r->count = count;
    r->sets = keep(b, sets, count * sizeof(VkDescriptorSet));
    r->offset_count = offset_count;
    r->offsets = KEEP(b, offsets, offset_count);
    gv_reverse_state(b, &r->base, GV_REVERSE_SETS + 8 * (uint32_t)point + first, count);
}

RECORD(PushConstants, VkPipelineLayout layout; VkShaderStageFlags stages;
       uint32_t offset; uint32_t size; void *values;
       , (commands, r->layout, r->stages, r->offset, r->size, r->values))
static VKAPI_ATTR void VKAPI_CALL on_CmdPushConstants(VkCommandBuffer commands,
                                                      VkPipelineLayout layout,
                                                      VkShaderStageFlags stages,
                                                      uint32_t offset, uint32_t size,
                                                      const void *values)
{
    BEGIN(PushConstants, commands);
    if (offset)
        gv_reverse_give_up("parts of push constants");
    r->layout = layout;
    r->stages = stages;
    r->size = size;
    r->values = keep(b, values, size);
    STATE(PUSH);
}

RECORD(BindVertexBuffers2, uint32_t first; uint32_t count; VkBuffer * buffers;
       VkDeviceSize * offsets; VkDeviceSize * sizes; VkDeviceSize * strides;
       , (commands, r->first, r->count, r->buffers, r->offsets, r->sizes, r->strides))
static VKAPI_ATTR void VKAPI_CALL on_CmdBindVertexBuffers2(
    VkCommandBuffer commands, uint32_t first, uint32_t count, const VkBuffer *buffers,
    const VkDeviceSize *offsets, const VkDeviceSize *sizes, const VkDeviceSize *strides)
{
    BEGIN(BindVertexBuffers2, commands);
    if (first + count > 33)
        gv_reverse_give_up("over 33 vertex buffers");
    r->first = first;
    r->count = count;
    r->buffers = keep(b, buffers, count * sizeof(VkBuffer));
    r->offsets = KEEP(b, offsets, count);
    r->sizes = KEEP(b, sizes, count);
    r->strides = KEEP(b, strides, count);
    gv_reverse_state(b, &r->base, GV_REVERSE_VERTEX + first, count);
}

RECORD(BindTransformFeedbackBuffersEXT, uint32_t first; uint32_t count;
       VkBuffer * buffers; VkDeviceSize * offsets; VkDeviceSize * sizes;
       , (commands, r->first, r->count, r->buffers, r->offsets, r->sizes))
static VKAPI_ATTR void VKAPI_CALL on_CmdBindTransformFeedbackBuffersEXT(
    VkCommandBuffer commands, uint32_t first, uint32_t count, const VkBuffer *buffers,
    const VkDeviceSize *offsets, const VkDeviceSize *sizes)
{
    BEGIN(BindTransformFeedbackBuffersEXT, commands);
    if (first + count > 4)
        gv_reverse_give_up("over four streams");
    r->first = first;
    r->count = count;
    r->buffers = keep(b, buffers, count * sizeof(VkBuffer));
    r->offsets = KEEP(b, offsets, count);
    r->sizes = KEEP(b, sizes, count);
    gv_reverse_state(b, &r->base, GV_REVERSE_STREAM + first, count);
}

RECORD(SetViewportWithCount, uint32_t count; VkViewport * viewports;
       , (commands, r->count, r->viewports))
static VKAPI_ATTR void VKAPI_CALL on_CmdSetViewportWithCount(
    VkCommandBuffer commands, uint32_t count, const VkViewport *viewports)
{
    BEGIN(SetViewportWithCount, commands);
    r->count = count;
    r->viewports = KEEP(b, viewports, count);
    STATE(VIEWPORTS);
}

RECORD(SetScissorWithCount, uint32_t count; VkRect2D * scissors;
       , (commands, r->count, r->scissors))
static VKAPI_ATTR void VKAPI_CALL on_CmdSetScissorWithCount(VkCommandBuffer commands,
                                                            uint32_t count,
                                                            const VkRect2D *scissors)
{
    BEGIN(SetScissorWithCount, commands);
    r->count = count;
    r->scissors = KEEP(b, scissors, count);
    STATE(SCISSORS);
}

RECORD(SetBlendConstants, float values[4];, (commands, r->values))
static VKAPI_ATTR void VKAPI_CALL on_CmdSetBlendConstants(VkCommandBuffer commands,
                                                          const float values[4])
{
    BEGIN(SetBlendConstants, commands);
    memcpy(r->values, values, sizeof r->values);
    STATE(BLEND);
}

// ---- passes ----

RECORD(BeginRendering, VkRenderingInfo info;, (commands, &r->info))
static VKAPI_ATTR void VKAPI_CALL on_CmdBeginRendering(VkCommandBuffer commands,
                                                       const VkRenderingInfo *info)
{
    BEGIN(BeginRendering, commands);
    if (info->pNext || info->flags)
        gv_reverse_give_up("rendering with an extension");
    r->info = *info;
    r->info.pColorAttachments =
        KEEP(b, info->pColorAttachments, info->colorAttachmentCount);
    r->info.pDepthAttachment = KEEP(b, info->pDepthAttachment, 1);
    r->info.pStencilAttachment = KEEP(b, info->pStencilAttachment, 1);
    gv_reverse_pass_begin(b, &r->base);
}

RECORD(ClearAttachments, uint32_t count; VkClearAttachment * attachments;
       uint32_t rect_count; VkClearRect * rects;
       , (commands, r->count, r->attachments, r->rect_count, r->rects))
static VKAPI_ATTR void VKAPI_CALL on_CmdClearAttachments(
    VkCommandBuffer commands, uint32_t count, const VkClearAttachment *attachments,
    uint32_t rect_count, const VkClearRect *rects)
{
    BEGIN(ClearAttachments, commands);
    r->count = count;
    r->attachments = KEEP(b, attachments, count);
    r->rect_count = rect_count;
    r->rects = KEEP(b, rects, rect_count);
    ACTION(BIT(DRAW));
}

RECORD(BeginTransformFeedbackEXT, uint32_t first; uint32_t count; VkBuffer * buffers;
       VkDeviceSize * offsets;, (commands, r->first, r->count, r->buffers, r->offsets))
static VKAPI_ATTR void VKAPI_CALL on_CmdBeginTransformFeedbackEXT(
    VkCommandBuffer commands, uint32_t first, uint32_t count, const VkBuffer *buffers,
    const VkDeviceSize *offsets)
{
    BEGIN(BeginTransformFeedbackEXT, commands);
    r->first = first;
    r->count = count;
    r->buffers = keep(b, buffers, count * sizeof(VkBuffer));
    r->offsets = KEEP(b, offsets, count);
    FENCE;
}

RECORD(EndTransformFeedbackEXT, uint32_t first; uint32_t count; VkBuffer * buffers;
       VkDeviceSize * offsets;, (commands, r->first, r->count, r->buffers, r->offsets))
static VKAPI_ATTR void VKAPI_CALL
on_CmdEndTransformFeedbackEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                              const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    BEGIN(EndTransformFeedbackEXT, commands);
    r->first = first;
    r->count = count;
    r->buffers = keep(b, buffers, count * sizeof(VkBuffer));
    r->offsets = KEEP(b, offsets, count);
    FENCE;
}

RECORD(BeginConditionalRenderingEXT, VkConditionalRenderingBeginInfoEXT info;
       , (commands, &r->info))
static VKAPI_ATTR void VKAPI_CALL on_CmdBeginConditionalRenderingEXT(
    VkCommandBuffer commands, const VkConditionalRenderingBeginInfoEXT *info)
{
    BEGIN(BeginConditionalRenderingEXT, commands);
    r->info = *info;
    FENCE;
}

// ---- the rest ----

static VKAPI_ATTR void VKAPI_CALL on_CmdPipelineBarrier2(VkCommandBuffer commands,
                                                         const VkDependencyInfo *info)
{
    gv_reverse_barrier(gv_reverse_buffer_of(commands), info);
}

static VKAPI_ATTR VkResult VKAPI_CALL
on_BeginCommandBuffer(VkCommandBuffer commands, const VkCommandBufferBeginInfo *info)
{
    struct gv_reverse_buffer *b = gv_reverse_buffer_of(commands);
    gv_reverse_begin(b);
    return b->device->next.BeginCommandBuffer(commands, info);
}

static VKAPI_ATTR VkResult VKAPI_CALL on_EndCommandBuffer(VkCommandBuffer commands)
{
    struct gv_reverse_buffer *b = gv_reverse_buffer_of(commands);
    gv_reverse_flush(b);
    return b->device->next.EndCommandBuffer(commands);
}

PFN_vkVoidFunction gv_reverse_recorder(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } rows[] = {
#define on_CreateImage gv_reverse_create_image
#define on_DestroyImage gv_reverse_destroy_image
#define GV_REVERSE_FUNCTION(name) { "vk" #name, (PFN_vkVoidFunction)on_##name },
#include "tests/layers/reverse/reverse.def"
#undef GV_REVERSE_FUNCTION
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].function;
    return NULL;
}
