// What programs make and destroy, beside memory, descriptors and command buffers.
#include "compiler/vulkan/walk_pipeline.h"

#include "compiler/vulkan/api/vk_table.h"
#include "vm/formats.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TEXELS (1u << 17) // of a side, and layers
#define MOST_MIPS 18u
#define MOST_QUERIES (1u << 16)     // that are looked at
#define EXTENSION_VALUES 1000000000 // where enumerators of extensions begin

static bool add(struct gv_vulkan *v, uint64_t id, enum gv_cap_kind kind, void *content,
                struct gv_error *err)
{
    const struct gv_cap_new n = {
        .id = id,
        .kind = kind,
        .content = content,
        .finish =
            kind == GV_CAP_BUFFER || kind == GV_CAP_IMAGE ? gv_cap_resource_free : free,
    };
    return gv_cap_add(&v->cap, &n, err);
}

// ---- buffers and images ----

static bool create_buffer(struct gv_vulkan *v,
                          const struct gv_vk_args_vkCreateBuffer *a,
                          struct gv_error *err)
{
    struct gv_cap_buffer *b = calloc(1, sizeof *b);
    if (b) {
        b->base.id = GV_VK_ID(*a->pBuffer);
        b->size = a->pCreateInfo->size;
        b->usage = a->pCreateInfo->usage;
        b->flags = a->pCreateInfo->flags;
    }
    return add(v, GV_VK_ID(*a->pBuffer), GV_CAP_BUFFER, b, err);
}

static bool add_image(struct gv_vulkan *v, uint64_t id, const VkImageCreateInfo *info,
                      bool shown, struct gv_error *err)
{
    struct gv_cap_image *i = calloc(1, sizeof *i);
    if (i) {
        i->base.id = id;
        i->base.image = true;
        i->info = *info;
        i->info.pNext = NULL;
        i->info.pQueueFamilyIndices = NULL;
        i->shown = shown;
        i->known = v->restored;
    }
    return add(v, id, GV_CAP_IMAGE, i, err);
}

// One that the registry has, or one of an extension that may be newer than it: what is
// of such a format is unsupported when it is used.
static bool is_format(const struct gv_vulkan *v, VkFormat format, struct gv_error *err)
{
    return gv_vk_value_name(GV_VK_TYPE_VkFormat, format) ||
           ((int)format >= EXTENSION_VALUES && (int)format < 2 * EXTENSION_VALUES) ||
           gv_cap_fail(&v->cap, err, "format %d", (int)format);
}

// No device has made others.
static bool is_image(const struct gv_vulkan *v, const VkImageCreateInfo *info,
                     struct gv_error *err)
{
    const VkExtent3D *e = &info->extent;
    if (!is_format(v, info->format, err))
        return false;
    if (!e->width || !e->height || !e->depth || !info->arrayLayers ||
        !info->mipLevels || e->width > MOST_TEXELS || e->height > MOST_TEXELS ||
        e->depth > MOST_TEXELS || info->arrayLayers > MOST_TEXELS ||
        info->mipLevels > MOST_MIPS)
        return gv_cap_fail(&v->cap, err,
                           "an image of %ux%ux%u texels, %u layers, %u mips", e->width,
                           e->height, e->depth, info->arrayLayers, info->mipLevels);
    return true;
}

static bool create_image(struct gv_vulkan *v, const struct gv_vk_args_vkCreateImage *a,
                         struct gv_error *err)
{
    if (!is_image(v, a->pCreateInfo, err))
        return false;
    return add_image(v, GV_VK_ID(*a->pImage), a->pCreateInfo, false, err);
}

static void drop(struct gv_vulkan *v, uint64_t id, enum gv_cap_kind kind)
{
    struct gv_cap_resource *r = gv_cap_find(&v->cap, id, kind);
    if (r)
        gv_walk_drop_resource(&v->walk, r);
    gv_cap_remove(&v->cap, id, kind);
}

