// The fragment stage: colours, textures, the sum of colours, fog, the alpha test,
// stipples.

#include "compiler/gl/fixed/fixed_text.h"

static bool input(const struct gv_fixed_fragment_key *k, uint32_t varying)
{
    return k->inputs >> varying & 1;
}

void gv_fixed_color_of(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t,
                       uint32_t front)
{
    if (!input(k, front)) {
        uint32_t slot = front == GV_FIXED_FRONT_COLOR ? GV_GL_COLOR : GV_GL_SECONDARY;
        gv_fixed_use(&t->block, GV_FIXED_CURRENT, slot);
        gv_fixed_say(t, "%s", gv_fixed_slot_name(slot));
        return;
    }
    char name[24];
    gv_fixed_varying_name(front, name);
    char back[24];
    gv_fixed_varying_name(front + GV_FIXED_BACK_COLOR - GV_FIXED_FRONT_COLOR, back);
    bool two = input(k, front + GV_FIXED_BACK_COLOR - GV_FIXED_FRONT_COLOR);
    if (two && k->two_side == GV_FIXED_BOTH_SIDES)
        gv_fixed_say(t, "gl_FrontFacing ? %s : %s", name, back);
    else
        gv_fixed_say(t, "%s", two && k->two_side ? back : name);
}

static void sum(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t)
{
    if (!k->sum)
        return;
    gv_fixed_say(t, "    result.rgb += (");
    gv_fixed_color_of(k, t, GV_FIXED_FRONT_SECONDARY);
    gv_fixed_say(t, ").rgb;\n");
}

static void fog(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t)
{
    if (k->fog == GV_FIXED_FOG_NONE)
        return;
    if (!input(k, GV_FIXED_FOG)) // nobody wrote it
        gv_fixed_say(t, "    float fog_distance = 0.0;\n");
    gv_fixed_use(&t->block, GV_FIXED_FOG_PARAMETERS, 0);
    gv_fixed_use(&t->block, GV_FIXED_FOG_COLOR, 0);
    if (k->fog == GV_FIXED_FOG_LINEAR)
        gv_fixed_say(t, "    float clear = fog_distance * fog.x + fog.y;\n");
    else if (k->fog == GV_FIXED_FOG_EXP)
        gv_fixed_say(t, "    float clear = exp2(-(fog_distance * fog.z));\n");
    else
        gv_fixed_say(t, "    float thick = fog_distance * fog.w;\n"
                        "    float clear = exp2(-(thick * thick));\n");
    gv_fixed_say(t, "    clear = clamp(clear, 0.0, 1.0);\n"
                    "    result.rgb = fog_color.rgb * (1.0 - clear) + result.rgb * "
                    "clear;\n");
}

static void stipple(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t)
{
    if (!k->stipple)
        return;
    gv_fixed_use(&t->block, GV_FIXED_STIPPLE, 0);
    if (k->stipple == 2)
        gv_fixed_use(&t->block, GV_FIXED_TARGET, 0);
    gv_fixed_say(t,
                 "    // row 0 of the pattern lies lowest, bit 31 leftmost\n"
                 "    int row = int(%s) & 31;\n"
                 "    uint bits = stipple[row >> 2][row & 3];\n"
                 "    if ((bits >> (31 - (int(gl_FragCoord.x) & 31)) & 1u) == 0u)\n"
                 "        discard;\n",
                 k->stipple == 2 ? "target.x - gl_FragCoord.y" : "gl_FragCoord.y");
}

// A smooth point is a disc.
static void coverage(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t)
{
    if (!k->round_points)
        return;
    gv_fixed_say(t, "    vec2 off = gl_PointCoord * 2.0 - 1.0;\n"
                    "    if (off.x * off.x + off.y * off.y > 1.0)\n"
                    "        discard;\n");
}

