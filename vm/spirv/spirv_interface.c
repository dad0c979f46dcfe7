#include "vm/spirv/spirv_interface.h"

#include "resources/base/checked.h"
#include "vm/spirv/spirv_bounds.h"

#include <stdlib.h>

uint32_t gv_spirv_primitive_vertices(uint32_t primitive)
{
    static const uint32_t vertices[] = {
        [GV_SPIRV_NO_PRIMITIVE] = 1, [GV_SPIRV_POINTS] = 1,
        [GV_SPIRV_LINES] = 2,        [GV_SPIRV_LINES_ADJACENCY] = 4,
        [GV_SPIRV_TRIANGLES] = 3,    [GV_SPIRV_TRIANGLES_ADJACENCY] = 6,
    };
    return vertices[primitive];
}

uint64_t gv_spirv_offset(const struct gv_spirv_ids *ids, const uint32_t *instruction)
{
    return (uint64_t)(instruction - ids->words) * 4;
}

// ---- descriptors ----

static uint32_t view_type_of(uint32_t dim, bool arrayed)
{
    switch (dim) {
    case SpvDim1D:
        return arrayed ? GV_VIEW_TYPE_1D_ARRAY : GV_VIEW_TYPE_1D;
    case SpvDim3D:
        return GV_VIEW_TYPE_3D;
    case SpvDimCube:
        return arrayed ? GV_VIEW_TYPE_CUBE_ARRAY : GV_VIEW_TYPE_CUBE;
    default:
        return arrayed ? GV_VIEW_TYPE_2D_ARRAY : GV_VIEW_TYPE_2D;
    }
}

static uint32_t numeric_of(const struct gv_spirv_ids *ids, uint32_t type)
{
    const uint32_t *w = gv_spirv_def(ids, type);
    if (gv_spirv_op(w) != SpvOpTypeInt)
        return GV_SPIRV_FLOAT;
    return w[3] ? GV_SPIRV_SINT : GV_SPIRV_UINT;
}

// OpTypeImage: result, sampled type, dim, depth, arrayed, MS, sampled, format.
static bool describe_image(const struct gv_spirv_ids *ids, const uint32_t *image,
                           bool with_sampler, struct gv_spirv_binding *out)
{
    bool storage = image[7] == 2;
    if (image[3] == SpvDimSubpassData || image[3] == SpvDimRect)
        return false;
    if (image[3] == SpvDimBuffer)
        out->type =
            storage ? GV_BINDING_STORAGE_TEXEL_BUFFER : GV_BINDING_UNIFORM_TEXEL_BUFFER;
    else if (with_sampler)
        out->type = GV_BINDING_COMBINED_IMAGE_SAMPLER;
    else
        out->type = storage ? GV_BINDING_STORAGE_IMAGE : GV_BINDING_SAMPLED_IMAGE;
    out->view_type = view_type_of(image[3], image[5] != 0);
    out->numeric = numeric_of(ids, image[2]);
    out->multisampled = image[6] != 0;
    out->image_format = image[8];
    out->writable = storage;
    out->compares = image[4] == 1;
    return true;
}

static bool all_members_read_only(const struct gv_spirv_ids *ids, const uint32_t *type)
{
    uint32_t members = gv_spirv_length(type) - 2;
    if (members > 256)
        return false; // wide blocks are treated as written
    for (uint32_t i = 0; i < members; i++)
        if (!gv_spirv_member_marks(ids, type[1], i)->non_writable)
            return false;
    return true;
}

static bool describe(const struct gv_spirv_ids *ids, uint32_t storage_class,
                     const uint32_t *type, struct gv_spirv_binding *out)
{
    switch (gv_spirv_op(type)) {
    case SpvOpTypeSampler:
        out->type = GV_BINDING_SAMPLER;
        return true;
    case SpvOpTypeSampledImage:
        return describe_image(ids, gv_spirv_def(ids, type[2]), true, out);
    case SpvOpTypeImage:
        return describe_image(ids, type, false, out);
    case SpvOpTypeStruct:
        out->type = storage_class == SpvStorageClassStorageBuffer ||
                            gv_spirv_marks_of(ids, type[1])->buffer_block
                        ? GV_BINDING_STORAGE_BUFFER
                        : GV_BINDING_UNIFORM_BUFFER;
        out->writable =
            out->type == GV_BINDING_STORAGE_BUFFER && !all_members_read_only(ids, type);
        return true;
    default:
        return false;
    }
}

