// Texture lookups and the combiners of texture environments, in Mesa's order of
// operations.

#include <stdio.h>

#include "compiler/gl/fixed/fixed_text.h"

// ---- lookups ----

struct lookup {
    const char *sampler; // what stands behind "sampler"
    int coordinates;     // without the one that is compared
};

static struct lookup lookup_of(uint32_t target)
{
    switch (target) {
    case GV_GL_TARGET_1D:
        return (struct lookup){ "1D", 1 };
    case GV_GL_TARGET_3D:
        return (struct lookup){ "3D", 3 };
    case GV_GL_TARGET_CUBE:
        return (struct lookup){ "Cube", 3 };
    case GV_GL_TARGET_1D_ARRAY:
        return (struct lookup){ "1DArray", 2 };
    case GV_GL_TARGET_2D_ARRAY:
        return (struct lookup){ "2DArray", 3 };
    default:
        return (struct lookup){ "2D", 2 };
    }
}

// Which textures the environments read: their own, and by name others'.
static uint32_t textures_read(const struct gv_fixed_fragment_key *k)
{
    uint32_t read = 0;
    for (uint32_t u = 0; u < GV_GL_UNITS; u++) {
        const struct gv_fixed_combiner *parts[2] = { &k->units[u].rgb,
                                                     &k->units[u].alpha };
        for (int p = 0; p < 2 && k->units[u].there; p++) {
            uint32_t count =
                gv_fixed_arguments((enum gv_fixed_combine)parts[p]->function);
            for (uint32_t i = 0; i < count; i++)
                if (parts[p]->source[i] < GV_GL_UNITS)
                    read |= 1u << parts[p]->source[i];
        }
    }
    return read;
}

static bool compares(const struct gv_fixed_unit_key *unit)
{
    return unit->shadow && unit->target != GV_GL_TARGET_3D;
}

// Clamping flattens the slopes that tell the level and filter: those from before count.
static bool samples_with_slopes(const struct gv_fixed_unit_key *unit)
{
    return unit->clamp && !compares(unit) && unit->target <= GV_GL_TARGET_3D;
}

static void clamp_coordinates(const struct gv_fixed_unit_key *unit,
                              struct gv_fixed_text *t, uint32_t u)
{
    const char *most = unit->clamp & GV_GL_CLAMP_SHORT ? "0.99999994" : "1.0";
    const bool row =
        unit->target == GV_GL_TARGET_1D || unit->target == GV_GL_TARGET_1D_ARRAY;
    const int sides = row ? 1 : unit->target == GV_GL_TARGET_3D ? 3 : 2;
    for (int c = 0; c < 3; c++) {
        if (c < sides && unit->clamp & GV_GL_CLAMP_MIRROR << c)
            gv_fixed_say(t, "    at%u.%c = abs(at%u.%c);\n", u, "xyz"[c], u, "xyz"[c]);
        if (unit->clamp >> c & 1) // GL_CLAMP: the border's half counts
            gv_fixed_say(t, "    at%u.%c = clamp(at%u.%c, 0.0, %s);\n", u, "xyz"[c], u,
                         "xyz"[c], most);
    }
}

// The unit's coordinates: a sprite's, the vertices' or the current ones.
static void coordinates(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t,
                        uint32_t u)
{
    gv_fixed_say(t, "    vec4 at%u = ", u);
    if (k->units[u].replaced)
        gv_fixed_say(t, "vec4(gl_PointCoord.x, %s, 0.0, 1.0);\n",
                     k->sprite_up ? "1.0 - gl_PointCoord.y" : "gl_PointCoord.y");
    else if (k->inputs >> (GV_FIXED_COORD + u) & 1)
        gv_fixed_say(t, "coord%u;\n", u);
    else {
        gv_fixed_use(&t->block, GV_FIXED_CURRENT, GV_GL_TEXCOORD + u);
        gv_fixed_say(t, "texcoord%u;\n", u);
    }
    gv_fixed_say(t, "    at%u.xyz *= 1.0 / at%u.w;\n", u, u);
    if (k->units[u].target == GV_GL_TARGET_RECTANGLE) {
        gv_fixed_use(&t->block, GV_FIXED_RECTANGLE_SCALE, u);
        gv_fixed_say(t, "    at%u.xy *= unit%u_scale.xy;\n", u, u);
    }
    if (samples_with_slopes(&k->units[u]))
        gv_fixed_say(t,
                     "    vec3 across%u = dFdx(at%u.xyz), down%u = dFdy(at%u.xyz);\n",
                     u, u, u, u);
    clamp_coordinates(&k->units[u], t, u);
}

