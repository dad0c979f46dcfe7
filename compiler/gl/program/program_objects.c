// Shader and program objects: names, lives, what they hold.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_names.h"
#include "compiler/gl/program/program_include.h"
#include "compiler/gl/program/program_joined.h"

// ---- texts ----

struct gv_gl_text *gv_gl_text_new(size_t size)
{
    struct gv_gl_text *t = malloc(sizeof *t + size + 1);
    if (!t)
        return NULL;
    t->references = 1;
    t->size = size;
    t->text[size] = 0;
    return t;
}

void gv_gl_text_drop(struct gv_gl_text *t)
{
    if (t && !--t->references)
        free(t);
}

// ---- numbers by name ----

static struct gv_gl_numbered *find(const struct gv_gl_numbers_by_name *n,
                                   const char *name, size_t length)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (!strncmp(n->list[i].name, name, length) && !n->list[i].name[length])
            return &n->list[i];
    return NULL;
}

const struct gv_gl_numbered *gv_gl_numbered(const struct gv_gl_numbers_by_name *n,
                                            const char *name)
{
    return find(n, name, strlen(name));
}

static bool grow(struct gv_gl_numbers_by_name *n)
{
    uint32_t capacity = n->capacity ? 2 * n->capacity : 16;
    struct gv_gl_numbered *larger = realloc(n->list, capacity * sizeof *larger);
    if (!larger)
        return false;
    n->list = larger;
    n->capacity = capacity;
    return true;
}

bool gv_gl_number_name(struct gv_gl_numbers_by_name *n, const char *name, size_t length,
                       struct gv_gl_numbered value)
{
    if (length >= GV_GL_MAX_NAME_BYTES || memchr(name, 0, length))
        return true;
    struct gv_gl_numbered *there = find(n, name, length);
    if (there) {
        there->number = value.number;
        there->index = value.index;
        return true;
    }
    if (n->count == GV_GL_MAX_NAMES)
        return true;
    if (n->count == n->capacity && !grow(n))
        return false;
    value.name = strndup(name, length);
    if (!value.name)
        return false;
    n->list[n->count++] = value;
    return true;
}

bool gv_gl_numbers_copy(struct gv_gl_numbers_by_name *to,
                        const struct gv_gl_numbers_by_name *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        if (!gv_gl_number_name(to, from->list[i].name, strlen(from->list[i].name),
                               from->list[i]))
            return false;
    return true;
}

void gv_gl_numbers_finish(struct gv_gl_numbers_by_name *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        free(n->list[i].name);
    free(n->list);
    *n = (struct gv_gl_numbers_by_name){ 0 };
}

bool gv_gl_name_argument(const struct gv_trace_value *v, char out[GV_GL_MAX_NAME_BYTES])
{
    if ((v->kind != GV_TRACE_STRING && v->kind != GV_TRACE_BLOB) ||
        v->count >= GV_GL_MAX_NAME_BYTES)
        return false;
    memcpy(out, v->bytes, (size_t)v->count);
    out[v->count] = 0;
    return true;
}

// ---- objects ----

struct gv_gl_program *gv_gl_find_object(const struct gv_gl_objects *objects,
                                        uint32_t name)
{
    return (struct gv_gl_program *)gv_id_find(&objects->programs->names,
                                              gv_gl_key(objects->group, name));
}

static struct gv_gl_program *need(struct gv_gl_objects *objects,
                                  struct gv_gl_sink *sink, uint32_t name,
                                  bool is_program)
{
    struct gv_gl_program *p = gv_gl_find_object(objects, name);
    if (p && p->is_program == is_program)
        return p;
    gv_gl_reject(sink, p ? GL_INVALID_OPERATION : GL_INVALID_VALUE);
    return NULL;
}

struct gv_gl_program *gv_gl_need_program(struct gv_gl_objects *objects,
                                         struct gv_gl_sink *sink, uint32_t name)
{
    return need(objects, sink, name, true);
}

struct gv_gl_program *gv_gl_need_shader(struct gv_gl_objects *objects,
                                        struct gv_gl_sink *sink, uint32_t name)
{
    return need(objects, sink, name, false);
}

void gv_gl_shader_clear(struct gv_gl_shader *s)
{
    gv_gl_text_drop(s->source);
    gv_gl_text_drop(s->compiled);
    gv_gl_text_drop(s->module);
    *s = (struct gv_gl_shader){ .type = s->type };
}

