// Textures and samplers, which GLSL combines where they are used.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <string.h>

// textureSampleLevel(t, s, coordinates, layer, level, offset): which of them there are.
struct sampling {
    bool compare, fragment_only;
    uint32_t extra; // bias, level, reference; 2: derivatives
};

static struct sampling sampling_of(const struct wgsl_expr *e)
{
    const char *what = e->builtin->name + strlen("textureSample");
    bool gradient = !strcmp(what, "Grad");
    return (struct sampling){
        .compare = !strncmp(what, "Compare", 7),
        .fragment_only = !*what || !strcmp(what, "Bias") || !strcmp(what, "Compare"),
        .extra = !*what     ? 0
                 : gradient ? 2
                            : 1,
    };
}

static uint32_t dimensions(const struct wgsl_type *t)
{
    return t->dimension == WGSL_2D ? 2 : 3;
}

// An index or a level: i32 or u32.
static bool check_integer(struct wgsl *w, struct wgsl_expr *e)
{
    if (!wgsl_concrete(w, e))
        return false;
    return (wgsl_is_scalar(e->type) && wgsl_is_integer(e->type->kind)) ||
           wgsl_fail(w, e->at, "an integer expected");
}

static bool check_extra(struct wgsl *w, const struct wgsl_expr *e,
                        const struct wgsl_type *t, struct wgsl_expr *arg)
{
    bool level = wgsl_is(e->name, "textureSampleLevel");
    if (level && t->depth)
        return check_integer(w, arg);
    const struct wgsl_type *vector = wgsl_vector(WGSL_F32, dimensions(t));
    return wgsl_coerce(
        w, arg, wgsl_is(e->name, "textureSampleGrad") ? vector : wgsl_scalar(WGSL_F32));
}

static bool check_offset(struct wgsl *w, const struct wgsl_type *t,
                         struct wgsl_expr *arg)
{
    if (t->dimension == WGSL_CUBE || arg->next)
        return wgsl_fail(w, arg->at, "too many arguments");
    return wgsl_coerce(w, arg, wgsl_vector(WGSL_I32, dimensions(t)));
}

static bool check_sample(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_type *t = e->args->type, *s = e->args->next->type;
    struct sampling rules = sampling_of(e);
    struct wgsl_expr *arg = wgsl_arg(e, 2);
    if (t->element->kind != WGSL_F32 || s->kind != WGSL_SAMPLER ||
        s->comparison != rules.compare || (rules.compare && !t->depth))
        return wgsl_no_overload(w, e);
    if (rules.fragment_only && w->params->stage != GV_STAGE_FRAGMENT)
        return wgsl_fail(w, e->at, "'%s' outside fragment shaders", e->builtin->name);
    if (!wgsl_coerce(w, arg, wgsl_vector(WGSL_F32, dimensions(t))))
        return false;
    arg = arg->next;
    if (t->arrayed) {
        if (!arg || !check_integer(w, arg))
            return arg ? false : wgsl_no_overload(w, e);
        arg = arg->next;
    }
    for (uint32_t i = 0; i < rules.extra; i++, arg = arg->next)
        if (!arg || !check_extra(w, e, t, arg))
            return arg ? false : wgsl_no_overload(w, e);
    e->type = t->depth ? wgsl_scalar(WGSL_F32) : wgsl_vector(WGSL_F32, 4);
    return !arg || check_offset(w, t, arg);
}

static bool check_load(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_type *t = e->args->type;
    struct wgsl_expr *at = e->args->next;
    uint32_t wanted = t->arrayed ? 4 : 3;
    if (t->dimension == WGSL_CUBE || wgsl_count(e->args) != wanted)
        return wgsl_no_overload(w, e);
    if (!wgsl_concrete(w, at))
        return false;
    if (at->type->kind != WGSL_VECTOR || at->type->rows != dimensions(t) ||
        !wgsl_is_integer(at->type->element->kind))
        return wgsl_no_overload(w, e);
    for (struct wgsl_expr *arg = at->next; arg; arg = arg->next)
        if (!check_integer(w, arg))
            return false;
    e->type = t->depth ? wgsl_scalar(WGSL_F32) : wgsl_vector(t->element->kind, 4);
    return true;
}

