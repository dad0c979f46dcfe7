#include "runtime/vk/work/export.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/image_create.h"
#include "runtime/vk/transfer/picture.h"
#include "runtime/vk/transfer/readback.h"
#include "runtime/vk/transfer/shared_picture.h"
#include "runtime/vk/work/pass.h"

#include <stdlib.h>
#include <string.h>

#define MAX_EXPORTS 4096
#define MAX_PENDING (64u << 20) // bytes of posts read back but not yet copied out
#define MAX_POSTS 4096          // likewise

// A picture on its way.
struct shot {
    struct gv_vk_readback readback;
    const struct gv_format_info *format; // NULL = none
    uint32_t width, height, flags;
};

// A post on its way; of one export in order.
struct post {
    struct gv_vk_readback readback;
    struct post *next;
};

struct export_state {
    bool wanted, posted;
    struct gv_bytes bytes;
    struct post *first, *last; // owned; belong behind `bytes`
    uint32_t format, width, height;
};

// What pictures between commands are of.
struct view {
    uint64_t image; // handle; 0: nothing
    uint32_t mip, layer, width, height, flags;
};

struct gv_vk_outputs {
    bool pictures, images;
    bool imaged;                        // `shared` is of what `building` is
    bool frame_imaged;                  // `shared` is of what `frame` is
    struct gv_vk_shared_picture shared; // of the frame at hand
    struct shot building;               // presented since the last frame_end
    struct shot frame;                  // of the frame that ended last
    bool viewed;                        // `view` was said
    struct view view;
    struct export_state *exports; // owned
    size_t export_count;
    uint64_t pending; // bytes of posts
    uint32_t posts;   // as many are pending
};

struct gv_vk_outputs *gv_vk_outputs_create(struct gv_error *err)
{
    struct gv_vk_outputs *outputs = calloc(1, sizeof(*outputs));
    if (!outputs)
        gv_out_of_memory(err);
    else
        outputs->pictures = true;
    return outputs;
}

static void drop_shot(struct gv_runtime *rt, struct shot *shot)
{
    gv_vk_readback_drop(rt, &shot->readback);
    *shot = (struct shot){ 0 };
}

static void drop_posts(struct gv_runtime *rt, struct export_state *e)
{
    while (e->first) {
        struct post *post = e->first;
        e->first = post->next;
        rt->outputs->pending -= post->readback.size;
        rt->outputs->posts--;
        gv_vk_readback_drop(rt, &post->readback);
        free(post);
    }
    e->last = NULL;
}

static void drop_bytes(struct gv_vk_heaps *heaps, struct export_state *e)
{
    gv_vk_heaps_discharge(heaps, 2 * (uint64_t)e->bytes.size);
    gv_bytes_finish(&e->bytes);
}

void gv_vk_outputs_reset(struct gv_runtime *rt)
{
    struct gv_vk_outputs *outputs = rt->outputs;
    drop_shot(rt, &outputs->building);
    drop_shot(rt, &outputs->frame);
    gv_vk_shared_picture_drop(rt, &outputs->shared);
    outputs->imaged = outputs->frame_imaged = false;
    outputs->viewed = false;
    for (size_t i = 0; i < outputs->export_count; i++) {
        struct export_state *e = &outputs->exports[i];
        drop_posts(rt, e);
        drop_bytes(rt->heaps, e);
        gv_bytes_finish(&e->bytes);
        *e = (struct export_state){ .wanted = e->wanted };
    }
}

void gv_vk_outputs_destroy(struct gv_runtime *rt, struct gv_vk_outputs *outputs)
{
    if (!outputs)
        return;
    gv_vk_outputs_reset(rt);
    free(outputs->exports);
    free(outputs);
}

// ---- pictures ----

static bool take_shot(struct gv_runtime *rt, struct shot *shot,
                      const struct gv_vk_box *box, uint32_t flags, struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)box->image->format);
    if (!gv_picture_convertible(info))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: a picture of format %s", info->name);
    drop_shot(rt, shot);
    if (!gv_vk_readback_image(rt, &shot->readback, box, err))
        return false;
    shot->format = info;
    shot->width = box->width;
    shot->height = box->height;
    shot->flags = flags;
    return true;
}

