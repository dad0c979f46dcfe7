#include "compiler/gl/draw/gl_pipeline.h"

#include <math.h>
#include <string.h>

#include "compiler/gl/draw/gl_adjacency.h"
#include "compiler/gl/draw/gl_device_input.h"
#include "compiler/gl/texture/gl_texture_format.h"
#include "vm/formats.h"

// ---- enumerants ----

static uint32_t compare_op(uint32_t func)
{
    return func - GL_NEVER <= GL_ALWAYS - GL_NEVER ? func - GL_NEVER
                                                   : (uint32_t)GV_COMPARE_ALWAYS;
}

static uint8_t stencil_op(uint32_t op)
{
    switch (op) {
    case GL_ZERO:
        return GV_STENCIL_OP_ZERO;
    case GL_REPLACE:
        return GV_STENCIL_OP_REPLACE;
    case GL_INCR:
        return GV_STENCIL_OP_INCREMENT_AND_CLAMP;
    case GL_DECR:
        return GV_STENCIL_OP_DECREMENT_AND_CLAMP;
    case GL_INVERT:
        return GV_STENCIL_OP_INVERT;
    case GL_INCR_WRAP:
        return GV_STENCIL_OP_INCREMENT_AND_WRAP;
    case GL_DECR_WRAP:
        return GV_STENCIL_OP_DECREMENT_AND_WRAP;
    default:
        return GV_STENCIL_OP_KEEP;
    }
}

static uint8_t blend_factor(uint32_t f)
{
    static const uint8_t colors[] = {
        [GL_SRC_COLOR - GL_SRC_COLOR] = GV_BLEND_FACTOR_SRC_COLOR,
        [GL_ONE_MINUS_SRC_COLOR - GL_SRC_COLOR] = GV_BLEND_FACTOR_ONE_MINUS_SRC_COLOR,
        [GL_SRC_ALPHA - GL_SRC_COLOR] = GV_BLEND_FACTOR_SRC_ALPHA,
        [GL_ONE_MINUS_SRC_ALPHA - GL_SRC_COLOR] = GV_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        [GL_DST_ALPHA - GL_SRC_COLOR] = GV_BLEND_FACTOR_DST_ALPHA,
        [GL_ONE_MINUS_DST_ALPHA - GL_SRC_COLOR] = GV_BLEND_FACTOR_ONE_MINUS_DST_ALPHA,
        [GL_DST_COLOR - GL_SRC_COLOR] = GV_BLEND_FACTOR_DST_COLOR,
        [GL_ONE_MINUS_DST_COLOR - GL_SRC_COLOR] = GV_BLEND_FACTOR_ONE_MINUS_DST_COLOR,
        [GL_SRC_ALPHA_SATURATE - GL_SRC_COLOR] = GV_BLEND_FACTOR_SRC_ALPHA_SATURATE,
    };
    switch (f) {
    case GL_ZERO:
        return GV_BLEND_FACTOR_ZERO;
    case GL_ONE:
        return GV_BLEND_FACTOR_ONE;
    case GL_SRC1_COLOR:
        return GV_BLEND_FACTOR_SRC1_COLOR;
    case GL_ONE_MINUS_SRC1_COLOR:
        return GV_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR;
    case GL_SRC1_ALPHA:
        return GV_BLEND_FACTOR_SRC1_ALPHA;
    case GL_ONE_MINUS_SRC1_ALPHA:
        return GV_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
    case GL_CONSTANT_COLOR:
        return GV_BLEND_FACTOR_CONSTANT_COLOR;
    case GL_ONE_MINUS_CONSTANT_COLOR:
        return GV_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR;
    case GL_CONSTANT_ALPHA:
        return GV_BLEND_FACTOR_CONSTANT_ALPHA;
    case GL_ONE_MINUS_CONSTANT_ALPHA:
        return GV_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
    default:
        return f - GL_SRC_COLOR < sizeof colors ? colors[f - GL_SRC_COLOR]
                                                : (uint8_t)GV_BLEND_FACTOR_ONE;
    }
}

