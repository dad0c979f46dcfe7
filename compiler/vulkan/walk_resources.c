// Buffers and images of the payload, made when first used, and what the host wrote
// there.
#include "compiler/vulkan/walk.h"

#include "vm/formats.h"

#define MOST_BYTES ((uint64_t)1 << 36) // of a buffer
// Usage that payloads know by the same bits. Transform feedback and conditional
// rendering are left out with the commands that need them: programs that run on layers
// name them for every buffer, and devices without the extensions would be refused for
// nothing.
#define BUFFER_USAGE                                                                 \
    (VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |                                      \
     VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | \
     VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |         \
     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT)
#define IMAGE_USAGE                                            \
    (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | \
     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |                     \
     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)
#define IMAGE_FLAGS                                                             \
    (VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT | \
     VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT)

void gv_walk_begin_making(struct gv_walk *w)
{
    if (gv_builder_place_is_open(w->b))
        gv_builder_place_begin(w->b);
}

void gv_walk_end_making(struct gv_walk *w)
{
    if (gv_builder_place_is_open(w->b))
        gv_builder_place_end(w->b);
}

static const char *refuse_buffer(VkBufferCreateFlags flags)
{
    if (flags &
        (VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT))
        return "sparse binding";
    return flags & VK_BUFFER_CREATE_PROTECTED_BIT ? "protected memory" : NULL;
}

struct gv_buffer gv_walk_buffer(struct gv_walk *w, struct gv_cap_buffer *buffer)
{
    if (!buffer->base.lowered) {
        const char *unsupported = refuse_buffer(buffer->flags);
        if (unsupported) {
            gv_walk_unsupported(w, "%s", unsupported);
            return GV_NO_BUFFER;
        }
        if (!buffer->size || buffer->size > MOST_BYTES) {
            gv_walk_unsupported(w, "a buffer of %llu bytes",
                                (unsigned long long)buffer->size);
            return GV_NO_BUFFER;
        }
        gv_walk_begin_making(w);
        buffer->base.lowered =
            gv_emit(w->b, buffer_create, .size = buffer->size,
                    .usage = (uint32_t)(buffer->usage & BUFFER_USAGE))
                .id;
        gv_walk_end_making(w);
    }
    return (struct gv_buffer){ buffer->base.lowered };
}

static const char *refuse_image(const VkImageCreateInfo *info)
{
    if (info->flags &
        (VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT))
        return "sparse binding";
    if (info->flags & VK_IMAGE_CREATE_PROTECTED_BIT)
        return "protected memory";
    if (info->flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT)
        return "VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT";
    return NULL;
}

struct gv_image gv_walk_make_image(struct gv_walk *w, const VkImageCreateInfo *info,
                                   uint32_t usage)
{
    return gv_emit(w->b, image_create, .type = (uint32_t)info->imageType,
                   .format = (uint32_t)info->format, .width = info->extent.width,
                   .height = info->extent.height, .depth = info->extent.depth,
                   .mips = info->mipLevels, .layers = info->arrayLayers,
                   .samples = (uint32_t)info->samples, .usage = usage,
                   .flags = info->flags & IMAGE_FLAGS);
}

struct gv_image gv_walk_image(struct gv_walk *w, struct gv_cap_image *image)
{
    const VkImageCreateInfo *info = &image->info;
    if (image->base.lowered)
        return (struct gv_image){ image->base.lowered };
    const char *unsupported = refuse_image(info);
    if (unsupported)
        gv_walk_unsupported(w, "%s", unsupported);
    else if (!gv_format_info((uint64_t)info->format))
        gv_walk_unsupported(w, "format %d", (int)info->format);
    else if ((uint32_t)info->imageType > GV_IMAGE_TYPE_3D)
        gv_walk_unsupported(w, "image type %d", (int)info->imageType);
    else {
        uint32_t usage = info->usage & IMAGE_USAGE;
        if (info->usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT)
            usage |= GV_IMAGE_USAGE_SAMPLED;
        gv_walk_begin_making(w);
        image->base.lowered = gv_walk_make_image(w, info, usage).id;
        gv_walk_end_making(w);
    }
    return (struct gv_image){ image->base.lowered };
}

void gv_walk_drop_resource(struct gv_walk *w, struct gv_cap_resource *r)
{
    gv_walk_leaves(w, r);
    if (!r->image)
        gv_walk_drop_mirrors(w, (struct gv_cap_buffer *)r);
    struct gv_cap_image *image = r->image ? (struct gv_cap_image *)r : NULL;
    if (image && image->twin)
        gv_emit(w->b, image_destroy, .image = (struct gv_image){ image->twin });
    if (image)
        image->twin = 0;
    if (!r->lowered)
        return;
    if (r->image)
        gv_emit(w->b, image_destroy, .image = (struct gv_image){ r->lowered });
    else
        gv_emit(w->b, buffer_destroy, .buffer = (struct gv_buffer){ r->lowered });
    r->lowered = 0;
}

