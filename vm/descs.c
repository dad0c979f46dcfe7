#include "vm/descs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "resources/base/checked.h"
#include "vm/formats.h"

// One walk over the fields serves both directions: with `out` it writes them, with `in`
// it reads and checks them. After a failure every step does nothing.
struct codec {
    struct gv_bytes *out; // borrowed; NULL when decoding
    struct gv_cursor *in; // borrowed; NULL when encoding
    struct gv_error *err;
    const char *group; // "blend", or NULL outside lists
    uint32_t index;    // of the element of the list
    bool failed;
};

static void fault(struct codec *c, size_t at, const char *name, const char *what)
{
    c->failed = true;
    if (c->group)
        gv_fail(c->err, GV_ERR_FORMAT, at, "description: %s[%u].%s %s", c->group,
                (unsigned)c->index, name, what);
    else
        gv_fail(c->err, GV_ERR_FORMAT, at, "description: %s %s", name, what);
}

static size_t position(const struct codec *c)
{
    return c->in ? c->in->pos : 0;
}

static uint64_t wide(struct codec *c, const char *name, uint64_t value, uint64_t min,
                     uint64_t max)
{
    if (c->failed)
        return value;
    if (!c->in) {
        gv_bytes_uleb(c->out, value);
        return value;
    }
    size_t at = position(c);
    value = gv_cursor_uleb(c->in);
    if (c->in->bad)
        fault(c, at, name, "is cut off or not in shortest form");
    else if (value < min || value > max)
        fault(c, at, name, "is out of range");
    return value;
}

static void number(struct codec *c, const char *name, uint32_t *value, uint32_t min,
                   uint32_t max)
{
    *value = (uint32_t)wide(c, name, *value, min, max);
}

static void boolean(struct codec *c, const char *name, bool *value)
{
    *value = wide(c, name, *value, 0, 1) != 0;
}

static void enumeration(struct codec *c, const char *name, enum gv_enum_id id,
                        uint32_t *value)
{
    size_t at = position(c);
    number(c, name, value, 0, UINT32_MAX);
    if (c->in && !c->failed && !gv_enum_valid(id, *value))
        fault(c, at, name, "is no value of its enumeration");
}

// A float between `min` and `max`; that excludes not-a-number.
static void real(struct codec *c, const char *name, float *value, float min, float max)
{
    if (c->failed)
        return;
    if (!c->in) {
        gv_bytes_f32(c->out, *value);
        return;
    }
    size_t at = position(c);
    *value = gv_cursor_f32(c->in);
    if (c->in->bad)
        fault(c, at, name, "is cut off");
    else if (!(*value >= min && *value <= max))
        fault(c, at, name, "is out of range");
}

// A condition over fields already read.
static void require(struct codec *c, bool holds, const char *name, const char *what)
{
    if (c->in && !c->failed && !holds)
        fault(c, position(c), name, what);
}

static uint32_t list(struct codec *c, const char *group, const char *count_name,
                     uint32_t *count, uint32_t max)
{
    c->group = NULL;
    number(c, count_name, count, 0, max);
    if (c->failed)
        return 0;
    assert(*count <= max); // when encoding: the front-end's own limit
    c->group = group;
    return *count;
}

static void single_bit(struct codec *c, const char *name, enum gv_enum_id id,
                       uint32_t *value)
{
    enumeration(c, name, id, value);
    require(c, *value && !(*value & (*value - 1)), name, "is not exactly one bit");
}

static void format_of(struct codec *c, const char *name, uint32_t *value,
                      uint32_t aspects, bool optional)
{
    size_t at = position(c);
    number(c, name, value, 0, UINT32_MAX);
    if (!c->in || c->failed || (optional && !*value))
        return;
    const struct gv_format_info *info = gv_format_info(*value);
    if (!info)
        fault(c, at, name, "is no format");
    else if (info->compressed || !(info->aspects & aspects))
        fault(c, at, name, "is a format that cannot be used here");
}