static uint8_t blend_op(uint32_t equation)
{
    switch (equation) {
    case GL_FUNC_SUBTRACT:
        return GV_BLEND_OP_SUBTRACT;
    case GL_FUNC_REVERSE_SUBTRACT:
        return GV_BLEND_OP_REVERSE_SUBTRACT;
    case GL_MIN:
        return GV_BLEND_OP_MIN;
    case GL_MAX:
        return GV_BLEND_OP_MAX;
    default:
        return GV_BLEND_OP_ADD;
    }
}

// GL_CLEAR to GL_SET stand in another order than Vulkan's.
static uint8_t logic_op(uint32_t op)
{
    static const uint8_t ops[16] = {
        [GL_CLEAR - GL_CLEAR] = GV_LOGIC_OP_CLEAR,
        [GL_AND - GL_CLEAR] = GV_LOGIC_OP_AND,
        [GL_AND_REVERSE - GL_CLEAR] = GV_LOGIC_OP_AND_REVERSE,
        [GL_COPY - GL_CLEAR] = GV_LOGIC_OP_COPY,
        [GL_AND_INVERTED - GL_CLEAR] = GV_LOGIC_OP_AND_INVERTED,
        [GL_NOOP - GL_CLEAR] = GV_LOGIC_OP_NO_OP,
        [GL_XOR - GL_CLEAR] = GV_LOGIC_OP_XOR,
        [GL_OR - GL_CLEAR] = GV_LOGIC_OP_OR,
        [GL_NOR - GL_CLEAR] = GV_LOGIC_OP_NOR,
        [GL_EQUIV - GL_CLEAR] = GV_LOGIC_OP_EQUIVALENT,
        [GL_INVERT - GL_CLEAR] = GV_LOGIC_OP_INVERT,
        [GL_OR_REVERSE - GL_CLEAR] = GV_LOGIC_OP_OR_REVERSE,
        [GL_COPY_INVERTED - GL_CLEAR] = GV_LOGIC_OP_COPY_INVERTED,
        [GL_OR_INVERTED - GL_CLEAR] = GV_LOGIC_OP_OR_INVERTED,
        [GL_NAND - GL_CLEAR] = GV_LOGIC_OP_NAND,
        [GL_SET - GL_CLEAR] = GV_LOGIC_OP_SET,
    };
    return op - GL_CLEAR < 16 ? ops[op - GL_CLEAR] : (uint8_t)GV_LOGIC_OP_COPY;
}

// ---- the key ----

static void key_blend(const struct gv_gl_color *color, struct gv_lower_pipeline_key *k)
{
    if (color->logic_op && color->logic != GL_COPY)
        k->logic = 1 + logic_op(color->logic);
    for (uint32_t i = 0; i < k->color_count; i++) {
        const struct gv_gl_blend *b = &color->blend[i];
        struct gv_lower_blend *out = &k->blend[i];
        for (uint32_t n = 0; n < 4; n++)
            out->write_mask |= (uint8_t)(color->mask[i][n] << n);
        if (!b->enabled || color->logic_op || gv_gl_is_integer(k->color_formats[i]) ||
            gv_gl_advanced_equation(b->equation))
            continue;
        *out = (struct gv_lower_blend){ .enable = 1,
                                        .src = blend_factor(b->src),
                                        .dst = blend_factor(b->dst),
                                        .op = blend_op(b->equation),
                                        .src_alpha = blend_factor(b->src_alpha),
                                        .dst_alpha = blend_factor(b->dst_alpha),
                                        .op_alpha = blend_op(b->equation_alpha),
                                        .write_mask = out->write_mask };
    }
}

static struct gv_lower_stencil_face key_face(const struct gv_gl_stencil_face *f)
{
    return (struct gv_lower_stencil_face){ stencil_op(f->fail),
                                           stencil_op(f->depth_fail),
                                           stencil_op(f->pass),
                                           (uint8_t)compare_op(f->func) };
}

