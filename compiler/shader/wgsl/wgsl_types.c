// Types of WGSL: what they are, which becomes which, their names.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <stdio.h>
#include <string.h>

#define SCALAR(k) [k] = { .kind = (k) }
static const struct wgsl_type scalars[] = {
    SCALAR(WGSL_VOID),         SCALAR(WGSL_BOOL),
    SCALAR(WGSL_ABSTRACT_INT), SCALAR(WGSL_ABSTRACT_FLOAT),
    SCALAR(WGSL_I32),          SCALAR(WGSL_U32),
    SCALAR(WGSL_F32),
};

#define VECTOR(k, n)                                             \
    {                                                            \
        .kind = WGSL_VECTOR, .element = &scalars[k], .rows = (n) \
    }
#define VECTORS(k) [k] = { VECTOR(k, 2), VECTOR(k, 3), VECTOR(k, 4) }
static const struct wgsl_type vectors[][3] = {
    VECTORS(WGSL_BOOL), VECTORS(WGSL_ABSTRACT_INT), VECTORS(WGSL_ABSTRACT_FLOAT),
    VECTORS(WGSL_I32),  VECTORS(WGSL_U32),          VECTORS(WGSL_F32),
};

#define MATRIX(k, c, r)                                                          \
    {                                                                            \
        .kind = WGSL_MATRIX, .element = &scalars[k], .rows = (r), .columns = (c) \
    }
#define COLUMNS(k, c)                                     \
    {                                                     \
        MATRIX(k, c, 2), MATRIX(k, c, 3), MATRIX(k, c, 4) \
    }
static const struct wgsl_type matrices[2][3][3] = {
    { COLUMNS(WGSL_ABSTRACT_FLOAT, 2), COLUMNS(WGSL_ABSTRACT_FLOAT, 3),
      COLUMNS(WGSL_ABSTRACT_FLOAT, 4) },
    { COLUMNS(WGSL_F32, 2), COLUMNS(WGSL_F32, 3), COLUMNS(WGSL_F32, 4) },
};

const struct wgsl_type *wgsl_scalar(enum wgsl_kind kind)
{
    return &scalars[kind];
}

const struct wgsl_type *wgsl_vector(enum wgsl_kind element, uint32_t rows)
{
    return &vectors[element][rows - 2];
}

const struct wgsl_type *wgsl_matrix(enum wgsl_kind element, uint32_t columns,
                                    uint32_t rows)
{
    return &matrices[element == WGSL_F32][columns - 2][rows - 2];
}

struct wgsl_type *wgsl_type_new(struct wgsl *w, enum wgsl_kind kind,
                                const struct wgsl_type *element)
{
    struct wgsl_type *t = wgsl_node(w, sizeof *t);
    if (t) {
        t->kind = kind;
        t->element = element;
    }
    return t;
}

bool wgsl_same(const struct wgsl_type *a, const struct wgsl_type *b)
{
    for (; a && b && a != b; a = a->element, b = b->element) {
        if (a->kind != b->kind || a->rows != b->rows || a->columns != b->columns ||
            a->count != b->count || a->decl != b->decl ||
            a->dimension != b->dimension || a->arrayed != b->arrayed ||
            a->depth != b->depth || a->comparison != b->comparison)
            return false;
    }
    return a == b;
}

bool wgsl_is_scalar(const struct wgsl_type *t)
{
    return t->kind > WGSL_VOID && t->kind < WGSL_VECTOR;
}

bool wgsl_is_integer(enum wgsl_kind kind)
{
    return kind == WGSL_ABSTRACT_INT || kind == WGSL_I32 || kind == WGSL_U32;
}

bool wgsl_is_float(enum wgsl_kind kind)
{
    return kind == WGSL_ABSTRACT_FLOAT || kind == WGSL_F32;
}

bool wgsl_is_opaque(const struct wgsl_type *t)
{
    return t->kind == WGSL_TEXTURE || t->kind == WGSL_SAMPLER;
}

enum wgsl_kind wgsl_base(const struct wgsl_type *t)
{
    while (t->kind >= WGSL_VECTOR && t->kind <= WGSL_ARRAY)
        t = t->element;
    return wgsl_is_scalar(t) ? t->kind : WGSL_VOID;
}

