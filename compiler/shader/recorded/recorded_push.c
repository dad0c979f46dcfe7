// Push constants as a block of uniforms: the pointers change their storage class, and
// offsets and strides stay.
#include "compiler/shader/recorded/recorded_internal.h"

#include "compiler/shader/spirv/spirv_types.h"
#include "vm/spirv/spirv_edit.h"
#include "vm/spirv/spirv_needs.h"

struct push {
    struct gv_spirv_types types;
    uint32_t variable, block; // ids, 0: none
    struct gv_spirv_edit edit;
};

// ---- how large the block is ----

static uint64_t part_end(struct gv_spirv_types *t, uint32_t id,
                         const struct gv_spirv_field *field);

// The end of a number of elements.
static uint64_t row_end(uint64_t count, uint32_t stride, uint64_t last)
{
    return count && stride != GV_SPIRV_UNSET ? (count - 1) * stride + last : last;
}

static uint64_t block_end(struct gv_spirv_types *t, uint32_t id)
{
    uint32_t count;
    uint64_t end = 0;
    const struct gv_spirv_field *fields = gv_spirv_fields(t, id, &count);
    for (uint32_t i = 0; fields && i < count; i++) {
        const uint64_t last =
            fields[i].offset + part_end(t, fields[i].type, &fields[i]);
        end = last > end ? last : end;
    }
    return end;
}

static uint64_t matrix_end(struct gv_spirv_types *t, const uint32_t *matrix,
                           const struct gv_spirv_field *field)
{
    const uint32_t *column = gv_spirv_type(t, matrix[2]);
    const uint64_t number = part_end(t, column[2], field);
    return field->row_major
               ? row_end(column[3], field->matrix_stride, matrix[3] * number)
               : row_end(matrix[3], field->matrix_stride, column[3] * number);
}

// Types nest no deeper than GV_MAX_SPIRV_TYPE_DEPTH.
static uint64_t part_end(struct gv_spirv_types *t, uint32_t id,
                         const struct gv_spirv_field *field)
{
    const uint32_t *type = gv_spirv_type(t, id);
    switch (gv_spirv_op(type)) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return type[2] / 8;
    case SpvOpTypeVector:
        return type[3] * part_end(t, type[2], field); // NOLINT(misc-no-recursion)
    case SpvOpTypeMatrix:
        return matrix_end(t, type, field);
    case SpvOpTypeArray:
        return row_end(gv_spirv_value(t, type[3]),
                       gv_spirv_mark(t, id, SpvDecorationArrayStride),
                       part_end(t, type[2], field)); // NOLINT(misc-no-recursion)
    case SpvOpTypeStruct:
        return block_end(t, id);
    default:
        return 0;
    }
}

// ---- what becomes of it ----

static bool find_variable(struct push *p, struct gv_error *err)
{
    const struct gv_spirv_types *t = &p->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (gv_spirv_op(w) == SpvOpDecorate && w[2] == SpvDecorationDescriptorSet &&
            w[3] == GV_RECORDED_PUSH_SET)
            return gv_fail(err, GV_ERR_FORMAT, at * 4, "SPIR-V descriptor set %u",
                           w[3]);
        if (gv_spirv_op(w) != SpvOpVariable || w[3] != SpvStorageClassPushConstant)
            continue;
        if (p->variable)
            return gv_fail(err, GV_ERR_FORMAT, at * 4,
                           "SPIR-V entry point with two blocks of push constants");
        p->variable = w[2];
        p->block = gv_spirv_type(t, w[1])[3];
    }
    return true;
}

static void put(struct push *p, const uint32_t *w, uint32_t class_at)
{
    gv_spirv_put(&p->edit.head, w, gv_spirv_length(w));
    if (class_at && w[class_at] == SpvStorageClassPushConstant)
        gv_spirv_put_over(&p->edit.head, gv_spirv_length(w) - class_at,
                          SpvStorageClassUniform);
}

static void put_module(struct push *p)
{
    const struct gv_spirv_types *t = &p->types;
    bool placed = false;
    gv_spirv_put(&p->edit.head, t->words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at, op = gv_spirv_op(w);
        // A block has decorations, so there are some.
        if (!placed && (op == SpvOpDecorate || op == SpvOpMemberDecorate)) {
            placed = true;
            GV_SPIRV_PUT(&p->edit.head, SpvOpDecorate, p->variable,
                         SpvDecorationDescriptorSet, GV_RECORDED_PUSH_SET);
            GV_SPIRV_PUT(&p->edit.head, SpvOpDecorate, p->variable,
                         SpvDecorationBinding, 0);
        }
        put(p, w, op == SpvOpTypePointer ? 2 : op == SpvOpVariable ? 3 : 0);
    }
    gv_spirv_put(&p->edit.body, t->words + t->functions, t->count - t->functions);
}

bool gv_recorded_push(struct gv_recorded_words *module, struct gv_arena *arena,
                      uint32_t *bytes, struct gv_error *err)
{
    struct push p = { 0 };
    uint32_t *words = NULL;
    *bytes = 0;
    if (!gv_spirv_types_read(module->words, module->count, arena, &p.types, err) ||
        !find_variable(&p, err))
        return false;
    if (!p.variable)
        return true;
    const uint64_t end = block_end(&p.types, p.block);
    if (end > GV_RECORDED_MOST_PUSH_BYTES)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: %llu bytes of push constants (limit %u)",
                       (unsigned long long)end, GV_RECORDED_MOST_PUSH_BYTES);
    *bytes = ((uint32_t)end + 15) & ~15u;
    gv_spirv_edit_init(&p.edit, module->words, p.types.functions);
    put_module(&p);
    const bool ok = gv_spirv_edit_copy(&p.edit, arena, &words, &module->count, err);
    gv_spirv_edit_finish(&p.edit);
    module->words = words;
    return ok;
}
