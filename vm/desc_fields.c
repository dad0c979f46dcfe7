#include "vm/desc_fields.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// clang-format off
#define FIELD(owner, field, kind, of) \
    { { #field, GV_ARG_##kind, GV_ENUM_ID_##of, GV_ROLE_VALUE }, \
      offsetof(struct owner, field) }
// clang-format on
#define FIELDS_END           \
    {                        \
        { NULL, 0, 0, 0 }, 0 \
    }

const struct gv_desc_field gv_graphics_fields[] = {
    FIELD(gv_graphics_desc, topology, ENUM, TOPOLOGY),
    FIELD(gv_graphics_desc, primitive_restart, BOOL, NONE),
    FIELD(gv_graphics_desc, patch_control_points, U32, NONE),
    FIELD(gv_graphics_desc, tessellation_origin, ENUM, TESSELLATION_ORIGIN),
    FIELD(gv_graphics_desc, viewport_count, U32, NONE),
    FIELD(gv_graphics_desc, rasterizer_discard, BOOL, NONE),
    FIELD(gv_graphics_desc, depth_clamp, BOOL, NONE),
    FIELD(gv_graphics_desc, depth_clip, BOOL, NONE),
    FIELD(gv_graphics_desc, negative_one_to_one, BOOL, NONE),
    FIELD(gv_graphics_desc, polygon_mode, ENUM, POLYGON_MODE),
    FIELD(gv_graphics_desc, cull, FLAGS, CULL),
    FIELD(gv_graphics_desc, front_face, ENUM, FRONT_FACE),
    FIELD(gv_graphics_desc, depth_bias, BOOL, NONE),
    FIELD(gv_graphics_desc, provoking_vertex, ENUM, PROVOKING_VERTEX),
    FIELD(gv_graphics_desc, line_mode, ENUM, LINE_MODE),
    FIELD(gv_graphics_desc, line_stipple, BOOL, NONE),
    FIELD(gv_graphics_desc, rasterization_stream, U32, NONE),
    FIELD(gv_graphics_desc, samples, U32, NONE),
    FIELD(gv_graphics_desc, sample_shading, BOOL, NONE),
    FIELD(gv_graphics_desc, min_sample_shading, F32, NONE),
    FIELD(gv_graphics_desc, sample_mask, U32, NONE),
    FIELD(gv_graphics_desc, alpha_to_coverage, BOOL, NONE),
    FIELD(gv_graphics_desc, alpha_to_one, BOOL, NONE),
    FIELD(gv_graphics_desc, depth_test, BOOL, NONE),
    FIELD(gv_graphics_desc, depth_write, BOOL, NONE),
    FIELD(gv_graphics_desc, depth_bounds, BOOL, NONE),
    FIELD(gv_graphics_desc, stencil_test, BOOL, NONE),
    FIELD(gv_graphics_desc, depth_compare, ENUM, COMPARE),
    FIELD(gv_graphics_desc, depth_stencil_format, FORMAT, NONE),
    FIELD(gv_graphics_desc, logic_op_enable, BOOL, NONE),
    FIELD(gv_graphics_desc, logic_op, ENUM, LOGIC_OP),
    FIELD(gv_graphics_desc, vertex_binding_count, U32, NONE),
    FIELD(gv_graphics_desc, vertex_attribute_count, U32, NONE),
    FIELD(gv_graphics_desc, color_count, U32, NONE),
    FIELDS_END,
};

const struct gv_desc_field gv_blend_fields[] = {
    FIELD(gv_blend_desc, enable, BOOL, NONE),
    FIELD(gv_blend_desc, src_color, ENUM, BLEND_FACTOR),
    FIELD(gv_blend_desc, dst_color, ENUM, BLEND_FACTOR),
    FIELD(gv_blend_desc, color_op, ENUM, BLEND_OP),
    FIELD(gv_blend_desc, src_alpha, ENUM, BLEND_FACTOR),
    FIELD(gv_blend_desc, dst_alpha, ENUM, BLEND_FACTOR),
    FIELD(gv_blend_desc, alpha_op, ENUM, BLEND_OP),
    FIELD(gv_blend_desc, write_mask, FLAGS, COLOR_MASK),
    FIELDS_END,
};

const struct gv_desc_field gv_sampler_fields[] = {
    FIELD(gv_sampler_desc, mag_filter, ENUM, FILTER),
    FIELD(gv_sampler_desc, min_filter, ENUM, FILTER),
    FIELD(gv_sampler_desc, mip_filter, ENUM, FILTER),
    FIELD(gv_sampler_desc, address_u, ENUM, ADDRESS_MODE),
    FIELD(gv_sampler_desc, address_v, ENUM, ADDRESS_MODE),
    FIELD(gv_sampler_desc, address_w, ENUM, ADDRESS_MODE),
    FIELD(gv_sampler_desc, lod_bias, F32, NONE),
    FIELD(gv_sampler_desc, min_lod, F32, NONE),
    FIELD(gv_sampler_desc, max_lod, F32, NONE),
    FIELD(gv_sampler_desc, max_anisotropy, F32, NONE),
    FIELD(gv_sampler_desc, compare_enable, BOOL, NONE),
    FIELD(gv_sampler_desc, compare, ENUM, COMPARE),
    FIELD(gv_sampler_desc, border, ENUM, BORDER_COLOR),
    FIELD(gv_sampler_desc, unnormalized, BOOL, NONE),
    FIELD(gv_sampler_desc, non_seamless_cube, BOOL, NONE),
    FIELDS_END,
};

static const struct gv_desc_field stencil_fields[] = {
    FIELD(gv_stencil_desc, fail_op, ENUM, STENCIL_OP),
    FIELD(gv_stencil_desc, pass_op, ENUM, STENCIL_OP),
    FIELD(gv_stencil_desc, depth_fail_op, ENUM, STENCIL_OP),
    FIELD(gv_stencil_desc, compare, ENUM, COMPARE),
    FIELDS_END,
};

static const struct gv_desc_field binding_fields[] = {
    FIELD(gv_binding_desc, set, U32, NONE),
    FIELD(gv_binding_desc, binding, U32, NONE),
    FIELD(gv_binding_desc, type, ENUM, BINDING),
    FIELD(gv_binding_desc, count, U32, NONE),
    FIELD(gv_binding_desc, stages, FLAGS, STAGE),
    FIELDS_END,
};

static const struct gv_desc_field spec_fields[] = {
    FIELD(gv_spec_constant, stage, FLAGS, STAGE),
    FIELD(gv_spec_constant, id, U32, NONE),
    FIELD(gv_spec_constant, value, U32, NONE),
    FIELDS_END,
};

static const struct gv_desc_field interface_fields[] = {
    FIELD(gv_interface_desc, binding_count, U32, NONE),
    FIELD(gv_interface_desc, spec_constant_count, U32, NONE),
    FIELDS_END,
};

// Those of structs without a name.
#define UNNAMED(array, member)                            \
    (offsetof(struct gv_graphics_desc, array[0].member) - \
     offsetof(struct gv_graphics_desc, array[0]))
#define OF_ARRAY(array, member, kind, of)                           \
    {                                                               \
        { #member, GV_ARG_##kind, GV_ENUM_ID_##of, GV_ROLE_VALUE }, \
            UNNAMED(array, member)                                  \
    }

static const struct gv_desc_field input_fields[] = {
    OF_ARRAY(vertex_bindings, slot, U32, NONE),
    OF_ARRAY(vertex_bindings, rate, ENUM, INPUT_RATE),
    OF_ARRAY(vertex_bindings, divisor, U32, NONE),
    FIELDS_END,
};

static const struct gv_desc_field attribute_fields[] = {
    OF_ARRAY(vertex_attributes, location, U32, NONE),
    OF_ARRAY(vertex_attributes, slot, U32, NONE),
    OF_ARRAY(vertex_attributes, format, FORMAT, NONE),
    OF_ARRAY(vertex_attributes, offset, U32, NONE),
    FIELDS_END,
};

static const struct gv_desc_field format_fields[] = {
    { { "format", GV_ARG_FORMAT, GV_ENUM_ID_NONE, GV_ROLE_VALUE }, 0 },
    FIELDS_END,
};

static const struct gv_desc_field border_fields[] = {
    { { "value", GV_ARG_U32, GV_ENUM_ID_NONE, GV_ROLE_VALUE }, 0 },
    FIELDS_END,
};

// Runs of structs in a description. `count` 0: one, without a number in its name.
struct part {
    enum gv_enum_id kind;
    const char *word;
    size_t offset, stride, count;
    const struct gv_desc_field *fields;
};

#define GRAPHICS(word, member, array, fields)                                      \
    {                                                                              \
        GV_ENUM_ID_GRAPHICS_DESC, word, offsetof(struct gv_graphics_desc, member), \
            sizeof((struct gv_graphics_desc *)NULL)->member[0], array, fields      \
    }
#define INTERFACE(id, owner)                                                           \
    {                                                                                  \
        GV_ENUM_ID_##id, "", offsetof(struct owner, interface), 0, 0, interface_fields \
    },                                                                                 \
        { GV_ENUM_ID_##id,                                                             \
          "binding",                                                                   \
          offsetof(struct owner, interface.bindings),                                  \
          sizeof(struct gv_binding_desc),                                              \
          GV_MAX_BINDINGS,                                                             \
          binding_fields },                                                            \
    {                                                                                  \
        GV_ENUM_ID_##id, "spec", offsetof(struct owner, interface.spec_constants),     \
            sizeof(struct gv_spec_constant), GV_MAX_SPEC_CONSTANTS, spec_fields        \
    }

static const struct part parts[] = {
    { GV_ENUM_ID_GRAPHICS_DESC, "", 0, 0, 0, gv_graphics_fields },
    { GV_ENUM_ID_GRAPHICS_DESC, "front", offsetof(struct gv_graphics_desc, front), 0, 0,
      stencil_fields },
    { GV_ENUM_ID_GRAPHICS_DESC, "back", offsetof(struct gv_graphics_desc, back), 0, 0,
      stencil_fields },
    GRAPHICS("blend", blend, GV_MAX_COLOR_ATTACHMENTS, gv_blend_fields),
    GRAPHICS("color", color_formats, GV_MAX_COLOR_ATTACHMENTS, format_fields),
    GRAPHICS("vertex_binding", vertex_bindings, GV_MAX_VERTEX_BINDINGS, input_fields),
    GRAPHICS("attribute", vertex_attributes, GV_MAX_VERTEX_ATTRIBUTES,
             attribute_fields),
    INTERFACE(GRAPHICS_DESC, gv_graphics_desc),
    INTERFACE(COMPUTE_DESC, gv_compute_desc),
    { GV_ENUM_ID_SAMPLER_DESC, "", 0, 0, 0, gv_sampler_fields },
    { GV_ENUM_ID_SAMPLER_DESC, "border",
      offsetof(struct gv_sampler_desc, border_values), sizeof(uint32_t), 4,
      border_fields },
};

#define PARTS (sizeof parts / sizeof *parts)

const struct gv_desc_field *gv_desc_field_named(const struct gv_desc_field *fields,
                                                const char *name)
{
    for (; fields->info.name; fields++)
        if (strcmp(fields->info.name, name) == 0)
            return fields;
    return NULL;
}

// ---- whole descriptions ----

bool gv_desc_decode(struct gv_desc *desc, enum gv_enum_id kind, struct gv_span bytes,
                    struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(bytes.data, bytes.size);
    memset(desc, 0, sizeof *desc);
    desc->kind = kind;
    return kind == GV_ENUM_ID_GRAPHICS_DESC
               ? gv_graphics_desc_decode(&c, &desc->as.graphics, err)
           : kind == GV_ENUM_ID_COMPUTE_DESC
               ? gv_compute_desc_decode(&c, &desc->as.compute, err)
               : gv_sampler_desc_decode(&c, &desc->as.sampler, err);
}

void gv_desc_encode(const struct gv_desc *desc, struct gv_bytes *out)
{
    if (desc->kind == GV_ENUM_ID_GRAPHICS_DESC)
        gv_graphics_desc_encode(&desc->as.graphics, out);
    else if (desc->kind == GV_ENUM_ID_COMPUTE_DESC)
        gv_compute_desc_encode(&desc->as.compute, out);
    else
        gv_sampler_desc_encode(&desc->as.sampler, out);
}

// ---- their fields ----

static void put_name(const struct part *p, size_t element, struct gv_desc_place *out)
{
    const char *field = out->field->info.name;
    if (p->count)
        snprintf(out->name, sizeof out->name, "%s%zu.%s", p->word, element, field);
    else
        snprintf(out->name, sizeof out->name, "%s%s%s", p->word, *p->word ? "." : "",
                 field);
}

bool gv_desc_next(enum gv_enum_id kind, struct gv_desc_walk *walk,
                  struct gv_desc_place *out)
{
    for (; walk->part < PARTS; walk->part++, walk->element = walk->field = 0) {
        const struct part *p = &parts[walk->part];
        if (p->kind != kind)
            continue;
        if (!p->fields[walk->field].info.name) {
            walk->element++;
            walk->field = 0;
        }
        if (walk->element >= (p->count ? p->count : 1))
            continue;
        out->field = &p->fields[walk->field++];
        out->offset = p->offset + walk->element * p->stride + out->field->offset;
        put_name(p, walk->element, out);
        return true;
    }
    return false;
}

bool gv_desc_find(enum gv_enum_id kind, const char *name, struct gv_desc_place *out)
{
    struct gv_desc_walk walk = { 0 };
    while (gv_desc_next(kind, &walk, out))
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

uint64_t gv_desc_value(const struct gv_desc *desc, const struct gv_desc_place *place)
{
    const char *at = (const char *)&desc->as + place->offset;
    uint32_t narrow = 0;
    if (place->field->info.kind == GV_ARG_BOOL)
        return *(const bool *)at;
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

void gv_desc_set(struct gv_desc *desc, const struct gv_desc_place *place,
                 uint64_t value)
{
    char *at = (char *)&desc->as + place->offset;
    const uint32_t narrow = (uint32_t)value;
    const bool flag = value != 0;
    if (place->field->info.kind == GV_ARG_BOOL)
        memcpy(at, &flag, sizeof flag);
    else
        memcpy(at, &narrow, sizeof narrow);
}
