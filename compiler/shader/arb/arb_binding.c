// What names and operands are bound to: attributes, results, parameters, constants.
#include "compiler/shader/arb/arb_internal.h"

#include <string.h>

// ---- attributes ----

// "[N]", or nothing for 0.
static bool optional_index(struct arb *a, uint32_t limit, uint32_t *out)
{
    *out = 0;
    return !arb_is(a, "[") || arb_index(a, limit, out);
}

// ".primary", ".secondary" or nothing.
static bool color(struct arb *a, uint32_t first, uint32_t second, uint32_t *number)
{
    *number = first;
    // A swizzle may stand behind as well.
    const struct arb_place before = a->at;
    if (!arb_accept(a, "."))
        return true;
    if (arb_accept(a, "primary"))
        return true;
    if (arb_accept(a, "secondary"))
        *number = second;
    else
        a->at = before;
    return true;
}

// GL's generic attributes lie over the conventional ones: a program may not have both.
static bool overlaps(struct arb *a, uint32_t number)
{
    static const uint8_t generic[] = { [GV_ARB_POSITION] = 0,
                                       [GV_ARB_NORMAL] = 2,
                                       [GV_ARB_COLOR] = 3,
                                       [GV_ARB_SECONDARY] = 4,
                                       [GV_ARB_FOG_COORD] = 5 };
    uint32_t bit = number >= GV_ARB_GENERIC    ? number - GV_ARB_GENERIC
                   : number >= GV_ARB_TEXCOORD ? number
                                               : generic[number];
    uint32_t *mine = number >= GV_ARB_GENERIC ? &a->generic : &a->conventional;
    *mine |= 1u << bit;
    return (a->generic & a->conventional) != 0;
}

static bool vertex_attribute(struct arb *a, uint32_t *number)
{
    uint32_t index;
    if (arb_is(a, "weight") || arb_is(a, "matrixindex"))
        return arb_fail(a, GV_ERR_UNSUPPORTED, "unsupported: vertex.%.*s",
                        (int)a->at.token.size, a->at.token.text);
    if (arb_accept(a, "position")) {
        *number = GV_ARB_POSITION;
    } else if (arb_accept(a, "normal")) {
        *number = GV_ARB_NORMAL;
    } else if (arb_accept(a, "color")) {
        color(a, GV_ARB_COLOR, GV_ARB_SECONDARY, number);
    } else if (arb_accept(a, "fogcoord")) {
        *number = GV_ARB_FOG_COORD;
    } else if (arb_accept(a, "texcoord")) {
        if (!optional_index(a, GV_ARB_UNITS, &index))
            return false;
        *number = GV_ARB_TEXCOORD + index;
    } else if (arb_accept(a, "attrib")) {
        if (!arb_index(a, GV_ARB_GENERIC_ATTRIBUTES, &index))
            return false;
        *number = GV_ARB_GENERIC + index;
    } else {
        return arb_unexpected(a, "an attribute of vertices");
    }
    if (overlaps(a, *number))
        return arb_fail(a, GV_ERR_FORMAT, "the attribute has two names in GL");
    return true;
}

static bool fragment_attribute(struct arb *a, uint32_t *number)
{
    uint32_t index;
    if (arb_accept(a, "color"))
        return color(a, GV_ARB_IN_COLOR, GV_ARB_IN_SECONDARY, number);
    if (arb_accept(a, "fogcoord")) {
        *number = GV_ARB_IN_FOG;
        return true;
    }
    if (arb_accept(a, "position")) {
        *number = GV_ARB_IN_POSITION;
        return true;
    }
    if (!arb_accept(a, "texcoord"))
        return arb_unexpected(a, "an attribute of fragments");
    if (!optional_index(a, GV_ARB_UNITS, &index))
        return false;
    *number = GV_ARB_IN_TEXCOORD + index;
    return true;
}

bool arb_attribute(struct arb *a, uint32_t *number)
{
    const char *stage = a->fragment ? "fragment" : "vertex";
    if (!arb_expect(a, stage) || !arb_expect(a, "."))
        return false;
    if (!(a->fragment ? fragment_attribute(a, number) : vertex_attribute(a, number)))
        return false;
    a->out->inputs |= 1u << *number;
    return true;
}

// ---- results ----

// ".front", ".back", ".primary", ".secondary" in this order, each optional.
static void result_color(struct arb *a, uint32_t *number)
{
    static const struct {
        const char *name;
        uint32_t adds;
    } parts[] = {
        { "front", 0 },
        { "back", GV_ARB_OUT_BACK - GV_ARB_OUT_FRONT },
        { "primary", 0 },
        { "secondary", GV_ARB_OUT_FRONT_SECONDARY - GV_ARB_OUT_FRONT },
    };
    *number = GV_ARB_OUT_FRONT;
    for (size_t group = 0; group < 4; group += 2) {
        const struct arb_place before = a->at; // a mask may stand behind as well
        if (!arb_accept(a, "."))
            return;
        size_t i = group;
        while (i < group + 2 && !arb_accept(a, parts[i].name))
            i++;
        if (i < group + 2)
            *number += parts[i].adds;
        else
            a->at = before;
    }
}

