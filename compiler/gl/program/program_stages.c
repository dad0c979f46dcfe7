// From the program in use and the context's state to the stages of a draw.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/program/program_joined.h"
#include "compiler/gl/texture/gl_texture.h"

// ---- which variant ----

static uint32_t replaced_coordinates(const struct gv_gl_state *s)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; s->point.sprite && i < GV_GL_UNITS; i++)
        bits |= (uint32_t)s->texture.units[i].coord_replace << i;
    return bits;
}

static bool is_of(const struct gv_gl_program_inputs *in,
                  enum gv_gl_primitive_class drawn)
{
    return in->drawn == drawn;
}

// Whether the state says how large points are: unless the program is to, and does.
static bool sizes_points(const struct gv_gl_executable *x,
                         const struct gv_gl_program_inputs *in)
{
    return is_of(in, GV_GL_CLASS_POINTS) &&
           !(gv_gl_program_sizes_points(in->context) && x->words & GV_GL_WORD_SIZE);
}

static uint32_t stages_of(const struct gv_gl_executable *x)
{
    uint32_t stages = 0;
    for (uint32_t i = 0; i < x->text_count; i++)
        stages |= x->stages[i];
    return stages;
}

// Whether patches are evaluated that no stage of the program controls.
static bool uncontrolled(const struct gv_gl_executable *x)
{
    const uint32_t wanted = GV_STAGE_VERTEX | GV_STAGE_TESSELLATION_EVALUATION;
    return (stages_of(x) & (wanted | GV_STAGE_TESSELLATION_CONTROL)) == wanted;
}

// Whether back faces have colours of their own: of a vertex stage of GLSL, of the fixed
// function.
static bool two_sided(const struct gv_gl_executable *x, const struct gv_gl_lighting *l)
{
    return stages_of(x) & GV_STAGE_VERTEX ? l->by_program : l->enabled && l->two_side;
}

uint32_t gv_gl_blends_advanced(const struct gv_gl_color *c)
{
    const struct gv_gl_blend *b = &c->blend[0];
    return b->enabled && !c->logic_op ? gv_gl_advanced_equation(b->equation) : 0;
}

// What of the state the texts do not mention stays as in every other variant.
static void choose(const struct gv_gl_context *c, const struct gv_gl_objects *objects,
                   const struct gv_gl_executable *x,
                   const struct gv_gl_program_inputs *in,
                   struct gv_upgrade_options *out)
{
    const struct gv_gl_state *s = &in->context->state;
    const uint32_t words = x->words;
    const bool point = words & GV_GL_WORD_POINT, color = words & GV_GL_WORD_COLOR;
    memset(out, 0, sizeof *out);
    out->es = x->es;
    out->target = words & GV_GL_WORD_ROWS && in->flipped ? GV_GLSL_TARGET_TOP_DOWN
                                                         : GV_GLSL_TARGET_BOTTOM_UP;
    out->depth_zero_to_one = in->depth_zero_to_one;
    out->flat_colors = color && s->lighting.shade_model == GL_FLAT;
    out->unclamped_colors = color && !s->lighting.clamp_vertex_color;
    out->point_lower_left = point && s->point.origin == GL_LOWER_LEFT;
    out->state_size = sizes_points(x, in);
    out->snapped_points = is_of(in, GV_GL_CLASS_POINTS) &&
                          gv_gl_snaps_points(in->context, in->multisampled);
    out->lower_edges =
        gv_gl_lower_edges(in->context, in->drawn, in->flipped, in->multisampled);
    out->multisampled = out->lower_edges != GV_LOWER_EDGES_OFF && in->multisampled;
    out->two_sided = color && two_sided(x, &s->lighting);
    out->polygon_stipple = is_of(in, GV_GL_CLASS_TRIANGLES) && s->polygon.stipple;
    out->one_layer = words & GV_GL_WORD_LAYER && !in->layered;
    out->vertex_base = words & GV_GL_WORD_VERTEX;
    out->clip_planes = s->transform.clip_enabled;
    out->parts = x->parts;
    out->patch_vertices = uncontrolled(x) ? in->context->patches.vertices : 0;
    if (in->captures && gv_gl_executable_captures(x))
        out->captures = &x->varyings.listed;
    if (words & GV_GL_WORD_SHADOW)
        out->depth_mode = gv_gl_executable_depth_mode(c, objects, x);
    gv_gl_executable_clamps(c, objects, x, out->clamps);
    out->blend = (enum gv_glsl_blend)gv_gl_blends_advanced(&s->color);
    if (words & GV_GL_WORD_COORD && is_of(in, GV_GL_CLASS_POINTS))
        out->coord_replace = replaced_coordinates(s);
    if (words & GV_GL_WORD_FRAGMENT && in->colors > 1)
        out->color_outputs = in->colors;
    if (s->color.alpha_test && in->context->family == GV_GL_DESKTOP &&
        !in->context->core && s->color.alpha_func - GL_NEVER <= GL_ALWAYS - GL_NEVER)
        out->alpha_test =
            (enum gv_glsl_alpha)(GV_GLSL_ALPHA_NEVER + s->color.alpha_func - GL_NEVER);
}

