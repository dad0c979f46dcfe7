// Varyings of a linked program: what a stage reads has the location of what the stage
// before writes under that name, or under that location of the text's own.
#include "compiler/shader/glsl/glsl_linker.h"
#include "compiler/shader/glsl/glsl_reflect_internal.h"
#include "compiler/shader/glsl/upgrade_control.h"
#include "compiler/shader/spirv/spirv_types.h"

#include <stdlib.h>
#include <string.h>

// Stages in pipeline order; each reads what the nearest one before it writes.
static const uint32_t pipeline_order[] = { GV_STAGE_VERTEX,
                                           GV_STAGE_TESSELLATION_CONTROL,
                                           GV_STAGE_TESSELLATION_EVALUATION,
                                           GV_STAGE_GEOMETRY, GV_STAGE_FRAGMENT };

// ---- by the program ----

// What of `from` a variable of the stage behind means. Locations of texts count where
// both have one.
static struct gv_spirv_variable *find_output(struct glsl_linked_stage *from,
                                             const struct glsl_linked_stage *to,
                                             const struct gv_spirv_variable *in)
{
    const char *name = glsl_link_name(in);
    int location = glsl_text_location(to, in);
    if (!strncmp(name, GLSL_PASSED, sizeof GLSL_PASSED - 1))
        name += sizeof GLSL_PASSED - 1;
    for (size_t k = 0; k < from->module.variable_count; k++) {
        struct gv_spirv_variable *v = &from->module.variables[k];
        int other = glsl_text_location(from, v);
        bool same = location >= 0 && other >= 0 ? location == other
                                                : !strcmp(glsl_link_name(v), name);
        if (glsl_on_interface(v, SpvStorageClassOutput) && same)
            return v;
    }
    return NULL;
}

// Outputs at one location of the text share ours: they hold different components.
static const struct gv_spirv_variable *same_place(const struct glsl_linked_stage *s,
                                                  size_t i)
{
    int location = glsl_text_location(s, &s->module.variables[i]);
    for (size_t k = 0; k < i && location >= 0; k++)
        if (glsl_on_interface(&s->module.variables[k], SpvStorageClassOutput) &&
            glsl_text_location(s, &s->module.variables[k]) == location)
            return &s->module.variables[k];
    return NULL;
}

static bool place_one(struct glsl_linker *l, struct glsl_linked_stage *from, size_t i,
                      uint32_t *next)
{
    struct gv_spirv_variable *v = &from->module.variables[i];
    const struct gv_spirv_variable *same = same_place(from, i);
    if (same) {
        glsl_set_location(from, v, same->location);
        return true;
    }
    // An element of an array is somewhere.
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    if (v->location_count > GV_MAX_INTERFACE_LOCATIONS - *next)
        return glsl_out_of_locations(l, v);
    glsl_set_location(from, v, *next);
    *next += v->location_count;
    return true;
}

// What outputs take one behind the other.
static uint32_t locations_of(const struct glsl_linked_stage *from)
{
    uint32_t count = 0;
    for (size_t i = 0; i < from->module.variable_count; i++) {
        const struct gv_spirv_variable *v = &from->module.variables[i];
        if (glsl_on_interface(v, SpvStorageClassOutput) && !same_place(from, i))
            count += v->location_count;
    }
    return count;
}

// ---- packed ----

// Scalars and vectors of 32 bits, of up to three components, share locations where all
// at once would not have enough; those of one are alike in type and interpolation.
struct piece {
    size_t variable;
    uint32_t components, kind;
};