// ---- what the host wrote ----

bool gv_walk_write(void *walk, const struct gv_cap_write *write, struct gv_error *err)
{
    struct gv_walk *w = walk;
    struct gv_cap_resource *r = write->resource;
    r->version++;
    if (r->image) {
        struct gv_cap_image *image = (struct gv_cap_image *)r;
        // Programs do not write others: such bytes are what the device had there when a
        // capture began in the middle, and come once.
        if (image->info.tiling == VK_IMAGE_TILING_LINEAR ||
            (w->vulkan->snapshot && !image->known))
            return gv_walk_note_texels(w, image, write, err);
        return true;
    }
    struct gv_cap_buffer *buffer = (struct gv_cap_buffer *)r;
    const struct gv_buffer lowered = gv_walk_buffer(w, buffer);
    uint64_t size = write->at < buffer->size ? buffer->size - write->at : 0;
    size = size < write->size ? size : write->size;
    if (lowered.id && size)
        gv_emit(w->b, buffer_upload, .buffer = lowered, .offset = write->at,
                .data = gv_data(write->bytes), .size = size);
    return true;
}

// Bytes that an image takes of its memory, as far as they matter.
static uint64_t image_bytes(const struct gv_cap_image *image)
{
    const bool linear = image->info.tiling == VK_IMAGE_TILING_LINEAR;
    if (linear && image->linear.size)
        return image->linear.offset + image->linear.size;
    if (linear && image->required)
        return image->required;
    // No more than the recording device took, so that no neighbour seems to share it.
    const uint64_t bytes = gv_walk_optimal_bytes(image);
    return image->required && image->required < bytes ? image->required : bytes;
}

bool gv_walk_bind_memory(struct gv_vulkan *v, uint64_t resource, uint64_t memory,
                         uint64_t offset, bool image, struct gv_error *err)
{
    struct gv_cap_resource *r =
        gv_cap_need(&v->cap, resource, image ? GV_CAP_IMAGE : GV_CAP_BUFFER, err);
    if (!r)
        return false;
    const struct gv_cap_place place = {
        .memory = memory,
        .offset = offset,
        .size = image ? image_bytes((struct gv_cap_image *)r)
                      : ((struct gv_cap_buffer *)r)->size,
    };
    return gv_cap_bind(&v->cap, r, &place, gv_walk_write, &v->walk, err) &&
           gv_walk_flush_images(&v->walk, err);
}

// ---- contents from before the capture ----

bool gv_vulkan_init_image(struct gv_vulkan *v, const struct gv_vulkan_image_contents *c,
                          struct gv_error *err)
{
    gv_walk_begin(v, "init image", &c->place, 0);
    struct gv_cap_image *image = gv_cap_need(&v->cap, c->image, GV_CAP_IMAGE, err);
    if (!image)
        return false;
    const VkImageCreateInfo *info = &image->info;
    const struct gv_format_info *format = gv_format_info((uint64_t)info->format);
    const struct gv_image lowered =
        c->level_count ? gv_walk_image(&v->walk, image) : GV_NO_IMAGE;
    if (!lowered.id || !format)
        return true;
    const uint8_t *texels = c->bytes.data;
    image->known = true;
    for (uint32_t i = 0; i < c->level_count; i++) {
        const struct gv_texel_box box = {
            .width = gv_mip_size(info->extent.width, i),
            .height = gv_mip_size(info->extent.height, i),
            .slices = gv_mip_size(info->extent.depth, i) * info->arrayLayers,
        };
        uint64_t bytes;
        if (!gv_format_box_bytes(format, c->aspect, &box, &bytes) ||
            bytes > c->level_sizes[i] || i >= info->mipLevels)
            return gv_cap_fail(&v->cap, err, "level %u: %llu bytes", i,
                               (unsigned long long)c->level_sizes[i]);
        gv_emit(v->b, image_upload, .image = lowered, .aspect = c->aspect, .mip = i,
                .layer = 0, .layers = info->arrayLayers, .x = 0, .y = 0, .z = 0,
                .width = box.width, .height = box.height,
                .depth = gv_mip_size(info->extent.depth, i), .row_bytes = 0, .rows = 0,
                .data = gv_data(texels), .size = bytes);
        texels += c->level_sizes[i];
    }
    return true;
}