static bool add_binding(struct gv_spirv_scan_state *scan,
                        const struct gv_spirv_binding *binding, struct gv_error *err)
{
    struct gv_spirv_module *m = scan->module;
    if (m->binding_count == GV_MAX_SPIRV_BINDINGS)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "SPIR-V module declares over %d descriptors",
                       GV_MAX_SPIRV_BINDINGS);
    if (m->binding_count == scan->binding_capacity) {
        size_t capacity = scan->binding_capacity ? scan->binding_capacity * 2 : 16;
        void *grown = realloc(m->bindings, capacity * sizeof *m->bindings);
        if (!grown)
            return gv_out_of_memory(err);
        m->bindings = grown;
        scan->binding_capacity = capacity;
    }
    m->bindings[m->binding_count++] = *binding;
    return true;
}

static bool descriptor(struct gv_spirv_scan_state *scan, const uint32_t *w,
                       uint32_t type_id, struct gv_error *err)
{
    const struct gv_spirv_ids *ids = scan->ids;
    const struct gv_spirv_marks *marks = gv_spirv_marks_of(ids, w[2]);
    struct gv_spirv_binding b = { .set = marks->set, .binding = marks->binding };
    const uint32_t *type = gv_spirv_def(ids, type_id);
    b.count = 1;
    if (gv_spirv_op(type) == SpvOpTypeArray) {
        if (!gv_spirv_constant(ids, type[3], &b.count))
            b.count = 0;
        type = gv_spirv_def(ids, type[2]);
    }
    if (b.set == GV_SPIRV_UNSET || b.binding == GV_SPIRV_UNSET)
        return gv_fail(err, GV_ERR_FORMAT, gv_spirv_offset(ids, w),
                       "SPIR-V resource without descriptor set and binding");
    if (b.count == 0 || gv_spirv_op(type) == SpvOpTypeArray ||
        gv_spirv_op(type) == SpvOpTypeRuntimeArray)
        return gv_fail(
            err, GV_ERR_UNSUPPORTED, gv_spirv_offset(ids, w),
            "unsupported: SPIR-V descriptor array of unknown or nested size");
    if (!describe(ids, w[3], type, &b))
        return gv_fail(err, GV_ERR_UNSUPPORTED, gv_spirv_offset(ids, w),
                       "unsupported: SPIR-V resource type %u", gv_spirv_op(type));
    if (marks->non_writable)
        b.writable = false;
    return add_binding(scan, &b, err);
}

// An access chain into a block of built-ins: which member?
static void note_built_in_member(struct gv_spirv_scan_state *scan, const uint32_t *w,
                                 const uint32_t *type)
{
    // Per-vertex blocks of tessellation control are arrays: the member comes second.
    uint32_t at = 4, member;
    if (gv_spirv_op(type) == SpvOpTypeArray) {
        type = gv_spirv_def(scan->ids, type[2]);
        at = 5;
    }
    if (gv_spirv_op(type) == SpvOpTypeStruct && at < gv_spirv_length(w) &&
        gv_spirv_constant(scan->ids, w[at], &member) &&
        gv_spirv_member_marks(scan->ids, type[1], member)->builtin ==
            SpvBuiltInPointSize)
        scan->module->writes_point_size = true;
}