// The variant that will most likely be drawn with.
static void guess(const struct gv_gl_context *c, const struct gv_gl_objects *objects,
                  struct gv_builder *b, const struct gv_gl_executable *x,
                  struct gv_upgrade_options *out)
{
    const struct gv_gl_program_inputs in = {
        .context = c,
        .flipped = !c->draw_framebuffer,
        .colors = 1,
        .drawn = GV_GL_CLASS_TRIANGLES,
        .depth_zero_to_one = !gv_builder_target_has_feature(b, "depthClipControl"),
    };
    choose(c, objects, x, &in, out);
}

// After a link: what is drawn with, of the two. One that failed here alone is that of
// the recording: nothing is drawn with it.
static void settle(struct gv_gl_program *p)
{
    struct gv_gl_executable *unused = p->before;
    if (!unused || (p->executable->status != GV_GL_LINKED && p->executable->passed))
        return;
    if (p->executable->status != GV_GL_LINKED) {
        unused = p->executable;
        p->executable = p->before;
        p->unlinked = true;
    }
    p->before = NULL;
    gv_gl_executable_free(unused);
}

static bool link_executable(struct gv_gl *gl, struct gv_gl_program *p,
                            struct gv_error *err)
{
    struct gv_gl_executable *x = p->executable;
    struct gv_upgrade_options options;
    bool ok = true;
    x->status = GV_GL_LINK_FAILED;
    if (x->impossible || x->refused)
        return true;
    guess(gl->context, &gl->objects, gl->sink.b, x, &options);
    if (gv_gl_find_variant(gl, p, &options, &ok, err))
        x->status = GV_GL_LINKED;
    return ok;
}

bool gv_gl_link_now(struct gv_gl *gl, struct gv_gl_program *p, struct gv_error *err)
{
    if (!gv_gl_join_stages(gl, p, err))
        return false;
    const struct gv_gl_executable *x = p->executable;
    if (!x || x->status != GV_GL_LINK_OPEN || !gl->context)
        return true;
    if (!link_executable(gl, p, err))
        return false;
    settle(p);
    return true;
}

// ---- attributes ----

static uint32_t legacy_slot(const char *name)
{
    static const struct {
        const char *name;
        uint32_t slot;
    } rows[] = {
        { "gl_Vertex", GV_GL_POSITION },    { "gl_Normal", GV_GL_NORMAL },
        { "gl_Color", GV_GL_COLOR },        { "gl_SecondaryColor", GV_GL_SECONDARY },
        { "gl_FogCoord", GV_GL_FOG_COORD },
    };
    static const char unit[] = "gl_MultiTexCoord";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(name, rows[i].name))
            return rows[i].slot;
    if (!strncmp(name, unit, sizeof unit - 1))
        return GV_GL_TEXCOORD + ((uint32_t)name[sizeof unit - 1] - '0') % GV_GL_UNITS;
    return GV_GL_POSITION;
}

