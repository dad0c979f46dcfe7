// Transform feedback: what is captured, where it goes, and what is drawn of it.
#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "tests/gl_pixels/draw_scene.h"

// A program that captures one variable.
static void capturing(struct scene *s, int program, const char *vertex,
                      const char *geometry, const char *varying)
{
    call(s, "glCreateProgram", "=i", program);
    attach_shader(s, program, program + 1, GL_VERTEX_SHADER, vertex);
    if (geometry)
        attach_shader(s, program, program + 2, GL_GEOMETRY_SHADER, geometry);
    if (varying)
        call(s, "glTransformFeedbackVaryings", "iiBe", program, 1, TEXT(varying),
             GL_INTERLEAVED_ATTRIBS);
    call(s, "glLinkProgram", "i", program);
    call(s, "glUseProgram", "i", program);
}

// Draws attribute 0 of a buffer as squares of 8 in blue, each at its place.
static void squares(struct scene *s, int program)
{
    call(s, "glCreateProgram", "=i", program);
    attach_shader(
        s, program, program + 1, GL_VERTEX_SHADER,
        "#version 150 compatibility\nin vec4 at; out vec3 c; void main() {\n"
        "  gl_Position = vec4(at.xy, 0.0, 1.0); c = vec3(at.z, 0.0, at.w); }");
    attach_shader(
        s, program, program + 2, GL_GEOMETRY_SHADER,
        "#version 150 compatibility\nin vec3 c[]; flat out vec3 paint;\n"
        "layout(points) in; layout(triangle_strip, max_vertices = 4) out;\n"
        "void main() { for (int i = 0; i < 4; i++) { paint = c[0];\n"
        "  gl_Position = gl_in[0].gl_Position + vec4(i % 2, i / 2, 0, 0) * 0.5;\n"
        "  EmitVertex(); } }");
    attach_shader(s, program, program + 3, GL_FRAGMENT_SHADER,
                  "#version 150 compatibility\nflat in vec3 paint;\n"
                  "void main() { gl_FragColor = vec4(paint, 1.0); }");
    call(s, "glBindAttribLocation", "iiB", program, 0, TEXT("at"));
    call(s, "glLinkProgram", "i", program);
}

static void room(struct scene *s, int buffer, int bytes)
{
    static const uint8_t zeros[1024];
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, buffer);
    call(s, "glBufferData", "eiBe", GL_ARRAY_BUFFER, bytes, (size_t)bytes, zeros,
         GL_DYNAMIC_COPY);
}

static void points(struct scene *s, const double *at, int count)
{
    call(s, "glBegin", "e", GL_POINTS);
    for (int i = 0; i < count; i++)
        call(s, "glVertex2f", "ff", at[2 * i], at[2 * i + 1]);
    call(s, "glEnd", "");
}

// Attribute 0 is what a buffer has from `offset` on.
static void show_of(struct scene *s, int program, int buffer, int size, int stride,
                    int offset)
{
    call(s, "glUseProgram", "i", program);
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, buffer);
    call(s, "glVertexAttribPointer", "iieeip", 0, size, GL_FLOAT, 0u, stride,
         P(offset));
    call(s, "glEnableVertexAttribArray", "i", 0);
}

static void hide_array(struct scene *s)
{
    call(s, "glDisableVertexAttribArray", "i", 0);
}

#define PLACE                                                        \
    "#version 150 compatibility\nout vec4 o;\n"                      \
    "void main() { o = vec4(gl_Vertex.xy / 16.0 - 1.0, 1.0, 0.0);\n" \
    "  gl_Position = vec4(o.xy, 0.5, 1.0); }"

static const double columns[] = { 0, 0, 8, 0, 16, 0, 24, 0 };

// Captured without a fragment, then drawn from; what follows goes behind it.
static void plain(struct scene *s)
{
    squares(s, 50);
    room(s, 4, 256);
    capturing(s, 10, PLACE, NULL, "o");
    call(s, "glBindBufferBase", "eii", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 4);
    call(s, "glEnable", "e", GL_RASTERIZER_DISCARD);
    call(s, "glBeginTransformFeedback", "e", GL_POINTS);
    points(s, columns, 2);
    points(s, columns + 4, 1);
    call(s, "glPauseTransformFeedback", "");
    points(s, columns, 1);
    call(s, "glResumeTransformFeedback", "");
    points(s, columns + 6, 1);
    call(s, "glEndTransformFeedback", "");
    call(s, "glDisable", "e", GL_RASTERIZER_DISCARD);
    show_of(s, 50, 4, 4, 0, 0);
    call(s, "glDrawArrays", "eii", GL_POINTS, 0, 4);
    hide_array(s);
}