static bool develop(struct gv_runtime *rt, const struct shot *shot,
                    struct gv_vk_picture *picture, struct gv_error *err)
{
    *picture = (struct gv_vk_picture){ 0 };
    if (!shot->format)
        return true;
    const uint8_t *texels = gv_vk_readback_wait(rt, &shot->readback, err);
    if (!texels)
        return false;
    uint8_t *rgba = malloc((size_t)shot->width * shot->height * 4);
    if (!rgba)
        return gv_fail(err, GV_ERR_MEMORY, GV_NO_OFFSET, "out of memory for a picture");
    gv_picture_convert(shot->format, texels, shot->width, shot->height, shot->flags,
                       rgba);
    *picture = (struct gv_vk_picture){ shot->width, shot->height, rgba };
    return true;
}

static bool take_image(struct gv_runtime *rt, const struct gv_vk_box *box,
                       uint32_t flags, struct gv_error *err)
{
    struct gv_vk_outputs *outputs = rt->outputs;
    const struct gv_format_info *info = gv_format_info((uint64_t)box->image->format);
    if (info->aspects != GV_ASPECT_COLOR)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: a picture of format %s", info->name);
    outputs->frame_imaged = false;
    outputs->imaged = gv_vk_shared_picture_take(rt, &outputs->shared, box, flags, err);
    return outputs->imaged;
}

bool gv_do_present(struct gv_runtime *rt, const struct gv_args_present *a,
                   uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    const struct gv_vk_box box = {
        .image = gv_vk_image_find(&rt->handles, a->image.u, "image", err),
        .aspect = GV_ASPECT_COLOR,
        .mip = (uint32_t)a->mip.u,
        .layer = (uint32_t)a->layer.u,
        .layers = 1,
        .x = (uint32_t)a->x.u,
        .y = (uint32_t)a->y.u,
        .width = (uint32_t)a->width.u,
        .height = (uint32_t)a->height.u,
        .depth = 1,
    };
    if (!box.image || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_box_check(&box, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT, &gv_names_of_one,
                         err))
        return false;
    if (box.image->samples > 1)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "image: multisampled; resolve it first");
    uint32_t flags = (uint32_t)a->flags.u;
    return (!rt->outputs->pictures ||
            take_shot(rt, &rt->outputs->building, &box, flags, err)) &&
           (!rt->outputs->images || take_image(rt, &box, flags, err));
}

bool gv_do_frame_end(struct gv_runtime *rt, const struct gv_args_frame_end *a,
                     uint64_t *result_handle, struct gv_error *err)
{
    struct gv_vk_outputs *outputs = rt->outputs;
    (void)a;
    (void)result_handle;
    if (!gv_runtime_outside_pass(rt, err))
        return false;
    drop_shot(rt, &outputs->frame);
    outputs->frame = outputs->building;
    outputs->building = (struct shot){ 0 };
    outputs->frame_imaged = outputs->imaged;
    outputs->imaged = false;
    if (!gv_vk_commands_submit(rt, err))
        return false;
    gv_vk_commands_frame_ended(rt->commands);
    return true;
}

void gv_vk_outputs_want_pictures(struct gv_vk_outputs *outputs, bool wanted)
{
    outputs->pictures = wanted;
}

void gv_vk_outputs_want_images(struct gv_vk_outputs *outputs, bool wanted)
{
    outputs->images = wanted;
}

bool gv_vk_outputs_image(struct gv_runtime *rt, struct gv_runtime_image *image,
                         struct gv_error *err)
{
    struct gv_vk_outputs *outputs = rt->outputs;
    *image = (struct gv_runtime_image){ 0 };
    return (!outputs->imaged && !outputs->frame_imaged) ||
           gv_vk_shared_picture_show(rt, &outputs->shared, image, err);
}

