#include "compiler/shader/emit_internal.h"

#include <stdlib.h>
#include <string.h>

#define OUT(...) gv_bytes_printf(&e->interface, __VA_ARGS__)
#define DEFAULT_REGISTER "uvec4(0u, 0u, 0u, 0x3f800000u)" // missing components: 0 0 0 1

static const char component_names[] = "xyzw";

static int first_component(uint8_t mask)
{
    for (int i = 0; i < 4; i++)
        if (mask >> i & 1)
            return i;
    return 0;
}

// ---- tables for the front-end ----

// The signature's elements plus one for each register used without one.
static struct gv_dxbc_element *complete(struct emitter *e,
                                        const struct gv_dxbc_element *from,
                                        uint32_t count, const bool *used,
                                        uint32_t *out_count)
{
    struct gv_dxbc_element *all = gv_arena_array(
        e->shader->arena, (size_t)count + GV_DXBC_MAX_REGISTERS, sizeof *all);
    if (!all) {
        gv_fail(e->err, GV_ERR_SYSTEM, GV_NO_OFFSET, "out of memory");
        return NULL;
    }
    if (count)
        memcpy(all, from, count * sizeof *all);
    *out_count = count;
    for (uint32_t n = 0; n < GV_DXBC_MAX_REGISTERS; n++) {
        bool known = !used[n];
        for (uint32_t i = 0; i < count; i++)
            known |= all[i].reg == n;
        if (!known)
            all[(*out_count)++] = (struct gv_dxbc_element){ .reg = n,
                                                            .location = UINT32_MAX,
                                                            .semantic_index = n,
                                                            .name = "",
                                                            .mask = 0xf };
    }
    return all;
}

// ---- inputs ----

static void register_name(struct emitter *e, const char *name, uint32_t n, bool array)
{
    emit_text(e, array ? "%s[%u]" : "%s%u", name, n);
}

static bool per_vertex_stage(const struct emitter *e)
{
    return e->shader->stage == GV_DXBC_GEOMETRY || e->shader->stage == GV_DXBC_HULL ||
           e->shader->stage == GV_DXBC_DOMAIN;
}

static bool arrayed(const struct emitter *e, uint32_t n)
{
    return per_vertex_stage(e) &&
           (e->usage->input_arrayed[n] || e->usage->inputs_relative);
}

// How an input's element comes from a built-in; NULL: it has a location.
static const char *input_builtin(const struct emitter *e,
                                 const struct gv_dxbc_element *x)
{
    enum gv_dxbc_stage stage = e->shader->stage;
    bool pixel = stage == GV_DXBC_PIXEL;
    switch (x->system_value) {
    case GV_DXBC_SV_POSITION: // Direct3D's w is the reciprocal of Vulkan's
        return pixel ? "asuint(vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w))"
               : stage == GV_DXBC_GEOMETRY || stage == GV_DXBC_HULL
                   ? "asuint(gl_in[i].gl_Position)"
                   : NULL;
    case GV_DXBC_SV_VERTEX_ID: // counts from zero, whatever the draw's base
        return stage == GV_DXBC_VERTEX ? "uvec4(gl_VertexIndex - gl_BaseVertex)" : NULL;
    case GV_DXBC_SV_INSTANCE_ID:
        return stage == GV_DXBC_VERTEX ? "uvec4(gl_InstanceIndex - gl_BaseInstance)"
                                       : NULL;
    case GV_DXBC_SV_PRIMITIVE_ID:
        return stage == GV_DXBC_GEOMETRY ? "uvec4(gl_PrimitiveIDIn)"
                                         : "uvec4(gl_PrimitiveID)";
    case GV_DXBC_SV_FRONT_FACE:
        return pixel ? "uvec4(gl_FrontFacing ? 0xffffffffu : 0u)" : NULL;
    case GV_DXBC_SV_SAMPLE_INDEX:
        return pixel ? "uvec4(gl_SampleID)" : NULL;
    case GV_DXBC_SV_LAYER:
        return pixel ? "uvec4(gl_Layer)" : NULL;
    case GV_DXBC_SV_VIEWPORT:
        return pixel ? "uvec4(gl_ViewportIndex)" : NULL;
    case GV_DXBC_SV_CONTROL_POINT_ID:
        return "uvec4(gl_InvocationID)";
    case GV_DXBC_SV_DOMAIN_LOCATION:
        return "asuint(vec4(gl_TessCoord, 0.0))";
    default:
        return NULL;
    }
}

