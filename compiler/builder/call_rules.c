#include "compiler/builder/call_rules.h"

#include "compiler/builder/emit.h"
#include "vm/formats.h"
#include "vm/rules/buffer_rules.h"
#include "vm/rules/pass_rules.h"
#include "vm/rules/view_rules.h"
#include "vm/spirv/spirv_match.h"

#include <stdlib.h>
#include <string.h>

// ---- objects ----

// NULL: not known, as of what two branches make differently.
static const struct gv_image_shape *image_of(const struct gv_call_view *v,
                                             struct gv_image image)
{
    const struct gv_live_object *live = gv_slots_find(v->slots, image.id);
    return live && live->image.mips ? &live->image : NULL;
}

static uint64_t bytes_of(const struct gv_call_view *v, struct gv_buffer buffer)
{
    const struct gv_live_object *live = gv_slots_find(v->slots, buffer.id);
    return live ? live->bytes : UINT64_MAX;
}

// The functions below take the call's values as `a`.
#define RULES_OF(call)                                  \
    static bool of_##call(const struct gv_call_view *v, \
                          const struct gv_values_##call *a, struct gv_error *err)

// ---- buffers ----

RULES_OF(buffer_upload)
{
    return gv_rule_buffer_range(bytes_of(v, a->buffer), a->offset, a->size, "offset",
                                err);
}

RULES_OF(buffer_fill)
{
    return gv_rule_buffer_range(bytes_of(v, a->buffer), a->offset, a->size, "offset",
                                err) &&
           gv_rule_fill(a->offset, a->size, err);
}

RULES_OF(buffer_copy)
{
    return gv_rule_buffer_range(bytes_of(v, a->dst), a->dst_offset, a->size,
                                "dst_offset", err) &&
           gv_rule_buffer_range(bytes_of(v, a->src), a->src_offset, a->size,
                                "src_offset", err) &&
           (a->dst.id != a->src.id ||
            gv_rule_buffer_apart(a->dst_offset, a->src_offset, a->size, err));
}

RULES_OF(buffer_upload_rows)
{
    const struct gv_byte_rows rows = { a->offset, a->stride, a->row_bytes, a->rows };
    return gv_rule_byte_rows(bytes_of(v, a->buffer), &rows, "offset", err);
}

RULES_OF(buffer_copy_rows)
{
    const struct gv_byte_rows dst = { a->dst_offset, a->dst_stride, a->row_bytes,
                                      a->rows };
    const struct gv_byte_rows src = { a->src_offset, a->src_stride, a->row_bytes,
                                      a->rows };
    return gv_rule_byte_rows(bytes_of(v, a->dst), &dst, "dst_offset", err) &&
           gv_rule_byte_rows(bytes_of(v, a->src), &src, "src_offset", err);
}

// ---- texels and bytes ----

#define PLACE_OF(a)                                                             \
    {                                                                           \
        (a)->aspect, (a)->mip, (a)->layer, (a)->layers, (a)->x, (a)->y, (a)->z, \
            (a)->width, (a)->height, (a)->depth,                                \
    }

#define ROWS_OF(a)                                                             \
    {                                                                          \
        .offset = (a)->offset, .row_bytes = (a)->row_bytes, .rows = (a)->rows, \
    }

static bool rule_bytes(const struct gv_image_shape *image,
                       const struct gv_texel_place *place, struct gv_error *err)
{
    return gv_rule_bytes(image, place->aspect, err) &&
           gv_rule_place(image, place, &gv_names_of_one, err);
}

RULES_OF(image_upload)
{
    const struct gv_image_shape *image = image_of(v, a->image);
    const struct gv_texel_place place = PLACE_OF(a);
    uint64_t bytes = 0;
    return !image || (rule_bytes(image, &place, err) &&
                      gv_rule_rows(image, &place, a->row_bytes, a->rows, &bytes, err) &&
                      gv_rule_given(a->size, bytes, err));
}