bool gv_vk_outputs_frame(struct gv_runtime *rt, struct gv_vk_picture *picture,
                         struct gv_error *err)
{
    const struct gv_vk_outputs *outputs = rt->outputs;
    // After the tail: what it presented without ending a frame.
    bool tail = outputs->building.format != NULL;
    return develop(rt, tail ? &outputs->building : &outputs->frame, picture, err);
}

// ---- the current target ----

bool gv_do_show(struct gv_runtime *rt, const struct gv_args_show *a, uint64_t *result,
                struct gv_error *err)
{
    struct gv_vk_outputs *outputs = rt->outputs;
    (void)result;
    if (a->image.u && !gv_vk_image_find(&rt->handles, a->image.u, "image", err))
        return false;
    outputs->viewed = true;
    outputs->view = (struct view){
        .image = a->image.u,
        .mip = (uint32_t)a->mip.u,
        .layer = (uint32_t)a->layer.u,
        .width = (uint32_t)a->width.u,
        .height = (uint32_t)a->height.u,
        .flags = (uint32_t)a->flags.u,
    };
    return true;
}

// What a picture is of, or nothing: an image that has died shows nothing either.
static struct view current_view(const struct gv_handles *handles,
                                const struct gv_vk_pass *pass,
                                const struct gv_vk_outputs *outputs)
{
    struct view view = outputs->view;
    if (outputs->viewed)
        return view;
    view = (struct view){ 0 };
    view.image = gv_vk_pass_target(handles, pass, &view.mip, &view.layer);
    const struct gv_vk_image *image =
        gv_handles_get(handles, GV_KIND_IMAGE, view.image);
    if (image) {
        view.width = gv_vk_image_mip_width(image, view.mip);
        view.height = gv_vk_image_mip_height(image, view.mip);
    }
    return view;
}

static bool shoot_target(struct gv_runtime *rt, const struct gv_vk_box *box,
                         struct gv_vk_picture *picture, struct gv_error *err)
{
    struct shot shot = { 0 };
    uint32_t flags = rt->outputs->viewed ? rt->outputs->view.flags : 0;
    bool ok = take_shot(rt, &shot, box, flags, err) && develop(rt, &shot, picture, err);
    drop_shot(rt, &shot);
    return ok;
}

// A multisampled target is resolved into an image made for the moment.
static bool shoot_resolved(struct gv_runtime *rt, uint64_t handle,
                           const struct gv_vk_box *box, struct gv_vk_picture *picture,
                           struct gv_error *err)
{
    const struct gv_args_image_create create = {
        .type = { GV_IMAGE_TYPE_2D },
        .format = { (uint64_t)box->image->format },
        .width = { box->width },
        .height = { box->height },
        .depth = { 1 },
        .mips = { 1 },
        .layers = { 1 },
        .samples = { 1 },
        .usage = { GV_IMAGE_USAGE_COLOR_ATTACHMENT },
    };
    uint64_t resolved;
    if (!gv_vk_image_create_own(rt, &create, &resolved, err))
        return false;
    const struct gv_args_image_resolve resolve = {
        .dst = { resolved },
        .src = { handle },
        .src_layer = { box->layer },
        .width = { box->width },
        .height = { box->height },
        .layers = { 1 },
    };
    struct gv_vk_box single = *box;
    single.image = gv_vk_image_find(&rt->handles, resolved, "image", err);
    single.layer = 0;
    bool ok = gv_do_image_resolve(rt, &resolve, NULL, err) &&
              shoot_target(rt, &single, picture, err);
    const struct gv_args_image_destroy destroy = { .image = { resolved } };
    return gv_do_image_destroy(rt, &destroy, NULL, err) && ok;
}

