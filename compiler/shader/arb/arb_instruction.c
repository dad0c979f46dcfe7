// Instructions, each one statement of GLSL.
#include "compiler/shader/arb/arb_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum stages { VERTEX, FRAGMENT, BOTH };
enum sources { V, VV, VVV, S, SS };

static const struct op {
    const char *name;
    enum stages stages;
    enum sources sources;
    const char *text;
} ops[] = {
#define OP(name, stages, sources, text) { name, stages, sources, text },
#include "compiler/shader/arb/arb_ops.def"
#undef OP
};

static const struct {
    const char *name, *text;
} functions[] = {
#define FUNCTION(name, text) { name, text },
#include "compiler/shader/arb/arb_functions.def"
#undef FUNCTION
};

#define OPS (sizeof ops / sizeof *ops)
#define FUNCTIONS (sizeof functions / sizeof *functions)
static_assert(FUNCTIONS <= 32, "a bit for each");

void arb_helpers(const struct arb *a, struct gv_bytes *out)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (a->helpers >> i & 1)
            gv_bytes_put(out, functions[i].text, strlen(functions[i].text));
}

static void use_function(struct arb *a, const char *text)
{
    for (size_t i = 0; i < FUNCTIONS; i++) {
        size_t n = strlen(functions[i].name);
        if (!strncmp(text, functions[i].name, n) && text[n] == '(')
            a->helpers |= 1u << i;
    }
}

// ---- writing ----

// "t0.xz = (VALUE).xz;", clamped where the instruction says _SAT.
static void write(struct arb *a, const struct arb_destination *to, bool saturate,
                  const char *value)
{
    char mask[6] = ".";
    size_t n = 1;
    for (size_t i = 0; i < 4; i++)
        if (to->mask >> i & 1)
            mask[n++] = "xyzw"[i];
    mask[n] = '\0';
    const char *shown = to->mask == 15 ? "" : mask;
    if (saturate)
        gv_bytes_printf(&a->body, "    %s%s = clamp(%s, 0.0, 1.0)%s;\n", to->text,
                        shown, value, shown);
    else
        gv_bytes_printf(&a->body, "    %s%s = (%s)%s;\n", to->text, shown, value,
                        shown);
}

#define VALUE_TEXT 768u // three operands and what stands around

// The pattern with its sources.
static void expand(const char *pattern, char sources[3][ARB_TEXT], char out[VALUE_TEXT])
{
    size_t n = 0;
    for (const char *c = pattern; *c; c++) {
        size_t size = 1;
        const char *from = c;
        if (*c == '$') {
            from = sources[*++c - '1'];
            size = strlen(from);
        }
        assert(n + size < VALUE_TEXT);
        memcpy(out + n, from, size);
        n += size;
    }
    out[n] = '\0';
}

static bool compute(struct arb *a, const struct op *op, bool saturate)
{
    static const uint32_t counts[] = {
        [V] = 1, [VV] = 2, [VVV] = 3, [S] = 1, [SS] = 2
    };
    char sources[3][ARB_TEXT], value[VALUE_TEXT];
    struct arb_destination to;
    if (!arb_destination(a, &to))
        return false;
    for (uint32_t i = 0; i < counts[op->sources]; i++)
        if (!arb_expect(a, ",") || !arb_source(a, op->sources >= S, sources[i]))
            return false;
    if (!strcmp(op->name, "SCS")) {
        to.mask &= 3; // the others stay as they are
        if (!to.mask)
            return true;
    }
    use_function(a, op->text);
    expand(op->text, sources, value);
    write(a, &to, saturate, value);
    return true;
}

// ---- swizzles of their own ----

// One component: 0, 1, or one of the source's, with a sign.
static bool extended(struct arb *a, uint32_t i, char components[4][ARB_TEXT / 8])
{
    uint8_t which[4];
    uint32_t count;
    bool minus = arb_is(a, "-");
    if (!arb_accept(a, "-"))
        arb_accept(a, "+");
    const char *sign = minus ? "-" : "";
    if (a->at.token.kind == ARB_INTEGER && a->at.token.integer < 2) {
        snprintf(components[i], sizeof components[i], "%s%u.0", sign,
                 a->at.token.integer);
    } else {
        if (!arb_components(a, &count, which) || count != 1)
            return arb_unexpected(a, "0, 1 or a component");
        snprintf(components[i], sizeof components[i], "%ss.%c", sign, "xyzw"[which[0]]);
    }
    arb_advance(a);
    return true;
}

static bool swz(struct arb *a, bool saturate)
{
    char source[ARB_TEXT], components[4][ARB_TEXT / 8], value[VALUE_TEXT];
    struct arb_destination to;
    if (!arb_destination(a, &to) || !arb_expect(a, ",") || !arb_register(a, source))
        return false;
    for (uint32_t i = 0; i < 4; i++)
        if (!arb_expect(a, ",") || !extended(a, i, components))
            return false;
    snprintf(value, sizeof value, "vec4(%s, %s, %s, %s)", components[0], components[1],
             components[2], components[3]);
    gv_bytes_printf(&a->body, "    s = %s;\n", source);
    write(a, &to, saturate, value);
    return true;
}

// ---- textures ----