// Of a copy between an image and a buffer.
static bool rule_buffer_side(const struct gv_image_shape *image,
                             const struct gv_texel_place *place,
                             const struct gv_byte_rows *rows, uint64_t whole,
                             struct gv_error *err)
{
    uint64_t bytes = 0;
    return !image || (rule_bytes(image, place, err) &&
                      gv_rule_rows(image, place, (uint32_t)rows->row_bytes, rows->rows,
                                   &bytes, err) &&
                      gv_rule_buffer_range(whole, rows->offset, bytes, "offset", err));
}

RULES_OF(image_to_buffer)
{
    const struct gv_texel_place place = PLACE_OF(a);
    const struct gv_byte_rows rows = ROWS_OF(a);
    return rule_buffer_side(image_of(v, a->image), &place, &rows,
                            bytes_of(v, a->buffer), err);
}

RULES_OF(buffer_to_image)
{
    const struct gv_texel_place place = PLACE_OF(a);
    const struct gv_byte_rows rows = ROWS_OF(a);
    return rule_buffer_side(image_of(v, a->image), &place, &rows,
                            bytes_of(v, a->buffer), err);
}

// ---- texels to texels ----

RULES_OF(image_copy)
{
    struct gv_texel_side dst = {
        .image = image_of(v, a->dst),
        .id = a->dst.id,
        .place = { .aspect = a->dst_aspect,
                   .mip = a->dst_mip,
                   .layer = a->dst_layer,
                   .x = a->dst_x,
                   .y = a->dst_y,
                   .z = a->dst_z,
                   .width = a->width,
                   .height = a->height },
    };
    struct gv_texel_side src = {
        .image = image_of(v, a->src),
        .id = a->src.id,
        .place = { .aspect = a->src_aspect,
                   .mip = a->src_mip,
                   .layer = a->src_layer,
                   .x = a->src_x,
                   .y = a->src_y,
                   .z = a->src_z,
                   .width = a->width,
                   .height = a->height },
    };
    if (!dst.image || !src.image)
        return true;
    if (!gv_rule_slices(a->depth, a->layers, err))
        return false;
    gv_set_slices(&dst, a->depth * a->layers);
    gv_set_slices(&src, a->depth * a->layers);
    return gv_rule_place(dst.image, &dst.place, &gv_names_of_copy[0], err) &&
           gv_rule_place(src.image, &src.place, &gv_names_of_copy[1], err) &&
           gv_rule_copy(&dst, &src, err);
}

RULES_OF(image_blit)
{
    struct gv_texel_side dst = { .image = image_of(v, a->dst),
                                 .id = a->dst.id,
                                 .place = { .aspect = a->aspect,
                                            .mip = a->dst_mip,
                                            .layer = a->dst_layer,
                                            .layers = a->layers } };
    struct gv_texel_side src = { .image = image_of(v, a->src),
                                 .id = a->src.id,
                                 .place = { .aspect = a->aspect,
                                            .mip = a->src_mip,
                                            .layer = a->src_layer,
                                            .layers = a->layers } };
    int32_t to[2][3] = { { a->dst_x0, a->dst_y0, a->dst_z0 },
                         { a->dst_x1, a->dst_y1, a->dst_z1 } };
    int32_t from[2][3] = { { a->src_x0, a->src_y0, a->src_z0 },
                           { a->src_x1, a->src_y1, a->src_z1 } };
    return !dst.image || !src.image ||
           (gv_set_corners(&dst, to, err) && gv_set_corners(&src, from, err) &&
            gv_rule_place(dst.image, &dst.place, &gv_names_of_blit[0], err) &&
            gv_rule_place(src.image, &src.place, &gv_names_of_blit[1], err) &&
            gv_rule_blit_filter(a->filter, err) &&
            gv_rule_blit(&dst, &src, a->filter, err));
}

