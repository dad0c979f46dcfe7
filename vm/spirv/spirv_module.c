#include "vm/spirv/spirv_module.h"

#include "vm/spirv/spirv_calls.h"
#include "vm/spirv/spirv_capability.h"
#include "vm/spirv/spirv_interface.h"

#include <stdlib.h>
#include <string.h>

const char *gv_stage_name(uint32_t stage)
{
    switch (stage) {
    case GV_STAGE_VERTEX:
        return "vertex";
    case GV_STAGE_TESSELLATION_CONTROL:
        return "tessellation control";
    case GV_STAGE_TESSELLATION_EVALUATION:
        return "tessellation evaluation";
    case GV_STAGE_GEOMETRY:
        return "geometry";
    case GV_STAGE_FRAGMENT:
        return "fragment";
    case GV_STAGE_COMPUTE:
        return "compute";
    default:
        return "unknown";
    }
}

// ---- capabilities and extensions ----

static bool check_capability(const struct gv_spirv_limits *limits, uint32_t code,
                             uint64_t offset, struct gv_error *err)
{
    bool listed = false;
    for (size_t i = 0; i < gv_spirv_capability_count; i++) {
        const struct gv_spirv_capability *row = &gv_spirv_capabilities[i];
        if (row->code != code)
            continue;
        listed = true;
        const char *needs = gv_spirv_capability_needs(row);
        if (*needs && !limits->has(limits->context, needs))
            return gv_fail(err, GV_ERR_UNSUPPORTED, offset,
                           "unsupported: SPIR-V capability %s (the device or payload "
                           "lacks %s)",
                           row->name, needs);
    }
    return listed || gv_fail(err, GV_ERR_UNSUPPORTED, offset,
                             "unsupported: SPIR-V capability %u", code);
}

// A string literal; the validator has seen that it ends inside its instruction.
static bool starts(const uint32_t *words, const char *prefix)
{
    return strncmp((const char *)words, prefix, strlen(prefix)) == 0;
}

static bool check_import(const struct gv_spirv_ids *ids, const uint32_t *w,
                         struct gv_error *err)
{
    if (strcmp((const char *)(w + 2), "GLSL.std.450") == 0 ||
        starts(w + 2, "NonSemantic."))
        return true;
    return gv_fail(err, GV_ERR_UNSUPPORTED, gv_spirv_offset(ids, w),
                   "unsupported: SPIR-V instruction set %.40s", (const char *)(w + 2));
}

// What Khronos' extensions change comes with capabilities; vendors' ones need not.
static bool check_extension(const struct gv_spirv_ids *ids, const uint32_t *w,
                            struct gv_error *err)
{
    if (starts(w + 1, "SPV_KHR_") || starts(w + 1, "SPV_EXT_") ||
        starts(w + 1, "SPV_GOOGLE_"))
        return true;
    return gv_fail(err, GV_ERR_UNSUPPORTED, gv_spirv_offset(ids, w),
                   "unsupported: SPIR-V extension %.40s", (const char *)(w + 1));
}

// ---- entry point and modes ----

static uint32_t stage_of(uint32_t model)
{
    static const uint32_t stages[] = {
        [SpvExecutionModelVertex] = GV_STAGE_VERTEX,
        [SpvExecutionModelTessellationControl] = GV_STAGE_TESSELLATION_CONTROL,
        [SpvExecutionModelTessellationEvaluation] = GV_STAGE_TESSELLATION_EVALUATION,
        [SpvExecutionModelGeometry] = GV_STAGE_GEOMETRY,
        [SpvExecutionModelFragment] = GV_STAGE_FRAGMENT,
        [SpvExecutionModelGLCompute] = GV_STAGE_COMPUTE,
    };
    return model < sizeof stages / sizeof *stages ? stages[model] : 0;
}

// OpEntryPoint: model, function, name.
static bool entry_point(struct gv_spirv_scan_state *scan, const uint32_t *w,
                        struct gv_error *err)
{
    uint64_t offset = gv_spirv_offset(scan->ids, w);
    if (scan->module->stage)
        return gv_fail(err, GV_ERR_UNSUPPORTED, offset,
                       "unsupported: SPIR-V module with several entry points");
    scan->module->stage = stage_of(w[1]);
    if (!scan->module->stage)
        return gv_fail(err, GV_ERR_UNSUPPORTED, offset,
                       "unsupported: SPIR-V execution model %u", w[1]);
    if (strcmp((const char *)(w + 3), "main") != 0)
        return gv_fail(err, GV_ERR_FORMAT, offset, "SPIR-V entry point is not `main`");
    return true;
}

