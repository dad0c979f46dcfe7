// Stages that are programs of assembly: what stands around their statements, so that
// one half goes with the fixed function's other one.
#include <stdio.h>
#include <string.h>

#include "compiler/gl/fixed/fixed_text.h"

// How an image is looked up: its sampler, the coordinates without and with a
// comparison, how many of them are of a direction that GL_CLAMP knows.
static const struct shape {
    const char *sampler, *plain, *shadow;
    int clamped;
} shapes[] = {
    [GV_ARB_1D] = { "1D", "at.x", "vec3(at.xy, clamp(at.z, 0.0, 1.0))", 1 },
    [GV_ARB_2D] = { "2D", "at.xy", "vec3(at.xy, clamp(at.z, 0.0, 1.0))", 2 },
    [GV_ARB_3D] = { "3D", "at.xyz", "", 3 },
    [GV_ARB_CUBE] = { "Cube", "at.xyz", "vec4(at.xyz, clamp(at.w, 0.0, 1.0))", 0 },
    [GV_ARB_RECT] = { "2D", "at.xy", "vec3(at.xy, clamp(at.z, 0.0, 1.0))", 2 },
    [GV_ARB_ARRAY_1D] = { "1DArray", "at.xy", "vec3(at.xy, clamp(at.z, 0.0, 1.0))", 1 },
    [GV_ARB_ARRAY_2D] = { "2DArray", "at.xyz", "vec4(at.xyz, clamp(at.w, 0.0, 1.0))",
                          2 },
};

// ---- keys ----

static const struct gv_arb_program *program_of(const struct gv_gl_fixed_inputs *in,
                                               enum gv_gl_half half)
{
    return gv_gl_assembled_program(in->assembly[half]);
}

uint32_t gv_fixed_results(const struct gv_gl_fixed_inputs *in)
{
    const bool two =
        in->context->state.lighting.by_program && (in->polygons || in->back);
    const uint32_t backs = 1u << GV_FIXED_BACK_COLOR | 1u << GV_FIXED_BACK_SECONDARY;
    uint32_t bits = 0;
    if (in->beside)
        return two ? in->written : in->written & ~backs;
    const uint32_t written = program_of(in, GV_GL_VERTEX_HALF)->outputs;
    for (uint32_t i = 0; i < 4; i++) // the colours
        if (written >> (GV_ARB_OUT_FRONT + i) & 1 && (i < 2 || two))
            bits |= 1u << (GV_FIXED_FRONT_COLOR + i);
    bits |= (written >> GV_ARB_OUT_FOG & 1) << GV_FIXED_FOG;
    bits |= (written >> GV_ARB_OUT_TEXCOORD & 0xFF) << GV_FIXED_COORD;
    return bits;
}

void gv_fixed_assembly_vertex_key(const struct gv_gl_fixed_inputs *in,
                                  struct gv_fixed_vertex_key *out)
{
    const struct gv_gl_state *s = &in->context->state;
    const struct gv_arb_program *p = program_of(in, GV_GL_VERTEX_HALF);
    uint32_t varying = in->varying | 1u << GV_GL_POSITION;
    uint32_t read = p->inputs;
    if (p->position_invariant)
        read |= 1u << GV_GL_POSITION;
    if (in->varying >> GV_GL_POSITION & 1) // attribute 0 is the position
        varying |= 1u << GV_GL_GENERIC;
    out->assembly = p;
    out->slots = read & varying;
    out->clamp = s->lighting.clamp_vertex_color;
    out->flat = s->lighting.shade_model == GL_FLAT;
    out->own_size = in->drawn == GV_GL_CLASS_POINTS && s->point.by_program &&
                    (p->outputs >> GV_ARB_OUT_POINT & 1);
}

static uint8_t fog_of(const struct gv_arb_program *p)
{
    static const uint8_t modes[] = {
        [GV_ARB_NO_FOG] = GV_FIXED_FOG_NONE,
        [GV_ARB_FOG_EXP] = GV_FIXED_FOG_EXP,
        [GV_ARB_FOG_EXP2] = GV_FIXED_FOG_EXP2,
        [GV_ARB_FOG_LINEAR] = GV_FIXED_FOG_LINEAR,
    };
    return modes[p->fog];
}