static uint32_t interpolation(const struct gv_spirv_types *t, uint32_t id)
{
    static const SpvDecoration marks[] = { SpvDecorationFlat,
                                           SpvDecorationNoPerspective,
                                           SpvDecorationCentroid, SpvDecorationSample,
                                           SpvDecorationPatch };
    uint32_t kind = 0;
    for (uint32_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (gv_spirv_mark(t, id, marks[i]) != GV_SPIRV_UNSET)
            kind |= 1u << i;
    return kind;
}

// Components of a scalar or vector of 32 bits, 0: it is none. `*kind`: of its numbers.
static uint32_t components_of(const struct gv_spirv_types *t,
                              const struct gv_spirv_variable *v, uint32_t *kind)
{
    const uint32_t *type = gv_spirv_type(t, glsl_pointee(t, v->id));
    const bool vector = gv_spirv_op(type) == SpvOpTypeVector;
    const uint32_t count = vector ? type[3] : 1;
    if (vector)
        type = gv_spirv_type(t, type[2]);
    const uint32_t op = gv_spirv_op(type);
    if ((op != SpvOpTypeFloat && op != SpvOpTypeInt) || type[2] != 32)
        return 0;
    *kind = op == SpvOpTypeFloat ? 0 : 32u << type[3];
    return count;
}

static int largest_first(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    const uint32_t l = y->components, r = x->components;
    return l != r ? (l > r) - (l < r)
                  : (x->variable > y->variable) - (x->variable < y->variable);
}

// `pieces` go into locations from `*next` on.
static bool pack(struct glsl_linker *l, struct glsl_linked_stage *from,
                 const struct piece *pieces, size_t count, uint32_t *next)
{
    struct {
        uint32_t kind, used;
    } bins[GV_MAX_INTERFACE_LOCATIONS] = { { 0, 0 } };
    const uint32_t first = *next;
    for (size_t i = 0; i < count; i++) {
        struct gv_spirv_variable *v = &from->module.variables[pieces[i].variable];
        uint32_t at = first;
        while (at < *next && (bins[at].kind != pieces[i].kind ||
                              bins[at].used + pieces[i].components > 4))
            at++;
        if (at == GV_MAX_INTERFACE_LOCATIONS)
            return glsl_out_of_locations(l, v);
        if (at == *next) {
            bins[at].kind = pieces[i].kind;
            bins[at].used = 0;
            ++*next;
        }
        from->components[pieces[i].variable] = (uint8_t)bins[at].used;
        bins[at].used += pieces[i].components;
        glsl_set_location(from, v, at);
    }
    return true;
}

// How the stage behind interpolates it, or would.
static uint32_t kind_behind(const struct gv_spirv_types *own,
                            const struct gv_spirv_types *behind,
                            struct glsl_linked_stage *from,
                            const struct glsl_linked_stage *to,
                            const struct gv_spirv_variable *v)
{
    for (size_t i = 0; i < to->module.variable_count; i++) {
        const struct gv_spirv_variable *in = &to->module.variables[i];
        if (glsl_on_interface(in, SpvStorageClassInput) &&
            find_output(from, to, in) == v)
            return interpolation(behind, in->id);
    }
    return interpolation(own, v->id);
}

static bool place_packed(struct glsl_linker *l, struct glsl_linked_stage *from,
                         const struct glsl_linked_stage *to, uint32_t *next)
{
    struct gv_spirv_types own, behind;
    const size_t count = from->module.variable_count;
    struct piece *pieces = gv_arena_array(l->arena, count, sizeof *pieces);
    size_t piece_count = 0;
    from->components = gv_arena_array(l->arena, count, 1);
    if (!pieces || !from->components)
        return gv_out_of_memory(l->err);
    if (!gv_spirv_types_read(from->words, from->count, l->arena, &own, l->err) ||
        !gv_spirv_types_read(to->words, to->count, l->arena, &behind, l->err))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct gv_spirv_variable *v = &from->module.variables[i];
        uint32_t kind = 0;
        if (!glsl_on_interface(v, SpvStorageClassOutput))
            continue;
        const uint32_t components = components_of(&own, v, &kind);
        if (components && components < 4 && glsl_text_location(from, v) < 0) {
            kind |= kind_behind(&own, &behind, from, to, v);
            pieces[piece_count++] = (struct piece){ i, components, kind };
        } else if (!place_one(l, from, i, next)) {
            return false;
        }
    }
    if (piece_count)
        qsort(pieces, piece_count, sizeof *pieces, largest_first);
    return pack(l, from, pieces, piece_count, next);
}

static bool place_outputs(struct glsl_linker *l, struct glsl_linked_stage *from,
                          const struct glsl_linked_stage *to, uint32_t *next)
{
    if (locations_of(from) > GV_MAX_INTERFACE_LOCATIONS)
        return place_packed(l, from, to, next);
    for (size_t i = 0; i < from->module.variable_count; i++) {
        struct gv_spirv_variable *v = &from->module.variables[i];
        if (glsl_on_interface(v, SpvStorageClassOutput) && !place_one(l, from, i, next))
            return false;
    }
    return true;
}

// Inputs of a stage have components as the outputs of the one in front.
static bool share_components(struct glsl_linker *l,
                             const struct glsl_linked_stage *from,
                             struct glsl_linked_stage *to)
{
    if (!from->components)
        return true;
    to->read_components = gv_arena_array(l->arena, to->module.variable_count, 1);
    return to->read_components || gv_out_of_memory(l->err);
}

static bool not_written(struct glsl_linker *l, const struct gv_spirv_variable *in)
{
    return gv_fail(l->err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "glsl linking: '%.60s' is read, but the stage before does not "
                   "write it",
                   glsl_own_name(in->name));
}

// Whether a block of the stage before has a member there, which no variable means.
static bool is_member(const struct glsl_linked_stage *from, int location)
{
    for (size_t i = 0; i < from->text->note_count; i++)
        for (size_t k = 0; k < from->text->notes[i].placed_count; k++)
            if (location >= 0 && from->text->notes[i].placed[k] == location &&
                (from->text->notes[i].qualifiers & GLSL_OUT))
                return true;
    return false;
}