static void binding_list(struct codec *c, struct gv_interface_desc *d, uint32_t stages)
{
    uint32_t last = 0, descriptors = 0;
    uint32_t n =
        list(c, "bindings", "binding_count", &d->binding_count, GV_MAX_BINDINGS);
    for (c->index = 0; c->index < n && !c->failed; c->index++) {
        struct gv_binding_desc *b = &d->bindings[c->index];
        number(c, "set", &b->set, 0, GV_MAX_SETS - 1);
        number(c, "binding", &b->binding, 0, GV_MAX_BINDING_NUMBER - 1);
        enumeration(c, "type", GV_ENUM_ID_BINDING, &b->type);
        number(c, "count", &b->count, 1, GV_MAX_BINDING_ELEMENTS);
        enumeration(c, "stages", GV_ENUM_ID_STAGE, &b->stages);
        require(c, b->stages && !(b->stages & ~stages), "stages",
                "are none of this kind of pipeline");
        require(c, b->type != GV_BINDING_UNIFORM_BUFFER_DYNAMIC || b->count == 1,
                "count", "of a dynamic uniform buffer is not 1");
        uint32_t key = b->set * GV_MAX_BINDING_NUMBER + b->binding + 1;
        require(c, key > last, "binding", "is not in ascending order");
        last = key;
        descriptors += b->count; // at most 512 * 1024
        require(c, descriptors <= GV_MAX_DESCRIPTORS, "count",
                "passes the limit of descriptors of a pipeline");
    }
    c->group = NULL;
}

static void spec_constant_list(struct codec *c, struct gv_interface_desc *d,
                               uint32_t stages)
{
    uint64_t last = 0;
    uint32_t n = list(c, "spec_constants", "spec_constant_count",
                      &d->spec_constant_count, GV_MAX_SPEC_CONSTANTS);
    for (c->index = 0; c->index < n && !c->failed; c->index++) {
        struct gv_spec_constant *s = &d->spec_constants[c->index];
        single_bit(c, "stage", GV_ENUM_ID_STAGE, &s->stage);
        require(c, !(s->stage & ~stages), "stage", "is none of this kind of pipeline");
        number(c, "id", &s->id, 0, UINT32_MAX);
        number(c, "value", &s->value, 0, UINT32_MAX);
        uint64_t key = ((uint64_t)s->stage << 32) + s->id;
        require(c, key > last, "id", "is not in ascending order");
        last = key;
    }
    c->group = NULL;
}

static void pipeline_interface(struct codec *c, struct gv_interface_desc *d,
                               uint32_t stages)
{
    binding_list(c, d, stages);
    spec_constant_list(c, d, stages);
}

static void vertex_input(struct codec *c, struct gv_graphics_desc *d)
{
    uint32_t slots = 0, next = 0;
    uint32_t n = list(c, "vertex_bindings", "vertex_binding_count",
                      &d->vertex_binding_count, GV_MAX_VERTEX_BINDINGS);
    for (c->index = 0; c->index < n && !c->failed; c->index++) {
        uint32_t *slot = &d->vertex_bindings[c->index].slot;
        number(c, "slot", slot, next, GV_MAX_VERTEX_BINDINGS - 1);
        enumeration(c, "rate", GV_ENUM_ID_INPUT_RATE,
                    &d->vertex_bindings[c->index].rate);
        number(c, "divisor", &d->vertex_bindings[c->index].divisor, 0, UINT32_MAX);
        slots |= UINT32_C(1) << (*slot & 31);
        next = *slot + 1;
    }
    next = 0;
    n = list(c, "vertex_attributes", "vertex_attribute_count",
             &d->vertex_attribute_count, GV_MAX_VERTEX_ATTRIBUTES);
    for (c->index = 0; c->index < n && !c->failed; c->index++) {
        uint32_t *location = &d->vertex_attributes[c->index].location;
        uint32_t *slot = &d->vertex_attributes[c->index].slot;
        number(c, "location", location, next, GV_MAX_VERTEX_ATTRIBUTES - 1);
        number(c, "slot", slot, 0, GV_MAX_VERTEX_BINDINGS - 1);
        require(c, slots >> (*slot & 31) & 1, "slot", "is no vertex binding");
        format_of(c, "format", &d->vertex_attributes[c->index].format, GV_ASPECT_COLOR,
                  false);
        number(c, "offset", &d->vertex_attributes[c->index].offset, 0,
               GV_MAX_ATTRIBUTE_OFFSET);
        next = *location + 1;
    }
    c->group = NULL;
}

