#include "compiler/shader/glsl/glsl_reflect.h"

#include "compiler/shader/glsl/glsl_opaque.h"
#include "compiler/shader/glsl/glsl_reflect_internal.h"
#include "resources/base/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- types ----

static bool scalar_type(const uint32_t *w, enum gv_glsl_scalar *out)
{
    if (gv_spirv_op(w) == SpvOpTypeFloat)
        *out = w[2] == 64 ? GV_GLSL_DOUBLE : GV_GLSL_FLOAT;
    else if (gv_spirv_op(w) == SpvOpTypeInt)
        *out = w[2] == 64 ? (w[3] ? GV_GLSL_INT64 : GV_GLSL_UINT64)
                          : (w[3] ? GV_GLSL_INT : GV_GLSL_UINT);
    else
        return false;
    return true;
}

uint32_t gv_glsl_scalar_words(enum gv_glsl_scalar scalar)
{
    return scalar == GV_GLSL_DOUBLE || scalar == GV_GLSL_INT64 ||
                   scalar == GV_GLSL_UINT64
               ? 2
               : 1;
}

bool glsl_basic_type(const struct gv_spirv_types *t, uint32_t id,
                     struct gv_glsl_type *out)
{
    const uint32_t *w = gv_spirv_type(t, id);
    *out = (struct gv_glsl_type){ .rows = 1, .columns = 1 };
    if (gv_spirv_op(w) == SpvOpTypeMatrix) {
        out->columns = w[3];
        w = gv_spirv_type(t, w[2]);
    }
    if (gv_spirv_op(w) == SpvOpTypeVector) {
        out->rows = w[3];
        w = gv_spirv_type(t, w[2]);
    }
    return scalar_type(w, &out->scalar);
}

uint32_t glsl_pointee(const struct gv_spirv_types *t, uint32_t variable)
{
    const uint32_t *v = gv_spirv_type(t, variable);
    const uint32_t *pointer =
        gv_spirv_type(t, gv_spirv_op(v) == SpvOpVariable ? v[1] : 0);
    return gv_spirv_op(pointer) == SpvOpTypePointer ? pointer[3] : 0;
}

bool glsl_is_written(const struct gv_spirv_types *t, uint32_t variable)
{
    return gv_spirv_mark(t, variable, SpvDecorationNonWritable) == GV_SPIRV_UNSET;
}

uint32_t glsl_resource_of(const struct gv_glsl_program *p,
                          const struct gv_spirv_variable *v)
{
    const char *name = *v->block_name ? glsl_repeated(v->block_name) : v->name;
    for (size_t i = 0; i < p->resource_count; i++)
        if (p->resources[i].type == v->type && !strcmp(p->resources[i].name, name))
            return (uint32_t)i;
    return GV_GLSL_NONE;
}

const char *glsl_array_name(struct glsl_reflecting *r, const char *name)
{
    size_t n = strlen(name) + sizeof "[0]";
    char *out = gv_arena_alloc(r->arena, n);
    if (out)
        snprintf(out, n, "%s[0]", name);
    else
        gv_out_of_memory(r->err);
    return out;
}

// ---- samplers ----

static enum gv_glsl_dimension dimension_of(uint32_t dim)
{
    switch (dim) {
    case SpvDim1D:
        return GV_GLSL_1D;
    case SpvDim3D:
        return GV_GLSL_3D;
    case SpvDimCube:
        return GV_GLSL_CUBE;
    case SpvDimBuffer:
        return GV_GLSL_BUFFER;
    default:
        return GV_GLSL_2D;
    }
}

#define FETCH GV_UPGRADE_PREFIX "Fetch"         // upgrade_fetch.c
#define FETCH_OUTPUT GV_GLSL_FETCH_STENCIL + 1u // of an output's name: look it up

static unsigned fetched_number(const char *name)
{
    const size_t size = sizeof FETCH - 1;
    if (strncmp(name, FETCH, size) != 0)
        return GV_GLSL_FETCH_NONE;
    return name[size] == '_' ? FETCH_OUTPUT : (unsigned)strtoul(name + size, NULL, 10);
}

// Where outputs are is known now.
static void place_fetched(struct gv_glsl_reflection *r)
{
    for (size_t i = 0; i < r->sampler_count; i++) {
        struct gv_glsl_sampler *s = &r->samplers[i];
        if (s->fetch != FETCH_OUTPUT)
            continue;
        s->fetch = GV_GLSL_FETCH_STENCIL + 1; // of no output: of nothing
        for (size_t k = 0; k < r->output_count; k++)
            if (!strcmp(r->outputs[k].name, s->name + strlen("Fetch_")))
                s->fetch = (uint8_t)(GV_GLSL_FETCH_COLOR + r->outputs[k].location);
    }
}