static bool texture_target(struct arb *a, struct gv_arb_image *out)
{
    static const struct {
        const char *name;
        enum gv_arb_texture texture;
        bool shadow, array;
    } targets[] = {
        { "1D", GV_ARB_1D, false, false },
        { "2D", GV_ARB_2D, false, false },
        { "3D", GV_ARB_3D, false, false },
        { "CUBE", GV_ARB_CUBE, false, false },
        { "RECT", GV_ARB_RECT, false, false },
        { "SHADOW1D", GV_ARB_1D, true, false },
        { "SHADOW2D", GV_ARB_2D, true, false },
        { "SHADOWRECT", GV_ARB_RECT, true, false },
        { "ARRAY1D", GV_ARB_ARRAY_1D, false, true },
        { "ARRAY2D", GV_ARB_ARRAY_2D, false, true },
        { "SHADOWARRAY1D", GV_ARB_ARRAY_1D, true, true },
        { "SHADOWARRAY2D", GV_ARB_ARRAY_2D, true, true },
    };
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (!arb_is(a, targets[i].name))
            continue;
        if (targets[i].shadow && !a->shadow)
            return arb_fail(a, GV_ERR_FORMAT, "%s needs ARB_fragment_program_shadow",
                            targets[i].name);
        if (targets[i].array && !a->arrays)
            return arb_fail(a, GV_ERR_FORMAT, "%s needs MESA_texture_array",
                            targets[i].name);
        out->texture = (uint8_t)targets[i].texture;
        out->shadow = targets[i].shadow;
        return true;
    }
    return arb_unexpected(a, "a texture's target");
}

static bool texture(struct arb *a, uint8_t call, bool saturate)
{
    static const char *const names[] = {
        [GV_ARB_TEX] = "tex", [GV_ARB_TXP] = "txp", [GV_ARB_TXB] = "txb"
    };
    char source[ARB_TEXT], value[VALUE_TEXT];
    struct arb_destination to;
    struct gv_arb_image target = { 0 };
    uint32_t unit;
    if (!arb_destination(a, &to) || !arb_expect(a, ",") ||
        !arb_source(a, false, source) || !arb_expect(a, ",") ||
        !arb_expect(a, "texture") || !arb_index(a, GV_ARB_IMAGE_UNITS, &unit) ||
        !arb_expect(a, ",") || !texture_target(a, &target))
        return false;
    struct gv_arb_image *image = &a->out->images[unit];
    if (image->calls &&
        (image->texture != target.texture || image->shadow != target.shadow))
        return arb_fail(a, GV_ERR_FORMAT, "texture[%u] has two targets", unit);
    target.calls = image->calls | call;
    *image = target;
    arb_advance(a);
    snprintf(value, sizeof value, "%s%u(%s)", names[call], unit, source);
    write(a, &to, saturate, value);
    return true;
}

static bool kil(struct arb *a)
{
    char source[ARB_TEXT];
    if (!arb_source(a, false, source))
        return false;
    gv_bytes_printf(
        &a->body, "    if (any(lessThan(%s, vec4(0.0))))\n        discard;\n", source);
    return true;
}

static bool arl(struct arb *a)
{
    char source[ARB_TEXT];
    const struct arb_variable *v = arb_find(a);
    if (!v || v->kind != ARB_ADDRESS)
        return arb_unexpected(a, "an address register");
    arb_advance(a);
    if (!arb_expect(a, ".") || !arb_expect(a, "x") || !arb_expect(a, ",") ||
        !arb_source(a, true, source))
        return false;
    // Bounded: GLSL leaves open what a number too large becomes.
    gv_bytes_printf(&a->body, "    a0 = int(clamp(floor(%s), -65536.0, 65536.0));\n",
                    source);
    return true;
}

// ---- all ----

// The opcode: what stands here without "_SAT".
static bool is_op(const struct arb *a, const char *name, bool *saturate)
{
    const struct arb_token *t = &a->at.token;
    size_t n = strlen(name);
    *saturate = a->fragment && t->size == n + 4 && !memcmp(t->text + n, "_SAT", 4);
    return (t->size == n || *saturate) && !memcmp(t->text, name, n);
}

static bool fragment_only(struct arb *a, bool *found)
{
    bool saturate;
    *found = true;
    if (arb_accept(a, "KIL"))
        return kil(a);
    static const struct {
        const char *name;
        uint8_t call;
    } lookups[] = { { "TEX", GV_ARB_TEX },
                    { "TXP", GV_ARB_TXP },
                    { "TXB", GV_ARB_TXB } };
    for (size_t i = 0; i < 3; i++)
        if (is_op(a, lookups[i].name, &saturate)) {
            arb_advance(a);
            return texture(a, lookups[i].call, saturate);
        }
    *found = false;
    return true;
}

static bool find_and_compute(struct arb *a)
{
    bool saturate, found = false;
    if (a->fragment && (!fragment_only(a, &found) || found))
        return found;
    if (!a->fragment && arb_accept(a, "ARL"))
        return arl(a);
    if (is_op(a, "SWZ", &saturate)) {
        arb_advance(a);
        return swz(a, saturate);
    }
    for (const struct op *op = ops; op < ops + OPS; op++) {
        bool here = op->stages == BOTH || (op->stages == FRAGMENT) == a->fragment;
        if (!here || !is_op(a, op->name, &saturate))
            continue;
        arb_advance(a);
        return compute(a, op, saturate);
    }
    return arb_unexpected(a, "an instruction or declaration");
}

bool arb_instruction(struct arb *a)
{
    if (a->out->instructions == GV_ARB_MAX_INSTRUCTIONS)
        return arb_fail(a, GV_ERR_LIMIT, "over %u instructions",
                        GV_ARB_MAX_INSTRUCTIONS);
    a->out->instructions++;
    return find_and_compute(a);
}