// Says `pattern`, in which %u is the unit.
static void numbered(struct gv_fixed_text *t, const char *pattern, uint32_t unit)
{
    for (const char *c = pattern; *c; c++) {
        if (*c == '%')
            gv_fixed_say(t, "%u", unit);
        else
            gv_fixed_say(t, "%c", *c);
        c += *c == '%';
    }
}

const char *const gv_fixed_compared[][2] = {
    [GV_FIXED_DEPTH_LUMINANCE] = { "vec4(vec3(", "), 1.0)" },
    [GV_FIXED_DEPTH_INTENSITY] = { "vec4(", ")" },
    [GV_FIXED_DEPTH_ALPHA] = { "vec4(0.0, 0.0, 0.0, ", ")" },
    [GV_FIXED_DEPTH_RED] = { "vec4(", ", 0.0, 0.0, 1.0)" },
};

// Depth that is filtered linearly, in two dimensions: four texels, or what compares
// them, and what lies between. Samplers of depth take the nearest one.
static void sample_four(const struct gv_fixed_unit_key *unit, struct gv_fixed_text *t,
                        uint32_t u)
{
    static const char four[] =
        "    vec2 part%u = fract(at%u.xy * vec2(textureSize(texture%u, 0)) - 0.5);\n"
        "    vec4 four%u = textureGather(texture%u, at%u.xy, ";
    static const char between[] =
        "    float depth%u = mix(mix(four%u.w, four%u.z, part%u.x),\n"
        "        mix(four%u.x, four%u.y, part%u.x), part%u.y);\n";
    bool alpha = unit->depth_mode == GV_FIXED_DEPTH_ALPHA;
    numbered(t, four, u);
    if (unit->shadow)
        gv_fixed_say(t, "clamp(at%u.z, 0.0, 1.0));\n", u);
    else
        gv_fixed_say(t, "%u);\n", alpha ? 3 : 0);
    numbered(t, between, u);
    gv_fixed_say(t, "    vec4 texel%u = %sdepth%u%s;\n", u,
                 gv_fixed_compared[unit->depth_mode][0], u,
                 gv_fixed_compared[unit->depth_mode][1]);
}

// The depth that unit `u` has at levels of detail, by a filter that is linear or not.
static void say_levels(struct gv_fixed_text *t, uint32_t u, bool linear, uint8_t four)
{
    static const char between[] =
        "mix(%slevel%u(at%u.xy, floor(finer%u)),\n        %slevel%u(at%u.xy, "
        "ceil(finer%u)), fract(finer%u))";
    const char *how = linear ? "linear_" : "nearest_";
    if (four & GV_GL_FOUR_BETWEEN)
        gv_fixed_say(t, between, how, u, u, u, how, u, u, u, u);
    else
        gv_fixed_say(t, "%slevel%u(at%u.xy, %s", how, u, u,
                     four & GV_GL_FOUR_LEVELS ? "" : "0.0)");
    if (!(four & GV_GL_FOUR_BETWEEN) && four & GV_GL_FOUR_LEVELS)
        gv_fixed_say(t, "lods%u.x)", u);
}

// Depth whose filter depends on its level of detail, or that has several levels.
static void sample_levels(const struct gv_fixed_unit_key *unit, struct gv_fixed_text *t,
                          uint32_t u)
{
    const char c = unit->depth_mode == GV_FIXED_DEPTH_ALPHA ? 'a' : 'r';
    const uint8_t four = unit->four;
    gv_bytes_printf(&t->declared,
                    "float nearest_level%u(vec2 at, float level)\n{\n"
                    "    return textureLod(texture%u, at, level).%c;\n}\n"
                    "float linear_level%u(vec2 at, float level)\n{\n"
                    "    vec2 size = vec2(textureSize(texture%u, int(level)));\n"
                    "    vec2 low = floor(at * size - 0.5);\n"
                    "    vec2 part = at * size - 0.5 - low;\n"
                    "    vec4 four = vec4(low + 0.5, low + 1.5) / size.xyxy;\n",
                    u, u, c, u, u);
    gv_bytes_printf(&t->declared,
                    "    return mix(\n"
                    "        mix(nearest_level%u(four.xy, level), "
                    "nearest_level%u(four.zy, level),\n"
                    "            part.x),\n"
                    "        mix(nearest_level%u(four.xw, level), "
                    "nearest_level%u(four.zw, level),\n"
                    "            part.x), part.y);\n}\n",
                    u, u, u, u);
    numbered(t, "    vec2 lods%u = textureQueryLod(texture%u, at%u.xy);\n", u);
    if (four & GV_GL_FOUR_BETWEEN)
        numbered(t,
                 "    float finer%u = clamp(lods%u.y, 0.0, "
                 "float(textureQueryLevels(texture%u) - 1));\n",
                 u);
    gv_fixed_say(t, "    float depth%u = lods%u.y > 0.0 ? ", u, u);
    say_levels(t, u, four & GV_GL_FOUR_MIN, four);
    gv_fixed_say(t, " : ");
    say_levels(t, u, four & GV_GL_FOUR_MAG, 0);
    gv_fixed_say(t, ";\n    vec4 texel%u = %sdepth%u%s;\n", u,
                 gv_fixed_compared[unit->depth_mode][0], u,
                 gv_fixed_compared[unit->depth_mode][1]);
}

