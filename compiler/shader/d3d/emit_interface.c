// Outputs of a stage as GLSL: varyings, positions, targets, depth, how they are stored.
#include "compiler/shader/d3d/emit_internal.h"

#include <stdlib.h>
#include <string.h>

#define OUT(...) gv_bytes_printf(&e->interface, __VA_ARGS__)

static const char component_names[] = "xyzw";

static int first_component(uint8_t mask)
{
    for (int i = 0; i < 4; i++)
        if (mask >> i & 1)
            return i;
    return 0;
}

// The signature's elements plus one for each register used without one.
struct gv_dxbc_element *emit_complete(struct emitter *e,
                                      const struct gv_dxbc_element *from,
                                      uint32_t count, const bool *used,
                                      uint32_t *out_count)
{
    struct gv_dxbc_element *all = gv_arena_array(
        e->shader->arena, (size_t)count + GV_DXBC_MAX_REGISTERS, sizeof *all);
    if (!all) {
        gv_out_of_memory(e->err);
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

void emit_register(struct emitter *e, const char *name, uint32_t n, bool array)
{
    emit_text(e, array ? "%s[%u]" : "%s%u", name, n);
}

void emit_register_array(struct emitter *e, const char *name, const char *initial)
{
    OUT("uvec4 %s[%d] = uvec4[](%s", name, GV_DXBC_MAX_REGISTERS, initial);
    for (uint32_t n = 1; n < GV_DXBC_MAX_REGISTERS; n++)
        OUT(",\n  %s", initial);
    OUT(");\n");
}

const char *emit_vector_type(uint32_t component)
{
    return component == GV_DXBC_UINT   ? "uvec4"
           : component == GV_DXBC_SINT ? "ivec4"
                                       : "vec4";
}

// ---- outputs ----

static void store_scalar(struct emitter *e, const char *to, const char *convert,
                         const struct gv_dxbc_element *x)
{
    emit_indent(e);
    emit_text(e, "%s = %s(", to, convert);
    emit_register(e, "o", x->reg, e->usage->outputs_relative);
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
        emit_register(e, "o", x->reg, e->usage->outputs_relative);
        emit_text(e, ".%c);\n", component_names[c]);
    }
}

static void store_position(struct emitter *e, const struct gv_dxbc_element *x)
{
    emit_indent(e);
    emit_text(e, "gl_Position = asfloat(");
    emit_register(e, "o", x->reg, e->usage->outputs_relative);
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
    emit_register(e, "o", x->reg, e->usage->outputs_relative);
    emit_text(e, ");\n");
}

// Geometry and hull shaders read these by location: they have no such built-in, or one
// of another shape. What follows is not known here, so both are written.
static void store_for_next_stage(struct emitter *e, struct gv_dxbc_element *x,
                                 uint32_t *declared)
{
    if (e->shader->stage != GV_DXBC_GEOMETRY)
        store_varying(e, x, declared);
}

static void store_vertex_element(struct emitter *e, struct gv_dxbc_element *x,
                                 struct emit_clips *clips, uint32_t *declared)
{
    switch (x->system_value) {
    case GV_DXBC_SV_POSITION:
        store_position(e, x);
        break;
    case GV_DXBC_SV_CLIP_DISTANCE:
        store_clip(e, "gl_ClipDistance", x, &clips->clip);
        store_for_next_stage(e, x, declared);
        break;
    case GV_DXBC_SV_CULL_DISTANCE:
        store_clip(e, "gl_CullDistance", x, &clips->cull);
        store_for_next_stage(e, x, declared);
        break;
    case GV_DXBC_SV_POINT_SIZE:
        store_scalar(e, "gl_PointSize", "asfloat", x);
        break;
    case GV_DXBC_SV_LAYER:
        store_scalar(e, "gl_Layer", "int", x);
        store_for_next_stage(e, x, declared);
        break;
    case GV_DXBC_SV_VIEWPORT:
        store_scalar(e, "gl_ViewportIndex", "int", x);
        store_for_next_stage(e, x, declared);
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
    const char *type = emit_vector_type(x->component);
    OUT("layout(location = %u) out %s target%u;\n", target, type, target);
    emit_indent(e);
    emit_text(e, "target%u = %s(", target,
              x->component == GV_DXBC_FLOAT ? "asfloat" : type);
    emit_register(e, "o", x->reg, e->usage->outputs_relative);
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
    const char *initial = vertex ? EMIT_DEFAULT_REGISTER : "uvec4(0u)";
    if (e->usage->outputs_relative) {
        emit_register_array(e, "o", initial);
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
    struct emit_clips clips = { 0, 0 };
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
    e->out->outputs = emit_complete(e, e->shader->outputs, e->shader->output_count,
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
        emit_line(e, "void load_inputs()");
        emit_line(e, "{");
        e->indent++;
        emit_clear_arrays(e);
        e->indent--;
        emit_line(e, "}");
        return true;
    }
    if (!emit_inputs(e) || !outputs(e))
        return false;
    extra(e);
    return true;
}