bool wgsl_is_abstract(const struct wgsl_type *t)
{
    enum wgsl_kind base = wgsl_base(t);
    return base == WGSL_ABSTRACT_INT || base == WGSL_ABSTRACT_FLOAT;
}

const struct wgsl_type *wgsl_reshape(struct wgsl *w, const struct wgsl_type *t,
                                     enum wgsl_kind scalar)
{
    if (t->kind == WGSL_VECTOR)
        return wgsl_vector(scalar, t->rows);
    if (t->kind == WGSL_MATRIX)
        return wgsl_matrix(scalar, t->columns, t->rows);
    if (t->kind != WGSL_ARRAY)
        return wgsl_scalar(scalar);
    const struct wgsl_type *element = wgsl_reshape(w, t->element, scalar);
    struct wgsl_type *array = element ? wgsl_type_new(w, WGSL_ARRAY, element) : NULL;
    if (array)
        array->count = t->count;
    return array;
}

bool wgsl_can_become(enum wgsl_kind from, enum wgsl_kind to)
{
    if (from == to)
        return true;
    if (from == WGSL_ABSTRACT_INT)
        return wgsl_is_integer(to) || wgsl_is_float(to);
    return from == WGSL_ABSTRACT_FLOAT && to == WGSL_F32;
}

bool wgsl_unify(enum wgsl_kind a, enum wgsl_kind b, enum wgsl_kind *out)
{
    *out = wgsl_can_become(a, b) ? b : a;
    return wgsl_can_become(a, b) || wgsl_can_become(b, a);
}

const char *wgsl_type_text(const struct wgsl_type *t, char *out, size_t size)
{
    static const char *const names[] = {
        "nothing",  "bool",      "an integer number",
        "a number", "i32",       "u32",
        "f32",      "vector",    "matrix",
        "array",    "struct",    "atomic",
        "pointer",  "a texture", "a sampler",
    };
    const char *element = t->element ? names[t->element->kind] : "";
    if (t->element && wgsl_is_abstract(t->element))
        element = "number";
    if (t->kind == WGSL_VECTOR)
        snprintf(out, size, "vec%u<%s>", t->rows, element);
    else if (t->kind == WGSL_MATRIX)
        snprintf(out, size, "mat%ux%u<%s>", t->columns, t->rows, element);
    else if (t->kind == WGSL_STRUCT)
        snprintf(out, size, "%.40s", t->decl->name->name);
    else
        snprintf(out, size, "%s", names[t->kind]);
    return out;
}

bool wgsl_runtime_sized(const struct wgsl_type *t)
{
    if (t->kind == WGSL_ARRAY)
        return t->count == 0;
    if (t->kind != WGSL_STRUCT)
        return false;
    for (const struct wgsl_decl *m = t->decl->members; m; m = m->next)
        if (!m->next && m->type->kind == WGSL_ARRAY && m->type->count == 0)
            return true;
    return false;
}

// Structures cannot contain themselves, and nest no deeper than resolving allows.
bool wgsl_has_atomics(const struct wgsl_type *t)
{
    while (t->kind == WGSL_ARRAY)
        t = t->element;
    if (t->kind != WGSL_STRUCT)
        return t->kind == WGSL_ATOMIC;
    for (const struct wgsl_decl *m = t->decl->members; m; m = m->next)
        if (wgsl_has_atomics(m->type))
            return true;
    return false;
}

uint64_t wgsl_scalars(const struct wgsl_type *t)
{
    uint64_t elements = 1;
    for (; t->kind == WGSL_ARRAY; t = t->element)
        elements *= t->count ? t->count : 1; // bounded when the type was made
    if (t->kind == WGSL_STRUCT)
        return elements * t->decl->scalars;
    return elements * (t->rows ? t->rows : 1) * (t->columns ? t->columns : 1);
}

uint32_t wgsl_parts(const struct wgsl_type *t)
{
    while (t->kind == WGSL_ARRAY)
        t = t->element;
    return t->kind == WGSL_STRUCT ? t->decl->parts : 1;
}
