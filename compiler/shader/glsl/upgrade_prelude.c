// What stands in front of and behind a stage's text: declarations of built-in variables
// that it uses, and a main around its own where something must run before or after.
#include "compiler/shader/glsl/point_snap.h"
#include "compiler/shader/glsl/upgrade_captures.h"
#include "resources/base/bytes.h"

#define NOTHING_WRITTEN "vec4(0.0, 0.0, 0.0, 1.0)"

// ---- what there is ----

static bool is_fragment(const struct glsl_stage *s)
{
    return s->stage == GV_STAGE_FRAGMENT;
}

// Whether the stage before writes a varying; one that nobody knows writes all.
static bool written(const struct glsl_stage *s, size_t v)
{
    return !s->before || s->before->variables[v];
}

static bool two_sided(const struct glsl_stage *s, size_t back)
{
    return s->options->two_sided && written(s, back);
}

static const struct {
    size_t color, front, back;
} colors[] = {
    { GLSL_VARIABLE_COLOR, GLSL_VARIABLE_FRONT_COLOR, GLSL_VARIABLE_BACK_COLOR },
    { GLSL_VARIABLE_SECONDARY, GLSL_VARIABLE_FRONT_SECONDARY,
      GLSL_VARIABLE_BACK_SECONDARY },
};

static bool replaces_coords(const struct glsl_stage *s)
{
    return is_fragment(s) && s->tex_coords && s->options->coord_replace;
}

static unsigned outputs(const struct glsl_stage *s)
{
    unsigned n = s->options->color_outputs;
    return n < 1 ? 1 : n > GLSL_MAX_OUTPUTS ? GLSL_MAX_OUTPUTS : n;
}

// ---- in front ----

static void write_types_and_state(const struct glsl_stage *s, struct gv_bytes *out)
{
    for (size_t i = 0; i < GLSL_VARIABLE_COUNT; i++) {
        const struct glsl_variable_row *v = &glsl_variables[i];
        if (!s->variables[i])
            continue;
        if (v->kind == GLSL_KIND_TYPE)
            gv_bytes_printf(out, "struct gv_%s { %s };\n", v->name + 3, v->type);
        else if (v->kind == GLSL_KIND_STATE)
            gv_bytes_printf(out, "uniform %s gv_%s%s;\n", v->type, v->name + 3,
                            v->array);
        else if (v->kind == GLSL_KIND_ATTRIBUTE)
            gv_bytes_printf(out, "in %s gv_%s;\n", v->type, v->name + 3);
    }
}

static void write_varying(const struct glsl_stage *s, size_t v, struct gv_bytes *out)
{
    const char *storage = is_fragment(s) ? written(s, v) ? "in " : "" : "out ";
    gv_bytes_printf(out, "%s%s gv_%s", storage, glsl_variables[v].type,
                    glsl_variables[v].name + 3);
    if (s->stage == GV_STAGE_TESSELLATION_CONTROL)
        gv_bytes_printf(out, "[]");
    if (v == GLSL_VARIABLE_TEX_COORD)
        gv_bytes_printf(out, "[%u]", s->tex_coords);
    gv_bytes_printf(out, ";\n");
}

// What the stages before have written, of all vertices of a primitive or a patch.
static void write_input(const struct glsl_stage *s, size_t v, struct gv_bytes *out)
{
    const bool given = written(s, v);
    gv_bytes_printf(out, "%s%s " GLSL_INPUT "gv_%s[%s]", given ? "in " : "",
                    glsl_variables[v].type, glsl_variables[v].name + 3,
                    given ? "" : "gl_MaxPatchVertices");
    if (v == GLSL_VARIABLE_TEX_COORD)
        gv_bytes_printf(out, "[%u]", s->tex_coords);
    gv_bytes_printf(out, ";\n");
}

static void write_colors(const struct glsl_stage *s, struct gv_bytes *out)
{
    const char *flat = s->options->flat_colors ? "flat " : "";
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
        if (!s->variables[colors[i].color])
            continue;
        gv_bytes_printf(out, "vec4 gv_%s;\n", glsl_variables[colors[i].color].name + 3);
        if (written(s, colors[i].front))
            gv_bytes_printf(out, "%sin vec4 gv_%s;\n", flat,
                            glsl_variables[colors[i].front].name + 3);
        if (two_sided(s, colors[i].back))
            gv_bytes_printf(out, "%sin vec4 gv_%s;\n", flat,
                            glsl_variables[colors[i].back].name + 3);
    }
}