// Members, elements and the position as GL has it, behind a gap; written by the program
// in front of a part that the trace writes afterwards.
static void pieces(struct scene *s)
{
    static const float place[2] = { 0.5F, -1 };
    squares(s, 50);
    room(s, 4, 256);
    call(s, "glCreateProgram", "=i", 10);
    attach_shader(
        s, 10, 11, GL_VERTEX_SHADER,
        "#version 150 compatibility\nout Pack { vec2 unused; vec2 at[2]; } pack;\n"
        "out float list[3]; void main() {\n"
        "  pack.at[1] = gl_Vertex.xy / 16.0 - 1.0; pack.at[0] = vec2(9.0);\n"
        "  pack.unused = vec2(7.0); list[0] = 5.0; list[1] = 1.0; list[2] = 0.0;\n"
        "  gl_Position = vec4(0.25, 0.5, 0.0, 1.0); }");
    static const char *const names[] = { "gl_SkipComponents2", "Pack.at[1]", "list[1]",
                                         "list[2]", "gl_Position" };
    call(s, "glTransformFeedbackVaryings", "iiSe", 10, 5, (size_t)5, names,
         GL_INTERLEAVED_ATTRIBS);
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    call(s, "glBindBufferRange", "eiiii", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 4, 16, 160);
    call(s, "glEnable", "e", GL_RASTERIZER_DISCARD);
    call(s, "glBeginTransformFeedback", "e", GL_POINTS);
    points(s, columns, 3);
    call(s, "glEndTransformFeedback", "");
    call(s, "glDisable", "e", GL_RASTERIZER_DISCARD);
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, 4);
    call(s, "glBufferSubData", "eiiB", GL_ARRAY_BUFFER, 16 + 80 + 8, 8, (size_t)8,
         (const uint8_t *)place);
    show_of(s, 50, 4, 4, 40, 16 + 8);
    call(s, "glDrawArrays", "eii", GL_POINTS, 0, 3);
    show_of(s, 50, 4, 4, 40, 16 + 24); // the position: red is z, blue w
    call(s, "glDrawArrays", "eii", GL_POINTS, 1, 1);
    hide_array(s);
}

// A buffer each; a buffer of its own by name; by layouts of the text.
static void buffers(struct scene *s)
{
    static const char *const names[] = { "a", "gl_NextBuffer", "b" };
    squares(s, 50);
    room(s, 4, 256);
    room(s, 5, 256);
    call(s, "glCreateProgram", "=i", 10);
    attach_shader(
        s, 10, 11, GL_VERTEX_SHADER,
        "#version 150 compatibility\nout vec4 a; out vec4 b; void main() {\n"
        "  a = vec4(gl_Vertex.xy / 16.0 - 1.0, 1.0, 0.0); b = a.xyww + vec4(0, 0.5, 0, "
        "1);\n"
        "  gl_Position = a; }");
    call(s, "glTransformFeedbackVaryings", "iiSe", 10, 3, (size_t)3, names,
         GL_INTERLEAVED_ATTRIBS);
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    call(s, "glBindBufferBase", "eii", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 4);
    call(s, "glBindBufferBase", "eii", GL_TRANSFORM_FEEDBACK_BUFFER, 1, 5);
    call(s, "glEnable", "e", GL_RASTERIZER_DISCARD);
    call(s, "glBeginTransformFeedback", "e", GL_POINTS);
    points(s, columns, 1);
    points(s, columns + 2, 1);
    call(s, "glEndTransformFeedback", "");
    capturing(s, 20,
              "#version 440 compatibility\n"
              "layout(xfb_buffer = 1, xfb_stride = 32) out;\n"
              "layout(xfb_offset = 16) out vec4 c; void main() {\n"
              "  c = vec4(gl_Vertex.xy / 16.0 - 1.0, 1.0, 1.0); gl_Position = c; }",
              NULL, NULL);
    call(s, "glBindBufferRange", "eiiii", GL_TRANSFORM_FEEDBACK_BUFFER, 1, 5, 64, 64);
    call(s, "glBeginTransformFeedback", "e", GL_POINTS);
    points(s, columns + 4, 2);
    call(s, "glEndTransformFeedback", "");
    call(s, "glDisable", "e", GL_RASTERIZER_DISCARD);
    show_of(s, 50, 4, 4, 0, 0);
    call(s, "glDrawArrays", "eii", GL_POINTS, 0, 2);
    show_of(s, 50, 5, 4, 0, 0);
    call(s, "glDrawArrays", "eii", GL_POINTS, 0, 2);
    show_of(s, 50, 5, 4, 32, 64 + 16);
    call(s, "glDrawArrays", "eii", GL_POINTS, 0, 2);
    hide_array(s);
}