static void finish(struct gv_gl_program *p)
{
    gv_gl_shader_clear(&p->shader);
    gv_gl_numbers_finish(&p->attributes);
    gv_gl_numbers_finish(&p->outputs);
    gv_gl_varyings_finish(&p->varyings);
    gv_gl_numbers_finish(&p->told_uniforms);
    gv_gl_numbers_finish(&p->told_blocks);
    gv_gl_numbers_finish(&p->told_storage);
    gv_gl_numbers_finish(&p->told_subroutines);
    gv_gl_executable_free(p->executable);
    gv_gl_executable_free(p->before);
    p->shader = (struct gv_gl_shader){ 0 };
    p->executable = p->before = NULL;
}

struct gv_gl_program *gv_gl_make_object(struct gv_gl_objects *objects, uint32_t name,
                                        bool is_program, struct gv_error *err)
{
    struct gv_gl_program *old = gv_gl_find_object(objects, name);
    // A recording that began late leaves deletions out.
    if (old)
        gv_gl_delete_object(objects->programs, old);
    if (gv_gl_find_object(objects, name))
        gv_gl_drop_object(objects->programs, (struct gv_gl_program *)gv_id_remove(
                                                 &objects->programs->names,
                                                 gv_gl_key(objects->group, name)));
    struct gv_gl_program *p = (struct gv_gl_program *)gv_gl_name_make(
        &objects->programs->names, gv_gl_key(objects->group, name),
        "programs and shaders", err);
    if (p)
        p->is_program = is_program;
    return p;
}

void gv_gl_hold_object(struct gv_gl_program *p)
{
    p->named.references++;
}

void gv_gl_drop_object(struct gv_gl_programs *programs, struct gv_gl_program *p)
{
    struct gv_id_map *names = &programs->names;
    // What was deleted keeps its name as long as others hold it.
    if (p->deleted && p->named.names && p->named.references == 2) {
        gv_id_remove(names, p->named.name);
        gv_id_release(&p->named);
    }
    if (!gv_id_release(&p->named))
        return;
    while (p->attached_count)
        gv_gl_drop_object(programs, p->attached[--p->attached_count]);
    finish(p);
    gv_id_reuse(names, &p->named);
}

void gv_gl_delete_object(struct gv_gl_programs *programs, struct gv_gl_program *p)
{
    if (p->deleted)
        return;
    p->deleted = true;
    if (p->named.references > 1)
        return;
    gv_gl_drop_object(programs, (struct gv_gl_program *)gv_id_remove(&programs->names,
                                                                     p->named.name));
}

// ---- life ----

bool gv_gl_programs_create(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                           struct gv_error *err)
{
    struct gv_gl_programs *all = gv_arena_alloc(sink->arena, sizeof *all);
    if (!all)
        return gv_out_of_memory(err);
    all->names = (struct gv_id_map){ .arena = sink->arena,
                                     .object_bytes = sizeof(struct gv_gl_program),
                                     .serials = &sink->serials,
                                     .limit = GV_GL_MAX_PROGRAMS };
    objects->programs = all;
    return true;
}

void gv_gl_programs_end_group(struct gv_gl_objects *objects)
{
    const struct gv_id_map *m = &objects->programs->names;
    for (uint32_t i = 0; i < m->capacity; i++)
        if (gv_gl_name_at(objects->group, m, i))
            gv_gl_delete_object(objects->programs,
                                (struct gv_gl_program *)m->entries[i].object);
    gv_gl_strings_end_group(objects);
}

void gv_gl_programs_destroy(struct gv_gl_objects *objects)
{
    struct gv_gl_programs *all = objects->programs;
    if (!all)
        return;
    gv_gl_pipelines_finish(objects->programs);
    gv_gl_strings_finish(objects->programs);
    for (struct gv_named *o = gv_id_first(&all->names); o; o = gv_id_next(o))
        finish((struct gv_gl_program *)o);
    for (uint32_t i = 0; i < GV_GL_PROGRAM_BUCKETS; i++)
        for (struct gv_gl_compiled *c = all->buckets[i]; c; c = c->next)
            gv_arena_finish(&c->arena);
    objects->programs = NULL;
}
