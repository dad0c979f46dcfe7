// glInterleavedArrays: OpenGL 1.5 specification, table 2.5.
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_elements.h"

struct interleaved {
    uint32_t format;
    uint8_t texcoord, color, normal, vertex; // components; 0: off
    uint32_t color_type;
    uint8_t color_at, normal_at, vertex_at, stride; // bytes
};

static const struct interleaved interleaved[] = {
    { GL_V2F, 0, 0, 0, 2, 0, 0, 0, 0, 8 },
    { GL_V3F, 0, 0, 0, 3, 0, 0, 0, 0, 12 },
    { GL_C4UB_V2F, 0, 4, 0, 2, GL_UNSIGNED_BYTE, 0, 0, 4, 12 },
    { GL_C4UB_V3F, 0, 4, 0, 3, GL_UNSIGNED_BYTE, 0, 0, 4, 16 },
    { GL_C3F_V3F, 0, 3, 0, 3, GL_FLOAT, 0, 0, 12, 24 },
    { GL_N3F_V3F, 0, 0, 3, 3, 0, 0, 0, 12, 24 },
    { GL_C4F_N3F_V3F, 0, 4, 3, 3, GL_FLOAT, 0, 16, 28, 40 },
    { GL_T2F_V3F, 2, 0, 0, 3, 0, 0, 0, 8, 20 },
    { GL_T4F_V4F, 4, 0, 0, 4, 0, 0, 0, 16, 32 },
    { GL_T2F_C4UB_V3F, 2, 4, 0, 3, GL_UNSIGNED_BYTE, 8, 0, 12, 24 },
    { GL_T2F_C3F_V3F, 2, 3, 0, 3, GL_FLOAT, 8, 0, 20, 32 },
    { GL_T2F_N3F_V3F, 2, 0, 3, 3, 0, 0, 8, 20, 32 },
    { GL_T2F_C4F_N3F_V3F, 2, 4, 3, 3, GL_FLOAT, 8, 24, 36, 48 },
    { GL_T4F_C4F_N3F_V4F, 4, 4, 3, 4, GL_FLOAT, 16, 32, 44, 60 },
};

// One array of the format, `at` bytes into each element of it; off without components.
static void interleave(struct gv_gl_context *c, uint32_t slot, struct gv_gl_array part,
                       struct gv_gl_binding from, uint32_t at)
{
    struct gv_gl_vertex_array *v = c->client.vertex_array;
    if (part.size == 0) {
        v->arrays[slot].enabled = false;
        return;
    }
    part.enabled = true;
    part.binding = (uint8_t)slot;
    from.offset += at;
    v->arrays[slot] = part;
    v->bindings[slot] = from;
}

// Recorded for buffers only: of the program's memory it comes as single arrays.
static bool set_InterleavedArrays(struct gv_gl_context *context,
                                  struct gv_gl_sink *sink,
                                  const struct gv_trace_call *call)
{
    const struct gv_gl_client *c = &context->client;
    const struct interleaved *f = NULL;
    for (uint32_t i = 0; i < sizeof interleaved / sizeof *interleaved; i++)
        if (interleaved[i].format == gv_gl_uint(call, 0))
            f = &interleaved[i];
    if (!f)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (gv_gl_int(call, 1) < 0)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    const uint32_t stride = gv_gl_uint(call, 1);
    struct gv_gl_array part = { .type = GL_FLOAT };
    const struct gv_gl_binding from = {
        .stride = stride ? stride : f->stride,
        .buffer = c->array_buffer,
        .offset = gv_trace_uint(gv_trace_argument(call, 2)),
    };
    gv_gl_array(context, GV_GL_EDGE)->enabled = false;
    gv_gl_array(context, GV_GL_INDEX)->enabled = false;
    gv_gl_array(context, GV_GL_SECONDARY)->enabled = false;
    gv_gl_array(context, GV_GL_FOG_COORD)->enabled = false;
    part.size = f->texcoord;
    interleave(context, GV_GL_TEXCOORD + c->active, part, from, 0);
    part.size = f->vertex;
    interleave(context, GV_GL_POSITION, part, from, f->vertex_at);
    part.normalized = true;
    part.size = f->normal;
    interleave(context, GV_GL_NORMAL, part, from, f->normal_at);
    part.size = f->color;
    part.type = f->color_type;
    interleave(context, GV_GL_COLOR, part, from, f->color_at);
    return true;
}
GV_GL_SETTER(InterleavedArrays)

const struct gv_gl_row gv_gl_array_interleaved_rows[] = {
    { "glInterleavedArrays", gl_InterleavedArrays, GV_GL_INSIDE },
    { NULL, NULL, 0 },
};
