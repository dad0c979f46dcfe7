#include "compiler/shader/arb/arb_internal.h"

#include <string.h>

// ---- options ----

static bool set_fog(struct arb *a, enum gv_arb_fog fog)
{
    if (a->out->fog != GV_ARB_NO_FOG && a->out->fog != fog)
        return arb_fail(a, GV_ERR_FORMAT, "a second kind of fog");
    a->out->fog = fog;
    return true;
}

static bool fragment_option(struct arb *a, bool *known)
{
    *known = true;
    if (arb_is(a, "ARB_fog_exp"))
        return set_fog(a, GV_ARB_FOG_EXP);
    if (arb_is(a, "ARB_fog_exp2"))
        return set_fog(a, GV_ARB_FOG_EXP2);
    if (arb_is(a, "ARB_fog_linear"))
        return set_fog(a, GV_ARB_FOG_LINEAR);
    if (arb_is(a, "ARB_precision_hint_fastest") ||
        arb_is(a, "ARB_precision_hint_nicest"))
        return true; // all is computed in floats of 32 bits
    if (arb_is(a, "ARB_draw_buffers") || arb_is(a, "ATI_draw_buffers"))
        a->draw_buffers = true;
    else if (arb_is(a, "ARB_fragment_program_shadow"))
        a->shadow = true;
    else if (arb_is(a, "MESA_texture_array"))
        a->arrays = true;
    else if (arb_is(a, "ARB_fragment_coord_origin_upper_left"))
        a->out->upper_left = true;
    else if (arb_is(a, "ARB_fragment_coord_pixel_center_integer"))
        a->out->whole = true;
    else
        *known = false;
    return true;
}

static bool options(struct arb *a)
{
    while (arb_accept(a, "OPTION")) {
        bool known;
        if (a->fragment) {
            if (!fragment_option(a, &known))
                return false;
        } else {
            known = arb_is(a, "ARB_position_invariant");
            a->out->position_invariant |= known;
        }
        if (!known && a->at.token.kind == ARB_NAME)
            return arb_fail(a, GV_ERR_UNSUPPORTED, "unsupported: OPTION %.*s",
                            (int)(a->at.token.size < 64 ? a->at.token.size : 64),
                            a->at.token.text);
        if (!known)
            return arb_unexpected(a, "an option");
        arb_advance(a);
        if (!arb_expect(a, ";"))
            return false;
    }
    return true;
}

// ---- the whole ----

static bool header(struct arb *a)
{
    static const char vertex[] = "!!ARBvp1.0", fragment[] = "!!ARBfp1.0";
    const size_t n = sizeof vertex - 1;
    a->fragment = a->size >= n && !memcmp(a->text, fragment, n);
    if (!a->fragment && (a->size < n || memcmp(a->text, vertex, n) != 0)) {
        bool other = a->size > 2 && !memcmp(a->text, "!!", 2);
        return arb_fail(a, other ? GV_ERR_UNSUPPORTED : GV_ERR_FORMAT,
                        other ? "unsupported: programs of this kind"
                              : "no ARB program");
    }
    a->at.pos = n;
    arb_advance(a);
    a->out->stage = a->fragment ? GV_STAGE_FRAGMENT : GV_STAGE_VERTEX;
    return true;
}

static bool statements(struct arb *a)
{
    while (!arb_is(a, "END")) {
        bool declares;
        if (!arb_declaration(a, &declares) || (!declares && !arb_instruction(a)) ||
            !arb_expect(a, ";"))
            return false;
    }
    arb_advance(a);
    return a->at.token.kind == ARB_END_OF_TEXT ||
           arb_fail(a, GV_ERR_FORMAT, "text behind END");
}

static const char *kept(struct arb *a, struct gv_bytes *b)
{
    const char *text = b->failed ? NULL : gv_arena_copy(a->arena, b->data, b->size);
    if (!text)
        gv_out_of_memory(a->err);
    return text;
}

// What the statements use, in front of them.
static const char *body(struct arb *a)
{
    struct gv_bytes all = { 0 };
    for (uint32_t i = 0; i < a->temporaries; i++)
        gv_bytes_printf(&all, "    vec4 t%u = vec4(0.0);\n", i);
    if (a->addresses)
        gv_bytes_printf(&all, "    int a0 = 0;\n");
    gv_bytes_printf(&all, "    vec4 s; // of SWZ\n");
    all.failed |= a->body.failed;
    gv_bytes_put(&all, a->body.data, a->body.size);
    const char *text = kept(a, &all);
    gv_bytes_finish(&all);
    return text;
}

static bool finish(struct arb *a)
{
    struct gv_bytes helpers = { 0 };
    struct gv_arb_program *out = a->out;
    arb_helpers(a, &helpers);
    out->functions = kept(a, &helpers);
    gv_bytes_finish(&helpers);
    out->body = out->functions ? body(a) : NULL;
    out->broadcast = a->fragment && !a->draw_buffers;
    out->parameter_count =
        (uint32_t)(a->parameters.size / sizeof(struct gv_arb_parameter));
    out->parameters = (const void *)kept(a, &a->parameters);
    return out->body && out->parameters;
}

bool gv_arb_translate(const char *text, size_t size, struct gv_arena *arena,
                      struct gv_arb_program *out, struct gv_error *err)
{
    struct arb *a = gv_arena_alloc(arena, sizeof *a);
    if (!a)
        return gv_out_of_memory(err);
    *a = (struct arb){
        .text = text, .size = size, .arena = arena, .err = err, .out = out, .at.line = 1
    };
    *out = (struct gv_arb_program){ 0 };
    if (size > GV_ARB_MAX_BYTES)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "over %u bytes of assembly",
                       GV_ARB_MAX_BYTES);
    bool ok = header(a) && options(a) && statements(a) && finish(a);
    gv_bytes_finish(&a->body);
    gv_bytes_finish(&a->parameters);
    return ok;
}