// Two objects, of which one waits; as many vertices as were captured are drawn.
static void objects(struct scene *s)
{
    squares(s, 50);
    room(s, 4, 256);
    room(s, 5, 256);
    capturing(s, 10, PLACE, NULL, "o");
    call(s, "glEnable", "e", GL_RASTERIZER_DISCARD);
    for (int i = 0; i < 2; i++) {
        call(s, "glBindTransformFeedback", "ei", GL_TRANSFORM_FEEDBACK, 7 + i);
        call(s, "glBindBufferBase", "eii", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 4 + i);
        call(s, "glBeginTransformFeedback", "e", GL_POINTS);
        points(s, columns + 4 * i, 1);
        call(s, "glPauseTransformFeedback", "");
    }
    call(s, "glBindTransformFeedback", "ei", GL_TRANSFORM_FEEDBACK, 7);
    call(s, "glResumeTransformFeedback", "");
    points(s, columns + 2, 1);
    call(s, "glEndTransformFeedback", "");
    call(s, "glDisable", "e", GL_RASTERIZER_DISCARD);
    show_of(s, 50, 4, 4, 0, 0);
    call(s, "glDrawTransformFeedback", "ei", GL_POINTS, 7);
    call(s, "glDrawTransformFeedback", "ei", GL_POINTS, 8); // not ended
    call(s, "glDrawTransformFeedback", "ei", GL_POINTS, 9); // not there
    hide_array(s);
}

// Streams of a geometry shader, each into a buffer of its own.
static void streams(struct scene *s)
{
    static const char *const names[] = { "a", "gl_NextBuffer", "b" };
    squares(s, 50);
    room(s, 4, 256);
    room(s, 5, 256);
    call(s, "glCreateProgram", "=i", 10);
    attach_shader(s, 10, 11, GL_VERTEX_SHADER,
                  "#version 150 compatibility\nvoid main() {\n"
                  "  gl_Position = vec4(gl_Vertex.xy / 16.0 - 1.0, 1.0, 0.0); }");
    attach_shader(s, 10, 12, GL_GEOMETRY_SHADER,
                  "#version 400 compatibility\nlayout(points) in;\n"
                  "layout(points, max_vertices = 3) out;\n"
                  "layout(stream = 0) out vec4 a; layout(stream = 1) out vec4 b;\n"
                  "void main() { a = gl_in[0].gl_Position; EmitStreamVertex(0);\n"
                  "  for (int i = 0; i < 2; i++) { b = gl_in[0].gl_Position.xyww;\n"
                  "    b.y += float(i + 1) * 0.5; b.w = 1.0; EmitStreamVertex(1); } }");
    call(s, "glTransformFeedbackVaryings", "iiSe", 10, 3, (size_t)3, names,
         GL_INTERLEAVED_ATTRIBS);
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    call(s, "glBindBufferBase", "eii", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 4);
    call(s, "glBindBufferBase", "eii", GL_TRANSFORM_FEEDBACK_BUFFER, 1, 5);
    call(s, "glEnable", "e", GL_RASTERIZER_DISCARD);
    call(s, "glBeginTransformFeedback", "e", GL_POINTS);
    points(s, columns, 2);
    call(s, "glEndTransformFeedback", "");
    call(s, "glDisable", "e", GL_RASTERIZER_DISCARD);
    show_of(s, 50, 4, 4, 0, 0);
    call(s, "glDrawTransformFeedback", "ei", GL_POINTS, 0);
    show_of(s, 50, 5, 4, 0, 0);
    call(s, "glDrawArrays", "eii", GL_POINTS, 0, 4);
    call(s, "glDrawTransformFeedbackStream", "eii", GL_POINTS, 0, 1);
    hide_array(s);
    s->unsupported = 1;
}

// A strip is captured as triangles, seen as such, and all of it though it faces away.
static void triangles(struct scene *s)
{
    static const double strip[] = { 0, 0, 8, 0, 0, 8, 8, 8 };
    squares(s, 50);
    room(s, 4, 256);
    call(s, "glCreateProgram", "=i", 10);
    attach_shader(s, 10, 11, GL_VERTEX_SHADER, PLACE);
    attach_shader(s, 10, 12, GL_FRAGMENT_SHADER,
                  "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }");
    call(s, "glTransformFeedbackVaryings", "iiBe", 10, 1, TEXT("o"),
         GL_SEPARATE_ATTRIBS);
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    call(s, "glBindBufferBase", "eii", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 4);
    call(s, "glBeginTransformFeedback", "e", GL_TRIANGLES);
    call(s, "glUseProgram", "i", 50); // not now
    points(s, columns, 1);            // not what is captured
    call(s, "glBegin", "e", GL_TRIANGLE_STRIP);
    for (int i = 0; i < 4; i++)
        call(s, "glVertex2f", "ff", strip[2 * i], strip[2 * i + 1]);
    call(s, "glEnd", "");
    call(s, "glEnable", "e", GL_CULL_FACE);
    call(s, "glBegin", "e", GL_TRIANGLES);
    call(s, "glVertex2f", "ff", 8.0, 0.0);
    call(s, "glVertex2f", "ff", 24.0, 0.0);
    call(s, "glVertex2f", "ff", 16.0, -8.0);
    call(s, "glEnd", "");
    call(s, "glDisable", "e", GL_CULL_FACE);
    call(s, "glEndTransformFeedback", "");
    show_of(s, 50, 4, 4, 0, 0);
    call(s, "glDrawArrays", "eii", GL_POINTS, 7, 1);
    call(s, "glUseProgram", "i", 0);
    hide_array(s);
}