bool gv_spirv_check_chain(struct gv_spirv_scan_state *scan, const uint32_t *w,
                          struct gv_error *err)
{
    const struct gv_spirv_ids *ids = scan->ids;
    const uint32_t *base = gv_spirv_def(ids, w[3]);
    if (gv_spirv_length(w) < 5 || gv_spirv_op(base) != SpvOpVariable)
        return true;
    const uint32_t *type = gv_spirv_def(ids, gv_spirv_def(ids, base[1])[3]);
    if (base[3] == SpvStorageClassOutput)
        note_built_in_member(scan, w, type);
    uint32_t count, index;
    if (gv_spirv_marks_of(ids, w[3])->binding == GV_SPIRV_UNSET ||
        gv_spirv_op(type) != SpvOpTypeArray ||
        !gv_spirv_constant(ids, type[3], &count) ||
        !gv_spirv_constant(ids, w[4], &index))
        return true; // a dynamic index needs a capability that was checked
    if (index >= count)
        return gv_fail(err, GV_ERR_FORMAT, gv_spirv_offset(ids, w),
                       "SPIR-V descriptor index %u of an array of %u", index, count);
    return true;
}

void gv_spirv_note_sampling(struct gv_spirv_scan_state *scan, uint32_t variable,
                            enum gv_spirv_sampling sampling)
{
    const struct gv_spirv_marks *marks = gv_spirv_marks_of(scan->ids, variable);
    struct gv_spirv_module *m = scan->module;
    for (size_t i = 0; variable && i < m->binding_count; i++)
        if (m->bindings[i].set == marks->set &&
            m->bindings[i].binding == marks->binding)
            *(sampling == GV_SPIRV_COMPARES ? &m->bindings[i].compares
                                            : &m->bindings[i].samples) = true;
}

void gv_spirv_note_store(struct gv_spirv_scan_state *scan, const uint32_t *w)
{
    if (gv_spirv_marks_of(scan->ids, w[1])->builtin == SpvBuiltInPointSize)
        scan->module->writes_point_size = true;
}

// ---- locations ----

struct place {
    const struct gv_spirv_ids *ids;
    struct gv_spirv_slot *slots; // [GV_MAX_LOCATIONS]
    uint32_t location, component;
    uint32_t budget; // elements that may still be visited
};

static bool use_slot(struct place *p, uint32_t location, uint32_t component,
                     uint32_t count, uint32_t numeric, uint32_t bits)
{
    if (location >= GV_MAX_LOCATIONS)
        return false;
    struct gv_spirv_slot *slot = &p->slots[location];
    uint32_t mask = ((1u << count) - 1u) << component;
    slot->mask = (uint8_t)((slot->mask | mask) & 0xf);
    slot->numeric = (uint8_t)numeric;
    slot->bits = (uint8_t)bits;
    return true;
}

// A scalar or vector at the place; steps over its locations.
static bool place_vector(struct place *p, uint32_t scalar_type, uint32_t components)
{
    const uint32_t *scalar = gv_spirv_def(p->ids, scalar_type);
    uint32_t numeric = numeric_of(p->ids, scalar_type);
    uint32_t bits = gv_spirv_op(scalar) == SpvOpTypeBool ? 32 : scalar[2];
    uint32_t words = bits == 64 ? components * 2 : components;
    uint32_t first = words > 4 ? 4 : words;
    if (p->component > 3)
        return false;
    if (!use_slot(p, p->location, p->component, first, numeric, bits))
        return false;
    if (words > 4 && !use_slot(p, p->location + 1, 0, words - 4, numeric, bits))
        return false;
    p->location += words > 4 ? 2 : 1;
    return true;
}