static void write_outputs(const struct glsl_stage *s, struct gv_bytes *out)
{
    const char *index = s->second_color || s->second_data ? ", index = 0" : "";
    if (s->frag_color)
        gv_bytes_printf(out, "layout(location = 0%s) out vec4 gv_FragColor;\n", index);
    for (unsigned i = 1; s->frag_color && i < outputs(s); i++)
        gv_bytes_printf(out, "layout(location = %u) out vec4 gv_FragColor%u;\n", i, i);
    if (s->frag_data)
        gv_bytes_printf(out, "layout(location = 0%s) out vec4 gv_FragData[%d];\n",
                        index, *index ? 1 : GLSL_MAX_OUTPUTS);
    if (s->second_color)
        gv_bytes_printf(out, "layout(location = 0, index = 1) out vec4 "
                             "gv_SecondaryFragColor;\n");
    if (s->second_data)
        gv_bytes_printf(out, "layout(location = 0, index = 1) out vec4 "
                             "gv_SecondaryFragData[1];\n");
    if (s->frag_coord)
        gv_bytes_printf(out, "vec4 gv_FragCoord;\n");
    if (s->at_offset)
        gv_bytes_printf(out,
                        "#define gv_InterpolateAtOffset(value, offset) "
                        "interpolateAtOffset(value, (offset) * vec2(1.0, -1.0))\n");
}

static void write_distances(const struct glsl_stage *s, struct gv_bytes *out)
{
    if (s->clip_shown)
        gv_bytes_printf(out, "%s float gv_ClipDistances[%u];\n",
                        is_fragment(s) ? "in" : "out", s->clip_shown);
    else if (is_fragment(s) && s->clip_read)
        gv_bytes_printf(out,
                        "in float gl_ClipDistance[%u];\n"
                        "#define gv_ClipDistances gl_ClipDistance\n",
                        s->clip_distances);
}

void glsl_write_prelude(const struct glsl_stage *s, struct gv_bytes *out)
{
    if (s->blocks) // what says nothing is `shared`
        gv_bytes_printf(out, "#extension GL_EXT_scalar_block_layout : require\n"
                             "layout(std430) uniform;\n");
    write_types_and_state(s, out);
    for (size_t i = 0; i < GLSL_VARIABLE_COUNT; i++)
        if (s->variables[i] && glsl_variables[i].kind == GLSL_KIND_VARYING)
            write_varying(s, i, out);
    for (size_t i = 0; i < GLSL_VARIABLE_COUNT; i++)
        if (s->inputs[i])
            write_input(s, i, out);
    if (is_fragment(s)) {
        write_colors(s, out);
        write_outputs(s, out);
        glsl_declare_fetched(s, out);
    }
    if (replaces_coords(s))
        gv_bytes_printf(out,
                        "vec4 gv_ReplacedCoord[%u];\n"
                        "#define gv_TexCoord gv_ReplacedCoord\n",
                        s->tex_coords);
    write_distances(s, out);
    if (s->clip_vertex)
        gv_bytes_printf(out, "vec4 gv_ClipVertex;\n");
    glsl_declare_captures(s, out);
    if (s->last_vertex)
        gv_lower_edges_declare(s->options->lower_edges, out);
    if (s->stage == GV_STAGE_GEOMETRY && glsl_wraps_main(s))
        gv_bytes_printf(out, "void gv_Finish();\nvoid gv_Prepare();\n"
                             "vec4 gv_KeptPosition;\n"
                             "#define gv_FinishStream(stream) (gv_Prepare(), "
                             "EmitStreamVertex(stream), gv_Restore())\n"
                             "void gv_Restore();\n");
    glsl_write_helpers(s, out);
}

// ---- around main ----

// Of the stage in front of rasterisation: position, planes, colours.
static bool finishes_vertices(const struct glsl_stage *s)
{
    bool colored = s->variables[GLSL_VARIABLE_FRONT_COLOR] ||
                   s->variables[GLSL_VARIABLE_BACK_COLOR] ||
                   s->variables[GLSL_VARIABLE_FRONT_SECONDARY] ||
                   s->variables[GLSL_VARIABLE_BACK_SECONDARY];
    bool clipped = s->options->target != GV_GLSL_TARGET_AS_IS && s->clip_distances;
    return s->last_vertex &&
           (s->capture_count || s->options->depth_zero_to_one ||
            s->options->clip_planes || clipped || s->options->state_size ||
            glsl_needs_grid(s) || (s->layered && s->options->one_layer) ||
            (colored && !s->options->unclamped_colors));
}

