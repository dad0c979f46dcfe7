// What a stage reads: inputs, built-ins and patch constants into registers.
#include "compiler/shader/d3d/emit_internal.h"

#define OUT(...) gv_bytes_printf(&e->interface, __VA_ARGS__)
#define D3DDECLUSAGE_COLOR 10

static const char component_names[] = "xyzw";

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

// Between stages every variable is a vec4, whatever its numbers: both sides agree.
static void declare_input(struct emitter *e, const struct gv_dxbc_element *x)
{
    bool vertex = e->shader->stage == GV_DXBC_VERTEX;
    OUT("layout(location = %u) %sin %s in%u%s;\n", x->reg, interpolation(e, x),
        vertex ? emit_vector_type(x->component) : "vec4", x->reg,
        arrayed(e, x->reg) ? "[]" : "");
}

static bool missing(const struct emitter *e, uint32_t reg)
{
    return e->shader->options && e->shader->options->missing_inputs >> reg & 1;
}

// What a register reads that nobody writes: zeros, but that pixels of Direct3D 9 are
// white.
static const char *missing_value(const struct emitter *e,
                                 const struct gv_dxbc_element *x)
{
    bool white = e->shader->model == GV_DXBC_D3D9 &&
                 e->shader->stage == GV_DXBC_PIXEL && x->usage == D3DDECLUSAGE_COLOR &&
                 x->semantic_index == 0;
    return white ? "uvec4(0x3f800000u)" : "uvec4(0u)";
}

static void load_plain(struct emitter *e, const struct gv_dxbc_element *x)
{
    bool integer = x->component != GV_DXBC_FLOAT && e->shader->stage == GV_DXBC_VERTEX;
    emit_indent(e);
    emit_register(e, "v", x->reg, e->usage->inputs_relative);
    emit_text(e, arrayed(e, x->reg) ? "[i] = " : " = ");
    if (missing(e, x->reg))
        emit_text(e, "%s;\n", missing_value(e, x));
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
    emit_register(e, "v", x->reg, e->usage->inputs_relative);
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
        emit_register(e, "v", x->reg, e->usage->inputs_relative);
        emit_text(e, ".%c = asuint(%s[%u]);\n", component_names[c], name, (*count)++);
    }
}

static bool load_element(struct emitter *e, struct gv_dxbc_element *x,
                         struct emit_clips *clips, uint32_t *declared)
{
    const char *builtin = input_builtin(e, x);
    bool clip = x->system_value == GV_DXBC_SV_CLIP_DISTANCE;
    bool cull = x->system_value == GV_DXBC_SV_CULL_DISTANCE;
    bool of_vertex = !builtin || x->system_value == GV_DXBC_SV_POSITION;
    if (of_vertex && per_vertex_stage(e) && !arrayed(e, x->reg))
        return gv_fail(e->err, GV_ERR_FORMAT, e->shader->offset,
                       "input v%u is read without a vertex index", x->reg);
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

// Registers have a form each: with a vertex index or without; an array has one for all.
static bool check_forms(const struct emitter *e)
{
    const bool vertices = per_vertex_stage(e);
    for (uint32_t n = 0; n < GV_DXBC_MAX_REGISTERS; n++) {
        bool indexed = e->usage->input_arrayed[n], plain = e->usage->input_plain[n];
        bool array = vertices && e->usage->inputs_relative;
        if (e->usage->inputs[n] &&
            ((indexed && (plain || !vertices)) || (plain && array)))
            return gv_fail(e->err, GV_ERR_FORMAT, e->shader->offset,
                           "input v%u is read with and without a vertex index", n);
    }
    return true;
}

static bool declare_input_registers(struct emitter *e)
{
    if (!check_forms(e))
        return false;
    if (e->usage->inputs_relative && per_vertex_stage(e)) {
        OUT("uvec4 v[%d][%u];\n", GV_DXBC_MAX_REGISTERS, vertex_slots(e));
        return true;
    }
    if (e->usage->inputs_relative) {
        emit_register_array(e, "v", EMIT_DEFAULT_REGISTER);
        return true;
    }
    for (uint32_t n = 0; n < GV_DXBC_MAX_REGISTERS; n++) {
        if (!e->usage->inputs[n])
            continue;
        if (arrayed(e, n))
            OUT("uvec4 v%u[%u] = {};\n", n, vertex_slots(e));
        else
            OUT("uvec4 v%u = " EMIT_DEFAULT_REGISTER ";\n", n);
    }
    return true;
}

// All vertices' registers as one array are too many for an initializer.
static void clear_vertices(struct emitter *e)
{
    if (!e->usage->inputs_relative || !per_vertex_stage(e))
        return;
    emit_line(e, "for (int n = 0; n < %d; n++)", GV_DXBC_MAX_REGISTERS);
    emit_line(e, "  for (int i = 0; i < %u; i++)", vertex_slots(e));
    emit_line(e, "    v[n][i] = uvec4(0u);");
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

static bool reads(const struct emitter *e, uint32_t system_value)
{
    for (uint32_t i = 0; i < e->out->input_count; i++)
        if (e->out->inputs[i].system_value == system_value &&
            wanted(e, &e->out->inputs[i]))
            return true;
    return false;
}

// A pixel shader's clip and cull distances number their components over the whole
// signature, as the stage before writes them: those not read hold their places.
static void skip_clip(const struct emitter *e, const struct gv_dxbc_element *x,
                      struct emit_clips *clips)
{
    uint32_t components = 0;
    for (int c = 0; c < 4; c++)
        components += x->mask >> c & 1;
    if (e->shader->stage != GV_DXBC_PIXEL)
        return;
    if (x->system_value == GV_DXBC_SV_CLIP_DISTANCE)
        clips->clip += components;
    else if (x->system_value == GV_DXBC_SV_CULL_DISTANCE)
        clips->cull += components;
}

static bool load_all(struct emitter *e, bool arrays)
{
    struct emit_clips clips = { 0, 0 };
    uint32_t declared = 0;
    for (uint32_t i = 0; i < e->out->input_count; i++) {
        struct gv_dxbc_element *x = &e->out->inputs[i];
        if (!wanted(e, x))
            skip_clip(e, x, &clips);
        else if (arrayed(e, x->reg) == arrays && !load_element(e, x, &clips, &declared))
            return false;
    }
    if (clips.clip && reads(e, GV_DXBC_SV_CLIP_DISTANCE))
        OUT("in float gl_ClipDistance[%u];\n", clips.clip);
    if (clips.cull && reads(e, GV_DXBC_SV_CULL_DISTANCE))
        OUT("in float gl_CullDistance[%u];\n", clips.cull);
    return true;
}

static void load_patch(struct emitter *e);

bool emit_inputs(struct emitter *e)
{
    e->out->inputs = emit_complete(e, e->shader->inputs, e->shader->input_count,
                                   e->usage->inputs, &e->out->input_count);
    if (!e->out->inputs || !declare_input_registers(e))
        return false;
    emit_line(e, "void load_inputs()");
    emit_line(e, "{");
    e->indent++;
    emit_clear_arrays(e);
    clear_vertices(e);
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
        if (e->shader->options && e->shader->options->missing_patch >> x->reg & 1)
            continue;
        OUT("layout(location = %u) patch in vec4 patch%u;\n",
            EMIT_PATCH_LOCATION(x->reg), x->reg);
        emit_line(e, "vpc%u = asuint(patch%u);", x->reg, x->reg);
    }
    e->out->patch_registers = declared;
}
