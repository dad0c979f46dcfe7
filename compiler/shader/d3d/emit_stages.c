// Layouts of compute, geometry, hull and domain shaders, and phases of hull shaders.
#include "compiler/shader/d3d/emit_internal.h"

#define OUT(...) gv_bytes_printf(&e->interface, __VA_ARGS__)
#define MAX_GS_VERTICES 1024
#define MAX_GS_INSTANCES 32
#define MAX_GROUP_THREADS 1024
#define MAX_GROUP_DEPTH 64 // D3D11_CS_THREAD_GROUP_MAX_Z

static const char component_names[] = "xyzw";

static bool bad(struct emitter *e, const char *what)
{
    return gv_fail(e->err, GV_ERR_FORMAT, e->shader->offset, "%s", what);
}

static bool compute_layout(struct emitter *e)
{
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t n = e->shader->group_size[i];
        if (n == 0 || n > (i == 2 ? MAX_GROUP_DEPTH : MAX_GROUP_THREADS))
            return bad(e, "thread group size is out of range");
        threads *= n;
        e->out->group_size[i] = n;
    }
    if (threads > MAX_GROUP_THREADS)
        return bad(e, "thread group of more than 1024 threads");
    OUT("layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n",
        e->out->group_size[0], e->out->group_size[1], e->out->group_size[2]);
    return true;
}

// D3D10_SB_PRIMITIVE and, for tokens that hold a topology instead, the list forms.
static const char *input_primitive(uint32_t primitive, uint32_t *vertices)
{
    switch (primitive) {
    case 1:
        *vertices = 1;
        return "points";
    case 2:
        *vertices = 2;
        return "lines";
    case 3:
    case 4:
        *vertices = 3;
        return "triangles";
    case 6:
    case 10:
        *vertices = 4;
        return "lines_adjacency";
    case 7:
    case 12:
        *vertices = 6;
        return "triangles_adjacency";
    default:
        return NULL;
    }
}

// D3D10_SB_PRIMITIVE_TOPOLOGY in official tokens; the Aero dialect counts 1 points, 2
// lines, 3 triangles.
static const char *output_topology(const struct ir_shader *s)
{
    bool aero = s->model == GV_DXBC_AERO;
    switch (s->topology) {
    case 1:
        return "points";
    case 2:
        return "line_strip";
    case 3:
        return aero ? "triangle_strip" : "line_strip";
    case 4:
    case 5:
        return "triangle_strip";
    default:
        return NULL;
    }
}

static bool geometry_layout(struct emitter *e)
{
    const struct ir_shader *s = e->shader;
    uint32_t instances = s->gs_instances ? s->gs_instances : 1;
    const char *in = input_primitive(s->input_primitive, &e->out->input_primitive);
    const char *out = output_topology(s);
    if (!in)
        return bad(e, "geometry shader with an unknown input primitive");
    if (!out)
        return bad(e, "geometry shader with an unknown output topology");
    if (s->max_vertices == 0 || s->max_vertices > MAX_GS_VERTICES)
        return bad(e, "geometry shader's vertex count is out of range");
    if (instances > MAX_GS_INSTANCES)
        return bad(e, "geometry shader's instance count is out of range");
    OUT("layout(%s, invocations = %u) in;\n", in, instances);
    OUT("layout(%s, max_vertices = %u) out;\n", out, s->max_vertices);
    return true;
}

uint32_t emit_domain_primitive(const struct emitter *e)
{
    const struct gv_dxbc_options *o = e->shader->options;
    uint32_t declared = e->shader->output_primitive;
    return declared ? declared : o ? o->output_primitive : 0;
}

static bool domain_layout(struct emitter *e)
{
    const struct ir_shader *s = e->shader;
    const struct gv_dxbc_options *o = s->options;
    static const char *const domains[] = { "triangles", "isolines", "triangles",
                                           "quads" };
    // Power-of-two partitioning divides as integer does: Direct3D's tessellator makes
    // no difference, what rounds the factors is the hull shader.
    static const char *const spacings[] = { "equal_spacing", "equal_spacing",
                                            "equal_spacing", "fractional_odd_spacing",
                                            "fractional_even_spacing" };
    uint32_t spacing = s->partitioning ? s->partitioning : o ? o->partitioning : 0;
    uint32_t primitive = emit_domain_primitive(e);
    if (s->domain > 3 || spacing > 4 || primitive > 4)
        return bad(e, "domain shader with unknown tessellation modes");
    e->out->domain = s->domain;
    OUT("layout(%s, %s, %s%s) in;\n", domains[s->domain], spacings[spacing],
        primitive == 4 ? "ccw" : "cw", primitive == 1 ? ", point_mode" : "");
    return true;
}

static bool hull_layout(struct emitter *e)
{
    const struct ir_shader *s = e->shader;
    uint32_t in = ir_input_points(s), out = ir_output_points(s);
    if (in > IR_MAX_CONTROL_POINTS || out > IR_MAX_CONTROL_POINTS)
        return bad(e, "patch of more than 32 control points");
    e->out->control_points = in;
    e->out->domain = s->domain;
    e->out->partitioning = s->partitioning;
    e->out->output_primitive = s->output_primitive;
    OUT("layout(vertices = %u) out;\n", out);
    return true;
}