// Gives the outputs of `from` locations one behind the other, then its readers' inputs
// the same ones. Inputs that nobody writes go behind the last.
static bool link_pair(struct glsl_linker *l, struct glsl_linked_stage *from,
                      struct glsl_linked_stage *to)
{
    uint32_t next = 0;
    if (!place_outputs(l, from, to, &next) || !share_components(l, from, to))
        return false;
    for (size_t i = 0; i < to->module.variable_count; i++) {
        struct gv_spirv_variable *in = &to->module.variables[i];
        if (!glsl_on_interface(in, SpvStorageClassInput))
            continue;
        const struct gv_spirv_variable *v = find_output(from, to, in);
        if (!v && l->params->gl_rules && !l->params->separable && !*in->block_name &&
            glsl_text_location(to, in) < 0)
            return not_written(l, in);
        if (!v && !*in->block_name && is_member(from, glsl_text_location(to, in)))
            return gv_fail(l->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: glsl input '%.60s' at the location of a "
                           "block's member",
                           glsl_own_name(in->name));
        if (!v && in->location_count > GV_MAX_INTERFACE_LOCATIONS - next)
            return glsl_out_of_locations(l, in);
        glsl_set_location(to, in, v ? v->location : next);
        if (v && from->components)
            to->read_components[i] = from->components[v - from->module.variables];
        next += v ? 0 : in->location_count;
    }
    return true;
}

// ---- by names alone ----

static int by_name(const void *a, const void *b)
{
    const struct gv_spirv_variable *const *x = a, *const *y = b;
    return strcmp(glsl_link_name(*x), glsl_link_name(*y));
}

// A built-in's place: the same in every stage that has it.
static int builtin_location(const struct gv_spirv_variable *v)
{
    for (uint32_t i = GLSL_VARIABLE_FRONT_COLOR; i <= GLSL_VARIABLE_TEX_COORD; i++)
        if (!strcmp(glsl_own_name(glsl_link_name(v)), glsl_variables[i].name))
            return i == GLSL_VARIABLE_TEX_COORD
                       ? (int)GV_GLSL_COORD_LOCATION
                       : (int)(GV_GLSL_COLOR_LOCATION + i - GLSL_VARIABLE_FRONT_COLOR);
    return -1;
}

static uint64_t bits(uint32_t first, uint32_t count)
{
    return first >= 64 ? 0 : ((count >= 64 ? 0 : UINT64_C(1) << count) - 1) << first;
}

static bool place_free(struct glsl_linker *l, struct glsl_linked_stage *s,
                       struct gv_spirv_variable *v, uint64_t *taken)
{
    for (uint32_t at = 0; at + v->location_count <= GV_MAX_INTERFACE_LOCATIONS; at++) {
        if (*taken & bits(at, v->location_count))
            continue;
        *taken |= bits(at, v->location_count);
        glsl_set_location(s, v, at);
        return true;
    }
    return glsl_out_of_locations(l, v);
}

// One side of a stage that is linked apart: locations of the text's own stay, others
// follow by name, so that stages with the same variables agree.
static bool place_apart(struct glsl_linker *l, struct glsl_linked_stage *s,
                        SpvStorageClass storage)
{
    struct gv_spirv_variable **open =
        gv_arena_array(l->arena, s->module.variable_count, sizeof(void *));
    size_t count = 0;
    uint64_t taken = 0;
    if (!open)
        return gv_out_of_memory(l->err);
    for (size_t i = 0; i < s->module.variable_count; i++) {
        struct gv_spirv_variable *v = &s->module.variables[i];
        if (!glsl_on_interface(v, storage))
            continue;
        int location = glsl_text_location(s, v), builtin = builtin_location(v);
        location = builtin >= 0 ? builtin : location;
        if (location >= (int)GV_MAX_INTERFACE_LOCATIONS)
            return glsl_out_of_locations(l, v);
        if (location < 0) {
            open[count++] = v;
            continue;
        }
        glsl_set_location(s, v, (uint32_t)location);
        taken |= bits((uint32_t)location, v->location_count);
    }
    if (count)
        // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
        qsort(open, count, sizeof *open, by_name);
    for (size_t i = 0; i < count; i++)
        if (!place_free(l, s, open[i], &taken))
            return false;
    return true;
}

static bool place_ends(struct glsl_linker *l, struct glsl_linked_stage *first,
                       struct glsl_linked_stage *last)
{
    if (first->bit != GV_STAGE_VERTEX && !place_apart(l, first, SpvStorageClassInput))
        return false;
    return last->bit == GV_STAGE_FRAGMENT ||
           place_apart(l, last, SpvStorageClassOutput);
}

bool glsl_link_varyings(struct glsl_linker *l)
{
    struct glsl_linked_stage *first = NULL, *before = NULL;
    for (size_t i = 0; i < sizeof pipeline_order / sizeof *pipeline_order; i++) {
        struct glsl_linked_stage *here = glsl_linked_stage(l, pipeline_order[i]);
        if (here && before && !link_pair(l, before, here))
            return false;
        before = here ? here : before;
        first = first ? first : here;
    }
    return !l->params->separable || !first || place_ends(l, first, before);
}