static bool mode_id(const struct gv_spirv_scan_state *scan, uint32_t id, uint32_t *out,
                    struct gv_error *err)
{
    if (gv_spirv_constant(scan->ids, id, out))
        return true;
    return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: SPIR-V workgroup size that is not a known constant");
}

// OpExecutionMode: entry point, mode, operands.
static bool execution_mode(struct gv_spirv_scan_state *scan, const uint32_t *w,
                           struct gv_error *err)
{
    struct gv_spirv_module *m = scan->module;
    const struct gv_spirv_limits *limits = scan->limits;
    switch (w[2]) {
    case SpvExecutionModeLocalSize:
        memcpy(m->workgroup, w + 3, sizeof m->workgroup);
        return true;
    case SpvExecutionModeLocalSizeId:
        for (int i = 0; i < 3; i++)
            if (!mode_id(scan, w[3 + i], &m->workgroup[i], err))
                return false;
        return true;
    case SpvExecutionModeInputPoints:
        m->input_primitive = GV_SPIRV_POINTS;
        return true;
    case SpvExecutionModeInputLines:
        m->input_primitive = GV_SPIRV_LINES;
        return true;
    case SpvExecutionModeInputLinesAdjacency:
        m->input_primitive = GV_SPIRV_LINES_ADJACENCY;
        return true;
    case SpvExecutionModeTriangles: // also of tessellation
        m->input_primitive = GV_SPIRV_TRIANGLES;
        return true;
    case SpvExecutionModeInputTrianglesAdjacency:
        m->input_primitive = GV_SPIRV_TRIANGLES_ADJACENCY;
        return true;
    case SpvExecutionModeOutputPoints:
    case SpvExecutionModePointMode:
        m->output_primitive = GV_SPIRV_POINTS;
        return true;
    case SpvExecutionModeOutputLineStrip:
    case SpvExecutionModeIsolines:
        if (m->output_primitive == GV_SPIRV_NO_PRIMITIVE)
            m->output_primitive = GV_SPIRV_LINES;
        return true;
    case SpvExecutionModeOutputTriangleStrip:
        m->output_primitive = GV_SPIRV_TRIANGLES;
        return true;
    case SpvExecutionModeOutputVertices:
        m->output_vertices = w[3];
        if (w[3] > (m->stage == GV_STAGE_GEOMETRY ? limits->max_geometry_output_vertices
                                                  : limits->max_patch_size))
            return gv_fail(err, GV_ERR_LIMIT, gv_spirv_offset(scan->ids, w),
                           "SPIR-V module emits %u vertices", w[3]);
        return true;
    case SpvExecutionModeInvocations:
        if (w[3] > limits->max_geometry_invocations)
            return gv_fail(err, GV_ERR_LIMIT, gv_spirv_offset(scan->ids, w),
                           "SPIR-V geometry stage of %u invocations", w[3]);
        return true;
    default:
        return true;
    }
}

// OpEmitStreamVertex, OpEndStreamPrimitive: the stream, a constant.
static bool check_stream(const struct gv_spirv_scan_state *scan, const uint32_t *w,
                         struct gv_error *err)
{
    uint32_t stream;
    if (!gv_spirv_constant(scan->ids, w[1], &stream))
        return gv_fail(err, GV_ERR_UNSUPPORTED, gv_spirv_offset(scan->ids, w),
                       "unsupported: SPIR-V stream that is not a known constant");
    if (stream == 0 || stream < scan->limits->max_feedback_streams)
        return true;
    return gv_fail(err, GV_ERR_LIMIT, gv_spirv_offset(scan->ids, w), "SPIR-V stream %u",
                   stream);
}

// ---- the pass over the words ----

// Tessellation modes that a portable device need not have.
static bool portable_mode(const struct gv_spirv_scan_state *scan, const uint32_t *w,
                          struct gv_error *err)
{
    const struct gv_spirv_limits *limits = scan->limits;
    const char *feature = w[2] == SpvExecutionModePointMode  ? "tessellationPointMode"
                          : w[2] == SpvExecutionModeIsolines ? "tessellationIsolines"
                                                             : NULL;
    return !feature || limits->has(limits->context, feature) ||
           gv_fail(err, GV_ERR_DEVICE, gv_spirv_offset(scan->ids, w),
                   "the device lacks %s", feature);
}