static bool note_layout(struct gv_vulkan *v,
                        const struct gv_vk_args_vkGetImageSubresourceLayout *a)
{
    struct gv_cap_image *i = gv_cap_find(&v->cap, GV_VK_ID(a->image), GV_CAP_IMAGE);
    if (i && a->pLayout && !a->pSubresource->mipLevel && !a->pSubresource->arrayLayer)
        i->linear = *a->pLayout;
    return true;
}

// What an image takes of its memory is asked before it is bound, its layout often
// after.
static bool note_size(struct gv_vulkan *v, VkImage image, const VkMemoryRequirements *r)
{
    struct gv_cap_image *i = gv_cap_find(&v->cap, GV_VK_ID(image), GV_CAP_IMAGE);
    if (i && r)
        i->required = r->size;
    return true;
}

static bool note_size2(struct gv_vulkan *v,
                       const struct gv_vk_args_vkGetImageMemoryRequirements2 *a)
{
    return note_size(
        v, a->pInfo->image,
        a->pMemoryRequirements ? &a->pMemoryRequirements->memoryRequirements : NULL);
}

// ---- views ----

// What a view is of; nothing where payloads have no such format.
static struct gv_cap_ref refer(struct gv_vulkan *v, uint64_t id, enum gv_cap_kind kind,
                               VkFormat format)
{
    if (gv_format_info((uint64_t)format))
        return gv_cap_refer(&v->cap, id, kind);
    gv_walk_unsupported(&v->walk, "a view of format %d", (int)format);
    return (struct gv_cap_ref){ 0 };
}

