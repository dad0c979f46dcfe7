#include "runtime/vk/memory/kept_images.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/device_memory.h"

#define KEPT_SHARE 2 // memory in use up to which images are kept: of the limit

// At rest what was uploaded can be seen by all that samples it, and no shader writes
// there.
static bool can_be_known(const struct gv_vk_image *image)
{
    return image->rest_layout == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL &&
           !image->own;
}

static uint32_t sub_count(const struct gv_vk_image *image)
{
    return image->mips * image->layers;
}

static bool knows_some(const struct gv_vk_image *image)
{
    for (uint32_t i = 0; i < sub_count(image); i++)
        if (image->subs[i].known && image->subs[i].layout == image->rest_layout)
            return true;
    return false;
}

void gv_vk_images_free_kept(struct gv_runtime *rt)
{
    struct gv_vk_image *image;
    while ((image = rt->kept_images->first)) {
        rt->kept_images->first = image->next_kept;
        gv_vk_image_free(rt, image);
    }
}

void gv_vk_kept_images_pass(struct gv_runtime *rt, bool begun)
{
    gv_vk_images_free_kept(rt);
    rt->kept_images->passes += begun;
}

void gv_vk_image_keep(struct gv_runtime *rt, struct gv_vk_image *image)
{
    const struct gv_vk_heaps *heaps = rt->heaps;
    const bool room =
        !heaps->limit || heaps->allocated + heaps->charged <= heaps->limit / KEPT_SHARE;
    if (!room || !can_be_known(image) || !knows_some(image)) {
        gv_vk_image_free(rt, image);
        return;
    }
    image->next_kept = rt->kept_images->first;
    rt->kept_images->first = image;
}

static bool same(const struct gv_vk_image *a, const struct gv_vk_image *b)
{
    return a->type == b->type && a->format == b->format && a->width == b->width &&
           a->height == b->height && a->depth == b->depth && a->mips == b->mips &&
           a->layers == b->layers && a->samples == b->samples && a->usage == b->usage &&
           a->flags == b->flags;
}

// Where nothing is known all is as in a new image.
static void take_subs(struct gv_vk_image *image, const struct gv_vk_image *kept)
{
    for (uint32_t i = 0; i < sub_count(image); i++) {
        const struct gv_vk_sub *old = &kept->subs[i];
        if (!old->known || old->layout != kept->rest_layout)
            continue;
        image->subs[i].layout = old->layout;
        image->subs[i].known = true;
        image->subs[i].content = old->content;
    }
}

bool gv_vk_image_take(struct gv_runtime *rt, struct gv_vk_image *image)
{
    struct gv_vk_image **at = &rt->kept_images->first;
    while (*at && !same(*at, image))
        at = &(*at)->next_kept;
    struct gv_vk_image *kept = *at;
    if (!kept || image->own)
        return false;
    *at = kept->next_kept;
    image->handle = kept->handle;
    image->memory = kept->memory;
    take_subs(image, kept);
    kept->handle = VK_NULL_HANDLE;
    kept->memory = (struct gv_vk_memory){ 0 };
    gv_vk_image_free(rt, kept);
    return true;
}

static struct gv_vk_sub *sub_of(const struct gv_vk_texels *texels)
{
    return &texels->image
                ->subs[(size_t)texels->layer * texels->image->mips + texels->mip];
}

bool gv_vk_image_has(const struct gv_vk_kept_images *kept_images,
                     struct gv_vk_texels *texels)
{
    if (!kept_images->passes || !can_be_known(texels->image))
        return false;
    const struct gv_vk_sub *sub = sub_of(texels);
    texels->hash = gv_hash_bytes(texels->data, (size_t)texels->bytes);
    return sub->known && gv_hash_equal(&sub->content, &texels->hash);
}

void gv_vk_image_put(const struct gv_vk_kept_images *kept_images,
                     const struct gv_vk_texels *texels)
{
    struct gv_vk_sub *sub = sub_of(texels);
    sub->known = kept_images->passes && can_be_known(texels->image);
    sub->content = texels->hash;
}
