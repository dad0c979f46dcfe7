#include "compiler/gl/base/gl_context.h"

#include <string.h>

#include "compiler/gl/base/gl_matrix.h"

void gv_gl_vertex_array_init(struct gv_gl_vertex_array *v)
{
    struct gv_gl_array *edge = &v->arrays[GV_GL_SLOTS];
    memset(v, 0, sizeof(*v));
    for (uint32_t i = 0; i <= GV_GL_SLOTS; i++) {
        v->arrays[i].size = 4;
        v->arrays[i].type = GL_FLOAT;
        v->arrays[i].binding = (uint8_t)i;
    }
    v->arrays[GV_GL_NORMAL].size = v->arrays[GV_GL_SECONDARY].size = 3;
    v->arrays[GV_GL_FOG_COORD].size = v->arrays[GV_GL_INDEX].size = 1;
    v->arrays[GV_GL_POINT_SIZE].size = edge->size = 1;
    edge->type = GL_UNSIGNED_BYTE;
    for (uint32_t i = 0; i <= GV_GL_SLOTS; i++)
        v->bindings[i].stride = 4u * v->arrays[i].size;
    v->bindings[GV_GL_SLOTS].stride = 1;
}

static void init_stack(struct gv_gl_matrix_stack *s)
{
    memset(s, 0, sizeof(*s));
    s->entries[0] = gv_gl_identity_matrix;
}

void gv_gl_context_init(struct gv_gl_context *c)
{
    gv_gl_state_init(&c->state);
    memset(&c->client, 0, sizeof(c->client));
    c->client.pack.alignment = c->client.unpack.alignment = 4;
    gv_gl_vertex_array_init(&c->default_array);
    c->client.vertex_array = &c->default_array;
    init_stack(&c->modelview);
    init_stack(&c->projection);
    init_stack(&c->color);
    for (uint32_t i = 0; i < GV_GL_UNITS; i++)
        init_stack(&c->texture[i]);
    for (uint32_t i = 0; i < GV_GL_PROGRAM_MATRICES; i++)
        init_stack(&c->matrices[i]);
    memset(&c->given, 0, sizeof(c->given));
    memcpy(c->given.color, c->state.current.slots[GV_GL_COLOR], sizeof(c->given.color));
    memset(c->points, 0, sizeof(c->points));
    c->patches.vertices = 3;
    for (uint32_t i = 0; i < 4; i++)
        c->patches.outer[i] = 1;
    c->patches.inner[0] = c->patches.inner[1] = 1;
    c->draw_buffers[0] = c->read_buffer = GL_BACK;
    c->draw_buffer_count = 1;
}