static bool check_query(struct wgsl *w, struct wgsl_expr *e)
{
    const struct wgsl_type *t = e->args->type;
    e->type = wgsl_scalar(WGSL_U32);
    if (wgsl_is(e->name, "textureDimensions"))
        e->type = wgsl_vector(WGSL_U32, t->dimension == WGSL_3D ? 3 : 2);
    if (wgsl_is(e->name, "textureNumLayers") && !t->arrayed)
        return wgsl_no_overload(w, e);
    return !e->args->next || check_integer(w, e->args->next);
}

bool wgsl_check_texture(struct wgsl *w, struct wgsl_expr *e)
{
    if (e->args->type->kind != WGSL_TEXTURE)
        return wgsl_no_overload(w, e);
    if (!strncmp(e->builtin->name, "textureSample", 13))
        return check_sample(w, e);
    return wgsl_is(e->name, "textureLoad") ? check_load(w, e) : check_query(w, e);
}

// ---- GLSL ----

static bool put_texture_argument(struct wgsl *w, struct gv_bytes *out,
                                 const char *before, const struct wgsl_expr *e,
                                 const char *after)
{
    wgsl_put(out, before);
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the number was checked
    if (!wgsl_put_argument(w, out, e, e->next))
        return false;
    wgsl_put(out, after);
    return true;
}

// sampler2DArrayShadow(t, s)
static bool put_pair(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    static const char *const names[] = { "2D", "3D", "Cube" };
    const struct wgsl_type *t = e->args->type;
    gv_bytes_printf(out, "sampler%s%s%s(", names[t->dimension],
                    t->arrayed ? "Array" : "",
                    e->args->next->type->comparison ? "Shadow" : "");
    return put_texture_argument(w, out, "", e->args, ", ") &&
           put_texture_argument(w, out, "", e->args->next, ")");
}

// The coordinates with the layer and the reference, which GLSL has as components.
static bool put_coordinates(struct wgsl *w, struct gv_bytes *out,
                            const struct wgsl_expr *e, const struct wgsl_expr **rest)
{
    const struct wgsl_type *t = e->args->type;
    const struct wgsl_expr *at = wgsl_arg(e, 2), *layer = t->arrayed ? at->next : NULL;
    bool compare = sampling_of(e).compare;
    uint32_t rows = dimensions(t) + (layer ? 1 : 0) + (compare ? 1 : 0);
    *rest = layer ? layer->next : at->next;
    if (rows == dimensions(t))
        return wgsl_put_expression(w, out, at);
    gv_bytes_printf(out, "vec%u", rows);
    if (!put_texture_argument(w, out, "(", at, "") ||
        (layer && !put_texture_argument(w, out, ", float(", layer, ")")))
        return false;
    if (compare && *rest) { // checked to be there
        if (!put_texture_argument(w, out, ", ", *rest, ""))
            return false;
        *rest = (*rest)->next;
    }
    wgsl_put(out, ")");
    return true;
}

// Level 0 of a comparison: GLSL has textureLod of few shadow samplers, textureGrad of
// all.
static void put_level_zero(struct gv_bytes *out, const struct wgsl_type *t)
{
    uint32_t n = dimensions(t);
    gv_bytes_printf(out, ", vec%u(0.0), vec%u(0.0)", n, n);
}

static bool put_extra(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e,
                      const struct wgsl_expr *rest, bool offset)
{
    const struct wgsl_type *t = e->args->type;
    bool bias = wgsl_is(e->name, "textureSampleBias");
    uint32_t extra = sampling_of(e).compare ? 0 : sampling_of(e).extra;
    const struct wgsl_expr *late = bias ? rest : NULL; // behind the offset
    for (uint32_t i = 0; i < extra; i++, rest = rest->next) {
        bool integer = t->depth && !wgsl_is_float(wgsl_base(rest->type));
        if (!bias && !put_texture_argument(w, out, integer ? ", float(" : ", ", rest,
                                           integer ? ")" : ""))
            return false;
    }
    if (wgsl_is(e->name, "textureSampleCompareLevel"))
        put_level_zero(out, t);
    return (!offset || put_texture_argument(w, out, ", ", rest, "")) &&
           (!late || put_texture_argument(w, out, ", ", late, ""));
}

