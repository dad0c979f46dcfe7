// Whether the stages of a graphics pipeline and its description go together, on
// whatever device.
#include "vm/formats.h"
#include "vm/spirv/spirv_match.h"
#include "vm/spirv/spirv_module.h"

enum { VERTEX, CONTROL, EVALUATION, GEOMETRY, FRAGMENT };

static bool match_chain(const struct gv_spirv_module *const modules[5],
                        struct gv_error *err)
{
    const struct gv_spirv_module *last = modules[VERTEX];
    for (int i = CONTROL; i <= FRAGMENT; i++) {
        if (!modules[i])
            continue;
        if (!gv_spirv_match_stages(last, modules[i], err))
            return false;
        last = modules[i];
    }
    return true;
}

// ---- bindings ----

static bool same_image(const struct gv_spirv_binding *a,
                       const struct gv_spirv_binding *b)
{
    return a->view_type == b->view_type && a->numeric == b->numeric &&
           a->multisampled == b->multisampled && a->image_format == b->image_format;
}

static bool is_before(const struct gv_spirv_binding *a,
                      const struct gv_spirv_binding *b)
{
    return a->set < b->set || (a->set == b->set && a->binding < b->binding);
}

// Two stages that use one binding must agree on what is there, and on how a sampler is
// used.
static bool match_images(const struct gv_spirv_module *a,
                         const struct gv_spirv_module *b, struct gv_error *err)
{
    size_t i = 0, k = 0;
    while (i < a->binding_count && k < b->binding_count) {
        const struct gv_spirv_binding *x = &a->bindings[i], *y = &b->bindings[k];
        if (is_before(x, y)) {
            i++;
            continue;
        }
        bool shared = !is_before(y, x);
        if (shared && !same_image(x, y))
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "shaders disagree on the image at set %u binding %u", x->set,
                           x->binding);
        if (shared && !gv_spirv_match_uses(x, y, err))
            return false;
        k++;
    }
    return true;
}

static bool match_all_images(const struct gv_spirv_module *const modules[5],
                             struct gv_error *err)
{
    for (int b = CONTROL; b <= FRAGMENT; b++)
        for (int a = VERTEX; a < b; a++)
            if (modules[a] && modules[b] && !match_images(modules[a], modules[b], err))
                return false;
    return true;
}

// ---- primitives ----

static enum gv_spirv_primitive primitive_of(uint32_t topology)
{
    switch (topology) {
    case GV_TOPOLOGY_POINT_LIST:
        return GV_SPIRV_POINTS;
    case GV_TOPOLOGY_LINE_LIST:
    case GV_TOPOLOGY_LINE_STRIP:
        return GV_SPIRV_LINES;
    case GV_TOPOLOGY_LINE_LIST_ADJACENCY:
    case GV_TOPOLOGY_LINE_STRIP_ADJACENCY:
        return GV_SPIRV_LINES_ADJACENCY;
    case GV_TOPOLOGY_TRIANGLE_LIST_ADJACENCY:
    case GV_TOPOLOGY_TRIANGLE_STRIP_ADJACENCY:
        return GV_SPIRV_TRIANGLES_ADJACENCY;
    case GV_TOPOLOGY_PATCH_LIST:
        return GV_SPIRV_NO_PRIMITIVE;
    default:
        return GV_SPIRV_TRIANGLES;
    }
}

static bool match_tessellation(const struct gv_graphics_desc *d,
                               const struct gv_spirv_module *const modules[5],
                               struct gv_error *err)
{
    bool patches = d->topology == GV_TOPOLOGY_PATCH_LIST;
    if (!modules[CONTROL] != !modules[EVALUATION])
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "one tessellation stage without the other");
    if (patches != (modules[CONTROL] != NULL))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "patches and tessellation stages need one another");
    return !patches || d->patch_control_points >= 1 ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "patches of %u vertices",
                   d->patch_control_points);
}

static bool match_primitives(const struct gv_graphics_desc *d,
                             const struct gv_spirv_module *const modules[5],
                             struct gv_error *err)
{
    enum gv_spirv_primitive primitive = primitive_of(d->topology);
    if (modules[EVALUATION]) {
        primitive = modules[EVALUATION]->output_primitive;
        if (primitive == GV_SPIRV_NO_PRIMITIVE && modules[CONTROL])
            primitive = modules[CONTROL]->output_primitive;
        if (primitive == GV_SPIRV_NO_PRIMITIVE)
            primitive = GV_SPIRV_TRIANGLES;
    }
    return !modules[GEOMETRY] || modules[GEOMETRY]->input_primitive == primitive ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "the geometry shader takes other primitives than the topology "
                   "gives");
}

