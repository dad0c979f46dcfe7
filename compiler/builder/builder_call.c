// Emission of calls: values to cells, redundant state, pushes in row order, results.
#include "compiler/builder/builder_private.h"

#include "resources/base/checked.h"
#include "vm/formats.h"
#include "vm/spirv/point_size.h"

// How an argument is pushed.
enum form {
    FORM_INTEGER,
    FORM_FLOAT,
    FORM_SLOT,
    FORM_CONSTANT,
    FORM_RESOURCE,
    FORM_OBSERVED,
    FORM_BLOCK
};

// One argument, ready to push. `cell` also stands for it in the state cache: objects by
// their number, contents by address, resource or version, told apart by a tag.
struct operand {
    uint64_t cell;
    uint64_t offset; // OBSERVED: into the observation; BLOCK: in volatile memory
    uint32_t slot;   // SLOT; OBSERVED: observation index
    uint8_t form;    // enum form
};

#define TAG_CONSTANT (UINT64_C(1) << 60)
#define TAG_RESOURCE (UINT64_C(2) << 60)
#define TAG_BLOCK (UINT64_C(3) << 60)
#define TAG_MASK (UINT64_C(15) << 60)

// ---- values: the structs of emit.h ----

static const void *value_at(const struct gv_call_plan *plan, size_t i,
                            const void *values)
{
    return (const uint8_t *)values + plan->at[i];
}

_Static_assert(sizeof(enum gv_of_FILTER) == 4, "enumerations are words");

static uint32_t word_at(const struct gv_call_plan *plan, size_t i, const void *values)
{
    uint32_t word;
    memcpy(&word, value_at(plan, i, values), sizeof word);
    return word;
}

// Of a number: its cell. Floats are their bits.
static uint64_t number_at(const struct gv_call_plan *plan, size_t i, const void *values)
{
    uint64_t wide;
    switch (plan->info->args[i].kind) {
    case GV_ARG_U64:
    case GV_ARG_SIZE:
        memcpy(&wide, value_at(plan, i, values), sizeof wide);
        return wide;
    case GV_ARG_I32:
        return (uint64_t)(int32_t)word_at(plan, i, values);
    case GV_ARG_BOOL:
        return *(const bool *)value_at(plan, i, values);
    default:
        return word_at(plan, i, values);
    }
}

static bool bad_argument(struct gv_builder *b, const struct gv_call_plan *plan,
                         size_t i, const char *what)
{
    return gv_builder_refuse(b, "%s: argument %s %s", plan->info->name,
                             plan->info->args[i].name, what);
}

static bool resolve_object(struct gv_builder *b, const struct gv_call_plan *plan,
                           size_t i, uint32_t object, struct operand *out)
{
    if (object == 0) {
        if (!plan->optional[i])
            return bad_argument(b, plan, i, "is no object");
        *out = (struct operand){ .form = FORM_INTEGER };
        return true;
    }
    const struct gv_live_object *live = gv_slots_find(&b->slots, object);
    if (object == GV_REFUSED_OBJECT) // giving it up is nothing
        return i != plan->destroys &&
               bad_argument(b, plan, i, "is an object that was refused");
    if (!live)
        return bad_argument(b, plan, i, "is an object that was destroyed");
    if (live->kind != plan->object_kind[i])
        return bad_argument(b, plan, i, "is an object of another kind");
    if (!gv_builder_in_branch(b, live->branch))
        return bad_argument(b, plan, i, "is an object of another branch");
    *out = (struct operand){ .cell = object, .slot = live->slot, .form = FORM_SLOT };
    return true;
}

static bool resolve_bytes(struct gv_builder *b, const struct gv_call_plan *plan,
                          size_t i, const void *values, struct operand *out)
{
    struct gv_contents from;
    uint64_t size;
    memcpy(&from, value_at(plan, i, values), sizeof from);
    memcpy(&size, value_at(plan, i + 1, values), sizeof size);
    *out = (struct operand){ .form = FORM_CONSTANT, .cell = TAG_CONSTANT };
    if (size == 0) // any address will do
        return true;
    if (from.type == GV_CONTENTS_OBSERVED) {
        out->form = FORM_OBSERVED;
        return gv_builder_observed(b, from.number, size, &out->slot, &out->offset);
    }
    if (from.type == GV_CONTENTS_BLOCK) {
        *out = (struct operand){ .form = FORM_BLOCK,
                                 .cell = TAG_BLOCK | from.number >> 32,
                                 .offset = from.number & UINT32_MAX };
        return true;
    }
    if (!from.data)
        return bad_argument(b, plan, i, "has no bytes");
    uint32_t number;
    // Descriptions stand in the payload itself, to be verified and sliced unfetched.
    bool description = plan->info->args[i].of != GV_ENUM_ID_DATA;
    if (!plan->large && (description || gv_builder_inline(b, size))) {
        if (!gv_builder_constant(b, from.data, (size_t)size, &number))
            return false;
        out->cell = TAG_CONSTANT | number;
        return true;
    }
    if (!gv_builder_resource(b, from.data, size, &number))
        return false;
    out->form = FORM_RESOURCE;
    out->cell = TAG_RESOURCE | number;
    return true;
}