// Bits of enum gv_fixed_varying that have a back side too.
static uint32_t backs(const struct gv_gl_fixed_inputs *in, uint32_t fronts)
{
    const struct gv_gl_lighting *l = &in->context->state.lighting;
    const uint32_t both = fronts & 3; // GV_FIXED_FRONT_COLOR, _SECONDARY
    const uint32_t back = both << GV_FIXED_BACK_COLOR;
    if (gv_fixed_is_programmed(in))
        return back & gv_fixed_results(in);
    return l->enabled && l->two_side && (in->polygons || in->back) ? back : 0;
}

void gv_fixed_assembly_fragment_key(const struct gv_gl_fixed_inputs *in,
                                    struct gv_fixed_fragment_key *out)
{
    const struct gv_arb_program *p = program_of(in, GV_GL_FRAGMENT_HALF);
    uint32_t inputs = p->inputs >> GV_ARB_IN_COLOR & 1;
    inputs |= (p->inputs >> GV_ARB_IN_SECONDARY & 1) << GV_FIXED_FRONT_SECONDARY;
    inputs |= backs(in, inputs);
    out->two_side = !(inputs >> GV_FIXED_BACK_COLOR & 3) ? GV_FIXED_FRONT_SIDE
                    : in->polygons                       ? GV_FIXED_BOTH_SIDES
                                                         : GV_FIXED_BACK_SIDE;
    out->flat = inputs && in->context->state.lighting.shade_model == GL_FLAT;
    inputs |= (p->inputs >> GV_ARB_IN_FOG & 1) << GV_FIXED_FOG;
    for (uint32_t u = 0; u < GV_GL_UNITS; u++) {
        if (!(p->inputs >> (GV_ARB_IN_TEXCOORD + u) & 1))
            continue;
        out->units[u].replaced = gv_fixed_sprite(in, u);
        if (!out->units[u].replaced)
            inputs |= 1u << (GV_FIXED_COORD + u);
    }
    for (uint32_t i = 0; i < GV_ARB_IMAGE_UNITS; i++) {
        const uint32_t known = (1u << shapes[p->images[i].texture].clamped) - 1;
        if (p->images[i].shadow)
            out->compared[i] = (uint8_t)gv_fixed_depth_mode(in->depth_modes[i]);
        const uint32_t all = known | known * GV_GL_CLAMP_MIRROR;
        if (in->clamps[i] & all)
            out->clamped[i] = (uint8_t)(in->clamps[i] & (all | GV_GL_CLAMP_SHORT));
    }
    out->assembly = p;
    out->inputs |= (uint16_t)inputs;
    out->fog = fog_of(p);
    out->turned = p->inputs >> GV_ARB_IN_POSITION & 1 && in->flipped != p->upper_left;
}

// ---- the vertex stage ----

static void read_attribute(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                           uint32_t number)
{
    const char *slot = gv_fixed_slot(k, t, number);
    if (number == GV_ARB_FOG_COORD)
        gv_fixed_say(t, "    vec4 in_%u = vec4(%s.x, 0.0, 0.0, 1.0);\n", number, slot);
    else
        gv_fixed_say(t, "    vec4 in_%u = %s;\n", number, slot);
}

// What a program writes of each varying, by enum gv_fixed_varying.
static uint32_t result_of(uint32_t varying)
{
    if (varying == GV_FIXED_FOG)
        return GV_ARB_OUT_FOG;
    return varying < GV_FIXED_FOG ? GV_ARB_OUT_FRONT + varying
                                  : GV_ARB_OUT_TEXCOORD + varying - GV_FIXED_COORD;
}

// What was not written reads as 0, 0, 0, 1.
static void write_varying(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                          uint32_t varying)
{
    const uint32_t result = result_of(varying);
    char name[24], value[40];
    gv_fixed_varying_name(varying, name);
    if (k->assembly->outputs >> result & 1)
        snprintf(value, sizeof value, "out_%u", result);
    else
        snprintf(value, sizeof value, "vec4(0.0, 0.0, 0.0, 1.0)");
    if (varying == GV_FIXED_FOG)
        gv_fixed_say(t, "    %s = %s.x;\n", name, value);
    else if (varying < GV_FIXED_FOG && k->clamp)
        gv_fixed_say(t, "    %s = clamp(%s, 0.0, 1.0);\n", name, value);
    else
        gv_fixed_say(t, "    %s = %s;\n", name, value);
}