bool glsl_wraps_main(const struct glsl_stage *s)
{
    if (s->stage == GV_STAGE_COMPUTE || s->stage == GV_STAGE_TESSELLATION_CONTROL)
        return false;
    if (!is_fragment(s))
        return finishes_vertices(s);
    return s->variables[GLSL_VARIABLE_COLOR] || s->variables[GLSL_VARIABLE_SECONDARY] ||
           s->frag_coord || replaces_coords(s) || (s->frag_color && outputs(s) > 1) ||
           (s->tex_coords && !written(s, GLSL_VARIABLE_TEX_COORD)) ||
           s->options->alpha_test || s->options->polygon_stipple || glsl_fetches(s);
}

static void clip(const struct glsl_stage *s, struct gv_bytes *out)
{
    uint32_t planes = s->options->clip_planes;
    if (s->clip_distances) { // the program's own; only those that are on count
        for (unsigned i = 0; i < s->clip_shown && i < s->clip_distances; i++)
            gv_bytes_printf(out, "  gv_ClipDistances[%u] = gl_ClipDistance[%u];\n", i,
                            i);
        for (unsigned i = 0; i < s->clip_distances; i++)
            if (i >= 32 || !(planes >> i & 1))
                gv_bytes_printf(out, "  gl_ClipDistance[%u] = 0.0;\n", i);
        return;
    }
    unsigned n = 0;
    for (unsigned i = 0; i < 8; i++)
        if (planes >> i & 1)
            gv_bytes_printf(out, "  gl_ClipDistance[%u] = dot(gv_%s[%u], %s);\n", n++,
                            s->clip_vertex ? "ClipPlane" : "UserClipPlane", i,
                            s->clip_vertex ? "gv_ClipVertex" : "gl_Position");
}

bool glsl_needs_grid(const struct glsl_stage *s)
{
    return s->options->snapped_points || s->options->lower_edges != GV_LOWER_EDGES_OFF;
}

static bool sizes_points(const struct glsl_stage *s)
{
    return s->options->snapped_points ||
           s->options->lower_edges == GV_LOWER_EDGES_POINTS;
}

// Where vertices come to lie on the target's pixels.
static void write_grid(const struct glsl_stage *s, struct gv_bytes *out)
{
    if (!glsl_needs_grid(s))
        return;
    gv_bytes_printf(out, "  vec4 gv_grid = %s;\n",
                    s->viewports ? "gv_ViewportGrids[clamp(gl_ViewportIndex, 0, 15)]"
                                 : "gv_PointGrid");
    if (s->options->snapped_points)
        gv_bytes_printf(out, GV_POINT_SNAP("gv_grid"));
    gv_lower_edges_write(s->options->lower_edges, s->options->multisampled, "gv_grid",
                         out);
}

static void finish_vertex(const struct glsl_stage *s, struct gv_bytes *out)
{
    for (size_t i = GLSL_VARIABLE_FRONT_COLOR;
         i <= GLSL_VARIABLE_BACK_SECONDARY && !s->options->unclamped_colors; i++)
        if (s->variables[i])
            gv_bytes_printf(out, "  gv_%s = clamp(gv_%s, 0.0, 1.0);\n",
                            glsl_variables[i].name + 3, glsl_variables[i].name + 3);
    glsl_write_captures(s, out);
    if (s->options->clip_planes || s->options->target != GV_GLSL_TARGET_AS_IS)
        clip(s, out);
    if (s->options->state_size)
        gv_bytes_printf(out, "  gl_PointSize = gv_StateSize;\n");
    write_grid(s, out);
    if (s->layered && s->options->one_layer)
        gv_bytes_printf(out, "  gl_Layer = 0;\n");
    if (s->options->depth_zero_to_one)
        gv_bytes_printf(out,
                        "  gl_Position.z = (gl_Position.z + gl_Position.w) * 0.5;\n");
}

static void begin_coords(const struct glsl_stage *s, struct gv_bytes *out)
{
    bool given = written(s, GLSL_VARIABLE_TEX_COORD);
    const char *point =
        s->options->point_lower_left != (s->options->target == GV_GLSL_TARGET_BOTTOM_UP)
            ? "gl_PointCoord.x, 1.0 - gl_PointCoord.y"
            : "gl_PointCoord";
    if (!replaces_coords(s)) {
        for (unsigned i = 0; i < s->tex_coords && !given; i++)
            gv_bytes_printf(out, "  gv_TexCoord[%u] = " NOTHING_WRITTEN ";\n", i);
        return;
    }
    gv_bytes_printf(out, "#undef gv_TexCoord\n");
    for (unsigned i = 0; i < s->tex_coords; i++)
        if (s->options->coord_replace >> i & 1)
            gv_bytes_printf(out, "  gv_ReplacedCoord[%u] = vec4(%s, 0.0, 1.0);\n", i,
                            point);
        else if (given)
            gv_bytes_printf(out, "  gv_ReplacedCoord[%u] = gv_TexCoord[%u];\n", i, i);
        else
            gv_bytes_printf(out, "  gv_ReplacedCoord[%u] = " NOTHING_WRITTEN ";\n", i);
}

