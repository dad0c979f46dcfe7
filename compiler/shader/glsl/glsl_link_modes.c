// What geometry and tessellation stages take and make, as their modules say it, whether
// fragments have flat inputs, and whether vertices lie where the fixed function has
// them.
#include "compiler/shader/glsl/glsl_linker.h"
#include "vm/spirv/spirv_words.h"

static void of_geometry(uint32_t mode, struct gv_glsl_reshaping *out)
{
    switch (mode) {
    case SpvExecutionModeInputPoints:
        out->vertices = 1;
        break;
    case SpvExecutionModeInputLines:
        out->vertices = 2;
        break;
    case SpvExecutionModeInputLinesAdjacency:
        out->vertices = 4;
        break;
    case SpvExecutionModeTriangles:
        out->vertices = 3;
        break;
    case SpvExecutionModeInputTrianglesAdjacency:
        out->vertices = 6;
        break;
    case SpvExecutionModeOutputPoints:
        out->made = 1;
        break;
    case SpvExecutionModeOutputLineStrip:
        out->made = 2;
        break;
    default:
        break;
    }
}

static void of_evaluation(uint32_t mode, struct gv_glsl_reshaping *out)
{
    if (mode == SpvExecutionModePointMode)
        out->made = 1;
    if (mode == SpvExecutionModeIsolines && out->made != 1)
        out->made = 2;
}

typedef void mode_reader(uint32_t mode, struct gv_glsl_reshaping *out);

static void read_modes(const struct gv_shader_stage *s, mode_reader *read,
                       struct gv_glsl_reshaping *out)
{
    out->made = 3;
    for (size_t i = GV_SPIRV_HEADER_WORDS; i < s->word_count;) {
        const uint32_t count = gv_spirv_length(s->words + i);
        const uint32_t op = gv_spirv_op(s->words + i);
        if (!count || count > s->word_count - i || op == SpvOpFunction)
            return;
        if (op == SpvOpExecutionMode && count >= 3)
            read(s->words[i + 2], out);
        i += count;
    }
}

// Whether fragments take something of one vertex of their primitive.
static bool has_flat_inputs(const struct gv_shader_stage *s)
{
    for (size_t i = GV_SPIRV_HEADER_WORDS; i < s->word_count;) {
        const uint32_t count = gv_spirv_length(s->words + i);
        const uint32_t op = gv_spirv_op(s->words + i);
        if (!count || count > s->word_count - i || op == SpvOpFunction)
            return false;
        if (op == SpvOpDecorate && count >= 3 && s->words[i + 2] == SpvDecorationFlat)
            return true;
        i += count;
    }
    return false;
}

void glsl_read_modes(struct gv_glsl_program *p)
{
    const struct gv_shader_stage *geometry = NULL;
    for (size_t i = 0; i < p->count; i++) {
        if (p->stages[i].stage == GV_STAGE_GEOMETRY)
            geometry = &p->stages[i];
        if (p->stages[i].stage == GV_STAGE_FRAGMENT)
            p->flat = has_flat_inputs(&p->stages[i]);
        if (p->stages[i].stage != GV_STAGE_TESSELLATION_EVALUATION)
            continue;
        p->reshaping.patches = true;
        read_modes(&p->stages[i], of_evaluation, &p->reshaping);
    }
    if (geometry) // it comes behind the other one
        read_modes(geometry, of_geometry, &p->reshaping);
}

#define PLACE_TOKENS 4u

// Whether the tokens behind `i` are these, up to a NULL.
static bool follow(const struct glsl_tokens *t, size_t i,
                   const char *const wanted[PLACE_TOKENS])
{
    for (size_t k = 0; k < PLACE_TOKENS && wanted[k]; k++) {
        i = glsl_next(t, i);
        if (i >= t->count || !glsl_token_is(&t->tokens[i], wanted[k]))
            return false;
    }
    return true;
}

static bool is_fixed_place(const struct glsl_tokens *t, size_t i)
{
    static const char *const places[][PLACE_TOKENS] = {
        { "ftransform", "(", ")", ";" },
        { "gl_ModelViewProjectionMatrix", "*", "gl_Vertex", ";" },
    };
    i = glsl_next(t, i);
    if (i >= t->count || !glsl_token_is(&t->tokens[i], "="))
        return false;
    return follow(t, i, places[0]) || follow(t, i, places[1]);
}

bool glsl_places_as_fixed(const struct glsl_upgraded *upgraded)
{
    size_t places = 0;
    for (size_t i = 0; i < upgraded->unit_count; i++) {
        const struct glsl_unit *u = &upgraded->units[i];
        if (u->stage->stage != GV_STAGE_VERTEX)
            continue;
        for (size_t k = 0; k < u->code.count; k++) {
            if (!glsl_token_is(&u->code.tokens[k], "gl_Position"))
                continue;
            if (places++ || !is_fixed_place(&u->code, k))
                return false;
        }
    }
    return places == 1;
}