static bool resolve(struct gv_builder *b, const struct gv_call_plan *plan,
                    const void *values, struct operand *operands)
{
    const struct gv_arg_info *args = plan->info->args;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->object_kind[i]) {
            if (!resolve_object(b, plan, i, word_at(plan, i, values), &operands[i]))
                return false;
        } else if (args[i].kind == GV_ARG_BYTES) {
            if (!resolve_bytes(b, plan, i, values, &operands[i]))
                return false;
        } else {
            operands[i] = (struct operand){
                .cell = number_at(plan, i, values),
                .form = args[i].kind == GV_ARG_F32 ? FORM_FLOAT : FORM_INTEGER,
            };
        }
    }
    return true;
}

// ---- redundant state ----

static bool is_compute(const struct gv_builder *b, uint64_t pipeline)
{
    const struct gv_live_object *object = gv_slots_find(&b->slots, pipeline);
    return object && object->call == GV_CALL_pipeline_create_compute;
}

static uint64_t state_key(const struct gv_builder *b, const struct gv_call_plan *plan,
                          const struct operand *operands)
{
    uint64_t indices[3] = { 0, 0, 0 };
    for (size_t i = 0; i < plan->index_count; i++)
        indices[i] = operands[plan->indices[i]].cell;
    // "The pipeline of later draws or dispatches, by its kind."
    if (1u << plan->state_class == GV_STATE_PIPELINE)
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): its row has an argument
        indices[0] = is_compute(b, operands[0].cell);
    return gv_state_key(plan->state_class, indices[0], indices[1], indices[2]);
}

// Sets one state. Returns whether it was so before.
static bool set_state(struct gv_builder *b, uint64_t key, const uint64_t *values,
                      size_t count, bool comparable)
{
    if (!key)
        return false;
    if (comparable)
        return gv_state_cache_repeats(&b->state, key, values, count);
    gv_state_cache_forget(&b->state, key);
    return false;
}

static bool repeats_state(struct gv_builder *b, const struct gv_call_plan *plan,
                          enum gv_call call, const struct operand *operands)
{
    uint64_t values[1 + GV_STATE_VALUES];
    size_t count = 0;
    bool comparable = true; // what is in observed memory changes behind our back
    values[count++] = (uint64_t)call;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->info->args[i].role == GV_ROLE_INDEX)
            continue;
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): resolve() fills all
        values[count++] = operands[i].cell;
        comparable = comparable && operands[i].form != FORM_OBSERVED;
    }
    if (plan->index_flags == GV_NOWHERE)
        return set_state(b, state_key(b, plan, operands), values, count, comparable);
    bool repeats = true;
    uint64_t flags = operands[plan->index_flags].cell;
    for (uint32_t bit = 0; bit < 64; bit++)
        if (flags >> bit & 1)
            repeats &= set_state(b, gv_state_key(plan->state_class, bit, 0, 0), values,
                                 count, comparable);
    return repeats;
}

// ---- encoding ----

static uint8_t *put_observed(struct gv_builder *b, uint8_t *p,
                             const struct operand *operand)
{
    const struct gv_patch patch = {
        .at = (size_t)(p - b->code.bytes.data),
        .kind = GV_PATCH_OBSERVED,
        .index = operand->slot,
        .offset = operand->offset,
    };
    if (!gv_code_patch(&b->code, patch))
        gv_builder_no_memory(b);
    return p;
}

static uint8_t *put_operand(struct gv_builder *b, uint8_t *p,
                            const struct operand *operand)
{
    switch ((enum form)operand->form) {
    case FORM_INTEGER:
        return gv_put_push(p, operand->cell);
    case FORM_FLOAT:
        return gv_put_f32(p, (uint32_t)operand->cell);
    case FORM_SLOT:
        return gv_put_op(p, GV_OP_LOAD_SLOT, operand->slot);
    case FORM_CONSTANT:
        return gv_put_op(p, GV_OP_CONST, operand->cell & ~TAG_MASK);
    case FORM_RESOURCE:
        return gv_builder_put_resource(b, p, GV_OP_RES,
                                       (uint32_t)(operand->cell & ~TAG_MASK));
    case FORM_OBSERVED:
        return put_observed(b, p, operand);
    case FORM_BLOCK:
        return gv_put_op(p, GV_OP_VOLATILE, operand->offset);
    }
    return p;
}