bool emit_stage_layout(struct emitter *e)
{
    switch (e->shader->stage) {
    case GV_DXBC_COMPUTE:
        return compute_layout(e);
    case GV_DXBC_GEOMETRY:
        return geometry_layout(e);
    case GV_DXBC_DOMAIN:
        return domain_layout(e);
    case GV_DXBC_HULL:
        return hull_layout(e);
    case GV_DXBC_PIXEL:
        if (e->shader->early_depth)
            OUT("layout(early_fragment_tests) in;\n");
        return true;
    case GV_DXBC_VERTEX:
    case GV_DXBC_STAGE_COUNT:
        break;
    }
    return true;
}

const char *emit_tess_level(const struct gv_dxbc_element *x, uint32_t *first)
{
    *first = x->semantic_index > 3 ? 3 : x->semantic_index;
    switch (x->system_value) {
    case GV_DXBC_SV_QUAD_EDGE:
    case GV_DXBC_SV_TRI_EDGE:
        return "gl_TessLevelOuter";
    case GV_DXBC_SV_QUAD_INSIDE:
    case GV_DXBC_SV_TRI_INSIDE:
        *first = *first > 1 ? 1 : *first;
        return "gl_TessLevelInner";
    case GV_DXBC_SV_LINE_DENSITY: // lines per patch come first in Vulkan
        *first = 0;
        return "gl_TessLevelOuter";
    case GV_DXBC_SV_LINE_DETAIL:
        *first = 1;
        return "gl_TessLevelOuter";
    default:
        return NULL;
    }
}

// ---- hull shaders ----

static void store_control_points(struct emitter *e)
{
    uint32_t declared = 0;
    bool computed = ir_has_control_phase(e->shader);
    for (uint32_t i = 0; i < e->out->output_count; i++) {
        struct gv_dxbc_element *x = &e->out->outputs[i];
        if (x->reg >= GV_DXBC_MAX_REGISTERS)
            continue;
        x->location = x->reg;
        if (declared >> x->reg & 1)
            continue;
        declared |= 1u << x->reg;
        OUT("layout(location = %u) out vec4 out%u[];\n", x->reg, x->reg);
        emit_text(e, "  out%u[gl_InvocationID] = asfloat(", x->reg);
        bool relative =
            computed ? e->usage->outputs_relative : e->usage->inputs_relative;
        emit_text(e, relative ? "%c[%u]" : "%c%u", computed ? 'o' : 'v', x->reg);
        emit_text(e, computed ? ");\n" : "[gl_InvocationID]);\n");
    }
}

static void store_patch_element(struct emitter *e, const struct gv_dxbc_element *x,
                                uint32_t *declared)
{
    uint32_t level;
    const char *array = emit_tess_level(x, &level);
    for (int c = 0; c < 4 && array; c++)
        if (x->mask >> c & 1 && level < EMIT_TESS_LEVELS(array))
            emit_line(e, "    %s[%u] = asfloat(pc%u.%c);", array, level++, x->reg,
                      component_names[c]);
    if (array || *declared >> x->reg & 1)
        return;
    *declared |= 1u << x->reg;
    OUT("layout(location = %u) patch out vec4 patch%u;\n", EMIT_PATCH_LOCATION(x->reg),
        x->reg);
    emit_line(e, "    patch%u = asfloat(pc%u);", x->reg, x->reg);
}

static void run_patch_phases(struct emitter *e)
{
    for (size_t n = 0; n < e->shader->phase_count; n++) {
        const struct ir_phase *p = &e->shader->phases[n];
        if (p->kind != IR_PHASE_FORK && p->kind != IR_PHASE_JOIN)
            continue;
        bool counted =
            e->usage->files[IR_FILE_FORK_ID] || e->usage->files[IR_FILE_JOIN_ID];
        if (counted)
            emit_line(e, "    for (instance_id = 0u; instance_id < %uu; instance_id++)",
                      p->instances);
        emit_line(e, counted ? "      phase%zu();" : "    phase%zu();", n);
    }
}

static void declare_patch_registers(struct emitter *e)
{
    bool needed[GV_DXBC_MAX_REGISTERS];
    for (uint32_t n = 0; n < GV_DXBC_MAX_REGISTERS; n++)
        needed[n] = e->usage->patch_outputs[n] || e->usage->patch[n];
    for (uint32_t i = 0; i < e->shader->patch_count; i++)
        if (e->shader->patch[i].reg < GV_DXBC_MAX_REGISTERS)
            needed[e->shader->patch[i].reg] = true;
    if (e->usage->patch_outputs_relative)
        OUT("uvec4 pc[%d] = {};\n", GV_DXBC_MAX_REGISTERS);
    for (uint32_t n = 0; n < GV_DXBC_MAX_REGISTERS; n++)
        if (needed[n] && !e->usage->patch_outputs_relative)
            OUT("uvec4 pc%u = uvec4(0u);\n", n);
        else if (needed[n])
            OUT("#define pc%u pc[%u]\n", n, n);
}

bool emit_hull(struct emitter *e)
{
    uint32_t declared = 0;
    declare_patch_registers(e);
    emit_line(e, "void main()");
    emit_line(e, "{");
    emit_line(e, "  load_inputs();");
    if (ir_has_control_phase(e->shader))
        emit_line(e, "  phase0();");
    store_control_points(e);
    emit_line(e, "  barrier();");
    emit_line(e, "  if (gl_InvocationID == 0) {");
    run_patch_phases(e);
    for (uint32_t i = 0; i < e->shader->patch_count; i++)
        if (e->shader->patch[i].reg < GV_DXBC_MAX_REGISTERS)
            store_patch_element(e, &e->shader->patch[i], &declared);
    emit_line(e, "  }");
    emit_line(e, "}");
    e->out->patch_registers = declared;
    return true;
}