static void assembly(struct codec *c, struct gv_graphics_desc *d)
{
    enumeration(c, "topology", GV_ENUM_ID_TOPOLOGY, &d->topology);
    boolean(c, "primitive_restart", &d->primitive_restart);
    bool patches = d->topology == GV_TOPOLOGY_PATCH_LIST;
    number(c, "patch_control_points", &d->patch_control_points, patches ? 1 : 0,
           patches ? 32 : 0);
    enumeration(c, "tessellation_origin", GV_ENUM_ID_TESSELLATION_ORIGIN,
                &d->tessellation_origin);
}

static void rasterisation(struct codec *c, struct gv_graphics_desc *d)
{
    number(c, "viewport_count", &d->viewport_count, 1, GV_MAX_VIEWPORTS);
    boolean(c, "rasterizer_discard", &d->rasterizer_discard);
    boolean(c, "depth_clamp", &d->depth_clamp);
    boolean(c, "depth_clip", &d->depth_clip);
    boolean(c, "negative_one_to_one", &d->negative_one_to_one);
    enumeration(c, "polygon_mode", GV_ENUM_ID_POLYGON_MODE, &d->polygon_mode);
    enumeration(c, "cull", GV_ENUM_ID_CULL, &d->cull);
    enumeration(c, "front_face", GV_ENUM_ID_FRONT_FACE, &d->front_face);
    boolean(c, "depth_bias", &d->depth_bias);
    enumeration(c, "provoking_vertex", GV_ENUM_ID_PROVOKING_VERTEX,
                &d->provoking_vertex);
    enumeration(c, "line_mode", GV_ENUM_ID_LINE_MODE, &d->line_mode);
    boolean(c, "line_stipple", &d->line_stipple);
    number(c, "rasterization_stream", &d->rasterization_stream, 0,
           GV_MAX_FEEDBACK_BUFFERS - 1);
    number(c, "samples", &d->samples, 1, 16);
    require(c, !(d->samples & (d->samples - 1)), "samples", "is not a power of two");
    boolean(c, "sample_shading", &d->sample_shading);
    real(c, "min_sample_shading", &d->min_sample_shading, 0, 1);
    number(c, "sample_mask", &d->sample_mask, 0, UINT32_MAX);
    boolean(c, "alpha_to_coverage", &d->alpha_to_coverage);
    boolean(c, "alpha_to_one", &d->alpha_to_one);
}

static void stencil_face(struct codec *c, const char *group, struct gv_stencil_desc *s)
{
    c->group = group;
    c->index = 0;
    enumeration(c, "fail_op", GV_ENUM_ID_STENCIL_OP, &s->fail_op);
    enumeration(c, "pass_op", GV_ENUM_ID_STENCIL_OP, &s->pass_op);
    enumeration(c, "depth_fail_op", GV_ENUM_ID_STENCIL_OP, &s->depth_fail_op);
    enumeration(c, "compare", GV_ENUM_ID_COMPARE, &s->compare);
    c->group = NULL;
}