static void alpha_test(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t)
{
    static const char *const passes[] = { "", "", "<", "==", "<=", ">", "!=", ">=" };
    if (!k->alpha)
        return;
    if (k->alpha == 1) {
        gv_fixed_say(t, "    discard; // GL_NEVER\n");
        return;
    }
    const char *tested = k->line_ends ? "result.a * covered" : "result.a";
    gv_fixed_line_coverage(k, t);
    gv_fixed_use(&t->block, GV_FIXED_ALPHA_REFERENCE, 0);
    if (k->coarse)
        gv_fixed_say(t,
                     "    // as the target will have it\n"
                     "    float alpha = roundEven(clamp(%s, 0.0, 1.0) * 255.0);\n"
                     "    float reference = roundEven(alpha_reference.x * 255.0);\n",
                     tested);
    else
        gv_fixed_say(t, "    float alpha = %s, reference = alpha_reference.x;\n",
                     tested);
    gv_fixed_say(t, "    if (!(alpha %s reference))\n        discard;\n",
                 passes[k->alpha]);
}

static void textured(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t)
{
    gv_fixed_say(t, "    vec4 primary = ");
    gv_fixed_color_of(k, t, GV_FIXED_FRONT_COLOR);
    gv_fixed_say(t, ";\n    vec4 result = primary;\n");
    gv_fixed_combiners(k, t);
    sum(k, t);
}

// What a draw buffer behind the first one gets.
static void say_other(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t,
                      uint32_t buffer)
{
    const bool own = k->assembly && !k->assembly->broadcast;
    if (!own)
        gv_fixed_say(t, "    fragment%u = result;\n", buffer);
    else if (k->assembly->outputs >> buffer & 1)
        gv_fixed_say(t, "    fragment%u = out_%u;\n", buffer, buffer);
}

// Whether depth's filters follow from the level of detail.
static bool asks_levels(const struct gv_fixed_fragment_key *k)
{
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        if (k->units[u].four && k->units[u].four != GV_GL_FOUR_ALWAYS)
            return true;
    return false;
}

void gv_fixed_fragment_text(const struct gv_fixed_fragment_key *k,
                            struct gv_fixed_text *t, struct gv_bytes *out)
{
    const char kind[] = { k->units[0].integers, 0 };
    if (*kind) {
        gv_fixed_integers(k, t);
    } else if (k->assembly) {
        gv_fixed_assembly_fragment(k, t);
    } else {
        textured(k, t);
    }
    if (!*kind) {
        fog(k, t);
        coverage(k, t);
        stipple(k, t);
        alpha_test(k, t);
    }
    gv_fixed_say(t, "    fragment = result;\n");
    for (uint32_t i = 1; i < GV_GL_DRAW_BUFFERS; i++)
        if (k->outputs >> i & 1)
            say_other(k, t, i);

    const bool samples = k->units[0].fetch == GV_GL_FETCH_SAMPLES;
    gv_fixed_version(out, samples          ? GV_FIXED_VERSION_SAMPLES
                          : asks_levels(k) ? GV_FIXED_VERSION_LEVELS
                                           : GV_FIXED_VERSION);
    if (samples)
        gv_bytes_printf(out, "#extension GL_ARB_sample_shading : enable\n");
    gv_fixed_varying_declare(
        &(struct gv_fixed_varyings){ k->inputs, k->flat, k->beside }, "in", out);
    gv_fixed_block_declare(&t->block, 1, out);
    gv_bytes_put(out, t->declared.data, t->declared.size);
    gv_bytes_printf(out, "%s%svec4 fragment;\n",
                    k->beyond ? "" : "layout(location = 0) out ", kind);
    for (uint32_t i = 1; i < GV_GL_DRAW_BUFFERS; i++)
        if (k->outputs >> i & 1)
            gv_bytes_printf(out, "layout(location = %u) out %svec4 fragment%u;\n", i,
                            kind, i);
    gv_bytes_printf(out, "void main()\n{\n");
    gv_bytes_put(out, t->body.data, t->body.size);
    gv_bytes_printf(out, "}\n");
    gv_bytes_u8(out, 0);
}
