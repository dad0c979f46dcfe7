// Texture environments of every mode as combiners (OpenGL 1.5 specification, tables
// 3.22 to 3.25), so that text is generated from one shape.

#include <string.h>

#include "compiler/gl/fixed/fixed_key.h"

uint32_t gv_fixed_arguments(enum gv_fixed_combine function)
{
    switch (function) {
    case GV_FIXED_REPLACE:
        return 1;
    case GV_FIXED_MODULATE:
    case GV_FIXED_ADD:
    case GV_FIXED_ADD_SIGNED:
    case GV_FIXED_SUBTRACT:
    case GV_FIXED_DOT3_RGB:
    case GV_FIXED_DOT3_RGBA:
    case GV_FIXED_DOT3_RGB_EXT:
    case GV_FIXED_DOT3_RGBA_EXT:
        return 2;
    case GV_FIXED_INTERPOLATE:
    case GV_FIXED_MODULATE_ADD:
    case GV_FIXED_MODULATE_SIGNED_ADD:
    case GV_FIXED_MODULATE_SUBTRACT:
        return 3;
    case GV_FIXED_ADD_PRODUCTS:
    case GV_FIXED_ADD_PRODUCTS_SIGNED:
        return 4;
    }
    return 0;
}

// ---- GL_COMBINE ----

static enum gv_fixed_combine function_of(uint32_t function, bool four)
{
    switch (function) {
    case GL_REPLACE:
        return GV_FIXED_REPLACE;
    case GL_ADD:
        return four ? GV_FIXED_ADD_PRODUCTS : GV_FIXED_ADD;
    case GL_ADD_SIGNED:
        return four ? GV_FIXED_ADD_PRODUCTS_SIGNED : GV_FIXED_ADD_SIGNED;
    case GL_INTERPOLATE:
        return GV_FIXED_INTERPOLATE;
    case GL_SUBTRACT:
        return GV_FIXED_SUBTRACT;
    case GL_DOT3_RGB:
        return GV_FIXED_DOT3_RGB;
    case GL_DOT3_RGBA:
        return GV_FIXED_DOT3_RGBA;
    case GL_DOT3_RGB_EXT:
        return GV_FIXED_DOT3_RGB_EXT;
    case GL_DOT3_RGBA_EXT:
        return GV_FIXED_DOT3_RGBA_EXT;
    case GL_MODULATE_ADD_ATI:
        return GV_FIXED_MODULATE_ADD;
    case GL_MODULATE_SIGNED_ADD_ATI:
        return GV_FIXED_MODULATE_SIGNED_ADD;
    case GL_MODULATE_SUBTRACT_ATI:
        return GV_FIXED_MODULATE_SUBTRACT;
    default:
        return GV_FIXED_MODULATE;
    }
}

static enum gv_fixed_argument argument_of(uint32_t source, uint32_t unit)
{
    if (source >= GL_TEXTURE0 && source < GL_TEXTURE0 + GV_GL_UNITS)
        return (enum gv_fixed_argument)(GV_FIXED_TEXTURE0 + (source - GL_TEXTURE0));
    switch (source) {
    case GL_CONSTANT:
        return GV_FIXED_CONSTANT;
    case GL_PRIMARY_COLOR:
        return GV_FIXED_PRIMARY;
    case GL_PREVIOUS:
        return GV_FIXED_PREVIOUS;
    case GL_ZERO:
        return GV_FIXED_ZERO;
    case GL_ONE:
        return GV_FIXED_ONE;
    default:
        return (enum gv_fixed_argument)(GV_FIXED_TEXTURE0 + unit);
    }
}

static enum gv_fixed_operand operand_of(uint32_t operand)
{
    switch (operand) {
    case GL_ONE_MINUS_SRC_COLOR:
        return GV_FIXED_OF_ONE_MINUS_COLOR;
    case GL_SRC_ALPHA:
        return GV_FIXED_OF_ALPHA;
    case GL_ONE_MINUS_SRC_ALPHA:
        return GV_FIXED_OF_ONE_MINUS_ALPHA;
    default:
        return GV_FIXED_OF_COLOR;
    }
}

static uint8_t shift_of(float scale)
{
    return scale >= 4 ? 2 : scale >= 2 ? 1 : 0;
}

// `four`: GL_COMBINE4_NV, whose sums take products of pairs.
static struct gv_fixed_combiner combiner(const struct gv_gl_combine *c, int half,
                                         uint32_t unit, bool four)
{
    struct gv_fixed_combiner out = {
        .function = (uint8_t)function_of(c->function[half], four),
        .shift = shift_of(c->scale[half]),
    };
    // GL takes dot products for colours alone.
    if (half == 1 && out.function >= GV_FIXED_DOT3_RGB &&
        out.function <= GV_FIXED_DOT3_RGBA_EXT)
        out.function = GV_FIXED_MODULATE;
    uint32_t count = gv_fixed_arguments((enum gv_fixed_combine)out.function);
    for (uint32_t i = 0; i < count; i++) {
        out.source[i] = (uint8_t)argument_of(c->source[half][i], unit);
        out.operand[i] = (uint8_t)operand_of(c->operand[half][i]);
    }
    return out;
}

