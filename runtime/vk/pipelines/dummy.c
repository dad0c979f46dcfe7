#include "runtime/vk/pipelines/dummy.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/memory/image_create.h"
#include "runtime/vk/memory/view.h"
#include "vm/formats.h"
#include "vm/spirv/spirv_image_format.h"

#include <string.h>

static uint32_t format_of(const struct gv_vk_need *need, bool storage)
{
    uint32_t declared = storage ? gv_storage_format(need->image_format) : 0;
    if (declared)
        return declared;
    if (need->compares)
        return GV_FORMAT_D16_UNORM;
    switch (need->numeric) {
    case GV_SPIRV_SINT:
        return GV_FORMAT_R32_SINT;
    case GV_SPIRV_UINT:
        return GV_FORMAT_R32_UINT;
    default:
        return GV_FORMAT_R8G8B8A8_UNORM;
    }
}

static struct gv_view_shape key_of(const struct gv_vk_need *need, bool storage)
{
    bool cube = need->view_type == GV_VIEW_TYPE_CUBE ||
                need->view_type == GV_VIEW_TYPE_CUBE_ARRAY;
    return (struct gv_view_shape){
        .use = storage ? GV_VIEW_USE_STORAGE : GV_VIEW_USE_SAMPLED,
        .type = need->view_type,
        .format = format_of(need, storage),
        .aspect = need->compares ? GV_ASPECT_DEPTH : GV_ASPECT_COLOR,
        .mips = 1,
        .layers = cube ? 6 : 1,
    };
}

static uint32_t image_type(uint32_t view_type)
{
    switch (view_type) {
    case GV_VIEW_TYPE_1D:
    case GV_VIEW_TYPE_1D_ARRAY:
        return GV_IMAGE_TYPE_1D;
    case GV_VIEW_TYPE_3D:
        return GV_IMAGE_TYPE_3D;
    default:
        return GV_IMAGE_TYPE_2D;
    }
}

static bool make(struct gv_runtime *rt, struct gv_vk_dummy *dummy, struct gv_error *err)
{
    const struct gv_view_shape *v = &dummy->view;
    bool storage = v->use == GV_VIEW_USE_STORAGE;
    const struct gv_args_image_create args = {
        .type.u = image_type(v->type),
        .format.u = v->format,
        .width.u = 1,
        .height.u = 1,
        .depth.u = 1,
        .mips.u = 1,
        .layers.u = v->layers,
        .samples.u = dummy->multisampled ? 4 : 1,
        .usage.u = storage ? GV_IMAGE_USAGE_STORAGE : GV_IMAGE_USAGE_SAMPLED,
        .flags.u = v->layers == 6 ? GV_IMAGE_FLAG_CUBE_COMPATIBLE : 0,
    };
    return gv_vk_image_create_own(rt, &args, &dummy->handle, err);
}

static struct gv_vk_dummy *find(struct gv_runtime *rt, struct gv_vk_dummies *dummies,
                                const struct gv_vk_need *need, bool storage,
                                struct gv_error *err)
{
    const struct gv_vk_dummy wanted = { .view = key_of(need, storage),
                                        .multisampled = need->multisampled };
    for (uint32_t i = 0; i < dummies->count; i++) {
        struct gv_vk_dummy *d = &dummies->items[i];
        if (d->multisampled == wanted.multisampled &&
            memcmp(&d->view, &wanted.view, sizeof d->view) == 0)
            return d;
    }
    if (dummies->count == GV_VK_DUMMIES) {
        gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "too many kinds of unbound images");
        return NULL;
    }
    struct gv_vk_dummy *d = &dummies->items[dummies->count];
    *d = wanted;
    if (!make(rt, d, err))
        return NULL;
    dummies->count++;
    return d;
}

VkImageView gv_vk_dummy_view(struct gv_runtime *rt, struct gv_vk_dummies *dummies,
                             const struct gv_vk_need *need, bool storage,
                             struct gv_vk_image **image, struct gv_error *err)
{
    const struct gv_vk_dummy *d = find(rt, dummies, need, storage, err);
    *image = d ? gv_vk_image_find(&rt->handles, d->handle, "image", err) : NULL;
    return *image ? gv_vk_image_view(rt->views, *image, &d->view, err) : VK_NULL_HANDLE;
}