// The program's statements, as a block of their own.
static void statements(const struct gv_arb_program *p, struct gv_fixed_text *t)
{
    gv_bytes_printf(&t->declared, "%s", p->functions);
    gv_bytes_put(&t->body, p->body, strlen(p->body));
    gv_fixed_say(t, "    }\n");
}

void gv_fixed_assembly_vertex(const struct gv_fixed_vertex_key *k,
                              struct gv_fixed_text *t)
{
    const struct gv_arb_program *p = k->assembly;
    gv_fixed_use_assembly(&t->block, p);
    for (uint32_t i = 0; i < 32; i++)
        if ((p->outputs | 1u << GV_ARB_OUT_POSITION) >> i & 1)
            gv_fixed_say(t, "    vec4 out_%u = vec4(0.0, 0.0, 0.0, 1.0);\n", i);
    gv_fixed_say(t, "    {\n");
    for (uint32_t i = 0; i < GV_GL_SLOTS; i++)
        if (p->inputs >> i & 1)
            read_attribute(k, t, i);
    statements(p, t);
    for (uint32_t v = 0; v < GV_FIXED_VARYINGS; v++)
        if (k->outputs >> v & 1)
            write_varying(k, t, v);
}

// ---- the fragment stage ----

static void read_position(const struct gv_fixed_fragment_key *k,
                          struct gv_fixed_text *t)
{
    if (k->turned)
        gv_fixed_use(&t->block, GV_FIXED_TARGET, 0);
    gv_fixed_say(t, "    vec4 in_%u = vec4(gl_FragCoord.x, %s, gl_FragCoord.zw);\n",
                 GV_ARB_IN_POSITION,
                 k->turned ? "target.x - gl_FragCoord.y" : "gl_FragCoord.y");
    if (k->assembly->whole)
        gv_fixed_say(t, "    in_%u.xy -= 0.5;\n", GV_ARB_IN_POSITION);
}

static void read_coordinates(const struct gv_fixed_fragment_key *k,
                             struct gv_fixed_text *t, uint32_t unit)
{
    const uint32_t number = GV_ARB_IN_TEXCOORD + unit;
    if (k->units[unit].replaced)
        gv_fixed_say(t, "    vec4 in_%u = vec4(gl_PointCoord.x, %s, 0.0, 1.0);\n",
                     number,
                     k->sprite_up ? "1.0 - gl_PointCoord.y" : "gl_PointCoord.y");
    else
        gv_fixed_say(t, "    vec4 in_%u = coord%u;\n", number, unit);
}

static void read_varyings(const struct gv_fixed_fragment_key *k,
                          struct gv_fixed_text *t)
{
    const uint32_t inputs = k->assembly->inputs;
    for (uint32_t i = 0; i < 2; i++) {
        if (!(inputs >> (GV_ARB_IN_COLOR + i) & 1))
            continue;
        gv_fixed_say(t, "    vec4 in_%u = ", GV_ARB_IN_COLOR + i);
        gv_fixed_color_of(k, t, GV_FIXED_FRONT_COLOR + i);
        gv_fixed_say(t, ";\n");
    }
    if (inputs >> GV_ARB_IN_FOG & 1)
        gv_fixed_say(t, "    vec4 in_%u = vec4(fog_distance, 0.0, 0.0, 1.0);\n",
                     GV_ARB_IN_FOG);
    if (inputs >> GV_ARB_IN_POSITION & 1)
        read_position(k, t);
    for (uint32_t u = 0; u < GV_ARB_UNITS; u++)
        if (inputs >> (GV_ARB_IN_TEXCOORD + u) & 1)
            read_coordinates(k, t, u);
}

// The slopes from before GL_CLAMP, of which a bias changes the level.
static void say_slopes(bool biased, struct gv_bytes *out)
{
    const char *bias = biased ? " * exp2(at.w)" : "";
    gv_bytes_printf(out, "    vec3 across = dFdx(at.xyz)%s, down = dFdy(at.xyz)%s;\n",
                    bias, bias);
}