// Where GL has an attribute: as the recorded driver said, else as it was linked.
static uint32_t generic_location(const struct gv_gl_program *p,
                                 const struct gv_glsl_attribute *a)
{
    if (p->joined)
        p = p->joined->stages[0];
    const struct gv_gl_numbered *n =
        gv_gl_numbered(&p->executable->told_attributes, a->name);
    return n ? (uint32_t)n->number : a->number;
}

// The location `column` of an attribute, of which GL's first one is slot `first`.
static void add_input(struct gv_gl_stages *out, const struct gv_glsl_attribute *a,
                      uint32_t column, uint32_t first)
{
    const uint32_t each = a->in_column ? a->in_column : 1;
    uint32_t slot = first + column / each;
    // Each location once, and fed by something, whatever was told or bound.
    for (uint32_t i = 0; i < out->input_count; i++)
        if (out->inputs[i].location == a->location + column)
            return;
    if (out->input_count == GV_MAX_VERTEX_ATTRIBUTES)
        return;
    if (slot >= GV_GL_SLOTS)
        slot = GV_GL_SLOTS - 1;
    out->inputs[out->input_count++] =
        (struct gv_gl_stage_input){ .location = (uint8_t)(a->location + column),
                                    .slot = (uint8_t)slot,
                                    .scalar = (uint8_t)a->type.scalar,
                                    .behind = column % each != 0 };
}

// NULL, or what is not lowered.
static const struct gv_gl_lack *set_inputs(const struct gv_gl_program *p,
                                           const struct gv_gl_compiled *c,
                                           struct gv_gl_stages *out)
{
    for (size_t i = 0; i < c->program.attribute_count; i++) {
        const struct gv_glsl_attribute *a = &c->program.attributes[i];
        const bool legacy = !strncmp(a->name, "gl_", 3);
        const uint32_t first =
            legacy ? legacy_slot(a->name) : GV_GL_GENERIC + generic_location(p, a);
        const uint32_t count = a->type.columns * (a->array_size ? a->array_size : 1);
        for (uint32_t k = 0; k < count && k < GV_GL_SLOTS; k++)
            add_input(out, a, k, first);
        if (a->type.scalar == GV_GLSL_DOUBLE)
            return GV_GL_LACK(DOUBLE_ATTRIBUTES);
    }
    return NULL;
}

// ---- blocks ----

static const struct gv_gl_stage_block *same_block(const struct gv_gl_stages *s,
                                                  uint32_t block)
{
    for (uint32_t i = 0; i < s->block_count; i++)
        if (s->blocks[i].block == block)
            return &s->blocks[i];
    return NULL;
}

// NULL, or what cannot be bound.
static const struct gv_gl_lack *add_block(const struct gv_gl *gl,
                                          const struct gv_gl_program *p,
                                          const struct gv_gl_compiled *c,
                                          const struct gv_binding_desc *b,
                                          struct gv_gl_stages *out)
{
    const uint32_t block = gv_gl_block_of(&c->program, b);
    if (block == GV_GLSL_NONE)
        return GV_GL_LACK(NAMELESS_BLOCK);
    const struct gv_glsl_block *r = &c->program.reflection.blocks[block];
    if (r->array_size || gv_gl_is_device_block(gl->context, &gl->objects, p, r))
        return gv_gl_add_storage(p, c, block, b, out);
    for (uint32_t i = 0; i < out->block_count; i++)
        if (out->blocks[i].place.set == b->set &&
            out->blocks[i].place.binding == b->binding)
            return NULL;
    const uint32_t size = (r->size + 15u) & ~15u;
    const struct gv_gl_stage_block *same = same_block(out, block);
    if (out->block_count == GV_GL_BLOCKS || size > GV_GL_UNIFORM_BYTES - out->bytes)
        return GV_GL_LACK(UNIFORMS);
    struct gv_gl_stage_block *to = &out->blocks[out->block_count++];
    *to = (struct gv_gl_stage_block){
        .place = { b->set, b->binding, 0 },
        .bytes = size,
        .offset = same ? same->offset : out->bytes,
        .id = (UINT64_C(1) << 40) + (c->serial << 20 | block),
        .block = block,
    };
    out->bytes += same ? 0 : size;
    return NULL;
}