static const char *interpolation(const struct emitter *e,
                                 const struct gv_dxbc_element *x)
{
    static const char *const qualifiers[] = { // D3D10_SB_INTERPOLATION_MODE
                                              "",
                                              "flat ",
                                              "",
                                              "centroid ",
                                              "noperspective ",
                                              "noperspective centroid ",
                                              "sample ",
                                              "noperspective sample "
    };
    uint8_t mode = e->shader->interpolation[x->reg];
    if (e->shader->stage != GV_DXBC_PIXEL)
        return "";
    if (x->component != GV_DXBC_FLOAT)
        return "flat ";
    return mode < 8 ? qualifiers[mode] : "";
}

static const char *vector_type(uint32_t component)
{
    return component == GV_DXBC_UINT   ? "uvec4"
           : component == GV_DXBC_SINT ? "ivec4"
                                       : "vec4";
}

// Between stages every variable is a vec4, whatever its numbers: both sides agree.
static void declare_input(struct emitter *e, const struct gv_dxbc_element *x)
{
    bool vertex = e->shader->stage == GV_DXBC_VERTEX;
    OUT("layout(location = %u) %sin %s in%u%s;\n", x->reg, interpolation(e, x),
        vertex ? vector_type(x->component) : "vec4", x->reg,
        arrayed(e, x->reg) ? "[]" : "");
}

static bool missing(const struct emitter *e, uint32_t reg)
{
    return e->shader->options && e->shader->options->missing_inputs >> reg & 1;
}

static void load_plain(struct emitter *e, const struct gv_dxbc_element *x)
{
    bool integer = x->component != GV_DXBC_FLOAT && e->shader->stage == GV_DXBC_VERTEX;
    emit_indent(e);
    register_name(e, "v", x->reg, e->usage->inputs_relative);
    emit_text(e, arrayed(e, x->reg) ? "[i] = " : " = ");
    if (missing(e, x->reg))
        emit_text(e, "uvec4(0u);\n");
    else
        emit_text(e, "%s(in%u%s);\n", integer ? "uvec4" : "asuint", x->reg,
                  arrayed(e, x->reg) ? "[i]" : "");
}

static void mask_suffix(struct emitter *e, uint8_t mask)
{
    if ((mask & 0xf) == 0xf || !(mask & 0xf))
        return;
    emit_text(e, ".");
    for (int i = 0; i < 4; i++)
        if (mask >> i & 1)
            emit_text(e, "%c", component_names[i]);
}

static void load_builtin(struct emitter *e, const struct gv_dxbc_element *x,
                         const char *value)
{
    bool whole = x->system_value == GV_DXBC_SV_POSITION ||
                 x->system_value == GV_DXBC_SV_DOMAIN_LOCATION;
    uint8_t mask = whole ? 0xf : x->mask;
    emit_indent(e);
    register_name(e, "v", x->reg, e->usage->inputs_relative);
    emit_text(e, arrayed(e, x->reg) ? "[i]" : "");
    mask_suffix(e, mask);
    emit_text(e, " = %s", value);
    mask_suffix(e, mask);
    emit_text(e, ";\n");
}

static void load_clip(struct emitter *e, const struct gv_dxbc_element *x,
                      const char *name, uint32_t *count)
{
    for (int c = 0; c < 4; c++) {
        if (!(x->mask >> c & 1))
            continue;
        emit_indent(e);
        register_name(e, "v", x->reg, e->usage->inputs_relative);
        emit_text(e, ".%c = asuint(%s[%u]);\n", component_names[c], name, (*count)++);
    }
}

struct clips {
    uint32_t clip, cull;
};

