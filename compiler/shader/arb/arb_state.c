// Items of OpenGL's state that programs read: "state." and what stands behind it.
#include "compiler/shader/arb/arb_internal.h"

#include <string.h>

enum stages { VERTEX, FRAGMENT, BOTH };

static const struct item {
    const char *name;
    enum stages stages;
    uint32_t limit; // of its index
    const char *part;
    enum gv_arb_source source;
} items[] = {
#define STATE(name, stages, limit, part, source) { name, stages, limit, part, source },
#include "compiler/shader/arb/arb_state.def"
#undef STATE
};

#define ITEMS (sizeof items / sizeof *items)

static bool of_stage(const struct arb *a, enum stages stages)
{
    return stages == BOTH || (stages == FRAGMENT) == a->fragment;
}

// ".front", ".back" or nothing, and the point behind.
static bool side(struct arb *a, struct gv_arb_parameter *out)
{
    if (!arb_expect(a, "."))
        return false;
    bool back = arb_is(a, "back");
    if (!arb_accept(a, "front") && !arb_accept(a, "back"))
        return true;
    out->side = back;
    return arb_expect(a, ".");
}

// One of the names that a NULL ends, from `source` on.
static bool named(struct arb *a, const char *const *names, uint32_t source,
                  struct gv_arb_parameter *out)
{
    for (uint32_t i = 0; names[i]; i++)
        if (arb_accept(a, names[i])) {
            out->source = (uint16_t)(source + i);
            return true;
        }
    return arb_unexpected(a, names[0]);
}

static bool material(struct arb *a, struct gv_arb_parameter *out)
{
    static const char *const names[] = { "ambient",  "diffuse",   "specular",
                                         "emission", "shininess", NULL };
    return side(a, out) && named(a, names, GV_ARB_MATERIAL_AMBIENT, out);
}

static bool light_product(struct arb *a, struct gv_arb_parameter *out)
{
    static const char *const names[] = { "ambient", "diffuse", "specular", NULL };
    uint32_t light;
    if (!arb_index(a, GV_ARB_LIGHTS, &light))
        return false;
    out->index = (uint16_t)light;
    return side(a, out) && named(a, names, GV_ARB_PRODUCT_AMBIENT, out);
}

static bool texgen(struct arb *a, struct gv_arb_parameter *out)
{
    static const char *const spaces[] = { "eye", "object", NULL };
    static const char *const coordinates[] = { "s", "t", "r", "q", NULL };
    struct gv_arb_parameter coordinate = { 0 };
    uint32_t unit = 0;
    if (arb_is(a, "[") && !arb_index(a, GV_ARB_UNITS, &unit))
        return false;
    out->index = (uint16_t)unit;
    if (!arb_expect(a, ".") || !named(a, spaces, GV_ARB_TEXGEN_EYE, out) ||
        !arb_expect(a, ".") || !named(a, coordinates, 0, &coordinate))
        return false;
    out->part = coordinate.source;
    return true;
}

// ---- matrices ----

static bool matrix_name(struct arb *a, struct gv_arb_parameter *out)
{
    uint32_t index = 0, limit = 0;
    if (arb_accept(a, "modelview")) {
        out->source = GV_ARB_MODELVIEW;
        limit = 1; // more: vertex blending
    } else if (arb_accept(a, "projection")) {
        out->source = GV_ARB_PROJECTION;
    } else if (arb_accept(a, "mvp")) {
        out->source = GV_ARB_MVP;
    } else if (arb_accept(a, "texture")) {
        out->source = GV_ARB_TEXTURE_MATRIX;
        limit = GV_ARB_UNITS;
    } else if (arb_accept(a, "program")) {
        out->source = GV_ARB_PROGRAM_MATRIX;
        return arb_index(a, GV_ARB_PROGRAM_MATRICES, &index) &&
               (out->index = (uint16_t)index, true);
    } else if (arb_is(a, "palette")) {
        return arb_fail(a, GV_ERR_UNSUPPORTED, "unsupported: state.matrix.palette");
    } else {
        return arb_unexpected(a, "a matrix");
    }
    if (limit && arb_is(a, "[") && !arb_index(a, limit, &index))
        return false;
    out->index = (uint16_t)index;
    return true;
}

// "[N]" or "[N..M]" behind "row".
static bool rows(struct arb *a, bool whole, struct gv_arb_parameter *out,
                 uint32_t *count)
{
    uint32_t first, last;
    if (!arb_expect(a, "[") || !arb_integer(a, 4, &first))
        return false;
    last = first;
    if (whole && a->at.token.kind == ARB_RANGE) {
        arb_advance(a);
        if (!arb_integer(a, 4, &last))
            return false;
        if (last < first)
            return arb_fail(a, GV_ERR_FORMAT, "the range ends before it begins");
    }
    out->part = (uint16_t)first;
    *count = last - first + 1;
    return arb_expect(a, "]");
}

static bool matrix(struct arb *a, bool whole, struct gv_arb_parameter *out,
                   uint32_t *count)
{
    static const char *const forms[] = { "inverse", "transpose", "invtrans" };
    if (!arb_expect(a, ".") || !matrix_name(a, out))
        return false;
    struct arb_place before = a->at;
    bool dot = arb_accept(a, ".");
    for (uint32_t i = 0; dot && i < 3; i++)
        if (arb_accept(a, forms[i])) {
            out->side = (uint16_t)(i + GV_ARB_INVERSE);
            before = a->at;
            dot = arb_accept(a, ".");
            break;
        }
    if (dot && arb_accept(a, "row"))
        return rows(a, whole, out, count);
    a->at = before;
    if (!whole)
        return arb_unexpected(a, "\".row[N]\"");
    *count = 4;
    return true;
}

// ---- all ----

// What stands behind a name of the table.
static bool listed(struct arb *a, const struct item *first,
                   struct gv_arb_parameter *out)
{
    uint32_t index = 0;
    // Texture environments may leave out the first unit.
    bool optional = first->source == GV_ARB_TEXENV_COLOR && !arb_is(a, "[");
    if (first->limit && !optional && !arb_index(a, first->limit, &index))
        return false;
    out->index = (uint16_t)index;
    if (!arb_expect(a, "."))
        return false;
    for (const struct item *i = first; i < items + ITEMS; i++) {
        if (strcmp(i->name, first->name) != 0 || !arb_accept(a, i->part))
            continue;
        out->source = (uint16_t)i->source;
        return i->source != GV_ARB_LIGHT_SPOT ||
               (arb_expect(a, ".") && arb_expect(a, "direction"));
    }
    return arb_unexpected(a, "an item of this state");
}

bool arb_state(struct arb *a, bool whole, struct gv_arb_parameter *out, uint32_t *count)
{
    *count = 1;
    if (arb_accept(a, "matrix"))
        return matrix(a, whole, out, count);
    if (arb_accept(a, "material"))
        return material(a, out);
    if (arb_accept(a, "lightprod"))
        return light_product(a, out);
    if (!a->fragment && arb_accept(a, "texgen"))
        return texgen(a, out);
    if (arb_accept(a, "lightmodel")) {
        static const char *const names[] = { "ambient", "scenecolor", NULL };
        if (!side(a, out))
            return false;
        if (arb_is(a, "ambient"))
            out->side = 0;
        return named(a, names, GV_ARB_MODEL_AMBIENT, out);
    }
    for (size_t i = 0; i < ITEMS; i++)
        if (of_stage(a, items[i].stages) && arb_accept(a, items[i].name))
            return listed(a, &items[i], out);
    return arb_unexpected(a, "an item of OpenGL's state");
}