// ---- textures ----

// Whether the text treats an element's coordinates as its texture wants it.
static bool clamps_as_first(const struct gv_gl_context *c,
                            const struct gv_gl_objects *objects,
                            const struct gv_gl_variant *v, size_t sampler,
                            uint32_t unit)
{
    const struct gv_glsl_sampler *s =
        &v->compiled->program.reflection.samplers[sampler];
    const uint32_t does =
        sampler < GV_MAX_GLSL_CLAMPED ? v->options.clamps[sampler] : 0;
    return c->family != GV_GL_DESKTOP ||
           gv_gl_clamp_of_unit(c, objects, unit, gv_gl_sampler_target(s)) ==
               (does & ~(GV_SPIRV_WRAP_REFERENCE | GV_SPIRV_WRAP_FOUR));
}

static const struct gv_gl_lack *add_textures(const struct gv_gl_context *c,
                                             const struct gv_gl_objects *objects,
                                             const struct gv_gl_variant *v,
                                             struct gv_gl_stages *out)
{
    const struct gv_glsl_program *g = &v->compiled->program;
    for (size_t i = 0; i < g->reflection.sampler_count; i++) {
        const struct gv_glsl_sampler *s = &g->reflection.samplers[i];
        const struct gv_glsl_resource *r = &g->resources[s->resource];
        const struct gv_gl_uniform *u = v->samplers[i];
        const uint32_t count = s->array_size ? s->array_size : 1;
        for (uint32_t e = 0; e < count; e++) {
            const uint32_t unit = u && e < u->elements ? u->values[e] : 0;
            const struct gv_gl_lack *missing =
                s->image ? gv_gl_add_image(v, s, e, unit, out) : NULL;
            if (missing)
                return missing;
            if (s->image)
                continue;
            if (out->texture_count == GV_GL_SAMPLED)
                return GV_GL_LACK(TEXTURES);
            const uint8_t fetch = s->fetch ? (uint8_t)(s->fetch + e) : 0;
            out->fetches = out->fetches || fetch;
            if (!fetch && (e || i >= GV_MAX_GLSL_CLAMPED) &&
                !clamps_as_first(c, objects, v, i, unit))
                return GV_GL_LACK(CLAMPED_ARRAY);
            out->textures[out->texture_count++] = (struct gv_gl_stage_texture){
                .place = { 2, r->binding, s->element + e },
                .unit = unit,
                .target = (uint8_t)gv_gl_sampler_target(s),
                .scalar = (uint8_t)s->scalar,
                .shadow = s->shadow,
                .fetch = fetch,
                .four = g->filters_depth && i < GV_MAX_GLSL_CLAMPED &&
                        v->options.clamps[i] & GV_SPIRV_WRAP_FOUR,
            };
        }
    }
    return NULL;
}

// ---- stages ----

static uint32_t place_of(uint32_t stage)
{
    switch (stage) {
    case GV_STAGE_VERTEX:
        return GV_LOWER_VERTEX;
    case GV_STAGE_TESSELLATION_CONTROL:
        return GV_LOWER_CONTROL;
    case GV_STAGE_TESSELLATION_EVALUATION:
        return GV_LOWER_EVALUATION;
    case GV_STAGE_GEOMETRY:
        return GV_LOWER_GEOMETRY;
    default:
        return stage == GV_STAGE_FRAGMENT ? GV_LOWER_FRAGMENT : GV_LOWER_COMPUTE;
    }
}