static bool load_element(struct emitter *e, struct gv_dxbc_element *x,
                         struct clips *clips, uint32_t *declared)
{
    const char *builtin = input_builtin(e, x);
    bool clip = x->system_value == GV_DXBC_SV_CLIP_DISTANCE;
    bool cull = x->system_value == GV_DXBC_SV_CULL_DISTANCE;
    if (builtin) {
        load_builtin(e, x, builtin);
    } else if ((clip || cull) && e->shader->stage == GV_DXBC_PIXEL) {
        load_clip(e, x, clip ? "gl_ClipDistance" : "gl_CullDistance",
                  clip ? &clips->clip : &clips->cull);
    } else {
        x->location = missing(e, x->reg) ? UINT32_MAX : x->reg;
        if (*declared >> x->reg & 1)
            return true; // packed with another element
        *declared |= 1u << x->reg;
        if (per_vertex_stage(e) && !arrayed(e, x->reg))
            return gv_fail(e->err, GV_ERR_FORMAT, e->shader->offset,
                           "input v%u is read without a vertex index", x->reg);
        if (!missing(e, x->reg))
            declare_input(e, x);
        load_plain(e, x);
    }
    return true;
}

static uint32_t vertex_slots(const struct emitter *e)
{
    uint32_t n = e->usage->vertex_count, least = e->out->input_primitive;
    return n > least ? n : least ? least : 1;
}

static bool declare_input_registers(struct emitter *e)
{
    if (e->usage->inputs_relative) {
        OUT(per_vertex_stage(e) ? "uvec4 v[%d][%u];\n" : "uvec4 v[%d];\n",
            GV_DXBC_MAX_REGISTERS, vertex_slots(e));
        return true;
    }
    for (uint32_t n = 0; n < GV_DXBC_MAX_REGISTERS; n++) {
        if (!e->usage->inputs[n])
            continue;
        if (e->usage->input_arrayed[n] &&
            (e->usage->input_plain[n] || !per_vertex_stage(e)))
            return gv_fail(e->err, GV_ERR_FORMAT, e->shader->offset,
                           "input v%u is read with and without a vertex index", n);
        if (arrayed(e, n))
            OUT("uvec4 v%u[%u];\n", n, vertex_slots(e));
        else
            OUT("uvec4 v%u = " DEFAULT_REGISTER ";\n", n);
    }
    return true;
}

static bool any_arrayed(const struct emitter *e)
{
    for (uint32_t n = 0; n < GV_DXBC_MAX_REGISTERS; n++)
        if (e->usage->inputs[n] && arrayed(e, n))
            return true;
    return false;
}

static bool wanted(const struct emitter *e, const struct gv_dxbc_element *x)
{
    return x->reg < GV_DXBC_MAX_REGISTERS &&
           (e->usage->inputs[x->reg] || e->usage->inputs_relative);
}

static bool load_all(struct emitter *e, bool arrays)
{
    struct clips clips = { 0, 0 };
    uint32_t declared = 0;
    for (uint32_t i = 0; i < e->out->input_count; i++) {
        struct gv_dxbc_element *x = &e->out->inputs[i];
        if (wanted(e, x) && arrayed(e, x->reg) == arrays &&
            !load_element(e, x, &clips, &declared))
            return false;
    }
    if (clips.clip)
        OUT("in float gl_ClipDistance[%u];\n", clips.clip);
    if (clips.cull)
        OUT("in float gl_CullDistance[%u];\n", clips.cull);
    return true;
}

static void load_patch(struct emitter *e);

static bool inputs(struct emitter *e)
{
    e->out->inputs = complete(e, e->shader->inputs, e->shader->input_count,
                              e->usage->inputs, &e->out->input_count);
    if (!e->out->inputs || !declare_input_registers(e))
        return false;
    emit_line(e, "void load_inputs()");
    emit_line(e, "{");
    e->indent++;
    if (!load_all(e, false))
        return false;
    if (any_arrayed(e)) {
        bool patch = e->shader->stage != GV_DXBC_GEOMETRY;
        emit_line(e, "for (int i = 0; i < %s%u%s; i++) {", patch ? "min(" : "",
                  patch ? vertex_slots(e) : e->out->input_primitive,
                  patch ? ", gl_PatchVerticesIn)" : "");
        e->indent++;
        if (!load_all(e, true))
            return false;
        e->indent--;
        emit_line(e, "}");
    }
    if (e->shader->stage == GV_DXBC_DOMAIN)
        load_patch(e);
    e->indent--;
    emit_line(e, "}");
    return true;
}