static void key_depth(const struct gv_gl_state *s, const struct gv_gl_draw *d,
                      struct gv_lower_pipeline_key *k)
{
    uint32_t aspects = d->targets.lower.depth_aspects;
    if (s->depth.test && aspects & GV_ASPECT_DEPTH) {
        k->depth_enable = 1;
        k->depth_write = s->depth.write;
        k->depth_compare = (uint8_t)compare_op(s->depth.func);
    }
    if (s->stencil.test && aspects & GV_ASPECT_STENCIL) {
        k->stencil_enable = 1;
        k->front = key_face(&s->stencil.face[0]);
        k->back = key_face(&s->stencil.face[1]);
    }
}

// Of lists, as the stages in front of the rasterizer take them.
static uint8_t listed_topology(const struct gv_gl_draw *d)
{
    static const uint8_t strips[] = {
        [GL_LINE_STRIP] = GV_TOPOLOGY_LINE_STRIP,
        [GL_TRIANGLE_STRIP] = GV_TOPOLOGY_TRIANGLE_STRIP,
        [GL_TRIANGLE_FAN] = GV_TOPOLOGY_TRIANGLE_FAN,
        [GL_LINE_STRIP_ADJACENCY] = GV_TOPOLOGY_LINE_STRIP_ADJACENCY,
        [GL_TRIANGLE_STRIP_ADJACENCY] = GV_TOPOLOGY_TRIANGLE_STRIP_ADJACENCY,
    };
    const uint32_t mode = d->geometry->mode;
    if (d->geometry->counted && mode < sizeof strips && strips[mode])
        return strips[mode];
    switch (gv_gl_listed_vertices(d->geometry->mode)) {
    case 1:
        return GV_TOPOLOGY_POINT_LIST;
    case 2:
        return GV_TOPOLOGY_LINE_LIST;
    case 4:
        return GV_TOPOLOGY_LINE_LIST_ADJACENCY;
    case 6:
        return GV_TOPOLOGY_TRIANGLE_LIST_ADJACENCY;
    default:
        return d->geometry->mode == GL_PATCHES ? GV_TOPOLOGY_PATCH_LIST
                                               : GV_TOPOLOGY_TRIANGLE_LIST;
    }
}

static uint8_t topology_of(const struct gv_gl_draw *d)
{
    if (d->part.reshaped)
        return listed_topology(d);
    if (d->part.drawn == GV_GL_CLASS_TRIANGLES || d->part.wireframe || d->part.dots)
        return GV_TOPOLOGY_TRIANGLE_LIST;
    if (d->part.drawn == GV_GL_CLASS_POINTS)
        return GV_TOPOLOGY_POINT_LIST;
    return d->strip ? GV_TOPOLOGY_LINE_STRIP : GV_TOPOLOGY_LINE_LIST;
}

// Whether an offset is enabled for what polygons end up as.
static bool has_offset(const struct gv_gl_context *c, const struct gv_gl_draw *d)
{
    const struct gv_gl_polygon *p = &c->state.polygon;
    if (!d->part.reshaped && d->geometry->mode < GL_TRIANGLES)
        return false;
    switch (d->part.drawn) {
    case GV_GL_CLASS_POINTS:
        return p->offset_point;
    case GV_GL_CLASS_LINES:
        return p->offset_line;
    case GV_GL_CLASS_TRIANGLES:
        break;
    }
    return p->offset_fill;
}

bool gv_gl_is_offset(const struct gv_gl_context *c, const struct gv_gl_draw *d)
{
    return !d->part.outline && has_offset(c, d);
}

bool gv_gl_loses_offset(const struct gv_gl_context *c, const struct gv_gl_draw *d)
{
    const struct gv_gl_polygon *p = &c->state.polygon;
    const bool lost =
        p->offset_factor != 0 || (p->offset_units != 0 && gv_gl_is_placed(c));
    return d->part.outline && c->state.depth.test && lost && has_offset(c, d);
}

// The least difference of depths that a target tells apart; of floats, from a half on.
static float depth_unit(uint32_t format)
{
    const bool short_depth =
        format == GV_FORMAT_D16_UNORM || format == GV_FORMAT_D16_UNORM_S8_UINT;
    return short_depth ? 0x1p-16f : 0x1p-24f;
}

