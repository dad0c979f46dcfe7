// Operands of instructions as GLSL: registers, parameters, swizzles, masks.
#include "compiler/shader/arb/arb_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- parameters ----

static uint32_t placed(const struct arb *a)
{
    return (uint32_t)(a->parameters.size / sizeof(struct gv_arb_parameter));
}

static bool has_room(struct arb *a, uint32_t count)
{
    if (count > GV_ARB_MAX_PARAMETERS - placed(a))
        return arb_fail(a, GV_ERR_LIMIT, "over %u parameters", GV_ARB_MAX_PARAMETERS);
    return true;
}

// Where a parameter lies in the block; it is put there if it is not yet.
static bool row_of(struct arb *a, const struct gv_arb_parameter *p, uint32_t *row)
{
    const uint8_t *all = a->parameters.data;
    uint32_t count = placed(a);
    for (*row = 0; *row < count; (*row)++)
        // The bits of constants count: -0 is another one.
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
        if (!memcmp(all + *row * sizeof *p, p, sizeof *p))
            return true;
    if (!has_room(a, 1))
        return false;
    gv_bytes_put(&a->parameters, p, sizeof *p);
    return !a->parameters.failed || gv_out_of_memory(a->err);
}

static bool is_finite(const float *v)
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]) && isfinite(v[3]);
}

// Constants stand in the text, where compilers can fold them.
static bool say_parameter(struct arb *a, const struct gv_arb_parameter *p, char *out)
{
    uint32_t row;
    if (p->source == GV_ARB_CONSTANT && is_finite(p->value)) {
        snprintf(out, ARB_TEXT, "vec4(%.9g, %.9g, %.9g, %.9g)", (double)p->value[0],
                 (double)p->value[1], (double)p->value[2], (double)p->value[3]);
        return true;
    }
    if (!row_of(a, p, &row))
        return false;
    snprintf(out, ARB_TEXT, "p[%u]", row);
    return true;
}

static bool place_array(struct arb *a, struct arb_variable *v)
{
    if (v->placed)
        return true;
    if (!has_room(a, v->count))
        return false;
    v->placed = true;
    v->row = placed(a);
    gv_bytes_put(&a->parameters, v->items, v->count * sizeof *v->items);
    return !a->parameters.failed || gv_out_of_memory(a->err);
}

// "A0.x", "A0.x + 3", "A0.x - 3" within an array's brackets.
static bool relative(struct arb *a, struct arb_variable *v, char *out)
{
    uint32_t offset = 0;
    arb_advance(a);
    if (!arb_expect(a, ".") || !arb_expect(a, "x"))
        return false;
    bool minus = arb_is(a, "-");
    if ((arb_accept(a, "+") || arb_accept(a, "-")) &&
        !arb_integer(a, GV_ARB_MAX_OFFSET + 1, &offset))
        return false;
    if (!place_array(a, v))
        return false;
    snprintf(out, ARB_TEXT, "p[%u + clamp(a0 %c %u, 0, %u)]", v->row, minus ? '-' : '+',
             offset, v->count - 1);
    return true;
}

static bool element(struct arb *a, struct arb_variable *v, char *out)
{
    uint32_t index = 0;
    if (!v->array)
        return say_parameter(a, v->items, out);
    if (!arb_expect(a, "["))
        return false;
    const struct arb_variable *address = arb_find(a);
    bool ok;
    if (address && address->kind == ARB_ADDRESS)
        ok = relative(a, v, out);
    else
        ok =
            arb_integer(a, v->count, &index) && say_parameter(a, &v->items[index], out);
    return ok && arb_expect(a, "]");
}

// ---- registers ----

static bool unnamed(struct arb *a, char out[ARB_TEXT])
{
    struct gv_arb_parameter p;
    uint32_t number, count;
    if (arb_is(a, "vertex") || arb_is(a, "fragment")) {
        if (!arb_attribute(a, &number))
            return false;
        snprintf(out, ARB_TEXT, "in_%u", number);
        return true;
    }
    if (!arb_is(a, "state") && !arb_is(a, "program") && !arb_begins_constant(a))
        return arb_unexpected(a, "an operand");
    return arb_parameter(a, false, &p, &count) && say_parameter(a, &p, out);
}

