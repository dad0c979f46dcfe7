// Built-in variables that GLSL for Vulkan lacks or that mean something else there.
#include "compiler/shader/glsl/glsl_unit.h"

#include <stdlib.h>
#include <string.h>

size_t glsl_find_variable(const struct glsl_token *t, uint32_t stage)
{
    if (t->size < 4 || memcmp(t->text, "gl_", 3) != 0)
        return GLSL_VARIABLE_COUNT;
    for (size_t i = 0; i < GLSL_VARIABLE_COUNT; i++) {
        if (!glsl_token_is(t, glsl_variables[i].name))
            continue;
        bool here = true;
        if (glsl_variables[i].kind == GLSL_KIND_ATTRIBUTE)
            here = stage == GV_STAGE_VERTEX;
        if (glsl_variables[i].kind == GLSL_KIND_COLOR)
            here = stage == GV_STAGE_FRAGMENT;
        if (here)
            return i;
    }
    return GLSL_VARIABLE_COUNT;
}

// Elements that an array needs for what follows its name: `[3]` needs 4, any other
// index all of them.
static unsigned elements(const struct glsl_unit *u, size_t i, unsigned all)
{
    size_t open = glsl_next(&u->code, i);
    const struct glsl_token *t = &u->code.tokens[glsl_next(&u->code, open)];
    size_t close = glsl_next(&u->code, glsl_next(&u->code, open));
    if (open >= u->code.count || !glsl_token_is(&u->code.tokens[open], "[") ||
        close > u->code.count || t->kind != GLSL_NUMBER ||
        !glsl_token_is(&u->code.tokens[close], "]"))
        return all;
    unsigned long n = strtoul(t->text, NULL, 0);
    return n < all ? (unsigned)n + 1 : all;
}

static void raise_to(unsigned *n, unsigned least)
{
    *n = *n < least ? least : *n;
}

static bool fragment_output(struct glsl_unit *u, size_t i)
{
    struct glsl_stage *s = u->stage;
    struct glsl_token *t = &u->code.tokens[i];
    const struct {
        const char *name, *replacement;
        bool *used;
    } outputs[] = {
        { "gl_FragColor", "gv_FragColor", &s->frag_color },
        { "gl_FragData", "gv_FragData", &s->frag_data },
        { "gl_SecondaryFragColorEXT", "gv_SecondaryFragColor", &s->second_color },
        { "gl_SecondaryFragDataEXT", "gv_SecondaryFragData", &s->second_data },
    };
    const unsigned unknown = GLSL_MAX_OUTPUTS + 1;
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++) {
        if (!glsl_token_is(t, outputs[k].name))
            continue;
        const unsigned n = elements(u, i, unknown);
        s->first_data |= outputs[k].used == &s->frag_data && (n == 1 || n == unknown);
        *outputs[k].used = true;
        t->replacement = outputs[k].replacement;
        return true;
    }
    return false;
}

// What the target holds (EXT and ARM_shader_framebuffer_fetch).
static bool fragment_last(struct glsl_unit *u, size_t i)
{
    static const struct {
        const char *name, *replacement;
        unsigned bits;
    } rows[] = {
        { "gl_LastFragColorARM", "gv_LastFragData[0]", 1u << GV_GLSL_FETCH_COLOR },
        { "gl_LastFragDepthARM", "gv_LastFragDepth", 1u << GV_GLSL_FETCH_DEPTH },
        { "gl_LastFragStencilARM", "gv_LastFragStencil", 1u << GV_GLSL_FETCH_STENCIL },
    };
    struct glsl_stage *s = u->stage;
    struct glsl_token *t = &u->code.tokens[i];
    if (glsl_token_is(t, "gl_LastFragData")) {
        const unsigned n = elements(u, i, GLSL_MAX_OUTPUTS);
        const unsigned all = (1u << GLSL_MAX_OUTPUTS) - 1;
        s->last |= (n < GLSL_MAX_OUTPUTS ? 1u << (n - 1) : all) << GV_GLSL_FETCH_COLOR;
        t->replacement = "gv_LastFragData";
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows && !t->replacement; k++)
        if (glsl_token_is(t, rows[k].name)) {
            s->last |= rows[k].bits;
            t->replacement = rows[k].replacement;
        }
    return t->replacement != NULL;
}