RULES_OF(image_resolve)
{
    const struct gv_image_shape *dst = image_of(v, a->dst), *src = image_of(v, a->src);
    const struct gv_texel_place to = {
        GV_ASPECT_COLOR, a->dst_mip, a->dst_layer, a->layers, a->dst_x,
        a->dst_y,        0,          a->width,     a->height, 1
    };
    const struct gv_texel_place from = {
        GV_ASPECT_COLOR, 0, a->src_layer, a->layers, a->src_x,
        a->src_y,        0, a->width,     a->height, 1
    };
    return !dst || !src ||
           (gv_rule_place(dst, &to, &gv_names_of_resolve[0], err) &&
            gv_rule_place(src, &from, &gv_names_of_resolve[1], err) &&
            gv_rule_resolve(dst, src, err));
}

static bool rule_range(const struct gv_image_shape *image,
                       const struct gv_mip_range *range, const char *mip,
                       struct gv_error *err)
{
    return !image || gv_rule_range(image, range, mip, "layer", err);
}

RULES_OF(image_mipmaps)
{
    const struct gv_mip_range range = { a->base, a->mips, a->layer, a->layers };
    return rule_range(image_of(v, a->image), &range, "base", err);
}

static bool rule_clear(const struct gv_image_shape *image, uint32_t aspect,
                       const char *argument, const struct gv_mip_range *range,
                       struct gv_error *err)
{
    return !image || (gv_rule_aspect(gv_format_info(image->format)->aspects, aspect,
                                     argument, err) &&
                      gv_rule_range(image, range, "mip", "layer", err));
}

RULES_OF(image_clear_color)
{
    const struct gv_mip_range range = { a->mip, a->mips, a->layer, a->layers };
    return rule_clear(image_of(v, a->image), GV_ASPECT_COLOR, "image", &range, err);
}

RULES_OF(image_clear_depth_stencil)
{
    const struct gv_mip_range range = { a->mip, a->mips, a->layer, a->layers };
    return rule_clear(image_of(v, a->image), a->aspect, "aspect", &range, err);
}

// ---- passes ----

static struct gv_target_shape target_of(const struct gv_call_view *v,
                                        const struct gv_named_target *t)
{
    return (struct gv_target_shape){ image_of(v, (struct gv_image){ t->image }),
                                     t->image,
                                     t->format,
                                     t->mip,
                                     t->layer,
                                     t->layers };
}

static bool name_target(const struct gv_call_view *v, struct gv_named_target *to,
                        const struct gv_named_target *named, uint32_t usage,
                        struct gv_error *err)
{
    const struct gv_target_shape target = target_of(v, named);
    *to = *named;
    return !target.image || gv_rule_target(&target, usage, err);
}

RULES_OF(pass_color)
{
    const struct gv_named_target named = { a->image.id, a->format, a->mip, a->layer,
                                           a->layers };
    return gv_rule_color_index(a->index, err) &&
           name_target(v, &v->targets->color[a->index], &named,
                       GV_IMAGE_USAGE_COLOR_ATTACHMENT, err);
}

RULES_OF(pass_resolve)
{
    const struct gv_named_target named = { a->image.id, a->format, a->mip, a->layer,
                                           1 };
    const struct gv_image_shape *image = image_of(v, a->image);
    return gv_rule_color_index(a->index, err) &&
           name_target(v, &v->targets->resolve[a->index], &named,
                       GV_IMAGE_USAGE_COLOR_ATTACHMENT, err) &&
           (!image || gv_rule_resolve_target(image, err));
}

RULES_OF(pass_depth_stencil)
{
    const struct gv_named_target named = { a->image.id, 0, a->mip, a->layer,
                                           a->layers };
    return name_target(v, &v->targets->depth, &named,
                       GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT, err);
}