// Patch constants as a domain shader reads them.
static void load_patch(struct emitter *e)
{
    uint32_t declared = 0;
    for (uint32_t n = 0; n < GV_DXBC_MAX_REGISTERS; n++)
        if (e->usage->patch[n])
            OUT("uvec4 vpc%u = uvec4(0u);\n", n);
    for (uint32_t i = 0; i < e->shader->patch_count; i++) {
        const struct gv_dxbc_element *x = &e->shader->patch[i];
        if (x->reg >= GV_DXBC_MAX_REGISTERS || !e->usage->patch[x->reg])
            continue;
        uint32_t level = 0;
        const char *array = emit_tess_level(x, &level);
        for (int c = 0; c < 4 && array; c++)
            if (x->mask >> c & 1 && level < EMIT_TESS_LEVELS(array))
                emit_line(e, "vpc%u.%c = asuint(%s[%u]);", x->reg, component_names[c],
                          array, level++);
        if (array || declared >> x->reg & 1)
            continue;
        declared |= 1u << x->reg;
        OUT("layout(location = %u) patch in vec4 patch%u;\n",
            EMIT_PATCH_LOCATION(x->reg), x->reg);
        emit_line(e, "vpc%u = asuint(patch%u);", x->reg, x->reg);
    }
}

// ---- outputs ----

static void store_scalar(struct emitter *e, const char *to, const char *convert,
                         const struct gv_dxbc_element *x)
{
    emit_indent(e);
    emit_text(e, "%s = %s(", to, convert);
    register_name(e, "o", x->reg, e->usage->outputs_relative);
    emit_text(e, ".%c);\n", component_names[first_component(x->mask)]);
}

static void store_clip(struct emitter *e, const char *name,
                       const struct gv_dxbc_element *x, uint32_t *count)
{
    for (int c = 0; c < 4; c++) {
        if (!(x->mask >> c & 1))
            continue;
        emit_indent(e);
        emit_text(e, "%s[%u] = asfloat(", name, (*count)++);
        register_name(e, "o", x->reg, e->usage->outputs_relative);
        emit_text(e, ".%c);\n", component_names[c]);
    }
}

static void store_position(struct emitter *e, const struct gv_dxbc_element *x)
{
    emit_indent(e);
    emit_text(e, "gl_Position = asfloat(");
    register_name(e, "o", x->reg, e->usage->outputs_relative);
    emit_text(e, ");\n");
    e->out->writes_position = true;
}

static void store_varying(struct emitter *e, struct gv_dxbc_element *x,
                          uint32_t *declared)
{
    x->location = x->reg;
    if (*declared >> x->reg & 1)
        return;
    *declared |= 1u << x->reg;
    OUT("layout(location = %u) out vec4 out%u;\n", x->reg, x->reg);
    emit_indent(e);
    emit_text(e, "out%u = asfloat(", x->reg);
    register_name(e, "o", x->reg, e->usage->outputs_relative);
    emit_text(e, ");\n");
}

static void store_vertex_element(struct emitter *e, struct gv_dxbc_element *x,
                                 struct clips *clips, uint32_t *declared)
{
    switch (x->system_value) {
    case GV_DXBC_SV_POSITION:
        store_position(e, x);
        break;
    case GV_DXBC_SV_CLIP_DISTANCE:
        store_clip(e, "gl_ClipDistance", x, &clips->clip);
        break;
    case GV_DXBC_SV_CULL_DISTANCE:
        store_clip(e, "gl_CullDistance", x, &clips->cull);
        break;
    case GV_DXBC_SV_POINT_SIZE:
        store_scalar(e, "gl_PointSize", "asfloat", x);
        break;
    case GV_DXBC_SV_LAYER:
        store_scalar(e, "gl_Layer", "int", x);
        break;
    case GV_DXBC_SV_VIEWPORT:
        store_scalar(e, "gl_ViewportIndex", "int", x);
        break;
    case GV_DXBC_SV_PRIMITIVE_ID:
        if (e->shader->stage == GV_DXBC_GEOMETRY) {
            store_scalar(e, "gl_PrimitiveID", "int", x);
            break;
        }
        store_varying(e, x, declared);
        break;
    default:
        store_varying(e, x, declared);
        break;
    }
}