static bool put_sample(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    const struct wgsl_type *t = e->args->type;
    const struct wgsl_expr *rest;
    struct sampling rules = sampling_of(e);
    bool offset = wgsl_count(e->args) > 3 + (t->arrayed ? 1u : 0u) + rules.extra;
    bool level_zero = wgsl_is(e->name, "textureSampleCompareLevel");
    gv_bytes_printf(out, "%s%s(", level_zero ? "textureGrad" : e->builtin->glsl,
                    offset ? "Offset" : "");
    if (!put_pair(w, out, e))
        return false;
    wgsl_put(out, ", ");
    if (!put_coordinates(w, out, e, &rest) || !put_extra(w, out, e, rest, offset))
        return false;
    wgsl_put(out, t->depth && !rules.compare ? ").x" : ")");
    return true;
}

static bool put_load(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    const struct wgsl_type *t = e->args->type;
    const struct wgsl_expr *at = e->args->next, *layer = t->arrayed ? at->next : NULL;
    const struct wgsl_expr *level = layer ? layer->next : at->next;
    w->helpers = true;
    w->loads |= 1u << ((t->element->kind - WGSL_I32) * 3 + t->dimension * 2u +
                       (t->arrayed ? 1u : 0u));
    wgsl_put(out, "gv_load(");
    if (!put_texture_argument(w, out, "", e->args, ", "))
        return false;
    gv_bytes_printf(out, "ivec%u", dimensions(t) + (layer ? 1 : 0));
    if (!put_texture_argument(w, out, "(", at, "") ||
        (layer && !put_texture_argument(w, out, ", int(", layer, ")")) ||
        !put_texture_argument(w, out, "), int(", level, "))"))
        return false;
    wgsl_put(out, t->depth ? ".x" : "");
    return true;
}

static bool put_query(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    const struct wgsl_type *t = e->args->type;
    const struct wgsl_expr *level = e->args->next;
    bool levels = wgsl_is(e->name, "textureNumLevels");
    wgsl_put_type(out, e->type);
    gv_bytes_printf(out, "(%s(", e->builtin->glsl);
    if (!put_texture_argument(w, out, "", e->args, ""))
        return false;
    if (level && !put_texture_argument(w, out, ", int(", level, ")"))
        return false;
    wgsl_put(out, level || levels ? ")" : ", 0)");
    if (wgsl_is(e->name, "textureNumLayers"))
        wgsl_put(out, ".z");
    else if (!levels && t->arrayed)
        wgsl_put(out, ".xy");
    wgsl_put(out, ")");
    return true;
}

bool wgsl_put_texture(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e)
{
    if (!strncmp(e->builtin->name, "textureSample", 13))
        return put_sample(w, out, e);
    return wgsl_is(e->name, "textureLoad") ? put_load(w, out, e) : put_query(w, out, e);
}

// Loads beyond the texture give its edge, which WGSL allows.
void wgsl_put_loads(struct wgsl *w, struct gv_bytes *out)
{
    static const struct {
        const char *name;
        unsigned size;
    } shapes[] = { { "2D", 2 }, { "2DArray", 3 }, { "3D", 3 } };
    static const char *const prefixes[] = { "i", "u", "" };
    for (unsigned i = 0; i < 9; i++) {
        const char *prefix = prefixes[i / 3], *shape = shapes[i % 3].name;
        unsigned n = shapes[i % 3].size;
        if (w->loads >> i & 1)
            gv_bytes_printf(out,
                            "%svec4 gv_load(%stexture%s t, ivec%u at, int level)\n{\n"
                            "    int l = clamp(level, 0, textureQueryLevels(t) - 1);\n"
                            "    return texelFetch(t, clamp(at, ivec%u(0), "
                            "textureSize(t, l) - 1), l);\n"
                            "}\n",
                            prefix, prefix, shape, n, n);
    }
}