bool arb_register(struct arb *a, char out[ARB_TEXT])
{
    struct arb_variable *v = arb_find(a);
    if (!v)
        return unnamed(a, out);
    switch (v->kind) {
    case ARB_TEMPORARY:
        snprintf(out, ARB_TEXT, "t%u", v->number);
        break;
    case ARB_ATTRIBUTE:
        snprintf(out, ARB_TEXT, "in_%u", v->number);
        break;
    case ARB_PARAMETER:
        arb_advance(a);
        return element(a, v, out);
    case ARB_ADDRESS:
    case ARB_RESULT:
        return arb_unexpected(a, "what can be read");
    }
    arb_advance(a);
    return true;
}

// ---- components ----

bool arb_components(const struct arb *a, uint32_t *count, uint8_t out[4])
{
    static const char *const sets[] = { "xyzw", "rgba" };
    const struct arb_token *t = &a->at.token;
    if (t->kind != ARB_NAME || t->size > 4)
        return false;
    *count = (uint32_t)t->size;
    for (size_t set = 0; set < (a->fragment ? 2 : 1); set++) {
        size_t i = 0;
        const char *found;
        for (; i < t->size && (found = strchr(sets[set], t->text[i])); i++)
            out[i] = (uint8_t)(found - sets[set]);
        if (i == t->size)
            return true;
    }
    return false;
}

// Of a source: one component stands for four.
static bool swizzle(struct arb *a, bool scalar, char out[8])
{
    uint8_t which[4];
    uint32_t count;
    out[0] = '\0';
    if (!arb_is(a, "."))
        return !scalar || arb_unexpected(a, "a component");
    arb_advance(a);
    if (!arb_components(a, &count, which) || (count != 1 && (count != 4 || scalar)))
        return arb_unexpected(a, scalar ? "a component" : "one or four components");
    arb_advance(a);
    if (count == 4 && which[0] == 0 && which[1] == 1 && which[2] == 2 && which[3] == 3)
        return true;
    const uint32_t width = scalar ? 1 : 4;
    out[0] = '.';
    for (uint32_t i = 0; i < width; i++)
        out[1 + i] = "xyzw"[which[count == 4 ? i : 0]];
    out[1 + width] = '\0';
    return true;
}

bool arb_source(struct arb *a, bool scalar, char out[ARB_TEXT])
{
    char name[ARB_TEXT], components[8];
    bool minus = arb_is(a, "-");
    if (!arb_accept(a, "-"))
        arb_accept(a, "+");
    const bool constant = arb_begins_constant(a) && !arb_is(a, "{");
    if (!arb_register(a, name))
        return false;
    if (scalar && constant && !arb_is(a, ".")) // alike in all components
        snprintf(components, sizeof components, ".x");
    else if (!swizzle(a, scalar, components))
        return false;
    if ((size_t)snprintf(out, ARB_TEXT, minus ? "-(%s%s)" : "%s%s", name, components) >=
        ARB_TEXT)
        return arb_fail(a, GV_ERR_LIMIT, "an operand is too long");
    return true;
}

// ---- destinations ----

static bool mask(struct arb *a, uint32_t *out)
{
    uint8_t which[4];
    uint32_t count;
    *out = 15;
    if (!arb_accept(a, "."))
        return true;
    if (!arb_components(a, &count, which))
        return arb_unexpected(a, "a mask");
    for (uint32_t i = 1; i < count; i++)
        if (which[i] <= which[i - 1])
            return arb_unexpected(a, "a mask in order");
    *out = 0;
    for (uint32_t i = 0; i < count; i++)
        *out |= 1u << which[i];
    arb_advance(a);
    return true;
}

bool arb_destination(struct arb *a, struct arb_destination *out)
{
    const struct arb_variable *v = arb_find(a);
    uint32_t number;
    if (arb_is(a, "result")) {
        if (!arb_result(a, &number))
            return false;
        snprintf(out->text, sizeof out->text, "out_%u", number);
    } else if (v && (v->kind == ARB_TEMPORARY || v->kind == ARB_RESULT)) {
        snprintf(out->text, sizeof out->text, v->kind == ARB_RESULT ? "out_%u" : "t%u",
                 v->number);
        arb_advance(a);
    } else {
        return arb_unexpected(a, "what can be written");
    }
    return mask(a, &out->mask);
}
