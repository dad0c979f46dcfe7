// ARB programs as text: what is taken and what it uses, what is malformed and how that
// is told, what is refused by name.
#include "compiler/shader/arb/arb.h"
#include "tests/test.h"

#define VP "!!ARBvp1.0\n"
#define FP "!!ARBfp1.0\n"

static bool translate(const char *text, struct gv_arena *arena,
                      struct gv_arb_program *out, struct gv_error *err)
{
    // Of its exact size: a read past its end is seen.
    size_t size = strlen(text);
    char *copy = malloc(size ? size : 1);
    if (!copy)
        return false;
    memcpy(copy, text, size);
    bool ok = gv_arb_translate(copy, size, arena, out, err);
    free(copy);
    return ok;
}

// ---- what is refused ----

static const struct {
    const char *name, *text;
    enum gv_status status;
    const char *message;
} refused[] = {
    { "nothing", "", GV_ERR_FORMAT, "line 1: no ARB program: " },
    { "other_kind", "!!VP2.0\nEND", GV_ERR_UNSUPPORTED,
      "line 1: unsupported: programs of this kind: !!VP2.0" },
    { "no_end", VP "TEMP a;\n", GV_ERR_FORMAT,
      "line 3: the text ends where an instruction or declaration should be: " },
    { "behind_end", VP "END\nTEMP a;", GV_ERR_FORMAT,
      "line 3: text behind END: TEMP a;" },
    { "no_semicolon", VP "TEMP a\nTEMP b;\nEND", GV_ERR_FORMAT,
      "line 3: \";\" expected, not \"TEMP\": TEMP b;" },
    { "unknown_op", VP "\n  FOO a, b;\nEND", GV_ERR_FORMAT,
      "line 3: an instruction or declaration expected, not \"FOO\": FOO a, b;" },
    { "op_of_fragments", VP "TEMP a; SIN a, a.x; END", GV_ERR_FORMAT,
      "line 2: an instruction or declaration expected, not \"SIN\": TEMP a; SIN a, "
      "a.x; "
      "END" },
    { "op_of_vertices", FP "TEMP a; EXP a, a.x; END", GV_ERR_FORMAT, "line 2: an ins" },
    { "saturated_vertex", VP "TEMP a; MOV_SAT a, a; END", GV_ERR_FORMAT,
      "line 2: an " },
    { "unknown_option", FP "OPTION NV_fragment_program2; END", GV_ERR_UNSUPPORTED,
      "line 2: unsupported: OPTION NV_fragment_program2: OPTION NV" },
    { "invariant_fragment", FP "OPTION ARB_position_invariant; END", GV_ERR_UNSUPPORTED,
      "line 2: unsupported: OPTION ARB_position_invariant" },
    { "two_fogs", FP "OPTION ARB_fog_exp; OPTION ARB_fog_exp2; END", GV_ERR_FORMAT,
      "line 2: a second kind of fog" },
    { "position_twice",
      VP "OPTION ARB_position_invariant;\n"
         "MOV result.position, vertex.position; END",
      GV_ERR_FORMAT, "line 3: the position is not the program's" },
    { "name_taken", VP "TEMP a, b,\n a; END", GV_ERR_FORMAT,
      "line 3: the name is taken: a; END" },
    { "name_reserved", VP "TEMP result; END", GV_ERR_FORMAT,
      "line 2: a name expected, not \"result\"" },
    { "name_unknown", VP "TEMP a; MOV a, b; END", GV_ERR_FORMAT,
      "line 2: an operand expected, not \"b\": TEMP a; MOV a, b; END" },
    { "write_attribute", VP "MOV vertex.position, 1; END", GV_ERR_FORMAT,
      "line 2: what can be written expected, not \"vertex\"" },
    { "write_parameter", VP "PARAM p = 1; MOV p, 1; END", GV_ERR_FORMAT,
      "line 2: what can be written expected, not \"p\"" },
    { "read_result", VP "OUTPUT o = result.position; MOV o, o; END", GV_ERR_FORMAT,
      "line 2: what can be read expected, not \"o\"" },
    { "read_result_plain", VP "TEMP a; MOV a, result.position; END", GV_ERR_FORMAT,
      "line 2: an operand expected, not \"result\"" },
    { "mask_order", VP "TEMP a; MOV a.yx, a; END", GV_ERR_FORMAT,
      "line 2: a mask in order expected, not \"yx\"" },
    { "mask_twice", VP "TEMP a; MOV a.xx, a; END", GV_ERR_FORMAT, "line 2: a mask in" },
    { "swizzle_of_two", VP "TEMP a; MOV a, a.xy; END", GV_ERR_FORMAT,
      "line 2: one or four components expected, not \"xy\"" },
    { "swizzle_mixed", FP "TEMP a; MOV a, a.xyba; END", GV_ERR_FORMAT,
      "line 2: one or four components expected, not \"xyba\"" },
    { "colours_of_vertices", VP "TEMP a; MOV a, a.rgba; END", GV_ERR_FORMAT,
      "line 2: one or four components expected, not \"rgba\"" },
    { "scalar_without", VP "TEMP a; RCP a, a; END", GV_ERR_FORMAT,
      "line 2: a component expected, not \";\"" },
    { "scalar_of_four", VP "TEMP a; RCP a, a.xxxx; END", GV_ERR_FORMAT,
      "line 2: a component expected, not \"xxxx\"" },
    { "temporaries_index", VP "TEMP a[2]; END", GV_ERR_FORMAT,
      "line 2: \";\" expected, not \"[\"" },
    { "array_without_index", VP "PARAM p[1] = { 1 }; TEMP a; MOV a, p; END",
      GV_ERR_FORMAT, "line 2: \"[\" expected, not \";\"" },
    { "array_size", VP "PARAM p[3] = { 1, 2 }; END", GV_ERR_FORMAT,
      "line 2: the array has 3 elements and is given 2" },
    { "array_size_zero_given", VP "PARAM p[] = { }; END", GV_ERR_FORMAT,
      "line 2: a parameter expected, not \"}\"" },
    { "array_past", VP "PARAM p[2] = { 1, 2 }; TEMP a; MOV a, p[2]; END", GV_ERR_FORMAT,
      "line 2: 2 is not below 2" },
    { "environment_past", VP "PARAM p = program.env[256]; END", GV_ERR_FORMAT,
      "line 2: 256 is not below 256" },
    { "index_huge", VP "PARAM p = program.local[99999999999999999999]; END",
      GV_ERR_FORMAT, "line 2: 9999999999999999 is not below 4096" },
    { "range_of_one", VP "PARAM p = program.env[0..1]; END", GV_ERR_FORMAT,
      "line 2: \"]\" expected, not \"..\"" },
    { "range_backwards", VP "PARAM p[] = { program.env[3..1] }; END", GV_ERR_FORMAT,
      "line 2: the range ends before it begins" },
    { "matrix_of_one", VP "PARAM p = state.matrix.mvp; END", GV_ERR_FORMAT,
      "line 2: \".row[N]\" expected, not \";\"" },
    { "matrix_row", VP "PARAM p = state.matrix.mvp.row[4]; END", GV_ERR_FORMAT,
      "line 2: 4 is not below 4" },
    { "light_past", VP "PARAM p = state.light[8].ambient; END", GV_ERR_FORMAT,
      "line 2: 8 is not below 8" },
    { "light_part", VP "PARAM p = state.light[0].colour; END", GV_ERR_FORMAT,
      "line 2: an item of this state expected, not \"colour\"" },
    { "state_of_fragments", VP "PARAM p = state.texenv[0].color; END", GV_ERR_FORMAT,
      "line 2: an item of OpenGL's state expected, not \"texenv\"" },
    { "state_of_vertices", FP "PARAM p = state.clip[0].plane; END", GV_ERR_FORMAT,
      "line 2: an item of OpenGL's state expected, not \"clip\"" },
    { "palette", VP "PARAM p[] = { state.matrix.palette[0] }; END", GV_ERR_UNSUPPORTED,
      "line 2: unsupported: state.matrix.palette" },
    { "weights", VP "ATTRIB w = vertex.weight; END", GV_ERR_UNSUPPORTED,
      "line 2: unsupported: vertex.weight" },
    { "attribute_twice",
      VP "ATTRIB a = vertex.normal;\nATTRIB b = vertex.attrib[2];\n"
         "END",
      GV_ERR_FORMAT, "line 3: the attribute has two names in GL" },
    { "coordinate_past", FP "ATTRIB a = fragment.texcoord[8]; END", GV_ERR_FORMAT,
      "line 2: 8 is not below 8" },
    { "two_addresses", VP "ADDRESS a, b; END", GV_ERR_LIMIT,
      "line 2: over 1 registers" },
    { "address_component",
      VP "ADDRESS a; PARAM p[1] = { 1 }; TEMP t;\n"
         "MOV t, p[a.y]; END",
      GV_ERR_FORMAT, "line 3: \"x\" expected, not \"y\"" },
    { "address_offset",
      VP "ADDRESS a; PARAM p[1] = { 1 }; TEMP t;\n"
         "MOV t, p[a.x + 4097]; END",
      GV_ERR_FORMAT, "line 3: 4097 is not below 4097" },
    { "texture_two_targets",
      FP "TEMP a; TEX a, a, texture[1], 2D;\n"
         "TEX a, a, texture[1], 3D; END",
      GV_ERR_FORMAT, "line 3: texture[1] has two targets: TEX a, a, texture[1], 3D;" },
    { "texture_past", FP "TEMP a; TEX a, a, texture[16], 2D; END", GV_ERR_FORMAT,
      "line 2: 16 is not below 16" },
    { "shadow_option", FP "TEMP a; TEX a, a, texture[0], SHADOW2D; END", GV_ERR_FORMAT,
      "line 2: SHADOW2D needs ARB_fragment_program_shadow" },
    { "array_option", FP "TEMP a; TEX a, a, texture[0], ARRAY2D; END", GV_ERR_FORMAT,
      "line 2: ARRAY2D needs MESA_texture_array" },
    { "draw_buffers_option", FP "MOV result.color[1], 1; END", GV_ERR_FORMAT,
      "line 2: result.color[] needs ARB_draw_buffers" },
    { "no_text", VP "\"\x01\xFF", GV_ERR_FORMAT,
      "line 2: an instruction or declaration expected, not \"\"\": \"??" },
    { "byte", VP "\x80", GV_ERR_FORMAT,
      "line 2: an instruction or declaration expected: ?" },
    { "swz_digit", VP "TEMP a; SWZ a, a, 2, x, y, z; END", GV_ERR_FORMAT,
      "line 2: 0, 1 or a component expected, not \"2\"" },
    { "alias_unknown", VP "ALIAS a = b; END", GV_ERR_FORMAT,
      "line 2: a name that is known expected, not \"b\"" },
    { "alias_of_itself", VP "ALIAS a = a; END", GV_ERR_FORMAT,
      "line 2: a name that is known expected, not \"a\"" },
};

