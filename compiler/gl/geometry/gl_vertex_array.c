#include "compiler/gl/geometry/gl_vertex_array.h"

#include <string.h>

#include "compiler/gl/base/gl_names.h"
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_feeding.h"

#define MAX_VERTEX_ARRAYS 65536u

struct vertex_array {
    struct gv_named named;
    struct gv_gl_vertex_array state;
};

static struct gv_id_map *map_of(struct gv_gl_context *c, struct gv_gl_lists *lists,
                                struct gv_gl_sink *sink, struct gv_error *err)
{
    struct gv_gl_feeding *f = gv_gl_feeding(c, lists, sink->arena, err);
    if (!f)
        return NULL;
    if (!f->vertex_arrays.arena)
        f->vertex_arrays = (struct gv_id_map){
            .arena = sink->arena,
            .object_bytes = sizeof(struct vertex_array),
            .serials = &sink->serials,
            .limit = MAX_VERTEX_ARRAYS,
        };
    return &f->vertex_arrays;
}

// The object of a name, made unless it is there. NULL: memory, a limit.
static struct gv_gl_vertex_array *need(struct gv_gl_context *c,
                                       struct gv_gl_lists *lists,
                                       struct gv_gl_sink *sink, uint32_t name,
                                       struct gv_error *err)
{
    struct gv_id_map *m = map_of(c, lists, sink, err);
    if (!m)
        return NULL;
    struct vertex_array *object = (struct vertex_array *)gv_id_find(m, name);
    if (object)
        return &object->state;
    object = (struct vertex_array *)gv_gl_name_make(m, name, "vertex arrays", err);
    if (!object)
        return NULL;
    gv_gl_vertex_array_init(&object->state);
    return &object->state;
}

static bool is_ext(const char *name)
{
    const size_t length = strlen(name);
    return length > 3 && !strcmp(name + length - 3, "EXT");
}

bool gv_gl_vertex_array_named(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_gl_vertex_array **out, struct gv_error *err)
{
    const uint32_t name = gv_gl_uint(call, 0);
    *out = NULL;
    if (!name && !gl->context->core) {
        *out = &gl->context->default_array;
        return true;
    }
    if (name && is_ext(call->function->name)) {
        *out = need(gl->context, gl->lists, &gl->sink, name, err);
        return *out != NULL;
    }
    struct gv_id_map *m = map_of(gl->context, gl->lists, &gl->sink, err);
    if (!m)
        return false;
    struct vertex_array *object = (struct vertex_array *)gv_id_find(m, name);
    if (!object)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    *out = &object->state;
    return true;
}

static bool gl_BindVertexArray(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    const uint32_t name = gv_gl_uint(call, 0);
    struct gv_gl_vertex_array *v =
        name ? need(gl->context, gl->lists, &gl->sink, name, err)
             : &gl->context->default_array;
    if (v)
        gl->context->client.vertex_array = v;
    return v != NULL;
}

static bool gl_CreateVertexArrays(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; names->kind == GV_TRACE_ARRAY && i < names->count; i++) {
        const uint32_t name = (uint32_t)gv_trace_uint(&names->items[i]);
        if (name && !need(gl->context, gl->lists, &gl->sink, name, err))
            return false;
    }
    return true;
}

static bool gl_DeleteVertexArrays(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    struct gv_id_map *m = map_of(gl->context, gl->lists, &gl->sink, err);
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    struct gv_gl_client *c = &gl->context->client;
    if (!m)
        return false;
    for (uint64_t i = 0; names->kind == GV_TRACE_ARRAY && i < names->count; i++) {
        struct gv_named *o = gv_id_remove(m, (uint32_t)gv_trace_uint(&names->items[i]));
        if (!o || !gv_id_release(o))
            continue;
        if (c->vertex_array == &((struct vertex_array *)o)->state)
            c->vertex_array = &gl->context->default_array;
        gv_id_reuse(m, o);
    }
    return true;
}

const struct gv_gl_row gv_gl_vertex_array_rows[] = {
    { "glGenVertexArrays", NULL, 0 }, // names are those that were recorded
    { "glIsVertexArray", NULL, 0 },
    { "glBindVertexArray", gl_BindVertexArray, 0 },
    { "glCreateVertexArrays", gl_CreateVertexArrays, 0 },
    { "glDeleteVertexArrays", gl_DeleteVertexArrays, 0 },
    { NULL, NULL, 0 },
};
