// Program objects of assembly: names, lives, texts.
#include "compiler/gl/assembly/gl_assembly.h"

#include "compiler/gl/base/gl_names.h"
#include "resources/hash.h"

#define BUCKETS 256u
#define BYTES_PER_WORK 16u

struct gv_gl_assembly_text {
    struct gv_gl_assembly_text *next; // in its bucket
    struct gv_hash hash;
    struct gv_arena arena; // of the program
    struct gv_arb_program program;
};

// The programs of name 0 of a share group.
struct default_programs {
    uint32_t group;
    struct default_programs *next;
    struct gv_gl_assembly_object objects[GV_GL_HALVES];
};

struct gv_gl_assembly {
    struct gv_id_map names;
    struct default_programs *sets;          // owned
    struct gv_gl_assembly_object *defaults; // [GV_GL_HALVES], of the current group
    struct gv_gl_assembly_text *texts[BUCKETS];
    uint32_t text_count;
};

const struct gv_arb_program *
gv_gl_assembled_program(const struct gv_gl_assembly_text *t)
{
    return &t->program;
}

// ---- lives ----

bool gv_gl_assembly_create(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                           struct gv_error *err)
{
    struct gv_gl_assembly *all = gv_arena_alloc(sink->arena, sizeof *all);
    if (!all)
        return gv_out_of_memory(err);
    all->names =
        (struct gv_id_map){ .arena = sink->arena,
                            .object_bytes = sizeof(struct gv_gl_assembly_object),
                            .serials = &sink->serials,
                            .limit = GV_GL_MAX_ASSEMBLY };
    objects->assembly = all;
    return true;
}

bool gv_gl_assembly_enter_group(struct gv_gl_objects *objects, struct gv_arena *arena,
                                struct gv_error *err)
{
    struct gv_gl_assembly *all = objects->assembly;
    struct default_programs *d = all->sets;
    while (d && d->group != objects->group)
        d = d->next;
    if (!d) {
        d = gv_arena_alloc(arena, sizeof *d);
        if (!d)
            return gv_out_of_memory(err);
        d->group = objects->group;
        d->next = all->sets;
        all->sets = d;
        d->objects[GV_GL_FRAGMENT_HALF].half = GV_GL_FRAGMENT_HALF;
    }
    all->defaults = d->objects;
    return true;
}

void gv_gl_assembly_destroy(struct gv_gl_objects *objects)
{
    struct gv_gl_assembly *all = objects->assembly;
    if (!all)
        return;
    for (uint32_t i = 0; i < BUCKETS; i++)
        for (struct gv_gl_assembly_text *t = all->texts[i]; t; t = t->next)
            gv_arena_finish(&t->arena);
    objects->assembly = NULL;
}

struct gv_gl_assembled *gv_gl_assembled(struct gv_gl_context *c, struct gv_arena *arena,
                                        struct gv_error *err)
{
    if (!c->assembled)
        c->assembled = gv_arena_alloc(arena, sizeof *c->assembled);
    if (!c->assembled)
        gv_out_of_memory(err);
    return c->assembled;
}

struct gv_gl_assembly_object *
gv_gl_assembly_bound(const struct gv_gl_context *c,
                     const struct gv_gl_assembly *assembly, enum gv_gl_half half)
{
    const struct gv_gl_assembled *a = c->assembled;
    return a && a->bound[half] ? a->bound[half] : &assembly->defaults[half];
}

bool gv_gl_assembly_half(struct gv_gl_sink *sink, uint32_t target, enum gv_gl_half *out)
{
    *out = target == GL_VERTEX_PROGRAM_ARB ? GV_GL_VERTEX_HALF : GV_GL_FRAGMENT_HALF;
    if (target == GL_VERTEX_PROGRAM_ARB || target == GL_FRAGMENT_PROGRAM_ARB)
        return true;
    if (target == GL_FRAGMENT_PROGRAM_NV || target == GL_VERTEX_STATE_PROGRAM_NV)
        gv_gl_unsupported(sink, GV_GL_LACK(NV_ASSEMBLY));
    else
        gv_gl_reject(sink, GL_INVALID_ENUM);
    return false;
}

bool gv_gl_assembly_used(const struct gv_gl_context *c,
                         const struct gv_gl_assembly *assembly, enum gv_gl_half half,
                         const struct gv_gl_assembly_text **out)
{
    const bool on = c->state.assembly[half];
    *out = on ? gv_gl_assembly_bound(c, assembly, half)->text : NULL;
    return !on || *out;
}

// ---- names ----

static void release(struct gv_gl_assembly *assembly, struct gv_gl_assembly_object *o)
{
    if (o && gv_id_release(&o->named))
        gv_id_reuse(&assembly->names, &o->named);
}

void gv_gl_assembly_end_group(struct gv_gl_objects *objects)
{
    struct gv_id_map *m = &objects->assembly->names;
    for (uint32_t i = 0; i < m->capacity; i++)
        if (gv_gl_name_at(objects->group, m, i))
            release(objects->assembly, (struct gv_gl_assembly_object *)gv_id_remove(
                                           m, m->entries[i].name));
}

static bool bind(struct gv_gl *gl, enum gv_gl_half half,
                 struct gv_gl_assembly_object *o, struct gv_error *err)
{
    struct gv_gl_assembled *a = gv_gl_assembled(gl->context, gl->sink.arena, err);
    if (!a)
        return false;
    if (o)
        o->named.references++;
    release(gl->objects.assembly, a->bound[half]);
    a->bound[half] = o;
    return true;
}