// ---- the other modes ----

// Combiners of one argument after the other: what is not named does not count.
static struct gv_fixed_combiner replace(uint8_t source, bool color)
{
    return (struct gv_fixed_combiner){
        .function = GV_FIXED_REPLACE,
        .source = { source },
        .operand = { color ? GV_FIXED_OF_COLOR : GV_FIXED_OF_ALPHA },
    };
}

static struct gv_fixed_combiner pair(enum gv_fixed_combine function, uint8_t texture,
                                     bool color)
{
    uint8_t operand = color ? GV_FIXED_OF_COLOR : GV_FIXED_OF_ALPHA;
    return (struct gv_fixed_combiner){
        .function = (uint8_t)function,
        .source = { texture, GV_FIXED_PREVIOUS },
        .operand = { operand, operand },
    };
}

// `above` where `weight` is 1, the previous colour where it is 0.
static struct gv_fixed_combiner blend(uint8_t above, uint8_t weight, bool color,
                                      enum gv_fixed_operand of)
{
    uint8_t operand = color ? GV_FIXED_OF_COLOR : GV_FIXED_OF_ALPHA;
    return (struct gv_fixed_combiner){
        .function = GV_FIXED_INTERPOLATE,
        .source = { above, GV_FIXED_PREVIOUS, weight },
        .operand = { operand, operand, (uint8_t)of },
    };
}

struct parts {
    bool color, alpha; // what textures of the format have
    bool intensity;
};

static struct parts parts_of(uint32_t base_format)
{
    switch (base_format) {
    case GL_ALPHA:
        return (struct parts){ .alpha = true };
    case GL_LUMINANCE:
    case GL_RED:
    case GL_RG:
    case GL_RGB:
        return (struct parts){ .color = true };
    case GL_INTENSITY:
        return (struct parts){ .color = true, .alpha = true, .intensity = true };
    default:
        return (struct parts){ .color = true, .alpha = true };
    }
}

static void decal(uint32_t base_format, uint8_t texture, struct gv_fixed_unit_key *out)
{
    // Formats other than these two are undefined: the fragment's colour passes.
    out->rgb = replace(GV_FIXED_PREVIOUS, true);
    if (base_format == GL_RGBA)
        out->rgb = blend(texture, texture, true, GV_FIXED_OF_ALPHA);
    else if (base_format == GL_RGB || base_format == GL_RG || base_format == GL_RED)
        out->rgb = replace(texture, true);
    out->alpha = replace(GV_FIXED_PREVIOUS, false);
}

static void blended(struct parts parts, uint8_t texture, struct gv_fixed_unit_key *out)
{
    if (parts.color)
        out->rgb = blend(GV_FIXED_CONSTANT, texture, true, GV_FIXED_OF_COLOR);
    if (parts.intensity)
        out->alpha = blend(GV_FIXED_CONSTANT, texture, false, GV_FIXED_OF_ALPHA);
    else if (parts.alpha)
        out->alpha = pair(GV_FIXED_MODULATE, texture, false);
}

static void simple(uint32_t mode, struct parts parts, uint8_t texture,
                   struct gv_fixed_unit_key *out)
{
    enum gv_fixed_combine function = mode == GL_ADD ? GV_FIXED_ADD : GV_FIXED_MODULATE;
    enum gv_fixed_combine of_alpha =
        mode == GL_ADD && parts.intensity ? GV_FIXED_ADD : GV_FIXED_MODULATE;
    if (parts.color)
        out->rgb =
            mode == GL_REPLACE ? replace(texture, true) : pair(function, texture, true);
    if (parts.alpha)
        out->alpha = mode == GL_REPLACE ? replace(texture, false)
                                        : pair(of_alpha, texture, false);
}

void gv_fixed_environment(const struct gv_gl_unit *unit, uint32_t number,
                          uint32_t base_format, struct gv_fixed_unit_key *out)
{
    if (unit->env_mode == GL_COMBINE || unit->env_mode == GL_COMBINE4_NV) {
        bool four = unit->env_mode == GL_COMBINE4_NV;
        out->rgb = combiner(&unit->combine, 0, number, four);
        out->alpha = combiner(&unit->combine, 1, number, four);
        return;
    }
    uint8_t texture = (uint8_t)(GV_FIXED_TEXTURE0 + number);
    struct parts parts = parts_of(base_format);
    // What a texture does not have passes as it is.
    out->rgb = replace(GV_FIXED_PREVIOUS, true);
    out->alpha = replace(GV_FIXED_PREVIOUS, false);
    switch (unit->env_mode) {
    case GL_DECAL:
        decal(base_format, texture, out);
        return;
    case GL_BLEND:
        blended(parts, texture, out);
        return;
    default:
        simple(unit->env_mode, parts, texture, out);
        return;
    }
}
