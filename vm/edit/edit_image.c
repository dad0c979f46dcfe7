// Texels of an image, in all uploads to its first layer.
#include <stdlib.h>
#include <string.h>

#include "vm/edit/edit_place.h"
#include "vm/texel.h"

// Arguments of image_upload by place: the rows of calls.def.
#define ARG(name) (offsetof(struct gv_args_image_upload, name) / sizeof(union gv_arg))

struct box {
    uint32_t mip, x, y, width, height;
};

static uint64_t known(const struct gv_edit_call *call, size_t arg)
{
    return call->args[arg].type == GV_UNIT_KNOWN ? call->args[arg].value : UINT64_MAX;
}

static bool read_box(const struct gv_edit_call *call, struct box *box)
{
    box->mip = (uint32_t)known(call, ARG(mip));
    box->x = (uint32_t)known(call, ARG(x));
    box->y = (uint32_t)known(call, ARG(y));
    box->width = (uint32_t)known(call, ARG(width));
    box->height = (uint32_t)known(call, ARG(height));
    return known(call, ARG(aspect)) == GV_ASPECT_COLOR &&
           known(call, ARG(layer)) == 0 && known(call, ARG(layers)) == 1 &&
           known(call, ARG(z)) == 0 && known(call, ARG(depth)) == 1 && box->mip < 32;
}

// The mean of the picture's texels below one of a mip level.
static void sample(const struct gv_edit_item *item, uint32_t mip, uint32_t x,
                   uint32_t y, uint8_t rgba[4])
{
    const uint8_t *from = item->bytes.data;
    const uint64_t side = UINT64_C(1) << mip;
    uint64_t sum[4] = { 0 }, count = 0;
    for (uint64_t v = y * side; v < (y + 1) * side && v < item->height; v++)
        for (uint64_t u = x * side; u < (x + 1) * side && u < item->width; u++, count++)
            for (size_t i = 0; i < 4; i++)
                sum[i] += from[(v * item->width + u) * 4 + i];
    for (size_t i = 0; i < 4; i++)
        rgba[i] = (uint8_t)(count ? (sum[i] + count / 2) / count : 0);
}

static void encode(const struct gv_texel *texel, const uint8_t rgba[4], uint8_t *out)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < texel->components; i++) {
        const uint64_t most = (UINT64_C(1) << texel->bits[i]) - 1;
        const uint64_t level = texel->place[i] < 4 ? rgba[texel->place[i]] : 255;
        bits |= (level * most + 127) / 255 << texel->shift[i];
    }
    for (size_t i = 0; i < texel->bytes; i++)
        out[i] = (uint8_t)(bits >> 8 * i);
}

static bool lay_out(struct gv_texel *texel, const struct gv_track_object *o,
                    struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info(o->image.format);
    bool fits =
        info && gv_texel_lay_out(texel, info, 0) && texel->bytes <= 8 &&
        info->aspects == GV_ASPECT_COLOR &&
        (texel->kind == GV_FORMAT_KIND_UNORM || texel->kind == GV_FORMAT_KIND_SRGB);
    for (size_t i = 0; fits && i < texel->components; i++)
        fits = texel->bits[i] <= 16;
    return fits || gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: picture for an image of format %s",
                           info ? info->name : "none");
}

static bool replace(struct gv_editor *e, const struct gv_texel *texel,
                    const struct gv_edit_item *item, struct gv_edit_call *call,
                    struct gv_error *err)
{
    struct box b;
    uint32_t number;
    if (!read_box(call, &b))
        return true;
    const size_t size = (size_t)b.width * b.height * texel->bytes;
    uint8_t *texels = malloc(size + 1);
    if (!texels)
        return gv_out_of_memory(err);
    for (uint32_t y = 0; y < b.height; y++)
        for (uint32_t x = 0; x < b.width; x++) {
            uint8_t rgba[4];
            sample(item, b.mip, b.x + x, b.y + y, rgba);
            encode(texel, rgba, texels + ((size_t)y * b.width + x) * texel->bytes);
        }
    const bool ok =
        gv_edit_data(&e->code, (struct gv_span){ texels, size }, &number, err);
    free(texels);
    call->args[ARG(data)] = (struct gv_unit_cell){ 0, number, GV_EDIT_DATA };
    call->args[ARG(size)] = (struct gv_unit_cell){ size, 0, GV_UNIT_KNOWN };
    call->args[ARG(row_bytes)] = (struct gv_unit_cell){ 0, 0, GV_UNIT_KNOWN };
    call->args[ARG(rows)] = (struct gv_unit_cell){ 0, 0, GV_UNIT_KNOWN };
    return ok;
}

bool gv_edit_picture(struct gv_editor *e, uint32_t object,
                     const struct gv_edit_item *item, struct gv_error *err)
{
    const struct gv_track_object *o = &e->track->objects[object];
    const struct gv_edit_upload *uploads = (const void *)e->uploads.data;
    struct gv_texel texel;
    size_t count = 0;
    if (item->width != o->image.width || item->height != o->image.height)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.48s' has %u x %u texels, the picture %u x %u", item->target,
                       o->image.width, o->image.height, item->width, item->height);
    if (!lay_out(&texel, o, err))
        return false;
    for (size_t i = 0; i < e->uploads.size / sizeof *uploads; i++) {
        if (uploads[i].object != object)
            continue;
        struct gv_edit_call *call = gv_edit_change(e, uploads[i].unit, err);
        if (!call || !replace(e, &texel, item, call, err))
            return false;
        count++;
    }
    return count || gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                            "unsupported: picture for an image that is not uploaded");
}