// Distances of planes that are off reach the stage in front of rasterisation alone.
static bool fragment_distance(struct glsl_unit *u, size_t i)
{
    struct glsl_stage *s = u->stage;
    struct glsl_token *t = &u->code.tokens[i];
    if (!glsl_token_is(t, "gl_ClipDistance"))
        return false;
    s->clip_read = true;
    if (!s->clip_sized)
        raise_to(&s->clip_distances, elements(u, i, 8));
    t->replacement = "gv_ClipDistances";
    return true;
}

// By the rows in which the target stands (GV_GLSL_TARGET_*).
static bool fragment_place(struct glsl_stage *s, struct glsl_token *t)
{
    enum gv_glsl_target target = s->options->target;
    bool down = target == GV_GLSL_TARGET_TOP_DOWN;
    if (glsl_token_is(t, "gl_FragCoord")) {
        bool turned = target != GV_GLSL_TARGET_AS_IS && down != s->coord_upper;
        if (!turned && !s->coord_integer)
            return false;
        s->frag_coord = true;
        s->variables[GLSL_VARIABLE_TARGET_HEIGHT] |= turned;
        t->replacement = "gv_FragCoord";
    } else if (glsl_token_is(t, "gl_PointCoord")) {
        if (target == GV_GLSL_TARGET_AS_IS || down != s->options->point_lower_left)
            return false;
        t->replacement = "vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y)";
    } else if (down && glsl_token_is(t, "gl_SamplePosition")) {
        t->replacement = "vec2(gl_SamplePosition.x, 1.0 - gl_SamplePosition.y)";
    } else if (down && glsl_token_is(t, "dFdy")) {
        t->replacement = " -dFdy";
    } else if (down && glsl_token_is(t, "dFdyFine")) {
        t->replacement = " -dFdyFine";
    } else if (down && glsl_token_is(t, "dFdyCoarse")) {
        t->replacement = " -dFdyCoarse";
    } else if (down && glsl_token_is(t, "interpolateAtOffset")) {
        s->at_offset = true;
        t->replacement = "gv_InterpolateAtOffset";
    }
    return t->replacement != NULL;
}

// `float gl_ClipDistance[3]`: its number is a size.
static bool is_declared(const struct glsl_unit *u, size_t i)
{
    size_t before = glsl_previous(&u->code, i);
    return before != SIZE_MAX && glsl_token_is(&u->code.tokens[before], "float");
}

// `out gl_PerVertex { float gl_ClipDistance[3]; }`
static bool is_member_out(const struct glsl_unit *u, size_t i)
{
    while (i != SIZE_MAX && !glsl_token_is(&u->code.tokens[i], "{") &&
           !glsl_token_is(&u->code.tokens[i], "}"))
        i = glsl_previous(&u->code, i);
    const size_t name = i == SIZE_MAX ? i : glsl_previous(&u->code, i);
    const size_t out = name == SIZE_MAX ? name : glsl_previous(&u->code, name);
    return out != SIZE_MAX && glsl_token_is(&u->code.tokens[name], "gl_PerVertex") &&
           glsl_token_is(&u->code.tokens[out], "out");
}

#define MOST_DISTANCES 64u // more than there are

static void size_distances(struct glsl_unit *u, size_t i)
{
    const unsigned n = elements(u, i, MOST_DISTANCES);
    if (n == MOST_DISTANCES || !is_member_out(u, i))
        return;
    u->stage->clip_distances = n - 1;
    u->stage->clip_sized = true;
}

static bool vertex_variable(struct glsl_unit *u, size_t i)
{
    struct glsl_stage *s = u->stage;
    struct glsl_token *t = &u->code.tokens[i];
    if (glsl_token_is(t, "gl_ClipVertex")) {
        s->clip_vertex = true;
        t->replacement = "gv_ClipVertex";
    } else if (glsl_token_is(t, "gl_VertexID")) {
        s->variables[GLSL_VARIABLE_FIRST_VERTEX] |= s->options->vertex_base;
        t->replacement = s->options->vertex_base ? "(gl_VertexIndex - gv_FirstVertex)"
                                                 : "gl_VertexIndex";
    } else if (glsl_token_is(t, "gl_BaseVertexARB")) {
        s->variables[GLSL_VARIABLE_BASE_VERTEX] = true;
        t->replacement = "gv_BaseVertex";
    } else if (glsl_token_is(t, "gl_DrawIDARB")) {
        s->variables[GLSL_VARIABLE_DRAW_ID] = true;
        t->replacement = "gv_DrawID";
    } else if (s->stage == GV_STAGE_GEOMETRY && glsl_token_is(t, "EmitVertex")) {
        s->emits = true;
    } else if (s->stage == GV_STAGE_GEOMETRY && glsl_token_is(t, "EmitStreamVertex")) {
        s->emits_streams = true;
    } else if (glsl_token_is(t, "gl_Layer")) {
        s->layered = s->places = true;
    } else if (glsl_token_is(t, "gl_ViewportIndex")) {
        s->viewports = s->places = true;
    } else if (glsl_token_is(t, "gl_ClipDistance")) {
        if (is_declared(u, i))
            size_distances(u, i);
        else if (!s->clip_sized)
            raise_to(&s->clip_distances, elements(u, i, 8));
    }
    return t->replacement != NULL;
}