float gv_gl_outline_offset(const struct gv_gl_context *c, const struct gv_gl_draw *d)
{
    const struct gv_gl_polygon *p = &c->state.polygon;
    const struct gv_gl_viewport *v = &c->state.viewport;
    const float range = (float)(v->far - v->near);
    if (!d->part.outline || !d->targets.lower.depth.format || range == 0 ||
        !has_offset(c, d))
        return 0;
    float offset = p->offset_units * depth_unit(d->targets.lower.depth.format);
    if (p->offset_clamp > 0)
        offset = fminf(offset, p->offset_clamp);
    if (p->offset_clamp < 0)
        offset = fmaxf(offset, p->offset_clamp);
    return offset / range * (c->state.transform.clip_zero_to_one ? 1.0f : 2.0f);
}

static void key_polygons(const struct gv_gl_context *c, const struct gv_gl_draw *d,
                         struct gv_lower_pipeline_key *k)
{
    const struct gv_gl_polygon *p = &c->state.polygon;
    const bool outlined = d->part.wireframe || d->part.dots;
    if (d->part.drawn != GV_GL_CLASS_TRIANGLES && !outlined)
        return;
    bool front = !p->cull || p->cull_face == GL_BACK;
    bool back = !p->cull || p->cull_face == GL_FRONT;
    if (d->part.sided)
        k->cull = d->part.front ? GV_CULL_BACK : GV_CULL_FRONT;
    else if (!d->part.faced)
        k->cull = (uint8_t)((front ? 0 : GV_CULL_FRONT) | (back ? 0 : GV_CULL_BACK));
    k->wireframe = d->part.dots ? 2 : d->part.wireframe;
}

static void key_lines(const struct gv_gl_context *c, const struct gv_gl_draw *d,
                      struct gv_lower_pipeline_key *k)
{
    const struct gv_gl_line *l = &c->state.line;
    if (d->part.drawn != GV_GL_CLASS_LINES)
        return;
    // Of several samples lines are rectangles, which devices draw by themselves.
    if (!d->multisampled)
        k->line_mode =
            l->smooth ? GV_LINE_MODE_RECTANGULAR_SMOOTH : GV_LINE_MODE_BRESENHAM;
    k->line_stipple = l->stipple && l->pattern != 0xFFFF;
    k->wide_lines = l->width != 1;
}

// GL_SAMPLE_COVERAGE: the first so many samples, or all others.
static uint8_t samples_off(const struct gv_gl_multisample *m, uint32_t samples)
{
    uint32_t off = m->masked ? m->mask_off & ((1u << samples) - 1) : 0;
    if (!m->coverage)
        return (uint8_t)off;
    uint32_t on = (1u << (uint32_t)(m->value * (float)samples)) - 1;
    return (uint8_t)(off | ((m->invert ? on : ~on) & ((1u << samples) - 1)));
}

// Samples of a pixel that are shaded at least (GL_SAMPLE_SHADING).
static uint8_t shaded_samples(const struct gv_gl_multisample *m, uint32_t samples)
{
    return m->shading ? (uint8_t)ceilf(m->min_shading * (float)samples) : 0;
}

// Which blocks of uniforms are fed as bytes: the others are of storage.
static void key_blocks(const struct gv_gl_stages *s, struct gv_lower_pipeline_key *k)
{
    const uint32_t bits = 8 * sizeof *k->dynamic, all = bits * GV_LOWER_STAGES;
    for (uint32_t i = 0; s->storage_count && i < s->block_count; i++) {
        const uint32_t n =
            s->blocks[i].place.set * all / 2 + s->blocks[i].place.binding;
        k->dynamic[n / bits % GV_LOWER_STAGES] |= (uint16_t)(1u << n % bits);
    }
}