static bool gl_BindProgram(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    const uint32_t name = gv_gl_uint(call, 1);
    struct gv_id_map *names = &gl->objects.assembly->names;
    enum gv_gl_half half;
    if (!gv_gl_assembly_half(&gl->sink, gv_gl_uint(call, 0), &half))
        return true;
    if (!name)
        return bind(gl, half, NULL, err);
    const uint64_t key = gv_gl_key(gl->objects.group, name);
    const bool there = gv_id_find(names, key);
    struct gv_gl_assembly_object *o =
        (struct gv_gl_assembly_object *)gv_gl_name_make(names, key, "programs", err);
    if (!o)
        return false;
    if (there && o->half != half)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    o->half = half;
    return bind(gl, half, o, err);
}

static bool gl_DeletePrograms(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    const struct gv_trace_value *list = gv_trace_argument(call, 1);
    const int32_t count = gv_gl_int(call, 0);
    const struct gv_gl_assembled *a = gl->context->assembled;
    if (count < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    for (uint64_t i = 0; i < (uint64_t)count && i < list->count; i++) {
        const uint64_t key = gv_gl_key(gl->objects.group,
                                       (uint32_t)gv_trace_uint(gv_trace_item(list, i)));
        struct gv_gl_assembly_object *o = (struct gv_gl_assembly_object *)gv_id_remove(
            &gl->objects.assembly->names, key);
        if (o && a && a->bound[o->half] == o && !bind(gl, o->half, NULL, err))
            return false;
        release(gl->objects.assembly, o);
    }
    return true;
}

// What is given out needs no memory: objects are made when they are bound.
static bool set_GenPrograms(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_trace_call *call)
{
    (void)c;
    return gv_gl_int(call, 0) < 0 ? gv_gl_reject(sink, GL_INVALID_VALUE) : true;
}
GV_GL_SETTER(GenPrograms)

// ---- texts ----

// What a text was refused for: as GL does, or since it is not lowered.
static bool refuse(struct gv_gl_sink *sink, const struct gv_error *why,
                   struct gv_error *err)
{
    if (why->status == GV_ERR_MEMORY)
        return gv_out_of_memory(err);
    if (why->status == GV_ERR_UNSUPPORTED)
        return gv_gl_unsupported_because(sink, GV_GL_LACK(ASSEMBLY), why->message);
    return gv_gl_reject(sink, GL_INVALID_OPERATION);
}

// NULL: refused, or *ok false.
static const struct gv_gl_assembly_text *translate(struct gv_gl *gl,
                                                   const struct gv_trace_value *text,
                                                   uint64_t size, bool *ok,
                                                   struct gv_error *err)
{
    struct gv_gl_assembly *all = gl->objects.assembly;
    const struct gv_hash hash = gv_hash_bytes(text->bytes, (size_t)size);
    struct gv_gl_assembly_text **bucket = &all->texts[hash.bytes[0] % BUCKETS];
    for (struct gv_gl_assembly_text *t = *bucket; t; t = t->next)
        if (gv_hash_equal(&t->hash, &hash))
            return t;
    struct gv_arena arena = { 0 };
    struct gv_arb_program program = { 0 };
    struct gv_error why = { 0 };
    if (all->text_count == GV_GL_MAX_ASSEMBLY_TEXTS)
        gv_fail(&why, GV_ERR_LIMIT, GV_NO_OFFSET, "too many programs");
    else if (gv_arb_translate((const char *)text->bytes, (size_t)size, &arena, &program,
                              &why)) {
        struct gv_gl_assembly_text *t = gv_arena_alloc(gl->sink.arena, sizeof *t);
        if (t) {
            *t = (struct gv_gl_assembly_text){ *bucket, hash, arena, program };
            all->text_count++;
            return *bucket = t;
        }
        gv_out_of_memory(&why);
    }
    gv_arena_finish(&arena);
    *ok = refuse(&gl->sink, &why, err);
    return NULL;
}

// A text that is no program leaves the object the one that it has, as Mesa does.
static bool gl_ProgramString(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    const struct gv_trace_value *text = gv_trace_argument(call, 3);
    const int32_t length = gv_gl_int(call, 2);
    enum gv_gl_half half;
    if (!gv_gl_assembly_half(&gl->sink, gv_gl_uint(call, 0), &half))
        return true;
    if (gv_gl_uint(call, 1) != GL_PROGRAM_FORMAT_ASCII_ARB)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (length < 0 || (text->kind != GV_TRACE_STRING && text->kind != GV_TRACE_BLOB))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    const uint64_t size =
        text->count < (uint64_t)length ? text->count : (uint64_t)length;
    if (!gv_gl_work(&gl->sink.work, 1 + size / BYTES_PER_WORK, err))
        return false;
    bool ok = true;
    const struct gv_gl_assembly_text *t = translate(gl, text, size, &ok, err);
    if (!t)
        return ok;
    const uint32_t wanted =
        half == GV_GL_VERTEX_HALF ? GV_STAGE_VERTEX : GV_STAGE_FRAGMENT;
    if (t->program.stage != wanted)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    gv_gl_assembly_bound(gl->context, gl->objects.assembly, half)->text = t;
    return true;
}

const struct gv_gl_row gv_gl_assembly_rows[] = {
    { "glGenProgramsARB", gl_GenPrograms, 0 },
    { "glDeleteProgramsARB", gl_DeletePrograms, 0 },
    { "glBindProgramARB", gl_BindProgram, GV_GL_LISTED },
    { "glProgramStringARB", gl_ProgramString, GV_GL_LISTED },
    { 0 },
};
