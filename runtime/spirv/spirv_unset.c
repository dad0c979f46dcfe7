// Variables and values that nothing has set read as zeros.
#include "runtime/spirv/spirv_parts.h"

// Whether a null of the type exists: numbers, and what is made of them alone. Types
// nest less deep than GV_MAX_SPIRV_TYPE_DEPTH, and hold few parts.
bool gv_spirv_has_null(const struct gv_spirv_rewriting *r, uint32_t type_id)
{
    const uint32_t *type = gv_spirv_def(r->ids, type_id);
    switch (gv_spirv_op(type)) {
    case SpvOpTypeBool:
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return true;
    case SpvOpTypeArray:
        return gv_spirv_has_null(r, type[2]);
    case SpvOpTypeStruct:
        for (uint32_t i = 2; i < gv_spirv_length(type); i++)
            if (!gv_spirv_has_null(r, type[i]))
                return false;
        return true;
    default:
        return false;
    }
}

// An undefined number is none that a comparison holds for: compilers may take it for a
// small one there and for a large one in the address.
bool gv_spirv_undefined(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    if (!gv_spirv_has_null(r, w[1]))
        return gv_spirv_cannot(r, "undefined value that is no data");
    // In `head`, also from functions: there its definition precedes all uses.
    gv_spirv_put(&r->edit.head,
                 (uint32_t[]){ 3u << 16 | SpvOpConstantNull, w[1], w[2] }, 3);
    return true;
}

// OpVectorShuffle from the word `at` on: two vectors, components. One that is undefined
// becomes the first of the first vector.
void gv_spirv_shuffle(const uint32_t *w, uint32_t at, struct gv_bytes *to)
{
    uint32_t length = gv_spirv_length(w);
    gv_spirv_put(to, w, length);
    for (uint32_t i = at + 2; i < length; i++)
        if (w[i] == UINT32_MAX)
            gv_spirv_put_over(to, length - i, 0);
}

// Drivers make a store of each number of an initial value, and lavapipe takes minutes
// over some thousand. Larger variables are zeroed by loops (spirv_zero.c).
#define NULL_BYTES 1024

bool gv_spirv_is_fixed(const struct gv_spirv_rewriting *r, uint32_t type_id)
{
    const uint32_t *type = gv_spirv_def(r->ids, type_id);
    bool fixed = true;
    if (gv_spirv_op(type) == SpvOpTypeArray)
        return gv_spirv_op(gv_spirv_maker(&r->values, type[3])) == SpvOpConstant &&
               gv_spirv_is_fixed(r, type[2]);
    if (gv_spirv_op(type) == SpvOpTypeStruct)
        for (uint32_t i = 2; fixed && i < gv_spirv_length(type); i++)
            fixed = gv_spirv_is_fixed(r, type[i]);
    return fixed;
}

static bool wants_null(const struct gv_spirv_rewriting *r, const uint32_t *w,
                       uint32_t type)
{
    switch (w[3]) {
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
        return gv_spirv_size(r->ids, type) <= NULL_BYTES && gv_spirv_is_fixed(r, type);
    case SpvStorageClassWorkgroup:
        return r->limits->has(r->limits->context,
                              "shaderZeroInitializeWorkgroupMemory");
    case SpvStorageClassOutput:
        return r->module->stage != GV_STAGE_TESSELLATION_CONTROL &&
               gv_spirv_value_of(&r->values, w[2])->loaded;
    default:
        return false;
    }
}

// OpVariable: type, result, class, initial value.
void gv_spirv_unset_variable(struct gv_spirv_rewriting *r, const uint32_t *w,
                             struct gv_bytes *to)
{
    struct gv_spirv_edit *e = &r->edit;
    uint32_t type = gv_spirv_def(r->ids, w[1])[3];
    bool plain = gv_spirv_length(w) > 4 || !gv_spirv_has_null(r, type);
    if (!plain && wants_null(r, w, type)) {
        GV_SPIRV_PUT(to, SpvOpVariable, w[1], w[2], w[3], gv_spirv_edit_null(e, type));
        return;
    }
    gv_spirv_put(to, w, gv_spirv_length(w));
    if (!plain && w[3] == SpvStorageClassFunction)
        gv_spirv_put(&r->unset, w + 2, 1);
    if (!plain && w[3] == SpvStorageClassPrivate)
        gv_spirv_put(&r->privates, w + 2, 1);
}