// The samplers that one variable holds for all structures of an array, by their names.
static bool spread(struct glsl_reflecting *r, const struct glsl_opaque *o,
                   const struct gv_glsl_sampler *like)
{
    struct gv_glsl_reflection *out = &r->program->reflection;
    unsigned last = o->levels[o->count - 1].size;
    uint32_t each = last ? last : 1, total = like->array_size ? like->array_size : 1;
    for (uint32_t element = 0; element < total; element += each) {
        struct gv_bytes name = { 0 };
        uint32_t below = total, location = o->location;
        for (unsigned k = 0; k < o->count; k++) {
            unsigned size = o->levels[k].size;
            if (o->levels[k].name)
                gv_bytes_printf(&name, "%s%s", k ? "." : "", o->levels[k].name);
            below /= size ? size : 1;
            if (!size)
                continue;
            gv_bytes_printf(&name, "[%u]", element / below % size);
            location += element / below % size * o->levels[k].stride;
        }
        struct gv_glsl_sampler *s = &out->samplers[out->sampler_count++];
        *s = *like;
        s->element = element;
        s->array_size = last;
        s->location += s->location >= 0 ? (int)location : 0;
        s->binding += s->binding >= 0 ? (int)element : 0;
        s->name = name.failed ? NULL : gv_arena_copy(r->arena, name.data, name.size);
        gv_bytes_finish(&name);
        if (!s->name)
            return gv_out_of_memory(r->err);
    }
    return true;
}

_Static_assert(GV_SPIRV_MOST_SIZES <= GLSL_OPAQUE_LEVELS, "each is a level");

// Of an array of arrays each inner one has a name.
static bool spread_flat(struct glsl_reflecting *r, const struct gv_spirv_flat *flat,
                        const char *own, const struct gv_glsl_sampler *like)
{
    struct glsl_opaque o = { .count = flat->size_count };
    o.levels[0].name = own;
    unsigned stride = 1;
    for (uint32_t i = flat->size_count; i-- > 0; stride *= flat->sizes[i]) {
        o.levels[i].size = flat->sizes[i];
        o.levels[i].stride = stride;
    }
    return spread(r, &o, like);
}

static const struct glsl_opaque *find_opaque(struct glsl_reflecting *r,
                                             const char *name)
{
    const struct glsl_opaque *o = NULL;
    for (size_t i = 0; i < r->upgraded->count && !o; i++)
        o = glsl_find_opaque(&r->upgraded->stages[i], name);
    return o;
}

static bool add_sampler(struct glsl_reflecting *r, const struct glsl_module *m,
                        const struct gv_spirv_variable *v)
{
    struct gv_glsl_reflection *out = &r->program->reflection;
    const struct gv_spirv_types *t = &m->types;
    const uint32_t *type = gv_spirv_type(t, glsl_pointee(t, v->id));
    bool array = gv_spirv_op(type) == SpvOpTypeArray;
    if (array)
        type = gv_spirv_type(t, type[2]);
    if (gv_spirv_op(type) == SpvOpTypeSampledImage)
        type = gv_spirv_type(t, type[2]);
    if (gv_spirv_op(type) != SpvOpTypeImage)
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: glsl arrays of arrays of samplers");
    const char *own = glsl_own_name(v->name);
    const struct glsl_note *note = glsl_find_any_note(r->upgraded, own);
    const unsigned fetch = fetched_number(v->name);
    struct gv_glsl_sampler s = {
        .name = array ? glsl_array_name(r, own) : own,
        .resource = glsl_resource_of(r->program, v),
        .array_size = array ? v->count : 0,
        .image = type[7] == 2,
        .format = type[8],
        .dimension = dimension_of(type[3]),
        .shadow = type[4] == 1,
        .arrayed = type[5] == 1,
        .multisampled = type[6] == 1,
        .fetch = (uint8_t)fetch,
        .rectangle = note && strstr(note->type, "Rect"),
        .location = note ? note->location : -1,
        .binding = note ? note->binding : -1,
    };
    if (!scalar_type(gv_spirv_type(t, type[2]), &s.scalar) || !s.name)
        return false;
    const struct glsl_opaque *o = find_opaque(r, v->name);
    const struct gv_spirv_flat *flat = gv_spirv_find_flat(m->flats, v->id);
    if (o) {
        note = glsl_find_any_note(r->upgraded, o->levels[0].name);
        s.location = note ? note->location : -1;
        return spread(r, o, &s);
    }
    if (flat)
        return spread_flat(r, flat, own, &s);
    out->samplers[out->sampler_count++] = s;
    return true;
}

static bool reflect_sampler(struct glsl_reflecting *r, const struct glsl_module *m,
                            const struct gv_spirv_variable *v)
{
    struct gv_glsl_reflection *out = &r->program->reflection;
    uint32_t resource = glsl_resource_of(r->program, v);
    bool known = false;
    for (size_t i = 0; i < out->sampler_count; i++)
        known |= out->samplers[i].resource == resource;
    if (!known && !add_sampler(r, m, v))
        return false;
    for (size_t i = 0; i < out->sampler_count; i++)
        if (out->samplers[i].resource == resource && m->used[v->id]) {
            out->samplers[i].stages |= m->stage;
            out->samplers[i].written |=
                out->samplers[i].image && glsl_is_written(&m->types, v->id);
        }
    return true;
}