static const struct gv_gl_lack *set_stage(const struct gv_gl *gl,
                                          const struct gv_gl_program *p,
                                          const struct gv_gl_compiled *c, uint32_t i,
                                          struct gv_gl_stages *out)
{
    const struct gv_shader_stage *s = &c->program.stages[i];
    const uint32_t at = place_of(s->stage);
    out->codes[at] = s;
    out->modules[at] = c->modules[i];
    out->serials[at] = c->serials[i];
    for (uint32_t k = 0; k < s->binding_count; k++) {
        const struct gv_binding_desc *b = &s->bindings[k];
        const struct gv_gl_lack *missing = NULL;
        if (b->type == GV_BINDING_STORAGE_BUFFER)
            missing = gv_gl_add_storage(p, c, gv_gl_block_of(&c->program, b), b, out);
        else if (b->type == GV_BINDING_UNIFORM_BUFFER)
            missing = add_block(gl, p, c, b, out);
        if (missing)
            return missing;
    }
    return NULL;
}

// NULL, or what is not lowered.
static const struct gv_gl_lack *set_stages(const struct gv_gl *gl,
                                           const struct gv_gl_program *p,
                                           const struct gv_gl_variant *v,
                                           struct gv_gl_stages *out)
{
    const struct gv_gl_compiled *c = v->compiled;
    const struct gv_gl_lack *missing = NULL;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < c->program.count && !missing; i++)
        missing = set_stage(gl, p, c, i, out);
    // What has no vertices or no fragments goes with the fixed function.
    const bool whole = out->codes[GV_LOWER_COMPUTE] ||
                       (!gl->context->core && gl->context->family == GV_GL_DESKTOP);
    if (!missing && !whole && !out->codes[GV_LOWER_VERTEX])
        missing = GV_GL_LACK(NO_VERTEX_SHADER);
    if (!missing && !whole && !out->codes[GV_LOWER_FRAGMENT] && !v->options.captures)
        missing = GV_GL_LACK(NO_FRAGMENT_SHADER);
    if (!missing)
        missing = add_textures(gl->context, &gl->objects, v, out);
    if (!missing)
        missing = set_inputs(p, c, out);
    memcpy(out->captured, c->program.captured, sizeof out->captured);
    out->primitives = v->executable->words & GV_GL_WORD_PRIMITIVE;
    out->modern = v->executable->words & GV_GL_WORD_MODERN;
    out->draws = v->executable->words & GV_GL_WORD_DRAW;
    out->viewports = v->executable->words & GV_GL_WORD_VIEWPORT;
    out->based = v->executable->words & GV_GL_WORD_BASE;
    out->alone = v->executable->words & (GV_GL_WORD_VERTEX | GV_GL_WORD_INSTANCE);
    return missing;
}

const struct gv_gl_variant *gv_gl_program_stages(struct gv_gl *gl,
                                                 const struct gv_gl_program_inputs *in,
                                                 struct gv_gl_stages *out, bool *ok,
                                                 struct gv_error *err)
{
    struct gv_gl_program *p = in->context->program;
    struct gv_upgrade_options options;
    *ok = gv_gl_link_now(gl, p, err);
    if (!*ok || !p->executable || p->executable->status != GV_GL_LINKED)
        return NULL;
    choose(gl->context, &gl->objects, p->executable, in, &options);
    const struct gv_gl_variant *v = gv_gl_find_variant(gl, p, &options, ok, err);
    if (!v)
        return NULL;
    const struct gv_gl_lack *missing = set_stages(gl, p, v, out);
    if (missing)
        *ok = gv_gl_unsupported(&gl->sink, missing);
    return missing ? NULL : v;
}
