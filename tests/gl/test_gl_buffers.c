// Buffer objects: indexed binding points.
#include "compiler/gl/base/gl_buffer.h"
#include "tests/gl/geometry_log.h"
#include "tests/test.h"

// What a point has bound, as "name offset size"; "" is nothing.
static bool point_is(const struct geometry_log *g, uint32_t target, uint32_t index,
                     const char *wanted)
{
    char text[80] = "";
    struct gv_gl_buffer_part part;
    if (gv_gl_buffer_point(g->gl.context, &g->gl.objects, target, index, &part))
        snprintf(text, sizeof text, "%u %u %u", (unsigned)part.buffer->named.name,
                 (unsigned)part.offset, (unsigned)part.size);
    return !strcmp(text, wanted);
}

static void make_buffers(struct geometry_log *g)
{
    for (int name = 1; name <= 3; name++) {
        CALL("glBindBuffer", "ei", GL_COPY_WRITE_BUFFER, name);
        CALL("glBufferData", "eine", GL_COPY_WRITE_BUFFER, 64 * name, GL_STATIC_DRAW);
    }
}

static void points(struct geometry_log *g)
{
    make_buffers(g);
    CALL("glBindBufferBase", "eii", GL_UNIFORM_BUFFER, 3, 1);
    CALL("glBindBufferRange", "eiiii", GL_UNIFORM_BUFFER, 89, 2, 5, 32);
    CALL("glBindBufferOffset", "eiii", GL_TRANSFORM_FEEDBACK_BUFFER, 3, 3, 16);
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 3, "1 0 64"));
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 89, "2 5 32"));
    CHECK(point_is(g, GL_TRANSFORM_FEEDBACK_BUFFER, 3, "3 16 176"));
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 0, ""));
    CHECK(point_is(g, GL_UNIFORM_BUFFER, UINT32_MAX, ""));
    CHECK(point_is(g, GL_ARRAY_BUFFER, 0, ""));
    // The target's own binding follows; a point keeps to the buffer's size.
    CALL("glBufferData", "eine", GL_UNIFORM_BUFFER, 16, GL_STATIC_DRAW);
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 89, "2 5 11"));
    CALL("glNamedBufferData", "iine", 1, 0, GL_STATIC_DRAW);
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 3, ""));
    CALL("glNamedBufferData", "iine", 1, 4, GL_STATIC_DRAW);
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 3, "1 0 4"));
    CALL("glDeleteBuffers", "iI", 1, INTEGERS(1));
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 3, ""));
    CALL("glBindBufferBase", "eii", GL_UNIFORM_BUFFER, 89, 0);
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 89, ""));
}

static void rejected_points(struct geometry_log *g)
{
    make_buffers(g);
    CALL("glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 95, 1);
    CALL("glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, 96, 1);
    CALL("glBindBufferBase", "eii", GL_SHADER_STORAGE_BUFFER, -1, 1);
    CALL("glBindBufferBase", "eii", GL_ARRAY_BUFFER, 0, 1);
    CALL("glBindBufferRange", "eiiii", GL_SHADER_STORAGE_BUFFER, 95, 2, 0, 0);
    CALL("glBindBufferRange", "eiiii", GL_SHADER_STORAGE_BUFFER, 95, 2, -4, 8);
    CALL("glBindBufferRange", "eiiii", GL_ATOMIC_COUNTER_BUFFER, 0, 2, 2, 8);
    CALL("glBindBufferRange", "eiiii", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 2, 0, 6);
    CALL("glBindBufferRange", "eiipp", GL_UNIFORM_BUFFER, 0, 2, UINT64_MAX >> 1,
         UINT64_MAX >> 1);
    CHECK(point_is(g, GL_SHADER_STORAGE_BUFFER, 95, "1 0 64"));
    CHECK(point_is(g, GL_ATOMIC_COUNTER_BUFFER, 0, ""));
    CHECK(point_is(g, GL_TRANSFORM_FEEDBACK_BUFFER, 0, ""));
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 0, "")); // behind the buffer's end
}

static void several_points(struct geometry_log *g)
{
    make_buffers(g);
    CALL("glBindBuffersBase", "eiiI", GL_UNIFORM_BUFFER, 1, 3, INTEGERS(3, 77, 2));
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 1, "3 0 192"));
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 2, "")); // no such buffer
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 3, "2 0 128"));
    CALL("glBindBuffersRange", "eiiIII", GL_UNIFORM_BUFFER, 1, 3, INTEGERS(1, 1, 0),
         INTEGERS(8, 8, 0), INTEGERS(16, 0, 0));
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 1, "1 8 16"));
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 2, ""));
    CHECK(point_is(g, GL_UNIFORM_BUFFER, 3, ""));
    CALL("glBindBuffersBase", "eiin", GL_UNIFORM_BUFFER, 0, 90);
    CALL("glBindBuffersBase", "eiiI", GL_UNIFORM_BUFFER, 80, 11, INTEGERS(1, 2));
    CALL("glBindBuffersBase", "eiiI", GL_UNIFORM_BUFFER, 0, -1, INTEGERS(1));
    for (uint32_t i = 0; i < 90; i++)
        CHECK(point_is(g, GL_UNIFORM_BUFFER, i, ""));
    CHECK(g->context.buffers[2] == 0); // the target's own binding stays
}

int main(void)
{
    static geometry_test *const tests[] = { points, rejected_points, several_points };
    return geometry_tests(tests, sizeof tests / sizeof *tests);
}