// A texel as it is, of floats or integers.
static void say_fetch(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t,
                      uint32_t u, const char *kind)
{
    const bool each = k->units[u].fetch == GV_GL_FETCH_SAMPLES;
    gv_bytes_printf(&t->declared,
                    "layout(set = 2, binding = %u) uniform %ssampler2D%s texture%u;\n",
                    u, kind, each ? "MS" : "", u);
    coordinates(k, t, u);
    if (k->units[u].fetch == GV_GL_FETCH_NEAREST)
        gv_fixed_say(t,
                     "    vec2 size%u = vec2(textureSize(texture%u, 0));\n"
                     "    at%u.xy = clamp(floor(at%u.xy * size%u), vec2(0.0), "
                     "size%u - 1.0);\n",
                     u, u, u, u, u, u);
    gv_fixed_say(t,
                 "    %svec4 fetched%u = texelFetch(texture%u, ivec2(at%u.xy), %s);\n",
                 kind, u, u, u, each ? "gl_SampleID" : "0");
}

// Stencil comes as fractions of 255.
static void fetch_texel(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t,
                        uint32_t u)
{
    const bool stencil = k->units[u].plane >= GV_GL_PLANE_STENCIL;
    say_fetch(k, t, u, stencil ? "u" : "");
    gv_fixed_say(t, "    vec4 texel%u = vec4(fetched%u)%s;\n", u, u,
                 stencil ? " * (1.0 / 255.0)" : "");
}

void gv_fixed_integers(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t)
{
    const char kind[] = { k->units[0].integers, 0 };
    say_fetch(k, t, 0, kind);
    gv_fixed_say(t, "    %svec4 result = fetched0;\n", kind);
}

static void sample(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t,
                   uint32_t u)
{
    // Behind the coordinates of a comparison comes what is compared, which depths of
    // 0 to 1 bound. Cube maps and arrays have it in the fourth one, which is 1 after
    // the division.
    static const char *const plain[] = { "", "at%u.x", "at%u.xy", "at%u.xyz" };
    static const char *const shadow[] = { "", "vec3(at%u.xy, clamp(at%u.y, 0.0, 1.0))",
                                          "vec3(at%u.xy, clamp(at%u.z, 0.0, 1.0))",
                                          "vec4(at%u.xyz, 1.0)" };
    static const char *const slope_pairs[] = { "", ", across%u.x, down%u.x",
                                               ", across%u.xy, down%u.xy",
                                               ", across%u, down%u" };
    const struct gv_fixed_unit_key *unit = &k->units[u];
    if (!unit->there) {
        gv_fixed_say(t, "    vec4 texel%u = vec4(0.0); // the unit is off\n", u);
        return;
    }
    if (unit->fetch) {
        fetch_texel(k, t, u);
        return;
    }
    struct lookup l = lookup_of(unit->target);
    bool shadows = compares(unit), slopes = samples_with_slopes(unit);
    gv_bytes_printf(&t->declared,
                    "layout(set = 2, binding = %u) uniform sampler%s%s texture%u;\n", u,
                    l.sampler, shadows ? "Shadow" : "", u);
    coordinates(k, t, u);
    if (unit->four) {
        if (unit->four == GV_GL_FOUR_ALWAYS)
            sample_four(unit, t, u);
        else
            sample_levels(unit, t, u);
        return;
    }
    gv_fixed_say(t, "    vec4 texel%u = %stexture%s(texture%u, ", u,
                 shadows ? gv_fixed_compared[unit->depth_mode][0] : "",
                 slopes ? "Grad" : "", u);
    numbered(t, shadows ? shadow[l.coordinates] : plain[l.coordinates], u);
    if (slopes)
        numbered(t, slope_pairs[l.coordinates], u);
    gv_fixed_say(t, ")%s;\n", shadows ? gv_fixed_compared[unit->depth_mode][1] : "");
}