// GL_CLAMP and what mirrors.
static void say_clamp(const struct shape *shape, uint32_t clamped, struct gv_bytes *out)
{
    const char *most = clamped & GV_GL_CLAMP_SHORT ? "0.99999994" : "1.0";
    for (int c = 0; c < shape->clamped; c++)
        if (clamped & GV_GL_CLAMP_MIRROR << c)
            gv_bytes_printf(out, "    at.%c = abs(at.%c);\n", "xyz"[c], "xyz"[c]);
    for (int c = 0; c < shape->clamped; c++)
        if (clamped >> c & 1)
            gv_bytes_printf(out, "    at.%c = clamp(at.%c, 0.0, %s);\n", "xyz"[c],
                            "xyz"[c], most);
}

// One function.
static void say_lookup(const struct gv_fixed_fragment_key *k, struct gv_bytes *out,
                       uint32_t unit, uint32_t call)
{
    const struct gv_arb_image *image = &k->assembly->images[unit];
    const struct shape *shape = &shapes[image->texture];
    const bool compares = image->shadow && *shape->shadow;
    const bool slopes = k->clamped[unit] && !compares;
    const char *const *around = gv_fixed_compared[k->compared[unit]];
    const char *name = call == GV_ARB_TXP ? "txp" : call == GV_ARB_TXB ? "txb" : "tex";
    // GLSL compares without a bias where a layer is told too.
    const bool biased = call == GV_ARB_TXB && !slopes &&
                        !(compares && image->texture == GV_ARB_ARRAY_2D);
    gv_bytes_printf(out, "vec4 %s%u(vec4 at)\n{\n", name, unit);
    if (call == GV_ARB_TXP)
        gv_bytes_printf(out, "    at.xyz *= 1.0 / at.w;\n");
    if (image->texture == GV_ARB_RECT)
        gv_bytes_printf(out, "    at.xy *= 1.0 / vec2(textureSize(texture%u, 0));\n",
                        unit);
    if (slopes)
        say_slopes(call == GV_ARB_TXB, out);
    say_clamp(shape, k->clamped[unit], out);
    gv_bytes_printf(out, "    return %stexture%s(texture%u, %s",
                    compares ? around[0] : "", slopes ? "Grad" : "", unit,
                    compares ? shape->shadow : shape->plain);
    if (slopes)
        gv_bytes_printf(out, ", across.%.*s, down.%.*s", shape->clamped, "xyz",
                        shape->clamped, "xyz");
    gv_bytes_printf(out, "%s)%s;\n}\n", biased ? ", at.w" : "",
                    compares ? around[1] : "");
}

static void say_images(const struct gv_fixed_fragment_key *k, struct gv_bytes *out)
{
    for (uint32_t i = 0; i < GV_ARB_IMAGE_UNITS; i++) {
        const struct gv_arb_image *image = &k->assembly->images[i];
        if (image->texture == GV_ARB_NO_TEXTURE)
            continue;
        const struct shape *shape = &shapes[image->texture];
        gv_bytes_printf(
            out, "layout(set = 2, binding = %u) uniform sampler%s%s texture%u;\n", i,
            shape->sampler, image->shadow && *shape->shadow ? "Shadow" : "", i);
        for (uint32_t call = GV_ARB_TEX; call <= GV_ARB_TXB; call <<= 1)
            if (image->calls & call)
                say_lookup(k, out, i, call);
    }
}

void gv_fixed_assembly_fragment(const struct gv_fixed_fragment_key *k,
                                struct gv_fixed_text *t)
{
    const struct gv_arb_program *p = k->assembly;
    gv_fixed_use_assembly(&t->block, p);
    say_images(k, &t->declared);
    for (uint32_t i = 0; i < GV_ARB_TARGETS; i++)
        if ((p->outputs | 1u) >> i & 1)
            gv_fixed_say(t, "    vec4 out_%u = vec4(0.0);\n", i);
    const bool depth = p->outputs >> GV_ARB_OUT_DEPTH & 1;
    if (depth)
        gv_fixed_say(t, "    vec4 out_%u = vec4(gl_FragCoord.z);\n", GV_ARB_OUT_DEPTH);
    gv_fixed_say(t, "    {\n");
    read_varyings(k, t);
    statements(p, t);
    if (depth)
        gv_fixed_say(t, "    gl_FragDepth = out_%u.z;\n", GV_ARB_OUT_DEPTH);
    gv_fixed_say(t, "    vec4 result = out_%u;\n", GV_ARB_OUT_COLOR);
}
