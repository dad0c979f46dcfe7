#include "compiler/shader/glsl/upgrade.h"

#include "compiler/shader/glsl/glsl_blame.h"
#include "compiler/shader/glsl/glsl_defaults.h"
#include "compiler/shader/glsl/glsl_join.h"
#include "compiler/shader/glsl/glsl_opaque.h"
#include "compiler/shader/glsl/text/glsl_limits.h"
#include "compiler/shader/glsl/text/glsl_preprocess.h"
#include "compiler/shader/glsl/text/glsl_structures.h"
#include "compiler/shader/glsl/upgrade_arrays.h"
#include "compiler/shader/glsl/upgrade_captures.h"
#include "compiler/shader/glsl/upgrade_control.h"
#include "compiler/shader/glsl/upgrade_parts.h"
#include "compiler/shader/glsl/upgrade_program.h"
#include "compiler/shader/glsl/upgrade_unwritten.h"
#include "resources/base/bytes.h"

#include <string.h>

// ---- reading an object ----

// The first versions with a stage.
static bool check_stage(const struct glsl_unit *u)
{
    static const struct {
        uint32_t stages;
        int desktop, es;
    } first[] = {
        { GV_STAGE_GEOMETRY | GV_STAGE_TESSELLATION_CONTROL |
              GV_STAGE_TESSELLATION_EVALUATION,
          150, 310 },
        { GV_STAGE_COMPUTE, 110, 310 }, // by an extension
    };
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if ((first[i].stages & u->stage->stage) &&
            u->dialect.version < (u->dialect.es ? first[i].es : first[i].desktop))
            return gv_fail(u->err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "glsl: version %d has no such stage", u->dialect.version);
    return true;
}

static bool preprocess(struct glsl_unit *u, const char *text)
{
    struct glsl_source source;
    if (!glsl_preprocess(text, &u->dialect, u->arena, &source, u->err))
        return false;
    u->extensions = source.extensions;
    u->asked = source.asked;
    const char *preprocessed = source.text;
    const bool nests = !u->dialect.es && u->dialect.version == 110;
    return (!nests || glsl_hoist_structures(&preprocessed, u->arena, u->err)) &&
           glsl_lower_subroutines(u, &preprocessed) &&
           glsl_tokenize(preprocessed, u->arena, &u->code, u->err) &&
           glsl_check_code(&u->code, u->err);
}

static bool read_unit(struct glsl_unit *u, const char *text)
{
    if (strlen(text) > GV_MAX_GLSL_BYTES)
        return gv_fail(u->err, GV_ERR_LIMIT, GV_NO_OFFSET, "glsl text over %u bytes",
                       GV_MAX_GLSL_BYTES);
    return gv_glsl_dialect(text, u->stage->options->es, &u->dialect, u->err) &&
           check_stage(u) && preprocess(u, text) && glsl_upgrade_statements(u) &&
           glsl_flatten_opaque(u) && glsl_choose_buffers(u) && glsl_upgrade_names(u) &&
           glsl_take_values(u) && glsl_evaluate_values(u);
}

// ---- writing a stage ----

// Names that change where main is wrapped: `main` itself, EmitVertex.
static const char *wrapped_name(const struct glsl_unit *u, const struct glsl_token *t)
{
    if (t->kind != GLSL_IDENTIFIER)
        return NULL;
    if (u->stage->stage == GV_STAGE_GEOMETRY)
        return glsl_token_is(t, "EmitVertex")         ? "gv_Finish"
               : glsl_token_is(t, "EmitStreamVertex") ? "gv_FinishStream"
                                                      : NULL;
    return glsl_token_is(t, "main") ? "gv_main" : NULL;
}

static void write_unit(const struct glsl_unit *u, bool wrap, struct gv_bytes *out)
{
    for (size_t i = 0; i < u->code.count; i++) {
        const struct glsl_token *t = &u->code.tokens[i];
        const char *from = wrap ? wrapped_name(u, t) : NULL;
        if (!from)
            from = t->replacement;
        gv_bytes_put(out, from ? from : t->text, from ? strlen(from) : t->size);
    }
}