// Types nest as deep as a module likes, but every level of arrays or structs that holds
// data uses a location, and the budget ends the empty ones.
static bool place_type(struct place *p, uint32_t type_id, uint32_t depth)
{
    const uint32_t *type = gv_spirv_def(p->ids, type_id);
    if (p->budget-- == 0 || depth > 16)
        return false;
    uint32_t count = 0;
    switch (gv_spirv_op(type)) {
    case SpvOpTypeVector:
        return place_vector(p, type[2], type[3]);
    case SpvOpTypeMatrix: {
        const uint32_t *column = gv_spirv_def(p->ids, type[2]);
        for (uint32_t i = 0; i < type[3]; i++)
            if (!place_vector(p, column[2], column[3]))
                return false;
        return true;
    }
    case SpvOpTypeArray:
        gv_spirv_constant(p->ids, type[3], &count);
        for (uint32_t i = 0; i < count; i++)
            if (!place_type(p, type[2], depth + 1))
                return false;
        return true;
    case SpvOpTypeStruct:
        for (uint32_t i = 2; i < gv_spirv_length(type); i++)
            if (!place_type(p, type[i], depth + 1))
                return false;
        return true;
    default:
        return place_vector(p, type_id, 1);
    }
}

static bool place_at(struct gv_spirv_scan_state *scan, struct gv_spirv_slot *slots,
                     const uint32_t *variable, uint32_t type_id, uint32_t *location,
                     uint32_t component, struct gv_error *err)
{
    struct place p = { scan->ids, slots, *location, 0, 1024 };
    p.component = component == GV_SPIRV_UNSET ? 0 : component;
    if (!place_type(&p, type_id, 0))
        return gv_fail(err, GV_ERR_UNSUPPORTED, gv_spirv_offset(scan->ids, variable),
                       "SPIR-V interface passes location %d", GV_MAX_LOCATIONS);
    *location = p.location;
    return true;
}

// ---- built-ins and transform feedback ----

static bool built_in(struct gv_spirv_scan_state *scan, uint32_t builtin,
                     uint32_t type_id, bool input, struct gv_error *err)
{
    const struct gv_spirv_limits *limits = scan->limits;
    const uint32_t *type = gv_spirv_def(scan->ids, type_id);
    uint32_t n = 0;
    struct gv_spirv_module *m = scan->module;
    if (gv_spirv_op(type) == SpvOpTypeArray)
        gv_spirv_constant(scan->ids, type[3], &n);
    // Compilers declare one of each in gl_PerVertex, capability or not: unused.
    if (builtin == SpvBuiltInClipDistance)
        scan->clip_distances = n == 1 && !scan->clips ? 0 : n;
    if (builtin == SpvBuiltInCullDistance)
        scan->cull_distances = n == 1 && !scan->culls ? 0 : n;
    if (builtin == SpvBuiltInSampleMask && n > 1)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "SPIR-V sample mask of %u words", n);
    if (builtin == SpvBuiltInFragDepth)
        m->writes_frag_depth = true;
    if (builtin == SpvBuiltInSampleId || builtin == SpvBuiltInSamplePosition)
        m->uses_sample_id = true;
    if (builtin == SpvBuiltInLayer && input)
        m->reads_layer = true;
    if (scan->clip_distances > limits->max_clip_distances ||
        scan->cull_distances > limits->max_cull_distances ||
        scan->clip_distances + scan->cull_distances >
            limits->max_clip_and_cull_distances)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "SPIR-V module uses too many clip or cull distances");
    return true;
}

static bool feedback(struct gv_spirv_scan_state *scan,
                     const struct gv_spirv_marks *marks, struct gv_error *err)
{
    const struct gv_spirv_limits *limits = scan->limits;
    if (marks->stream != GV_SPIRV_UNSET && marks->stream != 0 &&
        marks->stream >= limits->max_feedback_streams)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "SPIR-V stream %u",
                       marks->stream);
    if (marks->xfb_buffer == GV_SPIRV_UNSET)
        return true;
    if (marks->xfb_buffer >= limits->max_feedback_buffers ||
        marks->xfb_buffer >= GV_MAX_FEEDBACK_BUFFERS ||
        (marks->xfb_stride != GV_SPIRV_UNSET &&
         marks->xfb_stride > limits->max_feedback_stride))
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "SPIR-V transform feedback buffer %u or its stride",
                       marks->xfb_buffer);
    scan->module->feedback_buffers |= 1u << marks->xfb_buffer;
    return true;
}

// ---- inputs and outputs ----