static void fill_key(const struct gv_gl_context *c, const struct gv_gl_drawing *x,
                     const struct gv_gl_draw *d, struct gv_lower_pipeline_key *k)
{
    gv_lower_key_targets(k, &d->targets.lower);
    memcpy(k->stages, d->stages.serials, sizeof k->stages);
    key_blocks(&d->stages, k);
    for (uint32_t i = 0; i < d->stages.input_count; i++)
        k->input |= (uint64_t)(d->sizes[i] ? d->sizes[i] - 1 : 0) << 2 * i;
    k->device_input = gv_gl_device_layout(d);
    k->topology = topology_of(d);
    // Rows of windows go down, which the viewport turns round again; those of objects
    // go up, so that what GL winds one way the device sees winding the other.
    // GL_UPPER_LEFT turns pictures, not what faces the viewer.
    k->front_ccw = (c->state.polygon.front_face == GL_CCW) ==
                   (d->targets.flipped != c->state.transform.clip_upper_left);
    k->clamp = c->state.transform.depth_clamp;
    k->bias = gv_gl_is_offset(c, d);
    k->last_provokes = x->has_last_vertex;
    k->discard = d->part.hidden;
    k->viewports = d->stages.viewports ? GV_GL_VIEWPORTS : 0;
    if (d->part.reshaped || d->part.captures) {
        // The order of what stages take and make is theirs: the device chooses.
        k->last_provokes = k->last_provokes &&
                           c->state.lighting.provoking != GL_FIRST_VERTEX_CONVENTION;
        k->control_points =
            d->geometry->mode == GL_PATCHES ? (uint8_t)c->patches.vertices : 0;
        k->lower_left = d->geometry->mode == GL_PATCHES;
    }
    k->minus_one_to_one = x->has_depth_control && !c->state.transform.clip_zero_to_one;
    k->samples = (uint8_t)d->targets.samples;
    if (d->multisampled) {
        k->alpha_to_coverage = c->state.multisample.alpha_to_coverage;
        k->alpha_to_one = c->state.multisample.alpha_to_one;
        k->samples_off = samples_off(&c->state.multisample, k->samples);
        k->shaded = shaded_samples(&c->state.multisample, k->samples);
    }
    key_blend(&c->state.color, k);
    key_depth(&c->state, d, k);
    key_polygons(c, d, k);
    key_lines(c, d, k);
}

// ---- pipelines ----

// Attribute 0 is the position where that varies and it does not come itself.
uint32_t gv_gl_draw_slot(const struct gv_gl_draw *d, uint32_t input)
{
    const struct gv_gl_geometry *g = d->geometry;
    const uint32_t slot = d->stages.inputs[input].slot;
    return slot == GV_GL_GENERIC && !g->slots[slot] && !g->device[slot] &&
                   g->strides[GV_GL_POSITION]
               ? (uint32_t)GV_GL_POSITION
               : slot;
}

bool gv_gl_draw_steps(const struct gv_gl_draw *d, uint32_t input)
{
    const uint32_t slot = gv_gl_draw_slot(d, input);
    return d->geometry->slots[slot] && d->geometry->instanced >> slot & 1;
}

uint32_t gv_gl_step_slot(const struct gv_gl_draw *d)
{
    uint32_t i = 0;
    while (i < d->stages.input_count && !gv_gl_draw_steps(d, i))
        i++;
    return 1 + i;
}

void gv_gl_draw_layout(struct gv_gl_draw *d)
{
    const struct gv_gl_geometry *g = d->geometry;
    d->stride = d->step_stride = 0;
    for (uint32_t i = 0; i < d->stages.input_count; i++) {
        const uint32_t slot = gv_gl_draw_slot(d, i);
        if (gv_gl_device_array(d, i)) {
            d->sizes[i] = 0;
            continue;
        }
        const bool whole = !g->slots[slot] || d->stages.inputs[i].behind;
        const uint32_t size = whole ? 4 : g->sizes[slot];
        d->sizes[i] = (uint8_t)(size >= 1 && size <= 4 ? size : 4);
        *(gv_gl_draw_steps(d, i) ? &d->step_stride : &d->stride) += 4u * d->sizes[i];
    }
}