static void test_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_arb_program program;
        bool ok = !translate(refused[i].text, &arena, &program, &err) &&
                  err.status == refused[i].status &&
                  !strncmp(err.message, refused[i].message, strlen(refused[i].message));
        if (!ok)
            fprintf(stderr, "[%s] %s: %s\n", refused[i].name,
                    gv_status_name(err.status), err.message);
        CHECK_ROW(refused[i].name, ok);
        gv_arena_finish(&arena);
    }
}

// ---- what is used ----

#define BIT(n) (1u << (n))

static void test_uses(void)
{
    static const char vertex[] =
        VP "OPTION ARB_position_invariant;\n"
           "# a comment ; END\r\n"
           "ATTRIB c = vertex.color.secondary;\n"
           "PARAM m[4] = { state.matrix.program[5].inverse };\n"
           "TEMP t;\n"
           "MUL t, c.x, vertex.texcoord[3];\n"
           "ADD t, t, m[1]; ADD t, t, m[1]; ADD t, t, "
           "state.matrix.program[5].inverse.row[1];\n"
           "MAD result.color.back.secondary.xyz, t, state.lightprod[7].back.specular, "
           "state.material.shininess;\n"
           "MOV result.texcoord, vertex.attrib[15]; MOV result.pointsize.x, 4;\n"
           "MOV result.fogcoord, state.light[2].spot.direction; END";
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_arb_program p;
    bool ok = translate(vertex, &arena, &p, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    CHECK(ok && p.stage == GV_STAGE_VERTEX && p.position_invariant);
    CHECK(ok && p.inputs == (BIT(GV_ARB_SECONDARY) | BIT(GV_ARB_TEXCOORD + 3) |
                             BIT(GV_ARB_GENERIC + 15)));
    CHECK(ok &&
          p.outputs == (BIT(GV_ARB_OUT_BACK_SECONDARY) | BIT(GV_ARB_OUT_TEXCOORD) |
                        BIT(GV_ARB_OUT_POINT) | BIT(GV_ARB_OUT_FOG)));
    CHECK(ok && p.instructions == 8 && p.parameter_count == 4);
    static const struct gv_arb_parameter wanted[] = {
        { GV_ARB_PROGRAM_MATRIX, 5, GV_ARB_INVERSE, 1, { 0 } },
        { GV_ARB_PRODUCT_SPECULAR, 7, 1, 0, { 0 } },
        { GV_ARB_MATERIAL_SHININESS, 0, 0, 0, { 0 } },
        { GV_ARB_LIGHT_SPOT, 2, 0, 0, { 0 } },
    };
    CHECK(ok && p.parameter_count == 4 && !memcmp(p.parameters, wanted, sizeof wanted));
    gv_arena_finish(&arena);
}

static void test_uses_fragment(void)
{
    static const char fragment[] =
        FP "OPTION ARB_fog_linear; OPTION ARB_precision_hint_nicest;\n"
           "OPTION ARB_draw_buffers; OPTION ARB_fragment_program_shadow;\n"
           "OPTION MESA_texture_array; OPTION ARB_fragment_coord_origin_upper_left;\n"
           "TEMP t; TEX t, fragment.texcoord, texture[0], SHADOWRECT;\n"
           "TXB t, fragment.position, texture[15], ARRAY1D;\n"
           "TXP t, t, texture[15], ARRAY1D;\n"
           "MOV result.color, t; MOV result.color[3], fragment.fogcoord;\n"
           "MUL result.depth.z, t.x, state.depth.range; END";
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_arb_program p;
    bool ok = translate(fragment, &arena, &p, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    CHECK(ok && p.stage == GV_STAGE_FRAGMENT && p.fog == GV_ARB_FOG_LINEAR);
    CHECK(ok && !p.broadcast && p.upper_left && !p.whole);
    CHECK(ok && p.inputs == (BIT(GV_ARB_IN_TEXCOORD) | BIT(GV_ARB_IN_POSITION) |
                             BIT(GV_ARB_IN_FOG)));
    CHECK(ok && p.outputs == (BIT(0) | BIT(3) | BIT(GV_ARB_OUT_DEPTH)));
    CHECK(ok && p.images[0].texture == GV_ARB_RECT && p.images[0].shadow &&
          p.images[0].calls == GV_ARB_TEX);
    CHECK(ok && p.images[15].texture == GV_ARB_ARRAY_1D && !p.images[15].shadow &&
          p.images[15].calls == (GV_ARB_TXB | GV_ARB_TXP));
    gv_arena_finish(&arena);
}

// ---- limits ----

// `text` as often as it takes, between a beginning and an end.
static enum gv_status many(const char *begin, const char *text, size_t count,
                           const char *end)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_arb_program program;
    size_t n = strlen(text), size = strlen(begin);
    char *all = malloc(size + n * count + strlen(end) + 1);
    if (!all)
        return GV_ERR_MEMORY;
    memcpy(all, begin, size);
    for (size_t i = 0; i < count; i++, size += n)
        memcpy(all + size, text, n);
    strcpy(all + size, end);
    gv_arb_translate(all, strlen(all), &arena, &program, &err);
    free(all);
    gv_arena_finish(&arena);
    return err.status;
}

static void test_limits(void)
{
    const char *add = "ADD a, a, 1;\n", *env = "PARAM p", *open = "PARAM p[] = { 1";
    CHECK(many(VP "TEMP a;\n", add, 16384, "END") == GV_OK);
    CHECK(many(VP "TEMP a;\n", add, 16385, "END") == GV_ERR_LIMIT);
    CHECK(many(VP "TEMP a", ",", 1, "b; END") == GV_OK);
    CHECK(many(VP, open, 1, "}; END") == GV_OK);
    CHECK(many(VP "PARAM p[] = { 1", ", program.local[0..4094]", 1, "}; END") == GV_OK);
    CHECK(many(VP "PARAM p[] = { 1", ", program.local[0..4095]", 1, "}; END") ==
          GV_ERR_LIMIT);
    CHECK(many(VP "ATTRIB a = vertex.position;", " ", GV_ARB_MAX_BYTES, "END") ==
          GV_ERR_LIMIT);
    CHECK(many(VP, env, 20000, "END") == GV_ERR_FORMAT);
}

int main(void)
{
    test_refused();
    test_uses();
    test_uses_fragment();
    test_limits();
    return TEST_RESULT();
}