static bool create_view(struct gv_vulkan *v,
                        const struct gv_vk_args_vkCreateImageView *a,
                        struct gv_error *err)
{
    const VkImageViewCreateInfo *info = a->pCreateInfo;
    const struct gv_cap_image *image =
        gv_cap_need(&v->cap, GV_VK_ID(info->image), GV_CAP_IMAGE, err);
    if (!image || !is_format(v, info->format, err))
        return false;
    struct gv_walk_view *view = calloc(1, sizeof *view);
    if (view) {
        const VkImageViewUsageCreateInfo *usage = gv_walk_chained(
            info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
        *view = (struct gv_walk_view){
            .image = refer(v, GV_VK_ID(info->image), GV_CAP_IMAGE, info->format),
            .type = info->viewType,
            .format = info->format,
            .swizzle = info->components,
            .range = info->subresourceRange,
            .usage = usage ? usage->usage : 0,
        };
        VkImageSubresourceRange *r = &view->range;
        if (r->levelCount == VK_REMAINING_MIP_LEVELS)
            r->levelCount = image->info.mipLevels > r->baseMipLevel
                                ? image->info.mipLevels - r->baseMipLevel
                                : 0;
        // Of a 3D image, the layers of a 2D array are slices.
        const bool slices = image->info.imageType == VK_IMAGE_TYPE_3D &&
                            info->viewType != VK_IMAGE_VIEW_TYPE_3D;
        const uint32_t layers =
            slices ? gv_mip_size(image->info.extent.depth, r->baseMipLevel)
                   : image->info.arrayLayers;
        if (r->layerCount == VK_REMAINING_ARRAY_LAYERS)
            r->layerCount = layers > r->baseArrayLayer ? layers - r->baseArrayLayer : 0;
    }
    return add(v, GV_VK_ID(*a->pView), GV_CAP_IMAGE_VIEW, view, err);
}

static bool create_buffer_view(struct gv_vulkan *v,
                               const struct gv_vk_args_vkCreateBufferView *a,
                               struct gv_error *err)
{
    const VkBufferViewCreateInfo *info = a->pCreateInfo;
    if (!gv_cap_need(&v->cap, GV_VK_ID(info->buffer), GV_CAP_BUFFER, err) ||
        !is_format(v, info->format, err))
        return false;
    struct gv_walk_buffer_view *view = calloc(1, sizeof *view);
    if (view)
        *view = (struct gv_walk_buffer_view){
            .buffer = refer(v, GV_VK_ID(info->buffer), GV_CAP_BUFFER, info->format),
            .format = info->format,
            .offset = info->offset,
            .range = info->range,
        };
    return add(v, GV_VK_ID(*a->pView), GV_CAP_BUFFER_VIEW, view, err);
}

static bool create_framebuffer(struct gv_vulkan *v,
                               const struct gv_vk_args_vkCreateFramebuffer *a,
                               struct gv_error *err)
{
    const VkFramebufferCreateInfo *info = a->pCreateInfo;
    const bool later = info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    const uint32_t count = later ? 0 : info->attachmentCount;
    struct gv_walk_framebuffer *f =
        calloc(1, sizeof *f + count * sizeof(struct gv_cap_ref));
    if (f) {
        f->size = (VkExtent2D){ info->width, info->height };
        f->layers = info->layers;
        f->count = count;
        for (uint32_t i = 0; i < count; i++)
            f->views[i] = gv_cap_refer(&v->cap, GV_VK_ID(info->pAttachments[i]),
                                       GV_CAP_IMAGE_VIEW);
    }
    return add(v, GV_VK_ID(*a->pFramebuffer), GV_CAP_FRAMEBUFFER, f, err);
}

// ---- samplers ----

static const char *describe_sampler(const VkSamplerCreateInfo *info,
                                    struct gv_sampler_desc *d)
{
    const VkSamplerCustomBorderColorCreateInfoEXT *custom = gv_walk_chained(
        info->pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
    const VkSamplerReductionModeCreateInfo *reduction = gv_walk_chained(
        info->pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
    *d = (struct gv_sampler_desc){
        .mag_filter = info->magFilter,
        .min_filter = info->minFilter,
        .mip_filter = info->mipmapMode,
        .address_u = info->addressModeU,
        .address_v = info->addressModeV,
        .address_w = info->addressModeW,
        .lod_bias = info->mipLodBias,
        .min_lod = info->minLod,
        .max_lod = info->maxLod,
        .max_anisotropy = info->anisotropyEnable ? info->maxAnisotropy : 0,
        .compare_enable = info->compareEnable,
        .compare = info->compareEnable ? info->compareOp : 0,
        .border = info->borderColor,
        .unnormalized = info->unnormalizedCoordinates,
        .non_seamless_cube =
            info->flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT,
    };
    const bool borders = d->address_u == GV_ADDRESS_MODE_CLAMP_TO_BORDER ||
                         d->address_v == GV_ADDRESS_MODE_CLAMP_TO_BORDER ||
                         d->address_w == GV_ADDRESS_MODE_CLAMP_TO_BORDER;
    if (!borders)
        d->border = GV_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    else if (custom && d->border >= GV_BORDER_COLOR_FLOAT_CUSTOM)
        memcpy(d->border_values, custom->customBorderColor.uint32,
               sizeof d->border_values);
    if (info->magFilter > VK_FILTER_LINEAR || info->minFilter > VK_FILTER_LINEAR)
        return "cubic filters";
    if (reduction &&
        reduction->reductionMode != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
        return "VkSamplerReductionMode";
    if (gv_walk_chained(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO))
        return "sampler YCbCr conversion";
    return NULL;
}

static bool create_sampler(struct gv_vulkan *v,
                           const struct gv_vk_args_vkCreateSampler *a,
                           struct gv_error *err)
{
    struct gv_walk_sampler *s = calloc(1, sizeof *s);
    if (s)
        s->unsupported = describe_sampler(a->pCreateInfo, &s->desc);
    return add(v, GV_VK_ID(*a->pSampler), GV_CAP_SAMPLER, s, err);
}

// ---- modules, queries, swapchains ----

static bool create_module(struct gv_vulkan *v,
                          const struct gv_vk_args_vkCreateShaderModule *a,
                          struct gv_error *err)
{
    const VkShaderModuleCreateInfo *info = a->pCreateInfo;
    struct gv_walk_module *m = gv_arena_alloc(v->arena, sizeof *m);
    if (m) {
        m->words = gv_arena_copy(v->arena, info->pCode, info->codeSize / 4 * 4);
        m->count = info->codeSize / 4;
        m = m->words ? m : NULL;
    }
    return gv_cap_keep(&v->cap, GV_VK_ID(*a->pShaderModule), GV_CAP_MODULE, m, err);
}

static bool create_queries(struct gv_vulkan *v,
                           const struct gv_vk_args_vkCreateQueryPool *a,
                           struct gv_error *err)
{
    const uint32_t count = a->pCreateInfo->queryCount;
    const uint32_t known = count < MOST_QUERIES ? count : MOST_QUERIES;
    struct gv_walk_queries *q = calloc(1, sizeof *q + known);
    if (q) {
        q->known = known;
        q->type = a->pCreateInfo->queryType;
        q->count = count;
        q->statistics = a->pCreateInfo->pipelineStatistics;
        if (v->snapshot && !v->restored) // nothing says which of them were
            memset(q->ready, 1, known);
    }
    return add(v, GV_VK_ID(*a->pQueryPool), GV_CAP_QUERY_POOL, q, err);
}

static void destroy_queries(struct gv_vulkan *v, uint64_t id)
{
    const struct gv_walk_queries *q = gv_cap_find(&v->cap, id, GV_CAP_QUERY_POOL);
    if (q && q->lowered.id)
        gv_emit(v->b, query_destroy, .query = q->lowered);
    gv_cap_remove(&v->cap, id, GV_CAP_QUERY_POOL);
}

static bool create_swapchain(struct gv_vulkan *v,
                             const struct gv_vk_args_vkCreateSwapchainKHR *a,
                             struct gv_error *err)
{
    struct gv_walk_swapchain *s = calloc(1, sizeof *s);
    if (s) {
        s->info = *a->pCreateInfo;
        s->info.pNext = NULL;
        s->info.pQueueFamilyIndices = NULL;
    }
    return add(v, GV_VK_ID(*a->pSwapchain), GV_CAP_SWAPCHAIN, s, err);
}

// A program may ask for them more than once.
static bool get_images(struct gv_vulkan *v,
                       const struct gv_vk_args_vkGetSwapchainImagesKHR *a,
                       struct gv_error *err)
{
    struct gv_walk_swapchain *s =
        gv_cap_need(&v->cap, GV_VK_ID(a->swapchain), GV_CAP_SWAPCHAIN, err);
    if (!s)
        return false;
    const uint32_t most = sizeof s->images / sizeof s->images[0];
    const VkImageCreateInfo info = {
        .imageType = VK_IMAGE_TYPE_2D,
        .format = s->info.imageFormat,
        .extent = { s->info.imageExtent.width, s->info.imageExtent.height, 1 },
        .mipLevels = 1,
        .arrayLayers = s->info.imageArrayLayers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = s->info.imageUsage,
        .flags = s->info.flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR
                     ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT
                     : 0,
    };
    for (uint32_t i = 0; a->pSwapchainImages && i < *a->pSwapchainImageCount; i++) {
        const uint64_t id = GV_VK_ID(a->pSwapchainImages[i]);
        if (i >= most)
            return gv_fail(err, GV_ERR_LIMIT, v->cap.place.offset,
                           "a swapchain of %u images", *a->pSwapchainImageCount);
        if (i < s->count && s->images[i] == id)
            continue;
        if (!add_image(v, id, &info, true, err))
            return false;
        s->images[i] = id;
        s->count = i + 1 > s->count ? i + 1 : s->count;
    }
    return true;
}

static void destroy_swapchain(struct gv_vulkan *v, uint64_t id)
{
    const struct gv_walk_swapchain *s = gv_cap_find(&v->cap, id, GV_CAP_SWAPCHAIN);
    for (uint32_t i = 0; s && i < s->count; i++)
        drop(v, s->images[i], GV_CAP_IMAGE);
    gv_cap_remove(&v->cap, id, GV_CAP_SWAPCHAIN);
}

// ---- pools of what the tracker keeps ----

static bool add_pool(struct gv_vulkan *v, uint64_t id, enum gv_cap_kind kind,
                     struct gv_error *err)
{
    return add(v, id, kind, calloc(1, 1), err); // it is a name for what it holds
}

static bool begin_commands(struct gv_vulkan *v, VkCommandBuffer commands,
                           struct gv_error *err)
{
    struct gv_cap_commands *c =
        gv_cap_need(&v->cap, GV_VK_ID(commands), GV_CAP_COMMANDS, err);
    if (c)
        gv_cap_commands_reset(c);
    return c;
}

static bool bind_buffers(struct gv_vulkan *v,
                         const struct gv_vk_args_vkBindBufferMemory2 *a,
                         struct gv_error *err)
{
    for (uint32_t i = 0; i < a->bindInfoCount; i++)
        if (!gv_walk_bind_memory(v, GV_VK_ID(a->pBindInfos[i].buffer),
                                 GV_VK_ID(a->pBindInfos[i].memory),
                                 a->pBindInfos[i].memoryOffset, false, err))
            return false;
    return true;
}

static bool bind_images(struct gv_vulkan *v,
                        const struct gv_vk_args_vkBindImageMemory2 *a,
                        struct gv_error *err)
{
    for (uint32_t i = 0; i < a->bindInfoCount; i++)
        if (!a->pBindInfos[i].memory)
            gv_walk_unsupported(&v->walk, "an image that shares a swapchain's memory");
        else if (!gv_walk_bind_memory(v, GV_VK_ID(a->pBindInfos[i].image),
                                      GV_VK_ID(a->pBindInfos[i].memory),
                                      a->pBindInfos[i].memoryOffset, true, err))
            return false;
    return true;
}

static bool allocate(struct gv_vulkan *v, const struct gv_vk_args_vkAllocateMemory *a,
                     struct gv_error *err)
{
    static const VkStructureType imports[] = {
        VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
        VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        VK_STRUCTURE_TYPE_IMPORT_MEMORY_WIN32_HANDLE_INFO_KHR,
        VK_STRUCTURE_TYPE_IMPORT_ANDROID_HARDWARE_BUFFER_INFO_ANDROID,
    };
    for (size_t i = 0; i < sizeof imports / sizeof imports[0]; i++)
        if (gv_walk_chained(a->pAllocateInfo->pNext, imports[i]))
            gv_walk_unsupported(&v->walk, "imported memory");
    return gv_cap_memory_allocate(&v->cap, a, err);
}

static void free_sets(struct gv_vulkan *v,
                      const struct gv_vk_args_vkFreeDescriptorSets *a)
{
    for (uint32_t i = 0; i < a->descriptorSetCount; i++)
        gv_cap_remove(&v->cap, GV_VK_ID(a->pDescriptorSets[i]), GV_CAP_SET);
}

static void free_commands(struct gv_vulkan *v,
                          const struct gv_vk_args_vkFreeCommandBuffers *a)
{
    for (uint32_t i = 0; i < a->commandBufferCount; i++)
        gv_cap_remove(&v->cap, GV_VK_ID(a->pCommandBuffers[i]), GV_CAP_COMMANDS);
}

#define ARGS(name) GV_VK_ARGS(name, call)

// What is destroyed by one call and needs no more than that.
static bool destroy(struct gv_vulkan *v, const struct gv_vk_call *call)
{
    switch ((int)call->function) {
#define DESTROYED(function, member, kind)                                        \
    case GV_VK_##function:                                                       \
        gv_cap_remove(&v->cap, GV_VK_ID(ARGS(function)->member), GV_CAP_##kind); \
        return true;
        DESTROYED(vkFreeMemory, memory, MEMORY)
        DESTROYED(vkDestroyBufferView, bufferView, BUFFER_VIEW)
        DESTROYED(vkDestroyImageView, imageView, IMAGE_VIEW)
        DESTROYED(vkDestroySampler, sampler, SAMPLER)
        DESTROYED(vkDestroyShaderModule, shaderModule, MODULE)
        DESTROYED(vkDestroyDescriptorSetLayout, descriptorSetLayout, SET_LAYOUT)
        DESTROYED(vkDestroyPipelineLayout, pipelineLayout, PIPELINE_LAYOUT)
        DESTROYED(vkDestroyPipeline, pipeline, PIPELINE)
        DESTROYED(vkDestroyRenderPass, renderPass, RENDER_PASS)
        DESTROYED(vkDestroyFramebuffer, framebuffer, FRAMEBUFFER)
        DESTROYED(vkDestroyDescriptorPool, descriptorPool, DESCRIPTOR_POOL)
        DESTROYED(vkDestroyDescriptorUpdateTemplate, descriptorUpdateTemplate, TEMPLATE)
        DESTROYED(vkDestroyCommandPool, commandPool, COMMAND_POOL)
#undef DESTROYED
    case GV_VK_vkDestroyBuffer:
        drop(v, GV_VK_ID(ARGS(vkDestroyBuffer)->buffer), GV_CAP_BUFFER);
        return true;
    case GV_VK_vkDestroyImage:
        drop(v, GV_VK_ID(ARGS(vkDestroyImage)->image), GV_CAP_IMAGE);
        return true;
    case GV_VK_vkDestroyQueryPool:
        destroy_queries(v, GV_VK_ID(ARGS(vkDestroyQueryPool)->queryPool));
        return true;
    case GV_VK_vkDestroySwapchainKHR:
        destroy_swapchain(v, GV_VK_ID(ARGS(vkDestroySwapchainKHR)->swapchain));
        return true;
    case GV_VK_vkFreeDescriptorSets:
        free_sets(v, ARGS(vkFreeDescriptorSets));
        return true;
    case GV_VK_vkFreeCommandBuffers:
        free_commands(v, ARGS(vkFreeCommandBuffers));
        return true;
    case GV_VK_vkResetDescriptorPool:
        gv_cap_empty_pool(&v->cap,
                          GV_VK_ID(ARGS(vkResetDescriptorPool)->descriptorPool),
                          GV_CAP_DESCRIPTOR_POOL);
        return true;
    case GV_VK_vkResetCommandPool:
        gv_cap_each_pooled(&v->cap, GV_VK_ID(ARGS(vkResetCommandPool)->commandPool),
                           GV_CAP_COMMAND_POOL, gv_cap_commands_reset);
        return true;
    default:
        return false;
    }
}

#define MADE(function, does) \
    case GV_VK_##function:   \
        *ok = does;          \
        return true;

static bool make_resource(struct gv_vulkan *v, const struct gv_vk_call *call, bool *ok,
                          struct gv_error *err)
{
    struct gv_cap *cap = &v->cap;
    switch ((int)call->function) {
        MADE(vkAllocateMemory, allocate(v, ARGS(vkAllocateMemory), err))
        MADE(vkMapMemory, gv_cap_memory_map(cap, ARGS(vkMapMemory), err))
        MADE(vkUnmapMemory, gv_cap_memory_unmap(cap, ARGS(vkUnmapMemory), err))
        MADE(vkCreateBuffer, create_buffer(v, ARGS(vkCreateBuffer), err))
        MADE(vkCreateImage, create_image(v, ARGS(vkCreateImage), err))
        MADE(vkGetImageSubresourceLayout,
             note_layout(v, ARGS(vkGetImageSubresourceLayout)))
        MADE(vkGetImageMemoryRequirements,
             note_size(v, ARGS(vkGetImageMemoryRequirements)->image,
                       ARGS(vkGetImageMemoryRequirements)->pMemoryRequirements))
        MADE(vkGetImageMemoryRequirements2,
             note_size2(v, ARGS(vkGetImageMemoryRequirements2)))
        MADE(vkBindBufferMemory,
             gv_walk_bind_memory(v, GV_VK_ID(ARGS(vkBindBufferMemory)->buffer),
                                 GV_VK_ID(ARGS(vkBindBufferMemory)->memory),
                                 ARGS(vkBindBufferMemory)->memoryOffset, false, err))
        MADE(vkBindImageMemory,
             gv_walk_bind_memory(v, GV_VK_ID(ARGS(vkBindImageMemory)->image),
                                 GV_VK_ID(ARGS(vkBindImageMemory)->memory),
                                 ARGS(vkBindImageMemory)->memoryOffset, true, err))
        MADE(vkBindBufferMemory2, bind_buffers(v, ARGS(vkBindBufferMemory2), err))
        MADE(vkBindImageMemory2, bind_images(v, ARGS(vkBindImageMemory2), err))
        MADE(vkCreateImageView, create_view(v, ARGS(vkCreateImageView), err))
        MADE(vkCreateBufferView, create_buffer_view(v, ARGS(vkCreateBufferView), err))
        MADE(vkCreateFramebuffer, create_framebuffer(v, ARGS(vkCreateFramebuffer), err))
        MADE(vkCreateSampler, create_sampler(v, ARGS(vkCreateSampler), err))
        MADE(vkCreateSwapchainKHR, create_swapchain(v, ARGS(vkCreateSwapchainKHR), err))
        MADE(vkGetSwapchainImagesKHR, get_images(v, ARGS(vkGetSwapchainImagesKHR), err))
    default:
        return false;
    }
}

static bool make_other(struct gv_vulkan *v, const struct gv_vk_call *call, bool *ok,
                       struct gv_error *err)
{
    struct gv_cap *cap = &v->cap;
    switch ((int)call->function) {
        MADE(vkCreateShaderModule, create_module(v, ARGS(vkCreateShaderModule), err))
        MADE(vkCreateQueryPool, create_queries(v, ARGS(vkCreateQueryPool), err))
        MADE(vkCreateDescriptorSetLayout,
             gv_cap_set_layout(cap, ARGS(vkCreateDescriptorSetLayout), err))
        MADE(vkCreatePipelineLayout,
             gv_cap_pipeline_layout(cap, ARGS(vkCreatePipelineLayout), err))
        MADE(vkCreateDescriptorPool,
             add_pool(v, GV_VK_ID(*ARGS(vkCreateDescriptorPool)->pDescriptorPool),
                      GV_CAP_DESCRIPTOR_POOL, err))
        MADE(vkAllocateDescriptorSets,
             gv_cap_allocate_sets(cap, ARGS(vkAllocateDescriptorSets), err))
        MADE(vkUpdateDescriptorSets,
             gv_cap_update_sets(cap, ARGS(vkUpdateDescriptorSets), err))
        MADE(vkCreateDescriptorUpdateTemplate,
             gv_cap_create_template(cap, ARGS(vkCreateDescriptorUpdateTemplate), err))
        MADE(vkUpdateDescriptorSetWithTemplate,
             gv_cap_update_with_template(cap, ARGS(vkUpdateDescriptorSetWithTemplate),
                                         err))
        MADE(vkCreateCommandPool,
             add_pool(v, GV_VK_ID(*ARGS(vkCreateCommandPool)->pCommandPool),
                      GV_CAP_COMMAND_POOL, err))
        MADE(vkAllocateCommandBuffers,
             gv_cap_allocate_commands(cap, ARGS(vkAllocateCommandBuffers), err))
        MADE(vkBeginCommandBuffer,
             begin_commands(v, ARGS(vkBeginCommandBuffer)->commandBuffer, err))
        MADE(vkResetCommandBuffer,
             begin_commands(v, ARGS(vkResetCommandBuffer)->commandBuffer, err))
        MADE(vkCreateRenderPass, gv_walk_render_pass(v, ARGS(vkCreateRenderPass), err))
        MADE(vkCreateRenderPass2,
             gv_walk_render_pass2(v, ARGS(vkCreateRenderPass2), err))
        MADE(vkCreateGraphicsPipelines, gv_walk_create_graphics(v, call, err))
        MADE(vkCreateComputePipelines, gv_walk_create_compute(v, call, err))
    default:
        return false;
    }
}

bool gv_walk_object_call(struct gv_vulkan *v, const struct gv_vk_call *call, bool *ok,
                         struct gv_error *err)
{
    *ok = true;
    return make_resource(v, call, ok, err) || make_other(v, call, ok, err) ||
           destroy(v, call);
}