// By the type that the stage declares: floats, integers, unsigned ones.
uint32_t gv_gl_input_format(uint32_t scalar, uint32_t size)
{
    static const uint8_t formats[3][4] = {
        { GV_FORMAT_R32_SFLOAT, GV_FORMAT_R32G32_SFLOAT, GV_FORMAT_R32G32B32_SFLOAT,
          GV_FORMAT_R32G32B32A32_SFLOAT },
        { GV_FORMAT_R32_SINT, GV_FORMAT_R32G32_SINT, GV_FORMAT_R32G32B32_SINT,
          GV_FORMAT_R32G32B32A32_SINT },
        { GV_FORMAT_R32_UINT, GV_FORMAT_R32G32_UINT, GV_FORMAT_R32G32B32_UINT,
          GV_FORMAT_R32G32B32A32_UINT },
    };
    return formats[scalar == GV_GLSL_INT    ? 1
                   : scalar == GV_GLSL_UINT ? 2
                                            : 0][size - 1];
}

static void describe_binding(uint32_t slot, bool steps, struct gv_graphics_desc *out)
{
    const uint32_t at = out->vertex_binding_count++;
    out->vertex_bindings[at].slot = slot;
    out->vertex_bindings[at].rate =
        steps ? GV_INPUT_RATE_INSTANCE : GV_INPUT_RATE_VERTEX;
    out->vertex_bindings[at].divisor = 1;
}

static void describe_input(const struct gv_gl_draw *d, struct gv_graphics_desc *out)
{
    uint32_t offsets[2] = { 0, 0 }; // of vertices, of instances
    const uint32_t count = d->stages.input_count;
    const uint32_t step_slot = d->step_stride ? gv_gl_step_slot(d) : 0;
    out->vertex_attribute_count = count;
    out->vertex_binding_count = 0;
    if (d->stride)
        describe_binding(0, false, out);
    if (d->step_stride)
        describe_binding(step_slot, true, out);
    for (uint32_t i = 0; i < count; i++) {
        const struct gv_gl_stage_input *in = &d->stages.inputs[i];
        if (!d->sizes[i]) {
            gv_gl_describe_device(d, i, out->vertex_binding_count++, out);
            continue;
        }
        const bool steps = gv_gl_draw_steps(d, i);
        out->vertex_attributes[i].location = in->location;
        out->vertex_attributes[i].slot = steps ? step_slot : 0;
        out->vertex_attributes[i].format = gv_gl_input_format(in->scalar, d->sizes[i]);
        out->vertex_attributes[i].offset = offsets[steps];
        offsets[steps] += 4u * d->sizes[i];
    }
}

// What not all devices have, and how they do without; their pictures differ then. At
// most GV_GL_CHOICES of them.
#define GV_GL_CHOICES 3u

static const struct {
    const char *feature, *fallback;
} wants[] = {
    { "bresenhamLines", "lines of the device's own kind" },
    { "smoothLines", "lines with hard edges" },
    { "stippledBresenhamLines", "lines without their stipple" },
    { "stippledSmoothLines", "lines without their stipple" },
    { "wideLines", "wide lines are drawn as rectangles" },
    { "logicOp", "colours replace each other" },
    { "wideLines", "edges of polygons are one pixel wide" },
};

static void want(struct gv_builder *b, size_t which, struct gv_requirement *out)
{
    *out = (struct gv_requirement){ .kind = GV_REQUIRE_FEATURE,
                                    .strength = GV_PREFERRED,
                                    .name = wants[which].feature,
                                    .fallback = wants[which].fallback };
    gv_builder_require(b, out);
}

// Lines that are smooth on every device: the runtime has another way (require_desc.c).
static bool is_smooth(const struct gv_lower_pipeline_key *k)
{
    return k->line_mode == GV_LINE_MODE_RECTANGULAR_SMOOTH && !k->line_stipple &&
           (k->topology == GV_TOPOLOGY_LINE_LIST ||
            k->topology == GV_TOPOLOGY_LINE_STRIP);
}

static size_t choices_of(struct gv_builder *b, const struct gv_lower_pipeline_key *k,
                         struct gv_requirement out[GV_GL_CHOICES])
{
    size_t count = 0;
    bool smooth = k->line_mode == GV_LINE_MODE_RECTANGULAR_SMOOTH;
    if (k->line_mode && !is_smooth(k))
        want(b, (smooth ? 1u : 0u) + (k->line_stipple ? 2u : 0u), &out[count++]);
    if (k->wide_lines)
        want(b, k->wireframe ? 6 : 4, &out[count++]);
    if (k->logic)
        want(b, 5, &out[count++]);
    return count;
}

