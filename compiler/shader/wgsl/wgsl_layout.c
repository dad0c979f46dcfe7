// Memory layouts: WGSL's own, and whether GLSL's std140 or std430 is the same.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include "resources/base/checked.h"

enum rules { RULES_WGSL, RULES_STD430, RULES_STD140 };

struct extent {
    uint64_t align, size;
};

static bool round_up(struct wgsl *w, uint32_t at, uint64_t align, uint64_t *size)
{
    return (gv_align_u64(*size, align, size) && *size <= UINT32_MAX) ||
           wgsl_limit(w, at, "type over 4 GiB");
}

static bool extent_of(struct wgsl *w, const struct wgsl_type *t, uint32_t at,
                      enum rules rules, struct extent *out);

// The distance between elements of an array, or columns of a matrix.
static bool stride_of(struct wgsl *w, const struct wgsl_type *t, uint32_t at,
                      enum rules rules, struct extent *out)
{
    const struct wgsl_type *element =
        t->kind == WGSL_MATRIX ? wgsl_vector(t->element->kind, t->rows) : t->element;
    if (!extent_of(w, element, at, rules, out))
        return false;
    if (rules == RULES_STD140 && out->align < 16)
        out->align = 16;
    return round_up(w, at, out->align, &out->size);
}

// WGSL's attributes, where they say more than the member's type.
static bool apply_attributes(struct wgsl *w, const struct wgsl_decl *m,
                             struct extent *e)
{
    uint32_t value;
    if (m->attributes.align) {
        if (!wgsl_constant(w, m->attributes.align, 1, 1 << 20, &value))
            return false;
        if (value & (value - 1) || value % e->align)
            return wgsl_fail(w, m->attributes.align->at, "not an alignment of '%.40s'",
                             m->name->name);
        e->align = value;
    }
    if (m->attributes.size) {
        if (!wgsl_constant(w, m->attributes.size, 1, 1 << 24, &value))
            return false;
        if (value < e->size)
            return wgsl_fail(w, m->attributes.size->at, "'%.40s' is larger than that",
                             m->name->name);
        e->size = value;
    }
    return true;
}

static bool struct_extent(struct wgsl *w, const struct wgsl_type *t, uint32_t at,
                          enum rules rules, struct extent *out)
{
    uint64_t end = 0, align = 1;
    for (struct wgsl_decl *m = t->decl->members; m; m = m->next) {
        struct extent e;
        if (!extent_of(w, m->type, at, rules, &e) ||
            (rules == RULES_WGSL && !apply_attributes(w, m, &e)) ||
            !round_up(w, at, e.align, &end))
            return false;
        if (rules == RULES_WGSL)
            m->offset = (uint32_t)end;
        else if (m->offset != end)
            return wgsl_unsupported(w, m->at, "layout of member %.40s", m->name->name);
        end += e.size;
        align = e.align > align ? e.align : align;
    }
    if (rules == RULES_STD140 && align < 16)
        align = 16;
    *out = (struct extent){ align, end };
    return round_up(w, at, align, &out->size);
}

static bool extent_of(struct wgsl *w, const struct wgsl_type *t, uint32_t at,
                      enum rules rules, struct extent *out)
{
    *out = (struct extent){ 4, 4 };
    switch (t->kind) {
    case WGSL_BOOL:
        return wgsl_fail(w, at, "bool in a buffer");
    case WGSL_I32:
    case WGSL_U32:
    case WGSL_F32:
    case WGSL_ATOMIC:
        return true;
    case WGSL_VECTOR:
        if (t->element->kind == WGSL_BOOL)
            return wgsl_fail(w, at, "bool in a buffer");
        *out = (struct extent){ t->rows == 2 ? 8 : 16, (uint64_t)4 * t->rows };
        return true;
    case WGSL_MATRIX:
        if (!stride_of(w, t, at, rules, out))
            return false;
        out->size *= t->columns;
        return true;
    case WGSL_ARRAY:
        if (!stride_of(w, t, at, rules, out))
            return false;
        out->size *= t->count ? t->count : 1; // both factors below 2^32
        return round_up(w, at, 1, &out->size);
    case WGSL_STRUCT:
        return struct_extent(w, t, at, rules, out);
    case WGSL_VOID:
    case WGSL_ABSTRACT_INT:
    case WGSL_ABSTRACT_FLOAT:
    case WGSL_POINTER:
    case WGSL_TEXTURE:
    case WGSL_SAMPLER:
        break;
    }
    return wgsl_fail(w, at, "a type that no buffer holds");
}

// Strides must agree too: offsets of members do not show them.
static bool same_strides(struct wgsl *w, const struct wgsl_type *t, uint32_t at,
                         enum rules rules)
{
    struct extent ours, theirs;
    if (t->kind == WGSL_ARRAY || t->kind == WGSL_MATRIX) {
        if (!stride_of(w, t, at, RULES_WGSL, &ours) ||
            !stride_of(w, t, at, rules, &theirs))
            return false;
        if (ours.size != theirs.size)
            return wgsl_unsupported(w, at, "%s of %u byte strides in a uniform buffer",
                                    t->kind == WGSL_ARRAY ? "array" : "matrix",
                                    (unsigned)ours.size);
    }
    if (t->kind == WGSL_ARRAY)
        return same_strides(w, t->element, at, rules);
    if (t->kind != WGSL_STRUCT)
        return true;
    for (const struct wgsl_decl *m = t->decl->members; m; m = m->next)
        if (!same_strides(w, m->type, m->at, rules))
            return false;
    return true;
}

bool wgsl_check_layout(struct wgsl *w, const struct wgsl_type *t, uint32_t at,
                       bool std140)
{
    enum rules rules = std140 ? RULES_STD140 : RULES_STD430;
    struct extent e;
    return extent_of(w, t, at, RULES_WGSL, &e) && extent_of(w, t, at, rules, &e) &&
           same_strides(w, t, at, rules);
}