static bool instruction(struct gv_spirv_scan_state *scan, const uint32_t *w,
                        struct gv_error *err)
{
    const struct gv_spirv_ids *ids = scan->ids;
    uint32_t variables[2];
    enum gv_spirv_sampling sampling = gv_spirv_follow(scan->ids, w, variables);
    for (int i = 0; sampling != GV_SPIRV_NO_SAMPLING && i < 2; i++)
        gv_spirv_note_sampling(scan, variables[i], sampling);
    switch (gv_spirv_op(w)) {
    case SpvOpCapability:
        scan->module->subgroups |= w[1] >= SpvCapabilityGroupNonUniform &&
                                   w[1] <= SpvCapabilityGroupNonUniformQuad;
        scan->clips |= w[1] == SpvCapabilityClipDistance;
        scan->culls |= w[1] == SpvCapabilityCullDistance;
        return check_capability(scan->limits, w[1], gv_spirv_offset(ids, w), err);
    case SpvOpExtension:
        return check_extension(ids, w, err);
    case SpvOpExtInstImport:
        return check_import(ids, w, err);
    case SpvOpEntryPoint:
        return entry_point(scan, w, err);
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return portable_mode(scan, w, err) && execution_mode(scan, w, err);
    case SpvOpVariable:
        return gv_spirv_variable(scan, w, err);
    case SpvOpStore:
        gv_spirv_note_store(scan, w);
        return true;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        return gv_spirv_check_chain(scan, w, err);
    case SpvOpEmitStreamVertex:
    case SpvOpEndStreamPrimitive:
        return check_stream(scan, w, err);
    default:
        return true;
    }
}

// BuiltIn WorkgroupSize overrides the execution mode.
static bool workgroup_constant(struct gv_spirv_scan_state *scan, struct gv_error *err)
{
    const uint32_t *w = gv_spirv_def(scan->ids, scan->ids->workgroup_size_id);
    uint32_t op = gv_spirv_op(w);
    if (op != SpvOpConstantComposite && op != SpvOpSpecConstantComposite)
        return true;
    for (int i = 0; i < 3; i++)
        if (!mode_id(scan, w[3 + i], &scan->module->workgroup[i], err))
            return false;
    return true;
}

static bool check_workgroup(struct gv_spirv_scan_state *scan, struct gv_error *err)
{
    const struct gv_spirv_limits *limits = scan->limits;
    const uint32_t *size = scan->module->workgroup;
    if (scan->module->stage != GV_STAGE_COMPUTE)
        return true;
    if (!workgroup_constant(scan, err))
        return false;
    uint64_t product = 1;
    bool fits = true;
    for (int i = 0; i < 3; i++) {
        fits = fits && size[i] > 0 && size[i] <= limits->max_workgroup_size[i];
        product = fits ? product * size[i] : 0;
    }
    if (fits && product <= limits->max_workgroup_invocations)
        return true;
    return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                   "SPIR-V workgroup of %ux%ux%u invocations", size[0], size[1],
                   size[2]);
}

static bool check_stores(const struct gv_spirv_scan_state *scan, struct gv_error *err)
{
    const struct gv_spirv_module *m = scan->module;
    const char *feature = m->stage == GV_STAGE_FRAGMENT
                              ? "fragmentStoresAndAtomics"
                              : "vertexPipelineStoresAndAtomics";
    if (m->stage == GV_STAGE_COMPUTE ||
        scan->limits->has(scan->limits->context, feature))
        return true;
    for (size_t i = 0; i < m->binding_count; i++)
        if (m->bindings[i].writable)
            return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: stores in the %s stage (the device or "
                           "payload lacks %s)",
                           gv_stage_name(m->stage), feature);
    return true;
}

static uint32_t count_components(const struct gv_spirv_interface *io)
{
    uint32_t n = 0;
    for (int i = 0; i < GV_MAX_LOCATIONS; i++)
        n += io->slots[i].mask ? 4 : 0;
    return n;
}