static uint8_t *put_arguments(struct gv_builder *b, uint8_t *p,
                              struct gv_call_plan *plan, enum gv_call call,
                              const struct operand *operands)
{
    for (size_t i = 0; i < plan->count; i++)
        p = put_operand(b, p, &operands[i]);
    if (!plan->imported) {
        plan->import = gv_writer_import(b->params.writer, call);
        plan->imported = true;
    }
    if (b->code.stack < plan->count)
        b->code.stack = plan->count;
    b->code.instructions += plan->count + 1u;
    return gv_put_call(p, plan->import);
}

// ---- results ----

// Device memory of an image, padding and tiling aside.
static uint64_t image_bytes(const struct gv_values_image_create *image)
{
    const struct gv_format_info *info = gv_format_info(image->format);
    uint64_t total = 0, factor = 0;
    if (!info || image->mips > 32 ||
        !gv_mul_u64(image->layers, image->samples, &factor))
        return 0; // refused elsewhere, by name
    for (uint32_t mip = 0; mip < image->mips; mip++) {
        uint64_t width = gv_mip_size(image->width, mip);
        uint64_t height = gv_mip_size(image->height, mip);
        uint64_t depth = gv_mip_size(image->depth, mip);
        uint64_t blocks, bytes;
        width = (width + info->block_width - 1) / info->block_width;
        height = (height + info->block_height - 1) / info->block_height;
        if (!gv_mul_u64(width, height, &blocks) || !gv_mul_u64(blocks, depth, &bytes) ||
            !gv_mul_u64(bytes, info->block_bytes, &bytes) ||
            !gv_mul_u64(bytes, factor, &bytes) || !gv_add_u64(total, bytes, &total))
            return 0;
    }
    return total;
}

static struct gv_live_object describe_result(const struct gv_call_plan *plan,
                                             enum gv_call call, const void *values)
{
    struct gv_live_object object = { .kind = plan->info->result,
                                     .call = (uint8_t)call };
    if (call == GV_CALL_buffer_create) {
        const struct gv_values_buffer_create *buffer = values;
        object.bytes = buffer->size;
        object.trait = buffer->usage;
    } else if (call == GV_CALL_image_create) {
        const struct gv_values_image_create *image = values;
        object.bytes = image_bytes(image);
        object.trait = image->format;
        object.image = (struct gv_image_shape){
            .type = image->type,
            .format = image->format,
            .width = image->width,
            .height = image->height,
            .depth = image->depth,
            .mips = image->mips,
            .layers = image->layers,
            .samples = image->samples,
            .usage = image->usage,
            .flags = image->flags,
        };
    } else if (call == GV_CALL_shader_create) {
        const struct gv_values_shader_create *shader = values;
        object.trait = gv_point_traits(shader->spirv.data, (size_t)shader->size);
    } else if (call == GV_CALL_buffer_map) {
        const struct gv_values_buffer_map *map = values;
        object.bytes = map->size;
    }
    return object;
}

// Once, at the call that makes too much: `run` and `verify` will refuse the payload.
static void warn_beyond_memory(struct gv_builder *b)
{
    const uint64_t limit = b->params.memory_limit, most = b->slots.most_live_bytes;
    if (!limit || most <= limit || b->beyond_memory)
        return;
    b->beyond_memory = true;
    gv_builder_diagnose(b, GV_WARNING, "beyond-memory",
                        "objects pass %llu MiB at once: run and verify refuse the "
                        "payload without a larger --mem-mb",
                        (unsigned long long)(limit >> 20));
}

// A new object in a slot of its kind; 0: failed.
static uint32_t make_object(struct gv_builder *b, const struct gv_live_object *like)
{
    struct gv_live_object object = *like;
    bool new_slot = false;
    object.branch = gv_builder_branch(b);
    uint32_t number = gv_slots_create(&b->slots, &object, &new_slot);
    if (!number) {
        gv_builder_fail(b, GV_ERR_LIMIT, "too many objects");
        return 0;
    }
    warn_beyond_memory(b);
    if (object.kind == GV_KIND_MAP) {
        b->map_bytes += object.bytes;
        if (b->map_bytes > b->most_map_bytes)
            b->most_map_bytes = b->map_bytes;
    }
    if (new_slot) {
        const struct gv_slot_info info = { object.kind, object.kind == GV_KIND_MAP
                                                            ? object.bytes
                                                            : 0 };
        gv_writer_slot(b->params.writer, info);
    }
    return number;
}

