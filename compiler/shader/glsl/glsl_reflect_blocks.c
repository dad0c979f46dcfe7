// Blocks of a linked program: their members down to basic types, with GL's names and
// the offsets and strides that the SPIR-V has.
#include "compiler/shader/glsl/glsl_opaque.h"
#include "compiler/shader/glsl/glsl_reflect_internal.h"
#include "resources/base/bytes.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 32 // of types in types

// Where in a block the walk is.
struct place {
    uint32_t type, offset, matrix_stride;
    bool row_major;
    const char *owner, *member; // the structure (or block) and its member
    int depth;
    int location; // -1: the text says none
};

struct walk {
    struct glsl_reflecting *r;
    struct glsl_module *m;
    struct gv_glsl_block *block;
    const struct glsl_note *note; // of the variable that is walked, NULL: none
    bool state;
    struct gv_bytes name;
    uint32_t end; // bytes of the block so far
};

// ---- bool ----

static bool says_bool(const struct glsl_unit *u, size_t type)
{
    const struct glsl_token *t = &u->code.tokens[type];
    return glsl_token_is(t, "bool") || (t->size == 5 && !memcmp(t->text, "bvec", 4));
}

static uint64_t key_of(const char *owner, size_t owner_size, const char *member,
                       size_t member_size)
{
    uint64_t h = UINT64_C(14695981039346656037); // FNV-1a
    for (size_t i = 0; i < owner_size; i++)
        h = (h ^ (unsigned char)owner[i]) * UINT64_C(1099511628211);
    h *= UINT64_C(1099511628211); // between the two
    for (size_t i = 0; i < member_size; i++)
        h = (h ^ (unsigned char)member[i]) * UINT64_C(1099511628211);
    return h ? h : 1;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// The members of a body that are bool go to the list of all.
static bool note_body(struct glsl_reflecting *r, const struct glsl_unit *u,
                      const struct glsl_declaration *d, struct gv_bytes *keys)
{
    struct glsl_declarations members = { 0 };
    const struct glsl_token *owner = &u->code.tokens[d->type];
    if (!glsl_declare(&u->code, d->open + 1, d->close, r->arena, &members, r->err))
        return false;
    for (size_t i = 0; i < members.count; i++) {
        const struct glsl_declaration *m = &members.items[i];
        if (m->name == GLSL_NO_TOKEN || m->type == GLSL_NO_TOKEN ||
            !says_bool(u, m->type))
            continue;
        const struct glsl_token *name = &u->code.tokens[m->name];
        const uint64_t key = key_of(owner->text, owner->size, name->text, name->size);
        gv_bytes_put(keys, &key, sizeof key);
    }
    return true;
}

// Members of structures and blocks that are bool: SPIR-V has none in memory, the text
// knows.
static bool find_bools(struct glsl_reflecting *r)
{
    struct gv_bytes keys = { 0 };
    bool ok = true;
    for (size_t k = 0; ok && k < r->upgraded->unit_count; k++) {
        const struct glsl_unit *u = &r->upgraded->units[k];
        for (size_t i = 0; ok && i < u->declared.count; i++) {
            const struct glsl_declaration *d = &u->declared.items[i];
            if (d->what != GLSL_DECLARES_FUNCTION && d->open != GLSL_NO_TOKEN &&
                d->type != GLSL_NO_TOKEN)
                ok = note_body(r, u, d, &keys);
        }
    }
    r->bool_count = keys.size / sizeof *r->bools;
    if (r->bool_count)
        qsort(keys.data, r->bool_count, sizeof *r->bools, by_value);
    r->bools = gv_arena_copy(r->arena, keys.data, keys.size);
    if (ok && (keys.failed || !r->bools))
        ok = gv_out_of_memory(r->err);
    gv_bytes_finish(&keys);
    return ok;
}

static bool is_bool(const struct walk *w, const struct place *p)
{
    if (!*p->owner)
        return w->note && w->note->declaration.type != GLSL_NO_TOKEN &&
               says_bool(w->note->unit, w->note->declaration.type);
    const uint64_t key =
        key_of(p->owner, strlen(p->owner), p->member, strlen(p->member));
    return w->r->bool_count &&
           bsearch(&key, w->r->bools, w->r->bool_count, sizeof *w->r->bools, by_value);
}

// ---- members ----

static struct gv_glsl_uniform *add_uniform(struct glsl_reflecting *r)
{
    struct gv_glsl_reflection *out = &r->program->reflection;
    if (out->uniform_count == r->uniform_capacity) {
        size_t more = r->uniform_capacity ? 2 * r->uniform_capacity : 64;
        struct gv_glsl_uniform *all = NULL;
        if (more > GV_MAX_GLSL_UNIFORMS)
            gv_fail(r->err, GV_ERR_LIMIT, GV_NO_OFFSET, "glsl: more than %u uniforms",
                    GV_MAX_GLSL_UNIFORMS);
        else if (!(all = gv_arena_array(r->arena, more, sizeof *all)))
            gv_out_of_memory(r->err);
        if (!all)
            return NULL;
        if (out->uniform_count)
            memcpy(all, out->uniforms, out->uniform_count * sizeof *all);
        out->uniforms = all;
        r->uniform_capacity = more;
    }
    return &out->uniforms[out->uniform_count++];
}

static uint32_t type_bytes(const struct gv_glsl_uniform *u)
{
    if (u->type.columns > 1)
        return u->matrix_stride * (u->row_major ? u->type.rows : u->type.columns);
    return u->type.rows * gv_glsl_scalar_words(u->type.scalar) * 4;
}

static bool add_leaf(struct walk *w, const struct place *p, uint32_t element,
                     uint32_t array_size, uint32_t stride)
{
    struct gv_glsl_uniform *u = add_uniform(w->r);
    struct gv_bytes *name = &w->name;
    size_t kept = name->size;
    if (!u)
        return false;
    *u = (struct gv_glsl_uniform){ .offset = p->offset,
                                   .array_size = array_size,
                                   .array_stride = stride,
                                   .row_major = p->row_major,
                                   .state = w->state,
                                   .location = p->location };
    if (!glsl_basic_type(&w->m->types, element, &u->type))
        return gv_fail(w->r->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: glsl uniform type");
    if (u->type.scalar == GV_GLSL_UINT && is_bool(w, p))
        u->type.scalar = GV_GLSL_BOOL;
    u->matrix_stride = u->type.columns > 1 ? p->matrix_stride : 0;
    u->runtime_array = stride && !array_size;
    if (stride)
        gv_bytes_printf(name, "[0]");
    u->name = name->failed ? NULL : gv_arena_copy(w->r->arena, name->data, name->size);
    name->size = kept;
    uint32_t end = p->offset + (array_size > 1 ? stride * (array_size - 1) : 0) +
                   (u->runtime_array ? 0 : type_bytes(u));
    w->end = end > w->end ? end : w->end;
    return u->name || gv_out_of_memory(w->r->err);
}

// ---- locations ----

static const struct glsl_opaque_member *
find_opaque_member(const struct walk *w, uint32_t structure, const char *member)
{
    const char *name = glsl_own_name(gv_spirv_name(&w->m->types, structure));
    const struct glsl_opaque_member *o = NULL;
    for (size_t i = 0; i < w->r->upgraded->count && !o; i++)
        o = glsl_find_opaque_member(&w->r->upgraded->stages[i], name, member);
    return o;
}

// How many uniforms a type is, with the textures that were in it.
static uint32_t locations_of(struct walk *w, uint32_t type, int depth)
{
    const uint32_t *t = gv_spirv_type(&w->m->types, type);
    uint32_t count = 0, total = 0;
    if (gv_spirv_op(t) == SpvOpTypeArray && depth < MAX_DEPTH)
        return gv_spirv_value(&w->m->types, t[3]) * locations_of(w, t[2], depth + 1);
    if (gv_spirv_op(t) != SpvOpTypeStruct || depth >= MAX_DEPTH)
        return 1;
    const struct glsl_opaque_member *all = find_opaque_member(w, type, "");
    const struct gv_spirv_field *fields = gv_spirv_fields(&w->m->types, type, &count);
    for (uint32_t i = 0; !all && fields && i < count; i++)
        total += locations_of(w, fields[i].type, depth + 1);
    return all ? all->location : total;
}

// Where a member of a structure is that would be at `*next` without textures.
static int location_of(struct walk *w, const struct place *p,
                       const struct gv_spirv_field *field, uint32_t *next)
{
    if (p->location < 0)
        return -1;
    const struct glsl_opaque_member *o =
        find_opaque_member(w, p->type, glsl_own_name(field->name));
    const uint32_t at = o ? o->location : *next;
    *next = at + locations_of(w, field->type, p->depth + 1);
    return p->location + (int)at;
}

// ---- types ----

static bool walk_type(struct walk *w, const struct place *p);

static bool walk_array(struct walk *w, const struct place *p, const uint32_t *type)
{
    const struct gv_spirv_types *t = &w->m->types;
    bool runtime = gv_spirv_op(type) == SpvOpTypeRuntimeArray;
    uint32_t n = runtime ? 0 : gv_spirv_value(t, type[3]);
    uint32_t stride = gv_spirv_mark(t, p->type, SpvDecorationArrayStride);
    uint32_t op = gv_spirv_op(gv_spirv_type(t, type[2]));
    size_t kept = w->name.size;
    const uint32_t each = p->location < 0 ? 0 : locations_of(w, type[2], p->depth);
    stride = stride == GV_SPIRV_UNSET ? 0 : stride;
    if (op != SpvOpTypeArray && op != SpvOpTypeStruct)
        return add_leaf(w, p, type[2], n, stride);
    for (uint32_t i = 0; i < (runtime ? 1 : n); i++) {
        struct place element = *p;
        element.type = type[2];
        element.offset += i * stride;
        element.depth++;
        element.location += p->location < 0 ? 0 : (int)(i * each);
        gv_bytes_printf(&w->name, "[%u]", i);
        if (!walk_type(w, &element))
            return false;
        w->name.size = kept;
    }
    return true;
}

static bool walk_struct(struct walk *w, const struct place *p)
{
    uint32_t count;
    const struct gv_spirv_field *fields =
        gv_spirv_fields(&w->m->types, p->type, &count);
    const char *owner = gv_spirv_name(&w->m->types, p->type);
    size_t kept = w->name.size;
    uint32_t next = 0;
    for (uint32_t i = 0; fields && i < count; i++) {
        const char *own = glsl_own_name(fields[i].name);
        const struct place member = {
            .type = fields[i].type,
            .offset = p->offset + fields[i].offset,
            .matrix_stride = fields[i].matrix_stride,
            .row_major = fields[i].row_major,
            .owner = owner,
            .member = own,
            .depth = p->depth + 1,
            .location = location_of(w, p, &fields[i], &next),
        };
        if (!strcmp(fields[i].name, GLSL_NO_MEMBER))
            continue;
        gv_bytes_printf(&w->name, ".%s", own);
        if (!walk_type(w, &member))
            return false;
        w->name.size = kept;
    }
    return fields || gv_out_of_memory(w->r->err);
}

static bool walk_type(struct walk *w, const struct place *p)
{
    const uint32_t *type = gv_spirv_type(&w->m->types, p->type);
    uint32_t op = gv_spirv_op(type);
    if (p->depth > MAX_DEPTH)
        return gv_fail(w->r->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "glsl: more than %d types in types", MAX_DEPTH);
    if (op == SpvOpTypeStruct)
        return walk_struct(w, p);
    if (op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray)
        return walk_array(w, p, type);
    return add_leaf(w, p, p->type, 0, 0);
}

// ---- blocks ----

static bool is_loose(const struct gv_spirv_variable *v)
{
    return !strcmp(v->block_name, "gl_DefaultUniformBlock");
}

// Words of a default go to the uniforms of its variable, in their order.
static void give_values(struct gv_glsl_uniform *u, size_t count,
                        const struct glsl_note *note)
{
    size_t at = 0;
    for (size_t i = 0; i < count && note && note->value; i++) {
        size_t n = (size_t)u[i].type.rows * u[i].type.columns;
        n *= u[i].array_size ? u[i].array_size : 1;
        n *= gv_glsl_scalar_words(u[i].type.scalar);
        if (n > note->value_words - at)
            return;
        u[i].value = note->value + at;
        at += n;
    }
}

// Each member of the block, its uniforms one behind the other.
static bool walk_block(struct walk *w, uint32_t type, bool loose, bool named,
                       const bool *used)
{
    uint32_t count;
    const struct gv_spirv_field *fields = gv_spirv_fields(&w->m->types, type, &count);
    struct gv_glsl_reflection *out = &w->r->program->reflection;
    for (uint32_t i = 0; fields && i < count; i++) {
        const char *own = glsl_own_name(fields[i].name);
        size_t first = out->uniform_count;
        struct place p = { fields[i].type,
                           fields[i].offset,
                           fields[i].matrix_stride,
                           fields[i].row_major,
                           loose ? "" : w->block->name,
                           own,
                           0,
                           -1 };
        w->name.size = 0;
        w->note = loose ? glsl_find_any_note(w->r->upgraded, own) : NULL;
        w->state = loose && glsl_is_state(fields[i].name);
        p.location = w->note ? w->note->location : -1;
        gv_bytes_printf(&w->name, "%s%s%s", named ? w->block->name : "",
                        named ? "." : "", own);
        if (!walk_type(w, &p))
            return false;
        give_values(&out->uniforms[first], out->uniform_count - first, w->note);
        for (size_t k = first; k < out->uniform_count; k++)
            out->uniforms[k].stages = used[i] ? w->m->stage : 0;
    }
    return true;
}

static uint32_t block_type(const struct glsl_module *m,
                           const struct gv_spirv_variable *v)
{
    uint32_t type = glsl_pointee(&m->types, v->id);
    while (gv_spirv_op(gv_spirv_type(&m->types, type)) == SpvOpTypeArray)
        type = gv_spirv_type(&m->types, type)[2];
    return type;
}

static bool add_block(struct glsl_reflecting *r, struct glsl_module *m,
                      const struct gv_spirv_variable *v, const bool *used)
{
    struct gv_glsl_reflection *out = &r->program->reflection;
    bool loose = is_loose(v);
    const struct glsl_note *note =
        loose ? NULL
              : glsl_find_any_note(r->upgraded,
                                   glsl_own_name(glsl_repeated(v->block_name)));
    size_t at = loose ? 0 : out->block_count;
    if (loose) // the first of all
        memmove(out->blocks + 1, out->blocks, out->block_count * sizeof *out->blocks);
    struct gv_glsl_block *b = &out->blocks[at];
    out->block_count++;
    uint32_t type = glsl_pointee(&m->types, v->id);
    bool array = gv_spirv_op(gv_spirv_type(&m->types, type)) == SpvOpTypeArray;
    *b = (struct gv_glsl_block){
        .name = loose ? "" : glsl_own_name(glsl_repeated(v->block_name)),
        .resource = glsl_resource_of(r->program, v),
        .array_size = array ? v->count : 0,
        .flat = gv_spirv_find_flat(m->flats, v->id),
        .storage = v->type == GV_BINDING_STORAGE_BUFFER,
        .binding = note ? note->binding : -1,
        .first = (uint32_t)out->uniform_count,
    };
    struct walk w = { .r = r, .m = m, .block = b };
    bool named = note && note->declaration.name != GLSL_NO_TOKEN;
    bool ok = walk_block(&w, block_type(m, v), loose, named, used);
    gv_bytes_finish(&w.name);
    b->count = (uint32_t)out->uniform_count - b->first;
    b->size = (w.end + 15) & ~15u;
    b->stages = m->stage;
    b->written = b->storage && glsl_is_written(&m->types, v->id);
    return ok;
}

static struct gv_glsl_block *find_block(struct gv_glsl_program *p,
                                        const struct gv_spirv_variable *v)
{
    uint32_t resource = glsl_resource_of(p, v);
    for (size_t i = 0; i < p->reflection.block_count; i++)
        if (p->reflection.blocks[i].resource == resource)
            return &p->reflection.blocks[i];
    return NULL;
}

// A block of an earlier stage: its uniforms, in the same order, are of this one too.
static bool meet_again(struct glsl_reflecting *r, struct glsl_module *m,
                       const struct gv_spirv_variable *v, struct gv_glsl_block *known,
                       const bool *used)
{
    struct gv_glsl_reflection *out = &r->program->reflection;
    const struct gv_glsl_block before = *known;
    size_t blocks = out->block_count, first = out->uniform_count;
    struct gv_glsl_block scratch = before;
    struct walk w = { .r = r, .m = m, .block = &scratch };
    const struct glsl_note *note = glsl_find_any_note(r->upgraded, before.name);
    bool named = note && *before.name && note->declaration.name != GLSL_NO_TOKEN;
    bool ok = walk_block(&w, block_type(m, v), is_loose(v), named, used);
    gv_bytes_finish(&w.name);
    size_t count = out->uniform_count - first;
    for (size_t i = 0; ok && i < count && i < before.count; i++) {
        struct gv_glsl_uniform *u = &out->uniforms[before.first + i];
        if (u->offset != out->uniforms[first + i].offset ||
            strcmp(u->name, out->uniforms[first + i].name) != 0)
            ok = false;
        u->stages |= out->uniforms[first + i].stages;
    }
    out->uniform_count = first;
    out->block_count = blocks;
    known->stages |= m->stage;
    known->written |= known->storage && glsl_is_written(&m->types, v->id);
    if (ok && count == before.count)
        return true;
    return gv_fail(r->err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "glsl linking: stages differ in block '%.60s'", before.name);
}

// A block that repeats another is known by that one, if anything else of it is used.
static bool repeats(const struct gv_spirv_variable *v)
{
    return glsl_repeated(v->block_name) != v->block_name;
}

static bool reflect_block(struct glsl_reflecting *r, struct glsl_module *m,
                          const struct gv_spirv_variable *v)
{
    uint32_t count;
    gv_spirv_fields(&m->types, block_type(m, v), &count);
    bool *used = gv_arena_array(r->arena, count, sizeof *used);
    if (!used)
        return gv_out_of_memory(r->err);
    gv_spirv_mark_members(&m->types, v->id, used, count);
    struct gv_glsl_block *known = find_block(r->program, v);
    if (known && repeats(v)) {
        known->stages |= m->stage;
        return true;
    }
    return known ? meet_again(r, m, v, known, used) : add_block(r, m, v, used);
}

static bool reflect_stage(struct glsl_reflecting *r, struct glsl_module *m,
                          bool repeating)
{
    for (size_t k = 0; k < m->variables->variable_count; k++) {
        const struct gv_spirv_variable *v = &m->variables->variables[k];
        const bool block = v->type == GV_BINDING_UNIFORM_BUFFER ||
                           v->type == GV_BINDING_STORAGE_BUFFER;
        if (block && v->storage != SpvStorageClassInput &&
            v->storage != SpvStorageClassOutput && repeats(v) == repeating &&
            !reflect_block(r, m, v))
            return false;
    }
    return true;
}

bool glsl_reflect_blocks(struct glsl_reflecting *r)
{
    struct gv_glsl_program *p = r->program;
    if (!find_bools(r))
        return false;
    p->reflection.blocks =
        gv_arena_array(r->arena, p->resource_count + 1, sizeof *p->reflection.blocks);
    if (!p->reflection.blocks)
        return gv_out_of_memory(r->err);
    for (size_t i = 0; i < 2 * p->count; i++)
        if (!reflect_stage(r, &r->modules[i % p->count], i >= p->count))
            return false;
    return true;
}
