// What geometry and tessellation shaders take and make, as their modules say it.
#include "compiler/gl/program/program_object.h"
#include "vm/spirv/spirv_words.h"

static void of_geometry(uint32_t mode, struct gv_gl_reshaping *out)
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
        out->drawn = GV_GL_CLASS_POINTS;
        break;
    case SpvExecutionModeOutputLineStrip:
        out->drawn = GV_GL_CLASS_LINES;
        break;
    default:
        break;
    }
}

static void of_evaluation(uint32_t mode, struct gv_gl_reshaping *out)
{
    if (mode == SpvExecutionModePointMode)
        out->drawn = GV_GL_CLASS_POINTS;
    if (mode == SpvExecutionModeIsolines && out->drawn != GV_GL_CLASS_POINTS)
        out->drawn = GV_GL_CLASS_LINES;
}

typedef void mode_reader(uint32_t mode, struct gv_gl_reshaping *out);

static void read_modes(const struct gv_shader_stage *s, mode_reader *read,
                       struct gv_gl_reshaping *out)
{
    out->outputs = true;
    out->drawn = GV_GL_CLASS_TRIANGLES;
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

void gv_gl_find_reshaping(const struct gv_glsl_program *p, struct gv_gl_reshaping *out)
{
    const struct gv_shader_stage *geometry = NULL;
    *out = (struct gv_gl_reshaping){ 0 };
    for (size_t i = 0; i < p->count; i++) {
        if (p->stages[i].stage == GV_STAGE_GEOMETRY)
            geometry = &p->stages[i];
        if (p->stages[i].stage != GV_STAGE_TESSELLATION_EVALUATION)
            continue;
        out->patches = true;
        read_modes(&p->stages[i], of_evaluation, out);
    }
    if (geometry) // it comes behind the other one
        read_modes(geometry, of_geometry, out);
}

bool gv_gl_program_reshaping(struct gv_gl *gl, struct gv_gl_reshaping *out,
                             struct gv_error *err)
{
    struct gv_gl_program *p = gl->context->program;
    *out = (struct gv_gl_reshaping){ 0 };
    if (!p)
        return true;
    if (!gv_gl_link_now(gl, p, err))
        return false;
    const struct gv_gl_variant *v =
        p->executable && p->executable->status == GV_GL_LINKED ? p->executable->variants
                                                               : NULL;
    while (v && v->compiled->failed)
        v = v->next;
    if (v)
        *out = v->compiled->reshaping;
    return true;
}