static void depth_stencil(struct codec *c, struct gv_graphics_desc *d)
{
    boolean(c, "depth_test", &d->depth_test);
    boolean(c, "depth_write", &d->depth_write);
    boolean(c, "depth_bounds", &d->depth_bounds);
    boolean(c, "stencil_test", &d->stencil_test);
    enumeration(c, "depth_compare", GV_ENUM_ID_COMPARE, &d->depth_compare);
    stencil_face(c, "front", &d->front);
    stencil_face(c, "back", &d->back);
}

static void blend(struct codec *c, struct gv_blend_desc *b)
{
    boolean(c, "enable", &b->enable);
    enumeration(c, "src_color", GV_ENUM_ID_BLEND_FACTOR, &b->src_color);
    enumeration(c, "dst_color", GV_ENUM_ID_BLEND_FACTOR, &b->dst_color);
    enumeration(c, "color_op", GV_ENUM_ID_BLEND_OP, &b->color_op);
    enumeration(c, "src_alpha", GV_ENUM_ID_BLEND_FACTOR, &b->src_alpha);
    enumeration(c, "dst_alpha", GV_ENUM_ID_BLEND_FACTOR, &b->dst_alpha);
    enumeration(c, "alpha_op", GV_ENUM_ID_BLEND_OP, &b->alpha_op);
    enumeration(c, "write_mask", GV_ENUM_ID_COLOR_MASK, &b->write_mask);
}

static void targets(struct codec *c, struct gv_graphics_desc *d)
{
    uint32_t n =
        list(c, "color", "color_count", &d->color_count, GV_MAX_COLOR_ATTACHMENTS);
    for (c->index = 0; c->index < n && !c->failed; c->index++) {
        format_of(c, "format", &d->color_formats[c->index], GV_ASPECT_COLOR, true);
        blend(c, &d->blend[c->index]);
    }
    c->group = NULL;
    format_of(c, "depth_stencil_format", &d->depth_stencil_format,
              GV_ASPECT_DEPTH | GV_ASPECT_STENCIL, true);
    boolean(c, "logic_op_enable", &d->logic_op_enable);
    enumeration(c, "logic_op", GV_ENUM_ID_LOGIC_OP, &d->logic_op);
}

static void graphics(struct codec *c, struct gv_graphics_desc *d)
{
    vertex_input(c, d);
    assembly(c, d);
    rasterisation(c, d);
    depth_stencil(c, d);
    targets(c, d);
    pipeline_interface(c, &d->interface,
                       GV_STAGE_VERTEX | GV_STAGE_TESSELLATION_CONTROL |
                           GV_STAGE_TESSELLATION_EVALUATION | GV_STAGE_GEOMETRY |
                           GV_STAGE_FRAGMENT);
}

// The restrictions of VkSamplerCreateInfo on unnormalised coordinates.
static bool unnormalized_fits(const struct gv_sampler_desc *d)
{
    bool clamps_u = d->address_u == GV_ADDRESS_MODE_CLAMP_TO_EDGE ||
                    d->address_u == GV_ADDRESS_MODE_CLAMP_TO_BORDER;
    bool clamps_v = d->address_v == GV_ADDRESS_MODE_CLAMP_TO_EDGE ||
                    d->address_v == GV_ADDRESS_MODE_CLAMP_TO_BORDER;
    return d->min_filter == d->mag_filter && d->mip_filter == GV_FILTER_NEAREST &&
           d->min_lod == 0 && d->max_lod == 0 && clamps_u && clamps_v &&
           d->max_anisotropy == 0 && !d->compare_enable;
}

// Vulkan's least maxSamplerLodBias is 2; the device's own limit is checked at the call.
#define MAX_LOD_BIAS 64.0f
#define MAX_LOD 1000.0f // VK_LOD_CLAMP_NONE
#define MAX_ANISOTROPY 16.0f

// Samplers have two filters; the third is for mips.
static void sampler_filter(struct codec *c, const char *name, uint32_t *filter)
{
    enumeration(c, name, GV_ENUM_ID_FILTER, filter);
    require(c, *filter != GV_FILTER_BOX, name, "is BOX, which is no sampler's");
}