bool gv_vk_outputs_target(struct gv_runtime *rt, struct gv_vk_picture *picture,
                          struct gv_error *err)
{
    const struct view view = current_view(&rt->handles, rt->pass, rt->outputs);
    struct gv_vk_image *image = gv_handles_get(&rt->handles, GV_KIND_IMAGE, view.image);
    *picture = (struct gv_vk_picture){ 0 };
    if (!image)
        return true; // no target, no picture
    bool slices = image->type == GV_IMAGE_TYPE_3D;
    const struct gv_vk_box box = {
        .image = image,
        .aspect = GV_ASPECT_COLOR,
        .mip = view.mip,
        .layer = slices ? 0 : view.layer,
        .layers = 1,
        .z = slices ? view.layer : 0,
        .width = view.width,
        .height = view.height,
        .depth = 1,
    };
    if (!gv_vk_box_check(&box, 0, &gv_names_of_one, err))
        return false;
    bool in_pass = rt->in_pass;
    if (in_pass && !gv_runtime_suspend(rt, err))
        return false;
    rt->in_pass = false;
    bool ok = image->samples > 1 ? shoot_resolved(rt, view.image, &box, picture, err)
                                 : shoot_target(rt, &box, picture, err);
    rt->in_pass = in_pass;
    return ok && (!in_pass || gv_runtime_resume(rt, err));
}

// ---- exports ----

static struct export_state *wanted_export(const struct gv_vk_outputs *outputs,
                                          uint64_t index)
{
    if (index >= outputs->export_count || !outputs->exports[index].wanted)
        return NULL;
    return &outputs->exports[index];
}

// Bytes are kept here, and once more where they are handed out.
static bool keep(struct gv_vk_heaps *heaps, struct export_state *e, const uint8_t *data,
                 uint64_t size, struct gv_error *err)
{
    if (!gv_vk_heaps_charge(heaps, 2 * size, err))
        return false;
    gv_bytes_put(&e->bytes, data, size);
    if (!e->bytes.failed)
        return true;
    gv_vk_heaps_discharge(heaps, 2 * size);
    return gv_out_of_memory(err);
}

// Copies out what has been posted, waiting for it.
static bool drain(struct gv_runtime *rt, struct export_state *e, struct gv_error *err)
{
    while (e->first) {
        struct post *post = e->first;
        const uint8_t *data = gv_vk_readback_wait(rt, &post->readback, err);
        if (!data || !keep(rt->heaps, e, data, post->readback.size, err))
            return false;
        e->first = post->next;
        if (!e->first)
            e->last = NULL;
        rt->outputs->pending -= post->readback.size;
        rt->outputs->posts--;
        gv_vk_readback_drop(rt, &post->readback);
        free(post);
    }
    return true;
}

static bool drain_all(struct gv_runtime *rt, struct gv_error *err)
{
    for (size_t i = 0; i < rt->outputs->export_count; i++)
        if (!drain(rt, &rt->outputs->exports[i], err))
            return false;
    return true;
}

// Room for a readback: copies out what is pending, and waits for what was given up.
static bool make_room(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err)
{
    return gv_vk_heaps_have(rt->heaps, bytes) ||
           (drain_all(rt, err) && gv_vk_commands_idle(rt, err));
}

// Takes over the readback.
static bool add_post(struct gv_runtime *rt, struct export_state *e, bool append,
                     struct gv_vk_readback *readback, struct gv_error *err)
{
    struct post *post = malloc(sizeof(*post));
    if (!post) {
        gv_vk_readback_drop(rt, readback);
        return gv_out_of_memory(err);
    }
    if (!append) {
        drop_posts(rt, e);
        drop_bytes(rt->heaps, e);
    }
    *post = (struct post){ *readback, NULL };
    if (e->last)
        e->last->next = post;
    else
        e->first = post;
    e->last = post;
    e->posted = true;
    rt->outputs->pending += readback->size;
    rt->outputs->posts++;
    uint64_t most = rt->commands->most_staging < MAX_PENDING
                        ? rt->commands->most_staging
                        : MAX_PENDING;
    return (rt->outputs->pending <= most && rt->outputs->posts <= MAX_POSTS) ||
           drain_all(rt, err);
}

// An export that exists and, so far, is empty.
static bool post_nothing(struct gv_runtime *rt, struct export_state *e, bool append)
{
    if (!append) {
        drop_posts(rt, e);
        drop_bytes(rt->heaps, e);
    }
    e->posted = true;
    return true;
}