static void begin_fragment(const struct glsl_stage *s, struct gv_bytes *out)
{
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
        if (!s->variables[colors[i].color])
            continue;
        gv_bytes_printf(out, "  gv_%s = ", glsl_variables[colors[i].color].name + 3);
        if (two_sided(s, colors[i].back))
            gv_bytes_printf(out, "!gl_FrontFacing ? gv_%s : ",
                            glsl_variables[colors[i].back].name + 3);
        if (written(s, colors[i].front))
            gv_bytes_printf(out, "gv_%s;\n", glsl_variables[colors[i].front].name + 3);
        else
            gv_bytes_printf(out, NOTHING_WRITTEN ";\n");
    }
    if (s->tex_coords)
        begin_coords(s, out);
    glsl_begin_fetched(s, out);
    if (!s->frag_coord)
        return;
    const char *y = s->variables[GLSL_VARIABLE_TARGET_HEIGHT]
                        ? "gv_TargetHeight - gl_FragCoord.y"
                        : "gl_FragCoord.y";
    gv_bytes_printf(out,
                    "  gv_FragCoord = vec4(gl_FragCoord.x, %s, gl_FragCoord.zw);\n", y);
    if (s->coord_integer)
        gv_bytes_printf(out, "  gv_FragCoord.xy -= 0.5;\n");
}

static void finish_fragment(const struct glsl_stage *s, struct gv_bytes *out)
{
    static const char *const compare[] = { NULL, NULL, "<",  "==",  "<=",
                                           ">",  "!=", ">=", "true" };
    const unsigned test = s->options->alpha_test;
    struct gv_bytes first = { 0 };
    if (s->options->polygon_stipple) // bit 31 of a row is leftmost
        gv_bytes_printf(
            out, "  int gv_row = int(abs(gv_StippleHeight - gl_FragCoord.y)) & 31;\n"
                 "  uint gv_bits = gv_StipplePattern[gv_row >> 2][gv_row & 3];\n"
                 "  if ((gv_bits >> (31 - (int(gl_FragCoord.x) & 31)) & 1u) == 0u)\n"
                 "    discard;\n");
    // What writes no colour 0 is not tested, as in Mesa.
    const bool tests =
        test && test < GV_GLSL_ALPHA_ALWAYS && glsl_first_alpha(s, &first);
    if (tests && test == GV_GLSL_ALPHA_NEVER)
        gv_bytes_printf(out, "  discard;\n");
    else if (tests)
        gv_bytes_printf(out, "  if (!(%.*s %s gv_AlphaReference)) discard;\n",
                        (int)first.size, (const char *)first.data, compare[test]);
    gv_bytes_finish(&first);
    glsl_finish_blend(s, out);
    for (unsigned i = 1; s->frag_color && i < outputs(s); i++)
        gv_bytes_printf(out, "  gv_FragColor%u = gv_FragColor;\n", i);
}

void glsl_write_main(const struct glsl_stage *s, struct gv_bytes *out)
{
    bool geometry = s->stage == GV_STAGE_GEOMETRY;
    gv_bytes_printf(out, geometry ? "\nvoid gv_Prepare()\n{\n"
                                    "  gv_KeptPosition = gl_Position;\n"
                                  : "\nvoid main()\n{\n");
    if (is_fragment(s))
        begin_fragment(s, out);
    if (s->last_vertex && !geometry && sizes_points(s))
        gv_bytes_printf(out, "  gl_PointSize = 1.0;\n"); // layers want it written first
    if (!geometry)
        gv_bytes_printf(out, "  gv_main();\n");
    if (is_fragment(s))
        finish_fragment(s, out);
    else
        finish_vertex(s, out);
    // What a text does not write again it emits again, as drivers have it.
    gv_bytes_printf(
        out, geometry ? "}\n\nvoid gv_Finish()\n{\n  gv_Prepare();\n"
                        "  EmitVertex();\n  gv_Restore();\n}\n\n"
                        "void gv_Restore()\n{\n  gl_Position = gv_KeptPosition;\n}\n"
                      : "}\n");
}