// Whether the outermost array of the variable runs over vertices.
static bool per_vertex(uint32_t stage, bool input, bool patch)
{
    if (patch)
        return false;
    if (input)
        return stage == GV_STAGE_GEOMETRY || stage == GV_STAGE_TESSELLATION_CONTROL ||
               stage == GV_STAGE_TESSELLATION_EVALUATION;
    return stage == GV_STAGE_TESSELLATION_CONTROL;
}

// How many vertices the outermost array may run over: drivers keep room for no more.
static uint32_t most_vertices(const struct gv_spirv_scan_state *scan, bool input)
{
    const struct gv_spirv_module *m = scan->module;
    if (m->stage == GV_STAGE_GEOMETRY)
        return gv_spirv_primitive_vertices(m->input_primitive);
    return input ? scan->limits->max_patch_size : m->output_vertices;
}

static bool check_vertices(const struct gv_spirv_scan_state *scan, const uint32_t *w,
                           const uint32_t *type, bool input, struct gv_error *err)
{
    uint32_t count = 0, most = most_vertices(scan, input);
    gv_spirv_constant(scan->ids, type[3], &count);
    // A patch is as large as the device can; else the module contradicts itself.
    enum gv_status status = input && scan->module->stage != GV_STAGE_GEOMETRY
                                ? GV_ERR_LIMIT
                                : GV_ERR_FORMAT;
    return count <= most || gv_fail(err, status, gv_spirv_offset(scan->ids, w),
                                    "SPIR-V %s of %u vertices, where there are %u",
                                    input ? "input" : "output", count, most);
}

bool gv_spirv_per_vertex(const struct gv_spirv_ids *ids, uint32_t stage,
                         const uint32_t *variable)
{
    const struct gv_spirv_marks *marks = gv_spirv_marks_of(ids, variable[2]);
    bool levels = marks->builtin == SpvBuiltInTessLevelOuter ||
                  marks->builtin == SpvBuiltInTessLevelInner;
    const uint32_t *type = gv_spirv_def(ids, gv_spirv_def(ids, variable[1])[3]);
    return gv_spirv_op(type) == SpvOpTypeArray && !levels &&
           per_vertex(stage, variable[3] == SpvStorageClassInput, marks->patch);
}

// A block: its members carry built-ins, or locations of their own or in sequence.
static bool block_io(struct gv_spirv_scan_state *scan, const uint32_t *variable,
                     const uint32_t *type, struct gv_spirv_interface *io, bool patch,
                     bool input, struct gv_error *err)
{
    const struct gv_spirv_ids *ids = scan->ids;
    const struct gv_spirv_marks *outer = gv_spirv_marks_of(ids, variable[2]);
    uint32_t members = gv_spirv_length(type) - 2;
    if (members > 4 * GV_MAX_LOCATIONS)
        return gv_fail(err, GV_ERR_UNSUPPORTED, gv_spirv_offset(ids, variable),
                       "SPIR-V interface block of %u members", members);
    uint32_t location = outer->location;
    for (uint32_t i = 0; i < members; i++) {
        const struct gv_spirv_marks *m = gv_spirv_member_marks(ids, type[1], i);
        if (!feedback(scan, m, err))
            return false;
        if (m->builtin != GV_SPIRV_UNSET) {
            if (!built_in(scan, m->builtin, type[2 + i], input, err))
                return false;
            continue;
        }
        if (m->location != GV_SPIRV_UNSET)
            location = m->location;
        if (location == GV_SPIRV_UNSET)
            return gv_fail(err, GV_ERR_FORMAT, gv_spirv_offset(ids, variable),
                           "SPIR-V interface block without locations");
        if (!place_at(scan, patch || m->patch ? io->patch : io->slots, variable,
                      type[2 + i], &location, m->component, err))
            return false;
    }
    return true;
}