// Those of textures, or those of what targets hold.
static bool reflect_module(struct glsl_reflecting *r, const struct glsl_module *m,
                           bool fetched)
{
    for (size_t k = 0; k < m->variables->variable_count; k++) {
        const struct gv_spirv_variable *v = &m->variables->variables[k];
        if (v->storage == SpvStorageClassUniformConstant &&
            (fetched_number(v->name) != 0) == fetched && !reflect_sampler(r, m, v))
            return false;
    }
    return true;
}

// Every element may have a name of its own, of structures and of what was an array of
// arrays, which has few.
static size_t names_of(struct glsl_reflecting *r, const struct gv_glsl_resource *of)
{
    const bool each =
        of->count <= GV_SPIRV_MOST_ELEMENTS || find_opaque(r, of->name) != NULL;
    return each && of->count ? of->count : 1;
}

static bool reflect_samplers(struct glsl_reflecting *r)
{
    struct gv_glsl_program *p = r->program;
    size_t most = 0;
    for (size_t i = 0; i < p->resource_count; i++)
        most += names_of(r, &p->resources[i]);
    p->reflection.samplers =
        gv_arena_array(r->arena, most, sizeof *p->reflection.samplers);
    if (!p->reflection.samplers)
        return gv_out_of_memory(r->err);
    for (size_t i = 0; i < 2 * p->count; i++)
        if (!reflect_module(r, &r->modules[i % p->count], i >= p->count))
            return false;
    return true;
}

// ---- outputs ----

// A copy of gl_FragColor for another colour buffer.
static bool is_copy(const char *name)
{
    return !strncmp(name, "gv_FragColor", 12) && name[12] >= '0' && name[12] <= '9';
}

static bool add_output(struct glsl_reflecting *r, const struct glsl_module *m,
                       const struct gv_spirv_variable *v)
{
    struct gv_glsl_reflection *out = &r->program->reflection;
    uint32_t type = glsl_pointee(&m->types, v->id);
    const uint32_t *w = gv_spirv_type(&m->types, type);
    uint32_t index = gv_spirv_mark(&m->types, v->id, SpvDecorationIndex);
    bool array = gv_spirv_op(w) == SpvOpTypeArray;
    const char *own = glsl_own_name(v->name);
    struct gv_glsl_output *o = &out->outputs[out->output_count++];
    *o = (struct gv_glsl_output){
        .name = array ? glsl_array_name(r, own) : own,
        .array_size = array ? gv_spirv_value(&m->types, w[3]) : 0,
        .location = v->location,
        .index = index == GV_SPIRV_UNSET ? 0 : index,
    };
    glsl_basic_type(&m->types, array ? w[2] : type, &o->type);
    return o->name != NULL;
}

static bool reflect_outputs(struct glsl_reflecting *r)
{
    struct gv_glsl_reflection *out = &r->program->reflection;
    for (size_t i = 0; i < r->program->count; i++) {
        const struct glsl_module *m = &r->modules[i];
        if (m->stage != GV_STAGE_FRAGMENT)
            continue;
        out->outputs = gv_arena_array(r->arena, m->variables->variable_count,
                                      sizeof *out->outputs);
        if (!out->outputs)
            return gv_out_of_memory(r->err);
        for (size_t k = 0; k < m->variables->variable_count; k++) {
            const struct gv_spirv_variable *v = &m->variables->variables[k];
            if (v->storage == SpvStorageClassOutput && !v->builtin &&
                !is_copy(v->name) && !add_output(r, m, v))
                return false;
        }
    }
    return true;
}

bool glsl_reflect(struct glsl_reflecting *r)
{
    if (!glsl_reflect_blocks(r) || !glsl_order_blocks(r) || !reflect_samplers(r) ||
        !glsl_reflect_names(r) || !reflect_outputs(r))
        return false;
    place_fetched(&r->program->reflection);
    return true;
}

// ---- looking up ----

// Whether `name` means `known`, which ends with [0] if it is an array of `size`.
static bool means(const char *known, uint32_t size, const char *name, uint32_t *element)
{
    size_t n = strlen(known);
    *element = 0;
    if (!strcmp(known, name))
        return true;
    if (!size || n < 3)
        return false;
    n -= 3;
    if (strncmp(known, name, n) != 0)
        return false;
    if (name[n] == '\0')
        return true;
    char *end;
    if (name[n] != '[' || name[n + 1] < '0' || name[n + 1] > '9')
        return false;
    unsigned long i = strtoul(name + n + 1, &end, 10);
    *element = (uint32_t)i;
    return !strcmp(end, "]") && i < size;
}

const struct gv_glsl_uniform *gv_glsl_find_uniform(const struct gv_glsl_reflection *r,
                                                   const char *name, uint32_t *element)
{
    for (size_t i = 0; i < r->uniform_count; i++)
        if (means(r->uniforms[i].name, r->uniforms[i].array_size, name, element))
            return &r->uniforms[i];
    return NULL;
}

const struct gv_glsl_sampler *gv_glsl_find_sampler(const struct gv_glsl_reflection *r,
                                                   const char *name, uint32_t *element)
{
    for (size_t i = 0; i < r->sampler_count; i++)
        if (means(r->samplers[i].name, r->samplers[i].array_size, name, element))
            return &r->samplers[i];
    return NULL;
}