#define FOUR(a, b, c, d)                         \
    {                                            \
        { 4, 4, a }, { 12, 4, b }, { 20, 4, c }, \
        {                                        \
            28, 4, d                             \
        }                                        \
    }
enum { MAGENTA = 0xFF00FF };

// Instances whose fragments see the ones before, at places that were captured: each
// place serves one instance, or two, which is refused by name.
static void stepped(struct scene *s)
{
    static const float corners[] = { 0, 0, 0.5F, 0, 0, 0.5F, 0.5F, 0.5F };
    room(s, 4, 256);
    room(s, 5, sizeof corners);
    call(s, "glBufferSubData", "eiiB", GL_ARRAY_BUFFER, 0, (int)sizeof corners,
         sizeof corners, (const uint8_t *)corners);
    capturing(s, 10, PLACE, NULL, "o");
    call(s, "glBindBufferBase", "eii", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 4);
    call(s, "glEnable", "e", GL_RASTERIZER_DISCARD);
    call(s, "glBeginTransformFeedback", "e", GL_POINTS);
    points(s, columns, 2);
    call(s, "glEndTransformFeedback", "");
    call(s, "glDisable", "e", GL_RASTERIZER_DISCARD);
    call(s, "glCreateProgram", "=i", 20);
    attach_shader(s, 20, 21, GL_VERTEX_SHADER,
                  "#version 150 compatibility\nin vec2 corner; in vec4 at;\n"
                  "void main() { gl_Position = vec4(at.xy + corner, 0.0, 1.0); }");
    attach_shader(
        s, 20, 22, GL_FRAGMENT_SHADER,
        "#version 150 compatibility\n"
        "#extension GL_EXT_shader_framebuffer_fetch : require\ninout vec4 shown;\n"
        "void main() { shown = vec4(shown.g, 1.0, 0.0, 1.0); }");
    call(s, "glBindAttribLocation", "iiB", 20, 0, TEXT("corner"));
    call(s, "glBindAttribLocation", "iiB", 20, 1, TEXT("at"));
    call(s, "glLinkProgram", "i", 20);
    show_of(s, 20, 5, 2, 0, 0);
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, 4);
    call(s, "glVertexAttribPointer", "iieeip", 1, 4, GL_FLOAT, 0u, 0, P(0));
    call(s, "glEnableVertexAttribArray", "i", 1);
    s->unsupported = 1;
    for (uint32_t divisor = 1; divisor <= 2; divisor++) {
        call(s, "glVertexAttribDivisor", "ii", 1, (int)divisor);
        call(s, "glDrawArraysInstanced", "eiii", GL_TRIANGLE_STRIP, 0, 4,
             2 * (int)divisor);
    }
    call(s, "glDisableVertexAttribArray", "i", 1);
    hide_array(s);
}

static const struct draw_row rows[] = {
    { "plain", plain, SIDE, FOUR(RED, RED, RED, RED), 2, 3 },
    { "pieces",
      pieces,
      SIDE,
      { { 4, 4, RED }, { 12, 4, RED }, { 26, 4, RED }, { 22, 26, BLUE } },
      3,
      3 },
    { "buffers",
      buffers,
      SIDE,
      { { 4, 4, RED },
        { 12, 4, RED },
        { 4, 12, BLUE },
        { 12, 12, BLUE },
        { 20, 4, MAGENTA },
        { 28, 4, MAGENTA } },
      2,
      5 },
    { "stepped",
      stepped,
      SIDE,
      { { 4, 4, GREEN }, { 12, 4, GREEN }, { 20, 20, BLACK } },
      6,
      5 },
    { "objects", objects, SIDE, FOUR(RED, RED, BLACK, BLACK), 3, 3 },
    { "streams",
      streams,
      SIDE,
      { { 4, 4, RED }, { 12, 4, RED }, { 4, 12, BLUE }, { 12, 20, BLUE } },
      2,
      2 },
    { "triangles", triangles, SIDE, FOUR(GREEN, BLACK, BLACK, RED), 2, 3 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