// Whether the last stage that places vertices moves them by steps of the device's grid.
static bool is_moved(const struct gv_gl_context *c, const struct gv_gl_draw *d)
{
    return gv_gl_lower_edges(c, d->part.drawn, d->targets.flipped, d->multisampled) !=
           GV_LOWER_EDGES_OFF;
}

// That the grid is a coarse one, as the stage has it.
static void describe_grid(const struct gv_gl_draw *d, struct gv_interface_desc *out)
{
    const struct gv_shader_stage *const *codes = d->stages.codes;
    for (uint32_t i = 0; i < GV_LOWER_EDGES_PUSHES; i++) {
        const float push =
            gv_lower_edges_push(GV_LOWER_EDGES_SPEC + i, GV_LOWER_COARSE_GRID);
        struct gv_spec_constant *to = &out->spec_constants[out->spec_constant_count++];
        to->stage = codes[GV_LOWER_GEOMETRY]     ? (uint32_t)GV_STAGE_GEOMETRY
                    : codes[GV_LOWER_EVALUATION] ? GV_STAGE_TESSELLATION_EVALUATION
                                                 : (uint32_t)GV_STAGE_VERTEX;
        to->id = GV_LOWER_EDGES_SPEC + i;
        memcpy(&to->value, &push, sizeof push);
    }
}

// One way, or two: the pipeline is then the one that the device can have.
static bool add(struct gv_gl *gl, const struct gv_gl_draw *d,
                const struct gv_lower_pipeline_key *k, struct gv_lower_pipeline *p,
                struct gv_error *err)
{
    struct gv_lower_pipelines *ps = &gl->drawing->pipelines;
    struct gv_lower_part parts[GV_LOWER_STAGES] = { 0 };
    struct gv_requirement rows[GV_GL_CHOICES];
    struct gv_lower_place places[GV_GL_BLOCKS];
    for (uint32_t i = 0; i < d->stages.block_count; i++)
        places[i] = d->stages.blocks[i].place;
    for (uint32_t i = 0; i < GV_LOWER_STAGES; i++)
        parts[i] = (struct gv_lower_part){ d->stages.codes[i], d->stages.modules[i],
                                           places, d->stages.block_count };
    describe_input(d, gv_lower_pipeline_begin(ps, k));
    const bool moved = is_moved(gl->context, d);
    size_t count = choices_of(gl->sink.b, k, rows);
    if (moved && !count)
        rows[count++] = gv_lower_fine_grid(gl->sink.b);
    if (!count)
        return gv_lower_pipeline_add(ps, p, k, parts, err);
    gv_builder_either_begin(gl->sink.b, rows, count);
    bool ok = gv_lower_pipeline_add(ps, p, k, parts, err);
    gv_builder_either_else(gl->sink.b);
    struct gv_lower_pipeline_key plain_key = *k;
    plain_key.line_mode = is_smooth(k) ? k->line_mode : 0;
    plain_key.line_stipple = plain_key.logic = 0;
    struct gv_graphics_desc *desc = gv_lower_pipeline_begin(ps, &plain_key);
    describe_input(d, desc);
    if (moved)
        describe_grid(d, &desc->interface);
    struct gv_pipeline plain;
    // One that was there before both ways is the same for both.
    if (ok && gv_builder_either_same(gl->sink.b, p->object))
        ok = gv_lower_pipeline_make(ps, parts, &plain, err);
    gv_builder_either_end(gl->sink.b);
    return ok;
}

struct gv_lower_pipeline *gv_gl_pipeline(struct gv_gl *gl, const struct gv_gl_draw *d,
                                         struct gv_error *err)
{
    struct gv_lower_pipeline_key k;
    fill_key(gl->context, gl->drawing, d, &k);
    struct gv_lower_pipeline *p = gv_lower_pipeline_find(&gl->drawing->pipelines, &k);
    if (p)
        return p;
    p = gv_arena_alloc(gl->sink.arena, sizeof *p);
    if (!p) {
        gv_out_of_memory(err);
        return NULL;
    }
    return add(gl, d, &k, p, err) ? p : NULL;
}