bool gv_do_post_buffer(struct gv_runtime *rt, const struct gv_args_post_buffer *a,
                       uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_readback readback;
    struct gv_vk_buffer *buffer =
        gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
    struct export_state *e = wanted_export(rt->outputs, a->export.u);
    if (!buffer || !gv_runtime_outside_pass(rt, err))
        return false;
    if (a->size.u == 0)
        return !e || post_nothing(rt, e, a->append.u);
    if (!gv_vk_buffer_check_range(buffer, a->offset.u, a->size.u, "offset", err))
        return false;
    return !e || (make_room(rt, a->size.u, err) &&
                  gv_vk_readback_buffer(
                      rt, &readback,
                      (struct gv_vk_bytes){ buffer, a->offset.u, a->size.u }, err) &&
                  add_post(rt, e, a->append.u, &readback, err));
}

// The format of what a post of one aspect holds.
static uint32_t posted_format(VkFormat format, uint32_t aspect)
{
    if (aspect == GV_ASPECT_STENCIL)
        return GV_FORMAT_S8_UINT;
    switch ((int)format) {
    case GV_FORMAT_D16_UNORM_S8_UINT:
        return GV_FORMAT_D16_UNORM;
    case GV_FORMAT_D24_UNORM_S8_UINT:
        return GV_FORMAT_X8_D24_UNORM_PACK32;
    case GV_FORMAT_D32_SFLOAT_S8_UINT:
        return GV_FORMAT_D32_SFLOAT;
    }
    return (uint32_t)format;
}

bool gv_do_post_image(struct gv_runtime *rt, const struct gv_args_post_image *a,
                      uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_readback readback;
    struct gv_vk_image *image =
        gv_vk_image_find(&rt->handles, a->image.u, "image", err);
    struct export_state *e = wanted_export(rt->outputs, a->export.u);
    uint32_t mip = (uint32_t)a->mip.u, layer = (uint32_t)a->layer.u;
    if (!image || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_image_check_range(image, mip, 1, layer, 1, "mip", "layer", err))
        return false;
    const struct gv_vk_box box = {
        .image = image,
        .aspect = (uint32_t)a->aspect.u,
        .mip = mip,
        .layer = layer,
        .layers = 1,
        .width = gv_vk_image_mip_width(image, mip),
        .height = gv_vk_image_mip_height(image, mip),
        .depth = gv_vk_image_mip_depth(image, mip),
    };
    if (!gv_vk_box_check(&box, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT, &gv_names_of_one,
                         err))
        return false;
    if (!e)
        return true;
    if (!make_room(rt, image->memory.size, err) ||
        !gv_vk_readback_image(rt, &readback, &box, err))
        return false;
    e->format = posted_format(image->format, box.aspect);
    e->width = box.width;
    e->height = box.height;
    return add_post(rt, e, false, &readback, err);
}

void gv_vk_outputs_want_exports(struct gv_vk_outputs *outputs, const bool *wanted,
                                size_t count)
{
    size_t old = outputs->export_count;
    count = wanted ? (count < MAX_EXPORTS ? count : MAX_EXPORTS) : 0;
    if (count > old) {
        struct export_state *exports =
            realloc(outputs->exports, count * sizeof(*exports));
        if (!exports)
            return; // not kept, and said so when asked for
        memset(exports + old, 0, (count - old) * sizeof(*exports));
        outputs->exports = exports;
        outputs->export_count = count;
    }
    for (size_t i = 0; i < outputs->export_count; i++)
        outputs->exports[i].wanted = i < count && wanted[i];
}

bool gv_vk_outputs_export(struct gv_runtime *rt, uint32_t number, struct gv_bytes *out,
                          struct gv_vk_export *about, struct gv_error *err)
{
    struct export_state *e = wanted_export(rt->outputs, number);
    if (!e || !e->posted)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "export %u was not posted by what has run", number);
    if (!drain(rt, e, err))
        return false;
    gv_bytes_put(out, e->bytes.data, e->bytes.size);
    *about = (struct gv_vk_export){ e->format, e->width, e->height };
    return !out->failed || gv_out_of_memory(err);
}