static void sampler(struct codec *c, struct gv_sampler_desc *d)
{
    sampler_filter(c, "mag_filter", &d->mag_filter);
    sampler_filter(c, "min_filter", &d->min_filter);
    sampler_filter(c, "mip_filter", &d->mip_filter);
    enumeration(c, "address_u", GV_ENUM_ID_ADDRESS_MODE, &d->address_u);
    enumeration(c, "address_v", GV_ENUM_ID_ADDRESS_MODE, &d->address_v);
    enumeration(c, "address_w", GV_ENUM_ID_ADDRESS_MODE, &d->address_w);
    real(c, "lod_bias", &d->lod_bias, -MAX_LOD_BIAS, MAX_LOD_BIAS);
    real(c, "min_lod", &d->min_lod, -MAX_LOD, MAX_LOD);
    real(c, "max_lod", &d->max_lod, d->min_lod, MAX_LOD);
    real(c, "max_anisotropy", &d->max_anisotropy, 0, MAX_ANISOTROPY);
    require(c, d->max_anisotropy == 0 || d->max_anisotropy >= 1, "max_anisotropy",
            "is neither 0 nor at least 1");
    boolean(c, "compare_enable", &d->compare_enable);
    enumeration(c, "compare", GV_ENUM_ID_COMPARE, &d->compare);
    enumeration(c, "border", GV_ENUM_ID_BORDER_COLOR, &d->border);
    bool custom = d->border == GV_BORDER_COLOR_FLOAT_CUSTOM ||
                  d->border == GV_BORDER_COLOR_INT_CUSTOM;
    for (size_t i = 0; i < 4; i++)
        number(c, "border_values", &d->border_values[i], 0, custom ? UINT32_MAX : 0);
    boolean(c, "unnormalized", &d->unnormalized);
    require(c, !d->unnormalized || unnormalized_fits(d), "unnormalized",
            "does not go with filters, level of detail, addressing or comparison");
    boolean(c, "non_seamless_cube", &d->non_seamless_cube);
}

static bool finish_decode(struct codec *c)
{
    if (!c->failed && gv_cursor_left(c->in))
        fault(c, position(c), "end", "is followed by further bytes");
    return !c->failed;
}

void gv_graphics_desc_encode(const struct gv_graphics_desc *desc, struct gv_bytes *out)
{
    struct gv_graphics_desc copy = *desc;
    graphics(&(struct codec){ .out = out }, &copy);
}

bool gv_graphics_desc_decode(struct gv_cursor *in, struct gv_graphics_desc *out,
                             struct gv_error *err)
{
    struct codec c = { .in = in, .err = err };
    memset(out, 0, sizeof *out);
    graphics(&c, out);
    return finish_decode(&c);
}

void gv_compute_desc_encode(const struct gv_compute_desc *desc, struct gv_bytes *out)
{
    struct gv_compute_desc copy = *desc;
    pipeline_interface(&(struct codec){ .out = out }, &copy.interface,
                       GV_STAGE_COMPUTE);
}

bool gv_compute_desc_decode(struct gv_cursor *in, struct gv_compute_desc *out,
                            struct gv_error *err)
{
    struct codec c = { .in = in, .err = err };
    memset(out, 0, sizeof *out);
    pipeline_interface(&c, &out->interface, GV_STAGE_COMPUTE);
    return finish_decode(&c);
}

void gv_sampler_desc_encode(const struct gv_sampler_desc *desc, struct gv_bytes *out)
{
    struct gv_sampler_desc copy = *desc;
    sampler(&(struct codec){ .out = out }, &copy);
}

bool gv_sampler_desc_decode(struct gv_cursor *in, struct gv_sampler_desc *out,
                            struct gv_error *err)
{
    struct codec c = { .in = in, .err = err };
    memset(out, 0, sizeof *out);
    sampler(&c, out);
    return finish_decode(&c);
}