static bool check_stage(const struct gv_spirv_scan_state *scan, struct gv_error *err)
{
    const struct gv_spirv_module *m = scan->module;
    const struct gv_spirv_limits *limits = scan->limits;
    const struct gv_spirv_interface *io = NULL;
    uint32_t locations = GV_MAX_LOCATIONS;
    if (!m->stage)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "SPIR-V without entry point");
    if (m->subgroups && m->stage != GV_STAGE_FRAGMENT && m->stage != GV_STAGE_COMPUTE)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: subgroup operations in the %s stage",
                       gv_stage_name(m->stage));
    if (m->stage == GV_STAGE_VERTEX) {
        io = &m->inputs;
        locations = limits->max_vertex_inputs;
    } else if (m->stage == GV_STAGE_FRAGMENT) {
        io = &m->outputs;
        locations = limits->max_color_attachments;
    }
    for (uint32_t i = locations; io && i < GV_MAX_LOCATIONS; i++)
        if (io->slots[i].mask)
            return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                           "SPIR-V %s stage uses location %u", gv_stage_name(m->stage),
                           i);
    uint64_t emitted =
        (uint64_t)m->output_vertices * (4 + count_components(&m->outputs));
    if (m->stage == GV_STAGE_GEOMETRY &&
        emitted > limits->max_geometry_output_components)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "SPIR-V geometry stage emits %llu components",
                       (unsigned long long)emitted);
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct gv_spirv_binding *x = a, *y = b;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    return x->binding < y->binding ? -1 : x->binding > y->binding;
}

// Variables of one place are one descriptor, which all of them sample. Sorted.
static void share_sampling(struct gv_spirv_module *m)
{
    for (size_t first = 0, i = 0; i < m->binding_count; i++) {
        if (by_place(&m->bindings[first], &m->bindings[i]) != 0)
            first = i;
        m->bindings[first].compares |= m->bindings[i].compares;
        m->bindings[first].samples |= m->bindings[i].samples;
    }
    for (size_t i = 1; i < m->binding_count; i++) {
        if (by_place(&m->bindings[i - 1], &m->bindings[i]) != 0)
            continue;
        m->bindings[i].compares = m->bindings[i - 1].compares;
        m->bindings[i].samples = m->bindings[i - 1].samples;
    }
}

static bool scan_words(struct gv_spirv_scan_state *scan, struct gv_error *err)
{
    const struct gv_spirv_ids *ids = scan->ids;
    for (size_t at = 5; at < ids->count; at += gv_spirv_length(ids->words + at)) {
        if (gv_spirv_length(ids->words + at) == 0 ||
            gv_spirv_length(ids->words + at) > ids->count - at)
            return gv_fail(err, GV_ERR_FORMAT, at * 4, "malformed SPIR-V instruction");
        if (!instruction(scan, ids->words + at, err))
            return false;
    }
    return check_workgroup(scan, err) && check_stores(scan, err) &&
           check_stage(scan, err);
}

bool gv_spirv_module_read(const uint32_t *words, size_t count,
                          const struct gv_spec_constant *specs, size_t spec_count,
                          const struct gv_spirv_limits *limits,
                          struct gv_spirv_module *out, struct gv_error *err)
{
    *out = (struct gv_spirv_module){ 0 };
    struct gv_spirv_ids ids;
    struct gv_spirv_scan_state scan = { .ids = &ids, .limits = limits, .module = out };
    const struct gv_spirv_specs given = { specs, spec_count };
    bool ok = gv_spirv_ids_init(&ids, words, count, &given, err) &&
              scan_words(&scan, err) && gv_spirv_check_calls(&ids, err);
    out->has_spec_constants = ids.has_spec_constants;
    gv_spirv_ids_finish(&ids);
    if (!ok) {
        gv_spirv_module_finish(out);
        return false;
    }
    if (out->binding_count)
        qsort(out->bindings, out->binding_count, sizeof *out->bindings, by_place);
    share_sampling(out);
    return true;
}

void gv_spirv_module_finish(struct gv_spirv_module *module)
{
    free(module->bindings);
    *module = (struct gv_spirv_module){ 0 };
}

// ---- no device ----

static bool has_all(const void *context, const char *feature)
{
    (void)context;
    (void)feature;
    return true;
}

const struct gv_spirv_limits gv_spirv_boundless = {
    .max_workgroup_size = { 1u << 24, 1u << 24, 1u << 24 },
    .max_workgroup_invocations = 1u << 24,
    .max_shared_bytes = 1u << 30,
    .max_clip_distances = 1u << 16,
    .max_cull_distances = 1u << 16,
    .max_clip_and_cull_distances = 1u << 16,
    .max_geometry_output_vertices = 1u << 16,
    .max_geometry_invocations = 1u << 16,
    .max_geometry_output_components = 1u << 24,
    .max_patch_size = 1u << 16,
    .max_color_attachments = GV_MAX_LOCATIONS,
    .max_vertex_inputs = GV_MAX_LOCATIONS,
    .max_feedback_buffers = GV_MAX_FEEDBACK_BUFFERS,
    .max_feedback_stride = 1u << 16,
    .max_feedback_streams = GV_MAX_FEEDBACK_BUFFERS,
    .float_modes = UINT32_MAX,
    .has = has_all,
};
