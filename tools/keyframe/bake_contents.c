#include "tools/keyframe/bake_contents.h"

#include "vm/formats.h"

// Posts go to an export that the run does not keep otherwise.
#define EXPORT 0

// The last post, in place of what was read before.
static bool take_post(struct gv_bake_contents *c, bool posted, struct gv_error *err)
{
    uint32_t format, width, height;
    c->whole.size = 0;
    bool ok = posted && gv_runtime_export(c->runtime, EXPORT, &c->whole, &format,
                                          &width, &height, err);
    gv_runtime_want_exports(c->runtime, NULL, 0);
    return ok;
}

static void want_post(struct gv_bake_contents *c)
{
    static const bool wanted[] = { [EXPORT] = true };
    gv_runtime_want_exports(c->runtime, wanted, EXPORT + 1);
}

// From the first byte to the last.
static bool read_buffer(struct gv_bake_contents *c, const struct gv_cut_piece *p,
                        struct gv_error *err)
{
    const struct gv_host *host = gv_runtime_host(c->runtime);
    const union gv_arg args[] = {
        { EXPORT },    { gv_vm_slot(c->vm, p->slot) },
        { p->offset }, { (p->rows - 1) * p->stride + p->size },
        { false },
    };
    want_post(c);
    return take_post(
        c, host->calls[GV_CALL_post_buffer](host->context, args, NULL, err), err);
}

static bool read_sample(struct gv_bake_contents *c, const struct gv_cut_piece *p,
                        struct gv_error *err)
{
    const struct gv_runtime_sample sample = { p->aspect, p->layer, p->sample };
    c->valid = false;
    c->whole.size = 0;
    return gv_runtime_sample(c->runtime, gv_vm_slot(c->vm, p->slot), &sample, &c->whole,
                             err);
}

// All of a mip and layer.
static bool read_image(struct gv_bake_contents *c, const struct gv_cut_piece *p,
                       struct gv_error *err)
{
    const struct gv_host *host = gv_runtime_host(c->runtime);
    const struct gv_cut_piece *last = &c->read;
    if (c->valid && last->kind == p->kind && last->slot == p->slot &&
        last->aspect == p->aspect && last->mip == p->mip && last->layer == p->layer)
        return true;
    const union gv_arg args[] = {
        { EXPORT },   { gv_vm_slot(c->vm, p->slot) }, { p->aspect }, { p->mip },
        { p->layer },
    };
    c->valid = false;
    want_post(c);
    if (!take_post(c, host->calls[GV_CALL_post_image](host->context, args, NULL, err),
                   err))
        return false;
    c->read = *p;
    c->valid = true;
    return true;
}

static void cut_rows(struct gv_bake_contents *c, const struct gv_cut_piece *p)
{
    for (uint32_t i = 0; i < p->rows; i++)
        gv_bytes_put(&c->piece, c->whole.data + i * p->stride, (size_t)p->size);
}

static bool cut_box(struct gv_bake_contents *c, const struct gv_cut_piece *p,
                    struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info(p->format);
    const uint64_t pitch = gv_format_row_bytes(info, p->aspect, p->mip_width);
    const uint64_t bytes = gv_format_row_bytes(info, p->aspect, p->width);
    const uint64_t all_rows =
        ((uint64_t)p->mip_height + info->block_height - 1) / info->block_height;
    const uint64_t rows =
        ((uint64_t)p->height + info->block_height - 1) / info->block_height;
    const uint64_t left =
        (uint64_t)p->x / info->block_width * gv_format_aspect_bytes(info, p->aspect);
    const uint64_t first = p->z * all_rows + p->y / info->block_height;
    if ((first + rows) * pitch > c->whole.size)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "an image is not what the payload says");
    for (uint64_t i = 0; i < rows; i++)
        gv_bytes_put(&c->piece, c->whole.data + (first + i) * pitch + left,
                     (size_t)bytes);
    return true;
}

static bool cut_map(struct gv_bake_contents *c, const struct gv_cut_piece *p,
                    struct gv_error *err)
{
    const struct gv_host *host = gv_runtime_host(c->runtime);
    uint64_t size = 0;
    const uint8_t *base =
        host->map_memory(host->context, gv_vm_slot(c->vm, p->slot), &size);
    if (!base || p->size > size || p->offset > size - p->size)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a map is not what the payload says");
    gv_bytes_put(&c->piece, base + p->offset, (size_t)p->size);
    return true;
}

static bool cut_volatile(struct gv_bake_contents *c, const struct gv_cut_piece *p)
{
    gv_bytes_put(&c->piece, gv_vm_volatile(c->vm) + p->offset, (size_t)p->size);
    return true;
}

const struct gv_bytes *gv_bake_contents_read(struct gv_bake_contents *c,
                                             const struct gv_cut_piece *p,
                                             struct gv_error *err)
{
    bool ok;
    c->piece.size = 0;
    if (p->slot == GV_CUT_VOLATILE)
        ok = cut_volatile(c, p);
    else if (p->kind == GV_KIND_MAP)
        ok = cut_map(c, p, err);
    else if (p->kind == GV_KIND_IMAGE)
        ok = (p->samples > 1 ? read_sample : read_image)(c, p, err) &&
             cut_box(c, p, err);
    else
        ok = read_buffer(c, p, err);
    if (ok && p->kind == GV_KIND_BUFFER && p->slot != GV_CUT_VOLATILE)
        cut_rows(c, p);
    if (ok && c->piece.failed)
        ok = gv_out_of_memory(err);
    return ok ? &c->piece : NULL;
}

void gv_bake_contents_forget(struct gv_bake_contents *c)
{
    c->valid = false;
}

void gv_bake_contents_finish(struct gv_bake_contents *c)
{
    gv_bytes_finish(&c->whole);
    gv_bytes_finish(&c->piece);
}
