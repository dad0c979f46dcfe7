// Where vertex attributes and fragment outputs of a linked program are: as the text or
// the API says, else as Mesa's linker would put them.
#include "compiler/shader/glsl/glsl_linker.h"
#include "compiler/shader/glsl/glsl_reflect_internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_OUTPUT_LOCATIONS 8u

static int by_location(const void *a, const void *b)
{
    const struct gv_glsl_attribute *x = a, *y = b;
    return (x->location > y->location) - (x->location < y->location);
}

// What the API binds a name to; NULL: nothing.
static const struct gv_glsl_attribute *find_bound(const struct gv_glsl_attribute *bound,
                                                  size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(bound[i].name, name))
            return &bound[i];
    return NULL;
}

static uint64_t bits(const struct gv_spirv_variable *v)
{
    uint64_t mask =
        v->location_count >= 64 ? UINT64_MAX : (UINT64_C(1) << v->location_count) - 1;
    return v->location >= 64 ? 0 : mask << v->location;
}

static bool legacy(const struct gv_spirv_variable *v)
{
    const char *own = glsl_own_name(v->name);
    return own != v->name && !strncmp(own, "gl_", 3);
}

// The lowest free locations below `end`.
static bool place(struct glsl_linked_stage *s, struct gv_spirv_variable *v,
                  uint64_t *taken, uint32_t end)
{
    for (uint32_t at = 0; at + v->location_count <= end; at++) {
        glsl_set_location(s, v, at);
        if (!(*taken & bits(v))) {
            *taken |= bits(v);
            return true;
        }
    }
    return false;
}

// Variables that nobody gave a location, the largest first, as Mesa does.
static bool place_open(struct glsl_linker *l, struct glsl_linked_stage *s,
                       SpvStorageClass storage, const bool *fixed, uint64_t taken)
{
    bool output = storage == SpvStorageClassOutput;
    uint64_t generic = taken;
    for (size_t i = 0; i < s->module.variable_count; i++) // position is attribute 0
        if (!output && !strcmp(s->module.variables[i].name, "gv_Vertex"))
            generic |= 1;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t size = GV_MAX_INTERFACE_LOCATIONS; size > 0; size--)
            for (size_t i = 0; i < s->module.variable_count; i++) {
                struct gv_spirv_variable *v = &s->module.variables[i];
                if (!glsl_on_interface(v, storage) || fixed[i] ||
                    v->location_count != size || legacy(v) != (pass == 1))
                    continue;
                uint32_t end = output ? MAX_OUTPUT_LOCATIONS : GV_MAX_VERTEX_ATTRIBUTES;
                bool ok = pass ? place(s, v, &taken, end) : place(s, v, &generic, end);
                if (!ok)
                    return glsl_out_of_locations(l, v);
                taken |= bits(v);
            }
    return true;
}

// Gives one side of a stage its locations; `bound` is what the API says.
static bool place_all(struct glsl_linker *l, struct glsl_linked_stage *s,
                      SpvStorageClass storage, const struct gv_glsl_attribute *bound,
                      size_t bound_count)
{
    bool *fixed = gv_arena_array(l->arena, s->module.variable_count, sizeof *fixed);
    uint64_t taken = 0;
    if (!fixed)
        return gv_out_of_memory(l->err);
    for (size_t i = 0; i < s->module.variable_count; i++) {
        struct gv_spirv_variable *v = &s->module.variables[i];
        if (!glsl_on_interface(v, storage))
            continue;
        const struct gv_glsl_attribute *to =
            find_bound(bound, bound_count, glsl_own_name(v->name));
        bool text = glsl_text_location(s, v) >= 0 ||
                    (legacy(v) && storage == SpvStorageClassOutput);
        if (to && !text)
            glsl_set_location(s, v, to->location);
        fixed[i] = to || text || !l->params->gl_rules;
        taken |= fixed[i] ? bits(v) : 0;
    }
    return place_open(l, s, storage, fixed, taken);
}

// ---- attributes ----