static uint8_t *put_result(struct gv_builder *b, uint8_t *p,
                           const struct gv_call_plan *plan, enum gv_call call,
                           const void *values, uint32_t *result)
{
    const struct gv_live_object object = describe_result(plan, call, values);
    *result = gv_builder_join(b, &object);
    if (!*result && !b->failed)
        *result = make_object(b, &object);
    if (!*result)
        return p;
    b->code.instructions++;
    return gv_put_op(p, GV_OP_STORE_SLOT, gv_slots_find(&b->slots, *result)->slot);
}

static void destroy_object(struct gv_builder *b, uint64_t number)
{
    const struct gv_live_object *object = gv_slots_find(&b->slots, number);
    if (object && object->kind == GV_KIND_MAP)
        b->map_bytes -= object->bytes;
    if (object && !gv_slots_destroy(&b->slots, (uint32_t)number))
        gv_builder_no_memory(b);
}

// What a front-end has not decoded ahead of time, although the target lacks it.
static bool target_allows(struct gv_builder *b, enum gv_call call, const void *values)
{
    if (call != GV_CALL_image_create || b->either_depth) // there is another way
        return true;
    const struct gv_values_image_create *image = values;
    const struct gv_format_info *info = gv_format_info(image->format);
    return !info || gv_target_has_format(b->params.target, image->format) ||
           gv_builder_fail(b, GV_ERR_UNSUPPORTED, "unsupported: %s on this target",
                           info->name);
}

// What was made outside a branch cannot end in it: the other one would go on with it.
static bool may_destroy(struct gv_builder *b, const struct gv_call_plan *plan,
                        const struct operand *operands)
{
    if (plan->destroys == GV_NOWHERE || !b->either_depth)
        return true;
    const struct gv_live_object *live =
        gv_slots_find(&b->slots, operands[plan->destroys].cell);
    return !live || live->branch == gv_builder_branch(b) ||
           bad_argument(b, plan, plan->destroys, "is destroyed in one branch alone");
}

uint32_t gv_builder_call(struct gv_builder *b, enum gv_call call, const void *values)
{
    if (b->failed || gv_builder_is_left_out(b, call))
        return 0;
    struct gv_call_plan *plan = &b->plans[call];
    struct operand operands[GV_MAX_ARGS];
    if (!resolve(b, plan, values, operands) || !may_destroy(b, plan, operands) ||
        !target_allows(b, call, values) || !gv_builder_keeps_rules(b, call, values))
        return gv_builder_leave_out(b, call);
    if (plan->state_class != GV_NOWHERE && repeats_state(b, plan, call, operands))
        return 0;
    if (plan->watched &&
        !gv_requirements_of_call(gv_builder_needs(b), &b->slots, call, values)) {
        gv_builder_refuse(b, "%s: a description does not decode", plan->info->name);
        return gv_builder_leave_out(b, call);
    }
    uint8_t *p = gv_builder_begin_call(b);
    if (!p)
        return 0;
    uint32_t result = 0;
    p = put_arguments(b, p, plan, call, operands);
    if (plan->info->result)
        p = put_result(b, p, plan, call, values, &result);
    gv_code_advance(&b->code.bytes, p);
    if (plan->destroys != GV_NOWHERE)
        destroy_object(b, operands[plan->destroys].cell);
    if (call == GV_CALL_shader_create)
        gv_builder_made_shader(b, result);
    return b->failed ? 0 : result;
}

void gv_builder_map_write(struct gv_builder *b, struct gv_map map, uint64_t offset,
                          const void *data, uint64_t size)
{
    const struct gv_live_object *live = gv_slots_find(&b->slots, map.id);
    if (b->failed || size == 0)
        return;
    if (!live || live->kind != GV_KIND_MAP ||
        !gv_range_inside(offset, size, live->bytes)) {
        gv_builder_refuse(b, "write outside a mapped range");
        return;
    }
    bool small = gv_builder_inline(b, size);
    uint32_t number;
    if (small ? !gv_builder_constant(b, data, (size_t)size, &number)
              : !gv_builder_resource(b, data, size, &number))
        return;
    uint8_t *p = gv_builder_begin_call(b);
    if (!p)
        return;
    p = gv_put_op(p, GV_OP_LOAD_SLOT, live->slot);
    if (offset) {
        *p++ = GV_OP_ADD_IMM;
        p = gv_put_sleb(p, (int64_t)offset);
    }
    if (small) {
        p = gv_put_op(p, GV_OP_CONST, number);
        p = gv_put_op(p, GV_OP_COPY, size);
    } else {
        p = gv_builder_put_resource(b, p, GV_OP_FETCH, number);
    }
    b->code.instructions += (offset ? 2u : 1u) + (small ? 2u : 1u);
    if (b->code.stack < (small ? 2u : 1u))
        b->code.stack = small ? 2u : 1u;
    gv_code_advance(&b->code.bytes, p);
}