static const char *depth_layout(uint32_t value)
{
    return value == GV_DXBC_SV_DEPTH_GREATER ? "depth_greater"
           : value == GV_DXBC_SV_DEPTH_LESS  ? "depth_less"
                                             : NULL;
}

static void store_depth(struct emitter *e, const struct gv_dxbc_element *x)
{
    const char *layout = depth_layout(x->system_value);
    if (e->out->writes_depth)
        return;
    e->out->writes_depth = true;
    if (layout)
        OUT("layout(%s) out float gl_FragDepth;\n", layout);
    if (x->reg < GV_DXBC_MAX_REGISTERS && !e->usage->files[IR_FILE_DEPTH])
        store_scalar(e, "gl_FragDepth", "asfloat", x);
    else if (e->usage->files[IR_FILE_DEPTH])
        emit_line(e, "gl_FragDepth = asfloat(oDepth.x);");
}

static bool store_target(struct emitter *e, struct gv_dxbc_element *x)
{
    uint32_t target = x->system_value == GV_DXBC_SV_TARGET ? x->semantic_index : x->reg;
    if (target >= GV_MAX_COLOR_ATTACHMENTS)
        return gv_fail(e->err, GV_ERR_FORMAT, e->shader->offset,
                       "colour target %u is out of range", target);
    if (e->out->targets >> target & 1)
        return true; // two elements, one target: the first counts
    e->out->targets |= 1u << target;
    x->location = target;
    const char *type = vector_type(x->component);
    OUT("layout(location = %u) out %s target%u;\n", target, type, target);
    emit_indent(e);
    emit_text(e, "target%u = %s(", target,
              x->component == GV_DXBC_FLOAT ? "asfloat" : type);
    register_name(e, "o", x->reg, e->usage->outputs_relative);
    emit_text(e, ");\n");
    return true;
}

static bool store_pixel_element(struct emitter *e, struct gv_dxbc_element *x)
{
    switch (x->system_value) {
    case GV_DXBC_SV_DEPTH:
    case GV_DXBC_SV_DEPTH_GREATER:
    case GV_DXBC_SV_DEPTH_LESS:
        store_depth(e, x);
        return true;
    case GV_DXBC_SV_COVERAGE:
    case GV_DXBC_SV_STENCIL_REF:
        return true; // by register file
    default:
        return x->reg >= GV_DXBC_MAX_REGISTERS || store_target(e, x);
    }
}

static void declare_output_registers(struct emitter *e)
{
    bool vertex = e->shader->stage != GV_DXBC_PIXEL;
    const char *initial = vertex ? DEFAULT_REGISTER : "uvec4(0u)";
    if (e->usage->outputs_relative) {
        OUT("uvec4 o[%d];\n", GV_DXBC_MAX_REGISTERS);
        return;
    }
    bool needed[GV_DXBC_MAX_REGISTERS] = { false };
    for (uint32_t i = 0; i < e->out->output_count; i++)
        if (e->out->outputs[i].reg < GV_DXBC_MAX_REGISTERS)
            needed[e->out->outputs[i].reg] = true;
    for (uint32_t n = 0; n < GV_DXBC_MAX_REGISTERS; n++)
        if (needed[n])
            OUT("uvec4 o%u = %s;\n", n, initial);
}

static void alpha_test(struct emitter *e)
{
    // By GV_COMPARE_*; NULL: never and always.
    static const char *const passes[] = {
        NULL, "<", "==", "<=", ">", "!=", ">=", NULL
    };
    uint32_t test = e->shader->options ? e->shader->options->alpha_test : 0;
    if (!test || test > 8 || !(e->out->targets & 1) || e->shader->model != GV_DXBC_D3D9)
        return;
    if (test == 1) {
        emit_line(e, "discard;");
    } else if (passes[test - 1]) {
        e->out->uses_extra = true;
        emit_line(e, "if (!(target0.w %s extra.z))", passes[test - 1]);
        emit_line(e, "  discard;");
    }
}