static bool vertex_result(struct arb *a, uint32_t *number)
{
    uint32_t index;
    if (arb_is(a, "position") && a->out->position_invariant)
        return arb_fail(a, GV_ERR_FORMAT,
                        "the position is not the program's (ARB_position_invariant)");
    if (arb_accept(a, "position")) {
        *number = GV_ARB_OUT_POSITION;
    } else if (arb_accept(a, "fogcoord")) {
        *number = GV_ARB_OUT_FOG;
    } else if (arb_accept(a, "pointsize")) {
        *number = GV_ARB_OUT_POINT;
    } else if (arb_accept(a, "color")) {
        result_color(a, number);
    } else {
        if (!arb_accept(a, "texcoord"))
            return arb_unexpected(a, "a result of vertices");
        if (!optional_index(a, GV_ARB_UNITS, &index))
            return false;
        *number = GV_ARB_OUT_TEXCOORD + index;
    }
    return true;
}

static bool fragment_result(struct arb *a, uint32_t *number)
{
    if (arb_accept(a, "depth")) {
        *number = GV_ARB_OUT_DEPTH;
        return true;
    }
    if (!arb_accept(a, "color"))
        return arb_unexpected(a, "a result of fragments");
    if (!a->draw_buffers && arb_is(a, "["))
        return arb_fail(a, GV_ERR_FORMAT, "result.color[] needs ARB_draw_buffers");
    return optional_index(a, GV_ARB_TARGETS, number);
}

bool arb_result(struct arb *a, uint32_t *number)
{
    if (!arb_expect(a, "result") || !arb_expect(a, "."))
        return false;
    if (!(a->fragment ? fragment_result(a, number) : vertex_result(a, number)))
        return false;
    a->out->outputs |= 1u << *number;
    return true;
}

// ---- constants ----

bool arb_begins_constant(const struct arb *a)
{
    return a->at.token.kind == ARB_INTEGER || a->at.token.kind == ARB_FLOAT ||
           arb_is(a, "{") || arb_is(a, "-") || arb_is(a, "+");
}

static bool signed_number(struct arb *a, float *out)
{
    bool minus = arb_is(a, "-");
    if (!arb_accept(a, "-"))
        arb_accept(a, "+");
    if (a->at.token.kind != ARB_INTEGER && a->at.token.kind != ARB_FLOAT)
        return arb_unexpected(a, "a number");
    *out = minus ? -a->at.token.number : a->at.token.number;
    arb_advance(a);
    return true;
}

bool arb_constant(struct arb *a, struct gv_arb_parameter *out)
{
    *out = (struct gv_arb_parameter){ .value = { 0, 0, 0, 1 } };
    if (!arb_accept(a, "{")) {
        if (!signed_number(a, &out->value[0]))
            return false;
        for (int i = 1; i < 4; i++)
            out->value[i] = out->value[0];
        return true;
    }
    for (int i = 0; i < 4; i++) {
        if (i && !arb_accept(a, ","))
            break;
        if (!signed_number(a, &out->value[i]))
            return false;
    }
    return arb_expect(a, "}");
}

// ---- parameters ----

// Of program.env and program.local: "[N]", or "[N..M]" if several may stand.
static bool numbered(struct arb *a, bool whole, uint32_t limit,
                     struct gv_arb_parameter *out, uint32_t *count)
{
    uint32_t first, last;
    if (!arb_expect(a, "[") || !arb_integer(a, limit, &first))
        return false;
    last = first;
    if (whole && a->at.token.kind == ARB_RANGE) {
        arb_advance(a);
        if (!arb_integer(a, limit, &last))
            return false;
        if (last < first)
            return arb_fail(a, GV_ERR_FORMAT, "the range ends before it begins");
    }
    out->index = (uint16_t)first;
    *count = last - first + 1;
    return arb_expect(a, "]");
}

bool arb_parameter(struct arb *a, bool whole, struct gv_arb_parameter *out,
                   uint32_t *count)
{
    *out = (struct gv_arb_parameter){ 0 };
    *count = 1;
    if (arb_begins_constant(a))
        return arb_constant(a, out);
    if (arb_accept(a, "state"))
        return arb_expect(a, ".") && arb_state(a, whole, out, count);
    if (!arb_accept(a, "program"))
        return arb_unexpected(a, "a parameter");
    if (!arb_expect(a, "."))
        return false;
    if (arb_accept(a, "env")) {
        out->source = GV_ARB_ENVIRONMENT;
        return numbered(a, whole, GV_ARB_MAX_ENVIRONMENT, out, count);
    }
    if (!arb_accept(a, "local"))
        return arb_unexpected(a, "\"env\" or \"local\"");
    out->source = GV_ARB_LOCAL;
    return numbered(a, whole, GV_ARB_MAX_LOCALS, out, count);
}