bool gv_spirv_match_point_size(const struct gv_graphics_desc *d,
                               const struct gv_spirv_module *const modules[5],
                               bool late_sizes, struct gv_error *err)
{
    const struct gv_spirv_module *last =
        modules[GEOMETRY] ? modules[GEOMETRY] : modules[EVALUATION];
    bool points = last ? last->output_primitive == GV_SPIRV_POINTS
                       : d->topology == GV_TOPOLOGY_POINT_LIST;
    bool settable = !last || late_sizes;
    last = last ? last : modules[VERTEX];
    if (!points || !settable || last->writes_point_size)
        return true;
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "points, but the %s shader writes no PointSize",
                   gv_stage_name(last->stage));
}

// ---- vertices and targets ----

static uint32_t numeric_of(const struct gv_format_info *info)
{
    return info->kind == GV_FORMAT_KIND_UINT   ? GV_SPIRV_UINT
           : info->kind == GV_FORMAT_KIND_SINT ? GV_SPIRV_SINT
                                               : GV_SPIRV_FLOAT;
}

static bool has_slot(const struct gv_graphics_desc *d, uint32_t slot)
{
    for (uint32_t i = 0; i < d->vertex_binding_count; i++)
        if (d->vertex_bindings[i].slot == slot)
            return true;
    return false;
}

static bool match_attribute(const struct gv_graphics_desc *d, uint32_t i,
                            const struct gv_spirv_interface *inputs,
                            struct gv_error *err)
{
    uint32_t location = d->vertex_attributes[i].location;
    uint32_t offset = d->vertex_attributes[i].offset;
    const struct gv_format_info *info = gv_format_info(d->vertex_attributes[i].format);
    const struct gv_spirv_slot *input =
        location < GV_MAX_LOCATIONS ? &inputs->slots[location] : NULL;
    if (input && !input->mask)
        return true; // nobody reads it
    if (!input || !info || !has_slot(d, d->vertex_attributes[i].slot))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "vertex attribute at location %u", location);
    if (numeric_of(info) != input->numeric ||
        (info->bits[0] == 64) != (input->bits == 64))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "vertex format %s does not suit the shader's input at "
                       "location %u",
                       info->name, location);
    return offset % gv_format_vertex_alignment(info) == 0 ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: vertex attribute %s at unaligned offset %u",
                   info->name, offset);
}

static bool match_target(const struct gv_graphics_desc *d, uint32_t i,
                         const struct gv_spirv_module *fragment, struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info(d->color_formats[i]);
    const struct gv_spirv_slot *out = &fragment->outputs.slots[i];
    if (!info || !out->mask || out->numeric == numeric_of(info))
        return true;
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "the fragment shader's output %u does not suit %s", i, info->name);
}

// ---- rasterisation ----

static bool match_raster(const struct gv_graphics_desc *d, struct gv_error *err)
{
    bool special = d->line_mode == GV_LINE_MODE_BRESENHAM ||
                   d->line_mode == GV_LINE_MODE_RECTANGULAR_SMOOTH;
    if (special && (d->alpha_to_coverage || d->alpha_to_one || d->sample_shading))
        return gv_fail(
            err, GV_ERR_FORMAT, GV_NO_OFFSET,
            "bresenham and smooth lines exclude alpha to coverage or one and "
            "sample shading");
    return (d->min_sample_shading >= 0 && d->min_sample_shading <= 1) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "smallest sample shading %g",
                   (double)d->min_sample_shading);
}

bool gv_spirv_match_graphics(const struct gv_graphics_desc *d,
                             const struct gv_spirv_module *const modules[5],
                             struct gv_error *err)
{
    if (!modules[VERTEX])
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "vertex: there is no module");
    if (!match_chain(modules, err) || !match_all_images(modules, err) ||
        !match_tessellation(d, modules, err) || !match_primitives(d, modules, err) ||
        !match_raster(d, err))
        return false;
    for (uint32_t i = 0; modules[FRAGMENT] && i < d->color_count; i++)
        if (!match_target(d, i, modules[FRAGMENT], err))
            return false;
    for (uint32_t i = 0; i < d->vertex_attribute_count; i++)
        if (!match_attribute(d, i, &modules[VERTEX]->inputs, err))
            return false;
    return true;
}