static bool check_wrapping(const struct glsl_stage *s, struct gv_error *err)
{
    struct gv_bytes scratch = { 0 };
    const bool ok = s->stage != GV_STAGE_FRAGMENT || !s->options->blend ||
                    glsl_first_output(s, &scratch);
    gv_bytes_finish(&scratch);
    return ok || gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                         "unsupported: glsl blending without an output of four "
                         "floats");
}

// What ES says in front of its first line, where Vulkan says high.
static void write_precisions(const struct glsl_stage *s, const struct glsl_unit *units,
                             size_t count, struct gv_bytes *out)
{
    size_t i = 0;
    while (i < count && (units[i].stage != s || !units[i].dialect.es))
        i++;
    if (i < count)
        gv_bytes_printf(out, "precision lowp sampler2D;\n"
                             "precision lowp samplerCube;\n");
}

// GL leaves open who votes with whom. Not every device lets vertices: there each votes
// alone.
static void write_subgroups(const struct glsl_stage *s, struct gv_bytes *out)
{
    if (s->stage == GV_STAGE_FRAGMENT || s->stage == GV_STAGE_COMPUTE)
        gv_bytes_printf(out, "#extension GL_KHR_shader_subgroup_vote : require\n"
                             "#extension GL_KHR_shader_subgroup_ballot : require\n"
                             "#extension GL_KHR_shader_subgroup_shuffle : require\n"
                             "#extension GL_ARB_gpu_shader_int64 : require\n");
    else
        gv_bytes_printf(out, "#define subgroupAny(vote) (vote)\n"
                             "#define subgroupAll(vote) (vote)\n"
                             "#define subgroupAllEqual(vote) true\n");
}

// `units` of one stage, those of others among them.
static bool write_stage(const struct glsl_stage *s, const struct glsl_unit *units,
                        size_t count, const char **out, struct gv_error *err)
{
    struct gv_bytes text = { 0 };
    bool wrap = glsl_wraps_main(s);
    struct gv_arena *arena = NULL;
    if (!check_wrapping(s, err))
        return false;
    gv_bytes_printf(&text, "#version 460\n");
    for (size_t i = 0; i < count; i++)
        if (units[i].stage == s)
            gv_bytes_printf(&text, "%s", units[i].extensions);
    if (s->subgroups)
        write_subgroups(s, &text);
    if (s->zeros)
        gv_bytes_printf(&text, "#extension GL_EXT_null_initializer : require\n");
    write_precisions(s, units, count, &text);
    if (s->places && s->stage != GV_STAGE_GEOMETRY)
        gv_bytes_printf(&text, "#extension GL_ARB_shader_viewport_layer_array : "
                               "require\n");
    glsl_write_prelude(s, &text);
    for (size_t i = 0; i < count; i++) {
        if (units[i].stage != s)
            continue;
        arena = units[i].arena;
        gv_bytes_printf(&text, "\n#line 1 %zu\n", i);
        write_unit(&units[i], wrap, &text);
    }
    if (wrap)
        glsl_write_main(s, &text);
    *out = text.failed ? NULL : gv_arena_copy(arena, text.data, text.size);
    gv_bytes_finish(&text);
    return *out || gv_out_of_memory(err);
}

// ---- the stages of a program ----

static struct glsl_stage *stage_of(struct glsl_upgraded *p, uint32_t bit,
                                   const struct gv_upgrade_options *options)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->stages[i].stage == bit)
            return &p->stages[i];
    if (p->count == GV_MAX_GLSL_STAGES)
        return NULL;
    struct glsl_stage *s = &p->stages[p->count++];
    *s = (struct glsl_stage){ .stage = bit, .options = options };
    return s;
}

// What a fragment stage reads of planes that are off.
static void show_distances(struct glsl_stage *s, struct glsl_stage *before)
{
    const unsigned n = before->clip_distances;
    const uint32_t all = n < 32 ? (1u << n) - 1 : UINT32_MAX;
    if (s->stage != GV_STAGE_FRAGMENT || !s->clip_read || !n ||
        s->options->target == GV_GLSL_TARGET_AS_IS ||
        (s->options->clip_planes & all) == all)
        return;
    s->clip_shown = before->clip_shown = n > s->clip_distances ? n : s->clip_distances;
}

