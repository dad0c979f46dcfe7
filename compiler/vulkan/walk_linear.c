// Texels that the host wrote to linear images, by their recorded pitch. They wait until
// all bytes of a write are in the tracker's copy, since texels may lie across its
// pages.
//
// Rows that are new in part are uploaded whole. But where the device wrote too, the
// copy has not all of a row: then only the texels that are new are.
#include "compiler/vulkan/walk.h"

#include "vm/formats.h"

#include <stdlib.h>

#define MOST_PIECES (1u << 20) // that wait

struct piece {
    struct gv_cap_image *image;
    uint64_t begin, end; // bytes of it
};

struct linear {
    struct gv_walk *w;
    struct gv_cap_image *image;
    const struct gv_format_info *format;
    uint64_t tight; // bytes of a row
    uint32_t rows;  // of blocks
};

static bool read_layout(struct gv_walk *w, struct gv_cap_image *image,
                        struct linear *out)
{
    const VkImageCreateInfo *info = &image->info;
    const VkSubresourceLayout *l = &image->linear;
    const struct gv_format_info *format = gv_format_info((uint64_t)info->format);
    if (!format || !l->rowPitch || info->mipLevels > 1 || info->arrayLayers > 1 ||
        info->imageType == VK_IMAGE_TYPE_3D || format->aspects != GV_ASPECT_COLOR) {
        gv_walk_unsupported(w, "memory of a linear image whose layout is not known");
        return false;
    }
    *out = (struct linear){
        .w = w,
        .image = image,
        .format = format,
        .tight = gv_format_row_bytes(format, GV_ASPECT_COLOR, info->extent.width),
        .rows = (info->extent.height + format->block_height - 1) / format->block_height,
    };
    return l->rowPitch >= out->tight && l->rowPitch <= UINT32_MAX;
}

// A box of blocks, from the tracker's copy.
struct blocks {
    uint64_t row, rows, column, columns;
};

static bool upload(const struct linear *l, const struct blocks *box,
                   struct gv_error *err)
{
    const struct gv_format_info *f = l->format;
    const VkExtent3D *size = &l->image->info.extent;
    const uint64_t pitch = l->image->linear.rowPitch;
    const uint64_t bytes = (box->rows - 1) * pitch + box->columns * f->block_bytes;
    if (!gv_walk_fits(l->w->vulkan, bytes, err))
        return false;
    uint8_t *texels = malloc((size_t)bytes);
    const struct gv_image lowered = gv_walk_image(l->w, l->image);
    if (!texels || !lowered.id) {
        free(texels);
        return texels || gv_cap_no_memory(l->w->cap, err);
    }
    gv_cap_memory_read(&l->image->base,
                       l->image->linear.offset + box->row * pitch +
                           box->column * f->block_bytes,
                       bytes, texels);
    const uint32_t x = (uint32_t)box->column * f->block_width;
    const uint32_t y = (uint32_t)box->row * f->block_height;
    const uint32_t right = x + (uint32_t)box->columns * f->block_width;
    const uint32_t bottom = y + (uint32_t)box->rows * f->block_height;
    gv_emit(l->w->b, image_upload, .image = lowered, .aspect = GV_ASPECT_COLOR,
            .mip = 0, .layer = 0, .layers = 1, .x = x, .y = y, .z = 0,
            .width = (right < size->width ? right : size->width) - x,
            .height = (bottom < size->height ? bottom : size->height) - y, .depth = 1,
            .row_bytes = (uint32_t)pitch, .rows = 0, .data = gv_data(texels),
            .size = bytes);
    free(texels);
    return true;
}

static bool write_rows(struct gv_walk *w, struct gv_cap_image *image,
                       struct gv_error *err)
{
    struct linear l;
    const uint64_t offset = image->linear.offset, end = image->new_end;
    if (!read_layout(w, image, &l) || end <= offset)
        return true;
    const uint64_t pitch = image->linear.rowPitch;
    const uint64_t first =
        (image->new_begin > offset ? image->new_begin - offset : 0) / pitch;
    const uint64_t last = (end - offset - 1) / pitch;
    if (first >= l.rows)
        return true;
    return upload(&l,
                  &(struct blocks){ .row = first,
                                    .rows = (last < l.rows ? last + 1 : l.rows) - first,
                                    .columns = l.tight / l.format->block_bytes },
                  err);
}

// Row by row; those that are new as a whole go together.
static bool write_piece(struct gv_walk *w, const struct piece *p, struct gv_error *err)
{
    struct linear l;
    if (!read_layout(w, p->image, &l))
        return true;
    const uint64_t offset = p->image->linear.offset, pitch = p->image->linear.rowPitch;
    const uint64_t block = l.format->block_bytes, all = l.tight / block;
    const uint64_t stop = offset + l.rows * pitch;
    const uint64_t end = p->end < stop ? p->end : stop;
    for (uint64_t at = p->begin > offset ? p->begin : offset; at < end;) {
        const uint64_t row = (at - offset) / pitch, begin = offset + row * pitch;
        struct blocks box = { row, 1, (at - begin) / block, 0 };
        if (at == begin && end - at >= pitch)
            box.rows = (end - at) / pitch;
        const uint64_t next = begin + box.rows * pitch;
        const uint64_t last = ((next < end ? next : end) - begin + block - 1) / block;
        box.columns = box.rows > 1 || last > all ? all : last;
        if (box.columns > box.column) {
            box.columns -= box.column;
            if (!upload(&l, &box, err))
                return false;
        }
        at = next;
    }
    return true;
}

bool gv_walk_note_texels(struct gv_walk *w, struct gv_cap_image *image,
                         const struct gv_cap_write *write, struct gv_error *err)
{
    const uint64_t end = write->at + write->size;
    if (image->info.tiling == VK_IMAGE_TILING_LINEAR &&
        image->base.device_begin < image->base.device_end) {
        const struct piece piece = { image, write->at, end };
        if (w->texels.pieces.size >= MOST_PIECES * sizeof piece)
            return gv_fail(err, GV_ERR_LIMIT, w->cap->place.offset,
                           "more than %u pieces of linear images", MOST_PIECES);
        gv_bytes_put(&w->texels.pieces, &piece, sizeof piece);
        return !w->texels.pieces.failed || gv_cap_no_memory(w->cap, err);
    }
    if (image->new_begin == image->new_end) {
        image->new_begin = write->at;
        image->new_end = end;
        image->next_new = w->texels.images;
        w->texels.images = image;
        return true;
    }
    image->new_begin = write->at < image->new_begin ? write->at : image->new_begin;
    image->new_end = end > image->new_end ? end : image->new_end;
    return true;
}

bool gv_walk_flush_images(struct gv_walk *w, struct gv_error *err)
{
    while (w->texels.images) {
        struct gv_cap_image *image = w->texels.images;
        if (!(image->info.tiling == VK_IMAGE_TILING_LINEAR
                  ? write_rows(w, image, err)
                  : gv_walk_read_optimal(w, image, err)))
            return false;
        image->new_begin = image->new_end = 0;
        image->known = true;
        w->texels.images = image->next_new;
    }
    bool ok = true;
    const struct piece *pieces = (const void *)w->texels.pieces.data;
    for (size_t i = 0; ok && i < w->texels.pieces.size / sizeof *pieces; i++)
        ok = write_piece(w, &pieces[i], err);
    w->texels.pieces.size = 0;
    return ok;
}