// ---- combiners ----

// The name of a source, as a vec4.
static void source_name(struct gv_fixed_text *t, uint8_t source, uint32_t unit,
                        char out[16])
{
    switch (source) {
    case GV_FIXED_PREVIOUS:
        snprintf(out, 16, "result");
        return;
    case GV_FIXED_CONSTANT:
        gv_fixed_use(&t->block, GV_FIXED_ENV_COLOR, unit);
        snprintf(out, 16, "unit%u_color", unit);
        return;
    case GV_FIXED_PRIMARY:
        snprintf(out, 16, "primary");
        return;
    case GV_FIXED_ZERO:
        snprintf(out, 16, "vec4(0.0)");
        return;
    case GV_FIXED_ONE:
        snprintf(out, 16, "vec4(1.0)");
        return;
    default:
        snprintf(out, 16, "texel%u", (uint32_t)source);
        return;
    }
}

enum half { WHOLE, RGB, ALPHA }; // what an expression is of

static void argument(struct gv_fixed_text *t, const struct gv_fixed_combiner *c, int i,
                     const uint32_t unit_half[2])
{
    char name[16];
    source_name(t, c->source[i], unit_half[0], name);
    uint8_t operand = c->operand[i];
    bool alpha = operand == GV_FIXED_OF_ALPHA || operand == GV_FIXED_OF_ONE_MINUS_ALPHA;
    bool opposite = operand == GV_FIXED_OF_ONE_MINUS_COLOR ||
                    operand == GV_FIXED_OF_ONE_MINUS_ALPHA;
    const char *swizzle = unit_half[1] == ALPHA ? ".a"
                          : unit_half[1] == RGB ? (alpha ? ".aaa" : ".rgb")
                          : alpha               ? ".aaaa"
                                                : "";
    gv_fixed_say(t, "%s%s%s%s", opposite ? "(1.0 - " : "", name, swizzle,
                 opposite ? ")" : "");
}

// Arguments are A to D.
static const char *const functions[] = {
    [GV_FIXED_REPLACE] = "A",
    [GV_FIXED_MODULATE] = "A * B",
    [GV_FIXED_ADD] = "A + B",
    [GV_FIXED_ADD_SIGNED] = "(A + B) + -0.5",
    [GV_FIXED_INTERPOLATE] = "A * C + B * (1.0 - C)",
    [GV_FIXED_SUBTRACT] = "A - B",
    [GV_FIXED_DOT3_RGB] = "dot(A * 2.0 + -1.0, B * 2.0 + -1.0)",
    [GV_FIXED_DOT3_RGBA] = "dot(A * 2.0 + -1.0, B * 2.0 + -1.0)",
    [GV_FIXED_DOT3_RGB_EXT] = "dot(A * 2.0 + -1.0, B * 2.0 + -1.0)",
    [GV_FIXED_DOT3_RGBA_EXT] = "dot(A * 2.0 + -1.0, B * 2.0 + -1.0)",
    [GV_FIXED_MODULATE_ADD] = "A * C + B",
    [GV_FIXED_MODULATE_SIGNED_ADD] = "(A * C + B) + -0.5",
    [GV_FIXED_MODULATE_SUBTRACT] = "A * C - B",
    [GV_FIXED_ADD_PRODUCTS] = "A * B + C * D",
    [GV_FIXED_ADD_PRODUCTS_SIGNED] = "(A * B + C * D) + -0.5",
};

static bool is_dot(uint8_t function)
{
    return function >= GV_FIXED_DOT3_RGB && function <= GV_FIXED_DOT3_RGBA_EXT;
}

// Values of 0 to 1 stay there.
static bool stays(uint8_t function)
{
    return function == GV_FIXED_REPLACE || function == GV_FIXED_MODULATE ||
           function == GV_FIXED_INTERPOLATE;
}