RULES_OF(pass_begin)
{
    struct gv_pass_shape pass = { .width = a->width,
                                  .height = a->height,
                                  .layers = a->layers,
                                  .depth = target_of(v, &v->targets->depth) };
    bool known = !v->targets->depth.image || pass.depth.image;
    for (int i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++) {
        pass.color[i] = target_of(v, &v->targets->color[i]);
        pass.resolve[i] = target_of(v, &v->targets->resolve[i]);
        known = known && (!v->targets->color[i].image || pass.color[i].image) &&
                (!v->targets->resolve[i].image || pass.resolve[i].image);
    }
    *v->targets = (struct gv_named_targets){ 0 };
    return !known || gv_rule_pass(&pass, err);
}

// ---- views ----

RULES_OF(bind_texture)
{
    const struct gv_image_shape *image = image_of(v, a->image);
    struct gv_view_shape view = { GV_VIEW_USE_SAMPLED,
                                  a->type,
                                  a->format,
                                  a->aspect,
                                  a->swizzle,
                                  a->mip,
                                  a->mips,
                                  a->layer,
                                  a->layers };
    return !image || gv_rule_view(image, &view, err);
}

RULES_OF(bind_storage_image)
{
    const struct gv_image_shape *image = image_of(v, a->image);
    struct gv_view_shape view = { GV_VIEW_USE_STORAGE,
                                  a->type,
                                  a->format,
                                  GV_ASPECT_COLOR,
                                  0,
                                  a->mip,
                                  1,
                                  a->layer,
                                  a->layers };
    return !image || gv_rule_view(image, &view, err);
}

// ---- pipelines ----

static bool match_stages(const struct gv_spirv_module *const modules[5],
                         const struct gv_interface_desc *desc, struct gv_error *err)
{
    for (uint32_t i = 0; i < 5; i++)
        if (modules[i] &&
            (!gv_spirv_match_stage(modules[i], (uint32_t)GV_STAGE_VERTEX << i, err) ||
             (!modules[i]->has_spec_constants &&
              !gv_spirv_match_bindings(modules[i], desc, err))))
            return false;
    return true;
}

RULES_OF(pipeline_create_graphics)
{
    const uint32_t shaders[5] = { a->vertex.id, a->tessellation_control.id,
                                  a->tessellation_evaluation.id, a->geometry.id,
                                  a->fragment.id };
    const struct gv_spirv_module *modules[5];
    for (int i = 0; i < 5; i++) {
        modules[i] = shaders[i] ? gv_modules_find(v->modules, shaders[i]) : NULL;
        if (shaders[i] && !modules[i])
            return true;
    }
    struct gv_graphics_desc *desc = malloc(sizeof *desc);
    struct gv_cursor c = gv_cursor_make(a->desc.data, (size_t)a->size);
    bool ok = desc ? gv_graphics_desc_decode(&c, desc, err) : gv_out_of_memory(err);
    ok = ok && match_stages(modules, &desc->interface, err) &&
         gv_spirv_match_graphics(desc, modules, err) &&
         gv_spirv_match_point_size(desc, modules, false, err);
    free(desc);
    return ok;
}

// ---- all ----

bool gv_call_rules(const struct gv_call_view *view, enum gv_call call,
                   const void *values, struct gv_error *err)
{
    switch (call) {
#define RULES(name)      \
    case GV_CALL_##name: \
        return of_##name(view, values, err);
        RULES(buffer_upload)
        RULES(buffer_fill)
        RULES(buffer_copy)
        RULES(buffer_upload_rows)
        RULES(buffer_copy_rows)
        RULES(image_upload)
        RULES(image_to_buffer)
        RULES(buffer_to_image)
        RULES(image_copy)
        RULES(image_blit)
        RULES(image_resolve)
        RULES(image_mipmaps)
        RULES(image_clear_color)
        RULES(image_clear_depth_stencil)
        RULES(pass_color)
        RULES(pass_resolve)
        RULES(pass_depth_stencil)
        RULES(pass_begin)
        RULES(bind_texture)
        RULES(bind_storage_image)
        RULES(pipeline_create_graphics)
#undef RULES
    default:
        return true;
    }
}