// The end of a range, checked; false where it does not fit 64 bits.
static bool range_fits(const struct gv_dispatch_range *r)
{
    uint64_t end;
    return gv_mul_u64(r->stride, r->rows - 1u, &end) &&
           gv_add_u64(end, r->offset, &end) && gv_add_u64(end, r->row_bytes, &end);
}

static void dispatch_range(struct codec *c, struct gv_dispatch_range *r)
{
    number(c, "set", &r->set, 0, GV_MAX_SETS - 1);
    number(c, "binding", &r->binding, 0, GV_MAX_BINDING_NUMBER - 1);
    number(c, "element", &r->element, 0, GV_MAX_BINDING_ELEMENTS - 1);
    number(c, "access", &r->access, GV_RANGE_READ, GV_RANGE_UNUSED);
    if (r->access == GV_RANGE_UNUSED) {
        r->rows = 1;
        return;
    }
    r->row_bytes = wide(c, "row_bytes", r->row_bytes, 0, UINT64_MAX);
    if (!r->row_bytes) { // a whole image has no more to say
        require(c, r->access != GV_RANGE_OVERWRITE, "access",
                "is of a whole object, which may be written and no more");
        r->rows = 1;
        return;
    }
    r->offset = wide(c, "offset", r->offset, 0, UINT64_MAX);
    number(c, "rows", &r->rows, 1, UINT32_MAX);
    if (r->rows > 1)
        r->stride = wide(c, "stride", r->stride, 0, UINT64_MAX);
    require(c, c->failed || range_fits(r), "offset", "leaves 64 bits");
}

void gv_dispatch_ranges_encode(const struct gv_dispatch_range *ranges, size_t count,
                               struct gv_bytes *out)
{
    struct codec c = { .out = out };
    for (size_t i = 0; i < count; i++) {
        struct gv_dispatch_range copy = ranges[i];
        dispatch_range(&c, &copy);
    }
}

bool gv_dispatch_range_next(struct gv_cursor *in, struct gv_dispatch_range *out)
{
    struct codec c = { .in = in };
    *out = (struct gv_dispatch_range){ 0 };
    if (in->bad || !gv_cursor_left(in))
        return false;
    dispatch_range(&c, out);
    if (c.failed)
        in->bad = true;
    return !c.failed;
}

static const struct gv_stencil_desc keep = {
    .fail_op = GV_STENCIL_OP_KEEP,
    .pass_op = GV_STENCIL_OP_KEEP,
    .depth_fail_op = GV_STENCIL_OP_KEEP,
    .compare = GV_COMPARE_ALWAYS,
};

void gv_graphics_desc_default(struct gv_graphics_desc *desc)
{
    memset(desc, 0, sizeof *desc);
    desc->topology = GV_TOPOLOGY_TRIANGLE_LIST;
    desc->viewport_count = 1;
    desc->depth_clip = true;
    desc->samples = 1;
    desc->sample_mask = UINT32_MAX;
    desc->depth_compare = GV_COMPARE_ALWAYS;
    desc->front = keep;
    desc->back = keep;
    desc->logic_op = GV_LOGIC_OP_COPY;
    for (size_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++)
        desc->blend[i] = (struct gv_blend_desc){
            .src_color = GV_BLEND_FACTOR_ONE,
            .src_alpha = GV_BLEND_FACTOR_ONE,
            .write_mask =
                GV_COLOR_MASK_R | GV_COLOR_MASK_G | GV_COLOR_MASK_B | GV_COLOR_MASK_A,
        };
}

bool gv_topology_is_line(uint32_t topology)
{
    return topology == GV_TOPOLOGY_LINE_LIST || topology == GV_TOPOLOGY_LINE_STRIP ||
           topology == GV_TOPOLOGY_LINE_LIST_ADJACENCY ||
           topology == GV_TOPOLOGY_LINE_STRIP_ADJACENCY;
}