static void expression(struct gv_fixed_text *t, const struct gv_fixed_combiner *c,
                       const uint32_t unit_half[2], bool clamped)
{
    gv_fixed_say(t, "%s", clamped ? "clamp(" : "");
    for (const char *f = functions[c->function]; *f; f++) {
        if (*f >= 'A' && *f <= 'D')
            argument(t, c, *f - 'A', unit_half);
        else
            gv_fixed_say(t, "%c", *f);
    }
    gv_fixed_say(t, "%s", clamped ? ", 0.0, 1.0)" : "");
}

// Whether one expression serves both combiners: the alpha of what the colour takes.
static bool alike(const struct gv_fixed_unit_key *unit)
{
    if (unit->rgb.function != unit->alpha.function ||
        unit->rgb.shift != unit->alpha.shift || is_dot(unit->rgb.function))
        return false;
    uint32_t count = gv_fixed_arguments((enum gv_fixed_combine)unit->rgb.function);
    for (uint32_t i = 0; i < count; i++) {
        bool opposite = unit->rgb.operand[i] == GV_FIXED_OF_ONE_MINUS_COLOR ||
                        unit->rgb.operand[i] == GV_FIXED_OF_ONE_MINUS_ALPHA;
        uint8_t wanted = opposite ? GV_FIXED_OF_ONE_MINUS_ALPHA : GV_FIXED_OF_ALPHA;
        if (unit->rgb.source[i] != unit->alpha.source[i] ||
            unit->alpha.operand[i] != wanted)
            return false;
    }
    return true;
}

static void combine(const struct gv_fixed_unit_key *unit, struct gv_fixed_text *t,
                    uint32_t u)
{
    const struct gv_fixed_combiner *rgb = &unit->rgb, *alpha = &unit->alpha;
    bool all =
        rgb->function == GV_FIXED_DOT3_RGBA || rgb->function == GV_FIXED_DOT3_RGBA_EXT;
    bool dot = is_dot(rgb->function);
    // The functions of EXT_texture_env_dot3 are not scaled, but for the first one's
    // alpha.
    bool rgb_ext = rgb->function == GV_FIXED_DOT3_RGB_EXT;
    bool rgba_ext = rgb->function == GV_FIXED_DOT3_RGBA_EXT;
    uint32_t rgb_shift = rgb_ext || rgba_ext ? 0 : rgb->shift;
    uint32_t alpha_shift = rgba_ext ? 0 : alpha->shift;
    // What is scaled is clamped afterwards.
    bool clamp_rgb = !rgb_shift && !stays(rgb->function);
    bool clamp_alpha = !alpha_shift && !stays(alpha->function);
    gv_fixed_say(t, "    // unit %u\n", u);
    if (alike(unit)) {
        gv_fixed_say(t, "    result = ");
        expression(t, rgb, (const uint32_t[2]){ u, WHOLE }, clamp_rgb);
    } else {
        gv_fixed_say(t, "    result = vec4(%s", dot && !all ? "vec3(" : "");
        expression(t, rgb, (const uint32_t[2]){ u, RGB }, clamp_rgb);
        if (!all) {
            gv_fixed_say(t, dot ? "), " : ", ");
            expression(t, alpha, (const uint32_t[2]){ u, ALPHA }, clamp_alpha);
        }
        gv_fixed_say(t, ")");
    }
    gv_fixed_say(t, ";\n");
    if (rgb_shift || alpha_shift)
        gv_fixed_say(t,
                     "    result = clamp(result * vec4(vec3(%u.0), %u.0), 0.0, 1.0);\n",
                     1u << rgb_shift, 1u << alpha_shift);
}

// Depth or stencil that is drawn as pixels.
static void plane(const struct gv_fixed_unit_key *unit, struct gv_fixed_text *t,
                  uint32_t u)
{
    if (unit->plane == GV_GL_PLANE_DEPTH)
        gv_fixed_say(t, "    gl_FragDepth = texel%u.r;\n", u);
    else
        gv_fixed_say(t,
                     "    if ((uint(texel%u.r * 255.0 + 0.5) >> %u & 1u) == 0u)\n"
                     "        discard;\n",
                     u, unit->plane - GV_GL_PLANE_STENCIL);
}

void gv_fixed_combiners(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t)
{
    uint32_t read = textures_read(k);
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        if (read >> u & 1)
            sample(k, t, u);
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        if (k->units[u].plane)
            plane(&k->units[u], t, u);
        else if (k->units[u].there)
            combine(&k->units[u], t, u);
}
