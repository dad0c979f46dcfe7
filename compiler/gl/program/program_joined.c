// Stages of several programs as one: what draws run of a program pipeline. Their texts
// are linked together; uniforms stay those of the programs that the stages are of.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/program/program_joined.h"

#define STAGES 5u // that draws have; the sixth computes

static const uint32_t bits[STAGES] = { GV_STAGE_VERTEX, GV_STAGE_TESSELLATION_CONTROL,
                                       GV_STAGE_TESSELLATION_EVALUATION,
                                       GV_STAGE_GEOMETRY, GV_STAGE_FRAGMENT };

static uint32_t stages_of(const struct gv_gl_program *p)
{
    const struct gv_gl_executable *x = p ? p->executable : NULL;
    uint32_t out = 0;
    for (uint32_t i = 0; x && x->status == GV_GL_LINKED && i < x->text_count; i++)
        out |= x->stages[i];
    return out;
}

// ---- what may draw together (OpenGL 4.6, section 11.1.3.11) ----

// Whether a stage of another program stands between two of one.
static bool interleaved(const struct gv_gl_joined *j)
{
    for (uint32_t first = 0; first < STAGES; first++)
        for (uint32_t last = first + 1; last < STAGES; last++)
            for (uint32_t i = first + 1;
                 i < last && j->stages[first] && j->stages[first] == j->stages[last];
                 i++)
                if (stages_of(j->stages[i]) & bits[i] &&
                    j->stages[i] != j->stages[first])
                    return true;
    return false;
}

static bool is_refused(const struct gv_gl_joined *j)
{
    uint32_t active = 0;
    for (uint32_t i = 0; i < STAGES; i++)
        active |= stages_of(j->stages[i]) & bits[i];
    if (active & (GV_STAGE_TESSELLATION_CONTROL | GV_STAGE_TESSELLATION_EVALUATION |
                  GV_STAGE_GEOMETRY) &&
        !(active & GV_STAGE_VERTEX))
        return true;
    for (uint32_t i = 0; i < STAGES; i++) {
        const struct gv_gl_program *p = j->stages[i];
        if (!(stages_of(p) & bits[i]))
            continue;
        if (!p->executable->separable)
            return true;
        for (uint32_t k = 0; k < STAGES; k++) // all of its stages, or none
            if (stages_of(p) & bits[k] && j->stages[k] != p)
                return true;
    }
    return interleaved(j);
}

// ---- joining ----

static bool is_current(const struct gv_gl_program *p)
{
    const struct gv_gl_joined *j = p->joined;
    for (uint32_t i = 0; i < STAGES; i++) {
        const struct gv_gl_executable *x =
            j->stages[i] ? j->stages[i]->executable : NULL;
        if (j->serials[i] != (x ? x->serial : 0))
            return false;
    }
    return p->executable;
}

static uint32_t part_of(struct gv_gl_joined *j, struct gv_gl_program *p)
{
    for (uint32_t i = 0; i < j->part_count; i++)
        if (j->parts[i] == p)
            return i;
    j->parts[j->part_count] = p;
    return j->part_count++;
}

static void take_stage(struct gv_gl_joined *j, uint32_t stage,
                       struct gv_gl_executable *x)
{
    struct gv_gl_program *p = j->stages[stage];
    const struct gv_gl_executable *from = p ? p->executable : NULL;
    j->serials[stage] = from ? from->serial : 0;
    if (!from || !(stages_of(p) & bits[stage]))
        return;
    const uint32_t part = part_of(j, p);
    for (uint32_t i = 0; i < from->text_count; i++)
        if (from->stages[i] == bits[stage])
            gv_gl_executable_take(x, from->texts[i], bits[stage], part);
    x->es = from->es;
    x->passed = from->passed;
}

// What was bound before the links of the stages that it is about.
static bool take_bindings(const struct gv_gl_joined *j, struct gv_gl_executable *x)
{
    const struct gv_gl_program *vertex = j->stages[0],
                               *fragment = j->stages[STAGES - 1];
    const struct gv_gl_program *last = NULL;
    for (uint32_t i = 0; i < STAGES - 1; i++)
        last = stages_of(j->stages[i]) & bits[i] ? j->stages[i] : last;
    return (!stages_of(vertex) ||
            gv_gl_numbers_copy(&x->attributes, &vertex->executable->attributes)) &&
           (!stages_of(fragment) ||
            gv_gl_numbers_copy(&x->outputs, &fragment->executable->outputs)) &&
           (!last || gv_gl_varyings_copy(&x->varyings, &last->executable->varyings));
}

bool gv_gl_join_stages(struct gv_gl *gl, struct gv_gl_program *p, struct gv_error *err)
{
    struct gv_gl_joined *j = p->joined;
    for (uint32_t i = 0; j && i < STAGES; i++)
        if (j->stages[i] && !gv_gl_link_now(gl, j->stages[i], err))
            return false;
    if (!j || is_current(p))
        return true;
    struct gv_gl_executable *x = calloc(1, sizeof *x);
    if (x)
        x->parts = calloc(GV_GL_MAX_ATTACHED, sizeof *x->parts);
    if (!x || !x->parts) {
        gv_gl_executable_free(x);
        return gv_out_of_memory(err);
    }
    j->part_count = 0;
    j->refused = is_refused(j);
    for (uint32_t i = 0; i < STAGES; i++)
        take_stage(j, i, x);
    x->separable = true;
    x->impossible = j->refused || !x->text_count;
    x->serial = ++gl->sink.serials;
    gv_gl_executable_free(p->executable);
    p->executable = x;
    return take_bindings(j, x) ? gv_gl_executable_read(&gl->sink.work, x, err)
                               : gv_out_of_memory(err);
}

// ---- whose it is ----

// The part that a name says (upgrade_parts.h), and the name behind; NULL: none.
static const struct gv_gl_program *part_said(const struct gv_gl_joined *j,
                                             const char **name)
{
    static const char prefix[] = "gv";
    char *end;
    if (strncmp(*name, prefix, sizeof prefix - 1) != 0)
        return NULL;
    const unsigned long part = strtoul(*name + sizeof prefix - 1, &end, 10);
    if (*end != '_' || part == 0 || part >= j->part_count)
        return NULL;
    *name = end + 1;
    return j->parts[part];
}

static bool has_block(const struct gv_gl_program *p, const char *name)
{
    const struct gv_gl_variant *v = p->executable->variants;
    const struct gv_glsl_reflection *r = &v->compiled->program.reflection;
    for (size_t i = 0; i < r->block_count; i++)
        if (!strcmp(r->blocks[i].name, name))
            return true;
    return false;
}

const struct gv_gl_program *gv_gl_owner_of_uniform(const struct gv_gl_program *p,
                                                   const char **name)
{
    const struct gv_gl_joined *j = p->joined;
    const struct gv_gl_program *said = j ? part_said(j, name) : p;
    uint32_t element;
    for (uint32_t i = 0; !said && i < j->part_count; i++)
        if (gv_gl_uniform_named(j->parts[i]->executable, *name, &element))
            said = j->parts[i];
    return said;
}

const struct gv_gl_program *gv_gl_owner_of_block(const struct gv_gl_program *p,
                                                 const char **name)
{
    const struct gv_gl_joined *j = p->joined;
    const struct gv_gl_program *said = j ? part_said(j, name) : p;
    for (uint32_t i = 0; !said && i < j->part_count; i++)
        if (has_block(j->parts[i], *name))
            said = j->parts[i];
    return said ? said : p;
}