static bool has_type(size_t v, const char *type)
{
    return glsl_variables[v].kind == GLSL_KIND_TYPE &&
           !strcmp(glsl_variables[v].name + 3, type + 3);
}

static void use_variable(struct glsl_stage *s, size_t v)
{
    s->variables[v] = true;
    for (size_t i = 0; i < GLSL_VARIABLE_COUNT; i++)
        if (has_type(i, glsl_variables[v].type))
            s->variables[i] = true;
}

// Where `gl_in[i].` or `gl_out[i].` begins whose dot is token `dot`; SIZE_MAX: nowhere.
static size_t vertex_array(const struct glsl_unit *u, size_t dot)
{
    size_t i = glsl_previous(&u->code, dot), depth = 0;
    if (i == SIZE_MAX || !glsl_token_is(&u->code.tokens[i], "]"))
        return SIZE_MAX;
    do {
        depth += glsl_token_is(&u->code.tokens[i], "]");
        depth -= glsl_token_is(&u->code.tokens[i], "[");
        i = glsl_previous(&u->code, i);
    } while (depth && i != SIZE_MAX);
    const struct glsl_token *t = i == SIZE_MAX ? NULL : &u->code.tokens[i];
    return t && (glsl_token_is(t, "gl_in") || glsl_token_is(t, "gl_out")) ? i
                                                                          : SIZE_MAX;
}

// `gl_in[i].gl_TexCoord[0]`: an array of its own.
static bool upgrade_member(struct glsl_unit *u, size_t i, size_t dot)
{
    struct glsl_stage *s = u->stage;
    struct glsl_token *t = &u->code.tokens[i];
    const size_t v = glsl_find_variable(t, s->stage);
    if (v == GLSL_VARIABLE_COUNT || s->stage == GV_STAGE_VERTEX)
        return false;
    const size_t array = vertex_array(u, dot);
    if (array == SIZE_MAX || glsl_variables[v].kind != GLSL_KIND_VARYING)
        return !glsl_unit_unsupported(u, "fixed-function members of blocks");
    const bool input = glsl_token_is(&u->code.tokens[array], "gl_in");
    (input ? s->inputs : s->variables)[v] = true;
    if (v == GLSL_VARIABLE_TEX_COORD)
        raise_to(&s->tex_coords, elements(u, i, GLSL_TEX_COORDS));
    const struct glsl_token name = { .text = t->text + 3, .size = t->size - 3 };
    u->code.tokens[array].replacement = glsl_unit_prefixed(
        u, input ? GLSL_INPUT GV_UPGRADE_PREFIX : GV_UPGRADE_PREFIX, &name);
    u->code.tokens[dot].replacement = "";
    t->replacement = "";
    return true;
}

bool glsl_upgrade_variable(struct glsl_unit *u, size_t i)
{
    struct glsl_stage *s = u->stage;
    struct glsl_token *t = &u->code.tokens[i];
    size_t before = glsl_previous(&u->code, i);
    if (before != SIZE_MAX && glsl_token_is(&u->code.tokens[before], "."))
        return upgrade_member(u, i, before);
    if (s->stage == GV_STAGE_FRAGMENT
            ? fragment_output(u, i) || fragment_place(s, t) || fragment_last(u, i) ||
                  fragment_distance(u, i)
            : vertex_variable(u, i))
        return true;
    size_t v = glsl_find_variable(t, s->stage);
    if (v == GLSL_VARIABLE_COUNT)
        return false;
    use_variable(s, v);
    if (v == GLSL_VARIABLE_TEX_COORD)
        raise_to(&s->tex_coords, elements(u, i, GLSL_TEX_COORDS));
    const struct glsl_token name = { .text = t->text + 3, .size = t->size - 3 };
    t->replacement = glsl_unit_prefixed(u, GV_UPGRADE_PREFIX, &name);
    return true;
}
