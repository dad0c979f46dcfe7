// Texels of an image, in all uploads to its first layer.
#include <stdlib.h>
#include <string.h>

#include "resources/base/checked.h"
#include "vm/edit/edit_place.h"
#include "vm/texel.h"

// Arguments of image_upload by place: the rows of calls.def.
#define ARG(name) (offsetof(struct gv_args_image_upload, name) / sizeof(union gv_arg))

struct box {
    uint64_t mip, x, y, width, height;
};

static uint64_t number(const struct gv_edit_call *call, size_t arg)
{
    return call->args[arg].value;
}

static bool is_known(const struct gv_edit_call *call, struct gv_error *err)
{
    static const size_t places[] = { ARG(aspect), ARG(mip),  ARG(layer), ARG(layers),
                                     ARG(x),      ARG(y),    ARG(z),     ARG(width),
                                     ARG(height), ARG(depth) };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (call->args[places[i]].type != GV_UNIT_KNOWN)
            return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: picture for an upload whose box is computed");
    return true;
}

// Pictures are of that.
static bool is_first_layer(const struct gv_edit_call *call)
{
    return number(call, ARG(aspect)) == GV_ASPECT_COLOR &&
           number(call, ARG(layer)) == 0 && number(call, ARG(layers)) == 1 &&
           number(call, ARG(z)) == 0 && number(call, ARG(depth)) == 1;
}

static bool is_inside(uint64_t at, uint64_t size, uint32_t side, uint64_t mip)
{
    const uint32_t level = side >> mip;
    return gv_range_inside(at, size, level ? level : 1);
}

// The box is a stranger's: the verifier does not compare it with the image, and what is
// made here is as large as it.
static bool read_box(const struct gv_edit_call *call, const struct gv_track_object *o,
                     struct box *box, struct gv_error *err)
{
    *box = (struct box){ number(call, ARG(mip)), number(call, ARG(x)),
                         number(call, ARG(y)), number(call, ARG(width)),
                         number(call, ARG(height)) };
    return (box->mip < 32 && box->mip < o->image.mips &&
            is_inside(box->x, box->width, o->image.width, box->mip) &&
            is_inside(box->y, box->height, o->image.height, box->mip)) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "an upload passes its image");
}

static bool size_of(const struct box *box, const struct gv_texel *texel, size_t *size,
                    struct gv_error *err)
{
    uint64_t texels, bytes;
    const bool fits = gv_mul_u64(box->width, box->height, &texels) &&
                      gv_mul_u64(texels, texel->bytes, &bytes) && bytes < SIZE_MAX;
    if (fits)
        *size = (size_t)bytes;
    return fits || gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "an upload is too large");
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
                    const struct gv_edit_item *item, const struct box *b,
                    struct gv_edit_call *call, struct gv_error *err)
{
    uint32_t data;
    size_t size = 0;
    if (!size_of(b, texel, &size, err))
        return false;
    uint8_t *texels = malloc(size + 1);
    if (!texels)
        return gv_out_of_memory(err);
    for (uint64_t y = 0; y < b->height; y++)
        for (uint64_t x = 0; x < b->width; x++) {
            uint8_t rgba[4];
            sample(item, (uint32_t)b->mip, (uint32_t)(b->x + x), (uint32_t)(b->y + y),
                   rgba);
            encode(texel, rgba, texels + (size_t)(y * b->width + x) * texel->bytes);
        }
    const bool ok =
        gv_edit_data(&e->code, (struct gv_span){ texels, size }, &data, err);
    free(texels);
    if (!ok)
        return false;
    call->args[ARG(data)] = (struct gv_unit_cell){ 0, data, GV_EDIT_DATA };
    call->args[ARG(size)] = (struct gv_unit_cell){ size, 0, GV_UNIT_KNOWN };
    call->args[ARG(row_bytes)] = (struct gv_unit_cell){ 0, 0, GV_UNIT_KNOWN };
    call->args[ARG(rows)] = (struct gv_unit_cell){ 0, 0, GV_UNIT_KNOWN };
    return true;
}

// Of one upload, which may be of what no picture says anything of: then it stays.
static bool replace_upload(struct gv_editor *e, const struct gv_edit_upload *upload,
                           const struct gv_texel *texel,
                           const struct gv_edit_item *item, size_t *count,
                           struct gv_error *err)
{
    struct gv_edit_call now;
    struct box box;
    if (!gv_edit_call_now(e, upload->unit, &now, err) || !is_known(&now, err))
        return false;
    if (!is_first_layer(&now))
        return true;
    if (!read_box(&now, &e->track->objects[upload->object], &box, err))
        return false;
    if (!box.width || !box.height)
        return true;
    struct gv_edit_call *call = gv_edit_change(e, upload->unit, err);
    ++*count;
    return call && replace(e, texel, item, &box, call, err);
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
    for (size_t i = 0; i < e->uploads.size / sizeof *uploads; i++)
        if (uploads[i].object == object &&
            !replace_upload(e, &uploads[i], &texel, item, &count, err))
            return false;
    return count || gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                            "unsupported: picture for an image that is not uploaded");
}