static bool store_pixel(struct emitter *e)
{
    for (uint32_t i = 0; i < e->out->output_count; i++)
        if (!store_pixel_element(e, &e->out->outputs[i]))
            return false;
    if (e->usage->files[IR_FILE_DEPTH]) {
        OUT("uvec4 oDepth = uvec4(0u);\n");
        struct gv_dxbc_element plain = { .reg = UINT32_MAX };
        store_depth(e, &plain);
    }
    if (e->usage->files[IR_FILE_COVERAGE]) {
        OUT("uvec4 oMask = uvec4(0xffffffffu);\n");
        emit_line(e, "gl_SampleMask[0] = int(oMask.x);");
    }
    alpha_test(e);
    return true;
}

static void half_pixel(struct emitter *e)
{
    if (!e->shader->options || !e->shader->options->half_pixel ||
        e->shader->model != GV_DXBC_D3D9 || !e->out->writes_position)
        return;
    e->out->uses_extra = true;
    emit_line(e, "gl_Position.xy += vec2(-gl_Position.w, gl_Position.w) / extra.xy;");
}

static bool writes(const struct emitter *e, uint32_t system_value)
{
    for (uint32_t i = 0; i < e->out->output_count; i++)
        if (e->out->outputs[i].system_value == system_value)
            return true;
    return false;
}

static void store_vertex(struct emitter *e)
{
    struct clips clips = { 0, 0 };
    uint32_t declared = 0;
    for (uint32_t i = 0; i < e->out->output_count; i++)
        if (e->out->outputs[i].reg < GV_DXBC_MAX_REGISTERS)
            store_vertex_element(e, &e->out->outputs[i], &clips, &declared);
    if (clips.clip)
        OUT("out float gl_ClipDistance[%u];\n", clips.clip);
    if (clips.cull)
        OUT("out float gl_CullDistance[%u];\n", clips.cull);
    enum gv_dxbc_stage stage = e->shader->stage;
    bool points = stage == GV_DXBC_VERTEX ||
                  (stage == GV_DXBC_GEOMETRY && e->shader->topology == 1) ||
                  (stage == GV_DXBC_DOMAIN && emit_domain_primitive(e) == 1);
    if (points && !writes(e, GV_DXBC_SV_POINT_SIZE))
        emit_line(e, "gl_PointSize = 1.0;"); // Direct3D 10 points
    half_pixel(e);
}

static bool outputs(struct emitter *e)
{
    e->out->outputs = complete(e, e->shader->outputs, e->shader->output_count,
                               e->usage->outputs, &e->out->output_count);
    if (!e->out->outputs)
        return false;
    if (e->usage->files[IR_FILE_STENCIL])
        return gv_fail(e->err, GV_ERR_UNSUPPORTED, e->shader->offset,
                       "unsupported: stencil reference output");
    declare_output_registers(e);
    if (e->shader->stage == GV_DXBC_HULL)
        return true; // emit_hull writes them
    emit_line(e, "void store_outputs()");
    emit_line(e, "{");
    e->indent++;
    if (e->shader->stage == GV_DXBC_PIXEL) {
        if (!store_pixel(e))
            return false;
    } else {
        store_vertex(e);
    }
    e->indent--;
    emit_line(e, "}");
    if (e->shader->stage == GV_DXBC_GEOMETRY)
        emit_line(e, "void emit_vertex()\n{\n  store_outputs();\n  EmitVertex();\n}");
    return true;
}

// D3D9's own values: gv_dxbc_extra as one vec4.
static void extra(struct emitter *e)
{
    if (!e->out->uses_extra)
        return;
    bool pixel = e->shader->stage == GV_DXBC_PIXEL;
    OUT("layout(std140, set = %u, binding = %u) uniform Extra { vec4 extra; };\n",
        pixel, GV_DXBC_EXTRA_SLOT);
}

bool emit_interface(struct emitter *e)
{
    if (!emit_stage_layout(e))
        return false;
    if (e->shader->stage == GV_DXBC_COMPUTE) {
        emit_line(e, "void load_inputs()\n{\n}");
        return true;
    }
    if (!inputs(e) || !outputs(e))
        return false;
    extra(e);
    return true;
}