static bool in_out(struct gv_spirv_scan_state *scan, const uint32_t *w,
                   uint32_t type_id, bool input, struct gv_error *err)
{
    const struct gv_spirv_ids *ids = scan->ids;
    const struct gv_spirv_marks *marks = gv_spirv_marks_of(ids, w[2]);
    struct gv_spirv_module *m = scan->module;
    struct gv_spirv_interface *io = input ? &m->inputs : &m->outputs;
    const uint32_t *type = gv_spirv_def(ids, type_id);
    if (!feedback(scan, marks, err))
        return false;
    if (gv_spirv_per_vertex(ids, m->stage, w)) {
        if (!check_vertices(scan, w, type, input, err))
            return false;
        type_id = type[2];
        type = gv_spirv_def(ids, type_id);
    }
    if (marks->builtin != GV_SPIRV_UNSET)
        return built_in(scan, marks->builtin, type_id, input, err);
    if (gv_spirv_op(type) == SpvOpTypeStruct && gv_spirv_marks_of(ids, type[1])->block)
        return block_io(scan, w, type, io, marks->patch, input, err);
    uint32_t location = marks->location;
    if (location == GV_SPIRV_UNSET)
        return gv_fail(err, GV_ERR_FORMAT, gv_spirv_offset(ids, w),
                       "SPIR-V input or output without a location");
    if (m->stage == GV_STAGE_FRAGMENT && !input && marks->index == 1) {
        m->second_outputs |= location < 32 ? 1u << location : 0;
        return true;
    }
    return place_at(scan, marks->patch ? io->patch : io->slots, w, type_id, &location,
                    marks->component, err);
}

// ---- memory ----

static uint64_t more_memory(const struct gv_spirv_ids *ids, uint32_t type_id,
                            uint64_t *total)
{
    if (!gv_add_u64(*total, gv_spirv_size(ids, type_id), total))
        *total = UINT64_MAX;
    return *total;
}

// Of workgroup memory the device has so much; the other bound is ours.
static bool workgroup_memory(struct gv_spirv_scan_state *scan, const uint32_t *w,
                             uint32_t type_id, struct gv_error *err)
{
    const uint32_t most = scan->limits->max_shared_bytes;
    return more_memory(scan->ids, type_id, &scan->shared_bytes) <= most ||
           gv_fail(err, GV_ERR_LIMIT, gv_spirv_offset(scan->ids, w),
                   "SPIR-V workgroup variables take over %u bytes", most);
}

// OpVariable: type, result, storage class.
bool gv_spirv_variable(struct gv_spirv_scan_state *scan, const uint32_t *w,
                       struct gv_error *err)
{
    const uint32_t *pointer = gv_spirv_def(scan->ids, w[1]);
    if (gv_spirv_op(pointer) != SpvOpTypePointer)
        return gv_fail(err, GV_ERR_FORMAT, gv_spirv_offset(scan->ids, w),
                       "SPIR-V variable that is no pointer");
    uint32_t type_id = pointer[3];
    switch (w[3]) {
    case SpvStorageClassUniformConstant:
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
        return descriptor(scan, w, type_id, err);
    case SpvStorageClassInput:
        return in_out(scan, w, type_id, true, err);
    case SpvStorageClassOutput:
        return in_out(scan, w, type_id, false, err);
    case SpvStorageClassWorkgroup:
        return workgroup_memory(scan, w, type_id, err);
    case SpvStorageClassPrivate:
    case SpvStorageClassFunction:
        return gv_spirv_within(GV_SPIRV_BOUND_PRIVATE_BYTES,
                               more_memory(scan->ids, type_id, &scan->private_bytes),
                               gv_spirv_offset(scan->ids, w), err);
    case SpvStorageClassPushConstant:
        return gv_fail(err, GV_ERR_UNSUPPORTED, gv_spirv_offset(scan->ids, w),
                       "unsupported: SPIR-V push constants");
    default:
        return gv_fail(err, GV_ERR_UNSUPPORTED, gv_spirv_offset(scan->ids, w),
                       "unsupported: SPIR-V storage class %u", w[3]);
    }
}