// What a stage declares for the sake of another one, and for its variant's.
static void relate(struct glsl_upgraded *p)
{
    static const uint32_t order[] = { GV_STAGE_VERTEX, GV_STAGE_TESSELLATION_CONTROL,
                                      GV_STAGE_TESSELLATION_EVALUATION,
                                      GV_STAGE_GEOMETRY, GV_STAGE_FRAGMENT };
    struct glsl_stage *before = NULL;
    unsigned coords = 0;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t i = 0; i < p->count; i++) {
            struct glsl_stage *s = &p->stages[i];
            if (s->stage != order[k])
                continue;
            s->before = before;
            if (before) {
                before->last_vertex = s->stage == GV_STAGE_FRAGMENT;
                show_distances(s, before);
            }
            s->last_vertex = s->stage != GV_STAGE_FRAGMENT;
            coords = s->tex_coords > coords ? s->tex_coords : coords;
            before = s;
        }
    for (size_t i = 0; i < p->count; i++) {
        struct glsl_stage *s = &p->stages[i];
        s->tex_coords = s->tex_coords ? coords : 0;
        if (s->last_vertex && s->options->clip_planes && !s->clip_distances)
            s->variables[s->clip_vertex ? GLSL_VARIABLE_CLIP_PLANE
                                        : GLSL_VARIABLE_USER_PLANE] = true;
        if (s->last_vertex && s->options->state_size)
            s->variables[GLSL_VARIABLE_STATE_SIZE] = true;
        if (s->last_vertex && glsl_needs_grid(s))
            s->variables[s->viewports ? GLSL_VARIABLE_VIEWPORT_GRIDS
                                      : GLSL_VARIABLE_POINT_GRID] = true;
        if (s->stage == GV_STAGE_FRAGMENT && s->options->alpha_test)
            s->variables[GLSL_VARIABLE_ALPHA_REFERENCE] = true;
        if (s->stage == GV_STAGE_FRAGMENT && s->options->polygon_stipple)
            s->variables[GLSL_VARIABLE_STIPPLE_PATTERN] =
                s->variables[GLSL_VARIABLE_STIPPLE_HEIGHT] = true;
    }
}

bool glsl_upgrade_program(const struct gv_glsl_text *texts, size_t count,
                          const struct gv_upgrade_options *options,
                          struct gv_arena *arena, struct glsl_upgraded *out,
                          struct gv_error *err)
{
    *out = (struct glsl_upgraded){ .count = 0 };
    if (count < 1 || count > GLSL_MAX_OBJECTS)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "a program of %zu objects",
                       count);
    struct glsl_unit *units = gv_arena_array(arena, count, sizeof *units);
    if (!units)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count; i++) {
        units[i].stage = stage_of(out, texts[i].stage, options);
        units[i].arena = arena;
        units[i].err = err;
        if (!units[i].stage)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "too many stages");
        if (!read_unit(&units[i], texts[i].text))
            return false;
    }
    out->units = units;
    out->unit_count = count;
    if (!glsl_part_names(out, options->parts, arena, err))
        return false;
    if (!glsl_size_arrays(out, arena, err) || !glsl_zero_unwritten(out, arena, err))
        return false;
    if (!glsl_add_control(out, arena, err))
        return false;
    relate(out);
    if (!glsl_find_captures(out, arena, err))
        return false;
    if (!glsl_join(out, arena, err))
        return glsl_blame(texts, count, err);
    for (size_t i = 0; i < out->count; i++)
        if (out->stages[i].whole_text)
            out->texts[i] = out->stages[i].whole_text;
        else if (!write_stage(&out->stages[i], units, count, &out->texts[i], err))
            return false;
    return true;
}

bool gv_glsl_upgrade(const struct gv_glsl_text *text,
                     const struct gv_upgrade_options *options, struct gv_arena *arena,
                     const char **out, struct gv_error *err)
{
    static const struct gv_upgrade_options plain;
    struct gv_error own = GV_ERROR_INIT;
    struct glsl_upgraded *program = gv_arena_alloc(arena, sizeof *program);
    if (!program)
        return gv_out_of_memory(err);
    if (!glsl_upgrade_program(text, 1, options ? options : &plain, arena, program,
                              err ? err : &own))
        return false;
    *out = program->texts[0];
    return true;
}