static const struct gv_spirv_wide *find_wide(const struct glsl_linked_stage *s,
                                             const struct gv_spirv_variable *v)
{
    for (size_t i = 0; i < s->wide_count; i++)
        if (s->wide[i].id == v->id)
            return &s->wide[i];
    return NULL;
}

// GL gives each column of doubles one location, whatever it takes here.
static bool number_all(struct glsl_linker *l, struct glsl_linked_stage *s)
{
    for (size_t i = 0; i < s->module.variable_count; i++) {
        struct gv_spirv_variable *v = &s->module.variables[i];
        const struct gv_spirv_wide *w = find_wide(s, v);
        if (w)
            v->location_count = w->columns;
    }
    return place_all(l, s, SpvStorageClassInput, l->params->attributes,
                     l->params->attribute_count);
}

// `again`: bit per attribute whose locations another one has too.
static bool list_attributes(struct glsl_linker *l, struct glsl_linked_stage *s,
                            uint64_t *taken, uint64_t *again)
{
    struct gv_glsl_program *out = l->out;
    for (size_t i = 0; i < s->module.variable_count; i++) {
        const struct gv_spirv_variable *v = &s->module.variables[i];
        const struct gv_spirv_wide *w = find_wide(s, v);
        if (!glsl_on_interface(v, SpvStorageClassInput))
            continue;
        if (v->location >= GV_MAX_VERTEX_ATTRIBUTES ||
            v->location_count > GV_MAX_VERTEX_ATTRIBUTES - v->location)
            return glsl_out_of_locations(l, v);
        if (out->attribute_count == 64)
            return glsl_out_of_locations(l, v);
        if (!w && *taken & bits(v))
            *again |= UINT64_C(1) << out->attribute_count;
        out->attributes[out->attribute_count++] =
            (struct gv_glsl_attribute){ .name = glsl_own_name(v->name),
                                        .location = v->location,
                                        .id = v->id,
                                        .number = v->location,
                                        .in_column = w ? w->in_column : 0 };
        *taken |= w ? 0 : bits(v);
    }
    return true;
}

// What is of doubles goes where the others leave room, and what GL lets share the
// number of another attribute, of which a draw reads one at most.
static bool place_apart(struct glsl_linker *l, struct glsl_linked_stage *s,
                        uint64_t taken, uint64_t again)
{
    struct gv_glsl_program *out = l->out;
    for (size_t i = 0; i < out->attribute_count; i++)
        for (size_t k = 0; k < s->module.variable_count; k++) {
            struct gv_glsl_attribute *a = &out->attributes[i];
            struct gv_spirv_variable *v = &s->module.variables[k];
            if (!(a->in_column || again >> i & 1) || v->id != a->id)
                continue;
            v->location_count *= a->in_column ? a->in_column : 1;
            if (!place(s, v, &taken, GV_MAX_VERTEX_ATTRIBUTES))
                return glsl_out_of_locations(l, v);
            a->location = v->location;
        }
    return true;
}

bool glsl_link_attributes(struct glsl_linker *l)
{
    struct glsl_linked_stage *s = glsl_linked_stage(l, GV_STAGE_VERTEX);
    struct gv_glsl_program *out = l->out;
    uint64_t taken = 0, again = 0;
    if (!s)
        return true;
    if (!number_all(l, s))
        return false;
    out->attributes =
        gv_arena_array(l->arena, s->module.variable_count, sizeof *out->attributes);
    if (!out->attributes)
        return gv_out_of_memory(l->err);
    if (!list_attributes(l, s, &taken, &again) || !place_apart(l, s, taken, again))
        return false;
    if (out->attribute_count)
        qsort(out->attributes, out->attribute_count, sizeof *out->attributes,
              by_location);
    return true;
}

bool glsl_link_outputs(struct glsl_linker *l)
{
    struct glsl_linked_stage *s = glsl_linked_stage(l, GV_STAGE_FRAGMENT);
    return !s || !l->params->gl_rules ||
           place_all(l, s, SpvStorageClassOutput, l->params->outputs,
                     l->params->output_count);
}
