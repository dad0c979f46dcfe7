// Vertex array objects: a context's own.
#include "compiler/gl/base/gl_names.h"
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_feeding.h"

#define MAX_VERTEX_ARRAYS 65536u

struct vertex_array {
    struct gv_named named;
    struct gv_gl_vertex_array state;
};

static struct gv_id_map *map_of(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_feeding *f = gv_gl_feeding(gl, err);
    if (!f)
        return NULL;
    if (!f->vertex_arrays.arena)
        f->vertex_arrays = (struct gv_id_map){
            .arena = gl->arena,
            .object_bytes = sizeof(struct vertex_array),
            .serials = &gl->serials,
            .limit = MAX_VERTEX_ARRAYS,
        };
    return &f->vertex_arrays;
}

static bool gl_BindVertexArray(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    struct gv_id_map *m = map_of(gl, err);
    const uint32_t name = gv_gl_uint(call, 0);
    struct gv_gl_client *c = &gl->context->client;
    if (!m)
        return false;
    if (!name) {
        c->vertex_array = &gl->context->default_array;
        return true;
    }
    struct vertex_array *object =
        (struct vertex_array *)gv_gl_name_make(m, name, "vertex arrays", err);
    if (object)
        c->vertex_array = &object->state;
    return object != NULL;
}

static bool gl_DeleteVertexArrays(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    struct gv_id_map *m = map_of(gl, err);
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
    { "glDeleteVertexArrays", gl_DeleteVertexArrays, 0 },
    { NULL, NULL, 0 },
};
