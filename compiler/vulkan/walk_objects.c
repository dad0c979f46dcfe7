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
                      struct gv_error *err)
{
    struct gv_cap_image *i = calloc(1, sizeof *i);
    if (i) {
        i->base.id = id;
        i->base.image = true;
        i->info = *info;
        i->info.pNext = NULL;
        i->info.pQueueFamilyIndices = NULL;
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
    return add_image(v, GV_VK_ID(*a->pImage), a->pCreateInfo, err);
}

static bool drop(struct gv_vulkan *v, uint64_t id, enum gv_cap_kind kind)
{
    struct gv_cap_resource *r = gv_cap_find(&v->cap, id, kind);
    if (r)
        gv_walk_drop_resource(&v->walk, r);
    gv_cap_remove(&v->cap, id, kind);
    return true;
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
        *view = (struct gv_walk_view){
            .image = refer(v, GV_VK_ID(info->image), GV_CAP_IMAGE, info->format),
            .type = info->viewType,
            .format = info->format,
            .swizzle = info->components,
            .range = info->subresourceRange,
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

static bool destroy_queries(struct gv_vulkan *v, uint64_t id)
{
    const struct gv_walk_queries *q = gv_cap_find(&v->cap, id, GV_CAP_QUERY_POOL);
    if (q && q->lowered.id)
        gv_emit(v->b, query_destroy, .query = q->lowered);
    gv_cap_remove(&v->cap, id, GV_CAP_QUERY_POOL);
    return true;
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
        if (!add_image(v, id, &info, err))
            return false;
        s->images[i] = id;
        s->count = i + 1 > s->count ? i + 1 : s->count;
    }
    return true;
}

static bool destroy_swapchain(struct gv_vulkan *v, uint64_t id)
{
    const struct gv_walk_swapchain *s = gv_cap_find(&v->cap, id, GV_CAP_SWAPCHAIN);
    for (uint32_t i = 0; s && i < s->count; i++)
        drop(v, s->images[i], GV_CAP_IMAGE);
    gv_cap_remove(&v->cap, id, GV_CAP_SWAPCHAIN);
    return true;
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

static bool free_sets(struct gv_vulkan *v,
                      const struct gv_vk_args_vkFreeDescriptorSets *a)
{
    for (uint32_t i = 0; i < a->descriptorSetCount; i++)
        gv_cap_remove(&v->cap, GV_VK_ID(a->pDescriptorSets[i]), GV_CAP_SET);
    return true;
}

static bool free_commands(struct gv_vulkan *v,
                          const struct gv_vk_args_vkFreeCommandBuffers *a)
{
    for (uint32_t i = 0; i < a->commandBufferCount; i++)
        gv_cap_remove(&v->cap, GV_VK_ID(a->pCommandBuffers[i]), GV_CAP_COMMANDS);
    return true;
}

static bool reset_pool(struct gv_vulkan *v,
                       const struct gv_vk_args_vkResetDescriptorPool *a)
{
    gv_cap_empty_pool(&v->cap, GV_VK_ID(a->descriptorPool), GV_CAP_DESCRIPTOR_POOL);
    return true;
}

static bool reset_commands(struct gv_vulkan *v,
                           const struct gv_vk_args_vkResetCommandPool *a)
{
    gv_cap_each_pooled(&v->cap, GV_VK_ID(a->commandPool), GV_CAP_COMMAND_POOL,
                       gv_cap_commands_reset);
    return true;
}

// ---- functions ----

typedef bool (*object_fn)(struct gv_vulkan *v, const struct gv_vk_call *call,
                          struct gv_error *err);

#define GV_WALK_MAKES(function, how)                                                \
    static bool call_##function(struct gv_vulkan *v, const struct gv_vk_call *call, \
                                struct gv_error *err)                               \
    {                                                                               \
        const struct gv_vk_args_##function *a = GV_VK_ARGS(function, call);         \
        (void)a, (void)err;                                                         \
        return how;                                                                 \
    }
#define GV_WALK_DROPS(function, member, kind)                                       \
    static bool call_##function(struct gv_vulkan *v, const struct gv_vk_call *call, \
                                struct gv_error *err)                               \
    {                                                                               \
        (void)err;                                                                  \
        gv_cap_remove(&v->cap, GV_VK_ID(GV_VK_ARGS(function, call)->member),        \
                      GV_CAP_##kind);                                               \
        return true;                                                                \
    }
#define GV_WALK_DOES(function)
#define GV_WALK_SILENT(function)
#include "compiler/vulkan/walk_functions.def"
#undef GV_WALK_MAKES
#undef GV_WALK_DROPS
#undef GV_WALK_DOES
#undef GV_WALK_SILENT

static const struct {
    object_fn perform; // NULL: nothing to do here, if `known`
    bool known;
} functions[GV_VK_FUNCTION_COUNT] = {
#define GV_WALK_MAKES(function, how) [GV_VK_##function] = { call_##function, true },
#define GV_WALK_DROPS(function, member, kind) \
    [GV_VK_##function] = { call_##function, true },
#define GV_WALK_DOES(function) [GV_VK_##function] = { NULL, true },
#define GV_WALK_SILENT(function) [GV_VK_##function] = { NULL, true },
#include "compiler/vulkan/walk_functions.def"
#undef GV_WALK_MAKES
#undef GV_WALK_DROPS
#undef GV_WALK_DOES
#undef GV_WALK_SILENT
};

static bool asks(const char *name)
{
    return !strncmp(name, "vkGet", 5) || !strncmp(name, "vkEnumerate", 11);
}

bool gv_walk_object_call(struct gv_vulkan *v, const struct gv_vk_call *call, bool *ok,
                         struct gv_error *err)
{
    const char *name = gv_vk_function_name(call->function);
    *ok = true;
    if (functions[call->function].perform)
        *ok = functions[call->function].perform(v, call, err);
    else if (!functions[call->function].known && !asks(name))
        gv_walk_unsupported(&v->walk, "%s", name);
    return true;
}
